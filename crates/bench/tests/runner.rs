//! Processes within limits, results that outlive an interrupt, and the search for models.

#![allow(missing_docs)]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use proviso_bench::runner::process::{self, Job, Keeper, Limits, Measured, RESERVED, Stopped};
use proviso_bench::runner::{
    Batch, Configuration, Hold, Missed, Record, Refused, Settings, Status, Store, Task, find,
    read_results,
};

/// A folder that goes away with the test.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("proviso-bench-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).expect("a folder for the test");
        Self(path)
    }

    fn with(self, name: &str, text: &str) -> Self {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file for the test");
        self
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn limits(cpu: u64, wall: u64, megabytes: u64) -> Limits {
    let millis = Duration::from_millis;
    Limits { cpu: millis(cpu), wall: millis(wall), memory: megabytes * 1_000_000 }
}

fn shell(script: &str, limits: Limits) -> Measured {
    let arguments = vec!["-c".into(), script.into()];
    let job =
        Job { program: "/bin/sh".into(), arguments, limits, reserved: RESERVED, folder: None };
    process::run(&job, &Keeper::default(), &AtomicBool::new(false)).expect("a shell")
}

/// Whether a process whose number stands in a file is there, zombies aside.
fn is_alive(file: &Path) -> bool {
    let number = fs::read_to_string(file).expect("the number of a process");
    let stat = fs::read_to_string(format!("/proc/{}/stat", number.trim())).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
}

#[test]
fn a_process_is_measured() {
    let script =
        "echo out; echo err >&2; i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; exit 7";
    let measured = shell(script, limits(600_000, 600_000, 1000));
    assert_eq!(measured.status.code(), Some(7));
    assert_eq!((measured.out.as_str(), measured.err.as_str()), ("out\n", "err\n"));
    assert_eq!(measured.stopped, None);
    assert!(!measured.cpu.is_zero(), "{measured:?}");
    assert!(measured.wall >= measured.cpu / 2 && measured.peak != Some(0), "{measured:?}");
}

/// Not only the process ends, but also what it has started.
#[test]
fn too_much_processor_time_ends_the_group() {
    let folder = Folder::new();
    let file = folder.path("number");
    // Neither of the two listens to a polite request.
    let script = format!(
        "trap '' TERM; (trap '' TERM; while :; do :; done) & echo $! >{0}; while :; do :; done",
        file.display()
    );
    let measured = shell(&script, limits(300, 600_000, 1000));
    assert_eq!(measured.stopped, Some(Stopped::Cpu));
    assert_eq!(measured.status.code(), None);
    assert!(!measured.cpu.is_zero(), "{measured:?}");
    // The kernel takes a moment to end a process; one that nobody ended stays.
    for _ in 0..3000 {
        if !is_alive(&file) {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("what the process has started is still there");
}

#[test]
fn sleepers_are_ended_by_the_clock() {
    let measured = shell("sleep 1000", limits(600_000, 200, 1000));
    assert_eq!(measured.stopped, Some(Stopped::Wall));
    assert_eq!(measured.status.code(), None, "it did not end by itself");
}

/// A string that doubles; the shell would take all memory.
#[test]
fn too_much_memory_ends_the_process() {
    let script = "s=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; while :; do s=$s$s; done";
    let measured = shell(script, limits(600_000, 600_000, 60));
    assert_eq!(measured.stopped, Some(Stopped::Memory), "{measured:?}");
    assert!(measured.peak > Some(60_000_000));
}

/// One that stops when it is asked to can still say what it did.
#[test]
fn a_process_is_asked_before_it_is_killed() {
    let script = "trap 'echo asked; exit 20' TERM; while :; do :; done";
    let measured = shell(script, limits(200, 600_000, 1000));
    assert_eq!(measured.stopped, Some(Stopped::Cpu));
    assert_eq!((measured.status.code(), measured.out.as_str()), (Some(20), "asked\n"));
}

#[test]
fn much_output_is_cut_and_keeps_its_end() {
    let script = "i=0; while [ $i -lt 20000 ]; do echo 0123456789; i=$((i+1)); done; echo end";
    let measured = shell(script, limits(600_000, 600_000, 1000));
    assert!(measured.out.ends_with("0123456789\nend\n") && measured.out.len() < 200_000);
}

fn settings() -> Settings {
    Settings {
        suite: "test".to_owned(),
        version: "1".to_owned(),
        build: "b".to_owned(),
        time_seconds: 1.0,
        memory_bytes: 1000,
        ..Settings::default()
    }
}

/// Three tasks for a script that stands in for `proviso check`, in some ways.
fn batch(ways: &[&str]) -> Batch {
    let task = |name: &str| Task {
        name: name.to_owned(),
        file: name.into(),
        category: "shell".to_owned(),
        expected: Some(true),
        ..Task::default()
    };
    let configuration = |way: &&str| Configuration {
        name: (*way).to_owned(),
        arguments: vec![format!("--way={way}")],
    };
    Batch {
        program: Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/stand-in.sh"),
        tasks: ["one", "two", "three"].map(task).to_vec(),
        configurations: ways.iter().map(configuration).collect(),
        options: vec![],
        limits: limits(600_000, 600_000, 1000),
        jobs: 2,
        tools: vec![],
        reports: None,
        hold: Hold::default(),
    }
}

fn run(batch: &Batch, store: &mut Store) -> Vec<Record> {
    let count = store.records().len();
    batch.run(store, &AtomicBool::new(false), &|_, _| {}).expect("all of it");
    store.records()[count..].to_vec()
}

#[test]
fn all_tasks_are_run_in_all_ways() {
    let folder = Folder::new();
    let out = folder.path("out");
    let mut store = Store::open(&out, &settings(), false).expect("a new folder");
    let records = run(&batch(&["right", "wrong", "other"]), &mut store);
    assert_eq!(records.len(), 9);
    for record in &records {
        let known = match record.configuration.as_str() {
            "right" => (Status::Answered, Some(true), false),
            "wrong" => (Status::Answered, Some(false), true),
            _ => (Status::Error, None, false),
        };
        assert_eq!((record.status, record.verdict, record.is_wrong()), known);
    }
    let table = fs::read_to_string(out.join("results.csv")).expect("a table");
    assert_eq!(table.lines().count(), 10);
    let columns = Record::COLUMNS.matches(',').count();
    assert!(table.lines().all(|line| line.matches(',').count() == columns), "{table}");
}

/// A line that was cut off is run again, and nothing else is.
#[test]
fn an_interrupted_batch_is_taken_up_again() {
    let folder = Folder::new();
    let out = folder.path("out");
    let mut store = Store::open(&out, &settings(), false).expect("a new folder");
    assert_eq!(run(&batch(&["right"]), &mut store).len(), 3);
    drop(store);
    let lines = out.join("results.jsonl");
    let text = fs::read_to_string(&lines).expect("results");
    fs::write(&lines, &text[..text.len() - 20]).expect("results");
    assert!(matches!(Store::open(&out, &settings(), false), Err(Refused::Occupied(_))));
    let mut store = Store::open(&out, &settings(), true).expect("the same folder");
    assert_eq!(store.records().len(), 2);
    let batch = batch(&["right", "wrong"]);
    assert_eq!(batch.missing(&store), 4);
    assert_eq!(run(&batch, &mut store).len(), 4);
    assert_eq!(run(&batch, &mut store).len(), 0);
    drop(store);
    let again = Store::open(&out, &settings(), true).expect("the same folder");
    assert_eq!(again.records().len(), 6);
    let count = |name: &str| fs::read_to_string(out.join(name)).expect(name).lines().count();
    assert_eq!((count("results.jsonl"), count("results.csv")), (6, 7));
}

/// Times under other limits are other times.
#[test]
fn results_are_not_mixed_with_others() {
    let folder = Folder::new();
    let out = folder.path("out");
    drop(Store::open(&out, &settings(), false).expect("a new folder"));
    let others = [
        Settings { suite: "other".to_owned(), ..settings() },
        Settings { build: "c".to_owned(), ..settings() },
        Settings { time_seconds: 2.0, ..settings() },
        Settings { memory_bytes: 2, ..settings() },
        Settings { options: vec!["--prune=full".to_owned()], ..settings() },
    ];
    for other in others {
        let refused = Store::open(&out, &other, true);
        assert!(matches!(refused, Err(Refused::Different(..))), "{other:?}");
    }
}

/// What a crash has left of the results: the lines that can be read count, and the others are run again.
#[test]
fn damaged_lines_are_passed_over() {
    let folder = Folder::new();
    let out = folder.path("out");
    let mut store = Store::open(&out, &settings(), false).expect("a new folder");
    run(&batch(&["right", "wrong"]), &mut store);
    let all = store.records().len();
    drop(store);
    let lines = out.join("results.jsonl");
    let text = fs::read_to_string(&lines).expect("results");
    let mut kept: Vec<&str> = text.lines().collect();
    kept[1] = "no record";
    fs::write(&lines, kept.join("\n") + "\n\0\0\0\n").expect("results");
    assert!(matches!(read_results(&out), Err(Refused::Unreadable(..))));
    let store = Store::open(&out, &settings(), true).expect("the same folder");
    assert_eq!((store.records().len(), store.damaged()), (all - 1, &[2, all + 1][..]));
    assert!(!store.is_torn());
    drop(store);
    let text = fs::read_to_string(&lines).expect("results");
    fs::write(&lines, &text[..text.len() - 5]).expect("results");
    // What was cut off is told of once.
    for (count, torn) in [(all - 2, true), (all - 2, false)] {
        let store = Store::open(&out, &settings(), true).expect("the same folder");
        assert_eq!((store.records().len(), store.is_torn()), (count, torn));
        assert_eq!(store.damaged(), &[] as &[usize]);
    }
}

#[test]
fn files_of_others_are_not_overwritten() {
    let folder = Folder::new();
    let out = folder.path("out");
    fs::create_dir(&out).expect("a folder");
    let names =
        ["tables.md", "scatter-1.svg", "figure-3.svg", "heatmap-all.svg", "figures.csv", "running"];
    for name in names {
        fs::write(out.join(name), "mine").expect("a file");
        for resume in [false, true] {
            let refused = Store::open(&out, &settings(), resume);
            let is_it = matches!(&refused, Err(Refused::Foreign(path)) if path.ends_with(name));
            assert!(is_it, "{name}: {refused:?}");
        }
        assert_eq!(fs::read_to_string(out.join(name)).expect("a file"), "mine");
        fs::remove_file(out.join(name)).expect("a file");
    }
    // Nobody writes these.
    fs::write(out.join("notes.svg"), "mine").expect("a file");
    fs::write(out.join("lock"), "mine").expect("a file");
    Store::open(&out, &settings(), false).expect("a folder without results");
    for name in ["notes.svg", "lock"] {
        assert_eq!(fs::read_to_string(out.join(name)).expect("a file"), "mine", "{name}");
    }
}

/// A run that was cut short is no result.
#[test]
fn an_interrupt_ends_all_processes() {
    let folder = Folder::new();
    let mut store = Store::open(&folder.path("out"), &settings(), false).expect("a new folder");
    let stop = AtomicBool::new(false);
    let ended = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(200));
            stop.store(true, Ordering::Relaxed);
        });
        batch(&["sleep"]).run(&mut store, &stop, &|_, _| {})
    });
    assert!(matches!(ended, Err(Missed::Interrupted)));
    assert!(store.records().is_empty());
}

