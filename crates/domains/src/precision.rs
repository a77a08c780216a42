//! Precisions as text, to be saved and used again.

use base::{Diagnostic, Diagnostics, FileId, Id as _, Span};
use cfa::{FuncId, LocId, Names, Program};
use rustc_hash::FxHashMap;
use std::fmt::Write as _;
use term::Var;

use crate::predicate::Asked;
use crate::value::{self, Aspect, ObjectSite, PrecisionScope, Tracked, Where};

/// The first line of every precision.
const HEADER: &str = "# Proviso precision 1";

/// The heading of variables that are left to predicates.
const LEFT: &str = "left to predicates";

/// The heading of variables that were left to predicates, and have values again.
const AGAIN: &str = "taken back";

/// The line that says that predicates are over larger blocks.
const LARGER: &str = "larger blocks";

/// What an analysis tracks: explicit values, and predicates; and which variables it has left to predicates.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Precision {
    /// What is tracked with explicit values, and where.
    pub values: value::Precision,
    /// The predicates.
    pub predicates: Vec<Asked>,
    /// Variables that had too many values, and are left to predicates.
    pub dropouts: Vec<Var>,
    /// Variables that predicates could not do without: they have values, however many.
    pub taken_back: Vec<Var>,
    /// Whether blocks are larger than single edges, although there are no predicates.
    pub larger_blocks: bool,
}

/// The text of a precision.
#[must_use]
pub fn write(program: &Program, precision: &Precision) -> String {
    let mut text = format!("{HEADER}\n");
    if let Some(dropped) = precision.values.all_but() {
        let _ = writeln!(text, "everywhere but:");
        for what in dropped {
            let _ = writeln!(text, "  {}", line_of(program, what));
        }
    }
    if precision.larger_blocks {
        let _ = writeln!(text, "{LARGER}:");
    }
    for (heading, vars) in [(LEFT, &precision.dropouts), (AGAIN, &precision.taken_back)] {
        if !vars.is_empty() {
            let _ = writeln!(text, "{heading}:");
        }
        for var in vars {
            let _ = writeln!(text, "  {}", line_of(program, Tracked::Variable(*var)));
        }
    }
    let values = precision.values.entries().map(|(at, what)| (at, line_of(program, what)));
    let predicates = precision.predicates.iter();
    let predicates = predicates.map(|asked| (asked.place, format!("predicate {}", asked.formula)));
    // At each place, values come before predicates, and values and predicates keep their own order.
    let mut lines: Vec<(Where, String)> = values.chain(predicates).collect();
    lines.sort_by_key(|(place, _)| *place);
    let names = Names::of(&program.cfa);
    let mut last = None;
    for (place, line) in lines {
        if last != Some(place) {
            let line = match place {
                Where::Everywhere => "everywhere:".to_owned(),
                Where::Function(id) => format!("function {}:", program.cfa.functions[id].name),
                Where::Location(id) => format!("location {}:", names.unique(id)),
            };
            let _ = writeln!(text, "{line}");
            last = Some(place);
        }
        let _ = writeln!(text, "  {line}");
    }
    text
}

/// The name of the objects that begin somewhere.
pub(crate) fn object_of(program: &Program, site: ObjectSite) -> String {
    match site {
        ObjectSite::Initial(id) => format!("&{}", program.cfa.objects[id].name),
        ObjectSite::Alloc(edge, op) => format!("alloc {} {op}", edge.index()),
    }
}

/// The line that names something that can be tracked.
pub(crate) fn line_of(program: &Program, what: Tracked) -> String {
    let object = |site: ObjectSite| object_of(program, site);
    match what {
        Tracked::Variable(var) => format!("variable {}", program.terms.var_name(var)),
        Tracked::Memory(site, Aspect::Bytes { offset, length }) => {
            format!("bytes {offset} {length} {}", object(site))
        }
        Tracked::Memory(site, Aspect::Background) => format!("background {}", object(site)),
        Tracked::Memory(site, Aspect::Life) => format!("life {}", object(site)),
    }
}

