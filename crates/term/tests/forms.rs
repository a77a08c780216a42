//! What terms look like: rules that others rely on, and the text form.

use std::collections::HashMap;

use num_bigint::BigInt;
use num_rational::BigRational;
use proviso_term::{Float, Format, Op, Rounding, Sort, TermId, Terms, Value, Var, View};

/// A table with symbols that text can name.
#[derive(Default)]
struct Fixture {
    terms: Terms,
    names: HashMap<String, Var>,
}

impl Fixture {
    fn new() -> Fixture {
        let mut fixture = Fixture::default();
        let f = &mut fixture;
        for name in ["p", "q"] {
            f.declare(name, Sort::Bool);
        }
        for name in ["i", "j"] {
            f.declare(name, Sort::Int);
        }
        f.declare("r", Sort::Rat);
        for name in ["c", "d"] {
            f.declare(name, Sort::Bv(8));
        }
        for name in ["x", "y"] {
            f.declare(name, Sort::Bv(32));
        }
        for name in ["f", "g"] {
            f.declare(name, Sort::Float(Format::Single));
        }
        f.declare("l", Sort::Float(Format::X87));
        let array = f.terms.array_sort(Sort::Bv(32), Sort::Bv(8));
        f.declare("a", array);
        fixture
    }

    fn declare(&mut self, name: &str, sort: Sort) -> TermId {
        let v = self.terms.declare(name, sort);
        self.names.insert(name.to_owned(), v);
        self.terms.var(v)
    }

    fn parse(&mut self, text: &str) -> TermId {
        let names = &self.names;
        self.terms
            .parse(text, &mut |name| names.get(name).copied())
            .unwrap_or_else(|e| panic!("{text}: {e}"))
    }

    /// Asserts that `text` is simplified to `expected`, which is simple already.
    #[track_caller]
    fn check(&mut self, text: &str, expected: &str) {
        let term = self.parse(text);
        assert_eq!(self.terms.display(term).to_string(), expected, "{text}");
        assert_eq!(self.parse(expected), term, "{expected} is read as another term");
    }
}

#[test]
fn truth_values_of_c() {
    let mut f = Fixture::new();
    f.check("(not (= (ite p #x00000001 #x00000000) #x00000000))", "p");
    f.check("(= (ite p #x00000001 #x00000000) #x00000000)", "(not p)");
    f.check("(= (ite p #x01 #x00) #x02)", "false");
    f.check("(bvslt (ite p #x01 #x00) #x02)", "true");
    f.check("(= ((_ extract 7 0) (ite p #x00000001 #x00000000)) #x01)", "p");
    f.check("(= ((_ zero_extend 24) (ite p #x01 #x00)) #x00000001)", "p");
    f.check("(= (bvand (ite p #x01 #x00) (ite q #x01 #x00)) #x01)", "(and p q)");
    f.check("(= (bvor (ite p #x01 #x00) (ite q #x01 #x00)) #x00)", "(not (or p q))");
    f.check("(= (ite p #x01 #x00) (ite q #x01 #x00))", "(= p q)");
    f.check("(= (ite p (ite q #x01 #x00) #x00) #x01)", "(and p q)");
    f.check("(= (ite p #x01 (ite q #x01 #x00)) #x00)", "(not (or p q))");
    f.check("(not (= (ite (not (= (ite p #x01 #x00) #x00)) #x01 #x00) #x00))", "p");
}

#[test]
fn truth() {
    let mut f = Fixture::new();
    f.check("(and p true (and q p))", "(and p q)");
    f.check("(and q (not q) p)", "false");
    f.check("(or q (not q))", "true");
    f.check("(and (bvult x y) (bvule y x))", "false");
    f.check("(not (bvult x y))", "(bvule y x)");
    f.check("(not (<= i j))", "(< j i)");
    f.check("(not (fp.lt f g))", "(not (fp.lt f g))");
    f.check("(not (not p))", "p");
    f.check("(=> p q)", "(or q (not p))");
    f.check("(xor p q)", "(not (= p q))");
    f.check("(ite p q (not q))", "(= p q)");
    f.check("(ite (not p) x y)", "(ite p y x)");
    f.check("(ite p x x)", "x");
    f.check("(ite (= x y) x y)", "y");
    f.check("(distinct x y)", "(not (= x y))");
}

