//! The checks on generated programs: pairs with and without a fault, whose truth the sanitizers of gcc and
//! clang tell.
//!
//! Without a compiler, or with one that has no sanitizers, the comparison with it is passed over with a
//! message, and only the answers that the generator knows are compared.

// Who reads the output of a test learns what it has passed over.
#![allow(clippy::print_stderr)]

#[path = "../common/mod.rs"]
mod common;
mod harness;
mod programs;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use common::{Folder, is_stopped, sanitized};
use programs::{CLASSES, Case, Class, UNSEEN, cases};
/// Whether a compiler's sanitizer finds a fault when the program runs; `None` if there is none.
fn runs_into_fault(folder: &Folder, compiler: &str, sanitizer: &str) -> Option<bool> {
    Some(is_stopped(&sanitized(folder, compiler, sanitizer, &["program.c"])?))
}

/// What is wrong with the answers on the programs of a class, and with what compilers say of them; and how
/// many programs each compiler was asked about.
fn compare(class: &Class) -> (Vec<String>, [usize; 2]) {
    let mut problems = Vec::new();
    let mut compared = [0, 0];
    for Case { text, is_wrong } in cases(class) {
        let folder = Folder::new().with("program.c", &text);
        let asked = [("gcc", class.gcc), ("clang", class.clang)];
        for ((compiler, sanitizer), count) in asked.into_iter().zip(&mut compared) {
            let told =
                sanitizer.and_then(|sanitizer| runs_into_fault(&folder, compiler, sanitizer));
            let Some(found) = told else { continue };
            *count += 1;
            let is_unseen = |(by, words, _): &(&str, &str, &str)| {
                *by == compiler && is_wrong && !found && text.contains(words)
            };
            if found != is_wrong && !UNSEEN.iter().any(is_unseen) {
                problems.push(format!("{}: {compiler} says {found}\n{text}", class.check));
            }
        }
        let done =
            folder.run(&["check", "program.c", "--check", class.check, "--timelimit", "60s"]);
        let wanted = match is_wrong {
            true => format!("Verification result: FALSE ({})", class.property),
            false => "Verification result: TRUE".to_owned(),
        };
        if done.last_line() != wanted {
            let answer = done.last_line();
            problems.push(format!("{}: {answer}, expected {wanted}\n{text}", class.check));
        }
    }
    (problems, compared)
}

