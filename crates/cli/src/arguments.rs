//! The command line.

mod amount;
mod analysis;
pub mod backward;
pub mod bench;
pub mod build;
pub mod checks;
pub mod follow;
pub mod form;
pub mod forward;
mod idle;
mod input;
pub mod manner;
pub mod traces;
mod values;
pub mod variant;
mod words;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

use crate::exit::Exit;
use crate::output;
use amount::{memory, positive, time};
pub use analysis::{Analysis, SummarizeLoops};
pub use form::Form;
pub use input::Input;
pub use manner::{Color, Manner};

/// The version and the commit, if that is known.
pub const VERSION: &str = env!("PROVISO_VERSION");

/// The exit codes. Help is wrapped at the width of the terminal, so lines that fit 80 columns stay as they are.
macro_rules! exit_codes {
    () => {
        "\
Exit codes:
   0  done; `check`: TRUE; `validate`: the proof is confirmed;
      `run`: the program ran to an end; `solve`: sat or unsat;
      `traces --relative-soundness`: yes
  10  `check`: FALSE; `validate`: the violation is confirmed;
      `run`: the program reached an error or a fault;
      `bench`: some answers are wrong; `traces --relative-soundness`: no
  20  `check`: UNKNOWN; `validate`: not confirmed; `run`: no end was reached
      (unsupported, a limit, output that cannot be written); `solve`: unknown;
      `bench`: interrupted, or some runs failed;
      `traces --relative-soundness`: unknown
  64  the command line is wrong, or names a file that cannot be written
  65  the input cannot be read; `validate`: the witness is none of this program
  70  internal error"
    };
}

/// Examples of a command, and the exit codes.
macro_rules! help {
    ($($example:literal),* $(,)?) => {
        concat!("Examples:\n", $("  ", $example, "\n",)* "\n", exit_codes!())
    };
}

/// A software model checker that says what it has proved, even when it must stop early.
#[derive(Parser, Clone, Debug)]
#[command(name = "proviso", version = VERSION, after_help = help!(
    "proviso check program.c                    verify a program",
    "proviso run program.c --random 7           run it with inputs at random",
    "proviso explain time limit                 what a word of an answer means",
    "proviso help check                         all options of a command"
))]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// How to speak.
    #[command(flatten)]
    pub manner: Manner,
}

