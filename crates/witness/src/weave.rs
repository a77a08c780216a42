//! A program whose text has the statements of a witness in it, so that the expressions of the witness mean what they
//! mean at their places.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use base::Span;
use base::tokens::BYTE_ORDER_MARK;

use crate::expression;
use crate::model::{Event, Invariant, Outcome, SINK, Step};
use crate::sites::{Site, Text};

/// The variable that holds the state of the automaton.
pub(crate) const STATE: &str = cfa::WITNESS_STATE;
/// A function that returns anything.
pub(crate) const GUESS: &str = "__proviso_guess";
/// A function that is called where an execution passes the place of the next step without taking the step, or takes a
/// step to a state that the witness excludes.
pub(crate) const PASSED: &str = "__proviso_passed";
/// A function that ends the execution, which then counts for nothing.
pub(crate) const STOP: &str = "__proviso_stop";
/// The functions that tell whether they are called in a certain function of the program; the number of that function
/// follows the name.
pub(crate) const IN: &str = "__proviso_in_";
/// The functions that are called where an invariant does not hold; the number of the invariant follows the name.
pub(crate) const WRONG: &str = "__proviso_wrong_";

/// A piece of text at an offset.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    /// Where it goes.
    pub(crate) at: usize,
    /// Of the pieces at one offset, the one with the lesser rank comes first. The first number of a rank is
    ///
    /// 0. for pieces that close something, from the inside out,
    /// 1. for pieces that stand by themselves,
    /// 2. for pieces that open something, from the outside in,
    /// 3. for the piece that stands in place of an empty condition,
    /// 4. for pieces that close something empty, from the inside out.
    rank: (u8, usize, u8),
    text: String,
    /// The part of the witness that the piece was made of.
    pub(crate) of: Span,
}

/// The pieces for one file.
#[derive(Default)]
pub(crate) struct Pieces {
    list: Vec<Piece>,
    /// The offsets of empty conditions, which must not stay empty, each with the part of the witness that says
    /// something there.
    empty: BTreeMap<usize, Span>,
}

/// A text with pieces, and where they are in it.
pub(crate) struct Woven {
    pub(crate) text: Vec<u8>,
    /// Start and end in the new text, and the piece.
    pub(crate) placed: Vec<(usize, usize, Piece)>,
}

impl Woven {
    /// The text of a piece up to an offset, if the offset is in a piece.
    pub(crate) fn put_before(&self, offset: usize) -> Option<&str> {
        let around = self.placed.iter().find(|(start, end, _)| (*start..*end).contains(&offset));
        around.and_then(|(start, _, piece)| piece.text.get(..offset - start))
    }

    /// The offset in the original text, and the part of the witness if the offset is in a piece.
    pub(crate) fn original(&self, offset: usize) -> (usize, Option<Span>) {
        let mut added = 0;
        for (start, end, piece) in &self.placed {
            if offset < *start {
                break;
            }
            if offset < *end {
                return (piece.at, Some(piece.of));
            }
            added += end - start;
        }
        (offset - added, None)
    }
}

impl Pieces {
    fn put(&mut self, at: usize, rank: (u8, usize, u8), text: String, of: Span) {
        self.list.push(Piece { at, rank, text, of });
    }

    /// An expression without a value, evaluated at a site.
    fn point(&mut self, site: Site, text: &str, of: Span) {
        match site {
            Site::InBlock(at) => self.put(at, (1, 0, 0), format!(" {text}; "), of),
            Site::Alone(at) => self.put(at, (1, 0, 0), format!(" if ({text}, 0) ; else "), of),
            Site::Before(at, is_empty) => {
                if is_empty {
                    self.empty.insert(at, of);
                }
                self.put(at, (1, 0, 0), format!(" {text}, "), of);
            }
            Site::Condition(start, end)
            | Site::Switch(start, end)
            | Site::Call(start, end)
            | Site::Result(start, end) => {
                self.around((start, end), 1, (format!("({text}, "), ")".to_owned()), of);
            }
        }
    }

