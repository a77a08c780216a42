//! The operations of a transition mean exactly its relation: both are enumerated over small
//! numbers and compared, for random transitions over two variables.

use std::collections::BTreeSet;

use cfa::{Op, Program};
use num_rational::BigRational;
use proviso_frontend::armc::load;
use term::{Value, Var};

use crate::render::{Numbers, loaded, messages};

/// Old X and Y, new X and Y, and a number of neither state.
const SYMBOLS: [&str; 5] = ["X", "Y", "A", "B", "N"];
/// What variables of the states range over.
const SMALL: std::ops::RangeInclusive<i64> = -1..=1;
/// What the number of neither state ranges over: more than a sum of small numbers can reach.
const LARGE: std::ops::RangeInclusive<i64> = -9..=9;

/// A sum: a factor for each symbol, and a constant.
struct Sum([i64; 6]);

impl Sum {
    fn random(numbers: &mut Numbers) -> Self {
        let mut factors = [0; 6];
        for _ in 0..=numbers.below(2) {
            factors[numbers.below(6)] = [1, 1, 1, -1][numbers.below(4)];
        }
        Self(factors)
    }

    fn text(&self) -> String {
        let mut text = self.0[5].to_string();
        for (factor, symbol) in self.0.iter().zip(SYMBOLS) {
            match factor {
                1 => text += &format!(" + {symbol}"),
                -1 => text += &format!(" - {symbol}"),
                _ => {}
            }
        }
        // An equation with a bare symbol is a definition, and these are to be frequent.
        if let Some(symbol) = text.strip_prefix("0 + ").filter(|rest| rest.len() == 1) {
            return symbol.to_owned();
        }
        text
    }

    fn value(&self, values: &[i64; 5]) -> i64 {
        let products = self.0.iter().zip(values).map(|(factor, value)| factor * value);
        products.sum::<i64>() + self.0[5]
    }
}

struct Constraint(Sum, &'static str, Sum);

impl Constraint {
    fn random(numbers: &mut Numbers) -> Self {
        let op = ["=", "=", "=", "=:=", "=<", "<", ">=", "=\\="][numbers.below(8)];
        Self(Sum::random(numbers), op, Sum::random(numbers))
    }

    fn holds(&self, values: &[i64; 5]) -> bool {
        let (a, b) = (self.0.value(values), self.2.value(values));
        match self.1 {
            "=" | "=:=" => a == b,
            "=<" => a <= b,
            "<" => a < b,
            ">=" => a >= b,
            _ => a != b,
        }
    }
}

/// The new states that the relation allows. `places` says which symbols the new state holds.
fn related(old: [i64; 2], places: [usize; 2], constraints: &[Constraint]) -> BTreeSet<[i64; 2]> {
    let mut found = BTreeSet::new();
    for a in SMALL {
        for b in SMALL {
            for n in LARGE {
                let values = [old[0], old[1], a, b, n];
                if constraints.iter().all(|constraint| constraint.holds(&values)) {
                    found.insert([values[places[0]], values[places[1]]]);
                }
            }
        }
    }
    found
}

/// The new states that the operations reach.
fn reached(program: &Program, ops: &[Op], values: &mut Vec<i64>, found: &mut BTreeSet<[i64; 2]>) {
    let Some((op, rest)) = ops.split_first() else {
        if SMALL.contains(&values[0]) && SMALL.contains(&values[1]) {
            found.insert([values[0], values[1]]);
        }
        return;
    };
    let eval = |values: &[i64], term| {
        let lookup = |var: Var| {
            let number = values[base::Id::index(var)];
            Some(Value::Rat(BigRational::from_integer(number.into())))
        };
        program.terms.eval(term, &mut { lookup }).expect("every variable has a value")
    };
    match op {
        Op::Assume(condition) => {
            if eval(values, *condition).as_bool() == Some(true) {
                reached(program, rest, values, found);
            }
        }
        Op::Assign { var, value } => {
            let value = eval(values, *value);
            let value = value.as_rat().expect("a number");
            assert!(value.is_integer(), "factors are whole");
            let value = i64::try_from(value.to_integer()).expect("a small number");
            let index = base::Id::index(*var);
            let before = std::mem::replace(&mut values[index], value);
            reached(program, rest, values, found);
            values[index] = before;
        }
        Op::Havoc { var, .. } => {
            let index = base::Id::index(*var);
            let range = if program.terms.var_name(*var) == "N" { LARGE } else { SMALL };
            let before = values[index];
            for value in range {
                values[index] = value;
                reached(program, rest, values, found);
            }
            values[index] = before;
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn operations_mean_the_relation() {
    let mut numbers = Numbers::new(11);
    for _ in 0..1500 {
        let count = numbers.below(4);
        let constraints: Vec<Constraint> =
            (0..count).map(|_| Constraint::random(&mut numbers)).collect();
        let places = [[2, 3], [2, 3], [2, 3], [0, 3], [1, 0], [2, 2], [2, 0]][numbers.below(7)];
        let parts = constraints.iter().map(|c| format!("{} {} {}", c.0.text(), c.1, c.2.text()));
        let text = format!(
            "start(a). error(e). r(p(a,X,Y), p(b,{},{}), [{}], [], 1).",
            SYMBOLS[places[0]],
            SYMBOLS[places[1]],
            parts.collect::<Vec<_>>().join(", ")
        );
        let model = loaded(&text, load);
        assert_eq!(messages(&model), [""; 0], "{text}");
        let edge = model.program.cfa.edges.iter().next().expect("one edge");
        for x in SMALL {
            for y in SMALL {
                // A new symbol that is not in the new state is a number of neither, and small
                // ones would not do for it; the ranges here are made for N alone.
                let free = [2, 3].iter().any(|symbol| {
                    !places.contains(symbol) && constraints.iter().any(|c| uses(c, *symbol))
                });
                if free {
                    continue;
                }
                let mut found = BTreeSet::new();
                let mut values = vec![0; model.program.terms.var_count()];
                (values[0], values[1]) = (x, y);
                reached(&model.program, &edge.ops, &mut values, &mut found);
                assert_eq!(found, related([x, y], places, &constraints), "{text} from {x}, {y}");
            }
        }
    }
}

fn uses(constraint: &Constraint, symbol: usize) -> bool {
    constraint.0.0[symbol] != 0 || constraint.2.0[symbol] != 0
}
