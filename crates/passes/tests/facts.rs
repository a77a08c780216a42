//! Facts about rounds, and many rounds at once: programs that are told these do what they did before.

#![allow(missing_docs)]

mod common;

use cfa::Program;
use common::{ORDERS, Random, Setting, VARS, inputs, locals, random_program, read, seeds, show};
use interp::{Config, Ending};
use proviso_passes as passes;

/// Writes loops over variables of one width that ask for inputs, choose between edges, have other loops
/// in them and call functions that loop.
struct Writer {
    random: Random,
    width: u32,
}

impl Writer {
    fn var(&mut self) -> &'static str {
        self.random.pick(&VARS)
    }

    fn constant(&mut self) -> String {
        common::constant(&mut self.random, self.width)
    }

    /// An order, and its opposite.
    fn comparison(&mut self) -> (String, String) {
        if self.random.once_in(8) {
            let op = self.random.pick(&["bvsaddo", "bvssubo", "bvuaddo", "bvusubo"]);
            let sum = format!("({op} {} {})", self.var(), self.constant());
            return (format!("(not {sum})"), sum);
        }
        let (op, negated) = self.random.pick(&ORDERS);
        let one = self.var().to_owned();
        let other = if self.random.once_in(4) { "k".to_owned() } else { self.constant() };
        let (one, other) = if self.random.once_in(2) { (one, other) } else { (other, one) };
        (format!("({op} {one} {other})"), format!("({negated} {other} {one})"))
    }

    fn assignment(&mut self) -> String {
        let var = self.var();
        let value = match self.random.below(12) {
            0..=4 => format!("(bvadd {var} {})", self.constant()),
            5 => format!("(bvadd {var} x)"),
            6 => format!("(bvsub {var} (bvmul x {}))", self.constant()),
            7 => format!("(bvadd {var} (bvand x {}))", self.constant()),
            8 => format!("(bvadd {var} {})", self.var()),
            9 => self.constant(),
            10 => format!("(ite (bvult x {}) (bvadd {var} {}) {var})", self.constant(), self.var()),
            _ => self.var().to_owned(),
        };
        format!("{var} := {value}")
    }

    /// What is between two locations of a round.
    fn part(&mut self, from: u32, to: u32) -> String {
        let (one, other) = (self.assignment(), self.assignment());
        let mid = from + 5;
        match self.random.below(7) {
            // A choice by a condition.
            0 | 1 => {
                let (yes, no) = self.comparison();
                format!(
                    "L{from} -> L{to} {{ assume {yes} {one} }}\nL{from} -> L{to} {{ assume {no} {other} }}\n"
                )
            }
            // A choice by nobody.
            2 => format!("L{from} -> L{to} {{ {one} }}\nL{from} -> L{to} {{ {other} }}\n"),
            // A loop, which may be left after any round.
            3 => {
                let (yes, no) = self.comparison();
                format!(
                    "L{from} -> L{mid} {{ assume {yes} {one} }}\nL{from} -> L{to} {{ assume {no} }}\n\
                     L{mid} -> L{from} {{ havoc x input \"x\" }}\nL{mid} -> L{to} {{ {other} }}\n"
                )
            }
            4 => format!("L{from} -> L{to} {{ havoc x input \"x\" {one} }}\n"),
            5 => {
                let var = self.var();
                format!("L{from} -> L{to} {{ call f({var}) -> ({var}) }}\n")
            }
            _ => format!("L{from} -> L{to} {{ {one} {other} }}\n"),
        }
    }

    fn program(&mut self) -> String {
        let width = self.width;
        let locals = locals(&["a", "b", "c", "x", "k"], &format!("(_ BitVec {width})"));
        let inputs = inputs(&["a", "b", "c", "d", "x", "k"]);
        let (stay, leave) = self.comparison();
        let (counter, step) = (self.var(), self.random.pick(&["1", "1", "2", "3"]));
        let mut parts: String = (4..7).map(|at| self.part(at, at + 1)).collect();
        // Locations are numbered without gaps.
        for at in (9..12).filter(|at| !parts.contains(&format!("L{at} "))).collect::<Vec<u32>>() {
            parts += &format!("L{at} -> L7 {{}}\n");
        }
        let added = self.constant();
        let shared = self.random.pick(&["d := (bvnot d)", "", "d := k"]).replace('k', &added);
        format!(
            "model 1\nglobal d: (_ BitVec {width})\nstart main\n\
             function main() -> (r) {{\n{locals}local r: (_ BitVec {})\nentry L0 exit L1\n\
             L0 -> L2 {{ {inputs} }}\nL2 -> L3 {{ assume {stay} }}\nL2 -> L8 {{ assume {leave} }}\n\
             L3 -> L4 {{ {counter} := (bvadd {counter} (_ bv{step} {width})) havoc x input \"x\" }}\n\
             {parts}L7 -> L2 {{}}\n\
             L8 -> L1 {{ r := (concat (concat a b) (concat c d)) }}\n}}\n\
             function f(p) -> (q) {{\nlocal p: (_ BitVec {width})\nlocal q: (_ BitVec {width})\n\
             entry L12 exit L13\nL12 -> L14 {{ q := p }}\n\
             L14 -> L15 {{ assume (bvult q (_ bv3 {width})) }}\n\
             L14 -> L13 {{ assume (bvule (_ bv3 {width}) q) }}\n\
             L15 -> L14 {{ q := (bvadd q (_ bv1 {width})) {shared} }}\n}}",
            4 * width,
        )
    }
}

