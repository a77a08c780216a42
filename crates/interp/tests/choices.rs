//! Edges to choose from, inputs, and doing it all again.

#![allow(missing_docs)]

mod common;

use base::SourceMap;
use cfa::{AllocKind, Choice, Contents, ObjectKind, Op};
use common::{B8, B32, B64, Model, alloc, assign, bits, input, returned};
use proviso_interp::{
    Change, Config, Drawn, Ending, Inputs, Listed, Observer, Origin, RandomInputs, Request, Run,
    Step, Trouble, Zeros, parse_inputs, write_inputs,
};
use term::{Format, Sort, Value};

/// Always the last of several edges, and values 1, 2, 3, …
#[derive(Default)]
struct Last {
    count: i128,
}

impl Inputs for Last {
    fn choose(&mut self, request: &Request<'_>) -> Result<Value, Trouble> {
        self.count += 1;
        match request.sort {
            Sort::Bv(width) => Ok(bits(width, self.count)),
            sort => panic!("{sort:?}"),
        }
    }
    fn choose_edge(&mut self, _: cfa::LocId, edges: &[cfa::EdgeId]) -> Result<usize, Trouble> {
        let count = edges.len();
        Ok(count - 1)
    }
}

/// Three edges that set x to 1, 2, 3; the second cannot be taken.
fn three_ways() -> Model {
    let mut model = Model::new();
    let x = model.global("x", B32);
    let (from, to) = (model.at, model.location());
    for (number, guard) in [(1, true), (2, false), (3, true)] {
        let number = model.bv(32, number);
        let guard = model.program.terms.bool(guard);
        model.edge(from, to, [Op::Assume(guard), assign(x, number)]);
    }
    model.at = to;
    let value = model.var(x);
    model.finish_with(value);
    model
}

#[test]
fn the_inputs_choose_among_edges_that_can_be_taken() {
    let model = three_ways();
    let first = model.run();
    assert_eq!(first.ending, returned(32, 1));
    let entry = model.program.cfa.functions[model.function].entry;
    assert_eq!(first.drawn, [Drawn::Edge { location: entry, index: 0 }]);
    let last = model.run_with(&mut Last::default());
    assert_eq!(last.ending, returned(32, 3));
    assert_eq!(last.drawn, [Drawn::Edge { location: entry, index: 1 }]);
}

/// An edge changes variables and memory, allocates, frees and prints before its assumption
/// fails; the other one shows that nothing of it is left.
#[test]
fn an_edge_that_fails_late_leaves_no_trace() {
    let mut model = Model::new();
    let (x, p, q, r) = (
        model.global("x", B32),
        model.local("p", B64),
        model.local("q", B64),
        model.local("r", B64),
    );
    let object = model.data("object", &[1, 2, 3, 4]);
    let text = model.string(b"never");
    let (ten, size) = (model.bv(32, 10), model.bv(64, 4));
    model.step([assign(x, ten), alloc(p, size, AllocKind::Heap), alloc(r, size, AllocKind::Stack)]);
    let (address, stack) = (model.var(p), model.var(r));
    model.step([Op::Store { address, value: ten }, Op::Store { address: stack, value: ten }]);
    let (from, to) = (model.at, model.location());
    let (no, yes) = (model.program.terms.bool(false), model.program.terms.bool(true));
    let (zero, three) = (model.bv(32, 0), model.bv(64, 3));
    let byte = model.bv(8, 9);
    let q_term = model.var(q);
    model.edge(
        from,
        to,
        [
            assign(x, zero),
            Op::Store { address: object, value: zero },
            Op::Fill { address: object, byte, length: three },
            Op::HavocMemory { address: object, length: size, choice: Choice::Uninitialised },
            Op::Output { function: "puts".into(), arguments: [text].into() },
            alloc(q, size, AllocKind::Heap),
            Op::Store { address: q_term, value: zero },
            Op::Free { address: q_term, kind: AllocKind::Heap },
            Op::Free { address, kind: AllocKind::Heap },
            Op::Free { address: stack, kind: AllocKind::Stack },
            Op::Assume(no),
        ],
    );
    model.edge(from, to, [assign(q, size), Op::Assume(yes)]);
    model.at = to;
    let [a, b, c] = ["a", "b", "c"].map(|name| model.local(name, B32));
    model.step([
        Op::Load { var: a, address: object },
        Op::Load { var: b, address },
        Op::Load { var: c, address: stack },
    ]);
    model.step([Op::Free { address, kind: AllocKind::Heap }]);
    let terms = [a, b, c, x].map(|var| model.var(var));
    let mut sum = terms[0];
    for term in &terms[1..] {
        sum = model.program.terms.bv_add(sum, *term);
    }
    model.finish_with(sum);
    let (run, output) = model.output();
    assert_eq!(run.ending, returned(32, 0x0403_0201 + 30));
    assert_eq!(output, b"");
    assert!(run.drawn.is_empty());
}

