//! Formats of `printf`, as far as analyses look into them: whether a format only prints, or has a conversion that
//! stores (`%n`), so that the output must not be dropped; and which arguments are texts.
//!
//! ```
//! use cfa::{Contents, ObjectKind, Program};
//!
//! let mut program = Program::default();
//! let mut format = |text: &str| {
//!     let contents = Contents::Bytes(text.as_bytes().into(), Box::new([]));
//!     let object = program.add_object(text, text.len() as u64, 1, ObjectKind::ReadOnly, contents, None);
//!     program.cfa.objects[object].clone()
//! };
//! let (prints, stores) = (format("%d of %s\0"), format("%d%n\0"));
//! assert!(proviso_printf::only_prints(&prints) && !proviso_printf::only_prints(&stores));
//! assert_eq!(proviso_printf::texts(&prints).map(|texts| texts.whole), Some(vec![1]));
//! ```

use cfa::{Contents, Object, ObjectKind};

/// The format of a call of `printf` that may store something, as far as this can be told before the format is read: the
/// first argument, if further arguments follow.
#[must_use]
pub fn format<'a, T>(function: &str, arguments: &'a [T]) -> Option<&'a T> {
    match arguments {
        [format, _, ..] if function == "printf" => Some(format),
        _ => None,
    }
}

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
    /// The numbers of the arguments that are texts (`%s`).
    pub whole: Vec<usize>,
    /// The numbers of the arguments that say where to write (`%n`), each with the length of the number that is written.
    pub written: Vec<(usize, Length)>,
    /// Whether a text has a precision, so that perhaps nothing of the text is read, or consists of wide characters.
    pub cut: bool,
    /// How many arguments the format needs.
    pub count: usize,
}

/// How long a number is that `%n` writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Length {
    /// As long as this number of bytes.
    Bytes(u64),
    /// As long as a pointer.
    Pointer,
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
        let (mut is_cut, mut length) = (false, Length::Bytes(4));
        for byte in rest.by_ref() {
            match byte {
                b'.' => is_cut = true,
                b'*' => argument += 1,
                b'0'..=b'9' | b'+' | b'-' | b'#' | b' ' | b'\'' | b'I' => {}
                b'h' if length == Length::Bytes(2) => length = Length::Bytes(1),
                b'h' => length = Length::Bytes(2),
                b'l' if length == Length::Pointer => length = Length::Bytes(8),
                b'l' | b'z' | b't' | b'Z' => length = Length::Pointer,
                b'j' | b'L' | b'q' => length = Length::Bytes(8),
                b'%' | b'm' => break,
                conversion => {
                    let is_wide = conversion == b'S' || length == Length::Pointer;
                    match conversion {
                        b's' | b'S' => {
                            if !is_cut {
                                found.whole.push(argument);
                            }
                            found.cut |= is_cut || is_wide;
                        }
                        b'n' => found.written.push((argument, length)),
                        _ => {}
                    }
                    argument += 1;
                    break;
                }
            }
        }
    }
    found.count = argument;
    found
}

#[cfg(test)]
mod tests {
    use super::{Length, stores, texts_of};

    #[test]
    fn texts_are_found_behind_other_arguments() {
        for (format, whole, cut, count) in [
            ("", vec![], false, 0),
            ("%d %%s", vec![], false, 1),
            ("%s", vec![0], false, 1),
            ("%5d%-8s, %s", vec![1, 2], false, 3),
            ("%5d%-8s, %ls%S", vec![1, 2, 3], true, 4),
            ("%*s%.*s%.3s%s", vec![1, 5], true, 6),
            ("%d%n", vec![], false, 2),
            ("%m%s\0%s", vec![0], false, 1),
            ("100%", vec![], false, 0),
        ] {
            let texts = texts_of(format.as_bytes());
            assert_eq!((texts.whole, texts.cut, texts.count), (whole, cut, count), "{format}");
        }
    }

    #[test]
    fn what_is_written_has_a_length() {
        let written = texts_of(b"%d%n%hn%hhn%ln%lln%zn%jn").written;
        let lengths: Vec<Length> = written.iter().map(|(_, length)| *length).collect();
        let bytes = |number| Length::Bytes(number);
        let expected =
            [bytes(4), bytes(2), bytes(1), Length::Pointer, bytes(8), Length::Pointer, bytes(8)];
        assert_eq!(lengths, expected);
        assert!(written.iter().map(|(at, _)| *at).eq(1..8));
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
