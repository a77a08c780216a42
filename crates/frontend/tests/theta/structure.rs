//! Locations, edges, variables.

use cfa::Scope;
use proviso_frontend::theta::load;

use crate::render::{loaded, messages, program, variables};

#[test]
fn a_process_becomes_a_function() {
    let text = "
        var limit : int
        main process count(first : int) {
            var i : int
            init loc START
            loc LOOP
            final loc END
            error loc ERR
            START -> LOOP { assume first >= 0  i := first }
            LOOP -> LOOP { assume i < limit; i := i + 1 }
            LOOP -> END { assume i >= limit }
            LOOP -> ERR { assume i > limit  havoc i }
            LOOP -> END
        }";
    let model = loaded(text, load);
    assert_eq!(messages(&model), [""; 0]);
    let expected = "\
count: entry START, exit END, errors [ERR]
START -> LOOP: assume (<= 0 first); i := first
LOOP -> LOOP: assume (< i limit); i := (+ i 1)
LOOP -> END: assume (<= limit i)
LOOP -> ERR: assume (< limit i); havoc i
LOOP -> END: 
";
    assert_eq!(program(&model.program), expected);
    assert_eq!(variables(&model.program), ["limit : Int", "first : Int", "i : Int"]);
    let cfa = &model.program.cfa;
    let function = &cfa.functions[cfa.start.unwrap()];
    assert_eq!(function.parameters.len(), 1);
    assert_eq!(function.locals.len(), 2);
    let scopes: Vec<Scope> = cfa.variables.iter().map(|variable| variable.scope).collect();
    let local = Scope::Local(cfa.start.unwrap());
    assert_eq!(scopes, [Scope::Global, local, local]);
}

#[test]
fn every_type_has_its_sort() {
    let text = "main process p {
        var a : bool  var b : int  var c : rat  var d : bv[8]
        var e : fp[8:24]  var f : fp[11,53]  var g : [int] -> [bv[2]] -> bool
        var h : fp[15:113]  var i : fp[5:11]  var j : fp[15:64]
        init loc L }";
    let model = loaded(text, load);
    assert_eq!(messages(&model), [""; 0]);
    assert_eq!(
        variables(&model.program),
        [
            "a : Bool",
            "b : Int",
            "c : Real",
            "d : (_ BitVec 8)",
            "e : (_ FloatingPoint 8 24)",
            "f : (_ FloatingPoint 11 53)",
            "g : (Array Int (Array (_ BitVec 2) Bool))",
            "h : (_ FloatingPoint 15 113)",
            "i : (_ FloatingPoint 5 11)",
            "j : (_ FloatingPoint 15 64)",
        ]
    );
}

#[test]
fn several_final_locations_lead_to_one_exit_and_none_leaves_it_alone() {
    let text = "main process p { init loc A final loc B final loc C A -> B {} A -> C {} }";
    let model = loaded(text, load);
    assert_eq!(
        program(&model.program),
        "p: entry A, exit B, errors []\nA -> B: \nA -> C: \nC -> B: \n"
    );
    let model = loaded("main process p { init loc A }", load);
    assert_eq!(program(&model.program), "p: entry A, exit L1, errors []\n");
}

#[test]
fn no_edge_leaves_the_exit_or_an_error() {
    let text = "main process p { init loc A final loc B error loc E
        A -> B {} B -> A {} A -> E {} E -> A { assume 1 = 2 } }";
    let model = loaded(text, load);
    assert_eq!(
        messages(&model),
        ["2:39 warning: this edge leaves an error location and is never taken"]
    );
    let expected = "\
p: entry A, exit L1, errors [E]
A -> B: 
B -> A: 
A -> E: 
B -> L1: 
";
    assert_eq!(program(&model.program), expected);
}

#[test]
fn declarations_may_follow_their_use() {
    let text = "main process p { A -> B { x := y } var x : int loc B init loc A } var y : int";
    let model = loaded(text, load);
    assert_eq!(messages(&model), [""; 0]);
    assert_eq!(program(&model.program), "p: entry A, exit L1, errors []\nA -> B: x := y\n");
}

#[test]
fn a_local_variable_hides_a_global_one() {
    let text = "var x : bool main process p { var x : int init loc A A -> A { x := 1 } }";
    let model = loaded(text, load);
    assert_eq!(messages(&model), [""; 0]);
    assert_eq!(variables(&model.program), ["x : Bool", "p.x : Int"]);
    let names = model.program.cfa.variables.iter().map(|each| each.source_name.as_deref());
    assert_eq!(names.collect::<Vec<_>>(), [Some("x"), Some("x")]);
    assert!(program(&model.program).contains("p.x := 1"));
}

#[test]
fn structural_words_can_be_names() {
    let text = "main process process {
        var main : int  var s : int  var u : int  var error : int
        init loc init  loc loc  final loc final  error loc error
        init -> loc { main := s + u }
        loc -> error { assume error = 0 }
        loc -> final {}
    }";
    let model = loaded(text, load);
    assert_eq!(messages(&model), [""; 0]);
    let expected = "\
process: entry init, exit final, errors [error]
init -> loc: main := (+ s u)
loc -> error: assume (= error 0)
loc -> final: 
";
    assert_eq!(program(&model.program), expected);
}

#[test]
fn elements_of_arrays_are_assigned() {
    let text = "main process p {
        var a : [int] -> int  var m : [int] -> [int] -> int  var i : int
        init loc L
        L -> L { a[i] := 5  m[1][i] := a[i]  a := a[0 <- 1] }
    }";
    let model = loaded(text, load);
    assert_eq!(messages(&model), [""; 0]);
    let expected = "\
p: entry L, exit L1, errors []
L -> L: a := (store a i 5); \
m := (store m 1 (store (select m 1) i (select a i))); a := (store a 0 1)
";
    assert_eq!(program(&model.program), expected);
}

#[test]
fn a_returned_value_is_a_result() {
    let text = "main process p { var x : int init loc A final loc B A -> B { return x + 1 } }";
    let model = loaded(text, load);
    assert_eq!(messages(&model), [""; 0]);
    assert_eq!(
        program(&model.program),
        "p: entry A, exit B, errors []\nA -> B: p.return := (+ x 1)\n"
    );
    let function = &model.program.cfa.functions[model.program.cfa.start.unwrap()];
    assert_eq!(function.results.len(), 1);
}

#[test]
fn edges_keep_their_places() {
    let text = "main process p {\n  init loc A\n  A -> A {\n    assume true\n  }\n}";
    let model = loaded(text, load);
    let cfa = &model.program.cfa;
    let span = cfa.edges.iter().next().unwrap().span.unwrap();
    let sources = &model.program.sources;
    assert_eq!(sources.slice(span), b"A -> A {\n    assume true\n  }");
    let entry = cfa.functions[cfa.start.unwrap()].entry;
    assert_eq!(sources.slice(cfa.locations[entry].span.unwrap()), b"init loc A");
}

#[test]
fn other_processes_never_run() {
    let text = "process q { init loc X X -> Y { nonsense := 1 } }
                main process p { init loc A error loc B }";
    let model = loaded(text, load);
    assert_eq!(messages(&model), ["1:9 warning: the process `q` never runs"]);
    assert_eq!(program(&model.program), "p: entry A, exit L1, errors [B]\n");
}

#[test]
fn comments_are_passed_over() {
    let text = b"// \xff not UTF-8 \x00\nmain process p { /* init loc B */ init loc A // x\n }";
    let model = loaded(text, load);
    assert_eq!(messages(&model), [""; 0]);
    assert_eq!(program(&model.program), "p: entry A, exit L1, errors []\n");
}
