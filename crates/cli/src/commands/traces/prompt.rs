//! Traces of a report on a terminal, a command in a line.

use std::io::{BufRead, Write};

use partial::Abstraction;
use verify::{Budget, Limits};

use super::report::Report;
use super::sound::Subject;
use super::view::{Shown, View, trace, words};
use crate::arguments::traces::Question;
use crate::exit::Exit;

const HELP: &str = "\
collapse-depth D        only steps while at most D functions are active; 1: those of main
collapse-method NAME    only calls, and none of this function
collapse-non-methods    only calls
group                   each abstract trace once
cones, frontier, both   which traces
undo                    takes the last of these back
show [N]                all traces in full, or one of them
relative-soundness f g  whether all executions with such calls were analysed; first `depth D` and
                        `alphabet f,g` say which calls count, `depth` and `alphabet` the usual ones
quit                    ends
";

/// What a line of the user has led to.
enum Next {
    /// The view has changed.
    Changed,
    /// This is the answer.
    Told(String),
    Quit,
}

/// Reads commands until there are no more.
pub fn run(
    report: &Report,
    question: &Question,
    lines: &mut dyn BufRead,
    out: &mut dyn Write,
) -> Result<Exit, Exit> {
    let mut session = Session {
        report,
        question: question.clone(),
        view: View::default(),
        earlier: Vec::new(),
        subject: None,
    };
    let mut told = session.view.summary(&report.document);
    told.push_str("`help` lists the commands.\n");
    loop {
        // A reader that has gone away is no reason to fail.
        let _ = write!(out, "{told}> ").and_then(|()| out.flush());
        let mut line = String::new();
        match lines.read_line(&mut line) {
            Ok(0) | Err(_) => return Ok(Exit::Done),
            Ok(_) => {}
        }
        told = match session.line(line.trim()) {
            Ok(Next::Changed) => session.summary(),
            Ok(Next::Told(text)) => text,
            Ok(Next::Quit) => return Ok(Exit::Done),
            Err(message) => format!("{message}\n"),
        };
    }
}

struct Session<'a> {
    report: &'a Report,
    question: Question,
    view: View,
    /// The views before this one.
    earlier: Vec<View>,
    /// The program, once it was asked about.
    subject: Option<Subject>,
}

