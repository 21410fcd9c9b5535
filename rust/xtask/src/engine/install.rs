//! Installs Debian's Godot into a private root in the cache.
//!
//! The packages are newer than the machine: the program gets the root's own loader and libraries, the system stays
//! as it is. Everything is made in a `.partial` folder, moved at the end and then marked, so that an interrupted run
//! leaves nothing that looks finished; what it downloaded is used again.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::apt::{self, Mirror};
use super::{Engine, find};
use crate::{paths, process};

/// Where to send a user whose machine can't install one.
const GET_GODOT: &str = "Get Godot 4.4 or newer from https://godotengine.org/download \
    and set RIPOSTE_GODOT to the program, or put it on the PATH as `godot`.";

/// Suites that have Godot 4, the calmer one first.
const SUITES: [&str; 2] = ["forky", "sid"];

/// Godot, software OpenGL for windows on a virtual display, and the export templates.
const PACKAGES: [&str; 8] = [
    "godot",
    "libgl1",
    "libgl1-mesa-dri",
    "libglx-mesa0",
    "libegl1",
    "libegl-mesa0",
    "godot-template-release",
    "godot-template-debug",
];

/// Written last; holds the place, because the loader's path in the program is absolute.
const MARKER: &str = "riposte-engine";

/// The engine of an earlier run, if it was finished and still stands where it was made.
pub fn installed() -> Result<Option<Engine>> {
    let root = paths::cache()?.join("godot");
    let marked = fs::read_to_string(root.join(MARKER)).unwrap_or_default();
    if marked.trim() != root.to_string_lossy() {
        return Ok(None);
    }
    let engine = find::probe(&root.join("usr/bin/godot"));
    Ok(engine.ok().map(|engine| Engine { root: Some(root), ..engine }))
}

/// Installs, unless another run did while this one waited for it.
pub fn install() -> Result<Engine> {
    let architecture = Architecture::of_machine()?;
    let cache = paths::cache()?;
    fs::create_dir_all(&cache).with_context(|| format!("cannot make {}", cache.display()))?;
    let _lock = lock(&cache.join("engine.lock"))?;
    if let Some(engine) = installed()? {
        return Ok(engine);
    }

    let place = cache.join("godot");
    let work = cache.join("godot.partial");
    eprintln!("No Godot found; installing one into {} (about 650 MB)", place.display());
    let (mirror, suite, names) = choose_source(&work)?;
    let root = work.join("root");
    remove(&root)?;
    download(&work, suite, &names)?;
    unpack(&work.join("packages"), &root)?;
    let patchelf = patchelf(&work, &mirror)?;
    architecture.relocate(&patchelf, &root, &place)?;

    remove(&place)?;
    fs::rename(&root, &place).context("cannot move the finished engine into place")?;
    let engine = find::probe(&place.join("usr/bin/godot")).context("the installed engine does not start")?;
    fs::write(place.join(MARKER), place.to_string_lossy().as_bytes())?;
    remove(&work)?;
    eprintln!("Godot {} is installed", engine.version);
    Ok(Engine { root: Some(place), ..engine })
}

fn lock(path: &Path) -> Result<File> {
    let file = File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
    if let Err(TryLockError::WouldBlock) = file.try_lock() {
        eprintln!("Another run installs the engine; waiting for it");
        file.lock()?;
    }
    Ok(file)
}

fn remove(dir: &Path) -> Result<()> {
    match dir.exists() {
        true => fs::remove_dir_all(dir).with_context(|| format!("cannot remove {}", dir.display())),
        false => Ok(()),
    }
}

/// The first mirror and suite that offer Godot, with the names of all packages it needs.
fn choose_source(work: &Path) -> Result<(Mirror, &'static str, Vec<String>)> {
    let mut refused = String::new();
    for mirror in apt::mirrors() {
        for suite in SUITES {
            eprintln!("Asking the machine's package mirror for {suite}");
            match closure(&Apt::new(&work.join(suite)), &mirror, suite) {
                Ok(names) => return Ok((mirror, suite, names)),
                Err(error) => refused = format!(" ({error:#})"),
            }
        }
    }
    bail!("this machine's package sources have no Godot 4.{refused}\n{GET_GODOT}")
}

fn closure(apt: &Apt, mirror: &Mirror, suite: &str) -> Result<Vec<String>> {
    apt.update(mirror, suite)?;
    let mut simulate = apt.command();
    simulate.args(["-s", "install", "--no-install-recommends", "-t", suite]).args(PACKAGES);
    let names = planned_packages(&process::output(&mut simulate)?);
    if !names.iter().any(|name| name == "godot") {
        bail!("apt-get planned no package godot");
    }
    Ok(names)
}

/// The names in the `Inst NAME (VERSION …)` lines of a simulated installation.
fn planned_packages(text: &str) -> Vec<String> {
    let names = text.lines().filter_map(|line| line.strip_prefix("Inst ")?.split_whitespace().next());
    names.map(str::to_owned).collect()
}

fn download(work: &Path, suite: &str, names: &[String]) -> Result<()> {
    let packages = work.join("packages");
    fs::create_dir_all(&packages)?;
    let apt = Apt::new(&work.join(suite));
    let mut done = 0;
    for chunk in names.chunks(20) {
        let mut command = apt.command();
        command.arg("download").args(chunk.iter().map(|name| format!("{name}/{suite}")));
        process::output(command.current_dir(&packages))?;
        done += chunk.len();
        eprintln!("Downloaded {done} of {} packages", names.len());
    }
    // An interrupted run may have left versions that are no longer the ones planned.
    let present = fs::read_dir(&packages)?.flatten().count();
    if present != names.len() {
        remove(&packages)?;
        bail!("the download folder held {present} files for {} packages; run it again", names.len());
    }
    Ok(())
}

