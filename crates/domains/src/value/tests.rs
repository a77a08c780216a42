//! Explicit values along random paths: states stand for all executions, and interpolants are such.
//! Beyer & Löwe 2012, §III-D and §III-E: implied by the prefix, in contradiction to the suffix,
//! inductive, and minimal.

use std::cell::Cell;

use base::{Id as _, Random};
use cfa::{
    Choice, Contents, EdgeId, FuncId, LocId, ObjectKind, Op, Program, Reading, Scope, Variable,
};
use cpa::{Context, Cpa as _, NodeId, Path, Place, Stacks, Step, Successors};
use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestRunner};
use term::{Sort, TermId, Value, Var};

use crate::value::cell::Cell as Known;
use crate::value::post::Post;
use crate::value::prefix::Prefix;
use crate::value::state::{Fact, State};
use crate::value::tree::UNKNOWN;
use crate::value::{Interpolants, Precision, PrecisionScope, Preference, Tracked, Values};

const WIDTH: u32 = 8;
const GLOBALS: usize = 2;
const FUNCTIONS: usize = 2;
/// The variables of an activation: the parameter, the result, and two more.
const LOCALS: usize = 4;

/// An operation: which, of which variables, with which constant.
type Recipe = (u8, usize, usize, u128);

#[derive(Clone, Debug)]
enum Move {
    /// An edge with these operations.
    Edge(Vec<Recipe>),
    /// The call of a function with a variable for the argument and one for the result.
    Call(usize, usize, usize),
    Return,
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let visible = 0..GLOBALS + LOCALS;
    let recipe = (0_u8..16, visible.clone(), visible.clone(), 0_u128..3);
    let edge = prop::collection::vec(recipe, 1..3).prop_map(Move::Edge);
    let call = (0..FUNCTIONS, visible.clone(), visible)
        .prop_map(|(callee, argument, result)| Move::Call(callee, argument, result));
    prop::collection::vec(prop_oneof![8 => edge, 1 => call, 1 => Just(Move::Return)], 4..24)
}

/// A program that is one path, and the path. Functions have one entry and one exit; everything
/// between is there once for each time that the path passes it.
struct Built {
    program: Program,
    stacks: Stacks,
    path: Path,
    globals: Vec<Var>,
    locals: Vec<Vec<Var>>,
    memory: Var,
}

impl Built {
    fn of(moves: &[Move]) -> Self {
        let mut program = Program::default();
        program.cfa.address_width = 64;
        let contents = Contents::Bytes([1].into(), [].into());
        let memory = program.add_object("m", 2, 1, ObjectKind::Data, contents, None);
        let memory = program.cfa.objects[memory].address;
        let globals = (0..GLOBALS).map(|index| declare(&mut program, Scope::Global, index));
        let globals = globals.collect();
        let mut locals = Vec::new();
        for index in 0..FUNCTIONS {
            let function = program.cfa.add_function(format!("f{index}"), None);
            let scope = Scope::Local(function);
            let mine: Vec<Var> = (0..LOCALS).map(|at| declare(&mut program, scope, at)).collect();
            program.cfa.functions[function].parameters.push(mine[0]);
            program.cfa.functions[function].results.push(mine[1]);
            locals.push(mine);
        }
        let stacks = Stacks::default();
        let location = program.cfa.functions[FuncId::from_index(0)].entry;
        let places = vec![Place { location, stack: stacks.empty() }];
        let path = Path { nodes: Vec::new(), steps: Vec::new(), places, unsupported: None };
        let mut built = Self { program, stacks, path, globals, locals, memory };
        moves.iter().for_each(|each| built.go(each));
        built.path.nodes = (0..built.path.places.len()).map(NodeId::from_index).collect();
        built
    }

    fn here(&self) -> (Place, FuncId) {
        let place = *self.path.places.last().expect("a start");
        (place, self.program.cfa.locations[place.location].function)
    }

