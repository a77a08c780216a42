//! The choices that decide what a program means.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cfa::{Check, Checks};

use crate::setting::Wording;
use crate::task::property::Property;

/// How a front end reads its input.
#[derive(Clone, Debug)]
pub struct Options {
    /// The language, if the file's ending is not to decide.
    pub language: Option<Language>,
    /// The sizes of C's types, if they are set here; otherwise a task definition may say them.
    pub data_model: Option<DataModel>,
    /// What must not happen.
    pub property: Property,
    /// Faults that must not happen, besides those that the property speaks of.
    pub checks: Checks,
    /// Faults that must not happen where no property is given, by options or by a task.
    pub default_checks: Checks,
    /// Whether the program is executed. Then accesses to objects of blocks that have ended, and writes to constant
    /// objects, end an execution even if no check of accesses was asked for.
    pub executed: bool,
    /// The function where execution starts.
    pub entry: String,
    /// What signed overflow does.
    pub signed_overflow: SignedOverflow,
    /// What a function without a body does.
    pub external: External,
    /// Whether `malloc` and its like may return a null pointer.
    pub malloc_may_fail: bool,
    /// Folders in which `#include` looks first.
    pub include: Vec<PathBuf>,
    /// How the text of all C files is read, besides the folders in `include`.
    pub flags: Flags,
    /// How the text of single files is read, by the names with which the files are given.
    pub file_flags: Vec<(PathBuf, Flags)>,
    /// What globals hold where execution starts.
    pub globals: Globals,
    /// How many objects a pointer among the parameters of the entry function points to: each entry has a name such as
    /// `f.p` and the number.
    pub pointer_sizes: Vec<(String, u64)>,
    /// What volatile objects hold.
    pub volatile: Volatile,
    /// Addresses that belong to devices.
    pub devices: Vec<std::ops::RangeInclusive<u64>>,
    /// What pointers from outside point to.
    pub outside_pointers: OutsidePointers,
    /// What inline assembly does.
    pub assembly: Assembly,
    /// How messages and assumptions call settings.
    pub wording: Wording,
}

/// What inline assembly does. Its text is not read.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Assembly {
    /// The outputs of the assembly hold anything afterwards, and nothing else has changed.
    #[default]
    Havoc,
    /// A run that gets to inline assembly is inconclusive.
    Error,
}

/// What a pointer points to that comes from outside the program: an input, what a function without
/// a body returns, a variable that was not set, and what is loaded from where such pointers point.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum OutsidePointers {
    /// Memory and functions outside, and none of the program's objects.
    #[default]
    Region,
    /// Any object of the program, or memory of which nothing is known.
    Any,
}

/// What volatile objects hold when they are read.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Volatile {
    /// What the program has written.
    #[default]
    Plain,
    /// Anything.
    Arbitrary,
}

/// How the text of a C file is read, as compilers are told.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Flags {
    /// Folders in which `#include` looks first (`-I`).
    pub include: Vec<PathBuf>,
    /// What is defined and undefined before the first line, in this order.
    pub macros: Vec<Macro>,
    /// Files that are read before the first line (`-include`).
    pub preinclude: Vec<String>,
    /// The version of the language (`-std`), such as `c99` or `gnu23`.
    pub standard: Option<String>,
    /// Where files are read from, besides the headers of the system, if not from everywhere.
    pub folders: Option<Folders>,
    /// Texts that are read in place of those of included files, by the paths of the files.
    pub replaced: BTreeMap<PathBuf, Arc<[u8]>>,
}

/// Folders and single files that may be read: the files themselves, and everything in the folders.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Folders(Vec<PathBuf>);

impl Folders {
    /// The folders and files of these names that exist.
    pub fn new<'a>(names: impl IntoIterator<Item = &'a Path>) -> Self {
        Self(names.into_iter().filter_map(|name| name.canonicalize().ok()).collect())
    }

    /// Whether a file may be read. A file that does not exist is allowed: reading it will fail with a message.
    #[must_use]
    pub fn has(&self, file: &Path) -> bool {
        match file.canonicalize() {
            Ok(file) => self.0.iter().any(|folder| file.starts_with(folder)),
            Err(_) => true,
        }
    }
}

