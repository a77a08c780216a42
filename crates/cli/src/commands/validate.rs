//! `proviso validate`: says whether a witness can be confirmed.

use std::fmt::Write as _;
use std::sync::Arc;

use base::SourceMap;
use cfa::{Check, Checks, Program};
use frontend::task::PropertyKind;
use frontend::{Options, OutsidePointers, Subject};
use verify::{Config, Summaries};
use witness::{Claim, Claimed, Task, Validation, Witness};

use super::check::{Limited, Solvers};
use crate::arguments::{Input, Validate};
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
    let proviso::Task { program, subject, .. } = input::loaded(&files, &options)?;
    if subject.language != Some(frontend::Language::C) {
        output::tell("error: witnesses are about programs in C");
        return Err(Exit::BadInput);
    }
    witness::fits(&witness, &program, &subject.files)
        .map_err(|diagnostic| input::refuse(&diagnostic, &sources))?;
    if let Some(why) = unknown {
        return Ok(conclude(&Validation::Not(why), ""));
    }
    input::tell_assumptions(&program);
    let named = Check::ALL.into_iter().filter(|check| options.checks.has(*check));
    let mut asked = report::formulas(&subject.property.text);
    asked.extend(named.map(report::formula_of));
    asked.dedup();
    // What a task definition says is part of the options from here on.
    options.property = subject.property.clone();
    options.data_model = Some(subject.data_model);
    options.checks = subject.checks;
    options.entry.clone_from(&subject.entry);
    if !options.property.is_decided() {
        let name = options.property.name();
        return Ok(conclude(&Validation::Not(format!("the property {name} is not decided")), ""));
    }
    let is_violation = matches!(witness.claim, Claim::Violation(_));
    match is_read_otherwise(&witness, &options, &arguments.input) {
        Some(why) if is_violation => output::tell(&format!("warning: {why}")),
        Some(why) => return Ok(conclude(&Validation::Not(why), "")),
        None => {}
    }
    let solvers = Solvers::new(&arguments.solver)?;
    let config = Config {
        simplify: true,
        summaries: Summaries { exact: true, over: true, under: true },
        budget: limited.budget.clone(),
        journal: Arc::clone(&limited.journal),
        ..Config::default()
    };
    match witness.contracts {
        0 => {}
        1 => output::tell("note: 1 contract of a function is left aside"),
        more => output::tell(&format!("note: {more} contracts of functions are left aside")),
    }
    let open = || solvers.open();
    let validated = |program: &Program, subject: &Subject, options: &Options| {
        let (witness, config) = (&witness, &config);
        let task = Task { witness, program, subject, options, config, solver: &open };
        witness::validate(&task).map_err(|diagnostic| input::refuse(&diagnostic, &sources))
    };
    let mut validation = validated(&program, &subject, &options)?;
    if is_violation && program.cfa.outside.is_some() && matches!(validation, Validation::Not(_)) {
        // The witness may mean a pointer from outside that points to an object of the program.
        options.outside_pointers = OutsidePointers::Any;
        let proviso::Task { program, subject, .. } = input::loaded(&files, &options)?;
        if let found @ Validation::Violation { .. } = validated(&program, &subject, &options)? {
            validation = found;
        }
    }
    Ok(conclude(&validation, &proved(&program, &asked, &options.entry)))
}

/// Whether every violation of the property of a witness is a violation of what was asked for.
fn is_asked(claimed: &Claimed, options: &Options) -> bool {
    let (asked, property) = (&options.property, &claimed.property);
    let checks = options.checks();
    let named = property.checks().and(claimed.checks);
    if named.and(checks) != checks {
        return false;
    }
    match &property.kind {
        PropertyKind::UnreachCall { functions } => {
            functions.iter().all(|name| asked.is_error_function(name))
        }
        PropertyKind::UnreachLabel { label } => asked.is_error_label(label),
        kind => !named.is_empty() || *kind == asked.kind,
    }
}

