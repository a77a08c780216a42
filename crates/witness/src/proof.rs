//! Whether the invariants of a correctness witness hold, and the property with them.

use std::collections::BTreeMap;

use base::FileId;
use cfa::{Check, LocId, Op};
use frontend::SignedOverflow;
use verify::Verdict;

use crate::expression;
use crate::model::Invariant;
use crate::validate::{MOST, Stopped, Task, Validation};
use crate::weave::Pieces;
use crate::woven::Product;

impl Task<'_> {
    /// Proves the invariants and the property.
    pub(crate) fn proof(&self, list: &[Invariant]) -> Result<Validation, Stopped> {
        if list.len() > MOST {
            return Err(Stopped::Not("the witness is too long".to_owned()));
        }
        let lookup = self.lookup();
        let macros = self.macros();
        let mut pieces: BTreeMap<FileId, Pieces> = BTreeMap::new();
        let mut are_total = true;
        for (number, invariant) in list.iter().enumerate() {
            let place = &invariant.place;
            let file = lookup.places.find(place).map_err(Stopped::Wrong)?;
            self.check(&invariant.expression, place, &macros)?;
            let text = &lookup.texts[&file];
            let (sites, what) = match invariant.of_loop {
                true => (text.loop_head(place).into_iter().collect(), "loop"),
                false => (text.passed(place), "statement"),
            };
            if sites.is_empty() {
                return Err(Stopped::Not(format!("there is no {what} at {}", self.shown(place))));
            }
            let is_total = self.options.signed_overflow == SignedOverflow::Wrap
                && expression::is_total(&invariant.expression);
            are_total &= is_total;
            let inside = self.inside(place, text, &lookup);
            let own = pieces.entry(file).or_default();
            for site in sites {
                own.invariant(number, site, invariant, is_total, inside);
            }
        }
        let mut options = self.options.clone();
        if !are_total {
            // An invariant that cannot be evaluated does not hold.
            options.checks = options.checks.with(Check::Deref).with(Check::Div);
        }
        let mut product = self.load(pieces, list.len(), &options, &lookup)?;
        product.only_own_faults(self.options.checks());
        self.find_functions(&product, list)?;
        let outcome = verify::verify(&product.program, self.config, self.solver);
        Ok(match &outcome.verdict {
            Verdict::Safe(_) => self.proved(&product, list.len()),
            Verdict::Unsafe(found) => Validation::Not(self.violated(&product, found.error, list)),
            Verdict::Unknown(why) => Validation::Not(why.name().to_owned()),
        })
    }

    /// Sees to it that no invariant is about a function that is not at its place: it would hold because nobody gets there.
    fn find_functions(&self, product: &Product, list: &[Invariant]) -> Result<(), Stopped> {
        for Invariant { place, .. } in list {
            if let (Some((name, _)), Some(false)) =
                (&place.function, product.inside.get(&place.span))
            {
                let shown = self.shown(place);
                return Err(Stopped::Not(format!("{shown} is not in the function `{name}`")));
            }
        }
        Ok(())
    }

    fn proved(&self, product: &Product, count: usize) -> Validation {
        let heap = |op: &Op| matches!(op, Op::Alloc { kind: cfa::AllocKind::Heap, .. });
        let allocates = product.program.cfa.edges.iter().any(|edge| edge.ops.iter().any(heap));
        match self.subject.property.open_part() {
            Some(part) if allocates && !cfa::always_ends(self.program) => {
                Validation::Not(format!("{part} is not decided for executions that never end"))
            }
            _ => match self.witness.left_out {
                0 => Validation::Proof(count),
                1 => Validation::Not(
                    "1 invariant is at no head of a loop, and not proved".to_owned(),
                ),
                more => Validation::Not(format!(
                    "{more} invariants are at no head of a loop, and not proved"
                )),
            },
        }
    }

    /// What is violated where an error is reached.
    fn violated(&self, product: &Product, error: LocId, list: &[Invariant]) -> String {
        if let Some(invariant) = product.wrong.get(&error).and_then(|number| list.get(*number)) {
            let shown = self.shown(&invariant.place);
            return format!("the invariant `{}` at {shown} does not hold", invariant.expression);
        }
        let span = product.program.cfa.locations[error].span;
        if let Some(part) = span.and_then(|span| product.part(span))
            && let Some(first) = list.iter().find(|invariant| invariant.place.span == part)
        {
            // Several may stand at one place; those that every state can evaluate are not meant.
            let shown = self.shown(&first.place);
            let here = list.iter().filter(|each| {
                self.shown(&each.place) == shown && !expression::is_total(&each.expression)
            });
            let texts: Vec<String> = here.map(|each| format!("`{}`", each.expression)).collect();
            let what = match &texts[..] {
                [] => format!("the invariant `{}`", first.expression),
                [one] => format!("the invariant {one}"),
                several => format!("one of the invariants {}", several.join(", ")),
            };
            return format!("{what} at {shown} cannot be evaluated");
        }
        match span.and_then(|span| product.original(span, &self.places())) {
            Some((file, offset)) => {
                let sources = &self.program.sources;
                let line = sources.position_at(file, offset).line;
                format!("the program violates its property at {}:{line}", sources.name(file))
            }
            None => "the program violates its property".to_owned(),
        }
    }
}
