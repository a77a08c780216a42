//! A program with what is asked about it, from its text to the outcome of a run.

use std::fmt;
use std::path::PathBuf;

use base::{Diagnostic, Diagnostics, SourceMap};
use cfa::{AllocKind, AssumptionKind, Op, Program};
use frontend::{Language, Loaded, Options, Subject};
use report::Execution;
use smt::NewSolver;
use verify::{Config, Outcome, Unknown, Verdict};

use crate::guard::{Panicked, guarded};

/// A program that was loaded, and what is asked about it.
pub struct Task {
    /// The model. Its assumptions are part of every answer.
    pub program: Program,
    /// What the model was made of, and the property.
    pub subject: Subject,
    /// Warnings about the text.
    pub diagnostics: Diagnostics,
}

/// Why a program was not loaded: messages with their places, as a compiler has them.
#[derive(Clone)]
pub struct Refused {
    /// The messages, at least one of which is an error.
    pub diagnostics: Diagnostics,
    /// The texts that the messages are about.
    pub sources: SourceMap,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&rendered(&self.diagnostics, &self.sources).join("\n"))
    }
}

impl fmt::Debug for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Refused {}

/// Messages as text, each with the line that it is about.
fn rendered(diagnostics: &Diagnostics, sources: &SourceMap) -> Vec<String> {
    diagnostics.iter().map(|message| message.render(sources)).collect()
}

impl Task {
    /// Reads files and makes one program of them: several C files, or one file of any other language.
    ///
    /// ```
    /// use proviso::{Options, Task};
    ///
    /// let task = Task::load(&["../../examples/gcd.c".into()], &Options::of_checks())?;
    /// assert_eq!(task.subject.entry, "main");
    /// let refused = Task::load(&["no-such-file.c".into()], &Options::default()).err();
    /// assert!(refused.is_some_and(|why| why.to_string().contains("no-such-file.c")));
    /// # Ok::<(), proviso::Refused>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a file cannot be read or is no program, or if Proviso has a fault.
    pub fn load(files: &[PathBuf], options: &Options) -> Result<Self, Refused> {
        guarded(|| Self::load_unguarded(files, options).map(Self::with_unchecked))
            .unwrap_or_else(|why| Err(why.into()))
    }

    /// Does what [`Task::load`] does, but for [`Task::with_unchecked`], on the stack of the caller and without catching a
    /// panic. Meant to be called within [`guarded`].
    ///
    /// # Errors
    ///
    /// If a file cannot be read or is no program.
    pub fn load_unguarded(files: &[PathBuf], options: &Options) -> Result<Self, Refused> {
        Self::of(frontend::load(files, options))
    }

    /// Makes a program of a text in C. Messages call it by the name.
    ///
    /// # Errors
    ///
    /// If the text is no program, or if Proviso has a fault.
    pub fn of_c(name: &str, text: &str, options: &Options) -> Result<Self, Refused> {
        let options = Options { language: Some(Language::C), ..options.clone() };
        guarded(|| Self::of(frontend::load_text(name, text, &options)).map(Self::with_unchecked))
            .unwrap_or_else(|why| Err(why.into()))
    }

    fn of(loaded: Loaded) -> Result<Self, Refused> {
        let Loaded { program, subject, diagnostics } = loaded;
        match diagnostics.has_errors() {
            true => Err(Refused { diagnostics, sources: program.sources }),
            false => Ok(Self { program, subject, diagnostics }),
        }
    }

    /// Adds to the assumptions of a program in C what its answer takes for granted because no check was asked for:
    /// that faults do not happen, and that the asserts which are no part of the property hold.
    #[must_use]
    pub fn with_unchecked(mut self) -> Self {
        let Subject { language, checks, left_out, property, .. } = &self.subject;
        if *language == Some(Language::C) {
            let faults = cfa::unchecked(&self.program, *checks).into_iter().map(str::to_owned);
            let name = property.name();
            let asserts = match *left_out {
                0 => None,
                1 => Some(format!("1 assert is not part of {name}: not checked")),
                count => Some(format!("{count} asserts are not part of {name}: not checked")),
            };
            for text in faults.chain(asserts).collect::<Vec<_>>() {
                self.program.cfa.assume(AssumptionKind::Semantics, text, None);
            }
        }
        self
    }

