//! Terms as circuits.
//!
//! The blaster holds what `arrays` and `float` have built so far, and they build further circuits with the blaster;
//! `relevance` walks through what all of them have built. So these files know each other.

use rustc_hash::FxHashMap;
use rustsat::types::Lit;
use term::{Bv, Op, Sort, TermId, Terms, Value, Var, View};

use crate::Reason;
use crate::arithmetic::{Arithmetic, Comparison, Number};
use crate::arrays::{Arrays, parts as parts_of_reads};
use crate::circuit::{Circuit, Missing};
use crate::float::{Encodings, constant as float_constant, value as float_value};
use crate::gates::Gates;
use crate::lazy::LazyId;
use crate::sums::Sums;
use crate::words::Word;

/// Terms that have been turned into circuits of one SAT instance.
pub(crate) struct Blaster {
    pub gates: Gates,
    done: FxHashMap<TermId, Circuit>,
    vars: Vec<(Var, Circuit)>,
    /// What building each term has added to the instance; terms that added nothing are left out.
    costs: FxHashMap<TermId, usize>,
    /// Numbers that are not bounded, and comparisons of them.
    pub arithmetic: Arithmetic,
    /// Reads of arrays, which are free until the array lemmas say more.
    pub arrays: Arrays,
    /// What is known of encodings of floats.
    pub floats: Encodings,
    /// The operations that were left open in the circuit of each term that has some.
    open: FxHashMap<TermId, Vec<LazyId>>,
    /// Which sums have the same parts, so that they share a circuit.
    sums: Sums,
    /// How many circuits have been built, or looked at for lemmas.
    built: u32,
}

/// How many circuits are built between two looks at the limits.
const TERMS_PER_LOOK: u32 = 64;

impl Blaster {
    pub fn new() -> Self {
        Self {
            gates: Gates::new(),
            done: FxHashMap::default(),
            vars: Vec::new(),
            costs: FxHashMap::default(),
            arithmetic: Arithmetic::default(),
            arrays: Arrays::default(),
            floats: Encodings::default(),
            open: FxHashMap::default(),
            sums: Sums::default(),
            built: 0,
        }
    }

    /// The literal of a Boolean term.
    pub fn literal(&mut self, terms: &Terms, term: TermId) -> Result<Lit, Missing> {
        match self.circuit(terms, term)? {
            Circuit::Bool(literal) => Ok(literal),
            _ => Err("a formula that is not Boolean".to_owned()),
        }
    }

    /// The circuit of a term.
    pub fn circuit(&mut self, terms: &Terms, term: TermId) -> Result<Circuit, Missing> {
        if let Some(known) = self.done.get(&term) {
            return Ok(known.clone());
        }
        let mut todo = vec![term];
        while let Some(&at) = todo.last() {
            if self.done.contains_key(&at) {
                todo.pop();
                continue;
            }
            let before = todo.len();
            if let View::App(_, args) = terms.view(at) {
                // An array is no circuit; its parts are, which the lemmas will ask for.
                if args.iter().any(|arg| matches!(terms.sort(*arg), Sort::Array(_))) {
                    let mut parts = Vec::new();
                    parts_of_reads(terms, args, &mut parts);
                    todo.extend(parts.iter().filter(|part| !self.done.contains_key(part)));
                } else {
                    todo.extend(args.iter().filter(|arg| !self.done.contains_key(arg)));
                }
            }
            if todo.len() == before {
                self.look()?;
                let cost = self.gates.sat.cost();
                let earlier = self.sums.earlier(terms, at);
                let circuit = match earlier.and_then(|equal| self.done.get(&equal)) {
                    Some(circuit) => circuit.clone(),
                    None => self.build(terms, at)?,
                };
                if let Some(reason) = self.gates.over() {
                    return Err(reason.to_string());
                }
                self.done.insert(at, circuit);
                let asked = self.gates.lazy.take_asked();
                if !asked.is_empty() {
                    self.open.insert(at, asked);
                }
                let cost = self.gates.sat.cost() - cost;
                if cost > 0 {
                    self.costs.insert(at, cost);
                }
                todo.pop();
            }
        }
        Ok(self.done[&term].clone())
    }

    /// The operations that were left open in the circuit of a term.
    pub fn open(&self, term: TermId) -> &[LazyId] {
        self.open.get(&term).map_or(&[], Vec::as_slice)
    }

    /// Refutes the SAT model if operations in the circuits of some terms have wrong results in it, by lemmas about
    /// these operations, and says how many results are wrong.
    pub fn refute(&mut self, owners: &[TermId]) -> u64 {
        let mut wrong = 0;
        for owner in owners {
            for place in self.open(*owner).to_vec() {
                let cost = self.gates.sat.cost();
                wrong += u64::from(self.gates.refute(place));
                // Lemmas are a part of what the term needs.
                let cost = self.gates.sat.cost() - cost;
                *self.costs.entry(*owner).or_default() += cost;
            }
        }
        wrong
    }

