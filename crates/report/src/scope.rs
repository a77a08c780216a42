//! What a name means at a place of a C text.

use base::Span;
use cfa::{FuncId, Meaning, Program, Scope};
use term::Var;

/// Whether the source name of a variable means this variable where a statement of a function
/// starts, or inside the parentheses behind its keyword.
pub(crate) fn is_visible(program: &Program, var: Var, function: FuncId, place: Span) -> bool {
    let Some(known) = program.cfa.variables.get(var) else { return false };
    let (Some(name), Some(declared)) = (known.source_name.as_deref(), known.span) else {
        return false;
    };
    if matches!(known.scope, Scope::Address(_)) {
        return false;
    }
    match program.cfa.block_names.meaning(base_name(name), place) {
        Meaning::Declared(meant) => meant == declared,
        // A name from another file can be seen where that file is included; inclusions are not looked at here.
        Meaning::OutsideBlocks => {
            let before = program.cfa.functions[function]
                .span
                .is_some_and(|whole| declared.file == whole.file && declared.end <= whole.start);
            // Static variables of other functions are global in the model.
            let is_there = program.cfa.block_names.exists(base_name(name), declared, place);
            before && is_there && known.scope == Scope::Global && declared.file == place.file
        }
        Meaning::Unclear => false,
    }
}

/// The place where the variable of a block that a name means in a statement is declared; if the statement itself
/// declares the name, that declaration.
pub(crate) fn declared(program: &Program, name: &str, statement: Span) -> Option<Span> {
    match program.cfa.block_names.meaning(name, statement) {
        Meaning::Declared(declared) => Some(declared),
        Meaning::OutsideBlocks => None,
        Meaning::Unclear => {
            let text = program.sources.slice(statement);
            (text == name.as_bytes()).then_some(statement)
        }
    }
}

/// The declared name in a name of the model: `x` in `&x`, `x.first` and `x[0]`.
pub(crate) fn base_name(name: &str) -> &str {
    let name = name.trim_start_matches('&');
    name.split(['.', '[']).next().unwrap_or(name)
}
