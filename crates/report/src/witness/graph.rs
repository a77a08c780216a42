//! Format 1.0: an automaton whose edges are the places of the run.

use cfa::Program;

use super::stamp::{PRODUCER, Stamp, hash};
use super::way::{Point, PointKind};
use crate::Subject;

/// The keys in use: name, type, and what they are about.
const KEYS: [(&str, &str, &str); 17] = [
    ("witness-type", "string", "graph"),
    ("sourcecodelang", "string", "graph"),
    ("producer", "string", "graph"),
    ("specification", "string", "graph"),
    ("programfile", "string", "graph"),
    ("programhash", "string", "graph"),
    ("architecture", "string", "graph"),
    ("creationtime", "string", "graph"),
    ("entry", "boolean", "node"),
    ("violation", "boolean", "node"),
    ("originfile", "string", "edge"),
    ("startline", "int", "edge"),
    ("endline", "int", "edge"),
    ("control", "string", "edge"),
    ("assumption", "string", "edge"),
    ("assumption.scope", "string", "edge"),
    ("assumption.resultfunction", "string", "edge"),
];

/// A violation witness.
pub(super) fn violation(
    program: &Program,
    subject: &Subject,
    specification: &str,
    way: &[Point],
    stamp: &Stamp,
) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n\
         <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" \
         xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n",
    );
    for (name, ty, about) in KEYS {
        let open =
            format!("<key attr.name=\"{name}\" attr.type=\"{ty}\" for=\"{about}\" id=\"{name}\"");
        if ty == "boolean" {
            text.push_str(&format!("  {open}>\n    <default>false</default>\n  </key>\n"));
        } else {
            text.push_str(&format!("  {open}/>\n"));
        }
    }
    text.push_str("  <graph edgedefault=\"directed\">\n");
    let architecture = if program.cfa.address_width == 32 { "32bit" } else { "64bit" };
    let producer = format!("{PRODUCER} {}", stamp.version);
    let mut put = |key: &str, value: &str| text.push_str(&format!("    {}\n", data(key, value)));
    put("witness-type", "violation_witness");
    put("sourcecodelang", "C");
    put("producer", &producer);
    put("specification", specification);
    // The format knows programs of one file. A program of several has a name and a hash for each.
    for file in &subject.files {
        put("programfile", program.sources.name(*file));
        put("programhash", &hash(program.sources.text(*file)));
    }
    put("architecture", architecture);
    put("creationtime", &stamp.time);
    let last = way.len();
    for node in 0..=last {
        let marks = match node {
            // If the way has no points, its only node is both the entry and the violation.
            _ if node == last && last == 0 => {
                format!("{}{}", data("entry", "true"), data("violation", "true"))
            }
            0 => data("entry", "true"),
            _ if node == last => data("violation", "true"),
            _ => String::new(),
        };
        text.push_str(&format!("    <node id=\"q{node}\">{marks}</node>\n"));
    }
    for (at, point) in way.iter().enumerate() {
        // A place in the only file of a program needs no name.
        let origin = (subject.files != [point.file]).then(|| program.sources.name(point.file));
        edge(at, point, origin, &mut text);
    }
    text.push_str("  </graph>\n</graphml>\n");
    text
}

fn edge(at: usize, point: &Point, origin: Option<&str>, text: &mut String) {
    // The line of a call is the line where the call begins.
    let line = match &point.kind {
        PointKind::Returned { begun, .. } => begun.to_string(),
        _ => point.at.line.to_string(),
    };
    text.push_str(&format!("    <edge source=\"q{at}\" target=\"q{}\">\n", at + 1));
    let mut put = |key: &str, value: &str| text.push_str(&format!("      {}\n", data(key, value)));
    if let Some(origin) = origin {
        put("originfile", origin);
    }
    put("startline", &line);
    put("endline", &line);
    match &point.kind {
        PointKind::Returned { callee, relation, .. } => {
            put("assumption", &format!("\\result {relation}"));
            put("assumption.scope", &point.function);
            put("assumption.resultfunction", callee);
        }
        PointKind::Branch(holds) => {
            put("control", if *holds { "condition-true" } else { "condition-false" });
        }
        PointKind::Assumed(_) | PointKind::Target => {}
    }
    text.push_str("    </edge>\n");
}

fn data(key: &str, value: &str) -> String {
    format!("<data key=\"{key}\">{}</data>", escaped(value))
}

/// Text such that XML can have it. Control characters cannot stand in an expression of C, and are blanks here.
fn escaped(text: &str) -> String {
    let is_blank = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    base::markup(&text.replace(is_blank, " "))
}
