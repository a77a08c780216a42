//! Globals whose values at the start are not those that the program gives them: globals that are declared and not
//! defined, and all globals if they were asked to be arbitrary.

use std::collections::BTreeMap;

use base::tokens::is_word;
use base::{Id as _, Span};
use cfa::{ObjectId, Program};
use interp::Holder;

use crate::execution::Input;
use crate::types::{Type, Types};

/// The bytes of globals at the start: by the name of the global and the offset of the first byte.
pub(super) type Held = BTreeMap<String, BTreeMap<u64, Vec<u8>>>;

/// The bytes of a global whose value is an input.
pub(super) struct Part {
    pub(super) name: String,
    pub(super) offset: u64,
    /// Where the global is declared.
    pub(super) span: Option<Span>,
    /// How many bytes the whole of it has.
    pub(super) size: Option<u64>,
}

/// Which bytes of which global have an input as their value.
pub(super) fn part(program: &Program, types: &Types<'_>, input: &Input) -> Option<Part> {
    if let Holder::Memory { object, offset } = input.holder {
        let index = usize::try_from(object).ok().filter(|at| *at < program.cfa.objects.len())?;
        let object = &program.cfa.objects[ObjectId::from_index(index)];
        let (name, size) = (object.name.to_string(), Some(object.size));
        return Some(Part { name, offset, span: object.span, size });
    }
    let known = &program.cfa.variables[input.origin.variable(program)?];
    let path = known.source_name.as_deref()?;
    let (name, mut rest) = path.split_at(path.find(['.', '[']).unwrap_or(path.len()));
    let whole = known.span.and_then(|span| types.declared(span));
    let size = whole.and_then(|ty| types.size(ty));
    let (mut offset, mut ty) = (0, whole.cloned());
    while !rest.is_empty() {
        let end = rest[1..].find(['.', '[']).map_or(rest.len(), |end| end + 1);
        (offset, ty) = match (ty?, rest[..end].strip_prefix('.')) {
            (Type::Record(record), Some(member)) => {
                let member = types.member(record, member)?;
                // A part of a byte cannot be set without the rest of it.
                if member.bits.is_some() {
                    return None;
                }
                (offset + member.offset, Some(member.ty))
            }
            (Type::Array(element, _), None) => {
                let index: u64 = rest[1..end].trim_end_matches(']').parse().ok()?;
                (offset + index * types.size(&element)?, Some(*element))
            }
            _ => return None,
        };
        rest = &rest[end..];
    }
    Some(Part { name: name.to_owned(), offset, span: known.span, size })
}

/// Whether another file can name a global.
pub(super) fn is_visible(program: &Program, part: &Part) -> bool {
    part.name.chars().all(is_word)
        && part.span.is_some_and(|span| !program.cfa.c_types.is_internal(span))
}

/// Sets globals before anything else is executed.
pub(super) fn write(held: &Held, text: &mut String) {
    if held.is_empty() {
        return;
    }
    text.push_str("\n/* What globals hold at the start. */\n");
    let mut body = String::new();
    for (name, parts) in held {
        text.push_str(&format!("extern unsigned char {name}[];\n"));
        for (offset, bytes) in parts {
            for (at, byte) in (*offset..).zip(bytes) {
                body.push_str(&format!("    {name}[{at}] = {byte};\n"));
            }
        }
    }
    text.push_str(&format!(
        "__attribute__((constructor(101), no_instrument_function)) static void proviso_globals(void)\n\
         {{\n{body}}}\n"
    ));
}
