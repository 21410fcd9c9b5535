//! The checks that need no engine.

use std::process::Command;

use anyhow::{Result, bail};

use super::tally::Tally;
use crate::process::{self, cargo};
use crate::{library, paths};

/// With the class help on, everything uses the dependencies that the debug library is built with.
const FEATURES: [&str; 2] = ["--features", "riposte-godot/editor-docs"];

fn logged(command: &mut Command, name: &str) -> Result<()> {
    process::run_logged(command, &paths::work().join("logs").join(format!("{name}.log")))
}

/// `cargo fmt --check`.
pub fn format(tally: &mut Tally) {
    tally.check("format", || logged(cargo().args(["fmt", "--all", "--", "--check"]), "format"));
}

/// The core must build alone and reach no engine crate.
pub fn core_alone(tally: &mut Tally) {
    tally.check("the core knows no engine", || {
        let mut command = cargo();
        command.args(["tree", "-p", "riposte-core", "-e", "all", "--target", "all", "--prefix", "none"]);
        let tree = process::output(&mut command)?;
        let engine: Vec<_> = tree.lines().filter(|line| line.starts_with("godot")).collect();
        if !engine.is_empty() {
            bail!("riposte-core depends on {}", engine.join(", "));
        }
        logged(cargo().args(["check", "-p", "riposte-core"]), "core-alone")
    });
}

/// Clippy with warnings denied.
pub fn lints(tally: &mut Tally) {
    tally.check("lints", || {
        let mut command = cargo();
        command.args(["clippy", "--workspace", "--all-targets"]).args(FEATURES);
        logged(command.args(["--", "-D", "warnings"]), "clippy")
    });
}

/// rustdoc with warnings denied.
pub fn documentation(tally: &mut Tally) {
    tally.check("documentation", || {
        let mut command = cargo();
        command.args(["doc", "--workspace", "--no-deps"]).args(FEATURES).env("RUSTDOCFLAGS", "-D warnings");
        logged(&mut command, "doc")
    });
}

/// What property tests draw from, so that a run can be repeated. Another seed by the variable of its name.
const PROPERTY_SEED: (&str, &str) = ("PROPTEST_RNG_SEED", "1");

/// The Rust tests of all crates.
pub fn tests(tally: &mut Tally, filter: Option<&str>) {
    tally.announce("Rust tests");
    let mut command = cargo();
    command.args(["test", "--workspace", "--no-fail-fast"]).args(FEATURES);
    if let Some(filter) = filter {
        command.args(["--", filter]);
    }
    if std::env::var_os(PROPERTY_SEED.0).is_none() {
        command.env(PROPERTY_SEED.0, PROPERTY_SEED.1);
    }
    let outcome = logged(&mut command, "rust-tests");
    let log = paths::work().join("logs/rust-tests.log");
    let text = std::fs::read_to_string(&log).unwrap_or_default();
    let results = test_results(&text);
    for (name, passed) in &results {
        let failure = (!passed).then(|| format!("see {}", library::shorten(&log)));
        tally.test("core", name, "Rust", failure.as_deref());
    }
    let seen_failure = results.iter().any(|(_, passed)| !passed);
    match outcome {
        Err(error) if !seen_failure => tally.fail(&format!("Rust tests: {error:#}")),
        Ok(()) if results.is_empty() && filter.is_none() => tally.fail("Rust tests: no test ran"),
        _ => {}
    }
}

/// The names and outcomes in the output of Rust's test harness. Ignored tests did not run.
fn test_results(text: &str) -> Vec<(String, bool)> {
    text.lines()
        .filter_map(|line| {
            let (name, outcome) = line.strip_prefix("test ")?.rsplit_once(" ... ")?;
            let passed = match outcome {
                "ok" => true,
                "FAILED" => false,
                _ => return None,
            };
            Some((name.trim_end_matches(" - should panic").to_owned(), passed))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_test_harness() {
        let text = "running 3 tests\ntest a::ex_10_1 ... ok\ntest a::b - should panic ... ok\ntest a::c ... FAILED\n\
            test a::d ... ignored\ntest src/lib.rs - x (line 3) ... ok\ntest result: ok. 2 passed\n";
        let expected =
            [("a::ex_10_1", true), ("a::b", true), ("a::c", false), ("src/lib.rs - x (line 3)", true)];
        let expected: Vec<_> = expected.into_iter().map(|(name, passed)| (name.to_owned(), passed)).collect();
        assert_eq!(test_results(text), expected);
    }
}
