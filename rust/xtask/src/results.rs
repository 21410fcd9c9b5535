//! The outcome of each test of the last full run, kept for `cargo xtask matrix`.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::paths;

/// Outcomes by name: `core:path::of::test`, `godot:test_file.gd::test_name`.
#[derive(Debug, Default)]
pub struct Results {
    outcomes: BTreeMap<String, bool>,
}

impl Results {
    /// Adds an outcome. A test that runs several times passed if it always did.
    pub fn add(&mut self, family: &str, name: &str, passed: bool) {
        let entry = self.outcomes.entry(format!("{family}:{name}")).or_insert(true);
        *entry &= passed;
    }

    /// Whether the test passed; none if it did not run. A Rust test may be named by the end of its path.
    pub fn passed(&self, name: &str) -> Option<bool> {
        if let Some(passed) = self.outcomes.get(name) {
            return Some(*passed);
        }
        let (family, test) = name.split_once(':')?;
        let tail = format!("::{test}");
        let mut fitting = self
            .outcomes
            .iter()
            .filter(|(full, _)| full.strip_prefix(family).is_some_and(|path| path.starts_with(':')))
            .filter(|(full, _)| full.ends_with(&tail))
            .map(|(_, passed)| *passed)
            .peekable();
        fitting.peek()?;
        Some(fitting.all(|passed| passed))
    }

    /// How many tests ran.
    pub fn count(&self) -> usize {
        self.outcomes.len()
    }

    /// Writes them for later commands.
    pub fn save(&self) -> Result<()> {
        let lines = self.outcomes.iter().map(|(name, passed)| {
            let word = if *passed { "passed" } else { "failed" };
            format!("{word} {name}\n")
        });
        fs::create_dir_all(paths::work())?;
        fs::write(file(), lines.collect::<String>())?;
        Ok(())
    }

    /// Those of the last full run.
    pub fn load() -> Result<Self> {
        let text = fs::read_to_string(file()).context("no results yet; run `cargo xtask test` first")?;
        let mut results = Self::default();
        for line in text.lines() {
            if let Some((word, name)) = line.split_once(' ') {
                results.outcomes.insert(name.to_owned(), word == "passed");
            }
        }
        Ok(results)
    }
}

fn file() -> PathBuf {
    paths::work().join("results.txt")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_tests_by_path_or_its_end() {
        let mut results = Results::default();
        results.add("core", "perception::tests::ex_10_4", true);
        results.add("godot", "test_a.gd::test_x", true);
        results.add("godot", "test_a.gd::test_x", false);
        assert_eq!(results.passed("core:ex_10_4"), Some(true));
        assert_eq!(results.passed("core:perception::tests::ex_10_4"), Some(true));
        assert_eq!(results.passed("core:x_10_4"), None);
        assert_eq!(results.passed("godot:ex_10_4"), None);
        assert_eq!(results.passed("godot:test_a.gd::test_x"), Some(false));
    }
}
