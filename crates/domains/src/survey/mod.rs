//! Where operations access memory, in all executions: a data-flow analysis with the postconditions
//! of explicit values, one state for each location and call stack.

mod access;
mod constants;

use cfa::{ObjectId, Op, Program};
use run::Budget;
use term::Value;

pub use access::{Access, Accesses, Where};

use crate::value::{Abstract, Background, NameId, ObjectSite, Values};

/// What is known of all accesses to memory.
pub struct Survey<'p> {
    values: Values<'p>,
    /// What each operation accesses.
    pub accesses: Accesses,
}

/// The contents of some bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Held {
    /// The bytes hold this value.
    Value(Value),
    /// The bytes hold an address that is this number of bytes behind the address of an object that exists from the
    /// start.
    Address(ObjectId, u64),
}

impl<'p> Survey<'p> {
    /// Looks at all executions of a program. `None` if that takes long.
    #[must_use]
    pub fn of(program: &'p Program, budget: &Budget) -> Option<Self> {
        let mut values = Values::new(program, None);
        let states = constants::reached(&mut values, budget)?;
        let accesses = access::collect(&mut values, states);
        Some(Self { values, accesses })
    }

    /// The program.
    #[must_use]
    pub const fn program(&self) -> &'p Program {
        self.values.program()
    }

    /// Where an object began.
    #[must_use]
    pub fn site(&self, object: NameId) -> ObjectSite {
        self.values.site(object)
    }

    /// The objects to which an operation that writes at an address may write, in order; `None` if it may write to any
    /// object.
    #[must_use]
    pub fn written(&self, op: &Op) -> Option<Vec<ObjectSite>> {
        match op {
            Op::Store { address, .. }
            | Op::Copy { to: address, .. }
            | Op::Fill { address, .. }
            | Op::HavocMemory { address, .. } => self.values.pointees(*address),
            _ => None,
        }
    }

    /// What some bytes of an object that exists from the start hold at first, if that is known.
    pub fn first_value(&mut self, object: ObjectId, offset: u64, length: u64) -> Option<Held> {
        match self.values.first_value(Background::Initial(object), offset, length) {
            Abstract::Known(value) => Some(Held::Value(value)),
            Abstract::Pointer(to, Some(offset)) => match self.values.site(to) {
                ObjectSite::Initial(object) => Some(Held::Address(object, offset)),
                ObjectSite::Alloc(..) => None,
            },
            Abstract::Pointer(_, None) | Abstract::Signs(_) | Abstract::Unknown => None,
        }
    }
}
