//! Which faults are marked.

use cfa::{Check, Checks};

/// Which faults of arithmetic are marked in the functions of a unit. Division by zero is always marked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Marked {
    /// Signed arithmetic that leaves the range of its type.
    pub signed: bool,
    /// Signed shifts to the left that leave the range of their type.
    pub signed_shift: bool,
    /// Unsigned arithmetic that leaves the range of its type.
    pub unsigned: bool,
    /// Shifts that C does not define.
    pub shift: bool,
    /// Conversions that change the value.
    pub conversion: bool,
    /// Variables that are read before they are set.
    pub unset: bool,
}

impl Marked {
    /// What the checks of a run look for.
    pub fn by(checks: Checks) -> Self {
        Self {
            signed: checks.has(Check::Overflow),
            signed_shift: checks.has(Check::Overflow),
            unsigned: checks.has(Check::UnsignedOverflow),
            shift: checks.has(Check::Shift),
            conversion: checks.has(Check::Conversion),
            unset: checks.has(Check::Uninitialised),
        }
    }

    /// Whether operators of arithmetic get checks for faults, so that one of them may end an execution.
    pub fn arithmetic(self) -> bool {
        self.signed || self.unsigned || self.shift
    }
}
