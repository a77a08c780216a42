//! A reader of XML, as far as reports have it.

use std::collections::BTreeMap;

/// An element of XML.
#[derive(Debug, Default)]
pub struct Element {
    pub name: String,
    pub attributes: BTreeMap<String, String>,
    pub children: Vec<Element>,
    pub text: String,
}

pub fn must(holds: bool, what: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(format!("not as the format says: {what}")) }
}

/// The root of a text in XML.
pub fn parse(text: &str) -> Result<Element, String> {
    let mut rest = text.trim_start();
    if rest.starts_with("<?xml") {
        rest = rest.split_once("?>").ok_or("the declaration has no end")?.1;
    }
    let (root, mut behind) = element(rest.trim_start())?;
    while let Some(comment) = behind.trim_start().strip_prefix("<!--") {
        let (comment, rest) = comment.split_once("--").ok_or("a comment has no end")?;
        must(!comment.contains('<'), "a comment")?;
        behind = rest.strip_prefix('>').ok_or("a comment has two signs in it")?;
    }
    must(behind.trim().is_empty(), "one root")?;
    Ok(root)
}

fn element(text: &str) -> Result<(Element, &str), String> {
    let inside = text.strip_prefix('<').ok_or("an element is expected")?;
    let (tag, mut rest) = inside.split_once('>').ok_or("a tag has no end")?;
    let is_empty = tag.ends_with('/');
    let tag = tag.trim_end_matches('/').trim();
    let (name, mut attributes) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
    let mut found = Element { name: name.to_owned(), ..Element::default() };
    must(!name.is_empty() && !name.contains(['<', '"']), "the name of an element")?;
    while !attributes.trim().is_empty() {
        let (name, behind) = attributes.split_once("=\"").ok_or("an attribute")?;
        let (value, behind) = behind.split_once('"').ok_or("a value has no end")?;
        let old = found.attributes.insert(name.trim().to_owned(), unescaped(value)?);
        must(old.is_none(), "attributes are given once")?;
        attributes = behind;
    }
    if is_empty {
        return Ok((found, rest));
    }
    loop {
        let (text, behind) = rest.split_at(rest.find('<').ok_or("an element has no end")?);
        found.text.push_str(&unescaped(text)?);
        if let Some(end) = behind.strip_prefix("</") {
            let (name, behind) = end.split_once('>').ok_or("a tag has no end")?;
            must(name == found.name, &format!("</{name}> ends {}", found.name))?;
            return Ok((found, behind));
        }
        let (child, behind) = element(behind)?;
        found.children.push(child);
        rest = behind;
    }
}

fn unescaped(text: &str) -> Result<String, String> {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('&') {
        plain.push_str(before);
        let (name, behind) = behind.split_once(';').ok_or("an entity has no end")?;
        plain.push(match name {
            "lt" => '<',
            "gt" => '>',
            "amp" => '&',
            "quot" => '"',
            "apos" => '\'',
            "#10" => '\n',
            "#9" => '\t',
            other => return Err(format!("&{other}; is unknown")),
        });
        rest = behind;
    }
    plain.push_str(rest);
    must(!text.contains('<'), "a sign that begins a tag")?;
    must(!text.contains("]]>"), "the end of a section")?;
    let is_known = |c: char| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}');
    must(text.chars().all(|c| is_known(c) || matches!(c, '\n' | '\t' | '\r')), "characters")?;
    Ok(plain)
}
