//! One translation unit, from text to rucc's typed tree.
//!
//! Only this file and its siblings name rucc: the lowering turns rucc's tree into the program model at once.

use std::collections::BTreeMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::{Diagnostic, Diagnostics, FileId, SourceMap, Span};
use cfa::BlockName;
use rucc_ast::Ast;
use rucc_base::{Interner, Symbol};
use rucc_diag::SourceBytes;
use rucc_lex::Tokens;
use rucc_sema::{Checked, DeclId, DeclKind, ExprId, ExprKind, StrId, Tast};
use rucc_session::{FileSystem, Preinclude, Session, Std};
use rucc_target::TargetInfo;
use rucc_types::{TypeId, Types};
use rustc_hash::FxHashSet;

use super::block_names::block_names;
use super::enumerators::enumerators;
use super::lengths::{self, MemberLengths, Promises};
use super::positions::Positions;
use super::{deep, graft, include, layout, measured, nesting, repair, strings, unions, wide};
use crate::{DataModel, Flags, Folders, Macro, Setting, Wording};

/// How many errors one file may report.
const ERROR_LIMIT: u32 = 20;

/// The code of rucc's message about brackets that are nested too deeply.
const TOO_DEEP: &str = "E0402";

/// A checked translation unit.
pub(super) struct Unit {
    pub tast: Tast,
    pub types: Types,
    pub names: Interner,
    pub target: TargetInfo,
    pub member_lengths: MemberLengths,
    pub promises: Promises,
    /// The names that are declared in blocks.
    pub block_names: Vec<(Symbol, BlockName)>,
    /// The enumerators with their values.
    pub enumerators: Vec<(Symbol, i128)>,
    /// Functions that are called and not declared.
    pub undeclared: FxHashSet<DeclId>,
    files: Files,
}

impl Unit {
    /// The lengths in a type, in the order of their evaluation.
    pub fn lengths(&self, ty: TypeId) -> Vec<ExprId> {
        let mut found = Vec::new();
        lengths::lengths(&self.types, ty, &mut found);
        found.into_iter().map(|id| self.tast.vla_size(id)).collect()
    }

    /// The text of a name.
    pub fn name(&self, symbol: Symbol) -> &str {
        self.names.resolve(symbol)
    }

    /// The name that the linker sees of a declaration: its own unless it has an assembler name.
    pub fn symbol(&self, decl: DeclId) -> Option<String> {
        let entry = &self.tast[decl];
        match entry.asm_label {
            Some(label) => Some(self.text(label)),
            None => entry.name.map(|name| self.name(name).to_owned()),
        }
    }

    /// The text of a string literal without its end.
    pub fn text(&self, id: StrId) -> String {
        let elements = &self.tast[id].elements;
        elements.iter().filter_map(|&c| char::from_u32(c)).take_while(|&c| c != '\0').collect()
    }

    /// Whether a word stands anywhere in the text of the unit, headers included.
    pub fn mentions(&self, word: &str) -> bool {
        let files = self.files.sources.files().iter();
        files.map(|file| std::str::from_utf8(file.bytes())).any(|text| match text {
            Ok(text) => text.contains(word),
            Err(_) => true,
        })
    }

    /// The place in our source map for a place of rucc: where the text stands, whatever `#line` says.
    pub fn span(&self, span: rucc_diag::Span) -> Option<Span> {
        self.files.span(span)
    }

    /// As [`Self::span`], except that the place of text in an argument of a macro is in the argument, and not at the
    /// use of the macro.
    pub fn written(&self, span: rucc_diag::Span) -> Option<Span> {
        let place = self.files.span(span)?;
        Some(self.files.argument(span, place).unwrap_or(place))
    }
}

/// The files of a unit. Translates rucc's global byte positions into places of our source map.
struct Files {
    positions: Positions,
    sources: rucc_diag::SourceMap,
    /// The files of our source map, by the indices of rucc's files.
    ours: Vec<FileId>,
}

impl Files {
    /// The place of a range of tokens.
    fn span(&self, span: rucc_diag::Span) -> Option<Span> {
        self.in_text(self.positions.place(span))
    }

