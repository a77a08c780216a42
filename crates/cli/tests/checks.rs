//! The checks on generated programs: pairs with and without a fault, whose truth the sanitizers of gcc and
//! clang tell.
//!
//! Without a compiler, or with one that has no sanitizers, the comparison with it is passed over with a
//! message, and only the answers that the generator knows are compared.

// Who reads the output of a test learns what it has passed over.
#![allow(clippy::print_stderr)]

mod common;

use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use base::Random;
use common::{Folder, is_stopped, sanitized};

/// A program and what is known of it.
struct Case {
    text: String,
    /// Whether an execution has the fault; the program reads no inputs, so that its run shows it.
    is_wrong: bool,
}

/// Makes a program of a class from a seed; it has the fault where that is asked for.
type Maker = fn(&mut Random, bool) -> String;

/// A class of faults: what is asked for, how FALSE is named, and the programs.
struct Class {
    check: &'static str,
    property: &'static str,
    makers: &'static [Maker],
    /// What gcc is told to look for; none where it cannot.
    gcc: Option<&'static str>,
    /// The same for clang.
    clang: Option<&'static str>,
}

/// Where a sanitizer sees less than there is: the compiler, words of the program, and the reason.
const UNSEEN: [(&str, &str, &str); 2] = [
    (
        "clang",
        "while (list->next)",
        "the address of the last node is still where a function kept it that has returned",
    ),
    ("gcc", "narrow = ", "it looks at conversions of floats only"),
];

const CLASSES: [Class; 9] = [
    Class {
        check: "div",
        property: "div",
        makers: &[divide_by_difference, divide_in_loop, remainder_of_call],
        gcc: Some("integer-divide-by-zero"),
        clang: Some("integer-divide-by-zero"),
    },
    Class {
        check: "overflow",
        property: "no-overflow",
        makers: &[sum_in_loop, product_of_two, negation, step_up],
        gcc: Some("signed-integer-overflow"),
        clang: Some("signed-integer-overflow"),
    },
    Class {
        check: "shift",
        property: "shift",
        makers: &[shift_by_variable, shift_into_sign, shift_negative],
        gcc: Some("shift"),
        clang: Some("shift"),
    },
    Class {
        check: "unsigned-overflow",
        property: "unsigned-overflow",
        makers: &[unsigned_sum, unsigned_down],
        gcc: None,
        clang: Some("unsigned-integer-overflow"),
    },
    Class {
        check: "conversion",
        property: "conversion",
        makers: &[float_to_integer, narrowed, sign_lost],
        gcc: Some("float-cast-overflow"),
        clang: Some("float-cast-overflow,implicit-conversion"),
    },
    Class {
        check: "deref",
        property: "valid-deref",
        makers: &[
            array_index,
            heap_index,
            used_after_free,
            null_member,
            copied_string,
            off_the_end,
            kept_by_function,
            written_constant,
            filled_block,
            jumped_out,
        ],
        gcc: Some("address,undefined"),
        clang: Some("address,undefined"),
    },
    Class {
        check: "free",
        property: "valid-free",
        makers: &[freed_twice, freed_in_the_middle, freed_local],
        gcc: Some("address"),
        clang: Some("address"),
    },
    Class {
        check: "leak",
        property: "valid-memcleanup",
        makers: &[one_not_freed, list_not_freed],
        gcc: Some("address"),
        clang: Some("address"),
    },
    Class {
        check: "uninitialised",
        property: "uninitialised",
        makers: &[
            set_in_one_branch,
            member_not_set,
            element_not_set,
            part_of_heap_not_set,
            value_not_given,
            byte_not_copied,
        ],
        gcc: None,
        clang: Some("memory"),
    },
];

/// How many pairs of programs there are for each check.
const PAIRS: u64 = 12;

fn kept_by_function(random: &mut Random, wrong: bool) -> String {
    let (value, depth) = (1 + random.below(9), random.below(3));
    let (inside, after) = if wrong { ("", "sum += *kept;") } else { ("sum += *kept;", "") };
    let leave = random.pick(&["", "goto out;", "break;"]);
    format!(
        "int *kept;\nvoid keep(int depth, int *p) {{\n    if (depth > 0)\n        keep(depth - 1, p);\n    \
         else\n        kept = p;\n}}\nint main(void) {{\n    int sum = 0;\n    do {{\n        \
         int x = {value};\n        keep({depth}, &x);\n        {inside}\n        {leave}\n    }} while (0);\n\
         out:\n    {after}\n    return sum & 1;\n}}\n"
    )
}

