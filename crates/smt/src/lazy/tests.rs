//! Every lemma against every pair of small operands.

use num_bigint::BigUint;
use rustsat::types::Lit;

use super::operations::LazyKind;
use crate::Answer;
use crate::gates::Gates;
use crate::words::Word;
use run::Budget;

/// Bits of the operands: all pairs are tried.
const BITS: u32 = 5;

struct Bench {
    gates: Gates,
    kind: LazyKind,
    a: Word,
    b: Word,
    result: Word,
    /// Whether only operands with their highest bits set count.
    normal: bool,
}

impl Bench {
    fn product() -> Self {
        let mut bench = Self::new(LazyKind::Product, false);
        bench.result = bench.gates.open_product(&bench.a, &bench.b);
        bench
    }

    fn quotient() -> Self {
        let mut bench = Self::new(LazyKind::Quotient(BITS as usize + 1), true);
        bench.gates.lazy.cells = 1;
        bench.result = bench.gates.quotient(&bench.a, &bench.b);
        bench
    }

    fn new(kind: LazyKind, normal: bool) -> Self {
        let mut gates = Gates::new();
        let a = gates.fresh_word(BITS);
        let b = gates.fresh_word(BITS);
        Self { gates, kind, a, b, result: Word::new(), normal }
    }

    fn pairs(&self) -> impl Iterator<Item = (u32, u32)> + use<> {
        let least = if self.normal { 1 << (BITS - 1) } else { 0 };
        (least..1 << BITS).flat_map(move |a| (least..1 << BITS).map(move |b| (a, b)))
    }

    fn right(&self, a: u32, b: u32) -> BigUint {
        self.kind.result(&a.into(), &b.into()).expect("a result")
    }

    fn solve(&mut self, assumptions: &[Lit]) -> Answer {
        self.gates.sat.solve(assumptions, &Budget::default())
    }

    /// Asks for a result of two operands that starts with a bit, and has wrong answers refuted.
    fn ask(&mut self, a: u32, b: u32, bit: Lit) {
        let mut assumptions = is(&self.a, &a.into());
        assumptions.extend(is(&self.b, &b.into()));
        assumptions.push(bit);
        while self.solve(&assumptions) == Answer::Sat && self.gates.refute(0) {}
    }

    /// No lemma excludes a right result, and the right result is what is found in the end.
    fn nothing_right_is_refuted(&mut self) {
        for (a, b) in self.pairs() {
            let right = self.right(a, b);
            let mut assumptions = is(&self.a, &a.into());
            assumptions.extend(is(&self.b, &b.into()));
            let result = is(&self.result, &right);
            let all: Vec<Lit> = assumptions.iter().chain(&result).copied().collect();
            assert_eq!(self.solve(&all), Answer::Sat, "{:?} of {a} and {b}", self.kind);
            loop {
                assert_eq!(self.solve(&assumptions), Answer::Sat);
                if !self.gates.refute(0) {
                    break;
                }
            }
            assert_eq!(self.gates.number(&self.result), right, "{:?} of {a}, {b}", self.kind);
        }
    }
}

/// The literals that say that a word is a number.
fn is(word: &[Lit], number: &BigUint) -> Vec<Lit> {
    let bits = word.iter().enumerate();
    bits.map(|(at, bit)| if number.bit(at as u64) { *bit } else { !*bit }).collect()
}

/// Lemmas from wrong models of some pairs, looked at for all pairs, at every stage: alone, with
/// more of them, and with the circuit.
fn lemmas_hold(new: fn() -> Bench) {
    for stride in [1, 7, 50] {
        let mut bench = new();
        bench.gates.lazy.patience = 60;
        for (at, (a, b)) in bench.pairs().enumerate() {
            if at % stride == 0 {
                for place in (0..bench.result.len()).rev() {
                    let bit = bench.result[place];
                    bench.ask(a, b, if at % 2 == 0 { bit } else { !bit });
                }
            }
            if at % 100 == 99 {
                bench.nothing_right_is_refuted();
            }
        }
        bench.nothing_right_is_refuted();
    }
}

#[test]
fn lemmas_about_products_hold() {
    lemmas_hold(Bench::product);
}

#[test]
fn lemmas_about_quotients_hold() {
    lemmas_hold(Bench::quotient);
}

/// Without patience there is a circuit after the first wrong model.
#[test]
fn circuits_give_the_results() {
    for new in [Bench::product as fn() -> Bench, Bench::quotient] {
        let mut bench = new();
        bench.gates.lazy.patience = 0;
        bench.nothing_right_is_refuted();
    }
}

/// A wrong product is refuted not only for the operands of the model.
#[test]
fn a_lemma_says_more_than_a_value() {
    let mut bench = Bench::product();
    let mut rounds = 0;
    // Factors of at most 9 have no product above 81.
    let least = bench.gates.is_at_least(&bench.result.clone(), &82_u32.into());
    let nine = BigUint::from(9_u32);
    let (a, b) = (bench.a.clone(), bench.b.clone());
    let small = [bench.gates.is_at_most(&a, &nine), bench.gates.is_at_most(&b, &nine), least];
    while bench.solve(&small) == Answer::Sat {
        assert!(bench.gates.refute(0));
        rounds += 1;
    }
    assert!(rounds <= 10, "{rounds} lemmas for a hundred pairs");
}
