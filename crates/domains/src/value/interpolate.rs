//! Interpolants along a path: the loop over the path of Beyer & Löwe 2012, Alg. 4 (`interpolate`), and for each place
//! on it what the contradiction behind it needs, Alg. 3 (`minimise`).

use cfa::FuncId;
use cpa::{Path, Stacks, Step};
use run::{Budget, Exceeded, Notes};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use term::Var;

use crate::explain::Explain as _;
use crate::value::Values;
use crate::value::cell::Cell;
use crate::value::object::Aspect;
use crate::value::post::Post;
use crate::value::precision::Tracked;
use crate::value::prefix::{Preference, Prefix};
use crate::value::relevance::{Relevance, Relevant};
use crate::value::state::{Fact, State};
use crate::value::tree::UNKNOWN;

/// For each node of a path what must be tracked there, so that the path is not found again.
pub(crate) struct Interpolants {
    /// By the index of the node; nothing is needed after the last entry.
    pub(crate) needed: Vec<Vec<Tracked>>,
    /// The interpolants themselves.
    pub(crate) states: Vec<State>,
}

impl Interpolants {
    /// Everything that is needed somewhere, once.
    pub(crate) fn tracked(&self) -> Vec<Tracked> {
        let mut all: Vec<Tracked> = self.needed.iter().flatten().copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// At how many nodes something is needed.
    pub(crate) fn length(&self) -> usize {
        self.needed.iter().filter(|needed| !needed.is_empty()).count()
    }
}

impl Preference {
    /// Picks one of several sequences of interpolants.
    pub(crate) fn pick(
        self,
        found: Vec<Interpolants>,
        counters: &FxHashSet<Var>,
    ) -> Option<Interpolants> {
        let loops = |each: &Interpolants| {
            let counts =
                |what: &&Tracked| matches!(what, Tracked::Variable(var) if counters.contains(var));
            each.tracked().iter().filter(counts).count()
        };
        let mut found = found.into_iter();
        match self {
            Preference::First | Preference::Whole => found.next(),
            Preference::Last => found.last(),
            Preference::ShortestInterpolant => found.min_by_key(Interpolants::length),
            Preference::LongestInterpolant => {
                found.min_by_key(|each| std::cmp::Reverse(each.length()))
            }
            Preference::FewestVariables => found.min_by_key(|each| each.tracked().len()),
            Preference::FewestCounters => found.min_by_key(|each| (loops(each), each.length())),
        }
    }
}

/// A path whose prefix is infeasible, and the part of it that matters.
struct Suffix<'a> {
    stacks: &'a Stacks,
    path: &'a Path,
    prefix: &'a Prefix,
    /// The steps to be executed, in order.
    steps: Vec<usize>,
    /// The activations at each node.
    frames: Frames,
    budget: &'a Budget,
}

/// Which activations there are at each node of a path, and where they end.
struct Frames {
    /// By the node: the innermost call that has not returned, by its number.
    innermost: Vec<Option<usize>>,
    /// For each call the step that returns from it, if there is one, and the call around it.
    calls: Vec<(Option<usize>, Option<usize>)>,
}

impl Frames {
    fn of(path: &Path) -> Self {
        let mut calls: Vec<(Option<usize>, Option<usize>)> = Vec::new();
        let mut current = None;
        let mut innermost = vec![None];
        for (index, step) in path.steps.iter().enumerate() {
            let is_other = path.places[index + 1].stack != path.places[index].stack;
            match (step, current) {
                (Step::Return(_), Some(call)) => {
                    let (end, around): &mut (Option<usize>, Option<usize>) = &mut calls[call];
                    *end = Some(index);
                    current = *around;
                }
                (Step::Edge(_), _) if is_other => {
                    calls.push((None, current));
                    current = Some(calls.len() - 1);
                }
                _ => {}
            }
            innermost.push(current);
        }
        Self { innermost, calls }
    }

    /// The steps that end the activations at a node, in order.
    fn ends(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let first = self.innermost.get(node).copied().flatten();
        let calls = std::iter::successors(first, |call| self.calls[*call].1);
        calls.map_while(|call| self.calls[call].0)
    }
}

