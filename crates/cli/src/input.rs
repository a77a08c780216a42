//! From files and options to a program model.

mod database;

use std::path::{Path, PathBuf};

use base::{Diagnostic, SourceMap};
use cfa::{AssumptionKind, Checks, Program};
use frontend::task::Property;
use frontend::{DataModel, Flags, Options, Setting, Wording};
use proviso::Task;

use crate::arguments::Input;
use crate::arguments::build;
use crate::exit::Exit;
use crate::output;

/// The program model that is verified. Messages about the input have been shown.
pub fn load(input: &Input) -> Result<Program, Exit> {
    load_task(input).map(|task| task.program)
}

/// The program model as it is: faults are errors only where the user asks for it.
pub fn load_as_it_is(input: &Input) -> Result<Program, Exit> {
    load_without_defaults(input, false)
}

/// The program model that is executed: as it is, and an access that is not valid ends the execution, whichever one it
/// is, unless a property is asked for by name that says nothing of accesses.
pub fn load_to_run(input: &Input) -> Result<Program, Exit> {
    load_without_defaults(input, true)
}

fn load_without_defaults(input: &Input, executed: bool) -> Result<Program, Exit> {
    let named = named(input)?;
    let options = read_as(input, &named)?;
    let is_about_places = !options.property.is_default() && options.property.is_reachability();
    let options = Options { executed: executed && !is_about_places, ..options };
    named.tell();
    loaded(&named.files, &options).map(|task| task.program)
}

/// The program model that is verified, and what is asked about it. If the user asks for nothing, some
/// faults count as errors.
pub fn load_task(input: &Input) -> Result<Task, Exit> {
    let named = named(input)?;
    let (files, options) = to_verify(input, &named)?;
    let mut task = loaded(&files, &options)?.with_unchecked();
    for text in named.assumptions {
        task.program.cfa.assume(AssumptionKind::Semantics, text, None);
    }
    Ok(task)
}

/// The files of a program and how they are read when it is verified.
pub fn files_and_options(input: &Input) -> Result<(Vec<PathBuf>, Options), Exit> {
    to_verify(input, &named(input)?)
}

fn to_verify(input: &Input, named: &Named) -> Result<(Vec<PathBuf>, Options), Exit> {
    let mut options = read_as(input, named)?;
    named.tell();
    if options.property.is_default() && input.asked.checks.is_empty() {
        options.default_checks = Options::of_checks().default_checks;
    }
    Ok((named.files.clone(), options))
}

/// The program of files that are read as `options` say. Messages about the input have been shown.
pub fn loaded(files: &[PathBuf], options: &Options) -> Result<Task, Exit> {
    match Task::load_unguarded(files, options) {
        Ok(task) => {
            output::show(task.diagnostics.iter(), &task.program.sources);
            Ok(task)
        }
        Err(refused) => {
            output::show(refused.diagnostics.iter(), &refused.sources);
            Err(Exit::BadInput)
        }
    }
}

/// Tells what the model of a program takes for granted.
pub fn tell_assumptions(program: &Program) {
    for assumption in &program.cfa.assumptions {
        output::note(&format!("assumption: {}", assumption.told(&program.sources)));
    }
}

/// How the files of the program are read.
fn read_as(input: &Input, named: &Named) -> Result<Options, Exit> {
    let property = property(input)?;
    let entry = input.entry_function.clone().unwrap_or_else(|| property.entry.clone());
    let options = Options {
        language: input.language.map(Into::into),
        data_model: match (input.ilp32, input.lp64) {
            (true, _) => Some(DataModel::Ilp32),
            (_, true) => Some(DataModel::Lp64),
            _ => named.data_model,
        },
        property,
        checks: input.asked.checks(),
        default_checks: Checks::NONE,
        executed: false,
        entry,
        signed_overflow: input.signed_overflow.into(),
        external: input.external.into(),
        malloc_may_fail: input.malloc_may_fail,
        include: input.include.clone(),
        flags: input.build.flags(),
        file_flags: named.flags.clone(),
        globals: input.build.globals.into(),
        pointer_sizes: input.build.pointer_size.clone(),
        volatile: input.build.volatile.into(),
        devices: input.build.mmio.clone(),
        assembly: input.build.asm.into(),
        outside_pointers: input.build.outside_pointers.into(),
        wording: Wording(flag),
    };
    Ok(options)
}

