//! Times and counts.

/// Microseconds and counts of some steps.
#[derive(Clone, Copy, Default)]
pub struct Cost {
    pub begin: f64,
    pub read: f64,
    pub look: f64,
    pub ask: f64,
    pub finish: f64,
    pub scans: f64,
    pub tests: f64,
    pub questions: f64,
    pub events: f64,
    pub most_scans: f64,
    pub most_rays: f64,
    pub longest_wait: f64,
}

impl Cost {
    pub fn total(&self) -> f64 {
        self.begin + self.read + self.look + self.ask + self.finish
    }

    /// Per scan: everything that is not done once per step for the sources.
    pub fn maths_per_scan(&self) -> f64 {
        self.look / self.scans.max(1.0)
    }
}

/// Adds the time since the last lap.
pub struct Lap(std::time::Instant);

impl Lap {
    pub fn start() -> Self {
        Self(std::time::Instant::now())
    }

    pub fn lap(&mut self, sum: &mut f64) {
        let now = std::time::Instant::now();
        *sum += (now - self.0).as_secs_f64() * 1e6;
        self.0 = now;
    }
}
