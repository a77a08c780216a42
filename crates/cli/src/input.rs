//! From files and options to a program model.

use base::{Diagnostic, SourceMap};
use cfa::{Checks, Program};
use frontend::task::Property;
use frontend::{DataModel, Options, Subject};

use crate::arguments::{self, External, Input, Language, SignedOverflow};
use crate::exit::Exit;
use crate::output;

/// The program model that is verified. Messages about the input have been shown.
pub fn load(input: &Input) -> Result<Program, Exit> {
    load_with_subject(input).map(|(program, _)| program)
}

/// The program model as it is: faults are errors only where the user asks for it.
pub fn load_as_it_is(input: &Input) -> Result<Program, Exit> {
    loaded(input, &options(input)?).map(|(program, _)| program)
}

/// The program model that is verified, and what is asked about it. If the user asks for nothing, some
/// faults count as errors.
pub fn load_with_subject(input: &Input) -> Result<(Program, Subject), Exit> {
    let mut options = options(input)?;
    if options.property.is_default() && input.asked.checks.is_empty() {
        options.default_checks = Checks::of(&arguments::checks::DEFAULT);
    }
    loaded(input, &options)
}

fn loaded(input: &Input, options: &Options) -> Result<(Program, Subject), Exit> {
    let loaded = frontend::load(&input.files, options);
    output::show(loaded.diagnostics.iter(), &loaded.program.sources);
    if loaded.diagnostics.has_errors() {
        Err(Exit::BadInput)
    } else {
        Ok((loaded.program, loaded.subject))
    }
}

fn options(input: &Input) -> Result<Options, Exit> {
    let property = property(input)?;
    if input.asked.checks.iter().any(|word| word == "uninitialised") {
        output::tell("error: the check `uninitialised` is not there yet");
        return Err(Exit::Usage);
    }
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
        checks: input.asked.checks(),
        default_checks: Checks::NONE,
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
    if let Some(name) = &input.asked.property {
        return Ok(Property::named(name).unwrap_or_default());
    }
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
