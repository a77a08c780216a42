//! The report in a real browser: Chromium without a window, if it is installed.

#![allow(missing_docs, clippy::print_stderr)]

mod common;

use std::path::PathBuf;
use std::process::Command;

use common::Folder;
use serde_json::{Value, json};

const VIOLATED: &str = "\
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int total;
static int add(int x) {
    total += x;
    return total;
}
int main(void) {
    int x = __VERIFIER_nondet_int();
    for (int i = 0; i < 3; i++)
        if (x == 7)
            add(x);
    assert(total < 20);
    return 0;
}
";

const HIDDEN: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct bits { unsigned lo : 3, hi : 5; } b = {1, 2};
int g = 1;
int pass(int v) { return v; }
int hide(int g) { g = g + 1; return g; }
void low(int x) { b.lo = x; }
int one(void) { static int count = 4; count++; return count; }
int two(void) { static int count = 8; count++; return count; }
int main(void) {
  int v = 50;
  int n = pass(__VERIFIER_nondet_int());
  int r = 3;
  { int r = 8; r++; }
  int m = hide(n);
  low(3);
  int t = b.lo;
  int c = one() + two();
  if (n == 1 && r == 3 && m + g == 3 && t == 3 && c == 14 && v == 50) reach_error();
}
";

const ALIASED: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int x = 1, y = 2;
int *p = &x;
int a[3] = {1, 2, 3};
struct S { int u, v; } s = {4, 5};
struct S *q = &s;
int main(void) {
    int i = 0;
    *p = __VERIFIER_nondet_int();
    p = &y;
    a[i] = 9;
    i = 1;
    a[i] = 8;
    a[0] = 7;
    q->u = 6;
    s.v = x;
    if (x == 10 && *p == 2 && a[0] == 7 && s.u == 6)
        reach_error();
    return 0;
}
";

const NESTED: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int one(void) { static int count = 4; count++; return count; }
int two(void) { static int count = 8; count++; return count; }
int down(int n) {
  int left = n;
  if (n > 0) left += down(n - 1);
  return left;
}
int main(void) {
  int r = 3, x = 1, *p = &x;
  {
    int r = 8;
    r++;
    *p = 7;
  }
  r++;
  int c = one() + two();
  int d = down(2);
  if (c == 14 && d == 3 && x == 7 && __VERIFIER_nondet_int() == 5) reach_error();
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

const OPEN: &str = "\
#include <unistd.h>
#include <assert.h>
int main(void) {
    int child = 0;
    if (__VERIFIER_nondet_int())
        child = fork();
    assert(child >= 0);
    return 0;
}
";

/// Nested loops and calls whose rounds explicit values follow one by one: more than 100,000 abstract states.
const LARGE: &str = "\
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int step(int i) { int r = 0; for (int k = 0; k < 4; k++) r += (i + k) % 3; return r; }
int main(void) {
    int i = 0, s = 0;
    while (i < 4450) {
        if (i % 3) s++;
        s += step(i);
        i++;
    }
    if (__VERIFIER_nondet_int() && s < 0) reach_error();
    return 0;
}
";

/// The browser, if there is one; otherwise it is told that the test is passed over.
fn browser() -> Option<PathBuf> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&folders).collect();
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let found = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    let found = found.into_iter().find(|path| path.exists());
    if found.is_none() {
        eprintln!("no Chromium is installed: the report is not tested in a browser");
    }
    found
}

/// How the browser looks at a page.
#[derive(Clone, Copy)]
struct Window {
    width: u32,
    height: u32,
    dark: bool,
}

const DESKTOP: Window = Window { width: 1200, height: 900, dark: false };
const PHONE: Window = Window { width: 390, height: 844, dark: false };

/// The document of a page after its scripts have run.
fn dump(browser: &PathBuf, folder: &Folder, page: &str, window: Window) -> String {
    let profile = folder.path().join("profile");
    let scheme = if window.dark { 0 } else { 1 };
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("--window-size={},{}", window.width, window.height))
        .arg(format!("--blink-settings=preferredColorScheme={scheme}"))
        .arg("--virtual-time-budget=30000")
        .arg(format!("file://{}/{page}", folder.path().display()))
        .output()
        .expect("the browser runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Does something on a page, as its user would, and gives what the script has pushed to `out`. The policy of the page
/// allows no script but its own, and is taken away for this.
fn drive(
    browser: &PathBuf,
    folder: &Folder,
    page: &str,
    window: Window,
    script: &str,
) -> Vec<Value> {
    let text = folder.read(page);
    let start = text.find("<meta http-equiv").expect("a policy");
    let end = start + text[start..].find('\n').expect("its end");
    let catch = "<script>window.failed = []; addEventListener('error', (event) => failed.push(event.message));</script>";
    let driver = format!(
        "<script>setTimeout(async () => {{
          const out = [];
          const sleep = (time) => new Promise((done) => setTimeout(done, time));
          const press = (key, at = document.body) => at.dispatchEvent(new KeyboardEvent('keydown', {{ key, bubbles: true }}));
          const find = (query) => document.querySelector(query);
          try {{ {script} }} catch (error) {{ failed.push(error.stack); }}
          const told = document.createElement('pre');
          told.id = 'driven';
          // The dump writes these as entities, and JSON has escapes for them.
          const escaped = (c) => '\\\\u00' + c.charCodeAt(0).toString(16);
          told.textContent = JSON.stringify({{ out, failed }}).replace(/[<>&]/g, escaped);
          document.body.append(told);
        }}, 0);</script>"
    );
    let changed = format!("{}{catch}{}{driver}", &text[..start], &text[end..]);
    std::fs::write(folder.path().join("driven.html"), changed).expect("a page");
    let dumped = dump(browser, folder, "driven.html", window);
    let told = dumped.split("<pre id=\"driven\">").nth(1).unwrap_or_else(|| {
        panic!("the script did not end: {}", &dumped[dumped.len().saturating_sub(300)..])
    });
    let told = told.split("</pre>").next().expect("an end");
    let told: Value = serde_json::from_str(told).unwrap_or_else(|error| panic!("{error}: {told}"));
    assert_eq!(told["failed"], json!([]), "scripts fail");
    told["out"].as_array().expect("a list").clone()
}

