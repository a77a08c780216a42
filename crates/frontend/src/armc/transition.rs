//! From a transition, a relation between an old and a new state, to operations with the same meaning.
//!
//! Everything is evaluated in the old state: first the guards, then the choices that equations
//! leave open with the constraints on them, and at last all variables change at once.

use std::collections::BTreeSet;

use base::Diagnostic;
use cfa::{Choice, FuncId, Op, Program, Reading, Scope, Variable};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Sort, TermId, Terms, Var};

use super::constraint::{conjuncts, equation, number, truth, variables};
use super::facts::Transition;
use super::reader::{Arena, NodeId};

/// The variables of the program.
pub(super) struct Variables {
    pub function: FuncId,
    /// The variables, by their places in the state.
    pub places: Vec<Var>,
    /// Names that are taken.
    pub taken: FxHashSet<Box<str>>,
    /// Variables for choices, by name.
    pub choices: FxHashMap<Box<str>, Var>,
}

impl Variables {
    /// A name that is not taken yet: `name`, or a name like it.
    pub fn unique(&mut self, name: &str) -> Box<str> {
        let mut unique: Box<str> = name.into();
        let mut count = 1;
        while !self.taken.insert(unique.clone()) {
            count += 1;
            unique = format!("{name}_{count}").into();
        }
        unique
    }

    /// A variable for a choice of this name. Transitions share these variables.
    pub fn choice(&mut self, program: &mut Program, name: &str) -> Var {
        if let Some(var) = self.choices.get(name) {
            return *var;
        }
        let unique = self.unique(name);
        let scope = Scope::Local(self.function);
        let variable = Variable { scope, reading: Reading::Plain, source_name: None, span: None };
        let var = program.declare(unique, Sort::Rat, variable);
        self.choices.insert(name.into(), var);
        var
    }
}

/// What a Prolog variable of a transition stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Symbol {
    /// The old value at a place.
    Old(usize),
    /// The new value at a place.
    New(usize),
    /// A number that is in neither state, by its index in `Relation::numbers`.
    Some(usize),
}

/// What a new value or a number is equal to.
#[derive(Clone, Copy)]
enum Definition {
    Expression(NodeId),
    Symbol(Symbol),
}

/// A transition taken apart.
struct Relation<'a> {
    arena: &'a Arena,
    symbols: FxHashMap<Key<'a>, Symbol>,
    /// Names of the numbers that are in neither state.
    numbers: Vec<&'a str>,
    definitions: FxHashMap<Symbol, Definition>,
    /// Places of the old state that hold an expression or repeat a variable.
    patterns: Vec<(usize, Definition)>,
    constraints: Vec<NodeId>,
}

/// A variable by its name, or a single `_` by its term.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key<'a> {
    Named(&'a str),
    Anonymous(NodeId),
}

fn key(id: NodeId, name: &str) -> Key<'_> {
    if name == "_" { Key::Anonymous(id) } else { Key::Named(name) }
}

/// The operations of a transition between states of the program's arity.
pub(super) fn operations(
    program: &mut Program,
    known: &mut Variables,
    arena: &Arena,
    transition: &Transition,
    implicit_updates: bool,
) -> Result<Vec<Op>, Diagnostic> {
    let source = transition.source.data.as_deref().unwrap_or_default();
    let target = transition.target.data.as_deref().unwrap_or_default();
    let mut relation = Relation::new(arena, source, &transition.constraints);
    relation.enter(target);
    relation.define(target.len());
    relation.lower(program, known, target.len(), implicit_updates)
}

/// Operations with which only executions in a set of states go on; a state term and a constraint describe the set.
pub(super) fn restriction(
    program: &mut Program,
    known: &mut Variables,
    arena: &Arena,
    state: &[NodeId],
    constraint: NodeId,
) -> Result<Vec<Op>, Diagnostic> {
    let mut relation = Relation::new(arena, state, &[constraint]);
    relation.define(0);
    relation.lower(program, known, 0, true)
}

/// The condition that a state is in such a set, as one formula. Numbers that are not in the state are an error.
pub(super) fn formula(
    terms: &mut Terms,
    known: &Variables,
    arena: &Arena,
    state: &[NodeId],
    constraint: NodeId,
) -> Result<TermId, Diagnostic> {
    let relation = Relation::new(arena, state, &[constraint]);
    let mut lookup = |terms: &mut Terms, id: NodeId, name: &str| match relation.symbol(id, name) {
        Some(Symbol::Old(place)) => Some(terms.var(known.places[place])),
        _ => None,
    };
    let mut parts = Vec::new();
    for (place, definition) in &relation.patterns {
        let value = match definition {
            Definition::Expression(id) => number(terms, arena, *id, &mut lookup)?,
            Definition::Symbol(Symbol::Old(other)) => terms.var(known.places[*other]),
            Definition::Symbol(_) => continue,
        };
        let old = terms.var(known.places[*place]);
        parts.push(terms.eq(old, value));
    }
    for constraint in &relation.constraints {
        parts.push(truth(terms, arena, *constraint, &mut lookup)?);
    }
    Ok(terms.and(&parts))
}

