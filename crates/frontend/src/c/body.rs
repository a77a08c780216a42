//! The graph of one function while it is being built.

use base::Span;
use cfa::{Case, Cfa, Choice, CutOff, Decided, FuncId, LocId, Op};
use term::{TermId, Terms};

use crate::loaded::Settled;

/// A location of the function under construction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Label(usize);

/// The graph of one function: a cursor at which operations are appended, and edges.
pub(super) struct Body {
    places: Vec<LabelMarks>,
    edges: Vec<Step>,
    /// Where the next operation goes; `None` after a jump.
    cursor: Option<Label>,
    /// Operations since the last edge.
    pending: Vec<Op>,
    /// The statement or call that is being lowered.
    span: Option<Span>,
    /// The operations that each activation begins with.
    prologue: Vec<Op>,
    /// The places in the text of operations that are not in the graph, because the cursor was nowhere.
    dropped: Vec<Span>,
    /// The targets of edges that are not in the graph, because the cursor was nowhere: their sources are behind
    /// something that is not modelled.
    lost: Vec<Label>,
    /// The places behind each `setjmp`.
    landings: Vec<Label>,
    /// The functions that are called by code which is not in the graph, because the cursor was nowhere behind something
    /// that is not modelled.
    lost_calls: Vec<FuncId>,
    /// Whether the cursor is nowhere because of something that is not modelled, and not because of a jump.
    is_cut: bool,
    /// The condition of a statement that is being lowered.
    deciding: Option<Deciding>,
    /// In how many places the execution may stop.
    stops: usize,
    /// In how many places there is an error, or something that is not modelled.
    errors: usize,
}

/// The condition of an `if` or of a loop: the statement, and where it goes if the condition holds and if not.
#[derive(Clone, Copy)]
pub(super) struct Deciding {
    pub statement: Span,
    pub yes: Label,
    pub no: Label,
}

#[derive(Default, Clone)]
struct LabelMarks {
    error: bool,
    /// The function whose call is the error, if this location is an error by a call.
    called: Option<Box<str>>,
    name: Option<Box<str>>,
    span: Option<Span>,
    /// Whether the location is a loop head or a label, which the compaction keeps.
    kept: bool,
}

/// What is known of a function whose graph is in the model.
pub(super) struct Finished {
    /// The errors that no way leads to.
    pub settled: Vec<Settled>,
    /// The locations behind each `setjmp`.
    pub landings: Vec<LocId>,
}

/// A point in the sequence of operations that are appended.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    edges: usize,
    pending: usize,
    stops: usize,
    errors: usize,
}

/// How a piece of code may keep the execution from going on behind it, apart from loops without an end.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Ends {
    /// The code may end the execution, or let only some executions pass.
    pub stops: bool,
    /// The code may violate the property, or do something that is not modelled.
    pub fails: bool,
}

impl Ends {
    /// How one of two pieces of code may end the execution.
    pub fn and(self, other: Self) -> Self {
        Self { stops: self.stops || other.stops, fails: self.fails || other.fails }
    }
}

struct Step {
    source: Label,
    target: Label,
    ops: Vec<Op>,
    span: Option<Span>,
    decides: Option<Decided>,
    case: Option<Case>,
}

const ENTRY: Label = Label(0);
const EXIT: Label = Label(1);
const START: Label = Label(2);

impl Body {
    /// A graph with an entry and an exit and no edges.
    pub fn new() -> Self {
        Self {
            places: vec![LabelMarks::default(); 3],
            edges: Vec::new(),
            cursor: Some(START),
            pending: Vec::new(),
            span: None,
            prologue: Vec::new(),
            dropped: Vec::new(),
            lost: Vec::new(),
            landings: Vec::new(),
            lost_calls: Vec::new(),
            is_cut: false,
            deciding: None,
            stops: 0,
            errors: 0,
        }
    }

    /// Has each activation start with `op`.
    pub fn at_entry(&mut self, op: Op) {
        self.prologue.push(op);
    }

    /// The location at which the function returns.
    pub fn exit(&self) -> Label {
        EXIT
    }

    /// A new location.
    pub fn label(&mut self) -> Label {
        self.places.push(LabelMarks::default());
        Label(self.places.len() - 1)
    }

    /// Names a location after a label of the source, or gives a loop head its loop statement.
    pub fn mark(&mut self, label: Label, name: Option<&str>, span: Option<Span>) {
        let place = &mut self.places[label.0];
        place.kept = true;
        place.name = name.map(Into::into).or(place.name.take());
        place.span = span.or(place.span);
    }

    /// Notes that a location is behind a `setjmp`.
    pub fn mark_landing(&mut self, label: Label) {
        self.landings.push(label);
    }

