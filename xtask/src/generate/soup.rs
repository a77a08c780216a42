//! Random functions over random globals: every statement form of C, filled with expressions.

mod flow;

use super::expr::{Expr, Exprs, Lvalue, Pure, Scope, prec};
use super::program::Gen;
use super::types::{Float, Int, same, shift_mask};

/// A function that may read and write globals; it is called only as a whole statement.
struct Callee {
    name: String,
    params: Vec<Int>,
}

struct Soup<'g> {
    g: &'g mut Gen,
    scope: Scope,
    writes: Vec<Lvalue>,
    /// Variables whose address may be taken, by type.
    targets: Vec<(String, Int)>,
    pointers: Vec<(String, Int)>,
    float_writes: Vec<(String, Float)>,
    /// Pairs of struct lvalues of one type.
    records: Vec<String>,
    callees: Vec<Callee>,
    /// Locals that no pointer refers to: an assignment to one cannot meet a callee's effects.
    locals: Vec<(String, Int)>,
    loops: u32,
    body: String,
}

/// Emits globals, helper functions without side effects, and a few functions on the globals.
pub fn soup(g: &mut Gen) {
    let tag = g.name("soup");
    let mut soup = Soup {
        g,
        scope: Scope { statements: true, ..Scope::default() },
        writes: Vec::new(),
        targets: Vec::new(),
        pointers: Vec::new(),
        float_writes: Vec::new(),
        records: Vec::new(),
        callees: Vec::new(),
        locals: Vec::new(),
        loops: 0,
        body: String::new(),
    };
    soup.pures();
    soup.globals();
    let functions = soup.g.rng.range(1, 3);
    for _ in 0..functions {
        soup.function();
    }
    let last = soup.callees.len() - 1;
    let repeat = soup.g.rng.range(1, 3);
    for _ in 0..repeat {
        let index = if soup.g.rng.chance(70) { last } else { soup.g.rng.below(last + 1) };
        let call = soup.call_text(index, &Scope::default());
        soup.g.main(&format!("mix({call});"));
    }
    let everything: Vec<Lvalue> = soup.writes.clone();
    for place in &everything {
        match place {
            Lvalue::Plain { text, .. } | Lvalue::Field { text, .. } => {
                soup.g.main(&format!("mix({text});"));
            }
            Lvalue::Array { text, len, .. } => {
                soup.g.main(&format!("for (int i = 0; i < {len}; i++) mix({text}[i]);"));
            }
        }
    }
    for (name, _) in soup.float_writes.clone() {
        soup.g.main(&format!("mixd({name});"));
    }
    soup.g.show(&tag);
}

