//! Compiled evaluation: straight-line code over registers.
//!
//! Truth values and bit-vectors of up to 128 bits live in words and are computed by the functions
//! of [`crate::word`], which [`crate::Bv`] uses too; all else lives in values and goes through
//! [`apply`].

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::apply::apply;
use crate::bits::Bv;
use crate::eval::{Environment, Unbound};
use crate::op::Op;
use crate::sort::Sort;
use crate::table::{TermId, Terms, Var, View};
use crate::value::Value;
use crate::word;

/// A fast evaluator for one table of terms: it compiles each term once and keeps the code.
///
/// Shared subterms are computed once for each evaluation, and both arms of an `ite` always.
#[derive(Clone, Default)]
pub struct Evaluator {
    code: FxHashMap<TermId, Code>,
}

/// The code of a term.
#[derive(Clone, Default)]
struct Code {
    steps: Vec<Step>,
    /// Registers for words. Those of constants are filled once and for all.
    words: Vec<u128>,
    /// How many registers for values there are.
    values: usize,
    result: Option<Register>,
    sort: Option<Sort>,
}

/// Where the value of a subterm is, an index into one of two register files.
#[derive(Clone, Copy)]
enum Register {
    Word(u32),
    Value(u32),
}

#[derive(Clone)]
enum Step {
    /// A symbol into a word.
    LoadWord { v: Var, to: u32 },
    /// A symbol into a value.
    LoadValue { v: Var, to: u32 },
    /// A constant into a value.
    LoadConstant { term: TermId, to: u32 },
    /// An operation on words of one width.
    Word { op: WordOp, width: u8, a: u32, b: u32, to: u32 },
    /// The choice between two words.
    ChooseWord { condition: u32, then: u32, other: u32, to: u32 },
    /// The choice between two values.
    ChooseValue { condition: u32, then: u32, other: u32, to: u32 },
    /// Any operation.
    General(Box<General>),
}

#[derive(Clone)]
struct General {
    op: Op,
    args: SmallVec<[(Register, Sort); 3]>,
    to: Register,
}

/// Operations on words. Truth values are vectors of one bit.
#[derive(Clone, Copy)]
enum WordOp {
    Eq,
    Not,
    Neg,
    Add,
    Sub,
    Mul,
    Udiv,
    Sdiv,
    Urem,
    Srem,
    Smod,
    And,
    Or,
    Xor,
    Shl,
    Lshr,
    Ashr,
    Ult,
    Ule,
    Slt,
    Sle,
    /// The bits of `a` above those of `b`; the width is that of `b`.
    Concat,
    /// The bits of `a` from bit `b` on, as many as the width.
    Extract,
    /// The word, whose bits do not change.
    ZeroExtend,
    /// `a` extended by its sign, from the width to width `b`.
    SignExtend,
    UaddOverflow,
    SaddOverflow,
    UsubOverflow,
    SsubOverflow,
    UmulOverflow,
    SmulOverflow,
}

impl Evaluator {
    /// No code yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The value of a term. All calls of an evaluator must be about the same table.
    ///
    /// # Errors
    /// If a symbol of the term has no value, even if the value of the term does not depend on this symbol.
    ///
    /// # Panics
    /// If the environment gives a value that is not of its symbol's sort.
    pub fn eval(
        &mut self,
        terms: &Terms,
        t: TermId,
        env: &impl Environment,
    ) -> Result<Value, Unbound> {
        self.code.entry(t).or_insert_with(|| compile(terms, t)).run(terms, env)
    }
}

fn is_word(sort: Sort) -> bool {
    matches!(sort, Sort::Bool | Sort::Bv(..=128))
}

/// The word of a value whose sort has words as values.
fn word_of(value: &Value) -> u128 {
    match value {
        Value::Bool(value) => u128::from(*value),
        Value::Bv(bv) if let Some(bits) = bv.to_u128() => bits,
        other => panic!("{other} is not of its symbol's sort"),
    }
}

