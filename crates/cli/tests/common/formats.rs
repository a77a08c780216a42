//! Whether the files of a run are what their formats say.

use std::path::Path;
use std::sync::OnceLock;

use jsonschema::Validator;
use serde_json::Value;

use super::xml::{Element, must, parse};

/// A schema of this repository.
fn schema(path: &str) -> Validator {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    let text = std::fs::read_to_string(path).expect("the schema");
    // SARIF's pattern of languages has a bracket that closes nothing, which not all readers of patterns allow.
    let text = text.replace("[a-zA-Z]{2}]?$", "[a-zA-Z]{2}$");
    let schema: Value = serde_json::from_str(&text).expect("JSON");
    jsonschema::validator_for(&schema).expect("a schema")
}

fn valid(validator: &Validator, document: &Value) -> Result<(), String> {
    let errors: Vec<String> = validator
        .iter_errors(document)
        .take(5)
        .map(|error| format!("{} at {}", error, error.instance_path()))
        .collect();
    if errors.is_empty() { Ok(()) } else { Err(errors.join("\n")) }
}

/// Reads a result, which must be what its schema says.
///
/// # Errors
/// What is wrong with it.
pub fn result(text: &str) -> Result<Value, String> {
    static SCHEMA: OnceLock<Validator> = OnceLock::new();
    let document: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    valid(SCHEMA.get_or_init(|| schema("docs/schema/result.json")), &document)?;
    let line = document["result"].as_str().unwrap_or_default();
    must(text.trim_end().lines().last().unwrap_or_default().contains(line), "the last line")?;
    Ok(document)
}

/// Reads a log in SARIF, which must be what its schema says, and speak of rules and files that it has.
///
/// # Errors
/// What is wrong with it.
pub fn sarif(text: &str) -> Result<Value, String> {
    static SCHEMA: OnceLock<Validator> = OnceLock::new();
    let log: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    valid(SCHEMA.get_or_init(|| schema("tests/schemas/sarif-2.1.0.json")), &log)?;
    let run = &log["runs"][0];
    let none = Vec::new();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap_or(&none);
    let files = run["artifacts"].as_array().unwrap_or(&none);
    for result in list(&run["results"]) {
        let index = result["ruleIndex"].as_u64().and_then(|index| usize::try_from(index).ok());
        let rule = index.and_then(|index| rules.get(index)).ok_or("a rule is missing")?;
        must(rule["id"] == result["ruleId"], "the rule of a result")?;
        let flows = list(&result["codeFlows"]);
        let ways = flows.iter().flat_map(|flow| list(&flow["threadFlows"]));
        let steps = ways.flat_map(|way| list(&way["locations"]));
        let places = steps.map(|step| step["location"].clone());
        for place in places.chain(list(&result["locations"])) {
            let place = &place["physicalLocation"];
            let index = place["artifactLocation"]["index"].as_u64().ok_or("a file is missing")?;
            let file = usize::try_from(index).ok().and_then(|index| files.get(index));
            let file = file.ok_or("a file is missing")?;
            must(
                file["location"]["uri"] == place["artifactLocation"]["uri"],
                "the file of a place",
            )?;
        }
    }
    Ok(log)
}

/// Reads a report for JUnit: the elements and attributes that its readers know, with counts that are right.
///
/// # Errors
/// What is wrong with it.
pub fn junit(text: &str) -> Result<Element, String> {
    const TOP: [&str; 5] = ["name", "tests", "failures", "errors", "time"];
    let root = parse(text)?;
    is_like(&root, "testsuites", &TOP, &[])?;
    for suite in &root.children {
        is_like(suite, "testsuite", &TOP, &["skipped", "timestamp"])?;
        let cases: Vec<&Element> =
            suite.children.iter().filter(|child| child.name == "testcase").collect();
        let count = |name: &str| {
            let has = |case: &&&Element| case.children.iter().any(|child| child.name == name);
            cases.iter().filter(has).count()
        };
        let counts = [
            ("tests", cases.len()),
            ("failures", count("failure")),
            ("errors", count("error")),
            ("skipped", count("skipped")),
        ];
        for (name, count) in counts {
            must(suite.attributes[name] == count.to_string(), &format!("{count} {name}"))?;
        }
        must(!cases.is_empty(), "a test case")?;
        let mut names: Vec<(&String, &String)> = Vec::new();
        for case in cases {
            is_like(case, "testcase", &["classname", "name", "time"], &["file", "line"])?;
            let name = (&case.attributes["classname"], &case.attributes["name"]);
            must(!names.contains(&name), &format!("names tell cases apart: {name:?}"))?;
            names.push(name);
            must(case.children.len() <= 1, "one outcome")?;
            for outcome in &case.children {
                match &*outcome.name {
                    "skipped" => is_like(outcome, "skipped", &["message"], &[])?,
                    "failure" | "error" => {
                        is_like(outcome, &outcome.name, &["message", "type"], &[])?;
                    }
                    other => return Err(format!("<{other}> in a test case")),
                }
            }
        }
        let others = suite.children.iter().filter(|child| child.name != "testcase");
        for properties in others {
            is_like(properties, "properties", &[], &[])?;
            for property in &properties.children {
                is_like(property, "property", &["name", "value"], &[])?;
            }
        }
    }
    Ok(root)
}

