//! Inputs by chance, most of them values that the program compares its inputs with. If a program gives up at the
//! first unknown input, executions with other inputs end soon.

use base::Random;
use cfa::{EdgeId, LocId, Op, Program};
use interp::{Inputs, RandomInputs, Request, Trouble};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Sort, TermId, Value, Var, View};

/// The values that a program compares its inputs with.
#[derive(Clone, Debug, Default)]
pub(crate) struct Compared {
    values: FxHashMap<Sort, Vec<Value>>,
}

impl Compared {
    /// The constants that stand beside inputs in conditions. A variable counts as an input if an input is assigned to
    /// it unchanged.
    pub(crate) fn of(program: &Program) -> Self {
        let inputs = inputs(program);
        let mut found = Self::default();
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let ops = program.cfa.edges.iter().flat_map(|edge| &edge.ops);
        let conditions = ops.filter_map(|op| match op {
            Op::Assume(condition) | Op::Check { holds: condition, .. } => Some(*condition),
            _ => None,
        });
        for condition in conditions {
            if !seen.insert(condition) {
                continue;
            }
            for part in program.terms.post_order(&[condition]) {
                let View::App(_, &[left, right]) = program.terms.view(part) else { continue };
                let sides = [program.terms.view(left), program.terms.view(right)];
                if let [View::Var(var), View::Const(value)] | [View::Const(value), View::Var(var)] =
                    sides
                    && inputs.contains(&var)
                {
                    let known = found.values.entry(program.terms.var_sort(var)).or_default();
                    if !known.contains(value) && known.len() < MOST_VALUES {
                        known.push(value.clone());
                    }
                }
            }
        }
        found
    }

    /// Whether inputs are compared with no constant.
    pub(crate) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The sequence of a seed.
    pub(crate) fn sequence(&self, seed: u64) -> impl Inputs + '_ {
        Sequence {
            compared: self,
            numbers: Random::stream(seed, 1),
            others: RandomInputs::new(seed),
        }
    }
}

/// At most this many values of a sort are kept.
const MOST_VALUES: usize = 256;

/// One of this many drawn values is random. The others are values that the program compares inputs with.
const UNKNOWN: usize = 32;

/// The variables that hold inputs as they came.
fn inputs(program: &Program) -> FxHashSet<Var> {
    let cfa = &program.cfa;
    let mut found: FxHashSet<Var> = FxHashSet::default();
    let mut copies: FxHashMap<Var, Vec<Var>> = FxHashMap::default();
    let mut copy = |from: TermId, to: Var| {
        if let View::Var(from) = program.terms.view(from) {
            copies.entry(from).or_default().push(to);
        }
    };
    let mut todo = Vec::new();
    for op in cfa.edges.iter().flat_map(|edge| &edge.ops) {
        match op {
            Op::Havoc { var, .. } => todo.push(*var),
            Op::Assign { var, value } => copy(*value, *var),
            Op::Call { callee, arguments, .. } => {
                let parameters = &cfa.functions[*callee].parameters;
                parameters.iter().zip(arguments).for_each(|(to, from)| copy(*from, *to));
            }
            _ => {}
        }
    }
    while let Some(var) = todo.pop() {
        if found.insert(var) {
            todo.extend(copies.get(&var).into_iter().flatten());
        }
    }
    found
}

/// Inputs of one execution.
struct Sequence<'c> {
    compared: &'c Compared,
    numbers: Random,
    others: RandomInputs,
}

impl Inputs for Sequence<'_> {
    fn choose(&mut self, request: &Request<'_>) -> Result<Value, Trouble> {
        let known = self.compared.values.get(&request.sort).map_or(&[][..], |known| known);
        if known.is_empty() || self.numbers.once_in(UNKNOWN) {
            return self.others.choose(request);
        }
        Ok(self.numbers.pick(known))
    }

    fn choose_edge(&mut self, location: LocId, edges: &[EdgeId]) -> Result<usize, Trouble> {
        self.others.choose_edge(location, edges)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program that gives up at every input but two, which it passes to a function.
    const KNOWN: &str = "extern int in(void);\nint s = 1;\nvoid step(int i) { if (i == 52401 && s == 99) s = 5; }\nint \
                         main(void) {\n  while (1) {\n    int k = in();\n    if (k != 52401 && k != 70003) return 1;\n    \
                         step(k);\n  }\n}\n";

    #[test]
    fn inputs_are_those_that_the_program_knows() {
        let mut sources = base::SourceMap::new();
        let file = sources.add("test.c", KNOWN.as_bytes()).expect("a short file");
        let program = frontend::c::load(sources, &[file], &frontend::Options::default()).program;
        let compared = Compared::of(&program);
        let known = compared.values.get(&Sort::Bv(32)).map_or(&[][..], |known| known);
        let number = |value: u128| Value::Bv(term::Bv::new(32, value));
        assert!(known.contains(&number(52401)) && known.contains(&number(70003)), "{known:?}");
        assert!(!known.contains(&number(99)), "{known:?}");
        // Most executions go on for long.
        let rounds = |seed: u64| {
            let mut inputs = compared.sequence(seed);
            let config = interp::Config { max_steps: 1_000, ..interp::Config::default() };
            interp::run(&program, &config, &mut inputs, None, &mut std::io::sink()).steps
        };
        let long = (0..20).filter(|seed| rounds(*seed) > 30).count();
        assert!(long >= 10, "{long} of 20");
    }
}
