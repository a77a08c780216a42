//! Settings that messages and assumptions speak of.

use std::fmt;

/// A setting that a message or an assumption speaks of, so that users can change it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Setting {
    /// The language of the program.
    Language,
    /// The property.
    Property,
    /// Folders in which files are looked for.
    Include,
    /// The function where execution starts.
    Entry,
    /// How many objects a parameter of the entry function points to.
    PointerSizes,
    /// Addresses of devices.
    Devices,
    /// The choice that overflows of signed arithmetic are faults.
    CheckOverflow,
    /// The choice that inline assembly makes a run inconclusive.
    AssemblyError,
    /// The choice that volatile objects hold anything.
    VolatileArbitrary,
    /// The choice that globals hold anything at the start.
    GlobalsArbitrary,
    /// The choice that pointers from outside may point to the objects of the program.
    OutsidePointersAny,
}

impl Setting {
    /// The name of a setting in this crate: a field of [`crate::Options`], or the value that makes the choice.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Language => "`Options::language`",
            Self::Property => "`Options::property`",
            Self::Include => "`Options::include`",
            Self::Entry => "`Options::entry`",
            Self::PointerSizes => "`Options::pointer_sizes`",
            Self::Devices => "`Options::devices`",
            Self::CheckOverflow => "`Check::Overflow`",
            Self::AssemblyError => "`Assembly::Error`",
            Self::VolatileArbitrary => "`Volatile::Arbitrary`",
            Self::GlobalsArbitrary => "`Globals::Arbitrary`",
            Self::OutsidePointersAny => "`OutsidePointers::Any`",
        }
    }
}

/// How messages and assumptions call a setting: by its name in this crate, unless their readers know the setting by
/// another name, such as an option of a command.
#[derive(Clone, Copy)]
pub struct Wording(pub fn(Setting) -> &'static str);

impl Wording {
    pub(crate) fn of(self, setting: Setting) -> &'static str {
        self.0(setting)
    }
}

impl Default for Wording {
    fn default() -> Self {
        Self(Setting::name)
    }
}

impl fmt::Debug for Wording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Wording")
    }
}
