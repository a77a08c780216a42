//! What `--output-dir` gets.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use base::plain;
use cfa::Program;
use report::proviso::document::Document;
use report::result::document::Document as Result;
use report::{Execution, Invariant, Stamp, Subject};
use verify::Counterexample;

use crate::arguments::{Check, VERSION};
use crate::exit::Exit;
use crate::output::{self, WholeFile};

/// The file that lists the other files of a run in the folder, so that a later run removes these files and no others.
const LIST: &str = ".proviso-files";

/// A folder that was asked for.
pub struct Folder {
    path: PathBuf,
    /// The file that the run goes on from, which may be in the folder.
    from: Option<PathBuf>,
    files: Mutex<Option<Arc<Files>>>,
}

impl Folder {
    /// The folder of `--output-dir`.
    pub fn asked_for(arguments: &Check) -> Option<Self> {
        let path = arguments.output_dir.clone()?;
        Some(Self { path, from: arguments.from.clone(), files: Mutex::default() })
    }

    /// The folder, which is prepared once: by the run, or by the thread that ends the run before.
    pub fn files(&self) -> std::result::Result<Arc<Files>, Exit> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(files) = &*files {
            return Ok(Arc::clone(files));
        }
        let prepared = Arc::new(Files::prepare(&self.path, self.from.as_deref())?);
        output::tell_prepared();
        Ok(Arc::clone(files.insert(prepared)))
    }

    /// Whether the result is there.
    pub fn has_result(&self) -> bool {
        self.path.join("result.json").exists()
    }

    /// The folder with the files that another process has left there, which prepared the folder and was ended.
    pub fn taken_over(&self) -> Files {
        let list = fs::read_to_string(self.path.join(LIST)).unwrap_or_default();
        let names = list.lines().map(str::to_owned).collect();
        let written = Mutex::new(Written { names, is_closed: false });
        Files { folder: self.path.clone(), written }
    }
}

/// The folder, which is there and can be written.
pub struct Files {
    folder: PathBuf,
    written: Mutex<Written>,
}

/// What a run has written.
#[derive(Default)]
struct Written {
    /// The names of the files.
    names: Vec<String>,
    /// Whether the run has been ended: what it would still write or remove does not belong to its answer.
    is_closed: bool,
}

