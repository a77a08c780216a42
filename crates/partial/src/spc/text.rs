//! Steps as statements: what a file of an automaton calls them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use base::tokens::{is_word, is_word_byte};
use base::{IndexVec, Span};
use cfa::{Choice, EdgeId, FuncId, Infix, LocId, Op, Program};
use run::Step;
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Var, View};

/// The statements of all steps of a program.
pub struct Texts<'p> {
    program: &'p Program,
    edges: IndexVec<EdgeId, String>,
    /// The words for returns from functions that are called more than once, by the call that each return goes back
    /// to.
    returns: FxHashMap<EdgeId, String>,
    /// What variables stand for that the source does not have, by their names in the model.
    inner: FxHashMap<String, String>,
}

impl<'p> Texts<'p> {
    /// The statements of a program. Those of the steps from one location are all different. Conditions
    /// stand in brackets, as CPAchecker writes them.
    #[must_use]
    pub fn of(program: &'p Program) -> Self {
        let cfa = &program.cfa;
        // A condition with `&&` or `||` may be decided at several locations. Checks of its accesses
        // decide nothing.
        let mut branches: FxHashMap<Span, FxHashSet<LocId>> = FxHashMap::default();
        for (_, edge) in cfa.edges.entries().filter(|(id, _)| !cfa.is_check(*id)) {
            if let (Some(Op::Assume(_)), Some(span)) = (edge.ops.first(), edge.span) {
                branches.entry(span).or_default().insert(edge.source);
            }
        }
        let is_whole = |span: Span| branches.get(&span).is_some_and(|places| places.len() == 1);
        let statements = cfa.edges.ids().map(|id| statement(program, id, &is_whole));
        let mut edges: IndexVec<EdgeId, String> = statements.collect();
        for location in &cfa.locations {
            let mut count: FxHashMap<String, u32> = FxHashMap::default();
            for id in &location.edges {
                *count.entry(edges[*id].clone()).or_default() += 1;
            }
            let mut number: FxHashMap<String, u32> = FxHashMap::default();
            for id in &location.edges {
                if count[&edges[*id]] > 1 {
                    let place = number.entry(edges[*id].clone()).or_default();
                    *place += 1;
                    edges[*id] = format!("{} #{place}", edges[*id]);
                }
            }
        }
        Self { program, edges, returns: returns(program), inner: inner(program) }
    }

    /// A statement for people: names of variables that the source does not have are replaced by what these variables
    /// stand for, such as the call whose result they hold.
    #[must_use]
    pub fn readable(&self, text: &str) -> String {
        let mut told = String::new();
        let mut rest = text;
        while let Some(at) = rest.find("::") {
            let is_part = |c: char| is_word(c) || matches!(c, '@' | '$');
            let start = rest[..at].rfind(|c| !is_part(c));
            let start = start
                .map_or(0, |last| last + rest[last..].chars().next().map_or(1, char::len_utf8));
            let behind = &rest[at + 2..];
            let end = at + 2 + behind.find(|c| !is_part(c)).unwrap_or(behind.len());
            told.push_str(&rest[..start]);
            let name = &rest[start..end];
            told.push_str(self.inner.get(name).map_or(name, |known| known));
            rest = &rest[end..];
        }
        told.push_str(rest);
        told
    }

    /// The condition of the source that an edge decides a part of.
    pub(crate) fn condition(&self, edge: EdgeId) -> Option<String> {
        let span = self.program.cfa.edges[edge].span?;
        let text = squeezed(&balanced(self.program, span));
        (!text.is_empty()).then_some(text)
    }

    /// The statement of a step.
    #[must_use]
    pub fn get(&self, step: Step) -> String {
        match step {
            Step::Edge(id) => self.edges[id].clone(),
            Step::Return(call) => match self.returns.get(&call) {
                Some(text) => text.clone(),
                None => returning(self.program, call),
            },
        }
    }
}

