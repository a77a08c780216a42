//! Formats of `scanf`: what each conversion stores.

/// A conversion that stores something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Conversion {
    /// The conversion as it is written.
    pub text: String,
    pub stores: Stores,
}

/// What a conversion stores.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Stores {
    Integer(Length),
    Float(Length),
    /// At most `most` bytes out of a set. `ends` says whether a zero byte is stored behind them.
    Bytes {
        set: [u64; 4],
        most: Option<u64>,
        ends: bool,
    },
}

/// The type of what is stored, by the letters before the conversion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Length {
    /// `hh`
    Char,
    /// `h`
    Short,
    /// No letter.
    Plain,
    /// `l`, and `z`, `t` and `j` where they have the size of `long`.
    Long,
    /// `ll`, `q`, `L`, and `j`.
    LongLong,
    /// `z` and `t`.
    Size,
}

/// The bytes that `%s` reads: all but white space.
const NO_SPACE: [u64; 4] = [!(0x1f << 9 | 1 << 32), !0, !0, !0];

/// The conversions of a format that store, in order; none if one of them is not understood.
pub(super) fn conversions(format: &[u8]) -> Option<Vec<Conversion>> {
    let format = format.split(|byte| *byte == 0).next().unwrap_or_default();
    let mut found = Vec::new();
    let mut at = 0;
    while at < format.len() {
        if format[at] != b'%' {
            at += 1;
            continue;
        }
        if format.get(at + 1) == Some(&b'%') {
            at += 2;
            continue;
        }
        let mut reader = Reader { format, at: at + 1 };
        let stored = reader.conversion()?;
        let text = String::from_utf8_lossy(&format[at..reader.at]).into_owned();
        found.extend(stored.map(|stores| Conversion { text, stores }));
        at = reader.at;
    }
    Some(found)
}

/// A directive of a format of `sscanf`. The call carries out its directives one after another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Directive {
    /// White space is skipped.
    Space,
    /// This byte must be there.
    Byte(u8),
    /// An integer of at most `most` characters. `base` is zero if the text of the number tells its base. `length` is
    /// the type in which the integer is stored; without `stores` the integer is dropped.
    Number { base: u32, signed: bool, most: Option<u64>, length: Length, stores: bool },
    /// Bytes out of a set, perhaps behind white space.
    Bytes { set: [u64; 4], most: Option<u64>, skips: bool, ends: bool, stores: bool },
    /// The number of bytes that were read so far is stored.
    Position(Length),
}

/// The directives of a format; `None` if a directive is not understood, such as a conversion to a float.
pub(super) fn directives(format: &[u8]) -> Option<Vec<Directive>> {
    let format = format.split(|byte| *byte == 0).next().unwrap_or_default();
    let mut found = Vec::new();
    let mut reader = Reader { format, at: 0 };
    while let Some(byte) = reader.peek() {
        reader.at += 1;
        match byte {
            b' ' | b'\t'..=b'\r' => found.push(Directive::Space),
            b'%' if reader.takes(b'%') => found.extend([Directive::Space, Directive::Byte(b'%')]),
            b'%' => found.push(reader.directive()?),
            other => found.push(Directive::Byte(other)),
        }
    }
    Some(found)
}

