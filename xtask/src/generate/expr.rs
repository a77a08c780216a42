//! Random integer and floating expressions over the variables in scope.
//!
//! The types of all subexpressions are tracked under both data models, for shift counts and
//! divisors depend on them. Expressions have no conflicting side effects: whatever is modified
//! inside one is a *side variable*, used at most once in it and never among its plain reads.

use super::types::{Both, Float, Int, constant_type, promoted, same, shift_mask, usual};
use base::Random;

/// Binding strengths, weakest first; an operand is put into parentheses only if it needs them,
/// so that the reader of the program must know C's precedences.
pub mod prec {
    pub const COMMA: u8 = 1;
    pub const ASSIGN: u8 = 2;
    pub const COND: u8 = 3;
    pub const LOR: u8 = 4;
    pub const LAND: u8 = 5;
    pub const OR: u8 = 6;
    pub const XOR: u8 = 7;
    pub const AND: u8 = 8;
    pub const EQ: u8 = 9;
    pub const REL: u8 = 10;
    pub const SHIFT: u8 = 11;
    pub const ADD: u8 = 12;
    pub const MUL: u8 = 13;
    pub const UNARY: u8 = 14;
    pub const PRIMARY: u8 = 16;
}

/// An integer expression.
#[derive(Clone, Debug)]
pub struct Expr {
    pub text: String,
    pub ty: Both,
    pub prec: u8,
}

impl Expr {
    fn new(text: String, ty: Both, prec: u8) -> Expr {
        Expr { text, ty, prec }
    }

    /// The text, in parentheses unless it binds at least as strongly as `min`.
    pub fn at(&self, min: u8) -> String {
        if self.prec >= min { self.text.clone() } else { format!("({})", self.text) }
    }

    /// As the operand of a unary operator: `- -x` must not become `--x`.
    fn operand(&self) -> String {
        if self.text.starts_with(['-', '+', '&']) {
            format!("({})", self.text)
        } else {
            self.at(prec::UNARY)
        }
    }
}

/// A floating expression.
#[derive(Clone, Debug)]
pub struct FloatExpr {
    pub text: String,
    pub ty: Float,
    pub prec: u8,
}

impl FloatExpr {
    /// The text, in parentheses unless it binds at least as strongly as `min`.
    pub fn at(&self, min: u8) -> String {
        if self.prec >= min { self.text.clone() } else { format!("({})", self.text) }
    }
}

/// Where an integer can be read from or written to.
#[derive(Clone, Debug)]
pub enum Lvalue {
    /// A variable, a dereferenced pointer or a field.
    Plain { text: String, ty: Int },
    /// A bit-field: no address, no `sizeof`, and a type of its own.
    Field { text: String, ty: Int, width: u32 },
    /// An array whose length is a power of two, so that a mask keeps indices in range.
    Array { text: String, len: usize, ty: Int },
}

impl Lvalue {
    /// The declared type.
    pub fn ty(&self) -> Int {
        match self {
            Lvalue::Plain { ty, .. } | Lvalue::Field { ty, .. } | Lvalue::Array { ty, .. } => *ty,
        }
    }
}

/// A function without side effects that does not read what other functions write.
#[derive(Clone, Debug)]
pub struct Pure {
    pub name: String,
    pub params: Vec<Int>,
    pub result: Int,
}

/// What expressions may mention.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub reads: Vec<Lvalue>,
    pub floats: Vec<(String, Float)>,
    pub sides: Vec<(String, Int)>,
    pub pures: Vec<Pure>,
    /// Whether GNU statement expressions may occur (they may not in constant expressions or at
    /// file scope).
    pub statements: bool,
}

/// Generates the expressions of one full expression; a new one is made for each.
pub struct Exprs<'a> {
    pub rng: &'a mut Random,
    pub scope: &'a Scope,
    sides: Vec<(String, Int)>,
}

