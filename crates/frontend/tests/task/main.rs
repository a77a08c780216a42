//! Task definitions and properties.

mod definitions;
mod properties;
