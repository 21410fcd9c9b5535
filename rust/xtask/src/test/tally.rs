//! Counts what passed and failed, and says so while it goes on.

use std::time::Instant;

use anyhow::Result;

use crate::results::Results;

/// The state of one `cargo xtask test`.
pub struct Tally {
    start: Instant,
    passed: u32,
    failures: Vec<String>,
    skipped: Vec<String>,
    /// The outcome of every test by name, for the matrix.
    pub results: Results,
}

impl Tally {
    /// Nothing counted yet.
    pub fn new() -> Self {
        Self {
            start: Instant::now(),
            passed: 0,
            failures: Vec::new(),
            skipped: Vec::new(),
            results: Results::default(),
        }
    }

    /// Says what begins now.
    pub fn announce(&self, name: &str) {
        let seconds = self.start.elapsed().as_secs();
        eprintln!("[{:>2}:{:02}] {name}", seconds / 60, seconds % 60);
    }

    /// Runs a check that counts as one; its value if it passed.
    pub fn check<T>(&mut self, name: &str, body: impl FnOnce() -> Result<T>) -> Option<T> {
        self.announce(name);
        match body() {
            Ok(value) => {
                self.passed += 1;
                Some(value)
            }
            Err(error) => {
                self.fail(&format!("{name}: {error:#}"));
                None
            }
        }
    }

    /// Counts a failure.
    pub fn fail(&mut self, message: &str) {
        eprintln!("FAILED {message}");
        self.failures.push(message.to_owned());
    }

    /// Counts a test of `family` (`core`, `godot`); `run` says in which of its runs.
    pub fn test(&mut self, family: &str, name: &str, run: &str, failure: Option<&str>) {
        self.results.add(family, name, failure.is_none());
        match failure {
            None => self.passed += 1,
            Some(why) => self.fail(&format!("{name} [{run}]: {why}")),
        }
    }

    /// Runs a check that may not be possible here; it then gives the reason and counts as neither.
    pub fn check_or_skip(&mut self, name: &str, body: impl FnOnce() -> Result<Option<String>>) {
        if let Some(Some(reason)) = self.check(name, body) {
            self.passed -= 1;
            eprintln!("skipped {name}: {reason}");
            self.skipped.push(format!("{name}: {reason}"));
        }
    }

    /// Prints the summary and the closing line; true if all is well.
    pub fn close(self) -> bool {
        let seconds = self.start.elapsed().as_secs();
        println!("\nfinished after {} min {} s", seconds / 60, seconds % 60);
        for message in &self.skipped {
            println!("skipped {message}");
        }
        for message in &self.failures {
            println!("FAILED {}", message.lines().next().unwrap_or_default());
        }
        println!("{} passed, {} failed", self.passed, self.failures.len());
        self.failures.is_empty() && self.passed > 0
    }
}
