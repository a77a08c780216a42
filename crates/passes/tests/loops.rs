//! Summaries of loops: what becomes of small programs, and random loops beside their summaries.

#![allow(missing_docs)]

mod common;

use common::{ORDERS, Random, VARS, c, inputs, locals, read, seeds, show};
use interp::{Config, Ending};
use proviso_passes as passes;

/// Writes random loops over four variables of one width, whose values before the loop are inputs.
struct Writer {
    random: Random,
    width: u32,
}

impl Writer {
    fn var(&mut self) -> &'static str {
        VARS[self.random.below(4)]
    }

    fn constant(&mut self) -> String {
        common::constant(&mut self.random, self.width)
    }

    /// Something that no round changes.
    fn fixed(&mut self) -> String {
        if self.random.once_in(3) { "k".to_owned() } else { self.constant() }
    }

    fn operand(&mut self) -> String {
        if self.random.once_in(2) { self.var().to_owned() } else { self.fixed() }
    }

    fn comparison(&mut self) -> (String, String) {
        let one = if self.random.once_in(4) { self.operand() } else { self.var().to_owned() };
        let one =
            if self.random.once_in(8) { format!("(bvadd {one} {})", self.fixed()) } else { one };
        let other = if self.random.once_in(5) { self.var().to_owned() } else { self.fixed() };
        let (one, other) = if self.random.once_in(2) { (one, other) } else { (other, one) };
        if self.random.once_in(4) {
            let (yes, no) = (format!("(= {one} {other})"), format!("(not (= {one} {other}))"));
            return if self.random.once_in(3) { (yes, no) } else { (no, yes) };
        }
        if self.random.once_in(5) {
            let op = self.random.pick(&["bvsaddo", "bvssubo", "bvuaddo", "bvusubo"]);
            let (yes, no) =
                (format!("({op} {one} {other})"), format!("(not ({op} {one} {other}))"));
            return if self.random.once_in(3) { (yes, no) } else { (no, yes) };
        }
        let (op, negated) = self.random.pick(&ORDERS);
        (format!("({op} {one} {other})"), format!("({negated} {other} {one})"))
    }

    fn invariant(&mut self) -> String {
        let (a, b) = ("k".to_owned(), self.constant());
        ["bvult", "bvsle", "="].map(|op| format!("({op} {a} {b})"))[self.random.below(3)].clone()
    }

    /// A number of twice the width, which a sum is added to.
    fn wide(&mut self) -> String {
        let op = ["zero_extend", "sign_extend"][self.random.below(2)];
        let var = self.var();
        let added = match self.random.below(3) {
            0 => format!("(bvadd {var} {})", self.constant()),
            _ => var.to_owned(),
        };
        format!("e := (bvadd e ((_ {op} {}) {added}))", self.width)
    }

    fn assignment(&mut self) -> String {
        if self.random.once_in(5) {
            return self.wide();
        }
        let var = self.var();
        let value = match self.random.below(14) {
            0..=3 => format!("(bvadd {var} {})", self.constant()),
            4 => format!("(bvadd {var} {})", self.operand()),
            5 => format!("(bvsub {var} {})", self.operand()),
            6 => self.operand(),
            7 => format!(
                "(bvadd {var} (ite {} {} {}))",
                self.invariant(),
                self.constant(),
                self.fixed()
            ),
            8 => format!("(bvadd (bvmul {var} {}) {})", self.constant(), self.fixed()),
            9 => format!("(bvxor {var} {})", self.fixed()),
            10 => format!("(bvlshr {var} {})", self.constant()),
            11 => format!("(bvadd {var} (bvmul {} {}))", self.operand(), self.operand()),
            12 => format!("(bvsub {} {var})", self.fixed()),
            _ => format!("(bvmul {} (bvnot {}))", self.operand(), self.operand()),
        };
        format!("{var} := {value}")
    }

    /// A small number, or its negative.
    fn step(&mut self, up: bool) -> String {
        let bits = term::Bv::new(self.width, 1 + u128::from(self.random.next() % 3));
        let bits = if up { bits } else { bits.neg() };
        let digit = |at| if bits.bit(at) { '1' } else { '0' };
        format!("#b{}", (0..self.width).rev().map(digit).collect::<String>())
    }

    /// On which side of a bound the first variable is, and the opposite.
    fn side(&mut self, signed: usize) -> (String, String) {
        let (op, negated) = ORDERS[2 * signed + self.random.below(2)];
        let bound = if self.random.once_in(3) { "k".to_owned() } else { self.constant() };
        // Sometimes about the number that the next round has.
        let a = match self.random.below(24) {
            0 | 1 => format!("(bvadd a (_ bv1 {}))", self.width),
            2 => format!("(bvadd a {})", self.constant()),
            _ => "a".to_owned(),
        };
        let (x, y) = if self.random.once_in(2) { (a, bound) } else { (bound, a) };
        (format!("({op} {x} {y})"), format!("({negated} {y} {x})"))
    }

    /// A loop that counts and does one of three or four things, by two bounds.
    fn thrice(&mut self) -> String {
        let width = self.width;
        let up = self.random.once_in(2);
        let [one, two, three] = [(); 3].map(|()| self.step(up));
        let one = if self.random.once_in(8) { self.step(!up) } else { one };
        let signed = self.random.below(2);
        let (stay, leave) = self.side(signed);
        let (near, far) = self.side(signed);
        let (middle, last) = self.side(signed);
        let added = self.constant();
        let inputs = inputs(&["a", "b", "c", "d", "e", "k"]);
        let locals = locals(&VARS, &format!("(_ BitVec {width})"));
        // The two bounds are asked about one after the other, or both in every round.
        let (after, joined) = if self.random.once_in(2) { ("L8", "L5") } else { ("L2", "L8") };
        let join = if joined == "L5" { "L5 -> L8 {}" } else { "L8 -> L2 {}\nL5 -> L2 {}" };
        let more = if joined == "L5" {
            format!(
                "L8 -> L7 {{ assume {middle} c := (bvadd c {added}) }}\nL8 -> L7 {{ assume {last} }}\n"
            )
        } else {
            String::new()
        };
        let inner = if joined == "L5" {
            "L6 -> L8 {}".to_owned()
        } else {
            format!(
                "L6 -> L7 {{ assume {middle} a := (bvadd a {two}) c := (bvadd c b) }}\n\
                 L6 -> {after} {{ assume {last} a := (bvadd a {three}) d := (bvadd d {added}) }}"
            )
        };
        let start = if joined == "L5" { "" } else { "a := (bvadd a #one)" };
        let start = start.replace("#one", &one);
        let end = if joined == "L5" { format!("a := (bvadd a {two})") } else { String::new() };
        format!(
            "model 1\nstart main\nfunction main() -> (r) {{\n{locals}local k: (_ BitVec {width})\n\
             local e: (_ BitVec {}) local r: (_ BitVec {}) entry L0 exit L1\nL0 -> L2 {{ {inputs} }}\n\
             L2 -> L3 {{ assume {stay} }}\nL2 -> L4 {{ assume {leave} }}\n\
             L3 -> L5 {{ assume {near} {start} b := (bvadd b {one}) }}\n\
             L3 -> L6 {{ assume {far} }}\n{inner}\n{join}\n{more}L7 -> L2 {{ {end} }}\n\
             L4 -> L1 {{ r := (concat e (concat (concat a b) (concat c d))) }}\n}}",
            2 * width,
            6 * width,
        )
    }

    /// A loop that counts and does one thing on one side of a bound, and another on the other side.
    fn phased(&mut self) -> String {
        let width = self.width;
        let up = self.random.once_in(2);
        let (one, other) = (self.step(up), self.step(up));
        let one = if self.random.once_in(6) { self.step(!up) } else { one };
        let signed = self.random.below(2);
        let (stay, leave) = self.side(signed);
        let signed = if self.random.once_in(6) { 1 - signed } else { signed };
        let (near, far) = self.side(signed);
        let inputs = inputs(&["a", "b", "c", "d", "e", "k"]);
        let locals = locals(&VARS, &format!("(_ BitVec {width})"));
        let check = if self.random.once_in(3) { self.comparison().0 } else { "true".to_owned() };
        format!(
            "model 1\nstart main\nfunction main() -> (r) {{\n{locals}local k: (_ BitVec {width})\n\
             local e: (_ BitVec {}) local r: (_ BitVec {}) entry L0 exit L1\nL0 -> L2 {{ {inputs} }}\n\
             L2 -> L3 {{ assume {stay} }}\nL2 -> L4 {{ assume {leave} }}\n\
             L3 -> L5 {{ assume {near} a := (bvadd a {one}) b := (bvadd b {}) }}\n\
             L3 -> L6 {{ assume {far} a := (bvadd a {other}) c := (bvadd c b) }}\n\
             L5 -> L2 {{}}\nL6 -> L2 {{ check division-by-zero {check} }}\n\
             L4 -> L1 {{ r := (concat e (concat (concat a b) (concat c d))) }}\n}}",
            2 * width,
            6 * width,
            self.constant(),
        )
    }

    /// A loop that adds up the values of a counter in a number of twice its width.
    fn summing(&mut self) -> String {
        let width = self.width;
        let random = &mut self.random;
        let (op, negated) = random.pick(&ORDERS);
        let extend = ["zero_extend", "sign_extend"][random.below(2)];
        let size = ["1", "1", "2", "3"][random.below(4)];
        let bound = if random.once_in(2) { "k".to_owned() } else { self.constant() };
        let up = self.random.once_in(2);
        let (x, y) = if up { ("a", bound.as_str()) } else { (bound.as_str(), "a") };
        let change = if up { "bvadd" } else { "bvsub" };
        let size = format!("(_ bv{size} {width})");
        let added =
            if self.random.once_in(3) { format!("({change} a {size})") } else { "a".to_owned() };
        let (stay, leave) = match self.random.below(3) {
            0 => ("true".to_owned(), "false".to_owned()),
            _ => ("(not (= b c))".to_owned(), "(= b c)".to_owned()),
        };
        let inputs = inputs(&["a", "b", "c", "d", "e", "k"]);
        let locals = locals(&VARS, &format!("(_ BitVec {width})"));
        format!(
            "model 1\nstart main\nfunction main() -> (r) {{\n{locals}local k: (_ BitVec {width})\n\
             local e: (_ BitVec {}) local r: (_ BitVec {}) entry L0 exit L1\nL0 -> L2 {{ {inputs} }}\n\
             L2 -> L3 {{ assume ({op} {x} {y}) }}\nL2 -> L4 {{ assume ({negated} {y} {x}) }}\n\
             L3 -> L5 {{ assume {stay} }}\nL3 -> L4 {{ assume {leave} }}\n\
             L5 -> L2 {{ e := (bvadd e ((_ {extend} {width}) {added})) a := ({change} a {size}) \
             b := (bvadd b {}) }}\n\
             L4 -> L1 {{ r := (concat e (concat (concat a b) (concat c d))) }}\n}}",
            2 * width,
            6 * width,
            self.constant(),
        )
    }

    fn program(&mut self) -> String {
        let width = self.width;
        let locals = locals(&VARS, &format!("(_ BitVec {width})"));
        let inputs = inputs(&["a", "b", "c", "d", "k"]);
        let (stay, leave) = self.comparison();
        let mut edges = format!("L2 -> L3 {{ assume {stay} }}\nL2 -> L8 {{ assume {leave} }}\n");
        let first = self.assignment();
        let second = if self.random.once_in(2) { self.assignment() } else { String::new() };
        edges += &format!("L3 -> L4 {{ {first} {second} }}\n");
        match self.random.below(6) {
            4 | 5 => {
                let (condition, negated) = self.comparison();
                let (one, other) = (self.assignment(), self.assignment());
                edges += &format!("L4 -> L6 {{ assume {condition} {one} }}\n");
                edges += &format!("L4 -> L7 {{ assume {negated} {other} }}\n");
            }
            0 => {
                let (stay, leave) = self.comparison();
                edges += &format!("L4 -> L5 {{ assume {stay} }}\nL4 -> L9 {{ assume {leave} }}\n");
            }
            1 => {
                let condition = self.invariant();
                let (one, other) = (self.assignment(), self.assignment());
                edges += &format!("L4 -> L6 {{ assume {condition} {one} }}\n");
                edges += &format!("L4 -> L7 {{ assume (not {condition}) {other} }}\n");
            }
            2 => {
                let target = self.var();
                let argument = self.operand();
                edges += &format!("L4 -> L5 {{ call f({argument}) -> ({target}) }}\n");
            }
            _ => edges += "L4 -> L5 {}\n",
        }
        edges += &format!("L5 -> L2 {{ {} }}\nL6 -> L5 {{}}\nL7 -> L5 {{}}\n", self.assignment());
        format!(
            "model 1\nstart main\nfunction main() -> (r) {{\n{locals}local k: (_ BitVec {width})\n\
             local e: (_ BitVec {}) local r: (_ BitVec {}) entry L0 exit L1\nL0 -> L2 {{ {inputs} }}\n{edges}\
             L8 -> L1 {{ r := (concat e (concat (concat a b) (concat c d))) }}\n\
             L9 -> L1 {{ r := (bvnot (concat e (concat (concat a b) (concat c d)))) }}\n\
             }}\nfunction f(p) -> (q) {{\nlocal p: (_ BitVec {width}) local q: (_ BitVec {width})\n\
             entry L10 exit L11\nL10 -> L12 {{ check division-by-zero (not (= p {})) }}\n\
             L12 -> L11 {{ q := (bvadd p {}) }}\n}}",
            2 * width,
            6 * width,
            self.constant(),
            self.constant(),
        )
    }
}

