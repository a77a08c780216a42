//! Refinements, as lines of JSON and in words.

use cfa::{Infix, LocId, Names, Program};
use serde_json::{Value, json};
use verify::{Came, Lesson};

use crate::location::Located;
use crate::shorten::beginning;

/// The text of a step is cut after this many characters.
const LONGEST_STEP: usize = 400;

/// A refinement as one line of JSON: which one it is, the path, what excludes it, and what changes.
#[must_use]
pub fn refinement_json(number: u64, stage: &str, program: &Program, lesson: &Lesson) -> String {
    let names = Names::of(&program.cfa);
    let place = |location: LocId| Located::of(program, &names, location).json();
    let path = lesson.nodes.iter().enumerate().map(|(index, (node, location))| {
        let mut object = place(*location);
        object["node"] = json!(node.to_string());
        if let Some(step) = index.checked_sub(1).and_then(|before| lesson.steps.get(before)) {
            object["by"] = json!(step_text(program, *step));
        }
        object
    });
    let notes = &lesson.notes;
    let interpolants = notes.interpolants.iter().map(|(index, text)| {
        json!({"at": index, "node": lesson.nodes.get(*index).map(|(node, _)| node.to_string()), "formula": text})
    });
    let learned = notes.learned.iter().map(|(location, text)| {
        let mut object = place(*location);
        object["what"] = json!(text);
        object
    });
    let line = json!({
        "refinement": number,
        "stage": stage,
        "result": name(lesson.came),
        "path": path.collect::<Vec<Value>>(),
        "interpolants": interpolants.collect::<Vec<Value>>(),
        "learned": learned.collect::<Vec<Value>>(),
        "dropouts": notes.dropouts,
        "taken_back": notes.taken_back,
        "changes": notes.changes,
        "root": lesson.root.map(|node| node.to_string()),
        "removed": lesson.removed,
    });
    line.to_string()
}

/// A refinement in words, one line.
#[must_use]
pub fn refinement(number: u64, program: &Program, lesson: &Lesson) -> String {
    let names = Names::of(&program.cfa);
    let place = |location: LocId| Located::of(program, &names, location).text();
    let target = lesson.nodes.last().map(|(_, location)| place(*location));
    let mut text = format!(
        "path {number}, {} steps to {}: {}",
        lesson.steps.len(),
        target.unwrap_or_default(),
        match lesson.came {
            Came::Feasible => "an execution takes it",
            Came::Excluded => "no execution takes it",
            Came::Unresolved => "it stays",
        }
    );
    let notes = &lesson.notes;
    if !notes.learned.is_empty() {
        let learned = notes.learned.iter();
        let learned: Vec<String> =
            learned.map(|(location, what)| format!("{what} at {}", place(*location))).collect();
        text.push_str(&format!("; learned {}", learned.join(", ")));
    }
    let mut list = |words: &str, list: &[String]| {
        if !list.is_empty() {
            text.push_str(&format!("; {words}{}", list.join(", ")));
        }
    };
    list("left to predicates: ", &notes.dropouts);
    list("values again: ", &notes.taken_back);
    list("", &notes.changes);
    if lesson.came == Came::Excluded {
        let below = match lesson.root {
            Some(node) => format!("below {node}"),
            None => "all".to_owned(),
        };
        text.push_str(&format!("; {} nodes cut off, {below}", lesson.removed));
    }
    text
}

const fn name(came: Came) -> &'static str {
    match came {
        Came::Feasible => "feasible",
        Came::Excluded => "excluded",
        Came::Unresolved => "unresolved",
    }
}

/// The operations of a step, as the model has them.
pub(crate) fn step_text(program: &Program, step: run::Step) -> String {
    let infix = Infix::new(program);
    match step {
        run::Step::Edge(edge) => {
            let ops = program.cfa.edges[edge].ops.iter();
            let ops: Vec<String> = ops.map(|op| infix.op(op).to_string()).collect();
            let name = program.cfa.edges[edge].name.as_ref();
            let rule = name.map_or_else(String::new, |name| format!("rule {name}: "));
            beginning(&format!("{rule}{}", ops.join("; ")), LONGEST_STEP)
        }
        run::Step::Return(call) => {
            let callee = program.cfa.edges[call].ops.iter().find_map(|op| match op {
                cfa::Op::Call { callee, .. } => Some(&*program.cfa.functions[*callee].name),
                _ => None,
            });
            format!("return from {}", callee.unwrap_or("a call"))
        }
    }
}