fn reported(text: &str, more: &[&str]) -> Folder {
    let folder = Folder::new().with("a.c", text);
    let done = folder.run(&[&["check", "a.c", "--output-dir", "."][..], more].concat());
    assert!(done.last_line().starts_with("Verification result: "), "{}", done.err);
    folder
}

/// With its policy, which names the hash of the script, the page works.
#[test]
fn the_page_runs_its_script_and_no_other() {
    let Some(browser) = browser() else { return };
    let folder = reported(VIOLATED, &[]);
    let dumped = dump(&browser, &folder, "report.html", DESKTOP);
    assert!(dumped.contains("data-ready=\"true\""), "{dumped}");
    let text = folder
        .read("report.html")
        .replace("</main>", "</main><script>document.title = 'x'</script>");
    let folder = folder.with("other.html", text);
    let dumped = dump(&browser, &folder, "other.html", DESKTOP);
    assert!(dumped.contains("data-ready=\"true\"") && !dumped.contains("<title>x"), "{dumped}");
}

#[test]
fn an_execution_is_stepped_through_by_keys_and_mouse() {
    let Some(browser) = browser() else { return };
    let folder = reported(VIOLATED, &["--property", "unreach-call"]);
    let script = "
        const now = () => [find('#where').textContent, find('.line.now')?.id, find('#values').textContent];
        find('.walk').click();
        out.push(find('#source').hidden, ...now());
        press('ArrowRight');
        out.push(...now());
        press('End');
        out.push(...now());
        press('ArrowLeft');
        out.push(find('.line.now').id);
        press('Home');
        out.push(find('.line.now').id);
        const steps = [...document.querySelectorAll('#steps li[data-step]')];
        const call = steps.find((step) => step.textContent.includes('total += x'));
        call.click();
        out.push(call.getAttribute('aria-current'), find('#values').textContent, find('.line.now').id);
        find('[data-go=last]').click();
        out.push(find('.line.now').id);";
    let out = drive(&browser, &folder, "report.html", DESKTOP, script);
    let text = |at: usize| out[at].as_str().unwrap_or_default().to_owned();
    assert_eq!(out[0], false, "the source is shown");
    assert!(text(1).starts_with("Step 1 of ") && text(1).contains("total = 0"), "{out:?}");
    assert_eq!(text(2), "f0-8");
    assert!(text(4).starts_with("Step 2 of ") && text(4).contains("x = 7"), "{out:?}");
    assert_eq!(text(5), "f0-9", "the next line");
    assert!(text(6).contains("x7"), "{out:?}");
    assert_eq!(text(8), "f0-13", "the assert");
    assert!(text(9).contains("total21"), "{out:?}");
    assert_ne!(text(10), "f0-13");
    assert_eq!(text(11), "f0-8");
    assert_eq!(text(12), "step");
    assert!(text(13).starts_with("Herex7") && text(13).contains("Globalstotal7"), "{out:?}");
    assert_eq!((text(14), text(15)), ("f0-5".to_owned(), "f0-13".to_owned()));
}

/// The executions of the proviso are stepped through with values, as a counterexample is.
#[test]
fn an_execution_that_was_not_explored_is_stepped_through_with_values() {
    let Some(browser) = browser() else { return };
    let folder = reported(OPEN, &[]);
    let script = "
        find('.walk[data-path=frontier-1]').click();
        press('Home');
        out.push(find('#source').hidden, find('#values').textContent);
        press('End');
        out.push(find('#where').textContent, find('#values').textContent);";
    let out = drive(&browser, &folder, "report.html", DESKTOP, script);
    let text = |at: usize| out[at].as_str().unwrap_or_default();
    assert_eq!(out[0], false, "the source is shown");
    assert!(text(1).starts_with("Herechild0"), "{out:?}");
    assert!(text(2).contains("line ") && text(3).starts_with("Herechild0"), "{out:?}");
}

