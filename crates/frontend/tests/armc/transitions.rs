//! Transitions as relations, and the later dialect.

use proviso_frontend::armc::load;

use crate::render::{loaded, messages, op, program, variables};

/// The operations of a transition over X, Y, Z, and the variables there are.
fn step(target: &str, constraints: &str) -> String {
    step_with(target, constraints, "")
}

fn step_with(target: &str, constraints: &str, more: &str) -> String {
    let text =
        format!("start(a). error(e). {more} r(p(a,X,Y,Z), p(b,{target}), {{{constraints}}}, 1).");
    let model = loaded(&text, load);
    assert_eq!(messages(&model), [""; 0], "{constraints}");
    let edge = model.program.cfa.edges.iter().next().expect("one edge");
    let ops: Vec<String> = edge.ops.iter().map(|each| op(&model.program, each)).collect();
    ops.join("; ")
}

#[test]
fn equations_assign_all_variables_at_once() {
    assert_eq!(step("X,Y,Z", ""), "");
    assert_eq!(step("A,Y,Z", "A = X + 1"), "X := (+ X 1.0)");
    assert_eq!(step("A,Y,Z", "X + 1 = A"), "X := (+ X 1.0)");
    // Y takes the old X.
    assert_eq!(step("A,B,Z", "A = X + 1, B = X"), "Y := X; X := (+ X 1.0)");
    assert_eq!(step("A,B,Z", "A = Y, B = X"), "X.old := X; X := Y; Y := X.old");
    assert_eq!(step("Y,X,Z", ""), "X.old := X; X := Y; Y := X.old");
    assert_eq!(step("Y,Z,X", ""), "X.old := X; X := Y; Y := Z; Z := X.old");
    // New values may be given by new values.
    assert_eq!(step("A,B,Z", "B = A + 1, A = X * 2"), "Y := (+ (* X 2.0) 1.0); X := (* X 2.0)");
    assert_eq!(step("A,A,Z", "A = X + 1"), "Y := (+ X 1.0); X := (+ X 1.0)");
    assert_eq!(step("5,X + Y,Z", ""), "Y := (+ X Y); X := 5.0");
    // A second equation is a condition.
    assert_eq!(step("A,Y,Z", "A = X, A = 5"), "assume (= X 5.0)");
}

#[test]
fn what_is_not_said_is_arbitrary() {
    assert_eq!(step("A,Y,Z", ""), "havoc X");
    assert_eq!(step("_,_,Z", ""), "havoc X; havoc Y");
    assert_eq!(step("A,B,Z", "B = X"), "Y := X; havoc X");
    assert_eq!(step("A,A,Z", ""), "havoc X; Y := X");
    // Unless the file says that it stays.
    assert_eq!(step_with("A,B,Z", "B = X", "implicit_updates."), "Y := X");
    assert_eq!(step_with("A,B,Z", "A >= 1", "implicit_updates."), "havoc X; assume (<= 1.0 X)");
}

#[test]
fn relations_choose_within_bounds() {
    assert_eq!(step("A,Y,Z", "A >= 0, A =< Y"), "havoc X; assume (<= 0.0 X); assume (<= X Y)");
    assert_eq!(step("A,Y,Z", "A >= X"), "havoc X.new; assume (<= X X.new); X := X.new");
    assert_eq!(
        step("A,B,Z", "A > B, B = X + 1"),
        "havoc X.new; assume (< (+ X 1.0) X.new); Y := (+ X 1.0); X := X.new"
    );
    assert_eq!(step("A,Y,Z", "A =\\= 0"), "havoc X; assume (not (= X 0.0))");
    assert_eq!(step("A,Y,Z", "A * 2 = X"), "havoc X.new; assume (= X (* X.new 2.0)); X := X.new");
    assert_eq!(step("A,Y,Z", "(A = 1 ; A = 2)"), "havoc X; assume (or (= X 1.0) (= X 2.0))");
    // Cyclic equations define one of the two.
    assert_eq!(step("A,B,Z", "A = B, B = A"), "havoc Y; X := Y");
}

