//! Standard output and standard error: what is written there has no control characters that come from elsewhere, has
//! colours where somebody watches, and what cannot be written is told.

mod paint;
mod program;
mod whole;

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, IsTerminal, Read, Write};
use std::path::Path;
use std::process;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use base::{Diagnostic, Severity, SourceMap, plain, plain_line};

use crate::arguments::manner::{Color, Manner};
use crate::exit::Exit;
pub use program::ProgramOutput;
pub use whole::{WholeFile, tell_unwritten};

/// How this process speaks.
#[derive(Clone, Copy, Default)]
struct Style {
    colours_out: bool,
    colours_err: bool,
    quiet: bool,
    verbose: bool,
}

static STYLE: OnceLock<Style> = OnceLock::new();

/// Whether something could not be written to standard output, although its reader has not gone away.
static LOST: AtomicBool = AtomicBool::new(false);

/// Whether it was told that standard output cannot be written.
static TOLD: AtomicBool = AtomicBool::new(false);

/// Whether standard output is for programs: then it has no colours, and has all of the result even if the user wants
/// to hear the answer only.
static FOR_PROGRAMS: AtomicBool = AtomicBool::new(false);

/// From now on standard output is for programs.
pub fn speak_to_programs() {
    FOR_PROGRAMS.store(true, Ordering::Relaxed);
}

fn style() -> Style {
    STYLE.get().copied().unwrap_or_default()
}

/// Sets how the process speaks. Only the first call counts.
pub fn set(manner: &Manner) {
    let (colours_out, colours_err) = colours(manner.color);
    let (quiet, verbose) = (manner.quiet, manner.verbose);
    let _ = STYLE.set(Style { colours_out, colours_err, quiet, verbose });
}

/// Whether standard output and standard error have colours.
pub fn colours(wanted: Color) -> (bool, bool) {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let plain = || set("NO_COLOR") || std::env::var_os("TERM").is_none_or(|term| term == "dumb");
    match wanted {
        Color::Always => (true, true),
        Color::Never => (false, false),
        Color::Auto if plain() => (false, false),
        Color::Auto => (io::stdout().is_terminal(), io::stderr().is_terminal()),
    }
}

/// Whether the user wants to hear more.
pub fn is_verbose() -> bool {
    style().verbose
}

/// Whether the user wants to hear the answer only.
pub fn is_quiet() -> bool {
    style().quiet
}

/// Writes lines to standard error that the user is to see in any case.
pub fn tell(text: &str) {
    let painted = paint::message(&plain(text), style().colours_err);
    let _ = writeln!(io::stderr(), "{painted}");
}

/// Writes lines to standard error, unless the user wants to hear the answer only.
pub fn note(text: &str) {
    if !style().quiet {
        tell(text);
    }
}

/// Writes a line to standard error, if the user wants to hear more.
pub fn detail(text: &str) {
    if style().verbose {
        tell(text);
    }
}

/// Shows messages about the input.
pub fn show<'a>(diagnostics: impl IntoIterator<Item = &'a Diagnostic>, sources: &SourceMap) {
    for diagnostic in diagnostics {
        match diagnostic.severity {
            Severity::Error => tell(&diagnostic.render(sources)),
            Severity::Warning => note(&diagnostic.render(sources)),
        }
    }
}

/// The name of a file for messages.
pub fn name(path: &Path) -> String {
    plain_line(&path.display().to_string()).into_owned()
}

/// Says that a file cannot be written.
pub fn cannot_write(path: &Path, error: &io::Error) -> Exit {
    tell(&format!("error: cannot write {}: {error}", name(path)));
    Exit::Usage
}

/// Writes text to standard output. What cannot be written is told once.
pub fn write(text: &str) {
    write_bytes(painted(text).as_bytes());
}

/// A text as standard output has it.
fn painted(text: &str) -> String {
    let coloured = style().colours_out && !FOR_PROGRAMS.load(Ordering::Relaxed);
    paint::answer(&plain(text), coloured)
}

fn write_bytes(bytes: &[u8]) -> bool {
    let mut out = io::stdout().lock();
    let mut write = |piece: &[u8]| {
        out.write_all(piece).and_then(|()| out.flush())?;
        PIECES.fetch_add(1, Ordering::Relaxed);
        Ok(())
    };
    let written = bytes.chunks(PIECE).try_for_each(&mut write);
    if let Err(error) = &written {
        lost(error);
    }
    written.is_ok()
}

/// Notes that standard output cannot be written. That a reader has gone away is told as well, but it
/// is no reason to fail.
fn lost(error: &io::Error) {
    if !TOLD.swap(true, Ordering::Relaxed) {
        tell(&format!("error: cannot write to standard output: {error}"));
    }
    if error.kind() != io::ErrorKind::BrokenPipe {
        LOST.store(true, Ordering::Relaxed);
    }
}

