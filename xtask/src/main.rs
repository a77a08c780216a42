//! Developer commands: `cargo xtask COMMAND`. They may need tools (gcc, csmith, z3) that neither the
//! build nor the tests need.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "these commands talk to a developer")]

mod corpus;
mod diff;
mod generate;
mod growth;
mod harness;
mod layout;
mod process;
mod solver;
mod tidy;
mod tools;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Developer commands of Proviso
#[derive(Parser, Clone, Debug)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Clone, Debug)]
enum Command {
    /// Compares `proviso run` with programs compiled by gcc
    DiffC(diff::DiffC),
    /// Prints a program of the generator that diff-c uses
    Generate(generate::Generate),
    /// Loads every program below a folder and says how many, how fast, with how much memory
    LoadCorpus(corpus::LoadCorpus),
    /// Compiles the harness of each violation in a list of tasks, and runs it
    Harness(harness::Harness),
    /// Compares layouts, types and constants with gcc's
    LayoutOracle(layout::LayoutOracle),
    /// Compares the built-in solver with another one on random formulas
    SolverFuzz(solver::fuzz::SolverFuzz),
    /// Measures the built-in solver against another one on four workloads
    SolverBench(solver::bench::SolverBench),
    /// Measures how the cost of a run grows with the size of a program
    Growth(growth::Growth),
    /// Checks rules about the source that the compiler does not
    Tidy,
    #[command(hide = true)]
    Measure(corpus::Measure),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    process::watch_interrupt();
    let result = match &arguments.command {
        Command::DiffC(arguments) => diff::run(arguments),
        Command::Generate(arguments) => generate::run(arguments),
        Command::LoadCorpus(arguments) => corpus::load(arguments),
        Command::Harness(arguments) => harness::check(arguments),
        Command::LayoutOracle(arguments) => layout::run(arguments),
        Command::SolverFuzz(arguments) => solver::fuzz::run(arguments),
        Command::SolverBench(arguments) => solver::bench::run(arguments),
        Command::Growth(arguments) => growth::measure(arguments),
        Command::Tidy => tidy::run(),
        Command::Measure(arguments) => corpus::measure(arguments),
    };
    match result {
        _ if process::interrupted() => {
            eprintln!("interrupted");
            ExitCode::FAILURE
        }
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
