//! Relative soundness: whether all executions that a sequence of calls stands for were analysed.

use std::fmt::Write as _;
use std::path::Path;
use std::process;
use std::time::Instant;

use base::SourceMap;
use cfa::Program;
use partial::spc::{Foreign, Spc};
use partial::{Answer, Query, Relative, Search, letters, relative};
use report::proviso::document::Document;
use serde_json::{Value, json};
use smt::{Builtin, FullSolver};
use verify::{Analysis, Budget, Exceeded, Limits, Unknown, Watch};

use super::report::{Report, refuse};
use super::view;
use crate::arguments::traces::{self, Form, Question};
use crate::exit::Exit;
use crate::{input, output};

/// Answers a question about a report, and ends the command.
pub fn run(report: &Report, calls: &str, asked: &Question, form: Form) -> Result<Exit, Exit> {
    let limits = Limits { time: Some(asked.timelimit), cpu: None, memory: Some(asked.memlimit) };
    let budget = Budget::new(limits, Instant::now());
    // If the search does not look at its limits in time, the process is ended.
    let _watch = Watch::start(&budget, move |limit| end(limit, form));
    let subject = Subject::read(report)?;
    let answered = subject.answer(calls, asked, &budget)?;
    let text = match form {
        Form::Text => answered.text(&subject.program),
        Form::Json => answered.json(&subject.program),
    };
    let exit = answered.exit();
    output::conclude(&text, exit);
    Ok(exit)
}

/// Ends the process with the answer that nothing is known.
fn end(limit: Exceeded, form: Form) {
    let reason = Unknown::from(limit).name().to_owned();
    let line = match form {
        Form::Text => format!("Relative soundness: unknown ({reason})\n"),
        Form::Json => {
            format!("{}\n", json!({"relative_soundness": {"answer": "unknown", "reason": reason}}))
        }
    };
    let exit = Exit::Unknown;
    if output::try_conclude(&line, exit) {
        #[expect(clippy::exit, reason = "the thread that works does not listen")]
        process::exit(exit.code());
    }
}

/// The program of a report, and what was analysed of it.
pub struct Subject {
    /// The program.
    pub program: Program,
    analysed: Spc,
}

impl Subject {
    /// Reads the program of a report again, and the automaton beside the report.
    pub fn read(report: &Report) -> Result<Self, Exit> {
        let Document { files, options, .. } = &report.document;
        if files.is_empty() {
            return Err(refuse("the report names no files of a program"));
        }
        let named = traces::input(options, files).map_err(|message| {
            refuse(&format!("the options of the report are wrong: {message}"))
        })?;
        if let Some(missing) = named.files.iter().find(|file| !file.exists()) {
            let name = missing.display();
            return Err(refuse(&format!(
                "cannot read {name}; files have the names that they had where the program was checked"
            )));
        }
        let program = input::load(&named)?;
        let analysed = automaton(&program, &report.folder.join("assumption.spc"))?;
        input::tell_assumptions(&program);
        output::tell("assumption: the files of the program are as they were when it was checked");
        Ok(Self { program, analysed })
    }

    /// Answers a question.
    pub fn answer(&self, calls: &str, asked: &Question, budget: &Budget) -> Result<Answered, Exit> {
        let Self { program, analysed } = self;
        let query = Query::read(program, calls, asked.depth, asked.alphabet.as_deref());
        let query = query.map_err(|message| {
            output::tell(&format!("error: {message}"));
            Exit::Usage
        })?;
        let solver = || -> Box<dyn FullSolver> { Box::new(Builtin::new()) };
        let analysis = Analysis::Bmc;
        let search = Search { program, analysis, solver: &solver, budget, most: None };
        let mut automaton = Foreign::new(analysed, program);
        let mut found = relative(&search, &mut automaton, &query);
        // Executions that the file does not know count as not analysed, and that is no reason to answer no.
        let strange = !analysed.fits || !automaton.astray().is_empty();
        if strange && matches!(found.answer, Answer::No(_)) {
            found.answer = Answer::Unknown("the automaton is about another program");
        }
        Ok(Answered { query, found, all: asked.alphabet.is_none() })
    }
}

fn automaton(program: &Program, path: &Path) -> Result<Spc, Exit> {
    let mut sources = SourceMap::new();
    let file = frontend::read(path, &mut sources)
        .map_err(|diagnostic| input::refuse(&diagnostic, &sources))?;
    partial::spc::read(program, &sources, file).map_err(|diagnostics| {
        output::show(diagnostics.iter(), &sources);
        Exit::BadInput
    })
}

/// Words for the first `count` of `all` calls.
fn beginning(count: usize, all: usize) -> String {
    match (count, all) {
        (0, 0) => "executions without calls that count".to_owned(),
        (0, 1) => "no call".to_owned(),
        (1, 1) => "the call".to_owned(),
        _ if count == all => format!("all of the {all} calls"),
        (0, _) => format!("none of the {all} calls"),
        (1, _) => format!("the first of the {all} calls"),
        _ => format!("the first {count} of the {all} calls"),
    }
}

