//! The seeds are accepted: what is refused at its first line is no start for a fuzzer.

use std::path::{Path, PathBuf};

use base::{Diagnostics, SourceMap};
use frontend::{Loaded, Options};
use proviso_fuzz::{PRECISION_MODEL, check_loaded, source, symbols, validated};

fn seeds(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(target);
    let files = std::fs::read_dir(folder).expect("seeds").map(|file| file.expect("a file").path());
    let seeds: Vec<_> =
        files.map(|path| (path.clone(), std::fs::read(path).expect("a seed"))).collect();
    assert!(!seeds.is_empty());
    seeds
}

fn accepted(path: &Path, diagnostics: &Diagnostics, sources: &SourceMap) {
    let messages: Vec<_> = diagnostics.iter().map(|each| each.render(sources)).collect();
    assert!(!diagnostics.has_errors(), "{}\n{}", path.display(), messages.join("\n"));
}

fn programs(target: &str, load: impl Fn(SourceMap, base::FileId) -> Loaded, skip: usize) {
    for (path, text) in seeds(target) {
        let (sources, file) = source("seed", &text[skip..]);
        let loaded = load(sources, file);
        accepted(&path, &loaded.diagnostics, &loaded.program.sources);
        check_loaded(&loaded, 0);
    }
}

#[test]
fn programs_load() {
    programs("theta", frontend::theta::load, 0);
    programs("armc", frontend::armc::load, 0);
    programs("c", |sources, file| frontend::c::load(sources, &[file], &Options::default()), 1);
}

#[test]
fn the_rest_is_read() {
    for (path, text) in seeds("model") {
        let (sources, file) = source("seed", text);
        let refused = cfa::parse(sources.clone(), file).err().unwrap_or_default();
        accepted(&path, &refused, &sources);
    }
    for (path, text) in seeds("task") {
        let (sources, file) = source("seed", text);
        let refused = frontend::task::read(&sources, file, &path).err().unwrap_or_default();
        accepted(&path, &refused, &sources);
    }
    for (path, text) in seeds("property") {
        let (sources, file) = source("seed", text);
        let refused = frontend::task::Property::parse(&sources, file).err().unwrap_or_default();
        accepted(&path, &refused, &sources);
    }
    for (path, text) in seeds("inputs") {
        let (sources, file) = source("seed", text);
        let refused = interp::parse_inputs(&sources, file).err().unwrap_or_default();
        accepted(&path, &refused, &sources);
    }
    for (path, text) in seeds("precision") {
        let (sources, file) = source("model", PRECISION_MODEL);
        let mut program = cfa::parse(sources, file).ok().expect("a model");
        let file = program.sources.add("seed", text).expect("a short file");
        let scope = domains::value::PrecisionScope::Location;
        let read = domains::precision::read(&program, scope, file);
        let told = read.map_or_else(|refused| refused, |(_, _, warnings)| warnings);
        accepted(&path, &told, &program.sources);
    }
    for (path, text) in seeds("witness") {
        let (sources, file) = source("seed", text);
        let read = witness::read(&sources, file);
        let told = read.and_then(|read| validated(&read)).err();
        let told = told.map(|diagnostic| diagnostic.render(&sources));
        assert!(told.is_none(), "{}: {told:?}", path.display());
    }
    for (path, text) in seeds("term") {
        let mut terms = term::Terms::new();
        let names = symbols(&mut terms).0;
        let text = String::from_utf8(text).expect("text");
        let read = terms.parse(&text, &mut |name| names.get(name).copied());
        assert!(read.is_ok(), "{}: {}", path.display(), read.unwrap_err());
    }
}
