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
//!
//! Every analysis is run on every program whose answer is known, and each must give at least as
//! many answers as it is known to give: one that answers UNKNOWN to everything is broken.

#![allow(missing_docs)]

mod common;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use common::Folder;

/// The time for a program whose page says nothing else; most take a few milliseconds.
const TIME: &str = "60s";

/// The time for other analyses than the default one, which need not decide the program.
const SHORT_TIME: &str = "1s";

/// The time for the default analysis where its proofs are checked.
const MEDIUM_TIME: &str = "10s";

/// So many programs that the default analysis proves may be open where passes are left out before the stages.
const WITHOUT_PASSES: usize = 8;

/// The analysis that runs if none is asked for. It must give the answers of the pages; the others
/// must not contradict them.
const DEFAULT: &str = "auto";

/// An analysis besides the default one, with options of its own, and how many proofs and violations it finds at least. The
/// numbers are an eighth below what is found, and nearly all that is found takes a small part of
/// [`SHORT_TIME`]; on a machine where it does not, [`TIME`] is allowed.
struct Other {
    analysis: &'static str,
    proofs: usize,
    violations: usize,
}

impl Other {
    /// What is missing among the verdicts of this analysis, if something is.
    fn shortfall(&self, verdicts: &[String]) -> Option<String> {
        let count = |wanted: &str| verdicts.iter().filter(|verdict| *verdict == wanted).count();
        let Self { analysis, proofs, violations } = self;
        let (proved, refuted) = (count("TRUE"), count("FALSE"));
        let is_short = proved < *proofs || refuted < *violations;
        is_short.then(|| {
            format!(
                "{analysis}: {proved} proofs, at least {proofs} are known; \
                 {refuted} violations, at least {violations} are known"
            )
        })
    }
}

const OTHERS: [Other; 13] = [
    Other { analysis: "bmc", proofs: 64, violations: 70 },
    Other { analysis: "k-induction", proofs: 76, violations: 70 },
    Other { analysis: "interval", proofs: 50, violations: 70 },
    Other { analysis: "value", proofs: 47, violations: 68 },
    Other { analysis: "value-itp", proofs: 48, violations: 66 },
    Other { analysis: "value-itp --calls summarize", proofs: 44, violations: 56 },
    Other { analysis: "backward", proofs: 28, violations: 24 },
    Other { analysis: "predicate", proofs: 60, violations: 58 },
    Other { analysis: "value-itp+predicate", proofs: 66, violations: 62 },
    Other { analysis: "value+predicate", proofs: 60, violations: 60 },
    Other { analysis: "product", proofs: 60, violations: 64 },
    Other { analysis: "value-itp+predicate --profile explicit", proofs: 60, violations: 58 },
    Other { analysis: "backward --profile method1", proofs: 28, violations: 24 },
];

/// The options of a program that decide what the program means. Others are for one analysis.
const MEANING: [&str; 3] = ["--32", "--64", "--malloc-may-fail"];
const MEANING_WITH_VALUE: [&str; 8] = [
    "--signed-overflow",
    "--external",
    "--entry-function",
    "--language",
    "--property",
    "--check",
    "--outside-pointers",
    "--asm",
];

/// The default analysis with a check of its proofs.
const DEFAULT_CERTIFIED: &str = "auto --certify";

/// The analyses whose proofs the proof checker must be able to check.
const CERTIFIED: [&str; 10] = [
    "interval",
    "value",
    "value-itp",
    BY_CLAIMS,
    "predicate",
    "value-itp+predicate",
    "product",
    "bmc",
    "k-induction",
    DEFAULT_CERTIFIED,
];

/// The analyses among these whose proofs are about the rounds of loops.
const BY_ROUNDS: [&str; 3] = ["bmc", "k-induction", DEFAULT_CERTIFIED];

/// The analysis among these whose proofs are claims about functions.
const BY_CLAIMS: &str = "value-itp --calls summarize";

