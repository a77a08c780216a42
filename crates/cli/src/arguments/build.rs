//! The options that say how the text of C files is read, as compilers have them, and where the
//! execution starts.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::Args;
use frontend::{Flags, Macro};

use super::values::values_of;

/// How C files are read.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "C")]
pub struct Build {
    /// Define a macro (as 1 without a value)
    #[arg(short = 'D', value_name = "NAME[=VALUE]", value_parser = definition)]
    pub define: Vec<String>,
    /// Take back a macro, -D or predefined
    #[arg(short = 'U', value_name = "NAME", value_parser = undefinition)]
    pub undefine: Vec<String>,
    /// Read a file before the program (-include FILE is the same)
    #[arg(long = "include", value_name = "FILE")]
    pub preinclude: Vec<String>,
    /// The version of C: c89, c99, c11, c17, c23, or gnu89 to gnu23 (-std=c99 is the same) [default:
    /// gnu17]
    #[arg(long = "std", value_name = "VERSION", value_parser = standard)]
    pub std: Option<String>,
    /// Read -I, -D, -U, -include and -std of each file from this compilation database; without FILE, all
    /// files in it make the program
    ///
    /// For programs with a build system: CMake writes it with CMAKE_EXPORT_COMPILE_COMMANDS=ON.
    #[arg(long, value_name = "compile_commands.json")]
    pub compile_commands: Option<PathBuf>,
    /// How many objects in a row a pointer among the parameters of the entry function points to
    /// (--pointer-size f.p=16) [default: 1]
    ///
    /// Use it with --entry-function where callers promise an array.
    #[arg(long, value_name = "FUNCTION.NAME=N", value_parser = pointer_size)]
    pub pointer_size: Vec<(String, u64)>,
    /// What globals hold where the execution starts
    ///
    /// arbitrary is for a function that is called in the middle of a program.
    #[arg(long, value_enum, default_value_t = Globals::Initial)]
    pub globals: Globals,
    /// What volatile objects hold when they are read
    ///
    /// arbitrary is for objects that a device or an interrupt handler changes.
    #[arg(long, value_enum, default_value_t = Volatile::Plain)]
    pub volatile: Volatile,
    /// What inline assembly does
    ///
    /// error is for those who trust no guess about assembly.
    #[arg(long, value_enum, default_value_t = Assembly::Havoc)]
    pub asm: Assembly,
    /// What pointers point to that come from outside the program
    ///
    /// any is for callers that pass addresses of the program's own objects.
    #[arg(long, value_enum, default_value_t = OutsidePointers::Region)]
    pub outside_pointers: OutsidePointers,
    /// Memory of a device: reads give anything, and writes are not seen (0x40011000-0x40011fff)
    ///
    /// For drivers and embedded programs with registers at constant addresses.
    #[arg(long, value_name = "FIRST-LAST", value_parser = addresses)]
    pub mmio: Vec<RangeInclusive<u64>>,
}

values_of! {
    /// What volatile objects hold when they are read.
    pub enum Volatile for frontend::Volatile {
        /// What the program has written
        Plain,
        /// Anything
        Arbitrary,
    }
}

values_of! {
    /// What inline assembly does.
    pub enum Assembly for frontend::Assembly {
        /// Its outputs hold anything afterwards, and nothing else has changed
        Havoc,
        /// A run that gets there is inconclusive
        Error,
    }
}

values_of! {
    /// What pointers point to that come from outside the program.
    pub enum OutsidePointers for frontend::OutsidePointers {
        /// Memory and functions outside, and none of the program's objects
        Region,
        /// Any object of the program, or memory of which nothing is known
        Any,
    }
}

values_of! {
    /// What globals hold where the execution starts.
    pub enum Globals for frontend::Globals {
        /// What their initialisers say
        Initial,
        /// Anything, unless they are constant
        Arbitrary,
    }
}

impl Build {
    /// How C files are read, as the front end is told.
    pub fn flags(&self) -> Flags {
        let defines = self.define.iter().cloned().map(Macro::Define);
        let undefines = self.undefine.iter().cloned().map(Macro::Undefine);
        Flags {
            macros: defines.chain(undefines).collect(),
            preinclude: self.preinclude.clone(),
            standard: self.std.clone(),
            ..Flags::default()
        }
    }

    /// The options as words of a command line.
    pub fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        let mut add = |name: &str, value: &str| {
            words.extend([name.to_owned(), value.to_owned()]);
        };
        self.define.iter().for_each(|text| add("-D", text));
        self.undefine.iter().for_each(|text| add("-U", text));
        self.preinclude.iter().for_each(|text| add("--include", text));
        self.std.iter().for_each(|text| add("--std", text));
        if let Some(path) = &self.compile_commands {
            add("--compile-commands", &path.display().to_string());
        }
        for (name, count) in &self.pointer_size {
            add("--pointer-size", &format!("{name}={count}"));
        }
        if self.globals == Globals::Arbitrary {
            add("--globals", "arbitrary");
        }
        if self.volatile == Volatile::Arbitrary {
            add("--volatile", "arbitrary");
        }
        if self.asm == Assembly::Error {
            add("--asm", "error");
        }
        if self.outside_pointers == OutsidePointers::Any {
            add("--outside-pointers", "any");
        }
        for range in &self.mmio {
            add("--mmio", &format!("{:#x}-{:#x}", range.start(), range.end()));
        }
        words
    }
}