#[test]
fn arithmetic() {
    let mut f = Fixture::new();
    f.check("(+ (+ i 2) 3)", "(+ i 5)");
    f.check("(- (+ 2 i) 5)", "(+ i (- 3))");
    f.check("(- i i)", "0");
    f.check("(<= (+ i 2) 5)", "(<= i 3)");
    f.check("(= (* 2 i) 5)", "false");
    f.check("(= (* 2 i) 6)", "(= i 3)");
    f.check("(/ r 4.0)", "(* r (/ 1.0 4.0))");
    f.check("(* 1.5 (- 2.0))", "(- 3.0)");
    f.check("(div (- 7) 2)", "(- 4)");
    f.check("(mod (- 7) (- 2))", "1");
    f.check("(rem (- 7) (- 2))", "(- 1)");
    f.check("(div i 0)", "0");
    f.check("(mod i 0)", "i");
    f.check("(to_int (/ (- 7.0) 2.0))", "(- 4)");
}

#[test]
fn bits() {
    let mut f = Fixture::new();
    f.check("(bvadd (bvadd #x00000001 x) #x00000002)", "(bvadd x #x00000003)");
    f.check("(bvsub x #x00000001)", "(bvadd x #xffffffff)");
    f.check("(bvadd (bvsub x y) y)", "x");
    f.check("((_ extract 7 0) ((_ zero_extend 24) c))", "c");
    f.check("((_ extract 15 8) ((_ zero_extend 24) c))", "#x00");
    f.check("((_ zero_extend 16) ((_ zero_extend 8) c))", "((_ zero_extend 24) c)");
    f.check("((_ sign_extend 16) ((_ zero_extend 8) c))", "((_ zero_extend 24) c)");
    f.check("((_ extract 7 0) (bvadd ((_ sign_extend 24) c) #x00000001))", "(bvadd c #x01)");
    f.check("(concat ((_ extract 31 16) x) ((_ extract 15 0) x))", "x");
    f.check("(concat #x000000 c)", "((_ zero_extend 24) c)");
    f.check("(= ((_ zero_extend 24) c) #x00000041)", "(= c #x41)");
    f.check("(= ((_ zero_extend 24) c) #x00000141)", "false");
    f.check("(bvslt ((_ sign_extend 24) c) #x0000000a)", "(bvslt c #x0a)");
    f.check("(bvslt ((_ sign_extend 24) c) #x00000100)", "true");
    f.check("(bvsge ((_ zero_extend 24) c) #x00000000)", "true");
    f.check("(bvult x #x00000000)", "false");
    f.check("(bvult x #x00000001)", "(= x #x00000000)");
    f.check("(bvugt x #x00000000)", "(not (= x #x00000000))");
    f.check("(bvule x #xffffffff)", "true");
    f.check("(bvxor c #xff)", "(bvnot c)");
    f.check("(bvor c (bvnot c))", "#xff");
    f.check("(bvshl (bvshl c #x03) #x05)", "#x00");
    f.check("(bvashr c #x99)", "(bvashr c #x07)");
    f.check("(bvudiv c #x00)", "#xff");
    f.check("(bvurem c #x01)", "#x00");
    f.check("(bvmul c #xff)", "(bvneg c)");
    f.check("(bvusubo x y)", "(bvult x y)");
    f.check("(= (concat c d) #x1234)", "(and (= c #x12) (= d #x34))");
}

