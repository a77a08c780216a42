//! Requests for memory that fail as they did in the run.

/// The functions that ask for memory, with their parameters. The linker has the program call the harness's functions
/// in their place.
const ASKING: [(&str, &str, &str); 8] = [
    ("malloc", "unsigned long size", "size"),
    ("calloc", "unsigned long count, unsigned long size", "count, size"),
    ("realloc", "void *old, unsigned long size", "old, size"),
    ("valloc", "unsigned long size", "size"),
    ("memalign", "unsigned long align, unsigned long size", "align, size"),
    ("aligned_alloc", "unsigned long align, unsigned long size", "align, size"),
    ("strdup", "const char *from", "from"),
    ("strndup", "const char *from, unsigned long most", "from, most"),
];

/// The options for the linker, if a request fails.
pub(super) fn options(failing: &[bool]) -> String {
    if !failing.contains(&true) {
        return String::new();
    }
    ASKING.iter().map(|(name, ..)| format!(" -Wl,--wrap={name}")).collect()
}

/// The functions, if a request fails.
pub(super) fn write(failing: &[bool], text: &mut String) {
    if !failing.contains(&true) {
        return;
    }
    let list: Vec<&str> = failing.iter().map(|fails| if *fails { "1" } else { "0" }).collect();
    text.push_str(&format!(
        "\n/* Which requests for memory fail. */\nQUIET static int proviso_fails(void)\n{{\n    \
         static const char fails[] = {{ {} }};\n    static unsigned next;\n    \
         return next < {} && fails[next++];\n}}\n",
        list.join(", "),
        list.len()
    ));
    for (name, parameters, arguments) in ASKING {
        text.push_str(&format!(
            "extern void *__real_{name}({parameters});\n\
             QUIET void *__wrap_{name}({parameters})\n{{\n    \
             return proviso_fails() ? 0 : __real_{name}({arguments});\n}}\n"
        ));
    }
}
