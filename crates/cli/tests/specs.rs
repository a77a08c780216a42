//! Pages of programs with known answers: `tests/specs/*.md`, each run through the binary.
//!
//! A fenced block whose language is `c`, `cfa` or `armc` is a program. What follows the language in
//! the info string is passed to `proviso check`. The first line after the block says what must come
//! of it:
//!
//! - `> TRUE`, `> FALSE`, `> UNKNOWN`: this is the verdict;
//! - `> UNKNOWN (unsupported: inline assembly)`: and its reason starts like this;
//! - `> TRUE?`, `> FALSE?`: this, or UNKNOWN for as long as no analysis decides it.
//!
//! A block without such a line is an error of the page. So is a wrong verdict, of course.

#![allow(missing_docs)]

mod common;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use common::Folder;

/// The time for a program whose page says nothing else; most take a few milliseconds.
const TIME: &str = "60s";

/// The time for other analyses than the default one, which need not decide the program.
const SHORT_TIME: &str = "3s";

/// The analysis that runs if none is asked for. It must give the answers of the pages; the others
/// must not contradict them.
const DEFAULT: &str = "auto";
const OTHERS: [&str; 6] =
    ["value", "value-itp", "backward", "predicate", "value-itp+predicate", "product"];

/// The analyses whose proofs the proof checker must be able to check.
const CERTIFIED: [&str; 5] = ["value", "value-itp", "predicate", "value-itp+predicate", "product"];

/// Proofs that it cannot check: page and heading, analysis, and why. Time may always be too short.
const NOT_CERTIFIED: [(&str, &str, &str, &str); 8] = [
    ("functions.md", "Variable arguments", "value", POINTER),
    ("functions.md", "Variable arguments", "value-itp", POINTER),
    ("functions.md", "Variable arguments", "value-itp+predicate", POINTER),
    ("functions.md", "Variable arguments", "product", POINTER),
    ("memory.md", "Strings", "value", POINTER),
    ("memory.md", "Strings", "value-itp", POINTER),
    ("memory.md", "Strings", "value-itp+predicate", POINTER),
    ("memory.md", "Strings", "product", POINTER),
];

/// What is known of objects that begin in the run does not get into certificates.
const POINTER: &str = "an access through a pointer that is not followed";

/// A program of a page.
#[derive(Debug, PartialEq)]
struct Example {
    /// The page, the heading above, and the line.
    place: String,
    language: String,
    options: Vec<String>,
    program: String,
    expected: String,
}

/// The programs of a page.
fn examples(name: &str, page: &str) -> Result<Vec<Example>, String> {
    let mut found = Vec::new();
    let mut heading = "";
    let mut lines = page.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        if line.starts_with('#') {
            heading = line.trim_start_matches('#').trim();
        }
        let Some(info) = line.strip_prefix("```") else { continue };
        let place = format!("{name}:{} ({heading})", number + 1);
        let mut words = info.split_whitespace().map(str::to_owned);
        let language = words.next().unwrap_or_default();
        let mut program = String::new();
        loop {
            match lines.next() {
                Some((_, "```")) => break,
                Some((_, line)) => program.push_str(&format!("{line}\n")),
                None => return Err(format!("{place}: the block has no end")),
            }
        }
        if !["c", "cfa", "armc"].contains(&language.as_str()) {
            continue;
        }
        let answer = lines.by_ref().map(|(_, line)| line).find(|line| !line.is_empty());
        let Some(expected) = answer.and_then(|line| line.strip_prefix("> ")) else {
            return Err(format!("{place}: no line `> VERDICT` after the program"));
        };
        let verdict = expected.split([' ', '?']).next().unwrap_or("");
        if !["TRUE", "FALSE", "UNKNOWN"].contains(&verdict) {
            return Err(format!("{place}: `{expected}` is no verdict"));
        }
        let expected = expected.trim().to_owned();
        found.push(Example { place, language, options: words.collect(), program, expected });
    }
    Ok(found)
}

/// Whether an answer, `TRUE` or `FALSE (unreach-call)` and so on, is what a page asks for.
fn is_as_expected(expected: &str, answer: &str) -> bool {
    if let Some(verdict) = expected.strip_suffix('?') {
        return answer.starts_with(verdict) || answer.starts_with("UNKNOWN (");
    }
    match expected.strip_suffix(')') {
        Some(start) => answer.starts_with(start),
        None => answer.split(' ').next() == Some(expected),
    }
}

