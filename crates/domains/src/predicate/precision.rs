//! Precisions: which predicates are asked about where.

use cfa::{Cfa, FuncId, LocId, Scope};
use cpa::{StackId, Stacks};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{ParseError, Sort, TermId, Terms, Var};

use crate::predicate::symbols::Symbols;
use crate::value::{PrecisionScope, Where};

/// A predicate over globals and over variables of activations, wherever these are on the stack.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Predicate {
    /// A formula over globals, over variables of the innermost activation that it speaks of, under their own names, and
    /// over symbols for variables of activations below.
    formula: TermId,
    /// The function of the innermost activation that it speaks of, if it speaks of any.
    function: Option<FuncId>,
    /// The symbols for variables of other activations: the variable, its function, and how far its activation is below
    /// the innermost one.
    below: Vec<(Var, Var, FuncId, u32)>,
}

/// The predicates at each location.
pub(crate) struct Precision {
    scope: PrecisionScope,
    predicates: Vec<Predicate>,
    sets: FxHashMap<Where, Vec<usize>>,
    known: FxHashSet<(Where, TermId)>,
    /// Symbols for variables of activations that are a given number of activations below another one.
    distant: FxHashMap<(Var, u32), Var>,
    instances: FxHashMap<(usize, u32), TermId>,
}

impl Precision {
    /// No predicates yet.
    pub(crate) fn new(scope: PrecisionScope) -> Self {
        Self {
            scope,
            predicates: Vec::new(),
            sets: FxHashMap::default(),
            known: FxHashSet::default(),
            distant: FxHashMap::default(),
            instances: FxHashMap::default(),
        }
    }

    /// How many predicates there are.
    pub(crate) fn len(&self) -> usize {
        self.predicates.len()
    }

    fn place(&self, cfa: &Cfa, location: LocId) -> Where {
        Where::of(cfa, self.scope, location)
    }

    /// Every predicate as SMT-LIB text, with the place that it belongs to, in order.
    pub(crate) fn texts(&self, terms: &Terms) -> Vec<(Where, String)> {
        let mut all: Vec<(Where, usize)> = Vec::new();
        #[expect(clippy::iter_over_hash_type, reason = "sorted below")]
        for (place, set) in &self.sets {
            all.extend(set.iter().map(|index| (*place, *index)));
        }
        all.sort_unstable();
        let text = |index: usize| terms.display(self.predicates[index].formula).to_string();
        all.into_iter().map(|(place, index)| (place, text(index))).collect()
    }

    /// Adds a predicate from its text. Variables of activations below are called by the name of the
    /// variable and how far below they are: `main::x-1`.
    ///
    /// # Errors
    /// If the text is no predicate over variables of the program.
    pub(crate) fn read(
        &mut self,
        cfa: &Cfa,
        terms: &mut Terms,
        names: &FxHashMap<String, Var>,
        (place, text): (Where, &str),
    ) -> Result<(), ParseError> {
        let mut distant = FxHashMap::default();
        let mut below = Vec::new();
        // Symbols for variables of activations below have names that the program does not have, so they are declared
        // before the text is read.
        for word in text.split(['(', ')', '|', ' ']) {
            let Some((var, far)) = word.rsplit_once('-') else { continue };
            let Some(var) = names.get(var).copied().filter(|_| !names.contains_key(word)) else {
                continue;
            };
            let Some(far) = far.parse::<u32>().ok().filter(|far| *far > 0) else { continue };
            let Scope::Local(owner) = cfa.variables[var].scope else { continue };
            let symbol = self.distant(terms, var, far);
            if distant.insert(word, symbol).is_none() {
                below.push((symbol, var, owner, far));
            }
        }
        let formula = terms
            .parse(text, &mut |name| names.get(name).or_else(|| distant.get(name)).copied())?;
        if terms.sort(formula) != Sort::Bool {
            let message = "a predicate is true or false".to_owned();
            return Err(ParseError { offset: 0, message });
        }
        let local = |var: &Var| match cfa.variables.get(*var).map(|known| known.scope) {
            Some(Scope::Local(function)) => Some(function),
            _ => None,
        };
        let mut owners: Vec<FuncId> = terms.vars(formula).iter().filter_map(local).collect();
        owners.dedup();
        if owners.len() > 1 || owners.is_empty() && !below.is_empty() {
            let message =
                "variables of several functions, and no word which calls which".to_owned();
            return Err(ParseError { offset: 0, message });
        }
        let function = owners.first().copied();
        self.insert(place, Predicate { formula, function, below });
        Ok(())
    }

    /// The symbol for a variable of an activation that is `far` activations below another one.
    fn distant(&mut self, terms: &mut Terms, var: Var, far: u32) -> Var {
        *self.distant.entry((var, far)).or_insert_with(|| {
            let name = format!("{}-{far}", terms.var_name(var));
            terms.declare(name, terms.var_sort(var))
        })
    }

