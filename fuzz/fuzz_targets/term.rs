//! Terms as SMT-LIB text, over a symbol or two of each kind of sort.

#![no_main]

use libfuzzer_sys::fuzz_target;
use proviso_fuzz::{deep, symbols};
use term::{Evaluator, Terms};

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    deep(|| check(text));
});

fn check(text: &str) {
    let mut terms = Terms::new();
    let (names, values) = symbols(&mut terms);
    let mut resolve = |name: &str| names.get(name).copied();
    let _ = terms.parse_sort(text).map(|sort| {
        let shown = terms.display_sort(sort).to_string();
        assert_eq!(terms.parse_sort(&shown), Ok(sort), "{shown}");
    });
    let term = match terms.parse(text, &mut resolve) {
        Ok(term) => term,
        Err(error) => {
            assert!(error.offset <= text.len(), "{error}");
            return;
        }
    };
    let shown = terms.display(term).to_string();
    assert_eq!(terms.parse(&shown, &mut resolve), Ok(term), "{text}\nis shown as\n{shown}");
    // Both evaluators say the same, and of the sort that the term has.
    let value = terms.eval(term, &mut |var| values.get(&var).cloned()).expect("all have values");
    assert_eq!(value.sort(), terms.sort(term), "{shown}");
    assert_eq!(Evaluator::new().eval(&terms, term, &values), Ok(value), "{shown}");
}
