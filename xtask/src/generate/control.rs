//! Scenarios on control flow.

use super::fill;
use super::program::Gen;
use super::types::Int;

/// `switch` over every type, with ranges, fall-through, odd placements of labels.
pub fn switches(g: &mut Gen) {
    let f = g.name("sw");
    let t = g.rng.pick(&[
        Int::Int,
        Int::Char,
        Int::UChar,
        Int::Short,
        Int::UInt,
        Int::LLong,
        Int::ULLong,
        Int::Long,
    ]);
    let mut labels: Vec<String> = vec![
        "0".into(),
        "1".into(),
        "-1".into(),
        "7 ... 12".into(),
        "100".into(),
        "'a'".into(),
        "-30 ... -20".into(),
        "200".into(),
        "1000".into(),
        "-128".into(),
        "(1 << 6) | 1".into(),
        "(3 > 2) + 40".into(),
        "~50".into(),
        "(int)sizeof(int) * 13".into(),
    ];
    if matches!(t, Int::LLong | Int::ULLong) {
        labels.push("0x100000000LL".into());
        labels.push("-5000000000LL".into());
        labels.push("9223372036854775807LL".into());
    }
    // Constants are converted to the promoted type of the operand; two of them must not meet.
    g.rng.shuffle(&mut labels);
    labels.truncate(g.rng.range(4, 8) as usize);
    let at = g.rng.below(labels.len() + 1);
    if g.rng.chance(75) {
        labels.insert(at, "default".into());
    }
    let mut text =
        format!("static int {f}(volatile {} x) {{\nint r = 0;\nswitch (x) {{\n", t.name());
    if g.rng.chance(20) {
        text += "r = 999; int unused; unused = 1;\n";
    }
    for (i, label) in labels.iter().enumerate() {
        text +=
            &if label == "default" { "default:\n".to_string() } else { format!("case {label}:\n") };
        text += &match g.rng.below(7) {
            0 => "".to_string(),
            1 => format!("r += {};\n", i + 1),
            2 => format!("return r * 10 + {i};\n"),
            3 => format!(
                "for (int i = 0; i < 3; i++) {{\nif (i == {}) break;\nr += i + 2;\n}}\nbreak;\n",
                i % 4
            ),
            4 => format!(
                "{{\nint y = r + {i};\nswitch (y & 3) {{\ncase 1: r += 5; break;\ndefault: r += 50;\ncase 2: r ^= 1;\n}}\n}}\nbreak;\n"
            ),
            5 => format!("r ^= {};\nbreak;\n", 1 << i),
            _ => format!("if (r) break;\nr = {};\n", i * 3),
        };
    }
    text += ";\n}\nreturn r + 1;\n}";
    g.function(&text);
    let device = g.name("duff");
    g.function(&fill(
        "static int $d(const char *from, int n) {
        int r = 0, rounds = (n + 3) / 4;
        switch (n % 4) {
        case 0: do { r = r * 3 + *from++;
        case 3: r = r * 3 + *from++;
        case 2: r = r * 3 + *from++;
        case 1: r = r * 3 + *from++;
        } while (--rounds > 0);
        }
        return r;
        }",
        &[("d", &device)],
    ));
    let body = fill(
        "for (int i = -35; i < 130; i++) mix($f(i));
        static const long long more[] = { 200, 1000, 0x100000000LL, -5000000000LL, 9223372036854775807LL, $v };
        for (int i = 0; i < 6; i++) { mix($f(($T)more[i])); printf(\"%d \", $f(($T)more[i])); }
        for (int i = 1; i < 10; i++) mix($d(\"some text\", i));
        printf(\"%d\\n\", $d(\"0123456789\", $k));",
        &[
            ("f", &f),
            ("T", t.name()),
            ("d", &device),
            ("v", &g.value()),
            ("k", &g.rng.range(1, 10).to_string()),
        ],
    );
    g.scenario("switches", &body);
}

/// `goto` forwards, backwards, out of and into loops and blocks.
pub fn gotos(g: &mut Gen) {
    let n = g.rng.range(4, 7);
    let mut states = String::new();
    for i in 0..n {
        let (a, b) = (g.rng.below(n as usize), g.rng.below(n as usize));
        let change =
            g.rng.pick(&["x = x * 5 + 1", "x ^= x >> 3", "x -= 77", "x += n", "x = ~x", "x <<= 1"]);
        states +=
            &format!("s{i}:\n{change};\nmix(x);\nif (++n > {}) goto out;\n", g.rng.range(20, 60));
        states += &match g.rng.below(3) {
            0 => format!("if (x & {}) goto s{a};\ngoto s{b};\n", 1 << g.rng.below(5)),
            1 => format!("if (x % 3 == {}) goto s{a};\n", g.rng.below(3)),
            _ => format!("if (x == 0) goto s{a};\nelse goto s{b};\n"),
        };
    }
    let body = fill(
        "unsigned x = $x;
        int n = 0, i, j;
        goto s$start;
        $states
        out:
        mix(n);
        i = $i;
        goto middle;
        for (i = 0; i < 6; i++) {
        x += 10;
        middle:
        x = x * 3 + i;
        if (i == 4) goto after;
        for (j = 0; j < 4; j++) {
        if (j == $j) goto next;
        if (x & 64) continue;
        x ^= j << 4;
        }
        next:
        mix(x);
        }
        after:
        if (0) { inside: x++; n--; }
        if (n > 0 && x % 4 != 0) goto inside;
        { int k = 0; retry: k++; if (k < $k) { if (x & 1) { x >>= 1; goto retry; } x--; goto retry; } mix(k); }
        printf(\"%u %d %d\\n\", x, n, i);",
        &[
            ("x", &g.rng.below(1000).to_string()),
            ("start", &g.rng.below(n as usize).to_string()),
            ("states", states.trim_end()),
            ("i", &g.rng.range(1, 5).to_string()),
            ("j", &g.rng.below(5).to_string()),
            ("k", &g.rng.range(2, 9).to_string()),
        ],
    );
    g.scenario("gotos", &body);
}

/// Nested loops of all kinds with `break` and `continue`, and odd headers.
pub fn loops(g: &mut Gen) {
    let t = g.rng.pick(&[Int::UChar, Int::SChar, Int::UShort, Int::Int, Int::ULong, Int::LLong]);
    let body = fill(
        "int total = 0, i = $i, j;
        for ($T c = $c; c; c -= c > 3 ? 3 : 1) { if (c == $skip) continue; total += c; }
        for (;;) { if (i++ > $limit) break; if (i % 3 == 0) continue; total = total * 2 + i; }
        while (i) { i /= 2; do { total ^= i; if (total & 8) break; i--; } while (i > 5); if (i <= 0) break; }
        do total += 3; while (total < $bound && total > 0);
        for (i = 0, j = 10; i < j; i++, j -= 2) { mix(i * j); for (int k = i; k < j; k++) { if (k == $k) break; if (k & 1) continue; mix(k); total += k; } }
        for (unsigned u = 3; u < 4; u--) total += u;
        for (float f = 0; f < 1; f += 0.125f) total += f > 0.5f;
        for (struct { int a, b; } s = { 0, 5 }; s.a < s.b; s.a += 2) mix(s.a);
        for (const char *s = \"loop\"; *s; ++s) total += *s == 'o' ? 100 : 1;
        int n = 0; while (n++ < 4) switch (n) { case 1: continue; case 2: total += 7; break; default: total--; }
        while (n > 0) while (1) { if (n-- % 2) break; total++; if (n < -3) break; }
        signed char w = 100; int turns = 0; while (w > 0) { w += 9; turns++; } mix(w); mix(turns);
        mix(total); mix(i); mix(j); mix(n);
        printf(\"%d %d %d\\n\", total, i, j);",
        &[
            ("T", t.name()),
            ("i", &g.rng.below(5).to_string()),
            ("c", &g.rng.range(5, 90).to_string()),
            ("skip", &g.rng.range(1, 60).to_string()),
            ("limit", &g.rng.range(3, 20).to_string()),
            ("bound", &g.rng.range(10, 500).to_string()),
            ("k", &g.rng.range(2, 9).to_string()),
        ],
    );
    g.scenario("loops", &body);
}

/// Small well-known algorithms on random data.
pub fn algorithms(g: &mut Gen) {
    let which = g.rng.below(6);
    let n = g.rng.range(6, 12).to_string();
    let values: Vec<String> = (0..12).map(|_| g.rng.range(-99, 99).to_string()).collect();
    let t = g.rng.pick(&[Int::Int, Int::Short, Int::SChar, Int::LLong, Int::Long]);
    let data = fill(
        "$T a[12] = { $values };
        const int n = $n;\n",
        &[("T", t.name()), ("values", &values.join(", ")), ("n", &n)],
    );
    let code = match which {
        0 => {
            "for (int i = 0; i < n; i++)
            for (int j = n - 1; j > i; j--)
            if (a[j] < a[j - 1]) { __typeof__(a[0]) t = a[j]; a[j] = a[j - 1]; a[j - 1] = t; }
            int low = 0, high = n - 1, want = a[n / 3], at = -1;
            while (low <= high) { int mid = (low + high) / 2; if (a[mid] == want) { at = mid; break; } if (a[mid] < want) low = mid + 1; else high = mid - 1; }
            mix(at); mix(low);
            for (int i = 0; i < n; i++) printf(\"%d \", (int)a[i]);
            printf(\"\\n\");"
        }
        1 => {
            "unsigned crc = 0xffffffffu;
            const unsigned char *p = (const unsigned char *)a;
            for (int i = 0; i < n; i++) {
            crc ^= p[i];
            for (int k = 0; k < 8; k++) crc = crc >> 1 ^ (0xedb88320u & -(crc & 1));
            }
            mix(crc);
            unsigned short s = 1, t = 0;
            for (int i = 0; i < n; i++) { s = (s + p[i]) % 251; t = (t + s) % 251; }
            printf(\"%08x %d\\n\", ~crc, t << 8 | s);"
        }
        2 => {
            "static unsigned char composite[128];
            int count = 0;
            for (int i = 2; i < 128; i++) {
            if (composite[i]) continue;
            count++;
            for (int j = i * i; j < 128; j += i) composite[j] = 1;
            }
            long long fact = 1; unsigned long long pow = 1;
            for (int i = 1; i < n + 12; i++) { fact *= i; pow = pow * 3 ^ a[i % 12]; }
            mix(fact); mix(pow);
            printf(\"%d\\n\", count);"
        }
        3 => {
            "int m[3][3] = { { a[0], a[1], a[2] }, { a[3], a[4], a[5] }, { 1, 2, a[6] } }, r[3][3] = { { 1 }, { 0, 1 }, { 0, 0, 1 } };
            for (int e = n; e; e >>= 1) {
            int t[3][3] = { { 0 } }, u[3][3] = { { 0 } };
            for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) for (int k = 0; k < 3; k++) { if (e & 1) t[i][j] += r[i][k] * m[k][j]; u[i][j] += m[i][k] * m[k][j]; }
            if (e & 1) memcpy(r, t, sizeof r);
            memcpy(m, u, sizeof m);
            }
            for (int i = 0; i < 9; i++) mix(r[i / 3][i % 3]);
            printf(\"%d\\n\", r[1][2]);"
        }
        4 => {
            "char digits[70];
            int len = 0;
            unsigned long long v = (unsigned long long)a[1] * 1000003u + a[2];
            unsigned base = 2 + n % 15;
            do { digits[len++] = \"0123456789abcdefg\"[v % base]; v /= base; } while (v);
            for (int i = 0; i < len / 2; i++) { char t = digits[i]; digits[i] = digits[len - 1 - i]; digits[len - 1 - i] = t; }
            digits[len] = 0;
            unsigned hash = 5381;
            for (char *p = digits; *p; p++) hash = hash * 33 + *p;
            mix(hash);
            int steps = 0;
            for (unsigned c = n + 20; c != 1; c = c & 1 ? 3 * c + 1 : c / 2) steps++;
            printf(\"%s %d\\n\", digits, steps);"
        }
        _ => {
            "struct { int value, next; } q[12];
            int head = -1, stack[12], top = 0;
            for (int i = 0; i < n; i++) {
            int *at = &head;
            q[i].value = a[i];
            while (*at != -1 && q[*at].value < q[i].value) at = &q[*at].next;
            q[i].next = *at; *at = i;
            while (top && stack[top - 1] > a[i]) mix(stack[--top]);
            stack[top++] = a[i];
            }
            for (int i = head; i != -1; i = q[i].next) mix(q[i].value);
            int best = a[0], run = 0;
            for (int i = 0; i < n; i++) { run = run > 0 ? run + a[i] : a[i]; if (run > best) best = run; }
            printf(\"%d %d\\n\", top, best);"
        }
    };
    g.scenario("algorithms", &format!("{data}{code}"));
}
