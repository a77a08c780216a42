//! Explicit values. Beyer & Löwe 2012: states are abstract variable assignments, the precision is
//! the set of variables that are tracked, and refinement is interpolation without a solver.
//!
//! Values are exactly those of the machine: the terms are evaluated by the evaluator of `term`.
//!
//! [`Values`] is one type whose methods are spread over several files: this file has its fields, and each
//! of the other files adds the methods that the name of the file says. These methods call each other.

mod assume;
mod cell;
mod code;
mod cover;
mod enumerate;
mod eval;
mod explain;
mod functions;
mod interpolate;
mod layout;
mod memory;
mod narrow;
mod object;
mod post;
mod precision;
mod prefix;
mod refine;
mod relation;
mod relevance;
mod restrict;
mod sign;
mod sign_set;
mod state;
#[cfg(test)]
mod tests;
mod tree;

use std::collections::BTreeMap;
use std::rc::Rc;

use cfa::{Liveness, ObjectId, Points, Program};
use cpa::{Context, Cpa, NodeId, Step, Successors};
use run::Unknown;
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Evaluator, TermId, Var};

use crate::Mirrors;

use cell::Cells;
pub(crate) use cell::{Abstract, Background};
use code::Code;
pub(crate) use cover::Cover;
pub(crate) use enumerate::{Models, Open};
pub use functions::{Summarised, summarised};
pub(crate) use interpolate::Interpolants;
pub(crate) use layout::{Layout, Slot};
use object::Names;
pub use object::{Aspect, NameId, ObjectSite};
pub(crate) use post::{INVALID, Post, Stop};
pub use precision::{Precision, PrecisionScope, Tracked, Where};
pub use prefix::{Preference, counters};
pub use refine::Refine;
pub use state::State;
pub(crate) use state::{ValueId, Work};
pub use tree::{Forest, Tree, height};

/// The explicit-value analysis of a program.
pub struct Values<'p> {
    program: &'p Program,
    layout: Layout,
    liveness: Liveness,
    forest: Forest,
    cells: Cells,
    names: Names,
    evaluator: Evaluator,
    code: FxHashMap<TermId, Code>,
    /// The patches of objects by their offsets: their length and value.
    patches: FxHashMap<ObjectId, BTreeMap<u64, (u64, TermId)>>,
    /// The precision; without one, everything is tracked.
    precision: Option<Precision>,
    /// Parts of states that were restricted to the precision before, and the results.
    restricted: FxHashMap<precision::StatePart, Tree>,
    mirrors: Mirrors,
    /// Objects that variables point to which have been put aside, so that no other object may get their names.
    reserved: Rc<[NameId]>,
    /// Whether executions go on behind accesses at addresses that are numbers and not addresses of objects.
    goes_on: bool,
    /// Whether signs of numbers are kept, and whether the values of parameters at a return say something of the
    /// arguments.
    deduces: bool,
    /// Parameters that no operation assigns; none unless `deduces` is set.
    fixed: FxHashSet<Var>,
    /// Where addresses may point, if those from outside do not point to the program's objects.
    points: Option<Points>,
    /// The objects that addresses may point to.
    reaches: FxHashMap<TermId, Reach>,
}

/// The objects to which an address may point that explicit values do not know; `None` stands for all objects.
pub(crate) type Reach = Option<Rc<FxHashSet<ObjectSite>>>;

impl<'p> Values<'p> {
    /// The analysis with a precision, or one that tracks everything.
    #[must_use]
    pub fn new(program: &'p Program, precision: Option<Precision>) -> Self {
        Self {
            program,
            layout: Layout::of(&program.cfa),
            liveness: Liveness::of(&program.cfa, &program.terms),
            forest: Forest::default(),
            cells: Cells::default(),
            names: Names::default(),
            evaluator: Evaluator::new(),
            code: FxHashMap::default(),
            patches: FxHashMap::default(),
            precision,
            restricted: FxHashMap::default(),
            mirrors: Mirrors::new(),
            reserved: Rc::default(),
            goes_on: false,
            deduces: false,
            fixed: FxHashSet::default(),
            points: program.cfa.outside.map(|_| Points::of(program)),
            reaches: FxHashMap::default(),
        }
    }

    /// The analysis with variables that hold what loads find in memory.
    #[must_use]
    pub fn with_mirrors(mut self, mirrors: Mirrors) -> Self {
        self.mirrors = mirrors;
        self
    }

