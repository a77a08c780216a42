//! Reading SMT-LIB scripts: declarations, definitions, assertions and checks.

use crate::lexer::Token;
use crate::parse::{Parser, expect, small_numeral};
use crate::parse_error::ParseError;
use crate::sort::Sort;
use crate::table::{TermId, Terms, Var};

/// What a script says, in order.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Script {
    /// What `set-info :source` says.
    pub source: Option<String>,
    /// The commands that matter; those that only ask for more output are left out.
    pub commands: Vec<Command>,
    /// Whether an operator is applied where SMT-LIB lets a solver choose the value, such as a division whose divisor
    /// may be zero. Terms fix one value there: if the terms can be satisfied, the script can be, too; but if the terms
    /// cannot be, the script still might.
    pub open_meaning: bool,
}

/// A command of a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// A symbol is declared.
    Declare(Var),
    /// A formula is asserted.
    Assert(TermId),
    /// This number of scopes is opened.
    Push(u32),
    /// This number of scopes is closed; at least as many are open.
    Pop(u32),
    /// A question.
    Check(Check),
    /// The values of all symbols are asked for, after an answer.
    Model,
    /// The values of terms are asked for, after an answer; each with its text in the script.
    Values(Vec<(String, TermId)>),
    /// A text to be repeated.
    Echo(String),
}

/// Whether what is asserted can be satisfied.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    /// Formulas that are assumed to hold in this check only.
    pub assumptions: Vec<TermId>,
    /// The answer that the script expects, if it says so.
    pub status: Option<Status>,
}

/// An answer, as `set-info :status` has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// The formulas have a model.
    Sat,
    /// The formulas have no model.
    Unsat,
    /// The author did not know.
    Unknown,
}

/// The most scopes that one command may open.
const MOST_SCOPES: u32 = 100_000;

impl Terms {
    /// Reads a script. Its symbols are declared anew, each under the name that it has there.
    ///
    /// # Errors
    /// If the text is no script, or has something that terms do not: functions with arguments,
    /// quantifiers, sorts of its own.
    pub fn parse_script(&mut self, text: &str) -> Result<Script, ParseError> {
        let mut nobody = |_: &str| None;
        let parser = Parser::new(self, text, &mut nobody);
        let mut reader =
            Reader { parser, script: Script::default(), status: None, scopes: vec![Vec::new()] };
        while reader.command()? {}
        reader.script.open_meaning = reader.parser.open_meaning;
        Ok(reader.script)
    }
}

struct Reader<'a, 'r> {
    parser: Parser<'a, 'r>,
    script: Script,
    /// The answer that the script expects of the next check.
    status: Option<Status>,
    /// For each open scope, the names that came with it.
    scopes: Vec<Vec<String>>,
}

impl Reader<'_, '_> {
    fn error<T>(&self, at: usize, message: impl Into<String>) -> Result<T, ParseError> {
        self.parser.lexer.error(at, message)
    }

    /// Reads one command; false at the end.
    fn command(&mut self) -> Result<bool, ParseError> {
        match self.parser.lexer.next()? {
            (_, Token::Open) => {}
            (_, Token::End) => return Ok(false),
            (at, _) => return self.error(at, "expected a command"),
        }
        let (at, name) = match self.parser.lexer.next()? {
            (at, Token::Symbol(name)) => (at, name),
            (at, _) => return self.error(at, "expected the name of a command"),
        };
        match name {
            "exit" => return Ok(false),
            "set-info" => return self.info().map(|()| true),
            "declare-const" => {
                let name = self.new_name()?;
                self.declare(name)?;
            }
            "declare-fun" => {
                let name = self.new_name()?;
                self.no_parameters(at)?;
                self.declare(name)?;
            }
            "define-fun" | "define-const" => {
                let symbol = self.new_name()?;
                if name == "define-fun" {
                    self.no_parameters(at)?;
                }
                self.define(at, symbol)?;
            }
            "assert" => {
                let formula = self.formula()?;
                self.script.commands.push(Command::Assert(formula));
            }
            "push" | "pop" => {
                let count = match self.parser.lexer.clone().next()?.1 {
                    Token::Close => 1,
                    _ => small_numeral(&mut self.parser.lexer)?,
                };
                self.scope(at, name == "push", count)?;
            }
            "check-sat" => self.check(Vec::new()),
            "check-sat-assuming" => {
                expect(&mut self.parser.lexer, Token::Open, "a list of formulas")?;
                let mut assumptions = Vec::new();
                while self.parser.lexer.clone().next()?.1 != Token::Close {
                    assumptions.push(self.formula()?);
                }
                expect(&mut self.parser.lexer, Token::Close, "`)`")?;
                self.check(assumptions);
            }
            "get-model" => self.script.commands.push(Command::Model),
            "get-value" => self.values()?,
            "echo" => match self.parser.lexer.next()? {
                (_, Token::String(text)) => {
                    self.script.commands.push(Command::Echo(text.replace("\"\"", "\"")));
                }
                (at, _) => return self.error(at, "expected a text"),
            },
            "set-logic"
            | "set-option"
            | "get-info"
            | "get-option"
            | "get-unsat-core"
            | "get-unsat-assumptions"
            | "get-assignment"
            | "get-assertions"
            | "get-proof" => return self.skip().map(|()| true),
            _ => return self.error(at, format!("the command `{name}` is not supported")),
        }
        expect(&mut self.parser.lexer, Token::Close, "`)`")?;
        Ok(true)
    }

