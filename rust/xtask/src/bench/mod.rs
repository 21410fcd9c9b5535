//! `cargo xtask bench`: the benchmarks of the core and of the library in the engine, always in release.

mod game;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Result, bail};

use crate::args::Args;
use crate::library::{self, Build};
use crate::process::{self, cargo};
use crate::{engine, godot, log_scan, paths};

/// The help text.
pub const HELP: &str = "\
usage: cargo xtask bench [NAME] [--editor]

Runs the benchmarks whose name contains NAME, else all: those of the core
(rust/core/examples/bench_NAME.rs), then those in the engine
(tests/godot/bench/NAME.tscn, with the release library), one after the other.

Prints three kinds of lines:
  raw      medians of times and counts; they say something about this machine
  ratio    what holds elsewhere too, with the target where there is one
  same     results that were compared with those of the baseline in the same
           run; DIFFERS fails the benchmark

In the engine a benchmark runs as an exported game where an engine was
installed by `cargo xtask engine`, because scripts run faster there than in the
editor's program; with --editor, or with a Godot of your own, in that program.";

/// A benchmark that takes longer hangs.
const LIMIT: Duration = Duration::from_secs(1800);

/// Runs the command.
pub fn command(mut args: Args) -> Result<()> {
    let editor = args.flag("--editor");
    let wanted = args.positional().unwrap_or_default();
    args.finish()?;
    let root = paths::root();
    let core = names(&root.join("rust/core/examples"), "bench_", ".rs", &wanted);
    let scenes = names(&root.join("tests/godot/bench"), "", ".tscn", &wanted);
    if core.is_empty() && scenes.is_empty() {
        bail!("no benchmark with \"{wanted}\" in its name");
    }
    let mut lines = Lines::default();
    for name in core {
        println!("\n# core: {name}");
        let mut run = cargo();
        run.args(["build", "--quiet", "--release", "-p", "riposte-core", "--example"]);
        process::run_shown(run.arg(format!("bench_{name}")))?;
        let program = paths::target().join("release/examples").join(format!("bench_{name}"));
        lines.run(&name, &mut Command::new(program.with_extension(std::env::consts::EXE_EXTENSION)))?;
    }
    if !scenes.is_empty() {
        in_engine(&scenes, editor, &mut lines)?;
    }
    lines.compare();
    lines.print_targets();
    Ok(())
}

fn in_engine(scenes: &[String], editor: bool, lines: &mut Lines) -> Result<()> {
    let engine = engine::ensure()?;
    library::ensure(Build::Release)?;
    let project = godot::copy_project("tests/godot", Build::Release, false)?;
    godot::import(&engine, &project)?;
    let template = game::Template::find(&engine).filter(|_| !editor);
    for name in scenes {
        println!("\n# engine: {name}");
        let scene = format!("res://bench/{name}.tscn");
        let mut run = match &template {
            Some(template) => template.export(&engine, &project, &scene)?,
            None => {
                let mut command = engine.command();
                command.arg("--path").arg(&project).arg(&scene);
                command
            }
        };
        // One physics step per frame, as fast as it goes.
        lines.run(name, run.args(["--headless", "--fixed-fps", "60"]))?;
    }
    Ok(())
}

/// What the benchmarks printed.
#[derive(Default)]
struct Lines {
    targets: Vec<String>,
    /// Medians in microseconds, by what they are of.
    medians: Vec<(String, f64)>,
}

/// What the engine's part of a benchmark is held against in the core's part, and the target.
const ACROSS: [(&str, &str, &str); 2] = [
    ("actions: 1,000 evaluators", "actions: core", "<= 3"),
    ("graph: 1,000 inputs by hand", "graph: inputs (1,000): an input, 8 and 16 transitions", ">= 10"),
];

impl Lines {
    fn run(&mut self, name: &str, command: &mut Command) -> Result<()> {
        let mut log = String::new();
        let mut measured = false;
        let end = process::stream(command, LIMIT, |line| {
            println!("{line}");
            log.push_str(line);
            log.push('\n');
            measured |= line.starts_with("ratio ");
            if line.starts_with("ratio ") && line.contains("(target ") {
                self.targets.push(line.to_owned());
            }
            self.medians.extend(median(line));
        })?;
        match end {
            process::End::Exited(status) if status.success() => {}
            process::End::Exited(status) => bail!("{name} ended with {status}"),
            process::End::TimedOut => bail!("{name} was stopped after {} s", LIMIT.as_secs()),
        }
        let problems = log_scan::problems(&log);
        if !problems.is_empty() {
            bail!("{name} printed errors:\n  {}", problems.join("\n  "));
        }
        if !measured {
            bail!("{name} measured nothing");
        }
        Ok(())
    }

    /// Ratios of medians of two programs.
    fn compare(&mut self) {
        for (engine, core, target) in ACROSS {
            let find = |wanted: &str| self.medians.iter().find(|(name, _)| name == wanted);
            if let (Some((_, above)), Some((_, below))) = (find(engine), find(core)) {
                let line = format!(
                    "ratio {engine} in the engine / {core} = {:.2}  (target {target})",
                    above / below
                );
                println!("{line}");
                self.targets.push(line);
            }
        }
    }

    fn print_targets(&self) {
        if !self.targets.is_empty() {
            println!("\n# ratios with a target");
        }
        for line in &self.targets {
            println!("{line}");
        }
    }
}

/// What a `raw` line says: whose median, and how many microseconds.
fn median(line: &str) -> Option<(String, f64)> {
    let (name, rest) = line.strip_prefix("raw ")?.rsplit_once(", median of ")?;
    let micros = rest.split_once(": ")?.1.strip_suffix(" us")?.trim().parse().ok()?;
    Some((name.trim().to_owned(), micros))
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
