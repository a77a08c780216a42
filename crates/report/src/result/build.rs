//! From what a run left behind to the document of its result.

use std::collections::BTreeMap;

use cfa::Program;
use serde_json::{Map, Value as Json};
use verify::{Outcome, Verdict};

use super::document::{Covered, CoveredLine, Document, FORMAT, Invariant, Tool, Unknown};
use super::sources::Lines;
use super::{Extent, counterexample, graph, model, sources};
use crate::certification::trusted;
use crate::proviso::document::{Document as Proviso, SourcePlace};
use crate::statistics::statistics_map;
use crate::{Execution, Subject, certification, source};

/// The name of this program.
const NAME: &str = "Proviso";

/// What the document of a result is made of.
pub struct Material<'a> {
    /// The proviso of the run.
    pub proviso: Proviso,
    /// The program.
    pub program: &'a Program,
    /// What came of the run.
    pub outcome: &'a Outcome,
    /// What was verified.
    pub subject: &'a Subject,
    /// The name of the property; where it is violated, that of the part which is.
    pub property: &'a str,
    /// What was proved to hold, in the language of the program.
    pub invariants: &'a [crate::Invariant],
    /// The run of the counterexample, if there is one.
    pub execution: Option<&'a Execution>,
    /// What was covered, if that was looked for.
    pub coverage: Option<&'a partial::Coverage>,
    /// Names of options with their values.
    pub configuration: Map<String, Json>,
    /// The most memory that the process has used, in bytes.
    pub peak: Option<u64>,
    /// The version of this program.
    pub version: &'a str,
    /// How much of large graphs and executions is told.
    pub extent: Extent,
    /// The line that says the verdict.
    pub result: &'a str,
    /// The number that the process ends with.
    pub exit_code: i32,
}

/// The document of a run without an answer, if only the reason is known.
#[must_use]
pub fn bare(version: &str, name: &str, exit_code: i32) -> Document {
    let proviso = Proviso {
        proviso: crate::proviso::document::FORMAT,
        verdict: "UNKNOWN".to_owned(),
        reason: name.to_owned(),
        ..Proviso::default()
    };
    Document { proviso, ..Document::default() }.ended(version, name, exit_code)
}

impl Document {
    /// The same document of a run that is ended from outside, with the name of the reason.
    #[must_use]
    pub fn ended(mut self, version: &str, name: &str, exit_code: i32) -> Self {
        self.format = FORMAT;
        self.tool = tool(version);
        self.unknown = Some(Unknown { name: name.to_owned(), ..Unknown::default() });
        self.result = format!("Verification result: UNKNOWN ({name})");
        self.exit_code = exit_code;
        self
    }
}

fn tool(version: &str) -> Tool {
    Tool { name: NAME.to_owned(), version: version.to_owned() }
}

/// The document of a run.
#[must_use]
pub fn document(material: Material<'_>) -> Document {
    let Material { program, outcome, .. } = material;
    let analysed = outcome.rewritten.as_ref().map_or(program, |rewritten| &rewritten.program);
    let found = match (&outcome.verdict, material.execution) {
        (Verdict::Unsafe(found), Some(execution)) => {
            Some(counterexample::of(program, found, execution))
        }
        _ => None,
    };
    let mut document = Document {
        format: FORMAT,
        tool: tool(material.version),
        property: material.property.to_owned(),
        specification: match material.subject.is_c {
            true => crate::checked(program, material.subject),
            false => material.subject.specification.clone(),
        },
        unknown: match &outcome.verdict {
            Verdict::Unknown(why) => Some(unknown(program, why)),
            _ => None,
        },
        configuration: material.configuration,
        sources: Vec::new(),
        counterexample: found,
        walks: counterexample::walks(program, &material.proviso, material.extent.walks),
        invariants: invariants(program, material.invariants),
        certification: certification(outcome).map(|text| text.trim_end().to_owned()),
        certification_trusts: outcome.certification.as_ref().and_then(trusted),
        covered: material.coverage.map_or_else(Vec::new, |coverage| covered(program, coverage)),
        statistics: statistics_map(program, outcome, material.peak),
        model: Some(model::of(program, material.extent.edges)),
        graph: outcome
            .graph
            .as_deref()
            .map(|found| graph::of(analysed, found, material.extent.nodes)),
        exit_code: material.exit_code,
        result: material.result.to_owned(),
        proviso: material.proviso,
    };
    let lines = lines(&document);
    document.sources = sources::of(program, &material.subject.files, &lines);
    document
}

fn unknown(program: &Program, why: &verify::Unknown) -> Unknown {
    let at = match why {
        verify::Unknown::Unsupported { edge: Some(edge), .. } => program.cfa.edges[*edge].span,
        _ => None,
    };
    let whole = crate::of_unknown(program, why);
    let detail = whole.strip_prefix(why.name()).unwrap_or_default();
    Unknown {
        name: why.name().to_owned(),
        detail: detail.trim_start_matches([':', ' ']).to_owned(),
        at: at.map(|span| SourcePlace::of(program, span)),
    }
}

fn invariants(program: &Program, found: &[crate::Invariant]) -> Vec<Invariant> {
    let told = |invariant: &crate::Invariant| {
        let location = &program.cfa.locations[invariant.location];
        // The span of a loop is the whole loop; the place of its invariant is the beginning of the loop.
        let begins = |span| SourcePlace {
            end_line: None,
            end_column: None,
            ..SourcePlace::of(program, span)
        };
        Invariant {
            at: location.span.map(begins),
            function: program.cfa.functions[location.function].name.to_string(),
            expression: invariant.expression.clone(),
        }
    };
    found.iter().map(told).collect()
}

fn covered(program: &Program, coverage: &partial::Coverage) -> Vec<Covered> {
    let mut files: BTreeMap<&str, Vec<CoveredLine>> = BTreeMap::new();
    for ((file, line), count) in &coverage.lines {
        if source::is_borrowed(program, *file) {
            continue;
        }
        let seen = coverage.seen.contains(&(*file, *line));
        let told = CoveredLine { line: *line, count: *count, seen };
        files.entry(program.sources.name(*file)).or_default().push(told);
    }
    let file = |(file, lines): (&str, Vec<CoveredLine>)| Covered { file: file.to_owned(), lines };
    files.into_iter().map(file).collect()
}

/// The lines that a document speaks of.
fn lines(document: &Document) -> Lines {
    let proviso = &document.proviso;
    let found = document.counterexample.iter();
    let walked = found.clone().map(|found| &found.steps).chain(document.walks.values());
    let steps = walked.flatten().map(|step| &step.at);
    let ends = found.map(|found| &found.at);
    let checks = proviso.checks.iter().map(|check| &check.at);
    let invariants = document.invariants.iter().map(|invariant| &invariant.at);
    let unknown = document.unknown.iter().map(|unknown| &unknown.at);
    let places = steps.chain(ends).chain(checks).chain(invariants).chain(unknown).flatten();
    let places = places.map(|place| (&place.file, place.line));
    let traces = proviso.frontier.traces.iter().chain(&proviso.cones.traces);
    let letters = traces.flat_map(|trace| &trace.steps);
    let letters = letters.filter_map(|step| Some((step.file.as_ref()?, step.line?)));
    let mut lines = Lines::new();
    for (file, line) in places.chain(letters) {
        lines.entry(file.clone()).or_default().insert(line);
    }
    lines
}
