//! The options of exploration.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use cfa::Program;
use verify::value::{self, Preference, Scope};
use verify::{Prune, Strategy, Traversal};

use crate::arguments::{self, Forward};
use crate::exit::Exit;
use crate::input;
use crate::output;

/// What the command line asks for. The file of a precision becomes one of the program's sources,
/// for messages.
pub fn options(arguments: &Forward, program: &mut Program) -> Result<verify::Forward, Exit> {
    let scope = match arguments.precision {
        arguments::Precision::Location => Scope::Location,
        arguments::Precision::Function => Scope::Function,
        arguments::Precision::Global => Scope::Global,
    };
    let precision = match &arguments.load_precision {
        Some(path) => Some(load(path, scope, program)?),
        None => None,
    };
    let strategy = match arguments.strategy {
        arguments::Strategy::State => Strategy::State,
        arguments::Strategy::Path => Strategy::Path,
        arguments::Strategy::PathEnum => Strategy::PathEnum,
        arguments::Strategy::Arg => Strategy::Arg,
        arguments::Strategy::Lazy => Strategy::Lazy,
    };
    Ok(verify::Forward {
        traversal: arguments.traversal.map(|traversal| match traversal {
            arguments::Traversal::Dfs => Traversal::Dfs,
            arguments::Traversal::Bfs => Traversal::Bfs,
            arguments::Traversal::Rpo => Traversal::ReversePostOrder,
            arguments::Traversal::ErrorDistance => Traversal::ErrorDistance,
        }),
        prune: match arguments.prune {
            arguments::Prune::Lazy => Prune::Lazy,
            arguments::Prune::Full => Prune::Full,
        },
        scope,
        preference: match arguments.prefix {
            arguments::Prefix::First => Preference::First,
            arguments::Prefix::Last => Preference::Last,
            arguments::Prefix::ShortestInterpolant => Preference::ShortestInterpolant,
            arguments::Prefix::LongestInterpolant => Preference::LongestInterpolant,
            arguments::Prefix::FewestVariables => Preference::FewestVariables,
            arguments::Prefix::FewestCounters => Preference::FewestCounters,
        },
        precision,
        nodes: None,
        predicate: predicate(arguments),
        product: verify::Product::new(strategy, arguments.limit),
        value_limit: Some(arguments.value_limit),
    })
}

fn predicate(arguments: &Forward) -> verify::Predicate {
    let abstraction = arguments.abstraction.map(|abstraction| match abstraction {
        arguments::Abstraction::Cartesian => verify::Abstraction::Cartesian,
        arguments::Abstraction::Boolean => verify::Abstraction::Boolean,
        arguments::Abstraction::Split => verify::Abstraction::Split,
    });
    let blocks = arguments.blocks.map(|blocks| match blocks {
        arguments::Blocks::Edge => verify::Blocks::Edge,
        arguments::Blocks::Loop => verify::Blocks::Loop,
        arguments::Blocks::LoopAndFunction => verify::Blocks::LoopAndFunction,
    });
    let style = match arguments.refinement {
        arguments::Refinement::Itp => verify::Style::Farkas,
        arguments::Refinement::Newton => verify::Style::Newton,
        arguments::Refinement::Auto => verify::Style::Auto,
    };
    let pieces = match arguments.predicates {
        arguments::Predicates::Atoms => verify::Pieces::Atoms,
        arguments::Predicates::Conjuncts => verify::Pieces::Conjuncts,
        arguments::Predicates::Whole => verify::Pieces::Whole,
    };
    verify::Predicate { abstraction, blocks, style, pieces }
}

fn load(path: &Path, scope: Scope, program: &mut Program) -> Result<value::Precision, Exit> {
    let file = frontend::read(path, &mut program.sources)
        .map_err(|diagnostic| input::refuse(&diagnostic, &program.sources))?;
    match value::read(program, scope, file) {
        Ok((precision, warnings)) => {
            output::show(warnings.iter(), &program.sources);
            Ok(precision)
        }
        Err(diagnostics) => {
            output::show(diagnostics.iter(), &program.sources);
            Err(Exit::BadInput)
        }
    }
}

/// The file for a precision, made before the run so that a long one is not in vain.
pub struct Saved<'a> {
    file: File,
    path: &'a Path,
}

impl<'a> Saved<'a> {
    /// Makes the file, if one was asked for.
    pub fn open(arguments: &'a Forward) -> Result<Option<Self>, Exit> {
        let Some(path) = &arguments.save_precision else { return Ok(None) };
        let file = File::create(path).map_err(|error| output::cannot_write(path, &error))?;
        Ok(Some(Self { file, path }))
    }

    /// Writes the text to it. What cannot be written is told; the answer does not depend on it.
    pub fn save(mut self, text: &str) {
        if let Err(error) = self.file.write_all(text.as_bytes()) {
            output::cannot_write(self.path, &error);
        }
    }
}
