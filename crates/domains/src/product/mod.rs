//! Explicit values with predicates beside them. Bajkai 2018, ch. 3 (product abstraction), and
//! Beyer & Löwe 2012, §III-F: values are tracked first, and a variable that has too many of them is
//! left to the predicates.

mod bucket;
mod enumerate;
mod explain;
mod refine;
mod strategy;
mod trace;

use cfa::FuncId;
use cpa::{Context, Cpa, NodeId, Step, Successors};
use run::Unknown;
use rustc_hash::FxHashSet;
use term::Var;

use crate::predicate::{self, Predicates};
use crate::value::{self, INVALID, Post, Tracked, ValueId, Values};
pub use bucket::Bucket;
use enumerate::{Enumerator, Listed};
pub use refine::{Phases, Refine, Rule};
pub use strategy::{Reach, Strategy};
pub use trace::TraceId;
use trace::{Census, Traces};

/// What is known of executions at one place, by values and by predicates.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// The explicit part.
    pub values: value::State,
    /// What predicates say.
    pub predicates: predicate::State,
    /// The values that are counted: those on the way to the state, or its own.
    trace: TraceId,
}

/// How variables are divided: which have explicit values, and which are left to the predicates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Division {
    /// The precision of the explicit values; without a precision, everything has explicit values.
    pub tracked: Option<value::Precision>,
    /// The variables that are left to the predicates everywhere, in order.
    pub dropouts: Vec<Var>,
    /// The variables that were left to the predicates and have values again, in order.
    pub taken_back: Vec<Var>,
}

/// The two analyses side by side.
pub struct Product<'p> {
    /// Explicit values.
    pub values: Values<'p>,
    /// Predicates.
    pub predicates: Predicates<'p>,
    strategy: Strategy,
    /// How many values a variable may have.
    limit: Option<usize>,
    /// Where a variable that had too many values is not tracked any more.
    reach: Reach,
    /// Variables that had too many values, and are not tracked anywhere.
    dropouts: FxHashSet<Var>,
    /// How variables were divided when the present exploration began, if variables have dropped out since.
    began: Option<Division>,
    /// Variables that had too many values on some path.
    left_on_paths: FxHashSet<Var>,
    /// With [`Strategy::Lazy`], the variables of which there is a state for each value; with other strategies this does
    /// not depend on the set.
    asked_again: FxHashSet<Var>,
    /// Variables that dropped out, and that predicates could not do without: they are tracked,
    /// however many values they have, and what cannot be evaluated stays unknown.
    taken_back: FxHashSet<Var>,
    enumerator: Enumerator,
    traces: Traces,
    /// The values in the graph.
    census: Census,
    /// Whether the states of covered nodes and of targets are counted among those of the graph.
    counts_all: bool,
}

impl<'p> Product<'p> {
    /// The two analyses, with a limit on the number of values that a variable has.
    #[must_use]
    pub fn new(
        values: Values<'p>,
        predicates: Predicates<'p>,
        strategy: Strategy,
        limit: Option<usize>,
    ) -> Self {
        Self {
            values,
            predicates,
            strategy,
            limit,
            reach: Reach::default(),
            dropouts: FxHashSet::default(),
            began: None,
            left_on_paths: FxHashSet::default(),
            asked_again: FxHashSet::default(),
            taken_back: FxHashSet::default(),
            enumerator: Enumerator::default(),
            traces: Traces::default(),
            census: Census::default(),
            counts_all: false,
        }
    }

    /// The analysis that counts the values of all states that were found since the graph was begun, whether these
    /// states are covered, are targets, or are cut off later (Alg. 3 to the letter).
    #[must_use]
    pub const fn counting_all(mut self) -> Self {
        self.counts_all = true;
        self
    }

    /// The analysis where a variable that has too many values is not tracked any more as far as `reach` says.
    #[must_use]
    pub const fn leaving(mut self, reach: Reach) -> Self {
        self.reach = reach;
        self
    }

