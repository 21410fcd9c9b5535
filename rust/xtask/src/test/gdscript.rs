//! The GDScript tests, run by `tests/godot/runner.gd` inside the engine.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Result, bail};

use super::tally::Tally;
use crate::engine::Engine;
use crate::godot::{self, Run};
use crate::library::Build;
use crate::log_scan;

/// The runner stops a test that hangs; this is for one that never gives control back.
const LIMIT: Duration = Duration::from_secs(900);

/// Part of the name of files and tests that run under every kind of physics.
const PHYSICS_TESTS: &str = "_physics";

/// How the engine does physics.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Physics {
    /// The 3D engine, as the project setting spells it.
    engine: &'static str,
    /// Whether both dimensions run on a thread of their own.
    threaded: bool,
}

/// Every kind of physics. The first is the test project's own.
const PHYSICS: [Physics; 4] = [
    Physics { engine: "Jolt Physics", threaded: false },
    Physics { engine: "GodotPhysics3D", threaded: false },
    Physics { engine: "Jolt Physics", threaded: true },
    Physics { engine: "GodotPhysics3D", threaded: true },
];

impl Physics {
    /// As the runner and the names of logs say it.
    fn title(self) -> String {
        format!("{}{}", self.engine, if self.threaded { " on a thread" } else { "" })
    }

    /// The project settings.
    fn settings(self) -> String {
        let Self { engine, threaded } = self;
        format!(
            "[physics]\n\n3d/physics_engine=\"{engine}\"\n3d/run_on_separate_thread={threaded}\n\
            2d/run_on_separate_thread={threaded}\n"
        )
    }
}

/// Every test against one library, from a clean import.
pub fn all(tally: &mut Tally, engine: &Engine, build: Build) {
    let name = build.name();
    let project = tally.check(&format!("test project imports with the {name} library"), || {
        let project = godot::copy_project("tests/godot", build, false)?;
        godot::import(engine, &project)?;
        Ok(project)
    });
    let Some(project) = project else {
        return;
    };
    if build == Build::Debug {
        tally.check("the test runner can fail", || must_fail(engine, &project));
    }
    for physics in PHYSICS {
        let filter = if physics == PHYSICS[0] { "" } else { PHYSICS_TESTS };
        run(tally, engine, &project, build, physics, filter);
    }
}

/// The tests that fit the filter, with the import of an earlier run.
pub fn quick(tally: &mut Tally, engine: &Engine, filter: &str) {
    let project = tally.check("test project imports", || {
        let project = godot::copy_project("tests/godot", Build::Debug, true)?;
        godot::import(engine, &project)?;
        Ok(project)
    });
    if let Some(project) = project {
        let kinds = if filter.contains(PHYSICS_TESTS) { PHYSICS.len() } else { 1 };
        for physics in &PHYSICS[..kinds] {
            run(tally, engine, &project, Build::Debug, *physics, filter);
        }
    }
}

fn run(tally: &mut Tally, engine: &Engine, project: &Path, build: Build, physics: Physics, filter: &str) {
    let title = format!("{}, {}", build.name(), physics.title());
    tally.announce(&format!("GDScript tests ({title})"));
    let outcome = start(engine, project, build, physics, &[format!("filter={filter}")]);
    let run = match outcome {
        Ok(run) => run,
        Err(error) => return tally.fail(&format!("GDScript tests ({title}): {error:#}")),
    };
    let saved =
        godot::save_log(&format!("godot-{}-{}", build.name(), physics.title().replace(' ', "")), &run.log);
    let report = log_scan::scan(&run.log);
    for test in &report.tests {
        tally.test("godot", &format!("{}::{}", test.file, test.test), &title, test.failure.as_deref());
    }
    for problem in &report.problems {
        tally.fail(&format!("GDScript tests ({title}), outside of tests: {problem}"));
    }
    if let Some(line) = run.log.lines().find(|line| line.starts_with("BUILD ")) {
        eprintln!("        {line}: {} tests", report.tests.len());
    }
    let failed = report.tests.iter().any(|test| test.failure.is_some());
    let fault = match (&run.fault, report.closed) {
        (Some(fault), _) if !failed || !report.closed => format!("the engine {fault}"),
        (None, false) => "the runner did not reach its end".to_owned(),
        _ if report.tests.is_empty() => "no test ran".to_owned(),
        _ => return,
    };
    // A filter that fits only Rust tests is no fault.
    if report.closed && report.tests.is_empty() && !filter.is_empty() && filter != PHYSICS_TESTS {
        return;
    }
    tally.fail(&format!("GDScript tests ({title}): {fault}; log {}", saved.unwrap_or_default()));
}

/// Runs the test project's main scene with arguments for the runner.
fn start(
    engine: &Engine,
    project: &Path,
    build: Build,
    physics: Physics,
    arguments: &[String],
) -> Result<Run> {
    fs::write(project.join("override.cfg"), physics.settings())?;
    // Verbose: it names what is left at its end.
    let mut all = ["--verbose", "--fixed-fps", "60", "--"].map(str::to_owned).to_vec();
    all.push(format!("build={}", build.name()));
    all.extend_from_slice(arguments);
    let run = godot::run(engine.command(), project, &all, LIMIT, |_| {})?;
    if !run.log.lines().any(|line| line.ends_with(&format!(", physics {}", physics.title()))) {
        let title = physics.title();
        bail!("the engine did not take the setting {title}:\n{}", crate::process::last_lines(&run.log, 20));
    }
    Ok(run)
}

/// Every test of the folder `selftest` breaks a rule; a pass means that the runner overlooks it.
fn must_fail(engine: &Engine, project: &Path) -> Result<()> {
    let run = start(engine, project, Build::Debug, PHYSICS[0], &["dir=res://selftest".to_owned()])?;
    godot::save_log("godot-selftest", &run.log)?;
    let report = log_scan::scan(&run.log);
    let overlooked: Vec<_> =
        report.tests.iter().filter(|test| test.failure.is_none()).map(|test| test.test.as_str()).collect();
    if report.tests.is_empty() || !report.closed {
        bail!("the self-test did not run");
    }
    if !overlooked.is_empty() {
        bail!("passed, but must fail: {}", overlooked.join(", "));
    }
    if !report.problems.iter().any(|problem| problem.contains("leaked")) {
        bail!("the leak that the self-test makes was not found in the log");
    }
    if run.fault.is_none() {
        bail!("the runner ended with exit code 0");
    }
    Ok(())
}
