//! The report of a run, read again.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use report::proviso::document::{Document, FORMAT};
use serde_json::error::Category;

use crate::exit::Exit;
use crate::output;

/// The report of a run.
pub struct Report {
    /// What the report says.
    pub document: Document,
    /// The folder that the report is in.
    pub folder: PathBuf,
}

impl Report {
    /// Reads the report at a path: a file, or a folder that has it.
    pub fn read(path: &Path) -> Result<Self, Exit> {
        let file = if path.is_dir() { path.join("proviso.json") } else { path.to_owned() };
        let name = output::name(&file);
        let text = std::fs::read_to_string(&file)
            .map_err(|error| refuse(&format!("cannot read {name}: {error}")))?;
        let document: Document = serde_json::from_str(&text).map_err(|error| {
            let (line, column) = (error.line(), error.column());
            let what = match error.classify() {
                Category::Data => "it says something else",
                Category::Eof => "it ends too early",
                Category::Syntax | Category::Io => "it is not JSON",
            };
            refuse(&format!("{name} is not the report of a run: {what} at {line}:{column}"))
        })?;
        if document.proviso != FORMAT {
            let format = document.proviso;
            return Err(refuse(&format!(
                "{name} has format {format}; this is a reader of {FORMAT}"
            )));
        }
        let folder = file.parent().map(Path::to_owned).unwrap_or_default();
        Ok(Self { document, folder })
    }

    /// What is said of a function that no trace of the report calls: leaving out its calls changes nothing.
    pub fn uncalled(&self, name: &str) -> Option<String> {
        let Document { cones, frontier, .. } = &self.document;
        let traces = frontier.traces.iter().chain(&cones.traces);
        let steps = traces.flat_map(|trace| &trace.steps);
        let called: BTreeSet<&str> = steps.filter_map(|step| step.call.as_deref()).collect();
        if called.contains(name) {
            return None;
        }
        let called: Vec<&str> = called.into_iter().collect();
        Some(match &called[..] {
            [] => format!("no trace calls `{name}`, or any function that has a body"),
            names => {
                format!("no trace calls `{name}`; functions that traces call: {}", names.join(", "))
            }
        })
    }
}

/// Shows a message about the input that ends the command.
pub fn refuse(message: &str) -> Exit {
    output::tell(&format!("error: {message}"));
    Exit::BadInput
}
