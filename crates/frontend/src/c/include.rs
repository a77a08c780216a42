//! Stub headers, which stand for the headers of the system when a C file with `#include` is loaded.
//!
//! The stub headers declare what programs use of the standard library, of POSIX and of threads, and follow the
//! data model through the macros that the preprocessor predefines (`__LP64__`, `__SIZE_TYPE__`, …).
//! Types, values and prototypes agree with those of Linux on x86 in ILP32 and LP64.

/// The stub headers, sorted: (name as in `#include <…>`, text)
const HEADERS: &[(&str, &str)] = &[
    ("alloca.h", include_str!("include/alloca.h")),
    ("arpa/inet.h", include_str!("include/arpa/inet.h")),
    ("assert.h", include_str!("include/assert.h")),
    ("bits/gnu.h", include_str!("include/bits/gnu.h")),
    ("bits/more.h", include_str!("include/bits/more.h")),
    ("bits/shared.h", include_str!("include/bits/shared.h")),
    ("bits/threads.h", include_str!("include/bits/threads.h")),
    ("complex.h", include_str!("include/complex.h")),
    ("ctype.h", include_str!("include/ctype.h")),
    ("errno.h", include_str!("include/errno.h")),
    ("fcntl.h", include_str!("include/fcntl.h")),
    ("fenv.h", include_str!("include/fenv.h")),
    ("float.h", include_str!("include/float.h")),
    ("gnu/stubs-32.h", include_str!("include/gnu/stubs-32.h")),
    ("inttypes.h", include_str!("include/inttypes.h")),
    ("iso646.h", include_str!("include/iso646.h")),
    ("limits.h", include_str!("include/limits.h")),
    ("locale.h", include_str!("include/locale.h")),
    ("malloc.h", include_str!("include/malloc.h")),
    ("math.h", include_str!("include/math.h")),
    ("memory.h", include_str!("include/memory.h")),
    ("netinet/in.h", include_str!("include/netinet/in.h")),
    ("pthread.h", include_str!("include/pthread.h")),
    ("sched.h", include_str!("include/sched.h")),
    ("semaphore.h", include_str!("include/semaphore.h")),
    ("setjmp.h", include_str!("include/setjmp.h")),
    ("signal.h", include_str!("include/signal.h")),
    ("stdalign.h", include_str!("include/stdalign.h")),
    ("stdarg.h", include_str!("include/stdarg.h")),
    ("stdatomic.h", include_str!("include/stdatomic.h")),
    ("stdbool.h", include_str!("include/stdbool.h")),
    ("stddef.h", include_str!("include/stddef.h")),
    ("stdint.h", include_str!("include/stdint.h")),
    ("stdio.h", include_str!("include/stdio.h")),
    ("stdlib.h", include_str!("include/stdlib.h")),
    ("stdnoreturn.h", include_str!("include/stdnoreturn.h")),
    ("string.h", include_str!("include/string.h")),
    ("strings.h", include_str!("include/strings.h")),
    ("sys/select.h", include_str!("include/sys/select.h")),
    ("sys/socket.h", include_str!("include/sys/socket.h")),
    ("sys/stat.h", include_str!("include/sys/stat.h")),
    ("sys/time.h", include_str!("include/sys/time.h")),
    ("sys/types.h", include_str!("include/sys/types.h")),
    ("sys/wait.h", include_str!("include/sys/wait.h")),
    ("time.h", include_str!("include/time.h")),
    ("unistd.h", include_str!("include/unistd.h")),
    ("wchar.h", include_str!("include/wchar.h")),
    ("wctype.h", include_str!("include/wctype.h")),
];

/// The text of a stub header, by the name that `#include` gives.
pub(super) fn header(name: &str) -> Option<&'static str> {
    let found = HEADERS.binary_search_by_key(&name, |(name, _)| name).ok()?;
    Some(HEADERS[found].1)
}

/// Whether a stub header declares a function.
pub(super) fn declares(function: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let is_declared = |line: &str| {
        let mut found = line.match_indices(function);
        !line.starts_with('#')
            && found.any(|(at, _)| {
                !line[..at].ends_with(is_part) && line[at + function.len()..].starts_with('(')
            })
    };
    HEADERS.iter().any(|(_, text)| text.lines().any(is_declared))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_declared_by_their_whole_names() {
        assert!(declares("strerror") && declares("sigwaitinfo") && declares("fread_unlocked"));
        assert!(!declares("strerro") && !declares("trerror") && !declares("FD_SET"));
    }

    #[test]
    fn headers_are_found_by_name() {
        assert!(HEADERS.is_sorted_by_key(|(name, _)| name));
        for (name, text) in HEADERS {
            assert_eq!(header(name), Some(*text));
        }
        assert!(header("sys/types.h").is_some());
        assert_eq!(header("types.h"), None);
        assert_eq!(header("csmith.h"), None);
    }

    #[test]
    fn headers_include_only_headers_that_are_here() {
        for (name, text) in HEADERS {
            for line in text.lines().filter(|line| line.starts_with("#include")) {
                let wanted = line.split(['<', '>']).nth(1).unwrap_or_default();
                assert!(header(wanted).is_some(), "{name} includes {wanted}");
            }
        }
    }

    #[test]
    fn conditions_are_closed() {
        for (name, text) in HEADERS {
            let count = |word| text.lines().filter(|line| line.starts_with(word)).count();
            assert_eq!(count("#if"), count("#endif"), "{name}");
        }
    }
}
