//! What is known of a jump of `longjmp`, and of the calls of `setjmp` in a function.

use term::{TermId, Terms, Var};

use super::body::Label;

/// The functions that jump.
pub(super) const LONGJMP: [&str; 4] = ["longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"];

/// Global variables that describe the jump that is on its way.
#[derive(Clone, Copy)]
pub(super) struct Jump {
    /// Whether a jump is on its way.
    pub(super) on: Var,
    /// The address of the object that stands for the activation to which the jump goes.
    pub(super) frame: Var,
    /// The number of the `setjmp` in the function to which the jump goes.
    pub(super) site: Var,
    /// What `setjmp` returns.
    pub(super) value: Var,
}

/// Where jumps arrive in a function, and the calls of `setjmp` in it.
#[derive(Default)]
pub(super) struct Landing {
    /// Where an activation goes on when a call has returned because of a jump.
    pub(super) label: Option<Label>,
    /// The address of the object that stands for the activation.
    pub(super) frame: Option<TermId>,
    pub(super) sites: Vec<Site>,
}

/// A call of `setjmp`.
pub(super) struct Site {
    pub(super) behind: Label,
    /// The variable with the result of the call.
    pub(super) result: Var,
    /// The numbers of the blocks around the call.
    pub(super) blocks: Vec<usize>,
}

impl Jump {
    pub fn is_on(self, terms: &mut Terms) -> TermId {
        terms.var(self.on)
    }
}
