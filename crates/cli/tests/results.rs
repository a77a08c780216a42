//! The result of a run in the forms that programs read: `--format`, and the files of `--output-dir`.

#![allow(missing_docs)]

mod common;

use common::{ENDLESS, Folder, formats};
use serde_json::Value;

const VIOLATED: &str = "\
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int total;
static int add(int x) { total += x; return total; }
int main(void) {
    int x = __VERIFIER_nondet_int();
    for (int i = 0; i < 6; i++)
        if (x == 7)
            add(x);
    assert(total < 40);
    return 0;
}
";

const SAFE: &str = "\
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), i = 0, j = n;
    while (i < n) {
        i++;
        j--;
    }
    if (j != 0)
        reach_error();
    return 0;
}
";

/// `fork` is not modelled.
const OPEN: &str = "\
#include <unistd.h>
#include <assert.h>
static int twice(int x) { return x + x; }
int main(void) {
    int child = 0, numbers[3] = {1, 2, 3};
    if (__VERIFIER_nondet_int())
        child = twice(numbers[__VERIFIER_nondet_int() & 1]) + fork();
    assert(child >= 0);
    return 0;
}
";

fn folder() -> Folder {
    Folder::new().with("false.c", VIOLATED).with("true.c", SAFE).with("open.c", OPEN)
}

/// What a command writes to standard output in a form, which must be one document.
fn json(folder: &Folder, arguments: &[&str]) -> (Value, common::Done) {
    let done = folder.run(&[arguments, &["--format", "json"]].concat());
    let document =
        formats::result(&done.out).unwrap_or_else(|error| panic!("{error}\n{}", done.out));
    let line = document["result"].as_str().expect("a line").to_owned();
    assert_eq!(done.err.lines().last(), Some(&*line), "the verdict is told to people");
    assert_eq!(document["exit_code"], done.code);
    (document, done)
}

#[test]
fn a_violation_as_json_has_the_execution() {
    let (document, _) = json(&folder(), &["check", "false.c"]);
    assert_eq!(document["verdict"], "FALSE");
    assert_eq!(document["result"], "Verification result: FALSE (unreach-call)");
    let found = &document["counterexample"];
    assert_eq!(found["at"]["line"], 10);
    assert_eq!(found["inputs"], serde_json::json!(["__VERIFIER_nondet_int() = 7"]));
    let steps = found["steps"].as_array().expect("steps");
    let values =
        steps.iter().flat_map(|step| step["values"].as_array().cloned().unwrap_or_default());
    let values: Vec<Value> = values.filter(|value| value["name"] == "total").collect();
    let total = values.last().expect("the sum");
    assert_eq!((&total["value"], &total["global"]), (&Value::from("42"), &Value::from(true)));
    let functions = document["model"]["functions"].as_array().expect("functions");
    let main = functions.iter().find(|known| known["name"] == "main").expect("main");
    assert_eq!(main["loops"].as_array().map(Vec::len), Some(1));
    assert_eq!(document["sources"][0]["excerpts"][0]["text"], VIOLATED);
}

#[test]
fn a_proof_as_json_has_its_invariants() {
    let (document, _) = json(&folder(), &["check", "true.c"]);
    assert_eq!(document["result"], "Verification result: TRUE");
    let invariants = document["invariants"].as_array().expect("invariants");
    assert!(invariants.iter().all(|it| it["at"]["line"] == 5 && it["function"] == "main"));
    assert!(invariants.iter().any(|it| it["expression"] == "n == j + i"), "{invariants:?}");
    let (document, _) = json(&folder(), &["check", "false.c", "--analysis", "value"]);
    let graph = &document["graph"];
    assert!(graph["nodes"].as_array().is_some_and(|nodes| nodes.len() > 3), "{graph}");
    assert!(
        graph["scopes"].as_array().expect("scopes").iter().any(|it| it["name"] == "loop at line 7")
    );
}

