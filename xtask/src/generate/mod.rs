//! Random C programs without undefined behaviour (but for signed overflow, which `-fwrapv`
//! defines), for what other generators avoid: bit-fields, unions, floats, odd widths, variable
//! length arrays, strings, `goto`. A program is put together from *scenarios*: small templates,
//! each around one corner of the language, filled with random types, constants and expressions.
//! After each scenario the program prints a running checksum under the scenario's name, so that
//! a difference in the output names the corner that it comes from.

mod calls;
mod control;
mod effects;
mod expr;
mod fields;
mod floats;
mod gnu;
mod initial;
mod integers;
mod library;
mod memory;
mod pointers;
mod program;
mod records;
mod soup;
mod text;
mod types;

pub use text::{fill, indent};
pub use types::{Float, INTS};

use clap::Args;

use base::Random;
use program::Gen;

/// `cargo xtask generate`
#[derive(Args, Clone, Debug)]
pub struct Generate {
    /// What programs are drawn from
    seed: u64,
    /// Which of them
    index: u64,
    /// Use these scenarios only
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    scenario: Vec<String>,
    /// How many scenarios
    #[arg(long)]
    count: Option<usize>,
    /// Include the standard headers instead of declaring what is used
    #[arg(long)]
    headers: bool,
    /// Also use rare extensions
    #[arg(long)]
    exotic: bool,
}

/// Prints a program.
pub fn run(arguments: &Generate) -> Result<bool, String> {
    if let Some(name) =
        arguments.scenario.iter().find(|name| !scenario_names().contains(&name.as_str()))
    {
        return Err(format!("no scenario {name}; there are: {}", scenario_names().join(", ")));
    }
    let options = Options {
        headers: arguments.headers,
        exotic: arguments.exotic,
        only: arguments.scenario.clone(),
        count: arguments.count,
    };
    print!("{}", program(arguments.seed, arguments.index, &options));
    Ok(true)
}

/// What a program may contain.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// `#include` the standard headers instead of declaring what is used.
    pub headers: bool,
    /// How many scenarios, instead of 3 to 7.
    pub count: Option<usize>,
    /// Only scenarios of these names, if there are any.
    pub only: Vec<String>,
    /// Whether there may also be scenarios that few programs need and few tools support.
    pub exotic: bool,
}

/// A template and how often it is used.
struct Scenario {
    name: &'static str,
    weight: u32,
    emit: fn(&mut Gen),
    exotic: bool,
}

const fn common(name: &'static str, weight: u32, emit: fn(&mut Gen)) -> Scenario {
    Scenario { name, weight, emit, exotic: false }
}

const fn exotic(name: &'static str, weight: u32, emit: fn(&mut Gen)) -> Scenario {
    Scenario { name, weight, emit, exotic: true }
}

const SCENARIOS: &[Scenario] = &[
    common("soup", 40, soup::soup),
    common("arithmetic", 10, integers::arithmetic),
    common("shifts", 8, integers::shifts),
    common("compound", 10, integers::compound),
    common("steps", 6, integers::steps),
    common("division", 5, integers::division),
    common("conversions", 6, integers::conversions),
    common("constants", 4, integers::constants),
    common("enums", 5, integers::enums),
    common("int128", 3, integers::int128),
    common("logic", 6, integers::logic),
    common("fields", 12, fields::fields),
    common("field_bytes", 8, fields::bytes),
    common("field_unions", 5, fields::unions),
    exotic("wide_fields", 2, fields::wide),
    exotic("enum_fields", 2, fields::enumerated),
    common("floats", 8, floats::arithmetic),
    common("float_conversions", 7, floats::conversions),
    common("float_print", 5, floats::printing),
    common("long_double", 4, floats::long_double),
    common("once", 8, effects::once),
    common("lifetimes", 6, effects::lifetimes),
    common("walk", 8, pointers::walk),
    common("pointers", 6, pointers::indirect),
    common("matrix", 6, pointers::matrix),
    exotic("pointer_integers", 2, pointers::integers),
    common("byte_view", 5, pointers::bytes),
    common("puns", 8, records::puns),
    common("structs", 8, records::structs),
    common("by_value", 7, records::by_value),
    common("packed", 5, records::packed),
    common("sizes", 5, records::sizes),
    common("initial", 8, initial::designated),
    common("addresses", 6, initial::addresses),
    common("literals", 6, initial::compound_literals),
    common("heap", 6, memory::heap),
    common("list", 5, memory::list),
    common("blocks", 5, memory::blocks),
    common("vla", 6, memory::variable_length),
    common("alloca", 3, memory::alloca),
    common("strings", 7, library::strings),
    common("formats", 5, library::formats),
    common("streams", 2, library::streams),
    exotic("more_library", 2, library::more),
    common("recursion", 6, calls::recursion),
    common("tables", 7, calls::tables),
    common("variadic", 6, calls::variadic),
    common("statics", 5, calls::statics),
    common("old_style", 3, calls::old_style),
    common("switches", 7, control::switches),
    common("gotos", 6, control::gotos),
    common("loops", 7, control::loops),
    common("algorithms", 8, control::algorithms),
    common("gnu", 6, gnu::expressions),
    exotic("builtins", 2, gnu::builtins),
    exotic("label_values", 1, gnu::label_values),
    exotic("generic", 2, gnu::generic),
];

