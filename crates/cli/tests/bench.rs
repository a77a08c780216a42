//! `proviso bench --suite product` and `--suite partial` on a few small models. The configurations of
//! product are the two that need no product.

#![allow(missing_docs)]

mod common;

use common::{Folder, UNSAFE};

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

/// A program that is another one now is run again; the others are not.
#[test]
fn a_program_that_has_changed_is_run_again() {
    let folder = folder();
    assert_eq!(folder.run(&command(&["--time", "60"])).code, 0);
    let folder = folder.with("models/c/seven.c", UNSAFE.replace("x == 7", "x != x"));
    let folder = folder.with("manifest.tsv", "c\tmodels/c/seven.c\tunreach-call\ttrue\tILP32\n");
    let resumed = folder.run(&command(&["--time", "60", "--resume"]));
    assert!(resumed.err.contains("run again: c/seven.c\n"), "{}", resumed.err);
    assert!(resumed.err.contains("2 runs to do"), "{}", resumed.err);
    let last = "product: 4 runs, 4 solved, 0 wrong, 0 disagreements, 0 failed; see out/tables.md";
    assert_eq!(resumed.last_line(), last);
    let lines = folder.read("out/results.jsonl");
    assert_eq!(lines.lines().count(), 4);
    assert!(!lines.contains("\"verdict\":false"), "{lines}");
    assert_eq!(folder.read("out/results.csv").lines().count(), 5);
    let again = folder.run(&command(&["--time", "60", "--resume"]));
    assert!(
        again.err.contains("0 runs to do") && !again.err.contains("run again"),
        "{}",
        again.err
    );
}

/// Product abstraction to the letter of its report beside ours, and the report's figures.
#[test]
fn both_ways_stand_beside_the_report() {
    let folder = folder();
    let more = "--time 60 --configuration PRED,PRED-LETTER,PROD2_PATH_02,PROD2_PATH_02-LETTER";
    let line = format!("bench --suite product models --out out {more}");
    let done = folder.run(&line.split(' ').collect::<Vec<_>>());
    assert_eq!(done.code, 0, "{} {}", done.out, done.err);
    let page = folder.read("out/tables.md");
    let row = |name: &str| {
        let start = format!("| {name} | ");
        page.lines().find(|line| line.starts_with(&start)).unwrap_or_else(|| panic!("{page}"))
    };
    assert!(row("PRED").ends_with("| 9 | 325 | 7279619 |"), "{page}");
    assert!(row("PROD2_PATH_02-LETTER").ends_with("| 13 | 135 | 4180053 |"), "{page}");
    assert!(page.contains("-LETTER: to the letter of the report"), "{page}");
}

/// A configuration is named once, and `--as` says in which ways it is done.
#[test]
fn named_configurations_are_done_in_the_ways_that_are_asked_for() {
    let folder = folder();
    for (way, known) in [
        ("letter", &["EXPL", "PRED-LETTER"][..]),
        ("both", &["EXPL", "PRED", "PRED-LETTER"]),
        ("ours", &["EXPL", "PRED"]),
    ] {
        let line = format!(
            "bench --suite product models --configuration EXPL,PRED --sample 1 --as {way} --out {way}"
        );
        let done = folder.run(&line.split(' ').collect::<Vec<_>>());
        assert_eq!(done.code, 0, "{} {}", done.out, done.err);
        assert!(done.err.contains("1 model, "), "{}", done.err);
        let lines = folder.read(&format!("{way}/results.jsonl"));
        let mut names: Vec<String> = lines
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("a line of JSON"))
            .map(|line| line["configuration"].as_str().expect("a name").to_owned())
            .collect();
        names.sort();
        assert_eq!(names, known, "{way}");
    }
}

const EXPLICIT: &str = "bench --suite explicit tasks --out out --time 60 --as both";

