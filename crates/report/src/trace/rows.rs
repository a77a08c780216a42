//! From the steps of a run to rows: one for each source line that is passed, with what changes.

use base::FileId;
use cfa::{AllocKind, Choice, Infix, Loops, Op, Program, Reading, Scope};
use interp::{Change, Origin, show};
use term::{Value, Var};
use verify::Counterexample;

use super::fold::Tree;
use super::is_function;
use crate::execution::{Event, Execution};
use crate::source;

/// A passed line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Row {
    /// How many calls it is deep.
    pub(crate) depth: usize,
    /// File and line; none for what is not in the source.
    pub(crate) place: Option<(FileId, u32)>,
    /// The step as the model has it, where there is no source.
    pub(crate) model: String,
    /// What changed.
    pub(crate) values: Vec<String>,
    /// Whether the line was left by a call, and goes on now.
    pub(crate) resumed: bool,
}

/// The rows of a run, nested as its calls and loops are.
pub(crate) fn of(program: &Program, found: &Counterexample, execution: &Execution) -> Tree {
    let mut regions = Regions::default();
    for (object, address) in &execution.placed {
        let object = &program.cfa.objects[*object];
        regions.all.push((*address, object.size.max(1), object.name.to_string()));
    }
    let start = program.cfa.start.map(|start| &*program.cfa.functions[start].name);
    // What sets up the program is not part of it.
    let skipped = usize::from(start.is_some_and(|name| name.starts_with('@')));
    let mut tree = Tree::new(Loops::of(&program.cfa));
    let mut before = 0;
    for event in &execution.events {
        if event.number > before + 1 {
            tree.gap(event.number - before - 1);
        }
        before = event.number;
        let row = row(program, event, &mut regions, skipped);
        let edge = &program.cfa.edges[event.edge];
        tree.at(event.depth, edge.source, event.returned.is_some());
        let borrowed = edge.span.is_some_and(|span| source::is_borrowed(program, span.file));
        let silent = event.depth < skipped && row.values.is_empty();
        if !borrowed && !silent && shown(program, event, &row) {
            tree.add(row);
        }
        if event.returned.is_none() && matches!(edge.ops.last(), Some(Op::Call { .. })) {
            tree.call();
        }
    }
    let depth = execution.events.last().map_or(0, |event| event.depth.saturating_sub(skipped));
    if let Some(span) = program.cfa.locations[found.error].span {
        let place = Some((span.file, program.sources.position(span).line));
        let values = vec!["error".to_owned()];
        tree.add(Row { depth, place, model: String::new(), values, resumed: false });
    }
    tree
}

/// Whether a row says anything: coming back without a value does not, nor does setting up an
/// activation.
fn shown(program: &Program, event: &Event, row: &Row) -> bool {
    let edge = &program.cfa.edges[event.edge];
    let function = &program.cfa.functions[program.cfa.locations[edge.source].function];
    let prologue = edge.source == function.entry && edge.span == function.span;
    let nothing = edge.ops.is_empty() && row.place.is_none();
    !row.values.is_empty() || !(event.returned.is_some() || prologue || nothing)
}

fn row(program: &Program, event: &Event, regions: &mut Regions, skipped: usize) -> Row {
    let edge = &program.cfa.edges[event.edge];
    let infix = Infix::new(program).with_source_names().limit(60);
    let place = edge.span.map(|span| (span.file, program.sources.position(span).line));
    let model = match place {
        Some(_) => String::new(),
        None => edge.ops.iter().map(|op| infix.op(op).to_string()).collect::<Vec<_>>().join("; "),
    };
    let mut values = values(program, event, regions);
    if event.returned.is_none()
        && let Some(branch) = source::branch(program, event.edge)
    {
        values.push(if branch.holds { "true" } else { "false" }.to_owned());
    }
    Row { depth: event.depth.saturating_sub(skipped), place, model, values, resumed: false }
}

