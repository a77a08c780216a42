//! The end of a run: its verdict, and what the verdict rests on.

use std::io::{self, IsTerminal};
use std::path::Path;
use std::time::{Duration, Instant};

use cfa::Program;
use report::proviso::document::Document;
use report::result::Extent;
use report::result::document::Document as Result;
use report::{Execution, Invariant};
use serde_json::{Map, Value, json};
use verify::{Budget, Outcome, Unknown, Verdict};

use super::files::{self, Files, Prepared};
use super::form;
use super::live::LiveFile;
use super::partial;
use crate::arguments::{Check, Form, VERSION};
use crate::exit::Exit;
use crate::output;

/// Said of a program that cannot violate anything.
const NOTHING: &str =
    "Nothing to verify: no assert, error call or fault that is checked can be reached.";

/// What is said of a program that cannot violate anything.
fn nothing(program: &Program, arguments: &Check) -> String {
    let has_label =
        program.cfa.locations.iter().any(|location| location.name.as_deref() == Some("ERROR"));
    let asked = &arguments.input.asked;
    let has_chosen =
        asked.property.is_some() || !asked.checks.is_empty() || arguments.input.spec.is_some();
    let hint = match (has_label, has_chosen) {
        (true, _) => " The label ERROR counts with --property unreach-label.",
        (false, true) => "",
        (false, false) => " Add an assert, or look for more kinds of faults by --check all.",
    };
    format!("{NOTHING}{hint}")
}

/// The names of the properties that were checked, if there is a check.
fn checked(document: &Document) -> Option<String> {
    let mut names: Vec<&str> = Vec::new();
    for check in &document.checks {
        if !names.contains(&&*check.property) {
            names.push(&check.property);
        }
    }
    (!names.is_empty()).then(|| names.join(", "))
}

/// A note that says where more is said about an answer, for users who see such an answer for the first time.
fn advice(verdict: &Verdict, property: &str, arguments: &Check) -> Option<String> {
    let word = match verdict {
        Verdict::Safe(_) => return None,
        Verdict::Unsafe(_) => property,
        Verdict::Unknown(why) => why.name(),
    };
    let report = match arguments.output_dir {
        Some(_) => "",
        None => "; --output-dir DIR writes a report for browsers",
    };
    Some(format!("note: `proviso explain {word}` says what this means and what to do{report}"))
}

/// A run that has ended.
pub struct Ended<'a> {
    /// The program.
    pub program: &'a Program,
    /// The command line.
    pub arguments: &'a Check,
    /// What was verified.
    pub subject: &'a report::Subject,
    /// The name of the property.
    pub property: &'a str,
    /// What came of the run.
    pub outcome: &'a Outcome,
    /// The proviso.
    pub document: Document,
    /// The file of an earlier run whose analysed executions were left out, if there are any.
    pub rests_on: Option<&'a Path>,
    /// What was covered, if that was looked for.
    pub coverage: Option<&'a ::partial::Coverage>,
    /// What the run may use.
    pub budget: &'a Budget,
    /// Where files are written.
    pub files: Option<&'a Files>,
    /// The file that showed the run while it went on.
    pub live: Option<&'a LiveFile>,
}

/// What a run ends with.
struct Told {
    /// What people read above the verdict.
    text: String,
    /// The line that says the verdict.
    line: String,
    exit: Exit,
    /// The name of the property; after a violation, the name of the part of the property that is violated.
    property: String,
    invariants: Vec<Invariant>,
    execution: Option<Execution>,
    /// The files that show the answer.
    evidence: Prepared,
}