/// The commands.
#[derive(Subcommand, Clone, Debug)]
pub enum Command {
    /// Verifies a program
    ///
    /// The last line on standard output is `Verification result: TRUE`, `Verification result: FALSE
    /// (unreach-call)` or `Verification result: UNKNOWN (reason)`.
    #[command(after_help = help!(
        "proviso check program.c --timelimit 60s --output-dir out",
        "proviso check a.c b.c -I include -D DEBUG=1 --32",
        "proviso check task.yml --analysis predicate --stats"
    ))]
    Check(Check),
    /// Goes on where an earlier run has stopped
    ///
    /// What the assumption automaton of that run calls analysed is not analysed again. TRUE rests on
    /// both runs; without an answer, the new automaton is about what either has analysed.
    #[command(after_help = help!(
        "proviso check program.c --timelimit 60s --output-dir out",
        "proviso continue program.c --assumption out/assumption.spc --timelimit 10min"
    ))]
    Continue(Continue),
    /// Measures which lines and branches safe executions that end cover, within what was analysed
    ///
    /// Without --assumption the program is verified first, for half of the time.
    #[command(after_help = help!(
        "proviso coverage program.c --timelimit 60s --lcov coverage.info"
    ))]
    Coverage(Coverage),
    /// Validates a witness: an execution that violates the property, or a proof
    ///
    /// The witness is one of this or of another tool, in YAML (format 2.0) or GraphML (format 1.0). Its property and
    /// its sizes of types are used where the command line says none. The last line on standard output is
    /// `Witness: violation confirmed`, `Witness: proof confirmed` or `Witness: not confirmed (reason)`.
    #[command(after_help = help!(
        "proviso check program.c --output-dir out",
        "proviso validate program.c --witness out/violation.yml"
    ))]
    Validate(Validate),
    /// Shows the program model of a program
    #[command(after_help = help!(
        "proviso cfa program.c --format dot | dot -Tsvg > program.svg"
    ))]
    Cfa(Cfa),
    /// Runs a program
    ///
    /// The program's own output goes to standard output; the last line there says how the run
    /// ended: `Run ended: returned 0`. Assumptions of the model and the trace go to standard
    /// error.
    #[command(after_help = help!(
        "proviso run program.c --random 7 --save-inputs inputs.txt",
        "proviso run program.c --inputs out/inputs.txt --trace"
    ))]
    Run(Run),
    /// Decides an SMT-LIB file, such as a recorded query
    ///
    /// Each `check-sat` of the file is answered by a line on standard output: `sat`, `unsat` or
    /// `unknown`. Why nothing is known goes to standard error.
    #[command(after_help = help!(
        "proviso solve query.smt2 --model --timelimit 10s",
        "proviso solve query.smt2 --solver z3"
    ))]
    Solve(Solve),
    /// Looks at the traces of a run without an answer, and asks about what it has analysed
    ///
    /// The report is what `check --output-dir DIR` has written. Abstractions are applied together,
    /// whatever their order. Without options, and on a terminal, commands are read from there.
    #[command(after_help = help!(
        "proviso traces out --frontier --collapse-method log --group",
        "proviso traces out --relative-soundness \"open write close\" --alphabet open,write,close"
    ))]
    Traces(traces::Traces),
    /// Runs many programs and makes tables of what came of them
    #[command(after_help = help!(
        "proviso bench tasks.set --analysis auto,predicate --timelimit 60 --jobs 2 --out results",
        "proviso bench --suite armc",
        "proviso bench --suite product models --out results --time 60 --jobs 2"
    ))]
    Bench(bench::Bench),
    /// Explains a word of an answer: what it means, why it happens, and what to do
    ///
    /// Words are the reasons of UNKNOWN, the kinds of FALSE, and others that answers have. Without a word all of them
    /// are listed.
    #[command(after_help = help!(
        "proviso explain",
        "proviso explain time limit",
        "proviso explain valid-deref"
    ))]
    Explain(Explain),
    /// Writes a script for a shell that completes commands and options
    #[command(after_help = help!("proviso completions bash > ~/.local/share/bash-completion/completions/proviso"))]
    Completions(Completions),
    /// Writes the manual page
    #[command(after_help = help!(
        "proviso man | man -l -",
        "proviso man --output-dir ~/.local/share/man/man1"
    ))]
    Man(Man),
}

/// `proviso explain`
#[derive(Args, Clone, Debug)]
pub struct Explain {
    /// The word, such as `time limit` or `valid-deref`; the last line of a run will do, too
    #[arg(value_name = "REASON")]
    pub reason: Vec<String>,
}

/// `proviso completions`
#[derive(Args, Clone, Debug)]
pub struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// `proviso man`
#[derive(Args, Clone, Debug)]
pub struct Man {
    /// Write a page for every command to this folder
    #[arg(long, value_name = "DIR")]
    pub output_dir: Option<PathBuf>,
}

/// The names of the commands that end with an answer also where the system refuses them memory.
pub const ANSWERING: [&str; 3] = ["check", "continue", "validate"];

impl Command {
    /// What is to be verified, and how, if the command verifies a program.
    fn check_mut(&mut self) -> Option<&mut Check> {
        match self {
            Command::Check(check) => Some(check),
            Command::Continue(command) => Some(&mut command.check),
            Command::Coverage(command) => Some(&mut command.check),
            _ => None,
        }
    }

    /// The form in which the command writes its result; text for commands that have no choice.
    pub fn form(&self) -> Form {
        match self {
            Command::Check(check) => check.format,
            Command::Continue(command) => command.check.format,
            _ => Form::Text,
        }
    }

    /// The line that scripts look for where the command ends without having written it.
    pub fn answer_after(&self, exit: Exit) -> Option<&'static str> {
        match (self, exit) {
            (Command::Check(_) | Command::Continue(_), Exit::Internal) => {
                Some("Verification result: UNKNOWN (internal error)\n")
            }
            // A run itself says why it has no answer, unless the system refuses it memory.
            (Command::Check(_) | Command::Continue(_), Exit::Unknown) => {
                Some("Verification result: UNKNOWN (memory limit)\n")
            }
            (Command::Validate(_), Exit::Internal) => {
                Some("Witness: not confirmed (internal error)\n")
            }
            (Command::Validate(_), Exit::Unknown) => {
                Some("Witness: not confirmed (memory limit)\n")
            }
            _ => None,
        }
    }
}