impl<'a> Exprs<'a> {
    /// For an expression that may modify side variables.
    pub fn new(rng: &'a mut Random, scope: &'a Scope) -> Exprs<'a> {
        let mut sides = scope.sides.clone();
        rng.shuffle(&mut sides);
        Exprs { rng, scope, sides }
    }

    /// For an expression without side effects.
    pub fn pure(rng: &'a mut Random, scope: &'a Scope) -> Exprs<'a> {
        Exprs { rng, scope, sides: Vec::new() }
    }

    /// An integer expression of at most the given depth.
    pub fn int(&mut self, depth: u32) -> Expr {
        if depth == 0 {
            return self.leaf();
        }
        let weights = [
            2,                                                // leaf
            7,                                                // additive, multiplicative
            5,                                                // bitwise
            4,                                                // shift
            3,                                                // division
            3,                                                // comparison
            2,                                                // logical
            4,                                                // unary
            4,                                                // cast
            2,                                                // conditional
            1,                                                // comma
            if self.scope.pures.is_empty() { 0 } else { 2 },  // call
            u32::from(self.scope.statements),                 // statement expression
            if self.scope.floats.is_empty() { 0 } else { 2 }, // from floating
            if self.sides.is_empty() { 0 } else { 2 },        // side effect
        ];
        match self.rng.weighted(&weights) {
            0 => self.leaf(),
            1 => {
                let (op, p) =
                    self.rng.pick(&[("+", prec::ADD), ("-", prec::ADD), ("*", prec::MUL)]);
                self.binary(depth, op, p)
            }
            2 => {
                let (op, p) = self.rng.pick(&[("&", prec::AND), ("|", prec::OR), ("^", prec::XOR)]);
                self.binary(depth, op, p)
            }
            3 => self.shift(depth),
            4 => self.division(depth),
            5 => self.comparison(depth),
            6 => {
                let (op, p) = self.rng.pick(&[("&&", prec::LAND), ("||", prec::LOR)]);
                let (a, b) = (self.int(depth - 1), self.int(depth - 1));
                let text = format!("{} {op} {}", a.at(p), b.at(p + 1));
                Expr::new(text, same(Int::Int), p)
            }
            7 => {
                let op = self.rng.pick(&["-", "~", "!", "+"]);
                let a = self.int(depth - 1);
                let ty = if op == "!" { same(Int::Int) } else { promoted(a.ty) };
                Expr::new(format!("{op}{}", a.operand()), ty, prec::UNARY)
            }
            8 => {
                let ty = Int::any(self.rng);
                let a = self.int(depth - 1);
                Expr::new(format!("({}){}", ty.name(), a.operand()), same(ty), prec::UNARY)
            }
            9 => {
                let c = self.int(depth - 1);
                let (a, b) = (self.int(depth - 1), self.int(depth - 1));
                let text =
                    format!("{} ? {} : {}", c.at(prec::LOR), a.at(prec::COND), b.at(prec::COND));
                Expr::new(text, usual(a.ty, b.ty), prec::COND)
            }
            10 => {
                let (a, b) = (self.int(depth - 1), self.int(depth - 1));
                let text = format!("{}, {}", a.at(prec::COMMA), b.at(prec::ASSIGN));
                Expr::new(text, b.ty, prec::COMMA)
            }
            11 => self.call(depth),
            12 => self.statement_expression(depth),
            13 => self.float_to_int(depth),
            _ => self.side_effect(depth),
        }
    }

    fn binary(&mut self, depth: u32, op: &str, p: u8) -> Expr {
        let (a, b) = (self.int(depth - 1), self.int(depth - 1));
        let text = format!("{} {op} {}", a.at(p), b.at(p + 1));
        Expr::new(text, usual(a.ty, b.ty), p)
    }

    fn shift(&mut self, depth: u32) -> Expr {
        let op = self.rng.pick(&["<<", ">>", ">>"]);
        let (a, b) = (self.int(depth - 1), self.int(depth.saturating_sub(2)));
        let ty = promoted(a.ty);
        let text =
            format!("{} {op} ({} & {})", a.at(prec::SHIFT), b.at(prec::AND), shift_mask(a.ty));
        Expr::new(text, ty, prec::SHIFT)
    }

    /// The divisor is never 0, and never -1 where the dividend can be the least value.
    fn division(&mut self, depth: u32) -> Expr {
        let op = self.rng.pick(&["/", "%"]);
        let a = self.int(depth - 1);
        let (text, ty) = match self.rng.below(4) {
            0 => {
                let value =
                    self.rng.pick(&["3", "7", "10u", "-2", "-5", "255", "1000L", "-9LL", "16"]);
                let number: String = value.chars().filter(char::is_ascii_digit).collect();
                let suffix: String = value.chars().filter(char::is_ascii_alphabetic).collect();
                // The constants are far too small to be a case of their own.
                let ty = constant_type(number.parse().unwrap_or(1), true, &suffix);
                (value.to_string(), ty)
            }
            1 => {
                let b = self.int(depth.saturating_sub(2));
                (format!("(({} & 63) + 1)", b.at(prec::AND)), usual(b.ty, same(Int::Int)))
            }
            2 => {
                let b = self.int(depth.saturating_sub(2));
                (format!("-(({} & 31) + 2)", b.at(prec::AND)), usual(b.ty, same(Int::Int)))
            }
            _ => {
                // Any divisor but 0 and -1: the guard repeats its text, so it must be small and
                // without side effects.
                let b = Exprs::pure(self.rng, self.scope).leaf();
                let t = b.at(prec::UNARY);
                (format!("({t} + 1 < 2u ? 13 : {t})"), usual(b.ty, same(Int::Int)))
            }
        };
        let text = format!("{} {op} {text}", a.at(prec::MUL));
        Expr::new(text, usual(a.ty, ty), prec::MUL)
    }

    fn comparison(&mut self, depth: u32) -> Expr {
        let (op, p) = self.rng.pick(&[
            ("<", prec::REL),
            (">", prec::REL),
            ("<=", prec::REL),
            (">=", prec::REL),
            ("==", prec::EQ),
            ("!=", prec::EQ),
        ]);
        if !self.scope.floats.is_empty() && self.rng.chance(25) {
            let (a, b) = (self.float(depth - 1), self.float(depth - 1));
            let text = format!("{} {op} {}", a.at(p), b.at(p + 1));
            return Expr::new(text, same(Int::Int), p);
        }
        let mut e = self.binary(depth, op, p);
        e.ty = same(Int::Int);
        e
    }

    fn call(&mut self, depth: u32) -> Expr {
        let index = self.rng.below(self.scope.pures.len());
        let pure = &self.scope.pures[index];
        let arguments: Vec<String> =
            pure.params.iter().map(|_| self.int(depth / 2).at(prec::ASSIGN)).collect();
        let text = format!("{}({})", pure.name, arguments.join(", "));
        Expr::new(text, same(pure.result), prec::PRIMARY)
    }

    fn statement_expression(&mut self, depth: u32) -> Expr {
        let ty = Int::any(self.rng);
        let name = format!("t{}", self.rng.below(1000));
        let init = self.int(depth - 1);
        let change = self.rng.pick(&["+= 3", "^= 0x55", "*= 5", "-= 77", "|= 8", "<<= 2"]);
        let text = format!(
            "({{ {} {name} = {}; {name} {change}; {name}; }})",
            ty.name(),
            init.at(prec::ASSIGN)
        );
        Expr::new(text, same(ty), prec::PRIMARY)
    }

    /// A conversion from a floating variable, guarded so that the value is in range.
    fn float_to_int(&mut self, depth: u32) -> Expr {
        let index = self.rng.below(self.scope.floats.len());
        let name = self.scope.floats[index].0.clone();
        let ty = Int::any(self.rng);
        let (low, high) = ty.float_bounds();
        let other = self.int(depth - 1);
        let text = format!(
            "{name} > {low} && {name} < {high} ? ({}){name} : {}",
            ty.name(),
            other.at(prec::COND)
        );
        Expr::new(text, usual(same(ty), other.ty), prec::COND)
    }

    /// Modifies a side variable and gives its old or new value.
    fn side_effect(&mut self, depth: u32) -> Expr {
        // `weighted` gives this case no weight when the list is empty.
        let Some((name, ty)) = self.sides.pop() else { return self.leaf() };
        match self.rng.below(5) {
            0 => Expr::new(format!("{name}++"), same(ty), prec::PRIMARY - 1),
            1 => Expr::new(format!("{name}--"), same(ty), prec::PRIMARY - 1),
            2 => {
                Expr::new(format!("{}{name}", self.rng.pick(&["++", "--"])), same(ty), prec::UNARY)
            }
            3 => {
                let e = self.int(depth - 1);
                Expr::new(format!("{name} = {}", e.at(prec::ASSIGN)), same(ty), prec::ASSIGN)
            }
            _ => {
                let op = self.rng.pick(&["+=", "-=", "*=", "&=", "|=", "^="]);
                let e = self.int(depth - 1);
                Expr::new(format!("{name} {op} {}", e.at(prec::ASSIGN)), same(ty), prec::ASSIGN)
            }
        }
    }

    /// A constant, a read, or a size.
    pub fn leaf(&mut self) -> Expr {
        let weights = [3, if self.scope.reads.is_empty() { 0 } else { 7 }, 1];
        match self.rng.weighted(&weights) {
            0 => literal(self.rng),
            1 => {
                let index = self.rng.below(self.scope.reads.len());
                let place = self.scope.reads[index].clone();
                self.read(&place)
            }
            _ => {
                let ty = Int::any(self.rng);
                Expr::new(format!("sizeof({})", ty.name()), [Int::UInt, Int::ULong], prec::UNARY)
            }
        }
    }

    /// The value of a place.
    pub fn read(&mut self, place: &Lvalue) -> Expr {
        match place {
            Lvalue::Plain { text, ty } => Expr::new(text.clone(), same(*ty), prec::UNARY),
            Lvalue::Array { ty, .. } => {
                let text = self.lvalue(place);
                Expr::new(text, same(*ty), prec::PRIMARY)
            }
            Lvalue::Field { text, ty, width } => {
                // Compilers differ in the type of a bit-field wider than int; a cast makes it
                // the declared one. `wide_fields` tests gcc's own rule.
                if ty.bits(super::types::Model::Lp64) > 32 {
                    Expr::new(format!("({}){text}", ty.name()), same(*ty), prec::UNARY)
                } else if *width == 32 && !ty.signed() {
                    Expr::new(text.clone(), same(Int::UInt), prec::UNARY)
                } else {
                    Expr::new(text.clone(), same(Int::Int), prec::UNARY)
                }
            }
        }
    }

    /// The place as an lvalue; indices are read without side effects.
    pub fn lvalue(&mut self, place: &Lvalue) -> String {
        match place {
            Lvalue::Plain { text, .. } | Lvalue::Field { text, .. } => text.clone(),
            Lvalue::Array { text, len, .. } => {
                let index = Exprs::pure(self.rng, self.scope).index();
                if index.chars().all(|c| c.is_ascii_digit()) {
                    let number: usize = index.parse().unwrap_or(0);
                    format!("{text}[{}]", number % len)
                } else {
                    format!("{text}[{index} & {}]", len - 1)
                }
            }
        }
    }

    fn index(&mut self) -> String {
        let plain: Vec<&Lvalue> =
            self.scope.reads.iter().filter(|p| matches!(p, Lvalue::Plain { .. })).collect();
        if plain.is_empty() || self.rng.chance(30) {
            self.rng.below(16).to_string()
        } else {
            let index = self.rng.below(plain.len());
            let place = plain[index].clone();
            let e = self.read(&place);
            if self.rng.chance(20) {
                format!("({} + {})", e.at(prec::ADD), self.rng.below(5))
            } else {
                e.at(prec::AND)
            }
        }
    }

    /// A floating expression of at most the given depth.
    pub fn float(&mut self, depth: u32) -> FloatExpr {
        if depth == 0 || self.rng.chance(15) {
            if self.scope.floats.is_empty() || self.rng.chance(30) {
                return float_literal(self.rng);
            }
            let index = self.rng.below(self.scope.floats.len());
            let (text, ty) = self.scope.floats[index].clone();
            return FloatExpr { text, ty, prec: prec::UNARY };
        }
        match self.rng.weighted(&[8, 3, 3, 2, 3]) {
            0 => {
                let (op, p) = self.rng.pick(&[
                    ("+", prec::ADD),
                    ("-", prec::ADD),
                    ("*", prec::MUL),
                    ("/", prec::MUL),
                ]);
                let (a, b) = (self.float(depth - 1), self.float(depth - 1));
                let text = format!("{} {op} {}", a.at(p), b.at(p + 1));
                FloatExpr { text, ty: a.ty.max(b.ty), prec: p }
            }
            1 => {
                let (op, p) =
                    self.rng.pick(&[("+", prec::ADD), ("-", prec::ADD), ("*", prec::MUL)]);
                let (a, b) = (self.float(depth - 1), self.int(depth - 1));
                let text = format!("{} {op} {}", a.at(p), b.at(p + 1));
                FloatExpr { text, ty: a.ty, prec: p }
            }
            2 => {
                let ty = self.rng.pick(&[Float::Float, Float::Double]);
                let a = self.int(depth - 1);
                let text = format!("({}){}", ty.name(), a.operand());
                FloatExpr { text, ty, prec: prec::UNARY }
            }
            3 => {
                let a = self.float(depth - 1);
                FloatExpr { text: format!("-({})", a.text), ty: a.ty, prec: prec::UNARY }
            }
            _ => {
                let c = self.int(depth - 1);
                let (a, b) = (self.float(depth - 1), self.float(depth - 1));
                let text =
                    format!("{} ? {} : {}", c.at(prec::LOR), a.at(prec::COND), b.at(prec::COND));
                FloatExpr { text, ty: a.ty.max(b.ty), prec: prec::COND }
            }
        }
    }
}

