//! Tables of results, best first.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::group::Group;
use super::paper::{LETTER, reported};
use super::rank::{Row, rank};
use crate::markdown;
use crate::runner::{Record, Settings, Status, Verdicts};

/// The page with all tables. Answers that contradict each other come first.
pub(super) fn markdown(
    settings: &Settings,
    records: &[Record],
    groups: &[Group],
    verdicts: &Verdicts,
) -> String {
    let models: BTreeSet<&str> = records.iter().map(|record| record.task.as_str()).collect();
    let expected = records.iter().filter(|record| record.expected.is_some());
    let expected: BTreeSet<&str> = expected.map(|record| record.task.as_str()).collect();
    let mut text = "# Product abstraction beside explicit values and predicates\n\n".to_owned();
    text += &markdown::contradictions(verdicts);
    let _ = writeln!(
        text,
        "{} models ({} with a known answer), {} runs. Limits: {} s of processor time, {} MB of \
         memory. Every run: `{}`. Proviso {}, build {}.\n",
        models.len(),
        expected.len(),
        records.len(),
        settings.time_seconds,
        settings.memory_bytes / 1_000_000,
        settings.options.join(" "),
        settings.version,
        settings.short_build()
    );
    text += "Time is the processor time of what was solved. A wrong answer is not solved; an answer \
             after a limit counts as a timeout or as out of memory. The report's figures are of 430 other models \
             (plc, eca, locks and ssh) within 180 s and 4 GB; its rank is that of Table 4.5.\n";
    if records.iter().any(|record| record.configuration.ends_with(LETTER)) {
        let _ = writeln!(
            text,
            "\n{LETTER}: to the letter of the report (`--profile theta`): predicates after every edge as \
             conjunctions, variables and predicates from the same interpolants, the graph begun anew, no other way \
             where these do not exclude a path, and nothing that dropped out is taken back."
        );
    }
    let clock = records.iter().filter(|record| record.reason.starts_with(Record::BY_CLOCK)).count();
    if clock > 0 {
        let _ = writeln!(
            text,
            "\n**Busy machine:** {clock} runs were stopped by the clock before they had used their \
             processor time. They count as timeouts; fewer `--jobs` may solve more."
        );
    }
    incomplete(&mut text, records, groups, models.len());
    for group in groups {
        let _ = writeln!(text, "\n## {}\n", group.table);
        text += "| Configuration | Solved | Total time (ms) | Wrong | Timeouts | Out of memory | \
                 Other | In the report: rank | solved | ms |\n\
                 | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";
        for row in rank(records, &group.configurations) {
            let Row { configuration, solved, milliseconds, wrong, timeouts, .. } = &row;
            let theirs = reported(configuration).map_or("– | – | –".to_owned(), |theirs| {
                format!("{} | {} | {}", theirs.0, theirs.1, theirs.2)
            });
            let _ = writeln!(
                text,
                "| {configuration} | {solved} | {milliseconds} | {wrong} | {timeouts} | {} | {} | {theirs} |",
                row.out_of_memory, row.other
            );
        }
        let _ = writeln!(
            text,
            "\n![Heat map](heatmap-{0}.svg)\n\n![Quantile plot](quantile-{0}.svg)",
            group.key
        );
    }
    reasons(&mut text, records);
    text
}

/// Which configurations have not been tried on all models: they cannot be compared yet.
fn incomplete(text: &mut String, records: &[Record], groups: &[Group], models: usize) {
    let Some(all) = groups.last() else { return };
    let rows = rank(records, &all.configurations);
    let missing: Vec<String> = rows
        .iter()
        .filter(|row| row.tried < models)
        .map(|row| format!("{} was tried on {}", row.configuration, row.tried))
        .collect();
    if !missing.is_empty() {
        let _ = writeln!(text, "\n**Not complete:** {}.", missing.join(", "));
    }
}

/// Why runs ended by themselves without an answer.
fn reasons(text: &mut String, records: &[Record]) {
    let mut counts: Vec<(String, usize)> = Vec::new();
    let others = [Status::Unknown, Status::Input, Status::Error];
    for record in records.iter().filter(|record| others.contains(&record.status)) {
        // What follows the name of a reason is about one model.
        let reason = record.reason.split(':').next().unwrap_or_default();
        let reason = format!("{}: {reason}", record.status.name());
        match counts.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, count)) => *count += 1,
            None => counts.push((reason, 1)),
        }
    }
    if counts.is_empty() {
        return;
    }
    counts.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    *text += "\n## Other ends\n\n| Reason | Runs |\n| --- | ---: |\n";
    for (reason, count) in counts.iter().take(20) {
        let _ = writeln!(text, "| {} | {count} |", markdown::cell(reason));
    }
}
