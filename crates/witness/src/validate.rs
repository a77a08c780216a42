//! Whether what a witness says can be confirmed.

use std::collections::BTreeMap;

use base::{Diagnostic, FileId, SourceMap, Span};
use cfa::{Choice, FuncId, LocId, Op, Program};
use frontend::{Globals, Options, SignedOverflow, Subject};
use interp::{Drawn, Ending, Observer};
use smt::NewSolver;
use verify::{Config, Verdict};

use crate::expression::{self, Unfit};
use crate::model::{Automaton, Claim, Event, Invariant, Place, Step, Witness};
use crate::places;
use crate::sites::{Site, Text};
use crate::weave::{GUESS, Pieces, Placed};
use crate::woven::{self, Product};

/// What is to be validated, and with what.
pub struct Task<'a> {
    /// The witness, which fits the program.
    pub witness: &'a Witness,
    /// The program.
    pub program: &'a Program,
    /// What it was made of.
    pub subject: &'a Subject,
    /// How it was read.
    pub options: &'a Options,
    /// How it is verified.
    pub config: &'a Config,
    /// Who decides formulas.
    pub solver: NewSolver<'a>,
}

/// What came of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Validation {
    /// An execution along the witness violates the property; these are its inputs, as a file of inputs.
    Violation {
        /// The inputs.
        inputs: String,
        /// Whether what the witness assumes of variables, and which functions it enters, was left aside.
        loosely: bool,
    },
    /// The property holds, and so do the invariants, of which there are so many.
    Proof(usize),
    /// Neither, for this reason.
    Not(String),
}

/// The most steps or invariants that are followed.
const MOST: usize = 20_000;

/// Validates a witness.
///
/// # Errors
/// What is wrong with an expression of the witness, and where.
pub fn validate(task: &Task<'_>) -> Result<Validation, Diagnostic> {
    if task.options.globals == Globals::Arbitrary {
        return Ok(Validation::Not(
            "globals that hold anything at the start are not modelled here".to_owned(),
        ));
    }
    let done = match &task.witness.claim {
        Claim::Violation(automaton) => task.violation(automaton),
        Claim::Proof(list) => task.proof(list),
    };
    match done {
        Ok(validation) => Ok(validation),
        Err(Stopped::Not(why)) => Ok(Validation::Not(why)),
        Err(Stopped::Wrong(diagnostic)) => Err(diagnostic),
    }
}

/// Why validation goes no further.
enum Stopped {
    Not(String),
    Wrong(Diagnostic),
}