impl<'a> Relation<'a> {
    /// A relation that knows the old state and the constraints, but not the new state.
    fn new(arena: &'a Arena, source: &[NodeId], constraints: &[NodeId]) -> Self {
        let mut relation = Relation {
            arena,
            symbols: FxHashMap::default(),
            numbers: Vec::new(),
            definitions: FxHashMap::default(),
            patterns: Vec::new(),
            constraints: conjuncts(arena, constraints),
        };
        for (place, id) in source.iter().enumerate() {
            let Some(name) = arena.variable(*id) else {
                relation.patterns.push((place, Definition::Expression(*id)));
                continue;
            };
            let old = Symbol::Old(place);
            let first = *relation.symbols.entry(key(*id, name)).or_insert(old);
            if first != old {
                relation.patterns.push((place, Definition::Symbol(first)));
            }
        }
        relation
    }

    /// Takes in the new state.
    fn enter(&mut self, target: &[NodeId]) {
        for (place, id) in target.iter().enumerate() {
            let new = Symbol::New(place);
            let definition = match self.arena.variable(*id) {
                None => Definition::Expression(*id),
                Some(name) => {
                    let first = *self.symbols.entry(key(*id, name)).or_insert(new);
                    if first == new {
                        continue;
                    }
                    Definition::Symbol(first)
                }
            };
            self.definitions.insert(new, definition);
        }
    }

    fn symbol(&self, id: NodeId, name: &str) -> Option<Symbol> {
        self.symbols.get(&key(id, name)).copied()
    }

    /// Takes equations for definitions where that is possible: first of new values, then of
    /// numbers that are in neither state.
    fn define(&mut self, places: usize) {
        self.find_numbers(places);
        let numbers = self.numbers.len();
        let wanted: [FxHashSet<Symbol>; 2] =
            [(0..places).map(Symbol::New).collect(), (0..numbers).map(Symbol::Some).collect()];
        for wanted in &wanted {
            let constraints = std::mem::take(&mut self.constraints);
            for constraint in constraints {
                if !self.defines(constraint, wanted) {
                    self.constraints.push(constraint);
                }
            }
        }
    }

    /// Gives a symbol to every variable that has none yet.
    fn find_numbers(&mut self, places: usize) {
        let mut roots = self.constraints.clone();
        let expression = |definition: &Definition| match definition {
            Definition::Expression(id) => Some(*id),
            Definition::Symbol(_) => None,
        };
        roots.extend(self.patterns.iter().filter_map(|(_, pattern)| expression(pattern)));
        let new = (0..places).filter_map(|place| self.definitions.get(&Symbol::New(place)));
        roots.extend(new.filter_map(expression));
        for root in roots {
            for (id, name) in variables(self.arena, root) {
                let next = Symbol::Some(self.numbers.len());
                if *self.symbols.entry(key(id, name)).or_insert(next) == next {
                    self.numbers.push(name);
                }
            }
        }
    }

    /// Whether the constraint is an equation that now defines one of the wanted symbols.
    fn defines(&mut self, constraint: NodeId, wanted: &FxHashSet<Symbol>) -> bool {
        let Some([left, right]) = equation(self.arena, constraint) else { return false };
        for (side, other) in [(left, right), (right, left)] {
            let Some(name) = self.arena.variable(side) else { continue };
            let Some(symbol) = self.symbol(side, name) else { continue };
            if !wanted.contains(&symbol) || self.definitions.contains_key(&symbol) {
                continue;
            }
            let definition = Definition::Expression(other);
            if !self.leads_to(definition, symbol) {
                self.definitions.insert(symbol, definition);
                return true;
            }
        }
        false
    }

    /// The symbols that stand in a definition.
    fn uses(&self, definition: Definition) -> Vec<Symbol> {
        match definition {
            Definition::Symbol(symbol) => vec![symbol],
            Definition::Expression(id) => {
                let found = variables(self.arena, id).into_iter();
                found.filter_map(|(id, name)| self.symbol(id, name)).collect()
            }
        }
    }

    /// Whether a definition depends on a symbol, other definitions included.
    fn leads_to(&self, definition: Definition, symbol: Symbol) -> bool {
        let mut stack = self.uses(definition);
        let mut seen = FxHashSet::default();
        while let Some(used) = stack.pop() {
            if used == symbol {
                return true;
            }
            if let Some(definition) =
                self.definitions.get(&used).copied().filter(|_| seen.insert(used))
            {
                stack.extend(self.uses(definition));
            }
        }
        false
    }

