//! The structure of witnesses in format 2.0, field by field: every field that is there is one that
//! the format has, with a value that it allows, and none that it requires is missing.

#![allow(missing_docs)]

use base::SourceMap;
use cfa::Program;
use frontend::{DataModel, Options};
use proviso_report::{Execution, Stamp, Subject};
use serde_json::{Map, Value};
use verify::{Analysis, Config, Outcome, Verdict};

const NAME: &str = "program.c";

struct Case {
    text: &'static str,
    program: Program,
    subject: Subject,
    outcome: Outcome,
}

impl Case {
    fn new(text: &'static str) -> Self {
        let mut sources = SourceMap::new();
        let file = sources.add(NAME, text.as_bytes()).expect("a short text");
        let options = Options { data_model: Some(DataModel::Ilp32), ..Options::default() };
        let loaded = frontend::c::load(sources, &[file], &options);
        assert!(!loaded.diagnostics.has_errors(), "{:?}", loaded.diagnostics);
        let entry = "main".to_owned();
        let subject = Subject { files: vec![file], is_c: true, entry, ..Subject::default() };
        let config = Config { analysis: Analysis::KInduction, ..Config::default() };
        let outcome = verify::verify(&loaded.program, &config, &|| Box::new(smt::Builtin::new()));
        Self { text, program: loaded.program, subject, outcome }
    }

    fn witness(&self) -> String {
        let stamp = Stamp { time: "2026-11-15T00:00:00Z".to_owned(), version: "0.0.0".to_owned() };
        match &self.outcome.verdict {
            Verdict::Unsafe(found) => {
                let execution = Execution::of(&self.program, found);
                proviso_report::violation(&self.program, &self.subject, found, &execution, &stamp)
            }
            Verdict::Safe(_) => {
                let invariants = proviso_report::invariants(
                    &self.program,
                    &self.subject,
                    &self.outcome.invariants,
                );
                proviso_report::correctness(&self.program, &self.subject, &invariants, None, &stamp)
            }
            Verdict::Unknown(why) => panic!("an answer is expected: {why:?}"),
        }
    }

    /// The content of the witness, after everything else has been looked at.
    fn content(&self, kind: &str) -> Vec<Value> {
        let text = self.witness();
        let witness: Value = serde_saphyr::from_str(&text).expect("YAML");
        let [entry] = &witness.as_array().expect("a list")[..] else { panic!("one entry: {text}") };
        let entry = fields(entry, &["entry_type", "metadata", "content"], &[]);
        assert_eq!(entry["entry_type"], kind);
        metadata(&entry["metadata"]);
        entry["content"].as_array().expect("a list").clone()
    }

    /// The text from a place on.
    fn at(&self, location: &Map<String, Value>) -> &str {
        let number = |name: &str| usize::try_from(location[name].as_u64().expect("a number"));
        let (line, column) = (number("line").expect("small"), number("column").expect("small"));
        let line = self.text.lines().nth(line - 1).expect("a line of the program");
        line.get(column - 1..).expect("a column of the line")
    }
}

/// A mapping with these fields, of which the second list may be missing.
fn fields<'v>(value: &'v Value, required: &[&str], optional: &[&str]) -> &'v Map<String, Value> {
    let map = value.as_object().unwrap_or_else(|| panic!("a mapping: {value}"));
    for name in required {
        assert!(map.contains_key(*name), "{name} is missing: {value}");
    }
    for name in map.keys() {
        let known = required.contains(&name.as_str()) || optional.contains(&name.as_str());
        assert!(known, "{name} is not of the format: {value}");
    }
    map
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("a string: {value}"))
}

fn metadata(value: &Value) {
    let required = ["format_version", "uuid", "creation_time", "producer", "task"];
    let metadata = fields(value, &required, &[]);
    assert_eq!(metadata["format_version"], "2.0");
    let uuid: Vec<&str> = text(&metadata["uuid"]).split('-').collect();
    assert_eq!(uuid.iter().map(|part| part.len()).collect::<Vec<_>>(), [8, 4, 4, 4, 12]);
    assert!(uuid.concat().bytes().all(|byte| byte.is_ascii_hexdigit()));
    assert_eq!(metadata["creation_time"], "2026-11-15T00:00:00Z");
    let producer = fields(
        &metadata["producer"],
        &["name", "version"],
        &["configuration", "command_line", "description"],
    );
    assert!(!text(&producer["name"]).is_empty() && !text(&producer["version"]).is_empty());
    let required = ["input_files", "input_file_hashes", "specification", "data_model", "language"];
    let task = fields(&metadata["task"], &required, &[]);
    assert_eq!(task["input_files"].as_array().expect("a list")[..], [NAME]);
    let hashes = fields(&task["input_file_hashes"], &[NAME], &[]);
    let hash = text(&hashes[NAME]);
    assert!(hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()), "{hash}");
    assert_eq!(task["specification"], "CHECK( init(main()), LTL(G ! call(reach_error())) )");
    assert_eq!(task["data_model"], "ILP32");
    assert_eq!(task["language"], "C");
}

fn location(value: &Value) -> &Map<String, Value> {
    let location = fields(value, &["file_name", "line", "column", "function"], &["identifier"]);
    assert_eq!(location["file_name"], NAME);
    assert!(!text(&location["function"]).is_empty());
    for name in ["line", "column"] {
        assert!(location[name].as_u64().is_some_and(|number| number >= 1), "{value}");
    }
    location
}

