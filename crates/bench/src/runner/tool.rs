//! Other programs as columns of the results: a file for each says how it is started and what its
//! answers look like.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use frontend::DataModel;
use frontend::task::Property;
use regex_lite::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};

use super::process::{Job, Limits, Measured};
use super::{Record, Status, Task, check};

/// Another program that checks models.
#[derive(Clone, Debug)]
pub struct Tool {
    /// Its name in tables.
    pub name: String,
    /// What the program says of its version, or the path of the program if the tool file has no command for the
    /// version.
    pub version: String,
    program: PathBuf,
    /// The folder of the tool file.
    here: PathBuf,
    file: ToolFile,
    verdicts: Vec<(Regex, Verdict)>,
}

/// The text of a tool file.
#[derive(Serialize, Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct ToolFile {
    name: Option<String>,
    /// The program and its arguments, with placeholders.
    command: Vec<String>,
    /// A command whose first line is the version.
    #[serde(default)]
    version: Vec<String>,
    /// Endings of files that the program reads; C if nothing is said.
    #[serde(default = "c")]
    endings: BTreeSet<String>,
    /// What `{data-model}` stands for, by data model.
    #[serde(default)]
    data_model: BTreeMap<String, Vec<String>>,
    /// What `{property}` stands for, by property; tasks with other properties are left out. Without this table
    /// `{property}` stands for the name of the property.
    #[serde(default)]
    property: BTreeMap<String, Vec<String>>,
    /// Variables in the environment of the program.
    #[serde(default)]
    environment: BTreeMap<String, String>,
    verdict: Vec<Verdict>,
}

/// What a text in the output means.
#[derive(Serialize, Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
struct Verdict {
    /// A regular expression; `^` and `$` are the ends of lines.
    pattern: String,
    is: Meaning,
    /// Why there is no answer.
    #[serde(default)]
    reason: String,
    /// The exit code that must come with the text.
    exit: Option<i32>,
}

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
enum Meaning {
    True,
    False,
    Unknown,
    OutOfMemory,
    Timeout,
    Input,
    Error,
}

/// Why a tool file cannot be used.
#[derive(Debug)]
pub struct NotATool {
    file: PathBuf,
    why: String,
}

impl fmt::Display for NotATool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file.display(), self.why)
    }
}

fn c() -> BTreeSet<String> {
    ["c", "i"].map(str::to_owned).into()
}

/// How long a program may take to say its version.
const VERSION_TIME: Duration = Duration::from_secs(60);

/// What virtual machines reserve and do not use.
const RESERVED: u64 = 64 << 30;

impl Tool {
    /// Reads a tool file, and asks the program for its version.
    ///
    /// # Errors
    /// If the file says something else, or the program is not there.
    pub fn read_file(path: &Path) -> Result<Self, NotATool> {
        let refuse = |why: String| NotATool { file: path.to_owned(), why };
        let text = fs::read_to_string(path).map_err(|error| refuse(error.to_string()))?;
        let file: ToolFile = toml::from_str(&text).map_err(|error| refuse(error.to_string()))?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let name = file.name.clone().unwrap_or(stem);
        let [first, ..] = file.command.as_slice() else {
            return Err(refuse("the command is empty".to_owned()));
        };
        let program = locate(first, path).ok_or_else(|| refuse(format!("there is no {first}")))?;
        let mut verdicts = Vec::new();
        for verdict in &file.verdict {
            let pattern = RegexBuilder::new(&verdict.pattern).multi_line(true).crlf(true).build();
            verdicts.push((pattern.map_err(|error| refuse(error.to_string()))?, verdict.clone()));
        }
        if let Some(word) = file.command.iter().find_map(|word| unknown_placeholder(word)) {
            let known = PLACEHOLDERS.map(|name| format!("{{{name}}}")).join(", ");
            return Err(refuse(format!("{{{word}}} stands for nothing; there are {known}")));
        }
        let here = fs::canonicalize(path).map_err(|error| refuse(error.to_string()))?;
        let here = here.parent().unwrap_or(Path::new("/")).to_owned();
        let version = match file.version.split_first() {
            None => program.display().to_string(),
            Some((first, rest)) => {
                let asked = locate(first, path).unwrap_or_else(|| program.clone());
                let rest = rest.iter().map(|word| word.replace("{here}", &here.to_string_lossy()));
                first_line(&asked, &rest.collect::<Vec<_>>(), &file.environment)
                    .map_err(|error| refuse(format!("its version: {error}")))?
            }
        };
        Ok(Self { name, version, program, here, file, verdicts })
    }

    /// Whether the program can be asked about a task: it reads the language, and knows the property.
    #[must_use]
    pub fn takes(&self, task: &Task) -> bool {
        let known = |file: &PathBuf| {
            let ending = file.extension().unwrap_or_default().to_string_lossy();
            self.file.endings.contains(ending.as_ref())
        };
        let property = task.property.as_deref().unwrap_or("unreach-call");
        task.programs().iter().all(known)
            && (self.file.property.is_empty() || self.file.property.contains_key(property))
    }

    /// A text that tells this column from others: the version of the program, and all of the tool file.
    #[must_use]
    pub fn description(&self) -> String {
        let file = serde_json::to_string(&self.file).unwrap_or_default();
        format!("{}; {file}", self.version)
    }

    /// The command for a task, in a folder of its own.
    pub(super) fn job(&self, task: &Task, limits: Limits, folder: &Path) -> Job {
        let arguments = self.file.command[1..].iter();
        let arguments = arguments.flat_map(|word| self.fill(word, task, &limits, folder)).collect();
        let mut job = Job {
            program: self.program.clone(),
            arguments,
            limits,
            reserved: RESERVED,
            folder: Some(folder.to_owned()),
        };
        if !self.file.environment.is_empty() {
            let mut all: Vec<OsString> = self
                .file
                .environment
                .iter()
                .map(|(key, value)| format!("{key}={value}").into())
                .collect();
            all.push(job.program.clone().into());
            all.append(&mut job.arguments);
            (job.program, job.arguments) = ("/usr/bin/env".into(), all);
        }
        job
    }

