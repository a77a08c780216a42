//! The values that a statement reads from volatile objects. Such an object may change by itself, so it need not hold
//! what the program has written there.

use cfa::{Choice, Op, Reading};
use interp::Site;
use term::Value;

use super::State;
use crate::trace::place::{NamedPlace, What};

/// The beginning of the name of a choice for the value of a volatile object; the name of the object follows, unless
/// the object is in memory.
const VOLATILE: &str = "volatile object";

/// A value that a volatile object was found to hold.
#[derive(Clone, Debug)]
pub(crate) struct VolatileValue {
    object: Object,
    value: Value,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Object {
    Named(String),
    At(u64),
}

impl State<'_> {
    /// Notes the value that an operation chooses, if that is what a volatile object was found to hold.
    pub(super) fn find(&mut self, site: Site, value: &Value) {
        let program = self.program;
        let ops = &program.cfa.edges[site.edge].ops;
        let at = site.op as usize;
        let Op::Havoc { choice: Choice::Input(name), .. } = &ops[at] else { return };
        let Some(name) = name.strip_prefix(VOLATILE) else { return };
        let object = match (name.trim_start(), at.checked_sub(1).map(|before| &ops[before])) {
            ("", Some(Op::Load { address, .. })) => match self.eval(*address, self.depth) {
                Some(Value::Bv(bits)) => bits.to_u64().map(Object::At),
                _ => None,
            },
            ("", _) => None,
            (name, _) => Some(Object::Named(name.to_owned())),
        };
        self.found.extend(object.map(|object| VolatileValue { object, value: value.clone() }));
    }

    /// What the present statement has read from volatile objects, in order.
    pub(crate) fn found(&self) -> &[VolatileValue] {
        &self.found
    }

    /// The value of a place, in words: the first value in `found` that was read from the place, which is taken out of
    /// the list. Without such a value, the value that the state has for the place.
    pub(crate) fn text_found(
        &self,
        place: &NamedPlace,
        found: &mut Vec<VolatileValue>,
    ) -> Option<String> {
        let object = match place.what {
            What::Variable(var) => {
                let name = self.program.cfa.variables[var].source_name.as_deref();
                name.map(|name| Object::Named(name.to_owned()))
            }
            What::Memory { address, bits: None } => Some(Object::At(address)),
            _ => None,
        };
        let at = object.and_then(|object| found.iter().position(|each| each.object == object));
        match (at, &place.what) {
            (Some(at), What::Variable(var)) => {
                Some(self.show_variable(*var, &found.remove(at).value))
            }
            (Some(at), _) => {
                Some(self.show(&found.remove(at).value, place.ty.as_ref(), Reading::Signed))
            }
            (None, _) => self.text(place),
        }
    }
}