    /// The analysis where some variables are left to the predicates from the start, and others keep their values,
    /// however many there are.
    #[must_use]
    pub fn knowing(mut self, dropouts: &[Var], taken_back: &[Var]) -> Self {
        self.taken_back.extend(taken_back);
        self.drop_out(dropouts);
        self.begin();
        self
    }

    /// How variables are divided when an exploration begins. Variables that dropped out in the last exploration are not
    /// among the dropouts: no refinement has asked for predicates about them, and what was found while they had values
    /// may need these values.
    #[must_use]
    pub fn known(&self) -> Division {
        self.began.clone().unwrap_or_else(|| self.known_now())
    }

    fn known_now(&self) -> Division {
        let sorted = |vars: &FxHashSet<Var>| {
            let mut all: Vec<Var> = vars.iter().copied().collect();
            all.sort_unstable();
            all
        };
        Division {
            tracked: self.values.precision().cloned(),
            dropouts: sorted(&self.dropouts),
            taken_back: sorted(&self.taken_back),
        }
    }

    /// Begins an exploration with what is known now.
    fn begin(&mut self) {
        self.began = None;
    }

    /// The variables that are left to the predicates, everywhere or on some path, in order.
    #[must_use]
    pub fn dropouts(&self) -> Vec<Var> {
        let mut all: Vec<Var> = self.dropouts.union(&self.left_on_paths).copied().collect();
        all.sort_unstable();
        all
    }

    fn is_dropped(&self, what: Tracked) -> bool {
        matches!(what, Tracked::Variable(var) if self.dropouts.contains(&var))
    }

    /// Whether something is not tracked any more on the way to a state.
    fn is_left_at(&self, state: &State, what: Tracked) -> bool {
        let Tracked::Variable(var) = what else { return false };
        self.reach == Reach::Path && self.has_many(state.trace, var)
    }

    /// Tracks variables again that had dropped out, and gives these variables.
    fn take_back(&mut self, needed: &[Tracked]) -> Vec<Var> {
        let mut back = Vec::new();
        for what in needed {
            if let Tracked::Variable(var) = what
                && self.dropouts.remove(var)
            {
                self.taken_back.insert(*var);
                back.push(*var);
            }
        }
        back
    }

    /// Whether a variable may drop out.
    fn may_drop_out(&self, var: Var) -> bool {
        !self.dropouts.contains(&var) && !self.taken_back.contains(&var)
    }

    fn drop_out(&mut self, vars: &[Var]) {
        if !vars.is_empty() && self.began.is_none() {
            self.began = Some(self.known_now());
        }
        for var in vars {
            self.dropouts.insert(*var);
            self.values.untrack(Tracked::Variable(*var));
        }
    }

    /// The explicit successors of a state along a step. If variables have too many values, they drop out, and the
    /// successors are computed again.
    fn successors(
        &mut self,
        context: Context<'_>,
        functions: &[FuncId],
        state: &State,
        step: Step,
    ) -> Result<Vec<Post>, Unknown> {
        let mut left = Vec::new();
        if self.strategy == Strategy::Path {
            let many = self.many_on_path(state.trace);
            match self.reach {
                Reach::Everywhere => self.drop_out(&many),
                Reach::Path => {
                    self.left_on_paths.extend(&many);
                    left = many;
                }
            }
        }
        loop {
            let (mut posts, mut many) = match self.limit {
                Some(limit) if self.strategy.enumerates() => {
                    self.enumerate(context, state.values, step, limit)?
                }
                _ => (vec![self.values.step(context, state.values, step, false)], Vec::new()),
            };
            for post in &mut posts {
                if let Post::State(found) = post {
                    *found = self.values.adjust(*found, context);
                    if !left.is_empty() {
                        *found = self.values.without(*found, functions, &left);
                    }
                }
            }
            if many.is_empty() {
                many = self.many_among(state.trace, &posts, functions);
            }
            if many.is_empty() {
                return Ok(posts);
            }
            self.drop_out(&many);
        }
    }

