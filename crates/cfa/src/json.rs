//! Program models as JSON.

use base::{Id as _, Span};
use serde_json::{Map, Value, json};
use term::TermId;

use crate::canonical::Canonical;
use crate::text::{OpText, assumption_word};
use crate::{
    Contents, Infix, LoopId, Loops, Object, ObjectKind, Op, Program, Reading, Scope, stored_bytes,
};

/// How much of an operation or term is shown in infix notation.
const SHOWN: usize = 200;

/// A program as JSON: its functions, locations, edges, variables, objects, loops and
/// assumptions, each with its place in the source. Ids are the places in these lists.
///
/// Of operations it has a kind, the text form, and a short infix form.
#[must_use]
pub fn json(program: &Program) -> Value {
    let cfa = &program.cfa;
    let loops = Loops::of(cfa);
    let writer = Writer { program, canonical: Canonical::of(program) };
    let functions = cfa.functions.entries().map(|(id, function)| {
        let vars =
            |vars: &[term::Var]| -> Vec<usize> { vars.iter().map(|var| var.index()).collect() };
        writer.placed(
            function.span,
            json!({
                "id": id.index(),
                "name": &*function.name,
                "entry": function.entry.index(),
                "exit": function.exit.index(),
                "parameters": vars(&function.parameters),
                "results": vars(&function.results),
                "locals": vars(&function.locals),
            }),
        )
    });
    let locations = cfa.locations.entries().map(|(id, location)| {
        let edges: Vec<usize> = location.edges.iter().map(|edge| edge.index()).collect();
        writer.placed(
            location.span,
            json!({
                "id": id.index(),
                "function": location.function.index(),
                "error": location.error,
                "fault": location.fault.map(crate::Fault::word),
                "name": location.name.as_deref(),
                "loop": loops.innermost(id).map(|id| id.index()),
                "loopHead": loops.head(id),
                "edges": edges,
            }),
        )
    });
    let edges = cfa.edges.entries().map(|(id, edge)| {
        let ops: Vec<Value> = edge.ops.iter().map(|op| writer.op(op)).collect();
        writer.placed(
            edge.span,
            json!({
                "id": id.index(),
                "source": edge.source.index(),
                "target": edge.target.index(),
                "name": edge.name.as_deref(),
                "ops": ops,
            }),
        )
    });
    let assumptions = cfa.assumptions.iter().map(|assumption| {
        let kind = assumption_word(assumption.kind);
        writer.placed(assumption.span, json!({ "kind": kind, "text": assumption.text }))
    });
    json!({
        "addressWidth": cfa.address_width,
        "outside": cfa.outside.map(|outside| json!({ "from": outside.from, "to": outside.to })),
        "start": cfa.start.map(|start| start.index()),
        "functions": functions.collect::<Vec<_>>(),
        "locations": locations.collect::<Vec<_>>(),
        "edges": edges.collect::<Vec<_>>(),
        "variables": cfa.variables.ids().map(|var| writer.variable(var)).collect::<Vec<_>>(),
        "objects": cfa.objects.iter().map(|object| writer.object(object)).collect::<Vec<_>>(),
        "loops": loops.loops.ids().map(|id| looped(program, &loops, id)).collect::<Vec<_>>(),
        "assumptions": assumptions.collect::<Vec<_>>(),
    })
}

fn looped(program: &Program, loops: &Loops, id: LoopId) -> Value {
    let cfa = &program.cfa;
    let looped = &loops.loops[id];
    // Only locations of the loop itself are listed, not those of inner loops, so that the size of the whole stays
    // linear; the others follow from the parents.
    let own = loops.body(id).iter().filter(|location| loops.innermost(**location) == Some(id));
    json!({
        "id": id.index(),
        "function": cfa.locations[looped.head].function.index(),
        "head": looped.head.index(),
        "parent": looped.parent.map(|parent| parent.index()),
        "depth": looped.depth,
        "reducible": looped.reducible,
        "backEdges": looped.back_edges.iter().map(|edge| edge.index()).collect::<Vec<_>>(),
        "locations": own.map(|location| location.index()).collect::<Vec<_>>(),
    })
}

