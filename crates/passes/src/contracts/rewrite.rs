//! Makes the program in which a call does what the contract of its function says.

use std::collections::{BTreeMap, BTreeSet};

use base::IndexVec;
use cfa::{Choice, EdgeId, FuncId, LocId, Op, Program, Reading, Scope, Variable};
use term::{Sort, TermId, Var};

use super::contract::{Contract, Contracts, Site, Spoken};
use super::functions::Effects;

/// The program with contracts that say nothing.
pub(super) fn rewrite(
    original: &Program,
    start: FuncId,
    functions: &[FuncId],
    effects: &IndexVec<FuncId, Effects>,
    parts: BTreeMap<FuncId, BTreeSet<FuncId>>,
) -> Contracts {
    let mut program = original.clone();
    let holds = declare(&mut program, "@holds".to_owned(), Sort::Bool, Reading::Plain);
    let mut made = Contracts {
        program,
        starts: [start].iter().chain(functions).copied().collect(),
        contracts: BTreeMap::new(),
        parts,
        holds,
    };
    let (mut befores, mut kept) = (BTreeMap::new(), BTreeMap::new());
    for function in functions {
        let followed = effects[*function].followed(original);
        let program = &mut made.program;
        let before = |var: Var| {
            let before = befores.entry(var).or_insert_with(|| copy(program, "before", var));
            (var, *before)
        };
        let globals = followed.into_iter().map(before).collect();
        let known = original.cfa.functions[*function].clone();
        let parameters: Vec<Var> =
            known.parameters.iter().map(|var| copy(program, "in", *var)).collect();
        let results: Vec<Var> =
            known.results.iter().map(|var| copy(program, "out", *var)).collect();
        let written = effects[*function].written.clone();
        let spoken = Spoken { parameters, results, globals };
        let [begin, end] = made.begin_and_end(*function, &spoken, &mut kept);
        let (requires, ensures, sites) = (Vec::new(), Vec::new(), Vec::new());
        let contract = Contract { spoken, written, requires, ensures, begin, end, sites };
        made.contracts.insert(*function, contract);
    }
    for edge in original.cfa.edges.ids() {
        made.cut(edge);
    }
    made
}

/// Declares a global variable that stands for a value of another one.
fn copy(program: &mut Program, what: &str, var: Var) -> Var {
    let name = format!("@{what}:{}", program.terms.var_name(var));
    let (sort, reading) = (program.terms.var_sort(var), program.cfa.variables[var].reading);
    declare(program, name, sort, reading)
}

fn declare(program: &mut Program, name: String, sort: Sort, reading: Reading) -> Var {
    let scope = Scope::Global;
    program.declare(name, sort, Variable { scope, reading, source_name: None, span: None })
}

impl Contracts {
    /// Puts a beginning before the entry of a function and an end after its exit. What the contract speaks of
    /// is kept aside meanwhile, since calls on the way have contracts that speak of the same variables.
    fn begin_and_end(
        &mut self,
        function: FuncId,
        spoken: &Spoken,
        kept: &mut BTreeMap<Var, Var>,
    ) -> [EdgeId; 2] {
        let program = &mut self.program;
        let known = program.cfa.functions[function].clone();
        let parameters = known.parameters.iter().copied().zip(spoken.parameters.iter().copied());
        let pairs: Vec<(Var, Var)> = parameters.chain(spoken.globals.iter().copied()).collect();
        let mut first = Vec::new();
        let mut last = Vec::new();
        for (var, stands) in pairs {
            let kept = *kept.entry(stands).or_insert_with(|| copy(program, "kept", stands));
            let [now, then] = [var, kept].map(|var| program.terms.var(var));
            first.push(Op::Assign { var: stands, value: now });
            first.push(Op::Assign { var: kept, value: now });
            last.push(Op::Assign { var: stands, value: then });
        }
        for (var, stands) in known.results.iter().zip(&spoken.results) {
            let value = program.terms.var(*var);
            last.push(Op::Assign { var: *stands, value });
        }
        let [entry, check, exit] = [(); 3].map(|()| program.cfa.add_location(function));
        let holds = program.terms.var(self.holds);
        first.extend([computed(self.holds, holds), Op::Assume(holds)]);
        last.push(computed(self.holds, holds));
        let begin = program.cfa.add_edge(entry, known.entry, first, known.span);
        let end = program.cfa.add_edge(known.exit, check, last, known.span);
        program.cfa.add_edge(check, exit, [Op::Assume(holds)], known.span);
        self.fail(check);
        let changed = &mut self.program.cfa.functions[function];
        (changed.entry, changed.exit) = (entry, exit);
        [begin, end]
    }

    /// Adds an edge from a place to an error where the formulas that were computed last do not hold.
    fn fail(&mut self, check: LocId) {
        let Program { cfa, terms, .. } = &mut self.program;
        let holds = terms.var(self.holds);
        let fails = terms.not(holds);
        let error = cfa.add_location(cfa.locations[check].function);
        cfa.locations[error].error = true;
        cfa.add_edge(check, error, [Op::Assume(fails)], None);
    }

    /// Puts what a contract says in place of a call of a function that has one.
    fn cut(&mut self, edge: EdgeId) {
        let cfa = &mut self.program.cfa;
        let known = cfa.edges[edge].clone();
        let Some(Op::Call { callee, arguments, results }) = known.ops.first() else { return };
        let Some(contract) = self.contracts.get_mut(callee) else { return };
        let caller = cfa.locations[known.source].function;
        let check = cfa.add_location(caller);
        let terms = &mut self.program.terms;
        let holds = terms.var(self.holds);
        let mut call = Vec::new();
        for (var, value) in contract.spoken.parameters.iter().zip(arguments) {
            call.push(Op::Assign { var: *var, value: *value });
        }
        for (var, before) in &contract.spoken.globals {
            call.push(Op::Assign { var: *before, value: terms.var(*var) });
        }
        call.push(computed(self.holds, holds));
        let mut done = vec![Op::Assume(holds)];
        for var in contract.written.iter().chain(&contract.spoken.results) {
            let choice = Choice::Approximated(cfa.functions[*callee].name.clone());
            done.push(Op::Havoc { var: *var, choice });
        }
        done.extend([computed(self.holds, holds), Op::Assume(holds)]);
        for (var, result) in results.iter().zip(&contract.spoken.results) {
            done.push(Op::Assign { var: *var, value: terms.var(*result) });
        }
        cfa.edges[edge].target = check;
        cfa.edges[edge].ops = call.into();
        let done = cfa.add_edge(check, known.target, done, known.span);
        contract.sites.push(Site { caller, call: edge, done });
        self.fail(check);
    }

    /// Writes the contract of a function into the program.
    pub(super) fn write(&mut self, function: FuncId) {
        let Program { cfa, terms, .. } = &mut self.program;
        let contract = &self.contracts[&function];
        let [requires, ensures] =
            [&contract.requires, &contract.ensures].map(|formulas| terms.and(formulas));
        let mut set = |edge: EdgeId, formula: TermId| {
            let computes =
                |op: &&mut Op| matches!(op, Op::Assign { var, .. } if *var == self.holds);
            let op = cfa.edges[edge].ops.iter_mut().find(computes);
            *op.expect("the edge computes whether formulas hold") = computed(self.holds, formula);
        };
        set(contract.begin, requires);
        set(contract.end, ensures);
        for site in &contract.sites {
            set(site.call, requires);
            set(site.done, ensures);
        }
    }
}

/// Sets the variable that holds what formulas say.
fn computed(holds: Var, formula: TermId) -> Op {
    Op::Assign { var: holds, value: formula }
}
