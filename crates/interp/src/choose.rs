//! Which of several edges is taken.
//!
//! Most edges start with their assumptions. An edge with an assumption after an operation that changes something is
//! executed and undone; if this edge is chosen, its effects are restored.

use cfa::{EdgeId, LocId, Op};

use crate::candidate::{Candidate, Tried};
use crate::ending::Ending;
use crate::inputs::{Drawn, Trouble};
use crate::log::Log;
use crate::machine::{Go, Machine, Stop};
use crate::plan::EdgePlan;

impl Machine<'_> {
    /// Finds the edges of a location that can be taken, and takes one.
    pub(crate) fn choose(&mut self, here: LocId) -> Go<LocId> {
        let program = self.program;
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        for edge in &program.cfa.locations[here].edges {
            match self.plan.edges[*edge] {
                EdgePlan::Guarded(count) => {
                    if self.guards_hold(*edge, count)? {
                        candidates.push(Candidate::Ready(*edge, count));
                    }
                }
                EdgePlan::Late => {
                    if let Some(tried) = self.attempt(*edge)? {
                        candidates.push(Candidate::Tried(tried));
                    }
                }
            }
        }
        let index = match candidates.len() {
            0 => return Err(Ending::AssumptionFailed { location: here }.into()),
            1 => 0,
            _ => {
                let edges: Vec<EdgeId> = candidates.iter().map(Candidate::edge).collect();
                self.choose_among(here, &edges)?
            }
        };
        let chosen = candidates.swap_remove(index);
        for other in candidates.drain(..) {
            if let Candidate::Tried(tried) = other {
                tried.log.forget(&mut self.memory);
            }
        }
        self.candidates = candidates;
        match chosen {
            Candidate::Ready(edge, skip) => self.take(edge, skip),
            Candidate::Tried(tried) => self.commit(*tried),
        }
    }

    fn choose_among(&mut self, location: LocId, edges: &[EdgeId]) -> Go<usize> {
        let count = edges.len();
        let index = self.inputs.choose_edge(location, edges).map_err(Ending::Inputs)?;
        if index >= count {
            let message = format!("only {count} edges can be taken");
            return Err(Ending::Inputs(Trouble::Unfit { message, span: None }).into());
        }
        self.record(Drawn::Edge { location, index })?;
        Ok(index)
    }

    /// Whether the first `count` operations of an edge, all assumptions, hold.
    pub(crate) fn guards_hold(&mut self, edge: EdgeId, count: u32) -> Go<bool> {
        let program = self.program;
        for op in &program.cfa.edges[edge].ops[..count as usize] {
            if let Op::Assume(guard) = op
                && !self.holds(*guard)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Executes an edge and undoes it. `None` if it cannot be taken.
    fn attempt(&mut self, edge: EdgeId) -> Go<Option<Box<Tried>>> {
        self.edge = Some(edge);
        self.log = Some(Log::default());
        let before = std::mem::take(&mut self.changes);
        let program = self.program;
        let mut ended = Ok(());
        for (at, op) in program.cfa.edges[edge].ops.iter().enumerate() {
            ended = self.perform(edge, at, op);
            if ended.is_err() {
                break;
            }
        }
        let mut log = self.log.take().unwrap_or_default();
        log.undo(&mut self.store, &mut self.memory);
        let changes = std::mem::replace(&mut self.changes, before);
        let ending = match ended {
            Ok(()) => None,
            Err(Stop::Blocked) => {
                log.forget(&mut self.memory);
                return Ok(None);
            }
            // Without inputs there is no telling whether the edge can be taken.
            Err(Stop::End(ending)) if matches!(*ending, Ending::Inputs(_)) => {
                return Err(Stop::End(ending));
            }
            Err(Stop::End(ending)) => Some(ending),
        };
        Ok(Some(Box::new(Tried { edge, log, changes, ending })))
    }

    /// Takes an edge that has been tried.
    fn commit(&mut self, tried: Tried) -> Go<LocId> {
        let Tried { edge, mut log, changes, ending } = tried;
        self.steps = self.steps.saturating_add(1);
        self.edge = Some(edge);
        log.redo(&mut self.store, &mut self.memory);
        let written = std::mem::take(&mut log.output);
        log.forget(&mut self.memory);
        self.changes.extend(changes);
        if self.observer.is_some() {
            self.tell(edge, self.frames.len() - 1);
        }
        self.emit(&written)?;
        match ending {
            Some(ending) => Err(Stop::End(ending)),
            None => Ok(self.program.cfa.edges[edge].target),
        }
    }
}
