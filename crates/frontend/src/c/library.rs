//! Models of functions of the C library, as C source.
//!
//! A file of these models is linked into a program that calls a function of the file without giving the function a
//! body. Each function is exact for all defined uses. The head of each file says what its models leave out: `errno` but
//! for numbers from text, locales other than "C", rounding modes other than to nearest (see `rounding.rs`).

/// The library models: (name of the file, text)
pub(super) const LIBRARY: &[(&str, &str)] = &[
    ("back.c", include_str!("library/back.c")),
    ("bits.c", include_str!("library/bits.c")),
    ("ctype.c", include_str!("library/ctype.c")),
    ("errno.c", include_str!("library/errno.c")),
    ("input.c", include_str!("library/input.c")),
    ("math.c", include_str!("library/math.c")),
    ("set.c", include_str!("library/set.c")),
    ("stdlib.c", include_str!("library/stdlib.c")),
    ("string.c", include_str!("library/string.c")),
    ("text.c", include_str!("library/text.c")),
];

/// The functions that the models define, sorted, with the file that each is in.
const FUNCTIONS: &[(&str, &str)] = &[
    ("__bzero", "string.c"),
    ("__errno_location", "errno.c"),
    ("__mempcpy", "string.c"),
    ("__proviso_are_set", "set.c"),
    ("__proviso_refuse_back", "back.c"),
    ("__proviso_scan", "input.c"),
    ("__proviso_set_errno", "errno.c"),
    ("__proviso_take_back", "back.c"),
    ("__proviso_text_byte", "text.c"),
    ("__proviso_text_bytes", "text.c"),
    ("__proviso_text_number", "text.c"),
    ("__proviso_text_space", "text.c"),
    ("__proviso_use_text", "set.c"),
    ("__rawmemchr", "string.c"),
    ("__stpcpy", "string.c"),
    ("__stpncpy", "string.c"),
    ("__strdup", "string.c"),
    ("__strndup", "string.c"),
    ("__strtok_r", "string.c"),
    ("abs", "stdlib.c"),
    ("atoi", "stdlib.c"),
    ("atol", "stdlib.c"),
    ("atoll", "stdlib.c"),
    ("bcmp", "string.c"),
    ("bcopy", "string.c"),
    ("bsearch", "stdlib.c"),
    ("bzero", "string.c"),
    ("difftime", "stdlib.c"),
    ("div", "stdlib.c"),
    ("explicit_bzero", "string.c"),
    ("ffs", "bits.c"),
    ("ffsl", "bits.c"),
    ("ffsll", "bits.c"),
    ("fgets", "input.c"),
    ("fread", "input.c"),
    ("frexp", "math.c"),
    ("frexpf", "math.c"),
    ("getdelim", "input.c"),
    ("getline", "input.c"),
    ("gets", "input.c"),
    ("htonl", "bits.c"),
    ("htons", "bits.c"),
    ("ilogb", "math.c"),
    ("ilogbf", "math.c"),
    ("imaxabs", "stdlib.c"),
    ("imaxdiv", "stdlib.c"),
    ("index", "string.c"),
    ("isalnum", "ctype.c"),
    ("isalpha", "ctype.c"),
    ("isascii", "ctype.c"),
    ("isblank", "ctype.c"),
    ("iscntrl", "ctype.c"),
    ("isdigit", "ctype.c"),
    ("isgraph", "ctype.c"),
    ("islower", "ctype.c"),
    ("isprint", "ctype.c"),
    ("ispunct", "ctype.c"),
    ("isspace", "ctype.c"),
    ("isupper", "ctype.c"),
    ("isxdigit", "ctype.c"),
    ("labs", "stdlib.c"),
    ("ldexp", "math.c"),
    ("ldexpf", "math.c"),
    ("ldiv", "stdlib.c"),
    ("llabs", "stdlib.c"),
    ("lldiv", "stdlib.c"),
    ("llrint", "math.c"),
    ("llrintf", "math.c"),
    ("llround", "math.c"),
    ("llroundf", "math.c"),
    ("logb", "math.c"),
    ("logbf", "math.c"),
    ("lrint", "math.c"),
    ("lrintf", "math.c"),
    ("lround", "math.c"),
    ("lroundf", "math.c"),
    ("memccpy", "string.c"),
    ("memchr", "string.c"),
    ("memcmp", "string.c"),
    ("memmem", "string.c"),
    ("mempcpy", "string.c"),
    ("memrchr", "string.c"),
    ("modf", "math.c"),
    ("modff", "math.c"),
    ("nextafter", "math.c"),
    ("nextafterf", "math.c"),
    ("ntohl", "bits.c"),
    ("ntohs", "bits.c"),
    ("qsort", "stdlib.c"),
    ("rawmemchr", "string.c"),
    ("read", "input.c"),
    ("recv", "input.c"),
    ("remquo", "math.c"),
    ("remquof", "math.c"),
    ("rindex", "string.c"),
    ("scalbln", "math.c"),
    ("scalblnf", "math.c"),
    ("scalbn", "math.c"),
    ("scalbnf", "math.c"),
    ("stpcpy", "string.c"),
    ("stpncpy", "string.c"),
    ("strcasecmp", "string.c"),
    ("strcasestr", "string.c"),
    ("strcat", "string.c"),
    ("strchr", "string.c"),
    ("strchrnul", "string.c"),
    ("strcmp", "string.c"),
    ("strcoll", "string.c"),
    ("strcpy", "string.c"),
    ("strcspn", "string.c"),
    ("strdup", "string.c"),
    ("strlen", "string.c"),
    ("strncasecmp", "string.c"),
    ("strncat", "string.c"),
    ("strncmp", "string.c"),
    ("strncpy", "string.c"),
    ("strndup", "string.c"),
    ("strnlen", "string.c"),
    ("strpbrk", "string.c"),
    ("strrchr", "string.c"),
    ("strsep", "string.c"),
    ("strspn", "string.c"),
    ("strstr", "string.c"),
    ("strtoimax", "stdlib.c"),
    ("strtok", "string.c"),
    ("strtok_r", "string.c"),
    ("strtol", "stdlib.c"),
    ("strtoll", "stdlib.c"),
    ("strtoq", "stdlib.c"),
    ("strtoul", "stdlib.c"),
    ("strtoull", "stdlib.c"),
    ("strtoumax", "stdlib.c"),
    ("strtouq", "stdlib.c"),
    ("swab", "string.c"),
    ("toascii", "ctype.c"),
    ("tolower", "ctype.c"),
    ("toupper", "ctype.c"),
    ("ungetc", "back.c"),
];

