//! Statements.

use cfa::{AllocKind, Case, Choice, Op, Reading};
use rucc_sema::{
    CaseList, DeclId, DeclKind, ExprId, ExprKind, Linkage, Stmt, StmtId, StorageDuration,
};
use term::Bv;

use super::body::Deciding;
use super::function::Lower;
use super::shape::{Shape, TypeShape};
use super::storage::{Lvalue, Storage};

impl Lower<'_, '_> {
    /// Lowers a statement.
    pub fn stmt(&mut self, id: StmtId) {
        let outer = self.body.set_span(self.unit.stmt_span(id));
        self.statement(id);
        self.body.restore_span(outer);
    }

    fn statement(&mut self, id: StmtId) {
        match self.unit.tast[id] {
            Stmt::Error => self.unsupported("a statement that was not understood"),
            Stmt::Empty => {}
            Stmt::Expr(expr) => {
                self.effect(expr);
                self.body.flush();
            }
            Stmt::Block(stmts) => {
                let unit = self.unit.clone();
                self.in_block(|lower| {
                    for stmt in &unit.tast[stmts] {
                        lower.stmt(*stmt);
                    }
                });
            }
            Stmt::Decls(decls) => {
                let unit = self.unit.clone();
                self.fix_member_lengths(id);
                for &decl in &unit.tast[decls] {
                    let outer = self.body.set_span(self.unit.span(self.unit.tast.decl_span(decl)));
                    self.declaration(decl);
                    self.body.restore_span(outer);
                }
            }
            Stmt::If { cond, then, otherwise } => {
                let (yes, no, join) = (self.body.label(), self.body.label(), self.body.label());
                self.branch_at(cond, yes, no);
                self.body.place_detached(yes);
                self.in_block(|lower| lower.stmt(then));
                self.body.jump(join);
                self.body.place_detached(no);
                if let Some(otherwise) = otherwise {
                    self.in_block(|lower| lower.stmt(otherwise));
                }
                self.body.place(join);
            }
            Stmt::While { cond, body } => {
                let (head, inside, after) =
                    (self.loop_head(), self.body.label(), self.body.label());
                self.body.place(head);
                self.branch_at(cond, inside, after);
                self.body.place_detached(inside);
                self.in_loop(after, head, |lower| lower.stmt(body));
                self.body.jump(head);
                self.body.place_detached(after);
            }
            Stmt::DoWhile { body, cond } => {
                let (head, test, after) = (self.loop_head(), self.body.label(), self.body.label());
                self.body.place(head);
                self.in_loop(after, test, |lower| lower.stmt(body));
                self.body.place(test);
                self.branch_at(cond, head, after);
                self.body.place_detached(after);
            }
            Stmt::For { init, cond, step, body } => {
                self.in_block(|lower| lower.for_loop(init, cond, step, body));
            }
            Stmt::Switch { cond, body, cases, default } => self.switch(cond, body, cases, default),
            Stmt::Case { case, body } => {
                let label = *self.cases.entry(case).or_insert_with(|| self.body.label());
                self.body.place(label);
                self.stmt(body);
            }
            Stmt::Default { body } => {
                let label = *self.defaults.entry(body).or_insert_with(|| self.body.label());
                self.body.place(label);
                self.stmt(body);
            }
            Stmt::Label { label, body } => {
                self.enter_label(label);
                self.stmt(body);
            }
            Stmt::Goto(label) => {
                let target = self.label(label);
                self.goto(label, target);
            }
            Stmt::IndirectGoto(_) => self.body.end(Op::Unsupported("computed goto".into())),
            Stmt::Asm(id) => self.assembly(id),
            Stmt::Break => match self.breaks.last() {
                Some(&target) => {
                    self.renew(self.scopes.after_break());
                    self.body.jump(target);
                }
                None => self.unsupported("a break outside a loop"),
            },
            Stmt::Continue => match self.continues.last() {
                Some(&target) => {
                    self.renew(self.scopes.after_continue());
                    self.body.jump(target);
                }
                None => self.unsupported("a continue outside a loop"),
            },
            Stmt::Return(value) => self.give_back(value),
        }
    }

