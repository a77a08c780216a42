//! The built-in solver's speed beside another's, by processor time.

use std::time::Duration;

use clap::Args;
use smt::{Builtin, Pipe, Solver as _, Statistics};

use super::cpu;
use super::workloads::{Path, Tiny, all_sat, create};

/// `cargo xtask solver-bench`
#[derive(Args, Clone, Debug)]
pub struct SolverBench {
    /// The other solver, by name or path
    #[arg(long, default_value = "z3")]
    solver: String,
    /// So many small queries
    #[arg(long, value_name = "N", default_value_t = 3_000)]
    tiny: usize,
}

const ROUNDS: u32 = 470;
const CREATED: u32 = 500;
const STARTED: u32 = 20;

pub fn run(arguments: &SolverBench) -> Result<bool, String> {
    let pipe = || Pipe::new(&arguments.solver).map_err(|error| error.to_string());
    let mut bench = Bench { name: arguments.solver.clone(), ratios: Vec::new() };

    let workload = Tiny::new(arguments.tiny);
    let mut solver = Builtin::new();
    let (ours, answers) = of_thread(|| workload.run(&mut solver))?;
    let (theirs, expected) = of_children(|| workload.run(&mut pipe()?))?;
    agree(&answers, &expected)?;
    let sat = answers.iter().filter(|sat| **sat).count();
    bench.line("tiny", &format!("{} queries, {sat} sat", answers.len()), ours, theirs);
    bench.share(solver.statistics());

    let workload = Path::new(ROUNDS);
    let mut solver = Builtin::new();
    let (ours, answers) = of_thread(|| workload.run(&mut solver))?;
    let (theirs, expected) = of_children(|| workload.run(&mut pipe()?))?;
    agree(&answers, &expected)?;
    bench.line("path", &format!("{} constraints, sat and unsat", workload.len()), ours, theirs);
    bench.share(solver.statistics());

    let mut solver = Builtin::new();
    let (ours, answers) = of_thread(|| all_sat(&mut solver))?;
    let (theirs, expected) = of_children(|| all_sat(&mut pipe()?))?;
    agree(&answers, &expected)?;
    bench.line("allsat", &format!("{answers} models of 12 predicates"), ours, theirs);
    bench.share(solver.statistics());

    let (ours, _) =
        of_thread(|| (0..CREATED).try_for_each(|_| create(&mut Builtin::new()).map(drop)))?;
    let (theirs, _) =
        of_children(|| (0..STARTED).try_for_each(|_| create(&mut pipe()?).map(drop)))?;
    bench.line("create", "once", ours / CREATED, theirs / STARTED);

    println!("ratios: {}", bench.ratios.join(" "));
    Ok(true)
}

struct Bench {
    name: String,
    ratios: Vec<String>,
}

impl Bench {
    fn line(&mut self, workload: &str, what: &str, ours: Duration, theirs: Duration) {
        let millis = |time: Duration| time.as_secs_f64() * 1e3;
        println!(
            "{workload}: {what}: builtin {:.3} ms, {} {:.3} ms",
            millis(ours),
            self.name,
            millis(theirs)
        );
        let ratio = theirs.as_secs_f64() / ours.as_secs_f64().max(1e-9);
        self.ratios.push(format!("{workload}={ratio:.1}"));
    }

    /// Prints which part of the questions was answered before SAT.
    fn share(&self, statistics: Statistics) {
        let Statistics { checks, solved, conflicts, .. } = statistics;
        let share = 100.0 * (checks - solved) as f64 / checks.max(1) as f64;
        println!("  {share:.1} % of {checks} checks never reached SAT; {conflicts} conflicts");
    }
}

/// What a piece of work takes of this thread's time.
fn of_thread<T>(work: impl FnOnce() -> Result<T, String>) -> Result<(Duration, T), String> {
    let start = cpu::thread()?;
    let result = work()?;
    Ok((cpu::thread()?.saturating_sub(start), result))
}

/// The time of the processes that a piece of work starts and ends.
fn of_children<T>(work: impl FnOnce() -> Result<T, String>) -> Result<(Duration, T), String> {
    let start = cpu::children()?;
    let result = work()?;
    Ok((cpu::children()?.saturating_sub(start), result))
}

fn agree<T: PartialEq>(ours: &T, theirs: &T) -> Result<(), String> {
    if ours == theirs { Ok(()) } else { Err("the solvers disagree".to_owned()) }
}
