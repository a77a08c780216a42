//! Numbers of things in words.

/// A number of things: `1 step`, `2 steps`, `2 branches`.
#[must_use]
pub fn counted(count: impl TryInto<u64>, what: &str) -> String {
    let count = count.try_into().unwrap_or(u64::MAX);
    let ending = match count {
        1 => "",
        _ if ["s", "x", "ch", "sh"].iter().any(|end| what.ends_with(end)) => "es",
        _ => "s",
    };
    format!("{count} {what}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_things_have_the_ending_of_their_word() {
        assert_eq!(counted(1_u64, "branch"), "1 branch");
        assert_eq!(counted(2_usize, "branch"), "2 branches");
        assert_eq!(counted(0_u32, "step"), "0 steps");
        assert_eq!(counted(3_u64, "pass"), "3 passes");
    }
}