/// The name of the library file that defines a function.
pub(super) fn file_of(function: &str) -> Option<&'static str> {
    let found = FUNCTIONS.binary_search_by_key(&function, |(name, _)| name).ok()?;
    Some(FUNCTIONS[found].1)
}

/// Whether a function reads from a file. Programs may have functions of these names without a body
/// that mean something else.
pub(super) fn reads(function: &str) -> bool {
    file_of(function) == Some("input.c")
}

/// Whether a function says if a character is of a class.
pub(super) fn is_class(function: &str) -> bool {
    matches!(function.as_bytes(), [b'i', b's', ..]) && file_of(function) == Some("ctype.c")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The functions with external linkage that a text defines: those whose head starts a line and
    /// whose body is opened by a brace alone on a line.
    fn defined(text: &'static str) -> Vec<&'static str> {
        let mut names = Vec::new();
        let mut head = "";
        for line in text.lines() {
            if line == "{" && !head.starts_with("static ") {
                let before = head.split('(').next().unwrap_or_default();
                names.push(before.rsplit([' ', '*']).next().unwrap_or_default());
            }
            if !line.starts_with([' ', '{', '}', '/', '*']) && !line.is_empty() {
                head = line;
            }
        }
        names
    }

    #[test]
    fn the_table_agrees_with_the_texts() {
        let mut found: Vec<_> = LIBRARY
            .iter()
            .flat_map(|&(file, text)| defined(text).into_iter().map(move |name| (name, file)))
            .collect();
        found.sort_unstable();
        assert_eq!(found, FUNCTIONS);
    }

    #[test]
    fn functions_are_found_by_name() {
        assert_eq!(file_of("strlen"), Some("string.c"));
        assert_eq!(file_of("qsort"), Some("stdlib.c"));
        assert_eq!(file_of("lower"), None);
        assert_eq!(file_of("memcpy"), None);
        for (name, file) in FUNCTIONS {
            assert_eq!(file_of(name), Some(*file));
        }
    }

    #[test]
    fn the_texts_need_no_header() {
        for (file, text) in LIBRARY {
            assert!(!text.contains("#"), "{file} has a directive");
        }
    }
}
