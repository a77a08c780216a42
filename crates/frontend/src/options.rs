//! The choices that decide what a program means.

use std::path::{Path, PathBuf};

use cfa::Checks;

use crate::task::Property;

/// How a front end reads its input.
#[derive(Clone, Debug)]
pub struct Options {
    /// The language, if the file's ending is not to decide.
    pub language: Option<Language>,
    /// Sizes of C's types, if said; a task definition says it too.
    pub data_model: Option<DataModel>,
    /// What must not happen.
    pub property: Property,
    /// Faults that must not happen, besides those that the property speaks of.
    pub checks: Checks,
    /// Faults that must not happen where no property is given, by options or by a task.
    pub default_checks: Checks,
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
}

impl Default for Options {
    fn default() -> Self {
        Self {
            language: None,
            data_model: None,
            property: Property::default(),
            checks: Checks::NONE,
            default_checks: Checks::NONE,
            entry: "main".to_owned(),
            signed_overflow: SignedOverflow::Wrap,
            external: External::Pure,
            malloc_may_fail: false,
            include: Vec::new(),
        }
    }
}

impl Options {
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
    /// The language that a file's ending stands for.
    #[must_use]
    pub fn of_path(path: &Path) -> Option<Self> {
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
    /// It wraps around, as the machine does.
    Wrap,
    /// The execution ends there.
    Undefined,
}

/// What a function without a body does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum External {
    /// It returns anything and changes nothing.
    Pure,
    /// It returns anything, and what its pointer arguments and the globals reach becomes
    /// arbitrary.
    Havoc,
    /// A run that calls it is inconclusive.
    Error,
}
