//! The program with further edges that take many rounds of a loop at once.
//!
//! Such an edge is at the head of a loop, before a round. It chooses a way through the round, the inputs
//! that every round is given, and how many rounds there are; the closed forms of the way say what comes
//! of them. So whatever is reached over such an edge is reached by rounds of the loop, which stays as it
//! is. Errors that lie behind many rounds are near in the new program.

use std::collections::{BTreeMap, BTreeSet};

use base::IndexVec;
use cfa::{Choice, LocId, Loops, Op, Program, Reading, Scope, Variable};
use interp::Site;
use term::{Sort, TermId, Terms, Var};

use super::candidates;
use super::loose::Effects;
use super::paths::{Path, WIDTH};
use crate::Rewritten;
use crate::back::{Back, Origin, Source};

/// Programs with more loops than this are left as they are.
const MOST_LOOPS: usize = 50;

/// How many rounds are taken at once at most: an execution has to be replayed round by round.
const MOST_ROUNDS: u128 = 1 << 20;

/// The program with edges for many rounds of its loops. `None` if no loop has any.
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
    let mut after = program.clone();
    after.cfa.edges = IndexVec::new();
    after.cfa.locations.iter_mut().for_each(|location| location.edges.clear());
    let mut back = Back::identity(program);
    (back.edges, back.ops) = (IndexVec::new(), IndexVec::new());
    // Behind each head, where a round begins.
    let mut begins: BTreeMap<LocId, LocId> = BTreeMap::new();
    for head in paths.iter().map(|path| path.head).collect::<BTreeSet<LocId>>() {
        let (function, span) = (old.locations[head].function, old.locations[head].span);
        let new = after.cfa.add_location(function);
        after.cfa.locations[new].span = span;
        back.locations.push(Some(Origin { location: head, whole: true }));
        begins.insert(head, new);
    }
    for (id, edge) in old.edges.entries() {
        let source = begins.get(&edge.source).copied().unwrap_or(edge.source);
        after.cfa.add_edge(source, edge.target, &edge.ops[..], edge.span);
        back.edges.push(Some([id].into()));
        // Edges have fewer than 2^32 operations.
        let ops = 0..edge.ops.len() as u32;
        back.ops.push(ops.map(|op| Source::Op(Site { edge: id, op })).collect());
    }
    for (head, begin) in &begins {
        after.cfa.add_edge(*head, *begin, [], None);
        back.edges.push(Some([].into()));
        back.ops.push([].into());
    }
    for (number, path) in paths.iter().enumerate() {
        let Some(step) = step(program, &mut after, scratch, path, number) else { continue };
        // The interpreter tries edges with operations before an assumption, and asks for the inputs on
        // them even if another edge is taken. So the choice comes first, then the inputs.
        let function = old.locations[path.head].function;
        let (chosen, asked) = (after.cfa.add_location(function), after.cfa.add_location(function));
        back.locations.push(None);
        back.locations.push(None);
        let taken = vec![Source::Added; step.taken.len()];
        let edges = [
            (path.head, chosen, Vec::new(), Vec::new()),
            (chosen, asked, step.asked, step.sources),
            (asked, begins[&path.head], step.taken, taken),
        ];
        for (source, target, ops, sources) in edges {
            after.cfa.add_edge(source, target, ops, None);
            back.edges.push(None);
            back.ops.push(sources.into());
        }
    }
    back.variables = after.cfa.variables.ids().map(|var| back.variable(var)).collect();
    Rewritten { program: after, back }
}

/// The operations that take rounds on a path.
struct Taken {
    /// The operations that ask for the number of rounds and for inputs.
    asked: Vec<Op>,
    /// What the values that `asked` asks for are in the original.
    sources: Vec<Source>,
    /// The operations that say what comes of the rounds.
    taken: Vec<Op>,
}

fn step(
    program: &Program,
    after: &mut Program,
    scratch: &Terms,
    path: &Path,
    number: usize,
) -> Option<Taken> {
    let function = program.cfa.locations[path.head].function;
    let scope = format!("{}::{}$path{number}", after.cfa.functions[function].name, path.head);
    let declare = |after: &mut Program, name: &str, sort: Sort| {
        let variable = Variable {
            scope: Scope::Local(function),
            reading: Reading::Plain,
            source_name: None,
            span: None,
        };
        after.declare(format!("{scope}${name}"), sort, variable)
    };
    let rounds = declare(after, "rounds", Sort::Bv(WIDTH));
    let mut names: BTreeMap<Var, Var> = BTreeMap::from([(path.rounds, rounds)]);
    let chosen = |name: &str| Choice::Input(name.into());
    let mut asked = vec![Op::Havoc { var: rounds, choice: chosen("rounds") }];
    let mut sources = vec![Source::Rounds];
    let symbols = path.inputs.iter().map(|(symbol, site)| (*symbol, Source::EachRound(*site)));
    let others = path.others.iter().map(|symbol| (*symbol, Source::Added));
    for (place, (symbol, source)) in symbols.chain(others).enumerate() {
        let var = declare(after, &format!("input{place}"), scratch.var_sort(symbol));
        names.insert(symbol, var);
        asked.push(Op::Havoc { var, choice: chosen("input of each round") });
        sources.push(source);
    }
    let mut rename = |var: Var| {
        // Other symbols of the table have the numbers of variables that were added here.
        let same = program.cfa.variables.get(var).map(|_| var);
        names.get(&var).copied().or(same)
    };
    let terms = &mut after.terms;
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
