//! From constraints, which are Prolog terms, to terms of the program.

use base::Diagnostic;
use num_traits::Zero;
use rustc_hash::FxHashMap;
use term::{Op, TermId, Terms};

use super::reader::{Arena, Node, NodeId};

/// The parts of a conjunction, lists and braces taken apart.
pub(super) fn conjuncts(arena: &Arena, roots: &[NodeId]) -> Vec<NodeId> {
    let mut stack: Vec<NodeId> = roots.iter().rev().copied().collect();
    let mut found = Vec::new();
    while let Some(id) = stack.pop() {
        match arena.node(id) {
            Node::Compound(name, parts) if matches!(&**name, "," | "{}") => {
                stack.extend(parts.iter().rev());
            }
            Node::List(elements, None) => stack.extend(elements.iter().rev()),
            Node::Atom(name) if matches!(&**name, "{}" | "true") => {}
            _ => found.push(id),
        }
    }
    found
}

/// The two sides of an equation.
pub(super) fn equation(arena: &Arena, id: NodeId) -> Option<[NodeId; 2]> {
    ["=", "=:=", ":=", "is", "=="].iter().find_map(|name| arena.arguments::<2>(id, name))
}

/// The variables of a term, each occurrence of `_` included, in the order of the text.
pub(super) fn variables(arena: &Arena, id: NodeId) -> Vec<(NodeId, &str)> {
    let mut found: Vec<_> = arena
        .below(&[id])
        .into_iter()
        .filter_map(|id| arena.variable(id).map(|name| (id, name)))
        .collect();
    found.sort_by_key(|(id, _)| arena.span(*id).start);
    found
}

/// The value of a Prolog term.
#[derive(Clone, Copy)]
enum Worth {
    Number(TermId),
    Truth(TermId),
}

/// Gives the terms of variables, and `None` for a variable without a term.
pub(super) type Lookup<'a> = dyn FnMut(&mut Terms, NodeId, &str) -> Option<TermId> + 'a;

/// The truth value that a constraint stands for.
pub(super) fn truth(
    terms: &mut Terms,
    arena: &Arena,
    id: NodeId,
    lookup: &mut Lookup<'_>,
) -> Result<TermId, Diagnostic> {
    match evaluate(terms, arena, id, lookup)? {
        Worth::Truth(term) => Ok(term),
        Worth::Number(_) => Err(Diagnostic::error(arena.span(id), "expected a constraint")),
    }
}

/// The number that an expression stands for.
pub(super) fn number(
    terms: &mut Terms,
    arena: &Arena,
    id: NodeId,
    lookup: &mut Lookup<'_>,
) -> Result<TermId, Diagnostic> {
    match evaluate(terms, arena, id, lookup)? {
        Worth::Number(term) => Ok(term),
        Worth::Truth(_) => Err(Diagnostic::error(arena.span(id), "expected a number")),
    }
}

/// Evaluates a Prolog term. Arguments come before the terms that they are in, in a loop and not by recursion, since a
/// long sum is deep.
fn evaluate(
    terms: &mut Terms,
    arena: &Arena,
    root: NodeId,
    lookup: &mut Lookup<'_>,
) -> Result<Worth, Diagnostic> {
    let mut known: FxHashMap<NodeId, Worth> = FxHashMap::default();
    for id in arena.below(&[root]) {
        let wrong = |message: &str| Err(Diagnostic::error(arena.span(id), message));
        let worth = match arena.node(id) {
            Node::Number(number) => Worth::Number(terms.rat(number.clone())),
            Node::Variable(name) => match lookup(terms, id, name) {
                Some(term) => Worth::Number(term),
                None => return wrong("this variable is not in the state"),
            },
            Node::Atom(name) => match &**name {
                "true" | "{}" => Worth::Truth(terms.bool(true)),
                "false" | "fail" => Worth::Truth(terms.bool(false)),
                _ => return wrong("expected a number or a constraint, found an atom"),
            },
            Node::List(elements, None) => {
                let parts = elements.iter().filter_map(|element| known.get(element));
                let mut all = Vec::new();
                for part in parts {
                    match part {
                        Worth::Truth(term) => all.push(*term),
                        Worth::Number(_) => return wrong("expected a list of constraints"),
                    }
                }
                Worth::Truth(terms.and(&all))
            }
            Node::List(_, Some(_)) => return wrong("this list has no end"),
            Node::Compound(name, arguments) => {
                // Arguments have smaller ids and were evaluated before.
                let arguments: Vec<Worth> =
                    arguments.iter().filter_map(|argument| known.get(argument)).copied().collect();
                match apply(terms, name, &arguments) {
                    Ok(worth) => worth,
                    Err(message) => return wrong(&message),
                }
            }
        };
        known.insert(id, worth);
    }
    let message = "expected a constraint";
    known.get(&root).copied().ok_or_else(|| Diagnostic::error(arena.span(root), message))
}

/// Applies a functor to what its arguments are worth.
fn apply(terms: &mut Terms, name: &str, arguments: &[Worth]) -> Result<Worth, String> {
    use Worth::{Number, Truth};
    let worth = match (name, arguments) {
        ("+", [Number(a), Number(b)]) => Number(terms.add(*a, *b)),
        ("-", [Number(a), Number(b)]) => Number(terms.sub(*a, *b)),
        ("*", [Number(a), Number(b)]) => Number(terms.mul(*a, *b)),
        ("/", [Number(a), Number(b)]) => {
            let divisor = terms.value(*b).and_then(|value| value.as_rat());
            if divisor.is_some_and(Zero::is_zero) {
                return Err("division by zero".to_owned());
            }
            Number(terms.div(*a, *b))
        }
        ("-", [Number(a)]) => Number(terms.neg(*a)),
        ("+", [Number(a)]) => Number(*a),
        ("=" | "=:=" | ":=" | "is" | "==", [Number(a), Number(b)]) => Truth(terms.eq(*a, *b)),
        ("=\\=" | "\\=" | "\\==", [Number(a), Number(b)]) => Truth(terms.ne(*a, *b)),
        ("=<", [Number(a), Number(b)]) => Truth(terms.app(Op::Le, &[*a, *b])),
        ("<", [Number(a), Number(b)]) => Truth(terms.app(Op::Lt, &[*a, *b])),
        (">=", [Number(a), Number(b)]) => Truth(terms.app(Op::Le, &[*b, *a])),
        (">", [Number(a), Number(b)]) => Truth(terms.app(Op::Lt, &[*b, *a])),
        ("," | ";", [Truth(a), Truth(b)]) => {
            let op = if name == "," { Op::And } else { Op::Or };
            Truth(terms.app(op, &[*a, *b]))
        }
        ("{}", [Truth(a)]) => Truth(*a),
        ("\\+", [Truth(a)]) => Truth(terms.not(*a)),
        ("<=", _) => return Err("`<=` is not known; write `=<`".to_owned()),
        ("=>", _) => return Err("`=>` is not known; write `>=`".to_owned()),
        _ => {
            let arity = arguments.len();
            return Err(format!("`{name}/{arity}` is no operation on such arguments"));
        }
    };
    Ok(worth)
}