/// Writes loops over integers or rationals, whose values before the loop are small.
struct Whole {
    random: Random,
    rational: bool,
}

impl Whole {
    fn number(&mut self, most: usize) -> String {
        let number = self.random.below(2 * most + 1) as i64 - most as i64;
        let size = number.abs();
        let part = if self.rational { self.random.pick(&["", "", "2", "3"]) } else { "" };
        let text = match (self.rational, part) {
            (false, _) => format!("{size}"),
            (true, "") => format!("{size}.0"),
            (true, part) => format!("(/ {size}.0 {part}.0)"),
        };
        if number < 0 { format!("(- {text})") } else { text }
    }

    fn fixed(&mut self) -> String {
        if self.random.once_in(3) { "k".to_owned() } else { self.number(30) }
    }

    /// A condition and one that excludes it, most often its negation.
    fn comparison(&mut self) -> (String, String) {
        let one = self.random.pick(&["a", "a", "b", "c"]).to_owned();
        let other = if self.random.once_in(6) { "b".to_owned() } else { self.fixed() };
        let (one, other) = if self.random.once_in(2) { (one, other) } else { (other, one) };
        let beyond = if self.rational { "1.0" } else { "1" };
        match self.random.below(6) {
            0 => (format!("(= {one} {other})"), format!("(not (= {one} {other}))")),
            1 => (format!("(not (= {one} {other}))"), format!("(= {one} {other})")),
            2 => (format!("(< {one} {other})"), format!("(<= {other} {one})")),
            3 => (format!("(<= {one} {other})"), format!("(< {other} {one})")),
            // As ARMC's programs have it; rationals between the two are stuck.
            4 => (format!("(<= {one} {other})"), format!("(<= (+ {other} {beyond}) {one})")),
            _ => (format!("(<= (+ {one} {beyond}) {other})"), format!("(<= {other} {one})")),
        }
    }

