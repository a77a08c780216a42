//! Variables of a file that nobody outside the program can change.
//!
//! A function of unknown effect ([`Op::HavocReachable`]) changes every global variable. But it cannot name a variable
//! that is `static` and whose address is never taken. It could change such a variable only by a call of a function of
//! the same file that assigns the variable; where there is no such function, the variable keeps its value. A variable
//! that is declared `const` keeps its value, too.

use cfa::{FuncId, Op, Scope};
use rucc_sema::{DeclId, Linkage};
use rustc_hash::{FxHashMap, FxHashSet};
use term::Var;

use super::link::Linker;
use super::storage::Storage;

impl Linker<'_> {
    /// Has variables keep their values where functions of unknown effect are called that cannot change them.
    pub fn keep_private(&mut self) {
        let has_unknown = |op: &Op| matches!(op, Op::HavocReachable { .. });
        let edges = self.program.cfa.edges.entries();
        let edges = edges.filter(|(_, edge)| edge.ops.iter().any(has_unknown));
        let edges: Vec<_> = edges.map(|(id, _)| id).collect();
        if edges.is_empty() {
            return;
        }
        let kept = self.private();
        let mut saved: FxHashMap<(FuncId, Var), Var> = FxHashMap::default();
        for id in edges {
            let edge = &self.program.cfa.edges[id];
            let function = self.program.cfa.locations[edge.source].function;
            let given = edge.ops.to_vec();
            let mut ops = Vec::new();
            for op in given {
                if !has_unknown(&op) {
                    ops.push(op);
                    continue;
                }
                let mut after = Vec::new();
                for var in &kept {
                    let sort = self.program.terms.var_sort(*var);
                    let save = *saved.entry((function, *var)).or_insert_with(|| {
                        let name = self.unique("@kept");
                        self.local(function, &name, sort)
                    });
                    let (now, before) =
                        (self.program.terms.var(*var), self.program.terms.var(save));
                    ops.push(Op::Assign { var: save, value: now });
                    after.push(Op::Assign { var: *var, value: before });
                }
                ops.push(op);
                ops.append(&mut after);
            }
            self.program.cfa.edges[id].ops = ops.into();
        }
    }

    /// The global variables that nothing outside the program can change, in order.
    fn private(&self) -> Vec<Var> {
        let changed = self.assigned();
        let mut found = Vec::new();
        for (key, storage) in self.known_globals() {
            let unit = &self.units[key.0];
            let entry = &unit.tast[key.1];
            let is_constant = unit.is_const(entry.ty) && !unit.is_volatile(entry.ty);
            let is_named_outside = entry.linkage == Linkage::External;
            if !is_constant && (is_named_outside || self.has_more_functions(key.0)) {
                continue;
            }
            match storage {
                Storage::Var(var, _) => found.push(*var),
                Storage::Fields(leaves) => found.extend(leaves.iter().filter_map(|leaf| leaf.var)),
                Storage::Memory(_) => {}
            }
        }
        found.retain(|var| !changed.contains(var));
        found.sort_unstable();
        found
    }

    /// Whether a file has functions that are not part of the program: what they do is not looked at, and something
    /// outside may know their addresses.
    fn has_more_functions(&self, unit: usize) -> bool {
        let tast = &self.units[unit].tast;
        let decls = (0..tast.counts().decls).map(DeclId::from_usize);
        decls
            .into_iter()
            .any(|decl| tast[decl].body.is_some() && self.known_function((unit, decl)).is_none())
    }

    /// The variables that any function assigns: code outside may call each function, the entry function among them, by
    /// its name, by an alias, or through a pointer.
    fn assigned(&self) -> FxHashSet<Var> {
        let cfa = &self.program.cfa;
        let in_functions =
            cfa.edges.iter().filter(|edge| Some(cfa.locations[edge.source].function) != cfa.start);
        let vars = in_functions.flat_map(|edge| &edge.ops).flat_map(|op| op.assigned());
        vars.copied().filter(|var| cfa.variables[*var].scope == Scope::Global).collect()
    }
}
