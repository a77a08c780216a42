//! The table of types by which reports write values (`cfa::CTypes`).
//!
//! A text may declare thousands of types that the program never uses: the table has those of the
//! variables, objects and functions that were lowered, and what these types name.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use base::Span;
use cfa::{CEnumeration, CEnumerationId, CMember, CRecord, CRecordId, CType, CTypes};
use cfa::{Choice, Op};
use rucc_base::Symbol;
use rucc_base::float::Format;
use rucc_sema::{DeclId, Linkage, StorageDuration};
use rucc_types::{
    ArrayLen, EnumId, Field, FloatKind, IntKind, RecordId, RecordKind, TypeId, TypeKind,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::link::Linker;
use super::shape::Shape;
use super::signature::Key;
use super::unit::Unit;

/// Pointers and arrays within more pointers and arrays than this have no type in the table.
const DEEPEST: u32 = 32;

/// The names of the type of a list of arguments. Where such a list is a plain pointer, no other thing tells it from one.
const ARGUMENT_LISTS: [&str; 3] = ["va_list", "__builtin_va_list", "__gnuc_va_list"];

/// The tag of the structures that lists of arguments are made of where they are no plain pointers.
pub(super) const ARGUMENT_LIST_TAG: &str = "__va_list_tag";

/// A name that a declaration of a unit declares.
pub(super) struct DeclaredName {
    place: Span,
    unit: usize,
    decl: DeclId,
}

impl Linker<'_> {
    /// Notes that a variable or an object was made for a declaration of the program itself, whose name stands at
    /// `place`.
    pub fn note_declared(&mut self, (unit, decl): (usize, DeclId), place: Option<Span>) {
        self.declared.extend(place.map(|place| DeclaredName { place, unit, decl }));
    }

    /// Writes the table of types, when all that the program needs has been lowered.
    pub fn write_types(&mut self) {
        let units = self.units.clone();
        let mut writer = Writer::new(&units, self.width());
        let lists: Vec<_> = units.iter().map(|unit| argument_lists(unit)).collect();
        for DeclaredName { place, unit: at, decl } in std::mem::take(&mut self.declared) {
            let (unit, entry) = (&units[at], &units[at].tast[decl]);
            if is_internal(entry.linkage, entry.duration) {
                writer.table.declare_internal(place);
            }
            let is_function = matches!(unit.bare(entry.ty), TypeKind::Function(_));
            let list = lists[at].get(&decl).copied();
            if !is_function && is_argument_list(unit, entry.ty, list) {
                writer.table.declare_argument_list(place);
            }
            // Values are told of the program's own names.
            if !is_function && self.facts[at].is_of_program {
                let ty = writer.ty(at, entry.ty, DEEPEST);
                writer.table.declare(place, ty);
            }
        }
        for (name, key) in self.returning() {
            if let Some(ty) = returned(&units[key.0], key.1) {
                let ty = writer.ty(key.0, ty, DEEPEST);
                writer.table.declare_function(&name, ty);
            }
        }
        writer.fill_records();
        for (unit, facts) in units.iter().zip(&self.facts) {
            for (name, value) in unit.enumerators.iter().filter(|_| facts.is_of_program) {
                writer.table.declare_enumerator(unit.name(*name), *value);
            }
        }
        self.program.cfa.c_types = Arc::new(writer.table);
    }

    /// The functions of the model, and those whose results are choices, by the names that the model has
    /// for them.
    fn returning(&self) -> Vec<(Box<str>, Key)> {
        let cfa = &self.program.cfa;
        let mut found: Vec<(Box<str>, Key)> = self
            .known_functions()
            .map(|(key, function)| (cfa.functions[function].name.clone(), key))
            .collect();
        let ops = cfa.edges.iter().flat_map(|edge| &edge.ops);
        let chosen: BTreeSet<&str> = ops
            .filter_map(|op| match op {
                Op::Havoc { choice: Choice::Input(name) | Choice::External(name), .. }
                | Op::HavocMemory {
                    choice: Choice::Input(name) | Choice::External(name), ..
                } => Some(&**name),
                _ => None,
            })
            .collect();
        let named =
            chosen.into_iter().filter_map(|name| Some((name.into(), self.declaration(name)?)));
        found.extend(named);
        found.sort_unstable();
        found.dedup_by(|later, earlier| later.0 == earlier.0);
        found
    }

    /// A declaration of a function with a name, unless the text calls the function without one.
    fn declaration(&self, function: &str) -> Option<Key> {
        let key = *self.external.get(function)?;
        (!self.units[key.0].undeclared.contains(&key.1)).then_some(key)
    }
}

