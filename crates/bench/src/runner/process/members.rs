//! Which processes belong to a run, and what they use.
//!
//! A process belongs to a run if it descends from the leader of the run. A process whose parent has ended becomes a
//! child of this process, which reaps it: that such a child belongs to a run is known because it was seen before, or by
//! the mark that all processes of a run inherit in their environment.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::OnceLock;
use std::time::Duration;

use rustix::process::{Pid, Signal, WaitOptions};

use super::cgroup::Cgroup;
use super::keeper::Keeper;

/// The variable with the mark of a run.
pub(super) const MARK: &str = "PROVISO_BENCH_RUN";

/// A process that cannot be mistaken for a later one with the same number.
type Identity = (i32, u64);

/// The processes of a run.
#[derive(Debug)]
pub(super) struct Members<'k> {
    keeper: &'k Keeper,
    group: Option<&'k Cgroup>,
    leader: i32,
    mark: String,
    /// Processes that were seen to descend from the leader.
    known: BTreeSet<Identity>,
    /// Processor time of processes that ended as children of this process.
    gone: Duration,
}

/// What the processes of a run have used so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Usage {
    pub cpu: Duration,
    pub memory: u64,
}

/// What the system says of a process: proc(5), `stat`.
#[derive(Clone, Copy, Debug)]
struct Stat {
    zombie: bool,
    parent: i32,
    /// Time on processors, with the time of children that the process has waited for.
    cpu: Duration,
    start: u64,
    memory: u64,
}

impl<'k> Members<'k> {
    pub fn new(keeper: &'k Keeper, group: Option<&'k Cgroup>, leader: Pid, mark: String) -> Self {
        let leader = leader.as_raw_nonzero().get();
        Self { keeper, group, leader, mark, known: BTreeSet::new(), gone: Duration::ZERO }
    }

    /// What all processes of the run use now. Orphans that have ended are reaped.
    pub fn usage(&mut self) -> Usage {
        let mut sum = Usage::default();
        for (number, stat) in self.living() {
            if stat.zombie && number != self.leader && stat.parent == own() {
                self.gone += stat.cpu;
                reap(number);
                continue;
            }
            sum.cpu += stat.cpu;
            sum.memory += stat.memory;
        }
        sum.cpu += self.gone;
        sum
    }

    /// Ends all processes of the run but the leader, which the process that started it waits for. A process may be
    /// started while others are ended, so this is repeated until no process is left.
    pub fn end(&mut self) {
        for _ in 0..100 {
            let mut left = false;
            for (number, stat) in self.living() {
                if number == self.leader {
                    continue;
                }
                if stat.zombie {
                    if stat.parent == own() {
                        self.gone += stat.cpu;
                        reap(number);
                    }
                } else {
                    left = true;
                    kill(number);
                }
            }
            if !left {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// The processes of the run that are there, zombies too.
    fn living(&mut self) -> BTreeMap<i32, Stat> {
        let mut found = BTreeMap::new();
        let mut open: Vec<i32> = vec![self.leader];
        open.extend(self.group.map(Cgroup::processes).unwrap_or_default());
        for orphan in self.orphans() {
            let Some(stat) = stat(orphan) else { continue };
            if self.known.contains(&(orphan, stat.start)) || is_marked(orphan, &self.mark) {
                open.push(orphan);
            }
        }
        while let Some(number) = open.pop() {
            let Some(stat) = stat(number) else { continue };
            if found.insert(number, stat).is_none() {
                self.known.insert((number, stat.start));
                open.extend(children(number));
            }
        }
        found
    }

    /// Children of this process that lead no run. If this process starts nothing but runs, each such child comes from a
    /// run. With a single run, all of them belong to it. With several runs, a child without a mark is ended: it has
    /// removed the mark from its environment, so the run that it comes from cannot be told.
    fn orphans(&mut self) -> Vec<i32> {
        let leaders = self.keeper.leaders();
        let mut orphans = children(own());
        orphans.retain(|child| !leaders.contains(child));
        if !self.keeper.sole {
            return orphans;
        }
        let alone = leaders.len() == 1;
        for orphan in &orphans {
            let Some(stat) = stat(*orphan) else { continue };
            if alone {
                self.known.insert((*orphan, stat.start));
            } else if stat.zombie {
                reap(*orphan);
            } else if !is_marked(*orphan, &self.keeper.mark) {
                kill(*orphan);
            }
        }
        orphans
    }
}

/// Has orphans of the processes that this process starts become its children, where the system can do that.
pub(super) fn adopt_orphans() {
    #[cfg(target_os = "linux")]
    {
        // The argument is a truth value, although its type is that of a process number.
        let _ = rustix::process::set_child_subreaper(Pid::from_raw(1));
    }
}

/// Ends all processes whose mark begins with `beginning`, even if this process has not started them: a killed batch has
/// left them behind. Gives back how many there were.
pub(in crate::runner) fn end_left_over(beginning: &str) -> usize {
    let mut count = 0;
    for _ in 0..10 {
        let left: Vec<i32> = all().filter(|number| is_marked(*number, beginning)).collect();
        if left.is_empty() {
            break;
        }
        count = count.max(left.len());
        for number in left {
            kill(number);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    count
}

fn own() -> i32 {
    rustix::process::getpid().as_raw_nonzero().get()
}

fn kill(number: i32) {
    if let Some(pid) = Pid::from_raw(number).filter(|_| number > 1) {
        // The process may have ended meanwhile.
        let _ = rustix::process::kill_process(pid, Signal::KILL);
    }
}

fn reap(number: i32) {
    let _ = rustix::process::waitpid(Pid::from_raw(number), WaitOptions::NOHANG);
}

/// Whether the environment of a process has a mark that begins with `beginning`.
fn is_marked(number: i32, beginning: &str) -> bool {
    let wanted = format!("{MARK}={beginning}");
    let Ok(bytes) = fs::read(format!("/proc/{number}/environ")) else { return false };
    bytes.split(|byte| *byte == 0).any(|entry| entry.starts_with(wanted.as_bytes()))
}

/// The numbers of all processes.
fn all() -> impl Iterator<Item = i32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_string_lossy().parse().ok())
}

/// The children of a process: those of each of its threads.
fn children(number: i32) -> Vec<i32> {
    static TOLD: OnceLock<bool> = OnceLock::new();
    let told = *TOLD.get_or_init(|| fs::read("/proc/thread-self/children").is_ok());
    if !told {
        return all().filter(|other| stat(*other).is_some_and(|it| it.parent == number)).collect();
    }
    let mut found = Vec::new();
    for thread in fs::read_dir(format!("/proc/{number}/task")).into_iter().flatten().flatten() {
        // Threads come and go while the folder is read.
        let text = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
        found.extend(text.split_whitespace().filter_map(|word| word.parse::<i32>().ok()));
    }
    found
}

fn stat(number: i32) -> Option<Stat> {
    let text = fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
    // proc(5): the name, in parentheses, may contain anything.
    let (_, rest) = text.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let number = |index: usize| fields.get(index).and_then(|field| field.parse::<u64>().ok());
    let (page, ticks) =
        (rustix::param::page_size() as u64, rustix::param::clock_ticks_per_second());
    // utime, stime, and those of children that were waited for.
    let spent: u64 = (11..15).filter_map(number).sum();
    Some(Stat {
        zombie: fields.first().is_some_and(|state| *state == "Z" || *state == "X"),
        parent: fields.get(1)?.parse().ok()?,
        cpu: Duration::from_millis(spent.saturating_mul(1000) / ticks.max(1)),
        start: number(19)?,
        memory: number(21).unwrap_or_default().saturating_mul(page),
    })
}
