//! How the harness gives each value of a run to the program.

use std::collections::{BTreeMap, BTreeSet};

use base::Span;
use cfa::{AssumptionKind, Choice, Contents, Op, Program};
use interp::{Holder, Origin};
use term::{TermId, Value, View};
use verify::Counterexample;

use super::by_value::ByValue;
use super::globals::{self, Held};
use super::reading::Reading;
use crate::execution::{Execution, Input};
use crate::trace;
use crate::types::Types;

/// Objects that programs declare and the C library defines.
const LIBRARY: [&str; 9] =
    ["stdin", "stdout", "stderr", "environ", "optarg", "optind", "opterr", "optopt", "errno"];

/// The byte that `-ftrivial-auto-var-init=pattern` repeats.
const PATTERN: u8 = 0xfe;

/// What the harness defines, and with which values.
#[derive(Default)]
pub(super) struct Plan {
    /// The width of `long` and of pointers.
    pub(super) longs: u32,
    /// What each function returned, in order.
    pub(super) functions: BTreeMap<String, Vec<Value>>,
    /// Data that functions read which the harness does not define by a list of results (`fgets`, `read`).
    pub(super) reading: Reading,
    /// Whether each request for memory failed, in order, where requests may fail.
    pub(super) failing: Vec<bool>,
    /// Functions without a body that returned nothing in this run.
    pub(super) silent: Vec<String>,
    /// Functions for inputs that returned nothing in this run. If the compiled program does not stop at the fault, it
    /// may go on and call them.
    pub(super) beyond: BTreeSet<String>,
    /// Scalars that are declared and not defined.
    pub(super) variables: BTreeMap<String, Value>,
    /// Names of everything that is declared and not defined.
    declared: Vec<String>,
    /// Other objects that are declared and not defined.
    pub(super) objects: Vec<Bytes>,
    /// The values at the start of globals that the program leaves open.
    pub(super) held: Held,
    /// The arguments of `main`.
    pub(super) arguments: Option<Arguments>,
    /// The arguments of another entry function.
    pub(super) parameters: Vec<Parameter>,
    /// The byte that stands in everything that the program has not set.
    pub(super) fill: u8,
    /// Whether variables on the stack are to be filled with this byte.
    pub(super) fills_stack: bool,
    /// Whether memory of the heap is to be filled with this byte.
    pub(super) fills_heap: bool,
    /// The inputs that the harness cannot give to the program.
    pub(super) undriven: Vec<String>,
    /// Where a compiler may ask for values in another order than the run.
    pub(super) unordered: Option<Span>,
}

/// An object that is declared and not defined.
pub(super) struct Bytes {
    pub(super) name: String,
    pub(super) size: u64,
    pub(super) align: u64,
    pub(super) bytes: Vec<u8>,
}

impl Bytes {
    /// Puts bytes at an offset. Gives whether there is room for them.
    fn put(&mut self, offset: u64, bytes: &[u8]) -> bool {
        let Ok(offset) = usize::try_from(offset) else { return false };
        let end = offset + bytes.len();
        if end as u64 > self.size {
            return false;
        }
        self.bytes.resize(self.bytes.len().max(end), 0);
        self.bytes[offset..end].copy_from_slice(bytes);
        true
    }
}

/// An argument of an entry function other than `main`.
pub(super) enum Parameter {
    /// A number, with the name of its input.
    Value(String, Option<Value>),
    /// The address of an object, with the name of its input.
    Object { name: String, size: u64, align: u64, bytes: Vec<u8> },
    /// No input: this argument is the address for a structure that the function returns.
    Result(ByValue),
    /// A structure by value, with the name of its input. A compiler passes a structure according to the types of its
    /// members.
    Structure { name: String, passed: ByValue, bytes: Vec<u8> },
}

