//! A second process for where the system limits the addresses of a process: an allocation that it
//! refuses ends a process without a word, and somebody has to print the last line.

use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process, set_parent_process_death_signal};

use crate::exit::Exit;
use crate::output;

/// Set for the process that works.
const WORKER: &str = "PROVISO_SUPERVISED";

/// Signals that are meant for the process that works.
const PASSED_ON: [Signal; 4] = [Signal::INT, Signal::TERM, Signal::HUP, Signal::USR1];

/// How often it is looked whether the other process has ended or a signal has come.
const PERIOD: Duration = Duration::from_millis(5);

/// Whether another process waits for this one, and passes signals on to it.
pub fn is_worker() -> bool {
    std::env::var_os(WORKER).is_some()
}

/// Has the command done by another process, if the system limits the addresses of processes and
/// this is not the other process already. Gives the number that it ended with. If it died, the last words
/// are printed for it.
pub fn run(last_words: &dyn Fn() -> String) -> Option<i32> {
    if is_worker() {
        // Nobody is left to wait for the answer if the first process is killed.
        let _ = set_parent_process_death_signal(Some(Signal::TERM));
        // A thread that is refused memory while another one has just ended the command must not have
        // the first process write a second answer.
        let _ = signal_hook::flag::register_conditional_shutdown(
            Signal::ABORT.as_raw(),
            Exit::Unknown.code(),
            output::written(),
        );
        return None;
    }
    verify::room()?;
    let came = PASSED_ON.map(|signal| {
        let came = Arc::new(AtomicBool::new(false));
        // A signal that cannot be listened to ends this process, and that ends the other one.
        let _ = signal_hook::flag::register(signal.as_raw(), Arc::clone(&came));
        (signal, came)
    });
    let worker = Command::new(std::env::current_exe().ok()?)
        .args(std::env::args_os().skip(1))
        .env(WORKER, "1")
        .spawn()
        .ok()?;
    let status = wait(worker, &came)?;
    if let Some(code) = status.code() {
        return Some(code);
    }
    let signal = status.signal().unwrap_or_default();
    output::tell(&format!(
        "the system ended the run, whose addresses are limited (signal {signal})"
    ));
    output::conclude(&last_words());
    Some(Exit::Unknown.code())
}

fn wait(mut worker: Child, came: &[(Signal, Arc<AtomicBool>)]) -> Option<ExitStatus> {
    loop {
        if let Some(status) = worker.try_wait().ok()? {
            return Some(status);
        }
        for (signal, came) in came {
            if came.swap(false, Ordering::Relaxed) {
                let _ = kill_process(Pid::from_child(&worker), *signal);
            }
        }
        thread::sleep(PERIOD);
    }
}