    /// Where a range of tokens is written, if it is in an argument of the macro that is used at a place.
    fn argument(&self, span: rucc_diag::Span, place: Span) -> Option<Span> {
        let (first, last) = self.positions.written(span)?;
        let (first, last) = (self.in_text(first)?, self.in_text(last)?);
        // Arguments come after the name of the macro, and its definition comes before.
        let is_behind = first.file == place.file && first.start >= place.end;
        let is_whole = last.file == first.file && last.end > first.start;
        (is_behind && is_whole).then(|| Span::new(first.file, first.start, last.end))
    }

    /// A place in rucc's global byte positions.
    fn in_text(&self, span: rucc_diag::Span) -> Option<Span> {
        if span.is_dummy() {
            return None;
        }
        let span = self.sources.outside(span);
        let low = self.sources.real(span.lo);
        let index =
            self.sources.files().partition_point(|file| file.start <= low).checked_sub(1)?;
        let file = &self.sources.files()[index];
        let end = self.sources.real(span.hi).clamp(low, file.end.max(low));
        Some(Span::new(*self.ours.get(index)?, low - file.start, end - file.start))
    }
}

/// Headers come from the bundled folder first, so that a program means the same on every machine.
#[derive(Debug)]
struct Headers {
    /// Where headers other than those of the system may be read from; `None` for everywhere.
    folders: Option<Folders>,
    /// Texts that are read in place of those of files.
    replaced: BTreeMap<PathBuf, Arc<[u8]>>,
}

/// Where the bundled headers seem to be.
pub(super) const BUNDLED: &str = "<proviso>";

/// Where the headers of the system are.
pub(super) const SYSTEM: [&str; 2] = ["/usr/include/", "/usr/local/include/"];

impl FileSystem for Headers {
    fn read(&self, path: &Path) -> io::Result<SourceBytes> {
        if let Ok(name) = path.strip_prefix(BUNDLED) {
            let text = name.to_str().and_then(include::header);
            return text
                .map(|text| SourceBytes::new(text.as_bytes()))
                .ok_or_else(|| io::ErrorKind::NotFound.into());
        }
        if let Some(text) = self.replaced.get(path) {
            return Ok(SourceBytes::new(Shared(text.clone())));
        }
        // A device may never end.
        if !std::fs::metadata(path)?.is_file() {
            return Err(io::ErrorKind::NotFound.into());
        }
        if let Some(folders) = &self.folders
            && !folders.has(path)
            && !Folders::new(SYSTEM.map(Path::new)).has(path)
        {
            return Err(io::ErrorKind::NotFound.into());
        }
        std::fs::read(path).map(SourceBytes::new)
    }
}

/// Text that our source map holds, shared with rucc without a copy.
struct Shared(Arc<[u8]>);

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Preprocesses, parses and type-checks a file. `None` if there are errors; the messages say which. A panic of the
/// parser counts as an error.
pub(super) fn check(
    sources: &mut SourceMap,
    file: FileId,
    data_model: DataModel,
    flags: &Flags,
    wording: Wording,
    diagnostics: &mut Diagnostics,
) -> Option<Unit> {
    let reading = AssertUnwindSafe(|| read(sources, file, data_model, flags, wording, diagnostics));
    // What the panic left behind is not used: the file is refused.
    catch_unwind(reading).unwrap_or_else(|_| {
        diagnostics.push(fault(file));
        None
    })
}

/// The message about a panic of the parser.
fn fault(file: FileId) -> Diagnostic {
    let message = "the C parser failed on this file";
    let hint = "this is a fault of the parser; please report it together with the file";
    Diagnostic::error(Span::new(file, 0, 0), message).with_hint(hint)
}

