//! The strategies, which decide when a variable has too many values to be tracked.

/// How the values of a variable are counted, and whether there is a state for each of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Strategy {
    /// The values in the successors of a single state (Alg. 1).
    #[default]
    State,
    /// The values in the states on the way to a state; what cannot be evaluated stays unknown (Alg. 2).
    Path,
    /// The values on the way to a state and in its successors.
    PathEnum,
    /// The values in the whole graph (Alg. 3).
    Arg,
    /// As [`Strategy::State`]; but what cannot be evaluated stays unknown until a refinement asks for a variable that
    /// is tracked already.
    Lazy,
}

/// Where a variable that has had too many values is not tracked any more.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Reach {
    /// On no path: the variable is not tracked anywhere any more.
    #[default]
    Everywhere,
    /// On the path on which the variable has had too many values, from there on (Beyer & Löwe 2012, §III-F). For
    /// [`Strategy::Path`] only.
    Path,
}

impl Strategy {
    /// Whether there is a state for each value of what cannot be evaluated.
    pub(crate) const fn enumerates(self) -> bool {
        !matches!(self, Strategy::Path)
    }
}
