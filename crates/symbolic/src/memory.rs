//! Memory: which objects there are, and what they hold.

use std::rc::Rc;

use base::Id as _;
use term::{TermId, Terms};

use crate::contents::{Access, Contents};
use crate::ids::ObjectIndex;
use crate::named::Named;

/// The objects of a state. Copies share what they have in common.
#[derive(Clone, Default)]
pub(crate) struct Memory {
    /// By index; `None` where an object has not begun on any way to the state.
    objects: Rc<Vec<Option<Rc<Object>>>>,
}

#[derive(Clone)]
pub(crate) struct Object {
    /// The condition that the object has begun and not ended.
    pub(crate) alive: TermId,
    pub(crate) contents: Contents,
}

impl Memory {
    /// Whether an object has begun and not ended, as a term; `None` if it has not begun.
    pub(crate) fn alive(&self, object: ObjectIndex) -> Option<TermId> {
        self.get(object).map(|object| object.alive)
    }

    fn get(&self, object: ObjectIndex) -> Option<&Rc<Object>> {
        self.objects.get(object.index()).and_then(Option::as_ref)
    }

    /// The objects that have begun on some way to the state.
    pub(crate) fn begun(&self) -> impl Iterator<Item = (ObjectIndex, &Object)> {
        let numbered = self.objects.iter().enumerate();
        numbered.filter_map(|(index, object)| {
            object.as_deref().map(|object| (ObjectIndex::from_index(index), object))
        })
    }

    pub(crate) fn begin(&mut self, object: ObjectIndex, alive: TermId, contents: Contents) {
        let objects = Rc::make_mut(&mut self.objects);
        if objects.len() <= object.index() {
            objects.resize(object.index() + 1, None);
        }
        objects[object.index()] = Some(Rc::new(Object { alive, contents }));
    }

    /// Changes an object that has begun.
    pub(crate) fn change<T>(
        &mut self,
        object: ObjectIndex,
        change: impl FnOnce(&mut Object) -> T,
    ) -> Option<T> {
        let objects = Rc::make_mut(&mut self.objects);
        let object = objects.get_mut(object.index())?.as_mut()?;
        Some(change(Rc::make_mut(object)))
    }

    /// The objects of another memory whose contents are different in this one, and the objects whose life is different.
    pub(crate) fn changes(&self, before: &Memory) -> (Vec<ObjectIndex>, Vec<ObjectIndex>) {
        let (mut contents, mut lives) = (Vec::new(), Vec::new());
        if Rc::ptr_eq(&self.objects, &before.objects) {
            return (contents, lives);
        }
        for (object, old) in before.begun() {
            let Some(new) = self.get(object) else { continue };
            if new.alive != old.alive {
                lives.push(object);
            }
            if new.contents != old.contents {
                contents.push(object);
            }
        }
        (contents, lives)
    }

    /// Replaces the values that differ from those in another memory by what `name` gives for them.
    pub(crate) fn name_changes(
        &mut self,
        before: &Memory,
        terms: &mut Terms,
        name: &mut dyn FnMut(&mut Terms, TermId, Named) -> TermId,
    ) {
        if Rc::ptr_eq(&self.objects, &before.objects) {
            return;
        }
        let objects = Rc::make_mut(&mut self.objects);
        for (index, mine) in objects.iter_mut().enumerate() {
            let Some(mine) = mine else { continue };
            let old = before.objects.get(index).and_then(Option::as_ref);
            if old.is_some_and(|old| Rc::ptr_eq(old, mine)) {
                continue;
            }
            let object = ObjectIndex::from_index(index);
            let old = old.map(|old| &old.contents);
            Rc::make_mut(mine).contents.name_changes(old, object, terms, name);
        }
    }

    /// The memory that is this one where the condition holds, and another where it does not.
    pub(crate) fn merge(&mut self, access: &mut Access<'_>, condition: TermId, other: &Memory) {
        if Rc::ptr_eq(&self.objects, &other.objects) {
            return;
        }
        let no = access.terms.bool(false);
        let count = self.objects.len().max(other.objects.len());
        let objects = Rc::make_mut(&mut self.objects);
        objects.resize(count, None);
        for (index, mine) in objects.iter_mut().enumerate() {
            let theirs = other.objects.get(index).and_then(Option::as_ref);
            let merged = match (mine.as_ref(), theirs) {
                (Some(a), Some(b)) if Rc::ptr_eq(a, b) => continue,
                (None, None) => continue,
                (Some(a), Some(b)) => {
                    let alive = access.terms.ite(condition, a.alive, b.alive);
                    let id = ObjectIndex::from_index(index);
                    let contents = a.contents.clone();
                    let contents = contents.merge(access, id, condition, b.contents.clone());
                    Object { alive, contents }
                }
                (Some(a), None) => {
                    let alive = access.terms.ite(condition, a.alive, no);
                    Object { alive, contents: a.contents.clone() }
                }
                (None, Some(b)) => {
                    let alive = access.terms.ite(condition, no, b.alive);
                    Object { alive, contents: b.contents.clone() }
                }
            };
            *mine = Some(Rc::new(merged));
        }
    }
}
