//! The way back: maps each part of a rewritten program to the part of the original program that it was
//! made from.

use std::collections::BTreeMap;

use base::IndexVec;
use cfa::{EdgeId, LocId, Program, Scope};
use interp::Site;
use term::{TermId, Terms, Var};

/// What each part of a rewritten program was in the original.
#[derive(Clone, Debug)]
pub struct Back {
    pub(crate) locations: IndexVec<LocId, Option<LocationOrigin>>,
    pub(crate) edges: IndexVec<EdgeId, Option<Box<[EdgeId]>>>,
    pub(crate) ops: IndexVec<EdgeId, Box<[OperationOrigin]>>,
    pub(crate) variables: IndexVec<Var, Option<Var>>,
    /// Variables that hold what they hold in the original at these locations only, in order.
    pub(crate) partial: BTreeMap<Var, Box<[LocId]>>,
}

/// The location of the original that a location of a rewritten program is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LocationOrigin {
    /// The location of the original.
    pub location: LocId,
    /// Whether every execution that passes the location of the original has a counterpart that passes the location of
    /// the rewritten program. Otherwise what holds at the latter need not hold at the former.
    pub whole: bool,
}

/// The operation of the original that an operation of a rewritten program is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OperationOrigin {
    /// This operation; its terms may have become simpler.
    Op(Site),
    /// An activation that begins with this variable arbitrary.
    Local(Var),
    /// No operation: here the rewritten program chooses how many rounds of a loop are taken at once.
    Rounds,
    /// This operation in each of the rounds that are taken at once, with the same value in all of them.
    EachRound(Site),
    /// No operation: a pass has added this one.
    Added,
}

impl Back {
    /// The way from a program to itself.
    #[must_use]
    pub fn identity(program: &Program) -> Self {
        let cfa = &program.cfa;
        let origin = |location| Some(LocationOrigin { location, whole: true });
        Self {
            locations: cfa.locations.ids().map(origin).collect(),
            edges: cfa.edges.ids().map(|edge| Some([edge].into())).collect(),
            ops: cfa
                .edges
                .entries()
                .map(|(edge, taken)| {
                    // Edges have fewer than 2^32 operations.
                    (0..taken.ops.len() as u32)
                        .map(|op| OperationOrigin::Op(Site { edge, op }))
                        .collect()
                })
                .collect(),
            variables: cfa.variables.ids().map(Some).collect(),
            partial: BTreeMap::new(),
        }
    }

    /// The way back that a pass outside of this crate has noted: what each location, edge and operation
    /// was. Variables keep their numbers and what they hold; those beyond `variables` are new.
    #[must_use]
    pub fn noted(
        locations: IndexVec<LocId, Option<LocationOrigin>>,
        edges: IndexVec<EdgeId, Option<Box<[EdgeId]>>>,
        ops: IndexVec<EdgeId, Box<[OperationOrigin]>>,
        variables: usize,
    ) -> Self {
        let variables = (0..variables).map(|index| Some(base::Id::from_index(index))).collect();
        Self { locations, edges, ops, variables, partial: BTreeMap::new() }
    }

    /// The location of the original that a location is. `None` if a pass has made it.
    #[must_use]
    pub fn location(&self, location: LocId) -> Option<LocationOrigin> {
        self.locations[location]
    }

    /// The edges of the original that an edge stands for, in order: none where a step of the
    /// rewritten program is no step of the original. `None` where executions of the original take
    /// one of several ways that the rewritten program does not tell apart.
    #[must_use]
    pub fn edge(&self, edge: EdgeId) -> Option<&[EdgeId]> {
        self.edges[edge].as_deref()
    }

    /// The path of the original that a path stands for. `None` if the original takes one of several paths.
    #[must_use]
    pub fn path(&self, edges: &[EdgeId]) -> Option<Vec<EdgeId>> {
        let mut path = Vec::with_capacity(edges.len());
        for edge in edges {
            path.extend_from_slice(self.edge(*edge)?);
        }
        Some(path)
    }