fn value_of(word: u128, sort: Sort) -> Value {
    match sort {
        Sort::Bv(width) => Value::Bv(Bv::new(width, word)),
        _ => Value::Bool(word != 0),
    }
}

impl Code {
    fn run<'a>(&mut self, terms: &'a Terms, env: &'a impl Environment) -> Result<Value, Unbound> {
        let Code { steps, words, .. } = self;
        let mut values: Vec<Cow<'a, Value>> = Vec::new();
        if self.values > 0 {
            values.resize(self.values, Cow::Owned(Value::Bool(false)));
        }
        for step in steps.iter() {
            match step {
                Step::Word { op, width, a, b, to } => {
                    words[*to as usize] =
                        compute(*op, u32::from(*width), words[*a as usize], *b, words);
                }
                Step::ChooseWord { condition, then, other, to } => {
                    let chosen = if words[*condition as usize] != 0 { then } else { other };
                    words[*to as usize] = words[*chosen as usize];
                }
                Step::LoadWord { v, to } => {
                    let value = env.get(*v).ok_or(Unbound(*v))?;
                    assert_eq!(value.sort(), terms.var_sort(*v), "a value of its symbol's sort");
                    words[*to as usize] = word_of(value);
                }
                Step::LoadValue { v, to } => {
                    let value = env.get(*v).ok_or(Unbound(*v))?;
                    assert_eq!(value.sort(), terms.var_sort(*v), "a value of its symbol's sort");
                    values[*to as usize] = Cow::Borrowed(value);
                }
                Step::LoadConstant { term, to } => {
                    values[*to as usize] =
                        Cow::Borrowed(terms.value(*term).expect("a constant, as when compiled"));
                }
                Step::ChooseValue { condition, then, other, to } => {
                    let chosen = if words[*condition as usize] != 0 { then } else { other };
                    values[*to as usize] = values[*chosen as usize].clone();
                }
                Step::General(general) => {
                    let value = general.apply(words, &values);
                    match general.to {
                        Register::Word(to) => words[to as usize] = word_of(&value),
                        Register::Value(to) => values[to as usize] = Cow::Owned(value),
                    }
                }
            }
        }
        Ok(match (self.result, self.sort) {
            (Some(Register::Word(at)), Some(sort)) => value_of(words[at as usize], sort),
            (Some(Register::Value(at)), _) => values.swap_remove(at as usize).into_owned(),
            (None, _) | (_, None) => unreachable!("compiled code has a result"),
        })
    }
}

