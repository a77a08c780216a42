//! `proviso bench --engine slurm` on a real Slurm: a controller and two nodes on this machine, one of which is lost in
//! the middle. Passed over, with a message, where Slurm is not installed.

#![allow(missing_docs, clippy::print_stderr)]

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use common::Folder;
use serde_json::Value;

/// A cluster that ends with the test.
struct Cluster(PathBuf);

impl Cluster {
    fn start(folder: &Folder) -> Self {
        let cluster = Self(folder.path().join("cluster"));
        cluster.tell(&["start"]);
        cluster
    }

    fn tell(&self, words: &[&str]) {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/slurm/cluster.sh");
        let mut command = Command::new(script);
        command.arg(words[0]).arg(&self.0).args(&words[1..]);
        // The daemons would keep pipes open.
        let log = fs::File::create(self.0.with_extension("log")).expect("a file");
        command.stdout(Stdio::null()).stderr(log);
        let done = command.status().expect("the script").success();
        let said = fs::read_to_string(self.0.with_extension("log")).unwrap_or_default();
        assert!(done || words[0] == "stop", "{words:?}: {said}");
    }

    fn conf(&self) -> PathBuf {
        self.0.join("slurm.conf")
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.tell(&["stop"]);
    }
}

fn is_installed() -> bool {
    let places = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&places).collect();
    folders.push("/usr/sbin".into());
    let has = |name: &str| folders.iter().any(|folder| folder.join(name).is_file());
    ["munged", "slurmctld", "slurmd", "sbatch", "squeue"].into_iter().all(has)
}

fn results(folder: &Folder) -> Vec<Value> {
    let text = fs::read_to_string(folder.path().join("out/results.jsonl")).unwrap_or_default();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

#[test]
fn a_lost_node_and_a_killed_collector_lose_nothing() {
    if !is_installed() {
        eprintln!("Slurm is not installed: batches on a cluster are not tested");
        return;
    }
    if !rustix::process::geteuid().is_root() {
        eprintln!("only root can start nodes of Slurm: batches on a cluster are not tested");
        return;
    }
    let mut folder = Folder::new();
    let here = folder.path().display().to_string();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tools/stand-in.sh");
    folder = folder.with(
        "fake.toml",
        format!(
            "command = [\"{}\", \"{{file}}\", \"{here}\"]\n[[verdict]]\npattern = '^SAFE$'\nis = \"true\"\n",
            script.display()
        ),
    );
    fs::create_dir(folder.path().join("tasks")).expect("a folder");
    let count = 10;
    for number in 0..count {
        let text = "// waits\nint main(void) { return 0; }\n";
        folder = folder.with(&format!("tasks/{number}.c"), text);
    }
    let cluster = Cluster::start(&folder);
    let words = "bench tasks --tool fake.toml --engine slurm --chunk 2 --timelimit 60 --memlimit 1000 --out out";
    let command = |more: &[&str]| {
        let words: Vec<&str> = words.split_whitespace().chain(more.iter().copied()).collect();
        let mut command = folder.command(&words);
        command.env("SLURM_CONF", cluster.conf());
        command
    };
    let mut first =
        command(&[]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the binary");
    // Both nodes have something to do; then one is gone, and the one who waits for results as well.
    let on_second = || {
        let started = fs::read_to_string(folder.path().join("started")).unwrap_or_default();
        started.lines().filter(|node| *node == "n2").count()
    };
    for _ in 0..1200 {
        if on_second() >= 1 {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(on_second() >= 1, "the second node has nothing to do");
    cluster.tell(&["lose", "n2"]);
    std::thread::sleep(Duration::from_secs(1));
    assert!(first.try_wait().expect("a child").is_none(), "it waits for results");
    first.kill().expect("a child that is there");
    first.wait().expect("a child");
    assert!(results(&folder).len() < 2 * count);
    let output = command(&["--resume"]).output().expect("the binary");
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{out} {err}");
    assert!(out.contains("batch: 20 runs, 20 solved, 0 wrong"), "{out} {err}");
    let all = results(&folder);
    let keys: BTreeSet<String> =
        all.iter().map(|one| format!("{} {}", one["task"], one["configuration"])).collect();
    assert_eq!((all.len(), keys.len()), (2 * count, 2 * count), "none lost, none twice");
    // What the node had not done went into a second array.
    assert!(folder.path().join("out/slurm/2/plan.json").exists(), "{err}");
    let started = folder.read("started");
    let (starts, lost) = (started.lines().count(), on_second());
    assert!(starts > count && starts <= count + lost, "{starts} starts, {lost} on the lost node");
}
