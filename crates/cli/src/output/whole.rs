//! Files that are whole or not there: a reader finds the old or the new text, never a part of it.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::{cannot_write, name, tell};
use crate::exit::Exit;

/// A file that is written as a whole.
pub struct WholeFile {
    /// The name that the user gave.
    named: PathBuf,
    /// The file that the name leads to. It need not be there yet.
    file: PathBuf,
}

/// Files that the command has still to write before it ends.
static PROMISED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// How many links are followed, one after the other; the system follows as many.
const MOST_LINKS: usize = 40;

impl WholeFile {
    /// The file that a name leads to, over links. Whatever is there and is no regular file is refused: a folder, and
    /// a device or a pipe, which cannot be replaced as a whole.
    pub fn of(named: &Path) -> Result<Self, Exit> {
        let file = destination(named).map_err(|error| cannot_write(named, &error))?;
        Ok(Self { named: named.to_path_buf(), file })
    }

    /// A file that will be written at the end of a command. That it can be written is tried now, so that a long run
    /// is not in vain; what an earlier run has left there goes away, so that nobody takes it for the new one.
    pub fn promised(named: &Path) -> Result<Self, Exit> {
        let promised = Self::of(named)?;
        let tried = promised.begin().and_then(|(_, new)| fs::remove_file(new));
        let tried = tried.and_then(|()| match fs::remove_file(&promised.file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        });
        tried.map_err(|error| cannot_write(named, &error))?;
        promises().push(named.to_path_buf());
        Ok(promised)
    }

    /// The name that the user gave.
    pub fn named(&self) -> &Path {
        &self.named
    }

    /// Writes a text, or says that it cannot be written. A promise is then settled.
    pub fn finish(&self, text: &str) {
        if let Err(error) = self.write(text) {
            cannot_write(&self.named, &error);
        }
        self.settle();
    }

    /// Settles the promise if there is nothing to write, and the user was told so.
    pub fn settle(&self) {
        promises().retain(|named| *named != self.named);
    }

    /// Writes a text. The new file is made beside the one that it replaces, whose permissions it gets.
    pub fn write(&self, text: &str) -> io::Result<()> {
        let (mut out, new) = self.begin()?;
        let written = out.write_all(text.as_bytes()).and_then(|()| {
            if let Ok(known) = fs::metadata(&self.file) {
                out.set_permissions(known.permissions())?;
            }
            fs::rename(&new, &self.file)
        });
        if written.is_err() {
            let _ = fs::remove_file(&new);
        }
        written
    }

    /// The name of a file while it is being written. A run that is killed leaves it behind.
    pub fn unfinished(file: &Path) -> PathBuf {
        let mut name = file.as_os_str().to_owned();
        name.push(".new");
        PathBuf::from(name)
    }

    /// Makes the new file, empty, and gives its name, too.
    fn begin(&self) -> io::Result<(File, PathBuf)> {
        let new = Self::unfinished(&self.file);
        // A run that was killed may have left a file behind. If the name is a link, the link itself is removed.
        match fs::remove_file(&new) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let out = fs::OpenOptions::new().write(true).create_new(true).open(&new)?;
        Ok((out, new))
    }
}

fn promises() -> std::sync::MutexGuard<'static, Vec<PathBuf>> {
    PROMISED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Says which files a command that is ended now has not written.
pub fn tell_unwritten() {
    for named in promises().drain(..) {
        tell(&format!("warning: {} was not written: the run was ended before", name(&named)));
    }
}

/// Where a name leads over links, if that is a regular file or nothing yet.
fn destination(named: &Path) -> io::Result<PathBuf> {
    let mut file = named.to_path_buf();
    for _ in 0..MOST_LINKS {
        let known = match fs::symlink_metadata(&file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(file),
            known => known?,
        };
        if known.is_file() {
            return Ok(file);
        }
        if !known.is_symlink() {
            return Err(io::Error::other("it is not a regular file"));
        }
        // The system knows where links lead that have no path, such as the links to open files.
        if fs::metadata(&file).is_ok_and(|known| !known.is_file()) {
            return Err(io::Error::other("it leads to something that is not a regular file"));
        }
        let next = fs::read_link(&file)?;
        file = file.parent().unwrap_or(Path::new("")).join(next);
    }
    Err(io::Error::other("too many links lead to it"))
}
