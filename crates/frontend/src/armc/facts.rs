//! What the facts of a text say, before it is a program.

use base::{Diagnostic, Span};
use rustc_hash::FxHashSet;

use super::reader::{Arena, Node, NodeId, Reader};
use crate::messages::Messages;

/// Facts that advise ARMC's search and do not change what the program is: they are passed over.
pub(super) const ADVICE: [(&str, usize); 17] = [
    ("refinement", 1),
    ("cube_size", 1),
    ("preds", 2),
    ("trans_preds", 3),
    ("cutpoint", 1),
    ("stmtsrc", 2),
    ("transition_access", 2),
    ("strengthening", 2),
    ("bounding_vars", 2),
    ("bound_var", 2),
    ("cfg_exit_relation", 1),
    ("invgen_template", 1),
    ("invgen_template", 2),
    ("heuristic", 1),
    ("abstraction", 1),
    ("widening", 1),
    ("max_depth", 1),
];

/// Directives that only concern the Prolog system.
const DIRECTIVES: [&str; 8] = [
    "multifile",
    "dynamic",
    "discontiguous",
    "use_module",
    "ensure_loaded",
    "module",
    "set_prolog_flag",
    "style_check",
];

/// The facts that make up a program.
#[derive(Default)]
pub(super) struct Model {
    pub transitions: Vec<Transition>,
    /// Locations of `start/1`.
    pub starts: Vec<Label>,
    /// Locations of `error/1`.
    pub errors: Vec<Label>,
    /// States of `s/5`.
    pub unsafe_states: Vec<States>,
    /// States of `b/3`.
    pub not_initial: Vec<States>,
    /// `var2names/2`: a state and a list of pairs.
    pub names: Option<(State, NodeId)>,
    /// `globals/3`: a state and constraints that hold at the start.
    pub globals: Option<(State, NodeId)>,
    /// Whether a variable that a transition says nothing about keeps its value.
    pub implicit_updates: bool,
}

/// A location's label.
#[derive(Clone)]
pub(super) struct Label {
    pub text: Box<str>,
    pub span: Span,
}

/// A state term.
#[derive(Clone)]
pub(super) struct State {
    /// The label; `None` if a variable stands in its place.
    pub label: Option<Label>,
    /// What stands at the places of the variables; `None` if there is only a label.
    pub data: Option<Vec<NodeId>>,
    pub span: Span,
}

/// A transition fact.
pub(super) struct Transition {
    pub source: State,
    pub target: State,
    /// Guards, updates, actions: all must hold.
    pub constraints: Vec<NodeId>,
    /// The number of the fact, as written.
    pub number: Box<str>,
    pub span: Span,
}

/// A set of states: a state term and a constraint.
pub(super) struct States {
    pub state: State,
    pub constraint: NodeId,
    /// The number of the fact, as written.
    pub number: Box<str>,
    pub span: Span,
}

/// Reads all facts.
pub(super) fn collect(reader: Reader, messages: &mut Messages) -> (Arena, Model) {
    let mut collector =
        Collector { reader, model: Model::default(), skipped: FxHashSet::default(), messages };
    while let Some(clause) = collector.reader.clause() {
        match clause {
            Ok(clause) => {
                if let Err(diagnostic) = collector.clause(clause) {
                    collector.messages.push(diagnostic);
                }
            }
            Err(diagnostic) => collector.messages.push(diagnostic),
        }
    }
    (collector.reader.arena, collector.model)
}

struct Collector<'a> {
    reader: Reader,
    model: Model,
    /// Unknown facts about which there is a warning already.
    skipped: FxHashSet<(Box<str>, usize)>,
    messages: &'a mut Messages,
}

