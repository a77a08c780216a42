//! Commands that would go on after a run without an answer.

use std::path::Path;
use std::time::Duration;

use base::tokens::is_word;
use cfa::{EdgeId, Program};
use verify::{Unknown, Verdict};

use super::document::Next;
use super::influence::not_modelled;
use super::material::Material;
use super::reasons::Reasons;
use super::repeated::Repeated;
use crate::harness::quoted;
use crate::source;

/// Commands for going on, with the options that the user has chosen. They can be given in any order: none removes a
/// file that another command needs.
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
        _ => {
            next.push(command.to_answer(why));
            next.extend(command.with_more_time(why));
        }
    }
    // There is no function that the advice could ask the user to model.
    if next.is_empty() && matches!(why, Unknown::NotReplayed(_)) {
        next.push(command.to_answer(why));
    }
    let first = material.execution.and_then(|found| found.frontier.first());
    if let (Some(first), Some(folder)) = (first, &command.folder) {
        let Command { files, options, .. } = &command;
        // The execution may go on for ever behind the trace, so the command has a limit on steps.
        let steps = (first.steps.len() / 1000 + 2) * 1000;
        next.push(command.next(
            format!(
                "run {files}{options} --inputs {folder}/frontier-1.txt --trace --max-steps {steps}"
            ),
            "see the shortest behaviour that was not explored",
        ));
    }
    next
}

/// The parts of the commands that are advised.
struct Command<'m> {
    material: &'m Material<'m>,
    files: String,
    /// The options that decide what the program means.
    options: String,
    /// The options that every analysis knows.
    kept: String,
    /// The command of this run without the options of its analysis; if this run went on from an earlier run, the
    /// command does, too.
    again: String,
    /// The options that say how the analysis of this run was done.
    same: String,
    /// How many seconds the next run may take.
    longer: u64,
    /// Whether the program was read from standard input.
    piped: bool,
    /// The folder that files were written to, if they were.
    folder: Option<String>,
    /// The option for the folder of the next run: another folder, if this run has written files.
    output: String,
}

impl<'m> Command<'m> {
    fn of(material: &'m Material<'m>) -> Self {
        let named = |file: &String| if file == STANDARD_INPUT { file.clone() } else { path(file) };
        let files = material.files.iter().map(named).collect::<Vec<_>>().join(" ");
        let options = words(&material.options);
        let mut kept = words(&material.kept);
        let longer = |limit: Duration| limit.saturating_mul(4).as_secs().max(1);
        if let Some(limit) = material.cputimelimit {
            kept.push_str(&format!(" --cputimelimit {}s", longer(limit)));
        }
        let again = match &material.assumption {
            Some(file) => format!("continue {files}{options}{kept} --assumption {}", path(file)),
            None => format!("check {files}{options}{kept}"),
        };
        let same = match &*material.analysis {
            "auto" => words(&material.manner),
            name => format!(" --analysis {name}{}", words(&material.manner)),
        };
        Self {
            material,
            files,
            options,
            kept,
            again,
            same,
            longer: longer(material.timelimit),
            piped: material.files.iter().any(|file| file == STANDARD_INPUT),
            folder: material.folder.as_deref().map(path),
            output: format!("--output-dir {}", path(&output(material))),
        }
    }

    /// A command with what it is for.
    fn next(&self, command: String, purpose: &str) -> Next {
        let (from, which) = match self.piped {
            true => (" < PROGRAM.c", "; PROGRAM.c is what was read from standard input"),
            false => ("", ""),
        };
        Next { command: format!("proviso {command}{from}"), purpose: format!("{purpose}{which}") }
    }

    /// The command that may find an answer where this run has not.
    fn to_answer(&self, why: &Unknown) -> Next {
        let Self { material, files, options, kept, again, same, longer, output, .. } = self;
        let (command, purpose) = match (why, &self.folder) {
            (_, Some(folder)) if self.is_analysed() => {
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
                let command = format!("{again} --analysis bmc --unroll {more}{chosen}");
                let is_recursion = Repeated::of(material.program).is_recursion();
                let what =
                    if is_recursion { "deeper recursion" } else { "more rounds of each loop" };
                return self.next(command, &format!("follow {what}"));
            }
            (Unknown::MemoryLimit, _) => {
                let more = size(material.memlimit.saturating_mul(2));
                let time = material.timelimit.as_secs().max(1);
                let command =
                    format!("{again}{same} --memlimit {more} --timelimit {time}s {output}");
                (command, "give it more memory, and keep what it proves for `proviso continue`")
            }
            // More time would change nothing: the execution would be the same.
            (Unknown::NotReplayed(_), _) if material.analysis == "auto" => (
                format!("{again} --analysis predicate --timelimit {longer}s {output}"),
                "try another analysis, which may find an execution that can be repeated, or a proof",
            ),
            (Unknown::Exhausted(_) | Unknown::NotReplayed(_), _) if material.analysis != "auto" => {
                (
                    format!("{again} {output}"),
                    "try all analyses, and keep what they prove for `proviso continue`",
                )
            }
            _ => (
                format!("{again}{same} --timelimit {longer}s {output}"),
                "give it more time, and keep what it proves for `proviso continue`",
            ),
        };
        self.next(command, purpose)
    }

