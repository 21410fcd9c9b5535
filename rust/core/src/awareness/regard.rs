//! The stages of an update that say what a target is to the agent and how dangerous it is.

use super::belief::Belief;
use super::course::{Course, Inquiry, Stage, unit};
use super::kinds::{Relationship, ThreatLevel};
use super::mind::Mind;
use super::profile::{Profile, RelationRules, ThreatRule};
use super::question::{Event, Problem, Question};
use super::relation::{ByTags, RelationSource};
use super::threat::{ThreatParts, level};

impl Course {
    pub(super) fn relate(&mut self, mind: &mut Mind, profile: &Profile) -> Option<Question> {
        let tags_matter = profile.relations.use_tags();
        while let Some(belief) = self.next_live(mind) {
            let (target, by_tags) = (belief.target, belief.by_tags);
            let overriding = mind.override_of(target.agent);
            match self.inquiry {
                Inquiry::Start => {
                    self.inquiry = Inquiry::AdapterKnown(None);
                    if mind.asks.relationship && overriding.is_none() {
                        self.inquiry = Inquiry::Start;
                        return Some(Question::Relationship { target });
                    }
                }
                Inquiry::AdapterKnown(adapter) => {
                    if let ByTags::Says(relationship, source) = by_tags {
                        self.inquiry = Inquiry::TagsKnown(adapter, Some((relationship, source)));
                        continue;
                    }
                    let open = by_tags == ByTags::Unknown && overriding.or(adapter).is_none();
                    if open && tags_matter {
                        return Some(Question::Identity { agent: target.agent });
                    }
                    self.inquiry = Inquiry::TagsKnown(adapter, None);
                }
                Inquiry::TagsKnown(adapter, says) => {
                    self.become_related(mind, profile, (overriding, adapter, says));
                }
            }
        }
        self.go(Stage::Weigh);
        None
    }

    pub(super) fn take_relationship(&mut self, mind: &mut Mind, value: i64) {
        let adapter = Relationship::from_int(value);
        if adapter.is_none() {
            mind.problems.push(Problem::Relationship(value));
        }
        self.inquiry = Inquiry::AdapterKnown(adapter);
    }

    /// Nobody answered: neither adapter nor tags say anything.
    pub(super) fn take_nothing(&mut self) {
        self.inquiry = match self.inquiry {
            Inquiry::AdapterKnown(adapter) => Inquiry::TagsKnown(adapter, None),
            Inquiry::Start | Inquiry::TagsKnown(..) => Inquiry::AdapterKnown(None),
        };
    }

    fn become_related(
        &mut self,
        mind: &mut Mind,
        profile: &Profile,
        (overriding, adapter, says): (
            Option<Relationship>,
            Option<Relationship>,
            Option<(Relationship, RelationSource)>,
        ),
    ) {
        if let Some(belief) = mind.beliefs.get_mut(self.at) {
            belief.relate(&profile.relations, overriding, adapter, says);
        }
        self.inquiry = Inquiry::Start;
        self.at += 1;
    }

    pub(super) fn weigh(&mut self, mind: &mut Mind, profile: &Profile) -> Option<Question> {
        for belief in &mut mind.beliefs {
            let dt = self.dt_of(belief);
            belief.weather(profile, dt, self.moment.now);
        }
        self.go(Stage::Threat);
        None
    }

    pub(super) fn threaten(&mut self, mind: &mut Mind, profile: &Profile) -> Option<Question> {
        while let Some(belief) = self.next_live(mind) {
            let relationship = belief.relationship;
            if profile.threat == ThreatRule::Script && !relationship.is_friend() {
                return Some(Question::Threat { belief: belief.key(), relationship });
            }
            self.built_in_threat(mind, profile);
        }
        self.go(Stage::Rank);
        None
    }

    pub(super) fn built_in_threat(&mut self, mind: &mut Mind, profile: &Profile) {
        let threat = mind.beliefs.get(self.at).map_or(0.0, |belief| ThreatParts::of(profile, belief).total());
        self.set_threat(mind, profile, threat);
    }

    pub(super) fn take_threat(&mut self, mind: &mut Mind, profile: &Profile, value: f64) {
        if value.is_nan() {
            mind.problems.push(Problem::Threat(value));
        }
        self.set_threat(mind, profile, unit(value));
    }

    fn set_threat(&mut self, mind: &mut Mind, profile: &Profile, threat: f64) {
        if let Some(belief) = mind.beliefs.get_mut(self.at) {
            belief.threaten(profile, threat, &mut mind.events);
        }
        self.at += 1;
    }
}

impl Belief {
    /// What the target is to the agent, after everybody who may say so was asked.
    pub(super) fn relate(
        &mut self,
        rules: &RelationRules,
        overriding: Option<Relationship>,
        adapter: Option<Relationship>,
        says: Option<(Relationship, RelationSource)>,
    ) {
        if self.hurt > 0.0 && rules.turn_hostile_on_damage && !self.turned_hostile {
            let (before, _) = rules.relate(overriding, adapter, says, false);
            self.turned_hostile = matches!(before, Relationship::Unknown | Relationship::Neutral);
        }
        (self.relationship, self.relationship_source) =
            rules.relate(overriding, adapter, says, self.turned_hostile);
    }

    /// Takes a threat over, and tells another level.
    pub(super) fn threaten(&mut self, profile: &Profile, threat: f64, events: &mut Vec<Event>) {
        let previous = self.level;
        let friend = self.relationship.is_friend();
        self.threat = if friend { 0.0 } else { threat };
        self.level = if friend { ThreatLevel::None } else { level(profile, previous, threat) };
        if self.level != previous {
            events.push(Event::Level {
                belief: self.key(),
                target: self.target,
                previous,
                level: self.level,
            });
        }
    }
}
