//! A reader of violation witnesses in format 1.0: whether a text is one, and speaks of a program.

use std::collections::{BTreeMap, BTreeSet};

use super::xml::{Element, must, parse};

/// The keys that every witness has at its graph.
const REQUIRED: [&str; 8] = [
    "witness-type",
    "sourcecodelang",
    "producer",
    "specification",
    "programfile",
    "programhash",
    "architecture",
    "creationtime",
];

/// Checks a witness against the text of its program.
///
/// # Errors
/// What is wrong with the witness.
pub fn check(witness: &str, program: &str) -> Result<(), String> {
    let root = parse(witness)?;
    must(root.name == "graphml", "the root is graphml")?;
    let keys = keys(&root)?;
    let graphs: Vec<&Element> = root.children.iter().filter(|it| it.name == "graph").collect();
    let [graph] = graphs[..] else { return Err(format!("{} graphs", graphs.len())) };
    must(graph.attributes.get("edgedefault").is_some_and(|it| it == "directed"), "directed")?;
    let data = data(graph, "graph", &keys)?;
    for key in REQUIRED {
        must(data.get(key).is_some_and(|value| !value.is_empty()), key)?;
    }
    must(data["witness-type"] == "violation_witness", "the type of the witness")?;
    must(data["sourcecodelang"] == "C", "the language")?;
    must(["32bit", "64bit"].contains(&&*data["architecture"]), "the architecture")?;
    must(data["specification"].starts_with("CHECK( init("), "the specification")?;
    let hash = &data["programhash"];
    must(hash.len() == 64 && hash.bytes().all(|it| it.is_ascii_hexdigit()), "the hash")?;
    let time = &data["creationtime"];
    must(time.len() >= 20 && time.contains('T') && time.ends_with('Z'), "the time")?;
    path(graph, &keys, program)
}

/// The declared keys: what they are about and the type of their values.
fn keys(root: &Element) -> Result<BTreeMap<String, (String, String)>, String> {
    let mut keys = BTreeMap::new();
    for key in root.children.iter().filter(|it| it.name == "key") {
        let get = |name: &str| key.attributes.get(name).cloned().ok_or(format!("a key: {name}"));
        must(!get("attr.name")?.is_empty(), "the name of a key")?;
        let known = keys.insert(get("id")?, (get("for")?, get("attr.type")?));
        must(known.is_none(), "keys are declared once")?;
    }
    Ok(keys)
}

/// The data of an element, each of a declared key with a value of its type.
fn data(
    element: &Element,
    about: &str,
    keys: &BTreeMap<String, (String, String)>,
) -> Result<BTreeMap<String, String>, String> {
    let mut found = BTreeMap::new();
    for data in element.children.iter().filter(|it| it.name == "data") {
        let key = data.attributes.get("key").ok_or("data without a key")?;
        let (of, ty) = keys.get(key).ok_or(format!("{key} is not declared"))?;
        must(of == about, &format!("{key} is about a {of}, and not about a {about}"))?;
        let value = data.text.trim().to_owned();
        let fits = match ty.as_str() {
            "int" => value.parse::<u32>().is_ok(),
            "boolean" => matches!(&*value, "true" | "false"),
            _ => true,
        };
        must(fits, &format!("{key} = {value} is of type {ty}"))?;
        must(found.insert(key.clone(), value).is_none(), &format!("{key} twice"))?;
    }
    Ok(found)
}

/// The nodes are one path from the entry to the violation, and its edges speak of the program.
fn path(
    graph: &Element,
    keys: &BTreeMap<String, (String, String)>,
    program: &str,
) -> Result<(), String> {
    let (mut entries, mut violations, mut nodes) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    let mut sinks = BTreeSet::new();
    for node in graph.children.iter().filter(|it| it.name == "node") {
        let id = node.attributes.get("id").ok_or("a node without an id")?;
        must(nodes.insert(id), "nodes have ids of their own")?;
        let data = data(node, "node", keys)?;
        let is = |key: &str| data.get(key).is_some_and(|value| value == "true");
        entries.extend(is("entry").then_some(id));
        violations.extend(is("violation").then_some(id));
        sinks.extend(is("sink").then_some(id));
    }
    let mut next: BTreeMap<&String, Vec<(&String, &Element)>> = BTreeMap::new();
    for edge in graph.children.iter().filter(|it| it.name == "edge") {
        let end = |name: &str| edge.attributes.get(name).ok_or(format!("an edge: {name}"));
        let (source, target) = (end("source")?, end("target")?);
        must(nodes.contains(source) && nodes.contains(target), "ends of edges are nodes")?;
        must(!sinks.contains(source), "nothing follows a sink")?;
        next.entry(source).or_default().push((target, edge));
    }
    let [mut at] = entries[..] else { return Err(format!("{} entries", entries.len())) };
    let mut seen = BTreeSet::from([at]);
    while let Some(edges) = next.get(at) {
        let [(target, element)] = edges[..] else { return Err(format!("edges from {at}")) };
        edge(&data(element, "edge", keys)?, program)?;
        must(seen.insert(target), "a path")?;
        at = target;
    }
    must(violations.contains(at), "the path ends in the violation")?;
    must(seen.len() == nodes.len(), "all nodes are on the path")
}

/// What an edge says has to do with the lines that it names.
fn edge(data: &BTreeMap<String, String>, program: &str) -> Result<(), String> {
    let lines: Vec<&str> = program.lines().collect();
    let number = |key: &str| -> Result<usize, String> {
        let text = data.get(key).ok_or(format!("an edge without {key}"))?;
        text.parse().map_err(|_| format!("{key} = {text}"))
    };
    let (start, end) = (number("startline")?, number("endline")?);
    must(1 <= start && start <= end && end <= lines.len(), "lines of the program")?;
    // A call may begin some lines before it ends.
    let near = lines[start.saturating_sub(6)..end].join("\n");
    if let Some(control) = data.get("control") {
        must(["condition-true", "condition-false"].contains(&&**control), "control")?;
        must(["if", "while", "for", "?"].iter().any(|it| near.contains(it)), "a decision")?;
    }
    for key in ["assumption.scope", "assumption.resultfunction"] {
        if let Some(name) = data.get(key) {
            must(data.contains_key("assumption"), "what belongs to an assumption")?;
            must(program.contains(&**name), &format!("{key} = {name} is of the program"))?;
        }
    }
    if let Some(assumption) = data.get("assumption") {
        let compares = assumption.contains("==") || assumption.contains("!=");
        must(compares && !assumption.contains(['$', '@']), &format!("assumption {assumption}"))?;
        if assumption.starts_with("\\result") {
            let callee = data.get("assumption.resultfunction").ok_or("whose result it is")?;
            must(near.contains(&**callee), &format!("{callee} is called at line {start}"))?;
        }
    }
    Ok(())
}
