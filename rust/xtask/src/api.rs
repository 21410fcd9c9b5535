//! `cargo xtask api`: the classes as the engine sees them, written to docs/api, and with their help to docs/reference.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, bail};

use crate::args::Args;
use crate::engine::{self, Engine};
use crate::library::{self, Build};
use crate::{godot, paths, reference};

/// The help text.
pub const HELP: &str = "\
usage: cargo xtask api

Writes what the engine knows of our classes (names, types, defaults, no prose) to
docs/api, one XML file per class, with the version of the engine that wrote it,
and the same with the texts of the class help to docs/reference, as pages.
`cargo xtask test` fails when they differ, so a change of what users see shows up
in review; it compares only on the engine version of the files.";

/// Holds the version of the engine that wrote the files.
const VERSION_FILE: &str = "engine-version.txt";

/// File names and texts.
pub type Snapshot = BTreeMap<String, String>;

/// The classes of the debug library.
pub struct Classes {
    /// What the engine wrote about them.
    pub known: Snapshot,
    /// Their pages for people.
    pages: Snapshot,
}

fn dir() -> PathBuf {
    paths::root().join("docs/api")
}

/// Runs the command.
pub fn command(args: Args) -> Result<()> {
    args.finish()?;
    let engine = engine::ensure()?;
    library::ensure(Build::Debug)?;
    let Classes { known: snapshot, pages } = make(&engine)?;
    let dir = dir();
    fs::create_dir_all(&dir)?;
    for name in read()?.into_keys().filter(|name| !snapshot.contains_key(name)) {
        fs::remove_file(dir.join(name))?;
    }
    for (name, text) in &snapshot {
        fs::write(dir.join(name), text)?;
    }
    fs::write(dir.join(VERSION_FILE), format!("{}\n", release(&engine.version)))?;
    println!("{} classes in {}", snapshot.len(), library::shorten(&dir));
    reference::write(&pages)
}

/// Compares docs/api and docs/reference with the classes; the reason if that can't be done with this engine.
pub fn check(engine: &Engine, classes: &Classes) -> Result<Option<String>> {
    let made_with = fs::read_to_string(dir().join(VERSION_FILE)).unwrap_or_default();
    if made_with.is_empty() {
        bail!("docs/api is missing; run `cargo xtask api`");
    }
    if made_with.trim() != release(&engine.version) {
        let here = release(&engine.version);
        return Ok(Some(format!("docs/api was made with Godot {}, this is {here}", made_with.trim())));
    }
    let differences = differences(&read()?, &classes.known);
    if !differences.is_empty() {
        bail!(
            "differs from docs/api (run `cargo xtask api` and look at the diff): {}",
            differences.join(", ")
        );
    }
    reference::check(&classes.pages)?;
    Ok(None)
}

/// `4.6.3` of `4.6.3.stable.debian4.6.3+ds-2`.
fn release(version: &str) -> String {
    let numbers = version.split('.').take_while(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
    numbers.collect::<Vec<_>>().join(".")
}

fn read() -> Result<Snapshot> {
    xml_files(&dir())
}

fn xml_files(dir: &PathBuf) -> Result<Snapshot> {
    let mut snapshot = Snapshot::new();
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.ends_with(".xml") {
            snapshot.insert(name, fs::read_to_string(&path)?);
        }
    }
    Ok(snapshot)
}

/// What the engine and the help say about the debug library's classes.
pub fn make(engine: &Engine) -> Result<Classes> {
    let project = godot::copy_project("tests/godot", Build::Debug, true)?;
    godot::import(engine, &project)?;
    let known = known(engine, &project)?;
    let pages = reference::make(&known, &help(engine, &project)?)?;
    Ok(Classes { known, pages })
}

