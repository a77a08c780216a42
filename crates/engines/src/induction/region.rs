//! Executing a part of the program: all of it, or one round of a loop.

use symbolic::{Changes, Event, Happening, State};

use super::{Guesses, Induction};
use crate::pending::Pending;
use run::Unknown;

/// What comes out of a round.
struct Round {
    /// The state at the head before the next round, if there may be one.
    back: Option<State>,
    /// States that have left the loop.
    out: Vec<State>,
}

/// How much is done about loops.
#[derive(Clone, Copy)]
struct Effort {
    k: u32,
    /// Whether invariants are guessed.
    invariants: bool,
    /// Whether all executions are followed here, and nothing is only tried out: what is proved on
    /// the way is true of the program.
    counts: bool,
}

/// How many activations of a function there may be at a time.
const RECURSION: usize = 8;

/// The set of variables that a loop changes is computed at most this often, until it stays the same.
const WIDENINGS: usize = 12;

impl Induction<'_, '_> {
    pub(super) fn whole_program(&mut self, start: State, k: u32) -> Result<(), Unknown> {
        let mut pending = Pending::default();
        self.add(&mut pending, start);
        let effort =
            Effort { k, invariants: matches!(self.guesses, Guesses::Made(_)), counts: true };
        while let Some(state) = pending.pop(&mut self.executor, &mut self.terms) {
            for state in self.advance(state, effort)? {
                self.add(&mut pending, state);
            }
        }
        Ok(())
    }

    /// Takes a state one step on, or through a whole loop.
    fn advance(&mut self, state: State, effort: Effort) -> Result<Vec<State>, Unknown> {
        // A step may merge much memory, and looking at the clock costs little beside it.
        if let Some(why) = self.budget.exceeded() {
            return Err(why.into());
        }
        if state.at_head() && state.round() == 0 {
            return self.summarise(&state, effort);
        }
        if state.at_head() {
            // A loop that was not entered at its head.
            self.record.pass(state.location);
        }
        if effort.counts && !self.asked.is_empty() {
            self.note_claims(self.asked, &state);
        }
        if state.recursion() > RECURSION {
            return Err(Unknown::Exhausted("recursion is not inductive".to_owned()));
        }
        let mut out = Vec::new();
        self.executor.step(&mut self.terms, state, &mut out);
        Ok(out)
    }

    fn add(&mut self, pending: &mut Pending, state: State) {
        if !self.reach.is_followed(state.location) {
            self.record.leave(state.location);
            return;
        }
        pending.add(&mut self.executor, &mut self.terms, state);
    }

    /// One round of the loop that a state is at the head of.
    fn round(&mut self, head: State, effort: Effort) -> Result<Round, Unknown> {
        let inside = head.innermost().to_vec();
        let number = head.round();
        let (mut pending, mut back) = (Pending::default(), Pending::default());
        let mut out = Vec::new();
        let mut next = Vec::new();
        self.executor.step(&mut self.terms, head, &mut next);
        loop {
            for state in next.drain(..) {
                match state.place().strip_prefix(inside.as_slice()) {
                    Some([round, ..]) if *round == number => self.add(&mut pending, state),
                    Some(_) => self.add(&mut back, state),
                    None => out.push(state),
                }
            }
            let Some(state) = pending.pop(&mut self.executor, &mut self.terms) else { break };
            next = self.advance(state, effort)?;
        }
        let back = back.pop(&mut self.executor, &mut self.terms);
        Ok(Round { back, out })
    }

    /// Takes a state that is about to enter a loop past it.
    fn summarise(&mut self, entry: &State, effort: Effort) -> Result<Vec<State>, Unknown> {
        let changes = self.changes(entry)?;
        // The two ways through the loop exclude each other, so that their states can be merged.
        let choice = self.terms.declare("rounds#", term::Sort::Bool);
        let choice = self.terms.var(choice);
        let other = self.terms.not(choice);
        let mut out = Vec::new();

        let mut here = self.executor.assume(&mut self.terms, entry, choice);
        for _ in 0..effort.k {
            let Some(head) = here.take() else { break };
            let round = self.round(head, effort)?;
            out.extend(round.out);
            here = round.back;
        }

        let arbitrary = self.executor.forget(&mut self.terms, entry, &changes);
        let (arbitrary, proved) = if effort.invariants {
            self.strengthen(entry, arbitrary, &changes)?
        } else {
            (Some(arbitrary), Vec::new())
        };
        if effort.counts {
            self.note(entry, &changes, &proved);
            self.claim(entry, &changes, &proved);
        }
        let mut here =
            arbitrary.and_then(|state| self.executor.assume(&mut self.terms, &state, other));
        for _ in 0..effort.k {
            let Some(head) = here.take() else { break };
            let events = self.executor.events().len();
            here = self.round(head, Effort { counts: false, ..effort })?.back;
            // Errors in these rounds are forgotten: they are errors in the first rounds or in the last round as well.
            // Executions that are not followed further never get to the last round, so these events are kept.
            self.executor.forget_events(events, &is_open);
        }
        if let Some(head) = here {
            out.extend(self.round(head, effort)?.out);
        }
        Ok(out)
    }

    /// What the rounds of a loop change.
    fn changes(&mut self, entry: &State) -> Result<Changes, Unknown> {
        let events = self.executor.events().len();
        let mut changes = Changes::default();
        for _ in 0..WIDENINGS {
            let head = self.executor.forget(&mut self.terms, entry, &changes);
            let effort = Effort { k: 0, invariants: false, counts: false };
            let round = self.round(head.clone(), effort)?;
            let open = self.open_since(events);
            let mut more = changes.clone();
            if let Some(back) = &round.back {
                more.add(&mut self.executor, &mut self.terms, &head, back);
            }
            if more == changes {
                // Executions that are not followed further may change anything.
                return self.excluded(open).map(|()| changes);
            }
            changes = more;
        }
        Err(Unknown::Exhausted("what a loop changes was not found".to_owned()))
    }

    /// One round without events, for trying things out, with or without the invariants of the
    /// loops in it. Also gives where executions are not followed further.
    pub(super) fn try_round(
        &mut self,
        head: State,
        invariants: bool,
    ) -> Result<(Option<State>, Vec<Event>), Unknown> {
        let events = self.executor.events().len();
        let round = self.round(head, Effort { k: 0, invariants, counts: false })?;
        Ok((round.back, self.open_since(events)))
    }

    /// Forgets events, and gives those where executions are not followed further.
    fn open_since(&mut self, count: usize) -> Vec<Event> {
        let new = &self.executor.events()[count..];
        let open = new.iter().filter(|event| is_open(event)).cloned().collect();
        self.executor.forget_events(count, &|_| false);
        open
    }

    /// Succeeds if no execution meets any of these events.
    pub(super) fn excluded(&mut self, events: Vec<Event>) -> Result<(), Unknown> {
        for event in events {
            if let Happening::Unsupported { reason, edge } = event.what
                && self.is_possible(event.guard)?
            {
                return Err(Unknown::Unsupported { reason, edge });
            }
        }
        Ok(())
    }
}

/// Whether executions are not followed further.
fn is_open(event: &Event) -> bool {
    matches!(event.what, Happening::Unsupported { .. })
}
