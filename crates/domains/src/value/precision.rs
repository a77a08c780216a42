//! Precisions: what is tracked where.

use cfa::{Cfa, FuncId, LocId};
use cpa::Context;
use rustc_hash::{FxHashMap, FxHashSet};
use term::Var;

use crate::value::Values;
use crate::value::object::{Aspect, Site};
use crate::value::state::{Fact, MEMORY_HEIGHT, State, Work};
use crate::value::tree::{Tree, UNKNOWN};

/// How far what was learned at a location reaches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Scope {
    /// That location only.
    Location,
    /// All of the function that the location is in.
    Function,
    /// The whole program, that is wherever the variable exists ("scoped precision refinement",
    /// Beyer & Löwe 2012, §III-F).
    #[default]
    Global,
}

/// Something that can be tracked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Tracked {
    /// A variable.
    Variable(Var),
    /// Something of the objects that begin somewhere.
    Memory(Site, Aspect),
}

/// What a set of a precision belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Where {
    /// All locations.
    Everywhere,
    /// The locations of a function.
    Function(FuncId),
    /// A location.
    Location(LocId),
}

impl Where {
    /// What a location belongs to.
    pub(crate) fn of(cfa: &Cfa, scope: Scope, location: LocId) -> Self {
        match scope {
            Scope::Location => Self::Location(location),
            Scope::Function => Self::Function(cfa.locations[location].function),
            Scope::Global => Self::Everywhere,
        }
    }
}

/// What is tracked at each location.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Precision {
    scope: Scope,
    sets: FxHashMap<Where, FxHashSet<Tracked>>,
    /// What is not tracked anywhere, where everything else is.
    all_but: Option<FxHashSet<Tracked>>,
}

impl Precision {
    /// Nothing is tracked yet.
    #[must_use]
    pub fn new(scope: Scope) -> Self {
        Self { scope, ..Self::default() }
    }

    /// Everything is tracked everywhere, until something is removed.
    #[must_use]
    pub fn everything(scope: Scope) -> Self {
        Self { all_but: Some(FxHashSet::default()), ..Self::new(scope) }
    }

    /// How far what is learned reaches.
    #[must_use]
    pub const fn scope(&self) -> Scope {
        self.scope
    }

    fn place(&self, cfa: &Cfa, location: LocId) -> Where {
        Where::of(cfa, self.scope, location)
    }

    /// Tracks something at a location, and as far as the scope reaches. Gives whether it is new.
    pub fn add(&mut self, cfa: &Cfa, location: LocId, what: Tracked) -> bool {
        if self.all_but.as_ref().is_some_and(|dropped| !dropped.contains(&what)) {
            return false;
        }
        let place = self.place(cfa, location);
        self.sets.entry(place).or_default().insert(what)
    }

    /// The precision with other names for what is tracked, and without what has none.
    #[must_use]
    pub fn renamed(&self, name: &dyn Fn(Tracked) -> Option<Tracked>) -> Self {
        let mut new = self.clone();
        #[expect(clippy::iter_over_hash_type, reason = "each is treated by itself")]
        for set in new.sets.values_mut() {
            *set = set.iter().filter_map(|what| name(*what)).collect();
        }
        let renamed =
            |set: &FxHashSet<Tracked>| set.iter().filter_map(|what| name(*what)).collect();
        new.all_but = self.all_but.as_ref().map(renamed);
        new
    }

    /// Does not track something any more, wherever it was.
    pub(crate) fn remove(&mut self, what: Tracked) {
        #[expect(clippy::iter_over_hash_type, reason = "each is treated by itself")]
        for set in self.sets.values_mut() {
            set.remove(&what);
        }
        if let Some(dropped) = &mut self.all_but {
            dropped.insert(what);
        }
    }

    /// Whether something is tracked at a location.
    #[must_use]
    pub fn tracks(&self, cfa: &Cfa, location: LocId, what: Tracked) -> bool {
        if self.all_but.as_ref().is_some_and(|dropped| !dropped.contains(&what)) {
            return true;
        }
        let sets = [Where::Everywhere, self.place(cfa, location)];
        sets.iter().any(|place| self.sets.get(place).is_some_and(|set| set.contains(&what)))
    }

