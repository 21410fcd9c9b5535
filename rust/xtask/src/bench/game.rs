//! A project as an exported game, because scripts run slower in the engine's editor build: a ratio against GDScript
//! that was measured there flatters us.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::engine::Engine;
use crate::{godot, paths, process};

/// An export takes seconds; more means that it hangs.
const LIMIT: Duration = Duration::from_secs(300);

/// What starts a game that was exported with the template of the engine that this checkout installed.
///
/// The template is not relocated like the engine itself. So its loader stands in for the game's program: the engine
/// looks for its data beside the program that was started, which is the loader.
pub struct Template {
    program: PathBuf,
    loader: PathBuf,
    libraries: PathBuf,
}

impl Template {
    /// The release template, if the engine is one that we installed; else there is none that is known to fit.
    pub fn find(engine: &Engine) -> Option<Self> {
        let root = engine.root.as_ref()?;
        let program = root.join("usr/bin/godot-template-release");
        let libraries = fs::read_dir(root.join("usr/lib")).ok()?.flatten().map(|entry| entry.path());
        let (libraries, loader) =
            libraries.filter_map(|dir| loader_in(&dir).map(|loader| (dir, loader))).next()?;
        program.exists().then_some(Self { program, loader, libraries })
    }

    /// Exports the project with `scene` as the one that it starts with; returns what runs it.
    pub fn export(&self, engine: &Engine, project: &Path, scene: &str) -> Result<Command> {
        let out = paths::work().join("bench-game");
        if out.exists() {
            fs::remove_dir_all(&out)?;
        }
        fs::create_dir_all(&out)?;
        set_main_scene(&project.join("project.godot"), scene)?;
        fs::write(project.join("export_presets.cfg"), self.preset())?;
        let exported = out.join("exported");
        fs::create_dir_all(&exported)?;
        let target = exported.join("game").to_string_lossy().into_owned();
        let arguments = ["--export-release".to_owned(), "bench".to_owned(), target];
        let run = godot::run(engine.command(), project, &arguments, LIMIT, |_| {})?;
        let pack = exported.join("game.pck");
        if run.fault.is_some() || !pack.exists() {
            bail!("the export failed:\n{}", process::last_lines(&run.log, 20));
        }
        for entry in fs::read_dir(&exported)?.flatten().filter(|entry| entry.file_name() != "game") {
            fs::rename(entry.path(), out.join(entry.file_name()))?;
        }
        let game = out.join("game");
        fs::copy(&self.loader, &game).context("cannot copy the loader")?;
        let mut command = Command::new(game);
        let libraries = self.libraries.display();
        command.arg("--library-path").arg(format!("{libraries}:{libraries}/pulseaudio"));
        command.arg(exported.join("game")).current_dir(&out);
        Ok(command)
    }

    fn preset(&self) -> String {
        let architecture = if cfg!(target_arch = "aarch64") { "arm64" } else { "x86_64" };
        format!(
            "[preset.0]\n\nname=\"bench\"\nplatform=\"Linux\"\nrunnable=true\nexport_filter=\"all_resources\"\n\
             export_path=\"\"\n\n[preset.0.options]\n\ncustom_template/release=\"{}\"\n\
             binary_format/embed_pck=false\nbinary_format/architecture=\"{architecture}\"\n",
            self.program.display()
        )
    }
}

fn loader_in(dir: &Path) -> Option<PathBuf> {
    let entries = fs::read_dir(dir).ok()?.flatten();
    let mut loaders = entries
        .map(|entry| entry.path())
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("ld-linux")));
    loaders.next()
}

fn set_main_scene(settings: &Path, scene: &str) -> Result<()> {
    let text = fs::read_to_string(settings)?;
    let line = |line: &str| match line.starts_with("run/main_scene=") {
        true => format!("run/main_scene=\"{scene}\"\n"),
        false => format!("{line}\n"),
    };
    Ok(fs::write(settings, text.lines().map(line).collect::<String>())?)
}
