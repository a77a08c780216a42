//! Properties, as SV-COMP's `.prp` files state them.

use cfa::{Check, Checks};

/// What must not happen, or what a test suite is to cover.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// What is asked.
    pub kind: PropertyKind,
    /// The function from which executions start.
    pub entry: String,
    /// The statement as it was written, its lines joined by blanks; empty if no property was given.
    pub text: String,
}

/// The classes of properties.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum PropertyKind {
    /// No property was given: a call of an error function of SV-COMP and a failing `assert` are
    /// errors.
    #[default]
    Default,
    /// None of these functions is called.
    UnreachCall {
        /// The names of the functions, as written.
        functions: Vec<String>,
    },
    /// No statement with this label is reached.
    UnreachLabel {
        /// The label.
        label: String,
    },
    /// No assertion of the program fails.
    Assert,
    /// Signed arithmetic stays in the range of its type.
    NoOverflow,
    /// Memory is used as allowed; the parts that are asked for are set.
    MemSafety {
        /// Only heap blocks are freed, and each once.
        free: bool,
        /// Only memory that is there is accessed.
        deref: bool,
        /// Every heap block stays reachable through pointers.
        memtrack: bool,
    },
    /// Every heap block is freed at the end.
    MemCleanup,
    /// Every execution ends.
    Termination,
    /// No two threads access one object at the same time, one of them writing.
    NoDataRace,
    /// No threads wait for each other forever.
    NoDeadlock,
    /// No behaviour is undefined.
    DefinedBehaviour,
    /// A test suite covers these goals; nothing is to be proved.
    Coverage(Coverage),
}

/// What a test suite is to cover.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Coverage {
    /// A call of this function.
    Call(String),
    /// Every branch.
    Branches,
    /// Every condition within a decision.
    Conditions,
    /// Every statement.
    Statements,
}

/// The functions that programs of SV-COMP call where something is wrong: today, and in older programs.
const ERROR_FUNCTIONS: [&str; 2] = ["reach_error", "__VERIFIER_error"];

/// What the C libraries in use call when an assertion has failed.
const FAILED_ASSERTIONS: [&str; 8] = [
    "__assert_fail",
    "__assert_perror_fail",
    "__assert_rtn",
    "__assert_func",
    "__assert",
    "__assert2",
    "_assert",
    "_wassert",
];

impl Default for Property {
    fn default() -> Self {
        Self { kind: PropertyKind::Default, entry: "main".to_owned(), text: String::new() }
    }
}

impl Property {
    /// The names that [`Property::named`] knows.
    pub const NAMES: [&str; 12] = [
        "unreach-call",
        "unreach-label",
        "assert",
        "no-overflow",
        "valid-memsafety",
        "valid-deref",
        "valid-free",
        "valid-memtrack",
        "valid-memcleanup",
        "termination",
        "no-data-race",
        "def-behavior",
    ];

