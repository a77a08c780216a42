//! A C file that reproduces a counterexample: compiled together with the program it gives the
//! program the inputs of the run, and says when the error is reached.

mod allocation;
mod by_value;
mod globals;
mod literal;
mod order;
mod plan;
mod reading;
mod sanitizer;

use base::FileId;
use cfa::{Check, Program};
use verify::Counterexample;

use crate::Subject;
use crate::asserting::Macros;
use crate::execution::Execution;
use crate::source::{self, Target};
use crate::trace;
use literal::Scalar;
use plan::{Parameter, Plan};
use sanitizer::Sanitizer;

/// The exit code of a program that has reached its error.
const REACHED: u32 = 107;

/// The exit code of a program whose assumption failed.
const ASSUMPTION: u32 = 106;

/// The exit code of a program that asks for an input that the run does not have.
const BEYOND: u32 = 105;

/// Functions that the harness itself uses or defines, so that it must not define them for the program.
const OWN: [&str; 15] = [
    "write",
    "_exit",
    "exit",
    "calloc",
    "memcpy",
    "main",
    "abort",
    "malloc",
    "assume",
    "__VERIFIER_assert",
    "__VERIFIER_assume",
    "__CPROVER_assert",
    "__CPROVER_assume",
    "__ESBMC_assert",
    "__ESBMC_assume",
];

/// Assertion functions of other verifiers.
const ASSERTS: [&str; 3] = ["__VERIFIER_assert", "__CPROVER_assert", "__ESBMC_assert"];

/// The functions whose overflow the sanitizer does not see inside the C library.
const ABSOLUTE: &str = "\nWEAK int abs(int of) { return of < 0 ? -of : of; }\n\
                        WEAK long labs(long of) { return of < 0 ? -of : of; }\n\
                        WEAK long long llabs(long long of) { return of < 0 ? -of : of; }\n";

/// The text of `harness.c` for a counterexample of a C program.
#[must_use]
pub fn harness(
    program: &Program,
    subject: &Subject,
    found: &Counterexample,
    execution: &Execution,
) -> String {
    let mut plan = Plan::best(program, found, execution);
    plan.unordered = order::unordered(program, execution);
    let target = source::target(&Macros::of(program), found.error);
    let mut text = String::new();
    let place = trace::own_place(program, found, execution);
    let place = place.map_or_else(String::new, |span| program.sources.describe(span));
    head(program, subject, found, (&plan, &place), target, &mut text);
    frame(target, &plan.silent, &mut text);
    for (name, values) in &plan.functions {
        if !OWN.contains(&name.as_str()) {
            function(name, values, plan.longs, &mut text);
        }
    }
    plan.reading.write(&mut text);
    for name in plan.silent.iter().filter(|name| !OWN.contains(&name.as_str())) {
        text.push_str(&format!("WEAK int {name}(void) {{ return 0; }}\n"));
    }
    for name in &plan.beyond {
        text.push_str(&format!(
            "WEAK void {name}(void) {{ proviso_end(\"proviso: the run has no result of {name}\\n\", {BEYOND}); }}\n"
        ));
    }
    for (name, value) in &plan.variables {
        let scalar = Scalar::of(None, value, plan.longs);
        text.push_str(&format!(
            "WEAK_DATA {} {name}{} = {};\n",
            scalar.stored,
            scalar.suffix,
            scalar.initialiser()
        ));
    }
    for object in &plan.objects {
        text.push_str(&format!(
            "WEAK_DATA unsigned char {}[{}] __attribute__((aligned({}))) = {{ {} }};\n",
            object.name,
            object.size.max(1),
            object.align,
            row(&object.bytes)
        ));
    }
    allocation::write(&plan.failing, &mut text);
    // The address sanitizer brings a `malloc` of its own.
    let fault = program.cfa.locations[found.error].fault;
    if plan.fills_heap && !fault.is_some_and(|fault| sanitizer::of(fault).is_of_memory) {
        text.push_str(&format!(
            "\n/* The run reads memory of the heap that was not set. */\n\
             extern void *calloc(unsigned long, unsigned long);\n\
             WEAK void *malloc(unsigned long size)\n{{\n    unsigned char *bytes = calloc(1, size);\n    \
             for (unsigned long at = 0; at < size; at++)\n        bytes[at] = {};\n    return bytes;\n}}\n",
            plan.fill
        ));
    }
    if fault.is_some_and(|fault| fault.check() == Some(Check::Overflow)) {
        text.push_str(ABSOLUTE);
    }
    globals::write(&plan.held, &mut text);
    start(subject, &plan, &mut text);
    text
}