fn read(
    sources: &mut SourceMap,
    file: FileId,
    data_model: DataModel,
    flags: &Flags,
    wording: Wording,
    diagnostics: &mut Diagnostics,
) -> Option<Unit> {
    let options = options(data_model, flags);
    let mut session = Session::new(options.clone());
    let keywords =
        rucc_lex::Keywords::new(&mut session.interner, options.std, options.gnu_extensions)
            .x86(true);
    let name = sources.name(file).to_owned();
    let bytes = source_bytes(sources.text(file).clone());
    let Ok(main) = session.sources.add_shared(name, bytes, None) else {
        diagnostics.push(Diagnostic::error_without_place("the program is longer than 4 GiB"));
        return None;
    };
    let mut preprocessed = match preprocess(&mut session, main, flags) {
        Ok(preprocessed) => preprocessed,
        Err(message) => {
            diagnostics.push(Diagnostic::error_without_place(message));
            return None;
        }
    };
    if !Positions::suffice_for(&preprocessed.tokens) {
        diagnostics.push(Diagnostic::error_without_place("the program has too many tokens"));
        return None;
    }
    let positions = Positions::assign(&mut preprocessed.tokens, preprocessed.written);
    let convert = rucc_lex::Convert {
        keywords: &keywords,
        interner: &session.interner,
        target: &session.target,
        std: options.std,
        gnu: true,
        pedantic: false,
    };
    let (converted, mut messages) = rucc_lex::convert(&preprocessed.tokens, &convert);
    drop(preprocessed.tokens);
    let mut analysed = analyse(converted, &session);
    messages.append(&mut analysed.messages);
    let wide = match data_model {
        DataModel::Ilp32 => wide::choice(&analysed.ast, names_wide(&session.sources, main)),
        DataModel::Lp64 => None,
    };
    let Analysed { ast, specs, tast, types, member_lengths, differences, .. } = analysed;
    let promises = lengths::promises(&ast);
    let ours = our_files(sources, &session.sources, main, file)?;
    let files = Files { positions, sources: session.sources, ours };
    let block_names = block_names(&ast, specs, |tokens| files.span(tokens));
    let enumerators = enumerators(&ast, specs);
    drop(ast);
    let said = Said {
        early: preprocessed.messages,
        late: messages,
        has_panicked: preprocessed.has_panicked,
        differences,
        wide,
    };
    said.report(&files, file, flags, wording, diagnostics);
    if diagnostics.has_errors() {
        return None;
    }
    let (names, target) = (session.interner, session.target);
    let undeclared = undeclared(&tast);
    Some(Unit {
        tast,
        types,
        names,
        target,
        member_lengths,
        promises,
        block_names,
        enumerators,
        undeclared,
        files,
    })
}

/// The text of a file for rucc. If the last line ends with a backslash, rucc's lexer looks for another line, so an end
/// of line is added here.
fn source_bytes(text: Arc<[u8]>) -> SourceBytes {
    if text.ends_with(b"\\\n") || text.ends_with(b"\\\r\n") {
        SourceBytes::new([&text[..], b"\n"].concat())
    } else {
        SourceBytes::new(Shared(text))
    }
}

/// The file in our source map for each file that rucc has read: the given file, headers and predefined macros.
fn our_files(
    sources: &mut SourceMap,
    read: &rucc_diag::SourceMap,
    main: rucc_diag::FileId,
    file: FileId,
) -> Option<Vec<FileId>> {
    let files = read.files().iter();
    files
        .map(|read| {
            if read.id == main { Some(file) } else { sources.add(read.name.clone(), read.bytes()) }
        })
        .collect()
}

/// The messages about a text while it was read.
struct Said {
    /// The messages of the preprocessor.
    early: Vec<rucc_diag::Diagnostic>,
    /// The messages of the parser and the type checker.
    late: Vec<rucc_diag::Diagnostic>,
    has_panicked: bool,
    /// Constructs that rucc reads otherwise than gcc.
    differences: Vec<(rucc_diag::Span, String)>,
    /// A choice by type that wide characters decide.
    wide: Option<rucc_diag::Span>,
}

