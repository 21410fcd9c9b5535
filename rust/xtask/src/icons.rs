//! Every node class has an icon that the `.gdextension` names.

use std::fs;
use std::path::Path;

use anyhow::{Result, bail};

use crate::api::{self, Snapshot};
use crate::library;

/// Compares the classes of the library with the `[icons]` of the addon.
pub fn check(classes: &Snapshot) -> Result<()> {
    let nodes: Vec<String> =
        classes.iter().filter(|(_, text)| is_node(text)).map(|(name, _)| api::class(name)).collect();
    let addon = library::addon();
    let manifest = fs::read_to_string(addon.join("riposte.gdextension"))?;
    let faults = faults(&manifest, &nodes, |path| is_file(&addon, path));
    if !faults.is_empty() {
        bail!("{}", faults.join(", "));
    }
    Ok(())
}

/// Paths in the manifest are relative to it, or begin at the project.
fn is_file(addon: &Path, path: &str) -> bool {
    addon.join(path.trim_start_matches("res://addons/riposte/")).is_file()
}

/// Whether the class of a reference file is a node.
fn is_node(xml: &str) -> bool {
    let base = xml.split_once("inherits=\"").and_then(|(_, rest)| rest.split_once('"')).map(|(base, _)| base);
    base.is_some_and(|base| base.starts_with("Node"))
}

fn faults(manifest: &str, nodes: &[String], exists: impl Fn(&str) -> bool) -> Vec<String> {
    let section = manifest.split_once("[icons]").map(|(_, rest)| rest).unwrap_or_default();
    let section = section.split("\n[").next().unwrap_or_default();
    let icons: Vec<(&str, &str)> = section
        .lines()
        .filter_map(|line| line.split_once('='))
        .map(|(class, path)| (class.trim(), path.trim().trim_matches('"')))
        .collect();
    let mut faults = Vec::new();
    for node in nodes {
        if !icons.iter().any(|(class, _)| class == node) {
            faults.push(format!("{node} has no icon in riposte.gdextension"));
        }
    }
    for (class, path) in icons {
        if !exists(path) {
            faults.push(format!("the icon {path} of {class} does not exist"));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_nodes_without_icons_and_icons_without_files() {
        let manifest =
            "[configuration]\na = 1\n[icons]\nGuardNode = \"icons/a.svg\"\nOther = \"icons/b.svg\"\n";
        let nodes = ["GuardNode".to_owned(), "LonelyNode".to_owned()];
        let found = faults(manifest, &nodes, |path| path == "icons/a.svg");
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].starts_with("LonelyNode") && found[1].contains("icons/b.svg"));
    }

    #[test]
    fn tells_nodes_from_resources() {
        assert!(is_node("<class name=\"A\" inherits=\"Node3D\">"));
        assert!(!is_node("<class name=\"A\" inherits=\"Resource\">"));
    }
}
