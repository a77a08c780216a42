//! The meaning of names that a C text declares in blocks, among parameters and in heads of loops.

use std::collections::BTreeMap;

use base::Span;

/// Where each name of a block has its meaning: a side table that the front end writes from its tree.
#[derive(Clone, Default, Debug)]
pub struct BlockNames {
    declarations: BTreeMap<Box<str>, Vec<BlockName>>,
}

/// A declaration in a block, with the stretch of text in which it gives its name a meaning, unless a declaration
/// further inside gives the name another meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockName {
    /// Where the declared name stands.
    pub declared: Span,
    /// Where the stretch starts, in the same file: behind the name, or at the loop in whose head it
    /// is declared.
    pub from: u32,
    /// Where the stretch ends.
    pub until: u32,
}

/// What a name means at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// No block around the place declares the name. If the name means anything there, it is declared
    /// outside of all functions.
    OutsideBlocks,
    /// The name means the variable, function, type or enumerator that is declared at this place.
    Declared(Span),
    /// A macro makes both the place and a declaration of the name.
    Unclear,
}

impl BlockNames {
    /// Takes in a declaration.
    pub fn add(&mut self, name: &str, declaration: BlockName) {
        match self.declarations.get_mut(name) {
            Some(known) => known.push(declaration),
            None => drop(self.declarations.insert(name.into(), vec![declaration])),
        }
    }

    /// What a name means where a statement starts; for a loop, inside of its head.
    #[must_use]
    pub fn meaning(&self, name: &str, statement: Span) -> Meaning {
        let at = statement.start;
        let known = self.declarations.get(name).map_or(&[][..], Vec::as_slice);
        let here = |each: &&BlockName| each.declared.file == statement.file;
        let mut around: Option<BlockName> = None;
        for each in known.iter().filter(here) {
            if each.declared.start <= at && at < each.declared.end {
                return Meaning::Unclear;
            }
            // Blocks lie within each other, so the stretch that starts last is the innermost one.
            let is_around = each.from <= at && at < each.until;
            if is_around && around.is_none_or(|outer| outer.from <= each.from) {
                around = Some(*each);
            }
        }
        around.map_or(Meaning::OutsideBlocks, |inner| Meaning::Declared(inner.declared))
    }

    /// Whether the thing that a block declares at a place exists where a statement starts, even if its name is hidden
    /// there. The answer is yes, too, if the place has no such declaration, or if the statement is in another file.
    #[must_use]
    pub fn exists(&self, name: &str, declared: Span, statement: Span) -> bool {
        let at = statement.start;
        let known = self.declarations.get(name).map_or(&[][..], Vec::as_slice);
        let mut here = known.iter().filter(|each| each.declared == declared).peekable();
        let is_known = here.peek().is_some() && declared.file == statement.file;
        let is_around = |each: &BlockName| {
            each.from <= at && at < each.until || declared.start <= at && at < declared.end
        };
        !is_known || here.any(is_around)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_stretch_gives_the_meaning() {
        let mut sources = base::SourceMap::new();
        let file = sources
            .add("a.c", &b"int f(int x) { int y; { int x; g(); } h(); }"[..])
            .expect("a short file");
        let span = |start, end| Span::new(file, start, end);
        let mut names = BlockNames::default();
        names.add("x", BlockName { declared: span(10, 11), from: 11, until: 44 });
        names.add("x", BlockName { declared: span(28, 29), from: 29, until: 37 });
        assert_eq!(names.meaning("x", span(31, 35)), Meaning::Declared(span(28, 29)));
        assert_eq!(names.meaning("x", span(38, 42)), Meaning::Declared(span(10, 11)));
        assert_eq!(names.meaning("x", span(0, 3)), Meaning::OutsideBlocks);
        assert_eq!(names.meaning("y", span(38, 42)), Meaning::OutsideBlocks);
        assert_eq!(names.meaning("x", span(28, 29)), Meaning::Unclear);
    }

    #[test]
    fn what_is_hidden_exists() {
        let mut sources = base::SourceMap::new();
        let text = &b"int f(int x) { int y; { int x; g(); } h(); }"[..];
        let [file, other] =
            ["a.c", "b.c"].map(|name| sources.add(name, text).expect("a short file"));
        let span = |start, end| Span::new(file, start, end);
        let mut names = BlockNames::default();
        let (outer, inner) = (span(10, 11), span(28, 29));
        names.add("x", BlockName { declared: outer, from: 11, until: 44 });
        names.add("x", BlockName { declared: inner, from: 29, until: 37 });
        for (place, has_outer, has_inner) in [
            (span(31, 35), true, true),
            (span(38, 42), true, false),
            (span(28, 29), true, true),
            (span(0, 3), false, false),
            (Span::new(other, 0, 3), true, true),
        ] {
            assert_eq!(names.exists("x", outer, place), has_outer, "{place:?}");
            assert_eq!(names.exists("x", inner, place), has_inner, "{place:?}");
        }
        assert!(names.exists("y", span(19, 20), span(0, 3)), "nothing is known of it");
    }
}