    /// The terms of a `get-value`.
    fn values(&mut self) -> Result<(), ParseError> {
        expect(&mut self.parser.lexer, Token::Open, "a list of terms")?;
        let mut terms = Vec::new();
        loop {
            let (start, token) = self.parser.lexer.clone().next()?;
            if token == Token::Close {
                break;
            }
            // A term whose value is asked for after an answer does not change the answer, whatever its operators leave
            // open.
            let open_meaning = self.parser.open_meaning;
            let term = self.parser.term()?;
            self.parser.open_meaning = open_meaning;
            let text = self.parser.lexer.since(start);
            terms.push((text.split_whitespace().collect::<Vec<_>>().join(" "), term));
        }
        let (at, _) = self.parser.lexer.next()?;
        if terms.is_empty() {
            return self.error(at, "expected a term");
        }
        self.script.commands.push(Command::Values(terms));
        Ok(())
    }

    fn info(&mut self) -> Result<(), ParseError> {
        let (_, key) = self.parser.lexer.next()?;
        let before = self.parser.lexer.clone();
        let (at, value) = self.parser.lexer.next()?;
        match (key, value) {
            (Token::Keyword("status"), Token::Symbol(status)) => {
                self.status = Some(match status {
                    "sat" => Status::Sat,
                    "unsat" => Status::Unsat,
                    "unknown" => Status::Unknown,
                    _ => return self.error(at, "expected sat, unsat or unknown"),
                });
            }
            (Token::Keyword("source"), Token::Quoted(text)) => {
                self.script.source = Some(text.into_owned());
            }
            _ => self.parser.lexer = before,
        }
        self.skip()
    }

    /// Skips to the end of a command.
    fn skip(&mut self) -> Result<(), ParseError> {
        let mut depth = 1_u64;
        while depth > 0 {
            match self.parser.lexer.next()? {
                (_, Token::Open) => depth += 1,
                (_, Token::Close) => depth -= 1,
                (at, Token::End) => return self.error(at, "the text ends within a command"),
                _ => {}
            }
        }
        Ok(())
    }

    fn new_name(&mut self) -> Result<String, ParseError> {
        let (at, name) = match self.parser.lexer.next()? {
            (at, Token::Symbol(name)) => (at, name.to_owned()),
            (at, Token::Quoted(name)) => (at, name.into_owned()),
            (at, _) => return self.error(at, "expected a name"),
        };
        if self.parser.scope.contains_key(&name) {
            return self.error(at, format!("`{name}` is there already"));
        }
        Ok(name)
    }

    fn no_parameters(&mut self, at: usize) -> Result<(), ParseError> {
        expect(&mut self.parser.lexer, Token::Open, "the parameters")?;
        match self.parser.lexer.next()?.1 {
            Token::Close => Ok(()),
            _ => self.error(at, "functions with arguments are not supported"),
        }
    }

    fn sort(&mut self) -> Result<Sort, ParseError> {
        self.parser.terms.sort_from(&mut self.parser.lexer, 0)
    }

    fn declare(&mut self, name: String) -> Result<(), ParseError> {
        let sort = self.sort()?;
        let var = self.parser.terms.declare(name.as_str(), sort);
        let term = self.parser.terms.var(var);
        self.bind(name, term);
        self.script.commands.push(Command::Declare(var));
        Ok(())
    }

    fn define(&mut self, at: usize, symbol: String) -> Result<(), ParseError> {
        let sort = self.sort()?;
        let term = self.parser.term()?;
        if self.parser.terms.sort(term) != sort {
            return self.error(at, "the definition is not of the sort that it says");
        }
        self.bind(symbol, term);
        Ok(())
    }