    /// What a word of the command stands for. A word that is a placeholder alone may stand for several
    /// words, or for none.
    fn fill(&self, word: &str, task: &Task, limits: &Limits, folder: &Path) -> Vec<OsString> {
        let property = task.property.as_deref().unwrap_or("unreach-call");
        let model = match task.model {
            Some(DataModel::Ilp32) => "ILP32",
            Some(DataModel::Lp64) => "LP64",
            None => "",
        };
        match word {
            "{files}" => return task.programs().iter().map(OsString::from).collect(),
            "{data-model}" => {
                let words = self.file.data_model.get(model);
                return words.into_iter().flatten().map(OsString::from).collect();
            }
            "{property}" if !self.file.property.is_empty() => {
                let words = self.file.property.get(property);
                return words
                    .into_iter()
                    .flatten()
                    .flat_map(|word| self.fill(word, task, limits, folder))
                    .collect();
            }
            _ => {}
        }
        let file = task.programs().first().unwrap_or(&task.file).display().to_string();
        let mut filled = word.to_owned();
        if word.contains("{property-file}") {
            let path = folder.join(format!("{property}.prp"));
            let text = Property::named(property).map(|property| property.text).unwrap_or_default();
            // A tool that cannot read the file says so.
            let _ = fs::write(&path, text + "\n");
            filled = filled.replace("{property-file}", &path.display().to_string());
        }
        let bits = if task.model == Some(DataModel::Ilp32) { "32" } else { "64" };
        let megabytes = limits.memory / 1_000_000;
        for (name, value) in [
            ("{here}", self.here.display().to_string()),
            ("{file}", file),
            ("{property}", property.to_owned()),
            ("{model}", model.to_owned()),
            ("{bits}", bits.to_owned()),
            ("{timelimit}", limits.cpu.as_secs().max(1).to_string()),
            ("{memlimit}", megabytes.to_string()),
            ("{heap}", (megabytes * 4 / 5).to_string()),
        ] {
            filled = filled.replace(name, &value);
        }
        vec![filled.into()]
    }

    /// The record of a run.
    pub(super) fn read(&self, task: &Task, measured: &Measured, limits: &Limits) -> Record {
        let said = self.judge(measured);
        check::settle(task, &self.name, measured, limits, measured.peak, said)
    }

    /// What the first pattern that is found in the output means. A process that crashed has not answered, whatever it
    /// said before.
    fn judge(&self, measured: &Measured) -> check::Said {
        if let Some(signal) = measured.status.signal().filter(|_| measured.stopped.is_none()) {
            return (Status::Error, None, format!("ended by signal {signal}"));
        }
        let code = measured.status.code();
        for (pattern, verdict) in &self.verdicts {
            if verdict.exit.is_some() && verdict.exit != code {
                continue;
            }
            if !pattern.is_match(&measured.out) && !pattern.is_match(&measured.err) {
                continue;
            }
            let (status, truth) = match verdict.is {
                Meaning::True => (Status::Answered, Some(true)),
                Meaning::False => (Status::Answered, Some(false)),
                Meaning::Unknown => (Status::Unknown, None),
                Meaning::OutOfMemory => (Status::MemoryLimit, None),
                Meaning::Timeout => (Status::TimeLimit, None),
                Meaning::Input => (Status::Input, None),
                Meaning::Error => (Status::Error, None),
            };
            return (status, truth, verdict.reason.clone());
        }
        let code = code.map_or_else(|| "no exit code".to_owned(), |code| format!("exit {code}"));
        let complaint = check::complaint(measured);
        (Status::Error, None, format!("no known answer ({code}): {complaint}"))
    }
}

/// The words that stand for something in commands.
const PLACEHOLDERS: [&str; 11] = [
    "here",
    "file",
    "files",
    "property",
    "property-file",
    "data-model",
    "model",
    "bits",
    "timelimit",
    "memlimit",
    "heap",
];

/// The first word in braces that is no placeholder.
fn unknown_placeholder(word: &str) -> Option<String> {
    let pattern = Regex::new(r"\{([a-z-]+)\}").ok()?;
    let names = pattern.captures_iter(word).map(|found| found[1].to_owned());
    names.into_iter().find(|name| !PLACEHOLDERS.contains(&name.as_str()))
}

/// A program by its path, from the folder of the tool file, or by its name.
fn locate(program: &str, file: &Path) -> Option<PathBuf> {
    if program.contains('/') {
        let folder = file.parent().unwrap_or(Path::new(""));
        return fs::canonicalize(folder.join(program)).ok();
    }
    let paths = std::env::var_os("PATH")?;
    std::env::split_paths(&paths).map(|folder| folder.join(program)).find(|path| path.is_file())
}

/// The first line that a command writes, to standard output or to standard error.
fn first_line(
    program: &Path,
    arguments: &[String],
    environment: &BTreeMap<String, String>,
) -> io::Result<String> {
    let mut command = Command::new(program);
    command.args(arguments).envs(environment).stdin(Stdio::null());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let start = Instant::now();
    while child.try_wait()?.is_none() {
        if start.elapsed() > VERSION_TIME {
            child.kill()?;
            return Err(io::Error::other("it takes too long to say so"));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output()?;
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    let line = text.lines().map(str::trim).find(|line| !line.is_empty());
    line.map(str::to_owned).ok_or_else(|| io::Error::other("it says nothing"))
}
