//! `cargo xtask bench`: the benchmarks of the core and of the library in the engine, always in release.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Result, bail};

use crate::args::Args;
use crate::library::{self, Build};
use crate::process::{self, cargo};
use crate::{engine, godot, log_scan, paths};

/// The help text.
pub const HELP: &str = "\
usage: cargo xtask bench [NAME]

Runs the benchmarks whose name contains NAME, else all: those of the core
(rust/core/examples/bench_NAME.rs), then those in the engine
(tests/godot/bench/NAME.tscn, with the release library), one after the other.
They print their own tables.";

/// A benchmark that takes longer hangs.
const LIMIT: Duration = Duration::from_secs(1800);

/// Runs the command.
pub fn command(mut args: Args) -> Result<()> {
    let wanted = args.positional().unwrap_or_default();
    args.finish()?;
    let root = paths::root();
    let core = names(&root.join("rust/core/examples"), "bench_", ".rs", &wanted);
    let scenes = names(&root.join("tests/godot/bench"), "", ".tscn", &wanted);
    if core.is_empty() && scenes.is_empty() {
        bail!("no benchmark with \"{wanted}\" in its name");
    }
    for name in core {
        println!("\n# core: {name}");
        let mut run = cargo();
        run.args(["run", "--quiet", "--release", "-p", "riposte-core", "--example"])
            .arg(format!("bench_{name}"));
        process::run_shown(&mut run)?;
    }
    if !scenes.is_empty() {
        in_engine(&scenes)?;
    }
    Ok(())
}

fn in_engine(scenes: &[String]) -> Result<()> {
    let engine = engine::ensure()?;
    library::ensure(Build::Release)?;
    let project = godot::copy_project("tests/godot", Build::Release, false)?;
    godot::import(&engine, &project)?;
    for name in scenes {
        println!("\n# engine: {name}");
        let arguments = [format!("res://bench/{name}.tscn")];
        let run = godot::run(engine.command(), &project, &arguments, LIMIT, |line| println!("{line}"))?;
        if let Some(fault) = run.fault {
            bail!("{name} {fault}");
        }
        let problems = log_scan::problems(&run.log);
        if !problems.is_empty() {
            bail!("{name} printed errors:\n  {}", problems.join("\n  "));
        }
    }
    Ok(())
}

/// The names between `prefix` and `suffix` of the files in a folder that contain `wanted`, sorted.
fn names(dir: &Path, prefix: &str, suffix: &str, wanted: &str) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(dir)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let file = entry.file_name().to_string_lossy().into_owned();
            Some(file.strip_prefix(prefix)?.strip_suffix(suffix)?.to_owned())
        })
        .filter(|name| name.contains(wanted))
        .collect();
    names.sort();
    names
}
