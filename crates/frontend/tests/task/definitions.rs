//! `.yml` files.

use std::path::{Path, PathBuf};

use base::SourceMap;
use proviso_frontend::task::{Property, Task, read};
use proviso_frontend::{DataModel, Loaded, Options};

fn parse(text: impl AsRef<[u8]>) -> Result<Task, Vec<String>> {
    let mut sources = SourceMap::new();
    let file = sources.add("t.yml", text.as_ref().to_vec()).expect("a short text");
    read(&sources, file, Path::new("folder/t.yml")).map_err(|diagnostics| {
        let line = |diagnostic: &base::Diagnostic| match diagnostic.span {
            Some(span) => {
                let at = sources.position(span);
                format!("{}:{} {}", at.line, at.column, diagnostic.message)
            }
            None => diagnostic.message.clone(),
        };
        diagnostics.iter().map(line).collect()
    })
}

const TASK: &str = "format_version: '2.0'

# old file name: x.c
input_files: 'x.i'

properties:
  - property_file: ../properties/unreach-call.prp
    expected_verdict: true
  - property_file: ../properties/valid-memsafety.prp
    expected_verdict: false
    subproperty: valid-free
  - property_file: ../properties/termination.prp

options:
  language: C
  data_model: LP64
";

#[test]
fn a_definition_is_plain_data() {
    let task = parse(TASK).unwrap();
    assert_eq!(task.format_version, "2.0");
    assert_eq!(task.input_files, [PathBuf::from("folder/x.i")]);
    assert_eq!(task.language.as_deref(), Some("C"));
    assert_eq!(task.data_model, Some(DataModel::Lp64));
    let found: Vec<_> = task
        .properties
        .iter()
        .map(|each| {
            let file = each.property_file.to_str().unwrap();
            (file, each.expected_verdict, each.subproperty.as_deref())
        })
        .collect();
    assert_eq!(
        found,
        [
            ("folder/../properties/unreach-call.prp", Some(true), None),
            ("folder/../properties/valid-memsafety.prp", Some(false), Some("valid-free")),
            ("folder/../properties/termination.prp", None, None),
        ]
    );
}

#[test]
fn the_older_format_has_lists_and_no_options() {
    let task = parse("format_version: 1.0\ninput_files:\n  - a.c\n  - sub/b.c\n").unwrap();
    assert_eq!(task.format_version, "1.0");
    assert_eq!(task.input_files, [PathBuf::from("folder/a.c"), PathBuf::from("folder/sub/b.c")]);
    assert_eq!((task.properties.len(), task.data_model), (0, None));
}

