//! The options of every command that say how it speaks.

use clap::{Args, ValueEnum};

/// How the command speaks.
#[derive(Args, Clone, Debug)]
pub struct Manner {
    /// Colours on terminals
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = Color::Auto, global = true,
          help_heading = "Messages")]
    pub color: Color,
    /// Only the answer and errors: no assumptions, no warnings, no explanation
    #[arg(short, long, global = true, help_heading = "Messages")]
    pub quiet: bool,
    /// Also what is done, and what each stage of a run found as soon as it ends
    #[arg(short, long, global = true, conflicts_with = "quiet", help_heading = "Messages")]
    pub verbose: bool,
}

/// When there are colours.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}
