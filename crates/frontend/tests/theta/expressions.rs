//! What expressions mean: closed ones fold to a truth value.

use cfa::Op;
use proviso_frontend::theta::load;

use crate::render::{loaded, messages, op};

/// The condition of an `assume` in a model with a few variables, as text.
fn condition(expression: &str) -> String {
    let text = format!(
        "main process t {{
            var a : bool  var b : bool  var c : bool  var x : int  var y : int  var q : rat
            var v : bv[8]  var w : bv[8]  var f : fp[8:24]  var m : [int] -> int
            init loc L
            L -> L {{ assume {expression} }}
        }}"
    );
    let model = loaded(&text, load);
    assert_eq!(messages(&model), [""; 0], "{expression}");
    let edge = model.program.cfa.edges.iter().next().expect("one edge");
    let [assume @ Op::Assume(_)] = &*edge.ops else { panic!("{expression}: {:?}", edge.ops) };
    op(&model.program, assume).trim_start_matches("assume ").to_owned()
}

#[test]
fn operators_bind_as_in_the_grammar() {
    let same = [
        ("not x = y and a", "(not (x = y)) and a"),
        ("a or b and c", "a or (b and c)"),
        ("a xor b and c", "a xor (b and c)"),
        ("a or b xor c", "a or (b xor c)"),
        ("a imply b imply c", "a imply (b imply c)"),
        ("a iff b imply c", "a iff (b imply c)"),
        ("a imply b or c", "a imply (b or c)"),
        ("x - y - 1 = 0", "((x - y) - 1) = 0"),
        ("x + y * 2 < x", "(x + (y * 2)) < x"),
        ("-x + y > 0", "((-x) + y) > 0"),
        ("- x * y = 0", "((-x) * y) = 0"),
        ("x < y = a", "(x < y) = a"),
        ("v bvand w bvor v = w", "((v bvand w) bvor v) = w"),
        ("v bvor w bvand v bvxor w = w", "(v bvor ((w bvand v) bvxor w)) = w"),
        ("v bvshl w bvadd v = w", "(v bvshl (w bvadd v)) = w"),
        ("v bvadd w bvmul v = w", "(v bvadd (w bvmul v)) = w"),
        ("bvnot v[4:0] = w[4:0]", "(bvnot (v[4:0])) = w[4:0]"),
        ("v ++ w[8:0] = w ++ v", "(v ++ (w[8:0])) = (w ++ v)"),
        ("if a then b else b and c", "if a then b else (b and c)"),
        ("m[y <- 1][2] = 0", "((m[y <- 1])[2]) = 0"),
    ];
    for (short, long) in &same {
        assert_eq!(condition(short), condition(long), "{short}");
    }
}

