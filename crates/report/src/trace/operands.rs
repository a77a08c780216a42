//! The values of what an assertion speaks of, where it fails.

use cfa::{Infix, Program, Reading, Scope};
use interp::{Change, Origin, show};
use rustc_hash::FxHashMap;
use term::{Value, Var};

use crate::execution::{Event, Execution};

/// As many operands are told at most.
const MOST: usize = 6;

/// What is known at the end of a run: the last value of each variable by the name of the source (with
/// how it is read, and whether it is global), and of each place in memory.
#[derive(Default)]
struct Known {
    variables: FxHashMap<String, (Value, Reading, bool)>,
    memory: FxHashMap<u64, Value>,
    /// Where the objects of the source are, by name.
    objects: FxHashMap<String, u64>,
}

/// The names and elements of arrays in an expression of C with their values, in order. What is not
/// known for certain is left out.
pub(super) fn of(program: &Program, execution: &Execution, expression: &str) -> Vec<String> {
    let known = Known::of(program, execution);
    let mut told: Vec<String> = Vec::new();
    let mut rest = expression;
    let mut before = ' ';
    while let Some(start) = rest.find(|c: char| c.is_ascii_alphabetic() || c == '_') {
        before = rest[..start].chars().next_back().unwrap_or(before);
        rest = &rest[start..];
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let (name, behind) = rest.split_at(end);
        // A member, a call, a digit of a number or a piece of text is no variable.
        let plain = !(is_word(before) || matches!(before, '.' | '>' | '"' | '\''));
        let value = match behind.trim_start().chars().next() {
            _ if !plain => None,
            Some('(' | '.' | '"') => None,
            Some('-') if behind.trim_start().starts_with("->") => None,
            Some('[') => known.element(name, behind),
            _ => known.variable(name).map(|value| format!("{name} = {value}")),
        };
        if let Some(value) = value.filter(|value| !told.contains(value) && told.len() < MOST) {
            told.push(value);
        }
        before = name.chars().next_back().unwrap_or(' ');
        rest = behind;
    }
    told
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

impl Known {
    fn of(program: &Program, execution: &Execution) -> Self {
        let mut known = Self::default();
        for (object, address) in &execution.placed {
            let name = program.cfa.objects[*object].name.to_string();
            known.objects.insert(name, *address);
        }
        let last = execution.events.last();
        let depth = last.map_or(0, |event| event.depth);
        let function = last.map(|event| {
            let source = program.cfa.edges[event.edge].source;
            program.cfa.locations[source].function
        });
        for event in &execution.events {
            // The activation in which the assertion stands begins after this one has ended.
            if event.returned.is_some() && event.depth + 1 == depth {
                known.variables.retain(|_, (_, _, is_global)| *is_global);
            }
            // Arguments are passed by the caller.
            let near = event.depth == depth || event.depth + 1 == depth;
            let seen = |var: Var| match program.cfa.variables[var].scope {
                Scope::Global => true,
                Scope::Local(of) => near && Some(of) == function,
                Scope::Address(_) => false,
            };
            for (at, change) in event.changes.iter().enumerate() {
                known.change(program, event, at, change, &seen);
            }
        }
        known
    }

    fn change(
        &mut self,
        program: &Program,
        event: &Event,
        at: usize,
        change: &Change,
        seen: &dyn Fn(Var) -> bool,
    ) {
        let infix = Infix::new(program).with_source_names();
        match change {
            Change::Assigned { var, value: Some(value) }
            | Change::Drawn { origin: Origin::Variable(var, _), value }
                if seen(*var) =>
            {
                let variable = &program.cfa.variables[*var];
                let is_global = variable.scope == Scope::Global;
                let entry = (value.clone(), variable.reading, is_global);
                self.variables.insert(infix.name(*var).to_owned(), entry);
            }
            Change::Assigned { var, value: None } if seen(*var) => {
                self.variables.remove(infix.name(*var));
            }
            Change::Stored { address, value } => {
                let bytes = width(value).div_ceil(8).max(1);
                // Values that the new one overwrites in part are not known any more.
                for near in address.saturating_sub(15)..address.saturating_add(bytes) {
                    let held =
                        self.memory.get(&near).map_or(0, |held| width(held).div_ceil(8).max(1));
                    if near.saturating_add(held) > *address {
                        self.memory.remove(&near);
                    }
                }
                self.memory.insert(*address, value.clone());
            }
            Change::Allocated { address, .. } => {
                if let Some(Change::Assigned { var, .. }) = event.changes.get(at + 1)
                    && seen(*var)
                    && let Some(name) = infix.name(*var).strip_prefix('&')
                {
                    self.objects.insert(name.to_owned(), *address);
                }
            }
            // What these write is not followed.
            Change::Copied { .. } | Change::Filled { .. } | Change::Havocked { .. } => {
                self.memory.clear();
            }
            _ => {}
        }
    }

    fn variable(&self, name: &str) -> Option<String> {
        match self.variables.get(name) {
            Some((_, Reading::Address, _)) => None,
            Some((value, reading, _)) => Some(show(value, *reading)),
            None => {
                let value = self.memory.get(self.objects.get(name)?)?;
                Some(show(value, Reading::Signed))
            }
        }
    }

    /// The value of `name[index]`, where the index is a number or a variable, or the sum of the two.
    fn element(&self, name: &str, behind: &str) -> Option<String> {
        let inside = behind.trim_start().strip_prefix('[')?;
        let (index, rest) = inside.split_once(']')?;
        if index.contains('[') || rest.trim_start().starts_with(['[', '.', '-']) {
            return None;
        }
        let number = self.number(index)?;
        let start = self.objects.get(name)?;
        let mut found = None;
        for bytes in [1_u64, 2, 4, 8] {
            let address = start.checked_add(number.checked_mul(bytes)?)?;
            let value = self.memory.get(&address).filter(|value| width(value) == bytes * 8);
            found = found.or(value);
        }
        Some(format!("{name}[{number}] = {}", show(found?, Reading::Signed)))
    }

    fn number(&self, text: &str) -> Option<u64> {
        let text = text.trim();
        if let Some((left, right)) = text.split_once('+') {
            return self.number(left)?.checked_add(self.number(right)?);
        }
        if let Some((left, right)) = text.split_once('-') {
            return self.number(left)?.checked_sub(self.number(right)?);
        }
        match text.parse() {
            Ok(number) => Some(number),
            Err(_) => match &self.variables.get(text)?.0 {
                Value::Bv(bits) => bits.to_u64(),
                _ => None,
            },
        }
    }
}

fn width(value: &Value) -> u64 {
    match value {
        Value::Bv(bits) => u64::from(bits.width()),
        Value::Float(float) => u64::from(float.format().width()),
        _ => 0,
    }
}
