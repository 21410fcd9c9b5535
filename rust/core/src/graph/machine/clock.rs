//! The instants at which something happens by itself.

use super::run::Run;
use super::state::Machine;
use crate::graph::Effect;
use crate::time::TIME_TOLERANCE;

impl Machine {
    /// Works off one thing that is due in this instant. False: there is none.
    pub(super) fn due_now(&mut self) -> bool {
        if self.clock.frozen > 0.0 {
            return false;
        }
        let now = self.clock.now;
        if self.recorder.next_boundary().is_some_and(|due| now >= due - TIME_TOLERANCE) {
            self.recorder.reach(now);
            // A replay has no devices.
            self.reel.place.step -= 1;
            self.turn.device.get_or_insert(false);
            return true;
        }
        if let Some((key, again)) = self.cooldowns.take_due(now) {
            self.tell(Effect::CooldownExpired { key: key.clone() });
            if let Some(duration) = again {
                self.tell(Effect::CooldownStarted { key, duration });
            }
            return true;
        }
        self.due_in_run()
    }

    fn due_in_run(&mut self) -> bool {
        let time = self.clock.node;
        let Some(run) = self.run.as_mut() else { return false };
        if run.done {
            // A state was taken over and its payload did not live on.
            self.complete();
            return true;
        }
        if let Some(name) = run.take_due_marker(time) {
            let (run, node) = (run.id, run.node);
            self.tell(Effect::Marker { run, node, name });
            return true;
        }
        if let Some(window) = run.take_due_window(time) {
            let kind = window.kind.clone();
            if self.open.add(window) {
                self.tell(Effect::WindowOpened(kind.clone()));
                self.scan_window(kind);
            }
            return true;
        }
        if let Some(closed) = self.open.close_due(time) {
            if let Some(kind) = closed {
                self.tell(Effect::WindowClosed(kind));
            }
            return true;
        }
        if time >= run.end() - TIME_TOLERANCE {
            self.complete();
            return true;
        }
        if time >= run.next_period() - TIME_TOLERANCE {
            run.wrap();
            return true;
        }
        false
    }

    /// Node time at which something happens in a run.
    pub(super) fn next_in_run(&self, run: &Run) -> f64 {
        if run.done {
            return self.clock.node;
        }
        let windows = run.next_open().min(self.open.next_close());
        windows.min(run.next_mark()).min(run.end()).min(run.next_period())
    }

    /// Scaled seconds until the next instant.
    pub(super) fn next_instant(&self) -> f64 {
        if self.clock.frozen > 0.0 {
            return self.clock.frozen.min(self.next_expiry(true)).max(0.0);
        }
        let now = self.clock.now;
        let recorder = self.recorder.next_boundary().unwrap_or(f64::INFINITY);
        let mut ahead = (recorder.min(self.cooldowns.next_due()) - now).min(self.next_expiry(false));
        let speed = self.settings.action_speed;
        if let Some(run) = self.run.as_ref().filter(|_| speed > 0.0) {
            ahead = ahead.min((self.next_in_run(run) - self.clock.node) / speed);
        }
        ahead.max(0.0)
    }
}
