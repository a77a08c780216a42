//! What several test files use.

// Each test file uses a part of it.
#![allow(dead_code, missing_docs)]

pub mod formulas;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder that goes away with the test.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path =
            std::env::temp_dir().join(format!("proviso-smt-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder for the test");
        Self(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a script of the shell and gives the path to it.
    #[cfg(unix)]
    pub fn program(&self, name: &str, script: &str) -> String {
        let path = self.0.join(name);
        // Another process writes it: a test that starts a solver at this moment would hand its own
        // child what is open here, and nobody can run a file that is open for writing.
        let write = "printf '#!/bin/sh\\n%s\\n' \"$2\" > \"$1\" && chmod 755 \"$1\"";
        let written = std::process::Command::new("sh")
            .args(["-c", write, "sh"])
            .arg(&path)
            .arg(script)
            .status();
        assert!(written.is_ok_and(|status| status.success()), "a script for the test");
        path.display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
