//! Whether an execution along a violation witness violates the property.

use std::collections::BTreeMap;

use base::{FileId, SourceMap, Span};
use cfa::{Cfa, Choice, FuncId, LocId, Op, Program};
use interp::{Drawn, Ending, Observer};
use verify::{Unknown, Verdict};

use crate::expression::Macros;
use crate::follow;
use crate::model::{Automaton, Event, Outcome, Place, SINK, Step};
use crate::sites::{Site, Text};
use crate::validate::{MOST, Stopped, Task, Validation};
use crate::weave::{GUESS, Pieces, Placed};
use crate::woven::Product;

impl Task<'_> {
    /// Looks for an execution along an automaton, if need be without its details.
    pub(crate) fn violation(&self, automaton: &Automaton) -> Result<Validation, Stopped> {
        let is_detail = |step: &Step| matches!(step.event, Event::After(_) | Event::Body(_));
        // Where reading what was not set is an error, a condition about such a variable would be one itself.
        let checked = match self.subject.checks.has(cfa::Check::Uninitialised) {
            true => without_details(automaton, |step| matches!(step.event, Event::Before(_))),
            false => automaton.clone(),
        };
        let automaton = &checked;
        let placed = self.placed(automaton, is_detail);
        let first = self.along(&placed, placed.steps.len() < automaton.steps.len());
        let has_details = automaton.loose && automaton.steps.iter().any(is_detail);
        let has_more = automaton.steps.iter().any(|step| !is_detail(step));
        match first {
            Ok(Validation::Not(_)) | Err(_) if has_details && has_more => {
                let second = self.along(&without_details(automaton, is_detail), true);
                match second {
                    // What keeps the second attempt from its end is more than a detail.
                    Ok(second @ Validation::Violation { .. }) => Ok(second),
                    second if first.is_err() => second,
                    _ => first,
                }
            }
            first => first,
        }
    }

    /// The automaton without details that have no place in the text, if it is one of which details may be left aside.
    fn placed(&self, automaton: &Automaton, is_detail: impl Fn(&Step) -> bool) -> Automaton {
        if !automaton.loose || automaton.steps.len() > MOST {
            return automaton.clone();
        }
        let (places, texts, macros) = (self.places(), self.texts(), self.macros());
        without_details(automaton, |step| {
            let file = places.find(&step.place);
            let has_site = |file: FileId| self.sites(step, &texts[&file], &macros).is_ok();
            is_detail(step) && !file.is_ok_and(has_site)
        })
    }

    /// Looks for an execution along an automaton.
    fn along(&self, automaton: &Automaton, loosely: bool) -> Result<Validation, Stopped> {
        if automaton.steps.len() > MOST {
            return Err(Stopped::Not("the witness is too long".to_owned()));
        }
        let (places, texts, macros) = (self.places(), self.texts(), self.macros());
        let mut placed: BTreeMap<FileId, Placed<'_>> = BTreeMap::new();
        for step in &automaton.steps {
            let file = places.find(&step.place).map_err(Stopped::Wrong)?;
            let sites = self.sites(step, &texts[&file], &macros)?;
            let is_any = sites.len() > 1;
            for site in sites {
                placed.entry(file).or_default().entry(site).or_default().push((step, is_any));
            }
        }
        let mut pieces: BTreeMap<FileId, Pieces> = BTreeMap::new();
        for (file, placed) in &placed {
            let own = pieces.entry(*file).or_default();
            for (site, steps) in placed {
                own.steps(*site, steps, self.program.sources.text(*file));
            }
        }
        let mut product = self.load(pieces, 0)?;
        let meant = |product: &Product, error: LocId| {
            let line = |span| product.line(span, &self.program.sources, &places);
            self.is_meant(&product.program.cfa, error, automaton, line)
        };
        product.guard(automaton.last, meant).map_err(Stopped::Not)?;
        if product.program.cfa.errors().next().is_none() {
            return Ok(Validation::Not("no error is where the witness has it".to_owned()));
        }
        if let Some(drawn) = follow::along(&product, automaton, self.config)
            && let followed @ Validation::Violation { .. } =
                self.replayed(&product, &drawn, automaton, loosely)
        {
            return Ok(followed);
        }
        let outcome = verify::verify(&product.program, self.config, self.solver);
        Ok(match &outcome.verdict {
            Verdict::Unsafe(found) => self.replayed(&product, &found.drawn, automaton, loosely),
            Verdict::Safe(_) => {
                Validation::Not("no execution along the witness reaches the error".to_owned())
            }
            Verdict::Unknown(why) => Validation::Not(why.name().to_owned()),
        })
    }

    /// Where a step is in the text.
    fn sites(&self, step: &Step, text: &Text<'_>, macros: &Macros) -> Result<Vec<Site>, Stopped> {
        let none = |what: &str| {
            Err(Stopped::Not(format!("there is no {what} at {}", self.shown(&step.place))))
        };
        let place = &step.place;
        match &step.event {
            Event::Before(said) => {
                self.check(said, place, macros)?;
                text.statement(place).map_or_else(|| none("statement"), |site| Ok(vec![site]))
            }
            Event::After(said) => {
                self.check(said, place, macros)?;
                text.after(place).map_or_else(|| none("statement"), |site| Ok(vec![site]))
            }
            Event::Returned(function, said) => {
                self.check(&said.replace("\\result", "__proviso_r"), place, macros)?;
                let function = function.as_deref();
                let mut calls = text.calls(place, function);
                // A line may have calls of both kinds.
                if calls.is_empty() || place.column.is_none_or(|column| column == 0) {
                    calls.extend(text.uses(place, |name| {
                        let called = macros.get(name).and_then(Option::as_deref);
                        called.is_some_and(|name| function.is_none_or(|one| one == name))
                    }));
                }
                let calls = calls.into_iter();
                let sites: Vec<Site> = calls.map(|(start, end)| Site::Result(start, end)).collect();
                if sites.is_empty() { none("such call") } else { Ok(sites) }
            }
            Event::Branch(outcome, more) => {
                if let Some(more) = more {
                    self.check(more, place, macros)?;
                }
                let is_case = matches!(outcome, Outcome::Case(_));
                let mut sites = text.branches(place);
                sites.retain(|site| matches!(site, Site::Switch(..)) == is_case);
                if sites.is_empty() { none("condition") } else { Ok(sites) }
            }
            Event::Call => {
                let calls = text.calls(place, None).into_iter();
                let sites: Vec<Site> = calls.map(|(start, end)| Site::Call(start, end)).collect();
                if sites.is_empty() { none("call") } else { Ok(sites) }
            }
            Event::Body(function) => {
                text.body(function).map_or_else(|| none("such function"), |site| Ok(vec![site]))
            }
        }
    }

    /// Whether an error is one that the witness means; `line` tells where in the original text a span is. Where an
    /// error is in a text that the program borrows, this is seen when it is replayed.
    fn is_meant(
        &self,
        cfa: &Cfa,
        error: LocId,
        automaton: &Automaton,
        line: impl Fn(Span) -> Option<(FileId, u32)>,
    ) -> bool {
        if automaton.targets.is_empty() {
            return true;
        }
        let Some(at) = cfa.locations[error].span.and_then(&line) else { return true };
        let called = cfa.locations[error].function;
        // The start of the program is no call in its text.
        let calls = cfa.edges.iter().filter(|edge| {
            automaton.loose
                && Some(cfa.locations[edge.source].function) != cfa.start
                && matches!(&*edge.ops, [Op::Call { callee, .. }] if *callee == called)
        });
        let lines: Vec<_> = calls.filter_map(|edge| line(edge.span?)).chain([at]).collect();
        self.targets(automaton).iter().any(|target| lines.contains(target))
    }

    fn targets(&self, automaton: &Automaton) -> Vec<(FileId, u32)> {
        let places = self.places();
        let find = |place: &Place| Some((places.find(place).ok()?, place.line));
        automaton.targets.iter().filter_map(find).collect()
    }

    /// Runs the program itself with the inputs of an execution along the witness.
    fn replayed(
        &self,
        product: &Product,
        drawn: &[Drawn],
        automaton: &Automaton,
        loosely: bool,
    ) -> Validation {
        let is_own = |each: &&Drawn| match each {
            Drawn::Value { origin, .. } => {
                !matches!(origin.choice(&product.program), Choice::Input(name) if &**name == GUESS)
            }
            Drawn::Edge { .. } => true,
        };
        let drawn: Vec<Drawn> = drawn.iter().filter(is_own).cloned().collect();
        let inputs = interp::write_inputs(&product.program, &drawn);
        let lost =
            || Validation::Not("the execution along the witness is none of the program".to_owned());
        let mut sources = SourceMap::new();
        let listed = sources
            .add("<inputs>", inputs.clone().into_bytes())
            .and_then(|file| interp::parse_inputs(&sources, file).ok());
        let Some(mut listed) = listed else { return lost() };
        let shortcuts = verify::shortcuts(self.program);
        let config = interp::Config {
            budget: Some(&self.config.budget),
            shortcuts: Some(&shortcuts),
            ..interp::Config::default()
        };
        let mut last = Last { program: self.program, span: None };
        let mut output = std::io::sink();
        let ended = interp::run(self.program, &config, &mut listed, Some(&mut last), &mut output);
        let location = match ended.ending {
            Ending::Error { location, .. } => location,
            Ending::Stopped => return Validation::Not(Unknown::TimeLimit.name().to_owned()),
            _ => return lost(),
        };
        if ended.approximated > 0 {
            return lost();
        }
        let sources = &self.program.sources;
        let places = self.places();
        let line = |span: Span| {
            Some((places.with_path(sources.path(span.file))?, sources.position(span).line))
        };
        let own = self.program.cfa.locations[location].span.and_then(line);
        let at = own.or(last.span.and_then(line));
        let targets = self.targets(automaton);
        let is_there = targets.is_empty() || at.is_some_and(|at| targets.contains(&at));
        let is_loosely_there = automaton.loose
            && own.is_some()
            && self.is_meant(&self.program.cfa, location, automaton, line);
        if is_there || is_loosely_there {
            Validation::Violation { inputs, loosely }
        } else {
            lost()
        }
    }
}

