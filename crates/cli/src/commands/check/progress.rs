//! How far a run is, told on standard error while somebody watches.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use verify::Progress;

/// A run that takes less is not spoken of.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often the line is written anew.
const PERIOD: Duration = Duration::from_millis(200);

/// A line on the terminal that changes until the run ends.
pub struct Watch {
    done: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    /// Starts to tell, if standard error is a terminal.
    pub fn start(progress: Arc<Progress>) -> Self {
        let done = Arc::new(AtomicBool::new(false));
        let ended = Arc::clone(&done);
        let watch = move || tell(&progress, &ended);
        let thread = if io::stderr().is_terminal() {
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
            // It has nothing to say that matters here.
            let _ = thread.join();
        }
    }
}

fn tell(progress: &Progress, done: &AtomicBool) {
    let start = Instant::now();
    let mut written = false;
    while !done.load(Ordering::Relaxed) {
        if start.elapsed() >= PATIENCE {
            let _ = write!(io::stderr(), "\r\x1b[K{}", line(progress, start.elapsed()));
            written = true;
        }
        thread::park_timeout(PERIOD);
    }
    if written {
        let _ = write!(io::stderr(), "\r\x1b[K");
    }
}

fn line(progress: &Progress, elapsed: Duration) -> String {
    let mut line = format!("{} s", elapsed.as_secs());
    if !progress.stage().is_empty() {
        line.push_str(&format!(", {}", progress.stage()));
    }
    if progress.rounds() > 0 {
        line.push_str(&format!(", round {}", progress.rounds()));
    }
    let (states, refinements) = progress.explored();
    if states > 0 {
        line.push_str(&format!(", {states} abstract states, {refinements} refinements"));
    }
    line
}

#[cfg(test)]
mod tests {
    use base::Id as _;
    use run::{Event, NodeId, Observer as _};

    use super::*;

    #[test]
    fn the_line_says_how_far_the_run_is() {
        let progress = Progress::default();
        assert_eq!(line(&progress, Duration::from_millis(2900)), "2 s");
        progress.on(Event::Stage("explicit values"));
        for node in 0..12 {
            progress.on(Event::Added(NodeId::from_index(node)));
        }
        progress.on(Event::Refined);
        let told = line(&progress, Duration::from_millis(2900));
        assert_eq!(told, "2 s, explicit values, 12 abstract states, 1 refinements");
    }
}
