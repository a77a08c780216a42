//! Where the carets of messages are that speak of expressions in witnesses: formats write some letters in others.

use crate::common::Folder;
use crate::{SAFE, UNSAFE, answer, graph, hash, yaml};

/// What the carets of a message stand below.
fn marked(message: &str) -> String {
    let lines: Vec<&str> = message.lines().collect();
    let carets = lines.iter().position(|line| line.contains('^')).expect("carets");
    let (first, last) = (lines[carets].find('^'), lines[carets].rfind('^'));
    let (first, last) = first.zip(last).expect("carets");
    lines[carets - 1].chars().skip(first).take(last + 1 - first).collect()
}

#[test]
fn scalars_of_yaml_in_every_style() {
    let folder = Folder::new().with("p.c", SAFE);
    let hash = hash(&folder);
    for (value, wrong) in [
        ("x == y && nothing == 1", "nothing"),
        ("x == y &&\n        nothing == 1", "nothing"),
        ("'x == ''a'' && nothing'", "nothing"),
        ("\"x == \\\"a\\\"[0] \\x26\\x26 nothing\"", "nothing"),
        ("\"x == y \\\n          && nothing == 1\"", "nothing"),
        ("\"x = \\\"a\\\"[0]\"", "x = \\\"a\\\"[0]"),
        (">-\n        x == y &&\n        nothing == 1", "nothing"),
        ("|-\n        x == y && nothing == 1", "nothing"),
        ("|-\n        x == y\n        && nothing == 1", "x == y"),
        ("\"x <=\"", "x <="),
        ("(x) <=", "(x) <="),
        ("\"x == y ? 1\"", "x == y ? 1"),
        ("\"\"", "\""),
    ] {
        let content = format!(
            "\n  - invariant:\n      type: loop_invariant\n      location: {{file_name: p.c, line: 5, function: main}}\n      \
             value: {value}\n      format: c_expression"
        );
        let (code, message) = answer(&folder, &yaml("invariant_set", &hash, &content));
        assert_eq!(code, 65, "{value}: {message}");
        assert_eq!(marked(&message), wrong, "{value}: {message}");
    }
}

#[test]
fn a_message_names_what_is_in_the_witness() {
    let folder = Folder::new().with("p.c", SAFE);
    let hash = hash(&folder);
    let content = "\n  - invariant:\n      type: loop_invariant\n      location: {file_name: p.c, line: 5, function: main}\n      \
                   value: \"x <=\"\n      format: c_expression";
    let (_, message) = answer(&folder, &yaml("invariant_set", &hash, content));
    assert!(message.contains("expected an expression, found the end"), "{message}");
}

#[test]
fn a_witness_without_entries_is_named() {
    let folder = Folder::new().with("p.c", SAFE);
    for text in ["", "[]\n"] {
        let (code, message) = answer(&folder, text);
        assert_eq!(code, 65, "{message}");
        assert!(message.contains("this witness has no entries\n  --> w.yml:1:1"), "{message}");
    }
}

#[test]
fn invariants_of_graphs() {
    let folder = Folder::new().with("p.c", SAFE);
    let hash = hash(&folder);
    let good = "x &lt;= n";
    for (one, other, wrong) in [
        ("x &lt;= n &amp;&amp; nothing == 1", good, "nothing"),
        (good, "x &lt;= n &amp;&amp; nothing == 1", "nothing"),
        (good, "\n  x &#x3c;= n &amp;&amp;\n  nothing == 1\n", "x &#x3c;= n &amp;&amp;"),
        ("<![CDATA[x <= n && nothing == 1]]>", good, "nothing"),
        (good, "x &lt;= n &amp;&amp; y = 1", "x &lt;= n &amp;&amp; y = 1"),
    ] {
        let body = format!(
            "<node id=\"a\"><data key=\"entry\">true</data></node>\
             <node id=\"g\"><data key=\"invariant\">{one}</data></node>\
             <node id=\"h\"><data key=\"invariant\">{other}</data></node>\n\
             <edge source=\"a\" target=\"g\"><data key=\"head\">true</data><data key=\"startline\">5</data></edge>\n\
             <edge source=\"a\" target=\"h\"><data key=\"head\">true</data><data key=\"startline\">5</data></edge>\n"
        );
        let (code, message) = answer(&folder, &graph("correctness_witness", &hash, &body));
        assert_eq!(code, 65, "{one} {other}: {message}");
        assert_eq!(marked(&message), wrong, "{one} {other}: {message}");
    }
}

#[test]
fn assumptions_of_graphs() {
    let folder = Folder::new().with("p.c", UNSAFE);
    let hash = hash(&folder);
    for (said, wrong) in [
        ("x &gt; 41; x &lt; nosuch;", "nosuch"),
        ("\\result &gt; 41; \\result = 42; \\result &lt; 43;", "\\result = 42"),
        (
            "\\result &gt; 41 &amp;&amp; (\\result &lt; 43;",
            "\\result &gt; 41 &amp;&amp; (\\result &lt; 43",
        ),
    ] {
        let body = format!(
            "<node id=\"a\"><data key=\"entry\">true</data></node><node id=\"b\"/>\
             <node id=\"e\"><data key=\"violation\">true</data></node>\n\
             <edge source=\"a\" target=\"b\"><data key=\"startline\">4</data><data key=\"assumption\">{said}</data>\
             <data key=\"assumption.resultfunction\">__VERIFIER_nondet_int</data></edge>\n\
             <edge source=\"b\" target=\"e\"><data key=\"startline\">8</data></edge>\n"
        );
        let (code, message) = answer(&folder, &graph("violation_witness", &hash, &body));
        assert_eq!(code, 65, "{said}: {message}");
        assert_eq!(marked(&message), wrong, "{said}: {message}");
    }
}