    fn bind(&mut self, name: String, term: TermId) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(name.clone());
        }
        self.parser.scope.insert(name, term);
    }

    fn formula(&mut self) -> Result<TermId, ParseError> {
        let (at, _) = self.parser.lexer.clone().next()?;
        let formula = self.parser.term()?;
        match self.parser.terms.sort(formula) {
            Sort::Bool => Ok(formula),
            _ => self.error(at, "expected a formula"),
        }
    }

    fn scope(&mut self, at: usize, open: bool, count: u32) -> Result<(), ParseError> {
        if open {
            if count > MOST_SCOPES || self.scopes.len() > MOST_SCOPES as usize {
                return self.error(at, "too many scopes");
            }
            self.scopes.resize_with(self.scopes.len() + count as usize, Vec::new);
            self.script.commands.push(Command::Push(count));
        } else {
            if count as usize >= self.scopes.len() {
                return self.error(at, "more scopes are closed than are open");
            }
            let kept = self.scopes.len() - count as usize;
            for name in self.scopes.drain(kept..).flatten() {
                self.parser.scope.remove(&name);
            }
            self.script.commands.push(Command::Pop(count));
        }
        Ok(())
    }

    fn check(&mut self, assumptions: Vec<TermId>) {
        let status = self.status.take();
        self.script.commands.push(Command::Check(Check { assumptions, status }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_and_checks_are_kept_in_order() {
        let mut terms = Terms::new();
        let text = "(set-logic QF_BV) ; a comment
            (set-info :source |by \"hand\"|) (set-info :status sat) (set-option :x \"a \"\" ) b\")
            (declare-const x (_ BitVec 8)) (declare-fun p () Bool)
            (define-fun d () (_ BitVec 8) (bvadd x #x01))
            (assert (= d #x02)) (check-sat) (get-model) (get-value (x (bvadd
               x #x01))) (echo \"he said \"\"sat\"\"\")
            (push 1) (declare-const y Bool) (assert y) (set-info :status unsat)
            (check-sat-assuming (p (not p))) (pop 1)
            (declare-const y Int) (exit) whatever";
        let script = terms.parse_script(text).expect("a script");
        assert_eq!(script.source.as_deref(), Some("by \"hand\""));
        let shown: Vec<String> = script
            .commands
            .iter()
            .map(|command| match command {
                Command::Declare(var) => format!("{:?}", terms.var_sort(*var)),
                Command::Assert(formula) => terms.display(*formula).to_string(),
                Command::Push(count) => format!("push {count}"),
                Command::Pop(count) => format!("pop {count}"),
                Command::Check(check) => format!("{} {:?}", check.assumptions.len(), check.status),
                Command::Model => "model".to_owned(),
                Command::Values(terms) => {
                    terms.iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>().join(", ")
                }
                Command::Echo(text) => text.clone(),
            })
            .collect();
        assert_eq!(
            shown,
            [
                "Bv(8)",
                "Bool",
                "(= x #x01)",
                "0 Some(Sat)",
                "model",
                "x, (bvadd x #x01)",
                "he said \"sat\"",
                "push 1",
                "Bool",
                "y",
                "2 Some(Unsat)",
                "pop 1",
                "Int"
            ]
        );
        assert!(!script.open_meaning);
    }

    #[test]
    fn what_is_refused_is_refused_at_its_place() {
        for (text, offset) in [
            ("(assert", 7),
            ("(assert 5)", 8),
            ("(assert x)", 8),
            ("(declare-fun f (Int) Int)", 1),
            ("(declare-const x Bool)(declare-const x Bool)", 37),
            ("(push 1)(declare-const x Bool)(pop 1)(assert x)", 45),
            ("(pop 1)", 1),
            ("(push 100001)", 1),
            ("(frobnicate)", 1),
            ("(define-fun d () Int true)", 1),
            ("(assert true", 12),
            ("(echo \"", 6),
            ("check-sat", 0),
        ] {
            let error = Terms::new().parse_script(text).expect_err(text);
            assert_eq!(error.offset, offset, "{text}: {error}");
        }
    }

    #[test]
    fn a_value_that_the_standard_leaves_open_is_noticed() {
        for (formula, open) in [
            ("(= (div x 2) 1)", false),
            ("(= (div x y) 1)", true),
            ("(= (mod 5 0) 1)", true),
            ("(= (/ r 0.5) 1.0)", false),
            ("(= (/ r 0.0) 1.0)", true),
        ] {
            let text = format!(
                "(declare-const x Int)(declare-const y Int)(declare-const r Real)(assert {formula})"
            );
            let script = Terms::new().parse_script(&text).expect("a script");
            assert_eq!(script.open_meaning, open, "{formula}");
        }
    }
}
