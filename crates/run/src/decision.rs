//! What an execution decided where the model leaves something open.

use cfa::{Choice, EdgeId, LocId, Op, Program, Reading};
use term::{Value, Var};

/// One operation of an edge.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Site {
    /// The edge.
    pub edge: EdgeId,
    /// The place of the operation in the edge.
    pub op: u32,
}

/// What asks for a value: an operation, or the first read of a variable or of bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Origin {
    /// `Op::Havoc` at this place.
    Havoc(Site),
    /// The first read of a variable that was made arbitrary at this place, by `Op::HavocReachable`
    /// or as a result that is not modelled, or that was never assigned.
    Variable(Var, Option<Site>),
    /// The first read of bytes that were made arbitrary at this place, or were never initialised.
    Memory(Option<Site>),
}

impl Origin {
    /// Who chooses the value.
    #[must_use]
    pub fn choice(self, program: &Program) -> &Choice {
        let site = match self {
            Origin::Havoc(site) | Origin::Variable(_, Some(site)) | Origin::Memory(Some(site)) => {
                site
            }
            Origin::Variable(_, None) | Origin::Memory(None) => return &Choice::Uninitialised,
        };
        match &program.cfa.edges[site.edge].ops[site.op as usize] {
            Op::Havoc { choice, .. }
            | Op::HavocMemory { choice, .. }
            | Op::HavocReachable { choice, .. } => choice,
            _ => &Choice::Uninitialised,
        }
    }

    /// The variable that gets the value, if a variable gets it.
    #[must_use]
    pub fn variable(self, program: &Program) -> Option<Var> {
        match self {
            Origin::Variable(var, _) => Some(var),
            Origin::Havoc(site) => match program.cfa.edges[site.edge].ops[site.op as usize] {
                Op::Havoc { var, .. } => Some(var),
                _ => None,
            },
            Origin::Memory(_) => None,
        }
    }

    /// How the value is shown.
    #[must_use]
    pub fn reading(self, program: &Program) -> Reading {
        self.variable(program).map_or(Reading::Plain, |var| program.cfa.variables[var].reading)
    }
}

/// A decision that was made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Drawn {
    /// A value.
    Value {
        /// What asked for the value.
        origin: Origin,
        /// The answer.
        value: Value,
    },
    /// One of several edges that could be taken.
    Edge {
        /// The location that these edges leave.
        location: LocId,
        /// The place of the chosen edge among the edges that could be taken, counted from zero.
        index: usize,
    },
}
