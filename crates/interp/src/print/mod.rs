//! What `printf`, `puts`, `fputs`, `putchar` and `fwrite` write, byte for byte as glibc does in the C locale.

mod float;

use term::{Bv, Value};

use float::{Magnitude, Parts};

/// The longest field and the greatest precision that are written out.
const LONGEST: usize = 1 << 20;

/// What printing needs from the machine.
pub(crate) trait Host {
    /// Why the execution ends here.
    type Stop;
    /// The bytes from an address up to a zero or up to a number of bytes.
    fn string(&mut self, address: &Value, limit: Option<usize>) -> Result<Vec<u8>, Self::Stop>;
    /// A number of bytes from an address on.
    fn bytes(&mut self, address: &Value, length: usize) -> Result<Vec<u8>, Self::Stop>;
    /// Writes a number to memory, for `%n`.
    fn store(&mut self, address: &Value, number: Bv) -> Result<(), Self::Stop>;
    /// Width of an address, which is that of `long` too.
    fn address_width(&self) -> u32;
    /// Ends the execution: this is something that printing does not know.
    fn unsupported(&self, reason: String) -> Self::Stop;
}

/// The bytes that a call writes. The first argument of `printf` is the address of its format.
pub(crate) fn output<H: Host>(
    host: &mut H,
    function: &str,
    arguments: &[Value],
    out: &mut Vec<u8>,
) -> Result<(), H::Stop> {
    match (function, arguments) {
        ("printf", [format, rest @ ..]) => {
            let format = host.string(format, None)?;
            Printer { host, out, arguments: rest.iter() }.run(&format)
        }
        ("puts", [text]) => {
            out.extend(host.string(text, None)?);
            out.push(b'\n');
            Ok(())
        }
        ("fputs", [text]) => {
            out.extend(host.string(text, None)?);
            Ok(())
        }
        ("fwrite", [from, Value::Bv(size), Value::Bv(count)]) => {
            let length = low_bits(size).saturating_mul(low_bits(count));
            match usize::try_from(length) {
                Ok(length) if length <= LONGEST => out.extend(host.bytes(from, length)?),
                _ => return Err(host.unsupported("output of more than a mebibyte".to_owned())),
            }
            Ok(())
        }
        ("putchar", [Value::Bv(byte)]) => {
            // The cast is what C does: the character is converted to `unsigned char`.
            out.push(low_bits(byte) as u8);
            Ok(())
        }
        _ => Err(host.unsupported(format!("output by {function}"))),
    }
}

/// The low 128 bits of a vector.
fn low_bits(bits: &Bv) -> u128 {
    bits.to_u128().unwrap_or_else(|| bits.extract(127, 0).to_u128().unwrap_or(0))
}

struct Printer<'h, 'a, H> {
    host: &'h mut H,
    out: &'h mut Vec<u8>,
    arguments: std::slice::Iter<'a, Value>,
}

/// What stands between `%` and the conversion.
#[derive(Default)]
struct Spec {
    left: bool,
    plus: bool,
    blank: bool,
    alternative: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    length: Length,
}

/// How long an integer argument is.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum Length {
    /// `hh`
    Char,
    /// `h`
    Short,
    #[default]
    Int,
    /// `l`, `z`, `t`: as wide as an address.
    Long,
    /// `ll`, `j`, `q`
    LongLong,
    /// `L`, for floats; what the argument is says the rest.
    LongDouble,
}

