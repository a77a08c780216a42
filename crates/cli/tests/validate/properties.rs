//! The property that a witness is about.

use crate::common::Folder;
use crate::{SAFE, UNSAFE, answer, graph, hash, segment, validate, waypoint, yaml};

#[test]
fn the_property_is_that_of_the_witness_unless_another_is_asked_for() {
    let program = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == 2147483647)
    x = x + 1;
  if (x == 5)
    reach_error();
  return 0;
}
";
    let folder = Folder::new().with("p.c", program);
    let check = ["check", "p.c", "-q", "--property", "no-overflow", "--output-dir", "out"];
    assert_eq!(folder.run(&check).code, 10);
    let warned = "warning: the witness is of another property, no-overflow; the one that was asked for is used\n";
    let witness = ["validate", "p.c", "--witness", "out/violation.yml"];
    for (asked, code, is_told) in [
        (&[][..], 10, false),
        (&["--property", "no-overflow"], 10, false),
        (&["--check", "overflow"], 10, false),
        (&["--property", "unreach-call"], 20, true),
        (&["--check", "deref"], 20, true),
    ] {
        let done = folder.run(&[&witness[..], asked].concat());
        assert_eq!(done.code, code, "{asked:?}: {}{}", done.out, done.err);
        assert_eq!(done.err.contains(warned), is_told, "{asked:?}: {}", done.err);
    }
}

/// The name of the property stands for error functions of older programs, which its text does not name.
#[test]
fn older_error_functions_are_those_of_the_witness() {
    let program = "\
extern void __VERIFIER_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  if (__VERIFIER_nondet_int() == 42)
    __VERIFIER_error();
  return 0;
}
";
    let folder = Folder::new().with("p.c", program);
    let check = ["check", "p.c", "-q", "--property", "unreach-call", "--output-dir", "out"];
    assert_eq!(folder.run(&check).code, 10);
    for name in ["out/violation.yml", "out/violation.graphml"] {
        assert!(folder.read(name).contains("LTL(G ! call(__VERIFIER_error()))"));
        assert_eq!(validate(&folder, name).code, 10);
    }
}

/// A violation of a check that SV-COMP has no property for is written with the name of the check.
#[test]
fn the_check_of_a_witness_is_used() {
    let program = "\
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int u;
  int x = __VERIFIER_nondet_int();
  unsigned char c = x;
  int s = 1 << (x & 63);
  return u + c + s;
}
";
    for check in ["shift", "conversion", "uninitialised"] {
        for more in [&[][..], &["--property", "unreach-call"]] {
            let folder = Folder::new().with("p.c", program);
            let words = ["check", "p.c", "-q", "--check", check, "--output-dir", "out"];
            assert_eq!(folder.run(&[&words[..], more].concat()).code, 10, "{check}");
            for name in ["out/violation.yml", "out/violation.graphml"] {
                let done = validate(&folder, name);
                assert_eq!(done.code, 10, "{check}: {name}: {}{}", done.out, done.err);
            }
        }
    }
}

/// A witness of a property that nobody here can check says nothing of the one that is checked when none is named.
#[test]
fn a_property_that_is_not_known_is_not_replaced() {
    let said = "CHECK( init(main()), LTL(G ! call(reach_error())) )";
    let place = "<data key=\"startline\">8</data>";
    let violation = format!(
        "<node id=\"a\"><data key=\"entry\">true</data></node><node id=\"e\"><data key=\"violation\">true</data></node>\n\
         <edge source=\"a\" target=\"e\">{place}</edge>\n"
    );
    let target = segment(&[waypoint("target", "follow", "", 8, ", column: 5")]);
    for (program, kinds, content, body, code) in [
        (UNSAFE, ("violation_sequence", "violation_witness"), &*target, &*violation, 10),
        (SAFE, ("invariant_set", "correctness_witness"), " []", "", 0),
    ] {
        let folder = Folder::new().with("p.c", program);
        let hash = hash(&folder);
        let yaml = yaml(kinds.0, &hash, content).replace("G ! call(reach_error())", said);
        for witness in [yaml, graph(kinds.1, &hash, body)] {
            assert_eq!(answer(&folder, &witness).0, code, "{witness}");
            for (other, why) in [
                ("CHECK( init(main()), LTL(F end) )", "the property termination is not decided"),
                ("G ! data-race", "the property no-data-race is not decided"),
                ("G valid-memsafty", "the property `G valid-memsafty` is not known here"),
                ("G no-overflow", "the property `G no-overflow` is not known here"),
                ("anything", "the property `anything` is not known here"),
            ] {
                let (found, text) = answer(&folder, &witness.replace(said, other));
                let last = format!("Witness: not confirmed ({why})\n");
                assert!(found == 20 && text.ends_with(&last), "{other}: {found} {text}");
            }
            // What the command line asks for counts, and the difference is told.
            std::fs::write(folder.path().join("w.yml"), witness.replace(said, "anything"))
                .expect("a witness");
            let asked = ["validate", "p.c", "--witness", "w.yml", "--property", "unreach-call"];
            let done = folder.run(&asked);
            assert_eq!(done.code, code, "{}{}", done.out, done.err);
            assert!(done.err.contains("of another property, anything"), "{}", done.err);
        }
    }
}