impl Ended<'_> {
    /// Writes the verdict and what it rests on. The documents are written at the moment of the last line and not
    /// before: a run that is ended in between must not leave a document with another answer.
    pub fn conclude(self) -> Exit {
        let told = self.told();
        let form = self.arguments.format;
        let (files, live) = (self.files, self.live);
        let Told { ref text, ref line, ref evidence, exit, .. } = told;
        let text = format!("{text}{line}\n");
        let shown = live.map(|_| files::json(&self.document));
        let line = line.clone();
        let advice = advice(&self.outcome.verdict, &told.property, self.arguments);
        let is_told = self.arguments.tells_result();
        let result = is_told.then(|| self.result(&told));
        let prepared = files.and(result.as_ref()).map(files::prepare);
        let text = match (form, &result) {
            (Form::Text, _) | (_, None) => text,
            (form, Some(result)) => form::text(result, form),
        };
        output::conclude_after(&text, exit, &|| {
            if let (Some(files), Some(prepared)) = (files, &prepared) {
                if exit == Exit::Violation {
                    files.remove_partial();
                }
                files.prepared(evidence);
                files.prepared(prepared);
            }
            if let (Some(live), Some(json)) = (live, &shown) {
                live.finish(json);
            }
            form::tell(form, &line);
        });
        // The advice is for people alone: programs that read standard error have no use for it.
        if let Some(advice) = advice.filter(|_| io::stderr().is_terminal() && form == Form::Text) {
            output::note(&advice);
        }
        exit
    }

    /// What is said, and the evidence for it.
    fn told(&self) -> Told {
        let Self { program, subject, outcome, document, files, .. } = self;
        let checks = report::proviso::checks(document);
        let property = self.property.to_owned();
        match &outcome.verdict {
            Verdict::Safe(_) => {
                let property = checked(document).unwrap_or(property);
                let invariants = report::invariants(program, subject, &outcome.invariants);
                let evidence = files
                    .filter(|_| subject.is_c)
                    .map(|_| files::correctness(program, subject, &invariants, self.rests_on));
                let evidence = evidence.unwrap_or_default();
                let reason = match document.checks.is_empty() {
                    true => nothing(program, self.arguments),
                    false => document.reason.clone(),
                };
                let list = report::list_invariants(program, &invariants);
                let certified = report::certification(outcome).unwrap_or_default();
                let text = format!("{checks}{reason}\n{list}{certified}");
                let line = "Verification result: TRUE".to_owned();
                let (exit, execution) = (Exit::Done, None);
                Told { text, line, exit, property, invariants, execution, evidence }
            }
            Verdict::Unsafe(found) => {
                let execution = Execution::of(program, found);
                let text = report::counterexample(program, found, &execution, "--mmio");
                let evidence =
                    files.map(|_| files::violation(program, subject, found, &execution, &text));
                // A fault violates a property of its own, whatever else is checked.
                let fault = program.cfa.locations[found.error].fault;
                let property = fault.map_or(property, |fault| fault.property().to_owned());
                Told {
                    text: format!("{text}{checks}"),
                    line: format!("Verification result: FALSE ({property})"),
                    exit: Exit::Violation,
                    property,
                    invariants: Vec::new(),
                    execution: Some(execution),
                    evidence: evidence.unwrap_or_default(),
                }
            }
            Verdict::Unknown(why) => {
                let invariants = match self.arguments.tells_result() {
                    true => report::invariants(program, subject, &outcome.invariants),
                    false => Vec::new(),
                };
                Told {
                    text: report::proviso::page(document),
                    line: unknown_line(program, why),
                    exit: Exit::Unknown,
                    property: checked(document).unwrap_or(property),
                    invariants,
                    execution: None,
                    evidence: Prepared::new(),
                }
            }
        }
    }

    /// The document of the result.
    fn result(self, told: &Told) -> Result {
        report::result::document(report::result::Material {
            proviso: self.document,
            program: self.program,
            outcome: self.outcome,
            subject: self.subject,
            property: &told.property,
            invariants: &told.invariants,
            execution: told.execution.as_ref(),
            coverage: self.coverage,
            configuration: configuration(self.arguments, self.program, &self.subject.entry),
            extent: extent(self.budget),
            peak: verify::peak(),
            version: VERSION,
            result: &told.line,
            exit_code: told.exit.code(),
        })
    }
}

/// How long it takes, on a slow machine, to tell large graphs and executions as a whole.
const LONG: Duration = Duration::from_secs(2);

/// How much of large graphs and executions is told in the time that is left.
fn extent(budget: &Budget) -> Extent {
    let left = budget.deadline().map(|end| end.saturating_duration_since(Instant::now()));
    if left.is_some_and(|left| left < LONG) { Extent::SHORT } else { Extent::WHOLE }
}

fn unknown_line(program: &Program, why: &Unknown) -> String {
    format!("Verification result: UNKNOWN ({})", report::of_unknown(program, why))
}

/// Says that a property is of a class that no analysis decides.
pub fn unanswered(
    program: &Program,
    arguments: &Check,
    property: &str,
    why: Unknown,
    files: Option<&Files>,
) -> Exit {
    let (exit, form) = (Exit::Unknown, arguments.format);
    let line = unknown_line(program, &why);
    let bare = report::result::bare(VERSION, why.name(), exit.code());
    let outcome = Outcome::unknown(why);
    let none = partial::Reported::default();
    let proviso = partial::document(program, arguments, &outcome, &none, &[], files);
    let result = Result { proviso, property: property.to_owned(), result: line.clone(), ..bare };
    let prepared = files.map(|_| files::prepare(&result));
    output::conclude_after(&form::text(&result, form), exit, &|| {
        if let (Some(files), Some(prepared)) = (files, &prepared) {
            files.prepared(prepared);
        }
        form::tell(form, &line);
    });
    exit
}

/// How a run was configured.
fn configuration(arguments: &Check, program: &Program, entry: &str) -> Map<String, Value> {
    let analysis = clap::ValueEnum::to_possible_value(&arguments.analysis);
    let mut all = Map::new();
    let mut put = |name: &str, value: Value| all.insert(name.to_owned(), value);
    put("analysis", json!(analysis.as_ref().map_or("", |value| value.get_name())));
    put("entry_function", json!(entry));
    put("program_options", json!(arguments.input.words()));
    put("analysis_options", json!(arguments.manner));
    put("run_options", json!(arguments.kept));
    put("time_limit_seconds", json!(arguments.timelimit.as_secs_f64()));
    put("memory_limit_bytes", json!(arguments.memlimit));
    if let Some(limit) = arguments.cputimelimit {
        put("cpu_time_limit_seconds", json!(limit.as_secs_f64()));
    }
    match program.cfa.address_width {
        32 => put("data_model", json!("ILP32")),
        64 => put("data_model", json!("LP64")),
        _ => None,
    };
    put("certify", json!(arguments.certify));
    all
}
