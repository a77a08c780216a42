//! Limits and signals end every analysis, with the last line printed.

#![allow(missing_docs)]

mod common;

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use base::Random;
use common::{ENDLESS, Folder};
use rustix::process::{Pid, Signal, kill_process};

const ANALYSES: [&str; 8] = [
    "auto",
    "bmc",
    "k-induction",
    "value",
    "value-itp",
    "predicate",
    "value-itp+predicate",
    "product",
];

/// Calls to any depth, each with two more: an exploration takes memory quickly.
const TREE: &str = "
    extern void reach_error(void);
    extern int unknown(void);
    int f(int a, int b) {
      if (unknown()) return a;
      int x = f(a + b, a), y = f(b, x ^ a);
      return x - y * 3;
    }
    int main(void) {
      if (f(1, 2) == 123456789) reach_error();
      return 0;
    }";

#[test]
fn limits_end_every_analysis() {
    for analysis in ANALYSES {
        for (option, value, reason) in [
            ("--timelimit", "400ms", "time limit"),
            ("--cputimelimit", "300ms", "time limit"),
            ("--memlimit", "3MB", "memory limit"),
        ] {
            let folder = Folder::new().with("endless.c", ENDLESS);
            let done = folder.run(&["check", "endless.c", "--analysis", analysis, option, value]);
            let expected = format!("Verification result: UNKNOWN ({reason})");
            assert_eq!(done.last_line(), expected, "{analysis} {option}\n{}", done.err);
            assert_eq!(done.code, 20, "{analysis} {option}");
            assert_eq!(done.out.matches("Verification result").count(), 1, "{}", done.out);
        }
    }
}

/// A process that has more than its limit from the start is ended by the watchdog, wherever it is.
#[test]
fn a_run_that_is_ended_leaves_its_result() {
    let folder = Folder::new().with("endless.c", ENDLESS).with("true.c", "int main(void) {}");
    // What an earlier run has found must not stay.
    let before = folder.run(&["check", "true.c", "--output-dir", "out"]);
    assert_eq!(before.last_line(), "Verification result: TRUE");
    let words = ["check", "endless.c", "--memlimit", "3MB", "--output-dir", "out"];
    let done = folder.run(&words);
    let expected = "Verification result: UNKNOWN (memory limit)";
    assert_eq!(done.last_line(), expected, "{}", done.err);
    let result: serde_json::Value =
        serde_json::from_str(&folder.read("out/result.json")).expect("a document");
    assert_eq!(result["verdict"], "UNKNOWN");
    assert_eq!(result["unknown"]["name"], "memory limit");
    assert_eq!((&result["result"], &result["exit_code"]), (&expected.into(), &20.into()));
    for name in ["result.sarif", "junit.xml"] {
        let text = folder.read(&format!("out/{name}"));
        assert!(text.lines().last().is_some_and(|last| last.contains(expected)), "{text}");
    }
    assert!(!folder.path().join("out/correctness.yml").exists());
}

/// Where the system limits the addresses of a process to less than what the run may use, an
/// allocation that fails would end it without a last line.
#[test]
fn limits_of_the_system_are_limits_of_the_run() {
    for analysis in ["value", "predicate"] {
        for kilobytes in ["150000", "400000"] {
            let folder = Folder::new().with("tree.c", TREE);
            let binary = env!("CARGO_BIN_EXE_proviso");
            let script = format!(
                "ulimit -v {kilobytes}; \
                 exec {binary} check tree.c --analysis {analysis} --timelimit 1h --memlimit 64GB"
            );
            let done = Command::new("/bin/sh")
                .args(["-c", &script])
                .current_dir(folder.path())
                .output()
                .expect("a shell");
            let out = String::from_utf8_lossy(&done.stdout);
            let last = out.lines().last().unwrap_or_default();
            let expected = "Verification result: UNKNOWN (memory limit)";
            assert_eq!(last, expected, "{analysis} {kilobytes}\n{done:?}");
            assert_eq!(done.status.code(), Some(20), "{analysis} {kilobytes}");
        }
    }
}

