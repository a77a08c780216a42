//! Witnesses in format 1.0 (GraphML).

use crate::common::Folder;
use crate::{SAFE, UNSAFE, answer, graph, hash, validate};

/// A proof in GraphML of `SAFE` with what is said of the nodes `a`, before the loop, and `h`, and the edges from them.
fn proof_graph(hash: &str, nodes: [&str; 2], edges: &str) -> String {
    let [before, head] = nodes;
    let body = format!(
        "<node id=\"a\"><data key=\"entry\">true</data>{before}</node><node id=\"h\">{head}</node><node id=\"x\"/>\n{edges}"
    );
    graph("correctness_witness", hash, &body)
}

fn edge(from: &str, to: &str, line: u32, more: &str) -> String {
    format!(
        "<edge source=\"{from}\" target=\"{to}\"><data key=\"startline\">{line}</data>{more}</edge>\n"
    )
}

fn data(key: &str, value: &str) -> String {
    format!("<data key=\"{key}\">{value}</data>")
}

/// Edges have a direction, and nobody takes those that no path from the entry leads to.
#[test]
fn paths_of_graphs_begin_at_the_entry() {
    let folder = Folder::new().with("p.c", UNSAFE);
    let hash = hash(&folder);
    let nodes = "<node id=\"a\"><data key=\"entry\">true</data></node><node id=\"b\"/><node id=\"c\"/>\
                 <node id=\"e\"><data key=\"violation\">true</data></node>\n";
    let right = edge("a", "b", 4, "") + &edge("b", "e", 8, "");
    for (edges, code) in [
        (right.clone(), 10),
        (edge("e", "a", 4, ""), 65),
        (edge("a", "b", 4, "") + &edge("e", "b", 8, ""), 65),
        (edge("a", "b", 4, "") + &edge("c", "b", 5, "") + &edge("c", "e", 8, ""), 65),
        // Only an edge that nobody takes says the line of the error.
        (edge("a", "b", 4, "") + &edge("b", "e", 9, "") + &edge("c", "e", 8, ""), 20),
    ] {
        let text = graph("violation_witness", &hash, &format!("{nodes}{edges}"));
        std::fs::write(folder.path().join("w.graphml"), text).expect("a witness");
        let done = validate(&folder, "w.graphml");
        assert_eq!(done.code, code, "{edges}: {}{}", done.out, done.err);
    }
    // What is assumed beside a condition is left aside, and that is said.
    let both = data("control", "condition-true") + &data("assumption", "x == 41;");
    let edges = edge("a", "b", 7, &both) + &edge("b", "e", 8, "");
    let text = graph("violation_witness", &hash, &format!("{nodes}{edges}"));
    std::fs::write(folder.path().join("w.graphml"), text).expect("a witness");
    let done = validate(&folder, "w.graphml");
    assert_eq!(done.code, 10, "{}{}", done.out, done.err);
    assert!(done.out.contains("is left aside"), "{}", done.out);
}

#[test]
fn graphs_of_others() {
    let folder = Folder::new().with("p.c", UNSAFE);
    let hash_of_unsafe = hash(&folder);
    let nodes = "<node id=\"a\"><data key=\"entry\">true</data></node><node id=\"b\"/>\
                 <node id=\"s\"><data key=\"sink\">true</data></node><node id=\"e\"><data key=\"violation\">true</data></node>\n";
    let last = "<edge source=\"b\" target=\"e\"><data key=\"startline\">8</data></edge>\n";
    for (said, code) in [
        ("<data key=\"startline\">4</data><data key=\"assumption\">x == (42);</data>", 10),
        ("<data key=\"startline\">4</data><data key=\"assumption\">x == 41; x != 9;</data>", 20),
        ("<data key=\"startline\">7</data><data key=\"control\">condition-true</data>", 10),
        ("<data key=\"startline\">7</data><data key=\"control\">condition-false</data>", 20),
        ("<data key=\"startline\">3</data><data key=\"enterFunction\">main</data>", 10),
        (
            "<data key=\"startline\">4</data><data key=\"sourcecode\">int x = __VERIFIER_nondet_int();</data>",
            10,
        ),
    ] {
        let sink = "<edge source=\"a\" target=\"s\"><data key=\"startline\">9</data><data key=\"assumption\">n == 9</data></edge>\n";
        let body = format!("{nodes}<edge source=\"a\" target=\"b\">{said}</edge>\n{sink}{last}");
        let text = graph("violation_witness", &hash_of_unsafe, &body);
        std::fs::write(folder.path().join("w.graphml"), text).expect("a witness");
        let done = validate(&folder, "w.graphml");
        assert_eq!(done.code, code, "{said}: {}{}", done.out, done.err);
    }
    let folder = Folder::new().with("p.c", SAFE);
    let hash_of_safe = hash(&folder);
    for (said, code) in [("x == y", 0), ("y == x + 1U", 20)] {
        let body = format!(
            "<node id=\"a\"><data key=\"entry\">true</data></node><node id=\"h\"><data key=\"invariant\">{said}</data></node>\n\
             <edge source=\"a\" target=\"h\"><data key=\"head\">true</data><data key=\"startline\">4</data></edge>\n\
             <edge source=\"h\" target=\"h\"><data key=\"startline\">5</data><data key=\"control\">condition-true</data></edge>\n"
        );
        std::fs::write(
            folder.path().join("w.graphml"),
            graph("correctness_witness", &hash_of_safe, &body),
        )
        .expect("a witness");
        let done = validate(&folder, "w.graphml");
        assert_eq!(done.code, code, "{said}: {}{}", done.out, done.err);
    }
}

