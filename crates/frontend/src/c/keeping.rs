//! Where the addresses of objects go: whether a pointer may keep an address when the expression is done, and whether
//! the program may see which number an address is.
//!
//! An address is followed from the expression that takes it, up through the expressions that compute with it. The
//! search ends where the address is accessed, compared or dropped; if the address is handed to a function of the unit,
//! the search goes on wherever the function uses its parameter. Any other use counts as keeping the address. The number
//! of an address is seen where the address is compared with anything but null, subtracted from another address, or made
//! an integer.

use rucc_ast::{BinaryOp, UnaryOp};
use rucc_base::Idx;
use rucc_sema::{Const, Conversion, DeclFlags, DeclId, ExprId, ExprKind, Stmt, StmtId};
use rucc_types::TypeKind;
use rustc_hash::{FxHashMap, FxHashSet};

use super::library;
use super::unit::Unit;

/// Functions without a model in C that do not keep an address and do not hand it on. They may give it back.
const HARMLESS: [&str; 27] = [
    "__isoc23_fscanf",
    "__isoc23_scanf",
    "__isoc23_sscanf",
    "__isoc99_fscanf",
    "__isoc99_scanf",
    "__isoc99_sscanf",
    "fprintf",
    "fputs",
    "free",
    "fscanf",
    "fwrite",
    "memcpy",
    "memmove",
    "memset",
    "printf",
    "puts",
    "scanf",
    "snprintf",
    "sprintf",
    "sscanf",
    "time",
    "vfprintf",
    "vprintf",
    "vsnprintf",
    "vsprintf",
    "write",
    "__VERIFIER_nondet_memory",
];

/// Functions of the models in C that keep an address, or give it to functions of the program.
const KEEPING: [&str; 12] = [
    "__strtok_r",
    "bsearch",
    "qsort",
    "strsep",
    "strtoimax",
    "strtok",
    "strtok_r",
    "strtol",
    "strtoll",
    "strtoul",
    "strtoull",
    "strtoumax",
];

/// What becomes of the value of an expression, or of the place that it names.
#[derive(Clone, Copy)]
enum Use {
    /// The value is not used, or is only compared with null.
    Dropped,
    /// The value is compared with another value, or its distance from another address is computed.
    Compared,
    /// The value is part of another value.
    Through(ExprId),
    /// The value is an address that is accessed.
    Accessed(ExprId),
    /// The place is part of a place.
    Part(ExprId),
    /// The address of the place is a value.
    Taken(ExprId),
    /// The place is read.
    Loaded(ExprId),
    /// The place is written.
    Written,
    /// The place is changed; its new or old value is a value.
    Changed(ExprId),
    /// The value is an argument.
    Argument(ExprId, usize),
    Kept,
}

/// The values that are followed.
#[derive(Clone, Copy)]
enum Followed {
    /// A value that is the address, or computed from it.
    Address,
    /// A place in the object.
    Inside,
    /// The parameter that holds the address.
    Parameter,
}

/// What a program does with an address, apart from accesses.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Uses {
    /// Whether a pointer may keep the address when the expression is done.
    pub keeps: bool,
    /// Whether the program may see which number the address is.
    pub sees: bool,
}

impl Uses {
    /// The uses at two places together.
    pub const fn or(self, other: Self) -> Self {
        Self { keeps: self.keeps || other.keeps, sees: self.sees || other.sees }
    }
}

/// Where one address goes.
#[derive(Clone, Default)]
struct Fate {
    uses: Uses,
    /// The parameters to which the address is handed.
    handed: Vec<DeclId>,
}

/// The uses of all expressions of a unit.
pub(super) struct Keeping<'u> {
    unit: &'u Unit,
    uses: Vec<Use>,
    /// Functions that the unit defines.
    defined: FxHashMap<String, DeclId>,
    /// What is done with parameters.
    parameters: FxHashMap<DeclId, Uses>,
}

impl<'u> Keeping<'u> {
    pub fn of(unit: &'u Unit) -> Self {
        let mut defined = FxHashMap::default();
        let mut parameters = FxHashSet::default();
        for index in 0..unit.tast.counts().decls {
            let decl = DeclId::from_usize(index);
            let entry = &unit.tast[decl];
            // Another unit may replace a weak function.
            let is_weak = entry.flags.contains(DeclFlags::WEAK);
            if let (Some(name), Some(_), false) = (entry.name, entry.body, is_weak) {
                defined.insert(unit.name(name).to_owned(), decl);
                parameters.extend(unit.tast[entry.params].iter().copied());
            }
        }
        let uses = Collected::of(unit);
        let mut keeping = Self { unit, uses, defined, parameters: FxHashMap::default() };
        keeping.find_parameters(&parameters);
        keeping
    }

    /// What is done with the address that an expression takes.
    pub fn uses(&self, taken: ExprId) -> Uses {
        self.whole(&self.follow(taken, Followed::Address))
    }

