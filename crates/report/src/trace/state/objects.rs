//! Objects of a run in words: which object an address belongs to, what a stretch of bytes holds, what became
//! of an object that is accessed when it is gone.

use base::Span;
use cfa::{Access, ObjectKind, Reading, Scope};
use interp::Holder;
use term::{Bv, Evaluator, TermId, Value, Var};

use super::super::place::{NamedPlace, What};
use super::words::{PARTS, quoted};
use super::{MOST, Region, State, address};
use crate::counted::counted;
use crate::types::{Type, Wanted};

/// Sizes of values without parts, the larger first.
const SCALARS: [u64; 4] = [8, 4, 2, 1];

/// If an access is farther outside of an object than this, the text does not give its distance from the object.
const FARTHEST: u64 = 1 << 20;

/// Addresses below this one count as a null pointer, or as a member behind a null pointer.
pub(crate) const LOWEST: u64 = 4096;

/// The fault of freeing what is no block of the heap.
pub(crate) const INVALID_FREE: &str = "invalid free";

/// The fault of writing to a constant, and what is said of the constant.
const CONSTANT_WRITTEN: (&str, &str) = ("write to a constant", "must not be written");

/// What is wrong with an access.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Wrong {
    /// The kind of fault.
    pub(crate) what: &'static str,
    /// The object, by its name, as `heap#1` or as a string, and what is to be said of it.
    pub(crate) object: Option<(String, String)>,
    /// The first address that belongs to the object, and the first that does not.
    pub(crate) extent: (u64, u64),
}

