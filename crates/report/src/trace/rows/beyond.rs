//! Bytes that models of the library write, and others without a name in the source.

use std::collections::BTreeSet;

use cfa::{Choice, Program};
use interp::{Change, Origin};
use rustc_hash::FxHashSet;
use term::Value;

use super::super::input::size_of;
use super::super::state::State;
use crate::execution::Event;

/// What was written and freed without a name in the source.
#[derive(Default)]
pub(super) struct Beyond {
    /// Addresses and lengths.
    pub(super) written: Vec<(u64, u64)>,
    freed: Vec<String>,
    /// Bytes that came from outside, and where such bytes were written.
    given: FxHashSet<u128>,
    inputs: BTreeSet<u64>,
}

/// At most this many stretches of memory that a call has written are listed.
const STRETCHES: usize = 4;

impl Beyond {
    /// Takes in the changes of an event; the state has these changes already.
    pub(super) fn note(&mut self, program: &Program, state: &State<'_>, event: &Event) {
        for change in &event.changes {
            match change {
                Change::Stored { address, value } => {
                    let size = size_of(value);
                    self.written.extend(size.map(|size| (*address, size)));
                    if size == Some(1) && low_byte(value).is_some_and(|it| self.given.contains(&it))
                    {
                        self.inputs.insert(*address);
                    }
                }
                Change::Drawn { origin: origin @ Origin::Havoc(_), value, .. }
                    if matches!(origin.choice(program), Choice::Input(_)) =>
                {
                    self.given.extend(low_byte(value));
                }
                Change::Copied { to: address, length, .. }
                | Change::Filled { address, length, .. } => self.written.push((*address, *length)),
                Change::Freed { address } => {
                    let name = state.block(*address);
                    self.freed.extend(name.map(|name| format!("{name} is freed")));
                }
                _ => {}
            }
        }
    }

    /// The texts of everything that was noted; the notes are cleared.
    pub(super) fn take(&mut self, state: &State<'_>) -> Vec<String> {
        let mut written = std::mem::take(&mut self.written);
        written.sort_unstable();
        let mut stretches: Vec<(u64, u64)> = Vec::new();
        for (start, length) in written.into_iter().filter(|(_, length)| *length > 0) {
            let end = start.saturating_add(length);
            match stretches.last_mut() {
                Some((first, until)) if start <= first.saturating_add(*until) => {
                    *until = (*until).max(end - *first);
                }
                _ => stretches.push((start, length)),
            }
        }
        let inputs = std::mem::take(&mut self.inputs);
        self.given.clear();
        let told = stretches.into_iter().filter_map(|(start, length)| {
            let is_given = inputs.range(start..start.saturating_add(length)).next().is_some();
            let given = if is_given { " (input)" } else { "" };
            state.stretch(start, length).map(|text| format!("{text}{given}"))
        });
        let mut texts: Vec<String> = told.take(STRETCHES).collect();
        texts.append(&mut self.freed);
        texts
    }
}

/// The lowest byte of a number.
fn low_byte(value: &Value) -> Option<u128> {
    value.as_bv()?.to_u128().map(|bits| bits & 0xff)
}