impl Task<'_> {
    fn files(&self) -> &[FileId] {
        &self.subject.files
    }

    /// The place for people.
    fn shown(&self, place: &Place) -> String {
        let file = places::find(place, &self.program.sources, self.files());
        let name = file.map_or("", |file| self.program.sources.name(file));
        let column = place.column.map_or_else(String::new, |column| format!(":{column}"));
        format!("{name}:{}{column}", place.line)
    }

    fn texts(&self) -> BTreeMap<FileId, Text<'_>> {
        self.files().iter().map(|file| (*file, Text::of(&self.program.sources, *file))).collect()
    }

    /// Looks at an expression of the witness.
    fn check(&self, text: &str, place: &Place, macros: &[String]) -> Result<(), Stopped> {
        match expression::check(text) {
            Ok(()) => {}
            Err(Unfit::Wrong(why)) => {
                return Err(Stopped::Wrong(Diagnostic::error(place.span, why)));
            }
            Err(Unfit::Unread(why)) => {
                return Err(Stopped::Not(format!(
                    "{}: {why}, which is not read",
                    self.shown(place)
                )));
            }
        }
        match expression::names(text).into_iter().find(|name| macros.contains(name)) {
            Some(name) => {
                let shown = self.shown(place);
                Err(Stopped::Not(format!(
                    "{shown}: an expression has the macro {name} in it, which is not read"
                )))
            }
            None => Ok(()),
        }
    }

    fn macros(&self) -> Vec<String> {
        let texts = self.files().iter().map(|file| self.program.sources.text(*file));
        texts.flat_map(|text| expression::macros(text)).collect()
    }

    fn load(
        &self,
        pieces: BTreeMap<FileId, Pieces>,
        wrong: &BTreeMap<FileId, Vec<usize>>,
    ) -> Result<Product, Stopped> {
        woven::load(self.program, self.subject, self.options, pieces, wrong).map_err(
            |(message, span)| match span {
                Some(span) => Stopped::Wrong(Diagnostic::error(span, message)),
                None => {
                    Stopped::Not(format!("the witness cannot be put into the program: {message}"))
                }
            },
        )
    }

    fn violation(&self, automaton: &Automaton) -> Result<Validation, Stopped> {
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
        let (texts, macros) = (self.texts(), self.macros());
        without_details(automaton, |step| {
            let file = places::find(&step.place, &self.program.sources, self.files());
            let has_site = |file: FileId| self.sites(step, &texts[&file], &macros).is_ok();
            is_detail(step) && !file.is_ok_and(has_site)
        })
    }

    /// Looks for an execution along an automaton.
    fn along(&self, automaton: &Automaton, loosely: bool) -> Result<Validation, Stopped> {
        if automaton.steps.len() > MOST {
            return Err(Stopped::Not("the witness is too long".to_owned()));
        }
        let texts = self.texts();
        let macros = self.macros();
        let mut placed: BTreeMap<FileId, Placed<'_>> = BTreeMap::new();
        for step in &automaton.steps {
            let found = places::find(&step.place, &self.program.sources, self.files());
            let file = found.map_err(Stopped::Wrong)?;
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
        let mut product = self.load(pieces, &BTreeMap::new())?;
        let meant = |product: &Product, error: LocId| self.is_meant(product, error, automaton);
        product.guard(automaton.last, meant).map_err(Stopped::Not)?;
        if product.program.cfa.errors().next().is_none() {
            return Ok(Validation::Not("no error is where the witness has it".to_owned()));
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
    fn sites(&self, step: &Step, text: &Text<'_>, macros: &[String]) -> Result<Vec<Site>, Stopped> {
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
                let calls = text.calls(place, function.as_deref()).into_iter();
                let sites: Vec<Site> = calls.map(|(start, end)| Site::Result(start, end)).collect();
                if sites.is_empty() { none("such call") } else { Ok(sites) }
            }
            Event::Branch(outcome, more) => {
                if let Some(more) = more {
                    self.check(more, place, macros)?;
                }
                let is_case = matches!(outcome, crate::model::Outcome::Case(_));
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

    /// Whether an error is one that the witness means. Where an error is in a text that the program borrows, this is
    /// seen when it is replayed.
    fn is_meant(&self, product: &Product, error: LocId, automaton: &Automaton) -> bool {
        if automaton.targets.is_empty() {
            return true;
        }
        let cfa = &product.program.cfa;
        let line = |span: Option<Span>| product.line(span?, &self.program.sources, self.files());
        let Some(at) = line(cfa.locations[error].span) else { return true };
        let called = cfa.locations[error].function;
        let calls = cfa.edges.iter().filter(|edge| {
            automaton.loose && matches!(&*edge.ops, [Op::Call { callee, .. }] if *callee == called)
        });
        let lines: Vec<_> = calls.filter_map(|edge| line(edge.span)).chain([at]).collect();
        self.targets(automaton).iter().any(|target| lines.contains(target))
    }

    fn targets(&self, automaton: &Automaton) -> Vec<(FileId, u32)> {
        let find = |place: &Place| {
            Some((places::find(place, &self.program.sources, self.files()).ok()?, place.line))
        };
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
        let Ending::Error { location, .. } = ended.ending else { return lost() };
        if ended.approximated > 0 {
            return lost();
        }
        let own = self.program.cfa.locations[location].span;
        let own = own.filter(|span| !self.program.sources.is_borrowed(span.file));
        let is_borrowed = own.is_none();
        let at =
            own.or(last.span).map(|span| (span.file, self.program.sources.position(span).line));
        let targets = self.targets(automaton);
        let is_there = at.is_some_and(|at| targets.contains(&at));
        if targets.is_empty() || is_there || (automaton.loose && !is_borrowed) {
            Validation::Violation { inputs, loosely }
        } else {
            lost()
        }
    }

    fn proof(&self, list: &[Invariant]) -> Result<Validation, Stopped> {
        if list.len() > MOST {
            return Err(Stopped::Not("the witness is too long".to_owned()));
        }
        let texts = self.texts();
        let macros = self.macros();
        let mut pieces: BTreeMap<FileId, Pieces> = BTreeMap::new();
        let mut wrong: BTreeMap<FileId, Vec<usize>> = BTreeMap::new();
        for (number, invariant) in list.iter().enumerate() {
            let place = &invariant.place;
            let found = places::find(place, &self.program.sources, self.files());
            let file = found.map_err(Stopped::Wrong)?;
            self.check(&invariant.expression, place, &macros)?;
            let text = &texts[&file];
            let (site, what) = match invariant.of_loop {
                true => (text.loop_head(place), "loop"),
                false => (text.statement(place), "statement"),
            };
            let Some(site) = site else {
                return Err(Stopped::Not(format!("there is no {what} at {}", self.shown(place))));
            };
            let is_total = self.options.signed_overflow == SignedOverflow::Wrap
                && expression::is_total(&invariant.expression);
            pieces.entry(file).or_default().invariant(number, site, invariant, is_total);
            wrong.entry(file).or_default().push(number);
        }
        let product = self.load(pieces, &wrong)?;
        let outcome = verify::verify(&product.program, self.config, self.solver);
        Ok(match &outcome.verdict {
            Verdict::Safe(_) => self.proved(&product, list.len()),
            Verdict::Unsafe(found) => Validation::Not(self.violated(&product, found.error, list)),
            Verdict::Unknown(why) => Validation::Not(why.name().to_owned()),
        })
    }

    fn proved(&self, product: &Product, count: usize) -> Validation {
        let heap = |op: &Op| matches!(op, Op::Alloc { kind: cfa::AllocKind::Heap, .. });
        let allocates = product.program.cfa.edges.iter().any(|edge| edge.ops.iter().any(heap));
        match self.subject.property.open_part() {
            Some(part) if allocates && !cfa::always_ends(self.program) => {
                Validation::Not(format!("{part} is not decided for executions that never end"))
            }
            _ => Validation::Proof(count),
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
            && let Some(invariant) = list.iter().find(|invariant| invariant.place.span == part)
        {
            let shown = self.shown(&invariant.place);
            return format!(
                "the invariant `{}` at {shown} cannot be evaluated",
                invariant.expression
            );
        }
        let line = span.and_then(|span| product.line(span, &self.program.sources, self.files()));
        match line {
            Some((file, line)) => {
                format!(
                    "the program violates its property at {}:{line}",
                    self.program.sources.name(file)
                )
            }
            None => "the program violates its property".to_owned(),
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
    for step in
        automaton.steps.iter().filter(|step| is_detail(step) && step.to != crate::model::SINK)
    {
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
        to: if step.to == crate::model::SINK { step.to } else { root(&same, step.to) },
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
