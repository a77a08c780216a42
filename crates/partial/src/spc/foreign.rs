//! An automaton of a file, over the steps of a program.

use std::cell::RefCell;
use std::collections::BTreeMap;

use base::Span;
use cfa::{LocId, Program};
use run::Step;
use rustc_hash::{FxHashMap, FxHashSet};

use super::text::squeezed;
use super::{FALSE, Spc, Stated, TRUE, Texts};
use crate::automaton::{Automaton, StateId, States};
use crate::ways::Ways;

/// The automaton of a file.
///
/// A step matches a statement if the statement is this program's text for the step, or if the text of the step is a
/// part of the statement where the source has it. A step without text of its own (a return, the start of the program)
/// is passed over. Where no step of a location matches any statement of a state, file and program are out of step: that
/// counts as not analysed, whatever the state does by default. So does what a state does by default if one of its
/// statements matches no step of the program: the step that it was meant for may be this one. Nothing counts as
/// analysed if the file was made of another program.
pub struct Foreign<'a> {
    spc: &'a Spc,
    program: &'a Program,
    texts: Texts<'a>,
    ways: Ways<'a>,
    states: States<usize>,
    /// Which steps match which statements.
    matched: FxHashMap<(usize, Step), Option<usize>>,
    /// The states with a statement that matches no step of the program, or that was not compared with the steps.
    unfit: FxHashSet<usize>,
    /// States that are out of step with the program, each with the location where that was seen first.
    astray: RefCell<BTreeMap<usize, LocId>>,
}

/// A state that is out of step with the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Astray {
    /// Its name.
    pub state: String,
    /// The location of the program where it was met.
    pub at: LocId,
}

impl<'a> Foreign<'a> {
    /// Reads the steps of a program for the automaton of a file.
    #[must_use]
    pub fn new(spc: &'a Spc, program: &'a Program) -> Self {
        let texts = Texts::of(program);
        let unfit =
            fitting(spc, program, &texts).into_iter().filter(|(_, fits)| *fits != Some(true));
        Self {
            spc,
            program,
            unfit: unfit.map(|((place, _), _)| place).collect(),
            texts,
            ways: Ways::of(program),
            states: States::default(),
            matched: FxHashMap::default(),
            astray: RefCell::default(),
        }
    }

    /// The states that are out of step with the program, in the order of the file.
    #[must_use]
    pub fn astray(&self) -> Vec<Astray> {
        let named = |(place, at): (&usize, &LocId)| Astray {
            state: self.spc.states[*place].name.clone(),
            at: *at,
        };
        self.astray.borrow().iter().map(named).collect()
    }

    fn state(&mut self, place: usize) -> StateId {
        match &*self.spc.states[place].name {
            TRUE => StateId::TRUE,
            FALSE => StateId::FALSE,
            _ => self.states.id(place),
        }
    }

    /// The first transition with a statement that a step matches, if there is one.
    fn matching(&mut self, place: usize, step: Step) -> Option<usize> {
        if let Some(known) = self.matched.get(&(place, step)) {
            return *known;
        }
        let state = &self.spc.states[place];
        let ours = self.texts.get(step);
        let exact = |on: &String| *on == ours;
        let found = find(state, &exact).or_else(|| {
            let inside = |on: &String| is_part(self.program, step, &ours, on);
            find(state, &inside)
        });
        self.matched.insert((place, step), found);
        found
    }
}

/// At most this many different statements that match no step literally are compared with the source: people do not
/// write more statements by hand.
const MAX_LOOKS: usize = 500;

/// A statement of a file that no step of the program matches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unmatched {
    /// The state that has it.
    pub state: String,
    /// The statement.
    pub on: String,
    /// Where it stands in the file.
    pub span: Option<Span>,
}

/// The statements of a file that no step of a program matches, wherever the step is taken, in the order of
/// the file. States that are out of step with the program are told apart, and left out here; so is an
/// automaton that Proviso has made of this program, whose statements are those of its steps.
#[must_use]
pub fn unmatched(spc: &Spc, program: &Program, astray: &[Astray]) -> Vec<Unmatched> {
    let left_out: FxHashSet<&str> = astray.iter().map(|each| &*each.state).collect();
    let all = fitting(spc, program, &Texts::of(program)).into_iter();
    let unfit = all.filter(|(_, fits)| *fits == Some(false)).map(|((state, at), _)| {
        let (state, each) = (&spc.states[state], &spc.states[state].moves[at]);
        let on = each.on.clone().unwrap_or_default();
        Unmatched { state: state.name.clone(), on, span: each.span }
    });
    unfit.filter(|each| !left_out.contains(&*each.state)).collect()
}

