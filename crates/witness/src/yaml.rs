//! Witnesses in YAML: format 2.0, and the loop invariants of the form before it.

use std::collections::BTreeMap;
use std::fmt;

use base::{Diagnostic, FileId, SourceMap, Span};
use frontend::DataModel;
use serde::Deserialize;
use serde::de::{self, Deserializer, Visitor};
use serde_saphyr::{Location as At, Spanned};

use crate::model::{
    Automaton, Claim, Event, Hashed, Invariant, Outcome, SINK, Step, Witness, WitnessPlace,
};
use crate::said::{self, Said};

/// Reads a witness.
pub(crate) fn read(sources: &SourceMap, file: FileId, text: &str) -> Result<Witness, Diagnostic> {
    let options = serde_saphyr::options! {
        with_snippet: false,
        // A long execution has many waypoints. Too many waypoints get a message of their own, so the parser must not
        // stop before.
        budget: serde_saphyr::budget! { max_nodes: 5_000_000, max_events: 20_000_000 },
    };
    let entries = serde_saphyr::from_str_with_options::<Vec<Spanned<Entry>>>(text, options);
    let entries = entries.map_err(|error| diagnostic(&error, sources, file))?;
    let reader = Reader { file, text };
    reader.witness(entries)
}

fn diagnostic(error: &serde_saphyr::Error, sources: &SourceMap, file: FileId) -> Diagnostic {
    let text = error.to_string();
    let first = text.lines().next().unwrap_or_default();
    let message = first.trim_start_matches("error: ").split(" at line ").next().unwrap_or(first);
    // The parser's own messages name its options and its events, so they are reworded.
    let twice = message.strip_prefix("duplicate mapping key: ");
    let twice = twice.and_then(|rest| rest.split(',').next());
    let message = match twice {
        Some(key) => format!("`{key}` is said twice"),
        None => message.replace("expected sequence start", "a list is expected here"),
    };
    let Some(at) = error.location() else {
        return Diagnostic::error(Span::new(file, 0, 0), format!("no witness: {message}"));
    };
    // The parser's own errors have a line and a column only.
    let line = u32::try_from(at.line()).unwrap_or(u32::MAX);
    let place = match sources.line(file, line).filter(|_| at.span().byte_offset().is_none()) {
        Some((start, text)) => {
            let column = (at.column() as usize).saturating_sub(1).min(text.len()) as u32;
            Span::new(file, start + column, start + column)
        }
        None => span(at, file),
    };
    Diagnostic::error(place, message)
}

fn span(at: At, file: FileId) -> Span {
    // The casts are exact: a source map holds no longer files.
    let start = at.span().byte_offset().unwrap_or_default() as u32;
    let length = at.span().byte_len().unwrap_or_default() as u32;
    Span::new(file, start, start.saturating_add(length))
}

#[derive(Deserialize)]
struct Entry {
    entry_type: Spanned<String>,
    metadata: Metadata,
    #[serde(default)]
    content: Option<Vec<Spanned<Content>>>,
    #[serde(default)]
    location: Option<Spanned<Location>>,
    #[serde(default, alias = "location_invariant")]
    loop_invariant: Option<Spanned<Early>>,
}

#[derive(Deserialize)]
struct Metadata {
    format_version: Spanned<Scalar>,
    #[serde(default)]
    producer: Option<Producer>,
    #[serde(default)]
    task: Option<Task>,
}

#[derive(Deserialize)]
struct Producer {
    #[serde(default)]
    name: Option<Scalar>,
    #[serde(default)]
    configuration: Option<Scalar>,
}

impl Producer {
    /// The options with which this tool has read the program, if this tool has made the witness.
    fn options(self) -> Option<String> {
        let is_own = self.name.is_some_and(|Scalar(name)| name == "Proviso");
        is_own.then(|| self.configuration.map_or_else(String::new, |Scalar(words)| words))
    }
}

#[derive(Deserialize)]
struct Task {
    input_file_hashes: BTreeMap<String, Spanned<Scalar>>,
    #[serde(default)]
    specification: Option<String>,
    #[serde(default)]
    data_model: Option<Spanned<String>>,
    #[serde(default)]
    language: Option<Spanned<String>>,
}