impl<'a, H: Host> Printer<'_, 'a, H> {
    fn run(&mut self, format: &[u8]) -> Result<(), H::Stop> {
        let mut rest = format;
        while let Some(at) = rest.iter().position(|byte| *byte == b'%') {
            self.out.extend_from_slice(&rest[..at]);
            rest = self.directive(&rest[at..])?;
        }
        self.out.extend_from_slice(rest);
        Ok(())
    }

    /// Writes one directive, which starts with `%`, and gives what follows it.
    fn directive<'f>(&mut self, text: &'f [u8]) -> Result<&'f [u8], H::Stop> {
        let mut cursor = Cursor { rest: &text[1..] };
        let mut spec = Spec::default();
        loop {
            match cursor.peek() {
                b'-' => spec.left = true,
                b'+' => spec.plus = true,
                b' ' => spec.blank = true,
                b'#' => spec.alternative = true,
                b'0' => spec.zero = true,
                // The flags `'` and `I` depend on the locale, and do nothing in the C locale.
                b'\'' | b'I' => {}
                _ => break,
            }
            cursor.next();
        }
        if let Some(width) = self.number(&mut cursor)? {
            spec.left |= width < 0;
            spec.width = self.bounded(width.unsigned_abs())?;
        }
        if cursor.peek() == b'$' {
            return Err(self.unknown(text, &cursor));
        }
        if cursor.take(b'.') {
            // A negative precision counts as none.
            let precision = self.number(&mut cursor)?.unwrap_or(0);
            spec.precision = match u64::try_from(precision) {
                Ok(precision) => Some(self.bounded(precision)?),
                Err(_) => None,
            };
        }
        spec.length = cursor.length();
        let conversion = cursor.next();
        let known = self.convert(&spec, conversion)?;
        if known { Ok(cursor.rest) } else { Err(self.unknown(text, &cursor)) }
    }

    /// `false` if the conversion is not known.
    fn convert(&mut self, spec: &Spec, conversion: u8) -> Result<bool, H::Stop> {
        match conversion {
            b'%' => self.out.push(b'%'),
            b'd' | b'i' => {
                let number = self.signed(spec.length)?;
                let sign = sign(spec, number < 0);
                self.integer(spec, sign, number.unsigned_abs().to_string());
            }
            b'u' => {
                let number = self.unsigned(spec.length)?;
                self.integer(spec, "", number.to_string());
            }
            b'o' => {
                let number = self.unsigned(spec.length)?;
                let mut digits = with_precision(spec, format!("{number:o}"));
                if spec.alternative && !digits.starts_with('0') {
                    digits.insert(0, '0');
                }
                self.field(spec, "", digits.as_bytes(), spec.zero && spec.precision.is_none());
            }
            b'x' | b'X' => {
                let number = self.unsigned(spec.length)?;
                let upper = conversion == b'X';
                let digits = if upper { format!("{number:X}") } else { format!("{number:x}") };
                let prefix = match (spec.alternative && number != 0, upper) {
                    (false, _) => "",
                    (true, false) => "0x",
                    (true, true) => "0X",
                };
                self.integer(spec, prefix, digits);
            }
            b'c' if spec.length == Length::Long => {
                let character = self.unsigned(Length::Int)?;
                if character >= 128 {
                    return Err(self.host.unsupported("printf of a wide character".to_owned()));
                }
                self.field(spec, "", &[character as u8], false);
            }
            b'c' => {
                let character = self.unsigned(Length::Char)?;
                self.field(spec, "", &[character as u8], false);
            }
            b's' if spec.length == Length::Long => return Ok(false),
            b's' => {
                let address = self.argument()?;
                let text = self.host.string(address, spec.precision)?;
                self.field(spec, "", &text, false);
            }
            b'p' => self.pointer(spec)?,
            b'n' => {
                let (count, width) = (self.out.len() as u128, self.width(spec.length));
                let address = self.argument()?;
                self.host.store(address, Bv::new(width, count))?;
            }
            // The error number is not modelled; this is what there is before any error.
            b'm' => self.field(spec, "", b"Success", false),
            b'e' | b'f' | b'g' | b'a' => self.float(spec, conversion, false)?,
            b'E' | b'F' | b'G' | b'A' => self.float(spec, conversion.to_ascii_lowercase(), true)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn pointer(&mut self, spec: &Spec) -> Result<(), H::Stop> {
        let address = self.unsigned(Length::Long)?;
        if address == 0 {
            self.field(spec, "", b"(nil)", false);
        } else {
            let prefix = format!("{}0x", sign(spec, false));
            self.integer(spec, &prefix, format!("{address:x}"));
        }
        Ok(())
    }

    fn float(&mut self, spec: &Spec, conversion: u8, upper: bool) -> Result<(), H::Stop> {
        let argument = self.argument()?;
        let Value::Float(float) = argument else {
            let reason =
                "printf with an argument that is not a floating-point number where one is due";
            return Err(self.host.unsupported(reason.to_owned()));
        };
        let parts = Parts::of(*float);
        let (point, precision) = (spec.alternative, spec.precision.unwrap_or(6));
        let mut text = match parts.magnitude {
            Magnitude::Nan => "nan".to_owned(),
            Magnitude::Infinite => "inf".to_owned(),
            Magnitude::Finite(number) => match conversion {
                b'f' => number.fixed(precision, point),
                b'e' => number.scientific(precision, point),
                b'g' => number.general(precision, point),
                _ => number.hexadecimal(spec.precision, point),
            },
        };
        if upper {
            text.make_ascii_uppercase();
        }
        let zero = spec.zero && matches!(parts.magnitude, Magnitude::Finite(_));
        let sign = sign(spec, parts.negative);
        // Zeros go between the prefix of a hexadecimal number and its digits.
        if conversion == b'a' && zero {
            let (prefix, digits) = text.split_at(2);
            self.field(spec, &format!("{sign}{prefix}"), digits.as_bytes(), true);
        } else {
            self.field(spec, sign, text.as_bytes(), zero);
        }
        Ok(())
    }

    /// With a precision the flag `0` means nothing.
    fn integer(&mut self, spec: &Spec, prefix: &str, digits: String) {
        let digits = with_precision(spec, digits);
        self.field(spec, prefix, digits.as_bytes(), spec.zero && spec.precision.is_none());
    }

    /// Prefix and body, filled to the width.
    fn field(&mut self, spec: &Spec, prefix: &str, body: &[u8], zeros: bool) {
        let missing = spec.width.saturating_sub(prefix.len() + body.len());
        let mut fill = |byte: u8, count: usize| self.out.resize(self.out.len() + count, byte);
        if !spec.left && !zeros {
            fill(b' ', missing);
        }
        self.out.extend_from_slice(prefix.as_bytes());
        if !spec.left && zeros {
            self.out.resize(self.out.len() + missing, b'0');
        }
        self.out.extend_from_slice(body);
        if spec.left {
            self.out.resize(self.out.len() + missing, b' ');
        }
    }

    /// A number or, for `*`, the next argument.
    fn number(&mut self, cursor: &mut Cursor<'_>) -> Result<Option<i64>, H::Stop> {
        if cursor.take(b'*') {
            // The cast is exact: an `int` has at most 64 bits.
            return Ok(Some(self.signed(Length::Int)? as i64));
        }
        let mut number = None;
        while let digit @ b'0'..=b'9' = cursor.peek() {
            let so_far: i64 = number.unwrap_or(0);
            number = Some(so_far.saturating_mul(10).saturating_add(i64::from(digit - b'0')));
            cursor.next();
        }
        Ok(number)
    }

    fn bounded(&self, number: u64) -> Result<usize, H::Stop> {
        match usize::try_from(number) {
            Ok(number) if number <= LONGEST => Ok(number),
            _ => Err(self
                .host
                .unsupported(format!("printf with a width or precision above {LONGEST}"))),
        }
    }

    fn width(&self, length: Length) -> u32 {
        match length {
            Length::Char => 8,
            Length::Short => 16,
            Length::Int => 32,
            Length::Long => self.host.address_width().max(32),
            Length::LongLong | Length::LongDouble => 64,
        }
    }

    fn argument(&mut self) -> Result<&'a Value, H::Stop> {
        match self.arguments.next() {
            Some(argument) => Ok(argument),
            None => Err(self
                .host
                .unsupported("printf with fewer arguments than its format uses".to_owned())),
        }
    }

    fn integer_argument(&mut self, length: Length) -> Result<Bv, H::Stop> {
        let width = self.width(length);
        match self.argument()? {
            Value::Bv(bits) if bits.width() > width => Ok(bits.extract(width - 1, 0)),
            Value::Bv(bits) => Ok(bits.clone()),
            _ => {
                let reason = "printf with an argument that is not an integer where one is due";
                Err(self.host.unsupported(reason.to_owned()))
            }
        }
    }

    fn signed(&mut self, length: Length) -> Result<i128, H::Stop> {
        Ok(self.integer_argument(length)?.to_i128().unwrap_or(0))
    }

    fn unsigned(&mut self, length: Length) -> Result<u128, H::Stop> {
        Ok(low_bits(&self.integer_argument(length)?))
    }

    fn unknown(&self, text: &[u8], cursor: &Cursor<'_>) -> H::Stop {
        let shown = String::from_utf8_lossy(&text[..text.len() - cursor.rest.len()]);
        self.host.unsupported(format!("printf with {shown:?}"))
    }
}

