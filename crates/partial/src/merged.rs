//! Makes an assumption automaton smaller for `proviso continue`: only states stay that matter to what is left to verify.
//!
//! In the product of program and automaton a location is there once for each state that executions may
//! bring to it. Two states that say the same of everything that can follow there are one, and a state
//! from which nothing more is ever proved is [`StateId::FALSE`]: from there on the product is the program.

use cfa::{EdgeId, FuncId, LocId, Loops, Op, Program};
use run::{Budget, Exceeded, Step};
use rustc_hash::{FxHashMap, FxHashSet};

use base::IndexVec;

use crate::automaton::{Automaton, StateId};
use crate::ways::{Ways, landing};

/// A location with a state that executions bring there.
type Pair = (LocId, StateId);

/// An automaton in which equivalent states at a location have become one state.
pub(crate) struct Merged<'a, A> {
    inner: &'a mut A,
    program: &'a Program,
    /// The state that represents the class of each state at a location.
    stands: FxHashMap<Pair, StateId>,
}

impl<'a, A: Automaton> Merged<'a, A> {
    /// Finds out which states are equivalent as far as a search for errors that were not analysed can tell.
    ///
    /// # Errors
    /// If a limit is passed before the classes are known.
    pub(crate) fn of(
        program: &'a Program,
        inner: &'a mut A,
        budget: &Budget,
    ) -> Result<Self, Exceeded> {
        let mut survey = Survey::of(program, inner);
        survey.run(budget)?;
        let (pairs, moves) = (survey.pairs, survey.moves);
        let known: FxHashMap<Pair, usize> =
            pairs.iter().enumerate().map(|(place, pair)| (*pair, place)).collect();
        let matters = mattering(program);
        let graph = Moves::of(program, &moves, &known, &matters);
        let useful = graph.useful(&|_| false);
        let classes = graph.classes(&pairs, &useful, budget)?;
        let most = matters.iter().filter(|matters| **matters).count();
        let useful = graph.affordable(&Heads::of(program, &pairs), &classes, useful, most);
        let mut first: FxHashMap<usize, StateId> = FxHashMap::default();
        let mut stands = FxHashMap::default();
        for (place, pair) in pairs.iter().enumerate() {
            let state = match useful[place] {
                true => *first.entry(classes[place]).or_insert(pair.1),
                false => StateId::FALSE,
            };
            stands.insert(*pair, state);
        }
        Ok(Self { inner, program, stands })
    }

    fn standing(&self, at: LocId, state: StateId) -> StateId {
        self.stands.get(&(at, state)).copied().unwrap_or(state)
    }
}

impl<A: Automaton> Automaton for Merged<'_, A> {
    fn initial(&mut self) -> StateId {
        let state = self.inner.initial();
        let start = self.program.cfa.start;
        let entry = start.map(|start| self.program.cfa.functions[start].entry);
        entry.map_or(state, |entry| self.standing(entry, state))
    }

    fn step(&mut self, from: StateId, at: LocId, step: Step) -> Option<StateId> {
        if from.is_final() {
            return Some(from);
        }
        let state = self.inner.step(from, at, step)?;
        Some(self.standing(arrival(self.program, step), state))
    }
}

/// Where a step leads.
fn arrival(program: &Program, step: Step) -> LocId {
    match step {
        Step::Edge(edge) => landing(program, edge),
        Step::Return(call) => program.cfa.edges[call].target,
    }
}

/// The locations from which an error may be reached, or something that is not modelled: elsewhere it
/// does not matter what was analysed.
fn mattering(program: &Program) -> IndexVec<LocId, bool> {
    let cfa = &program.cfa;
    let ways = Ways::of(program);
    let mut before: IndexVec<LocId, Vec<LocId>> = IndexVec::filled(Vec::new(), cfa.locations.len());
    for at in cfa.locations.ids() {
        for (_, to) in ways.from(at) {
            before[to].push(at);
        }
    }
    let is_unsupported =
        |edge: &&cfa::Edge| edge.ops.iter().any(|op| matches!(op, Op::Unsupported(_)));
    let mut todo: Vec<LocId> = cfa.errors().collect();
    todo.extend(cfa.edges.iter().filter(is_unsupported).map(|edge| edge.source));
    let mut found = IndexVec::filled(false, cfa.locations.len());
    while let Some(at) = todo.pop() {
        if !std::mem::replace(&mut found[at], true) {
            todo.extend(before[at].iter().copied());
        }
    }
    found
}

