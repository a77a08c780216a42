#![allow(missing_docs)]
use proviso_engines::backward::{self, Alpha, Options, certify};
use proviso_engines::{Budget, Verdict};
use smt::Builtin;
use std::time::{Duration, Instant};

#[test]
fn try_models() {
    let dir = "../bench/models/armc";
    let only = std::env::var("ONLY").ok();
    let mut names: Vec<_> = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).collect();
    names.sort();
    for path in names {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if only.as_ref().is_some_and(|o| !o.split(',').any(|x| x == name)) {
            continue;
        }
        let text = std::fs::read(&path).unwrap();
        let mut sources = base::SourceMap::new();
        let file = sources.add("m.pl", &text[..]).unwrap();
        let loaded = frontend::armc::load(sources, file);
        for d in loaded.diagnostics.iter() {
            println!("{name}: {d:?}");
        }
        for alpha in Alpha::ALL {
            let start = Instant::now();
            let budget =
                Budget { deadline: Some(start + Duration::from_secs(15)), ..Budget::default() };
            let options = Options { alpha, max_refinements: 8, ..Options::default() };
            let (v, r) =
                backward::check(&loaded.program, &options, &|| Box::new(Builtin::new()), &budget);
            let t = start.elapsed();
            let f = r.as_ref().map(|r| r.figures);
            let what = match &v {
                Verdict::Safe(_) => "safe".to_owned(),
                Verdict::Unsafe(c) => format!("unsafe {}", c.steps),
                Verdict::Unknown(u) => format!("{u:?}"),
            };
            let f = f.unwrap();
            let cert = r.as_ref().and_then(|r| r.invariants.as_ref()).map(|i| {
                certify(
                    &loaded.program,
                    i,
                    &|| Box::new(Builtin::new()),
                    &Budget {
                        deadline: Some(Instant::now() + Duration::from_secs(15)),
                        ..Budget::default()
                    },
                )
            });
            println!(
                "{name:10} C{}/V{} a{} R{}/I{} P{}/G{} {t:?} {what} cert {cert:?} {:?}",
                f.commands,
                f.variables,
                alpha.number(),
                f.refinements,
                f.steps,
                f.used,
                f.generated,
                start.elapsed()
            );
        }
    }
}
