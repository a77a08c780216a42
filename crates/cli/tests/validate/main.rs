//! `proviso validate`: witnesses of this tool on the programs of `tests/specs`, the same with mistakes, and witnesses
//! as other tools write them.

mod carets;
#[path = "../common/mod.rs"]
mod common;
mod graphs;
mod invariants;
mod own;
mod places;
mod properties;
mod violations;

use common::{Done, Folder};

/// A program with a violation, which the inputs 42, and then anything but 7 twice, reach.
const UNSAFE: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  int n = 0;
  while (n < 3) { if (__VERIFIER_nondet_int() == 7) n++; else n = n + 2; }
  if (x == 42 && n == 4)
    reach_error();
  return 0;
}
";

/// A program that is safe because of `x == y`.
const SAFE: &str = "\
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned x = 0, y = 0, n = __VERIFIER_nondet_uint();
  while (x < n) { x++; y++; }
  if (x != y)
    reach_error();
  return 0;
}
";

/// The SHA-256 of a text, as this tool writes it into its own witnesses.
fn hash(folder: &Folder) -> String {
    let done = folder.run(&["check", "p.c", "-q", "--output-dir", "hashed"]);
    let name = if done.code == 10 { "violation.yml" } else { "correctness.yml" };
    let text = folder.read(&format!("hashed/{name}"));
    let (_, rest) = text.split_once("\"p.c\": \"").expect("a hash");
    rest.split('"').next().expect("its end").to_owned()
}

fn validate(folder: &Folder, witness: &str) -> Done {
    folder.run(&["validate", "p.c", "--witness", witness, "--timelimit", "60s"])
}

/// A witness in format 2.0 with this content.
fn yaml(kind: &str, hash: &str, content: &str) -> String {
    format!(
        "- entry_type: {kind}\n  metadata:\n    format_version: 2.0\n    uuid: 1\n    creation_time: 2026-01-01T00:00:00Z\n    \
         producer:\n      name: Somebody\n    task:\n      input_files: [p.c]\n      input_file_hashes: {{p.c: \"{hash}\"}}\n      \
         specification: \"G ! call(reach_error())\"\n      data_model: ILP32\n      language: C\n  content:{content}\n"
    )
}

fn waypoint(kind: &str, action: &str, value: &str, line: u32, column: &str) -> String {
    let constraint = if value.is_empty() {
        String::new()
    } else {
        format!("constraint: {{value: '{value}'}}, ")
    };
    format!(
        "\n    - waypoint: {{type: {kind}, action: {action}, {constraint}location: {{file_name: ./p.c, line: {line}{column}}}}}"
    )
}

fn segment(waypoints: &[String]) -> String {
    format!("\n  - segment:{}", waypoints.concat())
}

fn invariant(kind: &str, value: &str, line: u32, column: &str) -> String {
    format!(
        "\n  - invariant: {{type: {kind}, location: {{file_name: p.c, line: {line}{column}, function: main}}, value: '{value}', format: c_expression}}"
    )
}

/// A witness in format 1.0 with these nodes and edges.
fn graph(kind: &str, hash: &str, body: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n\
         <key attr.name=\"enterLoopHead\" for=\"edge\" id=\"head\"/>\n<graph edgedefault=\"directed\">\n\
         <data key=\"witness-type\">{kind}</data><data key=\"sourcecodelang\">C</data>\n\
         <data key=\"specification\">CHECK( init(main()), LTL(G ! call(reach_error())) )</data>\n\
         <data key=\"programhash\">{hash}</data><data key=\"architecture\">32bit</data>\n{body}</graph>\n</graphml>\n"
    )
}

/// Checks a program that violates its property, and has both witnesses confirmed. Gives the one in YAML.
fn confirmed(program: &str) -> (Folder, String) {
    let folder = Folder::new().with("p.c", program);
    let done = folder.run(&["check", "p.c", "-q", "--output-dir", "out"]);
    assert_eq!(done.code, 10, "{}{}", done.out, done.err);
    for name in ["out/violation.yml", "out/violation.graphml"] {
        let done = validate(&folder, name);
        let answer = (done.code, done.last_line());
        assert_eq!(answer, (10, "Witness: violation confirmed"), "{name}: {}", folder.read(name));
    }
    let text = folder.read("out/violation.yml");
    (folder, text)
}

/// Writes a witness beside a program, and validates it.
fn answer(folder: &Folder, witness: &str) -> (i32, String) {
    std::fs::write(folder.path().join("w.yml"), witness).expect("a witness");
    let done = validate(folder, "w.yml");
    (done.code, format!("{}{}", done.out, done.err))
}