/// Runs of a program and of the one that is told facts. Gives how many came to an end.
fn compare(program: &Program, after: &passes::Rewritten, limit: u64, seeds: u64) -> usize {
    assert_eq!(cfa::validate(&after.program), []);
    let mut ended = 0;
    for seed in 0..seeds {
        let config = Config { max_steps: limit, ..Config::default() };
        let mut inputs = interp::RandomInputs::new(seed);
        let plain = interp::run(program, &config, &mut inputs, None, &mut std::io::sink());
        let config = Config { max_steps: 4 * limit, ..Config::default() };
        let told = after.back.follow(program, &plain.drawn, &after.program, &config);
        if plain.ending == Ending::StepLimit {
            // The way on is not known, but no fact has failed on the way there.
            let text = || show(&after.program);
            assert!(!matches!(told.ending, Ending::AssumptionFailed { .. }), "{}", text());
            continue;
        }
        ended += 1;
        let same = match (&plain.ending, &told.ending) {
            (Ending::Returned(one), Ending::Returned(other)) => one == other,
            (one, other) => std::mem::discriminant(one) == std::mem::discriminant(other),
        };
        let endings = (&plain.ending, &told.ending);
        assert!(same, "seed {seed}: {endings:?}\n{}", show(&after.program));
    }
    ended
}

#[test]
fn random_loops_are_what_they_were() {
    let (mut told, mut ended) = (0, 0);
    for seed in seeds(1200) {
        let width = [2, 3, 4, 5, 8, 32][seed as usize % 6];
        let mut writer = Writer { random: Random::new(seed), width };
        let program = read(&writer.program());
        let Some(after) = passes::annotate(&program) else { continue };
        told += 1;
        ended += compare(&program, &after, 20 << width.min(6), 5);
    }
    assert!(told > 900 && ended > 1500, "{told} programs, {ended} runs");
}

