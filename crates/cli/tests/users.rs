//! Programs as users write them (`tests/users`), each right and with a bug that `-D BUG` puts in.
//!
//! The head of a program says what must come of it: `// right: TRUE`, `// BUG: FALSE (valid-deref)`,
//! and `// options: …` where it is not checked by default. What stands two spaces behind an answer is
//! for people.

#![allow(missing_docs)]

mod common;

use std::path::Path;

use common::Folder;

/// The time for a program. Nearly all take less than a second.
const TIME: &str = "60s";

/// Programs that need not be decided, for as long as no analysis does.
const OPEN: [(&str, &str); 1] = [("account.c", "right")];

/// The time for one that need not be decided.
const SHORT_TIME: &str = "5s";

/// A line of the head, without what is for people.
fn stated<'t>(text: &'t str, what: &str) -> Option<&'t str> {
    let line = text.lines().find_map(|line| line.strip_prefix(&format!("// {what}: ")))?;
    Some(line.split("  ").next().unwrap_or(line).trim())
}

/// What is wrong with the answer for a program, right or with its bug.
fn check(name: &str, text: &str, version: &str) -> Option<String> {
    let expected = stated(text, version).unwrap_or_else(|| panic!("{name} has no line {version}"));
    let folder = Folder::new().with(name, text);
    let is_open = OPEN.contains(&(name, version));
    let time = if is_open { SHORT_TIME } else { TIME };
    let mut arguments = vec!["check", name, "--timelimit", time, "--output-dir", "out"];
    if version == "BUG" {
        arguments.extend(["-D", "BUG"]);
    }
    arguments.extend(stated(text, "options").unwrap_or("").split_whitespace());
    let done = folder.run(&arguments);
    let answer = done.last_line().strip_prefix("Verification result: ").unwrap_or("no answer");
    let fits = answer == expected || (is_open && answer.starts_with("UNKNOWN (time limit"));
    if !fits {
        let (out, err) = (&done.out, &done.err);
        return Some(format!("{name}, {version}: {answer} instead of {expected}\n{out}{err}"));
    }
    if let Err(problem) = common::formats::folder(&folder.path().join("out")) {
        return Some(format!("{name}, {version}: {problem}"));
    }
    if answer.starts_with("FALSE") {
        let witness = folder.read("out/violation.graphml");
        let problem = common::graphml::check(&witness, text).err();
        return problem.map(|problem| format!("{name}, {version}: {problem}\n{witness}"));
    }
    None
}

#[test]
fn programs_of_users_are_answered() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/users");
    let entries = std::fs::read_dir(folder).expect("the folder of programs");
    let mut programs: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    programs.retain(|path| path.extension().is_some_and(|ending| ending == "c"));
    programs.sort();
    assert!(programs.len() >= 28, "{} programs", programs.len());
    let mut wrong = Vec::new();
    for path in programs {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("text");
        wrong.extend(["right", "BUG"].into_iter().filter_map(|it| check(&name, &text, it)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn witnesses_that_are_wrong_are_found() {
    let text = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n\
                \x20   int x = __VERIFIER_nondet_int();\n    if (x > 3)\n        assert(x < 7);\n}\n";
    let folder = Folder::new().with("program.c", text);
    folder.run(&["check", "program.c", "--output-dir", "out"]);
    let witness = folder.read("out/violation.graphml");
    assert_eq!(common::graphml::check(&witness, text), Ok(()));
    for (part, other) in [
        ("<data key=\"entry\">true</data>", ""),
        ("<data key=\"violation\">true</data>", ""),
        ("id=\"control\"", "id=\"controls\""),
        ("<data key=\"startline\">4</data>", "<data key=\"startline\">400</data>"),
        ("<data key=\"startline\">4</data>", "<data key=\"startline\">x</data>"),
        ("target=\"q1\"", "target=\"q9\""),
        ("<data key=\"sourcecodelang\">C</data>", ""),
        ("condition-true", "condition-maybe"),
        ("__VERIFIER_nondet_int</data>", "__VERIFIER_nondet_uint</data>"),
        ("</graph>", ""),
        ("\\result ==", "\\result &is;"),
    ] {
        assert!(witness.contains(part), "{part} is not in {witness}");
        let changed = witness.replacen(part, other, 1);
        assert!(common::graphml::check(&changed, text).is_err(), "{part} -> {other}");
    }
}
