//! Calls through pointers, told apart by the functions that they may call.
//!
//! A dispatcher is written once for all calls of a type. Where a pointer may point only to some of the
//! functions, the call gets a dispatcher of its own that knows no others, so that what is passed to
//! them and what they return is not mixed with that of other calls.

use std::collections::BTreeMap;

use cfa::{
    AssumptionKind, Cfa, Edge, EdgeId, FuncId, LocId, ObjectKind, ObjectSite, Op, Pointees, Points,
    Program, Variable,
};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Op as Operator, TermId, Terms, Var, View};

/// What the pointers of a dispatcher's calls may point to: functions, and something outside.
type Called = (Vec<ObjectSite>, bool);

/// Has each call of a dispatcher call only functions that its pointer may point to. Gives all
/// dispatchers that there are then, each with whether its pointer may come from outside.
pub(super) fn split(
    program: &mut Program,
    dispatchers: &[FuncId],
    points: &Points,
) -> Vec<(FuncId, bool)> {
    let mut calls: BTreeMap<(FuncId, Called), Vec<EdgeId>> = BTreeMap::new();
    for (edge, known) in program.cfa.edges.entries() {
        if let Some(Op::Call { callee, arguments, .. }) = known.ops.last()
            && dispatchers.contains(callee)
            && let Some(pointer) = arguments.first()
        {
            let called = called(program, points.pointees(program, *pointer));
            calls.entry((*callee, called)).or_default().push(edge);
        }
    }
    let mut copies = Vec::new();
    for ((dispatcher, (sites, outside)), edges) in calls {
        let number = copies.iter().filter(|(of, _, _)| *of == dispatcher).count();
        let copy = copy(program, dispatcher, (&sites, outside), number);
        for edge in edges {
            if let Some(Op::Call { callee, .. }) = program.cfa.edges[edge].ops.last_mut() {
                *callee = copy;
            }
        }
        copies.push((dispatcher, copy, outside));
    }
    copies.into_iter().map(|(_, copy, outside)| (copy, outside)).collect()
}

/// The first operation behind an edge.
fn next_op(cfa: &Cfa, edge: &Edge) -> Option<Op> {
    let next = cfa.locations[edge.target].edges.first()?;
    cfa.edges[*next].ops.first().cloned()
}

/// Has a pointer that may point to functions of its type, or outside, point to no others: C says nothing of what
/// calling those would do.
fn leave_out_unfit(cfa: &mut Cfa, ways: &mut Vec<Edge>, outside: bool) {
    let is = |edge: &Edge, wanted: fn(&Op) -> bool| next_op(cfa, edge).as_ref().is_some_and(wanted);
    let is_unfit = |edge: &Edge| is(edge, |op| matches!(op, Op::Unsupported(_)));
    let is_call = |edge: &Edge| is(edge, |op| matches!(op, Op::Call { .. }));
    if !ways.iter().any(is_unfit) || !(outside || ways.iter().any(is_call)) {
        return;
    }
    ways.retain(|edge| !is_unfit(edge));
    let text = "functions that are called through pointers have the type of the call: not checked";
    cfa.assume(AssumptionKind::Semantics, text, None);
}

fn called(program: &Program, pointees: Pointees) -> Called {
    let is_code = |site: &ObjectSite| match site {
        ObjectSite::Initial(object) => {
            matches!(program.cfa.objects[*object].kind, ObjectKind::Code(_))
        }
        ObjectSite::Alloc(..) => false,
    };
    let outside = may_be_outside(&pointees);
    (pointees.sites.into_iter().filter(is_code).collect(), outside)
}

/// Whether the pointer of a call may point to a function outside of the program. A number that is called is an address,
/// although its type is that of a signed number.
pub(super) fn may_be_outside(pointees: &Pointees) -> bool {
    pointees.outside || pointees.number
}