    /// The successors with a state for each value of what cannot be evaluated, or the variables
    /// that have too many for that.
    fn enumerate(
        &mut self,
        context: Context<'_>,
        state: value::State,
        step: Step,
        limit: usize,
    ) -> Result<(Vec<Post>, Vec<Var>), Unknown> {
        let Self { values, predicates, strategy, enumerator, .. } = self;
        let (dropouts, asked_again, taken_back) =
            (&self.dropouts, &self.asked_again, &self.taken_back);
        let mut many = Vec::new();
        let posts = values.step_each(context, state, step, &mut |values, work, open| {
            if !many.is_empty() {
                return Ok(None);
            }
            let told_apart = |var: Var| {
                values.tracks(context.location, var)
                    && !dropouts.contains(&var)
                    && !taken_back.contains(&var)
                    && (*strategy != Strategy::Lazy || asked_again.contains(&var))
            };
            let listed =
                enumerator.list(predicates.asking(), values, (work, open), limit, &told_apart)?;
            Ok(match listed {
                Listed::All(models) => Some(models),
                Listed::Many(vars) => {
                    many = vars;
                    None
                }
                Listed::Unknown => None,
            })
        })?;
        Ok((posts, many))
    }

    /// The variables that are tracked and have too many values on the way to a state.
    fn many_on_path(&self, trace: TraceId) -> Vec<Var> {
        let vars = self.traces.get(trace).keys();
        vars.filter(|var| self.has_many(trace, **var) && self.may_drop_out(**var))
            .copied()
            .collect()
    }

    /// Whether a variable has too many values on the way to a state.
    fn has_many(&self, trace: TraceId, var: Var) -> bool {
        let values = self.traces.get(trace).get(&var);
        self.limit.zip(values).is_some_and(|(limit, values)| values.len() > limit)
    }

    /// The variables that have too many values once the successors of a state are counted.
    fn many_among(&mut self, trace: TraceId, posts: &[Post], functions: &[FuncId]) -> Vec<Var> {
        let Some(limit) = self.limit else { return Vec::new() };
        let few = match self.strategy {
            Strategy::State | Strategy::Lazy => posts.len() <= limit,
            Strategy::Path => true,
            Strategy::PathEnum | Strategy::Arg => false,
        };
        if few {
            return Vec::new();
        }
        let mut found: Vec<(Var, ValueId)> = Vec::new();
        for post in posts {
            if let Post::State(state) = post {
                found.extend(self.values.values_of(*state, functions));
            }
        }
        found.sort_unstable();
        found.dedup();
        let old = self.traces.get(trace);
        let mut many = Vec::new();
        for same in found.chunk_by(|a, b| a.0 == b.0) {
            let var = same[0].0;
            let (before, new) = match self.strategy {
                Strategy::Arg => (
                    self.census.count(var),
                    same.iter().filter(|(_, value)| !self.census.has(var, *value)).count(),
                ),
                Strategy::PathEnum => {
                    let known = old.get(&var).map_or(&[][..], |known| &known[..]);
                    let new = same.iter().filter(|(_, value)| !known.contains(value)).count();
                    (known.len(), new)
                }
                Strategy::State | Strategy::Lazy | Strategy::Path => (0, same.len()),
            };
            if before + new > limit && self.may_drop_out(var) {
                many.push(var);
            }
        }
        many
    }

    /// The values that are counted for a successor of a state.
    fn trace(&mut self, before: TraceId, state: value::State, functions: &[FuncId]) -> TraceId {
        let before = match self.strategy {
            _ if self.limit.is_none() => return Traces::NOTHING,
            Strategy::Path | Strategy::PathEnum => before,
            Strategy::Arg => Traces::NOTHING,
            Strategy::State | Strategy::Lazy => return Traces::NOTHING,
        };
        let own = self.values.values_of(state, functions);
        self.traces.extend(before, &own)
    }

