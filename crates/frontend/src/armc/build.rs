//! From facts to the program.

use base::{Diagnostic, Span};
use cfa::{AssumptionKind, LocId, Op, Program, Reading, Scope, Variable};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Sort, TermId};

use super::constraint::conjuncts;
use super::facts::{Label, Model, State, States};
use super::reader::{Arena, NodeId};
use super::transition::{Variables, formula, operations, restriction};
use crate::messages::Messages;

/// The name of the only function of the program.
const FUNCTION: &str = "main";

/// Builds the program.
pub(super) fn build(
    mut program: Program,
    arena: &Arena,
    model: &Model,
    messages: &mut Messages,
) -> Program {
    let Some(first) = model.transitions.first() else {
        messages
            .push(Diagnostic::error_without_place("there is no transition, no fact r/4 or r/5"));
        return program;
    };
    let function = program.cfa.add_function(FUNCTION, None);
    let arity = first.source.data.as_ref().map_or(0, Vec::len);
    let variables = Variables {
        function,
        places: Vec::new(),
        taken: FxHashSet::default(),
        choices: FxHashMap::default(),
    };
    let mut builder = Builder {
        program,
        arena,
        model,
        messages,
        variables,
        arity,
        locations: FxHashMap::default(),
    };
    builder.declare();
    builder.all();
    builder.program
}

struct Builder<'a> {
    program: Program,
    arena: &'a Arena,
    model: &'a Model,
    messages: &'a mut Messages,
    variables: Variables,
    /// How many variables a state has.
    arity: usize,
    locations: FxHashMap<Box<str>, LocId>,
}

/// Where executions start.
struct Start {
    label: Box<str>,
    /// The states in which executions start, if they do not start in all states of the location.
    condition: Option<TermId>,
    span: Span,
}