/// Of a long program most lines are no elements of their own until somebody comes near; steps and fragments find them all
/// the same.
#[test]
fn a_long_program_is_opened_with_few_elements() {
    let Some(browser) = browser() else { return };
    let far = 9000;
    let text = format!(
        "extern void reach_error(void);\nextern int in(void);\nint main(void) {{\n  int x = in();\n{}  int y = x + 1;\n\
         {}  if (y == 7) reach_error();\n}}\n",
        "  // nothing\n".repeat(far - 5),
        "\n".repeat(9000),
    );
    let folder = reported(&text, &["--property", "unreach-call"]);
    let script = format!(
        "
        out.push(document.querySelectorAll('*').length, find('#f0-{far}') === null);
        out.push(find('#source').textContent.includes('int y = x + 1;'));
        document.getElementById('tab-source').click();
        const steps = [...document.querySelectorAll('#steps li')];
        steps.find((step) => step.textContent.includes('int y')).click();
        out.push(find('.line.now').id, find('.line.now code').textContent);
        location.hash = '#f0-12345';
        await sleep(100);
        const here = find('.line.here').getBoundingClientRect();
        out.push(find('.line.here').id, here.top > 0 && here.bottom < innerHeight);"
    );
    for window in [DESKTOP, PHONE] {
        let out = drive(&browser, &folder, "report.html", window, &script);
        assert!(out[0].as_u64().is_some_and(|count| count < 2000), "{out:?}");
        assert_eq!(out[1..3], [json!(true), json!(true)], "{out:?}");
        assert_eq!(out[3..5], [json!(format!("f0-{far}")), json!("  int y = x + 1;")], "{out:?}");
        assert_eq!(out[5..], [json!("f0-12345"), json!(true)], "{out:?}");
    }
}

/// The first step of an execution is shown as later ones are: its line in the source, and beside it the name of a value that is
/// too long for the panel.
#[test]
fn the_first_step_is_in_view() {
    let Some(browser) = browser() else { return };
    let members: Vec<String> =
        (1..10).map(|at| format!("a_member_with_a_long_name_{at}")).collect();
    let text = format!(
        "extern void reach_error(void);\nextern int in(void);\nstruct S {{ int {}; }} s = {{1, 2, 3}};\nint *p = &s.{};\n{}\
         int main(void) {{\n  *p = in();\n  if (s.{} == 7) reach_error();\n}}\n",
        members.join(", "),
        members[4],
        "\n".repeat(9000),
        members[4],
    );
    let folder = reported(&text, &["--property", "unreach-call"]);
    let script = "
        find('.walk').click();
        await sleep(300);
        const isIn = (row, { top, bottom }) => row.top >= top && row.top + 16 <= bottom;
        const line = find('.line.now').getBoundingClientRect();
        const player = find('#player').getBoundingClientRect();
        out.push(find('#where').textContent, isIn(line, { top: player.bottom, bottom: innerHeight }));
        const name = find('#values .changed th').getBoundingClientRect();
        out.push(isIn(name, find('#values').getBoundingClientRect()), location.hash);";
    for window in [DESKTOP, PHONE] {
        let out = drive(&browser, &folder, "report.html", window, script);
        assert!(out[0].as_str().is_some_and(|step| step.starts_with("Step 1 of ")), "{out:?}");
        assert_eq!(out[1..], [json!(true), json!(true), json!("#source")], "{out:?}");
    }
}

/// In a file with numbers of five digits, lines with a bar and lines without one begin at the same place.
#[test]
fn texts_of_lines_begin_below_each_other() {
    let Some(browser) = browser() else { return };
    let text = OPEN.replace("int main", &format!("{}int main", "\n".repeat(12_000)));
    let folder = reported(&text, &[]);
    let script = "
        location.hash = '#f0-12005';
        await sleep(300);
        const rows = [...document.querySelectorAll('.line')];
        const begin = (row) => Math.round(row.querySelector('code').getBoundingClientRect().left);
        const isBarred = (row) => row.matches('.covered, .missed, .unseen');
        const barred = rows.filter(isBarred);
        out.push(barred.length > 1, rows.length > barred.length, [...new Set(rows.map(begin))].length);
        const number = barred[0].querySelector('.number');
        out.push(number.scrollWidth <= number.clientWidth);";
    for window in [DESKTOP, PHONE] {
        let out = drive(&browser, &folder, "report.html", window, script);
        assert_eq!(out, [json!(true), json!(true), json!(1), json!(true)]);
    }
}

/// The summary of a run without an answer says how to go on.
#[test]
fn the_summary_names_the_command_to_go_on() {
    let Some(browser) = browser() else { return };
    let folder = reported(OPEN, &[]);
    let script = "
        const commands = (part) => [...document.querySelectorAll(`#${part} .next pre`)].map((it) => it.textContent);
        out.push(commands('summary'), commands('proviso').slice(0, 1));";
    let out = drive(&browser, &folder, "report.html", DESKTOP, script);
    assert_eq!(out[0], out[1]);
    assert!(out[0][0].as_str().is_some_and(|command| command.starts_with("proviso ")), "{out:?}");
}

