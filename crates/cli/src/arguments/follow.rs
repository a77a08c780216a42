//! The options to follow an exploration.

use std::path::{Path, PathBuf};

use clap::Args;

/// How a run can be followed.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Output")]
pub struct Follow {
    /// Draw the abstract reachability graph of the last exploration, whatever the answer is: for Graphviz
    /// (.dot), as data (.json) or as a page (.html)
    ///
    /// Nodes have their places and what their states know, values and predicates; covered nodes point to
    /// those that cover them; what refinements have cut off is grey. For analyses that explore abstract states.
    #[arg(long, value_name = "FILE.dot|json|html", value_parser = drawing)]
    pub arg: Option<PathBuf>,
    /// Write a line of JSON for each refinement: the path, the interpolants, what was learned and where,
    /// which variables dropped out, and which part of the graph was cut off
    ///
    /// Use it to see why an analysis tracks what it tracks; -v tells the same in words. For analyses that explore abstract
    /// states, and for backward.
    #[arg(long, value_name = "FILE.jsonl")]
    pub log: Option<PathBuf>,
}

/// The form of a drawing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// For Graphviz
    Dot,
    /// As data
    Json,
    /// As a page
    Html,
}

impl Form {
    /// The form that a file name asks for.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "dot" | "gv" => Some(Self::Dot),
            "json" => Some(Self::Json),
            "html" | "htm" => Some(Self::Html),
            _ => None,
        }
    }
}

fn drawing(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match Form::of(&path) {
        Some(_) => Ok(path),
        None => {
            Err("the name ends with .dot, .json or .html, which says what is written".to_owned())
        }
    }
}