impl Builder<'_> {
    /// Declares a variable for each place of the state.
    fn declare(&mut self) {
        let names = self.names();
        for (place, (name, span)) in names.into_iter().enumerate() {
            let source: Box<str> = name.unwrap_or_else(|| format!("x{}", place + 1).into());
            let unique = self.variables.unique(&source);
            let variable = Variable {
                scope: Scope::Local(self.variables.function),
                reading: Reading::Plain,
                source_name: Some(source),
                span,
            };
            let var = self.program.declare(unique, Sort::Rat, variable);
            self.variables.places.push(var);
        }
    }

    /// The names of the variables, by their places in a state: the names that `var2names/2` gives, or else those of the
    /// first transition.
    fn names(&mut self) -> Vec<(Option<Box<str>>, Option<Span>)> {
        let model = self.model;
        let state = model.transitions[0].source.data.as_deref().unwrap_or_default();
        let mut names: Vec<_> = state.iter().map(|id| self.prolog_name(*id)).collect();
        let Some((state, pairs)) = &model.names else { return names };
        let Some(places) = self.data(state) else { return names };
        for (name, place) in names.iter_mut().zip(places) {
            *name = self.prolog_name(*place);
        }
        for pair in conjuncts_of_pairs(self.arena, *pairs) {
            let [variable, name] = pair;
            let known = |id: &NodeId| {
                self.arena.variable(*id).is_some_and(|n| Some(n) == self.arena.variable(variable))
            };
            if let (Some(place), Some(name)) =
                (places.iter().position(known), self.arena.atom(name))
            {
                names[place] = (Some(name.into()), Some(self.arena.span(pair[1])));
            }
        }
        names
    }

    fn prolog_name(&self, id: NodeId) -> (Option<Box<str>>, Option<Span>) {
        let name = self.arena.variable(id).filter(|name| !name.starts_with('_'));
        (name.map(Into::into), Some(self.arena.span(id)))
    }

    /// The places of a state, if they are as many as the program has variables.
    fn data<'s>(&mut self, state: &'s State) -> Option<&'s [NodeId]> {
        let data = state.data.as_deref()?;
        if data.len() != self.arity {
            let (found, wanted) = (data.len(), self.arity);
            let message = format!("this state has {found} variables, the first one has {wanted}");
            self.messages.error(state.span, message);
            return None;
        }
        Some(data)
    }

    fn all(&mut self) {
        let starts = self.starts();
        let globals = self.globals();
        let entry = self.program.cfa.functions[self.variables.function].entry;
        // A start at one location in all states needs no step of its own.
        let direct = match starts.as_slice() {
            [start] if start.condition.is_none() && globals.is_none() => Some(&start.label),
            _ => None,
        };
        if let Some(label) = direct {
            self.program.cfa.locations[entry].name = Some(label.clone());
            self.locations.insert(label.clone(), entry);
        }
        self.transitions();
        if direct.is_none() {
            for start in &starts {
                let target = self.location(&start.label, Some(start.span));
                let conditions = start.condition.into_iter().chain(globals);
                let ops: Vec<Op> = conditions.map(Op::Assume).collect();
                self.program.cfa.add_edge(entry, target, ops, Some(start.span));
            }
        }
        self.errors();
        if self.program.cfa.errors().next().is_none() && !self.messages.diagnostics.has_errors() {
            let message = "nothing says which states are errors";
            let hint = "error/1 names error locations, s/5 unsafe states";
            self.messages.push(Diagnostic {
                severity: base::Severity::Warning,
                message: message.to_owned(),
                span: None,
                hint: Some(hint.to_owned()),
            });
        }
    }

    fn location(&mut self, label: &str, span: Option<Span>) -> LocId {
        if let Some(location) = self.locations.get(label) {
            let entry = &mut self.program.cfa.locations[*location];
            entry.span = entry.span.or(span);
            return *location;
        }
        let location = self.program.cfa.add_location(self.variables.function);
        let entry = &mut self.program.cfa.locations[location];
        entry.name = Some(label.into());
        entry.span = span;
        self.locations.insert(label.into(), location);
        location
    }

    fn transitions(&mut self) {
        let model = self.model;
        for transition in &model.transitions {
            let ends = (self.data(&transition.source), self.data(&transition.target));
            let labels = (&transition.source.label, &transition.target.label);
            let (Some(source), Some(target)) = labels else { continue };
            let source = self.location(&source.text, Some(source.span));
            let target = self.location(&target.text, Some(target.span));
            if ends.0.is_none() || ends.1.is_none() {
                continue;
            }
            let ops = operations(
                &mut self.program,
                &mut self.variables,
                self.arena,
                transition,
                model.implicit_updates,
            );
            match ops {
                Ok(ops) => {
                    let cfa = &mut self.program.cfa;
                    let edge = cfa.add_edge(source, target, ops, Some(transition.span));
                    cfa.edges[edge].name = Some(transition.number.clone());
                }
                Err(diagnostic) => self.messages.push(diagnostic),
            }
        }
    }

    /// Where executions start: by `start/1`, or else in the states that no `b/3` covers.
    fn starts(&mut self) -> Vec<Start> {
        let model = self.model;
        if !model.starts.is_empty() {
            if let Some(states) = model.not_initial.first() {
                let message = "facts b/3 are skipped: start/1 says where executions start";
                self.messages.push(Diagnostic::warning(states.span, message));
            }
            let mut seen = FxHashSet::default();
            let starts = model.starts.iter().filter(|label| seen.insert(&label.text));
            let start = |label: &Label| Start {
                label: label.text.clone(),
                condition: None,
                span: label.span,
            };
            return starts.map(start).collect();
        }
        if model.not_initial.is_empty() {
            let message = "nothing says where executions start";
            let hint = "start/1 names the location, or b/3 the states that are not initial";
            self.messages.push(Diagnostic::error_without_place(message).with_hint(hint));
            return Vec::new();
        }
        let starts = self.left_over();
        if starts.is_empty() {
            let message = "no state is initial: facts b/3 cover every location";
            self.messages.push(Diagnostic::error_without_place(message));
        }
        starts
    }

    /// The states that no `b/3` covers.
    fn left_over(&mut self) -> Vec<Start> {
        let model = self.model;
        // For each location that `b/3` names: conditions, each for some states that are not initial; `None` if the
        // location has no initial state.
        let mut covered: FxHashMap<&str, Option<Vec<TermId>>> = FxHashMap::default();
        for states in &model.not_initial {
            let Some(label) = &states.state.label else { continue };
            let part = self.covered(states);
            let whole = covered.entry(&label.text).or_insert_with(|| Some(Vec::new()));
            match (part, whole) {
                (Covered::All, whole) => *whole = None,
                (Covered::Part(part), Some(parts)) => parts.push(part),
                _ => {}
            }
        }
        let mut starts = Vec::new();
        let mut seen = FxHashSet::default();
        let ends = model.transitions.iter().flat_map(|each| [&each.source, &each.target]);
        let states = ends.chain(model.unsafe_states.iter().map(|each| &each.state));
        let labels: Vec<&Label> = states.filter_map(|state| state.label.as_ref()).collect();
        for label in labels {
            if !seen.insert(&label.text) {
                continue;
            }
            let condition = match covered.get(&*label.text) {
                Some(None) => continue,
                Some(Some(parts)) => {
                    let any = self.program.terms.or(parts);
                    Some(self.program.terms.not(any))
                }
                None if self.is_unsafe(label) => continue,
                None => None,
            };
            starts.push(Start { label: label.text.clone(), condition, span: label.span });
        }
        starts
    }

    /// Whether all states of a location are unsafe. For a location that no `b/3` names: were these states initial too,
    /// there would be nothing to check, so the `b/3` is taken as forgotten, with a warning.
    fn is_unsafe(&mut self, label: &Label) -> bool {
        let states = self.model.unsafe_states.iter().find(|states| {
            let name = states.state.label.as_ref().map(|label| &*label.text);
            name == Some(&*label.text) && self.is_whole(states)
        });
        let Some(states) = states else { return false };
        let text = format!(
            "the location {} is unsafe and no b/3 says that it is not initial; it is taken as not \
             initial",
            label.text
        );
        self.messages.push(Diagnostic::warning(states.span, text.clone()));
        self.program.cfa.assume(AssumptionKind::Semantics, text, Some(states.span));
        true
    }

    /// Whether a set of states has all states of its location.
    fn is_whole(&self, states: &States) -> bool {
        let data = states.state.data.as_deref().unwrap_or_default();
        let mut seen = FxHashSet::default();
        conjuncts(self.arena, &[states.constraint]).is_empty()
            && data.iter().all(|id| match self.arena.variable(*id) {
                Some("_") => true,
                Some(name) => seen.insert(name),
                None => false,
            })
    }

    fn covered(&mut self, states: &States) -> Covered {
        if self.is_whole(states) {
            let data = states.state.data.as_deref();
            if let Some(data) = data.filter(|data| data.len() != self.arity) {
                let (found, wanted) = (data.len(), self.arity);
                let message =
                    format!("this state has {found} variables, the first one has {wanted}");
                let hint = "it is taken as all states of its location";
                let warning = Diagnostic::warning(states.state.span, message).with_hint(hint);
                self.messages.push(warning);
            }
            return Covered::All;
        }
        let Some(data) = self.data_or_label(states) else { return Covered::Wrong };
        let terms = &mut self.program.terms;
        match formula(terms, &self.variables, self.arena, data, states.constraint) {
            Ok(formula) => Covered::Part(formula),
            Err(diagnostic) => {
                self.messages.push(diagnostic);
                Covered::Wrong
            }
        }
    }

    /// The places of a state; an empty list if the state is only a label.
    fn data_or_label<'s>(&mut self, states: &'s States) -> Option<&'s [NodeId]> {
        if states.state.data.is_none() { Some(&[]) } else { self.data(&states.state) }
    }

    /// What `globals/3` says about the start.
    fn globals(&mut self) -> Option<TermId> {
        let (state, constraints) = self.model.globals.as_ref()?;
        if conjuncts(self.arena, &[*constraints]).is_empty() {
            return None;
        }
        let data = self.data(state)?;
        let terms = &mut self.program.terms;
        match formula(terms, &self.variables, self.arena, data, *constraints) {
            Ok(formula) => {
                let text = "the constraints of globals/3 hold at the start";
                let span = self.arena.span(*constraints);
                self.program.cfa.assume(AssumptionKind::Semantics, text, Some(span));
                Some(formula)
            }
            Err(diagnostic) => {
                self.messages.push(diagnostic);
                None
            }
        }
    }

    /// Marks error locations. Where only some states of a location are unsafe, an edge for these leads to an error
    /// location.
    fn errors(&mut self) {
        let model = self.model;
        for label in &model.errors {
            let location = self.location(&label.text, Some(label.span));
            self.violates(location, &label.text, label.span);
        }
        for states in &model.unsafe_states {
            let Some(label) = &states.state.label else { continue };
            let location = self.location(&label.text, Some(label.span));
            let Some(data) = self.data_or_label(states) else { continue };
            if self.is_whole(states) {
                self.violates(location, &states.number, states.span);
                continue;
            }
            let (program, known) = (&mut self.program, &mut self.variables);
            match restriction(program, known, self.arena, data, states.constraint) {
                Ok(ops) => self.lead_to_error(location, ops, &states.number, states.span),
                Err(diagnostic) => self.messages.push(diagnostic),
            }
        }
    }

    /// Makes a location an error location. No edge may leave an error location, so a location that transitions leave
    /// gets an edge to an error location instead.
    fn violates(&mut self, location: LocId, name: &str, span: Span) {
        let place = &mut self.program.cfa.locations[location];
        if place.edges.is_empty() {
            place.error = true;
        } else {
            self.lead_to_error(location, Vec::new(), name, span);
        }
    }

    fn lead_to_error(&mut self, location: LocId, ops: Vec<Op>, name: &str, span: Span) {
        if self.program.cfa.locations[location].error {
            return;
        }
        let error = self.program.cfa.add_location(self.variables.function);
        let place = &mut self.program.cfa.locations[error];
        place.name = Some(format!("unsafe {name}").into());
        place.error = true;
        place.span = Some(span);
        self.program.cfa.add_edge(location, error, ops, Some(span));
    }
}

/// Which states of a location a `b/3` covers.
enum Covered {
    All,
    Part(TermId),
    /// The `b/3` cannot be understood, and a message was reported.
    Wrong,
}

/// The pairs `(V, 'name')` of a list.
fn conjuncts_of_pairs(arena: &Arena, list: NodeId) -> Vec<[NodeId; 2]> {
    arena.children(list).filter_map(|pair| arena.arguments::<2>(pair, ",")).collect()
}
