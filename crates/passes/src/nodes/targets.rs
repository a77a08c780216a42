//! Where addresses may point, to the byte: objects by the operation that makes them, and how far into them.
//!
//! Sets for each variable and each place in objects, and inclusions that are followed until nothing
//! changes, whatever the order in which things happen. What a variable or a place may hold is in its set,
//! as long as no access uses an address that was loaded from memory which nobody has set. The loads for
//! which this has to be shown are collected.

use std::collections::{BTreeMap, BTreeSet};

use cfa::{Cfa, Contents, EdgeId, LocId, ObjectSite, Op, Program, Scope};
use term::{Op as Operator, Sort, TermId, Terms, Value, Var, View};

use crate::flow::may_store;
use crate::op_place::OpPlace;

/// What a value may be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Target {
    /// The address of an object with a number added.
    At(ObjectSite, i64),
    /// Something computed from the address of an object.
    In(ObjectSite),
    /// This number.
    Number(u64),
    /// Some number that is computed from no address.
    Any,
    /// What an operation loaded from memory that nobody had set.
    Unset(OpPlace),
}

pub(super) type Set = BTreeSet<Target>;

/// More offsets into one object are not told apart.
const MOST_OFFSETS: usize = 16;

/// More numbers are not told apart.
const MOST_NUMBERS: usize = 12;

/// Programs with more operations are left alone.
const MOST_OPERATIONS: usize = 20_000;

/// No object is below this address.
const FIRST_PAGE: u64 = 4096;

/// The sets of a program.
pub(super) struct Targets<'p> {
    program: &'p Program,
    vars: BTreeMap<Var, Set>,
    /// What is stored at a place of the objects of a site: the offset, and the number of bytes.
    stored: BTreeMap<(ObjectSite, i64, u64), Set>,
    /// What is stored in objects of a site at places that are not told apart.
    anywhere: BTreeMap<ObjectSite, Set>,
    /// Loads whose results are used as addresses although memory may be loaded that nobody has set.
    pub(super) checked: BTreeSet<OpPlace>,
    /// Whether the program does something that is not understood.
    refused: bool,
    changed: bool,
}

impl<'p> Targets<'p> {
    /// Finds the targets of a program without calls. `None` if the program is too large or not understood.
    pub(super) fn of(program: &'p Program) -> Option<Self> {
        let cfa = &program.cfa;
        let operations: usize = cfa.edges.iter().map(|edge| edge.ops.len()).sum();
        if operations > MOST_OPERATIONS {
            return None;
        }
        let mut targets = Self {
            program,
            vars: BTreeMap::new(),
            stored: BTreeMap::new(),
            anywhere: BTreeMap::new(),
            checked: BTreeSet::new(),
            refused: false,
            changed: true,
        };
        for var in read_before_set(program) {
            targets.add_to(var, &Set::from([Target::Any]));
        }
        while std::mem::take(&mut targets.changed) {
            for (edge, known) in cfa.edges.entries() {
                for (number, op) in (0..).zip(&known.ops) {
                    targets.perform((edge, number), op);
                }
            }
            if targets.refused {
                return None;
            }
        }
        let ops = cfa.edges.iter().flat_map(|edge| &edge.ops);
        ops.into_iter().all(|op| targets.understands(op)).then_some(targets)
    }

