//! What is held, for saving.

use super::held::Origin;
use super::keys::Stage;
use super::plan::Trigger;
use super::recorder::{Entry, Recorder};
use crate::graph::Moment;
use crate::tags::TagId;

/// An input that is held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SavedHeld {
    /// Its tag.
    pub tag: TagId,
    /// For how long, in seconds.
    pub seconds: f64,
    /// By a device; else by a script.
    pub device: bool,
}

/// An input that is held and not pressed yet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SavedHold {
    /// Its tag.
    pub tag: TagId,
    /// For how long, in seconds.
    pub seconds: f64,
    /// By a device; else by a script.
    pub device: bool,
}

/// What a recorder holds. Events that wait for a tick are no part of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SavedInput {
    /// Held and pressed.
    pub held: Vec<SavedHeld>,
    /// Held, and not long enough yet.
    pub holds: Vec<SavedHold>,
}

impl Recorder {
    /// What is held now.
    pub fn save(&self, now: f64) -> SavedInput {
        let by_device = |origin: Origin| match origin {
            Origin::Input(at) => !self.keys.get(at).is_some_and(|key| key.pushed),
            Origin::Sequence(_) => true,
            Origin::Script => false,
        };
        let held = self.held.marks().iter().map(|mark| SavedHeld {
            tag: mark.tag,
            seconds: now - mark.since,
            device: by_device(mark.origin),
        });
        let waiting = self.keys.iter().zip(&self.plan.inputs).filter(|(key, _)| Self::is_waiting(key));
        let holds = waiting.map(|(key, input)| SavedHold {
            tag: input.tag,
            seconds: now - key.since,
            device: !key.pushed,
        });
        SavedInput { held: held.collect(), holds: holds.collect() }
    }

    /// Holds what was saved, and nothing else. What devices held and do not hold now is released in the next tick.
    pub fn restore(&mut self, saved: &SavedInput, now: f64) {
        let (hands, pose) = (self.hands.clone(), self.pose);
        self.clear();
        (self.hands, self.pose, self.unsettled) = (hands, pose, true);
        for held in &saved.held {
            let since = now - held.seconds;
            match self.key_for(held.tag, held.device) {
                Some(at) => {
                    self.keys[at].stage = Stage::Down;
                    self.keys[at].since = since;
                    self.held.add(held.tag, Origin::Input(at), since);
                }
                None if held.device => self.release_later(held.tag, now),
                None => self.held.add(held.tag, Origin::Script, since),
            }
        }
        for hold in &saved.holds {
            let Some(at) = self.key_for(hold.tag, hold.device) else { continue };
            if let Trigger::Hold(seconds) = self.plan.inputs[at].trigger {
                let key = &mut self.keys[at];
                key.since = now - hold.seconds;
                key.stage = Stage::Hold(key.since + seconds);
            }
        }
        self.look_ahead();
    }

    /// The input with this tag, if what held it does so now. A push by a script goes on.
    fn key_for(&mut self, tag: TagId, device: bool) -> Option<usize> {
        let at = self.plan.input_of(tag)?;
        let full = self.plan.inputs[at].full();
        if device {
            self.keys[at].mask = self.hands.mask(at);
        } else {
            self.keys[at].pushed = true;
        }
        self.keys[at].is_down(full).then_some(at)
    }

    /// Nothing holds it any more.
    fn release_later(&mut self, tag: TagId, now: f64) {
        self.held.add(tag, Origin::Script, now);
        self.group += 1;
        self.entries.push_back(Entry {
            tag,
            moment: Moment::Released,
            stick: self.pose.stick,
            direction: self.pose.direction,
            group: self.group,
            order: self.order,
            origin: Origin::Script,
            since: now,
        });
    }
}