/// Lines of several files are told apart.
#[test]
fn steps_name_their_files_if_there_are_several() {
    let Some(browser) = browser() else { return };
    let folder = Folder::new()
        .with("a.c", "extern int f(int);\nextern int in(void);\n#include <assert.h>\nint main(void) {\n  int x = in();\n  assert(f(x) != 7);\n}\n")
        .with("b.c", "int f(int x) {\n  return x + 1;\n}\n");
    assert_eq!(folder.run(&["check", "a.c", "b.c", "--output-dir", "."]).code, 10);
    let script = "out.push([...document.querySelectorAll('#steps .number')].map((place) => place.textContent));";
    let out = drive(&browser, &folder, "report.html", DESKTOP, script);
    let places: Vec<&str> =
        out[0].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    assert!(places.contains(&"a.c:5") && places.contains(&"b.c:2"), "{places:?}");
}

/// The number of a line is not broken, however long the name of its file is, and what is said of a line is not cut off.
#[test]
fn numbers_of_lines_stay_whole_and_notes_in_view() {
    let Some(browser) = browser() else { return };
    let name = "a_name_that_is_longer_than_the_column_of_places.c";
    let text = format!(
        "extern int f(int);\nextern int in(void);\n#include <assert.h>\n{}int main(void) {{\n  int x = in();\n  \
         assert(f(x) != 7 && \"a line that is so long that there is no room for what is said of it beside it\");\n}}\n",
        "\n".repeat(120)
    );
    let folder = Folder::new().with(name, text).with("b.c", "int f(int x) {\n  return x + 1;\n}\n");
    assert_eq!(folder.run(&["check", name, "b.c", "--output-dir", "."]).code, 10);
    let script = "
        document.getElementById('tab-source').click();
        find('[data-go=last]').click();
        const numbers = [...document.querySelectorAll('#player .whole')].filter((it) => it.textContent);
        out.push(numbers.length > 2, numbers.filter((it) => it.getClientRects().length !== 1).map((it) => it.textContent));
        const frame = find('.code').getBoundingClientRect();
        const notes = [...document.querySelectorAll('.notes > *')].map((it) => it.getBoundingClientRect());
        out.push(notes.length > 1, notes.filter((it) => it.right > frame.right || it.left < frame.left).length);";
    for window in [DESKTOP, PHONE] {
        let out = drive(&browser, &folder, "report.html", window, script);
        assert_eq!(out, [json!(true), json!([]), json!(true), json!(0)]);
    }
}

/// The values beside the last step of a counterexample.
fn values_at_the_end(browser: &PathBuf, program: &str) -> Vec<String> {
    let folder = reported(program, &["--property", "unreach-call"]);
    let script = "
        find('.walk').click();
        find('[data-go=last]').click();
        out.push([...document.querySelectorAll('#values tr')].map((row) => row.textContent));";
    let out = drive(browser, &folder, "report.html", DESKTOP, script);
    let rows = out[0].as_array().into_iter().flatten().filter_map(Value::as_str);
    rows.map(ToOwned::to_owned).collect()
}

/// What pointers write is shown by the names of the objects.
#[test]
fn values_written_through_pointers_are_shown() {
    let Some(browser) = browser() else { return };
    let mut rows = values_at_the_end(&browser, ALIASED);
    rows.sort();
    assert_eq!(rows, ["a{7, 8, 3}", "i1", "p&y", "q&s", "s{u = 6, v = 10}", "x10", "y2"]);
}

/// A name may be that of several variables: none of them is shown with the value of another.
#[test]
fn values_of_hidden_variables_are_not_shown_for_others() {
    let Some(browser) = browser() else { return };
    let rows = values_at_the_end(&browser, HIDDEN);
    for right in ["r3", "g1", "v50", "t3", "b.lo3", "one::count5", "two::count9"] {
        assert!(rows.iter().any(|row| row == right), "{right}: {rows:?}");
    }
    let names: Vec<&str> = rows.iter().map(|row| row.trim_end_matches(char::is_numeric)).collect();
    for name in ["r", "g", "v"] {
        assert_eq!(names.iter().filter(|it| **it == name).count(), 1, "{name}: {rows:?}");
    }
}