/// Warns if the witness is of another property than the one that was asked for.
fn tell_other(witness: &Witness, options: &Options) {
    let text = &witness.specification;
    let name = match witness::claimed(witness) {
        _ if text.is_empty() => return,
        Some(claimed) if is_asked(&claimed, options) => return,
        Some(Claimed { property, checks }) if checks.is_empty() => property.name().to_owned(),
        _ => text.clone(),
    };
    output::tell(&format!(
        "warning: the witness is of another property, {name}; the one that was asked for is used"
    ));
}

/// Takes the property of the witness for what is checked. For a witness that names no property, the checks
/// are those of a run without options.
///
/// # Errors
/// Why the property that the witness names cannot be used.
fn take_property(
    witness: &Witness,
    options: &mut Options,
    arguments: &Validate,
) -> Result<(), String> {
    let text = &witness.specification;
    match witness::claimed(witness) {
        Some(Claimed { property, checks }) if property.is_decided() => {
            if arguments.input.entry_function.is_none() {
                options.entry.clone_from(&property.entry);
            }
            options.property = property;
            options.checks = checks;
            options.default_checks = Checks::NONE;
            Ok(())
        }
        Some(Claimed { property, .. }) => {
            Err(format!("the property {} is not decided", property.name()))
        }
        None if text.is_empty() => Ok(()),
        None => Err(format!("the property `{text}` is not known here")),
    }
}

/// Why the proof of a witness is about another program than the one that is read here: executions start elsewhere,
/// types have other sizes, or other options decide what the program means.
fn is_read_otherwise(witness: &Witness, options: &Options, input: &Input) -> Option<String> {
    // A formula by itself says nothing of where executions start.
    let says_entry = witness.specification.contains("init(");
    let claimed = witness::claimed(witness).filter(|_| says_entry);
    let entry = claimed.map(|claimed| claimed.property.entry);
    if let Some(entry) = entry.filter(|entry| *entry != options.entry) {
        return Some(format!(
            "the witness is about executions from `{entry}`, not from `{}`",
            options.entry
        ));
    }
    if let Some(sizes) = witness.data_model
        && options.data_model.is_some_and(|used| used != sizes)
    {
        return Some("the witness is about other sizes of types".to_owned());
    }
    let (made, read) = (witness.configuration.as_ref()?, report::meaning(&input.meaning()));
    match (&made[..], &read[..]) {
        (made, read) if made == read => None,
        ("", read) => Some(format!("the witness was made without {read}")),
        (made, "") => Some(format!("the witness was made with {made}")),
        (made, read) => Some(format!("the witness was made with {made}, not with {read}")),
    }
}

/// What was proved, in sentences: what executions could have violated, and what else was asked for.
fn proved(program: &Program, asked: &[String], entry: &str) -> String {
    let could_fail = report::could_fail(program);
    let from = match entry {
        "main" => String::new(),
        entry => format!(" for executions from {entry}"),
    };
    let mut text = match &could_fail[..] {
        [] => format!("Nothing to verify{from}"),
        [one] => format!("The property is proved{from}: {one}"),
        several => format!("These properties are proved{from}: {}", several.join(", ")),
    };
    let idle: Vec<&str> =
        asked.iter().filter(|one| !could_fail.contains(one)).map(String::as_str).collect();
    if !idle.is_empty() {
        let _ = write!(text, "; nothing in the program could violate {}", idle.join(", "));
    }
    text
}

/// Prints the result of a validation; `proved` says what a proof has proved.
fn conclude(validation: &Validation, proved: &str) -> Exit {
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
        Validation::Proof { held, aside } => {
            let invariants = match held {
                0 if *aside > 0 => "no invariants were looked at".to_owned(),
                0 => "no invariants are given, and none were needed".to_owned(),
                1 => "1 invariant holds".to_owned(),
                count => format!("{count} invariants hold"),
            };
            let _ = writeln!(text, "{proved}; {invariants}.");
            match aside {
                0 => {}
                1 => text.push_str("1 invariant is left aside: the program has no place for it.\n"),
                more => {
                    let _ = writeln!(
                        text,
                        "{more} invariants are left aside: the program has no places for them."
                    );
                }
            }
            ("proof confirmed".to_owned(), Exit::Done)
        }
        Validation::Not(why) => (format!("not confirmed ({why})"), Exit::Unknown),
    };
    let _ = writeln!(text, "Witness: {answer}");
    output::conclude(&text, exit);
    exit
}
