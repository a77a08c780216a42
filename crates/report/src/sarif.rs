//! The result of a run in SARIF 2.1.0, which editors and code hosts show.

mod rules;

use serde_json::{Map, Value, json};

use crate::counted::counted;
use crate::proviso::document::{Check, SourcePlace};
use crate::result::document::{Counterexample, Document, Source, Step};
use rules::Rules;

/// Where the schema is.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// What relative names of files are relative to.
const ROOT: &str = "%SRCROOT%";

/// The document in SARIF. A violation is a result of kind `fail`, with a code flow; what is open is one of
/// kind `open`. Why a run has no answer is a notification. What is proved is no result: most viewers
/// would show it as a finding. The last line has the verdict.
#[must_use]
pub fn sarif(document: &Document) -> String {
    let log = json!({ "$schema": SCHEMA, "version": "2.1.0", "runs": [run(document)] });
    let text = serde_json::to_string_pretty(&log).unwrap_or_default();
    let text = text.strip_suffix("\n}").unwrap_or(&text);
    let last = json!({ "result": document.result });
    base::plain(&format!("{text},\n  \"properties\": {last} }}\n")).into_owned()
}

fn run(document: &Document) -> Value {
    let checks = &document.proviso.checks;
    let count = |status: &str| checks.iter().filter(|check| check.status == status).count();
    let places = Places { sources: &document.sources };
    let mut rules = Rules::default();
    let mut results: Vec<Value> = Vec::new();
    if let Some(found) = &document.counterexample {
        results.push(violation(document, found, &places, &mut rules));
    }
    // A run that ends with a violation has not decided the other checks, so they are no findings.
    if document.unknown.is_some() {
        let is_open = |check: &&Check| matches!(&*check.status, "open" | "not reached");
        let open = checks.iter().filter(is_open);
        results.extend(open.map(|check| undecided(check, &places, &mut rules)));
    }
    json!({
        "tool": { "driver": {
            "name": document.tool.name,
            "version": document.tool.version,
            "rules": rules.list(),
        }},
        "originalUriBaseIds": {
            ROOT: { "description": { "text": "The folder in which the command was given." } },
        },
        "automationDetails": { "id": identity(document) },
        "columnKind": "unicodeCodePoints",
        "artifacts": document.sources.iter().map(artifact).collect::<Vec<Value>>(),
        "invocations": [invocation(document, &places)],
        "results": results,
        "properties": {
            "verdict": document.proviso.verdict,
            "property": document.property,
            "proved": count("proved"),
            "open": count("open") + count("not reached"),
            "violated": count("violated"),
        },
    })
}

/// A text that tells runs about different programs apart: code hosts take the part before the last `/` as the
/// category of a run, and keep one run for each category. The text is the same for all versions of a program.
fn identity(document: &Document) -> String {
    let files = document.proviso.files.join(" ");
    let entry = document.configuration.get("entry_function").and_then(Value::as_str);
    match entry.filter(|entry| *entry != "main") {
        Some(entry) => format!("proviso/{files}/{entry}/"),
        None => format!("proviso/{files}/"),
    }
}

/// How the run ended: its exit code, and why it has no answer.
fn invocation(document: &Document, places: &Places<'_>) -> Value {
    let mut notifications: Vec<Value> = Vec::new();
    if let Some(unknown) = &document.unknown {
        let mut notification = json!({
            "descriptor": { "id": unknown.name.replace(' ', "-") },
            "level": if unknown.name == "internal error" { "error" } else { "warning" },
            "message": { "text": document.proviso.reason },
        });
        if let Some(at) = &unknown.at {
            notification["locations"] = json!([places.location(at)]);
        }
        notifications.push(notification);
    }
    let told = |id: &'static str| move |text: &String| json!({ "descriptor": { "id": id }, "level": "note", "message": { "text": text } });
    notifications.extend(document.proviso.blockers.iter().map(told("blocker")));
    notifications.extend(document.proviso.assumptions.iter().map(told("assumption")));
    let is_successful = document.unknown.as_ref().is_none_or(|why| why.name != "internal error");
    json!({
        "executionSuccessful": is_successful,
        "exitCode": document.exit_code,
        "exitCodeDescription": document.result,
        "toolExecutionNotifications": notifications,
    })
}

