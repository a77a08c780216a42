//! Makes a question smaller as long as it keeps a property.

use std::collections::HashMap;

use term::{Sort, TermId, Terms, Value, View};

use super::formulas::Question;

/// How many smaller questions are tried at most.
const TRIES: u32 = 600;

/// The smallest question found that is still `bad`.
pub fn shrink(
    terms: &mut Terms,
    question: Question,
    bad: &mut dyn FnMut(&Terms, &Question) -> bool,
) -> Question {
    let mut best = question;
    let mut tries = 0;
    loop {
        let smaller = candidates(terms, &best).into_iter().find(|candidate| {
            tries += 1;
            tries <= TRIES && bad(terms, candidate)
        });
        match smaller {
            Some(smaller) => best = smaller,
            None => return best,
        }
    }
}

/// Questions that are a step smaller, the boldest steps first.
fn candidates(terms: &mut Terms, question: &Question) -> Vec<Question> {
    let all = [&question.asserted[..], &question.assumptions[..]].concat();
    let border = question.asserted.len();
    let rebuilt = |formulas: Vec<TermId>, border: usize| Question {
        asserted: formulas[..border].to_vec(),
        assumptions: formulas[border..].to_vec(),
    };
    let mut found = Vec::new();
    for at in 0..all.len() {
        let mut fewer = all.clone();
        fewer.remove(at);
        found.push(rebuilt(fewer, if at < border { border - 1 } else { border }));
    }
    let size = terms.post_order(&all).len();
    let mut subterms = terms.post_order(&all);
    subterms.reverse();
    for from in subterms {
        let mut images = Vec::new();
        if let View::App(_, args) = terms.view(from) {
            images.extend(args.iter().copied().filter(|arg| terms.sort(*arg) == terms.sort(from)));
        }
        if terms.value(from).is_none() {
            images.extend(simple(terms, terms.sort(from)));
        }
        for to in images {
            let formulas: Vec<TermId> =
                all.iter().map(|root| replace(terms, *root, from, to)).collect();
            if formulas != all && terms.post_order(&formulas).len() < size {
                found.push(rebuilt(formulas, border));
            }
        }
    }
    found
}

/// The simplest terms of a sort.
fn simple(terms: &mut Terms, sort: Sort) -> Vec<TermId> {
    match sort {
        Sort::Bool => vec![terms.bool(true), terms.bool(false)],
        Sort::Bv(width) => vec![terms.bv(width, 0), terms.bv(width, 1)],
        Sort::Int => vec![terms.int(0)],
        Sort::Rat => {
            vec![terms.constant(Value::Rat(num_rational::BigRational::from_integer(0.into())))]
        }
        Sort::Float(_) | Sort::Array(_) => vec![],
    }
}

fn replace(terms: &mut Terms, root: TermId, from: TermId, to: TermId) -> TermId {
    let mut images: HashMap<TermId, TermId> = HashMap::new();
    for term in terms.post_order(&[root]) {
        let image = match terms.view(term) {
            _ if term == from => to,
            View::App(op, args) => {
                let args: Vec<TermId> = args.iter().map(|arg| images[arg]).collect();
                terms.app(op, &args)
            }
            _ => term,
        };
        images.insert(term, image);
    }
    images[&root]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_matter_goes() {
        let mut terms = Terms::new();
        let vars: Vec<TermId> = ["x", "y", "z"]
            .iter()
            .map(|name| {
                let var = terms.declare(*name, Sort::Bv(8));
                terms.var(var)
            })
            .collect();
        let (product, sum) = (terms.bv_mul(vars[0], vars[1]), terms.bv_add(vars[1], vars[2]));
        let (equal, less) = (terms.eq(product, sum), terms.bv_ult(vars[2], vars[0]));
        let both = terms.or2(equal, less);
        let question = Question { asserted: vec![less, both], assumptions: vec![equal] };
        let mut has_product = |terms: &Terms, question: &Question| {
            let all = [&question.asserted[..], &question.assumptions[..]].concat();
            let is_product =
                |term: &TermId| matches!(terms.view(*term), View::App(term::Op::BvMul, _));
            terms.post_order(&all).iter().any(is_product)
        };
        let least = shrink(&mut terms, question, &mut has_product);
        assert_eq!(least.asserted.len() + least.assumptions.len(), 1);
        let all = [least.asserted, least.assumptions].concat();
        let text = terms.display(all[0]).to_string();
        assert!(text.contains("bvmul") && !text.contains("z") && !text.contains("or"), "{text}");
    }
}
