//! `proviso bench SET…`: any tasks, columns of other tools, tasks that misbehave, and batches that are killed.

#![allow(missing_docs)]

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, SystemTime};

use base::Random;
use common::{Done, Folder, UNSAFE};
use serde_json::Value;

const SAFE: &str = "int main(void) { return 0; }\n";

fn definition(file: &str, verdict: bool) -> String {
    format!(
        "format_version: '2.0'\ninput_files: '{file}'\nproperties:\n  \
         - property_file: ../properties/unreach-call.prp\n    expected_verdict: {verdict}\n  \
         - property_file: ../properties/no-overflow.prp\n    expected_verdict: true\n\
         options:\n  language: C\n  data_model: ILP32\n"
    )
}

/// Two task definitions, one with the list of them.
fn folder() -> Folder {
    let folder = Folder::new();
    fs::create_dir(folder.path().join("loops")).expect("a folder");
    folder
        .with("loops/seven.c", UNSAFE)
        .with("loops/seven.yml", definition("seven.c", false))
        .with("loops/safe.c", SAFE)
        .with("loops/safe.yml", definition("safe.c", true))
        .with("Loops.set", "# all of them\nloops/*.yml\nnone/*.yml\n")
}

/// A tool file for the script that stands in for a tool.
fn tool(name: &str, arguments: &str) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tools/stand-in.sh");
    format!(
        "name = \"{name}\"\ncommand = [\"{}\", \"{{file}}\", {arguments}]\n\
         version = [\"/bin/echo\", \"stand-in 1.0\"]\n\
         environment = {{ TOOL_MOOD = \"calm\" }}\n\
         [data-model]\nILP32 = [\"-m\", \"32\"]\n\
         [[verdict]]\npattern = '^SAFE$'\nis = \"true\"\nexit = 0\n\
         [[verdict]]\npattern = '^UNSAFE$'\nis = \"false\"\n\
         [[verdict]]\npattern = '(?s)-m\\n32\\n--of=unreach-call\\n10\\ncalm'\nis = \"unknown\"\n\
         reason = \"heard all\"\n",
        script.display()
    )
}