    /// The warnings as text, each with the line that it is about.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        rendered(&self.diagnostics, &self.program.sources)
    }

    /// Verifies the program.
    ///
    /// ```
    /// use proviso::{Config, Options, Task, Verdict};
    ///
    /// let text = "#include <assert.h>\nint main(void) { unsigned i = 0; while (i < 9) i += 3; assert(i == 9); }";
    /// let task = Task::of_c("nine.c", text, &Options::of_checks())?;
    /// let outcome = task.verify(&Config::recommended())?;
    /// assert!(matches!(outcome.verdict, Verdict::Safe(_)), "{}", task.told(&outcome));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If Proviso has a fault. Then nothing is known of the program.
    pub fn verify(&self, config: &Config) -> Result<Outcome, Panicked> {
        guarded(|| self.verify_with(config, &|| Box::new(smt::Builtin::new())))
    }

    /// Does what [`Task::verify`] does, with solvers of the caller's choice, on the stack of the caller and without
    /// catching a panic. Meant to be called within [`guarded`].
    pub fn verify_with(&self, config: &Config, solver: NewSolver<'_>) -> Outcome {
        match self.undecided() {
            Some(why) => Outcome::unknown(why),
            None => {
                let mut outcome = verify::verify(&self.program, config, solver);
                self.settle(&mut outcome);
                outcome
            }
        }
    }

    /// Why no analysis can decide what is asked, if none can.
    #[must_use]
    pub fn undecided(&self) -> Option<Unknown> {
        let property = &self.subject.property;
        let is_c = self.subject.language == Some(Language::C);
        let is_decided = property.is_reachability() || (is_c && property.is_decided());
        (!is_decided).then(|| Unknown::Property(property.name().to_owned()))
    }

    /// Takes an answer back that does not cover all of the property: a proof says nothing of memory that is lost by
    /// an execution which never ends. [`Task::verify_with`] has done so with its outcome.
    pub fn settle(&self, outcome: &mut Outcome) {
        let open = self.subject.property.open_part();
        if let Some(part) =
            open.filter(|_| allocates(&self.program) && !cfa::always_ends(&self.program))
            && let Verdict::Safe(_) = outcome.verdict
        {
            outcome.verdict = Verdict::Unknown(Unknown::Property(part.to_owned()));
            outcome.is_proved_in_part = true;
        }
    }

    /// An outcome in words: the steps of a counterexample, or the reason of another answer.
    #[must_use]
    pub fn told(&self, outcome: &Outcome) -> String {
        match &outcome.verdict {
            Verdict::Safe(proof) => report::of_proof(proof, outcome.summarized.len()),
            Verdict::Unsafe(found) => {
                let execution = Execution::of(&self.program, found);
                report::counterexample(&self.program, found, &execution, "Options::devices")
            }
            Verdict::Unknown(why) => report::of_unknown(&self.program, why),
        }
    }
}

impl From<Panicked> for Refused {
    /// A fault of Proviso as a message about the input.
    fn from(panicked: Panicked) -> Self {
        let mut diagnostics = Diagnostics::new();
        diagnostics.push(Diagnostic::error_without_place(panicked.to_string()));
        Self { diagnostics, sources: SourceMap::new() }
    }
}

/// Whether a program allocates memory that it has to free.
fn allocates(program: &Program) -> bool {
    let heap = |op: &Op| matches!(op, Op::Alloc { kind: AllocKind::Heap, .. });
    program.cfa.edges.iter().any(|edge| edge.ops.iter().any(heap))
}