    /// Whether it is known to which objects the bytes belong that an operation accesses: each byte is at a known
    /// distance from the beginning of an object, and before its end. Right behind an object another one may begin. An
    /// address that was found out by comparing bits, or that went through memory outside, is not computed from any
    /// address that the sets know.
    fn understands(&self, op: &Op) -> bool {
        let terms = &self.program.terms;
        let (address, length) = match op {
            Op::Load { var, address } => (address, cfa::stored_bytes(terms.var_sort(*var))),
            Op::Store { address, value } => (address, cfa::stored_bytes(terms.sort(*value))),
            Op::Fill { address, length, .. } => (address, terms.number(*length)),
            // A conversion that stores may store at a number that is the address of an object.
            Op::Output { function, arguments } => {
                return !may_store(self.program, function, arguments);
            }
            // What is copied from memory that nobody has set would have to be followed, too.
            Op::Copy { .. } | Op::HavocMemory { .. } => return false,
            _ => return true,
        };
        self.of_term(*address).into_iter().all(|target| match target {
            Target::At(site, offset) => {
                length.is_some_and(|length| self.fits(site, offset, length))
            }
            Target::Number(number) => is_in_no_object(number),
            Target::Unset(_) => true,
            Target::In(_) | Target::Any => false,
        })
    }

    /// Whether so many bytes are inside of the objects of a site.
    pub(super) fn fits(&self, site: ObjectSite, offset: i64, length: u64) -> bool {
        let cfa = &self.program.cfa;
        let size = match site {
            ObjectSite::Initial(object) => Some(cfa.objects[object].size),
            ObjectSite::Alloc(edge, number) => match &cfa.edges[edge].ops[number as usize] {
                Op::Alloc { size, .. } => self.program.terms.number(*size),
                _ => None,
            },
        };
        let end = u64::try_from(offset).ok().and_then(|at| at.checked_add(length.max(1)));
        size.zip(end).is_some_and(|(size, end)| end <= size)
    }

    /// What a term may be.
    pub(super) fn of_term(&self, term: TermId) -> Set {
        self.of_known(&self.program.terms, term)
    }

    /// What a term of a table that has grown may be.
    pub(super) fn of_known(&self, terms: &Terms, term: TermId) -> Set {
        let mut known: BTreeMap<TermId, Set> = BTreeMap::new();
        for part in terms.post_order(&[term]) {
            let set = match terms.view(part) {
                View::Var(var) => self.of_var(var),
                View::Const(Value::Bv(bits)) if bits.width() == self.program.cfa.address_width => {
                    Set::from([bits.to_u64().map_or(Target::Any, Target::Number)])
                }
                View::Const(_) => Set::from([Target::Any]),
                View::App(Operator::BvAdd, &[a, b]) => match (one(&known[&a]), one(&known[&b])) {
                    (_, Some(number)) => self.moved(&known[&a], number),
                    (Some(number), _) => self.moved(&known[&b], number),
                    _ => mixed([&known[&a], &known[&b]]),
                },
                View::App(Operator::BvSub, &[a, b]) => match one(&known[&b]) {
                    Some(number) => self.moved(&known[&a], number.wrapping_neg()),
                    None => mixed([&known[&a], &known[&b]]),
                },
                View::App(Operator::Ite, &[_, a, b]) => &known[&a] | &known[&b],
                // Comparisons give no addresses.
                View::App(_, args) => {
                    let is_word = |arg: &&TermId| terms.sort(**arg) != Sort::Bool;
                    mixed(args.iter().filter(is_word).map(|arg| &known[arg]))
                }
            };
            known.insert(part, set);
        }
        known.remove(&term).unwrap_or_default()
    }

    /// What a variable may hold.
    pub(super) fn of_var(&self, var: Var) -> Set {
        match self.program.cfa.variables.get(var).map(|known| known.scope) {
            Some(Scope::Address(object)) => Set::from([Target::At(ObjectSite::Initial(object), 0)]),
            _ => self.vars.get(&var).cloned().unwrap_or_default(),
        }
    }

    fn moved(&self, set: &Set, by: u64) -> Set {
        let width = self.program.cfa.address_width;
        let mask = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
        let sign = 1_u64 << (width - 1);
        let moved = set.iter().map(|target| match target {
            Target::At(site, offset) => {
                let sum = (*offset as u64).wrapping_add(by) & mask;
                let signed = (sum ^ sign).wrapping_sub(sign);
                Target::At(*site, signed as i64)
            }
            Target::Number(number) => Target::Number(number.wrapping_add(by) & mask),
            other => *other,
        });
        moved.collect()
    }

