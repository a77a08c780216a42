//! Which steps of a path, and which variables at each point of it, can have to do with the
//! contradiction at its end: a backward slice. Interpolation looks at nothing else.

use cfa::{Op, Program, Scope};
use cpa::{Path, Stacks, Step};
use rustc_hash::FxHashSet;
use term::{Op as TermOp, TermId, Var, View};

use crate::Mirrors;

/// A variable of an activation; globals have no depth.
pub(crate) type Key = (Option<u32>, Var);

/// The slice of a path.
pub(crate) struct Relevance {
    /// Whether each step matters.
    pub(crate) steps: Vec<bool>,
    /// For each step what is relevant before it and not after it, and the other way round.
    changes: Vec<(Vec<Key>, Vec<Key>)>,
    /// Whether memory is relevant before each step.
    memory: Vec<bool>,
    /// What is relevant at the start.
    start: FxHashSet<Key>,
}

/// What is relevant at a point of the path, walked forwards.
pub(crate) struct Relevant<'a> {
    slice: &'a Relevance,
    keys: FxHashSet<Key>,
    at: usize,
}

impl Relevant<'_> {
    /// Goes past the next step.
    pub(crate) fn advance(&mut self) {
        let (before, after) = &self.slice.changes[self.at];
        before.iter().for_each(|key| _ = self.keys.remove(key));
        self.keys.extend(after);
        self.at += 1;
    }

    pub(crate) fn variable(&self, key: Key) -> bool {
        self.keys.contains(&key)
    }

    pub(crate) fn memory(&self) -> bool {
        self.slice.memory[self.at]
    }
}

impl Relevance {
    /// The slice of a path up to the step `last`, which contradicts the steps before it.
    ///
    /// Where the distance between two variables is known, what is learned of one is learned of the
    /// other, so that whatever speaks of variables that are linked to relevant ones is relevant, too.
    pub(crate) fn of(
        program: &Program,
        mirrors: &Mirrors,
        stacks: &Stacks,
        path: &Path,
        last: usize,
    ) -> Self {
        let mut linked = FxHashSet::default();
        loop {
            let before = linked.len();
            let slice = Self::with(program, mirrors, stacks, path, last, &mut linked);
            if linked.len() == before {
                return slice;
            }
        }
    }

    fn with(
        program: &Program,
        mirrors: &Mirrors,
        stacks: &Stacks,
        path: &Path,
        last: usize,
        linked: &mut FxHashSet<Key>,
    ) -> Self {
        let mut walk = Walk {
            program,
            mirrors,
            linked,
            keys: FxHashSet::default(),
            memory: false,
            depth: 0,
            added: Vec::new(),
            removed: Vec::new(),
        };
        let mut steps = vec![false; last + 1];
        let mut changes = vec![Default::default(); last + 1];
        let mut memory = vec![false; last + 2];
        for index in (0..=last).rev() {
            memory[index + 1] = walk.memory;
            let after = stacks.depth(path.places[index + 1].stack);
            steps[index] = walk.step(path.steps[index], after, index == last);
            changes[index] = (std::mem::take(&mut walk.added), std::mem::take(&mut walk.removed));
        }
        memory[0] = walk.memory;
        keep_frames(path, &mut steps);
        Self { steps, changes, memory, start: walk.keys }
    }

    /// What is relevant at the start.
    pub(crate) fn relevant(&self) -> Relevant<'_> {
        Relevant { slice: self, keys: self.start.clone(), at: 0 }
    }
}

/// Marks the calls and returns around steps that matter: without them variables are not found.
fn keep_frames(path: &Path, steps: &mut [bool]) {
    // Calls without a return so far, and whether something since them matters.
    let mut open: Vec<(usize, bool)> = Vec::new();
    for index in 0..steps.len() {
        match path.steps[index] {
            Step::Return(_) => {
                let Some((call, inside)) = open.pop() else { continue };
                let matters = inside || steps[index];
                steps[call] = matters;
                steps[index] = matters;
                if let Some((_, around)) = open.last_mut() {
                    *around |= matters;
                }
            }
            step => {
                let entered = index + 1 < path.places.len()
                    && path.places[index + 1].stack != path.places[index].stack;
                if step.edge().is_some() && entered {
                    open.push((index, steps[index]));
                } else if let Some((_, inside)) = open.last_mut() {
                    *inside |= steps[index];
                }
            }
        }
    }
    open.iter().for_each(|(call, _)| steps[*call] = true);
}

struct Walk<'p> {
    program: &'p Program,
    mirrors: &'p Mirrors,
    /// Variables that were found relevant somewhere, and variables that are linked to these by distances.
    linked: &'p mut FxHashSet<Key>,
    keys: FxHashSet<Key>,
    memory: bool,
    /// The depth of the activation that operations are in.
    depth: u32,
    /// What has become relevant during a step, and what has ceased to be.
    added: Vec<Key>,
    removed: Vec<Key>,
}

