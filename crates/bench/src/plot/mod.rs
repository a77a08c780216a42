//! Pictures of results, as SVG files that need nothing else: light background, labels in words.

mod heatmap;
mod quantile;
mod svg;

pub use heatmap::{Cell, HeatMap, Panel};
pub use quantile::{Quantile, Series};
