//! Boolean gates as clauses, each built once.
//!
//! The gates hold the products and quotients that wait (`lazy`), whose lemmas are circuits on words (`words`), which
//! are made of gates. So these three files know each other.

use rustc_hash::FxHashMap;
use rustsat::types::Lit;

use crate::lazy::Lazy;
use crate::sat::Sat;
use run::{Budget, Exceeded};

/// A circuit over a SAT solver. Literals of equal gates are equal.
pub(crate) struct Gates {
    pub sat: Sat,
    yes: Lit,
    ands: FxHashMap<(Lit, Lit), Lit>,
    /// Conjunctions of three and more, sorted.
    wide_ands: FxHashMap<Box<[Lit]>, Lit>,
    xors: FxHashMap<(Lit, Lit), Lit>,
    ites: FxHashMap<(Lit, Lit, Lit), Lit>,
    majorities: FxHashMap<(Lit, Lit, Lit), Lit>,
    /// Operations whose circuits have not been built yet.
    pub lazy: Lazy,
    /// The limits within which gates are built.
    pub limits: Budget,
    /// Why no more gates should be built. A circuit that was being built then is not finished, and code that asked for
    /// the circuit must look here before using it.
    over: Option<Exceeded>,
    built: u32,
}

/// How many gates are built between two looks at the limits: one circuit may have millions.
const GATES_PER_LOOK: u32 = 4096;

impl Gates {
    pub fn new() -> Self {
        let mut sat = Sat::new();
        let yes = sat.fresh();
        sat.clause(&[yes]);
        Self {
            sat,
            yes,
            ands: FxHashMap::default(),
            wide_ands: FxHashMap::default(),
            xors: FxHashMap::default(),
            ites: FxHashMap::default(),
            majorities: FxHashMap::default(),
            lazy: Lazy::default(),
            limits: Budget::default(),
            over: None,
            built: 0,
        }
    }

    /// A literal for a new gate.
    fn gate(&mut self) -> Lit {
        self.built += 1;
        if self.built.is_multiple_of(GATES_PER_LOOK) {
            self.look();
        }
        self.sat.fresh()
    }

    /// Looks at the limits, and says which one is exceeded if one is.
    pub fn look(&mut self) -> Option<Exceeded> {
        let room = self.limits.memory().is_none_or(|most| self.sat.bytes() as u64 <= most);
        let over = if room { self.limits.exceeded() } else { Some(Exceeded::Memory) };
        self.over = self.over.or(over);
        self.over
    }

    /// Why no more gates should be built, as of the last look.
    pub fn over(&self) -> Option<Exceeded> {
        self.over
    }

    pub fn constant(&self, value: bool) -> Lit {
        if value { self.yes } else { !self.yes }
    }