/// How the program is built together with the harness.
struct Built {
    /// Commands that build files by themselves.
    before: String,
    /// The words of the last command that name the files, with what the compiler must be told of them.
    words: String,
}

/// Files that need different compiler options are built one by one, other files all at once.
fn built(program: &Program, subject: &Subject, compiler: &str, harness: &str) -> Built {
    let word = |word: &String| {
        let mut odd = subject.odd_names.iter();
        let bytes = odd.find(|(shown, _)| shown == word).map(|(_, bytes)| bytes);
        bytes.map_or_else(|| quoted(word), |bytes| quoted_bytes(bytes))
    };
    let line = |words: &[String]| words.iter().map(word).collect::<Vec<_>>().join(" ");
    let file_words = |file: FileId| match program.sources.path(file) {
        base::STDIN => vec!["-x".to_owned(), "c".to_owned(), "-".to_owned()],
        path => vec![path.to_owned()],
    };
    // gcc 12 calls the standard `c2x`, and later versions still take this name.
    let known = |option: &String| option.replace("-std=c23", "-std=c2x");
    let options: Vec<Vec<String>> =
        subject.options.iter().map(|words| words.iter().map(known).collect()).collect();
    let (mut before, mut words) = (String::new(), vec![format!("{harness}.c")]);
    if options.windows(2).all(|both| both[0] == both[1]) {
        words.extend(options.into_iter().next().unwrap_or_default());
        words.extend(subject.files.iter().flat_map(|file| file_words(*file)));
    } else {
        for (at, (file, mut own)) in subject.files.iter().zip(options).enumerate() {
            let object = format!("{harness}-{}.o", at + 1);
            own.extend(file_words(*file));
            own.extend(["-o".to_owned(), object.clone()]);
            before.push_str(&format!("{compiler} -c {} && ", line(&own)));
            words.push(object);
        }
    }
    words.extend(["-o".to_owned(), harness.to_owned()]);
    Built { before, words: line(&words) }
}

/// The comment at the top: how to use the file, and what it cannot do.
fn head(
    program: &Program,
    subject: &Subject,
    found: &Counterexample,
    (plan, place): (&Plan, &str),
    target: Option<Target<'_>>,
    text: &mut String,
) {
    let sanitizer = program.cfa.locations[found.error].fault.map(sanitizer::of);
    let command = command(program, subject, plan, sanitizer.as_ref());
    let place = place.replace("*/", "* /");
    let claim = match plan.undriven.is_empty() {
        true => format!("Reproduces the error at {place}."),
        false => {
            format!("May reproduce the error at {place}: some values cannot be set, see below.")
        }
    };
    text.push_str(&format!(
        "/*\n{claim} Build and run it, where the check was run, with\n\n{command}\n\n"
    ));
    let end = match sanitizer {
        Some(sanitizer) => sanitizer.told,
        None => told_end(program, target),
    };
    for line in remarks(program, subject, plan, target, end) {
        // A name must not end the comment.
        text.push_str(line.replace("*/", "* /").trim_end());
        text.push('\n');
    }
    text.push_str("*/\n\n");
}

/// The command that builds the harness with the program, and runs it.
fn command(
    program: &Program,
    subject: &Subject,
    plan: &Plan,
    sanitizer: Option<&Sanitizer>,
) -> String {
    let model = if program.cfa.address_width == 32 { "-m32 -msse2 -mfpmath=sse" } else { "-m64" };
    let filled = match (plan.fills_stack, plan.fill) {
        (false, _) => "",
        (true, 0) => " -ftrivial-auto-var-init=zero",
        (true, _) => " -ftrivial-auto-var-init=pattern",
    };
    // The sanitizer finds no overflow if the option `-fwrapv` defines overflow, so the two are not combined.
    let meaning = match sanitizer.and_then(|sanitizer| sanitizer.options) {
        Some(options) => format!("{options} -fno-sanitize-recover=all"),
        None => "-fwrapv".to_owned(),
    };
    let harness = match subject.folder.as_str() {
        "" => "harness".to_owned(),
        folder => format!("{}/harness", folder.trim_end_matches('/')),
    };
    // A shell looks for a command without a folder in `PATH` only.
    let run = if harness.contains('/') { harness.clone() } else { format!("./{harness}") };
    let setting = match sanitizer.is_some_and(|sanitizer| sanitizer.is_of_memory) {
        true => "ASAN_OPTIONS=detect_stack_use_after_return=1 ",
        false => "",
    };
    let compiler = format!(
        "gcc {model} -O0 -w {meaning} -fno-strict-aliasing{filled} -fno-builtin \
         -frounding-math -finstrument-functions -no-pie"
    );
    let built = built(program, subject, &compiler, &harness);
    format!(
        "{}{compiler} -Wl,--unresolved-symbols=ignore-all{} {} -lm && {setting}{}",
        built.before,
        allocation::options(&plan.failing),
        built.words,
        quoted(&run)
    )
}

