//! The command `proviso`.

mod arguments;
mod commands;
mod exit;
mod fault;
mod input;
mod output;
mod supervise;

use std::process::ExitCode;
use std::time::Instant;

use arguments::Arguments;
use exit::Exit;

fn main() -> ExitCode {
    let start = Instant::now();
    if let Some(code) = supervise::run() {
        return ExitCode::from(u8::try_from(code).unwrap_or(u8::MAX));
    }
    let arguments = match understood() {
        Ok(arguments) => arguments,
        Err(exit) => return exit.into(),
    };
    let form = arguments.command.form();
    let told = arguments.command.answer_after(Exit::Internal);
    let has_verdict = told.is_some();
    // Signals are listened to before another thread is started, which may take its time.
    let limited = commands::limit(&arguments, start);
    let exit = fault::run(|| commands::run(&arguments, limited.as_ref()));
    if exit == Exit::Internal
        && let Some(line) = told
    {
        output::conclude_after(&commands::last_words(form, line, exit), exit, &|| {
            limited.iter().for_each(commands::Limited::leave_fault);
        });
    }
    let exit = output::end(exit);
    if exit == Exit::Done && output::has_lost() && !has_verdict {
        return Exit::Usage.into();
    }
    exit.into()
}

/// Reads the command line, and has the process speak as it says. An error has been told to the user.
fn understood() -> Result<Arguments, Exit> {
    let arguments = arguments::parse()?;
    output::set(&arguments.manner);
    if arguments.command.form() != arguments::Form::Text {
        output::speak_to_programs();
    }
    fault::keep_file_limit_harmless();
    Ok(arguments)
}