    /// The stretches of the objects of a site that are tracked at a location, in order.
    pub(crate) fn stretches(&self, cfa: &Cfa, location: LocId, site: Site) -> Vec<(u64, u32)> {
        let sets = [Where::Everywhere, self.place(cfa, location)];
        let tracked = sets.iter().filter_map(|place| self.sets.get(place)).flatten();
        let stretch = |what: &Tracked| match what {
            Tracked::Memory(other, Aspect::Bytes { offset, length }) if *other == site => {
                Some((*offset, *length))
            }
            _ => None,
        };
        let mut found: Vec<(u64, u32)> = tracked.filter_map(stretch).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Everything that is tracked somewhere, once, in order.
    #[must_use]
    pub fn tracked(&self) -> Vec<Tracked> {
        let mut all: Vec<Tracked> = self.entries().map(|(_, what)| what).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Everything that is tracked, in order.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (Where, Tracked)> {
        let mut all: Vec<(Where, Tracked)> = Vec::new();
        #[expect(clippy::iter_over_hash_type, reason = "sorted below")]
        for (place, set) in &self.sets {
            all.extend(set.iter().map(|what| (*place, *what)));
        }
        all.sort_unstable();
        all.into_iter()
    }

    /// What is not tracked, in order, where everything else is.
    pub(crate) fn all_but(&self) -> Option<Vec<Tracked>> {
        let mut dropped: Vec<Tracked> = self.all_but.as_ref()?.iter().copied().collect();
        dropped.sort_unstable();
        Some(dropped)
    }

    /// Tracks everything that nobody removes from now on.
    pub(crate) fn track_the_rest(&mut self) {
        self.all_but.get_or_insert_default();
    }

    /// Takes over what another precision tracks.
    pub(crate) fn insert(&mut self, place: Where, what: Tracked) {
        self.sets.entry(place).or_default().insert(what);
    }
}

/// A part of a state, and the set that it is restricted to.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Part {
    tree: Tree,
    /// Which variables are in the tree.
    kind: Kind,
    place: Where,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Globals,
    Locals(FuncId),
    Memory,
}

impl Values<'_> {
    /// A state without what is not tracked where it is.
    pub(crate) fn adjust(&mut self, state: State, context: Context<'_>) -> State {
        let Some(precision) = self.precision.take() else { return state };
        let cfa = &self.program.cfa;
        let place = precision.place(cfa, context.location);
        if precision.all_but.as_ref().is_some_and(FxHashSet::is_empty) {
            self.precision = Some(precision);
            return state;
        }
        let nothing = precision.all_but.is_none()
            && !precision.sets.contains_key(&place)
            && !precision.sets.contains_key(&Where::Everywhere);
        let mut result = Tree::EMPTY;
        if !nothing {
            let functions: Vec<FuncId> =
                context.stacks.functions(cfa, context.location, context.stack).collect();
            let at = (&precision, context.location, place);
            let globals = self.forest.child(state, 0);
            let globals = self.restrict(globals, Kind::Globals, at);
            let frames = self.forest.child(state, 1);
            let frames = self.restrict_frames(frames, &functions, at);
            let memory = self.forest.child(state, 2);
            let memory = self.restrict(memory, Kind::Memory, at);
            result = self.forest.node(&[globals, frames, memory]);
            if self.forest.is_marked(result) {
                let tracks = |var| precision.tracks(cfa, context.location, Tracked::Variable(var));
                result = self.leave_bases(result, &functions, &tracks);
            }
        }
        self.precision = Some(precision);
        result
    }

    /// A state without what it knows of some variables, given the active functions.
    pub(crate) fn without(&mut self, state: State, functions: &[FuncId], vars: &[Var]) -> State {
        let mut rest = state;
        for (fact, _) in self.facts(state, functions) {
            if let Tracked::Variable(var) = self.tracked(fact, functions)
                && vars.contains(&var)
            {
                rest = self.with_fact(rest, functions, fact, UNKNOWN);
            }
        }
        if self.forest.is_marked(rest) {
            rest = self.leave_bases(rest, functions, &|var| !vars.contains(&var));
        }
        rest
    }

