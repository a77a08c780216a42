//! Reading the text of files.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use base::{Diagnostic, FileId, SourceMap, plain_line};

/// The longest file that is read; a device may never end.
const MOST_BYTES: u64 = 1 << 30;

/// Why a file was not read. Memory that was refused ends the run as it does everywhere else: it is no fault of the
/// file.
fn failed(error: &std::io::Error) -> String {
    if error.kind() == std::io::ErrorKind::OutOfMemory {
        std::alloc::handle_alloc_error(std::alloc::Layout::new::<[u8; 4096]>());
    }
    error.to_string()
}

/// Takes one file into the source map; `-` is standard input.
///
/// # Errors
/// A message that names the file if it cannot be read or is too long.
pub fn read(path: &Path, sources: &mut SourceMap) -> Result<FileId, Diagnostic> {
    let name = path.display().to_string();
    let refuse = |why: String| {
        let name = plain_line(&name);
        Diagnostic::error_without_place(format!("cannot read {name}: {why}"))
    };
    if path == Path::new("-") {
        let mut text = Vec::new();
        let read = std::io::stdin().lock().take(MOST_BYTES + 1).read_to_end(&mut text);
        read.map_err(|error| refuse(failed(&error)))?;
        if text.len() as u64 > MOST_BYTES {
            return Err(refuse("it is longer than 1 GiB".to_owned()));
        }
        return sources.add(base::STDIN, text).ok_or_else(|| refuse("it is too long".to_owned()));
    }
    if path.is_dir() {
        return Err(refuse("it is a directory".to_owned()));
    }
    let mut text = Vec::new();
    let opened = File::open(path).map_err(|error| refuse(failed(&error)))?;
    let read = opened.take(MOST_BYTES + 1).read_to_end(&mut text);
    read.map_err(|error| refuse(failed(&error)))?;
    if text.len() as u64 > MOST_BYTES {
        return Err(refuse("it is longer than 1 GiB".to_owned()));
    }
    // A name that looks like an option, or like that of a text that is no file, says that it is a path.
    let looks_otherwise = name.starts_with(['-', '<']);
    let path = if looks_otherwise { format!("./{name}") } else { name.clone() };
    sources.add(path, text).ok_or_else(|| refuse("it is too long".to_owned()))
}

/// The text with every offset as it was. Bytes that are not UTF-8 may stand in comments.
pub(crate) fn readable(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|b| if b.is_ascii() { char::from(*b) } else { '?' }).collect(),
    }
}
