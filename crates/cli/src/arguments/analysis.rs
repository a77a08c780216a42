//! The analyses, and the summaries of loops that they use.

use clap::ValueEnum;

use super::values::values_of;

values_of! {
    /// The analyses.
    pub enum Analysis for verify::Analysis {
        /// Several of these, a little of each, which pass on what they prove
        Auto,
        /// Bounded model checking: unroll until an error is found or nothing is left; for errors that are near
        Bmc,
        /// Unroll a little, and prove what comes after by induction, with growing k; for loops that count or copy
        KInduction,
        /// Bounds of all variables (Cousot & Cousot 1976); proves in a moment what bounds are enough for
        Interval,
        /// Explicit values of all variables (Beyer & Löwe 2012, CPA-EXPL); for programs with few inputs
        Value,
        /// Explicit values of variables that refinements ask for (CPA-EXPLitp); for flags and state machines
        ValueItp,
        /// From the error backwards (Rybalchenko 2002, ARMC); for linear arithmetic without memory
        Backward,
        /// Predicate abstraction, with predicates from interpolants (PRED); for conditions that relate variables
        Predicate,
        /// Explicit values, and predicates where values are not enough (EXPLitp-PRED)
        #[value(name = "value-itp+predicate")]
        ValueItpPredicate,
        /// Explicit values of all variables, and predicates where values are not enough (EXPL-PRED)
        #[value(name = "value+predicate")]
        ValuePredicate,
        /// Explicit values, and predicates about variables that have too many (Bajkai 2018, PROD2)
        Product,
    }
}

/// Which summaries of loops are used.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum SummarizeLoops {
    /// All three kinds, each where it serves: over in a stage of induction, under in one that looks for errors
    All,
    /// Only summaries that do exactly what the loop does, in place of the loop
    Exact,
    /// Only what is known at the head of a loop after any number of rounds, told to the analysis
    Over,
    /// Only many rounds at once that go one way through the loop, beside the loop; finds errors that lie deep
    Under,
    /// No summaries
    Off,
}
