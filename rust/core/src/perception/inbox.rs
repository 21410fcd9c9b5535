//! What a report asks of a perceiver.

use glam::DVec3;

use super::frame::Frame;
use super::perceiver::{Perceiver, PerceiverKey};
use super::reports::{Report, ReportQueue, Window};
use super::settings::PerceiverSettings;
use super::space::SpaceId;

/// What a report is compared with, in one line of memory: a noise among thousands is far from most of them, and those
/// should not cost more than this.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Inbox {
    /// The reports that hearing and damage take.
    pub(super) hearing: Window,
    pub(super) damage: Window,
    /// Number of the first report that it has not had.
    pub(super) next: u64,
    pub(super) key: PerceiverKey,
    /// Of the settings and the place: how far it hears, where it is, whether it is on.
    pub(super) radius: f64,
    pub(super) space: Option<SpaceId>,
    pub(super) enabled: bool,
}

impl Inbox {
    /// Of a perceiver that begins to take reports.
    pub(super) fn new(key: PerceiverKey, settings: &PerceiverSettings, head: u64) -> Self {
        Self {
            hearing: Window::new(settings.hearing_enabled, head),
            damage: Window::new(settings.damage_enabled, head),
            next: head,
            key,
            radius: settings.hearing_radius,
            space: None,
            enabled: settings.enabled,
        }
    }

    /// The perceiver's settings or its place changed.
    pub(super) fn refresh(&mut self, perceiver: &Perceiver) {
        self.radius = perceiver.settings.hearing_radius;
        self.space = perceiver.place.space;
        self.enabled = perceiver.settings.enabled;
    }
}

/// The reports of a tick, as far as it takes to find out who is out of their reach.
#[derive(Debug, Default)]
pub(super) struct Calls {
    /// Number of the first one.
    first: u64,
    /// Where each is, and by how much it stretches the hearing radius: without end for what is no noise.
    list: Vec<(DVec3, f64)>,
}

impl Calls {
    pub(super) fn clear(&mut self) {
        self.list.clear();
    }

    /// The reports from number `first` on.
    pub(super) fn take(&mut self, queue: &ReportQueue, first: u64) {
        self.first = first;
        self.list.extend(queue.since(first).map(|(_, report)| match report {
            Report::Noise { noise, .. } => (noise.location, noise.loudness),
            _ => (DVec3::ZERO, f64::INFINITY),
        }));
    }

    /// True if all reports from number `from` on are noises too far from a perceiver to be heard: it is as if they had
    /// not been.
    pub(super) fn are_far(&self, from: u64, frame: &Frame, (radius, tolerance): (f64, f64)) -> bool {
        let skip = from.saturating_sub(self.first) as usize;
        let far = |(location, loudness): &(DVec3, f64)| {
            frame.origin.distance(*location) > radius * loudness + tolerance
        };
        frame.is_finite() && self.list.iter().skip(skip).all(far)
    }
}
