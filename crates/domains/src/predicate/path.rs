//! A single path through the blocks that lead to a target: one that the abstraction allows, and
//! its formula.

use std::collections::{BTreeMap, BTreeSet};

use cfa::EdgeId;
use cpa::{Path, Place, StackId, Step};
use run::Unknown;
use rustc_hash::FxHashMap;
use smt::Block as Formulas;
use term::{TermId, Var};

use crate::predicate::ask::{Model, Said};
use crate::predicate::block::{BlockId, How, PointId};
use crate::predicate::combination::conjunction;
use crate::predicate::work::Work;
use crate::predicate::{Predicates, State};

/// The steps that are taken in a block, and the stacks that they lead to.
pub(crate) type Way = Vec<(Step, StackId)>;

/// A path, block by block.
pub(crate) struct Chosen {
    /// The blocks, with the steps that are taken in each.
    pub(crate) blocks: Vec<(BlockId, Way)>,
}

impl Chosen {
    /// The edges of the program on the path.
    pub(crate) fn edges(&self) -> Vec<EdgeId> {
        let steps = self.blocks.iter().flat_map(|(_, steps)| steps);
        steps.filter_map(|(step, _)| step.edge()).collect()
    }
}

/// The formula of a path.
pub(crate) struct Formula {
    /// Block by block, in static single assignment.
    pub(crate) blocks: Vec<Formulas>,
    /// For each cut between two blocks, the values that the symbols of the formula stand for there.
    pub(crate) names: Vec<FxHashMap<Var, TermId>>,
}

/// Which symbols stand for the values of variables at a point of a path.
#[derive(Default)]
struct Versions {
    /// For the symbol of a variable that has changed on the path, the symbol of its present value.
    now: BTreeMap<Var, Var>,
    /// Depths of the call stack at which a new activation has begun on the path: its variables do not have the
    /// values with which the path began.
    renewed: BTreeSet<u32>,
}

