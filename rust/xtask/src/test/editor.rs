//! The editor part of the addon, in an editor without a window.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::tally::Tally;
use crate::engine::Engine;
use crate::godot::{self, Run};
use crate::library::{self, Build};
use crate::{log_scan, paths, process};

/// An editor that opens a small project and closes it takes half a minute on a slow machine.
const LIMIT: Duration = Duration::from_secs(300);

/// What the plugin says first when its library is not there.
const MISSING: &str = "Riposte: the library res://addons/riposte/bin/";

/// A project with the addon and its plugin.
const PROJECT: &str = "config_version=5\n\n[application]\n\nconfig/name=\"probe\"\nrun/main_scene=\"res://probe.tscn\"\n\
    config/features=PackedStringArray(\"4.4\", \"GL Compatibility\")\n\n[editor_plugins]\n\n\
    enabled=PackedStringArray(\"res://addons/riposte/plugin.cfg\")\n\n[rendering]\n\n\
    renderer/rendering_method=\"gl_compatibility\"\n";

const PROBE_SCENE: &str = "[gd_scene load_steps=2 format=3]\n\n[ext_resource type=\"Script\" path=\"res://probe.gd\" \
    id=\"1\"]\n\n[node name=\"Probe\" type=\"Node\"]\nscript = ExtResource(\"1\")\n";

/// Tells which files an exported game can load.
const PROBE: &str = "extends Node\n\n\nfunc _ready() -> void:\n\tfor file: String in [\"probe.gd\", \
    \"addons/riposte/riposte.gdextension\", \"addons/riposte/plugin.cfg\", \"addons/riposte/editor/plugin.gd\", \
    \"addons/riposte/editor/edits.gd\", \"addons/riposte/editor/gizmo/perception_3d.gd\"]:\n\t\tvar path := \"res://\" \
    + file\n\t\tvar there := ResourceLoader.exists(path) or FileAccess.file_exists(path)\n\t\tprint(\"EXPORTED %s %s\" % \
    [file, there])\n\tget_tree().quit()\n";

const PRESETS: &str = "[preset.0]\n\nname=\"Linux\"\nplatform=\"Linux\"\nrunnable=true\nexport_filter=\"all_resources\"\n\
    include_filter=\"*.cfg\"\nexclude_filter=\"\"\nexport_path=\"\"\n\n[preset.0.options]\n\n\
    binary_format/architecture=\"x86_64\"\n";

/// Everything about the editor.
pub fn all(tally: &mut Tally, engine: &Engine) {
    tests(tally, engine);
    tally.check("the plugin says that the library is missing", || without_library(engine));
    tally.check("an exported game has no code of the editor", || exported(engine));
}

/// The tests in `tests/godot/editor`.
fn tests(tally: &mut Tally, engine: &Engine) {
    let project = tally.check("test project imports for the editor", || {
        let project = godot::copy_project("tests/godot", Build::Debug, true)?;
        godot::import(engine, &project)?;
        Ok(project)
    });
    let Some(project) = project else {
        return;
    };
    tally.announce("editor tests");
    let run = match edit(engine, &project, &["--", "editor-tests"]) {
        Ok(run) => run,
        Err(error) => return tally.fail(&format!("editor tests: {error:#}")),
    };
    let saved = godot::save_log("editor", &run.log).unwrap_or_default();
    let report = log_scan::scan(&run.log);
    for test in &report.tests {
        tally.test("editor", &format!("{}::{}", test.file, test.test), "editor", test.failure.as_deref());
    }
    for problem in &report.problems {
        tally.fail(&format!("editor tests, outside of tests: {problem}"));
    }
    if !report.closed || report.tests.is_empty() {
        let fault = run.fault.unwrap_or_else(|| "ended too early".to_owned());
        tally.fail(&format!("editor tests: the editor {fault}; log {saved}"));
    }
}

fn edit(engine: &Engine, project: &Path, arguments: &[&str]) -> Result<Run> {
    let arguments: Vec<String> =
        ["--editor"].iter().chain(arguments).map(|&argument| argument.to_owned()).collect();
    godot::run(engine.command(), project, &arguments, LIMIT, |_| {})
}

/// One message that names the file, and no script that fails to load.
fn without_library(engine: &Engine) -> Result<()> {
    let project = small_project("editor-without-library")?;
    library::copy_tree(&library::addon(), &project.join("addons/riposte"), &["bin"])?;
    let run = edit(engine, &project, &["--quit"])?;
    godot::save_log("editor-without-library", &run.log)?;
    let told = run.log.matches(MISSING).count();
    if told != 1 {
        bail!("\"{MISSING}\" was said {told} times:\n{}", process::last_lines(&run.log, 20));
    }
    let scripts = |line: &&str| line.contains("SCRIPT ERROR") || line.contains("Failed to load script");
    if let Some(line) = run.log.lines().find(scripts) {
        bail!("a script does not load without the library: {line}");
    }
    Ok(())
}

/// Exports a small project and asks the game what it has.
fn exported(engine: &Engine) -> Result<()> {
    let project = small_project("editor-export")?;
    let addon = project.join("addons/riposte");
    library::copy_tree(&library::addon(), &addon, &[])?;
    fs::write(project.join("export_presets.cfg"), PRESETS)?;
    godot::import(engine, &project)?;
    let pack = paths::work().join("editor-export.pck");
    let export = ["--export-pack".to_owned(), "Linux".to_owned(), pack.display().to_string()];
    let run = godot::run(engine.command(), &project, &export, LIMIT, |_| {})?;
    godot::save_log("editor-export", &run.log)?;
    if let Some(fault) = run.fault {
        bail!("the export {fault}:\n{}", process::last_lines(&run.log, 20));
    }
    // Beside the pack, not in the project: what the pack lacks must not be found on the disk.
    let elsewhere = paths::work().join("editor-export-run");
    fs::create_dir_all(&elsewhere)?;
    let start = ["--main-pack".to_owned(), pack.display().to_string()];
    let run = godot::run(engine.command(), &elsewhere, &start, LIMIT, |_| {})?;
    godot::save_log("editor-export-run", &run.log)?;
    let has = |file: &str| -> Result<bool> {
        let line = run.log.lines().find_map(|line| line.strip_prefix(&format!("EXPORTED {file} ")));
        Ok(line.with_context(|| format!("the game did not tell about {file}"))? == "true")
    };
    for file in ["probe.gd", "addons/riposte/riposte.gdextension"] {
        if !has(file)? {
            bail!("the game lacks {file}");
        }
    }
    for file in ["plugin.cfg", "editor/plugin.gd", "editor/edits.gd", "editor/gizmo/perception_3d.gd"] {
        if has(&format!("addons/riposte/{file}"))? {
            bail!("the game has addons/riposte/{file}");
        }
    }
    Ok(())
}

/// A fresh project of that name, still without the addon.
fn small_project(name: &str) -> Result<PathBuf> {
    let project = paths::work().join(name);
    if project.exists() {
        fs::remove_dir_all(&project)?;
    }
    fs::create_dir_all(&project)?;
    for (file, text) in [("project.godot", PROJECT), ("probe.tscn", PROBE_SCENE), ("probe.gd", PROBE)] {
        fs::write(project.join(file), text)?;
    }
    Ok(project)
}
