//! Godot projects: clean copies with one build of the addon, import, runs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::engine::Engine;
use crate::library::{self, Build};
use crate::{log_scan, paths, process};

/// An import takes seconds; more means that it hangs.
const IMPORT_LIMIT: Duration = Duration::from_secs(300);

/// A run of the engine that came to an end.
pub struct Run {
    /// Everything it wrote.
    pub log: String,
    /// How it ended, if not with exit code 0.
    pub fault: Option<String>,
}

/// Copies a project into the build folder, with the addon, without what the editor made, and with `build` as its only
/// library, for the editor too. `keep_import` leaves the import of an earlier copy.
pub fn copy_project(project: &str, build: Build, keep_import: bool) -> Result<PathBuf> {
    let source = paths::root().join(project);
    if !source.join("project.godot").exists() {
        bail!("{project}/project.godot does not exist");
    }
    let copy = paths::work().join(format!("{}-{}", project.replace('/', "-"), build.name()));
    clear(&copy, keep_import)?;
    library::copy_tree(&source, &copy, &[".godot", "addons", "override.cfg"])?;
    // What tests in Rust and in GDScript both read.
    let fixtures = paths::root().join("tests/fixtures");
    if project.starts_with("tests/") && fixtures.is_dir() {
        library::copy_tree(&fixtures, &copy.join("fixtures"), &[])?;
    }
    let addon = copy.join("addons/riposte");
    library::copy_tree(&library::addon(), &addon, &["bin"])?;
    let manifest = addon.join("riposte.gdextension");
    let text = fs::read_to_string(&manifest)?;
    let (text, relative) = library::only_build(&text, build)?;
    let placed = addon.join(&relative);
    fs::create_dir_all(placed.parent().unwrap_or(&addon))?;
    fs::copy(library::addon().join(&relative), &placed)
        .with_context(|| format!("no {} library; run `cargo xtask build`", build.name()))?;
    fs::write(manifest, text)?;
    Ok(copy)
}

fn clear(copy: &Path, keep_import: bool) -> Result<()> {
    let Ok(entries) = fs::read_dir(copy) else {
        return Ok(());
    };
    for entry in entries {
        let path = entry?.path();
        if keep_import && path.ends_with(".godot") {
            continue;
        }
        match path.is_dir() {
            true => fs::remove_dir_all(&path)?,
            false => fs::remove_file(&path)?,
        }
    }
    Ok(())
}

/// Imports a project. The first import with a native library can abort (an open bug of the engine), so a fresh project
/// is imported twice, and only the last one is judged.
pub fn import(engine: &Engine, project: &Path) -> Result<()> {
    let fresh = !project.join(".godot").exists();
    let arguments = ["--import".to_owned()];
    if fresh {
        run(engine.command(), project, &arguments, IMPORT_LIMIT, |_| {})?;
    }
    let last = run(engine.command(), project, &arguments, IMPORT_LIMIT, |_| {})?;
    if let Some(fault) = last.fault {
        bail!("the import {fault}:\n{}", process::last_lines(&last.log, 20));
    }
    match log_scan::problems(&last.log) {
        problems if problems.is_empty() => Ok(()),
        problems => bail!("the import printed errors:\n  {}", problems.join("\n  ")),
    }
}

/// Runs the engine headless in a project.
pub fn run(
    mut command: Command,
    project: &Path,
    arguments: &[String],
    limit: Duration,
    mut on_line: impl FnMut(&str),
) -> Result<Run> {
    command.arg("--headless").arg("--path").arg(project).args(arguments);
    // Editor settings, `user://` and cached help of its own: two checkouts may run at once, a user's settings must not
    // matter, and `--doctool` empties the editor's cache of the class help.
    let home = paths::work().join("home");
    for (variable, folder) in
        [("XDG_CONFIG_HOME", "config"), ("XDG_DATA_HOME", "data"), ("XDG_CACHE_HOME", "cache")]
    {
        command.env(variable, home.join(folder));
    }
    // The guides lie outside of the project that the tests run in.
    command.env("RIPOSTE_ROOT", paths::root());
    let mut log = String::new();
    let end = process::stream(&mut command, limit, |line| {
        log.push_str(line);
        log.push('\n');
        on_line(line);
    })?;
    let fault = match end {
        process::End::Exited(status) if status.success() => None,
        process::End::Exited(status) => Some(format!("ended with {status}")),
        process::End::TimedOut => Some(format!("was stopped after {} s", limit.as_secs())),
    };
    Ok(Run { log, fault })
}

/// Writes a log into the build folder and returns its place for messages.
pub fn save_log(name: &str, log: &str) -> Result<String> {
    let path = paths::work().join("logs").join(format!("{name}.log"));
    fs::create_dir_all(path.parent().unwrap_or(&path))?;
    fs::write(&path, log)?;
    Ok(library::shorten(&path))
}
