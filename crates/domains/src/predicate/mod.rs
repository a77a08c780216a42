//! Predicate abstraction. States are combinations of predicates (Graf & Saïdi 1997), computed at
//! the ends of blocks (Beyer, Keremoglu, Wendler 2010); the predicates come from interpolants of
//! error paths.
//!
//! Everything is bit-precise: terms are those of the program, and where the solver has no answer, a
//! combination of predicates counts as possible.

mod abstraction;
mod ask;
mod block;
mod combination;
mod cover;
mod diagram;
mod explain;
mod memo;
mod merge;
mod path;
mod pieces;
mod post;
mod precision;
mod refine;
mod refutations;
mod symbols;
#[cfg(test)]
mod tests;
mod values;
mod work;

use std::rc::Rc;

use base::IndexVec;
use cfa::{LocId, Program};
use cpa::{Context, Cpa, NodeId, Scan, StackId, Stacks, Step, Successors};
use run::{Budget, Unknown};
use rustc_hash::FxHashMap;
use smt::{FullSolver, Solver as _};
use term::{ParseError, TermId, Terms, Var};

pub use ask::Queries;
pub(crate) use ask::{Ask, Said};
pub use block::Blocks;
use block::{Block, BlockId, Graph, How, PointId};
pub use combination::Abstraction;
use combination::{Combination, Exactness};
use diagram::Diagrams;
use precision::Precision;
pub(crate) use refine::Sifted;
pub use refine::{Pieces, Refine};
pub use smt::Style;
use symbolic::is_deterministic;
use symbols::Symbols;
use work::Work;

use crate::Mirrors;
use crate::value::{PrecisionScope, Where};

/// How predicates are asked about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Which combinations of predicates a state can be.
    pub abstraction: Abstraction,
    /// Where blocks end.
    pub blocks: Blocks,
    /// Where a predicate that a refinement has learned is asked about.
    pub scope: PrecisionScope,
}

/// A predicate and where it is asked about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asked {
    /// Where the predicate is asked about.
    pub place: Where,
    /// The predicate as SMT-LIB text.
    pub formula: String,
}

/// What is known of executions at one place: a point in a block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State(PointId);

/// Where a state is in its block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Spot {
    /// At the start, with what is known there.
    Start(TermId),
    /// Inside the block, with the state that stands for this state after all merges.
    Inside(State),
}

/// The predicate analysis of a program.
pub struct Predicates<'p> {
    program: &'p Program,
    terms: Terms,
    symbols: Symbols,
    graph: Graph,
    precision: Precision,
    abstraction: Abstraction,
    blocks: Blocks,
    ends: IndexVec<LocId, bool>,
    deterministic: IndexVec<LocId, bool>,
    /// For each stack that was met: the stack below the topmost call, and how many activations there are.
    frames: FxHashMap<StackId, (StackId, u32)>,
    ask: Ask,
    diagrams: Diagrams,
    mirrors: Mirrors,
}

impl<'p> Predicates<'p> {
    /// The analysis, with no predicates yet.
    #[must_use]
    pub fn new(
        program: &'p Program,
        options: Options,
        solver: Box<dyn FullSolver>,
        budget: Budget,
    ) -> Self {
        let mut terms = program.terms.clone();
        let cfa = &program.cfa;
        let deterministic =
            cfa.locations.ids().map(|each| is_deterministic(cfa, &mut terms, each)).collect();
        let truth = terms.bool(true);
        Self {
            program,
            terms,
            symbols: Symbols::default(),
            graph: Graph::new(truth),
            precision: Precision::new(options.scope),
            abstraction: options.abstraction,
            blocks: options.blocks,
            ends: options.blocks.ends(cfa),
            deterministic,
            frames: FxHashMap::default(),
            ask: Ask::new(solver, budget),
            diagrams: Diagrams::default(),
            mirrors: Mirrors::new(),
        }
    }

    /// The analysis with variables that hold what loads find in memory.
    #[must_use]
    pub fn with_mirrors(mut self, mirrors: Mirrors) -> Self {
        self.mirrors = mirrors;
        self
    }

    /// Asks about a predicate from the start: a formula over globals and variables of one
    /// function, needed at a location. Gives whether it is new.
    pub fn track(&mut self, location: LocId, formula: TermId) -> bool {
        let cfa = &self.program.cfa;
        let mut images = FxHashMap::default();
        for var in self.terms.vars(formula) {
            if let cfa::Scope::Local(_) = cfa.variables[var].scope {
                let symbol = self.symbols.current(&mut self.terms, (1, var));
                images.insert(var, self.terms.var(symbol));
            }
        }
        let formula = self.terms.substitute(formula, &mut |var| images.get(&var).copied());
        self.precision.add(cfa, &mut self.terms, &self.symbols, location, formula)
    }

