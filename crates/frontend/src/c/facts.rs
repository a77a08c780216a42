//! What the lowering must know of a unit before it starts: which objects have their address
//! taken, and which expressions do something besides having a value.

use std::cell::RefCell;

use rucc_ast::{BinaryOp, UnaryOp};
use rucc_base::Idx;
use rucc_sema::{Classify, Const, Conversion, DeclId, DeclKind, ExprId, ExprKind, Stmt, StmtId};
use rucc_types::{RecordKind, TypeId, TypeKind};
use rustc_hash::{FxHashMap, FxHashSet};

use super::constness::drops_const;
use super::jump::LONGJMP;
use super::keeping::{Keeping, Uses};
use super::marked::Marked;
use super::shape::Shape;
use super::unit::Unit;

/// The assumption of a program that looks at the bits of floats.
pub(super) const ONE_NAN: &str = "the bits of a NaN are those of one NaN, whatever its sign was";

/// The function that sets the rounding mode of floats.
pub(super) const SETS_ROUNDING: &str = "fesetround";

/// Facts about one unit.
pub(super) struct Facts {
    /// Objects without linkage whose address is taken.
    escaping: FxHashSet<DeclId>,
    /// Names of objects with linkage whose address is taken.
    pub escaping_names: FxHashSet<String>,
    /// What is done with the addresses of objects without linkage.
    uses: FxHashMap<DeclId, Uses>,
    effects: RefCell<Vec<Option<Effect>>>,
    /// Whether the unit names `longjmp` or one of its like.
    pub jumps: bool,
    /// Whether the unit names the function that sets the rounding mode of floats.
    pub sets_rounding: bool,
    /// Whether the unit names `errno`.
    pub uses_errno: bool,
    /// Whether the unit names `ungetc`.
    pub puts_back: bool,
    /// Whether the unit may make a pointer through which a constant can be written.
    pub drops_const: bool,
    /// Where the unit may look at the bits of a float, or make a float of bits.
    pub float_bits: Option<ExprId>,
    /// Whether the unit is a file of the program, and no model of the library.
    pub is_of_program: bool,
    /// Whether a function of the unit has labels, of `goto` or of `switch`.
    pub has_labels: bool,
    /// Which faults of arithmetic are marked.
    pub marked: Marked,
}

/// What evaluating an expression does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Effect {
    /// Only gives a value, which is a function of the variables.
    Value,
    /// Reads memory, or may end the execution.
    Reads,
    /// May change a variable or memory, or call a function.
    Changes,
}

impl Facts {
    /// Looks at every expression of the unit once.
    pub fn of(unit: &Unit, marked: Marked, is_of_program: bool) -> Self {
        let mut facts = Self {
            escaping: FxHashSet::default(),
            escaping_names: FxHashSet::default(),
            uses: FxHashMap::default(),
            effects: RefCell::new(vec![None; unit.tast.counts().exprs]),
            jumps: false,
            sets_rounding: false,
            uses_errno: false,
            puts_back: false,
            drops_const: false,
            float_bits: None,
            is_of_program,
            has_labels: has_labels(unit),
            marked,
        };
        let keeping = Keeping::of(unit);
        for index in 0..unit.tast.counts().exprs {
            let id: ExprId = Idx::from_usize(index);
            let expr = unit.tast[id];
            facts.drops_const |= is_of_program && drops_const(unit, id);
            if facts.float_bits.is_none() && sees_float_bits(unit, id) {
                facts.float_bits = Some(id);
            }
            match expr.kind {
                ExprKind::Unary { op: UnaryOp::AddrOf, operand }
                | ExprKind::Convert { kind: Conversion::ArrayDecay, operand } => {
                    facts.escape(unit, operand);
                    if let Some(decl) = accessed(unit, operand) {
                        let uses = facts.uses.entry(decl).or_default();
                        *uses = uses.or(keeping.uses(id));
                    }
                }
                ExprKind::Decl(decl) => {
                    let entry = &unit.tast[decl];
                    let name = entry.name.map_or("", |name| unit.name(name));
                    let is_function = entry.kind == DeclKind::Function;
                    facts.jumps |= is_function && LONGJMP.contains(&name);
                    facts.sets_rounding |= is_function && name == SETS_ROUNDING;
                    facts.uses_errno |= is_function && name == "__errno_location";
                    facts.puts_back |= is_function && name == "ungetc";
                }
                ExprKind::Const(constant) => {
                    if let Const::Address(address) = unit.tast[constant]
                        && let rucc_sema::Base::Decl(decl) = address.base
                    {
                        facts.mark(unit, decl);
                    }
                }
                _ => {}
            }
        }
        facts
    }

