//! The maker of a witness, the time, and the hashes of texts.

use sha2::{Digest, Sha256};

/// What a witness says of its making and cannot know from the run.
#[derive(Clone, Debug)]
pub struct Stamp {
    /// When it was made, as ISO 8601 has it.
    pub time: String,
    /// The version of this program.
    pub version: String,
}

/// The name of the producer in witnesses.
pub(super) const PRODUCER: &str = "Proviso";

/// The SHA-256 of a text, in hexadecimal digits.
pub(crate) fn hash(text: &[u8]) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A name for a witness that depends on nothing but what it says: a UUID of version 8 (RFC 9562),
/// whose digits are those of a hash.
pub(super) fn uuid(text: &str) -> String {
    let hash = hash(text.as_bytes());
    let variant = match hash.as_bytes()[16] {
        b'0'..=b'3' => '8',
        b'4'..=b'7' => '9',
        b'8' | b'9' | b'a' | b'b' => 'a',
        _ => 'b',
    };
    format!(
        "{}-{}-8{}-{variant}{}-{}",
        &hash[..8],
        &hash[8..12],
        &hash[13..16],
        &hash[17..20],
        &hash[20..32]
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_sha_256() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(hash(b""), empty);
    }

    #[test]
    fn a_uuid_has_its_form() {
        let text = uuid("something");
        let lengths: Vec<usize> = text.split('-').map(str::len).collect();
        assert_eq!(lengths, [8, 4, 4, 4, 12]);
        assert_eq!(&text[14..15], "8");
        assert!("89ab".contains(&text[19..20]));
        assert_eq!(text, uuid("something"));
        assert_ne!(text, uuid("something else"));
    }
}