/// `proviso check`
#[derive(Args, Clone, Debug)]
pub struct Check {
    /// The program.
    #[command(flatten)]
    pub input: Input,
    /// The analysis
    ///
    /// auto suits most programs; the guide has a table of which analysis suits which program.
    #[arg(long, value_enum, default_value_t = Analysis::Auto, help_heading = "Analysis")]
    pub analysis: Analysis,
    /// Unroll loops and recursion at most so often (bmc)
    ///
    /// For a quick look at the first rounds. TRUE is said only if no execution goes round more often.
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..),
          help_heading = "Analysis")]
    pub unroll: Option<u32>,
    /// Run so many stages of auto side by side: those that look for errors, those that look for proofs, and
    /// explorations
    ///
    /// For hard programs, if cores are free: up to three are used. The first answer is taken, so that stages and
    /// counterexample may be others the next time; the verdict is the same. Processor time is that of all
    /// stages together.
    #[arg(long, value_name = "N", default_value = "1", help_heading = "Analysis",
          value_parser = clap::value_parser!(u8).range(1..=64))]
    pub jobs: u8,
    /// Analyse the program as it is: `auto` puts constants in place first, and leaves out what has no
    /// influence on the answer
    ///
    /// Use it to see the graph of the program itself, or if you suspect the simplification.
    #[arg(long, help_heading = "Analysis")]
    pub no_simplify: bool,
    /// Whether a loop whose variables change regularly is analysed as one step over all of its rounds
    /// (Tian, Duan & Duan 2018), and what else is known of rounds is used [default: all with auto, off with
    /// other analyses]
    ///
    /// For loops with very many rounds: exact for proofs, under for errors that lie deep.
    #[arg(long, value_name = "HOW", value_enum, help_heading = "Analysis")]
    pub summarize_loops: Option<SummarizeLoops>,
    /// Check the proof of TRUE again, by code of its own
    ///
    /// Use it where a wrong TRUE would be costly. The line `certified` says what the check trusts.
    #[arg(long, help_heading = "Analysis")]
    pub certify: bool,
    /// The solver.
    #[command(flatten)]
    pub solver: SolverOptions,
    /// Stop after this time on the clock (`60s`, `500ms`, `15min`)
    ///
    /// A part of it is kept for the report of a run without an answer: --report-budget.
    #[arg(long, value_name = "TIME", default_value = "15min", allow_hyphen_values = true, value_parser = time,
          help_heading = "Limits")]
    pub timelimit: Duration,
    /// Stop after this processor time, of all threads together
    ///
    /// For comparisons: it does not depend on what else the machine does.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = time, help_heading = "Limits")]
    pub cputimelimit: Option<Duration>,
    /// Stop when the process uses so much memory (`512MB`, `4GB`)
    #[arg(long, value_name = "SIZE", default_value = "4GB", allow_hyphen_values = true, value_parser = memory,
          help_heading = "Limits")]
    pub memlimit: u64,
    /// Keep so much of the time limit for the report of a run without an answer [default: a tenth, at
    /// least 1s; at most half]
    ///
    /// More of it finds more inputs of executions that were not explored (Castaño 2018).
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = time, help_heading = "Limits")]
    pub report_budget: Option<Duration>,
    /// What is written to standard output: the answer in words, or the whole result for programs
    ///
    /// In every form the last line has the verdict. With another form than `text` it is told on standard error, too.
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Form::Text, help_heading = "Output")]
    pub format: Form,
    /// Write to this folder: the result (JSON, SARIF, JUnit, a report for browsers); the counterexample, a
    /// harness and witnesses; or, without an answer, the proviso, the assumption automaton and the inputs of
    /// traces
    ///
    /// Files that an earlier run has written there are removed.
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub output_dir: Option<PathBuf>,
    /// Look for up to so many executions that were not analysed, also where several end in one place
    ///
    /// For `proviso traces`, which groups them (Castaño 2018, §4.2).
    #[arg(long, value_name = "N", value_parser = positive, help_heading = "Output")]
    pub all_traces: Option<usize>,
    /// While the run goes on, keep in this file (JSON) what it has found out so far
    ///
    /// The file is at most a second old. With the signal SIGUSR1 the same is written to standard error,
    /// as a page.
    #[arg(long, value_name = "FILE.json", help_heading = "Output")]
    pub live: Option<PathBuf>,
    /// Write to standard error what the run spent, as text or JSON
    ///
    /// Use it to see which stage of a run takes the time.
    #[arg(long, value_name = "FORM", value_enum, num_args = 0..=1, require_equals = true,
          default_missing_value = "text", help_heading = "Output")]
    pub stats: Option<Stats>,
    /// How the run can be followed.
    #[command(flatten)]
    pub follow: follow::Follow,
    // The headings of the next two groups hold for all options after them.
    /// How abstract domains are explored and refined.
    #[command(flatten)]
    pub forward: forward::Forward,
    /// What the backward analysis is told.
    #[command(flatten)]
    pub backward: backward::BackwardOptions,
    /// What an earlier run has analysed, if this one goes on from it.
    #[arg(skip)]
    pub from: Option<PathBuf>,
    /// Options that were given and have no effect with the analysis.
    #[arg(skip)]
    pub idle: Vec<(String, String)>,
    /// The options that say how the analysis is done, as they were given.
    #[arg(skip)]
    pub manner: Vec<String>,
    /// The options of the run that every analysis looks at, as they were given.
    #[arg(skip)]
    pub kept: Vec<String>,
}

