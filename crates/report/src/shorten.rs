//! Long texts made short, for people.

use base::tokens::is_word;

/// A shortened text may lose up to this many more characters, so that it ends at the end of a word or a sign.
const GIVEN_UP: usize = 40;

/// The first `most` characters of a text, followed by a mark; a text that is not longer is kept as it is. Words and
/// signs are not cut in the middle.
#[must_use]
pub fn beginning(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text[..before(text, end)].trim_end()),
        None => text.to_owned(),
    }
}

/// A sentence without its middle if it is long: `first` characters of its beginning and `last` of its end stay.
/// Entries of a list in the sentence are kept or left out as a whole where that is possible.
pub(crate) fn without_middle(text: &str, first: usize, last: usize) -> String {
    let characters = text.chars().count();
    if characters <= first + last {
        return text.to_owned();
    }
    let at = |number: usize| text.char_indices().nth(number).map_or(text.len(), |(at, _)| at);
    let (end, start) = (at(first), at(characters - last));
    let listed = text[..end].rfind(", ").map(|comma| comma + 1);
    let end = listed.filter(|comma| *comma > end / 2).unwrap_or_else(|| before(text, end));
    let listed = text[start..].find(", ").map(|comma| start + comma + 2);
    let is_near = |after: &usize| after - start < (text.len() - start) / 2;
    let start = listed.filter(is_near).unwrap_or_else(|| behind(text, start));
    format!("{} … {}", text[..end].trim_end(), text[start..].trim_start())
}

/// The last place up to an offset where no word or sign is cut, or the offset itself if there is none near.
fn before(text: &str, offset: usize) -> usize {
    let places = text[..offset].char_indices().rev().map(|(at, _)| at);
    let mut near = std::iter::once(offset).chain(places).take(GIVEN_UP);
    near.find(|at| *at > 0 && !is_inside(text, *at)).unwrap_or(offset)
}

/// The first place from an offset on where no word or sign is cut, or the offset itself if there is no such place
/// near the offset.
fn behind(text: &str, offset: usize) -> usize {
    let places = text[offset..].char_indices().map(|(at, _)| offset + at);
    places.take(GIVEN_UP).find(|at| !is_inside(text, *at)).unwrap_or(offset)
}

/// Whether an offset is in the middle of a word or a sign.
fn is_inside(text: &str, offset: usize) -> bool {
    let is_sign = |c: char| "+-*/%=<>!&|^.".contains(c);
    match (text[..offset].chars().next_back(), text[offset..].chars().next()) {
        (Some(a), Some(b)) => is_word(a) && is_word(b) || is_sign(a) && is_sign(b),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_signs_stay_whole() {
        for (text, most, short) in [
            ("counter <= limit", 30, "counter <= limit"),
            ("counter <= limit", 14, "counter <=…"),
            ("counter <= limit", 9, "counter…"),
            ("counter <= limit", 4, "coun…"),
            ("f(first, second)", 8, "f(first,…"),
            ("f(first, second)", 7, "f(first…"),
        ] {
            assert_eq!(beginning(text, most), short);
        }
    }

    #[test]
    fn long_sentences_keep_their_ends() {
        let long: Vec<String> = (0..60).map(|line| format!("line {line} [x > {line}]")).collect();
        let long = format!("every execution that begins with {}", long.join(", "));
        let shown = without_middle(&long, 90, 150);
        let first = "every execution that begins with line 0 [x > 0], line 1 [x > 1], line 2 [x > 2], … line ";
        assert!(shown.starts_with(first), "{shown}");
        assert!(shown.ends_with("], line 59 [x > 59]"), "{shown}");
        assert!(shown.chars().count() <= 90 + 150 + 3, "{shown}");
        assert_eq!(without_middle("short", 90, 150), "short");
        let wide = "ä".repeat(300);
        assert_eq!(without_middle(&wide, 90, 150).chars().count(), 90 + 150 + 3);
    }
}
