//! Which values variables have had: on the way to a state, or in a graph.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use term::Var;

use crate::value::ValueId;

/// The values of variables, each once, in order.
type Trace = BTreeMap<Var, SmallVec<[ValueId; 4]>>;

/// Values of variables that belong to a state: those on the way to it, or its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TraceId(u32);

/// All traces, each once.
pub(crate) struct Traces {
    all: Vec<Rc<Trace>>,
    ids: FxHashMap<Rc<Trace>, TraceId>,
}

impl Default for Traces {
    fn default() -> Self {
        let nothing = Rc::new(Trace::new());
        let ids = [(Rc::clone(&nothing), Self::NOTHING)].into_iter().collect();
        Self { all: vec![nothing], ids }
    }
}

impl Traces {
    /// No values.
    pub(crate) const NOTHING: TraceId = TraceId(0);

    /// A trace with more values.
    pub(crate) fn extend(&mut self, id: TraceId, values: &[(Var, ValueId)]) -> TraceId {
        let old = self.get(id);
        let is_new = |(var, value): &&(Var, ValueId)| {
            old.get(var).is_none_or(|known| !known.contains(value))
        };
        if !values.iter().any(|each| is_new(&each)) {
            return id;
        }
        let mut trace = Trace::clone(old);
        for (var, value) in values {
            let known = trace.entry(*var).or_default();
            if let Err(at) = known.binary_search(value) {
                known.insert(at, *value);
            }
        }
        let trace = Rc::new(trace);
        // Traces are fewer than nodes of the graph, which have `u32` ids.
        let next = TraceId(self.all.len() as u32);
        let id = *self.ids.entry(Rc::clone(&trace)).or_insert(next);
        if id == next {
            self.all.push(trace);
        }
        id
    }

    /// The values of two traces.
    pub(crate) fn join(&mut self, a: TraceId, b: TraceId) -> TraceId {
        if a == b {
            return a;
        }
        let more = Rc::clone(&self.all[b.0 as usize]);
        let values =
            more.iter().flat_map(|(var, values)| values.iter().map(|value| (*var, *value)));
        let values: Vec<(Var, ValueId)> = values.collect();
        self.extend(a, &values)
    }

    /// The values of a trace.
    pub(crate) fn get(&self, id: TraceId) -> &Trace {
        &self.all[id.0 as usize]
    }
}

/// The values in the states of a graph, and how many states have them.
#[derive(Default)]
pub(crate) struct Census {
    counts: FxHashMap<Var, FxHashMap<ValueId, u32>>,
}

impl Census {
    /// Adds the values of a state.
    pub(crate) fn add(&mut self, trace: &Trace) {
        for (var, values) in trace {
            let counts = self.counts.entry(*var).or_default();
            for value in values {
                *counts.entry(*value).or_default() += 1;
            }
        }
    }

    /// Takes the values of a state away that were added.
    pub(crate) fn remove(&mut self, trace: &Trace) {
        for (var, values) in trace {
            let Some(counts) = self.counts.get_mut(var) else { continue };
            for value in values {
                if let Some(count) = counts.get_mut(value) {
                    *count -= 1;
                    if *count == 0 {
                        counts.remove(value);
                    }
                }
            }
        }
    }

    /// How many values a variable has.
    pub(crate) fn count(&self, var: Var) -> usize {
        self.counts.get(&var).map_or(0, FxHashMap::len)
    }

    /// Whether a variable has a value.
    pub(crate) fn has(&self, var: Var, value: ValueId) -> bool {
        self.counts.get(&var).is_some_and(|counts| counts.contains_key(&value))
    }
}