/// Reasons for which a proof by claims about functions may not be checked: they say nothing of objects that their callers
/// have made, and not everything is relied on that several claims say together.
const ACCESSES_BY_CLAIMS: [(&str, &str); 8] = [
    ("checks-uninitialised.md", "it rests on the address of a new object"),
    ("functions.md", "it rests on the address of a new object"),
    ("functions.md", POINTER),
    ("functions.md", VALID),
    ("inputs.md", "it rests on the address of a new object"),
    ("jumps.md", "claims about a function of which several may hold at a call"),
    ("memory.md", "it rests on the address of a new object"),
    ("types.md", "it rests on the address of a new object"),
];

/// Proofs that it cannot check: page and heading, analysis, and why. Time may always be too short.
const NOT_CERTIFIED: [(&str, &str, &str, &str); 12] = [
    ("functions.md", "Variable arguments", "value", POINTER),
    ("functions.md", "Variable arguments", "value-itp", POINTER),
    ("functions.md", "Variable arguments", "value-itp+predicate", POINTER),
    ("functions.md", "Variable arguments", "product", POINTER),
    ("functions.md", "Parameters with a length", "value", VALID),
    ("functions.md", "Parameters with a length", "value-itp", VALID),
    ("functions.md", "Parameters with a length", "value-itp+predicate", VALID),
    ("functions.md", "Parameters with a length", "product", VALID),
    ("memory.md", "Strings", "value", VALID),
    ("memory.md", "Strings", "value-itp", VALID),
    ("memory.md", "Strings", "value-itp+predicate", VALID),
    ("memory.md", "Strings", "product", VALID),
];

/// The same where the access is checked.
const VALID: &str = "it rests on whether an access is valid";

/// Reasons for which any proof about the accesses of a page may not be checked, for the reason of
/// [`POINTER`].
const ACCESSES: [(&str, &str); 13] = [
    ("checks-memory.md", VALID),
    ("checks-memory.md", POINTER),
    ("checks-memory.md", "it rests on the address of a new object"),
    ("checks-uninitialised.md", POINTER),
    ("inputs.md", VALID),
    ("inputs.md", POINTER),
    ("jumps.md", VALID),
    ("jumps.md", POINTER),
    ("library.md", POINTER),
    ("jumps.md", "it rests on what is known of objects that began in the run"),
    ("jumps.md", "it rests on what is known of memory in other ways"),
    // The proof checker does not know that pointers from outside point to none of the program's objects.
    ("outside.md", POINTER),
    ("outside.md", "it rests on the address of a new object"),
];

/// The same for proofs about rounds, which know more of memory than the proof checker does.
const ACCESSES_BY_ROUNDS: [(&str, &str); 11] = [
    ("checks-memory.md", "it rests on what is known of values that a loop changes"),
    ("checks-uninitialised.md", NEW),
    ("functions.md", NEW),
    ("functions.md", "it rests on bytes that are known in part"),
    ("inputs.md", NEW),
    ("jumps.md", NEW),
    ("memory.md", NEW),
    ("memory.md", "it rests on an access at an offset that is not followed"),
    ("memory.md", "it rests on a length that is not followed"),
    ("pointers.md", NEW),
    ("library.md", NEW),
];

/// Whether the object overlaps with another one is not known to the proof checker.
const NEW: &str = "it rests on the address of a new object";

/// What is known of objects that begin in the run does not get into certificates.
const POINTER: &str = "an access through a pointer that is not followed";

/// A program of a page.
#[derive(Clone, Debug, PartialEq)]
struct Example {
    /// The page, the heading above, and the line.
    place: String,
    language: String,
    options: Vec<String>,
    program: String,
    expected: String,
    /// Whether the page asks for an analysis.
    is_for_one: bool,
}

