//! What `printf` writes, compared with the C library of this machine.

// A skipped comparison says so.
#![allow(clippy::print_stderr, missing_docs)]

mod common;

use base::Random;
use std::fmt::Write as _;
use std::process::Command;

use cfa::Op;
use common::Model;
use proviso_interp::{Ending, Invalid};
use term::{Bv, Float, Format, TermId, Value};

/// A call of `printf`: the format, and an argument as C text and as a value.
struct Case {
    format: String,
    arguments: Vec<(String, Value)>,
}

struct Numbers(Random);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0.next()
    }

    fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        self.0.pick(from)
    }

    fn flags(&mut self, from: &str) -> String {
        from.chars().filter(|_| self.next().is_multiple_of(4)).collect()
    }

    fn width(&mut self) -> String {
        if self.next().is_multiple_of(2) { String::new() } else { (self.next() % 30).to_string() }
    }

    fn precision(&mut self, greatest: u64) -> String {
        match self.next() % 4 {
            0 | 1 => String::new(),
            2 => format!(".{}", self.next() % 8),
            _ => format!(".{}", self.next() % greatest),
        }
    }
}

fn double(value: f64) -> (String, Value) {
    (format!("D({:#x}ULL)", value.to_bits()), Value::Float(Float::from_f64(value)))
}

fn long_double(bits: u128) -> Option<(String, Value)> {
    let float = Float::from_bits(Format::X87, bits);
    let bits = float.bits();
    let text = format!("L({:#x}ULL, {:#x})", bits as u64, (bits >> 64) as u16);
    (!float.is_nan()).then_some((text, Value::Float(float)))
}

fn cases() -> Vec<Case> {
    let mut numbers = Numbers(Random::new(1));
    let mut cases = Vec::new();
    let special = [
        0.0,
        -0.0,
        1.0,
        0.5,
        1.5,
        2.5,
        9.5,
        0.1,
        99999.5,
        999_999.5,
        123_456.789,
        1e15,
        1e16,
        1e17,
        1e22,
    ];
    let extreme = [
        1e100,
        f64::MAX,
        f64::MIN_POSITIVE,
        5e-324,
        f64::INFINITY,
        -f64::INFINITY,
        1e-5,
        0.000_123_456,
    ];
    let mut doubles: Vec<f64> = special.into_iter().chain(extreme).collect();
    for _ in 0..400 {
        doubles.push(f64::from_bits(numbers.next()));
        doubles.push((numbers.next() as i64 >> 40) as f64 / 8.0);
        doubles.push((numbers.next() >> 54) as f64 / 1000.0);
    }
    for value in doubles {
        if value.is_nan() {
            continue;
        }
        for _ in 0..2 {
            let conversion = numbers.pick(&["f", "F", "e", "E", "g", "G", "a", "A"]);
            let format = format!(
                "%{}{}{}{conversion}",
                numbers.flags("-+ #0"),
                numbers.width(),
                numbers.precision(40)
            );
            cases.push(Case { format, arguments: vec![double(value)] });
        }
    }
    for _ in 0..800 {
        let significand = u128::from(numbers.next() | 1 << 63);
        let exponent = match numbers.next() % 4 {
            0 => numbers.next() % 0x7fff,
            1 => 0x3fff,
            2 => 0x3fff + numbers.next() % 70,
            _ => 0x3fff - numbers.next() % 70,
        };
        let sign = u128::from(numbers.next() % 2);
        let significand =
            if numbers.next().is_multiple_of(3) { significand >> 50 << 50 } else { significand };
        let Some(argument) = long_double(sign << 79 | u128::from(exponent) << 64 | significand)
        else {
            continue;
        };
        let conversion = numbers.pick(&["f", "e", "E", "g", "G", "a", "A"]);
        let format = format!(
            "%{}{}{}L{conversion}",
            numbers.flags("-+ #0"),
            numbers.width(),
            numbers.precision(40)
        );
        cases.push(Case { format, arguments: vec![argument] });
    }
    for bits in [
        0,
        1,
        1 << 63,
        1 << 62,
        0x7fff_ffff_ffff_ffff,
        0x7ffe_ffff_ffff_ffff_ffff,
        0x7fff_8000_0000_0000_0000,
    ] {
        for conversion in ["Lf", "Le", "Lg", "La"] {
            let arguments = long_double(bits).into_iter().collect();
            cases.push(Case { format: format!("%{conversion}"), arguments });
        }
    }
    for _ in 0..1500 {
        let (length, wide) = [
            ("hh", false),
            ("h", false),
            ("", false),
            ("l", true),
            ("ll", true),
            ("j", true),
            ("z", true),
            ("t", true),
        ][(numbers.next() % 8) as usize];
        let number = match numbers.next() % 4 {
            0 => 0,
            1 => (numbers.next() % 20) as i64 - 10,
            2 => numbers.next() as i64 >> (numbers.next() % 64),
            _ => numbers.next() as i64,
        };
        let width = if wide { 64 } else { 32 };
        let text = if wide {
            format!("{:#x}ULL", number as u64)
        } else {
            format!("(int){:#x}U", number as u32)
        };
        let value = Value::Bv(Bv::from_signed(width, i128::from(number)));
        let conversion = numbers.pick(&["d", "i", "u", "o", "x", "X"]);
        let format = format!(
            "%{}{}{}{length}{conversion}",
            numbers.flags("-+ #0"),
            numbers.width(),
            numbers.precision(30)
        );
        cases.push(Case { format, arguments: vec![(text, value)] });
    }
    let int =
        |number: i32| (number.to_string(), Value::Bv(Bv::from_signed(32, i128::from(number))));
    let pointer =
        |number: u64| (format!("(void*){number}ULL"), Value::Bv(Bv::new(64, u128::from(number))));
    for (format, arguments) in [
        ("%c|%5c|%-5c|%%|%5%", vec![int(65), int(66), int(67)]),
        ("%*d|%-*d|%.*d", vec![int(7), int(3), int(-7), int(3), int(4), int(3)]),
        ("%*d|%.*d", vec![int(-7), int(3), int(-4), int(3)]),
        ("%p|%20p|%-20p|%p", vec![pointer(0x1234), pointer(0xffff), pointer(1), pointer(0)]),
        ("%'d %Id", vec![int(1_234_567), int(3)]),
        ("no directive", vec![]),
        ("%m", vec![]),
    ] {
        cases.push(Case { format: format.to_owned(), arguments });
    }
    cases
}

