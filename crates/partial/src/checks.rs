//! The checks of a program: its asserts and error calls, and what is known of each.

use std::collections::{BTreeMap, BTreeSet};

use base::IndexVec;
use cfa::{Calls, Edge, EdgeId, Fault, FuncId, LocId, Loops, ObjectKind, Op, Program};
use interp::{Config, Listed, Observer};
use run::{Budget, Counterexample, Step};
use smt::NewSolver;

use crate::analysed::Analysed;
use crate::arrivals::{front, out_of_reach_of};
use crate::automaton::Automaton;
use crate::execution::Execution;
use crate::product::{Fate, Goal, product};
use crate::spc::{Foreign, Spc};
use crate::ways::Ways;

/// An assert or error call of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    /// The error location.
    pub error: LocId,
    /// The call of the function that the error is in, where that function does nothing but check.
    pub call: Option<EdgeId>,
    /// What is known of it.
    pub standing: Standing,
}

impl Check {
    /// The location from which executions violate the check.
    #[must_use]
    pub fn location(&self, program: &Program) -> LocId {
        self.call.map_or(self.error, |call| program.cfa.edges[call].source)
    }
}

/// What is known of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// No execution violates it.
    Proved,
    /// No execution that was analysed violates it, and others may.
    Open,
    /// No execution that was analysed gets there.
    NotReached,
    /// An execution violates it.
    Violated,
}

/// How many locations the product may have that shows which checks are open.
const MAX_LOCATIONS: usize = 400_000;

/// A function with at most this many edges, one of them to an error, counts as a check that other functions call.
const MAX_CHECK_EDGES: usize = 8;

/// The checks of a program, in the order of the source, with what is known of each from what was analysed. If it takes
/// too long to look at everything that was analysed together, a check is proved if a part of it proves the check. With
/// a solver, executions are looked for that get to checks which are open.
#[must_use]
pub fn checks(
    analysed: &Analysed<'_>,
    execution: &Execution,
    solver: Option<NewSolver<'_>>,
    budget: &Budget,
) -> Vec<Check> {
    let mut checks = known(analysed, budget);
    before_rounds(analysed, &mut checks);
    // A proof has shown that nothing which is not modelled is reached.
    if !analysed.everything {
        behind_cuts(analysed.program, &mut checks);
    }
    if analysed.up_to_cuts {
        before_cuts(analysed, &mut checks);
    }
    // If no execution ends within the bound, then none comes within the bound to a check from which it could only go
    // on to its end.
    if analysed.rounds.is_some() && execution.is_without_end() {
        behind_loops(analysed.program, &mut checks);
    }
    if let Some(solver) = solver
        && analysed.rounds.is_some()
        && analysed.summarized.is_empty()
    {
        out_of_reach(analysed, &mut checks, solver, &budget.share(0.5));
    }
    if let Some(before) = analysed.before.filter(|before| !before.checks.is_empty()) {
        proved_before(analysed.program, &before.checks, &mut checks);
    }
    if analysed.everything {
        left_open(analysed.program, &mut checks);
    }
    checks.extend(elsewhere(analysed.program));
    in_order(analysed.program, &mut checks);
    checks
}

/// Marks the checks as open that executions which never end may violate (memory that is not tracked any more),
/// wherever they are.
fn left_open(program: &Program, checks: &mut [Check]) {
    let is_tracked = |check: &&mut Check| {
        program.cfa.locations[check.error].fault.and_then(Fault::check) == Some(cfa::Check::Track)
    };
    checks.iter_mut().filter(is_tracked).for_each(|check| check.standing = Standing::Open);
}

/// The numbers, among all checks of a program, of those that are proved.
#[must_use]
pub fn proved(program: &Program, checks: &[Check]) -> Vec<usize> {
    let is_proved = |known: &Check| checks.iter().any(|check| check == known);
    let all = all_checks(program, Standing::Proved);
    all.iter().enumerate().filter(|(_, check)| is_proved(check)).map(|(at, _)| at).collect()
}

