//! Certificates by hand.

#![allow(dead_code, missing_docs, reason = "each test uses a part of it")]

use std::collections::BTreeMap;

use cfa::{EdgeId, FuncId, LocId, Loops, Program};
use proviso_certify::{
    Certificate, Certified, Checked, Entry, FunctionClaim, Kept, LoopClaim, Rounds, Slot, certify,
};
use run::Budget;
use smt::Builtin;
use term::Var;

pub fn c(text: &str) -> Program {
    let mut sources = base::SourceMap::new();
    let text = format!(
        "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n\
         void __VERIFIER_assert(int holds) {{ if (!holds) reach_error(); }}\n{text}"
    );
    let file = sources.add("test.c", text.as_bytes()).expect("a short file");
    // Inline assembly stands for what is not modelled.
    let options =
        frontend::Options { assembly: frontend::Assembly::Error, ..frontend::Options::default() };
    let loaded = frontend::c::load(sources, &[file], &options);
    assert!(!loaded.diagnostics.has_errors(), "{:?}", loaded.diagnostics.iter().next());
    loaded.program
}

/// A certificate in the making.
pub struct Draft<'p> {
    pub program: &'p Program,
    pub certificate: Certificate,
}

impl<'p> Draft<'p> {
    pub fn new(program: &'p Program) -> Self {
        Self { program, certificate: Certificate::new(program.terms.clone()) }
    }

    /// The head of the loop of a function with this number.
    pub fn head(&self, function: &str, number: usize) -> LocId {
        let cfa = &self.program.cfa;
        let loops = Loops::of(cfa);
        let mut heads = loops.loops.iter().map(|each| each.head);
        let named = |at: &LocId| &*cfa.functions[cfa.locations[*at].function].name == function;
        heads.by_ref().filter(named).nth(number).expect("a loop")
    }

    /// The calls that lead through functions by these names, the start left out. A number after a
    /// name picks out one of several calls.
    pub fn calls(&self, names: &[&str]) -> Vec<EdgeId> {
        let cfa = &self.program.cfa;
        let mut at = cfa.start.expect("a start");
        let mut calls = Vec::new();
        for name in names {
            let (name, number) = name.split_once('#').unwrap_or((name, "0"));
            let number: usize = number.parse().expect("a number");
            let fits = |(_, edge): &(EdgeId, &cfa::Edge)| {
                cfa.locations[edge.source].function == at
                    && edge.callee().is_some_and(|callee| &*cfa.functions[callee].name == name)
            };
            let (call, edge) = cfa.edges.entries().filter(fits).nth(number).expect("a call");
            at = edge.callee().expect("a callee");
            calls.push(call);
        }
        calls
    }

    /// Claims a formula at the head of a loop. `x@2` is the local of the activation at depth two,
    /// `a[4:2]` are two bytes of an object.
    pub fn claim(&mut self, calls: &[&str], head: (&str, usize), formula: &str) {
        self.claim_with(calls, head, formula, Vec::new());
    }

    pub fn claim_with(
        &mut self,
        calls: &[&str],
        head: (&str, usize),
        formula: &str,
        kept: Vec<Kept>,
    ) {
        let location = self.head(head.0, head.1);
        let calls = self.calls(calls);
        let formula = {
            let known = self.names(&calls);
            let resolve = &mut |name: &str| known.get(name).copied();
            self.certificate.terms.parse(formula, resolve).expect("a formula")
        };
        self.certificate.entries.push(Entry { location, calls, formula, kept });
    }

    /// Claims a formula before all rounds of a loop but the first so many, with `k`. `x@2~` is what the local
    /// was before the loop.
    pub fn rounds(
        &mut self,
        calls: &[&str],
        head: (&str, usize),
        formula: &str,
        (from, k): (u32, u32),
    ) {
        let head = self.head(head.0, head.1);
        let calls = self.calls(calls);
        let known = self.names(&calls);
        let resolve = &mut |name: &str| known.get(name).copied();
        let formula = self.certificate.terms.parse(formula, resolve).expect("a formula");
        let rounds = self.certificate.rounds.get_or_insert_with(Rounds::default);
        rounds.loops.push(LoopClaim { head, calls, formula, from, k });
    }

