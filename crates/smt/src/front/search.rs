//! A short search for a model: decide, propagate, and on a conflict take back the last decision that the conflict rests
//! on and learn the negation of this decision. The search may end with a contradiction that rests on no decision, which
//! is an answer, too.

use rustc_hash::FxHashMap;
use term::{Bv, Op, Sort, Terms, Value, Var, View};

use super::fact::{Fact, number_value};
use super::graph::Node;
use super::number::Interval;
use super::propagate::{Conflict, Propagation, Stop};
use super::trail::Origin;
use super::word::Word;
use crate::linear::rational::Rational;

/// After this many conflicts, a small formula is left to the SAT solver.
const MAX_CONFLICTS: usize = 24;

/// A larger formula is left to the SAT solver after fewer conflicts, but not after fewer than this.
const MIN_CONFLICTS: usize = 3;

/// Formulas up to this size may have `MAX_CONFLICTS`.
const SMALL: usize = 500;

/// How a search ended.
pub(super) enum SearchEnd {
    /// Every term has one value.
    Values,
    /// There is no model, because of these assumptions.
    Contradiction(Vec<u32>),
    /// The limits were used up, or the search got no further.
    Nothing,
}

/// A decision and the state before it.
struct Level {
    node: Node,
    value: Value,
    undo: usize,
    /// The number of events before the decision, which is the id of the event that the decision makes.
    events: usize,
    cursor: usize,
}

/// What may be decided: disjunctions that hold, then variables.
struct Choices {
    nodes: Vec<Node>,
    /// All choices before this place are decided.
    cursor: usize,
}

impl Propagation<'_> {
    pub(super) fn search(&mut self) -> SearchEnd {
        let mut choices = Choices { nodes: self.choices(), cursor: 0 };
        let mut levels: Vec<Level> = Vec::new();
        let mut conflicts = 0;
        let most =
            (MAX_CONFLICTS * SMALL / self.graph.size().max(1)).clamp(MIN_CONFLICTS, MAX_CONFLICTS);
        self.undo = Some(Vec::new());
        self.clear_updates();
        loop {
            match self.run() {
                Err(Stop::Budget) => return SearchEnd::Nothing,
                Err(Stop::Conflict(conflict)) => {
                    conflicts += 1;
                    if let Some(end) = self.retreat(conflict, &mut levels, &mut choices.cursor) {
                        return end;
                    }
                    if conflicts == most {
                        return SearchEnd::Nothing;
                    }
                }
                Ok(()) => {
                    let Some((node, value)) = self.next_choice(&mut choices, conflicts) else {
                        return SearchEnd::Values;
                    };
                    levels.push(Level {
                        node,
                        undo: self.undo.as_ref().map_or(0, Vec::len),
                        events: self.trail.len(),
                        cursor: choices.cursor,
                        value: value.clone(),
                    });
                    let fact = Fact::constant(&value);
                    // The facts must allow the value of the decision, or else there is no good choice.
                    if !self.fact(node).contains(&value)
                        || self.suppose(node, fact, Origin::Decision).is_err()
                    {
                        return SearchEnd::Nothing;
                    }
                }
            }
        }
    }

    /// Takes back the last decision that a conflict rests on, and learns that this decision was wrong.
    fn retreat(
        &mut self,
        conflict: Conflict,
        levels: &mut Vec<Level>,
        cursor: &mut usize,
    ) -> Option<SearchEnd> {
        let Conflict(mut why) = conflict;
        loop {
            let cost = self.trail.len() / 8;
            if self.steps < cost || self.is_over() {
                return Some(SearchEnd::Nothing);
            }
            self.steps -= cost;
            let explanation = self.trail.explain(self.graph, &self.equalities, &why);
            let Some(decision) = explanation.decisions.last() else {
                return Some(SearchEnd::Contradiction(explanation.assumptions));
            };
            let mut level = levels.pop()?;
            while level.events != *decision as usize {
                level = levels.pop()?;
            }
            why = self.trail.frontier(self.graph, &self.equalities, &why, *decision);
            self.take_back(level.undo, level.events);
            *cursor = level.cursor;
            match self.fact(level.node).without(&level.value) {
                Some(rest) if rest == *self.fact(level.node) => return Some(SearchEnd::Nothing),
                Some(rest) => match self.learn(level.node, rest, &why, true) {
                    Ok(()) => return None,
                    Err(Conflict(further)) => why = further,
                },
                None => why.push(self.event(level.node)),
            }
        }
    }

    fn choices(&self) -> Vec<Node> {
        let nodes = || 0..self.graph.len() as Node;
        let junctions =
            nodes().filter(|n| matches!(self.graph.ops[*n as usize], Some(Op::And | Op::Or)));
        let is_var =
            |node: Node| matches!(self.terms.view(self.graph.terms[node as usize]), View::Var(_));
        let is_array =
            |node: Node| matches!(self.terms.sort(self.graph.terms[node as usize]), Sort::Array(_));
        let vars = nodes().filter(|node| is_var(*node) && !is_array(*node));
        let reads = nodes().filter(|node| {
            self.graph.ops[*node as usize] == Some(Op::Select)
                && is_var(self.graph.args(*node)[0])
                && !is_array(*node)
        });
        junctions.chain(vars).chain(reads).collect()
    }

    /// The term to decide next, and the value to give it.
    fn next_choice(&mut self, choices: &mut Choices, conflicts: usize) -> Option<(Node, Value)> {
        while let Some(node) = choices.nodes.get(choices.cursor).copied() {
            self.steps = self.steps.saturating_sub(1);
            match self.graph.ops[node as usize] {
                Some(op @ (Op::And | Op::Or)) => {
                    let needed = op == Op::Or;
                    if self.truth(node) == Some(needed)
                        && !self.graph.args(node).iter().any(|a| self.truth(*a) == Some(needed))
                        && let Some(part) =
                            self.graph.args(node).iter().find(|arg| self.truth(**arg).is_none())
                    {
                        return Some((*part, Value::Bool(needed)));
                    }
                }
                _ => {
                    if !self.fact(node).is_constant() {
                        let sort = self.terms.sort(self.graph.terms[node as usize]);
                        return Some((node, pick(self.terms, self.fact(node), sort, conflicts)));
                    }
                }
            }
            choices.cursor += 1;
        }
        None
    }

    /// The values of all variables after a search that found them.
    pub(super) fn model(&self) -> FxHashMap<Var, Value> {
        let mut model = FxHashMap::default();
        for node in 0..self.graph.len() {
            let term = self.graph.terms[node];
            if let View::Var(var) = self.terms.view(term) {
                let value = self.facts[node].value();
                let zero = || self.terms.zero(self.terms.sort(term));
                model.insert(var, value.unwrap_or_else(zero));
            }
        }
        for node in 0..self.graph.len() as Node {
            if self.graph.ops[node as usize] == Some(Op::Select)
                && let &[array, index] = self.graph.args(node)
                && let View::Var(var) = self.terms.view(self.graph.terms[array as usize])
                && let (Some(index), Some(value)) =
                    (self.fact(index).value(), self.fact(node).value())
                && let Some(Value::Array(array)) = model.get_mut(&var)
            {
                array.set(index, value);
            }
        }
        model
    }
}

