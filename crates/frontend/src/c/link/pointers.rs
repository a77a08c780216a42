//! Calls through pointers: addresses of functions, and dispatchers, which call the function that a pointer points to.

use cfa::{AssumptionKind, Check, Contents, FuncId, ObjectKind, Op};
use term::{Sort, TermId, Var};

use super::Linker;
use crate::c::body::Body;
use crate::c::signature::{Shapes, Signature};

impl Linker<'_> {
    /// The address of a function's code.
    pub fn function_address(&mut self, signature: &Signature) -> Var {
        if let Some(address) = self.addresses.get(&signature.function) {
            return *address;
        }
        let function = &self.program.cfa.functions[signature.function];
        let (name, span) = (function.name.clone(), function.span);
        let contents = Contents::Bytes(Box::new([]), Box::new([]));
        let kind = ObjectKind::Code(signature.function);
        // Compilers align functions for speed only, and not at all without optimisation.
        let object = self.program.add_object(name, 1, 1, kind, contents, span);
        let address = self.program.cfa.objects[object].address;
        self.addresses.insert(signature.function, address);
        self.addressed.push((address, signature.clone()));
        address
    }

    /// The function that calls whatever function of these shapes its first argument points to.
    pub fn dispatcher(&mut self, shapes: &Shapes) -> FuncId {
        if let Some((_, function)) = self.dispatchers.iter().find(|(known, _)| known == shapes) {
            return *function;
        }
        let name = self.unique("@call");
        let function = self.program.cfa.add_function(name.as_str(), None);
        let mut parameters = vec![Sort::Bv(self.width())];
        parameters.extend(&shapes.parameters);
        for (index, sort) in parameters.into_iter().enumerate() {
            let var = self.local(function, &format!("{name}::{index}"), sort);
            self.program.cfa.functions[function].parameters.push(var);
        }
        if let Some(sort) = shapes.result {
            let var = self.local(function, &format!("{name}::result"), sort);
            self.program.cfa.functions[function].results.push(var);
        }
        self.dispatchers.push((shapes.clone(), function));
        function
    }

    /// Whether a call with other shapes than those of a function works on the machine: the function does not look at
    /// the last arguments, or the call does not use the result. Where calls are checked, such a call is a fault.
    fn takes_fewer(&self, target: &Signature, shapes: &Shapes) -> bool {
        let own = &target.shapes;
        !self.options.checks().has(Check::Deref)
            && !own.variadic
            && !shapes.variadic
            && !target.aggregate_result
            && shapes.parameters.starts_with(&own.parameters)
            && (shapes.result == own.result || shapes.result.is_none())
    }

    pub(super) fn lower_dispatcher(&mut self, shapes: &Shapes, function: FuncId) {
        let mut body = Body::new();
        let parameters = self.program.cfa.functions[function].parameters.clone();
        let results = self.program.cfa.functions[function].results.clone();
        let arguments: Vec<TermId> =
            parameters.iter().map(|var| self.program.terms.var(*var)).collect();
        let mut cases = Vec::new();
        let mut known = Vec::new();
        let mut unfit = Vec::new();
        for (address, target) in self.addressed.clone() {
            let address = self.program.terms.var(address);
            let here = self.program.terms.eq(arguments[0], address);
            known.push(here);
            let takes_fewer = target.shapes != *shapes && self.takes_fewer(&target, shapes);
            if takes_fewer {
                let text = "a function that is called through a pointer to another type of function takes \
                            the first of the arguments, and a result that the type lacks is dropped";
                self.program.cfa.assume(AssumptionKind::Semantics, text, None);
            }
            if target.shapes == *shapes || takes_fewer {
                cases.push((here, body.label(), Some(target.clone())));
            } else {
                unfit.push(here);
            }
        }
        let unfit = self.program.terms.or(&unfit);
        let known = self.program.terms.or(&known);
        let unknown = self.program.terms.not(known);
        cases.push((unfit, body.label(), None));
        let nowhere = body.label();
        let mut fork: Vec<_> =
            cases.iter().map(|(condition, label, _)| (*condition, *label, None)).collect();
        fork.push((unknown, nowhere, None));
        body.fork(&self.program.terms, &fork);
        for (_, label, target) in cases {
            body.place_detached(label);
            match target {
                Some(target) => {
                    let count = target.shapes.parameters.len();
                    let arguments = arguments[1..=count].into();
                    let callee = target.function;
                    body.emit(Op::Call { callee, arguments, results: results.clone().into() });
                    body.jump(body.exit());
                }
                None => {
                    let reason = "a call through a pointer to a function of another type";
                    body.end(Op::Unsupported(reason.into()));
                }
            }
        }
        body.place_detached(nowhere);
        let never = self.program.terms.bool(false);
        body.end(Op::Check { holds: never, fault: cfa::Fault::InvalidCall });
        body.finish(&mut self.program.cfa, function);
    }
}
