//! From what a text declares to the program model: numbers and names are looked up.

use base::{FileId, Id, SourceMap, Span};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use term::{ParseError, TermId, Var};

use super::cursor::{Error, Name, Piece, Result};
use super::syntax::{self, KindWords, LocationLine, Model, ObjectBlock, Owner};
use crate::{
    Assumption, Contents, EdgeId, FuncId, Function, LocId, Location, ModelPart, Object, ObjectId,
    ObjectKind, Patch, Program, Scope, Variable,
};

/// Where the parts of the model stand in the text.
pub(super) struct Places {
    variables: Vec<(usize, usize)>,
    objects: Vec<(usize, usize)>,
    functions: Vec<(usize, usize)>,
    locations: Vec<(usize, usize)>,
    edges: Vec<(usize, usize)>,
}

impl Places {
    pub(super) fn of(&self, place: ModelPart) -> (usize, usize) {
        let found = match place {
            ModelPart::Program => None,
            ModelPart::Variable(id) => self.variables.get(id.index()),
            ModelPart::Object(id) => self.objects.get(id.index()),
            ModelPart::Function(id) => self.functions.get(id.index()),
            ModelPart::Location(id) => self.locations.get(id.index()),
            ModelPart::Edge(id) => self.edges.get(id.index()),
        };
        found.copied().unwrap_or((0, 0))
    }
}

fn ends(piece: Piece<'_>) -> (usize, usize) {
    (piece.start, piece.end())
}

pub(super) fn build(
    text: &str,
    mut model: Model<'_>,
    sources: SourceMap,
) -> Result<(Program, Places)> {
    let variables = in_order(&model.variables, |line| (line.number, line.name.piece), "variable")?;
    let edges = in_order(&model.edges, |line| (line.number, line.piece), "edge")?;
    let mentions = std::mem::take(&mut model.locations);
    let (locations, location_places) = in_functions(mentions)?;
    let places = Places {
        variables: variables.iter().map(|at| ends(model.variables[*at].name.piece)).collect(),
        objects: model.objects.iter().map(|object| ends(object.name.piece)).collect(),
        functions: model.functions.iter().map(|function| ends(function.name.piece)).collect(),
        locations: location_places,
        edges: edges.iter().map(|at| ends(model.edges[*at].piece)).collect(),
    };
    let program = Program { sources, ..Program::default() };
    let mut builder = Builder { program, files: Vec::new(), names: Names::default() };
    builder.sources(&model)?;
    builder.functions(&model)?;
    builder.variables(&model, &variables)?;
    builder.parameters(&model)?;
    builder.objects(&model)?;
    builder.assumptions(&model)?;
    builder.locations(locations)?;
    for at in edges {
        builder.edge(text, &model.edges[at])?;
    }
    Ok((builder.program, places))
}

/// The places of numbered lines in the order of their numbers, which must be all from zero on.
fn in_order<'a, T>(
    lines: &[T],
    key: impl Fn(&T) -> (u32, Piece<'a>),
    what: &str,
) -> Result<Vec<usize>> {
    let mut order: Vec<usize> = (0..lines.len()).collect();
    order.sort_by_key(|at| key(&lines[*at]).0);
    for (expected, at) in order.iter().enumerate() {
        let (number, piece) = key(&lines[*at]);
        if (number as usize) < expected {
            return Err(piece.wrong(format!("{what} {number} is there already")));
        } else if number as usize > expected {
            return Err(
                piece.wrong(format!("this is {what} {number}, but there is no {what} {expected}"))
            );
        }
    }
    Ok(order)
}

/// The locations in order, each with all that is said about it: one line at most, and all of
/// its mentions in one function.
#[expect(clippy::type_complexity, reason = "used once, right above")]
fn in_functions(
    mut mentions: Vec<LocationLine<'_>>,
) -> Result<(Vec<LocationLine<'_>>, Vec<(usize, usize)>)> {
    mentions.sort_by_key(|line| line.number);
    let mut known: Vec<LocationLine<'_>> = Vec::new();
    for line in mentions {
        let expected = known.len();
        match known.last_mut().filter(|last| last.number == line.number) {
            Some(last) if last.function != line.function => {
                return Err(line.piece.wrong("a location of another function"));
            }
            Some(last) if last.remarks.is_some() && line.remarks.is_some() => {
                return Err(line.piece.wrong("a location that is described already"));
            }
            Some(last) if line.remarks.is_some() => *last = line,
            Some(_) => {}
            None if line.number as usize == expected => known.push(line),
            None => {
                let message =
                    format!("there is no location L{expected}, and so there cannot be this one");
                return Err(line.piece.wrong(message));
            }
        }
    }
    let places = known.iter().map(|line| ends(line.piece)).collect();
    Ok((known, places))
}

