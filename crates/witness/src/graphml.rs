//! Witnesses in GraphML: format 1.0.

use std::collections::BTreeMap;
use std::ops::Range;

use base::{Diagnostic, FileId, SourceMap, Span};
use frontend::DataModel;
use roxmltree::{Document, Node, ParsingOptions};

use crate::expression;
use crate::model::{
    Automaton, Claim, Event, Hashed, Invariant, NodePlace, Outcome, SINK, Step, Witness,
    WitnessPlace,
};
use crate::said::{self, Said};

/// The most elements and texts of a document.
const MOST_NODES: u32 = 2_000_000;

/// The most lines of a statement.
const MOST_LINES: u32 = 100;

/// Reads a witness.
pub(crate) fn read(sources: &SourceMap, file: FileId, text: &str) -> Result<Witness, Diagnostic> {
    // A DTD could make a short text a long one.
    let options =
        ParsingOptions { allow_dtd: false, nodes_limit: MOST_NODES, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| {
        let at = error.pos();
        let start = sources
            .line(file, at.row)
            .map_or(0, |(start, line)| start + (at.col.saturating_sub(1)).min(line.len() as u32));
        Diagnostic::error(Span::new(file, start, start), plain(&error))
    })?;
    Reader::of(&document, file, text)?.witness()
}

/// What the parser says, without the position that it adds.
fn plain(error: &roxmltree::Error) -> String {
    let text = error.to_string();
    text.split(" at ").next().unwrap_or(&text).to_owned()
}

struct Reader<'a> {
    file: FileId,
    text: &'a str,
    graph: Node<'a, 'a>,
    /// The names of keys, by their ids.
    keys: BTreeMap<&'a str, &'a str>,
    /// The states, by their ids.
    states: BTreeMap<&'a str, usize>,
    nodes: Vec<Node<'a, 'a>>,
    /// The file of edges that do not name one.
    origin: Option<(&'a str, Node<'a, 'a>)>,
}

