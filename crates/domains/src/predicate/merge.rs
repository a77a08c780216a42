//! Merging points of one block: two ways through it become one formula.

use std::collections::BTreeSet;
use std::rc::Rc;

use symbolic::Guard;

use crate::predicate::block::{How, Point, PointId};
use crate::predicate::symbols::VarPlace;
use crate::predicate::values::Values;
use crate::predicate::work::Work;
use crate::predicate::{Predicates, State};

impl Predicates<'_> {
    /// Whether two states of one place can be merged.
    pub(crate) fn can_meet(&self, a: State, b: State) -> bool {
        self.can_merge(a.0, b.0)
    }

    /// The state that stands for two states.
    pub(crate) fn meet(&mut self, a: State, b: State) -> State {
        State(self.merge_points(a.0, b.0))
    }

    /// Whether two points at one place are ways through one block.
    fn can_merge(&self, a: PointId, b: PointId) -> bool {
        let (first, second) = (&self.graph.points[a], &self.graph.points[b]);
        a != b
            && first.block == second.block
            && first.low == second.low
            && first.how != How::Start
            && second.how != How::Start
    }

    /// The point that stands for two points. Ways through a block exclude each other: where conditions do not say which
    /// edge is taken, symbols do.
    fn merge_points(&mut self, a: PointId, b: PointId) -> PointId {
        let (first, second) = (self.graph.points[a].clone(), self.graph.points[b].clone());
        let key = (first.key(), second.key());
        let (guard, values) = match self.graph.memo.merged.get(&key) {
            Some(known) => known.clone(),
            None => {
                let merged = self.either(&first, &second);
                self.graph.memo.merged.insert(key, merged.clone());
                merged
            }
        };
        let how = How::Merged(a, b);
        let Point { block, stack, low, .. } = first;
        let merged = self.graph.add(Point { block, stack, low, guard, values, how });
        self.graph.merged[a] = Some(merged);
        self.graph.merged[b] = Some(merged);
        merged
    }

    /// The guard and the values of two points together.
    fn either(&mut self, first: &Point, second: &Point) -> (Guard, Rc<Values>) {
        let (terms, guards) = (&mut self.terms, &mut self.graph.guards);
        let common = guards.common(first.guard, second.guard);
        let only_a = terms.and(&guards.beyond(first.guard, common));
        let only_b = terms.and(&guards.beyond(second.guard, common));
        let either = terms.or2(only_a, only_b);
        // Both guards can hold, so their disjunction can hold, too.
        let guard = guards.extend(terms, common, either).unwrap_or(common);
        let mut values = Rc::clone(&first.values);
        if !Rc::ptr_eq(&values, &second.values) {
            let (one, other) = (Work::at(first), Work::at(second));
            let places: BTreeSet<VarPlace> =
                one.values.iter().chain(other.values.iter()).map(|(place, _)| place).collect();
            let merged = Rc::make_mut(&mut values);
            for place in places {
                let (a, b) = (self.read(&one, place), self.read(&other, place));
                if a != b {
                    merged.set(place, self.terms.ite(only_a, a, b));
                }
            }
        }
        (guard, values)
    }
}