    fn escape(&mut self, unit: &Unit, at: ExprId) {
        if let Some(decl) = whole(unit, at) {
            self.mark(unit, decl);
        }
    }

    fn mark(&mut self, unit: &Unit, decl: DeclId) {
        let entry = &unit.tast[decl];
        match entry.name {
            Some(name) if entry.linkage != rucc_sema::Linkage::None => {
                self.escaping_names.insert(unit.name(name).to_owned());
            }
            _ => {
                self.escaping.insert(decl);
            }
        }
    }

    /// Takes the addresses of objects that other units may know by name, apart from constants, which nobody
    /// changes.
    pub fn reach_from_outside(&mut self, unit: &Unit) {
        for index in 0..unit.tast.counts().decls {
            let decl = DeclId::from_usize(index);
            let entry = &unit.tast[decl];
            let is_reached = entry.kind == DeclKind::Object
                && entry.linkage == rucc_sema::Linkage::External
                // Names that were woven into the program are not known outside.
                && !entry.name.is_some_and(|name| unit.name(name).starts_with("__proviso_"))
                && (!unit.is_const(entry.ty) || unit.is_volatile(entry.ty));
            if is_reached {
                self.mark(unit, decl);
            }
        }
    }

    /// Whether the address of an object without linkage is taken.
    pub fn escapes(&self, decl: DeclId) -> bool {
        self.escaping.contains(&decl)
    }

    /// What is done with the address of an object without linkage, also by functions that it is passed to.
    pub fn uses(&self, decl: DeclId) -> Uses {
        self.uses.get(&decl).copied().unwrap_or_default()
    }

    /// The most that evaluating `expr` may do; perhaps it does less.
    pub fn effect(&self, unit: &Unit, expr: ExprId) -> Effect {
        if let Some(known) = self.effects.borrow()[expr.index()] {
            return known;
        }
        let effect = self.compute(unit, expr);
        self.effects.borrow_mut()[expr.index()] = Some(effect);
        effect
    }

    fn compute(&self, unit: &Unit, expr: ExprId) -> Effect {
        let both = |a: ExprId, b: ExprId| self.effect(unit, a).max(self.effect(unit, b));
        match unit.tast[expr].kind {
            ExprKind::Const(_) | ExprKind::Str(_) | ExprKind::LabelAddr(_) => Effect::Value,
            ExprKind::Decl(_) => Effect::Value,
            ExprKind::Member { base, .. } => self.effect(unit, base),
            ExprKind::Subscript { base, index } => both(base, index),
            ExprKind::Unary { op, operand } => match op {
                UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec => {
                    Effect::Changes
                }
                UnaryOp::Minus => self.effect(unit, operand).max(self.arithmetic()),
                _ => self.effect(unit, operand),
            },
            ExprKind::Binary { op: BinaryOp::Div | BinaryOp::Rem, lhs, rhs } => {
                both(lhs, rhs).max(Effect::Reads)
            }
            ExprKind::Binary {
                op: BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Shl | BinaryOp::Shr,
                lhs,
                rhs,
            } => both(lhs, rhs).max(self.arithmetic()),
            ExprKind::Binary { lhs, rhs, .. } | ExprKind::Comma { lhs, rhs } => both(lhs, rhs),
            ExprKind::Cond { cond, then, otherwise } => {
                both(then, otherwise).max(self.effect(unit, cond))
            }
            ExprKind::Cast(operand) => {
                let lengths = unit.lengths(unit.tast[expr].ty);
                let named = lengths.iter().map(|length| self.effect(unit, *length)).max();
                named
                    .unwrap_or(Effect::Value)
                    .max(self.effect(unit, operand))
                    .max(self.conversion())
            }
            ExprKind::Convert { kind: Conversion::Lvalue, operand } => {
                self.effect(unit, operand).max(self.read_effect(unit, operand))
            }
            ExprKind::Convert { operand, .. } => self.effect(unit, operand).max(self.conversion()),
            ExprKind::Classify { lhs, rhs, .. } | ExprKind::Sign { lhs, rhs, .. } => {
                rhs.map_or(Effect::Value, |rhs| self.effect(unit, rhs)).max(self.effect(unit, lhs))
            }
            ExprKind::Abs { operand } => self.effect(unit, operand).max(self.arithmetic()),
            ExprKind::ByteSwap { operand } => self.effect(unit, operand),
            ExprKind::BitCount { operand, .. } => self.effect(unit, operand),
            ExprKind::Expect { value, .. } => self.effect(unit, value),
            ExprKind::ConstantP { .. } | ExprKind::ObjectSize { .. } => Effect::Value,
            _ => Effect::Changes,
        }
    }

