//! `proviso explain`: what the words of an answer mean, and what to do.

mod entry;
mod table;
mod terms;

use std::fmt::Write;

use cfa::Check;
use strsim::levenshtein;

use crate::arguments::Explain;
use crate::exit::Exit;
use crate::output;
use entry::{Entry, WordKind};

/// How long lines are.
const WIDTH: usize = 88;

/// How many similar names are told to a user who asks about an unknown word.
const NEAREST: usize = 3;

/// Other words for those of the table, as they stand in answers and in the guide, without blanks and hyphens.
const ALSO: [(&str, &[&str]); 47] = [
    ("k", &["kinduction", "kinductive", "induction"]),
    (
        "not explored",
        &["frontier1.txt", "frontier", "frontiertrace", "frontiertraces", "unexplored"],
    ),
    ("safe cone", &["cone", "cones", "safecones"]),
    ("round", &["rounds", "iteration", "iterations", "unrolling", "laterrounds"]),
    (
        "counterexample",
        &[
            "trace",
            "errorpath",
            "inputs",
            "input",
            "again",
            "returned",
            "returns",
            "heap",
            "freed",
            "isfreed",
            "arbitraryatthestart",
            "withoutanul",
            "gone",
            "besidesthosethatareleftout",
            "leftout",
            "replayed",
            "step",
            "steps",
        ],
    ),
    ("abstract state", &["abstraction", "abstractgraph", "arg", "node"]),
    ("explicit values", &["value"]),
    ("explicit values with refinement", &["valueitp"]),
    ("explicit values and predicates", &["product", "valueitp+predicate"]),
    ("predicate abstraction", &["predicate"]),
    ("backward analysis", &["backward", "fixpoint"]),
    ("refinement", &["refinements", "precision", "interpolant", "cegar"]),
    ("bounded model checking", &["bmc"]),
    ("certified", &["notcertified", "certificate", "obligation", "obligations"]),
    ("unsupported", &["processes", "threads", "notmodelled"]),
    ("confirmed", &["notconfirmed", "leftaside", "violationconfirmed", "proofconfirmed"]),
    ("covered", &["target", "targets", "pending"]),
    ("coverage", &["seen", "seenbytheanalysis", "notseen", "branch", "branches"]),
    ("could not be decided", &["undecided", "whetheritcanfailcouldnotbedecided"]),
    ("bounded model checking with many rounds at once", &["manyroundsatonce"]),
    ("data model", &["lp64", "ilp32"]),
    ("facts about rounds", &["kinductionwithfactsaboutrounds"]),
    (
        "summarised",
        &["kinductionwithsummariesofloops", "takenasonestep", "looptakenasonestep", "onestep"],
    ),
    (
        "unreach-call",
        &["assertionfailed", "reacherror", "verifiererror", "anerrorisreached", "reachederror"],
    ),
    ("unreach-label", &["thelabelerrorisreached"]),
    (
        "valid-deref",
        &[
            "useafterfree",
            "accessoutofbounds",
            "outofbounds",
            "accessthroughanullpointer",
            "nullpointer",
            "invalidpointer",
            "invalidmemoryaccess",
            "useofanobjectafteritsend",
            "writetoaconstant",
            "writetoreadonlymemory",
            "accesstothecodeofafunction",
            "invalidcall",
            "invalidarraylength",
        ],
    ),
    ("valid-free", &["doublefree", "invalidfree"]),
    ("valid-memcleanup", &["memoryisnotfreedattheend", "memoryleak"]),
    ("valid-memtrack", &["memoryislost"]),
    ("no-overflow", &["signedoverflow"]),
    ("div", &["divisionbyzero"]),
    ("shift", &["invalidshift"]),
    ("conversion", &["conversiontoanothervalue"]),
    ("uninitialised", &["useofanuninitialisedvalue", "uninitialisedvalue"]),
    (
        "assumption automaton",
        &["assumptionspc", "assumption.spc", "assumptionautomata", "automaton", "automata"],
    ),
    ("intervals", &["interval", "intervalanalysis"]),
    ("check", &["read", "write"]),
    ("proviso", &["togoon", "whatstandsintheway"]),
    ("assumption", &["memoryneverrunsout"]),
    ("contracts of functions", &["contract", "contracts"]),
    ("harness", &["harness.c"]),
    ("UNKNOWN", &["inconclusive"]),
    ("stage", &["stages", "auto"]),
    ("Nothing to verify", &["nothing"]),
    ("note", &["notes", "warning"]),
    ("inline assembly", &["assembly", "asm"]),
    ("memory outside", &["memoryofothers", "pointersfromoutside", "outside"]),
];

