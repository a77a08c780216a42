//! Refinement: from a path to a target to an execution, or to predicates that exclude it.

use cfa::{EdgeId, LocId};
use cpa::{Arg, Path, Refinement, Refiner};
use run::{Counterexample, Feasibility, Notes, Unknown};
use rustc_hash::FxHashSet;
use smt::{Interpolate as _, Interpolation, Style};
use term::{Op, Sort, TermId, Terms, Var, View};

use crate::exact::{Exact, Finding};
use crate::predicate::block::{BlockId, Blocks, How};
use crate::predicate::combination::Abstraction;
use crate::predicate::path::{Formula, Way};
use crate::predicate::{Predicates, State};

/// What becomes of an interpolant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Pieces {
    /// Every comparison in the interpolant is a predicate.
    #[default]
    Atoms,
    /// Every conjunct of the interpolant is a predicate.
    Conjuncts,
    /// The interpolant is one predicate.
    Whole,
}

/// Refines predicates by interpolation. Paths that interpolation cannot exclude are checked bit-precisely.
pub struct Refine<'a> {
    /// The bit-precise check of paths that predicates do not exclude.
    pub exact: Exact<'a>,
    /// Which interpolants are wanted.
    pub style: Style,
    /// What becomes of interpolants.
    pub pieces: Pieces,
    /// Whether only `style` and `pieces` are used as they are given, and a path stays that they do not exclude.
    pub strict: bool,
    /// What was found out about the last path, if somebody wants to know.
    pub notes: Option<Notes>,
    refinements: u32,
}

/// Every refinement whose number is a multiple of this period looks for relations between variables first.
const PERIOD: u32 = 4;

impl<'a> Refine<'a> {
    /// Refines with a check of paths.
    pub fn new(
        check: &'a mut dyn FnMut(&[EdgeId]) -> Feasibility,
        style: Style,
        pieces: Pieces,
    ) -> Self {
        Self { exact: Exact::new(check), style, pieces, strict: false, notes: None, refinements: 0 }
    }

    /// The ways in which interpolants are sought and taken apart, the preferred one first.
    fn ways(&self) -> Vec<(Style, Pieces)> {
        // Preconditions come first: they speak of what the program compares, and so of every round of a loop, while
        // interpolants from a certificate may speak of one round only. If preconditions are found for ever more rounds,
        // relations may help.
        let (style, other) = match self.style {
            Style::Auto if self.refinements % PERIOD == PERIOD - 1 => {
                (Style::Farkas, Style::Newton)
            }
            Style::Auto | Style::Newton => (Style::Newton, Style::Farkas),
            Style::Farkas => (Style::Farkas, Style::Newton),
        };
        let mut ways = vec![
            (style, self.pieces),
            (other, self.pieces),
            (style, Pieces::Conjuncts),
            (style, Pieces::Whole),
            (other, Pieces::Whole),
        ];
        if self.strict {
            ways.truncate(1);
        }
        let all = ways.clone();
        let mut index = 0;
        ways.retain(|way| {
            index += 1;
            !all[..index - 1].contains(way)
        });
        ways
    }
}

/// What becomes of a predicate that would exclude a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sifted {
    /// The predicate joins the precision.
    Kept,
    /// Something else was learned in its place.
    Replaced,
    /// The predicate does not join the precision; it is sought again when the graph has been begun anew.
    Later,
    /// The predicate is left out, and nothing is learned from it.
    Ignored,
}

/// Says what becomes of a predicate at a location, given the variables that it speaks of.
pub(crate) type Sift<'a> = &'a mut dyn FnMut(LocId, &[Var]) -> Sifted;

/// Where something was learned first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum First {
    /// At the end of the block before the block with this number.
    Start(usize),
    /// In the block with this number.
    Inside(usize),
    /// Nowhere yet.
    Later,
}

