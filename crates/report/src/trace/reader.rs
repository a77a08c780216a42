//! Reads expressions of C where the run stands: `p->next`, `a[i + 1]`, `*p`.

use super::place::{NamedPlace, What};
use super::state::State;
use crate::tokens::{self, Token};
use crate::types::Type;

/// Reads the expression that tokens begin with, and says how many of them it has. With `whole` sums
/// and products are read too.
pub(crate) fn read(
    state: &State<'_>,
    tokens: &[Token<'_>],
    whole: bool,
) -> Option<(NamedPlace, usize)> {
    let mut reader = Reader { state, tokens, next: 0, depth: 0, whole };
    let place = if whole { reader.sum()? } else { reader.unary()? };
    Some((place, reader.next))
}

/// Expressions that are nested deeper are not read.
const DEEPEST: usize = 32;

struct Reader<'a, 'p> {
    state: &'a State<'p>,
    tokens: &'a [Token<'a>],
    next: usize,
    depth: usize,
    whole: bool,
}

fn number(value: i128, text: String) -> NamedPlace {
    NamedPlace { text, ty: None, what: What::Number(value) }
}

impl Reader<'_, '_> {
    fn peek(&self) -> &str {
        self.tokens.get(self.next).map_or("", |token| token.text)
    }

    fn take(&mut self, text: &str) -> bool {
        let found = self.peek() == text;
        self.next += usize::from(found);
        found
    }

    fn sum(&mut self) -> Option<NamedPlace> {
        let mut left = self.product()?;
        loop {
            let minus = match self.peek() {
                "+" => false,
                "-" => true,
                _ => return Some(left),
            };
            self.next += 1;
            let right = self.product()?;
            let text = format!("{} {} {}", left.text, if minus { '-' } else { '+' }, right.text);
            let (from, ty) = self.state.number(&left)?;
            let (by, _) = self.state.number(&right)?;
            // The sum of a pointer and a number moves the address by the size of the target.
            let step = match &ty {
                Some(Type::Pointer(target)) => i128::from(self.state.types.size(target)?),
                _ => 1,
            };
            let by = by.checked_mul(if minus { -step } else { step })?;
            left = NamedPlace { ty, ..number(from.checked_add(by)?, text) };
        }
    }

    fn product(&mut self) -> Option<NamedPlace> {
        let mut left = self.unary()?;
        while self.take("*") {
            let right = self.unary()?;
            let text = format!("{} * {}", left.text, right.text);
            let (a, b) = (self.state.number(&left)?.0, self.state.number(&right)?.0);
            left = number(a.checked_mul(b)?, text);
        }
        Some(left)
    }

    fn unary(&mut self) -> Option<NamedPlace> {
        self.depth += 1;
        let place = (self.depth <= DEEPEST).then(|| self.unary_inner()).flatten();
        self.depth -= 1;
        place
    }

    fn unary_inner(&mut self) -> Option<NamedPlace> {
        if self.take("*") {
            let pointer = self.unary()?;
            let text = format!("*{}", pointer.text);
            return self.target(&pointer, text);
        }
        let start = self.next;
        if self.take("(") {
            let inner = self.sum()?;
            if !self.take(")") {
                return None;
            }
            let text = if self.next - start > 3 { format!("({})", inner.text) } else { inner.text };
            return self.postfix(NamedPlace { text, ..inner });
        }
        let token = *self.tokens.get(self.next)?;
        self.next += 1;
        if !token.is_word() {
            return Some(number(tokens::number(token.text)?, token.text.to_owned()));
        }
        let place = match self.state.lookup(token.text) {
            Some(place) => place,
            None => number(self.state.types.constant(token.text)?, token.text.to_owned()),
        };
        self.postfix(place)
    }

    fn postfix(&mut self, mut place: NamedPlace) -> Option<NamedPlace> {
        loop {
            place = if self.take("[") {
                let index = self.sum()?;
                if !self.take("]") {
                    return None;
                }
                let (index, _) = self.state.number(&index)?;
                self.element(&place, index)?
            } else if self.take(".") {
                let text = format!("{}.{}", place.text, self.peek());
                self.member(&place, text)?
            } else if self.take("->") {
                let text = format!("{}->{}", place.text, self.peek());
                let target = self.target(&place, text.clone())?;
                self.member(&target, text)?
            } else if self.peek() == "(" {
                // The result of a call is not known, but the pointer through which a function is called is.
                let is_pointer = matches!(place.ty, Some(Type::Pointer(_)));
                return (self.depth == 1 && !self.whole && is_pointer).then_some(place);
            } else if matches!(self.peek(), "++" | "--") {
                // Which of the two values an index has is not known.
                return (self.depth == 1 && !self.whole).then_some(place);
            } else {
                return Some(place);
            };
        }
    }

    /// What a pointer points to.
    fn target(&self, pointer: &NamedPlace, text: String) -> Option<NamedPlace> {
        let (address, ty) = self.state.number(pointer)?;
        let Type::Pointer(target) = ty? else { return None };
        let what = What::Memory { address: u64::try_from(address).ok()?, bits: None };
        Some(NamedPlace { text, ty: Some(*target), what })
    }

    fn element(&self, array: &NamedPlace, index: i128) -> Option<NamedPlace> {
        let text = format!("{}[{index}]", array.text);
        if let What::Split(path) = &array.what {
            return self.state.part(format!("{path}[{index}]"), text);
        }
        let (address, ty) = self.state.number(array)?;
        let Type::Pointer(element) = ty? else { return None };
        let size = i128::from(self.state.types.size(&element)?);
        let address = u64::try_from(address.checked_add(index.checked_mul(size)?)?).ok()?;
        Some(NamedPlace { text, ty: Some(*element), what: What::Memory { address, bits: None } })
    }

    fn member(&mut self, record: &NamedPlace, text: String) -> Option<NamedPlace> {
        let name = self.tokens.get(self.next).filter(|token| token.is_word())?.text;
        self.next += 1;
        if let What::Split(path) = &record.what {
            return self.state.part(format!("{path}.{name}"), text);
        }
        let (Some(Type::Record(record_id)), What::Memory { address, bits: None }) =
            (&record.ty, &record.what)
        else {
            return None;
        };
        let member = self.state.types.member(*record_id, name)?;
        let address = address.checked_add(member.offset)?;
        let what = What::Memory { address, bits: member.bits };
        Some(NamedPlace { text, ty: Some(member.ty), what })
    }
}
