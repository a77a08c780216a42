//! The abstraction of a block, piece by piece: predicates and formulas that share no symbols are
//! independent of each other, and predicates that are independent of the block keep their values.

use std::rc::Rc;

use run::Unknown;
use rustc_hash::FxHashMap;
use term::{Op, TermId, Terms, Var, View};

use crate::predicate::ask::Ask;
use crate::predicate::combination::{Abstraction, Combination, Exactness, Part, Question};
use crate::predicate::diagram::Before;

/// Formulas and predicates that speak of the same symbols, directly or through each other.
#[derive(Default)]
struct Piece {
    formulas: Vec<TermId>,
    /// The indices of the predicates.
    predicates: Vec<usize>,
    /// Whether one of the formulas is about the way through the block.
    on_the_way: bool,
}

impl Ask {
    /// The strongest combination of predicates after a block, given over the values at its start;
    /// `None` if no execution gets there.
    pub(crate) fn by_pieces(
        &mut self,
        terms: &mut Terms,
        kind: Abstraction,
        conditions: &[TermId],
        before: Before<'_>,
        asked: &[TermId],
    ) -> Result<Option<Combination>, Unknown> {
        let mut whole = Combination::anything(asked.len(), Exactness::Cubes);
        for Piece { mut formulas, predicates, on_the_way } in
            self.pieces(terms, conditions, before.known, asked)
        {
            let about: Vec<TermId> = predicates.iter().map(|index| asked[*index]).collect();
            if !on_the_way && let Some(carried) = carry(terms, kind, before, &about) {
                self.queries.carried += about.len() as u64;
                whole.include(&predicates, &carried);
                continue;
            }
            formulas.sort_unstable();
            formulas.dedup();
            let question = Question { kind, formulas, predicates: about };
            let answer = match self.answers.get(&question) {
                Some(known) => {
                    self.queries.repeated += 1;
                    known.clone()
                }
                None => {
                    self.queries.abstractions += 1;
                    let answer = self.abstraction(terms, &question)?;
                    self.answers.insert(question, answer.clone());
                    answer
                }
            };
            let Some(answer) = answer else { return Ok(None) };
            whole.include(&predicates, &answer);
        }
        Ok(Some(whole))
    }

    /// The symbols of a formula.
    fn symbols_of(&mut self, terms: &Terms, formula: TermId) -> Rc<[Var]> {
        let known = self.symbols.entry(formula).or_insert_with(|| terms.vars(formula).into());
        Rc::clone(known)
    }

    /// The pieces of some formulas and predicates. Pieces with conditions of the way through the block come first: they
    /// may show that no execution takes this way.
    fn pieces(
        &mut self,
        terms: &Terms,
        conditions: &[TermId],
        known: TermId,
        asked: &[TermId],
    ) -> Vec<Piece> {
        let mut formulas: Vec<TermId> = Vec::new();
        for each in conditions {
            conjuncts(terms, *each, &mut formulas);
        }
        let border = formulas.len();
        conjuncts(terms, known, &mut formulas);
        let mut groups = Groups::default();
        for each in formulas.iter().chain(asked) {
            let symbols = self.symbols_of(terms, *each);
            groups.add(&symbols);
        }
        let mut pieces: Vec<Piece> = Vec::new();
        let mut place: FxHashMap<usize, usize> = FxHashMap::default();
        for item in 0..formulas.len() + asked.len() {
            let at = *place.entry(groups.find(item)).or_insert_with(|| {
                pieces.push(Piece::default());
                pieces.len() - 1
            });
            let piece = &mut pieces[at];
            piece.on_the_way |= item < border;
            match formulas.get(item) {
                Some(formula) => piece.formulas.push(*formula),
                None => piece.predicates.push(item - formulas.len()),
            }
        }
        pieces
    }

