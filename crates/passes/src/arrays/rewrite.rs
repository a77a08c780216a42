//! The program with variables for the elements that are followed.

use std::collections::{BTreeMap, BTreeSet};

use base::IndexVec;
use cfa::{
    Cfa, Choice, Contents, EdgeId, LocId, Op, Pointees, Points, Program, Reading, Scope, Variable,
};
use domains::survey::{Access, Survey};
use domains::value::ObjectSite;
use run::Hints;
use term::{Sort, TermId, Terms, Var};

use super::again::again;
use super::cell::Cell;
use super::element::{Arrays, Element, Field, Shape, located};
use super::hints::hints;
use super::prophecy::Chosen;
use crate::Rewritten;
use crate::back::{Back, OperationOrigin};
use crate::op_place::OpPlace;

struct Rewriter<'a, 'p> {
    program: &'p Program,
    survey: &'a Survey<'p>,
    arrays: &'a Arrays,
    chosen: &'a Chosen,
    points: Points,
    terms: Terms,
    cells: BTreeMap<ObjectSite, Vec<Cell>>,
    /// For each sort, a variable that may hold any value.
    anything: BTreeMap<Sort, Var>,
    /// For variables whose values count when a flag is set, the variable that keeps the value of the last time.
    lasts: BTreeMap<Var, Var>,
    /// The variables that hold what some loads are about to load.
    again: BTreeMap<OpPlace, Var>,
    /// Operations in the making.
    ops: Vec<Op>,
}

/// The rewritten program.
pub(super) fn rewrite(
    survey: &Survey<'_>,
    points: Points,
    terms: Terms,
    arrays: &Arrays,
    chosen: &Chosen,
) -> (Rewritten, [Hints; 2]) {
    let program = survey.program();
    let again = again(program, &terms, arrays);
    let mut rewriter = Rewriter {
        program,
        again,
        survey,
        arrays,
        chosen,
        points,
        terms,
        cells: BTreeMap::new(),
        anything: BTreeMap::new(),
        lasts: BTreeMap::new(),
        ops: Vec::new(),
    };
    rewriter.declare();
    let Rewriter { terms, cells, lasts, .. } = &mut rewriter;
    let hints = hints(program, terms, arrays, chosen, cells, lasts);
    (rewriter.finish(), hints)
}

impl Rewriter<'_, '_> {
    /// Declares a variable for each cell that is loaded somewhere, and for what else is remembered.
    fn declare(&mut self) {
        let Program { cfa, .. } = self.program;
        let mut loaded: BTreeMap<ObjectSite, BTreeMap<Field, Sort>> = BTreeMap::new();
        for ((edge, number), (site, element)) in &self.arrays.accesses {
            let op = &cfa.edges[*edge].ops[*number as usize];
            let (Op::Load { var, .. }, Some(element)) = (op, element) else { continue };
            let sort = self.terms.var_sort(*var);
            loaded.entry(*site).or_default().entry(element.field).or_insert(sort);
        }
        for (site, fields) in loaded {
            let shape = &self.arrays.shapes[&site];
            let fits = |index: &&Vec<TermId>| {
                let is_word = |index: &TermId| self.terms.width(*index) == shape.index.width();
                index.len() == shape.strides.len() && index.iter().all(is_word)
            };
            let indices: Vec<Vec<TermId>> =
                self.chosen.indices.iter().filter(fits).cloned().collect();
            let mut cells = Vec::new();
            for (field, sort) in fields {
                for index in &indices {
                    let number = self.terms.var_count();
                    let var = self.terms.declare(format!("@element:{number}"), sort);
                    cells.push(Cell { field, index: index.clone(), var });
                }
            }
            self.cells.insert(site, cells);
        }
        let vars: BTreeSet<Var> = self.chosen.at_flags.values().flatten().copied().collect();
        for var in vars {
            let name = format!("@last:{}", self.terms.var_name(var));
            let last = self.terms.declare(name, self.terms.var_sort(var));
            self.lasts.insert(var, last);
        }
    }

