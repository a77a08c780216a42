//! The statements of `soup` that contain others: loops, switches, jumps.

use super::Soup;
use crate::generate::expr::{Lvalue, prec};
use crate::generate::types::Int;

impl Soup<'_> {
    pub(super) fn for_loop(&mut self, budget: &mut i32, depth: u32) {
        let i = self.g.name("i");
        let count = self.g.rng.range(1, 6);
        let ty =
            self.g.rng.pick(&[Int::Int, Int::Int, Int::UChar, Int::Short, Int::ULong, Int::LLong]);
        let start = self.g.rng.range(0, 3);
        let step = self.g.rng.range(1, 2);
        let end = start + count;
        let header = match self.g.rng.below(3) {
            0 => format!("for ({} {i} = {start}; {i} < {end}; {i}++) {{", ty.name()),
            1 => format!(
                "for ({} {i} = {start}, n{i} = 0; n{i} < {count}; {i} += {step}, n{i}++) {{",
                ty.name()
            ),
            _ => format!("for ({} {i} = {end}; {i} > {start}; --{i}) {{", ty.name()),
        };
        self.line(header);
        self.loop_body(&i, ty, budget, depth);
        self.line("}".into());
    }

    pub(super) fn loop_body(&mut self, counter: &str, ty: Int, budget: &mut i32, depth: u32) {
        let reads = self.scope.reads.len();
        self.scope.reads.push(Lvalue::Plain { text: counter.into(), ty });
        self.loops += 1;
        self.block(budget, depth - 1);
        self.loops -= 1;
        self.scope.reads.truncate(reads);
    }

    pub(super) fn while_loop(&mut self, budget: &mut i32, depth: u32) {
        let n = self.g.name("n");
        let count = self.g.rng.range(1, 5);
        let c = self.int(2);
        self.line("{".into());
        self.line(format!("int {n} = {count};"));
        if self.g.rng.chance(50) {
            self.line(format!("while ({n}-- > 0 && {}) {{", c.at(prec::OR)));
            self.loop_body(&n, Int::Int, budget, depth);
            self.line("}".into());
        } else {
            self.line("do {".into());
            self.loop_body(&n, Int::Int, budget, depth);
            self.line(format!("}} while (--{n} > 0 && {});", c.at(prec::OR)));
        }
        self.line("}".into());
    }

    pub(super) fn switch(&mut self, budget: &mut i32, depth: u32) {
        let e = self.int(2);
        let mask = self.g.rng.pick(&["3", "7", "5", "0x80000007u"]);
        self.line(format!("switch ({} & {mask}) {{", e.at(prec::AND)));
        let mut labels: Vec<String> =
            ["0", "1", "2", "3", "4 ... 6"].iter().map(|s| s.to_string()).collect();
        self.g.rng.shuffle(&mut labels);
        labels.truncate(self.g.rng.range(1, 4) as usize);
        if self.g.rng.chance(60) {
            let at = self.g.rng.below(labels.len() + 1);
            labels.insert(at, "default".into());
        }
        for label in labels {
            if label == "default" {
                self.line("default: {".into());
            } else {
                self.line(format!("case {label}: {{"));
            }
            // Inside a switch, `break` leaves the switch; `continue` needs the loop around it.
            self.block(budget, depth - 1);
            self.line("}".into());
            if self.g.rng.chance(65) {
                self.line("break;".into());
            }
        }
        self.line("}".into());
    }

    pub(super) fn goto(&mut self, budget: &mut i32, depth: u32) {
        let label = self.g.name("L");
        let c = self.int(2);
        match self.g.rng.below(3) {
            0 => {
                self.line(format!("if ({}) goto {label};", c.text));
                self.line("{".into());
                self.block(budget, depth - 1);
                self.line("}".into());
                self.line(format!("{label}:;"));
            }
            1 => {
                let n = self.g.name("n");
                let count = self.g.rng.range(1, 4);
                self.line("{".into());
                self.line(format!("int {n} = 0;"));
                self.line(format!("{label}:;"));
                self.line("{".into());
                self.block(budget, depth - 1);
                self.line("}".into());
                self.line(format!("if (++{n} < {count} && {}) goto {label};", c.at(prec::OR)));
                self.line("}".into());
            }
            _ => {
                let (i, j) = (self.g.name("i"), self.g.name("j"));
                self.line(format!("for (int {i} = 0; {i} < 3; {i}++) {{"));
                self.line(format!("for (int {j} = {i}; {j} < 4; {j}++) {{"));
                self.line(format!("if ({}) goto {label};", c.text));
                self.loops += 1;
                self.loop_body(&i, Int::Int, budget, depth);
                self.loops -= 1;
                self.line("}".into());
                self.line("}".into());
                self.line(format!("{label}:;"));
            }
        }
    }
}
