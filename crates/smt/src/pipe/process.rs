//! A child process: text in, expressions out, within limits.
//!
//! Writing and reading happen in threads of their own, so that a child that neither reads nor writes cannot hold up the
//! thread that waits for it; the child is killed when time or memory is used up.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::program::Program;
use crate::Reason;
use run::{Budget, Exceeded};

/// How often the limits are looked at while a child works.
const LOOK: Duration = Duration::from_millis(20);

/// The longest reply that is accepted. A child that writes without end must not fill the memory.
const LONGEST: usize = 1 << 26;

/// How many replies may wait to be read. A child that writes more has to wait itself.
const WAITING: usize = 2;

/// How many bytes of what a child writes to standard error are kept.
const COMPLAINTS: usize = 2_000;

pub(crate) struct Process {
    child: Child,
    input: Sender<String>,
    replies: Receiver<String>,
    complaints: Arc<Mutex<String>>,
    listener: thread::JoinHandle<()>,
}

impl Process {
    pub fn start(program: &Program) -> Result<Self, Reason> {
        let failed = |why: String| Reason::Failed(format!("{}: {why}", program.name));
        let mut child = Command::new(&program.path)
            .args(program.arguments())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| failed(format!("cannot start: {error}")))?;
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(failed("it has no pipes".to_owned()));
        };
        let (input, texts) = channel();
        let (sender, replies) = sync_channel(WAITING);
        let complaints = Arc::new(Mutex::new(String::new()));
        let heard = Arc::clone(&complaints);
        thread::spawn(move || write(stdin, &texts));
        thread::spawn(move || read(BufReader::new(stdout), &sender));
        let listener = thread::spawn(move || listen(stderr, &heard));
        Ok(Self { child, input, replies, complaints, listener })
    }

    /// Hands text to the child. If the child is gone, waiting for its reply will say so.
    pub fn send(&self, text: String) {
        let _ = self.input.send(text);
    }

    /// The next expression that the child writes. The limits are looked at even if the child has always written one
    /// already.
    pub fn reply(&mut self, limits: &Budget) -> Result<String, Reason> {
        let mut looked = Instant::now();
        if let Some(reason) = limits.exceeded() {
            return Err(reason.into());
        }
        loop {
            let left = limits.deadline().map(|deadline| deadline - Instant::now().min(deadline));
            match self.replies.recv_timeout(left.unwrap_or(LOOK).min(LOOK)) {
                Ok(reply) => return Ok(reply),
                Err(RecvTimeoutError::Disconnected) => return Err(self.death()),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Some(reason) = limits.exceeded() {
                return Err(reason.into());
            }
            if let Some(most) = limits.memory()
                && looked.elapsed() >= LOOK
            {
                looked = Instant::now();
                if resident(self.child.id()).is_some_and(|bytes| bytes as u64 > most) {
                    return Err(Exceeded::Memory.into());
                }
            }
        }
    }

    /// Why the child writes no more.
    fn death(&mut self) -> Reason {
        // The output of a child ends a moment before the child does.
        let mut status = None;
        for _ in 0..20 {
            status = self.child.try_wait().ok().flatten();
            if status.is_some() {
                break;
            }
            thread::sleep(Duration::from_millis(5));
        }
        // What the child wrote to standard error is complete when the thread that reads it has ended.
        for _ in 0..20 {
            if self.listener.is_finished() {
                break;
            }
            thread::sleep(Duration::from_millis(5));
        }
        let complaint = self.complaints.lock().unwrap_or_else(PoisonError::into_inner);
        let how = match status {
            Some(status) => format!("it ended with {status}"),
            None => "it closed its output".to_owned(),
        };
        let words = complaint.trim();
        Reason::Failed(if words.is_empty() { how } else { format!("{how}: {words}") })
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The child may have ended already; then there is nothing to kill, and its status is there.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn write(mut stdin: ChildStdin, texts: &Receiver<String>) {
    for text in texts {
        // That a child has ended is noticed by the thread that waits for its reply.
        if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn listen(stderr: impl Read, heard: &Mutex<String>) {
    let mut stderr = BufReader::new(stderr);
    loop {
        let taken = match stderr.fill_buf() {
            Ok([]) | Err(_) => return,
            Ok(bytes) => {
                let mut heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
                let room = COMPLAINTS.saturating_sub(heard.len()).min(bytes.len());
                heard.push_str(&String::from_utf8_lossy(&bytes[..room]));
                bytes.len()
            }
        };
        stderr.consume(taken);
    }
}

/// Cuts what a child writes into expressions.
fn read(mut stdout: impl BufRead, replies: &SyncSender<String>) {
    let mut cutter = Cutter::default();
    loop {
        let taken = match stdout.fill_buf() {
            Ok([]) | Err(_) => break,
            Ok(bytes) => {
                for byte in bytes {
                    if let Some(reply) = cutter.take(*byte)
                        && replies.send(reply).is_err()
                    {
                        return;
                    }
                }
                bytes.len()
            }
        };
        if cutter.text.len() > LONGEST {
            return;
        }
        stdout.consume(taken);
    }
    // A word may end with the output.
    if let Some(reply) = cutter.take(b'\n') {
        let _ = replies.send(reply);
    }
}

/// Finds where an expression ends.
#[derive(Default)]
struct Cutter {
    text: Vec<u8>,
    depth: u64,
    inside: Inside,
}

#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum Inside {
    #[default]
    Nothing,
    Quotes,
    Bars,
    Comment,
}

impl Cutter {
    fn take(&mut self, byte: u8) -> Option<String> {
        match (self.inside, byte) {
            (Inside::Comment, b'\n') => {
                self.inside = Inside::Nothing;
                return None;
            }
            (Inside::Comment, _) => return None,
            (Inside::Quotes, _) => {
                self.text.push(byte);
                if byte != b'"' {
                    return None;
                }
                self.inside = Inside::Nothing;
            }
            (Inside::Bars, _) => {
                self.text.push(byte);
                if byte != b'|' {
                    return None;
                }
                self.inside = Inside::Nothing;
                return None;
            }
            (Inside::Nothing, b'"') => {
                self.inside = Inside::Quotes;
                self.text.push(byte);
                return None;
            }
            (Inside::Nothing, b'|') => {
                self.inside = Inside::Bars;
                self.text.push(byte);
                return None;
            }
            (Inside::Nothing, b';') => {
                self.inside = Inside::Comment;
                return None;
            }
            (Inside::Nothing, b'(') => {
                self.depth += 1;
                self.text.push(byte);
                return None;
            }
            (Inside::Nothing, b')') => {
                self.depth = self.depth.saturating_sub(1);
                self.text.push(byte);
            }
            (Inside::Nothing, _) if byte.is_ascii_whitespace() => {
                if self.depth > 0 {
                    self.text.push(b' ');
                    return None;
                }
            }
            (Inside::Nothing, _) => {
                self.text.push(byte);
                return None;
            }
        }
        if self.depth > 0 || self.text.is_empty() {
            return None;
        }
        let text = std::mem::take(&mut self.text);
        Some(String::from_utf8_lossy(&text).into_owned())
    }
}

/// How much memory a process has, where the system says so.
fn resident(process: u32) -> Option<usize> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_is_cut_where_expressions_end() {
        let text = "sat\n((x |a ) b|)\n (y \"(\"\"\")) ; not ( this\nunknown";
        let (sender, replies) = sync_channel(3);
        read(text.as_bytes(), &sender);
        drop(sender);
        let replies: Vec<String> = replies.iter().collect();
        assert_eq!(replies, ["sat", "((x |a ) b|)  (y \"(\"\"\"))", "unknown"]);
    }
}