/// Values near the edges of the types are more telling than uniform ones.
pub fn interesting(rng: &mut Random) -> u64 {
    match rng.below(8) {
        0..=2 => rng.below(12) as u64,
        3 => rng.below(300) as u64,
        4 => {
            let bit = rng.pick(&[7u32, 8, 15, 16, 31, 32, 63]);
            (1u64 << bit).wrapping_add(rng.range(-2, 1) as u64)
        }
        5 => rng.next() & 0xffff,
        6 => rng.next() & 0xffff_ffff,
        _ => rng.next() >> rng.below(32),
    }
}

/// An integer or character constant.
pub fn literal(rng: &mut Random) -> Expr {
    if rng.chance(12) {
        let text = rng.pick(&[
            "'a'", "'Z'", "'0'", "' '", "'\\n'", "'\\t'", "'\\\\'", "'\\''", "'\"'", "'\\0'",
            "'\\x7f'", "'\\xff'", "'\\377'", "'\\200'", "'\\a'", "'\\e'", "'\\v'", "'?'",
        ]);
        return Expr::new(text.to_string(), same(Int::Int), prec::PRIMARY);
    }
    let suffix = rng
        .pick(&["", "", "", "", "u", "U", "l", "L", "ul", "ll", "LL", "ull", "ULL", "uLL", "lu"]);
    let mut value = interesting(rng);
    let form = rng.weighted(&[6, 3, 1, 1]);
    if form == 0 && !suffix.contains(['u', 'U']) {
        // A decimal constant without `u` has no unsigned type to fall back to.
        value &= i64::MAX as u64;
    }
    let digits = match form {
        0 => value.to_string(),
        1 if rng.chance(50) => format!("0x{value:x}"),
        1 => format!("0X{value:X}"),
        2 => format!("0{value:o}"),
        _ => {
            value &= 0xffff;
            format!("0b{value:b}")
        }
    };
    let ty = constant_type(value, form == 0, suffix);
    let e = Expr::new(format!("{digits}{suffix}"), ty, prec::PRIMARY);
    if rng.chance(25) { Expr::new(format!("-{}", e.text), promoted(e.ty), prec::UNARY) } else { e }
}

