//! Looks for an engine: environment, PATH, cache.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::{Engine, install};
use crate::process;

/// The lowest engine that the library loads in.
const OLDEST: (u32, u32) = (4, 4);

/// The first engine that is new enough. `RIPOSTE_GODOT` is an order: if it does not work, that is an error.
pub fn find() -> Result<Option<Engine>> {
    if let Some(path) = std::env::var_os("RIPOSTE_GODOT").filter(|path| !path.is_empty()) {
        let engine = probe(Path::new(&path)).context("RIPOSTE_GODOT")?;
        return Ok(Some(engine));
    }
    for name in ["godot", "godot4"] {
        for path in on_path(name) {
            match probe(&path) {
                Ok(engine) => return Ok(Some(engine)),
                Err(error) => eprintln!("not used: {error:#}"),
            }
        }
    }
    install::installed()
}

/// Asks the program for its version and refuses one that is too old.
pub fn probe(path: &Path) -> Result<Engine> {
    let text = process::output(Command::new(path).arg("--version").arg("--headless"))?;
    let version =
        text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default().trim().to_owned();
    match parse_version(&version) {
        Some(number) if number >= OLDEST => Ok(Engine { path: path.to_owned(), version, root: None }),
        Some(_) => bail!("{} is Godot {version}; 4.4 or newer is needed", path.display()),
        None => bail!("{} is no Godot: its --version says \"{version}\"", path.display()),
    }
}

/// Major and minor of `4.6.3.stable.official.7d41c59c4`.
fn parse_version(text: &str) -> Option<(u32, u32)> {
    let mut parts = text.split('.');
    let major = parts.next()?.parse().ok()?;
    let minor = parts.next()?.parse().ok()?;
    Some((major, minor))
}

fn on_path(name: &str) -> Vec<PathBuf> {
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).map(|dir| dir.join(&file)).filter(|path| path.is_file()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_versions() {
        assert_eq!(parse_version("4.6.3.stable.debian"), Some((4, 6)));
        assert_eq!(parse_version("4.10.stable"), Some((4, 10)));
        assert_eq!(parse_version("godot: not found"), None);
        assert!(parse_version("4.3.stable").is_some_and(|number| number < OLDEST));
        assert!(parse_version("5.0.stable").is_some_and(|number| number >= OLDEST));
    }
}
