//! Formulas of linear arithmetic and arrays whose answers are known.

use base::Random;
use std::time::{Duration, Instant};

use num_rational::BigRational;
use proviso_smt::{Answer, Builtin, Cores, Models, Reason, Solver};
use run::{Budget, Exceeded};
use term::{Op, Sort, TermId, Terms, Value};

fn variables(terms: &mut Terms, sort: Sort, names: &[&str]) -> Vec<TermId> {
    names
        .iter()
        .map(|name| {
            let var = terms.declare(*name, sort);
            terms.var(var)
        })
        .collect()
}

/// `factors · xs + constant`.
fn sum(terms: &mut Terms, xs: &[TermId], factors: &[i64], constant: i64) -> TermId {
    let mut sum = terms.int(constant);
    for (x, factor) in xs.iter().zip(factors) {
        let factor = terms.int(*factor);
        let product = terms.mul(*x, factor);
        sum = terms.add(sum, product);
    }
    sum
}

fn check(terms: &Terms, formulas: &[TermId]) -> Answer {
    let mut solver = Builtin::new();
    for formula in formulas {
        solver.assert(terms, *formula);
    }
    solver.check(terms, &[], &Budget::default())
}

#[test]
fn sums_of_even_numbers_are_even() {
    let mut terms = Terms::new();
    let xs = variables(&mut terms, Sort::Int, &["x", "y"]);
    let (left, one) = (sum(&mut terms, &xs, &[2, 2], 0), terms.int(1));
    let odd = terms.eq(left, one);
    assert_eq!(check(&terms, &[odd]), Answer::Unsat);
    // The same behind two remainders, where no variable is bounded.
    let two = terms.int(2);
    let remainders: Vec<TermId> = xs.iter().map(|x| terms.int_mod(*x, two)).collect();
    let total = terms.add(xs[0], xs[1]);
    let total = terms.int_mod(total, two);
    let same = terms.eq(remainders[0], remainders[1]);
    let odd = terms.eq(total, one);
    assert_eq!(check(&terms, &[same, odd]), Answer::Unsat);
    let differ = terms.not(same);
    assert_eq!(check(&terms, &[differ, odd]), Answer::Sat);
}

#[test]
fn a_dark_shadow_is_not_the_real_one() {
    // Pugh 1991: 27 <= 11x + 13y <= 45 and -10 <= 7x - 9y <= 4 has rational solutions only.
    let mut terms = Terms::new();
    let xs = variables(&mut terms, Sort::Int, &["x", "y"]);
    let (a, b) = (sum(&mut terms, &xs, &[11, 13], 0), sum(&mut terms, &xs, &[7, -9], 0));
    let mut formulas = Vec::new();
    for (value, least, most) in [(a, 27, 45), (b, -10, 4)] {
        let (least, most) = (terms.int(least), terms.int(most));
        formulas.extend([terms.le(least, value), terms.le(value, most)]);
    }
    assert_eq!(check(&terms, &formulas), Answer::Unsat);
    let rationals = variables(&mut terms, Sort::Rat, &["u", "v"]);
    let number = |terms: &mut Terms, n: i64| terms.rat(BigRational::from_integer(n.into()));
    let mut formulas = Vec::new();
    for (factors, least, most) in [([11, 13], 27, 45), ([7, -9], -10, 4)] {
        let mut value = number(&mut terms, 0);
        for (x, factor) in rationals.iter().zip(factors) {
            let factor = number(&mut terms, factor);
            let product = terms.mul(*x, factor);
            value = terms.add(value, product);
        }
        let (least, most) = (number(&mut terms, least), number(&mut terms, most));
        formulas.extend([terms.le(least, value), terms.le(value, most)]);
    }
    assert_eq!(check(&terms, &formulas), Answer::Sat);
}

#[test]
fn unbounded_orders_contradict_each_other() {
    let mut terms = Terms::new();
    for sort in [Sort::Int, Sort::Rat] {
        let xs = variables(&mut terms, sort, &["x", "y", "z"]);
        let ring = [(0, 1), (1, 2), (2, 0)].map(|(a, b)| terms.lt(xs[a], xs[b]));
        assert_eq!(check(&terms, &ring), Answer::Unsat);
        assert_eq!(check(&terms, &ring[..2]), Answer::Sat);
    }
    // Between two neighbours there is no integer, but a rational.
    let x = variables(&mut terms, Sort::Int, &["n"])[0];
    let (zero, one) = (terms.int(0), terms.int(1));
    let between = [terms.lt(zero, x), terms.lt(x, one)];
    assert_eq!(check(&terms, &between), Answer::Unsat);
}

