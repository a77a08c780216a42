//! k-induction: loops are not unrolled but replaced by what any number of rounds can lead to.
//!
//! For a loop and a number `k`, the first `k` rounds are executed as they are. All later ones are
//! covered at once: from a state in which everything that the loop changes is arbitrary, `k` rounds
//! are executed (a round that ends in an error goes no further, so this assumes that none does),
//! and then one more, whose errors count. Executions leave the loop in one of the first `k` rounds,
//! or after the `k` rounds of the arbitrary state. Loops in loops are treated alike.
//!
//! The arbitrary state is strengthened by invariants that are guessed and then proved (see `candidates`), and a proof
//! hands over what it knows of them, for people (see `record`) and for another check (see `claims`). If no error can
//! be reached, the program is safe; if an error can be reached, nothing is known. Callers may ask which formulas hold
//! wherever executions pass some places (see `passed`). These files are parts of one engine, and know each other.

mod candidates;
mod claims;
mod passed;
mod record;
mod region;
mod walks;

use std::sync::Arc;

use cfa::{Program, Reach};
use run::{Budget, Claim, Event, Hints, Invariants, Proof, Run, Unknown, Verdict};
use smt::{Models, NewSolver};
use symbolic::{Executor, Guard, Happening};
use term::{TermId, Terms};

use crate::ask::is_satisfiable;
use claims::Claims;
use passed::Passed;
use record::Record;

/// What an attempt at a proof by induction gives back.
pub struct Proved {
    /// The answer.
    pub verdict: Verdict,
    /// What holds at the heads of loops. These invariants are proved even if the whole proof failed.
    pub invariants: Arc<Invariants>,
}

/// Tries to prove that no error is reachable, with a fixed `k`.
pub fn prove(program: &Program, solver: NewSolver<'_>, k: u32, run: &Run<'_>) -> Proved {
    attempt(program, solver, k, Guesses::Made(&Hints::default()), &[], run).0
}

/// Tries to prove a program and claims about it, with `k` = 0: also gives the numbers of the claims that may fail. As
/// long as there are such claims, nothing is proved.
pub fn prove_claims(
    program: &Program,
    solver: NewSolver<'_>,
    claims: &[Claim],
    run: &Run<'_>,
) -> (Proved, Vec<usize>) {
    attempt(program, solver, 0, Guesses::Made(&Hints::default()), claims, run)
}

/// As [`prove`], with more guesses.
pub fn prove_with(
    program: &Program,
    solver: NewSolver<'_>,
    k: u32,
    hints: &Hints,
    run: &Run<'_>,
) -> Proved {
    attempt(program, solver, k, Guesses::Made(hints), &[], run).0
}

/// As [`prove`], without guesses: what the program itself assumes in its loops has to be enough.
pub fn prove_without_guesses(
    program: &Program,
    solver: NewSolver<'_>,
    k: u32,
    run: &Run<'_>,
) -> Proved {
    attempt(program, solver, k, Guesses::None, &[], run).0
}

fn attempt(
    program: &Program,
    solver: NewSolver<'_>,
    k: u32,
    guesses: Guesses<'_>,
    claims: &[Claim],
    run: &Run<'_>,
) -> (Proved, Vec<usize>) {
    let reach = Reach::of(&program.cfa);
    if !reach.error_reachable() && reach.inconclusive().is_empty() {
        let verdict = Verdict::Safe(Proof::NoPath);
        return (Proved { verdict, invariants: Arc::default() }, Vec::new());
    }
    run.events.on(Event::Inducting(k));
    let mut terms = program.terms.clone();
    let mut executor = Executor::new(&program.cfa, &mut terms);
    executor.keep_within(&run.budget);
    let mut induction = Induction {
        program,
        reach,
        executor,
        terms,
        solver: solver(),
        budget: &run.budget,
        record: Record::default(),
        claims: Claims::default(),
        guesses,
        asked: claims,
        passed: Vec::new(),
    };
    let ended = induction.run(k);
    let certificate = ended.is_ok().then(|| Arc::new(induction.certificate(k)));
    // What was proved at the heads of loops is about all executions only where all were followed.
    let invariants = match &ended {
        Ok(()) | Err(Failed::Error | Failed::Claims(_)) => Arc::new(induction.invariants()),
        Err(Failed::Open(_)) => Arc::default(),
    };
    for invariant in &invariants.list {
        run.events.on(Event::Proved(invariant.location));
    }
    let mut failing = Vec::new();
    let verdict = match ended {
        Ok(()) => {
            let invariants = Arc::clone(&invariants);
            Verdict::Safe(Proof::Inductive { k, invariants, certificate })
        }
        Err(Failed::Error) => Verdict::Unknown(Unknown::Exhausted(format!("not {k}-inductive"))),
        Err(Failed::Claims(claims)) => {
            failing = claims;
            Verdict::Unknown(Unknown::Exhausted("a claim may fail".to_owned()))
        }
        Err(Failed::Open(why)) => Verdict::Unknown(why),
    };
    (Proved { verdict, invariants }, failing)
}

/// Which invariants are guessed.
#[derive(Clone, Copy)]
enum Guesses<'a> {
    /// No invariants are guessed.
    None,
    /// Invariants that the program gives reason to guess, and these hints.
    Made(&'a Hints),
}

/// Why an attempt failed.
enum Failed {
    /// All executions were followed, and one may reach an error.
    Error,
    /// All executions were followed, and these claims may fail.
    Claims(Vec<usize>),
    /// Not all executions were followed.
    Open(Unknown),
}

impl From<Unknown> for Failed {
    fn from(why: Unknown) -> Self {
        Failed::Open(why)
    }
}

/// A proof at work.
struct Induction<'p, 'a> {
    program: &'p Program,
    reach: Reach,
    executor: Executor<'p>,
    terms: Terms,
    solver: Box<dyn Models>,
    budget: &'a Budget,
    record: Record,
    claims: Claims,
    guesses: Guesses<'a>,
    /// Claims of the caller, who wants to know which of them may fail.
    asked: &'a [Claim],
    /// Where claims were met.
    passed: Vec<Passed>,
}

impl Induction<'_, '_> {
    fn run(&mut self, k: u32) -> Result<(), Failed> {
        let Some(start) = self.executor.start(&mut self.terms) else { return Ok(()) };
        self.whole_program(start, k)?;
        let mut errors = Vec::new();
        let mut unsupported = Vec::new();
        for event in self.executor.events() {
            match &event.what {
                Happening::Error(_) => errors.push(event.guard),
                Happening::Unsupported { reason, edge } => {
                    unsupported.push((event.guard, reason.clone(), *edge));
                }
                _ => {}
            }
        }
        for (guard, reason, edge) in unsupported {
            if self.is_possible(guard)? {
                return Err(Failed::Open(Unknown::Unsupported { reason, edge }));
            }
        }
        let failing = self.failing_claims()?;
        if !failing.is_empty() {
            return Err(Failed::Claims(failing));
        }
        for guard in errors {
            if self.is_possible(guard)? {
                return Err(Failed::Error);
            }
        }
        Ok(())
    }

    /// Whether an execution meets a guard.
    fn is_possible(&mut self, guard: Guard) -> Result<bool, Unknown> {
        let conditions = self.executor.conditions(guard);
        self.is_satisfiable(&conditions)
    }

    fn is_satisfiable(&mut self, formulas: &[TermId]) -> Result<bool, Unknown> {
        let executor = &mut self.executor;
        is_satisfiable(executor, &mut self.terms, &mut *self.solver, formulas, self.budget)
    }
}
