//! Guesses a result as a sum of multiples of the arguments, such that the sum agrees with all samples.

use term::Bv;

/// Numbers that go in, and the one that comes out, all of one width.
pub(super) type Point = (Vec<Bv>, Bv);

/// How many points there have to be: fewer points say little.
const FEWEST: usize = 3;

/// The factors and the constant of a sum that gives what comes out from what goes in, at every point. Factors are found
/// one by one: between two points, one number goes up by one, and besides it only numbers differ whose factors are
/// known.
pub(super) fn fit(points: &[Point]) -> Option<(Vec<Bv>, Bv)> {
    let (first, value) = points.first()?;
    let width = value.width();
    let zero = Bv::zero(width);
    let mut factors: Vec<Option<Bv>> = vec![None; first.len()];
    for (index, factor) in factors.iter_mut().enumerate() {
        // A number that is always the same is part of the constant.
        if points.iter().all(|(ins, _)| ins[index] == first[index]) {
            *factor = Some(zero.clone());
        }
    }
    while let Some(found) = next_factor(points, &factors) {
        factors[found.0] = Some(found.1);
    }
    let factors: Vec<Bv> = factors.into_iter().collect::<Option<_>>()?;
    let sum =
        |ins: &[Bv]| ins.iter().zip(&factors).fold(zero.clone(), |sum, (a, b)| sum.add(&a.mul(b)));
    let constant = value.sub(&sum(first));
    let agrees = |(ins, out): &Point| sum(ins).add(&constant) == *out;
    (points.len() >= FEWEST && points.iter().all(agrees)).then_some((factors, constant))
}

/// A factor that two points determine, with its index.
fn next_factor(points: &[Point], factors: &[Option<Bv>]) -> Option<(usize, Bv)> {
    let unknown: Vec<usize> = (0..factors.len()).filter(|at| factors[*at].is_none()).collect();
    for (number, (a, a_out)) in points.iter().enumerate() {
        for (b, b_out) in &points[..number] {
            let mut differing = unknown.iter().filter(|at| a[**at] != b[**at]);
            let (Some(at), None) = (differing.next(), differing.next()) else { continue };
            let step = a[*at].sub(&b[*at]);
            if !step.is_one() && !step.is_ones() {
                continue;
            }
            let mut change = a_out.sub(b_out);
            for (index, factor) in factors.iter().enumerate() {
                if let Some(factor) = factor {
                    change = change.sub(&a[index].sub(&b[index]).mul(factor));
                }
            }
            return Some((*at, if step.is_one() { change } else { change.neg() }));
        }
    }
    None
}
