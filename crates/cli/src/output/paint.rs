//! Colours for words that begin a line. The text itself stays as it is.

const RED: &str = "\x1b[1;31m";
const GREEN: &str = "\x1b[1;32m";
const YELLOW: &str = "\x1b[1;33m";
const CYAN: &str = "\x1b[36m";
const PLAIN: &str = "\x1b[0m";

/// Words of messages, each with its colour.
const MESSAGES: [(&str, &str); 6] = [
    ("error:", RED),
    ("internal error:", RED),
    ("warning:", YELLOW),
    ("note:", CYAN),
    ("assumption:", CYAN),
    ("unknown:", YELLOW),
];

/// Words of answers, each with its colour.
const ANSWERS: [(&str, &str); 9] = [
    ("Verification result: TRUE", GREEN),
    ("Verification result: FALSE", RED),
    ("Verification result: UNKNOWN", YELLOW),
    ("Run ended: reached error", RED),
    ("Error:", RED),
    ("  violated ", RED),
    ("  open ", YELLOW),
    ("  proved ", GREEN),
    ("invariant:", CYAN),
];

/// A message about the input or the run.
pub fn message(text: &str, coloured: bool) -> String {
    if !coloured {
        return text.to_owned();
    }
    let lines = text.split('\n').map(|line| match caret(line) {
        Some(at) => format!("{}{RED}{}{PLAIN}", &line[..at], &line[at..]),
        None => painted(line, &MESSAGES),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// An answer and what it rests on.
pub fn answer(text: &str, coloured: bool) -> String {
    if !coloured {
        return text.to_owned();
    }
    let lines = text.split('\n').map(|line| painted(line, &ANSWERS));
    lines.collect::<Vec<_>>().join("\n")
}

fn painted(line: &str, words: &[(&str, &str)]) -> String {
    match words.iter().find(|(word, _)| line.starts_with(word)) {
        Some((word, colour)) => format!("{colour}{word}{PLAIN}{}", &line[word.len()..]),
        None => line.to_owned(),
    }
}

/// Where the carets below an excerpt begin.
fn caret(line: &str) -> Option<usize> {
    let (margin, marks) = line.split_once('|')?;
    let is_mark = !marks.trim().is_empty() && marks.trim().chars().all(|c| c == '^');
    (margin.trim().is_empty() && is_mark).then(|| line.find('^')).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_at_the_start_of_a_line_have_colours() {
        let text = "error: no\n --> a.c:1:1\n  |\n1 | x ^ y\n  |   ^^";
        let painted = message(text, true);
        assert_eq!(
            painted,
            format!("{RED}error:{PLAIN} no\n --> a.c:1:1\n  |\n1 | x ^ y\n  |   {RED}^^{PLAIN}")
        );
        assert_eq!(message(text, false), text);
        let verdict = "a TRUE\nVerification result: UNKNOWN (time limit)\n";
        let painted = answer(verdict, true);
        assert_eq!(
            painted,
            format!("a TRUE\n{YELLOW}Verification result: UNKNOWN{PLAIN} (time limit)\n")
        );
    }
}
