//! Solvers in processes of their own, spoken to in SMT-LIB 2.6.

mod process;
mod program;
mod reply;
mod session;
mod value;

use rustc_hash::FxHashMap;
use term::{TermId, Terms, Valuation, Value, Var, View};

pub use program::OpenError;

use crate::smtlib::Features;
use crate::{Answer, Cores, Models, Reason, Solver, Statistics};
use program::Program;
use run::Budget;
use session::{Session, Verdict};

/// A solver that runs as a child process: z3, cvc5, yices-smt2, bitwuzla, mathsat, or anything
/// else that reads SMT-LIB from standard input.
///
/// If time or memory is used up, or the run is told to stop, the process is ended; the next check starts another
/// process and tells it all that is asserted. A limit on conflicts does not apply: solvers count them differently. A
/// model is an answer only after the formulas evaluated to true in it.
///
/// All formulas of one solver are terms of one table.
pub struct Pipe {
    program: Program,
    scopes: Vec<Vec<TermId>>,
    session: Option<Session>,
    features: Features,
    last: Last,
    starts: u64,
    checks: u64,
}

enum Last {
    Nothing,
    Sat(Model),
    Unsat(Vec<TermId>),
}

#[derive(Default)]
struct Model(FxHashMap<Var, Value>);

/// A process that has this many names for assumptions is ended: most of them are of no use.
const MOST_ASSUMPTIONS: usize = 5_000;

impl Pipe {
    /// A solver by its name, which is looked up in `PATH`, or by the path to its binary, whose
    /// name says how to speak to it. The process starts with the first check.
    ///
    /// # Errors
    /// If there is no program of this name.
    pub fn new(name_or_path: &str) -> Result<Self, OpenError> {
        Ok(Self {
            program: Program::find(name_or_path)?,
            scopes: vec![Vec::new()],
            session: None,
            features: Features::default(),
            last: Last::Nothing,
            starts: 0,
            checks: 0,
        })
    }

    /// How many processes have been started.
    #[must_use]
    pub fn starts(&self) -> u64 {
        self.starts
    }

    /// A process that knows all that is asserted.
    fn session(&mut self, terms: &Terms, assumptions: &[TermId]) -> Result<&mut Session, Reason> {
        let mut wider = false;
        for formula in self.scopes.iter().flatten().chain(assumptions) {
            wider |= self.features.add(terms, *formula);
        }
        let usable = self.session.take().filter(|session| {
            !wider && !session.broken && session.assumptions() < MOST_ASSUMPTIONS
        });
        let session = match usable {
            Some(session) => session,
            None => {
                self.starts += 1;
                Session::start(&self.program, self.features.logic())?
            }
        };
        let session = self.session.insert(session);
        session.load(terms, &self.scopes)?;
        Ok(session)
    }

    fn ask(
        &mut self,
        terms: &Terms,
        assumptions: &[TermId],
        limits: &Budget,
    ) -> Result<Last, Reason> {
        let session = self.session(terms, assumptions)?;
        match session.check(terms, assumptions, limits)? {
            Verdict::Unsat(core) => return Ok(Last::Unsat(core)),
            Verdict::Unknown(reason) => return Err(reason),
            Verdict::Sat => {}
        }
        let formulas: Vec<TermId> =
            self.scopes.iter().flatten().chain(assumptions).copied().collect();
        let order = terms.post_order(&formulas);
        let vars: Vec<Var> = order
            .iter()
            .filter_map(|term| match terms.view(*term) {
                View::Var(var) => Some(var),
                _ => None,
            })
            .collect();
        let Some(session) = &mut self.session else { return Ok(Last::Nothing) };
        let values = session.values(terms, &vars, limits)?;
        let model = Model(vars.into_iter().zip(values).collect());
        let mut values = Valuation::new();
        let mut value =
            |var| model.0.get(&var).cloned().unwrap_or_else(|| terms.zero(terms.var_sort(var)));
        let mut satisfied = true;
        for formula in &formulas {
            if let Some(reason) = limits.exceeded() {
                return Err(reason.into());
            }
            satisfied &= values.eval(terms, *formula, &mut value) == Value::Bool(true);
        }
        if satisfied {
            Ok(Last::Sat(model))
        } else {
            let name = &self.program.name;
            Err(Reason::Failed(format!("the model of {name} does not satisfy the formulas")))
        }
    }
}

impl Solver for Pipe {
    fn push(&mut self) {
        self.scopes.push(Vec::new());
    }

    fn pop(&mut self) {
        assert!(self.scopes.len() > 1, "no scope is open");
        self.scopes.pop();
        if let Some(session) = &mut self.session
            && session.depth() > self.scopes.len()
        {
            session.pop();
        }
    }

    fn assert(&mut self, _: &Terms, formula: TermId) {
        let scope = self.scopes.last_mut().expect("the outermost scope is never closed");
        scope.push(formula);
    }

    fn check(&mut self, terms: &Terms, assumptions: &[TermId], limits: &Budget) -> Answer {
        self.last = Last::Nothing;
        self.checks += 1;
        if let Some(reason) = limits.exceeded() {
            return Answer::Unknown(reason.into());
        }
        match self.ask(terms, assumptions, limits) {
            Ok(last) => self.last = last,
            Err(reason) => {
                // It is not known what the process does next, so it is not asked again. But a formula that cannot be
                // written was not sent, and leaves the process as it was.
                if !matches!(reason, Reason::Unsupported(_)) {
                    self.session = None;
                }
                return Answer::Unknown(reason);
            }
        }
        match self.last {
            Last::Sat(_) => Answer::Sat,
            Last::Unsat(_) => Answer::Unsat,
            Last::Nothing => Answer::Unknown(Reason::Failed("no process".to_owned())),
        }
    }

    fn statistics(&self) -> Statistics {
        Statistics { checks: self.checks, ..Statistics::default() }
    }
}

impl Models for Pipe {
    fn value(&mut self, terms: &Terms, var: Var) -> Value {
        let Last::Sat(model) = &self.last else { panic!("the last check did not answer Sat") };
        model.0.get(&var).cloned().unwrap_or_else(|| terms.zero(terms.var_sort(var)))
    }
}

impl Cores for Pipe {
    fn core(&self) -> &[TermId] {
        let Last::Unsat(core) = &self.last else { panic!("the last check did not answer Unsat") };
        core
    }
}