/// At each step each name has the value of the variable that it means there.
#[test]
fn values_are_right_at_each_step() {
    let Some(browser) = browser() else { return };
    let folder = reported(NESTED, &["--property", "unreach-call"]);
    let script = "
        find('.walk').click();
        for (const step of document.querySelectorAll('#steps li[data-step]')) {
          step.click();
          const rows = [...document.querySelectorAll('#values tr')].map((row) => [...row.children].map((it) => it.textContent).join('='));
          const isLasting = (row) => row.includes('::');
          const sorted = [...rows.filter((row) => !isLasting(row)).sort(), ...rows.filter(isLasting).sort()];
          out.push(`${find('.line.now')?.id}: ${sorted.join('; ')}; `);
        }";
    let out = drive(&browser, &folder, "report.html", DESKTOP, script);
    let steps: Vec<&str> = out.iter().filter_map(Value::as_str).collect();
    for expected in [
        "f0-14: p=&x; r (line 11)=3; r=9; x=1; one::",
        "f0-15: p=&x; r (line 11)=3; r=9; x=7; one::",
        "f0-17: p=&x; r=4; x=7; one::",
        "f0-3: one::count=5; two::count=8; ",
        "f0-4: one::count=5; two::count=9; ",
        "f0-6: left=2; n=2; one::",
        "f0-6: left=1; n=1; one::",
        "f0-6: left=0; n=0; one::",
        "f0-7: left=1; n=1; one::",
        "f0-7: left=3; n=2; one::",
    ] {
        assert!(steps.iter().any(|step| step.starts_with(expected)), "{expected}: {steps:#?}");
    }
}

#[test]
fn tabs_can_be_used_by_keys_and_have_their_roles() {
    let Some(browser) = browser() else { return };
    let folder = reported(OPEN, &[]);
    let script = "
        const tabs = [...document.querySelectorAll('[role=tab]')];
        out.push(tabs.map((tab) => tab.textContent), tabs.filter((tab) => tab.tabIndex === 0).length);
        tabs[0].focus();
        press('ArrowRight', tabs[0]);
        await sleep(20);
        out.push(document.activeElement.id, document.querySelectorAll('[role=tabpanel]:not([hidden])').length);
        const names = [...document.querySelectorAll('button, select, input, canvas, [role=region]')];
        const isNamed = (it) => it.textContent.trim() || it.ariaLabel || it.closest('label') || it.getAttribute('aria-labelledby');
        out.push(names.filter((it) => !isNamed(it)).map((it) => it.outerHTML));
        document.getElementById('tab-proviso').click();
        await sleep(20);
        find('#proviso .walk').click();
        await sleep(20);
        out.push(find('#source').hidden, find('#path').selectedOptions[0].textContent);
        out.push(document.querySelectorAll('.line.covered').length > 0, document.documentElement.lang);
        // After a click with the mouse, keys are for the part that is shown.
        document.getElementById('tab-source').dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1 }));
        const before = find('#where').textContent;
        press('ArrowRight', document.activeElement);
        out.push(document.activeElement.id, find('#source').hidden, find('#where').textContent !== before);
        // No level of headings is left out.
        const levels = [...document.querySelectorAll('h1, h2, h3, h4')].map((it) => Number(it.tagName[1]));
        out.push(levels.filter((level, at) => at > 0 && level > levels[at - 1] + 1));";
    let out = drive(&browser, &folder, "report.html", DESKTOP, script);
    assert_eq!(
        out[0],
        json!(["Summary", "Source", "Proviso", "Automaton", "Abstract states", "Details"])
    );
    assert_eq!((&out[1], &out[2], &out[3]), (&json!(1), &json!("tab-source"), &json!(1)));
    assert_eq!(out[4], json!([]), "what can be used has a name");
    assert_eq!(out[5], false);
    assert!(out[6].as_str().is_some_and(|name| name.starts_with("Not explored 1")), "{out:?}");
    assert_eq!((&out[7], &out[8]), (&json!(true), &json!("en")));
    assert_eq!(out[9..12], [json!("source"), json!(false), json!(true)]);
    assert_eq!(out[12], json!([]), "levels of headings");
}

/// What an answer rests on is told beside it, with a link that leads to the list and takes the focus there.
#[test]
fn assumptions_are_found_from_the_verdict() {
    let Some(browser) = browser() else { return };
    let text = "extern int in(void);\nextern void reach_error(void);\nint main(void) { if (in() == 3) reach_error(); }\n";
    let folder = reported(text, &[]);
    let script = "
        const link = find('header a');
        out.push(link.textContent, link.tabIndex);
        link.click();
        await sleep(50);
        const list = document.activeElement;
        out.push(find('#details').hidden, list.id, list.tagName, list.nextElementSibling.children.length);
        out.push(find('#tab-details').getAttribute('aria-selected'));";
    let out = drive(&browser, &folder, "report.html", DESKTOP, script);
    assert_eq!(out[..2], [json!("1 assumption"), json!(0)]);
    assert_eq!(out[2..6], [json!(false), json!("assumptions"), json!("H3"), json!(1)]);
    assert_eq!(out[6], "true");
    let text = "extern void reach_error(void);\nint main(void) { int x = 3; if (x == 3) reach_error(); }\n";
    let folder = reported(text, &[]);
    assert!(!folder.read("report.html").contains("rests on <a"), "nothing is assumed");
}