/// What is wrong with the answer to a program.
fn check(example: &Example, analysis: &str) -> Option<String> {
    let name = match example.language.as_str() {
        "armc" => "program.pl".to_owned(),
        language => format!("program.{language}"),
    };
    let folder = Folder::new().with(&name, &example.program);
    let mut arguments = vec!["check", &name];
    arguments.extend(example.options.iter().map(String::as_str));
    let expected = if analysis == DEFAULT {
        example.expected.clone()
    } else {
        arguments.extend(["--analysis", analysis]);
        let verdict = example.expected.split([' ', '?']).next().unwrap_or_default();
        if verdict == "UNKNOWN" { verdict.to_owned() } else { format!("{verdict}?") }
    };
    if !example.options.iter().any(|option| option.starts_with("--timelimit")) {
        arguments.extend(["--timelimit", if analysis == DEFAULT { TIME } else { SHORT_TIME }]);
    }
    if CERTIFIED.contains(&analysis) {
        arguments.push("--certify");
    }
    let done = folder.run(&arguments);
    let answer = done.last_line().strip_prefix("Verification result: ").unwrap_or("no answer");
    let code = match answer.split(' ').next() {
        Some("TRUE") => 0,
        Some("FALSE") => 10,
        Some("UNKNOWN") => 20,
        _ => -1,
    };
    let uncertified = is_uncertified(example, analysis, &done.out);
    let is_wrong = answer.contains("internal error") || uncertified;
    if is_as_expected(&expected, answer) && done.code == code && !is_wrong {
        return None;
    }
    let numbered: Vec<String> = example
        .program
        .lines()
        .enumerate()
        .map(|(at, line)| format!("{:4}  {line}", at + 1))
        .collect();
    Some(format!(
        "{}, analysis {analysis}\n- expected: {expected}\n+ answered: {answer} (exit code {})\n{}\n{}{}",
        example.place,
        done.code,
        numbered.join("\n"),
        done.out,
        done.err
    ))
}

/// Whether a proof is not certified that should be, or the other way round.
fn is_uncertified(example: &Example, analysis: &str, output: &str) -> bool {
    let listed = NOT_CERTIFIED.iter().find(|(page, heading, by, _)| {
        let place = &example.place;
        place.starts_with(page) && place.contains(&format!("({heading})")) && *by == analysis
    });
    let is_certified = output.lines().any(|line| line.starts_with("certified: "));
    let why = output.lines().find_map(|line| line.strip_prefix("not certified: "));
    match (listed, why) {
        (Some((.., reason)), Some(why)) => !why.contains(reason),
        (Some(_), None) => is_certified,
        (None, Some(why)) => !why.contains("time limit"),
        (None, None) => {
            CERTIFIED.contains(&analysis) && output.contains("result: TRUE") && !is_certified
        }
    }
}

fn pages() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/specs");
    let entries = std::fs::read_dir(&folder).expect("the folder of pages");
    let mut pages: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    pages.retain(|path| path.extension().is_some_and(|ending| ending == "md"));
    pages.sort();
    pages
}

/// All programs of all pages.
fn all_examples() -> Vec<Example> {
    let mut all = Vec::new();
    for page in pages() {
        let name = page.file_name().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&page).expect("text");
        let found = examples(&name, &text).unwrap_or_else(|problem| panic!("{problem}"));
        assert!(!found.is_empty(), "{name} has no programs");
        all.extend(found);
    }
    all
}

#[test]
fn programs_have_the_answers_that_the_pages_say() {
    let all = all_examples();
    let jobs: Vec<(&Example, &str)> = all.iter().map(|example| (example, DEFAULT)).collect();
    check_all(&jobs);
}

#[test]
fn other_analyses_do_not_contradict_the_pages() {
    let all = all_examples();
    let free =
        all.iter().filter(|example| !example.options.iter().any(|each| each == "--analysis"));
    let jobs: Vec<(&Example, &str)> =
        free.flat_map(|example| OTHERS.iter().map(move |analysis| (example, *analysis))).collect();
    check_all(&jobs);
}

fn check_all(jobs: &[(&Example, &str)]) {
    let next = AtomicUsize::new(0);
    let workers = thread::available_parallelism().map_or(2, |count| count.get());
    let wrong: Vec<String> = thread::scope(|scope| {
        let work = || {
            let mut wrong = Vec::new();
            while let Some((example, analysis)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                wrong.extend(check(example, analysis));
            }
            wrong
        };
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a worker")).collect()
    });
    assert!(wrong.is_empty(), "{} of {}:\n\n{}", wrong.len(), jobs.len(), wrong.join("\n\n"));
}

#[test]
fn a_page_is_read_as_it_is_written() {
    let page =
        "# T\n\n## Sub\ntext\n\n```c --32 --unroll 3\nint x;\n```\n\n> TRUE?\n\n```sh\nls\n```\n";
    let found = examples("p.md", page).expect("a page");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].place, "p.md:6 (Sub)");
    assert_eq!(found[0].options, ["--32", "--unroll", "3"]);
    assert_eq!((found[0].program.as_str(), found[0].expected.as_str()), ("int x;\n", "TRUE?"));
    assert!(examples("p.md", "```c\nint x;\n```\nno answer\n").is_err());
    assert!(examples("p.md", "```c\nint x;\n```\n> PERHAPS\n").is_err());
    assert!(examples("p.md", "```c\nint x;\n").is_err());
}

#[test]
fn answers_are_compared_with_what_is_expected() {
    for (expected, answer, fits) in [
        ("TRUE", "TRUE", true),
        ("TRUE", "UNKNOWN (time limit)", false),
        ("TRUE?", "UNKNOWN (time limit)", true),
        ("TRUE?", "FALSE (unreach-call)", false),
        ("FALSE", "FALSE (unreach-call)", true),
        (
            "UNKNOWN (unsupported: inline assembly)",
            "UNKNOWN (unsupported: inline assembly at a.c:1:1)",
            true,
        ),
        ("UNKNOWN (unsupported)", "UNKNOWN (time limit)", false),
        ("UNKNOWN", "no answer", false),
    ] {
        assert_eq!(is_as_expected(expected, answer), fits, "{expected} {answer}");
    }
}
