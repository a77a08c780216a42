//! Whether what a witness says can be confirmed.

use std::collections::{BTreeMap, BTreeSet};

use base::{Diagnostic, FileId};
use cfa::Program;
use frontend::{Globals, Options, Subject};
use smt::NewSolver;
use verify::Config;

use crate::expression::{self, Macros, Unfit};
use crate::model::{Claim, Witness, WitnessPlace};
use crate::places::{self, Places};
use crate::said::Said;
use crate::sites::Text;
use crate::weave::Pieces;
use crate::woven::{self, Called, Product, Refused};

/// What is to be validated, and with what.
pub struct Task<'a> {
    /// The witness, which fits the program.
    pub witness: &'a Witness,
    /// The program.
    pub program: &'a Program,
    /// The files and options that the program was made of.
    pub subject: &'a Subject,
    /// How the program was read.
    pub options: &'a Options,
    /// How the program is verified.
    pub config: &'a Config,
    /// The solver that decides formulas.
    pub solver: NewSolver<'a>,
}

/// What came of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Validation {
    /// An execution along the witness violates the property; these are its inputs, as a file of inputs.
    Violation {
        /// The inputs.
        inputs: String,
        /// Whether the execution was found only without what the witness assumes of variables and which functions it
        /// enters.
        loosely: bool,
    },
    /// The property holds, and so do the invariants that were looked at.
    Proof {
        /// How many invariants were proved.
        held: usize,
        /// How many were left aside, because the text has no place for them.
        aside: usize,
    },
    /// Neither was confirmed, for this reason.
    Not(String),
}

/// The most steps or invariants that are followed.
pub(crate) const MOST: usize = 20_000;

/// Validates a witness.
///
/// # Errors
/// What is wrong with an expression of the witness, and where.
pub fn validate(task: &Task<'_>) -> Result<Validation, Diagnostic> {
    if task.options.globals == Globals::Arbitrary {
        return Ok(Validation::Not(
            "globals that hold anything at the start are not modelled here".to_owned(),
        ));
    }
    let done = match &task.witness.claim {
        Claim::Violation(automaton) => task.violation(automaton),
        Claim::Proof(list) => task.proof(list),
    };
    match done {
        Ok(validation) => Ok(validation),
        Err(Stopped::Not(why)) => Ok(Validation::Not(why)),
        Err(Stopped::Wrong(diagnostic)) => Err(diagnostic),
    }
}

/// Why validation goes no further.
pub(crate) enum Stopped {
    Not(String),
    Wrong(Diagnostic),
}

impl Task<'_> {
    pub(crate) fn files(&self) -> &[FileId] {
        &self.subject.files
    }

    /// The files of the program, as the witness names them.
    pub(crate) fn places(&self) -> Places<'_> {
        Places::of(self.witness, &self.program.sources, self.files())
    }

    /// The place for people.
    pub(crate) fn shown(&self, place: &WitnessPlace) -> String {
        let file = self.places().find(place);
        let name = file.map_or("", |file| self.program.sources.name(file));
        let column = place.column.map_or_else(String::new, |column| format!(":{column}"));
        format!("{name}:{}{column}", place.line)
    }

    pub(crate) fn texts(&self) -> BTreeMap<FileId, Text<'_>> {
        self.places().texts(self.witness)
    }

    /// Looks at an expression of the witness.
    pub(crate) fn check(
        &self,
        text: &str,
        place: &WitnessPlace,
        macros: &Macros,
    ) -> Result<(), Stopped> {
        match expression::check(text) {
            Ok(()) => {}
            Err(Unfit::Wrong(why)) => {
                // If several expressions of the witness were joined, the message is at the expression that is wrong.
                let is_wrong = |said: &&Said| {
                    let text = expression::with_result(&said.text);
                    matches!(expression::check(&text), Err(Unfit::Wrong(_)))
                };
                let wrong = place.said.iter().find(is_wrong).or(place.said.first());
                let span = wrong.map_or(place.span, Said::span);
                return Err(Stopped::Wrong(Diagnostic::error(span, why)));
            }
            Err(Unfit::Unread(why)) => {
                return Err(Stopped::Not(format!(
                    "{}: {why}, which is not read",
                    self.shown(place)
                )));
            }
        }
        match expression::names(text).into_iter().find(|name| macros.contains_key(name)) {
            Some(name) => {
                let shown = self.shown(place);
                Err(Stopped::Not(format!(
                    "{shown}: an expression has the macro {name} in it, which is not read"
                )))
            }
            None => Ok(()),
        }
    }

    pub(crate) fn macros(&self) -> Macros {
        let places = self.places();
        let texts = places.files().map(|file| self.program.sources.text(file));
        texts.flat_map(|text| expression::macros(text)).collect()
    }

    pub(crate) fn load(
        &self,
        pieces: BTreeMap<FileId, Pieces>,
        invariants: usize,
        options: &Options,
        lookup: &Lookup<'_>,
    ) -> Result<Product, Stopped> {
        let called = Called { invariants, functions: &lookup.functions };
        woven::load(self.program, self.subject, options, pieces, &called).map_err(
            |Refused { message, part, word, before }| match part {
                Some(part) => {
                    let places = places::of(self.witness).into_iter();
                    let here: Vec<&WitnessPlace> =
                        places.filter(|place| place.span == part).collect();
                    let said = || here.iter().flat_map(|place| &place.said);
                    // The front end goes on reading behind an expression that is not complete.
                    let ended = |said: &&Said| {
                        !said.text.is_empty() && before.trim_end().ends_with(said.text.trim())
                    };
                    if let Some(said) = said().find(ended) {
                        let message = message.replace(&format!("`{word}`"), "the end");
                        return Stopped::Wrong(Diagnostic::error(said.span(), message));
                    }
                    let found = here.iter().find_map(|place| place.find(&word));
                    let found = found.or_else(|| said().next().map(Said::span));
                    Stopped::Wrong(Diagnostic::error(found.unwrap_or(part), message))
                }
                None => {
                    Stopped::Not(format!("the witness cannot be put into the program: {message}"))
                }
            },
        )
    }

    /// All that the places of the witness are looked up in.
    pub(crate) fn lookup(&self) -> Lookup<'_> {
        let places = places::of(self.witness).into_iter();
        let names: BTreeSet<&str> =
            places.filter_map(|place| place.function.as_ref()).map(|(name, _)| &**name).collect();
        let functions = names.into_iter().collect();
        Lookup { places: self.places(), texts: self.texts(), functions }
    }

    /// The number of the function that a place is said to be in. None if the text itself shows that the place is in
    /// this function. A file that is included several times does not show it: one place of the file is in several
    /// functions.
    pub(crate) fn inside(
        &self,
        place: &WitnessPlace,
        text: &Text<'_>,
        lookup: &Lookup<'_>,
    ) -> Option<usize> {
        let (name, _) = place.function.as_ref()?;
        let sources = &self.program.sources;
        let path = sources.path(text.file);
        let is_once = sources.files().filter(|file| sources.path(*file) == path).count() == 1;
        if self.files().contains(&text.file) && is_once && text.is_inside(place, name) {
            return None;
        }
        lookup.functions.binary_search(&&**name).ok()
    }
}

/// What the places of a witness are looked up in.
pub(crate) struct Lookup<'a> {
    pub(crate) places: Places<'a>,
    pub(crate) texts: BTreeMap<FileId, Text<'a>>,
    /// The functions that the places name, each once, in order.
    pub(crate) functions: Vec<&'a str>,
}