/// Whether no other file can name what is declared, though it exists all the time.
fn is_internal(linkage: Linkage, duration: StorageDuration) -> bool {
    match linkage {
        Linkage::External => false,
        Linkage::Internal => true,
        Linkage::None => duration != StorageDuration::Automatic,
    }
}

/// The declarations of a unit that name their type by the name of a list of arguments, each with the type that the name
/// stands for: types do not keep such names.
fn argument_lists(unit: &Unit) -> FxHashMap<DeclId, TypeId> {
    let mut names: FxHashSet<Symbol> = FxHashSet::default();
    let is_first = |name: &Symbol| ARGUMENT_LISTS.contains(&unit.name(*name));
    for alias in unit.types.aliases() {
        let over = alias.spelled.map(|(over, _)| over);
        if is_first(&alias.name) || over.is_some_and(|over| names.contains(&over)) {
            names.insert(alias.name);
        }
    }
    let spelled = unit.tast.spellings().iter();
    let lists = spelled.filter(|(_, name, _)| is_first(name) || names.contains(name));
    lists.map(|(decl, _, of)| (*decl, *of)).collect()
}

/// Whether a type is that of a list of arguments, of a pointer to one or of an array of them. `list` is the type that the
/// declaration names, if its name is that of a list.
fn is_argument_list(unit: &Unit, mut ty: TypeId, list: Option<TypeId>) -> bool {
    let list = list.map(|list| unit.bare(list));
    loop {
        let bare = unit.bare(ty);
        if list == Some(bare) {
            return true;
        }
        ty = match bare {
            TypeKind::Pointer(inner) | TypeKind::Array { elem: inner, .. } => inner,
            TypeKind::Record(id) => {
                let tag = unit.types.record_info(id).tag;
                return tag.is_some_and(|tag| unit.name(tag) == ARGUMENT_LIST_TAG);
            }
            _ => return false,
        };
    }
}

/// What a function returns.
fn returned(unit: &Unit, function: DeclId) -> Option<TypeId> {
    match unit.bare(unit.tast[function].ty) {
        TypeKind::Function(id) => Some(unit.types.signature(id).ret),
        _ => None,
    }
}

/// The key by which records of several units are looked up that may be the same: the tag, or for records without a tag
/// the size and the number of their members.
type Lookup<'u> = (RecordKind, &'u str, u64, usize);

/// A record of a unit and its number in the table.
#[derive(Clone, Copy)]
struct Placed {
    unit: usize,
    record: RecordId,
    id: CRecordId,
}

/// Turns types of units into those of the table.
struct Writer<'u> {
    units: &'u [Rc<Unit>],
    table: CTypes,
    records: FxHashMap<(usize, RecordId), CRecordId>,
    enumerations: FxHashMap<(usize, EnumId), CEnumerationId>,
    /// The records of the table, so that units with the same header share them.
    shared: FxHashMap<Lookup<'u>, Vec<Placed>>,
    /// Records of two units that have been found to be the same.
    same: FxHashSet<[(usize, RecordId); 2]>,
    /// Records that still have no members. Members are filled in for one record after the other and not by recursion,
    /// because a chain of pointers may lead through many records.
    pending: Vec<Placed>,
}

impl<'u> Writer<'u> {
    fn new(units: &'u [Rc<Unit>], address_width: u32) -> Self {
        Self {
            units,
            table: CTypes::new(address_width),
            records: FxHashMap::default(),
            enumerations: FxHashMap::default(),
            shared: FxHashMap::default(),
            same: FxHashSet::default(),
            pending: Vec::new(),
        }
    }