    /// A branch whose edges point at the condition of the statement that is being lowered.
    fn branch_at(&mut self, cond: ExprId, yes: super::body::Label, no: super::body::Label) {
        let outer = self.body.set_span(self.unit.span(self.unit.tast.expr_span(cond)));
        let deciding = outer.map(|statement| Deciding { statement, yes, no });
        let around = self.body.set_deciding(deciding);
        self.branch(cond, yes, no);
        self.body.set_deciding(around);
        self.body.restore_span(outer);
    }

    fn loop_head(&mut self) -> super::body::Label {
        let head = self.body.label();
        let span = self.body.span();
        self.body.mark(head, None, span);
        head
    }

    fn for_loop(
        &mut self,
        init: Option<StmtId>,
        cond: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
    ) {
        if let Some(init) = init {
            self.stmt(init);
        }
        let (head, inside) = (self.loop_head(), self.body.label());
        let (next, after) = (self.body.label(), self.body.label());
        self.body.place(head);
        match cond {
            Some(cond) => self.branch_at(cond, inside, after),
            None => self.body.jump(inside),
        }
        self.body.place_detached(inside);
        self.in_loop(after, next, |lower| lower.stmt(body));
        self.body.place(next);
        if let Some(step) = step {
            let outer = self.body.set_span(self.unit.span(self.unit.tast.expr_span(step)));
            self.effect(step);
            self.body.flush();
            self.body.restore_span(outer);
        }
        self.body.jump(head);
        self.body.place_detached(after);
    }

    fn in_loop(
        &mut self,
        after: super::body::Label,
        next: super::body::Label,
        body: impl FnOnce(&mut Self),
    ) {
        let repeats = std::mem::replace(&mut self.repeats, true);
        self.breaks.push(after);
        self.continues.push(next);
        self.scopes.enter_loop();
        self.in_block(body);
        self.scopes.leave_loop();
        self.breaks.pop();
        self.continues.pop();
        // A label in the body may be jumped to from behind the loop.
        self.repeats = repeats || !self.labels.is_empty();
    }

    pub fn label(&mut self, label: rucc_sema::LabelId) -> super::body::Label {
        if let Some(known) = self.labels.get(&label) {
            return *known;
        }
        let made = self.body.label();
        self.labels.insert(label, made);
        made
    }

    /// Goes on at a label; if reaching it is the error, nothing comes after.
    fn enter_label(&mut self, label: rucc_sema::LabelId) {
        let target = self.label(label);
        let name = self.unit.name(self.unit.tast[label].name).to_owned();
        let span = self.body.span();
        self.body.mark(target, Some(&name), span);
        self.body.place(target);
        self.label_here(label);
        // A later jump may come back here.
        self.repeats = true;
        if self.link.property.is_error_label(&name) {
            self.body.error(None);
        }
    }

    fn switch(&mut self, cond: ExprId, body: StmtId, cases: CaseList, default: Option<StmtId>) {
        let after = self.body.label();
        let Some(Shape::Int { width, signed, .. }) = self.unit.shape(self.unit.tast[cond].ty)
        else {
            return self.unsupported("a switch over this type");
        };
        let outer = self.body.set_span(self.unit.span(self.unit.tast.expr_span(cond)));
        let value = self.value(cond);
        let reading = if signed { Reading::Signed } else { Reading::Plain };
        let (mut choices, mut taken) = (Vec::new(), Vec::new());
        for id in cases.iter() {
            let case = self.unit.tast[id];
            let label = *self.cases.entry(id).or_insert_with(|| self.body.label());
            let (low, high) = (self.bv(width, case.low as u128), self.bv(width, case.high as u128));
            let (condition, kind) = if case.low == case.high {
                let kind = Case::Value { value: Bv::new(width, case.low as u128), reading };
                (self.terms().eq(value, low), kind)
            } else {
                let (above, below) = match signed {
                    true => (self.terms().bv_sle(low, value), self.terms().bv_sle(value, high)),
                    false => (self.terms().bv_ule(low, value), self.terms().bv_ule(value, high)),
                };
                (self.terms().and2(above, below), Case::Range)
            };
            taken.push(condition);
            choices.push((condition, label, Some(kind)));
        }
        let any = self.terms().or(&taken);
        let none = self.terms().not(any);
        let (otherwise, kind) = match default {
            Some(stmt) => {
                (*self.defaults.entry(stmt).or_insert_with(|| self.body.label()), Case::Default)
            }
            None => (after, Case::NoCase),
        };
        choices.push((none, otherwise, Some(kind)));
        self.body.flush();
        self.body.fork(&self.link.program.terms, &choices);
        self.body.restore_span(outer);
        self.breaks.push(after);
        self.scopes.enter_switch();
        self.in_block(|lower| lower.stmt(body));
        self.scopes.leave_switch();
        self.breaks.pop();
        self.body.place(after);
    }

