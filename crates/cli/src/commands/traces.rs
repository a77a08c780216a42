//! `proviso traces`: looks at the traces of a run, and asks about what it has analysed.

mod prompt;
mod sound;
mod view;

use std::collections::BTreeSet;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use partial::Abstraction;
use report::proviso::document::{Document, FORMAT};
use serde_json::error::Category;

use crate::arguments::traces::{Form, Traces};
use crate::exit::Exit;
use crate::output;
use view::{Shown, View};

/// The report of a run.
pub struct Report {
    /// What it says.
    pub document: Document,
    /// The folder that it is in.
    pub folder: PathBuf,
}

/// Shows the traces of a report, or answers a question about it.
pub fn run(arguments: &Traces) -> Result<Exit, Exit> {
    let report = read(&arguments.report)?;
    let question = &arguments.question;
    if let Some(calls) = &question.relative_soundness {
        return sound::run(&report, calls, question, arguments.format);
    }
    if arguments.is_plain() && io::stdin().is_terminal() && io::stdout().is_terminal() {
        return prompt::run(&report, question, &mut io::stdin().lock(), &mut io::stdout());
    }
    let view = asked(arguments);
    for warning in arguments.view.collapse_method.iter().filter_map(|name| unknown(&report, name)) {
        output::note(&format!("warning: {warning}"));
    }
    output::write(&match arguments.format {
        Form::Text => view.text(&report.document),
        Form::Json => view.json(&report.document),
    });
    Ok(Exit::Done)
}

/// What the command line asks to be shown.
fn asked(arguments: &Traces) -> View {
    let given = &arguments.view;
    let depths = given.collapse_depth.iter().map(|depth| Abstraction::Depth(*depth));
    let without = given.collapse_method.iter().map(|name| Abstraction::Without(name.clone()));
    let calls = given.collapse_non_methods.then_some(Abstraction::Calls);
    View {
        shown: match (given.cones, given.frontier) {
            (true, _) => Shown::Cones,
            (_, true) => Shown::Frontier,
            _ => Shown::Both,
        },
        abstractions: depths.chain(calls).chain(without).collect(),
        grouped: given.group,
    }
}

/// What is said of a function that no trace of a report calls: leaving out its calls changes nothing.
fn unknown(report: &Report, name: &str) -> Option<String> {
    let Document { cones, frontier, .. } = &report.document;
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

/// Shows a message about the input that ends the command.
fn refuse(message: &str) -> Exit {
    output::tell(&format!("error: {message}"));
    Exit::BadInput
}

fn read(path: &Path) -> Result<Report, Exit> {
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
        return Err(refuse(&format!("{name} has format {format}; this is a reader of {FORMAT}")));
    }
    let folder = file.parent().map(Path::to_owned).unwrap_or_default();
    Ok(Report { document, folder })
}
