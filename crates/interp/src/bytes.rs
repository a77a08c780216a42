//! The bytes of an object, some of which may have no value yet.

use crate::inputs::Havoc;

/// Bytes with a note of those whose value nobody has chosen yet.
pub(crate) struct Bytes {
    data: Vec<u8>,
    /// `None` if every byte has a value, which is what matters for speed.
    undefined: Option<Box<Undefined>>,
}

struct Undefined {
    /// A bit for each byte without a value.
    map: Vec<u64>,
    /// How many bits are set.
    count: u64,
    /// Which operations made bytes arbitrary: start, end, operation. Where entries overlap, the later entry holds;
    /// bytes in no entry were never initialised.
    havocs: Vec<(u64, u64, Havoc)>,
}

/// What a stretch of bytes held.
pub(crate) struct Saved {
    pub(crate) data: Vec<u8>,
    /// Empty if all bytes have values.
    pub(crate) undefined: Vec<bool>,
    pub(crate) havocs: Vec<(u64, u64, Havoc)>,
}

impl Undefined {
    fn get(&self, at: u64) -> bool {
        self.map[(at / 64) as usize] >> (at % 64) & 1 == 1
    }

    fn set(&mut self, at: u64, undefined: bool) {
        self.set_all(at, at + 1, undefined);
    }

    /// Sets the bits from `from` up to `to`, a word at a time.
    fn set_all(&mut self, from: u64, to: u64, undefined: bool) {
        let mut at = from;
        while at < to {
            let (word, mask, end) = Self::word(at, to);
            let old = self.map[word];
            let new = if undefined { old | mask } else { old & !mask };
            self.map[word] = new;
            self.count = self.count + u64::from(new.count_ones()) - u64::from(old.count_ones());
            at = end;
        }
    }

    /// The first bit from `from` up to `to` that is `undefined`, or `to`.
    fn first(&self, from: u64, to: u64, undefined: bool) -> u64 {
        let mut at = from;
        while at < to {
            let (word, mask, end) = Self::word(at, to);
            let bits = if undefined { self.map[word] } else { !self.map[word] } & mask;
            if bits != 0 {
                return at / 64 * 64 + u64::from(bits.trailing_zeros());
            }
            at = end;
        }
        to
    }

    /// The index of the word that holds the bit `at`, a mask of the bits of that word from `at` up to `to`, and the
    /// position at which these bits end.
    fn word(at: u64, to: u64) -> (usize, u64, u64) {
        let end = to.min((at / 64 + 1) * 64);
        let mask = u64::MAX << (at % 64) & u64::MAX >> ((64 - end % 64) % 64);
        ((at / 64) as usize, mask, end)
    }
}

impl Bytes {
    /// `length` zeros, or `length` bytes without a value.
    pub(crate) fn new(length: usize, defined: bool) -> Self {
        let undefined = (!defined && length > 0).then(|| {
            let mut map = vec![u64::MAX; length.div_ceil(64)];
            if !length.is_multiple_of(64) {
                let last = map.len() - 1;
                map[last] = (1 << (length % 64)) - 1;
            }
            Box::new(Undefined { map, count: length as u64, havocs: Vec::new() })
        });
        Self { data: vec![0; length], undefined }
    }

    pub(crate) fn len(&self) -> u64 {
        self.data.len() as u64
    }

    pub(crate) fn is_undefined(&self, offset: u64, length: u64) -> bool {
        self.undefined.is_some() && self.undefined_run(offset, length).is_some()
    }

    /// Start and length of the first run of bytes without a value.
    pub(crate) fn undefined_run(&self, offset: u64, length: u64) -> Option<(u64, u64)> {
        let undefined = self.undefined.as_ref()?;
        let to = offset + length;
        let start = undefined.first(offset, to, true);
        (start < to).then(|| (start, undefined.first(start, to, false) - start))
    }

    pub(crate) fn havoc_at(&self, offset: u64) -> Option<Havoc> {
        let havocs = &self.undefined.as_ref()?.havocs;
        havocs
            .iter()
            .rev()
            .find(|(start, end, _)| (*start..*end).contains(&offset))
            .map(|entry| entry.2)
    }

    pub(crate) fn read(&self, offset: u64, length: u64) -> &[u8] {
        &self.data[offset as usize..(offset + length) as usize]
    }

    pub(crate) fn write(&mut self, offset: u64, bytes: &[u8]) {
        self.data[offset as usize..offset as usize + bytes.len()].copy_from_slice(bytes);
        self.define(offset, bytes.len() as u64);
    }

    pub(crate) fn fill(&mut self, offset: u64, length: u64, byte: u8) {
        self.data[offset as usize..(offset + length) as usize].fill(byte);
        self.define(offset, length);
    }

    pub(crate) fn copy_within(&mut self, to: u64, from: u64, length: u64) {
        self.data.copy_within(from as usize..(from + length) as usize, to as usize);
        self.define(to, length);
    }

    fn define(&mut self, offset: u64, length: u64) {
        if let Some(undefined) = &mut self.undefined {
            undefined.set_all(offset, offset + length, false);
            if undefined.count == 0 {
                self.undefined = None;
            }
        }
    }

    fn undefined_mut(&mut self) -> &mut Undefined {
        let words = self.data.len().div_ceil(64);
        self.undefined.get_or_insert_with(|| {
            Box::new(Undefined { map: vec![0; words], count: 0, havocs: Vec::new() })
        })
    }

    pub(crate) fn havoc(&mut self, offset: u64, length: u64, by: Havoc) {
        let end = offset + length;
        let undefined = self.undefined_mut();
        undefined.set_all(offset, end, true);
        undefined.havocs.retain(|(from, to, _)| *from < offset || *to > end);
        undefined.havocs.push((offset, end, by));
    }

    pub(crate) fn save(&self, offset: u64, length: u64) -> Saved {
        let undefined = match &self.undefined {
            Some(undefined) => (offset..offset + length).map(|at| undefined.get(at)).collect(),
            None => Vec::new(),
        };
        let havocs =
            self.undefined.as_ref().map(|undefined| undefined.havocs.clone()).unwrap_or_default();
        Saved { data: self.read(offset, length).to_vec(), undefined, havocs }
    }

    pub(crate) fn restore(&mut self, offset: u64, saved: Saved) {
        self.write(offset, &saved.data);
        if saved.undefined.contains(&true) {
            let undefined = self.undefined_mut();
            for (at, was) in (offset..).zip(&saved.undefined) {
                undefined.set(at, *was);
            }
            undefined.havocs = saved.havocs;
        }
    }
}