/// The suite of the paper on explicit values, on a few programs in families of its categories.
#[test]
fn explicit_values_have_the_tables_of_their_paper() {
    let folder = Folder::new();
    for name in ["tasks", "tasks/locks", "tasks/systemc", "tasks/other"] {
        std::fs::create_dir(folder.path().join(name)).expect("a folder");
    }
    let folder = folder
        .with("tasks/locks/seven.c", UNSAFE)
        .with("tasks/systemc/flag.c", UNSAFE.replace("x == 7", "x == 7 && x < 7"))
        .with("tasks/other/left.c", UNSAFE)
        .with(
            "manifest.tsv",
            "locks\ttasks/locks/seven.c\tunreach-call\tfalse\tILP32\n\
             systemc\ttasks/systemc/flag.c\tunreach-call\ttrue\tILP32\n",
        );
    let done = folder.run(&EXPLICIT.split(' ').collect::<Vec<_>>());
    assert_eq!(done.code, 0, "{} {}", done.out, done.err);
    let last =
        "explicit: 18 runs, 18 solved, 0 wrong, 0 disagreements, 0 failed; see out/tables.md";
    assert_eq!(done.last_line(), last);
    let page = folder.read("out/tables.md");
    let overall: Vec<&str> =
        page.lines().filter(|line| line.starts_with("| Overall | 3 / 2 / ")).collect();
    assert_eq!(overall.len(), 3, "{page}");
    assert!(overall[0].contains("(217 / 152 / 11000)"), "{page}");
    assert!(
        overall[2].ends_with("| (231 / 158 / 15000) | (235 / 147 / 14000) | (280 / 209 / 4300) |")
    );
    assert!(page.contains("| EXPLitp-PRED-LETTER | EXPLitp-LETTER |"), "{page}");
    for file in ["figure-3.svg", "figure-4.svg", "figure-5.svg"] {
        assert!(folder.read(&format!("out/{file}")).contains("EXPLitp"), "{file}");
    }
    let points = folder.read("out/figures.csv");
    assert!(points.starts_with("figure,configuration,n,seconds\n3,EXPL,1,0."), "{points}");
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
        &["bench", "--suite", "partial"],
        &["bench", "--suite", "partial", "models"],
        &["bench", "--suite", "partial", "models", "--out", "o", "--sample", "0"],
        &["bench", "--suite", "armc", "--sample", "2"],
        &["bench", "--suite", "armc", "--memory", "100"],
        &["bench", "--suite", "armc", "--memlimit", "100"],
        &["bench", "--suite", "armc", "--solver", "z3"],
        &["bench", "--suite", "loops", "models", "--as", "letter"],
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
    use bench::runner::process::{Job, Keeper, Limits, RESERVED, Stopped, run};
    use std::time::Duration;
    let folder = Folder::new().with("long.c", LONG);
    let binary = env!("CARGO_BIN_EXE_proviso");
    let file = folder.path().join("long.c");
    let script = format!("trap '' INT; exec {binary} check --analysis value {}", file.display());
    // Little is explored by then, so that a busy machine tells of it within the time that is left to the child.
    let limits = Limits {
        cpu: Duration::from_millis(300),
        wall: Duration::from_secs(600),
        memory: 4_000_000_000,
    };
    let arguments = vec!["-c".into(), script.into()];
    let job =
        Job { program: "/bin/sh".into(), arguments, limits, reserved: RESERVED, folder: None };
    let stop = std::sync::atomic::AtomicBool::new(false);
    let measured = run(&job, &Keeper::default(), &stop).expect("a shell");
    assert_eq!(measured.stopped, Some(Stopped::Cpu));
    let last = measured.out.lines().last().unwrap_or_default();
    assert_eq!(last, "Verification result: UNKNOWN (interrupted)", "{measured:?}");
    assert_eq!(measured.status.code(), Some(20));
}

/// The answer depends on a loop whose rounds explicit values cannot count, so they give up; predicates
/// need no time limit either.
const UNCOUNTED: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0) n = 0;
    int k = 0;
    while (k < n) { k++; }
    if (k != n) reach_error();
    return 0;
}
";