/// The lines that a C program prints; `None` if there is no compiler.
fn reference(cases: &[Case]) -> Option<Vec<u8>> {
    let mut text = String::from(
        "#include <stdio.h>\n#include <string.h>\n\
         static double D(unsigned long long b) { double d; memcpy(&d, &b, 8); return d; }\n\
         static long double L(unsigned long long m, unsigned short e) \
         { long double d = 0; memcpy(&d, &m, 8); memcpy((char *)&d + 8, &e, 2); return d; }\n\
         int main(void) {\n",
    );
    for case in cases {
        let _ = write!(text, "printf(\"{}\\n\"", case.format);
        for (argument, _) in &case.arguments {
            let _ = write!(text, ", {argument}");
        }
        text.push_str(");\n");
    }
    text.push_str("return 0; }\n");
    let folder = std::env::temp_dir().join(format!("interp-printf-{}", std::process::id()));
    std::fs::create_dir_all(&folder).ok()?;
    let (source, program) = (folder.join("p.c"), folder.join("p"));
    std::fs::write(&source, text).ok()?;
    let compiled =
        Command::new("cc").arg("-w").arg("-O0").arg("-o").arg(&program).arg(&source).status();
    let output = match compiled {
        Ok(status) if status.success() => {
            Command::new(&program).output().ok().map(|output| output.stdout)
        }
        _ => None,
    };
    let _ = std::fs::remove_dir_all(&folder);
    output
}

fn printf(model: &mut Model, format: &str, arguments: &[Value]) {
    let address = model.string(format.as_bytes());
    let rest = arguments.iter().map(|value| model.program.terms.constant(value.clone()));
    let rest: Vec<TermId> = rest.collect();
    let arguments = std::iter::once(address).chain(rest).collect();
    model.step([Op::Output { function: "printf".into(), arguments }]);
}

#[test]
#[cfg(all(target_arch = "x86_64", target_env = "gnu"))]
fn numbers_as_the_c_library_prints_them() {
    let cases = cases();
    let Some(expected) = reference(&cases) else {
        eprintln!("skipped: there is no C compiler");
        return;
    };
    let mut model = Model::new();
    for case in &cases {
        let values: Vec<Value> = case.arguments.iter().map(|(_, value)| value.clone()).collect();
        printf(&mut model, &format!("{}\n", case.format), &values);
    }
    model.finish();
    let (run, output) = model.output();
    assert_eq!(run.ending, Ending::Returned(None));
    let lines = |bytes: &[u8]| -> Vec<String> {
        bytes
            .split(|byte| *byte == b'\n')
            .map(|line| String::from_utf8_lossy(line).into_owned())
            .collect()
    };
    let (ours, theirs) = (lines(&output), lines(&expected));
    assert_eq!(ours.len(), theirs.len());
    for ((ours, theirs), case) in ours.iter().zip(&theirs).zip(&cases) {
        assert_eq!(ours, theirs, "printf(\"{}\", {:?})", case.format, case.arguments);
    }
    assert!(cases.len() > 4000);
}

