//! The forms of a result.

use clap::ValueEnum;

/// The forms in which a result is written to standard output.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// For people
    Text,
    /// One JSON document, described by docs/schema/result.json
    Json,
    /// SARIF 2.1.0, for editors and code hosts
    Sarif,
    /// JUnit's XML, for servers of continuous integration: a check of the program is a test case
    Junit,
    /// The report for browsers, in one file
    Html,
}
