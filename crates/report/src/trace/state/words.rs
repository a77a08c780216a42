//! Values in words, as their types say.

use cfa::{ObjectKind, Reading};
use interp::show;
use term::{Float, Format, Value, Var};

use super::super::place::{NamedPlace, What};
use super::{MOST, State, address};
use crate::types::Type;

/// Parts of a structure or an array that are shown at most.
pub(super) const PARTS: usize = 6;

/// The longest text of a string literal that is shown.
const STRING: usize = 24;

impl State<'_> {
    /// The value that a place holds, in words.
    pub(crate) fn text(&self, place: &NamedPlace) -> Option<String> {
        match (&place.what, &place.ty) {
            (What::Variable(var), _) => Some(self.show_variable(*var, self.held(*var)?)),
            (What::Memory { address, bits: None }, Some(ty)) if ty.is_aggregate() => {
                self.aggregate(*address, ty)
            }
            (What::Memory { .. }, Some(_)) => {
                let value = self.value(place)?;
                Some(self.show(&value, place.ty.as_ref(), Reading::Signed))
            }
            _ => None,
        }
    }

    /// `{x = 1, y = 2}`, if all that is shown of it is known; of many parts the first ones.
    fn aggregate(&self, address: u64, ty: &Type) -> Option<String> {
        let mut parts = 0;
        self.aggregate_within(address, ty, &mut parts)
    }

    fn part_text(
        &self,
        at: u64,
        ty: &Type,
        bits: Option<(u32, u32)>,
        parts: &mut usize,
    ) -> Option<String> {
        if ty.is_aggregate() {
            return self.aggregate_within(at, ty, parts);
        }
        *parts += 1;
        let what = What::Memory { address: at, bits };
        self.text(&NamedPlace { text: String::new(), ty: Some(ty.clone()), what })
    }

    fn aggregate_within(&self, address: u64, ty: &Type, parts: &mut usize) -> Option<String> {
        let mut texts = Vec::new();
        match ty {
            Type::Array(element, count) => {
                let (count, size) = ((*count)?, self.types.size(element)?);
                if **element == Type::Character
                    && let Some(text) = self.characters(address, count)
                {
                    *parts += 1;
                    return Some(text);
                }
                for index in 0..count {
                    if *parts >= PARTS {
                        texts.push("…".to_owned());
                        break;
                    }
                    let at = address.wrapping_add(index * size);
                    texts.push(self.part_text(at, element, None, parts)?);
                }
            }
            Type::Record(record) => {
                for member in self.types.members(*record)? {
                    if *parts >= PARTS {
                        texts.push("…".to_owned());
                        break;
                    }
                    let at = address.wrapping_add(member.offset);
                    let text = self.part_text(at, &member.ty, member.bits, parts)?;
                    texts.push(match &member.name {
                        Some(name) => format!("{name} = {text}"),
                        None => text,
                    });
                }
            }
            _ => return None,
        }
        Some(format!("{{{}}}", texts.join(", ")))
    }

    /// The value of a variable in words.
    pub(crate) fn show_variable(&self, var: Var, value: &Value) -> String {
        let reading = self.program.cfa.variables[var].reading;
        self.show(value, self.ty(var).as_ref(), reading)
    }

    /// A value in words; where its type is not known, as the reading says.
    pub(crate) fn show(&self, value: &Value, ty: Option<&Type>, reading: Reading) -> String {
        match (ty, value) {
            (Some(Type::Pointer(target)), Value::Bv(_)) => self.pointer(value, Some(target)),
            (Some(Type::Enumeration(enumeration)), Value::Bv(bits)) => {
                let signed = self.program.cfa.c_types.enumerations[*enumeration].signed;
                let (number, reading) = match signed {
                    true => (bits.to_i128(), Reading::Signed),
                    false => (bits.to_u128().and_then(|bits| bits.try_into().ok()), Reading::Plain),
                };
                let name = number.and_then(|number| self.types.named(*enumeration, number));
                name.map_or_else(|| show(value, reading), str::to_owned)
            }
            (Some(Type::Character), Value::Bv(bits)) => {
                let text = show(value, Reading::Signed);
                match bits.to_i128().and_then(character) {
                    Some(character) => format!("{text} ({character})"),
                    None => text,
                }
            }
            (Some(Type::Integer { signed: false, .. } | Type::Truth), Value::Bv(_)) => {
                show(value, Reading::Plain)
            }
            (Some(Type::Integer { .. }), Value::Bv(_)) => show(value, Reading::Signed),
            // Blocks of bytes are copied in machine words, so a float may come as a bit-vector.
            (Some(Type::Float(width @ (32 | 64))), Value::Bv(bits)) if bits.width() == *width => {
                let format = if *width == 32 { Format::Single } else { Format::Double };
                let float = Float::from_bits(format, bits.to_u128().unwrap_or_default());
                number(float)
            }
            (_, Value::Float(float)) => number(*float),
            _ if reading == Reading::Address => self.pointer(value, None),
            _ => show(value, reading),
        }
    }

    /// How a value of unknown type is read: a number that is the address of an object is hardly anything else.
    pub(crate) fn guess(&self, value: &Value) -> Reading {
        let is_wide =
            matches!(value, Value::Bv(bits) if bits.width() == self.program.cfa.address_width);
        let starts = |at: u64| self.regions.iter().any(|region| region.start == at);
        match address(value).filter(|_| is_wide) {
            Some(at) if starts(at) => Reading::Address,
            _ => Reading::Signed,
        }
    }

    fn pointer(&self, value: &Value, target: Option<&Type>) -> String {
        let Some(at) = address(value) else { return show(value, Reading::Address) };
        if at == 0 {
            return "NULL".to_owned();
        }
        self.string(at)
            .or_else(|| self.address_name(at, target))
            .unwrap_or_else(|| show(value, Reading::Address))
    }

    /// A string literal that starts at an address.
    pub(super) fn string(&self, at: u64) -> Option<String> {
        let region = self.regions.iter().find(|region| region.start == at)?;
        let object = &self.program.cfa.objects[region.object?];
        if object.kind != ObjectKind::ReadOnly || object.span.is_some() {
            return None;
        }
        let mut bytes = Vec::new();
        // A character has at most four bytes, and one more character is read than is shown.
        for offset in 0..4 * (STRING as u64 + 1) {
            match self.byte(at.wrapping_add(offset))? {
                0 => break,
                byte => bytes.push(byte),
            }
        }
        Some(quoted(&bytes))
    }

    /// An array that holds text. The part behind the first NUL is shown unless it is all zeros, and a mark is shown
    /// if the array has no NUL.
    pub(super) fn characters(&self, at: u64, count: u64) -> Option<String> {
        let bytes: Vec<u8> =
            (0..count.min(MOST)).map_while(|offset| self.byte(at.wrapping_add(offset))).collect();
        let is_all = bytes.len() as u64 == count;
        let end = bytes.iter().position(|byte| *byte == 0);
        let first = str::from_utf8(&bytes[..end.unwrap_or(bytes.len())]).ok()?;
        if !is_text(first) || (end.is_none() && !is_all) {
            return None;
        }
        let shown = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        let text = quoted(&bytes[..shown]);
        Some(if end.is_none() { format!("{text} without a NUL") } else { text })
    }
}