/// An empty folder for what the engine writes.
fn empty_folder(name: &str) -> Result<PathBuf> {
    let folder = paths::work().join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// The help of each class as XML.
fn help(engine: &Engine, project: &Path) -> Result<Vec<String>> {
    let out = empty_folder("help")?;
    let script = "res://support/write_help.gd".to_owned();
    let arguments = ["--script".to_owned(), script, "--".to_owned(), out.display().to_string()];
    let run = godot::run(engine.command(), project, &arguments, Duration::from_secs(60), |_| {})?;
    godot::save_log("help", &run.log)?;
    if let Some(fault) = run.fault {
        bail!("the engine {fault} while writing the help");
    }
    Ok(xml_files(&out)?.into_values().collect())
}

/// What the engine writes about the classes, by file name.
fn known(engine: &Engine, project: &Path) -> Result<Snapshot> {
    let out = empty_folder("api")?;
    let arguments = ["--doctool".to_owned(), out.display().to_string(), "--gdextension-docs".to_owned()];
    let run = godot::run(engine.command(), project, &arguments, Duration::from_secs(120), |_| {})?;
    godot::save_log("api", &run.log)?;
    if let Some(fault) = run.fault {
        bail!("the engine {fault} while writing the classes");
    }
    let written = xml_files(&out.join("doc_classes"))?;
    let snapshot: Snapshot =
        written.into_iter().map(|(name, text)| (name, with_sorted_constants(&text))).collect();
    if snapshot.is_empty() {
        bail!("the engine wrote no classes");
    }
    Ok(snapshot)
}

/// Constants that stand in several blocks of a class are registered in the order of the linker, which may be another one
/// in every build.
fn with_sorted_constants(text: &str) -> String {
    const ENDS: (&str, &str) = ("\t<constants>\n", "\t</constants>\n");
    let parts = text.split_once(ENDS.0).and_then(|(before, rest)| Some((before, rest.split_once(ENDS.1)?)));
    let Some((before, (constants, after))) = parts else { return text.to_owned() };
    let mut constants: Vec<&str> = constants.split_inclusive("</constant>\n").collect();
    constants.sort_unstable();
    format!("{before}{}{}{}{after}", ENDS.0, constants.concat(), ENDS.1)
}

/// The class that a file describes.
pub fn class(file: &str) -> String {
    file.trim_end_matches(".xml").to_owned()
}

fn differences(kept: &Snapshot, made: &Snapshot) -> Vec<String> {
    let mut found = Vec::new();
    for (name, text) in made {
        match kept.get(name) {
            None => found.push(format!("{} is new", class(name))),
            Some(before) if before.replace("\r\n", "\n") != *text => {
                found.push(format!("{} changed", class(name)))
            }
            Some(_) => {}
        }
    }
    found.extend(
        kept.keys().filter(|name| !made.contains_key(*name)).map(|name| format!("{} is gone", class(name))),
    );
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_the_release_of_a_version() {
        assert_eq!(release("4.6.3.stable.debian4.6.3+ds-2"), "4.6.3");
        assert_eq!(release("4.5.stable.official.876b29033"), "4.5");
    }

    #[test]
    fn constants_are_sorted() {
        let file = |constants: &str| format!("<class>\n\t<constants>\n{constants}\t</constants>\n</class>\n");
        let (a, b) =
            ("\t\t<constant name=\"A\">\n\t\t</constant>\n", "\t\t<constant name=\"B\">\n\t\t</constant>\n");
        assert_eq!(with_sorted_constants(&file(&[b, a].concat())), file(&[a, b].concat()));
        assert_eq!(with_sorted_constants("<class>\n</class>\n"), "<class>\n</class>\n");
    }

    #[test]
    fn tells_what_differs() {
        let snapshot = |pairs: &[(&str, &str)]| -> Snapshot {
            pairs.iter().map(|(name, text)| (format!("{name}.xml"), (*text).to_owned())).collect()
        };
        let kept = snapshot(&[("A", "1"), ("B", "1"), ("C", "1\r\n")]);
        let made = snapshot(&[("A", "2"), ("C", "1\n"), ("D", "1")]);
        assert_eq!(differences(&kept, &made), ["A changed", "D is new", "B is gone"]);
    }
}
