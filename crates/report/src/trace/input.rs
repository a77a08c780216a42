//! Inputs of a run in words: the function that gave a value, what holds the value, and the value as its type says.

use base::tokens::is_word;
use cfa::{Choice, Contents, Infix, Program, Scope};
use interp::{Change, Holder, Origin};
use term::{Bv, Value, Var};

use super::place::NamedPlace;
use super::state::{self, State};
use crate::counted::counted;
use crate::execution::Input;
use crate::source;
use crate::types::Type;

/// The words for a global whose value at the start is not known.
pub(crate) const AT_START: &str = "arbitrary at the start";

/// The words behind a value that the program has not set.
pub(super) const UNSET: &str = " (uninitialised)";

/// `__VERIFIER_nondet_int() = 5`, `x = 7 (uninitialised)`, `g = 5 (arbitrary at the start)`. The state of the
/// run knows names and types.
pub(crate) fn describe(program: &Program, state: &State<'_>, input: &Input) -> String {
    let choice = input.origin.choice(program);
    let place = size_of(&input.value).and_then(|size| state.held_by(input.holder, size));
    let mut value = shown(program, state, input, place.as_ref());
    let parts = match (&place, &input.value) {
        (Some(NamedPlace { ty: None, .. }), Value::Bv(bits)) => {
            state.parts_held_by(input.holder, bits)
        }
        (None, Value::Bv(bits)) => returned_parts(state, choice, input.holder, bits),
        _ => None,
    };
    let holder = place.map(|place| place.text).or_else(|| holder(program, input));
    let assigned = |other: &str| match &parts {
        Some(parts) => parts.clone(),
        None => format!("{} = {value}", holder.as_deref().unwrap_or(other)),
    };
    if is_initial(program, input.origin, input.holder) {
        return format!("{} ({AT_START})", assigned("a global"));
    }
    match choice {
        Choice::Input(name) | Choice::External(name) | Choice::Approximated(name) => {
            let call = if is_function(name) { "()" } else { "" };
            match input.origin {
                Origin::Memory(_) if holder.is_none() && parts.is_some() => assigned(""),
                Origin::Memory(_) if holder.is_some() && is_pointed(choice, input.origin) => {
                    assigned("")
                }
                // Bytes and variables that the function changed get their values when the program reads them, which
                // may be later.
                Origin::Memory(_) if holder.is_some() => {
                    format!("{} (from {name}{call})", assigned(""))
                }
                _ => {
                    if let Value::Bv(bits) = &input.value
                        && source::is_character(name)
                        && let Some(character) = bits.to_i128().and_then(state::character)
                    {
                        value = format!("{value} ({character})");
                    }
                    format!("{name}{call} = {value}")
                }
            }
        }
        Choice::Uninitialised => match outside(program, input.holder, &input.value, &value) {
            Some(text) => text,
            None => assigned("memory") + UNSET,
        },
    }
}

/// Whether a value was drawn because the program reads something that it has not set.
pub(super) fn is_unset(program: &Program, origin: Origin) -> bool {
    *origin.choice(program) == Choice::Uninitialised
}

/// The variable whose declaration draws a value. A declaration that may be passed several times does so: the old
/// value of the variable is gone, and no new value is set. The assignment of the drawn value comes next.
pub(super) fn declared_unset(program: &Program, change: &Change) -> Option<Var> {
    match change {
        Change::Drawn { origin: origin @ Origin::Havoc(_), .. } if is_unset(program, *origin) => {
            origin.variable(program)
        }
        _ => None,
    }
}

/// `memory outside at 0xc0000010 = 5`: bytes that the program has not made. An address there is written like one.
pub(super) fn outside(
    program: &Program,
    holder: Holder,
    value: &Value,
    shown: &str,
) -> Option<String> {
    let Holder::Memory { object: u64::MAX, offset } = holder else { return None };
    let outside = program.cfa.outside?;
    let address = value
        .as_bv()
        .filter(|bits| bits.width() == program.cfa.address_width)
        .and_then(Bv::to_u64)
        .filter(|address| outside.contains(*address));
    let shown = address.map_or_else(|| shown.to_owned(), |address| format!("{address:#x}"));
    Some(format!("memory outside at {:#x} = {shown}", outside.from + offset))
}

/// How many bytes a value has in memory.
pub(super) fn size_of(value: &Value) -> Option<u64> {
    match value {
        Value::Bv(bits) => Some(u64::from(bits.width().div_ceil(8))),
        Value::Float(float) => Some(u64::from(float.format().width().div_ceil(8))),
        _ => None,
    }
}