/// The automaton with the states at the ends of details made one.
fn without_details(automaton: &Automaton, is_detail: impl Fn(&Step) -> bool) -> Automaton {
    let mut same: BTreeMap<u32, u32> = BTreeMap::new();
    let root = |same: &BTreeMap<u32, u32>, mut state: u32| {
        while let Some(next) = same.get(&state) {
            state = *next;
        }
        state
    };
    for step in automaton.steps.iter().filter(|step| is_detail(step) && step.to != SINK) {
        let (from, to) = (root(&same, step.from), root(&same, step.to));
        // The first state keeps its number.
        match from.cmp(&to) {
            std::cmp::Ordering::Less => same.insert(to, from),
            std::cmp::Ordering::Greater => same.insert(from, to),
            std::cmp::Ordering::Equal => None,
        };
    }
    let steps = automaton.steps.iter().filter(|step| !is_detail(step)).map(|step| Step {
        from: root(&same, step.from),
        to: if step.to == SINK { step.to } else { root(&same, step.to) },
        ..step.clone()
    });
    let steps = steps.filter(|step| step.from != step.to).collect();
    Automaton { steps, last: root(&same, automaton.last), ..automaton.clone() }
}

/// The last edge of a run that is in the program's own text.
struct Last<'a> {
    program: &'a Program,
    span: Option<Span>,
}

impl Observer for Last<'_> {
    fn taken(&mut self, step: &interp::Step<'_>) {
        let span = self.program.cfa.edges[step.edge].span;
        self.span = span.filter(|span| !self.program.sources.is_borrowed(span.file)).or(self.span);
    }

    fn returned(&mut self, _callee: FuncId, _step: &interp::Step<'_>) {}
}