/// The arguments with which the program calls its entry function, before their values are known.
fn parameters(program: &Program) -> Vec<Parameter> {
    let Some(start) = program.cfa.start else { return Vec::new() };
    let edges = program.cfa.edges.iter();
    let ops: Vec<&Op> = edges
        .filter(|edge| program.cfa.locations[edge.source].function == start)
        .flat_map(|edge| &edge.ops)
        .collect();
    let last = ops.iter().rev().find_map(|op| match op {
        Op::Call { callee, arguments, .. } => {
            Some((&*program.cfa.functions[*callee].name, arguments))
        }
        _ => None,
    });
    let Some((entry, arguments)) = last else { return Vec::new() };
    let types = Types::of(program);
    let of = |argument: &TermId| {
        let View::Var(var) = program.terms.view(*argument) else { return None };
        let input = ops.iter().find_map(|op| match op {
            Op::Havoc { var: set, choice: Choice::Input(name) } if *set == var => Some(name),
            Op::HavocMemory { address, choice: Choice::Input(name), .. } if address == argument => {
                Some(name)
            }
            _ => None,
        })?;
        let object = ops.iter().find_map(|op| match op {
            Op::Alloc { var: set, align, .. } if *set == var => Some(*align),
            _ => None,
        });
        // The size is that of the bytes that are made arbitrary: if the model notes which bytes are set, the object
        // is larger than its type.
        let size = ops.iter().find_map(|op| match op {
            Op::HavocMemory { address, length, .. } if address == argument => Some(*length),
            _ => None,
        });
        Some(match object {
            Some(align) => {
                let size =
                    size.and_then(|size| program.terms.value(size)).and_then(|size| match size {
                        Value::Bv(bits) => bits.to_u64(),
                        _ => None,
                    });
                let (name, size) = (input.to_string(), size.unwrap_or(1));
                let bytes = Vec::new();
                if !name.starts_with("argument ") {
                    return Some(Parameter::Object { name, size, align, bytes });
                }
                // An argument without a place in the text is the address for the result.
                match program.cfa.variables[var].span {
                    // Of a structure without members nothing is passed.
                    Some(span) if types.declared(span).and_then(|ty| types.size(ty)) == Some(0) => {
                        return None;
                    }
                    Some(span) => {
                        let passed = ByValue::of(&types, types.declared(span), size, align);
                        Parameter::Structure { name, passed, bytes }
                    }
                    None => {
                        let ty = types.returned(entry);
                        Parameter::Result(ByValue::of(&types, ty, size, align))
                    }
                }
            }
            None => Parameter::Value(input.to_string(), None),
        })
    };
    arguments.iter().filter_map(of).collect()
}

/// The arguments of `main`.
#[derive(Default)]
pub(super) struct Arguments {
    pub(super) count: u32,
    pub(super) strings: Vec<Vec<u8>>,
}

impl Plan {
    /// The plan with the fewest inputs that the harness cannot give: memory that the program has not set itself can
    /// only be filled by the compiler, with zeros or with one pattern.
    pub(super) fn best(program: &Program, found: &Counterexample, execution: &Execution) -> Self {
        let plan = Self::of(program, execution, 0);
        if plan.undriven.is_empty() {
            return plan;
        }
        let plans = [0, PATTERN].into_iter().filter_map(|byte| {
            let execution = Execution::filled(program, found, byte)?;
            Some(Self::of(program, &execution, byte))
        });
        // If several plans are equally good, the first counts, which is the plan for the run itself if it is one of
        // them.
        std::iter::once(plan)
            .chain(plans)
            .min_by_key(|plan| plan.undriven.len())
            .unwrap_or_default()
    }

    fn of(program: &Program, execution: &Execution, fill: u8) -> Self {
        let mut plan = Self { longs: program.cfa.address_width, fill, ..Self::default() };
        let (names, declared) = assumed(program);
        plan.missing_objects(program, &declared);
        plan.declared = declared;
        plan.parameters = parameters(program);
        let types = Types::of(program);
        let mut undriven: Vec<&Input> = Vec::new();
        for input in &execution.inputs {
            // An object of the run has another address in the compiled program.
            let moved = execution.points_to_object(program, &input.value);
            let is_initial = trace::is_initial(program, input.origin, input.holder);
            let is_driven = match is_initial {
                true => plan.holds(program, &types, input),
                false => plan.drives(program, input),
            };
            if !is_driven || moved {
                undriven.push(input);
            }
        }
        if !undriven.is_empty() {
            let state = trace::state_after(program, execution);
            for input in undriven {
                let what = trace::describe(program, &state, input);
                if !plan.undriven.contains(&what) {
                    plan.undriven.push(what);
                }
            }
        }
        let known = |name: &String| !plan.functions.contains_key(name);
        plan.silent = names.into_iter().filter(known).collect();
        plan.beyond = asked(program);
        plan.beyond.retain(|name| known(name) && !plan.silent.contains(name));
        plan
    }

    /// Adds the objects that the program does not define, before any of their bytes are known.
    fn missing_objects(&mut self, program: &Program, declared: &[String]) {
        for object in &program.cfa.objects {
            let arbitrary = matches!(object.contents, Contents::Arbitrary);
            if arbitrary && declared.iter().any(|name| **name == *object.name) {
                self.objects.push(Bytes {
                    name: object.name.to_string(),
                    size: object.size,
                    align: object.align.max(1),
                    bytes: Vec::new(),
                });
            }
        }
    }

