//! Certificates of real proofs: they hold, and with a change they mostly do not.

#![allow(missing_docs)]

mod common;

use certify::{Certificate, Certified};
use cfa::Program;
use common::{Setting, c, certified, predicate};
use cpa::Ended;
use proviso_domains::predicate::{Blocks, Options};
use term::{Op, TermId, View};

const PROGRAMS: [&str; 6] = [
    "int main(void) { unsigned x = 0; while (x < 10) x++; if (x != 10) reach_error(); }",
    "int main(void) {
  int x = 0, y = 0;
  while (nondet()) { x++; y++; if (x == 5) { x = 0; y = 0; } }
  if (x != y) reach_error();
}",
    "int locked = 0;
void lock(void) { if (locked) reach_error(); locked = 1; }
void unlock(void) { if (!locked) reach_error(); locked = 0; }
int main(void) { while (nondet()) { lock(); if (nondet()) { unlock(); lock(); } unlock(); } }",
    "int up(int n) { int i = 0; while (i < n) i++; return i; }
int main(void) { int a = up(2); int b = up(3); if (a + b != 5) reach_error(); }",
    "int table[3] = {4, 5, 6};
int main(void) {
  int i = 0, s = 0;
  while (i < 3) { s = s + 1; table[1] = s; i++; }
  if (table[0] != 4 || table[1] != 3) reach_error();
}",
    "int fall(int n) { if (n <= 0) return 0; return 1 + fall(n - 1); }
int main(void) { int k = 0; while (k < 3) k++; if (fall(k) != 3) reach_error(); }",
];

fn program(text: &str) -> Program {
    c(&format!("extern int nondet(void); extern void reach_error(void);\n{text}"))
}

/// The certificates of all proofs of a program that are found.
fn certificates(program: &Program) -> Vec<(&'static str, Certificate)> {
    let mut found = Vec::new();
    let done = common::run(program, Setting::default());
    if matches!(done.ended, Ended::Safe) {
        found.push(("values", done.certificate()));
    }
    for (name, blocks) in [("loops", Blocks::Loop), ("edges", Blocks::Edge)] {
        // Edge by edge, some of these programs have a thousand states.
        if blocks == Blocks::Edge && program.cfa.functions.len() > 2 {
            continue;
        }
        let options = Options { blocks, ..Options::default() };
        let setting = predicate::Setting { options, ..predicate::Setting::default() };
        let done = predicate::run(program, setting, |_| ());
        if done.verdict() == "safe" {
            found.push((name, done.certificate(program)));
        }
    }
    found
}

/// The certificate with one formula replaced.
fn with(certificate: &Certificate, index: usize, formula: TermId) -> Certificate {
    let mut changed = certificate.clone();
    changed.entries[index].formula = formula;
    changed
}

/// A certificate with more entries is not changed: each change costs a whole check.
const LARGE: usize = 40;

/// So many entries of a certificate are changed, one at a time.
const MOST_CHANGED: usize = 4;

/// The ways in which one entry is changed.
fn mutants(certificate: &mut Certificate) -> Vec<(&'static str, Certificate)> {
    let mut mutants = Vec::new();
    let step = certificate.entries.len().div_ceil(MOST_CHANGED);
    for index in (0..certificate.entries.len()).step_by(step.max(1)) {
        let formula = certificate.entries[index].formula;
        let mut dropped = certificate.clone();
        dropped.entries.remove(index);
        mutants.push(("dropped", dropped));
        if certificate.terms.is_true(formula) {
            continue;
        }
        let not = certificate.terms.not(formula);
        mutants.push(("negated", with(certificate, index, not)));
        let yes = certificate.terms.bool(true);
        mutants.push(("true", with(certificate, index, yes)));
        if let View::App(Op::And, parts) = certificate.terms.view(formula) {
            let parts = parts.to_vec();
            for part in 0..parts.len() {
                let mut rest = parts.clone();
                rest.remove(part);
                let weaker = certificate.terms.and(&rest);
                mutants.push(("weakened", with(certificate, index, weaker)));
            }
        }
        if !certificate.entries[index].kept.is_empty() {
            let mut changed = certificate.clone();
            changed.entries[index].kept.clear();
            mutants.push(("without first bytes", changed));
        }
    }
    mutants
}

#[test]
fn proofs_are_certified_and_most_changes_are_noticed() {
    let mut counts = std::collections::BTreeMap::new();
    for text in PROGRAMS {
        let program = program(text);
        let all = certificates(&program);
        assert!(!all.is_empty(), "no proof of {text}");
        for (name, mut certificate) in all {
            assert_eq!(certified(&program, certificate.clone()), Certified::Holds, "{name} {text}");
            // Of large ones there are enough elsewhere.
            if certificate.entries.len() > LARGE {
                continue;
            }
            for (how, mutant) in mutants(&mut certificate) {
                let noticed = certified(&program, mutant) != Certified::Holds;
                let (seen, of) = counts.entry(how).or_insert((0, 0));
                *of += 1;
                *seen += usize::from(noticed);
            }
        }
    }
    let text = format!("{counts:?}");
    // What is weakened may still be enough, and an entry may be more than is needed; an entry that
    // is turned round is always wrong where the entry itself was needed.
    let noticed = |how: &str, percent: usize| {
        let (seen, of) = counts.get(how).copied().unwrap_or_default();
        assert!(of > 0 && 100 * seen >= percent * of, "{how}: {text}");
    };
    noticed("dropped", 90);
    noticed("negated", 90);
    noticed("true", 60);
    noticed("weakened", 40);
}
