//! `proviso bench --suite product` on a few small models. The configurations are the two that need
//! no product.

#![allow(missing_docs)]

mod common;

use common::Folder;

/// Counts to ten and then asks whether it got there.
const COUNTER: &str = "\
main process counter {
    var x : int
    init loc L0
    loc L1
    loc L2
    final loc END
    error loc ERR
    L0 -> L1 { x := 0 }
    L1 -> L1 { assume x < 10 x := x + 1 }
    L1 -> L2 { assume not (x < 10) }
    L2 -> END { assume x = 10 }
    L2 -> ERR { assume x /= 10 }
}
";

const UNSAFE: &str = "\
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x == 7) reach_error();
    return 0;
}
";

/// Explicit values count for a very long time.
const LONG: &str = "\
extern void reach_error(void);
int main(void) {
    unsigned long long i = 0, j = 0;
    while (i < 1000000000000ULL) { i++; j += i; }
    if (i != 1000000000000ULL) reach_error();
    if (j == 17) reach_error();
    return 0;
}
";

const SUITE: [&str; 8] =
    ["bench", "--suite", "product", "models", "--configuration", "EXPL,PRED", "--out", "out"];

fn folder() -> Folder {
    let folder = Folder::new();
    for name in ["models", "models/counters", "models/c"] {
        std::fs::create_dir(folder.path().join(name)).expect("a folder");
    }
    folder
        .with("models/counters/ten.cfa", COUNTER)
        .with("models/c/seven.c", UNSAFE)
        .with("manifest.tsv", "c\tmodels/c/seven.c\tunreach-call\tfalse\tILP32\n")
}

