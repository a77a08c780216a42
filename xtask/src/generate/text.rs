//! C text: templates with `$name` holes, and indentation from braces.

/// Replaces each `$name` or `${name}` of `template` by its value. A hole without a value, or a value without
/// a hole, is a mistake in the generator.
pub fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(template.len() * 2);
    let mut used = vec![false; values.len()];
    let mut rest = template;
    while let Some(at) = rest.find('$') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let braced = rest.starts_with('{');
        rest = rest.strip_prefix('{').unwrap_or(rest);
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let name = &rest[..end];
        let index = values
            .iter()
            .position(|(key, _)| *key == name)
            .unwrap_or_else(|| panic!("no value for ${name} in {template}"));
        used[index] = true;
        out.push_str(values[index].1);
        rest = &rest[end + usize::from(braced)..];
    }
    out.push_str(rest);
    assert!(used.iter().all(|&u| u), "a value is not used in {template}: {used:?}");
    out
}

/// Indents by braces. Templates are written without indentation, since they are put together
/// from pieces that do not know how deep they will stand.
pub fn indent(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 5 / 4);
    let mut depth = 0usize;
    for line in text.lines() {
        let line = line.trim();
        if line.is_empty() {
            out.push('\n');
            continue;
        }
        let (open, close, leading) = braces(line);
        let here = depth.saturating_sub(leading);
        if !line.starts_with('#') {
            for _ in 0..here {
                out.push_str("    ");
            }
        }
        out.push_str(line);
        out.push('\n');
        depth = (depth + open).saturating_sub(close);
    }
    out
}

/// Braces opened, closed, and closed at the start of the line; those in literals do not count.
fn braces(line: &str) -> (usize, usize, usize) {
    let (mut open, mut close, mut leading) = (0, 0, 0);
    let mut quote = None;
    let mut escaped = false;
    for c in line.chars() {
        if let Some(q) = quote {
            if escaped {
                escaped = false;
            } else if c == '\\' {
                escaped = true;
            } else if c == q {
                quote = None;
            }
            continue;
        }
        match c {
            '"' | '\'' => quote = Some(c),
            '{' => open += 1,
            '}' => {
                close += 1;
                if open == 0 {
                    leading += 1;
                }
            }
            _ => {}
        }
    }
    (open, close, leading)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_are_filled_by_their_longest_name() {
        assert_eq!(fill("$T $Tx = ${T}3;", &[("T", "int"), ("Tx", "x")]), "int x = int3;");
    }

    #[test]
    fn braces_in_literals_do_not_indent() {
        assert_eq!(
            indent("f {\nc = '{';\n} else {\nd;\n}"),
            "f {\n    c = '{';\n} else {\n    d;\n}\n"
        );
    }
}