/// Explains a word, or lists all.
pub fn run(arguments: &Explain) -> Result<Exit, Exit> {
    let entries = table::all();
    let said = arguments.reason.join(" ");
    if said.is_empty() {
        output::write(&list(&entries));
        return Ok(Exit::Done);
    }
    let wanted = word(&said);
    match entries.iter().find(|entry| entry.is_called(&wanted)) {
        Some(entry) => {
            output::write(&text(entry));
            Ok(Exit::Done)
        }
        None => {
            let names = nearest(&entries, &wanted).map(|entry| format!("`{}`", entry.name));
            let similar = match names.collect::<Vec<_>>().join(", ") {
                names if names.is_empty() => String::new(),
                names => format!("similar words are {names}; "),
            };
            output::tell(&format!(
                "error: there is no explanation of `{said}`\n\n  tip: {similar}`proviso explain` lists all words"
            ));
            Err(Exit::Usage)
        }
    }
}

/// The word that a user asks about. The user may have copied more of the last line than the word, as in `UNKNOWN
/// (unsupported: processes at a.c:12:12)`, or the line of an error, as in `Error: double free at a.c:12:5: heap#1 was
/// freed at line 10`.
fn word(said: &str) -> String {
    let said = said.trim();
    let said = said.strip_prefix("Verification result:").unwrap_or(said).trim();
    let fault = said.strip_prefix("Error:").map(str::trim);
    let said = fault.filter(|fault| !fault.is_empty()).unwrap_or(said);
    // What is asserted and what is called may be anything: "reach_error() is called by `CHECK(x)`".
    if said.starts_with("assertion `") || said.contains("() is called") {
        return key("unreach-call");
    }
    let inner = ["FALSE", "UNKNOWN"].iter().find_map(|verdict| {
        let inner = said.strip_prefix(verdict)?.trim().strip_prefix('(')?;
        Some(inner.trim_end_matches(')'))
    });
    let inner = inner.unwrap_or(said);
    let (head, rest) = inner.split_once(':').unwrap_or((inner, ""));
    let has_place = rest.starts_with(|first: char| first.is_ascii_digit());
    let place = head.rfind(" at ").filter(|_| has_place);
    let head = place.map_or(head, |start| &head[..start]);
    // `(again)` and `heap#3` are words of counterexamples.
    let bare = head.trim().trim_start_matches('(').trim_end_matches(')');
    key(bare.split_once('#').map_or(bare, |(name, _)| name))
}

impl Entry {
    /// Whether a user means this entry: by its name, or by that of the check on the command line.
    fn is_called(&self, wanted: &str) -> bool {
        if ALSO.iter().any(|(name, others)| *name == self.name && others.contains(&wanted)) {
            return true;
        }
        // `the property is 2-inductive`
        let rounds = wanted.strip_suffix("inductive");
        if self.name == "k" && rounds.is_some_and(|k| k.bytes().all(|byte| byte.is_ascii_digit())) {
            return true;
        }
        let check = Check::ALL.into_iter().find(|check| key(check.name()) == wanted);
        let name = check.map_or_else(|| wanted.to_owned(), |check| key(table::name_of(check)));
        let own = key(self.name);
        own == name || name.strip_suffix('s') == Some(&*own)
    }

