//! The text form: SMT-LIB 2.6, with plain names for what the standard lacks.
//!
//! - `fp.fmod`, `rem`, `bvuaddo`, `bvsaddo`, `bvusubo`, `bvssubo`, `bvumulo`, `bvsmulo`,
//!   `sbv_to_int`, `fp.to_ieee_bv` have one meaning each, that of [`Op`].
//! - The x87 format is `(_ FloatingPoint 15 64)`. Its encoding has 80 bits where SMT-LIB would
//!   have 79, so `fp.x87_from_bits` and `fp.x87_to_bits` stand for the conversions.
//! - A name that is not a simple symbol stands between bars; a bar or backslash in it, which the
//!   standard forbids, is written `\|` or `\\`.
//! - A subterm that occurs more than once and is not small is bound by `let`.

use std::fmt::{self, Display, Formatter};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::names;
use crate::op::Op;
use crate::sort::{Format, Rounding, Sort};
use crate::table::{TermId, Terms, View};
use crate::value::Value;

/// A shared subterm of at least this many nodes is bound by `let`.
const LARGE: usize = 6;

impl Terms {
    /// The term as SMT-LIB text. Its length is linear in the number of distinct subterms.
    pub fn display(&self, t: TermId) -> impl Display + '_ {
        TermText { terms: self, root: t }
    }

    /// An operator as it stands before its arguments: `bvadd`, `(_ extract 7 0)`, `fp.add RNE`.
    pub fn operator<'a>(&'a self, op: Op, args: &'a [TermId]) -> impl Display + 'a {
        OperatorText { terms: self, op, args }
    }

    /// The sort as SMT-LIB text.
    pub fn display_sort(&self, s: Sort) -> impl Display + '_ {
        SortText { terms: self, sort: s }
    }
}

struct SortText<'a> {
    terms: &'a Terms,
    sort: Sort,
}

impl Display for SortText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        // Element sorts nest to the right, so the closing parentheses come last.
        let mut sort = self.sort;
        let mut open = 0;
        loop {
            match sort {
                Sort::Bool => write!(f, "Bool")?,
                Sort::Int => write!(f, "Int")?,
                Sort::Rat => write!(f, "Real")?,
                Sort::Bv(width) => write!(f, "(_ BitVec {width})")?,
                Sort::Float(format) => {
                    write!(
                        f,
                        "(_ FloatingPoint {} {})",
                        format.exponent_bits(),
                        format.significand_bits()
                    )?;
                }
                Sort::Array(array) => {
                    let (index, element) = self.terms.array_parts(array);
                    write!(f, "(Array {} ", SortText { terms: self.terms, sort: index })?;
                    open += 1;
                    sort = element;
                    continue;
                }
            }
            break;
        }
        for _ in 0..open {
            write!(f, ")")?;
        }
        Ok(())
    }
}

struct OperatorText<'a> {
    terms: &'a Terms,
    op: Op,
    args: &'a [TermId],
}

impl Display for OperatorText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.terms.write_head(f, self.op, self.args)
    }
}

struct TermText<'a> {
    terms: &'a Terms,
    root: TermId,
}

/// The subterms that get a name, in the order in which they have to be bound.
struct Lets {
    order: Vec<TermId>,
    names: FxHashMap<TermId, String>,
}

impl Display for TermText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let lets = self.lets();
        for term in &lets.order {
            write!(f, "(let (({} ", lets.names[term])?;
            self.write(f, *term, &lets)?;
            write!(f, ")) ")?;
        }
        match lets.names.get(&self.root) {
            Some(name) => write!(f, "{name}")?,
            None => self.write(f, self.root, &lets)?,
        }
        for _ in &lets.order {
            write!(f, ")")?;
        }
        Ok(())
    }
}

/// What is still to be written; the item to write next is the last one.
enum Item {
    Term(TermId),
    Close,
}

