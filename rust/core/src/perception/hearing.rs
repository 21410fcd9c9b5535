//! Hearing: who hears which noise, and what bodies in between leave of it.

use glam::DVec3;

use crate::tags::TagSet;

use super::ask::Muffling;
use super::perceiver::{Perceiver, PerceiverKey};
use super::record::Stimulus;
use super::registry::Registry;
use super::reports::{Noise, Report};
use super::senses::Senses;
use super::settle::Settling;
use super::space::{Space, SpaceId};
use super::target::{NodeId, TargetRef};
use super::tick::{Busy, Tick};
use super::world::PerceptionWorld;

/// A noise that reaches a perceiver if no body is in between.
struct Audible {
    /// The target that it is about, if it is about one.
    source: Option<TargetRef>,
    distance: f64,
    /// Up to where it is heard.
    reach: f64,
}

/// A noise that somebody listens for through bodies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ear {
    /// Number of the report.
    number: u64,
    perceiver: PerceiverKey,
    space: SpaceId,
    from: DVec3,
    eye: DVec3,
    instigator: NodeId,
    most: u32,
    /// Bodies in between, once that is known.
    pub(super) bodies: Option<u32>,
}

impl Ear {
    pub(super) fn question(&self) -> Muffling {
        let Self { perceiver, space, from, eye, instigator, most, .. } = *self;
        Muffling { perceiver, space, from, eye, instigator, most }
    }
}

impl Perceiver {
    /// What a noise is to a perceiver at `origin`, bodies in between left aside.
    fn hears(
        &self,
        registry: &Registry,
        space: Space,
        origin: DVec3,
        (noise, source, identity): (&Noise, Option<TargetRef>, &TagSet),
    ) -> Option<Audible> {
        let tags = &self.affiliation.noises;
        if self.place.space != Some(noise.space) || !(tags.is_empty() || noise.tag.matches_any(tags)) {
            return None;
        }
        let reach = self.settings.hearing_radius * noise.loudness;
        let distance = origin.distance(noise.location);
        if distance > reach + space.tolerance() {
            return None;
        }
        let kin = source.and_then(|target| registry.target(target.key));
        let agent = self.place.agent;
        if noise.lineage.contains(&agent) || kin.is_some_and(|it| it.belongs_to(agent)) {
            return None;
        }
        // An instigator that is gone by now leaves the noise of a place.
        let source = source.filter(|target| registry.reach(target.key, agent) == self.place.space);
        let identity = if source.is_some() { identity } else { &noise.tag };
        self.affiliation.accepts(identity).then_some(Audible { source, distance, reach })
    }
}

impl PerceptionWorld {
    /// Finds out who must listen for which noise through bodies.
    pub(super) fn listen(&self, tick: &mut Tick) {
        let mut busy = std::mem::take(&mut tick.busy);
        let listens = |entry: &Busy| self.position_of(entry).is_some_and(|at| self.gazes[at].listens);
        for entry in busy.iter_mut().filter(|entry| entry.reports_from != u64::MAX && listens(entry)) {
            let first = tick.ears.len() as u32;
            self.listen_of(entry, tick);
            entry.ears = first..tick.ears.len() as u32;
        }
        tick.busy = busy;
        let ears = &tick.ears;
        tick.ear_order.extend(0..ears.len() as u32);
        // Oldest first: what had to wait is served before what has just been made.
        tick.ear_order.sort_unstable_by_key(|at| (ears[*at as usize].number, *at));
    }

    fn listen_of(&self, busy: &Busy, tick: &mut Tick) {
        let view = busy.read.and_then(|read| tick.views.get(read as usize)).copied().flatten();
        let Some((at, view)) = self.position_of(busy).zip(view) else { return };
        let (perceiver, inbox) = (&self.perceivers[at], &self.inboxes[at]);
        let settings = &perceiver.settings;
        let Some(space) = perceiver.place.space.filter(|_| settings.enabled && settings.hearing_occlusion)
        else {
            return;
        };
        for (number, report) in self.queue.since(busy.reports_from) {
            let Report::Noise { noise, source, identity } = report else { continue };
            if !busy.takes_part(number, &perceiver.late_noises) || !inbox.hearing.takes(number) {
                continue;
            }
            let what = (noise, *source, identity);
            let Some(heard) = perceiver.hears(&self.registry, self.space(space), view.origin, what) else {
                continue;
            };
            let agent = heard.source.map(|target| target.agent);
            tick.ears.push(Ear {
                number,
                perceiver: busy.key,
                space,
                from: noise.location,
                eye: view.eye,
                instigator: agent.or_else(|| noise.lineage.first().copied()).unwrap_or(0),
                most: settings.hearing_max_occluders,
                bodies: None,
            });
        }
    }
}

impl Busy {
    /// True if a report concerns this tick: it is new, or a noise that had to wait.
    pub(super) fn takes_part(&self, number: u64, late: &[u64]) -> bool {
        number >= self.fresh_from || late.contains(&number)
    }
}

impl Settling<'_> {
    /// Hears a noise, if it can be heard here. Gives the target that it is about, if it is about one.
    pub(super) fn hear(
        &mut self,
        ears: &[Ear],
        number: u64,
        noise: &Noise,
        what: (Option<TargetRef>, &TagSet),
    ) -> Option<Option<TargetRef>> {
        let (origin, what) = (self.origin?, (noise, what.0, what.1));
        let heard = self.perceiver.hears(self.registry, self.space, origin, what)?;
        let mut reach = heard.reach;
        if let Some(ear) = ears.iter().find(|ear| ear.number == number) {
            let Some(bodies) = ear.bodies else {
                self.perceiver.late_noises.push(number);
                return None;
            };
            for _ in 0..bodies.min(ear.most) {
                reach *= self.perceiver.settings.hearing_occlusion_factor;
            }
            if heard.distance > reach + self.space.tolerance() {
                return None;
            }
        }
        if let Some(target) = heard.source {
            let stimulus = Stimulus {
                sense: Senses::HEARING,
                location: noise.location,
                place: noise.location,
                strength: noise.loudness,
                tag: noise.tag_id(),
            };
            let x = if reach > 0.0 { (heard.distance / reach).min(1.0) } else { 0.0 };
            self.notice(target, stimulus, x);
        }
        Some(heard.source)
    }
}