/// A loop that keeps a number on one side of a bound whose steps grow or shrink by a constant. Values lie
/// near the ends of what is known to be safe from wrapping around.
fn convex(random: &mut Random, width: u32) -> String {
    let half = (width - 2) / 2;
    let near = |random: &mut Random, powers: &[u32]| {
        let power = 1_i64 << random.pick(powers);
        let apart = random.below(5) as i64 - 2;
        if random.once_in(2) { power + apart } else { -(power + apart) }
    };
    let bits = |number: i64| {
        let digit = |at: u32| if number >> at & 1 == 1 { '1' } else { '0' };
        format!("#b{}", (0..width).rev().map(digit).collect::<String>())
    };
    let x = near(random, &[0, 4, half, width - 2, width - 1]);
    let step = near(random, &[0, half, half - 1, half + 1, width - 4, width - 3]);
    let bound = near(random, &[0, 3, half, width - 2, width - 1]);
    let growth = 1 + random.below(1 << (width - half - 6).min(4)) as i64;
    let growth = if random.once_in(2) { growth } else { -growth };
    let (op, negated) = random.pick(&[("bvslt", "bvsle"), ("bvsle", "bvslt")]);
    let (one, other) = if (growth > 0) != random.once_in(8) { ("a", "b") } else { ("b", "a") };
    format!(
        "model 1\nstart main\nfunction main() -> (r) {{\nlocal a: (_ BitVec {width})\n\
         local b: (_ BitVec {width})\nlocal c: (_ BitVec {width})\nlocal r: (_ BitVec {})\n\
         entry L0 exit L1\nL0 -> L2 {{ a := {} b := {} c := {} }}\n\
         L2 -> L3 {{ assume ({op} {one} {other}) }}\nL2 -> L4 {{ assume ({negated} {other} {one}) }}\n\
         L3 -> L2 {{ a := (bvadd a c) c := (bvadd c {}) }}\nL4 -> L1 {{ r := (concat a c) }}\n}}",
        2 * width,
        bits(x),
        bits(bound),
        bits(step),
        bits(growth),
    )
}

#[test]
fn steps_that_grow_are_what_they_were() {
    let (mut told, mut ended) = (0, 0);
    for seed in seeds(3000) {
        let width = [12, 13, 14, 16, 18][seed as usize % 5];
        let program = read(&convex(&mut Random::new(seed), width));
        let Some(after) = passes::annotate(&program) else { continue };
        told += usize::from(show(&after.program).contains("bvule"));
        ended += compare(&program, &after, 4 << (width / 2 + 2), 1);
    }
    assert!(told > 2000 && ended > 1500, "{told} programs, {ended} runs");
}

/// A loop that adds up a number which is made longer first, and which may jump over its bound and the end of
/// its type. An input ends the loop, too.
fn widened(random: &mut Random, width: u32) -> String {
    let bits = |number: i64| {
        let digit = |at: u32| if number >> at & 1 == 1 { '1' } else { '0' };
        format!("#b{}", (0..width).rev().map(digit).collect::<String>())
    };
    let wide = width + 8;
    let step = random.pick(&[1, 1, 2, 3, 5, 7, (1 << (width - 2)) - 1]);
    let end = random.pick(&[0, (1 << width) - 1, (1 << (width - 1)) - 1, 1 << (width - 1)]);
    let up = random.once_in(2);
    let (step, toward) = if up { (step, -1) } else { (-step, 1) };
    let bound = end + toward * random.below(6) as i64;
    let first = bound + toward * random.below(1 << (width - 1)) as i64;
    let (op, negated) = random.pick(&ORDERS);
    let (one, other) = if up != random.once_in(8) { ("a", "b") } else { ("b", "a") };
    let bound = if random.once_in(3) { "b".to_owned() } else { bits(bound) };
    let (one, other) = (one.replace('b', &bound), other.replace('b', &bound));
    let extend = random.pick(&["zero_extend", "sign_extend"]);
    let chosen = format!("b := {}", if bound == "b" { bits(end) } else { bound });
    format!(
        "model 1\nstart main\nfunction main() -> (r) {{\nlocal a: (_ BitVec {width})\n\
         local b: (_ BitVec {width})\nlocal s: (_ BitVec {wide})\nlocal r: (_ BitVec {})\n\
         local x: (_ BitVec {width})\nentry L0 exit L1\n\
         L0 -> L2 {{ a := {} {chosen} s := (_ bv0 {wide}) x := a }}\n\
         L2 -> L3 {{ assume ({op} {one} {other}) havoc x input \"x\" }}\n\
         L2 -> L4 {{ assume ({negated} {other} {one}) }}\n\
         L3 -> L4 {{ assume (= x {}) }}\nL3 -> L5 {{ assume (not (= x {})) }}\n\
         L5 -> L2 {{ s := (bvadd s ((_ {extend} 8) a)) a := (bvadd a {}) }}\n\
         L4 -> L1 {{ r := (concat a s) }}\n}}",
        width + wide,
        bits(first),
        bits(0),
        bits(0),
        bits(step),
    )
}

