//! The options of exploration.

use std::path::Path;

use base::{Diagnostic, Diagnostics, Span};
use cfa::Program;
use verify::value::{Preference, Scope};
use verify::{Precision, Prune, Reach, Strategy, Traversal, precision};

use crate::arguments::forward::{self as arguments, Forward};
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
    let product = verify::Product::new(strategy, arguments.limit);
    Ok(verify::Forward {
        traversal: arguments.traversal.map(|traversal| match traversal {
            arguments::Traversal::Dfs => Traversal::Dfs,
            arguments::Traversal::Bfs => Traversal::Bfs,
            arguments::Traversal::Rpo => Traversal::ReversePostOrder,
            arguments::Traversal::ErrorDistance => Traversal::ErrorDistance,
        }),
        prune: match (arguments.prune, arguments.profile) {
            (Some(arguments::Prune::Full), _) | (None, Some(arguments::Profile::Theta)) => {
                Prune::Full
            }
            (Some(arguments::Prune::Lazy), _) | (None, _) => Prune::Lazy,
        },
        scope,
        preference: preference(arguments),
        precision,
        told: verify::Told::default(),
        nodes: None,
        summarizes_calls: arguments.calls == arguments::Calls::Summarize,
        predicate: predicate(arguments),
        product: match arguments.profile {
            Some(arguments::Profile::Theta) => product.to_the_letter(),
            _ => product,
        },
        value_limit: Some(arguments.value_limit),
        value_reach: match (arguments.leave, arguments.profile) {
            (Some(arguments::Leave::Path), _) | (None, Some(arguments::Profile::Explicit)) => {
                Reach::Path
            }
            _ => Reach::Everywhere,
        },
    })
}

fn preference(arguments: &Forward) -> Preference {
    match (arguments.prefix, arguments.profile) {
        (Some(arguments::Prefix::Last), _) => Preference::Last,
        (Some(arguments::Prefix::ShortestInterpolant), _) => Preference::ShortestInterpolant,
        (Some(arguments::Prefix::LongestInterpolant), _) => Preference::LongestInterpolant,
        (Some(arguments::Prefix::FewestVariables), _) => Preference::FewestVariables,
        (Some(arguments::Prefix::FewestCounters), _) => Preference::FewestCounters,
        (Some(arguments::Prefix::Whole), _) | (None, Some(arguments::Profile::Explicit)) => {
            Preference::Whole
        }
        (Some(arguments::Prefix::First), _) | (None, _) => Preference::First,
    }
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
    let asked = verify::Predicate { abstraction, blocks, style, pieces, strict: false };
    match arguments.profile {
        None | Some(arguments::Profile::Method1) => asked,
        Some(arguments::Profile::Explicit) => {
            let theirs = verify::Predicate::BY_LOOPS_AND_FUNCTIONS;
            verify::Predicate {
                abstraction: abstraction.or(theirs.abstraction),
                blocks: blocks.or(theirs.blocks),
                ..asked
            }
        }
        Some(arguments::Profile::Theta) => {
            let theta = verify::Predicate::THETA;
            let style = if style == verify::Style::Auto { theta.style } else { style };
            verify::Predicate {
                abstraction: abstraction.or(theta.abstraction),
                blocks: blocks.or(theta.blocks),
                style,
                ..verify::Predicate { pieces, ..theta }
            }
        }
    }
}

fn load(path: &Path, scope: Scope, program: &mut Program) -> Result<Precision, Exit> {
    let file = frontend::read(path, &mut program.sources)
        .map_err(|diagnostic| input::refuse(&diagnostic, &program.sources))?;
    let refuse = |diagnostics: &Diagnostics, program: &Program| {
        output::show(diagnostics.iter(), &program.sources);
        Err(Exit::BadInput)
    };
    let (precision, spans, mut diagnostics) = match precision::read(program, scope, file) {
        Ok(read) => read,
        Err(diagnostics) => return refuse(&diagnostics, program),
    };
    let unknown = verify::unreadable(program, &precision.predicates);
    for (error, span) in unknown.into_iter().zip(spans) {
        let Some(error) = error else { continue };
        // The cast is exact: a source map holds only files with 32-bit offsets.
        let start = (span.start + error.offset as u32).min(span.end);
        let at = Span::new(span.file, start, span.end);
        diagnostics.push(Diagnostic::error(at, error.message));
    }
    if diagnostics.has_errors() {
        return refuse(&diagnostics, program);
    }
    output::show(diagnostics.iter(), &program.sources);
    Ok(precision)
}
