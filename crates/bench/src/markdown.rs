//! Text of others, such as names of tasks and reasons of tools, in pages written as Markdown.

/// A line in which nothing is a tag, and no character does something else than to be shown.
pub(crate) fn line(text: &str) -> String {
    base::plain_line(&text.replace('\n', " ")).replace('&', "&amp;").replace('<', "&lt;")
}

/// A text in a cell of a table.
pub(crate) fn cell(text: &str) -> String {
    line(text).replace('|', "\\|")
}
