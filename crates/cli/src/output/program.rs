//! What an interpreted program writes.

use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

use base::plain;

/// Standard output for a program that writes what it likes: buffered unless someone watches, and
/// it knows whether a line is open.
pub struct ProgramOutput {
    out: BufWriter<StdoutLock<'static>>,
    watched: bool,
    open_line: bool,
    failed: bool,
}

impl ProgramOutput {
    pub fn new() -> Self {
        let out = io::stdout();
        let watched = out.is_terminal();
        let out = BufWriter::with_capacity(1 << 16, out.lock());
        Self { out, watched, open_line: false, failed: false }
    }

    /// Writes the last line, at the start of a line; to standard error if standard output cannot be
    /// written.
    pub fn finish(mut self, line: &str) {
        let start = if self.open_line { "\n" } else { "" };
        let line = plain(line);
        let written = writeln!(self.out, "{start}{line}").and_then(|()| self.out.flush());
        let failed = self.failed;
        // What is left in the buffer is not tried again.
        let _ = self.out.into_parts();
        match written {
            Ok(()) if !failed => {}
            Ok(()) => super::lost(&io::ErrorKind::WriteZero.into()),
            Err(error) => {
                super::lost(&error);
                super::tell(&line);
            }
        }
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.watched {
            return self.out.write(bytes);
        }
        // Control characters of the program must not reach a terminal.
        let text = String::from_utf8_lossy(bytes).replace("\r\n", "\n");
        self.out.write_all(plain(&text).as_bytes())?;
        self.out.flush()?;
        Ok(bytes.len())
    }
}

impl Write for ProgramOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.put(bytes).inspect_err(|_| self.failed = true)?;
        if let Some(last) = bytes[..count].last() {
            self.open_line = *last != b'\n';
        }
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush().inspect_err(|_| self.failed = true)
    }
}
