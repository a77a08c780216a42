//! Formats of `printf`, as far as analyses look into them: whether one only prints, or has a
//! conversion that stores (`%n`), which everybody asks who may drop output; and which arguments are texts.

use cfa::{Contents, Object, ObjectKind};

/// Whether an object is a constant string that, as a format of `printf`, has no conversion that
/// stores.
#[must_use]
pub fn only_prints(object: &Object) -> bool {
    let Contents::Bytes(bytes, _) = &object.contents else { return false };
    object.kind == ObjectKind::ReadOnly && !stores(bytes)
}

/// Whether a format may have a conversion that stores.
fn stores(format: &[u8]) -> bool {
    // Flags, widths and lengths of all dialects; `wf` is a length, too.
    let is_part = |byte: &u8| b"0123456789.*+-# 'IhljztLqZ$w".contains(byte);
    format.split(|byte| *byte == b'%').skip(1).any(|rest| {
        let fast = rest.windows(2).position(|pair| pair == b"wf").map(|at| at + 1);
        let mut parts = rest.iter().enumerate();
        let end = parts.find(|(at, byte)| !is_part(byte) && Some(*at) != fast);
        end.is_some_and(|(_, byte)| *byte == b'n')
    })
}

/// The arguments behind a format through which memory is accessed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Texts {
    /// The numbers of those that are texts (`%s`).
    pub whole: Vec<usize>,
    /// Whether there are others: texts with a precision, of which perhaps nothing is read, and places that are
    /// written (`%n`).
    pub others: bool,
}

/// The arguments behind a format through which memory is accessed. `None` if the object is no constant string, or
/// the format names its arguments by numbers.
#[must_use]
pub fn texts(object: &Object) -> Option<Texts> {
    let Contents::Bytes(bytes, _) = &object.contents else { return None };
    if object.kind != ObjectKind::ReadOnly || bytes.contains(&b'$') {
        return None;
    }
    Some(texts_of(bytes))
}

fn texts_of(format: &[u8]) -> Texts {
    let (mut found, mut argument) = (Texts::default(), 0);
    let end = format.iter().position(|byte| *byte == 0).unwrap_or(format.len());
    let mut rest = format[..end].iter().copied();
    while rest.by_ref().any(|byte| byte == b'%') {
        let mut is_cut = false;
        for byte in rest.by_ref() {
            match byte {
                b'.' => is_cut = true,
                b'*' => argument += 1,
                b'0'..=b'9' | b'+' | b'-' | b'#' | b' ' | b'\'' | b'I' => {}
                b'h' | b'l' | b'j' | b'z' | b't' | b'L' | b'q' | b'Z' => {}
                b'%' | b'm' => break,
                conversion => {
                    match conversion {
                        b's' | b'S' if !is_cut => found.whole.push(argument),
                        b's' | b'S' | b'n' => found.others = true,
                        _ => {}
                    }
                    argument += 1;
                    break;
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Texts, stores, texts_of};

    #[test]
    fn texts_are_found_behind_other_arguments() {
        for (format, whole, others) in [
            ("", vec![], false),
            ("%d %%s", vec![], false),
            ("%s", vec![0], false),
            ("%5d%-8s, %ls%S", vec![1, 2, 3], false),
            ("%*s%.*s%.3s%s", vec![1, 5], true),
            ("%d%n", vec![], true),
            ("%m%s\0%s", vec![0], false),
            ("100%", vec![], false),
        ] {
            assert_eq!(texts_of(format.as_bytes()), Texts { whole, others }, "{format}");
        }
    }

    #[test]
    fn conversions_that_store_are_found_behind_all_flags_and_lengths() {
        for format in ["%n", "a%hhn", "%d%ln", "%5$n", "%-08.3lln", "%w32n", "%wf8n", "%'In"] {
            assert!(stores(format.as_bytes()), "{format}");
        }
        for format in ["", "n", "%d n", "%s\n", "%%", "%wf8d", "100%", "%5.2f in"] {
            assert!(!stores(format.as_bytes()), "{format}");
        }
    }
}
