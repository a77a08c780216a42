//! Steps as statements: what a file of an automaton calls them.

use base::Span;
use cfa::{Edge, EdgeId, Infix, Op, Program};
use run::Step;

/// The statement of a step, different for all steps of one location. Conditions stand in brackets, as
/// CPAchecker writes them.
#[must_use]
pub fn text(program: &Program, step: Step) -> String {
    let cfa = &program.cfa;
    let id = match step {
        Step::Return(call) => {
            let name = cfa.edges[call].callee().map(|callee| &cfa.functions[callee].name);
            return format!("return from {}", name.map_or("", |name| name));
        }
        Step::Edge(id) => id,
    };
    let plain = statement(program, id);
    let siblings = cfa.locations[cfa.edges[id].source].edges.iter();
    let same: Vec<EdgeId> =
        siblings.copied().filter(|other| statement(program, *other) == plain).collect();
    match same.iter().position(|other| *other == id) {
        Some(place) if same.len() > 1 => format!("{plain} #{}", place + 1),
        _ => plain,
    }
}

fn statement(program: &Program, id: EdgeId) -> String {
    let cfa = &program.cfa;
    let edge = &cfa.edges[id];
    let Some(Op::Assume(condition)) = edge.ops.first() else {
        return squeezed(&whole(program, edge));
    };
    let siblings = &cfa.locations[edge.source].edges;
    let spanned = edge.span.map(|span| source(program, span));
    let alike = siblings.iter().all(|other| cfa.edges[*other].span == edge.span);
    match spanned {
        // Both ways of a condition stand for its text: the first is taken if it holds.
        Some(text) if siblings.len() == 2 && alike => {
            let text = squeezed(&text);
            if siblings[0] == id { format!("[{text}]") } else { format!("[!({text})]") }
        }
        _ => format!("[{}]", Infix::new(program).term(*condition)),
    }
}

fn source(program: &Program, span: Span) -> String {
    String::from_utf8_lossy(program.sources.slice(span)).into_owned()
}

/// The statement that an edge is a part of: what stands on its line from the last `;`, `{` or `}`
/// before it to the next after it, as far as the line goes.
fn whole(program: &Program, edge: &Edge) -> String {
    let Some(span) = edge.span else { return "skip".to_owned() };
    let sources = &program.sources;
    let position = sources.position(span);
    let Some((start, line)) = sources.line(span.file, position.line) else {
        return source(program, span);
    };
    let (from, to) = ((span.start - start) as usize, (span.end - start) as usize);
    let ends = |byte: &u8| matches!(byte, b';' | b'{' | b'}');
    if to > line.len() || from > to {
        return source(program, span);
    }
    let first = line[..from].iter().rposition(ends).map_or(0, |place| place + 1);
    let last = match line[..to].last() {
        Some(b';') => to,
        _ => line[to..].iter().position(ends).map_or(line.len(), |place| to + place + 1),
    };
    String::from_utf8_lossy(line[first..last].trim_ascii()).into_owned()
}

/// Text with each run of white space as one space.
pub(super) fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
