//! What the fuzz targets share: a deep stack, and what must hold of every program that loads.

use std::collections::BTreeMap;

use base::{Diagnostics, FileId, SourceMap};
use cfa::Program;
use frontend::Loaded;
use interp::{Config, Listed, RandomInputs, Run};
use term::{ArrayValue, Sort, Terms, Value, Var};

/// The stack of the command line's thread. Front ends recurse, and libFuzzer's own thread has
/// only what `ulimit -s` says.
const STACK: usize = 1 << 30;

/// Limits of the runs of programs.
const MAX_STEPS: u64 = 2_000;
const MEMORY: u64 = 1 << 24;

/// Programs with a longer text form than this are not read back: it would only be slow.
const LONGEST: usize = 1 << 20;

/// A model that precisions of explicit values are about: a variable of each scope, an allocation.
pub const PRECISION_MODEL: &str = r#"
model 1
address-width 64
start main
global x: (_ BitVec 8) signed "x"
function main() {
  local |main::p|: (_ BitVec 64) address "p"
  entry L0 exit L1
  L0 -> L2 { alloc |main::p| size #x0000000000000008 align 8 heap }
  L2 -> L1 { store #x00 at |main::p| }
}
"#;

/// The program that witnesses are about.
pub const WITNESS_PROGRAM: &str = r#"extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  int n = 0;
  while (n < 3) { if (__VERIFIER_nondet_int() == 7) n++; else n = n + 2; }
  if (x == 42 && n == 4)
    reach_error();
  return 0;
}
"#;

/// Validates a witness for the program above, whatever hash it has, for a moment.
pub fn validated(read: &witness::Witness) -> Result<(), base::Diagnostic> {
    let (sources, file) = source("fuzz.c", WITNESS_PROGRAM);
    let options = frontend::Options::default();
    let Loaded { program, subject, .. } = frontend::c::load(sources, &[file], &options);
    let subject = frontend::Subject { files: vec![file], ..subject };
    let hash = "0554260d8efc8825b43a4cdde2b9640de41e5e57336fb82b8e40ab96c2b4d3ae".to_owned();
    let name = read.files.first().map_or_else(String::new, |file| file.name.clone());
    let files = vec![witness::Hashed { name, hash, span: base::Span::new(file, 0, 0) }];
    let read = witness::Witness { files, ..read.clone() };
    witness::fits(&read, &program, &[file])?;
    let _ = witness::claimed(&read);
    let budget = verify::Budget::for_looks(1_000);
    let config = verify::Config { budget, simplify: true, ..verify::Config::default() };
    let solver = || -> Box<dyn smt::FullSolver> { Box::new(smt::Builtin::new()) };
    let (program, subject, options) = (&program, &subject, &options);
    let task =
        witness::Task { witness: &read, program, subject, options, config: &config, solver: &solver };
    witness::validate(&task).map(|_| ())
}

/// Does the work of one input in a thread with a deep stack. A panic there ends the fuzzer as
/// one of its own thread would, through the hook that libfuzzer-sys sets. A panic of a library does
/// so only if nobody catches it: the C front end does, and refuses the file with a message.
pub fn deep(work: impl FnOnce() + Send) {
    static HOOK: std::sync::Once = std::sync::Once::new();
    HOOK.call_once(|| {
        let previous = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !info.location().is_some_and(|place| place.file().contains("/registry/src/")) {
                previous(info);
            }
        }));
    });
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK);
        thread.spawn_scoped(scope, work).expect("a thread").join().expect("no panic");
    });
}

/// A source map with one file.
pub fn source(name: &str, text: impl Into<Vec<u8>>) -> (SourceMap, FileId) {
    let mut sources = SourceMap::new();
    let file = sources.add(name, text.into()).expect("a short file");
    (sources, file)
}

/// Messages can be shown, whatever they point at.
pub fn render(diagnostics: &Diagnostics, sources: &SourceMap) {
    for diagnostic in diagnostics.iter() {
        let _ = diagnostic.render(sources);
    }
}