/// Reads a precision from a file of the program's sources. Lines that name what the program does not have are left out,
/// with a warning for each. Predicates are not checked here: their places in the file are given, so that the caller can
/// report what is wrong with them.
///
/// # Errors
/// A message for every line that is not one of a precision.
pub fn read(
    program: &Program,
    scope: PrecisionScope,
    file: FileId,
) -> Result<(Precision, Vec<Span>, Diagnostics), Diagnostics> {
    let mut reading = Reading::new(program, scope);
    let mut diagnostics = Diagnostics::new();
    let mut start = 0;
    for (number, line) in program.sources.text(file).split(|byte| *byte == b'\n').enumerate() {
        // The casts are exact: a source map holds only files with 32-bit offsets.
        let indent = line.len() - line.trim_ascii_start().len();
        let code = line.trim_ascii();
        let from = (start + indent) as u32;
        let span = Span::new(file, from, from + code.len() as u32);
        start += line.len() + 1;
        let code = String::from_utf8_lossy(code);
        if number == 0 && code != HEADER {
            let message = format!("a precision starts with `{HEADER}`");
            diagnostics.push(Diagnostic::error(span, message));
            break;
        }
        if code.is_empty() || code.starts_with('#') {
            continue;
        }
        match reading.line(&code, span) {
            Ok(true) => {}
            Ok(false) => {
                diagnostics.push(Diagnostic::warning(span, "the program has nothing of this name"));
            }
            Err(message) => {
                let hint = "lines are `everywhere:`, `everywhere but:`, `function NAME:`, \
                            `location NAME:`, `left to predicates:`, `taken back:`, `larger blocks:`, and below them `variable NAME`, `bytes OFFSET LENGTH OBJECT`, `life \
                            OBJECT`, `background OBJECT`, `predicate FORMULA`";
                diagnostics.push(Diagnostic::error(span, message).with_hint(hint));
            }
        }
    }
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    Ok((reading.precision, reading.spans, diagnostics))
}

/// A precision while its lines are read.
struct Reading<'p> {
    names: Reader<'p>,
    scope: PrecisionScope,
    precision: Precision,
    /// The places of the predicates in the file.
    spans: Vec<Span>,
    /// The last heading, if there was a heading; `Some(None)` if the program does not have what the heading names.
    heading: Option<Option<Heading>>,
}

impl<'p> Reading<'p> {
    fn new(program: &'p Program, scope: PrecisionScope) -> Self {
        let precision = Precision { values: value::Precision::new(scope), ..Precision::default() };
        Self { names: Reader::of(program), scope, precision, spans: Vec::new(), heading: None }
    }

    /// Reads a line. Gives whether the program has what the line names, or what is wrong with the line.
    fn line(&mut self, code: &str, span: Span) -> Result<bool, String> {
        match code.strip_suffix(':') {
            Some(LARGER) => {
                self.precision.larger_blocks = true;
                self.heading = None;
                Ok(true)
            }
            Some(heading) => {
                let found = self.names.place(heading)?;
                if let Some(Heading::AllBut) = found {
                    self.precision.values.track_the_rest();
                }
                self.heading = Some(found);
                Ok(found.is_some())
            }
            None => self.entry(code, span),
        }
    }

    /// Reads a line below a heading.
    fn entry(&mut self, code: &str, span: Span) -> Result<bool, String> {
        let heading = self.heading.ok_or("this belongs to no place")?;
        let widened = |place| widened(self.names.program, self.scope, place);
        if let Some(Heading::At(place)) = heading
            && let Some(formula) = code.strip_prefix(PREDICATE)
        {
            let asked = Asked { place: widened(place), formula: formula.to_owned() };
            self.precision.predicates.push(asked);
            self.spans.push(Span::new(span.file, span.start + PREDICATE.len() as u32, span.end));
            return Ok(true);
        }
        let what = self.names.tracked(code)?;
        match (heading, what) {
            (Some(Heading::At(place)), Some(what)) => {
                self.precision.values.insert(widened(place), what);
            }
            (Some(Heading::AllBut), Some(what)) => self.precision.values.remove(what),
            (Some(Heading::Left), Some(Tracked::Variable(var))) => {
                self.precision.dropouts.push(var);
            }
            (Some(Heading::Again), Some(Tracked::Variable(var))) => {
                self.precision.taken_back.push(var);
            }
            _ => {}
        }
        Ok(what.is_some())
    }
}

/// What a line with a predicate begins with.
const PREDICATE: &str = "predicate ";

/// The place at which the scope tracks something that a file has at another place: a wider scope takes over what was
/// learned in a narrower scope.
fn widened(program: &Program, scope: PrecisionScope, place: Where) -> Where {
    match (scope, place) {
        (PrecisionScope::Global, _) => Where::Everywhere,
        (PrecisionScope::Function, Where::Location(id)) => {
            Where::Function(program.cfa.locations[id].function)
        }
        (_, place) => place,
    }
}