    /// Asks about predicates from the start, given as text in the form of [`Predicates::asked`]. Gives for each text
    /// whether it could be read.
    pub fn ask_about(&mut self, asked: &[Asked]) -> Vec<Result<(), ParseError>> {
        let cfa = &self.program.cfa;
        let named = |var: Var| (self.terms.var_name(var).to_owned(), var);
        let names: FxHashMap<String, Var> = cfa.variables.ids().map(named).collect();
        let Self { precision, terms, .. } = self;
        let read = |Asked { place, formula }: &Asked| {
            precision.read(cfa, terms, &names, (*place, formula))
        };
        asked.iter().map(read).collect()
    }

    /// The predicates that are asked about, as text.
    #[must_use]
    pub fn asked(&self) -> Vec<Asked> {
        let all = self.precision.texts(&self.terms).into_iter();
        all.map(|(place, formula)| Asked { place, formula }).collect()
    }

    /// Which combinations of predicates a state can be now. A refinement changes this if the kind of combinations that
    /// the options ask for is not enough.
    #[must_use]
    pub const fn abstraction(&self) -> Abstraction {
        self.abstraction
    }

    /// How many predicates there are.
    #[must_use]
    pub fn predicates(&self) -> usize {
        self.precision.len()
    }

    /// What was asked, and how it was answered.
    #[must_use]
    pub fn queries(&self) -> Queries {
        Queries { answered: self.ask.solver.statistics(), ..self.ask.queries }
    }

    /// The terms of states: those of the program, and those that the analysis has made.
    #[must_use]
    pub const fn terms(&self) -> &Terms {
        &self.terms
    }

    /// What is known at the start of the block that a state is in, and whether the state is that start.
    #[must_use]
    pub fn known(&self, state: State) -> (TermId, bool) {
        let point = &self.graph.points[state.0];
        (self.graph.blocks[point.block].known, point.how == How::Start)
    }

    /// Where a state is in its block.
    pub(crate) fn spot(&self, state: State) -> Spot {
        match self.known(state) {
            (known, true) => Spot::Start(known),
            (_, false) => Spot::Inside(State(self.graph.stands_for(state.0))),
        }
    }

    /// Whether the first of two states of one place stands for no more than the second, as far as
    /// is known.
    pub(crate) fn leq(&mut self, a: State, b: State) -> Result<bool, Unknown> {
        let (first, second) = (&self.graph.points[a.0], &self.graph.points[b.0]);
        match (first.how, second.how) {
            (How::Start, How::Start) => self.implies(first.block, second.block),
            (How::Start, _) | (_, How::Start) => Ok(false),
            _ => Ok(self.graph.stands_for(a.0) == b.0),
        }
    }

    /// The solver, and the terms that it is asked about.
    pub(crate) fn asking(&mut self) -> (&mut Ask, &mut Terms) {
        (&mut self.ask, &mut self.terms)
    }

    /// The predicates at a place.
    fn at(&mut self, stacks: &Stacks, location: LocId, stack: StackId) -> Vec<TermId> {
        let Self { precision, terms, symbols, program, .. } = self;
        precision.at(&program.cfa, terms, symbols, stacks, (location, stack))
    }

    /// What is known before a point, and what must hold to get there.
    fn formulas(&self, point: PointId) -> Vec<TermId> {
        let mut formulas = self.graph.conditions(point);
        formulas.push(self.graph.blocks[self.graph.points[point].block].known);
        formulas.retain(|each| !self.terms.is_true(*each));
        formulas.sort_unstable();
        formulas
    }

    /// Whether an execution may get to a point.
    fn is_possible(&mut self, point: PointId) -> Result<bool, Unknown> {
        let conditions = self.graph.conditions(point);
        let start = &self.graph.blocks[self.graph.points[point].block];
        let formulas = self.ask.on_the_way(&self.terms, &conditions, start.before());
        Ok(!matches!(self.ask.check(&self.terms, &formulas)?, Said::Unsat))
    }

    /// A formula over the symbols of values, with the values at a point in place of the symbols.
    fn after(&mut self, point: PointId, formula: TermId) -> TermId {
        let point = &self.graph.points[point];
        let key = (Rc::as_ptr(&point.values) as usize, point.stack, point.low, formula);
        if let Some(known) = self.graph.memo.after.get(&key) {
            return *known;
        }
        let work = Work::at(point);
        let mut values = FxHashMap::default();
        for symbol in self.terms.vars(formula) {
            if let Some(place) = self.symbols.place(&self.program.cfa, symbol) {
                let value = self.read(&work, place);
                values.insert(symbol, value);
            }
        }
        let after = self.terms.substitute(formula, &mut |var| values.get(&var).copied());
        self.graph.memo.after.insert(key, after);
        after
    }