/// A change of the macros that are there before the first line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Macro {
    /// `NAME` or `NAME=VALUE` (`-D`).
    Define(String),
    /// `NAME` (`-U`).
    Undefine(String),
}

impl Macro {
    /// The name that is defined or undefined.
    #[must_use]
    pub fn name(&self) -> &str {
        let (Self::Define(text) | Self::Undefine(text)) = self;
        text.split(['=', '(']).next().unwrap_or_default()
    }
}

/// What globals hold where execution starts.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Globals {
    /// What their initialisers say.
    #[default]
    Initial,
    /// Anything, unless they are constant.
    Arbitrary,
}

impl Options {
    /// The flags with which a file is read: its own flags, and the flags for all files, which win where the two
    /// contradict each other.
    #[must_use]
    pub fn flags_of(&self, path: &str) -> Flags {
        let own = self.file_flags.iter().find(|(of, _)| of.as_path() == Path::new(path));
        let own = own.map(|(_, flags)| flags.clone()).unwrap_or_default();
        let common = &self.flags;
        let join = |first: &[PathBuf], second: &[PathBuf]| [first, second].concat();
        Flags {
            include: [join(&self.include, &common.include), own.include].concat(),
            macros: [own.macros, common.macros.clone()].concat(),
            preinclude: [own.preinclude, common.preinclude.clone()].concat(),
            standard: common.standard.clone().or(own.standard),
            folders: common.folders.clone().or(own.folders),
            replaced: common.replaced.clone(),
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            language: None,
            data_model: None,
            property: Property::default(),
            checks: Checks::NONE,
            default_checks: Checks::NONE,
            executed: false,
            entry: "main".to_owned(),
            signed_overflow: SignedOverflow::Wrap,
            external: External::Pure,
            malloc_may_fail: false,
            include: Vec::new(),
            flags: Flags::default(),
            file_flags: Vec::new(),
            globals: Globals::Initial,
            pointer_sizes: Vec::new(),
            volatile: Volatile::Plain,
            devices: Vec::new(),
            outside_pointers: OutsidePointers::Region,
            assembly: Assembly::Havoc,
            wording: Wording::default(),
        }
    }
}

impl Options {
    /// Options for a program that is verified: where no property is given, accesses, calls of `free` and divisions
    /// are checked besides what the program asserts.
    #[must_use]
    pub fn of_checks() -> Self {
        let default_checks = Checks::of(&[Check::Deref, Check::Free, Check::Div]);
        Self { default_checks, ..Self::default() }
    }

    /// Whether objects of blocks end with their blocks, and constant objects cannot be written.
    pub(crate) fn ends_invalid_accesses(&self) -> bool {
        self.executed || self.checks().has(Check::Deref)
    }

    /// Faults that must not happen.
    #[must_use]
    pub fn checks(&self) -> Checks {
        let asked = self.checks.and(self.property.checks());
        if self.property.is_default() { asked.and(self.default_checks) } else { asked }
    }
}

/// The languages of programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// C, preprocessed or not.
    C,
    /// Theta's control-flow automata.
    Theta,
    /// ARMC's transition facts.
    Armc,
    /// An SV-COMP task definition, which names the program.
    Task,
}

impl Language {
    /// The language that a file's ending stands for; standard input is C.
    #[must_use]
    pub fn of_path(path: &Path) -> Option<Self> {
        if path == Path::new("-") {
            return Some(Self::C);
        }
        match path.extension()?.to_str()? {
            "c" | "i" | "h" => Some(Self::C),
            "cfa" | "theta" => Some(Self::Theta),
            "pl" | "armc" => Some(Self::Armc),
            "yml" | "yaml" => Some(Self::Task),
            _ => None,
        }
    }
}

/// The sizes of C's types.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DataModel {
    /// `int`, `long` and pointers have 32 bits.
    Ilp32,
    /// `int` has 32 bits, `long` and pointers have 64.
    #[default]
    Lp64,
}

/// What signed arithmetic does when it leaves the range of its type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SignedOverflow {
    /// The result wraps around, as the machine does.
    Wrap,
    /// The execution ends there.
    Undefined,
}

/// What a function without a body does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum External {
    /// The function returns anything and changes nothing.
    Pure,
    /// The function returns anything, and what its pointer arguments and the globals reach becomes arbitrary.
    Havoc,
    /// A run that calls it is inconclusive.
    Error,
}