/// What the lines below a heading are about.
#[derive(Clone, Copy)]
enum Heading {
    /// What the lines name is tracked at this place.
    At(Where),
    /// What the lines name is tracked nowhere, and everything else is tracked everywhere.
    AllBut,
    /// The variables have had too many values, and are left to predicates.
    Left,
    /// The variables were left to predicates once and then taken back: they keep their values, however many.
    Again,
}

/// Variables, objects, functions and locations of a program by their names.
struct Reader<'p> {
    program: &'p Program,
    variables: FxHashMap<&'p str, Var>,
    objects: FxHashMap<&'p str, ObjectSite>,
    functions: FxHashMap<&'p str, FuncId>,
    locations: Names<'p>,
}

impl<'p> Reader<'p> {
    fn of(program: &'p Program) -> Self {
        let cfa = &program.cfa;
        let named = |var: Var| (program.terms.var_name(var), var);
        Self {
            program,
            variables: cfa.variables.ids().map(named).collect(),
            objects: cfa
                .objects
                .entries()
                .map(|(id, object)| (&*object.name, ObjectSite::Initial(id)))
                .collect(),
            functions: cfa.functions.entries().map(|(id, known)| (&*known.name, id)).collect(),
            locations: Names::of(cfa),
        }
    }

    /// What a heading names, if the program has it.
    fn place(&self, heading: &str) -> Result<Option<Heading>, String> {
        let at = |place: Option<Where>| Ok(place.map(Heading::At));
        match heading.split_once(' ') {
            _ if heading == LEFT => Ok(Some(Heading::Left)),
            _ if heading == AGAIN => Ok(Some(Heading::Again)),
            None if heading == "everywhere" => at(Some(Where::Everywhere)),
            Some(("everywhere", "but")) => Ok(Some(Heading::AllBut)),
            Some(("function", name)) => at(self.functions.get(name).copied().map(Where::Function)),
            Some(("location", name)) => {
                if let Some(id) = self.locations.only(name) {
                    return at(Some(Where::Location(id)));
                }
                let number = name.strip_prefix('L').unwrap_or(name);
                let index: u32 = number
                    .parse()
                    .map_err(|_| format!("`{name}` is no name and no number of a location"))?;
                let id = LocId::from_index(index as usize);
                at(self.program.cfa.locations.get(id).map(|_| Where::Location(id)))
            }
            _ => Err(format!("`{heading}` is no place")),
        }
    }

    /// What a line names, if the program has it.
    fn tracked(&self, line: &str) -> Result<Option<Tracked>, String> {
        let (kind, rest) = line.split_once(' ').ok_or_else(|| format!("`{line}` names nothing"))?;
        match kind {
            "variable" => Ok(self.variables.get(rest).copied().map(Tracked::Variable)),
            "background" => self.memory(rest, Aspect::Background),
            "life" => self.memory(rest, Aspect::Life),
            "bytes" => {
                let mut parts = rest.splitn(3, ' ');
                let offset = parts.next().and_then(|part| part.parse().ok());
                let length = parts.next().and_then(|part| part.parse().ok());
                let (Some(offset), Some(length), Some(object)) = (offset, length, parts.next())
                else {
                    return Err("`bytes OFFSET LENGTH OBJECT`".to_owned());
                };
                self.memory(object, Aspect::Bytes { offset, length })
            }
            _ => Err(format!("`{kind}` is nothing that can be tracked")),
        }
    }

    fn memory(&self, object: &str, aspect: Aspect) -> Result<Option<Tracked>, String> {
        let site = match object.strip_prefix('&') {
            Some(name) => self.objects.get(name).copied(),
            None => {
                let mut parts = object.strip_prefix("alloc ").unwrap_or_default().split(' ');
                let mut number = || parts.next().and_then(|part| part.parse::<u32>().ok());
                let (Some(edge), Some(op)) = (number(), number()) else {
                    return Err(format!("`{object}` is no object"));
                };
                let edge = cfa::EdgeId::from_index(edge as usize);
                self.program.cfa.edges.get(edge).map(|_| ObjectSite::Alloc(edge, op))
            }
        };
        Ok(site.map(|site| Tracked::Memory(site, aspect)))
    }
}
