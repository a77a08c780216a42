//! Terms as circuits.

use rustc_hash::FxHashMap;
use rustsat::types::Lit;
use term::{Bv, Op, Sort, TermId, Terms, Value, Var, View};

use crate::arrays;
use crate::gates::Gates;
use crate::words::Word;

/// What a term has become.
#[derive(Clone)]
pub(crate) enum Circuit {
    Bool(Lit),
    Word(Word),
}

/// Terms that have been turned into circuits of one SAT instance.
pub(crate) struct Blaster {
    pub gates: Gates,
    done: FxHashMap<TermId, Circuit>,
    vars: Vec<(Var, Circuit)>,
    /// Reads of arrays, which are free words until the array lemmas say more.
    pub selects: Vec<TermId>,
}

/// A construct that has no circuit, in words.
pub(crate) type Missing = String;

impl Blaster {
    pub fn new() -> Self {
        Self {
            gates: Gates::new(),
            done: FxHashMap::default(),
            vars: Vec::new(),
            selects: Vec::new(),
        }
    }

    /// The literal of a Boolean term.
    pub fn literal(&mut self, terms: &Terms, term: TermId) -> Result<Lit, Missing> {
        match self.circuit(terms, term)? {
            Circuit::Bool(literal) => Ok(literal),
            Circuit::Word(_) => Err("a formula that is not Boolean".to_owned()),
        }
    }

    /// The word of a bit-vector term.
    pub fn word(&mut self, terms: &Terms, term: TermId) -> Result<Word, Missing> {
        match self.circuit(terms, term)? {
            Circuit::Word(word) => Ok(word),
            Circuit::Bool(literal) => Ok(vec![literal]),
        }
    }

    fn circuit(&mut self, terms: &Terms, term: TermId) -> Result<Circuit, Missing> {
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
            if let View::App(op, args) = terms.view(at) {
                // An array is no circuit; a read needs those that the lemmas will ask for.
                if op == Op::Select {
                    let mut parts = vec![args[1]];
                    arrays::parts(terms, args[0], &mut parts);
                    todo.extend(parts.iter().filter(|part| !self.done.contains_key(part)));
                } else {
                    todo.extend(args.iter().filter(|arg| !self.done.contains_key(arg)));
                }
            }
            if todo.len() == before {
                let circuit = self.build(terms, at)?;
                self.done.insert(at, circuit);
                todo.pop();
            }
        }
        Ok(self.done[&term].clone())
    }

    /// Gives a variable the circuit of a term, unless it has one or the term contains it.
    pub fn define(
        &mut self,
        terms: &Terms,
        side: TermId,
        var: Var,
        term: TermId,
    ) -> Result<bool, Missing> {
        let plain = matches!(terms.var_sort(var), Sort::Bool | Sort::Bv(_));
        if !plain || self.done.contains_key(&side) {
            return Ok(false);
        }
        let circuit = self.circuit(terms, term)?;
        if self.done.contains_key(&side) {
            return Ok(false);
        }
        self.done.insert(side, circuit.clone());
        self.vars.push((var, circuit));
        Ok(true)
    }

    fn build(&mut self, terms: &Terms, term: TermId) -> Result<Circuit, Missing> {
        match terms.view(term) {
            View::Const(value) => self.constant(value),
            View::Var(var) => {
                let circuit = match terms.var_sort(var) {
                    Sort::Bool => Circuit::Bool(self.gates.sat.fresh()),
                    Sort::Bv(width) => Circuit::Word(self.gates.fresh_word(width)),
                    sort => return Err(missing_sort(sort)),
                };
                self.vars.push((var, circuit.clone()));
                Ok(circuit)
            }
            View::App(op, args) => self.apply(terms, term, op, args),
        }
    }

    pub fn constant(&self, value: &Value) -> Result<Circuit, Missing> {
        match value {
            Value::Bool(value) => Ok(Circuit::Bool(self.gates.constant(*value))),
            Value::Bv(bits) => Ok(Circuit::Word(self.gates.word(bits.width(), |at| bits.bit(at)))),
            other => Err(missing_sort(other.sort())),
        }
    }

    fn bool(&self, term: TermId) -> Result<Lit, Missing> {
        match &self.done[&term] {
            Circuit::Bool(literal) => Ok(*literal),
            Circuit::Word(_) => Err("a formula that is not Boolean".to_owned()),
        }
    }

    fn bits(&self, term: TermId) -> Result<Word, Missing> {
        match &self.done[&term] {
            Circuit::Word(word) => Ok(word.clone()),
            Circuit::Bool(_) => Err("a word that is Boolean".to_owned()),
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
                    _ => return Err("a choice between sorts".to_owned()),
                })
            }
            Op::Eq => {
                let equal = match (self.done[&args[0]].clone(), self.done[&args[1]].clone()) {
                    (Circuit::Bool(a), Circuit::Bool(b)) => !self.gates.xor(a, b),
                    (Circuit::Word(a), Circuit::Word(b)) => self.gates.equal(&a, &b),
                    _ => return Err("an equation between sorts".to_owned()),
                };
                Ok(Circuit::Bool(equal))
            }
            Op::Select => {
                self.selects.push(term);
                match terms.sort(term) {
                    Sort::Bool => Ok(Circuit::Bool(self.gates.sat.fresh())),
                    Sort::Bv(width) => Ok(Circuit::Word(self.gates.fresh_word(width))),
                    sort => Err(missing_sort(sort)),
                }
            }
            _ => {
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

    /// Division that truncates: on magnitudes, then with signs. Division by zero falls out as
    /// SMT-LIB has it.
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

    /// The value that the SAT model gives to a circuit.
    pub fn model_value(&self, circuit: &Circuit) -> Value {
        match circuit {
            Circuit::Bool(literal) => Value::Bool(self.gates.sat.value(*literal)),
            Circuit::Word(word) => {
                let mut bytes = vec![0_u8; word.len().div_ceil(8)];
                for (index, bit) in word.iter().enumerate() {
                    bytes[index / 8] |= u8::from(self.gates.sat.value(*bit)) << (index % 8);
                }
                let number = num_bigint::BigUint::from_bytes_le(&bytes);
                Value::Bv(Bv::from_biguint(word.len() as u32, &number))
            }
        }
    }

    /// The circuit of a term that has been built.
    pub fn built(&self, term: TermId) -> Option<&Circuit> {
        self.done.get(&term)
    }

    /// Every variable with the value that the SAT model gives it.
    pub fn model(&self) -> Vec<(Var, Value)> {
        self.vars.iter().map(|(var, circuit)| (*var, self.model_value(circuit))).collect()
    }
}

fn missing_sort(sort: Sort) -> Missing {
    match sort {
        Sort::Float(_) => "floating-point arithmetic".to_owned(),
        Sort::Int | Sort::Rat => "unbounded arithmetic".to_owned(),
        Sort::Array(_) => "an array outside reads".to_owned(),
        sort => format!("the sort {sort:?}"),
    }
}
