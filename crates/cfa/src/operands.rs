//! What operations read and change.

use term::{TermId, Var};

use crate::Op;

impl Op {
    /// The terms that the operation reads, in a fixed order.
    pub fn terms(&self) -> impl Iterator<Item = TermId> + '_ {
        let (single, many): ([Option<TermId>; 3], &[TermId]) = match self {
            Op::Assume(term) | Op::Exit(term) => ([Some(*term), None, None], &[]),
            Op::Assign { value, .. } => ([Some(*value), None, None], &[]),
            Op::Check { holds, .. } => ([Some(*holds), None, None], &[]),
            Op::Load { address, .. } | Op::Free { address, .. } | Op::Size { address, .. } => {
                ([Some(*address), None, None], &[])
            }
            Op::Store { address, value } => ([Some(*address), Some(*value), None], &[]),
            Op::Copy { to, from, length } => ([Some(*to), Some(*from), Some(*length)], &[]),
            Op::Fill { address, byte, length } => {
                ([Some(*address), Some(*byte), Some(*length)], &[])
            }
            Op::HavocMemory { address, length, .. } | Op::Valid { address, length, .. } => {
                ([Some(*address), Some(*length), None], &[])
            }
            Op::Alloc { size, .. } => ([Some(*size), None, None], &[]),
            Op::HavocReachable { roots: many, .. }
            | Op::Call { arguments: many, .. }
            | Op::Output { arguments: many, .. } => ([None; 3], many),
            Op::Havoc { .. } | Op::Abort | Op::Unsupported(_) => ([None; 3], &[]),
        };
        single.into_iter().flatten().chain(many.iter().copied())
    }

    /// The terms that [`Self::terms`] gives, for change.
    pub fn terms_mut(&mut self) -> impl Iterator<Item = &mut TermId> {
        let (single, many): ([Option<&mut TermId>; 3], &mut [TermId]) = match self {
            Op::Assume(term) | Op::Exit(term) => ([Some(term), None, None], &mut []),
            Op::Assign { value, .. } => ([Some(value), None, None], &mut []),
            Op::Check { holds, .. } => ([Some(holds), None, None], &mut []),
            Op::Load { address, .. } | Op::Free { address, .. } | Op::Size { address, .. } => {
                ([Some(address), None, None], &mut [])
            }
            Op::Store { address, value } => ([Some(address), Some(value), None], &mut []),
            Op::Copy { to, from, length } => ([Some(to), Some(from), Some(length)], &mut []),
            Op::Fill { address, byte, length } => {
                ([Some(address), Some(byte), Some(length)], &mut [])
            }
            Op::HavocMemory { address, length, .. } | Op::Valid { address, length, .. } => {
                ([Some(address), Some(length), None], &mut [])
            }
            Op::Alloc { size, .. } => ([Some(size), None, None], &mut []),
            Op::HavocReachable { roots: many, .. }
            | Op::Call { arguments: many, .. }
            | Op::Output { arguments: many, .. } => ([None, None, None], many),
            Op::Havoc { .. } | Op::Abort | Op::Unsupported(_) => ([None, None, None], &mut []),
        };
        single.into_iter().flatten().chain(many)
    }

    /// Whether the operation reads or changes anything but variables. A call by itself does not. Output does not count
    /// either: it changes nothing that a program can read again, although a conversion of its format may store
    /// something.
    #[must_use]
    pub const fn uses_memory(&self) -> bool {
        match self {
            Op::Load { .. }
            | Op::Store { .. }
            | Op::Copy { .. }
            | Op::Fill { .. }
            | Op::HavocMemory { .. }
            | Op::HavocReachable { .. }
            | Op::Alloc { .. }
            | Op::Free { .. }
            | Op::Size { .. }
            | Op::Valid { .. } => true,
            Op::Assume(_)
            | Op::Assign { .. }
            | Op::Havoc { .. }
            | Op::Check { .. }
            | Op::Call { .. }
            | Op::Output { .. }
            | Op::Exit(_)
            | Op::Abort
            | Op::Unsupported(_) => false,
        }
    }

    /// The variables of the function at hand and the global ones that the operation assigns.
    /// What a callee or [`Op::HavocReachable`] changes besides is not among them.
    pub fn assigned(&self) -> &[Var] {
        match self {
            Op::Assign { var, .. }
            | Op::Havoc { var, .. }
            | Op::Load { var, .. }
            | Op::Size { var, .. }
            | Op::Valid { var, .. }
            | Op::Alloc { var, .. } => std::slice::from_ref(var),
            Op::Call { results, .. } => results,
            Op::Assume(_)
            | Op::Store { .. }
            | Op::Copy { .. }
            | Op::Fill { .. }
            | Op::HavocMemory { .. }
            | Op::HavocReachable { .. }
            | Op::Free { .. }
            | Op::Check { .. }
            | Op::Output { .. }
            | Op::Exit(_)
            | Op::Abort
            | Op::Unsupported(_) => &[],
        }
    }

    /// The variables that [`Self::assigned`] gives, for change.
    pub fn assigned_mut(&mut self) -> &mut [Var] {
        match self {
            Op::Assign { var, .. }
            | Op::Havoc { var, .. }
            | Op::Load { var, .. }
            | Op::Size { var, .. }
            | Op::Valid { var, .. }
            | Op::Alloc { var, .. } => std::slice::from_mut(var),
            Op::Call { results, .. } => results,
            _ => &mut [],
        }
    }
}