impl Predicates<'_> {
    /// A path to a point such that at each cut the state before it and the state after it agree on all predicates. A
    /// boolean abstraction always has such a path; then what refutes the path is a predicate that was not asked about.
    /// `None` if the solver cannot tell.
    fn some_path(&mut self, target: PointId) -> Result<Option<Chosen>, Unknown> {
        let mut blocks = Vec::new();
        let mut cube: Option<TermId> = None;
        for (block, end) in self.graph.chain(target).into_iter().rev() {
            let mut formulas = self.formulas(end);
            let mut said = Said::Unsat;
            if let Some(cube) = cube {
                let after = self.after(end, cube);
                formulas.push(after);
                said = self.ask.check(&self.terms, &formulas)?;
                formulas.pop();
            }
            if !matches!(said, Said::Sat(_)) {
                said = self.ask.check(&self.terms, &formulas)?;
            }
            let Said::Sat(mut model) = said else { return Ok(None) };
            blocks.push((block, self.way(end, &mut model)?));
            let predicates = std::rc::Rc::clone(&self.graph.blocks[block].predicates);
            let values = predicates
                .iter()
                .map(|each| self.ask.holds(&self.terms, &mut model, *each))
                .collect::<Result<Vec<bool>, _>>()?;
            cube = Some(conjunction(&mut self.terms, &predicates, &values));
        }
        blocks.reverse();
        Ok(Some(Chosen { blocks }))
    }

    /// A path of the graph as it is, if its blocks are single edges.
    fn as_it_is(&self, states: &[State], path: &Path) -> Option<Chosen> {
        let mut blocks = Vec::with_capacity(path.steps.len());
        for (index, step) in path.steps.iter().enumerate() {
            let point = &self.graph.points[states[index].0];
            if point.how != How::Start {
                return None;
            }
            blocks.push((point.block, vec![(*step, path.places[index + 1].stack)]));
        }
        (!blocks.is_empty()).then_some(Chosen { blocks })
    }

    /// The path of the graph with these states if its blocks are single edges, otherwise a path to its target that the
    /// predicates allow. `None` if the solver cannot tell.
    pub(crate) fn choose_path(
        &mut self,
        states: &[State],
        path: &Path,
    ) -> Result<Option<Chosen>, Unknown> {
        match (self.as_it_is(states, path), states.last()) {
            (Some(chosen), _) => Ok(Some(chosen)),
            (None, Some(target)) => self.some_path(target.0),
            (None, None) => Ok(None),
        }
    }

    /// The path that [`Self::choose_path`] chooses, step by step.
    pub(crate) fn concrete(
        &mut self,
        states: &[State],
        like: &Path,
    ) -> Result<Option<Path>, Unknown> {
        let Some(chosen) = self.choose_path(states, like)? else { return Ok(None) };
        let cfa = &self.program.cfa;
        let mut places = like.places[..1].to_vec();
        let mut steps = Vec::new();
        for (step, stack) in chosen.blocks.into_iter().flat_map(|(_, steps)| steps) {
            let location = match step {
                Step::Return(call) => cfa.edges[call].target,
                Step::Edge(edge) => match cfa.edges[edge].callee() {
                    Some(callee) => cfa.functions[callee].entry,
                    None => cfa.edges[edge].target,
                },
            };
            steps.push(step);
            places.push(Place { location, stack });
        }
        Ok(Some(Path { nodes: Vec::new(), steps, places, unsupported: like.unsupported.clone() }))
    }

    /// The steps from the start of a block to a point that an execution takes.
    fn way(&mut self, end: PointId, model: &mut Model) -> Result<Way, Unknown> {
        let mut steps = Vec::new();
        let mut at = end;
        loop {
            match self.graph.points[at].how {
                How::Start => break,
                How::Step(from, step) => {
                    steps.push((step, self.graph.points[at].stack));
                    at = from;
                }
                How::Merged(a, b) => {
                    let mut taken = true;
                    for condition in self.graph.conditions(a) {
                        taken = taken && self.ask.holds(&self.terms, model, condition)?;
                    }
                    at = if taken { a } else { b };
                }
            }
        }
        steps.reverse();
        Ok(steps)
    }

    /// Whether a formula may have a model.
    pub(crate) fn is_feasible(&mut self, formula: &Formula) -> Result<bool, Unknown> {
        let mut all = Vec::new();
        let mut values: FxHashMap<Var, TermId> = FxHashMap::default();
        for block in &formula.blocks {
            for (var, value) in &block.definitions {
                let value = self.terms.substitute(*value, &mut |var| values.get(&var).copied());
                values.insert(*var, value);
            }
            for each in &block.constraints {
                all.push(self.terms.substitute(*each, &mut |var| values.get(&var).copied()));
            }
        }
        Ok(!matches!(self.ask.check(&self.terms, &all)?, Said::Unsat))
    }

    /// The formula of the last part of a path, with what is known at its start.
    pub(crate) fn path_formula(&mut self, path: &[(BlockId, Way)]) -> Formula {
        let mut blocks = Vec::new();
        let mut names = Vec::new();
        // What the symbols of values are now, where they have changed.
        let mut versions = Versions::default();
        for (number, (block, steps)) in path.iter().enumerate() {
            let start = &self.graph.blocks[*block];
            let depth = self.frames[&start.stack].1;
            let mut work = Work {
                stack: start.stack,
                low: depth,
                values: std::rc::Rc::default(),
                conditions: if number == 0 { vec![start.known] } else { Vec::new() },
                choices: Vec::new(),
            };
            for (step, to) in steps {
                self.take(&mut work, *step, *to);
            }
            let mut renamed = FxHashMap::default();
            let constraints: Vec<TermId> = work
                .conditions
                .iter()
                .map(|each| self.version(*each, &mut versions, &mut renamed))
                .collect();
            let mut definitions = Vec::new();
            let depth = self.frames[&work.stack].1;
            let mut next = Vec::new();
            for (place, value) in work.values.iter().filter(|((at, _), _)| *at <= depth) {
                let symbol = self.symbols.current(&mut self.terms, place);
                if self.terms.var(symbol) == value {
                    continue;
                }
                let value = self.version(value, &mut versions, &mut renamed);
                let version = self.another(symbol);
                definitions.push((version, value));
                next.push((symbol, version));
            }
            // Activations that have begun in this block have variables of their own.
            let cfa = &self.program.cfa;
            let begun = |symbol: &Var| {
                self.symbols.place(cfa, *symbol).is_some_and(|(at, _)| at > work.low)
            };
            versions.now.retain(|symbol, _| !begun(symbol));
            versions.renewed.extend(work.low + 1..=depth);
            versions.now.extend(next);
            blocks.push(Formulas { definitions, constraints });
            let named: Vec<(Var, Var)> =
                versions.now.iter().map(|(symbol, version)| (*version, *symbol)).collect();
            names.push(named.into_iter().map(|(from, to)| (from, self.terms.var(to))).collect());
        }
        names.pop();
        Formula { blocks, names }
    }

    /// A term of a block, with the symbols that stand for its values on a whole path.
    fn version(
        &mut self,
        term: TermId,
        versions: &mut Versions,
        renamed: &mut FxHashMap<Var, Var>,
    ) -> TermId {
        let mut images = FxHashMap::default();
        for symbol in self.terms.vars(term) {
            let image = match self.symbols.place(&self.program.cfa, symbol) {
                Some((depth, _)) => match versions.now.get(&symbol) {
                    Some(version) => *version,
                    None if !versions.renewed.contains(&depth) => symbol,
                    None => {
                        let version = self.another(symbol);
                        versions.now.insert(symbol, version);
                        version
                    }
                },
                // Addresses are the same everywhere.
                None if self.program.cfa.variables.get(symbol).is_some() => symbol,
                None => match renamed.get(&symbol) {
                    Some(known) => *known,
                    None => {
                        let version = self.another(symbol);
                        renamed.insert(symbol, version);
                        version
                    }
                },
            };
            images.insert(symbol, self.terms.var(image));
        }
        self.terms.substitute(term, &mut |var| images.get(&var).copied())
    }

    /// A new symbol for another value of the variable, or of the choice, that a symbol stands for.
    fn another(&mut self, symbol: Var) -> Var {
        let name = format!("{}!{}", self.terms.var_name(symbol), self.terms.var_count());
        self.terms.declare(name, self.terms.var_sort(symbol))
    }
}