/// Two edges havoc and then assume: both are tried, one is chosen, and the values are those that
/// were drawn when it was tried.
#[test]
fn edges_that_are_tried_keep_their_inputs() {
    let mut model = Model::new();
    let (x, p) = (model.global("x", B32), model.local("p", B64));
    let (from, to) = (model.at, model.location());
    let size = model.bv(64, 4);
    let (address, term) = (model.var(p), model.var(x));
    for number in 1..=2 {
        let number = model.bv(32, number);
        let guard = model.program.terms.eq(term, number);
        model.edge(
            from,
            to,
            [
                input(x),
                alloc(p, size, AllocKind::Stack),
                Op::Store { address, value: number },
                Op::Assume(guard),
            ],
        );
    }
    model.at = to;
    let y = model.local("y", B32);
    model.step([Op::Load { var: y, address }]);
    let y = model.var(y);
    let both = model.program.terms.bv_concat(term, y);
    model.finish_with(both);
    let run = model.run_with(&mut Last::default());
    assert_eq!(run.ending, returned(64, 2 << 32 | 2));
    assert_eq!(run.drawn.len(), 3);
    assert_eq!(run.steps, 4);
    assert_eq!(model.run_with(&mut Listed::replay(&model.program, &run.drawn)), run);
    assert_eq!(model.run().ending, Ending::AssumptionFailed { location: from });
}

/// Whoever reads an uninitialised variable in one guard sees the same value in the other.
#[test]
fn an_uninitialised_value_is_chosen_once() {
    let mut model = Model::new();
    let x = model.global("x", B32);
    let (from, to) = (model.at, model.location());
    let (term, five) = (model.var(x), model.bv(32, 5));
    let y = model.local("y", B32);
    let equal = model.program.terms.eq(term, five);
    let differ = model.program.terms.not(equal);
    // The assignments make the assumptions late.
    model.edge(from, to, [assign(y, five), Op::Assume(equal)]);
    model.edge(from, to, [assign(y, five), Op::Assume(differ)]);
    model.at = to;
    model.finish_with(term);
    for seed in 0..50 {
        let run = model.run_with(&mut RandomInputs::new(seed));
        assert_eq!(run.drawn.len(), 1, "{run:?}");
        let Drawn::Value { origin: Origin::Variable(var, None), value } = &run.drawn[0] else {
            panic!("{run:?}")
        };
        assert_eq!(*var, x);
        assert_eq!(run.ending, Ending::Returned(Some(value.clone())));
    }
}

/// An edge that ends the run before its assumption is one that can be taken.
#[test]
fn an_ending_within_an_edge_counts() {
    let mut model = Model::new();
    let x = model.global("x", B32);
    let (from, to) = (model.at, model.location());
    let (zero, no) = (model.bv(32, 0), model.program.terms.bool(false));
    let edge = model.edge(from, to, [assign(x, zero), Op::Abort, Op::Assume(no)]);
    let run = model.run();
    assert_eq!((run.ending, run.steps), (Ending::Aborted { edge }, 1));
}