impl Check {
    /// Whether somebody reads the document of the result.
    pub fn tells_result(&self) -> bool {
        self.output_dir.is_some() || self.format != Form::Text
    }

    /// Whether an option was given that has no effect with the analysis; the user has been warned of such an option.
    pub fn is_idle(&self, option: &str) -> bool {
        self.idle.iter().any(|(idle, _)| idle == option)
    }
}

/// `proviso continue`
#[derive(Args, Clone, Debug)]
pub struct Continue {
    /// What was analysed: an assumption automaton, by this tool or by CPAchecker
    #[arg(help_heading = "Analysis", long, value_name = "FILE.spc")]
    pub assumption: PathBuf,
    /// What to verify, and how.
    #[command(flatten)]
    pub check: Check,
}

/// `proviso coverage`
#[derive(Args, Clone, Debug)]
pub struct Coverage {
    /// What was analysed: an assumption automaton, by this tool or by CPAchecker
    #[arg(help_heading = "Output", long, value_name = "FILE.spc")]
    pub assumption: Option<PathBuf>,
    /// Write the coverage in lcov's format to this file
    #[arg(help_heading = "Output", long, value_name = "FILE")]
    pub lcov: Option<PathBuf>,
    /// What to verify, and how; --output-dir gets the executions as files of inputs.
    #[command(flatten)]
    pub check: Check,
}

/// `proviso validate`
#[derive(Args, Clone, Debug)]
pub struct Validate {
    /// The witness (.yml, .graphml)
    #[arg(help_heading = "Program", long, value_name = "FILE")]
    pub witness: PathBuf,
    /// The program.
    #[command(flatten)]
    pub input: Input,
    /// The solver.
    #[command(flatten)]
    pub solver: SolverOptions,
    /// Stop after this time on the clock (`60s`, `500ms`, `15min`)
    #[arg(long, value_name = "TIME", default_value = "15min", allow_hyphen_values = true, value_parser = time,
          help_heading = "Limits")]
    pub timelimit: Duration,
    /// Stop when the process uses so much memory (`512MB`, `4GB`)
    #[arg(long, value_name = "SIZE", default_value = "4GB", allow_hyphen_values = true, value_parser = memory,
          help_heading = "Limits")]
    pub memlimit: u64,
}

/// The forms of statistics.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stats {
    /// A figure in a line
    Text,
    /// One object in a line
    Json,
}

/// `proviso cfa`
#[derive(Args, Clone, Debug)]
pub struct Cfa {
    /// The program.
    #[command(flatten)]
    pub input: Input,
    /// How to write the model
    #[arg(help_heading = "Output", long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// The forms in which a model is written.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// The text form, which holds everything
    Text,
    /// A graph for Graphviz
    Dot,
    /// JSON
    Json,
    /// A few counts
    Summary,
}

