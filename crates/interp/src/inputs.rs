//! Who decides what the model leaves open.

use std::collections::VecDeque;

use base::Span;
use cfa::{Choice, EdgeId, LocId, Program};
pub use run::{Drawn, Origin, Site};
use term::{Sort, Value};

use crate::literal::Literal;

/// The operation that took the value of some bytes away.
pub(crate) type Havoc = Site;

/// What holds a value that no operation has set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Holder {
    /// The operation that asks for it.
    Operation,
    /// A variable of an activation. Activations are counted from one as they start; activation zero stands for global
    /// variables.
    Variable {
        /// The number of the activation.
        activation: u64,
    },
    /// The bytes of an object. Objects are counted from zero as they begin, those that exist from
    /// the start first; memory that the program does not make has the largest number.
    Memory {
        /// The number of the object.
        object: u64,
        /// The offset in the object.
        offset: u64,
    },
}

/// A value that the run needs.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The program that runs.
    pub program: &'a Program,
    /// The operation or read that asks.
    pub origin: Origin,
    /// What holds the value.
    pub holder: Holder,
    /// The sort of the value.
    pub sort: Sort,
}

impl Request<'_> {
    /// Whether the value is that of something that was not initialised, rather than an input.
    #[must_use]
    pub fn is_uninitialised(&self) -> bool {
        *self.origin.choice(self.program) == Choice::Uninitialised
    }
}

/// Why [`Inputs`] gave no value and no edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// There are no more inputs.
    Exhausted,
    /// The input that is due does not fit the request.
    Unfit {
        /// Why the input does not fit.
        message: String,
        /// Where the input is written.
        span: Option<Span>,
    },
}

/// Decides what the model leaves open.
pub trait Inputs {
    /// A value of the sort that is asked for.
    ///
    /// # Errors
    /// If there is none; the run ends then.
    fn choose(&mut self, request: &Request<'_>) -> Result<Value, Trouble>;

    /// Which of these edges of a location, two or more that can be taken, is taken: an index.
    ///
    /// # Errors
    /// If none is named; the run ends then.
    fn choose_edge(&mut self, location: LocId, edges: &[EdgeId]) -> Result<usize, Trouble>;
}

/// Every value is zero, every edge is the first.
#[derive(Clone, Copy, Default, Debug)]
pub struct Zeros;

impl Inputs for Zeros {
    fn choose(&mut self, request: &Request<'_>) -> Result<Value, Trouble> {
        Ok(request.program.terms.zero(request.sort))
    }

    fn choose_edge(&mut self, _location: LocId, _edges: &[EdgeId]) -> Result<usize, Trouble> {
        Ok(0)
    }
}

/// Decisions from lists: one list of inputs, one of values that were not initialised, one of edges. The three lists
/// are apart so that a person who writes inputs by hand need not list the other decisions.
#[derive(Clone, Default, Debug)]
pub struct Listed {
    pub(crate) inputs: VecDeque<Entry>,
    pub(crate) uninitialised: VecDeque<Entry>,
    pub(crate) edges: VecDeque<(usize, Option<Span>)>,
    /// Whether the run ends when a list does; otherwise zeros and first edges follow.
    pub strict: bool,
}

/// A value that gets its sort when it is asked for, and where it is written.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) value: EntryValue,
    pub(crate) span: Option<Span>,
}

#[derive(Clone, Debug)]
pub(crate) enum EntryValue {
    Literal(Literal),
    Value(Value),
}

impl Listed {
    /// The decisions of another run of the same program, to be made again.
    #[must_use]
    pub fn replay(program: &Program, drawn: &[Drawn]) -> Self {
        let mut listed = Self::default();
        for each in drawn {
            match each {
                Drawn::Value { origin, value } => {
                    let uninitialised = *origin.choice(program) == Choice::Uninitialised;
                    let list =
                        if uninitialised { &mut listed.uninitialised } else { &mut listed.inputs };
                    list.push_back(Entry { value: EntryValue::Value(value.clone()), span: None });
                }
                Drawn::Edge { index, .. } => listed.edges.push_back((*index, None)),
            }
        }
        listed
    }

    /// Whether every decision has been used.
    #[must_use]
    pub fn is_exhausted(&self) -> bool {
        self.inputs.is_empty() && self.uninitialised.is_empty() && self.edges.is_empty()
    }
}

impl Inputs for Listed {
    fn choose(&mut self, request: &Request<'_>) -> Result<Value, Trouble> {
        let list =
            if request.is_uninitialised() { &mut self.uninitialised } else { &mut self.inputs };
        let Some(Entry { value, span }) = list.pop_front() else {
            return if self.strict { Err(Trouble::Exhausted) } else { Zeros.choose(request) };
        };
        let terms = &request.program.terms;
        match value {
            EntryValue::Literal(literal) => literal
                .value(terms, request.sort)
                .map_err(|message| Trouble::Unfit { message, span }),
            EntryValue::Value(value) if value.sort() == request.sort => Ok(value),
            EntryValue::Value(_) => {
                let message =
                    format!("a value of sort {} is due", terms.display_sort(request.sort));
                Err(Trouble::Unfit { message, span })
            }
        }
    }

    fn choose_edge(&mut self, _location: LocId, edges: &[EdgeId]) -> Result<usize, Trouble> {
        let count = edges.len();
        match self.edges.pop_front() {
            Some((index, _)) if index < count => Ok(index),
            Some((_, span)) => {
                let message = format!("only {count} edges can be taken");
                Err(Trouble::Unfit { message, span })
            }
            None if self.strict => Err(Trouble::Exhausted),
            None => Ok(0),
        }
    }
}