    fn var(&self, function: FuncId, index: usize) -> Var {
        match index.checked_sub(GLOBALS) {
            Some(index) => self.locals[function.index()][index],
            None => self.globals[index],
        }
    }

    fn push(&mut self, step: Step, location: LocId, stack: cpa::StackId) {
        self.path.steps.push(step);
        self.path.places.push(Place { location, stack });
    }

    fn go(&mut self, next: &Move) {
        let (at, function) = self.here();
        match next {
            Move::Edge(recipes) => {
                let ops: Vec<Op> = recipes.iter().map(|each| self.op(function, *each)).collect();
                let to = self.program.cfa.add_location(function);
                let edge = self.program.cfa.add_edge(at.location, to, ops, None);
                self.push(Step::Edge(edge), to, at.stack);
            }
            Move::Call(callee, argument, result) => {
                let argument = self.var(function, *argument);
                let arguments = [self.program.terms.var(argument)].into();
                let results = [self.var(function, *result)].into();
                let callee = FuncId::from_index(*callee);
                let to = self.program.cfa.add_location(function);
                let call = Op::Call { callee, arguments, results };
                let edge = self.program.cfa.add_edge(at.location, to, [call], None);
                let stack = self.stacks.push(at.stack, edge);
                self.push(Step::Edge(edge), self.program.cfa.functions[callee].entry, stack);
            }
            Move::Return => {
                let Some((call, below)) = self.stacks.pop(at.stack) else { return };
                let exit = self.program.cfa.functions[function].exit;
                let edge: EdgeId = self.program.cfa.add_edge(at.location, exit, [], None);
                self.push(Step::Edge(edge), exit, at.stack);
                self.push(Step::Return(call), self.program.cfa.edges[call].target, below);
            }
        }
    }

    fn op(&mut self, function: FuncId, (kind, a, b, number): Recipe) -> Op {
        let var = self.var(function, a);
        let other = self.var(function, b);
        let terms = &mut self.program.terms;
        let (x, y) = (terms.var(var), terms.var(other));
        let value = terms.bv(WIDTH, number);
        let mut place = |number: u128| -> TermId {
            let (start, offset) = (terms.var(self.memory), terms.bv(64, number % 2));
            terms.bv_add(start, offset)
        };
        match kind {
            0 | 1 => Op::Assign { var, value },
            2 => Op::Assign { var, value: y },
            3 => Op::Assign { var, value: terms.bv_add(y, value) },
            4 => Op::Havoc { var, choice: Choice::Input("input".into()) },
            5 | 6 => Op::Store { address: place(number), value: x },
            7 | 8 => Op::Load { var, address: place(number) },
            9 => Op::Assume(terms.ne(x, value)),
            10 => Op::Assume(terms.eq(x, y)),
            11 => Op::Assume(terms.bv_ult(x, value)),
            12 => {
                let sum = terms.bv_add(y, value);
                Op::Assume(terms.eq(x, sum))
            }
            13 => {
                let (least, most) = (terms.bv_ule(value, x), terms.bv_ule(x, y));
                Op::Assume(terms.and(&[least, most]))
            }
            14 => {
                let next = terms.bv(WIDTH, number + 1);
                let (least, most) = (terms.bv_slt(x, value), terms.bv_slt(next, x));
                let other = terms.eq(x, next);
                let outside = terms.or(&[least, most, other]);
                Op::Assume(terms.not(outside))
            }
            _ => Op::Assume(terms.eq(x, value)),
        }
    }
}

fn declare(program: &mut Program, scope: Scope, index: usize) -> Var {
    let variable = Variable { scope, reading: Reading::Plain, source_name: None, span: None };
    program.declare(format!("{scope:?}.{index}"), Sort::Bv(WIDTH), variable)
}

