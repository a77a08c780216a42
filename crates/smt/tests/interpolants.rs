//! Interpolants of paths: known ones, and random ones that must pass the check.

#![allow(missing_docs)]

use base::Random;
use std::collections::HashMap;

use run::Budget;

use proviso_smt::{Block, Builtin, Interpolate, Interpolation, Style};
use term::{Bv, Environment, Evaluator, Sort, TermId, Terms, Value, Var};

/// `i = 0; j = 0; n × { i++; j++ }; assume i != j`, a block for each round.
fn counters(terms: &mut Terms, sort: Sort, n: usize) -> (Vec<Block>, Vec<(TermId, TermId)>) {
    let constant = |terms: &mut Terms, number: u32| match sort {
        Sort::Bv(width) => terms.bv(width, u128::from(number)),
        _ => terms.int(number),
    };
    let symbol = |terms: &mut Terms, name: &str, k: usize| -> (Var, TermId) {
        let var = terms.declare(format!("{name}{k}"), sort);
        (var, terms.var(var))
    };
    let (zero, one) = (constant(terms, 0), constant(terms, 1));
    let ((i, mut i_now), (j, mut j_now)) = (symbol(terms, "i", 0), symbol(terms, "j", 0));
    let mut blocks = vec![Block { definitions: vec![(i, zero), (j, zero)], constraints: vec![] }];
    let mut names = vec![(i_now, j_now)];
    for k in 1..=n {
        let next = |terms: &mut Terms, now: TermId| match sort {
            Sort::Bv(_) => terms.bv_add(now, one),
            _ => terms.add(now, one),
        };
        let (i_next, j_next) = (next(terms, i_now), next(terms, j_now));
        let (i, j) = (symbol(terms, "i", k), symbol(terms, "j", k));
        blocks.push(Block { definitions: vec![(i.0, i_next), (j.0, j_next)], constraints: vec![] });
        (i_now, j_now) = (i.1, j.1);
        names.push((i_now, j_now));
    }
    let differ = terms.ne(i_now, j_now);
    blocks.push(Block { definitions: vec![], constraints: vec![differ] });
    (blocks, names)
}

fn equal_in_the_middle(sort: Sort, style: Style, n: usize) {
    let mut terms = Terms::new();
    let (blocks, names) = counters(&mut terms, sort, n);
    let mut solver = Builtin::new();
    let found = solver.interpolants(&mut terms, &blocks, style, &Budget::default());
    let Interpolation::Interpolants(found) = found else {
        panic!("{sort:?} {style:?} {n}: {found:?}")
    };
    assert_eq!(found.len() + 1, blocks.len());
    for (interpolant, (i, j)) in found.iter().zip(&names) {
        let equal = terms.eq(*i, *j);
        assert_eq!(*interpolant, equal, "{}", terms.display(*interpolant));
    }
}

#[test]
fn two_counters_stay_equal() {
    for n in [5, 50, 200] {
        equal_in_the_middle(Sort::Bv(32), Style::Newton, n);
        equal_in_the_middle(Sort::Bv(32), Style::Auto, n);
    }
}

#[test]
fn two_mathematical_counters_stay_equal() {
    for n in [5, 50, 200] {
        equal_in_the_middle(Sort::Int, Style::Newton, n);
        equal_in_the_middle(Sort::Int, Style::Auto, n);
    }
}

#[test]
fn a_feasible_path_is_feasible() {
    let mut terms = Terms::new();
    let (mut blocks, names) = counters(&mut terms, Sort::Bv(8), 3);
    let (i, _) = names[3];
    let three = terms.bv(8, 3);
    let last = blocks.last_mut().expect("blocks");
    last.constraints = vec![terms.eq(i, three)];
    let mut solver = Builtin::new();
    let found = solver.interpolants(&mut terms, &blocks, Style::Auto, &Budget::default());
    assert_eq!(found, Interpolation::Feasible);
}

/// Inputs that are only read after the cut do not occur in interpolants.
#[test]
fn later_inputs_are_eliminated() {
    let mut terms = Terms::new();
    let sort = Sort::Bv(8);
    let [x, y, z] = ["x", "y", "z"].map(|name| terms.declare(name, sort));
    let [xt, yt, zt] = [x, y, z].map(|var| terms.var(var));
    let (one, ten) = (terms.bv(8, 1), terms.bv(8, 10));
    // x = 1 or less; z = y; z <= x; 10 <= y: y is an input of the second block.
    let small = terms.bv_ule(xt, one);
    let below = terms.bv_ule(zt, xt);
    let large = terms.bv_ule(ten, yt);
    let blocks = vec![
        Block { definitions: vec![], constraints: vec![small] },
        Block { definitions: vec![(z, yt)], constraints: vec![large, below] },
    ];
    let mut solver = Builtin::new();
    for style in [Style::Newton, Style::Auto] {
        let found = solver.interpolants(&mut terms, &blocks, style, &Budget::default());
        let Interpolation::Interpolants(found) = found else { panic!("{found:?}") };
        assert_eq!(terms.vars(found[0]), [x], "{}", terms.display(found[0]));
    }
}

