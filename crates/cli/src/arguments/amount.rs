//! Times, sizes and numbers of the command line.

use std::time::Duration;

/// Whether a text is a number with a minus.
fn is_negative(text: &str) -> bool {
    let number = text.strip_prefix('-');
    number.is_some_and(|number| number.starts_with(|c: char| c.is_ascii_digit() || c == '.'))
}

const MALFORMED_TIME: &str = "a time is a number and ms, s, min or h, such as 90s or 1.5min";

/// A time with an optional unit: `60s`, `500ms`, `15min`, `2h`, `1.5s`; seconds without.
pub fn time(text: &str) -> Result<Duration, String> {
    if is_negative(text) {
        return Err("a time is not negative".to_owned());
    }
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let scale = match unit.trim() {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "min" | "m" => 60.0,
        "h" => 3600.0,
        _ => return Err(MALFORMED_TIME.to_owned()),
    };
    let number = number.parse::<f64>().map_err(|_| MALFORMED_TIME.to_owned())?;
    Duration::try_from_secs_f64(number * scale).map_err(|_| "the time is too long".to_owned())
}

/// A number that is not zero.
pub fn positive(text: &str) -> Result<usize, String> {
    let number: std::num::NonZeroUsize =
        text.parse().map_err(|_| "a limit is a number, and at least 1".to_owned())?;
    Ok(number.get())
}

const MALFORMED_SIZE: &str = "a size is a number and B, kB, MB, GB, KiB, MiB or GiB, such as 4GB";

/// The smallest limit on memory: no program could be read with less.
const LEAST_MEMORY: u64 = 1_000_000;

const TOO_LITTLE: &str = "a limit on memory is at least 1MB; write it as 512MB, 4GB or 2GiB, for a number alone is bytes";

/// A limit on memory in bytes. A number of bytes that is too small for any run was meant to have a unit.
pub fn memory(text: &str) -> Result<u64, String> {
    match size(text)? {
        bytes if bytes < LEAST_MEMORY => Err(TOO_LITTLE.to_owned()),
        bytes => Ok(bytes),
    }
}

/// A number of bytes with an optional unit: `4GB`, `512 MB`, `100k`, `1GiB`.
fn size(text: &str) -> Result<u64, String> {
    if is_negative(text) {
        return Err("a size is not negative".to_owned());
    }
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let scale: u64 = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kb" => 1_000,
        "m" | "mb" => 1_000_000,
        "g" | "gb" => 1_000_000_000,
        "kib" => 1 << 10,
        "mib" => 1 << 20,
        "gib" => 1 << 30,
        _ => return Err(MALFORMED_SIZE.to_owned()),
    };
    let number = number.parse::<u64>().map_err(|_| MALFORMED_SIZE.to_owned())?;
    number.checked_mul(scale).ok_or_else(|| "the size is too great".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        for (text, bytes) in
            [("17", 17), ("4GB", 4_000_000_000), ("512 MB", 512_000_000), ("1kib", 1024)]
        {
            assert_eq!(size(text), Ok(bytes));
        }
        for text in ["", "GB", "-1", "1 parsec", "99999999999GB", "1.5GB"] {
            assert!(size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn limits_on_memory_have_room_for_a_run() {
        for (text, bytes) in [("1MB", 1_000_000), ("1000000", 1_000_000), ("3MB", 3_000_000)] {
            assert_eq!(memory(text), Ok(bytes));
        }
        for text in ["0", "3", "512", "999kB"] {
            let refused = memory(text).expect_err(text);
            assert!(refused.contains("512MB"), "{refused}");
        }
        assert_eq!(memory("-3"), Err("a size is not negative".to_owned()));
    }

    #[test]
    fn times_have_units() {
        for (text, millis) in [("10s", 10_000), ("3", 3_000), ("500 ms", 500), ("1.5min", 90_000)] {
            assert_eq!(time(text), Ok(Duration::from_millis(millis)));
        }
        for text in ["", "s", "-1s", "1 day", "99999999999999999999s", "1.5.5s"] {
            assert!(time(text).is_err(), "{text}");
        }
        for text in ["-3", "-1s", "-.5min"] {
            assert_eq!(time(text), Err("a time is not negative".to_owned()), "{text}");
        }
        assert_eq!(time("0"), Ok(Duration::ZERO));
    }
}
