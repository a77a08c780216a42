//! From the outlines of a model to the program: variables, locations, and edges with their
//! statements.

use base::{Diagnostic, Span};
use cfa::{Choice, FuncId, LocId, Op, Reading, Scope, Variable};
use rustc_hash::{FxHashMap, FxHashSet};
use term::Var;

use super::lexer::Token;
use super::loader::{Loader, Stop};
use super::parser::{Declaration, EdgeOutline, Model, Process, Role};
use super::types::{Type, Typed, Value};

impl<'a> Loader<'a> {
    /// Builds the program of the main process.
    pub fn lower(&mut self, model: Model<'a>) {
        self.check_processes(&model.processes);
        let mut processes = model.processes.into_iter();
        let Some(process) = processes.find(|process| process.main) else { return };
        let span = Some(process.span);
        let function = self.program.cfa.add_function(process.name, span);
        self.declare_all(&model.variables, None);
        let globals = self.variables.keys().copied().collect();
        self.declare_locals(&process, function, &globals);
        let locations = self.locations(&process, function);
        for edge in &process.edges {
            self.edge_of(function, edge, &locations);
        }
        self.connect_exits(&process, function, &locations);
    }

    fn check_processes(&mut self, processes: &[Process<'a>]) {
        let mut names = FxHashSet::default();
        for process in processes {
            if !names.insert(process.name) {
                let message = format!("the process `{}` is declared twice", process.name);
                self.error(process.span, message);
            }
            if !process.main {
                let message = format!("the process `{}` never runs", process.name);
                let hint = "only the main process runs: no statement calls another one";
                self.report(Diagnostic::warning(process.span, message).with_hint(hint));
            }
        }
        let mut mains = processes.iter().filter(|process| process.main);
        if mains.next().is_none() {
            let message = "there is no main process";
            self.report(Diagnostic::error_without_place(message));
        }
        for process in mains {
            self.error(process.span, "there is more than one main process");
        }
    }

    fn declare_all(&mut self, declarations: &[Declaration<'a>], function: Option<FuncId>) {
        let mut names = FxHashSet::default();
        for declaration in declarations {
            if names.insert(declaration.name) {
                self.declare(declaration, declaration.name.to_owned(), function);
            } else {
                self.twice(declaration);
            }
        }
    }

    fn twice(&mut self, declaration: &Declaration<'_>) {
        self.error(declaration.span, format!("`{}` is declared twice", declaration.name));
    }

    fn declare_locals(
        &mut self,
        process: &Process<'a>,
        function: FuncId,
        globals: &FxHashSet<&'a str>,
    ) {
        let mut names = FxHashSet::default();
        for (index, declaration) in process.parameters.iter().chain(&process.variables).enumerate()
        {
            if !names.insert(declaration.name) {
                self.twice(declaration);
                continue;
            }
            // A local variable hides a global one of the same name; in the term table each has a name of its own.
            let hides = globals.contains(declaration.name);
            let name = declaration.name;
            let unique = if hides { format!("{}.{name}", process.name) } else { name.to_owned() };
            let var = self.declare(declaration, unique, Some(function));
            if let Some(var) = var.filter(|_| index < process.parameters.len()) {
                self.program.cfa.functions[function].parameters.push(var);
            }
        }
    }

    fn declare(
        &mut self,
        declaration: &Declaration<'a>,
        name: String,
        function: Option<FuncId>,
    ) -> Option<Var> {
        let Some(ty) = declaration.ty else {
            // The name stays known, so that its uses cause no messages.
            self.variables.insert(declaration.name, None);
            return None;
        };
        let variable = Variable {
            scope: function.map_or(Scope::Global, Scope::Local),
            reading: Reading::Plain,
            source_name: Some(declaration.name.into()),
            span: Some(declaration.span),
        };
        let var = self.program.declare(name, ty.sort(), variable);
        self.variables.insert(declaration.name, Some((var, ty)));
        Some(var)
    }

    /// Adds the locations. The initial location is the entry of the function, and the first final location that no edge
    /// leaves is its exit.
    fn locations(
        &mut self,
        process: &Process<'a>,
        function: FuncId,
    ) -> FxHashMap<&'a str, (LocId, Role)> {
        let mut locations = FxHashMap::default();
        let entry = self.program.cfa.functions[function].entry;
        let exit = self.program.cfa.functions[function].exit;
        let (mut has_entry, mut has_exit) = (false, false);
        let left: FxHashSet<&str> = process.edges.iter().map(|edge| edge.source.text).collect();
        for line in &process.locations {
            if locations.contains_key(line.name) {
                self.error(line.span, format!("the location `{}` is declared twice", line.name));
                continue;
            }
            if line.role == Role::Init && has_entry {
                self.error(line.span, "there is more than one initial location");
            }
            let location = match line.role {
                Role::Init if !has_entry => entry,
                Role::Final if !has_exit && !left.contains(line.name) => exit,
                _ => self.program.cfa.add_location(function),
            };
            has_entry |= line.role == Role::Init;
            has_exit |= location == exit;
            let entry = &mut self.program.cfa.locations[location];
            entry.name = Some(line.name.into());
            entry.span = Some(line.span);
            entry.error = line.role == Role::Error;
            locations.insert(line.name, (location, line.role));
        }
        if !has_entry {
            let message = format!("the process `{}` has no initial location", process.name);
            self.error_with_hint(process.span, message, "write `init loc` before one of them");
        }
        locations
    }

    /// Leads the other final locations to the exit: a function has one exit, and no edge leaves an exit.
    fn connect_exits(
        &mut self,
        process: &Process<'a>,
        function: FuncId,
        locations: &FxHashMap<&'a str, (LocId, Role)>,
    ) {
        let exit = self.program.cfa.functions[function].exit;
        for line in &process.locations {
            if let Some((location, Role::Final)) = locations.get(line.name).copied()
                && location != exit
            {
                self.program.cfa.add_edge(location, exit, [], None);
            }
        }
    }

    fn edge_of(
        &mut self,
        function: FuncId,
        edge: &EdgeOutline<'a>,
        locations: &FxHashMap<&'a str, (LocId, Role)>,
    ) {
        let source = self.location(edge.source, locations);
        let target = self.location(edge.target, locations);
        let mut ops = Vec::new();
        if source.is_some_and(|(_, role)| role == Role::Init) {
            self.constrain_small_floats(&mut ops);
        }
        let (at, end) = (self.at, self.end);
        (self.at, self.end) = (edge.body.start, edge.body.end);
        let mut returned: Option<Span> = None;
        while self.at < self.end {
            let start = self.peek();
            if let Some(span) = returned.take() {
                self.error(span, "nothing can follow a `return` on its edge");
            }
            if start.is_word("return") {
                returned = Some(start.span);
                if target.is_some_and(|(_, role)| role != Role::Final) {
                    self.error(start.span, "an edge with `return` leads to a final location");
                }
            }
            if self.statement(function, &mut ops).is_err() {
                self.skip_to(starts_statement);
            }
            while self.accept(";") {}
        }
        (self.at, self.end) = (at, end);
        match (source, target) {
            // The execution ends when it gets to an error.
            (Some((_, Role::Error)), _) => {
                let message = "this edge leaves an error location and is never taken";
                self.report(Diagnostic::warning(edge.span, message));
            }
            (Some((source, _)), Some((target, _))) => {
                self.program.cfa.add_edge(source, target, ops, Some(edge.span));
            }
            _ => {}
        }
    }

    fn location(
        &mut self,
        name: Token<'a>,
        locations: &FxHashMap<&'a str, (LocId, Role)>,
    ) -> Option<(LocId, Role)> {
        let found = locations.get(name.text).copied();
        if found.is_none() {
            self.error(name.span, format!("the location `{}` is not declared", name.text));
        }
        found
    }

    /// Variables are arbitrary at the start, but a small float is not any double.
    fn constrain_small_floats(&mut self, ops: &mut Vec<Op>) {
        let small = |known: &Option<(Var, Type)>| match known {
            Some((var, Type::Small(format))) => Some((*var, *format)),
            _ => None,
        };
        let mut found: Vec<_> = self.variables.values().filter_map(small).collect();
        found.sort();
        for (var, format) in found {
            let value = self.program.terms.var(var);
            ops.push(Op::Assume(format.contains(&mut self.program.terms, value)));
        }
    }

    fn statement(&mut self, function: FuncId, ops: &mut Vec<Op>) -> Result<(), Stop> {
        let token = self.peek();
        match token.text {
            "assume" => {
                self.advance();
                let condition = self.expression()?;
                if let Some(condition) = condition.and_then(|condition| self.bool(condition)) {
                    ops.push(Op::Assume(condition));
                }
                Ok(())
            }
            "havoc" => self.havoc(ops),
            "return" => {
                self.advance();
                let value = self.expression()?;
                self.return_(function, value, token.span, ops);
                Ok(())
            }
            _ => self.assignment(ops),
        }
    }

    fn havoc(&mut self, ops: &mut Vec<Op>) -> Result<(), Stop> {
        self.advance();
        let name = self.name("a variable")?;
        let Some((var, ty)) = self.variable(name) else { return Ok(()) };
        ops.push(Op::Havoc { var, choice: Choice::Input(name.text.into()) });
        if let Type::Small(format) = ty {
            let value = self.program.terms.var(var);
            ops.push(Op::Assume(format.contains(&mut self.program.terms, value)));
        }
        Ok(())
    }

    /// The variable of this name; `None` if there is no such variable or its type was refused.
    pub fn variable(&mut self, name: Token<'a>) -> Option<(Var, Type)> {
        let found = self.variables.get(name.text).copied();
        if found.is_none() {
            self.error(name.span, format!("`{}` is not declared", name.text));
        }
        found.flatten()
    }

    /// Reads `x := e` or `a[i][j] := e`.
    fn assignment(&mut self, ops: &mut Vec<Op>) -> Result<(), Stop> {
        let name = self.name("a statement")?;
        let mut indices = Vec::new();
        while self.accept("[") {
            let index = self.expression()?;
            let end = self.expect("]")?.span;
            indices.push((index, end));
        }
        self.expect(":=")?;
        let variable = self.variable(name);
        let value = self.expression()?;
        let Some((var, ty)) = variable else { return Ok(()) };
        let term = self.program.terms.var(var);
        let target = Typed { term, ty, span: name.span };
        let Some(value) = self.stored(target, &indices, value) else { return Ok(()) };
        if let Some(value) = self.coerce(value, ty) {
            ops.push(Op::Assign { var, value });
        }
        Ok(())
    }

    /// The value that a variable has after one of its elements has changed.
    fn stored(&mut self, target: Typed, indices: &[(Value, Span)], value: Value) -> Value {
        let mut arrays = Vec::new();
        let mut array = target;
        for (index, end) in indices {
            let index = (*index)?;
            arrays.push((array, index, *end));
            array = self.read(array, index, *end)?;
        }
        let mut value = value?;
        for (array, index, end) in arrays.into_iter().rev() {
            let place = value.span;
            value = Typed { span: place, ..self.write(array, index, value, end)? };
        }
        Some(value)
    }

    fn return_(&mut self, function: FuncId, value: Value, span: Span, ops: &mut Vec<Op>) {
        let Some(value) = value else { return };
        let (var, ty) = match self.result {
            Some(result) => result,
            None => {
                let name = self.program.cfa.functions[function].name.clone();
                let variable = Variable {
                    scope: Scope::Local(function),
                    reading: Reading::Plain,
                    source_name: None,
                    span: Some(span),
                };
                let var = self.program.declare(format!("{name}.return"), value.ty.sort(), variable);
                self.program.cfa.functions[function].results.push(var);
                *self.result.insert((var, value.ty))
            }
        };
        if let Some(value) = self.coerce(value, ty) {
            ops.push(Op::Assign { var, value });
        }
    }
}

/// Whether a statement starts here.
fn starts_statement(loader: &Loader<'_>, token: Token<'_>) -> bool {
    matches!(token.text, "assume" | "havoc" | "return")
        || (token.is_name() && loader.peek_after(1).is_symbol(":="))
}
