//! Values against the arithmetic of the machine, and against the definitions of SMT-LIB.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use proptest::prelude::*;
use proviso_term::{Bv, Float, Format, Rounding};

const RNE: Rounding = Rounding::NearestEven;

/// Numbers near the ends and near zero, and any.
fn word() -> impl Strategy<Value = u64> {
    prop_oneof![
        any::<u64>(),
        0..10u64,
        (0..10u64).prop_map(u64::wrapping_neg),
        (0..4u64).prop_map(|n| (1u64 << 63).wrapping_add(n).wrapping_sub(2)),
        (0..4u64).prop_map(|n| (1u64 << 31).wrapping_add(n).wrapping_sub(2)),
    ]
}

fn single() -> impl Strategy<Value = f32> {
    prop_oneof![
        any::<u32>().prop_map(f32::from_bits),
        prop::sample::select(vec![
            0.0,
            -0.0,
            1.0,
            -1.5,
            f32::NAN,
            f32::INFINITY,
            f32::MAX,
            f32::MIN_POSITIVE,
            0.5,
            2.5
        ]),
        (-1000..1000i32).prop_map(|n| n as f32 / 2.0),
        (0..100u32).prop_map(f32::from_bits),
    ]
}

fn double() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<u64>().prop_map(f64::from_bits),
        prop::sample::select(vec![
            0.0,
            -0.0,
            1.0,
            -1.5,
            f64::NAN,
            f64::INFINITY,
            f64::MAX,
            f64::MIN_POSITIVE,
            0.5,
            2.5
        ]),
        (-1000..1000i32).prop_map(|n| f64::from(n) / 2.0),
        (0..100u64).prop_map(f64::from_bits),
    ]
}

fn f32v(x: f32) -> Float {
    Float::from_f32(x)
}

fn f64v(x: f64) -> Float {
    Float::from_f64(x)
}

macro_rules! against_native {
    ($a:expr, $b:expr, $unsigned:ty, $signed:ty) => {{
        let width = <$unsigned>::BITS;
        let (a, b) = ($a as $unsigned, $b as $unsigned);
        let (sa, sb) = (a as $signed, b as $signed);
        let (x, y) = (Bv::new(width, a.into()), Bv::new(width, b.into()));
        let bv = |n: $unsigned| Bv::new(width, n.into());
        let sbv = |n: $signed| Bv::from_signed(width, n.into());
        prop_assert_eq!(x.add(&y), bv(a.wrapping_add(b)));
        prop_assert_eq!(x.sub(&y), bv(a.wrapping_sub(b)));
        prop_assert_eq!(x.mul(&y), bv(a.wrapping_mul(b)));
        prop_assert_eq!(x.and(&y), bv(a & b));
        prop_assert_eq!(x.or(&y), bv(a | b));
        prop_assert_eq!(x.xor(&y), bv(a ^ b));
        prop_assert_eq!(x.not(), bv(!a));
        prop_assert_eq!(x.neg(), bv(a.wrapping_neg()));
        if b != 0 {
            prop_assert_eq!(x.udiv(&y), bv(a / b));
            prop_assert_eq!(x.urem(&y), bv(a % b));
            prop_assert_eq!(x.sdiv(&y), sbv(sa.wrapping_div(sb)));
            prop_assert_eq!(x.srem(&y), sbv(sa.wrapping_rem(sb)));
        } else {
            prop_assert_eq!(x.udiv(&y), Bv::ones(width));
            prop_assert_eq!(x.urem(&y), x.clone());
            prop_assert_eq!(x.sdiv(&y), sbv(if sa < 0 { 1 } else { -1 }));
            prop_assert_eq!(x.srem(&y), x.clone());
            prop_assert_eq!(x.smod(&y), x.clone());
        }
        let by = b.checked_rem(width as $unsigned + 3).unwrap_or(0);
        let z = bv(by);
        prop_assert_eq!(x.shl(&z), bv(a.checked_shl(by as u32).unwrap_or(0)));
        prop_assert_eq!(x.lshr(&z), bv(a.checked_shr(by as u32).unwrap_or(0)));
        prop_assert_eq!(x.ashr(&z), sbv(sa >> (by as u32).min(width - 1)));
        prop_assert_eq!(x.ult(&y), a < b);
        prop_assert_eq!(x.ule(&y), a <= b);
        prop_assert_eq!(x.slt(&y), sa < sb);
        prop_assert_eq!(x.sle(&y), sa <= sb);
        prop_assert_eq!(x.uadd_overflow(&y), a.checked_add(b).is_none());
        prop_assert_eq!(x.sadd_overflow(&y), sa.checked_add(sb).is_none());
        prop_assert_eq!(x.usub_overflow(&y), a.checked_sub(b).is_none());
        prop_assert_eq!(x.ssub_overflow(&y), sa.checked_sub(sb).is_none());
        prop_assert_eq!(x.umul_overflow(&y), a.checked_mul(b).is_none());
        prop_assert_eq!(x.smul_overflow(&y), sa.checked_mul(sb).is_none());
        prop_assert_eq!(x.to_i128(), Some(sa.into()));
        prop_assert_eq!(x.sign_extend(200).to_i128(), Some(sa.into()));
        prop_assert_eq!(x.zero_extend(200).to_u128(), Some(a.into()));
    }};
}

