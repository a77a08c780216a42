//! The program with variables for the objects that are followed, and without memory.

use std::collections::{BTreeMap, BTreeSet};

use base::IndexVec;
use cfa::{
    Access, AllocKind, Cfa, Choice, Contents, EdgeId, LocId, ObjectKind, ObjectSite, Op, Program,
    Reading, Scope, Variable,
};
use run::Hints;
use term::{Sort, TermId, Terms, Var};

use super::again::again;
use super::targets::{Set, Target, Targets, is_in_no_object, number_in, overlaps};
use crate::Rewritten;
use crate::back::{Back, OperationOrigin};
use crate::op_place::OpPlace;

/// What is followed.
pub(super) struct Plan<'a, 'p> {
    pub(super) targets: &'a Targets<'p>,
    /// The sites among whose objects one is followed.
    pub(super) group: BTreeSet<ObjectSite>,
    /// The sites that make one object, which is followed.
    pub(super) single: BTreeSet<ObjectSite>,
    /// The load that counts for each error.
    pub(super) guards: BTreeMap<LocId, OpPlace>,
}

/// Some bytes of an object.
pub(super) struct Field {
    pub(super) offset: i64,
    pub(super) length: u64,
    /// The variable that holds what the bytes are.
    pub(super) var: Var,
    /// The variable that says whether the bytes have been set.
    pub(super) set: Var,
}

/// An object that is followed.
pub(super) struct Node {
    /// The address of the object.
    pub(super) address: TermId,
    /// Whether the object is there.
    pub(super) live: TermId,
    pub(super) fields: Vec<Field>,
}

pub(super) struct Rewriter<'a, 'p> {
    program: &'p Program,
    plan: &'a Plan<'a, 'p>,
    pub(super) terms: Terms,
    /// The object that is followed among many, with an address that is arbitrary and does not change.
    pub(super) one: Node,
    live: Var,
    /// Whether this object was ever made.
    pub(super) made: Var,
    /// The objects of sites that make one object each.
    pub(super) singles: BTreeMap<ObjectSite, (Node, Option<[Var; 2]>)>,
    /// Whether some object was freed. What pointers point to afterwards is not known.
    pub(super) freed: Option<Var>,
    /// Whether objects are made after others were freed, so that an address may belong to several objects, one after
    /// the other.
    reuses: bool,
    /// For loads that count, whether they were of the object that is followed.
    was: BTreeMap<OpPlace, Var>,
    /// What some loads give, because it is known already.
    again: BTreeMap<OpPlace, TermId>,
    /// For each sort, a variable that may hold any value.
    anything: BTreeMap<Sort, Var>,
    ops: Vec<Op>,
    /// Conditions that must not hold, each after a number of operations.
    faults: Vec<(usize, TermId)>,
}

impl<'a, 'p> Rewriter<'a, 'p> {
    pub(super) fn new(program: &'p Program, plan: &'a Plan<'a, 'p>) -> Self {
        let mut terms = program.terms.clone();
        let word = Sort::Bv(program.cfa.address_width);
        let mut declare = |name: &str, sort| {
            let number = terms.var_count();
            terms.declare(format!("@node:{name}:{number}"), sort)
        };
        let address = declare("address", word);
        let live = declare("live", Sort::Bool);
        let after = after_frees(&program.cfa);
        let freed = (!after.is_empty()).then(|| declare("freed", Sort::Bool));
        // Where nothing is freed, an object that was made is there.
        let made = if after.is_empty() { live } else { declare("made", Sort::Bool) };
        let reuses = after
            .iter()
            .flat_map(|edge| &program.cfa.edges[*edge].ops)
            .any(|op| matches!(op, Op::Alloc { .. }));
        let places: BTreeSet<OpPlace> = plan.guards.values().copied().collect();
        let was = places.into_iter().map(|place| (place, declare("loaded", Sort::Bool))).collect();
        let again = again(program, plan.targets, &mut terms, &after);
        let one = Node { address: terms.var(address), live: terms.var(live), fields: Vec::new() };
        let mut rewriter = Self {
            program,
            plan,
            terms,
            one,
            live,
            made,
            singles: BTreeMap::new(),
            freed,
            reuses,
            was,
            again,
            anything: BTreeMap::new(),
            ops: Vec::new(),
            faults: Vec::new(),
        };
        rewriter.declare_singles();
        rewriter.declare_fields();
        rewriter
    }

