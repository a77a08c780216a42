//! Coverage in lcov's format, which editors and `genhtml` read.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use base::FileId;
use cfa::{EdgeId, LocId, Program};
use partial::Coverage;

/// The coverage of a run as a tracefile.
#[must_use]
pub fn lcov(program: &Program, coverage: &Coverage) -> String {
    let mut files: BTreeMap<FileId, BTreeMap<u32, u32>> = BTreeMap::new();
    for ((file, line), count) in &coverage.lines {
        files.entry(*file).or_default().insert(*line, *count);
    }
    let mut branches: BTreeMap<(FileId, u32, LocId), Vec<(EdgeId, u32)>> = BTreeMap::new();
    for (edge, count) in &coverage.branches {
        let known = &program.cfa.edges[*edge];
        let Some(span) = known.span else { continue };
        let line = program.sources.position(span).line;
        branches.entry((span.file, line, known.source)).or_default().push((*edge, *count));
    }
    // The edge on which the condition of the source holds comes first: if the condition is a negation, this is the
    // second edge of the model.
    let is_false =
        |edge: EdgeId| program.cfa.decisions.get(&edge).is_some_and(|known| !known.holds);
    for ways in branches.values_mut() {
        ways.sort_by_key(|(edge, _)| (is_false(*edge), *edge));
    }
    let mut text = String::from("TN:proviso\n");
    for (file, lines) in files {
        let _ = writeln!(text, "SF:{}", program.sources.name(file));
        let (mut found, mut hit) = (0, 0);
        let here = branches.iter().filter(|((of, ..), _)| *of == file);
        for (block, ((_, line, _), ways)) in here.enumerate() {
            for (way, (_, count)) in ways.iter().enumerate() {
                let _ = writeln!(text, "BRDA:{line},{block},{way},{count}");
                found += 1;
                hit += u32::from(*count > 0);
            }
        }
        let _ = writeln!(text, "BRF:{found}\nBRH:{hit}");
        for (line, count) in &lines {
            let _ = writeln!(text, "DA:{line},{count}");
        }
        let covered = lines.values().filter(|count| **count > 0).count();
        let _ = writeln!(text, "LF:{}\nLH:{covered}\nend_of_record", lines.len());
    }
    text
}
