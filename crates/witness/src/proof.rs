//! Whether the invariants of a correctness witness hold, and the property with them.

use std::collections::BTreeMap;

use base::FileId;
use cfa::{Check, LocId, Op};
use frontend::SignedOverflow;
use verify::Verdict;

use crate::expression::{self, Macros};
use crate::model::{Invariant, NodePlace};
use crate::sites::Site;
use crate::validate::{Lookup, MOST, Stopped, Task, Validation};
use crate::weave::Pieces;
use crate::woven::Product;

/// An invariant with the places where it is evaluated.
#[derive(Clone)]
struct Placed<'a> {
    invariant: &'a Invariant,
    file: FileId,
    sites: Vec<Site>,
    /// The number of the function that it must be in, if the text does not show that.
    inside: Option<usize>,
}

impl Task<'_> {
    /// Proves the invariants and the property. An invariant of a node that is no head of a loop is left aside if it has no place
    /// in the text, or cannot be evaluated there.
    pub(crate) fn proof(&self, list: &[Invariant]) -> Result<Validation, Stopped> {
        if list.len() > MOST {
            return Err(Stopped::Not("the witness is too long".to_owned()));
        }
        let lookup = self.lookup();
        let macros = self.macros();
        let (mut placed, mut aside) = (Vec::new(), self.witness.left_out);
        for invariant in list {
            match self.sites_of(invariant, &lookup, &macros) {
                Ok(Some(found)) => placed.push(found),
                Ok(None) => aside += 1,
                Err(_) if invariant.is_elsewhere() => aside += 1,
                Err(why) => return Err(why),
            }
        }
        let (product, used) = match self.product(&placed, &lookup) {
            Err(_) if placed.iter().any(|found| found.invariant.is_elsewhere()) => {
                let fit = self.fitting(&placed, &lookup);
                aside += placed.len() - fit.len();
                (self.product(&fit, &lookup)?, fit)
            }
            product => (product?, placed),
        };
        let used: Vec<&Invariant> = used.iter().map(|found| found.invariant).collect();
        self.find_functions(&product, &used)?;
        let outcome = verify::verify(&product.program, self.config, self.solver);
        Ok(match &outcome.verdict {
            Verdict::Safe(_) => self.proved(&product, used.len(), aside),
            Verdict::Unsafe(found) => Validation::Not(self.violated(&product, found.error, &used)),
            Verdict::Unknown(why) => Validation::Not(why.name().to_owned()),
        })
    }

    /// The invariants without those that are elsewhere than at a loop and with which the program cannot be read.
    fn fitting<'i>(&self, placed: &[Placed<'i>], lookup: &Lookup<'_>) -> Vec<Placed<'i>> {
        let fits = |found: &&Placed<'_>| {
            let one = std::slice::from_ref(*found);
            !found.invariant.is_elsewhere() || self.product(one, lookup).is_ok()
        };
        placed.iter().filter(fits).cloned().collect()
    }

    /// Where an invariant is evaluated; nothing if the invariant is one of a node that has no place in the text.
    fn sites_of<'i>(
        &self,
        invariant: &'i Invariant,
        lookup: &Lookup<'_>,
        macros: &Macros,
    ) -> Result<Option<Placed<'i>>, Stopped> {
        let place = &invariant.place;
        let file = lookup.places.find(place).map_err(Stopped::Wrong)?;
        self.check(&invariant.expression, place, macros)?;
        let text = &lookup.texts[&file];
        let of_loop = || text.loop_head(place).into_iter().collect::<Vec<Site>>();
        let (sites, what) = match (invariant.of_loop, invariant.node) {
            (true, None) => (of_loop(), "loop"),
            // Some tools mark nodes as heads of loops at which the text has no loop. Then the node is before the
            // statement of the edge that leaves the node.
            (true, Some(NodePlace::Left)) if of_loop().is_empty() => (text.passed(place), "loop"),
            (true, Some(_)) => (of_loop(), "loop"),
            (false, _) => (text.passed(place), "statement"),
        };
        if sites.is_empty() {
            return match invariant.node {
                Some(_) => Ok(None),
                None => Err(Stopped::Not(format!("there is no {what} at {}", self.shown(place)))),
            };
        }
        let inside = self.inside(place, text, lookup);
        Ok(Some(Placed { invariant, file, sites, inside }))
    }

    /// The program with invariants at their places.
    fn product(&self, placed: &[Placed<'_>], lookup: &Lookup<'_>) -> Result<Product, Stopped> {
        let mut pieces: BTreeMap<FileId, Pieces> = BTreeMap::new();
        let mut are_total = true;
        for (number, Placed { invariant, file, sites, inside }) in placed.iter().enumerate() {
            let is_total = self.options.signed_overflow == SignedOverflow::Wrap
                && expression::is_total(&invariant.expression);
            are_total &= is_total;
            let own = pieces.entry(*file).or_default();
            for site in sites {
                own.invariant(number, *site, invariant, is_total, *inside);
            }
        }
        let mut options = self.options.clone();
        if !are_total {
            // An invariant that cannot be evaluated does not hold.
            options.checks = options.checks.with(Check::Deref).with(Check::Div);
        }
        let mut product = self.load(pieces, placed.len(), &options, lookup)?;
        product.only_own_faults(self.options.checks());
        Ok(product)
    }

    /// An error if a function that an invariant names is not at the place of the invariant: such an invariant would
    /// hold because no execution gets there.
    fn find_functions(&self, product: &Product, list: &[&Invariant]) -> Result<(), Stopped> {
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

    fn proved(&self, product: &Product, held: usize, aside: usize) -> Validation {
        let heap = |op: &Op| matches!(op, Op::Alloc { kind: cfa::AllocKind::Heap, .. });
        let allocates = product.program.cfa.edges.iter().any(|edge| edge.ops.iter().any(heap));
        match self.subject.property.open_part() {
            Some(part) if allocates && !cfa::always_ends(self.program) => {
                Validation::Not(format!("{part} is not decided for executions that never end"))
            }
            _ => Validation::Proof { held, aside },
        }
    }

    /// What is violated where an error is reached.
    fn violated(&self, product: &Product, error: LocId, list: &[&Invariant]) -> String {
        if let Some(invariant) = product.wrong.get(&error).and_then(|number| list.get(*number)) {
            let shown = self.shown(&invariant.place);
            let which = match invariant.is_elsewhere() {
                true => ", where no loop begins,",
                false => "",
            };
            let said = &invariant.expression;
            return format!("the invariant `{said}` at {shown}{which} does not hold");
        }
        let span = product.program.cfa.locations[error].span;
        if let Some(part) = span.and_then(|span| product.part(span))
            && let Some(first) = list.iter().find(|invariant| invariant.place.span == part)
        {
            // Several invariants may stand at one place. The message is not about invariants that can be evaluated in
            // every state.
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
