//! A task of a batch: a program, what is asked about it, and which answer is expected.

use std::fs;
use std::path::PathBuf;

use frontend::{DataModel, Language};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The property that is asked about where neither a task nor the command line names one.
pub(super) const UNREACH: &str = "unreach-call";

/// A model to be checked.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
pub struct Task {
    /// The path of the task below the folder of models; no two tasks have the same name.
    pub name: String,
    /// The file that `proviso check` gets.
    pub file: PathBuf,
    /// The family in the manifest, or else the first folder below that of models.
    pub category: String,
    /// Whether the property holds, where that is known.
    pub expected: Option<bool>,
    /// Sizes of C's types, where the manifest or the definition says so.
    #[serde(with = "super::model")]
    pub model: Option<DataModel>,
    /// The property by its name in SV-COMP; none for suites, which ask about asserts and error calls.
    pub property: Option<String>,
    /// The part of the property that is violated, where that is known.
    pub violated: Option<String>,
    /// The files of the program, for tools that read no task definitions; empty if the program is `file` alone.
    pub inputs: Vec<PathBuf>,
}

impl Task {
    /// The files of the program.
    #[must_use]
    pub fn programs(&self) -> &[PathBuf] {
        if self.inputs.is_empty() { std::slice::from_ref(&self.file) } else { &self.inputs }
    }

    /// A hash of the contents of the task's files. `None` if a file cannot be read. Files that a program includes do
    /// not count.
    #[must_use]
    pub fn digest(&self) -> Option<String> {
        let mut hash = Sha256::new();
        let inputs = self.inputs.iter().filter(|file| **file != self.file);
        for file in inputs.chain([&self.file]) {
            let bytes = fs::read(file).ok()?;
            // Lengths keep the end of one file from being taken for the beginning of the next.
            hash.update(bytes.len().to_le_bytes());
            hash.update(bytes);
        }
        Some(hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect())
    }

    /// The language of the program, if the ending of its first file says so.
    #[must_use]
    pub fn language(&self) -> Option<Language> {
        self.programs().first().and_then(|file| Language::of_path(file))
    }
}

/// The tasks that a folder or the words of a command line name.
#[derive(Clone, Debug, Default)]
pub struct FoundTasks {
    /// The tasks: those of a folder by name.
    pub tasks: Vec<Task>,
    /// Which files were passed over, which answers were left open, and why.
    pub notes: Vec<String>,
}
