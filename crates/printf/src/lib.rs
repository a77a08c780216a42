//! Formats of `printf`, as far as analyses look into them: whether one only prints, or has a
//! conversion that stores (`%n`). Everybody who may drop output asks here.

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

#[cfg(test)]
mod tests {
    use super::stores;

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
