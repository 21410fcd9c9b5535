//! `cargo xtask test`: every check of the project, in one run.

mod demo_log;
mod editor;
mod gdscript;
mod rust;
mod tally;

use anyhow::{Result, bail};

use crate::args::Args;
use crate::library::Build;
use crate::{api, engine, icons, library, matrix};
use tally::Tally;

/// The help text.
pub const HELP: &str = "\
usage: cargo xtask test [--filter TEXT]

Checks the format, the lints, the Rust tests, the documentation, and that the core
knows no engine; builds both libraries, imports both projects from nothing, runs
the GDScript tests against both libraries (those with `_physics` in the name of
the file or test under both 3D physics engines, each also on its own thread) and
the editor tests in an editor without a window, compares the demos' logs between
runs and builds, docs/api, docs/reference and the icons with the classes, and
docs/feature-matrix.md with the tests that passed. The last line is
`N passed, N failed`; the exit code is 0 only if nothing failed. Logs are in
target/xtask/logs.

  --filter TEXT   only the Rust and GDScript tests with TEXT in the name of the
                  test or of its file, with the debug library";

/// Runs the command.
pub fn command(mut args: Args) -> Result<()> {
    let filter = args.value("--filter")?;
    args.finish()?;
    let mut tally = Tally::new();
    match &filter {
        Some(filter) => some(&mut tally, filter),
        None => everything(&mut tally)?,
    }
    if tally.results.count() == 0 {
        tally.fail("no test ran");
    }
    if !tally.close() {
        bail!("not everything passed");
    }
    Ok(())
}

/// The quick loop: some tests, the debug library, the import of the last run.
fn some(tally: &mut Tally, filter: &str) {
    rust::tests(tally, Some(filter));
    let Some(engine) = tally.check("an engine", engine::ensure) else {
        return;
    };
    if tally.check("debug library", || library::ensure(Build::Debug)).is_some() {
        gdscript::quick(tally, &engine, filter);
        if filter.contains("editor") {
            editor::all(tally, &engine);
        }
    }
}

fn everything(tally: &mut Tally) -> Result<()> {
    rust::format(tally);
    rust::core_alone(tally);
    rust::lints(tally);
    rust::tests(tally, None);
    rust::documentation(tally);
    let built: Vec<Build> = [Build::Debug, Build::Release]
        .into_iter()
        .filter(|build| {
            tally.check(&format!("{} library", build.name()), || library::ensure(*build)).is_some()
        })
        .collect();
    if let Some(engine) = tally.check("an engine", engine::ensure) {
        for build in &built {
            gdscript::all(tally, &engine, *build);
        }
        if built.contains(&Build::Debug) {
            editor::all(tally, &engine);
        }
        if built.len() == 2 {
            demo_log::compare(tally, &engine);
        }
        if built.contains(&Build::Debug)
            && let Some(classes) = tally.check("the engine lists the classes", || api::make(&engine))
        {
            tally.check("icons of node classes", || icons::check(&classes.known));
            tally.check_or_skip("class reference", || api::check(&engine, &classes));
        }
    }
    tally.results.save()?;
    let results = std::mem::take(&mut tally.results);
    tally.check("feature matrix", || matrix::check(&results));
    tally.results = results;
    Ok(())
}
