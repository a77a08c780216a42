//! Which parts of the formulas make them true in a SAT model.
//!
//! A SAT model gives a value to every literal of the instance, also to those of formulas that are
//! no longer asserted and of alternatives that were not chosen. Only what makes the present
//! formulas true goes to the theories: one true part of a disjunction, one branch of a choice. A
//! model of just these facts is a model of the formulas, and everything else can neither contradict
//! it nor cost time.

use base::Id;
use rustsat::types::Lit;
use term::{Op, Sort, TermId, Terms, Value, View};

use crate::arithmetic::{AtomId, Definition, Fact, Otherwise};
use crate::blast::Blaster;
use crate::circuit::Circuit;

/// What matters in a SAT model.
#[derive(Default)]
pub(crate) struct Relevant {
    /// Bounds that must hold, in an order that is much the same for similar formulas.
    pub facts: Vec<Fact>,
    /// Equations between numbers that must not hold.
    pub disequalities: Vec<AtomId>,
    /// Reads of arrays.
    pub reads: Vec<TermId>,
    /// Indices of reads and writes.
    pub indices: Vec<TermId>,
    /// Constant arrays.
    pub constants: Vec<TermId>,
    /// Equations between arrays.
    pub equations: Vec<TermId>,
    /// Terms in whose circuits operations were left open.
    pub open: Vec<TermId>,
}

/// Marks of visited terms and atoms, kept between walks so that no walk starts with clearing them.
#[derive(Default)]
pub(crate) struct Marks {
    round: u32,
    terms: Vec<u32>,
    atoms: Vec<u32>,
}

impl Marks {
    fn begin(&mut self) {
        self.round = self.round.checked_add(1).unwrap_or_else(|| {
            self.terms.clear();
            self.atoms.clear();
            1
        });
    }

    /// Whether the last walk visited a term.
    pub fn has(&self, term: TermId) -> bool {
        self.terms.get(term.index()) == Some(&self.round)
    }
}

/// Marks a place, and says whether it was not marked yet.
fn first(marks: &mut Vec<u32>, at: usize, round: u32) -> bool {
    if marks.len() <= at {
        marks.resize(at + 1, 0);
    }
    std::mem::replace(&mut marks[at], round) != round
}

struct Walk<'a> {
    terms: &'a Terms,
    blaster: &'a Blaster,
    marks: &'a mut Marks,
    found: Relevant,
    todo: Vec<TermId>,
}

/// Walks over what makes the roots true.
pub(crate) fn collect(
    terms: &Terms,
    blaster: &Blaster,
    marks: &mut Marks,
    roots: &[TermId],
) -> Relevant {
    marks.begin();
    let mut walk = Walk { terms, blaster, marks, found: Relevant::default(), todo: Vec::new() };
    for root in roots {
        walk.todo.push(*root);
        while let Some(term) = walk.todo.pop() {
            if first(&mut walk.marks.terms, term.index(), walk.marks.round) {
                walk.visit(term);
            }
        }
    }
    for (owners, atoms) in blaster.arrays.lemmas() {
        if owners.iter().all(|owner| walk.marks.has(*owner)) {
            for atom in atoms {
                walk.atom(*atom);
            }
        }
    }
    walk.found
}

impl Walk<'_> {
    fn holds(&self, literal: Lit) -> bool {
        self.blaster.gates.sat.value(literal)
    }

    fn literal(&self, term: TermId) -> Option<Lit> {
        match self.blaster.built(term) {
            Some(Circuit::Bool(literal)) => Some(*literal),
            _ => None,
        }
    }

    fn is(&self, term: TermId, value: bool) -> bool {
        self.literal(term).is_some_and(|literal| self.holds(literal) == value)
    }

    /// Adds terms to visit. They are put in reverse order, so that the first of them is visited first.
    fn push(&mut self, args: &[TermId]) {
        self.todo.extend(args.iter().rev());
    }

    fn visit(&mut self, term: TermId) {
        let (op, args) = match self.terms.view(term) {
            View::App(op, args) => (op, args),
            View::Const(Value::Array(_)) => return self.found.constants.push(term),
            View::Const(_) | View::Var(_) => return,
        };
        if !self.blaster.open(term).is_empty() {
            self.found.open.push(term);
        }
        if matches!(self.blaster.built(term), Some(Circuit::Number(number)) if number.plain) {
            return;
        }
        match op {
            Op::And | Op::Or => {
                let deciding = op == Op::Or;
                if !self.is(term, deciding) {
                    self.push(args);
                    return;
                }
                // One part is enough, preferably a part that matters anyway.
                let mut deciders = args.iter().filter(|arg| self.is(**arg, deciding));
                let known = deciders.clone().find(|arg| self.marks.has(**arg));
                match known.or_else(|| deciders.next()) {
                    Some(part) => self.todo.push(*part),
                    None => self.push(args),
                }
            }
            Op::Ite => {
                let chosen = if self.is(args[0], true) { args[1] } else { args[2] };
                self.push(&[args[0], chosen]);
                self.definitions(term);
            }
            Op::Eq | Op::Le | Op::Lt => {
                self.push(args);
                if matches!(self.terms.sort(args[0]), Sort::Array(_)) {
                    self.found.equations.push(term);
                } else if let Some(literal) = self.literal(term)
                    && let Some((atom, _)) = self.blaster.arithmetic.atom(literal)
                {
                    self.atom(atom);
                }
            }
            Op::Select => {
                self.push(args);
                self.found.indices.push(args[1]);
                if !matches!(self.terms.sort(term), Sort::Array(_)) {
                    self.found.reads.push(term);
                }
            }
            Op::Store => {
                self.push(args);
                self.found.indices.push(args[1]);
            }
            _ => {
                self.push(args);
                self.definitions(term);
            }
        }
    }

    fn definitions(&mut self, term: TermId) {
        for definition in self.blaster.arithmetic.definitions(term) {
            self.found.facts.push(match definition {
                Definition::Always(bound) => (self.blaster.gates.constant(true), *bound),
                Definition::Choice(literal, then, otherwise) => {
                    if self.holds(*literal) {
                        (*literal, *then)
                    } else {
                        (!*literal, *otherwise)
                    }
                }
            });
        }
    }

    fn atom(&mut self, id: AtomId) {
        if !first(&mut self.marks.atoms, id.index(), self.marks.round) {
            return;
        }
        let atom = self.blaster.arithmetic.atom_at(id);
        if self.holds(atom.literal) {
            self.found.facts.push((atom.literal, atom.yes));
            return;
        }
        match atom.no {
            Otherwise::Bound(bound) => self.found.facts.push((!atom.literal, bound)),
            Otherwise::Differs => self.found.disequalities.push(id),
            Otherwise::Split { less, at_most } => {
                let side = if self.holds(less) { less } else { at_most };
                if let Some((side, _)) = self.blaster.arithmetic.atom(side) {
                    self.atom(side);
                }
            }
        }
    }
}
