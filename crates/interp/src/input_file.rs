//! Files of inputs: text, one decision in a line.
//!
//! ```text
//! # Blank lines and what follows a `#` mean nothing.
//! 5                      # the first input
//! x = -3                 # the second; the name is for the reader only
//! 0x1f
//! true
//! 1.5                    # or 3/2, 15e-1, nan, -inf; for a float 0x… is its encoding
//! [0 -> 5, 7 -> 1, _ -> 0]
//! edge 2                 # of several edges that can be taken, the second
//! uninitialised y = 0x0  # a value that the program reads without having set it
//! ```
//!
//! Inputs, values that were not initialised, and edges are three lists: each is used in its own
//! order, and a run that needs more gets zeros and first edges. Uninitialised memory is asked for
//! when it is first read: all bytes of the access at once if none of them has a value, and
//! otherwise in runs of at most eight bytes.

use base::{Diagnostic, Diagnostics, FileId, SourceMap, Span};
use cfa::{Choice, Program};

use crate::inputs::{Drawn, Entry, EntryValue, Listed, Origin};
use crate::literal::Literal;
use crate::show::{reading, show};

/// Reads a file of inputs.
///
/// # Errors
/// A message for every line that cannot be read.
pub fn parse_inputs(sources: &SourceMap, file: FileId) -> Result<Listed, Diagnostics> {
    let mut listed = Listed::default();
    let mut diagnostics = Diagnostics::new();
    let mut start = 0;
    for line in sources.text(file).split(|byte| *byte == b'\n') {
        // The casts are exact: a source map holds only files with 32-bit offsets.
        let at = |offset: usize, length: usize| {
            Span::new(file, (start + offset) as u32, (start + offset + length) as u32)
        };
        let code = line.split(|byte| *byte == b'#').next().unwrap_or(&[]);
        let indent = code.len() - code.trim_ascii_start().len();
        let code = code.trim_ascii();
        if !code.is_empty() {
            let span = at(indent, code.len());
            let parsed = match std::str::from_utf8(code) {
                Ok(text) => parse_line(&mut listed, text, span),
                Err(_) => Err("this is not text".to_owned()),
            };
            if let Err(message) = parsed {
                let hint = "a line is a value (5, x = -3, 0x1f, true, 1.5), `edge 2`, or \
                            `uninitialised` and a value";
                diagnostics.push(Diagnostic::error(span, message).with_hint(hint));
            }
        }
        start += line.len() + 1;
    }
    if diagnostics.has_errors() { Err(diagnostics) } else { Ok(listed) }
}

fn parse_line(listed: &mut Listed, text: &str, span: Span) -> Result<(), String> {
    let keyword = |word: &str| match text.strip_prefix(word) {
        Some(rest) if rest.starts_with([' ', '\t']) => Some(rest.trim_start()),
        _ => None,
    };
    if let Some(number) = keyword("edge")
        && !number.starts_with('=')
    {
        let edge = number.trim().parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        listed.edges.push_back((
            edge.ok_or("the number of an edge, counted from one, expected")?,
            Some(span),
        ));
        return Ok(());
    }
    let uninitialised = keyword("uninitialised").filter(|rest| !rest.starts_with('='));
    let (list, rest) = match uninitialised {
        Some(rest) => (&mut listed.uninitialised, rest),
        None => (&mut listed.inputs, text),
    };
    let value = rest.split_once('=').map_or(rest, |(_, value)| value);
    list.push_back(Entry { value: EntryValue::Literal(Literal::parse(value)?), span: Some(span) });
    Ok(())
}

/// The decisions of a run as a file of inputs that gives the same run again.
#[must_use]
pub fn write_inputs(program: &Program, drawn: &[Drawn]) -> String {
    let mut text = String::new();
    for each in drawn {
        match each {
            Drawn::Edge { index, .. } => text.push_str(&format!("edge {}", index + 1)),
            Drawn::Value { origin, value } => {
                let choice = origin.choice(program);
                if *choice == Choice::Uninitialised {
                    text.push_str("uninitialised ");
                }
                if let Some(name) = name(program, *origin) {
                    text.push_str(&format!("{name} = "));
                }
                text.push_str(&show(value, reading(program, *origin)));
                match choice {
                    Choice::Input(name) | Choice::External(name) | Choice::Approximated(name) => {
                        text.push_str(&format!("  # {}", comment(name)));
                    }
                    Choice::Uninitialised => {}
                }
            }
        }
        text.push('\n');
    }
    text
}

/// The name of the variable of the source that gets the value, if it can stand before a `=`.
fn name(program: &Program, origin: Origin) -> Option<&str> {
    let var = origin.variable(program)?;
    let known = &program.cfa.variables[var];
    // Models that are no programs call their variables what they are called in the table.
    let name = match known.source_name.as_deref() {
        Some(name) => name,
        None => Some(program.terms.var_name(var)).filter(|name| !name.contains(['$', '@']))?,
    };
    let plain = |c: char| !c.is_control() && !matches!(c, '=' | '#');
    (!name.is_empty() && name.chars().all(plain)).then_some(name)
}

fn comment(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
