//! What `--output-dir` gets.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use cfa::Program;
use report::proviso::document::Document;
use report::{Execution, Invariant, Stamp, Subject};
use verify::Counterexample;

use crate::exit::Exit;
use crate::output;

/// The folder, which is there and can be written.
pub struct Files {
    folder: PathBuf,
}

impl Files {
    /// Makes the folder if it is not there.
    pub fn prepare(folder: &Path) -> Result<Self, Exit> {
        let probe = folder.join(".proviso-probe");
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(&probe, ""))
            .and_then(|()| fs::remove_file(&probe))
            .map_err(|error| refuse(folder, &error))?;
        Ok(Self { folder: folder.to_path_buf() })
    }

    /// What shows a violation.
    pub fn violation(
        &self,
        program: &Program,
        subject: &Subject,
        found: &Counterexample,
        execution: &Execution,
        text: &str,
    ) -> Result<(), Exit> {
        self.write("counterexample.txt", text)?;
        self.write("inputs.txt", &interp::write_inputs(program, &found.drawn))?;
        if !subject.is_c {
            return Ok(());
        }
        let stamp = stamp();
        self.write("harness.c", &report::harness(program, subject, found, execution))?;
        let witness = report::violation(program, subject, found, execution, &stamp);
        self.write("violation.yml", &witness)?;
        let witness = report::violation_graph(program, subject, found, execution, &stamp);
        self.write("violation.graphml", &witness)
    }

    /// What shows that there is none.
    pub fn correctness(
        &self,
        program: &Program,
        subject: &Subject,
        invariants: &[Invariant],
    ) -> Result<(), Exit> {
        let witness = report::correctness(program, subject, invariants, &stamp());
        self.write("correctness.yml", &witness)
    }

    /// The proviso, for programs and for browsers.
    pub fn document(&self, document: &Document) -> Result<(), Exit> {
        let json = serde_json::to_string_pretty(document).unwrap_or_default();
        self.write("proviso.json", &json)?;
        self.write("proviso.html", &report::proviso::html(document))
    }

    /// What was covered, and the executions that do.
    pub fn coverage(&self, program: &Program, coverage: &partial::Coverage) -> Result<(), Exit> {
        self.write("coverage.info", &report::lcov(program, coverage))?;
        for (number, drawn) in (1..).zip(&coverage.tests) {
            let inputs = interp::write_inputs(program, drawn);
            self.write(&format!("test-{number}.txt"), &inputs)?;
        }
        Ok(())
    }

    /// Removes a file of the folder, if it is there.
    pub fn remove(&self, name: &str) {
        let _ = fs::remove_file(self.folder.join(name));
    }

    /// The folder as it was named.
    pub fn name(&self) -> String {
        self.folder.display().to_string()
    }

    /// Writes a file of the folder.
    pub fn write(&self, name: &str, text: &str) -> Result<(), Exit> {
        let path = self.folder.join(name);
        fs::write(&path, text).map_err(|error| refuse(&path, &error))
    }
}

fn refuse(path: &Path, error: &std::io::Error) -> Exit {
    output::tell(&format!("error: cannot write {}: {error}", path.display()));
    Exit::Usage
}

/// The present time, or what `SOURCE_DATE_EPOCH` says, so that two runs can give the same bytes.
fn stamp() -> Stamp {
    let given = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok());
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let time = iso(given.unwrap_or_else(now));
    Stamp { time, version: env!("CARGO_PKG_VERSION").to_owned() }
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
    use super::iso;

    #[test]
    fn times_are_written_as_dates() {
        assert_eq!(iso(0), "1970-01-01T00:00:00Z");
        assert_eq!(iso(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(iso(1_794_724_215), "2026-11-15T06:30:15Z");
        assert_eq!(iso(4_107_542_399), "2100-02-28T23:59:59Z");
        assert_eq!(iso(4_107_542_400), "2100-03-01T00:00:00Z");
    }
}