#[test]
fn an_edge_names_one_file() {
    let program = "#include \"f.h\"\nextern void reach_error(void);\nint main(void) {\n  if (f(__VERIFIER_nondet_int()))\n    reach_error();\n  return 0;\n}\n";
    let header = "extern int __VERIFIER_nondet_int(void);\nstatic int f(int x) {\n  if (x == 3)\n    return 1;\n  return 0;\n}\n";
    let folder = Folder::new().with("p.c", program).with("f.h", header);
    assert_eq!(folder.run(&["check", "p.c", "-q", "--output-dir", "out"]).code, 10);
    let text = folder.read("out/violation.graphml");
    let named = "<data key=\"originfile\">f.h</data>";
    assert!(text.contains(named), "{text}");
    let own = "<data key=\"originfile\">p.c</data>";
    for (to, code) in [
        (format!("{named}{named}"), 10),
        (format!("{named}{own}"), 65),
        (format!("{own}{named}"), 65),
    ] {
        let found = answer(&folder, &text.replace(named, &to));
        assert_eq!(found.0, code, "{to}: {}", found.1);
    }
    // The key may have the file of all edges that name none.
    let key = "for=\"edge\" id=\"originfile\"/>";
    let with =
        |name: &str| format!("for=\"edge\" id=\"originfile\"><default>{name}</default></key>");
    for (name, code) in [("p.c", 10), ("\"p.c\"", 10), ("elsewhere.c", 65)] {
        let found = answer(&folder, &text.replace(key, &with(name)));
        assert_eq!(found.0, code, "{name}: {}", found.1);
    }
}

#[test]
fn every_invariant_of_a_graph_is_proved() {
    let folder = Folder::new().with("p.c", SAFE);
    let hash = hash(&folder);
    let enter = data("enterLoopHead", "true");
    let holds = data("invariant", "x == y");
    let after = edge("a", "h", 4, &enter) + &edge("h", "h", 5, &data("control", "condition-true"));
    let nothing_after = edge("a", "h", 5, &enter);
    for (nodes, edges, code, said) in [
        (["", &*holds], &after, 0, "proof confirmed"),
        (["", &holds], &nothing_after, 0, "proof confirmed"),
        (["", &data("invariant", "x != y")], &nothing_after, 20, "`x != y` at p.c:5 does not hold"),
        // Tools mark what is no loop, too; behind the statement of an edge there is no place.
        (["", &holds], &edge("a", "h", 4, &enter), 0, "1 invariant is left aside"),
        ([&data("invariant", "true"), &holds], &after, 0, "proof confirmed"),
        (
            [&data("invariant", "0"), &holds],
            &after,
            20,
            "the invariant `0` at p.c:4, where no loop begins, does not hold",
        ),
        (
            [&holds, &holds],
            &edge("a", "h", 5, ""),
            0,
            "1 invariant holds.\n1 invariant is left aside",
        ),
    ] {
        let (found, text) = answer(&folder, &proof_graph(&hash, nodes, edges));
        assert!(found == code && text.contains(said), "{nodes:?} {edges}: {found} {text}");
    }
    for (scope, code) in [("main", 0), ("nosuch", 65), ("x", 65), ("reach_error", 65)] {
        let head = format!("{holds}{}", data("invariant.scope", scope));
        let (found, text) = answer(&folder, &proof_graph(&hash, ["", &head], &after));
        assert_eq!(found, code, "{scope}: {text}");
    }
}

/// CPAchecker has invariants behind loops, and Automizer has `enterLoopHead` at an `if`.
#[test]
fn invariants_at_other_places_than_loops_are_proved() {
    let folder = Folder::new().with("p.c", SAFE);
    let hash = hash(&folder);
    let head = data("invariant", "x == y");
    let behind = |said: &str, enter: &str| {
        let body = format!(
            "<node id=\"a\"><data key=\"entry\">true</data></node><node id=\"h\">{head}</node>\
             <node id=\"b\">{}</node><node id=\"e\"/>\n",
            data("invariant", said)
        );
        let edges = edge("a", "h", 4, &data("enterLoopHead", "true"))
            + &edge("h", "b", 5, enter)
            + &edge("b", "e", 6, &data("control", "condition-true"));
        answer(&folder, &graph("correctness_witness", &hash, &(body + &edges)))
    };
    for enter in [String::new(), data("enterLoopHead", "true")] {
        for (said, code, told) in [
            ("y == x &amp;&amp; x &gt;= n", 0, "2 invariants hold."),
            ("y != x", 20, "`y != x` at p.c:6"),
            ("x &lt; n", 20, "does not hold"),
        ] {
            let (found, text) = behind(said, &enter);
            assert!(found == code && text.contains(told), "{enter} {said}: {found} {text}");
        }
    }
    // What is not in scope there cannot be evaluated there.
    let (found, text) = behind("nosuch == 1", "");
    assert!(found == 0 && text.contains("1 invariant is left aside"), "{found} {text}");
}

