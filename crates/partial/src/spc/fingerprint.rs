//! Whether an automaton was made of a given program.

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};

use base::FileId;
use cfa::Program;
use sha2::{Digest as _, Sha256};

/// A number, in hexadecimal digits, that two programs share only if their models are the same: what they
/// do, and what counts as an error, wherever it stands in the source. What statements look like does not
/// tell that, since initial values, types and options are not in them.
#[must_use]
pub fn fingerprint(program: &Program) -> String {
    let mut lines = Lines { hash: Sha256::new(), line: String::new() };
    let text = cfa::text(program).without_places();
    // Writing into memory does not fail.
    let _ = write!(lines, "{text}");
    digits(lines.hash)
}

/// A number that two programs share only if the texts of their files are the same: what is said about lines of one holds for the
/// other.
pub(super) fn of_text(program: &Program) -> String {
    let spans = program.cfa.edges.iter().filter_map(|edge| edge.span);
    let files: BTreeSet<FileId> = spans.map(|span| span.file).collect();
    let mut hash = Sha256::new();
    for file in files.into_iter().filter(|file| !program.sources.is_borrowed(*file)) {
        let text = program.sources.text(file);
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    }
    digits(hash)
}

fn digits(hash: Sha256) -> String {
    hash.finalize().iter().take(8).fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Hashes a text line by line, without the lines of assumptions: these say what an answer rests on, and do not change
/// what the program does.
struct Lines {
    hash: Sha256,
    line: String,
}

impl fmt::Write for Lines {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for part in text.split_inclusive('\n') {
            self.line.push_str(part);
            if part.ends_with('\n') {
                if !self.line.starts_with("assumption ") {
                    self.hash.update(&self.line);
                }
                self.line.clear();
            }
        }
        Ok(())
    }
}