impl<'a> Reader<'a> {
    fn of(document: &'a Document<'a>, file: FileId, text: &'a str) -> Result<Self, Diagnostic> {
        let root = document.root_element();
        let place = |node: Node<'_, '_>| {
            Span::new(file, node.range().start as u32, node.range().start as u32 + 1)
        };
        let named = |name: &'static str| {
            root.children().filter(move |node| node.is_element() && node.tag_name().name() == name)
        };
        if root.tag_name().name() != "graphml" {
            return Err(Diagnostic::error(place(root), "a witness in XML is a `graphml`"));
        }
        let Some(graph) = named("graph").next() else {
            return Err(Diagnostic::error(place(root), "this witness has no graph"));
        };
        let keys = named("key")
            .filter_map(|key| Some((key.attribute("id")?, key.attribute("attr.name")?)));
        let keys = keys.collect();
        let mut states = BTreeMap::new();
        let mut nodes = Vec::new();
        for node in graph.children().filter(|node| node.tag_name().name() == "node") {
            let Some(id) = node.attribute("id") else {
                return Err(Diagnostic::error(place(node), "this node has no id"));
            };
            if states.insert(id, nodes.len()).is_some() {
                return Err(Diagnostic::error(place(node), "another node has the same id"));
            }
            nodes.push(node);
        }
        let is_origin = |key: &Node<'_, '_>| key.attribute("id") == Some("originfile");
        let default = named("key").find(is_origin).and_then(|key| {
            let mut children = key.children();
            children.find(|child| child.tag_name().name() == "default")
        });
        let origin = default.map(|node| (node.text().unwrap_or_default().trim(), node));
        let origin = origin.map(|(name, node)| (name.trim_matches('"'), node));
        let origin = origin.filter(|(name, _)| !name.is_empty());
        Ok(Self { file, text, graph, keys, states, nodes, origin })
    }

    fn refuse<T>(&self, node: Node<'_, '_>, message: &str) -> Result<T, Diagnostic> {
        Err(Diagnostic::error(self.span(node), message))
    }

    fn span(&self, node: Node<'_, '_>) -> Span {
        let range = node.range();
        // The casts are exact: a source map holds no longer files.
        Span::new(self.file, range.start as u32, range.end as u32)
    }

    /// The text that a node or an edge has under a name.
    fn data(&self, node: Node<'a, 'a>, name: &str) -> Option<(&'a str, Node<'a, 'a>)> {
        self.all(node, name).next()
    }

    /// All that is said of a graph, a node or an edge under a name. A program of several files has several hashes.
    fn all(&self, node: Node<'a, 'a>, name: &str) -> impl Iterator<Item = (&'a str, Node<'a, 'a>)> {
        let found = node.children().filter(move |data| {
            let key = data.attribute("key").filter(|_| data.tag_name().name() == "data");
            // Early witnesses write some names otherwise, such as `programHash`.
            let is_name = |key: &str| key.eq_ignore_ascii_case(name);
            key.is_some_and(|key| {
                is_name(key) || self.keys.get(key).is_some_and(|name| is_name(name))
            })
        });
        found.map(|found| (found.text().unwrap_or_default().trim(), found))
    }

    /// The text of an element as an expression, if the file shows where its letters are.
    fn said(&self, node: Node<'a, 'a>) -> Option<Said> {
        let start = node.first_child().filter(|child| child.is_text())?.range().start;
        let text = node.text()?.trim();
        Said::of(self.file, text, said::xml(self.text, start))
    }

    fn is_set(&self, node: Node<'a, 'a>, name: &str) -> bool {
        self.data(node, name).is_some_and(|(text, _)| text == "true")
    }

    fn witness(&self) -> Result<Witness, Diagnostic> {
        let Some((kind, at)) = self.data(self.graph, "witness-type") else {
            return self.refuse(self.graph, "this graph does not say its `witness-type`");
        };
        if let Some((language, at)) = self.data(self.graph, "sourcecodelang")
            && language != "C"
        {
            return self.refuse(at, "only witnesses for C are read");
        }
        let data_model = match self.data(self.graph, "architecture") {
            None => None,
            Some(("32bit", _)) => Some(DataModel::Ilp32),
            Some(("64bit", _)) => Some(DataModel::Lp64),
            Some((_, at)) => return self.refuse(at, "an architecture is 32bit or 64bit"),
        };
        let names: Vec<&str> = self.all(self.graph, "programfile").map(|(name, _)| name).collect();
        let hashes = self.all(self.graph, "programhash").enumerate();
        let files: Vec<Hashed> = hashes
            .map(|(at, (hash, place))| Hashed {
                name: names.get(at).copied().unwrap_or_default().to_owned(),
                hash: hash.to_owned(),
                span: self.span(place),
            })
            .collect();
        if files.is_empty() {
            return self.refuse(self.graph, "this graph does not say its `programhash`");
        }
        // A property of several statements, such as memory safety, may be said in several parts.
        let said = self.all(self.graph, "specification");
        let words = said.flat_map(|(text, _)| text.split_whitespace());
        let specification = words.collect::<Vec<_>>().join(" ");
        let edges = self.edges()?;
        let (claim, left_out) = match kind {
            "violation_witness" => (self.violation(&edges)?, 0),
            "correctness_witness" => self.proof(&edges),
            _ => {
                return self
                    .refuse(at, "this is neither `violation_witness` nor `correctness_witness`");
            }
        };
        let (functions, variables) = (self.functions(), self.variables());
        let configuration = None;
        Ok(Witness {
            claim,
            files,
            specification,
            data_model,
            configuration,
            functions,
            variables,
            left_out,
            contracts: 0,
        })
    }

    fn edges(&self) -> Result<Vec<Edge<'a>>, Diagnostic> {
        let mut edges = Vec::new();
        for node in self.graph.children().filter(|node| node.tag_name().name() == "edge") {
            let end = |name| node.attribute(name).and_then(|id| self.states.get(id).copied());
            let (Some(source), Some(target)) = (end("source"), end("target")) else {
                return self.refuse(node, "this edge leads from or to a node that is not there");
            };
            for name in ["originfile", "startline", "endline", "control", "enterFunction"] {
                let mut said = self.all(node, name);
                let first = said.next().map(|(text, _)| text);
                if let Some((_, at)) = said.find(|(text, _)| Some(*text) != first) {
                    return self.refuse(at, &format!("this edge says `{name}` twice"));
                }
            }
            let number = |name| match self.data(node, name) {
                None => Ok(None),
                Some((text, at)) => match text.parse::<u32>() {
                    Ok(line) if line > 0 => Ok(Some(line)),
                    _ => self.refuse(at, "this is no line"),
                },
            };
            let line = number("startline")?;
            let last = number("endline")?.or(line);
            edges.push(Edge { node, source, target, line, last });
        }
        Ok(edges)
    }

    fn place(&self, edge: &Edge<'a>, line: u32) -> WitnessPlace {
        let file = self.data(edge.node, "originfile").or(self.origin);
        let file = file.map(|(name, at)| (name.to_owned(), self.span(at)));
        WitnessPlace {
            file,
            function: None,
            line,
            column: None,
            span: self.span(edge.node),
            said: Vec::new(),
        }
    }

    /// The automaton of a violation. Edges that say nothing but a line are no steps: tools disagree about how many
    /// edges a statement has. The states at their ends are one.
    fn violation(&self, edges: &[Edge<'a>]) -> Result<Claim, Diagnostic> {
        let Some(entry) = self.nodes.iter().position(|node| self.is_set(*node, "entry")) else {
            return self.refuse(self.graph, "no node is the entry");
        };
        let violations: Vec<usize> = (0..self.nodes.len())
            .filter(|node| self.is_set(self.nodes[*node], "violation"))
            .collect();
        let [violation] = violations[..] else {
            return self.refuse(self.graph, "exactly one node is a violation");
        };
        let mut steps = Vec::new();
        let mut same: Vec<usize> = (0..self.nodes.len()).collect();
        let mut targets = Vec::new();
        let mut lost = false;
        let is_reached = reached(edges, self.nodes.len(), entry);
        if !is_reached[violation] {
            return self.refuse(self.graph, "no path leads from the entry to the violation");
        }
        // No execution takes the edges that start in a node without a path from the entry, so the states at the ends
        // of such an edge stay different.
        for edge in edges.iter().filter(|edge| is_reached[edge.source]) {
            let is_last = edge.target == violation;
            let event = self.event(edge)?;
            // Nothing is assumed behind an error.
            let is_behind = is_last && matches!(event, Some(Event::After(_)));
            lost |= is_behind || (self.has_control(edge) && !self.assumed(edge.node).is_empty());
            let event = event.filter(|_| !is_behind);
            let is_sink = self.is_set(self.nodes[edge.target], "sink");
            match (event, edge.line) {
                (Some(Event::After(_) | Event::Returned(..) | Event::Branch(..)), None) => {
                    return self.refuse(edge.node, "this edge does not say its `startline`");
                }
                (Some(event), Some(line)) => {
                    let said = self.assumed(edge.node);
                    let place = WitnessPlace { said, ..self.place(edge, line) };
                    steps.push((edge.source, edge.target, is_sink, place, event));
                }
                _ if is_sink => {}
                (_, line) => {
                    if is_last && let Some(last) = edge.last {
                        // An edge that does not say in which line it begins is taken to begin at most `MOST_LINES`
                        // lines before its end.
                        let near = last.saturating_sub(MOST_LINES - 1).max(1);
                        let first = line.unwrap_or(near);
                        if first > last {
                            return self.refuse(edge.node, "this edge ends before it begins");
                        }
                        let lines = (first..last).take(MOST_LINES as usize).chain([last]);
                        targets.extend(lines.map(|line| self.place(edge, line)));
                    }
                    let (a, b) = (root(&mut same, edge.source), root(&mut same, edge.target));
                    same[a] = b;
                }
            }
        }
        let start = root(&mut same, entry);
        let last = root(&mut same, violation);
        // The casts are exact: a document has no more nodes.
        let mut number = |state: usize| match root(&mut same, state) {
            state if state == start => 0,
            state => state as u32 + 1,
        };
        let steps = steps.into_iter().map(|(from, to, is_sink, place, event)| {
            let from = number(from);
            let to = if is_sink { SINK } else { number(to) };
            Step { from, to, place, event }
        });
        let mut steps: Vec<Step> = steps.collect();
        steps.retain(|step| step.from != step.to);
        Ok(Claim::Violation(Automaton { steps, last: number(last), targets, loose: true, lost }))
    }

    fn has_control(&self, edge: &Edge<'a>) -> bool {
        self.data(edge.node, "control").is_some()
    }

    /// The statements that an edge assumes, as far as their letters are found.
    fn assumed(&self, edge: Node<'a, 'a>) -> Vec<Said> {
        let whole = self.data(edge, "assumption").and_then(|(_, at)| self.said(at));
        whole.map_or_else(Vec::new, |whole| {
            statements(&whole.text).map(|range| whole.part(range)).collect()
        })
    }

    fn event(&self, edge: &Edge<'a>) -> Result<Option<Event>, Diagnostic> {
        let node = edge.node;
        let assumed = self.data(node, "assumption").map(|(text, _)| conjunction(text));
        let assumed = assumed.filter(|text| !text.is_empty());
        if let Some((control, at)) = self.data(node, "control") {
            let holds = match control {
                "condition-true" => true,
                "condition-false" => false,
                _ => {
                    return self
                        .refuse(at, "this is neither `condition-true` nor `condition-false`");
                }
            };
            // An assumption at a branch is a detail that is left out: tools write assumptions about variables there
            // that are not in scope.
            return Ok(Some(Event::Branch(Outcome::Truth(holds), None)));
        }
        if let Some(text) = assumed {
            let function =
                self.data(node, "assumption.resultfunction").map(|(name, _)| name.to_owned());
            return Ok(Some(match text.contains("\\result") {
                true => Event::Returned(function, text),
                false => Event::After(text),
            }));
        }
        let entered = self.data(node, "enterFunction");
        Ok(entered.map(|(name, _)| Event::Body(name.to_owned())))
    }

    /// The invariants of nodes, and the number of invariants at nodes without a place. An edge with `enterLoopHead`
    /// enters the head of a loop. The line of this loop is that of the edges that leave the head, which are the
    /// condition of the loop, or else that of the edge with `enterLoopHead`. An invariant at another node holds
    /// before the statement of an edge that leaves the node. If several nodes are at one place, one of their
    /// invariants holds there.
    fn proof(&self, edges: &[Edge<'a>]) -> (Claim, usize) {
        type Known<'a, 'b> = Vec<Option<(&'b Edge<'a>, u32)>>;
        let mut is_head = vec![false; self.nodes.len()];
        let (mut entering, mut leaving): (Known<'a, '_>, Known<'a, '_>) =
            (vec![None; self.nodes.len()], vec![None; self.nodes.len()]);
        for edge in edges {
            let enters = self.is_set(edge.node, "enterLoopHead");
            is_head[edge.target] |= enters;
            if let Some(line) = edge.line {
                leaving[edge.source].get_or_insert((edge, line));
                if enters {
                    entering[edge.target].get_or_insert((edge, line));
                }
            }
        }
        let mut known: BTreeMap<_, (Invariant, Vec<&str>)> = BTreeMap::new();
        let mut left_out = 0;
        for (state, node) in self.nodes.iter().enumerate() {
            let Some((said, at)) = self.data(*node, "invariant") else { continue };
            // An invariant that is always true needs no proof.
            if matches!(said, "true" | "1" | "(1)") {
                continue;
            }
            let of_loop = is_head[state];
            let left = leaving[state].map(|place| (place, NodePlace::Left));
            let place = left.or(entering[state].map(|place| (place, NodePlace::Entered)));
            let Some(((edge, line), node_at)) = place else {
                left_out += 1;
                continue;
            };
            let scope = self.data(*node, "invariant.scope");
            // Tools disagree about which function a node behind a call is in, so the function counts at heads of
            // loops only.
            let function = scope.filter(|_| of_loop);
            let function = function.map(|(name, at)| (name.to_owned(), self.span(at)));
            let place = WitnessPlace { function, ..self.place(edge, line) };
            let file = place.file.clone().map(|(name, _)| name);
            let key = (file, scope.map(|(name, _)| name), line, of_loop);
            let expression = String::new();
            let (found, all) = known.entry(key).or_insert_with(|| {
                (Invariant { place, of_loop, node: Some(node_at), expression }, Vec::new())
            });
            found.place.said.extend(self.said(at));
            all.push(said);
        }
        let list = known.into_values().map(|(found, said)| {
            let expression = match said[..] {
                [one] => one.to_owned(),
                _ => said.iter().map(|one| format!("({one})")).collect::<Vec<_>>().join(" || "),
            };
            Invariant { expression, ..found }
        });
        (Claim::Proof(list.collect()), left_out)
    }

    /// The functions that the graph names.
    fn functions(&self) -> Vec<(String, Span)> {
        const KEYS: [&str; 6] = [
            "invariant.scope",
            "assumption.scope",
            "assumption.resultfunction",
            "enterFunction",
            "returnFromFunction",
            "returnFrom",
        ];
        let all = KEYS.iter().flat_map(|key| self.graph.children().map(move |of| (key, of)));
        let named = all.flat_map(|(key, of)| self.all(of, key));
        named.map(|(name, at)| (name.to_owned(), self.span(at))).collect()
    }

    /// The variables that assumptions are about.
    fn variables(&self) -> Vec<(String, Span)> {
        let said = self.graph.children().flat_map(|edge| self.all(edge, "assumption"));
        let named = said.flat_map(|(text, at)| {
            let said = self.said(at).filter(|said| said.text == text);
            let place = move |range| said.as_ref().map(|said| said.place(range));
            let names = expression::variables(text).into_iter();
            names.map(move |(name, range)| (name, place(range).unwrap_or_else(|| self.span(at))))
        });
        named.collect()
    }
}

struct Edge<'a> {
    node: Node<'a, 'a>,
    source: usize,
    target: usize,
    line: Option<u32>,
    last: Option<u32>,
}

