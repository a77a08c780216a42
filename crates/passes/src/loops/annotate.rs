//! The program with facts about rounds at the heads of its loops.
//!
//! Every loop that has facts gets variables that nothing else reads: the values before the first round
//! and the number of completed rounds. At the head of the loop the facts are assumed. The facts hold in
//! every execution, so the executions are those of the original; but an analysis that forgets the effect
//! of rounds is told these facts.

use std::collections::{BTreeMap, BTreeSet};

use cfa::{LocId, Loops, Op, Program};
use term::{Sort, TermId, Terms, Var};

use super::candidates;
use super::facts::{COUNT, Facts};
use super::grown::Grown;
use super::loose::Effects;
use crate::Rewritten;

/// Programs with more loops than this are left as they are.
const MOST_LOOPS: usize = 200;

/// The program with facts at the heads of its loops. `None` if no loop has facts.
#[must_use]
pub fn annotate(program: &Program) -> Option<Rewritten> {
    let loops = Loops::of(&program.cfa);
    let effects = Effects::new(&program.cfa);
    let mut terms = program.terms.clone();
    let mut found = Vec::new();
    for (id, head) in candidates(program, &loops, MOST_LOOPS) {
        // Executions that begin at the head take no edge on which something could be remembered.
        let function = &program.cfa.functions[program.cfa.locations[head].function];
        if function.entry != head
            && let Some(facts) = Facts::of(program, &loops, &effects, head, &mut terms)
        {
            let body: BTreeSet<LocId> = loops.body(id).iter().copied().collect();
            found.push((facts, body));
        }
    }
    (!found.is_empty()).then(|| rewrite(program, &terms, found))
}

/// The locations and the variables that a loop gets.
struct AnnotatedLoop {
    body: BTreeSet<LocId>,
    /// The location between the edges from outside and the head.
    entered: LocId,
    /// The location between the edges from inside and the head.
    returned: LocId,
    /// The location behind the head, where the facts hold.
    known: LocId,
    /// The variable that counts rounds.
    count: Var,
    /// For variables that a round may change, the variables that hold their values before the first round.
    first: BTreeMap<Var, Var>,
    /// The values of variables at the head.
    values: Vec<(Var, TermId)>,
    /// The other facts that hold at the head.
    facts: TermId,
}

fn rewrite(program: &Program, scratch: &Terms, found: Vec<(Facts, BTreeSet<LocId>)>) -> Rewritten {
    let mut grown = Grown::of(program, program.terms.clone());
    let mut places: BTreeMap<LocId, AnnotatedLoop> = BTreeMap::new();
    for (facts, body) in found {
        places.insert(facts.head, place(program, &mut grown, scratch, &facts, body));
    }
    for (id, edge) in program.cfa.edges.entries() {
        let source = places.get(&edge.source).map_or(edge.source, |place| place.known);
        let target = places.get(&edge.target).map_or(edge.target, |place| {
            if place.body.contains(&edge.source) { place.returned } else { place.entered }
        });
        grown.keep(id, source, target, 0);
    }
    for (head, place) in places {
        let terms = &mut grown.after.terms;
        let (zero, one) = (terms.bv(COUNT, 0), terms.bv(COUNT, 1));
        let rounds = terms.var(place.count);
        let next = terms.bv_add(rounds, one);
        let mut start = vec![Op::Assign { var: place.count, value: zero }];
        for (var, first) in &place.first {
            start.push(Op::Assign { var: *first, value: terms.var(*var) });
        }
        // Each variable has this value already: an analysis that has forgotten the value gets to know it again.
        let values =
            place.values.iter().map(|(var, value)| Op::Assign { var: *var, value: *value });
        let known = values.chain([Op::Assume(place.facts)]).collect();
        grown.add(place.entered, head, start);
        grown.add(place.returned, head, vec![Op::Assign { var: place.count, value: next }]);
        grown.add(head, place.known, known);
    }
    grown.finish()
}

/// Adds the locations and the variables of a loop, and its facts to the table.
fn place(
    program: &Program,
    grown: &mut Grown<'_>,
    scratch: &Terms,
    facts: &Facts,
    body: BTreeSet<LocId>,
) -> AnnotatedLoop {
    let head = facts.head;
    let function = program.cfa.locations[head].function;
    let scope = format!("{}::{head}", program.cfa.functions[function].name);
    let count = grown.declare(function, format!("{scope}$completed"), Sort::Bv(COUNT));
    let mut first: BTreeMap<Var, Var> = BTreeMap::new();
    for fact in facts.list.iter().chain(facts.values.iter().map(|(_, value)| value)) {
        for var in scratch.vars(*fact) {
            if facts.now.contains_key(&var) && !first.contains_key(&var) {
                let name = format!("{scope}$first${}", scratch.var_name(var));
                first.insert(var, grown.declare(function, name, scratch.var_sort(var)));
            }
        }
    }
    let names: BTreeMap<Var, Var> = facts.now.iter().map(|(var, now)| (*now, *var)).collect();
    let mut rename = |var: Var| {
        if var == facts.count {
            return Some(count);
        }
        // A symbol of `scratch` that is no variable of the program may have the number of a variable that was added
        // here.
        let same = program.cfa.variables.get(var).map(|_| var);
        first.get(&var).or_else(|| names.get(&var)).copied().or(same)
    };
    let terms = &mut grown.after.terms;
    let list: Vec<TermId> =
        facts.list.iter().filter_map(|fact| terms.import(scratch, *fact, &mut rename)).collect();
    let all = terms.and(&list);
    let mut values = Vec::new();
    for (var, value) in &facts.values {
        values.extend(terms.import(scratch, *value, &mut rename).map(|value| (*var, value)));
    }
    let mut copy = |whole: bool| grown.copy(head, whole);
    let (entered, returned, known) = (copy(false), copy(false), copy(true));
    AnnotatedLoop { body, entered, returned, known, count, first, values, facts: all }
}
