//! The guide: its chapters are listed, its links lead somewhere, its options and functions are those of the
//! program, and the tutorial prints what it says.

#![allow(missing_docs)]

mod common;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use common::Folder;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    let path = root().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The chapters by their names, with their texts.
fn chapters() -> Vec<(String, String)> {
    let folder = root().join("docs/guide/src");
    let entries = std::fs::read_dir(folder).expect("the chapters");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let names = names.filter_map(|name| name.into_string().ok());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".md")).collect();
    names.sort();
    names.into_iter().map(|name| (name.clone(), read(&format!("docs/guide/src/{name}")))).collect()
}

/// The text without blocks of code.
fn prose(text: &str) -> String {
    let parts = text.split("\n```").enumerate();
    parts.filter(|(number, _)| number % 2 == 0).map(|(_, part)| format!("{part}\n")).collect()
}

/// Where the links of a text lead.
fn links(text: &str) -> Vec<String> {
    let prose = prose(text);
    let targets = prose.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets.filter(|target| !target.starts_with("http")).map(str::to_owned).collect()
}

/// The anchors of the headings of a text, as mdBook and GitHub make them.
fn anchors(text: &str) -> Vec<String> {
    let prose = prose(text);
    let headings = prose.lines().filter(|line| line.starts_with('#'));
    let anchor = |line: &str| {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(anchor).collect()
}

#[test]
fn every_chapter_is_listed_once() {
    let listed = links(&read("docs/guide/src/SUMMARY.md"));
    let once: BTreeSet<&String> = listed.iter().collect();
    assert_eq!(once.len(), listed.len(), "{listed:?}");
    let chapters: Vec<String> = chapters().into_iter().map(|(name, _)| name).collect();
    for name in chapters.iter().filter(|name| *name != "SUMMARY.md") {
        assert!(listed.contains(name), "SUMMARY.md does not list {name}");
    }
    // The page of the folder leads to every chapter, too, but for the first one, which it replaces.
    let page = links(&read("docs/guide/README.md"));
    for name in &listed {
        assert!(page.contains(&format!("src/{name}")), "docs/guide/README.md leads not to {name}");
    }
}

#[test]
fn every_link_leads_somewhere() {
    let pages = ["README.md", "ARCHITECTURE.md", "docs/guide/README.md"].map(str::to_owned);
    let chapters = chapters().into_iter().map(|(name, _)| format!("docs/guide/src/{name}"));
    for page in pages.into_iter().chain(chapters) {
        let text = read(&page);
        let folder = root().join(&page).parent().expect("a folder").to_path_buf();
        for link in links(&text) {
            let (path, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = folder.join(path);
            assert!(path.is_empty() || target.exists(), "{page}: {link} leads nowhere");
            if !anchor.is_empty() {
                let text = match path {
                    "" => text.clone(),
                    _ => std::fs::read_to_string(&target).expect("a page"),
                };
                assert!(anchors(&text).iter().any(|each| each == anchor), "{page}: {link}");
            }
        }
    }
}

/// The book has its chapters only: a link to another file of the repository leads nowhere there.
#[test]
fn no_link_leaves_the_book() {
    for (name, text) in chapters() {
        for link in links(&text) {
            assert!(!link.starts_with("../"), "{name}: {link} is not in the book");
        }
    }
}

/// The options that are written in a text as code: words that start with two dashes.
fn options(text: &str) -> BTreeSet<String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let mut found = BTreeSet::new();
    for (at, _) in text.match_indices("--") {
        let before = text[..at].chars().next_back();
        let word: String = text[at..].chars().take_while(|c| is_part(*c)).collect();
        let name = word.trim_start_matches('-');
        let starts = before.is_none_or(|c| !is_part(c));
        if starts && word.len() == name.len() + 2 && !name.is_empty() {
            found.insert(word.trim_end_matches('-').to_owned());
        }
    }
    found
}

/// All options of all commands.
fn known() -> BTreeSet<String> {
    let folder = Folder::new();
    let commands = [
        "check",
        "continue",
        "coverage",
        "validate",
        "cfa",
        "run",
        "solve",
        "traces",
        "bench",
        "explain",
        "completions",
        "man",
    ];
    let helps = commands.map(|command| folder.run(&[command, "--help"]).out);
    helps.iter().flat_map(|help| options(help)).collect()
}

/// Chapters for users of other tools: the options on the right are ours.
#[test]
fn the_options_of_the_guide_are_those_of_the_program() {
    let known = known();
    for (name, text) in chapters() {
        // Options of other tools and of compilers that the chapters name.
        let others = ["--user", "--scope", "--partition", "--version", "--path", "--build"];
        let own = match name.starts_with("from-") {
            // The last cell of a row is about this program.
            true => {
                let rows = text.lines().filter(|line| line.starts_with('|'));
                let cells =
                    rows.filter_map(|row| row.trim_end_matches([' ', '|']).rsplit(" | ").next());
                cells.map(|cell| format!("{cell}\n")).collect()
            }
            false => text,
        };
        for option in options(&own) {
            let is_other = others.contains(&option.as_str());
            assert!(is_other || known.contains(&option), "{name}: there is no option {option}");
        }
    }
}

/// Files of the front end that name functions of the C library, and how.
const NAMING: [&str; 10] = [
    "answers",
    "environment",
    "jumps",
    "library",
    "mathematics",
    "output",
    "reading",
    "streams",
    "unmodelled",
    "parsing",
];

/// Words in these files that look like functions and are none.
const NONE: [&str; 5] = ["stdin", "stdout", "stderr", "threads", "processes"];

/// The functions that the front end has a model of, or knows as functions of the library: the literals of its
/// files that are names.
fn functions() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for file in NAMING {
        let text = read(&format!("crates/frontend/src/c/{file}.rs"));
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        for line in lines {
            for literal in line.split('"').skip(1).step_by(2) {
                let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
                let is_own = literal.starts_with('_') || literal.ends_with('_');
                if literal.len() > 1 && literal.chars().all(is_name) && !is_own {
                    found.insert(literal.to_owned());
                }
            }
        }
    }
    NONE.iter().for_each(|name| {
        found.remove(*name);
    });
    found
}

