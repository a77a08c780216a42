//! Values as solvers write them.

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::Zero;
use rustc_hash::FxHashMap;
use term::{ArrayValue, Bv, Float, Format, Sort, Terms, Value};

use super::reply::{Expr, Reply};

/// Names that a `let` around a value has bound.
type Bound<'a> = FxHashMap<&'a str, usize>;

/// The value that an expression stands for, if it stands for a value of this sort.
pub(crate) fn read(terms: &Terms, reply: &Reply, node: usize, sort: Sort) -> Option<Value> {
    let mut bound = Bound::default();
    let mut node = node;
    // Bindings are around values, never within one.
    while let Some([word, bindings, body]) = reply.list(node)
        && reply.word(*word) == Some("let")
    {
        for binding in reply.list(*bindings)? {
            let [name, value] = reply.list(*binding)? else { return None };
            bound.insert(reply.word(*name)?, *value);
        }
        node = *body;
    }
    value(terms, reply, &bound, node, sort)
}

fn value(
    terms: &Terms,
    reply: &Reply,
    bound: &Bound<'_>,
    node: usize,
    sort: Sort,
) -> Option<Value> {
    let node = resolve(reply, bound, node);
    Some(match sort {
        Sort::Bool => match reply.word(node)? {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            _ => return None,
        },
        Sort::Int => {
            let number = number(reply, node)?;
            Value::Int(number.is_integer().then(|| number.to_integer())?)
        }
        Sort::Rat => Value::Rat(number(reply, node)?),
        Sort::Bv(width) => Value::Bv(bits(reply, node).filter(|bits| bits.width() == width)?),
        Sort::Float(format) => Value::Float(float(reply, node, format)?),
        Sort::Array(_) => return array(terms, reply, bound, node, sort),
    })
}

/// What a bound name stands for.
fn resolve(reply: &Reply, bound: &Bound<'_>, node: usize) -> usize {
    let mut node = node;
    // There are at most as many steps as names: the binding of a name refers to earlier names only.
    for _ in 0..=bound.len() {
        match reply.word(node).and_then(|word| bound.get(word)) {
            Some(next) => node = *next,
            None => break,
        }
    }
    node
}

fn number(reply: &Reply, node: usize) -> Option<BigRational> {
    match reply.at(node) {
        Expr::Word(word) => {
            let (whole, fraction) = word.split_once('.').unwrap_or((word, ""));
            let digits = format!("{whole}{fraction}");
            if whole.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
            let scale = num_traits::pow(BigInt::from(10), fraction.len());
            Some(BigRational::new(digits.parse().ok()?, scale))
        }
        Expr::List([minus, a]) if reply.word(*minus) == Some("-") => Some(-number(reply, *a)?),
        Expr::List([slash, a, b]) if reply.word(*slash) == Some("/") => {
            let (a, b) = (number(reply, *a)?, number(reply, *b)?);
            (!b.is_zero()).then(|| a / b)
        }
        Expr::List(_) => None,
    }
}

fn bits(reply: &Reply, node: usize) -> Option<Bv> {
    let (digits, radix, per_digit) = match reply.at(node) {
        Expr::Word(word) => match (word.strip_prefix("#b"), word.strip_prefix("#x")) {
            (Some(digits), _) => (digits, 2, 1),
            (_, Some(digits)) => (digits, 16, 4),
            _ => return None,
        },
        Expr::List([mark, number, width]) if reply.word(*mark) == Some("_") => {
            let digits = reply.word(*number)?.strip_prefix("bv")?;
            let width: u32 = reply.word(*width)?.parse().ok()?;
            let number = BigUint::parse_bytes(digits.as_bytes(), 10)?;
            let fits = (1..=term::MAX_WIDTH).contains(&width) && number.bits() <= u64::from(width);
            return fits.then(|| Bv::from_biguint(width, &number));
        }
        Expr::List(_) => return None,
    };
    let width = u32::try_from(digits.len()).ok()?.checked_mul(per_digit)?;
    let number = BigUint::parse_bytes(digits.as_bytes(), radix)?;
    (1..=term::MAX_WIDTH).contains(&width).then(|| Bv::from_biguint(width, &number))
}