#[test]
fn edges_name_what_the_program_has() {
    let folder = Folder::new().with("p.c", UNSAFE);
    let hash = hash(&folder);
    let nodes = "<node id=\"a\"><data key=\"entry\">true</data></node><node id=\"b\"/><node id=\"c\"/>\
                 <node id=\"e\"><data key=\"violation\">true</data></node>\n";
    let assumed = |text: &str| data("assumption", text);
    let of_call = data("assumption.resultfunction", "__VERIFIER_nondet_int");
    for (more, code, said) in [
        (assumed("x == 42"), 10, "confirmed"),
        (assumed("x == 42;") + &data("assumption.scope", "main"), 10, "confirmed"),
        (assumed("x == (unsigned char)42;"), 10, "confirmed"),
        (assumed("x == 42;") + &data("assumption.scope", "nosuch"), 65, "no function `nosuch`"),
        (data("enterFunction", "main"), 10, "confirmed"),
        (data("enterFunction", "nosuch"), 65, "no function `nosuch`"),
        (data("enterFunction", "n"), 65, "no function `n`"),
        (assumed("nosuch == 42;"), 65, "the program has no `nosuch`"),
        // A temporary variable of another tool.
        (assumed("__CPAchecker_TMP_0 == 42;"), 10, "confirmed"),
        (assumed("x == 42; nosuch == 1;"), 65, "the program has no `nosuch`"),
        (assumed("\\result == 42") + &of_call, 10, "confirmed"),
        (assumed("\\result == 41") + &of_call, 20, "not confirmed"),
        (assumed("0 == 1") + &of_call, 20, "not confirmed"),
        (assumed("0 == 1"), 20, "not confirmed"),
        (assumed("1 == 1"), 10, "confirmed"),
    ] {
        let branch = edge("b", "c", 7, &data("control", "condition-true"));
        let body = format!("{nodes}{}{branch}{}", edge("a", "b", 4, &more), edge("c", "e", 8, ""));
        let (found, text) = answer(&folder, &graph("violation_witness", &hash, &body));
        assert!(found == code && text.contains(said), "{more}: {found} {text}");
    }
}

/// An edge that enters a function is in a line with a call, or in the function. Another one is left aside, as a detail
/// without a place is, and that is said.
#[test]
fn an_edge_that_enters_a_function_is_where_it_is_called() {
    let program = "\
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int twice(int v)
{
  return v * 2;
}
int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = twice(a);
  int c = 0;
  if (b == 14) reach_error();
  return c;
}
";
    let folder = Folder::new().with("p.c", program);
    let hash = hash(&folder);
    let nodes = "<node id=\"a\"><data key=\"entry\">true</data></node><node id=\"b\"/>\
                 <node id=\"e\"><data key=\"violation\">true</data></node>\n";
    for (line, is_there) in [(9, true), (3, true), (5, true), (10, false), (12, false)] {
        let enters = edge("a", "b", line, &data("enterFunction", "twice"));
        let body = format!("{nodes}{enters}{}", edge("b", "e", 11, ""));
        let (code, text) = answer(&folder, &graph("violation_witness", &hash, &body));
        assert_eq!((code, text.contains("left aside")), (10, !is_there), "{line}: {text}");
    }
}

/// The lines of the edge into the violation are those of the statement that violates the property.
#[test]
fn the_error_is_in_the_lines_of_the_last_edge() {
    let program = UNSAFE.replace("    reach_error();", "    reach_error(\n    );");
    let folder = Folder::new().with("p.c", &program);
    let hash = hash(&folder);
    let (first, last) = (Some(8), Some(9));
    for (start, end, code) in [
        (first, last, 10),
        (first, None, 10),
        (None, last, 10),
        (None, None, 10),
        (first, first, 10),
        (Some(7), last, 10),
        (last, last, 20),
        (last, None, 20),
        (Some(6), Some(7), 20),
        (None, Some(7), 20),
        (Some(9), Some(8), 65),
        (Some(9999), first, 65),
        (Some(9999), Some(9999), 65),
        (Some(9999), None, 65),
        (None, Some(9999), 65),
        (first, Some(9999), 65),
    ] {
        let line = |key: &str, line: Option<u32>| {
            line.map_or_else(String::new, |line| data(key, &line.to_string()))
        };
        let body = format!(
            "<node id=\"a\"><data key=\"entry\">true</data></node>\
             <node id=\"e\"><data key=\"violation\">true</data></node>\n\
             <edge source=\"a\" target=\"e\">{}{}</edge>\n",
            line("startline", start),
            line("endline", end)
        );
        let (found, text) = answer(&folder, &graph("violation_witness", &hash, &body));
        assert_eq!(found, code, "{start:?} to {end:?}: {text}");
    }
}
