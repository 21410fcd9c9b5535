//! `cargo xtask matrix`: docs/feature-matrix.md against the tests of the last run.

use std::fmt::Write;
use std::fs;

use anyhow::{Context, Result, bail};

use crate::args::Args;
use crate::paths;
use crate::results::Results;

/// The help text.
pub const HELP: &str = "\
usage: cargo xtask matrix

Counts the rows of docs/feature-matrix.md by state, and fails if a row is missing
or malformed, if a row that is done or partly done names no test or one that did
not pass in the last `cargo xtask test`, or if a worked example has no test.
The head of that file says how a row is written.";

/// The checklists: letter, number of rows, name.
const LISTS: [(char, usize, &str); 7] = [
    ('P', 52, "perception"),
    ('A', 35, "awareness"),
    ('D', 95, "deciding"),
    ('E', 66, "execution"),
    ('C', 76, "commands"),
    ('G', 103, "action graph"),
    ('X', 24, "editor"),
];

/// How far a feature is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Done,
    Partly,
    NotYet,
}

/// Where tests come from.
const FAMILIES: [&str; 3] = ["core:", "godot:", "editor:"];

/// A row of the table.
#[derive(Debug, PartialEq, Eq)]
struct Row {
    id: String,
    state: State,
    tests: Vec<String>,
    missing: String,
}

/// What the file says.
#[derive(Debug, Default)]
struct Matrix {
    rows: Vec<Row>,
    /// Test names without a family: `ex_10_4`.
    examples: Vec<String>,
    faults: Vec<String>,
}

/// Runs the command.
pub fn command(args: Args) -> Result<()> {
    args.finish()?;
    let matrix = read()?;
    println!("{}", summary(&matrix));
    judge(&matrix, &Results::load()?)
}

/// The check of `cargo xtask test`.
pub fn check(results: &Results) -> Result<()> {
    judge(&read()?, results)
}

fn read() -> Result<Matrix> {
    let text =
        fs::read_to_string(paths::root().join("docs/feature-matrix.md")).context("docs/feature-matrix.md")?;
    Ok(parse(&text))
}

fn parse(text: &str) -> Matrix {
    let mut matrix = Matrix::default();
    for line in text.lines() {
        let Some(cells) = cells(line) else {
            continue;
        };
        match cells.first().and_then(|id| id.split_once('-')) {
            Some((letter, number)) if is_list(letter) && number.parse::<usize>().is_ok() => {
                match parse_row(&cells) {
                    Ok(row) => matrix.rows.push(row),
                    Err(fault) => matrix.faults.push(format!("{}: {fault}", cells[0])),
                }
            }
            _ => {}
        }
        if let [file, list] = &cells[..]
            && file.parse::<u32>().is_ok()
        {
            match expand(list) {
                Some(ids) => matrix.examples.extend(ids.iter().map(|id| format!("ex_{file}_{id}"))),
                None => matrix.faults.push(format!("worked examples of {file}: cannot read \"{list}\"")),
            }
        }
    }
    matrix
}

fn is_list(letter: &str) -> bool {
    LISTS.iter().any(|(list, _, _)| letter.chars().eq([*list]))
}

/// The cells of a table line. A bar inside a cell is written `\|`.
fn cells(line: &str) -> Option<Vec<String>> {
    let inner = line.trim().strip_prefix('|')?.strip_suffix('|')?;
    let inner = inner.replace("\\|", "\u{0}");
    Some(inner.split('|').map(|cell| cell.trim().replace('\u{0}', "|")).collect())
}

fn parse_row(cells: &[String]) -> Result<Row> {
    let [id, _, state, _, tests, missing] = cells else {
        bail!("a row has six cells, this has {}", cells.len());
    };
    let state = match state.as_str() {
        "done" => State::Done,
        "partly" => State::Partly,
        "not yet" => State::NotYet,
        other => bail!("the state is `done`, `partly` or `not yet`, not \"{other}\""),
    };
    let tests: Vec<String> = tests
        .split(',')
        .map(|test| test.trim().trim_matches('`').to_owned())
        .filter(|test| !test.is_empty())
        .collect();
    if state != State::NotYet && tests.is_empty() {
        bail!("no test is named");
    }
    let of_a_family = |test: &&String| FAMILIES.iter().any(|family| test.starts_with(family));
    if let Some(test) = tests.iter().find(|test| !of_a_family(test)) {
        bail!("a test is `core:NAME`, `godot:FILE::TEST` or `editor:FILE::TEST`, not \"{test}\"");
    }
    if (state == State::Partly) == missing.is_empty() {
        bail!("the last cell says what is missing in a row that is `partly`, and only there");
    }
    Ok(Row { id: id.clone(), state, tests, missing: missing.clone() })
}

/// `A1–A3, A7, 9` as `a1 a2 a3 a7 9`.
fn expand(list: &str) -> Option<Vec<String>> {
    let mut ids = Vec::new();
    for part in list.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let (first, last) = part.split_once(['–', '-']).unwrap_or((part, part));
        let (prefix, from) = split_number(first.trim())?;
        let (other, to) = split_number(last.trim())?;
        if !other.is_empty() && other != prefix {
            return None;
        }
        ids.extend((from..=to).map(|number| format!("{}{number}", prefix.to_lowercase())));
    }
    Some(ids)
}