    /// The command that gives the same analysis more time. It is given only if the analysis has run out of time, and
    /// another command is advised first.
    fn with_more_time(&self, why: &Unknown) -> Option<Next> {
        let Self { material, again, same, longer, output, .. } = self;
        let last = material.outcome.stages.last()?;
        let is_stopped = *why == Unknown::TimeLimit && last.unknown == Some(Unknown::TimeLimit);
        let is_deeper = last.bound.as_ref().is_some_and(|bound| bound.rounds > Some(0));
        // Paths to an error that could not be excluded cannot be excluded with more time either.
        let is_larger = last.graph.as_ref().is_some_and(|graph| graph.targets == 0);
        let has_other = self.folder.is_some() && self.is_analysed();
        (has_other && is_stopped && (is_deeper || is_larger)).then(|| {
            self.next(
                format!("{again}{same} --timelimit {longer}s {output}"),
                "give the same analysis more time: it was still getting on",
            )
        })
    }

    /// Whether anything was analysed.
    fn is_analysed(&self) -> bool {
        self.material.execution.is_some_and(|found| !found.nothing)
    }

    /// The command with what the model of the program lacks, for the first thing that stands in the way.
    fn with_model(&self, reasons: &Reasons<'_>) -> Option<Next> {
        let Self { material, files, options, .. } = self;
        let (blocker, edge) = reasons.obstacle()?;
        if blocker.contains("an access outside of every object") {
            let is_given = |name: &str| options.split(' ').any(|word| word == name);
            let shows = ["--property", "--check"].into_iter().find(|name| is_given(name));
            let shows = shows.map(|name| format!("; without {name}, `check` shows the access"));
            return Some(self.next(
                format!("check {files}{options} --mmio FIRST-LAST"),
                &format!(
                    "say which addresses belong to a device, if it is one{}",
                    shows.unwrap_or_default()
                ),
            ));
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
        Some(self.next(format!("check {files} MODEL.c{options}"), &purpose))
    }
}

/// The function that a blocker is about, if it is about a function.
fn missing(program: &Program, blocker: &str, edge: Option<EdgeId>) -> Option<String> {
    let span = edge.and_then(|edge| program.cfa.edges[edge].span);
    // The name of a file may contain any signs, so the place is removed as a whole.
    let place = not_modelled(program, "", span);
    let said = blocker.strip_prefix(&place).unwrap_or(blocker);
    let named = said.split('`').nth(1).filter(|name| name.chars().all(is_word));
    if let Some(name) = named.filter(|name| !name.is_empty()) {
        return Some(name.to_owned());
    }
    let span = span?;
    if source::is_borrowed(program, span.file) {
        return None;
    }
    let text = String::from_utf8_lossy(program.sources.slice(span)).into_owned();
    // The reason may be the name of a function that the line calls.
    let reason = said.rsplit(": ").next().unwrap_or_default();
    let is_name = !reason.is_empty() && reason.chars().all(is_word);
    let (_, line) = program.sources.line(span.file, program.sources.position(span).line)?;
    if is_name && String::from_utf8_lossy(line).contains(&format!("{reason}(")) {
        return Some(reason.to_owned());
    }
    let (name, rest) = text.split_at(text.find(|c| !is_word(c))?);
    // The missing function is not the keyword or the assert in front of a condition.
    let keywords = ["", "if", "while", "for", "switch", "return", "sizeof", "assert"];
    let is_keyword = keywords.contains(&name);
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

/// What a program is called that is read from standard input.
const STANDARD_INPUT: &str = "-";

/// The folder for the files of the next run: another folder than that of this run, if this run has written files or
/// has gone on from files there.
fn output(material: &Material<'_>) -> String {
    let output = match (&material.chosen, &material.folder) {
        (Some(chosen), Some(_)) => following(chosen),
        (Some(chosen), None) => chosen.clone(),
        (None, _) => "out".to_owned(),
    };
    let from = material.assumption.as_deref().map(Path::new).and_then(Path::parent);
    if from == Some(Path::new(&output)) { following(&output) } else { output }
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
