//! Commands that would go on after a run without an answer.

use cfa::{EdgeId, Program};
use verify::{Unknown, Verdict};

use super::build::Material;
use super::document::Next;
use super::reasons::Reasons;
use crate::harness::quoted;
use crate::source;

/// One or two commands that would go on, with the options that the user has chosen. Each can be given after
/// the other: none removes a file that another one names.
pub(super) fn next(material: &Material<'_>, reasons: &Reasons<'_>) -> Vec<Next> {
    let Verdict::Unknown(why) = &material.outcome.verdict else { return Vec::new() };
    let command = Command::of(material);
    let mut next = Vec::new();
    match why {
        // More time would change nothing.
        Unknown::Unsupported { .. } | Unknown::NotReplayed(_) => {
            next.extend(command.with_model(reasons));
        }
        Unknown::Property(_) | Unknown::Internal => {}
        _ => next.push(command.to_answer(why)),
    }
    if next.is_empty() && matches!(why, Unknown::NotReplayed(_)) {
        next.push(command.to_answer(why));
    }
    let first = material.execution.and_then(|found| found.frontier.first());
    if let (Some(_), Some(folder)) = (first, &command.folder) {
        let Command { files, options, .. } = &command;
        next.push(Next {
            command: format!(
                "proviso run {files}{options} --inputs {folder}/frontier-1.txt --trace"
            ),
            purpose: "see the shortest behaviour that was not explored".to_owned(),
        });
    }
    next
}

/// The parts of the commands that are advised.
struct Command<'m> {
    material: &'m Material<'m>,
    files: String,
    /// The options that decide what the program means.
    options: String,
    /// Those that every analysis knows.
    kept: String,
    /// The folder that files were written to, if they were.
    folder: Option<String>,
    /// Where the next run is to write its files: elsewhere, if this one has written some.
    output: String,
}

impl<'m> Command<'m> {
    fn of(material: &'m Material<'m>) -> Self {
        let files: Vec<String> = material.files.iter().map(|file| path(file)).collect();
        let output = match (&material.chosen, &material.folder) {
            (Some(chosen), Some(_)) => path(&following(chosen)),
            (Some(chosen), None) => path(chosen),
            (None, _) => "out".to_owned(),
        };
        Self {
            material,
            files: files.join(" "),
            options: words(&material.options),
            kept: words(&material.kept),
            folder: material.folder.as_deref().map(path),
            output: format!("--output-dir {output}"),
        }
    }

    /// The command that may find an answer where this run has not.
    fn to_answer(&self, why: &Unknown) -> Next {
        let Self { material, files, options, kept, output, .. } = self;
        let same = match &*material.analysis {
            "auto" => words(&material.manner),
            name => format!(" --analysis {name}{}", words(&material.manner)),
        };
        let longer = material.timelimit.saturating_mul(4).as_secs().max(1);
        let analysed = material.execution.is_some_and(|found| !found.nothing);
        let (command, purpose) = match (why, &self.folder) {
            (_, Some(folder)) if analysed => {
                let other = match &*material.analysis {
                    "predicate" => "value-itp",
                    "value" | "value-itp" => "predicate",
                    "auto" | "bmc" | "k-induction" => "value-itp+predicate",
                    _ => "k-induction",
                };
                let from = format!("--assumption {folder}/assumption.spc --analysis {other}");
                let command = format!(
                    "continue {files}{options}{kept} {from} --timelimit {longer}s {output}"
                );
                (command, "verify what was left out, by another analysis")
            }
            (Unknown::Exhausted(_), _) if material.analysis == "bmc" => {
                let more = material.outcome.bound.as_ref().and_then(|bound| bound.rounds);
                let more = more.unwrap_or(1).saturating_mul(2).saturating_add(1);
                let chosen =
                    material.chosen.as_ref().map_or_else(String::new, |_| format!(" {output}"));
                let command =
                    format!("check {files}{options}{kept} --analysis bmc --unroll {more}{chosen}");
                (command, "follow more rounds of each loop")
            }
            (Unknown::MemoryLimit, _) => {
                let more = size(material.memlimit.saturating_mul(2));
                let command =
                    format!("check {files}{options}{kept}{same} --memlimit {more} {output}");
                (command, "give it more memory, and keep what it proves for `proviso continue`")
            }
            // More time would change nothing.
            (Unknown::Exhausted(_), _) if material.analysis != "auto" => (
                format!("check {files}{options}{kept} {output}"),
                "try all analyses, and keep what they prove for `proviso continue`",
            ),
            _ => (
                format!("check {files}{options}{kept}{same} --timelimit {longer}s {output}"),
                "give it more time, and keep what it proves for `proviso continue`",
            ),
        };
        Next { command: format!("proviso {command}"), purpose: purpose.to_owned() }
    }

