//! Trial runs prove something of programs that have one execution, and of no others.

#![allow(missing_docs)]

use proviso_engines::tried;
use run::{Budget, Proof, Run, Verdict};

fn answer(body: &str) -> Verdict {
    let text = format!(
        "extern int in(void); extern void reach_error(void); extern void *malloc(unsigned long);
         extern int printf(const char *, ...); extern void abort(void); int g = 3; {body}"
    );
    let loaded = frontend::load_text("a.c", &text, &frontend::Options::default());
    assert!(!loaded.diagnostics.has_errors(), "{body}");
    tried(&loaded.program, 100_000, &Run::unobserved(Budget::default()))
}

fn is_proved(body: &str) -> bool {
    match answer(body) {
        Verdict::Safe(Proof::Executed { steps }) => {
            assert!(steps > 0);
            true
        }
        Verdict::Unknown(_) => false,
        other => panic!("{other:?}: {body}"),
    }
}

#[test]
fn a_program_with_one_execution_is_proved_by_it() {
    for body in [
        "int main(void) { unsigned x = 1; for (int i = 0; i < 1000; i++) x = x * 1103515245u + 12345u;
         if (x == 7) reach_error(); return 0; }",
        "int f(int n) { return n ? f(n - 1) + g : 0; } int main(void) { if (f(9) != 27) reach_error(); }",
        "int main(void) { printf(\"%d\\n\", g); if (g > 2) abort(); reach_error(); }",
    ] {
        assert!(is_proved(body), "{body}");
    }
}

#[test]
fn an_execution_among_others_proves_nothing() {
    for body in [
        // Inputs, and what nobody has set.
        "int main(void) { if (in() == 123456) reach_error(); }",
        "int main(void) { int x; if (x == 123456) reach_error(); }",
        // The system chooses addresses, and whether there is memory.
        "int a, b; int main(void) { if ((unsigned long)&a * 7 % 1000003 == 5) reach_error(); }",
        "int main(void) { if ((unsigned long)main * 7 % 1000003 == 5) reach_error(); }",
        "int main(void) { int *p = malloc(4); if (!p) reach_error(); }",
        // It does not end, or not here.
        "int main(void) { for (unsigned i = 0; ; i++) if (i == 4000000000u) reach_error(); }",
        "int main(void) { int z = 0; g = 1 / z; reach_error(); }",
    ] {
        assert!(!is_proved(body), "{body}");
    }
}

#[test]
fn its_error_is_found() {
    let body = "int main(void) { int s = 0; for (int i = 0; i < 1000; i++) s += i; if (s == 499500) reach_error(); }";
    assert!(matches!(answer(body), Verdict::Unsafe(_)));
}
