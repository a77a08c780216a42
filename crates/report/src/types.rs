//! The types of C declarations, read from the program's own text.
//!
//! The program model knows bits and bytes. People know members, elements and enumerators, so this
//! module reads declarations again, as far as they are plain. What it does not understand has no
//! type here, and is shown as the model has it; nothing but words for people depends on it.

pub(crate) mod layout;
mod parse;
mod tables;
pub(crate) mod tokens;

use std::collections::BTreeSet;

use base::{FileId, Span};
use cfa::Program;

use parse::Parser;
pub(crate) use tables::{Type, Types};

impl Types {
    /// The types that a program declares in its own text, and those of the bundled headers.
    pub(crate) fn of(program: &Program) -> Self {
        let mut types = Self { address_width: program.cfa.address_width, ..Self::default() };
        let variables = program.cfa.variables.iter().filter_map(|variable| variable.span);
        let objects = program.cfa.objects.iter().filter_map(|object| object.span);
        let names: BTreeSet<Span> = variables.chain(objects).collect();
        // What is included has later numbers, and is declared before.
        let files: Vec<FileId> = program.sources.files().collect();
        let is_model = |file: FileId| {
            program.sources.is_borrowed(file) && !program.sources.name(file).ends_with(".h")
        };
        for file in files.into_iter().rev().filter(|file| !is_model(*file)) {
            let Ok(text) = std::str::from_utf8(program.sources.text(file)) else { continue };
            let mut parser = Parser::new(&mut types, text, file);
            parser.declarations();
            for name in names.iter().filter(|name| name.file == file) {
                let start = name.start as usize;
                if let Some(ty) = parser.literal_at(start).or_else(|| parser.declared_at(start)) {
                    parser.types.declared.insert((file, name.start), ty);
                }
            }
        }
        types
    }
}