#[test]
fn closed_expressions_have_their_value() {
    let holds = [
        // Euclidean division; `rem` has the sign of the divisor.
        "7 / 2 = 3 and (-7) / 2 = -4 and 7 / (-2) = -3 and (-7) div (-2) = 4",
        "5 mod 3 = 2 and 5 mod (-3) = 2 and (-5) mod 3 = 1 and (-5) mod (-3) = 1",
        "5 rem 3 = 2 and 5 rem (-3) = -2 and (-5) rem 3 = 1 and (-5) rem (-3) = -1",
        // Integers become rationals beside rationals.
        "1%2 + 1 = 3%2 and 1 < 3%2 and 3%2 > 1 and 4%2 = 2",
        "3%4 / 2 = 3%8 and -1%3 = 0 - 1%3",
        "(if true then 1 else 1%2) = 1%1",
        "123456789012345678901234567890 - 123456789012345678901234567889 = 1",
        "true iff not false",
        "(true xor false) and not (true xor true)",
        "false imply false",
        "1 /= 2 and not (1 /= 1)",
        // Literals of bit-vectors.
        "8'd255 = 8'xFF and 8'd-1 = 8'b11111111 and 8'd-128 = 8'x80 and 8'b101 = 8'd5",
        "8'd+5 = 8'bv00000101",
        "8'd200 bvadd 8'd100 = 8'd44 and 8'd1 bvsub 8'd2 = 8'xff",
        "8'd16 bvmul 8'd16 = 8'd0 and 8'd7 bvudiv 8'd2 = 8'd3",
        "8'd-7 bvsdiv 8'd2 = 8'd-3 and 8'd-7 bvsrem 8'd2 = 8'd-1 and 8'd-7 bvsmod 8'd2 = 8'd1",
        "8'd7 bvurem 8'd4 = 8'd3",
        "8'b11001100 bvand 8'b10101010 = 8'b10001000",
        "8'b11001100 bvor 8'b10101010 = 8'b11101110 and 8'b1100 bvxor 8'b1010 = 8'b0110",
        "8'x81 bvshl 8'd1 = 8'x02 and 8'x81 bvlshr 8'd1 = 8'x40 and 8'x81 bvashr 8'd1 = 8'xC0",
        "8'x81 bvrol 8'd1 = 8'x03 and 8'x81 bvror 8'd1 = 8'xC0 and 8'x81 bvrol 8'd8 = 8'x81",
        "8'x81 bvrol 8'd9 = 8'x03 and 1'b1 bvror 1'b1 = 1'b1",
        "8'd200 bvugt 8'd100 and 8'd200 bvslt 8'd100 and 8'd1 bvule 8'd1 and 8'd2 bvuge 8'd1",
        "8'd-2 bvsle 8'd-1 and 8'd1 bvsgt 8'd-1 and 8'd1 bvsge 8'd1 and 8'd1 bvult 8'd2",
        "bvnot 8'x0F = 8'xF0 and bvneg 8'd1 = 8'xFF and bvpos 8'd1 = 8'd1",
        // The upper bound of a slice is not part of it.
        "8'xA5[8:4] = 4'xA and 8'xA5[4:0] = 4'x5 and 8'xA5[1:0] = 1'b1",
        "4'xA ++ 4'x5 = 8'xA5 and 1'b1 ++ 1'b0 ++ 1'b1 = 3'b101",
        "4'x8 bv_sign_extend bv[8] = 8'xF8 and 4'x8 bv_zero_extend bv[8] = 8'x08",
        // Floats: 8'd127.23'd0 is one.
        "8'd127.23'd0 fpadd[RNE] 8'd127.23'd0 = 8'd128.23'd0",
        "8'd127.23'd0 + 8'd127.23'd0 = 8'd128.23'd0 and -8'd0.23'd0 = 8'd0.23'd0",
        "8'd128.23'd0 fpsub 8'd127.23'd0 = 8'd127.23'd0",
        "8'd128.23'd0 fpmul[RTZ] 8'd128.23'd0 = 8'd129.23'd0",
        "8'd127.23'd0 fpdiv[RTP] 8'd128.23'd0 = 8'd126.23'd0",
        "fpsqrt[RNE] 8'd129.23'd0 = 8'd128.23'd0 and fpabs -8'd129.23'd0 = 8'd129.23'd0",
        "fpneg 8'd127.23'd0 = -8'd127.23'd0 and fppos 8'd127.23'd0 > 8'd0.23'd0",
        "fpisnan 8'd255.23'd1 and not fpisnan 8'd255.23'd0",
        "not (8'd255.23'd1 = 8'd255.23'd1) and 8'd255.23'd1 /= 8'd255.23'd1",
        "(8'd127.23'd0 fpmax 8'd128.23'd0) = 8'd128.23'd0",
        "(8'd127.23'd0 fpmin 8'd128.23'd0) = 8'd127.23'd0",
        "fptobv[8's][RTZ] 8'd129.23'd0 = 8'd4 and fptobv[8'u] 8'd129.23'd0 = 8'd4",
        "fpfrombv[8:24][s][RNE] 8'd-4 = -8'd129.23'd0",
        "fpfrombv[8:24][u] 8'd4 = 8'd129.23'd0",
        "fptofp[11:53][RNE] 8'd127.23'd0 = 11'd1023.52'd0",
        "fproundtoint[RTP] 8'd126.23'd0 = 8'd127.23'd0",
        "8'd127.23'd0 < 8'd128.23'd0 and 8'd127.23'd0 <= 8'd127.23'd0",
        // Arrays: later entries go before earlier ones.
        "[0 <- 5, 1 <- 6, default <- 7][1] = 6 and [0 <- 5, default <- 7][3] = 7",
        "[0 <- 5, 0 <- 6, default <- 7][0] = 6",
        "[<int> default <- true][12] and [3 <- false, <int> default <- true][2]",
        "[<bv[2]> default <- 0][2'd1 <- 4][2'd1] = 4",
    ];
    for expression in holds {
        assert_eq!(condition(expression), "true", "{expression}");
    }
}