/// The checks that are proved by what the automaton of earlier runs calls analysed, or by what these runs say
/// besides. Checks that no way leads to are not among them, for they need no automaton.
#[must_use]
pub fn proved_by(program: &Program, before: &Spc, budget: &Budget) -> Vec<Check> {
    let mut automaton = Foreign::new(before, program);
    let told = told(program, &mut automaton, budget);
    let mut checks = told.unwrap_or_else(|| all_checks(program, Standing::Open));
    behind_cuts(program, &mut checks);
    proved_before(program, &before.checks, &mut checks);
    let Some(start) = program.cfa.start else { return Vec::new() };
    let ways = reachable(program, program.cfa.functions[start].entry);
    checks.retain(|check| check.standing == Standing::Proved && ways[check.location(program)]);
    checks
}

/// Marks the checks with these numbers as proved: earlier runs have proved them.
fn proved_before(program: &Program, numbers: &[usize], checks: &mut [Check]) {
    let all = all_checks(program, Standing::Proved);
    for known in numbers.iter().filter_map(|at| all.get(*at)) {
        let same = |check: &&mut Check| check.error == known.error && check.call == known.call;
        checks.iter_mut().filter(same).for_each(|check| check.standing = Standing::Proved);
    }
}

/// The checks of functions that no call reaches and whose addresses are taken, such as a thread or a handler of a
/// signal, and the calls of checks in these functions; empty if everything is modelled. Something that is not modelled may
/// call such a function.
fn elsewhere(program: &Program) -> Vec<Check> {
    if !program.cfa.edges.iter().any(is_unsupported) {
        return Vec::new();
    }
    let calls = Calls::of(&program.cfa);
    let cfa = &program.cfa;
    let is_entry = |function: &FuncId| cfa.behind_cuts.contains(&cfa.functions[*function].entry);
    let entered = cfa.functions.ids().filter(is_entry);
    let mut todo: Vec<FuncId> = with_addresses(program).chain(entered).collect();
    let mut called = IndexVec::filled(false, program.cfa.functions.len());
    while let Some(function) = todo.pop() {
        if !calls.reachable(function) && !std::mem::replace(&mut called[function], true) {
            todo.extend(calls.callees(function));
        }
    }
    sites(program, &|function| called[function], Standing::NotReached)
}

/// Whether an edge does something that is not modelled.
fn is_unsupported(edge: &Edge) -> bool {
    edge.ops.iter().any(|op| matches!(op, Op::Unsupported(_)))
}

/// The functions whose addresses are taken.
fn with_addresses(program: &Program) -> impl Iterator<Item = FuncId> + '_ {
    program.cfa.objects.iter().filter_map(|object| match object.kind {
        ObjectKind::Code(function) => Some(function),
        ObjectKind::Data | ObjectKind::ReadOnly => None,
    })
}

/// Marks checks that no loop and no recursion leads to as proved, where all executions with one round of each loop were
/// followed: executions that get to such a check make no rounds. Loops that have become one step do not count as loops.
fn before_rounds(analysed: &Analysed<'_>, checks: &mut [Check]) {
    if analysed.rounds.is_none_or(|rounds| rounds == 0) || !analysed.cuts.is_empty() {
        return;
    }
    let program = analysed.program;
    let cfa = &program.cfa;
    let calls = Calls::of(cfa);
    let heads = analysed.bounded();
    let recursive = cfa.functions.entries().filter(|(id, _)| calls.recursive(*id));
    let entries = recursive.map(|(_, function)| function.entry);
    let mut todo: Vec<LocId> = heads.iter().copied().chain(entries).collect();
    let ways = Ways::of(program);
    let mut behind = IndexVec::filled(false, cfa.locations.len());
    while let Some(at) = todo.pop() {
        if !std::mem::replace(&mut behind[at], true) {
            todo.extend(ways.from(at).into_iter().map(|(_, to)| to));
        }
    }
    for check in checks.iter_mut() {
        let function = cfa.locations[check.error].function;
        let has_loop = || heads.iter().any(|head| cfa.locations[*head].function == function);
        // Other calls of the function may follow a loop, so it is looked at by itself.
        let is_plain = check.call.is_none() || !has_loop() && calls.callees(function).is_empty();
        if is_plain && !behind[check.location(program)] {
            check.standing = Standing::Proved;
        }
    }
}

/// Marks proved checks as open if executions may get to them past something that is not modelled, for no analysis has
/// followed such executions.
fn behind_cuts(program: &Program, checks: &mut [Check]) {
    let past = Past::of(program, program.cfa.behind_cuts.clone());
    for check in checks.iter_mut().filter(|check| check.standing == Standing::Proved) {
        if past.may_lead_to(program, check) {
            check.standing = Standing::Open;
        }
    }
}