    /// Adds a predicate at a place. Gives whether the predicate is new there.
    fn insert(&mut self, place: Where, predicate: Predicate) -> bool {
        if !self.known.insert((place, predicate.formula)) {
            return false;
        }
        let known = self.predicates.iter().position(|each| *each == predicate);
        let index = known.unwrap_or_else(|| {
            self.predicates.push(predicate);
            self.predicates.len() - 1
        });
        self.sets.entry(place).or_default().push(index);
        true
    }

    /// The predicate that a formula over symbols of values stands for, no matter where on the stack its activations
    /// are; `None` if the formula speaks of anything else.
    fn general(
        &mut self,
        cfa: &Cfa,
        terms: &mut Terms,
        symbols: &Symbols,
        formula: TermId,
    ) -> Option<Predicate> {
        let mut depths: Vec<(Var, Var, u32)> = Vec::new();
        for symbol in terms.vars(formula) {
            match symbols.place(cfa, symbol) {
                Some((0, _)) => {}
                Some((depth, var)) => depths.push((symbol, var, depth)),
                None => match cfa.variables.get(symbol).map(|known| known.scope) {
                    Some(Scope::Address(_)) => {}
                    _ => return None,
                },
            }
        }
        let top = depths.iter().map(|(_, _, depth)| *depth).max().unwrap_or(0);
        let owner = |var: Var| match cfa.variables[var].scope {
            Scope::Local(function) => Some(function),
            _ => None,
        };
        let mut map = FxHashMap::default();
        let mut below = Vec::new();
        let mut function = None;
        for (symbol, var, depth) in depths {
            let owner = owner(var)?;
            if depth == top {
                function = Some(owner);
                map.insert(symbol, var);
                continue;
            }
            let far = top - depth;
            let distant = self.distant(terms, var, far);
            map.insert(symbol, distant);
            below.push((distant, var, owner, far));
        }
        let images: FxHashMap<Var, TermId> =
            map.into_iter().map(|(symbol, var)| (symbol, terms.var(var))).collect();
        let formula = terms.substitute(formula, &mut |var| images.get(&var).copied());
        (terms.value(formula).is_none()).then_some(Predicate { formula, function, below })
    }

    /// Adds a predicate over symbols of values at a location, if the predicate has no other symbols. Gives whether the
    /// predicate is new there.
    pub(crate) fn add(
        &mut self,
        cfa: &Cfa,
        terms: &mut Terms,
        symbols: &Symbols,
        location: LocId,
        formula: TermId,
    ) -> bool {
        let Some(predicate) = self.general(cfa, terms, symbols, formula) else { return false };
        let place = self.place(cfa, location);
        self.insert(place, predicate)
    }

    /// Whether a predicate over symbols of values is asked about at a location.
    pub(crate) fn has(
        &mut self,
        cfa: &Cfa,
        terms: &mut Terms,
        symbols: &Symbols,
        location: LocId,
        formula: TermId,
    ) -> bool {
        let general = self.general(cfa, terms, symbols, formula);
        let place = self.place(cfa, location);
        general.is_some_and(|predicate| self.known.contains(&(place, predicate.formula)))
    }

    /// The predicates at a place, over the symbols of values there.
    pub(crate) fn at(
        &mut self,
        cfa: &Cfa,
        terms: &mut Terms,
        symbols: &mut Symbols,
        stacks: &Stacks,
        (location, stack): (LocId, StackId),
    ) -> Vec<TermId> {
        let functions: Vec<FuncId> = stacks.functions(cfa, location, stack).collect();
        let here = self.place(cfa, location);
        let set = self.sets.get(&here).cloned().unwrap_or_default();
        let mut found = Vec::new();
        for index in set {
            let Some(function) = self.predicates[index].function else {
                found.push(self.predicates[index].formula);
                continue;
            };
            for (up, _) in functions.iter().enumerate().filter(|(_, each)| **each == function) {
                let below = &self.predicates[index].below;
                let fits = below
                    .iter()
                    .all(|(_, _, owner, far)| functions.get(up + *far as usize) == Some(owner));
                if fits {
                    let depth = (functions.len() - up) as u32;
                    found.push(self.instance(cfa, terms, symbols, index, depth));
                }
            }
        }
        found
    }

    /// A predicate about the activation at a depth and those below it.
    fn instance(
        &mut self,
        cfa: &Cfa,
        terms: &mut Terms,
        symbols: &mut Symbols,
        index: usize,
        depth: u32,
    ) -> TermId {
        if let Some(known) = self.instances.get(&(index, depth)) {
            return *known;
        }
        let predicate = &self.predicates[index];
        let mut images = FxHashMap::default();
        for (symbol, var, _, far) in &predicate.below {
            let current = symbols.current(terms, (depth - far, *var));
            images.insert(*symbol, terms.var(current));
        }
        for var in terms.vars(predicate.formula) {
            let local = |known: &cfa::Variable| matches!(known.scope, Scope::Local(_));
            if cfa.variables.get(var).is_some_and(local) {
                let current = symbols.current(terms, (depth, var));
                images.insert(var, terms.var(current));
            }
        }
        let formula = terms.substitute(predicate.formula, &mut |var| images.get(&var).copied());
        self.instances.insert((index, depth), formula);
        formula
    }
}
