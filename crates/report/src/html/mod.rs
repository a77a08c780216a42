//! The result of a run as a page for a browser: one file, which loads nothing else.
//!
//! What is to be read is written as HTML, so that it is there without scripts, too. Scripts step through
//! executions and draw the automaton and the graph, from data that the page carries.

mod data;
mod details;
mod proviso;
mod source;
mod text;

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use crate::result::document::{Document, Graph};
use crate::source::file_name;
use text::text;

const STYLE: &str = include_str!("report.css");

/// The scripts, which are joined to a single script for the browser.
const SCRIPTS: [&str; 7] = [
    include_str!("layout.js"),
    include_str!("drawing.js"),
    include_str!("automaton.js"),
    include_str!("graph.js"),
    include_str!("lines.js"),
    include_str!("steps.js"),
    include_str!("report.js"),
];

/// The page of a document.
#[must_use]
pub fn html(document: &Document) -> String {
    let title = format!("{}: {}", document.proviso.verdict, document.proviso.files.join(" "));
    let made = format!("Made by {} {}.", document.tool.name, document.tool.version);
    let last = text(&document.result).replace("--", "- -");
    let page = page(&title, &header(document), &sections(document), &data::of(document), &made);
    format!("{page}<!-- {last} -->\n")
}

/// The page of a graph alone.
pub(crate) fn of_graph(graph: &Graph) -> String {
    let title = "Abstract reachability graph";
    let header = format!("<header>\n<h1>{title}</h1>\n</header>\n");
    let body = drawing(true, "graph", GRAPH);
    let sections = [Section { id: "graph", title: "Abstract states", body }];
    page(title, &header, &sections, &data::of_graph(graph), "Made by Proviso.")
}

/// A page with a title, a header, parts, the data of its script, and a last word.
fn page(title: &str, header: &str, sections: &[Section], data: &str, made: &str) -> String {
    let script = format!("(() => {{\n\"use strict\";\n{}}})();\n", SCRIPTS.concat());
    // The browser runs no other script than this one, and loads nothing, whatever the program's text says.
    let policy = format!(
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        base64(&Sha256::digest(script.as_bytes()))
    );
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n<style>\n{STYLE}</style>\n\
         </head>\n<body>\n<a class=\"skip\" href=\"#main\">Skip to the report</a>\n{header}\
         <nav aria-label=\"Parts of the report\"><ul id=\"tabs\">\n",
        text(title)
    );
    for Section { id, title, .. } in sections {
        let _ = writeln!(page, "<li><a href=\"#{id}\" id=\"tab-{id}\">{title}</a></li>");
    }
    page.push_str("</ul></nav>\n<main id=\"main\">\n");
    for Section { id, title, body } in sections {
        let _ = writeln!(
            page,
            "<section id=\"{id}\" aria-labelledby=\"title-{id}\">\n<h2 id=\"title-{id}\">{title}</h2>\n{body}</section>"
        );
    }
    let _ = write!(
        page,
        "</main>\n<footer><p>{}</p></footer>\n<script type=\"application/json\" id=\"data\">{data}</script>\n\
         <script>{script}</script>\n</body>\n</html>\n",
        text(made),
    );
    page
}

/// A part of the page, which has a tab.
struct Section {
    id: &'static str,
    title: &'static str,
    body: String,
}

/// The parts of the page that are not empty.
fn sections(document: &Document) -> Vec<Section> {
    let mut sections = Vec::new();
    let mut add = |id, title, body: String| {
        if !body.is_empty() {
            sections.push(Section { id, title, body });
        }
    };
    add("summary", "Summary", details::summary(document));
    add("source", "Source", source::section(document));
    add("proviso", "Proviso", proviso::section(&document.proviso));
    add("automaton", "Automaton", drawing(document.model.is_some(), "automaton", AUTOMATON));
    add("graph", "Abstract states", drawing(document.graph.is_some(), "graph", GRAPH));
    add("details", "Details", details::section(document));
    sections
}