impl Said {
    /// The messages for the user.
    fn report(
        self,
        files: &Files,
        file: FileId,
        flags: &Flags,
        wording: Wording,
        diagnostics: &mut Diagnostics,
    ) {
        let include = wording.of(Setting::Include);
        let before = diagnostics.len();
        // A header that is missing would have declared names that are now missing, too: no other message is worth
        // telling.
        let missing = self.early.iter().find(|message| {
            message.severity.is_fatal() && message.message.ends_with("file not found")
        });
        if let Some(message) = missing {
            let mut missing = translate(message, files.in_text(message.span), include);
            if flags.folders.is_some() {
                let reads = format!(
                    "a task reads headers in its own folder, in those of {include} and of the system"
                );
                missing.hint = Some(match missing.hint {
                    Some(hint) => format!("{hint}; {reads}"),
                    None => reads,
                });
            }
            return diagnostics.push(missing);
        }
        // Text that is nested too deeply is not read, so that the text behind it cannot be understood.
        let nested = self.late.iter().find(|message| message.code == Some(TOO_DEEP));
        if let Some(message) = nested {
            let hint = format!(
                "up to {} levels are read in blocks and expressions, of functions without a typedef and where no \
                 name of a type is declared anew",
                deep::DEEPEST
            );
            return diagnostics
                .push(translate(message, files.span(message.span), include).with_hint(hint));
        }
        let early = self.early.iter().map(|message| (message, message.span));
        let late = self.late.iter().map(|message| (message, files.positions.place(message.span)));
        for (message, span) in early.chain(late) {
            if message.severity.is_fatal() && diagnostics.len() < before + ERROR_LIMIT as usize {
                diagnostics.push(translate(message, files.in_text(span), include));
            }
        }
        if self.has_panicked && diagnostics.len() == before {
            diagnostics.push(fault(file));
        }
        for (span, what) in self.differences.into_iter().take(ERROR_LIMIT as usize) {
            diagnostics.push(located(files.span(span), format!("{what} is not supported")));
        }
        if let Some(span) = self.wide {
            let message =
                "a choice by type in a file with wide characters is not supported with --32";
            diagnostics.push(located(files.span(span), message.to_owned()));
        }
    }
}

/// The functions that are called without a declaration. Their declaration stands where they are called first.
fn undeclared(tast: &Tast) -> FxHashSet<DeclId> {
    let exprs = (0..tast.counts().exprs).map(ExprId::from_usize);
    let named = exprs.filter_map(|expr| match tast[expr].kind {
        ExprKind::Decl(decl) => Some((tast.expr_span(expr), decl)),
        _ => None,
    });
    let functions = named.filter(|(_, decl)| tast[*decl].kind == DeclKind::Function);
    functions.filter(|(span, decl)| *span == tast.decl_span(*decl)).map(|(_, decl)| decl).collect()
}

/// The version of the language that `-std` names, and whether GNU's extensions belong to it.
pub(super) fn standard(name: &str) -> Option<(Std, bool)> {
    Std::from_flag(name)
}

/// What rucc is told about the language and the machine.
fn options(data_model: DataModel, flags: &Flags) -> rucc_session::Options {
    let triple = match data_model {
        DataModel::Ilp32 => "i686-unknown-linux-gnu",
        DataModel::Lp64 => "x86_64-unknown-linux-gnu",
    };
    let triple: rucc_target::Triple = triple.parse().expect("a triple that rucc knows");
    let mut options = rucc_session::Options::new(triple);
    let standard = flags.standard.as_deref().and_then(standard);
    (options.std, options.gnu_extensions) = standard.unwrap_or((Std::C17, true));
    for (at, change) in flags.macros.iter().enumerate() {
        // The last definition or removal of a name counts.
        if flags.macros[at + 1..].iter().any(|later| later.name() == change.name()) {
            continue;
        }
        match change {
            Macro::Define(text) => options.defines.push(text.clone()),
            Macro::Undefine(name) => options.undefines.push(name.clone()),
        }
    }
    let preincludes = flags.preinclude.iter().cloned();
    options.preincludes = preincludes.map(|name| Preinclude { name, macros_only: false }).collect();
    options.permissive = true;
    options.error_limit = ERROR_LIMIT;
    for folder in &flags.include {
        options.search.push_system(folder);
    }
    for folder in [BUNDLED, "/usr/local/include", "/usr/include/x86_64-linux-gnu", "/usr/include"] {
        options.search.push_system(folder);
    }
    options
}