/// The representative of the class of states that have become one with a state.
fn root(same: &mut [usize], mut state: usize) -> usize {
    while same[state] != state {
        same[state] = same[same[state]];
        state = same[state];
    }
    state
}

/// Where the statements of `a; b;` are.
fn statements(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut next = 0;
    let ranges = text.split(';').map(move |part| {
        let start = next + part.len() - part.trim_start().len();
        next += part.len() + 1;
        start..start + part.trim().len()
    });
    ranges.filter(|range| !range.is_empty())
}

/// Statements `a; b;` as one condition.
fn conjunction(text: &str) -> String {
    let parts: Vec<&str> = statements(text).map(|range| &text[range]).collect();
    match parts[..] {
        [] => String::new(),
        [one] => one.to_owned(),
        _ => parts.iter().map(|part| format!("({part})")).collect::<Vec<_>>().join(" && "),
    }
}

/// Which nodes paths from a node lead to.
fn reached(edges: &[Edge<'_>], nodes: usize, from: usize) -> Vec<bool> {
    let mut is_reached = vec![false; nodes];
    let mut targets: Vec<Vec<usize>> = vec![Vec::new(); nodes];
    for edge in edges {
        targets[edge.source].push(edge.target);
    }
    let mut waiting = vec![from];
    while let Some(node) = waiting.pop() {
        if !std::mem::replace(&mut is_reached[node], true) {
            waiting.extend(&targets[node]);
        }
    }
    is_reached
}