fn written_constant(random: &mut Random, wrong: bool) -> String {
    let n = 2 + random.below(6);
    let (at, kind) = (random.below(n), if wrong { "const " } else { "" });
    format!(
        "{kind}int table[{n}] = {{ 1 }};\nvoid set(int *p) {{\n    *p = 5;\n}}\nint main(void) {{\n    \
         set((int *)&table[{at}]);\n    return table[0] & 1;\n}}\n"
    )
}

fn filled_block(random: &mut Random, wrong: bool) -> String {
    let n = 3 + random.below(40);
    let more = u64::from(wrong);
    let copy = random.pick(&[
        "memset(p, 1, n + MORE)",
        "memcpy(p, q, n + MORE)",
        "memmove(p, q, n + MORE)",
    ]);
    let copy = copy.replace("MORE", &more.to_string());
    format!(
        "#include <stdlib.h>\n#include <string.h>\nvolatile unsigned length = {n};\nint main(void) {{\n    \
         unsigned n = length;\n    char *p = malloc(n), *q = calloc(n + 1, 1);\n    p[0] = 0;\n    {copy};\n    \
         int r = p[0];\n    free(p);\n    free(q);\n    return r & 1;\n}}\n"
    )
}

fn jumped_out(random: &mut Random, wrong: bool) -> String {
    let (n, value) = (2 + random.below(6), 1 + random.below(3));
    let at = if wrong { n } else { n - 1 };
    format!(
        "#include <setjmp.h>\njmp_buf buffer;\nint a[{n}];\nvoid leave(int depth) {{\n    if (depth > 0)\n        \
         leave(depth - 1);\n    longjmp(buffer, {value});\n}}\nint main(void) {{\n    \
         volatile int i = 0;\n    int r = setjmp(buffer);\n    if (r == 0) {{\n        i = {at};\n        \
         leave(2);\n    }}\n    return r == {value} ? a[i] : 0;\n}}\n"
    )
}

fn set_in_one_branch(random: &mut Random, wrong: bool) -> String {
    let (limit, rounds) = (random.below(5), 1 + random.below(4));
    // Set in no round, or in the first.
    let from = if wrong { limit + rounds } else { limit };
    format!(
        "int main(void) {{\n    int last, i;\n    for (i = {limit}; i < {limit} + {rounds}; i++)\n        \
         if (i >= {from})\n            last = i;\n    return last & 1;\n}}\n"
    )
}

fn member_not_set(random: &mut Random, wrong: bool) -> String {
    let (first, second) = if wrong { ("x", "y") } else { ("y", "y") };
    let value = random.below(100);
    format!(
        "struct point {{ int x, y; }};\nint main(void) {{\n    struct point p, q;\n    p.{first} = {value};\n    \
         q = p;\n    return q.{second} & 1;\n}}\n"
    )
}

fn element_not_set(random: &mut Random, wrong: bool) -> String {
    let n = 2 + random.below(6);
    let missing = if wrong { random.below(n) } else { n };
    format!(
        "static int any(const int *a, int n) {{\n    for (int i = 0; i < n; i++)\n        if (a[i] == 77)\n            \
         return 1;\n    return 0;\n}}\nint main(void) {{\n    int a[{n}];\n    for (int i = 0; i < {n}; i++)\n        \
         if (i != {missing})\n            a[i] = i;\n    return any(a, {n});\n}}\n"
    )
}

fn part_of_heap_not_set(random: &mut Random, wrong: bool) -> String {
    let n = 2 + random.below(6);
    let size = 4 * n;
    let made = if wrong { format!("malloc({size})") } else { format!("calloc({n}, 4)") };
    let copy = random.pick(&["memcpy(q, p, sizeof *p)", "*q = *p", "q->c = p->c, q->i = 3"]);
    // The last one copies a member that is not looked at.
    let copy = if wrong { copy.replace("q->i = 3", "q->i = p->i") } else { copy.to_owned() };
    format!(
        "#include <stdlib.h>\n#include <string.h>\nstruct s {{ char c; int i; }};\nint main(void) {{\n    \
         struct s *p = {made}, *q = malloc(sizeof *q);\n    p->c = {n};\n    {copy};\n    \
         int r = q->i == 77 ? 1 : 0;\n    free(p);\n    free(q);\n    return r;\n}}\n"
    )
}

fn value_not_given(random: &mut Random, wrong: bool) -> String {
    let limit = 1 + random.below(50);
    let argument = if wrong { limit } else { limit - 1 };
    format!(
        "int f(int x) {{\n    if (x < {limit})\n        return x;\n}}\nint main(void) {{\n    f({limit});\n    \
         if (f({argument}) == 77)\n        return 1;\n    return 0;\n}}\n"
    )
}

