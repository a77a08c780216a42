//! Concrete evaluation of a term, once.

use std::fmt;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::apply::apply;
use crate::table::{TermId, Terms, Var, View};
use crate::value::Value;

/// A symbol that has no value in the environment.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Unbound(pub Var);

impl fmt::Display for Unbound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} has no value", self.0)
    }
}

impl std::error::Error for Unbound {}

/// Values of symbols.
pub trait Environment {
    /// The value of a symbol, of the symbol's sort.
    fn get(&self, v: Var) -> Option<&Value>;
}

impl Environment for FxHashMap<Var, Value> {
    fn get(&self, v: Var) -> Option<&Value> {
        FxHashMap::get(self, &v)
    }
}

impl Environment for std::collections::BTreeMap<Var, Value> {
    fn get(&self, v: Var) -> Option<&Value> {
        std::collections::BTreeMap::get(self, &v)
    }
}

impl Terms {
    /// The value of a term. `env` is asked at most once for each symbol, and must give a value of
    /// the symbol's sort.
    ///
    /// # Errors
    /// If a symbol of the term has no value, even if the value of the term does not depend on this symbol.
    pub fn eval(
        &self,
        t: TermId,
        env: &mut dyn FnMut(Var) -> Option<Value>,
    ) -> Result<Value, Unbound> {
        let mut values: FxHashMap<TermId, Value> = FxHashMap::default();
        for term in self.post_order(&[t]) {
            let value = match self.view(term) {
                View::Const(value) => value.clone(),
                View::Var(v) => env(v).ok_or(Unbound(v))?,
                View::App(op, args) => {
                    let args: SmallVec<[&Value; 4]> = args.iter().map(|arg| &values[arg]).collect();
                    apply(op, &args)
                }
            };
            values.insert(term, value);
        }
        Ok(values.remove(&t).expect("the walk ends with its root"))
    }
}