fn results(folder: &Folder, out: &str) -> Vec<Value> {
    let text = folder.read(&format!("{out}/results.jsonl"));
    text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

/// What came of a task in a column.
fn result(folder: &Folder, out: &str, task: &str, column: &str) -> (String, String) {
    let all = results(folder, out);
    let found = all.iter().find(|one| one["task"] == task && one["configuration"] == column);
    let found = found.unwrap_or_else(|| panic!("{task} {column} in {all:?}"));
    let text = |name: &str| found[name].as_str().unwrap_or_default().to_owned();
    (text("status"), text("reason"))
}

fn run(folder: &Folder, line: &str) -> Done {
    folder.run(&line.split_whitespace().collect::<Vec<_>>())
}

#[test]
fn a_batch_is_run_and_shown() {
    let folder = folder();
    let line = "bench Loops.set --analysis auto,predicate --property unreach-call,no-overflow \
                --timelimit 60 --jobs 2 --out out";
    let done = run(&folder, line);
    assert_eq!(done.code, 0, "{} {}", done.out, done.err);
    let last = "batch: 8 runs, 8 solved, 0 wrong, 0 disagreements, 0 failed; see out/index.html";
    assert_eq!(done.last_line(), last);
    assert!(
        done.out.contains("auto                   7 points,     4 solved of 4"),
        "{}",
        done.out
    );
    assert!(done.err.contains("Loops.set:3: there is no none/*.yml"), "{}", done.err);
    assert!(done.err.contains("4 tasks, 2 columns, 8 runs to do"), "{}", done.err);
    common::formats::junit(&folder.read("out/junit.xml")).expect("a report for JUnit");
    let page = folder.read("out/index.html");
    assert!(page.contains("loops/safe.yml no-overflow") && page.contains("<svg"), "{page}");
    assert!(!page.contains("src=") && !page.contains("<link"), "the page needs nothing else");
    assert!(folder.read("out/tables.md").contains("| loops | predicate | 7 | 4 | 3 | 1 | 0 |"));
    for name in ["quantile", "heatmap", "scatter-1"] {
        assert!(folder.read(&format!("out/{name}.svg")).contains("</svg>"));
    }
    // What is there is neither repeated nor mixed with anything else.
    let again = run(&folder, line);
    assert_eq!(again.code, 64);
    assert!(again.err.contains("out has results already; --resume"), "{}", again.err);
    let resumed = run(&folder, &format!("{line} --resume"));
    assert!(resumed.err.contains("4 tasks, 2 columns, 0 runs to do"), "{}", resumed.err);
    assert_eq!(resumed.last_line(), last);
    let other = run(&folder, &format!("{} --resume", line.replace("60", "61")));
    assert_eq!(other.code, 64);
    assert!(other.err.contains("were measured with a time limit of 60 s"), "{}", other.err);
    let changed = "bench Loops.set --variant auto=--certify --timelimit 60 --out out --resume";
    let other = run(&folder, changed);
    assert!(other.err.contains("were measured with something else as auto"), "{}", other.err);
}

#[test]
fn command_lines_that_make_no_sense_are_refused() {
    let folder = folder().with("bad.toml", "command = [\"/bin/true\", \"{fiel}\"]\nverdict = []\n");
    for (line, code, said) in [
        ("bench", 64, "what is to be run? Name tasks"),
        ("bench loops", 64, "where do results go?"),
        ("bench nowhere --out o", 65, "nowhere"),
        ("bench Loops.set --out o --property fine", 64, "there is no property fine"),
        ("bench Loops.set --out o --analysis auto,auto", 64, "two columns have the name auto"),
        ("bench Loops.set --out o --configuration EXPL", 64, "are for suites"),
        ("bench Loops.set --out o --tool bad.toml", 64, "{fiel} stands for nothing"),
        ("bench Loops.set --out o --compare nowhere", 65, "run.json"),
        ("bench Loops.set --out o --category none", 64, "there is no category none"),
        ("bench --suite loops loops --tool bad.toml", 64, "cannot be used with"),
        ("bench --suite loops loops --engine slurm", 64, "cannot be used with"),
        ("bench Loops.set --out o --prune full", 64, "--suite"),
        (
            "bench Loops.set --out o --variant a=--analysis=none",
            64,
            "the variant a: invalid value 'none'",
        ),
    ] {
        let done = run(&folder, line);
        assert_eq!(done.code, code, "{line}: {}", done.err);
        assert!(done.err.contains(said), "{line}: {}", done.err);
    }
    assert!(!folder.path().join("o").exists(), "nothing was begun");
}

/// A column says how tasks are checked; what is asked, within which limits, and where results go is said once for all.
#[test]
fn variants_that_meddle_with_the_batch_are_refused() {
    let folder = folder();
    let limits = "cannot be used here: the limits are those of the batch";
    let asked = "cannot be used here: what is asked is the same in all columns";
    let form = "cannot be used here: the batch reads what its runs write";
    let place = "cannot be used here: all tasks would write to the same place";
    for (options, option, why) in [
        ("--timelimit 1s", "--timelimit", limits),
        ("--cputimelimit=1s", "--cputimelimit", limits),
        ("--memlimit 1GB", "--memlimit", limits),
        ("--report-budget 1s", "--report-budget", limits),
        ("--property no-overflow", "--property", asked),
        ("--spec loops/p.prp", "--spec", asked),
        ("--check none", "--check", asked),
        ("--format json", "--format", form),
        ("--stats", "--stats", form),
        ("--output-dir there", "--output-dir", place),
        ("--log there.jsonl", "--log", place),
        ("--analysis bmc other.c", "other.c", "is no option; the programs are those of the tasks"),
        ("-- --analysis", "--analysis", "is no option; the programs are those of the tasks"),
        ("--help", "help and the version", "are no options of a run"),
    ] {
        let variant = format!("a={options}");
        let done = folder.run(&["bench", "Loops.set", "--out", "o", "--variant", &variant]);
        assert_eq!(done.code, 64, "{options}: {}", done.err);
        let said = format!("error: the variant a: {option} {why}");
        assert!(done.err.contains(&said), "{options}: {}", done.err);
    }
    let done = folder.run(&["bench", "Loops.set", "--out", "o", "--variant", "a=-D 'A=1"]);
    assert_eq!(done.code, 64, "{}", done.err);
    assert!(done.err.contains("the quote ' is not closed"), "{}", done.err);
    assert!(!folder.path().join("o").exists(), "nothing was begun");
}

/// Words with spaces, options with one dash as compilers have them, and an option that the batch gives to all others.
/// Options without effect are told of before the first run, and a column that no program agrees with is no success.
#[test]
fn variants_that_come_to_nothing_are_told_of() {
    let folder = folder().with("plain.c", SAFE);
    let run = |variant: &str, out: &str| {
        folder.run(&["bench", "plain.c", "--timelimit", "60", "--out", out, "--variant", variant])
    };
    let done = run("a=--analysis value --strategy arg", "one");
    assert_eq!(done.code, 0, "{}", done.err);
    let said = "warning: the variant a: --strategy has no effect with --analysis value\n1 task, 1 column, 1 run to do\n";
    assert!(done.err.contains(said), "{}", done.err);
    let done = run("a=--entry-function none", "two");
    assert_eq!(done.code, 20, "{}", done.err);
    assert!(done.err.contains("error: every run of a was refused: "), "{}", done.err);
}

#[test]
fn a_task_that_expects_two_verdicts_is_left_out() {
    let properties = "  - property_file: unreach-call.prp\n    expected_verdict: ";
    let task = format!(
        "format_version: '2.0'\ninput_files: plain.c\nproperties:\n{properties}true\n{properties}false\n"
    );
    let folder = folder().with("plain.c", SAFE).with("two.yml", task);
    let done = run(&folder, "bench two.yml --out out");
    assert_eq!(done.code, 65, "{}", done.err);
    let place = "7:23: above, another verdict is expected for unreach-call.prp\n";
    assert!(done.err.contains(place), "{}", done.err);
    let done = run(&folder, "check two.yml --property unreach-call");
    assert_eq!(done.code, 65, "{}", done.err);
    assert!(done.err.contains("two.yml:7:23"), "{}", done.err);
}

#[test]
fn variants_have_options_of_their_own() {
    let folder =
        Folder::new().with("plain.c", "int main(void) { char a[] = WORDS; return a[0]; }\n");
    let variant = "own=-D 'WORDS=\"a b\"' -std=c99 --solver=builtin";
    let arguments = ["bench", "plain.c", "--timelimit", "60", "--out", "out", "--variant", variant];
    let done = folder.run(&arguments);
    assert_eq!(done.code, 0, "{} {}", done.out, done.err);
    assert_eq!(result(&folder, "out", "plain.c", "own").0, "answered");
}

/// Another tool is a column like others: same tasks, same limits, task by task.
#[test]
fn tools_are_columns() {
    let folder = folder()
        .with("loops/words.c", "// words\nint main(void) { return 0; }\n")
        .with("loops/words.yml", definition("words.c", true))
        .with("loops/crashes.c", "// crashes\nint main(void) { return 0; }\n")
        .with("loops/crashes.yml", definition("crashes.c", true))
        .with("loops/model.cfa", "main process p { init loc A final loc B error loc E A -> B { } }")
        .with("fake.toml", tool("fake", r#""{data-model}", "--of={property}", "{timelimit}""#));
    let done = run(&folder, "bench loops --tool fake.toml --timelimit 10 --out out");
    // The tool crashed, and calls what is unsafe safe.
    assert_eq!(done.code, 10, "{} {}", done.out, done.err);
    assert!(done.out.starts_with("WRONG VERDICT: seven.yml: fake says TRUE, expected is FALSE\n"));
    let is = |task: &str| result(&folder, "out", task, "fake");
    assert_eq!(is("safe.yml").0, "answered");
    assert_eq!(is("words.yml"), ("unknown".to_owned(), "heard all".to_owned()));
    assert_eq!(is("crashes.yml"), ("error".to_owned(), "ended by signal 11".to_owned()));
    // What those have written that crashed or were wrong is kept, and nothing else.
    assert!(folder.read("out/logs/seven.yml fake.txt").contains("Standard output:\nSAFE\n"));
    let logs = fs::read_dir(folder.path().join("out/logs")).expect("a folder");
    assert_eq!(logs.count(), 2);
    let all = results(&folder, "out");
    // The tool reads C only; the model is for Proviso alone.
    assert_eq!(all.len(), 9);
    let columns: Vec<&str> =
        all.iter().filter_map(|one| one["configuration"].as_str()).take(8).collect();
    assert!(columns.chunks(2).any(|pair| pair == ["auto", "fake"]), "{columns:?}");
    assert!(folder.read("out/run.json").contains("stand-in 1.0"));
    // Another version of the tool has other results.
    let changed = folder.read("fake.toml").replace("stand-in 1.0", "stand-in 2.0");
    let folder = folder.with("fake.toml", changed);
    let resumed = run(&folder, "bench loops --tool fake.toml --timelimit 10 --out out --resume");
    assert!(resumed.err.contains("with something else as fake"), "{}", resumed.err);
}

/// Answers in the words of a tool: for a task whose name has SAFE in it the first, for others the second.
fn speaker(safe: &str, unsafe_: &str, code: u8) -> String {
    format!(
        "#!/bin/sh\ncase \"$*\" in *--version*) echo 1.2.3; exit 0 ;; esac\n\
         case \"$*\" in *safe*) echo '{safe}'; exit 0 ;; *) echo '{unsafe_}'; exit {code} ;; esac\n"
    )
}

/// The files of `examples/tools` on programs that say what these tools say.
#[test]
fn example_tools_are_understood() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    fs::create_dir(folder.path().join("bin")).expect("a folder");
    let result = |word: &str| format!("Verification result: {word}. More words.");
    let folder = folder
        .with("bin/cbmc", speaker("VERIFICATION SUCCESSFUL", "VERIFICATION FAILED", 10))
        .with("bin/esbmc", speaker("VERIFICATION SUCCESSFUL", "VERIFICATION FAILED", 1))
        .with("bin/cpachecker", speaker(&result("TRUE"), &result("FALSE"), 0))
        .with("bin/java", speaker("(SafetyResult Safe (Arg))", "(SafetyResult Unsafe (Trace))", 0))
        .with("loops/safe.cfa", "main process p { init loc A final loc B error loc E A -> B { } }");
    for name in ["cbmc", "esbmc", "cpachecker", "java"] {
        let path = folder.path().join("bin").join(name);
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("a program");
    }
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/tools");
    let files = ["cbmc", "esbmc", "cpachecker", "theta"]
        .map(|name| examples.join(format!("{name}.toml")).display().to_string());
    let mut arguments = vec!["bench", "loops", "--timelimit", "10", "--out", "out"];
    for file in &files {
        arguments.extend(["--tool", file]);
    }
    let path = std::env::var("PATH").expect("PATH");
    let mut command = folder.command(&arguments);
    command.env("PATH", format!("{}:{path}", folder.path().join("bin").display()));
    let output = command.output().expect("the binary");
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{out} {}", String::from_utf8_lossy(&output.stderr));
    // Three tools read C and one models; all agree with Proviso.
    assert!(out.contains("batch: 10 runs, 10 solved, 0 wrong, 0 disagreements, 0 failed"), "{out}");
}

#[test]
fn results_are_compared_with_earlier_ones() {
    let folder = folder().with("fake.toml", tool("fake", ""));
    let line = "bench Loops.set --tool fake.toml --timelimit 10 --out";
    assert_eq!(run(&folder, &format!("{line} before")).code, 10);
    // Before, the answer was there; now it is not, and another one is wrong no longer.
    let folder = folder
        .with("loops/safe.c", format!("// crashes\n{SAFE}"))
        .with("loops/seven.c", format!("// unsafe\n{UNSAFE}"));
    let done = run(&folder, &format!("{line} now --compare before"));
    let lost = "REGRESSION: loops/safe.yml: fake lost: TRUE -> error: ";
    assert!(done.out.starts_with(lost), "{}", done.out);
    assert!(done.last_line().contains(", 1 regressions; see now/index.html"), "{}", done.out);
    let page = folder.read("now/tables.md");
    let lost = page.find("| lost (the program is another) | fake | loops/safe.yml |").expect(&page);
    let righted = page
        .find("| no longer wrong (the program is another) | fake | loops/seven.yml |")
        .expect(&page);
    assert!(lost < righted, "{page}");
}

/// A page that somebody has made stays, whether it is like a picture of a batch or like one of a suite.
#[test]
fn pictures_of_others_are_not_overwritten() {
    for (picture, line) in [
        ("scatter-1.svg", "bench Loops.set --analysis auto,bmc --out out"),
        ("figure-3.svg", "bench --suite explicit . --out out"),
        ("quantile-all.svg", "bench --suite product . --out out"),
    ] {
        let folder = Folder::new();
        for name in ["locks", "out"] {
            fs::create_dir(folder.path().join(name)).expect("a folder");
        }
        let folder = folder
            .with("locks/safe.c", SAFE)
            .with("Loops.set", "locks/*.c\n")
            .with(&format!("out/{picture}"), "mine");
        let done = run(&folder, line);
        assert_eq!(done.code, 64, "{line}: {}", done.err);
        let said = format!("out/{picture} is there, and is not of an earlier run");
        assert!(done.err.contains(&said), "{line}: {}", done.err);
        assert_eq!(folder.read(&format!("out/{picture}")), "mine");
    }
}

/// A property is what its file says, and not how the file is called, wherever the file may be read.
#[test]
fn properties_are_what_their_files_say() {
    const OVERFLOW: &str = "CHECK( init(main()), LTL(G ! overflow) )\n";
    let mut folder = folder();
    fs::create_dir(folder.path().join("properties")).expect("a folder");
    fs::create_dir(folder.path().join("headers")).expect("a folder");
    // In the folder of the task the file is always read.
    let own =
        definition("safe.c", true).replace("../properties/unreach-call.prp", "unreach-call.prp");
    folder = folder
        .with("properties/unreach-call.prp", OVERFLOW)
        .with("loops/unreach-call.prp", OVERFLOW)
        .with("loops/own.yml", own)
        .with("headers/answer.h", "#define ANSWER 42\n")
        .with("plain.c", "#include \"answer.h\"\nint main(void) { return ANSWER - 42; }\n");
    let done = run(&folder, "bench loops/safe.yml loops/own.yml --timelimit 60 --out named");
    assert!(done.err.contains("1 task, 1 column, "), "{}", done.err);
    assert!(
        done.err.contains("own.yml is left out: it says nothing about unreach-call"),
        "{}",
        done.err
    );
    let said = "outside the folders of their tasks are taken by their names (1 of them)";
    assert!(done.err.contains(said), "{}", done.err);
    // Another folder is read where somebody allows it.
    let done = run(&folder, "bench loops/safe.yml -I properties --out none");
    assert_eq!(done.code, 65, "{}", done.err);
    assert!(
        done.err.contains("safe.yml is left out: it says nothing about unreach-call"),
        "{}",
        done.err
    );
    let done = run(&folder, "bench plain.c -I headers --timelimit 60 --out plain");
    assert_eq!(done.code, 0, "{} {}", done.out, done.err);
    assert_eq!(result(&folder, "plain", "plain.c", "auto").0, "answered");
    let done = run(&folder, "bench plain.c -I nowhere --out o");
    assert_eq!(done.code, 64, "{}", done.err);
}

/// Names of files may have any characters; tables have none that do something else than to be shown.
#[test]
fn strange_names_are_shown_as_they_are() {
    let name = "\u{1b}[31m<b>,a|b.c";
    let folder = Folder::new();
    fs::create_dir(folder.path().join("loops")).expect("a folder");
    // A program that is not read has its name in the list of those that are not answered.
    let folder = folder.with(&format!("loops/{name}"), "int main(void) { return }\n");
    let done = run(&folder, "bench loops --timelimit 60 --out batch");
    assert!(done.err.contains("1 run to do"), "{}", done.err);
    let done = run(&folder, "bench --suite loops . --out suite");
    assert!(done.last_line().starts_with("loops: 2 runs, 0 solved"), "{} {}", done.out, done.err);
    for out in ["batch", "suite"] {
        let table = folder.read(&format!("{out}/results.csv"));
        assert!(!table.contains('\u{1b}') && table.contains("\\u001b[31m<b>,a|b.c\""), "{table}");
    }
    let page = folder.read("suite/tables.md");
    assert!(page.contains("- loops/\\u001b[31m&lt;b>,a|b.c: "), "{page}");
}

/// Processes that are there, by what their command line has in it.
fn processes(part: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").expect("processes").flatten() {
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        if line.contains(part) {
            found.push(line);
        }
    }
    found
}

/// Whatever a task does, its limits hold, nothing of it is left, and the batch goes on.
#[test]
fn tasks_that_misbehave_are_kept_within_limits() {
    for option in ["", "--no-cgroups", "--no-cgroups --jobs 3"] {
        let mut folder = Folder::new().with("fake.toml", tool("fake", ""));
        fs::create_dir(folder.path().join("tasks")).expect("a folder");
        for name in ["forks", "eats", "stubborn", "chatty", "leaves", "plain"] {
            let text = format!("// {name}\n{SAFE}");
            folder = folder.with(&format!("tasks/{name}.c"), text);
        }
        let mut arguments = vec!["bench", "tasks", "--tool", "fake.toml", "--timelimit", "3"];
        arguments.extend(["--walltimelimit", "300", "--memlimit", "500", "--out", "out"]);
        arguments.extend(option.split_whitespace());
        let done = folder.run(&arguments);
        assert_eq!(done.code, 0, "{} {}", done.out, done.err);
        let is = |name: &str| result(&folder, "out", &format!("{name}.c"), "fake").0;
        assert_eq!(is("forks"), "time-limit", "{option}");
        assert_eq!(is("eats"), "memory-limit", "{option}");
        assert_eq!(is("stubborn"), "time-limit", "{option}");
        for name in ["chatty", "leaves", "plain"] {
            assert_eq!(is(name), "answered", "{option} {name}");
        }
        let left = processes(&folder.path().display().to_string());
        assert_eq!(left, Vec::<String>::new(), "{option}");
    }
}

/// A batch of programs, one after the other, that is ended at once now and then.
#[test]
fn a_batch_that_is_killed_goes_on_where_it_was() {
    let mut folder = Folder::new();
    let here = folder.path().display().to_string();
    folder = folder.with("fake.toml", tool("fake", &format!("\"{here}\"")));
    fs::create_dir(folder.path().join("tasks")).expect("a folder");
    // Enough for three kills, each at most 700 ms after there are results.
    let count = 60;
    for number in 0..count {
        let program = if number % 3 == 0 { UNSAFE } else { SAFE };
        let text = format!("// slow\n{program}");
        folder = folder.with(&format!("tasks/{number}.c"), text);
    }
    let line = "bench tasks --tool fake.toml --timelimit 60 --jobs 2 --out";
    let seed = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("a time");
    let mut random = Random::new(u64::from(seed.subsec_nanos()));
    let mut kills = 0;
    while kills < 3 {
        let resume = if kills == 0 { "killed" } else { "killed --resume" };
        let arguments = format!("{line} {resume}");
        let mut command = folder.command(&arguments.split_whitespace().collect::<Vec<_>>());
        let mut child =
            command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the binary");
        // On a machine that is busy, it takes its time until something is written that a kill can tear.
        while !folder.path().join("killed/results.jsonl").exists() {
            assert!(child.try_wait().expect("a child").is_none(), "it ended without a result");
            std::thread::sleep(Duration::from_millis(10));
        }
        std::thread::sleep(Duration::from_millis(random.next() % 700));
        assert!(child.try_wait().expect("a child").is_none(), "it ended before it was killed");
        child.kill().expect("a child that is there");
        child.wait().expect("a child");
        kills += 1;
    }
    let torn = folder.read("killed/results.jsonl");
    assert!(torn.lines().count() < 2 * count, "nothing is left to be done");
    let done = run(&folder, &format!("{line} killed --resume"));
    // The stand-in calls everything safe, so there are disagreements.
    assert_eq!(done.code, 10, "{} {}", done.out, done.err);
    let started = folder.read("started").lines().count();
    // Only what ran when the batch was killed is run again.
    assert!((count..=count + 2 * kills).contains(&started), "{started} starts of {count}");
    assert_eq!(run(&folder, &format!("{line} whole")).code, 10);
    let table = |out: &str| {
        let key = |one: &Value| {
            ["task", "configuration", "status", "verdict"].map(|name| one[name].to_string())
        };
        let lines: Vec<_> = results(&folder, out).iter().map(key).collect();
        assert_eq!(lines.len(), 2 * count, "{out}");
        let set: BTreeSet<_> = lines.into_iter().collect();
        assert_eq!(set.len(), 2 * count, "{out}: some are there twice");
        set
    };
    assert_eq!(table("killed"), table("whole"), "seed {seed:?}");
    let lines = folder.read("killed/results.csv").lines().count();
    assert_eq!(lines, 2 * count + 1);
}

/// What a killed batch has left behind ends before the next one begins, and two do not share a folder.
#[test]
fn what_a_killed_batch_left_behind_ends() {
    let folder = Folder::new().with("fake.toml", tool("fake", ""));
    fs::create_dir(folder.path().join("tasks")).expect("a folder");
    let folder = folder.with("tasks/stubborn.c", format!("// stubborn\n{SAFE}"));
    // The run must still be there when a slow machine has come to the second batch.
    let line = "bench tasks --tool fake.toml --timelimit 10 --walltimelimit 600 --out out";
    let mut command = folder.command(&line.split_whitespace().collect::<Vec<_>>());
    let mut child =
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the binary");
    let part = folder.path().join("tasks/stubborn.c").display().to_string();
    let there = || processes(&part).iter().any(|line| line.contains("stand-in.sh"));
    for _ in 0..3000 {
        if there() {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let other = run(&folder, &format!("{line} --resume"));
    assert!(other.err.contains("another process adds results to out"), "{}", other.err);
    child.kill().expect("a child that is there");
    child.wait().expect("a child");
    assert!(there(), "it goes on without the batch");
    let done = run(&folder, &format!("{line} --resume"));
    assert_eq!(done.code, 0, "{} {}", done.out, done.err);
    assert_eq!(result(&folder, "out", "stubborn.c", "fake").0, "time-limit");
    assert!(!there());
}
