//! Facts about operations that several passes need.

use base::Id as _;
use cfa::{ObjectId, ObjectKind, Program, Scope};
use term::{Op, TermId, View};

/// Whether a number of bytes from an address on can be read whenever executions get there: they are
/// in an object that exists from the start, and so for ever.
pub(crate) fn is_inside(program: &Program, address: TermId, length: u64) -> bool {
    let terms = &program.terms;
    let found = match terms.view(address) {
        View::Var(_) => object(program, address).map(|object| (object, 0)),
        View::App(Op::BvAdd, [a, b]) => {
            let offset = |term: TermId| terms.value(term)?.as_bv()?.to_u64();
            let pair = |a: TermId, b: TermId| Some((object(program, a)?, offset(b)?));
            pair(*a, *b).or_else(|| pair(*b, *a))
        }
        _ => None,
    };
    let Some((object, offset)) = found else { return false };
    let known = &program.cfa.objects[object];
    let is_data = !matches!(known.kind, ObjectKind::Code(_));
    is_data && offset.checked_add(length).is_some_and(|end| end <= known.size)
}

/// The object whose address a term is.
pub(crate) fn object(program: &Program, address: TermId) -> Option<ObjectId> {
    let View::Var(var) = program.terms.view(address) else { return None };
    match program.cfa.variables.get(var)?.scope {
        Scope::Address(object) if object.index() < program.cfa.objects.len() => Some(object),
        Scope::Address(_) | Scope::Global | Scope::Local(_) => None,
    }
}

/// Whether output may store something: a format of `printf` that is not known may have a conversion that does.
pub(crate) fn may_store(program: &Program, function: &str, arguments: &[TermId]) -> bool {
    let prints = |format: &TermId| {
        let format = object(program, *format);
        format.is_some_and(|format| printf::only_prints(&program.cfa.objects[format]))
    };
    printf::format(function, arguments).is_some_and(|format| !prints(format))
}