    fn ty(&mut self, at: usize, ty: TypeId, depth: u32) -> CType {
        let Some(depth) = depth.checked_sub(1) else { return CType::Other };
        let unit = &self.units[at];
        match unit.bare(ty) {
            TypeKind::Bool => CType::Truth,
            TypeKind::Int(IntKind::Char) => CType::Character,
            TypeKind::Int(_) => match rucc_types::integer_info(&unit.types, ty, &unit.target) {
                Some(info) => CType::Integer { bits: info.width, signed: info.signed },
                None => CType::Other,
            },
            TypeKind::Float(kind) => float(unit, kind),
            TypeKind::Pointer(target) => CType::Pointer(Box::new(self.ty(at, target, depth))),
            TypeKind::Array { elem, len } => {
                let count = match len {
                    ArrayLen::Fixed(count) => Some(count),
                    ArrayLen::Unknown | ArrayLen::Star | ArrayLen::Variable(_) => None,
                };
                CType::Array(Box::new(self.ty(at, elem, depth)), count)
            }
            // `_Atomic` may make a record larger.
            TypeKind::Record(id) if unit.size(ty) == size(unit, id) => {
                CType::Record(self.record(at, id))
            }
            // The values of such an enumeration stand for `true` and `false`, whatever numbers they are.
            TypeKind::Enum(id) if unit.types.enum_info(id).hardbool.is_none() => {
                CType::Enumeration(self.enumeration(at, id, ty))
            }
            _ => CType::Other,
        }
    }

    fn record(&mut self, unit: usize, record: RecordId) -> CRecordId {
        if let Some(known) = self.records.get(&(unit, record)) {
            return *known;
        }
        let id = self.shared(unit, record).unwrap_or_else(|| {
            let id = self.table.records.push(CRecord::default());
            let placed = Placed { unit, record, id };
            self.pending.push(placed);
            if self.units.len() > 1 {
                self.shared.entry(lookup(&self.units[unit], record)).or_default().push(placed);
            }
            id
        });
        self.records.insert((unit, record), id);
        id
    }

    /// The entry for a record of another unit that is the same as this record. One of the two records may be declared
    /// only.
    fn shared(&mut self, unit: usize, record: RecordId) -> Option<CRecordId> {
        let own = (&*self.units[unit], record);
        let key = lookup(own.0, record);
        let known = self.shared.get(&key)?.clone();
        let found = known.iter().position(|placed| {
            placed.unit != unit && self.are_same((unit, record), (placed.unit, placed.record))
        })?;
        let placed = &mut self.shared.get_mut(&key)?[found];
        if !is_declared(own) && is_declared((&self.units[placed.unit], placed.record)) {
            (placed.unit, placed.record) = (unit, record);
            self.pending.push(*placed);
        }
        Some(placed.id)
    }

    /// Whether two records can have one entry in the table, with all records that their members lead to: one of two
    /// may be declared only. The same tag may stand for different members in two files.
    fn are_same(&mut self, one: (usize, RecordId), other: (usize, RecordId)) -> bool {
        let mut seen = FxHashSet::default();
        let mut todo = vec![[one, other]];
        while let Some([one, other]) = todo.pop() {
            if self.same.contains(&[one, other]) || !seen.insert([one, other]) {
                continue;
            }
            let records = [one, other].map(|(unit, record)| (&*self.units[unit], record));
            if records.into_iter().any(is_declared) {
                continue;
            }
            let Some(inner) = alike(records[0], records[1]) else { return false };
            todo.extend(inner.into_iter().map(|[left, right]| [(one.0, left), (other.0, right)]));
        }
        self.same.extend(seen);
        true
    }

    /// Gives all records their members.
    fn fill_records(&mut self) {
        while let Some(Placed { unit: at, record, id }) = self.pending.pop() {
            let unit = &self.units[at];
            let Some(size) = size(unit, record) else { continue };
            let fields = &unit.types.record_info(record).fields;
            let mut members = Vec::with_capacity(fields.len());
            for field in fields {
                let name = field.name.map(|name| unit.name(name).into());
                if name.is_some() || field.bits.is_none() {
                    let ty = self.ty(at, field.ty, DEEPEST);
                    let bits = field.bits.map(|bits| (field.bit, bits));
                    members.push(CMember { name, ty, offset: field.offset, bits });
                }
            }
            self.table.records[id] = CRecord { size: Some(size), members };
        }
    }

