//! A fault of Proviso becomes a message with what is needed to report it, and an exit code.

use std::panic;
use std::sync::{Arc, Mutex, PoisonError};

use base::plain_line;
use rustix::process::Signal;

use crate::exit::Exit;
use crate::output;

/// Runs the command to its end.
pub fn run(command: impl Fn() -> Exit + Sync) -> Exit {
    let first = watch();
    proviso::guarded(command).unwrap_or_else(|panicked| {
        let message = first.lock().unwrap_or_else(PoisonError::into_inner).take();
        output::tell(&told(&message.unwrap_or(panicked.message)));
        Exit::Internal
    })
}

/// Has a write past the limit on the size of files fail, as other writes do that cannot be done. Otherwise the
/// system would end the process without its last line.
pub fn keep_file_limit_harmless() {
    // Where the signal cannot be caught, it ends the process as usual.
    let _ = signal_hook::flag::register(Signal::XFSZ.as_raw(), Arc::default());
}

/// Keeps the first panic's message and place instead of printing it. The message may quote the input, and must be one
/// line.
fn watch() -> Arc<Mutex<Option<String>>> {
    let first = Arc::new(Mutex::new(None));
    let kept = Arc::clone(&first);
    panic::set_hook(Box::new(move |info| {
        let text = info.payload_as_str().unwrap_or("a panic without a message");
        let place = info.location().map(|place| format!(" at {place}")).unwrap_or_default();
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get_or_insert_with(|| format!("{}{place}", plain_line(text)));
    }));
    first
}

fn told(message: &str) -> String {
    let command: Vec<_> =
        std::env::args_os().map(|part| plain_line(&part.to_string_lossy()).into_owned()).collect();
    format!(
        "internal error: {message}\n  version: proviso {}\n  command: {}\n\
         This is a fault of Proviso, not of the input. Please report it with these lines.",
        crate::arguments::VERSION,
        command.join(" ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_internal_error() {
        assert_eq!(run(|| Exit::Done), Exit::Done);
        assert_eq!(run(|| panic!("on purpose")), Exit::Internal);
        let first = watch();
        let _ = panic::catch_unwind(|| panic!("the first\n\u{1b}[2J"));
        let _ = panic::catch_unwind(|| panic!("the second"));
        let message = first.lock().expect("no panic holds it").take().expect("a message");
        assert!(message.starts_with("the first\\u000a\\u001b[2J at "), "{message}");
        assert!(message.contains("fault.rs:"), "{message}");
    }
}
