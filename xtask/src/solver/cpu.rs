//! Processor time, of this thread and of children that have ended.

use std::time::Duration;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;

/// What this thread has used.
pub fn thread() -> Result<Duration, String> {
    used(UsageWho::RUSAGE_THREAD)
}

/// What all children have used that have ended.
pub fn children() -> Result<Duration, String> {
    used(UsageWho::RUSAGE_CHILDREN)
}

fn used(who: UsageWho) -> Result<Duration, String> {
    let usage = getrusage(who).map_err(|error| format!("the system does not say: {error}"))?;
    Ok(duration(usage.user_time()) + duration(usage.system_time()))
}

fn duration(time: TimeVal) -> Duration {
    let seconds = u64::try_from(time.tv_sec()).unwrap_or(0);
    let micros = u64::try_from(time.tv_usec()).unwrap_or(0);
    Duration::from_secs(seconds) + Duration::from_micros(micros)
}