/// A program that asks for everything there is to ask for.
fn asking() -> Model {
    let mut model = Model::new();
    let array = model.program.terms.array_sort(Sort::Int, Sort::Bool);
    let sorts = [
        B8,
        B32,
        B64,
        Sort::Bv(200),
        Sort::Bool,
        Sort::Int,
        Sort::Rat,
        Sort::Float(Format::Single),
        Sort::Float(Format::Double),
        Sort::Float(Format::X87),
        Sort::Float(Format::Half),
        array,
    ];
    let object = model.object("object", 64, ObjectKind::Data, Contents::Arbitrary);
    let (from, to) = (model.at, model.location());
    for (n, sort) in sorts.into_iter().enumerate() {
        let (input_var, unset) =
            (model.local(&format!("i{n}"), sort), model.local(&format!("u{n}"), sort));
        model.step([input(input_var)]);
        let value = model.var(unset);
        model.step([assign(input_var, value)]);
    }
    for sort in [B8, B32, Sort::Float(Format::X87), B64, B64] {
        let x = model.local("loaded", sort);
        model.step([Op::Load { var: x, address: object }]);
    }
    model.edge(from, to, []);
    model.edge(from, to, []);
    model.at = to;
    model.finish();
    model
}

fn from_text(text: &str) -> Result<Listed, Vec<String>> {
    let mut sources = SourceMap::new();
    let file = sources.add("inputs.txt", text.as_bytes()).expect("a short file");
    parse_inputs(&sources, file)
        .map_err(|messages| messages.iter().map(|message| message.render(&sources)).collect())
}

#[test]
fn what_was_drawn_gives_the_same_run_again() {
    let model = asking();
    for seed in 0..200 {
        let run = model.run_with(&mut RandomInputs::new(seed));
        let mut listed = Listed::replay(&model.program, &run.drawn);
        listed.strict = true;
        assert_eq!(model.run_with(&mut listed), run);
        assert!(listed.is_exhausted());

        let text = write_inputs(&model.program, &run.drawn);
        let mut listed = from_text(&text).unwrap_or_else(|messages| panic!("{text}{messages:?}"));
        listed.strict = true;
        assert_eq!(model.run_with(&mut listed), run, "{text}");
        assert!(listed.is_exhausted());
    }
}

#[test]
fn seeds_decide_everything() {
    let model = asking();
    let runs = |seed| -> Run { model.run_with(&mut RandomInputs::new(seed)) };
    assert_eq!(runs(1), runs(1));
    assert_ne!(runs(1).drawn, runs(2).drawn);
}

/// A coin decides whether a value is zero, where that is wanted.
#[test]
fn every_other_value_is_zero() {
    let mut model = Model::new();
    let x = model.local("x", B32);
    for _ in 0..400 {
        model.step([input(x)]);
    }
    model.finish();
    let zeros = |run: &Run| {
        let is_zero = |drawn: &&Drawn| matches!(drawn, Drawn::Value { value: Value::Bv(bits), .. } if bits.is_zero());
        run.drawn.iter().filter(is_zero).count()
    };
    let some = zeros(&model.run_with(&mut RandomInputs::new(7)));
    let half = zeros(&model.run_with(&mut RandomInputs::with_zeros(7)));
    assert!(some < 60 && (160..260).contains(&half), "{some} {half}");
}

