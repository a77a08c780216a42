//! Inputs of traces: what the program reads from outside, and what nobody has set.

use cfa::Checks;

use crate::{Case, told};

#[test]
fn inputs_have_the_words_of_the_source() {
    let text = "#include <assert.h>
#include <stdio.h>
extern int g;
extern unsigned char u;
extern struct { int a; char name[4]; } conf;
int main(void) {
    int x;
    unsigned char c;
    int t[2];
    if (scanf(\"%d %hhu\", &x, &c) != 2)
        return 0;
    if (x != -2147483647 - 1 || c != 200 || g != -5 || u != 255 || conf.a != 3 || t[1] != -7)
        return 0;
    assert(conf.name[1] != 'x');
}
";
    let trace = Case::c(text).text();
    for expected in [
        "  scanf() = 2\n",
        "  scanf %d = -2147483648\n",
        "  scanf %hhu = 200\n",
        "  g = -5 (arbitrary at the start)\n",
        "  u = 255 (arbitrary at the start)\n",
        "  conf.a = 3 (arbitrary at the start)\n",
        "  conf.name[1] = 120 ('x') (arbitrary at the start)\n",
        "  t[1] = -7 (uninitialised)\n",
    ] {
        assert!(trace.contains(expected), "{expected}\n{trace}");
    }
}

#[test]
fn arguments_that_are_computed_are_no_inputs() {
    let text = "#include <assert.h>
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
static int f(int v) { return v + 1; }
int main(void) {
    int r = f(__VERIFIER_nondet_int() % 10);
    int q = f(__VERIFIER_nondet_int());
    char c = 0;
    char line[4] = \"\";
    scanf(\"%c\", &c);
    fgets(line, sizeof line, stdin);
    assert(!(r == 4 && q == 3 && c == 'x' && line[0] == 'y' && line[1] == 0));
}
";
    let values = told(text, Checks::NONE);
    insta::assert_snapshot!(values.join("\n"));
}

/// Memory that the program has not made is told by its address, and no harness can set it.
#[test]
fn memory_outside() {
    let text = "\
extern void reach_error(void);
extern int *find(void);
int main(void) {
    if (*find() == 5)
        reach_error();
    return 0;
}
";
    let case = Case::c(text);
    let told = case.text();
    let named = told.lines().filter(|line| line.contains("memory outside at 0x"));
    assert!(named.filter(|line| line.contains(" = 5")).count() >= 2, "{told}");
    let harness = case.harness();
    let claim =
        "/*\nMay reproduce the error at program.c:5:9: some values cannot be set, see below.";
    assert!(harness.starts_with(claim), "{harness}");
    assert!(harness.contains("\n  memory outside at 0x"), "{harness}");
}

#[test]
fn values_that_nobody_set() {
    let text = "\
extern void reach_error(void);
int main(void) {
    int x;
    if (x == 3)
        reach_error();
    return 0;
}
";
    let case = Case::c(text);
    insta::assert_snapshot!(case.text());
    let harness = case.harness();
    assert!(harness.contains("cannot be set from here:\n  x = 3 (uninitialised)"), "{harness}");
}