impl State<'_> {
    /// The type of the object behind a pointer argument of the entry function, or of a structure that the function
    /// gets by value. Several objects in a row are an array.
    pub(super) fn pointed(&self, var: Var, size: u64) -> Option<Type> {
        let known = self.program.cfa.variables.get(var)?;
        let start = self.program.cfa.start?;
        let name = known.source_name.as_ref().filter(|_| known.scope == Scope::Local(start))?;
        let mut target = match self.types.declared(known.span?)?.clone() {
            Type::Pointer(target) => target,
            whole @ Type::Record(_) => return Some(whole),
            _ => return None,
        };
        // The object `argv[1]` is the target of an element of `argv`.
        if name.ends_with(']') {
            let Type::Pointer(inner) = *target else { return None };
            target = inner;
        }
        let count = size.checked_div(self.types.size(&target)?)?;
        Some(match count {
            1 => *target,
            _ => Type::Array(target, Some(count)),
        })
    }

    /// Notes an object that begins: the numbers of objects must be the same as in the interpreter.
    pub(super) fn born(&mut self, start: u64, name: &str) {
        self.births.push((start, name.to_owned()));
    }

    /// The bytes of an object that hold a value, according to the interpreter.
    pub(crate) fn held_by(&self, holder: Holder, size: u64) -> Option<NamedPlace> {
        let Holder::Memory { object, offset } = holder else { return None };
        if !self.is_counted {
            return None;
        }
        let (start, name) = self.births.get(usize::try_from(object).ok()?)?;
        let region = self.regions.iter().rev().find(|region| region.start == *start)?;
        if name.is_empty() || region.name != *name {
            return None;
        }
        let what = What::Memory { address: start.checked_add(offset)?, bits: None };
        let path = |ty| self.types.path(ty, offset, Wanted::Scalar(size));
        if let Some((path, ty)) = region.ty.as_ref().and_then(path) {
            return Some(NamedPlace { text: format!("{name}{path}"), ty: Some(ty), what });
        }
        let whole = offset == 0 && size == region.size;
        let text = if whole { name.clone() } else { self.stretch_name(region, offset, size) };
        Some(NamedPlace { text, ty: None, what })
    }

    /// Where the bytes are that a value was chosen for.
    pub(crate) fn address_of(&self, holder: Holder) -> Option<u64> {
        let Holder::Memory { object, offset } = holder else { return None };
        let (start, _) = self.births.get(usize::try_from(object).ok()?)?;
        start.checked_add(offset).filter(|_| self.is_counted)
    }

    /// The parts of an object that a value was chosen for all at once: `f.q.n = 100, f.q.b[2] = 7`.
    pub(crate) fn parts_held_by(&self, holder: Holder, bits: &Bv) -> Option<String> {
        let Holder::Memory { object, offset } = holder else { return None };
        let (start, name) = self.births.get(usize::try_from(object).ok()?)?;
        let region = self.regions.iter().rev().find(|region| region.start == *start)?;
        self.parts(name, region.ty.as_ref()?, offset, bits)
    }

    /// The parts of a value of a type that hold the bytes of `bits`, from an offset on. Parts that are zero are put
    /// together. None if all parts are zero, or if a byte that is not zero belongs to no part.
    pub(crate) fn parts(&self, name: &str, ty: &Type, from: u64, bits: &Bv) -> Option<String> {
        let bytes = u64::from(bits.width() / 8);
        let (mut at, mut told, mut is_cut) = (0, Vec::new(), false);
        while at < bytes {
            let is_whole = |size: &u64| at + size <= bytes;
            let part = SCALARS.into_iter().filter(is_whole).find_map(|size| {
                let (path, ty) = self.types.path(ty, from + at, Wanted::Scalar(size))?;
                Some((size, path, ty))
            });
            let size = part.as_ref().map_or(1, |(size, ..)| *size);
            let (low, high) = (u32::try_from(at * 8).ok()?, u32::try_from((at + size) * 8).ok()?);
            let value = bits.extract(high - 1, low);
            match part {
                Some((_, path, ty)) if !value.is_zero() => {
                    let value = self.show(&Value::Bv(value), Some(&ty), Reading::Plain);
                    told.push(format!("{name}{path} = {value}"));
                }
                None if !value.is_zero() => return None,
                part => is_cut |= part.is_some(),
            }
            at += size;
        }
        if told.is_empty() {
            return None;
        }
        let others = match is_cut {
            true => format!(" (all else in bytes {from}..{} is 0)", from + bytes),
            false => String::new(),
        };
        Some(told.join(", ") + &others)
    }

    /// `a[2..4]`, or `bytes 2..4 of s`.
    fn stretch_name(&self, region: &Region, offset: u64, length: u64) -> String {
        let (name, end) = (&region.name, offset + length);
        if let Some(Type::Array(element, _)) = &region.ty
            && let Some(size) = self.types.size(element).filter(|size| *size > 0)
            && offset.is_multiple_of(size)
            && length.is_multiple_of(size)
        {
            return match (offset / size, end / size) {
                (first, end) if end - first == 1 => format!("{name}[{first}]"),
                (first, end) => format!("{name}[{first}..{end}]"),
            };
        }
        format!("bytes {offset}..{end} of {name}")
    }

    /// Where the structure goes that the present function returns, with its type: the caller passes the
    /// address as a parameter that the source does not have.
    pub(crate) fn returned_structure(&self) -> Option<NamedPlace> {
        let function = &self.program.cfa.functions[self.function?];
        let hidden = *function.parameters.first().filter(|_| function.results.is_empty())?;
        if self.program.cfa.variables[hidden].source_name.is_some() {
            return None;
        }
        let ty = self.types.returned(&function.name)?;
        let Type::Record(_) = ty else { return None };
        let address = address(self.held(hidden)?)?;
        let what = What::Memory { address, bits: None };
        Some(NamedPlace { text: String::new(), ty: Some(ty.clone()), what })
    }

    /// Whether an address is in the bytes of a place.
    pub(crate) fn is_part_of(&self, at: u64, place: &NamedPlace) -> bool {
        let What::Memory { address, .. } = place.what else { return false };
        let size = place.ty.as_ref().and_then(|ty| self.types.size(ty)).unwrap_or(0);
        at.checked_sub(address).is_some_and(|offset| offset < size)
    }

    /// The first address of a structure or array and the one behind it, if another address is in it.
    pub(crate) fn extent(&self, place: &NamedPlace, at: u64) -> Option<(u64, u64)> {
        let What::Memory { address, bits: None } = place.what else { return None };
        let size = self.types.size(place.ty.as_ref().filter(|ty| ty.is_aggregate())?)?;
        let end = address.checked_add(size)?;
        (address..end).contains(&at).then_some((address, end))
    }

    /// Bytes that were written, in words: `buf[0..16] = 0`, `s = "abc"`.
    pub(crate) fn stretch(&self, start: u64, length: u64) -> Option<String> {
        let region = self.region(start).filter(|region| {
            let offset = start - region.start;
            length > 0 && offset + length <= region.size && !region.name.is_empty()
        })?;
        if let Some(text) = self.whole_at(start, length).and_then(|place| self.told(&place)) {
            return Some(text);
        }
        let offset = start - region.start;
        let bytes: Option<Vec<u8>> = match length {
            0..=MOST => (0..length).map(|at| self.byte(start.wrapping_add(at))).collect(),
            _ => None,
        };
        let same = bytes.as_deref().and_then(same);
        // The bytes may belong to an array inside a structure.
        let inner = region.ty.as_ref().and_then(|ty| self.types.array_at(ty, offset, length));
        if let Some((path, Type::Array(element, count), before)) = &inner
            && let Some(size) = self.types.size(element).filter(|size| *size > 0)
            && (offset - before).is_multiple_of(size)
            && length.is_multiple_of(size)
        {
            let name = format!("{}{path}", region.name);
            let (first, count_here) = ((offset - before) / size, length / size);
            let array = region.start.wrapping_add(*before);
            if **element == Type::Character
                && same.is_none()
                && let Some(text) = count.and_then(|count| self.characters(array, count))
            {
                return Some(format!("{name} = {text}"));
            }
            let name = match count_here {
                1 => format!("{name}[{first}]"),
                _ => format!("{name}[{first}..{}]", first + count_here),
            };
            let value = self.elements(start, element, count_here, size, same, bytes.as_deref());
            return Some(match value {
                Some(value) => format!("{name} = {value}"),
                None => format!("{name} is set"),
            });
        }
        let stretch = self.stretch_name(region, offset, length);
        Some(match same {
            Some(byte) => format!("{stretch} = {byte}"),
            None => format!("{stretch} are set"),
        })
    }

    /// A place with its value. If all elements of an array are equal, only one is shown.
    pub(crate) fn told(&self, place: &NamedPlace) -> Option<String> {
        let value = self.text(place)?;
        if let (What::Memory { address, .. }, Some(Type::Array(element, Some(count)))) =
            (&place.what, &place.ty)
            && *count > PARTS as u64
            && value.starts_with('{')
            && let Some(size) = self.types.size(element).filter(|size| size * count <= MOST)
            && let Some(bytes) = (0..size * count)
                .map(|at| self.byte(address.wrapping_add(at)))
                .collect::<Option<Vec<u8>>>()
            && let Some(byte) = same(&bytes)
            && let Some(value) =
                self.elements(*address, element, *count, size, Some(byte), Some(&bytes))
        {
            return Some(format!("{}[0..{count}] = {value}", place.text));
        }
        Some(format!("{} = {value}", place.text))
    }

    /// The values of some elements: one if all are alike, a text, or the first ones in brackets.
    fn elements(
        &self,
        start: u64,
        element: &Type,
        count: u64,
        size: u64,
        same: Option<u8>,
        bytes: Option<&[u8]>,
    ) -> Option<String> {
        let one = |index: u64| {
            let address = start.wrapping_add(index * size);
            let what = What::Memory { address, bits: None };
            self.text(&NamedPlace { text: String::new(), ty: Some(element.clone()), what })
        };
        if count == 1 || same.is_some() {
            return one(0);
        }
        if *element == Type::Character {
            let bytes = bytes?;
            let end = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
            return Some(match bytes.len() - end {
                0 | 1 => quoted(bytes),
                _ => format!("{} and zeros", quoted(&bytes[..end])),
            });
        }
        let shown: Option<Vec<String>> = (0..count.min(PARTS as u64)).map(one).collect();
        let more = if count > PARTS as u64 { ", …" } else { "" };
        Some(format!("{{{}{more}}}", shown?.join(", ")))
    }

    /// The name of a block of the heap that starts at an address.
    pub(crate) fn block(&self, start: u64) -> Option<&str> {
        let is_it = |region: &&Region| region.is_heap && region.start == start;
        self.regions.iter().rev().find(is_it).map(|region| &*region.name)
    }

    /// The blocks of the heap that still live, in words: `heap#1 (10 bytes, allocated at line 7)`. None are told where
    /// a part of the run was not followed, which may have freed some of them and made others.
    pub(crate) fn left(&self) -> Vec<String> {
        let lives = |region: &&Region| self.is_counted && region.is_heap && !region.is_freed;
        let described = |region: &Region| {
            let place = region.made_at.map(|span| format!(", allocated{}", self.line(span)));
            let (size, place) = (counted(region.bytes, "byte"), place.unwrap_or_default());
            format!("{} ({size}{place})", region.name)
        };
        self.regions.iter().filter(lives).map(described).collect()
    }

    /// The value of a term in an activation, if all of its variables are known.
    pub(crate) fn eval(&self, term: TermId, depth: usize) -> Option<Value> {
        let known = ActivationValues { state: self, depth };
        Evaluator::new().eval(&self.program.terms, term, &known).ok()
    }

    /// The address that the program means. A check whether bytes are set looks at the bytes behind them that say so,
    /// so their address is mapped back.
    fn told_address(&self, at: u64) -> u64 {
        let distance = self.program.cfa.shadow;
        let Some(meant) = at.checked_sub(distance).filter(|_| distance > 0) else { return at };
        let is_behind = |start: u64| at.checked_sub(start).is_some_and(|offset| offset >= distance);
        let is_meant = meant < LOWEST || self.nearest(at).is_some_and(|near| is_behind(near.start));
        if is_meant { meant } else { at }
    }

    /// What is wrong with the use of `length` bytes at an address.
    pub(crate) fn wrong(&self, at: u64, length: u64, access: Access) -> Option<Wrong> {
        let is_free = access == Access::Free;
        let at = self.told_address(at);
        if at < LOWEST {
            let what = "access through a null pointer";
            return (!is_free).then_some(Wrong { what, object: None, extent: (0, LOWEST) });
        }
        let region = self.nearest(at)?;
        let (start, end) = (region.start, region.start + region.size);
        let name = match region.is_heap {
            true => region.name.clone(),
            false => self.string(start).unwrap_or_else(|| format!("`{}`", region.name)),
        };
        let wrong =
            |what, said: String| Wrong { what, object: Some((name, said)), extent: (start, end) };
        let is_inside = (start..end).contains(&at);
        if region.is_freed && is_inside {
            let place = region.freed_at.map(|span| self.line(span)).unwrap_or_default();
            return Some(match (region.is_heap, is_free) {
                (true, true) => wrong("double free", format!("was freed{place}")),
                (true, false) => wrong("use after free", format!("was freed{place}")),
                (false, _) => {
                    let said = "is gone: its block or function has ended".to_owned();
                    wrong("use of an object after its end", said)
                }
            });
        }
        if is_free {
            let said = match region.is_heap {
                true => {
                    format!("is freed by an address that is {} inside", counted(at - start, "byte"))
                }
                false => "is not on the heap".to_owned(),
            };
            return is_inside.then(|| wrong(INVALID_FREE, said));
        }
        let is_within = is_inside && length <= end - at;
        if is_within && access == Access::Write && self.is_read_only(region) {
            return Some(wrong(CONSTANT_WRITTEN.0, CONSTANT_WRITTEN.1.to_owned()));
        }
        if is_within {
            return None;
        }
        let offset = i128::from(at) - i128::from(start);
        let (size, accessed) = (counted(region.bytes, "byte"), counted(length, "byte"));
        let said = format!("has {size}; this access is at offset {offset}, {accessed}");
        Some(wrong("access out of bounds", said))
    }

    /// What is wrong with a write to the constant whose address a variable holds.
    pub(crate) fn written_constant(&self, var: Var) -> Option<Wrong> {
        let region =
            self.region(address(self.held(var)?)?).filter(|region| !region.name.is_empty())?;
        let (what, said) = CONSTANT_WRITTEN;
        let object = Some((format!("`{}`", region.name), said.to_owned()));
        Some(Wrong { what, object, extent: (region.start, region.start + region.size) })
    }

    /// The object at an address, or else the nearest object; of equally near objects, one that still lives comes
    /// first.
    pub(super) fn nearest(&self, at: u64) -> Option<&Region> {
        let distance = |region: &Region| match at.checked_sub(region.start) {
            None => region.start - at,
            Some(offset) => (offset + 1).saturating_sub(region.size),
        };
        let rank = |region: &&Region| {
            let far = distance(region);
            (far > 0, far, region.is_freed)
        };
        let named = self.regions.iter().rev().filter(|region| !region.name.is_empty());
        named.min_by_key(rank).filter(|region| distance(region) <= FARTHEST)
    }

    fn is_read_only(&self, region: &Region) -> bool {
        let object = region.object.map(|id| &self.program.cfa.objects[id]);
        object.is_some_and(|object| object.kind == ObjectKind::ReadOnly)
    }

    /// ` at line 12`.
    fn line(&self, span: Span) -> String {
        format!(" at line {}", self.program.sources.position(span).line)
    }

    /// Whether the pointer in a place points into a stretch, or just past its end.
    pub(crate) fn points_into(&self, place: &NamedPlace, (start, end): (u64, u64)) -> bool {
        let number = self.number(place).filter(|(_, ty)| matches!(ty, Some(Type::Pointer(_))));
        let at = number.and_then(|(number, _)| u64::try_from(number).ok());
        at.is_some_and(|at| (start..=end).contains(&at))
    }
}

/// The value of some bytes if all of them are equal.
fn same(bytes: &[u8]) -> Option<u8> {
    let (first, rest) = bytes.split_first()?;
    rest.iter().all(|byte| byte == first).then_some(*first)
}

/// The variables of an activation, the global ones, and the addresses of objects.
struct ActivationValues<'a, 'p> {
    state: &'a State<'p>,
    depth: usize,
}

impl term::Environment for ActivationValues<'_, '_> {
    fn get(&self, var: Var) -> Option<&Value> {
        let State { frames, globals, addresses, .. } = self.state;
        let local = frames.get(self.depth).and_then(|frame| frame.get(&var));
        let held = local.or_else(|| globals.get(&var));
        held.and_then(Option::as_ref).or_else(|| addresses.get(&var))
    }
}
