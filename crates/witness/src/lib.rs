//! Witnesses that this or another tool has written: what they say of a program, and whether that can be confirmed.
//!
//! A witness is [`read`] from GraphML (format 1.0) or YAML (format 2.0). [`fits`] says whether it is one of a program.
//! [`validate`] puts what it says into the text of the program and has the result verified: a violation is confirmed
//! if an execution along the witness reaches the error, also in the program without the witness; a proof is
//! confirmed if the program is proved together with all invariants.
//!
//! ```
//! use proviso_witness::{Claim, read};
//!
//! let mut sources = base::SourceMap::new();
//! let text = "
//! - entry_type: invariant_set
//!   metadata:
//!     format_version: '2.0'
//!     task: { input_file_hashes: { a.c: '00' }, specification: '', data_model: LP64, language: C }
//!   content:
//!   - invariant:
//!       type: loop_invariant
//!       location: { file_name: a.c, line: 3, column: 3, function: main }
//!       value: x <= 10
//!       format: c_expression
//! ";
//! let file = sources.add("witness.yml", text.as_bytes()).expect("a short file");
//! let witness = read(&sources, file).expect("a witness");
//! let Claim::Proof(invariants) = &witness.claim else { panic!("it claims a proof") };
//! assert_eq!(invariants.len(), 1);
//! ```

mod carried;
mod expression;
mod follow;
mod graphml;
mod model;
mod places;
mod proof;
mod said;
mod sites;
mod tokens;
mod validate;
mod violation;
mod weave;
mod woven;
mod yaml;

use std::collections::BTreeSet;

use base::tokens::is_word_byte;
use base::{Diagnostic, FileId, SourceMap, Span};
use cfa::{Check, Checks, Program};
use frontend::task::Property;

use places::Places;
use sites::Text;

pub use model::{
    Automaton, Claim, Event, Hashed, Invariant, NodePlace, Outcome, Step, Witness, WitnessPlace,
};
pub use said::Said;
pub use validate::{Task, Validation, validate};

/// The longest witness that is read.
const MOST_BYTES: usize = 64 << 20;

/// Reads a witness in either format.
///
/// # Errors
/// What is wrong with the text, and where.
pub fn read(sources: &SourceMap, file: FileId) -> Result<Witness, Diagnostic> {
    let text = sources.text(file);
    if text.len() > MOST_BYTES {
        return Err(Diagnostic::error_without_place("the witness is longer than 64 MiB"));
    }
    let text = std::str::from_utf8(text).map_err(|error| {
        // The cast is exact: a source map holds no longer files.
        let at = error.valid_up_to() as u32;
        Diagnostic::error(Span::new(file, at, at + 1), "this is not UTF-8")
    })?;
    match text.trim_start_matches('\u{feff}').trim_start().starts_with('<') {
        true => graphml::read(sources, file, text),
        false => yaml::read(sources, file, text),
    }
}