impl Predicates<'_> {
    /// The variables that a formula over symbols of values speaks of.
    fn variables(&self, formula: TermId) -> Vec<Var> {
        let symbols = self.terms.vars(formula).into_iter();
        let place = |symbol| self.symbols.place(&self.program.cfa, symbol);
        symbols.filter_map(place).map(|(_, var)| var).collect()
    }

    /// Ends blocks elsewhere. What was found out about blocks stays true: each keeps the point where
    /// it ended. Gives whether that changes anything.
    pub(crate) fn set_blocks(&mut self, blocks: Blocks) -> bool {
        self.blocks = blocks;
        let ends = blocks.ends(&self.program.cfa);
        let changed = ends != self.ends;
        self.ends = ends;
        changed
    }

    /// Whether every edge is a block of its own.
    pub(crate) fn has_single_edges(&self) -> bool {
        self.blocks == Blocks::Edge
    }

    /// Ends blocks at more places, if there are more.
    fn shrink_blocks(&mut self) -> bool {
        while let Some(smaller) = self.blocks.smaller() {
            if self.set_blocks(smaller) {
                return true;
            }
        }
        false
    }

    /// Takes predicates from interpolants at the cuts of a path. Gives where the first predicate was learned that had
    /// not been asked about.
    ///
    /// # Errors
    /// If the run must end. What was learned until then stays.
    fn learn(
        &mut self,
        blocks: &[(BlockId, Way)],
        formula: &Formula,
        interpolants: &[TermId],
        pieces: Pieces,
        sift: Sift<'_>,
        mut notes: Option<&mut Notes>,
    ) -> Result<Option<First>, Unknown> {
        let mut first = None;
        for (cut, interpolant) in interpolants.iter().enumerate() {
            self.ask.go_on()?;
            let names = &formula.names[cut];
            let here =
                self.terms.substitute(*interpolant, &mut |symbol| names.get(&symbol).copied());
            if let Some(notes) = &mut notes
                && self.terms.value(here).is_none()
            {
                notes.interpolants.push((cut + 1, self.said(here)));
            }
            let mut found = Vec::new();
            take_apart(&mut self.terms, here, pieces, &mut found);
            let (block, _) = blocks[cut + 1];
            let location = self.graph.blocks[block].location;
            for predicate in found {
                match sift(location, &self.variables(predicate)) {
                    Sifted::Kept => {}
                    Sifted::Replaced => {
                        first.get_or_insert(First::Inside(cut));
                        continue;
                    }
                    Sifted::Later => {
                        first.get_or_insert(First::Later);
                        continue;
                    }
                    Sifted::Ignored => continue,
                }
                let cfa = &self.program.cfa;
                let new =
                    self.precision.add(cfa, &mut self.terms, &self.symbols, location, predicate);
                if let Some(notes) = &mut notes
                    && new
                {
                    notes.learned.push((location, self.said(predicate)));
                }
                let is_known =
                    self.precision.has(cfa, &mut self.terms, &self.symbols, location, predicate);
                if is_known && !self.graph.blocks[block].predicates.contains(&predicate) {
                    first.get_or_insert(First::Start(cut + 1));
                }
            }
        }
        Ok(first)
    }
}

impl<'p> Refiner<Predicates<'p>> for Refine<'_> {
    type Evidence = Box<Counterexample>;

    // Detours are not needed: the path is chosen anew among the blocks that lead to the target.
    fn wants_detours(&self) -> bool {
        false
    }

    fn notes(&mut self) -> Notes {
        self.notes.as_mut().map(std::mem::take).unwrap_or_default()
    }

    fn refine(
        &mut self,
        predicates: &mut Predicates<'p>,
        arg: &Arg<Predicates<'p>>,
        path: &Path,
    ) -> Result<Refinement<Self::Evidence>, Unknown> {
        let states: Vec<State> = path.nodes.iter().map(|node| arg.node(*node).state).collect();
        self.exclude(predicates, &states, path, &mut |_, _| Sifted::Kept)
    }
}

