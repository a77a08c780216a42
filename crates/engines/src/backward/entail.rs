//! The theorem prover: conjunctions of atoms over the rationals, decided exactly by simplex.
//!
//! A disequality is no linear constraint, but it needs no case split either: a convex set that lies
//! in a union of finitely many hyperplanes lies in one of them, so a conjunction with disequalities
//! has a solution if the rest has one outside each hyperplane.

use num_rational::BigRational;
use num_traits::Zero;
use smt::linear::{Constraint, Outcome, Relation as Compare, System, Unknown as Column};

use super::atom::{Atom, AtomId, Atoms, Relation};
use super::linear::PlaceNumber;
use super::sample::Sample;
use run::Unknown;

/// A conjunction about which questions are asked.
pub struct Context<'a> {
    atoms: &'a Atoms,
    limits: &'a run::Budget,
    system: System,
    columns: Vec<Option<Column>>,
    /// Solutions found so far, disequalities included: an atom that fails in one of them is not implied.
    samples: Vec<Sample>,
    differ: Vec<AtomId>,
    tag: u32,
    satisfiable: bool,
}

impl<'a> Context<'a> {
    /// Takes a conjunction in.
    pub fn new(
        atoms: &'a Atoms,
        conjunction: &[AtomId],
        limits: &'a run::Budget,
    ) -> Result<Self, Unknown> {
        let mut context = Self {
            atoms,
            limits,
            system: System::new(),
            columns: Vec::new(),
            samples: Vec::new(),
            differ: Vec::new(),
            tag: 0,
            satisfiable: false,
        };
        for id in conjunction {
            let atom = atoms.atom(*id);
            if atom.relation == Relation::Ne {
                context.differ.push(*id);
            } else if !conjunction.iter().any(|other| {
                // A weaker bound on the same sum says nothing new.
                other != id && atoms.atom(*other).implies(atom)
            }) {
                context.assert(atom, atom.relation);
            }
        }
        context.satisfiable = context.has_solution()?;
        Ok(context)
    }

    /// Whether the conjunction has a solution over the rationals.
    pub fn is_satisfiable(&self) -> bool {
        self.satisfiable
    }

    fn column(&mut self, place: PlaceNumber) -> Column {
        let index = place as usize;
        if self.columns.len() <= index {
            self.columns.resize(index + 1, None);
        }
        if let Some(column) = self.columns[index] {
            return column;
        }
        let column = self.system.variable(false);
        self.columns[index] = Some(column);
        // The range of the place is asserted with the first atom about the place, and taken back together with this
        // atom.
        if let Some((least, greatest)) = self.atoms.range(place) {
            for (factor, bound) in [(-1, -least), (1, greatest.clone())] {
                let constraint = Constraint {
                    terms: vec![(BigRational::from_integer(factor.into()), column)],
                    relation: Compare::LessEqual,
                    constant: BigRational::from_integer(bound),
                };
                self.tag += 1;
                self.system.assert(&constraint, self.tag);
            }
        }
        column
    }

    fn assert(&mut self, atom: &Atom, relation: Relation) {
        let (sign, relation) = match relation {
            Relation::Le => (1, Compare::LessEqual),
            Relation::Lt => (1, Compare::Less),
            Relation::Ge => (-1, Compare::LessEqual),
            Relation::Gt => (-1, Compare::Less),
            // Callers split disequalities into `<` and `>`, so none is asserted.
            Relation::Eq | Relation::Ne => (1, Compare::Equal),
        };
        let atoms = self.atoms;
        let terms = atoms
            .form(atom.form)
            .iter()
            .map(|(place, factor)| (BigRational::from_integer(factor * sign), self.column(*place)))
            .collect();
        let constant = &atom.constant * BigRational::from_integer(sign.into());
        self.tag += 1;
        self.system.assert(&Constraint { terms, relation, constant }, self.tag);
    }

    /// Whether the asserted constraints have a solution, if disequalities are left out.
    fn check(&mut self) -> Result<bool, Unknown> {
        match self.system.check(self.limits) {
            Outcome::Sat => Ok(true),
            Outcome::Unsat(_) => Ok(false),
            Outcome::Unknown(reason) => Err(reason.into()),
        }
    }

    /// Whether the asserted constraints have a solution together with all disequalities.
    fn has_solution(&mut self) -> Result<bool, Unknown> {
        if !self.check()? {
            return Ok(false);
        }
        let sample = self.sample();
        let mut whole = true;
        for index in 0..self.differ.len() {
            let differ = self.differ[index];
            let atoms = self.atoms;
            let atom = atoms.atom(differ);
            if sample.satisfies(atoms, differ) {
                continue;
            }
            whole = false;
            let mut apart = false;
            for relation in [Relation::Lt, Relation::Gt] {
                let mark = self.system.mark();
                self.assert(atom, relation);
                let found = self.check();
                self.system.undo(mark);
                if found? {
                    apart = true;
                    break;
                }
            }
            if !apart {
                return Ok(false);
            }
        }
        if whole {
            self.samples.push(sample);
        }
        Ok(true)
    }

    fn sample(&self) -> Sample {
        let value = |column: &Option<Column>| match column {
            Some(column) => self.system.value(*column),
            None => BigRational::zero(),
        };
        Sample::new(self.columns.iter().map(value).collect())
    }

    /// Whether the conjunction implies an atom.
    pub fn implies(&mut self, id: AtomId) -> Result<bool, Unknown> {
        if !self.satisfiable {
            return Ok(true);
        }
        let atoms = self.atoms;
        let atom = atoms.atom(id);
        if self.samples.iter().rev().any(|sample| !sample.satisfies(atoms, id)) {
            return Ok(false);
        }
        let negations: &[Relation] = match atom.relation {
            Relation::Eq => &[Relation::Lt, Relation::Gt],
            other => &[other.negated()],
        };
        for negation in negations {
            let mark = self.system.mark();
            self.assert(atom, *negation);
            let found = self.has_solution();
            self.system.undo(mark);
            if found? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
