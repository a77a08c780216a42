//! Compilation databases: how a build system has each file of a program compiled.

use std::path::{Path, PathBuf};

use frontend::{DataModel, Flags, Macro};
use serde_json::Value;
use serde_json::error::Category;

use crate::arguments::build;
use crate::output;

/// A file and how it is compiled.
#[derive(PartialEq, Eq, Debug)]
pub struct Entry {
    /// The file; its path starts at the present folder or at the root.
    pub file: PathBuf,
    /// The options of the compiler that say what the text means.
    pub flags: Flags,
    /// The sizes of types, if an option of the compiler says them.
    pub data_model: Option<DataModel>,
    /// Options of the compiler about the meaning of the text that are not read here.
    pub unread: Vec<String>,
}

/// Options that change what a program means, or what its text is, and that are not read.
const UNREAD: [&str; 19] = [
    "-funsigned-char",
    "-funsigned-bitfields",
    "-fshort-enums",
    "-fshort-wchar",
    "-fpack-struct",
    "-fsingle-precision-constant",
    "-ffast-math",
    "-Ofast",
    "-frounding-math",
    "-ftrapv",
    "-mlong-double",
    "-malign-double",
    "-mms-bitfields",
    "-mx32",
    "-m16",
    "-imacros",
    "-Wp,",
    "-Xpreprocessor",
    "@",
];

/// Reads a database.
pub fn read(path: &Path) -> Result<Vec<Entry>, String> {
    let name = output::name(path);
    let text =
        std::fs::read_to_string(path).map_err(|error| format!("cannot read {name}: {error}"))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    entries(&text, folder).map_err(|(place, message)| match place {
        Some((line, column)) => format!("{name}:{line}:{column}: {message}"),
        None => format!("{name}: {message}"),
    })
}

/// Whether two paths name one file.
pub fn is_same(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => one == other,
    }
}

/// The first entry of each file, since each further entry is another build of the same program; and the files of which
/// a further entry has other options.
pub fn first_of_each(entries: Vec<Entry>) -> (Vec<Entry>, Vec<PathBuf>) {
    let (mut first, mut differing) = (Vec::<Entry>::new(), Vec::new());
    for entry in entries {
        match first.iter().find(|earlier| is_same(&earlier.file, &entry.file)) {
            Some(earlier) if earlier.flags == entry.flags => {}
            Some(earlier) if differing.contains(&earlier.file) => {}
            Some(earlier) => differing.push(earlier.file.clone()),
            None => first.push(entry),
        }
    }
    (first, differing)
}

type Refusal = (Option<(usize, usize)>, String);

fn entries(text: &str, folder: &Path) -> Result<Vec<Entry>, Refusal> {
    let value: Value = serde_json::from_str(text).map_err(|error| {
        let what = match error.classify() {
            Category::Eof => "the text ends too early",
            _ => "this is not JSON",
        };
        (Some((error.line(), error.column())), what.to_owned())
    })?;
    let Value::Array(entries) = value else {
        return Err((None, "a compilation database is a list of entries".to_owned()));
    };
    if entries.is_empty() {
        return Err((None, "the compilation database has no entries".to_owned()));
    }
    let numbered = (1..).zip(&entries);
    numbered.map(|(number, value)| entry(value, number, folder)).collect()
}

fn entry(value: &Value, number: usize, folder: &Path) -> Result<Entry, Refusal> {
    let refuse = |what: &str| (None, format!("entry {number} {what}"));
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    let file = text("file").ok_or_else(|| refuse("has no `file`"))?;
    // A folder without a start is a folder below that of the database.
    let folder = folder.join(text("directory").unwrap_or(""));
    let words = match (value.get("arguments").and_then(Value::as_array), text("command")) {
        (Some(words), _) => {
            words.iter().filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>()
        }
        (None, Some(command)) => split(command),
        (None, None) => return Err(refuse("has neither `arguments` nor `command`")),
    };
    let flags = flags(&words, &folder).map_err(|what| refuse(&format!("has {what}")))?;
    let model = words.iter().rev().find_map(|word| match word.as_str() {
        "-m32" => Some(DataModel::Ilp32),
        "-m64" => Some(DataModel::Lp64),
        _ => None,
    });
    let is_unread = |word: &&String| UNREAD.iter().any(|option| word.starts_with(option));
    let mut unread: Vec<String> = words.iter().skip(1).filter(is_unread).cloned().collect();
    let language = words.iter().zip(words.iter().skip(1)).filter(|(word, _)| *word == "-x");
    unread.extend(language.filter(|(_, name)| *name != "c").map(|(_, name)| format!("-x {name}")));
    Ok(Entry { file: folder.join(file), flags, data_model: model, unread })
}