    /// The symbols that `roots` depend on when definitions are followed, `roots` included.
    fn grounds(&self, roots: Vec<Symbol>) -> FxHashSet<Symbol> {
        let mut stack = roots;
        let mut found = FxHashSet::default();
        while let Some(symbol) = stack.pop() {
            if found.insert(symbol)
                && let Some(definition) = self.definitions.get(&symbol)
            {
                stack.extend(self.uses(*definition));
            }
        }
        found
    }

    fn lower(
        &self,
        program: &mut Program,
        known: &mut Variables,
        places: usize,
        implicit_updates: bool,
    ) -> Result<Vec<Op>, Diagnostic> {
        let mut ops = Vec::new();
        let mut values = Values { relation: self, terms: FxHashMap::default() };
        for (place, var) in known.places.iter().enumerate() {
            let old = program.terms.var(*var);
            values.terms.insert(Symbol::Old(place), old);
        }
        // Constraints on the old state alone come first, before any choice is made.
        let mut rest = Vec::new();
        for constraint in &self.constraints {
            let symbols = self.uses(Definition::Expression(*constraint));
            let symbols = self.grounds(symbols);
            if symbols.iter().any(|symbol| self.is_free(*symbol)) {
                rest.push(*constraint);
                continue;
            }
            let holds = values.truth(&mut program.terms, *constraint)?;
            ops.push(Op::Assume(holds));
        }
        for (place, pattern) in &self.patterns {
            let value = values.definition(&mut program.terms, *pattern);
            // A pattern must hold before any choice is made, so no free number may be in it.
            let free = self.grounds(self.uses(*pattern));
            if free.iter().any(|symbol| self.is_free(*symbol)) {
                let message = "an expression here has variables of its own";
                let span = match pattern {
                    Definition::Expression(id) => self.arena.span(*id),
                    Definition::Symbol(_) => continue,
                };
                return Err(Diagnostic::error(span, message));
            }
            let old = program.terms.var(known.places[*place]);
            let holds = program.terms.eq(old, value?);
            ops.push(Op::Assume(holds));
        }
        let trailing = self.choose(program, known, &rest, places, &mut values, &mut ops);
        for constraint in rest {
            let holds = values.truth(&mut program.terms, constraint)?;
            ops.push(Op::Assume(holds));
        }
        let mut changes = Vec::new();
        for place in 0..places {
            let new = Symbol::New(place);
            if trailing.contains(&place) {
                continue;
            }
            let value = values.symbol(&mut program.terms, new)?;
            changes.push((place, value));
        }
        assign_all(program, known, changes, &mut ops);
        if !implicit_updates {
            for place in trailing {
                let var = known.places[place];
                let name = program.terms.var_name(var).into();
                ops.push(Op::Havoc { var, choice: Choice::Input(name) });
            }
        }
        ops.retain(|op| !matches!(op, Op::Assume(holds) if program.terms.is_true(*holds)));
        Ok(ops)
    }

    /// Whether a symbol is neither an old value nor defined.
    fn is_free(&self, symbol: Symbol) -> bool {
        !matches!(symbol, Symbol::Old(_)) && !self.definitions.contains_key(&symbol)
    }

    /// Makes the choices that constraints or new values depend on. Gives the places whose new values nothing
    /// constrains.
    fn choose(
        &self,
        program: &mut Program,
        known: &mut Variables,
        rest: &[NodeId],
        places: usize,
        values: &mut Values<'_>,
        ops: &mut Vec<Op>,
    ) -> BTreeSet<usize> {
        let mut roots = Vec::new();
        for constraint in rest {
            roots.extend(self.uses(Definition::Expression(*constraint)));
        }
        for place in 0..places {
            let new = Symbol::New(place);
            roots.extend(self.definitions.get(&new).into_iter().flat_map(|def| self.uses(*def)));
        }
        let needed = self.grounds(roots);
        for (index, name) in self.numbers.iter().enumerate() {
            let symbol = Symbol::Some(index);
            if needed.contains(&symbol) && self.is_free(symbol) {
                let name = if *name == "_" { "choice" } else { name };
                let name = distinct(name, index, &self.numbers);
                let var = known.choice(program, &name);
                ops.push(Op::Havoc { var, choice: Choice::Input(name) });
                values.terms.insert(symbol, program.terms.var(var));
            }
        }
        let mut trailing = BTreeSet::new();
        for place in 0..places {
            let new = Symbol::New(place);
            if !self.is_free(new) {
                continue;
            }
            if !needed.contains(&new) {
                trailing.insert(place);
                continue;
            }
            let changing = known.places[place];
            let name: Box<str> = program.terms.var_name(changing).into();
            // The variable itself can take the choice if its old value is not needed any more.
            let var = if needed.contains(&Symbol::Old(place)) {
                known.choice(program, &format!("{name}.new"))
            } else {
                changing
            };
            ops.push(Op::Havoc { var, choice: Choice::Input(name) });
            values.terms.insert(new, program.terms.var(var));
        }
        trailing
    }
}