const PARTIAL: [&str; 8] =
    ["bench", "--suite", "partial", "models", "--out", "out", "--timelimit", "60"];

/// A SystemC task without an answer by values, a driver with an error, and a task of another kind.
fn tasks(expected: &str) -> Folder {
    let folder = Folder::new();
    for name in ["models", "models/systemc", "models/ldv-sets", "models/c"] {
        std::fs::create_dir(folder.path().join(name)).expect("a folder");
    }
    folder
        .with("models/systemc/uncounted.c", UNCOUNTED)
        .with("models/ldv-sets/seven.c", UNSAFE)
        .with("models/c/long.c", LONG)
        .with(
            "manifest.tsv",
            format!("ldv-sets\tmodels/ldv-sets/seven.c\tunreach-call\t{expected}\n"),
        )
}

#[test]
fn what_inconclusive_runs_are_worth_is_compared() {
    let folder = tasks("false");
    let done = folder.run(&[&PARTIAL[..], &["--jobs", "2"]].concat());
    assert_eq!(done.code, 0, "{} {}", done.out, done.err);
    assert!(done.err.contains("2 programs, 4 runs to do"), "{}", done.err);
    let last = done.last_line();
    assert!(last.starts_with("partial: 4 runs, 3 answered, 1 inconclusive, "), "{last}");
    assert!(last.ends_with(" 0 failed, 0 wrong, 0 disagreements"), "{last}");
    let page = folder.read("out/tables.md");
    assert!(done.out.starts_with(&page), "{}", done.out);
    for part in [
        "| value-itp | 2 | 1 | 1 | 0 | 68 | 9 |\n",
        "| predicate | 2 | 2 | 0 | 0 | 68 | 16 |\n",
        "| value-itp | a frontier or undecided trace | 1 of 1 (100 %) |",
        "| value-itp | a bug met by the report | 0 of 1 (0 %) |",
        "| systemc/uncounted.c | ",
        "(Tables 3.2, 3.3 and 5.2)\n\nNone.\n",
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }
    assert!(!page.contains("long.c"), "{page}");
    let reports = folder.read("out/reports.csv");
    assert!(reports.contains("\nsystemc/uncounted.c,systemc,value-itp,true,"), "{reports}");
    assert!(reports.contains("\nsystemc/uncounted.c,systemc,predicate,false,"), "{reports}");
    let lines = folder.read("out/results.jsonl");
    assert!(lines.lines().all(|line| line.contains("\"worth\":{\"verified\":")), "{lines}");
    assert!(!folder.path().join("out/running").exists(), "reports are read and removed");
    let again = folder.run(&[&PARTIAL[..], &["--resume"]].concat());
    assert!(again.err.contains("2 programs, 0 runs to do"), "{}", again.err);
    assert_eq!((again.code, again.last_line()), (0, last));
    assert_eq!(folder.read("out/tables.md"), page);
}

#[test]
fn a_sample_of_tasks_and_wrong_answers_of_partial() {
    let folder = tasks("true");
    let done = folder.run(&[&PARTIAL[..], &["--sample", "1"]].concat());
    assert_eq!(done.code, 10, "{} {}", done.out, done.err);
    assert!(done.err.contains("1 program, 2 runs to do"), "{}", done.err);
    let first = "# Partial results\n\n**Some answers are wrong.**\n\n\
                 - WRONG VERDICT: ldv-sets/seven.c: predicate says FALSE, expected is TRUE\n";
    assert!(folder.read("out/tables.md").starts_with(first), "{}", done.out);
    let none = ["bench", "--suite", "partial", "models/c", "--out", "none"];
    assert_eq!(folder.run(&none).code, 65);
    let named = ["--category", "systemc"];
    let other = folder.run(&[&PARTIAL[..], &named, &["--resume"]].concat());
    assert!(other.err.contains("1 program, 2 runs to do"), "{}", other.err);
}