/// What names stand for.
#[derive(Default)]
pub(super) struct Names {
    variables: FxHashMap<Box<str>, Var>,
    functions: FxHashMap<Box<str>, FuncId>,
}

impl Names {
    pub(super) fn variable(&self, name: &Name<'_>) -> Result<Var> {
        let found = self.variables.get(&*name.text).copied();
        found.ok_or_else(|| name.piece.wrong(format!("no variable is called {}", name.text)))
    }

    pub(super) fn function(&self, name: &Name<'_>) -> Result<FuncId> {
        let found = self.functions.get(&*name.text).copied();
        found.ok_or_else(|| name.piece.wrong(format!("no function is called {}", name.text)))
    }
}

/// An error in a part of the text.
fn inside(piece: Piece<'_>, error: ParseError) -> Error {
    let start = piece.start + error.offset.min(piece.text.len());
    Error { start, end: start + 1, message: error.message }
}

pub(super) struct Builder {
    pub(super) program: Program,
    files: Vec<FileId>,
    pub(super) names: Names,
}

impl Builder {
    fn sources(&mut self, model: &Model<'_>) -> Result<()> {
        let sources = &mut self.program.sources;
        for source in &model.sources {
            let file = match &source.text {
                Some(text) => sources.add(source.name.clone(), text.clone()),
                None => {
                    let known = sources.files().find(|file| sources.name(*file) == source.name);
                    known.or_else(|| sources.add(source.name.clone(), Vec::new()))
                }
            };
            self.files.push(file.ok_or_else(|| source.piece.wrong("a source that is too long"))?);
        }
        Ok(())
    }

    fn span(&self, place: Option<syntax::SourcePlace<'_>>) -> Result<Option<Span>> {
        let Some(place) = place else { return Ok(None) };
        match self.files.get(place.file as usize) {
            Some(file) => Ok(Some(Span::new(*file, place.start, place.end))),
            None => Err(place.piece.wrong("a place in a source that is not listed")),
        }
    }

    fn functions(&mut self, model: &Model<'_>) -> Result<()> {
        for function in &model.functions {
            let span = self.span(function.place)?;
            let name: Box<str> = function.name.text.as_ref().into();
            let id = self.program.cfa.functions.push(Function {
                name: name.clone(),
                entry: LocId::from_index(function.entry as usize),
                exit: LocId::from_index(function.exit as usize),
                parameters: Vec::new(),
                results: Vec::new(),
                locals: Vec::new(),
                span,
            });
            if self.names.functions.insert(name, id).is_some() {
                return Err(function.name.piece.wrong("a function of this name is there already"));
            }
        }
        self.program.cfa.address_width = model.address_width;
        self.program.cfa.outside = model.outside;
        self.program.cfa.start = match &model.start {
            None => self.program.cfa.functions.ids().next(),
            Some(None) => None,
            Some(Some(name)) => Some(self.names.function(name)?),
        };
        Ok(())
    }

    fn variables(&mut self, model: &Model<'_>, order: &[usize]) -> Result<()> {
        for line in order.iter().map(|at| &model.variables[*at]) {
            let sort = self.program.terms.parse_sort(line.sort.text);
            let sort = sort.map_err(|error| inside(line.sort, error))?;
            let scope = match line.owner {
                Owner::Program => Scope::Global,
                Owner::Function(function) => Scope::Local(FuncId::from_index(function)),
                Owner::Object(object) => Scope::Address(ObjectId::from_index(object)),
            };
            let span = self.span(line.place)?;
            let source_name = line.source_name.as_deref().map(Into::into);
            let name: Box<str> = line.name.text.as_ref().into();
            let var = self.program.terms.declare(name.clone(), sort);
            let variable = Variable { scope, reading: line.reading, source_name, span };
            self.program.cfa.variables.push(variable);
            if self.names.variables.insert(name, var).is_some() {
                return Err(line.name.piece.wrong("a variable of this name is there already"));
            }
        }
        // Locals are listed in the order in which they stand, which need not be that of their
        // numbers.
        for line in &model.variables {
            if let Owner::Function(function) = line.owner {
                let var = Var::from_index(line.number as usize);
                self.program.cfa.functions[FuncId::from_index(function)].locals.push(var);
            }
        }
        Ok(())
    }

