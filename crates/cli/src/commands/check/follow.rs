//! Runs that can be followed: each refinement as it happens, and the graph at the end.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use cfa::Program;
use verify::{Listener, Outcome, Progress};

use crate::arguments::follow::{Follow, Form};
use crate::exit::Exit;
use crate::output::{self, WholeFile};

/// How many nodes of a drawn graph have their states told.
const TOLD_NODES: usize = 100_000;

/// The files by which a run can be followed. They are made before the run, so that a long run is not in vain.
pub struct Followed<'a> {
    log: Option<(File, &'a Path)>,
    drawing: Option<WholeFile>,
}

impl<'a> Followed<'a> {
    /// Makes the files that were asked for.
    pub fn open(arguments: &'a Follow) -> Result<Self, Exit> {
        let open = |path: &'a Path| match File::create(path) {
            Ok(file) => Ok((file, path)),
            Err(error) => Err(output::cannot_write(path, &error)),
        };
        Ok(Self {
            log: arguments.log.as_deref().map(open).transpose()?,
            drawing: arguments.arg.as_deref().map(WholeFile::promised).transpose()?,
        })
    }

    /// How many nodes of the graph must have their states told.
    pub fn told_nodes(&self) -> usize {
        if self.drawing.is_some() { TOLD_NODES } else { 0 }
    }

    /// From now on refinements are written to the log, and told if the user wants to hear more.
    pub fn listen(&mut self, progress: &Progress) {
        let log = self.log.take();
        if log.is_none() && !output::is_verbose() {
            return;
        }
        let number = AtomicU64::new(0);
        let path = log.as_ref().map(|(_, path)| path.to_path_buf());
        let log = Mutex::new(log.map(|(file, _)| file));
        progress.listen(Listener(Box::new(move |stage, program, lesson| {
            let number = number.fetch_add(1, Ordering::Relaxed) + 1;
            if output::is_verbose() {
                output::detail(&report::refinement(number, program, lesson));
            }
            let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(file) = &mut *log else { return };
            let mut line = report::refinement_json(number, stage, program, lesson);
            line.push('\n');
            // A line is written at once, so that a run that is ended leaves whole lines.
            if let (Err(error), Some(path)) = (file.write_all(line.as_bytes()), &path) {
                output::cannot_write(path, &error);
                *log = None;
            }
        })));
    }

    /// Draws the graph of the last exploration. A failure to write it is told; the answer does not depend on the
    /// drawing. A large graph is drawn as far as there is time before `until`. With `draws`, the analysis is one that
    /// has a graph, so that the user is told if there is no graph.
    pub fn draw(self, program: &Program, outcome: &Outcome, draws: bool, until: Option<Instant>) {
        let Some(file) = self.drawing else { return };
        let Some(graph) = &outcome.graph else {
            file.settle();
            if draws {
                let why = "warning: --arg has nothing to draw: the answer needed no exploration";
                output::note(why);
            }
            return;
        };
        let program = outcome.rewritten.as_ref().map_or(program, |rewritten| &rewritten.program);
        file.finish(&match Form::of(file.named()) {
            Some(Form::Dot) => report::graph::dot(program, graph, until),
            Some(Form::Html) => report::graph::html(program, graph),
            Some(Form::Json) | None => report::graph::json(program, graph, until),
        });
    }
}