#[derive(Deserialize)]
struct Content {
    #[serde(default)]
    segment: Option<Vec<Spanned<Wrapped>>>,
    #[serde(default)]
    invariant: Option<Written>,
    #[serde(default, alias = "contract")]
    function_contract: Option<de::IgnoredAny>,
}

impl Content {
    /// Whether the entry is the contract of a function (what it requires and ensures), as format 2.1 has it.
    fn is_contract(&self) -> bool {
        let is_kind = |written: &Written| written.kind.value == "function_contract";
        self.function_contract.is_some() || self.invariant.as_ref().is_some_and(is_kind)
    }
}

#[derive(Deserialize)]
struct Wrapped {
    waypoint: Waypoint,
}

#[derive(Deserialize)]
struct Waypoint {
    #[serde(rename = "type")]
    kind: Spanned<String>,
    action: Spanned<String>,
    #[serde(default)]
    constraint: Option<Constraint>,
    location: Spanned<Location>,
}

#[derive(Deserialize)]
struct Constraint {
    value: Spanned<Scalar>,
}

#[derive(Deserialize)]
struct Written {
    #[serde(rename = "type")]
    kind: Spanned<String>,
    location: Spanned<Location>,
    #[serde(default)]
    value: Option<Spanned<Scalar>>,
    #[serde(default)]
    format: Option<Spanned<String>>,
}

/// An invariant in the form before 2.0.
#[derive(Deserialize)]
struct Early {
    string: Spanned<Scalar>,
}

#[derive(Deserialize)]
struct Location {
    #[serde(default)]
    file_name: Option<Spanned<String>>,
    line: u32,
    #[serde(default)]
    column: Option<u32>,
    #[serde(default)]
    function: Option<Spanned<String>>,
}

/// A string. A number or a truth value that is written without quotes is read as a string, too.
struct Scalar(String);

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ScalarVisitor)
    }
}

struct ScalarVisitor;