    /// Takes in an input, if the harness can give it to the program.
    fn drives(&mut self, program: &Program, input: &Input) -> bool {
        if is_outside(program, input) {
            return false;
        }
        match input.origin.choice(program) {
            Choice::Uninitialised => self.uninitialised(input),
            Choice::Input(name) if &**name == "further arguments" => self.count(&input.value),
            Choice::Input(name) if name.starts_with("argv[") => self.argument(name, input),
            Choice::Input(name)
                if name.starts_with(['*', 'a'])
                    && matches!(input.holder, Holder::Memory { .. }) =>
            {
                self.pointed(name, input)
            }
            Choice::Input(name) if name.starts_with("argument ") => self.parameter(name, input),
            Choice::Input(name) if &**name == "malloc fails" => {
                self.failing.push(input.value == Value::Bool(true));
                true
            }
            Choice::Input(name) if Reading::has(name) => self.reading.add(name, &input.value),
            Choice::Input(name) | Choice::External(name) | Choice::Approximated(name) => {
                self.named(name, input)
            }
        }
    }

    /// Takes in the value of a global at the start. Gives whether the harness can set this value.
    fn holds(&mut self, program: &Program, types: &Types<'_>, input: &Input) -> bool {
        if is_outside(program, input) {
            return false;
        }
        let (Some(part), Some(bytes)) =
            (globals::part(program, types, input), bytes_of(&input.value))
        else {
            return false;
        };
        if !self.declared.contains(&part.name) {
            let is_visible = globals::is_visible(program, &part);
            if is_visible {
                self.held.entry(part.name).or_default().insert(part.offset, bytes);
            }
            return is_visible;
        }
        let is_whole = part.size.is_none_or(|size| size == bytes.len() as u64);
        if is_whole && !matches!(input.holder, Holder::Memory { .. }) {
            self.variables.insert(part.name, input.value.clone());
            return true;
        }
        let Some(size) = part.size else { return false };
        let at = match self.objects.iter().position(|known| known.name == part.name) {
            Some(at) => at,
            None => {
                // An address that is a multiple of 16 is aligned for every type.
                let object = Bytes { name: part.name, size, align: 16, bytes: Vec::new() };
                self.objects.push(object);
                self.objects.len() - 1
            }
        };
        self.objects[at].put(part.offset, &bytes)
    }

    fn named(&mut self, name: &str, input: &Input) -> bool {
        let Origin::Havoc(_) = input.origin else { return false };
        if !trace::is_function(name) {
            return false;
        }
        self.functions.entry(name.to_owned()).or_default().push(input.value.clone());
        true
    }

    /// Whether the harness can give the program the value of memory that was not set: it can only fill all such
    /// memory with the same byte.
    fn uninitialised(&mut self, input: &Input) -> bool {
        let filled = match &input.value {
            Value::Bool(value) => *value == (self.fill != 0),
            value => {
                bytes_of(value).is_some_and(|bytes| bytes.iter().all(|byte| *byte == self.fill))
            }
        };
        if filled {
            self.fills_stack = true;
            self.fills_heap |= matches!(input.holder, Holder::Memory { .. });
        }
        filled
    }

    /// Takes in `argc`: the number of arguments besides the first, or of all arguments if the program never reads
    /// them.
    fn count(&mut self, value: &Value) -> bool {
        let Value::Bv(bits) = value else { return false };
        let Some(number) = bits.to_u128().and_then(|bits| u32::try_from(bits).ok()) else {
            return false;
        };
        // The number of arguments is an `int`.
        let count = number.saturating_add(1).min(i32::MAX.unsigned_abs());
        self.arguments.get_or_insert_default().count = count;
        true
    }

    /// A number that the entry function is called with.
    fn parameter(&mut self, name: &str, input: &Input) -> bool {
        let of = |parameter: &&mut Parameter| matches!(parameter, Parameter::Value(known, _) if known == name);
        let Some(parameter) = self.parameters.iter_mut().find(of) else { return false };
        match (&input.value, bytes_of(&input.value)) {
            // A float is passed in the same way as a structure with this float alone.
            (Value::Float(float), Some(bytes)) => {
                let passed = ByValue::float(u64::from(float.format().width() / 8));
                let is_known = passed.is_known;
                *parameter = Parameter::Structure { name: name.to_owned(), passed, bytes };
                is_known
            }
            (value, _) => {
                *parameter = Parameter::Value(name.to_owned(), Some(value.clone()));
                true
            }
        }
    }

