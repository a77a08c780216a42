//! Memory and functions outside of the program, which pointers from outside point to.

use cfa::{
    AssumptionKind, Cfa, Check, Choice, EdgeId, Fault, FuncId, Op, Outside, Pointees, Points,
    Program,
};
use term::{TermId, Var};

use super::aligned::Alignments;
use super::dispatch;
use crate::{External, Options, OutsidePointers, Setting};

/// Has pointers from outside point to memory and functions outside, if the program has such pointers and uses them and
/// the options say so. Where accesses are checked, a pointer from outside may point nowhere, and there is no memory
/// outside.
pub fn allow(
    program: &mut Program,
    dispatchers: &[FuncId],
    alignments: &Alignments,
    options: &Options,
) {
    let checks = options.checks();
    let memory = [Check::Deref, Check::Free, Check::Leak, Check::Track, Check::Uninitialised];
    if options.outside_pointers == OutsidePointers::Any
        || memory.into_iter().any(|check| checks.has(check))
    {
        // Where accesses are checked, the call is a fault.
        if !checks.has(Check::Deref) {
            refuse_calls(program, dispatchers);
        }
        return;
    }
    let Some(outside) = Outside::of_width(program.cfa.address_width) else { return };
    let points = Points::of(program);
    let used = |address: TermId| points.pointees(program, address);
    let is_called = |function: &FuncId| {
        let pointer = program.cfa.functions[*function].parameters.first();
        pointer.is_some_and(|pointer| dispatch::may_be_outside(&points.of_var(*pointer)))
    };
    let first = first_use(program, &used);
    if first.is_none() && !dispatchers.iter().any(is_called) {
        return;
    }
    program.cfa.outside = Some(outside);
    let text = format!(
        "pointers from outside the program point to none of its objects and functions, but to memory and functions \
         outside ({})",
        options.wording.of(Setting::OutsidePointersAny)
    );
    let span = first.and_then(|edge| program.cfa.edges[edge].span);
    program.cfa.assume(AssumptionKind::Environment, text, span);
    alignments.assume(program, outside);
    for (function, is_outside) in dispatch::split(program, dispatchers, &points) {
        if is_outside {
            call_outside(program, function, outside, options.external);
        }
    }
}

/// Has calls through pointers from outside end in something that is not modelled, where the pointer is neither null nor
/// a function whose address the program takes: it may be any function, those of the program included.
fn refuse_calls(program: &mut Program, dispatchers: &[FuncId]) {
    let points = Points::of(program);
    for function in dispatchers {
        let pointer = program.cfa.functions[*function].parameters.first().copied();
        let is_outside = |pointer: &Var| dispatch::may_be_outside(&points.of_var(*pointer));
        let Some(pointer) = pointer.filter(is_outside) else { continue };
        let null = program.terms.bv(program.cfa.address_width, 0_u64.into());
        let pointer = program.terms.var(pointer);
        let is_null = program.terms.eq(pointer, null);
        let is_somewhere = program.terms.not(is_null);
        for edge in invalid_calls(&program.cfa, *function) {
            let known = &program.cfa.edges[edge];
            let (source, target, span) = (known.source, known.target, known.span);
            let mut ops: Vec<Op> = known.ops.to_vec();
            let mut way = assumed(&ops);
            narrow(program, &mut way, is_somewhere);
            narrow(program, &mut ops, is_null);
            program.cfa.edges[edge].ops = ops.into();
            way.push(Op::Unsupported("a call through a pointer of unknown origin".into()));
            program.cfa.add_edge(source, target, way, span);
        }
        // The function that is called returns, if it is not modelled how.
        program.cfa.behind_cuts.push(program.cfa.functions[*function].exit);
    }
}

/// The first edge that accesses memory through a pointer that may come from outside.
fn first_use(program: &Program, used: &dyn Fn(TermId) -> Pointees) -> Option<EdgeId> {
    let is_outside = |address: &TermId| used(*address).outside;
    let accesses = |edge: &EdgeId| {
        let mut addresses = program.cfa.edges[*edge].ops.iter().flat_map(addresses);
        addresses.any(|address| is_outside(&address))
    };
    let all: Vec<EdgeId> = program.cfa.edges.ids().filter(accesses).collect();
    let is_own = |edge: &&EdgeId| {
        let span = program.cfa.edges[**edge].span;
        span.is_some_and(|span| !program.sources.is_borrowed(span.file))
    };
    all.iter().find(is_own).or(all.first()).copied()
}