    fn functions(&self, context: Context<'_>) -> Vec<FuncId> {
        let cfa = &self.values.program().cfa;
        context.stacks.functions(cfa, context.location, context.stack).collect()
    }
}

impl Cpa for Product<'_> {
    type State = State;
    type Bucket = Bucket;
    type Halt = Unknown;

    fn initial(&mut self, context: Context<'_>) -> Result<State, Unknown> {
        let values = self.values.initial(context)?;
        let predicates = self.predicates.initial(context)?;
        let functions = self.functions(context);
        let trace = self.trace(Traces::NOTHING, values, &functions);
        if self.counts_all {
            self.census = Census::default();
            self.census.add(self.traces.get(trace));
        }
        Ok(State { values, predicates, trace })
    }

    fn post(
        &mut self,
        context: Context<'_>,
        state: &State,
        step: Step,
        found: &mut Successors<State>,
    ) -> Result<(), Unknown> {
        let functions = self.functions(context);
        let first = self.successors(context, &functions, state, step)?;
        if first.iter().all(|post| matches!(post, Post::Blocked)) {
            return Ok(());
        }
        let mut second = Successors::new();
        self.predicates.post(context, &state.predicates, step, &mut second)?;
        for post in first {
            let post = match post {
                Post::Invalid(values) => Post::Unsupported(values, INVALID.to_owned()),
                other => other,
            };
            match post {
                Post::Blocked | Post::Invalid(_) => {}
                // A step that one of the two analyses does not understand is not understood, unless the other analysis
                // excludes the step.
                Post::Unsupported(values, reason) => {
                    let mut others =
                        second.states.iter().chain(second.unsupported.iter().map(|(at, _)| at));
                    if let Some(predicates) = others.next().copied() {
                        let state = State { values, predicates, trace: Traces::NOTHING };
                        found.unsupported.push((state, reason));
                    }
                }
                Post::State(values) => {
                    let trace = self.trace(state.trace, values, &functions);
                    if self.counts_all {
                        self.census.add(self.traces.get(trace));
                    }
                    for (predicates, reason) in &second.unsupported {
                        let state = State { values, predicates: *predicates, trace };
                        found.unsupported.push((state, reason.clone()));
                    }
                    let pair = |predicates: &predicate::State| State {
                        values,
                        predicates: *predicates,
                        trace,
                    };
                    found.states.extend(second.states.iter().map(pair));
                }
            }
        }
        Ok(())
    }

    fn merge(
        &mut self,
        bucket: &Bucket,
        state: &State,
    ) -> Result<Option<(NodeId, State)>, Unknown> {
        let Some((other, node)) = bucket.partner(&self.predicates, state) else { return Ok(None) };
        let predicates = self.predicates.meet(other.predicates, state.predicates);
        // A variable that has too many values on some way to the state is left to the predicates on all of these ways.
        let trace = match self.reach {
            Reach::Path => self.traces.join(other.trace, state.trace),
            Reach::Everywhere => state.trace,
        };
        Ok(Some((node, State { predicates, trace, ..*state })))
    }

    fn stop(&mut self, bucket: &mut Bucket, state: &State) -> Result<Option<NodeId>, Unknown> {
        bucket.find((&mut self.values, &mut self.predicates), state)
    }

    fn insert(&mut self, bucket: &mut Bucket, state: &State, node: NodeId) {
        bucket.insert((&mut self.values, &self.predicates), state, node);
        if self.strategy == Strategy::Arg && !self.counts_all {
            self.census.add(self.traces.get(state.trace));
        }
    }

    fn remove(&mut self, bucket: &mut Bucket, state: &State, node: NodeId) {
        bucket.remove((&mut self.values, &self.predicates), state, node);
        if self.strategy == Strategy::Arg && !self.counts_all {
            self.census.remove(self.traces.get(state.trace));
        }
    }
}
