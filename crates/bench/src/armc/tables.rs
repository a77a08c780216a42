//! Tables 6.1 and 6.2 of Rybalchenko's thesis, measured again, beside the thesis' figures.

use std::fmt;

use verify::backward::Figures;
use verify::{Unknown, Verdict};

use super::{Cell, Model, PRINTED, Tables, Thesis};

/// What stands for a run without an answer.
fn open(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Unknown(Unknown::Exhausted(_)) => "↑",
        _ => "?",
    }
}

impl Cell {
    /// R, I, P and G, if there is an answer.
    fn letters(&self) -> Option<[u32; 4]> {
        let Figures { refinements, steps, used, generated, .. } = self.figures;
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        self.is_answered().then(|| [refinements, steps, count(used), count(generated)])
    }
}

fn written(letters: Option<[u32; 4]>, open: &str) -> String {
    letters.map_or_else(|| open.to_owned(), |[r, i, p, g]| format!("{r}/{i} {p}/{g}"))
}

/// Why figures are not the thesis', by a letter of the list below the tables.
fn remark(model: &Model, cells: &[Cell; 3], thesis: &Thesis) -> String {
    let size = (cells[0].figures.commands, cells[0].figures.variables);
    let same = |part: std::ops::Range<usize>| {
        let theirs = thesis.figures.iter().zip(cells);
        theirs.filter(|(_, cell)| cell.is_answered()).all(|(theirs, cell)| {
            theirs.zip(cell.letters()).is_some_and(|(a, b)| a[part.clone()] == b[part.clone()])
        })
    };
    let ends = thesis
        .figures
        .iter()
        .zip(cells)
        .all(|(theirs, cell)| theirs.is_some() == cell.is_answered());
    let is_open = |cell: &Cell| matches!(cell.verdict, Verdict::Unknown(Unknown::Exhausted(_)));
    let others = thesis.figures.iter().zip(cells).any(|(theirs, cell)| match theirs {
        Some(_) => is_open(cell),
        None => cell.is_answered(),
    });
    let printed = PRINTED.contains(&model.name);
    if ends && same(0..4) && size == thesis.size {
        return "as in the thesis".to_owned();
    }
    if !cells.iter().any(Cell::is_answered) && printed {
        return "no answer".to_owned();
    }
    let reasons = [
        ("a", !printed),
        ("b", printed && !same(2..4)),
        ("c", printed && size != thesis.size),
        ("d", printed && !same(0..2)),
        ("e", !printed && others),
    ];
    let letters: Vec<&str> =
        reasons.iter().filter(|(_, holds)| *holds).map(|(letter, _)| *letter).collect();
    letters.join(", ")
}

const REMARKS: &str = "\
a  The thesis does not print this model; ours is written from the algorithm or protocol, with other commands and
   predicates. What is to be compared is which abstraction ends, and the order of magnitude.
b  The model is the thesis'. Predicates have one normal form here, so that several ways of writing an inequality
   (K =< N-1, K+1 =< N) count once, and P counts those in states of the last fixpoint.
c  The thesis counts a command more than the model that it prints has (rule 4 is not there).
d  Figure 3.3 to the letter takes the predicates of the unsafe states before the first fixpoint and does not count the
   refinement that shows an error to be real, so that R is smaller by one where these decide; fixpoints go on when
   they have reached the start.
e  Which abstraction ends is not as in the thesis. The model is ours, so that it cannot be told whether that comes from
   the model or from the program.
";

impl fmt::Display for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.letter {
            writeln!(f, "Figure 3.3 to the letter (--profile method1)")?;
        }
        writeln!(
            f,
            "Table 6.1: C clauses, V variables, R refinements, I steps of the last fixpoint, P predicates in"
        )?;
        writeln!(
            f,
            "it, G generated; ↑ refinements do not end, ? no answer within the time; below each row that of the thesis"
        )?;
        writeln!(
            f,
            "{:12}{:>7}  {:>18}{:>18}{:>18}   differences",
            "program", "C/V", "alpha1 R/I P/G", "alpha2 R/I P/G", "alpha3 R/I P/G"
        )?;
        for (model, cells) in &self.rows {
            let size = cells[0].figures;
            let size = format!("{}/{}", size.commands, size.variables);
            write!(f, "{:12}{size:>7}  ", model.name)?;
            for cell in cells {
                write!(f, "{:>18}", written(cell.letters(), open(&cell.verdict)))?;
            }
            let thesis = Thesis::of(model.name);
            let remark = thesis.map_or_else(String::new, |thesis| remark(model, cells, thesis));
            writeln!(f, "   {remark}")?;
            if let Some(thesis) = thesis {
                let size = format!("{}/{}", thesis.size.0, thesis.size.1);
                write!(f, "{:12}{size:>7}  ", "  thesis")?;
                for figures in thesis.figures {
                    write!(f, "{:>18}", written(figures, "↑"))?;
                }
                writeln!(f)?;
            }
        }
        write!(f, "\n{REMARKS}")?;
        self.times(f)?;
        let count = |index: usize| {
            let right = |(model, cells): &&(Model, [Cell; 3])| {
                let verdict = &cells[index].verdict;
                cells[index].is_answered()
                    && matches!(verdict, Verdict::Unsafe(_)) == model.is_unsafe
            };
            format!("{}/{}", self.rows.iter().filter(right).count(), self.rows.len())
        };
        writeln!(f, "\narmc: alpha1 {} alpha2 {} alpha3 {}", count(0), count(1), count(2))
    }
}

impl Tables {
    fn times(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "\nTable 6.2: time in seconds; on the right that of the thesis (AMD Duron 1 GHz, SICStus Prolog 3.8.7)"
        )?;
        writeln!(
            f,
            "{:12}{:>10}{:>10}{:>10}   {:>14}{:>14}{:>14}{:>10}",
            "program", "alpha1", "alpha2", "alpha3", "alpha1", "alpha2", "alpha3", "DMC"
        )?;
        for (model, cells) in &self.rows {
            write!(f, "{:12}", model.name)?;
            for cell in cells {
                let text = if cell.is_answered() {
                    format!("{:.3}", cell.time.as_secs_f64())
                } else {
                    open(&cell.verdict).to_owned()
                };
                write!(f, "{text:>10}")?;
            }
            if let Some(thesis) = Thesis::of(model.name) {
                let [one, two, three, other] = thesis.seconds;
                write!(f, "   {one:>14}{two:>14}{three:>14}{other:>10}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