/// The addresses at which an operation reads or writes.
fn addresses(op: &Op) -> Vec<TermId> {
    match op {
        Op::Load { address, .. }
        | Op::Store { address, .. }
        | Op::Fill { address, .. }
        | Op::HavocMemory { address, .. } => vec![*address],
        Op::Copy { to, from, .. } => vec![*to, *from],
        _ => Vec::new(),
    }
}

/// Has a dispatcher call functions outside: where the pointer is an address outside, the call does
/// what a function without a body does.
fn call_outside(program: &mut Program, function: FuncId, outside: Outside, external: External) {
    let known = &program.cfa.functions[function];
    let (Some(pointer), exit) = (known.parameters.first().copied(), known.exit) else { return };
    let results: Vec<Var> = known.results.clone();
    let is_there = is_outside(program, pointer, outside);
    let is_elsewhere = program.terms.not(is_there);
    for edge in invalid_calls(&program.cfa, function) {
        let (source, span) = (program.cfa.edges[edge].source, program.cfa.edges[edge].span);
        let mut ops: Vec<Op> = program.cfa.edges[edge].ops.to_vec();
        let mut way = assumed(&ops);
        narrow(program, &mut way, is_there);
        narrow(program, &mut ops, is_elsewhere);
        program.cfa.edges[edge].ops = ops.into();
        match external {
            External::Error => {
                let reason = "a call of a function outside the program";
                way.push(Op::Unsupported(reason.into()));
            }
            External::Pure => {}
            External::Havoc => {
                let parameters = &program.cfa.functions[function].parameters[1..];
                let roots = parameters.iter().filter(|var| {
                    program.terms.var_sort(**var) == term::Sort::Bv(program.cfa.address_width)
                });
                let roots: Vec<Var> = roots.copied().collect();
                let roots = roots.into_iter().map(|var| program.terms.var(var)).collect();
                way.push(Op::HavocReachable { roots, choice: choice() });
            }
        }
        way.extend(results.iter().map(|var| Op::Havoc { var: *var, choice: choice() }));
        program.cfa.add_edge(source, exit, way, span);
    }
}

/// The choice of what a function outside returns.
fn choice() -> Choice {
    Choice::External("a function outside the program".into())
}

/// The assumptions that some operations begin with.
fn assumed(ops: &[Op]) -> Vec<Op> {
    ops.iter().take_while(|op| matches!(op, Op::Assume(_))).cloned().collect()
}

/// Adds a condition to the first assumption of some operations, or makes it the first one.
fn narrow(program: &mut Program, ops: &mut Vec<Op>, condition: TermId) {
    match ops.first_mut() {
        Some(Op::Assume(first)) => *first = program.terms.and2(*first, condition),
        _ => ops.insert(0, Op::Assume(condition)),
    }
}

/// Whether a pointer points outside.
pub(super) fn is_outside(program: &mut Program, pointer: Var, outside: Outside) -> TermId {
    let width = program.cfa.address_width;
    let terms = &mut program.terms;
    let pointer = terms.var(pointer);
    let (from, to) = (terms.bv(width, outside.from.into()), terms.bv(width, outside.to.into()));
    let (above, below) = (terms.bv_ule(from, pointer), terms.bv_ult(pointer, to));
    terms.and2(above, below)
}

/// The edges of a function on which a call has found no function.
fn invalid_calls(cfa: &Cfa, function: FuncId) -> Vec<EdgeId> {
    let is_invalid = |op: &Op| matches!(op, Op::Check { fault: Fault::InvalidCall, .. });
    let edges = cfa.edges.entries().filter(|(_, edge)| {
        cfa.locations[edge.source].function == function && edge.ops.iter().any(is_invalid)
    });
    edges.map(|(id, _)| id).collect()
}