    /// Sets the place in the source that the following edges stand for, and returns the place before it.
    pub fn set_span(&mut self, span: Option<Span>) -> Option<Span> {
        let outer = self.span;
        self.span = span.or(outer);
        outer
    }

    /// Undoes `set_span`.
    pub fn restore_span(&mut self, span: Option<Span>) {
        self.span = span;
    }

    /// The statement or call that is being lowered.
    pub fn span(&self) -> Option<Span> {
        self.span
    }

    /// Has the branches that follow decide the condition of a statement, or of no statement; returns the setting
    /// before.
    pub fn set_deciding(&mut self, deciding: Option<Deciding>) -> Option<Deciding> {
        std::mem::replace(&mut self.deciding, deciding)
    }

    /// Appends an operation.
    pub fn emit(&mut self, op: Op) {
        if self.cursor.is_some() {
            self.pending.push(op);
        } else {
            if self.is_cut
                && let Op::Call { callee, .. } = op
            {
                self.lost_calls.push(callee);
            }
            self.drop_here();
        }
    }

    /// Notes that the code at the current place in the text is not in the graph.
    fn drop_here(&mut self) {
        if self.dropped.last() != self.span.as_ref() {
            self.dropped.extend(self.span);
        }
    }

    /// Where the next operation goes, as [`Body::operations_since`] wants it.
    pub fn mark_here(&self) -> Mark {
        let (edges, pending) = (self.edges.len(), self.pending.len());
        Mark { edges, pending, stops: self.stops, errors: self.errors }
    }

    /// Whether the next operation has a place in the graph.
    pub fn is_somewhere(&self) -> bool {
        self.cursor.is_some()
    }

    /// Notes that the execution may stop here.
    pub fn note_stop(&mut self) {
        self.stops += usize::from(self.cursor.is_some());
    }

    /// How the execution may end in all code that was appended so far.
    pub fn ends(&self) -> Ends {
        Ends { stops: self.stops > 0, fails: self.errors > 0 }
    }

    /// How the execution may end in what was appended since a mark.
    pub fn ends_since(&self, mark: Mark) -> Ends {
        Ends { stops: self.stops > mark.stops, fails: self.errors > mark.errors }
    }

    /// The operations that were appended since a mark.
    pub fn operations_since(&self, mark: Mark) -> impl Iterator<Item = &Op> {
        let edges = self.edges[mark.edges..].iter().map(|step| &step.ops);
        let lists = edges.chain([&self.pending]).enumerate();
        // The operations that waited at the mark begin the next edge.
        lists.flat_map(move |(at, ops)| ops.iter().skip(if at == 0 { mark.pending } else { 0 }))
    }

    /// Takes back the choice of a value that is not used, unless the value comes from outside: values from outside are
    /// counted, so that a harness, which gives a value to each call, gives each call the right value.
    pub fn drop_choice(&mut self, terms: &Terms, value: TermId) {
        if let Some(Op::Havoc { var, choice: Choice::Approximated(_) }) = self.pending.last()
            && let term::View::Var(dropped) = terms.view(value)
            && dropped == *var
        {
            self.pending.pop();
        }
    }

    /// Whether the code has no branches so far, only operations one after another.
    pub fn is_straight(&self) -> bool {
        self.edges.is_empty()
    }

    /// The operations of code without branches.
    pub fn take_operations(self) -> Vec<Op> {
        let steps = self.edges.into_iter().flat_map(|step| step.ops);
        self.prologue.into_iter().chain(steps).chain(self.pending).collect()
    }

    /// Ends the current edge if it has operations.
    pub fn flush(&mut self) {
        if !self.pending.is_empty() {
            let next = self.label();
            self.jump(next);
            self.place(next);
        }
    }

    /// Goes on at `label`, which the code before falls into.
    pub fn place(&mut self, label: Label) {
        if self.cursor != Some(label) {
            self.jump(label);
        }
        self.cursor = Some(label);
        self.is_cut = false;
    }

    /// Goes on at `label`, which the code before does not fall into.
    pub fn place_detached(&mut self, label: Label) {
        debug_assert!(self.cursor.is_none(), "the code before has jumped");
        self.cursor = Some(label);
        self.is_cut = false;
    }

    /// An edge to `target` with the pending operations; the cursor is nowhere afterwards.
    pub fn jump(&mut self, target: Label) {
        if let Some(source) = self.cursor.take() {
            let ops = std::mem::take(&mut self.pending);
            let span = self.span;
            self.edges.push(Step { source, target, ops, span, decides: None, case: None });
        } else if self.is_cut {
            self.lost.push(target);
        }
        self.pending.clear();
    }