/// What variables stand for that the source does not have, by their names: the call whose result one holds,
/// or an ellipsis.
fn inner(program: &Program) -> FxHashMap<String, String> {
    let cfa = &program.cfa;
    let mut names: FxHashMap<String, String> = FxHashMap::default();
    let mut note = |var: Var, text: Option<String>| {
        let name = program.terms.var_name(var);
        if cfa.variables[var].source_name.is_none() && name.contains("::") {
            let text = text.unwrap_or_else(|| "…".to_owned());
            let known = names.entry(name.to_owned()).or_insert_with(|| text.clone());
            if *known != text {
                "…".clone_into(known);
            }
        }
    };
    for op in cfa.edges.iter().flat_map(|edge| &edge.ops) {
        match op {
            Op::Havoc { var, choice } => {
                let given = match choice {
                    Choice::Input(name) | Choice::External(name) | Choice::Approximated(name) => {
                        // The name of some inputs is a description; the name of other inputs is the function that
                        // gives them.
                        Some(if is_name(name) { format!("{name}()") } else { name.to_string() })
                    }
                    Choice::Uninitialised => None,
                };
                note(*var, given);
            }
            Op::Call { callee, results, .. } => {
                let name = &cfa.functions[*callee].name;
                let call = (!name.starts_with('@')).then(|| format!("{name}()"));
                results.iter().for_each(|var| note(*var, call.clone()));
            }
            Op::Load { var, address } => {
                // A value that is read from the memory of a variable gets the name of this variable.
                let place = match program.terms.view(*address) {
                    View::Var(place) => cfa.variables[place].source_name.as_deref(),
                    _ => None,
                };
                let named = place.and_then(|name| name.strip_prefix('&'));
                note(*var, named.map(str::to_owned));
            }
            Op::Assign { var, .. } | Op::Alloc { var, .. } => note(*var, None),
            _ => {}
        }
    }
    names
}

fn is_name(text: &str) -> bool {
    text.chars().all(is_word)
}

/// The words for a return; they do not name the call that the return goes back to.
fn returning(program: &Program, call: EdgeId) -> String {
    let callee = program.cfa.edges[call].callee();
    let name = callee.map_or("", |callee| &program.cfa.functions[callee].name);
    format!("return from {name}")
}

/// The words for returns from functions with several calls: each names the line of its call, and which
/// one it is where a line has several.
fn returns(program: &Program) -> FxHashMap<EdgeId, String> {
    let cfa = &program.cfa;
    let mut calls: BTreeMap<FuncId, Vec<EdgeId>> = BTreeMap::new();
    for (id, edge) in cfa.edges.entries() {
        if let Some(callee) = edge.callee() {
            calls.entry(callee).or_default().push(id);
        }
    }
    let mut texts = FxHashMap::default();
    for calls in calls.into_values().filter(|calls| calls.len() > 1) {
        let mut number: FxHashMap<String, u32> = FxHashMap::default();
        for call in calls {
            let mut text = returning(program, call);
            if let Some(span) = cfa.edges[call].span {
                let _ = write!(text, " to line {}", program.sources.position(span).line);
            }
            let place = number.entry(text.clone()).or_default();
            *place += 1;
            if *place > 1 {
                let _ = write!(text, " #{place}");
            }
            texts.insert(call, text);
        }
    }
    texts
}

fn statement(program: &Program, id: EdgeId, is_whole: &dyn Fn(Span) -> bool) -> String {
    let cfa = &program.cfa;
    let edge = &cfa.edges[id];
    let Some(Op::Assume(condition)) = edge.ops.first() else {
        return edge.span.map_or_else(|| "skip".to_owned(), |span| whole(program, span));
    };
    let siblings = &cfa.locations[edge.source].edges;
    let alike = siblings.iter().all(|other| cfa.edges[*other].span == edge.span);
    match edge.span {
        // Both ways of a condition stand for its text. The first is taken if what is left of the
        // condition without its outer negations holds. What a `switch` looks at is a number, even
        // if there is only one case.
        Some(span)
            if siblings.len() == 2
                && alike
                && is_whole(span)
                && !cfa.cases.contains_key(&id)
                && !has_choice(program, span) =>
        {
            let text = squeezed(&balanced(program, span));
            let holds =
                is_asserted(program, id).unwrap_or_else(|| (siblings[0] == id) != negates(&text));
            if holds { format!("[{text}]") } else { format!("[!({text})]") }
        }
        _ => {
            let term = Infix::new(program).with_source_names().term(*condition);
            format!("[{}]", in_c(&term.to_string()))
        }
    }
}