struct Writer<'a> {
    program: &'a Program,
    canonical: Canonical,
}

impl Writer<'_> {
    /// Adds file, line and column, if they are known.
    fn placed(&self, span: Option<Span>, mut value: Value) -> Value {
        if let (Some(span), Some(fields)) = (span, value.as_object_mut()) {
            let sources = &self.program.sources;
            let at = sources.position(span);
            fields.insert("file".to_owned(), sources.name(span.file).into());
            fields.insert("line".to_owned(), at.line.into());
            fields.insert("column".to_owned(), at.column.into());
        }
        value
    }

    fn infix(&self, term: TermId) -> String {
        Infix::new(self.program).limit(SHOWN).term(term).to_string()
    }

    fn variable(&self, var: term::Var) -> Value {
        let Program { terms, cfa, .. } = self.program;
        let variable = &cfa.variables[var];
        let (scope, owner) = match variable.scope {
            Scope::Global => ("global", None),
            Scope::Local(function) => ("local", Some(("function", function.index()))),
            Scope::Address(object) => ("address", Some(("object", object.index()))),
        };
        let reading = match variable.reading {
            Reading::Plain => "plain",
            Reading::Signed => "signed",
            Reading::Address => "address",
        };
        let mut fields = Map::new();
        fields.insert("id".to_owned(), var.index().into());
        fields.insert("name".to_owned(), terms.var_name(var).into());
        fields
            .insert("sort".to_owned(), terms.display_sort(terms.var_sort(var)).to_string().into());
        fields.insert("scope".to_owned(), scope.into());
        if let Some((kind, owner)) = owner {
            fields.insert(kind.to_owned(), owner.into());
        }
        fields.insert("reading".to_owned(), reading.into());
        fields.insert("sourceName".to_owned(), variable.source_name.as_deref().into());
        self.placed(variable.span, Value::Object(fields))
    }

    fn object(&self, object: &Object) -> Value {
        let kind = match object.kind {
            ObjectKind::Data => "data",
            ObjectKind::ReadOnly => "readOnly",
            ObjectKind::Code(_) => "code",
        };
        let contents = match &object.contents {
            Contents::Arbitrary => Value::Null,
            Contents::Bytes(bytes, patches) => {
                let hexadecimal: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                let patches = patches.iter().map(|patch| {
                    let size = stored_bytes(self.program.terms.sort(patch.value));
                    json!({ "offset": patch.offset, "size": size, "value": self.infix(patch.value) })
                });
                json!({ "bytes": hexadecimal, "patches": patches.collect::<Vec<_>>() })
            }
        };
        let mut value = json!({
            "name": &*object.name,
            "address": object.address.index(),
            "size": object.size,
            "align": object.align,
            "kind": kind,
            "contents": contents,
        });
        if let (ObjectKind::Code(function), Some(fields)) = (object.kind, value.as_object_mut()) {
            fields.insert("function".to_owned(), function.index().into());
        }
        self.placed(object.span, value)
    }

    fn op(&self, op: &Op) -> Value {
        let text = OpText { program: self.program, canonical: &self.canonical, op }.to_string();
        let infix = Infix::new(self.program).limit(SHOWN).op(op).to_string();
        json!({ "kind": kind(op), "text": text, "infix": infix })
    }
}

fn kind(op: &Op) -> &'static str {
    match op {
        Op::Assume(_) => "assume",
        Op::Assign { .. } => "assign",
        Op::Havoc { .. } => "havoc",
        Op::Load { .. } => "load",
        Op::Store { .. } => "store",
        Op::Copy { .. } => "copy",
        Op::Fill { .. } => "fill",
        Op::HavocMemory { .. } => "havocMemory",
        Op::HavocReachable { .. } => "havocReachable",
        Op::Size { .. } => "size",
        Op::Valid { .. } => "valid",
        Op::Alloc { .. } => "alloc",
        Op::Free { .. } => "free",
        Op::Check { .. } => "check",
        Op::Call { .. } => "call",
        Op::Output { .. } => "output",
        Op::Exit(_) => "exit",
        Op::Abort => "abort",
        Op::Unsupported(_) => "unsupported",
    }
}
