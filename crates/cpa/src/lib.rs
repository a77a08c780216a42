//! Configurable program analysis: a domain says what it knows of executions, and this crate
//! explores the program with it, keeps the abstract reachability graph, and refines.
//!
//! Beyer & Löwe 2012, Alg. 1 is [`explore()`], Alg. 2 is [`cegar()`].

mod arg;
mod cegar;
mod cpa;
mod explore;
mod scan;
mod statistics;
mod waitlist;

pub use arg::{Arg, Node, Path};
pub use cegar::{Cegar, Ended, Paused, Prune, Refinement, Refiner, cegar};
pub use cpa::{Context, Cpa, Successors};
pub use explore::{Explored, Plan, explore};
pub use run::{Event, NodeId, Observer, Place, PlaceId, Places, StackId, Stacks, Status, Step};
pub use scan::Scan;
pub use statistics::{Counter, Statistics};
pub use waitlist::{Traversal, Waitlist};