/// Flags as a compiler reads them.
pub fn compiler_words(flags: &Flags) -> Vec<String> {
    let mut words: Vec<String> =
        flags.include.iter().map(|folder| format!("-I{}", folder.display())).collect();
    words.extend(flags.macros.iter().map(|change| match change {
        Macro::Define(text) => format!("-D{text}"),
        Macro::Undefine(name) => format!("-U{name}"),
    }));
    words.extend(flags.preinclude.iter().flat_map(|file| ["-include".to_owned(), file.clone()]));
    words.extend(flags.standard.iter().map(|name| format!("-std={name}")));
    words
}

/// Long options with one dash, as compilers have them, with two.
pub fn with_two_dashes(word: std::ffi::OsString) -> std::ffi::OsString {
    match word.to_str() {
        Some("-include") => "--include".into(),
        Some("-std") => "--std".into(),
        Some(text) if text.starts_with("-std=") => format!("-{text}").into(),
        _ => word,
    }
}

fn is_name(text: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    text.starts_with(is_letter) && text.chars().all(|c| is_letter(c) || c.is_ascii_digit())
}

/// A macro with its value, if it is one.
pub fn definition(text: &str) -> Result<String, String> {
    let (head, _) = text.split_once('=').unwrap_or((text, ""));
    let name = head.split('(').next().unwrap_or_default();
    if !is_name(name) {
        return Err(format!("`{name}` is not the name of a macro"));
    }
    match text.contains(['\n', '\r']) {
        true => Err("the value of a macro has one line".to_owned()),
        false => Ok(text.to_owned()),
    }
}

/// The name of a macro, if it is one.
pub fn undefinition(text: &str) -> Result<String, String> {
    match is_name(text) {
        true => Ok(text.to_owned()),
        false => Err(format!("`{text}` is not the name of a macro")),
    }
}

fn standard(text: &str) -> Result<String, String> {
    match frontend::is_standard(text) {
        true => Ok(text.to_owned()),
        false => Err("c89, c99, c11, c17, c23 and gnu89 to gnu23 are known".to_owned()),
    }
}

fn pointer_size(text: &str) -> Result<(String, u64), String> {
    let parsed = text.split_once('=').and_then(|(name, count)| {
        let count: u64 = count.parse().ok().filter(|count| *count > 0)?;
        let (function, parameter) = name.split_once('.')?;
        (is_name(function) && !parameter.is_empty()).then(|| (name.to_owned(), count))
    });
    parsed.ok_or_else(|| "this is written FUNCTION.PARAMETER=NUMBER, such as f.p=16".to_owned())
}

/// The first and the last address of a device.
fn addresses(text: &str) -> Result<RangeInclusive<u64>, String> {
    let number = |text: &str| match text.trim().strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.trim().parse().ok(),
    };
    let range =
        text.split_once('-').and_then(|(first, last)| Some((number(first)?, number(last)?)));
    match range {
        Some((first, last)) if first <= last => Ok(first..=last),
        Some(_) => Err("the first address is behind the last one".to_owned()),
        _ => Err("this is written FIRST-LAST, such as 0x40011000-0x40011fff".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_checked() {
        for text in ["A", "A=", "A=1 + 2", "_a(x)=x", "a1=\"=\""] {
            assert_eq!(definition(text), Ok(text.to_owned()));
        }
        for text in ["", "1", "=1", "A B", "A=1\n#include <x>", "a-b=1"] {
            assert!(definition(text).is_err(), "{text}");
        }
        assert_eq!(addresses("0x10-0x1f"), Ok(16..=31));
        for text in ["", "0x10", "0x20-0x10", "a-b", "0x-1"] {
            assert!(addresses(text).is_err(), "{text}");
        }
        assert_eq!(pointer_size("f.p=16"), Ok(("f.p".to_owned(), 16)));
        for text in ["f=16", "f.p", "f.p=0", "f.p=x", ".p=1", "f.=1"] {
            assert!(pointer_size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn one_dash_will_do() {
        let of = |text: &str| with_two_dashes(text.into()).into_string().unwrap_or_default();
        assert_eq!(of("-std=c99"), "--std=c99");
        assert_eq!(of("-include"), "--include");
        assert_eq!(of("-I"), "-I");
        assert_eq!(of("-"), "-");
    }
}