fn is_like(element: &Element, name: &str, needs: &[&str], knows: &[&str]) -> Result<(), String> {
    must(element.name == name, &format!("{} instead of {name}", element.name))?;
    for need in needs {
        must(element.attributes.contains_key(*need), &format!("{need} of {name}"))?;
    }
    let is_known = |key: &&String| needs.contains(&&***key) || knows.contains(&&***key);
    match element.attributes.keys().find(|key| !is_known(key)) {
        Some(key) => Err(format!("{key} of {name}")),
        None => Ok(()),
    }
}

/// Reads a tracefile of lcov: records in their order, with counts that are right.
///
/// # Errors
/// What is wrong with it.
pub fn lcov(text: &str) -> Result<(), String> {
    let mut lines = text.lines();
    must(lines.next().is_some_and(|line| line.starts_with("TN:")), "the name of the test")?;
    let (mut found, mut hit, mut is_open) = ([0_usize; 2], [0_usize; 2], false);
    for line in lines {
        if line == "end_of_record" {
            must(is_open, "a record ends")?;
            (found, hit, is_open) = ([0; 2], [0; 2], false);
            continue;
        }
        let (key, rest) = line.split_once(':').ok_or(format!("a key: {line}"))?;
        let fields: Vec<&str> = rest.split(',').collect();
        let numbers = fields.iter().filter_map(|field| field.parse::<u64>().ok()).count();
        match (key, &fields[..]) {
            ("SF", _) => must(!std::mem::replace(&mut is_open, true), "a record begins")?,
            ("DA", [_, count]) if numbers == 2 => {
                found[0] += 1;
                hit[0] += usize::from(*count != "0");
            }
            ("BRDA", [.., count]) if numbers == 4 => {
                found[1] += 1;
                hit[1] += usize::from(*count != "0");
            }
            ("LF", [count]) => must(*count == found[0].to_string(), "lines found")?,
            ("LH", [count]) => must(*count == hit[0].to_string(), "lines hit")?,
            ("BRF", [count]) => must(*count == found[1].to_string(), "branches found")?,
            ("BRH", [count]) => must(*count == hit[1].to_string(), "branches hit")?,
            _ => return Err(format!("not a line of lcov: {line}")),
        }
        must(is_open, "a record is open")?;
    }
    must(!is_open, "the last record ends")
}

/// The tags of pages.
const TAGS: [&str; 49] = [
    "a", "aside", "body", "button", "canvas", "code", "dd", "details", "div", "dl", "dt", "footer",
    "h1", "h2", "h3", "head", "header", "html", "input", "label", "li", "main", "meta", "nav",
    "noscript", "ol", "option", "p", "pre", "script", "section", "select", "span", "style",
    "summary", "table", "tbody", "td", "th", "thead", "title", "tr", "ul", "h4", "caption", "em",
    "strong", "b", "i",
];

/// The tags of a page, without what is in its style and scripts.
fn tags(page: &str) -> Vec<&str> {
    let mut tags = Vec::new();
    let mut rest = page;
    while let Some((_, behind)) = rest.split_once('<') {
        let Some((tag, behind)) = behind.split_once('>') else { break };
        tags.push(tag);
        rest = behind;
        for name in ["script", "style"] {
            if tag.starts_with(name) {
                rest = rest.split_once(&format!("</{name}>")).map_or("", |(_, rest)| rest);
            }
        }
    }
    tags
}

/// Looks at a page: one document that asks nobody for anything, and in which the text of others is text.
///
/// # Errors
/// What is wrong with it.
pub fn html(text: &str) -> Result<(), String> {
    must(text.starts_with("<!doctype html>\n<html lang=\"en\">"), "a page")?;
    must(text.contains("default-src 'none'"), "nothing is loaded")?;
    for tag in tags(text) {
        let name = tag.trim_start_matches('/').split(|c: char| !c.is_ascii_alphanumeric()).next();
        let name = name.unwrap_or_default();
        let is_known =
            TAGS.contains(&name) || tag.starts_with("!doctype") || tag.starts_with("!--");
        must(is_known, &format!("a tag that pages have: <{tag}>"))?;
        for asking in [" src", " style=", " on"] {
            must(!tag.contains(asking), &format!("nothing is asked for or done: <{tag}>"))?;
        }
        if let Some((_, link)) = tag.split_once("href=\"") {
            must(link.starts_with('#'), "links stay in the page")?;
        }
    }
    for asking in ["url(", "@import"] {
        must(!text.contains(asking), &format!("nothing is asked for: {asking}"))?;
    }
    must(text.matches("<script").count() == 2, "one script and its data")?;
    let is_shown = |c: char| !c.is_control() || matches!(c, '\n' | '\t');
    must(text.chars().all(is_shown), "characters that are shown")
}

/// Looks at all files that a run has written to its folder, as far as they have a format here.
///
/// # Errors
/// What is wrong with one of them.
pub fn folder(folder: &Path) -> Result<(), String> {
    let read = |name: &str| {
        std::fs::read_to_string(folder.join(name)).map_err(|error| format!("{name}: {error}"))
    };
    let told = |name: &'static str| move |what: String| format!("{name}: {what}");
    result(&read("result.json")?).map_err(told("result.json"))?;
    sarif(&read("result.sarif")?).map_err(told("result.sarif"))?;
    junit(&read("junit.xml")?).map_err(told("junit.xml"))?;
    html(&read("report.html")?).map_err(told("report.html"))?;
    if let Ok(text) = read("coverage.info") {
        lcov(&text).map_err(told("coverage.info"))?;
    }
    Ok(())
}
