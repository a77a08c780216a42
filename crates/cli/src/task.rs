//! A program with what is asked about it, from its text to the outcome of a run.

use std::fmt;
use std::path::PathBuf;

use cfa::{AllocKind, Op, Program};
use frontend::{Language, Loaded, Options, Subject};
use report::Execution;
use verify::{Config, Outcome, Unknown, Verdict};

use crate::guard::{Panicked, guarded};

/// A program that was loaded, and what is asked about it.
pub struct Task {
    /// The model. Its assumptions are part of every answer.
    pub program: Program,
    /// What the model was made of, and the property.
    pub subject: Subject,
    /// What is to be said of the text all the same, message by message.
    pub warnings: Vec<String>,
}

/// Why a program was not loaded: messages with their places, as a compiler has them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused(pub String);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.trim_end())
    }
}

impl std::error::Error for Refused {}

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
    /// If a file cannot be read or is no program.
    pub fn load(files: &[PathBuf], options: &Options) -> Result<Self, Refused> {
        Self::of(guarded(|| frontend::load(files, options)))
    }

    /// Makes a program of a text in C. Messages call it by the name.
    ///
    /// # Errors
    ///
    /// If the text is no program.
    pub fn of_c(name: &str, text: &str, options: &Options) -> Result<Self, Refused> {
        let options = Options { language: Some(Language::C), ..options.clone() };
        Self::of(guarded(|| frontend::load_text(name, text, &options)))
    }

    fn of(loaded: Result<Loaded, Panicked>) -> Result<Self, Refused> {
        let loaded = loaded.map_err(|panicked| Refused(panicked.to_string()))?;
        let Loaded { program, subject, diagnostics } = loaded;
        let messages = diagnostics.iter().map(|message| message.render(&program.sources));
        let warnings: Vec<String> = messages.collect();
        match diagnostics.has_errors() {
            true => Err(Refused(warnings.concat())),
            false => Ok(Self { program, subject, warnings }),
        }
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
        guarded(|| {
            let solver = || Box::new(smt::Builtin::new()) as Box<dyn smt::FullSolver>;
            match undecided(&self.subject) {
                Some(why) => Outcome::unknown(why),
                None => {
                    let mut outcome = verify::verify(&self.program, config, &solver);
                    settle(&self.program, &self.subject, &mut outcome);
                    outcome
                }
            }
        })
    }

    /// An outcome in words: the steps of a counterexample, or the reason of another answer.
    #[must_use]
    pub fn told(&self, outcome: &Outcome) -> String {
        match &outcome.verdict {
            Verdict::Safe(proof) => report::of_proof(proof, outcome.summarized.len()),
            Verdict::Unsafe(found) => {
                let execution = Execution::of(&self.program, found);
                report::counterexample(&self.program, found, &execution)
            }
            Verdict::Unknown(why) => report::of_unknown(&self.program, why),
        }
    }
}

/// Why no analysis can decide what is asked, if none can.
#[must_use]
pub fn undecided(subject: &Subject) -> Option<Unknown> {
    let property = &subject.property;
    let is_c = subject.language == Some(Language::C);
    let is_decided = property.is_reachability() || (is_c && property.is_decided());
    (!is_decided).then(|| Unknown::Property(property.name().to_owned()))
}

/// Takes an answer back that does not cover all of the property: a proof says nothing of memory that is lost by an
/// execution which never ends.
pub fn settle(program: &Program, subject: &Subject, outcome: &mut Outcome) {
    let open = subject.property.open_part();
    if let Some(part) = open.filter(|_| allocates(program) && !cfa::always_ends(program))
        && let Verdict::Safe(_) = outcome.verdict
    {
        outcome.verdict = Verdict::Unknown(Unknown::Property(part.to_owned()));
    }
}

/// Whether a program allocates memory that it has to free.
fn allocates(program: &Program) -> bool {
    let heap = |op: &Op| matches!(op, Op::Alloc { kind: AllocKind::Heap, .. });
    program.cfa.edges.iter().any(|edge| edge.ops.iter().any(heap))
}
