//! Files: the three that every program has, and bytes that `ungetc` puts back.

use cfa::{AssumptionKind, Check, Choice, Contents, Fault, ObjectKind, Op, Patch, Scope};
use rucc_sema::Linkage;
use rucc_types::TypeId;
use term::{Sort, TermId, View};

use super::argument::{Argument, Modelled};
use super::function::Lower;
use super::link::Linker;
use super::shape::Shape;
use super::signature::Key;
use super::storage::Storage;
use crate::DataModel;

/// Variables of the C library that point to files.
const STANDARD: [&str; 3] = ["stdin", "stdout", "stderr"];

/// Functions that drop what `ungetc` has put back, and which argument is the file.
const DROPPING: [(&str, usize); 12] = [
    ("rewind", 0),
    ("fseek", 0),
    ("fseeko", 0),
    ("fseeko64", 0),
    ("fsetpos", 0),
    ("fsetpos64", 0),
    ("fclose", 0),
    ("fflush", 0),
    ("fflush_unlocked", 0),
    ("freopen", 2),
    ("freopen64", 2),
    ("pclose", 0),
];

/// Functions that fail where their file is null, and which argument the file is.
const NEEDING: [(&str, usize); 46] = [
    ("_IO_getc", 0),
    ("_IO_putc", 1),
    ("clearerr", 0),
    ("dirfd", 0),
    ("fclose", 0),
    ("feof", 0),
    ("ferror", 0),
    ("fgetc", 0),
    ("fgetc_unlocked", 0),
    ("fgetpos", 0),
    ("fgets", 2),
    ("fileno", 0),
    ("fprintf", 0),
    ("__fprintf_chk", 0),
    ("fputc", 1),
    ("fputc_unlocked", 1),
    ("fputs", 1),
    ("fputs_unlocked", 1),
    ("fread", 3),
    ("freopen", 2),
    ("fscanf", 0),
    ("__isoc99_fscanf", 0),
    ("__isoc23_fscanf", 0),
    ("fseek", 0),
    ("fseeko", 0),
    ("fsetpos", 0),
    ("ftell", 0),
    ("ftello", 0),
    ("fwrite", 3),
    ("fwrite_unlocked", 3),
    ("getc", 0),
    ("getc_unlocked", 0),
    ("getdelim", 3),
    ("getline", 2),
    ("pclose", 0),
    ("putc", 1),
    ("putc_unlocked", 1),
    ("readdir", 0),
    ("rewind", 0),
    ("rewinddir", 0),
    ("seekdir", 0),
    ("setbuf", 0),
    ("setvbuf", 0),
    ("telldir", 0),
    ("ungetc", 1),
    ("vfprintf", 0),
];

/// Whether a function is looked at for files that are null.
pub(super) fn needs_file(name: &str) -> bool {
    NEEDING.iter().any(|(needing, _)| *needing == name)
}

impl Linker<'_> {
    /// If a declaration is a pointer of the C library to a standard stream, has it point to a file of its own, and
    /// gives `true`. The file is an object of which nothing is known but its size.
    pub fn standard_stream(&mut self, key: Key, storage: &Storage) -> bool {
        let unit = self.units[key.0].clone();
        let entry = &unit.tast[key.1];
        let name = entry.name.map_or("", |name| unit.name(name));
        let is_pointer = matches!(unit.shape(entry.ty), Some(Shape::Pointer { .. }));
        if !STANDARD.contains(&name) || !is_pointer || entry.linkage != Linkage::External {
            return false;
        }
        let file = rucc_types::pointee(&unit.types, entry.ty).and_then(|ty| unit.size(ty));
        // The object is as large as a `FILE` of glibc, unless the program says how large a file is.
        let size = file.filter(|size| *size > 0).unwrap_or(match self.model {
            DataModel::Lp64 => 216,
            DataModel::Ilp32 => 148,
        });
        let (kind, contents) = (ObjectKind::Data, Contents::Arbitrary);
        let name = self.unique(&format!("*{name}"));
        let object = self.program.add_object(name, size, 16, kind, contents, None);
        let address = self.program.cfa.objects[object].address;
        let value = self.program.terms.var(address);
        match storage {
            Storage::Var(var, _) => self.start.push(Op::Assign { var: *var, value }),
            Storage::Memory(pointer) => {
                let patches = Box::new([Patch { offset: 0, value }]);
                self.object_of(*pointer).contents = Contents::Bytes(Box::new([]), patches);
            }
            // A pointer has no members.
            Storage::Fields(_) => return false,
        }
        true
    }

    /// Whether the program puts bytes back.
    fn puts_back(&self) -> bool {
        let defines = self.external.get("ungetc").is_some_and(|key| {
            let is_model = self.units[key.0].tast[key.1].body.is_some();
            is_model && self.is_of_program(*key)
        });
        !defines && self.facts.iter().any(|facts| facts.puts_back)
    }
}

impl Lower<'_, '_> {
    /// Marks that the file of a function of the library may be null. A file that is not null counts as open.
    pub fn check_file(&mut self, name: &str, arguments: &[Argument]) {
        let needing = NEEDING.iter().find(|(needing, _)| *needing == name);
        let may_be_null = name == "fflush";
        let at = if may_be_null { Some(0) } else { needing.map(|(_, at)| *at) };
        let Some(file) = at.and_then(|at| arguments.get(at)) else { return };
        if !self.link.options.checks().has(Check::Deref) || file.shape.is_none() {
            return;
        }
        let zero = self.terms().sort(file.value);
        let zero = self.terms().zero(zero);
        let zero = self.terms().constant(zero);
        let is_null = self.terms().eq(file.value, zero);
        let is_some = self.terms().not(is_null);
        if !may_be_null {
            self.check(is_some, Fault::InvalidAccess);
        }
        if !self.terms().is_true(is_some)
            && !self.terms().is_true(is_null)
            && !self.is_standard(file)
        {
            let text = "files that are not null are open: not checked".to_owned();
            self.assume(AssumptionKind::Semantics, text);
        }
    }