/// The lines of text below the command: how the run ends, and what the harness cannot do.
fn remarks(
    program: &Program,
    subject: &Subject,
    plan: &Plan,
    target: Option<Target<'_>>,
    end: String,
) -> Vec<String> {
    let mut lines = vec![
        end,
        "The options from -fno-builtin on find a reach_error that the program defines itself, and"
            .to_owned(),
        "leave out what the program declares and this run does not need; often `gcc harness.c` and"
            .to_owned(),
        "the program will do.".to_owned(),
    ];
    if subject.files.iter().any(|file| program.sources.path(*file) == base::STDIN) {
        lines.push(String::new());
        lines.push(
            "The check has read the program from standard input, and so does gcc.".to_owned(),
        );
    }
    let is_unnamed = |path: &str| path.contains(char::REPLACEMENT_CHARACTER);
    if subject.files.iter().any(|file| is_unnamed(program.sources.path(*file))) {
        lines.push(String::new());
        lines.push(
            "The name of a file of the program is not UTF-8, so that the command cannot name this file."
                .to_owned(),
        );
        lines.push("Write its name in the place of the one that has the sign \u{fffd}.".to_owned());
    }
    if is_static(program, &subject.entry) {
        lines.push(String::new());
        lines.push(format!(
            "`{}` is static. Take the word away where the function is defined, and build then:",
            subject.entry
        ));
        lines.push("another file cannot call it otherwise.".to_owned());
    }
    if let Some(Target::Label(name)) = target {
        lines.push(String::new());
        lines.push(format!(
            "The error is the label `{name}`. It can be seen from here only if a call of"
        ));
        lines.push("reach_error follows; otherwise set a breakpoint there.".to_owned());
    }
    if let Some(span) = plan.unordered {
        lines.push(String::new());
        lines.push(format!(
            "C leaves open in which order the inputs at {} are asked for. The values below",
            program.sources.describe(span)
        ));
        lines.push(
            "are in the order from left to right; a compiler that takes another one may miss the error."
                .to_owned(),
        );
    }
    if !plan.undriven.is_empty() {
        lines.push(String::new());
        lines.push("These values of the run cannot be set from here:".to_owned());
        lines.extend(plan.undriven.iter().map(|what| format!("  {what}")));
    }
    if plan.undriven.iter().any(|what| what.starts_with("a device ") || what.starts_with("device "))
    {
        lines.push(
            "A device is not there when this runs, so the program ends by a fault where it"
                .to_owned(),
        );
        lines.push("accesses one, and the error is not reached.".to_owned());
    }
    lines
}

/// How a run that reaches the error ends, in words.
fn told_end(program: &Program, target: Option<Target<'_>>) -> String {
    let is_own = |name: &str| {
        let mut named = program.cfa.functions.iter().filter(|function| &*function.name == name);
        named.any(|function| function.span.is_some())
    };
    match target {
        Some(Target::Call(name)) if ASSERTS.contains(&name) && is_own(name) => {
            format!("When the error is reached it ends as the program's own `{name}` does.")
        }
        Some(Target::Label(_)) => format!(
            "If a call of reach_error follows the error, it says so on standard error and exits with {REACHED}."
        ),
        _ => format!(
            "When the error is reached it says so on standard error and exits with {REACHED}."
        ),
    }
}

/// A word of a command line, for a shell and within a comment of C.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./,=+:@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    let mut text = String::new();
    for c in word.chars() {
        match c {
            '\'' => text.push_str("'\\''"),
            // The command stands in a C comment, which `*/` would end. So quotes come between the two characters; the
            // shell joins the pieces again.
            '/' if text.ends_with('*') => text.push_str("''/"),
            '*' if text.ends_with('/') => text.push_str("''*"),
            c if base::is_active(c) => text.push_str(&format!("'$'\\u{:04x}''", u32::from(c))),
            c => text.push(c),
        }
    }
    format!("'{text}'")
}