    /// Ends a block at a point, and begins the next one.
    fn end(
        &mut self,
        context: Context<'_>,
        point: PointId,
        found: &mut Vec<State>,
    ) -> Result<(), Unknown> {
        let predicates: Rc<[TermId]> =
            self.at(context.stacks, context.location, context.stack).into();
        let asked: Vec<TermId> = predicates.iter().map(|each| self.after(point, *each)).collect();
        let conditions = self.graph.conditions(point);
        let start = &self.graph.blocks[self.graph.points[point].block];
        let (terms, kind) = (&mut self.terms, self.abstraction);
        let answer = self.ask.by_pieces(terms, kind, &conditions, start.before(), &asked)?;
        let Some(whole) = answer else { return Ok(()) };
        let depth = context.stacks.depth(context.stack) + 1;
        for mut combination in whole.states(self.abstraction) {
            let (known, diagram) =
                self.diagrams.known(&mut self.terms, &predicates, &mut combination);
            let block = Block {
                location: context.location,
                stack: context.stack,
                known,
                predicates: Rc::clone(&predicates),
                combination,
                diagram,
                from: Some(point),
            };
            found.push(State(self.graph.begin(block, depth)));
        }
        Ok(())
    }
}

impl Cpa for Predicates<'_> {
    type State = State;
    type Bucket = Scan<State>;
    type Halt = Unknown;

    fn initial(&mut self, context: Context<'_>) -> Result<State, Unknown> {
        let depth = context.stacks.depth(context.stack) + 1;
        self.frames.insert(context.stack, (context.stack, depth));
        let predicates = self.at(context.stacks, context.location, context.stack);
        // Whether each predicate can have either value was not asked.
        let combination = Combination::anything(predicates.len(), Exactness::Unclear);
        let block = Block {
            location: context.location,
            stack: context.stack,
            known: self.terms.bool(true),
            predicates: predicates.into(),
            combination,
            diagram: None,
            from: None,
        };
        Ok(State(self.graph.begin(block, depth)))
    }

    fn post(
        &mut self,
        context: Context<'_>,
        state: &State,
        step: Step,
        found: &mut Successors<State>,
    ) -> Result<(), Unknown> {
        let Some((point, unsupported)) = self.advance(state.0, step, context.stack) else {
            return Ok(());
        };
        if let Some(reason) = unsupported {
            if self.is_possible(point)? {
                found.unsupported.push((State(point), reason));
            }
        } else if self.program.cfa.locations[context.location].error {
            if self.is_possible(point)? {
                found.states.push(State(point));
            }
        } else if self.ends[context.location] {
            self.end(context, point, &mut found.states)?;
        } else {
            found.states.push(State(point));
        }
        Ok(())
    }

    fn merge(
        &mut self,
        bucket: &Scan<State>,
        state: &State,
    ) -> Result<Option<(NodeId, State)>, Unknown> {
        let partner = bucket.iter().find(|(other, _)| self.can_meet(*state, *other)).copied();
        Ok(partner.map(|(other, node)| (node, self.meet(other, *state))))
    }

    fn stop(&mut self, bucket: &mut Scan<State>, state: &State) -> Result<Option<NodeId>, Unknown> {
        let point = &self.graph.points[state.0];
        if point.how != How::Start {
            let whole = self.graph.stands_for(state.0);
            let mut nodes = bucket.iter();
            return Ok(nodes.find(|(other, _)| other.0 == whole).map(|(_, node)| *node));
        }
        let block = point.block;
        let others: Vec<(BlockId, NodeId)> = bucket
            .iter()
            .map(|(other, node)| (&self.graph.points[other.0], *node))
            .filter(|(other, _)| other.how == How::Start)
            .map(|(other, node)| (other.block, node))
            .collect();
        // The cheap question first.
        let known = self.graph.blocks[block].known;
        let same = |other: BlockId| self.graph.blocks[other].known == known;
        if let Some((_, node)) = others.iter().find(|(other, _)| same(*other)) {
            return Ok(Some(*node));
        }
        for (other, node) in others {
            if self.implies(block, other)? {
                return Ok(Some(node));
            }
        }
        Ok(None)
    }

    fn insert(&mut self, bucket: &mut Scan<State>, state: &State, node: NodeId) {
        bucket.insert(state, node);
    }

    fn remove(&mut self, bucket: &mut Scan<State>, _state: &State, node: NodeId) {
        bucket.remove(node);
    }
}
