//! Runs a command with a deep stack, and turns a panic into a message and an exit code.

use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use rustix::process::Signal;

use crate::exit::Exit;
use crate::output;

/// Stacks to try, the greatest first: parsers and walks over terms recurse, and where memory is
/// limited a great reservation may be refused.
const STACKS: [usize; 3] = [1 << 30, 1 << 28, 1 << 26];

/// Runs the command to its end.
pub fn run(command: impl Fn() -> Exit + Send + Sync + 'static) -> Exit {
    let panicked = watch();
    let command = Arc::new(command);
    // A stack must not take the addresses that the run needs for everything else.
    let most = verify::room().map_or(usize::MAX, |room| usize::try_from(room / 4).unwrap_or(0));
    let least = STACKS[STACKS.len() - 1];
    for size in STACKS.into_iter().filter(|size| *size <= most.max(least)) {
        let command = Arc::clone(&command);
        let thread = thread::Builder::new().name("proviso".to_owned()).stack_size(size);
        if let Ok(handle) =
            thread.spawn(move || panic::catch_unwind(AssertUnwindSafe(|| command())))
        {
            return match handle.join() {
                Ok(Ok(exit)) => exit,
                _ => report(&panicked),
            };
        }
    }
    panic::catch_unwind(AssertUnwindSafe(|| command())).unwrap_or_else(|_| report(&panicked))
}

/// Has a write past the limit on the size of files fail, as other writes do that cannot be done. Otherwise the
/// system would end the process without its last line.
pub fn keep_file_limit_harmless() {
    // Where the signal cannot be caught, it ends the process as usual.
    let _ = signal_hook::flag::register(Signal::XFSZ.as_raw(), Arc::default());
}

type Panicked = Arc<Mutex<Option<String>>>;

/// Keeps the first panic's message and place instead of printing it.
fn watch() -> Panicked {
    let panicked = Panicked::default();
    let kept = Arc::clone(&panicked);
    panic::set_hook(Box::new(move |info| {
        let text = info.payload_as_str().unwrap_or("a panic without a message");
        let place = info.location().map(|place| format!(" at {place}")).unwrap_or_default();
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get_or_insert_with(|| format!("{text}{place}"));
    }));
    panicked
}

fn report(panicked: &Panicked) -> Exit {
    let message = panicked.lock().unwrap_or_else(PoisonError::into_inner).take();
    let message = message.unwrap_or_else(|| "the command ended without a result".to_owned());
    let command: Vec<_> =
        std::env::args_os().map(|part| part.to_string_lossy().into_owned()).collect();
    output::tell(&format!(
        "internal error: {message}\n  version: proviso {}\n  command: {}\n\
         This is a fault of Proviso, not of the input. Please report it with these lines.",
        crate::arguments::VERSION,
        command.join(" ")
    ));
    Exit::Internal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_internal_error() {
        assert_eq!(run(|| Exit::Done), Exit::Done);
        assert_eq!(run(|| panic!("on purpose")), Exit::Internal);
        let panicked = watch();
        let _ = panic::catch_unwind(|| panic!("the first"));
        let _ = panic::catch_unwind(|| panic!("the second"));
        let message = panicked.lock().expect("no panic holds it").take().expect("a message");
        assert!(message.starts_with("the first at ") && message.contains("guard.rs:"), "{message}");
    }

    /// Recursion that an ordinary stack of a thread does not bear.
    #[test]
    fn the_stack_is_deep() {
        fn depth(left: u64) -> u64 {
            let here = std::hint::black_box([left; 8]);
            if left == 0 { 0 } else { 1 + depth(left - 1) + here[0] - left }
        }
        let exit = run(|| if depth(300_000) == 300_000 { Exit::Done } else { Exit::Unknown });
        assert_eq!(exit, Exit::Done);
    }
}