/// What the words of a compiler's command line say about the meaning of the text.
fn flags(words: &[String], folder: &Path) -> Result<Flags, String> {
    let mut flags = Flags::default();
    // The first word is the compiler.
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        let mut value = |option: &str| -> Option<String> {
            let rest = word.strip_prefix(option)?;
            if rest.is_empty() { words.next().cloned() } else { Some(rest.to_owned()) }
        };
        if let Some(file) = value("-include") {
            // The compiler looks for the file in the folder first.
            let near = folder.join(&file);
            let file = if near.is_file() { near.display().to_string() } else { file };
            flags.preinclude.push(file);
        } else if let Some(path) = value("-isystem").or_else(|| value("-iquote")) {
            flags.include.push(folder.join(path));
        } else if let Some(path) = value("-I") {
            flags.include.push(folder.join(path));
        } else if let Some(text) = value("-D") {
            flags.macros.push(Macro::Define(build::definition(&text)?));
        } else if let Some(name) = value("-U") {
            flags.macros.push(Macro::Undefine(build::undefinition(&name)?));
        } else if let Some(name) = word.strip_prefix("-std=") {
            flags.standard = Some(name.to_owned()).filter(|name| frontend::is_standard(name));
        }
    }
    Ok(flags)
}

/// The words of a command, as a shell splits it.
fn split(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut chars = command.chars();
    while let Some(c) = chars.next() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            ('\\', None | Some('"')) => word.get_or_insert_default().extend(chars.next()),
            (c, Some(_)) => word.get_or_insert_default().push(c),
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, None) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_as_by_a_shell() {
        let words = split(r#"cc  -D'A="x y"' "-DB=\"z\"" -DC=\ 1 '' a.c"#);
        assert_eq!(words, ["cc", "-DA=\"x y\"", "-DB=\"z\"", "-DC= 1", "", "a.c"]);
    }

    #[test]
    fn the_first_entry_of_a_file_counts() {
        let entry = |file: &str, flag: &str| {
            format!(r#"{{"directory": "/b", "file": "{file}", "arguments": ["cc", "{flag}"]}}"#)
        };
        let text =
            [entry("a.c", "-DA"), entry("b.c", "-DA"), entry("a.c", "-DB"), entry("b.c", "-DA")];
        let entries = entries(&format!("[{}]", text.join(",")), Path::new("")).expect("a database");
        let (first, several) = first_of_each(entries);
        assert_eq!(first.len(), 2);
        assert_eq!(first[0].flags.macros, [Macro::Define("A".to_owned())]);
        assert_eq!(several, [Path::new("/b/a.c")]);
    }

    #[test]
    fn flags_are_read_in_all_their_forms() {
        let text = r#"[{"directory": "/b", "file": "src/a.c",
            "command": "gcc -c -Iinc -I /x -isystem sys -DA=1 -D B -UA -std=gnu99 -O2 -include c.h src/a.c"}]"#;
        let entries = entries(text, Path::new("")).expect("a database");
        assert_eq!(entries[0].file, Path::new("/b/src/a.c"));
        let flags = &entries[0].flags;
        assert_eq!(flags.include, ["/b/inc", "/x", "/b/sys"].map(PathBuf::from));
        let macros = [
            Macro::Define("A=1".to_owned()),
            Macro::Define("B".to_owned()),
            Macro::Undefine("A".to_owned()),
        ];
        assert_eq!(flags.macros, macros);
        assert_eq!(flags.preinclude, ["c.h"]);
        assert_eq!(flags.standard.as_deref(), Some("gnu99"));
    }

    #[test]
    fn what_is_no_database_is_refused_with_its_place() {
        let refused = |text: &str| entries(text, Path::new("")).expect_err(text);
        assert_eq!(refused("[\n{,").0, Some((2, 2)));
        assert_eq!(refused("{}").1, "a compilation database is a list of entries");
        assert_eq!(refused("[{}]").1, "entry 1 has no `file`");
        assert!(refused(r#"[{"file": "a.c"}]"#).1.contains("neither"));
        assert!(refused(r#"[{"file": "a.c", "arguments": ["cc", "-D1=2"]}]"#).1.contains("macro"));
    }
}