impl Soup<'_> {
    fn pures(&mut self) {
        for _ in 0..self.g.rng.below(4) {
            let name = self.g.name("pure");
            let result = Int::any(&mut self.g.rng);
            let params: Vec<Int> =
                (0..self.g.rng.range(1, 3)).map(|_| Int::any(&mut self.g.rng)).collect();
            let mut scope =
                Scope { statements: true, pures: self.scope.pures.clone(), ..Scope::default() };
            let mut list = Vec::new();
            for (i, ty) in params.iter().enumerate() {
                scope.reads.push(Lvalue::Plain { text: format!("a{i}"), ty: *ty });
                list.push(format!("{} a{i}", ty.name()));
            }
            let mut body = String::new();
            if self.g.rng.chance(50) {
                let local = Int::any(&mut self.g.rng);
                let e = Exprs::pure(&mut self.g.rng, &scope).int(3);
                body += &format!("{} x = {};\n", local.name(), e.at(prec::ASSIGN));
                scope.reads.push(Lvalue::Plain { text: "x".into(), ty: local });
                let c = Exprs::pure(&mut self.g.rng, &scope).int(2);
                let r = Exprs::pure(&mut self.g.rng, &scope).int(2);
                body += &format!("if ({}) return {};\n", c.text, r.text);
            }
            let e = Exprs::pure(&mut self.g.rng, &scope).int(3);
            body += &format!("return {};\n", e.text);
            let storage = self.g.rng.pick(&["static ", "static inline ", ""]);
            self.g.function(&format!(
                "{storage}{} {name}({}) {{\n{body}}}",
                result.name(),
                list.join(", ")
            ));
            self.scope.pures.push(Pure { name, params, result });
        }
    }

    fn globals(&mut self) {
        for _ in 0..self.g.rng.range(3, 7) {
            let name = self.g.name("g");
            let ty = Int::any(&mut self.g.rng);
            let value = self.g.value();
            let storage = self.g.rng.pick(&["static ", "", "", "static volatile ", "volatile "]);
            self.g.decl(&format!("{storage}{} {name} = {value};", ty.name()));
            if !storage.contains("volatile") {
                self.targets.push((name.clone(), ty));
            }
            let place = Lvalue::Plain { text: name, ty };
            self.scope.reads.push(place.clone());
            self.writes.push(place);
        }
        for _ in 0..self.g.rng.range(1, 2) {
            let name = self.g.name("arr");
            let ty = Int::any(&mut self.g.rng);
            let len = self.g.rng.pick(&[2usize, 4, 4, 8]);
            let values: Vec<String> = (0..len).map(|_| self.g.value()).collect();
            self.g.decl(&format!(
                "static {} {name}[{len}] = {{ {} }};",
                ty.name(),
                values.join(", ")
            ));
            self.targets.push((format!("{name}[{}]", len - 1), ty));
            let place = Lvalue::Array { text: name, len, ty };
            self.scope.reads.push(place.clone());
            self.writes.push(place);
        }
        if self.g.rng.chance(60) {
            self.record();
        }
        if self.g.rng.chance(40) {
            for _ in 0..self.g.rng.range(1, 2) {
                let name = self.g.name("fl");
                let ty = self.g.rng.pick(&[Float::Float, Float::Double]);
                let value = super::expr::float_constant(&mut self.g.rng, ty);
                self.g.decl(&format!("static {} {name} = {value};", ty.name()));
                self.scope.floats.push((name.clone(), ty));
                self.float_writes.push((name, ty));
            }
        }
        for _ in 0..self.g.rng.below(3) {
            let (target, ty) = self.g.rng.pick(&self.targets);
            let name = self.g.name("gp");
            let storage = self.g.rng.pick(&["static ", ""]);
            self.g.decl(&format!("{storage}{} *{name} = &{target};", ty.name()));
            self.scope.reads.push(Lvalue::Plain { text: format!("*{name}"), ty });
            self.writes.push(Lvalue::Plain { text: format!("*{name}"), ty });
            self.pointers.push((name, ty));
        }
    }

    fn record(&mut self) {
        let tag = self.g.name("R");
        let mut fields = String::new();
        let mut places = Vec::new();
        for i in 0..self.g.rng.range(2, 6) {
            let ty = Int::any(&mut self.g.rng);
            let name = format!("m{i}");
            match self.g.rng.below(4) {
                0 if ty != Int::Bool => {
                    let bits = ty.bits(super::types::Model::Ilp32);
                    let width = self.g.rng.range(1, i64::from(bits)) as u32;
                    // Plain char bit-fields are signed here; the other types say so themselves.
                    fields += &format!("{} {name} : {width};\n", ty.name());
                    places.push((name, Some(width), None, ty));
                }
                1 => {
                    let len = self.g.rng.pick(&[2usize, 4]);
                    fields += &format!("{} {name}[{len}];\n", ty.name());
                    places.push((name, None, Some(len), ty));
                }
                _ => {
                    fields += &format!("{} {name};\n", ty.name());
                    places.push((name, None, None, ty));
                }
            }
        }
        self.g.decl(&format!("struct {tag} {{\n{fields}}};"));
        for _ in 0..2 {
            let name = self.g.name("rec");
            self.g.decl(&format!("static struct {tag} {name};"));
            for (field, width, len, ty) in &places {
                let text = format!("{name}.{field}");
                let place = match (width, len) {
                    (Some(width), _) => Lvalue::Field { text, ty: *ty, width: *width },
                    (_, Some(len)) => Lvalue::Array { text, len: *len, ty: *ty },
                    _ => {
                        self.targets.push((text.clone(), *ty));
                        Lvalue::Plain { text, ty: *ty }
                    }
                };
                self.scope.reads.push(place.clone());
                self.writes.push(place);
            }
            self.records.push(name);
        }
    }

    fn function(&mut self) {
        let name = self.g.name("fun");
        let params: Vec<Int> =
            (0..self.g.rng.below(4)).map(|_| Int::any(&mut self.g.rng)).collect();
        let saved = (
            self.scope.clone(),
            self.writes.clone(),
            self.targets.clone(),
            self.pointers.clone(),
            self.locals.clone(),
        );
        self.body.clear();
        let mut list = Vec::new();
        for (i, ty) in params.iter().enumerate() {
            list.push(format!("{} p{i}", ty.name()));
            let place = Lvalue::Plain { text: format!("p{i}"), ty: *ty };
            self.scope.reads.push(place.clone());
            self.writes.push(place);
            if self.g.rng.chance(30) {
                self.targets.push((format!("p{i}"), *ty));
            } else {
                self.locals.push((format!("p{i}"), *ty));
            }
        }
        self.line("if (fuel-- <= 0) return 1;".into());
        self.line_locals();
        let mut budget = self.g.rng.range(5, 14) as i32;
        while budget > 0 {
            self.statement(&mut budget, 3);
        }
        let e = self.int(3);
        let mut result = e.at(prec::ADD);
        for (side, _) in self.scope.sides.clone() {
            self.line(format!("mix({side});"));
        }
        if result.len() > 200 {
            result = "0".into();
        }
        self.line(format!("return {result};"));
        let ty = Int::any(&mut self.g.rng);
        let list = if list.is_empty() { "void".to_string() } else { list.join(", ") };
        let body = std::mem::take(&mut self.body);
        let attribute = self.g.rng.pick(&["", "", "", " __attribute__((noinline))", " inline"]);
        let text = format!("static{attribute} {} {name}({list}) {{\n{body}}}", ty.name());
        self.g.function(&text);
        (self.scope, self.writes, self.targets, self.pointers, self.locals) = saved;
        self.callees.push(Callee { name, params });
    }

    fn line_locals(&mut self) {
        for i in 0..self.g.rng.range(1, 4) {
            let ty = Int::any(&mut self.g.rng);
            let e = Exprs::pure(&mut self.g.rng, &self.scope).int(2);
            self.line(format!("{} v{i} = {};", ty.name(), e.at(prec::ASSIGN)));
            let place = Lvalue::Plain { text: format!("v{i}"), ty };
            self.scope.reads.push(place.clone());
            self.writes.push(place);
            if self.g.rng.chance(40) {
                self.targets.push((format!("v{i}"), ty));
            } else {
                self.locals.push((format!("v{i}"), ty));
            }
        }
        if self.g.rng.chance(35) {
            let ty = Int::any(&mut self.g.rng);
            let len = self.g.rng.pick(&[2usize, 4, 8]);
            let count = self.g.rng.range(1, len as i64) as usize;
            let values = self.g.values(count);
            self.line(format!("{} la[{len}] = {{ {values} }};", ty.name()));
            self.targets.push(("la[1]".into(), ty));
            let place = Lvalue::Array { text: "la".into(), len, ty };
            self.scope.reads.push(place.clone());
            self.writes.push(place);
        }
        let arrays: Vec<Lvalue> =
            self.writes.iter().filter(|p| matches!(p, Lvalue::Array { .. })).cloned().collect();
        if let (true, Lvalue::Array { text, len, ty }) =
            (self.g.rng.chance(35), self.g.rng.pick(&arrays))
        {
            // A pointer that stays at the start of an array is indexed like the array.
            self.line(format!("{} *wa = {text};", ty.name()));
            let place = Lvalue::Array { text: "wa".into(), len, ty };
            self.scope.reads.push(place.clone());
            self.writes.push(place);
        }
        for i in 0..self.g.rng.below(3) {
            let ty = Int::any(&mut self.g.rng);
            let e = Exprs::pure(&mut self.g.rng, &self.scope).leaf();
            self.line(format!("{} s{i} = {};", ty.name(), e.text));
            self.scope.sides.push((format!("s{i}"), ty));
        }
        for i in 0..self.g.rng.below(3) {
            let (target, ty) = self.g.rng.pick(&self.targets);
            let name = format!("q{i}");
            self.line(format!("{} *{name} = &{target};", ty.name()));
            self.scope.reads.push(Lvalue::Plain { text: format!("*{name}"), ty });
            self.writes.push(Lvalue::Plain { text: format!("*{name}"), ty });
            if self.g.rng.chance(30) {
                self.line(format!("{} **r{i} = &{name};", ty.name()));
                self.scope.reads.push(Lvalue::Plain { text: format!("**r{i}"), ty });
                self.writes.push(Lvalue::Plain { text: format!("**r{i}"), ty });
                self.pointers.push((format!("*r{i}"), ty));
            }
            self.pointers.push((name, ty));
        }
    }

    fn line(&mut self, text: String) {
        self.body.push_str(&text);
        self.body.push('\n');
    }

    fn int(&mut self, depth: u32) -> Expr {
        // A very long expression teaches nothing that a shorter one does not.
        loop {
            let e = Exprs::new(&mut self.g.rng, &self.scope).int(depth);
            if e.text.len() < 260 {
                return e;
            }
        }
    }

    fn condition(&mut self) -> String {
        self.int(2).text
    }

    fn block(&mut self, budget: &mut i32, depth: u32) {
        let (reads, writes) = (self.scope.reads.len(), self.writes.len());
        let locals = self.locals.len();
        if self.g.rng.chance(25) {
            let ty = Int::any(&mut self.g.rng);
            let name = self.g.name("b");
            let e = self.int(2);
            let class = self.g.rng.pick(&["", "", "", "register ", "const ", "volatile "]);
            self.line(format!("{class}{} {name} = {};", ty.name(), e.at(prec::ASSIGN)));
            let place = Lvalue::Plain { text: name.clone(), ty };
            self.scope.reads.push(place.clone());
            if class != "const " {
                self.writes.push(place);
                self.locals.push((name, ty));
            }
        }
        for _ in 0..self.g.rng.range(1, 3) {
            self.statement(budget, depth);
        }
        self.scope.reads.truncate(reads);
        self.writes.truncate(writes);
        self.locals.truncate(locals);
    }

    fn statement(&mut self, budget: &mut i32, depth: u32) {
        *budget -= 1;
        let nested = if depth > 0 && *budget > 0 { 1 } else { 0 };
        let weights = [
            10,                                               // assignment
            6,                                                // compound assignment
            3,                                                // ++ and --
            4 * nested,                                       // if
            3 * nested,                                       // for
            2 * nested,                                       // while, do
            2 * nested,                                       // switch
            2 * nested,                                       // goto
            if self.pointers.is_empty() { 0 } else { 2 },     // retarget
            if self.float_writes.is_empty() { 0 } else { 3 }, // floating assignment
            u32::from(!self.records.is_empty()),              // record copy
            if self.callees.is_empty() || self.loops > 1 || self.locals.is_empty() { 0 } else { 2 },
            2,                                  // mix
            if self.loops > 0 { 1 } else { 0 }, // break, continue
            nested,                             // block
        ];
        match self.g.rng.weighted(&weights) {
            0 => {
                let place = self.g.rng.pick(&self.writes);
                // The index of the left side must not read what the right side modifies: it
                // reads plain places only, and those are never side variables.
                let left = Exprs::pure(&mut self.g.rng, &self.scope).lvalue(&place);
                let e = self.int(3);
                self.line(format!("{left} = {};", e.at(prec::ASSIGN)));
            }
            1 => self.compound(),
            2 => {
                let place = self.g.rng.pick(&self.writes);
                let left = Exprs::pure(&mut self.g.rng, &self.scope).lvalue(&place);
                let left = if left.starts_with('*') { format!("({left})") } else { left };
                let text = match self.g.rng.below(4) {
                    0 => format!("{left}++;"),
                    1 => format!("++{left};"),
                    2 => format!("{left}--;"),
                    _ => format!("--{left};"),
                };
                self.line(text);
            }
            3 => {
                let c = self.condition();
                self.line(format!("if ({c}) {{"));
                self.block(budget, depth - 1);
                if self.g.rng.chance(50) {
                    if self.g.rng.chance(30) {
                        let c = self.condition();
                        self.line(format!("}} else if ({c}) {{"));
                        self.block(budget, depth - 1);
                    }
                    self.line("} else {".into());
                    self.block(budget, depth - 1);
                }
                self.line("}".into());
            }
            4 => self.for_loop(budget, depth),
            5 => self.while_loop(budget, depth),
            6 => self.switch(budget, depth),
            7 => self.goto(budget, depth),
            8 => {
                let (pointer, ty) = self.g.rng.pick(&self.pointers);
                let same: Vec<String> =
                    self.targets.iter().filter(|t| t.1 == ty).map(|t| t.0.clone()).collect();
                // A global pointer must not be left pointing to a local of this call.
                let local = |t: &str| t.starts_with(['v', 'p', 'l']);
                let same: Vec<String> =
                    same.into_iter().filter(|t| !pointer.starts_with("gp") || !local(t)).collect();
                if same.is_empty() {
                    return;
                }
                let a = self.g.rng.pick(&same);
                let b = self.g.rng.pick(&same);
                let c = self.condition();
                self.line(format!(
                    "{pointer} = {} ? &{a} : &{b};",
                    Expr { text: c, ty: [Int::Int; 2], prec: 0 }.at(prec::LOR)
                ));
            }
            9 => {
                let (name, _) = self.g.rng.pick(&self.float_writes);
                let e = Exprs::new(&mut self.g.rng, &self.scope).float(2);
                let op = self.g.rng.pick(&["=", "=", "+=", "-=", "*=", "/="]);
                self.line(format!("{name} {op} {};", e.at(prec::ASSIGN)));
            }
            10 => {
                let (a, b) = (self.records[0].clone(), self.records[1].clone());
                if self.g.rng.chance(50) {
                    self.line(format!("{a} = {b};"));
                } else {
                    self.line(format!("*&{b} = *(&{a});"));
                }
            }
            11 => {
                let (local, _) = self.g.rng.pick(&self.locals);
                let index = self.g.rng.below(self.callees.len());
                let scope = self.scope.clone();
                let call = self.call_text(index, &scope);
                self.line(format!("{local} = {call};"));
            }
            12 => {
                let e = self.int(2);
                self.line(format!("mix({});", e.at(prec::ASSIGN)));
            }
            13 => {
                let c = self.condition();
                let what = self.g.rng.pick(&["break", "continue"]);
                self.line(format!("if ({c}) {what};"));
            }
            _ => {
                self.line("{".into());
                self.block(budget, depth - 1);
                self.line("}".into());
            }
        }
    }

    fn call_text(&mut self, index: usize, scope: &Scope) -> String {
        let params = self.callees[index].params.len();
        let arguments: Vec<String> = (0..params)
            .map(|_| Exprs::pure(&mut self.g.rng, scope).int(1).at(prec::ASSIGN))
            .collect();
        format!("{}({})", self.callees[index].name, arguments.join(", "))
    }

    fn compound(&mut self) {
        let place = self.g.rng.pick(&self.writes);
        let left = Exprs::pure(&mut self.g.rng, &self.scope).lvalue(&place);
        let e = self.int(2);
        let text = match self.g.rng.below(5) {
            0 => {
                let op = self.g.rng.pick(&["<<=", ">>="]);
                // A bit-field wider than int keeps its own width when shifted by gcc.
                let mask = match &place {
                    Lvalue::Field { width, .. } => {
                        format!("{}", if *width >= 16 { 15 } else { 7 })
                    }
                    other => shift_mask(same(other.ty())),
                };
                format!("{left} {op} {} & {mask};", e.at(prec::AND))
            }
            1 => {
                let op = self.g.rng.pick(&["/=", "%="]);
                format!("{left} {op} ({} & 63) + 1;", e.at(prec::AND))
            }
            _ => {
                let op = self.g.rng.pick(&["+=", "-=", "*=", "&=", "|=", "^="]);
                format!("{left} {op} {};", e.at(prec::ASSIGN))
            }
        };
        self.line(text);
    }
}