/// What a front end gives is refused with a message, or a valid program that reads back as it is
/// written and runs.
pub fn check_loaded(loaded: &Loaded, seed: u64) {
    render(&loaded.diagnostics, &loaded.program.sources);
    if loaded.diagnostics.has_errors() {
        return;
    }
    let violations = cfa::validate(&loaded.program);
    assert!(violations.is_empty(), "{violations:?}");
    check_round_trip(&loaded.program);
    check_run(&loaded.program, seed);
}

/// Reading what is written gives the same text again, and the other forms can be written.
pub fn check_round_trip(program: &Program) {
    let text = cfa::print(program);
    if text.len() > LONGEST {
        return;
    }
    let (sources, file) = source("model", text.as_bytes());
    let again = match cfa::parse(sources.clone(), file) {
        Ok(again) => again,
        Err(diagnostics) => {
            let messages: Vec<_> = diagnostics.iter().map(|each| each.render(&sources)).collect();
            panic!("does not read back: {}\n{text}", messages.join("\n"));
        }
    };
    let violations = cfa::validate(&again);
    assert!(violations.is_empty(), "{violations:?}");
    let printed = cfa::print(&again);
    assert!(text == printed, "reads back differently:\n{text}\nand then:\n{printed}");
    let _ = cfa::dot(program);
    let _ = cfa::json(program);
}

/// The program runs, and what was decided gives the same run again: as it is, and written down.
pub fn check_run(program: &Program, seed: u64) {
    let first = run(program, &mut RandomInputs::new(seed));
    let _ = first.ending.describe(program);
    let again = run(program, &mut Listed::replay(program, &first.drawn));
    assert_eq!(first, again, "replayed");
    let text = interp::write_inputs(program, &first.drawn);
    let (sources, file) = source("inputs", text.as_bytes());
    let mut listed = match interp::parse_inputs(&sources, file) {
        Ok(listed) => listed,
        Err(diagnostics) => panic!("{diagnostics:?}\n{text}"),
    };
    let again = run(program, &mut listed);
    assert_eq!(first, again, "written and read:\n{text}");
}

/// A short run.
pub fn run(program: &Program, inputs: &mut dyn interp::Inputs) -> Run {
    let config = Config { max_steps: MAX_STEPS, memory: MEMORY, ..Config::default() };
    interp::run(program, &config, inputs, None, &mut std::io::sink())
}

/// A number that depends on all bytes (FNV-1a).
pub fn seed(data: &[u8]) -> u64 {
    data.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Symbols that terms may be about: names, sorts, and values (of an array: of its elements).
const SYMBOLS: [(&str, &str, &str); 16] = [
    ("b", "Bool", "true"),
    ("c", "Bool", "false"),
    ("i", "Int", "(- 7)"),
    ("j", "Int", "3"),
    ("r", "Real", "(/ 5.0 3.0)"),
    ("s", "Real", "0.0"),
    ("u", "(_ BitVec 1)", "#b1"),
    ("v", "(_ BitVec 8)", "#x80"),
    ("w", "(_ BitVec 8)", "#x03"),
    ("x", "(_ BitVec 32)", "#xffffffff"),
    ("y", "(_ BitVec 64)", "#x8000000000000000"),
    ("z", "(_ BitVec 200)", "(_ bv77 200)"),
    ("f", "(_ FloatingPoint 8 24)", "(fp #b1 #b01111111 #b10000000000000000000000)"),
    ("g", "(_ FloatingPoint 11 53)", "(_ NaN 11 53)"),
    ("a", "(Array (_ BitVec 8) (_ BitVec 8))", "#x00"),
    ("m", "(Array Int Bool)", "true"),
];

/// Declares the symbols: by name, and with their values.
pub fn symbols(terms: &mut Terms) -> (BTreeMap<&'static str, Var>, BTreeMap<Var, Value>) {
    let (mut names, mut values) = (BTreeMap::new(), BTreeMap::new());
    for (name, sort, value) in SYMBOLS {
        let sort = terms.parse_sort(sort).expect("a sort");
        let value = terms.parse(value, &mut |_| None).expect("a term");
        let value = terms.value(value).expect("a constant").clone();
        let value = match sort {
            Sort::Array(array) => Value::Array(Box::new(ArrayValue::new(array, value))),
            _ => value,
        };
        let var = terms.declare(name, sort);
        names.insert(name, var);
        values.insert(var, value);
    }
    (names, values)
}
