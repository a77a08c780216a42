//! `proviso traces`: looks at the traces of a run, and asks about what it has analysed.

mod prompt;
mod report;
mod sound;
mod view;

use std::io::{self, IsTerminal};

use partial::Abstraction;

use self::report::Report;
use crate::arguments::traces::{Form, Traces};
use crate::exit::Exit;
use crate::output;
use view::{Shown, View};

/// Shows the traces of a report, or answers a question about it.
pub fn run(arguments: &Traces) -> Result<Exit, Exit> {
    let report = Report::read(&arguments.report)?;
    let question = &arguments.question;
    if let Some(calls) = &question.relative_soundness {
        return sound::run(&report, calls, question, arguments.format);
    }
    if arguments.is_plain() && io::stdin().is_terminal() && io::stdout().is_terminal() {
        return prompt::run(&report, question, &mut io::stdin().lock(), &mut io::stdout());
    }
    let view = asked(arguments);
    for warning in arguments.view.collapse_method.iter().filter_map(|name| report.uncalled(name)) {
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