/// What a single call writes.
fn written(format: &str, arguments: &[Value]) -> String {
    let mut model = Model::new();
    printf(&mut model, format, arguments);
    model.finish();
    let (run, output) = model.output();
    assert_eq!(run.ending, Ending::Returned(None));
    String::from_utf8(output).expect("ASCII")
}

#[test]
fn fixed_expectations() {
    let int = |number: i128| Value::Bv(Bv::from_signed(32, number));
    let double = |number: f64| Value::Float(Float::from_f64(number));
    assert_eq!(written("%d %u %x\n", &[int(-1), int(-1), int(-1)]), "-1 4294967295 ffffffff\n");
    assert_eq!(
        written("%f %e %g", &[double(2.5), double(0.1), double(1e-5)]),
        "2.500000 1.000000e-01 1e-05"
    );
    assert_eq!(
        written("%.0f %.0f %.20f", &[double(0.5), double(1.5), double(0.1)]),
        "0 2 0.10000000000000000555"
    );
    assert_eq!(
        written("%05d|%-5d|%+d|% d|%5.3d", &[int(42), int(42), int(42), int(42), int(7)]),
        "00042|42   |+42| 42|  007"
    );
    assert_eq!(written("%a %A", &[double(10.0), double(-0.1)]), "0x1.4p+3 -0X1.999999999999AP-4");
    let nan = Value::Float(Float::nan(Format::Double));
    assert_eq!(
        written("%f %5F %05g", &[nan.clone(), nan, double(f64::INFINITY)]),
        "nan   NAN   inf"
    );
    assert_eq!(written("%hhd %hu %c", &[int(300), int(65_537), int(0x141)]), "44 1 A");
}

#[test]
fn strings_come_from_memory() {
    let mut model = Model::new();
    let (format, text) = (model.string(b"[%s] [%.2s] [%6s] [%-6s]\n"), model.string(b"abc"));
    model.step([Op::Output {
        function: "printf".into(),
        arguments: [format, text, text, text, text].into(),
    }]);
    model.step([Op::Output { function: "puts".into(), arguments: [text].into() }]);
    let character = model.bv(32, 0x141);
    model.step([Op::Output { function: "putchar".into(), arguments: [character].into() }]);
    model.finish();
    let (run, output) = model.output();
    assert_eq!(run.ending, Ending::Returned(None));
    assert_eq!(String::from_utf8_lossy(&output), "[abc] [ab] [   abc] [abc   ]\nabc\nA");
}

#[test]
fn a_string_that_does_not_end_is_out_of_bounds() {
    let mut model = Model::new();
    let text = model.data("text", b"abc");
    let edge = model.step([Op::Output { function: "puts".into(), arguments: [text].into() }]);
    model.finish();
    let (run, _) = model.output();
    assert_eq!(run.ending, Ending::Invalid { what: Invalid::OutOfBounds, edge });
}

#[test]
fn a_null_string_is_a_null_pointer() {
    let mut model = Model::new();
    let (format, null) = (model.string(b"before %s"), model.bv(64, 0));
    let edge =
        model.step([Op::Output { function: "printf".into(), arguments: [format, null].into() }]);
    model.finish();
    let (run, output) = model.output();
    assert_eq!(run.ending, Ending::Invalid { what: Invalid::Null, edge });
    assert_eq!(output, b"before ");
}

#[test]
fn what_is_not_known_is_said() {
    for (format, reason) in [
        ("%d", "printf with fewer arguments than its format uses"),
        ("%y", "printf with \"%y\""),
        ("%", "printf with \"%\""),
        ("%1$d", "printf with \"%1\""),
        ("%2000000d", "printf with a width or precision above 1048576"),
    ] {
        let mut model = Model::new();
        let address = model.string(format.as_bytes());
        let edge =
            model.step([Op::Output { function: "printf".into(), arguments: [address].into() }]);
        model.finish();
        let reason = reason.to_owned();
        assert_eq!(model.output().0.ending, Ending::Unsupported { reason, edge: Some(edge) });
    }
}

#[test]
fn the_count_is_stored() {
    let mut model = Model::new();
    let (format, place) = (model.string(b"12345%n"), model.data("count", &[9, 9, 9, 9]));
    let count = model.local("count", common::B32);
    model.step([Op::Output { function: "printf".into(), arguments: [format, place].into() }]);
    model.step([Op::Load { var: count, address: place }]);
    let value = model.var(count);
    model.finish_with(value);
    assert_eq!(model.run().ending, common::returned(32, 5));
}
