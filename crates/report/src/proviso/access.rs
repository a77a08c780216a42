//! Whether a check is that of a read or of a write, and of what: where one statement has several, the table of checks tells
//! them apart.

use std::collections::BTreeSet;

use base::IndexVec;
use cfa::{Access, EdgeId, LocId, Op, Program, Reading, Scope, Variable};
use term::{TermId, Var};

use super::element::Indexed;
use crate::expression::Writer;
use crate::invariant::length;
use crate::source::is_borrowed;
use crate::types::Types;

/// The access is looked for on at most this many edges before the error.
const NEAR: usize = 8;

/// Memory that a statement accesses.
pub(super) struct Accessed {
    /// `through p`, or `of a` if it is the object itself.
    pub(super) through: String,
    /// The element that is accessed, if an index says which.
    pub(super) element: Option<Indexed>,
}

/// What the checks of a program access.
pub(super) struct Accesses<'p> {
    program: &'p Program,
    /// The edges that lead to each location.
    incoming: IndexVec<LocId, Vec<EdgeId>>,
}

impl<'p> Accesses<'p> {
    pub(super) fn of(program: &'p Program) -> Self {
        let cfa = &program.cfa;
        let mut incoming = IndexVec::filled(Vec::new(), cfa.locations.len());
        for (id, edge) in cfa.edges.entries() {
            incoming[edge.target].push(id);
        }
        Self { program, incoming }
    }

    /// What the access does whose check leads to an error location, as a word.
    pub(super) fn word(&self, error: LocId) -> Option<&'static str> {
        match self.before(error, access)? {
            Access::Read => Some("read"),
            Access::Write => Some("write"),
            Access::Free => None,
        }
    }

    /// The memory whose check leads to an error location. None if its address is made of several addresses, or if the source has
    /// no name for it.
    pub(super) fn accessed(&self, error: LocId) -> Option<Accessed> {
        let program = self.program;
        let address = self.address(error)?;
        let vars = program.terms.vars(address).into_iter();
        // A variable that is not an address is an index.
        let known = vars.filter_map(|var| Some((var, program.cfa.variables.get(var)?)));
        let is_address = |(_, known): &(Var, &Variable)| {
            known.reading == Reading::Address || matches!(known.scope, Scope::Address(_))
        };
        let mut bases = known.filter(is_address);
        let ((var, base), None) = (bases.next()?, bases.next()) else { return None };
        if self.is_hidden(base) {
            return None;
        }
        let (word, name) = match base.scope {
            Scope::Address(object) => {
                let object = &program.cfa.objects[object];
                let name = object.name.rsplit("::").next().and_then(|name| name.split('#').next());
                ("of", object.span.and(name)?)
            }
            _ => {
                let name = base.source_name.as_deref()?;
                name.strip_prefix('&').map_or(("through", name), |object| ("of", object))
            }
        };
        let element = Indexed::of(program, address, var, name);
        Some(Accessed { through: format!("{word} {name}"), element })
    }

    /// Whether a variable is declared in a text that the program only borrows: a reader of the program does not know
    /// the names in the functions of the library.
    fn is_hidden(&self, variable: &Variable) -> bool {
        variable.span.is_some_and(|span| is_borrowed(self.program, span.file))
    }

    /// The first answer of `said` for the edges just before an error location.
    fn before<T>(&self, error: LocId, said: impl Fn(&Program, EdgeId) -> Option<T>) -> Option<T> {
        let mut ends = BTreeSet::from([error]);
        for _ in 0..NEAR {
            let edges: BTreeSet<EdgeId> =
                ends.iter().flat_map(|end| &self.incoming[*end]).copied().collect();
            if let Some(found) = edges.iter().find_map(|edge| said(self.program, *edge)) {
                return Some(found);
            }
            ends = edges.iter().map(|edge| self.program.cfa.edges[*edge].source).collect();
        }
        None
    }

    /// The edge that leads to an error location from the statement of the error, with the condition on the edge.
    fn last(&self, error: LocId) -> Option<(EdgeId, TermId)> {
        let cfa = &self.program.cfa;
        let is_own = |edge: &&EdgeId| cfa.edges[**edge].span == cfa.locations[error].span;
        let last = *self.incoming[error].iter().find(is_own)?;
        let condition = cfa.edges[last].ops.iter().rev().find_map(|op| match op {
            Op::Assume(condition) => Some(*condition),
            _ => None,
        })?;
        Some((last, condition))
    }

    /// The condition under which a check fails, in C: `b == 0`. None if it is long, or about something without a name.
    pub(super) fn condition(&self, error: LocId) -> Option<String> {
        let program = self.program;
        let (_, condition) = self.last(error)?;
        if length(&program.terms, condition) > LONGEST {
            return None;
        }
        let vars = program.terms.vars(condition);
        if vars
            .iter()
            .any(|var| program.cfa.variables.get(*var).is_some_and(|var| self.is_hidden(var)))
        {
            return None;
        }
        let types = Types::of(program);
        let may_be_bits = |var| types.may_be_bits(var);
        let writer = Writer {
            terms: &program.terms,
            cfa: &program.cfa,
            exact: &[],
            may_be_bits: &may_be_bits,
        };
        writer.formula(condition).filter(|text| text.len() <= LONGEST)
    }

    /// The address whose check leads to an error location: the address that an `Op::Valid` before the error asks about.
    /// Without such an operation the check compares an offset with the size of a known object, and the address is that
    /// of the access that follows.
    fn address(&self, error: LocId) -> Option<TermId> {
        let program = self.program;
        let cfa = &program.cfa;
        // An edge of another statement has another access.
        let is_here = |edge: EdgeId| cfa.edges[edge].span == cfa.locations[error].span;
        let (last, condition) = self.last(error)?;
        let vars = program.terms.vars(condition);
        let asked = self.before(error, |_, edge| {
            cfa.edges[edge].ops.iter().rev().find_map(|op| match op {
                Op::Valid { var, address, .. } if vars.contains(var) && is_here(edge) => {
                    Some(*address)
                }
                _ => None,
            })
        });
        let beside = cfa.locations[cfa.edges[last].source].edges.iter();
        let mut beside = beside.filter(|edge| **edge != last && is_here(**edge));
        let accessed = |op: &Op| match op {
            Op::Load { address, .. } | Op::Store { address, .. } => Some(*address),
            _ => None,
        };
        asked.or_else(|| beside.find_map(|edge| cfa.edges[*edge].ops.iter().find_map(accessed)))
    }
}

/// Conditions with more letters do not fit into a line beside their statement.
const LONGEST: usize = 50;

/// The access that an edge asks about; if the edge asks about none, the next access on the other edge.
fn access(program: &Program, edge: EdgeId) -> Option<Access> {
    let asked = |op: &Op| match op {
        Op::Valid { access, .. } => Some(*access),
        _ => None,
    };
    let made = |op: &Op| match op {
        Op::Load { .. } => Some(Access::Read),
        Op::Store { .. } | Op::Fill { .. } | Op::Copy { .. } => Some(Access::Write),
        _ => None,
    };
    let cfa = &program.cfa;
    let beside = &cfa.locations[cfa.edges[edge].source].edges;
    let mut beside = beside.iter().filter(|other| **other != edge);
    let own = cfa.edges[edge].ops.iter().rev().find_map(asked);
    own.or_else(|| beside.find_map(|other| cfa.edges[*other].ops.iter().find_map(made)))
}
