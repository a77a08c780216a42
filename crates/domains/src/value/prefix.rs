//! Infeasible prefixes of a path, and which of them to refine by. A path can contradict itself in
//! several places, and what a refinement learns depends on the one that it looks at ("sliced path
//! prefixes", Beyer, Löwe, Wendler 2015).

use cfa::{Cfa, Loops, Op};
use cpa::{Path, Stacks};
use rustc_hash::FxHashSet;
use term::{Op as TermOp, TermId, Terms, Var, View};

use crate::value::Values;
use crate::value::post::Post;

/// Which infeasible prefix of a path is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Preference {
    /// The prefix with the first contradiction.
    #[default]
    First,
    /// The prefix with the last contradiction.
    Last,
    /// The prefix whose interpolants are needed for the fewest steps.
    ShortestInterpolant,
    /// The prefix whose interpolants are needed for the most steps.
    LongestInterpolant,
    /// The prefix that needs the fewest variables tracked.
    FewestVariables,
    /// The prefix that needs the fewest variables tracked which loops count with; of several such prefixes the one
    /// whose interpolants are needed for the fewest steps.
    FewestCounters,
    /// No prefix but the path as a whole, whose rest may contradict an interpolant anywhere (Beyer & Löwe
    /// 2012, Alg. 4, to the letter). What only an earlier contradiction needs is not tracked.
    Whole,
}

/// At most so many prefixes of a path are compared.
const MOST: usize = 12;

/// A path up to a contradiction.
#[derive(Default)]
pub(crate) struct Prefix {
    /// The step that contradicts.
    pub(crate) last: usize,
    /// Earlier steps that contradict too, whose conditions are passed over.
    pub(crate) skipped: FxHashSet<usize>,
    /// Whether any step may contradict, and not the last one alone.
    pub(crate) whole: bool,
}

impl Values<'_> {
    /// The infeasible prefixes of a path from which a preference chooses.
    pub(crate) fn prefixes_for(
        &mut self,
        stacks: &Stacks,
        path: &Path,
        preference: Preference,
    ) -> Vec<Prefix> {
        let only_first = matches!(preference, Preference::First | Preference::Whole);
        let mut found = self.prefixes(stacks, path, only_first);
        match preference {
            Preference::Last => drop(found.drain(..found.len().saturating_sub(1))),
            Preference::Whole => found.iter_mut().for_each(|first| {
                // The last step of a path that ends in something not modelled contradicts nothing.
                let after = 1 + usize::from(path.unsupported.is_some());
                let end = path.steps.len().saturating_sub(after);
                *first = Prefix { last: first.last.max(end), whole: true, ..std::mem::take(first) };
            }),
            _ => {}
        }
        found
    }

    /// The infeasible prefixes of a path, none if it contradicts itself nowhere. If only the first
    /// one is wanted, the others are not looked for.
    pub(crate) fn prefixes(
        &mut self,
        stacks: &Stacks,
        path: &Path,
        only_first: bool,
    ) -> Vec<Prefix> {
        let mut found = Vec::new();
        let mut skipped = FxHashSet::default();
        let mut state = self.start();
        for (index, step) in path.steps.iter().enumerate() {
            let at = path.context(stacks, index);
            let mut post = self.step(at, state, *step, false);
            // The last step of a path that ends in something not modelled does not contradict.
            let is_end = path.unsupported.is_some() && index + 1 == path.steps.len();
            if matches!(post, Post::Blocked) || matches!(post, Post::Invalid(_)) && !is_end {
                found.push(Prefix { last: index, skipped: skipped.clone(), whole: false });
                if only_first || found.len() >= MOST {
                    break;
                }
                skipped.insert(index);
                post = self.step(at, state, *step, true);
            }
            match post {
                Post::State(after) => state = after,
                Post::Blocked | Post::Invalid(_) | Post::Unsupported(..) => break,
            }
        }
        found
    }
}

/// The variables that loops count with: those that are computed from variables in a loop.
#[must_use]
pub fn counters(cfa: &Cfa, terms: &Terms) -> FxHashSet<Var> {
    let loops = Loops::of(cfa);
    let mut counters = FxHashSet::default();
    for edge in cfa.edges.iter() {
        if loops.innermost(edge.source).is_none() {
            continue;
        }
        for op in &edge.ops {
            if let Op::Assign { var, value } = op
                && computes(terms, *value)
            {
                counters.insert(*var);
            }
        }
    }
    counters
}

/// Whether a term does arithmetic with variables.
fn computes(terms: &Terms, term: TermId) -> bool {
    terms.post_order(&[term]).iter().any(|part| {
        let View::App(op, _) = terms.view(*part) else { return false };
        let arithmetic = matches!(
            op,
            TermOp::BvAdd
                | TermOp::BvSub
                | TermOp::BvMul
                | TermOp::BvNeg
                | TermOp::BvShl
                | TermOp::BvUdiv
                | TermOp::BvSdiv
                | TermOp::Add
                | TermOp::Sub
                | TermOp::Mul
        );
        arithmetic && !terms.vars(*part).is_empty()
    })
}
