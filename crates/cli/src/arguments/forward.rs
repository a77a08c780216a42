//! The options of forward exploration.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::amount::positive;
use super::values::values_of;

/// How abstract domains are explored and refined.
#[derive(Args, Clone, Debug)]
#[command(
    next_help_heading = "Exploration (value, value-itp, predicate, value-itp+predicate, value+predicate, product)"
)]
pub struct Forward {
    /// Which abstract state is expanded next [default: dfs; rpo with predicates]
    ///
    /// error-distance for errors that are near, bfs for short counterexamples.
    #[arg(long, value_enum)]
    pub traversal: Option<Traversal>,
    /// How much of the graph a refinement throws away (Beyer & Löwe 2012, §III-F)
    ///
    /// full is for comparisons with tools that begin anew. [default: lazy; --profile theta: full]
    #[arg(long, value_enum)]
    pub prune: Option<Prune>,
    /// Where what a refinement learns is tracked
    ///
    /// location tracks least, and needs more refinements; global needs fewest.
    #[arg(long, value_enum, default_value_t = Precision::Global)]
    pub precision: Precision,
    /// Which infeasible prefix of a path a refinement looks at [default: first]
    ///
    /// Try fewest-counters where an analysis tracks the counters of loops round by round.
    #[arg(long, value_enum)]
    pub prefix: Option<Prefix>,
    /// What is done where a function is called (value-itp)
    ///
    /// Try `summarize` for programs of many functions, such as drivers (Sharir & Pnueli 1981; Wonisch & Wehrheim 2012).
    #[arg(long, value_enum, default_value_t = Calls::Enter)]
    pub calls: Calls,
    /// Which combinations of predicates an abstract state can be [default: split; boolean beside
    /// explicit values]
    ///
    /// cartesian is cheapest and knows least; boolean knows all that predicates can say (Graf & Saïdi 1997).
    #[arg(long, value_enum)]
    pub abstraction: Option<Abstraction>,
    /// Where the predicates of a state are computed [default: loop; beside explicit values, edge
    /// while there are no predicates]
    ///
    /// Larger blocks ask the solver fewer, larger questions; edge is what the older papers do.
    #[arg(long, value_enum)]
    pub blocks: Option<Blocks>,
    /// Which interpolants predicates are taken from
    ///
    /// Try another one where a run refines without end.
    #[arg(long, value_enum, default_value_t = Refinement::Auto)]
    pub refinement: Refinement,
    /// What becomes of an interpolant
    ///
    /// atoms generalise best; whole keeps the number of predicates small.
    #[arg(long, value_enum, default_value_t = Predicates::Atoms)]
    pub predicates: Predicates,
    /// Leave a variable to the predicates when it has had more values than this on a path
    /// (value-itp+predicate, value+predicate)
    ///
    /// Beyer & Löwe 2012, §III-F. Lower it where counters are followed for long.
    #[arg(long, value_name = "N", default_value_t = verify::Product::VALUE_LIMIT)]
    pub value_limit: usize,
    /// Where such a variable is not tracked any more (value-itp+predicate, value+predicate) [default: everywhere]
    ///
    /// path is what the paper does (Beyer & Löwe 2012, §III-F).
    #[arg(long, value_enum, value_name = "WHERE")]
    pub leave: Option<Leave>,
    /// How the values of a variable are counted (product)
    ///
    /// Bajkai 2018, ch. 3. path explores fewest states, arg leaves variables to predicates soonest.
    #[arg(long, value_enum, default_value_t = Strategy::State)]
    pub strategy: Strategy,
    /// Leave a variable to the predicates when it has more values than this (product)
    ///
    /// Bajkai 2018, ch. 4 has 1, 2, 8 and 32. Small for programs with related inputs, large for state machines.
    #[arg(long, value_name = "K", default_value_t = verify::Product::LIMIT, value_parser = positive)]
    pub limit: usize,
    /// Do what a tool does that a paper is about, and nothing else
    ///
    /// For comparisons with the papers; the answers are found more slowly.
    #[arg(long, value_enum)]
    pub profile: Option<Profile>,
    /// Write what is tracked at the end to a file
    ///
    /// For a later version of the same program: --load-precision spares its refinements.
    #[arg(long, value_name = "FILE")]
    pub save_precision: Option<PathBuf>,
    /// Track from the start what a file says
    ///
    /// A file of --save-precision, also from another version of the program; what this program does not have is passed
    /// over.
    #[arg(long, value_name = "FILE")]
    pub load_precision: Option<PathBuf>,
}

