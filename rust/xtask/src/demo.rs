//! `cargo xtask demo`: the demo project, with a window or as a log.

use std::path::Path;
use std::time::Duration;

use anyhow::{Result, bail};

use crate::args::Args;
use crate::engine::{self, Engine};
use crate::library::{self, Build};
use crate::{godot, log_scan, paths, process};

/// The help text.
pub const HELP: &str = "\
usage: cargo xtask demo [01|02|03|04|05|06|07|08] [--headless]

Finds or installs Godot, builds the extension, imports the demo project and opens
one of its scenes: 01 first fight (the default), 02 senses, 03 senses in 2D, 04 pack,
05 boss, 06 abilities, 07 orders, 08 moveset.

  --headless   no window: plays the scene by itself as fast as it goes and prints
               one line per event; fails if the log has errors or if not all of
               the story has happened";

/// A scene of the demo that can play by itself.
pub struct Scene {
    /// What the command line calls it.
    pub number: &'static str,
    /// The file in `res://scenes`.
    file: &'static str,
    /// The argument for the game that lets it play by itself.
    argument: &'static str,
}

/// All scenes of the demo, in order.
pub const SCENES: &[Scene] = &[
    Scene { number: "01", file: "01_first_fight.tscn", argument: "--headless-fight" },
    Scene { number: "02", file: "02_senses.tscn", argument: "--headless-course" },
    Scene { number: "03", file: "03_senses_2d.tscn", argument: "--headless-course" },
    Scene { number: "04", file: "04_pack.tscn", argument: "--headless-course" },
    Scene { number: "05", file: "05_boss.tscn", argument: "--headless-course" },
    Scene { number: "06", file: "06_abilities.tscn", argument: "--headless-course" },
    Scene { number: "07", file: "07_orders.tscn", argument: "--headless-course" },
    Scene { number: "08", file: "08_moveset.tscn", argument: "--headless-course" },
];

/// A scene lasts a minute or two of game time and runs faster than that.
const LIMIT: Duration = Duration::from_secs(300);

/// Runs the command.
pub fn command(mut args: Args) -> Result<()> {
    let headless = args.flag("--headless");
    let number = args.positional().unwrap_or_else(|| SCENES[0].number.to_owned());
    args.finish()?;
    let Some(scene) = SCENES.iter().find(|scene| scene.number == number) else {
        let known: Vec<_> = SCENES.iter().map(|scene| scene.number).collect();
        bail!("no scene \"{number}\". Known: {}.", known.join(", "));
    };
    let project = paths::root().join("demo-project");
    if !project.join("project.godot").exists() {
        bail!("demo-project/project.godot does not exist");
    }
    if !headless && !has_display() {
        bail!(
            "no display here: use `cargo xtask demo --headless`, or set DISPLAY (see `cargo xtask help engine`)"
        );
    }
    let engine = engine::ensure()?;
    library::ensure(Build::Debug)?;
    eprintln!("Importing the demo project");
    godot::import(&engine, &project)?;
    if headless {
        play(&engine, &project, scene, |line| println!("{line}"))?;
        return Ok(());
    }
    process::run_shown(engine.window_command().arg("--path").arg(&project).arg(scene.path()))
}

impl Scene {
    fn path(&self) -> String {
        format!("res://scenes/{}", self.file)
    }
}

/// Plays a scene without a window and returns its lines; an error if the log has one or the scene says nothing.
pub fn play(
    engine: &Engine,
    project: &Path,
    scene: &Scene,
    mut on_event: impl FnMut(&str),
) -> Result<Vec<String>> {
    if !project.join("scenes").join(scene.file).exists() {
        bail!("the demo has no scene {}", scene.path());
    }
    let arguments =
        ["--fixed-fps", "60", &scene.path(), "--", scene.argument].map(|argument| argument.to_owned());
    let mut events = Vec::new();
    let mut in_message = false;
    let run = godot::run(engine.command(), project, &arguments, LIMIT, |line| {
        if is_event(line, &mut in_message) {
            on_event(line);
            events.push(line.to_owned());
        }
    })?;
    let saved = godot::save_log(&format!("demo-{}", scene.number), &run.log)?;
    if let Some(fault) = run.fault {
        bail!("the demo {fault}; log {saved}:\n{}", process::last_lines(&run.log, 20));
    }
    let problems = log_scan::problems(&run.log);
    if !problems.is_empty() {
        bail!("errors in the log {saved}:\n  {}", problems.join("\n  "));
    }
    if events.is_empty() {
        bail!("the demo printed no event; log {saved}");
    }
    Ok(events)
}

/// Whether a line is the demo's own. The engine's banner and its messages are not.
fn is_event(line: &str, in_message: &mut bool) -> bool {
    let line = log_scan::without_colours(line);
    let begins_message = log_scan::is_message(&line);
    // What follows a message is indented: its place and the calls that led there.
    *in_message = begins_message || (*in_message && line.starts_with(' '));
    let banner = ["Godot Engine v", "Initialize godot-rust", "OpenGL API", "Vulkan "];
    !*in_message && !line.trim().is_empty() && !banner.iter().any(|start| line.starts_with(start))
}

fn has_display() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || set("DISPLAY") || set("WAYLAND_DISPLAY")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_only_events() {
        let log = "Initialize godot-rust (API v4.4)\nGodot Engine v4.6 - https://x\n\n  0.50 Guard sees Intruder\n\
            WARNING: odd\n     at: f (a.cpp:1)\n     GDScript backtrace\n 1.00 Guard jabs\nerror-free line\n";
        let mut in_message = false;
        let kept: Vec<_> = log.lines().filter(|line| is_event(line, &mut in_message)).collect();
        assert_eq!(kept, ["  0.50 Guard sees Intruder", "error-free line"]);
    }
}
