//! The class reference in Markdown, made of what the engine knows of the classes and of their help.

mod class;
mod markup;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

use anyhow::{Context, Result, bail};

use crate::api::Snapshot;
use crate::{library, paths};
use class::{Class, Entry};
use markup::Markup;

const INDEX: &str = "README.md";

/// The pages by file name. `help`: an XML text for each class.
pub fn make(classes: &Snapshot, help: &[String]) -> Result<Snapshot> {
    let help: BTreeMap<&str, &str> =
        help.iter().filter_map(|text| Some((name_in(text)?, text.as_str()))).collect();
    let mut read = Vec::new();
    for (file, known) in classes {
        let name = crate::api::class(file);
        let help = help.get(name.as_str()).with_context(|| format!("{name} has no help"))?;
        read.push(Class::read(known, help).with_context(|| name.clone())?);
    }
    let names: BTreeSet<String> = read.iter().map(|class| class.name.clone()).collect();
    let markup = Markup { classes: &names };
    let mut pages: Snapshot =
        read.iter().map(|class| (format!("{}.md", class.name), page(class, &read, &markup))).collect();
    pages.insert(INDEX.to_owned(), index(&read, &markup));
    Ok(pages)
}

/// Writes the pages to docs/reference, and takes away those of classes that are gone.
pub fn write(pages: &Snapshot) -> Result<()> {
    let dir = dir();
    fs::create_dir_all(&dir)?;
    for name in kept()?.into_keys().filter(|name| !pages.contains_key(name)) {
        fs::remove_file(dir.join(name))?;
    }
    for (name, text) in pages {
        fs::write(dir.join(name), text)?;
    }
    println!("{} pages in {}", pages.len(), library::shorten(&dir));
    Ok(())
}

/// Fails if docs/reference holds something else.
pub fn check(pages: &Snapshot) -> Result<()> {
    let kept = kept()?;
    let mut differing: Vec<&str> = Vec::new();
    for name in kept.keys().chain(pages.keys()) {
        let kept = kept.get(name).map(|text| text.replace("\r\n", "\n"));
        if kept.as_deref() != pages.get(name).map(String::as_str) && !differing.contains(&name.as_str()) {
            differing.push(name);
        }
    }
    if !differing.is_empty() {
        bail!("docs/reference differs from the help (run `cargo xtask api`): {}", differing.join(", "));
    }
    Ok(())
}

fn dir() -> std::path::PathBuf {
    paths::root().join("docs/reference")
}

fn kept() -> Result<Snapshot> {
    let dir = dir();
    if !dir.exists() {
        return Ok(Snapshot::new());
    }
    let files = fs::read_dir(dir)?.map(|entry| {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok((name, fs::read_to_string(&path)?))
    });
    files.collect()
}

fn name_in(help: &str) -> Option<&str> {
    help.split_once("<class name=\"")?.1.split('"').next()
}

fn index(classes: &[Class], markup: &Markup) -> String {
    let mut text = String::from(
        "# Class reference\n\nThe same texts as the editor's help (F1). `cargo xtask api` writes these pages.\n",
    );
    let nodes = with_base(classes, &["Node", "Node2D", "Node3D"]);
    let resources = with_base(classes, &["Resource"]);
    let all = classes.iter().map(|class| class.name.as_str());
    let others = all.filter(|name| !nodes.contains(name) && !resources.contains(name)).collect();
    for (title, group) in [("Nodes", &nodes), ("Resources", &resources), ("Objects", &others)] {
        write!(text, "\n## {title}\n\n| class | what it is |\n|---|---|\n").ok();
        for class in classes.iter().filter(|class| group.contains(class.name.as_str())) {
            let page = markup.class(&class.name);
            // What a page links within itself is elsewhere from here.
            let brief = markup.convert(&class.brief).replace("](#", &format!("]({}.md#", class.name));
            writeln!(text, "| {page} | {brief} |").ok();
        }
    }
    text
}

/// The classes below one of these classes of the engine.
fn with_base<'a>(classes: &'a [Class], roots: &[&str]) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    // As often as inheritance is deep; a class may stand before its base.
    loop {
        let before = found.len();
        for class in classes {
            if roots.contains(&class.base.as_str()) || found.contains(class.base.as_str()) {
                found.insert(class.name.as_str());
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

fn page(class: &Class, all: &[Class], markup: &Markup) -> String {
    let mut text = format!("# {}\n\n", class.name);
    write!(text, "Inherits {}.", markup.class(&class.base)).ok();
    let heirs: Vec<String> =
        all.iter().filter(|heir| heir.base == class.name).map(|heir| markup.class(&heir.name)).collect();
    if !heirs.is_empty() {
        write!(text, " Inherited by {}.", heirs.join(", ")).ok();
    }
    text.push('\n');
    for part in [&class.brief, &class.text] {
        if !part.is_empty() {
            write!(text, "\n{}\n", markup.convert(part)).ok();
        }
    }
    let parts = [
        ("Properties", &class.members),
        ("Methods", &class.methods),
        ("Signals", &class.signals),
        ("Constants", &class.constants),
    ];
    for (title, entries) in parts {
        section(&mut text, title, entries, markup);
    }
    text.push_str("\n[All classes](README.md)\n");
    text
}

fn section(text: &mut String, title: &str, entries: &[Entry], markup: &Markup) {
    if entries.is_empty() {
        return;
    }
    write!(text, "\n## {title}\n").ok();
    for Entry { name, declaration, text: help } in entries {
        write!(text, "\n### {name}\n\n```gdscript\n{declaration}\n```\n").ok();
        if !help.is_empty() {
            write!(text, "\n{}\n", markup.convert(help)).ok();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(name: &str, base: &str) -> (String, String) {
        (format!("{name}.xml"), format!("<class name=\"{name}\" inherits=\"{base}\"></class>"))
    }

    #[test]
    fn a_page_for_each_class_and_an_index_by_kind() {
        let classes = Snapshot::from([
            snapshot("Boss", "Guard"),
            snapshot("Guard", "Node"),
            snapshot("Sword", "Resource"),
        ]);
        let help: Vec<String> = ["Boss", "Guard", "Sword"]
            .map(|name| {
                format!("<class name=\"{name}\"><brief_description>A {name}.</brief_description></class>")
            })
            .into();
        let pages = make(&classes, &help).expect("all have help");
        assert_eq!(pages.keys().collect::<Vec<_>>(), ["Boss.md", "Guard.md", "README.md", "Sword.md"]);
        assert!(pages["Guard.md"].contains("Inherits `Node`. Inherited by [Boss](Boss.md).\n\nA Guard.\n"));
        let (nodes, resources) = pages["README.md"].split_once("## Resources").expect("a group of resources");
        assert!(nodes.contains("| [Boss](Boss.md) | A Boss. |") && resources.contains("[Sword]"));
    }

    #[test]
    fn a_class_without_help_is_named() {
        let classes = Snapshot::from([snapshot("Boss", "Node")]);
        let why = format!("{:#}", make(&classes, &[]).expect_err("no help"));
        assert_eq!(why, "Boss has no help");
    }
}
