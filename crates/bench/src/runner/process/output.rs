//! The output of a process: the end of it, however long it is.

use std::io::Read;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

/// How much of what a process writes is kept: the end, where the answer is.
const KEPT: usize = 1 << 16;

/// Reads to the end in a thread of its own and gives back the last part.
pub(super) fn listen(pipe: Option<impl Read + Send + 'static>) -> Option<Receiver<Vec<u8>>> {
    let mut pipe = pipe?;
    let (sender, receiver) = channel();
    thread::spawn(move || {
        // As large as a pipe is: a process that writes gigabytes costs few system calls.
        let (mut kept, mut buffer) = (Vec::new(), vec![0; 1 << 16]);
        while let Ok(count @ 1..) = pipe.read(&mut buffer) {
            kept.extend_from_slice(&buffer[..count]);
            if kept.len() > 2 * KEPT {
                kept.drain(..kept.len() - KEPT);
            }
        }
        // The receiver may be gone already.
        let _ = sender.send(kept);
    });
    Some(receiver)
}