    fn assignment(&mut self) -> String {
        let var = self.random.pick(&["a", "b", "c"]);
        let value = match self.random.below(9) {
            0..=3 => format!("(+ {var} {})", self.number(4)),
            4 => format!("(- {var} {})", self.number(4)),
            5 => format!("(+ {var} (ite {} {} {}))", "(< k d)", self.number(3), self.number(3)),
            6 => format!("(- {} {var})", self.fixed()),
            7 => self.random.pick(&["a", "b", "c", "k"]).to_owned(),
            _ => format!("(+ {} {})", self.random.pick(&["a", "b", "c", "k"]), self.number(4)),
        };
        format!("{var} := {value}")
    }

    fn program(&mut self) -> String {
        let sort = if self.rational { "Real" } else { "Int" };
        let names = ["a", "b", "c", "d", "k"];
        let locals = locals(&names, sort);
        let starts: String = names.map(|name| format!("{name} := {}\n", self.number(20))).concat();
        let (stay, leave) = self.comparison();
        let first = self.assignment();
        let then = match self.random.below(4) {
            0 => {
                let (yes, no) = self.comparison();
                let (one, other) = (self.assignment(), self.assignment());
                format!("L3 -> L4 {{ assume {yes} {one} }}\nL3 -> L4 {{ assume {no} {other} }}")
            }
            1 => {
                let (yes, no) = self.comparison();
                let assignment = self.assignment();
                format!("L3 -> L4 {{ assume {yes} {assignment} }}\nL3 -> L6 {{ assume {no} }}")
            }
            _ => format!("L3 -> L4 {{ {} }}", self.assignment()),
        };
        let (far, many) = if self.rational { ("1000.0", "5.0") } else { ("1000", "5") };
        format!(
            "model 1\nstart main\nfunction main() -> (r) {{\n{locals}local r: {sort}\n\
             entry L0 exit L1\nL0 -> L2 {{ {starts} }}\nL2 -> L3 {{ assume {stay} {first} }}\n\
             L2 -> L5 {{ assume {leave} }}\n{then}\nL4 -> L2 {{}}\nL5 -> L1 {{ r := {result} }}\n\
             L6 -> L1 {{ r := (+ {many} {result}) }}\n}}",
            result = format!("(+ a (* {far} (+ b (* {far} c))))"),
        )
    }
}