/// Whether something could not be written to standard output, although its reader has not gone away.
pub fn has_lost() -> bool {
    LOST.load(Ordering::Relaxed)
}

/// Who has written the last line of the command, or is writing it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Concluded {
    /// The thread that works, with the exit code that belongs to the line.
    ByWork(Exit),
    /// A thread that watches over limits: it ends the process, with the exit code that belongs to its line.
    ByWatch,
}

static CONCLUDED: Mutex<Option<Concluded>> = Mutex::new(None);

/// The environment variable that is set for the process that works, if another process waits for it: the path of the
/// pipe to which the process that works hands what it ends with.
pub const WORKER: &str = "PROVISO_SUPERVISED";

/// Whether another process waits for this one, and passes signals on to it.
pub fn is_worker() -> bool {
    std::env::var_os(WORKER).is_some()
}

/// The pipe to another process that writes what the command ends with, if there is such a process.
static HEIR: OnceLock<Mutex<File>> = OnceLock::new();

/// The first byte that is handed over, if the folder of `--output-dir` was prepared. No text has this byte.
const PREPARED: u8 = 1;

/// The byte that follows the text that is handed over. The exit code follows this byte, so that the other process
/// knows that it has everything. No text has this byte.
const COMPLETE: u8 = 0;

/// From now on this process hands what the command ends with to another one, which writes it. Whatever happens to this
/// process then, the other one knows whether it has something to write.
pub fn hand_over_to(heir: File) {
    let _ = HEIR.set(Mutex::new(heir));
}

/// Tells the process that waits for this one, if there is such a process, that the folder of `--output-dir` has nothing
/// of earlier runs any more.
pub fn tell_prepared() {
    hand_over(&[PREPARED]);
}

/// Hands bytes to the process that waits for this one, all at once. Says whether there is such a process, and it has
/// received them.
fn hand_over(bytes: &[u8]) -> bool {
    let Some(heir) = HEIR.get() else { return false };
    heir.lock().unwrap_or_else(PoisonError::into_inner).write_all(bytes).is_ok()
}

/// The last line of what the command ends with, and the exit code that belongs to it, while standard output takes it.
static ENDING: Mutex<Option<(String, i32)>> = Mutex::new(None);

/// A slow reader takes some of the output within this time; a reader that takes nothing does not read at all.
const PATIENCE: Duration = Duration::from_millis(300);

/// Output is written in pieces of this many bytes, so that it is known whether somebody reads.
const PIECE: usize = 1 << 12;

/// How many pieces were written.
static PIECES: AtomicUsize = AtomicUsize::new(0);

fn ending() -> MutexGuard<'static, Option<(String, i32)>> {
    ENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes what the command ends with. If that cannot be written, the last line goes to standard error.
fn write_ending(bytes: &[u8], line: &str, code: i32) {
    *ending() = Some((line.to_owned(), code));
    let written = write_bytes(bytes);
    let is_given_up = ending().take().is_none();
    if is_given_up {
        // The thread that has given up tells the last line, and ends the process.
        wait_for_the_end();
    }
    if !written {
        tell(line);
    }
}

/// Whether standard output takes what the command ends with at this moment.
pub fn is_ending() -> bool {
    ending().is_some()
}

/// Ends the process if all that is left to do is to write its last output, which nobody takes: a full pipe keeps a
/// process for ever. The last line goes to standard error, and the exit code is that of the answer. Does nothing if
/// there is more to do, or if the output was taken in the meantime.
pub fn give_up() {
    let (mut since, mut pieces) = (Instant::now(), PIECES.load(Ordering::Relaxed));
    while is_ending() {
        let written = PIECES.load(Ordering::Relaxed);
        if written != pieces {
            (since, pieces) = (Instant::now(), written);
        }
        if since.elapsed() < PATIENCE {
            thread::sleep(Duration::from_millis(10));
            continue;
        }
        let Some((line, code)) = ending().take() else { return };
        let (done, told) = mpsc::channel();
        let speak = move || {
            tell(&format!("error: cannot write to standard output: interrupted\n{line}"));
            let _ = done.send(());
        };
        // Standard error may be full, too.
        if thread::Builder::new().spawn(speak).is_ok() {
            let _ = told.recv_timeout(PATIENCE);
        }
        #[expect(clippy::exit, reason = "the thread that writes waits for a reader")]
        process::exit(code);
    }
}

/// What another process has handed over.
#[derive(PartialEq, Eq, Debug)]
pub struct HandedOver {
    /// Whether the folder of `--output-dir` was prepared.
    pub is_prepared: bool,
    /// The last line, and the exit code that belongs to it, if they are complete.
    pub said: Option<(String, i32)>,
}

