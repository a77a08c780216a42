//! Text of others on a page.

pub(super) use base::markup as text;