/// The names of all scenarios.
pub fn scenario_names() -> Vec<&'static str> {
    SCENARIOS.iter().map(|s| s.name).collect()
}

/// The names of the scenarios that every program may contain.
pub fn common_names() -> Vec<&'static str> {
    SCENARIOS.iter().filter(|s| !s.exotic).map(|s| s.name).collect()
}

/// The program `index` of `seed`.
pub fn program(seed: u64, index: u64, options: &Options) -> String {
    let mut g = Gen {
        rng: Random::stream(seed, index),
        decls: String::new(),
        functions: String::new(),
        main: String::new(),
        next: 0,
    };
    let usable: Vec<&Scenario> = SCENARIOS
        .iter()
        .filter(|s| {
            if options.only.is_empty() {
                options.exotic || !s.exotic
            } else {
                options.only.iter().any(|name| name == s.name)
            }
        })
        .collect();
    let weights: Vec<u32> = usable.iter().map(|s| s.weight).collect();
    let usual = g.rng.range(3, 7) as usize;
    let count = options.count.unwrap_or(usual);
    for _ in 0..count {
        let scenario = usable[g.rng.weighted(&weights)];
        (scenario.emit)(&mut g);
    }
    let sums = ["(int)(sum & 127)", "(int)sum", "(unsigned char)sum", "sum >> 7 & 255"];
    let result = match g.rng.below(8) {
        0 => format!("exit({});", g.rng.pick(&sums)),
        // Without a return, main returns 0.
        1 => String::new(),
        _ => format!("return {};", g.rng.pick(&sums)),
    };
    let text = format!(
        "{}\n{}int main(void) {{\n{}printf(\"end %016llx\\n\", sum);\n{result}\n}}\n",
        g.decls, g.functions, g.main
    );
    format!("{}\n{}", prelude(&text, options), indent(&text))
}

