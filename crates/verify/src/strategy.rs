//! Which engine runs when: strategies are lists of stages.

use cfa::{AllocKind, Calls, Choice, Loops, Op, Program};
use domains::value;
use engines::bounded::Until;
use passes::Serves;

use crate::config::{Analysis, Config};
use crate::options::Product;

/// A stage of a strategy: an engine, and how much it may use.
#[derive(Clone, Debug)]
pub struct Stage {
    /// What runs.
    pub engine: Engine,
    /// Which part of the time that is left the stage may take.
    pub time: f64,
    /// To which part of the memory limit the process may grow meanwhile.
    pub memory: f64,
    /// When the stage is worth a try.
    pub when: When,
}

/// What runs in a stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Engine {
    /// Bounded model checking, taken up where an earlier stage ended.
    Unroll(Until),
    /// A proof by k-induction, for one `k`.
    Induct(u32),
    /// A proof by k-induction on the program with one step in place of each loop that has an exact summary, where the
    /// other stages are given the program as it is.
    InductWithSummaries(u32),
    /// A proof by k-induction on the program that is told what is known of the rounds of its loops.
    InductWithFacts(u32),
    /// Bounded model checking of the program with edges that take many rounds of its loops at once. It
    /// finds errors, and proves nothing.
    UnrollFast(Until),
    /// Runs with inputs that are drawn, each for so many edges at most. They find errors, and prove
    /// nothing.
    Try(u64),
    /// Proofs for the program with variables for some elements of its arrays.
    Arrays,
    /// Proofs for the program with variables for one of the many objects that it makes.
    Nodes,
    /// Proofs with contracts of functions.
    Contracts,
    /// Intervals. Where paths are not checked, they prove, and tell later stages what they know; otherwise they find
    /// errors, too.
    Intervals {
        /// Whether paths to errors are checked.
        checks_paths: bool,
    },
    /// Explicit values of everything.
    Values,
    /// Explicit values of everything, taken up where an earlier stage ended.
    ValuesInParts,
    /// Explicit values with refinement.
    RefinedValues,
    /// Explicit values with refinement and summaries of functions.
    Functions,
    /// Predicate abstraction.
    Predicates,
    /// Explicit values and predicates side by side.
    Product(Product),
    /// The backward analysis.
    Backward,
}

impl Engine {
    /// Which lane the engine belongs to, where several run side by side: those that look for errors, those that
    /// look for proofs, and explorations, which look for both.
    const fn lane(self) -> usize {
        match self {
            Engine::Unroll(_) | Engine::UnrollFast(_) | Engine::Try(_) => 0,
            Engine::Functions
            | Engine::Intervals { .. }
            | Engine::Induct(_)
            | Engine::InductWithSummaries(_)
            | Engine::InductWithFacts(_)
            | Engine::Arrays
            | Engine::Nodes
            | Engine::Contracts
            | Engine::Backward => 1,
            Engine::Values
            | Engine::ValuesInParts
            | Engine::RefinedValues
            | Engine::Predicates
            | Engine::Product(..) => 2,
        }
    }

    /// Whether the engine proves something of a program that passes have made. `Contracts` does so, too, and is left
    /// out: it runs only where contracts serve the program.
    const fn rewrites(self) -> bool {
        matches!(
            self,
            Engine::InductWithSummaries(_)
                | Engine::InductWithFacts(_)
                | Engine::Arrays
                | Engine::Nodes
        )
    }

    /// Whether the engine proves something of the program as it is given, with a certificate.
    const fn certifies(self) -> bool {
        matches!(
            self,
            Engine::Induct(_)
                | Engine::Values
                | Engine::ValuesInParts
                | Engine::RefinedValues
                | Engine::Product(..)
        )
    }

    /// The names of all engines.
    pub const NAMES: [&str; 16] = [
        "trial runs",
        "bounded model checking",
        "bounded model checking with many rounds at once",
        "intervals",
        "k-induction",
        "k-induction with summaries of loops",
        "k-induction with facts about rounds",
        "arrays by one element",
        "many objects by one of them",
        "contracts of functions",
        "explicit values",
        "explicit values with refinement",
        "explicit values with summaries of functions",
        "predicate abstraction",
        "explicit values and predicates",
        "backward analysis",
    ];