fn float(reply: &Reply, node: usize, format: Format) -> Option<Float> {
    let (eb, sb) = (format.exponent_bits(), format.significand_bits());
    match reply.list(node)? {
        [mark, name, e, s] if reply.word(*mark) == Some("_") => {
            let size = |node: usize| reply.word(node)?.parse::<u32>().ok();
            if (size(*e)?, size(*s)?) != (eb, sb) {
                return None;
            }
            Some(match reply.word(*name)? {
                "NaN" => Float::nan(format),
                "+oo" => Float::infinity(format, false),
                "-oo" => Float::infinity(format, true),
                "+zero" => Float::zero(format, false),
                "-zero" => Float::zero(format, true),
                _ => return None,
            })
        }
        [fp, sign, exponent, fraction] if reply.word(*fp) == Some("fp") => {
            let part = |node: usize, width: u32| {
                bits(reply, node).filter(|bits| bits.width() == width)?.to_u128()
            };
            let (sign, exponent) = (part(*sign, 1)?, part(*exponent, eb)?);
            Some(Float::from_parts(format, sign == 1, exponent, part(*fraction, sb - 1)?))
        }
        _ => None,
    }
}

/// The array that an expression of writes to a constant array stands for.
fn array(
    terms: &Terms,
    reply: &Reply,
    bound: &Bound<'_>,
    node: usize,
    sort: Sort,
) -> Option<Value> {
    let Sort::Array(array) = sort else { return None };
    let (index_sort, element_sort) = terms.array_parts(array);
    let mut writes = Vec::new();
    let mut node = node;
    loop {
        node = resolve(reply, bound, node);
        match reply.list(node)? {
            [store, below, index, element] if reply.word(*store) == Some("store") => {
                writes.push((*index, *element));
                node = *below;
            }
            [head, element] => {
                let [as_, const_, _] = reply.list(*head)? else { return None };
                if reply.word(*as_) != Some("as") || reply.word(*const_) != Some("const") {
                    return None;
                }
                let default = value(terms, reply, bound, *element, element_sort)?;
                let mut map = ArrayValue::new(array, default);
                for (index, element) in writes.into_iter().rev() {
                    let index = value(terms, reply, bound, index, index_sort)?;
                    map.set(index, value(terms, reply, bound, element, element_sort)?);
                }
                return Some(Value::Array(Box::new(map)));
            }
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, sort: impl Fn(&mut Terms) -> Sort) -> Option<String> {
        let mut terms = Terms::new();
        let sort = sort(&mut terms);
        let reply = Reply::parse(text.to_owned())?;
        let value = read(&terms, &reply, reply.root(), sort)?;
        Some(value.to_string())
    }

    #[test]
    fn values_are_read_in_every_form() {
        for (text, sort, expected) in [
            ("true", Sort::Bool, Some("true")),
            ("(- 5)", Sort::Int, Some("(- 5)")),
            ("(- (/ 1.0 3.0))", Sort::Rat, Some("(/ (- 1.0) 3.0)")),
            ("1.25", Sort::Rat, Some("(/ 5.0 4.0)")),
            ("#x0f", Sort::Bv(8), Some("#x0f")),
            ("(_ bv15 8)", Sort::Bv(8), Some("#x0f")),
            ("#b101", Sort::Bv(3), Some("#b101")),
            ("(_ -zero 5 11)", Sort::Float(Format::Half), Some("(_ -zero 5 11)")),
            ("(fp #b1 #b11111 #b0000000000)", Sort::Float(Format::Half), Some("(_ -oo 5 11)")),
            ("1.5", Sort::Int, None),
            ("(/ 1 0)", Sort::Rat, None),
            ("#x0f", Sort::Bv(9), None),
            ("(_ bv256 8)", Sort::Bv(8), None),
            ("(_ NaN 8 24)", Sort::Float(Format::Half), None),
            ("x", Sort::Bool, None),
            ("--5", Sort::Int, None),
        ] {
            assert_eq!(shown(text, |_| sort).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn arrays_are_writes_to_a_constant_one() {
        let sort = |terms: &mut Terms| terms.array_sort(Sort::Bv(4), Sort::Bool);
        let bottom = "((as const (Array (_ BitVec 4) Bool)) false)";
        let text = format!(
            "(let ((a!1 (store {bottom} #x1 true))) (store (store a!1 #x2 true) #x1 false))"
        );
        assert_eq!(shown(&text, sort).as_deref(), Some("[#x2 -> true, _ -> false]"));
        assert_eq!(shown("(_ as-array f)", sort), None);
        let many = format!("{}{bottom}{}", "(store ".repeat(50_000), " #x3 true)".repeat(50_000));
        assert_eq!(shown(&many, sort).as_deref(), Some("[#x3 -> true, _ -> false]"));
    }
}