    fn restrict_frames(
        &mut self,
        frames: Tree,
        functions: &[FuncId],
        at: (&Precision, LocId, Where),
    ) -> Tree {
        let [function, callers @ ..] = functions else { return Tree::EMPTY };
        if frames.is_empty() {
            return frames;
        }
        let locals = self.forest.child(frames, 0);
        let locals = self.restrict(locals, Kind::Locals(*function), at);
        let below = self.forest.child(frames, 1);
        let below = self.restrict_frames(below, callers, at);
        self.forest.node(&[locals, below])
    }

    fn restrict(
        &mut self,
        tree: Tree,
        kind: Kind,
        (precision, location, place): (&Precision, LocId, Where),
    ) -> Tree {
        let part = Part { tree, kind, place };
        if tree.is_empty() {
            return tree;
        }
        if let Some(known) = self.restricted.get(&part) {
            return *known;
        }
        let cfa = &self.program.cfa;
        let tracks = |what| precision.tracks(cfa, location, what);
        let result = match kind {
            Kind::Globals => {
                let (vars, height) = (&self.layout.globals, self.layout.global_height);
                self.forest.map(tree, height, &mut |index, value| {
                    let var = vars[index as usize];
                    if tracks(Tracked::Variable(var)) { value } else { UNKNOWN }
                })
            }
            Kind::Locals(function) => {
                let vars = &cfa.functions[function].locals;
                let height = self.layout.local_height(function);
                self.forest.map(tree, height, &mut |index, value| {
                    let var = vars[index as usize];
                    if tracks(Tracked::Variable(var)) { value } else { UNKNOWN }
                })
            }
            Kind::Memory => {
                let tree = self.spell_out_untracked(tree, precision, location);
                let names = &self.names;
                self.forest.map(tree, MEMORY_HEIGHT, &mut |index, value| {
                    let (object, aspect) = names.at(index);
                    let site = names.name(object).site;
                    if tracks(Tracked::Memory(site, aspect)) { value } else { UNKNOWN }
                })
            }
        };
        self.restricted.insert(part, result);
        result
    }

    /// Memory with every background that is not tracked itself replaced by those of its values
    /// that are.
    fn spell_out_untracked(
        &mut self,
        memory: Tree,
        precision: &Precision,
        location: LocId,
    ) -> Tree {
        let mut backgrounds = Vec::new();
        let (names, cfa) = (&self.names, &self.program.cfa);
        self.forest.each(memory, MEMORY_HEIGHT, &mut |index, _| {
            let (object, aspect) = names.at(index);
            let site = names.name(object).site;
            if aspect == Aspect::Background
                && !precision.tracks(cfa, location, Tracked::Memory(site, aspect))
            {
                backgrounds.push((index, site));
            }
        });
        let mut work = Work { memory, ..self.nothing() };
        for (index, site) in backgrounds {
            let stretches = precision.stretches(&self.program.cfa, location, site);
            self.spell_out(&mut work, index, &stretches);
        }
        work.memory
    }

    /// What a fact of a state is called in a precision, given the active functions.
    pub(crate) fn tracked(&self, fact: Fact, functions: &[FuncId]) -> Tracked {
        match fact {
            Fact::Global(index) => Tracked::Variable(self.layout.globals[index as usize]),
            Fact::Local(up, index) => {
                let function = &self.program.cfa.functions[functions[up as usize]];
                Tracked::Variable(function.locals[index as usize])
            }
            Fact::Memory(index) => {
                let (object, aspect) = self.names.at(index);
                Tracked::Memory(self.names.name(object).site, aspect)
            }
        }
    }

    /// Tracks something more. Gives whether it is new.
    pub(crate) fn track(&mut self, location: LocId, what: Tracked) -> bool {
        let Some(precision) = &mut self.precision else { return false };
        let new = precision.add(&self.program.cfa, location, what);
        if new {
            self.restricted.clear();
        }
        new
    }

    /// Does not track something any more.
    pub(crate) fn untrack(&mut self, what: Tracked) {
        if let Some(precision) = &mut self.precision {
            precision.remove(what);
            self.restricted.clear();
        }
    }
}