    fn declare(&mut self, name: &str, sort: Sort) -> Var {
        let number = self.terms.var_count();
        self.terms.declare(format!("@node:{name}:{number}"), sort)
    }

    fn declare_singles(&mut self) {
        let word = Sort::Bv(self.program.cfa.address_width);
        for site in &self.plan.single {
            let (address, live, vars) = match site {
                ObjectSite::Initial(object) => {
                    let address = self.terms.var(self.program.cfa.objects[*object].address);
                    (address, self.terms.bool(true), None)
                }
                ObjectSite::Alloc(..) => {
                    let vars = [self.declare("address", word), self.declare("live", Sort::Bool)];
                    (self.terms.var(vars[0]), self.terms.var(vars[1]), Some(vars))
                }
            };
            self.singles.insert(*site, (Node { address, live, fields: Vec::new() }, vars));
        }
    }

    /// Variables for all that is loaded from known places.
    fn declare_fields(&mut self) {
        let program = self.program;
        for op in program.cfa.edges.iter().flat_map(|edge| &edge.ops) {
            let Op::Load { var, address } = op else { continue };
            let sort = self.terms.var_sort(*var);
            let Some(length) = cfa::stored_bytes(sort) else { continue };
            for target in self.plan.targets.of_term(*address) {
                let Target::At(site, offset) = target else { continue };
                let is_new = |fields: &[Field]| {
                    !fields.iter().any(|field| {
                        (field.offset, self.terms.var_sort(field.var)) == (offset, sort)
                    })
                };
                let of_one = self.plan.group.contains(&site) && is_new(&self.one.fields);
                let of_single =
                    self.singles.get(&site).is_some_and(|(node, _)| is_new(&node.fields));
                let mut field = || Field {
                    offset,
                    length,
                    var: self.declare("field", sort),
                    set: self.declare("set", Sort::Bool),
                };
                let of_one = of_one.then(&mut field);
                let of_single = of_single.then(&mut field);
                self.one.fields.extend(of_one);
                if let Some((node, _)) = self.singles.get_mut(&site) {
                    node.fields.extend(of_single);
                }
            }
        }
    }

    pub(super) fn finish(mut self) -> (Rewritten, [Hints; 3]) {
        let program = self.program;
        let mut back = Back::identity(program);
        let mut cfa = program.cfa.clone();
        let entry = cfa.start.map(|start| cfa.functions[start].entry);
        let mut error = None;
        let mut sources: IndexVec<EdgeId, Box<[OperationOrigin]>> = IndexVec::new();
        let mut added = Vec::new();
        for (edge, known) in program.cfa.edges.entries() {
            self.ops.clear();
            self.faults.clear();
            if Some(known.source) == entry {
                self.begin();
            }
            let mut source = vec![OperationOrigin::Added; self.ops.len()];
            for (number, op) in (0..).zip(&known.ops) {
                let from = self.ops.len();
                let kept = self.translate((edge, number), op);
                source.resize(self.ops.len(), OperationOrigin::Added);
                if kept {
                    source[from] = back.ops[edge][number as usize];
                }
            }
            if let Some(load) = self.plan.guards.get(&known.target) {
                let was = self.terms.var(self.was[load]);
                let counts = self.or_freed(was);
                self.ops.push(Op::Assume(counts));
                source.push(OperationOrigin::Added);
            }
            cfa.edges[edge].ops = self.ops.as_slice().into();
            sources.push(source.into_boxed_slice());
            for (count, fault) in std::mem::take(&mut self.faults) {
                let mut ops = self.ops[..count].to_vec();
                ops.push(Op::Assume(fault));
                added.push((known.source, ops, known.span));
            }
        }
        back.ops = sources;
        let hints = self.hints();
        for (from, ops, span) in added {
            let to = *error.get_or_insert_with(|| {
                let error = cfa.add_location(cfa.locations[from].function);
                cfa.locations[error].error = true;
                back.locations.push(None);
                error
            });
            back.ops.push(vec![OperationOrigin::Added; ops.len()].into());
            back.edges.push(None);
            cfa.add_edge(from, to, ops, span);
        }
        for _ in cfa.variables.len()..self.terms.var_count() {
            let (reading, source_name, span) = (Reading::Plain, None, None);
            cfa.variables.push(Variable { scope: Scope::Global, reading, source_name, span });
        }
        back.variables = cfa.variables.ids().map(|var| back.variable(var)).collect();
        let sources = program.sources.clone();
        (Rewritten { program: Program { terms: self.terms, cfa, sources }, back }, hints)
    }

