//! What a name means where the run stands, and which number or value is there.

use cfa::Reading;
use rustc_hash::FxHashMap;
use term::{Bv, Float, Format, Value, Var};

use super::super::place::{NamedPlace, What};
use super::{State, address};
use crate::scope;
use crate::types::Type;

impl State<'_> {
    /// What a name means where the run stands.
    pub(in crate::trace) fn lookup(&self, name: &str) -> Option<NamedPlace> {
        let frame = self.frames.get(self.depth)?;
        if let Some(place) = self.lookup_in(frame, name) {
            return Some(place);
        }
        if let Some(place) = self.lookup_in(&self.globals, name) {
            return Some(place);
        }
        let is_split = |var: &Var| {
            let known = self.program.cfa.variables[*var].source_name.as_deref().unwrap_or("");
            known.strip_prefix(name).is_some_and(|rest| rest.starts_with(['.', '[']))
        };
        if frame.keys().chain(self.globals.keys()).any(is_split) {
            let what = What::Split(name.to_owned());
            return Some(NamedPlace { text: name.to_owned(), ty: None, what });
        }
        let function = self.function.map(|id| &*self.program.cfa.functions[id].name);
        let inner = function.map(|function| format!("{function}::{name}"));
        let inner = inner.and_then(|inner| self.placed.get(&inner));
        let address = *inner.or_else(|| self.placed.get(name))?;
        let region = self.regions.iter().find(|region| region.start == address)?;
        let what = What::Memory { address, bits: None };
        Some(NamedPlace { text: name.to_owned(), ty: region.ty.clone(), what })
    }

    fn lookup_in(&self, frame: &FxHashMap<Var, Option<Value>>, name: &str) -> Option<NamedPlace> {
        let named = |var: &Var| {
            let known = self.program.cfa.variables[*var].source_name.as_deref();
            known.is_some_and(|known| known.trim_start_matches('&') == name)
        };
        let mut found: Vec<(Var, &Option<Value>)> =
            frame.iter().filter(|(var, _)| named(var)).map(|(var, held)| (*var, held)).collect();
        if found.len() > 1 {
            let (function, span) = (self.function?, self.span?);
            found.retain(|(var, _)| scope::is_visible(self.program, *var, function, span));
        }
        let [(var, held)] = found[..] else { return None };
        let ty = self.ty(var);
        let known = self.program.cfa.variables[var].source_name.as_deref()?;
        let what = match known.starts_with('&') {
            true => What::Memory { address: address(held.as_ref()?)?, bits: None },
            false => What::Variable(var),
        };
        Some(NamedPlace { text: name.to_owned(), ty, what })
    }

    /// A part of a structure that is not in memory.
    pub(in crate::trace) fn part(&self, path: String, text: String) -> Option<NamedPlace> {
        self.lookup(&path).map(|place| NamedPlace { text, ..place })
    }

    /// The number that a place holds, with its type: arrays are the addresses of their first
    /// elements.
    pub(in crate::trace) fn number(&self, place: &NamedPlace) -> Option<(i128, Option<Type>)> {
        match (&place.what, &place.ty) {
            (What::Number(number), ty) => Some((*number, ty.clone())),
            (What::Memory { address, .. }, Some(Type::Array(element, _))) => {
                Some((i128::from(*address), Some(Type::Pointer(element.clone()))))
            }
            (What::Variable(var), ty) => {
                let bits = self.held(*var)?.as_bv()?;
                let value = match self.program.cfa.variables[*var].reading {
                    Reading::Signed => bits.to_i128()?,
                    _ => i128::try_from(bits.to_u128()?).ok()?,
                };
                Some((value, ty.clone()))
            }
            (What::Memory { .. }, Some(ty)) if !ty.is_aggregate() => {
                let value = self.value(place)?;
                let bits = value.as_bv()?;
                let is_signed = matches!(ty, Type::Integer { signed: true, .. } | Type::Character);
                let number = match is_signed {
                    true => bits.to_i128()?,
                    false => i128::try_from(bits.to_u128()?).ok()?,
                };
                Some((number, Some(ty.clone())))
            }
            _ => None,
        }
    }

    /// The value of something without parts.
    pub(super) fn value(&self, place: &NamedPlace) -> Option<Value> {
        let (address, bits) = match &place.what {
            What::Variable(var) => return self.held(*var).cloned(),
            What::Memory { address, bits } => (*address, *bits),
            _ => return None,
        };
        let ty = place.ty.as_ref().filter(|ty| !ty.is_aggregate())?;
        let size = match (ty, bits) {
            (_, Some((low, width))) => u64::from((low + width).div_ceil(8)),
            (Type::Float(80), None) => 10,
            _ => self.types.size(ty)?,
        };
        // What is outside of the object is not the value of the place.
        let region = self.region(address).filter(|region| !region.is_freed)?;
        if address - region.start + size > region.size {
            return None;
        }
        let mut raw = 0_u128;
        for at in (0..size.min(16)).rev() {
            raw = raw << 8 | u128::from(self.byte(address.wrapping_add(at))?);
        }
        Some(match (ty, bits) {
            (_, Some((low, width))) => Value::Bv(Bv::new(width, raw >> low & ((1 << width) - 1))),
            (Type::Float(32), _) => Value::Float(Float::from_bits(Format::Single, raw)),
            (Type::Float(64), _) => Value::Float(Float::from_bits(Format::Double, raw)),
            (Type::Float(80), _) => Value::Float(Float::from_bits(Format::X87, raw)),
            (Type::Float(_), _) => return None,
            _ => Value::Bv(Bv::new(u32::try_from(size * 8).ok()?, raw)),
        })
    }
}