/// A file after macros and includes.
struct Preprocessed {
    tokens: Vec<rucc_lex::PpToken>,
    /// Where tokens are written that come out of macros, with their numbers.
    written: Vec<(usize, rucc_diag::Span)>,
    messages: Vec<rucc_diag::Diagnostic>,
    has_panicked: bool,
}

fn preprocess(
    session: &mut Session,
    main: rucc_diag::FileId,
    flags: &Flags,
) -> Result<Preprocessed, String> {
    let headers = Headers { folders: flags.folders.clone(), replaced: flags.replaced.clone() };
    let options = session.opts.clone();
    let mut preprocessor = rucc_pp::Preprocessor::new();
    let predefined = rucc_pp::Predef::for_options(&options);
    let mut context = rucc_pp::Context::new(
        &mut session.interner,
        &mut session.sources,
        &headers,
        &options.search,
    );
    context.lex =
        rucc_lex::Options::for_dialect(options.std, options.gnu_extensions, options.trigraphs);
    preprocessor
        .predefine(&session.target, &predefined, &mut context)
        .map_err(|error| format!("predefined macros: {error:?}"))?;
    // The preprocessor panics on some macros after it has complained about them: the complaint is
    // what the user needs.
    let expanding = AssertUnwindSafe(|| {
        let mut tokens = Vec::new();
        let read = preprocessor.preinclude(&options.preincludes, &mut tokens, &mut context);
        tokens.extend(preprocessor.run(main, &mut context));
        (tokens, read.is_ok())
    });
    let expanded = catch_unwind(expanding).map(|(tokens, _)| tokens);
    let has_panicked = expanded.is_err();
    let expanded = expanded.unwrap_or_default();
    let of_macros = expanded.iter().enumerate().filter(|(_, token)| !token.expansion.is_dummy());
    let written = of_macros.map(|(number, token)| (number, token.span)).collect();
    let tokens = expanded.iter().map(|token| token.to_pp()).collect();
    Ok(Preprocessed { tokens, written, messages: preprocessor.take_diagnostics(), has_panicked })
}

/// Tokens after parsing and type-checking.
struct Analysed {
    ast: Ast,
    /// How many specifiers the tree has.
    specs: usize,
    tast: Tast,
    types: Types,
    messages: Vec<rucc_diag::Diagnostic>,
    /// Constructs that rucc reads otherwise than gcc.
    differences: Vec<(rucc_diag::Span, String)>,
    member_lengths: MemberLengths,
}

fn analyse(mut tokens: Tokens, session: &Session) -> Analysed {
    repair::end_members(&mut tokens);
    nesting::flatten(&mut tokens);
    let (mut ast, mut checked, mut messages) = parse(&mut tokens, session);
    if repair::declare_called(&mut tokens, &ast, &checked, &messages) {
        (ast, checked, messages) = parse(&mut tokens, session);
    }
    while strings::group(&mut tokens, &ast, &messages) {
        (ast, checked, messages) = parse(&mut tokens, session);
    }
    if unions::name_members(&mut tokens, &ast, &checked, &messages) {
        (ast, checked, messages) = parse(&mut tokens, session);
    }
    while repair::drop_braces(&mut tokens, &messages) {
        (ast, checked, messages) = parse(&mut tokens, session);
    }
    let mut specs = layout::count_specs(&mut ast);
    let measure = |ast: &Ast, specs: usize, checked: &Checked| {
        measured::differences(ast, specs, &checked.tast, &checked.types, &session.target)
    };
    let mut measured = measure(&ast, specs, &checked);
    if !measured.sizes.is_empty() {
        let unmended = measured::replace(&mut tokens, measured.sizes);
        (ast, checked, messages) = parse(&mut tokens, session);
        specs = layout::count_specs(&mut ast);
        measured = measure(&ast, specs, &checked);
        measured.refused.extend(unmended);
    }
    let (tast, types) = (checked.tast, checked.types);
    repair::drop_completed(&mut messages, &tast, &types);
    let (member_lengths, sized) = lengths::members(&ast, specs, &tast, &types);
    let placed = layout::differences(&ast, specs, &types, &session.interner, &session.target);
    let mut differences: Vec<_> =
        placed.into_iter().map(|(span, what)| (span, format!("the layout of {what}"))).collect();
    let others = measured.refused.into_iter().chain(sized);
    differences.extend(others.map(|(span, what)| (span, what.to_owned())));
    Analysed { ast, specs, tast, types, messages, differences, member_lengths }
}