fn byte_not_copied(random: &mut Random, wrong: bool) -> String {
    let n = 2 + random.below(6);
    let (copied, looked_at) = if wrong { (n - 1, n - 1) } else { (n, n - 1) };
    format!(
        "int main(void) {{\n    char from[{n}], to[{n}];\n    for (int i = 0; i < {copied}; i++)\n        from[i] = 'a';\n    \
         for (int i = 0; i < {n}; i++)\n        to[i] = from[i];\n    if (to[{looked_at}] == 'z')\n        return 1;\n    \
         return 0;\n}}\n"
    )
}

fn divide_by_difference(random: &mut Random, wrong: bool) -> String {
    let a = 2 + random.below(90);
    let b = if wrong { a } else { a + 1 + random.below(5) };
    let op = random.pick(&["/", "%"]);
    format!("int main(void) {{\n    int a = {a}, b = {b};\n    return 7 {op} (a - b);\n}}\n")
}

fn divide_in_loop(random: &mut Random, wrong: bool) -> String {
    let (n, first) = (3 + random.below(6), i32::from(!wrong));
    format!(
        "int main(void) {{\n    unsigned sum = 0;\n    for (unsigned i = {first}; i < {n}; i++)\n        \
         sum += 100 / i;\n    return sum & 1;\n}}\n"
    )
}

fn remainder_of_call(random: &mut Random, wrong: bool) -> String {
    let (low, high) = (random.below(20), 30 + random.below(20));
    let argument = if wrong { low } else { high };
    format!(
        "static int over(int x) {{\n    return x > {low} ? x - {low} : 0;\n}}\nint main(void) {{\n    \
         long d = over({argument});\n    return (int)(1000 % d);\n}}\n"
    )
}

fn sum_in_loop(random: &mut Random, wrong: bool) -> String {
    let n = 4 + random.below(8);
    let largest = 2_147_483_647 / n;
    let each = if wrong { largest + 1 } else { largest };
    format!(
        "int main(void) {{\n    int sum = 0;\n    for (int i = 0; i < {n}; i++)\n        sum += {each};\n    \
         return sum == 0;\n}}\n"
    )
}

fn product_of_two(random: &mut Random, wrong: bool) -> String {
    let a = 40_000 + random.below(5_000);
    let b = if wrong { 2_147_483_647 / a + 1 } else { 2_147_483_647 / a };
    format!("int main(void) {{\n    int a = {a}, b = {b};\n    return (a * b) == 1;\n}}\n")
}

fn negation(random: &mut Random, wrong: bool) -> String {
    let by = if wrong { 0 } else { 1 + random.below(100) };
    let op = random.pick(&["-x", "x / -1", "x - 1 - (1 << 30)", "x * -1"]);
    let by = if op.starts_with("x - 1") && !wrong { by + (1 << 30) } else { by };
    format!(
        "int main(void) {{\n    int x = -2147483647 - 1 + {by};\n    int y = {op};\n    return y == 0;\n}}\n"
    )
}

fn step_up(random: &mut Random, wrong: bool) -> String {
    let step = random.pick(&["x++", "++x", "x += 1", "x = x + 1"]);
    let from = if wrong { "9223372036854775807L" } else { "9223372036854775806L" };
    format!("int main(void) {{\n    long x = {from};\n    {step};\n    return x == 0;\n}}\n")
}

fn shift_by_variable(random: &mut Random, wrong: bool) -> String {
    let by = if wrong { 32 + random.below(9) } else { random.below(32) };
    let op = random.pick(&["<<", ">>"]);
    format!(
        "int main(void) {{\n    unsigned one = 1;\n    int by = {by};\n    return (one {op} by) == 3;\n}}\n"
    )
}

fn shift_into_sign(random: &mut Random, wrong: bool) -> String {
    let bits = 2 + random.below(6);
    let by = if wrong { 31 - bits + 1 } else { 31 - bits };
    let value = (1 << bits) - 1;
    format!("int main(void) {{\n    int x = {value};\n    x <<= {by};\n    return x == 1;\n}}\n")
}

fn shift_negative(random: &mut Random, wrong: bool) -> String {
    let value = 1 + random.below(50);
    let sign = if wrong { "-" } else { "" };
    format!(
        "int main(void) {{\n    int x = {sign}{value};\n    return (x << 2) == 1 || (x >> 1) == 9;\n}}\n"
    )
}

fn unsigned_sum(random: &mut Random, wrong: bool) -> String {
    let part = 1 + random.below(1_000);
    let rest = 4_294_967_295 - part + u64::from(wrong);
    format!(
        "int main(void) {{\n    unsigned a = {part}u, b = {rest}u;\n    return a + b == 7;\n}}\n"
    )
}

