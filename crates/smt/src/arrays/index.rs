//! Indices of reads: their circuits, and their values in the present model.

use rustsat::types::Lit;
use term::{TermId, Value};

use super::reads::Part;
use crate::blast::Blaster;
use crate::circuit::{Circuit, Missing};

/// The value of a term that a read needs.
pub(super) fn value_of(blaster: &Blaster, term: TermId) -> Value {
    let circuit = blaster.built(term).expect("parts of reads have circuits");
    blaster.model_value(circuit)
}

/// The circuit of an index; the index [`Part::Elsewhere`] has none, which is an error here.
fn circuit(blaster: &Blaster, part: &Part) -> Result<Circuit, Missing> {
    match part {
        Part::Term(term) => blaster.circuit_of(*term),
        Part::Constant(value) => blaster.constant(value),
        Part::Witness(equation, at) => blaster
            .arrays
            .equations
            .get(equation)
            .and_then(|equation| equation.witness.get(*at))
            .cloned()
            .ok_or_else(|| "an index without a value".to_owned()),
        Part::Elsewhere => Err("an index without a value".to_owned()),
    }
}

/// The value of an index; `None` for the index [`Part::Elsewhere`].
pub(super) fn index_value(blaster: &Blaster, part: &Part) -> Result<Option<Value>, Missing> {
    match part {
        Part::Elsewhere => Ok(None),
        Part::Constant(value) => Ok(Some(value.clone())),
        Part::Term(term) => Ok(Some(value_of(blaster, *term))),
        Part::Witness(..) => Ok(Some(blaster.model_value(&circuit(blaster, part)?))),
    }
}

/// Whether two indices are the same.
pub(super) fn same(blaster: &mut Blaster, a: &Part, b: &Part) -> Result<Lit, Missing> {
    let (a, b) = (circuit(blaster, a)?, circuit(blaster, b)?);
    blaster.equal(&a, &b)
}