/// The header of the page: the verdict, in words.
fn header(document: &Document) -> String {
    let verdict = &document.proviso.verdict;
    let (class, words) = match &**verdict {
        "TRUE" => ("true", "No execution violates the property."),
        "FALSE" => ("false", "An execution violates the property."),
        "RUNNING" => ("unknown", "The run goes on."),
        _ => ("unknown", "It is not known whether an execution violates the property."),
    };
    let property = match document.property.is_empty() {
        true => String::new(),
        false => format!(" <span class=\"property\">{}</span>", text(&document.property)),
    };
    format!(
        "<header>\n<h1><span class=\"verdict {class}\">{}</span> <span class=\"files\">{}</span>{property}</h1>\n\
         <p class=\"words\">{words}{}</p>\n</header>\n",
        text(verdict),
        document.proviso.files.iter().map(|file| named(file)).collect::<Vec<_>>().join(" "),
        details::assumed(document),
    )
}

/// The name of a file; its folders are in the tooltip.
fn named(file: &str) -> String {
    format!("<span title=\"{}\">{}</span>", text(file), text(file_name(file)))
}

/// What is said above the drawing of the automaton.
const AUTOMATON: &str = "Each box is a stretch of steps without a branch; loops can be collapsed and expanded. A call \
                         leads to the automaton of the function that is called.";

/// What is said above the drawing of the graph.
const GRAPH: &str = "Each box is one abstract state, or in a large graph several that follow each other without a \
                     branch, until all is expanded. Calls and loops can be collapsed and expanded; dashed \
                     lines lead to the state that covers another one.";

/// The frame of a drawing, which a script fills.
fn drawing(is_there: bool, id: &str, words: &str) -> String {
    if !is_there {
        return String::new();
    }
    format!(
        "<p class=\"hint\">{words}</p>\n<noscript><p>The drawing needs a script.</p></noscript>\n\
         <div class=\"drawing\" id=\"draw-{id}\" hidden>\n\
         <div class=\"tools\" role=\"toolbar\" aria-label=\"Drawing\">\
         <label class=\"pick\">Function <select></select></label>\
         <label>Search <input type=\"search\" autocomplete=\"off\" spellcheck=\"false\"></label>\
         <button type=\"button\" data-do=\"next\">Next match</button>\
         <button type=\"button\" data-do=\"in\" aria-label=\"Enlarge\">+</button>\
         <button type=\"button\" data-do=\"out\" aria-label=\"Reduce\">−</button>\
         <button type=\"button\" data-do=\"fit\">Whole</button>\
         <button type=\"button\" data-do=\"expand\">Expand all</button>\
         <button type=\"button\" data-do=\"collapse\">Collapse all</button>\
         <span class=\"told\" role=\"status\"></span></div>\n\
         <div class=\"split\"><canvas tabindex=\"0\" role=\"application\" aria-roledescription=\"drawing\" \
         aria-label=\"Drawing; arrows go from box to box, plus and minus enlarge and reduce, Enter expands or \
         collapses\"></canvas>\n\
         <aside class=\"chosen\" aria-live=\"polite\" aria-label=\"The chosen box\"><p class=\"hint\">Choose a box to \
         read all of it. Drag or Shift with arrows: move. Wheel or two fingers, + and −: enlarge and \
         reduce. Arrows: from box to box. Enter: expand or collapse.</p></aside></div>\n</div>\n"
    )
}

/// Bytes in base 64, as policies name the hashes of scripts.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut encoded = String::new();
    for chunk in bytes.chunks(3) {
        let group = chunk.iter().fold(0_u32, |group, byte| group << 8 | u32::from(*byte));
        let group = group << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let digit = DIGITS[(group >> (18 - 6 * place) & 63) as usize];
            encoded.push(if place <= chunk.len() { char::from(digit) } else { '=' });
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_in_base_64() {
        let known =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")];
        for (bytes, encoded) in known {
            assert_eq!(base64(bytes.as_bytes()), encoded);
        }
    }
}
