//! Names of addresses: the object that an address belongs to, and which part of it is there.

use super::super::place::{NamedPlace, What};
use super::{Region, State};
use crate::types::{Type, Wanted};

impl State<'_> {
    /// The object that an address belongs to; an object that still lives comes before objects that have ended.
    pub(super) fn region(&self, at: u64) -> Option<&Region> {
        let inside = |region: &&Region| at >= region.start && at - region.start < region.size;
        let behind = |region: &&Region| at >= region.start && at - region.start == region.size;
        let live = || self.regions.iter().rev().filter(|region| !region.is_freed);
        live()
            .find(inside)
            .or_else(|| live().find(behind))
            .or_else(|| self.regions.iter().rev().find(inside))
    }

    /// `&line[4]`, `&line + 4`, `heap#2 + 8`.
    pub(super) fn address_name(&self, at: u64, target: Option<&Type>) -> Option<String> {
        let region = self.region(at).filter(|region| !region.name.is_empty());
        let Some(region) = region else {
            let region = self.nearest(at)?;
            let sign = if region.is_heap { "" } else { "&" };
            let object = self.string(region.start);
            let object = object.unwrap_or_else(|| format!("{sign}{}", region.name));
            let (way, distance) = match at.checked_sub(region.start) {
                Some(offset) => ('+', offset),
                None => ('-', region.start - at),
            };
            return Some(format!("{object} {way} {distance}"));
        };
        let offset = at - region.start;
        let freed = match (region.is_freed, region.is_heap) {
            (true, true) => " (freed)",
            (true, false) => " (gone)",
            (false, _) => "",
        };
        if let Some(text) = self.string(region.start) {
            return Some(format!("{text} + {offset}"));
        }
        let sign = if region.is_heap { "" } else { "&" };
        if !region.is_heap
            && let (Some(ty), Some(target)) = (&region.ty, target)
            && let Some((path, _)) = self.types.path(ty, offset, Wanted::Type(target))
        {
            return Some(format!("&{}{path}{freed}", region.name));
        }
        Some(match offset {
            0 => format!("{sign}{}{freed}", region.name),
            _ => format!("{sign}{} + {offset}{freed}", region.name),
        })
    }

    /// The place of `size` bytes in an object: `pts[1].y`, `heap#2.next`, or `heap#2 + 8`.
    pub(crate) fn stored_at(&self, at: u64, size: u64) -> Option<NamedPlace> {
        let region = self
            .region(at)
            .filter(|region| at - region.start < region.size && !region.name.is_empty())?;
        let offset = at - region.start;
        let what = What::Memory { address: at, bits: None };
        if let Some(ty) = &region.ty
            && let Some((path, ty)) = self.types.path(ty, offset, Wanted::Scalar(size))
        {
            let text = format!("{}{path}", region.name);
            return Some(NamedPlace { text, ty: Some(ty), what });
        }
        let text = match offset {
            0 => region.name.clone(),
            _ => format!("{} + {offset}", region.name),
        };
        Some(NamedPlace { text, ty: None, what })
    }

    /// The place of a whole object, or of a part of an object, with `size` bytes.
    pub(crate) fn whole_at(&self, at: u64, size: u64) -> Option<NamedPlace> {
        let region = self.region(at).filter(|region| !region.name.is_empty())?;
        let (path, ty) =
            self.types.path(region.ty.as_ref()?, at - region.start, Wanted::Whole(size))?;
        let what = What::Memory { address: at, bits: None };
        Some(NamedPlace { text: format!("{}{path}", region.name), ty: Some(ty), what })
    }
}
