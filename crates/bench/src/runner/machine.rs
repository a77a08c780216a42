//! What a reader of results wants to know about the machine.

use std::fs;

use super::process::Cgroups;

/// The machine in a few words, and how limits are enforced on it; `cgroups` says whether control groups are wanted.
#[must_use]
pub fn describe(cgroups: bool) -> String {
    let line = |file: &str, key: &str| {
        let text = fs::read_to_string(file).unwrap_or_default();
        let found = text.lines().find(|line| line.starts_with(key))?;
        Some(found.split_once(':')?.1.trim().to_owned())
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let model = line("/proc/cpuinfo", "model name").unwrap_or_else(|| "processors".to_owned());
    let memory = line("/proc/meminfo", "MemTotal").unwrap_or_default();
    let memory: u64 = memory.trim_end_matches(" kB").parse().unwrap_or_default();
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let held = match if cgroups { Cgroups::new() } else { Err(String::new()) } {
        Ok(groups) if groups.memory => "control groups",
        Ok(_) => "control groups for processor time, and a watcher for memory",
        Err(_) => "a watcher and limits of the kernel",
    };
    format!(
        "Machine: {cores} × {model}, {} GB, {} {}; limits held by {held}",
        memory / 1_000_000,
        std::env::consts::OS,
        kernel.trim()
    )
}