    /// What is done with an address, also by functions that it is handed to.
    fn whole(&self, fate: &Fate) -> Uses {
        let handed = fate.handed.iter().filter_map(|parameter| self.parameters.get(parameter));
        handed.fold(fate.uses, |all, uses| all.or(*uses))
    }

    /// Finds out what functions do with their parameters, alone or through others.
    fn find_parameters(&mut self, all: &FxHashSet<DeclId>) {
        let mut fates: FxHashMap<DeclId, Fate> = FxHashMap::default();
        for index in 0..self.unit.tast.counts().exprs {
            let id: ExprId = Idx::from_usize(index);
            if let ExprKind::Decl(decl) = self.unit.tast[id].kind
                && all.contains(&decl)
            {
                let Fate { uses, handed } = self.follow(id, Followed::Parameter);
                let fate = fates.entry(decl).or_default();
                fate.uses = fate.uses.or(uses);
                fate.handed.extend(handed);
            }
        }
        loop {
            let found = fates.iter().map(|(decl, fate)| (*decl, self.whole(fate)));
            let found: FxHashMap<DeclId, Uses> = found.collect();
            if found == self.parameters {
                return;
            }
            self.parameters = found;
        }
    }

    fn follow(&self, from: ExprId, what: Followed) -> Fate {
        let mut fate = Fate::default();
        let mut todo = vec![(from, what)];
        while let Some((at, what)) = todo.pop() {
            let next = match (what, self.uses[at.index()]) {
                (Followed::Address | Followed::Inside, Use::Dropped) => continue,
                (Followed::Address, Use::Compared) => {
                    fate.uses.sees = true;
                    continue;
                }
                (Followed::Address, Use::Through(on)) => {
                    fate.uses.sees |= !is_pointer(self.unit, on);
                    (on, Followed::Address)
                }
                (Followed::Address, Use::Accessed(on)) => (on, Followed::Inside),
                (Followed::Address, Use::Argument(call, index)) => {
                    match self.parameter(call, index) {
                        Some(Some(parameter)) => fate.handed.push(parameter),
                        // The function may give the address back.
                        Some(None) => todo.push((call, Followed::Address)),
                        None => fate.uses.keeps = true,
                    }
                    continue;
                }
                (Followed::Inside, Use::Part(on)) => (on, Followed::Inside),
                (Followed::Inside, Use::Taken(on)) => (on, Followed::Address),
                (Followed::Inside, Use::Loaded(_) | Use::Written | Use::Changed(_)) => continue,
                (Followed::Parameter, Use::Loaded(on) | Use::Changed(on)) => {
                    (on, Followed::Address)
                }
                (Followed::Parameter, Use::Written) => continue,
                _ => {
                    fate.uses.keeps = true;
                    continue;
                }
            };
            todo.push(next);
        }
        fate
    }

    /// The parameter that an argument of a call is handed to, if the unit defines the function; `Some(None)` if the
    /// function belongs to the library and does not keep the address, and `None` if the address may be kept.
    #[expect(clippy::option_option, reason = "kept, given back, handed to a parameter")]
    fn parameter(&self, call: ExprId, index: usize) -> Option<Option<DeclId>> {
        let ExprKind::Call { mut callee, .. } = self.unit.tast[call].kind else { return None };
        while let ExprKind::Convert { kind: Conversion::FunctionDecay, operand } =
            self.unit.tast[callee].kind
        {
            callee = operand;
        }
        let ExprKind::Decl(decl) = self.unit.tast[callee].kind else { return None };
        let name = self.unit.name(self.unit.tast[decl].name?);
        if let Some(body) = self.defined.get(name) {
            let parameters = &self.unit.tast[self.unit.tast[*body].params];
            return parameters.get(index).map(|parameter| Some(*parameter));
        }
        let plain = name.strip_prefix("__builtin_").unwrap_or(name);
        let is_harmless = HARMLESS.contains(&plain)
            || (library::file_of(plain).is_some() && !KEEPING.contains(&plain));
        is_harmless.then_some(None)
    }
}

/// Collects the uses of expressions.
struct Collected<'u> {
    unit: &'u Unit,
    uses: Vec<Option<Use>>,
}

impl<'u> Collected<'u> {
    fn of(unit: &'u Unit) -> Vec<Use> {
        let mut uses = Self { unit, uses: vec![None; unit.tast.counts().exprs] };
        for index in 0..unit.tast.counts().exprs {
            uses.expression(Idx::from_usize(index));
        }
        for index in 0..unit.tast.counts().stmts {
            uses.statement(Idx::from_usize(index));
        }
        // An expression whose use was not noted, such as an initialiser or what a function returns, is kept.
        uses.uses.into_iter().map(|used| used.unwrap_or(Use::Kept)).collect()
    }

