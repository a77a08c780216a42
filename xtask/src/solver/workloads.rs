//! What the solver is asked by the analyses, in four kinds.

use base::Random;
use run::Budget;

use smt::{Answer, FullSolver};
use term::{Sort, TermId, Terms, Value, Var};

/// Questions whose terms are built beforehand, so that only the solver is measured.
pub struct Tiny {
    pub terms: Terms,
    queries: Vec<Vec<TermId>>,
}

/// What a workload answered: the same for every solver.
pub type Answers = Vec<bool>;

const WIDTH: u32 = 32;

impl Tiny {
    /// Questions of predicate abstraction: a state, a step, and whether a predicate holds after.
    pub fn new(count: usize) -> Self {
        let mut terms = Terms::new();
        let mut dice = Random::stream(5, 0);
        let vars = |terms: &mut Terms, names: [&str; 4]| {
            names.map(|name| {
                let var = terms.declare(name, Sort::Bv(WIDTH));
                terms.var(var)
            })
        };
        let before = vars(&mut terms, ["i", "j", "n", "s"]);
        let after = vars(&mut terms, ["i'", "j'", "n'", "s'"]);
        let mut queries = Vec::with_capacity(count);
        for _ in 0..count {
            let mut query: Vec<TermId> =
                (0..2 + dice.below(4)).map(|_| predicate(&mut terms, &mut dice, &before)).collect();
            for (at, after) in after.iter().enumerate() {
                let value = step(&mut terms, &mut dice, &before, at);
                query.push(terms.eq(*after, value));
            }
            let goal = predicate(&mut terms, &mut dice, &after);
            query.push(terms.not(goal));
            queries.push(query);
        }
        Self { terms, queries }
    }

    pub fn run(&self, solver: &mut dyn FullSolver) -> Result<Answers, String> {
        let mut answers = Vec::with_capacity(self.queries.len());
        for query in &self.queries {
            solver.push();
            query.iter().for_each(|formula| solver.assert(&self.terms, *formula));
            answers.push(check(solver, &self.terms, &[])?);
            solver.pop();
        }
        Ok(answers)
    }
}

fn check(
    solver: &mut dyn FullSolver,
    terms: &Terms,
    assumptions: &[TermId],
) -> Result<bool, String> {
    match solver.check(terms, assumptions, &Budget::default()) {
        Answer::Sat => Ok(true),
        Answer::Unsat => Ok(false),
        Answer::Unknown(reason) => Err(format!("a workload is not decided: {reason}")),
    }
}

/// A predicate as analyses find them: bounds, orders, equations with an offset, parity.
fn predicate(terms: &mut Terms, dice: &mut Random, vars: &[TermId; 4]) -> TermId {
    let (a, b) = (vars[dice.below(4)], vars[dice.below(4)]);
    let constant = terms.bv(WIDTH, dice.below(100) as u128);
    match dice.below(6) {
        0 => terms.bv_slt(a, constant),
        1 => terms.bv_sle(constant, a),
        2 => terms.bv_slt(a, b),
        3 => {
            let sum = terms.bv_add(b, constant);
            terms.eq(a, sum)
        }
        4 => {
            let one = terms.bv(WIDTH, 1);
            let (bit, zero) = (terms.bv_and(a, one), terms.bv(WIDTH, 0));
            terms.eq(bit, zero)
        }
        _ => terms.bv_ule(a, b),
    }
}

/// The value of a variable after a step.
fn step(terms: &mut Terms, dice: &mut Random, vars: &[TermId; 4], at: usize) -> TermId {
    let other = vars[dice.below(4)];
    match dice.below(6) {
        0 | 1 => vars[at],
        2 => {
            let by = terms.bv(WIDTH, 1 + dice.below(4) as u128);
            terms.bv_add(vars[at], by)
        }
        3 => terms.bv_add(vars[at], other),
        4 => terms.bv_sub(vars[at], other),
        _ => {
            let (less, one) = (terms.bv_slt(vars[at], other), terms.bv(WIDTH, 1));
            let more = terms.bv_add(vars[at], one);
            terms.ite(less, more, vars[at])
        }
    }
}

/// A long path: every assignment and guard of a loop that is unrolled.
pub struct Path {
    terms: Terms,
    constraints: Vec<TermId>,
    /// What cannot hold at the end.
    wrong: TermId,
}