    fn declaration(&mut self, decl: DeclId) {
        let entry = self.unit.tast[decl].clone();
        let is_local =
            entry.linkage == Linkage::None && entry.duration == StorageDuration::Automatic;
        self.fix_lengths(entry.ty, entry.kind == DeclKind::Object);
        if entry.kind == DeclKind::Function && entry.body.is_some() {
            // A nested function sees the variables of the activation around it.
            self.unsupported("a nested function");
        }
        if entry.kind != DeclKind::Object || !is_local {
            return self.body.flush();
        }
        let storage = self.storage(decl);
        if let Storage::Memory(var) = storage
            && self.unit.size(entry.ty).is_none()
        {
            let size = self.size_term(entry.ty);
            let align = u64::from(entry.alignment.unwrap_or(1))
                .max(self.unit.align(entry.ty))
                .next_power_of_two();
            self.emit(Op::Alloc { var, size, align, kind: AllocKind::Stack, zeroed: false });
        }
        if let Storage::Memory(var) = storage {
            self.scoped(decl, var);
        }
        let place = self.stored(&storage);
        self.once(&storage, entry.ty, |lower| {
            if entry.init.is_some() {
                lower.initialise(decl, &place);
            } else if lower.repeats && lower.unit.kind(entry.ty) != TypeShape::Void {
                lower.havoc(&place, entry.ty, &Choice::Uninitialised);
            }
        });
        if let Some(cleanup) = entry.cleanup {
            let key = self.link.resolve(self.key.0, cleanup);
            if self.link.has_body(key) {
                let function = self.link.function(key).function;
                self.link.called_elsewhere.push(function);
            }
            self.unsupported("a variable with a cleanup function");
        }
        self.body.flush();
    }

    /// Lowers the block of a statement expression up to its last expression, which is given back and has the value.
    pub fn statement_expression(&mut self, id: StmtId) -> Option<ExprId> {
        let Stmt::Block(stmts) = self.unit.tast[id] else { return None };
        let stmts = self.unit.tast[stmts].to_vec();
        let (last, first) = stmts.split_last()?;
        // A statement expression may stand in the condition of a loop.
        let repeats = std::mem::replace(&mut self.repeats, true);
        self.scopes.enter();
        for stmt in first {
            self.stmt(*stmt);
        }
        self.leave_expression();
        self.repeats = repeats || !self.labels.is_empty();
        let mut last = *last;
        // A label may stand before the value.
        while let Stmt::Label { label, body } = self.unit.tast[last] {
            self.enter_label(label);
            last = body;
        }
        match self.unit.tast[last] {
            Stmt::Expr(expr) => {
                let node = self.unit.tast[expr];
                let dropped = match node.kind {
                    ExprKind::Convert { kind: rucc_sema::Conversion::Void, operand } => operand,
                    _ => expr,
                };
                match self.unit.kind(self.unit.tast[dropped].ty) {
                    TypeShape::Scalar(_) | TypeShape::Aggregate => Some(dropped),
                    _ => {
                        self.effect(expr);
                        None
                    }
                }
            }
            _ => {
                self.stmt(last);
                None
            }
        }
    }

    fn give_back(&mut self, value: Option<ExprId>) {
        if let Some(value) = value {
            let ty = self.unit.tast[value].ty;
            let function = self.signature.function;
            match self.unit.kind(ty) {
                TypeShape::Scalar(_) => {
                    let term = self.value(value);
                    let result = self.link.program.cfa.functions[function].results.first().copied();
                    if let Some(var) = result {
                        self.emit(Op::Assign { var, value: term });
                    }
                }
                TypeShape::Aggregate => {
                    let from = self.aggregate(value);
                    let target = self.link.program.cfa.functions[function].parameters[0];
                    let to = Lvalue::Memory(self.terms().var(target));
                    self.copy(&to, &from, ty);
                }
                TypeShape::Unsupported(what) => self.unsupported(what),
                _ => self.effect(value),
            }
        }
        if value.is_none() {
            self.end_without_value();
        }
        let exit = self.leave();
        self.body.jump(exit);
    }
}