    fn add_to(&mut self, var: Var, set: &Set) {
        self.changed |= join(self.vars.entry(var).or_default(), set);
    }

    fn perform(&mut self, place: OpPlace, op: &Op) {
        let terms = &self.program.terms;
        match op {
            Op::Assign { var, value } => {
                if terms.var_sort(*var) != Sort::Bool {
                    let set = self.of_term(*value);
                    self.add_to(*var, &set);
                }
            }
            Op::Havoc { var, .. } | Op::Size { var, .. } => {
                self.add_to(*var, &Set::from([Target::Any]));
            }
            Op::Load { var, address } => {
                let Some(length) = cfa::stored_bytes(terms.var_sort(*var)) else {
                    self.refused = true;
                    return;
                };
                let from = self.of_term(*address);
                let set = self.loaded(&from, Some(length), place);
                self.add_to(*var, &set);
            }
            Op::Store { address, value } => {
                let length = cfa::stored_bytes(terms.sort(*value));
                let (to, set) = (self.of_term(*address), self.of_term(*value));
                self.store(&to, length, &set);
            }
            Op::Copy { to, from, .. } => {
                let (to, from) = (self.of_term(*to), self.of_term(*from));
                let set = self.loaded(&from, None, place);
                self.store(&to, None, &set);
            }
            Op::Fill { address, .. } | Op::HavocMemory { address, .. } => {
                let to = self.of_term(*address);
                self.store(&to, None, &Set::from([Target::Any]));
            }
            Op::Alloc { var, .. } => {
                let site = ObjectSite::Alloc(place.0, place.1);
                self.add_to(*var, &Set::from([Target::At(site, 0)]));
            }
            // What is printed may be a place that a conversion stores to.
            Op::Output { arguments, .. } => {
                for argument in arguments {
                    let set = self.of_term(*argument);
                    self.refused |= sites(&set).any(|site| !is_constant(&self.program.cfa, site));
                }
            }
            Op::HavocReachable { .. } | Op::Call { .. } => self.refused = true,
            Op::Assume(_)
            | Op::Valid { .. }
            | Op::Free { .. }
            | Op::Check { .. }
            | Op::Exit(_)
            | Op::Abort
            | Op::Unsupported(_) => {}
        }
    }

    /// Whether an access to a target may be to memory outside. Also notes a load that has to be checked, and refuses
    /// the program if the target may be the address of any object.
    fn is_outside(&mut self, target: Target) -> bool {
        match target {
            Target::Number(number) if is_in_no_object(number) => false,
            Target::Number(_) | Target::Any => {
                // An input may be the address of any object unless the program says otherwise.
                self.refused |= self.program.cfa.outside.is_none();
                true
            }
            Target::Unset(load) => {
                self.changed |= self.checked.insert(load);
                false
            }
            Target::At(..) | Target::In(_) => false,
        }
    }

    fn loaded(&mut self, from: &Set, length: Option<u64>, place: OpPlace) -> Set {
        let mut set = Set::new();
        for target in from {
            match (*target, length) {
                (Target::At(site, offset), Some(length)) => {
                    join(&mut set, &self.contents(site, offset, length, place));
                }
                (Target::At(site, _) | Target::In(site), _) => {
                    join(&mut set, &self.all_contents(site, place));
                }
                (other, _) => {
                    if self.is_outside(other) {
                        set.insert(Target::Any);
                    }
                }
            }
        }
        set
    }

    fn store(&mut self, to: &Set, length: Option<u64>, set: &Set) {
        for target in to {
            match (*target, length) {
                (Target::At(site, offset), Some(length)) => {
                    let stored = self.stored.entry((site, offset, length)).or_default();
                    self.changed |= join(stored, set);
                }
                (Target::At(site, _) | Target::In(site), _) => {
                    let anywhere = self.anywhere.entry(site).or_default();
                    self.changed |= join(anywhere, &mixed([set]));
                }
                (other, _) => {
                    self.is_outside(other);
                }
            }
        }
    }

