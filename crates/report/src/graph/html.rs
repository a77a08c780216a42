//! The graph of an exploration as a page for a browser: a tree of boxes that can be moved, enlarged and
//! searched, in one file.

use std::fmt::Write as _;

use cfa::Program;
use run::{Graph, NodeId, Status};
use rustc_hash::FxHashMap;

use super::{Drawn, drawn, word};
use crate::proviso::escaped;
use crate::shorten::beginning;

/// So many nodes are drawn; a page with more would take a browser too long.
const MOST: usize = 5000;

/// So many lines of a state are shown in a box; the others are in its tooltip.
const LINES: usize = 6;

/// So many characters of a line are shown in a box.
const CHARACTERS: usize = 34;

const WIDTH: usize = 250;
const GAP: usize = 20;
const LINE: usize = 15;
const BETWEEN: usize = 46;

const STYLE: &str = include_str!("graph.css");
const SCRIPT: &str = include_str!("graph.js");

/// The page of a graph.
#[must_use]
pub fn html(program: &Program, graph: &Graph) -> String {
    let counts = graph.counts();
    let all = graph.nodes.len();
    let cut = all - graph.live().count();
    let nodes: Vec<Drawn> = drawn(program, graph).take(MOST).collect();
    let layout = Layout::of(&nodes);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <title>Abstract reachability graph</title><style>{STYLE}</style></head><body>\n\
         <header><h1>Abstract reachability graph</h1><p>{} expanded, {} covered, {} open, {} targets, \
         {cut} cut off{}</p>\
         <label>Search <input id=\"search\" type=\"search\"></label> <span id=\"found\" role=\"status\"></span> \
         <label><input id=\"cut\" type=\"checkbox\"> show what was cut off</label> \
         <span>wheel or + and -: enlarge; drag or arrows: move</span></header>\n",
        counts.expanded,
        counts.covered,
        counts.open,
        counts.targets,
        if all > MOST { format!("; the first {MOST} are drawn") } else { String::new() },
    );
    let _ = writeln!(
        page,
        "<svg id=\"graph\" tabindex=\"0\" role=\"img\" aria-label=\"The graph as a tree of boxes\" \
         viewBox=\"0 0 {} {}\"><g>",
        layout.width, layout.height
    );
    for node in &nodes {
        layout.edges(&mut page, node);
    }
    for node in &nodes {
        layout.node(&mut page, node);
    }
    let _ = write!(page, "</g></svg>\n<script>{SCRIPT}</script></body></html>\n");
    page
}

/// Where nodes are drawn: a node below its parent, and beside its siblings.
struct Layout {
    /// The left upper corner of each node.
    corners: FxHashMap<NodeId, (usize, usize)>,
    width: usize,
    height: usize,
}

fn lines_of(node: &Drawn) -> usize {
    1 + node.lines.len().min(LINES) + usize::from(node.lines.len() > LINES)
}

fn height_of(node: &Drawn) -> usize {
    lines_of(node) * LINE + 10
}

impl Layout {
    fn of(nodes: &[Drawn]) -> Self {
        let mut children: FxHashMap<Option<NodeId>, Vec<usize>> = FxHashMap::default();
        let mut levels: Vec<usize> = Vec::new();
        let mut level: FxHashMap<NodeId, usize> = FxHashMap::default();
        for (index, node) in nodes.iter().enumerate() {
            // Parents are found before their children.
            let parent = node.parent.and_then(|parent| level.get(&parent).copied());
            let mine = parent.map_or(0, |parent| parent + 1);
            level.insert(node.id, mine);
            if levels.len() <= mine {
                levels.resize(mine + 1, 0);
            }
            levels[mine] = levels[mine].max(height_of(node));
            children.entry(node.parent).or_default().push(index);
        }
        let mut tops = Vec::with_capacity(levels.len());
        let mut height = GAP;
        for level in &levels {
            tops.push(height);
            height += level + BETWEEN;
        }
        // A parent stands over the first of its children; leaves stand side by side.
        let mut corners = FxHashMap::default();
        let mut right = GAP;
        let roots = children.get(&None).cloned().unwrap_or_default();
        let mut todo: Vec<usize> = roots.into_iter().rev().collect();
        while let Some(index) = todo.pop() {
            let node = &nodes[index];
            corners.insert(node.id, (right, tops[level[&node.id]]));
            match children.get(&Some(node.id)) {
                Some(below) => todo.extend(below.iter().rev()),
                None => right += WIDTH + GAP,
            }
        }
        Self { corners, width: right + GAP, height }
    }

    fn edges(&self, page: &mut String, node: &Drawn) {
        let Some((x, y)) = self.corners.get(&node.id) else { return };
        let class = class_of(node);
        if let Some((px, py)) = node.parent.and_then(|parent| self.corners.get(&parent)) {
            let (from, to, middle) = (px + WIDTH / 2, x + WIDTH / 2, y - BETWEEN / 2);
            let _ = writeln!(
                page,
                "<path class=\"edge {class}\" d=\"M{from} {}V{middle}H{to}V{y}\"/>\
                 <text class=\"by {class}\" x=\"{}\" y=\"{}\">{}<title>{}</title></text>",
                py + LINE,
                to + 4,
                y - 6,
                escaped(&beginning(&node.by, CHARACTERS)),
                escaped(&node.by),
            );
        }
        if let Status::Covered(by) = node.status
            && let Some((cx, cy)) = self.corners.get(&by)
        {
            let _ = writeln!(
                page,
                "<path class=\"cover\" d=\"M{} {}L{} {}\"/>",
                x + WIDTH / 2,
                y + LINE,
                cx + WIDTH / 2,
                cy + LINE
            );
        }
    }

    fn node(&self, page: &mut String, node: &Drawn) {
        let Some((x, y)) = self.corners.get(&node.id) else { return };
        let status = match node.status {
            Status::Covered(by) => format!("covered by {by}"),
            status => word(status).to_owned(),
        };
        let _ = write!(
            page,
            "<g class=\"node {}\" data-x=\"{x}\" data-y=\"{y}\">\
             <rect x=\"{x}\" y=\"{y}\" width=\"{WIDTH}\" height=\"{}\"/>\
             <title>{} {} ({}), {status}\n{}</title>\
             <text class=\"place\" x=\"{}\" y=\"{}\">{} {}</text>",
            class_of(node),
            height_of(node),
            node.id,
            escaped(&node.place),
            escaped(&node.location),
            escaped(&node.lines.join("\n")),
            x + 6,
            y + LINE,
            node.id,
            escaped(&beginning(&node.place, CHARACTERS)),
        );
        let more = node.lines.len().saturating_sub(LINES);
        let shown = node.lines.iter().take(LINES).map(|line| beginning(line, CHARACTERS));
        let shown = shown.chain((more > 0).then(|| format!("… and {more} more")));
        for (number, line) in shown.enumerate() {
            let _ = write!(
                page,
                "<text x=\"{}\" y=\"{}\">{}</text>",
                x + 6,
                y + LINE * (number + 2),
                escaped(&line)
            );
        }
        page.push_str("</g>\n");
    }
}

fn class_of(node: &Drawn) -> &'static str {
    match node.status {
        Status::Open => "open",
        Status::Expanded => "expanded",
        Status::Covered(_) => "covered",
        Status::Target if node.is_error => "target",
        Status::Target => "unmodelled",
        Status::Removed => "removed",
    }
}