    /// The name of the engine, for people. All names are taken from the list, so that none is missing there.
    #[must_use]
    pub const fn name(self) -> &'static str {
        let [
            trials,
            bounded,
            fast,
            intervals,
            induction,
            summaries,
            facts,
            arrays,
            nodes,
            contracts,
            values,
            refined,
            functions,
            predicates,
            product,
            backward,
        ] = Self::NAMES;
        match self {
            Engine::Unroll(_) => bounded,
            Engine::Induct(_) => induction,
            Engine::InductWithSummaries(_) => summaries,
            Engine::InductWithFacts(_) => facts,
            Engine::UnrollFast(_) => fast,
            Engine::Try(_) => trials,
            Engine::Arrays => arrays,
            Engine::Nodes => nodes,
            Engine::Contracts => contracts,
            Engine::Intervals { .. } => intervals,
            Engine::Values | Engine::ValuesInParts => values,
            Engine::RefinedValues => refined,
            Engine::Functions => functions,
            Engine::Predicates => predicates,
            Engine::Product(..) => product,
            Engine::Backward => backward,
        }
    }
}

/// When a stage is worth a try.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// In any case.
    Always,
    /// Where the stage before ran out of time or memory.
    AfterLimit,
    /// Where explicit values had to stop before they came to an end.
    Unfinished,
    /// As long as executions are left that no unrolling has followed. The strategy ends otherwise.
    WhileUnrolling,
}

/// Most errors are reached within this many rounds.
const NEAR: u32 = 3;

/// How many steps are followed to errors that lie behind many rounds: each step takes any number of rounds that go the
/// same way.
const FAST: u32 = 6;

/// Where a proof by induction is not to be had at once, the program is unrolled until the unrolling has made this many
/// terms. Short recursion, and loops over short strings, are followed to their ends with far fewer terms.
const SHORT_TERMS: usize = 20_000;

/// A program without inputs is unrolled early until the unrolling has made this many terms: most of them are
/// constants.
const ONLY_TERMS: usize = 5_000;

/// How many edges a trial run takes that costs next to nothing.
const SHORT_RUN: u64 = 20_000;

/// How many edges a long trial run takes: programs that fill arrays of some hundred thousand elements end within this
/// number.
const LONG_RUN: u64 = 8_000_000;

/// How many variables of a program may be counters if the program is to have few states.
const FEW_COUNTERS: usize = 2;

/// Stages in their order. There may be infinitely many, unless they are tried briefly first.
pub(crate) struct Lane {
    /// The stages.
    pub(crate) stages: Box<dyn Iterator<Item = Stage> + Send>,
    /// Whether all stages share a short time first, where there is a long one.
    pub(crate) is_brief_first: bool,
}

/// A stage that may use all the time and all the memory that are left.
const fn whole(engine: Engine) -> Stage {
    Stage { engine, time: 1.0, memory: 1.0, when: When::Always }
}

/// The strategies that run side by side: one, unless there are threads for several.
pub(crate) fn lanes(program: &Program, config: &Config) -> Vec<Lane> {
    if config.analysis != Analysis::Auto || config.jobs < 2 {
        let is_brief_first = config.analysis == Analysis::Auto;
        return vec![Lane { stages: stages(program, config), is_brief_first }];
    }
    let mut lanes: [Vec<Stage>; 3] = Default::default();
    for stage in auto(program, config) {
        let lane = stage.engine.lane().min(config.jobs - 1);
        // A lane has fewer stages, which share the same time.
        let time = (2.0 * stage.time).min(MOST_TIME);
        lanes[lane].push(Stage { time, ..stage });
    }
    let filled = lanes.into_iter().filter(|lane| !lane.is_empty());
    let whole = filled.map(|mut lane| {
        lane.last_mut().into_iter().for_each(|last| last.time = 1.0);
        Lane { stages: Box::new(lane.into_iter()), is_brief_first: true }
    });
    whole.collect()
}

/// The most of the time that is left which a stage may take if other stages of its lane follow.
const MOST_TIME: f64 = 0.6;

