//! Standard output and standard error: what is written there has no control characters of others,
//! has colours where somebody watches, and what cannot be written is told.

mod paint;
mod program;
mod whole;

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, IsTerminal, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;

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

/// Whether something could not be written to standard output, though somebody wanted it.
static LOST: AtomicBool = AtomicBool::new(false);

/// Whether it was told that standard output cannot be written.
static TOLD: AtomicBool = AtomicBool::new(false);

/// Whether standard output is for programs: then it has no colours, and all of the result also where the user
/// wants to hear the answer only.
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

/// A number of things: `1 task`, `2 tasks`, `2 branches`.
pub fn counted(count: usize, what: &str) -> String {
    let ending = match count {
        1 => "",
        _ if what.ends_with("ch") => "es",
        _ => "s",
    };
    format!("{count} {what}{ending}")
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
    try_write(text);
}

fn try_write(text: &str) -> bool {
    write_bytes(painted(text).as_bytes())
}

/// A text as standard output has it.
fn painted(text: &str) -> String {
    let coloured = style().colours_out && !FOR_PROGRAMS.load(Ordering::Relaxed);
    paint::answer(&plain(text), coloured)
}

fn write_bytes(bytes: &[u8]) -> bool {
    let mut out = io::stdout().lock();
    let written = out.write_all(bytes).and_then(|()| out.flush());
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

/// Whether something could not be written to standard output, though somebody wanted it.
pub fn has_lost() -> bool {
    LOST.load(Ordering::Relaxed)
}

/// Whether the last line of the command was written, or is being written.
static CONCLUDED: Mutex<bool> = Mutex::new(false);

/// Where to hand what the command ends with, if another process writes that.
static HEIR: OnceLock<File> = OnceLock::new();

/// Follows what is handed over, so that the other process knows that it has all. No text has it.
const COMPLETE: u8 = 0;

/// From now on this process hands what the command ends with to another one, which writes it. Whatever happens to this
/// process then, the other one knows whether it has something to write.
pub fn hand_over_to(heir: File) {
    let _ = HEIR.set(heir);
}

/// Writes what another process has handed over, as soon as that is complete. Says whether it ever was.
pub fn write_handed_over(from: impl Read) -> bool {
    let mut text = Vec::new();
    let read = BufReader::new(from).read_until(COMPLETE, &mut text);
    if read.is_err() || text.pop() != Some(COMPLETE) {
        return false;
    }
    if !write_bytes(&text) {
        tell(last_line(&String::from_utf8_lossy(&text)));
    }
    true
}

fn hand_over(mut heir: &File, text: &str) -> bool {
    let mut bytes = painted(text).into_bytes();
    bytes.push(COMPLETE);
    heir.write_all(&bytes).is_ok()
}

fn last_line(text: &str) -> &str {
    text.trim_end().lines().last().unwrap_or_default()
}

/// Writes what the command ends with, as the thread that works. If the thread that watches over
/// limits was first, it is about to end the process, and this one waits for that.
pub fn conclude(text: &str) {
    conclude_after(text, &|| {});
}

/// Writes what the command ends with, as [`conclude`] does, after something that must be done only if this thread is
/// the one that ends the command.
pub fn conclude_after(text: &str, before: &dyn Fn()) {
    if !try_conclude_after(text, before) {
        loop {
            thread::park();
        }
    }
}

/// Writes what the command ends with, unless another thread was first. Says whether it did. If
/// standard output cannot be written, the last line goes to standard error.
pub fn try_conclude(text: &str) -> bool {
    try_conclude_after(text, &|| {})
}

/// Writes what the command ends with, unless another thread was first, after something that must be done only
/// in that case. Says whether it did. If standard output cannot be written, the last line goes to standard error.
pub fn try_conclude_after(text: &str, before: &dyn Fn()) -> bool {
    // Held while the text is written, so that nobody ends the process in the middle of it.
    let mut concluded = CONCLUDED.lock().unwrap_or_else(PoisonError::into_inner);
    if *concluded {
        return false;
    }
    *concluded = true;
    before();
    let last = format!("{}\n", last_line(text));
    let is_short = style().quiet && !FOR_PROGRAMS.load(Ordering::Relaxed);
    let text = if is_short { &last } else { text };
    let is_handed_over = HEIR.get().is_some_and(|heir| hand_over(heir, text));
    if !is_handed_over && !try_write(text) {
        tell(last.trim_end());
    }
    true
}