/// The texts of a document, with the names of their files: to write them takes no memory and no time.
pub type Prepared = Vec<(&'static str, String)>;

/// The proviso as JSON.
pub fn json(document: &Document) -> String {
    plain(&serde_json::to_string_pretty(document).unwrap_or_default()).into_owned()
}

/// The proviso, for programs and for browsers.
fn of_proviso(document: &Document) -> Prepared {
    let html = plain(&report::proviso::html(document)).into_owned();
    vec![("proviso.json", json(document)), ("proviso.html", html)]
}

/// The result of a run in every form.
pub fn prepare(result: &Result) -> Prepared {
    let mut texts = of_proviso(&result.proviso);
    texts.extend(for_programs().map(|(name, text)| (name, text(result))));
    texts.push(("report.html", report::html(result)));
    texts
}

/// The files that show a violation.
pub fn violation(
    program: &Program,
    subject: &Subject,
    found: &Counterexample,
    execution: &Execution,
    text: &str,
) -> Prepared {
    let mut texts = vec![
        ("counterexample.txt", plain(text).into_owned()),
        ("inputs.txt", interp::write_inputs(program, &found.drawn)),
    ];
    if subject.is_c {
        let stamp = stamp();
        let witness = report::violation(program, subject, found, execution, &stamp);
        let graph = report::violation_graph(program, subject, found, execution, &stamp);
        texts.push(("harness.c", report::harness(program, subject, found, execution)));
        texts.extend([("violation.yml", witness), ("violation.graphml", graph)]);
    }
    texts
}

/// The file that shows a proof. `rests_on` is the file of an earlier run on which the proof rests, if there is one.
pub fn correctness(
    program: &Program,
    subject: &Subject,
    invariants: &[Invariant],
    rests_on: Option<&Path>,
) -> Prepared {
    let rests_on = rests_on.map(|file| file.display().to_string());
    let witness = report::correctness(program, subject, invariants, rests_on.as_deref(), &stamp());
    vec![("correctness.yml", witness)]
}

/// The files that show an answer. A run without an answer has none of them.
const EVIDENCE: [&str; 7] = [
    "counterexample.txt",
    "inputs.txt",
    "harness.c",
    "violation.yml",
    "violation.graphml",
    "correctness.yml",
    "report.html",
];

/// What makes the text of a file of a result.
type Form = fn(&Result) -> String;

/// The files of a result that are for programs.
fn for_programs() -> [(&'static str, Form); 3] {
    [
        ("result.json", report::result::json),
        ("result.sarif", report::sarif),
        ("junit.xml", report::junit::junit),
    ]
}

impl Files {
    /// Makes the folder if it is not there, and removes what an earlier run has written to it. A file that
    /// this run goes on from stays until a better one is written: a run that is ended must not lose it.
    pub fn prepare(folder: &Path, from: Option<&Path>) -> std::result::Result<Self, Exit> {
        let list = folder.join(LIST);
        fs::create_dir_all(folder).map_err(|error| output::cannot_write(folder, &error))?;
        let from = from.and_then(|file| fs::canonicalize(file).ok());
        let mut stays = String::new();
        for name in fs::read_to_string(&list).unwrap_or_default().lines() {
            let file = folder.join(name);
            if from.is_some() && fs::canonicalize(&file).ok() == from {
                stays = format!("{name}\n");
            } else if is_ours(name) {
                // A file that cannot be removed is overwritten later; if that fails, the user is told then.
                let _ = fs::remove_file(WholeFile::unfinished(&file));
                let _ = fs::remove_file(file);
            }
        }
        fs::write(&list, stays).map_err(|error| output::cannot_write(folder, &error))?;
        Ok(Self { folder: folder.to_path_buf(), written: Mutex::default() })
    }

    /// Writes the proviso, for programs and for browsers.
    pub fn document(&self, document: &Document) {
        self.prepared(&of_proviso(document));
    }

    /// Writes texts that were made before.
    pub fn prepared(&self, texts: &Prepared) {
        for (name, text) in texts {
            self.write(name, text);
        }
    }

    /// Writes the result of a run that is ended from outside: only the files that programs read, since there is little
    /// time. From then on the run itself writes nothing.
    pub fn ended(&self, result: &Result) {
        let mut written = self.written();
        written.is_closed = true;
        for name in EVIDENCE {
            let _ = fs::remove_file(self.folder.join(name));
        }
        for (name, text) in for_programs() {
            self.put(&mut written, name, &text(result));
        }
    }

    /// Writes what was covered, and the inputs of the executions that cover it.
    pub fn coverage(&self, program: &Program, coverage: &partial::Coverage) {
        self.write("coverage.info", &report::lcov(program, coverage));
        for (number, drawn) in (1..).zip(&coverage.tests) {
            let inputs = interp::write_inputs(program, drawn);
            self.write(&format!("test-{number}.txt"), &inputs);
        }
    }

    /// Removes what this run has written about executions that were not analysed: after a violation, no later run goes
    /// on from there.
    pub fn remove_partial(&self) {
        let written = self.written().names.clone();
        let is_partial = |name: &&String| {
            let numbered =
                ["frontier-", "cone-", "test-"].iter().any(|start| name.starts_with(start));
            numbered || ["assumption.spc", "coverage.info"].contains(&name.as_str())
        };
        for name in written.iter().filter(is_partial) {
            self.remove(name);
        }
    }

    /// Removes a file of the folder, if it is there.
    pub fn remove(&self, name: &str) {
        if !self.written().is_closed {
            let _ = fs::remove_file(self.folder.join(name));
        }
    }

    fn written(&self) -> MutexGuard<'_, Written> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The folder as it was named.
    pub fn name(&self) -> String {
        self.folder.display().to_string()
    }

    /// Writes a file of the folder, and says whether it could be written. A failure is told; the answer
    /// does not depend on it. Once the run has been ended, nothing is written.
    pub fn write(&self, name: &str, text: &str) -> bool {
        // The lock is held while the file is written, so that a thread that ends the run waits for the file.
        let mut written = self.written();
        !written.is_closed && self.put(&mut written, name, text)
    }

    fn put(&self, written: &mut Written, name: &str, text: &str) -> bool {
        debug_assert!(is_ours(name), "{name} is not removed by a later run");
        let path = self.folder.join(name);
        let Ok(file) = WholeFile::of(&path) else { return false };
        let put = self.list(written, name).and_then(|()| file.write(text));
        if let Err(error) = &put {
            output::cannot_write(&path, error);
        }
        put.is_ok()
    }

    /// Adds a name to the list, before the file is there: a run that is ended leaves nothing behind
    /// that the next one does not know.
    fn list(&self, written: &mut Written, name: &str) -> io::Result<()> {
        if written.names.iter().any(|known| known == name) {
            return Ok(());
        }
        written.names.push(name.to_owned());
        let mut list = fs::OpenOptions::new().append(true).open(self.folder.join(LIST))?;
        writeln!(list, "{name}")
    }
}

/// Whether a file of the folder may be one that a run has written.
fn is_ours(name: &str) -> bool {
    let numbered = |prefix: &str| {
        let number = name.strip_prefix(prefix).and_then(|rest| rest.strip_suffix(".txt"));
        number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let known = [
        "proviso.json",
        "proviso.html",
        "result.json",
        "result.sarif",
        "junit.xml",
        "assumption.spc",
        "coverage.info",
    ];
    EVIDENCE.contains(&name)
        || known.contains(&name)
        || ["frontier-", "cone-", "test-"].into_iter().any(numbered)
}

/// The present time, or what `SOURCE_DATE_EPOCH` says, so that two runs can give the same bytes.
fn stamp() -> Stamp {
    let given = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok());
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let time = iso(given.unwrap_or_else(now));
    Stamp { time, version: VERSION.to_owned() }
}

/// Seconds since 1970 as `2026-11-15T06:30:00Z`.
fn iso(seconds: u64) -> String {
    let (mut days, time) = (seconds / 86_400, seconds % 86_400);
    let is_leap =
        |year: u64| year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    // Whole cycles of 400 years at once: a wild number must not take long.
    let mut year = 1970 + days / 146_097 * 400;
    days %= 146_097;
    while days >= if is_leap(year) { 366 } else { 365 } {
        days -= if is_leap(year) { 366 } else { 365 };
        year += 1;
    }
    let february = if is_leap(year) { 29 } else { 28 };
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    let (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60);
    format!("{year:04}-{month:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z", days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::check::form;

    #[test]
    fn a_run_that_was_ended_writes_nothing_more() {
        let path = std::env::temp_dir().join(format!("proviso-files-{}", std::process::id()));
        let folder = Folder { path: path.clone(), from: None, files: Mutex::default() };
        let files = folder.files().expect("a folder");
        assert!(files.write("violation.yml", "an answer"));
        assert!(files.write("frontier-1.txt", "a trace"));
        let again = folder.files().expect("the folder");
        assert!(Arc::ptr_eq(&files, &again), "the folder is prepared once");
        files.ended(&form::ended(None, "time limit", Exit::Unknown));
        assert!(!files.write("violation.yml", "an answer that comes too late"));
        files.remove("frontier-1.txt");
        // Another process finds what this one has left.
        folder.taken_over().ended(&form::ended(None, "memory limit", Exit::Unknown));
        let names = || {
            let entries = fs::read_dir(&path).expect("the folder");
            let mut names: Vec<_> =
                entries.map(|entry| entry.expect("an entry").file_name()).collect();
            names.sort();
            names
        };
        let left = [LIST, "frontier-1.txt", "junit.xml", "result.json", "result.sarif"];
        assert_eq!(names(), left);
        let result = fs::read_to_string(path.join("result.json")).expect("a file");
        assert!(result.contains("UNKNOWN (memory limit)"), "{result}");
        let list = fs::read_to_string(path.join(LIST)).expect("the list");
        assert_eq!(list.lines().count(), 5, "each name is there once: {list}");
        // What a run has left that was killed while it wrote goes away with the rest.
        fs::write(path.join("junit.xml.new"), "").expect("a file");
        Files::prepare(&path, None).expect("a folder");
        assert_eq!(names(), [LIST]);
        fs::remove_dir_all(&path).expect("a folder");
    }

    #[test]
    fn times_are_written_as_dates() {
        assert_eq!(iso(0), "1970-01-01T00:00:00Z");
        assert_eq!(iso(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(iso(1_794_724_215), "2026-11-15T06:30:15Z");
        assert_eq!(iso(4_107_542_399), "2100-02-28T23:59:59Z");
        assert_eq!(iso(4_107_542_400), "2100-03-01T00:00:00Z");
    }
}