/// The fact that an activation which was entered in a state gets to a pair.
type Found = (StateId, Pair);

/// The pairs that executions meet, and the steps between them. Which exits belong to which entry is
/// tabulated, so that no pair is met by returning to another call than the one that was made.
struct Survey<'a, A> {
    program: &'a Program,
    automaton: &'a mut A,
    /// Pairs with a state that is not final, in the order in which they were met.
    pairs: Vec<Pair>,
    met: FxHashSet<Pair>,
    moves: FxHashSet<(Pair, Step, Pair)>,
    seen: FxHashSet<Found>,
    todo: Vec<Found>,
    exits: FxHashMap<(FuncId, StateId), Vec<StateId>>,
    /// The calls that wait for a function that was entered in a state, each with the state in which its
    /// own function was entered.
    waiting: FxHashMap<(FuncId, StateId), Vec<(EdgeId, StateId)>>,
}

/// How many pairs are looked at before the budget is looked at again.
const LOOK: u32 = 256;

impl<'a, A: Automaton> Survey<'a, A> {
    fn of(program: &'a Program, automaton: &'a mut A) -> Self {
        Self {
            program,
            automaton,
            pairs: Vec::new(),
            met: FxHashSet::default(),
            moves: FxHashSet::default(),
            seen: FxHashSet::default(),
            todo: Vec::new(),
            exits: FxHashMap::default(),
            waiting: FxHashMap::default(),
        }
    }

    fn run(&mut self, budget: &Budget) -> Result<(), Exceeded> {
        let Some(start) = self.program.cfa.start else { return Ok(()) };
        let initial = self.automaton.initial();
        let entry = self.program.cfa.functions[start].entry;
        self.find(initial, (entry, initial));
        let mut looks = 0_u32;
        while let Some((entered, pair)) = self.todo.pop() {
            looks = looks.wrapping_add(1);
            if looks.is_multiple_of(LOOK) {
                budget.check()?;
            }
            self.expand(entered, pair);
        }
        Ok(())
    }

    /// Notes that an activation gets to a pair. What follows a final state is not looked at, and nothing
    /// follows an error.
    fn find(&mut self, entered: StateId, pair: Pair) {
        if pair.1.is_final() || self.program.cfa.locations[pair.0].error {
            return;
        }
        if self.met.insert(pair) {
            self.pairs.push(pair);
        }
        if self.seen.insert((entered, pair)) {
            self.todo.push((entered, pair));
        }
    }

    fn expand(&mut self, entered: StateId, (at, state): Pair) {
        let cfa = &self.program.cfa;
        let function = cfa.locations[at].function;
        if cfa.functions[function].exit == at {
            let exits = self.exits.entry((function, entered)).or_default();
            exits.push(state);
            for waiting in self.waiting.get(&(function, entered)).cloned().unwrap_or_default() {
                self.come_back(waiting, (at, state));
            }
            return;
        }
        for edge in cfa.locations[at].edges.clone() {
            let step = Step::Edge(edge);
            let Some(next) = self.automaton.step(state, at, step) else { continue };
            let to = (landing(self.program, edge), next);
            self.moves.insert(((at, state), step, to));
            match cfa.edges[edge].callee() {
                Some(_) if next.is_final() => {}
                Some(callee) => self.call(callee, to, (edge, entered)),
                None => self.find(entered, to),
            }
        }
    }

    fn call(&mut self, callee: FuncId, (entry, state): Pair, waiting: (EdgeId, StateId)) {
        let list = self.waiting.entry((callee, state)).or_default();
        if list.contains(&waiting) {
            return;
        }
        list.push(waiting);
        let exit = self.program.cfa.functions[callee].exit;
        for state in self.exits.get(&(callee, state)).cloned().unwrap_or_default() {
            self.come_back(waiting, (exit, state));
        }
        self.find(state, (entry, state));
    }