/// Random paths over three variables of three bits, with inputs.
fn random_path(terms: &mut Terms, dice: &mut Random) -> Vec<Block> {
    const WIDTH: u32 = 3;
    let mut now: Vec<TermId> = Vec::new();
    let mut count = 0;
    let mut symbol = |terms: &mut Terms| {
        count += 1;
        terms.declare(format!("s{count}"), Sort::Bv(WIDTH))
    };
    for _ in 0..3 {
        let var = symbol(terms);
        now.push(terms.var(var));
    }
    let mut blocks = Vec::new();
    for _ in 0..2 + dice.below(4) {
        let mut block = Block::default();
        for _ in 0..1 + dice.below(2) {
            let target = dice.below(3);
            let (x, y) = (now[dice.below(3)], now[dice.below(3)]);
            let k = terms.bv(WIDTH, dice.below(8) as u128);
            let value = match dice.below(7) {
                0 => k,
                1 => terms.bv_add(x, k),
                2 => terms.bv_add(x, y),
                3 => terms.bv_sub(x, y),
                4 => terms.bv_and(x, k),
                5 => terms.bv_mul(x, k),
                _ => {
                    // An input.
                    let var = symbol(terms);
                    now[target] = terms.var(var);
                    continue;
                }
            };
            let var = symbol(terms);
            block.definitions.push((var, value));
            now[target] = terms.var(var);
        }
        for _ in 0..dice.below(3) {
            let (x, y) = (now[dice.below(3)], now[dice.below(3)]);
            let k = terms.bv(WIDTH, dice.below(8) as u128);
            let constraint = match dice.below(5) {
                0 => terms.eq(x, k),
                1 => terms.bv_ult(x, y),
                2 => terms.bv_sle(x, k),
                3 => terms.ne(x, y),
                _ => terms.bv_ule(k, x),
            };
            block.constraints.push(constraint);
        }
        blocks.push(block);
    }
    blocks
}

/// Every assignment of the symbols that satisfies blocks, given those that they do not define.
fn for_all_models(
    terms: &Terms,
    blocks: &[Block],
    extra: &[TermId],
    check: &mut dyn FnMut(&Assignment),
) {
    let mut free: Vec<Var> = Vec::new();
    for block in blocks {
        let used = block.definitions.iter().map(|(_, term)| term).chain(&block.constraints);
        free.extend(used.flat_map(|term| terms.vars(*term)));
    }
    free.extend(extra.iter().flat_map(|term| terms.vars(*term)));
    free.sort_unstable();
    free.dedup();
    let defined: Vec<Var> =
        blocks.iter().flat_map(|block| &block.definitions).map(|(var, _)| *var).collect();
    free.retain(|var| !defined.contains(var));
    assert!(free.len() <= 6, "few enough to enumerate");
    let mut evaluator = Evaluator::new();
    for number in 0..1_u64 << (3 * free.len()) {
        let mut model = Assignment::default();
        for (index, var) in free.iter().enumerate() {
            let bits = u128::from((number >> (3 * index)) & 7);
            model.0.insert(*var, Value::Bv(Bv::new(3, bits)));
        }
        let mut holds = true;
        for block in blocks {
            for (var, term) in &block.definitions {
                let value = evaluator.eval(terms, *term, &model).expect("all symbols have values");
                model.0.insert(*var, value);
            }
            holds &= block.constraints.iter().all(|constraint| {
                evaluator.eval(terms, *constraint, &model) == Ok(Value::Bool(true))
            });
        }
        if holds {
            check(&model);
        }
    }
}

#[derive(Default)]
struct Assignment(HashMap<Var, Value>);

impl Environment for Assignment {
    fn get(&self, var: Var) -> Option<&Value> {
        self.0.get(&var)
    }
}

/// What the solver says of random paths is what enumeration says.
#[test]
fn random_paths() {
    let mut dice = Random::new(7);
    let (mut refuted, mut feasible) = (0, 0);
    for _ in 0..400 {
        let mut terms = Terms::new();
        let blocks = random_path(&mut terms, &mut dice);
        let inputs: usize = (0..terms.var_count()).count()
            - blocks.iter().map(|block| block.definitions.len()).sum::<usize>();
        if inputs > 5 {
            continue;
        }
        for style in [Style::Newton, Style::Farkas, Style::Auto] {
            let mut solver = Builtin::new();
            let found = solver.interpolants(&mut terms, &blocks, style, &Budget::default());
            let mut models = 0;
            for_all_models(&terms, &blocks, &[], &mut |_| models += 1);
            let found = match found {
                Interpolation::Feasible => {
                    assert_ne!(models, 0, "a path that is not feasible");
                    feasible += 1;
                    continue;
                }
                Interpolation::Interpolants(found) => found,
                Interpolation::Unknown(_) if style == Style::Farkas => continue,
                Interpolation::Unknown(reason) => panic!("{style:?}: {reason}"),
            };
            assert_eq!(models, 0, "a path that is feasible");
            refuted += 1;
            let mut evaluator = Evaluator::new();
            for (index, interpolant) in found.iter().enumerate() {
                let cut = index + 1;
                let mut follows = true;
                for_all_models(&terms, &blocks[..cut], &[*interpolant], &mut |model| {
                    let value = evaluator.eval(&terms, *interpolant, model);
                    follows &= value == Ok(Value::Bool(true));
                });
                assert!(follows, "cut {cut}: it does not follow from what is before");
                let mut excluded = true;
                for_all_models(&terms, &blocks[cut..], &[*interpolant], &mut |model| {
                    let value = evaluator.eval(&terms, *interpolant, model);
                    excluded &= value == Ok(Value::Bool(false));
                });
                assert!(excluded, "cut {cut}: it does not exclude what is after");
            }
        }
    }
    assert!(refuted > 100 && feasible > 100, "{refuted} refuted, {feasible} feasible");
}