#[test]
fn inputs_are_read_from_text() {
    let mut model = Model::new();
    let x = model.local("x", B32);
    for _ in 0..6 {
        model.step([input(x)]);
    }
    let y = model.local("y", B8);
    let y_term = model.var(y);
    model.step([assign(y, y_term)]);
    model.finish();
    let text = "# a comment\n  5 # five\nx = -3\n\n0x1f\nuninitialised y = 7\ntrue\n\tlong name =  4294967295 \n";
    let run = model.run_with(&mut from_text(text).expect("good lines"));
    let values: Vec<Value> = run
        .drawn
        .into_iter()
        .map(|drawn| match drawn {
            Drawn::Value { value, .. } => value,
            Drawn::Edge { .. } => panic!("no edges to choose from"),
        })
        .collect();
    let expected = [5, -3, 0x1f, 1, -1, 0].map(|number| bits(32, number));
    assert_eq!(values[..6], expected);
    assert_eq!(values[6], bits(8, 7));
}

#[test]
fn edges_are_read_from_text() {
    let model = three_ways();
    assert_eq!(
        model.run_with(&mut from_text("edge 2").expect("a good line")).ending,
        returned(32, 3)
    );
    let unfit = model.run_with(&mut from_text("edge 3").expect("a good line")).ending;
    assert_eq!(unfit.describe(&model.program), "unfit input (only 2 edges can be taken)");
}

#[test]
fn bad_lines_are_pointed_at() {
    for (text, message) in [
        ("5\nx = five\n", "error: `five` is not a value\n  --> inputs.txt:2:1"),
        ("edge 0", "error: the number of an edge, counted from one, expected"),
        ("1 2", "error: `2` follows the value"),
        ("x =", "error: a value expected"),
        ("[0 -> 1]", "error: `,` expected in an array, which ends with `_ -> default]`"),
        ("1/0", "error: `1/0` is not a value"),
        ("1e99999999", "error: `1e99999999` is not a value"),
        ("0x", "error: `0x` is not a value"),
    ] {
        let messages = from_text(text).expect_err("a bad line");
        assert!(messages[0].starts_with(message), "{}", messages[0]);
    }
    let nested = "[0 -> ".repeat(100_000);
    assert!(from_text(&nested).is_err());
}

#[test]
fn inputs_must_fit() {
    let mut model = Model::new();
    let x = model.local("x", B8);
    model.step([input(x)]);
    model.finish();
    for (text, message) in [
        ("256", "256 does not fit in 8 bits"),
        ("-129", "-129 does not fit in 8 bits"),
        ("1.5", "a value of sort (_ BitVec 8) is due"),
    ] {
        let mut listed = from_text(text).expect("a good line");
        match model.run_with(&mut listed).ending {
            Ending::Inputs(Trouble::Unfit { message: found, span: Some(_) }) => {
                assert_eq!(found, message)
            }
            other => panic!("{other:?}"),
        }
    }
    let mut strict = Listed::default();
    strict.strict = true;
    assert_eq!(model.run_with(&mut strict).ending, Ending::Inputs(Trouble::Exhausted));
    assert_eq!(model.run_with(&mut Listed::default()).ending, Ending::Returned(None));
}

/// A result that is not modelled matters only if somebody reads it, and through calls too.
#[test]
fn approximated_values_are_counted_when_they_are_read() {
    let approximated = |var| Op::Havoc { var, choice: Choice::Approximated("sin".into()) };
    let mut model = Model::new();
    let main = model.function;
    let f = model.function("f");
    let r = model.result("r", B32);
    model.step([approximated(r)]);
    model.finish();
    let g = model.function("g");
    let unset = model.result("unset", B32);
    model.finish();
    model.go_to(main);
    let (x, y) = (model.local("x", B32), model.local("y", B32));
    model.step([approximated(x)]);
    model.step([Op::Call { callee: f, arguments: [].into(), results: [x].into() }]);
    model.step([Op::Call { callee: g, arguments: [].into(), results: [y].into() }]);
    let _ = unset;
    let mut silent = Model { program: model.program.clone(), ..model };
    silent.finish();
    let run = silent.run();
    assert_eq!((run.approximated, run.drawn.len()), (0, 0));
    let (x_term, y_term) = (model.var(x), model.var(y));
    let both = model.program.terms.bv_add(x_term, y_term);
    let z = model.local("z", B32);
    model.step([Op::Assign { var: z, value: both }]);
    let mut unread = Model { program: model.program.clone(), ..model };
    unread.finish();
    assert_eq!(unread.run().approximated, 0, "what is computed from it is not looked at");
    let sum = model.var(z);
    let zero = model.bv(32, 0);
    let is_zero = model.program.terms.eq(sum, zero);
    model.step([Op::Assume(is_zero)]);
    model.finish();
    assert_eq!(model.run().approximated, 1);
}

