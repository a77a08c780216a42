//! Which file of the program a place of a witness is in.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::Path;

use base::{Diagnostic, FileId, SourceMap};
use sha1::Sha1;
use sha2::{Digest, Sha256};

use crate::model::{Claim, Witness, WitnessPlace};
use crate::sites::Text;

/// All places of a witness.
pub(crate) fn of(witness: &Witness) -> Vec<&WitnessPlace> {
    match &witness.claim {
        Claim::Violation(automaton) => {
            automaton.steps.iter().map(|step| &step.place).chain(&automaton.targets).collect()
        }
        Claim::Proof(list) => list.iter().map(|invariant| &invariant.place).collect(),
    }
}

/// The files of a program, those that it includes among them, as a witness names them.
pub(crate) struct Places<'a> {
    sources: &'a SourceMap,
    /// The program's own files.
    own: &'a [FileId],
    /// The files that the program includes. A file that is included several times stands for its first inclusion.
    included: Vec<FileId>,
    /// The names that the witness has for the program's own files, found by their hashes.
    named: Vec<(&'a str, FileId)>,
}

impl<'a> Places<'a> {
    pub(crate) fn of(witness: &'a Witness, sources: &'a SourceMap, own: &'a [FileId]) -> Self {
        let mut included: BTreeMap<&str, FileId> = BTreeMap::new();
        for file in sources.files() {
            if !own.contains(&file) && !sources.is_borrowed(file) {
                included.entry(sources.path(file)).or_insert(file);
            }
        }
        let mut named = Vec::new();
        for file in own {
            let known = hashes(sources.text(*file));
            let is_known = |hash: &str| known.iter().any(|known| hash.eq_ignore_ascii_case(known));
            let hashed = witness.files.iter().filter(|hashed| is_known(&hashed.hash));
            named.extend(hashed.map(|hashed| (hashed.name.as_str(), *file)));
        }
        Self { sources, own, included: included.into_values().collect(), named }
    }

    /// Whether the witness has the hash of a file.
    pub(crate) fn has_hash(&self, file: FileId) -> bool {
        self.named.iter().any(|(_, named)| *named == file)
    }

    /// Whether a hash is that of a file of the program.
    pub(crate) fn has_text(&self, hash: &str) -> bool {
        let is_of = |file: FileId| {
            hashes(self.sources.text(file)).iter().any(|known| hash.eq_ignore_ascii_case(known))
        };
        self.files().any(is_of)
    }

    /// The program's own files and those that it includes, each once.
    pub(crate) fn files(&self) -> impl Iterator<Item = FileId> + '_ {
        self.own.iter().chain(&self.included).copied()
    }

    /// The texts of the program's own files, and of those that a witness has places in.
    pub(crate) fn texts(&self, witness: &Witness) -> BTreeMap<FileId, Text<'a>> {
        let places = of(witness).into_iter().filter_map(|place| self.file(place).ok());
        let files: BTreeSet<FileId> = self.own.iter().copied().chain(places).collect();
        files.into_iter().map(|file| (file, Text::of(self.sources, file))).collect()
    }

    /// The file with a path, unless the text of the file is borrowed, as a model of the library is.
    pub(crate) fn with_path(&self, path: &str) -> Option<FileId> {
        self.files().find(|file| self.sources.path(*file) == path)
    }

    /// The file of a place. An error if the file does not have this place.
    pub(crate) fn find(&self, place: &WitnessPlace) -> Result<FileId, Diagnostic> {
        let file = self.file(place)?;
        if Text::offset_in(self.sources, file, place).is_none() {
            let name = self.sources.name(file);
            let column = place.column.map_or_else(String::new, |column| format!(":{column}"));
            let message = format!("{name} has no place {}{column}", place.line);
            return Err(Diagnostic::error(place.span, message));
        }
        Ok(file)
    }

    /// The file that a place names. If the program has a single file, the place needs no name. Names may match
    /// without their folders, which may have other names on another machine.
    fn file(&self, place: &WitnessPlace) -> Result<FileId, Diagnostic> {
        let Some((name, span)) = &place.file else {
            return match self.own {
                [file] => Ok(*file),
                _ => {
                    let message = "the program has several files, and this place does not say which one it is in";
                    Err(Diagnostic::error(place.span, message))
                }
            };
        };
        let named = || self.named.iter().find(|(known, _)| known == name).map(|(_, file)| *file);
        let own = || only(self.own, |file| last(self.sources.path(file)) == last(name));
        let included = || only(&self.included, |file| last(self.sources.path(file)) == last(name));
        let alike = || only(&self.named, |(known, _)| last(known) == last(name));
        let found = self.with_path(name).or_else(named).or_else(own).or_else(included);
        found
            .or_else(|| alike().map(|(_, file)| file))
            .ok_or_else(|| Diagnostic::error(*span, "the program has no such file"))
    }
}

/// The only element of a list that satisfies a condition; none if several do.
fn only<T: Copy>(list: &[T], holds: impl Fn(T) -> bool) -> Option<T> {
    let mut found = list.iter().copied().filter(|one| holds(*one));
    found.next().filter(|_| found.next().is_none())
}

/// The name of a file without its folders.
fn last(path: &str) -> Option<&OsStr> {
    Path::new(path).file_name()
}

/// The hashes by which witnesses know a text: SHA-256, and SHA-1 in early ones.
pub(crate) fn hashes(text: &[u8]) -> [String; 2] {
    let digits = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    [digits(&Sha256::digest(text)), digits(&Sha1::digest(text))]
}
