//! Symbols for variables.
//!
//! Names of variables may repeat, may be operators of some solver, and may have characters that no symbol has. A symbol
//! is `$` and the name, so that it differs from everything predefined; a character that cannot stand in a symbol is
//! written as `%` and two hexadecimal digits for each byte, and the second variable of a name gets `%%2`. So the symbol
//! shows the name.

use std::fmt::Write as _;

use rustc_hash::FxHashMap;
use term::{Terms, Var, is_symbol_char};

/// The symbols of variables, each found once.
#[derive(Default)]
pub(crate) struct Names {
    symbols: FxHashMap<Var, String>,
    /// How many variables have each name.
    taken: FxHashMap<String, u32>,
}

impl Names {
    pub fn symbol(&mut self, terms: &Terms, var: Var) -> &str {
        let taken = &mut self.taken;
        self.symbols.entry(var).or_insert_with(|| {
            let mut symbol = encode(terms.var_name(var));
            let count = taken.entry(symbol.clone()).or_insert(0);
            *count += 1;
            if *count > 1 {
                let _ = write!(symbol, "%%{count}");
            }
            if symbol.chars().all(is_symbol_char) { symbol } else { format!("|{symbol}|") }
        })
    }
}

fn encode(name: &str) -> String {
    let mut symbol = String::from("$");
    for byte in name.bytes() {
        match byte {
            b'%' | b'|' | b'\\' | ..b' ' | 0x7f.. => {
                let _ = write!(symbol, "%{byte:02x}");
            }
            _ => symbol.push(char::from(byte)),
        }
    }
    symbol
}

/// The name of the variable that a symbol made here, without bars, stands for.
pub(crate) fn decode(symbol: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(symbol.len());
    let mut rest = symbol.strip_prefix('$')?.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        match (first, after) {
            (b'%', [b'%', ..]) => break,
            (b'%', [high, low, after @ ..]) => {
                let digits = [*high, *low];
                let digits = std::str::from_utf8(&digits).ok()?;
                bytes.push(u8::from_str_radix(digits, 16).ok()?);
                rest = after;
            }
            (b'%', _) => return None,
            (byte, _) => bytes.push(*byte),
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::Sort;

    #[test]
    fn every_name_comes_back_from_its_symbol() {
        let mut terms = Terms::new();
        let mut names = Names::default();
        let mut seen = std::collections::BTreeSet::new();
        for name in [
            "x", "x", "x", "bvadd", "main::x", "a b", "|", "\\", "%", "50%25", "%%2", "é", "",
            "x%%2",
        ] {
            let var = terms.declare(name, Sort::Bool);
            let symbol = names.symbol(&terms, var).to_owned();
            let inner = symbol.trim_matches('|');
            assert!(!inner.contains(['|', '\\']) && symbol.is_ascii(), "{symbol}");
            assert_eq!(decode(inner).as_deref(), Some(name));
            assert!(seen.insert(symbol), "no symbol stands for two variables");
        }
        for symbol in ["x", "$%", "$%1", "$%zz", "$%ff"] {
            assert_eq!(decode(symbol), None, "{symbol}");
        }
    }
}