/// Words for how many of `all` calls an execution makes. With `is_most`, no execution makes more.
fn realised(count: usize, all: usize, is_most: bool) -> String {
    let made = beginning(count, all);
    match (count, is_most) {
        (0, true) => format!("no execution makes {}", beginning(1, all)),
        (0, false) => format!("no execution is known that makes {}", beginning(1, all)),
        _ if count == all => format!("an execution makes {made}"),
        (_, true) => format!("an execution makes {made}, and none makes more"),
        (_, false) => format!("an execution makes {made}, perhaps more"),
    }
}

/// The answer to a question.
pub struct Answered {
    query: Query,
    found: Relative,
    /// Whether calls of all functions count.
    all: bool,
}

impl Answered {
    fn exit(&self) -> Exit {
        match self.found.answer {
            Answer::Yes => Exit::Done,
            Answer::No(_) => Exit::Violation,
            Answer::Unknown(_) => Exit::Unknown,
        }
    }

    /// The answer in a word, and why if it is unknown.
    fn word(&self) -> (&'static str, Option<&'static str>) {
        match self.found.answer {
            Answer::Yes => ("yes", None),
            Answer::No(_) => ("no", None),
            Answer::Unknown(reason) => ("unknown", Some(reason)),
        }
    }

    /// The answer for people.
    pub fn text(&self, program: &Program) -> String {
        let Self { query, found, .. } = self;
        let mut text = String::new();
        if let Answer::No(trace) = &found.answer {
            text.push_str("This execution has such calls, and its last step was not analysed:\n");
            text.push_str(&view::steps(&letters(program, &trace.steps)));
            text.push_str(&view::inputs(&interp::write_inputs(program, &trace.drawn)));
        }
        let _ = writeln!(text, "Calls that count: {}", self.seen(program));
        let all = query.calls.len();
        let _ = match found.prefix {
            Some(length) => writeln!(text, "Sound relative to: {}", beginning(length, all)),
            None => writeln!(text, "Sound relative to: no beginning of the calls that is known"),
        };
        if all > 0 {
            let made = realised(found.realised, all, found.realised_most);
            let _ = writeln!(text, "Realised: {made}");
        }
        if found.violation.is_some() {
            text.push_str("An execution violates the property: check the program again.\n");
        }
        let (answer, reason) = self.word();
        let reason = reason.map(|reason| format!(" ({reason})")).unwrap_or_default();
        let _ = writeln!(text, "Relative soundness: {answer}{reason}");
        text
    }

    /// The answer as one JSON object.
    fn json(&self, program: &Program) -> String {
        let Self { query, found, .. } = self;
        let name = |id: &cfa::FuncId| program.cfa.functions[*id].name.to_string();
        let (answer, reason) = self.word();
        let trace = match &found.answer {
            Answer::No(trace) => json!({
                "steps": letters(program, &trace.steps),
                "inputs": interp::write_inputs(program, &trace.drawn),
            }),
            _ => Value::Null,
        };
        let object = json!({"relative_soundness": {
            "calls": query.calls.iter().map(name).collect::<Vec<_>>(),
            "depth": query.depth,
            "alphabet": query.alphabet.iter().map(name).collect::<Vec<_>>(),
            "answer": answer,
            "reason": reason,
            "sound_prefix": found.prefix,
            "realised": found.realised,
            "realised_most": found.realised_most,
            "violation": found.violation.is_some(),
            "trace": trace,
        }});
        format!("{object}\n")
    }

    /// Which calls count.
    fn seen(&self, program: &Program) -> String {
        let names = self.query.alphabet.iter().map(|id| &*program.cfa.functions[*id].name);
        let whose = match self.all {
            true => "those of all functions that have a body".to_owned(),
            false => format!("those of {}", names.collect::<Vec<_>>().join(", ")),
        };
        match self.query.depth {
            1 => format!("{whose}, made by main itself"),
            depth => format!("{whose}, made while at most {depth} functions are active"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_that_are_made_are_told_in_words() {
        for (count, all, is_most, told) in [
            (0, 1, true, "no execution makes the call"),
            (0, 1, false, "no execution is known that makes the call"),
            (0, 3, true, "no execution makes the first of the 3 calls"),
            (1, 3, true, "an execution makes the first of the 3 calls, and none makes more"),
            (2, 3, false, "an execution makes the first 2 of the 3 calls, perhaps more"),
            (3, 3, true, "an execution makes all of the 3 calls"),
        ] {
            assert_eq!(realised(count, all, is_most), told);
        }
        assert_eq!(beginning(0, 0), "executions without calls that count");
    }
}
