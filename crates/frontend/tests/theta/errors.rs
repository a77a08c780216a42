//! Messages, and input that is no model at all.

use proviso_frontend::theta::load;

use crate::render::{Numbers, loaded, messages};

/// The messages about the statements of an edge that stands alone in the third line.
fn about(statements: &str) -> Vec<String> {
    let text = format!(
        "main process t {{ var x : int var b : bool var v : bv[8] var m : [int] -> bool\n\
         init loc A final loc B var q : rat var f : fp[8:24]\n\
         A -> B {{ {statements} }} }}"
    );
    messages(&loaded(&text, load))
}

#[test]
fn statements_are_checked() {
    let cases = [
        ("y := 1", "3:10 `y` is not declared"),
        ("x := y", "3:15 `y` is not declared"),
        ("havoc y", "3:16 `y` is not declared"),
        ("x := true", "3:15 expected int, found bool"),
        ("x := 1%2", "3:15 expected int, found rat"),
        ("assume x", "3:17 expected bool, found int"),
        ("assume x + b > 0", "3:17 `+` needs two operands of one type, found int and bool"),
        ("assume x = v", "3:17 `=` needs two operands of one type, found int and bv[8]"),
        ("v := v + v", "3:17 `+` does not apply to bv[8]"),
        ("assume v < v", "3:19 `<` does not apply to bv[8]"),
        ("assume -b", "3:17 `-` does not apply to bool"),
        ("assume not x", "3:21 expected bool, found int"),
        ("assume b and x", "3:23 expected bool, found int"),
        ("assume x and b", "3:17 expected bool, found int"),
        ("v := v bvadd 4'd1", "3:15 `bvadd` needs two operands of one type, found bv[8] and bv[4]"),
        ("v := x bvadd v", "3:15 expected a bit-vector, found int"),
        ("v := v[9:0]", "3:15 bv[8] has no such bits"),
        ("v := v[4:4]", "3:15 bv[8] has no such bits"),
        ("v := v bv_zero_extend bv[4]", "3:15 bv[8] cannot be extended to bv[4]"),
        ("v := 4'd16", "3:15 the literal does not fit into 4 bits"),
        ("v := 4'd-9", "3:15 the literal does not fit into 4 bits"),
        ("v := 4'xA0", "3:15 the literal does not fit into 4 bits"),
        ("v := 0'd0", "3:15 a bit-vector has 1 to 1048576 bits"),
        ("v := 99999999999999999999'd0", "3:15 a bit-vector has 1 to 1048576 bits"),
        ("q := 1%0", "3:15 the denominator is zero"),
        ("m[b] := true", "3:12 expected int, found bool"),
        ("m[0] := 1", "3:18 expected bool, found int"),
        ("x[0] := 1", "3:10 expected an array, found int"),
        ("assume x[0]", "3:17 expected an array, found int"),
        (
            "f := f fpadd[RXX] f",
            "3:23 expected a rounding mode: RNE, RNA, RTP, RTN or RTZ, found `RXX`",
        ),
        ("f := f fpadd x", "3:23 expected a float, found int"),
        ("f := fptofp[9:9] f", "3:21 this floating-point format is not supported"),
        ("f := 9'd0.9'd0", "3:15 a float of these sizes is not supported"),
        ("assume forall (i : int) m[i]", "3:17 quantifiers are not supported"),
        ("assume exists (i : int) m[i]", "3:17 quantifiers are not supported"),
        ("assume (i : int) -> i", "3:17 function literals are not supported"),
        ("assume m(1)", "3:18 functions are not supported"),
        ("assume x' = 1", "3:18 primed expressions have no meaning in a statement"),
        ("assume x = 1 = b", "3:23 `=` needs parentheses here"),
        ("assume x < 1 < 2", "3:23 `<` needs parentheses here"),
        ("assume", "3:17 expected an expression, found `}`"),
        ("assume (x > 0", "3:24 expected `)`, found `}`"),
        ("x + 1", "3:12 expected `:=`, found `+`"),
        ("and := 1", "3:10 expected a statement, found the keyword `and`"),
        ("return x x := 1", "3:10 nothing can follow a `return` on its edge"),
        ("m := [default <- true]", "3:15 an array literal without entries needs its index type"),
        ("m := [1 <- 2, default <- true]", "3:21 expected bool, found int"),
    ];
    for (statements, expected) in cases {
        let found = about(statements);
        assert!(found.iter().any(|message| message == expected), "{statements}: {found:?}");
        assert_eq!(found.len(), 1, "{statements}: {found:?}");
    }
}