/// Functions of the C library that a program may use without including a header.
const LIBRARY: &[(&str, &str)] = &[
    ("malloc", "void *malloc(size_t);"),
    ("calloc", "void *calloc(size_t, size_t);"),
    ("realloc", "void *realloc(void *, size_t);"),
    ("free", "void free(void *);"),
    ("exit", "void exit(int);"),
    ("memcpy", "void *memcpy(void *, const void *, size_t);"),
    ("memmove", "void *memmove(void *, const void *, size_t);"),
    ("memset", "void *memset(void *, int, size_t);"),
    ("memcmp", "int memcmp(const void *, const void *, size_t);"),
    ("memchr", "void *memchr(const void *, int, size_t);"),
    ("strlen", "size_t strlen(const char *);"),
    ("strcmp", "int strcmp(const char *, const char *);"),
    ("strncmp", "int strncmp(const char *, const char *, size_t);"),
    ("strcpy", "char *strcpy(char *, const char *);"),
    ("strncpy", "char *strncpy(char *, const char *, size_t);"),
    ("strcat", "char *strcat(char *, const char *);"),
    ("strncat", "char *strncat(char *, const char *, size_t);"),
    ("strchr", "char *strchr(const char *, int);"),
    ("strrchr", "char *strrchr(const char *, int);"),
    ("strstr", "char *strstr(const char *, const char *);"),
    ("abs", "int abs(int);"),
    ("labs", "long labs(long);"),
    ("atoi", "int atoi(const char *);"),
    ("strtol", "long strtol(const char *, char **, int);"),
    ("toupper", "int toupper(int);"),
    ("isdigit", "int isdigit(int);"),
    ("isalpha", "int isalpha(int);"),
    ("putchar", "int putchar(int);"),
    ("puts", "int puts(const char *);"),
    ("stdout", "extern struct _IO_FILE *stdout;"),
    ("stderr", "extern struct _IO_FILE *stderr;"),
    ("fprintf", "int fprintf(struct _IO_FILE *, const char *, ...);"),
    ("fputs", "int fputs(const char *, struct _IO_FILE *);"),
    ("fputc", "int fputc(int, struct _IO_FILE *);"),
    ("putc", "int putc(int, struct _IO_FILE *);"),
    ("fwrite", "size_t fwrite(const void *, size_t, size_t, struct _IO_FILE *);"),
    ("sprintf", "int sprintf(char *, const char *, ...);"),
    ("snprintf", "int snprintf(char *, size_t, const char *, ...);"),
    ("qsort", "void qsort(void *, size_t, size_t, int (*)(const void *, const void *));"),
];

/// What every program starts with: declarations and the checksum.
fn prelude(text: &str, options: &Options) -> String {
    let mut mixers = String::new();
    if text.contains("mixd(") {
        mixers += "static void mixd(double v) {\n    unsigned long long b = 99;\n    \
                   if (v == v) memcpy(&b, &v, sizeof v);\n    mix(b);\n}\n\n";
    }
    if text.contains("mixl(") {
        mixers += "static void mixl(long double v) {\n    unsigned char b[10] = { 7 };\n    \
                   if (v == v) memcpy(b, &v, sizeof b);\n    \
                   for (int i = 0; i < 10; i++) mix(b[i]);\n}\n\n";
    }
    let mut out = String::new();
    if options.headers {
        for header in ["ctype", "stdarg", "stddef", "stdint", "stdio", "stdlib", "string"] {
            out += &format!("#include <{header}.h>\n");
        }
    } else {
        out += "typedef __typeof__(sizeof(int)) size_t;\n";
        out += "typedef __typeof__((char *)0 - (char *)0) ptrdiff_t;\n";
        out += "int printf(const char *, ...);\n";
        for (name, declaration) in LIBRARY {
            if mentions(text, name) || mentions(&mixers, name) {
                out += declaration;
                out.push('\n');
            }
        }
    }
    out += "\nstatic unsigned long long sum = 14695981039346656037ULL;\nstatic int fuel = 200;\n\n";
    out += "static void mix(unsigned long long v) {\n    sum = (sum ^ v) * 1099511628211ULL;\n    \
            sum ^= sum >> 31;\n}\n\n";
    out += &mixers;
    out += "static void show(const char *tag) {\n    printf(\"%s %016llx\\n\", tag, sum);\n}\n";
    out
}

/// Whether `text` calls or names the function `name`.
fn mentions(text: &str, name: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(name)
        .any(|(at, _)| !text[..at].ends_with(word) && !text[at + name.len()..].starts_with(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scenario_writes_a_balanced_program() {
        for name in scenario_names() {
            for index in 0..30 {
                let options = Options { only: vec![name.into()], ..Options::default() };
                let text = program(1, index, &options);
                let (open, close) = (text.matches('{').count(), text.matches('}').count());
                // A brace may stand in a character constant, but then its partner does too.
                assert_eq!(open, close, "{name} {index}\n{text}");
            }
        }
    }

    #[test]
    fn a_program_depends_on_its_seed_and_index_alone() {
        let options = Options::default();
        assert_eq!(program(7, 3, &options), program(7, 3, &options));
        assert_ne!(program(7, 3, &options), program(7, 4, &options));
    }
}