    fn enumeration(&mut self, at: usize, id: EnumId, ty: TypeId) -> CEnumerationId {
        if let Some(known) = self.enumerations.get(&(at, id)) {
            return *known;
        }
        let unit = &self.units[at];
        let size = unit.size(ty).unwrap_or(4);
        let signed = unit.shape(ty).is_none_or(Shape::signed);
        let named = unit.types.enum_info(id).enumerators.iter();
        let enumerators = named.map(|each| (unit.name(each.name).into(), each.value)).collect();
        let all = &mut self.table.enumerations;
        // Two enumerations with equal size, sign and enumerators look the same in reports, whatever their tags are.
        let new = CEnumeration { size, signed, enumerators };
        let same = all.entries().find(|(_, known)| self.units.len() > 1 && **known == new);
        let found = match same.map(|(found, _)| found) {
            Some(found) => found,
            None => all.push(new),
        };
        self.enumerations.insert((at, id), found);
        found
    }
}

fn float(unit: &Unit, kind: FloatKind) -> CType {
    CType::Float(match rucc_types::float_format(kind, &unit.target) {
        Format::Half => 16,
        Format::Single => 32,
        Format::Double => 64,
        Format::X87Extended => 80,
        Format::Quad => 128,
        _ => return CType::Other,
    })
}

/// The number of bytes of a record; `None` for a record whose members cannot be read at fixed places as they are.
fn size(unit: &Unit, record: RecordId) -> Option<u64> {
    let info = unit.types.record_info(record);
    let is_plain = !info.reverse && info.variable.is_none();
    info.layout.filter(|_| is_plain).map(|layout| layout.size)
}

/// Whether a unit declares a record without its members.
fn is_declared((unit, record): (&Unit, RecordId)) -> bool {
    unit.types.record_info(record).layout.is_none()
}

fn lookup(unit: &Unit, record: RecordId) -> Lookup<'_> {
    let info = unit.types.record_info(record);
    match info.tag {
        Some(tag) => (info.kind, unit.name(tag), 0, 0),
        None => (info.kind, "", info.layout.map_or(0, |layout| layout.size), info.fields.len()),
    }
}

/// The records that the members of two records lead to, pair by pair, if the members have the same names and places,
/// and types that are written alike.
fn alike(
    (unit, record): (&Unit, RecordId),
    (other, known): (&Unit, RecordId),
) -> Option<Vec<[RecordId; 2]>> {
    let (left, right) = (unit.types.record_info(record), other.types.record_info(known));
    let written =
        |unit: &Unit, ty| rucc_types::spell(&unit.types, &unit.names, unit.types.canonical(ty));
    let is_same_member = |(left, right): (&Field, &Field)| {
        left.name.map(|name| unit.name(name)) == right.name.map(|name| other.name(name))
            && (left.offset, left.bit, left.bits) == (right.offset, right.bit, right.bits)
            && written(unit, left.ty) == written(other, right.ty)
    };
    let is_alike = left.layout.map(|layout| layout.size) == right.layout.map(|layout| layout.size)
        && left.fields.len() == right.fields.len()
        && left.fields.iter().zip(&right.fields).all(is_same_member);
    let mut inner = Vec::new();
    for (left, right) in left.fields.iter().zip(&right.fields).filter(|_| is_alike) {
        inner.extend(named((unit, left.ty), (other, right.ty))?);
    }
    is_alike.then_some(inner)
}

/// The two records inside of two types that are written alike, if the types are made of records. The outer `None` means
/// that the types are made of enumerations of one tag with different enumerators.
fn named(
    (unit, mut left): (&Unit, TypeId),
    (other, mut right): (&Unit, TypeId),
) -> Option<Option<[RecordId; 2]>> {
    loop {
        match (unit.bare(left), other.bare(right)) {
            (TypeKind::Pointer(one), TypeKind::Pointer(two)) => (left, right) = (one, two),
            (TypeKind::Array { elem: one, .. }, TypeKind::Array { elem: two, .. }) => {
                (left, right) = (one, two);
            }
            (TypeKind::Record(one), TypeKind::Record(two)) => return Some(Some([one, two])),
            (TypeKind::Enum(one), TypeKind::Enum(two)) => {
                let one = unit.types.enum_info(one).enumerators.iter();
                let two = other.types.enum_info(two).enumerators.iter();
                let one = one.map(|each| (unit.name(each.name), each.value));
                return one.eq(two.map(|each| (other.name(each.name), each.value))).then_some(None);
            }
            _ => return Some(None),
        }
    }
}
