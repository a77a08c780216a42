//! Small programs: two globals and one local of each activation, with three values each. What an
//! edge does stands in a table beside the model, so that no terms are needed.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use base::Id as _;
use cfa::{Cfa, EdgeId, FuncId, LocId, Op};
use proptest::prelude::*;
use proviso_cpa::{Stacks, Step};

const VALUES: u8 = 3;
const GLOBALS: usize = 2;
/// The number that stands for the local of the running activation, and for all locals in a
/// precision.
pub const LOCAL: usize = GLOBALS;
/// A call is blocked where so many have not returned.
const MOST_CALLS: u32 = 2;

/// The globals, then the locals of all activations, the running one's last. None: any value.
pub type Valuation = Vec<Option<u8>>;

#[derive(Clone, Copy, Debug)]
pub enum Act {
    Set(usize, u8),
    Copy(usize, usize),
    Add(usize, u8),
    Is(usize, u8),
    IsNot(usize, u8),
    Same(usize, usize),
    Choose(usize),
    /// The call of a function whose local becomes the value of this global at the return.
    Call(usize),
    Unsupported,
}

pub struct Toy {
    pub cfa: Cfa,
    acts: BTreeMap<EdgeId, Act>,
}

/// What an edge does, to which variables, with which number.
type Recipe = (u8, usize, usize, u8);

#[derive(Clone, Debug)]
pub struct Sketch {
    /// For each function, what the edges do that lead from the entry to the exit.
    spines: Vec<Vec<Recipe>>,
    /// More edges: the function, where they start and end, and what they do.
    edges: Vec<(usize, usize, usize, Recipe)>,
    /// Ways to errors: the function, where they start, and what two edges do.
    errors: Vec<(usize, usize, Recipe, Recipe)>,
    /// Some edges do something unsupported.
    unsupported: bool,
    /// The program starts with an error.
    error_at_once: bool,
}

pub fn sketches() -> impl Strategy<Value = Sketch> {
    let recipe_of = |kinds: Range<u8>| (kinds, 0..3_usize, 0..3_usize, 0..VALUES);
    let recipe = || recipe_of(0..20);
    let spines = prop::collection::vec(prop::collection::vec(recipe(), 2..5), 1..4);
    let edges = prop::collection::vec((0_usize..60, 0_usize..60, 0_usize..60, recipe()), 2..10);
    let error = (0_usize..60, 0_usize..60, recipe_of(0..15), recipe_of(6..13));
    let errors = prop::collection::vec(error, 1..4);
    (spines, edges, errors, prop::bool::weighted(0.3), prop::bool::weighted(0.01)).prop_map(
        |(spines, edges, errors, unsupported, error_at_once)| Sketch {
            spines,
            edges,
            errors,
            unsupported,
            error_at_once,
        },
    )
}

pub fn build(sketch: &Sketch) -> Toy {
    let mut toy = Toy { cfa: Cfa::default(), acts: BTreeMap::new() };
    let functions: Vec<FuncId> = (0..sketch.spines.len())
        .map(|index| toy.cfa.add_function(format!("f{index}"), None))
        .collect();
    let mut places: Vec<Vec<LocId>> = Vec::new();
    for (function, spine) in functions.iter().zip(&sketch.spines) {
        let (entry, exit) = (toy.cfa.functions[*function].entry, toy.cfa.functions[*function].exit);
        let more = (1..spine.len()).map(|_| toy.cfa.add_location(*function));
        places.push([entry].into_iter().chain(more).chain([exit]).collect());
    }
    for (spine, places) in sketch.spines.iter().zip(&places) {
        for (recipe, pair) in spine.iter().zip(places.windows(2)) {
            toy.add(pair[0], pair[1], *recipe, sketch.unsupported);
        }
    }
    // No edge leaves an exit, which is last.
    let inner = |function: &usize, at: &usize| {
        let places = &places[function % places.len()];
        places[at % (places.len() - 1)]
    };
    for (function, from, to, recipe) in &sketch.edges {
        let target = places[function % places.len()][to % places[function % places.len()].len()];
        toy.add(inner(function, from), target, *recipe, sketch.unsupported);
    }
    for (function, from, first, second) in &sketch.errors {
        let before = toy.cfa.add_location(functions[function % functions.len()]);
        let error = toy.cfa.add_location(functions[function % functions.len()]);
        toy.cfa.locations[error].error = true;
        toy.add(inner(function, from), before, *first, false);
        toy.add(before, error, *second, false);
    }
    if sketch.error_at_once {
        toy.cfa.locations[places[0][0]].error = true;
    }
    toy
}

impl Toy {
    /// One function, whose entry is location 0 and whose exit nothing reaches, with edges between
    /// locations by number, and an error at one of them.
    pub fn single(edges: &[(usize, usize, Act)], error: usize) -> Self {
        let mut toy = Self { cfa: Cfa::default(), acts: BTreeMap::new() };
        let function = toy.cfa.add_function("main", None);
        let most = edges.iter().map(|(from, to, _)| *from.max(to)).max().unwrap_or(0);
        let more: Vec<LocId> = (1..=most).map(|_| toy.cfa.add_location(function)).collect();
        let at = |number: usize| match number.checked_sub(1) {
            Some(index) => more[index],
            None => LocId::from_index(0),
        };
        toy.cfa.locations[at(error)].error = true;
        for (from, to, act) in edges {
            let edge = toy.cfa.add_edge(at(*from), at(*to), [], None);
            toy.acts.insert(edge, *act);
        }
        toy
    }