    /// Puts an opening and a closing piece around a stretch of the text. Of two pairs around the same stretch, the pair
    /// with the larger depth is inside.
    fn around(
        &mut self,
        (start, end): (usize, usize),
        depth: u8,
        (open, close): (String, String),
        of: Span,
    ) {
        self.put(start, (2, usize::MAX - end, depth), open, of);
        // Around an empty stretch, the closing piece comes behind the opening one.
        let rank = if start == end { 4 } else { 0 };
        self.put(end, (rank, usize::MAX - start, u8::MAX - depth), close, of);
    }

    /// Puts the steps at a site.
    pub(crate) fn steps(&mut self, site: Site, steps: &[Put<'_>], text: &Text<'_>) {
        let Some(first) = steps.first() else { return };
        let of = first.step.place.span;
        let block = block(steps);
        let original = text.sources.text(text.file);
        match site {
            Site::Condition(start, end) => {
                if original[start..end].trim_ascii().is_empty() {
                    self.empty.insert(start, of);
                }
                let open = "({ int __proviso_b = !!(".to_owned();
                let close = format!("); {block} __proviso_b; }})");
                self.around((start, end), 0, (open, close), of);
            }
            Site::Switch(start, end) => {
                // Labels are converted to the promoted type of the number.
                let number = String::from_utf8_lossy(&original[start..end]);
                let open = format!("({{ __typeof__(+({number})) __proviso_v = (");
                let labels = text.cases(end).unwrap_or_default();
                let is_case = labels.iter().map(|label| match label {
                    (one, None) => format!("__proviso_v == ({AS_LABEL})({one})"),
                    (from, Some(to)) => format!(
                        "__proviso_v >= ({AS_LABEL})({from}) && __proviso_v <= ({AS_LABEL})({to})"
                    ),
                });
                let is_case = is_case.chain(["0".to_owned()]).collect::<Vec<_>>().join(" || ");
                let close = format!("); int __proviso_d = !({is_case}); {block} __proviso_v; }})");
                self.around((start, end), 0, (open, close), of);
            }
            Site::Result(start, end) => {
                let call = String::from_utf8_lossy(&original[start..end]);
                let open = format!("({{ __typeof__({call}) __proviso_r = ");
                let close = format!("; {block} __proviso_r; }})");
                self.around((start, end), 2, (open, close), of);
            }
            _ => self.point(site, &format!("({{ {block} }})"), of),
        }
    }

    /// Puts a check of an invariant at a site.
    pub(crate) fn invariant(
        &mut self,
        number: usize,
        site: Site,
        invariant: &Invariant,
        is_total: bool,
        inside: Option<usize>,
    ) {
        let check = format!("(({}) ? (void)0 : {WRONG}{number}())", invariant.expression);
        let check = match inside {
            Some(function) => format!("({IN}{function}() ? {check} : (void)0)"),
            None => check,
        };
        // An evaluation that may end the execution must not hide what comes after it.
        let check = match is_total {
            true => check,
            false => format!("({GUESS}() ? ({check}, {STOP}()) : (void)0)"),
        };
        self.point(site, &check, invariant.place.span);
    }

    /// The text with the pieces in it, after a first line if there is one.
    pub(crate) fn into_text(mut self, original: &[u8], first: Option<&str>) -> Woven {
        // A byte order mark must stay at the beginning of a text.
        let start = if original.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        if let Some(first) = first {
            let none = Span::new(base::Id::from_index(0), 0, 0);
            self.put(start, (0, 0, 0), format!("{first}\n#line 1\n"), none);
        }
        for (at, of) in std::mem::take(&mut self.empty) {
            self.put(at, (3, 0, 0), "1".to_owned(), of);
        }
        self.list.sort_by_key(|piece| (piece.at, piece.rank));
        let (mut text, mut placed) = (Vec::new(), Vec::new());
        let mut from = 0;
        for piece in self.list {
            text.extend_from_slice(&original[from..piece.at]);
            from = piece.at;
            let start = text.len();
            text.extend_from_slice(piece.text.as_bytes());
            placed.push((start, text.len(), piece));
        }
        text.extend_from_slice(&original[from..]);
        Woven { text, placed }
    }
}

/// A step at a site.
#[derive(Clone, Copy)]
pub(crate) struct Put<'a> {
    pub(crate) step: &'a Step,
    /// Whether the step may also be left out there.
    pub(crate) is_any: bool,
    /// The number of the function that the step is in, where the text does not show it.
    pub(crate) inside: Option<usize>,
}

