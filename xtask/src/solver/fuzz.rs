//! Random formulas, decided by the built-in solver and by another one.

use base::Random;
use std::time::{Duration, Instant};

use clap::Args;
use run::Budget;
use smt::{
    Answer, Block, Builtin, Cores, Interpolate, Interpolation, Models, Pipe, Reason, Solver, Style,
};
use term::{TermId, Terms, Value, Var};

use super::cpu;
use super::formulas::{Question, World};
use super::shrink::shrink;
use crate::process::interrupted;

/// `cargo xtask solver-fuzz`
#[derive(Args, Clone, Debug)]
pub struct SolverFuzz {
    /// So many formulas over truth values, bit-vectors and arrays
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    formulas: u64,
    /// So many over linear integers and rationals
    #[arg(long, value_name = "M", default_value_t = 0)]
    linear: u64,
    /// The same seed gives the same formulas
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The other solver, by name or path
    #[arg(long, default_value = "z3")]
    solver: String,
}

/// How many formulas share variables, and one process of the other solver.
const BATCH: u64 = 100;

/// How long a solver may take for one question; past it the question is counted as unknown. The
/// time includes what the machine gives to others.
const TIME: Duration = Duration::from_secs(1);
const CONFLICTS: u64 = 2_000;

#[derive(Default)]
struct Counts {
    sat: u64,
    unsat: u64,
    unknown: u64,
    other_unknown: u64,
    cores: u64,
    interpolants: u64,
    unconfirmed: u64,
}

pub fn run(arguments: &SolverFuzz) -> Result<bool, String> {
    let words = |dice: &mut Random| World::words(dice);
    let linear = |_: &mut Random| World::linear();
    Ok(compare(arguments, "words", arguments.formulas, 0, &words)?
        && compare(arguments, "linear", arguments.linear, 1 << 40, &linear)?)
}

/// Asks both solvers `count` questions. False after a disagreement, which has been printed.
fn compare(
    arguments: &SolverFuzz,
    what: &str,
    count: u64,
    first_stream: u64,
    world: &dyn Fn(&mut Random) -> World,
) -> Result<bool, String> {
    let start = Instant::now();
    let (thread, children) = (cpu::thread()?, cpu::children()?);
    let mut counts = Counts::default();
    let mut asked = 0;
    for batch in 0..count.div_ceil(BATCH) {
        let mut dice = Random::stream(arguments.seed, first_stream + batch);
        let mut world = world(&mut dice);
        let mut other = Pipe::new(&arguments.solver).map_err(|error| error.to_string())?;
        let mut ours = Builtin::new();
        for _ in 0..BATCH.min(count - batch * BATCH) {
            if interrupted() {
                return Ok(false);
            }
            // In every other batch, one solver answers all questions: what it keeps of earlier questions must not
            // disturb.
            if batch % 2 == 0 {
                ours = Builtin::new();
            }
            let question = world.question(&mut dice);
            let ours = &mut ours;
            if let Err(why) = ask(&mut world.terms, &question, ours, &mut other, &mut counts) {
                println!("{what}, seed {}, batch {batch}: {why}", arguments.seed);
                return report(arguments, &mut world.terms, question).map(|()| false);
            }
            asked += 1;
        }
        if batch % 50 == 49 {
            println!("{what}: {asked} so far, {:.0} s", start.elapsed().as_secs_f64());
        }
    }
    let Counts { sat, unsat, unknown, other_unknown, cores, interpolants, unconfirmed } = counts;
    println!(
        "{what}: {asked} formulas, {sat} sat, {unsat} unsat ({cores} smaller cores, {interpolants} interpolants, \
         {unconfirmed} not confirmed in time), {unknown} \
         unknown to the built-in solver, {other_unknown} to {}, 0 disagreements, {:.0} s \
         (CPU: builtin {:.0} s, {} {:.0} s)",
        arguments.solver,
        start.elapsed().as_secs_f64(),
        (cpu::thread()? - thread).as_secs_f64(),
        arguments.solver,
        (cpu::children()? - children).as_secs_f64()
    );
    Ok(true)
}