#[test]
fn random_loops_over_integers_do_what_their_summaries_do() {
    let (mut summarized, mut ended, mut quick, mut gaps) = (0, 0, 0, 0);
    for seed in seeds(6000) {
        let mut writer = Whole { random: Random::new(seed), rational: seed % 2 == 0 };
        let text = writer.program();
        if let Some((count, few)) = compare(&text, 10, 0..1) {
            summarized += 1;
            ended += count;
            quick += few;
            gaps += usize::from(text.contains("assume (<= (+"));
        }
    }
    assert!(summarized > 1500 && gaps > 100, "{summarized} loops, {gaps} with gaps");
    assert!(ended > 1000 && quick > 1500, "{ended} runs, {quick} in a few steps");
}

/// Runs a loop and its summary with the same inputs. Gives how often both came to an end, and how often
/// the summary took a few steps only.
fn compare(text: &str, width: u32, seeds: std::ops::Range<u64>) -> Option<(usize, usize)> {
    let program = read(text);
    let summarized = passes::summarize(&program)?;
    let after = &summarized.rewritten.program;
    assert_eq!(cfa::validate(after), []);
    let (mut ended, mut quick) = (0, 0);
    for seed in seeds {
        let run = |program: &cfa::Program, max_steps: u64| {
            let config = Config { max_steps, ..Config::default() };
            let mut inputs = interp::RandomInputs::new(seed);
            interp::run(program, &config, &mut inputs, None, &mut std::io::sink())
        };
        // All rounds that are counted here are within this limit. Loops stay beside their summaries.
        let limit = 40 << width.min(10);
        let (short, long) = (run(after, limit + 1), run(&program, limit));
        quick += usize::from(short.steps < 12);
        match &long.ending {
            Ending::Returned(value) => {
                assert_eq!(
                    short.ending,
                    Ending::Returned(value.clone()),
                    "{text}\n{}",
                    show(after)
                );
                assert_eq!(short.drawn, long.drawn);
                ended += 1;
            }
            Ending::StepLimit => {
                let endless =
                    matches!(short.ending, Ending::AssumptionFailed { .. } | Ending::StepLimit);
                assert!(endless || width > 10, "{:?} {text}\n{}", short.ending, show(after));
            }
            // A check failed.
            other => assert_eq!(
                std::mem::discriminant(&short.ending),
                std::mem::discriminant(other),
                "{text}\n{}",
                show(after)
            ),
        }
    }
    Some((ended, quick))
}