fn unpack(packages: &Path, root: &Path) -> Result<()> {
    fs::create_dir_all(root)?;
    eprintln!("Unpacking");
    for entry in fs::read_dir(packages)? {
        process::output(Command::new("dpkg-deb").arg("-x").arg(entry?.path()).arg(root))?;
    }
    Ok(())
}

/// The machine's patchelf, else one from its own suite, unpacked privately.
fn patchelf(work: &Path, mirror: &Mirror) -> Result<PathBuf> {
    if process::output(Command::new("patchelf").arg("--version")).is_ok() {
        return Ok(PathBuf::from("patchelf"));
    }
    let dir = work.join("patchelf");
    let apt = Apt::new(&dir.join("apt"));
    apt.update(mirror, &mirror.suite)?;
    let packages = dir.join("packages");
    remove(&packages)?;
    fs::create_dir_all(&packages)?;
    process::output(apt.command().args(["download", "patchelf"]).current_dir(&packages))?;
    unpack(&packages, &dir.join("root"))?;
    Ok(dir.join("root/usr/bin/patchelf"))
}

/// An apt with a state of its own: lists, cache and an empty record of what is installed.
struct Apt {
    dir: PathBuf,
}

impl Apt {
    fn new(dir: &Path) -> Self {
        Self { dir: dir.to_owned() }
    }

    fn update(&self, mirror: &Mirror, suite: &str) -> Result<()> {
        for part in ["lists/partial", "cache/archives/partial"] {
            fs::create_dir_all(self.dir.join(part))?;
        }
        fs::write(self.dir.join("status"), "")?;
        fs::write(self.dir.join("sources.list"), mirror.source_line(suite))?;
        // Without this, apt says "some index files failed" and succeeds.
        process::output(self.command().args(["-o", "APT::Update::Error-Mode=any", "update"]))?;
        Ok(())
    }

    fn command(&self) -> Command {
        let mut command = Command::new("apt-get");
        let places = [
            ("Dir::Etc::sourcelist", "sources.list"),
            ("Dir::State", ""),
            ("Dir::State::lists", "lists"),
            ("Dir::State::status", "status"),
            ("Dir::Cache", "cache"),
        ];
        for (option, place) in places {
            command.arg("-o").arg(format!("{option}={}", self.dir.join(place).display()));
        }
        // The folder may not be readable for apt's own user.
        let fixed = ["Dir::Etc::sourceparts=/dev/null", "APT::Sandbox::User=root", "Acquire::Languages=none"];
        command.args(fixed.iter().flat_map(|option| ["-o", option])).env("LC_ALL", "C");
        command
    }
}

/// Names that differ by processor.
struct Architecture {
    libraries: &'static str,
    loader: &'static str,
}

impl Architecture {
    /// Fails, with what to do instead, where the packages can't be used.
    fn of_machine() -> Result<Self> {
        let has = |program: &str| process::output(Command::new(program).arg("--version")).is_ok();
        if !cfg!(target_os = "linux") || !has("apt-get") || !has("dpkg-deb") {
            bail!("no Godot found, and this machine has no Debian packages to install it from. {GET_GODOT}");
        }
        let (libraries, loader) = match std::env::consts::ARCH {
            "x86_64" => ("usr/lib/x86_64-linux-gnu", "ld-linux-x86-64.so.2"),
            "aarch64" => ("usr/lib/aarch64-linux-gnu", "ld-linux-aarch64.so.1"),
            other => bail!("no Godot found, and none can be installed on {other}. {GET_GODOT}"),
        };
        Ok(Self { libraries, loader })
    }

    /// Makes the program in `root` use that root's loader and libraries once it stands at `place`.
    fn relocate(&self, patchelf: &Path, root: &Path, place: &Path) -> Result<()> {
        let libraries = root.join(self.libraries);
        let program = root.join("usr/bin/godot");
        let loader = place.join(self.libraries).join(self.loader);
        let run_path = format!("$ORIGIN/../../{}", self.libraries);
        let mut command = Command::new(patchelf);
        command.arg("--set-interpreter").arg(loader).args(["--force-rpath", "--set-rpath", &run_path]);
        process::output(command.arg(&program)).context("cannot patch the engine")?;
        // A library with a run path of its own does not inherit the program's.
        for entry in fs::read_dir(&libraries)? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let own_path =
                ["libpulse.so.", "libpulse-simple.so.", "libLLVM.so."].iter().any(|p| name.starts_with(p));
            if own_path && !path.is_symlink() {
                let mut command = Command::new(patchelf);
                command.args(["--set-rpath", "$ORIGIN:$ORIGIN/pulseaudio"]).arg(&path);
                process::output(&mut command).with_context(|| format!("cannot patch {name}"))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_plan_of_apt() {
        let text = "Reading package lists...\nInst libc6 (2.43-7 Debian:testing [amd64]) []\n\
            Inst godot (4.6.3 Debian:testing [amd64])\nConf libc6 (2.43-7 Debian:testing [amd64])\n";
        assert_eq!(planned_packages(text), ["libc6", "godot"]);
    }
}