/// A dispatcher whose pointer points to some functions or to none.
fn copy(
    program: &mut Program,
    dispatcher: FuncId,
    (sites, outside): (&[ObjectSite], bool),
    number: usize,
) -> FuncId {
    let original = program.cfa.functions[dispatcher].clone();
    let name = format!("{}.{number}", original.name);
    let copy = program.cfa.add_function(name.as_str(), original.span);
    let mut vars: FxHashMap<Var, (Var, TermId)> = FxHashMap::default();
    for (index, var) in original.locals.iter().enumerate() {
        let known = program.cfa.variables[*var].clone();
        let sort = program.terms.var_sort(*var);
        let variable = Variable { scope: cfa::Scope::Local(copy), ..known };
        let image = program.declare(format!("{name}::{index}"), sort, variable);
        vars.insert(*var, (image, program.terms.var(image)));
    }
    let images = |of: &[Var]| of.iter().map(|var| vars[var].0).collect::<Vec<Var>>();
    let parameters = images(&original.parameters);
    let never = parameters.first().map(|pointer| others(program, *pointer, sites));
    let never = never.unwrap_or_default();
    let function = &mut program.cfa.functions[copy];
    function.results = images(&original.results);
    function.parameters = parameters;
    let mut places: FxHashMap<LocId, LocId> =
        [(original.entry, function.entry), (original.exit, function.exit)].into_iter().collect();
    let mut open = vec![original.entry];
    while let Some(location) = open.pop() {
        let mut ways = Vec::new();
        for edge in program.cfa.locations[location].edges.clone() {
            let mut edge = program.cfa.edges[edge].clone();
            for op in &mut edge.ops {
                rename(&mut program.terms, op, &vars);
                if let Op::Assume(condition) = op {
                    *condition = without(&mut program.terms, *condition, &never);
                }
            }
            let is_never = |op: &Op| matches!(op, Op::Assume(it) if program.terms.is_false(*it));
            if !edge.ops.iter().any(is_never) {
                ways.push(edge);
            }
        }
        leave_out_unfit(&mut program.cfa, &mut ways, outside);
        for edge in ways {
            let target = *places.entry(edge.target).or_insert_with(|| {
                open.push(edge.target);
                let known = program.cfa.locations[edge.target].clone();
                let image = program.cfa.add_location(copy);
                let place = &mut program.cfa.locations[image];
                (place.error, place.fault) = (known.error, known.fault);
                (place.name, place.span) = (known.name, known.span);
                if let Some(called) = program.cfa.forbidden.get(&edge.target).cloned() {
                    program.cfa.forbidden.insert(image, called);
                }
                image
            });
            program.cfa.add_edge(places[&location], target, edge.ops, edge.span);
        }
    }
    // The call returns to the callers of the copy if something that is not modelled is called.
    let cfa = &mut program.cfa;
    let own = |edge: &Edge| cfa.locations[edge.source].function == copy;
    let is_unsupported = |op: &Op| matches!(op, Op::Unsupported(_));
    if cfa.edges.iter().any(|edge| own(edge) && edge.ops.iter().any(is_unsupported)) {
        cfa.behind_cuts.push(cfa.functions[copy].exit);
    }
    copy
}

/// The comparisons of a pointer with functions that it does not point to.
fn others(program: &mut Program, pointer: Var, sites: &[ObjectSite]) -> FxHashSet<TermId> {
    let pointer = program.terms.var(pointer);
    let mut never = FxHashSet::default();
    for (id, object) in program.cfa.objects.entries() {
        let is_code = matches!(object.kind, ObjectKind::Code(_));
        if is_code && sites.binary_search(&ObjectSite::Initial(id)).is_err() {
            let address = program.terms.var(object.address);
            never.insert(program.terms.eq(pointer, address));
        }
    }
    never
}

/// An operation on other variables.
fn rename(terms: &mut Terms, op: &mut Op, vars: &FxHashMap<Var, (Var, TermId)>) {
    for term in op.terms_mut() {
        *term = terms.substitute(*term, &mut |var| vars.get(&var).map(|(_, image)| *image));
    }
    for var in op.assigned_mut() {
        *var = vars.get(var).map_or(*var, |(image, _)| *image);
    }
}

/// A condition in which some comparisons never hold.
fn without(terms: &mut Terms, condition: TermId, never: &FxHashSet<TermId>) -> TermId {
    if never.contains(&condition) {
        return terms.bool(false);
    }
    let View::App(op @ (Operator::And | Operator::Or | Operator::Not), args) =
        terms.view(condition)
    else {
        return condition;
    };
    let args: Vec<TermId> = args.to_vec();
    let args: Vec<TermId> = args.into_iter().map(|arg| without(terms, arg, never)).collect();
    terms.app(op, &args)
}