impl General {
    fn apply(&self, words: &[u128], values: &[Cow<'_, Value>]) -> Value {
        let converted: SmallVec<[Option<Value>; 3]> = self
            .args
            .iter()
            .map(|(register, sort)| match register {
                Register::Word(at) => Some(value_of(words[*at as usize], *sort)),
                Register::Value(_) => None,
            })
            .collect();
        let args: SmallVec<[&Value; 3]> = self
            .args
            .iter()
            .zip(&converted)
            .map(|((register, _), converted)| match (register, converted) {
                (_, Some(value)) => value,
                (Register::Value(at) | Register::Word(at), None) => &*values[*at as usize],
            })
            .collect();
        apply(self.op, &args)
    }
}

#[inline]
fn compute(op: WordOp, width: u32, a: u128, b: u32, words: &[u128]) -> u128 {
    let parameter = b;
    let b = || words[b as usize];
    match op {
        WordOp::Eq => u128::from(a == b()),
        WordOp::Not => word::not(width, a),
        WordOp::Neg => word::neg(width, a),
        WordOp::Add => word::add(width, a, b()),
        WordOp::Sub => word::sub(width, a, b()),
        WordOp::Mul => word::mul(width, a, b()),
        WordOp::Udiv => word::udiv(width, a, b()),
        WordOp::Sdiv => word::sdiv(width, a, b()),
        WordOp::Urem => word::urem(width, a, b()),
        WordOp::Srem => word::srem(width, a, b()),
        WordOp::Smod => word::smod(width, a, b()),
        WordOp::And => word::and(width, a, b()),
        WordOp::Or => word::or(width, a, b()),
        WordOp::Xor => word::xor(width, a, b()),
        WordOp::Shl => word::shl(width, a, b()),
        WordOp::Lshr => word::lshr(width, a, b()),
        WordOp::Ashr => word::ashr(width, a, b()),
        WordOp::Ult => u128::from(word::ult(width, a, b())),
        WordOp::Ule => u128::from(word::ule(width, a, b())),
        WordOp::Slt => u128::from(word::slt(width, a, b())),
        WordOp::Sle => u128::from(word::sle(width, a, b())),
        WordOp::Concat => word::concat(width, a, b()),
        WordOp::Extract => word::extract(parameter + width - 1, parameter, a),
        WordOp::ZeroExtend => a,
        WordOp::SignExtend => word::sign_extend(width, parameter, a),
        WordOp::UaddOverflow => u128::from(word::uadd_overflow(width, a, b())),
        WordOp::SaddOverflow => u128::from(word::sadd_overflow(width, a, b())),
        WordOp::UsubOverflow => u128::from(word::usub_overflow(width, a, b())),
        WordOp::SsubOverflow => u128::from(word::ssub_overflow(width, a, b())),
        WordOp::UmulOverflow => u128::from(word::umul_overflow(width, a, b())),
        WordOp::SmulOverflow => u128::from(word::smul_overflow(width, a, b())),
    }
}

/// The operation on words for an operator whose arguments and result are words, if it is one.
fn word_op(op: Op) -> Option<WordOp> {
    Some(match op {
        Op::Eq => WordOp::Eq,
        Op::Not | Op::BvNot => WordOp::Not,
        Op::And | Op::BvAnd => WordOp::And,
        Op::Or | Op::BvOr => WordOp::Or,
        Op::BvNeg => WordOp::Neg,
        Op::BvAdd => WordOp::Add,
        Op::BvSub => WordOp::Sub,
        Op::BvMul => WordOp::Mul,
        Op::BvUdiv => WordOp::Udiv,
        Op::BvSdiv => WordOp::Sdiv,
        Op::BvUrem => WordOp::Urem,
        Op::BvSrem => WordOp::Srem,
        Op::BvSmod => WordOp::Smod,
        Op::BvXor => WordOp::Xor,
        Op::BvShl => WordOp::Shl,
        Op::BvLshr => WordOp::Lshr,
        Op::BvAshr => WordOp::Ashr,
        Op::BvUlt => WordOp::Ult,
        Op::BvUle => WordOp::Ule,
        Op::BvSlt => WordOp::Slt,
        Op::BvSle => WordOp::Sle,
        Op::BvConcat => WordOp::Concat,
        Op::BvExtract { .. } => WordOp::Extract,
        Op::BvZeroExtend(_) => WordOp::ZeroExtend,
        Op::BvSignExtend(_) => WordOp::SignExtend,
        Op::BvUaddOverflow => WordOp::UaddOverflow,
        Op::BvSaddOverflow => WordOp::SaddOverflow,
        Op::BvUsubOverflow => WordOp::UsubOverflow,
        Op::BvSsubOverflow => WordOp::SsubOverflow,
        Op::BvUmulOverflow => WordOp::UmulOverflow,
        Op::BvSmulOverflow => WordOp::SmulOverflow,
        _ => return None,
    })
}

fn compile(terms: &Terms, root: TermId) -> Code {
    let mut compiler = Compiler { terms, code: Code::default(), registers: FxHashMap::default() };
    for term in terms.post_order(&[root]) {
        let register = compiler.term(term);
        compiler.registers.insert(term, register);
    }
    let mut code = compiler.code;
    code.result = compiler.registers.get(&root).copied();
    code.sort = Some(terms.sort(root));
    code
}

struct Compiler<'a> {
    terms: &'a Terms,
    code: Code,
    registers: FxHashMap<TermId, Register>,
}

