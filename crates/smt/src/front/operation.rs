//! Applies the rules of an operator to a term.

use term::Op;

use super::fact::Fact;
use super::graph::Node;
use super::propagate::{Conflict, Propagation};
use super::reason::{NONE, Reason};
use super::rules::{Said, backward, forward};

/// No operator but the junctions has more arguments.
const MAX_ARGS: usize = 3;

impl Propagation<'_> {
    pub(super) fn operation(&mut self, node: Node, op: Op, args: &[Node]) -> Result<(), Conflict> {
        let count = args.len();
        if count == 0 || count > MAX_ARGS {
            return Ok(());
        }
        // No rule has more reasons than the term and its arguments.
        let mut why = [Reason::Event(NONE); MAX_ARGS];
        for (reason, arg) in why.iter_mut().zip(args) {
            *reason = self.event(*arg);
        }
        if args.iter().all(|arg| self.fact(*arg).is_constant()) {
            let values: Option<Vec<_>> = args.iter().map(|arg| self.fact(*arg).value()).collect();
            let Some(values) = values else { return Ok(()) };
            let value = term::apply(op, &values.iter().collect::<Vec<_>>());
            return self.learn(node, Fact::constant(&value), &why, false);
        }
        if let [a, b] = *args
            && self.equalities.same(a, b)
        {
            self.same_arguments(node, op, a, b)?;
        }
        let sort = self.terms.sort(self.graph.terms[node as usize]);
        let said = forward(op, &self.arguments(args)[..count], sort);
        self.say(node, said, &why)?;
        for (at, arg) in args.iter().enumerate() {
            if self.fact(*arg).is_constant() {
                continue;
            }
            let said = backward(op, self.fact(node), &self.arguments(args)[..count], at);
            if matches!(said, Said::Nothing) {
                continue;
            }
            // The fact about the term takes the place of the fact about the argument.
            for (reason, other) in why.iter_mut().zip(args) {
                *reason = self.event(*other);
            }
            why[at] = self.event(node);
            self.say(*arg, said, &why)?;
        }
        Ok(())
    }

    fn arguments(&self, args: &[Node]) -> [&Fact; MAX_ARGS] {
        let first = args[0];
        std::array::from_fn(|at| self.fact(*args.get(at).unwrap_or(&first)))
    }

    /// Comparisons of equal terms.
    fn same_arguments(&mut self, node: Node, op: Op, a: Node, b: Node) -> Result<(), Conflict> {
        let truth = match op {
            Op::BvUlt | Op::BvSlt | Op::Lt | Op::BvSsubOverflow => false,
            Op::BvUle | Op::BvSle | Op::Le => true,
            _ => return Ok(()),
        };
        self.learn(node, Fact::Bool(Some(truth)), &[Reason::Equal(a, b)], false)
    }

    fn say(&mut self, node: Node, said: Said, why: &[Reason]) -> Result<(), Conflict> {
        match said {
            Said::Nothing => Ok(()),
            Said::Fact(fact) => self.learn(node, fact, why, false),
            Said::Impossible => Err(Conflict(why.to_vec())),
        }
    }
}