#[test]
fn four_pigeons_do_not_fit_three_holes() {
    let mut terms = Terms::new();
    let xs = variables(&mut terms, Sort::Int, &["a", "b", "c", "d"]);
    let mut formulas = Vec::new();
    let (zero, two) = (terms.int(0), terms.int(2));
    for (at, x) in xs.iter().enumerate() {
        formulas.extend([terms.le(zero, *x), terms.le(*x, two)]);
        for y in &xs[..at] {
            formulas.push(terms.ne(*x, *y));
        }
    }
    assert_eq!(check(&terms, &formulas), Answer::Unsat);
    formulas.pop();
    assert_eq!(check(&terms, &formulas), Answer::Sat);
}

#[test]
fn cores_and_scopes() {
    let mut terms = Terms::new();
    let xs = variables(&mut terms, Sort::Int, &["x", "y", "z"]);
    let numbers: Vec<TermId> = (0..10).map(|n| terms.int(n)).collect();
    let [x_high, y_high, z_low] =
        [terms.le(numbers[6], xs[0]), terms.le(numbers[6], xs[1]), terms.le(xs[2], numbers[3])];
    let total = terms.add(xs[0], xs[1]);
    let limit = terms.le(total, numbers[9]);
    let mut solver = Builtin::new();
    solver.assert(&terms, limit);
    let all = [x_high, z_low, y_high];
    assert_eq!(solver.check(&terms, &all, &Budget::default()), Answer::Unsat);
    assert_eq!(solver.core(), [x_high, y_high]);
    solver.push();
    solver.assert(&terms, x_high);
    assert_eq!(solver.check(&terms, &[y_high], &Budget::default()), Answer::Unsat);
    solver.pop();
    assert_eq!(solver.check(&terms, &[y_high, z_low], &Budget::default()), Answer::Sat);
}

#[test]
fn products_of_unknowns_are_named() {
    let mut terms = Terms::new();
    let xs = variables(&mut terms, Sort::Int, &["x", "y"]);
    let three = terms.int(3);
    for op in [Op::Mul, Op::IntDiv, Op::IntMod] {
        let product = terms.app(op, &xs);
        let formula = terms.eq(product, three);
        let answer = check(&terms, &[formula]);
        let named = Reason::Unsupported("non-linear arithmetic".to_owned());
        assert_eq!(answer, Answer::Unknown(named));
    }
}