    /// A property by its name in SV-COMP.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let safety = |free, deref, memtrack| PropertyKind::MemSafety { free, deref, memtrack };
        let (kind, said) = match name {
            "unreach-call" => {
                // Older programs call the function by its older name.
                let functions = ERROR_FUNCTIONS.map(str::to_owned).to_vec();
                (PropertyKind::UnreachCall { functions }, &["! call(reach_error())"][..])
            }
            "unreach-label" => {
                (PropertyKind::UnreachLabel { label: "ERROR".to_owned() }, &["! label(ERROR)"][..])
            }
            "assert" => (PropertyKind::Assert, &["assert"][..]),
            "no-overflow" => (PropertyKind::NoOverflow, &["! overflow"][..]),
            "valid-memsafety" => {
                (safety(true, true, true), &["valid-free", "valid-deref", "valid-memtrack"][..])
            }
            "valid-deref" => (safety(false, true, false), &["valid-deref"][..]),
            "valid-free" => (safety(true, false, false), &["valid-free"][..]),
            "valid-memtrack" => (safety(false, false, true), &["valid-memtrack"][..]),
            "valid-memcleanup" => (PropertyKind::MemCleanup, &["valid-memcleanup"][..]),
            "termination" => (PropertyKind::Termination, &[][..]),
            "no-data-race" => (PropertyKind::NoDataRace, &["! data-race"][..]),
            "def-behavior" => (PropertyKind::DefinedBehaviour, &["def-behavior"][..]),
            _ => return None,
        };
        let always = said.iter().map(|said| format!("CHECK( init(main()), LTL(G {said}) )"));
        let text = match kind {
            PropertyKind::Termination => "CHECK( init(main()), LTL(F end) )".to_owned(),
            _ => always.collect::<Vec<_>>().join(" "),
        };
        Some(Property { kind, text, ..Property::default() })
    }

    /// SV-COMP's short name, as it stands in verdicts and in the names of `.prp` files.
    #[must_use]
    pub fn name(&self) -> &str {
        match &self.kind {
            PropertyKind::Default | PropertyKind::UnreachCall { .. } => "unreach-call",
            PropertyKind::UnreachLabel { .. } => "unreach-label",
            PropertyKind::Assert => "assert",
            PropertyKind::NoOverflow => "no-overflow",
            PropertyKind::MemSafety { free: true, deref: false, memtrack: false } => "valid-free",
            PropertyKind::MemSafety { free: false, deref: true, memtrack: false } => "valid-deref",
            PropertyKind::MemSafety { free: false, deref: false, memtrack: true } => {
                "valid-memtrack"
            }
            PropertyKind::MemSafety { .. } => "valid-memsafety",
            PropertyKind::MemCleanup => "valid-memcleanup",
            PropertyKind::Termination => "termination",
            PropertyKind::NoDataRace => "no-data-race",
            PropertyKind::NoDeadlock => "no-deadlock",
            PropertyKind::DefinedBehaviour => "def-behavior",
            PropertyKind::Coverage(Coverage::Call(_)) => "coverage-error-call",
            PropertyKind::Coverage(Coverage::Branches) => "coverage-branches",
            PropertyKind::Coverage(Coverage::Conditions) => "coverage-conditions",
            PropertyKind::Coverage(Coverage::Statements) => "coverage-statements",
        }
    }

    /// Whether no property was given.
    #[must_use]
    pub fn is_default(&self) -> bool {
        self.kind == PropertyKind::Default
    }

    /// Whether an analysis can decide the property: it says that certain places or faults are never reached.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.is_reachability() || !self.checks().is_empty()
    }

    /// The part of the property that may be violated in executions that no analysis looks at: memory that is lost by an
    /// execution that never ends.
    #[must_use]
    pub fn open_part(&self) -> Option<&'static str> {
        match self.kind {
            PropertyKind::MemSafety { memtrack: true, .. } => Some("valid-memtrack"),
            _ => None,
        }
    }

    /// Whether the property says that certain places of the program are never reached.
    #[must_use]
    pub fn is_reachability(&self) -> bool {
        matches!(
            self.kind,
            PropertyKind::Default
                | PropertyKind::UnreachCall { .. }
                | PropertyKind::UnreachLabel { .. }
                | PropertyKind::Assert
        )
    }

    /// The faults that the property speaks of.
    #[must_use]
    pub fn checks(&self) -> Checks {
        match self.kind {
            PropertyKind::NoOverflow => Checks::of(&[Check::Overflow]),
            PropertyKind::MemCleanup => Checks::of(&[Check::Leak]),
            PropertyKind::MemSafety { free, deref, memtrack } => {
                let parts = [(free, Check::Free), (deref, Check::Deref), (memtrack, Check::Track)];
                let chosen = parts.iter().filter(|(chosen, _)| *chosen).map(|(_, check)| *check);
                Checks::of(&chosen.collect::<Vec<_>>())
            }
            _ => Checks::NONE,
        }
    }

    /// Whether a call of this function is an error.
    #[must_use]
    pub fn is_error_function(&self, name: &str) -> bool {
        match &self.kind {
            PropertyKind::Default => {
                ERROR_FUNCTIONS.contains(&name) || FAILED_ASSERTIONS.contains(&name)
            }
            PropertyKind::UnreachCall { functions } => functions.iter().any(|each| each == name),
            PropertyKind::Assert => FAILED_ASSERTIONS.contains(&name),
            _ => false,
        }
    }

    /// The property extended by failing asserts, if it is SV-COMP's property `unreach-call`. `None` if a property file
    /// names functions of its own: only calls of these functions count then.
    #[must_use]
    pub(crate) fn with_asserts(&self) -> Option<Self> {
        let PropertyKind::UnreachCall { functions } = &self.kind else { return None };
        if *functions != ERROR_FUNCTIONS {
            return None;
        }
        let asserts = FAILED_ASSERTIONS.iter().map(|name| (*name).to_owned());
        let functions = functions.iter().cloned().chain(asserts).collect();
        Some(Self { kind: PropertyKind::UnreachCall { functions }, ..self.clone() })
    }

    /// A property and further checks that together say the same as this property and another one; `None` if no single
    /// run decides both. Where no property was given, the result is the other property.
    #[must_use]
    pub fn and(&self, other: &Property) -> Option<(Property, Checks)> {
        use PropertyKind::{Assert, Default, MemSafety, UnreachCall};
        if self.entry != other.entry {
            return None;
        }
        let asserts = || FAILED_ASSERTIONS.iter().map(|name| (*name).to_owned());
        let (kind, checks) = match (&self.kind, &other.kind) {
            (one, two) if one == two => (one.clone(), Checks::NONE),
            (Default, kind) | (kind, Default) => (kind.clone(), Checks::NONE),
            (UnreachCall { functions: one }, UnreachCall { functions: two }) => {
                (UnreachCall { functions: [&one[..], two].concat() }, Checks::NONE)
            }
            (UnreachCall { functions }, Assert) | (Assert, UnreachCall { functions }) => {
                let functions = functions.iter().cloned().chain(asserts()).collect();
                (UnreachCall { functions }, Checks::NONE)
            }
            (
                MemSafety { free, deref, memtrack },
                MemSafety { free: frees, deref: derefs, memtrack: tracks },
            ) => {
                let (free, deref) = (*free || *frees, *deref || *derefs);
                (MemSafety { free, deref, memtrack: *memtrack || *tracks }, Checks::NONE)
            }
            (kind, _) if other.is_only_checks() && self.is_decided() => {
                (kind.clone(), other.checks())
            }
            (_, kind) if self.is_only_checks() && other.is_decided() => {
                (kind.clone(), self.checks())
            }
            _ => return None,
        };
        let text = format!("{} {}", self.text, other.text).trim().to_owned();
        Some((Property { kind, entry: self.entry.clone(), text }, checks))
    }

    /// Whether the property says no more than that its checks find nothing.
    fn is_only_checks(&self) -> bool {
        !self.checks().is_empty() && self.open_part().is_none()
    }

    /// Whether reaching this label is an error.
    #[must_use]
    pub fn is_error_label(&self, name: &str) -> bool {
        match &self.kind {
            PropertyKind::UnreachLabel { label } => label == name,
            _ => false,
        }
    }
}
