//! Which functions get contracts, and which global variables these are about.

use std::collections::BTreeSet;

use base::IndexVec;
use cfa::{Calls, Cfa, FuncId, Program, Scope};
use term::{Sort, Var};

/// A program that has more edges than this when its calls are put in place is large.
const LARGE: u64 = 20_000;

/// How many global variables the contract of a function is about, at most.
const FOLLOWED: usize = 12;

/// Why contracts serve a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Serves {
    /// Functions call themselves.
    Recursion,
    /// The program becomes large when its calls are put in place, as analyses do that follow each call.
    Size,
}

/// Why contracts serve a program, if they do: without the calls of functions that get contracts, no recursion is left,
/// and the program is small when the other calls are put in place.
#[must_use]
pub fn serve(program: &Program) -> Option<Serves> {
    let cfa = &program.cfa;
    let calls = Calls::of(cfa);
    let serves = if calls.any_recursive() {
        Serves::Recursion
    } else if largest(cfa, &calls, &[]) > LARGE {
        Serves::Size
    } else {
        return None;
    };
    let functions = under_contract(cfa, &effects(program));
    let is_left = |function: FuncId| {
        calls.reachable(function) && calls.recursive(function) && !functions.contains(&function)
    };
    let is_recursive = cfa.functions.ids().any(is_left);
    (!is_recursive && largest(cfa, &calls, &functions) <= LARGE).then_some(serves)
}

/// The largest number of edges of any function that is reached, after the bodies of callees were put in place of their
/// calls; calls of the functions in `without` stay calls. A function that calls itself is put in place once.
fn largest(cfa: &Cfa, calls: &Calls, without: &[FuncId]) -> u64 {
    let mut sizes: IndexVec<FuncId, u64> = IndexVec::filled(0, cfa.functions.len());
    for edge in &cfa.edges {
        sizes[cfa.locations[edge.source].function] += 1;
    }
    for function in calls.components().iter().flatten() {
        for call in calls.calls(*function) {
            let callee = cfa.edges[*call].callee().filter(|callee| !without.contains(callee));
            let size = callee.map_or(0, |callee| sizes[callee]);
            sizes[*function] = sizes[*function].saturating_add(size);
        }
    }
    let reached = cfa.functions.ids().filter(|function| calls.reachable(*function));
    reached.map(|function| sizes[function]).max().unwrap_or(0)
}

/// What a function does with global variables, itself and by its callees.
#[derive(Clone, Default)]
pub(super) struct Effects {
    pub(super) written: BTreeSet<Var>,
    read: BTreeSet<Var>,
    /// Whether memory is used.
    memory: bool,
}

impl Effects {
    /// The global numbers that a contract is about: those that are written come first.
    pub(super) fn followed(&self, program: &Program) -> Vec<Var> {
        let others = self.read.difference(&self.written);
        let numbers = self.written.iter().chain(others).copied();
        numbers.filter(|var| is_number(program, *var)).take(FOLLOWED).collect()
    }
}

/// Whether contracts say something about a variable.
pub(super) fn is_number(program: &Program, var: Var) -> bool {
    matches!(program.terms.var_sort(var), Sort::Bv(8..=64))
}

/// The functions that get contracts, in order, callers first: those without memory that are recursive or called
/// from several places. All others stay where they are.
pub(super) fn under_contract(cfa: &Cfa, effects: &IndexVec<FuncId, Effects>) -> Vec<FuncId> {
    let calls = Calls::of(cfa);
    let is_called_often = |function: FuncId| {
        let sites = calls.sites(function).iter();
        sites
            .filter(|edge| calls.reachable(cfa.locations[cfa.edges[**edge].source].function))
            .count()
            > 1
    };
    let functions = calls.components().iter().rev().flatten().copied();
    functions
        .filter(|function| {
            Some(*function) != cfa.start
                && calls.reachable(*function)
                && !effects[*function].memory
                && (calls.recursive(*function) || is_called_often(*function))
        })
        .collect()
}

/// What each function does.
pub(super) fn effects(program: &Program) -> IndexVec<FuncId, Effects> {
    let cfa = &program.cfa;
    let is_global =
        |var: &Var| cfa.variables.get(*var).is_some_and(|known| known.scope == Scope::Global);
    let mut effects = IndexVec::filled(Effects::default(), cfa.functions.len());
    for edge in &cfa.edges {
        let effect: &mut Effects = &mut effects[cfa.locations[edge.source].function];
        for op in &edge.ops {
            effect.memory |= op.uses_memory();
            effect.written.extend(op.assigned().iter().copied().filter(is_global));
            for term in op.terms() {
                effect.read.extend(program.terms.vars(term).into_iter().filter(is_global));
            }
        }
    }
    // Callees come first, and a group of functions that call each other does the same as a whole.
    let calls = Calls::of(cfa);
    for component in calls.components() {
        let mut whole = Effects::default();
        for function in component {
            for part in calls.callees(*function).iter().chain([function]) {
                let Effects { written, read, memory } = &effects[*part];
                whole.written.extend(written);
                whole.read.extend(read);
                whole.memory |= memory;
            }
        }
        for function in component {
            effects[*function] = whole.clone();
        }
    }
    effects
}