/// A floating-point number. That of a `float` is marked where the digits stand for another number as a `double`, as in
/// `0.1f == 0.1`, which does not hold.
fn number(float: Float) -> String {
    let text = show(&Value::Float(float), Reading::Plain);
    let single = u32::try_from(float.bits()).ok().filter(|_| float.format() == Format::Single);
    let is_other = single
        .map(f32::from_bits)
        .filter(|single| single.is_finite())
        .is_some_and(|single| text.parse::<f64>().is_ok_and(|double| double != f64::from(single)));
    if is_other { format!("{text}f") } else { text }
}

/// Bytes as a string of C; of many characters only the first ones. Characters in UTF-8 are shown as they are;
/// characters that could not be seen, or would change how the text around them looks, are shown as bytes.
pub(super) fn quoted(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    let mut rest = bytes;
    let mut count = 0;
    while let Some((byte, others)) = rest.split_first() {
        if count == STRING {
            text.push('…');
            break;
        }
        count += 1;
        // No character has more than four bytes.
        let near = &rest[..rest.len().min(4)];
        let first = near.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next());
        if let Some(letter) = first.filter(|letter| is_letter(*letter)) {
            match letter {
                '"' | '\\' | '\n' | '\t' | '\r' => text.extend(letter.escape_default()),
                _ => text.push(letter),
            }
            rest = &rest[letter.len_utf8()..];
            continue;
        }
        let is_digit = others.first().is_some_and(|next| matches!(next, b'0'..=b'7'));
        match byte {
            0 if !is_digit => text.push_str("\\0"),
            _ => text.push_str(&format!("\\{byte:03o}")),
        }
        rest = others;
    }
    text.push('"');
    text
}