    fn parameters(&mut self, model: &Model<'_>) -> Result<()> {
        for (id, block) in self.program.cfa.functions.ids().zip(&model.functions) {
            let parameters = block.parameters.iter().map(|name| self.names.variable(name));
            let parameters = parameters.collect::<Result<_>>()?;
            let results = block.results.iter().map(|name| self.names.variable(name));
            let results = results.collect::<Result<_>>()?;
            let function = &mut self.program.cfa.functions[id];
            (function.parameters, function.results) = (parameters, results);
        }
        Ok(())
    }

    fn objects(&mut self, model: &Model<'_>) -> Result<()> {
        for object in &model.objects {
            let kind = match &object.kind {
                KindWords::Data => ObjectKind::Data,
                KindWords::ReadOnly => ObjectKind::ReadOnly,
                KindWords::Code(function) => ObjectKind::Code(self.names.function(function)?),
            };
            let contents = self.contents(object)?;
            let span = self.span(object.place)?;
            let name = object.name.text.as_ref().into();
            let address = Var::from_index(model.variables[object.address].number as usize);
            let (size, align) = (object.size, object.align);
            self.program.cfa.objects.push(Object {
                name,
                address,
                size,
                align,
                kind,
                contents,
                span,
            });
        }
        Ok(())
    }

    fn contents(&mut self, object: &ObjectBlock<'_>) -> Result<Contents> {
        let Some(bytes) = &object.bytes else { return Ok(Contents::Arbitrary) };
        let patches = object
            .patches
            .iter()
            .map(|(offset, value)| Ok(Patch { offset: *offset, value: self.term(*value)? }));
        let patches: Result<Box<[Patch]>> = patches.collect();
        Ok(Contents::Bytes(bytes.as_slice().into(), patches?))
    }

    fn assumptions(&mut self, model: &Model<'_>) -> Result<()> {
        for line in &model.assumptions {
            let span = self.span(line.place)?;
            let assumption = Assumption { kind: line.kind, text: line.text.clone(), span };
            self.program.cfa.assumptions.push(assumption);
        }
        Ok(())
    }

    fn locations(&mut self, lines: Vec<LocationLine<'_>>) -> Result<()> {
        for line in lines {
            let function = FuncId::from_index(line.function);
            let (error, fault, name, place) = match line.remarks {
                Some(remarks) => (remarks.error, remarks.fault, remarks.name, remarks.place),
                None => (false, None, None, None),
            };
            let span = self.span(place)?;
            let (name, edges) = (name.map(Into::into), SmallVec::new());
            self.program.cfa.locations.push(Location { function, error, fault, name, span, edges });
        }
        Ok(())
    }

    fn edge(&mut self, text: &str, line: &syntax::EdgeLine<'_>) -> Result<EdgeId> {
        let ops = match line.ops {
            Some(start) => self.ops(text, start)?,
            None => Vec::new(),
        };
        let span = self.span(line.place)?;
        let source = LocId::from_index(line.source as usize);
        let target = LocId::from_index(line.target as usize);
        let id = self.program.cfa.add_edge(source, target, ops, span);
        self.program.cfa.edges[id].name = line.name.as_deref().map(Into::into);
        Ok(id)
    }

    /// The term that a piece of the text stands for.
    pub(super) fn term(&mut self, piece: Piece<'_>) -> Result<TermId> {
        let names = &self.names.variables;
        let term = self.program.terms.parse(piece.text, &mut |name| names.get(name).copied());
        term.map_err(|error| inside(piece, error))
    }
}
