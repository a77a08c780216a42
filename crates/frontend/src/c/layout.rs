//! Records that rucc lays out otherwise than gcc.
//!
//! Sizes and offsets are numbers in rucc's tree before anybody looks at it (lengths of arrays,
//! enumerators, `sizeof`), so what depends on such a layout cannot be told from what does not. The
//! file is refused, with the place of the member.
//!
//! What gcc does (`place_field` and `update_alignment_for_field` of its `stor-layout.cc`):
//!
//! - A bit-field with an `aligned(n)` of its own moves to a multiple of `n`, even if `n` is below the alignment of its
//!   type; rucc takes the larger of the two numbers. A bit-field of width zero moves to a multiple of the larger
//!   number; rucc ignores `n`.
//! - A packed bit-field raises the alignment of the record to that of its type if a pack pragma
//!   is in effect, up to the number in the pragma; rucc does not raise it.
//! - A bit-field whose type is a typedef that is aligned to more than its size starts a new unit unless the bit-field
//!   is packed; rucc lets it share the unit before.
//! - A bit-field that fills a machine word, of a typedef that is aligned to less than its size, raises the alignment of
//!   the record to that of the word; rucc takes the alignment of the typedef.

use rucc_ast::{
    Ast, AttrArg, AttrList, DeclSpecs, DeclSpecsId, Expr, Field, Member, MemberList, RecordKind,
    RecordPragmas, TypeSpec,
};
use rucc_base::{Interner, Symbol};
use rucc_diag::Span;
use rucc_target::TargetInfo;
use rucc_types::Types;
use rustc_hash::FxHashMap;

/// What `aligned` means without a number on x86.
const BIGGEST_ALIGNMENT: u128 = 16;

/// A bit-field by the tag of its record and its own name. Bit-fields of several records may have both in common; the
/// worst properties among these bit-fields then count.
type Name = (Option<Symbol>, Option<Symbol>);

/// The worst properties that the types of the bit-fields with one name have.
#[derive(Clone, Copy, Default)]
struct Worst {
    align: u64,
    /// Whether a type is aligned to more than its size.
    over_aligned: bool,
    /// Whether a type is aligned to less than it would be by itself, and fills a word.
    under_aligned: bool,
}

impl Worst {
    const UNKNOWN: Self = Self { align: u64::MAX, over_aligned: true, under_aligned: true };
}

/// Where a member stands that gcc places otherwise, and why it does.
pub(super) type Difference = (Span, &'static str);

/// How many specifiers of declarations a tree has. Only the number of a new specifier tells this.
pub(super) fn count_specs(ast: &mut Ast) -> usize {
    ast.add_specs(DeclSpecs::empty(Span::DUMMY)).index()
}

/// The members of a unit that gcc places otherwise. `specs` is how many specifiers its tree has.
pub(super) fn differences(
    ast: &Ast,
    specs: usize,
    types: &Types,
    names: &Interner,
    target: &TargetInfo,
) -> Vec<Difference> {
    let bit_fields = bit_fields(types, target);
    if bit_fields.is_empty() {
        return Vec::new();
    }
    let search = Search { ast, names, bit_fields };
    let mut found = Vec::new();
    for at in 0..specs {
        if let TypeSpec::Record { kind, tag, fields: Some(fields), attrs, pragmas } =
            search.ast[DeclSpecsId::from_usize(at)].ty
        {
            search.record(Record { kind, tag, fields, attrs, pragmas }, &mut found);
        }
    }
    found
}

fn bit_fields(types: &Types, target: &TargetInfo) -> FxHashMap<Name, Worst> {
    let mut found: FxHashMap<Name, Worst> = FxHashMap::default();
    for (_, record) in types.records() {
        for field in record.fields.iter().filter(|field| field.is_bit_field()) {
            let worst = found.entry((record.tag, field.name)).or_default();
            let Ok(own) = rucc_types::layout(types, field.ty, target) else {
                *worst = Worst::UNKNOWN;
                continue;
            };
            let bare = rucc_types::layout(types, types.canonical(field.ty), target);
            let bits = field.bits.unwrap_or(0);
            worst.align = worst.align.max(own.align);
            worst.over_aligned |= own.align > own.size && bits > 0;
            worst.under_aligned |= bits >= 8
                && bits.is_power_of_two()
                && bare.map_or(true, |bare| own.align < bare.align);
        }
    }
    found
}

struct Record {
    kind: RecordKind,
    tag: Option<Symbol>,
    fields: MemberList,
    attrs: AttrList,
    pragmas: RecordPragmas,
}

/// What is written on a bit-field: nothing, a number of bytes, or what only an evaluation tells.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Aligned {
    No,
    To(u128),
    Somehow,
}