#[test]
fn a_program_that_is_not_there_ends_the_batch() {
    let folder = Folder::new();
    let mut store = Store::open(&folder.path("out"), &settings(), false).expect("a new folder");
    let batch = Batch { program: folder.path("nobody"), ..batch(&["right"]) };
    let ended = batch.run(&mut store, &AtomicBool::new(false), &|_, _| {});
    assert!(matches!(ended, Err(Missed::System(_))) && store.records().is_empty());
}

fn definition(file: &str, property: &str, verdict: bool) -> String {
    format!(
        "format_version: '2.0'\ninput_files: '{file}'\nproperties:\n  - property_file: {property}\n    \
         expected_verdict: {verdict}\noptions:\n  language: C\n  data_model: ILP32\n"
    )
}

#[test]
fn models_have_categories_and_answers() {
    let manifest = "\
fam\tloops/a.c\tunreach-call\ttrue\tILP32
fam\tloops/b.cfa\terror-location\tfalse\t-
fam\tloops/c.c\tno-overflow\tfalse\tLP64
fam\tloops/gone.c\tunreach-call\ttrue\tLP64
broken line
fam\ttasks/e.c\tunreach-call\tfalse\tLP64
";
    let folder = Folder::new()
        .with("manifest.tsv", manifest)
        .with("files/loops/a.c", "")
        .with("files/loops/b.cfa", "")
        .with("files/loops/c.c", "")
        .with("files/loops/notes.txt", "")
        .with("files/deep/down/here/d.pl", "")
        .with("files/.hidden/h.c", "")
        .with("files/tasks/d.c", "")
        .with("files/tasks/d.yml", &definition("d.c", "../prop/unreach-call.prp", false))
        .with("files/tasks/e.c", "")
        .with("files/tasks/e.yml", &definition("e.c", "../prop/unreach-call.prp", true))
        .with("files/tasks/f.yml", &definition("d.c", "../prop/no-overflow.prp", true))
        .with("files/tasks/g.yml", "nothing")
        .with("files/top.theta", "");
    let found = find(&folder.path("files"), &[]).expect("a folder");
    let lines: Vec<String> = found
        .tasks
        .iter()
        .map(|task| format!("{} {} {:?} {:?}", task.name, task.category, task.expected, task.model))
        .collect();
    assert_eq!(
        lines,
        [
            "deep/down/here/d.pl deep None None",
            "loops/a.c fam Some(true) Some(Ilp32)",
            "loops/b.cfa fam Some(false) None",
            "loops/c.c loops None None",
            "tasks/d.yml tasks Some(false) Some(Ilp32)",
            "tasks/e.yml fam None Some(Ilp32)",
            "top.theta files None None",
        ]
    );
    assert_eq!(found.notes.len(), 4, "{:?}", found.notes);
    // From the folder above, the same files are found by the same manifest.
    assert_eq!(find(&folder.0, &[]).expect("a folder").tasks.len(), 7);
    assert!(find(&folder.path("nowhere"), &[]).is_err());
}