#[test]
fn floats() {
    let mut f = Fixture::new();
    f.check("(fp.eq f f)", "(not (fp.isNaN f))");
    f.check("(= f f)", "true");
    f.check("(= (_ +zero 8 24) (_ -zero 8 24))", "false");
    f.check("(fp.eq (_ +zero 8 24) (_ -zero 8 24))", "true");
    f.check("(fp.add RNE f (_ +zero 8 24))", "(fp.add RNE f (_ +zero 8 24))");
    f.check("(fp.mul RTZ f ((_ to_fp 8 24) RNE #x01))", "f");
    f.check("(fp.div RNE ((_ to_fp 8 24) RNE #x01) (_ +zero 8 24))", "(_ +oo 8 24)");
    f.check("((_ to_fp 8 24) #x3f800000)", "(fp #b0 #b01111111 #b00000000000000000000000)");
    f.check("((_ to_fp 8 24) x)", "((_ to_fp 8 24) x)");
    f.check("((_ to_fp 8 24) RTZ x)", "((_ to_fp 8 24) RTZ x)");
    f.check("((_ to_fp 11 53) RNA f)", "((_ to_fp 11 53) RNA f)");
    f.check("((_ to_fp_unsigned 8 24) RNE x)", "((_ to_fp_unsigned 8 24) RNE x)");
    f.check("((_ fp.to_sbv 32) RTZ f)", "((_ fp.to_sbv 32) RTZ f)");
    f.check("((_ fp.to_sbv 8) RTZ (_ NaN 8 24))", "#x80");
    f.check("(fp.fmod f g)", "(fp.fmod f g)");
    f.check("(fp.x87_from_bits (fp.x87_to_bits l))", "(fp.x87_from_bits (fp.x87_to_bits l))");
    f.check("((_ to_fp 15 64) RNE f)", "((_ to_fp 15 64) RNE f)");
    f.check("(fp.sqrt RNE (fp.neg (fp.neg f)))", "(fp.sqrt RNE f)");
    let one = f.terms.float(Float::from_f64(1.0).convert(Rounding::NearestEven, Format::X87));
    let text = f.terms.display(one).to_string();
    assert_eq!(f.parse(&text), one);
}

#[test]
fn arrays() {
    let mut f = Fixture::new();
    f.check("(select (store a x c) x)", "c");
    f.check("(select (store a #x00000001 c) #x00000002)", "(select a #x00000002)");
    f.check("(select (store a x c) (bvadd x #x00000001))", "(select a (bvadd x #x00000001))");
    f.check("(select (store a x c) y)", "(select (store a x c) y)");
    f.check("(store (store a x c) x d)", "(store a x d)");
    f.check("(store a x (select a x))", "a");
    f.check("(select ((as const (Array (_ BitVec 32) (_ BitVec 8))) c) x)", "c");
    let constant = "(store ((as const (Array (_ BitVec 32) (_ BitVec 8))) #x00) #x00000003 #x07)";
    f.check(constant, constant);
    f.check(&format!("(select {constant} #x00000003)"), "#x07");
    // Over two indices, the same map has two ways to be written.
    f.check(
        "(= (store ((as const (Array Bool Bool)) true) false false)
            (store ((as const (Array Bool Bool)) false) true true))",
        "true",
    );
}

#[test]
fn shared_subterms_are_bound() {
    let mut f = Fixture::new();
    f.check(
        "(bvmul (bvudiv (bvmul x y) (bvshl x y)) (bvnot (bvudiv (bvmul x y) (bvshl x y))))",
        "(let ((?0 (bvudiv (bvmul x y) (bvshl x y)))) (bvmul ?0 (bvnot ?0)))",
    );
    // The names of symbols are not captured.
    let v = f.declare("?0", Sort::Bv(32));
    let big = f.parse("(bvudiv (bvmul x y) (bvshl x y))");
    let (quotient, product) = (f.terms.bv_udiv(big, v), f.terms.bv_mul(big, big));
    let term = f.terms.bv_urem(quotient, product);
    let text = f.terms.display(term).to_string();
    assert!(text.starts_with("(let ((?1 "), "{text}");
    assert_eq!(f.parse(&text), term);
    // Bindings of one `let` take effect together, and end with it.
    f.check("(let ((x y) (y x)) (bvudiv x y))", "(bvudiv y x)");
    f.check("(bvudiv (let ((x y)) x) x)", "(bvudiv y x)");
}

