//! The inline rationals against those of `num-rational`.

use num_rational::BigRational;
use num_traits::{Signed, Zero};
use proptest::prelude::*;

use crate::linear::rational::{Delta, Rational};

fn part() -> impl Strategy<Value = i64> {
    prop_oneof![
        4 => -20_i64..=20,
        2 => any::<i64>(),
        1 => Just(i64::MIN),
        1 => Just(i64::MAX),
        1 => Just(i64::MIN + 1),
    ]
}

fn big() -> impl Strategy<Value = BigRational> {
    (part(), part(), 0_u32..3).prop_map(|(numer, denom, power)| {
        let denom = if denom == 0 { 1 } else { denom };
        BigRational::new(numer.into(), denom.into()) * super::number(i64::MAX).pow(power as i32)
    })
}

fn small(value: &BigRational) -> Rational {
    Rational::from_big(value.clone())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arithmetic_agrees(a in big(), b in big(), c in big()) {
        let (x, y, z) = (small(&a), small(&b), small(&c));
        prop_assert_eq!(x.to_big(), a.clone());
        // Comparing representations also shows that every result is canonical.
        prop_assert_eq!(&x + &y, small(&(&a + &b)));
        prop_assert_eq!(&x - &y, small(&(&a - &b)));
        prop_assert_eq!(&x * &y, small(&(&a * &b)));
        prop_assert_eq!(x.plus(&y, &z), small(&(&a + &b * &c)));
        prop_assert_eq!(-&x, small(&-&a));
        prop_assert_eq!(x.abs(), small(&a.abs()));
        prop_assert_eq!(x.floor(), small(&a.floor()));
        prop_assert_eq!(x.ceil(), small(&a.ceil()));
        prop_assert_eq!(x.cmp(&y), a.cmp(&b));
        prop_assert_eq!(x.is_integer(), a.is_integer());
        prop_assert_eq!(x.is_zero(), a.is_zero());
        prop_assert_eq!(x.is_negative(), a.is_negative());
        if !b.is_zero() {
            prop_assert_eq!(&x / &y, small(&(&a / &b)));
            let gcd = x.gcd(&y);
            prop_assert!(gcd.is_positive());
            prop_assert!((&x / &gcd).is_integer() && (&y / &gcd).is_integer());
        }
    }
}

#[test]
fn extremes_stay_canonical() {
    let least = Rational::from(i64::MIN);
    assert!(matches!(least, Rational::Big(_)));
    assert!(matches!(&least + &Rational::ONE, Rational::Small(..)));
    assert!(matches!(&least - &least, Rational::Small(0, 1)));
    assert_eq!(least.bits(), 64);
}

#[test]
fn strictness_rounds_away_from_the_bound() {
    let below = Delta { real: Rational::from(3), delta: -&Rational::ONE };
    let above = Delta { real: Rational::from(3), delta: Rational::ONE };
    assert_eq!(below.floor(), Rational::from(2));
    assert_eq!(below.ceil(), Rational::from(3));
    assert_eq!(above.floor(), Rational::from(3));
    assert_eq!(above.ceil(), Rational::from(4));
    assert!(below < above);
}
