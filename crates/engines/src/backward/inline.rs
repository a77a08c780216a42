//! Calls, put in place: a program without calls that has the same executions.
//!
//! Without recursion no two activations of a function live at the same time, so they share its
//! variables; a call makes those arbitrary that are not parameters.

use base::IndexVec;
use cfa::{Choice, EdgeId, FuncId, LocId, Op, Program};

use run::Unknown;

/// How many edges the result may have.
const MAX_EDGES: usize = 20_000;

/// How deep calls may be.
const MAX_DEPTH: usize = 100;

/// A program without calls.
pub(super) struct Inlined {
    pub program: Program,
    /// The edge of the original that each edge stands for; a return stands for none.
    pub edges: IndexVec<EdgeId, Option<EdgeId>>,
    /// The location of the original that each location is.
    pub locations: IndexVec<LocId, LocId>,
    /// How often each function was put in place.
    pub copies: IndexVec<FuncId, u32>,
}

/// The program with its calls put in place; `None` if there are none.
pub(super) fn inline(program: &Program) -> Result<Option<Inlined>, Unknown> {
    let refuse = |reason: &str| Unknown::Unsupported { reason: reason.to_owned(), edge: None };
    let start = program.cfa.start.ok_or_else(|| refuse("a program without a start"))?;
    let calls = cfa::Calls::of(&program.cfa);
    let functions = program.cfa.functions.ids().filter(|function| calls.reachable(*function));
    let functions: Vec<FuncId> = functions.collect();
    if functions.iter().all(|function| calls.calls(*function).is_empty()) {
        return Ok(None);
    }
    if functions.iter().any(|function| calls.recursive(*function)) {
        return Err(refuse("the backward analysis does not know recursion"));
    }
    let mut result = Program { terms: program.terms.clone(), ..Program::default() };
    result.cfa.variables = program.cfa.variables.clone();
    result.cfa.objects = program.cfa.objects.clone();
    result.cfa.address_width = program.cfa.address_width;
    let mut builder = Builder {
        original: program,
        result: Inlined {
            program: result,
            edges: IndexVec::new(),
            locations: IndexVec::new(),
            copies: IndexVec::filled(0, program.cfa.functions.len()),
        },
    };
    let whole = builder.result.program.cfa.add_function("main", None);
    let ends = builder.result.program.cfa.functions[whole].clone();
    let first = &program.cfa.functions[start];
    builder.adopt(ends.entry, first.entry);
    builder.adopt(ends.exit, first.exit);
    builder.copy(start, whole, [ends.entry, ends.exit], 0)?;
    Ok(Some(builder.result))
}

struct Builder<'a> {
    original: &'a Program,
    result: Inlined,
}

impl Builder<'_> {
    /// Notes what a location is, and takes over what is known of it.
    fn adopt(&mut self, location: LocId, original: LocId) {
        let noted = self.result.locations.push(original);
        debug_assert_eq!(noted, location, "locations are noted in order");
        let known = &self.original.cfa.locations[original];
        let place = &mut self.result.program.cfa.locations[location];
        place.error = known.error;
        place.name = known.name.clone();
        place.span = known.span;
    }

    fn add(&mut self, ends: [LocId; 2], ops: Vec<Op>, original: EdgeId, stands: bool) {
        let span = self.original.cfa.edges[original].span;
        self.result.program.cfa.add_edge(ends[0], ends[1], ops, span);
        self.result.edges.push(stands.then_some(original));
    }

    /// Copies a function to a place of its own, between two locations.
    fn copy(
        &mut self,
        function: FuncId,
        whole: FuncId,
        ends: [LocId; 2],
        depth: usize,
    ) -> Result<(), Unknown> {
        let original = self.original;
        self.result.copies[function] += 1;
        let known = &original.cfa.functions[function];
        let own = |location: &LocId| original.cfa.locations[*location].function == function;
        let mut images: IndexVec<LocId, Option<LocId>> =
            IndexVec::filled(None, original.cfa.locations.len());
        images[known.entry] = Some(ends[0]);
        images[known.exit] = Some(ends[1]);
        for location in original.cfa.locations.ids().filter(own) {
            if images[location].is_none() {
                let image = self.result.program.cfa.add_location(whole);
                self.adopt(image, location);
                images[location] = Some(image);
            }
        }
        for (id, edge) in original.cfa.edges.entries() {
            let (Some(source), Some(target)) = (images[edge.source], images[edge.target]) else {
                continue;
            };
            if self.result.edges.len() >= MAX_EDGES || depth >= MAX_DEPTH {
                let reason = "calls that are too many or too deep to be put in place".to_owned();
                return Err(Unknown::Unsupported { reason, edge: Some(id) });
            }
            let Some(Op::Call { callee, arguments, results }) = edge.ops.first() else {
                self.add([source, target], edge.ops.to_vec(), id, true);
                continue;
            };
            let called = &original.cfa.functions[*callee];
            let inner = [called.entry, called.exit].map(|end| {
                let location = self.result.program.cfa.add_location(whole);
                self.adopt(location, end);
                location
            });
            let mut ops: Vec<Op> = called
                .parameters
                .iter()
                .zip(arguments)
                .map(|(var, value)| Op::Assign { var: *var, value: *value })
                .collect();
            let open = called.locals.iter().filter(|var| !called.parameters.contains(*var));
            let choice = Choice::Uninitialised;
            ops.extend(open.map(|var| Op::Havoc { var: *var, choice: choice.clone() }));
            self.add([source, inner[0]], ops, id, true);
            let mut back = Vec::new();
            for (var, result) in results.iter().zip(&called.results) {
                let value = self.result.program.terms.var(*result);
                back.push(Op::Assign { var: *var, value });
            }
            self.add([inner[1], target], back, id, false);
            self.copy(*callee, whole, inner, depth + 1)?;
        }
        Ok(())
    }
}