impl Example {
    /// The program for an analysis that the page does not speak of, if the page tells what is true
    /// of the program: an analysis that is asked for may answer UNKNOWN for its own reasons.
    fn for_others(&self) -> Option<Self> {
        if !self.is_for_one {
            return Some(self.clone());
        }
        let verdict = self.expected.split([' ', '?']).next().unwrap_or_default();
        if verdict == "UNKNOWN" {
            return None;
        }
        let mut options = Vec::new();
        let mut all = self.options.iter();
        while let Some(option) = all.next() {
            if MEANING.contains(&option.as_str()) {
                options.push(option.clone());
            } else if MEANING_WITH_VALUE.contains(&option.as_str()) {
                options.extend([option.clone()].into_iter().chain(all.next().cloned()));
            }
        }
        Some(Self { options, ..self.clone() })
    }
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
        let options: Vec<String> = words.collect();
        let is_for_one = options.iter().any(|option| option == "--analysis");
        found.push(Example { place, language, options, program, expected, is_for_one });
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

/// The verdict on a program, and what is wrong with the answer.
fn check(example: &Example, analysis: &str, time: &str) -> (String, Option<String>) {
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
        arguments.push("--analysis");
        arguments.extend(analysis.trim_end_matches(" --certify").split(' '));
        let verdict = example.expected.split([' ', '?']).next().unwrap_or_default();
        if verdict == "UNKNOWN" { verdict.to_owned() } else { format!("{verdict}?") }
    };
    if !example.options.iter().any(|option| option.starts_with("--timelimit")) {
        arguments.extend(["--timelimit", time]);
    }
    // Programs that a page has for one analysis are hard for others, and for the proof checker.
    let certifies = CERTIFIED.contains(&analysis) && !example.is_for_one;
    if certifies {
        arguments.push("--certify");
    }
    // Witnesses of violations are read back.
    let has_folder = arguments.contains(&"--output-dir");
    let has_witness = analysis == DEFAULT && example.language == "c" && !has_folder;
    if has_witness {
        arguments.extend(["--output-dir", "out"]);
    }
    let done = folder.run(&arguments);
    let answer = done.last_line().strip_prefix("Verification result: ").unwrap_or("no answer");
    let verdict = answer.split(' ').next().unwrap_or_default().to_owned();
    let code = match verdict.as_str() {
        "TRUE" => 0,
        "FALSE" => 10,
        "UNKNOWN" => 20,
        _ => -1,
    };
    let uncertified = is_uncertified(example, analysis, certifies, &done.out);
    let witness = match (has_witness, verdict.as_str()) {
        (true, "FALSE") => {
            common::graphml::check(&folder.read("out/violation.graphml"), &example.program)
        }
        _ => Ok(()),
    };
    let is_wrong = answer.contains("internal error") || uncertified || witness.is_err();
    if is_as_expected(&expected, answer) && done.code == code && !is_wrong {
        return (verdict, None);
    }
    let numbered: Vec<String> = example
        .program
        .lines()
        .enumerate()
        .map(|(at, line)| format!("{:4}  {line}", at + 1))
        .collect();
    let wrong = format!(
        "{}, analysis {analysis}\n- expected: {expected}\n+ answered: {answer} (exit code {})\n\
         + witness: {witness:?}\n{}\n{}{}",
        example.place,
        done.code,
        numbered.join("\n"),
        done.out,
        done.err
    );
    (verdict, Some(wrong))
}