impl Values<'_> {
    /// Notes what interpolants say.
    pub(crate) fn note_interpolants(
        &self,
        stacks: &Stacks,
        path: &Path,
        found: &Interpolants,
        notes: &mut Notes,
    ) {
        for (node, state) in found.states.iter().enumerate() {
            let functions = self.functions(stacks, path, node);
            let lines = self.lines(state, &functions);
            if !lines.is_empty() {
                notes.interpolants.push((node, lines.join(" && ")));
            }
        }
    }

    /// Inductive interpolants along a prefix.
    ///
    /// # Errors
    /// If a limit is passed.
    pub(crate) fn interpolate(
        &mut self,
        stacks: &Stacks,
        path: &Path,
        prefix: &Prefix,
        budget: &Budget,
    ) -> Result<Interpolants, Exceeded> {
        let slice = Relevance::of(self.program, &self.mirrors, stacks, path, prefix.last);
        let marked = (0..=prefix.last).filter(|index| slice.steps[*index]).collect();
        let frames = Frames::of(path);
        let mut suffix = Suffix { stacks, path, prefix, steps: marked, frames, budget };
        let start = self.start();
        // If any step of the prefix may contradict, the slice for the last step says nothing.
        let sliced = !prefix.whole && self.contradicts(&suffix, 0, start);
        if !sliced {
            // The slice leaves something out that matters.
            suffix.steps = (0..=prefix.last).collect();
        }
        let mut relevant = slice.relevant();
        let mut needed = Vec::with_capacity(prefix.last + 1);
        let mut interpolant = start;
        let mut functions: Vec<FuncId> = self.functions(stacks, path, 0);
        interpolant =
            self.minimise(&suffix, 0, interpolant, &functions, sliced.then_some(&relevant), true);
        needed.push(self.needed(interpolant, &functions));
        let mut states = vec![interpolant];
        for index in 0..prefix.last {
            budget.check()?;
            let at = path.context(stacks, index);
            let lenient = prefix.skipped.contains(&index);
            let Post::State(after) = self.step(at, interpolant, path.steps[index], lenient) else {
                // The interpolant contradicts an earlier step: nothing is needed after it.
                break;
            };
            relevant.advance();
            if path.places[index].stack != path.places[index + 1].stack {
                functions = self.functions(stacks, path, index + 1);
            }
            let changed = after != interpolant;
            let relevant = sliced.then_some(&relevant);
            interpolant = self.minimise(&suffix, index + 1, after, &functions, relevant, changed);
            needed.push(self.needed(interpolant, &functions));
            states.push(interpolant);
        }
        Ok(Interpolants { needed, states })
    }

    fn functions(&self, stacks: &Stacks, path: &Path, node: usize) -> Vec<FuncId> {
        let place = path.places[node];
        stacks.functions(&self.program.cfa, place.location, place.stack).collect()
    }

    fn needed(&self, state: State, functions: &[FuncId]) -> Vec<Tracked> {
        let mut needed = Vec::new();
        for (fact, id) in self.facts(state, functions) {
            needed.push(self.tracked(fact, functions));
            // A distance says something of two variables, so both are needed.
            if let Some(Cell::Distance(distance)) = self.cells.get(id) {
                needed.push(Tracked::Variable(distance.base));
            }
        }
        needed
    }

    /// Whether the rest of the prefix from a step on contradicts a state.
    fn contradicts(&mut self, suffix: &Suffix<'_>, from: usize, state: State) -> bool {
        let first = suffix.steps.partition_point(|step| *step < from);
        // An activation at the node ends even if nothing in it matters.
        let ends = suffix.frames.ends(from).filter(|end| suffix.steps.binary_search(end).is_err());
        let mut steps: SmallVec<[usize; 16]> =
            ends.filter(|end| *end <= suffix.prefix.last).collect();
        let has_ends = !steps.is_empty();
        let sliced = &suffix.steps[first..];
        if has_ends {
            steps.extend_from_slice(sliced);
            steps.sort_unstable();
        }
        let mut state = state;
        for index in if has_ends { &steps[..] } else { sliced } {
            let at = suffix.path.context(suffix.stacks, *index);
            let lenient = suffix.prefix.skipped.contains(index);
            match self.step(at, state, suffix.path.steps[*index], lenient) {
                Post::Blocked | Post::Invalid(_) => return true,
                Post::State(after) => state = after,
                Post::Unsupported(..) => return false,
            }
        }
        false
    }

    /// A weaker state that the rest of the prefix still contradicts: facts that the contradiction does not need are
    /// left out. If the step has changed nothing, all facts that are still relevant are kept, for they were needed
    /// before the step.
    fn minimise(
        &mut self,
        suffix: &Suffix<'_>,
        from: usize,
        state: State,
        functions: &[FuncId],
        relevant: Option<&Relevant<'_>>,
        changed: bool,
    ) -> State {
        let mut state = state;
        let mut facts = self.facts(state, functions);
        if let Some(relevant) = relevant {
            // The topmost activation is as deep as there are callers.
            let top = functions.len() as u32 - 1;
            facts.retain(|(fact, _)| {
                let kept = match self.tracked(*fact, functions) {
                    Tracked::Memory(..) => relevant.memory(),
                    Tracked::Variable(var) => {
                        let depth = match fact {
                            Fact::Local(up, _) => Some(top - up),
                            _ => None,
                        };
                        relevant.variable((depth, var))
                    }
                };
                if !kept {
                    state = self.with_fact(state, functions, *fact, UNKNOWN);
                }
                kept
            });
        }
        if !changed {
            return state;
        }
        if !self.mirrors.is_empty() {
            // A variable that holds the same value is less to track than memory and the pointers to it, so facts about
            // memory are left out first.
            facts.sort_by_key(|(fact, _)| !matches!(fact, Fact::Memory(_)));
        }
        for (fact, _) in facts {
            if suffix.budget.exceeded().is_some() {
                break;
            }
            let without = self.with_fact(state, functions, fact, UNKNOWN);
            if self.contradicts(suffix, from, without) {
                state = without;
            } else if let Fact::Memory(index) = fact
                && self.names.at(index).1 == Aspect::Background
            {
                state = self.minimise_background(suffix, from, state, functions, index);
            }
        }
        state
    }

    /// Replaces the fact that says what an object was filled with by values of stretches of the object: those that the
    /// contradiction needs. If these values are not enough, the state stays as it is.
    fn minimise_background(
        &mut self,
        suffix: &Suffix<'_>,
        from: usize,
        state: State,
        functions: &[FuncId],
        index: u32,
    ) -> State {
        // Depth and function are of no concern to memory.
        let mut work = self.open(state, functions[0], 0);
        let (object, _) = self.names.at(index);
        let all: Vec<(u64, u32, u32)> = self.names.stretches(object).collect();
        let stretches: Vec<(u64, u32)> =
            all.iter().map(|(offset, length, _)| (*offset, *length)).collect();
        self.spell_out(&mut work, index, &stretches);
        let mut spelled = self.close(&work);
        if !self.contradicts(suffix, from, spelled) {
            return state;
        }
        for (_, _, at) in all {
            if suffix.budget.exceeded().is_some() {
                break;
            }
            let without = self.with_fact(spelled, functions, Fact::Memory(at), UNKNOWN);
            if without != spelled && self.contradicts(suffix, from, without) {
                spelled = without;
            }
        }
        spelled
    }
}
