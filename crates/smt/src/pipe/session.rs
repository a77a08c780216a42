//! One life of a solver's process, and what it has been told.

use rustc_hash::FxHashMap;
use term::{Op, Sort, TermId, Terms, Value, Var, View};

use super::process::Process;
use super::program::Program;
use super::reply::Reply;
use super::value;
use crate::Reason;
use crate::smtlib::Writer;
use run::{Budget, Exceeded};

pub(crate) struct Session {
    process: Process,
    writer: Writer,
    levels: Vec<Level>,
    /// The literal of each assumption that has been named.
    literals: FxHashMap<TermId, String>,
    serial: u64,
    name: String,
    /// Whether the process should not be asked any more.
    pub broken: bool,
}

/// How many expressions are read for one command, which has one reply and a mark after it.
const MOST_REPLIES: usize = 64;

/// What the process knows of a scope.
#[derive(Default)]
struct Level {
    /// How many formulas of the scope the process has been told.
    sent: usize,
    /// Assumptions that were named in the scope.
    named: Vec<TermId>,
}

/// What a solver said about a check.
pub(crate) enum Verdict {
    Sat,
    /// The formulas have no model because of these assumptions.
    Unsat(Vec<TermId>),
    Unknown(Reason),
}

impl Session {
    pub fn start(program: &Program, logic: &str) -> Result<Self, Reason> {
        let process = Process::start(program)?;
        let mut writer = Writer::new(program.dialect());
        writer.out = program.greeting(logic);
        Ok(Self {
            process,
            writer,
            levels: vec![Level::default()],
            literals: FxHashMap::default(),
            serial: 0,
            name: program.name.clone(),
            broken: false,
        })
    }

    /// How many scopes the process has open, counting the outermost.
    pub fn depth(&self) -> usize {
        self.levels.len()
    }

    /// How many assumptions have been named and not forgotten.
    pub fn assumptions(&self) -> usize {
        self.literals.len()
    }

    pub fn pop(&mut self) {
        self.writer.pop();
        for term in self.levels.pop().into_iter().flat_map(|level| level.named) {
            self.literals.remove(&term);
        }
    }

    /// Tells the process what it does not know yet of the scopes.
    pub fn load(&mut self, terms: &Terms, scopes: &[Vec<TermId>]) -> Result<(), Reason> {
        for (depth, formulas) in scopes.iter().enumerate() {
            if depth == self.levels.len() {
                self.writer.push();
                self.levels.push(Level::default());
            }
            let level = &mut self.levels[depth];
            for formula in &formulas[level.sent..] {
                self.writer.assert(terms, *formula).map_err(Reason::Unsupported)?;
                level.sent += 1;
            }
        }
        Ok(())
    }

    pub fn check(
        &mut self,
        terms: &Terms,
        assumptions: &[TermId],
        limits: &Budget,
    ) -> Result<Verdict, Reason> {
        let mut literals = Vec::with_capacity(assumptions.len());
        for formula in assumptions {
            literals.push(self.literal(terms, *formula)?);
        }
        let command = if literals.is_empty() {
            "(check-sat)\n".to_owned()
        } else {
            format!("(check-sat-assuming ({}))\n", literals.join(" "))
        };
        let answer = self.ask(&command, limits)?;
        match answer.text() {
            "sat" => Ok(Verdict::Sat),
            "unsat" if literals.is_empty() => Ok(Verdict::Unsat(Vec::new())),
            "unsat" => self.core(assumptions, &literals, limits).map(Verdict::Unsat),
            "unknown" => {
                let why = self.ask("(get-info :reason-unknown)\n", limits);
                self.broken = why.is_err();
                let why = why.map_or(String::new(), |why| why.text().to_owned());
                Ok(Verdict::Unknown(self.reason(&why)))
            }
            other => Err(self.nonsense(other)),
        }
    }

    /// The assumptions that the solver blames; all of them if it cannot say.
    fn core(
        &mut self,
        assumptions: &[TermId],
        literals: &[String],
        limits: &Budget,
    ) -> Result<Vec<TermId>, Reason> {
        let reply = match self.ask("(get-unsat-assumptions)\n", limits) {
            Ok(reply) => reply,
            // The solver has refused only the command for the core; its answer stands.
            Err(Reason::Failed(_)) => {
                self.broken = true;
                return Ok(assumptions.to_vec());
            }
            Err(reason) => return Err(reason),
        };
        let Some(items) = reply.list(reply.root()) else {
            return Err(self.nonsense(reply.text()));
        };
        let mut core = Vec::with_capacity(items.len());
        for item in items {
            let text = match (reply.word(*item), reply.list(*item)) {
                (Some(word), _) => word.to_owned(),
                (_, Some([not, atom])) if reply.word(*not) == Some("not") => {
                    format!("(not {})", reply.word(*atom).unwrap_or_default())
                }
                _ => return Err(self.nonsense(reply.text())),
            };
            let bare = text.replace('|', "");
            match literals.iter().position(|literal| literal.replace('|', "") == bare) {
                Some(at) => core.push(assumptions[at]),
                None => return Err(self.nonsense(reply.text())),
            }
        }
        Ok(core)
    }

