//! What every tick touches of every perceiver.

use crate::time::{TIME_TOLERANCE, expired};

use super::settings::PerceiverSettings;

/// What a tick looks at of a perceiver, kept together because there are thousands. How far its time has come stands in
/// [`Times`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    pub(super) time_scale: f64,
    pub(super) interval: f64,
    /// Its time when the first unsensed record will be forgotten.
    pub(super) forget_at: f64,
    /// The registry's epoch at which its records were last looked over.
    pub(super) epoch: u32,
    pub(super) flags: u16,
}

/// In the tree and not paused.
pub(super) const RUNS: u16 = 1;
/// Ticked by itself only.
pub(super) const MANUAL: u16 = 2;
/// Enabled, with sight on.
pub(super) const SCANS: u16 = 4;
/// Scans in the next tick, whatever the wait.
pub(super) const FORCED: u16 = 8;
/// Something to settle even without scan or report.
pub(super) const BUSY: u16 = 16;
/// Has records, or is making somebody out.
pub(super) const KNOWS: u16 = 32;
/// Its last tick changed what it knows.
pub(super) const CHANGED: u16 = 64;
/// Its last scan is not finished: the ray budget did not reach.
pub(super) const CARRIED: u16 = 128;
/// Earlier noises wait to be listened for.
pub(super) const LATE: u16 = 256;

impl Clock {
    pub(super) fn new(settings: &PerceiverSettings, epoch: u32) -> Self {
        let PerceiverSettings { time_scale, update_interval: interval, .. } = *settings;
        Self { time_scale, interval, forget_at: f64::INFINITY, epoch, flags: 0 }
    }

    /// True if it knows nobody, and nothing is left over from an earlier tick.
    pub(super) fn knows_nothing(&self) -> bool {
        self.flags & (BUSY | KNOWS | CHANGED | CARRIED | LATE) == 0
    }

    /// What settling does where nobody is known and nothing has come.
    pub(super) fn look_over(&mut self, epoch: u32) {
        self.forget_at = f64::INFINITY;
        self.epoch = epoch;
    }

    pub(super) fn has(&self, flag: u16) -> bool {
        self.flags & flag != 0
    }

    pub(super) fn set(&mut self, flag: u16, on: bool) {
        if on {
            self.flags |= flag;
        } else {
            self.flags &= !flag;
        }
    }

    /// True if it is ticked with the others.
    pub(super) fn goes_along(&self) -> bool {
        self.flags & (RUNS | MANUAL) == RUNS
    }

    /// Something is to be settled, scan or not: a flag says so, a record has grown too old, or a target may have become
    /// unavailable since the records were looked over.
    pub(super) fn is_busy(&self, time: f64, epoch: u32) -> bool {
        self.has(BUSY) || expired(time, self.forget_at) || (self.has(KNOWS) && self.epoch != epoch)
    }

    /// False if a scan would change nothing. `blind`: there is no source that counts.
    pub(super) fn may_find(&self, blind: bool) -> bool {
        !blind || self.has(KNOWS)
    }

    /// Moves the time of a perceiver that has nothing to do in this tick; false, and nothing moved, if it may have.
    /// Most perceivers rest in most ticks, so this is kept short.
    #[inline]
    pub(super) fn rest(&self, time: &mut f64, wait: &mut f64, dt: f64, epoch: u32) -> bool {
        let dt = dt * self.time_scale;
        let after = *time + dt;
        let stirs = (self.flags & (FORCED | BUSY | CARRIED | CHANGED) != 0)
            | (*wait <= TIME_TOLERANCE)
            | expired(after, self.forget_at)
            | (self.has(KNOWS) & (self.epoch != epoch));
        if !stirs {
            *time = after;
            *wait -= dt;
        }
        !stirs
    }

    /// Moves the time. True if a scan is due.
    pub(super) fn step(&mut self, time: &mut f64, wait: &mut f64, dt: f64) -> bool {
        let dt = dt * self.time_scale;
        *time += dt;
        self.flags &= !CHANGED;
        let may = dt > 0.0 || self.interval == 0.0;
        let due = may && *wait <= TIME_TOLERANCE;
        if due {
            *wait = (*wait + self.interval).max(0.0);
        }
        *wait -= dt;
        if self.flags & (FORCED | SCANS) == (FORCED | SCANS) {
            self.flags &= !FORCED;
            return true;
        }
        // A scan that falls due while the last one is not finished is none of its own.
        (due || (may && self.has(CARRIED))) && self.has(SCANS)
    }
}

