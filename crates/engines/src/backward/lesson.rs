//! What comes of each abstract fixpoint with an error, for the observer of a run.

use base::Id as _;
use cfa::LocId;
use run::{Came, Lesson, NodeId, Notes, Step};

use super::fixpoint::Fixpoint;
use super::refine::Refinement;
use super::{Direction, Method};

impl Method<'_> {
    /// Tells that no execution takes the path of the last abstract fixpoint from the start to an error, and which
    /// predicates are added for the next fixpoint.
    pub(super) fn tell_excluded(&self, refinement: &mut Refinement) {
        let Some(init) = self.last.init else { return };
        let mut path = self.last.path(init);
        if self.options.direction == Direction::Forward {
            path.reverse();
        }
        let is_proof = self.concrete.complete && self.options.concrete_fixpoint;
        let changes = match is_proof && !self.options.to_the_letter {
            true => vec!["the concrete predecessors are all there, and are the proof".to_owned()],
            false => Vec::new(),
        };
        self.tell(Came::Excluded, &self.last, &path, changes, refinement);
    }

    /// Tells what came of the concrete predecessors that reach the start.
    pub(super) fn tell_concrete(&self, refinement: &mut Refinement) {
        let came = match self.confirmed {
            Some(_) => Came::Feasible,
            None => Came::Unresolved,
        };
        let start = self.confirmed.or_else(|| self.concrete.starts.first().copied());
        let path = start.map(|start| self.concrete.found.path(start)).unwrap_or_default();
        self.tell(came, &self.concrete.found, &path, Vec::new(), refinement);
    }

    fn tell(
        &self,
        came: Came,
        found: &Fixpoint,
        path: &[usize],
        changes: Vec<String>,
        refinement: &mut Refinement,
    ) {
        let events = self.engine.run.events;
        let new = std::mem::take(&mut refinement.learned);
        if !events.wants_lessons() {
            return;
        }
        let system = self.engine.system;
        let show = |(location, atom)| (location, self.engine.atoms.show(atom, &system.names));
        // People see the states of a fixpoint numbered from one.
        let node = |index: &usize| -> (NodeId, LocId) {
            (NodeId::from_index(index + 1), found.states[*index].location)
        };
        let step = |pair: &[usize]| {
            // Backwards, a state has the command that leads on from it; forwards, the command that leads to it.
            let next = found.states[pair[0]].next.filter(|(_, next)| *next == pair[1]);
            let (rule, _) = next.or(found.states[pair[1]].next)?;
            Some(Step::Edge(system.rules[rule].edge))
        };
        let lesson = Lesson {
            nodes: path.iter().map(node).collect(),
            steps: path.windows(2).filter_map(step).collect(),
            came,
            notes: Notes {
                learned: new.into_iter().map(show).collect(),
                changes,
                ..Notes::default()
            },
            root: None,
            removed: if came == Came::Excluded { found.states.len() } else { 0 },
        };
        events.lesson(self.program, &lesson);
    }
}
