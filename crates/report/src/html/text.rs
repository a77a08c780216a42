//! Text of others on a page.

use crate::proviso::escaped;

/// Text of others as HTML, without characters that do something else than to be shown.
pub(super) fn text(text: &str) -> String {
    escaped(&base::plain(text))
}
