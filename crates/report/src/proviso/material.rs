//! What the proviso of a run is built from.

use std::time::Duration;

use base::Span;
use cfa::Program;
use partial::Execution;
use verify::Outcome;

/// What a run has left behind, of which a document is made.
pub struct Material<'a> {
    /// The program.
    pub program: &'a Program,
    /// What came of the run.
    pub outcome: &'a Outcome,
    /// Safe cones and frontier traces, if they were looked for.
    pub execution: Option<&'a Execution>,
    /// The checks of the program.
    pub checks: &'a [partial::Check],
    /// The places of further asserts and error calls, which no way leads to.
    pub settled: &'a [Span],
    /// What was covered, if that was looked for.
    pub coverage: Option<&'a partial::Coverage>,
    /// The files of the program, as they were named.
    pub files: Vec<String>,
    /// The options that decide what the program means, as they were given.
    pub options: Vec<String>,
    /// The limit of time.
    pub timelimit: Duration,
    /// The limit of processor time, if there is one.
    pub cputimelimit: Option<Duration>,
    /// The limit of memory, in bytes.
    pub memlimit: u64,
    /// The file that says what an earlier run has analysed, as it was named, if this run has gone on from one.
    pub assumption: Option<String>,
    /// What is proved by earlier runs, in sentences.
    pub earlier: &'a [String],
    /// Whether the executions that this file calls analysed were left out.
    pub rests: bool,
    /// The checks that are proved by what it says alone.
    pub assumed: &'a [partial::Check],
    /// What came of the program itself, where the outcome is about the rest that an earlier run has left.
    pub plain: Option<&'a Outcome>,
    /// Where files were written, if they were.
    pub folder: Option<String>,
    /// The folder for files that the user has named, whether any were written or not.
    pub chosen: Option<String>,
    /// The name of the analysis.
    pub analysis: String,
    /// The options that say how the analysis is done, as they were given; other analyses may not know them.
    pub manner: Vec<String>,
    /// The options of the run that every analysis knows, as they were given, besides its time and folder.
    pub kept: Vec<String>,
}