/// Whether each statement of a file matches any step of a program. A statement is given by the places of its state and
/// of its transition; `None` stands for statements that were not looked at because there are too many. Empty for an
/// automaton of another program, and for one that Proviso has made.
fn fitting(spc: &Spc, program: &Program, texts: &Texts<'_>) -> Vec<((usize, usize), Option<bool>)> {
    if !spc.fits || spc.ours {
        return Vec::new();
    }
    let edges = program.cfa.edges.ids().map(Step::Edge);
    let calls = program.cfa.edges.entries().filter(|(_, edge)| edge.callee().is_some());
    let steps: Vec<(Step, String)> = edges
        .chain(calls.map(|(id, _)| Step::Return(id)))
        .map(|step| (step, texts.get(step)))
        .collect();
    let exact: FxHashSet<&str> = steps.iter().map(|(_, text)| &**text).collect();
    let mut known: FxHashMap<&str, Option<bool>> = FxHashMap::default();
    let (mut found, mut looks) = (Vec::new(), 0);
    for (place, state) in spc.states.iter().enumerate() {
        for (at, each) in state.moves.iter().enumerate() {
            let Some(on) = each.on.as_deref().filter(|on| !on.trim().is_empty()) else { continue };
            let fits = *known.entry(on).or_insert_with(|| {
                if exact.contains(on) {
                    return Some(true);
                }
                looks += 1;
                let part = |(step, ours): &(Step, String)| is_part(program, *step, ours, on);
                (looks <= MAX_LOOKS).then(|| steps.iter().any(part))
            });
            found.push(((place, at), fits));
        }
    }
    found
}

fn find(state: &Stated, matches: &dyn Fn(&String) -> bool) -> Option<usize> {
    state.moves.iter().position(|each| each.on.as_ref().is_some_and(matches))
}

/// Whether a step is a part of a statement of the source whose text is the statement in the file.
fn is_part(program: &Program, step: Step, ours: &str, on: &str) -> bool {
    let Step::Edge(edge) = step else { return false };
    let Some(span) = program.cfa.edges[edge].span else { return false };
    if on.starts_with('[') || ours.starts_with('[') {
        return dense(on) == dense(ours);
    }
    let wanted = dense(on);
    let line = program.sources.position(span).line;
    let Some((_, line)) = program.sources.line(span.file, line) else { return false };
    let part = dense(&squeezed(&String::from_utf8_lossy(program.sources.slice(span))));
    let line = dense(&String::from_utf8_lossy(line));
    !part.is_empty() && wanted.contains(&part) && line.contains(&wanted)
}

/// Text without white space.
fn dense(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// Whether other tools have no statement for what a step does.
fn is_silent(program: &Program, step: Step) -> bool {
    match step {
        Step::Return(_) => true,
        Step::Edge(edge) => {
            let edge = &program.cfa.edges[edge];
            let first = program.cfa.start.is_some_and(|start| {
                program.cfa.locations[edge.source].function == start
                    && program.cfa.functions[start].span.is_none()
            });
            first || edge.ops.is_empty() || edge.span.is_none()
        }
    }
}

impl Automaton for Foreign<'_> {
    fn initial(&mut self) -> StateId {
        if self.spc.fits { self.state(self.spc.initial) } else { StateId::FALSE }
    }

    fn step(&mut self, from: StateId, at: LocId, step: Step) -> Option<StateId> {
        let Some(place) = self.states.get(from).copied() else { return Some(from) };
        let state = &self.spc.states[place];
        if let Some(found) = self.matching(place, step) {
            let each = &state.moves[found];
            if each.unclear {
                return Some(StateId::FALSE);
            }
            return Some(self.state(each.to));
        }
        let is_unfit = self.unfit.contains(&place);
        let default = state.moves.iter().find(|each| each.on.is_none());
        let has_matches = state.moves.iter().any(|each| each.on.is_some());
        match default {
            Some(each) if each.to == place && is_unfit && !is_silent(self.program, step) => {
                return Some(StateId::FALSE);
            }
            Some(each) if each.to == place => return Some(from),
            Some(each) if !has_matches && !each.unclear => return Some(self.state(each.to)),
            _ => {}
        }
        if is_silent(self.program, step) {
            return Some(from);
        }
        let others = self.ways.from(at);
        let in_step = others.iter().any(|(other, _)| self.matching(place, *other).is_some());
        match default {
            Some(each) if in_step && !is_unfit && !each.unclear => Some(self.state(each.to)),
            _ => {
                if !in_step {
                    self.astray.borrow_mut().entry(place).or_insert(at);
                }
                Some(StateId::FALSE)
            }
        }
    }
}
