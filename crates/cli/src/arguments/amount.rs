//! Times, sizes and numbers of the command line.

use std::time::Duration;

const MALFORMED_TIME: &str = "a time is a number and ms, s, min or h, such as 90s or 1.5min";

/// A time with an optional unit: `60s`, `500ms`, `15min`, `2h`, `1.5s`; seconds without.
pub fn time(text: &str) -> Result<Duration, String> {
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

/// A number of bytes with an optional unit: `4GB`, `512 MB`, `100k`, `1GiB`.
pub fn size(text: &str) -> Result<u64, String> {
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
    fn times_have_units() {
        for (text, millis) in [("10s", 10_000), ("3", 3_000), ("500 ms", 500), ("1.5min", 90_000)] {
            assert_eq!(time(text), Ok(Duration::from_millis(millis)));
        }
        for text in ["", "s", "-1s", "1 day", "99999999999999999999s", "1.5.5s"] {
            assert!(time(text).is_err(), "{text}");
        }
    }
}