/// Parses and type-checks tokens, in pieces if they are nested more deeply than rucc reads.
fn parse(tokens: &mut Tokens, session: &Session) -> (Ast, Checked, Vec<rucc_diag::Diagnostic>) {
    if let Some(deep::Pieces { tokens: pieces, cuts }) = deep::cut(tokens) {
        let whole = std::mem::replace(&mut tokens.tokens, pieces);
        let mut parsed = syntax(tokens, session);
        tokens.tokens = whole;
        let is_read = !parsed.failed() && !deep::is_ambiguous(&mut parsed.ast);
        if is_read && let Some(grafted) = graft::graft(&mut parsed.ast, &cuts) {
            return semantics(parsed, session, Some(&grafted));
        }
    }
    semantics(syntax(tokens, session), session, None)
}

fn syntax(tokens: &Tokens, session: &Session) -> rucc_parse::Parsed {
    let type_names: Vec<_> = session
        .target
        .type_names()
        .iter()
        .filter_map(|&(name, _)| session.interner.find(name))
        .collect();
    rucc_parse::parse(
        tokens,
        rucc_parse::Context {
            interner: &session.interner,
            std: session.opts.std,
            gnu: true,
            pedantic: false,
            error_limit: ERROR_LIMIT as usize,
            type_names: &type_names,
        },
    )
}

/// Checks the declarations of a unit, or `declarations` in their place.
fn semantics(
    parsed: rucc_parse::Parsed,
    session: &Session,
    declarations: Option<&[rucc_ast::DeclId]>,
) -> (Ast, Checked, Vec<rucc_diag::Diagnostic>) {
    let mut messages = parsed.diagnostics;
    let mut context = rucc_sema::Context::new(&session.interner, &session.target, session.opts.std);
    context.permissive = true;
    context.error_limit = ERROR_LIMIT as usize;
    let mut checker = rucc_sema::Checker::new(&parsed.ast, context);
    match declarations {
        Some(declarations) => {
            for &declaration in declarations {
                checker.check_decl(declaration);
            }
        }
        None => checker.check_unit(),
    }
    let mut checked = checker.finish();
    messages.append(&mut checked.diagnostics);
    (parsed.ast, checked, messages)
}

fn located(span: Option<Span>, message: String) -> Diagnostic {
    match span {
        Some(span) => Diagnostic::error(span, message),
        None => Diagnostic::error_without_place(message),
    }
}

/// Whether a file names the type of wide characters by a macro, itself or by a bundled header.
fn names_wide(sources: &rucc_diag::SourceMap, main: rucc_diag::FileId) -> bool {
    let has = |bytes: &[u8], word: &[u8]| bytes.windows(word.len()).any(|at| at == word);
    let is_included = sources.files().iter().any(|file| file.name.starts_with(BUNDLED));
    let text = sources.files().iter().find(|file| file.id == main);
    text.is_some_and(|text| {
        let bytes = text.bytes();
        has(bytes, b"__WCHAR_TYPE__") || is_included && has(bytes, b"wchar_t")
    })
}

fn translate(message: &rucc_diag::Diagnostic, span: Option<Span>, include: &str) -> Diagnostic {
    let mut translated = located(span, message.message.clone());
    if let Some(note) = message.children.first() {
        translated = translated.with_hint(searched(&note.message, include));
    }
    translated
}

/// The list of folders that were searched, in words.
fn searched(note: &str, include: &str) -> String {
    let Some(list) = note.strip_prefix("searched: ") else { return note.to_owned() };
    let folders: Vec<&str> = list
        .split(", ")
        .map(|folder| match folder {
            "" => ".",
            BUNDLED => "the bundled headers",
            folder => folder,
        })
        .collect();
    format!("looked for in {}; {include} names further folders", folders.join(", "))
}
