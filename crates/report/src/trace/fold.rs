//! Rows nested as calls and loops are, and the long ones among them folded.

use base::FileId;
use cfa::{LocId, LoopId, Loops};

use super::row::Row;
use crate::counted::counted;
use crate::execution::Gap;

/// This many rounds of a loop are shown at its beginning, and as many at its end.
const ROUNDS: usize = 2;

/// For at most this many groups of rounds that were taken at once, the rounds after them are shown.
const CHANGES: usize = 4;

/// If calls are nested, this many are shown at the outer end, and as many at the inner end.
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
    Rounds { height: usize, rounds: Vec<Round> },
    Call { height: usize, items: Vec<Item> },
}

/// A round of a loop.
#[derive(Debug, Default)]
struct Round {
    items: Vec<Item>,
    /// How many rounds that were not kept follow this round.
    more: u64,
    /// Whether some of these rounds were taken at once: then the rounds after them may differ.
    at_once: bool,
}

/// How deep calls in these items are nested.
fn height(items: &[Item]) -> usize {
    let heights = items.iter().map(|item| match item {
        Item::Row(_) | Item::Gap(_) => 0,
        Item::Rounds { height, .. } => *height,
        Item::Call { height, .. } => height + 1,
    });
    heights.max().unwrap_or(0)
}

/// Whether these items have anything to show.
fn has_rows(items: &[Item]) -> bool {
    items.iter().any(|item| match item {
        Item::Row(_) | Item::Gap(_) => true,
        Item::Rounds { rounds, .. } => rounds.iter().any(|round| has_rows(&round.items)),
        Item::Call { items, .. } => has_rows(items),
    })
}

/// Something that has begun and not ended.
#[derive(Debug)]
enum Open {
    Call(Vec<Item>),
    Loop(LoopId, Vec<Round>),
}

/// Rows, which are nested as they are added.
pub(crate) struct Tree {
    loops: Loops,
    open: Vec<Open>,
    /// How many of the open items are calls; kept, since recursion may be deep.
    calls: usize,
}

impl Tree {
    pub(crate) fn new(loops: Loops) -> Self {
        Self { loops, open: vec![Open::Call(Vec::new())], calls: 1 }
    }

    /// The next rows come from an edge that leaves a location of an activation.
    pub(crate) fn at(&mut self, depth: usize, location: LocId, returned: bool) {
        while self.calls > depth + 1 {
            self.close();
        }
        // If steps were left out, calls may have been left out, too. The depth says how many.
        while self.calls <= depth {
            self.call();
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
            Some(Open::Loop(open, rounds)) if *open == id => rounds.push(Round::default()),
            _ => self.open.push(Open::Loop(id, vec![Round::default()])),
        }
    }

    /// Adds a row to the innermost open call or loop.
    pub(crate) fn add(&mut self, row: Row) {
        self.push(Item::Row(row));
    }

    /// Adds a gap of `steps` steps that were not kept.
    pub(crate) fn gap(&mut self, steps: u64, gap: &Gap) {
        let innermost = self.open.len() - 1;
        let (mut depth, mut counted) = (0, None);
        // These have ended in the gap: calls that are deeper than the smallest depth in the gap, and loops inside a
        // loop that has begun another round.
        let mut left = self.open.len();
        for (index, open) in self.open.iter_mut().enumerate() {
            match open {
                Open::Call(_) => {
                    depth += usize::from(index > 0);
                    if depth > gap.floor {
                        left = left.min(index);
                    }
                }
                Open::Loop(..) if counted.is_some() => left = left.min(index),
                Open::Loop(id, rounds) if depth == gap.floor => {
                    let count = gap.rounds.get(&(depth, self.loops.body(*id)[0]));
                    if let (Some(count), Some(round)) = (count, rounds.last_mut()) {
                        round.more = round.more.saturating_add(*count);
                        round.at_once |= gap.at_once;
                        counted = Some(index);
                    }
                }
                Open::Loop(..) => {}
            }
        }
        // The number of rounds says more than the number of steps, unless an inner call or loop has ended in the gap.
        if steps > 0 && counted != Some(innermost) {
            self.push(Item::Gap(steps));
        }
        while self.open.len() > left {
            self.close();
        }
    }