/// Each part of a property that a witness says in several parts counts.
#[test]
fn all_parts_of_a_property_count() {
    let program =
        "#include <stdlib.h>\nint main(void) {\n  int *p = malloc(4);\n  p = 0;\n  return 0;\n}\n";
    let folder = Folder::new().with("p.c", program);
    let hash = hash(&folder);
    let part = |name: &str| {
        format!("<data key=\"specification\">CHECK( init(main()), LTL(G {name}) )</data>")
    };
    let witness = graph("correctness_witness", &hash, "");
    let said = part("! call(reach_error())");
    let free = witness.replace(&said, &part("valid-free"));
    assert_eq!(answer(&folder, &free).0, 0);
    let both = witness.replace(&said, &(part("valid-free") + &part("valid-memtrack")));
    assert_eq!(answer(&folder, &both).0, 20);
}

const MARKS: &str = "\
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int count[11] = { 0 };
  int mark = __VERIFIER_nondet_int();
  if (mark < 0 || mark > 10)
    return 1;
  count[mark]++;
  return 100 / (mark + 1);
}
";

/// A proof names what was checked, and not a property that nothing in the program could violate.
#[test]
fn a_proof_names_what_it_has_proved() {
    for (options, formulas) in [
        (&[][..], &["G valid-deref", "G ! div"][..]),
        (&["--check", "deref"], &["G valid-deref"]),
        (&["--check", "overflow,deref"], &["G valid-deref", "G ! overflow"]),
        (&["--property", "no-overflow"], &["G ! overflow"]),
        (&["--property", "valid-deref", "--check", "div"], &["G valid-deref", "G ! div"]),
        (
            &["--property", "unreach-call", "--check", "deref"],
            &["G ! call(reach_error())", "G valid-deref"],
        ),
    ] {
        let folder = Folder::new().with("p.c", MARKS);
        let check = [&["check", "p.c", "-q", "--output-dir", "out"][..], options].concat();
        let done = folder.run(&check);
        assert_eq!(done.code, 0, "{options:?}: {}{}", done.out, done.err);
        let witness = folder.read("out/correctness.yml");
        let (_, said) = witness.split_once("specification: \"").expect("a specification");
        let said = said.lines().next().expect("a line");
        for formula in formulas {
            let statement = format!("CHECK( init(main()), LTL({formula}) )");
            assert!(said.contains(&statement), "{options:?}: {said}");
        }
        assert_eq!(said.matches("CHECK(").count(), formulas.len(), "{options:?}: {said}");
        let done = validate(&folder, "out/correctness.yml");
        assert_eq!(
            done.last_line(),
            "Witness: proof confirmed",
            "{options:?}: {}{}",
            done.out,
            done.err
        );
        assert!(formulas.iter().all(|formula| done.out.contains(formula)), "{}", done.out);
        // The same of a program that violates it.
        let wrong = MARKS
            .replace("count[11]", "count[10]")
            .replace("100 / (mark + 1)", "mark * mark + 2147483600");
        if formulas.contains(&"G valid-deref") || formulas.contains(&"G ! overflow") {
            let other = Folder::new().with("p.c", &wrong);
            let other_hash = hash(&other);
            let moved = witness.replace(&hash(&folder), &other_hash);
            let (code, text) = answer(&other, &moved);
            assert!(code == 20 && text.contains("violates its property"), "{options:?}: {text}");
        }
    }
}

/// What nothing in a program could violate is named as such.
#[test]
fn nothing_to_verify_is_said() {
    let folder = Folder::new().with("p.c", "int main(void) { return 0; }\n");
    let hash = hash(&folder);
    let (code, text) = answer(&folder, &yaml("invariant_set", &hash, " []"));
    let said = "Nothing to verify; nothing in the program could violate G ! call(reach_error());";
    assert!(code == 0 && text.starts_with(said), "{text}");
}

/// Where executions start, and how large the things are that pointers point to, is part of what was proved.
#[test]
fn a_proof_is_one_of_the_program_as_it_was_read() {
    let program = "int sum(int *from) {\n  int all = 0;\n  for (int i = 0; i < 4; i++)\n    all = all ^ from[i];\n  return all;\n}\n";
    let folder = Folder::new().with("p.c", program);
    let read = ["--entry-function", "sum", "--pointer-size", "sum.from=4"];
    let done = folder.run(&[&["check", "p.c", "-q", "--output-dir", "out"][..], &read].concat());
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    assert!(folder.read("out/correctness.yml").contains("init(sum()), LTL(G valid-deref)"));
    let witness = ["validate", "p.c", "--witness", "out/correctness.yml"];
    for (options, code, said) in [
        (&read[..], 0, "for executions from sum: G valid-deref"),
        (&read[2..], 0, "Witness: proof confirmed"),
        (&[][..], 20, "the witness was made with --pointer-size sum.from=4)"),
        (&["--pointer-size", "sum.from=8"], 20, "not with --pointer-size sum.from=8)"),
    ] {
        let done = folder.run(&[&witness[..], options].concat());
        assert!(
            done.code == code && done.out.contains(said),
            "{options:?}: {}{}",
            done.out,
            done.err
        );
    }
    let folder = Folder::new().with("p.c", format!("{program}int main(void) {{ return 0; }}\n"));
    folder.run(&[&["check", "p.c", "-q", "--output-dir", "out"][..], &read].concat());
    let done = folder.run(&[&witness[..], &["--entry-function", "main"]].concat());
    assert!(done.code == 20 && done.out.contains("executions from `sum`"), "{}", done.out);
}
