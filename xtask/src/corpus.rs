//! `cargo xtask load-corpus`: how much of a folder of programs the front ends read, how fast,
//! and with how much memory.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use clap::Args;
use nix::sys::resource::{UsageWho, getrusage};

use crate::diff::judge::message;
use crate::process::{Scratch, parallel, run};
use crate::tools;

/// `cargo xtask load-corpus`
#[derive(Args, Clone, Debug)]
pub struct LoadCorpus {
    /// Where to look for .c, .i, .cfa, .theta and .pl files
    folder: PathBuf,
    /// The proviso to test, instead of building one
    #[arg(long, value_name = "PATH")]
    bin: Option<PathBuf>,
    /// How many at a time
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Seconds for one file
    #[arg(long, default_value_t = 60)]
    timeout: u64,
    /// Name each file that does not load
    #[arg(long)]
    list: bool,
}

/// `cargo xtask measure`: for this tool's own use.
#[derive(Args, Clone, Debug)]
pub struct Measure {
    /// Where to write the figures
    report: PathBuf,
    /// The command
    #[arg(last = true, required = true)]
    command: Vec<String>,
}

/// What one file took.
struct Load {
    bytes: u64,
    user_seconds: f64,
    peak_bytes: u64,
    /// Why it did not load.
    failure: Option<String>,
}

/// Runs the command. Always true: a file that does not load is a figure, not a failure.
pub fn load(arguments: &LoadCorpus) -> Result<bool, String> {
    let mut files = Vec::new();
    find(&arguments.folder, &mut files)
        .map_err(|error| format!("{}: {error}", arguments.folder.display()))?;
    files.sort();
    if files.is_empty() {
        return Err(format!("no programs under {}", arguments.folder.display()));
    }
    let models = manifest(&arguments.folder);
    let proviso = tools::proviso(arguments.bin.as_deref())?;
    let timeout = Duration::from_secs(arguments.timeout);
    let results = parallel(files.len(), arguments.jobs, |index| {
        load_one(&files[index], &proviso, &models, timeout).unwrap_or_else(|error| Load {
            bytes: 0,
            user_seconds: 0.0,
            peak_bytes: 0,
            failure: Some(error.to_string()),
        })
    });
    let loads: Vec<(&PathBuf, Load)> =
        results.into_iter().map(|(index, load)| (&files[index], load)).collect();
    report(arguments, &loads);
    Ok(true)
}

/// Runs a command and writes down the processor time and memory of this one child. The system gives the usage of all
/// children together, so this process has only one.
pub fn measure(arguments: &Measure) -> Result<bool, String> {
    let status = Command::new(&arguments.command[0])
        .args(&arguments.command[1..])
        .stdout(Stdio::null())
        .status()
        .map_err(|error| error.to_string())?;
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).map_err(|error| error.to_string())?;
    let user = usage.user_time();
    let micros = user.tv_sec() * 1_000_000 + user.tv_usec();
    let code = status.code().map_or("signal".to_string(), |code| code.to_string());
    fs::write(&arguments.report, format!("{code} {micros} {}\n", usage.max_rss()))
        .map_err(|error| error.to_string())?;
    Ok(true)
}

fn load_one(
    file: &Path,
    proviso: &Path,
    models: &HashMap<String, String>,
    timeout: Duration,
) -> std::io::Result<Load> {
    let scratch = Scratch::new()?;
    let figures = scratch.path("figures");
    let wide =
        suffixes(file).find_map(|path| models.get(&path)).is_some_and(|model| model == "LP64");
    let mut command = Command::new(std::env::current_exe()?);
    command
        .arg("measure")
        .arg(&figures)
        .arg("--")
        .arg(proviso)
        .args(["cfa", "--format", "summary"]);
    command.arg(if wide { "--64" } else { "--32" }).arg(file);
    let ended = run(&mut command, &scratch, timeout)?;
    let bytes = fs::metadata(file)?.len();
    if ended.status.is_none() {
        let failure = Some("time limit".to_string());
        return Ok(Load { bytes, user_seconds: timeout.as_secs_f64(), peak_bytes: 0, failure });
    }
    let text = fs::read_to_string(&figures).unwrap_or_default();
    let mut words = text.split_whitespace();
    let code = words.next().unwrap_or("no figures").to_string();
    let micros: f64 = words.next().and_then(|word| word.parse().ok()).unwrap_or(0.0);
    let peak_kib: u64 = words.next().and_then(|word| word.parse().ok()).unwrap_or(0);
    let failure = match code.as_str() {
        "0" => None,
        "signal" => Some("ended by a signal".to_string()),
        _ => Some(message(&String::from_utf8_lossy(&ended.stderr))),
    };
    Ok(Load { bytes, user_seconds: micros / 1e6, peak_bytes: peak_kib * 1024, failure })
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            find(&path, files)?;
        } else if extension(&path).is_some() {
            files.push(path);
        }
    }
    Ok(())
}

