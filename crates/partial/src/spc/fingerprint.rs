//! Telling whether a program is the one that an automaton was made of.

use std::fmt::{self, Write as _};

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
    let digest = lines.hash.finalize();
    digest.iter().take(8).fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Takes in text line by line, but for assumptions: they say what an answer rests on, and change nothing.
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