fn unsigned_down(random: &mut Random, wrong: bool) -> String {
    let n = 2 + random.below(9);
    let condition = if wrong { "n-- > 0" } else { "n > 0 && n-- > 0" };
    format!(
        "int main(void) {{\n    unsigned n = {n};\n    while ({condition})\n        ;\n    return 0;\n}}\n"
    )
}

fn float_to_integer(random: &mut Random, wrong: bool) -> String {
    let (ty, right, too_large) = [
        ("int", "2147483647.5", "2147483648.0"),
        ("unsigned char", "255.9", "256.0"),
        ("short", "-32768.25", "-32769.5"),
        ("unsigned", "-0.75", "-1.0"),
        ("long", "9223372036854774784.0", "9223372036854775808.0"),
    ][random.below(5)];
    let value = if wrong { too_large } else { right };
    format!(
        "int main(void) {{\n    double d = {value};\n    {ty} x = ({ty})d;\n    return x == 3;\n}}\n"
    )
}

fn narrowed(random: &mut Random, wrong: bool) -> String {
    let (ty, largest) =
        [("unsigned char", 255), ("signed char", 127), ("short", 32_767)][random.below(3)];
    let value = if wrong { largest + 1 + random.below(90) } else { largest - random.below(90) };
    let step =
        random.pick(&["narrow = from;", "narrow = 0;\n    narrow += from;", "narrow = from | 1;"]);
    // An odd number stays what it is.
    let value = value | 1;
    format!(
        "int main(void) {{\n    int from = {value};\n    {ty} narrow;\n    {step}\n    return narrow == 3;\n}}\n"
    )
}

fn sign_lost(random: &mut Random, wrong: bool) -> String {
    let (at, length) = (random.below(4), 5 + random.below(9));
    let value = if wrong { format!("-{}", at + 1) } else { at.to_string() };
    format!(
        "static int below(unsigned at, unsigned length) {{\n    return at < length;\n}}\nint main(void) {{\n    \
         int narrow = {value};\n    return below(narrow, {length}) ? 0 : 1;\n}}\n"
    )
}

fn array_index(random: &mut Random, wrong: bool) -> String {
    let (n, place) = (2 + random.below(9), random.pick(&["", "static "]));
    let relation = if wrong { "<=" } else { "<" };
    format!(
        "int main(void) {{\n    {place}int a[{n}];\n    for (int i = 0; i {relation} {n}; i++)\n        \
         a[i] = i;\n    return a[0];\n}}\n"
    )
}

fn heap_index(random: &mut Random, wrong: bool) -> String {
    let n = 2 + random.below(9);
    let size = if wrong { n - 1 } else { n };
    format!(
        "#include <stdlib.h>\nint main(void) {{\n    short *p = malloc({size} * sizeof *p);\n    \
         for (int i = {n} - 1; i >= 0; i--)\n        p[i] = 1;\n    free(p);\n    return 0;\n}}\n"
    )
}

fn used_after_free(random: &mut Random, wrong: bool) -> String {
    let value = random.below(100);
    let (before, after) = if wrong { ("free(p);", "") } else { ("", "free(p);") };
    format!(
        "#include <stdlib.h>\nstruct s {{ int a, b; }};\nint main(void) {{\n    struct s *p = malloc(sizeof *p);\n    \
         p->b = {value};\n    {before}\n    int x = p->b;\n    {after}\n    return x == 200;\n}}\n"
    )
}

fn null_member(random: &mut Random, wrong: bool) -> String {
    let n = 1 + random.below(4);
    let condition = if wrong { "1" } else { "at" };
    format!(
        "struct node {{ int value; struct node *next; }};\nint main(void) {{\n    struct node c = {{ 3, 0 }}, \
         b = {{ 2, &c }}, a = {{ 1, &b }};\n    struct node *at = &a;\n    int sum = 0;\n    \
         for (int i = 0; i < {n} + 3 && {condition}; i++) {{\n        sum += at->value;\n        at = at->next;\n    }}\n    \
         return sum == 0;\n}}\n"
    )
}

fn copied_string(random: &mut Random, wrong: bool) -> String {
    let text = random.pick(&["a", "word", "proviso", "twelve chars"]);
    let room = if wrong { text.len() } else { text.len() + 1 };
    let copy = random.pick(&["strcpy(b, s)", "memcpy(b, s, strlen(s) + 1)"]);
    format!(
        "#include <string.h>\nint main(void) {{\n    const char *s = \"{text}\";\n    char b[{room}];\n    \
         {copy};\n    return b[0] == 'z';\n}}\n"
    )
}

fn off_the_end(random: &mut Random, wrong: bool) -> String {
    let n = 2 + random.below(6);
    let last = if wrong { n } else { n - 1 };
    format!(
        "long table[{n}];\nstatic long get(long *p, int i) {{\n    return *(p + i);\n}}\nint main(void) {{\n    \
         return get(table, {last}) == 5;\n}}\n"
    )
}