/// Marks open checks as proved if nothing that is not modelled leads to them. The caller knows that all executions
/// were followed up to what is not modelled; the automaton does not know this where loops have become one step.
fn before_cuts(analysed: &Analysed<'_>, checks: &mut [Check]) {
    let followed = analysed.rewritten.map_or(analysed.program, |made| &made.program);
    if !analysed.cuts.iter().all(|cut| is_unsupported(&followed.cfa.edges[*cut])) {
        return;
    }
    let cfa = &analysed.program.cfa;
    let cuts = cfa.edges.iter().filter(|edge| is_unsupported(edge)).map(|edge| edge.target);
    let starts = cuts.chain(cfa.behind_cuts.iter().copied()).collect();
    let past = Past::of(analysed.program, starts);
    for check in checks.iter_mut().filter(|check| check.standing == Standing::Open) {
        if !past.may_lead_to(analysed.program, check) {
            check.standing = Standing::Proved;
        }
    }
}

/// Where executions may get to past something that is not modelled.
struct Past {
    /// The locations to which ways lead from there.
    behind: IndexVec<LocId, bool>,
    /// The functions in which executions go on there, and the functions that call these.
    around: IndexVec<FuncId, bool>,
}

impl Past {
    /// `starts` are the locations where executions may go on past something that is not modelled; the entry of a function is
    /// among them if such an execution may call the function.
    fn of(program: &Program, starts: Vec<LocId>) -> Self {
        let cfa = &program.cfa;
        let calls = Calls::of(cfa);
        let is_entry = |at: &LocId| cfa.functions[cfa.locations[*at].function].entry == *at;
        let (mut entries, within): (Vec<LocId>, Vec<LocId>) =
            starts.into_iter().partition(is_entry);
        let mut around = IndexVec::filled(false, cfa.functions.len());
        let mut todo: Vec<FuncId> = within.iter().map(|at| cfa.locations[*at].function).collect();
        while let Some(function) = todo.pop() {
            if !std::mem::replace(&mut around[function], true) {
                todo.extend(calls.callers(function));
            }
        }
        // What is not modelled may call functions whose addresses are taken: a thread, a handler.
        if cfa.edges.iter().any(is_unsupported) {
            entries.extend(with_addresses(program).map(|function| cfa.functions[function].entry));
        }
        // Only an activation that was there when the execution met something unmodelled returns to the callers that the
        // program has. An activation that begins later returns to its own call, which is in the list already, or to what
        // is not modelled.
        let mut todo: Vec<(LocId, bool)> = within.into_iter().map(|at| (at, true)).collect();
        todo.extend(entries.into_iter().map(|at| (at, false)));
        let ways = Ways::of(program);
        let mut behind = IndexVec::filled(false, cfa.locations.len());
        let mut seen: BTreeSet<(LocId, bool)> = BTreeSet::new();
        while let Some((at, returns)) = todo.pop() {
            if !seen.insert((at, returns)) {
                continue;
            }
            behind[at] = true;
            for (step, to) in ways.from(at) {
                match step {
                    Step::Return(_) if returns => todo.push((to, true)),
                    Step::Return(_) => {}
                    Step::Edge(edge) if cfa.edges[edge].callee().is_some() => {
                        todo.extend([(to, false), (cfa.edges[edge].target, returns)]);
                    }
                    Step::Edge(_) => todo.push((to, returns)),
                }
            }
        }
        Self { behind, around }
    }

    /// Whether executions may violate a check past something that is not modelled, which stands before the check, or between
    /// the call that is the check and the error in the called function.
    fn may_lead_to(&self, program: &Program, check: &Check) -> bool {
        let called = program.cfa.locations[check.error].function;
        self.behind[check.location(program)] || check.call.is_some() && self.around[called]
    }
}

/// Marks open checks as not reached if from them executions can go on only to their end, without another round of a
/// loop. The caller knows that no execution ends within the rounds that were followed.
fn behind_loops(program: &Program, checks: &mut [Check]) {
    let cfa = &program.cfa;
    if Calls::of(cfa).any_recursive() {
        return;
    }
    let goes_on = goes_on(program);
    for check in checks.iter_mut().filter(|check| check.standing == Standing::Open) {
        let is_last = match check.call {
            Some(call) => !goes_on[cfa.edges[call].source],
            None => {
                let mut into = cfa.edges.iter().filter(|edge| edge.target == check.error);
                into.all(|edge| !goes_on[edge.source])
            }
        };
        if is_last {
            check.standing = Standing::NotReached;
        }
    }
}