    /// What terms and all their parts cost.
    pub fn cost(&self, terms: &Terms, roots: &[TermId]) -> usize {
        let parts = terms.post_order(roots);
        parts.iter().filter_map(|term| self.costs.get(term)).sum()
    }

    /// Looks at the limits now and then: a formula may be too large to be worth a circuit.
    pub fn look(&mut self) -> Result<(), Missing> {
        self.built += 1;
        if !self.built.is_multiple_of(TERMS_PER_LOOK) {
            return Ok(());
        }
        self.gates.look().map_or(Ok(()), |reason| Err(reason.to_string()))
    }

    /// Why there is no circuit: because of a limit, or because `missing` has none.
    pub fn reason(&self, missing: Missing) -> Reason {
        self.gates.over().map_or(Reason::Unsupported(missing), Reason::Exceeded)
    }

    fn build(&mut self, terms: &Terms, term: TermId) -> Result<Circuit, Missing> {
        match terms.view(term) {
            View::Const(value) => self.constant(value),
            View::Var(var) => {
                let circuit = self.fresh(terms.var_sort(var), true)?;
                self.vars.push((var, circuit.clone()));
                Ok(circuit)
            }
            View::App(op, args) => self.apply(terms, term, op, args),
        }
    }

    /// A circuit of which nothing is known; `variable` says that nothing will ever be known of it.
    pub fn fresh(&mut self, sort: Sort, variable: bool) -> Result<Circuit, Missing> {
        Ok(match sort {
            Sort::Bool => Circuit::Bool(self.gates.sat.fresh()),
            Sort::Bv(width) => Circuit::Word(self.gates.fresh_word(width)),
            Sort::Int | Sort::Rat => {
                Circuit::Number(self.fresh_number(sort == Sort::Int, variable))
            }
            Sort::Float(format) => Circuit::Float(format, self.unit(format).fresh()),
            sort => return Err(missing_sort(sort)),
        })
    }

    pub fn constant(&self, value: &Value) -> Result<Circuit, Missing> {
        match value {
            Value::Bool(value) => Ok(Circuit::Bool(self.gates.constant(*value))),
            Value::Bv(bits) => Ok(Circuit::Word(self.gates.word(bits.width(), |at| bits.bit(at)))),
            Value::Float(value) => {
                Ok(Circuit::Float(value.format(), float_constant(&self.gates, *value)))
            }
            Value::Int(value) => Ok(Circuit::Number(Number::constant(value.clone().into(), true))),
            Value::Rat(value) => Ok(Circuit::Number(Number::constant(value.clone(), false))),
            other => Err(missing_sort(other.sort())),
        }
    }

    fn bool(&self, term: TermId) -> Result<Lit, Missing> {
        match &self.done[&term] {
            Circuit::Bool(literal) => Ok(*literal),
            _ => Err("a formula that is not Boolean".to_owned()),
        }
    }

    fn bits(&self, term: TermId) -> Result<Word, Missing> {
        match &self.done[&term] {
            Circuit::Word(word) => Ok(word.clone()),
            _ => Err("a word that is none".to_owned()),
        }
    }

    fn apply(
        &mut self,
        terms: &Terms,
        term: TermId,
        op: Op,
        args: &[TermId],
    ) -> Result<Circuit, Missing> {
        match op {
            Op::Not => Ok(Circuit::Bool(!self.bool(args[0])?)),
            Op::And | Op::Or => {
                let parts: Vec<Lit> =
                    args.iter().map(|arg| self.bool(*arg)).collect::<Result<_, _>>()?;
                let gate = if op == Op::And {
                    self.gates.and_all(&parts)
                } else {
                    self.gates.or_all(&parts)
                };
                Ok(Circuit::Bool(gate))
            }
            Op::Ite => {
                let condition = self.bool(args[0])?;
                Ok(match (self.done[&args[1]].clone(), self.done[&args[2]].clone()) {
                    (Circuit::Bool(a), Circuit::Bool(b)) => {
                        Circuit::Bool(self.gates.ite(condition, a, b))
                    }
                    (Circuit::Word(a), Circuit::Word(b)) => {
                        Circuit::Word(self.gates.ite_word(condition, &a, &b))
                    }
                    (Circuit::Float(format, a), Circuit::Float(_, b)) => {
                        Circuit::Float(format, self.unit(format).choose(condition, &a, &b))
                    }
                    (Circuit::Number(a), Circuit::Number(b)) => {
                        Circuit::Number(self.choose(term, condition, &a, &b))
                    }
                    _ => return Err("a choice between sorts".to_owned()),
                })
            }
            Op::Eq if matches!(terms.sort(args[0]), Sort::Array(_)) => {
                self.array_equation(terms, term).map(Circuit::Bool)
            }
            Op::Eq => {
                let (a, b) = (self.done[&args[0]].clone(), self.done[&args[1]].clone());
                self.equal(&a, &b).map(Circuit::Bool)
            }
            Op::Select => {
                self.arrays.used = true;
                self.fresh(terms.sort(term), false)
            }
            _ if is_arithmetic(op) => {
                let args: Vec<Circuit> = args.iter().map(|arg| self.done[arg].clone()).collect();
                self.on_numbers(term, op, &args)
            }
            _ => {
                if let Some(circuit) = self.apply_float(terms, term, op, args)? {
                    return Ok(circuit);
                }
                let words: Vec<Word> =
                    args.iter().map(|arg| self.bits(*arg)).collect::<Result<_, _>>()?;
                match words.as_slice() {
                    [a] => self.unary(op, a),
                    [a, b] => self.binary(op, a, b),
                    _ => Err(format!("the operator {op:?}")),
                }
            }
        }
    }