/// A value that the facts allow and that is an end of the set of these values, so that its negation is a fact as well.
/// Small numbers are tried first, and the other end after every second conflict.
fn pick(terms: &Terms, fact: &Fact, sort: Sort, conflicts: usize) -> Value {
    match fact {
        Fact::Bool(_) => Value::Bool(false),
        Fact::Word(word) => Value::Bv(pick_bits(word, conflicts % 2 == 1)),
        Fact::Number(interval) => {
            number_value(interval.integers, &pick_number(interval, conflicts % 2 == 1))
        }
        Fact::Floats(floats) => Value::Float(floats.pick(conflicts % 2 == 1)),
        Fact::Other(_) => terms.zero(sort),
    }
}

fn pick_bits(word: &Word, far: bool) -> Bv {
    let negative = word.low.sign() && word.high.sign();
    if negative == far { word.low.clone() } else { word.high.clone() }
}

fn pick_number(interval: &Interval, far: bool) -> Rational {
    let (near, beyond) = match (&interval.low, &interval.high) {
        (None, None) => return Rational::ZERO,
        (Some(low), None) => (low, low),
        (None, Some(high)) => (high, high),
        (Some(low), Some(high)) => (low, high),
    };
    let end = if far { beyond } else { near };
    if !far && interval.contains(&Rational::ZERO) {
        return Rational::ZERO;
    }
    if !end.open {
        return end.at.clone();
    }
    match (&interval.low, &interval.high) {
        (Some(low), Some(high)) => &(&low.at + &high.at) * &Rational::from(2).recip(),
        (Some(low), None) => &low.at + &Rational::ONE,
        (None, Some(high)) => &high.at - &Rational::ONE,
        (None, None) => Rational::ZERO,
    }
}