/// The stages of an analysis, in order. There may be infinitely many.
fn stages(program: &Program, config: &Config) -> Box<dyn Iterator<Item = Stage> + Send> {
    let forward = &config.forward;
    match config.analysis {
        Analysis::Auto => Box::new(auto(program, config).into_iter()),
        Analysis::Bmc => {
            let until = Until { rounds: config.unroll, terms: None };
            Box::new([whole(Engine::Unroll(until))].into_iter())
        }
        Analysis::KInduction => Box::new(k_induction()),
        Analysis::Interval => {
            Box::new([whole(Engine::Intervals { checks_paths: true })].into_iter())
        }
        Analysis::Value => Box::new([whole(Engine::Values)].into_iter()),
        Analysis::ValueItp => {
            let engine =
                if forward.summarizes_calls { Engine::Functions } else { Engine::RefinedValues };
            Box::new([whole(engine)].into_iter())
        }
        Analysis::Predicate => Box::new([whole(Engine::Predicates)].into_iter()),
        Analysis::ValueItpPredicate => {
            let how = Product::preferred(forward.value_limit).leaving(forward.value_reach);
            Box::new([whole(Engine::Product(how))].into_iter())
        }
        Analysis::ValuePredicate => {
            let how = Product::with_all_values(forward.value_limit).leaving(forward.value_reach);
            Box::new([whole(Engine::Product(how))].into_iter())
        }
        Analysis::Product => Box::new([whole(Engine::Product(forward.product))].into_iter()),
        Analysis::Backward => Box::new([whole(Engine::Backward)].into_iter()),
    }
}

/// A little of everything, then bounded model checking for as long as there is time. Most errors are near. Most proofs
/// by induction need a small `k` or are not to be had; such a proof says more than that all rounds were followed, so
/// induction comes first where both would do. Explicit values suit programs whose control depends on flags, however
/// deep their errors are: all values at once, which needs no refinement, and then the values that refinement asks for.
/// Predicates take over where values are not enough, and predicates alone where that does not end (decision 12).
/// Programs that use memory of others, as drivers do, have many functions, and their flags depend on little: summaries
/// of functions answer in a moment, or not at all, so this stage is there only for such programs. Intervals cost next
/// to nothing: they prove what bounds of single variables are enough for, and tell k-induction the rest. In a program
/// without loops and recursion, one question to the solver decides everything, so bounded model checking gets most of
/// the time.
fn auto(program: &Program, config: &Config) -> Vec<Stage> {
    let always = |engine, time, memory| Stage { engine, time, memory, when: When::Always };
    let near = Until { rounds: Some(NEAR), terms: None };
    let fast = Until { rounds: Some(FAST), terms: Some(SHORT_TERMS) };
    let short = Until { rounds: None, terms: Some(SHORT_TERMS) };
    let preferred = Product::preferred(config.forward.value_limit);
    let few = has_few_states(program);
    // An exploration with few states comes to an end if it is given the time; predicates need little time if they help
    // at all.
    let (values, by_predicates) =
        if few { (Engine::ValuesInParts, (0.15, 0.1)) } else { (Engine::Values, (0.3, 0.8)) };
    let straight = program.cfa.outside.is_none() && has_no_cycle(program);
    let mut stages = vec![
        always(Engine::Unroll(near), if straight { 0.8 } else { 0.2 }, 0.4),
        always(Engine::Intervals { checks_paths: false }, 0.05, 0.4),
        always(Engine::Functions, 0.1, 0.4),
        always(Engine::Induct(0), 0.15, 0.5),
        always(Engine::InductWithSummaries(0), 0.1, 0.5),
        always(Engine::InductWithFacts(0), 0.1, 0.5),
        always(Engine::UnrollFast(fast), 0.1, 0.5),
        always(Engine::Try(SHORT_RUN), 0.2, 0.5),
        always(Engine::Arrays, 0.25, 0.5),
        always(Engine::Nodes, 0.25, 0.5),
        always(Engine::Unroll(short), 0.1, 0.5),
        always(Engine::Induct(1), 0.1, 0.5),
        always(values, 0.2, 0.5),
        always(Engine::Try(LONG_RUN), 0.15, 0.6),
        always(Engine::Product(preferred), by_predicates.0, 0.7),
        Stage {
            engine: Engine::Predicates,
            time: by_predicates.1,
            memory: 0.8,
            when: When::AfterLimit,
        },
        always(Engine::Induct(1), 0.2, 0.85),
        always(Engine::Induct(2), 0.2, 0.85),
        Stage { engine: values, time: 0.9, memory: 0.9, when: When::Unfinished },
        always(Engine::Unroll(Until::default()), 1.0, 1.0),
    ];
    if has_no_inputs(program) {
        // Without inputs, executions differ at most in values that the program has not set: the answer for a short
        // program is known when its executions were followed.
        let only = Until { rounds: None, terms: Some(ONLY_TERMS) };
        stages.insert(1, always(Engine::Unroll(only), 0.05, 0.4));
    }
    let recursive = Calls::of(&program.cfa).any_recursive();
    stages.retain(|stage| match stage.engine {
        Engine::Induct(_) => !straight,
        Engine::InductWithSummaries(_) => config.summaries.exact && config.certify,
        Engine::InductWithFacts(_) => config.summaries.over,
        Engine::UnrollFast(_) => config.summaries.under,
        Engine::Nodes => makes_objects(program),
        // There is a state for each stack of calls.
        Engine::Intervals { .. } => !recursive,
        Engine::Functions => program.cfa.outside.is_some(),
        _ => true,
    });
    if config.certify {
        // A proof about the program itself needs no trust in passes, and is often to be had in a moment.
        let first = stages.iter().position(|stage| stage.engine == values);
        stages[..first.unwrap_or(0)].sort_by_key(|stage| stage.engine.rewrites());
    }
    if let Some(serves) = passes::serve(program) {
        add_contracts(&mut stages, serves);
    }
    stages
}

