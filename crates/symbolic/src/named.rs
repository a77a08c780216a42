//! What the symbols of a path's formula stand for.

use term::Var;

use crate::ids::ObjectIndex;

/// What a symbol stands for from one cut to the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Named {
    /// A variable, of the activation at a depth; globals have depth zero, the first activation
    /// has depth one.
    Variable {
        /// How many activations there are up to that of the variable, which is included.
        depth: usize,
        /// The variable.
        var: Var,
    },
    /// The value that was stored at an offset of an object.
    Cell {
        /// The object.
        object: ObjectIndex,
        /// The offset in the object.
        offset: u64,
    },
    /// The bytes of an object, as an array.
    Array {
        /// The object.
        object: ObjectIndex,
    },
}