    /// Notes the use of an expression. An expression with two uses is not understood, and counts as kept.
    fn note(&mut self, expr: ExprId, used: Use) {
        let known = &mut self.uses[expr.index()];
        *known = Some(if known.is_some() { Use::Kept } else { used });
    }

    fn expression(&mut self, id: ExprId) {
        match self.unit.tast[id].kind {
            ExprKind::Member { base, .. } => self.note(base, Use::Part(id)),
            ExprKind::Subscript { base, index } => {
                self.note(base, Use::Accessed(id));
                let used = if is_pointer(self.unit, index) { Use::Kept } else { Use::Dropped };
                self.note(index, used);
            }
            ExprKind::Call { args, .. } => {
                for (index, argument) in self.unit.tast[args].iter().enumerate() {
                    self.note(*argument, Use::Argument(id, index));
                }
            }
            ExprKind::Unary { op, operand } => self.note(
                operand,
                match op {
                    UnaryOp::Deref => Use::Accessed(id),
                    UnaryOp::AddrOf => Use::Taken(id),
                    UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec => {
                        Use::Changed(id)
                    }
                    UnaryOp::Not => Use::Dropped,
                    _ => Use::Through(id),
                },
            ),
            ExprKind::Binary { op, lhs, rhs } => {
                use BinaryOp::{Eq, Ge, Gt, Le, LogAnd, LogOr, Lt, Ne, Sub};
                let is_distance =
                    op == Sub && is_pointer(self.unit, lhs) && is_pointer(self.unit, rhs);
                for (side, other) in [(lhs, rhs), (rhs, lhs)] {
                    let used = match op {
                        LogAnd | LogOr => Use::Dropped,
                        Eq | Ne if is_null(self.unit, other) => Use::Dropped,
                        Eq | Ne | Lt | Gt | Le | Ge => Use::Compared,
                        _ if is_distance => Use::Compared,
                        _ => Use::Through(id),
                    };
                    self.note(side, used);
                }
            }
            ExprKind::Assign { op, lhs, rhs, .. } => {
                let written = if op.is_none() { Use::Written } else { Use::Changed(id) };
                self.note(lhs, written);
                self.note(rhs, Use::Kept);
            }
            ExprKind::Cond { cond, then, otherwise } => {
                self.note(cond, Use::Dropped);
                // The first operand of `a ?: b` is condition and value.
                self.note(then, Use::Through(id));
                self.note(otherwise, Use::Through(id));
            }
            ExprKind::Comma { lhs, rhs } => {
                self.note(lhs, Use::Dropped);
                self.note(rhs, Use::Through(id));
            }
            ExprKind::Cast(operand) => self.note(operand, Use::Through(id)),
            ExprKind::Convert { kind, operand } => self.note(
                operand,
                match kind {
                    Conversion::Lvalue => Use::Loaded(id),
                    Conversion::ArrayDecay => Use::Taken(id),
                    Conversion::Bool | Conversion::Void => Use::Dropped,
                    _ => Use::Through(id),
                },
            ),
            ExprKind::StmtExpr(block) => self.value_of_block(block),
            _ => {}
        }
    }

    /// The value of a statement expression is a value of the expression around it, too.
    fn value_of_block(&mut self, block: StmtId) {
        let Stmt::Block(stmts) = self.unit.tast[block] else { return };
        let Some(mut last) = self.unit.tast[stmts].last().copied() else { return };
        while let Stmt::Label { body, .. } = self.unit.tast[last] {
            last = body;
        }
        if let Stmt::Expr(expr) = self.unit.tast[last] {
            let dropped = match self.unit.tast[expr].kind {
                ExprKind::Convert { kind: Conversion::Void, operand } => operand,
                _ => expr,
            };
            self.uses[dropped.index()] = Some(Use::Kept);
        }
    }

    fn statement(&mut self, id: StmtId) {
        match self.unit.tast[id] {
            Stmt::Expr(expr)
            | Stmt::If { cond: expr, .. }
            | Stmt::While { cond: expr, .. }
            | Stmt::DoWhile { cond: expr, .. }
            | Stmt::Switch { cond: expr, .. } => self.note(expr, Use::Dropped),
            Stmt::For { cond, step, .. } => {
                for expr in [cond, step].into_iter().flatten() {
                    self.note(expr, Use::Dropped);
                }
            }
            _ => {}
        }
    }
}

fn is_pointer(unit: &Unit, expr: ExprId) -> bool {
    matches!(unit.bare(unit.tast[expr].ty), TypeKind::Pointer(_))
}

/// Whether an expression is the null pointer, or the number zero.
fn is_null(unit: &Unit, mut expr: ExprId) -> bool {
    loop {
        expr = match unit.tast[expr].kind {
            ExprKind::Convert { operand, .. } | ExprKind::Cast(operand) => operand,
            ExprKind::Const(constant) => return matches!(unit.tast[constant], Const::Int(0)),
            _ => return false,
        }
    }
}
