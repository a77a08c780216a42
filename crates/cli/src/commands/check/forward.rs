//! The options of exploration.

use std::path::Path;

use base::{Diagnostic, Diagnostics, Span};
use cfa::Program;
use verify::value::{PrecisionScope, Preference};
use verify::{Precision, Prune, Reach, precision};

use crate::arguments::forward::{Calls, Forward, Profile};
use crate::exit::Exit;
use crate::input;
use crate::output;

/// What the command line asks for. The file of a precision becomes one of the program's sources,
/// for messages.
pub fn options(arguments: &Forward, program: &mut Program) -> Result<verify::Forward, Exit> {
    let scope = arguments.precision.into();
    let precision = match &arguments.load_precision {
        Some(path) => Some(load(path, scope, program)?),
        None => None,
    };
    let product = verify::Product::new(arguments.strategy.into(), arguments.limit);
    Ok(verify::Forward {
        traversal: arguments.traversal.map(Into::into),
        prune: match (arguments.prune, arguments.profile) {
            (Some(prune), _) => prune.into(),
            (None, Some(Profile::Theta)) => Prune::Full,
            (None, _) => Prune::Lazy,
        },
        scope,
        preference: preference(arguments),
        precision,
        told: verify::Told::default(),
        nodes: None,
        summarizes_calls: arguments.calls == Calls::Summarize,
        predicate: predicate(arguments),
        product: match arguments.profile {
            Some(Profile::Theta) => product.to_the_letter(),
            _ => product,
        },
        value_limit: Some(arguments.value_limit),
        value_reach: match (arguments.leave, arguments.profile) {
            (Some(reach), _) => reach.into(),
            (None, Some(Profile::Explicit)) => Reach::Path,
            (None, _) => Reach::Everywhere,
        },
    })
}

fn preference(arguments: &Forward) -> Preference {
    match (arguments.prefix, arguments.profile) {
        (Some(prefix), _) => prefix.into(),
        (None, Some(Profile::Explicit)) => Preference::Whole,
        (None, _) => Preference::First,
    }
}

fn predicate(arguments: &Forward) -> verify::Predicate {
    let abstraction = arguments.abstraction.map(Into::into);
    let blocks = arguments.blocks.map(Into::into);
    let style = arguments.refinement.into();
    let pieces = arguments.predicates.into();
    let asked = verify::Predicate { abstraction, blocks, style, pieces, strict: false };
    match arguments.profile {
        None | Some(Profile::Method1) => asked,
        Some(Profile::Explicit) => {
            let theirs = verify::Predicate::BY_LOOPS_AND_FUNCTIONS;
            verify::Predicate {
                abstraction: abstraction.or(theirs.abstraction),
                blocks: blocks.or(theirs.blocks),
                ..asked
            }
        }
        Some(Profile::Theta) => {
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

fn load(path: &Path, scope: PrecisionScope, program: &mut Program) -> Result<Precision, Exit> {
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