/// Whether a proof is not certified that should be, or the other way round. `certifies` says that
/// the test has asked for it.
fn is_uncertified(example: &Example, analysis: &str, certifies: bool, output: &str) -> bool {
    let listed = NOT_CERTIFIED.iter().find(|(page, heading, by, _)| {
        let place = &example.place;
        place.starts_with(page) && place.contains(&format!("({heading})")) && *by == analysis
    });
    let is_certified = output.lines().any(|line| line.starts_with("certified: "));
    let why = output.lines().find_map(|line| line.strip_prefix("not certified: "));
    match (listed, why) {
        (Some((.., reason)), Some(why)) => !why.contains(reason),
        (Some(_), None) => is_certified,
        (None, Some(why)) => {
            let excused = |(page, reason): &(&str, &str)| {
                example.place.starts_with(page) && why.contains(reason)
            };
            let is_excused_by_rounds =
                BY_ROUNDS.contains(&analysis) && ACCESSES_BY_ROUNDS.iter().any(excused);
            let is_excused_by_claims =
                analysis == BY_CLAIMS && ACCESSES_BY_CLAIMS.iter().any(excused);
            !why.contains("time limit")
                && !ACCESSES.iter().any(excused)
                && !is_excused_by_rounds
                && !is_excused_by_claims
        }
        (None, None) => certifies && output.contains("result: TRUE") && !is_certified,
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
    check_all(&jobs, TIME);
}

#[test]
fn proofs_of_the_default_analysis_are_certified() {
    let mut all = all_examples();
    all.retain(|example| example.expected == "TRUE" && !example.is_for_one);
    let jobs: Vec<(&Example, &str)> =
        all.iter().map(|example| (example, DEFAULT_CERTIFIED)).collect();
    let verdicts = check_all(&jobs, MEDIUM_TIME);
    let is_open = |(_, verdict): &(&(&Example, &str), &String)| *verdict != "TRUE";
    let mut open: Vec<(&Example, &str)> =
        jobs.iter().zip(&verdicts).filter(is_open).map(|(job, _)| *job).collect();
    // A slow machine has not been given enough time.
    if open.len() > WITHOUT_PASSES {
        let verdicts = check_all(&open, TIME);
        open = open.iter().zip(&verdicts).filter(is_open).map(|(job, _)| *job).collect();
    }
    // Some need loops as one step, which a run with a check leaves as they are.
    assert!(open.len() <= WITHOUT_PASSES, "{} of {} are not proved", open.len(), all.len());
}

#[test]
fn other_analyses_do_not_contradict_the_pages() {
    let all: Vec<Example> = all_examples().iter().filter_map(Example::for_others).collect();
    let jobs: Vec<(&Example, &str)> = all
        .iter()
        .flat_map(|example| OTHERS.iter().map(move |other| (example, other.analysis)))
        .collect();
    let verdicts = check_all(&jobs, SHORT_TIME);
    let mut few = Vec::new();
    for other in OTHERS {
        let mine = |(_, by): &&(&Example, &str)| *by == other.analysis;
        let mut answers = Vec::new();
        let mut open = Vec::new();
        for (job, verdict) in jobs.iter().zip(&verdicts).filter(|(job, _)| mine(job)) {
            answers.push(verdict.clone());
            if verdict == "UNKNOWN" {
                open.push(*job);
            }
        }
        // A slow machine has not been given enough time.
        if other.shortfall(&answers).is_some() {
            answers.extend(check_all(&open, TIME));
        }
        few.extend(other.shortfall(&answers));
    }
    assert!(few.is_empty(), "{}", few.join("\n"));
}

#[test]
fn every_analysis_is_run() {
    let help = Folder::new().run(&["check", "--help"]).out;
    let analyses = help.split("--analysis <ANALYSIS>").nth(1).expect("the option");
    let analyses = analyses.split("[default: ").next().unwrap_or_default();
    let name = |line: &str| Some(line.trim().strip_prefix("- ")?.split(':').next()?.to_owned());
    let mut listed: Vec<String> = analyses.lines().filter_map(name).collect();
    listed.sort();
    let others = OTHERS.iter().filter_map(|other| other.analysis.split(' ').next());
    let mut run: Vec<String> = others.chain([DEFAULT]).map(str::to_owned).collect();
    run.sort();
    run.dedup();
    assert_eq!(listed, run);
}

/// Checks all, and gives the verdicts in the order of the jobs.
fn check_all(jobs: &[(&Example, &str)], time: &str) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let workers = thread::available_parallelism().map_or(2, |count| count.get());
    let mut done: Vec<(usize, (String, Option<String>))> = thread::scope(|scope| {
        let work = || {
            let mut done = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some((example, analysis)) = jobs.get(index) else { return done };
                done.push((index, check(example, analysis, time)));
            }
        };
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a worker")).collect()
    });
    done.sort();
    let wrong: Vec<&str> = done.iter().filter_map(|(_, (_, wrong))| wrong.as_deref()).collect();
    assert!(wrong.is_empty(), "{} of {}:\n\n{}", wrong.len(), jobs.len(), wrong.join("\n\n"));
    done.into_iter().map(|(_, (verdict, _))| verdict).collect()
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