fn values(program: &Program, event: &Event, regions: &mut Regions) -> Vec<String> {
    let edge = &program.cfa.edges[event.edge];
    let statement = edge.span.map_or("", |span| source::text(program, span));
    let stores = event.changes.iter().filter(|change| matches!(change, Change::Stored { .. }));
    let stores = stores.count();
    let place = source::assigned(statement).filter(|_| stores == 1);
    let mut shown: Vec<String> = Vec::new();
    // Inputs that no variable with a name has received yet, and where they are shown.
    let mut open: Vec<(&Value, usize)> = Vec::new();
    for (at, change) in event.changes.iter().enumerate() {
        let (name, value, reading) = match change {
            Change::Drawn { origin, value } => {
                let reading = source::reading(program, *origin);
                match (origin, origin.choice(program)) {
                    (Origin::Havoc(_), Choice::Uninitialised) => {}
                    (Origin::Variable(var, _), Choice::Uninitialised) => {
                        let name = name(program, *var);
                        let value = regions.show(value, reading);
                        shown.extend(name.map(|name| format!("{name} = {value} (uninitialised)")));
                    }
                    (_, Choice::Uninitialised) => {
                        let value = regions.show(value, reading);
                        shown.push(format!("{value} (uninitialised memory)"));
                    }
                    (
                        _,
                        Choice::Input(from) | Choice::External(from) | Choice::Approximated(from),
                    ) => {
                        let call = if is_function(from) { "()" } else { "" };
                        let text = regions.show(value, reading);
                        open.push((value, shown.len()));
                        shown.push(format!("{from}{call} = {text} (input)"));
                    }
                }
                continue;
            }
            Change::Assigned { var, value: Some(value) } => {
                let Some(name) = name(program, *var) else {
                    result(program, event, *var, value, regions, &mut shown);
                    continue;
                };
                (name.to_owned(), value, program.cfa.variables[*var].reading)
            }
            Change::Stored { address, value } => {
                // Of an initialiser with many parts the source says it better.
                let name = place.map(str::to_owned).or_else(|| regions.name(*address));
                let Some(name) = name.filter(|_| stores == 1) else { continue };
                (name, value, Reading::Signed)
            }
            Change::Allocated { address, size } => {
                regions.begin(program, event, at, *address, *size);
                continue;
            }
            Change::Freed { address } => {
                regions.all.retain(|(start, ..)| start != address);
                continue;
            }
            Change::Assigned { .. }
            | Change::Copied { .. }
            | Change::Filled { .. }
            | Change::Havocked { .. } => continue,
        };
        let reading = regions.reading(program, value, reading);
        let text = format!("{name} = {}", regions.show(value, reading));
        match open.iter().position(|(drawn, _)| *drawn == value) {
            Some(known) => shown[open.remove(known).1] = format!("{text} (input)"),
            None => shown.push(text),
        }
    }
    shown
}

/// The result of a function, where it returns it.
fn result(
    program: &Program,
    event: &Event,
    var: Var,
    value: &Value,
    regions: &Regions,
    shown: &mut Vec<String>,
) {
    let function = program.cfa.locations[program.cfa.edges[event.edge].source].function;
    let function = &program.cfa.functions[function];
    if function.results.contains(&var) && !function.name.starts_with('@') {
        let value = regions.show(value, program.cfa.variables[var].reading);
        shown.push(format!("returns {value}"));
    }
}

/// The name of a variable of the source.
fn name(program: &Program, var: Var) -> Option<&str> {
    let known = program.cfa.variables.get(var)?;
    if matches!(known.scope, Scope::Address(_)) {
        return None;
    }
    let name = Infix::new(program).with_source_names().name(var);
    let hidden = name.contains(['$', '@', '&']) || name.ends_with("::result");
    (!hidden).then_some(name)
}

/// What is where in memory.
#[derive(Default)]
struct Regions {
    /// Start, size and name.
    all: Vec<(u64, u64, String)>,
    blocks: u32,
}

impl Regions {
    /// An object begins: named after the variable whose address it is, or counted.
    fn begin(&mut self, program: &Program, event: &Event, at: usize, address: u64, size: u64) {
        let infix = Infix::new(program).with_source_names();
        let named = match event.changes.get(at + 1) {
            Some(Change::Assigned { var, .. }) => infix.name(*var).strip_prefix('&'),
            _ => None,
        };
        let heap = program.cfa.edges[event.edge]
            .ops
            .iter()
            .any(|op| matches!(op, Op::Alloc { kind: AllocKind::Heap, .. }));
        let name = match named {
            Some(name) => name.to_owned(),
            None if heap => {
                self.blocks += 1;
                format!("block{}", self.blocks)
            }
            None => return,
        };
        self.all.retain(|(start, ..)| *start != address);
        self.all.push((address, size.max(1), name));
    }

    /// `a` or `a+4` for an address in an object.
    fn name(&self, address: u64) -> Option<String> {
        let within = |entry: &&(u64, u64, String)| {
            (entry.0..entry.0.saturating_add(entry.1)).contains(&address)
        };
        let (start, _, name) = self.all.iter().rev().find(within)?;
        Some(if address == *start { name.clone() } else { format!("{name}+{}", address - start) })
    }

    /// How a value is read: memory does not know, but what is the address of an object is hardly
    /// anything else.
    fn reading(&self, program: &Program, value: &Value, reading: Reading) -> Reading {
        match value {
            Value::Bv(bits) if bits.width() == program.cfa.address_width => {
                let address = bits.to_u128().and_then(|bits| u64::try_from(bits).ok());
                let known =
                    address.is_some_and(|at| self.all.iter().any(|(start, ..)| *start == at));
                if known { Reading::Address } else { reading }
            }
            _ => reading,
        }
    }

    fn show(&self, value: &Value, reading: Reading) -> String {
        if reading == Reading::Address
            && let Value::Bv(bits) = value
            && let Some(address) = bits.to_u128().and_then(|bits| u64::try_from(bits).ok())
        {
            return match self.name(address) {
                _ if address == 0 => "0".to_owned(),
                Some(name) => format!("&{name}"),
                None => show(value, reading),
            };
        }
        show(value, reading)
    }
}
