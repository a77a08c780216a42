//! Sets of small numbers.

/// A set of predicates, by their numbers.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// The set of all numbers below a bound.
    #[must_use]
    pub fn below(bound: usize) -> Self {
        (0..bound).collect()
    }

    /// Adds a number.
    pub fn insert(&mut self, number: usize) {
        let word = number / 64;
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (number % 64);
    }

    /// Takes a number away.
    pub fn remove(&mut self, number: usize) {
        if let Some(word) = self.words.get_mut(number / 64) {
            *word &= !(1 << (number % 64));
        }
    }

    /// Whether a number is in the set.
    #[must_use]
    pub fn contains(&self, number: usize) -> bool {
        self.words.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// Whether all of the set is in another.
    #[must_use]
    pub fn is_subset(&self, other: &Self) -> bool {
        let zero = std::iter::repeat(&0);
        self.words.iter().zip(other.words.iter().chain(zero)).all(|(a, b)| a & !b == 0)
    }

    /// What is in both sets.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        Self { words: self.words.iter().zip(&other.words).map(|(a, b)| a & b).collect() }
    }

    /// The numbers, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(index, word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| index * 64 + bit)
        })
    }

    /// How many numbers there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether the set is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }
}

impl FromIterator<usize> for Bits {
    fn from_iter<T: IntoIterator<Item = usize>>(numbers: T) -> Self {
        let mut bits = Self::default();
        for number in numbers {
            bits.insert(number);
        }
        bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_behave_like_sets() {
        let a: Bits = [1, 64, 200].into_iter().collect();
        let mut b = Bits::below(65);
        assert!(!a.is_subset(&b));
        assert_eq!(a.intersection(&b).iter().collect::<Vec<_>>(), [1, 64]);
        b.insert(200);
        assert!(a.is_subset(&b) && !b.is_subset(&a));
        b.remove(64);
        assert!(!a.is_subset(&b) && !b.contains(64) && b.contains(200));
        assert_eq!((a.len(), Bits::default().is_empty()), (3, true));
    }
}
