//! From files and options to a program model.

use base::{Diagnostic, SourceMap};
use cfa::Program;
use frontend::task::Property;
use frontend::{DataModel, Options, Subject};

use crate::arguments::{External, Input, Language, SignedOverflow};
use crate::exit::Exit;
use crate::output;

/// The program model. Messages about the input have been shown.
pub fn load(input: &Input) -> Result<Program, Exit> {
    load_with_subject(input).map(|(program, _)| program)
}

/// The program model, and what is asked about it.
pub fn load_with_subject(input: &Input) -> Result<(Program, Subject), Exit> {
    let options = options(input)?;
    let loaded = frontend::load(&input.files, &options);
    output::show(loaded.diagnostics.iter(), &loaded.program.sources);
    if loaded.diagnostics.has_errors() {
        Err(Exit::BadInput)
    } else {
        Ok((loaded.program, loaded.subject))
    }
}

fn options(input: &Input) -> Result<Options, Exit> {
    let property = property(input)?;
    let entry = input.entry_function.clone().unwrap_or_else(|| property.entry.clone());
    Ok(Options {
        language: input.language.map(|language| match language {
            Language::C => frontend::Language::C,
            Language::Cfa => frontend::Language::Theta,
            Language::Armc => frontend::Language::Armc,
            Language::Task => frontend::Language::Task,
        }),
        data_model: match (input.ilp32, input.lp64) {
            (true, _) => Some(DataModel::Ilp32),
            (_, true) => Some(DataModel::Lp64),
            _ => None,
        },
        property,
        entry,
        signed_overflow: match input.signed_overflow {
            SignedOverflow::Wrap => frontend::SignedOverflow::Wrap,
            SignedOverflow::Undefined => frontend::SignedOverflow::Undefined,
        },
        external: match input.external {
            External::Pure => frontend::External::Pure,
            External::Havoc => frontend::External::Havoc,
            External::Error => frontend::External::Error,
        },
        malloc_may_fail: input.malloc_may_fail,
        include: input.include.clone(),
    })
}

fn property(input: &Input) -> Result<Property, Exit> {
    let Some(path) = &input.spec else { return Ok(Property::default()) };
    let mut sources = SourceMap::new();
    let file =
        frontend::read(path, &mut sources).map_err(|diagnostic| refuse(&diagnostic, &sources))?;
    Property::parse(&sources, file).map_err(|diagnostics| {
        output::show(diagnostics.iter(), &sources);
        Exit::BadInput
    })
}

/// Shows a message about the input that ends the command.
pub fn refuse(diagnostic: &Diagnostic, sources: &SourceMap) -> Exit {
    output::show([diagnostic], sources);
    Exit::BadInput
}
