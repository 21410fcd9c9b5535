//! `cargo xtask engine`: a Godot to run with.

mod apt;
mod find;
mod gui;
mod install;

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::args::Args;

/// The help text.
pub const HELP: &str = "\
usage: cargo xtask engine [--print] [--gui] [--print-env]

Finds a Godot of version 4.4 or newer:
  1. the program that the environment variable RIPOSTE_GODOT names,
  2. `godot` or `godot4` on the PATH,
  3. the one that an earlier run installed into the cache.
If there is none and the machine has Debian's package tools, installs one into
$XDG_CACHE_HOME/riposte (else ~/.cache/riposte), with software OpenGL and export
templates. About 650 MB, a minute or two; nothing of the system is changed.

  --print      print only the program's path
  --gui        also install what windows need on a machine without a screen
               (xvfb, xdotool, imagemagick), as root; else say the line to run
  --print-env  print `export` lines for a run with a window: eval \"$(...)\"";

/// A Godot that was found.
pub struct Engine {
    /// The program.
    pub path: PathBuf,
    /// What `--version` prints, e.g. `4.6.3.stable.debian`.
    pub version: String,
    /// The private root of an engine of ours; none for a Godot of the user's.
    pub root: Option<PathBuf>,
}

impl Engine {
    /// A command that runs this engine.
    pub fn command(&self) -> Command {
        Command::new(&self.path)
    }

    /// A command that runs it with a window on the display of the environment.
    pub fn window_command(&self) -> Command {
        let mut command = self.command();
        command.envs(gui::environment(self));
        command
    }
}

/// The engine to use; installs one if there is none. Progress goes to stderr.
pub fn ensure() -> Result<Engine> {
    match find::find()? {
        Some(engine) => Ok(engine),
        None => install::install(),
    }
}

/// Runs the command.
pub fn command(mut args: Args) -> Result<()> {
    let print = args.flag("--print");
    let with_gui = args.flag("--gui");
    let print_env = args.flag("--print-env");
    args.finish()?;

    let engine = ensure()?;
    if with_gui {
        gui::install_host_tools()?;
    }
    if print_env {
        for (name, value) in gui::environment(&engine) {
            println!("export {name}='{}'", value.display());
        }
    } else if print {
        println!("{}", engine.path.display());
    } else {
        println!("Godot {} at {}", engine.version, engine.path.display());
    }
    Ok(())
}
