//! The program that is being written, and what scenarios add to it.

use super::expr;
use base::Random;

/// The program that is being written.
pub struct Gen {
    pub rng: Random,
    pub(super) decls: String,
    pub(super) functions: String,
    pub(super) main: String,
    pub(super) next: u32,
}

impl Gen {
    /// A name that no other part of the program uses.
    pub fn name(&mut self, prefix: &str) -> String {
        self.next += 1;
        format!("{prefix}{}", self.next)
    }

    /// Adds types and variables at file scope.
    pub fn decl(&mut self, text: &str) {
        self.decls.push_str(text);
        self.decls.push('\n');
    }

    /// Adds a function; it sees the declarations and functions that were added before it.
    pub fn function(&mut self, text: &str) {
        self.functions.push_str(text);
        self.functions.push_str("\n\n");
    }

    /// Adds statements to `main`.
    pub fn main(&mut self, text: &str) {
        self.main.push_str(text);
        self.main.push('\n');
    }

    /// Prints the checksum so far.
    pub fn show(&mut self, tag: &str) {
        self.main(&format!("show(\"{tag}\");"));
    }

    /// Adds a function `static void NAME(void)`, calls it in `main` and shows the checksum.
    pub fn scenario(&mut self, prefix: &str, body: &str) {
        let name = self.name(prefix);
        self.function(&format!("static void {name}(void) {{\n{body}\n}}"));
        self.main(&format!("{name}();"));
        self.show(&name);
    }

    /// A constant with a telling value.
    pub fn value(&mut self) -> String {
        expr::literal(&mut self.rng).text
    }

    /// `count` constants, with commas between them.
    pub fn values(&mut self, count: usize) -> String {
        (0..count).map(|_| self.value()).collect::<Vec<_>>().join(", ")
    }

    /// A small number that fits every type but `_Bool`.
    pub fn small(&mut self) -> String {
        self.rng.range(0, 99).to_string()
    }
}