    /// Claims that no loop makes more rounds than so many.
    pub fn at_most(&mut self, most: u32) {
        self.certificate.rounds.get_or_insert_with(Rounds::default).most = most;
    }

    /// Claims something of a function by this name: what holds where it begins (none for the start of the
    /// program), at the heads of its loops, and where it returns. `x@1` is a local of it.
    pub fn function(
        &mut self,
        name: &str,
        before: Option<&str>,
        heads: &[(usize, &str)],
        after: &[&str],
    ) {
        let cfa = &self.program.cfa;
        let named = |(_, function): &(FuncId, &cfa::Function)| &*function.name == name;
        let (id, function) = cfa.functions.entries().find(named).expect("a function");
        let known = self.names_in(std::iter::once(id));
        let heads: Vec<(LocId, &str)> =
            heads.iter().map(|(number, formula)| (self.head(name, *number), *formula)).collect();
        let mut entry = |location: LocId, formula: &str| {
            let resolve = &mut |name: &str| known.get(name).copied();
            let formula = self.certificate.terms.parse(formula, resolve).expect("a formula");
            Entry { location, calls: Vec::new(), formula, kept: Vec::new() }
        };
        let claim = FunctionClaim {
            function: id,
            before: before.map(|formula| entry(function.entry, formula)),
            entries: heads.into_iter().map(|(head, formula)| entry(head, formula)).collect(),
            after: after.iter().map(|formula| entry(function.exit, formula)).collect(),
        };
        self.certificate.functions.push(claim);
    }

    /// Everything that can be named with these calls.
    fn names(&mut self, calls: &[EdgeId]) -> BTreeMap<String, Var> {
        let cfa = &self.program.cfa;
        let callees = calls.iter().filter_map(|call| cfa.edges[*call].callee());
        self.names_in(cfa.start.into_iter().chain(callees))
    }

    /// Everything that can be named where these functions are active, the first one first.
    fn names_in(&mut self, functions: impl Iterator<Item = FuncId>) -> BTreeMap<String, Var> {
        let cfa = &self.program.cfa;
        let mut known = BTreeMap::new();
        for (var, _) in cfa.variables.entries() {
            known.insert(self.program.terms.var_name(var).to_owned(), var);
        }
        for (depth, function) in (1..).zip(functions) {
            for var in &cfa.functions[function].locals {
                let slot = Slot::Local { depth, var: *var };
                self.certificate.slot(slot);
                let name = self.program.terms.var_name(*var);
                let short = name.rsplit("::").next().unwrap_or(name);
                known.insert(format!("{short}@{depth}"), self.certificate.symbols[&slot]);
                let before = Slot::Before { depth, var: *var };
                self.certificate.slot(before);
                known.insert(format!("{short}@{depth}~"), self.certificate.symbols[&before]);
            }
        }
        for (object, of) in cfa.objects.entries().filter(|(_, each)| each.size <= 64) {
            for offset in 0..of.size {
                for length in [1, 2, 4, 8] {
                    if offset + u64::from(length) <= of.size {
                        let slot = Slot::Bytes { object, offset, length };
                        self.certificate.slot(slot);
                        let name = format!("{}[{offset}:{length}]", of.name);
                        known.insert(name, self.certificate.symbols[&slot]);
                    }
                }
            }
        }
        known
    }

    pub fn check(self) -> Checked {
        self.check_within(&Budget::default())
    }

    pub fn check_within(self, limits: &Budget) -> Checked {
        certify(self.program, self.certificate, &mut Builtin::new(), limits)
    }

    pub fn holds(self) -> Checked {
        let outcome = self.check();
        assert_eq!(outcome.certified, Certified::Holds);
        outcome
    }

    pub fn refuted(self, what: &str) {
        match self.check().certified {
            Certified::Refuted(why) => assert!(why.contains(what), "{why}"),
            other => panic!("{other:?}"),
        }
    }

    /// Not certified, however that is said, for a reason with these words.
    pub fn fails(self, what: &str) {
        match self.check().certified {
            Certified::Refuted(why) | Certified::Open(why) => assert!(why.contains(what), "{why}"),
            Certified::Holds => panic!("certified"),
        }
    }

    pub fn open(self, what: &str) {
        match self.check().certified {
            Certified::Open(why) => assert!(why.contains(what), "{why}"),
            other => panic!("{other:?}"),
        }
    }
}
