//! A rewritten program in the making: the same functions, with some of their edges.

use std::collections::BTreeMap;

use base::IndexVec;
use cfa::{EdgeId, LocId, Op, Program};
use interp::Site;
use term::{Terms, Var};

use crate::Rewritten;
use crate::back::{Back, LocationOrigin, OperationOrigin};

/// What becomes of the edges of a program, and of what is known about it.
pub(crate) struct Draft<'a> {
    pub(crate) original: &'a Program,
    /// The table of the original, which may have grown.
    pub(crate) terms: Terms,
    /// What each edge becomes; `None` if it is left out.
    pub(crate) edges: IndexVec<EdgeId, Option<Revised>>,
    /// The variables that still hold what they hold in the original.
    pub(crate) same: IndexVec<Var, bool>,
    /// For variables that hold what they hold in the original at some locations only, these locations of the original.
    pub(crate) partial: BTreeMap<Var, Vec<LocId>>,
    /// Whether a location, if it is kept, is passed by the counterparts of all executions.
    pub(crate) whole: IndexVec<LocId, bool>,
}

/// What becomes of an edge.
pub(crate) struct Revised {
    pub(crate) target: LocId,
    /// The operations, each with its number in the original if it was there.
    pub(crate) ops: Vec<(Op, Option<u32>)>,
    /// Whether the edge stands for one of several ways.
    pub(crate) several: bool,
}

impl<'a> Draft<'a> {
    /// A program without edges.
    pub(crate) fn of(original: &'a Program, terms: Terms) -> Self {
        let cfa = &original.cfa;
        let none = cfa.edges.iter().map(|_| None);
        Self {
            original,
            terms,
            edges: none.collect(),
            same: IndexVec::filled(true, cfa.variables.len()),
            partial: BTreeMap::new(),
            whole: IndexVec::filled(true, cfa.locations.len()),
        }
    }

    /// The program with the edges that are left and the locations that these need.
    pub(crate) fn finish(self) -> Rewritten {
        let old = &self.original.cfa;
        let mut kept = IndexVec::filled(false, old.locations.len());
        for function in &old.functions {
            kept[function.entry] = true;
            kept[function.exit] = true;
        }
        for (edge, revised) in self.edges.entries() {
            if let Some(revised) = revised {
                kept[old.edges[edge].source] = true;
                kept[revised.target] = true;
            }
        }
        let mut cfa = old.clone();
        cfa.locations = IndexVec::new();
        cfa.edges = IndexVec::new();
        let mut back = Back {
            locations: IndexVec::new(),
            edges: IndexVec::new(),
            ops: IndexVec::new(),
            variables: self.same.entries().map(|(var, same)| same.then_some(var)).collect(),
            partial: BTreeMap::new(),
        };
        let mut images = IndexVec::filled(None, old.locations.len());
        for (location, known) in old.locations.entries().filter(|(location, _)| kept[*location]) {
            let mut known = known.clone();
            known.edges.clear();
            images[location] = Some(cfa.locations.push(known));
            back.locations.push(Some(LocationOrigin { location, whole: self.whole[location] }));
        }
        cfa.behind_cuts = old.behind_cuts.iter().filter_map(|at| images[*at]).collect();
        let image = |location: LocId| images[location].expect("kept for this edge or function");
        for function in cfa.functions.iter_mut() {
            function.entry = image(function.entry);
            function.exit = image(function.exit);
        }
        let mut edges = self.edges;
        for id in old.edges.ids() {
            let Some(Revised { target, ops, several }) = edges[id].take() else { continue };
            let (ops, numbers): (Vec<Op>, Vec<Option<u32>>) = ops.into_iter().unzip();
            let known = &old.edges[id];
            cfa.add_edge(image(known.source), image(target), ops, known.span);
            back.edges.push((!several).then(|| [id].into()));
            let source = |number: Option<u32>| {
                number
                    .map_or(OperationOrigin::Added, |op| OperationOrigin::Op(Site { edge: id, op }))
            };
            back.ops.push(numbers.into_iter().map(source).collect());
        }
        for (var, places) in self.partial {
            let places = places.into_iter().filter_map(|place| images[place]);
            back.partial.insert(var, places.collect());
        }
        let sources = self.original.sources.clone();
        Rewritten { program: Program { terms: self.terms, cfa, sources }, back }
    }
}

impl Revised {
    /// An edge as it was.
    pub(crate) fn same(program: &Program, edge: EdgeId) -> Self {
        let known = &program.cfa.edges[edge];
        let ops = known.ops.iter().cloned().zip((0..).map(Some)).collect();
        Self { target: known.target, ops, several: false }
    }
}
