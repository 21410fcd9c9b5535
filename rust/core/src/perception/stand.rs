//! What every tick reads of a source that counts.

use glam::DVec3;

use super::registry::Registry;
use super::senses::{Senses, Stance};
use super::settings::SourceSettings;
use super::space::SpaceId;
use super::target::{Source, SourceKey, Target, TargetRef};

/// What a snapshot takes of a source and its target, in one row for all that count: between two ticks the game throws
/// everything out of the caches, and what lies in a row is fetched while it is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stand {
    pub(super) key: SourceKey,
    pub(super) target: TargetRef,
    pub(super) space: SpaceId,
    /// Where aim point 0 is.
    pub(super) offset: DVec3,
    pub(super) scale: f64,
    pub(super) detection_scale: f64,
    /// Height of the offset points when crouched and prone.
    pub(super) scales: [f64; 2],
    /// The marks of its agent and the nodes above it.
    pub(super) marks: u64,
    /// It can be seen, as far as its registered senses go.
    pub(super) visible: bool,
    /// It has more aim points than one.
    pub(super) has_more_points: bool,
    pub(super) stance: Stance,
    pub(super) asks_stance: bool,
    pub(super) asks_points: bool,
}

impl Stand {
    fn of(source: &Source, target: &Target) -> Option<Self> {
        let settings = &source.settings;
        Some(Self {
            key: source.key,
            target: target.reference,
            space: source.space.filter(|_| source.live())?,
            offset: settings.sight_target_offset,
            scale: settings.sight_range_scale,
            detection_scale: settings.detection_scale,
            scales: [settings.crouched_point_scale, settings.prone_point_scale],
            marks: target.marks,
            visible: settings.senses().intersects(Senses::SIGHT),
            has_more_points: !settings.extra_aim_points.is_empty(),
            stance: settings.stance,
            asks_stance: settings.asks_stance,
            asks_points: settings.has_node_points,
        })
    }
}

/// The stands of the sources that count, in their order.
#[derive(Debug, Default)]
pub(super) struct Stands {
    rows: Vec<Stand>,
    /// Something of what they say may have changed.
    pub(super) stale: bool,
}

impl Registry {
    /// Brings the stands up to date.
    pub(super) fn refresh_stands(&mut self) {
        if !std::mem::take(&mut self.stands.stale) {
            return;
        }
        let mut rows = std::mem::take(&mut self.stands.rows);
        rows.clear();
        self.active();
        rows.extend(self.known_active().iter().filter_map(|key| self.stand_of(*key)));
        self.stands.rows = rows;
    }

    /// The stand of a source that can be sensed; it is looked for at this place first.
    pub(super) fn stand(&self, at: usize, key: SourceKey) -> Option<Stand> {
        let known = self.stands.rows.get(at).filter(|stand| stand.key == key && !self.stands.stale);
        known.copied().or_else(|| self.stand_of(key))
    }

    fn stand_of(&self, key: SourceKey) -> Option<Stand> {
        let source = self.source(key)?;
        Stand::of(source, self.target(source.target?)?)
    }

    /// The settings of a source that has more than a stand tells.
    pub(super) fn settings_of(&self, stand: &Stand) -> Option<&SourceSettings> {
        let more = stand.has_more_points;
        self.source(stand.key).filter(|_| more).map(|source| &source.settings)
    }
}
