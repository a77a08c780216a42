//! `proviso bench`: runs a suite or a batch and makes its tables.

mod batch;
mod carry;
mod choose;
mod messages;
mod slurm;
mod suites;

use std::time::Duration;

use crate::arguments::bench::{Bench, Product, Suite};
use crate::exit::Exit;
use crate::output;
use messages::usage;

/// Runs the suite, or a batch.
pub fn run(arguments: &Bench) -> Result<Exit, Exit> {
    let time = |seconds| arguments.time.unwrap_or(Duration::from_secs(seconds));
    let product = &arguments.product;
    let Some(suite) = arguments.suite else { return batch::run(arguments, time(60)) };
    if let Some(option) = unread(suite, product) {
        let name = clap::ValueEnum::to_possible_value(&suite);
        let name = name.as_ref().map_or("", |name| name.get_name());
        return Err(usage(&format!("the suite {name} does not look at {option}")));
    }
    match (suite, product.sets.as_slice(), &product.out) {
        (Suite::Armc, [], None) => {
            let (ours, letter) = product.ways();
            if ours {
                output::write(&bench::armc::run(time(60), false).to_string());
            }
            if letter {
                output::write(&bench::armc::run(time(60), true).to_string());
            }
            Ok(Exit::Done)
        }
        (Suite::Explicit, [folder], Some(out)) => {
            suites::run_explicit(product, folder, out, time(60))
        }
        (Suite::Explicit, ..) => Err(usage("the suite explicit needs one folder and --out")),
        (Suite::Armc, ..) => Err(usage("the suite armc brings its programs along")),
        (Suite::Product, [folder], Some(out)) => {
            suites::run_product(product, folder, out, time(180))
        }
        (Suite::Product, ..) => Err(usage("the suite product needs one folder and --out")),
        (Suite::Loops, [folder], Some(out)) => suites::run_loops(product, folder, out, time(60)),
        (Suite::Loops, [folder], None) => {
            // The results of runs are collected in a folder, whether they are kept or not.
            let name = format!("proviso-loops-{}", std::process::id());
            let scratch = std::env::temp_dir().join(name);
            let exit = suites::run_loops(product, folder, &scratch, time(60));
            let _ = std::fs::remove_dir_all(&scratch);
            exit
        }
        (Suite::Loops, ..) => Err(usage("the suite loops needs one folder")),
        (Suite::Partial, [folder], Some(out)) => {
            suites::run_partial(product, folder, out, time(10))
        }
        (Suite::Partial, ..) => Err(usage("the suite partial needs one folder and --out")),
    }
}

/// An option that a suite does not look at.
fn unread(suite: Suite, arguments: &Product) -> Option<&'static str> {
    use Suite::{Armc, Explicit, Loops, Partial, Product};
    let given: [(&str, bool, &[Suite]); 12] = [
        ("--sample", arguments.sample.is_some(), &[Product, Explicit, Loops, Partial]),
        ("--category", !arguments.category.is_empty(), &[Product, Explicit, Loops, Partial]),
        ("--resume", arguments.resume, &[Product, Explicit, Loops, Partial]),
        ("--configuration", !arguments.configuration.is_empty(), &[Product, Explicit]),
        ("--as", arguments.ways() != (true, false), &[Armc, Product, Explicit]),
        ("--further", arguments.further, &[Product]),
        ("--traversal", arguments.traversal.is_some(), &[Product]),
        ("--prune", arguments.prune.is_some(), &[Product]),
        ("--jobs", arguments.jobs.is_some(), &[Product, Explicit, Loops, Partial]),
        ("-I", !arguments.include.is_empty(), &[Product, Explicit, Loops, Partial]),
        ("--memory", arguments.memory.is_some(), &[Product, Explicit, Loops, Partial]),
        ("--solver", arguments.solver != "builtin", &[Product, Explicit, Loops, Partial]),
    ];
    let unread = given.iter().find(|(_, given, read)| *given && !read.contains(&suite));
    unread.map(|(name, ..)| *name)
}