#[test]
fn random_loops_do_what_their_summaries_do() {
    let (mut summarized, mut ended, mut quick, mut sums) = (0, 0, 0, 0);
    for seed in 0..5000 {
        let width = [3, 4, 5, 8, 32][seed as usize % 5];
        let mut writer = Writer { random: Random::new(seed), width };
        let text = writer.program();
        if let Some((count, few)) = compare(&text, width, 0..20) {
            summarized += 1;
            sums += usize::from(text.contains("_extend"));
            ended += count;
            quick += few;
        }
    }
    assert!(summarized > 1200 && sums > 500, "{summarized} loops, {sums} with extensions");
    assert!(ended > 18_000 && quick > 18_000, "{ended} runs, {quick} in a few steps");
}

#[test]
fn random_sums_do_what_their_summaries_do() {
    let (mut summarized, mut ended, mut quick) = (0, 0, 0);
    for seed in 0..3000 {
        let width = [2, 3, 4, 5, 8][seed as usize % 5];
        let mut writer = Writer { random: Random::new(seed), width };
        let text = writer.summing();
        if let Some((count, few)) = compare(&text, width, 0..20) {
            summarized += 1;
            ended += count;
            quick += few;
        }
    }
    assert!(summarized > 300, "{summarized}");
    assert!(ended > 4000 && quick > 4000, "{ended} runs, {quick} in a few steps");
}