#[test]
fn small_floats_round_to_their_format() {
    let holds = [
        // 1 / 3.5 lies between the least number, 1/4, and 1/2.
        "2'b01.2'b00 fpdiv[RTP] 2'b10.2'b11 = 2'b00.2'b10",
        "2'b01.2'b00 / 2'b10.2'b11 = 2'b00.2'b01",
        "2'b01.2'b00 fpdiv[RTZ] 2'b10.2'b11 = 2'b00.2'b01",
        // 3.5 + 3.5 is past the greatest number, 3.5.
        "2'b10.2'b11 + 2'b10.2'b11 = 2'b11.2'b00",
        "2'b10.2'b11 fpadd[RTZ] 2'b10.2'b11 = 2'b10.2'b11",
        "2'b10.2'b11 fpadd[RTN] 2'b10.2'b11 = 2'b10.2'b11",
        "(-2'b10.2'b11) fpadd[RTN] (-2'b10.2'b11) = -2'b11.2'b00",
        // 3.5 + 0.25 is halfway between 3.5 and the 4 that would come next.
        "2'b10.2'b11 fpadd[RNE] 2'b00.2'b01 = 2'b11.2'b00",
        "2'b10.2'b11 fpadd[RTZ] 2'b00.2'b01 = 2'b10.2'b11",
        "2'b01.2'b01 * 2'b01.2'b01 = 2'b01.2'b10",
        "fpsqrt[RNE] 2'b10.2'b00 = 2'b01.2'b10",
        "fpisnan 2'b11.2'b01 and not (2'b11.2'b01 = 2'b11.2'b01)",
        "fptofp[2:3][RNE] 8'd127.23'd1 = 2'b01.2'b00",
        "fptofp[8:24] 2'b01.2'b01 = 8'd127.23'b01000000000000000000000",
        "fpfrombv[2:3][s][RNE] 4'd-3 = -2'b10.2'b10",
        "fptobv[4's][RTZ] 2'b10.2'b11 = 4'd3",
        "2'b00.2'b01 < 2'b00.2'b10 and fpabs -2'b01.2'b00 = 2'b01.2'b00",
    ];
    for expression in holds {
        assert_eq!(condition(expression), "true", "{expression}");
    }
}

