//! The words that every engine speaks, whatever its method: what a run may use ([`Budget`]), what
//! happens in it ([`Event`]), the graph that an exploration leaves behind ([`Graph`]), what it
//! claims ([`Certificate`], [`Invariants`]), and what it answers ([`Verdict`]).
//!
//! Everything here is plain data. Nothing here searches, solves or prints.
//!
//! ```
//! use std::time::Duration;
//!
//! use proviso_run::{Budget, Exceeded};
//!
//! let whole = Budget::within(Duration::from_secs(3600));
//! let part = whole.share(0.5);
//! assert_eq!(part.exceeded(), None);
//! // A part ends with the whole.
//! whole.cancel();
//! assert_eq!(part.exceeded(), Some(Exceeded::Interrupted));
//! ```

mod budget;
mod certificate;
mod decision;
mod event;
mod graph;
mod invariant;
mod lesson;
mod place;
mod verdict;
mod watch;

pub use budget::{Budget, Exceeded, Limits};
pub use certificate::{Certificate, Entry, FunctionClaim, Kept, LoopClaim, Rounds, Slot};
pub use decision::{Drawn, Origin, Site};
pub use event::{Event, Listener, Observer, Progress, Run, Silent};
pub use graph::{Claimed, Counts, Graph, Node, NodeId, Status, Unresolved};
pub use invariant::{Claim, Hints, Invariant, Invariants};
pub use lesson::{Came, Lesson, Notes};
pub use place::{Place, PlaceId, Places, StackId, Stacks, Step};
pub use verdict::{Bound, Counterexample, Feasibility, Proof, Replayed, Unknown, Verdict};
pub use watch::{Watch, peak, room};
