//! `proviso run`: runs the program.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use ::run::Budget;
use base::Diagnostic;
use cfa::Program;
use interp::{Config, Ending, Inputs, Observer, RandomInputs, Trouble, Zeros};

use super::trace::Trace;
use crate::arguments::Run;
use crate::exit::Exit;
use crate::input;
use crate::output::{self, ProgramOutput};

/// Runs the program and says how it ended.
pub fn run(arguments: &Run) -> Result<Exit, Exit> {
    let mut program = input::load_to_run(&arguments.input)?;
    let mut inputs = inputs(arguments, &mut program)?;
    let saved = open_saved(arguments)?;
    input::tell_assumptions(&program);
    let budget = arguments.timelimit.map(Budget::within);
    // With a limit on steps, no rounds are taken at once: the limit counts the steps of all rounds.
    let is_limited = arguments.max_steps != u64::MAX;
    let shortcuts = (!is_limited).then(|| verify::shortcuts(&program));
    let config = Config {
        max_steps: arguments.max_steps,
        memory: arguments.memlimit,
        record: saved.is_some(),
        budget: budget.as_ref(),
        shortcuts: shortcuts.as_ref(),
    };
    let mut output = ProgramOutput::new();
    let mut trace = Trace::new(&program);
    let observer: Option<&mut dyn Observer> = if arguments.trace { Some(&mut trace) } else { None };
    let ended = interp::run(&program, &config, &mut *inputs, observer, &mut output);
    if let Some((mut file, path)) = saved {
        let text = interp::write_inputs(&program, &ended.drawn);
        if let Err(error) = file.write_all(text.as_bytes()) {
            output::cannot_write(path, &error);
        }
    }
    if let Ending::Inputs(Trouble::Unfit { message, span }) = &ended.ending {
        let diagnostic =
            Diagnostic { span: *span, ..Diagnostic::error_without_place(message.as_str()) };
        return Err(input::refuse(&diagnostic, &program.sources));
    }
    if ended.approximated > 0 {
        let count = ended.approximated;
        output::note(&format!(
            "note: {count} values stand for results of functions that are not modelled"
        ));
    }
    if let Some(rounds) = report::passed(&program, &ended.passed, "taken") {
        output::note(&format!("note: {rounds}"));
    }
    let told = match &ended.ending {
        // Only the time limit stops a run.
        Ending::Stopped => "time limit".to_owned(),
        ending => ending.describe(&program),
    };
    output.finish(&format!("Run ended: {told}"));
    Ok(exit(&ended.ending))
}

fn exit(ending: &Ending) -> Exit {
    match ending {
        Ending::Returned(_)
        | Ending::Exited { .. }
        | Ending::Aborted { .. }
        | Ending::AssumptionFailed { .. } => Exit::Done,
        Ending::Error { .. } | Ending::Invalid { .. } | Ending::Fault { .. } => Exit::Violation,
        Ending::StepLimit
        | Ending::Stopped
        | Ending::Unsupported { .. }
        | Ending::OutOfMemory { .. }
        | Ending::Inputs(_)
        | Ending::OutputFailed(_) => Exit::Unknown,
    }
}

/// The source of inputs and of all else that the program leaves open.
fn inputs(arguments: &Run, program: &mut Program) -> Result<Box<dyn Inputs>, Exit> {
    match (&arguments.inputs, arguments.random) {
        (Some(path), _) => {
            let file = frontend::read(path, &mut program.sources)
                .map_err(|diagnostic| input::refuse(&diagnostic, &program.sources))?;
            let listed = interp::parse_inputs(&program.sources, file).map_err(|diagnostics| {
                output::show(diagnostics.iter(), &program.sources);
                Exit::BadInput
            })?;
            Ok(Box::new(listed))
        }
        (None, Some(seed)) => Ok(Box::new(RandomInputs::new(seed))),
        (None, None) => Ok(Box::new(Zeros)),
    }
}

/// The file for the inputs, made before the run so that a long run is not in vain.
fn open_saved(arguments: &Run) -> Result<Option<(File, &Path)>, Exit> {
    let Some(path) = &arguments.save_inputs else { return Ok(None) };
    let file = File::create(path).map_err(|error| output::cannot_write(path, &error))?;
    Ok(Some((file, path)))
}