/// The stages of `auto` that may have another proof if the proof that was found cannot be checked: stages that prove
/// something of programs which passes have made, without `Contracts`; and with `all` also stages that prove something
/// of the program itself.
pub(crate) fn other_proofs(program: &Program, config: &Config, all: bool) -> Vec<Stage> {
    let is_auto = config.analysis == Analysis::Auto;
    let stages = if is_auto { auto(program, config) } else { Vec::new() };
    let may_prove = |stage: &Stage| {
        let certifies = stage.engine.certifies() && stage.when == When::Always;
        stage.engine.rewrites() || (certifies && all)
    };
    stages.into_iter().filter(may_prove).collect()
}

/// Whether a program has neither loops nor recursion.
fn has_no_cycle(program: &Program) -> bool {
    !Calls::of(&program.cfa).any_recursive() && Loops::of(&program.cfa).loops.is_empty()
}

/// Whether nothing comes from outside of a program.
fn has_no_inputs(program: &Program) -> bool {
    let is_input = |op: &Op| match op {
        Op::Havoc { choice, .. }
        | Op::HavocMemory { choice, .. }
        | Op::HavocReachable { choice, .. } => *choice != Choice::Uninitialised,
        _ => false,
    };
    program.cfa.outside.is_none()
        && !program.cfa.edges.iter().any(|edge| edge.ops.iter().any(is_input))
}

/// Whether a program makes objects on the heap.
fn makes_objects(program: &Program) -> bool {
    let is_heap = |op: &Op| matches!(op, Op::Alloc { kind: AllocKind::Heap, .. });
    program.cfa.edges.iter().any(|edge| edge.ops.iter().any(is_heap))
}

/// Adds a stage for contracts of functions: for recursion, after the stage that looks for errors that are near; for a
/// large program, on which bounded model checking would not come to an end, as the first stage after trial runs.
fn add_contracts(stages: &mut Vec<Stage>, serves: Serves) {
    let always = |engine, time| Stage { engine, time, memory: 0.5, when: When::Always };
    let contracts = always(Engine::Contracts, 0.3);
    match serves {
        Serves::Recursion => stages.insert(1, contracts),
        Serves::Size => {
            stages.splice(0..0, [always(Engine::Try(SHORT_RUN), 0.05), contracts]);
        }
    }
}

/// Whether an exploration with explicit values is likely to come to an end: variables get constants, inputs and
/// copies, and next to nothing is computed in loops or kept in memory.
fn has_few_states(program: &Program) -> bool {
    let Program { cfa, terms, .. } = program;
    let has_memory = |op: &Op| matches!(op, Op::Store { .. } | Op::Alloc { .. } | Op::Fill { .. });
    cfa.edges.iter().all(|edge| !edge.ops.iter().any(has_memory))
        && value::counters(cfa, terms).len() <= FEW_COUNTERS
}

/// Bounded model checking up to `k` rounds and a proof for what comes after, with growing `k`.
fn k_induction() -> impl Iterator<Item = Stage> {
    let growing = std::iter::successors(Some(0u32), |k| Some(k.saturating_mul(3) / 2 + 1));
    growing.flat_map(|k| {
        let until = Until { rounds: Some(k.saturating_add(1)), terms: None };
        let unroll = Stage { when: When::WhileUnrolling, ..whole(Engine::Unroll(until)) };
        [unroll, whole(Engine::Induct(k))]
    })
}
