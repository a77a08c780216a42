//! Invariants that a proof hands over, evaluated where runs with random inputs pass their places.

#![allow(missing_docs)]

use base::Random;
use std::collections::BTreeMap;
use std::sync::Arc;

use cfa::{EdgeId, FuncId, LocId, Op, Program, Scope};
use interp::{Change, Observer, RandomInputs, Step};
use proviso_verify::{Analysis, Budget, Config, Forward, Invariants, Run, Verdict};
use term::{Environment, Evaluator, Value, Var};

fn load(text: &str) -> Program {
    let mut sources = base::SourceMap::new();
    let file = sources.add("test.c", text.as_bytes()).expect("a short file");
    let loaded = frontend::c::load(sources, &[file], &frontend::Options::default());
    assert!(!loaded.diagnostics.has_errors(), "{:?}", loaded.diagnostics.iter().next());
    loaded.program
}

/// All analyses that hand invariants over.
const ALL: [Analysis; 8] = [
    Analysis::Interval,
    Analysis::KInduction,
    Analysis::Backward,
    Analysis::Value,
    Analysis::ValueItp,
    Analysis::Predicate,
    Analysis::ValueItpPredicate,
    Analysis::Product,
];

/// How often a run looks at its budget before it is given up: the same on every machine.
const LOOKS: u64 = 5_000;

fn prove(program: &Program, analysis: Analysis) -> Option<Arc<Invariants>> {
    let forward = Forward { nodes: Some(5000), ..Forward::default() };
    let budget = Budget::for_looks(LOOKS);
    let config = Config { analysis, budget, forward, ..Config::default() };
    let outcome = proviso_verify::verify(program, &config, &|| Box::new(smt::Builtin::new()));
    matches!(outcome.verdict, Verdict::Safe(_)).then_some(outcome.invariants)
}

#[derive(Default)]
struct Values(BTreeMap<Var, Value>);

impl Environment for Values {
    fn get(&self, var: Var) -> Option<&Value> {
        self.0.get(&var)
    }
}

/// Follows the variables of a run, and looks at the invariants of each place that it passes.
struct Watch<'a> {
    program: &'a Program,
    invariants: &'a Invariants,
    globals: Values,
    frames: Vec<Values>,
    evaluated: usize,
}

impl Watch<'_> {
    fn change(&mut self, changes: &[Change]) {
        for change in changes {
            let Some((var, value)) = change.assigned() else { continue };
            let values = match self.program.cfa.variables[var].scope {
                Scope::Local(_) => self.frames.last_mut().expect("an activation"),
                _ => &mut self.globals,
            };
            match value {
                Some(value) => values.0.insert(var, value.clone()),
                None => values.0.remove(&var),
            };
        }
    }

    fn arrive(&mut self, location: LocId) {
        if self.invariants.list.iter().all(|each| each.location != location) {
            return;
        }
        let frame = self.frames.last().expect("an activation");
        let mut values = Values(self.globals.0.clone());
        values.0.extend(frame.0.iter().map(|(var, value)| (*var, value.clone())));
        for invariant in self.invariants.list.iter().filter(|each| each.location == location) {
            let mut evaluator = Evaluator::new();
            // A variable without a value may have any.
            if let Ok(value) = evaluator.eval(&self.invariants.terms, invariant.formula, &values) {
                let text = self.invariants.terms.display(invariant.formula);
                assert_eq!(value, Value::Bool(true), "{text} at {location:?}");
                self.evaluated += 1;
            }
        }
    }

    fn callee(&self, edge: EdgeId) -> Option<FuncId> {
        self.program.cfa.edges[edge].ops.iter().find_map(|op| match op {
            Op::Call { callee, .. } => Some(*callee),
            _ => None,
        })
    }
}

impl Observer for Watch<'_> {
    fn taken(&mut self, step: &Step<'_>) {
        let next = match self.callee(step.edge) {
            Some(callee) => {
                self.frames.push(Values::default());
                self.program.cfa.functions[callee].entry
            }
            None => self.program.cfa.edges[step.edge].target,
        };
        self.change(step.changes);
        self.arrive(next);
    }

    fn returned(&mut self, _: FuncId, step: &Step<'_>) {
        self.frames.pop();
        self.change(step.changes);
        self.arrive(self.program.cfa.edges[step.edge].target);
    }
}

