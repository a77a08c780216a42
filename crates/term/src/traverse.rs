//! Walks over terms, without recursion: terms may be deeper than the stack.

use rustc_hash::FxHashMap;

use crate::table::{TermId, Terms, Var, View};

impl Terms {
    /// Every subterm of the roots once, arguments before the terms that they are in.
    #[must_use]
    pub fn post_order(&self, roots: &[TermId]) -> Vec<TermId> {
        let mut order = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack: Vec<(TermId, bool)> = Vec::new();
        for root in roots.iter().rev() {
            stack.push((*root, false));
        }
        while let Some((term, done)) = stack.pop() {
            if done {
                order.push(term);
                continue;
            }
            if !seen.insert(term) {
                continue;
            }
            match self.view(term) {
                View::App(_, args) => {
                    stack.push((term, true));
                    stack.extend(
                        args.iter()
                            .rev()
                            .filter(|arg| !seen.contains(*arg))
                            .map(|arg| (*arg, false)),
                    );
                }
                _ => order.push(term),
            }
        }
        order
    }

    /// The symbols in a term, sorted and distinct.
    #[must_use]
    pub fn vars(&self, t: TermId) -> Vec<Var> {
        let order = self.post_order(&[t]);
        let vars = order.iter().filter_map(|term| match self.view(*term) {
            View::Var(v) => Some(v),
            _ => None,
        });
        let mut vars: Vec<Var> = vars.collect();
        vars.sort_unstable();
        vars
    }

    /// The term, simplified, with each symbol replaced for which `map` gives a term of the same sort. All replacements
    /// happen at once: symbols of the terms that `map` gives are not replaced again.
    ///
    /// # Panics
    /// If `map` gives a term of another sort.
    pub fn substitute(&mut self, t: TermId, map: &mut dyn FnMut(Var) -> Option<TermId>) -> TermId {
        let order = self.post_order(&[t]);
        let mut images: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut new_args = Vec::new();
        for term in order {
            let image = match self.view(term) {
                View::Const(_) => term,
                View::Var(v) => match map(v) {
                    Some(image) => {
                        assert_eq!(
                            self.sort(image),
                            self.var_sort(v),
                            "a replacement of the same sort"
                        );
                        image
                    }
                    None => term,
                },
                View::App(op, args) => {
                    new_args.clear();
                    new_args.extend(args.iter().map(|arg| images[arg]));
                    if new_args == args { term } else { self.app(op, &new_args) }
                }
            };
            images.insert(term, image);
        }
        images[&t]
    }
}