impl Collector<'_> {
    fn clause(&mut self, clause: NodeId) -> Result<(), Diagnostic> {
        let span = self.reader.arena.span(clause);
        let (name, arguments): (Box<str>, Box<[NodeId]>) = match self.reader.arena.node(clause) {
            Node::Atom(name) => (name.clone(), Box::default()),
            Node::Compound(name, arguments) => (name.clone(), arguments.clone()),
            _ => return Err(Diagnostic::error(span, "a fact is an atom or a functor")),
        };
        match (&*name, &*arguments) {
            (":-", [directive]) => self.directive(*directive),
            (":-" | "-->", [head, _]) => {
                let head = self.reader.arena.span(*head);
                return Err(Diagnostic::error(head, "only facts can be read, not rules"));
            }
            ("r", [source, target, action, number]) => {
                self.transition((*source, *target), &[*action], *number, span)?;
            }
            ("r", [source, target, guards, updates, number]) => {
                self.transition((*source, *target), &[*guards, *updates], *number, span)?;
            }
            // The thesis' inner form; its guards and updates repeat the action.
            ("r", [source, target, action, number, _, _]) => {
                self.transition((*source, *target), &[*action], *number, span)?;
            }
            ("s", [_, state, constraint, number, _]) => {
                let states = self.states(*state, *constraint, *number, span)?;
                self.model.unsafe_states.push(states);
            }
            ("b", [state, constraint, number]) => {
                let states = self.states(*state, *constraint, *number, span)?;
                self.model.not_initial.push(states);
            }
            ("start", [label]) => {
                let label = self.ground_label(*label)?;
                self.model.starts.push(label);
            }
            ("error", [label]) => {
                let label = self.ground_label(*label)?;
                self.model.errors.push(label);
            }
            ("var2names", [state, names]) => {
                self.model.names = Some((self.state(*state)?, *names));
            }
            ("globals", [state, _, constraints]) => {
                self.model.globals = Some((self.state(*state)?, *constraints));
            }
            ("implicit_updates", []) => self.model.implicit_updates = true,
            _ => self.unknown(name, arguments.len(), span)?,
        }
        Ok(())
    }

    fn unknown(&mut self, name: Box<str>, arity: usize, span: Span) -> Result<(), Diagnostic> {
        if ADVICE.contains(&(&*name, arity)) {
            return Ok(());
        }
        if matches!(&*name, "r" | "s" | "b" | "start" | "error") {
            let message = format!("`{name}` does not have {arity} arguments");
            let hint = "r/4, r/5, s/5, b/3, start/1 and error/1 are known";
            return Err(Diagnostic::error(span, message).with_hint(hint));
        }
        if self.skipped.insert((name.clone(), arity)) {
            let message = format!("facts `{name}/{arity}` are not known and are skipped");
            self.messages.push(Diagnostic::warning(span, message));
        }
        Ok(())
    }

    fn directive(&mut self, directive: NodeId) {
        let span = self.reader.arena.span(directive);
        let name = match self.reader.arena.node(directive) {
            Node::Atom(name) | Node::Compound(name, _) => &**name,
            _ => "",
        };
        if !DIRECTIVES.contains(&name) {
            self.messages.push(Diagnostic::warning(span, "this directive is skipped"));
        }
    }

    fn transition(
        &mut self,
        (source, target): (NodeId, NodeId),
        constraints: &[NodeId],
        number: NodeId,
        span: Span,
    ) -> Result<(), Diagnostic> {
        let source = self.full_state(source)?;
        let target = self.full_state(target)?;
        let constraints = constraints.to_vec();
        let number = self.reader.slice(self.reader.arena.span(number)).into();
        self.model.transitions.push(Transition { source, target, constraints, number, span });
        Ok(())
    }

    /// A state with a label and data.
    fn full_state(&self, id: NodeId) -> Result<State, Diagnostic> {
        let state = self.state(id)?;
        if state.label.is_none() {
            return Err(Diagnostic::error(state.span, "the location must not be a variable"));
        }
        if state.data.is_none() {
            let hint = "p(label, X, Y) or p(pc(label), data(X, Y))";
            return Err(Diagnostic::error(state.span, "expected a state").with_hint(hint));
        }
        Ok(state)
    }

    fn states(
        &self,
        state: NodeId,
        constraint: NodeId,
        number: NodeId,
        span: Span,
    ) -> Result<States, Diagnostic> {
        let state = self.state(state)?;
        if state.label.is_none() {
            return Err(Diagnostic::error(state.span, "the location must not be a variable"));
        }
        let number = self.reader.slice(self.reader.arena.span(number)).into();
        Ok(States { state, constraint, number, span })
    }

    /// Takes a state term apart; anything but `p(..)` is a label alone.
    fn state(&self, id: NodeId) -> Result<State, Diagnostic> {
        let arena = &self.reader.arena;
        let span = arena.span(id);
        let arguments = match arena.node(id) {
            Node::Compound(name, arguments) if **name == *"p" => arguments,
            _ => return Ok(State { label: self.label(id)?, data: None, span }),
        };
        let [label, rest @ ..] = &**arguments else {
            return Err(Diagnostic::error(span, "expected a state"));
        };
        let data = match rest {
            [data] => match arena.node(*data) {
                Node::Compound(name, places) if **name == *"data" => places.to_vec(),
                Node::Atom(name) if **name == *"data" => Vec::new(),
                _ => rest.to_vec(),
            },
            _ => rest.to_vec(),
        };
        Ok(State { label: self.label(*label)?, data: Some(data), span })
    }

    fn ground_label(&self, id: NodeId) -> Result<Label, Diagnostic> {
        let state = self.state(id)?;
        let message = "the location must not be a variable";
        state.label.ok_or_else(|| Diagnostic::error(state.span, message))
    }

    /// The label that a term writes; `None` if it is a variable.
    fn label(&self, id: NodeId) -> Result<Option<Label>, Diagnostic> {
        let arena = &self.reader.arena;
        let span = arena.span(id);
        let inner = arena.arguments::<1>(id, "pc").map_or(id, |[inner]| inner);
        if arena.variable(inner).is_some() {
            return Ok(None);
        }
        let parts = arena.below(&[inner]);
        if parts.len() > MAX_LABEL {
            return Err(Diagnostic::error(span, "this label is too long"));
        }
        if parts.iter().any(|part| arena.variable(*part).is_some()) {
            return Err(Diagnostic::error(span, "a label has no variables in it"));
        }
        let mut text = String::new();
        self.write(inner, &mut text);
        Ok(Some(Label { text: text.into(), span }))
    }

    /// Writes a label. A label has at most `MAX_LABEL` parts, which bounds the depth of the recursion.
    fn write(&self, id: NodeId, text: &mut String) {
        match self.reader.arena.node(id) {
            Node::Atom(name) => text.push_str(name),
            Node::Compound(name, arguments) => match &**arguments {
                [left, right] if !name.starts_with(char::is_alphabetic) => {
                    self.write(*left, text);
                    text.push_str(name);
                    self.write(*right, text);
                }
                arguments => {
                    text.push_str(name);
                    self.write_all(arguments, ['(', ')'], text);
                }
            },
            Node::List(elements, _) => self.write_all(elements, ['[', ']'], text),
            Node::Number(_) | Node::Variable(_) => {
                text.push_str(self.reader.slice(self.reader.arena.span(id)));
            }
        }
    }

    fn write_all(&self, ids: &[NodeId], brackets: [char; 2], text: &mut String) {
        text.push(brackets[0]);
        for (index, id) in ids.iter().enumerate() {
            if index > 0 {
                text.push(',');
            }
            self.write(*id, text);
        }
        text.push(brackets[1]);
    }
}

/// How many parts a label may have.
const MAX_LABEL: usize = 200;
