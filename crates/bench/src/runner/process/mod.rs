//! A child process that is measured and kept within limits.
//!
//! The child leads a process group of its own, and whatever it starts ends with it, in a group or not. The limits are
//! looked at from outside: a child that exceeds one is asked to stop, by SIGTERM, and killed if it does not. Limits of
//! the kernel stand behind that, in case the process that watches is gone.

mod cgroup;
mod keeper;
mod members;
mod output;

use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::Receiver;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions};
use serde::{Deserialize, Serialize};
use wait4::Wait4;

use cgroup::Cgroup;
pub use cgroup::Cgroups;
pub use keeper::Keeper;
use members::Members;
pub(super) use members::end_left_over;

/// How long a child may take to stop after it was asked to.
const GRACE: Duration = Duration::from_secs(2);

/// How often the use of time and memory is compared with the limits.
const LOOK: Duration = Duration::from_millis(50);

/// What Proviso reserves and does not use: its deep stack and the heaps of its threads.
pub const RESERVED: u64 = 2 << 30;

/// A program that is to be run, with its arguments and limits.
#[derive(Clone, Debug)]
pub struct Job {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// What the program may use.
    pub limits: Limits,
    /// How many addresses the program may reserve beyond its limit of memory. Virtual machines reserve many.
    pub reserved: u64,
    /// The folder that the program works in; the folder of this process if none is given.
    pub folder: Option<PathBuf>,
}

/// How many runs this process has started; with this number, no two runs have the same mark.
static COUNT: AtomicU64 = AtomicU64::new(0);

/// What a process group may use.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Time on processors, of all processes together.
    pub cpu: Duration,
    /// Time on the clock, for processes that sleep.
    pub wall: Duration,
    /// Bytes in memory, of all processes together.
    pub memory: u64,
}

/// Why a process was told to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stopped {
    /// The process used more time on processors than it may.
    Cpu,
    /// The process took more time on the clock than it may.
    Wall,
    /// The process used more memory than it may.
    Memory,
    /// The whole batch is to end.
    Interrupted,
}

/// What came of a process.
#[derive(Clone, Debug)]
pub struct Measured {
    /// How the process ended.
    pub status: ExitStatus,
    /// Why the process was told to stop, if it was.
    pub stopped: Option<Stopped>,
    /// Time on processors, of all processes of the run as far as they were seen or waited for.
    pub cpu: Duration,
    /// Time on the clock.
    pub wall: Duration,
    /// The most bytes that the run had in memory; `None` if the number is not known.
    pub peak: Option<u64>,
    /// The end of the standard output of the process.
    pub out: String,
    /// The end of the standard error of the process.
    pub err: String,
}

/// Runs a process to its end, or until `stop` is set.
///
/// # Errors
/// If the process cannot be started or waited for.
pub fn run(job: &Job, keeper: &Keeper, stop: &AtomicBool) -> io::Result<Measured> {
    members::adopt_orphans();
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let mark = format!("{}-{}-{number}.", keeper.mark, std::process::id());
    let mut command = Command::new(&job.program);
    command.args(&job.arguments).env(members::MARK, &mark).process_group(0);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    if let Some(folder) = &job.folder {
        command.current_dir(folder);
    }
    let group = keeper.cgroups.as_ref().map(Cgroups::make).transpose()?;
    let start = Instant::now();
    let mut child = {
        let mut leaders = keeper.leaders();
        let child = command.spawn()?;
        leaders.insert(Pid::from_child(&child).as_raw_nonzero().get());
        child
    };
    let pid = Pid::from_child(&child);
    if let Some(group) = &group {
        // A process that has ended already needs no group.
        let _ = group.take(pid.as_raw_nonzero().get(), job.limits.memory);
    }
    restrict(pid, job);
    let out = output::listen(child.stdout.take());
    let err = output::listen(child.stderr.take());
    let mut watch = Watch { pid, group: group.as_ref(), start, most: 0, cpu: Duration::ZERO };
    let mut members = Members::new(keeper, group.as_ref(), pid, mark);
    let watched = watch.until_the_end(&mut members, &job.limits, stop);
    let wall = start.elapsed();
    // The leader is not reaped yet, so no other group can have the number of its group. No process of the run is left
    // behind; if none is left anyway, that is no error.
    let _ = rustix::process::kill_process_group(pid, Signal::KILL);
    watch.look(&mut members);
    watch.end(&mut members);
    let used = child.wait4();
    keeper.leaders().remove(&pid.as_raw_nonzero().get());
    let (used, mut stopped) = (used?, watched?);
    if group.as_ref().is_some_and(Cgroup::ran_out) {
        stopped = stopped.or(Some(Stopped::Memory));
    }
    let counted = group.as_ref().and_then(Cgroup::peak);
    let text = |heard: Option<Receiver<Vec<u8>>>| {
        let bytes = heard.and_then(|heard| heard.recv_timeout(GRACE).ok()).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    };
    Ok(Measured {
        status: used.status,
        stopped,
        cpu: (used.rusage.utime + used.rusage.stime).max(watch.cpu),
        wall,
        peak: counted.or_else(|| peak(used.rusage.maxrss, watch.most)),
        out: text(out),
        err: text(err),
    })
}