/// Writes what another process hands over, as soon as that is complete.
pub fn write_handed_over(from: impl Read) -> HandedOver {
    let (is_prepared, said) = read_handed_over(from);
    let said = said.map(|(text, code)| {
        let line = last_line(&String::from_utf8_lossy(&text)).to_owned();
        write_ending(&text, &line, code);
        (line, code)
    });
    HandedOver { is_prepared, said }
}

/// Whether the folder was prepared, and the text that was handed over with its exit code, if they are complete.
fn read_handed_over(from: impl Read) -> (bool, Option<(Vec<u8>, i32)>) {
    let (mut from, mut text, mut code) = (BufReader::new(from), Vec::new(), [0]);
    let is_read = from.read_until(COMPLETE, &mut text).is_ok();
    let is_prepared = text.first() == Some(&PREPARED);
    let is_complete = is_read && text.pop() == Some(COMPLETE) && from.read_exact(&mut code).is_ok();
    text.drain(..usize::from(is_prepared).min(text.len()));
    (is_prepared, is_complete.then(|| (text, i32::from(code[0]))))
}

fn last_line(text: &str) -> &str {
    text.trim_end().lines().last().unwrap_or_default()
}

/// Writes what the command ends with, as the thread that works, and with the exit code that belongs to it. If a thread
/// that watches over limits was first, that one is about to end the process, and this one waits for that.
pub fn conclude(text: &str, exit: Exit) {
    conclude_after(text, exit, &|| {});
}

/// Writes what the command ends with, as [`conclude`] does, after something that must be done only if this thread is
/// the one that ends the command.
pub fn conclude_after(text: &str, exit: Exit, before: &dyn Fn()) {
    if write_last(text, exit, Concluded::ByWork(exit), before) == Concluded::ByWatch {
        wait_for_the_end();
    }
}

/// Writes what the command ends with, as a thread that watches over limits, unless another thread was first. Says
/// whether it did; then the caller ends the process with this exit code.
pub fn try_conclude(text: &str, exit: Exit) -> bool {
    try_conclude_after(text, exit, &|| {})
}

/// Writes what the command ends with, as [`try_conclude`] does, after something that must be done only if this thread
/// is the one that ends the command.
pub fn try_conclude_after(text: &str, exit: Exit, before: &dyn Fn()) -> bool {
    let is_first = Cell::new(false);
    write_last(text, exit, Concluded::ByWatch, &|| {
        is_first.set(true);
        before();
    });
    is_first.get()
}

/// The command has done its work, and the process ends with an exit code: that of the last line, if the command fails
/// after it. If a thread that watches over limits has written the last line, it is about to end the process, and this
/// one waits for that; otherwise no such thread writes a line any more.
pub fn end(exit: Exit) -> Exit {
    let mut concluded = CONCLUDED.lock().unwrap_or_else(PoisonError::into_inner);
    match *concluded.get_or_insert(Concluded::ByWork(exit)) {
        Concluded::ByWork(said) if exit == Exit::Internal => said,
        Concluded::ByWork(_) => exit,
        Concluded::ByWatch => {
            drop(concluded);
            wait_for_the_end()
        }
    }
}

fn wait_for_the_end() -> ! {
    loop {
        thread::park();
    }
}

/// Writes what the command ends with, unless another thread was first, and says who was.
fn write_last(text: &str, exit: Exit, by: Concluded, before: &dyn Fn()) -> Concluded {
    let last = format!("{}\n", last_line(text));
    let is_short = style().quiet && !FOR_PROGRAMS.load(Ordering::Relaxed);
    // The text is made before anything is done: an allocation that is refused after `before` would leave files without
    // a last line.
    let mut bytes = painted(if is_short { &last } else { text }).into_bytes();
    let length = bytes.len();
    bytes.extend([COMPLETE, u8::try_from(exit.code()).unwrap_or(u8::MAX)]);
    // The lock is held while the text is written, so that nobody ends the process in the middle of it.
    let mut concluded = CONCLUDED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(first) = *concluded {
        return first;
    }
    *concluded = Some(by);
    before();
    if !hand_over(&bytes) {
        write_ending(&bytes[..length], last.trim_end(), exit.code());
    }
    by
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_handed_over_counts_when_it_is_complete() {
        let all = |text: &str, code: i32| Some((text.as_bytes().to_vec(), code));
        assert_eq!(read_handed_over(&b"a\nb\n\0\x0a"[..]), (false, all("a\nb\n", 10)));
        assert_eq!(read_handed_over(&b"\x01b\n\0\0"[..]), (true, all("b\n", 0)));
        for (part, is_prepared) in [
            (&b""[..], false),
            (b"\x01", true),
            (b"a\n", false),
            (b"\x01a\n", true),
            (b"a\n\0", false),
        ] {
            assert_eq!(read_handed_over(part), (is_prepared, None), "{part:?}");
        }
    }
}