    /// The command with what the model of the program lacks, for the first thing that stands in the way.
    fn with_model(&self, reasons: &Reasons<'_>) -> Option<Next> {
        let Self { material, files, options, .. } = self;
        let (blocker, edge) = reasons.obstacle()?;
        if blocker.contains("an access outside of every object") {
            return Some(Next {
                command: format!("proviso check {files}{options} --mmio FIRST-LAST"),
                purpose:
                    "say which addresses belong to a device, if it is one; without --property, \
                          `check` shows the access"
                        .to_owned(),
            });
        }
        let purpose = match missing(material.program, blocker, edge) {
            Some(name) => format!(
                "write a file MODEL.c that gives `{name}` a body which does what matters here, and add it"
            ),
            None => format!(
                "write a file MODEL.c with functions that do the same by other means, and call them: \
                 {blocker}"
            ),
        };
        Some(Next { command: format!("proviso check {files} MODEL.c{options}"), purpose })
    }
}

/// The function that something which stands in the way is about, if it is one.
fn missing(program: &Program, blocker: &str, edge: Option<EdgeId>) -> Option<String> {
    if let Some(name) = blocker.split('`').nth(1) {
        return Some(name.to_owned());
    }
    let span = program.cfa.edges[edge?].span?;
    if source::is_borrowed(program, span.file) {
        return None;
    }
    let text = String::from_utf8_lossy(program.sources.slice(span)).into_owned();
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let (name, rest) = text.split_at(text.find(|c| !is_word(c))?);
    let is_keyword = ["", "if", "while", "for", "switch", "return", "sizeof"].contains(&name);
    (!is_keyword && rest.trim_start().starts_with('(')).then(|| name.to_owned())
}

/// Options as they are given to a command.
fn words(options: &[String]) -> String {
    options.iter().map(|option| format!(" {}", quoted(option))).collect()
}

/// The name of a file such that a command does not take it for an option.
fn path(name: &str) -> String {
    let is_option = name.starts_with('-');
    quoted(&if is_option { format!("./{name}") } else { name.to_owned() })
}

/// The folder for the next run: `out-2` after `out`, and `out-3` after that.
fn following(folder: &str) -> String {
    let folder = folder.trim_end_matches('/');
    let numbered = folder.rsplit_once('-').and_then(|(name, number)| {
        let number: u32 = number.parse().ok()?;
        Some(format!("{name}-{}", number.checked_add(1)?))
    });
    numbered.unwrap_or_else(|| format!("{folder}-2"))
}

/// A size as the command line reads it.
fn size(bytes: u64) -> String {
    match bytes {
        _ if bytes.is_multiple_of(1_000_000_000) => format!("{}GB", bytes / 1_000_000_000),
        _ => format!("{}MB", bytes.div_ceil(1_000_000)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_follow_each_other() {
        let names = ["out", "out/", "out-2", "a/b-9", "x-y", "-o"].map(following);
        assert_eq!(names, ["out-2", "out-2", "out-3", "a/b-10", "x-y-2", "-o-2"]);
    }

    #[test]
    fn files_are_not_options() {
        assert_eq!([path("-x.c"), path("x y.c")], ["./-x.c", "'x y.c'"]);
    }
}
