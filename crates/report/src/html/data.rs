//! What the scripts of the page read: executions, automaton and graph.

use partial::Letter;
use serde::Serialize;
use serde_json::{Value, json};

use crate::proviso::document::Trace;
use crate::result::document::{Document, Graph, Model, Step};

/// At most this many steps of each execution are in the data.
const MOST_STEPS: usize = 2000;

/// The data as JSON that can stand in a page: no character of it begins a tag.
pub(super) fn of(document: &Document) -> String {
    in_page(&Data {
        files: document.sources.iter().map(|source| &*source.file).collect(),
        paths: paths(document),
        model: document.model.as_ref(),
        graph: document.graph.as_ref(),
    })
}

/// What the scripts read.
#[derive(Serialize)]
struct Data<'d> {
    files: Vec<&'d str>,
    paths: Vec<Value>,
    model: Option<&'d Model>,
    graph: Option<&'d Graph>,
}

/// The data of the page of a graph alone.
pub(super) fn of_graph(graph: &Graph) -> String {
    in_page(&Data { files: Vec::new(), paths: Vec::new(), model: None, graph: Some(graph) })
}

fn in_page(data: &Data<'_>) -> String {
    let text = serde_json::to_string(data).unwrap_or_default();
    shown(&text).replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

/// A JSON text whose strings show the codes of active characters ([`base::plain`]) instead of having the characters.
fn shown(json: &str) -> String {
    let mut shown = String::with_capacity(json.len());
    let mut rest = json.chars();
    while let Some(c) = rest.next() {
        // Outside of strings, JSON has neither backslashes nor active characters.
        match (c, rest.clone().next()) {
            ('\\', Some(next)) => {
                rest.next();
                match next {
                    'u' => shown.push_str("\\\\u"),
                    'b' => shown.push_str("\\\\u0008"),
                    'f' => shown.push_str("\\\\u000c"),
                    'r' => shown.push_str("\\\\u000d"),
                    _ => shown.extend([c, next]),
                }
            }
            _ if base::is_active(c) => {
                shown.push_str(&format!("\\\\u{:04x}", u32::from(c)));
            }
            _ => shown.push(c),
        }
    }
    shown
}

fn paths(document: &Document) -> Vec<Value> {
    let mut paths = Vec::new();
    if let Some(found) = &document.counterexample {
        let steps: Vec<Value> = found.steps.iter().map(|step| passed(document, step)).collect();
        paths.push(json!({ "id": "counterexample", "name": "Counterexample", "steps": steps }));
    }
    for (id, trace) in document.proviso.walked() {
        let name = if id.starts_with("cone") { "Safe cone" } else { "Not explored" };
        let number = id.rsplit('-').next().unwrap_or_default();
        let steps = match document.walks.get(&id) {
            Some(steps) => steps.iter().map(|step| passed(document, step)).collect(),
            None => walked(document, trace),
        };
        paths.push(json!({
            "id": id,
            "name": format!("{name} {number}: {}", trace.place),
            "inputs": trace.inputs,
            "steps": steps,
        }));
    }
    paths
}

fn passed(document: &Document, step: &Step) -> Value {
    let at = step.at.as_ref();
    json!({
        "file": at.and_then(|at| file(document, &at.file)),
        "line": at.map(|at| at.line),
        "depth": step.depth,
        "code": step.code,
        "values": step.values,
        "activation": step.activation,
        "known": step.known,
        "folded": step.folded,
    })
}

fn walked(document: &Document, trace: &Trace) -> Vec<Value> {
    let step = |step: &Letter| {
        json!({
            "file": step.file.as_ref().and_then(|name| file(document, name)),
            "line": step.line,
            "depth": step.depth.saturating_sub(1),
            "code": step.text,
            "values": [],
            "known": [],
            "folded": false,
        })
    };
    trace.steps.iter().take(MOST_STEPS).map(step).collect()
}

/// The number of a file.
fn file(document: &Document, name: &str) -> Option<usize> {
    document.sources.iter().position(|source| source.file == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_show_the_codes_of_active_characters() {
        let text = "a\u{1b}[2J \u{202e}b \\u0041 \"\n\r\t";
        let json = serde_json::to_string(text).expect("a string");
        let read: String = serde_json::from_str(&shown(&json)).expect("a string");
        assert_eq!(read, "a\\u001b[2J \\u202eb \\u0041 \"\n\\u000d\t");
    }
}
