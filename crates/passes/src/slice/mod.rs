//! Slicing (Weiser 1981) towards errors: what cannot influence whether an execution reaches an error
//! or something unsupported is left out.
//!
//! The pass looks for the parts that must stay. Conditions stay if something that stays depends on them
//! by control, or if they decide whether a loop is left; assignments stay if something that stays reads
//! the variable, wherever that is. Operations on memory stay, for an access may be outside of every
//! object; so do checks. A call of a function of which nothing stays is left out, and so is a branch of
//! which nothing stays: it becomes one edge to where its ways meet.

mod control;

use base::IndexVec;
use cfa::{Calls, Cfa, EdgeId, FuncId, LocId, Op, Program, Reach};
use term::{TermId, Terms, Var};

use crate::Rewritten;
use crate::draft::{Draft, Revised};
use crate::flow::{is_inside, may_store};
use crate::reads::Reads;
use control::Control;

/// The program without what has no influence on whether an execution reaches an error or something
/// unsupported.
#[must_use]
pub fn slice(program: &Program) -> Rewritten {
    let mut terms = program.terms.clone();
    let mut slicer = Slicer::of(program, &mut terms);
    slicer.start();
    let Slicer { kept, vars, branches, noisy, control, .. } = slicer;
    let cfa = &program.cfa;
    let mut draft = Draft::of(program, terms);
    for (at, location) in cfa.locations.entries() {
        let collapsed = |branch: &LocId| !branches[*branch];
        draft.whole[at] = (noisy[location.function] || cfa.start == Some(location.function))
            && !control.controllers(at).iter().any(collapsed);
        if control.is_branch(at)
            && !branches[at]
            && let (Some(edge), Some(target)) = (location.edges.first(), control.next(at))
        {
            draft.edges[*edge] = Some(Revised { target, ops: Vec::new(), several: true });
            for op in location.edges.iter().flat_map(|edge| &cfa.edges[*edge].ops) {
                op.assigned().iter().for_each(|var| draft.same[*var] = false);
            }
            continue;
        }
        for edge in &location.edges {
            let mut revised = Revised::same(program, *edge);
            revised.ops.retain(|(op, number)| {
                let is_kept = match op {
                    Op::Assume(_) => branches[at],
                    _ => number.is_some_and(|number| kept[*edge][number as usize]),
                };
                if !is_kept {
                    op.assigned().iter().for_each(|var| draft.same[*var] = false);
                }
                is_kept
            });
            for (op, _) in &mut revised.ops {
                pass_less(cfa, &mut draft, &vars, op);
            }
            draft.edges[*edge] = Some(revised);
        }
    }
    draft.finish()
}

/// Takes out of a call the arguments that the callee does not read, and the results that are not read.
fn pass_less(cfa: &Cfa, draft: &mut Draft<'_>, vars: &IndexVec<Var, bool>, op: &mut Op) {
    let Op::Call { callee, arguments, results } = op else { return };
    for (parameter, argument) in cfa.functions[*callee].parameters.iter().zip(arguments) {
        if !vars[*parameter] {
            draft.same[*parameter] = false;
            let zero = draft.terms.zero(draft.terms.sort(*argument));
            *argument = draft.terms.constant(zero);
        }
    }
    let results_of = &cfa.functions[*callee].results;
    for (var, result) in results.iter().zip(results_of) {
        if !vars[*result] {
            draft.same[*var] = false;
        }
    }
    if !results.iter().any(|var| vars[*var]) {
        for var in std::mem::take(results) {
            draft.same[var] = false;
        }
    }
}

/// What must stay.
struct Slicer<'a> {
    program: &'a Program,
    cfa: &'a Cfa,
    calls: Calls,
    control: Control,
    reads: Reads,
    /// The operations that assign each variable.
    writes: IndexVec<Var, Vec<(EdgeId, u32)>>,
    /// The function and the place of each parameter.
    parameters: IndexVec<Var, Option<(FuncId, usize)>>,
    kept: IndexVec<EdgeId, Box<[bool]>>,
    /// Variables whose values matter.
    vars: IndexVec<Var, bool>,
    /// Locations of which it matters whether executions get there.
    places: IndexVec<LocId, bool>,
    /// Branches of which it matters how executions go on.
    branches: IndexVec<LocId, bool>,
    /// Functions in which something stays.
    noisy: IndexVec<FuncId, bool>,
    waiting: Vec<Found>,
}

/// Something that must stay, and of which it has yet to be found out what must stay because of it.
enum Found {
    Var(Var),
    Place(LocId),
    Branch(LocId),
    Op(EdgeId, u32),
}

impl<'a> Slicer<'a> {
    fn of(program: &'a Program, terms: &mut Terms) -> Self {
        let cfa = &program.cfa;
        let mut writes = IndexVec::filled(Vec::new(), cfa.variables.len());
        for (edge, known) in cfa.edges.entries() {
            for (number, op) in (0..).zip(&known.ops) {
                for var in op.assigned() {
                    let list: &mut Vec<(EdgeId, u32)> = &mut writes[*var];
                    list.push((edge, number));
                }
            }
        }
        let mut parameters = IndexVec::filled(None, cfa.variables.len());
        for (id, function) in cfa.functions.entries() {
            for (place, parameter) in function.parameters.iter().enumerate() {
                parameters[*parameter] = Some((id, place));
            }
        }
        Self {
            program,
            cfa,
            calls: Calls::of(cfa),
            control: Control::of(cfa, terms, &Reach::of(cfa)),
            reads: Reads::default(),
            writes,
            parameters,
            kept: cfa.edges.iter().map(|edge| vec![false; edge.ops.len()].into()).collect(),
            vars: IndexVec::filled(false, cfa.variables.len()),
            places: IndexVec::filled(false, cfa.locations.len()),
            branches: IndexVec::filled(false, cfa.locations.len()),
            noisy: IndexVec::filled(false, cfa.functions.len()),
            waiting: Vec::new(),
        }
    }

