//! How far a run is, told on standard error while somebody watches.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use report::counted;
use verify::{Config, Journal, Progress};

use crate::output;

/// A run that takes less time than this shows no line.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often the line is written anew.
const PERIOD: Duration = Duration::from_millis(200);

/// A line on the terminal that changes until the run ends.
pub struct Watch {
    done: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    /// Starts to tell how far the run is, if standard error is a terminal or the user wants to hear more.
    pub fn start(config: &Config, limit: Duration) -> Self {
        let done = Arc::new(AtomicBool::new(false));
        let told = Told {
            progress: Arc::clone(&config.progress),
            journal: Arc::clone(&config.journal),
            limit,
            shown: io::stderr().is_terminal() && !output::is_quiet(),
            listed: 0,
        };
        let wanted = told.shown || output::is_verbose();
        let ended = Arc::clone(&done);
        let watch = move || told.tell(&ended);
        let thread = if wanted {
            // Without a thread the run is merely silent.
            thread::Builder::new().name("progress".to_owned()).spawn(watch).ok()
        } else {
            None
        };
        Self { done, thread }
    }

    /// Takes the line away.
    pub fn end(self) {
        self.done.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread {
            thread.thread().unpark();
            // Whether the thread has panicked does not matter here.
            let _ = thread.join();
        }
    }
}

/// What the thread tells of.
struct Told {
    progress: Arc<Progress>,
    journal: Arc<Journal>,
    limit: Duration,
    /// Whether the line is shown.
    shown: bool,
    /// How many stages have been told of.
    listed: usize,
}

impl Told {
    fn tell(mut self, done: &AtomicBool) {
        let start = Instant::now();
        let mut written = false;
        loop {
            let ended = done.load(Ordering::Relaxed);
            let stages = self.journal.stages();
            if output::is_verbose() && stages.len() > self.listed {
                clear(&mut written);
                for stage in &stages[self.listed..] {
                    output::detail(&report::stage(stage));
                }
                self.listed = stages.len();
            }
            if ended {
                break;
            }
            if self.shown && start.elapsed() >= PATIENCE {
                let line = line(&self.progress, start.elapsed(), self.limit);
                let _ = write!(io::stderr(), "\r\x1b[K{line}");
                written = true;
            }
            thread::park_timeout(PERIOD);
        }
        clear(&mut written);
    }
}

fn clear(written: &mut bool) {
    if *written {
        let _ = write!(io::stderr(), "\r\x1b[K");
        *written = false;
    }
}

fn line(progress: &Progress, elapsed: Duration, limit: Duration) -> String {
    let mut line = format!("{} s of {} s", elapsed.as_secs(), limit.as_secs());
    if !progress.stage().is_empty() {
        line.push_str(&format!(", {}", progress.stage()));
    }
    if progress.rounds() > 0 {
        line.push_str(&format!(", round {}", progress.rounds()));
    }
    if progress.explored().0 > 0 {
        line.push_str(&format!(", {}", explored(progress)));
    }
    line
}

/// What an exploration has done so far: `12 abstract states, 1 refinement`.
pub fn explored(progress: &Progress) -> String {
    let (states, refinements) = progress.explored();
    format!("{}, {}", counted(states, "abstract state"), counted(refinements, "refinement"))
}

#[cfg(test)]
mod tests {
    use base::Id as _;
    use run::{Event, NodeId, Observer as _};

    use super::*;

    const LIMIT: Duration = Duration::from_secs(900);

    #[test]
    fn the_line_says_how_far_the_run_is() {
        let progress = Progress::default();
        assert_eq!(line(&progress, Duration::from_millis(2900), LIMIT), "2 s of 900 s");
        progress.on(Event::Stage("explicit values"));
        for node in 0..12 {
            progress.on(Event::Added(NodeId::from_index(node)));
        }
        progress.on(Event::Refined);
        let told = line(&progress, Duration::from_millis(2900), LIMIT);
        assert_eq!(told, "2 s of 900 s, explicit values, 12 abstract states, 1 refinement");
    }
}