/// A word of a command line that is not all text: the bytes that are no text are written out one by one.
fn quoted_bytes(word: &[u8]) -> String {
    let mut text = String::new();
    for chunk in word.utf8_chunks() {
        if !chunk.valid().is_empty() {
            text.push_str(&quoted(chunk.valid()));
        }
        for byte in chunk.invalid() {
            text.push_str(&format!("$'\\x{byte:02x}'"));
        }
    }
    text
}

/// What every harness has. Error functions that the property leaves out are among those that do nothing.
fn frame(target: Option<Target<'_>>, silent: &[String], text: &mut String) {
    let mut errors = vec!["reach_error", "__VERIFIER_error"];
    errors.retain(|name| !silent.iter().any(|other| other == name));
    if let Some(Target::Call(name)) = target
        && !errors.contains(&name)
        && !matches!(name, "assert" | "__assert_fail")
        && !ASSERTS.contains(&name)
    {
        errors.push(name);
    }
    text.push_str(&format!(
        "#define WEAK __attribute__((weak, no_instrument_function))\n\
         #define WEAK_DATA __attribute__((weak))\n\
         #define QUIET __attribute__((no_instrument_function))\n\n\
         extern long write(int, const void *, unsigned long);\n\
         extern void _exit(int);\n\n\
         QUIET static void proviso_end(const char *message, int code)\n{{\n\
         \x20   unsigned long length = 0;\n\
         \x20   while (message[length])\n\
         \x20       length++;\n\
         \x20   write(2, message, length);\n\
         \x20   _exit(code);\n}}\n\n\
         QUIET static void proviso_reached(void) {{ proviso_end(\"proviso: error reached\\n\", {REACHED}); }}\n\n"
    ));
    for name in &errors {
        text.push_str(&format!("WEAK void {name}(void) {{ proviso_reached(); }}\n"));
    }
    text.push_str(
        "WEAK void __assert_fail(const char *what, const char *file, unsigned int line, const char *function)\n\
         {\n    proviso_reached();\n}\n\n\
         /* Where the program has an error function of its own, its calls are seen here. */\n\
         QUIET void __cyg_profile_func_enter(void *function, void *site)\n{\n",
    );
    for name in &errors {
        text.push_str(&format!(
            "    if (function == (void *){name})\n        proviso_reached();\n"
        ));
    }
    text.push_str("}\n");
    text.push_str("QUIET void __cyg_profile_func_exit(void *function, void *site) {}\n\n");
    for name in ASSERTS {
        text.push_str(&format!(
            "WEAK void {name}(int holds)\n{{\n    if (!holds)\n        proviso_reached();\n}}\n"
        ));
    }
    for name in ["__VERIFIER_assume", "__CPROVER_assume", "__ESBMC_assume", "assume"] {
        text.push_str(&format!(
            "WEAK void {name}(int holds)\n{{\n    if (!holds)\n        \
             proviso_end(\"proviso: an assumption failed\\n\", {ASSUMPTION});\n}}\n"
        ));
    }
    text.push_str(
        "WEAK void __VERIFIER_atomic_begin(void) {}\nWEAK void __VERIFIER_atomic_end(void) {}\n\n",
    );
}

/// A function that returns what it returned in the run.
fn function(name: &str, values: &[term::Value], longs: u32, text: &mut String) {
    let scalars: Vec<Scalar> =
        values.iter().map(|value| Scalar::of(Some(name), value, longs)).collect();
    let Some(first) = scalars.first() else { return };
    let count = scalars.len();
    let mut table = String::new();
    for (at, scalar) in scalars.iter().enumerate() {
        table.push_str(if at % 8 == 0 { "\n        " } else { " " });
        table.push_str(&format!("{},", scalar.initialiser()));
    }
    let ty = first.ty;
    // `time` also stores its result. `fopen` and the like give a real file, since the program may hand it to functions
    // of the C library.
    let (parameters, store) = match name {
        "fopen" | "fdopen" | "freopen" | "popen" => {
            text.push_str("extern void *tmpfile(void);\n");
            let file = "    if (result)\n        result = (unsigned long)tmpfile();\n";
            ("void".to_owned(), file)
        }
        // The process keeps its number.
        "getpid" => ("void".to_owned(), "    next = 0;\n"),
        "time" => (format!("{ty} *where"), "    if (where)\n        *where = result;\n"),
        _ => ("void".to_owned(), ""),
    };
    text.push_str(&format!(
        "WEAK {ty} {name}({parameters})\n{{\n    static const {stored} values[]{suffix} = {{{table}\n    }};\n    \
         static unsigned next;\n    {ty} result = 0;\n    if (next < {count})\n        {take};\n{store}    return result;\n}}\n\n",
        stored = first.stored,
        suffix = first.suffix,
        take = first.take(),
    ));
}