    /// The value of a literal that is constant.
    pub fn known(&self, literal: Lit) -> Option<bool> {
        (literal.var() == self.yes.var()).then_some(literal == self.yes)
    }

    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        match (self.known(a), self.known(b)) {
            (Some(false), _) | (_, Some(false)) => return !self.yes,
            (Some(true), _) => return b,
            (_, Some(true)) => return a,
            _ if a == b => return a,
            _ if a == !b => return !self.yes,
            _ => {}
        }
        let key = if a < b { (a, b) } else { (b, a) };
        if let Some(gate) = self.ands.get(&key) {
            return *gate;
        }
        let gate = self.gate();
        self.sat.clause(&[!gate, a]);
        self.sat.clause(&[!gate, b]);
        self.sat.clause(&[gate, !a, !b]);
        self.ands.insert(key, gate);
        gate
    }

    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// A conjunction, made of one gate.
    pub fn and_all(&mut self, literals: &[Lit]) -> Lit {
        let mut parts: Vec<Lit> = Vec::with_capacity(literals.len());
        for &literal in literals {
            match self.known(literal) {
                Some(false) => return !self.yes,
                Some(true) => {}
                None => parts.push(literal),
            }
        }
        parts.sort_unstable();
        parts.dedup();
        // A literal and its negation are neighbours in the order.
        if parts.windows(2).any(|pair| pair[0] == !pair[1]) {
            return !self.yes;
        }
        match parts.as_slice() {
            [] => self.yes,
            [one] => *one,
            [a, b] => self.and(*a, *b),
            _ => {
                if let Some(gate) = self.wide_ands.get(parts.as_slice()) {
                    return *gate;
                }
                let gate = self.gate();
                for part in &parts {
                    self.sat.clause(&[!gate, *part]);
                }
                let mut back: Vec<Lit> = parts.iter().map(|part| !*part).collect();
                back.push(gate);
                self.sat.clause(&back);
                self.wide_ands.insert(parts.into(), gate);
                gate
            }
        }
    }

    /// A disjunction, made of one gate.
    pub fn or_all(&mut self, literals: &[Lit]) -> Lit {
        let negated: Vec<Lit> = literals.iter().map(|literal| !*literal).collect();
        !self.and_all(&negated)
    }

    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        match (self.known(a), self.known(b)) {
            (Some(value), _) => return if value { !b } else { b },
            (_, Some(value)) => return if value { !a } else { a },
            _ if a == b => return !self.yes,
            _ if a == !b => return self.yes,
            _ => {}
        }
        // Negations move outside of the gate, so that one gate serves all four combinations of signs.
        let flip = a.is_neg() != b.is_neg();
        let (a, b) = (a.var().pos_lit(), b.var().pos_lit());
        let key = if a < b { (a, b) } else { (b, a) };
        let gate = match self.xors.get(&key) {
            Some(gate) => *gate,
            None => {
                let gate = self.gate();
                self.sat.clause(&[!gate, a, b]);
                self.sat.clause(&[!gate, !a, !b]);
                self.sat.clause(&[gate, !a, b]);
                self.sat.clause(&[gate, a, !b]);
                self.xors.insert(key, gate);
                gate
            }
        };
        if flip { !gate } else { gate }
    }

    pub fn ite(&mut self, condition: Lit, then: Lit, otherwise: Lit) -> Lit {
        if condition.is_neg() {
            return self.ite(!condition, otherwise, then);
        }
        match self.known(condition) {
            Some(true) => return then,
            Some(false) => return otherwise,
            None => {}
        }
        if then == otherwise {
            return then;
        }
        if then == !otherwise {
            return !self.xor(condition, then);
        }
        match (self.known(then), self.known(otherwise)) {
            (Some(true), _) => return self.or(condition, otherwise),
            (Some(false), _) => return self.and(!condition, otherwise),
            (_, Some(true)) => return self.or(!condition, then),
            (_, Some(false)) => return self.and(condition, then),
            _ => {}
        }
        if then == condition || otherwise == condition {
            return if then == condition {
                self.or(condition, otherwise)
            } else {
                self.and(condition, then)
            };
        }
        if then == !condition || otherwise == !condition {
            return if then == !condition {
                self.and(!condition, otherwise)
            } else {
                self.or(!condition, then)
            };
        }
        let key = (condition, then, otherwise);
        if let Some(gate) = self.ites.get(&key) {
            return *gate;
        }
        let gate = self.gate();
        self.sat.clause(&[!condition, !then, gate]);
        self.sat.clause(&[!condition, then, !gate]);
        self.sat.clause(&[condition, !otherwise, gate]);
        self.sat.clause(&[condition, otherwise, !gate]);
        // These clauses are redundant, and worth their cost: they propagate without knowing the condition.
        self.sat.clause(&[!then, !otherwise, gate]);
        self.sat.clause(&[then, otherwise, !gate]);
        self.ites.insert(key, gate);
        gate
    }

    /// Sum and carry of three bits.
    pub fn full_adder(&mut self, a: Lit, b: Lit, c: Lit) -> (Lit, Lit) {
        let half = self.xor(a, b);
        let sum = self.xor(half, c);
        (sum, self.majority(a, b, c))
    }

    /// Whether at least two of three bits are set.
    pub fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        for (x, y, z) in [(a, b, c), (b, c, a), (c, a, b)] {
            match self.known(x) {
                Some(true) => return self.or(y, z),
                Some(false) => return self.and(y, z),
                None => {}
            }
            if x == y {
                return x;
            }
            if x == !y {
                return z;
            }
        }
        let mut key = [a, b, c];
        key.sort_unstable();
        let key = (key[0], key[1], key[2]);
        if let Some(gate) = self.majorities.get(&key) {
            return *gate;
        }
        let gate = self.gate();
        for (x, y) in [(a, b), (b, c), (a, c)] {
            self.sat.clause(&[!x, !y, gate]);
            self.sat.clause(&[x, y, !gate]);
        }
        self.majorities.insert(key, gate);
        gate
    }
}
