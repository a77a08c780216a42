//! C, with the GNU extensions that preprocessed programs use.
//!
//! A unit is read and type-checked by rucc (`unit`), its names are linked with those of the other
//! units (`link`), and each function that the entry function needs is lowered: statements
//! (`stmt`) and expressions (`expr`, `condition`, `call`, `builtin`) over places (`place`) into
//! the graph of its body (`body`). Operands and arguments are evaluated from left to right, but an
//! assignment evaluates a right side with effects before its left side (`expr`); where C leaves the
//! order open and the order matters, the run says so (`order`).

mod acsl;
mod agreement;
mod aligned;
mod answers;
mod argument;
mod arith;
mod assembly;
mod assign;
mod block_names;
mod blocks;
mod body;
mod builtin;
mod c_types;
mod call;
mod condition;
mod constants;
mod constness;
mod convert;
mod deep;
mod device;
mod dispatch;
mod entry;
mod enumerators;
mod environment;
mod evaluated;
mod expr;
mod facts;
mod faults;
mod function;
mod graft;
mod include;
mod init;
mod jump;
mod jumps;
mod keeping;
mod layout;
mod lengths;
mod library;
mod link;
mod marked;
mod mathematics;
mod measured;
mod narrow;
mod nesting;
mod order;
mod output;
mod outside;
mod parsing;
mod place;
mod positions;
mod private;
mod reading;
mod repair;
mod rounding;
mod scanning;
mod scopes;
mod shadow;
mod shape;
mod signature;
mod stmt;
mod storage;
mod streams;
mod strings;
mod unions;
mod unit;
mod unmodelled;
mod unset;
mod wide;

use base::{Diagnostics, FileId, SourceMap};
use cfa::{FuncId, LocId, Op, Program};

use crate::loaded::{Loaded, Subject};
use crate::options::{DataModel, Options};

/// Whether `-std` knows a version of the language.
#[must_use]
pub fn is_standard(name: &str) -> bool {
    unit::standard(name).is_some()
}

/// Makes one program of C files.
#[must_use]
pub fn load(mut sources: SourceMap, files: &[FileId], options: &Options) -> Loaded {
    let model = options.data_model.unwrap_or(DataModel::Lp64);
    let mut diagnostics = Diagnostics::new();
    let mut units = Vec::new();
    for file in files {
        let flags = options.flags_of(sources.path(*file));
        units.extend(unit::check(
            &mut sources,
            *file,
            model,
            &flags,
            options.wording,
            &mut diagnostics,
        ));
    }
    let mut program = Program { sources, ..Program::default() };
    if diagnostics.has_errors() {
        return Loaded::new(program, diagnostics);
    }
    program.cfa.address_width = match model {
        DataModel::Ilp32 => 32,
        DataModel::Lp64 => 64,
    };
    let mut linker = link::Linker::new(options, model, program);
    for unit in units {
        linker.add(unit, link::Origin::Program);
    }
    // Units that contradict each other make no program.
    if linker.diagnostics.has_errors() {
        return Loaded::new(linker.program, linker.diagnostics);
    }
    linker.lower(&options.entry);
    linker.list_orders();
    let (mut program, mut diagnostics) = (linker.program, linker.diagnostics);
    for file in files {
        if let Some(warning) = acsl::annotation(&program.sources, *file) {
            diagnostics.push(warning);
        }
    }
    cfa::check(&mut program, options.checks(), &linker.open);
    let dispatchers: Vec<FuncId> = linker.dispatchers.iter().map(|(_, id)| *id).collect();
    outside::allow(&mut program, &dispatchers, &linker.alignments, options);
    // Code that is not modelled may jump back to a `setjmp`, whichever function this is in.
    let is_unsupported = |op: &Op| matches!(op, Op::Unsupported(_));
    if program.cfa.edges.iter().any(|edge| edge.ops.iter().any(is_unsupported)) {
        program.cfa.behind_cuts.extend(linker.landings);
        let entry = |function: &FuncId| program.cfa.functions[*function].entry;
        let entries: Vec<LocId> = linker.called_elsewhere.iter().map(entry).collect();
        program.cfa.behind_cuts.extend(entries);
    }
    let left_out = linker.left_out;
    let mut settled = linker.settled;
    settled.retain(|each| !program.sources.is_borrowed(each.span.file));
    let subject = Subject { left_out, settled, ..Subject::default() };
    Loaded { subject, ..Loaded::new(program, diagnostics) }
}
