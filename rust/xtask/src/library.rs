//! `cargo xtask build`: the library, placed in the addon, and the addon linked into the projects.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::args::Args;
use crate::{paths, process};

/// The help text.
pub const HELP: &str = "\
usage: cargo xtask build [--release]

Builds the extension, puts it into addons/riposte/bin under the name that
addons/riposte/riposte.gdextension gives it, and links addons/riposte into
demo-project and tests/godot (copies it where links are not possible).

  --release   the library for export templates; without it the one that the
              editor and games started from the editor load";

/// The projects that use the addon of this checkout.
const PROJECTS: [&str; 2] = ["demo-project", "tests/godot"];

/// Which of the two libraries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Build {
    /// What the editor and games started from it load; has the class help.
    Debug,
    /// What exported games load.
    Release,
}

impl Build {
    /// `debug` or `release`.
    pub fn name(self) -> &'static str {
        match self {
            Build::Debug => "debug",
            Build::Release => "release",
        }
    }

    /// The arguments for `cargo build`.
    fn cargo_arguments(self) -> &'static [&'static str] {
        match self {
            Build::Debug => &["--features", "editor-docs"],
            Build::Release => &["--release"],
        }
    }
}

/// Runs the command.
pub fn command(mut args: Args) -> Result<()> {
    let build = if args.flag("--release") { Build::Release } else { Build::Debug };
    args.finish()?;
    let placed = ensure(build)?;
    println!("{} library: {}", build.name(), shorten(&placed));
    Ok(())
}

/// Builds the library, places it and links the addon; returns where the library is.
pub fn ensure(build: Build) -> Result<PathBuf> {
    let mut cargo = process::cargo();
    cargo.args(["build", "-p", "riposte-godot"]).args(build.cargo_arguments());
    process::run_shown(&mut cargo)?;
    let placed = place(build)?;
    for project in PROJECTS {
        link_addon(&paths::root().join(project))?;
    }
    Ok(placed)
}

/// The folder that a user copies into a project.
pub fn addon() -> PathBuf {
    paths::root().join("addons/riposte")
}

fn place(build: Build) -> Result<PathBuf> {
    let file = format!("{}riposte{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let built = paths::target().join(build.name()).join(file);
    let manifest = addon().join("riposte.gdextension");
    let text =
        fs::read_to_string(&manifest).with_context(|| format!("cannot read {}", manifest.display()))?;
    let relative = library_path(&text, build)?;
    let placed = addon().join(relative);
    replace(&built, &placed)?;
    Ok(placed)
}

/// The text of a `.gdextension` that names the library of `build` for the editor as well, and that library's path.
pub fn only_build(manifest: &str, build: Build) -> Result<(String, String)> {
    let path = library_path(manifest, build)?;
    let debug = library_path(manifest, Build::Debug)?;
    Ok((manifest.replace(&format!("\"{debug}\""), &format!("\"{path}\"")), path.to_owned()))
}

/// The path that a `.gdextension` gives for this machine.
fn library_path(manifest: &str, build: Build) -> Result<&str> {
    let os = std::env::consts::OS;
    let arch = match std::env::consts::ARCH {
        "aarch64" => "arm64",
        other => other,
    };
    match path_for(manifest, os, build, arch) {
        Some(path) => Ok(path),
        None => bail!("riposte.gdextension names no {} library for {os} {arch}", build.name()),
    }
}

/// The path for a platform, with or without a processor in its key.
fn path_for<'a>(manifest: &'a str, os: &str, build: Build, arch: &str) -> Option<&'a str> {
    let keys = [format!("{os}.{}.{arch}", build.name()), format!("{os}.{}", build.name())];
    keys.iter().find_map(|key| {
        manifest.lines().find_map(|line| {
            let (name, value) = line.split_once('=')?;
            (name.trim() == key).then(|| value.trim().trim_matches('"'))
        })
    })
}

/// Puts a copy of `from` at `to` by renaming: a running engine has the old file mapped.
fn replace(from: &Path, to: &Path) -> Result<()> {
    let bytes = fs::read(from).with_context(|| format!("cannot read {}", from.display()))?;
    if fs::read(to).is_ok_and(|present| present == bytes) {
        return Ok(());
    }
    if let Some(dir) = to.parent() {
        fs::create_dir_all(dir)?;
    }
    let temporary = to.with_extension(format!("tmp{}", std::process::id()));
    fs::write(&temporary, bytes)?;
    fs::rename(&temporary, to).with_context(|| format!("cannot replace {}", to.display()))
}

fn link_addon(project: &Path) -> Result<()> {
    if !project.join("project.godot").exists() {
        return Ok(());
    }
    let link = project.join("addons/riposte");
    fs::create_dir_all(project.join("addons"))?;
    let depth = project.strip_prefix(paths::root()).map(|path| path.components().count()).unwrap_or(1);
    let target = PathBuf::from("../".repeat(depth + 1)).join("addons/riposte");
    if fs::read_link(&link).is_ok_and(|present| present == target) {
        return Ok(());
    }
    if link.is_symlink() {
        fs::remove_file(&link)?;
    } else if link.is_dir() {
        fs::remove_dir_all(&link)?;
    }
    if symlink(&target, &link).is_err() {
        copy_tree(&addon(), &link, &[])?;
    }
    Ok(())
}

#[cfg(unix)]
fn symlink(target: &Path, link: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, link)
}

#[cfg(windows)]
fn symlink(target: &Path, link: &Path) -> io::Result<()> {
    std::os::windows::fs::symlink_dir(target, link)
}

/// Copies a folder and what links in it point to, leaving out entries with a name in `skip`.
pub fn copy_tree(from: &Path, to: &Path, skip: &[&str]) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot make {}", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let entry = entry?;
        let name = entry.file_name();
        if skip.iter().any(|skipped| name == *skipped) {
            continue;
        }
        let source = entry.path();
        if source.is_dir() {
            copy_tree(&source, &to.join(name), skip)?;
        } else {
            fs::copy(&source, to.join(name)).with_context(|| format!("cannot copy {}", source.display()))?;
        }
    }
    Ok(())
}

/// A path of the checkout for messages.
pub fn shorten(path: &Path) -> String {
    path.strip_prefix(paths::root()).unwrap_or(path).display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_library_of_a_platform() {
        let text = "[libraries]\nlinux.debug.x86_64 = \"bin/a.so\"\nlinux.release.x86_64 = \"bin/b.so\"\n\
            macos.debug = \"bin/c.dylib\"\n";
        assert_eq!(path_for(text, "linux", Build::Debug, "x86_64"), Some("bin/a.so"));
        assert_eq!(path_for(text, "linux", Build::Release, "x86_64"), Some("bin/b.so"));
        assert_eq!(path_for(text, "macos", Build::Debug, "arm64"), Some("bin/c.dylib"));
        assert_eq!(path_for(text, "windows", Build::Debug, "x86_64"), None);
    }
}
