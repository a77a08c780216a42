//! Scenarios on the string functions and on `printf`'s conversions.

use super::fill;
use super::program::Gen;
use super::types::Int;

fn word(g: &mut Gen) -> String {
    let len = g.rng.below(7);
    (0..len).map(|_| g.rng.pick(&['a', 'b', 'c', 'X', '7', ' ', '%', 'z'])).collect()
}

/// The functions of `<string.h>`.
pub fn strings(g: &mut Gen) {
    let (a, b, c) = (word(g), word(g), word(g));
    let mut lines = String::new();
    for _ in 0..g.rng.range(4, 9) {
        let n = g.rng.below(6).to_string();
        let ch = g.rng.pick(&["a", "b", "X", "7", "z", "\\0"]);
        lines += &g
            .rng
            .pick(&[
                "strcpy(buf, b);\n",
                "strcpy(buf, a); strcat(buf, b);\n",
                "strcat(buf, c); if (strlen(buf) > 20) buf[3] = 0;\n",
                "strncpy(buf, c, N); buf[N] = 0;\n",
                "strcpy(buf, \"ab\"); strncat(buf, c, N);\n",
                "p = strchr(buf, 'C'); mix(p ? p - buf : -1);\n",
                "p = strrchr(buf, 'C'); mix(p ? p - buf : -1);\n",
                "mix(strcmp(a, b) < 0); mix(strcmp(b, c) > 0); mix(strcmp(a, a));\n",
                "mix(strncmp(a, c, N) < 0); mix(strncmp(a, b, 0));\n",
                "mix(strlen(a) * 8 + strlen(b + (b[0] != 0)));\n",
                "p = strstr(buf, \"b\"); mix(p ? p - buf : -1);\n",
                "for (p = buf; *p; p++) if (*p == 'C') *p = 'q';\n",
                "for (char *s = buf, *e = buf + strlen(buf); s < e; s++) { char t = *--e; *e = *s; *s = t; }\n",
                "memmove(buf + 1, buf, strlen(buf) + 1); buf[0] = '#'; if (strlen(buf) > 20) buf[2] = 0;\n",
            ])
            .replace('N', &n)
            .replace('C', ch);
        lines += "for (p = buf; *p; ) mix(*p++);\n";
    }
    let body = fill(
        "char buf[64] = \"start\", *p = buf;
        const char *a = \"$a\", b[] = \"$b\", *const c = \"$c\" \"+\";
        $lines
        printf(\"[%s] [%s] %d %s\\n\", buf, a, (int)strlen(b), c + 1);",
        &[("a", &a), ("b", &b), ("c", &c), ("lines", lines.trim_end())],
    );
    g.scenario("strings", &body);
}

/// Integer and text conversions of `printf` with flags, widths and precisions.
pub fn formats(g: &mut Gen) {
    let mut body = String::new();
    for _ in 0..g.rng.range(4, 9) {
        let flags = g.rng.pick(&["", "", "-", "0", "+", " ", "#"]);
        let width = g.rng.pick(&["", "", "1", "6", "12"]);
        let precision = g.rng.pick(&["", "", "", ".0", ".3", ".8"]);
        let value = g.value();
        let (length, ty) = g.rng.pick(&[
            ("hh", Int::SChar),
            ("h", Int::Short),
            ("", Int::Int),
            ("l", Int::Long),
            ("ll", Int::LLong),
        ]);
        let conversion = g.rng.pick(&["d", "i", "u", "x", "X", "o"]);
        // gcc and the library agree on these, but a flag without a meaning is undefined.
        let flags = match (flags, conversion) {
            ("#", "d" | "i" | "u") => "",
            ("+" | " ", "u" | "x" | "X" | "o") => "-",
            ("0", _) if !precision.is_empty() => "",
            (other, _) => other,
        };
        let ty = if matches!(conversion, "d" | "i") {
            ty.name().to_string()
        } else {
            format!("unsigned {}", ty.name().replace("signed ", ""))
        };
        body += &format!(
            "printf(\"%{flags}{width}{precision}{length}{conversion}|\", ({ty}){value});\n"
        );
    }
    let text = word(g).replace('%', "p");
    body += &fill(
        "printf(\"%c%5c%-3c|\", '$c', $k + 64, 'z');
        printf(\"%s|%8s|%-8s|%.2s|%*d|%.*s|%%\\n\", \"$t\", \"$t\", \"$t\", \"$t\", $w, $k, $p, \"$t\");
        printf(\"%zu %td %lu %hhu %s\\n\", sizeof(int), (char *)0 - (char *)0, 5ul, (unsigned char)$k, $k > 30 ? \"more\" : \"less\");
        printf(\"%d%s%c\", $k, \"\", '\\n');",
        &[
            ("c", g.rng.pick(&["a", "#", "Z", "0"])),
            ("t", &text),
            ("k", &g.rng.below(60).to_string()),
            ("w", &g.rng.below(7).to_string()),
            ("p", &g.rng.below(7).to_string()),
        ],
    );
    g.scenario("formats", &body);
}

/// Output to the standard streams by name, of which the error stream is not compared.
pub fn streams(g: &mut Gen) {
    let f = g.name("next");
    g.function(&fill(
        "static int $f(void) {
        static int calls;
        return ++calls;
        }",
        &[("f", &f)],
    ));
    let mut lines = String::new();
    for _ in 0..g.rng.range(5, 10) {
        let n = g.rng.below(8).to_string();
        let c = g.rng.pick(&["a", "Z", "%", "\\n", "\\xff"]);
        lines += &g
            .rng
            .pick(&[
                "fprintf(stdout, \"%d %s|\", F(), text + 4);\n",
                "fprintf(stderr, \"%d %s|\", F(), text);\n",
                "fputs(text, stdout);\n",
                "fputs(text, stderr);\n",
                "fputc('C', stdout);\n",
                "putc(F() + 64, stdout);\n",
                "putc('C', stderr);\n",
                "fwrite(text, 1, N, stdout);\n",
                "fwrite(text + 1, N, F() % 2, stdout);\n",
                "fwrite(numbers, sizeof *numbers, 2, stdout);\n",
            ])
            .replace('N', &n)
            .replace('C', c)
            .replace('F', &f);
    }
    let body = fill(
        "char text[9] = \"$a\\0$b\";
        unsigned numbers[] = { 0x$x, 0x0a410042 };
        $lines
        mix($f());
        fprintf(stdout, \"\\n\");",
        &[
            ("a", "w%d"),
            ("b", g.rng.pick(&["end", "xyz", "Q"])),
            ("x", g.rng.pick(&["61620063", "ff", "41424344"])),
            ("f", &f),
            ("lines", lines.trim_end()),
        ],
    );
    g.scenario("streams", &body);
}

/// Library functions that verification tasks rarely call.
pub fn more(g: &mut Gen) {
    let f = g.name("cmp");
    g.function(&fill(
        "static int $f(const void *a, const void *b) {
        int x = *(const int *)a, y = *(const int *)b;
        return x < y ? -1 : x > y;
        }",
        &[("f", &f)],
    ));
    let values: Vec<String> = (0..6).map(|_| g.rng.range(-50, 50).to_string()).collect();
    let body = fill(
        "int a[6] = { $values };
        char buf[40], *end;
        qsort(a, 6, sizeof *a, $f);
        for (int i = 0; i < 6; i++) mix(a[i]);
        mix(abs(a[0])); mix(labs(-$k)); mix(atoi(\"$k apples\")); mix(strtol(\"-0x1f!\", &end, 0)); mix(*end);
        mix(toupper('q')); mix(!!isdigit('$d')); mix(!isalpha('$d'));
        mix(sprintf(buf, \"%d-%s\", a[1], \"x\")); mix(snprintf(buf + 20, 4, \"%05d\", $k)); mix(buf[22]);
        mix(printf(\"%d|%s|\", $k, \"text\"));
        puts(buf); putchar('$d'); putchar('\\n');",
        &[
            ("f", &f),
            ("values", &values.join(", ")),
            ("k", &g.small()),
            ("d", g.rng.pick(&["5", "x", "0", "_"])),
        ],
    );
    g.scenario("more_library", &body);
}