/// The violation, with the way to it.
fn violation(
    document: &Document,
    found: &Counterexample,
    places: &Places<'_>,
    rules: &mut Rules,
) -> Value {
    let way: Vec<Value> =
        (1..).zip(&found.steps).filter_map(|(number, step)| passed(number, step, places)).collect();
    let mut result = json!({
        "ruleId": document.property,
        "ruleIndex": rules.index(&document.property),
        "kind": "fail",
        "level": "error",
        "message": { "text": sentence(found) },
        "locations": found.at.iter().map(|at| places.location(at)).collect::<Vec<Value>>(),
        "properties": { "inputs": found.inputs, "steps": found.length },
    });
    if !way.is_empty() {
        let length = counted(found.length, "step");
        result["codeFlows"] = json!([{
            "message": { "text": format!("An execution of {length}, which was replayed.") },
            "threadFlows": [{ "locations": way }],
        }]);
    }
    result
}

/// What has happened, with what could be done about it.
fn sentence(found: &Counterexample) -> String {
    match &found.hint {
        Some(hint) => format!("{}. Hint: {hint}", found.error),
        None => format!("{}.", found.error),
    }
}

/// A step of the execution. Where steps are left out, the line has no place and gives nothing.
fn passed(number: usize, step: &Step, places: &Places<'_>) -> Option<Value> {
    let at = step.at.as_ref()?;
    let values: Vec<&str> = step.values.iter().map(|value| &*value.text).collect();
    let text = match values.is_empty() {
        true => step.code.clone(),
        false => values.join(", "),
    };
    let mut location = places.location(at);
    location["message"] = json!({ "text": text });
    let mut state = Map::new();
    for value in &step.values {
        // Two variables of one name have two keys.
        let key = value.variable.as_ref().or(value.name.as_ref());
        if let (Some(key), Some(value)) = (key, &value.value) {
            state.insert(key.clone(), json!({ "text": value }));
        }
    }
    let importance = if step.values.is_empty() { "unimportant" } else { "important" };
    let mut passed = json!({
        "location": location,
        "executionOrder": number,
        "nestingLevel": step.depth,
        "importance": importance,
    });
    if !state.is_empty() {
        passed["state"] = Value::Object(state);
    }
    Some(passed)
}

/// A check that could not be decided.
fn undecided(check: &Check, places: &Places<'_>, rules: &mut Rules) -> Value {
    let why = if check.reason.is_empty() { String::new() } else { format!(": {}", check.reason) };
    json!({
        "ruleId": check.property,
        "ruleIndex": rules.index(&check.property),
        "kind": "open",
        "level": "none",
        "message": { "text": format!("`{}` could not be decided{why}.", check.text) },
        "locations": check.at.iter().map(|at| places.location(at)).collect::<Vec<Value>>(),
    })
}

fn artifact(source: &Source) -> Value {
    json!({
        "location": uri(source.path.as_deref().unwrap_or(&source.file)),
        "hashes": { "sha-256": source.sha256 },
    })
}

/// Places, as SARIF names them.
struct Places<'d> {
    sources: &'d [Source],
}

impl Places<'_> {
    fn location(&self, at: &SourcePlace) -> Value {
        let index = self.sources.iter().position(|source| source.file == at.file);
        let path = index.and_then(|index| self.sources[index].path.as_deref());
        let mut artifact = uri(path.unwrap_or(&at.file));
        if let Some(index) = index {
            artifact["index"] = json!(index);
        }
        let mut region = json!({ "startLine": at.line, "startColumn": at.column });
        if let (Some(line), Some(column)) = (at.end_line, at.end_column) {
            region["endLine"] = json!(line);
            region["endColumn"] = json!(column);
        }
        json!({ "physicalLocation": { "artifactLocation": artifact, "region": region } })
    }
}

/// The location of a file: relative to the folder of the command unless its name is absolute.
fn uri(path: &str) -> Value {
    if path.starts_with('/') {
        return json!({ "uri": format!("file://{}", encoded(path)) });
    }
    let path = path.strip_prefix("./").unwrap_or(path);
    json!({ "uri": encoded(path), "uriBaseId": ROOT })
}

/// A path such that a URI can have it: everything but letters, digits and a few signs as bytes.
fn encoded(path: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/+,@=".contains(&byte);
    let mut uri = String::new();
    for byte in path.bytes() {
        if is_plain(byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_uris() {
        assert_eq!(uri("src/a b.c")["uri"], "src/a%20b.c");
        assert_eq!(uri("./a:b.c")["uri"], "a%3Ab.c");
        assert_eq!(uri("\u{1b}[2J<é>.c")["uri"], "%1B%5B2J%3C%C3%A9%3E.c");
        let absolute = uri("/usr/include/a.h");
        assert_eq!(absolute, json!({ "uri": "file:///usr/include/a.h" }));
        assert_eq!(uri("a.c")["uriBaseId"], ROOT);
    }
}
