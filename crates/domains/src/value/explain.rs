//! What explicit values know of a state, as formulas.

use cfa::{FuncId, Infix};
use run::{Certificate, Kept, Slot};
use term::{TermId, Value, Var};

use crate::explain::{Claim, Explain};
use crate::precision::{line_of, object_of};
use crate::value::Values;
use crate::value::cell::{Background, Cell, Distance};
use crate::value::layout;
use crate::value::object::{Aspect, ObjectSite};
use crate::value::precision::Tracked;
use crate::value::state::{Fact, State};

/// What has no place in a certificate: objects have no names there unless they exist from the
/// start.
const BEGUN: &str = "what is known of objects that began in the run";

impl Explain for Values<'_> {
    fn language(&self) -> Certificate {
        Certificate::new(self.program.terms.clone())
    }

    fn claim(&self, claim: &mut Claim<'_>, state: &State) {
        // Activations are counted from the start.
        let depth = u32::try_from(claim.functions.len()).unwrap_or(u32::MAX);
        for (fact, id) in self.facts(*state, claim.functions) {
            let Some(cell) = self.cells.get(id) else { continue };
            if let Cell::Distance(distance) = cell {
                self.claim_distance(claim, depth, fact, distance);
                continue;
            }
            match fact {
                Fact::Global(index) => {
                    let var = self.layout.globals[index as usize];
                    let term = claim.certificate.terms.var(var);
                    self.claim_value(claim, term, cell);
                }
                Fact::Local(up, index) => {
                    let function = claim.functions[up as usize];
                    let var = self.program.cfa.functions[function].locals[index as usize];
                    let term = claim.certificate.slot(Slot::Local { depth: depth - up, var });
                    self.claim_value(claim, term, cell);
                }
                Fact::Memory(index) => {
                    let (name, aspect) = self.names.at(index);
                    let ObjectSite::Initial(object) = self.names.name(name).site else {
                        claim.certificate.omit(BEGUN);
                        continue;
                    };
                    match (aspect, cell) {
                        (Aspect::Bytes { offset, length }, _) if length <= 16 => {
                            let slot = Slot::Bytes { object, offset, length };
                            let term = claim.certificate.slot(slot);
                            self.claim_value(claim, term, cell);
                        }
                        (Aspect::Background, Cell::Background(Background::Initial(of), dirty))
                            if *of == object =>
                        {
                            claim.kept.push(Kept { object, except: dirty.to_vec() });
                        }
                        _ => claim.certificate.omit("what is known of memory in other ways"),
                    }
                }
            }
        }
    }

    fn lines(&self, state: &State, functions: &[FuncId]) -> Vec<String> {
        let facts = self.facts(*state, functions).into_iter();
        facts
            .filter_map(|(fact, id)| Some(self.line(fact, self.cells.get(id)?, functions)))
            .collect()
    }
}

impl Values<'_> {
    /// What a fact says, for people.
    fn line(&self, fact: Fact, cell: &Cell, functions: &[FuncId]) -> String {
        let infix = Infix::new(self.program);
        let what = self.tracked(fact, functions);
        let (mut name, var) = match what {
            Tracked::Variable(var) => (infix.name(var).to_owned(), Some(var)),
            Tracked::Memory(..) => (line_of(self.program, what), None),
        };
        // A function may be active more than once.
        if let Fact::Local(up, _) = fact
            && functions[..up as usize].contains(&functions[up as usize])
        {
            name = format!("{name} ({up} calls up)");
        }
        match cell {
            Cell::Value(value) => format!("{name} = {}", infix.value(value, var)),
            Cell::Pointer(object, offset) => {
                let object = object_of(self.program, self.names.name(*object).site);
                match offset {
                    Some(0) => format!("{name} = {object}"),
                    Some(offset) => format!("{name} = {object} + {offset}"),
                    None => format!("{name} = {object} + ?"),
                }
            }
            Cell::Signs(signs) => format!("{name} {signs}"),
            Cell::Distance(distance) => format!(
                "{name} = {} + {}",
                infix.name(distance.base),
                infix.value(&distance.by, Some(distance.base))
            ),
            Cell::Background(_, changed) if changed.is_empty() => format!("{name}: first bytes"),
            Cell::Background(..) => format!("{name}: first bytes but for some"),
            Cell::Alive(Some(size)) => format!("{name}: {size} bytes"),
            Cell::Alive(None) => format!("{name}: alive"),
            Cell::Ended => format!("{name}: ended"),
        }
    }

    /// Claims how far a variable is from another one.
    fn claim_distance(&self, claim: &mut Claim<'_>, depth: u32, fact: Fact, distance: &Distance) {
        let mut term = |var: Var| match (self.layout.slot(var), fact) {
            (layout::Slot::Local(_), Fact::Local(up, _)) => {
                claim.certificate.slot(Slot::Local { depth: depth - up, var })
            }
            _ => claim.certificate.terms.var(var),
        };
        let Tracked::Variable(var) = self.tracked(fact, claim.functions) else { return };
        let (var, base) = (term(var), term(distance.base));
        let terms = &mut claim.certificate.terms;
        let by = terms.constant(distance.by.clone());
        let sum = match distance.by {
            Value::Int(_) => terms.add(base, by),
            _ => terms.bv_add(base, by),
        };
        claim.formulas.push(terms.eq(var, sum));
    }

    /// Claims that a term has a value.
    fn claim_value(&self, claim: &mut Claim<'_>, term: TermId, cell: &Cell) {
        let terms = &mut claim.certificate.terms;
        let value = match cell {
            Cell::Value(value) => match (value, terms.sort(term)) {
                // Bytes are claimed as bits.
                (Value::Float(float), term::Sort::Bv(_)) => Value::Bv(float.to_bv()),
                _ => value.clone(),
            },
            Cell::Pointer(name, offset) => {
                let ObjectSite::Initial(object) = self.names.name(*name).site else {
                    return claim.certificate.omit(BEGUN);
                };
                let Some(offset) = offset else {
                    return claim.certificate.omit("pointers with unknown offsets");
                };
                let address = self.program.cfa.objects[object].address;
                let base = terms.var(address);
                let offset = terms.bv(self.program.cfa.address_width, u128::from(*offset));
                let address = terms.bv_add(base, offset);
                if terms.sort(address) == terms.sort(term) {
                    claim.formulas.push(terms.eq(term, address));
                } else {
                    claim.certificate.omit("a value of another sort");
                }
                return;
            }
            Cell::Signs(signs) => {
                let formula = signs.formula(terms, term);
                return claim.formulas.push(formula);
            }
            Cell::Distance(_) | Cell::Background(..) | Cell::Alive(_) | Cell::Ended => {
                return claim.certificate.omit("what is known of memory in other ways");
            }
        };
        if value.sort() == terms.sort(term) {
            claim.values.push((term, value));
        } else {
            claim.certificate.omit("a value of another sort");
        }
    }
}
