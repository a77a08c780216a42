//! Puts the bodies of functions in place of their calls: this gives a program without calls.
//!
//! Without recursion no two activations of a function live at the same time, so all activations share the
//! variables of the function; a call makes the variables arbitrary that are not parameters. The executions are
//! the same, with one difference: objects that a return would end live on. So an execution goes on where the
//! original uses such an object after its end, and executions are missing in which a later object gets the
//! address of an object that has ended.

use std::collections::BTreeMap;

use base::IndexVec;
use cfa::{Choice, EdgeId, FuncId, LocId, ObjectKind, Op, Program, Scope};
use interp::Site;

use crate::Rewritten;
use crate::back::{Back, LocationOrigin, OperationOrigin};

/// How many edges the result may have.
const MAX_EDGES: usize = 20_000;

/// How deep calls may be.
const MAX_DEPTH: usize = 100;

/// The name of the one function of the result.
const WHOLE: &str = "main";

/// Why calls are not put in place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refused {
    /// The program has no start.
    NoStart,
    /// A function calls itself, directly or through other functions.
    Recursion,
    /// There are too many calls, or calls are nested too deeply; the call on this edge was one too many.
    TooLarge(EdgeId),
}

/// The program with the bodies of functions in place of their calls; `None` if it has no calls.
///
/// Functions have other numbers than in the original, for only one is left. Where the program has several copies of a
/// location, their invariants are not translated to the original.
///
/// # Errors
/// If the calls cannot be put in place.
pub fn inline(program: &Program) -> Result<Option<Rewritten>, Refused> {
    let start = program.cfa.start.ok_or(Refused::NoStart)?;
    let calls = cfa::Calls::of(&program.cfa);
    let functions = program.cfa.functions.ids().filter(|function| calls.reachable(*function));
    let functions: Vec<FuncId> = functions.collect();
    if functions.iter().all(|function| calls.calls(*function).is_empty()) {
        return Ok(None);
    }
    if functions.iter().any(|function| calls.recursive(*function)) {
        return Err(Refused::Recursion);
    }
    let (terms, sources) = (program.terms.clone(), program.sources.clone());
    let mut result = Program { terms, sources, ..Program::default() };
    result.cfa.objects = program.cfa.objects.clone();
    result.cfa.address_width = program.cfa.address_width;
    result.cfa.outside = program.cfa.outside;
    result.cfa.shadow = program.cfa.shadow;
    result.cfa.assumptions = program.cfa.assumptions.clone();
    result.cfa.cut_off = program.cfa.cut_off.clone();
    let whole = result.cfa.add_function(WHOLE, None);
    let first = &program.cfa.functions[start];
    for (var, known) in program.cfa.variables.entries() {
        let mut known = known.clone();
        if let Scope::Local(_) = known.scope {
            known.scope = Scope::Local(whole);
            result.cfa.functions[whole].locals.push(var);
        }
        result.cfa.variables.push(known);
    }
    result.cfa.functions[whole].results = first.results.clone();
    let ends = result.cfa.functions[whole].clone();
    let mut builder = Builder {
        original: program,
        whole,
        program: result,
        locations: IndexVec::new(),
        edges: IndexVec::new(),
        ops: IndexVec::new(),
        copies: IndexVec::filled(0, program.cfa.functions.len()),
    };
    builder.adopt(ends.entry, first.entry);
    builder.adopt(ends.exit, first.exit);
    builder.copy(start, [ends.entry, ends.exit], 0)?;
    Ok(Some(builder.finish()))
}

struct Builder<'a> {
    original: &'a Program,
    /// The one function of the result.
    whole: FuncId,
    program: Program,
    /// The location of the original that each location is.
    locations: IndexVec<LocId, LocId>,
    /// The edge of the original that each edge stands for; a return stands for none.
    edges: IndexVec<EdgeId, Option<EdgeId>>,
    ops: IndexVec<EdgeId, Box<[OperationOrigin]>>,
    /// How often each function was put in place.
    copies: IndexVec<FuncId, u32>,
}

