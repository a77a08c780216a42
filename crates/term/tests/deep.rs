//! Terms deeper than any stack, and evaluation as fast as an interpreter needs.

use std::collections::HashMap;

use proviso_term::{Evaluator, Sort, Terms, Valuation, Value};

const LEVELS: u32 = 100_000;

#[test]
fn deep_terms_do_not_exhaust_the_stack() {
    let mut terms = Terms::new();
    let names: HashMap<String, _> = ["x", "y"]
        .iter()
        .map(|name| ((*name).to_owned(), terms.declare(*name, Sort::Bv(32))))
        .collect();
    let (vx, vy) = (names["x"], names["y"]);
    let (x, y) = (terms.var(vx), terms.var(vy));
    let mut term = x;
    for level in 0..LEVELS {
        term = match level % 4 {
            0 => terms.bv_mul(term, y),
            1 => terms.bv_xor(y, term),
            2 => terms.bv_not(term),
            _ => {
                let condition = terms.bv_ult(term, y);
                terms.ite(condition, term, x)
            }
        };
    }
    let env: std::collections::BTreeMap<_, _> = [
        (vx, Value::Bv(proviso_term::Bv::new(32, 12_345))),
        (vy, Value::Bv(proviso_term::Bv::new(32, 77))),
    ]
    .into();
    let value = terms.eval(term, &mut |v| env.get(&v).cloned());
    assert_eq!(Evaluator::new().eval(&terms, term, &env), value);
    let remembered = Valuation::new().eval(&terms, term, &mut |v| env[&v].clone());
    assert_eq!(Ok(remembered), value);
    let text = terms.display(term).to_string();
    let again = terms.parse(&text, &mut |name| names.get(name).copied());
    assert_eq!(again, Ok(term));
    let swapped = terms.substitute(term, &mut |v| Some(if v == vx { y } else { x }));
    assert_ne!(swapped, term);
    let back = terms.substitute(swapped, &mut |v| Some(if v == vx { y } else { x }));
    assert_eq!(back, term);
    assert_eq!(terms.vars(term), [vx, vy]);
}

#[test]
fn deep_text_does_not_exhaust_the_stack() {
    let mut terms = Terms::new();
    let p = terms.declare("p", Sort::Bool);
    let depth = LEVELS as usize;
    for (open, close) in [
        ("(not ", ")"),
        ("(and p ", ")"),
        ("(let ((q p)) ", ")"),
        ("(let ((q ", ")) q)"),
        ("(- ", ")"),
    ] {
        let text = format!("{}p{}", open.repeat(depth), close.repeat(depth));
        let _ = terms.parse(&text, &mut |_| Some(p));
        let _ = terms.parse(&open.repeat(depth), &mut |_| Some(p));
    }
    let _ = terms.parse(&"(".repeat(depth), &mut |_| Some(p));
    let _ = terms.parse_sort(&"(Array Int ".repeat(depth));
}

#[test]
fn chains_of_rules_do_not_exhaust_the_stack() {
    // Each level can be looked through by a rule, so that one equation could go down all of them.
    let mut terms = Terms::new();
    let v = terms.declare("x", Sort::Bv(1));
    let mut term = terms.var(v);
    let one = terms.bv(1, 1);
    for width in 1..3000 {
        term = terms.bv_concat(one, term);
        term = terms.bv_sign_extend(2 * width + 1, term);
    }
    let width = terms.width(term);
    let top = terms.bv(width, 1);
    let eq = terms.eq(term, top);
    let low = terms.bv_extract(0, 0, term);
    for value in [0, 1] {
        let mut env = |_| Some(Value::Bv(proviso_term::Bv::new(1, value)));
        assert_eq!(terms.eval(eq, &mut env), Ok(Value::Bool(false)));
        assert_eq!(terms.eval(low, &mut env), Ok(Value::Bv(proviso_term::Bv::new(1, value))));
    }
}