/// A list that does not fit into the addresses of the process is refused memory at once, before
/// anybody can look at a limit.
#[test]
fn a_refused_allocation_is_a_memory_limit() {
    let list =
        format!("int a[] = {{{}1}}; int main(void) {{ return a[7]; }}", "1,".repeat(2_000_000));
    let folder = Folder::new().with("list.c", &list).with("true.c", "int main(void) {}");
    for kilobytes in ["100000", "170000", "250000", "400000"] {
        // What an earlier run has found must not stay.
        assert_eq!(folder.run(&["check", "true.c", "--output-dir", "out"]).code, 0);
        let command = "exec \"$0\" check list.c --timelimit 1h --output-dir out";
        let script = format!("ulimit -v {kilobytes}; {command}");
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", &script, env!("CARGO_BIN_EXE_proviso")]).current_dir(folder.path());
        let done = shell.output().expect("a shell");
        let out = String::from_utf8_lossy(&done.stdout);
        assert_eq!(out.matches("Verification result").count(), 1, "{kilobytes} {done:?}");
        assert!(
            out.ends_with("Verification result: UNKNOWN (memory limit)\n"),
            "{kilobytes} {out}"
        );
        assert_eq!(done.status.code(), Some(20), "{kilobytes}");
        let result: serde_json::Value =
            serde_json::from_str(&folder.read("out/result.json")).expect("a document");
        assert_eq!(result["unknown"]["name"], "memory limit", "{kilobytes} {done:?}");
        for name in ["correctness.yml", "report.html"] {
            assert!(!folder.path().join("out").join(name).exists(), "{kilobytes} {name}");
        }
    }
}

/// Decision diagrams take many addresses at once. A process that cannot have them goes on without.
#[test]
fn a_process_without_addresses_for_diagrams_goes_on() {
    let folder = Folder::new().with("gcd.c", GCD);
    let binary = env!("CARGO_BIN_EXE_proviso");
    let script =
        format!("ulimit -v 600000; exec {binary} check gcd.c --analysis product --timelimit 2s");
    let mut shell = Command::new("/bin/sh");
    let done = shell.args(["-c", &script]).current_dir(folder.path()).output().expect("a shell");
    assert_eq!(done.status.code(), Some(20), "{done:?}");
    assert!(!String::from_utf8_lossy(&done.stderr).contains("internal error"), "{done:?}");
}

const GCD: &str = "
extern unsigned char in(void);
extern void reach_error(void);
int gcd(int a, int b) { while (b) { int t = a % b; a = b; b = t; } return a; }
int main(void) {
    unsigned char a = in(), b = in();
    if (!a || !b) return 0;
    int g = gcd(a, b);
    if (g <= 0 || a % g != 0 || b % g != 0) reach_error();
    return 0;
}";

#[test]
fn signals_end_every_analysis_at_any_time() {
    let mut random = Random::new(12);
    for (index, analysis) in ANALYSES.into_iter().cycle().take(24).enumerate() {
        let folder = Folder::new().with("endless.c", ENDLESS);
        let mut command =
            folder.command(&["check", "endless.c", "--analysis", analysis, "--timelimit", "1h"]);
        let wait = Duration::from_millis(random.next() % 250);
        let signal = if index % 2 == 0 { Signal::INT } else { Signal::TERM };
        is_ended_by(signal, &mut command, wait);
    }
}

/// The process that works is not the one that was started.
#[test]
fn signals_end_a_run_with_limited_addresses() {
    for signal in [Signal::INT, Signal::TERM] {
        let folder = Folder::new().with("endless.c", ENDLESS);
        let script = "ulimit -v 4000000; exec \"$0\" check endless.c --timelimit 1h";
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", script, env!("CARGO_BIN_EXE_proviso")]).current_dir(folder.path());
        is_ended_by(signal, &mut shell, Duration::from_millis(50));
    }
}