/// `proviso run`
#[derive(Args, Clone, Debug)]
pub struct Run {
    /// The program.
    #[command(flatten)]
    pub input: Input,
    /// Take inputs from a file, one in a line, and zeros when it ends
    ///
    /// A line is a value (`5`, `x = -3`, `0x1f`, `true`, `1.5`; the name is for the reader only),
    /// `edge 2` where a model can go several ways, or `uninitialised` and a value for what the
    /// program reads without having set it. What follows a `#` is a comment.
    #[arg(help_heading = "Run", long, value_name = "FILE", conflicts_with = "random")]
    pub inputs: Option<PathBuf>,
    /// Choose inputs at random, the same for the same seed; without it every input is zero
    #[arg(help_heading = "Run", long, value_name = "SEED")]
    pub random: Option<u64>,
    /// Stop after so many steps
    #[arg(help_heading = "Run", long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true)]
    pub max_steps: u64,
    /// Stop after this time on the clock (`60s`, `500ms`, `15min`)
    #[arg(help_heading = "Run", long, value_name = "TIME", allow_hyphen_values = true, value_parser = time)]
    pub timelimit: Option<Duration>,
    /// Stop when the program uses so much memory (`512MB`, `4GB`)
    #[arg(help_heading = "Run", long, value_name = "SIZE", default_value = "1GB", allow_hyphen_values = true, value_parser = memory)]
    pub memlimit: u64,
    /// Write every step to standard error
    #[arg(help_heading = "Run", long)]
    pub trace: bool,
    /// Write the inputs of this run to a file that `--inputs` reads
    #[arg(help_heading = "Run", long, value_name = "FILE")]
    pub save_inputs: Option<PathBuf>,
}

/// `proviso solve`
#[derive(Args, Clone, Debug)]
pub struct Solve {
    /// The formulas, in SMT-LIB 2.6
    #[arg(value_name = "FILE.smt2")]
    pub file: PathBuf,
    /// After `sat`, print the values of the symbols
    #[arg(long)]
    pub model: bool,
    /// Who decides.
    #[command(flatten)]
    pub solver: SolverOptions,
    /// Give up on a check after so long (`10s`, `500ms`, `2min`)
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = time)]
    pub timelimit: Option<Duration>,
}

/// Who decides formulas.
#[derive(Args, Clone, Debug)]
pub struct SolverOptions {
    /// builtin, or another solver's name or path: z3, cvc5, yices, bitwuzla, mathsat
    ///
    /// Try another one where the reason of UNKNOWN is `solver`, or to compare answers.
    #[arg(long, value_name = "NAME|PATH", default_value = "builtin", help_heading = "Solver")]
    pub solver: String,
    /// Write every query to a file of its own in this folder
    ///
    /// For questions about the solver: `proviso solve` reads these files.
    #[arg(long, value_name = "DIR", help_heading = "Solver")]
    pub record_queries: Option<PathBuf>,
}

/// Has an option that takes a value take a number with a minus as well, and say which values it has. Otherwise the number
/// would look like an option that is not known.
fn with_negative_numbers(option: clap::Arg) -> clap::Arg {
    match option.get_action().takes_values() && !option.is_positional() {
        true => option.allow_negative_numbers(true),
        false => option,
    }
}

