//! The words of a text, as a shell finds them.

/// Splits a text into words as a shell does: at spaces, but not within quotes.
///
/// # Errors
/// If a quote is not closed.
pub fn words(text: &str) -> Result<Vec<String>, String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in text.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                // A quoted word may be empty.
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    match quote {
        Some(open) => Err(format!("the quote {open} is not closed")),
        None => {
            words.extend(word);
            Ok(words)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_hold_words_together() {
        let of = |text: &str| words(text).map(|words| words.join("|"));
        assert_eq!(of("--analysis  bmc"), Ok("--analysis|bmc".to_owned()));
        assert_eq!(of("-D 'A=\"b c\"' \"\""), Ok("-D|A=\"b c\"|".to_owned()));
        assert_eq!(of(""), Ok(String::new()));
        assert!(of("-D 'A=1").is_err() && of("it's").is_err());
    }
}