    /// Takes in bytes of an object that an argument of the entry function points to.
    fn pointed(&mut self, name: &str, input: &Input) -> bool {
        let object = self.parameters.iter_mut().find_map(|parameter| match parameter {
            Parameter::Object { name: known, bytes, size, .. } if known == name => {
                Some((bytes, *size))
            }
            Parameter::Structure { name: known, passed, bytes }
                if known == name && passed.is_known =>
            {
                Some((bytes, passed.size()))
            }
            _ => None,
        });
        let (Some((bytes, size)), Holder::Memory { offset, .. }, Some(drawn)) =
            (object, input.holder, bytes_of(&input.value))
        else {
            return false;
        };
        let Ok(offset) = usize::try_from(offset) else { return false };
        let end = offset + drawn.len();
        if end as u64 > size {
            return false;
        }
        bytes.resize(bytes.len().max(end), 0);
        bytes[offset..end].copy_from_slice(&drawn);
        true
    }

    /// A byte of an argument.
    fn argument(&mut self, name: &str, input: &Input) -> bool {
        let index = name.strip_prefix("argv[").and_then(|rest| rest.strip_suffix(']'));
        let (Some(index), Holder::Memory { offset, .. }, Some(bytes)) = (
            index.and_then(|index| index.parse::<usize>().ok()),
            input.holder,
            bytes_of(&input.value),
        ) else {
            return false;
        };
        let strings = &mut self.arguments.get_or_insert_default().strings;
        let end = usize::try_from(offset).unwrap_or(0) + bytes.len();
        if index >= 64 || end > 16 {
            return false;
        }
        strings.resize(strings.len().max(index + 1), Vec::new());
        let string = &mut strings[index];
        string.resize(string.len().max(end), 0);
        string[end - bytes.len()..end].copy_from_slice(&bytes);
        true
    }
}

/// The functions by which the program asks for inputs; those of the library are defined there.
fn asked(program: &Program) -> BTreeSet<String> {
    let ops = program.cfa.edges.iter().flat_map(|edge| &edge.ops);
    let names = ops.filter_map(|op| match op {
        Op::Havoc { choice: Choice::Input(name), .. }
        | Op::HavocMemory { choice: Choice::Input(name), .. } => Some(&**name),
        _ => None,
    });
    let is_asked = |name: &&str| {
        trace::is_function(name)
            && (name.starts_with("nondet_") || name.starts_with("__VERIFIER_nondet_"))
    };
    names.filter(is_asked).map(str::to_owned).collect()
}

/// The functions without a body and the objects without a definition, by the assumptions that
/// were made of them.
fn assumed(program: &Program) -> (Vec<String>, Vec<String>) {
    let (mut functions, mut objects) = (Vec::new(), Vec::new());
    for assumption in &program.cfa.assumptions {
        let quoted = assumption.text.strip_prefix('`').and_then(|rest| rest.split_once('`'));
        let Some((name, rest)) = quoted else { continue };
        if assumption.kind != AssumptionKind::External || LIBRARY.contains(&name) {
            continue;
        }
        if rest.starts_with(" has no body") {
            functions.push(name.to_owned());
        } else if rest.starts_with(" is declared and not defined") {
            objects.push(name.to_owned());
        }
    }
    (functions, objects)
}

/// The bytes of a value in memory.
fn bytes_of(value: &Value) -> Option<Vec<u8>> {
    let (bits, width) = match value {
        Value::Bv(bits) => (bits.to_u128()?, bits.width()),
        Value::Float(float) => (float.bits(), float.format().width()),
        _ => return None,
    };
    Some(bits.to_le_bytes()[..(width.div_ceil(8) as usize).min(16)].to_vec())
}

/// Whether an input is an address of memory that the program does not make, or is read from there:
/// a compiled program has nothing at such an address.
fn is_outside(program: &Program, input: &Input) -> bool {
    let Some(outside) = program.cfa.outside else { return false };
    // With 32 bits, a negative number may look like such an address, so only pointers count.
    let variable = input.origin.variable(program).and_then(|var| program.cfa.variables.get(var));
    let is_pointer = program.cfa.address_width == 64
        || variable.is_some_and(|known| known.reading == cfa::Reading::Address);
    let is_address = match &input.value {
        Value::Bv(bits) if bits.width() == program.cfa.address_width && is_pointer => {
            bits.to_u64().is_some_and(|at| outside.contains(at))
        }
        _ => false,
    };
    is_address || matches!(input.holder, Holder::Memory { object: u64::MAX, .. })
}
