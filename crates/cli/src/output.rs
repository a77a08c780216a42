//! Standard output and standard error. A reader that has gone away is no reason to fail.

use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::sync::{Mutex, PoisonError};
use std::thread;

use base::{Diagnostic, SourceMap};

/// Writes a line to standard error.
pub fn tell(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// Shows messages about the input.
pub fn show<'a>(diagnostics: impl IntoIterator<Item = &'a Diagnostic>, sources: &SourceMap) {
    for diagnostic in diagnostics {
        tell(&diagnostic.render(sources));
    }
}

/// Writes text to standard output.
pub fn write(text: &str) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Whether the last line of the command was written, or is being written.
static CONCLUDED: Mutex<bool> = Mutex::new(false);

/// Writes what the command ends with, as the thread that works. If the thread that watches over
/// limits was first, it is about to end the process, and this one waits for that.
pub fn conclude(text: &str) {
    if !try_conclude(text) {
        loop {
            thread::park();
        }
    }
}

/// Writes what the command ends with, unless another thread was first. Says whether it did.
pub fn try_conclude(text: &str) -> bool {
    // Held while the text is written, so that nobody ends the process in the middle of it.
    let mut concluded = CONCLUDED.lock().unwrap_or_else(PoisonError::into_inner);
    if *concluded {
        return false;
    }
    *concluded = true;
    write(text);
    true
}

/// Standard output for a program that writes what it likes: buffered unless someone watches, and
/// it knows whether a line is open.
pub struct ProgramOutput {
    out: BufWriter<StdoutLock<'static>>,
    watched: bool,
    open_line: bool,
}

impl ProgramOutput {
    pub fn new() -> Self {
        let out = io::stdout();
        let watched = out.is_terminal();
        Self { out: BufWriter::with_capacity(1 << 16, out.lock()), watched, open_line: false }
    }

    /// Writes the last line, at the start of a line.
    pub fn finish(mut self, line: &str) {
        let start = if self.open_line { "\n" } else { "" };
        let _ = writeln!(self.out, "{start}{line}").and_then(|()| self.out.flush());
    }
}

impl Write for ProgramOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.out.write(bytes)?;
        if let Some(last) = bytes[..count].last() {
            self.open_line = *last != b'\n';
        }
        if self.watched {
            self.out.flush()?;
        }
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