/// Marks open checks as not reached if no execution gets to them within the rounds that were followed. It is not called
/// where loops have become one step: there it is not always clear which round of a loop an execution is in.
fn out_of_reach(
    analysed: &Analysed<'_>,
    checks: &mut [Check],
    solver: NewSolver<'_>,
    budget: &Budget,
) {
    let program = analysed.program;
    let open = || checks.iter().enumerate().filter(|(_, each)| each.standing == Standing::Open);
    let fronts: Vec<(usize, BTreeSet<LocId>)> =
        open().map(|(at, check)| (at, front(program, check.location(program)))).collect();
    let places: BTreeSet<LocId> = fronts.iter().flat_map(|(_, front)| front).copied().collect();
    if places.is_empty() {
        return;
    }
    let mut automaton = analysed.automaton();
    let apart = out_of_reach_of(program, &mut *automaton, places, solver, budget);
    for (at, front) in fronts {
        if front.is_subset(&apart) {
            checks[at].standing = Standing::NotReached;
        }
    }
}

/// The locations from which a way leads to a round of a loop, or to something that is not modelled.
fn goes_on(program: &Program) -> IndexVec<LocId, bool> {
    let cfa = &program.cfa;
    let ways = Ways::of(program);
    let mut back: IndexVec<LocId, Vec<LocId>> = IndexVec::filled(Vec::new(), cfa.locations.len());
    for at in cfa.locations.ids() {
        ways.from(at).into_iter().for_each(|(_, to)| back[to].push(at));
    }
    let cuts = cfa.edges.iter().filter(|edge| is_unsupported(edge));
    let heads = Loops::of(cfa).loops.iter().map(|known| known.head).collect::<Vec<_>>();
    let mut todo: Vec<LocId> = cuts.map(|edge| edge.source).chain(heads).collect();
    let mut found = IndexVec::filled(false, cfa.locations.len());
    while let Some(at) = todo.pop() {
        if !std::mem::replace(&mut found[at], true) {
            todo.extend(&back[at]);
        }
    }
    found
}

fn known(analysed: &Analysed<'_>, budget: &Budget) -> Vec<Check> {
    let program = analysed.program;
    let whole = told(program, &mut *analysed.automaton(), &budget.share(0.6));
    if let Some(checks) = whole {
        return checks;
    }
    let mut checks = all_checks(program, Standing::Open);
    for mut part in analysed.each() {
        let told = told(program, &mut *part, &budget.share(0.5)).unwrap_or_default();
        for (check, told) in checks.iter_mut().zip(told) {
            if told.standing == Standing::Proved {
                check.standing = Standing::Proved;
            }
        }
    }
    checks
}

/// The checks of a program, with what an automaton says of each. `None` if this takes too long to find out.
fn told(program: &Program, automaton: &mut dyn Automaton, budget: &Budget) -> Option<Vec<Check>> {
    // What follows a safe cone was analysed, so the product goes on behind the cone, and checks there count as
    // reached.
    let goal = Goal { on_true: Fate::Free, ..Goal::REST };
    let rest = product(program, automaton, goal, MAX_LOCATIONS, budget).ok()?;
    let mut checks = all_checks(program, Standing::Proved);
    for check in &mut checks {
        let open = rest.errors.get(&check.error);
        let open = match check.call {
            Some(call) => open.is_some_and(|calls| calls.contains(&call)),
            None => open.is_some(),
        };
        if open {
            let reached = |at: LocId| rest.analysed.contains(&at);
            let reached = match check.call {
                Some(call) => reached(program.cfa.edges[call].source),
                None => {
                    let edges = program.cfa.edges.iter();
                    let mut before = edges.filter(|edge| edge.target == check.error);
                    before.any(|edge| reached(edge.source))
                }
            };
            check.standing = if reached { Standing::Open } else { Standing::NotReached };
        }
    }
    Some(checks)
}

/// The checks of a program, all with the given standing.
#[must_use]
pub fn all_checks(program: &Program, standing: Standing) -> Vec<Check> {
    let calls = Calls::of(&program.cfa);
    let mut checks = sites(program, &|function| calls.reachable(function), standing);
    in_order(program, &mut checks);
    checks
}