fn command(more: &[&'static str]) -> Vec<&'static str> {
    SUITE.iter().chain(more).copied().collect()
}

#[test]
fn models_are_run_and_tables_written() {
    let folder = folder();
    let done = folder.run(&command(&["--time", "60", "--jobs", "2"]));
    assert_eq!(done.code, 0, "{} {}", done.out, done.err);
    let last = "product: 4 runs, 4 solved, 0 wrong, 0 disagreements, 0 failed; see out/tables.md";
    assert_eq!(done.last_line(), last);
    assert!(done.err.contains("2 models, 2 configurations, 4 runs to do"), "{}", done.err);
    let lines = folder.read("out/results.jsonl");
    assert!(lines.lines().all(|line| line.contains("\"refinements\":")), "{lines}");
    assert!(!lines.contains("null,\"refinements\"") && !lines.contains("\"refinements\":null"));
    let table = folder.read("out/results.csv");
    assert!(table.contains("c/seven.c,c,false,EXPL,answered,false,,0."), "{table}");
    assert!(table.contains("counters/ten.cfa,counters,,PRED,answered,true,,0."), "{table}");
    let page = folder.read("out/tables.md");
    assert!(page.contains("2 models (1 with a known answer), 4 runs."), "{page}");
    assert!(folder.read("out/heatmap-all.svg").contains(">counters</text>"));
    assert!(folder.read("out/quantile-best.svg").contains(">EXPL (2)</text>"));
}

#[test]
fn a_run_is_taken_up_again_and_not_mixed() {
    let folder = folder();
    let one = ["--time", "60", "--category", "c"];
    assert_eq!(folder.run(&command(&one)).code, 0);
    let again = folder.run(&command(&["--time", "60"]));
    assert_eq!(again.code, 64);
    assert!(again.err.contains("out has results already; --resume"), "{}", again.err);
    let resumed = folder.run(&command(&["--time", "60", "--resume"]));
    assert!(resumed.err.contains("2 runs to do"), "{}", resumed.err);
    assert!(resumed.last_line().starts_with("product: 4 runs, 4 solved"), "{}", resumed.out);
    let other = folder.run(&command(&["--time", "61", "--resume"]));
    assert_eq!(other.code, 64);
    assert!(other.err.contains("were measured with a time limit of 60 s"), "{}", other.err);
}

/// The answer is right and the manifest is not: that cannot be seen from here, so it is told.
#[test]
fn wrong_answers_are_told_first() {
    let folder = folder();
    let manifest = "c\tmodels/c/seven.c\tunreach-call\ttrue\tILP32\n";
    let folder = folder.with("manifest.tsv", manifest);
    let done = folder.run(&command(&["--time", "60", "--category", "c"]));
    assert_eq!(done.code, 10);
    let first = done.out.lines().next();
    assert_eq!(first, Some("WRONG VERDICT: c/seven.c: EXPL says FALSE, expected is TRUE"));
    assert!(done.last_line().starts_with("product: 2 runs, 0 solved, 2 wrong"), "{}", done.out);
    assert!(folder.read("out/tables.md").contains("**Some answers are wrong.**"));
}

#[test]
fn limits_hold() {
    let folder = folder().with("models/c/long.c", LONG);
    let more = ["--time", "0.5", "--configuration", "EXPL", "--category", "c"];
    let arguments: Vec<&str> = SUITE
        .iter()
        .copied()
        .filter(|word| !["--configuration", "EXPL,PRED"].contains(word))
        .collect();
    let arguments: Vec<&str> = arguments.into_iter().chain(more).collect();
    let done = folder.run(&arguments);
    assert_eq!(done.code, 0, "{} {}", done.out, done.err);
    let table = folder.read("out/results.csv");
    assert!(table.contains("c/long.c,c,,EXPL,time-limit,,"), "{table}");
    let memory = folder.run(&[
        "bench",
        "--suite",
        "product",
        "models",
        "--out",
        "small",
        "--configuration",
        "EXPL",
        "--time",
        "100",
        "--memory",
        "40",
        "--category",
        "c",
    ]);
    assert_eq!(memory.code, 0, "{} {}", memory.out, memory.err);
    let table = folder.read("small/results.csv");
    assert!(table.contains("c/long.c,c,,EXPL,memory-limit,,"), "{table}");
}

#[test]
fn command_lines_that_make_no_sense_are_refused() {
    let folder = folder();
    for arguments in [
        &["bench", "--suite", "product"][..],
        &["bench", "--suite", "product", "models"],
        &["bench", "--suite", "armc", "models"],
        &["bench", "--suite", "product", "models", "--out", "o", "--category", "none"],
        &["bench", "--suite", "product", "models", "--out", "o", "--configuration", "NONE"],
        &["bench", "--suite", "product", "models", "--out", "o", "--jobs", "0"],
    ] {
        assert_eq!(folder.run(arguments).code, 64, "{arguments:?}");
    }
    let nowhere = folder.run(&["bench", "--suite", "product", "nowhere", "--out", "o"]);
    assert_eq!(nowhere.code, 65);
}

/// A run of `bench` may have been started in the background of a script, where children inherit
/// that Ctrl-C is ignored. A child that used up its time is asked to stop all the same, and says
/// what it found.
#[test]
fn a_child_stops_when_asked_even_where_interrupts_are_ignored() {
    use bench::runner::process::{Job, Limits, Stopped, run};
    use std::time::Duration;
    let folder = Folder::new().with("long.c", LONG);
    let binary = env!("CARGO_BIN_EXE_proviso");
    let file = folder.path().join("long.c");
    let script = format!("trap '' INT; exec {binary} check --analysis value {}", file.display());
    let limits = Limits {
        cpu: Duration::from_secs(1),
        wall: Duration::from_secs(600),
        memory: 4_000_000_000,
    };
    let arguments = vec!["-c".into(), script.into()];
    let job = Job { program: "/bin/sh".into(), arguments, limits };
    let stop = std::sync::atomic::AtomicBool::new(false);
    let measured = run(&job, &stop).expect("a shell");
    assert_eq!(measured.stopped, Some(Stopped::Cpu));
    let last = measured.out.lines().last().unwrap_or_default();
    assert_eq!(last, "Verification result: UNKNOWN (interrupted)", "{measured:?}");
    assert_eq!(measured.status.code(), Some(20));
}