#[test]
fn a_run_without_an_answer_as_json_has_the_proviso() {
    let folder = folder();
    let (document, _) = json(&folder, &["check", "open.c", "--output-dir", "out"]);
    assert_eq!(document["unknown"]["name"], "unsupported");
    assert_eq!(document["unknown"]["at"]["line"], 7);
    assert!(document["frontier"]["traces"].as_array().is_some_and(|traces| !traces.is_empty()));
    assert!(document["covered"][0]["lines"].as_array().is_some_and(|lines| !lines.is_empty()));
    let kept = formats::result(&folder.read("out/result.json")).expect("the same document");
    assert_eq!(kept["result"], document["result"]);
    // All that the proviso says is in the result.
    let proviso: Value = serde_json::from_str(&folder.read("out/proviso.json")).expect("JSON");
    for (key, value) in proviso.as_object().expect("an object") {
        assert_eq!(&kept[key], value, "{key}");
    }
}

/// A document comes also where the run is ended, and where there is nothing to be analysed.
#[test]
fn every_end_of_a_run_is_a_document() {
    let folder = folder().with("endless.c", ENDLESS);
    let (document, _) = json(&folder, &["check", "endless.c", "--timelimit", "1s"]);
    assert_eq!(document["unknown"]["name"], "time limit");
    let (document, _) = json(&folder, &["check", "endless.c", "--timelimit", "0s"]);
    assert_eq!(document["verdict"], "UNKNOWN");
    let folder = folder.with("termination.prp", "CHECK( init(main()), LTL(F end) )\n");
    let (document, _) = json(&folder, &["check", "true.c", "--spec", "termination.prp"]);
    assert_eq!(document["unknown"]["name"], "property");
    assert_eq!(document["files"], serde_json::json!(["true.c"]));
}

#[test]
fn nothing_but_the_document_is_on_standard_output() {
    let folder = folder();
    let quiet = folder.run(&["check", "false.c", "--format", "json", "-q", "--color", "always"]);
    formats::result(&quiet.out).expect("a document");
    assert_eq!(quiet.err, "");
    let told = ["--analysis", "backward", "--print", "stats", "--stats", "--format", "json"];
    let model =
        "main process m { var x : int\ninit loc A\nerror loc E\nA -> E { x := 1 assume x < 0 } }";
    let folder = folder.with("a.cfa", model);
    let done = folder.run(&[&["check", "a.cfa"][..], &told].concat());
    formats::result(&done.out).unwrap_or_else(|error| panic!("{error}\n{}{}", done.out, done.err));
    let done = folder.run(&["coverage", "true.c", "--format", "json"]);
    assert_eq!((done.code, &*done.out), (64, ""), "{}", done.err);
}

#[test]
fn sarif_shows_the_way_to_a_violation() {
    let folder = folder();
    let done = folder.run(&["check", "false.c", "--format", "sarif"]);
    let log = formats::sarif(&done.out).unwrap_or_else(|error| panic!("{error}\n{}", done.out));
    let result = &log["runs"][0]["results"][0];
    assert_eq!(result["kind"], "fail");
    let region = &result["locations"][0]["physicalLocation"]["region"];
    assert_eq!(region["startLine"], 10);
    let way = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().expect("a way");
    assert!(way.iter().any(|step| step["state"]["total"]["text"] == "14"), "{way:?}");
    assert!(way.iter().any(|step| step["nestingLevel"] == 1));
    assert_eq!(log["runs"][0]["invocations"][0]["exitCode"], 10);
    assert!(
        done.out
            .trim_end()
            .ends_with("{\"result\":\"Verification result: FALSE (unreach-call)\"} }")
    );
}

