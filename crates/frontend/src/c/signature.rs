//! How functions are named and called after lowering.

use cfa::FuncId;
use rucc_sema::DeclId;
use term::Sort;

/// A declaration of one of the units.
pub(super) type Key = (usize, DeclId);

/// The sorts of parameters and results after lowering.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Shapes {
    pub parameters: Vec<Sort>,
    pub result: Option<Sort>,
    /// Whether a hidden last parameter holds the address of further arguments.
    pub variadic: bool,
}

/// How a function is called.
#[derive(Clone, Debug)]
pub(super) struct Signature {
    pub function: FuncId,
    pub shapes: Shapes,
    /// Whether a hidden first parameter says where an aggregate result goes.
    pub aggregate_result: bool,
}
