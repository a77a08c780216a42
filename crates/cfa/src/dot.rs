//! Program models as graphs for Graphviz.

use std::fmt::Write as _;

use base::Id as _;

use crate::{Cfa, FuncId, Infix, LocId, Loops, Names, Program};

/// How much of an operation is shown on an edge.
const LABEL: usize = 60;

/// How many operations are shown on an edge.
const OPERATIONS: usize = 6;

/// The graph of a program in Graphviz' language: a cluster for each function; loop heads have a double border, dashed
/// if the loop can be entered elsewhere too; error locations are red. A location is shown by its name in the file, or
/// by its number if it has no name there; the identifiers of nodes in the graph have nothing to do with these names.
#[must_use]
pub fn dot(program: &Program) -> String {
    let cfa = &program.cfa;
    let loops = Loops::of(cfa);
    let mut members: Vec<Vec<LocId>> = vec![Vec::new(); cfa.functions.len()];
    for (id, location) in cfa.locations.entries() {
        if let Some(list) = members.get_mut(location.function.index()) {
            list.push(id);
        }
    }
    let mut out = String::from(
        "digraph program {\n  node [shape=ellipse, fontname=\"sans-serif\"];\n  \
         edge [fontname=\"monospace\", fontsize=10];\n",
    );
    // Writing to a string does not fail.
    let graph = Graph { program, names: Names::of(cfa), loops: &loops, members: &members };
    let _ = write!(out, "{graph}");
    out
}

struct Graph<'a> {
    program: &'a Program,
    names: Names<'a>,
    loops: &'a Loops,
    members: &'a [Vec<LocId>],
}

impl std::fmt::Display for Graph<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let cfa = &self.program.cfa;
        for (id, function) in cfa.functions.entries() {
            writeln!(f, "  subgraph cluster_{} {{", id.index())?;
            writeln!(f, "    label=\"{}\";", escape(&function.name))?;
            if cfa.start == Some(id) {
                writeln!(f, "    style=bold;")?;
            }
            for location in &self.members[id.index()] {
                let node = node(*location);
                writeln!(f, "    {node} [{}];", self.attributes(cfa, id, *location))?;
            }
            writeln!(f, "  }}")?;
        }
        for (id, edge) in cfa.edges.entries() {
            let back = self.loops.headed(edge.target).is_some_and(|looped| {
                self.loops.loops[looped].back_edges.binary_search(&id).is_ok()
            });
            let style = if back { ", style=bold" } else { "" };
            let label = self.label(edge);
            let (source, target) = (node(edge.source), node(edge.target));
            writeln!(f, "  {source} -> {target} [label=\"{label}\"{style}];")?;
        }
        writeln!(f, "}}")
    }
}

/// The identifier of a location in the graph.
fn node(location: LocId) -> String {
    format!("n{}", location.index())
}

impl Graph<'_> {
    fn attributes(&self, cfa: &Cfa, function: FuncId, id: LocId) -> String {
        let location = &cfa.locations[id];
        let mut label = escape(&self.names.shown(id));
        if let Some(span) = location.span {
            let line = self.program.sources.position(span).line;
            label = format!("{label}\\nline {line}");
        }
        let mut attributes = format!("label=\"{label}\"");
        if cfa.functions[function].entry == id {
            attributes += ", shape=box";
        } else if cfa.functions[function].exit == id {
            attributes += ", shape=box, style=rounded";
        }
        if let Some(looped) = self.loops.headed(id) {
            attributes += ", peripheries=2";
            if !self.loops.loops[looped].reducible {
                attributes += ", style=dashed";
            }
        }
        if location.error {
            attributes += ", style=filled, fillcolor=\"#ff8080\"";
        }
        attributes
    }

    fn label(&self, edge: &crate::Edge) -> String {
        let infix = Infix::new(self.program).limit(LABEL);
        let shown = edge.ops.iter().take(OPERATIONS);
        let mut lines: Vec<String> = shown.map(|op| escape(&infix.op(op).to_string())).collect();
        if let Some(name) = &edge.name {
            lines.insert(0, escape(name));
        }
        if edge.ops.len() > OPERATIONS {
            lines.push("…".to_owned());
        }
        lines.join("\\n")
    }
}

/// Text inside a quoted string. A backslash would start one of Graphviz' own escapes.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => escaped.push_str("\\\""),
            '\\' => escaped.push_str("\\\\"),
            '\n' => escaped.push_str("\\n"),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}
