//! Functions of the harness that read: they give the program what it read in the run, in the same
//! order.

use std::collections::BTreeSet;

use term::Value;

/// What the program read, and which functions read it.
#[derive(Default)]
pub(super) struct Reading {
    words: Vec<u64>,
    readers: BTreeSet<&'static str>,
}

/// The functions that read, each with its definition. What `fscanf` reads counts as read by `scanf`.
const READERS: [(&str, &str); 15] = [
    ("_IO_getc", GETCHAR),
    ("fgetc", GETCHAR),
    ("fgetc_unlocked", GETCHAR),
    ("fgets", FGETS),
    ("fread", FREAD),
    ("fscanf", SCANF),
    ("getc", GETCHAR),
    ("getc_unlocked", GETCHAR),
    ("getchar", GETCHAR),
    ("getchar_unlocked", GETCHAR),
    ("getline", GETLINE),
    ("gets", GETS),
    ("read", READ),
    ("recv", RECV),
    ("scanf", SCANF),
];

impl Reading {
    /// Whether an input of this name is read by a function that is defined here.
    pub(super) fn has(name: &str) -> bool {
        Self::reader(name).is_some()
    }

    /// The function that reads an input of this name: `scanf` reads `scanf`, which is its result, and
    /// `scanf %d`.
    fn reader(name: &str) -> Option<&'static str> {
        let word = name.split(' ').next()?;
        // Only for the functions of `scanf` is the result drawn under their bare names; the inputs of other readers
        // have further words in their names.
        let is_result = word == name && !name.ends_with("scanf");
        READERS.iter().map(|(known, _)| *known).find(|known| *known == word && !is_result)
    }

    /// Adds an input. Gives whether the harness can give it back.
    pub(super) fn add(&mut self, name: &str, value: &Value) -> bool {
        let Some(reader) = Self::reader(name) else { return false };
        let (bits, width) = match value {
            Value::Bv(bits) => match bits.to_u128() {
                Some(bits_) => (bits_, bits.width()),
                None => return false,
            },
            Value::Float(float) => (float.bits(), float.format().width()),
            _ => return false,
        };
        self.readers.insert(reader);
        // The casts take the lower and the upper half.
        self.words.push(bits as u64);
        if width > 64 {
            self.words.push((bits >> 64) as u64);
        }
        true
    }

    /// The definitions, if something was read.
    pub(super) fn write(&self, text: &mut String) {
        if self.words.is_empty() {
            return;
        }
        text.push_str("/* What the program reads, in order. */\n");
        text.push_str("static const unsigned long long proviso_words[] = {");
        for (at, word) in self.words.iter().enumerate() {
            text.push_str(if at % 8 == 0 { "\n    " } else { " " });
            text.push_str(&format!("{word}u,"));
        }
        let count = self.words.len();
        text.push_str("\n};\n");
        text.push_str(&format!("#define PROVISO_WORDS {count}\n"));
        text.push_str(NEXT);
        let mut seen = BTreeSet::new();
        for (name, definition) in READERS {
            if self.readers.contains(name) && seen.insert(definition) {
                text.push_str(definition);
            }
        }
    }
}

const NEXT: &str = "
QUIET static unsigned long long proviso_next(void)
{
    static unsigned next;
    return next < PROVISO_WORDS ? proviso_words[next++] : 0;
}

extern struct _IO_FILE *stdin;
static void *proviso_file;
static int proviso_back = -1;
WEAK int ungetc(int byte, void *file)
{
    if (byte == -1)
        return -1;
    proviso_file = file;
    return proviso_back = (unsigned char)byte;
}

QUIET static int proviso_byte(void *file)
{
    int byte = proviso_back;
    if (byte < 0 || file != proviso_file)
        return proviso_next();
    proviso_back = -1;
    return byte;
}
";

/// Where the program has `ungetc`, these look for a byte that was put back.
const GETCHAR: &str = "
WEAK int getchar(void) { return proviso_byte(stdin); }
WEAK int getchar_unlocked(void) { return proviso_byte(stdin); }
WEAK int getc(void *file) { return proviso_byte(file); }
WEAK int fgetc(void *file) { return proviso_byte(file); }
WEAK int _IO_getc(void *file) { return proviso_byte(file); }
WEAK int getc_unlocked(void *file) { return proviso_byte(file); }
WEAK int fgetc_unlocked(void *file) { return proviso_byte(file); }
";

const GETLINE: &str = "
WEAK long getdelim(char **line, unsigned long *size, int delimiter, void *file)
{
    unsigned long length = 0;
    if (!line || !size)
        return -1;
    if (!*line || !*size) {
        *line = __builtin_realloc(*line, 120);
        *size = 120;
    }
    for (;;) {
        int byte = proviso_byte(file);
        if (byte < 0 && length == 0)
            return -1;
        if (byte < 0)
            break;
        if (length + 2 > *size)
            *line = __builtin_realloc(*line, *size *= 2);
        (*line)[length++] = byte;
        if (byte == delimiter)
            break;
    }
    (*line)[length] = 0;
    return length;
}

WEAK long getline(char **line, unsigned long *size, void *file)
{
    return getdelim(line, size, '\\n', file);
}
";

