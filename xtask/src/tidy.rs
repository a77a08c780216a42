//! `cargo xtask tidy`: rules about the source that the compiler does not check. They also run as
//! a test of this crate.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Runs the command. True if no rule is broken.
pub fn run() -> Result<bool, String> {
    let violations = check(&crate::tools::root());
    for violation in &violations {
        println!("{violation}");
    }
    println!("tidy: {} violations", violations.len());
    Ok(violations.is_empty())
}

/// Everything that breaks a rule, each with its place.
pub fn check(root: &Path) -> Vec<String> {
    let mut violations = Vec::new();
    let crates = crates(root);
    match fs::read_to_string(root.join("ARCHITECTURE.md")) {
        Ok(text) => {
            violations.extend(code_map(&text, &crates));
            match layers(&text) {
                Some(layers) => violations.extend(layering(root, &crates, &layers)),
                None => {
                    violations.push("ARCHITECTURE.md: no line `Layers: a < b < c, d < e`".into())
                }
            }
        }
        Err(error) => violations.push(format!("ARCHITECTURE.md: {error}")),
    }
    for file in files(root) {
        let name = file.strip_prefix(root).unwrap_or(&file).to_string_lossy().into_owned();
        // This file must name what it looks for.
        if name == "xtask/src/tidy.rs" {
            continue;
        }
        if let Ok(text) = fs::read_to_string(&file) {
            violations.extend(source(&name, &text));
        }
    }
    violations
}

/// The names of the folders under `crates/`.
fn crates(root: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(root.join("crates"))
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.path().join("Cargo.toml").exists())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// Every crate must have a row in the table `| crate | holds | must not know |`, and every row a
/// crate.
fn code_map(architecture: &str, crates: &[String]) -> Vec<String> {
    let rows: Vec<String> = architecture
        .lines()
        .skip_while(|line| !line.replace(' ', "").starts_with("|crate|holds|mustnotknow|"))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .filter_map(|line| line.split('|').nth(1))
        .map(|cell| cell.trim().trim_matches('`').to_string())
        .collect();
    let mut violations = Vec::new();
    for name in crates.iter().filter(|name| !rows.contains(name)) {
        violations.push(format!(
            "ARCHITECTURE.md: crate {name} is not in the table `| crate | holds | must not know |`"
        ));
    }
    for row in rows.iter().filter(|row| !crates.contains(row)) {
        violations
            .push(format!("ARCHITECTURE.md: the table names {row}, but there is no crates/{row}"));
    }
    violations
}

/// The layer of each crate, from the line `Layers: base < term < cfa < frontend, interp < cli`.
fn layers(architecture: &str) -> Option<BTreeMap<String, usize>> {
    let line = architecture.lines().find_map(|line| {
        let line = line.trim().trim_start_matches(['`', '*', '-', ' ']);
        line.strip_prefix("Layers:")
    })?;
    let mut layers = BTreeMap::new();
    for (number, layer) in line.split('<').enumerate() {
        for name in layer.split(',') {
            let name = name.trim().trim_matches(['`', '*', '.', ' ']);
            layers.insert(name.to_string(), number);
        }
    }
    Some(layers)
}

/// A crate may depend on crates of lower layers only. What tests use is not restricted.
fn layering(root: &Path, crates: &[String], layers: &BTreeMap<String, usize>) -> Vec<String> {
    let mut violations = Vec::new();
    for name in crates {
        let Some(layer) = layers.get(name) else {
            violations.push(format!("ARCHITECTURE.md: crate {name} is in no layer"));
            continue;
        };
        let manifest = fs::read_to_string(root.join("crates").join(name).join("Cargo.toml"))
            .unwrap_or_default();
        for dependency in dependencies(&manifest) {
            if !crates.contains(&dependency) {
                continue;
            }
            if layers.get(&dependency).is_none_or(|below| below >= layer) {
                violations.push(format!("crates/{name}/Cargo.toml: depends on {dependency}, which is not in a lower layer"));
            }
        }
    }
    violations
}

/// The keys of `[dependencies]` and `[build-dependencies]`.
fn dependencies(manifest: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut inside = false;
    for line in manifest.lines().map(str::trim) {
        if let Some(section) = line.strip_prefix('[') {
            let section = section.trim_end_matches(']');
            inside = matches!(section, "dependencies" | "build-dependencies");
            if let Some(name) = section.strip_prefix("dependencies.") {
                names.push(name.to_string());
            }
        } else if inside && !line.is_empty() && !line.starts_with('#') {
            let end = line.find(['.', '=', ' ']).unwrap_or(line.len());
            names.push(line[..end].to_string());
        }
    }
    names
}

