//! Properties of random terms over every operator.

mod common;

use std::collections::HashMap;

use common::World;
use proptest::prelude::*;
use proviso_term::{Evaluator, Sort, TermId, Terms, Value, Var};

fn resolve(terms: &Terms, vars: &[Var]) -> HashMap<String, Var> {
    vars.iter().map(|v| (terms.var_name(*v).to_owned(), *v)).collect()
}

fn eval(world: &World, t: TermId) -> Value {
    world.terms.eval(t, &mut |v| world.env.get(&v).cloned()).expect("every symbol has a value")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(
        std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(4000)
    ))]

    #[test]
    fn simplification_keeps_the_meaning(choices in prop::collection::vec(any::<u32>(), 200..900)) {
        let mut world = World::new(choices);
        let sort = world.sort();
        let expr = world.expr(sort, 4);
        let expected = world.meaning(&expr, &world.env);
        let term = world.build(&expr);
        prop_assert_eq!(world.terms.sort(term), sort);
        let shown = world.terms.display(term).to_string();
        prop_assert_eq!(eval(&world, term), expected.clone(), "{}", shown);
        let compiled = Evaluator::new().eval(&world.terms, term, &world.env);
        prop_assert_eq!(compiled, Ok(expected), "{}", shown);
    }

    #[test]
    fn text_reads_back_as_the_same_term(choices in prop::collection::vec(any::<u32>(), 200..900)) {
        let mut world = World::new(choices);
        let sort = world.sort();
        let expr = world.expr(sort, 5);
        let term = world.build(&expr);
        let text = world.terms.display(term).to_string();
        let names = resolve(&world.terms, &world.vars);
        let again = world.terms.parse(&text, &mut |name| names.get(name).copied());
        prop_assert_eq!(again, Ok(term), "{}", text);
        let sort_text = world.terms.display_sort(sort).to_string();
        prop_assert_eq!(world.terms.parse_sort(&sort_text), Ok(sort));
    }

    #[test]
    fn substitution_commutes_with_evaluation(choices in prop::collection::vec(any::<u32>(), 200..1000)) {
        let mut world = World::new(choices);
        let sort = world.sort();
        let expr = world.expr(sort, 4);
        let term = world.build(&expr);
        let mut images = HashMap::new();
        let mut inner_env = world.env.clone();
        for v in world.terms.vars(term) {
            if world.below(3) == 0 {
                continue;
            }
            let sort = world.terms.var_sort(v);
            let image = world.expr(sort, 2);
            inner_env.insert(v, world.meaning(&image, &world.env));
            let image = world.build(&image);
            images.insert(v, image);
        }
        let expected = world.meaning(&expr, &inner_env);
        let result = world.terms.substitute(term, &mut |v| images.get(&v).copied());
        prop_assert_eq!(eval(&world, result), expected);
    }

    #[test]
    fn equality_of_values_is_equality_of_constants(choices in prop::collection::vec(any::<u32>(), 0..60)) {
        let mut world = World::new(Vec::new());
        let mut other = World::new(choices);
        let sort = Sort::Array(match world.arrays[other.below(3)] {
            Sort::Array(array) => array,
            _ => unreachable!("a list of array sorts"),
        });
        let (a, b) = (other.value(sort), other.value(sort));
        let same = a == b;
        let (a, b) = (world.terms.constant(a), world.terms.constant(b));
        prop_assert_eq!(a == b, same);
        let eq = world.terms.eq(a, b);
        prop_assert_eq!(world.terms.is_true(eq), same);
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in "[()|\\\\ #bx01.;a-z_+!?<>=]{0,60}") {
        let mut terms = Terms::new();
        let x = terms.declare("x", Sort::Bv(8));
        let _ = terms.parse(&text, &mut |_| Some(x));
        let _ = terms.parse_sort(&text);
    }

    #[test]
    fn no_operators_make_the_parser_panic(
        words in prop::collection::vec(prop::sample::select(WORDS.to_vec()), 0..40),
    ) {
        let mut terms = Terms::new();
        let x = terms.declare("x", Sort::Bv(8));
        let y = terms.declare("y", Sort::Int);
        let f = terms.declare("f", Sort::Float(proviso_term::Format::Single));
        let text = words.join(" ");
        let _ = terms.parse(&text, &mut |name| match name {
            "x" => Some(x),
            "y" => Some(y),
            "f" => Some(f),
            _ => None,
        });
        let _ = terms.parse_sort(&text);
    }
}

const WORDS: &[&str] = &[
    "(",
    "(",
    "(",
    ")",
    ")",
    ")",
    "x",
    "y",
    "f",
    "let",
    "((a x))",
    "((a",
    "a",
    "_",
    "extract",
    "7",
    "0",
    "(_ extract 7 0)",
    "(_ zero_extend 4294967295)",
    "(_ repeat 1000000)",
    "(_ rotate_left 9)",
    "(_ bv5 0)",
    "#xff",
    "#b1",
    "1.5",
    "RNE",
    "fp.add",
    "fp.rem",
    "(_ to_fp 8 24)",
    "(_ to_fp 15 64)",
    "fp",
    "-",
    "/",
    "+",
    "=",
    "and",
    "ite",
    "true",
    "bvadd",
    "concat",
    "distinct",
    "=>",
    "xor",
    "(as const (Array Int Int))",
    "select",
    "store",
    "Array",
    "Int",
    "BitVec",
    "|",
    "(_ int2bv 0)",
    "(_ fp.to_sbv 99)",
    "(_ NaN 8 24)",
    "(_ +oo 1 1)",
    "mod",
    "rem",
    "bvsmod",
    "<=",
    ">",
];
