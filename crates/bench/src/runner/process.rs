//! A child process that is measured and kept within limits.
//!
//! The child leads a process group of its own, so that whatever it starts ends with it. The limits
//! are looked at from outside: a child that exceeds one is asked to stop, by SIGTERM, and killed
//! if it does not. Limits of the kernel stand behind that, in case the one who looks is gone.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions};
use wait4::Wait4;

/// How long a child may take to stop after it was asked to.
const GRACE: Duration = Duration::from_secs(2);

/// How often the limits are looked at.
const LOOK: Duration = Duration::from_millis(50);

/// How much of what a process writes is kept: the end, where the answer is.
const KEPT: usize = 1 << 16;

/// What a process reserves and does not use: its deep stack and the heaps of its threads.
#[cfg(target_os = "linux")]
const RESERVED: u64 = 2 << 30;

/// What is to be run.
#[derive(Clone, Debug)]
pub struct Job {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// What it may use.
    pub limits: Limits,
}

/// What a process group may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Time on processors, of all processes together.
    pub cpu: Duration,
    /// Time on the clock, for those that sleep.
    pub wall: Duration,
    /// Bytes in memory, of all processes together.
    pub memory: u64,
}

/// Why a process was told to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stopped {
    /// It used more time on processors than it may.
    Cpu,
    /// It took more time on the clock than it may.
    Wall,
    /// It used more memory than it may.
    Memory,
    /// The whole run is to end.
    Interrupted,
}

/// What came of a process.
#[derive(Clone, Debug)]
pub struct Measured {
    /// How it ended.
    pub status: ExitStatus,
    /// Why it was told to stop, if it was.
    pub stopped: Option<Stopped>,
    /// Time on processors, of the process and of those that it has waited for.
    pub cpu: Duration,
    /// Time on the clock.
    pub wall: Duration,
    /// The most bytes that it had in memory; none if that is less than what this program had.
    pub peak: Option<u64>,
    /// The end of what it wrote to standard output.
    pub out: String,
    /// The end of what it wrote to standard error.
    pub err: String,
}