/// Statements that change the state as the steps say, at most once. A step to `SINK` is tried before other steps from
/// the same state: an execution that may take both is excluded, since no step leaves `SINK` and no error counts
/// there.
fn block(steps: &[Put<'_>]) -> String {
    let mut steps = steps.to_vec();
    steps.sort_by_key(|put| (put.step.from, put.step.to == SINK));
    let mut text = format!("int __proviso_s = {STATE};");
    changes(&steps, &mut text);
    text
}

/// How many steps are tried one after the other.
const FEW: usize = 8;

/// The text of some steps, which are sorted by the states they start from. Of many steps, each condition skips half:
/// a place in a loop has a step for each round.
fn changes(steps: &[Put<'_>], text: &mut String) {
    let middle = steps.len() / 2;
    let split = steps.partition_point(|put| put.step.from < steps[middle].step.from);
    if steps.len() > FEW && split > 0 {
        let _ = write!(text, " if (__proviso_s < {}) {{", steps[split].step.from);
        changes(&steps[..split], text);
        text.push_str(" } else {");
        changes(&steps[split..], text);
        text.push_str(" }");
        return;
    }
    for group in steps.chunk_by(|one, other| one.step.from == other.step.from) {
        let _ = write!(text, " if (__proviso_s == {}) {{", group[0].step.from);
        for Put { step, is_any, inside } in group.iter().rev() {
            let condition = condition(&step.event);
            let inside =
                inside.map_or_else(String::new, |function| format!("{IN}{function}() && "));
            let guess = if *is_any { format!(" && {GUESS}()") } else { String::new() };
            let then = match step.to {
                SINK => format!("{STATE} = -1; {PASSED}();"),
                to => format!("{STATE} = {to};"),
            };
            let _ = write!(text, " if ({inside}({condition}){guess}) {{ {then} }} else");
        }
        // A step that may be left out, or that may be in another function, may not be meant here, so an execution
        // that does not take it has not passed it.
        let is_here = group.iter().all(|put| !put.is_any && put.inside.is_none());
        let _ =
            write!(text, " {} }}", if is_here { format!("{PASSED}();") } else { ";".to_owned() });
    }
}

fn condition(event: &Event) -> String {
    match event {
        Event::Before(text) | Event::After(text) => text.clone(),
        Event::Returned(_, text) => expression::with_result(text),
        Event::Branch(outcome, more) => {
            let taken = match outcome {
                Outcome::Truth(true) => "__proviso_b".to_owned(),
                Outcome::Truth(false) => "!__proviso_b".to_owned(),
                Outcome::Case(number) => format!("__proviso_v == ({AS_LABEL})({number})"),
                Outcome::Default => "__proviso_d".to_owned(),
            };
            more.as_ref().map_or(taken.clone(), |more| format!("{taken} && ({more})"))
        }
        Event::Call | Event::Body(_) => "1".to_owned(),
    }
}

/// The type that the labels of the surrounding `switch` have.
const AS_LABEL: &str = "__typeof__(__proviso_v)";

/// The steps by their sites, in the order of the text.
pub(crate) type Placed<'a> = BTreeMap<Site, Vec<Put<'a>>>;