    /// The literal that says that two circuits of one sort are equal.
    pub fn equal(&mut self, a: &Circuit, b: &Circuit) -> Result<Lit, Missing> {
        match (a, b) {
            (Circuit::Bool(a), Circuit::Bool(b)) => Ok(!self.gates.xor(*a, *b)),
            (Circuit::Word(a), Circuit::Word(b)) => Ok(self.gates.equal(a, b)),
            (Circuit::Float(format, a), Circuit::Float(_, b)) => {
                Ok(self.unit(*format).identical(a, b))
            }
            (Circuit::Number(a), Circuit::Number(b)) => Ok(self.compare(a, b, Comparison::Equal)),
            _ => Err("an equation between sorts".to_owned()),
        }
    }

    /// The literal that says that two words are equal. Clauses say besides that the words are equal if none of the two
    /// is less, so that the literal also follows from their order.
    pub fn same(&mut self, terms: &Terms, a: TermId, b: TermId) -> Result<Lit, Missing> {
        self.circuit(terms, a)?;
        self.circuit(terms, b)?;
        let (a, b) = (self.bits(a)?, self.bits(b)?);
        let same = self.gates.equal(&a, &b);
        for less in [Gates::less, Gates::less_signed] {
            let orders = [less(&mut self.gates, &a, &b), less(&mut self.gates, &b, &a)];
            self.gates.sat.clause(&[same, orders[0], orders[1]]);
        }
        Ok(same)
    }

    fn unary(&mut self, op: Op, a: &[Lit]) -> Result<Circuit, Missing> {
        let word = match op {
            Op::BvNot => self.gates.not_word(a),
            Op::BvNeg => self.gates.neg(a),
            Op::BvExtract { high, low } => a[low as usize..=high as usize].to_vec(),
            Op::BvZeroExtend(width) => self.extended(a, width, false),
            Op::BvSignExtend(width) => self.extended(a, width, true),
            _ => return Err(format!("the operator {op:?}")),
        };
        Ok(Circuit::Word(word))
    }

    fn extended(&self, a: &[Lit], width: u32, signed: bool) -> Word {
        let fill = if signed { a[a.len() - 1] } else { self.gates.constant(false) };
        let mut word = a.to_vec();
        word.resize(width as usize, fill);
        word
    }

    fn binary(&mut self, op: Op, a: &[Lit], b: &[Lit]) -> Result<Circuit, Missing> {
        let gates = &mut self.gates;
        let no = gates.constant(false);
        let sign = a[a.len() - 1];
        let word = match op {
            Op::BvAdd => gates.add(a, b),
            Op::BvSub => gates.sub(a, b),
            Op::BvMul => gates.mul(a, b),
            Op::BvUdiv => gates.divide(a, b).0,
            Op::BvUrem => gates.divide(a, b).1,
            Op::BvSdiv => self.signed_division(a, b).0,
            Op::BvSrem => self.signed_division(a, b).1,
            Op::BvSmod => self.signed_modulo(a, b),
            Op::BvAnd => gates.zip(a, b, Gates::and),
            Op::BvOr => gates.zip(a, b, Gates::or),
            Op::BvXor => gates.zip(a, b, Gates::xor),
            Op::BvShl => gates.shift(a, b, true, no),
            Op::BvLshr => gates.shift(a, b, false, no),
            Op::BvAshr => gates.shift(a, b, false, sign),
            Op::BvConcat => b.iter().chain(a).copied().collect(),
            _ => return self.predicate(op, a, b).map(Circuit::Bool),
        };
        Ok(Circuit::Word(word))
    }

