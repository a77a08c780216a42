//! What names mean over all units: declarations of the same thing, aliases, models of the library.

use base::{Diagnostic, Diagnostics, Span};
use cfa::AssumptionKind;
use rucc_sema::{DeclFlags, DeclId, Definition, Emission, Linkage};

use super::{Linker, Origin};
use crate::c::agreement::disagreement;
use crate::c::library;
use crate::c::signature::Key;
use crate::c::unit::{self, Unit};
use crate::options::Flags;
use crate::setting::Wording;

impl Linker<'_> {
    /// Takes in a name with external linkage of a unit that is not among the units yet.
    pub(super) fn add_external(&mut self, name: String, key: Key, unit: &Unit, origin: Origin) {
        let (index, decl) = key;
        let Some(&(other, first)) = self.external.get(&name) else {
            self.external.insert(name, key);
            return;
        };
        let held = if other == index { unit } else { &*self.units[other] };
        let (old, new) = (rank(held, first), rank(unit, decl));
        if old >= YIELDING && origin == Origin::Library {
            return;
        }
        if other != index
            && origin == Origin::Program
            && let Some(said) =
                disagreement(&name, (held, first), (unit, decl), &self.program.sources)
        {
            self.diagnostics.push(said);
        }
        if old == DEFINED && new == DEFINED && other != index {
            let message = format!("`{name}` is defined twice");
            let error = match unit.span(unit.tast.decl_span(decl)) {
                Some(span) => Diagnostic::error(span, message),
                None => Diagnostic::error_without_place(message),
            };
            self.diagnostics.push(match held.span(held.tast.decl_span(first)) {
                Some(other) => {
                    let place = self.program.sources.describe(other);
                    error.with_hint(format!("the other definition is at {place}"))
                }
                None => error,
            });
        } else if new > old {
            self.external.insert(name, key);
        }
    }

    /// The declaration that a use of `decl` in `unit` means.
    pub fn resolve(&self, unit: usize, decl: DeclId) -> Key {
        let entry = &self.units[unit].tast[decl];
        let Some(symbol) = self.units[unit].symbol(decl) else { return (unit, decl) };
        let found = match entry.linkage {
            Linkage::None => None,
            Linkage::Internal => self.internal.get(&(unit, symbol)),
            Linkage::External => self.external.get(&symbol),
        };
        self.behind_aliases(found.copied().unwrap_or((unit, decl)))
    }

    /// What a declaration means if it is another name for something.
    fn behind_aliases(&self, mut key: Key) -> Key {
        // Names in a circle stand for nothing.
        for _ in 0..16 {
            let unit = &self.units[key.0];
            let Some(target) = unit.tast[key.1].alias else { break };
            let target = unit.text(target);
            let internal = self.internal.get(&(key.0, target.clone()));
            let Some(next) = internal.or_else(|| self.external.get(&target)) else { break };
            key = *next;
        }
        key
    }

    /// Whether a declaration has a body, perhaps from the library models.
    pub fn has_body(&mut self, key: Key) -> bool {
        self.units[key.0].tast[key.1].body.is_some()
    }

    /// Loads the library model of a function without a body, if there is one.
    pub fn library_model(&mut self, name: &str) -> Option<Key> {
        let file = library::file_of(name)?;
        if self.libraries.insert(file) {
            let text = library::LIBRARY.iter().find(|(known, _)| *known == file)?.1;
            let id = self.program.sources.add(format!("<proviso>/{file}"), text.as_bytes())?;
            let mut diagnostics = Diagnostics::new();
            let unit = unit::check(
                &mut self.program.sources,
                id,
                self.model,
                &Flags::default(),
                Wording::default(),
                &mut diagnostics,
            );
            debug_assert!(unit.is_some(), "the library model {file} is right: {diagnostics:?}");
            self.add(unit?, Origin::Library);
        }
        if file == "errno.c" {
            let text =
                "errno changes only where the program assigns it, and by strtol and its like"
                    .to_owned();
            self.program.cfa.assume(AssumptionKind::Environment, text, None);
        }
        let key = *self.external.get(name)?;
        self.has_body(key).then_some(key)
    }

    /// A name that no variable, object or function has yet.
    pub fn unique(&mut self, name: &str) -> String {
        let count = self.names.entry(name.to_owned()).or_insert(0);
        *count += 1;
        if *count == 1 { name.to_owned() } else { format!("{name}#{count}") }
    }

    /// The function where execution starts: a function that all units see, or else a function that only its own unit
    /// sees.
    pub(super) fn entry(&mut self, name: &str) -> Option<Key> {
        if let Some(key) = self.external.get(name) {
            return Some(*key);
        }
        let named = self.static_functions().into_iter().filter(|(known, _)| known == name);
        let found: Vec<Key> = named.map(|(_, key)| key).collect();
        if let [first, second, ..] = found[..]
            && let (Some(first), Some(second)) = (self.place(first), self.place(second))
        {
            let message = format!("several files have a static function `{name}`");
            let hint = format!("the other one is at {}", self.program.sources.describe(first));
            self.diagnostics.push(Diagnostic::error(second, message).with_hint(hint));
        }
        found.first().copied()
    }

    pub(super) fn place(&self, key: Key) -> Option<Span> {
        let unit = &self.units[key.0];
        unit.span(unit.tast.decl_span(key.1))
    }

    /// The functions of the program's own text that their units alone see, with their names, unit by unit.
    pub(in crate::c) fn static_functions(&mut self) -> Vec<(String, Key)> {
        let mut all: Vec<(String, Key)> =
            self.internal.iter().map(|((_, name), key)| (name.clone(), *key)).collect();
        all.sort_by_key(|(name, key)| (key.0, name.clone()));
        all.retain(|(_, key)| {
            let is_own =
                self.place(*key).is_some_and(|at| !self.program.sources.is_borrowed(at.file));
            is_own && self.has_body(*key)
        });
        all
    }

    pub(super) fn names_error_function(&self) -> bool {
        self.names_any(|name| self.property.is_error_function(name))
    }

    /// Whether the program uses nothing but assertions to say that something is wrong: failed assertions count as
    /// errors, and the program names no other function whose call is an error. Such a function could be called by an
    /// assertion of the program's own.
    pub fn counts_assertions_alone(&self) -> bool {
        let property = &self.property;
        property.is_error_function("__assert_fail")
            && !self.names_any(|name| property.is_error_function(name) && !is_of_library(name))
    }

    fn names_any(&self, is_wanted: impl Fn(&str) -> bool) -> bool {
        let internal = self.internal.keys().map(|(_, name)| name);
        self.external.keys().chain(internal).any(|name| is_wanted(name))
    }
}

/// Whether an error function is one that the C library calls where an assertion has failed.
fn is_of_library(error_function: &str) -> bool {
    let name = error_function.trim_start_matches('_');
    name.starts_with("assert") || name == "wassert"
}

const DEFINED: u8 = 3;

const YIELDING: u8 = 2;

/// How much a declaration says: a definition comes first, then a definition that leaves room for another one (weak, or
/// inline in a header), then a tentative definition, then a mere declaration.
pub(super) fn rank(unit: &Unit, decl: DeclId) -> u8 {
    let entry = &unit.tast[decl];
    let is_defined =
        entry.state == Definition::Defined || entry.body.is_some() || entry.alias.is_some();
    let yields = entry.flags.contains(DeclFlags::WEAK) || entry.inline == Emission::Inline;
    match (is_defined, entry.state) {
        (true, _) if yields => YIELDING,
        (true, _) => DEFINED,
        (false, Definition::Tentative) => 1,
        (false, _) => 0,
    }
}