    /// Two edges with a condition and its negation.
    pub fn branch(&mut self, terms: &mut Terms, condition: TermId, yes: Label, no: Label) {
        self.flush();
        let negated = terms.not(condition);
        self.fork(terms, &[(condition, yes, None), (negated, no, None)]);
    }

    /// An edge for each condition; a condition that is plainly false gets no edge.
    pub fn fork(&mut self, terms: &Terms, ways: &[(TermId, Label, Option<Case>)]) {
        self.flush();
        let Some(source) = self.cursor.take() else {
            if self.is_cut {
                self.lost.extend(ways.iter().map(|(_, target, _)| *target));
            }
            return self.drop_here();
        };
        for (condition, target, case) in ways {
            let (condition, target, case) = (*condition, *target, case.clone());
            if terms.is_false(condition) {
                continue;
            }
            let ops = if terms.is_true(condition) { vec![] } else { vec![Op::Assume(condition)] };
            // A condition that is a constant decides nothing.
            let deciding = self.deciding.filter(|_| !ops.is_empty());
            let decides = deciding.and_then(|Deciding { statement, yes, no }| {
                let is_end = target == yes || target == no;
                is_end.then_some(Decided { statement, holds: target == yes })
            });
            self.edges.push(Step { source, target, ops, span: self.span, decides, case });
        }
    }

    /// The property is violated here, by a call of the function `called` if a function is given; the cursor is nowhere
    /// afterwards.
    pub fn error(&mut self, called: Option<&str>) {
        self.errors += usize::from(self.cursor.is_some());
        let label = self.label();
        let place = &mut self.places[label.0];
        (place.error, place.span, place.kept) = (true, self.span, true);
        place.called = called.map(Into::into);
        self.jump(label);
    }

    /// The execution ends with `op`; the cursor is nowhere afterwards.
    pub fn end(&mut self, op: Op) {
        if self.cursor.is_some() {
            self.is_cut = matches!(op, Op::Unsupported(_));
            let count = if self.is_cut { &mut self.errors } else { &mut self.stops };
            *count += 1;
        }
        self.emit(op);
        let sink = self.label();
        self.jump(sink);
    }

    /// Adds the graph to the model as the body of `function`: without unreachable locations, and without locations from
    /// which only an edge that does nothing leads away. If the graph has something that is not modelled, the model
    /// lists the code that may only be reached through it as cut off.
    pub fn finish(mut self, cfa: &mut Cfa, function: FuncId) -> Finished {
        self.pending.clear();
        self.enter(cfa.functions[function].span);
        let forward = self.forwarding();
        let mut out = vec![Vec::new(); self.places.len()];
        for (index, step) in self.edges.iter().enumerate() {
            out[step.source.0].push(index);
        }
        let (order, seen) = self.reached(&forward, &out);
        // Something that is not modelled cuts off what is behind it, which may be reached all the same.
        let is_cut = self.edges.iter().any(|step| {
            let cuts = |op: &Op| matches!(op, Op::Unsupported(_));
            seen[step.source.0] && step.ops.iter().any(cuts)
        });
        let behind = if is_cut { self.behind_cuts(&out) } else { vec![false; self.places.len()] };
        let mut unreached = Vec::new();
        for (index, place) in self.places.iter().enumerate() {
            let Some(span) = place.span.filter(|_| place.error && !seen[index]) else { continue };
            let (called, is_cut) = (place.called.clone(), behind[index]);
            unreached.push(Settled { span, called, is_cut });
            if is_cut {
                cfa.cut_off.push(CutOff { span, error: true });
            }
        }
        if is_cut {
            let steps = self.edges.iter().filter(|step| !seen[step.source.0]);
            let steps = steps.filter(|step| !step.ops.is_empty()).filter_map(|step| step.span);
            let dropped = self.dropped.iter().copied().chain(steps);
            cfa.cut_off.extend(dropped.map(|span| CutOff { span, error: false }));
        }
        let located = self.locate(cfa, function, &order);
        if is_cut {
            // Code that is not in the model may be reached all the same, and calls functions.
            let steps = self.edges.iter().filter(|step| !seen[step.source.0]);
            let calls = steps.flat_map(|step| &step.ops).filter_map(|op| match op {
                Op::Call { callee, .. } => Some(*callee),
                _ => None,
            });
            let callees: Vec<FuncId> = calls.chain(self.lost_calls.iter().copied()).collect();
            cfa.behind_cuts.extend(callees.into_iter().map(|callee| cfa.functions[callee].entry));
            let follows = (0..self.places.len()).filter(|index| behind[*index]);
            let follows = follows.filter_map(|index| located[forward[index].0]);
            cfa.behind_cuts.extend(follows.chain([cfa.functions[function].exit]));
        }
        for &label in &order {
            for &edge in &out[label.0] {
                let step = &mut self.edges[edge];
                let source = located[label.0].expect("ordered locations are in the model");
                let target = located[forward[step.target.0].0].expect("targets are ordered too");
                let id = cfa.add_edge(source, target, std::mem::take(&mut step.ops), step.span);
                cfa.decisions.extend(step.decides.map(|decided| (id, decided)));
                cfa.cases.extend(step.case.take().map(|case| (id, case)));
            }
        }
        let landings = self.landings.iter().filter_map(|label| located[forward[label.0].0]);
        let landings = landings.collect();
        Finished { settled: unreached, landings }
    }

