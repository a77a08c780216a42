//! A report as data, and its two forms.

use std::fmt::Write as _;

use base::markup;

use crate::markdown::{cell, line};

/// A report.
#[derive(Clone, Debug, Default)]
pub(super) struct Document {
    pub title: String,
    /// What was measured, in sentences.
    pub lead: Vec<String>,
    pub sections: Vec<Section>,
}

/// A part of a report.
#[derive(Clone, Debug, Default)]
pub(super) struct Section {
    pub title: String,
    /// What a reader has to know before.
    pub text: String,
    /// A list.
    pub items: Vec<String>,
    pub table: Option<Table>,
    /// Pictures as SVG, by the names of their files without the ending.
    pub pictures: Vec<(String, String)>,
    /// Whether the section says that something is wrong.
    pub alarming: bool,
    /// Whether the section is too long for anything but the page, which can be searched.
    pub page_only: bool,
}

/// A table: its first columns are words, the other columns are numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    pub head: Vec<String>,
    /// How many columns are words.
    pub words: usize,
    pub rows: Vec<Vec<Cell>>,
}

/// A cell of a table.
#[derive(Clone, Debug, Default)]
pub(super) struct Cell {
    pub text: String,
    pub tone: Tone,
}

/// How a cell looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Tone {
    #[default]
    Plain,
    Good,
    Bad,
    Pale,
}

impl<T: ToString> From<T> for Cell {
    fn from(text: T) -> Self {
        Self { text: text.to_string(), tone: Tone::Plain }
    }
}

impl Document {
    pub fn markdown(&self) -> String {
        let mut text = format!("# {}\n\n{}\n", self.title, self.lead.join(" "));
        for section in self.sections.iter().filter(|section| !section.page_only) {
            let _ = write!(text, "\n## {}\n", section.title);
            if !section.text.is_empty() {
                let _ = write!(text, "\n{}\n", line(&section.text));
            }
            if !section.items.is_empty() {
                text.push('\n');
            }
            for item in &section.items {
                let _ = writeln!(text, "- {}", line(item));
            }
            if let Some(table) = &section.table {
                text.push('\n');
                table.markdown(&mut text);
            }
            for (name, _) in &section.pictures {
                let _ = write!(text, "\n![{}]({name}.svg)\n", section.title);
            }
        }
        text
    }

    pub fn html(&self) -> String {
        let mut text = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{0}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{0}</h1>\n<p>{1}</p>\n<nav>",
            markup(&self.title),
            markup(&self.lead.join(" "))
        );
        for (index, section) in self.sections.iter().enumerate() {
            let _ = write!(text, "<a href=\"#s{index}\">{}</a> ", markup(&section.title));
        }
        text += "</nav>\n";
        for (index, section) in self.sections.iter().enumerate() {
            let class = if section.alarming { " class=\"alarm\"" } else { "" };
            let _ = writeln!(
                text,
                "<section id=\"s{index}\"{class}>\n<h2>{}</h2>",
                markup(&section.title)
            );
            if !section.text.is_empty() {
                let _ = writeln!(text, "<p>{}</p>", markup(&section.text));
            }
            if !section.items.is_empty() {
                text += "<ul>\n";
                for item in &section.items {
                    let _ = writeln!(text, "<li>{}</li>", markup(item));
                }
                text += "</ul>\n";
            }
            if let Some(table) = &section.table {
                if section.page_only {
                    text += FILTER;
                }
                table.html(&mut text);
            }
            for (_, svg) in &section.pictures {
                let _ = writeln!(text, "<figure>{svg}</figure>");
            }
            text += "</section>\n";
        }
        text + "<script>" + SCRIPT + "</script>\n</body>\n</html>\n"
    }

    /// The pictures by the names of their files.
    pub fn pictures(&self) -> Vec<(String, String)> {
        let pictures = self.sections.iter().flat_map(|section| &section.pictures);
        pictures.map(|(name, svg)| (format!("{name}.svg"), svg.clone())).collect()
    }
}

impl Table {
    fn markdown(&self, text: &mut String) {
        let row_of = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        *text += &row_of(self.head.iter().map(|name| cell(name)).collect());
        let rule = |index| if index < self.words { "---" } else { "---:" }.to_owned();
        *text += &row_of((0..self.head.len()).map(rule).collect());
        for row in &self.rows {
            *text += &row_of(row.iter().map(|it| cell(&it.text)).collect());
        }
    }

    fn html(&self, text: &mut String) {
        *text += "<div class=\"wide\"><table>\n<thead><tr>";
        for name in &self.head {
            let _ = write!(text, "<th>{}</th>", markup(name));
        }
        *text += "</tr></thead>\n<tbody>\n";
        for row in &self.rows {
            *text += "<tr>";
            for (index, cell) in row.iter().enumerate() {
                let mut classes = Vec::new();
                if index >= self.words {
                    classes.push("n");
                }
                match cell.tone {
                    Tone::Plain => {}
                    Tone::Good => classes.push("good"),
                    Tone::Bad => classes.push("bad"),
                    Tone::Pale => classes.push("pale"),
                }
                let class = match classes.is_empty() {
                    true => String::new(),
                    false => format!(" class=\"{}\"", classes.join(" ")),
                };
                let _ = write!(text, "<td{class}>{}</td>", markup(&cell.text));
            }
            *text += "</tr>\n";
        }
        *text += "</tbody></table></div>\n";
    }
}

const STYLE: &str = "
:root{color-scheme:light}
body{font:15px/1.45 Helvetica,Arial,sans-serif;color:#222;background:#fff;margin:1.5rem auto;max-width:76rem;padding:0 1rem}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}
nav a{margin-right:.8rem}a{color:#0060a0}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-size:.87rem}
th,td{padding:.25rem .6rem;border-bottom:1px solid #e4e4e4;text-align:left;vertical-align:top}
thead th{background:#f4f4f4;position:sticky;top:0;cursor:pointer}
td.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.good{background:#dcf0dc}.bad{background:#f6c9c0}.pale{color:#777}
.alarm h2{color:#b02a10}
figure{margin:1rem 0;overflow-x:auto}
";

const FILTER: &str = "<p><label>Show rows with <input type=\"search\" id=\"filter\" \
                      placeholder=\"part of a name or an answer\"></label></p>\n";

/// Rows are sorted by a click on the head of a column, and filtered by a text.
const SCRIPT: &str = "
for(const th of document.querySelectorAll('thead th'))th.onclick=()=>{
 const b=th.closest('table').tBodies[0],i=[...th.parentNode.children].indexOf(th),s=th.dataset.up=th.dataset.up==='1'?'0':'1';
 const v=r=>r.cells[i]?r.cells[i].textContent:'',n=t=>parseFloat(t.replace(/[^0-9.-]+/,''));
 b.append(...[...b.rows].sort((x,y)=>{const a=v(x),c=v(y),p=n(a),q=n(c);
  const d=isNaN(p)||isNaN(q)?a.localeCompare(c):p-q;return s==='1'?d:-d}));};
const f=document.getElementById('filter');
if(f)f.oninput=()=>{for(const r of f.closest('section').querySelectorAll('tbody tr'))
 r.hidden=!r.textContent.toLowerCase().includes(f.value.toLowerCase())};
";
