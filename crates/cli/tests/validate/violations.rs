//! Executions of witnesses in format 2.0, and mistakes in the text of witnesses.

use crate::common::Folder;
use crate::{SAFE, UNSAFE, answer, hash, invariant, segment, validate, waypoint, yaml};

#[test]
fn mistakes_are_found() {
    let folder = Folder::new().with("p.c", UNSAFE);
    hash(&folder);
    for (name, mistakes) in [
        (
            "violation.yml",
            [
                ("result == 42", "result == 43"),
                ("line: 8", "line: 9"),
                ("value: \"false\"", "value: \"true\""),
            ],
        ),
        (
            "violation.graphml",
            [
                ("result == 42", "result == 43"),
                (">8<", ">9<"),
                ("condition-false", "condition-true"),
            ],
        ),
    ] {
        let text = folder.read(&format!("hashed/{name}"));
        for (from, to) in mistakes {
            assert!(text.contains(from), "{name} has no {from}");
            std::fs::write(folder.path().join(name), text.replace(from, to)).expect("a witness");
            let done = validate(&folder, name);
            assert_eq!(done.code, 20, "{name}: {from} as {to}: {}{}", done.out, done.err);
            assert!(done.last_line().starts_with("Witness: not confirmed ("), "{}", done.out);
        }
        for (from, to) in [(" ", "\n\u{1}"), ("line", "x"), ("8", "800000")] {
            std::fs::write(folder.path().join(name), text.replace(from, to)).expect("a witness");
            let done = validate(&folder, name);
            assert_eq!(done.code, 65, "{name}: {from} as {to}: {}{}", done.out, done.err);
            assert!(done.err.starts_with("error: "), "{}", done.err);
        }
    }
    let other = Folder::new().with("p.c", SAFE);
    std::fs::copy(folder.path().join("hashed/violation.yml"), other.path().join("w.yml"))
        .expect("a copy");
    let done = validate(&other, "w.yml");
    assert_eq!((done.code, done.out.as_str()), (65, ""), "{}", done.err);
    assert!(
        done.err.contains("the witness is of another program") && done.err.contains("w.yml:"),
        "{}",
        done.err
    );
}

#[test]
fn violations_of_others() {
    let folder = Folder::new().with("p.c", UNSAFE);
    let hash = hash(&folder);
    let target = || segment(&[waypoint("target", "follow", "", 8, ", column: 5")]);
    let returned =
        |value: &str| segment(&[waypoint("function_return", "follow", value, 4, ", column: 33")]);
    let cases = [
        (target(), 10),
        (returned("\\result == 42") + &target(), 10),
        (returned("\\result > 40") + &target(), 10),
        (returned("\\result > 42") + &target(), 20),
        (segment(&[waypoint("assumption", "follow", "x == 42", 5, ", column: 3")]) + &target(), 10),
        (segment(&[waypoint("assumption", "follow", "x == 41", 5, ", column: 3")]) + &target(), 20),
        (segment(&[waypoint("branching", "follow", "true", 7, "")]) + &target(), 10),
        (segment(&[waypoint("branching", "follow", "false", 7, ", column: 3")]) + &target(), 20),
        (segment(&[waypoint("function_enter", "follow", "", 4, ", column: 33")]) + &target(), 10),
        (segment(&[waypoint("function_enter", "follow", "x == 1", 4, "")]) + &target(), 65),
        (segment(&[waypoint("target", "follow", "x == 1", 8, "")]), 65),
        // A round with 7 leads to three, or past four.
        (
            segment(&[
                waypoint("branching", "avoid", "true", 6, ", column: 19"),
                waypoint("target", "follow", "", 8, ", column: 5"),
            ]),
            10,
        ),
        (
            segment(&[
                waypoint("branching", "avoid", "false", 6, ", column: 19"),
                waypoint("target", "follow", "", 8, ", column: 5"),
            ]),
            20,
        ),
        (segment(&[waypoint("target", "follow", "", 9, "")]), 20),
    ];
    for (content, code) in cases {
        std::fs::write(folder.path().join("w.yml"), yaml("violation_sequence", &hash, &content))
            .expect("a witness");
        let done = validate(&folder, "w.yml");
        assert_eq!(done.code, code, "{content}: {}{}", done.out, done.err);
    }
}

#[test]
fn what_is_avoided_and_followed_at_once_is_contradictory() {
    let folder = Folder::new().with("p.c", UNSAFE);
    let hash = hash(&folder);
    let target = segment(&[waypoint("target", "follow", "", 8, ", column: 5")]);
    for (kind, value, line, column) in [
        ("branching", "true", 7, ", column: 3"),
        ("function_return", "\\result == 42", 4, ", column: 33"),
        ("function_enter", "", 4, ", column: 33"),
        ("assumption", "x == 42", 5, ", column: 3"),
    ] {
        let follow = waypoint(kind, "follow", value, line, column);
        let avoid = waypoint(kind, "avoid", value, line, column);
        for (waypoints, code) in [(vec![follow.clone()], 10), (vec![avoid, follow], 20)] {
            let content = segment(&waypoints) + &target;
            let (found, text) = answer(&folder, &yaml("violation_sequence", &hash, &content));
            assert_eq!(found, code, "{content}: {text}");
        }
    }
}

/// What is wrong with a text is said in words of witnesses, and not in those of the parser.
#[test]
fn mistakes_in_yaml_are_told_in_words_of_witnesses() {
    let folder = Folder::new().with("p.c", SAFE);
    let hash = hash(&folder);
    let contract = "\n  - invariant: {type: function_contract, location: {file_name: p.c, line: 3, column: 1, function: main}, \
                    requires: '1', ensures: '1', format: c_expression}";
    let twice = invariant("loop_invariant", "1', value: '0", 5, "");
    for (content, said) in [
        (contract, "this is neither `loop_invariant` nor `location_invariant`"),
        (&twice, "`value` is said twice"),
        (" 5", "a list is expected here"),
    ] {
        let (found, text) = answer(&folder, &yaml("invariant_set", &hash, content));
        assert!(found == 65 && text.contains(said), "{content}: {found} {text}");
    }
}

/// Format 2.1 has contracts of functions beside invariants. They are not proved, and the output says so.
#[test]
fn contracts_are_left_aside() {
    let folder = Folder::new().with("p.c", SAFE);
    let hash = hash(&folder);
    let contract = "\n  - function_contract: {location: {file_name: p.c, line: 3, column: 1, function: main}, \
                    requires: '1', ensures: '\\result == 0', format: acsl_expression}";
    for (said, code) in [("x == y", 0), ("x != y", 20)] {
        let content = format!("{contract}{}", invariant("loop_invariant", said, 5, ""));
        let witness =
            yaml("invariant_set", &hash, &content).replace("version: 2.0", "version: 2.1");
        let (found, text) = answer(&folder, &witness);
        assert_eq!(found, code, "{text}");
        assert!(text.contains("note: 1 contract of a function is left aside"), "{text}");
    }
}