/// The value of an input as the type of the variable or object that holds it says, or else as the type of the
/// function or parameter that gave the value says.
fn shown(
    program: &Program,
    state: &State<'_>,
    input: &Input,
    place: Option<&NamedPlace>,
) -> String {
    let choice = input.origin.choice(program);
    let var = input.origin.variable(program);
    let reading = state.types.reading(input.origin);
    if let Some(place) = place {
        return state.show(&input.value, place.ty.as_ref(), reading);
    }
    let given = match choice {
        Choice::Input(name) => {
            let declared = var.and_then(|var| program.cfa.variables[var].span);
            let declared = declared.and_then(|span| state.types.declared(span));
            declared.or_else(|| state.types.returned(name))
        }
        _ => None,
    };
    match (given, var) {
        (Some(ty @ Type::Enumeration(_)), _) => state.show(&input.value, Some(ty), reading),
        (None, Some(var))
            if !matches!(choice, Choice::Input(_)) && name_of(program, var).is_some() =>
        {
            state.show_variable(var, &input.value)
        }
        _ => state.show(&input.value, None, reading),
    }
}

/// `f().a = 5`: parts of a structure that a function without a body returned.
fn returned_parts(state: &State<'_>, choice: &Choice, holder: Holder, bits: &Bv) -> Option<String> {
    let (Choice::Input(name) | Choice::External(name), Holder::Memory { offset, .. }) =
        (choice, holder)
    else {
        return None;
    };
    let ty @ Type::Record(_) = state.types.returned(name)? else { return None };
    state.parts(&format!("{name}()"), ty, offset, bits)
}

/// Whether a choice is part of what the program begins with: an argument of the entry function that is in memory, an object
/// behind a pointer among these arguments, or an element of `argv`.
pub(crate) fn is_pointed(choice: &Choice, origin: Origin) -> bool {
    let is_given =
        |name: &str| name.starts_with("argument ") && matches!(origin, Origin::Memory(_));
    matches!(choice, Choice::Input(name)
        if name.starts_with('*') || name.starts_with("argv[") || is_given(name))
}

/// Whether a value is that of a global at the start which the program does not determine: the global is declared and
/// not defined, or globals were asked to be arbitrary.
pub(crate) fn is_initial(program: &Program, origin: Origin, holder: Holder) -> bool {
    let is_global = |var: Var| program.cfa.variables[var].scope == Scope::Global;
    match (origin, holder) {
        (Origin::Havoc(_), _) => {
            matches!(origin.choice(program), Choice::External(_))
                && origin.variable(program).is_some_and(is_global)
        }
        (Origin::Variable(var, None), _) => is_global(var),
        (Origin::Memory(None), Holder::Memory { object, .. }) => {
            let index = usize::try_from(object).ok();
            let object = index.and_then(|index| program.cfa.objects.as_slice().get(index));
            object.is_some_and(|object| matches!(object.contents, Contents::Arbitrary))
        }
        _ => false,
    }
}

/// The name of a variable, if it is one of the source.
fn name_of(program: &Program, var: Var) -> Option<&str> {
    let name = Infix::new(program).with_source_names().name(var);
    (!name.contains(['$', '@', '&']) && !name.contains("::")).then_some(name)
}

fn holder(program: &Program, input: &Input) -> Option<String> {
    if let Some(var) = input.origin.variable(program) {
        return name_of(program, var).map(str::to_owned).or_else(|| result(program, var));
    }
    match input.holder {
        Holder::Memory { object, offset } => {
            let object = program.cfa.objects.as_slice().get(usize::try_from(object).ok()?)?;
            let name = object.name.rsplit("::").next().unwrap_or(&object.name);
            Some(match offset {
                0 => name.to_owned(),
                _ => format!("{name} + {}", counted(offset, "byte")),
            })
        }
        _ => None,
    }
}

/// The words for the variable that holds the result of a function, which has no name in the source: the function has
/// returned without giving it a value.
fn result(program: &Program, var: Var) -> Option<String> {
    let mut functions = program.cfa.functions.iter();
    let function = functions.find(|function| function.results.contains(&var))?;
    Some(format!("the result of {}", function.name))
}

/// Whether the name of a choice is that of a function and not a description.
pub(crate) fn is_function(name: &str) -> bool {
    !name.is_empty() && name.chars().all(is_word) && name != "havoc"
}