    fn finish(mut self) -> Rewritten {
        let mut back = Back::identity(self.program);
        let mut cfa = self.program.cfa.clone();
        let first = self.first_values();
        let mut sources: IndexVec<EdgeId, Box<[OperationOrigin]>> = IndexVec::new();
        for (edge, known) in self.program.cfa.edges.entries() {
            self.ops.clear();
            if let Some((start, ops)) = &first
                && *start == known.source
            {
                self.ops.extend(ops.iter().cloned());
            }
            let mut source = vec![OperationOrigin::Added; self.ops.len()];
            for (number, op) in (0..).zip(&known.ops) {
                let from = self.ops.len();
                let kept = self.translate((edge, number), op);
                source.resize(self.ops.len(), OperationOrigin::Added);
                if kept {
                    source[from] = back.ops[edge][number as usize];
                }
            }
            self.guard(edge, known.target);
            source.resize(self.ops.len(), OperationOrigin::Added);
            cfa.edges[edge].ops = self.ops.as_slice().into();
            sources.push(source.into_boxed_slice());
        }
        back.ops = sources;
        for _ in cfa.variables.len()..self.terms.var_count() {
            cfa.variables.push(Variable {
                scope: Scope::Global,
                reading: Reading::Plain,
                source_name: None,
                span: None,
            });
        }
        back.variables = cfa.variables.ids().map(|var| back.variable(var)).collect();
        let sources = self.program.sources.clone();
        Rewritten { program: Program { terms: self.terms, cfa, sources }, back }
    }

    /// What elements of objects that exist from the start hold at first: operations that say so, and where they are
    /// put.
    fn first_values(&mut self) -> Option<(LocId, Vec<Op>)> {
        let Cfa { edges, functions, objects, start, .. } = &self.program.cfa;
        let entry = functions[(*start)?].entry;
        if edges.iter().any(|edge| edge.target == entry) {
            return None;
        }
        let mut ops = Vec::new();
        for (site, cells) in &self.cells {
            let ObjectSite::Initial(object) = *site else { continue };
            let Contents::Bytes(bytes, patches) = &objects[object].contents else { continue };
            if !patches.is_empty() || bytes.iter().any(|byte| *byte != 0) {
                continue;
            }
            for cell in cells {
                let zero = self.terms.zero(self.terms.var_sort(cell.var));
                ops.push(Op::Assign { var: cell.var, value: self.terms.constant(zero) });
            }
        }
        Some((entry, ops))
    }

    /// Adds operations by which an error counts only where variables have the values that were foreseen.
    fn guard(&mut self, edge: EdgeId, target: LocId) {
        if let Some(vars) = self.chosen.at_flags.get(&edge) {
            for var in vars {
                let value = self.terms.var(*var);
                self.ops.push(Op::Assign { var: self.lasts[var], value });
            }
        }
        for var in self.chosen.at_errors.get(&target).into_iter().flatten() {
            let condition = self.is_foreseen(*var, *var);
            self.ops.push(Op::Assume(condition));
        }
        for var in self.chosen.after_flags.get(&target).into_iter().flatten() {
            let condition = self.is_foreseen(*var, self.lasts[var]);
            self.ops.push(Op::Assume(condition));
        }
    }

    fn is_foreseen(&mut self, var: Var, holder: Var) -> TermId {
        let (value, foreseen) = (self.terms.var(holder), self.terms.var(self.chosen.values[&var]));
        self.terms.eq(value, foreseen)
    }

    /// Adds the operations that an operation becomes. Gives whether the first of them is the operation itself.
    fn translate(&mut self, place: OpPlace, op: &Op) -> bool {
        if let Some((site, element)) = self.arrays.accesses.get(&place) {
            if let (Op::Load { var, .. }, Some(same)) = (op, self.again.get(&place)) {
                let value = self.terms.var(*same);
                self.ops.push(Op::Assign { var: *var, value });
                return false;
            }
            return self.translate_access(*site, element.as_ref(), op);
        }
        let known = self.survey.accesses.get(&place);
        let elsewhere = located(self.survey, &self.points, place).is_some();
        match op {
            Op::Load { var, .. } if !elsewhere => {
                self.ops.push(Op::Havoc { var: *var, choice: Choice::Uninitialised });
                false
            }
            Op::Copy { to, from, length } => {
                let pointees = self.points.pointees(self.program, *from);
                let written = (!elsewhere).then(|| self.points.pointees(self.program, *to));
                if self.may_be_array(&pointees) {
                    let (address, length, choice) = (*to, *length, Choice::Uninitialised);
                    self.ops.push(Op::HavocMemory { address, length, choice });
                } else {
                    self.ops.push(op.clone());
                }
                self.forget_pointees(written);
                true
            }
            Op::Store { address, .. }
            | Op::Fill { address, .. }
            | Op::HavocMemory { address, .. }
                if !elsewhere =>
            {
                self.ops.push(op.clone());
                let written = self.points.pointees(self.program, *address);
                self.forget_pointees(Some(written));
                true
            }
            Op::Output { .. } if !matches!(known, Some(Access::Nothing)) => {
                self.ops.push(op.clone());
                self.forget(&|_| true);
                true
            }
            Op::Alloc { zeroed, .. } => {
                self.ops.push(op.clone());
                self.begin(ObjectSite::Alloc(place.0, place.1), *zeroed);
                true
            }
            op => {
                self.ops.push(op.clone());
                true
            }
        }
    }