struct Search<'a> {
    ast: &'a Ast,
    names: &'a Interner,
    bit_fields: FxHashMap<Name, Worst>,
}

impl Search<'_> {
    fn record(&self, record: Record, found: &mut Vec<Difference>) {
        for member in &self.ast[record.fields] {
            let Member::Field(field) = *member else { continue };
            if field.bits.is_none() {
                continue;
            }
            if let Some(why) = self.bit_field(&record, field) {
                found.push((field.span, why));
            }
        }
    }

    fn bit_field(&self, record: &Record, field: Field) -> Option<&'static str> {
        let specs = &self.ast[field.specs];
        let name = field.declarator.and_then(|declarator| self.ast[declarator].name);
        // A member that the checker has dropped is taken to have the worst properties.
        let worst = self.bit_fields.get(&(record.tag, name)).copied();
        let worst = worst.unwrap_or(Worst::UNKNOWN);
        let own = [field.attrs, specs.attrs];
        let is_packed = own.iter().chain([&record.attrs]).any(|list| self.packed(*list));
        let pack = record.pragmas.pack.map(u64::from);
        if is_packed && pack.is_some_and(|pack| pack > 1) && name.is_some() && worst.align > 1 {
            return Some("a packed bit-field under a pack pragma");
        }
        if worst.under_aligned && !is_packed {
            return Some("a bit-field of a type that is aligned to less than its size");
        }
        // All members of a union are at its start, whatever they are aligned to.
        if record.kind == RecordKind::Union {
            return None;
        }
        if worst.over_aligned && !is_packed && pack.is_none() {
            return Some("a bit-field of a type that is aligned to more than its size");
        }
        let mut aligned = own.map(|list| self.aligned(list)).into_iter().max()?;
        if specs.align.is_some() {
            aligned = Aligned::Somehow;
        }
        let is_same = match aligned {
            Aligned::No => true,
            // A bit-field of width zero has no name.
            _ if name.is_none() => false,
            _ if is_packed => true,
            Aligned::To(bytes) => {
                let limit = worst.align.min(pack.unwrap_or(u64::MAX));
                bytes >= u128::from(limit)
            }
            Aligned::Somehow => worst.align <= 1,
        };
        (!is_same).then_some("a bit-field with an alignment of its own")
    }

    fn packed(&self, list: AttrList) -> bool {
        self.ast[list].iter().any(|attribute| self.is(attribute.name, "packed"))
    }

    /// The strictest `aligned` of a list.
    fn aligned(&self, list: AttrList) -> Aligned {
        let attributes = self.ast[list].iter();
        let aligned = attributes.filter(|attribute| self.is(attribute.name, "aligned"));
        let values = aligned.map(|attribute| match self.ast[attribute.args].first() {
            None => Aligned::To(BIGGEST_ALIGNMENT),
            Some(AttrArg::Expr(value)) => match self.ast[*value] {
                Expr::Int(value) => Aligned::To(self.ast[value].value),
                _ => Aligned::Somehow,
            },
            Some(AttrArg::Ident(_)) => Aligned::Somehow,
        });
        values.max().unwrap_or(Aligned::No)
    }

    /// Whether an attribute has a name, perhaps between underscores.
    fn is(&self, name: Symbol, wanted: &str) -> bool {
        let name = self.names.resolve(name);
        let bare = name.strip_prefix("__").and_then(|name| name.strip_suffix("__"));
        bare.unwrap_or(name) == wanted
    }
}