/// For an edge of an assertion, whether the assertion holds on this edge: then the other edge leads to an error that
/// stands at the same place as the condition, as in a macro that has both. None for edges of other conditions.
fn is_asserted(program: &Program, id: EdgeId) -> Option<bool> {
    let cfa = &program.cfa;
    let span = cfa.edges[id].span?;
    let fails = |edge: &EdgeId| {
        let target = &cfa.locations[cfa.edges[*edge].target];
        let begins = |at: Span| (at.file, at.start) == (span.file, span.start);
        target.error && target.span.is_some_and(begins)
    };
    let siblings = &cfa.locations[cfa.edges[id].source].edges;
    let failing: Vec<EdgeId> = siblings.iter().copied().filter(|edge| fails(edge)).collect();
    (failing.len() == 1).then(|| failing[0] != id)
}

/// Whether the text of a place contains a conditional expression, as `f(a ? 1 : 2)` does. Then the edges of the
/// place decide the condition `a`, and the whole text is no condition.
fn has_choice(program: &Program, span: Span) -> bool {
    program.sources.slice(span).contains(&b'?')
}

/// A condition with the operators of C, which do not show whether their operands are signed.
fn in_c(text: &str) -> String {
    let mut text = text.to_owned();
    for operator in ["<", "<=", ">", ">=", "/", "%", ">>"] {
        text = text.replace(&format!(" {operator}u "), &format!(" {operator} "));
    }
    text
}

/// Whether a condition is negated an odd number of times.
fn negates(text: &str) -> bool {
    let text = text.trim();
    if let Some(inner) = text.strip_prefix('!') {
        let inner = inner.trim();
        // A negation binds more tightly than what may follow it.
        return (is_single(inner) || inner.starts_with('!') && negated_whole(inner))
            && !negates(inner);
    }
    match text.strip_prefix('(') {
        Some(_) if is_single(text) => negates(&text[1..text.len() - 1]),
        _ => false,
    }
}

fn negated_whole(text: &str) -> bool {
    let inner = text.trim_start_matches(['!', ' ']);
    is_single(inner)
}

/// Whether text is one operand: in parentheses as a whole, or a name, a call, an access.
fn is_single(text: &str) -> bool {
    let mut depth = 0_i32;
    let starts_open = text.starts_with('(');
    for (index, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => {
                depth -= 1;
                if depth == 0 && starts_open {
                    return index + 1 == text.len();
                }
            }
            _ if depth > 0 || c.is_alphanumeric() || matches!(c, '_' | '.' | ' ') => {}
            '-' if text[index..].starts_with("->") => {}
            '>' if text[..index].ends_with('-') => {}
            _ => return false,
        }
    }
    depth == 0 && !text.is_empty()
}

fn source(program: &Program, span: Span) -> String {
    String::from_utf8_lossy(program.sources.slice(span)).into_owned()
}

/// How many parentheses a text closes that it does not open, and how many it opens and does not close. Those in
/// texts and letters do not count.
#[must_use]
pub fn unmatched_parentheses(text: &[u8]) -> (usize, usize) {
    let (mut closed, mut open) = (0, 0);
    // The mark that ends the text or letter that is being read.
    let mut quote = None;
    let mut bytes = text.iter();
    while let Some(byte) = bytes.next() {
        match (quote, byte) {
            (Some(_), b'\\') => drop(bytes.next()),
            (Some(mark), _) => quote = quote.filter(|_| byte != mark),
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'(') => open += 1,
            (None, b')') if open > 0 => open -= 1,
            (None, b')') => closed += 1,
            _ => {}
        }
    }
    (closed, open)
}

/// The text of a place, with the parentheses that its own belong to: the place of an expression goes
/// from its first operand to its last, and these may stand in parentheses.
fn balanced(program: &Program, span: Span) -> String {
    let all = program.sources.text(span.file);
    let mut end = (span.end as usize).min(all.len());
    let mut start = (span.start as usize).min(end);
    let (closed, open) = unmatched_parentheses(&all[start..end]);
    for _ in 0..closed {
        let before = all[..start].trim_ascii_end();
        if before.last() != Some(&b'(') {
            break;
        }
        start = before.len() - 1;
    }
    for _ in 0..open {
        let gap = all[end..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        if all.get(end + gap) != Some(&b')') {
            break;
        }
        end += gap + 1;
    }
    end += arguments(&all[start..end], &all[end..]);
    String::from_utf8_lossy(&all[start..end]).into_owned()
}

/// How long the arguments are that follow the name of a macro: its place is its name alone.
fn arguments(text: &[u8], behind: &[u8]) -> usize {
    let is_name = text.last().is_some_and(|byte| is_word_byte(*byte));
    if !is_name || behind.first() != Some(&b'(') {
        return 0;
    }
    let mut depth = 0_u32;
    for (at, byte) in behind.iter().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => return at + 1,
            b')' => depth -= 1,
            b';' | b'"' | b'\'' => return 0,
            _ => {}
        }
    }
    0
}

