//! What all benchmarks of the core share: medians and the lines they print.
//!
//! The lines are those of the benchmarks in the engine: `raw`, `ratio`, `same` or `DIFFERS`.

#![allow(dead_code, reason = "every benchmark uses its part of it")]

use std::time::Instant;

/// Times of one benchmark, by contestant, taken round by round.
pub struct Report {
    row: &'static str,
    times: Vec<(&'static str, Vec<f64>)>,
    failed: bool,
}

impl Report {
    /// An empty report for a row.
    pub fn new(row: &'static str) -> Self {
        Self { row, times: Vec::new(), failed: false }
    }

    /// Adds what a contestant took in the current round, in microseconds.
    pub fn add(&mut self, contestant: &'static str, micros: f64) {
        match self.times.iter_mut().find(|times| times.0 == contestant) {
            Some(times) => times.1.push(micros),
            None => self.times.push((contestant, vec![micros])),
        }
    }

    /// Runs a contestant and adds what it took, divided by `parts`.
    pub fn time<T>(&mut self, contestant: &'static str, parts: f64, run: impl FnOnce() -> T) -> T {
        let begin = Instant::now();
        let result = run();
        self.add(contestant, begin.elapsed().as_secs_f64() * 1e6 / parts);
        result
    }

    /// Prints the medians. Raw data: they say something about this machine only.
    pub fn print_raw(&self) {
        for (contestant, times) in &self.times {
            let (row, rounds) = (self.row, times.len());
            println!("raw   {row}: {contestant}, median of {rounds}: {:.1} us", median(times));
        }
    }

    /// Prints how often `unit` fits into `contestant`: the median of the ratios of the single rounds.
    pub fn print_ratio(&self, contestant: &str, unit: &str, target: &str) {
        let find = |name: &str| self.times.iter().find(|times| times.0 == name).map(|times| &times.1);
        let (Some(a), Some(b)) = (find(contestant), find(unit)) else {
            return println!("ratio {}: {contestant} / {unit} was not measured", self.row);
        };
        let ratios: Vec<f64> = a.iter().zip(b).map(|(a, b)| a / b.max(1e-3)).collect();
        self.print_number(&format!("{contestant} / {unit}"), median(&ratios), target);
    }

    /// Prints a number that is a ratio already.
    pub fn print_number(&self, what: &str, value: f64, target: &str) {
        let target = if target.is_empty() { String::new() } else { format!("  (target {target})") };
        println!("ratio {}: {what} = {value:.2}{target}", self.row);
    }

    /// Prints a comparison of results; a difference fails the benchmark.
    pub fn print_same(&mut self, what: &str, compared: usize, different: usize) {
        let good = different == 0 && compared > 0;
        let word = if good { "same " } else { "DIFFERS" };
        println!("{word} {}: {what}, {compared} compared, {different} differ", self.row);
        self.failed |= !good;
    }

    /// Ends the program with an error if results differed.
    pub fn finish(self) {
        if self.failed {
            std::process::exit(1);
        }
    }
}

/// The middle value.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => 0.0,
        count if count % 2 == 1 => sorted[count / 2],
        count => (sorted[count / 2 - 1] + sorted[count / 2]) * 0.5,
    }
}

/// Reproducible numbers.
pub struct Random(u64);

impl Random {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number from `low` to `high`.
    pub fn range(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(1);
        low + (high - low) * riposte_core::random::unit(riposte_core::random::mix(self.0))
    }
}
