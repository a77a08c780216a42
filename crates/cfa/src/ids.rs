//! The numbers of the parts of a program model.

base::define_id!(
    /// A control location.
    pub struct LocId, "L"
);
base::define_id!(
    /// An edge between two locations of one function.
    pub struct EdgeId, "e"
);
base::define_id!(
    /// A function.
    pub struct FuncId, "f"
);
base::define_id!(
    /// An object that exists from the start: a global, a string, a function's code.
    pub struct ObjectId, "o"
);
base::define_id!(
    /// A structure or union of a C text.
    pub struct CRecordId, "r"
);
base::define_id!(
    /// An enumeration of a C text.
    pub struct CEnumerationId, "n"
);