    /// The values of variables, after Sat.
    pub fn values(
        &mut self,
        terms: &Terms,
        vars: &[Var],
        limits: &Budget,
    ) -> Result<Vec<Value>, Reason> {
        let mut values = Vec::with_capacity(vars.len());
        // In parts, since some solvers have a limit on the length of a list.
        for part in vars.chunks(1_000) {
            let mut symbols = String::new();
            for var in part {
                symbols.push_str(self.writer.symbol(terms, *var));
                symbols.push(' ');
            }
            let reply = self.ask(&format!("(get-value ({symbols}))\n"), limits)?;
            let pairs = reply.list(reply.root()).filter(|pairs| pairs.len() == part.len());
            for (var, pair) in part.iter().zip(pairs.ok_or_else(|| self.nonsense(reply.text()))?) {
                let sort = terms.var_sort(*var);
                let value = match reply.list(*pair) {
                    Some([_, node]) => value::read(terms, &reply, *node, sort),
                    _ => None,
                };
                values.push(value.ok_or_else(|| match sort {
                    // An array may have a value that cannot be written as a list of elements.
                    Sort::Array(_) if reply.text().contains("(lambda ") => {
                        Reason::Unsupported("an array that is described as a function".to_owned())
                    }
                    _ => self.nonsense(reply.text()),
                })?);
            }
        }
        Ok(values)
    }

    /// A literal for an assumption: a variable, its negation, or a name for the formula.
    fn literal(&mut self, terms: &Terms, formula: TermId) -> Result<String, Reason> {
        let variable = |term: TermId| match terms.view(term) {
            View::Var(_) => Some(term),
            _ => None,
        };
        let negated = match terms.view(formula) {
            View::App(Op::Not, [inner]) => variable(*inner),
            _ => None,
        };
        if let Some(term) = negated.or(variable(formula)) {
            debug_assert_eq!(terms.sort(term), Sort::Bool, "assumptions are formulas");
            let symbol = self.writer.term(terms, term).map_err(Reason::Unsupported)?;
            return Ok(if negated.is_some() { format!("(not {symbol})") } else { symbol });
        }
        if let Some(literal) = self.literals.get(&formula) {
            return Ok(literal.clone());
        }
        let text = self.writer.term(terms, formula).map_err(Reason::Unsupported)?;
        let symbol = self.writer.fresh('a');
        let line = format!("(declare-fun {symbol} () Bool)\n(assert (=> {symbol} {text}))\n");
        self.writer.out.push_str(&line);
        self.literals.insert(formula, symbol.clone());
        if let Some(level) = self.levels.last_mut() {
            level.named.push(formula);
        }
        Ok(symbol)
    }

    /// Sends what has been written and a command, and returns the one reply to the command. A mark after the command
    /// shows where the replies to it end.
    fn ask(&mut self, command: &str, limits: &Budget) -> Result<Reply, Reason> {
        self.serial += 1;
        let mark = format!("mark-{}", self.serial);
        let mut text = std::mem::take(&mut self.writer.out);
        text.push_str(command);
        text.push_str(&format!("(echo \"{mark}\")\n"));
        self.process.send(text);
        let mut replies = Vec::new();
        loop {
            match self.process.reply(limits) {
                Ok(reply) if reply.trim_matches('"') == mark => break,
                Ok(reply) if replies.len() < MOST_REPLIES => replies.push(reply),
                Ok(_) => return Err(self.failure("it does not stop writing")),
                // What a process wrote before it ended says more than that it ended.
                Err(Reason::Failed(death)) => match replies.first() {
                    Some(reply) => return Err(self.nonsense(reply)),
                    None => return Err(self.failure(&death)),
                },
                Err(reason) => return Err(reason),
            }
        }
        if let Some(error) = replies.iter().find(|reply| reply.starts_with("(error")) {
            return Err(self.nonsense(error));
        }
        match (replies.pop(), replies.is_empty()) {
            (Some(reply), true) => {
                Reply::parse(reply).ok_or_else(|| self.failure("it wrote no expression"))
            }
            (Some(reply), false) => Err(self.nonsense(&format!("{} {reply}", replies.join(" ")))),
            (None, _) => Err(self.nonsense("nothing")),
        }
    }

    fn failure(&self, what: &str) -> Reason {
        Reason::Failed(format!("{}: {what}", self.name))
    }

    fn nonsense(&self, text: &str) -> Reason {
        let shown: String = text.chars().take(200).collect();
        Reason::Failed(format!("{} answered {shown}", self.name))
    }

    /// Why a solver does not know.
    fn reason(&self, text: &str) -> Reason {
        let lower = text.to_ascii_lowercase();
        if lower.contains("timeout") || lower.contains("canceled") {
            Reason::Exceeded(Exceeded::Time)
        } else if lower.contains("memout") || lower.contains("memory") {
            Reason::Exceeded(Exceeded::Memory)
        } else {
            self.nonsense(&format!("unknown {text}"))
        }
    }
}
