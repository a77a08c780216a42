//! Rules for Boolean structure, choice and equality.

use term::Op;

use super::fact::Fact;
use super::graph::Node;
use super::propagate::{Conflict, Propagation};
use super::reason::Reason;

fn known(truth: bool) -> Fact {
    Fact::Bool(Some(truth))
}

impl Propagation<'_> {
    pub(super) fn not(&mut self, node: Node, arg: Node) -> Result<(), Conflict> {
        if let Some(truth) = self.truth(arg) {
            self.learn(node, known(!truth), &[self.event(arg)], false)?;
        }
        if let Some(truth) = self.truth(node) {
            self.learn(arg, known(!truth), &[self.event(node)], false)?;
        }
        Ok(())
    }

    /// A conjunction (`neutral` is true) or disjunction.
    pub(super) fn junction(&mut self, node: Node, neutral: bool) -> Result<(), Conflict> {
        let args = self.graph.args(node);
        self.steps = self.steps.saturating_sub(args.len() / 8);
        if self.truth(node) == Some(neutral) {
            let why = [self.event(node)];
            for arg in args {
                self.learn(*arg, known(neutral), &why, false)?;
            }
            return Ok(());
        }
        if let Some(arg) = args.iter().find(|arg| self.truth(**arg) == Some(!neutral)) {
            return self.learn(node, known(!neutral), &[self.event(*arg)], false);
        }
        let last = match self.undecided[node as usize] {
            0 => None,
            1 if self.truth(node).is_some() => args.iter().find(|arg| self.truth(**arg).is_none()),
            _ => return Ok(()),
        };
        let mut why: Vec<Reason> =
            args.iter().filter(|arg| Some(*arg) != last).map(|arg| self.event(*arg)).collect();
        match last {
            None => self.learn(node, known(neutral), &why, false),
            Some(last) => {
                why.push(self.event(node));
                self.learn(*last, known(!neutral), &why, false)
            }
        }
    }

    pub(super) fn choice(&mut self, node: Node, args: &[Node]) -> Result<(), Conflict> {
        let &[condition, then, other] = args else { return Ok(()) };
        if let Some(truth) = self.truth(condition) {
            let arm = if truth { then } else { other };
            self.equal(node, arm, self.last[condition as usize]);
            let (fact, why) = (self.fact(arm).clone(), [self.event(condition), self.event(arm)]);
            self.learn(node, fact, &why, false)?;
            let (fact, why) = (self.fact(node).clone(), [self.event(condition), self.event(node)]);
            return self.learn(arm, fact, &why, false);
        }
        let fact = self.fact(then).join(self.fact(other));
        let why = [self.event(then), self.event(other)];
        self.learn(node, fact, &why, false)?;
        for (arm, truth) in [(then, false), (other, true)] {
            if self.fact(arm).meet(self.fact(node)).is_none() {
                let why = [self.event(arm), self.event(node)];
                self.learn(condition, known(truth), &why, false)?;
            }
        }
        Ok(())
    }

    pub(super) fn equation(&mut self, node: Node, a: Node, b: Node) -> Result<(), Conflict> {
        if self.truth(node) == Some(true) {
            self.equal(a, b, self.last[node as usize]);
            for (from, to) in [(a, b), (b, a)] {
                let (fact, why) = (self.fact(from).clone(), [self.event(node), self.event(from)]);
                self.learn(to, fact, &why, false)?;
            }
            return Ok(());
        }
        if self.equalities.same(a, b) {
            return self.learn(node, known(true), &[Reason::Equal(a, b)], false);
        }
        let why = [self.event(a), self.event(b)];
        match (self.fact(a).value(), self.fact(b).value()) {
            (Some(x), Some(y)) => {
                let equal = term::apply(Op::Eq, &[&x, &y]).as_bool() == Some(true);
                return self.learn(node, known(equal), &why, false);
            }
            _ if self.fact(a).meet(self.fact(b)).is_none() => {
                return self.learn(node, known(false), &why, false);
            }
            _ => {}
        }
        if self.truth(node) == Some(false) {
            for (constant, arg) in [(a, b), (b, a)] {
                let Some(value) = self.fact(constant).value() else { continue };
                let mut why = vec![self.event(node), self.event(constant)];
                match self.fact(arg).without(&value) {
                    Some(fact) => self.learn(arg, fact, &why, true)?,
                    None => {
                        why.push(self.event(arg));
                        return Err(Conflict(why));
                    }
                }
            }
        }
        Ok(())
    }
}