/// The type of the waypoint of a segment, and the text of its constraint.
fn segment(case: &Case, value: &Value) -> (String, String) {
    let segment = fields(value, &["segment"], &[])["segment"].as_array().expect("a list");
    let (last, before) = segment.split_last().expect("a waypoint");
    let waypoint = |value| {
        let required = ["type", "action", "location"];
        fields(&fields(value, &["waypoint"], &[])["waypoint"], &required, &["constraint"])
    };
    for value in before {
        assert_eq!(waypoint(value)["action"], "avoid");
    }
    let last = waypoint(last);
    assert_eq!(last["action"], "follow");
    let place = location(&last["location"]);
    let here = case.at(place);
    let kind = text(&last["type"]);
    let (mut value, mut format) = (None, None);
    if let Some(constraint) = last.get("constraint") {
        let constraint = fields(constraint, &["value"], &["format"]);
        value = Some(text(&constraint["value"]));
        format = constraint.get("format").map(text);
    }
    match kind {
        "assumption" => {
            assert_eq!(format, Some("c_expression"));
            assert!(value.is_some_and(|value| !value.contains('\\')));
            // Before a statement.
            assert!(here.starts_with(|c: char| c.is_ascii_alphabetic()), "{here}");
        }
        "function_return" => {
            assert_eq!(format, Some("acsl_expression"));
            assert!(value.is_some_and(|value| value.starts_with("\\result == ")));
            assert!(here.starts_with(')'), "the closing parenthesis of the call: {here}");
        }
        "branching" => {
            assert!(matches!(value, Some("true" | "false")) && format.is_none());
            assert!(here.starts_with("if") || here.starts_with("while"), "{here}");
        }
        "function_enter" => assert!(value.is_none_or(|value| value == "true")),
        "target" => {
            assert!(value.is_none(), "a target has no constraint");
            assert!(here.starts_with("reach_error"), "{here}");
        }
        other => panic!("{other} is no type of waypoint"),
    }
    (kind.to_owned(), value.unwrap_or_default().to_owned())
}

#[test]
fn a_violation_witness_has_the_fields_of_the_format() {
    let case = Case::new(
        "extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
int twice(int x) {
    if (x > 1000)
        return 0;
    return 2 * x;
}
int main(void) {
    int x = __VERIFIER_nondet_int(), y = twice(__VERIFIER_nondet_uchar());
    int open;
    x = x + 1;
    if (open == 5) {
        if (x == -6 && y == 46)
            reach_error();
    }
    return 0;
}
",
    );
    let content = case.content("violation_sequence");
    let points: Vec<(String, String)> = content.iter().map(|value| segment(&case, value)).collect();
    let points: Vec<(&str, &str)> =
        points.iter().map(|(kind, value)| (kind.as_str(), value.as_str())).collect();
    let expected = [
        ("function_return", "\\result == -7"),
        ("function_return", "\\result == 23"),
        ("branching", "false"),
        ("assumption", "open == 5"),
        ("branching", "true"),
        ("branching", "true"),
        ("target", ""),
    ];
    assert_eq!(points, expected);
}

#[test]
fn activations_of_one_function_have_values_of_their_own() {
    let case = Case::new(
        "extern void reach_error(void);
int f(int n) {
    int u;
    while (n == 0)
        return 0;
    return 10 * f(n - 1) + u;
}
int main(void) {
    if (f(2) == 57)
        reach_error();
    return 0;
}
",
    );
    let content = case.content("violation_sequence");
    let points: Vec<(String, String)> = content.iter().map(|value| segment(&case, value)).collect();
    let values: Vec<i32> = points
        .iter()
        .filter(|(kind, _)| kind == "assumption")
        .map(|(_, said)| {
            said.strip_prefix("u == ").and_then(|it| it.parse().ok()).expect("a value")
        })
        .collect();
    // The outer activation begins its statement before the inner one does.
    let [outer, inner] = values[..] else { panic!("two values: {points:?}") };
    assert_eq!(inner.wrapping_mul(10).wrapping_add(outer), 57);
}

#[test]
fn a_correctness_witness_has_the_fields_of_the_format() {
    let case = Case::new(
        "extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), i = 0, j = n;
    while (i < n) {
        i++;
        j--;
    }
    do {
        j = 0;
    } while (__VERIFIER_nondet_uint());
    unsigned m = 0;
    if (n > 0)
        do {
            m++;
        } while (m < n);
    if (m != n)
        reach_error();
    for (int k = 0; k < 1000; k++)
        if (k > 1000 || j != 0)
            reach_error();
    return 0;
}
",
    );
    let content = case.content("invariant_set");
    let mut said = Vec::new();
    for value in &content {
        let invariant = &fields(value, &["invariant"], &[])["invariant"];
        let invariant = fields(invariant, &["type", "location", "value", "format"], &[]);
        assert_eq!(invariant["format"], "c_expression");
        let here = case.at(location(&invariant["location"]));
        match text(&invariant["type"]) {
            "loop_invariant" => {
                assert!(here.starts_with("while") || here.starts_with("for"), "{here}");
            }
            // The first statement of the body of a loop with `do`.
            "location_invariant" => {
                assert!(here.starts_with("m++") || here.starts_with("j = 0"), "{here}");
            }
            other => panic!("{other} is no type of invariant"),
        }
        said.push(format!("{}: {}", &here[..3], text(&invariant["value"])));
    }
    for expected in ["whi: i <= n", "for: k >= 0", "m++: m < n"] {
        assert!(said.iter().any(|said| said == expected), "{expected}: {said:?}");
    }
}