values_of! {
    /// How the values of a variable are counted, and whether there is a state for each of them.
    pub enum Strategy for verify::Strategy {
        /// The values in the successors of one state (Bajkai 2018, Alg. 1)
        State,
        /// The values on the path to a state; what cannot be evaluated stays unknown (Alg. 2)
        Path,
        /// The values on the path to a state and in its successors
        PathEnum,
        /// The values in the whole graph (Alg. 3)
        Arg,
        /// As `state`, but only the values of variables that a refinement has asked for twice
        Lazy,
    }
}

values_of! {
    /// Which combinations of predicates an abstract state can be.
    pub enum Abstraction for verify::Abstraction {
        /// Conjunctions of predicates and their negations
        Cartesian,
        /// All combinations
        Boolean,
        /// All combinations, with a state for each conjunction
        Split,
    }
}

values_of! {
    /// Where the predicates of a state are computed.
    pub enum Blocks for verify::Blocks {
        /// After every edge
        Edge,
        /// At the heads of loops
        Loop,
        /// At the heads of loops, at the starts of functions and after calls
        #[value(name = "loop+function")]
        LoopAndFunction,
    }
}

values_of! {
    /// Which interpolants predicates are taken from.
    pub enum Refinement for verify::Style {
        /// Relations from certificates of linear arithmetic
        Itp => Farkas,
        /// Weakest preconditions of what contradicts
        Newton,
        /// Weakest preconditions, and relations first in every fourth refinement
        Auto,
    }
}

values_of! {
    /// What becomes of an interpolant.
    pub enum Predicates for verify::Pieces {
        /// Every comparison in the interpolant is a predicate
        Atoms,
        /// Every conjunct of the interpolant is a predicate
        Conjuncts,
        /// The interpolant is one predicate
        Whole,
    }
}

values_of! {
    /// The order in which abstract states are expanded.
    pub enum Traversal for verify::Traversal {
        /// The newest first
        Dfs,
        /// The oldest first
        Bfs,
        /// Callees before callers, then in the order of control flow, so that states meet
        Rpo => ReversePostOrder,
        /// What is nearest to an error first
        ErrorDistance,
    }
}

values_of! {
    /// How much of the graph a refinement throws away.
    pub enum Prune for verify::Prune {
        /// What is below the place where the precision has changed
        Lazy,
        /// Everything
        Full,
    }
}

values_of! {
    /// Where what a refinement learns is tracked.
    pub enum Precision for verify::value::PrecisionScope {
        /// At the location where it was needed
        Location,
        /// In the function where it was needed
        Function,
        /// Wherever the variable exists
        Global,
    }
}

/// What is done where a function is called.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Calls {
    /// The function is explored for each way in which it is called
    Enter,
    /// What the function does from a state on is found out once, and used wherever it is called in that state; after
    /// UNKNOWN there is no graph
    Summarize,
}

values_of! {
    /// Which infeasible prefix of a path a refinement looks at.
    pub enum Prefix for verify::value::Preference {
        /// The prefix with the first contradiction
        First,
        /// The prefix with the last contradiction
        Last,
        /// The prefix whose interpolants are needed for the fewest steps
        ShortestInterpolant,
        /// The prefix whose interpolants are needed for the most steps
        LongestInterpolant,
        /// The prefix for which the fewest variables are tracked
        FewestVariables,
        /// The prefix for which the fewest variables are tracked that loops count with
        FewestCounters,
        /// No prefix, but the path as a whole, in which anything may contradict (Beyer & Löwe 2012, Alg. 4, to the letter)
        Whole,
    }
}

values_of! {
    /// Where a variable that has had too many values is not tracked any more.
    pub enum Leave for verify::Reach {
        /// Wherever it was tracked
        Everywhere,
        /// On the path on which it has had them, from there on (Beyer & Löwe 2012, §III-F)
        Path,
    }
}

/// Tools that papers are about.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Profile {
    /// Theta in 2018 (Bajkai 2018): predicates after every edge, as conjunctions; a refinement takes variables
    /// and predicates from the same interpolants, and the graph is begun anew; no other way where that does not
    /// exclude a path, and nothing that dropped out is taken back. --blocks, --abstraction and --refinement
    /// change parts of it
    Theta,
    /// CPAchecker's explicit values in 2012 (Beyer & Löwe 2012): refinements interpolate along the whole path
    /// (--prefix whole), a variable with too many values is left on its path (--leave path), and predicates are
    /// computed at loops and functions, in any combination (--blocks loop+function, --abstraction boolean). Each
    /// of these options changes its part of it
    Explicit,
    /// Figure 3.3 of Rybalchenko 2002 to the letter (backward): the first predicates are those of the unsafe
    /// states, every abstract fixpoint is computed to its end, the test for spuriousness comes before the
    /// refinement, and a concrete fixpoint is no proof
    Method1,
}
