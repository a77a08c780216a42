//! The program with further edges that take many rounds of a loop at once.
//!
//! Such an edge is at the head of a loop, before a round. It chooses a way through the round, the inputs
//! that every round is given, and how many rounds there are; the closed forms of the way say what comes
//! of them. So whatever is reached over such an edge is reached by rounds of the loop, which stays as it
//! is. Errors that lie behind many rounds are near in the new program.

use std::collections::{BTreeMap, BTreeSet};

use cfa::{Choice, LocId, Loops, Op, Program};
use term::{Sort, TermId, Terms, Var};

use super::candidates;
use super::grown::Grown;
use super::loose::Effects;
use super::paths::{Path, WIDTH};
use crate::Rewritten;
use crate::back::OperationOrigin;

/// Programs with more loops than this are left as they are.
const MOST_LOOPS: usize = 50;

/// How many rounds are taken at once at most: an execution has to be replayed round by round.
const MOST_ROUNDS: u128 = 1 << 20;

/// The program with edges for many rounds of its loops. `None` if no loop has such edges.
#[must_use]
pub fn accelerate(program: &Program) -> Option<Rewritten> {
    let loops = Loops::of(&program.cfa);
    let effects = Effects::new(&program.cfa);
    let mut terms = program.terms.clone();
    let mut paths = Vec::new();
    for (_, head) in candidates(program, &loops, MOST_LOOPS) {
        paths.extend(Path::all(program, &loops, &effects, head, &mut terms));
    }
    (!paths.is_empty()).then(|| rewrite(program, &terms, &paths))
}

fn rewrite(program: &Program, scratch: &Terms, paths: &[Path]) -> Rewritten {
    let old = &program.cfa;
    let mut grown = Grown::of(program, program.terms.clone());
    // For each head the location behind it, where a round begins.
    let mut begins: BTreeMap<LocId, LocId> = BTreeMap::new();
    for head in paths.iter().map(|path| path.head).collect::<BTreeSet<LocId>>() {
        begins.insert(head, grown.copy(head, true));
    }
    for (id, edge) in old.edges.entries() {
        let source = begins.get(&edge.source).copied().unwrap_or(edge.source);
        grown.keep(id, source, edge.target, 0);
    }
    for (head, begin) in &begins {
        grown.add(*head, *begin, Vec::new());
    }
    for (number, path) in paths.iter().enumerate() {
        let Some(step) = step(program, &mut grown, scratch, path, number) else { continue };
        // The interpreter tries edges with operations before an assumption, and asks for the inputs on
        // them even if another edge is taken. So the choice comes first, then the inputs.
        let function = old.locations[path.head].function;
        let (chosen, asked) = (grown.add_location(function), grown.add_location(function));
        let taken = vec![OperationOrigin::Added; step.taken.len()];
        grown.add_ways(path.head, chosen, Vec::new(), Vec::new());
        grown.add_ways(chosen, asked, step.asked, step.sources);
        grown.add_ways(asked, begins[&path.head], step.taken, taken);
    }
    grown.finish()
}

/// The operations that take rounds on a path.
struct Taken {
    /// The operations that ask for the number of rounds and for inputs.
    asked: Vec<Op>,
    /// What the values that `asked` asks for are in the original.
    sources: Vec<OperationOrigin>,
    /// The operations that say what comes of the rounds.
    taken: Vec<Op>,
}

fn step(
    program: &Program,
    grown: &mut Grown<'_>,
    scratch: &Terms,
    path: &Path,
    number: usize,
) -> Option<Taken> {
    let function = program.cfa.locations[path.head].function;
    let head = path.head;
    let scope = format!("{}::{head}$path{number}", grown.after.cfa.functions[function].name);
    let mut declare =
        |name: &str, sort: Sort| grown.declare(function, format!("{scope}${name}"), sort);
    let rounds = declare("rounds", Sort::Bv(WIDTH));
    let mut names: BTreeMap<Var, Var> = BTreeMap::from([(path.rounds, rounds)]);
    let chosen = |name: &str| Choice::Input(name.into());
    let mut asked = vec![Op::Havoc { var: rounds, choice: chosen("rounds") }];
    let mut sources = vec![OperationOrigin::Rounds];
    let symbols =
        path.inputs.iter().map(|(symbol, site)| (*symbol, OperationOrigin::EachRound(*site)));
    let others = path.others.iter().map(|symbol| (*symbol, OperationOrigin::Added));
    for (place, (symbol, source)) in symbols.chain(others).enumerate() {
        let var = declare(&format!("input{place}"), scratch.var_sort(symbol));
        names.insert(symbol, var);
        asked.push(Op::Havoc { var, choice: chosen("input of each round") });
        sources.push(source);
    }
    let mut rename = |var: Var| {
        // A symbol of `scratch` that is no variable of the program may have the number of a variable that was added
        // here.
        let same = program.cfa.variables.get(var).map(|_| var);
        names.get(&var).copied().or(same)
    };
    let terms = &mut grown.after.terms;
    let mut import = |term: TermId| terms.import(scratch, term, &mut rename);
    let (finite, most) = (import(path.count.finite)?, import(path.count.rounds)?);
    let mut taken = Vec::new();
    for (var, value) in &path.values {
        taken.push(Op::Assign { var: *var, value: import(*value)? });
    }
    taken.insert(0, Op::Assume(within(terms, rounds, finite, most)));
    Some(Taken { asked, sources, taken })
}

/// The condition that a number of rounds is not zero, not too large, and completed.
fn within(terms: &mut Terms, rounds: Var, finite: TermId, most: TermId) -> TermId {
    let rounds = terms.var(rounds);
    let (one, limit) = (terms.bv(WIDTH, 1), terms.bv(WIDTH, MOST_ROUNDS));
    let some = terms.bv_ule(one, rounds);
    let few = terms.bv_ule(rounds, limit);
    let width = terms.width(most).max(WIDTH);
    let (rounds, most) = (terms.bv_zero_extend(width, rounds), terms.bv_zero_extend(width, most));
    let completed = terms.bv_ule(rounds, most);
    let completed = terms.implies(finite, completed);
    terms.and(&[some, few, completed])
}