#[test]
fn random_phases_do_what_their_summaries_do() {
    let (mut summarized, mut ended, mut quick) = (0, 0, 0);
    for seed in 0..3000 {
        let width = [2, 3, 4, 5, 8][seed as usize % 5];
        let mut writer = Writer { random: Random::new(seed), width };
        let text = writer.phased();
        if let Some((count, few)) = compare(&text, width, 0..20) {
            summarized += 1;
            ended += count;
            quick += few;
        }
    }
    assert!(summarized > 400, "{summarized}");
    assert!(ended > 8000 && quick > 8000, "{ended} runs, {quick} in a few steps");
}

#[test]
fn random_loops_with_many_phases_do_what_their_summaries_do() {
    let (mut summarized, mut ended, mut quick, mut many) = (0, 0, 0, 0);
    for seed in seeds(3000) {
        let width = [2, 3, 4, 5, 8][seed as usize % 5];
        let mut writer = Writer { random: Random::new(seed), width };
        let text = writer.thrice();
        if let Some((count, few)) = compare(&text, width, 0..20) {
            summarized += 1;
            ended += count;
            quick += few;
            let found = passes::summarize(&read(&text)).expect("it has just been");
            many += usize::from(show(&found.rewritten.program).matches("$rounds").count() > 6);
        }
    }
    assert!(summarized > 300 && many > 100, "{summarized} loops, {many} with many phases");
    assert!(ended > 4000 && quick > 4000, "{ended} runs, {quick} in a few steps");
}