/// How far the time of each perceiver has come. Each kind of number has a row of its own: where nobody has anything to
/// do, the processor moves several at once.
#[derive(Debug, Default)]
pub(super) struct Times {
    /// Its own time.
    pub(super) now: Vec<f64>,
    /// Time to the next scan.
    pub(super) wait: Vec<f64>,
    /// Its time scale; 0 for one that is not ticked with the others.
    rate: Vec<f64>,
    /// The interval of its scans; not 0 for one that is not ticked with the others.
    every: Vec<f64>,
}

impl Times {
    pub(super) fn push(&mut self, wait: f64) {
        self.now.push(0.0);
        self.wait.push(wait);
        self.rate.push(0.0);
        self.every.push(1.0);
    }

    pub(super) fn remove(&mut self, at: usize) {
        for row in [&mut self.now, &mut self.wait, &mut self.rate, &mut self.every] {
            row.remove(at);
        }
    }

    /// The clock of a perceiver is another one.
    pub(super) fn refresh(&mut self, at: usize, clock: &Clock) {
        let along = clock.goes_along();
        (self.rate[at], self.every[at]) = if along { (clock.time_scale, clock.interval) } else { (0.0, 1.0) };
    }

    /// Moves the times of all that tick together, where none of them has anything to do, by what [`Clock::step`] does:
    /// a scan that falls due sets the next one.
    pub(super) fn pass(&mut self, dt: f64) {
        let rows = self.now.iter_mut().zip(&mut self.wait).zip(self.rate.iter().zip(&self.every));
        for ((now, wait), (rate, every)) in rows {
            let dt = dt * rate;
            *now += dt;
            let due = (*wait <= TIME_TOLERANCE) & ((dt > 0.0) | (*every == 0.0));
            let next = *wait + every;
            let next = if next > 0.0 { next } else { 0.0 };
            *wait = if due { next } else { *wait } - dt;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(interval: f64, time_scale: f64) -> Clock {
        let settings =
            PerceiverSettings { update_interval: interval, time_scale, ..PerceiverSettings::default() };
        Clock { flags: RUNS | SCANS, ..Clock::new(&settings, 0) }
    }

    fn scans(dt: f64, interval: f64, ticks: u32) -> Vec<u32> {
        let (mut clock, mut time, mut wait) = (clock(interval, 1.0), 0.0, 0.0);
        (0..ticks).filter(|_| clock.step(&mut time, &mut wait, dt)).collect()
    }

    #[test]
    fn interval_zero_scans_every_tick_even_without_time() {
        assert_eq!(scans(0.0, 0.0, 3), [0, 1, 2]);
        assert_eq!(scans(0.0, 0.1, 3), [] as [u32; 0]);
        assert_eq!(scans(0.1, 0.0, 3), [0, 1, 2]);
    }

    #[test]
    fn times_pass_as_the_steps_of_each_clock_say() {
        let mut clocks: Vec<Clock> =
            [(0.1, 1.0), (0.1, 0.5), (0.0, 1.0), (0.0, 0.0), (0.25, 0.0), (0.01, 3.0)]
                .map(|(interval, scale)| clock(interval, scale))
                .into();
        let mut manual = clock(0.0, 1.0);
        manual.set(MANUAL, true);
        clocks.push(manual);
        let (mut passed, mut stepped) = (Times::default(), Times::default());
        for times in [&mut passed, &mut stepped] {
            for (at, clock) in clocks.iter().enumerate() {
                times.push(0.03 * at as f64);
                times.refresh(at, clock);
            }
        }
        for dt in [1.0 / 60.0, 0.0, 0.3, 1.0 / 60.0].into_iter().cycle().take(400) {
            passed.pass(dt);
            for (at, clock) in clocks.iter_mut().enumerate().filter(|(_, clock)| clock.goes_along()) {
                clock.step(&mut stepped.now[at], &mut stepped.wait[at], dt);
            }
            assert_eq!((&passed.now, &passed.wait), (&stepped.now, &stepped.wait));
        }
        assert_eq!((passed.now[6], passed.wait[6]), (0.0, 0.03 * 6.0), "a manual one has a time of its own");
    }
}
