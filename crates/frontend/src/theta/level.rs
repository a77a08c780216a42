//! The words and signs that are operators, and how tightly they bind.

/// The level of an operator's text.
pub(super) fn level(text: &str) -> Option<u8> {
    Some(match text {
        "iff" => 1,
        "imply" => 2,
        "fpmax" | "fpmin" => 3,
        "or" => 4,
        "xor" => 5,
        "and" => 6,
        "=" | "/=" => 7,
        "<" | "<=" | ">" | ">=" => 8,
        "bvult" | "bvule" | "bvugt" | "bvuge" | "bvslt" | "bvsle" | "bvsgt" | "bvsge" => 8,
        "bvor" => 9,
        "bvxor" => 10,
        "bvand" => 11,
        "bvshl" | "bvashr" | "bvlshr" | "bvrol" | "bvror" => 12,
        "+" | "-" | "bvadd" | "bvsub" | "fpadd" | "fpsub" => 13,
        "*" | "/" | "div" | "mod" | "rem" => 14,
        "bvmul" | "bvudiv" | "bvsdiv" | "bvsmod" | "bvurem" | "bvsrem" => 14,
        "fprem" | "fpmul" | "fpdiv" => 14,
        "++" => 15,
        "bv_zero_extend" | "bv_sign_extend" => 16,
        _ => return None,
    })
}

/// Whether a word is an operator, so that nothing can have it as a name.
pub(super) fn is_operator_word(word: &str) -> bool {
    level(word).is_some() || is_float_prefix(word)
}

/// Whether a word is an operator before a float.
pub(super) fn is_float_prefix(word: &str) -> bool {
    matches!(
        word,
        "fpabs"
            | "fpisnan"
            | "fpisinfinite"
            | "fproundtoint"
            | "fpsqrt"
            | "fptofp"
            | "fptobv"
            | "fpfrombv"
            | "fpneg"
            | "fppos"
    )
}