    /// The conditions of a way, and those of the formulas known before it that have to do with these conditions.
    pub(crate) fn on_the_way(
        &mut self,
        terms: &Terms,
        conditions: &[TermId],
        before: Before<'_>,
    ) -> Vec<TermId> {
        // The formulas that are known before the way have a model, unless the solver has left that open.
        let satisfiable = before.combination.exact >= Exactness::Literals;
        let pieces = self.pieces(terms, conditions, before.known, &[]);
        let needed = pieces.into_iter().filter(|piece| piece.on_the_way || !satisfiable);
        let mut formulas: Vec<TermId> = needed.flat_map(|piece| piece.formulas).collect();
        formulas.sort_unstable();
        formulas.dedup();
        formulas
    }
}

/// The formulas of a conjunction, but for those that say nothing.
fn conjuncts(terms: &Terms, formula: TermId, found: &mut Vec<TermId>) {
    match terms.view(formula) {
        View::App(Op::And, parts) => {
            for part in parts {
                conjuncts(terms, *part, found);
            }
        }
        _ if terms.is_true(formula) => {}
        _ => found.push(formula),
    }
}

/// The values of predicates that share no symbol with a block, as they are at the start of the block. The solver
/// would answer the same: every combination of values at the start is known to have a model.
fn carry(
    terms: &Terms,
    kind: Abstraction,
    before: Before<'_>,
    about: &[TermId],
) -> Option<Combination> {
    let Before { predicates, combination, .. } = before;
    if combination.exact == Exactness::Unclear {
        return None;
    }
    // For each predicate the index of the predicate at the start from which its value comes, and whether it is the
    // negation of that predicate.
    let mut origins = Vec::with_capacity(about.len());
    for each in about {
        let (positive, negated) = match terms.view(*each) {
            View::App(Op::Not, &[inner]) => (inner, true),
            _ => (*each, false),
        };
        let (origin, negated) = match predicates.iter().position(|other| other == each) {
            Some(index) => (index, false),
            None => (predicates.iter().position(|other| *other == positive)?, negated),
        };
        origins.push((origin, negated));
    }
    let fixed: Vec<Option<bool>> = origins
        .iter()
        .map(|(origin, negated)| combination.fixed[*origin].map(|value| value != *negated))
        .collect();
    let any_open = fixed.iter().any(Option::is_none);
    if any_open && kind != Abstraction::Cartesian && combination.exact != Exactness::Cubes {
        return None;
    }
    let mut parts = Vec::new();
    for part in combination.parts.iter().filter(|_| kind != Abstraction::Cartesian) {
        let place = |index: usize| part.open.iter().position(|open| *open == index);
        let chosen: Vec<(usize, usize, bool)> = origins
            .iter()
            .enumerate()
            .filter_map(|(index, (origin, negated))| Some((index, place(*origin)?, *negated)))
            .collect();
        if chosen.is_empty() {
            continue;
        }
        let cubes = part.cubes.iter().map(|cube| {
            chosen.iter().map(|(_, place, negated)| cube[*place] != *negated).collect()
        });
        let open = chosen.iter().map(|(index, _, _)| *index).collect();
        parts.push(Part { open, cubes: Rc::new(cubes.collect()) });
    }
    let exact = match kind {
        Abstraction::Cartesian if any_open => Exactness::Literals,
        _ => Exactness::Cubes,
    };
    Some(Combination { fixed, parts, exact })
}

/// Items that share symbols, by union and find.
#[derive(Default)]
struct Groups {
    parents: Vec<usize>,
    first: FxHashMap<Var, usize>,
}

impl Groups {
    fn add(&mut self, symbols: &[Var]) {
        let item = self.parents.len();
        self.parents.push(item);
        for symbol in symbols {
            let other = *self.first.entry(*symbol).or_insert(item);
            let (a, b) = (self.find(other), self.find(item));
            self.parents[a.max(b)] = a.min(b);
        }
    }

    fn find(&mut self, mut item: usize) -> usize {
        while self.parents[item] != item {
            self.parents[item] = self.parents[self.parents[item]];
            item = self.parents[item];
        }
        item
    }
}