    /// The operation of the original that an operation is.
    #[must_use]
    pub fn op(&self, site: Site) -> OperationOrigin {
        self.ops[site.edge].get(site.op as usize).copied().unwrap_or(OperationOrigin::Added)
    }

    /// The variable of the original that a variable is. `None` if a pass has made it, or if it
    /// does not hold what it holds in the original.
    #[must_use]
    pub fn variable(&self, var: Var) -> Option<Var> {
        self.variables.get(var).copied().flatten()
    }

    /// As [`Self::variable`], at a location of the rewritten program.
    #[must_use]
    pub fn variable_at(&self, location: LocId, var: Var) -> Option<Var> {
        match self.partial.get(&var) {
            Some(places) if places.binary_search(&location).is_err() => None,
            _ => self.variable(var),
        }
    }

    /// Translates a formula about a location of the rewritten program to the place of the original that the location
    /// stands for. The formula is in `from`, a table that the table of the rewritten program has grown into; the result
    /// is built in `into`, a table that the table of the original has grown into. If the formula holds whenever the
    /// rewritten program is at the location, then so does the result in the original.
    ///
    /// `None` if that cannot be said: the location was made by a pass or stands for a part of the executions at its
    /// place, or the formula reads a variable without a counterpart that is visible there.
    #[must_use]
    pub fn invariant(
        &self,
        original: &Program,
        location: LocId,
        formula: TermId,
        from: &Terms,
        into: &mut Terms,
    ) -> Option<(LocId, TermId)> {
        let LocationOrigin { location: place, whole: true } = self.location(location)? else {
            return None;
        };
        let here = original.cfa.locations[place].function;
        let is_visible = |var: &Var| match original.cfa.variables[*var].scope {
            Scope::Local(function) => function == here,
            Scope::Global | Scope::Address(_) => true,
        };
        let mut rename = |var| self.variable_at(location, var).filter(is_visible);
        let formula = into.import(from, formula, &mut rename)?;
        Some((place, formula))
    }

    /// The way back over two passes: `self` leads from the program between them to the original,
    /// `last` from the last program to the one between.
    #[must_use]
    pub fn then(&self, last: &Self) -> Self {
        let locations = last.locations.iter().map(|origin| {
            let LocationOrigin { location, whole } = (*origin)?;
            let first = self.location(location)?;
            Some(LocationOrigin { location: first.location, whole: whole && first.whole })
        });
        let edges = last.edges.iter().map(|way| {
            let path = self.path(way.as_deref()?)?;
            Some(path.into_boxed_slice())
        });
        let source = |source: &OperationOrigin| match *source {
            OperationOrigin::Op(site) => self.op(site),
            OperationOrigin::Local(var) => {
                self.variable(var).map_or(OperationOrigin::Added, OperationOrigin::Local)
            }
            OperationOrigin::EachRound(site) => match self.op(site) {
                OperationOrigin::Op(site) => OperationOrigin::EachRound(site),
                _ => OperationOrigin::Added,
            },
            source @ (OperationOrigin::Rounds | OperationOrigin::Added) => source,
        };
        let variables = last.variables.iter().map(|var| self.variable((*var)?));
        Self {
            locations: locations.collect(),
            edges: edges.collect(),
            ops: last.ops.iter().map(|ops| ops.iter().map(source).collect()).collect(),
            variables: variables.collect(),
            partial: self.partial_then(last),
        }
    }

    /// Where variables of the last program hold what they hold in the original.
    fn partial_then(&self, last: &Self) -> BTreeMap<Var, Box<[LocId]>> {
        let mut partial = last.partial.clone();
        if self.partial.is_empty() {
            return partial;
        }
        for (var, between) in last.variables.entries() {
            let Some(between) = between.filter(|between| self.partial.contains_key(between)) else {
                continue;
            };
            let holds = |location: &LocId| {
                let place = last.locations[*location];
                place.is_some_and(|place| self.variable_at(place.location, between).is_some())
            };
            let places: Box<[LocId]> = match partial.get(&var) {
                Some(places) => places.iter().copied().filter(holds).collect(),
                None => last.locations.ids().filter(holds).collect(),
            };
            partial.insert(var, places);
        }
        partial
    }
}