#[test]
fn sarif_tells_why_there_is_no_answer() {
    let folder = folder();
    let done = folder.run(&["check", "open.c", "--format", "sarif"]);
    let log = formats::sarif(&done.out).expect("a log");
    let run = &log["runs"][0];
    let notification = &run["invocations"][0]["toolExecutionNotifications"][0];
    assert_eq!(notification["descriptor"]["id"], "unsupported");
    let place = &notification["locations"][0]["physicalLocation"];
    assert_eq!(place["region"]["startLine"], 7);
    assert!(run["results"].as_array().expect("results").iter().all(|it| it["kind"] == "open"));
    let done = folder.run(&["check", "true.c", "--format", "sarif"]);
    let log = formats::sarif(&done.out).expect("a log");
    assert_eq!(log["runs"][0]["results"], serde_json::json!([]), "what is proved is no finding");
}

#[test]
fn junit_has_a_case_for_each_check() {
    let folder = folder();
    let outcomes = |name: &str, more: &[&str]| {
        let done = folder.run(&[&["check", name, "--format", "junit"][..], more].concat());
        let last = done.last_line().to_owned();
        let root =
            formats::junit(&done.out).unwrap_or_else(|error| panic!("{error}\n{}", done.out));
        let suite = &root.children[0];
        let cases = suite.children.iter().filter(|child| child.name == "testcase");
        let outcome = |case: &common::xml::Element| {
            case.children.first().map_or("passed".to_owned(), |outcome| outcome.name.clone())
        };
        (cases.map(outcome).collect::<Vec<_>>(), last)
    };
    let (cases, last) = outcomes("false.c", &["--property", "unreach-call"]);
    assert_eq!(cases, ["failure"]);
    assert_eq!(last, "<!-- Verification result: FALSE (unreach-call) -->");
    assert_eq!(outcomes("true.c", &[]).0, ["passed"]);
    assert!(outcomes("open.c", &[]).0.contains(&"error".to_owned()));
}

/// Names and texts that would do something else than to be shown, wherever they come out.
#[test]
fn hostile_names_are_harmless_in_every_format() {
    let name = "\u{1b}[31m<script>alert(1)<!--]]>\u{9b}2J\u{202e}\u{2028}&\"'.c";
    let text = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n\
        const char *s = \"</script><script>alert(2)</script><!-- ]]> \u{1b}[2J \u{202e}\u{2028}\u{2029}\";\n\
        int x = __VERIFIER_nondet_int(); /* </code><img src=x onerror=alert(3)> */\n\
        assert(x != 7 && s[0] && \"]]></failure>\u{2028}\u{1b}]0;title\u{7}--><script>\"); }\n";
    let folder = Folder::new().with(name, text);
    let is_active = |c: char| {
        c.is_control() && !matches!(c, '\n' | '\t')
            || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202e}')
    };
    for arguments in
        [&["check"][..], &["check", "--timelimit", "0s"], &["check", "--entry-function", "f"]]
    {
        let more = ["--output-dir", "out", "--", name];
        let done = folder.run(&[arguments, &more].concat());
        assert!(
            !format!("{}{}", done.out, done.err).contains(is_active),
            "{}{}",
            done.out,
            done.err
        );
        for entry in std::fs::read_dir(folder.path().join("out")).expect("the folder") {
            let path = entry.expect("an entry").path();
            let file = path.file_name().expect("a name").to_string_lossy().into_owned();
            let text = std::fs::read_to_string(&path).expect("text");
            assert!(!text.contains(is_active), "{file}: {text:?}");
        }
    }
    folder.run(&["check", "--output-dir", "out", "--", name]);
    formats::folder(&folder.path().join("out")).unwrap_or_else(|error| panic!("{error}"));
    let log = formats::sarif(&folder.read("out/result.sarif")).expect("a log");
    let uri = log["runs"][0]["artifacts"][0]["location"]["uri"].as_str().expect("a place");
    assert!(uri.starts_with("%1B%5B31m%3Cscript%3Ealert%281%29%3C%21--%5D%5D%3E"), "{uri}");
    for form in ["json", "sarif", "junit", "html"] {
        let done = folder.run(&["check", "--format", form, "--", name]);
        assert_eq!(done.code, 10, "{}", done.err);
        assert!(!done.out.contains(is_active), "{form}: {}", done.out);
    }
    let report = folder.read("out/report.html");
    assert!(!report.contains("<script>alert") && !report.contains("<img"), "{report}");
    assert!(!folder.read("out/proviso.html").contains("<script"));
}

