//! What came of one task with one configuration.

use serde::{Deserialize, Serialize};

use super::Worth;

/// How a run ended.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// With an answer, within the limits.
    Answered,
    /// Without an answer, by itself.
    Unknown,
    /// The tool took too long.
    TimeLimit,
    /// The tool used too much memory.
    MemoryLimit,
    /// The input could not be read.
    Input,
    /// The tool crashed, or did not understand its command line.
    Error,
}

impl Status {
    /// The name in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Status::Answered => "answered",
            Status::Unknown => "unknown",
            Status::TimeLimit => "time-limit",
            Status::MemoryLimit => "memory-limit",
            Status::Input => "input",
            Status::Error => "error",
        }
    }
}

/// What came of one task with one configuration: a line of `results.jsonl`.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Record {
    /// The model, as a path below the folder of models.
    pub task: String,
    /// What kind of model it is.
    pub category: String,
    /// Whether the property holds, where that is known.
    pub expected: Option<bool>,
    /// The configuration.
    pub configuration: String,
    /// How the run ended.
    pub status: Status,
    /// Whether the run said that the property holds, even if it said so too late.
    pub verdict: Option<bool>,
    /// Why there is no answer.
    pub reason: String,
    /// Time on processors.
    pub cpu_seconds: f64,
    /// Time on the clock.
    pub wall_seconds: f64,
    /// The most memory that the run had, as far as its memory was seen.
    pub peak_bytes: Option<u64>,
    /// How often the precision was refined.
    pub refinements: Option<u64>,
    /// How many abstract states were made.
    pub states: Option<u64>,
    /// The part of the property that the run says is violated, and the part that is expected to be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub violated: Option<(String, String)>,
    /// A hash of the files of the program, made when the run began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inputs: Option<String>,
    /// What the run's report says, if the suite asks for reports and the run wrote one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worth: Option<Worth>,
}

impl Record {
    /// The reason of a run that used up its time on the clock and not on processors.
    pub(crate) const BY_CLOCK: &str = "time limit (on the clock)";

    /// The head of `results.csv`.
    pub const COLUMNS: &str = "task,category,expected,configuration,status,verdict,reason,\
                               cpu_seconds,wall_seconds,peak_bytes,refinements,states\n";

    /// Whether the run gave an answer that is known to be wrong.
    #[must_use]
    pub fn is_wrong(&self) -> bool {
        match (self.verdict, self.expected) {
            (Some(false), Some(false)) => {
                self.violated.as_ref().is_some_and(|(said, right)| said != right)
            }
            (Some(said), Some(right)) => said != right,
            _ => false,
        }
    }

    /// Whether the run gave an answer in time that is not known to be wrong.
    #[must_use]
    pub fn is_solved(&self) -> bool {
        self.status == Status::Answered && !self.is_wrong()
    }

    /// A line of `results.csv`.
    #[must_use]
    pub fn csv(&self) -> String {
        let truth = |value: Option<bool>| value.map(|value| value.to_string()).unwrap_or_default();
        let count = |value: Option<u64>| value.map(|value| value.to_string()).unwrap_or_default();
        let fields = [
            self.task.clone(),
            self.category.clone(),
            truth(self.expected),
            self.configuration.clone(),
            self.status.name().to_owned(),
            truth(self.verdict),
            self.reason.clone(),
            format!("{:.6}", self.cpu_seconds),
            format!("{:.6}", self.wall_seconds),
            count(self.peak_bytes),
            count(self.refinements),
            count(self.states),
        ];
        let line: Vec<String> = fields.iter().map(|field| quote(field)).collect();
        line.join(",") + "\n"
    }
}

/// RFC 4180: a field with a separator in it is quoted, and quotes are doubled. Characters that would do something to a
/// terminal, such as escapes in the names of files, are written out.
pub(crate) fn quote(field: &str) -> String {
    let field = base::plain(field);
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.into_owned()
    }
}