    fn add(&mut self, from: LocId, to: LocId, (kind, a, b, number): Recipe, unsupported: bool) {
        let act = match kind {
            0 | 1 => Act::Set(a, number),
            2 => Act::Copy(a, b),
            3..=5 => Act::Add(a, 1),
            6..=8 => Act::Is(a, number),
            9..=11 => Act::IsNot(a, number),
            12 => Act::Same(a, b),
            13 | 14 => Act::Choose(a),
            15 if unsupported => Act::Unsupported,
            _ => Act::Call(a % GLOBALS),
        };
        let op = match act {
            Act::Call(_) => {
                let callee = FuncId::from_index((a + 3 * b) % self.cfa.functions.len());
                Some(Op::Call { callee, arguments: [].into(), results: [].into() })
            }
            Act::Unsupported => Some(Op::Unsupported("a toy".into())),
            _ => None,
        };
        let edge = self.cfa.add_edge(from, to, op.into_iter().collect::<Vec<_>>(), None);
        self.acts.insert(edge, act);
    }
}

/// What reaches the end of a step.
pub enum Reached {
    States(Vec<Valuation>),
    Unsupported,
}

impl Toy {
    /// The values at the start: one global is arbitrary, everything else is zero.
    pub fn initial() -> Vec<Valuation> {
        (0..VALUES).map(|value| vec![Some(value), Some(0), Some(0)]).collect()
    }

    /// Executes a step that leads to a stack of so many calls.
    pub fn execute(&self, step: Step, depth: u32, from: &Valuation) -> Reached {
        let mut to = from.clone();
        let act = match step {
            Step::Edge(edge) => self.acts[&edge],
            Step::Return(edge) => {
                let Act::Call(global) = self.acts[&edge] else { panic!("{edge} is no call") };
                to[global] = to.pop().expect("the local of the callee");
                return Reached::States(vec![to]);
            }
        };
        let index = |var: usize| if var == LOCAL { from.len() - 1 } else { var };
        let passes = match act {
            Act::Set(x, number) => {
                to[index(x)] = Some(number);
                true
            }
            Act::Copy(x, y) => {
                to[index(x)] = from[index(y)];
                true
            }
            Act::Add(x, number) => {
                to[index(x)] = from[index(x)].map(|value| (value + number) % VALUES);
                true
            }
            Act::Is(x, number) => {
                to[index(x)] = Some(number);
                from[index(x)].is_none_or(|value| value == number)
            }
            Act::IsNot(x, number) => from[index(x)] != Some(number),
            Act::Same(x, y) => match (from[index(x)], from[index(y)]) {
                (Some(a), Some(b)) => a == b,
                _ => true,
            },
            Act::Choose(x) => {
                let with = |value| {
                    to[index(x)] = Some(value);
                    to.clone()
                };
                return Reached::States((0..VALUES).map(with).collect());
            }
            Act::Call(_) => {
                to.push(Some(0));
                depth <= MOST_CALLS
            }
            Act::Unsupported => return Reached::Unsupported,
        };
        Reached::States(if passes { vec![to] } else { Vec::new() })
    }
}

/// What a plain search of all concrete states finds.
#[derive(Default)]
pub struct Truth {
    /// The errors that executions reach: the location and the calls that have not returned.
    pub errors: BTreeSet<(LocId, Vec<EdgeId>)>,
    /// The edges with something unsupported that executions reach, and the calls.
    pub unsupported: BTreeSet<(EdgeId, Vec<EdgeId>)>,
}

pub fn search(toy: &Toy) -> Truth {
    let mut truth = Truth::default();
    let entry = toy.cfa.functions[toy.cfa.start.expect("a start")].entry;
    let mut todo: Vec<(LocId, Vec<EdgeId>, Valuation)> =
        Toy::initial().into_iter().map(|state| (entry, Vec::new(), state)).collect();
    let mut seen: BTreeSet<_> = todo.iter().cloned().collect();
    while let Some((at, stack, state)) = todo.pop() {
        if toy.cfa.locations[at].error {
            truth.errors.insert((at, stack));
            continue;
        }
        for (step, to, stack) in steps(&toy.cfa, at, &stack) {
            match toy.execute(step, u32::try_from(stack.len()).expect("few calls"), &state) {
                Reached::States(states) => {
                    let after = states.into_iter().map(|state| (to, stack.clone(), state));
                    todo.extend(after.filter(|next| seen.insert(next.clone())));
                }
                Reached::Unsupported => {
                    let edge = step.edge().expect("only edges are unsupported");
                    truth.unsupported.insert((edge, stack));
                }
            }
        }
    }
    truth
}

fn steps(cfa: &Cfa, at: LocId, stack: &[EdgeId]) -> Vec<(Step, LocId, Vec<EdgeId>)> {
    if cfa.functions[cfa.locations[at].function].exit == at {
        let Some((call, below)) = stack.split_last() else { return Vec::new() };
        return vec![(Step::Return(*call), cfa.edges[*call].target, below.to_vec())];
    }
    let follow = |id: &EdgeId| match cfa.edges[*id].callee() {
        Some(callee) => {
            let above = [stack, &[*id]].concat();
            (Step::Edge(*id), cfa.functions[callee].entry, above)
        }
        None => (Step::Edge(*id), cfa.edges[*id].target, stack.to_vec()),
    };
    cfa.locations[at].edges.iter().map(follow).collect()
}

/// The calls of a stack, the first one first.
pub fn calls(stacks: &Stacks, mut stack: proviso_cpa::StackId) -> Vec<EdgeId> {
    let mut calls = Vec::new();
    while let Some((call, below)) = stacks.pop(stack) {
        calls.push(call);
        stack = below;
    }
    calls.reverse();
    calls
}