#[test]
fn the_guide_lists_every_function_of_the_library() {
    let chapter = read("docs/guide/src/library.md");
    let listed: BTreeSet<&str> = chapter.split('`').skip(1).step_by(2).collect();
    let missing: Vec<String> =
        functions().into_iter().filter(|name| !listed.contains(name.as_str())).collect();
    assert!(missing.is_empty(), "docs/guide/src/library.md misses {missing:?}");
}

/// The blocks of a text that start with this fence.
fn blocks<'a>(text: &'a str, fence: &str) -> Vec<&'a str> {
    let starts = text.split(fence).skip(1);
    starts.filter_map(|rest| rest.split("\n```").next()).collect()
}

#[test]
fn the_programs_of_the_tutorial_are_the_examples() {
    let tutorial = read("docs/guide/src/tutorial.md");
    let programs = blocks(&tutorial, "```c\n");
    assert!(programs.len() >= 6);
    for program in programs {
        let name = program.strip_prefix("// ").and_then(|rest| rest.split(':').next());
        let name = name.expect("the first line names the file");
        assert_eq!(read(&format!("examples/tutorial/{name}")).trim_end(), program, "{name}");
    }
}

/// Whether lines are those that were expected, where `…` stands for any number of lines.
fn agree(expected: &[&str], found: &[&str]) -> bool {
    match expected.split_first() {
        None => found.is_empty(),
        Some((&"…", rest)) => (0..=found.len()).any(|skipped| agree(rest, &found[skipped..])),
        Some((first, rest)) => found.first() == Some(first) && agree(rest, &found[1..]),
    }
}

/// Runs the commands of a page in a folder, and compares what they print with the page.
fn run_commands(page: &str, folder: &Folder, within: &str, least: usize) {
    let text = read(page);
    let sessions = blocks(&text, "```text\n$ proviso ");
    assert!(sessions.len() >= least, "{page}");
    for session in sessions {
        let (command, expected) = session.split_once('\n').expect("output");
        let words: Vec<&str> = command.split_ascii_whitespace().collect();
        let place = folder.path().join(within);
        let output = folder.command(&words).current_dir(place).output().expect("the binary runs");
        let found = [output.stderr, output.stdout].concat();
        let found = String::from_utf8_lossy(&found);
        let wanted: Vec<&str> = expected.lines().collect();
        let got: Vec<&str> = found.lines().collect();
        assert!(agree(&wanted, &got), "$ proviso {command}\n{found}\nexpected:\n{expected}");
    }
}

#[test]
fn commands_print_what_the_pages_say() {
    let folder = Folder::new();
    let place = folder.path().join("examples/tutorial");
    std::fs::create_dir_all(&place).expect("a folder");
    for entry in std::fs::read_dir(root().join("examples/tutorial")).expect("the examples") {
        let path = entry.expect("an entry").path();
        std::fs::copy(&path, place.join(path.file_name().expect("a name"))).expect("a copy");
    }
    run_commands("docs/guide/src/tutorial.md", &folder, "examples/tutorial", 8);
    run_commands("README.md", &folder, "", 2);
}

/// README leads a newcomer from the build to the reason why its third example fails.
#[test]
fn the_examples_of_the_first_page_answer_what_it_says() {
    let text = read("README.md");
    let rows = text.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" | `examples/"));
    let rows: Vec<(&str, &str)> = rows.collect();
    assert_eq!(rows.iter().map(|(number, _)| *number).collect::<Vec<_>>(), ["1", "2", "3"]);
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path().join("examples")).expect("a folder");
    for (_, row) in rows {
        let (name, rest) = row.split_once("` | ").expect("a name");
        let answer = rest.split(" | ").next().expect("an answer");
        let place = format!("examples/{name}");
        std::fs::copy(root().join(&place), folder.path().join(&place)).expect("a copy");
        let done = folder.run(&["check", &place]);
        assert!(done.last_line().contains(&format!("result: {answer}")), "{name}: {}", done.out);
        if answer == "FALSE" {
            let shown = blocks(&text, "```text\n  __VERIFIER_nondet_int()");
            let [shown] = &shown[..] else { panic!("one excerpt") };
            let shown = format!("…\n  __VERIFIER_nondet_int(){shown}");
            let wanted: Vec<&str> = shown.lines().collect();
            assert!(agree(&wanted, &done.out.lines().collect::<Vec<_>>()), "{}", done.out);
        }
    }
}