/// Texts of a program that look like parts of a page are shown as they are.
#[test]
fn hostile_texts_do_nothing() {
    let Some(browser) = browser() else { return };
    let text = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n\
        const char *s = \"</script><script>document.title = 'taken'</script><!-- ]]>\";\n\
        int x = __VERIFIER_nondet_int(); /* </code><img src=x onerror=alert(3)> */\n\
        assert(x != 7 && s[0]); }\n";
    let folder = reported(text, &[]);
    let script = "
        for (const tab of document.querySelectorAll('[role=tab]')) tab.click();
        document.getElementById('tab-source').click();
        press('End');
        out.push(document.images.length, document.title, find('#f0-5 code').textContent);
        out.push(document.querySelectorAll('script').length);";
    let out = drive(&browser, &folder, "report.html", DESKTOP, script);
    assert_eq!((&out[0], &out[1]), (&json!(0), &json!("FALSE: a.c")));
    assert!(out[2].as_str().is_some_and(|line| line.contains("img src=x")), "{out:?}");
    // Its own, its data, and the two that the test has put there.
    assert_eq!(out[3], 4);
}

/// Boxes are found by words and by keys, loops are collapsed and expanded, in both drawings.
#[test]
fn drawings_are_searched_walked_and_collapsed() {
    let Some(browser) = browser() else { return };
    let folder = reported(VIOLATED, &["--analysis", "value", "--property", "unreach-call"]);
    let script = "
        for (const id of ['automaton', 'graph']) {
          document.getElementById(`tab-${id}`).click();
          await sleep(100);
          const frame = document.getElementById(`draw-${id}`);
          const told = frame.querySelector('.told');
          const search = frame.querySelector('input[type=search]');
          const canvas = frame.querySelector('canvas');
          search.value = 'total';
          search.dispatchEvent(new Event('input'));
          out.push(told.textContent);
          press('Enter', search);
          out.push(told.textContent, frame.querySelector('.chosen').textContent);
          frame.querySelector('[data-do=collapse]').click();
          press('ArrowDown', canvas);
          out.push(frame.querySelector('.chosen h3').textContent);
          press('ArrowDown', canvas);
          press('+', canvas);
          out.push(frame.querySelector('.chosen h3').textContent);
          frame.querySelector('[data-do=fit]').click();
          let colours = new Set();
          // Without a window, frames are drawn now and then.
          for (let at = 0; at < 20 && colours.size < 5; at++) {
            await sleep(500);
            const paper = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
            for (let at = 0; at < paper.length; at += 4) colours.add(paper[at] * 65536 + paper[at + 1] * 256 + paper[at + 2]);
          }
          out.push(colours.size > 4);
        }";
    let out = drive(&browser, &folder, "report.html", DESKTOP, script);
    let text = |at: usize| out[at].as_str().unwrap_or_default().to_owned();
    for start in [0, 6] {
        assert!(text(start).ends_with(" matches") && !text(start).starts_with('0'), "{out:?}");
        assert!(text(start + 1).starts_with("1 of "), "{out:?}");
        assert!(text(start + 2).contains("total"), "{out:?}");
        assert_ne!(text(start + 3), text(start + 4), "another box: {out:?}");
        assert_eq!(out[start + 5], true, "something is drawn");
    }
}

/// What boxes show is found, each box once, and the next match is another box.
#[test]
fn searches_find_all_that_boxes_show() {
    let Some(browser) = browser() else { return };
    let folder = reported(VIOLATED, &["--analysis", "value", "--property", "unreach-call"]);
    let script = "
        const open = async (id) => {
          document.getElementById(`tab-${id}`).click();
          await sleep(100);
          const frame = document.getElementById(`draw-${id}`);
          const search = frame.querySelector('input[type=search]');
          // The boxes that the matches of a word lead to, once around and one more.
          return (word) => {
            search.value = word;
            search.dispatchEvent(new Event('input'));
            const count = parseInt(frame.querySelector('.told').textContent, 10);
            const found = [];
            for (let at = 0; count > 0 && at <= count; at++) {
              press('Enter', search);
              found.push(frame.querySelector('.chosen h3').textContent);
            }
            return [found.slice(0, count), count === 0 || found[count] === found[0]];
          };
        };
        const inAutomaton = await open('automaton');
        for (const word of ['exit', 'error', 'L3', 'line 10', 'line 11', 'x == 7', '@start', 'nowhere']) out.push(inAutomaton(word));
        const pick = find('#draw-automaton select');
        pick.value = [...pick.options].find((option) => option.textContent.startsWith('main ')).value;
        pick.dispatchEvent(new Event('change'));
        find('#draw-automaton [data-do=collapse]').click();
        out.push(inAutomaton('loop at line 10'), inAutomaton('x == 7'));
        const inGraph = await open('graph');
        out.push(inGraph('12:')[0].map((title) => title.split(' ')[0]));
        find('#draw-graph [data-do=collapse]').click();
        for (const word of ['loop at line 10', '12:', 'total']) {
          const [found, isRound] = inGraph(word);
          out.push([found.length, new Set(found).size, isRound]);
        }";
    let out = drive(&browser, &folder, "report.html", DESKTOP, script);
    let expected = [
        json!([["@start, L1", "main, L3", "add, L5"], true]),
        json!([["main, L13"], true]),
        json!([["main, L3"], true]),
        json!([["main, L2", "main, L7", "main, L10"], true]),
        json!([["main, L8"], true]),
        json!([["main, L8"], true]),
        json!([["@start, L0"], true]),
        json!([[], true]),
        // A loop that is collapsed is a box, too, and those inside of it are found.
        json!([["Loop in main"], true]),
        json!([["main, L8"], true]),
        json!(["12:"]),
    ];
    assert_eq!(out[..11], expected);
    assert_eq!(out[11..13], [json!([1, 1, true]), json!([1, 1, true])]);
    let (count, boxes) = (&out[13][0], &out[13][1]);
    assert!(count.as_u64() > Some(1) && count == boxes && out[13][2] == true, "{out:?}");
}