impl Builder<'_> {
    /// Notes what a location is, and takes over what is known of it.
    fn adopt(&mut self, location: LocId, original: LocId) {
        let noted = self.locations.push(original);
        debug_assert_eq!(noted, location, "locations are noted in order");
        let known = &self.original.cfa.locations[original];
        let place = &mut self.program.cfa.locations[location];
        place.error = known.error;
        place.name = known.name.clone();
        place.span = known.span;
    }

    fn add(
        &mut self,
        ends: [LocId; 2],
        ops: Vec<(Op, OperationOrigin)>,
        original: EdgeId,
        stands: bool,
    ) {
        let span = self.original.cfa.edges[original].span;
        let (ops, sources): (Vec<Op>, Vec<OperationOrigin>) = ops.into_iter().unzip();
        self.program.cfa.add_edge(ends[0], ends[1], ops, span);
        self.edges.push(stands.then_some(original));
        self.ops.push(sources.into());
    }

    /// Copies a function to a place of its own, between two locations.
    fn copy(&mut self, function: FuncId, ends: [LocId; 2], depth: usize) -> Result<(), Refused> {
        let original = self.original;
        self.copies[function] += 1;
        let known = &original.cfa.functions[function];
        let own = |location: &LocId| original.cfa.locations[*location].function == function;
        let mut images: IndexVec<LocId, Option<LocId>> =
            IndexVec::filled(None, original.cfa.locations.len());
        images[known.entry] = Some(ends[0]);
        images[known.exit] = Some(ends[1]);
        for location in original.cfa.locations.ids().filter(own) {
            if images[location].is_none() {
                let image = self.program.cfa.add_location(self.whole);
                self.adopt(image, location);
                images[location] = Some(image);
            }
        }
        for (id, edge) in original.cfa.edges.entries() {
            let (Some(source), Some(target)) = (images[edge.source], images[edge.target]) else {
                continue;
            };
            if self.edges.len() >= MAX_EDGES || depth >= MAX_DEPTH {
                return Err(Refused::TooLarge(id));
            }
            match edge.ops.first() {
                Some(call @ Op::Call { .. }) => self.call([source, target], id, call, depth)?,
                _ => {
                    let numbered = (0..).zip(edge.ops.iter().cloned());
                    let ops = numbered
                        .map(|(op, known)| (known, OperationOrigin::Op(Site { edge: id, op })));
                    self.add([source, target], ops.collect(), id, true);
                }
            }
        }
        Ok(())
    }

    /// Puts a call in place, between two locations.
    fn call(
        &mut self,
        [source, target]: [LocId; 2],
        id: EdgeId,
        call: &Op,
        depth: usize,
    ) -> Result<(), Refused> {
        let Op::Call { callee, arguments, results } = call else { return Ok(()) };
        let called = &self.original.cfa.functions[*callee];
        let inner = [called.entry, called.exit].map(|end| {
            let location = self.program.cfa.add_location(self.whole);
            self.adopt(location, end);
            location
        });
        let pairs = called.parameters.iter().zip(arguments);
        let assign = |(var, value): (&term::Var, &term::TermId)| {
            (Op::Assign { var: *var, value: *value }, OperationOrigin::Added)
        };
        let mut ops: Vec<(Op, OperationOrigin)> = pairs.map(assign).collect();
        for var in called.locals.iter().filter(|var| !called.parameters.contains(*var)) {
            let choice = Choice::Uninitialised;
            ops.push((Op::Havoc { var: *var, choice }, OperationOrigin::Local(*var)));
        }
        self.add([source, inner[0]], ops, id, true);
        let mut back = Vec::new();
        for (var, result) in results.iter().zip(&called.results) {
            let value = self.program.terms.var(*result);
            back.push((Op::Assign { var: *var, value }, OperationOrigin::Added));
        }
        self.add([inner[1], target], back, id, false);
        self.copy(*callee, inner, depth + 1)
    }

    fn finish(mut self) -> Rewritten {
        self.keep_code();
        let cfa = &self.original.cfa;
        let origin = |location: &LocId| {
            let whole = self.copies[cfa.locations[*location].function] == 1;
            Some(LocationOrigin { location: *location, whole })
        };
        let mut locations: IndexVec<LocId, Option<LocationOrigin>> =
            self.locations.iter().map(origin).collect();
        while locations.len() < self.program.cfa.locations.len() {
            locations.push(None);
        }
        let back = Back {
            locations,
            edges: self.edges.iter().map(|edge| Some(edge.iter().copied().collect())).collect(),
            ops: self.ops,
            variables: cfa.variables.ids().map(Some).collect(),
            partial: BTreeMap::new(),
        };
        Rewritten { program: self.program, back }
    }

    /// Functions with an address keep a function at this address, though no execution gets to it.
    fn keep_code(&mut self) {
        let mut kept: BTreeMap<FuncId, FuncId> = BTreeMap::new();
        for object in self.program.cfa.objects.ids() {
            let ObjectKind::Code(function) = self.program.cfa.objects[object].kind else {
                continue;
            };
            let name = self.original.cfa.functions[function].name.clone();
            let image = if &*name == WHOLE {
                self.whole
            } else {
                let cfa = &mut self.program.cfa;
                *kept.entry(function).or_insert_with(|| cfa.add_function(name, None))
            };
            self.program.cfa.objects[object].kind = ObjectKind::Code(image);
        }
    }
}
