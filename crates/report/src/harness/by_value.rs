//! Structures that are passed by value, in a file that does not know their types.

use crate::types::{Type, Types};

/// How a function takes or returns a structure by value: x86-64 passes up to sixteen bytes in registers, eight bytes
/// in each, and uses a register for floats if all of its eight bytes are floats. Every other structure is passed as a
/// row of bytes.
pub(super) struct ByValue {
    size: u64,
    align: u64,
    /// For each eight bytes whether they are floats.
    floats: Vec<bool>,
    /// Whether the structure's members are known, as far as they matter.
    pub(super) is_known: bool,
}

/// The most bytes that are passed in registers.
const REGISTERS: u64 = 16;

/// How many bytes are passed in one register.
const REGISTER: u64 = 8;

impl ByValue {
    /// A structure of a type, if it is known, with a size and an alignment.
    pub(super) fn of(types: &Types<'_>, ty: Option<&Type>, size: u64, align: u64) -> Self {
        let in_registers = types.address_width == 64 && size <= REGISTERS;
        let floats = match in_registers {
            true => ty.and_then(|ty| floats(types, ty, size)),
            false => Some(Vec::new()),
        };
        let is_known = floats.is_some();
        Self { size, align, floats: floats.unwrap_or_default(), is_known }
    }

    /// A structure with a single float of this many bytes.
    pub(super) fn float(size: u64) -> Self {
        let align = size.next_power_of_two();
        Self { size, align, floats: vec![true], is_known: matches!(size, 4 | 8) }
    }

    /// Declares a structure that is passed in the same way.
    pub(super) fn declare(&self, name: &str) -> String {
        let mut members = String::new();
        let size = self.size.max(1);
        let registers = if self.floats.is_empty() { 1 } else { self.floats.len() };
        for at in 0..registers {
            let rest = size - at as u64 * REGISTER;
            let bytes = if self.floats.is_empty() { rest } else { rest.min(REGISTER) };
            members.push_str(&match self.floats.get(at) {
                Some(true) => format!(" float part{at}[{}];", bytes / 4),
                _ => format!(" unsigned char part{at}[{bytes}];"),
            });
        }
        format!("struct {name} {{{members} }} __attribute__((aligned({})));\n", self.align)
    }

    /// How many bytes it has.
    pub(super) const fn size(&self) -> u64 {
        self.size
    }
}

/// For each eight bytes of a type of a size whether they are floats, if that is known.
fn floats(types: &Types<'_>, ty: &Type, size: u64) -> Option<Vec<bool>> {
    let mut scalars = Vec::new();
    collect(types, ty, 0, &mut scalars)?;
    if types.size(ty) != Some(size) {
        return None;
    }
    let parts = 0..size.div_ceil(REGISTER);
    parts
        .map(|part| {
            let mut of = scalars.iter().filter(|(at, _)| at / REGISTER == part).peekable();
            // Eight bytes of nothing but padding are rare, so such a structure counts as unknown.
            of.peek()?;
            Some(of.all(|(_, is_float)| *is_float))
        })
        .collect()
}

/// The places of the scalars of a type, and whether they are floats.
fn collect(types: &Types<'_>, ty: &Type, at: u64, found: &mut Vec<(u64, bool)>) -> Option<()> {
    match ty {
        // A float of another size, such as a `long double`, is passed by rules of its own, and so is a structure that
        // contains one.
        Type::Float(bits) if !matches!(bits, 32 | 64) => return None,
        // A structure with a member that is not aligned as the member's type asks is passed by rules of its own, too.
        _ if !ty.is_aggregate() && !at.is_multiple_of(types.size(ty)?) => return None,
        Type::Float(_) => found.push((at, true)),
        Type::Integer { .. }
        | Type::Character
        | Type::Truth
        | Type::Enumeration(_)
        | Type::Pointer(_) => found.push((at, false)),
        Type::Array(element, count) => {
            let size = types.size(element)?;
            for index in 0..count.filter(|count| *count <= REGISTERS)? {
                collect(types, element, at + index * size, found)?;
            }
        }
        Type::Record(record) => {
            for member in types.members(*record)? {
                let at = at + member.offset;
                match member.bits {
                    Some(_) => found.push((at, false)),
                    None => collect(types, &member.ty, at, found)?,
                }
            }
        }
        Type::Other => return None,
    }
    Some(())
}
