//! The proviso: what a run was worth, on a page.

mod access;
mod advice;
mod apart;
mod build;
pub mod document;
mod element;
mod html;
mod influence;
mod material;
mod page;
mod places;
mod reasons;
mod repeated;

pub use build::document;
pub use html::html;
pub use material::Material;
pub(crate) use page::{alike, beyond, counts, covered, left_out, merged, summarized};
pub use page::{checks, page};
pub use reasons::NOTHING_ANALYSED;
