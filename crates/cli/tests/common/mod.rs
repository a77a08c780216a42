//! Runs of the binary on files in a folder of its own.

// Each test file uses a part of it.
#![allow(dead_code, missing_docs)]

pub mod formats;
pub mod graphml;
pub mod xml;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// Numbers that are mixed for ever, in a loop that goes round as often as it likes: no analysis says
/// that one of them is never reached. The function without a body has the run list an assumption
/// once the program is loaded.
pub const ENDLESS: &str = "
    extern void reach_error(void);
    extern int unknown(void);
    int main(void) {
      unsigned long long x = 1, y = 1;
      while (unknown()) {
        x = x * 6364136223846793005ULL + 1442695040888963407ULL;
        y = (y ^ (x >> 7)) * 2862933555777941757ULL;
        if (y == 0x123456789abcdefULL) reach_error();
      }
      return 0;
    }";

/// A program whose error the input 7 reaches.
pub const UNSAFE: &str = "\
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x == 7) reach_error();
    return 0;
}
";

/// A folder that goes away with the test.
pub struct Folder(PathBuf);

pub struct Done {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Done {
    pub fn last_line(&self) -> &str {
        self.out.lines().last().unwrap_or("")
    }
}

impl Folder {
    pub fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path =
            std::env::temp_dir().join(format!("proviso-cli-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder for the test");
        Self(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn with(self, name: &str, text: impl AsRef<[u8]>) -> Self {
        std::fs::write(self.0.join(name), text).expect("a file for the test");
        self
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).expect("a file of the test")
    }

    /// Runs the binary in the folder.
    pub fn run(&self, arguments: &[&str]) -> Done {
        let output = self.command(arguments).output().expect("the binary runs");
        Done {
            code: output.status.code().expect("an exit code"),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_proviso"));
        command.args(arguments).current_dir(&self.0).stdin(Stdio::null());
        command
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What the program of the folder prints as errors when it runs with a sanitizer of a compiler; nothing where
/// there is no such compiler, or the compiler has no such sanitizer.
pub fn sanitized(
    folder: &Folder,
    compiler: &str,
    sanitizer: &str,
    sources: &[&str],
) -> Option<String> {
    let build = Command::new(compiler)
        .args(["-O0", "-w", "-g", &format!("-fsanitize={sanitizer}"), "-fno-sanitize-recover=all"])
        .args(sources)
        .args(["-o", "program"])
        .current_dir(folder.path())
        .output()
        .ok()?;
    if !build.status.success() {
        return None;
    }
    let run = Command::new("./program").current_dir(folder.path()).output().ok()?;
    Some(String::from_utf8_lossy(&run.stderr).into_owned())
}

/// Whether a sanitizer has stopped the program that printed these errors.
pub fn is_stopped(errors: &str) -> bool {
    errors.contains("runtime error") || errors.contains("Sanitizer")
}
