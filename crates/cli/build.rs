//! Tells the program which commit it is built from.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=COMMIT");
    let version = std::env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let folder = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let version = match of_repository(Path::new(&folder)).or_else(of_archive) {
        Some(commit) => format!("{version} ({commit})"),
        None => version,
    };
    println!("cargo::rustc-env=PROVISO_VERSION={version}");
    let target = std::env::var("TARGET").unwrap_or_default();
    let features = std::env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    if target.ends_with("-linux-gnu") && !features.contains("crt-static") {
        // With fixed addresses, a run does not begin with relocating the program.
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}

/// The commit of the repository that this is a checkout of. One that merely has the folder in it is
/// not asked.
fn of_repository(folder: &Path) -> Option<String> {
    let root = folder.parent()?.parent()?;
    let top = git(root, &["rev-parse", "--show-toplevel"])?;
    if Path::new(&top).canonicalize().ok()? != root.canonicalize().ok()? {
        return None;
    }
    for name in ["HEAD", "logs/HEAD"] {
        let path = root.join(git(root, &["rev-parse", "--git-path", name])?);
        if path.exists() {
            println!("cargo::rerun-if-changed={}", path.display());
        }
    }
    git(root, &["log", "-1", "--format=%h %cs"])
}

/// The commit that `git archive` has written into the file (see `.gitattributes`).
fn of_archive() -> Option<String> {
    let text = std::fs::read_to_string("COMMIT").ok()?;
    let text = text.trim();
    (!text.is_empty() && !text.contains('$')).then(|| text.to_owned())
}

fn git(folder: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("-C").arg(folder).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let text = text.trim();
    (output.status.success() && !text.is_empty()).then(|| text.to_owned())
}