    /// How far a word is from the nearest name of the entry.
    fn distance(&self, wanted: &str) -> usize {
        let others = ALSO.iter().filter(|(name, _)| *name == self.name);
        let others = others.flat_map(|(_, others)| *others).map(|other| levenshtein(other, wanted));
        others.fold(levenshtein(&key(self.name), wanted), usize::min)
    }
}

/// A name as a key, without what users may write in another way: capitals, hyphens, blanks and brackets.
fn key(name: &str) -> String {
    let plain = name.trim().to_lowercase();
    let key = plain.replace(['-', '_', ' ', '(', ')'], "");
    // American spelling counts as British spelling.
    key.replace("ized", "ised")
}

/// The entries whose names are near to a word, the nearest first: at most a third of its letters differ.
fn nearest<'a>(entries: &'a [Entry], wanted: &str) -> impl Iterator<Item = &'a Entry> {
    let most = wanted.chars().count() / 3;
    let far = |entry: &'a Entry| (entry.distance(wanted), entry);
    let mut near: Vec<_> = entries.iter().map(far).filter(|(far, _)| *far <= most).collect();
    near.sort_by_key(|(far, _)| *far);
    near.into_iter().map(|(_, entry)| entry).take(NEAREST)
}

/// All words, each in a line.
fn list(entries: &[Entry]) -> String {
    let width = entries.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for kind in WordKind::ALL {
        let _ = writeln!(text, "{}:", kind.heading());
        for entry in entries.iter().filter(|entry| entry.kind == kind) {
            let indent = " ".repeat(width + 4);
            let summary = wrapped(entry.summary, &indent);
            let _ = writeln!(text, "  {:width$}  {}", entry.name, summary.trim_start());
        }
        text.push('\n');
    }
    text.push_str("`proviso explain WORD` says more about one of them.\n");
    text
}

/// An explanation, for a terminal.
fn text(entry: &Entry) -> String {
    let mut text = format!("{} ({})\n", entry.name, entry.kind.single());
    for (heading, paragraph) in parts(entry) {
        let _ = write!(text, "\n{heading}\n{}\n", wrapped(paragraph, "  "));
    }
    text.push_str("\nFor example\n");
    for example in entry.examples {
        let _ = writeln!(text, "  {example}");
    }
    text
}

/// The paragraphs of an explanation.
fn parts(entry: &Entry) -> [(&'static str, &'static str); 3] {
    [
        ("What it means", entry.meaning),
        ("Why it happens", entry.cause),
        ("What to do", entry.advice),
    ]
}

