//! The postcondition is sound: whatever it knows along the path of a real run is so in the run.

#![allow(missing_docs)]

mod common;

use cfa::{FuncId, Op, Program, Scope};
use cpa::{Context, Cpa as _, Place, Places, Step as Taken, Successors};
use domains::value::Values;
use interp::{Change, Config, Observer, RandomInputs, Step};
use proviso_passes::Cells;
use run::Budget;
use rustc_hash::FxHashMap;
use term::{Value, Var};

/// The values of variables in a run, activation by activation.
struct Watch<'p> {
    program: &'p Program,
    globals: FxHashMap<Var, Option<Value>>,
    frames: Vec<FxHashMap<Var, Option<Value>>>,
    /// Each step with the values after it.
    log: Vec<(Taken, Snapshot)>,
}

#[derive(Clone)]
struct Snapshot {
    globals: FxHashMap<Var, Option<Value>>,
    frames: Vec<FxHashMap<Var, Option<Value>>>,
}

const STEPS: usize = 400;

impl Watch<'_> {
    fn note(&mut self, changes: &[Change]) {
        for change in changes {
            if let Change::Assigned { var, value } = change {
                let map = match self.program.cfa.variables[*var].scope {
                    Scope::Global => &mut self.globals,
                    _ => self.frames.last_mut().expect("an activation"),
                };
                map.insert(*var, value.clone());
            }
        }
    }

    fn keep(&mut self, step: Taken) {
        if self.log.len() < STEPS {
            let snapshot = Snapshot { globals: self.globals.clone(), frames: self.frames.clone() };
            self.log.push((step, snapshot));
        }
    }
}

impl Observer for Watch<'_> {
    fn taken(&mut self, step: &Step<'_>) {
        if self.program.cfa.edges[step.edge].callee().is_some() {
            self.frames.push(FxHashMap::default());
        }
        self.note(step.changes);
        self.keep(Taken::Edge(step.edge));
    }

    fn returned(&mut self, _: FuncId, step: &Step<'_>) {
        self.frames.pop();
        self.note(step.changes);
        self.keep(Taken::Return(step.edge));
    }
}

/// Follows a run in the eyes of a program that may have more variables, and counts how many values
/// were known and right.
fn follow(program: &Program, seen: &Program, log: &[(Taken, Snapshot)]) -> usize {
    let mut values = Values::new(seen, None);
    let mut places = Places::default();
    let start = program.cfa.start.expect("a start");
    let mut at =
        Place { location: program.cfa.functions[start].entry, stack: places.stacks.empty() };
    let context = Context { location: at.location, stack: at.stack, stacks: &places.stacks };
    let Ok(mut state) = values.initial(context) else { panic!("nothing gives up") };
    let mut right = 0;
    for (step, snapshot) in log {
        let mut steps = Vec::new();
        places.steps(&program.cfa, at, &mut steps);
        let (_, to) = *steps.iter().find(|(each, _)| each == step).expect("a step of the program");
        let mut found = Successors::new();
        let context = Context { location: to.location, stack: to.stack, stacks: &places.stacks };
        let Ok(()) = values.post(context, &state, *step, &mut found) else {
            panic!("nothing gives up")
        };
        if !found.unsupported.is_empty() {
            break;
        }
        let ends = |op: &Op| matches!(op, Op::Exit(_) | Op::Abort);
        if step.edge().is_some_and(|edge| program.cfa.edges[edge].ops.iter().any(ends)) {
            break;
        }
        let [after] = found.states[..] else {
            panic!("{step:?} was taken, and is said not to be possible")
        };
        let functions: Vec<FuncId> =
            places.stacks.functions(&program.cfa, to.location, to.stack).collect();
        for (up, var, value) in values.variables(after, &functions) {
            if program.cfa.variables.get(var).is_none() {
                continue;
            }
            let real = match program.cfa.variables[var].scope {
                Scope::Global => snapshot.globals.get(&var),
                _ => snapshot.frames[snapshot.frames.len() - 1 - up as usize].get(&var),
            };
            let name = program.terms.var_name(var);
            // An address that was chosen by the run is not known as a number.
            match real {
                Some(Some(real)) => assert_eq!(*real, value, "{name} after {step:?}"),
                _ => panic!("{name} is arbitrary after {step:?}"),
            }
            right += 1;
        }
        (state, at) = (after, to);
    }
    right
}

/// The program with cells, in which what is in them is not loaded from memory.
fn only_cells(cells: &Cells) -> Program {
    let mut seen = cells.program().clone();
    for ((edge, number), cell) in cells.mirrors() {
        let value = seen.terms.var(*cell);
        let op = &mut seen.cfa.edges[*edge].ops[*number as usize];
        let Op::Load { var, .. } = *op else { panic!("{op:?} mirrors a variable") };
        *op = Op::Assign { var, value };
    }
    seen
}

/// How many values were known, and how many where cells of memory are variables, too.
fn check(name: &str, program: &Program) -> (usize, usize) {
    let (mut right, mut in_cells) = (0, 0);
    let cells = Cells::of(program, &Budget::default()).map(|cells| only_cells(&cells));
    for seed in 0..4 {
        let mut watch = Watch {
            program,
            globals: FxHashMap::default(),
            frames: vec![FxHashMap::default()],
            log: Vec::new(),
        };
        let config = Config { max_steps: 2 * STEPS as u64, ..Config::default() };
        let mut inputs = RandomInputs::new(seed);
        interp::run(program, &config, &mut inputs, Some(&mut watch), &mut std::io::sink());
        right += follow(program, program, &watch.log);
        if let Some(cells) = &cells {
            in_cells += follow(program, cells, &watch.log);
        }
    }
    assert!(right > 0, "{name}: nothing is known");
    (right, in_cells)
}

#[test]
fn what_is_known_along_a_run_is_so() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/diff-c");
    let (mut total, mut in_cells) = (0, 0);
    let mut names: Vec<_> = std::fs::read_dir(folder)
        .expect("the programs")
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|end| end == "c"))
        .collect();
    names.sort();
    assert!(names.len() > 40);
    for path in names {
        let text = std::fs::read_to_string(&path).expect("a program");
        let name = path.display().to_string();
        let (right, cells) = check(&name, &common::c(&text));
        total += right;
        in_cells += cells;
    }
    assert!(total > 100_000 && in_cells > 100_000, "{total}, {in_cells}");
}

#[test]
fn what_is_known_of_inputs_and_memory_is_so() {
    let program = common::c(
        "extern int __VERIFIER_nondet_int(void); void *calloc(unsigned long, unsigned long);
         struct pair { int a; char b; struct pair *next; };
         int table[8] = {3, 1, 4}; int *where = &table[1]; char text[] = \"abc\";
         int main(void) {
           struct pair *p = calloc(1, sizeof *p), q = *p; int x = __VERIFIER_nondet_int();
           if (x == 7 && !(p->a != 0)) { p->a = x; p->next = &q; q.b = text[1]; }
           unsigned char y = x; if (y == 200) table[2] = y; else *where = p->a;
           for (int i = 0; i < 8; i++) { table[i] += table[(i + 1) % 8]; if (i == x) p->b = i; }
           where = x > 0 ? &table[x & 7] : where; *where = 9;
           __builtin_memcpy(&q, p, sizeof q); __builtin_memset(text, 0, 2);
           return table[0] + q.a + (q.next == &q) + text[0] + (where == &q.a); }",
    );
    let (_, in_cells) = check("memory", &program);
    assert!(in_cells > 0, "the program has cells");
}
