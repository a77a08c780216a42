//! Rows nested as calls and loops are, and the long ones among them folded.

use base::FileId;
use cfa::{LocId, LoopId, Loops};

use super::counted;
use super::rows::Row;

/// So many rounds of a loop are shown at its beginning, and as many at its end.
const ROUNDS: usize = 2;

/// So many calls within each other are shown at the outer end, and as many at the inner one.
const CALLS: usize = 6;

/// The longest text, in lines.
const LINES: usize = 1000;

/// Something that a counterexample shows.
#[derive(Clone, Debug)]
pub(crate) enum Line {
    Row(Row),
    Folded { depth: usize, what: String },
}

#[derive(Debug)]
enum Item {
    Row(Row),
    Gap(u64),
    Rounds { height: usize, rounds: Vec<Vec<Item>> },
    Call { height: usize, items: Vec<Item> },
}

/// How many calls there are within each other.
fn height(items: &[Item]) -> usize {
    let heights = items.iter().map(|item| match item {
        Item::Row(_) | Item::Gap(_) => 0,
        Item::Rounds { height, .. } => *height,
        Item::Call { height, .. } => height + 1,
    });
    heights.max().unwrap_or(0)
}

/// Whether something of these is shown.
fn has_rows(items: &[Item]) -> bool {
    items.iter().any(|item| match item {
        Item::Row(_) | Item::Gap(_) => true,
        Item::Rounds { rounds, .. } => rounds.iter().any(|round| has_rows(round)),
        Item::Call { items, .. } => has_rows(items),
    })
}

/// How many steps were not kept among these.
fn steps_left_out(items: &[Item]) -> u64 {
    let steps = items.iter().map(|item| match item {
        Item::Row(_) => 0,
        Item::Gap(steps) => *steps,
        Item::Rounds { rounds, .. } => rounds.iter().map(|round| steps_left_out(round)).sum(),
        Item::Call { items, .. } => steps_left_out(items),
    });
    steps.sum()
}

/// Something that has begun and not ended.
#[derive(Debug)]
enum Open {
    Call(Vec<Item>),
    Loop(LoopId, Vec<Vec<Item>>),
}

/// Rows, as they come.
pub(crate) struct Tree {
    loops: Loops,
    open: Vec<Open>,
}

impl Tree {
    pub(crate) fn new(loops: Loops) -> Self {
        Self { loops, open: vec![Open::Call(Vec::new())] }
    }

    /// The next rows come from an edge that leaves a location of an activation.
    pub(crate) fn at(&mut self, depth: usize, location: LocId, returned: bool) {
        while self.calls() > depth + 1 {
            self.close();
        }
        // Calls that were left out are not known; their depth is.
        while self.calls() <= depth {
            self.open.push(Open::Call(Vec::new()));
        }
        while let Some(Open::Loop(id, _)) = self.open.last() {
            if self.loops.contains(*id, location) {
                break;
            }
            self.close();
        }
        let Some(id) = self.loops.headed(location).filter(|_| !returned) else { return };
        while let Some(Open::Loop(inner, _)) = self.open.last()
            && *inner != id
            && self.loops.encloses(id, *inner)
        {
            self.close();
        }
        match self.open.last_mut() {
            Some(Open::Loop(open, rounds)) if *open == id => rounds.push(Vec::new()),
            _ => self.open.push(Open::Loop(id, vec![Vec::new()])),
        }
    }

    /// A row at the present place.
    pub(crate) fn add(&mut self, row: Row) {
        self.push(Item::Row(row));
    }

    /// So many steps that were not kept.
    pub(crate) fn gap(&mut self, steps: u64) {
        self.push(Item::Gap(steps));
    }

    /// The last row was a call.
    pub(crate) fn call(&mut self) {
        self.open.push(Open::Call(Vec::new()));
    }

    fn calls(&self) -> usize {
        self.open.iter().filter(|open| matches!(open, Open::Call(_))).count()
    }