    /// Finds everything that must stay.
    fn start(&mut self) {
        for error in self.cfa.errors() {
            self.waiting.push(Found::Place(error));
        }
        for branch in self.control.decisive() {
            self.waiting.push(Found::Branch(*branch));
        }
        for (id, function) in self.cfa.functions.entries() {
            // Whether a function returns matters, even if what it does until then does not.
            for branch in self.control.controllers(function.exit) {
                self.waiting.push(Found::Branch(*branch));
            }
            if self.calls.recursive(id) {
                self.sound(id);
            }
        }
        for (edge, known) in self.cfa.edges.entries() {
            for (number, op) in (0..).zip(&known.ops) {
                if stays(self.program, op) {
                    self.waiting.push(Found::Op(edge, number));
                }
            }
        }
        while let Some(found) = self.waiting.pop() {
            match found {
                Found::Var(var) => self.var(var),
                Found::Place(place) => self.place(place),
                Found::Branch(branch) => self.branch(branch),
                Found::Op(edge, number) => self.op(edge, number),
            }
        }
    }

    /// Notes that something in a function stays, so that the calls of this function stay, too.
    fn sound(&mut self, function: FuncId) {
        if !std::mem::replace(&mut self.noisy[function], true) {
            let sites = self.calls.sites(function).iter();
            self.waiting.extend(sites.map(|site| Found::Op(*site, 0)));
        }
    }

    fn place(&mut self, at: LocId) {
        if !std::mem::replace(&mut self.places[at], true) {
            let controllers = self.control.controllers(at).iter();
            self.waiting.extend(controllers.map(|branch| Found::Branch(*branch)));
            self.sound(self.cfa.locations[at].function);
        }
    }

    fn branch(&mut self, at: LocId) {
        if std::mem::replace(&mut self.branches[at], true) {
            return;
        }
        self.waiting.push(Found::Place(at));
        for op in self.cfa.locations[at].edges.iter().flat_map(|edge| &self.cfa.edges[*edge].ops) {
            if let Op::Assume(condition) = op {
                self.read(*condition);
            }
        }
    }

    fn read(&mut self, term: TermId) {
        let vars = self.reads.of(&self.program.terms, term);
        let open = vars.iter().filter(|var| !self.vars[**var]);
        self.waiting.extend(open.map(|var| Found::Var(*var)));
    }

    fn op(&mut self, edge: EdgeId, number: u32) {
        if std::mem::replace(&mut self.kept[edge][number as usize], true) {
            return;
        }
        let known = &self.cfa.edges[edge];
        self.waiting.push(Found::Place(known.source));
        if self.control.is_branch(known.source) {
            self.waiting.push(Found::Branch(known.source));
        }
        match &known.ops[number as usize] {
            Op::Call { callee, arguments, .. } => {
                let parameters = &self.cfa.functions[*callee].parameters;
                for (parameter, argument) in parameters.iter().zip(arguments) {
                    if self.vars[*parameter] {
                        self.read(*argument);
                    }
                }
            }
            op => op.terms().for_each(|term| self.read(term)),
        }
    }

    fn var(&mut self, var: Var) {
        if std::mem::replace(&mut self.vars[var], true) {
            return;
        }
        for (edge, number) in &self.writes[var] {
            self.waiting.push(Found::Op(*edge, *number));
            if let Op::Call { callee, results, .. } = &self.cfa.edges[*edge].ops[*number as usize] {
                let pairs = results.iter().zip(&self.cfa.functions[*callee].results);
                let taken = pairs.filter(|(target, _)| **target == var);
                self.waiting.extend(taken.map(|(_, result)| Found::Var(*result)));
            }
        }
        if let Some((function, place)) = self.parameters[var] {
            for site in self.calls.sites(function).to_vec() {
                if let Some(Op::Call { arguments, .. }) = self.cfa.edges[site].ops.first()
                    && let Some(argument) = arguments.get(place)
                {
                    self.read(*argument);
                }
            }
        }
    }
}

/// Whether an operation stays wherever it is.
fn stays(program: &Program, op: &Op) -> bool {
    match op {
        Op::Assume(_)
        | Op::Assign { .. }
        | Op::Havoc { .. }
        | Op::Size { .. }
        | Op::Valid { .. }
        | Op::Call { .. } => false,
        Op::Load { var, address } => {
            let length = cfa::stored_bytes(program.terms.var_sort(*var));
            length.is_none_or(|length| !is_inside(program, *address, length))
        }
        Op::Output { function, arguments } => may_store(program, function, arguments),
        Op::Store { .. }
        | Op::Copy { .. }
        | Op::Fill { .. }
        | Op::HavocMemory { .. }
        | Op::HavocReachable { .. }
        | Op::Alloc { .. }
        | Op::Free { .. }
        | Op::Check { .. }
        | Op::Exit(_)
        | Op::Abort
        | Op::Unsupported(_) => true,
    }
}