    fn predicate(&mut self, op: Op, a: &[Lit], b: &[Lit]) -> Result<Lit, Missing> {
        let width = a.len() as u32;
        let gates = &mut self.gates;
        Ok(match op {
            Op::BvUlt => gates.less(a, b),
            Op::BvUle => !gates.less(b, a),
            Op::BvSlt => gates.less_signed(a, b),
            Op::BvSle => !gates.less_signed(b, a),
            Op::BvUaddOverflow => {
                let no = gates.constant(false);
                gates.add_with(a, b, no).1
            }
            Op::BvUsubOverflow => gates.less(a, b),
            Op::BvSaddOverflow | Op::BvSsubOverflow | Op::BvSmulOverflow => {
                let wide = if op == Op::BvSmulOverflow { 2 * width } else { width + 1 };
                let (a, b) = (self.extended(a, wide, true), self.extended(b, wide, true));
                let exact = match op {
                    Op::BvSaddOverflow => self.gates.add(&a, &b),
                    Op::BvSsubOverflow => self.gates.sub(&a, &b),
                    _ => self.gates.mul(&a, &b),
                };
                let kept = self.extended(&exact[..width as usize], wide, true);
                !self.gates.equal(&exact, &kept)
            }
            Op::BvUmulOverflow => {
                let (a, b) =
                    (self.extended(a, 2 * width, false), self.extended(b, 2 * width, false));
                let exact = self.gates.mul(&a, &b);
                self.gates.or_all(&exact[width as usize..])
            }
            _ => return Err(format!("the operator {op:?}")),
        })
    }

    /// Division that truncates: of the magnitudes, then with signs. Division by zero gives what SMT-LIB says without
    /// further gates.
    fn signed_division(&mut self, a: &[Lit], b: &[Lit]) -> (Word, Word) {
        let (a_sign, b_sign) = (a[a.len() - 1], b[b.len() - 1]);
        let (x, y) = (self.magnitude(a, a_sign), self.magnitude(b, b_sign));
        let (quotient, rest) = self.gates.divide(&x, &y);
        let differ = self.gates.xor(a_sign, b_sign);
        let (minus_quotient, minus_rest) = (self.gates.neg(&quotient), self.gates.neg(&rest));
        let quotient = self.gates.ite_word(differ, &minus_quotient, &quotient);
        let rest = self.gates.ite_word(a_sign, &minus_rest, &rest);
        (quotient, rest)
    }

    fn magnitude(&mut self, a: &[Lit], sign: Lit) -> Word {
        let minus = self.gates.neg(a);
        self.gates.ite_word(sign, &minus, a)
    }

    /// The remainder with the sign of the divisor.
    fn signed_modulo(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let (_, rest) = self.signed_division(a, b);
        let zero = self.gates.word(a.len() as u32, |_| false);
        let is_zero = self.gates.equal(&rest, &zero);
        let differ = self.gates.xor(a[a.len() - 1], b[b.len() - 1]);
        let adjust = self.gates.and(differ, !is_zero);
        let moved = self.gates.add(&rest, b);
        self.gates.ite_word(adjust, &moved, &rest)
    }

    /// The value that the model gives to a circuit.
    pub fn model_value(&self, circuit: &Circuit) -> Value {
        match circuit {
            Circuit::Bool(literal) => Value::Bool(self.gates.sat.value(*literal)),
            Circuit::Float(format, word) => float_value(&self.gates, *format, word),
            Circuit::Word(word) => {
                Value::Bv(Bv::from_biguint(word.len() as u32, &self.gates.number(word)))
            }
            Circuit::Number(number) => number.as_value(self.arithmetic.value(&number.sum)),
        }
    }

    /// The circuit of a term that must have been built.
    pub fn circuit_of(&self, term: TermId) -> Result<Circuit, Missing> {
        self.built(term).cloned().ok_or_else(|| "a term without a circuit".to_owned())
    }

    /// The circuit of a term that has been built.
    pub fn built(&self, term: TermId) -> Option<&Circuit> {
        self.done.get(&term)
    }

    /// Every variable with the value that the model gives it.
    pub fn model(&self) -> Vec<(Var, Value)> {
        self.vars.iter().map(|(var, circuit)| (*var, self.model_value(circuit))).collect()
    }
}

fn missing_sort(sort: Sort) -> Missing {
    match sort {
        Sort::Array(_) => "an array outside reads".to_owned(),
        sort => format!("the sort {sort:?}"),
    }
}

/// Whether an operator takes or gives numbers that are not bounded.
fn is_arithmetic(op: Op) -> bool {
    matches!(
        op,
        Op::Add
            | Op::Sub
            | Op::Mul
            | Op::Neg
            | Op::Div
            | Op::IntDiv
            | Op::IntMod
            | Op::IntRem
            | Op::Le
            | Op::Lt
            | Op::ToRat
            | Op::ToInt
            | Op::BvToIntUnsigned
            | Op::BvToIntSigned
            | Op::IntToBv(_)
    )
}