    fn arithmetic(&self) -> Effect {
        if self.marked.arithmetic() { Effect::Reads } else { Effect::Value }
    }

    fn conversion(&self) -> Effect {
        if self.marked.conversion { Effect::Reads } else { Effect::Value }
    }

    /// Reading a plain variable is a value; anything else may be in memory.
    fn read_effect(&self, unit: &Unit, place: ExprId) -> Effect {
        let ExprKind::Decl(decl) = unit.tast[place].kind else { return Effect::Reads };
        let entry = &unit.tast[decl];
        let linked = entry.linkage != rucc_sema::Linkage::None;
        if self.marked.unset && !linked {
            return Effect::Reads;
        }
        let escapes = match entry.name {
            // Another unit may take the address, too. That is not known here; the lowering decides where the object is.
            Some(name) if linked => self.escaping_names.contains(unit.name(name)),
            _ => self.escapes(decl),
        };
        let plain = !escapes && unit.shape(entry.ty).is_some();
        if plain { Effect::Value } else { Effect::Reads }
    }
}

/// Whether an expression may have a float be read as something else, or the other way round: a conversion of a
/// pointer, a member of a union, or the sign of a float.
fn sees_float_bits(unit: &Unit, expr: ExprId) -> bool {
    let is_float = |ty: TypeId| matches!(unit.shape(ty), Some(Shape::Float { .. }));
    let pointee = |ty: TypeId| match unit.bare(ty) {
        TypeKind::Pointer(to) => Some(to),
        _ => None,
    };
    match unit.tast[expr].kind {
        ExprKind::Convert { operand, .. } | ExprKind::Cast(operand) => {
            let (from, to) = (pointee(unit.tast[operand].ty), pointee(unit.tast[expr].ty));
            let Some((from, to)) = from.zip(to) else { return false };
            // Memory that was allocated has no type before it is written.
            is_float(from) != is_float(to) && !matches!(unit.bare(from), TypeKind::Void)
        }
        ExprKind::Member { base, .. } => match unit.bare(unit.tast[base].ty) {
            TypeKind::Record(id) => {
                let record = unit.types.record_info(id);
                let mut fields = record.fields.iter().map(|field| is_float(field.ty));
                let is_union = record.kind == RecordKind::Union;
                is_union && fields.clone().any(|is| is) && !fields.all(|is| is)
            }
            _ => false,
        },
        ExprKind::Classify { op: Classify::SignBit, .. } => true,
        ExprKind::Sign { rhs, .. } => rhs.is_some(),
        _ => false,
    }
}

fn has_labels(unit: &Unit) -> bool {
    let stmts = (0..unit.tast.counts().stmts).map(StmtId::from_usize);
    stmts.into_iter().any(|id| {
        matches!(unit.tast[id], Stmt::Label { .. } | Stmt::Case { .. } | Stmt::Default { .. })
    })
}

/// The declared object that a place is in.
fn whole(unit: &Unit, mut at: ExprId) -> Option<DeclId> {
    loop {
        match unit.tast[at].kind {
            ExprKind::Member { base, .. } => at = base,
            ExprKind::Decl(decl) | ExprKind::CompoundLiteral(decl) => return Some(decl),
            _ => return None,
        }
    }
}

/// The declared object that a place is in, if the place is a part of the object, or is found by an address
/// that is taken and accessed at once: `&a[1]` and `&(&s)->m` are addresses of `a` and `s`.
fn accessed(unit: &Unit, mut at: ExprId) -> Option<DeclId> {
    loop {
        at = match unit.tast[at].kind {
            ExprKind::Member { base, .. } => base,
            ExprKind::Subscript { base, .. } => pointed_to(unit, base)?,
            ExprKind::Unary { op: UnaryOp::Deref, operand } => pointed_to(unit, operand)?,
            ExprKind::Decl(decl) | ExprKind::CompoundLiteral(decl) => return Some(decl),
            _ => return None,
        }
    }
}

/// The place whose address an expression takes, if the expression does nothing else.
fn pointed_to(unit: &Unit, mut at: ExprId) -> Option<ExprId> {
    loop {
        at = match unit.tast[at].kind {
            ExprKind::Unary { op: UnaryOp::AddrOf, operand }
            | ExprKind::Convert { kind: Conversion::ArrayDecay, operand } => return Some(operand),
            ExprKind::Convert { operand, .. } | ExprKind::Cast(operand) => operand,
            _ => return None,
        }
    }
}