/// A run that is watched while it goes on.
struct Watch<'g> {
    pid: Pid,
    group: Option<&'g Cgroup>,
    start: Instant,
    /// The most memory that was seen.
    most: u64,
    /// The time on processors that was seen last.
    cpu: Duration,
}

impl Watch<'_> {
    /// Waits until the leader has ended, without reaping it, and enforces the limits meanwhile. Gives back why the
    /// leader was told to stop.
    fn until_the_end(
        &mut self,
        members: &mut Members,
        limits: &Limits,
        stop: &AtomicBool,
    ) -> io::Result<Option<Stopped>> {
        let ended = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let (mut told, mut looked) = (None::<(Stopped, Instant)>, self.start);
        let mut pause = Duration::from_micros(500);
        loop {
            if rustix::process::waitid(WaitId::Pid(self.pid), ended)?.is_some() {
                return Ok(told.map(|(why, _)| why));
            }
            if looked.elapsed() >= LOOK {
                looked = Instant::now();
                let memory = self.look(members);
                let why = if stop.load(Ordering::Relaxed) {
                    Some(Stopped::Interrupted)
                } else if memory > limits.memory {
                    Some(Stopped::Memory)
                } else if self.cpu > limits.cpu {
                    Some(Stopped::Cpu)
                } else if self.start.elapsed() > limits.wall {
                    Some(Stopped::Wall)
                } else {
                    None
                };
                let late = told.is_some_and(|(_, when)| when.elapsed() > GRACE);
                if late || memory > limits.memory.saturating_add(limits.memory / 4) {
                    // The next round of the loop notices that the leader has ended.
                    let _ = rustix::process::kill_process_group(self.pid, Signal::KILL);
                    self.end(members);
                }
                if let (None, Some(why)) = (told, why) {
                    told = Some((why, looked));
                    // Only the leader is told: it ends the processes that it has started, and can still write its
                    // results.
                    let _ = rustix::process::kill_process(self.pid, Signal::TERM);
                }
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(10));
        }
    }

    /// Notes what the run uses now, and gives back how much memory this is.
    fn look(&mut self, members: &mut Members) -> u64 {
        let used = members.usage();
        self.most = self.most.max(used.memory);
        let counted = self.group.and_then(Cgroup::cpu).unwrap_or_default();
        self.cpu = self.cpu.max(used.cpu).max(counted);
        used.memory
    }

    /// Ends all processes that the leader has started.
    fn end(&self, members: &mut Members) {
        if let Some(group) = self.group {
            group.end();
        }
        members.end();
    }
}

/// The peak of a process, from the kernel's figure at its end and from what was seen meanwhile. Linux counts from
/// before `exec`, when the child still has the memory of this program.
fn peak(counted: u64, seen: u64) -> Option<u64> {
    let own = verify::peak().unwrap_or_default();
    if counted > own { Some(counted.max(seen)) } else { Some(seen).filter(|seen| *seen > 0) }
}

/// Sets limits of the kernel, somewhat beyond the limits that are enforced from outside.
#[cfg(target_os = "linux")]
fn restrict(pid: Pid, job: &Job) {
    use rustix::process::{Resource, Rlimit, prlimit};
    let Limits { cpu, memory, .. } = job.limits;
    let seconds = (cpu + 2 * GRACE).as_secs() + 1;
    let memory = memory.saturating_add(memory / 4).saturating_add(job.reserved);
    for (resource, most) in [(Resource::Cpu, seconds), (Resource::As, memory), (Resource::Core, 0)]
    {
        // A child that has ended needs no limits, and a system that has lower ones keeps them.
        let _ = prlimit(Some(pid), resource, Rlimit { current: Some(most), maximum: Some(most) });
    }
}

#[cfg(not(target_os = "linux"))]
fn restrict(_: Pid, _: &Job) {}