#[test]
fn wrong_text_is_pointed_at() {
    let cases = [
        ("format_version: '3.0'\ninput_files: a.c\n", "1:17 the format version 3.0 is not known"),
        ("format_version: '2.0'\ninput_files: []\n", "2:14 the task has no input file"),
        (
            "format_version: '2.0'\ninput_files: a.c\noptions:\n  data_model: ILP64\n",
            "4:15 the data model ILP64 is not known",
        ),
        ("input_files: a.c\n", "1:1 missing field `format_version`"),
        (
            "format_version: '2.0'\ninput_files: a.c\nproperties:\n  - property_file: p.prp\n    expected_verdict: maybe\n",
            "5:23 invalid boolean",
        ),
        (
            "format_version: '2.0'\ninput_files: a.c\nproperties:\n  - property_file: p.prp\n    expected_verdict: true\n  \
             - property_file: p.prp\n    expected_verdict: false\n",
            "7:23 above, another verdict is expected for p.prp",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(parse(text).unwrap_err(), [expected], "{text}");
    }
    let found = parse("format_version: '2.0'\ninput_files: [a.c\n").unwrap_err();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(parse(b"format_version: \xff\n").unwrap_err(), ["1:17 this is not UTF-8"]);
    for text in ["", "\0", "a", "- a", "format_version: &a [*a]", ": : :", "{", "? ["] {
        assert!(parse(text).is_err(), "{text:?}");
    }
}

#[test]
fn any_bytes_give_no_panic() {
    let text = TASK.as_bytes();
    for cut in 0..text.len() {
        let _ = parse(&text[..cut]);
        for byte in [0, b'[', b':', 0xff, b'\n', b'-', b'&', b'*', b'\t', b'\''] {
            let mut changed = text.to_vec();
            changed[cut] = byte;
            let _ = parse(&changed);
        }
    }
    let _ = parse("[".repeat(100_000));
    let _ = parse(format!("format_version: {}", "{a: ".repeat(50_000)));
}

/// Writes files into a folder of their own and loads the task among them.
fn load_files(name: &str, files: &[(&str, &str)], options: &Options) -> Loaded {
    let folder = std::env::temp_dir().join(format!("proviso-task-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for (file, text) in files {
        std::fs::write(folder.join(file), text).unwrap();
    }
    let path = folder.join("t.yml");
    let loaded = proviso_frontend::load(&[path], options);
    std::fs::remove_dir_all(&folder).unwrap();
    loaded
}

fn errors(loaded: &Loaded) -> Vec<String> {
    let sources = &loaded.program.sources;
    let line = |diagnostic: &base::Diagnostic| match diagnostic.span {
        Some(span) => {
            let at = sources.position(span);
            let name = Path::new(sources.name(span.file)).file_name().unwrap().to_str().unwrap();
            format!("{name}:{}:{} {}", at.line, at.column, diagnostic.message)
        }
        None => diagnostic.message.clone(),
    };
    loaded.diagnostics.iter().map(line).collect()
}

const MODEL: &str = "main process p { init loc A error loc B A -> B {} }";
const REACH: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )";

/// A task can name a program of any language whose ending says which it is.
#[test]
fn the_program_is_loaded_from_beside_the_task() {
    let task = "format_version: '2.0'\ninput_files: m.cfa\nproperties:\n  - property_file: p.prp\n";
    let files = [("t.yml", task), ("m.cfa", MODEL), ("p.prp", REACH)];
    let loaded = load_files("plain", &files, &Options::default());
    assert_eq!(errors(&loaded), [""; 0]);
    assert_eq!(loaded.program.cfa.edges.len(), 1);
}

#[test]
fn a_missing_standard_property_is_known_by_its_name() {
    let task = "format_version: '2.0'\ninput_files: m.cfa\nproperties:\n  - property_file: q/unreach-call.prp\n";
    let files = [("t.yml", task), ("m.cfa", MODEL)];
    let loaded = load_files("standard", &files, &Options::default());
    let found = errors(&loaded);
    assert_eq!(found.len(), 1);
    assert!(
        found[0].starts_with("t.yml:4:20 ")
            && found[0].ends_with(&format!("it is taken as `{REACH}`"))
    );
    assert!(!loaded.diagnostics.has_errors());
}

#[test]
fn a_task_without_a_property_to_check_is_refused() {
    let task = "format_version: '2.0'\ninput_files: m.cfa\nproperties:\n  - property_file: p.prp\n";
    let over = "CHECK( init(main()), LTL(F end) )";
    let files = [("t.yml", task), ("m.cfa", MODEL), ("p.prp", over)];
    let loaded = load_files("overflow", &files, &Options::default());
    assert_eq!(
        errors(&loaded),
        ["t.yml:4:20 no property of the task is about reachability or faults"]
    );
    // A property that is given goes before the task's.
    let mut sources = SourceMap::new();
    let file = sources.add("p", REACH.as_bytes().to_vec()).unwrap();
    let options =
        Options { property: Property::parse(&sources, file).unwrap(), ..Options::default() };
    assert_eq!(errors(&load_files("given", &files, &options)), [""; 0]);
    let files = [("t.yml", task), ("m.cfa", MODEL), ("p.prp", "CHECK(\n x")];
    let found = errors(&load_files("wrong", &files, &Options::default()));
    assert_eq!(found.len(), 1);
    assert!(
        found[0].starts_with("t.yml:4:20 ")
            && found[0].ends_with("p.prp:2:2: expected `init`, found `x`")
    );
}

#[test]
fn what_cannot_be_loaded_is_named() {
    let task = "format_version: '2.0'\ninput_files: missing.cfa\n";
    let found = errors(&load_files("missing", &[("t.yml", task)], &Options::default()));
    assert_eq!(found.len(), 1);
    assert!(found[0].starts_with("cannot read ") && found[0].contains("missing.cfa"));
    let task = "format_version: '2.0'\ninput_files: t.yml\n";
    let found = errors(&load_files("itself", &[("t.yml", task)], &Options::default()));
    assert_eq!(found, ["an input file of a task is not itself a task"]);
    let task = "format_version: '2.0'\ninput_files: a.java\noptions:\n  language: Java\n";
    let found = errors(&load_files("java", &[("t.yml", task)], &Options::default()));
    assert_eq!(found, ["programs in Java are not supported"]);
}
