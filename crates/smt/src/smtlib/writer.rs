//! Writes formulas with what they need before them: declarations as variables occur, shared or long subterms as
//! definitions, so that the length of the text is linear in the number of terms.

use std::fmt::Write as _;

use rustc_hash::FxHashMap;
use term::{Float, Format, Op, Sort, TermId, Terms, View};

use super::Missing;
use super::names::Names;
use super::translate::{self, Dialect, zeros};

/// A script in the making.
///
/// Symbols that were declared or defined in a scope are forgotten when the scope is closed, as solvers do it.
pub(crate) struct Writer {
    /// The text that has been written and not yet taken.
    pub out: String,
    dialect: Dialect,
    names: Names,
    /// Terms that have a name: variables that are declared, and definitions.
    named: FxHashMap<TermId, Box<str>>,
    /// The terms that got a name in each scope, in order.
    scopes: Vec<Vec<TermId>>,
    count: u64,
}

/// A subterm that occurs again is defined if its text is longer than this.
const SHARED: usize = 24;

/// A subterm is defined in any case if its text is longer than this.
const LONG: usize = 300;

impl Writer {
    pub fn new(dialect: Dialect) -> Self {
        Self {
            out: String::new(),
            dialect,
            names: Names::default(),
            named: FxHashMap::default(),
            scopes: vec![Vec::new()],
            count: 0,
        }
    }

    pub fn push(&mut self) {
        self.out.push_str("(push 1)\n");
        self.scopes.push(Vec::new());
    }

    pub fn pop(&mut self) {
        self.out.push_str("(pop 1)\n");
        for term in self.scopes.pop().into_iter().flatten() {
            self.named.remove(&term);
        }
    }

    /// A symbol that differs from all other symbols.
    pub fn fresh(&mut self, kind: char) -> String {
        self.count += 1;
        format!("{kind}!{}", self.count)
    }

    /// The symbol of a variable.
    pub fn symbol(&mut self, terms: &Terms, var: term::Var) -> &str {
        self.names.symbol(terms, var)
    }

    /// The text of a term, after the declarations and definitions that the term needs have been written.
    pub fn term(&mut self, terms: &Terms, root: TermId) -> Result<String, Missing> {
        let (order, uses) = self.unnamed(terms, root);
        let mut texts: FxHashMap<TermId, String> = FxHashMap::default();
        for term in order {
            let text = match terms.view(term) {
                View::Var(var) => {
                    let symbol = self.names.symbol(terms, var).to_owned();
                    let sort = terms.display_sort(terms.var_sort(var));
                    let _ = writeln!(self.out, "(declare-fun {symbol} () {sort})");
                    self.name(term, symbol);
                    continue;
                }
                View::Const(_) => terms.display(term).to_string(),
                View::App(op, args) => {
                    let parts: Vec<&str> = args
                        .iter()
                        .map(|arg| match self.named.get(arg) {
                            Some(name) => &**name,
                            None => texts[arg].as_str(),
                        })
                        .collect();
                    match (op, terms.sort(args[0])) {
                        (Op::FpToBits, Sort::Float(format)) => {
                            let part = parts[0].to_owned();
                            self.encoding(format, &part)
                        }
                        _ => translate::apply(terms, self.dialect, op, args, &parts)?,
                    }
                }
            };
            let shared = uses.get(&term).is_some_and(|uses| *uses > 1);
            if term != root && (text.len() > LONG || shared && text.len() > SHARED) {
                let symbol = self.fresh('d');
                let sort = terms.display_sort(terms.sort(term));
                let _ = writeln!(self.out, "(define-fun {symbol} () {sort} {text})");
                self.name(term, symbol);
            } else {
                texts.insert(term, text);
            }
        }
        match (self.named.get(&root), texts.remove(&root)) {
            (Some(name), _) => Ok(name.to_string()),
            (None, Some(text)) => Ok(text),
            (None, None) => Err("a term without text".to_owned()),
        }
    }

    /// Asserts a formula.
    pub fn assert(&mut self, terms: &Terms, formula: TermId) -> Result<(), Missing> {
        let text = self.term(terms, formula)?;
        let _ = writeln!(self.out, "(assert {text})");
        Ok(())
    }

    fn name(&mut self, term: TermId, symbol: String) {
        self.named.insert(term, symbol.into());
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(term);
        }
    }

    /// The subterms without names, arguments first, and how often each of them is an argument of another.
    fn unnamed(&self, terms: &Terms, root: TermId) -> (Vec<TermId>, FxHashMap<TermId, u32>) {
        let mut order = Vec::new();
        let mut uses: FxHashMap<TermId, u32> = FxHashMap::default();
        let mut stack = vec![(root, false)];
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some((term, done)) = stack.pop() {
            if done {
                order.push(term);
                continue;
            }
            if self.named.contains_key(&term) || !seen.insert(term) {
                continue;
            }
            stack.push((term, true));
            if let View::App(_, args) = terms.view(term) {
                for arg in args.iter().rev() {
                    *uses.entry(*arg).or_default() += 1;
                    stack.push((*arg, false));
                }
            }
        }
        (order, uses)
    }

    /// The encoding of a float. SMT-LIB only converts from bits to floats, so the bits are a new symbol whose float is
    /// this one; such bits always exist, and are unique because NaN has a single encoding here.
    fn encoding(&mut self, format: Format, float: &str) -> String {
        let bits = self.fresh('b');
        let (eb, sb) = (format.exponent_bits(), format.significand_bits());
        let width = eb + sb;
        let (_, exponent, fraction) = Float::nan(format).parts();
        let nan = (exponent << (sb - 1)) | fraction;
        let _ = writeln!(self.out, "(declare-fun {bits} () (_ BitVec {width}))");
        let _ = writeln!(
            self.out,
            "(assert (ite (fp.isNaN {float}) (= {bits} #b{nan:0width$b}) (= ((_ to_fp {eb} {sb}) {bits}) {float})))",
            width = width as usize
        );
        if format != Format::X87 {
            return bits;
        }
        // The x87 stores the leading bit, which is one unless the exponent is zero.
        let zero = zeros(15);
        format!(
            "(concat ((_ extract 78 63) {bits}) (concat (ite (= ((_ extract 77 63) {bits}) {zero}) #b0 #b1) ((_ extract 62 0) {bits})))"
        )
    }
}
