//! Source text and places in it.

use std::sync::Arc;

use crate::{IndexVec, plain_line};

crate::define_id!(
    /// A source file of a run.
    pub struct FileId, "file"
);

/// The name of a program that is read from standard input.
pub const STDIN: &str = "<stdin>";

/// Whether a name is that of a text which a program only borrows, such as a model of the C library. Such a text is no
/// file that the user knows.
#[must_use]
pub fn is_borrowed(name: &str) -> bool {
    name.starts_with('<') && name != STDIN
}

/// A stretch of bytes in one file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// The offset of the first byte of the stretch.
    pub start: u32,
    /// The offset after the last byte of the stretch.
    pub end: u32,
}

impl Span {
    /// The bytes from `start` up to `end` of `file`.
    #[must_use]
    pub const fn new(file: FileId, start: u32, end: u32) -> Self {
        Self { file, start, end }
    }

    /// From the start of `self` to the end of `other`, which is in the same file.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span { file: self.file, start: self.start, end: other.end.max(self.start) }
    }
}

/// A line and a column, both counted from one; the column counts characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// The text of every file that a run has read.
#[derive(Default, Clone)]
pub struct SourceMap {
    files: IndexVec<FileId, File>,
}

#[derive(Clone)]
struct File {
    /// The name for messages, without control characters.
    name: String,
    /// The name as it was given.
    path: String,
    text: Arc<[u8]>,
    /// Offset of the first byte of each line.
    lines: Vec<u32>,
}

impl SourceMap {
    /// A map without files.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes in a file. The result is `None` if the file is too long for 32-bit offsets.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<Arc<[u8]>>) -> Option<FileId> {
        let text = text.into();
        u32::try_from(text.len()).ok()?;
        let ends = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        // The cast is exact: every offset is below the length checked above.
        let lines = std::iter::once(0).chain(ends.map(|(at, _)| at as u32 + 1)).collect();
        let path = name.into();
        let name = plain_line(&path).into_owned();
        Some(self.files.push(File { name, path, text, lines }))
    }

    /// Whether a file is a text that a program only borrows, such as a model of the C library.
    #[must_use]
    pub fn is_borrowed(&self, file: FileId) -> bool {
        is_borrowed(self.name(file))
    }

    /// The name under which a file was read, for messages: control characters are written out.
    #[must_use]
    pub fn name(&self, file: FileId) -> &str {
        &self.files[file].name
    }

    /// The name under which a file was read, as it was given.
    #[must_use]
    pub fn path(&self, file: FileId) -> &str {
        &self.files[file].path
    }

    /// The bytes of a file.
    #[must_use]
    pub fn text(&self, file: FileId) -> &Arc<[u8]> {
        &self.files[file].text
    }

    /// The files, in the order in which they were read.
    pub fn files(&self) -> impl Iterator<Item = FileId> + use<> {
        self.files.ids()
    }

    /// The bytes that a span covers.
    #[must_use]
    pub fn slice(&self, span: Span) -> &[u8] {
        let text = &self.files[span.file].text;
        let end = (span.end as usize).min(text.len());
        &text[(span.start as usize).min(end)..end]
    }

    /// Line and column of the first byte of a span.
    #[must_use]
    pub fn position(&self, span: Span) -> Position {
        self.position_at(span.file, span.start)
    }

    /// Line and column of one byte of a file.
    #[must_use]
    pub fn position_at(&self, file: FileId, offset: u32) -> Position {
        let entry = &self.files[file];
        let line = entry.lines.partition_point(|start| *start <= offset) - 1;
        let start = entry.lines[line] as usize;
        let end = (offset as usize).min(entry.text.len());
        let before = &entry.text[start.min(end)..end];
        // Continuation bytes of UTF-8 do not start a character.
        let column = before.iter().filter(|byte| **byte & 0xC0 != 0x80).count() + 1;
        Position { line: line as u32 + 1, column: column as u32 }
    }

    /// The text of one line, without its end, and the offset at which it starts.
    #[must_use]
    pub fn line(&self, file: FileId, line: u32) -> Option<(u32, &[u8])> {
        let entry = &self.files[file];
        let start = *entry.lines.get(line.checked_sub(1)? as usize)?;
        let rest = &entry.text[start as usize..];
        let end = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        Some((start, rest[..end].strip_suffix(b"\r").unwrap_or(&rest[..end])))
    }

    /// `file.c:12:3`, as compilers write it.
    #[must_use]
    pub fn describe(&self, span: Span) -> String {
        let at = self.position(span);
        format!("{}:{}:{}", self.name(span.file), at.line, at.column)
    }
}