#[test]
fn long_sums_and_long_chains() {
    let mut terms = Terms::new();
    let names: Vec<String> = (0..200).map(|n| format!("x{n}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let xs = variables(&mut terms, Sort::Int, &names);
    let (zero, limit) = (terms.int(0), terms.int(199));
    let mut formulas = Vec::new();
    let mut total = zero;
    for x in &xs {
        formulas.push(terms.lt(zero, *x));
        total = terms.add(total, *x);
    }
    formulas.push(terms.le(total, limit));
    assert_eq!(check(&terms, &formulas), Answer::Unsat);
    formulas.remove(0);
    assert_eq!(check(&terms, &formulas), Answer::Sat);
}

/// A conjunction that asks much of the search for integers: a market split.
fn hard_integers(terms: &mut Terms) -> Vec<TermId> {
    let names: Vec<String> = (0..40).map(|n| format!("x{n}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let xs = variables(terms, Sort::Int, &names);
    let (zero, one) = (terms.int(0), terms.int(1));
    let mut formulas = Vec::new();
    for x in &xs {
        formulas.extend([terms.le(zero, *x), terms.le(*x, one)]);
    }
    let mut random = Random::new(7);
    for _ in 0..5 {
        let mut factors = Vec::new();
        for _ in &xs {
            factors.push(random.range(0, 99));
        }
        let half = factors.iter().sum::<i64>() / 2;
        let left = sum(terms, &xs, &factors, 0);
        let right = terms.int(half);
        formulas.push(terms.eq(left, right));
    }
    formulas
}

#[test]
fn limits_hold_in_the_search_for_integers() {
    let mut terms = Terms::new();
    let formulas = hard_integers(&mut terms);
    let run = |limits: &Budget| {
        let mut solver = Builtin::new();
        for formula in &formulas {
            solver.assert(&terms, *formula);
        }
        solver.check(&terms, &[], limits)
    };
    // A search that looked at no limit would not end.
    let deadline = Some(Instant::now() + Duration::from_millis(150));
    let limits = Budget::until(deadline);
    assert_eq!(run(&limits), Answer::Unknown(Exceeded::Time.into()));

    let limits = Budget::default();
    let asking = limits.clone();
    let asked = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(150));
        asking.cancel();
    });
    assert_eq!(run(&limits), Answer::Unknown(Exceeded::Interrupted.into()));
    asked.join().expect("the thread ends");

    let limits = Budget::default().with_conflicts(20);
    assert_eq!(run(&limits), Answer::Unknown(Reason::Conflicts));
    let limits = Budget::within_memory(1_000);
    assert_eq!(run(&limits), Answer::Unknown(Exceeded::Memory.into()));
}

#[test]
fn what_was_popped_is_not_asked_again() {
    let mut terms = Terms::new();
    let formulas = hard_integers(&mut terms);
    let mut solver = Builtin::new();
    solver.push();
    for formula in &formulas {
        solver.assert(&terms, *formula);
    }
    let limits = Budget::default().with_conflicts(20);
    assert_eq!(solver.check(&terms, &[], &limits), Answer::Unknown(Reason::Conflicts));
    solver.pop();
    // One equation and one bound of it are easy, whatever the SAT solver thinks of the others.
    let before = solver.statistics();
    let easy = [formulas[1], formulas[80]];
    assert_eq!(solver.check(&terms, &easy, &limits), Answer::Sat);
    assert_eq!(solver.statistics().arithmetic, before.arithmetic);
}

#[test]
fn reads_over_writes_of_numbers() {
    let mut terms = Terms::new();
    let array_sort = terms.array_sort(Sort::Int, Sort::Rat);
    let a = variables(&mut terms, array_sort, &["a"])[0];
    let indices = variables(&mut terms, Sort::Int, &["i", "j", "k"]);
    let value = variables(&mut terms, Sort::Rat, &["v"])[0];
    let written = terms.store(a, indices[0], value);
    let (there, here) = (terms.select(written, indices[1]), terms.select(a, indices[1]));
    let differs = terms.ne(there, here);
    let apart = terms.lt(indices[0], indices[1]);
    assert_eq!(check(&terms, &[differs, apart]), Answer::Unsat);
    assert_eq!(check(&terms, &[differs]), Answer::Sat);
    // i <= j <= i + 0 makes them the same index, though nobody says so in an equation.
    let together = [terms.le(indices[0], indices[1]), terms.le(indices[1], indices[0])];
    let wrong = terms.lt(there, value);
    assert_eq!(check(&terms, &[together[0], together[1], wrong]), Answer::Unsat);
}

#[test]
fn congruence_of_functions() {
    let mut terms = Terms::new();
    let bits = terms.array_sort(Sort::Int, Sort::Bv(8));
    let f = variables(&mut terms, bits, &["f"])[0];
    let xs = variables(&mut terms, Sort::Int, &["x", "y"]);
    let values = [terms.select(f, xs[0]), terms.select(f, xs[1])];
    let (apart, less, more) =
        (terms.ne(values[0], values[1]), terms.lt(xs[0], xs[1]), terms.lt(xs[1], xs[0]));
    let ordered = terms.or2(less, more);
    let same = terms.not(ordered);
    assert_eq!(check(&terms, &[apart, same]), Answer::Unsat);
    assert_eq!(check(&terms, &[apart, less]), Answer::Sat);
    // Two arguments, by nesting.
    let inner = terms.array_sort(Sort::Rat, Sort::Int);
    let outer = terms.array_sort(Sort::Bool, inner);
    let g = variables(&mut terms, outer, &["g"])[0];
    let conditions = variables(&mut terms, Sort::Bool, &["p", "q"]);
    let points = variables(&mut terms, Sort::Rat, &["u", "v"]);
    let mut applied = Vec::new();
    for (p, u) in conditions.iter().zip(&points) {
        let row = terms.select(g, *p);
        applied.push(terms.select(row, *u));
    }
    let apart = terms.ne(applied[0], applied[1]);
    let (first, second) = (terms.eq(conditions[0], conditions[1]), terms.eq(points[0], points[1]));
    assert_eq!(check(&terms, &[apart, first, second]), Answer::Unsat);
    assert_eq!(check(&terms, &[apart, first]), Answer::Sat);
    assert_eq!(check(&terms, &[apart, second]), Answer::Sat);
}

#[test]
fn equations_between_arrays() {
    let mut terms = Terms::new();
    for (index, element) in [
        (Sort::Int, Sort::Int),
        (Sort::Bv(32), Sort::Bv(8)),
        (Sort::Rat, Sort::Bool),
        (Sort::Bv(2), Sort::Int),
        (Sort::Bool, Sort::Bool),
    ] {
        let sort = terms.array_sort(index, element);
        let arrays = variables(&mut terms, sort, &["a", "b", "c"]);
        let indices = variables(&mut terms, index, &["i", "j"]);
        let value = variables(&mut terms, element, &["v"])[0];
        let ab = terms.eq(arrays[0], arrays[1]);
        let (at_a, at_b) =
            (terms.select(arrays[0], indices[0]), terms.select(arrays[1], indices[1]));
        let (apart, same) = (terms.ne(at_a, at_b), terms.eq(indices[0], indices[1]));
        assert_eq!(check(&terms, &[ab, apart, same]), Answer::Unsat, "reads agree");
        assert_eq!(check(&terms, &[ab, apart]), Answer::Sat);
        // b = a[i := v], c = b[j := v], a != c, but a has v at both places.
        let b = terms.store(arrays[0], indices[0], value);
        let c = terms.store(arrays[1], indices[1], value);
        let b = terms.eq(arrays[1], b);
        let c = terms.eq(arrays[2], c);
        let (at_i, at_j) =
            (terms.select(arrays[0], indices[0]), terms.select(arrays[0], indices[1]));
        let (at_i, at_j) = (terms.eq(at_i, value), terms.eq(at_j, value));
        let changed = terms.ne(arrays[0], arrays[2]);
        assert_eq!(check(&terms, &[b, c, at_i, at_j, changed]), Answer::Unsat, "nothing changed");
        assert_eq!(check(&terms, &[b, c, at_i, changed]), Answer::Sat, "one place changed");
        // A constant array reads the same everywhere.
        let constant = terms.const_array(sort, value);
        let everywhere = terms.eq(arrays[0], constant);
        let not_v = terms.ne(at_a, value);
        assert_eq!(check(&terms, &[everywhere, not_v]), Answer::Unsat);
        let other = terms.ne(at_b, value);
        assert_eq!(check(&terms, &[everywhere, other]), Answer::Sat);
        assert_eq!(check(&terms, &[everywhere, other, ab]), Answer::Unsat);
    }
}

#[test]
fn equations_between_arrays_of_arrays() {
    let mut terms = Terms::new();
    let row = terms.array_sort(Sort::Int, Sort::Int);
    let sort = terms.array_sort(Sort::Bv(32), row);
    let arrays = variables(&mut terms, sort, &["a", "b"]);
    let i = variables(&mut terms, Sort::Bv(32), &["i"])[0];
    let j = variables(&mut terms, Sort::Int, &["j"])[0];
    let seven = terms.int(7);
    let old = terms.select(arrays[0], i);
    let new = terms.store(old, j, seven);
    let changed = terms.store(arrays[0], i, new);
    let assigned = terms.eq(arrays[1], changed);
    let differ = terms.ne(arrays[0], arrays[1]);
    let at = terms.select(old, j);
    let was_seven = terms.eq(at, seven);
    assert_eq!(check(&terms, &[assigned, differ, was_seven]), Answer::Unsat);
    assert_eq!(check(&terms, &[assigned, differ]), Answer::Sat);
}

#[test]
fn a_model_has_numbers_and_arrays() {
    let mut terms = Terms::new();
    let sort = terms.array_sort(Sort::Int, Sort::Int);
    let array = terms.declare("a", sort);
    let (u, free) = (terms.declare("u", Sort::Rat), terms.declare("free", Sort::Int));
    let (a, x) = (terms.var(array), terms.var(u));
    let (five, nine) = (terms.int(5), terms.int(9));
    let read = terms.select(a, five);
    let third = terms.rat(BigRational::new(1.into(), 3.into()));
    let zero = terms.rat(BigRational::from_integer(0.into()));
    let formulas = [terms.eq(read, nine), terms.lt(zero, x), terms.lt(x, third)];
    let mut solver = Builtin::new();
    assert_eq!(solver.check(&terms, &formulas, &Budget::default()), Answer::Sat);
    let Value::Array(value) = solver.value(&terms, array) else { panic!("an array") };
    assert_eq!(value.get(&Value::Int(5.into())), &Value::Int(9.into()));
    let Value::Rat(value) = solver.value(&terms, u) else { panic!("a rational") };
    assert!(value > BigRational::from_integer(0.into()));
    assert!(value < BigRational::new(1.into(), 3.into()));
    assert_eq!(solver.value(&terms, free), Value::Int(0.into()));
}

#[test]
fn memory_is_limited_in_the_simplex() {
    // Dense sums without bounds on the variables: few clauses, many factors.
    let mut terms = Terms::new();
    let names: Vec<String> = (0..30).map(|n| format!("x{n}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let xs = variables(&mut terms, Sort::Int, &names);
    let mut random = Random::new(3);
    let mut formulas = Vec::new();
    for _ in 0..30 {
        let mut factors = Vec::new();
        for _ in &xs {
            factors.push(random.range(-50, 49));
        }
        let (left, right) = (sum(&mut terms, &xs, &factors, 0), terms.int(7));
        formulas.push(terms.lt(right, left));
    }
    let mut solver = Builtin::new();
    for formula in &formulas {
        solver.assert(&terms, *formula);
    }
    let limits = Budget::within_memory(20_000);
    assert_eq!(solver.check(&terms, &[], &limits), Answer::Unknown(Exceeded::Memory.into()));
}