#[test]
fn processes_are_checked() {
    let cases: [(&str, &[&str]); 22] = [
        ("", &["there is no main process"]),
        ("  \n // nothing\n", &["there is no main process"]),
        (
            "process p { init loc A }",
            &["1:9 warning: the process `p` never runs", "there is no main process"],
        ),
        (
            "main process p { init loc A }\nmain process q { init loc A }",
            &["2:14 there is more than one main process"],
        ),
        ("main process p { loc A }", &["1:14 the process `p` has no initial location"]),
        (
            "main process p { init loc A init loc B }",
            &["1:29 there is more than one initial location"],
        ),
        ("main process p { init loc A loc A }", &["1:29 the location `A` is declared twice"]),
        ("main process p { init loc A A -> B }", &["1:34 the location `B` is not declared"]),
        ("main process p { init loc A B -> A {} }", &["1:29 the location `B` is not declared"]),
        ("main process p { var x : int var x : bool init loc A }", &["1:34 `x` is declared twice"]),
        ("main process p(x : int) { var x : bool init loc A }", &["1:31 `x` is declared twice"]),
        ("var x : int var x : int main process p { init loc A }", &["1:17 `x` is declared twice"]),
        ("main process p { init loc A", &["1:14 the process `p` has no closing brace"]),
        (
            "main process p { init loc A A -> A { assume true",
            &["1:36 this brace has no closing one", "1:14 the process `p` has no closing brace"],
        ),
        (
            "main proces p { init loc A }",
            &["1:6 expected `process`, found `proces`", "there is no main process"],
        ),
        (
            "main process p { init loc A } }",
            &["1:31 expected `var`, `process` or `main process`, found `}`"],
        ),
        (
            "main process p { var x : integer init loc A A -> A { x := 1 } }",
            &["1:26 expected a type, found `integer`", "1:54 `x` is not declared"],
        ),
        (
            "main process p { var x : bv[0] init loc A A -> A { x := 1 } }",
            &["1:29 a bit-vector has 1 to 1048576 bits"],
        ),
        (
            "main process p { var x : (int, int) -> bool init loc A }",
            &["1:26 function types are not supported"],
        ),
        (
            "main process p { var x : [[int] -> int] -> bool init loc A }",
            &["1:27 arrays as indices are not supported"],
        ),
        (
            "main process p { var x : fp[9:9] init loc A }",
            &["1:28 this floating-point format is not supported"],
        ),
        (
            "main process p { var x : [fp[2:3]] -> int init loc A }",
            &["1:27 arrays of fp[2:3] are not supported"],
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(messages(&loaded(text, load)), expected, "{text}");
    }
}

#[test]
fn several_errors_are_reported_at_once() {
    let text = "main process p {
  var x : nothing
  var y : int
  init loc A
  A -> A { y := true  assume y > 0  assume (y  y := z }
  A -> B { assume y }
}";
    let expected = [
        "2:11 expected a type, found `nothing`",
        "5:17 expected int, found bool",
        "5:48 expected `)`, found `y`",
        "5:53 `z` is not declared",
        "6:8 the location `B` is not declared",
        "6:19 expected bool, found int",
    ];
    assert_eq!(messages(&loaded(text, load)), expected);
    let many = "x := 1 ".repeat(100);
    assert_eq!(about(&many.replace('x', "z")).len(), 20);
}

#[test]
fn deep_nesting_is_refused() {
    let deep = |open: &str, inner: &str, close: &str, count: usize| {
        let text = format!("{}{inner}{}", open.repeat(count), close.repeat(count));
        about(&format!("assume {text}"))
    };
    for (open, close) in [("(", ")"), ("not ", ""), ("if b then b else ", ""), ("m[", "]")] {
        let found = deep(open, "b", close, 100_000);
        assert!(found[0].ends_with("this is nested more than 1000 levels deep"), "{found:?}");
    }
    assert_eq!(deep("(", "b", ")", 900), [""; 0]);
    let found = about(&format!("x := {}1", "-".repeat(100_000)));
    assert!(found[0].ends_with("levels deep"), "{found:?}");
    let text = format!("var x : {} int", "[int] -> ".repeat(100_000));
    let found = messages(&loaded(&text, load));
    assert!(found[0].ends_with("levels deep"), "{found:?}");
}

#[test]
fn numbers_may_be_large_but_not_endless() {
    assert_eq!(about(&format!("x := {}", "7".repeat(10_000))), [""; 0]);
    let endless = "7".repeat(1_000_000);
    for text in
        [format!("x := {endless}"), format!("q := 1%{endless}"), format!("v := 8'd{endless}")]
    {
        let found = about(&text);
        assert!(found[0].ends_with("a number has at most 10000 digits"), "{found:?}");
    }
    assert!(about(&format!("v := v[{endless}:0]"))[0].ends_with("no such bits"));
}

#[test]
fn any_bytes_give_messages_and_no_panic() {
    for text in
        [&b"\0"[..], b"\xff\xfe", b"main process p { \0 }", b"/*", b"//", b"main", b"8'", b"'"]
    {
        assert!(loaded(text, load).diagnostics.has_errors(), "{text:?}");
    }
    let mut numbers = Numbers::new(1);
    for _ in 0..300 {
        let length = numbers.below(200);
        let bytes: Vec<u8> = (0..length).map(|_| numbers.below(256) as u8).collect();
        let _ = loaded(&bytes, load);
    }
}

#[test]
fn mutated_models_give_no_panic() {
    let model = "var g : int
        main process p(k : rat) {
            var x : int  var b : bool  var v : bv[8]  var f : fp[8:24]  var s : fp[2,3]
            var a : [int] -> [bv[8]] -> bool
            init loc A  loc B  final loc C  error loc E
            A -> B { x := (if b then x else -1) mod 3  havoc f  a[x][v] := b iff x /= 2 }
            B -> E { assume v[8:4] ++ 4'b0101 = v bvrol 8'd3 bvadd 8'xFF or k > 1%2 imply b xor b }
            B -> B { f := f fpadd[RTP] 8'd127.23'd0 / fptofp[8:24][RNE] s  s := fpsqrt s }
            B -> C { v := fptobv[8's][RTZ] f  a := [1 <- [<bv[8]> default <- true], default <- a[0]] }
            A -> C { return x rem 5 * 2 }
        }";
    assert_eq!(messages(&loaded(model, load)), [""; 0]);
    let pieces = [
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "'",
        "<-",
        "->",
        ":=",
        "fp",
        "bv[",
        "8'd",
        "%",
        ".",
        "if ",
        "else ",
        "not ",
        "forall ",
        "99999999999999999999",
        "fptobv[",
        "\0",
        "ü",
        "/*",
        "default",
        "return ",
        "fp[2:3]",
        "process ",
        "-",
    ];
    let mut numbers = Numbers::new(7);
    for _ in 0..4000 {
        let bytes = numbers.mutate(model.as_bytes(), &pieces);
        let _ = loaded(&bytes, load);
    }
}