/// How often an invariant was evaluated in some runs of a program.
fn watch(program: &Program, invariants: &Invariants, runs: u64) -> usize {
    let mut evaluated = 0;
    for seed in 0..runs {
        let mut watch = Watch {
            program,
            invariants,
            globals: Values::default(),
            frames: vec![Values::default()],
            evaluated: 0,
        };
        let config = interp::Config { max_steps: 3000, ..interp::Config::default() };
        let mut inputs = RandomInputs::new(seed);
        let mut sink = std::io::sink();
        interp::run(program, &config, &mut inputs, Some(&mut watch), &mut sink);
        evaluated += watch.evaluated;
    }
    evaluated
}

const HEAD: &str = "extern int __VERIFIER_nondet_int(void);
    extern unsigned __VERIFIER_nondet_uint(void);
    extern unsigned char __VERIFIER_nondet_uchar(void);
    extern void reach_error(void);\n";

/// Programs that are proved, each for a way in which an invariant could be handed over wrongly.
const PROGRAMS: [(&str, &str); 7] = [
    (
        "counters",
        "int main(void) { unsigned n = __VERIFIER_nondet_uchar(), i = 0, j = n;
           while (i < n) { i++; j--; }
           if (j != 0) reach_error(); return 0; }",
    ),
    (
        "two contexts, in one of which the loop counts from elsewhere",
        "int count(int from, int n) { int i = from, s = 0; while (i < n) { i++; s++; } return i; }
         int main(void) { int n = __VERIFIER_nondet_uchar();
           int a = count(0, n), b = count(-5, n);
           if (a < n || b < n) reach_error(); return 0; }",
    ),
    (
        "a context that nothing follows",
        "int g;
         void loop(int n) { int i = n; while (i < 300) { i++; g++; } }
         int main(void) { g = 0; loop(5); if (g < 0) reach_error(); g = -90; loop(-90);
           return 0; }",
    ),
    (
        "a loop in a loop",
        "int main(void) { int n = __VERIFIER_nondet_uchar(), s = 0;
           for (int i = 0; i < n; i++) { int j = i; while (j > 0) { j--; if (s < 9) s++; } }
           if (s > 9 || s < 0) reach_error(); return 0; }",
    ),
    (
        "a loop in a loop, with another start in the first round",
        "int main(void) { int first = 1, i = 0, j = 7, n = __VERIFIER_nondet_uchar();
           while (i < n) { if (!first) j = -3; first = 0; while (j < 8) j++; i++; }
           if (i > n && n >= 0) reach_error(); return 0; }",
    ),
    (
        "entered from the side",
        "int main(void) { int i = 0, c = __VERIFIER_nondet_int();
           if (c) { i = 5; goto inside; }
           while (i < 4) { i++; inside: i += 2; }
           if (i > 9) reach_error(); return 0; }",
    ),
    (
        "recursion with a loop",
        "int down(int d) { int i = d; while (i < 6) i++; if (d > 0) return down(d - 1); return i; }
         int main(void) { if (down(3) != 6) reach_error(); return 0; }",
    ),
];

#[test]
fn what_is_handed_over_holds() {
    for analysis in ALL {
        let mut all = 0;
        for (_, text) in PROGRAMS {
            let program = load(&format!("{HEAD}{text}"));
            let Some(invariants) = prove(&program, analysis) else { continue };
            all += watch(&program, &invariants, 40);
        }
        assert!(all > 20, "{analysis:?}: invariants were evaluated only {all} times");
    }
}

/// Makes programs with loops at random.
struct Maker(Random);

impl Maker {
    fn below(&mut self, bound: usize) -> usize {
        self.0.below(bound)
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        self.0.pick(from)
    }