impl Compiler<'_> {
    fn word(&mut self, initial: u128) -> u32 {
        self.code.words.push(initial);
        // There are no more registers than terms, whose ids are `u32`; the same holds for the registers of values.
        self.code.words.len() as u32 - 1
    }

    fn value(&mut self) -> u32 {
        self.code.values += 1;
        self.code.values as u32 - 1
    }

    fn register(&mut self, sort: Sort) -> Register {
        if is_word(sort) { Register::Word(self.word(0)) } else { Register::Value(self.value()) }
    }

    fn term(&mut self, term: TermId) -> Register {
        let sort = self.terms.sort(term);
        match self.terms.view(term) {
            View::Const(value) if is_word(sort) => Register::Word(self.word(word_of(value))),
            View::Const(_) => {
                let to = self.value();
                self.code.steps.push(Step::LoadConstant { term, to });
                Register::Value(to)
            }
            View::Var(v) => {
                let register = self.register(sort);
                self.code.steps.push(match register {
                    Register::Word(to) => Step::LoadWord { v, to },
                    Register::Value(to) => Step::LoadValue { v, to },
                });
                register
            }
            View::App(op, args) => self.app(op, args, sort),
        }
    }

    fn app(&mut self, op: Op, args: &[TermId], sort: Sort) -> Register {
        let to = self.register(sort);
        let inputs: SmallVec<[(Register, Sort); 3]> =
            args.iter().map(|arg| (self.registers[arg], self.terms.sort(*arg))).collect();
        let step = match (op, inputs.as_slice(), to) {
            (
                Op::Ite,
                &[
                    (Register::Word(condition), _),
                    (Register::Word(then), _),
                    (Register::Word(other), _),
                ],
                Register::Word(to),
            ) => Step::ChooseWord { condition, then, other, to },
            (
                Op::Ite,
                &[
                    (Register::Word(condition), _),
                    (Register::Value(then), _),
                    (Register::Value(other), _),
                ],
                Register::Value(to),
            ) => Step::ChooseValue { condition, then, other, to },
            (_, _, Register::Word(to)) if let Some(()) = self.on_words(op, &inputs, sort, to) => {
                return Register::Word(to);
            }
            _ => Step::General(Box::new(General { op, args: inputs, to })),
        };
        self.code.steps.push(step);
        to
    }

    /// Code for an operation on words only, if there is an operation for it.
    fn on_words(&mut self, op: Op, inputs: &[(Register, Sort)], sort: Sort, to: u32) -> Option<()> {
        let word_op = word_op(op)?;
        let mut words: SmallVec<[u32; 4]> = SmallVec::new();
        for (register, _) in inputs {
            match register {
                Register::Word(at) => words.push(*at),
                Register::Value(_) => return None,
            }
        }
        let width = |sort: Sort| match sort {
            // The cast is exact: words have at most 128 bits.
            Sort::Bv(width) => width as u8,
            _ => 1,
        };
        let argument_width = width(inputs.first()?.1);
        let (&first, rest) = words.split_first()?;
        let step = match (op, rest) {
            (Op::BvExtract { low, .. }, _) => {
                Step::Word { op: word_op, width: width(sort), a: first, b: low, to }
            }
            (Op::BvSignExtend(wide), _) => {
                Step::Word { op: word_op, width: argument_width, a: first, b: wide, to }
            }
            (Op::BvConcat, &[second]) => {
                Step::Word { op: word_op, width: width(inputs.last()?.1), a: first, b: second, to }
            }
            (_, []) => Step::Word { op: word_op, width: argument_width, a: first, b: 0, to },
            (_, &[second]) => {
                Step::Word { op: word_op, width: argument_width, a: first, b: second, to }
            }
            (Op::And | Op::Or, &[second, ref more @ ..]) => {
                self.code.steps.push(Step::Word { op: word_op, width: 1, a: first, b: second, to });
                let more = more.iter().map(|next| Step::Word {
                    op: word_op,
                    width: 1,
                    a: to,
                    b: *next,
                    to,
                });
                self.code.steps.extend(more);
                return Some(());
            }
            _ => return None,
        };
        self.code.steps.push(step);
        Some(())
    }
}