/// A floating constant.
pub fn float_literal(rng: &mut Random) -> FloatExpr {
    let ty = rng.pick(&[Float::Float, Float::Double, Float::Double]);
    FloatExpr { text: float_constant(rng, ty), ty, prec: prec::PRIMARY }
}

/// A constant of the given floating type: decimal, hexadecimal, tiny, huge or plain.
pub fn float_constant(rng: &mut Random, ty: Float) -> String {
    let digits = match rng.below(9) {
        0 => format!("{}.{}", rng.below(1000), rng.below(1000)),
        1 => rng
            .pick(&["0.1", "0.5", "1.0", "2.0", ".25", "3.", "1e1", "0.0", "0.3333333333333333333"])
            .to_string(),
        2 => format!("{}e{}", rng.below(100) + 1, rng.range(-20, 20)),
        3 => format!("{}.{}e{}", rng.below(10), rng.below(100_000), rng.range(-10, 10)),
        4 => format!("0x1.{:x}p{}", rng.next() & 0xf_ffff, rng.range(-30, 30)),
        5 => format!("0x{:x}p{}", rng.below(255) + 1, rng.range(-10, 10)),
        6 => match ty {
            Float::Float => {
                rng.pick(&["3.4028234e38", "1.1754944e-38", "1e-45", "16777217.0", "8388608.5"])
            }
            _ => rng.pick(&[
                "1.7976931348623157e308",
                "2.2250738585072014e-308",
                "5e-324",
                "9007199254740993.0",
                "4503599627370496.5",
            ]),
        }
        .to_string(),
        7 => format!("{}.0", rng.next() >> rng.below(60)),
        _ => format!("{}.{}", rng.below(10), rng.below(10)),
    };
    format!("{digits}{}", ty.suffix())
}