/// The extension, if it is one of a language that Proviso reads.
fn extension(path: &Path) -> Option<&str> {
    let extension = path.extension()?.to_str()?;
    ["c", "i", "cfa", "theta", "pl"].contains(&extension).then_some(extension)
}

/// Data models by path, from a `manifest.tsv` in the folder or above it.
fn manifest(folder: &Path) -> HashMap<String, String> {
    let Ok(folder) = folder.canonicalize() else { return HashMap::new() };
    let text =
        folder.ancestors().find_map(|folder| fs::read_to_string(folder.join("manifest.tsv")).ok());
    text.unwrap_or_default()
        .lines()
        .filter_map(|line| {
            let columns: Vec<&str> = line.split('\t').collect();
            Some(((*columns.get(1)?).to_string(), (*columns.get(4)?).to_string()))
        })
        .collect()
}

/// The path and its ends, longest first: a manifest names files relative to a folder of its own.
fn suffixes(path: &Path) -> impl Iterator<Item = String> {
    let parts: Vec<String> =
        path.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    (0..parts.len()).map(move |start| parts[start..].join("/"))
}

fn report(arguments: &LoadCorpus, loads: &[(&PathBuf, Load)]) {
    let mut reasons: BTreeMap<&str, (usize, &Path)> = BTreeMap::new();
    let mut kinds: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (path, load) in loads {
        let kind = kinds.entry(extension(path).unwrap_or("")).or_default();
        kind.0 += 1;
        kind.1 += usize::from(load.failure.is_none());
        if let Some(failure) = &load.failure {
            reasons.entry(failure).or_insert((0, path)).0 += 1;
            if arguments.list {
                println!("{}: {failure}", path.display());
            }
        }
    }
    for (kind, (count, loaded)) in &kinds {
        println!(".{kind:<6} {loaded:>6} of {count}");
    }
    let mut sorted: Vec<_> = reasons.into_iter().collect();
    sorted.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
    for (reason, (count, example)) in sorted {
        println!("{count:>6}  {reason}  (such as {})", example.display());
    }
    let loaded: Vec<&Load> =
        loads.iter().map(|(_, load)| load).filter(|load| load.failure.is_none()).collect();
    let bytes: u64 = loaded.iter().map(|load| load.bytes).sum();
    let seconds: f64 = loaded.iter().map(|load| load.user_seconds).sum();
    let speed = if seconds > 0.0 { bytes as f64 / 1e6 / seconds } else { 0.0 };
    let peak = loaded
        .iter()
        .filter(|load| load.bytes > 1_000_000)
        .map(|load| load.peak_bytes as f64 / load.bytes as f64)
        .max_by(f64::total_cmp)
        .map_or("no file over 1 MB".to_string(), |ratio| {
            format!("peak memory at most {ratio:.1} times the size of a file over 1 MB")
        });
    let percent = 100.0 * loaded.len() as f64 / loads.len() as f64;
    let most = loaded.iter().map(|load| load.peak_bytes).max().unwrap_or(0);
    println!(
        "slowest file {:.2} s, most memory {} MB",
        loaded.iter().map(|l| l.user_seconds).fold(0.0, f64::max),
        most / 1_000_000
    );
    println!(
        "load-corpus: {} files, {} loaded ({percent:.2} %), {:.1} MB, {speed:.1} MB/s of user time, {peak}",
        loads.len(),
        loaded.len(),
        bytes as f64 / 1e6,
    );
}