/// Whether only its own file can call a function.
fn is_static(program: &Program, name: &str) -> bool {
    let function = program.cfa.functions.iter().find(|function| &*function.name == name);
    let span = function.and_then(|function| function.span);
    span.is_some_and(|span| program.cfa.c_types.is_internal(span))
}

/// The initialiser of bytes.
fn row(bytes: &[u8]) -> String {
    let bytes: Vec<String> = bytes.iter().map(u8::to_string).collect();
    if bytes.is_empty() { "0".to_owned() } else { bytes.join(", ") }
}

/// Starts the program with the arguments of the run, if it has some.
fn start(subject: &Subject, plan: &Plan, text: &mut String) {
    if subject.entry != "main" {
        let mut parameters = Vec::new();
        let mut arguments = Vec::new();
        let mut result = "int";
        text.push('\n');
        for (index, parameter) in plan.parameters.iter().enumerate() {
            match parameter {
                Parameter::Value(_, Some(value)) => {
                    let scalar = Scalar::of(None, value, plan.longs);
                    parameters.push(scalar.ty.to_owned());
                    arguments.push(scalar.initialiser());
                }
                Parameter::Value(_, None) => {
                    parameters.push("long".to_owned());
                    arguments.push("0".to_owned());
                }
                Parameter::Object { size, align, bytes, .. } => {
                    text.push_str(&format!(
                        "static unsigned char proviso_object{index}[{size}] \
                         __attribute__((aligned({align}))) = {{ {} }};\n",
                        row(bytes)
                    ));
                    parameters.push("void *".to_owned());
                    arguments.push(format!("proviso_object{index}"));
                }
                Parameter::Structure { passed, bytes, .. } => {
                    let name = format!("proviso_structure{index}");
                    text.push_str(&passed.declare(&name));
                    text.push_str(&format!(
                        "static union {{ unsigned char bytes[{}]; struct {name} whole; }} \
                         proviso_object{index} = {{ {{ {} }} }};\n",
                        passed.size(),
                        row(bytes)
                    ));
                    parameters.push(format!("struct {name}"));
                    arguments.push(format!("proviso_object{index}.whole"));
                }
                Parameter::Result(passed) => {
                    text.push_str(&passed.declare("proviso_result"));
                    result = "struct proviso_result";
                }
            }
        }
        let parameters =
            if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
        text.push_str(&format!(
            "\nextern void exit(int);\nextern {result} {entry}({parameters});\n\
             WEAK int main(void) {{ return 0; }}\n\
             __attribute__((constructor, no_instrument_function)) static void proviso_start(void)\n\
             {{\n    {entry}({});\n    exit(0);\n}}\n",
            arguments.join(", "),
            entry = subject.entry,
        ));
        return;
    }
    let Some(arguments) = &plan.arguments else { return };
    let mut names = Vec::new();
    text.push('\n');
    for index in 0..arguments.count.min(64) {
        let bytes = arguments.strings.get(index as usize).map_or(&[][..], Vec::as_slice);
        let mut bytes: Vec<String> = bytes.iter().map(u8::to_string).collect();
        bytes.push("0".to_owned());
        text.push_str(&format!(
            "static char proviso_argument{index}[16] = {{ {} }};\n",
            bytes.join(", ")
        ));
        names.push(format!("proviso_argument{index}"));
    }
    names.push("0".to_owned());
    text.push_str(&format!(
        "extern void exit(int);\nextern int main(int, char **);\n\
         __attribute__((constructor, no_instrument_function)) static void proviso_start(void)\n\
         {{\n    static char *arguments[] = {{ {} }};\n    exit(main({}, arguments));\n}}\n",
        names.join(", "),
        arguments.count
    ));
}

#[cfg(test)]
mod tests {
    use super::{quoted, quoted_bytes};

    #[test]
    fn words_that_are_no_text_are_written_byte_by_byte() {
        assert_eq!(quoted_bytes(b"caf\xe9 1.c"), "caf$'\\xe9'' 1.c'");
        assert_eq!(quoted_bytes(b"\xff"), "$'\\xff'");
    }

    #[test]
    fn words_are_quoted_for_shells_and_comments() {
        assert_eq!(quoted("a/b-1.c"), "a/b-1.c");
        assert_eq!(quoted("my file.c"), "'my file.c'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted("a*/b"), "'a*''/b'");
        assert_eq!(quoted("a\nb"), "'a'$'\\u000a''b'");
        assert_eq!(quoted(""), "''");
    }
}
