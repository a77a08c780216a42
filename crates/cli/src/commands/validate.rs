//! `proviso validate`: says whether a witness can be confirmed.

use std::fmt::Write as _;
use std::sync::Arc;

use base::SourceMap;
use cfa::Program;
use frontend::task::{Property, PropertyKind};
use frontend::{Options, OutsidePointers, Subject};
use verify::{Config, Summaries};
use witness::{Claim, Task, Validation, Witness};

use super::check::{Limited, Solvers};
use crate::arguments::Validate;
use crate::exit::Exit;
use crate::{input, output};

/// Reads the witness and the program, and validates the one against the other.
pub fn run(arguments: &Validate, limited: &Limited) -> Result<Exit, Exit> {
    let mut sources = SourceMap::new();
    let file = frontend::read(&arguments.witness, &mut sources)
        .map_err(|diagnostic| input::refuse(&diagnostic, &sources))?;
    let witness =
        witness::read(&sources, file).map_err(|diagnostic| input::refuse(&diagnostic, &sources))?;
    let (files, mut options) = input::files_and_options(&arguments.input)?;
    options.data_model = options.data_model.or(witness.data_model);
    let unknown = match options.property.is_default() && options.checks.is_empty() {
        true => take_property(&witness, &mut options, arguments).err(),
        false => {
            tell_other(&witness, &options);
            None
        }
    };
    let (program, subject) = input::loaded(&files, &options)?;
    if subject.language != Some(frontend::Language::C) {
        output::tell("error: witnesses are about programs in C");
        return Err(Exit::BadInput);
    }
    witness::fits(&witness, &program, &subject.files)
        .map_err(|diagnostic| input::refuse(&diagnostic, &sources))?;
    if let Some(why) = unknown {
        return Ok(conclude(&Validation::Not(why)));
    }
    input::tell_assumptions(&program);
    // What a task definition says is part of the options from here on.
    options.property = subject.property.clone();
    options.data_model = Some(subject.data_model);
    options.checks = subject.checks;
    options.entry.clone_from(&subject.entry);
    if !options.property.is_decided() {
        let name = options.property.name();
        return Ok(conclude(&Validation::Not(format!("the property {name} is not decided"))));
    }
    let solvers = Solvers::new(&arguments.solver)?;
    let config = Config {
        simplify: true,
        summaries: Summaries { exact: true, over: true, under: true },
        budget: limited.budget.clone(),
        journal: Arc::clone(&limited.journal),
        ..Config::default()
    };
    let open = || solvers.open();
    let validated = |program: &Program, subject: &Subject, options: &Options| {
        let (witness, config) = (&witness, &config);
        let task = Task { witness, program, subject, options, config, solver: &open };
        witness::validate(&task).map_err(|diagnostic| input::refuse(&diagnostic, &sources))
    };
    let mut validation = validated(&program, &subject, &options)?;
    let is_violation = matches!(witness.claim, Claim::Violation(_));
    if is_violation && program.cfa.outside.is_some() && matches!(validation, Validation::Not(_)) {
        // The witness may mean a pointer from outside that points to an object of the program.
        options.outside_pointers = OutsidePointers::Any;
        let (program, subject) = input::loaded(&files, &options)?;
        if let found @ Validation::Violation { .. } = validated(&program, &subject, &options)? {
            validation = found;
        }
    }
    Ok(conclude(&validation))
}

/// Whether all that violates a property violates what was asked for.
fn is_asked(property: &Property, options: &Options) -> bool {
    let asked = &options.property;
    let checks = asked.checks().and(options.checks);
    match &property.kind {
        PropertyKind::UnreachCall { functions } => {
            functions.iter().all(|name| asked.is_error_function(name))
        }
        PropertyKind::UnreachLabel { label } => asked.is_error_label(label),
        _ if !property.checks().is_empty() => property.checks().and(checks) == checks,
        kind => *kind == asked.kind,
    }
}

/// Says so if the witness is of another property than the one that was asked for.
fn tell_other(witness: &Witness, options: &Options) {
    let name = match witness::property(witness) {
        Some(property) if is_asked(&property, options) => return,
        Some(property) => property.name().to_owned(),
        None if witness.specification.is_empty() || witness::check(witness).is_some() => return,
        None => witness.specification.clone(),
    };
    output::tell(&format!(
        "warning: the witness is of another property, {name}; the one that was asked for is used"
    ));
}

/// Uses the property of the witness, or the check if it names one. A witness that names neither is one of the property that
/// is checked when nothing is asked for.
///
/// # Errors
/// Why the property that the witness names cannot be used.
fn take_property(
    witness: &Witness,
    options: &mut Options,
    arguments: &Validate,
) -> Result<(), String> {
    let text = &witness.specification;
    let entry = match (witness::property(witness), witness::check(witness)) {
        (Some(property), _) if property.is_decided() => {
            let entry = property.entry.clone();
            options.property = property;
            entry
        }
        (_, Some((check, entry))) => {
            options.checks = options.checks.with(check);
            entry
        }
        (Some(property), None) => {
            return Err(format!("the property {} is not decided", property.name()));
        }
        (None, None) if text.is_empty() => return Ok(()),
        (None, None) => return Err(format!("the property `{text}` is not known here")),
    };
    if arguments.input.entry_function.is_none() {
        options.entry = entry;
    }
    Ok(())
}

fn conclude(validation: &Validation) -> Exit {
    let mut text = String::new();
    let (answer, exit) = match validation {
        Validation::Violation { inputs, loosely } => {
            text.push_str("The program reaches the error along the witness, with these inputs:\n");
            if *loosely {
                text.insert_str(
                    0,
                    "What the witness says of variables and entered functions is left aside.\n",
                );
            }
            for line in inputs.lines() {
                let _ = writeln!(text, "  {line}");
            }
            ("violation confirmed".to_owned(), Exit::Violation)
        }
        Validation::Proof(count) => {
            let invariants = match count {
                0 => "no invariants are given, and none were needed".to_owned(),
                1 => "1 invariant holds".to_owned(),
                count => format!("{count} invariants hold"),
            };
            let _ = writeln!(text, "The property is proved; {invariants}.");
            ("proof confirmed".to_owned(), Exit::Done)
        }
        Validation::Not(why) => (format!("not confirmed ({why})"), Exit::Unknown),
    };
    let _ = writeln!(text, "Witness: {answer}");
    output::conclude(&text);
    exit
}