    pub(super) fn program(&self) -> &'p Program {
        self.program
    }

    pub(super) fn targets_of(&self, address: TermId) -> Set {
        self.plan.targets.of_term(address)
    }

    pub(super) fn targets_of_var(&self, var: Var) -> Set {
        self.plan.targets.of_var(var)
    }

    pub(super) fn is_in_group(&self, site: ObjectSite) -> bool {
        self.plan.group.contains(&site)
    }

    pub(super) fn has_checks(&self) -> bool {
        !self.plan.targets.checked.is_empty()
    }

    /// Sets the variables for what is there before the first step.
    fn begin(&mut self) {
        let no = self.terms.bool(false);
        let vars = self.was.values().chain(&self.freed).copied();
        let singles = self.singles.values().filter_map(|(_, vars)| Some((*vars)?[1]));
        let set = self.one.fields.iter().map(|field| field.set);
        let all: Vec<Var> = vars.chain(singles).chain(set).chain([self.live, self.made]).collect();
        self.ops.extend(all.into_iter().map(|var| Op::Assign { var, value: no }));
        for site in self.plan.single.clone() {
            let ObjectSite::Initial(object) = site else { continue };
            let (node, vars) = self.singles.remove(&site).expect("every single site has a node");
            for field in &node.fields {
                self.begin_field(object, field, field.var, None);
            }
            self.singles.insert(site, (node, vars));
        }
        for site in self.plan.group.clone() {
            let ObjectSite::Initial(object) = site else { continue };
            let address = self.terms.var(self.program.cfa.objects[object].address);
            let is_one = self.terms.eq(self.one.address, address);
            let fields = std::mem::take(&mut self.one.fields);
            for field in &fields {
                self.begin_field(object, field, field.var, Some(is_one));
                self.set(field.set, is_one, true);
            }
            self.one.fields = fields;
            self.set(self.live, is_one, true);
            self.set(self.made, is_one, true);
        }
    }

    /// What a part of an object holds that exists from the start, where a condition holds.
    fn begin_field(
        &mut self,
        object: cfa::ObjectId,
        field: &Field,
        var: Var,
        when: Option<TermId>,
    ) {
        let sort = self.terms.var_sort(var);
        let mut value = None;
        if let Contents::Bytes(bytes, patches) = &self.program.cfa.objects[object].contents {
            let place = (field.offset, field.length);
            let patched = patches.iter().find(|patch| {
                let size = cfa::stored_bytes(self.terms.sort(patch.value)).unwrap_or(u64::MAX / 2);
                overlaps((patch.offset as i64, size), place)
            });
            value = match (patched, sort) {
                (Some(patch), _) => {
                    let same =
                        patch.offset as i64 == field.offset && self.terms.sort(patch.value) == sort;
                    same.then_some(patch.value)
                }
                (None, Sort::Bv(width)) => number_in(bytes, field.offset, field.length)
                    .map(|number| self.terms.bv(width, u128::from(number))),
                (None, _) => None,
            };
        }
        let value = value.unwrap_or_else(|| self.anything(sort));
        let held = self.terms.var(var);
        let value = when.map_or(value, |when| self.terms.ite(when, value, held));
        self.ops.push(Op::Assign { var, value });
    }

    /// Gives a flag a value where a condition holds.
    fn set(&mut self, var: Var, when: TermId, value: bool) {
        let (held, value) = (self.terms.var(var), self.terms.bool(value));
        let value = self.terms.ite(when, value, held);
        self.ops.push(Op::Assign { var, value });
    }

    fn or_freed(&mut self, condition: TermId) -> TermId {
        let Some(freed) = self.freed else { return condition };
        let freed = self.terms.var(freed);
        self.terms.or2(condition, freed)
    }

    /// Adds the operations that an operation becomes. Gives whether the first of them is the operation itself.
    fn translate(&mut self, place: OpPlace, op: &Op) -> bool {
        match op {
            Op::Load { var, address } => self.load(place, *var, *address),
            Op::Store { address, value } => self.store(*address, Some(*value)),
            Op::Copy { to: address, .. }
            | Op::Fill { address, .. }
            | Op::HavocMemory { address, .. } => self.store(*address, None),
            Op::Alloc { var, zeroed, .. } => self.alloc(place, *var, *zeroed),
            Op::Free { address, .. } => self.free(*address),
            Op::Valid { var, address, length, access } => {
                self.valid(*var, *address, *length, *access);
            }
            Op::Size { var, .. } => self.havoc(*var),
            Op::Output { .. } => {}
            other => {
                self.ops.push(other.clone());
                return true;
            }
        }
        false
    }

    fn havoc(&mut self, var: Var) {
        self.ops.push(Op::Havoc { var, choice: Choice::Uninitialised });
    }

    /// An arbitrary value of a sort.
    fn anything(&mut self, sort: Sort) -> TermId {
        let var = match self.anything.get(&sort) {
            Some(var) => *var,
            None => {
                let var = self.declare("anything", sort);
                self.anything.insert(sort, var);
                var
            }
        };
        self.havoc(var);
        self.terms.var(var)
    }

    /// Whether an address is `offset` bytes into an object that is followed.
    fn is_at(&mut self, [base, live]: [TermId; 2], address: TermId, offset: i64) -> TermId {
        let width = self.program.cfa.address_width;
        let offset = self.terms.bv(width, u128::from(offset as u64));
        let start = self.terms.bv_sub(address, offset);
        let same = self.terms.eq(start, base);
        self.terms.and2(live, same)
    }

    /// The site and offset of the only object that an access may be of, if no other object is of this site.
    fn only(&self, set: &Set) -> Option<(ObjectSite, i64)> {
        let mut found = None;
        for target in set {
            match *target {
                Target::At(site, offset) if found.is_none() => found = Some((site, offset)),
                Target::Number(number) if is_in_no_object(number) => {}
                Target::Unset(_) => {}
                _ => return None,
            }
        }
        found.filter(|(site, _)| self.singles.contains_key(site))
    }

    fn load(&mut self, place: OpPlace, var: Var, address: TermId) {
        let sort = self.terms.var_sort(var);
        let set = self.plan.targets.of_term(address);
        let mut value = self.anything(sort);
        let no = self.terms.bool(false);
        let (mut is_one, mut is_unset) = (no, no);
        if let Some((site, offset)) = self.only(&set) {
            let node = &self.singles[&site].0;
            if let Some(field) = field_at(&self.terms, node, offset, sort) {
                let (held, no) = (self.terms.var(field.var), self.terms.bool(false));
                let freed = self.or_freed(no);
                value = self.terms.ite(freed, value, held);
            }
        } else {
            for target in &set {
                let Target::At(site, offset) = target else { continue };
                let Some((node, _)) = self.singles.get(site) else { continue };
                let Some(held) = field_at(&self.terms, node, *offset, sort) else { continue };
                let (held, known) = (held.var, [node.address, node.live]);
                let (here, held) = (self.is_at(known, address, *offset), self.terms.var(held));
                value = self.terms.ite(here, held, value);
            }
        }
        for target in &set {
            let Target::At(site, offset) = target else { continue };
            if !self.plan.group.contains(site) {
                continue;
            }
            let here = self.is_at([self.one.address, self.one.live], address, *offset);
            is_one = self.terms.or2(is_one, here);
            let Some(field) = field_at(&self.terms, &self.one, *offset, sort) else { continue };
            let (held, is_set) = (self.terms.var(field.var), self.terms.var(field.set));
            value = self.terms.ite(here, held, value);
            let not_set = self.terms.not(is_set);
            let unset = self.terms.and2(here, not_set);
            is_unset = self.terms.or2(is_unset, unset);
        }
        value = self.again.get(&place).copied().unwrap_or(value);
        if let Some(was) = self.was.get(&place) {
            self.ops.push(Op::Assign { var: *was, value: is_one });
        }
        if self.plan.targets.checked.contains(&place) {
            let freed = self.or_freed(no);
            let before = self.terms.not(freed);
            let fault = self.terms.and2(before, is_unset);
            self.faults.push((self.ops.len(), fault));
        }
        self.ops.push(Op::Assign { var, value });
        self.assume_loaded(place, var, &set);
    }

    /// What is known of a value that was loaded, of whatever object.
    fn assume_loaded(&mut self, place: OpPlace, var: Var, from: &Set) {
        let Some(length) = cfa::stored_bytes(self.terms.var_sort(var)) else { return };
        let mut held = Set::new();
        for target in from {
            match *target {
                Target::At(site, offset) => {
                    held.extend(self.plan.targets.contents(site, offset, length, place));
                }
                Target::Number(number) if is_in_no_object(number) => {}
                Target::Unset(_) => {}
                _ => return,
            }
        }
        let checked = &self.plan.targets.checked;
        held.retain(|target| !matches!(target, Target::Unset(load) if checked.contains(load)));
        let value = self.terms.var(var);
        let numbers: Option<Vec<u64>> = held
            .iter()
            .map(|target| match target {
                Target::Number(number) => Some(*number),
                _ => None,
            })
            .collect();
        if let (Some(numbers), Sort::Bv(width)) = (numbers, self.terms.var_sort(var)) {
            let same = |number: u64| {
                let number = self.terms.bv(width, u128::from(number));
                self.terms.eq(value, number)
            };
            let same: Vec<TermId> = numbers.into_iter().map(same).collect();
            let known = self.terms.or(&same);
            let known = self.or_freed(known);
            self.ops.push(Op::Assume(known));
        } else if !self.reuses && held.iter().all(|target| self.is_inside(*target, 0)) {
            // As long as nothing is freed, a pointer into an object is not the address of an object that is made later.
            let (other, made) = (self.terms.ne(value, self.one.address), self.terms.var(self.made));
            let known = self.terms.or2(made, other);
            let known = self.or_freed(known);
            self.ops.push(Op::Assume(known));
        }
    }

    /// Whether `length` bytes at an address are inside of an object whenever there is an object at all.
    fn is_inside(&self, target: Target, length: u64) -> bool {
        let (site, offset) = match target {
            Target::At(site, offset) => (site, offset),
            Target::Number(number) => return is_in_no_object(number),
            _ => return false,
        };
        let stays = match site {
            ObjectSite::Initial(object) => {
                self.program.cfa.objects[object].kind == ObjectKind::Data
            }
            ObjectSite::Alloc(edge, number) => matches!(
                self.program.cfa.edges[edge].ops[number as usize],
                Op::Alloc { kind: AllocKind::Heap, .. }
            ),
        };
        stays && self.plan.targets.fits(site, offset, length)
    }

    /// Stores a value at an address; without a value, anything may be stored, and at several places.
    fn store(&mut self, address: TermId, value: Option<TermId>) {
        let set = self.plan.targets.of_term(address);
        let only = self.only(&set);
        for site in self.plan.single.clone() {
            let (node, vars) = self.singles.remove(&site).expect("every single site has a node");
            let is_sure = only.is_some_and(|(only, _)| only == site);
            let is_there = |of: ObjectSite| of == site;
            self.store_in(&node, address, value, &set, is_sure, &is_there);
            self.singles.insert(site, (node, vars));
        }
        let fields = std::mem::take(&mut self.one.fields);
        let one = Node { address: self.one.address, live: self.one.live, fields };
        let plan = self.plan;
        self.store_in(&one, address, value, &set, false, &|site| plan.group.contains(&site));
        self.one.fields = one.fields;
    }

    fn store_in(
        &mut self,
        node: &Node,
        address: TermId,
        value: Option<TermId>,
        set: &Set,
        is_sure: bool,
        is_there: &dyn Fn(ObjectSite) -> bool,
    ) {
        let length = value.and_then(|value| cfa::stored_bytes(self.terms.sort(value)));
        for field in &node.fields {
            let sort = self.terms.var_sort(field.var);
            let held = self.terms.var(field.var);
            let (mut now, mut is_set) = (held, self.terms.var(field.set));
            for target in set {
                match (*target, length) {
                    (Target::At(site, offset), Some(length)) if is_there(site) => {
                        if !overlaps((offset, length), (field.offset, field.length)) {
                            continue;
                        }
                        let here = if is_sure {
                            self.terms.bool(true)
                        } else {
                            self.is_at([node.address, node.live], address, offset)
                        };
                        let stored = value.filter(|value| {
                            offset == field.offset && self.terms.sort(*value) == sort
                        });
                        if stored.is_some() {
                            is_set = self.terms.or2(is_set, here);
                        }
                        let stored = stored.unwrap_or_else(|| self.anything(sort));
                        now = self.terms.ite(here, stored, now);
                    }
                    (Target::At(site, _) | Target::In(site), _) if is_there(site) => {
                        now = self.anything(sort);
                    }
                    _ => {}
                }
            }
            if let Some(freed) = self.freed {
                let (freed, anything) = (self.terms.var(freed), self.anything(sort));
                now = self.terms.ite(freed, anything, now);
            }
            if now != held {
                self.ops.push(Op::Assign { var: field.var, value: now });
            }
            if is_set != self.terms.var(field.set) {
                self.ops.push(Op::Assign { var: field.set, value: is_set });
            }
        }
    }

    /// Makes a new object, which may be the one that is followed.
    fn alloc(&mut self, place: OpPlace, var: Var, zeroed: bool) {
        let site = ObjectSite::Alloc(place.0, place.1);
        self.havoc(var);
        let address = self.terms.var(var);
        let zero = self.terms.bv(self.program.cfa.address_width, 0);
        let not_null = self.terms.ne(address, zero);
        self.ops.push(Op::Assume(not_null));
        // Objects that are there at the same time have different addresses.
        let mut others: Vec<[TermId; 2]> = vec![[self.one.address, self.one.live]];
        let singles = self.singles.iter().filter(|(other, _)| **other != site);
        others.extend(singles.map(|(_, (node, _))| [node.address, node.live]));
        for [other, live] in others {
            let differs = self.terms.ne(address, other);
            let condition = self.terms.implies(live, differs);
            self.ops.push(Op::Assume(condition));
        }
        let mut is_one = self.terms.eq(address, self.one.address);
        if self.reuses {
            // Another object may have been at the address before, or may be there later.
            let (choice, made) = (self.anything(Sort::Bool), self.terms.var(self.made));
            let not_made = self.terms.not(made);
            is_one = self.terms.and(&[is_one, choice, not_made]);
        }
        if self.plan.group.contains(&site) {
            // Whether the new object is the followed one is not known, so its fields change under the condition that it
            // is.
            let fields = std::mem::take(&mut self.one.fields);
            for field in &fields {
                let value = self.first_value(field, zeroed);
                let held = self.terms.var(field.var);
                let value = self.terms.ite(is_one, value, held);
                self.ops.push(Op::Assign { var: field.var, value });
                self.set(field.set, is_one, zeroed);
            }
            self.one.fields = fields;
            self.set(self.made, is_one, true);
            self.set(self.live, is_one, true);
        } else if !self.reuses {
            let other = self.terms.not(is_one);
            self.ops.push(Op::Assume(other));
        }
        if let Some((node, vars)) = self.singles.remove(&site) {
            for field in &node.fields {
                let value = self.first_value(field, zeroed);
                self.ops.push(Op::Assign { var: field.var, value });
            }
            if let Some([at, live]) = vars {
                let yes = self.terms.bool(true);
                self.ops.push(Op::Assign { var: at, value: address });
                self.ops.push(Op::Assign { var: live, value: yes });
            }
            self.singles.insert(site, (node, vars));
        }
    }

    fn first_value(&mut self, field: &Field, zeroed: bool) -> TermId {
        let sort = self.terms.var_sort(field.var);
        if zeroed {
            let zero = self.terms.zero(sort);
            return self.terms.constant(zero);
        }
        self.anything(sort)
    }

    fn free(&mut self, address: TermId) {
        let mut all = vec![(self.one.address, self.live)];
        let singles = self.singles.values();
        all.extend(singles.filter_map(|(node, vars)| Some((node.address, (*vars)?[1]))));
        for (of, live) in all {
            let same = self.terms.eq(address, of);
            self.set(live, same, false);
        }
        let zero = self.terms.bv(self.program.cfa.address_width, 0);
        let not_null = self.terms.ne(address, zero);
        if let Some(freed) = self.freed {
            self.set(freed, not_null, true);
        }
    }

    /// Sets a variable to whether an access is valid: as long as nothing is freed, it is if the address is not null.
    fn valid(&mut self, var: Var, address: TermId, length: TermId, access: Access) {
        let set = self.plan.targets.of_term(address);
        let length = self.terms.number(length);
        let checked = &self.plan.targets.checked;
        let is_known = |target: &Target| match target {
            Target::Unset(load) => checked.contains(load),
            target => length.is_some_and(|length| self.is_inside(*target, length)),
        };
        if access == Access::Free || !set.iter().all(is_known) {
            return self.havoc(var);
        }
        let width = self.program.cfa.address_width;
        let mut valid = vec![self.terms.bool(true)];
        for target in &set {
            if let Target::Number(number) = target {
                let number = self.terms.bv(width, u128::from(*number));
                valid.push(self.terms.ne(address, number));
            }
        }
        let mut value = self.terms.and(&valid);
        if let Some(freed) = self.freed {
            let (freed, anything) = (self.terms.var(freed), self.anything(Sort::Bool));
            value = self.terms.ite(freed, anything, value);
        }
        self.ops.push(Op::Assign { var, value });
    }
}

/// The edges that free something, and all that executions may take afterwards.
fn after_frees(cfa: &Cfa) -> BTreeSet<EdgeId> {
    let frees = |edge: &EdgeId| cfa.edges[*edge].ops.iter().any(|op| matches!(op, Op::Free { .. }));
    let mut waiting: Vec<EdgeId> = cfa.edges.ids().filter(frees).collect();
    let mut found = BTreeSet::new();
    while let Some(edge) = waiting.pop() {
        if found.insert(edge) {
            waiting.extend(&cfa.locations[cfa.edges[edge].target].edges);
        }
    }
    found
}

fn field_at<'n>(terms: &Terms, node: &'n Node, offset: i64, sort: Sort) -> Option<&'n Field> {
    let mut fields = node.fields.iter();
    fields.find(|field| field.offset == offset && terms.var_sort(field.var) == sort)
}
