//! The text of task definitions.

use std::fmt;
use std::path::{Path, PathBuf};

use base::{Diagnostic, Diagnostics, FileId, SourceMap, Span};
use serde::de::{self, Deserialize, Deserializer, SeqAccess, Visitor};
use serde_saphyr::{Location, Spanned};

use crate::DataModel;

/// A task definition, its paths resolved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// `1.0` or `2.0`.
    pub format_version: String,
    /// The files of the program.
    pub input_files: Vec<PathBuf>,
    /// Where the task names the files.
    pub input_span: Span,
    /// What is asked about the program.
    pub properties: Vec<TaskProperty>,
    /// The language of the program, as written.
    pub language: Option<String>,
    /// Sizes of C's types.
    pub data_model: Option<DataModel>,
}

/// One question of a task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TaskProperty {
    /// The `.prp` file.
    pub property_file: PathBuf,
    /// Whether the property holds, if that is known.
    pub expected_verdict: Option<bool>,
    /// The part of the property that is violated, such as `valid-free`.
    pub subproperty: Option<String>,
    /// Where the task names the file.
    pub span: Span,
}

/// Reads a task definition; `path` is where it was found, and the paths in it start there.
///
/// # Errors
/// What is wrong with the text, and where.
pub fn read(sources: &SourceMap, file: FileId, path: &Path) -> Result<Task, Diagnostics> {
    let one = |diagnostic| {
        let mut diagnostics = Diagnostics::new();
        diagnostics.push(diagnostic);
        diagnostics
    };
    let text = std::str::from_utf8(sources.text(file)).map_err(|error| {
        // The cast is exact: a source map holds no longer files.
        let at = error.valid_up_to() as u32;
        one(Diagnostic::error(Span::new(file, at, at + 1), "this is not UTF-8"))
    })?;
    let options = serde_saphyr::options! { with_snippet: false };
    let written = serde_saphyr::from_str_with_options::<Written>(text, options);
    let written = written.map_err(|error| one(diagnostic(&error, sources, file)))?;
    resolve(written, file, path)
}

fn diagnostic(error: &serde_saphyr::Error, sources: &SourceMap, file: FileId) -> Diagnostic {
    let text = error.to_string();
    let first = text.lines().next().unwrap_or_default();
    let message = first.trim_start_matches("error: ").split(" at line ").next().unwrap_or(first);
    let Some(location) = error.location() else {
        return Diagnostic::error_without_place(message);
    };
    // The parser's own errors have a line and a column only.
    let line = u32::try_from(location.line()).unwrap_or(u32::MAX);
    let line = sources.line(file, line).filter(|_| location.span().byte_offset().is_none());
    let place = match line {
        Some((start, text)) => {
            let column = (location.column() as usize).saturating_sub(1).min(text.len()) as u32;
            Span::new(file, start + column, start + column)
        }
        None => span(location, file),
    };
    Diagnostic::error(place, message)
}

fn span(location: Location, file: FileId) -> Span {
    // The casts are exact: a source map holds no longer files.
    let start = location.span().byte_offset().unwrap_or_default() as u32;
    let length = location.span().byte_len().unwrap_or_default() as u32;
    Span::new(file, start, start.saturating_add(length))
}

/// The definition as it is written.
#[derive(serde::Deserialize)]
struct Written {
    format_version: Spanned<String>,
    input_files: Spanned<Files>,
    #[serde(default)]
    properties: Vec<WrittenProperty>,
    #[serde(default)]
    options: WrittenOptions,
}

#[derive(serde::Deserialize)]
struct WrittenProperty {
    property_file: Spanned<String>,
    #[serde(default)]
    expected_verdict: Option<Spanned<bool>>,
    #[serde(default)]
    subproperty: Option<String>,
}

#[derive(serde::Deserialize, Default)]
struct WrittenOptions {
    #[serde(default)]
    language: Option<String>,
    #[serde(default)]
    data_model: Option<Spanned<String>>,
}

/// One file or several.
struct Files(Vec<String>);

impl<'de> Deserialize<'de> for Files {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(FilesVisitor)
    }
}

struct FilesVisitor;

impl<'de> Visitor<'de> for FilesVisitor {
    type Value = Files;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a file name or a list of file names")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Files, E> {
        Ok(Files(vec![text.to_owned()]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Files, A::Error> {
        let mut files = Vec::new();
        while let Some(file) = items.next_element::<String>()? {
            files.push(file);
        }
        Ok(Files(files))
    }
}

fn resolve(written: Written, file: FileId, path: &Path) -> Result<Task, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let version = &written.format_version;
    if !matches!(&*version.value, "1.0" | "2.0" | "1" | "2") {
        let message = format!("the format version {} is not known", version.value);
        let error = Diagnostic::error(span(version.referenced, file), message);
        diagnostics.push(error.with_hint("1.0 and 2.0 are"));
    }
    let place = span(written.input_files.referenced, file);
    if written.input_files.value.0.is_empty() {
        diagnostics.push(Diagnostic::error(place, "the task has no input file"));
    }
    let data_model = written.options.data_model.and_then(|model| match &*model.value {
        "ILP32" => Some(DataModel::Ilp32),
        "LP64" => Some(DataModel::Lp64),
        other => {
            let message = format!("the data model {other} is not known");
            let error = Diagnostic::error(span(model.referenced, file), message);
            diagnostics.push(error.with_hint("ILP32 and LP64 are"));
            None
        }
    });
    contradictions(&written.properties, file, &mut diagnostics);
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let properties = written.properties.into_iter().map(|property| TaskProperty {
        property_file: folder.join(&property.property_file.value),
        expected_verdict: property.expected_verdict.map(|verdict| verdict.value),
        subproperty: property.subproperty,
        span: span(property.property_file.referenced, file),
    });
    Ok(Task {
        format_version: written.format_version.value,
        input_files: written.input_files.value.0.iter().map(|each| folder.join(each)).collect(),
        input_span: place,
        properties: properties.collect(),
        language: written.options.language,
        data_model,
    })
}

/// Finds properties that are expected both to hold and to be violated: whichever of the two a result was compared with,
/// it would be called right or wrong by chance.
fn contradictions(properties: &[WrittenProperty], file: FileId, diagnostics: &mut Diagnostics) {
    for (index, property) in properties.iter().enumerate() {
        let name = &property.property_file.value;
        let Some(verdict) = &property.expected_verdict else { continue };
        let differs = |other: &WrittenProperty| {
            other.property_file.value == *name
                && other.expected_verdict.as_ref().is_some_and(|other| other.value != verdict.value)
        };
        if properties[..index].iter().any(differs) {
            let message = format!("above, another verdict is expected for {name}");
            let error = Diagnostic::error(span(verdict.referenced, file), message);
            diagnostics.push(error.with_hint("a property has one expected verdict"));
        }
    }
}