    fn come_back(&mut self, (call, entered): (EdgeId, StateId), (exit, state): Pair) {
        let step = Step::Return(call);
        let Some(next) = self.automaton.step(state, exit, step) else { return };
        let to = (self.program.cfa.edges[call].target, next);
        self.moves.insert(((exit, state), step, to));
        self.find(entered, to);
    }
}

/// Where a step leads, as far as it matters to a search for errors that were not analysed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum To {
    /// The step leads to the pair with this number.
    Pair(usize),
    /// The step leads to a state after which everything was analysed.
    Proved,
    /// The step was not analysed, and leads to no error.
    Open,
    /// The step was not analysed, and leads to an error.
    Failing,
    /// The step leads to a location from which neither an error nor something that is not modelled can be reached.
    Nothing,
}

/// A loop whose head has more states than this was followed round by round.
const ROUNDS: usize = 2;

/// The location of each pair, and whether it is the head of a loop.
struct Heads(Vec<(LocId, bool)>);

impl Heads {
    fn of(program: &Program, pairs: &[Pair]) -> Self {
        let loops = Loops::of(&program.cfa);
        Self(pairs.iter().map(|(at, _)| (*at, loops.headed(*at).is_some())).collect())
    }
}

/// The steps from each pair.
struct Moves(Vec<Vec<(Step, To)>>);

impl Moves {
    fn of(
        program: &Program,
        moves: &FxHashSet<(Pair, Step, Pair)>,
        known: &FxHashMap<Pair, usize>,
        matters: &IndexVec<LocId, bool>,
    ) -> Self {
        let mut lists: Vec<Vec<(Step, To)>> = vec![Vec::new(); known.len()];
        #[expect(clippy::iter_over_hash_type, reason = "the lists are sorted")]
        for (from, step, (at, state)) in moves {
            let to = match known.get(&(*at, *state)) {
                _ if !matters[*at] => To::Nothing,
                Some(place) => To::Pair(*place),
                // The state is `TRUE`, or the pair is an error that was analysed.
                None if *state != StateId::FALSE => To::Proved,
                None if program.cfa.locations[*at].error => To::Failing,
                None => To::Open,
            };
            if let Some(place) = known.get(from) {
                lists[*place].push((*step, to));
            }
        }
        lists.iter_mut().for_each(|list| list.sort_unstable());
        Self(lists)
    }

    /// The pairs that lead to each pair.
    fn before(&self) -> Vec<Vec<usize>> {
        let mut before = vec![Vec::new(); self.0.len()];
        for (from, list) in self.0.iter().enumerate() {
            for (_, to) in list {
                if let To::Pair(to) = to {
                    before[*to].push(from);
                }
            }
        }
        before
    }

    /// The useful pairs that are worth the locations that they add to the product. All useful pairs are, if they add
    /// at most half as many locations as the program has, or if the automaton leaves only checks open. Otherwise the
    /// pairs of loops that were followed round by round are dropped: their states prove little, and these loops have
    /// to be analysed in any case. If that is not enough, all pairs are dropped, and the product is the program.
    fn affordable(
        &self,
        heads: &Heads,
        classes: &[usize],
        useful: Vec<bool>,
        most: usize,
    ) -> Vec<bool> {
        let leaves_open = |list: &Vec<(Step, To)>| list.iter().any(|(_, to)| *to == To::Open);
        let (more, rounds) = self.met(heads, classes, &useful);
        if more <= most / 2 || !self.0.iter().any(leaves_open) {
            return useful;
        }
        let is_followed = |place: usize| {
            let (at, _) = heads.0[place];
            rounds.get(&at).is_some_and(|rounds| *rounds > ROUNDS)
        };
        let fewer = self.useful(&is_followed);
        let (more, _) = self.met(heads, classes, &fewer);
        if more <= most / 2 { fewer } else { vec![false; useful.len()] }
    }