/// Scripts step through an execution; on paper, and without scripts, its steps are a text.
#[test]
fn a_report_has_the_execution_as_text() {
    let folder = folder();
    folder.run(&["check", "false.c", "--output-dir", "out"]);
    let report = folder.read("out/report.html");
    let steps = report.split("<div class=\"paper\">").nth(1).expect("the steps");
    let steps = steps.split("</div>").next().expect("their end");
    assert!(steps.contains("(input)]") && steps.contains("[error]"), "{steps}");
    folder.run(&["check", "open.c", "--output-dir", "out"]);
    let report = folder.read("out/report.html");
    assert!(!report.contains("<div class=\"paper\">"), "{report}");
    assert!(report.contains(" is told under <a href=\"#proviso\">Proviso</a>.</p>"), "{report}");
}

#[test]
fn the_page_of_a_long_program_asks_for_nothing() {
    let text = format!(
        "extern void reach_error(void);\nint main(void) {{\n{}  reach_error();\n}}\n",
        "  // nothing\n".repeat(5000)
    );
    let folder = Folder::new().with("long.c", &text);
    folder.run(&["check", "long.c", "--output-dir", "out"]);
    let page = folder.read("out/report.html");
    assert!(page.contains("class=\"stretch\""), "lines of which nothing is said are one element");
    formats::html(&page).unwrap_or_else(|problem| panic!("{problem}"));
}

/// A key of the schema that no document has would say nothing.
#[test]
fn documents_have_all_that_the_schema_speaks_of() {
    let short =
        "extern void reach_error(void);\nint main(void) { int x = 1; if (!x) reach_error(); }\n";
    let hidden = "extern void reach_error(void);\nint x = 1;\nint main(void) { int y = x; { int x = 2; y += x; } if (y == 3) reach_error(); }\n";
    let calls = "extern void reach_error(void); extern int in(void);\nint f(int n) { return n > 9 ? f(n - 1) : 9; }\nint main(void) { if (f(in()) != 9) reach_error(); }\n";
    let folder = folder().with("short.c", short).with("hidden.c", hidden).with("calls.c", calls);
    let runs: [&[&str]; 6] = [
        &["check", "false.c", "--analysis", "value"],
        &["check", "short.c", "--analysis", "value", "--certify"],
        &["check", "calls.c", "--certify"],
        &["check", "true.c"],
        &["check", "hidden.c"],
        &["check", "open.c", "--output-dir", "out"],
    ];
    let mut texts = String::new();
    for arguments in runs {
        let (document, _) = json(&folder, arguments);
        texts.push_str(&document.to_string());
    }
    let path =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema/result.json");
    let schema: Value =
        serde_json::from_str(&std::fs::read_to_string(path).expect("the schema")).expect("JSON");
    let mut keys = Vec::new();
    let objects = schema["$defs"].as_object().expect("definitions").values().chain([&schema]);
    for object in objects {
        keys.extend(object["properties"].as_object().expect("properties").keys().cloned());
    }
    // What only few programs give rise to.
    let rare =
        ["hint", "at_once", "path", "calls", "beyond", "first", "summarized", "unsound", "least"];
    let rare =
        [&rare[..], &["recursive", "library", "without_loops", "trace", "covered_by"]].concat();
    keys.retain(|key| !texts.contains(&format!("\"{key}\":")) && !rare.contains(&&**key));
    assert_eq!(keys, Vec::<String>::new());
}