/// A full pipe that nobody reads keeps the process only until the first signal comes.
#[test]
fn a_signal_ends_a_run_whose_output_nobody_reads() {
    const WRONG: &str = "int main(void) { int a[2] = {0, 0}; int i = 2; return a[i]; }";
    let limited = ["", "ulimit -v 8000000; "];
    for (signal, limit) in [Signal::INT, Signal::TERM].into_iter().zip(limited) {
        let folder = Folder::new().with("wrong.c", WRONG);
        let script = format!(
            "{limit}exec \"$0\" check wrong.c --format html --output-dir out --timelimit 1h"
        );
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", &script, env!("CARGO_BIN_EXE_proviso")]).current_dir(folder.path());
        shell.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = shell.spawn().expect("a shell");
        let mut page = child.stdout.take().expect("a pipe");
        // Once the page has begun, it is all that is left to do, and it is longer than a pipe.
        page.read_exact(&mut [0]).expect("the page begins");
        kill_process(Pid::from_child(&child), signal).expect("the child runs");
        let status = child.wait().expect("it ends");
        let mut err = String::new();
        child.stderr.take().expect("a pipe").read_to_string(&mut err).expect("text");
        assert_eq!(status.code(), Some(10), "{limit}{err}");
        assert!(err.contains("Verification result: FALSE (valid-deref)"), "{limit}{err}");
        let size =
            std::fs::metadata(folder.path().join("out/report.html")).expect("a report").len();
        assert!(size > 1 << 16, "{size}");
        for name in ["result.json", "violation.yml", "violation.graphml", "inputs.txt"] {
            assert!(folder.path().join("out").join(name).exists(), "{limit}{name}");
        }
    }
}

/// The process that works may die before, while and after it says its last line.
#[test]
fn there_is_one_last_line_whenever_the_working_process_dies() {
    let folder = Folder::new().with("endless.c", ENDLESS);
    for (index, signal) in [Signal::KILL, Signal::ABORT].into_iter().cycle().take(24).enumerate() {
        let script = "ulimit -v 4000000; exec \"$0\" check endless.c --timelimit 200ms";
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", script, env!("CARGO_BIN_EXE_proviso")]).current_dir(folder.path());
        let child = shell.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a shell");
        thread::sleep(Duration::from_millis(15 * index as u64));
        if let Some(worker) = worker_of(child.id()) {
            // The worker may have come to its end just now.
            let _ = kill_process(worker, signal);
        }
        let done = child.wait_with_output().expect("it ends");
        let out = String::from_utf8_lossy(&done.stdout);
        assert_eq!(out.matches("Verification result: UNKNOWN").count(), 1, "{index}: {done:?}");
        assert!(out.ends_with(")\n"), "{index}: {done:?}");
        assert_eq!(done.status.code(), Some(20), "{index}: {done:?}");
    }
}

/// A process that another one has started, as the system lists them.
fn worker_of(parent: u32) -> Option<Pid> {
    let processes = std::fs::read_dir("/proc").expect("a list of processes");
    let numbers = processes.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let is_child = |number: &i32| {
        let status = std::fs::read_to_string(format!("/proc/{number}/status")).unwrap_or_default();
        let of = status.lines().find_map(|line| line.strip_prefix("PPid:"));
        of.is_some_and(|of| of.trim() == parent.to_string())
    };
    numbers.filter(is_child).find_map(Pid::from_raw)
}

/// Starts a run, and sends it a signal a while after it has begun.
fn is_ended_by(signal: Signal, command: &mut Command, wait: Duration) {
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs");
    // The assumption is told after signals are listened to.
    let mut messages = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut line = String::new();
    messages.read_line(&mut line).expect("a line");
    assert!(line.starts_with("assumption: "), "{line}");
    thread::sleep(wait);
    kill_process(Pid::from_child(&child), signal).expect("the child runs");
    let mut out = String::new();
    child.stdout.take().expect("a pipe").read_to_string(&mut out).expect("text");
    let status = child.wait().expect("it ends");
    let last = out.lines().last().unwrap_or_default();
    assert_eq!(last, "Verification result: UNKNOWN (interrupted)", "{command:?} {signal:?}");
    assert_eq!(status.code(), Some(20), "{command:?}");
}