    /// How many classes of useful pairs executions meet besides the first one of each location; and how many
    /// there are at the head of each loop.
    fn met(
        &self,
        heads: &Heads,
        classes: &[usize],
        useful: &[bool],
    ) -> (usize, FxHashMap<LocId, usize>) {
        let mut rounds: FxHashMap<LocId, usize> = FxHashMap::default();
        let mut seen = FxHashSet::default();
        let mut locations = FxHashSet::default();
        // The first pair that was met is the initial one.
        let mut todo: Vec<usize> = (0..self.0.len().min(1)).collect();
        while let Some(place) = todo.pop() {
            if !useful[place] || !seen.insert(classes[place]) {
                continue;
            }
            let (at, is_head) = heads.0[place];
            locations.insert(at);
            if is_head {
                *rounds.entry(at).or_default() += 1;
            }
            todo.extend(self.0[place].iter().filter_map(|(_, to)| match to {
                To::Pair(next) => Some(*next),
                _ => None,
            }));
        }
        (seen.len() - locations.len(), rounds)
    }

    /// The pairs from which executions can reach a step after which everything was analysed, without passing a
    /// dropped pair.
    fn useful(&self, is_dropped: &dyn Fn(usize) -> bool) -> Vec<bool> {
        let before = self.before();
        let proves = |list: &Vec<(Step, To)>| list.iter().any(|(_, to)| *to == To::Proved);
        let mut todo: Vec<usize> =
            (0..self.0.len()).filter(|place| proves(&self.0[*place])).collect();
        let mut useful = vec![false; self.0.len()];
        while let Some(place) = todo.pop() {
            if !is_dropped(place) && !std::mem::replace(&mut useful[place], true) {
                todo.extend(before[place].iter().copied());
            }
        }
        useful
    }

    /// The coarsest division of pairs into classes in which all pairs of a class have one location, and the same
    /// steps lead to the same classes. Classes are split until this holds.
    fn classes(
        &self,
        pairs: &[Pair],
        useful: &[bool],
        budget: &Budget,
    ) -> Result<Vec<usize>, Exceeded> {
        let before = self.before();
        let mut first: FxHashMap<LocId, usize> = FxHashMap::default();
        let mut members: Vec<Vec<usize>> = Vec::new();
        let mut classes = vec![0; pairs.len()];
        for (place, (at, _)) in pairs.iter().enumerate() {
            let class = *first.entry(*at).or_insert_with(|| {
                members.push(Vec::new());
                members.len() - 1
            });
            classes[place] = class;
            members[class].push(place);
        }
        // Classes that have to be looked at again, because a step of one of their members may lead to another class
        // than before.
        let mut is_waiting = vec![true; members.len()];
        let mut todo: Vec<usize> = (0..members.len()).collect();
        let mut looks = 0;
        while let Some(class) = todo.pop() {
            is_waiting[class] = false;
            looks += members[class].len();
            if looks >= LOOK as usize {
                looks = 0;
                budget.check()?;
            }
            if members[class].len() < 2 {
                continue;
            }
            let mut parts: Vec<Vec<usize>> = Vec::new();
            let mut known: FxHashMap<Vec<(Step, To)>, usize> = FxHashMap::default();
            for place in std::mem::take(&mut members[class]) {
                let part = *known.entry(self.seen(place, useful, &classes)).or_insert_with(|| {
                    parts.push(Vec::new());
                    parts.len() - 1
                });
                parts[part].push(place);
            }
            // The largest part keeps the number, so that few pairs change theirs.
            let largest = (0..parts.len()).max_by_key(|part| parts[*part].len()).unwrap_or(0);
            for (number, part) in parts.into_iter().enumerate() {
                if number == largest {
                    members[class] = part;
                    continue;
                }
                let new = members.len();
                is_waiting.push(false);
                for place in &part {
                    classes[*place] = new;
                }
                members.push(part);
                for from in members[new].iter().flat_map(|place| &before[*place]) {
                    let class = classes[*from];
                    if !std::mem::replace(&mut is_waiting[class], true) {
                        todo.push(class);
                    }
                }
            }
        }
        Ok(classes)
    }

    /// The steps of a pair, with the classes that they lead to.
    fn seen(&self, place: usize, useful: &[bool], classes: &[usize]) -> Vec<(Step, To)> {
        let class = |to: &To| match to {
            To::Pair(next) if useful[*next] => To::Pair(classes[*next]),
            To::Pair(_) => To::Open,
            other => *other,
        };
        self.0[place].iter().map(|(step, to)| (*step, class(to))).collect()
    }
}
