//! The options of a run for the exploration and the refinement of abstract domains.

use std::time::{Duration, Instant};

use cpa::{Prune, Traversal};
use domains::Precision;
use domains::predicate::{Abstraction, Blocks, Pieces, Style};
use domains::product::{Reach, Rule, Strategy};
use domains::value::{PrecisionScope, Preference};

/// How an abstract domain is explored and refined.
#[derive(Clone, Debug, Default)]
pub struct Forward {
    /// The order in which nodes are expanded; if nothing is said, what suits the domain.
    pub traversal: Option<Traversal>,
    /// How much of the graph a refinement throws away.
    pub prune: Prune,
    /// How far what a refinement learns reaches.
    pub scope: PrecisionScope,
    /// Which infeasible prefix a refinement looks at.
    pub preference: Preference,
    /// What is tracked from the start.
    pub precision: Option<Precision>,
    /// How much the graph is to say of what its states know, for a drawing.
    pub told: Told,
    /// The exploration ends when this many nodes have been added.
    pub nodes: Option<u64>,
    /// Whether explicit values with refinement find out once what a function does from a state on.
    pub summarizes_calls: bool,
    /// How predicates are found and asked about.
    pub predicate: Predicate,
    /// Which variables product abstraction leaves to predicates.
    pub product: Product,
    /// How many values EXPLitp-PRED tracks of a variable.
    pub value_limit: Option<usize>,
    /// Where EXPLitp-PRED stops to track a variable that has had more than `value_limit` values.
    pub value_reach: Reach,
}

/// How much a graph says of what its states know.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Told {
    /// How many nodes have their states told.
    pub nodes: usize,
    /// The most time that telling takes after the time of the exploration is over.
    pub time: Duration,
}

impl Told {
    /// The most time that telling takes after a user has interrupted the run.
    const AFTER_INTERRUPT: Duration = Duration::from_millis(100);

    /// The moment at which telling ends, for an exploration that was to end at `deadline`. A drawing of what is told
    /// may take as long again.
    #[must_use]
    pub fn until(self, deadline: Option<Instant>, is_interrupted: bool) -> Option<Instant> {
        let now = Instant::now();
        match is_interrupted {
            true => Some(now + self.time.min(Self::AFTER_INTERRUPT)),
            false => deadline.map(|deadline| deadline.max(now + self.time)),
        }
    }
}

/// How predicates are found and asked about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Predicate {
    /// Which combinations of predicates a state can be; if nothing is said, the abstraction that has proved best.
    pub abstraction: Option<Abstraction>,
    /// Where blocks end; if nothing is said, what has proved best.
    pub blocks: Option<Blocks>,
    /// Which interpolants are wanted.
    pub style: Style,
    /// Which parts of an interpolant become predicates.
    pub pieces: Pieces,
    /// Whether no other interpolants, abstractions or blocks than those that were asked for are tried where these do
    /// not exclude a path; the path then stays.
    pub strict: bool,
}

impl Predicate {
    /// As Theta did it in 2018 (Bajkai 2018, ch. 4): abstraction after every edge, conjunctions of
    /// predicates, and nothing else.
    pub const THETA: Self = Self {
        abstraction: Some(Abstraction::Cartesian),
        blocks: Some(Blocks::Edge),
        style: Style::Newton,
        pieces: Pieces::Atoms,
        strict: true,
    };

    /// As CPA-PRED does it (Beyer & Löwe 2012, §IV): any combination of predicates, at loops and functions
    /// ("ABE-lf").
    pub const BY_LOOPS_AND_FUNCTIONS: Self = Self {
        abstraction: Some(Abstraction::Boolean),
        blocks: Some(Blocks::LoopAndFunction),
        style: Style::Auto,
        pieces: Pieces::Atoms,
        strict: false,
    };
}

/// Which variables are left to the predicates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Product {
    /// How the values of a variable are counted.
    pub strategy: Strategy,
    /// How many values a variable may have.
    pub limit: Option<usize>,
    /// What a refinement learns.
    pub rule: Rule,
    /// Whether the values of all variables are tracked from the start, and not only of those that refinements ask for.
    pub everything: bool,
    /// Where a variable that has too many values is not tracked any more.
    pub reach: Reach,
}

impl Product {
    /// How many values a variable may have if nothing is said (Bajkai 2018, §4.1).
    pub const LIMIT: usize = 5;
    /// How many values a variable may have with EXPLitp-PRED if nothing is said.
    pub const VALUE_LIMIT: usize = 32;

    /// Product abstraction (Bajkai 2018, ch. 3).
    #[must_use]
    pub const fn new(strategy: Strategy, limit: usize) -> Self {
        let (rule, reach) = (Rule::Dropouts, Reach::Everywhere);
        Self { strategy, limit: Some(limit), rule, everything: false, reach }
    }

    /// Product abstraction to the letter of the report.
    #[must_use]
    pub const fn to_the_letter(self) -> Self {
        Self { rule: Rule::Report, ..self }
    }

    /// EXPLitp-PRED (Beyer & Löwe 2012, §III-F), with a limit if one is given.
    #[must_use]
    pub fn preferred(limit: Option<usize>) -> Self {
        let limit = Some(limit.unwrap_or(Self::VALUE_LIMIT));
        let (rule, reach) = (Rule::Preferred, Reach::Everywhere);
        Self { strategy: Strategy::Path, limit, rule, everything: false, reach }
    }

    /// These options, except that a variable which has too many values is not tracked any more where `reach` says.
    #[must_use]
    pub const fn leaving(self, reach: Reach) -> Self {
        Self { reach, ..self }
    }

    /// EXPL-PRED (Beyer & Löwe 2012, Table II): refinements learn nothing but predicates.
    #[must_use]
    pub(crate) fn with_all_values(limit: Option<usize>) -> Self {
        Self { everything: true, ..Self::preferred(limit) }
    }
}

impl Default for Product {
    fn default() -> Self {
        Self::new(Strategy::State, Self::LIMIT)
    }
}
