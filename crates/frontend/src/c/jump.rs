//! What is known of a jump of `longjmp`, and of the calls of `setjmp` in a function.

use term::{TermId, Terms, Var};

use super::body::Label;

/// The functions that jump.
pub(super) const LONGJMP: [&str; 4] = ["longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"];

/// Global variables that say which jump there is.
#[derive(Clone, Copy)]
pub(super) struct Jump {
    /// Whether there is one.
    pub(super) on: Var,
    /// The object of the activation that it goes to.
    pub(super) frame: Var,
    /// Which `setjmp` of the function.
    pub(super) site: Var,
    /// What `setjmp` returns.
    pub(super) value: Var,
}

/// What a function has of jumps.
#[derive(Default)]
pub(super) struct Landing {
    /// Where an activation goes that sees a jump.
    pub(super) label: Option<Label>,
    /// The address of the object that stands for the activation.
    pub(super) frame: Option<TermId>,
    pub(super) sites: Vec<Site>,
}

/// A call of `setjmp`.
pub(super) struct Site {
    pub(super) behind: Label,
    /// The variable with what it returns.
    pub(super) result: Var,
    /// The numbers of the blocks around it.
    pub(super) blocks: Vec<usize>,
}

impl Jump {
    pub fn is_on(self, terms: &mut Terms) -> TermId {
        terms.var(self.on)
    }
}