struct Reader<'f> {
    format: &'f [u8],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.format.get(self.at).copied()
    }

    fn takes(&mut self, byte: u8) -> bool {
        let is_there = self.peek() == Some(byte);
        self.at += usize::from(is_there);
        is_there
    }

    /// What the conversion behind a `%` stores; the inner `None` if a `*` says that nothing is stored.
    #[expect(clippy::option_option, reason = "not understood, stores nothing, stores something")]
    fn conversion(&mut self) -> Option<Option<Stores>> {
        let is_dropped = self.takes(b'*');
        let width = self.width()?;
        let length = self.length();
        let letter = self.peek()?;
        self.at += 1;
        let stores = match (letter, length) {
            // It is not modelled which numbers fit into a given width.
            (b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'f' | b'e' | b'g' | b'a', _)
            | (b'E' | b'G' | b'F' | b'A', _)
                if width.is_some() && !is_dropped =>
            {
                return None;
            }
            (b'd' | b'i' | b'u' | b'x' | b'X' | b'o', length) => Stores::Integer(length),
            (
                b'f' | b'e' | b'g' | b'a' | b'E' | b'G' | b'F' | b'A',
                Length::Plain | Length::Long | Length::LongLong,
            ) => Stores::Float(length),
            (b'c', Length::Plain) => {
                Stores::Bytes { set: [!0; 4], most: Some(width.unwrap_or(1)), ends: false }
            }
            (b's', Length::Plain) => Stores::Bytes { set: NO_SPACE, most: width, ends: true },
            (b'[', Length::Plain) => {
                let set = self.set()?;
                Stores::Bytes { set, most: width, ends: true }
            }
            // The rest is not understood: `%n`, `%p`, wide characters, strings that scanf allocates.
            _ => return None,
        };
        Some((!is_dropped).then_some(stores))
    }

    /// The conversion behind a `%` as a directive.
    fn directive(&mut self) -> Option<Directive> {
        let stores = !self.takes(b'*');
        let most = self.width()?;
        let length = self.length();
        let letter = self.peek()?;
        self.at += 1;
        let number =
            |base: u32, signed: bool| Directive::Number { base, signed, most, length, stores };
        Some(match (letter, length) {
            (b'd', _) => number(10, true),
            (b'i', _) => number(0, true),
            (b'u', _) => number(10, false),
            (b'x' | b'X', _) => number(16, false),
            (b'o', _) => number(8, false),
            (b'c', Length::Plain) => {
                let most = Some(most.unwrap_or(1));
                Directive::Bytes { set: [!0; 4], most, skips: false, ends: false, stores }
            }
            (b's', Length::Plain) => {
                Directive::Bytes { set: NO_SPACE, most, skips: true, ends: true, stores }
            }
            (b'[', Length::Plain) => {
                let set = self.set()?;
                Directive::Bytes { set, most, skips: false, ends: true, stores }
            }
            (b'n', _) if stores && most.is_none() => Directive::Position(length),
            _ => return None,
        })
    }

    /// A width that is not zero, if there is one. A number before a `$` is not understood.
    #[expect(clippy::option_option, reason = "not understood, none, a width")]
    fn width(&mut self) -> Option<Option<u64>> {
        let mut width: Option<u64> = None;
        while let Some(digit) = self.peek().filter(u8::is_ascii_digit) {
            let digit = u64::from(digit - b'0');
            width = Some(width.unwrap_or(0).checked_mul(10)?.checked_add(digit)?);
            self.at += 1;
        }
        (width != Some(0)).then_some(width)
    }

    fn length(&mut self) -> Length {
        match self.peek() {
            Some(b'h') => {
                self.at += 1;
                if self.takes(b'h') { Length::Char } else { Length::Short }
            }
            Some(b'l') => {
                self.at += 1;
                if self.takes(b'l') { Length::LongLong } else { Length::Long }
            }
            Some(b'q' | b'L' | b'j') => {
                self.at += 1;
                Length::LongLong
            }
            Some(b'z' | b't') => {
                self.at += 1;
                Length::Size
            }
            _ => Length::Plain,
        }
    }

    /// The set behind a `[`. A `-` between two bytes stands for all bytes between these two.
    fn set(&mut self) -> Option<[u64; 4]> {
        let is_complement = self.takes(b'^');
        let mut bytes = Vec::new();
        // A bracket that comes first belongs to the set.
        while bytes.is_empty() || self.peek()? != b']' {
            bytes.push(self.peek()?);
            self.at += 1;
        }
        self.at += 1;
        let mut set = [0_u64; 4];
        let mut at = 0;
        while at < bytes.len() {
            let (low, high) = match bytes[at..] {
                [low, b'-', high, ..] => {
                    at += 3;
                    (low, high)
                }
                [only, ..] => {
                    at += 1;
                    (only, only)
                }
                [] => break,
            };
            // C leaves open what a range with its ends the wrong way round means.
            if low > high {
                return None;
            }
            for byte in low..=high {
                set[usize::from(byte >> 6)] |= 1 << (byte & 63);
            }
        }
        Some(if is_complement { set.map(|word| !word) } else { set })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(format: &str) -> Option<Vec<Stores>> {
        let found = conversions(format.as_bytes())?;
        Some(found.into_iter().map(|conversion| conversion.stores).collect())
    }

    #[test]
    fn conversions_store_what_their_letters_say() {
        assert_eq!(stored("%d, %ld%%"), {
            Some(vec![Stores::Integer(Length::Plain), Stores::Integer(Length::Long)])
        });
        assert_eq!(stored(" %hhu%lf "), {
            Some(vec![Stores::Integer(Length::Char), Stores::Float(Length::Long)])
        });
        assert_eq!(stored("%*3d%i"), Some(vec![Stores::Integer(Length::Plain)]));
        assert_eq!(stored("nothing"), Some(Vec::new()));
        let found = conversions(b"a%5[a-c]b\0%n").expect("understood");
        assert_eq!(found[0].text, "%5[a-c]");
        let set = [0, 0b111 << 33, 0, 0];
        assert_eq!(found[0].stores, Stores::Bytes { set, most: Some(5), ends: true });
    }

    #[test]
    fn sets_are_read_as_libraries_read_them() {
        let of = |format: &str| match stored(format).expect("understood").remove(0) {
            Stores::Bytes { set, .. } => (0..=255_u8)
                .filter(|byte| set[usize::from(byte >> 6)] >> (byte & 63) & 1 == 1)
                .collect(),
            _ => Vec::new(),
        };
        assert_eq!(of("%[]x]"), b"]x");
        assert_eq!(of("%[a-]"), b"-a");
        assert_eq!(of("%[0-9]"), b"0123456789");
        assert_eq!(of("%[^\n]").len(), 255);
        assert!(!of("%[^]]").contains(&b']'));
        assert!(!of("%s").contains(&b'\t'));
        assert!(!of("%s").contains(&b' '));
        assert_eq!(of("%s").len(), 256 - 6);
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for format in
            ["%3d", "%n", "%p", "%1$d", "%ls", "%ms", "%0d", "%", "%[a", "%[z-a]", "%hf", "%y"]
        {
            assert_eq!(stored(format), None, "{format}");
        }
    }
}