impl Refine<'_> {
    /// Looks for predicates that exclude a path, whose nodes have the given states. Predicates that `sift` leaves out
    /// are taken only if nothing is learned otherwise, and never if the refinement is `strict`.
    pub(crate) fn exclude(
        &mut self,
        predicates: &mut Predicates<'_>,
        states: &[State],
        path: &Path,
        sift: Sift<'_>,
    ) -> Result<Refinement<Box<Counterexample>>, Unknown> {
        let Some(chosen) = predicates.choose_path(states, path)? else {
            let why = "no path was found through an abstract one".to_owned();
            return Ok(self.exact.unresolved(Finding::Open(Unknown::Solver(why))));
        };
        // Only the last part of the path that suffices to refute it is used: what is known at a later block says what
        // matters of the blocks before it, and no more.
        let last = chosen.blocks.len() - 1;
        let mut back = 1;
        let (from, formula) = loop {
            let from = last.saturating_sub(back);
            let formula = predicates.path_formula(&chosen.blocks[from..]);
            if from == 0 || !predicates.is_feasible(&formula)? {
                break (from, formula);
            }
            back *= 2;
        };
        let blocks = &chosen.blocks[from..];
        let mut refuted = false;
        let mut found = Vec::new();
        for (style, pieces) in self.ways() {
            let limits = predicates.ask.limits();
            let Predicates { ask, terms, .. } = &mut *predicates;
            match ask.solver.interpolants(terms, &formula.blocks, style, &limits) {
                Interpolation::Feasible => return self.exact.look(path, chosen.edges()),
                Interpolation::Unknown(_) => predicates.ask.go_on()?,
                Interpolation::Interpolants(list) => {
                    refuted = true;
                    self.forget_interpolants();
                    let notes = self.notes.as_mut();
                    let learned = predicates.learn(blocks, &formula, &list, pieces, sift, notes)?;
                    if let Some(first) = learned {
                        return Ok(self.excluded(predicates, states, blocks, first));
                    }
                    found.push((list, pieces));
                }
            }
        }
        if self.strict && refuted {
            return Ok(self.exact.unresolved(Finding::NoProgress));
        }
        for (list, pieces) in found {
            let all: Sift<'_> = &mut |_, _| Sifted::Kept;
            self.forget_interpolants();
            let notes = self.notes.as_mut();
            if let Some(first) = predicates.learn(blocks, &formula, &list, pieces, all, notes)? {
                return Ok(self.excluded(predicates, states, blocks, first));
            }
        }
        if !refuted {
            return self.exact.look(path, chosen.edges());
        }
        if predicates.abstraction == Abstraction::Cartesian {
            // Conjunctions cannot tell the cases apart: from here on, a state can be any combination.
            predicates.abstraction = Abstraction::Boolean;
            self.note_change("abstraction: boolean, since conjunctions do not exclude the path");
            return Ok(Refinement::Spurious { keep: None });
        }
        if predicates.shrink_blocks() {
            // With smaller blocks, more places have predicates of their own, and interpolants speak of shorter parts.
            self.note_change("blocks: smaller, since nothing new was found at the ends of these");
            return Ok(Refinement::Spurious { keep: None });
        }
        Ok(self.exact.unresolved(Finding::NoProgress))
    }

    /// Takes the interpolants of a way that was in vain out of the notes.
    fn forget_interpolants(&mut self) {
        if let Some(notes) = &mut self.notes {
            notes.interpolants.clear();
        }
    }

    /// Notes that the analysis goes on otherwise than before.
    pub(crate) fn note_change(&mut self, change: &str) {
        if let Some(notes) = &mut self.notes {
            notes.changes.push(change.to_owned());
        }
    }

    /// The result of a refinement that has learned something: it says how much of the path stays.
    fn excluded(
        &mut self,
        predicates: &Predicates<'_>,
        states: &[State],
        blocks: &[(BlockId, Way)],
        first: First,
    ) -> Refinement<Box<Counterexample>> {
        self.refinements += 1;
        let start = |block: usize| {
            states.iter().position(|state| {
                let point = &predicates.graph.points[state.0];
                point.how == How::Start && point.block == blocks[block].0
            })
        };
        if let Some(notes) = &mut self.notes {
            // Turns the numbers of blocks into numbers of nodes.
            let place = |(block, text): (usize, String)| Some((start(block)?, text));
            let found = std::mem::take(&mut notes.interpolants);
            notes.interpolants = found.into_iter().filter_map(place).collect();
        }
        let keep = match first {
            First::Start(block) => start(block).and_then(|index| index.checked_sub(1)),
            First::Inside(block) => start(block),
            First::Later => None,
        };
        Refinement::Spurious { keep }
    }
}

/// Takes a formula apart into predicates, none of them a negation.
fn take_apart(terms: &mut Terms, formula: TermId, pieces: Pieces, found: &mut Vec<TermId>) {
    let mut todo = vec![formula];
    // A part may be shared by many other parts, and is looked at once.
    let mut seen = FxHashSet::default();
    while let Some(mut term) = todo.pop() {
        while let View::App(Op::Not, &[inner]) = terms.view(term) {
            term = inner;
        }
        if !seen.insert(term) {
            continue;
        }
        let parts: Vec<TermId> = match (pieces, terms.view(term)) {
            (Pieces::Atoms, View::App(Op::And | Op::Or | Op::Ite, parts)) => parts.to_vec(),
            (Pieces::Atoms, View::App(Op::Eq, parts)) if terms.sort(parts[0]) == Sort::Bool => {
                parts.to_vec()
            }
            (Pieces::Conjuncts, View::App(Op::And | Op::Or, parts)) => parts.to_vec(),
            _ => {
                if terms.value(term).is_none() {
                    found.push(term);
                }
                continue;
            }
        };
        todo.extend(parts);
    }
}