    /// Adds an edge from the entry to the start, with the operations that each activation begins with. If there are no
    /// such operations and no other edge leads to the start, the start becomes the entry.
    fn enter(&mut self, span: Option<Span>) {
        let ops = std::mem::take(&mut self.prologue);
        if !ops.is_empty() || self.edges.iter().any(|step| step.target == START) {
            let (source, target) = (ENTRY, START);
            let step = Step { source, target, ops, span, decides: None, case: None };
            self.edges.insert(0, step);
            return;
        }
        for step in &mut self.edges {
            if step.source == START {
                step.source = ENTRY;
            }
        }
    }

    /// The locations that are reached from the entry, in the order in which they are found, and for each location
    /// whether it is reached.
    fn reached(&self, forward: &[Label], out: &[Vec<usize>]) -> (Vec<Label>, Vec<bool>) {
        let mut order = Vec::new();
        let mut seen = vec![false; self.places.len()];
        seen[ENTRY.0] = true;
        let mut todo = vec![ENTRY];
        while let Some(at) = todo.pop() {
            order.push(at);
            for &edge in out[at.0].iter().rev() {
                let target = forward[self.edges[edge].target.0];
                if !std::mem::replace(&mut seen[target.0], true) {
                    todo.push(target);
                }
            }
        }
        (order, seen)
    }

    /// Adds locations to the model, and gives for each location of this graph its location in the model.
    fn locate(&mut self, cfa: &mut Cfa, function: FuncId, order: &[Label]) -> Vec<Option<LocId>> {
        let (entry, exit) = (cfa.functions[function].entry, cfa.functions[function].exit);
        let mut located: Vec<Option<LocId>> = vec![None; self.places.len()];
        (located[ENTRY.0], located[EXIT.0]) = (Some(entry), Some(exit));
        for &label in order {
            let id = *located[label.0].get_or_insert_with(|| cfa.add_location(function));
            let place = &mut self.places[label.0];
            let location = &mut cfa.locations[id];
            (location.error, location.span) = (place.error, place.span);
            location.name = place.name.take();
            if let Some(called) = place.called.take() {
                cfa.forbidden.insert(id, called);
            }
        }
        located
    }

    /// The locations that may follow something that is not modelled: the targets of lost edges, and labels and landings,
    /// where jumps that are not modelled may lead. `out` has the edges that leave each location.
    fn behind_cuts(&self, out: &[Vec<usize>]) -> Vec<bool> {
        let labels = (0..self.places.len()).map(Label);
        let is_label =
            |label: &Label| self.places[label.0].name.is_some() && !self.places[label.0].error;
        let others = self.landings.iter().chain(&self.lost);
        let mut todo: Vec<Label> = labels.filter(is_label).chain(others.copied()).collect();
        let mut behind = vec![false; self.places.len()];
        while let Some(at) = todo.pop() {
            if !std::mem::replace(&mut behind[at.0], true) {
                todo.extend(out[at.0].iter().map(|&edge| self.edges[edge].target));
            }
        }
        behind
    }

    /// For each location, the location to which edges lead on that do nothing.
    fn forwarding(&self) -> Vec<Label> {
        let mut next: Vec<Option<Label>> = vec![None; self.places.len()];
        let mut leaving = vec![0_u32; self.places.len()];
        for step in &self.edges {
            leaving[step.source.0] += 1;
            let plain = step.ops.is_empty() && step.source != ENTRY && step.source != step.target;
            next[step.source.0] = plain.then_some(step.target);
        }
        let passes = |label: Label| {
            let place = &self.places[label.0];
            if leaving[label.0] == 1 && !place.kept { next[label.0] } else { None }
        };
        let mut forward: Vec<Label> = Vec::with_capacity(self.places.len());
        for start in 0..self.places.len() {
            let mut at = Label(start);
            // A cycle of edges that do nothing is an endless loop, which must stay one.
            for _ in 0..self.places.len() {
                match passes(at) {
                    Some(target) if target.0 < start => {
                        at = forward[target.0];
                        break;
                    }
                    Some(target) if target.0 != start => at = target,
                    _ => break,
                }
            }
            forward.push(at);
        }
        forward
    }
}