#[derive(Default)]
struct Notes(Vec<String>);

impl Observer for Notes {
    fn taken(&mut self, step: &Step<'_>) {
        self.0.push(format!(
            "{} {} {}: {}",
            step.number,
            step.depth,
            step.edge,
            describe(step.changes)
        ));
    }
    fn returned(&mut self, callee: cfa::FuncId, step: &Step<'_>) {
        self.0.push(format!("return from {callee} to {}: {}", step.edge, describe(step.changes)));
    }
}

fn describe(changes: &[Change]) -> String {
    let texts = changes.iter().map(|change| match change {
        Change::Assigned { var, value: Some(value) } => format!("{var}={value}"),
        Change::Stored { value, .. } => format!("stored {value}"),
        Change::Drawn { value, .. } => format!("drew {value}"),
        other => format!("{other:?}"),
    });
    texts.collect::<Vec<_>>().join(", ")
}

/// Has seen enough after so many edges.
struct Enough(u64);

impl Observer for Enough {
    fn taken(&mut self, _: &Step<'_>) {
        self.0 = self.0.saturating_sub(1);
    }
    fn returned(&mut self, _: cfa::FuncId, _: &Step<'_>) {}
    fn is_done(&self) -> bool {
        self.0 == 0
    }
}

#[test]
fn an_observer_that_has_seen_enough_stops_the_run() {
    let mut model = Model::new();
    model.edge(model.at, model.at, []);
    let (config, mut sink) = (Config::default(), std::io::sink());
    let run =
        proviso_interp::run(&model.program, &config, &mut Zeros, Some(&mut Enough(5)), &mut sink);
    assert_eq!((run.ending, run.steps), (Ending::Stopped, 5));
}

#[test]
fn an_observer_sees_every_edge_and_what_it_did() {
    let mut model = Model::new();
    let main = model.function;
    let f = model.function("f");
    let n = model.parameter("n", B8);
    let r = model.result("r", B8);
    let (one, n) = (model.bv(8, 1), model.var(n));
    let more = model.program.terms.bv_add(n, one);
    model.step([assign(r, more)]);
    model.finish();
    model.go_to(main);
    let object = model.data("object", &[0; 8]);
    let (x, y) = (model.local("x", B8), model.local("y", B8));
    model.step([input(x)]);
    let (x_term, y_term) = (model.var(x), model.var(y));
    model.step([Op::Call { callee: f, arguments: [x_term].into(), results: [x].into() }]);
    model.step([Op::Store { address: object, value: x_term }, assign(x, y_term)]);
    model.finish();
    let mut notes = Notes::default();
    let config = Config::default();
    let run = proviso_interp::run(
        &model.program,
        &config,
        &mut Zeros,
        Some(&mut notes),
        &mut std::io::sink(),
    );
    assert_eq!(run.ending, Ending::Returned(None));
    let expected = [
        "1 0 e2: drew #x00, v3=#x00",
        "2 0 e3: v0=#x00",
        "3 1 e0: v1=#x01",
        "4 1 e1: ",
        "return from f1 to e3: v3=#x01",
        "5 0 e4: stored #x01, drew #x00, v3=#x00",
        "6 0 e5: ",
    ];
    assert_eq!(notes.0, expected);
}
