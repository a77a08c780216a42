//! `setjmp` and `longjmp`.
//!
//! `longjmp` says in global variables where it goes, and its function returns. Behind every call the
//! caller looks at whether there is such a jump: if the caller's own activation is meant, it goes on
//! behind the call of `setjmp`; otherwise it returns, too. An activation is told from others by the
//! address of an object in its frame, which the buffer keeps.

use cfa::{AssumptionKind, Op, Reading, Scope, Variable};
use term::{Sort, TermId};

use super::argument::{Argument, Modelled};
use super::body::{Body, Label};
use super::function::Lower;
use super::jump::{Jump, LONGJMP, Site};
use super::link::Linker;
use super::shape::Shape;
use super::storage::Lvalue;

const SETJMP: [&str; 4] = ["setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp"];

impl Linker<'_> {
    /// The variables for jumps, if some unit has a jump.
    pub fn jump(&mut self) -> Option<Jump> {
        if let Some(known) = self.jump {
            return known;
        }
        let has_jumps = self.facts.iter().any(|facts| facts.jumps);
        let jump = has_jumps.then(|| {
            let width = self.width();
            let mut declare = |name: &str, sort: Sort, reading: Reading| {
                let variable =
                    Variable { scope: Scope::Global, reading, source_name: None, span: None };
                self.program.declare(name, sort, variable)
            };
            Jump {
                on: declare("@jump::on", Sort::Bool, Reading::Plain),
                frame: declare("@jump::frame", Sort::Bv(width), Reading::Address),
                site: declare("@jump::site", Sort::Bv(32), Reading::Plain),
                value: declare("@jump::value", Sort::Bv(32), Reading::Signed),
            }
        });
        if let Some(Jump { on, .. }) = jump {
            let value = self.program.terms.bool(false);
            self.start.push(Op::Assign { var: on, value });
        }
        self.jump = Some(jump);
        jump
    }

    /// Behind a call that the start makes: a jump that comes here goes to an activation that is gone.
    pub fn no_jump(&mut self, body: &mut Body) {
        let Some(jump) = self.jump() else { return };
        body.flush();
        let (lost, on) = (body.label(), body.label());
        let is_on = jump.is_on(&mut self.program.terms);
        body.branch(&mut self.program.terms, is_on, lost, on);
        body.place_detached(lost);
        let reason = "longjmp to where no setjmp of a function that is still active has been";
        body.end(Op::Unsupported(reason.into()));
        body.place_detached(on);
    }
}

impl Lower<'_, '_> {
    /// Where the activation goes on when a call has returned because of a jump.
    fn landing(&mut self) -> Label {
        match self.landing.label {
            Some(label) => label,
            None => *self.landing.label.insert(self.body.label()),
        }
    }

    /// Called behind a call: the callee may have returned because of a jump.
    pub fn after_call(&mut self) {
        let Some(jump) = self.link.jump() else { return };
        let (landing, on) = (self.landing(), self.body.label());
        let is_on = jump.is_on(self.terms());
        self.branch_on(is_on, landing, on);
        self.body.place_detached(on);
    }

    /// `setjmp` and `longjmp` by name.
    pub fn jumps(&mut self, name: &str, arguments: &[Argument]) -> Modelled {
        let (&first, rest) = arguments.split_first()?;
        match rest {
            _ if SETJMP.contains(&name) => Some(Some(self.setjmp(&first))),
            [value, ..] if LONGJMP.contains(&name) => {
                self.longjmp(&first, value);
                Some(None)
            }
            _ => None,
        }
    }

    /// The parts of a buffer: the object of the activation, and the number of the `setjmp`.
    fn buffer(&mut self, address: TermId) -> [(Lvalue, Shape); 2] {
        let pointer = Shape::Pointer { width: self.link.width() };
        let second = self.offset(address, u64::from(self.link.width() / 8));
        [(Lvalue::Memory(address), pointer), (Lvalue::Memory(second), Shape::INT)]
    }

    fn setjmp(&mut self, buffer: &Argument) -> TermId {
        let frame = match self.landing.frame {
            Some(frame) => frame,
            None => {
                let frame = self.scratch_bytes(1, 1);
                *self.landing.frame.insert(frame)
            }
        };
        let text = "variables that change between setjmp and longjmp keep their new values";
        self.assume(AssumptionKind::Semantics, text.to_owned());
        let [(first, pointer), (second, int)] = self.buffer(buffer.value);
        let number = self.bv(32, self.landing.sites.len() as u128 + 1);
        self.write(&first, frame, pointer);
        self.write(&second, number, int);
        let result = self.temporary(Sort::Bv(32));
        let zero = self.bv(32, 0);
        self.emit(Op::Assign { var: result, value: zero });
        let behind = self.body.label();
        let span = self.body.span();
        self.body.mark(behind, None, span);
        self.body.mark_landing(behind);
        self.body.place(behind);
        let blocks = self.scopes.numbers();
        self.landing.sites.push(Site { behind, result, blocks });
        self.terms().var(result)
    }

    fn longjmp(&mut self, buffer: &Argument, value: &Argument) {
        let Some(jump) = self.link.jump() else {
            return self.body.end(Op::Unsupported("longjmp under another name".into()));
        };
        let value = self.resize(value.value, 32, true);
        let (zero, one) = (self.bv(32, 0), self.bv(32, 1));
        let is_zero = self.terms().eq(value, zero);
        let value = self.terms().ite(is_zero, one, value);
        let [(first, pointer), (second, int)] = self.buffer(buffer.value);
        let frame = self.read(&first, pointer);
        let site = self.read(&second, int);
        let truth = self.terms().bool(true);
        for (var, value) in
            [(jump.frame, frame), (jump.site, site), (jump.value, value), (jump.on, truth)]
        {
            self.emit(Op::Assign { var, value });
        }
        let landing = self.landing();
        self.body.jump(landing);
    }

    /// Builds the code where jumps of `longjmp` arrive, behind everything else in the function: jumps to this
    /// activation go on behind their `setjmp`, other jumps return to the caller.
    pub fn land(&mut self) {
        let Some((label, jump)) = self.landing.label.zip(self.link.jump()) else { return };
        self.body.place_detached(label);
        let sites = std::mem::take(&mut self.landing.sites);
        for (index, Site { behind, result, blocks }) in sites.into_iter().enumerate() {
            let Some(frame) = self.landing.frame else { continue };
            let number = self.bv(32, index as u128 + 1);
            let terms = self.terms();
            let (wanted, site) = (terms.var(jump.frame), terms.var(jump.site));
            let (mine, here) = (terms.eq(wanted, frame), terms.eq(site, number));
            let both = terms.and2(mine, here);
            let (arrives, passes) = (self.body.label(), self.body.label());
            self.branch_on(both, arrives, passes);
            self.body.place_detached(arrives);
            let (value, never) = (self.terms().var(jump.value), self.terms().bool(false));
            self.emit(Op::Assign { var: result, value });
            self.emit(Op::Assign { var: jump.on, value: never });
            self.end_all_but(&blocks);
            self.body.jump(behind);
            self.body.place_detached(passes);
        }
        let exit = self.leave();
        self.body.jump(exit);
    }
}
