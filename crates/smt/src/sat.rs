//! The SAT solver: clauses in, an answer out, within limits.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};

use batsat::SolverInterface;
use rustsat::instances::{BasicVarManager, ManageVars};
use rustsat::solvers::{Solve, SolveIncremental, SolverResult};
use rustsat::types::{Lit, TernaryVal};

use run::{Budget, Exceeded};

use crate::{Answer, Reason};

/// An incremental SAT solver.
pub(crate) struct Sat {
    solver: rustsat_batsat::Solver<Watch>,
    names: BasicVarManager,
    /// Literals in all clauses that were added.
    size: usize,
    /// The clause that is being added.
    clause: Vec<batsat::Lit>,
}

/// Looks at the limits while the solver works.
#[derive(Default)]
struct Watch {
    conflicts: u64,
    learnt: usize,
    calls: Cell<u32>,
    why: Cell<Option<Why>>,
    limits: Watched,
}

/// Why the solver was told to stop.
#[derive(Clone, Copy)]
enum Why {
    Conflicts,
    Exceeded(Exceeded),
}

#[derive(Default)]
struct Watched {
    conflicts: Option<u64>,
    literals: Option<usize>,
    budget: Budget,
}

/// Reading the clock costs more than a propagation.
const CALLS_PER_LOOK: u32 = 8;

/// The bytes that a literal of a clause takes, with its share of watches and headers.
const BYTES_PER_LITERAL: usize = 16;

impl batsat::Callbacks for Watch {
    fn on_new_clause(&mut self, clause: &[batsat::Lit], kind: batsat::ClauseKind) {
        if matches!(kind, batsat::ClauseKind::Learnt) {
            self.conflicts += 1;
            self.learnt += clause.len();
        }
    }

    fn on_delete_clause(&mut self, clause: &[batsat::Lit]) {
        self.learnt = self.learnt.saturating_sub(clause.len());
    }

    fn stop(&self) -> bool {
        // The solver asks again on its way out, and must get the same answer.
        if self.why.get().is_some() {
            return true;
        }
        if self.limits.conflicts.is_some_and(|most| self.conflicts >= most) {
            self.why.set(Some(Why::Conflicts));
            return true;
        }
        if self.limits.literals.is_some_and(|most| self.learnt > most) {
            self.why.set(Some(Why::Exceeded(Exceeded::Memory)));
            return true;
        }
        self.calls.set(self.calls.get().wrapping_add(1));
        if self.calls.get() % CALLS_PER_LOOK != 1 {
            return false;
        }
        self.why.set(self.limits.budget.exceeded().map(Why::Exceeded));
        self.why.get().is_some()
    }
}

/// How many bytes of solvers are left to the system, which frees them when the process ends. Most runs are short, and
/// spend up to a tenth of their time on freeing, one by one, the lists of a solver that has answered.
const LEFT_TO_SYSTEM: usize = 16 << 20;

/// A solver with fewer bytes than this is freed in no time, and there may be very many such solvers.
const WORTH_LEAVING: usize = 1 << 16;

/// How many bytes of solvers have been left so far.
static LEFT: AtomicUsize = AtomicUsize::new(0);

impl Drop for Sat {
    fn drop(&mut self) {
        let literals = self.cost() + self.solver.batsat_ref().cb().learnt;
        let bytes = literals.saturating_mul(BYTES_PER_LITERAL);
        let more = |left: usize| left.checked_add(bytes).filter(|left| *left <= LEFT_TO_SYSTEM);
        if bytes >= WORTH_LEAVING
            && LEFT.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).is_ok()
        {
            std::mem::forget(std::mem::take(&mut self.solver));
        }
    }
}

impl Sat {
    pub fn new() -> Self {
        Self {
            solver: rustsat_batsat::Solver::default(),
            names: BasicVarManager::default(),
            size: 0,
            clause: Vec::new(),
        }
    }

    /// A literal of a new variable.
    pub fn fresh(&mut self) -> Lit {
        self.names.new_var().pos_lit()
    }

    /// Adds a clause.
    pub fn clause(&mut self, literals: &[Lit]) {
        self.size += literals.len();
        // The solver is called without the interface of `rustsat`, which throws the model away when
        // a clause is added: lemmas are added here while the model is being read.
        let solver = self.solver.batsat_mut();
        self.clause.clear();
        for literal in literals {
            let var = solver.var_of_int(literal.vidx32());
            self.clause.push(batsat::Lit::new(var, literal.is_pos()));
        }
        // The result is false if no model is left; the next `solve` will say so.
        let _ = solver.add_clause_reuse(&mut self.clause);
    }

    /// How many literals all clauses that were added have, and how many variables there are.
    pub fn cost(&self) -> usize {
        self.size + self.names.n_used() as usize
    }

    /// About how many bytes the clauses take.
    pub fn bytes(&self) -> usize {
        self.size.saturating_mul(BYTES_PER_LITERAL)
    }

    /// Looks for a model in which all assumptions hold.
    pub fn solve(&mut self, assumptions: &[Lit], limits: &Budget) -> Answer {
        if let Some(reason) = limits.exceeded() {
            return Answer::Unknown(reason.into());
        }
        let bytes = limits.memory().map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX));
        let literals = bytes.map(|bytes| bytes / BYTES_PER_LITERAL);
        if literals.is_some_and(|most| self.size > most) {
            return Answer::Unknown(Exceeded::Memory.into());
        }
        // Every variable must be known to the solver, also a variable that no clause mentions.
        if let Some(last) = self.names.max_var() {
            let _ = self.solver.reserve(last);
        }
        let size = self.size;
        let watch = self.solver.batsat_mut().cb_mut();
        watch.conflicts = 0;
        watch.calls.set(0);
        watch.why.set(None);
        watch.limits = Watched {
            conflicts: limits.conflicts(),
            literals: literals.map(|most| most - size),
            budget: limits.clone(),
        };
        match self.solver.solve_assumps(assumptions) {
            Ok(SolverResult::Sat) => Answer::Sat,
            Ok(SolverResult::Unsat) => Answer::Unsat,
            Ok(SolverResult::Interrupted) => {
                Answer::Unknown(match self.solver.batsat_ref().cb().why.get() {
                    Some(Why::Exceeded(limit)) => limit.into(),
                    Some(Why::Conflicts) | None => Reason::Conflicts,
                })
            }
            Err(error) => Answer::Unknown(Reason::Failed(error.to_string())),
        }
    }

    /// Conflicts of the last `solve`.
    pub fn conflicts(&self) -> u64 {
        self.solver.batsat_ref().cb().conflicts
    }

    /// The value of a literal after Sat; a literal that does not matter is false.
    pub fn value(&self, literal: Lit) -> bool {
        matches!(self.solver.lit_val(literal), Ok(TernaryVal::True))
    }

    /// Assumptions that cannot hold together, after Unsat.
    pub fn core(&mut self) -> Vec<Lit> {
        // The SAT solver gives the clause that it derived, which has the negations of the assumptions.
        self.solver.core().unwrap_or_default().into_iter().map(|literal| !literal).collect()
    }
}
