//! The meaning of bit-vector operations up to 128 bits, on plain words.
//!
//! [`crate::Bv`] and the compiled evaluator both call these functions, so that there is one meaning. Arguments have no
//! bits past the width, and results have none either. Widths are 1 to 128.

/// All ones of a width.
#[inline]
pub(crate) fn mask(width: u32) -> u128 {
    debug_assert!((1..=128).contains(&width));
    u128::MAX >> (128 - width)
}

/// The number that a word is in two's complement.
#[inline]
pub(crate) fn signed(width: u32, a: u128) -> i128 {
    let unused = 128 - width;
    ((a << unused) as i128) >> unused
}

/// The bits of a signed number, cut to the width.
#[inline]
pub(crate) fn unsigned(width: u32, a: i128) -> u128 {
    a as u128 & mask(width)
}

#[inline]
fn negative(width: u32, a: u128) -> bool {
    a >> (width - 1) & 1 == 1
}

#[inline]
pub(crate) fn not(width: u32, a: u128) -> u128 {
    !a & mask(width)
}

#[inline]
pub(crate) fn neg(width: u32, a: u128) -> u128 {
    a.wrapping_neg() & mask(width)
}

#[inline]
pub(crate) fn add(width: u32, a: u128, b: u128) -> u128 {
    a.wrapping_add(b) & mask(width)
}

#[inline]
pub(crate) fn sub(width: u32, a: u128, b: u128) -> u128 {
    a.wrapping_sub(b) & mask(width)
}

#[inline]
pub(crate) fn mul(width: u32, a: u128, b: u128) -> u128 {
    a.wrapping_mul(b) & mask(width)
}

#[inline]
pub(crate) fn udiv(width: u32, a: u128, b: u128) -> u128 {
    a.checked_div(b).unwrap_or(mask(width))
}

#[inline]
pub(crate) fn urem(_width: u32, a: u128, b: u128) -> u128 {
    a.checked_rem(b).unwrap_or(a)
}

#[inline]
fn magnitude(width: u32, a: u128) -> u128 {
    if negative(width, a) { neg(width, a) } else { a }
}

/// The quotient as SMT-LIB defines it by `udiv`: division by zero gives -1 for a dividend that is not negative, and 1
/// for a negative dividend.
#[inline]
pub(crate) fn sdiv(width: u32, a: u128, b: u128) -> u128 {
    let quotient = udiv(width, magnitude(width, a), magnitude(width, b));
    if negative(width, a) == negative(width, b) { quotient } else { neg(width, quotient) }
}

/// The remainder with the sign of the dividend.
#[inline]
pub(crate) fn srem(width: u32, a: u128, b: u128) -> u128 {
    let rest = urem(width, magnitude(width, a), magnitude(width, b));
    if negative(width, a) { neg(width, rest) } else { rest }
}

/// The remainder with the sign of the divisor.
#[inline]
pub(crate) fn smod(width: u32, a: u128, b: u128) -> u128 {
    let rest = srem(width, a, b);
    if rest != 0 && b != 0 && negative(width, a) != negative(width, b) {
        add(width, rest, b)
    } else {
        rest
    }
}

#[inline]
pub(crate) fn and(_width: u32, a: u128, b: u128) -> u128 {
    a & b
}

#[inline]
pub(crate) fn or(_width: u32, a: u128, b: u128) -> u128 {
    a | b
}

#[inline]
pub(crate) fn xor(_width: u32, a: u128, b: u128) -> u128 {
    a ^ b
}

#[inline]
pub(crate) fn shl(width: u32, a: u128, b: u128) -> u128 {
    if b >= u128::from(width) { 0 } else { a << b & mask(width) }
}

#[inline]
pub(crate) fn lshr(width: u32, a: u128, b: u128) -> u128 {
    if b >= u128::from(width) { 0 } else { a >> b }
}

#[inline]
pub(crate) fn ashr(width: u32, a: u128, b: u128) -> u128 {
    let by = b.min(u128::from(width - 1));
    unsigned(width, signed(width, a) >> by)
}

#[inline]
pub(crate) fn ult(_width: u32, a: u128, b: u128) -> bool {
    a < b
}

#[inline]
pub(crate) fn ule(_width: u32, a: u128, b: u128) -> bool {
    a <= b
}

#[inline]
pub(crate) fn slt(width: u32, a: u128, b: u128) -> bool {
    signed(width, a) < signed(width, b)
}

#[inline]
pub(crate) fn sle(width: u32, a: u128, b: u128) -> bool {
    signed(width, a) <= signed(width, b)
}

/// `high` above `low`, where `width` is the width of `low`.
#[inline]
pub(crate) fn concat(width: u32, high: u128, low: u128) -> u128 {
    high << width | low
}

#[inline]
pub(crate) fn extract(high: u32, low: u32, a: u128) -> u128 {
    a >> low & mask(high - low + 1)
}

#[inline]
pub(crate) fn sign_extend(from: u32, to: u32, a: u128) -> u128 {
    unsigned(to, signed(from, a))
}

#[inline]
pub(crate) fn uadd_overflow(width: u32, a: u128, b: u128) -> bool {
    add(width, a, b) < a
}

#[inline]
pub(crate) fn sadd_overflow(width: u32, a: u128, b: u128) -> bool {
    let sum = add(width, a, b);
    negative(width, (a ^ sum) & (b ^ sum))
}

#[inline]
pub(crate) fn usub_overflow(_width: u32, a: u128, b: u128) -> bool {
    a < b
}

#[inline]
pub(crate) fn ssub_overflow(width: u32, a: u128, b: u128) -> bool {
    let difference = sub(width, a, b);
    negative(width, (a ^ b) & (a ^ difference))
}

#[inline]
pub(crate) fn umul_overflow(width: u32, a: u128, b: u128) -> bool {
    a.checked_mul(b).is_none_or(|product| product > mask(width))
}

#[inline]
pub(crate) fn smul_overflow(width: u32, a: u128, b: u128) -> bool {
    let product = signed(width, a).checked_mul(signed(width, b));
    product.is_none_or(|product| signed(width, unsigned(width, product)) != product)
}