impl Session<'_> {
    fn summary(&self) -> String {
        let mut applied: Vec<String> = self.view.abstractions.iter().map(words).collect();
        applied.extend(self.view.grouped.then(|| "group".to_owned()));
        let applied = match applied.is_empty() {
            true => String::new(),
            false => format!("[{}]\n", applied.join(", ")),
        };
        format!("{applied}{}", self.view.summary(&self.report.document))
    }

    fn line(&mut self, line: &str) -> Result<Next, String> {
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let mut view = self.view.clone();
        match (command.trim_start_matches("--"), rest) {
            ("", _) => return Ok(Next::Told(String::new())),
            ("quit" | "exit" | "q", _) => return Ok(Next::Quit),
            ("help" | "?", _) => return Ok(Next::Told(HELP.to_owned())),
            ("show", which) => return self.show(which).map(Next::Told),
            ("undo", _) => {
                self.view = self.earlier.pop().ok_or("nothing is left to take back")?;
                return Ok(Next::Changed);
            }
            ("depth" | "alphabet" | "relative-soundness", _) => {
                return self.ask(command.trim_start_matches("--"), rest).map(Next::Told);
            }
            ("collapse-depth", depth) => {
                let depth = depth.parse().map_err(|_| "collapse-depth wants a number")?;
                view.abstractions.push(Abstraction::Depth(depth));
            }
            ("collapse-method", "") => return Err("collapse-method wants a function".to_owned()),
            ("collapse-method", name) => {
                let name = name.strip_suffix("()").unwrap_or(name);
                if let Some(message) = self.report.uncalled(name) {
                    return Err(message);
                }
                view.abstractions.push(Abstraction::Without(name.to_owned()));
            }
            ("collapse-non-methods", _) => view.abstractions.push(Abstraction::Calls),
            ("group", _) => view.grouped = true,
            ("cones", _) => view.shown = Shown::Cones,
            ("frontier", _) => view.shown = Shown::Frontier,
            ("both", _) => view.shown = Shown::Both,
            (other, _) => return Err(format!("there is no command `{other}`; see `help`")),
        }
        self.earlier.push(std::mem::replace(&mut self.view, view));
        Ok(Next::Changed)
    }

    fn show(&self, which: &str) -> Result<String, String> {
        let document = &self.report.document;
        if which.is_empty() {
            return Ok(self.view.text(document));
        }
        let number: usize = which.parse().map_err(|_| "show wants the number of a trace")?;
        let sections = self.view.sections(document);
        let mut rows = sections.iter().flat_map(|section| &section.rows);
        let row = rows.find(|row| row.number == number);
        row.map(trace).ok_or_else(|| format!("there is no trace {number}"))
    }

    fn ask(&mut self, command: &str, rest: &str) -> Result<String, String> {
        match command {
            "depth" => {
                let depth = if rest.is_empty() { Ok(1) } else { rest.parse() };
                self.question.depth = depth.map_err(|_| "depth wants a number")?;
                return Ok(String::new());
            }
            "alphabet" => {
                let names = rest.split([',', ' ']).filter(|name| !name.is_empty());
                let names: Vec<String> = names.map(str::to_owned).collect();
                self.question.alphabet = (!names.is_empty()).then_some(names);
                return Ok(String::new());
            }
            _ => {}
        }
        // Messages about what is wrong were told.
        let told = "the question has no answer".to_owned();
        if self.subject.is_none() {
            self.subject = Subject::read(self.report).ok();
        }
        let Some(subject) = &self.subject else { return Err(told) };
        let time = Some(self.question.timelimit);
        let limits = Limits { time, cpu: None, memory: Some(self.question.memlimit) };
        let budget = Budget::new(limits, std::time::Instant::now());
        let answered = subject.answer(rest.trim_matches('"'), &self.question, &budget);
        answered.map(|answered| answered.text(&subject.program)).map_err(|_| told)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use partial::Letter;
    use report::proviso::document::{Document, Trace, Traces};

    use super::*;

    fn letter(depth: u32, text: &str) -> Letter {
        let (file, line) = (None, None);
        let call = text.strip_suffix("()").map(str::to_owned);
        Letter { text: text.to_owned(), file, line, depth, call, exit: None }
    }

    fn report() -> Report {
        let trace = |steps: Vec<Letter>| Trace {
            kind: "frontier".to_owned(),
            place: "a.c:7".to_owned(),
            rounds: 1,
            steps,
            inputs: "x = 1\n".to_owned(),
            ..Trace::default()
        };
        let traces = vec![
            trace(vec![letter(1, "f()"), letter(2, "x = 1;"), letter(2, "g()")]),
            trace(vec![letter(1, "f()"), letter(2, "x = 2;"), letter(2, "g()")]),
        ];
        let frontier = Traces { complete: true, traces, ..Traces::default() };
        Report { document: Document { frontier, ..Document::default() }, folder: "out".into() }
    }

    /// What is said after each line.
    fn told(lines: &[&str]) -> Vec<String> {
        let question = Question {
            relative_soundness: None,
            depth: 1,
            alphabet: None,
            timelimit: Duration::from_secs(1),
            memlimit: 1 << 30,
        };
        let mut out = Vec::new();
        let text = lines.join("\n");
        let exit = run(&report(), &question, &mut text.as_bytes(), &mut out);
        assert_eq!(exit, Ok(Exit::Done));
        let out = String::from_utf8(out).expect("text");
        out.split("> ").skip(1).map(str::to_owned).collect()
    }

    #[test]
    fn views_are_put_together_and_taken_back() {
        let said = told(&["collapse-non-methods", "--group", "collapse-depth 1", "undo", "undo"]);
        assert!(said[0].contains("frontier traces: 2 "), "{}", said[0]);
        assert!(said[0].contains("1. f g\n  2. f g\n"), "{}", said[0]);
        assert!(said[1].starts_with("[collapse-non-methods, group]\n"), "{}", said[1]);
        assert!(said[1].contains("1. f g (2 traces)\n"), "{}", said[1]);
        assert!(said[2].contains("1. f (2 traces)\n"), "{}", said[2]);
        assert_eq!(said[3], said[1]);
        assert_eq!(said[4], said[0]);
    }

    #[test]
    fn a_trace_is_shown_with_its_inputs() {
        let said = told(&["show 2", "show 3", "show x", "frontier", "cones", "show"]);
        for part in ["2. its last step", "at a.c:7", "x = 2;", "g()", "inputs:\n    x = 1"] {
            assert!(said[0].contains(part), "{part}: {}", said[0]);
        }
        assert_eq!(said[1], "there is no trace 3\n");
        assert_eq!(said[2], "show wants the number of a trace\n");
        assert!(!said[3].contains("cones"), "{}", said[3]);
        assert_eq!(said[4], "no safe cones\n");
    }

    #[test]
    fn what_is_not_understood_changes_nothing() {
        let lines =
            ["undo", "collapse-depth", "collapse-method", "collaps", "", "help", "quit", "x"];
        let said = told(&lines);
        assert_eq!(said[0], "nothing is left to take back\n");
        assert_eq!(said[1], "collapse-depth wants a number\n");
        assert_eq!(said[2], "collapse-method wants a function\n");
        assert!(said[3].contains("`collaps`"), "{}", said[3]);
        assert_eq!(said[4], "");
        assert_eq!(said[5], HELP);
        assert_eq!(said.len(), 7, "nothing is read after quit");
    }

    #[test]
    fn questions_need_the_program() {
        let said = told(&["depth 2", "depth x", "alphabet f,g", "relative-soundness f g"]);
        assert_eq!(said[0], "");
        assert_eq!(said[1], "depth wants a number\n");
        assert_eq!(said[2], "");
        assert_eq!(said[3], "the question has no answer\n", "the report names no files");
    }
}