#[test]
fn names_are_quoted() {
    let mut f = Fixture::new();
    for (name, text) in [
        ("main::x", "|main::x|"),
        ("with space", "|with space|"),
        ("", "||"),
        ("9lives", "|9lives|"),
        ("true", "|true|"),
        ("RNE", "|RNE|"),
        ("bar|and\\slash", "|bar\\|and\\\\slash|"),
        ("ends\\", "|ends\\\\|"),
        ("größe", "|größe|"),
        ("x!0", "x!0"),
    ] {
        let term = f.declare(name, Sort::Int);
        assert_eq!(f.terms.display(term).to_string(), text);
        assert_eq!(f.parse(text), term);
        let sum = f.terms.int_div(term, term);
        let shown = f.terms.display(sum).to_string();
        assert_eq!(f.parse(&shown), sum);
    }
}

#[test]
fn wrong_text_is_refused_with_its_place() {
    let mut f = Fixture::new();
    let mut refuse = |text: &str, offset: usize, part: &str| {
        let names = &f.names;
        let error = f.terms.parse(text, &mut |name| names.get(name).copied()).expect_err(text);
        assert_eq!(error.offset, offset, "{text}: {error}");
        assert!(error.message.contains(part), "{text}: {error}");
    };
    refuse("", 0, "ends");
    refuse("(bvadd x", 8, "ends");
    refuse("(bvadd x c)", 0, "expected 2 of sort (_ BitVec 32)");
    refuse("(and p (foo p))", 7, "unknown operator `foo`");
    refuse("(and p nothing)", 7, "unknown symbol `nothing`");
    refuse("p q", 2, "expected the end");
    refuse(")", 0, "expected a term");
    refuse("((_ extract 8 0) c)", 0, "not in the vector");
    refuse("#b12", 0, "malformed");
    refuse("(fp.add f g)", 0, "unknown operator");
    refuse("|open", 0, "closing bar");
    refuse("((_ zero_extend 4294967295) c)", 0, "width");
    refuse("(let ((x y) x)", 12, "expected a binding");
    assert!(f.terms.parse_sort("(Array (Array Int Int) Int)").is_err());
    assert!(f.terms.parse_sort("(_ BitVec 0)").is_err());
    assert!(f.terms.parse_sort(&"(Array Int ".repeat(5000)).is_err());
}

#[test]
fn ill_sorted_arguments_are_an_error() {
    let mut f = Fixture::new();
    let (p, x) = (f.parse("p"), f.parse("x"));
    assert!(f.terms.try_app(Op::BvAdd, &[x, p]).is_err());
    assert!(f.terms.try_app(Op::And, &[p, x]).is_err());
    assert!(f.terms.try_app(Op::Not, &[]).is_err());
    assert!(f.terms.try_app(Op::Ite, &[p, x]).is_err());
    assert!(f.terms.try_app(Op::BvExtract { high: 32, low: 0 }, &[x]).is_err());
    let message = f.terms.try_app(Op::BvAdd, &[x, p]).map_err(|e| e.to_string());
    assert_eq!(
        message,
        Err("BvAdd: expected 2 of sort (_ BitVec 32), found ((_ BitVec 32) Bool)".into())
    );
}

#[test]
fn values_print() {
    let third = BigRational::new(BigInt::from(-1), BigInt::from(3));
    assert_eq!(Value::Rat(third).to_string(), "(/ (- 1.0) 3.0)");
    assert_eq!(Value::Int(BigInt::from(-5)).to_string(), "(- 5)");
}

#[test]
fn a_conjunction_grown_one_by_one_stays_small() {
    let mut terms = Terms::new();
    let mut all = terms.bool(true);
    for index in 0..20_000 {
        let v = terms.declare(format!("b{index}"), Sort::Bool);
        let b = terms.var(v);
        all = terms.and2(all, b);
    }
    assert_eq!(terms.vars(all).len(), 20_000);
    let View::App(Op::And, args) = terms.view(all) else { panic!("a conjunction") };
    assert!(args.len() <= 20);
}
