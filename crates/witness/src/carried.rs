//! The values of an execution of the program with a witness in it, as inputs of the program itself. Conditions of the
//! witness read variables and memory, too: a value that no operation has set may be asked for earlier, or in a
//! different order, than in the program itself. So each such value is carried over by the variable or the bytes that
//! hold the value.

use std::collections::{BTreeMap, VecDeque};

use cfa::{EdgeId, FuncId, LocId, Program};
use interp::{
    Change, Config, Drawn, Holder, Inputs, Listed, Observer, Request, Step, Trouble, Zeros,
};
use term::{Bv, Sort, Value};

/// What an execution of the program with the witness has drawn.
pub(crate) struct Carried {
    /// The values that operations have drawn, in their order, and the chosen edges.
    listed: Listed,
    /// The values of variables, by the number of the activation and the name of the variable.
    variables: BTreeMap<(u64, String), VecDeque<Value>>,
    /// The values of memory, by the number of the object and the offset in the object.
    memory: BTreeMap<(u64, u64), Value>,
}

impl Carried {
    /// The values that an execution of the program with the witness draws, if the execution makes the decisions
    /// `drawn`; without values that are drawn for the witness alone.
    pub(crate) fn of(
        woven: &Program,
        drawn: &[Drawn],
        config: &Config<'_>,
        is_own: impl Fn(&Drawn) -> bool,
    ) -> Self {
        let mut seen = Seen::default();
        let mut inputs = Listed::replay(woven, drawn);
        interp::run(woven, config, &mut inputs, Some(&mut seen), &mut std::io::sink());
        let mut carried =
            Self { listed: Listed::default(), variables: BTreeMap::new(), memory: BTreeMap::new() };
        let mut listed: Vec<Drawn> = Vec::new();
        for (holder, each) in seen.drawn {
            match (holder, &each) {
                (Holder::Variable { activation }, Drawn::Value { origin, value })
                    if let Some(var) = origin.variable(woven) =>
                {
                    let key = (activation, woven.terms.var_name(var).to_owned());
                    carried.variables.entry(key).or_default().push_back(value.clone());
                }
                (Holder::Memory { object, offset }, Drawn::Value { value, .. }) => {
                    carried.memory.entry((object, offset)).or_insert_with(|| value.clone());
                }
                _ if is_own(&each) => listed.push(each),
                _ => {}
            }
        }
        let edges = drawn.iter().filter(|each| matches!(each, Drawn::Edge { .. }));
        listed.extend(edges.cloned());
        carried.listed = Listed::replay(woven, &listed);
        carried
    }

    /// Bits that lie in memory at an offset of an object, as far as bytes there have been drawn.
    fn bits(&self, object: u64, offset: u64, width: u32) -> Bv {
        let mut bits = Bv::zero(width);
        let end = offset.saturating_add(u64::from(width / 8));
        // Longer values that begin further away are not looked for: their bytes count as zero.
        let first = offset.saturating_sub(LONGEST);
        for ((_, start), value) in self.memory.range((object, first)..(object, end)) {
            let Value::Bv(value) = value else { continue };
            for byte in 0..u64::from(value.width() / 8) {
                let at = start + byte;
                if (offset..end).contains(&at) {
                    // The casts are exact: both are offsets in a value.
                    let (from, to) = (8 * byte as u32, 8 * (at - offset) as u32);
                    let part = value.extract(from + 7, from).zero_extend(width);
                    bits = bits.or(&part.shl(&Bv::new(width, u128::from(to))));
                }
            }
        }
        bits
    }
}

/// Values in memory that begin at most this many bytes before a place are looked for, since they may reach to the
/// place.
const LONGEST: u64 = 64;

impl Inputs for Carried {
    fn choose(&mut self, request: &Request<'_>) -> Result<Value, Trouble> {
        let found = match request.holder {
            Holder::Operation => return self.listed.choose(request),
            Holder::Variable { activation } => {
                let var = request.origin.variable(request.program);
                let key =
                    var.map(|var| (activation, request.program.terms.var_name(var).to_owned()));
                key.and_then(|key| self.variables.get_mut(&key)?.pop_front())
            }
            Holder::Memory { object, offset } => {
                match (self.memory.get(&(object, offset)), request.sort) {
                    (Some(value), sort) if value.sort() == sort => Some(value.clone()),
                    (_, Sort::Bv(width)) => Some(Value::Bv(self.bits(object, offset, width))),
                    _ => None,
                }
            }
        };
        match found.filter(|value| value.sort() == request.sort) {
            Some(value) => Ok(value),
            None => Zeros.choose(request),
        }
    }

    fn choose_edge(&mut self, location: LocId, edges: &[EdgeId]) -> Result<usize, Trouble> {
        self.listed.choose_edge(location, edges)
    }
}

/// The values that an execution draws, each with its holder.
#[derive(Default)]
struct Seen {
    drawn: Vec<(Holder, Drawn)>,
}

impl Observer for Seen {
    fn taken(&mut self, step: &Step<'_>) {
        for change in step.changes {
            if let Change::Drawn { origin, holder, value } = change {
                self.drawn.push((*holder, Drawn::Value { origin: *origin, value: value.clone() }));
            }
        }
    }

    fn returned(&mut self, _callee: FuncId, _step: &Step<'_>) {}
}
