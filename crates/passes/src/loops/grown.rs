//! A rewritten program in the making that keeps all locations of the original, and gets more of them.

use base::IndexVec;
use cfa::{Cfa, EdgeId, FuncId, LocId, Op, Program, Reading, Scope, Variable};
use interp::Site;
use term::{Sort, Terms, Var};

use crate::Rewritten;
use crate::back::{Back, LocationOrigin, OperationOrigin};

/// The rewritten program, and what its parts were.
pub(super) struct Grown<'a> {
    original: &'a Cfa,
    pub(super) after: Program,
    pub(super) back: Back,
}

impl<'a> Grown<'a> {
    /// A program without its edges, over a table that has grown from that of the program, without new symbols.
    pub(super) fn of(program: &'a Program, terms: Terms) -> Self {
        let (mut cfa, sources) = (program.cfa.clone(), program.sources.clone());
        cfa.edges = IndexVec::new();
        cfa.locations.iter_mut().for_each(|location| location.edges.clear());
        let mut back = Back::identity(program);
        (back.edges, back.ops) = (IndexVec::new(), IndexVec::new());
        Self { original: &program.cfa, after: Program { terms, cfa, sources }, back }
    }

    /// Adds another copy of a location of the original; for `whole`, see [`Origin`].
    pub(super) fn copy(&mut self, location: LocId, whole: bool) -> LocId {
        let known = &self.original.locations[location];
        let new = self.after.cfa.add_location(known.function);
        self.after.cfa.locations[new].span = known.span;
        self.back.locations.push(Some(LocationOrigin { location, whole }));
        new
    }

    /// Adds a location that the original does not have.
    pub(super) fn add_location(&mut self, function: FuncId) -> LocId {
        self.back.locations.push(None);
        self.after.cfa.add_location(function)
    }

    /// Adds an edge of the original without its first operations.
    pub(super) fn keep(&mut self, id: EdgeId, source: LocId, target: LocId, dropped: usize) {
        let edge = &self.original.edges[id];
        self.after.cfa.add_edge(source, target, &edge.ops[dropped..], edge.span);
        self.back.edges.push(Some([id].into()));
        // Edges have fewer than 2^32 operations.
        let ops = (dropped as u32..).take(edge.ops.len() - dropped);
        self.back.ops.push(ops.map(|op| OperationOrigin::Op(Site { edge: id, op })).collect());
    }

    /// Adds an edge whose operations are new. It stands for nothing that an execution of the original does.
    pub(super) fn add(&mut self, source: LocId, target: LocId, ops: Vec<Op>) {
        self.back.edges.push(Some([].into()));
        self.back.ops.push(vec![OperationOrigin::Added; ops.len()].into());
        self.after.cfa.add_edge(source, target, ops, None);
    }

    /// Adds an edge that may stand for several ways through the original, with what each operation was.
    pub(super) fn add_ways(
        &mut self,
        source: LocId,
        target: LocId,
        ops: Vec<Op>,
        sources: Vec<OperationOrigin>,
    ) {
        self.back.edges.push(None);
        self.back.ops.push(sources.into());
        self.after.cfa.add_edge(source, target, ops, None);
    }

    /// Adds a local variable.
    pub(super) fn declare(&mut self, function: FuncId, name: String, sort: Sort) -> Var {
        let scope = Scope::Local(function);
        let variable = Variable { scope, reading: Reading::Plain, source_name: None, span: None };
        self.after.declare(name, sort, variable)
    }

    /// The program, when all edges have been added.
    pub(super) fn finish(self) -> Rewritten {
        let Self { after, mut back, .. } = self;
        back.variables = after.cfa.variables.ids().map(|var| back.variable(var)).collect();
        Rewritten { program: after, back }
    }
}
