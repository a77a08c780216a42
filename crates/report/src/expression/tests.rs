//! What is written is read back by the C front end and evaluated by the interpreter, which must
//! agree with the formula.

use base::Random;
use cfa::{Program, Reading, Scope, Variable};
use interp::{Config, Ending, Zeros};
use term::{Bv, Environment, Evaluator, Op, Sort, TermId, Terms, Value, Var};

use super::Writer;

/// The variables: name, type, width, reading.
const VARIABLES: [(&str, &str, u32, Reading); 8] = [
    ("sc", "signed char", 8, Reading::Signed),
    ("uc", "unsigned char", 8, Reading::Plain),
    ("ss", "short", 16, Reading::Signed),
    ("us", "unsigned short", 16, Reading::Plain),
    ("si", "int", 32, Reading::Signed),
    ("ui", "unsigned", 32, Reading::Plain),
    ("sl", "long long", 64, Reading::Signed),
    ("ul", "unsigned long long", 64, Reading::Plain),
];

struct Maker {
    random: Random,
    program: Program,
    vars: Vec<Var>,
}

impl Maker {
    fn new() -> Self {
        let mut program = Program::default();
        let vars = VARIABLES
            .iter()
            .map(|(name, _, width, reading)| {
                let variable = Variable {
                    scope: Scope::Global,
                    reading: *reading,
                    source_name: Some((*name).into()),
                    span: None,
                };
                program.declare(format!("main::{name}"), Sort::Bv(*width), variable)
            })
            .collect();
        Self { random: Random::new(7), program, vars }
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.random.next() % bound
    }

    fn bits(&mut self, width: u32) -> u128 {
        let edge = 1_u128 << (width - 1);
        match self.below(5) {
            0 => edge,
            1 => edge - 1,
            2 => (edge << 1) - 1,
            3 => u128::from(self.below(4)),
            _ => u128::from(self.below(1 << 31) << 31 | self.below(1 << 31)) & ((edge << 1) - 1),
        }
    }

    fn number(&mut self, width: u32, depth: u32) -> TermId {
        let leaf = depth == 0 || self.below(4) == 0;
        if leaf && self.below(3) == 0 {
            let bits = self.bits(width);
            return self.program.terms.bv(width, bits);
        }
        if leaf {
            let first = match width {
                8 => 0,
                16 => 2,
                32 => 4,
                _ => 6,
            };
            let second = usize::from(self.below(2) == 0);
            let var = self.vars[first + second];
            return self.program.terms.var(var);
        }
        match self.below(12) {
            0 if width > 8 => {
                let inner = self.number(width / 2, depth - 1);
                self.program.terms.bv_zero_extend(width, inner)
            }
            1 if width > 8 => {
                let inner = self.number(width / 2, depth - 1);
                self.program.terms.bv_sign_extend(width, inner)
            }
            2 if width < 64 => {
                let inner = self.number(width * 2, depth - 1);
                self.program.terms.bv_extract(width - 1, 0, inner)
            }
            3 => {
                let inner = self.number(width, depth - 1);
                self.program.terms.bv_neg(inner)
            }
            4 => {
                let inner = self.number(width, depth - 1);
                self.program.terms.bv_not(inner)
            }
            other => {
                let op = [Op::BvAdd, Op::BvSub, Op::BvMul, Op::BvAnd, Op::BvOr, Op::BvXor];
                let division = [Op::BvUdiv, Op::BvSdiv, Op::BvUrem, Op::BvSrem];
                let a = self.number(width, depth - 1);
                if other == 5 {
                    let op = division[usize::try_from(self.below(4)).expect("small")];
                    let bits = self.bits(width);
                    let divisor = self.program.terms.bv(width, bits);
                    return self.program.terms.app(op, &[a, divisor]);
                }
                let b = self.number(width, depth - 1);
                let op = op[usize::try_from(self.below(6)).expect("small")];
                self.program.terms.app(op, &[a, b])
            }
        }
    }

    fn formula(&mut self) -> TermId {
        let width = [8, 16, 32, 64][usize::try_from(self.below(4)).expect("small")];
        let (a, b) = (self.number(width, 2), self.number(width, 2));
        let op = [Op::Eq, Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle];
        let op = op[usize::try_from(self.below(5)).expect("small")];
        let terms = &mut self.program.terms;
        let formula = terms.app(op, &[a, b]);
        match self.below(4) {
            0 => self.program.terms.not(formula),
            1 => {
                let other = self.formula();
                self.program.terms.and2(formula, other)
            }
            2 => {
                let other = self.formula();
                self.program.terms.or2(formula, other)
            }
            _ => formula,
        }
    }

    fn values(&mut self) -> Values {
        let value =
            |(_, _, width, _): &(_, _, u32, _)| Value::Bv(Bv::new(*width, self.bits(*width)));
        let values = VARIABLES.iter().map(value).collect();
        Values(self.vars.clone(), values)
    }
}

struct Values(Vec<Var>, Vec<Value>);

impl Environment for Values {
    fn get(&self, var: Var) -> Option<&Value> {
        self.0.iter().position(|each| *each == var).map(|at| &self.1[at])
    }
}