/// A box names its line, which leads to the source, as do the lines of its further steps.
#[test]
fn boxes_lead_to_their_lines() {
    let Some(browser) = browser() else { return };
    let folder = reported(VIOLATED, &["--property", "unreach-call"]);
    let script = "
        document.getElementById('tab-automaton').click();
        await sleep(100);
        const frame = find('#draw-automaton');
        const search = frame.querySelector('input[type=search]');
        const choose = (word) => {
          search.value = word;
          search.dispatchEvent(new Event('input'));
          press('Enter', search);
          return [...frame.querySelectorAll('.chosen button')].map((it) => it.textContent);
        };
        out.push(choose('entry'), choose('line 9'), choose('line 14'));
        [...frame.querySelectorAll('.chosen button')].find((it) => it.textContent.includes('14')).click();
        await sleep(100);
        out.push(find('#source').hidden, find('.line.here').id);";
    let out = drive(&browser, &folder, "report.html", DESKTOP, script);
    let names = |at: usize, name: &str| {
        out[at].as_array().is_some_and(|buttons| buttons.iter().any(|it| it == name))
    };
    assert!(names(1, "Line 9 of the source") && names(1, "line 10"), "{out:?}");
    assert!(names(2, "Line 14 of the source"), "{out:?}");
    assert_eq!(out[3..], [json!(false), json!("f0-14")]);
}

/// Labels cover neither boxes nor each other, and lines pass beside boxes.
#[test]
fn drawings_in_layers_keep_their_parts_apart() {
    let Some(browser) = browser() else { return };
    let folder = Folder::new().with("a.html", "<meta http-equiv>\n<body></body>");
    let checks = "
        let seed = 7;
        const random = (most) => {
          seed = (seed * 1103515245 + 12345) % 2147483648;
          return Math.floor(seed / 65536) % most;
        };
        const meet = (one, other) => one.x < other.x + other.w && other.x < one.x + one.w
          && one.y < other.y + other.h && other.y < one.y + one.h;
        const wrong = [];
        for (let round = 0; round < 40; round++) {
          const boxes = Array.from({ length: 2 + random(20) }, () => ({ w: 60 + random(200), h: 20 + random(90) }));
          const links = boxes.slice(1).map((_, at) => ({ from: random(at + 1), to: at + 1 }));
          for (let at = random(14); at > 0; at--) links.push({ from: random(boxes.length), to: random(boxes.length) });
          for (const link of links) if (random(3) > 0) Object.assign(link, { lines: ['x'], w: 30 + random(180), h: 14 + random(2) * 14 });
          layLayers(boxes, links);
          const labels = links.filter((link) => link.lines).map(({ at, w, h }) => ({ x: at.x - w / 2, y: at.y, w, h }));
          const parts = [...boxes, ...labels];
          parts.forEach((one, at) => parts.slice(at + 1).forEach((other) => { if (meet(one, other)) wrong.push([round, 'parts']); }));
          for (const { from, to, points } of links) {
            if (from === to) continue;
            points.slice(1).forEach((end, at) => {
              const [left, right] = [points[at].x, end.x].sort((one, other) => one - other);
              const [top, bottom] = [points[at].y, end.y].sort((one, other) => one - other);
              const line = { x: left, y: top, w: right - left, h: bottom - top };
              if (boxes.some((box) => meet(line, box))) wrong.push([round, 'line']);
            });
          }
        }
        out.push(wrong);";
    let script = format!("{}{checks}", include_str!("../../report/src/html/layout.js"));
    let out = drive(&browser, &folder, "a.html", DESKTOP, &script);
    assert_eq!(out[0], json!([]));
}