const FGETS: &str = "
WEAK char *fgets(char *text, int size, void *file)
{
    int length = 0;
    if (size <= 0)
        return 0;
    while (length < size - 1) {
        int byte = proviso_byte(file);
        if (byte < 0)
            break;
        text[length++] = byte;
        if (byte == '\\n')
            break;
    }
    if (length == 0 && size > 1)
        return 0;
    text[length] = 0;
    return text;
}
";

const GETS: &str = "
WEAK char *gets(char *text)
{
    unsigned long length = 0;
    for (;;) {
        int byte = proviso_byte(stdin);
        if (byte < 0 && length == 0)
            return 0;
        if (byte < 0 || byte == '\\n')
            break;
        text[length++] = byte;
    }
    text[length] = 0;
    return text;
}
";

const READ: &str = "
WEAK long read(int file, void *to, unsigned long count)
{
    long length = proviso_next();
    for (long at = 0; at < length; at++)
        ((unsigned char *)to)[at] = proviso_next();
    return length;
}
";

const RECV: &str = "
WEAK long recv(int socket, void *to, unsigned long count, int flags)
{
    long length = proviso_next();
    for (long at = 0; at < length; at++)
        ((unsigned char *)to)[at] = proviso_next();
    return length;
}
";

const FREAD: &str = "
WEAK unsigned long fread(void *to, unsigned long size, unsigned long count, void *file)
{
    if (size == 0 || count == 0)
        return 0;
    long length = proviso_next();
    for (long at = 0; at < length; at++)
        ((unsigned char *)to)[at] = proviso_next();
    return (unsigned long)length / size;
}
";

/// The formats are those that the model understands.
const SCANF: &str = "
QUIET static void proviso_put(void *to, int size)
{
    unsigned long long low = proviso_next(), high = size > 8 ? proviso_next() : 0;
    for (int at = 0; at < size; at++)
        ((unsigned char *)to)[at] = at < 8 ? low >> 8 * at : high >> 8 * (at - 8);
}

QUIET static void proviso_bytes(unsigned char *to, unsigned long most, int ends)
{
    unsigned long length = 0;
    while (length < most) {
        int byte = proviso_next();
        if (byte < 0)
            break;
        to[length++] = byte;
    }
    if (ends)
        to[length] = 0;
}

QUIET static int proviso_scan(const char *at, __builtin_va_list targets)
{
    int result = proviso_next();
    for (int made = 0; *at && made < result; at++) {
        if (*at != '%' || *++at == '%')
            continue;
        int dropped = *at == '*', longs = 0, shorts = 0;
        unsigned long width = 0;
        at += dropped;
        for (; *at >= '0' && *at <= '9'; at++)
            width = 10 * width + (*at - '0');
        for (;; at++) {
            if (*at == 'h')
                shorts++;
            else if (*at == 'l' || (sizeof(long) == 8 && (*at == 'z' || *at == 't')))
                longs++;
            else if (*at == 'q' || *at == 'L' || *at == 'j')
                longs += 2;
            else if (*at != 'z' && *at != 't')
                break;
        }
        int kind = *at;
        if (kind == '[') {
            at += at[1] == '^' ? 2 : 1;
            do
                at++;
            while (*at != ']');
        }
        if (dropped)
            continue;
        void *to = __builtin_va_arg(targets, void *);
        made++;
        if (kind == 'c')
            proviso_bytes(to, width ? width : 1, 0);
        else if (kind == 's' || kind == '[')
            proviso_bytes(to, width ? width : -1ul, 1);
        else if (kind == 'd' || kind == 'i' || kind == 'u' || kind == 'x' || kind == 'X' || kind == 'o')
            proviso_put(to, shorts == 2 ? 1 : shorts ? 2 : longs == 0 ? 4 : longs == 1 ? sizeof(long) : 8);
        else
            proviso_put(to, longs == 0 ? 4 : longs == 1 ? 8 : 10);
    }
    return result;
}
#define PROVISO_SCANF(name) WEAK int name(const char *format, ...) \\
{ \\
    __builtin_va_list targets; \\
    __builtin_va_start(targets, format); \\
    int result = proviso_scan(format, targets); \\
    __builtin_va_end(targets); \\
    return result; \\
}
#define PROVISO_FSCANF(name) WEAK int name(void *file, const char *format, ...) \\
{ \\
    __builtin_va_list targets; \\
    __builtin_va_start(targets, format); \\
    int result = proviso_scan(format, targets); \\
    __builtin_va_end(targets); \\
    return result; \\
}
PROVISO_SCANF(scanf)
PROVISO_SCANF(__isoc99_scanf)
PROVISO_SCANF(__isoc23_scanf)
PROVISO_FSCANF(fscanf)
PROVISO_FSCANF(__isoc99_fscanf)
PROVISO_FSCANF(__isoc23_fscanf)
";

#[cfg(test)]
mod tests {
    use super::Reading;

    #[test]
    fn inputs_belong_to_the_functions_that_read_them() {
        for name in [
            "scanf",
            "fscanf",
            "scanf %d",
            "fgets byte",
            "read length",
            "getline byte",
            "getchar byte",
        ] {
            assert!(Reading::has(name), "{name}");
        }
        for name in ["", "getchar", "read", "fgets", "argument n", "scanner x"] {
            assert!(!Reading::has(name), "{name}");
        }
    }
}