/// The sums and their like that fit with these values.
fn exact(terms: &mut Terms, formula: TermId, values: &Values) -> Vec<TermId> {
    let parts = terms.post_order(&[formula]);
    let fits = |term: &TermId| {
        let term::View::App(op @ (Op::BvAdd | Op::BvSub | Op::BvMul | Op::BvNeg), arguments) =
            terms.view(*term)
        else {
            return false;
        };
        let arguments = arguments.to_vec();
        let wide = 2 * terms.width(*term);
        let extended: Vec<TermId> =
            arguments.iter().map(|each| terms.bv_sign_extend(wide, *each)).collect();
        let (a, b) = (terms.app(op, &extended), terms.bv_sign_extend(wide, *term));
        let equal = terms.eq(a, b);
        Evaluator::new().eval(terms, equal, values) == Ok(Value::Bool(true))
    };
    parts.into_iter().filter(fits).collect()
}

#[test]
fn an_expression_means_what_its_formula_means() {
    let mut maker = Maker::new();
    let mut checks = String::new();
    let mut said = 0;
    for number in 0..600 {
        let formula = maker.formula();
        let values = maker.values();
        let exact = match number % 2 {
            0 => Vec::new(),
            _ => exact(&mut maker.program.terms, formula, &values),
        };
        let writer = Writer {
            terms: &maker.program.terms,
            cfa: &maker.program.cfa,
            exact: &exact,
            may_be_bits: &|_| true,
        };
        let Some(text) = writer.formula(formula) else { continue };
        said += 1;
        let truth = Evaluator::new().eval(&maker.program.terms, formula, &values);
        let wrong = if truth == Ok(Value::Bool(true)) { "!" } else { "" };
        for ((name, ty, ..), value) in VARIABLES.iter().zip(&values.1) {
            let bits = value.as_bv().and_then(Bv::to_u64).expect("a number");
            checks.push_str(&format!("{name} = ({ty}){bits}ULL; "));
        }
        checks.push_str(&format!("\nif ({wrong}({text})) reach_error();\n"));
    }
    assert!(said > 400, "only {said} were said");
    let declared: String =
        VARIABLES.iter().map(|(name, ty, ..)| format!("{ty} {name}; ")).collect();
    let text = format!(
        "extern void reach_error(void);\nint main(void) {{ {declared}\n{checks}return 0; }}\n"
    );
    let mut sources = base::SourceMap::new();
    let file = sources.add("program.c", text.as_bytes()).expect("a short text");
    let options = frontend::Options {
        signed_overflow: frontend::SignedOverflow::Undefined,
        ..Default::default()
    };
    let loaded = frontend::c::load(sources, &[file], &options);
    assert!(!loaded.diagnostics.has_errors(), "{:?}", loaded.diagnostics);
    let mut sink = std::io::sink();
    let run = interp::run(&loaded.program, &Config::default(), &mut Zeros, None, &mut sink);
    // An overflow would end the run as well.
    let fine = matches!(run.ending, Ending::Returned(_));
    let line = match run.ending {
        Ending::Error { location, .. } => {
            let span = loaded.program.cfa.locations[location].span.expect("a place");
            let line = loaded.program.sources.position(span).line as usize;
            text.lines().skip(line - 2).take(2).collect::<Vec<_>>().join("\n")
        }
        other => other.describe(&loaded.program),
    };
    assert!(fine, "{line}");
}

#[test]
fn expressions_are_written_as_people_would() {
    let mut maker = Maker::new();
    let vars: Vec<TermId> =
        maker.vars.clone().into_iter().map(|var| maker.program.terms.var(var)).collect();
    let terms = &mut maker.program.terms;
    let (sc, si, ui, sl) = (vars[0], vars[4], vars[5], vars[6]);
    let (five, minus) = (terms.bv(32, 5), terms.bv(32, 0xffff_fffe));
    let one = terms.bv(32, 1);
    let small = terms.bv(8, 0x81);
    let sum = terms.bv_add(si, minus);
    let low = terms.bv_and(si, one);
    let extended = terms.bv_sign_extend(64, si);
    let unsigned = terms.bv_zero_extend(64, ui);
    let values = [five, minus, one].map(|value| terms.eq(si, value));
    let values = terms.or(&values);
    let others = [minus, one, five].map(|value| terms.eq(ui, value));
    let others = others.map(|value| terms.not(value));
    let others = terms.and(&others);
    let formulas = [
        (terms.bv_sle(five, si), "si >= 5"),
        (terms.bv_ule(ui, five), "ui <= 5"),
        (terms.bv_ule(si, ui), "(unsigned int)si <= ui"),
        (terms.bv_slt(small, sc), "sc > -127"),
        (terms.eq(sum, five), "si == 7"),
        (terms.eq(low, one), "(si & 1) == 1"),
        (terms.bv_sle(sl, extended), "sl <= si"),
        // C would compare these as unsigned numbers.
        (terms.bv_slt(extended, unsigned), "(long long)si < (long long)ui"),
        (values, "si == -2 || si == 1 || si == 5"),
        (others, "ui != 1 && ui != 5 && ui != 4294967294U"),
    ];
    for (formula, text) in formulas {
        let writer = Writer {
            terms: &maker.program.terms,
            cfa: &maker.program.cfa,
            exact: &[],
            may_be_bits: &|_| true,
        };
        assert_eq!(writer.formula(formula).as_deref(), Some(text));
    }
}
