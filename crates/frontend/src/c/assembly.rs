//! Inline assembly. Its text is not read, so what it computes is not known.

use cfa::{AssumptionKind, Choice, Op};

use super::function::Lower;
use super::shape::TypeShape;
use super::storage::Lvalue;
use crate::{Assembly, Setting};

impl Lower<'_, '_> {
    /// Inline assembly that is empty and writes nothing is a barrier for the compiler alone. For other assembly the
    /// options choose: its outputs hold anything afterwards and nothing else has changed, or a run that gets there is
    /// inconclusive. A run is always inconclusive if it gets to assembly that may jump, or to assembly where a check
    /// follows which bytes are set (`shadow`).
    pub fn assembly(&mut self, id: rucc_sema::AsmId) {
        let unit = self.unit.clone();
        let asm = unit.tast[id];
        let is_empty = unit.tast[asm.template].elements.iter().all(|c| matches!(c, 32 | 9 | 10));
        let is_barrier = is_empty && unit.tast[asm.outputs].is_empty();
        let is_refused = self.link.options.assembly == Assembly::Error
            || self.link.shadows.is_some()
            || !unit.tast[asm.labels].is_empty();
        if !is_barrier && is_refused {
            self.unsupported("inline assembly");
        }
        for input in &unit.tast[asm.inputs] {
            self.effect(input.value);
        }
        if !is_barrier && !is_refused {
            let setting = self.link.options.wording.of(Setting::AssemblyError);
            let text = format!(
                "inline assembly changes nothing but its outputs, which hold anything afterwards ({setting})"
            );
            self.assume(AssumptionKind::Semantics, text);
            for output in &unit.tast[asm.outputs] {
                self.set_by_assembly(output.value);
            }
        }
        self.body.flush();
    }

    /// Gives an lvalue any value. The real value is what the assembly computes, so an execution that depends on the
    /// chosen value is no counterexample.
    fn set_by_assembly(&mut self, output: rucc_sema::ExprId) {
        let ty = self.unit.tast[output].ty;
        let choice = Choice::Approximated("inline assembly".into());
        match self.unit.kind(ty) {
            TypeShape::Scalar(shape) => {
                let place = self.place(output);
                let Some(value) = self.arbitrary(ty, choice) else { return };
                self.write(&place, value, shape);
            }
            TypeShape::Aggregate => {
                let place = self.aggregate(output);
                match place {
                    Lvalue::Memory(address) => {
                        let length = self.size_term(ty);
                        self.emit(Op::HavocMemory { address, length, choice });
                    }
                    _ => self.unsupported("inline assembly"),
                }
            }
            _ => self.unsupported("inline assembly"),
        }
    }
}
