//! The one program model that every front end produces and every analysis reads: control-flow
//! automata with functions, calls, variables, and memory made of objects.
//!
//! Here nothing is left of the source language: widths, conversions and the order of evaluation
//! are explicit in terms and operations.
//!
//! ```
//! use proviso_cfa::{Loops, error_reachable, parse, print};
//!
//! let mut sources = base::SourceMap::new();
//! let text = "model 1 address-width 64 start main global x: (_ BitVec 32) function main() {
//!     entry L0 exit L1
//!     L0 -> L2 { x := #x00000000 }
//!     L2 -> L2 { assume (bvult x #x0000000a) x := (bvadd x #x00000001) }
//!     L2 -> L1 { assume (= x #x0000000a) }
//!     L2 -> L3 { assume (bvult #x0000000a x) }
//!     L3: error \"above\" }";
//! let file = sources.add("count.txt", text.as_bytes()).expect("a short file");
//! let program = parse(sources, file).expect("a model");
//! assert_eq!(Loops::of(&program.cfa).loops.len(), 1);
//! assert!(error_reachable(&program.cfa), "by its edges; whether by an execution is for others to say");
//! assert!(print(&program).to_string().contains("L2 -> L3 { assume (bvult #x0000000a x) }"));
//! ```

mod block_names;
mod c_types;
mod calls;
mod canonical;
mod checks;
mod dominators;
mod dot;
mod graph;
mod ids;
mod infix;
mod json;
mod liveness;
mod loops;
mod model;
mod names;
mod op;
mod operands;
mod order;
mod parse;
mod points;
mod reach;
mod scopes;
mod storage;
mod text;
mod validate;

pub use block_names::{BlockName, BlockNames, Meaning};
pub use c_types::{CEnumeration, CMember, CRecord, CType, CTypes};
pub use calls::Calls;
pub use checks::{Check, Checks, WITNESS_STATE, always_ends, check, unchecked};
pub use dominators::Dominators;
pub use dot::{dot, escape as dot_escaped};
pub use ids::{CEnumerationId, CRecordId, EdgeId, FuncId, LocId, ObjectId};
pub use infix::Infix;
pub use json::json;
pub use liveness::Liveness;
pub use loops::{Loop, LoopId, Loops};
pub use model::{
    Assumption, AssumptionKind, Case, Cfa, Contents, CutOff, Decided, Edge, Function, Location,
    Object, ObjectKind, Outside, Patch, Program, Reading, Scope, Variable,
};
pub use names::Names;
pub use op::{Access, AllocKind, Choice, Fault, Op};
pub use order::{Order, round};
pub use parse::parse;
pub use points::{ObjectSite, Pointees, Points};
pub use reach::{Reach, error_reachable};
pub use storage::StorageKind;
pub use text::{Text, print, text};
pub use validate::{ModelPart, Violation, stored_bytes, validate};