    /// What may stand at a place of the objects of a site.
    pub(super) fn contents(
        &self,
        site: ObjectSite,
        offset: i64,
        length: u64,
        place: OpPlace,
    ) -> Set {
        let is_word = length * 8 == u64::from(self.program.cfa.address_width);
        let mut set = self.anywhere.get(&site).cloned().unwrap_or_default();
        for ((_, other, bytes), held) in self.stored_in(site) {
            if (other, bytes) == (offset, length) && is_word {
                join(&mut set, held);
            } else if overlaps((other, bytes), (offset, length)) {
                join(&mut set, &mixed([held]));
            }
        }
        let first = self.first_contents(site, offset, length, place);
        join(&mut set, &if is_word { first } else { mixed([&first]) });
        set
    }

    fn stored_in(&self, site: ObjectSite) -> impl Iterator<Item = ((ObjectSite, i64, u64), &Set)> {
        let range = (site, i64::MIN, 0)..=(site, i64::MAX, u64::MAX);
        self.stored.range(range).map(|(key, set)| (*key, set))
    }

    fn all_contents(&self, site: ObjectSite, place: OpPlace) -> Set {
        let mut all = self.anywhere.get(&site).cloned().unwrap_or_default();
        for (_, held) in self.stored_in(site) {
            join(&mut all, held);
        }
        match site {
            ObjectSite::Alloc(edge, number) => {
                let is_set = matches!(
                    self.program.cfa.edges[edge].ops[number as usize],
                    Op::Alloc { zeroed: true, .. }
                );
                all.insert(if is_set { Target::Any } else { Target::Unset(place) });
            }
            ObjectSite::Initial(object) => {
                all.insert(Target::Any);
                if let Contents::Bytes(_, patches) = &self.program.cfa.objects[object].contents {
                    for patch in patches {
                        join(&mut all, &self.of_term(patch.value));
                    }
                }
            }
        }
        mixed([&all])
    }

    /// What stands at a place before anything is stored.
    fn first_contents(&self, site: ObjectSite, offset: i64, length: u64, place: OpPlace) -> Set {
        let cfa = &self.program.cfa;
        let object = match site {
            ObjectSite::Alloc(edge, number) => {
                let Op::Alloc { zeroed, .. } = &cfa.edges[edge].ops[number as usize] else {
                    return Set::from([Target::Any]);
                };
                return Set::from([if *zeroed { Target::Number(0) } else { Target::Unset(place) }]);
            }
            ObjectSite::Initial(object) => object,
        };
        let Contents::Bytes(bytes, patches) = &cfa.objects[object].contents else {
            return Set::from([Target::Any]);
        };
        let mut patched = Set::new();
        for patch in patches {
            let sort = self.program.terms.sort(patch.value);
            let size = cfa::stored_bytes(sort).unwrap_or(u64::MAX / 2);
            let at = (patch.offset as i64, size);
            if at == (offset, length) {
                return self.of_term(patch.value);
            }
            if overlaps(at, (offset, length)) {
                patched.extend(mixed([&self.of_term(patch.value), &Set::from([Target::Any])]));
            }
        }
        if !patched.is_empty() {
            return patched;
        }
        number_in(bytes, offset, length)
            .map_or_else(|| Set::from([Target::Any]), |number| Set::from([Target::Number(number)]))
    }
}

/// Whether an address is one of the first, where no object is.
pub(super) const fn is_in_no_object(address: u64) -> bool {
    address < FIRST_PAGE
}

/// The number that some bytes of an object make up. Bytes that are not given are zero.
pub(super) fn number_in(bytes: &[u8], offset: i64, length: u64) -> Option<u64> {
    let offset = usize::try_from(offset).ok().filter(|_| length <= 8)?;
    let byte = |at: usize| u64::from(bytes.get(offset + at).copied().unwrap_or(0));
    Some((0..length as usize).map(|at| byte(at) << (8 * at)).sum())
}