fn freed_twice(random: &mut Random, wrong: bool) -> String {
    let size = 1 + random.below(40);
    let between = if wrong { "" } else { "p = 0;" };
    format!(
        "#include <stdlib.h>\nint main(void) {{\n    char *p = malloc({size});\n    free(p);\n    {between}\n    \
         free(p);\n    return 0;\n}}\n"
    )
}

fn freed_in_the_middle(random: &mut Random, wrong: bool) -> String {
    let (size, by) = (16 + random.below(40), 1 + random.below(9));
    let back = if wrong { 0 } else { by };
    format!(
        "#include <stdlib.h>\nint main(void) {{\n    char *p = malloc({size});\n    p += {by};\n    p -= {back};\n    \
         free(p);\n    return 0;\n}}\n"
    )
}

fn freed_local(random: &mut Random, wrong: bool) -> String {
    let size = 4 + random.below(20);
    let made = if wrong { "local" } else { "malloc(8)" };
    format!(
        "#include <stdlib.h>\nint main(void) {{\n    char local[{size}];\n    local[0] = 1;\n    char *p = {made};\n    \
         free(p);\n    return local[0] == 9;\n}}\n"
    )
}

fn one_not_freed(random: &mut Random, wrong: bool) -> String {
    let n = 2 + random.below(4);
    let first = i32::from(wrong);
    format!(
        "#include <stdlib.h>\nstatic void work(void) {{\n    char *p[{n}];\n    for (int i = 0; i < {n}; i++)\n        \
         p[i] = malloc(8);\n    for (int i = {first}; i < {n}; i++)\n        free(p[i]);\n    p[0] = 0;\n}}\n\
         int main(void) {{\n    work();\n    return 0;\n}}\n"
    )
}

fn list_not_freed(random: &mut Random, wrong: bool) -> String {
    let n = 1 + random.below(4);
    let condition = if wrong { "list->next" } else { "list" };
    format!(
        "#include <stdlib.h>\nstruct node {{ struct node *next; }};\nstatic void work(void) {{\n    \
         struct node *list = 0;\n    for (int i = 0; i < {n}; i++) {{\n        struct node *new = malloc(sizeof *new);\n        \
         new->next = list;\n        list = new;\n    }}\n    while ({condition}) {{\n        struct node *next = list->next;\n        \
         free(list);\n        list = next;\n    }}\n    list = 0;\n}}\nint main(void) {{\n    work();\n    return 0;\n}}\n"
    )
}

/// The programs of a class: always the same ones.
fn cases(class: &Class) -> Vec<Case> {
    let mut random = Random::new(
        class.check.bytes().fold(17_u64, |seed, byte| seed.wrapping_mul(31) + u64::from(byte)),
    );
    let mut cases = Vec::new();
    for pair in 0..PAIRS {
        let maker = class.makers[pair as usize % class.makers.len()];
        for is_wrong in [false, true] {
            cases.push(Case { text: maker(&mut random, is_wrong), is_wrong });
        }
    }
    cases
}

/// Whether a compiler's sanitizer finds a fault when the program runs; `None` if there is none.
fn runs_into_fault(folder: &Folder, compiler: &str, sanitizer: &str) -> Option<bool> {
    Some(is_stopped(&sanitized(folder, compiler, sanitizer, &["program.c"])?))
}

/// What is wrong with the answers on the programs of a class, and with what compilers say of them; and how
/// many programs each compiler was asked about.
fn compare(class: &Class) -> (Vec<String>, [usize; 2]) {
    let mut problems = Vec::new();
    let mut compared = [0, 0];
    for Case { text, is_wrong } in cases(class) {
        let folder = Folder::new().with("program.c", &text);
        let asked = [("gcc", class.gcc), ("clang", class.clang)];
        for ((compiler, sanitizer), count) in asked.into_iter().zip(&mut compared) {
            let told =
                sanitizer.and_then(|sanitizer| runs_into_fault(&folder, compiler, sanitizer));
            let Some(found) = told else { continue };
            *count += 1;
            let is_unseen = |(by, words, _): &(&str, &str, &str)| {
                *by == compiler && is_wrong && !found && text.contains(words)
            };
            if found != is_wrong && !UNSEEN.iter().any(is_unseen) {
                problems.push(format!("{}: {compiler} says {found}\n{text}", class.check));
            }
        }
        let done =
            folder.run(&["check", "program.c", "--check", class.check, "--timelimit", "60s"]);
        let wanted = match is_wrong {
            true => format!("Verification result: FALSE ({})", class.property),
            false => "Verification result: TRUE".to_owned(),
        };
        if done.last_line() != wanted {
            let answer = done.last_line();
            problems.push(format!("{}: {answer}, expected {wanted}\n{text}", class.check));
        }
    }
    (problems, compared)
}