/// What SMT-LIB defines, on integers.
fn against_integers(width: u32, x: &Bv, y: &Bv) {
    let modulus = BigInt::one() << width;
    let (a, b) = (x.to_bigint_unsigned(), y.to_bigint_unsigned());
    let signed = |n: &BigInt| if n.bit(u64::from(width) - 1) { n - &modulus } else { n.clone() };
    let (sa, sb) = (signed(&a), signed(&b));
    assert_eq!(x.to_bigint_signed(), sa);
    let bv = |n: BigInt| Bv::from_bigint(width, &n);
    let fits_unsigned = |n: &BigInt| !n.is_negative() && n < &modulus;
    let half: BigInt = &modulus / 2;
    let fits_signed = |n: &BigInt| *n >= -&half && *n < half;
    assert_eq!(bv(sa.clone()), *x);
    assert_eq!(x.add(y), bv(&a + &b));
    assert_eq!(x.sub(y), bv(&a - &b));
    assert_eq!(x.mul(y), bv(&a * &b));
    assert_eq!(x.not(), bv(&modulus - 1 - &a));
    assert_eq!(x.neg(), bv(-&a));
    if b.is_zero() {
        assert_eq!(x.udiv(y), Bv::ones(width));
        assert_eq!(x.urem(y), *x);
        assert_eq!(x.sdiv(y), bv(if sa.is_negative() { BigInt::one() } else { -BigInt::one() }));
        assert_eq!(x.srem(y), *x);
        assert_eq!(x.smod(y), *x);
    } else {
        assert_eq!(x.udiv(y), bv(&a / &b));
        assert_eq!(x.urem(y), bv(&a % &b));
        assert_eq!(x.sdiv(y), bv(&sa / &sb));
        assert_eq!(x.srem(y), bv(&sa % &sb));
        assert_eq!(x.smod(y), bv(sa.mod_floor(&sb)));
    }
    assert_eq!(x.and(y), bv(&a & &b));
    assert_eq!(x.or(y), bv(&a | &b));
    assert_eq!(x.xor(y), bv(&a ^ &b));
    match b.to_u32().filter(|by| *by < width) {
        Some(by) => {
            assert_eq!(x.shl(y), bv(&a << by));
            assert_eq!(x.lshr(y), bv(&a >> by));
            assert_eq!(x.ashr(y), bv(&sa >> by));
        }
        None => {
            assert_eq!(x.shl(y), Bv::zero(width));
            assert_eq!(x.lshr(y), Bv::zero(width));
            assert_eq!(x.ashr(y), if sa.is_negative() { Bv::ones(width) } else { Bv::zero(width) });
        }
    }
    assert_eq!(x.ult(y), a < b);
    assert_eq!(x.ule(y), a <= b);
    assert_eq!(x.slt(y), sa < sb);
    assert_eq!(x.sle(y), sa <= sb);
    assert_eq!(x.uadd_overflow(y), !fits_unsigned(&(&a + &b)));
    assert_eq!(x.sadd_overflow(y), !fits_signed(&(&sa + &sb)));
    assert_eq!(x.usub_overflow(y), !fits_unsigned(&(&a - &b)));
    assert_eq!(x.ssub_overflow(y), !fits_signed(&(&sa - &sb)));
    assert_eq!(x.umul_overflow(y), !fits_unsigned(&(&a * &b)));
    assert_eq!(x.smul_overflow(y), !fits_signed(&(&sa * &sb)));
    let wide = width + 70;
    assert_eq!(x.sign_extend(wide).to_bigint_signed(), sa);
    assert_eq!(x.zero_extend(wide).to_bigint_unsigned(), a);
    assert_eq!(x.concat(y).to_bigint_unsigned(), &a << width | &b);
    assert_eq!(x.concat(y).extract(width - 1, 0), *y);
    assert_eq!(x.concat(y).extract(2 * width - 1, width), *x);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn bits_as_on_the_machine(a in word(), b in word()) {
        against_native!(a, b, u8, i8);
        against_native!(a, b, u16, i16);
        against_native!(a, b, u32, i32);
        against_native!(a, b, u64, i64);
    }

    #[test]
    fn bits_as_defined(
        width in prop::sample::select(vec![1u32, 2, 3, 7, 8, 32, 33, 64, 65, 127, 128, 129, 200]),
        a in prop::array::uniform4(word()),
        b in prop::array::uniform4(word()),
        small in any::<bool>(),
    ) {
        let number = |words: [u64; 4]| words.into_iter().fold(BigInt::zero(), |n, word| n << 64 | BigInt::from(word));
        let x = Bv::from_bigint(width, &number(a));
        let y = if small { Bv::new(width, u128::from(b[0] % 140)) } else { Bv::from_bigint(width, &number(b)) };
        against_integers(width, &x, &y);
        against_integers(width, &y, &x);
        against_integers(width, &x, &x);
    }

    #[test]
    fn singles_as_on_the_machine(a in single(), b in single(), c in single()) {
        let (x, y, z) = (f32v(a), f32v(b), f32v(c));
        prop_assert_eq!(x.add(RNE, y), f32v(a + b));
        prop_assert_eq!(x.sub(RNE, y), f32v(a - b));
        prop_assert_eq!(x.mul(RNE, y), f32v(a * b));
        prop_assert_eq!(x.div(RNE, y), f32v(a / b));
        prop_assert_eq!(x.fma(RNE, y, z), f32v(a.mul_add(b, c)));
        prop_assert_eq!(x.sqrt(RNE), f32v(a.sqrt()));
        prop_assert_eq!(x.fmod(y), f32v(a % b));
        prop_assert_eq!(x.convert(RNE, Format::Double), f64v(f64::from(a)));
        prop_assert_eq!(x.ieee_eq(y), a == b);
        prop_assert_eq!(x.ieee_lt(y), a < b);
        prop_assert_eq!(x.ieee_le(y), a <= b);
        prop_assert_eq!(x.is_nan(), a.is_nan());
        prop_assert_eq!(x.is_infinite(), a.is_infinite());
        prop_assert_eq!(x.is_normal(), a.is_normal());
        prop_assert_eq!(x.is_subnormal(), a.is_subnormal());
        prop_assert_eq!(x.neg(), f32v(-a));
        prop_assert_eq!(x.abs(), f32v(a.abs()));
    }

    #[test]
    fn doubles_as_on_the_machine(a in double(), b in double(), c in double()) {
        let (x, y, z) = (f64v(a), f64v(b), f64v(c));
        prop_assert_eq!(x.add(RNE, y), f64v(a + b));
        prop_assert_eq!(x.sub(RNE, y), f64v(a - b));
        prop_assert_eq!(x.mul(RNE, y), f64v(a * b));
        prop_assert_eq!(x.div(RNE, y), f64v(a / b));
        prop_assert_eq!(x.fma(RNE, y, z), f64v(a.mul_add(b, c)));
        prop_assert_eq!(x.sqrt(RNE), f64v(a.sqrt()));
        prop_assert_eq!(x.fmod(y), f64v(a % b));
        prop_assert_eq!(x.convert(RNE, Format::Single), f32v(a as f32));
        prop_assert_eq!(x.round_to_integral(RNE), f64v(a.round_ties_even()));
        prop_assert_eq!(x.round_to_integral(Rounding::NearestAway), f64v(a.round()));
        prop_assert_eq!(x.round_to_integral(Rounding::TowardZero), f64v(a.trunc()));
        prop_assert_eq!(x.round_to_integral(Rounding::TowardPositive), f64v(a.ceil()));
        prop_assert_eq!(x.round_to_integral(Rounding::TowardNegative), f64v(a.floor()));
        let in_range = a > -2_147_483_649.0 && a < 2_147_483_648.0;
        let expected = if in_range { a as i32 } else { i32::MIN };
        prop_assert_eq!(x.to_signed_bv(Rounding::TowardZero, 32), Bv::from_signed(32, expected.into()));
        let in_range = a > -1.0 && a < 4_294_967_296.0;
        let expected = if in_range { a as u32 } else { 1 << 31 };
        prop_assert_eq!(x.to_unsigned_bv(Rounding::TowardZero, 32), Bv::new(32, expected.into()));
        let (least, greatest) = (x.min(y), x.max(y));
        if !a.is_nan() && !b.is_nan() {
            prop_assert!(least.ieee_le(x) && least.ieee_le(y) && (least == x || least == y));
            prop_assert!(x.ieee_le(greatest) && y.ieee_le(greatest) && (greatest == x || greatest == y));
        }
        prop_assert_eq!(least, y.min(x));
        prop_assert_eq!(greatest, y.max(x));
    }

    #[test]
    fn integers_to_floats_as_on_the_machine(n in any::<i64>(), m in any::<u64>(), shift in 0..64u32) {
        let (n, m) = (n >> shift, m >> shift);
        let (x, y) = (Bv::from_signed(64, n.into()), Bv::new(64, m.into()));
        prop_assert_eq!(Float::from_signed_bv(RNE, Format::Double, &x), f64v(n as f64));
        prop_assert_eq!(Float::from_unsigned_bv(RNE, Format::Double, &y), f64v(m as f64));
        prop_assert_eq!(Float::from_signed_bv(RNE, Format::Single, &x), f32v(n as f32));
        prop_assert_eq!(Float::from_unsigned_bv(RNE, Format::Single, &y), f32v(m as f32));
    }
}

#[test]
fn x87_encodings_become_what_the_processor_reads() {
    let x87 = |bits: u128| Float::from_bits(Format::X87, bits);
    // A pseudo-denormal is the least normal number.
    assert_eq!(x87(1 << 63), x87(1 << 64 | 1 << 63));
    assert!(x87(1 << 63).is_normal());
    // An unnormal, a pseudo-infinity and a pseudo-NaN are invalid.
    assert!(x87(0x3fff << 64 | 1 << 62).is_nan());
    assert!(x87(0x7fff << 64).is_nan());
    assert!(x87(0x7fff << 64 | 1).is_nan());
    assert!(x87(0x7fff << 64 | 1 << 63).is_infinite());
    assert_eq!(x87(0x3fff << 64 | 1 << 63).to_f64(), 1.0);
    assert_eq!(f64v(1.0).convert(RNE, Format::X87).bits(), 0x3fff << 64 | 1 << 63);
    assert_eq!(Float::nan(Format::X87).bits(), 0x7fff << 64 | 3 << 62);
    assert_eq!(Float::nan(Format::Single).bits(), 0x7fc0_0000);
}
