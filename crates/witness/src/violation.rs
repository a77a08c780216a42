//! Whether an execution along a violation witness violates the property.

use std::collections::BTreeMap;

use base::{FileId, SourceMap, Span};
use cfa::{Cfa, Choice, EdgeId, FuncId, LocId, Op, Program};
use interp::{Drawn, Ending, Observer, Shortcuts};
use verify::{Unknown, Verdict};

use crate::carried::Carried;
use crate::expression::{self, Macros};
use crate::follow::{self, Along};
use crate::model::{Automaton, Event, Outcome, SINK, Step};
use crate::sites::{Site, Text};
use crate::validate::{Lookup, MOST, Stopped, Task, Validation};
use crate::weave::{GUESS, Pieces, Placed, Put};
use crate::woven::Product;

impl Task<'_> {
    /// Looks for an execution along an automaton, if need be without its details.
    pub(crate) fn violation(&self, automaton: &Automaton) -> Result<Validation, Stopped> {
        let is_detail = |step: &Step| match &step.event {
            // A condition without variables is true or false wherever it is evaluated, so it is no detail.
            Event::After(said) => !expression::names(said).is_empty(),
            Event::Body(_) => true,
            _ => false,
        };
        // Where reading an uninitialised variable is an error, a condition of the witness that reads such a variable
        // would be an error itself.
        let checked = match self.subject.checks.has(cfa::Check::Uninitialised) {
            true => without_details(automaton, |step| matches!(step.event, Event::Before(_))),
            false => automaton.clone(),
        };
        let has_lost = automaton.lost || checked.steps.len() < automaton.steps.len();
        let automaton = &checked;
        let placed = self.placed(automaton, is_detail);
        let first = self.along(&placed, has_lost || placed.steps.len() < automaton.steps.len());
        let has_details = automaton.loose && automaton.steps.iter().any(is_detail);
        let has_more = automaton.steps.iter().any(|step| !is_detail(step));
        match first {
            Ok(Validation::Not(_)) | Err(_) if has_details && has_more => {
                let second = self.along(&without_details(automaton, is_detail), true);
                match second {
                    // If the first attempt was an error and the second attempt fails, too, the reason is more than a
                    // detail, so the second result counts.
                    Ok(second @ Validation::Violation { .. }) => Ok(second),
                    second if first.is_err() => second,
                    _ => first,
                }
            }
            first => first,
        }
    }

    /// The automaton without details that have no place in the text, if the automaton may be followed without
    /// details.
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
        let (lookup, macros) = (self.lookup(), self.macros());
        let texts = &lookup.texts;
        let mut placed: BTreeMap<FileId, Placed<'_>> = BTreeMap::new();
        for step in &automaton.steps {
            let file = lookup.places.find(&step.place).map_err(Stopped::Wrong)?;
            let sites = self.sites(step, &texts[&file], &macros)?;
            let inside = self.inside(&step.place, &texts[&file], &lookup);
            let is_any = sites.len() > 1;
            for site in sites {
                let put = Put { step, is_any, inside };
                placed.entry(file).or_default().entry(site).or_default().push(put);
            }
        }
        let mut pieces: BTreeMap<FileId, Pieces> = BTreeMap::new();
        for (file, placed) in &placed {
            let own = pieces.entry(*file).or_default();
            for (site, steps) in placed {
                own.steps(*site, steps, &texts[file]);
            }
        }
        let mut product = self.load(pieces, 0, self.options, &lookup)?;
        let meant = |product: &Product, error: LocId| {
            let original = |span| product.original(span, &lookup.places);
            self.is_meant(&product.program.cfa, error, automaton, &lookup, original)
        };
        product.guard(automaton.last, meant).map_err(Stopped::Not)?;
        if product.program.cfa.errors().next().is_none() {
            return Ok(Validation::Not("no error is where the witness has it".to_owned()));
        }
        let confirmed = |drawn: &[Drawn]| {
            let replayed = self.replayed(&product, drawn, automaton, loosely);
            matches!(replayed, Validation::Violation { .. }).then_some(replayed)
        };
        let followed = |is_patient: bool| {
            let along = follow::along(&product, automaton, self.config, is_patient);
            match &along {
                Along::Reached(drawn) => (confirmed(drawn), along),
                Along::Lost | Along::Passing => (None, along),
            }
        };
        let (found, first) = followed(false);
        let directed = || follow::directed(&product, self.config, self.solver);
        let found = found.or_else(|| confirmed(&directed()?)).or_else(|| match first {
            Along::Passing => followed(true).0,
            Along::Reached(_) | Along::Lost => None,
        });
        if let Some(found) = found {
            return Ok(found);
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

    /// The sites of a step in the text.
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
                self.check(&expression::with_result(said), place, macros)?;
                let function = function.as_deref();
                let mut calls = text.calls(place, function);
                // A line may have calls that name the function and calls by a macro.
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
                let is_case = matches!(outcome, Outcome::Case(_) | Outcome::Default);
                let mut sites = text.branches(place);
                sites.retain(|site| matches!(site, Site::Switch(..)) == is_case);
                let is_shown = |site: &Site| match site {
                    Site::Switch(_, end) => text.cases(*end).is_some() && !self.hides_cases(),
                    _ => true,
                };
                if *outcome == Outcome::Default && !sites.iter().all(is_shown) {
                    let shown = self.shown(place);
                    let message =
                        format!("{shown}: the text does not show all cases of the `switch`");
                    return Err(Stopped::Not(message));
                }
                if sites.is_empty() { none("condition") } else { Ok(sites) }
            }
            Event::Call => {
                let calls = text.calls(place, None).into_iter();
                let sites: Vec<Site> = calls.map(|(start, end)| Site::Call(start, end)).collect();
                if sites.is_empty() { none("call") } else { Ok(sites) }
            }
            Event::Body(function) => {
                // What is called through a pointer, or by a macro, has other names in the line.
                let calls = !text.calls(place, None).is_empty();
                if !calls && !text.is_inside(place, function) {
                    return none("call");
                }
                text.body(function).map_or_else(|| none("such function"), |site| Ok(vec![site]))
            }
        }
    }

    /// Whether a macro of the program has a label of a `switch` in it.
    fn hides_cases(&self) -> bool {
        self.places().files().any(|file| {
            let text = String::from_utf8_lossy(self.program.sources.text(file));
            base::definitions(&text).any(|found| found.body.contains("case"))
        })
    }

    /// Whether an error is one that the witness means; `original` gives the place in the original text at which a
    /// span starts. An error in a text that the program borrows always counts here; the replay decides whether it is
    /// meant.
    fn is_meant(
        &self,
        cfa: &Cfa,
        error: LocId,
        automaton: &Automaton,
        lookup: &Lookup<'_>,
        original: impl Fn(Span) -> Option<(FileId, u32)>,
    ) -> bool {
        if automaton.targets.is_empty() {
            return true;
        }
        let around = cfa.locations[error].function;
        let Some(at) = cfa.locations[error].span.and_then(&original) else { return true };
        let mut spots = vec![(at, around)];
        if Some(around) == cfa.start {
            // A fault that is found when the program has ended is at the end of the entry function.
            spots.clear();
            for entered in cfa.entered() {
                let exit = cfa.functions[entered].exit;
                let last = cfa.edges.iter().filter(|edge| edge.target == exit);
                let ends = last.filter_map(|edge| original(edge.span?)).chain([at]);
                spots.extend(ends.map(|at| (at, entered)));
            }
        }
        // The call that starts the program is not in its text.
        let calls = cfa.edges.iter().filter(|edge| {
            automaton.loose
                && Some(cfa.locations[edge.source].function) != cfa.start
                && matches!(&*edge.ops, [Op::Call { callee, .. }] if *callee == around)
        });
        spots.extend(calls.filter_map(|edge| Some((original(edge.span?)?, around))));
        spots.into_iter().any(|(at, function)| {
            self.is_target(automaton, lookup, at, cfa.functions[function].source_name())
        })
    }

    /// Whether the witness has its target at an offset of a file, in a function. A target without a column is anywhere
    /// in its line; one with a column is where the error is, or where the statement or the condition begins that the
    /// error is in.
    fn is_target(
        &self,
        automaton: &Automaton,
        lookup: &Lookup<'_>,
        (file, offset): (FileId, u32),
        function: &str,
    ) -> bool {
        let sources = &self.program.sources;
        automaton.targets.iter().any(|target| {
            let is_line = lookup.places.find(target).is_ok_and(|found| found == file)
                && sources.position_at(file, offset).line == target.line;
            let is_function = target.function.as_ref().is_none_or(|(name, _)| name == function);
            let is_column = |text: &Text<'_>| {
                let Some(said) = Text::offset_in(sources, file, target) else { return false };
                let mut starts = text.starts(offset as usize).into_iter().chain([offset as usize]);
                starts.any(|start| text.begins_alike(start, said))
            };
            let has_column = target.column.is_some_and(|column| column > 0);
            is_line
                && is_function
                && (!has_column || lookup.texts.get(&file).is_some_and(is_column))
        })
    }

    /// Runs the program itself with the inputs of an execution along the witness. At first each value is given to the
    /// variable or memory that held it in the execution; if that fails, the values are given in their order.
    fn replayed(
        &self,
        product: &Product,
        drawn: &[Drawn],
        automaton: &Automaton,
        loosely: bool,
    ) -> Validation {
        let is_own = |each: &Drawn| match each {
            Drawn::Value { origin, .. } => {
                !matches!(origin.choice(&product.program), Choice::Input(name) if &**name == GUESS)
            }
            Drawn::Edge { .. } => true,
        };
        let shortcuts = verify::shortcuts(&product.program);
        let config = self.replaying(&shortcuts);
        let mut carried = Carried::of(&product.program, drawn, &config, is_own);
        let shortcuts = verify::shortcuts(self.program);
        let config = self.replaying(&shortcuts);
        let mut output = std::io::sink();
        let ended = interp::run(self.program, &config, &mut carried, None, &mut output);
        if ended.ending == Ending::Stopped {
            return self.stopped();
        }
        let inputs = interp::write_inputs(self.program, &ended.drawn);
        let first = self.confirmed(inputs, automaton, loosely);
        if !matches!(first, Validation::Not(_)) {
            return first;
        }
        let own: Vec<Drawn> = drawn.iter().filter(|each| is_own(each)).cloned().collect();
        self.confirmed(interp::write_inputs(&product.program, &own), automaton, loosely)
    }

    /// How the program is run along a witness.
    fn replaying<'s>(&'s self, shortcuts: &'s Shortcuts) -> interp::Config<'s> {
        interp::Config {
            budget: Some(&self.config.budget),
            shortcuts: Some(shortcuts),
            ..interp::Config::default()
        }
    }

    /// The result if a limit has ended a run of the program.
    fn stopped(&self) -> Validation {
        let limit = self.config.budget.exceeded().map(Unknown::from);
        Validation::Not(limit.unwrap_or(Unknown::TimeLimit).name().to_owned())
    }

    /// Whether the program reaches the error that the witness means with these inputs.
    fn confirmed(&self, inputs: String, automaton: &Automaton, loosely: bool) -> Validation {
        let lost =
            || Validation::Not("the execution along the witness is none of the program".to_owned());
        let mut sources = SourceMap::new();
        let listed = sources
            .add("<inputs>", inputs.clone().into_bytes())
            .and_then(|file| interp::parse_inputs(&sources, file).ok());
        let Some(mut listed) = listed else { return lost() };
        let shortcuts = verify::shortcuts(self.program);
        let config = self.replaying(&shortcuts);
        let cfa = &self.program.cfa;
        let entered = cfa.entered();
        let exits = entered.iter().map(|function| cfa.functions[*function].exit).collect();
        let mut last = Last { program: self.program, exits, own: None, end: None };
        let mut output = std::io::sink();
        let ended = interp::run(self.program, &config, &mut listed, Some(&mut last), &mut output);
        let location = match ended.ending {
            Ending::Error { location, .. } => location,
            Ending::Stopped => return self.stopped(),
            _ => return lost(),
        };
        if ended.approximated > 0 {
            return lost();
        }
        let sources = &self.program.sources;
        let lookup = self.lookup();
        let original =
            |span: Span| Some((lookup.places.with_path(sources.path(span.file))?, span.start));
        let around = cfa.locations[location].function;
        let own = cfa.locations[location].span.and_then(original);
        let by_edge = |edge: Option<EdgeId>| {
            let edge = &cfa.edges[edge?];
            Some((original(edge.span?)?, cfa.locations[edge.source].function))
        };
        let spots = match own {
            Some(own) if Some(around) == cfa.start => {
                let header = entered.iter().map(|function| (own, *function));
                by_edge(last.end).into_iter().chain(header).collect()
            }
            Some(own) => vec![(own, around)],
            None => by_edge(last.own).into_iter().collect::<Vec<_>>(),
        };
        let is_there = automaton.targets.is_empty()
            || spots.into_iter().any(|(at, function)| {
                self.is_target(automaton, &lookup, at, cfa.functions[function].source_name())
            });
        let is_loosely_there = automaton.loose
            && own.is_some()
            && self.is_meant(cfa, location, automaton, &lookup, original);
        if is_there || is_loosely_there {
            Validation::Violation { inputs, loosely }
        } else {
            lost()
        }
    }
}

/// The automaton without details: the two states at the ends of a detail become one state.
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

/// The last edges of a run.
struct Last<'a> {
    program: &'a Program,
    /// Where the functions return that the start of the program calls.
    exits: Vec<LocId>,
    /// The last one that is in the program's own text.
    own: Option<EdgeId>,
    /// The last one at whose end the entry function returns.
    end: Option<EdgeId>,
}

impl Observer for Last<'_> {
    fn taken(&mut self, step: &interp::Step<'_>) {
        let edge = &self.program.cfa.edges[step.edge];
        if edge.span.is_some_and(|span| !self.program.sources.is_borrowed(span.file)) {
            self.own = Some(step.edge);
        }
        if self.exits.contains(&edge.target) {
            self.end = Some(step.edge);
        }
    }

    fn returned(&mut self, _callee: FuncId, _step: &interp::Step<'_>) {}
}