#[test]
fn faults_of_generated_programs_are_found_and_their_absence_is_proved() {
    let next = AtomicUsize::new(0);
    let workers = thread::available_parallelism().map_or(2, usize::from);
    let work = || {
        let mine = std::iter::from_fn(|| CLASSES.get(next.fetch_add(1, Ordering::Relaxed)));
        mine.map(compare).collect::<Vec<_>>()
    };
    let found: Vec<(Vec<String>, [usize; 2])> = thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a comparison")).collect()
    });
    for (at, compiler) in ["gcc", "clang"].iter().enumerate() {
        if found.iter().all(|(_, compared)| compared[at] == 0) {
            eprintln!("no {compiler} with sanitizers: the truth is told without it");
        }
    }
    let problems: Vec<String> = found.into_iter().flat_map(|(problems, _)| problems).collect();
    assert!(problems.is_empty(), "{} problems\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn the_interpreter_names_the_faults_that_sanitizers_name() {
    let mut problems = Vec::new();
    for class in CLASSES.iter().filter(|class| ["div", "deref", "free"].contains(&class.check)) {
        for case in cases(class) {
            let folder = Folder::new().with("program.c", &case.text);
            let said = folder.run(&["run", "program.c"]);
            let ended = said.out.lines().chain(said.err.lines());
            let ended = ended.filter_map(|line| line.strip_prefix("Run ended: ")).next_back();
            let is_fine = ended.is_some_and(|text| text.starts_with("returned"));
            if is_fine == case.is_wrong {
                problems.push(format!("{}: {ended:?}\n{}", class.check, case.text));
            }
        }
    }
    assert!(problems.is_empty(), "{} problems\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn a_run_says_what_is_not_checked_and_which_asserts_are_left_out() {
    let folder = Folder::new().with(
        "program.c",
        "#include <assert.h>\nvoid reach_error(void);\nint a[3];\nint get(int i) { return 6 / a[i]; }\n\
         int main(int argc, char **argv) { assert(argc); if (argc > 7 && argc < 3) reach_error();\n\
         return get(argc); }\n",
    );
    let run = ["check", "program.c", "--property", "unreach-call", "--output-dir", "out"];
    let done = folder.run(&run);
    assert_eq!(done.last_line(), "Verification result: TRUE");
    // What is told, the files of the run tell as well.
    let told = done.err.lines().filter_map(|line| line.strip_prefix("assumption: "));
    let files = ["result.json", "result.sarif", "report.html"]
        .map(|file| folder.read(&format!("out/{file}")));
    for text in told {
        assert!(files.iter().all(|file| file.contains(text)), "{text}");
    }
    for line in [
        "assumption: accesses are in bounds: not checked",
        "assumption: nothing is divided by zero: not checked",
        "assumption: 1 assert is not part of unreach-call: not checked",
    ] {
        assert!(done.err.lines().any(|said| said == line), "{line}\n{}", done.err);
    }
    let done = folder.run(&["check", "program.c"]);
    assert!(!done.err.contains("not checked") && !done.err.contains("not part"), "{}", done.err);
    assert!(done.last_line().starts_with("Verification result: FALSE ("), "{}", done.out);
    // Where asserts are all that there is, they are asked about.
    let text =
        "#include <assert.h>\nint main(int argc, char **argv) { assert(argc != 7); return 0; }\n";
    let folder = Folder::new().with("program.c", text);
    let done = folder.run(&["check", "program.c", "--property", "unreach-call"]);
    assert_eq!(done.last_line(), "Verification result: FALSE (unreach-call)", "{}", done.err);
}

#[test]
fn what_cannot_be_checked_is_refused() {
    let folder = Folder::new().with("program.c", "int main(void) { return 0; }\n");
    let done = folder.run(&["check", "program.c", "--check", "everything"]);
    assert_eq!(done.code, 64, "{}", done.err);
}

#[test]
fn annotations_are_named_as_not_read() {
    let text =
        "/*@ requires x > 0; */\nint f(int x) { return x; }\nint main(void) { return f(1); }\n";
    let done = Folder::new().with("program.c", text).run(&["check", "program.c"]);
    assert!(done.err.contains("ACSL annotations are not read"), "{}", done.err);
    assert_eq!(done.last_line(), "Verification result: TRUE");
}

/// Where the entry function ends says nothing of what is lost: the object is named, with the line that made it.
#[test]
fn an_object_that_is_lost_or_not_freed_is_named() {
    let text = "#include <stdlib.h>\nint main(void) {\n    char *p = malloc(10);\n    \
                p = malloc(20);\n    free(p);\n    return 0;\n}\n";
    let folder = Folder::new().with("program.c", text);
    for property in ["valid-memtrack", "valid-memcleanup"] {
        let done = folder.run(&["check", "program.c", "--property", property]);
        assert_eq!(done.last_line(), format!("Verification result: FALSE ({property})"));
        let error = done.out.lines().find(|line| line.starts_with("Error: ")).expect("an error");
        assert!(error.ends_with(": heap#1 (10 bytes, allocated at line 3)"), "{error}");
    }
}

/// What verdicts rest on that compilers and libraries may do otherwise.
#[test]
fn floats_of_32_bits_and_random_numbers_are_listed() {
    let floats = "extern void reach_error(void);\nvolatile float a = 16777216.0f, b = 1.0f;\n\
                  int main(void) { if (a + b != 16777216.0f) reach_error(); return 0; }\n";
    let random = "#include <assert.h>\n#include <stdlib.h>\nint main(void) {\n    srand(1);\n    \
                  int a = rand();\n    srand(1);\n    assert(a == rand());\n    return 0;\n}\n";
    for (text, options, said) in [
        (
            floats,
            &["--32"][..],
            Some("assumption: floats are computed in the precision of their types"),
        ),
        (floats, &["--64"][..], None),
        (
            random,
            &[][..],
            Some(
                "assumption: random numbers are any of their range, whatever they are computed from",
            ),
        ),
    ] {
        let folder = Folder::new().with("program.c", text);
        let done = folder.run(&[&["check", "program.c"], options].concat());
        match said {
            Some(said) => assert!(done.err.contains(said), "{}", done.err),
            None => assert!(!done.err.contains("floats are computed"), "{}", done.err),
        }
    }
}