/// Whether two stretches of an object have a byte in common.
pub(super) fn overlaps(a: (i64, u64), b: (i64, u64)) -> bool {
    let end = |(first, length): (i64, u64)| i128::from(first) + i128::from(length);
    i128::from(a.0) < end(b) && i128::from(b.0) < end(a)
}

/// The sites in a set.
pub(super) fn sites(set: &Set) -> impl Iterator<Item = ObjectSite> + '_ {
    set.iter().filter_map(|target| match target {
        Target::At(site, _) | Target::In(site) => Some(*site),
        _ => None,
    })
}

/// The number that a set consists of, if it consists of one number.
fn one(set: &Set) -> Option<u64> {
    match set.first() {
        Some(Target::Number(number)) if set.len() == 1 => Some(*number),
        _ => None,
    }
}

/// What may be computed from some values.
fn mixed<'a>(sets: impl IntoIterator<Item = &'a Set>) -> Set {
    let all = sets.into_iter().flatten().map(|target| match target {
        Target::At(site, _) | Target::In(site) => Target::In(*site),
        Target::Number(_) | Target::Any => Target::Any,
        Target::Unset(place) => Target::Unset(*place),
    });
    all.collect()
}

/// Adds targets to a set. If there are too many, fewer and less exact targets take their place. Gives whether the set
/// has changed.
fn join(set: &mut Set, more: &Set) -> bool {
    let mut changed = false;
    for target in more {
        let is_there = match target {
            Target::At(site, _) => set.contains(&Target::In(*site)),
            Target::Number(_) => set.contains(&Target::Any),
            _ => false,
        };
        if is_there || !set.insert(*target) {
            continue;
        }
        changed = true;
        match *target {
            Target::At(site, _) => {
                let same = |other: &&Target| matches!(other, Target::At(of, _) if *of == site);
                if set.iter().filter(same).count() > MOST_OFFSETS {
                    set.insert(Target::In(site));
                }
            }
            Target::Number(_) => {
                let is_number = |other: &&Target| matches!(other, Target::Number(_));
                if set.iter().filter(is_number).count() > MOST_NUMBERS {
                    set.insert(Target::Any);
                }
            }
            _ => {}
        }
    }
    changed
}

fn is_constant(cfa: &Cfa, site: ObjectSite) -> bool {
    match site {
        ObjectSite::Initial(object) => cfa.objects[object].kind != cfa::ObjectKind::Data,
        ObjectSite::Alloc(..) => false,
    }
}

/// The variables that an execution may read before the program has set them.
fn read_before_set(program: &Program) -> BTreeSet<Var> {
    let Program { cfa, terms, .. } = program;
    let mut live: BTreeMap<LocId, BTreeSet<Var>> = BTreeMap::new();
    let mut incoming: BTreeMap<LocId, Vec<EdgeId>> = BTreeMap::new();
    for (edge, known) in cfa.edges.entries() {
        incoming.entry(known.target).or_default().push(edge);
    }
    let mut waiting: Vec<LocId> = cfa.locations.ids().collect();
    while let Some(at) = waiting.pop() {
        for edge in incoming.get(&at).into_iter().flatten() {
            let known = &cfa.edges[*edge];
            let mut read = live.get(&at).cloned().unwrap_or_default();
            for op in known.ops.iter().rev() {
                for var in op.assigned() {
                    read.remove(var);
                }
                read.extend(op.terms().flat_map(|term| terms.vars(term)));
            }
            let before = live.entry(known.source).or_default();
            let count = before.len();
            before.extend(read);
            if before.len() > count {
                waiting.push(known.source);
            }
        }
    }
    let start = cfa.start.map(|start| cfa.functions[start].entry);
    start.and_then(|start| live.remove(&start)).unwrap_or_default()
}
