//! Every term of two levels over small sorts, under every assignment: rules that need particular
//! constants in particular places are rarely met by chance.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use proviso_term::{Bv, Evaluator, Op, Sort, TermId, Terms, Value, Var, apply};

/// A term with its value under each assignment, computed without simplification.
#[derive(Clone)]
struct Known {
    term: TermId,
    values: Vec<Value>,
}

struct Exhaust {
    terms: Terms,
    envs: Vec<BTreeMap<Var, Value>>,
    checked: usize,
}

impl Exhaust {
    fn var(&mut self, v: Var) -> Known {
        Known {
            term: self.terms.var(v),
            values: self.envs.iter().map(|env| env[&v].clone()).collect(),
        }
    }

    fn constant(&mut self, value: Value) -> Known {
        let values = vec![value.clone(); self.envs.len()];
        Known { term: self.terms.constant(value), values }
    }

    /// The term with this operator, if it takes such arguments, compared with its meaning.
    fn app(&mut self, op: Op, args: &[&Known]) -> Option<Known> {
        let ids: Vec<TermId> = args.iter().map(|arg| arg.term).collect();
        let term = self.terms.try_app(op, &ids).ok()?;
        let mut evaluator = Evaluator::new();
        let mut values = Vec::with_capacity(self.envs.len());
        for (index, env) in self.envs.iter().enumerate() {
            let inputs: Vec<&Value> = args.iter().map(|arg| &arg.values[index]).collect();
            let expected = apply(op, &inputs);
            let found = evaluator.eval(&self.terms, term, env).expect("every symbol has a value");
            if found != expected {
                let shown: Vec<String> =
                    ids.iter().map(|id| self.terms.display(*id).to_string()).collect();
                let became = self.terms.display(term);
                panic!(
                    "{op:?} of {shown:?} became {became}, which is {found} and not {expected} under {env:?}"
                );
            }
            values.push(expected);
        }
        self.checked += 1;
        Some(Known { term, values })
    }

    /// `outer(inner(a, b), c)` and `outer(c, inner(a, b))` for all leaves and operators.
    fn two_levels(&mut self, leaves: &[Known], unary: &[Op], binary: &[Op]) {
        let mut inner = leaves.to_vec();
        for a in leaves {
            inner.extend(unary.iter().filter_map(|op| self.app(*op, &[a])));
            for b in leaves {
                inner.extend(binary.iter().filter_map(|op| self.app(*op, &[a, b])));
            }
        }
        inner.sort_by_key(|known| known.term);
        inner.dedup_by_key(|known| known.term);
        for a in &inner {
            for op in unary {
                self.app(*op, &[a]);
            }
            for b in leaves {
                for op in binary {
                    self.app(*op, &[a, b]);
                    self.app(*op, &[b, a]);
                }
            }
        }
    }
}

#[test]
fn bit_vectors() {
    let mut terms = Terms::new();
    let (x, y) = (terms.declare("x", Sort::Bv(2)), terms.declare("y", Sort::Bv(2)));
    let (b, p) = (terms.declare("b", Sort::Bv(1)), terms.declare("p", Sort::Bool));
    let envs = (0..64u128)
        .map(|n| {
            let bv = |width, bits| Value::Bv(Bv::new(width, bits));
            [
                (x, bv(2, n)),
                (y, bv(2, n >> 2)),
                (b, bv(1, n >> 4)),
                (p, Value::Bool(n >> 5 & 1 == 1)),
            ]
            .into()
        })
        .collect();
    let mut all = Exhaust { terms, envs, checked: 0 };
    let mut leaves = vec![all.var(x), all.var(y), all.var(b)];
    leaves.extend((0..4).map(|bits| all.constant(Value::Bv(Bv::new(2, bits)))));
    leaves.extend((0..2).map(|bits| all.constant(Value::Bv(Bv::new(1, bits)))));
    let p = all.var(p);
    for (then, other) in [(3, 4), (5, 3), (4, 6)] {
        let (then, other) = (leaves[then].clone(), leaves[other].clone());
        leaves.extend(all.app(Op::Ite, &[&p, &then, &other]));
    }
    let unary = [
        Op::BvNot,
        Op::BvNeg,
        Op::BvZeroExtend(2),
        Op::BvZeroExtend(3),
        Op::BvSignExtend(2),
        Op::BvSignExtend(3),
        Op::BvExtract { high: 0, low: 0 },
        Op::BvExtract { high: 1, low: 0 },
        Op::BvExtract { high: 1, low: 1 },
        Op::BvExtract { high: 2, low: 1 },
        Op::BvToIntSigned,
        Op::BvToIntUnsigned,
        Op::IntToBv(1),
        Op::IntToBv(3),
        Op::Not,
    ];
    let binary = [
        Op::BvAdd,
        Op::BvSub,
        Op::BvMul,
        Op::BvUdiv,
        Op::BvSdiv,
        Op::BvUrem,
        Op::BvSrem,
        Op::BvSmod,
        Op::BvAnd,
        Op::BvOr,
        Op::BvXor,
        Op::BvShl,
        Op::BvLshr,
        Op::BvAshr,
        Op::BvUlt,
        Op::BvUle,
        Op::BvSlt,
        Op::BvSle,
        Op::BvConcat,
        Op::BvUaddOverflow,
        Op::BvSaddOverflow,
        Op::BvUsubOverflow,
        Op::BvSsubOverflow,
        Op::BvUmulOverflow,
        Op::BvSmulOverflow,
        Op::Eq,
    ];
    all.two_levels(&leaves, &unary, &binary);
    // Comparisons of extended terms with constants of the greater width.
    let extended: Vec<Known> = leaves
        .iter()
        .flat_map(|leaf| [(Op::BvZeroExtend(3), leaf), (Op::BvSignExtend(3), leaf)])
        .filter_map(|(op, leaf)| all.app(op, &[leaf]))
        .collect();
    for bits in 0..8 {
        let constant = all.constant(Value::Bv(Bv::new(3, bits)));
        for term in &extended {
            for op in [Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle, Op::Eq, Op::BvAnd, Op::BvAdd] {
                all.app(op, &[term, &constant]);
                all.app(op, &[&constant, term]);
            }
        }
    }
    assert!(all.checked > 50_000, "{}", all.checked);
}

