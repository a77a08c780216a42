//! The command line of `proviso traces`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, ValueEnum};

use super::amount::{memory, time};
use super::input::Input;

/// `proviso traces`
#[derive(Args, Clone, Debug)]
pub struct Traces {
    /// The `proviso.json` of a run, or the folder that it is in
    #[arg(value_name = "REPORT")]
    pub report: PathBuf,
    /// What is shown of the traces.
    #[command(flatten)]
    pub view: View,
    /// A question about what was analysed.
    #[command(flatten)]
    pub question: Question,
    /// How to write the answer
    #[arg(long, value_enum, default_value_t = Form::Text)]
    pub format: Form,
}

/// The options that say what is shown of the traces.
const SHOWN: [&str; 6] =
    ["collapse_depth", "collapse_method", "collapse_non_methods", "group", "cones", "frontier"];

/// What is shown of the traces.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Abstract traces (Castaño 2018, §4.2)")]
pub struct View {
    /// Only steps that are taken while at most so many functions are active; 1: those of main
    #[arg(long, value_name = "D")]
    pub collapse_depth: Vec<u32>,
    /// Only calls, and none of this function; calls that are made inside of it stay
    #[arg(long, value_name = "NAME")]
    pub collapse_method: Vec<String>,
    /// Only calls of functions that have a body
    #[arg(long)]
    pub collapse_non_methods: bool,
    /// Each abstract trace once, with how many traces it stands for
    #[arg(long)]
    pub group: bool,
    /// Only safe cones
    #[arg(long, conflicts_with = "frontier")]
    pub cones: bool,
    /// Only frontier traces
    #[arg(long)]
    pub frontier: bool,
}

/// A question about what was analysed.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Relative soundness (Castaño 2018, §4.3)")]
pub struct Question {
    /// Whether all executions were analysed whose calls are a beginning of these: "f g f"
    #[arg(long, value_name = "CALLS", conflicts_with_all = SHOWN)]
    pub relative_soundness: Option<String>,
    /// Calls count that are made while at most so many functions are active; 1: those of main
    #[arg(long, value_name = "D", default_value_t = 1, requires = "relative_soundness")]
    pub depth: u32,
    /// Only calls of these functions count [default: those of all functions that have a body]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "relative_soundness")]
    pub alphabet: Option<Vec<String>>,
    /// Give up on the question after this time on the clock (`60s`, `500ms`, `15min`)
    #[arg(long, value_name = "TIME", default_value = "60s", allow_hyphen_values = true, value_parser = time)]
    pub timelimit: Duration,
    /// Give up on the question when the process uses so much memory (`512MB`, `4GB`)
    #[arg(long, value_name = "SIZE", default_value = "4GB", allow_hyphen_values = true, value_parser = memory)]
    pub memlimit: u64,
}

/// The forms of an answer.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// For people
    Text,
    /// One JSON object
    Json,
}

impl Traces {
    /// Whether nothing is asked for but the report.
    pub fn is_plain(&self) -> bool {
        let View { collapse_depth, collapse_method, collapse_non_methods, group, cones, frontier } =
            &self.view;
        collapse_depth.is_empty()
            && collapse_method.is_empty()
            && !(*collapse_non_methods || *group || *cones || *frontier)
            && self.question.relative_soundness.is_none()
            && self.format == Form::Text
    }
}

/// The program of a report, as a command line.
#[derive(Parser, Clone, Debug)]
#[command(no_binary_name = true)]
struct Named {
    #[command(flatten)]
    input: Input,
}

/// Reads what a report says of its program: options, as words of a command line, and files.
pub fn input(options: &[String], files: &[String]) -> Result<Input, String> {
    let separator = ["--".to_owned()];
    let words = options.iter().chain(&separator).chain(files);
    match Named::try_parse_from(words) {
        Ok(named) => Ok(named.input),
        Err(error) => {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default();
            Err(first.trim_start_matches("error: ").to_owned())
        }
    }
}
