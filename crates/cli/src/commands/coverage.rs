//! `proviso coverage`: what safe executions that end cover, within what was analysed.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use cfa::Program;
use partial::{Analysed, Coverage, Line, Search};
use report::counted;
use verify::{Analysis, Config, Outcome, Verdict};

use super::check::{Files, Limited, Solvers, read};
use crate::arguments::{Coverage as Arguments, Form};
use crate::exit::Exit;
use crate::input;
use crate::output;

/// Verifies the program for half of the time, or reads what was analysed, and looks for executions.
pub fn run(arguments: &Arguments, limited: &Limited) -> Result<Exit, Exit> {
    let check = &arguments.check;
    if check.format != Form::Text {
        output::tell(
            "error: --format is for `check` and `continue`; --lcov writes the coverage to a file",
        );
        return Err(Exit::Usage);
    }
    let mut program = input::load(&check.input)?;
    let before = arguments.assumption.as_deref();
    let before = before.map(|path| read(path, &mut program)).transpose()?;
    let prepare = |folder: &Path| Files::prepare(folder, arguments.assumption.as_deref());
    let files = check.output_dir.as_deref().map(prepare).transpose()?;
    input::tell_assumptions(&program);
    let solvers = Solvers::new(&check.solver)?;
    let open = || solvers.open();
    let outcome = match &before {
        Some(_) => None,
        None => {
            let config = Config {
                analysis: check.analysis.into(),
                simplify: true,
                unroll: check.unroll,
                budget: limited.budget.share(0.5).share_of_memory(0.9),
                journal: Arc::clone(&limited.journal),
                ..Config::default()
            };
            // Not `Task::verify_with`: which executions were analysed counts here, also where the property is not
            // decided.
            Some(verify::verify(&program, &config, &open))
        }
    };
    let coverage = covered(&program, outcome.as_ref(), before.as_ref(), limited, &open);
    let lcov = match &arguments.lcov {
        Some(path) => std::fs::write(path, report::lcov(&program, &coverage))
            .map_err(|error| output::cannot_write(path, &error)),
        None => Ok(()),
    };
    if let Some(files) = &files {
        files.coverage(&program, &coverage);
    }
    let violated = is_violated(outcome.as_ref()) || coverage.violation.is_some();
    let mut text = told(&program, &coverage, violated);
    if violated {
        text.insert_str(0, "An execution violates the property; `proviso check` shows it.\n");
    }
    let exit = match (violated, lcov) {
        (true, _) => Exit::Violation,
        // The file that was asked for with --lcov could not be written.
        (false, Err(exit)) => exit,
        (false, Ok(())) => Exit::Done,
    };
    output::conclude(&text, exit);
    Ok(exit)
}

fn covered(
    program: &Program,
    outcome: Option<&Outcome>,
    before: Option<&partial::spc::Spc>,
    limited: &Limited,
    open: smt::NewSolver<'_>,
) -> Coverage {
    let search = Search {
        program,
        analysis: Analysis::Bmc,
        solver: open,
        budget: &limited.budget.share(0.9),
        most: None,
    };
    let coverage = match outcome {
        Some(_) if is_violated(outcome) => return Coverage::beside_violations(&search),
        Some(outcome) if matches!(outcome.verdict, Verdict::Safe(_)) => {
            Coverage::of(&search, &mut partial::Everything, &[])
        }
        Some(outcome) => {
            let analysed = Analysed { before, ..Analysed::of(program, outcome) };
            Coverage::of(&search, &mut *analysed.automaton(), &[])
        }
        None => {
            let analysed = Analysed { before, ..Analysed::nothing(program) };
            Coverage::of(&search, &mut *analysed.automaton(), &[])
        }
    };
    match coverage.violation {
        Some(_) => Coverage::beside_violations(&search),
        None => coverage,
    }
}

fn is_violated(outcome: Option<&Outcome>) -> bool {
    outcome.is_some_and(|outcome| matches!(outcome.verdict, Verdict::Unsafe(_)))
}

/// The coverage for people: the lines that no execution covers, and a line with the figures. After a violation, it is
/// the coverage of all executions that violate nothing, whether they were analysed or not.
fn told(program: &Program, coverage: &Coverage, violated: bool) -> String {
    let mut text = String::new();
    let open = |line: &Line| coverage.lines.get(line) == Some(&0);
    let missed = coverage.lines.keys().filter(|line| open(line));
    let (seen, unseen): (Vec<Line>, Vec<Line>) =
        missed.copied().partition(|line| coverage.seen.contains(line));
    let why = match (coverage.exact, violated) {
        (true, true) => "no execution that ends and violates nothing covers",
        (true, false) => "no execution that was analysed covers",
        (false, _) => "no execution was found for",
    };
    list(&mut text, program, &seen, why);
    let why =
        if violated { "nothing that is modelled leads to" } else { "the analysis has not seen" };
    list(&mut text, program, &unseen, why);
    let exact = if coverage.exact { "" } else { "at least " };
    let seen = match violated {
        true if coverage.tests.len() == 1 => " that violates nothing".to_owned(),
        true => " that violate nothing".to_owned(),
        false => {
            let seen = counted(coverage.seen.len(), "line");
            format!("; seen by the analysis: {seen}")
        }
    };
    let _ = writeln!(
        text,
        "Coverage: {exact}{} of {}, {} of {}, by {}{seen}",
        coverage.covered(),
        counted(coverage.lines.len(), "line"),
        coverage.covered_branches(),
        counted(coverage.branches.len(), "branch"),
        counted(coverage.tests.len(), "execution"),
    );
    text
}

fn list(text: &mut String, program: &Program, lines: &[Line], why: &str) {
    let mut files: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (file, line) in lines {
        files.entry(program.sources.name(*file)).or_default().push(line.to_string());
    }
    for (file, lines) in files {
        let noun = if lines.len() == 1 { "line" } else { "lines" };
        let _ = writeln!(text, "{file}: {why} {noun} {}", lines.join(", "));
    }
}
