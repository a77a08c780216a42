//! Child processes with time limits, in process groups of their own, and scratch folders that
//! are removed again.

use std::fs::{self, File};
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

/// Set by Ctrl-C: children are in groups of their own and do not see the terminal's signal.
static STOP: AtomicBool = AtomicBool::new(false);

/// Makes Ctrl-C and SIGTERM end the run in an orderly way: children killed, folders removed.
pub fn watch_interrupt() {
    // A second handler cannot be there: this is called once, at the start.
    let _ = ctrlc::set_handler(|| STOP.store(true, Ordering::Relaxed));
}

/// Whether the user wants the run to end.
pub fn interrupted() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// Keeps children from taking all of the machine. Limits are inherited by their children.
pub fn limit_children(memory: u64, file_size: u64) {
    for (resource, limit) in [
        (Resource::RLIMIT_AS, memory),
        (Resource::RLIMIT_FSIZE, file_size),
        (Resource::RLIMIT_CORE, 0),
    ] {
        if let Ok((_, hard)) = getrlimit(resource) {
            // Without the limit the run is still right, only less polite.
            let _ = setrlimit(resource, limit.min(hard), hard);
        }
    }
}

/// How a child ended, and what it wrote.
#[derive(Debug)]
pub struct Ended {
    /// None if it was killed for taking too long.
    pub status: Option<ExitStatus>,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

impl Ended {
    /// Whether it ended by itself and with code 0.
    pub fn success(&self) -> bool {
        self.status.is_some_and(|status| status.success())
    }

    /// The exit code, unless a signal ended it.
    pub fn code(&self) -> Option<i32> {
        self.status.and_then(|status| status.code())
    }
}

/// Runs a command; its whole process group is killed after `timeout`. Output goes through files
/// in `scratch`, so that a child that writes much cannot block.
pub fn run(command: &mut Command, scratch: &Scratch, timeout: Duration) -> io::Result<Ended> {
    let (out, err) = (scratch.path("stdout"), scratch.path("stderr"));
    let mut child = command
        .stdin(Stdio::null())
        .stdout(File::create(&out)?)
        .stderr(File::create(&err)?)
        .process_group(0)
        .spawn()
        .map_err(|error| {
            let program = command.get_program().to_string_lossy().into_owned();
            io::Error::new(error.kind(), format!("cannot start {program}: {error}"))
        })?;
    let status = wait(&mut child, timeout)?;
    Ok(Ended { status, stdout: fs::read(&out)?, stderr: fs::read(&err)? })
}

fn wait(child: &mut Child, timeout: Duration) -> io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    let mut pause = Duration::from_micros(200);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() > timeout || interrupted() {
            let group = Pid::from_raw(child.id() as i32);
            // The group may be gone already; the wait below settles it either way.
            let _ = killpg(group, Signal::SIGKILL);
            child.wait()?;
            return if interrupted() { Err(io::ErrorKind::Interrupted.into()) } else { Ok(None) };
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    }
}

/// A folder for temporary files, removed when dropped.
#[derive(Debug)]
pub struct Scratch(PathBuf);

impl Scratch {
    pub fn new() -> io::Result<Scratch> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("proviso-xtask-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path)?;
        Ok(Scratch(path))
    }

    /// The folder itself.
    pub fn folder(&self) -> &Path {
        &self.0
    }

    /// A file in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed now cannot be removed by trying harder.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Runs `work` for each index below `count` on `jobs` threads and gives the results in order.
/// After an interrupt the rest is left out.
pub fn parallel<T: Send>(
    count: usize,
    jobs: usize,
    work: impl Fn(usize) -> T + Sync,
) -> Vec<(usize, T)> {
    let next = AtomicU64::new(0);
    let mut results: Vec<(usize, T)> = thread::scope(|scope| {
        let threads: Vec<_> = (0..jobs.max(1))
            .map(|_| {
                scope.spawn(|| {
                    let mut mine = Vec::new();
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed) as usize;
                        if index >= count || interrupted() {
                            return mine;
                        }
                        mine.push((index, work(index)));
                    }
                })
            })
            .collect();
        threads
            .into_iter()
            .flat_map(|thread| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })
            .collect()
    });
    results.sort_by_key(|(index, _)| *index);
    results
}