/// Executes steps of a path, all of them. None: they contradict.
fn execute(
    values: &mut Values<'_>,
    (built, prefix): (&Built, &Prefix),
    steps: std::ops::RangeInclusive<usize>,
    state: State,
) -> Option<State> {
    let mut state = state;
    for index in steps {
        let at = built.path.context(&built.stacks, index);
        let lenient = prefix.skipped.contains(&index);
        match values.step(at, state, built.path.steps[index], lenient) {
            Post::State(after) => state = after,
            Post::Blocked | Post::Invalid(_) => return None,
            Post::Unsupported(_, why) => panic!("{why}"),
        }
    }
    Some(state)
}

/// What a state knows of the things that an interpolant at a node speaks of. What an object was
/// filled with is spelled out so, which is no question of knowing more or less.
fn told(
    values: &mut Values<'_>,
    built: &Built,
    found: &Interpolants,
    node: usize,
    state: State,
) -> State {
    let Place { location, stack } = built.path.places[node];
    values.precision = Some(Precision::new(PrecisionScope::Location));
    values.restricted.clear();
    found.needed[node].iter().for_each(|what| _ = values.track(location, *what));
    values.adjust(state, Context { location, stack, stacks: &built.stacks })
}

/// How many facts were looked at: none is one that could be dropped.
fn check(
    values: &mut Values<'_>,
    path: (&Built, &Prefix),
    found: &Interpolants,
) -> Result<usize, TestCaseError> {
    let (built, prefix) = path;
    let mut facts = 0;
    let mut exact = values.start();
    for (index, interpolant) in found.states.iter().copied().enumerate() {
        let known = told(values, built, found, index, exact);
        prop_assert!(values.leq(known, interpolant), "{index} is not implied by the prefix");
        let rest = execute(values, path, index..=prefix.last, interpolant);
        prop_assert!(rest.is_none(), "{index} does not contradict the suffix");
        let place = built.path.places[index];
        let functions: Vec<FuncId> =
            built.stacks.functions(&built.program.cfa, place.location, place.stack).collect();
        for (fact, _) in values.facts(interpolant, &functions) {
            facts += 1;
            let without = values.with_fact(interpolant, &functions, fact, UNKNOWN);
            let rest = execute(values, path, index..=prefix.last, without);
            prop_assert!(rest.is_some(), "{index} needs {fact:?} for nothing");
        }
        let Some(next) = found.states.get(index + 1) else { break };
        let after = execute(values, path, index..=index, interpolant);
        let known = after.map(|after| told(values, built, found, index + 1, after));
        prop_assert!(known.is_some_and(|known| values.leq(known, *next)), "{index}: not inductive");
        exact = execute(values, path, index..=index, exact).expect("only the last step blocks");
    }
    // There is one for each node before the step that contradicts, or the last one contradicts
    // the step after it.
    let last = found.states.len() - 1;
    let after = execute(values, path, last..=last, found.states[last]);
    prop_assert!(last == prefix.last || after.is_none(), "{last} is not the last one");
    Ok(facts)
}

/// With what interpolants need, the path is not found again.
fn is_excluded(built: &Built, prefix: &Prefix, found: &Interpolants) -> bool {
    let mut values = Values::new(&built.program, Some(Precision::new(PrecisionScope::Location)));
    for (needed, place) in found.needed.iter().zip(&built.path.places) {
        needed.iter().for_each(|what| _ = values.track(place.location, *what));
    }
    let Place { location, stack } = built.path.places[0];
    let first = Context { location, stack, stacks: &built.stacks };
    let mut state = values.initial(first).expect("a start");
    for index in 0..=prefix.last {
        let at = built.path.context(&built.stacks, index);
        let mut after = Successors::new();
        values.post(at, &state, built.path.steps[index], &mut after).expect("no limit");
        match after.states.first() {
            Some(next) => state = *next,
            None => return true,
        }
    }
    false
}