    fn var(&mut self) -> &'static str {
        self.pick(&["a", "b", "c", "u", "v", "g"])
    }

    fn value(&mut self) -> String {
        match self.below(4) {
            0 => self.var().to_owned(),
            1 => "__VERIFIER_nondet_uchar()".to_owned(),
            _ => self.pick(&["0", "1", "2", "-1", "7", "100"]).to_owned(),
        }
    }

    fn condition(&mut self) -> String {
        let (left, order) = (self.var(), self.pick(&["<", "<=", ">", ">=", "!=", "=="]));
        format!("{left} {order} {}", self.value())
    }

    fn statement(&mut self, depth: u32) -> String {
        let var = self.var();
        match self.below(if depth > 2 { 4 } else { 9 }) {
            0 => format!("{var} = {};", self.value()),
            1 => format!("{var}++;"),
            2 => format!("{var}--;"),
            3 => format!("{var} {} {};", self.pick(&["+=", "-=", "&="]), self.value()),
            4 | 5 => format!("if ({}) {}", self.condition(), self.block(depth + 1)),
            6 => format!("while ({}) {}", self.condition(), self.block(depth + 1)),
            7 => format!("f({});", self.value()),
            _ => format!("do {} while ({});", self.block(depth + 1), self.condition()),
        }
    }

    fn block(&mut self, depth: u32) -> String {
        let count = 1 + self.below(3);
        let statements: Vec<String> = (0..count).map(|_| self.statement(depth)).collect();
        format!("{{ {} }}", statements.join(" "))
    }

    /// Nothing but `bad` keeps it from being safe, and that is zero.
    fn program(&mut self) -> String {
        let (inner, outer) = (self.block(1).replace("f(", "(void)("), self.block(0));
        let bound = self.value();
        format!(
            "{HEAD}int g, bad;
             void f(int a) {{ int b = 1, c = a; unsigned u = 2; signed char v = 0;
               for (int i = 0; i < 3; i++) {inner} }}
             int main(void) {{ int a = {}, b = {}, c = {}; unsigned u = {}; signed char v = {};
               while (a < {bound}) {outer}
               f(a); if (bad) reach_error(); {} return 0; }}",
            "0",
            "1",
            "__VERIFIER_nondet_int()",
            "3",
            "__VERIFIER_nondet_uchar()",
            self.statement(0),
        )
    }
}

#[test]
fn what_is_handed_over_holds_in_programs_at_random() {
    for analysis in ALL {
        let (mut all, mut proved) = (0, 0);
        for seed in 0..20 {
            let program = load(&Maker(Random::new(seed)).program());
            let Some(invariants) = prove(&program, analysis) else { continue };
            proved += 1;
            all += watch(&program, &invariants, 8);
        }
        assert!(proved > 6 && all > 6000, "{analysis:?}: {proved} proofs, {all} evaluations");
    }
}

/// Where an error can be reached, what induction proved of loops on the way is true all the same.
#[test]
fn what_a_failed_proof_hands_over_holds() {
    let (mut failed, mut all) = (0, 0);
    for seed in 100..125 {
        let text = Maker(Random::new(seed)).program().replace("if (bad)", "if (a > 5 || g < 3)");
        let program = load(&text);
        for k in 0..2 {
            let run = Run::unobserved(Budget::for_looks(LOOKS));
            let solver = || -> Box<dyn smt::FullSolver> { Box::new(smt::Builtin::new()) };
            let proved = engines::induction::prove(&program, &solver, k, &run);
            if matches!(proved.verdict, Verdict::Unknown(_)) && !proved.invariants.list.is_empty() {
                failed += 1;
                all += watch(&program, &proved.invariants, 8);
            }
        }
    }
    assert!(failed > 6 && all > 600, "{failed} failed proofs, {all} evaluations");
}

#[test]
fn a_counter_is_bounded_and_related() {
    let program = load(&format!("{HEAD}{}", PROGRAMS[0].1));
    let invariants = prove(&program, Analysis::KInduction).expect("a proof");
    let texts: Vec<String> = invariants
        .list
        .iter()
        .map(|each| invariants.terms.display(each.formula).to_string())
        .collect();
    assert_eq!(texts.len(), 2, "{texts:?}");
}