    /// The analysis with executions that go on behind accesses at addresses that are numbers and not addresses of
    /// objects. No proof rests on the end of an execution at such an access.
    #[must_use]
    pub fn going_on(mut self) -> Self {
        self.goes_on = true;
        self
    }

    /// The analysis with signs of numbers that are not known, and with what a call says of its arguments: a parameter
    /// that nothing assigns holds at the return what the argument was.
    #[must_use]
    pub fn deducing(mut self) -> Self {
        let cfa = &self.program.cfa;
        self.deduces = true;
        self.fixed = cfa.functions.iter().flat_map(|known| known.parameters.clone()).collect();
        for op in cfa.edges.iter().flat_map(|edge| &edge.ops) {
            op.assigned().iter().for_each(|var| {
                self.fixed.remove(var);
            });
        }
        self
    }

    /// The program.
    #[must_use]
    pub const fn program(&self) -> &'p Program {
        self.program
    }

    /// The precision; `None` if everything is tracked.
    #[must_use]
    pub fn precision(&self) -> Option<&Precision> {
        self.precision.as_ref()
    }

    /// How many nodes the trees of all states have.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.forest.size()
    }

    /// All trees of states.
    pub(crate) fn forest(&mut self) -> &mut Forest {
        &mut self.forest
    }

    /// The objects that an address may point to.
    pub(crate) fn reach(&mut self, address: TermId) -> Reach {
        let points = self.points.as_ref()?;
        let program = self.program;
        let sites = || points.pointees(program, address).sites.into_iter().collect();
        self.reaches.entry(address).or_insert_with(|| Some(Rc::new(sites()))).clone()
    }

    /// The objects that an address may point to, without keeping the answer: the address is asked for once.
    pub(crate) fn pointees(&self, address: TermId) -> Option<Vec<ObjectSite>> {
        let points = self.points.as_ref()?;
        Some(points.pointees(self.program, address).sites)
    }

    /// Where an object began.
    pub(crate) fn site(&self, object: NameId) -> ObjectSite {
        self.names.name(object).site
    }

    /// The preferred of several interpolations.
    pub(crate) fn prefer(
        &mut self,
        preference: Preference,
        found: Vec<Interpolants>,
    ) -> Option<Interpolants> {
        let counters = counters(&self.program.cfa, &self.program.terms);
        preference.pick(found, &counters)
    }

    /// What is known before the first step.
    pub(crate) fn start(&mut self) -> State {
        let mut work = self.nothing();
        self.initial_memory(&mut work);
        self.close(&work)
    }

    /// A state that knows nothing, outside all functions.
    fn nothing(&self) -> Work {
        let function = self.program.cfa.start.unwrap_or_else(|| base::Id::from_index(0));
        Work {
            globals: Tree::EMPTY,
            locals: Tree::EMPTY,
            below: Tree::EMPTY,
            memory: Tree::EMPTY,
            function,
            depth: 0,
        }
    }
}

impl Cpa for Values<'_> {
    type State = State;
    type Bucket = Cover;
    type Halt = Unknown;

    fn initial(&mut self, context: Context<'_>) -> Result<State, Unknown> {
        let state = self.start();
        Ok(self.adjust(state, context))
    }

    fn post(
        &mut self,
        context: Context<'_>,
        state: &State,
        step: Step,
        found: &mut Successors<State>,
    ) -> Result<(), Unknown> {
        match self.step(context, *state, step, false) {
            Post::Blocked => {}
            Post::State(state) => {
                let state = self.adjust(state, context);
                found.states.push(state);
            }
            Post::Unsupported(state, reason) => found.unsupported.push((state, reason)),
            Post::Invalid(state) => found.unsupported.push((state, INVALID.to_owned())),
        }
        Ok(())
    }

    fn stop(&mut self, bucket: &mut Cover, state: &State) -> Result<Option<NodeId>, Unknown> {
        Ok(bucket.find(&self.forest, *state))
    }

    fn insert(&mut self, bucket: &mut Cover, state: &State, node: NodeId) {
        bucket.insert(&mut self.forest, *state, node);
    }

    fn remove(&mut self, bucket: &mut Cover, state: &State, node: NodeId) {
        bucket.remove(&self.forest, *state, node);
    }
}
