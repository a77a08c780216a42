//! The numbers of objects, and of where values come from.

base::define_id!(
    /// An object: one that exists from the start, or one of one execution of an `Alloc`.
    pub struct ObjectIndex, "obj"
);
base::define_id!(
    /// Where values come from that no operation assigned: the start of an activation, a havoc of many things at once,
    /// the beginning of an object.
    pub struct Source, "s"
);