    fn push(&mut self, item: Item) {
        match self.open.last_mut() {
            Some(Open::Call(items)) => items.push(item),
            Some(Open::Loop(_, rounds)) => match rounds.last_mut() {
                Some(round) => round.push(item),
                None => rounds.push(vec![item]),
            },
            None => self.open.push(Open::Call(vec![item])),
        }
    }

    fn close(&mut self) {
        match self.open.pop() {
            Some(Open::Call(items)) => {
                self.push(Item::Call { height: height(&items), items });
            }
            Some(Open::Loop(_, rounds)) => {
                let height = rounds.iter().map(|round| height(round)).max().unwrap_or(0);
                self.push(Item::Rounds { height, rounds });
            }
            None => {}
        }
    }
}

/// The lines to show.
pub(crate) fn lines(mut tree: Tree) -> Vec<Line> {
    while tree.open.len() > 1 {
        tree.close();
    }
    let items = match tree.open.pop() {
        Some(Open::Call(items)) => items,
        Some(Open::Loop(_, rounds)) => rounds.into_iter().flatten().collect(),
        None => Vec::new(),
    };
    let mut flat = Flat::default();
    flat.items(items);
    shorten(flat.lines)
}

#[derive(Default)]
struct Flat {
    lines: Vec<Line>,
    /// How many calls are around.
    level: usize,
    /// How many there are below the present one that is left out, if it is.
    hidden: Option<usize>,
    /// Calls that were left out since the last row.
    calls: usize,
    /// Whether rows were.
    rows: bool,
    /// The last line at each depth.
    places: Vec<Option<(FileId, u32)>>,
}

impl Flat {
    fn items(&mut self, items: Vec<Item>) {
        for item in items {
            match item {
                Item::Row(row) => self.row(row),
                Item::Gap(steps) => self.fold(&format!("{} left out", counted(steps, "step"))),
                Item::Rounds { rounds, .. } => self.rounds(rounds),
                Item::Call { height, items } => self.call(height, items),
            }
        }
    }

    /// Of many calls within each other the middle is left out.
    fn call(&mut self, height: usize, items: Vec<Item>) {
        // Beside the way to the innermost call.
        if self.hidden.is_some_and(|around| height + 1 < around) {
            return;
        }
        self.level += 1;
        let middle = self.level > CALLS && height >= CALLS && self.level + height > 2 * CALLS + 1;
        let around = std::mem::replace(&mut self.hidden, middle.then_some(height));
        self.calls += usize::from(middle);
        self.items(items);
        self.hidden = around;
        self.level -= 1;
    }

    fn rounds(&mut self, rounds: Vec<Vec<Item>>) {
        // Rounds of a loop in a model of the library have no rows, and are not counted.
        let hidden = match rounds.iter().any(|round| has_rows(round)) {
            true => rounds.len().saturating_sub(2 * ROUNDS),
            false => 0,
        };
        let mut left_out = 0;
        for (at, round) in rounds.into_iter().enumerate() {
            if hidden > 1 && (ROUNDS..ROUNDS + hidden).contains(&at) {
                left_out += steps_left_out(&round);
                if at + 1 == ROUNDS + hidden {
                    // The rounds among steps that were not kept are not counted.
                    self.fold(&match left_out {
                        0 => format!("{hidden} more iterations"),
                        _ => format!(
                            "{hidden} more iterations, and others with {} left out",
                            counted(left_out, "step")
                        ),
                    });
                }
            } else {
                self.items(round);
            }
        }
    }

    /// Whether the last line is the same one as that of a row.
    fn is_last(&self, row: &Row) -> bool {
        let Some(Line::Row(last)) = self.lines.last() else { return false };
        last.depth == row.depth && last.place == row.place
    }

