//! The rows of the simplex: each expresses a basic column by nonbasic ones.

use super::rational::Rational;

/// A column by its position.
pub(super) type Column = u32;

/// A sum of columns, sorted by column, without zero factors. It is not a [`super::Sum`] because pivots merge sorted
/// lists, and because their numbers are machine integers as long as these are enough.
pub(super) type ColumnSum = Vec<(Column, Rational)>;

const NONBASIC: u32 = u32::MAX;

/// Sparse rows, with an index of the rows that use each column.
#[derive(Clone, Default)]
pub(super) struct Tableau {
    /// The basic column of each row and the sum that it equals; no basic column is in any sum.
    rows: Vec<(Column, ColumnSum)>,
    /// The row of each basic column, `NONBASIC` for nonbasic columns.
    row: Vec<u32>,
    /// For each nonbasic column exactly the rows whose sums contain it.
    uses: Vec<Vec<u32>>,
    /// How many factors all sums have.
    factors: usize,
}

impl Tableau {
    pub(super) fn column(&mut self) -> Column {
        self.row.push(NONBASIC);
        self.uses.push(Vec::new());
        // Columns are numbered by u32 throughout.
        (self.row.len() - 1) as u32
    }

    pub(super) fn rows(&self) -> usize {
        self.rows.len()
    }

    /// How many factors all rows have, a measure of memory.
    pub(super) fn factors(&self) -> usize {
        self.factors
    }

    /// All rows: the basic column and its sum.
    pub(super) fn iter(&self) -> impl Iterator<Item = &(Column, ColumnSum)> {
        self.rows.iter()
    }

    pub(super) fn is_basic(&self, column: Column) -> bool {
        self.row[column as usize] != NONBASIC
    }

    /// The rows that use a nonbasic column.
    pub(super) fn uses(&self, column: Column) -> &[u32] {
        &self.uses[column as usize]
    }

    pub(super) fn basic(&self, row: u32) -> Column {
        self.rows[row as usize].0
    }

    /// The sum that a basic column equals; empty for a nonbasic column.
    pub(super) fn row_of(&self, basic: Column) -> &[(Column, Rational)] {
        self.rows.get(self.row[basic as usize] as usize).map_or(&[], |(_, sum)| sum)
    }

    /// The factor of a column in a row.
    pub(super) fn factor(&self, row: u32, column: Column) -> Option<&Rational> {
        let sum = &self.rows[row as usize].1;
        sum.binary_search_by_key(&column, |term| term.0).ok().map(|at| &sum[at].1)
    }

    /// Makes a column that no row uses the basic column of a new row.
    pub(super) fn define(&mut self, slack: Column, terms: &[(Column, Rational)]) {
        let mut sum: ColumnSum =
            terms.iter().filter(|(column, _)| !self.is_basic(*column)).cloned().collect();
        sum.sort_by_key(|term| term.0);
        for (column, factor) in terms {
            if self.is_basic(*column) {
                sum = combine(&sum, factor, self.row_of(*column), |_, _| {});
            }
        }
        let row = self.rows.len() as u32;
        for (column, _) in &sum {
            self.uses[*column as usize].push(row);
        }
        self.row[slack as usize] = row;
        self.factors += sum.len();
        self.rows.push((slack, sum));
    }

    /// Exchanges a basic column and a nonbasic column of its row.
    pub(super) fn pivot(&mut self, leaving: Column, entering: Column) {
        let row = self.row[leaving as usize];
        let Some(factor) = self.factor(row, entering) else { return };
        let inverse = factor.recip();
        let scale = -&inverse;
        // The row, solved for `entering`.
        let mut sum: ColumnSum = Vec::with_capacity(self.rows[row as usize].1.len());
        for (column, factor) in &self.rows[row as usize].1 {
            if *column != entering {
                sum.push((*column, &scale * factor));
            }
        }
        let at = sum.partition_point(|term| term.0 < leaving);
        sum.insert(at, (leaving, inverse));

        let mut users = std::mem::take(&mut self.uses[entering as usize]);
        self.uses[leaving as usize].push(row);
        for user in users.drain(..) {
            if user == row {
                continue;
            }
            let target = &mut self.rows[user as usize].1;
            let Ok(at) = target.binary_search_by_key(&entering, |term| term.0) else { continue };
            self.factors -= target.len();
            let (_, factor) = target.remove(at);
            let uses = &mut self.uses;
            *target = combine(target, &factor, &sum, |column, appears| {
                let users = &mut uses[column as usize];
                if appears {
                    users.push(user);
                } else if let Some(at) = users.iter().position(|row| *row == user) {
                    users.swap_remove(at);
                }
            });
            self.factors += target.len();
        }
        self.uses[entering as usize] = users;
        self.rows[row as usize] = (entering, sum);
        self.row[entering as usize] = row;
        self.row[leaving as usize] = NONBASIC;
    }
}

/// `left + factor * right`. The function `note` is called for each column that was not in `left` and appears, and for
/// each column of `left` that vanishes.
fn combine(
    left: &[(Column, Rational)],
    factor: &Rational,
    right: &[(Column, Rational)],
    mut note: impl FnMut(Column, bool),
) -> ColumnSum {
    let mut sum = ColumnSum::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left.iter().peekable(), right.iter().peekable());
    loop {
        match (left.peek(), right.peek()) {
            (Some(a), Some(b)) if a.0 == b.0 => {
                let total = a.1.plus(factor, &b.1);
                if total.is_zero() {
                    note(a.0, false);
                } else {
                    sum.push((a.0, total));
                }
                left.next();
                right.next();
            }
            (Some(a), b) if b.is_none_or(|b| a.0 < b.0) => {
                sum.push((*a).clone());
                left.next();
            }
            (_, Some(b)) => {
                note(b.0, true);
                sum.push((b.0, factor * &b.1));
                right.next();
            }
            // If only the left sum has a term left, the first case has taken it.
            (_, None) => return sum,
        }
    }
}
