//! Control groups (version 2) for runs, where this process may make them. No process that a run starts leaves the group
//! of the run. The kernel counts what all processes of the group use and, where it has the controller of memory,
//! enforces the limit of memory.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// What the names of groups begin with, before the number of the process that made them.
const NAME: &str = "proviso-bench-";

/// Where groups for runs can be made.
#[derive(Debug)]
pub struct Cgroups {
    base: PathBuf,
    /// A group that this process has moved to, because a group with processes in it cannot hand on the controller of
    /// memory.
    moved: Option<PathBuf>,
    /// Whether the kernel enforces limits of memory.
    pub memory: bool,
    count: AtomicU64,
}

/// The group of a run.
#[derive(Debug)]
pub(super) struct Cgroup {
    path: PathBuf,
}

impl Cgroups {
    /// Finds out whether groups can be made inside the group of this process.
    ///
    /// # Errors
    /// Why groups cannot be made.
    pub fn new() -> Result<Self, String> {
        let own = fs::read_to_string("/proc/self/cgroup").map_err(|error| error.to_string())?;
        let own = own.lines().find_map(|line| line.strip_prefix("0::"));
        let own = own.ok_or("this process is in no control group of version 2")?;
        let mounts =
            fs::read_to_string("/proc/self/mountinfo").map_err(|error| error.to_string())?;
        let root = mounts.lines().find_map(mounted).ok_or("control groups are not mounted")?;
        let base = root.join(own.trim_start_matches('/'));
        remove_left_over(&base);
        let mut groups = Self { base, moved: None, memory: false, count: AtomicU64::new(0) };
        let first = groups.make().map_err(|error| format!("{}: {error}", groups.base.display()))?;
        drop(first);
        groups.hand_on_memory();
        Ok(groups)
    }

    /// Makes a group.
    pub(super) fn make(&self) -> io::Result<Cgroup> {
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        let path = self.base.join(format!("{NAME}{}-{number}", std::process::id()));
        fs::create_dir(&path)?;
        // The kernel can end all processes of a group at once since 5.14; without that, a group is of no use here.
        if !path.join("cgroup.kill").exists() {
            let _ = fs::remove_dir(&path);
            return Err(io::Error::other("this kernel cannot end control groups"));
        }
        Ok(Cgroup { path })
    }

    /// Has the kernel enforce limits of memory in the groups of runs, if it can.
    fn hand_on_memory(&mut self) {
        let control = self.base.join("cgroup.subtree_control");
        let offered = fs::read_to_string(self.base.join("cgroup.controllers")).unwrap_or_default();
        if !offered.split_whitespace().any(|name| name == "memory") {
            return;
        }
        self.memory = fs::write(&control, "+memory").is_ok();
        if self.memory {
            return;
        }
        // A group with processes in it cannot hand controllers on: this process makes room.
        let aside = self.base.join(format!("{NAME}{}-self", std::process::id()));
        let number = std::process::id().to_string();
        if fs::create_dir(&aside).is_err() {
            return;
        }
        let moved = fs::write(aside.join("cgroup.procs"), &number).is_ok();
        self.memory = moved && fs::write(&control, "+memory").is_ok();
        self.moved = Some(aside);
        if !self.memory {
            self.move_back();
        }
    }

    fn move_back(&mut self) {
        let number = std::process::id().to_string();
        if let Some(aside) = self.moved.take() {
            if self.memory {
                let _ = fs::write(self.base.join("cgroup.subtree_control"), "-memory");
            }
            let _ = fs::write(self.base.join("cgroup.procs"), number);
            let _ = fs::remove_dir(aside);
        }
    }
}

impl Drop for Cgroups {
    fn drop(&mut self) {
        self.move_back();
    }
}

impl Cgroup {
    /// Moves a process into the group, and limits its memory where the kernel can.
    pub fn take(&self, number: i32, memory: u64) -> io::Result<()> {
        let limit = self.path.join("memory.max");
        if limit.exists() {
            fs::write(limit, memory.to_string())?;
            // Pages that are swapped out are no less used. Systems without swap have no such file.
            let _ = fs::write(self.path.join("memory.swap.max"), "0");
            // If the group runs out of memory, the kernel ends the whole group, and not only the largest process.
            let _ = fs::write(self.path.join("memory.oom.group"), "1");
        }
        fs::write(self.path.join("cgroup.procs"), number.to_string())
    }

    /// The processes of the group.
    pub fn processes(&self) -> Vec<i32> {
        let text = fs::read_to_string(self.path.join("cgroup.procs")).unwrap_or_default();
        text.lines().filter_map(|line| line.parse().ok()).collect()
    }

    /// Time on processors of all processes that were ever in the group.
    pub fn cpu(&self) -> Option<Duration> {
        let text = fs::read_to_string(self.path.join("cpu.stat")).ok()?;
        let spent = text.lines().find_map(|line| line.strip_prefix("usage_usec "))?;
        spent.trim().parse().ok().map(Duration::from_micros)
    }

    /// The most memory that the group had.
    pub fn peak(&self) -> Option<u64> {
        fs::read_to_string(self.path.join("memory.peak")).ok()?.trim().parse().ok()
    }

    /// Whether the kernel ended a process because the group had too much memory.
    pub fn ran_out(&self) -> bool {
        let text = fs::read_to_string(self.path.join("memory.events")).unwrap_or_default();
        let count = text.lines().find_map(|line| line.strip_prefix("oom_kill "));
        count.is_some_and(|count| count.trim() != "0")
    }

    /// Ends all processes of the group.
    pub fn end(&self) {
        let _ = fs::write(self.path.join("cgroup.kill"), "1");
    }
}

impl Drop for Cgroup {
    /// Removes the group with all of its processes; that takes the kernel a moment.
    fn drop(&mut self) {
        for _ in 0..200 {
            match fs::remove_dir(&self.path) {
                Err(error) if error.kind() == io::ErrorKind::ResourceBusy => {
                    self.end();
                    std::thread::sleep(Duration::from_millis(2));
                }
                _ => return,
            }
        }
    }
}

/// The path where version 2 is mounted, if a line of `mountinfo` says so: proc(5).
fn mounted(line: &str) -> Option<PathBuf> {
    let (before, after) = line.split_once(" - ")?;
    let kind = after.split(' ').next()?;
    (kind == "cgroup2").then(|| before.split(' ').nth(4).map(PathBuf::from))?
}

/// Removes groups whose makers have been killed.
fn remove_left_over(base: &Path) {
    for entry in fs::read_dir(base).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let maker = name.strip_prefix(NAME).and_then(|rest| rest.split('-').next());
        if maker.is_some_and(|maker| !Path::new("/proc").join(maker).exists()) {
            drop(Cgroup { path: entry.path() });
        }
    }
}