/// Variables of one name have keys of their own in the states of a code flow.
#[test]
fn sarif_tells_variables_of_one_name_apart() {
    let text = "extern void reach_error(void);\nint x = 1;\n\
        int one(void) { static int count = 4; return ++count; }\n\
        int two(void) { static int count = 8; return ++count; }\n\
        int main(void) {\n  int y = x;\n  { int x = 2; y += x; }\n  x++;\n\
        if (one() + two() == 14 && y == 3) reach_error();\n}\n";
    let folder = Folder::new().with("a.c", text);
    let done = folder.run(&["check", "a.c", "--timelimit", "60s", "--format", "sarif"]);
    let log: Value = serde_json::from_str(&done.out).expect("JSON");
    let flow = &log["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"];
    let steps = flow.as_array().expect("steps");
    let keys: std::collections::BTreeSet<&str> = steps
        .iter()
        .filter_map(|step| step["state"].as_object())
        .flat_map(|state| state.keys().map(|key| &**key))
        .collect();
    let keys: Vec<&str> = keys.into_iter().collect();
    assert_eq!(keys, ["one::count", "two::count", "x", "x (line 7)", "y"]);
}

/// Every report counts the steps that are shown, also of a run of which most rounds are left out.
#[test]
fn every_report_has_the_same_number_of_steps() {
    let folder = folder();
    let done = folder.run(&["check", "false.c", "--output-dir", "out"]);
    let result: Value = serde_json::from_str(&folder.read("out/result.json")).expect("JSON");
    let found = &result["counterexample"];
    let steps = found["steps"].as_array().expect("steps");
    let shown = steps.iter().filter(|step| step["folded"] != true).count();
    assert_eq!(found["length"], shown);
    let first = done.out.lines().next().unwrap_or_default();
    let said = format!("Counterexample of {shown} steps");
    let more = if shown < steps.len() { ", besides those that are left out" } else { "" };
    assert_eq!(first, format!("{said}{more}"));
    let log: Value = serde_json::from_str(&folder.read("out/result.sarif")).expect("JSON");
    assert_eq!(log["runs"][0]["results"][0]["properties"]["steps"], shown);
}

/// The line of the error stands below it with a caret.
#[test]
fn an_error_shows_its_line() {
    let folder = folder();
    let done = folder.run(&["check", "false.c"]);
    let below = done.out.split("Error: ").nth(1).expect("an error");
    let below: Vec<&str> = below.lines().skip(1).take(3).collect();
    assert_eq!(below, ["   |", "10 |     assert(total < 40);", "   |     ^^^^^^"]);
}

/// A proof names what was checked, and not a property that nothing in the program could violate.
#[test]
fn a_proof_names_what_was_checked() {
    let text = "extern int in(void);\nint main(void) {\n  int a[4] = {0}, i = in();\n  \
                return i > 0 && i < 4 ? a[i] / i : 0;\n}\n";
    let folder = Folder::new().with("a.c", text);
    let done = folder.run(&["check", "a.c", "--output-dir", "out"]);
    assert_eq!(done.last_line(), "Verification result: TRUE", "{}", done.out);
    let result: Value = serde_json::from_str(&folder.read("out/result.json")).expect("JSON");
    assert_eq!(result["property"], "valid-deref, div");
    let said = "CHECK( init(main()), LTL(G valid-deref) ) CHECK( init(main()), LTL(G ! div) )";
    assert_eq!(result["specification"], said);
    let page = folder.read("out/report.html");
    assert!(page.contains("<span class=\"property\">valid-deref, div</span>"));
    let tests = folder.read("out/junit.xml");
    assert!(tests.contains("name=\"property\" value=\"valid-deref, div\""), "{tests}");
}

/// Advice names the function that has no model, whatever the file is called.
#[test]
fn advice_takes_no_words_from_names_of_files() {
    let text = "#include <stdlib.h>\n#include <assert.h>\nint main(void) {\n  char *p = getenv(\"X\");\n  \
                assert(p == 0);\n  return 0;\n}\n";
    let done = Folder::new().with("a`x`.c", text).run(&["check", "a`x`.c"]);
    assert!(done.last_line().contains("unsupported"), "{}", done.out);
    assert!(done.out.contains("gives `getenv` a body"), "{}", done.out);
}
