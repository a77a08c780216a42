//! From files and options to a program model.

mod database;

use std::path::{Path, PathBuf};

use base::{Diagnostic, SourceMap};
use cfa::{Checks, Program};
use frontend::task::Property;
use frontend::{DataModel, Flags, Options, Subject};

use crate::arguments::build::{self, Assembly, Globals, OutsidePointers, Volatile};
use crate::arguments::{External, Input, Language, SignedOverflow};
use crate::exit::Exit;
use crate::output;

/// The program model that is verified. Messages about the input have been shown.
pub fn load(input: &Input) -> Result<Program, Exit> {
    load_with_subject(input).map(|(program, _)| program)
}

/// The program model as it is: faults are errors only where the user asks for it.
pub fn load_as_it_is(input: &Input) -> Result<Program, Exit> {
    let (files, options) = options(input)?;
    loaded(&files, &options).map(|(program, _)| program)
}

/// The program model that is verified, and what is asked about it. If the user asks for nothing, some
/// faults count as errors.
pub fn load_with_subject(input: &Input) -> Result<(Program, Subject), Exit> {
    let (files, options) = files_and_options(input)?;
    loaded(&files, &options)
}

/// The files of a program and how they are read when it is verified.
pub fn files_and_options(input: &Input) -> Result<(Vec<PathBuf>, Options), Exit> {
    let (files, mut options) = options(input)?;
    if options.property.is_default() && input.asked.checks.is_empty() {
        options.default_checks = Options::of_checks().default_checks;
    }
    Ok((files, options))
}

/// The program model of files that are read in this way.
pub fn loaded(files: &[PathBuf], options: &Options) -> Result<(Program, Subject), Exit> {
    let loaded = frontend::load(files, options);
    output::show(loaded.diagnostics.iter(), &loaded.program.sources);
    if loaded.diagnostics.has_errors() {
        Err(Exit::BadInput)
    } else {
        Ok((loaded.program, loaded.subject))
    }
}

/// The files of the program, and how they are read. Shows what is to be said of that.
fn options(input: &Input) -> Result<(Vec<PathBuf>, Options), Exit> {
    let (files, options, warnings) = options_and_warnings(input)?;
    warnings.iter().for_each(|warning| output::note(&format!("warning: {warning}")));
    Ok((files, options))
}

fn options_and_warnings(input: &Input) -> Result<(Vec<PathBuf>, Options, Vec<String>), Exit> {
    let (files, file_flags, warnings) = files(input)?;
    let property = property(input)?;
    let entry = input.entry_function.clone().unwrap_or_else(|| property.entry.clone());
    let options = Options {
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
        flags: input.build.flags(),
        file_flags,
        globals: match input.build.globals {
            Globals::Initial => frontend::Globals::Initial,
            Globals::Arbitrary => frontend::Globals::Arbitrary,
        },
        pointer_sizes: input.build.pointer_size.clone(),
        volatile: match input.build.volatile {
            Volatile::Plain => frontend::Volatile::Plain,
            Volatile::Arbitrary => frontend::Volatile::Arbitrary,
        },
        devices: input.build.mmio.clone(),
        assembly: match input.build.asm {
            Assembly::Havoc => frontend::Assembly::Havoc,
            Assembly::Error => frontend::Assembly::Error,
        },
        outside_pointers: match input.build.outside_pointers {
            OutsidePointers::Region => frontend::OutsidePointers::Region,
            OutsidePointers::Any => frontend::OutsidePointers::Any,
        },
    };
    Ok((files, options, warnings))
}

/// The files of the program, each with what a compilation database says of it, and what is to be said of the database.
#[expect(clippy::type_complexity, reason = "a list and what belongs to it")]
fn files(input: &Input) -> Result<(Vec<PathBuf>, Vec<(PathBuf, Flags)>, Vec<String>), Exit> {
    let Some(path) = &input.build.compile_commands else {
        return Ok((input.files.clone(), Vec::new(), Vec::new()));
    };
    let entries = database::read(path).map_err(|message| {
        output::tell(&format!("error: {message}"));
        Exit::BadInput
    })?;
    let (entries, several) = database::first_of_each(entries);
    let several = several.iter().filter(|file| is_named(&input.files, file));
    let mut warnings: Vec<String> = several
        .map(|file| {
            format!(
                "{} has several entries for {}, with different options: the first one is used",
                output::name(path),
                output::name(file)
            )
        })
        .collect();
    if input.files.is_empty() {
        let flags = entries.into_iter().map(|entry| (entry.file, entry.flags)).collect::<Vec<_>>();
        return Ok((flags.iter().map(|(file, _)| file.clone()).collect(), flags, warnings));
    }
    let mut flags = Vec::new();
    for file in &input.files {
        match entries.iter().find(|entry| database::is_same(file, &entry.file)) {
            Some(entry) => flags.push((file.clone(), entry.flags.clone())),
            None => warnings.push(format!(
                "{} has no entry for {}",
                output::name(path),
                output::name(file)
            )),
        }
    }
    Ok((input.files.clone(), flags, warnings))
}

/// Whether a file is one of those that make the program. Where none is named, all of a database do.
fn is_named(files: &[PathBuf], file: &Path) -> bool {
    files.is_empty() || files.iter().any(|named| database::is_same(named, file))
}

/// What a compiler must be told to read each file of the program in the same way.
pub fn compiler_words(input: &Input) -> Vec<Vec<String>> {
    let Ok((files, options, _)) = options_and_warnings(input) else { return Vec::new() };
    let words =
        |file: &PathBuf| build::compiler_words(&options.flags_of(&file.display().to_string()));
    files.iter().map(words).collect()
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