fn split_number(id: &str) -> Option<(&str, u32)> {
    let at = id.find(|character: char| character.is_ascii_digit())?;
    Some((&id[..at], id[at..].parse().ok()?))
}

fn summary(matrix: &Matrix) -> String {
    let mut text = String::new();
    for (letter, total, name) in LISTS {
        let count = |state: State| {
            matrix.rows.iter().filter(|row| row.id.starts_with(letter) && row.state == state).count()
        };
        let (done, partly) = (count(State::Done), count(State::Partly));
        let rest = total.saturating_sub(done + partly);
        writeln!(text, "{letter}  {name:<13} {done:>3} done, {partly:>3} partly, {rest:>3} not yet").ok();
    }
    for row in matrix.rows.iter().filter(|row| row.state == State::Partly) {
        writeln!(text, "   {} lacks {}", row.id, row.missing).ok();
    }
    write!(text, "{} worked examples", matrix.examples.len()).ok();
    text
}

fn judge(matrix: &Matrix, results: &Results) -> Result<()> {
    let mut faults = matrix.faults.clone();
    for (letter, total, _) in LISTS {
        for number in 1..=total {
            let id = format!("{letter}-{number}");
            match matrix.rows.iter().filter(|row| row.id == id).count() {
                1 => {}
                // A malformed row has been told already.
                0 if matrix.faults.iter().any(|fault| fault.starts_with(&format!("{id}:"))) => {}
                0 => faults.push(format!("{id} has no row")),
                _ => faults.push(format!("{id} has more than one row")),
            }
        }
    }
    for row in matrix.rows.iter().filter(|row| row.state != State::NotYet) {
        for test in &row.tests {
            match results.passed(test) {
                Some(true) => {}
                Some(false) => faults.push(format!("{}: {test} failed", row.id)),
                None => faults.push(format!("{}: {test} did not run", row.id)),
            }
        }
    }
    for example in matrix.examples.iter().filter(|example| !proven(example, results)) {
        faults.push(format!("no test `{example}` or `test_{example}` passed"));
    }
    if !faults.is_empty() {
        bail!("{} faults:\n  {}", faults.len(), faults.join("\n  "));
    }
    Ok(())
}

/// A worked example is a Rust test or a GDScript test of its name.
fn proven(example: &str, results: &Results) -> bool {
    let core = results.passed(&format!("core:{example}"));
    let godot = results.passed(&format!("godot:test_{example}"));
    core.unwrap_or(godot.is_some()) && godot.unwrap_or(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "| id | what | state | class | test | missing |\n|---|---|---|---|---|---|\n";

    fn results() -> Results {
        let mut results = Results::default();
        results.add("core", "a::ex_10_1", true);
        results.add("core", "a::bad", false);
        results.add("godot", "test_a.gd::test_ex_10_2", true);
        results
    }

    fn faults_of(row: &str) -> String {
        let matrix = parse(&format!("{HEAD}{row}\n"));
        judge(&matrix, &results()).unwrap_err().to_string()
    }

    #[test]
    fn reads_rows() {
        let row = "| P-1 | sight a \\| b | partly | `Perception3D` | `core:ex_10_1`, godot:test_a.gd::test_ex_10_2 | no 2D |";
        let matrix = parse(&format!("{HEAD}{row}\n"));
        assert_eq!(matrix.faults, Vec::<String>::new());
        assert_eq!(matrix.rows[0].tests, ["core:ex_10_1", "godot:test_a.gd::test_ex_10_2"]);
        assert_eq!((matrix.rows[0].state, matrix.rows[0].missing.as_str()), (State::Partly, "no 2D"));
        assert!(!faults_of(row).contains("P-1 "));
        assert!(faults_of(row).contains("P-2 has no row"));
    }

    #[test]
    fn refuses_rows_without_proof() {
        assert!(faults_of("| P-1 | x | done | c | | |").contains("P-1: no test"));
        assert!(faults_of("| P-1 | x | done | c | core:none | |").contains("core:none did not run"));
        assert!(faults_of("| P-1 | x | done | c | core:bad | |").contains("core:bad failed"));
        assert!(faults_of("| P-1 | x | done | c | ex_10_1 | |").contains("core:NAME"));
        assert!(faults_of("| P-1 | x | finished | c | | |").contains("P-1: the state"));
        assert!(faults_of("| P-1 | x | partly | c | core:ex_10_1 | |").contains("what is missing"));
        assert!(faults_of("| P-1 | x | done | c | core:ex_10_1 |").contains("six cells"));
        assert!(
            faults_of("| P-1 | x | not yet | | | |\n| P-1 | x | not yet | | | |").contains("more than one")
        );
    }

    #[test]
    fn lists_worked_examples() {
        assert_eq!(expand("1–3, A2-A3, 9").unwrap(), ["1", "2", "3", "a2", "a3", "9"]);
        assert_eq!(expand("A1–B2"), None);
        let faults = faults_of("| 10 | 1–3 |");
        assert!(faults.contains("ex_10_3") && !faults.contains("ex_10_1") && !faults.contains("ex_10_2"));
    }
}