/// The text files that the rules are about.
fn files(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            if path.is_dir() {
                if !name.starts_with('.') && name != "target" {
                    open.push(path);
                }
            } else if [".rs", ".toml", ".md"].iter().any(|end| name.ends_with(end)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The rules about the text of one file.
fn source(name: &str, text: &str) -> Vec<String> {
    let mut violations = Vec::new();
    let rust = name.ends_with(".rs");
    let tests = name.split('/').any(|part| matches!(part, "tests" | "benches" | "fuzz"))
        || name.ends_with("tests.rs");
    let prints = ["crates/cli/", "xtask/"].iter().any(|start| name.starts_with(start))
        || name.contains("/examples/");
    let may_name_parser = name.starts_with("crates/frontend/src/c/")
        || ["Cargo.toml", "crates/frontend/Cargo.toml"].contains(&name)
        || !(rust || name.ends_with(".toml"));
    // Unit tests come last in a file.
    let mut in_tests = tests;
    for (number, line) in text.lines().enumerate() {
        let mut violation = |what: &str| violations.push(format!("{name}:{}: {what}", number + 1));
        in_tests |= rust && line.trim() == "#[cfg(test)]";
        let comment = line.trim_start().starts_with("//");
        if rust {
            for word in ["todo!(", "unimplemented!(", "FIXME"] {
                if line.contains(word) {
                    violation(&format!("`{word}` must not stay"));
                }
            }
        }
        if !may_name_parser && line.contains("rucc") {
            violation("only crates/frontend/src/c may name the parser library");
        }
        if !in_tests {
            for folder in ["work", "home", "root", "tmp"] {
                let path = format!("/{folder}/");
                if line.contains(&path) {
                    violation(&format!("a path of one machine: {path}"));
                }
            }
        }
        if rust && !prints && !in_tests && !comment {
            for word in ["print!(", "println!(", "dbg!(", "io::stdout(", "io::stderr("] {
                if has_word(line, word) {
                    violation(&format!("only the command line prints: `{word}`"));
                }
            }
            for word in ["process::exit(", "env::args(", "env::args_os("] {
                if line.contains(word) {
                    violation(&format!("only the command line is asked and exits: `{word}`"));
                }
            }
        }
    }
    violations
}

/// Whether `line` has `word` and not as the end of a longer name; `eprint` counts as `print`.
fn has_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].strip_suffix('e').unwrap_or(&line[..at]);
        !before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_workspace_is_tidy() {
        let violations = check(&crate::tools::root());
        assert!(
            violations.is_empty(),
            "{} violations:\n{}",
            violations.len(),
            violations.join("\n")
        );
    }

    #[test]
    fn a_crate_that_the_map_leaves_out_is_named() {
        let text = "| crate | holds | must not know |\n| --- | --- | --- |\n| `base` | ids | all |\n\n| `x` | |";
        let names = ["base".to_string(), "term".to_string()];
        assert_eq!(code_map(text, &names).len(), 1);
        assert!(code_map(text, &names)[0].contains("crate term"));
        assert!(code_map(text, &[])[0].contains("no crates/base"));
    }

    #[test]
    fn crates_beside_each_other_share_a_layer() {
        let layers = layers("text\n\nLayers: base < term < frontend, interp < cli\n").unwrap();
        assert_eq!(layers["base"], 0);
        assert_eq!(layers["frontend"], layers["interp"]);
        assert_eq!(layers["cli"], 3);
    }

    #[test]
    fn dependencies_are_read_without_those_of_tests() {
        let manifest = "[package]\nname = \"x\"\n[dependencies]\nbase.workspace = true\nterm = { path = \"../term\" }\n# no\n[dev-dependencies]\ncli = \"1\"\n";
        assert_eq!(dependencies(manifest), ["base", "term"]);
    }

    #[test]
    fn rules_on_text_look_where_they_should() {
        assert_eq!(source("crates/term/src/a.rs", "fn f() { println!(\"\"); }").len(), 1);
        assert_eq!(source("crates/term/src/a.rs", "eprintln!(\"\")").len(), 1);
        assert_eq!(source("crates/term/src/a.rs", "/// println!(\"\")\nmy_println!(1)").len(), 0);
        assert_eq!(source("crates/cli/src/a.rs", "println!(\"\")").len(), 0);
        assert_eq!(source("crates/term/src/a.rs", "std::process::exit(1)").len(), 1);
        assert_eq!(source("crates/cli/src/a.rs", "std::env::args_os()").len(), 0);
        assert_eq!(source("crates/term/examples/a.rs", "println!(\"\")").len(), 0);
        assert_eq!(
            source("crates/term/src/a.rs", "#[cfg(test)]\nmod t { println!(\"/tmp/x\") }").len(),
            0
        );
        assert_eq!(source("crates/term/src/a.rs", "let p = \"/home/x\";").len(), 1);
        assert_eq!(source("crates/interp/src/a.rs", "use rucc_ast::Expr;").len(), 1);
        assert_eq!(source("crates/frontend/src/c/a.rs", "use rucc_ast::Expr;").len(), 0);
        assert_eq!(source("docs/a.md", "rucc and todo!()").len(), 0);
    }
}