impl Visitor<'_> for ScalarVisitor {
    type Value = Scalar;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string, a number or a truth value")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Scalar, E> {
        Ok(Scalar(text.to_owned()))
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Scalar, E> {
        Ok(Scalar(value.to_string()))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Scalar, E> {
        Ok(Scalar(value.to_string()))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Scalar, E> {
        Ok(Scalar(value.to_string()))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Scalar, E> {
        Ok(Scalar(format!("{value:?}")))
    }
}

struct Reader<'a> {
    file: FileId,
    text: &'a str,
}

impl Reader<'_> {
    fn refuse<T, U>(&self, at: &Spanned<T>, message: impl Into<String>) -> Result<U, Diagnostic> {
        Err(Diagnostic::error(span(at.referenced, self.file), message))
    }

    fn witness(&self, entries: Vec<Spanned<Entry>>) -> Result<Witness, Diagnostic> {
        let mut found: Option<Witness> = None;
        for entry in entries {
            let at = span(entry.referenced, self.file);
            let Some(read) = self.entry(entry)? else { continue };
            found = Some(match found {
                None => read,
                Some(before) if before.specification != read.specification => {
                    let message = "the entries of this witness are about several properties";
                    return Err(Diagnostic::error(at, message));
                }
                Some(mut before) => {
                    if let (Claim::Proof(list), Claim::Proof(more)) =
                        (&mut before.claim, read.claim)
                    {
                        list.extend(more);
                        before.contracts += read.contracts;
                        before
                    } else {
                        let message = "a witness is one violation, or invariants";
                        return Err(Diagnostic::error(at, message));
                    }
                }
            });
        }
        let start = Span::new(self.file, 0, 0);
        found.ok_or_else(|| Diagnostic::error(start, "this witness has no entries"))
    }

    fn entry(&self, entry: Spanned<Entry>) -> Result<Option<Witness>, Diagnostic> {
        let Entry { entry_type, metadata, content, location, loop_invariant } = entry.value;
        let version = &metadata.format_version;
        let is_early = version.value.0.starts_with("0.");
        if !is_early && !version.value.0.starts_with("2.") {
            return self.refuse(version, "a witness in YAML has format 2.0");
        }
        let mut content = content.unwrap_or_default();
        let is_later = version.value.0.starts_with("2.") && version.value.0 != "2.0";
        let all = content.len();
        if is_later && entry_type.value == "invariant_set" {
            content.retain(|item| !item.value.is_contract());
        }
        let contracts = all - content.len();
        let claim = match entry_type.value.as_str() {
            "violation_sequence" => self.violation(&entry_type, content)?,
            "invariant_set" => self.invariants(content)?,
            "loop_invariant" | "location_invariant" => {
                let (Some(location), Some(early)) = (location, loop_invariant) else {
                    return self.refuse(&entry_type, "this entry has no place or no invariant");
                };
                let place = self.place_said(&location, Some(&early.value.string))?;
                let of_loop = entry_type.value == "loop_invariant";
                let expression = early.value.string.value.0;
                Claim::Proof(vec![Invariant { place, of_loop, node: None, expression }])
            }
            // Entries with certificates in the early format say which tool has confirmed an invariant, and nothing
            // about the program.
            _ if is_early => return Ok(None),
            _ => {
                return self.refuse(
                    &entry_type,
                    "this is neither `violation_sequence` nor `invariant_set`",
                );
            }
        };
        let Some(task) = metadata.task else {
            return self.refuse(&entry_type, "this entry does not say its `task`");
        };
        let Task { input_file_hashes, specification, data_model, language } = task;
        if let Some(language) = language.filter(|language| language.value != "C") {
            return self.refuse(&language, "only witnesses for C are read");
        }
        let data_model = match data_model {
            None => None,
            Some(model) => match model.value.as_str() {
                "ILP32" => Some(DataModel::Ilp32),
                "LP64" => Some(DataModel::Lp64),
                _ => return self.refuse(&model, "a data model is ILP32 or LP64"),
            },
        };
        let configuration = metadata.producer.and_then(Producer::options);
        let files = input_file_hashes.into_iter().map(|(name, hash)| Hashed {
            name,
            hash: hash.value.0,
            span: span(hash.referenced, self.file),
        });
        let files = files.collect();
        let specification = specification.unwrap_or_default();
        let specification = specification.split_whitespace().collect::<Vec<_>>().join(" ");
        // In this format the functions are named by the places, and expressions are looked at where they stand.
        let (functions, variables) = (Vec::new(), Vec::new());
        Ok(Some(Witness {
            claim,
            files,
            specification,
            data_model,
            configuration,
            functions,
            variables,
            left_out: 0,
            contracts,
        }))
    }

    fn place(&self, location: &Spanned<Location>) -> Result<WitnessPlace, Diagnostic> {
        let Location { file_name, line, column, function } = &location.value;
        if *line == 0 {
            return self.refuse(location, "lines are counted from one");
        }
        let named = |name: &Spanned<String>| (name.value.clone(), span(name.referenced, self.file));
        let (file, function) = (file_name.as_ref().map(named), function.as_ref().map(named));
        let span = span(location.referenced, self.file);
        Ok(WitnessPlace { file, function, line: *line, column: *column, span, said: Vec::new() })
    }

    /// A place, with the expression that the witness says there.
    fn place_said(
        &self,
        location: &Spanned<Location>,
        value: Option<&Spanned<Scalar>>,
    ) -> Result<WitnessPlace, Diagnostic> {
        let place = self.place(location)?;
        let said = value.map(|value| {
            let Scalar(said) = &value.value;
            let start = span(value.referenced, self.file).start;
            let letters = said::yaml(self.text, start as usize);
            Said::of(self.file, said, letters)
                .unwrap_or_else(|| Said::without_letters(self.file, start))
        });
        Ok(WitnessPlace { said: said.into_iter().collect(), ..place })
    }

    fn invariants(&self, content: Vec<Spanned<Content>>) -> Result<Claim, Diagnostic> {
        let mut list = Vec::new();
        for item in content {
            let Some(written) = &item.value.invariant else {
                return self.refuse(&item, "of a proof only invariants are read");
            };
            let of_loop = match written.kind.value.as_str() {
                "loop_invariant" => true,
                "location_invariant" => false,
                _ => {
                    let message = "this is neither `loop_invariant` nor `location_invariant`";
                    return self.refuse(&written.kind, message);
                }
            };
            if let Some(format) =
                written.format.as_ref().filter(|format| format.value != "c_expression")
            {
                return self.refuse(format, "only expressions of C are read");
            }
            let Some(value) = &written.value else {
                return self.refuse(&written.kind, "this invariant has no `value`");
            };
            let expression = value.value.0.clone();
            let place = self.place_said(&written.location, Some(value))?;
            list.push(Invariant { place, of_loop, node: None, expression });
        }
        Ok(Claim::Proof(list))
    }

    fn violation(
        &self,
        entry: &Spanned<String>,
        content: Vec<Spanned<Content>>,
    ) -> Result<Claim, Diagnostic> {
        let mut automaton = Automaton::default();
        let mut is_ended = false;
        for item in &content {
            let Some(segment) = &item.value.segment else {
                return self.refuse(item, "of a violation only segments are read");
            };
            let Some((follow, avoided)) = segment.split_last() else {
                return self.refuse(item, "a segment has at least one waypoint");
            };
            if is_ended {
                return self.refuse(item, "nothing comes after the target");
            }
            for avoid in avoided {
                self.action(&avoid.value.waypoint, "avoid")?;
                self.step(&mut automaton, &avoid.value.waypoint, SINK)?;
            }
            let waypoint = &follow.value.waypoint;
            self.action(waypoint, "follow")?;
            if waypoint.kind.value == "target" {
                self.without_constraint(waypoint)?;
                automaton.targets.push(self.place(&waypoint.location)?);
                is_ended = true;
            } else {
                let next = automaton.last + 1;
                self.step(&mut automaton, waypoint, next)?;
                automaton.last = next;
            }
        }
        if !is_ended {
            return self.refuse(entry, "a violation ends with a target");
        }
        Ok(Claim::Violation(automaton))
    }

    fn action(&self, waypoint: &Waypoint, wanted: &str) -> Result<(), Diagnostic> {
        if waypoint.action.value == wanted {
            return Ok(());
        }
        let message = format!(
            "`{wanted}` expected: a segment has any number of waypoints to avoid, and then one to follow"
        );
        self.refuse(&waypoint.action, message)
    }

    /// Refuses a waypoint of a kind that has no constraint; the constraint `true` is accepted.
    fn without_constraint(&self, waypoint: &Waypoint) -> Result<(), Diagnostic> {
        match &waypoint.constraint {
            Some(constraint) if constraint.value.value.0 != "true" => {
                let message = format!("a {} has no constraint", waypoint.kind.value);
                self.refuse(&constraint.value, message)
            }
            _ => Ok(()),
        }
    }

    fn step(
        &self,
        automaton: &mut Automaton,
        waypoint: &Waypoint,
        to: u32,
    ) -> Result<(), Diagnostic> {
        let constraint = waypoint.constraint.as_ref();
        let said =
            || constraint.map_or("1".to_owned(), |constraint| constraint.value.value.0.clone());
        let event = match waypoint.kind.value.as_str() {
            "assumption" => Event::Before(said()),
            "function_return" => Event::Returned(None, said()),
            "function_enter" => {
                self.without_constraint(waypoint)?;
                Event::Call
            }
            "branching" => {
                let Some(constraint) = constraint else {
                    return self.refuse(&waypoint.kind, "a branching has a value");
                };
                let value = constraint.value.value.0.as_str();
                let outcome = match (value, value.parse()) {
                    ("true", _) => Outcome::Truth(true),
                    ("false", _) => Outcome::Truth(false),
                    ("default", _) => Outcome::Default,
                    (_, Ok(number)) => Outcome::Case(number),
                    _ => {
                        return self.refuse(
                            &constraint.value,
                            "this is neither a truth value nor a number nor `default`",
                        );
                    }
                };
                Event::Branch(outcome, None)
            }
            _ => {
                let message = "waypoints are assumption, branching, function_enter, function_return and target";
                return self.refuse(&waypoint.kind, message);
            }
        };
        let value = constraint.map(|constraint| &constraint.value);
        let place = self.place_said(&waypoint.location, value)?;
        automaton.steps.push(Step { from: automaton.last, to, place, event });
        Ok(())
    }
}
