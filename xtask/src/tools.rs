//! The programs that the comparisons need: gcc with both data models, csmith, and Proviso.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::process::{Scratch, run};

/// One data model as the tools name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    pub name: &'static str,
    /// gcc's flags. SSE keeps floats from excess precision on the 32-bit target.
    pub gcc: &'static [&'static str],
    /// Proviso's flag.
    pub proviso: &'static str,
    pub pointer_bytes: u32,
}

/// Both data models.
pub const TARGETS: [Target; 2] = [
    Target { name: "m64", gcc: &["-m64"], proviso: "--64", pointer_bytes: 8 },
    Target {
        name: "m32",
        gcc: &["-m32", "-msse2", "-mfpmath=sse"],
        proviso: "--32",
        pointer_bytes: 4,
    },
];

/// What makes gcc's output the meaning that Proviso gives to a program: signed overflow wraps,
/// types do not restrict aliasing, floats are rounded at each operation.
pub const GCC_FLAGS: [&str; 5] =
    ["-O0", "-fwrapv", "-fno-strict-aliasing", "-w", "-ffp-contract=off"];

/// The root of the workspace.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// The binary to test: the given one, or a release build made now.
pub fn proviso(given: Option<&Path>) -> Result<PathBuf, String> {
    if let Some(path) = given {
        return path.canonicalize().map_err(|error| format!("{}: {error}", path.display()));
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--release", "--package", "proviso"])
        .current_dir(root())
        .status()
        .map_err(|error| format!("cannot start cargo: {error}"))?;
    if !status.success() {
        return Err("cargo build --release --package proviso failed".into());
    }
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    Ok(root().join(target).join("release").join("proviso"))
}

/// Says what to install if gcc cannot compile and link for both data models.
pub fn need_gcc(scratch: &Scratch) -> Result<(), String> {
    let source = scratch.path("probe.c");
    std::fs::write(&source, "int printf(const char *, ...);\nint main(void) { return 0; }\n")
        .map_err(|error| error.to_string())?;
    for target in TARGETS {
        let mut command = Command::new("gcc");
        command.args(target.gcc).arg(&source).arg("-o").arg(scratch.path("probe"));
        let ended = run(&mut command, scratch, Duration::from_secs(60));
        if !ended.is_ok_and(|ended| ended.success()) {
            return Err(format!(
                "gcc -{} does not work here: install gcc and gcc-multilib (Debian: apt-get install gcc gcc-multilib)",
                target.name
            ));
        }
    }
    Ok(())
}

/// The folder of csmith's headers. Says what to install if csmith or its headers are missing.
pub fn need_csmith(scratch: &Scratch) -> Result<PathBuf, String> {
    let install = "install csmith and its headers (Debian: apt-get install csmith libcsmith-dev), or use --only own";
    let mut command = Command::new("csmith");
    // csmith leaves a file platform.info where it runs.
    command.arg("--version").current_dir(scratch.folder());
    run(&mut command, scratch, Duration::from_secs(20))
        .map_err(|_| format!("csmith does not start here: {install}"))?;
    let given = std::env::var_os("CSMITH_HOME").map(|home| PathBuf::from(home).join("include"));
    let usual = [
        "/usr/include/csmith",
        "/usr/include/csmith-2.3.0",
        "/usr/local/include/csmith",
        "/usr/local/include",
    ];
    given
        .into_iter()
        .chain(usual.iter().map(PathBuf::from))
        .find(|folder| folder.join("csmith.h").exists())
        .ok_or_else(|| {
            format!("csmith.h is not found (CSMITH_HOME is not set, or wrong): {install}")
        })
}