/// Sums, differences, products and quotients of a small format against rounding by search among
/// all its values.
#[test]
fn a_small_format_agrees_with_rounding_by_hand() {
    // All values of fp[3:3], in order of their bits: exponent bias 3, steps of 1/16 at the least.
    let value = |bits: u32| -> f64 {
        let (sign, exponent, fraction) = (bits >> 5, bits >> 2 & 7, bits & 3);
        let size = match exponent {
            0 => f64::from(fraction) / 16.0,
            7 if fraction == 0 => f64::INFINITY,
            7 => f64::NAN,
            _ => (1.0 + f64::from(fraction) / 4.0) * 2f64.powi(exponent as i32 - 3),
        };
        if sign == 1 { -size } else { size }
    };
    // The nearest value, of two the one with even bits; 16 would be the one after 14.
    let nearest = |exact: f64| -> f64 {
        if exact.is_nan() || exact.is_infinite() {
            return exact;
        }
        let steps = (0..28).map(|bits| (value(bits), bits));
        let all: Vec<(f64, u32)> = steps.chain([(16.0, 28)]).collect();
        let size = exact.abs();
        let near = all.iter().min_by(|a, b| {
            let (da, db) = ((a.0 - size).abs(), (b.0 - size).abs());
            da.total_cmp(&db).then((a.1 % 2).cmp(&(b.1 % 2)))
        });
        let near = near.unwrap().0;
        let near = if near == 16.0 || size > 16.0 { f64::INFINITY } else { near };
        if exact.is_sign_negative() { -near } else { near }
    };
    let literal = |bits: u32| {
        let sign = if bits >> 5 == 1 { "-" } else { "" };
        format!("({sign}3'd{}.2'd{})", bits >> 2 & 7, bits & 3)
    };
    let written = |wanted: f64| (0..64).find(|bits| value(*bits).to_bits() == wanted.to_bits());
    let mut statements = String::new();
    let mut count = 0;
    for a in (0..64).step_by(3) {
        for b in 0..64 {
            for (op, exact) in [
                ("+", value(a) + value(b)),
                ("-", value(a) - value(b)),
                ("*", value(a) * value(b)),
                ("/", value(a) / value(b)),
            ] {
                let wanted = nearest(exact);
                let (x, y) = (literal(a), literal(b));
                if wanted.is_nan() {
                    statements += &format!("assume fpisnan ({x} {op} {y})\n");
                } else {
                    let wanted = literal(written(wanted).expect("a value of the format"));
                    statements += &format!("assume {x} {op} {y} = {wanted}\n");
                }
                count += 1;
            }
        }
    }
    let text = format!("main process p {{ init loc L L -> L {{ {statements} }} }}");
    let model = loaded(&text, load);
    assert_eq!(messages(&model), [""; 0]);
    let edge = model.program.cfa.edges.iter().next().expect("one edge");
    assert_eq!(edge.ops.len(), count);
    for (op, line) in edge.ops.iter().zip(statements.lines()) {
        let Op::Assume(condition) = op else { panic!("{op:?}") };
        assert!(model.program.terms.is_true(*condition), "{line}");
    }
}

#[test]
fn arbitrary_small_floats_are_values_of_their_format() {
    let text = "main process p { var f : fp[2:3] init loc A loc B A -> B {} B -> B { havoc f } }";
    let model = loaded(text, load);
    assert_eq!(messages(&model), [""; 0]);
    let shapes: Vec<Vec<&str>> = model
        .program
        .cfa
        .edges
        .iter()
        .map(|edge| {
            let shape = |op: &Op| match op {
                Op::Assume(_) => "assume",
                Op::Havoc { .. } => "havoc",
                _ => "other",
            };
            edge.ops.iter().map(shape).collect()
        })
        .collect();
    assert_eq!(shapes, [vec!["assume"], vec!["havoc", "assume"]]);
    // Of all doubles near one, only those with two bits after the point are let through.
    let Op::Assume(inside) = &model.program.cfa.edges.iter().next().unwrap().ops[0] else {
        panic!()
    };
    let terms = &model.program.terms;
    let holds = |value: f64| {
        let value = term::Value::Float(term::Float::from_f64(value));
        terms.eval(*inside, &mut |_| Some(value.clone())).unwrap().as_bool()
    };
    for value in [0.0, -0.0, 0.25, 1.0, 1.25, -3.5, f64::INFINITY, f64::NAN] {
        assert_eq!(holds(value), Some(true), "{value}");
    }
    for value in [0.125, 1.125, 4.0, 1e300, -3.75] {
        assert_eq!(holds(value), Some(false), "{value}");
    }
}

#[test]
fn long_chains_are_one_term() {
    let sum = vec!["x"; 20_000].join(" + ");
    let all = vec!["a"; 20_000].join(" and ");
    let text = format!(
        "main process p {{ var x : int var a : bool init loc L
         L -> L {{ assume {sum} > 0 assume {all} }} }}"
    );
    assert_eq!(messages(&loaded(&text, load)), [""; 0]);
}