/// Asks both solvers and checks what they say.
fn ask(
    terms: &mut Terms,
    question: &Question,
    ours: &mut Builtin,
    other: &mut Pipe,
    counts: &mut Counts,
) -> Result<(), String> {
    let assumptions = &question.assumptions;
    let first = decide(ours, terms, &question.asserted, assumptions);
    let model = (first == Answer::Sat).then(|| holds(terms, question, ours));
    let core = if first == Answer::Unsat { ours.core().to_vec() } else { Vec::new() };
    ours.pop();
    let second = decide(other, terms, &question.asserted, assumptions);
    other.pop();
    match (&first, &second) {
        (Answer::Unknown(Reason::Failed(why)), _) => return Err(format!("ours failed: {why}")),
        (_, Answer::Unknown(Reason::Failed(why))) => {
            return Err(format!("the other failed: {why}"));
        }
        (Answer::Sat, Answer::Unsat) => return Err("sat, but unsat to the other".to_owned()),
        (Answer::Unsat, Answer::Sat) => return Err("unsat, but sat to the other".to_owned()),
        _ => {}
    }
    counts.other_unknown += u64::from(matches!(second, Answer::Unknown(_)));
    match first {
        Answer::Sat => {
            counts.sat += 1;
            if model != Some(true) {
                return Err("the model does not satisfy the formulas".to_owned());
            }
        }
        Answer::Unsat => {
            counts.unsat += 1;
            if core.iter().any(|term| !assumptions.contains(term)) {
                return Err("the core has more than the assumptions".to_owned());
            }
            if core.len() < assumptions.len() {
                counts.cores += 1;
                let answer = decide(other, terms, &question.asserted, &core);
                other.pop();
                confirm(&answer, "the core is sat to the other", counts)?;
            }
            let answer = decide(&mut Builtin::new(), terms, &question.asserted, &core);
            confirm(&answer, "the core alone is sat", counts)?;
            interpolate(terms, question, other, counts)?;
        }
        Answer::Unknown(_) => counts.unknown += 1,
    }
    Ok(())
}

/// The interpolant of what is asserted and what is assumed follows from the one, contradicts the
/// other, and speaks of what both speak of: the other solver and we must agree.
fn interpolate(
    terms: &mut Terms,
    question: &Question,
    other: &mut Pipe,
    counts: &mut Counts,
) -> Result<(), String> {
    let block =
        |formulas: &[TermId]| Block { definitions: Vec::new(), constraints: formulas.to_vec() };
    let blocks = [block(&question.asserted), block(&question.assumptions)];
    let found = Builtin::new().interpolants(terms, &blocks, Style::Auto, &limits());
    let Interpolation::Interpolants(found) = found else {
        return match found {
            Interpolation::Feasible => Err("unsat, but feasible to the interpolation".to_owned()),
            _ => Ok(()),
        };
    };
    counts.interpolants += 1;
    let [interpolant] = found[..] else { return Err("one cut, one interpolant".to_owned()) };
    let symbols = |formulas: &[TermId]| -> Vec<Var> {
        formulas.iter().flat_map(|formula| terms.vars(*formula)).collect()
    };
    let (left, right) = (symbols(&question.asserted), symbols(&question.assumptions));
    if terms.vars(interpolant).iter().any(|var| !left.contains(var) || !right.contains(var)) {
        return Err("the interpolant has a symbol of one side only".to_owned());
    }
    let not = terms.not(interpolant);
    let answer = decide(other, terms, &question.asserted, &[not]);
    other.pop();
    confirm(&answer, "the interpolant does not follow, says the other", counts)?;
    let answer = decide(other, terms, &question.assumptions, &[interpolant]);
    other.pop();
    confirm(&answer, "the interpolant does not exclude, says the other", counts)
}

/// It is an error if formulas that must be unsat are sat; within the limits the question may stay open.
fn confirm(answer: &Answer, wrong: &str, counts: &mut Counts) -> Result<(), String> {
    match answer {
        Answer::Sat => Err(wrong.to_owned()),
        Answer::Unsat => Ok(()),
        Answer::Unknown(Reason::Failed(why)) => Err(format!("on the core a solver failed: {why}")),
        Answer::Unknown(_) => {
            counts.unconfirmed += 1;
            Ok(())
        }
    }
}

/// The answer to formulas in a scope of their own, which stays open.
fn decide(
    solver: &mut impl Solver,
    terms: &Terms,
    asserted: &[TermId],
    assumptions: &[TermId],
) -> Answer {
    solver.push();
    asserted.iter().for_each(|formula| solver.assert(terms, *formula));
    solver.check(terms, assumptions, &limits())
}

fn limits() -> Budget {
    let deadline = Instant::now().checked_add(TIME);
    Budget::until(deadline).with_conflicts(CONFLICTS)
}

fn holds(terms: &Terms, question: &Question, solver: &mut Builtin) -> bool {
    question.asserted.iter().chain(&question.assumptions).all(|formula| {
        let value = terms.eval(*formula, &mut |var| Some(solver.value(terms, var)));
        value == Ok(Value::Bool(true))
    })
}

/// Prints the smallest question on which the solvers disagree.
fn report(arguments: &SolverFuzz, terms: &mut Terms, question: Question) -> Result<(), String> {
    let mut again = |terms: &Terms, question: &Question| match Pipe::new(&arguments.solver) {
        Ok(mut other) => {
            let (mut ours, mut counts) = (Builtin::new(), Counts::default());
            ask(&mut terms.clone(), question, &mut ours, &mut other, &mut counts).is_err()
        }
        Err(_) => false,
    };
    let question = if again(terms, &question) {
        shrink(terms, question, &mut again)
    } else {
        println!("; alone the question makes no trouble: what came before it matters");
        question
    };
    let answer = decide(&mut Builtin::new(), terms, &question.asserted, &question.assumptions);
    println!("; :status is what the built-in solver answers");
    println!("{}", smt::query(terms, &question.asserted, &question.assumptions, &answer)?);
    Ok(())
}
