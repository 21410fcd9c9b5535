//! Inputs that come in, from scripts and devices.

use glam::DVec2;

use super::calls::{Press, Reply};
use super::entry::Entry;
use super::state::Machine;
use super::walk::Origin;
use crate::graph::input::{Pushed, Stay};
use crate::graph::parts::PartsWorld;
use crate::graph::{Drop, Effect, InputResult, Moment};
use crate::tags::TagId;

impl Machine {
    /// An input that arrives now.
    pub(super) fn arrival(&mut self, tag: TagId, moment: Moment, stick: DVec2, direction: DVec2) -> Entry {
        let seq = self.next_seq;
        self.next_seq += 1;
        Entry {
            tag,
            moment,
            stick,
            direction,
            seq,
            born: self.clock.now,
            thawed: self.thawed,
            ages: self.recorder.plan().policy(tag).in_freeze == Stay::Age,
            combo: false,
            sequence: 0,
            ignores_grace: false,
        }
    }

    pub(super) fn arrival_of(&mut self, press: &Press, world: &PartsWorld) -> Entry {
        let direction = press.direction.filter(|way| way.is_finite()).unwrap_or(world.move_direction);
        self.arrival(press.tag, press.moment, press.stick.unwrap_or(world.stick), direction)
    }

    /// It is walked, or waits for the end of a hit-stop.
    pub(super) fn come_in(&mut self, entry: Entry, origin: Origin, world: &PartsWorld) {
        if self.clock.frozen <= 0.0 {
            if !self.drop_unanswered(&entry, origin, world) {
                self.walk_live(entry, origin);
            }
            return;
        }
        let dropped = self.recorder.plan().policy(entry.tag).in_freeze == Stay::Drop;
        let result = if dropped { InputResult::Dropped } else { InputResult::Buffered };
        if dropped {
            self.tell_dropped(&entry, Drop::Frozen, true);
        } else {
            self.frozen.push_back(entry);
            self.tell(Effect::InputBuffered { tag: entry.tag, moment: entry.moment });
        }
        match origin {
            Origin::Call => self.turn.reply.1 = Reply::Input(result),
            Origin::Device(group) => self.device_walked(group, result),
            Origin::Thaw | Origin::Own | Origin::Peer => {}
        }
    }

    /// A script's button.
    pub(super) fn push(&mut self, tag: TagId, pressed: bool, direction: Option<DVec2>, world: &PartsWorld) {
        let direction = direction.filter(|way| way.is_finite()).unwrap_or(world.move_direction);
        let pushed = self.recorder.push(tag, pressed, Some(direction), self.clock.now);
        let result = if pushed == Pushed::Waits { InputResult::Buffered } else { InputResult::Dropped };
        self.turn.reply.1 = Reply::Input(result);
        self.turn.pushing = true;
        self.turn.device.get_or_insert(false);
    }

    /// An input of the recorder was walked: its alternatives are left out unless it was dropped.
    pub(super) fn device_walked(&mut self, group: u64, result: InputResult) {
        if result == InputResult::Dropped {
            return;
        }
        self.recorder.taken(group);
        if std::mem::take(&mut self.turn.pushing) {
            self.turn.reply.1 = Reply::Input(result);
        }
    }

    /// The next input of the recorder. False: there is none.
    pub(super) fn step_device(&mut self, world: &PartsWorld) -> bool {
        let Some(feeds) = self.turn.device else { return false };
        if let Some(one) = self.recorder.next_entry() {
            if self.is_replaying() {
                return true;
            }
            self.record_entry(Press {
                tag: one.tag,
                moment: one.moment,
                direction: Some(one.direction),
                stick: Some(one.stick),
            });
            let entry = self.arrival(one.tag, one.moment, one.stick, one.direction);
            self.come_in(entry, Origin::Device(one.group), world);
            return true;
        }
        if feeds && self.recorder.feed(self.clock.now) {
            return true;
        }
        self.turn.device = None;
        self.turn.pushing = false;
        false
    }

    /// All waiting inputs are dropped.
    pub(super) fn clear_waiting(&mut self) {
        while let Some(entry) = self.take_waiting(|_| true) {
            self.tell_dropped(&entry, Drop::Cleared, false);
        }
    }

    pub(super) fn drop_in_pause(&mut self) {
        let plan = self.recorder.plan().clone();
        while let Some(entry) = self.take_waiting(|entry| plan.policy(entry.tag).in_pause == Stay::Drop) {
            self.tell_dropped(&entry, Drop::Cleared, false);
        }
    }

    fn take_waiting(&mut self, wanted: impl Fn(&Entry) -> bool) -> Option<Entry> {
        if let Some(at) = self.waiting.iter().position(&wanted) {
            return Some(self.waiting.remove(at));
        }
        let at = self.frozen.iter().position(&wanted)?;
        self.frozen.remove(at)
    }
}
