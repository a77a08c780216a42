//! The rules of a log: one for each property and each kind of fault that it speaks of.

use serde_json::{Value, json};

/// What is known of a rule: its identifier, a name, a sentence, and what to do about a violation.
const KNOWN: [(&str, &str, &str, &str); 11] = [
    (
        "unreach-call",
        "ErrorReached",
        "No execution fails an assert or calls an error function.",
        "Follow the execution to the assert. Where an input cannot have the value that it has there, say so in the \
         model of the surroundings, by `__VERIFIER_assume` or by a function that returns what it may be.",
    ),
    (
        "valid-deref",
        "InvalidAccess",
        "Every access is inside of an object that lives, and every call through a pointer finds a function.",
        "Compare index and size before the access, and a pointer with NULL; look at where the object is freed or goes \
         out of scope.",
    ),
    (
        "valid-free",
        "InvalidFree",
        "Only what was allocated and not freed yet is freed.",
        "Look for the first `free` of the object on the way; set pointers to NULL when their object is freed.",
    ),
    (
        "valid-memcleanup",
        "MemoryLeak",
        "Every heap object is freed before the program ends.",
        "Free the object on the way that the execution takes.",
    ),
    (
        "valid-memtrack",
        "LostMemory",
        "Every heap object that lives is pointed to.",
        "Keep a pointer to the object until it is freed.",
    ),
    (
        "no-overflow",
        "SignedOverflow",
        "Signed arithmetic stays in the range of its type.",
        "Compare the operands with the limits of their type before the operation, or use a wider type.",
    ),
    (
        "div",
        "DivisionByZero",
        "Nothing is divided by zero.",
        "Compare the divisor with zero before the division.",
    ),
    (
        "unsigned-overflow",
        "UnsignedOverflow",
        "Unsigned arithmetic stays in the range of its type.",
        "Compare the operands with the limits of their type before the operation, or use a wider type.",
    ),
    (
        "shift",
        "UndefinedShift",
        "Shifts are by less than the width of their type, and of values that allow it.",
        "Compare the distance with the width of the type before the shift; shift unsigned values.",
    ),
    (
        "conversion",
        "LossyConversion",
        "Conversions keep the value.",
        "Compare the value with the limits of the narrower type before the conversion.",
    ),
    (
        "uninitialised",
        "UninitialisedRead",
        "Values that are used have been set.",
        "Initialise the variable where it is declared, or on the way that the execution takes.",
    ),
];

/// The rules that results speak of, in the order of the first of them.
#[derive(Default)]
pub(super) struct Rules {
    used: Vec<String>,
}

impl Rules {
    /// The number of a rule.
    pub(super) fn index(&mut self, id: &str) -> usize {
        if let Some(known) = self.used.iter().position(|known| known == id) {
            return known;
        }
        self.used.push(id.to_owned());
        self.used.len() - 1
    }

    /// All of them.
    pub(super) fn list(&self) -> Vec<Value> {
        self.used.iter().map(|id| rule(id)).collect()
    }
}

fn rule(id: &str) -> Value {
    let known = KNOWN.iter().find(|(known, ..)| *known == id);
    let Some((_, name, sentence, help)) = known else {
        let sentence = format!("The property {id} holds.");
        return json!({
            "id": id,
            "shortDescription": { "text": sentence },
            "defaultConfiguration": { "level": "error" },
        });
    };
    json!({
        "id": id,
        "name": name,
        "shortDescription": { "text": sentence },
        "fullDescription": { "text": sentence },
        "help": { "text": help },
        "defaultConfiguration": { "level": "error" },
        "properties": { "precision": "very-high", "tags": ["verification"] },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A fault without a rule of its own would have no help.
    #[test]
    fn every_fault_has_a_rule() {
        for fault in cfa::Fault::ALL.into_iter().filter(|fault| fault.check().is_some()) {
            let id = fault.property();
            assert!(KNOWN.iter().any(|(known, ..)| *known == id), "{id}");
        }
    }
}
