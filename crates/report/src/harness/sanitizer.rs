//! How gcc shows a fault when it is told to look for it.

use cfa::{Check, Fault};

/// What a harness says about a fault.
pub(super) struct Sanitizer {
    /// The options that have gcc look for the fault, if it can.
    pub(super) options: Option<&'static str>,
    /// What happens when the harness is run.
    pub(super) told: String,
    /// Whether it is the address sanitizer, which replaces the functions that allocate memory.
    pub(super) is_of_memory: bool,
}

/// How a fault is shown.
pub(super) fn of(fault: Fault) -> Sanitizer {
    let options = match fault.check() {
        Some(Check::Deref | Check::Free) => Some("-g -fsanitize=address,undefined"),
        // What is lost at the end is found by the part of the address sanitizer that looks for leaks.
        Some(Check::Leak | Check::Track) => Some("-g -fsanitize=address"),
        Some(Check::Div | Check::Overflow | Check::Shift) => Some("-g -fsanitize=undefined"),
        Some(Check::Conversion) => Some("-g -fsanitize=undefined,float-cast-overflow"),
        Some(Check::UnsignedOverflow | Check::Uninitialised) | None => None,
    };
    let what = fault.describe();
    let told = match (fault.check(), options) {
        (Some(Check::Conversion), _) => format!(
            "The error is a fault: {what}. gcc has a sanitizer for floats alone, which ends the run. \
             It does not see the conversion of an integer: set a breakpoint there, for the program goes on."
        ),
        (Some(Check::Leak | Check::Track), _) => format!(
            "The error is a fault: {what}. The sanitizer lists what is lost; what is still pointed \
             to it does not list."
        ),
        (Some(Check::Uninitialised), _) => format!(
            "The error is a fault: {what}. gcc does not look for it: build the program with clang and \
             -fsanitize=memory, or set a breakpoint there."
        ),
        (_, Some(_)) => {
            format!(
                "The error is a fault: {what}. The sanitizer names it and ends the run; where it does not see \
                 such a fault, set a breakpoint there."
            )
        }
        (_, None) => {
            format!(
                "The error is a fault: {what}. gcc does not look for it: set a breakpoint there."
            )
        }
    };
    let is_of_memory = options.is_some_and(|options| options.contains("address"));
    Sanitizer { options, told, is_of_memory }
}
