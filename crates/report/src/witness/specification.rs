//! The property of an answer, as statements in SV-COMP's notation.

use cfa::{Check, LocId, Program};
use verify::Counterexample;

use crate::Subject;
use crate::asserting::Macros;
use crate::source::{self, Target};

/// The property that an execution violates: the given one, or else one that says that the error must not be reached.
/// The latter is taken in three cases: no property was given; the given property does not name the function that was
/// called (`unreach-call` is about older error functions, too, though its text does not name them); or the error is a
/// fault that was looked for besides the given property, which such a fault does not violate.
pub(super) fn violated(program: &Program, subject: &Subject, found: &Counterexample) -> String {
    let said: String = subject.specification.split_whitespace().collect();
    let is_other = |name: &str| said.contains("call(") && !said.contains(&format!("call({name}("));
    let is_fault = program.cfa.locations[found.error].fault.is_some();
    let is_beside = is_fault && (said.contains("call(") || said.contains("label("));
    if !said.is_empty() && !is_beside && !source::called(program, found.error).is_some_and(is_other)
    {
        return statements(&given(subject), subject);
    }
    statements(&[formula(program, found.error)], subject)
}

/// What a proof has proved, which is what was checked. If nothing could go wrong in the program, at least it calls no
/// error function.
pub(super) fn proved(program: &Program, subject: &Subject) -> String {
    let checked = checked(program, subject);
    match checked.is_empty() {
        true => statements(&["G ! call(reach_error())".to_owned()], subject),
        false => checked,
    }
}

/// What was checked, as statements: the property that was given, and all that could be violated besides. If no property
/// was given, or one that does not name the error functions of the program, only what could be violated. Empty if no
/// property was given and nothing could be violated.
#[must_use]
pub fn checked(program: &Program, subject: &Subject) -> String {
    let (faults, targets): (Vec<LocId>, Vec<LocId>) =
        program.cfa.errors().partition(|error| program.cfa.locations[*error].fault.is_some());
    let given = given(subject);
    // A settled assert or error call is no error of the program any more, but it was to be checked, and it is proved.
    let settled = subject.settled.iter().map(|(span, called)| {
        let called = called.as_deref().map(Target::Call);
        formula_of_target(called.or_else(|| source::at(program, *span)))
    });
    let targets = targets.into_iter().map(|error| formula(program, error));
    let targets = each_once(targets.chain(settled));
    let is_about_calls = given.iter().any(|one| one.contains("call("));
    let mut formulas = match &given[..] {
        [] => targets,
        _ if is_about_calls && targets.iter().any(|one| !given.contains(one)) => targets,
        _ => given,
    };
    formulas.extend(faults.into_iter().map(|error| formula(program, error)));
    statements(&each_once(formulas.into_iter()), subject)
}

/// What executions of a program could violate, as formulas, each once: `G ! call(reach_error())`, `G valid-deref`.
#[must_use]
pub fn could_fail(program: &Program) -> Vec<String> {
    each_once(program.cfa.errors().map(|error| formula(program, error)))
}

/// The formulas of statements: what is between the brackets behind `LTL`, or a formula that stands by itself.
#[must_use]
pub fn formulas(specification: &str) -> Vec<String> {
    let words: Vec<&str> = specification.split_whitespace().collect();
    // The property `assert` has no formula of its own in SV-COMP.
    let text = words.join(" ").replace("G assert", "G ! call(__assert_fail())");
    if !text.contains("LTL(") {
        return Some(text).filter(|text| !text.is_empty()).into_iter().collect();
    }
    let inner = |rest: &str| {
        let statement = rest.split("CHECK").next().unwrap_or(rest).trim_end();
        let formula = statement.strip_suffix(')').unwrap_or(statement).trim_end();
        formula.strip_suffix(')').unwrap_or(formula).trim().to_owned()
    };
    text.split("LTL(").skip(1).map(inner).collect()
}

/// The formula that says that a check finds nothing.
#[must_use]
pub fn formula_of(check: Check) -> String {
    match check {
        Check::Overflow => "G ! overflow".to_owned(),
        Check::Deref => "G valid-deref".to_owned(),
        Check::Free => "G valid-free".to_owned(),
        Check::Leak => "G valid-memcleanup".to_owned(),
        Check::Track => "G valid-memtrack".to_owned(),
        other => format!("G ! {}", other.name()),
    }
}

/// The formulas of the property that was given.
fn given(subject: &Subject) -> Vec<String> {
    formulas(&subject.specification)
}

fn statements(formulas: &[String], subject: &Subject) -> String {
    let statement =
        |formula: &String| format!("CHECK( init({}()), LTL({formula}) )", subject.entry);
    formulas.iter().map(statement).collect::<Vec<_>>().join(" ")
}

/// What an error violates.
fn formula(program: &Program, error: LocId) -> String {
    if let Some(fault) = program.cfa.locations[error].fault {
        return match fault.check() {
            Some(check) => formula_of(check),
            None => format!("G ! {}", fault.property()),
        };
    }
    formula_of_target(reached(program, error))
}

fn formula_of_target(target: Option<Target<'_>>) -> String {
    match target {
        Some(Target::Label(name)) => format!("G ! label({name})"),
        Some(Target::Call("assert")) => "G ! call(__assert_fail())".to_owned(),
        Some(Target::Call(name)) => format!("G ! call({name}())"),
        None => "G ! call(reach_error())".to_owned(),
    }
}

/// The target that is reached at an error: the function that is called, and not a macro that stands for the call.
fn reached(program: &Program, error: LocId) -> Option<Target<'_>> {
    match source::called(program, error) {
        Some(name) => Some(Target::Call(name)),
        None => source::target(&Macros::of(program), error),
    }
}

fn each_once(formulas: impl Iterator<Item = String>) -> Vec<String> {
    let mut list = Vec::new();
    for formula in formulas {
        if !list.contains(&formula) {
            list.push(formula);
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_have_formulas() {
        let both =
            "CHECK( init(main()), LTL(G ! call(f())) )  CHECK(init(main()),LTL(G valid-free))";
        assert_eq!(formulas(both), ["G ! call(f())", "G valid-free"]);
        assert_eq!(formulas("G ! overflow"), ["G ! overflow"]);
        let asserts = "CHECK( init(main()), LTL(G assert) )";
        assert_eq!(formulas(asserts), ["G ! call(__assert_fail())"]);
        assert_eq!(formulas(" "), [""; 0]);
    }
}
