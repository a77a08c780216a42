//! The options that name a program and say what it means.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::build::Build;
use super::checks::Asked;
use super::values::values_of;

/// The program, and what decides what it means.
#[derive(Args, Clone, Debug)]
pub struct Input {
    /// C (.c, .i), Theta (.cfa, .theta), ARMC (.pl) or a task definition (.yml); - is C on standard input
    #[arg(required_unless_present = "compile_commands", value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The language, whatever the files are called
    ///
    /// For files whose names end otherwise, and for standard input that is not C.
    #[arg(help_heading = "Program", long, value_enum)]
    pub language: Option<Language>,
    /// int, long and pointers have 32 bits
    ///
    /// For code of small machines, and for tasks with the data model ILP32.
    #[arg(help_heading = "Program", long = "32", conflicts_with = "lp64")]
    pub ilp32: bool,
    /// int has 32 bits, long and pointers have 64
    ///
    /// This is the default.
    #[arg(help_heading = "Program", long = "64")]
    pub lp64: bool,
    /// The property, in SV-COMP's form
    ///
    /// Then nothing else counts as an error. --property has the usual ones by name.
    #[arg(help_heading = "Program", long, value_name = "F.prp")]
    pub spec: Option<PathBuf>,
    /// What must not happen besides.
    #[command(flatten)]
    pub asked: Asked,
    /// The function where the program starts [default: main, or what the property says]
    ///
    /// Use it to check one function by itself: its arguments are arbitrary. See --pointer-size.
    #[arg(help_heading = "Program", long, value_name = "NAME")]
    pub entry_function: Option<String>,
    /// What signed arithmetic does outside the range of its type
    ///
    /// To have overflow found, use --check overflow; this decides what follows where it is not checked.
    #[arg(help_heading = "Program", long, value_enum, default_value_t = SignedOverflow::Wrap)]
    pub signed_overflow: SignedOverflow,
    /// What a function without a body does
    ///
    /// havoc gives proofs that rest on less; the best model is a body in a further file.
    #[arg(help_heading = "Program", long, value_enum, default_value_t = External::Pure)]
    pub external: External,
    /// malloc and its like may return a null pointer
    ///
    /// Use it for programs that must survive a full memory.
    #[arg(help_heading = "Program", long)]
    pub malloc_may_fail: bool,
    /// Where #include looks first
    #[arg(help_heading = "C", short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,
    // The heading of this group holds for all options after it that have no heading.
    /// How C files are read.
    #[command(flatten)]
    pub build: Build,
}

impl Input {
    /// The options that decide what the program means, beside those that a witness says in fields of its own and those
    /// that say where files are.
    pub fn meaning(&self) -> Vec<String> {
        let build = Build { compile_commands: None, ..self.build.clone() };
        let other = Input {
            language: None,
            ilp32: false,
            lp64: false,
            spec: None,
            asked: Asked { property: None, checks: Vec::new() },
            entry_function: None,
            include: Vec::new(),
            build,
            ..self.clone()
        };
        other.words()
    }

    /// The options that decide what the program means, as words of a command line.
    pub fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        let mut add = |name: &str, value: Option<String>| {
            words.push(name.to_owned());
            words.extend(value);
        };
        let name = |value: Option<clap::builder::PossibleValue>| {
            value.map(|value| value.get_name().to_owned())
        };
        if let Some(language) = &self.language {
            add("--language", name(language.to_possible_value()));
        }
        if self.ilp32 {
            add("--32", None);
        }
        if self.lp64 {
            add("--64", None);
        }
        if let Some(spec) = &self.spec {
            add("--spec", Some(spec.display().to_string()));
        }
        for (name, value) in self.asked.words() {
            add(name, Some(value));
        }
        if let Some(entry) = &self.entry_function {
            add("--entry-function", Some(entry.clone()));
        }
        if self.signed_overflow != SignedOverflow::Wrap {
            add("--signed-overflow", name(self.signed_overflow.to_possible_value()));
        }
        if self.external != External::Pure {
            add("--external", name(self.external.to_possible_value()));
        }
        if self.malloc_may_fail {
            add("--malloc-may-fail", None);
        }
        for folder in &self.include {
            add("-I", Some(folder.display().to_string()));
        }
        words.extend(self.build.words());
        words
    }
}

values_of! {
    /// The languages of programs.
    pub enum Language for frontend::Language {
        /// C, preprocessed or not
        C,
        /// Theta's control-flow automata
        Cfa => Theta,
        /// ARMC's transition facts
        Armc,
        /// An SV-COMP task definition
        Task,
    }
}

values_of! {
    /// What signed arithmetic does outside the range of its type.
    pub enum SignedOverflow for frontend::SignedOverflow {
        /// The result wraps around, as the machine does
        Wrap,
        /// The execution ends there
        Undefined,
    }
}

values_of! {
    /// What a function without a body does.
    pub enum External for frontend::External {
        /// The function returns anything and changes nothing
        Pure,
        /// The function returns anything and changes what it can reach
        Havoc,
        /// A run that calls it is inconclusive
        Error,
    }
}