/// A paragraph as indented lines.
fn wrapped(paragraph: &str, indent: &str) -> String {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in paragraph.split_ascii_whitespace() {
        let length = indent.len() + line.chars().count() + 1 + word.chars().count();
        if !line.is_empty() && length > WIDTH {
            lines.push(format!("{indent}{line}"));
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(format!("{indent}{line}"));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use verify::{Engine, Unknown};

    use super::*;

    /// The chapter of the guide that has every word.
    fn chapter(entries: &[Entry]) -> String {
        let mut text = "# Every word of an answer\n\n\
             `proviso explain WORD` prints the same on a terminal; without a word it lists all of them. Reasons of \
             UNKNOWN have details behind a colon where there are some.\n"
            .to_owned();
        for kind in WordKind::ALL {
            let _ = write!(text, "\n## {}\n\n| word | meaning |\n| --- | --- |\n", kind.heading());
            let of_kind = || entries.iter().filter(|entry| entry.kind == kind);
            for entry in of_kind() {
                let anchor = entry.name.to_lowercase().replace(' ', "-");
                let _ = writeln!(text, "| [`{}`](#{anchor}) | {} |", entry.name, entry.summary);
            }
            for entry in of_kind() {
                let _ = write!(text, "\n### {}\n", entry.name);
                for (heading, paragraph) in parts(entry) {
                    let _ = write!(text, "\n**{heading}.** {paragraph}\n");
                }
                let _ = write!(text, "\n```sh\n{}\n```\n", entry.examples.join("\n"));
            }
        }
        text
    }

    #[test]
    fn the_guide_has_every_word() {
        let path = "../../docs/guide/src/words.md";
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        let text = chapter(&table::all());
        if std::env::var_os("PROVISO_WRITE_GUIDE").is_some() {
            std::fs::write(&path, &text).expect("the chapter can be written");
        }
        let found = std::fs::read_to_string(&path).expect("the chapter");
        assert!(
            found == text,
            "write the chapter anew: PROVISO_WRITE_GUIDE=1 cargo test the_guide"
        );
    }

    #[test]
    fn every_stage_every_reason_and_every_kind_of_violation_is_explained() {
        let entries = table::all();
        for name in Engine::NAMES {
            let wanted = word(name);
            assert!(entries.iter().any(|entry| entry.is_called(&wanted)), "{name}");
        }
        let reasons = entries.iter().filter(|entry| entry.kind == WordKind::Reason);
        let reasons: Vec<&str> = reasons.map(|entry| entry.name).collect();
        assert_eq!(reasons, Unknown::NAMES);
        let has = |name: &str| {
            entries.iter().any(|entry| entry.kind == WordKind::Violation && entry.name == name)
        };
        for fault in cfa::Fault::ALL.into_iter().filter(|fault| fault.check().is_some()) {
            assert!(has(fault.property()), "{}", fault.property());
        }
        let mut names: Vec<String> = entries.iter().map(|entry| key(entry.name)).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), entries.len(), "names tell entries apart");
    }

    #[test]
    fn every_text_of_a_fault_is_explained() {
        let entries = table::all();
        for fault in cfa::Fault::ALL {
            let wanted = word(fault.describe());
            let of_kind = |entry: &&Entry| match fault.check() {
                Some(check) => entry.name == table::name_of(check),
                None => true,
            };
            let entry = entries.iter().find(|entry| entry.is_called(&wanted));
            assert!(entry.filter(of_kind).is_some(), "{}: {entry:?}", fault.describe());
        }
    }

    #[test]
    fn other_words_are_said_of_words_of_the_table() {
        let entries = table::all();
        for (name, others) in ALSO {
            assert!(entries.iter().any(|entry| entry.name == name), "{name}");
            for other in others {
                assert_eq!(key(other), *other);
                let called = entries.iter().filter(|entry| entry.is_called(other));
                assert_eq!(called.count(), 1, "{other}");
            }
        }
    }

    #[test]
    fn a_copied_line_is_understood() {
        for said in [
            "time limit",
            "time-limit",
            "TimeLimit",
            "UNKNOWN (time limit)",
            "Verification result: UNKNOWN (time limit: here)",
        ] {
            assert_eq!(word(said), "timelimit", "{said}");
        }
        assert_eq!(word("uninitialized"), "uninitialised");
        assert_eq!(word("TRUE"), "true");
        assert_eq!(word("FALSE (valid-deref)"), "validderef");
        assert_eq!(word("use of an uninitialized value"), "useofanuninitialisedvalue");
        for (said, expected) in [
            ("Error: double free at a.c:12:5: heap#1 was freed at line 10", "doublefree"),
            ("division by zero at a.c:12:5", "divisionbyzero"),
            (
                "Error: memory is not freed at the end at a.c:9:1: heap#1",
                "memoryisnotfreedattheend",
            ),
            ("memory is not freed at the end", "memoryisnotfreedattheend"),
            ("Error: assertion `x ? y : z` failed at a.c:9:1 (x = 1)", "unreachcall"),
            ("Error: reach_error() is called by `CHECK(x)` at a.c:9:1", "unreachcall"),
        ] {
            assert_eq!(word(said), expected, "{said}");
        }
    }
}