    /// Opens a call; the row before it is that of the call.
    pub(crate) fn call(&mut self) {
        self.open.push(Open::Call(Vec::new()));
        self.calls += 1;
    }

    fn push(&mut self, item: Item) {
        match self.open.last_mut() {
            Some(Open::Call(items)) => items.push(item),
            Some(Open::Loop(_, rounds)) => match rounds.last_mut() {
                Some(round) => round.items.push(item),
                None => rounds.push(Round { items: vec![item], ..Round::default() }),
            },
            None => {
                self.call();
                self.push(item);
            }
        }
    }

    fn close(&mut self) {
        match self.open.pop() {
            Some(Open::Call(items)) => {
                self.calls -= 1;
                self.push(Item::Call { height: height(&items), items });
            }
            Some(Open::Loop(_, rounds)) => {
                let height = rounds.iter().map(|round| height(&round.items)).max().unwrap_or(0);
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
        Some(Open::Loop(_, rounds)) => rounds.into_iter().flat_map(|round| round.items).collect(),
        None => Vec::new(),
    };
    let mut flat = Flat::default();
    flat.items(items);
    shorten(flat.lines)
}

#[derive(Default)]
struct Flat {
    lines: Vec<Line>,
    /// How many calls are open around the line.
    level: usize,
    /// Inside of a call that is left out: how many further calls are open below this call.
    hidden: Option<usize>,
    /// Calls that were left out since the last row.
    calls: usize,
    /// Whether rows were left out since the last row that is shown.
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

    /// Adds the lines of a call. If many calls are nested, those in the middle are left out.
    fn call(&mut self, height: usize, items: Vec<Item>) {
        // In the middle, only the calls on the way to the innermost call are followed.
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

    fn rounds(&mut self, rounds: Vec<Round>) {
        // Rounds of a loop in a model of the library have no rows, and are not counted.
        let has_rows = rounds.iter().any(|round| has_rows(&round.items));
        let is_shown = shown(&rounds);
        let mut hidden: u64 = 0;
        for (round, is_shown) in rounds.into_iter().zip(is_shown) {
            if is_shown || !has_rows {
                if hidden > 0 && has_rows {
                    self.fold(&counted(hidden, "more iteration"));
                }
                hidden = 0;
                self.items(round.items);
            } else {
                hidden = hidden.saturating_add(1);
            }
            hidden = hidden.saturating_add(round.more);
        }
        // The last round may only have found that the loop is over, so the number of rounds may be too high by one.
        if hidden > 0 && has_rows {
            self.fold(&format!("up to {}", counted(hidden, "more iteration")));
        }
    }

    /// Whether the last line stands for the same place and depth as a row.
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
                _ => self.fold(&format!("{} within each other", counted(calls, "more call"))),
            }
        }
        // Steps on one line are one row, until something gets its second value.
        if let Some(Line::Row(last)) = self.lines.last_mut()
            && last.depth == row.depth
            && last.place == row.place
            && row.place.is_some()
            && (!repeats(&last.values, &row.values) || goes_on(last, &row))
            && !tests_again(&last.values, &row.values)
        {
            if goes_on(last, &row) {
                last.values.retain(|value| !repeats(std::slice::from_ref(value), &row.values));
            }
            take_input(&mut last.values, &mut row.values, &row.handed_on);
            last.values.extend(row.values);
            last.arguments.extend(row.arguments);
            last.until = row.until;
            last.latest = row.latest;
            if last.values.last().is_some_and(|value| value == "error") {
                last.focus = row.focus;
            }
            if last.values.iter().filter(|value| is_truth(value)).count() > 1 {
                // If a line has several tests, the result of the last test is shown.
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

/// Which rounds of a loop are shown: the first and the last ones, and those around the end of rounds that
/// were taken at once. A single one between them is shown as well.
fn shown(rounds: &[Round]) -> Vec<bool> {
    let count = rounds.len();
    let mut shown: Vec<bool> = (0..count).map(|at| at < ROUNDS || at + ROUNDS >= count).collect();
    let ends = rounds.iter().enumerate().filter(|(_, round)| round.at_once).map(|(at, _)| at);
    for at in ends.take(CHANGES) {
        // The interpreter executes the last two of the rounds that it takes at once; the round after them may differ.
        (at + 2..at + 4).take_while(|at| *at < count).for_each(|at| shown[at] = true);
    }
    for at in 1..count.saturating_sub(1) {
        let is_single = shown[at - 1] && shown[at + 1];
        let is_counted = rounds[at - 1].more > 0 || rounds[at].more > 0;
        shown[at] |= is_single && !is_counted;
    }
    shown
}

/// Whether a name in `after` already got a value in `before`.
fn repeats(before: &[String], after: &[String]) -> bool {
    let name = |text: &String| text.split_once(" = ").map(|(name, _)| name.to_owned());
    let known: Vec<String> = before.iter().filter_map(name).collect();
    after.iter().filter_map(name).any(|name| !name.ends_with(')') && known.contains(&name))
}

/// Whether a step goes on with the statement of the last row, and only structures get a second value: structures are
/// copied member by member.
fn goes_on(last: &Row, row: &Row) -> bool {
    let is_part = |value: &String| {
        let is_structure = value.split_once(" = ").is_some_and(|(_, held)| held.starts_with('{'));
        is_structure || !repeats(&last.values, std::slice::from_ref(value))
    };
    row.statement.is_some() && last.latest == row.statement && row.values.iter().all(is_part)
}

/// Whether a condition is decided again after something has happened: in the next round of a loop on one line.
fn tests_again(before: &[String], after: &[String]) -> bool {
    let tested = before.iter().position(|value| is_truth(value));
    tested.is_some_and(|at| at + 1 < before.len()) && after.iter().any(|value| is_truth(value))
}

/// An input that has just been chosen, and that the next step stores as it is, is shown once.
fn take_input(before: &mut Vec<String>, after: &mut [String], handed_on: &[String]) {
    let Some(input) = before.last().and_then(|last| last.strip_suffix(" (input)")) else { return };
    let Some((_, value)) = input.split_once("() = ") else { return };
    let is_it = |text: &str| text.split_once(" = ").is_some_and(|(_, held)| held == value);
    let takes = |text: &&mut String| is_it(text) && handed_on.contains(text);
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

    fn row() -> Item {
        let (model, values) = ("a".to_owned(), Vec::new());
        let (place, focus) = (None, 0);
        let arguments = Vec::new();
        Item::Row(Row {
            depth: 0,
            place,
            focus,
            model,
            values,
            arguments,
            handed_on: Vec::new(),
            resumed: false,
            again: false,
            until: 0,
            statement: None,
            latest: None,
        })
    }

    fn rounds(count: usize) -> Vec<Round> {
        (0..count).map(|_| Round { items: vec![row()], ..Round::default() }).collect()
    }

    /// The texts of what is folded, and a dot for each row.
    fn folded(rounds: Vec<Round>) -> Vec<String> {
        let mut flat = Flat::default();
        flat.rounds(rounds);
        let texts = flat.lines.into_iter().map(|line| match line {
            Line::Row(_) => ".".to_owned(),
            Line::Folded { what, .. } => what,
        });
        texts.collect()
    }

    #[test]
    fn rounds_that_were_not_kept_are_counted() {
        assert_eq!(folded(rounds(10)), [".", ".", "6 more iterations", ".", "."]);
        assert_eq!(folded(rounds(5)), ["."; 5]);
        let mut between = rounds(10);
        between[4].more = 100;
        assert_eq!(folded(between), [".", ".", "106 more iterations", ".", "."]);
        let mut between = rounds(4);
        between[1].more = 1;
        assert_eq!(folded(between), [".", ".", "1 more iteration", ".", "."]);
        let mut end = rounds(10);
        end[9].more = 3;
        let expected = [".", ".", "6 more iterations", ".", ".", "up to 3 more iterations"];
        assert_eq!(folded(end), expected);
        let empty = (0..10).map(|_| Round::default()).collect();
        assert!(folded(empty).is_empty(), "rounds of models of the library have no rows");
    }

    #[test]
    fn the_end_of_rounds_that_were_taken_at_once_is_shown() {
        let mut two = rounds(30);
        (two[7].more, two[7].at_once) = (1000, true);
        let expected = [".", ".", "1007 more iterations", ".", ".", "17 more iterations", ".", "."];
        assert_eq!(folded(two), expected);
    }
}