#[test]
fn numbers_that_are_made_longer_are_what_they_were() {
    let (mut told, mut ended) = (0, 0);
    for seed in seeds(3000) {
        let width = [4, 5, 6, 8][seed as usize % 4];
        let program = read(&widened(&mut Random::new(seed), width));
        let Some(after) = passes::annotate(&program) else { continue };
        told += 1;
        ended += compare(&program, &after, 8 << width, 3);
    }
    assert!(told > 2000 && ended > 4000, "{told} programs, {ended} runs");
}

#[test]
fn random_programs_are_what_they_were() {
    let (mut told, mut ended) = (0, 0);
    for seed in seeds(1500) {
        let setting = Setting { memory: seed % 2 == 0, recursion: seed % 3 == 0 };
        let program = random_program(seed, setting);
        let Some(after) = passes::annotate(&program) else { continue };
        told += 1;
        ended += compare(&program, &after, 3000, 6);
    }
    assert!(told > 300 && ended > 1000, "{told} programs, {ended} runs");
}

/// Random inputs, with numbers of rounds that are not too large.
struct Few<'a> {
    inputs: interp::RandomInputs,
    random: Random,
    back: &'a passes::Back,
    /// How often rounds were taken at once.
    taken: usize,
}

impl interp::Inputs for Few<'_> {
    fn choose(&mut self, request: &interp::Request<'_>) -> Result<term::Value, interp::Trouble> {
        if let interp::Origin::Havoc(site) = request.origin
            && self.back.op(site) == passes::OperationOrigin::Rounds
        {
            self.taken += 1;
            let most = self.random.pick(&[2, 4, 8, 20]);
            let rounds = 1 + self.random.below(most) as u128;
            return Ok(term::Value::Bv(term::Bv::new(32, rounds)));
        }
        self.inputs.choose(request)
    }

    fn choose_edge(
        &mut self,
        _: cfa::LocId,
        edges: &[cfa::EdgeId],
    ) -> Result<usize, interp::Trouble> {
        Ok(self.random.below(edges.len()))
    }
}

#[test]
fn rounds_at_once_are_rounds() {
    let (mut fast, mut ended, mut took) = (0, 0, 0);
    for seed in seeds(4000) {
        let width = [3, 4, 5, 8, 32][seed as usize % 5];
        let mut writer = Writer { random: Random::new(seed), width };
        let text = writer.program();
        let program = read(&text);
        let Some(after) = passes::accelerate(&program) else { continue };
        assert_eq!(cfa::validate(&after.program), []);
        fast += 1;
        for seed in 0..12 {
            let (inputs, random) = (interp::RandomInputs::new(seed), Random::new(seed));
            let mut few = Few { inputs, random, back: &after.back, taken: 0 };
            let config = Config { max_steps: 2000, ..Config::default() };
            let run = interp::run(&after.program, &config, &mut few, None, &mut std::io::sink());
            let Ending::Returned(value) = run.ending else { continue };
            ended += 1;
            took += usize::from(few.taken > 0);
            let config = Config { max_steps: 100_000, ..Config::default() };
            let drawn = after.back.decisions(&after.program, &run.drawn, &program, &config);
            let mut inputs = interp::Listed::replay(&program, &drawn);
            let same = interp::run(&program, &config, &mut inputs, None, &mut std::io::sink());
            assert_eq!(same.ending, Ending::Returned(value), "{text}\n{}", show(&after.program));
        }
    }
    assert!(fast > 300 && ended > 1000 && took > 300, "{fast} programs, {ended} runs, {took} fast");
}
