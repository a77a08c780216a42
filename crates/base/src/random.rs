//! Numbers that look random and depend on a seed only: the same on every machine, and with every later version of
//! this project's dependencies.

/// A sequence of numbers: `SplitMix64` (Steele, Lea & Flood 2014), which has one word of state.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence of a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// One of many sequences of a seed that have nothing to do with each other.
    #[must_use]
    pub const fn stream(seed: u64, stream: u64) -> Self {
        let mut random = Self(seed ^ stream.wrapping_mul(0xd134_2543_de82_ef95));
        random.next();
        random.next();
        random
    }

    /// Sixty-four random bits.
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below `bound`, which is not 0, and small enough that the bias does not matter.
    pub const fn below(&mut self, bound: usize) -> usize {
        // Both casts are exact: `usize` has at most 64 bits, and the result is below `bound`.
        (self.next() % bound as u64) as usize
    }

    /// A number in `low..=high`, which has fewer than 2^63 numbers.
    pub const fn range(&mut self, low: i64, high: i64) -> i64 {
        low + (self.next() % (high - low + 1) as u64) as i64
    }

    /// Whether an event happens whose chance is one in `times`.
    pub const fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// Whether an event happens whose chance is `percent` in a hundred.
    pub const fn chance(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }

    /// One of the items, all equally likely. `items` must not be empty.
    pub fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }

    /// The index of one of the weights, chosen in proportion to the weights. Their sum is not 0.
    pub fn weighted(&mut self, weights: &[u32]) -> usize {
        let total: u64 = weights.iter().map(|&weight| u64::from(weight)).sum();
        let mut left = self.next() % total;
        for (index, &weight) in weights.iter().enumerate() {
            if left < u64::from(weight) {
                return index;
            }
            left -= u64::from(weight);
        }
        weights.len() - 1
    }

    /// Puts the items into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for index in (1..items.len()).rev() {
            items.swap(index, self.below(index + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_numbers_are_those_of_the_paper() {
        let mut random = Random::new(1_234_567);
        let first = [random.next(), random.next(), random.next()];
        assert_eq!(
            first,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn numbers_stay_within_their_bounds_and_weights_count() {
        let mut random = Random::stream(1, 2);
        let mut counts = [0; 3];
        for _ in 0..3_000 {
            assert!(random.below(7) < 7);
            assert!((-3..=4).contains(&random.range(-3, 4)));
            counts[random.weighted(&[0, 1, 2])] += 1;
        }
        assert_eq!(counts[0], 0);
        assert!(counts[1] > 800 && counts[2] > 1_700, "{counts:?}");
        let mut items: Vec<u32> = (0..50).collect();
        random.shuffle(&mut items);
        assert_ne!(items, (0..50).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..50).collect::<Vec<_>>());
    }
}