#[test]
fn shared_terms_are_not_unfolded() {
    let mut terms = Terms::new();
    let names: HashMap<String, _> = ["x", "y"]
        .iter()
        .map(|name| ((*name).to_owned(), terms.declare(*name, Sort::Bv(64))))
        .collect();
    let (x, y) = (terms.var(names["x"]), terms.var(names["y"]));
    let mut term = terms.bv_mul(x, y);
    for _ in 0..200 {
        let product = terms.bv_mul(term, term);
        term = terms.bv_xor(product, x);
    }
    let text = terms.display(term).to_string();
    assert!(text.len() < 20_000, "{}", text.len());
    assert_eq!(terms.parse(&text, &mut |name| names.get(name).copied()), Ok(term));
    let env: std::collections::BTreeMap<_, _> =
        names.values().map(|v| (*v, Value::Bv(proviso_term::Bv::new(64, 3)))).collect();
    assert_eq!(
        Evaluator::new().eval(&terms, term, &env),
        terms.eval(term, &mut |v| env.get(&v).cloned())
    );
}

/// Run with `cargo test --release -p proviso-term --test deep -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn throughput_of_the_evaluator() {
    let mut terms = Terms::new();
    let (vx, vy) = (terms.declare("x", Sort::Bv(32)), terms.declare("y", Sort::Bv(32)));
    let (x, y) = (terms.var(vx), terms.var(vy));
    let mut term = x;
    let mut operations = 0u32;
    for round in 0..10 {
        let k = terms.bv(32, 3 + round);
        term = terms.bv_mul(term, y);
        term = terms.bv_add(term, k);
        term = terms.bv_xor(term, x);
        let condition = terms.bv_slt(term, y);
        let other = terms.bv_sub(y, term);
        term = terms.ite(condition, term, other);
        operations += 6;
    }
    let env: rustc_hash::FxHashMap<_, _> = [
        (vx, Value::Bv(proviso_term::Bv::new(32, 12_345))),
        (vy, Value::Bv(proviso_term::Bv::new(32, 77))),
    ]
    .into_iter()
    .collect();
    let mut evaluator = Evaluator::new();
    let rounds = 300_000u32;
    let start = std::time::Instant::now();
    for _ in 0..rounds {
        std::hint::black_box(evaluator.eval(&terms, term, &env)).expect("every symbol has a value");
    }
    let rate = f64::from(rounds) * f64::from(operations) / start.elapsed().as_secs_f64() / 1e6;
    assert!(rate > 20.0, "{rate:.0} million operations per second");
    let _ = std::io::Write::write_all(
        &mut std::io::stderr(),
        format!("{rate:.0} M operations/s\n").as_bytes(),
    );
}

#[test]
fn a_valuation_computes_each_part_of_many_terms_once() {
    let mut terms = Terms::new();
    let var = terms.declare("x", Sort::Bv(32));
    let array_sort = terms.array_sort(Sort::Bv(32), Sort::Bv(32));
    let map = terms.declare("m", array_sort);
    let (x, m) = (terms.var(var), terms.var(map));
    let mut chain = vec![x];
    for _ in 0..1_000 {
        let last = chain[chain.len() - 1];
        let square = terms.bv_mul(last, last);
        chain.push(terms.bv_xor(square, x));
    }
    let mut asked = Vec::new();
    let mut valuation = Valuation::new();
    for term in &chain {
        let mut symbol = |v| {
            asked.push(v);
            Value::Bv(proviso_term::Bv::new(32, 7))
        };
        let value = valuation.eval(&terms, *term, &mut symbol);
        let plain = terms.eval(*term, &mut |_| Some(Value::Bv(proviso_term::Bv::new(32, 7))));
        assert_eq!(Ok(value), plain);
    }
    assert_eq!(asked, [var]);
    assert_eq!(valuation.len(), terms.post_order(&chain).len());

    // Arrays are not kept, what is read from them is.
    let written = terms.store(m, x, chain[5]);
    let read = terms.select(written, chain[6]);
    let mut symbol = |v| terms.zero(terms.var_sort(v));
    let mut valuation = Valuation::new();
    let value = valuation.eval(&terms, read, &mut symbol);
    assert_eq!(Ok(value), terms.eval(read, &mut |v| Some(terms.zero(terms.var_sort(v)))));
    let kept = terms.post_order(&[read]).into_iter();
    let kept = kept.filter(|term| !matches!(terms.sort(*term), Sort::Array(_))).count();
    assert_eq!(valuation.len(), kept);
}