/// How the command line calls a setting.
fn flag(setting: Setting) -> &'static str {
    match setting {
        Setting::Language => "--language c|cfa|armc|task",
        Setting::Property => "--spec",
        Setting::Include => "-I",
        Setting::Entry => "--entry-function",
        Setting::PointerSizes => "--pointer-size",
        Setting::Devices => "--mmio",
        Setting::CheckOverflow => "--check overflow",
        Setting::AssemblyError => "--asm error",
        Setting::VolatileArbitrary => "--volatile arbitrary",
        Setting::GlobalsArbitrary => "--globals arbitrary",
        Setting::OutsidePointersAny => "--outside-pointers any",
    }
}

/// The files of the program, and what a compilation database says of them.
#[derive(Default)]
struct Named {
    files: Vec<PathBuf>,
    flags: Vec<(PathBuf, Flags)>,
    data_model: Option<DataModel>,
    /// What is to be said of the database.
    warnings: Vec<String>,
    /// What the options of the database are taken to mean.
    assumptions: Vec<String>,
}

impl Named {
    /// Shows what is to be said of the database.
    fn tell(&self) {
        self.warnings.iter().for_each(|warning| output::note(&format!("warning: {warning}")));
    }
}

fn named(input: &Input) -> Result<Named, Exit> {
    let Some(path) = &input.build.compile_commands else {
        return Ok(Named { files: input.files.clone(), ..Named::default() });
    };
    let refuse = |message: String| {
        output::tell(&format!("error: {message}"));
        Exit::BadInput
    };
    let database = output::name(path);
    let (entries, several) = database::first_of_each(database::read(path).map_err(refuse)?);
    let mut named = Named::default();
    for file in several.iter().filter(|file| is_named(&input.files, file)) {
        let file = output::name(file);
        named.warnings.push(format!(
            "{database} has several entries for {file}, with different options: the first one is used"
        ));
    }
    let all: Vec<PathBuf> = entries.iter().map(|entry| entry.file.clone()).collect();
    let mut models = Vec::new();
    for file in if input.files.is_empty() { &all } else { &input.files } {
        named.files.push(file.clone());
        let Some(entry) = entries.iter().find(|entry| database::is_same(file, &entry.file)) else {
            named.warnings.push(format!("{database} has no entry for {}", output::name(file)));
            continue;
        };
        named.flags.push((file.clone(), entry.flags.clone()));
        models.push(entry.data_model);
        for option in &entry.unread {
            let file = output::name(file);
            let text =
                format!("{option}, with which {file} is compiled, changes nothing: not read");
            named.assumptions.push(base::plain_line(&text).into_owned());
        }
    }
    if models.windows(2).any(|both| both[0] != both[1]) {
        let message =
            format!("{database} has some files compiled with -m32 or -m64, and others not");
        return Err(refuse(message));
    }
    named.data_model = models.first().copied().flatten();
    Ok(named)
}

/// Whether a file is one of those that make the program. If the command line names no files, these are all files of
/// the database.
fn is_named(files: &[PathBuf], file: &Path) -> bool {
    files.is_empty() || files.iter().any(|named| database::is_same(named, file))
}

/// What a compiler must be told to read each file of the program in the same way.
pub fn compiler_words(input: &Input) -> Vec<Vec<String>> {
    let Ok(named) = named(input) else { return Vec::new() };
    let Ok(options) = read_as(input, &named) else { return Vec::new() };
    let words =
        |file: &PathBuf| build::compiler_words(&options.flags_of(&file.display().to_string()));
    named.files.iter().map(words).collect()
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