#[test]
fn faults_of_generated_programs_are_found_and_their_absence_is_proved() {
    let next = AtomicUsize::new(0);
    let workers = thread::available_parallelism().map_or(2, usize::from);
    let work = || {
        let mine = std::iter::from_fn(|| CLASSES.get(next.fetch_add(1, Ordering::Relaxed)));
        mine.map(compare).collect::<Vec<_>>()
    };
    let found: Vec<(Vec<String>, [usize; 2])> = thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a comparison")).collect()
    });
    for (at, compiler) in ["gcc", "clang"].iter().enumerate() {
        if found.iter().all(|(_, compared)| compared[at] == 0) {
            eprintln!("no {compiler} with sanitizers: the truth is told without it");
        }
    }
    let problems: Vec<String> = found.into_iter().flat_map(|(problems, _)| problems).collect();
    assert!(problems.is_empty(), "{} problems\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn the_interpreter_names_the_faults_that_sanitizers_name() {
    let mut problems = Vec::new();
    for class in CLASSES.iter().filter(|class| ["div", "deref", "free"].contains(&class.check)) {
        for case in cases(class) {
            let folder = Folder::new().with("program.c", &case.text);
            let ended = |options: &[&str]| {
                let said = folder.run(&[&["run", "program.c"], options].concat());
                let ended = said.out.lines().chain(said.err.lines());
                let ended = ended.filter_map(|line| line.strip_prefix("Run ended: "));
                ended.map(str::to_owned).next_back()
            };
            let returned = |ended: &Option<String>| {
                ended.as_ref().is_some_and(|text| text.starts_with("returned"))
            };
            let mut ended_so = ended(&[]);
            // Objects of inner blocks end, and constants are fixed, only where accesses are checked.
            let needs_check = ["int *kept", "const "].iter().any(|word| case.text.contains(word));
            if case.is_wrong && needs_check && returned(&ended_so) {
                ended_so = ended(&["--check", class.check]);
            }
            let (ended, is_fine) = (&ended_so, returned(&ended_so));
            if is_fine == case.is_wrong {
                problems.push(format!("{}: {ended:?}\n{}", class.check, case.text));
            }
        }
    }
    assert!(problems.is_empty(), "{} problems\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn a_run_says_what_is_not_checked_and_which_asserts_are_left_out() {
    let folder = Folder::new().with(
        "program.c",
        "#include <assert.h>\nvoid reach_error(void);\nint a[3];\nint get(int i) { return 6 / a[i]; }\n\
         int main(int argc, char **argv) { assert(argc); if (argc > 7 && argc < 3) reach_error();\n\
         return get(argc); }\n",
    );
    let done = folder.run(&["check", "program.c", "--property", "unreach-call"]);
    assert_eq!(done.last_line(), "Verification result: TRUE");
    for line in [
        "assumption: accesses are in bounds: not checked",
        "assumption: nothing is divided by zero: not checked",
        "note: 1 assert is not part of unreach-call",
    ] {
        assert!(done.err.lines().any(|said| said == line), "{line}\n{}", done.err);
    }
    let done = folder.run(&["check", "program.c"]);
    assert!(!done.err.contains("not checked") && !done.err.contains("not part"), "{}", done.err);
    assert!(done.last_line().starts_with("Verification result: FALSE ("), "{}", done.out);
    // Where asserts are all that there is, they are asked about.
    let text =
        "#include <assert.h>\nint main(int argc, char **argv) { assert(argc != 7); return 0; }\n";
    let folder = Folder::new().with("program.c", text);
    let done = folder.run(&["check", "program.c", "--property", "unreach-call"]);
    assert_eq!(done.last_line(), "Verification result: FALSE (unreach-call)", "{}", done.err);
}

#[test]
fn what_cannot_be_checked_is_refused() {
    let folder = Folder::new().with("program.c", "int main(void) { return 0; }\n");
    let done = folder.run(&["check", "program.c", "--check", "everything"]);
    assert_eq!(done.code, 64, "{}", done.err);
}

#[test]
fn annotations_are_named_as_not_read() {
    let text =
        "/*@ requires x > 0; */\nint f(int x) { return x; }\nint main(void) { return f(1); }\n";
    let done = Folder::new().with("program.c", text).run(&["check", "program.c"]);
    assert!(done.err.contains("ACSL annotations are not read"), "{}", done.err);
    assert_eq!(done.last_line(), "Verification result: TRUE");
}

/// Where the entry function ends says nothing of what is lost: the object is named, with the line that made it.
#[test]
fn an_object_that_is_lost_or_not_freed_is_named() {
    let text = "#include <stdlib.h>\nint main(void) {\n    char *p = malloc(10);\n    \
                p = malloc(20);\n    free(p);\n    return 0;\n}\n";
    let folder = Folder::new().with("program.c", text);
    for property in ["valid-memtrack", "valid-memcleanup"] {
        let done = folder.run(&["check", "program.c", "--property", property]);
        assert_eq!(done.last_line(), format!("Verification result: FALSE ({property})"));
        let error = done.out.lines().find(|line| line.starts_with("Error: ")).expect("an error");
        assert!(error.ends_with(": heap#1 (10 bytes, allocated at line 3)"), "{error}");
    }
}

#[test]
fn a_harness_shows_a_fault_with_a_sanitizer() {
    let text = "extern int __VERIFIER_nondet_int(void);\nint main(void) {\n    int a[4] = { 0 };\n    \
                int i = __VERIFIER_nondet_int();\n    if (i < 0 || i > 4)\n        return 0;\n    \
                return a[i];\n}\n";
    let folder = Folder::new().with("program.c", text);
    let done = folder.run(&["check", "program.c", "--output-dir", "out"]);
    assert_eq!(done.last_line(), "Verification result: FALSE (valid-deref)");
    assert!(done.out.contains("Error: access out of bounds at program.c:7"), "{}", done.out);
    let harness = folder.read("out/harness.c");
    assert!(harness.contains("-fsanitize=address,undefined"), "{harness}");
    let witness = folder.read("out/violation.yml");
    assert!(witness.contains("LTL(G valid-deref)"), "{witness}");
    let Some(said) = run_harness(&folder) else { return };
    assert!(said.contains("out of bounds"), "{said}");
}

/// What the harness says when it is compiled by the command that it names, and fails as it should;
/// `None` without gcc and its sanitizers.
fn run_harness(folder: &Folder) -> Option<String> {
    let harness = folder.read("out/harness.c");
    let command = harness.lines().find(|line| line.starts_with("gcc ")).expect("a command");
    let (build, _) = command.split_once(" && ").expect("it builds, then runs");
    let build = Command::new("sh").args(["-c", build]).current_dir(folder.path()).output();
    let Some(build) = build.ok().filter(|build| build.status.success()) else {
        eprintln!("no gcc with sanitizers: the harness is not run");
        return None;
    };
    assert!(build.stderr.is_empty());
    let run = Command::new("out/harness").current_dir(folder.path()).output().expect("the harness");
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(!run.status.success(), "{said}");
    Some(said)
}

#[test]
fn a_harness_gives_back_what_was_read() {
    let scanned = "char word[6], c;\n    int a;\n    long b;\n    double d;\n    long double e;\n    \
         unsigned char small;\n    \
         int made = scanf(\"%5s %d,%ld %lf%c%*[a-z]%hhu%Lf\", word, &a, &b, &d, &c, &small, &e);\n    \
         if (made == 7 && word[0] == 'a' && word[1] == 0 && a == -5 && b == -77 && d == 2.5 && c == 'z')\n        \
         assert(small != 200 || e != 0.25L);";
    let programs = [
        scanned,
        "char line[8];\n    if (fgets(line, 8, stdin) && fgets(line + 2, 6, stdin))\n        \
         assert(line[0] != 'x' || line[2] != 'y' || line[3] != '\\n');",
        "char bytes[8];\n    if (read(0, bytes, 8) == 3)\n        assert(bytes[2] != 'q');",
        "short bytes[4];\n    if (fread(bytes, 2, 4, stdin) == 3)\n        assert(bytes[2] != -9);",
        "int x = getchar(), y;\n    if (fscanf(stdin, \"%i\", &y) == 1)\n        assert(x != 'a' || y != 1 << 20);",
        "char *line = NULL;\n    size_t size = 0;\n    if (getline(&line, &size, stdin) == 3)\n        \
         assert(line[0] != 'q' || line[2] != '\\n');\n    free(line);",
        "char *line = malloc(2);\n    size_t size = 2;\n    if (getdelim(&line, &size, ';', stdin) == 3)\n        \
         assert(line[0] != 'q' || line[2] != ';');\n    free(line);",
        "int c = getchar();\n    char line[4];\n    ungetc('a', stdin);\n    int d = getc(stdin), e = getchar();\n    \
         if (d == 'a' && c == 'y' && e == 'z' && ungetc('k', stdin) == 'k' && fgets(line, 4, stdin))\n        \
         assert(line[0] == 'k' && line[1] != 'm');",
    ];
    for text in programs {
        let text = format!(
            "#define _GNU_SOURCE\n#include <assert.h>\n#include <stdio.h>\n#include <stdlib.h>\n\
             #include <unistd.h>\nint main(void) {{\n    {text}\n    return 0;\n}}\n"
        );
        let folder = Folder::new().with("program.c", &text);
        let done = folder.run(&["check", "program.c", "--output-dir", "out"]);
        assert_eq!(done.last_line(), "Verification result: FALSE (unreach-call)", "{text}");
        let Some(said) = run_harness(&folder) else { return };
        assert!(said.contains("proviso: error reached"), "{text}\n{said}");
    }
}

/// What verdicts rest on that compilers and libraries may do otherwise.
#[test]
fn floats_of_32_bits_and_random_numbers_are_listed() {
    let floats = "extern void reach_error(void);\nvolatile float a = 16777216.0f, b = 1.0f;\n\
                  int main(void) { if (a + b != 16777216.0f) reach_error(); return 0; }\n";
    let random = "#include <assert.h>\n#include <stdlib.h>\nint main(void) {\n    srand(1);\n    \
                  int a = rand();\n    srand(1);\n    assert(a == rand());\n    return 0;\n}\n";
    for (text, options, said) in [
        (
            floats,
            &["--32"][..],
            Some("assumption: floats are computed in the precision of their types"),
        ),
        (floats, &["--64"][..], None),
        (
            random,
            &[][..],
            Some(
                "assumption: random numbers are any of their range, whatever they are computed from",
            ),
        ),
    ] {
        let folder = Folder::new().with("program.c", text);
        let done = folder.run(&[&["check", "program.c"], options].concat());
        match said {
            Some(said) => assert!(done.err.contains(said), "{}", done.err),
            None => assert!(!done.err.contains("floats are computed"), "{}", done.err),
        }
    }
}

/// Structures and floats go where a compiler looks for them, whatever the types of their members are.
#[test]
fn a_harness_gives_structures_by_value() {
    let programs = [
        ("float x, y", "a.x == 1.5f && a.y == 2.25f", "f.a.x = 1.5"),
        ("float x; int y", "a.x == 1.5f && a.y == -7", "f.a.y = -7"),
        ("float x, y, z", "a.z == 1.5f", "f.a.z = 1.5"),
        ("int i; double d", "a.i == -2 && a.d == 3.0", "f.a.d = 3.0"),
        ("char c[3]", "a.c[1] == 9", "a = {c = "),
        ("double d[3]", "a.d[2] == 4.0", "f.a.d[2] = 4.0"),
        ("union { int i; float f; } u; int k", "a.u.i == 5 && a.k == 3", "k = 3"),
        ("int b : 3; unsigned c : 9", "a.b == -2 && a.c == 300", "a.c = 300"),
    ];
    for (members, wanted, told) in programs {
        let text = format!(
            "#include <assert.h>\nstruct s {{ {members}; }};\n\
             struct s f(int k, struct s a, double g, struct s b) {{\n    \
             if (k == 1 && g == 0.5 && {wanted} && {})\n        assert(0);\n    return a;\n}}\n",
            wanted.replace("a.", "b.")
        );
        let folder = Folder::new().with("program.c", &text);
        let options = ["--entry-function", "f", "--output-dir", "out"];
        let done = folder.run(&[&["check", "program.c"], &options[..]].concat());
        assert_eq!(done.last_line(), "Verification result: FALSE (unreach-call)", "{text}");
        assert!(done.out.contains(told), "{told}: {}", done.out);
        let Some(said) = run_harness(&folder) else { return };
        assert!(said.contains("proviso: error reached"), "{text}\n{said}");
    }
}

#[test]
fn a_harness_shows_faults_behind_functions_of_the_library() {
    let programs = [
        (
            "#include <stdlib.h>\nint main(void) {\n    int *first = malloc(4), *second = calloc(1, 4);\n    \
             if (first)\n        *second = 3;\n    free(first);\n    free(second);\n    return 0;\n}\n",
            &["--malloc-may-fail"][..],
            "null pointer",
        ),
        (
            "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\n\
             int main(void) { return abs(__VERIFIER_nondet_int()) > 3; }\n",
            &["--check", "overflow"],
            "negation of -2147483648",
        ),
    ];
    for (text, options, expected) in programs {
        let folder = Folder::new().with("program.c", text);
        let arguments = [&["check", "program.c", "--output-dir", "out"], options].concat();
        let done = folder.run(&arguments);
        assert!(done.last_line().starts_with("Verification result: FALSE"), "{}", done.out);
        let Some(said) = run_harness(&folder) else { return };
        assert!(said.contains(expected), "{said}");
    }
}