#[test]
fn interpolants_are_interpolants() {
    let config = ProptestConfig {
        cases: 4000,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(2012),
        ..ProptestConfig::default()
    };
    let counts = Cell::new((0, 0));
    let ended = TestRunner::new(config).run(&moves(), |moves| {
        let built = Built::of(&moves);
        let mut values =
            Values::new(&built.program, Some(Precision::new(PrecisionScope::Location)));
        let prefixes = values.prefixes(&built.stacks, &built.path, false);
        let mut all = Vec::new();
        for prefix in &prefixes {
            let found =
                values.interpolate(&built.stacks, &built.path, prefix, &run::Budget::default());
            let found = found.expect("no limits");
            let facts = check(&mut values, (&built, prefix), &found)?;
            prop_assert!(is_excluded(&built, prefix, &found), "the path is found again");
            counts.set((counts.get().0 + 1, counts.get().1 + facts));
            all.push(found);
        }
        let first = values.prefixes(&built.stacks, &built.path, true);
        let last = |found: &[Prefix]| found.first().map(|prefix| prefix.last);
        prop_assert_eq!(last(&first), last(&prefixes));
        // The path as a whole: a step in its middle may contradict.
        for prefix in &values.prefixes_for(&built.stacks, &built.path, Preference::Whole) {
            let found =
                values.interpolate(&built.stacks, &built.path, prefix, &run::Budget::default());
            let found = found.expect("no limits");
            prop_assert!(is_excluded(&built, prefix, &found), "the path is found again");
            for (index, interpolant) in found.states.iter().copied().enumerate() {
                let rest = execute(&mut values, (&built, prefix), index..=prefix.last, interpolant);
                prop_assert!(rest.is_none(), "{index} does not contradict the rest");
            }
        }
        prop_assert_eq!(values.prefer(Preference::First, all).is_some(), !prefixes.is_empty());
        Ok(())
    });
    ended.expect("interpolants");
    let (prefixes, facts) = counts.get();
    assert!(prefixes > 2000 && facts > 10_000, "{prefixes} prefixes with {facts} facts");
}

/// A concrete state: globals, the variables of each activation, the bytes of memory.
#[derive(Clone, Debug)]
struct Concrete {
    globals: Vec<u8>,
    frames: Vec<Vec<u8>>,
    memory: [u8; 2],
}

/// Numbers that are the same in every run, and small, so that conditions hold now and then.
struct Numbers(Random);

impl Numbers {
    fn next(&mut self) -> u8 {
        self.0.below(4) as u8
    }
}

impl Concrete {
    fn new(numbers: &mut Numbers) -> Self {
        Self {
            globals: (0..GLOBALS).map(|_| numbers.next()).collect(),
            frames: vec![Self::frame(numbers)],
            memory: [1, 0],
        }
    }

    fn frame(numbers: &mut Numbers) -> Vec<u8> {
        (0..LOCALS).map(|_| numbers.next()).collect()
    }

    fn variable(&mut self, index: usize) -> &mut u8 {
        match index.checked_sub(GLOBALS) {
            Some(index) => &mut self.frames.last_mut().expect("an activation")[index],
            None => &mut self.globals[index],
        }
    }

    /// Executes an operation of an edge. Gives whether the execution goes on.
    fn perform(&mut self, (kind, a, b, number): Recipe, numbers: &mut Numbers) -> bool {
        let (x, y, value) = (*self.variable(a), *self.variable(b), number as u8);
        let at = (number % 2) as usize;
        match kind {
            0 | 1 => *self.variable(a) = value,
            2 => *self.variable(a) = y,
            3 => *self.variable(a) = y.wrapping_add(value),
            4 => *self.variable(a) = numbers.next(),
            5 | 6 => self.memory[at] = x,
            7 | 8 => *self.variable(a) = self.memory[at],
            9 => return x != value,
            10 => return x == y,
            11 => return x < value,
            12 => return x == y.wrapping_add(value),
            13 => return value <= x && x <= y,
            14 => return x == value,
            _ => return x == value,
        }
        true
    }
}

