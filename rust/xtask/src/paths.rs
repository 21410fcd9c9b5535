//! Where things are.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The root of the checkout.
pub fn root() -> PathBuf {
    // Cargo sets it at run time too, so a moved checkout needs no rebuild of xtask.
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let manifest = manifest.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")));
    manifest.ancestors().nth(2).map(Path::to_path_buf).unwrap_or(manifest)
}

/// Cargo's build folder.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map(|dir| root().join(dir)).unwrap_or_else(|| root().join("target"))
}

/// Where the commands keep logs, results and copies of the Godot projects.
pub fn work() -> PathBuf {
    target().join("xtask")
}

/// The cache outside the repository, shared by all checkouts.
pub fn cache() -> Result<PathBuf> {
    if let Some(dir) = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|dir| dir.is_absolute()) {
        return Ok(dir.join("riposte"));
    }
    let home = std::env::home_dir().context("no home folder; set XDG_CACHE_HOME")?;
    Ok(home.join(".cache").join("riposte"))
}
