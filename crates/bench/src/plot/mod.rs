//! Pictures of results, as SVG files that need nothing else: light background, labels in words.

mod heatmap;
mod quantile;
mod scatter;
mod svg;

pub(crate) use heatmap::seconds;
pub use heatmap::{Cell, HeatMap, Panel};
pub use quantile::{Quantile, Series};
pub use scatter::{Point, Scatter};