    /// Whether an address may be that of an array.
    fn may_be_array(&self, pointees: &Pointees) -> bool {
        let is_array = |site: &ObjectSite| self.arrays.shapes.contains_key(site);
        pointees.unset || pointees.outside || pointees.sites.iter().any(is_array)
    }

    /// Forgets what was followed of objects that an operation may write to.
    fn forget_pointees(&mut self, written: Option<Pointees>) {
        let Some(written) = written else { return };
        let anywhere = written.unset || written.outside;
        self.forget(&|site| anywhere || written.sites.contains(site));
    }

    fn forget(&mut self, test: &dyn Fn(&ObjectSite) -> bool) {
        let cells = self.cells.iter().filter(|(site, _)| test(site)).flat_map(|(_, cells)| cells);
        let havoc = |cell: &Cell| Op::Havoc { var: cell.var, choice: Choice::Uninitialised };
        self.ops.extend(cells.map(havoc));
    }

    /// Begins a new object: its elements are zero, or may be anything.
    fn begin(&mut self, site: ObjectSite, zeroed: bool) {
        if !zeroed {
            return self.forget(&|other| *other == site);
        }
        for cell in self.cells.get(&site).into_iter().flatten() {
            let zero = self.terms.zero(self.terms.var_sort(cell.var));
            self.ops.push(Op::Assign { var: cell.var, value: self.terms.constant(zero) });
        }
    }

    /// Adds what becomes of an access of an array, which is in memory no longer.
    fn translate_access(&mut self, site: ObjectSite, element: Option<&Element>, op: &Op) -> bool {
        match (op, element) {
            (Op::Load { var, .. }, Some(element)) => self.load(site, element, *var),
            (Op::Load { var, .. }, None) => {
                self.ops.push(Op::Havoc { var: *var, choice: Choice::Uninitialised });
            }
            (Op::Store { value, .. }, Some(element)) => self.store(site, element, *value),
            _ => self.forget(&|other| *other == site),
        }
        false
    }

    fn load(&mut self, site: ObjectSite, element: &Element, var: Var) {
        let sort = self.terms.var_sort(var);
        let shape = &self.arrays.shapes[&site];
        let mut value = self.anything(sort);
        let cells = self.cells.get(&site).into_iter().flatten();
        for cell in cells.filter(|cell| cell.field == element.field) {
            if self.terms.var_sort(cell.var) != sort {
                continue;
            }
            let same = is_same(&mut self.terms, &cell.index, &element.index);
            let plain = shape.is_plain(&mut self.terms, &element.index);
            let (read, held) = (self.terms.and2(same, plain), self.terms.var(cell.var));
            value = self.terms.ite(read, held, value);
        }
        self.ops.push(Op::Assign { var, value });
    }

    fn store(&mut self, site: ObjectSite, element: &Element, value: TermId) {
        let shape: &Shape = &self.arrays.shapes[&site];
        let sort = self.terms.sort(value);
        let cells = self.cells.remove(&site).unwrap_or_default();
        for cell in cells.iter().filter(|cell| cell.field.overlaps(element.field)) {
            let var = cell.var;
            if cell.field != element.field || self.terms.var_sort(var) != sort {
                self.ops.push(Op::Havoc { var, choice: Choice::Uninitialised });
                continue;
            }
            let same = is_same(&mut self.terms, &cell.index, &element.index);
            let plain = shape.is_plain(&mut self.terms, &element.index);
            let held = self.terms.var(var);
            // A different index may belong to the same element if it is too large.
            let kept = if plain == self.terms.bool(true) {
                held
            } else {
                let anything = self.anything(sort);
                self.terms.ite(plain, held, anything)
            };
            let value = self.terms.ite(same, value, kept);
            self.ops.push(Op::Assign { var, value });
        }
        self.cells.insert(site, cells);
    }

    /// An arbitrary value of a sort.
    fn anything(&mut self, sort: Sort) -> TermId {
        let var = *self.anything.entry(sort).or_insert_with(|| {
            let number = self.terms.var_count();
            self.terms.declare(format!("@anything:{number}"), sort)
        });
        self.ops.push(Op::Havoc { var, choice: Choice::Uninitialised });
        self.terms.var(var)
    }
}

fn is_same(terms: &mut Terms, a: &[TermId], b: &[TermId]) -> TermId {
    let parts: Vec<TermId> = a.iter().zip(b).map(|(a, b)| terms.eq(*a, *b)).collect();
    terms.and(&parts)
}
