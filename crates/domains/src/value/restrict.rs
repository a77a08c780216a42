//! Restricts states to the variables and objects that a precision tracks.

use cfa::{FuncId, LocId};
use cpa::Context;
use term::Var;

use crate::value::Values;
use crate::value::object::Aspect;
use crate::value::precision::{Held, Precision, StatePart, Tracked, Where};
use crate::value::state::{Fact, MEMORY_HEIGHT, State, Work};
use crate::value::tree::{Tree, UNKNOWN};

impl Values<'_> {
    /// A state without the variables and the memory that are not tracked at its location.
    pub(crate) fn adjust(&mut self, state: State, context: Context<'_>) -> State {
        let Some(precision) = self.precision.take() else { return state };
        let cfa = &self.program.cfa;
        let place = precision.place(cfa, context.location);
        if precision.is_everything() {
            self.precision = Some(precision);
            return state;
        }
        let mut result = Tree::EMPTY;
        if !precision.is_nothing(place) {
            let functions: Vec<FuncId> =
                context.stacks.functions(cfa, context.location, context.stack).collect();
            let at = (&precision, context.location, place);
            let globals = self.forest.child(state, 0);
            let globals = self.restrict(globals, Held::Globals, at);
            let frames = self.forest.child(state, 1);
            let frames = self.restrict_frames(frames, &functions, at);
            let memory = self.forest.child(state, 2);
            let memory = self.restrict(memory, Held::Memory, at);
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
        let locals = self.restrict(locals, Held::Locals(*function), at);
        let below = self.forest.child(frames, 1);
        let below = self.restrict_frames(below, callers, at);
        self.forest.node(&[locals, below])
    }

    fn restrict(
        &mut self,
        tree: Tree,
        holds: Held,
        (precision, location, place): (&Precision, LocId, Where),
    ) -> Tree {
        let part = StatePart { tree, holds, place };
        if tree.is_empty() {
            return tree;
        }
        if let Some(known) = self.restricted.get(&part) {
            return *known;
        }
        let cfa = &self.program.cfa;
        let tracks = |what| precision.tracks(cfa, location, what);
        let result = match holds {
            Held::Globals => {
                let (vars, height) = (&self.layout.globals, self.layout.global_height);
                self.forest.map(tree, height, &mut |index, value| {
                    let var = vars[index as usize];
                    if tracks(Tracked::Variable(var)) { value } else { UNKNOWN }
                })
            }
            Held::Locals(function) => {
                let vars = &cfa.functions[function].locals;
                let height = self.layout.local_height(function);
                self.forest.map(tree, height, &mut |index, value| {
                    let var = vars[index as usize];
                    if tracks(Tracked::Variable(var)) { value } else { UNKNOWN }
                })
            }
            Held::Memory => {
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

    /// The memory of a state, in which each background that is not tracked is replaced by those of its values that are
    /// tracked.
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
