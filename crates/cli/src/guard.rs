//! Runs work with a deep stack, and turns a panic into a value.

use std::any::Any;
use std::fmt;
use std::panic::{self, AssertUnwindSafe};
use std::thread;

/// Stacks to try, the greatest first: parsers and walks over terms recurse, and where memory is
/// limited a great reservation may be refused.
const STACKS: [usize; 3] = [1 << 30, 1 << 28, 1 << 26];

/// A fault of Proviso, which has ended the work.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Panicked {
    /// What the panic said, in one line and without control characters: it may quote the input.
    pub message: String,
}

impl fmt::Display for Panicked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "internal error: {}", self.message)
    }
}

impl std::error::Error for Panicked {}

impl Panicked {
    fn of(payload: &(dyn Any + Send)) -> Self {
        let text = payload.downcast_ref::<&str>().copied();
        let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        Self { message: base::plain_line(text.unwrap_or("a panic without a message")).into_owned() }
    }
}

/// Does work on a thread with a deep stack, and waits for it.
///
/// ```
/// fn depth(left: u64) -> u64 {
///     let here = std::hint::black_box([left; 8]);
///     if left == 0 { 0 } else { 1 + depth(left - 1) + here[0] - left }
/// }
/// assert_eq!(proviso::guarded(|| depth(300_000)), Ok(300_000));
/// ```
///
/// # Errors
///
/// If the work panics.
pub fn guarded<T: Send>(work: impl Fn() -> T + Sync) -> Result<T, Panicked> {
    // A stack must not take the addresses that the run needs for everything else.
    let most = verify::room().map_or(usize::MAX, |room| usize::try_from(room / 4).unwrap_or(0));
    let least = STACKS[STACKS.len() - 1];
    let work = || panic::catch_unwind(AssertUnwindSafe(&work));
    let done = STACKS.into_iter().filter(|size| *size <= most.max(least)).find_map(|size| {
        let named = thread::Builder::new().name("proviso".to_owned()).stack_size(size);
        thread::scope(|scope| {
            let thread = named.spawn_scoped(scope, work).ok()?;
            Some(thread.join().unwrap_or_else(Err))
        })
    });
    done.unwrap_or_else(work).map_err(|payload| Panicked::of(&*payload))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_value() {
        assert_eq!(guarded(|| 7), Ok(7));
        let failed = guarded(|| -> u32 { panic!("on {}", "purpose") });
        assert_eq!(failed.map_err(|panicked| panicked.message), Err("on purpose".to_owned()));
        let failed = guarded(|| -> u32 { panic!("on\n{}", "\u{1b}[2J") });
        let message = failed.map_err(|panicked| panicked.message);
        assert_eq!(message, Err("on\\u000a\\u001b[2J".to_owned()));
    }
}
