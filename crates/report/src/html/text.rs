//! Text that does not come from the report itself, made safe for a page.

pub(super) use base::markup as text;