/// Reads the command line. An error has been told to the user.
pub fn parse() -> Result<Arguments, Exit> {
    let read = || {
        let matches = {
            let words = std::env::args_os().map(build::with_two_dashes);
            let command = Arguments::command();
            let command = command.mut_subcommands(|each| each.mut_args(with_negative_numbers));
            command.try_get_matches_from(words)?
        };
        let mut arguments = Arguments::from_arg_matches(&matches)?;
        if let (Some(check), Some((_, matches))) =
            (arguments.command.check_mut(), matches.subcommand())
        {
            check.idle = idle::idle(matches, check.analysis);
            (check.manner, check.kept) = idle::chosen(matches, check.analysis);
            // A profile that is for other analyses changes nothing, as the warning says.
            let analysis = check.analysis;
            let profile = check.forward.profile;
            check.forward.profile =
                profile.filter(|profile| idle::profiled(*profile).contains(&analysis));
        }
        if let Command::Continue(command) = &mut arguments.command {
            command.check.from = Some(command.assumption.clone());
        }
        Ok(arguments)
    };
    read().map_err(|error: clap::Error| {
        // What is wrong may stand before the option that says whether there are colours.
        let color = std::env::args_os().find_map(|word| match word.to_str()? {
            "--color=never" => Some(Color::Never),
            "--color=always" => Some(Color::Always),
            _ => None,
        });
        let manner = Manner { color: color.unwrap_or(Color::Auto), quiet: false, verbose: false };
        output::set(&manner);
        let text = error.render().to_string();
        if error.use_stderr() {
            output::tell(text.trim_end());
            Exit::Usage
        } else {
            // Help and version are output, not errors.
            output::write(&text);
            if output::has_lost() { Exit::Usage } else { Exit::Done }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_codes_are_in_lines_that_fit_every_terminal() {
        for line in exit_codes!().lines() {
            assert!(line.chars().count() < 80, "{line}");
            assert!(line.matches('`').count().is_multiple_of(2), "a word is broken: {line}");
        }
    }

    #[test]
    fn a_check_that_fails_inside_still_answers() {
        let parsed = |line: &[&str]| Arguments::try_parse_from(line).map(|parsed| parsed.command);
        let check = parsed(&["proviso", "check", "a.c"]).expect("a command");
        let internal = verify::Unknown::Internal.name();
        let line = format!("Verification result: UNKNOWN ({internal})\n");
        assert_eq!(check.answer_after(Exit::Internal), Some(line.as_str()));
        let memory = verify::Unknown::from(verify::Exceeded::Memory).name();
        let line = format!("Verification result: UNKNOWN ({memory})\n");
        assert_eq!(check.answer_after(Exit::Unknown), Some(line.as_str()));
        let run = parsed(&["proviso", "run", "a.c"]).expect("a command");
        assert_eq!(run.answer_after(Exit::Internal), None);
    }

    #[test]
    fn commands_that_answer_after_a_refused_allocation_are_known_by_name() {
        for command in Arguments::command().get_subcommands() {
            let name = command.get_name();
            let options = command.get_arguments().filter(|option| option.is_required_set());
            let named = options.filter_map(|option| option.get_long());
            let named = named.flat_map(|option| [format!("--{option}"), "file".to_owned()]);
            let mut line = vec!["proviso".to_owned(), name.to_owned()];
            line.extend(named);
            let parsed = ["bash", "--quiet"].iter().find_map(|last| {
                let words = line.iter().map(String::as_str).chain([*last]);
                Arguments::try_parse_from(words).ok()
            });
            let parsed = parsed.expect("all that is needed");
            let answers = parsed.command.answer_after(Exit::Unknown).is_some();
            assert_eq!(answers, ANSWERING.contains(&name), "{line:?}");
        }
    }

    /// Crates below this one name options where they tell users what to do.
    #[test]
    fn options_that_texts_name_exist() {
        let command = Arguments::command();
        let known: Vec<&str> = command
            .get_subcommands()
            .flat_map(clap::Command::get_arguments)
            .flat_map(|argument| argument.get_long_and_visible_aliases().unwrap_or_default())
            .collect();
        let crates = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut folders: Vec<_> =
            ["frontend", "report", "verify"].map(|name| crates.join(name).join("src")).into();
        let mut named = 0;
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|end| end == "rs") {
                    let text = std::fs::read_to_string(&path).expect("a file");
                    for option in options_in(&text) {
                        named += 1;
                        assert!(known.contains(&option), "{}: --{option}", path.display());
                    }
                }
            }
        }
        assert!(named > 10, "only {named} options are named");
    }

    /// The long options in texts of a source, without those in its comments.
    fn options_in(source: &str) -> impl Iterator<Item = &str> {
        let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
        code.flat_map(|line| line.split([' ', '"', '`', '(', ')', '=', '|'])).filter_map(|word| {
            let option = word.strip_prefix("--")?.trim_end_matches(['.', ';', ':', ',']);
            let is_name = option.len() > 1
                && option.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
            is_name.then_some(option)
        })
    }

    #[test]
    fn the_command_line_is_well_formed() {
        Arguments::command().debug_assert();
    }
}
