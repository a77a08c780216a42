//! Which tasks the words of a command line name.

#![allow(missing_docs)]

use std::fs;
use std::path::PathBuf;

use proviso_bench::runner::{NotASet, collect};

/// A folder that goes away with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("proviso-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder for the test");
        Self(fs::canonicalize(path).expect("a folder for the test"))
    }

    fn with(self, name: &str, text: &str) -> Self {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file for the test");
        self
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn definition(file: &str) -> String {
    format!(
        "format_version: '2.0'\ninput_files: '{file}'\nproperties:\n  - property_file: ../p/unreach-call.prp\n    \
         expected_verdict: true\n  - property_file: ../p/valid-memsafety.prp\n    expected_verdict: false\n    \
         subproperty: valid-free\noptions:\n  language: C\n  data_model: LP64\n"
    )
}

fn folder(name: &str) -> Folder {
    Folder::new(name)
        .with("c/loops/a.c", "")
        .with("c/loops/a.yml", &definition("a.c"))
        .with("c/loops/alone.c", "")
        .with("c/lists/a.c", "")
        .with("c/lists/a.yml", &definition("a.c"))
        .with("c/broken.yml", "nothing")
        .with("c/Loops.set", "# patterns\nloops/*.yml  # and a comment\n\nloops/a.*\ngone/*.yml\n")
        .with(
            "list.tsv",
            "fam\tc/loops/alone.c\tunreach-call\tfalse\tILP32\nfam\tc/gone.c\tunreach-call\ttrue\n",
        )
}

/// What is found, in lines.
fn found(folder: &Folder, sets: &[&str], properties: &[&str]) -> (Vec<String>, Vec<String>) {
    let sets: Vec<PathBuf> = sets.iter().map(|set| folder.0.join(set)).collect();
    let properties: Vec<String> = properties.iter().map(|name| (*name).to_owned()).collect();
    let found = collect(&sets, &properties, &[]).unwrap_or_else(|refused| panic!("{refused}"));
    let line = |task: &proviso_bench::runner::Task| {
        let words = [
            task.name.clone(),
            task.category.clone(),
            format!("{:?}", task.expected),
            task.property.clone().unwrap_or_default(),
            task.violated.clone().unwrap_or_default(),
            format!("{}", task.inputs.len()),
        ];
        words.join("|")
    };
    (found.tasks.iter().map(line).collect(), found.notes)
}

#[test]
fn lists_have_patterns_and_tasks_are_there_once() {
    let folder = folder("lists");
    let (tasks, notes) = found(&folder, &["c/Loops.set", "c/loops/a.yml"], &["unreach-call"]);
    assert_eq!(tasks, ["loops/a.yml|loops|Some(true)|unreach-call||1"]);
    assert_eq!(notes, ["Loops.set:5: there is no gone/*.yml"]);
}

#[test]
fn each_property_is_a_task() {
    let folder = folder("properties");
    let wanted = ["unreach-call", "valid-memsafety"];
    let (tasks, _) = found(&folder, &["c/loops/a.yml"], &wanted);
    assert_eq!(
        tasks,
        [
            "a.yml|loops|Some(true)|unreach-call||1",
            "a.yml valid-memsafety|loops|Some(false)|valid-memsafety|valid-free|1",
        ]
    );
    let (tasks, notes) = found(&folder, &["c/loops/a.yml"], &["no-overflow"]);
    assert_eq!(tasks, Vec::<String>::new());
    assert_eq!(notes, ["a.yml is left out: it says nothing about no-overflow"]);
}

/// A program that a definition names is no task of its own; of two tasks with one name, one is renamed.
#[test]
fn folders_and_names() {
    let folder = folder("folders");
    let (tasks, notes) = found(&folder, &["c"], &["unreach-call"]);
    assert_eq!(
        tasks,
        [
            "lists/a.yml|lists|Some(true)|unreach-call||1",
            "loops/a.yml|loops|Some(true)|unreach-call||1",
            "loops/alone.c|loops|None|unreach-call||0",
        ]
    );
    assert_eq!(
        notes,
        ["broken.yml is not a task definition that can be used: 1:1: expected mapping start"]
    );
    let (tasks, _) = found(&folder, &["c/loops/a.yml", "c/lists/a.yml"], &["unreach-call"]);
    assert_eq!(
        tasks,
        ["a.yml|loops|Some(true)|unreach-call||1", "lists/a.yml|lists|Some(true)|unreach-call||1",]
    );
}

#[test]
fn manifests_have_answers() {
    let folder = folder("manifests");
    let (tasks, notes) = found(&folder, &["list.tsv"], &["unreach-call"]);
    assert_eq!(tasks, ["c/loops/alone.c|fam|Some(false)|unreach-call||0"]);
    assert_eq!(notes, ["list.tsv: 1 files are not there"]);
    assert!(found(&folder, &["list.tsv"], &["no-overflow"]).0.is_empty());
}

#[test]
fn other_files_are_refused() {
    let folder = folder("others").with("notes.txt", "");
    let refused = |name: &str| collect(&[folder.0.join(name)], &[], &[]).expect_err("no set");
    assert!(matches!(refused("notes.txt"), NotASet::Other(..)));
    assert!(matches!(refused("nowhere.set"), NotASet::System(..)));
}

/// A property file may have any name; what it says counts, if the task may read it.
#[test]
fn properties_are_known_by_what_they_say() {
    let unreach = "CHECK( init(main()), LTL(G ! call(reach_error())) )";
    let definition = |file: &str| definition("a.c").replace("../p/unreach-call.prp", file);
    let folder = Folder::new("own-names")
        .with("c/a.c", "")
        .with("c/own.prp", unreach)
        .with("c/other.prp", "CHECK( init(main()), LTL(G ! call(mine())) )")
        .with("loc.prp", unreach)
        .with("c/own.yml", &definition("own.prp"))
        .with("c/other.yml", &definition("other.prp"))
        .with("c/outside.yml", &definition("../loc.prp"));
    let (tasks, _) = found(&folder, &["c/own.yml"], &["unreach-call"]);
    assert_eq!(tasks, ["own.yml|c|Some(true)|unreach-call||1"]);
    let (tasks, notes) = found(&folder, &["c/other.yml"], &["unreach-call"]);
    assert_eq!(
        (tasks.len(), &notes[..]),
        (0, &["other.yml is left out: it says nothing about unreach-call".to_owned()][..])
    );
    let (tasks, notes) = found(&folder, &["c/outside.yml"], &["unreach-call"]);
    assert_eq!(tasks.len(), 0);
    assert!(notes[0].ends_with("loc.prp is not in the folder of the task"), "{notes:?}");
}