/// Whether everything that a state knows of variables is so.
fn holds(values: &Values<'_>, built: &Built, node: usize, state: State, now: &Concrete) -> bool {
    let place = built.path.places[node];
    let functions: Vec<FuncId> =
        built.stacks.functions(&built.program.cfa, place.location, place.stack).collect();
    let value = |up: usize, var: Var| {
        let own = |all: &[Var]| all.iter().position(|other| *other == var);
        match own(&built.globals) {
            Some(index) => now.globals[index],
            None => {
                let index = own(&built.locals[functions[up].index()]).expect("a variable");
                now.frames[now.frames.len() - 1 - up][index]
            }
        }
    };
    values.facts(state, &functions).into_iter().all(|(fact, id)| {
        let up = if let Fact::Local(up, _) = fact { up as usize } else { 0 };
        let Tracked::Variable(var) = values.tracked(fact, &functions) else { return true };
        let number = |value: &Value| match value {
            Value::Bv(bits) => bits.to_u64().expect("eight bits") as u8,
            other => panic!("{other:?}"),
        };
        match values.cells.get(id) {
            Some(Known::Value(known)) => value(up, var) == number(known),
            Some(Known::Distance(distance)) => {
                value(up, var) == value(up, distance.base).wrapping_add(number(&distance.by))
            }
            _ => true,
        }
    })
}

#[test]
fn states_stand_for_all_executions() {
    let config = ProptestConfig {
        cases: 3600,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(19),
        ..ProptestConfig::default()
    };
    let met = Cell::new((0_u64, 0_u64));
    let ended = TestRunner::new(config).run(&moves(), |moves| {
        let built = Built::of(&moves);
        let mut values = Values::new(&built.program, None);
        let mut numbers = Numbers(Random::new(7));
        let mut executions: Vec<Concrete> = (0..200).map(|_| Concrete::new(&mut numbers)).collect();
        let mut state = values.start();
        let mut at = 0;
        for each in &moves {
            let steps = match each {
                Move::Edge(_) | Move::Call(..) => 1,
                Move::Return if built.stacks.pop(built.path.places[at].stack).is_some() => 2,
                Move::Return => continue,
            };
            match each {
                Move::Edge(recipes) => executions.retain_mut(|now| {
                    recipes.iter().all(|recipe| now.perform(*recipe, &mut numbers))
                }),
                Move::Call(_, argument, _) => executions.iter_mut().for_each(|now| {
                    let mut frame = Concrete::frame(&mut numbers);
                    frame[0] = *now.variable(*argument);
                    now.frames.push(frame);
                }),
                Move::Return => {
                    let (call, _) = built.stacks.pop(built.path.places[at].stack).expect("a call");
                    let Some(Op::Call { results, .. }) = built.program.cfa.edges[call].ops.last()
                    else {
                        panic!("no call");
                    };
                    let own = |all: &[Var]| all.iter().position(|var| *var == results[0]);
                    let target = own(&built.globals).unwrap_or_else(|| {
                        let caller = built.path.places[at + 2].location;
                        let caller = built.program.cfa.locations[caller].function;
                        GLOBALS + own(&built.locals[caller.index()]).expect("a variable")
                    });
                    executions.iter_mut().for_each(|now| {
                        let result = now.frames.pop().expect("an activation")[1];
                        *now.variable(target) = result;
                    });
                }
            }
            let prefix = Prefix::default();
            let after = execute(&mut values, (&built, &prefix), at..=at + steps - 1, state);
            at += steps;
            let Some(after) = after else {
                prop_assert!(executions.is_empty(), "an execution goes on");
                break;
            };
            state = after;
            for now in &executions {
                prop_assert!(holds(&values, &built, at, state, now), "{at}: {now:?}");
            }
            let (all, related) = met.get();
            let more = u64::from(values.forest.is_marked(state) && !executions.is_empty());
            met.set((all + executions.len() as u64, related + more));
        }
        Ok(())
    });
    ended.expect("no execution is left out");
    let (all, related) = met.get();
    assert!(all > 500_000 && related > 4_000, "{all} states, {related} times with distances");
}