impl TermText<'_> {
    fn lets(&self) -> Lets {
        let post_order = self.terms.post_order(&[self.root]);
        let mut uses: FxHashMap<TermId, u32> = FxHashMap::default();
        let mut taken: FxHashSet<&str> = FxHashSet::default();
        for term in &post_order {
            match self.terms.view(*term) {
                View::Var(v) => {
                    taken.insert(self.terms.var_name(v));
                }
                View::Const(_) => {}
                View::App(_, args) => {
                    for arg in args {
                        *uses.entry(*arg).or_default() += 1;
                    }
                }
            }
        }
        let mut sizes: FxHashMap<TermId, usize> = FxHashMap::default();
        let mut lets = Lets { order: Vec::new(), names: FxHashMap::default() };
        let mut number = 0;
        for term in post_order {
            let size = match self.terms.view(term) {
                View::Const(Value::Array(array)) => 1 + 2 * array.entries.len(),
                View::Var(_) | View::Const(_) => 1,
                View::App(_, args) => {
                    args.iter().fold(1usize, |sum, arg| sum.saturating_add(sizes[arg]))
                }
            };
            let shared = uses.get(&term).is_some_and(|uses| *uses > 1);
            if !shared || size < LARGE {
                sizes.insert(term, size);
                continue;
            }
            let mut name = format!("?{number}");
            while taken.contains(name.as_str()) {
                number += 1;
                name = format!("?{number}");
            }
            number += 1;
            lets.names.insert(term, name);
            lets.order.push(term);
            sizes.insert(term, 1);
        }
        lets
    }

    /// Writes a term: the term itself in full, its named subterms by name.
    fn write(&self, f: &mut Formatter<'_>, root: TermId, lets: &Lets) -> fmt::Result {
        let mut items = vec![Item::Term(root)];
        let mut first = true;
        while let Some(item) = items.pop() {
            let term = match item {
                Item::Close => {
                    write!(f, ")")?;
                    continue;
                }
                Item::Term(term) => term,
            };
            if !first {
                write!(f, " ")?;
                if let Some(name) = lets.names.get(&term) {
                    write!(f, "{name}")?;
                    continue;
                }
            }
            first = false;
            match self.terms.view(term) {
                View::Var(v) => write_symbol(f, self.terms.var_name(v))?,
                View::Const(value) => self.write_value(f, value)?,
                View::App(op, args) => {
                    write!(f, "(")?;
                    self.terms.write_head(f, op, args)?;
                    items.push(Item::Close);
                    items.extend(args.iter().rev().map(|arg| Item::Term(*arg)));
                }
            }
        }
        Ok(())
    }

    fn write_value(&self, f: &mut Formatter<'_>, value: &Value) -> fmt::Result {
        let Value::Array(array) = value else {
            return write!(f, "{value}");
        };
        for _ in &array.entries {
            write!(f, "(store ")?;
        }
        write!(f, "((as const {}) ", self.terms.display_sort(value.sort()))?;
        self.write_value(f, &array.default)?;
        write!(f, ")")?;
        for (index, element) in &array.entries {
            write!(f, " ")?;
            self.write_value(f, index)?;
            write!(f, " ")?;
            self.write_value(f, element)?;
            write!(f, ")")?;
        }
        Ok(())
    }
}

impl Terms {
    /// The operator, with its rounding mode if it has one.
    fn write_head(&self, f: &mut Formatter<'_>, op: Op, args: &[TermId]) -> fmt::Result {
        let to_fp = |f: &mut Formatter<'_>, name: &str, format: Format| {
            write!(f, "(_ {name} {} {})", format.exponent_bits(), format.significand_bits())
        };
        match op {
            Op::BvExtract { high, low } => write!(f, "(_ extract {high} {low})"),
            Op::BvZeroExtend(to) => write!(f, "(_ zero_extend {})", to - self.width(args[0])),
            Op::BvSignExtend(to) => write!(f, "(_ sign_extend {})", to - self.width(args[0])),
            Op::IntToBv(width) => write!(f, "(_ int2bv {width})"),
            Op::ConstArray(sort) => {
                write!(f, "(as const {})", self.display_sort(Sort::Array(sort)))
            }
            Op::FpToFp(rounding, format) | Op::FpFromSignedBv(rounding, format) => {
                to_fp(f, "to_fp", format)?;
                write!(f, " {}", rounding.name())
            }
            Op::FpFromUnsignedBv(rounding, format) => {
                to_fp(f, "to_fp_unsigned", format)?;
                write!(f, " {}", rounding.name())
            }
            Op::FpFromBits(Format::X87) => write!(f, "fp.x87_from_bits"),
            Op::FpFromBits(format) => to_fp(f, "to_fp", format),
            Op::FpToBits if self.sort(args[0]) == Sort::Float(Format::X87) => {
                write!(f, "fp.x87_to_bits")
            }
            Op::FpToSignedBv(rounding, width) => {
                write!(f, "(_ fp.to_sbv {width}) {}", rounding.name())
            }
            Op::FpToUnsignedBv(rounding, width) => {
                write!(f, "(_ fp.to_ubv {width}) {}", rounding.name())
            }
            _ => {
                write!(f, "{}", names::name(op))?;
                match names::rounding(op) {
                    Some(rounding) => write!(f, " {}", rounding.name()),
                    None => Ok(()),
                }
            }
        }
    }
}

/// Names that mean something else when they stand alone.
const RESERVED: [&str; 15] = [
    "true",
    "false",
    "let",
    "_",
    "!",
    "as",
    "par",
    "forall",
    "exists",
    "match",
    "BINARY",
    "DECIMAL",
    "HEXADECIMAL",
    "NUMERAL",
    "STRING",
];

/// Whether a character may stand in a symbol of SMT-LIB without bars.
#[must_use]
pub fn is_symbol_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c)
}

fn write_symbol(f: &mut Formatter<'_>, name: &str) -> fmt::Result {
    let simple = !name.is_empty()
        && name.chars().all(is_symbol_char)
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && !RESERVED.contains(&name)
        && Rounding::from_name(name).is_none();
    if simple {
        return write!(f, "{name}");
    }
    write!(f, "|")?;
    for c in name.chars() {
        if matches!(c, '|' | '\\') {
            write!(f, "\\")?;
        }
        write!(f, "{c}")?;
    }
    write!(f, "|")
}
