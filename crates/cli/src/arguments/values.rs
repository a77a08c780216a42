//! Options whose values are those of an enumeration in a lower crate.

/// Declares the values of an option with their help. Each value stands for the value of the same name in the
/// enumeration after `for`, or for the one after `=>`. Lower crates do not know the command line, so that names and
/// help of the values are written here, and only here.
macro_rules! values_of {
    ($(#[$about:meta])* pub enum $option:ident for $theirs:ty {
        $($(#[$help:meta])* $value:ident $(=> $their:ident)?,)*
    }) => {
        $(#[$about])*
        #[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $option {
            $($(#[$help])* $value,)*
        }

        impl From<$option> for $theirs {
            fn from(given: $option) -> Self {
                match given {
                    $($option::$value => values_of!(@of $theirs, $value $($their)?),)*
                }
            }
        }
    };
    (@of $theirs:ty, $value:ident) => { <$theirs>::$value };
    (@of $theirs:ty, $value:ident $their:ident) => { <$theirs>::$their };
}

pub(super) use values_of;