/// At least as many digits as the precision says; none at all for a zero of precision zero.
fn with_precision(spec: &Spec, mut digits: String) -> String {
    if let Some(precision) = spec.precision {
        if precision == 0 && digits == "0" {
            digits.clear();
        }
        if digits.len() < precision {
            digits.insert_str(0, &"0".repeat(precision - digits.len()));
        }
    }
    digits
}

fn sign(spec: &Spec, negative: bool) -> &'static str {
    match (negative, spec.plus, spec.blank) {
        (true, _, _) => "-",
        (false, true, _) => "+",
        (false, false, true) => " ",
        (false, false, false) => "",
    }
}

struct Cursor<'a> {
    rest: &'a [u8],
}

impl Cursor<'_> {
    /// The next byte, or zero at the end; no format contains a zero.
    fn peek(&self) -> u8 {
        self.rest.first().copied().unwrap_or(0)
    }

    fn next(&mut self) -> u8 {
        let byte = self.peek();
        self.rest = self.rest.get(1..).unwrap_or(&[]);
        byte
    }

    fn take(&mut self, byte: u8) -> bool {
        let here = self.peek() == byte;
        if here {
            self.next();
        }
        here
    }

    fn length(&mut self) -> Length {
        let length = match self.peek() {
            b'h' if self.rest.get(1) == Some(&b'h') => Length::Char,
            b'h' => Length::Short,
            b'l' if self.rest.get(1) == Some(&b'l') => Length::LongLong,
            b'l' | b'z' | b't' => Length::Long,
            b'j' | b'q' => Length::LongLong,
            b'L' => Length::LongDouble,
            _ => return Length::Int,
        };
        let double = matches!(self.rest, [b'h', b'h', ..] | [b'l', b'l', ..]);
        self.rest = &self.rest[if double { 2 } else { 1 }..];
        length
    }
}