impl Walk<'_> {
    fn key(&self, depth: u32, var: Var) -> Option<Key> {
        match self.program.cfa.variables[var].scope {
            Scope::Global => Some((None, var)),
            Scope::Local(_) => Some((Some(depth), var)),
            Scope::Address(_) => None,
        }
    }

    fn add_all(&mut self, depth: u32, term: TermId) {
        for var in self.program.terms.vars(term) {
            self.add(depth, var);
        }
    }

    fn add(&mut self, depth: u32, var: Var) {
        if let Some(key) = self.key(depth, var)
            && self.keys.insert(key)
        {
            self.linked.insert(key);
            match self.removed.iter().position(|other| *other == key) {
                Some(at) => _ = self.removed.swap_remove(at),
                None => self.added.push(key),
            }
        }
    }

    fn take(&mut self, depth: u32, var: Var) -> bool {
        let Some(key) = self.key(depth, var) else { return false };
        let there = self.keys.remove(&key);
        if there {
            match self.added.iter().position(|other| *other == key) {
                Some(at) => _ = self.added.swap_remove(at),
                None => self.removed.push(key),
            }
        }
        there
    }

    /// Goes back over a step that ends at a depth. Gives whether the step matters.
    fn step(&mut self, step: Step, after: u32, last: bool) -> bool {
        let cfa = &self.program.cfa;
        match step {
            Step::Return(call) => {
                let edge = &cfa.edges[call];
                let Some(Op::Call { callee, results, .. }) = edge.ops.last() else { return false };
                let mut matters = self.memory;
                for (target, result) in results.iter().zip(&cfa.functions[*callee].results) {
                    if self.take(after, *target) {
                        matters = true;
                        if let Some(key) = self.key(after + 1, *result)
                            && self.keys.insert(key)
                        {
                            self.added.push(key);
                        }
                    }
                }
                matters
            }
            Step::Edge(id) => {
                let edge = &cfa.edges[id];
                if let Some(Op::Call { callee, arguments, .. }) = edge.ops.last() {
                    let mut matters = false;
                    let parameters = &cfa.functions[*callee].parameters;
                    for (parameter, argument) in parameters.iter().zip(arguments) {
                        let passed =
                            self.links(after, *parameter, after.saturating_sub(1), *argument);
                        if self.take(after, *parameter) || passed {
                            matters = true;
                            self.add_all(after.saturating_sub(1), *argument);
                        }
                    }
                    return matters;
                }
                self.depth = after;
                // As long as no operation matters, none changes what is relevant.
                let mut links = false;
                for op in &edge.ops {
                    if let Op::Assign { var, value } = op {
                        links |= self.links(after, *var, after, *value);
                    }
                }
                if !last && !links && !edge.ops.iter().rev().any(|op| self.matters(op)) {
                    return false;
                }
                for (number, op) in edge.ops.iter().enumerate().rev() {
                    self.operation(op, last);
                    // Edges have fewer than 2^32 operations.
                    if let Some(mirror) = self.mirrors.get(&(id, number as u32)).copied() {
                        self.add(after, mirror);
                    }
                }
                true
            }
        }
    }

    fn is_linked(&self, depth: u32, var: Var) -> bool {
        self.key(depth, var).is_some_and(|key| self.linked.contains(&key))
    }

    /// Whether a variable gets a value at some distance from a variable that is linked to a relevant one: then the
    /// first variable is linked, too.
    fn links(&mut self, depth: u32, var: Var, depth_of_term: u32, term: TermId) -> bool {
        let terms = &self.program.terms;
        let mut term = term;
        while let View::App(
            TermOp::BvAdd | TermOp::BvSub | TermOp::Add | TermOp::Sub,
            [left, right],
        ) = terms.view(term)
        {
            let is_constant = |term| matches!(terms.view(term), View::Const(_));
            term = if is_constant(*left) { *right } else { *left };
        }
        let View::Var(other) = terms.view(term) else { return false };
        let links = self.is_linked(depth_of_term, other);
        if links && let Some(key) = self.key(depth, var) {
            self.linked.insert(key);
        }
        links
    }

    /// Whether an operation has to do with what is relevant after it.
    fn matters(&self, op: &Op) -> bool {
        let is_relevant =
            |var: &Var| self.key(self.depth, *var).is_some_and(|key| self.keys.contains(&key));
        match op {
            Op::Assume(condition) | Op::Check { holds: condition, .. } => {
                let vars = self.program.terms.vars(*condition);
                vars.iter().any(|var| is_relevant(var) || self.is_linked(self.depth, *var))
            }
            Op::Alloc { .. } => self.memory || op.assigned().iter().any(is_relevant),
            Op::Store { .. }
            | Op::Copy { .. }
            | Op::Fill { .. }
            | Op::HavocMemory { .. }
            | Op::Free { .. } => self.memory,
            Op::HavocReachable { .. } => true,
            _ => op.assigned().iter().any(is_relevant),
        }
    }

    /// Goes back over an operation of an edge that matters. All operations of such an edge are executed, so all that
    /// they read is relevant: otherwise a condition in the slice could see that an assignment was left out of the
    /// slice.
    fn operation(&mut self, op: &Op, last: bool) {
        let depth = self.depth;
        let mut assigned = false;
        for var in op.assigned() {
            assigned |= self.take(depth, *var);
        }
        match op {
            Op::Load { .. } | Op::Size { .. } | Op::Valid { .. } | Op::Free { .. } => {
                self.memory = true;
            }
            Op::Alloc { .. } => self.memory |= assigned,
            Op::Store { .. } | Op::Copy { .. } | Op::Fill { .. } | Op::HavocMemory { .. } => {
                self.memory |= last;
            }
            _ => {}
        }
        for term in op.terms() {
            self.add_all(depth, term);
        }
    }
}
