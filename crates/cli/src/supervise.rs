//! A second process for where the system limits the addresses of a process: an allocation that it
//! refuses ends a process without a word, and somebody has to print the last line. The worker hands its last output
//! to the waiting process, which alone prints last lines: so there is exactly one last line, whenever the worker dies.

use std::fs::File;
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::os::fd::AsRawFd as _;
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{self, Child, Command, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process, set_parent_process_death_signal};
use signal_hook::{flag, low_level::pipe};

use crate::arguments::ANSWERING;
use crate::exit::Exit;
use crate::output::{HandedOver, WORKER};
use crate::{commands, fault, output, understood};

/// Signals that are passed on to the process that works.
const PASSED_ON: [Signal; 4] = [Signal::INT, Signal::TERM, Signal::HUP, Signal::USR1];

/// How often to look whether the last output is written, if nothing tells this process.
const ANEW: Duration = Duration::from_millis(50);

/// A signal that is passed on, and whether it has come.
type Passed = (Signal, Arc<AtomicBool>);

/// Has the command done by another process, if the command may be one that has to answer, the system limits the
/// addresses of processes, and this is not the other process already. Gives the number that the other process ended
/// with. If it died, the last words are printed for it.
///
/// The command line is not read before: the other process reads it, and its errors are told there.
pub fn run() -> Option<i32> {
    if output::is_worker() {
        // Nobody is left to wait for the answer if the first process is killed.
        let _ = set_parent_process_death_signal(Some(Signal::TERM));
        let heir = std::env::var_os(WORKER)?;
        output::hand_over_to(File::options().write(true).open(heir).ok()?);
        return None;
    }
    if !std::env::args_os().any(|word| ANSWERING.iter().any(|name| word == *name)) {
        return None;
    }
    verify::room()?;
    let (handed, way) = io::pipe().ok()?;
    // The path leads to the pipe as long as this process has its end open.
    let heir = format!("/proc/{}/fd/{}", process::id(), way.as_raw_fd());
    File::options().write(true).open(&heir).ok()?;
    let (mut told, tell) = UnixStream::pair().ok()?;
    let came = PASSED_ON.map(|signal| (signal, Arc::new(AtomicBool::new(false))));
    pipe::register(Signal::CHILD.as_raw(), tell.try_clone().ok()?).ok()?;
    for (signal, came) in &came {
        // A signal that cannot be listened to ends this process, and that ends the other one. The flag is set first,
        // and the byte is written then, so that the thread that reads the byte finds the flag.
        let _ = flag::register(signal.as_raw(), Arc::clone(came));
        let _ = pipe::register(signal.as_raw(), tell.try_clone().ok()?);
    }
    fault::keep_file_limit_harmless();
    let mut has_written = tell.try_clone().ok()?;
    let writing = move || {
        let handed = output::write_handed_over(handed);
        let _ = has_written.write_all(&[0]);
        handed
    };
    let writing = thread::Builder::new().spawn(writing).ok()?;
    let worker = Command::new(std::env::current_exe().ok()?)
        .args(std::env::args_os().skip(1))
        .env(WORKER, heir)
        .spawn()
        .ok()?;
    let (status, is_interrupted) = wait(worker, &came, &mut told)?;
    drop(way);
    let _ = told.set_read_timeout(Some(ANEW));
    if is_interrupted {
        output::give_up();
    }
    let handed = attended(writing, &came, &mut told)?;
    if let Some(code) = status.code() {
        return Some(code);
    }
    let speaking = move || speak_for_the_dead(&status, &handed);
    let speaking = thread::Builder::new().spawn(speaking).ok()?;
    attended(speaking, &came, &mut told)
}

/// What comes of a thread that writes the last output. The other process has ended, so there is no process to pass a
/// signal on to: a signal ends this process if nobody reads the output.
fn attended<T>(writing: JoinHandle<T>, came: &[Passed], told: &mut UnixStream) -> Option<T> {
    while !writing.is_finished() {
        let _ = told.read(&mut [0; 64]);
        let ends = came.iter().filter(|(signal, _)| *signal != Signal::USR1);
        if ends.fold(false, |any, (_, came)| came.swap(false, Ordering::Relaxed) || any) {
            output::give_up();
        }
    }
    writing.join().ok()
}

/// Waits until the other process has ended, and passes signals on to it. Says whether a signal that ends a run came
/// when the other process had handed over all that it had to say.
fn wait(mut worker: Child, came: &[Passed], told: &mut UnixStream) -> Option<(ExitStatus, bool)> {
    let mut is_interrupted = false;
    loop {
        if let Some(status) = worker.try_wait().ok()? {
            return Some((status, is_interrupted));
        }
        for (signal, came) in came {
            if came.swap(false, Ordering::Relaxed) {
                is_interrupted |= *signal != Signal::USR1 && output::is_ending();
                let _ = kill_process(Pid::from_child(&worker), *signal);
            }
        }
        // Each signal writes a byte, and so does the signal that the other process has ended.
        match told.read(&mut [0; 64]) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Ok(0) | Err(_) => return Some((worker.wait().ok()?, is_interrupted)),
            Ok(_) => {}
        }
    }
}

/// Says the last words of a process that the system has ended, if it has not said them, and gives the exit code that
/// belongs to them. After an UNKNOWN, the folder that was asked for gets the result.
fn speak_for_the_dead(status: &ExitStatus, handed: &HandedOver) -> i32 {
    let unknown = Exit::Unknown.code();
    if let Some((_, code)) = &handed.said
        && *code != unknown
    {
        return *code;
    }
    let arguments = match understood() {
        Ok(arguments) => arguments,
        Err(exit) => return exit.code(),
    };
    let line = match &handed.said {
        Some((line, _)) => line.as_str(),
        None => {
            let signal = status.signal().unwrap_or_default();
            output::tell(&format!(
                "the system ended the run, whose addresses are limited (signal {signal})"
            ));
            let line = arguments.command.answer_after(Exit::Unknown).unwrap_or_default();
            if !line.is_empty() {
                let form = arguments.command.form();
                output::conclude(&commands::last_words(form, line, Exit::Unknown), Exit::Unknown);
            }
            line
        }
    };
    commands::leave_for_the_dead(&arguments, line, handed);
    unknown
}
