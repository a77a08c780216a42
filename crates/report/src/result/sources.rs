//! The texts of a program's files, as far as a document needs them.

use std::collections::{BTreeMap, BTreeSet};

use base::FileId;
use cfa::Program;

use super::document::{Excerpt, Source};
use crate::witness::hash;

/// A file with at most this many bytes is in the document as a whole.
const WHOLE: usize = 500_000;

/// All files that are in the document as a whole have at most this many bytes together.
const ALL: usize = 1_500_000;

/// Of a long file, this many lines around each line that the document speaks of are in the document.
const AROUND: u32 = 40;

/// At most this many lines of a long file are in the document.
const MOST: usize = 20_000;

/// Lines that a document speaks of, by file.
pub(super) type Lines = BTreeMap<String, BTreeSet<u32>>;

/// The files of a program: those that it was made of, and others that a document speaks of.
pub(super) fn of(program: &Program, files: &[FileId], lines: &Lines) -> Vec<Source> {
    let mut told = BTreeSet::new();
    let named = |file: &FileId| lines.contains_key(program.sources.name(*file));
    let others = program.sources.files().filter(named);
    let all: Vec<FileId> =
        files.iter().copied().chain(others).filter(|file| told.insert(*file)).collect();
    let mut left = ALL;
    let mut source = |file: FileId| {
        let name = program.sources.name(file);
        let path = program.sources.path(file);
        let text = program.sources.text(file);
        let count = text.split(|byte| *byte == b'\n').count();
        let is_whole = text.len() <= WHOLE.min(left);
        let excerpts = if is_whole {
            left -= text.len();
            vec![Excerpt { first: 1, text: String::from_utf8_lossy(text).into_owned() }]
        } else {
            let none = BTreeSet::new();
            around(program, file, lines.get(name).unwrap_or(&none))
        };
        Source {
            file: name.to_owned(),
            path: (path != name).then(|| path.to_owned()),
            sha256: hash(text),
            lines: u32::try_from(count).unwrap_or(u32::MAX),
            excerpts,
        }
    };
    let mut sources: Vec<Source> = all.into_iter().map(&mut source).collect();
    // A text that does not come from a file, such as a model of the library, is not shown.
    sources.retain(|source| !source.file.starts_with('<') || source.file == base::STDIN);
    sources
}

/// The parts of a file around some lines.
fn around(program: &Program, file: FileId, lines: &BTreeSet<u32>) -> Vec<Excerpt> {
    let mut excerpts: Vec<Excerpt> = Vec::new();
    let (mut next, mut count) = (1, 0);
    for line in lines {
        for number in line.saturating_sub(AROUND).max(next)..=line.saturating_add(AROUND) {
            let Some((_, text)) = program.sources.line(file, number) else { break };
            if count >= MOST {
                return excerpts;
            }
            count += 1;
            let text = String::from_utf8_lossy(text);
            match excerpts.last_mut().filter(|_| number == next) {
                Some(last) => {
                    last.text.push('\n');
                    last.text.push_str(&text);
                }
                None => excerpts.push(Excerpt { first: number, text: text.into_owned() }),
            }
            next = number + 1;
        }
    }
    excerpts
}