/// Whether the characters of an array are shown as a text and not as numbers. Characters that cannot be seen are part of a
/// text if they are none of ASCII, or if C has a short name for them, or if they begin commands to a terminal. At least as
/// many characters must be seen: an array of small numbers looks like control characters alone.
fn is_text(characters: &str) -> bool {
    let may_hide =
        |c: char| !c.is_ascii() || matches!(c, '\u{7}' | '\u{8}' | '\u{b}' | '\u{c}' | '\u{1b}');
    let (mut seen, mut hidden) = (0, 0);
    for c in characters.chars() {
        match is_letter(c) {
            true => seen += usize::from(!c.is_control()),
            false if may_hide(c) => hidden += 1,
            false => return false,
        }
    }
    hidden <= seen
}

/// Whether a character can be shown in a text: it has a visible shape, or C has a short name for it.
fn is_letter(c: char) -> bool {
    // Rust escapes control characters, marks of direction, and characters without a shape of their own.
    matches!(c, ' '..='~' | '\n' | '\t' | '\r') || !c.is_ascii() && c.escape_debug().len() == 1
}

/// A character as C writes it.
pub(crate) fn character(code: i128) -> Option<String> {
    let c = char::from(u8::try_from(code).ok()?);
    Some(match c {
        '\n' => "'\\n'".to_owned(),
        '\t' => "'\\t'".to_owned(),
        '\r' => "'\\r'".to_owned(),
        '\'' | '\\' => format!("'\\{c}'"),
        ' '..='~' => format!("'{c}'"),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{is_text, quoted};

    #[test]
    fn control_characters_that_c_can_name_are_text_beside_letters() {
        for text in
            ["hello\u{1b}[31m", "\u{1b}/", "\u{7}done", "a\u{b}b\u{c}", "\t\r\n", "", "a\u{202e}b"]
        {
            assert!(is_text(text), "{text:?}");
        }
        for numbers in ["\u{1}\u{2}\u{3}", "\u{7}\u{8}\t\n", "ab\u{1}", "\u{1b}", "\u{7f}abc"] {
            assert!(!is_text(numbers), "{numbers:?}");
        }
    }

    #[test]
    fn texts_are_shown_as_they_are_read() {
        for (bytes, text) in [
            ("Gr\u{fc}\u{df}e \u{1f600}", "\"Gr\u{fc}\u{df}e \u{1f600}\""),
            ("it's \"\\\n", r#""it's \"\\\n""#),
            // What would erase, turn around or hide text is told by its bytes.
            ("\x1b[2J\u{9b}x", r#""\033[2J\302\233x""#),
            (
                "a\u{202e}b\u{2028}\u{200b}\u{feff}",
                r#""a\342\200\256b\342\200\250\342\200\213\357\273\277""#,
            ),
            ("\0x\x007", r#""\0x\0007""#),
            (
                "\u{fc}\u{fc}\u{fc}\u{fc}\u{fc}\u{fc}\u{fc}\u{fc}123456789012345678",
                "\"üüüüüüüü1234567890123456…\"",
            ),
        ] {
            assert_eq!(quoted(bytes.as_bytes()), text, "{bytes:?}");
        }
        // Bytes of another encoding, and a character that is cut off.
        assert_eq!(quoted(b"Gr\xfc\xdfe \xe2\x82"), r#""Gr\374\337e \342\202""#);
    }
}