    fn row(&mut self, mut row: Row) {
        if self.hidden.is_some() {
            self.rows = true;
            return;
        }
        if std::mem::take(&mut self.rows) {
            let calls = std::mem::take(&mut self.calls);
            match calls {
                0 => self.fold("and back from them"),
                _ => {
                    self.fold(&format!("{} within each other", counted(calls as u64, "more call")))
                }
            }
        }
        // Steps on one line are one row, until something gets its second value.
        if let Some(Line::Row(last)) = self.lines.last_mut()
            && last.depth == row.depth
            && last.place == row.place
            && row.place.is_some()
            && !repeats(&last.values, &row.values)
        {
            take_input(&mut last.values, &mut row.values);
            last.values.extend(row.values);
            if last.values.last().is_some_and(|value| value == "error") {
                last.focus = row.focus;
            }
            if last.values.iter().filter(|value| is_truth(value)).count() > 1 {
                // Of several tests in one line the last counts.
                let at = last.values.iter().position(|value| is_truth(value));
                at.map(|at| last.values.remove(at));
            }
            return;
        }
        // A line that goes on after a call need not be shown again.
        let level = row.depth;
        self.places.resize(self.places.len().max(level + 1), None);
        let deeper = matches!(self.lines.last(), Some(Line::Row(last)) if last.depth > level);
        row.again = row.place.is_some() && self.is_last(&row);
        row.resumed = deeper && row.place.is_some() && self.places[level] == row.place;
        self.places[level] = row.place;
        self.lines.push(Line::Row(row));
    }

    fn fold(&mut self, what: &str) {
        if self.hidden.is_none() {
            let depth = match self.lines.last() {
                Some(Line::Row(row)) => row.depth,
                Some(Line::Folded { depth, .. }) => *depth,
                None => 0,
            };
            self.lines.push(Line::Folded { depth, what: what.to_owned() });
        }
    }
}

/// Whether something gets a value that already got one.
fn repeats(before: &[String], after: &[String]) -> bool {
    let name = |text: &String| text.split_once(" = ").map(|(name, _)| name.to_owned());
    let known: Vec<String> = before.iter().filter_map(name).collect();
    after.iter().filter_map(name).any(|name| !name.ends_with(')') && known.contains(&name))
}

/// An input that has just been chosen, and that the next step stores as it is, is shown once.
fn take_input(before: &mut Vec<String>, after: &mut [String]) {
    let Some(input) = before.last().and_then(|last| last.strip_suffix(" (input)")) else { return };
    let Some((_, value)) = input.split_once("() = ") else { return };
    let takes = |text: &&mut String| text.split_once(" = ").is_some_and(|(_, held)| held == value);
    if let Some(taken) = after.iter_mut().find(takes) {
        taken.push_str(" (input)");
        before.pop();
    }
}

fn is_truth(value: &str) -> bool {
    matches!(value, "true" | "false")
}

/// Leaves out the middle of what is too long.
fn shorten(mut lines: Vec<Line>) -> Vec<Line> {
    if lines.len() > LINES {
        let hidden = lines.len() - LINES;
        let what = format!("{hidden} more lines");
        let fold = Line::Folded { depth: 0, what };
        lines.splice(LINES / 2..LINES / 2 + hidden, [fold]);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_among_steps_that_were_not_kept_are_not_counted() {
        let folded = |rounds: Vec<Vec<Item>>| {
            let mut flat = Flat::default();
            flat.rounds(rounds);
            let texts = flat.lines.into_iter().map(|line| match line {
                Line::Row(_) => String::new(),
                Line::Folded { what, .. } => what,
            });
            texts.collect::<Vec<_>>()
        };
        let rounds = || (0..10).map(|_| Vec::new()).collect::<Vec<Vec<Item>>>();
        let mut with_gap = rounds();
        with_gap[4].push(Item::Gap(100));
        let expected = ["6 more iterations, and others with 100 steps left out"];
        assert_eq!(folded(with_gap), expected);
        let mut shown = rounds();
        shown[9].push(Item::Gap(1));
        assert_eq!(folded(shown), ["6 more iterations", "1 step left out"]);
        assert!(folded(rounds()).is_empty(), "rounds of models of the library have no rows");
    }
}
