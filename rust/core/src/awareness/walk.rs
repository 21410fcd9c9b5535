//! The stages from the senses to the order in one walk over the beliefs, where nobody has to be asked on the way.

use super::course::Course;
use super::kinds::ThreatLevel;
use super::mind::Mind;
use super::profile::{Profile, ThreatRule};
use super::relation::ByTags;
use super::threat::ThreatParts;

impl Course {
    /// True if relationship and threat of all beliefs follow from what is known here.
    pub(super) fn asks_nobody(&self, mind: &Mind, profile: &Profile) -> bool {
        let by_tags = !mind.strangers || !profile.relations.use_tags();
        by_tags && !mind.asks.relationship && profile.threat == ThreatRule::BuiltIn
    }

    /// Each belief goes through all stages up to the order. No stage looks at another belief, and events are put in
    /// order at the end, so the result is that of one stage after the other. `SENSES`: from the senses on, else from
    /// what fusion said.
    pub(super) fn walk<const SENSES: bool>(&mut self, mind: &mut Mind, profile: &Profile) {
        let Mind { beliefs, slots, overrides, events, .. } = &mut *mind;
        let (count, now) = (profile.senses.len(), self.moment.now);
        let mut highest = ThreatLevel::None;
        for (at, belief) in beliefs.iter_mut().enumerate() {
            if !belief.attached {
                belief.weather(profile, self.dt_of(belief), now);
                continue;
            }
            if SENSES {
                self.sense_one(belief, &mut slots[at * count..(at + 1) * count], profile);
            }
            self.settle_one(belief, profile, events);
            let agent = belief.target.agent;
            let overriding =
                overrides.iter().find(|(of, _)| *of == agent).map(|(_, relationship)| *relationship);
            let says = match belief.by_tags {
                ByTags::Says(relationship, source) => Some((relationship, source)),
                ByTags::Unknown | ByTags::Nothing => None,
            };
            belief.relate(&profile.relations, overriding, None, says);
            belief.weather(profile, self.dt_of(belief), now);
            let threat = ThreatParts::of(profile, belief).total();
            belief.threaten(profile, threat, events);
            belief.rank(profile, self.moment);
            highest = highest.max(belief.level);
        }
        self.put_in_order(mind, highest);
    }
}