impl Path {
    /// About five constraints for each round.
    pub fn new(rounds: u32) -> Self {
        let mut terms = Terms::new();
        let fresh = |terms: &mut Terms, name: &str, round: u32| {
            let var = terms.declare(format!("{name}{round}"), Sort::Bv(WIDTH));
            terms.var(var)
        };
        let [mut i, mut s, mut t] = ["i", "s", "t"].map(|name| fresh(&mut terms, name, 0));
        let (zero, one) = (terms.bv(WIDTH, 0), terms.bv(WIDTH, 1));
        let (ten, bound) = (terms.bv(WIDTH, 10), terms.bv(WIDTH, u128::from(rounds) + 20));
        let mut constraints = vec![terms.bv_ult(i, ten), terms.eq(s, zero)];
        for round in 1..=rounds {
            constraints.push(terms.bv_slt(i, bound));
            let [next_i, next_s, next_t] =
                ["i", "s", "t"].map(|name| fresh(&mut terms, name, round));
            let more = terms.bv_add(i, one);
            constraints.push(terms.eq(next_i, more));
            let odd = terms.bv_extract(0, 0, i);
            let (bit, sum, more) = (terms.bv(1, 1), terms.bv_add(s, i), terms.bv_add(s, one));
            let odd = terms.eq(odd, bit);
            let chosen = terms.ite(odd, sum, more);
            constraints.push(terms.eq(next_s, chosen));
            let mixed = terms.bv_xor(t, i);
            constraints.push(terms.eq(next_t, mixed));
            constraints.push(terms.bv_sle(zero, next_i));
            (i, s, t) = (next_i, next_s, next_t);
        }
        let early = terms.bv(WIDTH, u128::from(rounds) - 1);
        let wrong = terms.bv_slt(i, early);
        Self { terms, constraints, wrong }
    }

    pub fn len(&self) -> usize {
        self.constraints.len()
    }

    /// The path is feasible, and with one more constraint it is not: which are to blame?
    pub fn run(&self, solver: &mut dyn FullSolver) -> Result<Answers, String> {
        solver.push();
        self.constraints.iter().for_each(|formula| solver.assert(&self.terms, *formula));
        let sat = check(solver, &self.terms, &[])?;
        solver.pop();
        let mut assumptions = self.constraints.clone();
        assumptions.push(self.wrong);
        let unsat = check(solver, &self.terms, &assumptions)?;
        let blamed = !unsat && solver.core().contains(&self.wrong);
        Ok(vec![sat, unsat, blamed])
    }
}

/// All combinations of predicates that a state allows, found one by one.
pub fn all_sat(solver: &mut dyn FullSolver) -> Result<usize, String> {
    let mut terms = Terms::new();
    let mut dice = Random::stream(7, 0);
    let vars = ["i", "j", "n", "s"].map(|name| {
        let var = terms.declare(name, Sort::Bv(WIDTH));
        terms.var(var)
    });
    let flags: Vec<Var> = (0..12).map(|at| terms.declare(format!("b{at}"), Sort::Bool)).collect();
    for flag in &flags {
        let (flag, meaning) = (terms.var(*flag), predicate(&mut terms, &mut dice, &vars));
        let same = terms.eq(flag, meaning);
        solver.assert(&terms, same);
    }
    let mut count = 0;
    while check(solver, &terms, &[])? {
        count += 1;
        let mut clause = Vec::with_capacity(flags.len());
        for flag in &flags {
            let held = solver.value(&terms, *flag) == Value::Bool(true);
            let term = terms.var(*flag);
            clause.push(if held { terms.not(term) } else { term });
        }
        let clause = terms.or(&clause);
        solver.assert(&terms, clause);
    }
    Ok(count)
}

/// A solver from nothing to its first answer.
pub fn create(solver: &mut dyn FullSolver) -> Result<bool, String> {
    let mut terms = Terms::new();
    let (x, y) = (terms.declare("x", Sort::Bv(8)), terms.declare("y", Sort::Bv(8)));
    let (x, y) = (terms.var(x), terms.var(y));
    let less = terms.bv_ult(x, y);
    solver.assert(&terms, less);
    check(solver, &terms, &[])
}