#[test]
fn variables_of_neither_state_are_some_numbers() {
    assert_eq!(step("A,Y,Z", "A = X + N, N > 0"), "havoc N; assume (< 0.0 N); X := (+ X N)");
    assert_eq!(step("X,Y,Z", "X = N * 2"), "havoc N; assume (= X (* N 2.0))");
    assert_eq!(step("A,Y,Z", "N = Y + 1, A = N"), "X := (+ Y 1.0)");
    assert_eq!(
        step("X,Y,Z", "X > _, Y > _"),
        "havoc choice; havoc choice2; assume (< choice X); assume (< choice2 Y)"
    );
}

#[test]
fn states_may_hold_constants_and_repeat_variables() {
    let text = "start(a). error(e). r(p(a,0,Y,Y), p(b,1,Y,Y), {}, 1).";
    let model = loaded(text, load);
    assert_eq!(messages(&model), [""; 0]);
    assert_eq!(variables(&model.program), ["x1 : Real", "Y : Real", "Y_2 : Real"]);
    // The last place takes what the one before it holds, which is what it holds already.
    assert!(
        program(&model.program)
            .contains("a -> b: assume (= x1 0.0); assume (= Y Y_2); x1 := 1.0; Y_2 := Y\n")
    );
}

#[test]
fn numbers_are_exact() {
    assert_eq!(step("A,Y,Z", "A = 0.1 + 2.0e-1"), "X := (/ 3.0 10.0)");
    assert_eq!(step("A,Y,Z", "A = 1/3"), "X := (/ 1.0 3.0)");
    assert_eq!(step("A,Y,Z", "A = - -(1) + 0x10"), "X := 17.0");
    assert_eq!(step("A,Y,Z", "A = 1.5e3"), "X := 1500.0");
    let huge = "123456789".repeat(50);
    assert_eq!(step("A,Y,Z", &format!("A = {huge}")), format!("X := {huge}.0"));
}

#[test]
fn the_later_dialect_names_its_variables() {
    let text = "
        :- multifile r/5, implicit_updates/0, start/1.
        refinement(inter). cube_size(1).
        preds(p(_, data(A, B)), []).
        var2names(p(pc(_), data(A, B)), [(B, 'count'), (A, 'count')]).
        globals(p(pc(_), data(A, B)), [], []).
        start(pc(main-0-1)).
        error(pc(main-err-0)).
        r(p(pc(main-0-1), data(A, B)), p(pc(main-1-2), data(Ap, Bp)), [], [Ap = 0, Bp = B], 1). % x
        r(p(pc(main-1-2), data(A, B)), p(pc(main-1-2), data(Ap, Bp)), [(A +1 =< B)],
          [Ap = (A + 1), Bp = B], 2).
        stmtsrc(2, 'it''s a step;').
        r(p(pc(main-1-2), data(A, B)), p(pc(main-err-0), data(A, B)), [(A >= 1+ B)], [], 3).
        transition_access( 3, [r, _] ).";
    let model = loaded(text, load);
    assert_eq!(messages(&model), [""; 0]);
    assert_eq!(variables(&model.program), ["count : Real", "count_2 : Real"]);
    let expected = "\
main: entry main-0-1, exit L1, errors [main-err-0]
main-0-1 -> main-1-2: count := 0.0
main-1-2 -> main-1-2: assume (<= (+ count 1.0) count_2); count := (+ count 1.0)
main-1-2 -> main-err-0: assume (<= (+ count_2 1.0) count)
";
    assert_eq!(program(&model.program), expected);
}

