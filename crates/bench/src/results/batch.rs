//! The results of a batch as all tables and pictures read them.

use std::collections::BTreeSet;

use crate::runner::{Record, Settings};

/// The results of a batch, in an order that does not depend on which run ended first.
pub(super) struct BatchResults<'r> {
    pub settings: &'r Settings,
    pub records: Vec<&'r Record>,
    /// Names of columns: first the columns that are runs of this program.
    pub columns: Vec<&'r str>,
    pub families: Vec<&'r str>,
}

impl<'r> BatchResults<'r> {
    pub fn new(settings: &'r Settings, records: &'r [Record], order: &[String]) -> Self {
        let mut sorted: Vec<&Record> = records.iter().collect();
        sorted.sort_by(|a, b| {
            (&a.category, &a.task, &a.configuration).cmp(&(&b.category, &b.task, &b.configuration))
        });
        let families: BTreeSet<&str> = sorted.iter().map(|r| r.category.as_str()).collect();
        let columns: BTreeSet<&str> = sorted.iter().map(|r| r.configuration.as_str()).collect();
        let mut columns: Vec<&str> = columns.into_iter().collect();
        columns
            .sort_by_key(|name| order.iter().position(|known| known == name).unwrap_or(usize::MAX));
        Self { settings, records: sorted, columns, families: families.into_iter().collect() }
    }

    /// The results of a column.
    pub fn column<'s>(&'s self, name: &'s str) -> impl Iterator<Item = &'r Record> + Clone + 's {
        self.records.iter().copied().filter(move |record| record.configuration == name)
    }
}