/// Fig. 3.4b of the report on product abstraction: a box for each state, with its place and what it knows.
#[test]
fn a_small_graph_has_a_box_for_each_state() {
    let Some(browser) = browser() else { return };
    let folder = Folder::new().with("a.cfa", include_str!("../../../examples/counting.cfa"));
    let line = "check a.cfa --analysis product --profile theta --strategy path --limit 5 --traversal bfs --arg g.html";
    folder.run(&line.split(' ').collect::<Vec<_>>());
    let script = "
        document.getElementById('tab-graph').click();
        await sleep(100);
        const frame = find('#draw-graph');
        const canvas = frame.querySelector('canvas');
        for (let at = 0; at < 4; at++) {
          press('ArrowDown', canvas);
          out.push(frame.querySelector('.chosen').textContent);
        }
        frame.querySelector('[data-do=collapse]').click();
        frame.querySelector('[data-do=expand]').click();
        for (let at = 0; at < 2; at++) press('ArrowDown', canvas);
        out.push(frame.querySelector('.chosen').textContent);";
    let out = drive(&browser, &folder, "g.html", DESKTOP, script);
    let text = |at: usize| out[at].as_str().unwrap_or_default();
    for (at, place) in [(0, "cfa, L0"), (1, "cfa, L1"), (2, "cfa, L2"), (3, "cfa, L1")] {
        assert!(text(at).contains(place) && !text(at).contains(" states)"), "{out:?}");
    }
    assert!(text(1).contains("x <= 1000") && text(2).contains("x <= 1000"), "{out:?}");
    assert_eq!(text(4), text(1), "expanding shows the same boxes again");
}

#[test]
fn a_graph_of_100000_states_is_collapsed_and_can_be_looked_into() {
    let Some(browser) = browser() else { return };
    let folder = reported(LARGE, &["--analysis", "value"]);
    let size = std::fs::metadata(folder.path().join("report.html")).expect("the page").len();
    assert!(size < 5_000_000, "{size} bytes");
    let script = "
        out.push(document.documentElement.dataset.ready, performance.now());
        const start = performance.now();
        document.getElementById('tab-graph').click();
        await sleep(50);
        out.push(performance.now() - start, JSON.parse(find('#data').textContent).graph.nodes.length);
        const frame = find('#draw-graph');
        const canvas = frame.querySelector('canvas');
        for (let at = 0; at < 3; at++) press('ArrowDown', canvas);
        out.push(frame.querySelector('.chosen').textContent);
        press('Enter', canvas);
        await sleep(50);
        out.push(frame.querySelector('.chosen').textContent);
        frame.querySelector('[data-do=expand]').click();
        frame.querySelector('[data-do=fit]').click();
        await sleep(100);
        out.push(performance.now() - start);";
    let out = drive(&browser, &folder, "report.html", DESKTOP, script);
    assert_eq!(out[0], "true");
    eprintln!("open: {} ms, drawn: {} ms more, all of it: {} ms", out[1], out[2], out[6]);
    assert_eq!(out[3], 100_000);
    assert!(out[4].as_str().is_some_and(|text| text.starts_with("loop at line 6")), "{out:?}");
    assert_ne!(out[4], out[5]);
}

/// On a phone nothing is wider than the screen, and text has the contrast that WCAG 2 asks for (4.5 to 1), light and
/// dark.
#[test]
fn it_can_be_read_on_a_phone_in_light_and_dark() {
    let Some(browser) = browser() else { return };
    let script = "
        const light = ([r, g, b]) => {
          const part = (c) => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
          return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
        };
        const colour = (text) => text.match(/[0-9.]+/g).map(Number);
        const behind = (it) => {
          for (let at = it; at; at = at.parentElement) {
            const found = colour(getComputedStyle(at).backgroundColor);
            if (found.length === 3 || found[3] > 0) return found;
          }
          return [255, 255, 255];
        };
        const weak = [], wide = [];
        for (const tab of document.querySelectorAll('[role=tab]')) {
          tab.click();
          await sleep(50);
          if (document.documentElement.scrollWidth > innerWidth) wide.push(tab.textContent);
          // A tab that is cut off is not seen to be there.
          if (tab.getBoundingClientRect().right > innerWidth) wide.push(`the tab ${tab.textContent}`);
          for (const it of document.querySelectorAll('body *')) {
            if (it.offsetParent === null || ![...it.childNodes].some((child) => child.nodeType === 3 && child.data.trim())) continue;
            if (['SCRIPT', 'STYLE', 'OPTION'].includes(it.tagName)) continue;
            const [one, other] = [light(colour(getComputedStyle(it).color)), light(behind(it))];
            const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
            if (contrast < 4.5) weak.push(`${it.tagName}.${it.className} ${contrast.toFixed(2)}`);
          }
        }
        out.push(matchMedia('(prefers-color-scheme: dark)').matches, innerWidth, wide, [...new Set(weak)]);";
    for (text, more) in [(VIOLATED, &[][..]), (SAFE, &["--analysis", "k-induction"]), (OPEN, &[])] {
        let folder = reported(text, more);
        for dark in [false, true] {
            let out = drive(&browser, &folder, "report.html", Window { dark, ..PHONE }, script);
            assert_eq!(out[0], dark);
            assert!(out[1].as_u64().is_some_and(|width| width <= 500), "{out:?}");
            assert_eq!((&out[2], &out[3]), (&json!([]), &json!([])), "dark: {dark}");
        }
    }
}