#[test]
fn globals_hold_at_the_start() {
    let text = "
        globals(p(pc(_), data(A, B)), [(A, 'a')], [A = 0]).
        start(pc(s)). error(pc(e)).
        r(p(pc(s), data(A, B)), p(pc(e), data(A, B)), [A > 0], [], 1).";
    let model = loaded(text, load);
    assert_eq!(messages(&model), [""; 0]);
    let expected = "\
main: entry L0, exit L1, errors [e]
s -> e: assume (< 0.0 A)
L0 -> s: assume (= A 0.0)
";
    assert_eq!(program(&model.program), expected);
    assert_eq!(
        model.program.cfa.assumptions[0].text,
        "the constraints of globals/3 hold at the start"
    );
}

#[test]
fn several_starts_have_a_common_entry() {
    let text = "start(a). start(b). start(a). error(e).
                r(p(a,X), p(e,X), {}, 1). r(p(b,X), p(e,X), {}, 2).";
    let model = loaded(text, load);
    let expected = "\
main: entry L0, exit L1, errors [e]
a -> e: 
b -> e: 
L0 -> a: 
L0 -> b: 
";
    assert_eq!(program(&model.program), expected);
}

#[test]
fn a_location_may_be_initial_in_part() {
    let text = "r(p(a,X), p(e,X), {X > 5}, 1).
                b(p(a,X), {X > 0}, 1). b(p(a,X), {X < -3}, 2). b(p(e,_), {}, 3).
                s(0, p(e,X), {}, 1, (0,0)).";
    let model = loaded(text, load);
    assert_eq!(messages(&model), [""; 0]);
    let expected = "\
main: entry L0, exit L1, errors [e]
a -> e: assume (< 5.0 X)
L0 -> a: assume (and (<= (- 3.0) X) (<= X 0.0))
";
    let found = program(&model.program);
    let (head, tail) = found.split_at(found.rfind("L0 -> a").unwrap());
    assert!(expected.starts_with(head), "{found}");
    assert!(tail.contains("X"), "{found}");
}

#[test]
fn unsafe_states_may_have_numbers_of_their_own() {
    let text = "start(a). r(p(a,X), p(b,X), {}, 1). s(0, p(b,X), {X = 2 * N, N > 1}, 7, (0,0)).";
    let model = loaded(text, load);
    assert_eq!(messages(&model), [""; 0]);
    assert!(
        program(&model.program)
            .contains("b -> unsafe 7: havoc N; assume (= X (* N 2.0)); assume (< 1.0 N)\n")
    );
}

#[test]
fn no_edge_leaves_an_error() {
    let text = "start(a). error(a). s(0, p(b,X), {X > 1}, 2, (0,0)). s(0, p(c,X), {}, 3, (0,0)).
                r(p(a,X), p(b,X), {}, 1). r(p(b,X), p(c,X), {}, 2).";
    let model = loaded(text, load);
    assert_eq!(messages(&model), [""; 0]);
    let expected = "\
main: entry a, exit L1, errors [c, unsafe a, unsafe 2]
a -> b: 
b -> c: 
a -> unsafe a: 
b -> unsafe 2: assume (< 1.0 X)
";
    assert_eq!(program(&model.program), expected);
}

#[test]
fn labels_are_terms() {
    let text = "start(pc('L 1'-f(x, [2]))). error(pc(e)).
                r(p(pc('L 1' - f(x,[2])), data), p(pc(e), data), [], [], 1).";
    let model = loaded(text, load);
    assert_eq!(messages(&model), [""; 0]);
    let expected = "main: entry L 1-f(x,[2]), exit L1, errors [e]\nL 1-f(x,[2]) -> e: \n";
    assert_eq!(program(&model.program), expected);
}

#[test]
fn transitions_keep_their_places() {
    let text = "start(a). error(b).\nr(p(a,X), p(b,X), {X > 1}, 1).";
    let model = loaded(text, load);
    let span = model.program.cfa.edges.iter().next().unwrap().span.unwrap();
    assert_eq!(model.program.sources.slice(span), b"r(p(a,X), p(b,X), {X > 1}, 1)");
}