/// The same with so many loops that it takes minutes.
#[test]
#[ignore = "takes minutes"]
fn a_hundred_thousand_loops_do_what_their_summaries_do() {
    let (mut summarized, mut ended, mut quick) = (0, 0, 0);
    for seed in 10_000..110_000 {
        let width = [2, 3, 4, 5, 6, 8, 32][seed as usize % 7];
        let mut writer = Writer { random: Random::new(seed), width };
        let text = match seed % 4 {
            0 => writer.program(),
            1 => writer.summing(),
            2 => writer.thrice(),
            _ => writer.phased(),
        };
        if let Some((count, few)) = compare(&text, width, 0..4) {
            summarized += 1;
            ended += count;
            quick += few;
        }
    }
    assert!(summarized > 10_000 && ended > 20_000, "{summarized} loops, {ended} runs");
    assert!(quick > 20_000, "{quick} runs in a few steps");
}

const SIMPLE: &str = "model 1
    start main
    function main() -> () {
      local i: (_ BitVec 32)
      local s: (_ BitVec 32)
      local k: (_ BitVec 32)
      entry L0 exit L1
      L0 -> L2 { i := #x00000000 s := #x00000000 havoc k input \"k\" }
      L2 -> L3 { assume (bvslt i #x3b9aca00) }
      L2 -> L4 { assume (bvsle #x3b9aca00 i) }
      L3 -> L2 { i := (bvadd i #x00000001) s := (bvadd s (ite (= k #x00000000) #x00000001 #x00000002)) }
      L4 -> L5 { assume (= s #x77359400) }
      L4 -> L1 { assume (not (= s #x77359400)) }
      L5: error
    }";

#[test]
fn a_loop_becomes_a_step() {
    let program = read(SIMPLE);
    let summarized = passes::summarize(&program).expect("a simple loop");
    insta::assert_snapshot!(show(&summarized.rewritten.program));
    let back = &summarized.rewritten.back;
    let head = summarized.heads[0];
    assert!(back.location(head).is_some_and(|origin| !origin.whole), "rounds do not pass it");
    let mut terms = program.terms.clone();
    let yes = terms.bool(true);
    let from = terms.clone();
    assert_eq!(back.invariant(&program, head, yes, &from, &mut terms), None);
}

#[test]
fn a_billion_rounds_are_replayed() {
    let program = read(SIMPLE);
    let summarized = passes::summarize(&program).expect("a simple loop");
    let after = &summarized.rewritten.program;
    let mut inputs = interp::RandomInputs::new(1);
    let plain = Config::default();
    let found = interp::run(after, &plain, &mut inputs, None, &mut std::io::sink());
    assert!(matches!(found.ending, Ending::Error { .. }), "{:?}", found.ending);
    let shortcuts = passes::shortcuts(&program);
    let config = Config { shortcuts: Some(&shortcuts), ..Config::default() };
    let drawn = summarized.rewritten.back.decisions(after, &found.drawn, &program, &config);
    let mut inputs = interp::Listed::replay(&program, &drawn);
    let run = interp::run(&program, &config, &mut inputs, None, &mut std::io::sink());
    assert!(matches!(run.ending, Ending::Error { .. }), "{:?}", run.ending);
    assert_eq!(run.steps, 2_000_000_000 + 3);
    assert_eq!(run.skipped, 1_000_000_000 - 8 - 2);
}

#[test]
fn runs_with_shortcuts_are_the_same_runs() {
    let mut skipped = 0;
    for seed in 0..100 {
        let mut writer = Writer { random: Random::new(seed), width: 14 };
        let text = if seed % 4 == 0 { writer.phased() } else { writer.program() };
        let program = read(&text);
        let shortcuts = passes::shortcuts(&program);
        for inputs in 0..3 {
            let run = |shortcuts| {
                let config = Config { max_steps: 100_000, shortcuts, ..Config::default() };
                let mut inputs = interp::RandomInputs::new(inputs);
                interp::run(&program, &config, &mut inputs, None, &mut std::io::sink())
            };
            let (plain, short) = (run(None), run(Some(&shortcuts)));
            skipped += short.skipped;
            if plain.ending == Ending::StepLimit {
                continue;
            }
            assert_eq!(plain.ending, short.ending, "{text}");
            assert_eq!(plain.drawn, short.drawn);
        }
    }
    assert!(skipped > 30_000, "{skipped}");
}

#[test]
fn nested_rounds_are_replayed() {
    let program = read(
        "model 1
        start main
        function main() -> () {
          local i: (_ BitVec 32)
          local j: (_ BitVec 32)
          local s: (_ BitVec 64)
          entry L0 exit L1
          L0 -> L2 { i := #x00000000 s := #x0000000000000000 }
          L2 -> L3 { assume (bvult i #x000f4240) j := #x00000000 }
          L2 -> L5 { assume (bvule #x000f4240 i) }
          L3 -> L4 { assume (bvult j #x000f4240) }
          L3 -> L2 { assume (bvule #x000f4240 j) i := (bvadd i #x00000001) }
          L4 -> L3 { j := (bvadd j #x00000001) s := (bvadd s #x0000000000000001) }
          L5 -> L6 { assume (= s #x000000e8d4a51000) }
          L5 -> L1 { assume (not (= s #x000000e8d4a51000)) }
          L6: error
        }",
    );
    let shortcuts = passes::shortcuts(&program);
    assert_eq!(shortcuts.loops.len(), 2);
    let config = Config { shortcuts: Some(&shortcuts), ..Config::default() };
    let run = interp::run(&program, &config, &mut interp::Zeros, None, &mut std::io::sink());
    assert!(matches!(run.ending, Ending::Error { .. }), "{:?}", run.ending);
}

#[test]
fn wrong_shortcuts_are_not_taken() {
    let program = read(SIMPLE);
    let mut shortcuts = passes::shortcuts(&program);
    for shortcut in shortcuts.loops.values_mut().flatten() {
        for (_, value) in &mut shortcut.values {
            let one = shortcuts.terms.bv(32, 1);
            *value = shortcuts.terms.bv_add(*value, one);
        }
    }
    let config = Config { max_steps: 50_000, shortcuts: Some(&shortcuts), ..Config::default() };
    let mut inputs = interp::RandomInputs::new(1);
    let run = interp::run(&program, &config, &mut inputs, None, &mut std::io::sink());
    assert_eq!((run.ending, run.skipped), (Ending::StepLimit, 0));
}

#[test]
fn loops_that_are_not_simple_stay() {
    let bodies = [
        // A product of two numbers that change.
        "int a = 1, b = 1; while (a < 1000) { a = a * b; b = b + a; }",
        // Memory.
        "int a[4], i = 0; while (i < 4) { a[i] = i; i++; }",
        // An input in each round.
        "int x = 0; while (x < 10) x = x + (nondet() & 1);",
        // A guard that is not about one number.
        "unsigned x = 0, y = 0; while ((x ^ y) < 100) { x++; y += 3; }",
        // A step that may jump over the bound and the greatest number.
        "unsigned x = 0; while (x < 4294967290u) x += 7;",
        // A loop that is never left.
        "for (;;) {}",
        // Floats.
        "double d = 0; while (d < 10) d = d + 0.1;",
    ];
    for body in bodies {
        let text = format!("extern int nondet(void); int main() {{ {body} return 0; }}");
        assert!(passes::summarize(&c(&text)).is_none(), "{body}");
    }
}