#[test]
fn numbers() {
    let mut terms = Terms::new();
    let (i, j) = (terms.declare("i", Sort::Int), terms.declare("j", Sort::Int));
    let int = |n: i32| Value::Int(BigInt::from(n));
    let envs = (0..25).map(|n| [(i, int(n % 5 - 2)), (j, int(n / 5 - 2))].into()).collect();
    let mut all = Exhaust { terms, envs, checked: 0 };
    let mut leaves = vec![all.var(i), all.var(j)];
    leaves.extend((-2..=3).map(|n| all.constant(int(n))));
    let binary =
        [Op::Add, Op::Sub, Op::Mul, Op::IntDiv, Op::IntMod, Op::IntRem, Op::Le, Op::Lt, Op::Eq];
    all.two_levels(&leaves, &[Op::Neg, Op::ToRat, Op::ToInt], &binary);
    let rationals: Vec<Known> =
        leaves.iter().filter_map(|leaf| all.app(Op::ToRat, &[leaf])).collect();
    let binary = [Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Le, Op::Lt, Op::Eq];
    all.two_levels(&rationals, &[Op::Neg, Op::ToInt], &binary);
    assert!(all.checked > 5_000, "{}", all.checked);
}

#[test]
fn truth() {
    let mut terms = Terms::new();
    let vars: Vec<Var> =
        ["p", "q", "r"].iter().map(|name| terms.declare(*name, Sort::Bool)).collect();
    let envs = (0..8u32)
        .map(|n| {
            vars.iter().enumerate().map(|(bit, v)| (*v, Value::Bool(n >> bit & 1 == 1))).collect()
        })
        .collect();
    let mut all = Exhaust { terms, envs, checked: 0 };
    let mut leaves: Vec<Known> = vars.iter().map(|v| all.var(*v)).collect();
    leaves.extend([false, true].map(|value| all.constant(Value::Bool(value))));
    let negated: Vec<Known> = leaves.iter().filter_map(|leaf| all.app(Op::Not, &[leaf])).collect();
    leaves.extend(negated);
    let mut choices = leaves.clone();
    for c in &leaves {
        for a in &leaves {
            for b in &leaves {
                choices.extend(all.app(Op::Ite, &[c, a, b]));
            }
        }
    }
    choices.sort_by_key(|known| known.term);
    choices.dedup_by_key(|known| known.term);
    for a in &choices {
        all.app(Op::Not, &[a]);
        for b in &choices {
            for op in [Op::And, Op::Or, Op::Eq] {
                all.app(op, &[a, b]);
            }
        }
        for b in &leaves {
            for c in &leaves {
                all.app(Op::Ite, &[b, a, c]);
                all.app(Op::Ite, &[b, c, a]);
                all.app(Op::Ite, &[a, b, c]);
            }
        }
    }
    assert!(all.checked > 5_000, "{}", all.checked);
}
