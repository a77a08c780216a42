//! The one program model that every front end produces and every analysis reads: control-flow
//! automata with functions, calls, variables, and memory made of objects.
//!
//! Here nothing is left of the source language: widths, conversions and the order of evaluation
//! are explicit in terms and operations.

mod calls;
mod canonical;
mod checks;
mod dominators;
mod dot;
mod graph;
mod infix;
mod json;
mod liveness;
mod loops;
mod model;
mod op;
mod operands;
mod order;
mod parse;
mod points;
mod reach;
mod scopes;
mod text;
mod validate;

pub use calls::Calls;
pub use checks::{Check, Checks, always_ends, check, unchecked};
pub use dominators::Dominators;
pub use dot::{dot, escape as dot_escaped};
pub use infix::Infix;
pub use json::json;
pub use liveness::Liveness;
pub use loops::{Loop, LoopId, Loops};
pub use model::{
    Assumption, AssumptionKind, Cfa, Contents, CutOff, Decided, Edge, EdgeId, FuncId, Function,
    LocId, Location, Object, ObjectId, ObjectKind, Outside, Patch, Program, Reading, Scope,
    Variable,
};
pub use op::{Access, AllocKind, Choice, Fault, Op};
pub use order::{Order, round};
pub use parse::parse;
pub use points::{Pointees, Points, Site};
pub use reach::{Reach, error_reachable};
pub use text::{Text, print, text};
pub use validate::{Place, Violation, stored_bytes, validate};