/// The name of the variable for a number: `_` may stand for several numbers of a transition, each with its own
/// variable.
fn distinct(name: &str, index: usize, numbers: &[&str]) -> Box<str> {
    let before = numbers[..index].iter().filter(|other| **other == numbers[index]).count();
    if before == 0 { name.into() } else { format!("{name}{}", before + 1).into() }
}

/// The terms of symbols, made when they are needed.
struct Values<'a> {
    relation: &'a Relation<'a>,
    terms: FxHashMap<Symbol, TermId>,
}

impl Values<'_> {
    /// The term of a symbol. The symbols in its definition get their terms first, in a loop and not by recursion.
    fn symbol(&mut self, terms: &mut Terms, symbol: Symbol) -> Result<TermId, Diagnostic> {
        let mut stack = vec![symbol];
        while let Some(top) = stack.last().copied() {
            let definition = self.relation.definitions.get(&top).copied();
            let Some(definition) = definition.filter(|_| !self.terms.contains_key(&top)) else {
                stack.pop();
                continue;
            };
            let missing = self.relation.uses(definition).into_iter().find(|used| {
                !self.terms.contains_key(used) && self.relation.definitions.contains_key(used)
            });
            match missing {
                Some(used) => stack.push(used),
                None => {
                    let term = self.definition(terms, definition)?;
                    self.terms.insert(top, term);
                }
            }
        }
        Ok(self.terms.get(&symbol).copied().unwrap_or_else(|| terms.rat(Default::default())))
    }

    /// The term of a definition whose symbols have terms.
    fn definition(
        &mut self,
        terms: &mut Terms,
        definition: Definition,
    ) -> Result<TermId, Diagnostic> {
        match definition {
            Definition::Symbol(symbol) => self.symbol(terms, symbol),
            Definition::Expression(id) => {
                self.prepare(terms, id)?;
                let (relation, known) = (self.relation, &self.terms);
                number(terms, relation.arena, id, &mut |_, id, name| {
                    known.get(&relation.symbol(id, name)?).copied()
                })
            }
        }
    }

    fn truth(&mut self, terms: &mut Terms, id: NodeId) -> Result<TermId, Diagnostic> {
        self.prepare(terms, id)?;
        let (relation, known) = (self.relation, &self.terms);
        truth(terms, relation.arena, id, &mut |_, id, name| {
            known.get(&relation.symbol(id, name)?).copied()
        })
    }

    /// Makes the terms of the symbols in an expression.
    fn prepare(&mut self, terms: &mut Terms, id: NodeId) -> Result<(), Diagnostic> {
        for used in self.relation.uses(Definition::Expression(id)) {
            if !self.terms.contains_key(&used) && self.relation.definitions.contains_key(&used) {
                self.symbol(terms, used)?;
            }
        }
        Ok(())
    }
}

/// Changes variables all at once: each is assigned when no other change reads its old value any
/// more, and a cycle is broken by keeping one old value aside.
fn assign_all(
    program: &mut Program,
    known: &mut Variables,
    changes: Vec<(usize, TermId)>,
    ops: &mut Vec<Op>,
) {
    let mut pending: Vec<(Var, TermId)> = Vec::new();
    for (place, value) in changes {
        let var = known.places[place];
        if program.terms.var(var) != value {
            pending.push((var, value));
        }
    }
    while !pending.is_empty() {
        let mut readers: FxHashMap<Var, usize> = FxHashMap::default();
        for (var, value) in &pending {
            for read in program.terms.vars(*value).into_iter().filter(|read| read != var) {
                *readers.entry(read).or_default() += 1;
            }
        }
        let before = pending.len();
        let mut later = Vec::new();
        for (var, value) in pending {
            if readers.get(&var).is_some_and(|count| *count > 0) {
                later.push((var, value));
                continue;
            }
            for read in program.terms.vars(value).into_iter().filter(|read| *read != var) {
                readers.entry(read).and_modify(|count| *count -= 1);
            }
            ops.push(Op::Assign { var, value });
        }
        pending = later;
        if pending.len() == before {
            let (var, _) = pending[0];
            let name = format!("{}.old", program.terms.var_name(var));
            let kept = known.choice(program, &name);
            let old = program.terms.var(var);
            let aside = program.terms.var(kept);
            ops.push(Op::Assign { var: kept, value: old });
            for (_, value) in &mut pending[..] {
                let changed = |read: Var| (read == var).then_some(aside);
                *value = program.terms.substitute(*value, &mut { changed });
            }
        }
    }
}
