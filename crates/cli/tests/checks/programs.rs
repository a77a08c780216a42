//! Generated programs: pairs with and without a fault.

use base::Random;

/// A program and what is known of it.
pub struct Case {
    pub text: String,
    /// Whether an execution has the fault; the program reads no inputs, so that its run shows it.
    pub is_wrong: bool,
}

/// Makes a program of a class from a seed; it has the fault where that is asked for.
type Maker = fn(&mut Random, bool) -> String;

/// A class of faults: what is asked for, how FALSE is named, and the programs.
pub struct Class {
    pub check: &'static str,
    pub property: &'static str,
    pub makers: &'static [Maker],
    /// What gcc is told to look for; none where it cannot.
    pub gcc: Option<&'static str>,
    /// What clang is told to look for; none where it cannot.
    pub clang: Option<&'static str>,
}

/// Where a sanitizer sees less than there is: the compiler, words of the program, and the reason.
pub const UNSEEN: [(&str, &str, &str); 2] = [
    (
        "clang",
        "while (list->next)",
        "the address of the last node is still where a function kept it that has returned",
    ),
    ("gcc", "narrow = ", "it looks at conversions of floats only"),
];

pub const CLASSES: [Class; 9] = [
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
    let rest = 4_294_967_295 - part + usize::from(wrong);
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

/// The programs of a class, the same in every run.
pub fn cases(class: &Class) -> Vec<Case> {
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