/// Says whether a witness is one of a program: the hashes are those of its files, and every place is in one of them
/// or in a file that they include.
///
/// # Errors
/// What does not fit, with its place in the witness.
pub fn fits(witness: &Witness, program: &Program, files: &[FileId]) -> Result<(), Diagnostic> {
    let sources = &program.sources;
    let places = Places::of(witness, sources, files);
    for file in files {
        if !places.has_hash(*file) {
            let [hash, _] = places::hashes(sources.text(*file));
            let name = sources.name(*file);
            let message =
                format!("the witness is of another program: the hash of {name} is {hash}");
            return Err(match witness.files.first() {
                Some(first) => Diagnostic::error(first.span, message),
                None => Diagnostic::error_without_place(message),
            });
        }
    }
    if let Some(other) = witness.files.iter().find(|hashed| !places.has_text(&hashed.hash)) {
        let message = format!("the witness is about {}, too, which was not given", other.name);
        return Err(Diagnostic::error(other.span, message));
    }
    let texts = places.texts(witness);
    let words: BTreeSet<&[u8]> = places
        .files()
        .flat_map(|file| sources.text(file).split(|byte| !is_word_byte(*byte)))
        .collect();
    let is_word = |name: &str| words.contains(name.as_bytes());
    // An included text may be a part of the body of a function, and a macro may define one.
    let is_known = |name: &str| program.cfa.functions.iter().any(|known| *known.name == *name);
    for (name, span) in &witness.functions {
        // A function without a body is called or declared somewhere.
        let is_called = || places.files().any(|file| Text::of(sources, file).has_call(name));
        if !is_known(name) && !is_called() {
            let message = format!("the program has no function `{name}`");
            return Err(Diagnostic::error(*span, message));
        }
    }
    // Names with two underscores are reserved: tools have temporary variables of their own.
    let is_missing = |name: &str| !is_word(name) && !name.starts_with("__");
    if let Some((name, span)) = witness.variables.iter().find(|(name, _)| is_missing(name)) {
        return Err(Diagnostic::error(*span, format!("the program has no `{name}`")));
    }
    // An invariant of a node that is no head of a loop is left aside if it has no place in the text.
    let may_be_elsewhere: Vec<Span> = match &witness.claim {
        Claim::Proof(list) => {
            let elsewhere = list.iter().filter(|invariant| invariant.is_elsewhere());
            elsewhere.map(|invariant| invariant.place.span).collect()
        }
        Claim::Violation(_) => Vec::new(),
    };
    let all = places::of(witness).into_iter();
    for place in all.filter(|place| !may_be_elsewhere.contains(&place.span)) {
        let file = places.find(place)?;
        let is_elsewhere = |(name, _): &&(String, Span)| {
            let is_defined = texts.values().any(|text| text.body(name).is_some());
            let is_own = files.contains(&file);
            let is_nowhere = !is_known(name) && !is_word(name);
            !texts[&file].is_inside(place, name)
                && (is_nowhere || is_own && (is_defined || !is_known(name)))
        };
        if let Some((name, span)) = place.function.as_ref().filter(is_elsewhere) {
            return Err(Diagnostic::error(*span, format!("this place is not in `{name}`")));
        }
    }
    Ok(())
}

/// What a witness is about: a property, and checks besides.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Claimed {
    /// The property; the default one if the witness names checks only.
    pub property: Property,
    /// The checks that are named, or that belong to further properties.
    pub checks: Checks,
}

/// The property and the checks that a witness is about, if its specification can be read. A specification may have
/// several statements; all of them count.
#[must_use]
pub fn claimed(witness: &Witness) -> Option<Claimed> {
    let text = &witness.specification;
    let whole = parsed(text).map(|property| Claimed { property, checks: Checks::NONE });
    whole.or_else(|| {
        let ends = text.match_indices("CHECK").map(|(at, _)| at).skip(1).chain([text.len()]);
        let mut start = 0;
        let mut all: Option<Claimed> = None;
        for end in ends {
            let one = statement(text[start..end].trim())?;
            all = Some(match all {
                None => one,
                Some(before) => before.and(&one)?,
            });
            start = end;
        }
        all
    })
}

impl Claimed {
    /// The property and the checks of both; none if no single run can decide both.
    fn and(&self, other: &Claimed) -> Option<Claimed> {
        let (property, checks) = self.property.and(&other.property)?;
        Some(Claimed { property, checks: checks.and(self.checks).and(other.checks) })
    }
}

/// The property and the checks of one statement. A check that has no name in SV-COMP is written with the name that
/// Proviso gives to the check.
fn statement(text: &str) -> Option<Claimed> {
    if let Some(property) = parsed(text) {
        return Some(Claimed { property, checks: Checks::NONE });
    }
    Check::ALL.into_iter().find_map(|check| {
        let said = format!("! {}", check.name());
        let rest = text.trim_end_matches([')', ' ']);
        let is_said = rest.strip_suffix(&said).is_some_and(|before| before.ends_with("G "));
        // With `overflow`, which SV-COMP knows, in place of the check, the statement can be parsed for the function
        // where executions start.
        let known = is_said.then(|| text.replace(&said, "! overflow"));
        let Property { entry, .. } = parsed(&known?)?;
        let property = Property { entry, ..Property::default() };
        Some(Claimed { property, checks: Checks::of(&[check]) })
    })
}

fn parsed(text: &str) -> Option<Property> {
    if text.is_empty() {
        return None;
    }
    let text = match text.starts_with("CHECK") {
        true => text.to_owned(),
        // Witnesses that people write have the formula only.
        false => format!("CHECK( init(main()), LTL({text}) )"),
    };
    let mut sources = SourceMap::new();
    let file = sources.add("<specification>", text.into_bytes())?;
    Property::parse(&sources, file).ok()
}
