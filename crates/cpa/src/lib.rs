//! Configurable program analysis: a domain says what it knows of executions, and this crate
//! explores the program with it, keeps the abstract reachability graph, and refines.
//!
//! Beyer & Löwe 2012, Alg. 1 is [`explore()`], Alg. 2 is [`cegar()`].
//!
//! The smallest analysis knows nothing but where an execution is:
//!
//! ```
//! use cfa::Reach;
//! use proviso_cpa::{Arg, Context, Cpa, Ended, NodeId, Path, Plan, Prune, Refinement, Refiner, Step, Successors, Traversal};
//!
//! struct Places;
//!
//! impl Cpa for Places {
//!     type State = ();
//!     type Bucket = Option<NodeId>;
//!     type Halt = ();
//!     fn initial(&mut self, _: Context<'_>) -> Result<(), ()> {
//!         Ok(())
//!     }
//!     fn post(&mut self, _: Context<'_>, (): &(), _: Step, found: &mut Successors<()>) -> Result<(), ()> {
//!         found.states.push(());
//!         Ok(())
//!     }
//!     fn stop(&mut self, bucket: &mut Option<NodeId>, (): &()) -> Result<Option<NodeId>, ()> {
//!         Ok(*bucket)
//!     }
//!     fn insert(&mut self, bucket: &mut Option<NodeId>, (): &(), node: NodeId) {
//!         *bucket = Some(node);
//!     }
//!     fn remove(&mut self, bucket: &mut Option<NodeId>, (): &(), _: NodeId) {
//!         *bucket = None;
//!     }
//! }
//!
//! /// Looks at paths to errors, and learns nothing.
//! struct Nothing;
//!
//! impl Refiner<Places> for Nothing {
//!     type Evidence = ();
//!     fn refine(&mut self, _: &mut Places, _: &Arg<Places>, _: &Path) -> Result<Refinement<()>, ()> {
//!         Ok(Refinement::Unresolved)
//!     }
//! }
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
//! let program = cfa::parse(sources, file).expect("a model");
//! let reach = Reach::of(&program.cfa);
//! let plan = Plan { cfa: &program.cfa, reach: &reach, traversal: Traversal::Bfs, halt: &|| None };
//! let (ended, graph) = proviso_cpa::cegar(&mut Places, &mut Nothing, &plan, Prune::Lazy, &run::Silent);
//! // Without values there is a path to the error, and nobody says whether an execution takes it.
//! assert!(matches!(ended, Ended::Unresolved));
//! // The start, the loop, the error, and the loop once more, which is covered.
//! assert_eq!(graph.len(), 4);
//! ```

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