/// The checks in some of the functions of a program, and the calls of checks there.
fn sites(
    program: &Program,
    is_reachable: &dyn Fn(FuncId) -> bool,
    standing: Standing,
) -> Vec<Check> {
    let cfa = &program.cfa;
    let calls = Calls::of(cfa);
    let mut sizes: BTreeMap<_, usize> = BTreeMap::new();
    for edge in &cfa.edges {
        *sizes.entry(cfa.locations[edge.source].function).or_default() += 1;
    }
    let mut checks = Vec::new();
    // What follows something that is not modelled counts, though no execution is known to get there.
    for error in cfa.errors() {
        let function = cfa.locations[error].function;
        // A fault is a check at its own place, even in a small function, unless the function is one of the library. A
        // fault of a call through a pointer has no place of its own, so its place is that of the call.
        let at = &cfa.locations[error];
        let borrowed = match at.span {
            Some(span) => program.sources.is_borrowed(span.file),
            None => at.fault.is_some(),
        };
        let is_called = at.fault.is_none() || borrowed;
        let few = sizes.get(&function).is_none_or(|size| *size <= MAX_CHECK_EDGES);
        // A function that calls itself is no mere check.
        let small = is_called && (few && !calls.recursive(function) || borrowed);
        let sites: BTreeSet<EdgeId> = calls.sites(function).iter().copied().collect();
        let caller = |site: &EdgeId| cfa.locations[cfa.edges[*site].source].function;
        let reached = |site: &EdgeId| is_reachable(caller(site));
        let sites: Vec<EdgeId> = sites.into_iter().filter(reached).collect();
        let is_main = sites.iter().any(|site| {
            let caller = cfa.locations[cfa.edges[*site].source].function;
            cfa.start == Some(caller) && cfa.functions[caller].name.starts_with('@')
        });
        if small && !is_main && !sites.is_empty() {
            let check = |call| Check { error, call: Some(call), standing };
            checks.extend(sites.into_iter().map(check));
        } else if is_reachable(function) {
            checks.push(Check { error, call: None, standing });
        }
    }
    checks
}

/// Puts checks into the order of the source.
fn in_order(program: &Program, checks: &mut [Check]) {
    let cfa = &program.cfa;
    let place = |check: &Check| match check.call {
        Some(call) => cfa.edges[call].span,
        None => cfa.locations[check.error].span,
    };
    checks.sort_by_key(|check| place(check).map(|span| (span.file, span.start)));
}

/// The locations that executions may get to from a location of a program, the location itself among them.
/// A return may lead to every call of the function.
#[must_use]
pub fn reachable(program: &Program, from: LocId) -> IndexVec<LocId, bool> {
    let ways = Ways::of(program);
    let mut found = IndexVec::filled(false, program.cfa.locations.len());
    let mut todo = vec![from];
    while let Some(at) = todo.pop() {
        if !std::mem::replace(&mut found[at], true) {
            todo.extend(ways.from(at).into_iter().map(|(_, to)| to));
        }
    }
    found
}

/// The call of the function in which an execution violates the property.
#[must_use]
pub fn reached(program: &Program, found: &Counterexample) -> Option<EdgeId> {
    let mut calls = Open(Vec::new());
    let mut inputs = Listed::replay(program, &found.drawn);
    let shortcuts = passes::shortcuts(program);
    let max_steps = found.steps.saturating_add(1);
    let config = Config { max_steps, shortcuts: Some(&shortcuts), ..Config::default() };
    interp::run(program, &config, &mut inputs, Some(&mut calls), &mut std::io::sink());
    // The observer has the last step of each activation. All of these steps but the last are calls, and the last may
    // be a call, too.
    let function = program.cfa.locations[found.error].function;
    let enters = |edge: &&EdgeId| program.cfa.edges[**edge].callee() == Some(function);
    calls.0.iter().rev().find(enters).copied()
}

/// The last step of each activation that has not returned.
struct Open(Vec<EdgeId>);

impl Observer for Open {
    fn taken(&mut self, step: &interp::Step<'_>) {
        // The depth is the number of activations besides the first before the step.
        self.0.truncate(step.depth);
        self.0.push(step.edge);
    }

    fn returned(&mut self, _callee: FuncId, step: &interp::Step<'_>) {
        self.0.truncate(step.depth);
    }
}