/// Runs a process to its end, or until `stop` is set.
///
/// # Errors
/// If the process cannot be started or waited for.
pub fn run(job: &Job, stop: &AtomicBool) -> io::Result<Measured> {
    let start = Instant::now();
    let mut child = Command::new(&job.program)
        .args(&job.arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()?;
    let pid = Pid::from_child(&child);
    restrict(pid, &job.limits);
    let out = listen(child.stdout.take());
    let err = listen(child.stderr.take());
    let watched = watch(pid, &job.limits, start, stop);
    let wall = start.elapsed();
    // The leader is not reaped yet, so the number of the group cannot be another's. Nothing of the
    // group is left behind; that it may be empty is no error.
    let _ = rustix::process::kill_process_group(pid, Signal::KILL);
    let used = child.wait4()?;
    let (stopped, seen) = watched?;
    let text = |heard: Option<Receiver<Vec<u8>>>| {
        let bytes = heard.and_then(|heard| heard.recv_timeout(GRACE).ok()).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    };
    Ok(Measured {
        status: used.status,
        stopped,
        cpu: used.rusage.utime + used.rusage.stime,
        wall,
        peak: peak(used.rusage.maxrss, seen),
        out: text(out),
        err: text(err),
    })
}

/// Waits until the leader has ended, without reaping it, and sees to the limits meanwhile. Gives
/// back why it was told to stop, and the most memory that was seen.
fn watch(
    pid: Pid,
    limits: &Limits,
    start: Instant,
    stop: &AtomicBool,
) -> io::Result<(Option<Stopped>, u64)> {
    let ended = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let (mut told, mut most, mut looked) = (None, 0, start);
    let mut pause = Duration::from_micros(500);
    loop {
        if rustix::process::waitid(WaitId::Pid(pid), ended)?.is_some() {
            return Ok((told.map(|(why, _)| why), most));
        }
        if looked.elapsed() >= LOOK {
            looked = Instant::now();
            let used = usage(pid);
            most = most.max(used.memory);
            let why = if stop.load(Ordering::Relaxed) {
                Some(Stopped::Interrupted)
            } else if used.memory > limits.memory {
                Some(Stopped::Memory)
            } else if used.cpu > limits.cpu {
                Some(Stopped::Cpu)
            } else if start.elapsed() > limits.wall {
                Some(Stopped::Wall)
            } else {
                None
            };
            let late = told.is_some_and(|(_, when): (Stopped, Instant)| when.elapsed() > GRACE);
            if late || used.memory > limits.memory.saturating_add(limits.memory / 4) {
                // It is noticed above that the leader is gone.
                let _ = rustix::process::kill_process_group(pid, Signal::KILL);
            }
            if let (None, Some(why)) = (told, why) {
                told = Some((why, looked));
                // The leader alone: it ends what it has started, and still says what it did.
                let _ = rustix::process::kill_process(pid, Signal::TERM);
            }
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    }
}

/// The peak of a process, from what the kernel says at its end and what was seen meanwhile. Linux
/// counts from before `exec`, when the child still has the memory of this program.
fn peak(counted: u64, seen: u64) -> Option<u64> {
    let own = verify::peak().unwrap_or_default();
    if counted > own { Some(counted.max(seen)) } else { Some(seen).filter(|seen| *seen > 0) }
}

/// Limits of the kernel, somewhat beyond those that are looked at from outside.
#[cfg(target_os = "linux")]
fn restrict(pid: Pid, limits: &Limits) {
    use rustix::process::{Resource, Rlimit, prlimit};
    let seconds = (limits.cpu + 2 * GRACE).as_secs() + 1;
    let memory = limits.memory.saturating_add(limits.memory / 4).saturating_add(RESERVED);
    for (resource, most) in [(Resource::Cpu, seconds), (Resource::As, memory), (Resource::Core, 0)]
    {
        // A child that has ended needs no limits, and a system that has lower ones keeps them.
        let _ = prlimit(Some(pid), resource, Rlimit { current: Some(most), maximum: Some(most) });
    }
}

#[cfg(not(target_os = "linux"))]
fn restrict(_: Pid, _: &Limits) {}

/// Reads to the end in a thread of its own and gives back the last part.
fn listen(pipe: Option<impl Read + Send + 'static>) -> Option<Receiver<Vec<u8>>> {
    let mut pipe = pipe?;
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let (mut kept, mut buffer) = (Vec::new(), vec![0; 1 << 13]);
        while let Ok(count @ 1..) = pipe.read(&mut buffer) {
            kept.extend_from_slice(&buffer[..count]);
            if kept.len() > 2 * KEPT {
                kept.drain(..kept.len() - KEPT);
            }
        }
        // Nobody may be waiting any more.
        let _ = sender.send(kept);
    });
    Some(receiver)
}

#[derive(Clone, Copy, Debug, Default)]
struct Usage {
    cpu: Duration,
    memory: u64,
}

/// What the processes of a group have used so far, as far as the system says so.
fn usage(group: Pid) -> Usage {
    let mut sum = Usage::default();
    let (page, ticks) =
        (rustix::param::page_size() as u64, rustix::param::clock_ticks_per_second());
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        if !entry.file_name().to_string_lossy().starts_with(|first: char| first.is_ascii_digit()) {
            continue;
        }
        // Processes come and go while the folder is read.
        let Ok(text) = fs::read_to_string(entry.path().join("stat")) else { continue };
        // proc(5): the name, in parentheses, may contain anything.
        let Some((_, rest)) = text.rsplit_once(')') else { continue };
        let fields: Vec<&str> = rest.split_whitespace().collect();
        let number = |index: usize| fields.get(index).and_then(|field| field.parse::<u64>().ok());
        if number(2) != u64::try_from(group.as_raw_nonzero().get()).ok() {
            continue;
        }
        // utime, stime, and those of children that were waited for.
        let spent: u64 = (11..15).filter_map(number).sum();
        sum.cpu += Duration::from_millis(spent.saturating_mul(1000) / ticks.max(1));
        sum.memory += number(21).unwrap_or_default().saturating_mul(page);
    }
    sum
}
