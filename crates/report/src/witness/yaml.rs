//! Format 2.0. The text is written here rather than by a serialiser: its form is fixed, and the
//! order of its keys is part of what people expect.

use base::Position;
use base::tokens::is_word;
use cfa::Program;

use super::stamp::{PRODUCER, Stamp, hash, uuid};
use super::way::{self, Point};
use crate::line;
use crate::source;
use crate::{Invariant, Subject};

/// The content of a violation witness, without the names of its files.
pub(super) fn segments(way: &[Point]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for point in way {
        let (kind, constraint) = match &point.kind {
            way::PointKind::Returned { relation, .. } => {
                ("function_return", Some((format!("\\result {relation}"), Some("acsl_expression"))))
            }
            way::PointKind::Assumed(what) => {
                ("assumption", Some((what.clone(), Some("c_expression"))))
            }
            way::PointKind::Branch(holds) => ("branching", Some((holds.to_string(), None))),
            way::PointKind::Target => ("target", None),
        };
        let mut text = format!(
            "- segment:\n  - waypoint:\n      type: \"{kind}\"\n      action: \"follow\"\n"
        );
        if let Some((value, format)) = constraint {
            text.push_str(&format!("      constraint:\n        value: {}\n", quoted(&value)));
            if let Some(format) = format {
                text.push_str(&format!("        format: \"{format}\"\n"));
            }
        }
        let place = format!(
            "        line: {}\n        column: {}\n        function: {}\n",
            point.at.line,
            point.at.column,
            quoted(&point.function)
        );
        pieces.push(Piece {
            before: format!("{text}      location:\n"),
            file: Some(point.file),
            after: place,
        });
    }
    pieces
}

/// A part of the content with a place in a file between its two texts.
pub(super) struct Piece {
    before: String,
    file: Option<base::FileId>,
    after: String,
}

/// The content of a correctness witness.
pub(super) fn invariants(program: &Program, invariants: &[Invariant]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for invariant in invariants {
        let location = &program.cfa.locations[invariant.location];
        let Some(span) = location.span else { continue };
        let Some((kind, at)) = place(program, span) else { continue };
        let function = program.cfa.functions[location.function].source_name();
        pieces.push(Piece {
            before: format!("- invariant:\n      type: \"{kind}\"\n      location:\n"),
            file: Some(span.file),
            after: format!(
                "        line: {}\n        column: {}\n        function: {}\n      value: {}\n      \
                 format: \"c_expression\"\n",
                at.line,
                at.column,
                quoted(function),
                quoted(&invariant.expression)
            ),
        });
    }
    pieces
}

/// The place of a loop's invariant, and the type of its entry. For a loop with `while` or `for`, the place is the
/// keyword. For a loop with `do`, the invariant is given as one of the first statement of the body: tools disagree
/// whether an invariant at the keyword holds before the body or before the condition. A loop made of jumps has no
/// place.
fn place(program: &Program, span: base::Span) -> Option<(&'static str, Position)> {
    if source::is_borrowed(program, span.file) {
        return None;
    }
    let text = source::text(program, span);
    let keyword = text.split(|c| !is_word(c)).next();
    match keyword? {
        "while" | "for" => Some(("loop_invariant", program.sources.position(span))),
        "do" => {
            let first = source::first_of_body(text)?;
            let offset = span.start + u32::try_from(first).ok()?;
            Some(("location_invariant", program.sources.position_at(span.file, offset)))
        }
        _ => None,
    }
}

/// What an entry of a witness is.
pub(super) enum EntryKind {
    Violation,
    Correctness {
        /// What its producer has to say of it.
        description: Option<String>,
    },
}

/// A whole witness.
pub(super) fn entry(
    program: &Program,
    subject: &Subject,
    kind: &EntryKind,
    specification: &str,
    content: &[Piece],
    stamp: &Stamp,
) -> String {
    let mut files = String::new();
    let mut hashes = String::new();
    for file in &subject.files {
        let name = quoted(program.sources.name(*file));
        files.push_str(&format!("      - {name}\n"));
        hashes.push_str(&format!("        {name}: \"{}\"\n", hash(program.sources.text(*file))));
    }
    let model = if program.cfa.address_width == 32 { "ILP32" } else { "LP64" };
    let task = format!(
        "    task:\n      input_files:\n{files}      input_file_hashes:\n{hashes}      \
         specification: {}\n      data_model: \"{model}\"\n      language: \"C\"\n",
        quoted(specification)
    );
    let mut body = String::new();
    for piece in content {
        let name = piece.file.map_or("", |file| program.sources.name(file));
        let whole = format!("{}        file_name: {}\n{}", piece.before, quoted(name), piece.after);
        for line in whole.lines() {
            body.push_str(&format!("  {line}\n"));
        }
    }
    let body =
        if body.is_empty() { "  content: []\n".to_owned() } else { format!("  content:\n{body}") };
    let (kind, description) = match kind {
        EntryKind::Violation => ("violation_sequence", None),
        EntryKind::Correctness { description } => ("invariant_set", description.as_deref()),
    };
    let description = description
        .map_or_else(String::new, |text| format!("      description: {}\n", quoted(text)));
    let description = format!("{}{description}", configuration(subject));
    let name = uuid(&format!("{kind}\n{description}{task}{body}"));
    format!(
        "- entry_type: \"{kind}\"\n  metadata:\n    format_version: \"2.0\"\n    uuid: \"{name}\"\n    \
         creation_time: \"{}\"\n    producer:\n      name: \"{PRODUCER}\"\n      version: \"{}\"\n{description}{task}{body}",
        stamp.time, stamp.version
    )
}

/// The options that decide what the program means, as its producer says them; nothing if there are none.
fn configuration(subject: &Subject) -> String {
    match &subject.meaning[..] {
        [] => String::new(),
        words => format!("      configuration: {}\n", quoted(&crate::witness::meaning(words))),
    }
}

/// A string as YAML and JSON write it.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            // The last two characters have no other form in YAML, and readers may take ends of lines for blanks.
            c if base::is_active(c)
                || line::ends(c)
                || matches!(c, '\u{feff}' | '\u{fffe}' | '\u{ffff}') =>
            {
                quoted.push_str(&format!("\\u{:04x}", u32::from(c)))
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn strings_are_read_back_as_they_were() {
        let text = "a\u{1b}\u{202e}\u{2028}\u{85}\u{feff}\u{ffff} \"\\\n\té";
        let written = quoted(text);
        assert!(written.chars().all(|c| matches!(c, ' '..='~' | 'é')), "{written}");
        assert_eq!(serde_json::from_str::<String>(&written).expect("a string"), text);
        assert_eq!(serde_saphyr::from_str::<String>(&written).expect("a string"), text);
    }
}