    /// Streams that write to memory of the program while others are called are not modelled.
    pub fn keeping_buffers(&mut self, name: &str, arguments: &[Argument]) -> Modelled {
        let reason = match name {
            "fmemopen" | "open_memstream" | "open_wmemstream" => {
                format!("`{name}`, whose stream is in memory of the program")
            }
            "setbuf" | "setbuffer" | "setvbuf" => {
                format!("`{name}` with a buffer of the program")
            }
            "aio_read" | "aio_read64" | "lio_listio" | "lio_listio64" => {
                format!("`{name}`, which goes on while the program runs")
            }
            // The last argument is a union: where it points depends on the command.
            "semctl" => "`semctl`, which may write through its last argument".to_owned(),
            _ => return None,
        };
        if !matches!(name, "setbuf" | "setbuffer" | "setvbuf") {
            self.body.end(Op::Unsupported(reason.into()));
            return Some(None);
        }
        let buffer = arguments.get(1)?;
        if !matches!(buffer.shape, Some(Shape::Pointer { .. })) {
            return None;
        }
        // Without a buffer of the program, no memory of the program changes.
        let null = self.address_constant(0);
        let is_null = self.terms().eq(buffer.value, null);
        let is_given = self.terms().not(is_null);
        self.unsupported_if(is_given, reason);
        None
    }

    /// Whether an argument is one of the files that every program has, by its name.
    fn is_standard(&self, file: &Argument) -> bool {
        let View::Var(var) = self.link.program.terms.view(file.value) else { return false };
        let known = &self.link.program.cfa.variables[var];
        let is_named = known.source_name.as_deref().is_some_and(|name| STANDARD.contains(&name));
        is_named && known.scope == Scope::Global
    }

    /// A byte that a function reads, or less than zero. Where the program has `ungetc`, the byte may be one that was
    /// put back to the file; a function without a file reads the standard input.
    pub fn byte(
        &mut self,
        name: &str,
        file: Option<&Argument>,
        result_ty: TypeId,
        least: i64,
    ) -> Option<TermId> {
        if !self.link.puts_back() {
            return self.input_between(result_ty, Choice::Input(name.into()), least, 255);
        }
        let back = self.call_back("__proviso_take_back", file, result_ty)?;
        let width = self.terms().width(back);
        let result = self.temporary(Sort::Bv(width));
        let zero = self.bv(width, 0);
        let is_none = self.terms().bv_slt(back, zero);
        let (fresh, old, join) = (self.body.label(), self.body.label(), self.body.label());
        self.branch_on(is_none, fresh, old);
        self.body.place_detached(old);
        self.emit(Op::Assign { var: result, value: back });
        self.body.jump(join);
        self.body.place_detached(fresh);
        // The name says `byte`: a harness gives such an input to a function that looks for bytes that were put back
        // first.
        let name = if name.contains(' ') { name.to_owned() } else { format!("{name} byte") };
        let value = self.input_between(result_ty, Choice::Input(name.into()), least, 255)?;
        self.emit(Op::Assign { var: result, value });
        self.body.place(join);
        Some(self.terms().var(result))
    }

    /// What functions do with a byte that was put back to their file, besides giving it back.
    pub fn after_put_back(
        &mut self,
        name: &str,
        arguments: &[Argument],
        result_ty: TypeId,
    ) -> Modelled {
        if let Some((_, at)) = DROPPING.iter().find(|(dropping, _)| *dropping == name)
            && self.link.puts_back()
        {
            // `fflush` of no file is about output.
            self.call_back("__proviso_take_back", Some(arguments.get(*at)?), result_ty);
            return None;
        }
        let reason = match name {
            "__proviso_no_byte_back" => {
                self.refuse_back(arguments.first(), result_ty);
                return Some(None);
            }
            "__proviso_back_twice" => "two bytes that ungetc puts back",
            "__proviso_back_unread" => "a byte that ungetc puts back before scanf or fread",
            _ => return None,
        };
        self.body.end(Op::Unsupported(reason.into()));
        Some(None)
    }

    /// Has the run be inconclusive if a byte was put back to a file.
    pub fn refuse_back(&mut self, file: Option<&Argument>, result_ty: TypeId) {
        if self.link.puts_back() {
            self.call_back("__proviso_refuse_back", file, result_ty);
        }
    }

    /// Calls a function of the model of `ungetc`.
    fn call_back(
        &mut self,
        name: &str,
        file: Option<&Argument>,
        result_ty: TypeId,
    ) -> Option<TermId> {
        let key = self.link.library_model(name)?;
        let shape = Shape::Pointer { width: self.link.width() };
        let argument = match file {
            Some(file) => *file,
            None => {
                let value = self.standard_input(shape);
                Argument { value, ty: result_ty, shape: Some(shape), is_stdout: false }
            }
        };
        self.call_body(key, &[argument], result_ty)
    }

    /// The standard input; null if the program does not name it.
    fn standard_input(&mut self, shape: Shape) -> TermId {
        match self.link.external.get("stdin").copied() {
            Some(key) => {
                let storage = self.link.global(key, None);
                let place = self.stored(&storage);
                self.read(&place, shape)
            }
            None => self.address_constant(0),
        }
    }
}
