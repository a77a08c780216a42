//! What a state knows of variables and objects, wherever the run stands.

use base::Span;
use cfa::ObjectId;
use term::Var;

use super::super::place::{NamedPlace, What};
use super::{Region, State};

/// An object that lives.
pub(crate) struct Live<'a> {
    /// Its first address.
    pub(crate) start: u64,
    /// The first address behind it.
    pub(crate) end: u64,
    /// Its name; that of a block is `heap#1`.
    pub(crate) name: &'a str,
    /// Where it is declared, if it is.
    pub(crate) declared: Option<Span>,
    /// The object of the model, if the object exists from the start.
    pub(crate) object: Option<ObjectId>,
    /// The depth of the activation that the object ends with, if it ends with one.
    pub(crate) depth: Option<usize>,
}

impl State<'_> {
    /// The object with a name that an address belongs to.
    pub(crate) fn live_at(&self, at: u64) -> Option<Live<'_>> {
        let is_it = |region: &&Region| {
            !region.is_freed && at.checked_sub(region.start).is_some_and(|it| it < region.size)
        };
        let region = self.regions.iter().rev().find(is_it)?;
        let &Region { start, size, ref name, declared, object, depth, .. } = region;
        let end = start.saturating_add(size);
        (!name.is_empty()).then_some(Live { start, end, name, declared, object, depth })
    }

    /// The value of all of an object, as far as it is known as a whole.
    pub(crate) fn object_text(&self, start: u64) -> Option<String> {
        let is_it = |region: &&Region| !region.is_freed && region.start == start;
        let region = self.regions.iter().rev().find(is_it)?;
        let what = What::Memory { address: start, bits: None };
        self.text(&NamedPlace { text: String::new(), ty: region.ty.clone(), what })
    }

    /// The value of a variable of an activation, or of a global variable.
    pub(crate) fn variable_text(&self, var: Var, depth: Option<usize>) -> Option<String> {
        let table = match depth {
            Some(depth) => self.frames.get(depth)?,
            None => &self.globals,
        };
        Some(self.show_variable(var, table.get(&var)?.as_ref()?))
    }
}
