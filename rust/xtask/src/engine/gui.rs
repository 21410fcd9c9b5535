//! What a window needs on a machine without a screen.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use super::Engine;
use crate::process;

const HOST_TOOLS: [&str; 3] = ["xvfb", "xdotool", "imagemagick"];

/// Variables that point an engine of ours at its own OpenGL and keyboard data; none for a Godot of the user's.
pub fn environment(engine: &Engine) -> Vec<(&'static str, PathBuf)> {
    let Some(root) = &engine.root else {
        return Vec::new();
    };
    let libraries = match std::env::consts::ARCH {
        "aarch64" => "usr/lib/aarch64-linux-gnu",
        _ => "usr/lib/x86_64-linux-gnu",
    };
    vec![
        ("LIBGL_DRIVERS_PATH", root.join(libraries).join("dri")),
        ("LIBGL_ALWAYS_SOFTWARE", PathBuf::from("1")),
        ("XLOCALEDIR", root.join("usr/share/X11/locale")),
        ("XKB_CONFIG_ROOT", root.join("usr/share/X11/xkb")),
    ]
}

/// Installs a virtual display and tools to look at it, as root; says the line for others.
pub fn install_host_tools() -> Result<()> {
    let present = |program: &str| process::output(Command::new("which").arg(program)).is_ok();
    if present("Xvfb") && present("xdotool") && present("import") {
        return Ok(());
    }
    let line = format!("apt-get install -y --no-install-recommends {}", HOST_TOOLS.join(" "));
    let root = process::output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0");
    if !root || !present("apt-get") {
        eprintln!("For windows on a machine without a screen, as root: {line}");
        return Ok(());
    }
    eprintln!("Installing {}", HOST_TOOLS.join(", "));
    process::output(Command::new("apt-get").arg("update"))?;
    let mut install = Command::new("apt-get");
    install.args(["install", "-y", "--no-install-recommends"]).args(HOST_TOOLS);
    process::output(install.env("DEBIAN_FRONTEND", "noninteractive"))?;
    Ok(())
}