/// The statement that a place is a part of: what stands on its line from the last `;`, `{` or `}`
/// before it to the next after it, as far as the line goes. The last part of the head of a `for` and the statement behind
/// that head are two.
fn whole(program: &Program, span: Span) -> String {
    let sources = &program.sources;
    let position = sources.position(span);
    let Some((start, line)) = sources.line(span.file, position.line) else {
        return squeezed(&source(program, span));
    };
    let (from, to) = ((span.start - start) as usize, (span.end - start) as usize);
    let ends = |byte: &u8| matches!(byte, b';' | b'{' | b'}');
    if to > line.len() || from > to {
        return squeezed(&source(program, span));
    }
    let first = line[..from].iter().rposition(ends).map_or(0, |place| place + 1);
    let first = first + behind_head(&line[first..from]);
    let last = match line[..to].last() {
        Some(b';') => to,
        _ => line[to..].iter().position(ends).map_or(line.len(), |place| to + place + 1),
    };
    let last = to + head(&line[first..to], &line[to..last]);
    squeezed(&String::from_utf8_lossy(line[first..last].trim_ascii()))
}

/// The offset behind the last parenthesis that a text closes and does not open.
fn behind_head(text: &[u8]) -> usize {
    let mut open = 0_u32;
    let mut behind = 0;
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'(' => open += 1,
            b')' if open == 0 => behind = at + 1,
            b')' => open -= 1,
            _ => {}
        }
    }
    behind
}

/// The length of the part of `rest` before the first closing parenthesis that neither `text` nor `rest` opens.
fn head(text: &[u8], rest: &[u8]) -> usize {
    let mut open = 0_u32;
    for (at, byte) in text.iter().chain(rest).enumerate() {
        match byte {
            b'(' => open += 1,
            b')' if open == 0 && at >= text.len() => return at - text.len(),
            b')' => open = open.saturating_sub(1),
            _ => {}
        }
    }
    rest.len()
}

/// Text with each run of white space as one space.
pub(super) fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parentheses_in_letters_do_not_count() {
        for (text, unmatched) in [
            ("a) + (b", (1, 1)),
            ("(a", (0, 1)),
            ("c != '('", (0, 0)),
            (r#"f("\")(", x"#, (0, 1)),
            (r"c == '\'' && (d", (0, 1)),
        ] {
            assert_eq!(unmatched_parentheses(text.as_bytes()), unmatched, "{text}");
        }
    }

    #[test]
    fn macros_have_their_arguments() {
        assert_eq!(arguments(b"!IN", b"(f(x)) && y"), 6);
        assert_eq!(arguments(b"!x", b" && y"), 0);
        assert_eq!(arguments(b"(x)", b"(y)"), 0);
    }

    #[test]
    fn heads_of_loops_are_apart() {
        assert_eq!(behind_head(b" i++) "), 5);
        assert_eq!(behind_head(b" if (f(x)) "), 0);
        assert_eq!(head(b"i++", b") h = mix(h);"), 0);
        assert_eq!(head(b"x = f(y", b"), z = 1;"), 9);
        assert_eq!(head(b"while (x", b") y++;"), 6);
    }

    #[test]
    fn operators_are_those_of_c() {
        assert_eq!(in_c("n <u 200 && m >>u 3 == k /u 2"), "n < 200 && m >> 3 == k / 2");
    }

    #[test]
    fn outer_negations_are_counted() {
        for text in ["!x", "!(a < b)", "(!x)", "! f(a, b)", "!p->q", "!!!x", "!(x) "] {
            assert!(negates(text), "{text}");
        }
        for text in ["x", "!x == y", "!(a) && (b)", "(!x) || y", "!!x", "a != b", "!x + 1"] {
            assert!(!negates(text), "{text}");
        }
    }
}
