//! Saving and restoring. What is restored goes on as if it had never stopped, and tells nothing.

use crate::tags::{TagId, TagSet, TagTable};

use super::clock::{BUSY, CARRIED, CHANGED, FORCED};
use super::detection::Detection;
use super::inbox::Inbox;
use super::perceiver::{Perceiver, PerceiverKey};
use super::record::{Ended, Record};
use super::reports::{Damage, Noise, Report, ReportQueue, Stimulation, Window};
use super::saved::{
    DetectionState, PerceiverState, QueueState, ReaderState, RecordState, ReportState, STATE_VERSION,
    ScanState, StateError,
};
use super::schedule::Errand;
use super::senses::{LossReason, Senses};
use super::settings::PerceiverSettings;
use super::space::SpaceId;
use super::target::{NodeId, TargetRef};
use super::world::PerceptionWorld;

impl Record {
    fn save(&self, now: f64) -> RecordState {
        RecordState {
            target: self.target.agent,
            senses: self.senses.bits(),
            age: self.age(now),
            location: self.location,
            velocity: self.velocity,
            last_check: self.last_check,
            fraction: self.visible_fraction(),
            points: self.visible_mask,
            sight_x: self.sight_x,
            sense: self.last_sense.bits(),
            announced: self.told,
            sight_announced: self.told_seen,
        }
    }

    fn restore(state: &RecordState, target: TargetRef, now: f64) -> Self {
        let senses = |bits: u8| Senses::from_bits(i64::from(bits));
        Self {
            senses: senses(state.senses),
            last_sense: senses(state.sense),
            location: state.location,
            velocity: state.velocity,
            last_check: state.last_check,
            sight_x: state.sight_x,
            visible_mask: state.points,
            points: state.point_count(),
            unsensed_since: now - state.age,
            fresh: false,
            told: state.announced,
            told_seen: state.announced && state.sight_announced,
            ..Self::new(target)
        }
    }
}

impl Detection {
    fn save(&self) -> DetectionState {
        DetectionState {
            target: self.target.agent,
            level: self.level,
            last_check: self.checked,
            distance: self.distance,
            location: self.location,
            fraction: self.visible_fraction,
            announced: self.told,
            dismissed: self.dismissed,
        }
    }

    fn restore(state: &DetectionState, target: TargetRef) -> Self {
        Self {
            target,
            level: state.level,
            checked: state.last_check,
            distance: state.distance,
            location: state.location,
            visible_fraction: state.fraction,
            told: state.announced,
            dismissed: state.dismissed,
        }
    }
}

impl PerceptionWorld {
    /// What is saved of a perceiver. Nothing changes.
    pub fn export_perceiver(&self, key: PerceiverKey) -> Option<PerceiverState> {
        let at = self.position(key)?;
        let (perceiver, clock) = (&self.perceivers[at], &self.clocks[at]);
        let time = self.times.now[at];
        let record = |record: &Record| record.save(time);
        let dismissed = |ended: &Ended| ended.record.save(time);
        Some(PerceiverState {
            version: STATE_VERSION,
            time,
            wait: self.times.wait[at],
            scan_now: clock.has(FORCED),
            records: perceiver.records.iter().map(record).collect(),
            dismissed: perceiver.ended.iter().map(dismissed).collect(),
            detection: perceiver.detections.iter().map(Detection::save).collect(),
            scan: clock.has(CARRIED).then(|| self.save_scan(&perceiver.errand)),
        })
    }

    fn save_scan(&self, errand: &Errand) -> ScanState {
        let agent = |id: &u64| self.registry.target_by_id(*id).map(|target| target.reference.agent);
        ScanState {
            served: errand.served.iter().filter_map(agent).collect(),
            found: errand.found,
            ticks: self.ticks.saturating_sub(errand.due),
            seconds: self.time - errand.since,
        }
    }

    /// Restores a perceiver, without events; if the reports are restored too, after them. `resolve` finds the target of an agent; what it does not find is left out.
    /// Refused as a whole, with nothing changed, if the state is not sound.
    pub fn import_perceiver(
        &mut self,
        key: PerceiverKey,
        state: &PerceiverState,
        resolve: impl Fn(NodeId) -> Option<TargetRef>,
    ) -> Result<(), StateError> {
        state.check()?;
        let at = self.position(key).ok_or(StateError::NoPerceiver)?;
        let (ticks, time) = (self.ticks, self.time);
        let clock = &mut self.clocks[at];
        (self.times.now[at], self.times.wait[at]) = (state.time, state.wait);
        // Whatever became of the targets meanwhile is found out in the next tick.
        clock.epoch = self.registry.epoch().wrapping_sub(1);
        clock.set(FORCED, state.scan_now);
        clock.set(BUSY, true);
        clock.set(CHANGED, false);
        clock.set(CARRIED, state.scan.is_some());
        let perceiver = &mut self.perceivers[at];
        let before = perceiver.named_targets();
        perceiver.restore_records(state, &resolve);
        perceiver.errand = state.scan.as_ref().map_or_else(Errand::default, |scan| Errand {
            due: ticks.saturating_sub(scan.ticks),
            since: time - scan.seconds,
            served: scan.served.iter().filter_map(|agent| resolve(*agent)).map(|target| target.id).collect(),
            found: scan.found,
        });
        for target in perceiver.named_targets() {
            self.registry.hold(target.key);
        }
        for target in before {
            self.registry.release(target.key);
        }
        self.registry.drop_unused_strays();
        self.refresh_flags(at);
        Ok(())
    }

    /// What is saved of the reports that wait. `node_of`: the node of a perceiver. Nothing changes.
    pub fn export_queue(
        &self,
        tags: &TagTable,
        node_of: impl Fn(PerceiverKey) -> Option<NodeId>,
    ) -> QueueState {
        let first = self.queue.first();
        let readers = self.perceivers.iter().zip(&self.inboxes).filter_map(|(perceiver, inbox)| {
            Some(ReaderState {
                perceiver: node_of(perceiver.key)?,
                next: inbox.next.saturating_sub(first),
                late: perceiver.late_noises.iter().filter_map(|number| number.checked_sub(first)).collect(),
                hearing: inbox.hearing.save(first),
                damage: inbox.damage.save(first),
            })
        });
        QueueState {
            version: STATE_VERSION,
            ticks: self.ticks,
            time: self.time,
            seen: self.seen_reports.saturating_sub(first),
            reports: self.queue.since(first).map(|(_, report)| report.save(tags, &node_of)).collect(),
            readers: readers.collect(),
        }
    }

    /// Restores the reports that wait, in place of those that do now. `resolve` finds the target of an agent,
    /// `perceiver_of` the perceiver of a node. Refused as a whole, with nothing changed, if the state is not sound.
    pub fn import_queue(
        &mut self,
        state: &QueueState,
        tags: &mut TagTable,
        resolve: impl Fn(NodeId) -> Option<TargetRef>,
        perceiver_of: impl Fn(NodeId) -> Option<PerceiverKey>,
    ) -> Result<(), StateError> {
        state.check()?;
        let restored = state.reports.iter().map(|saved| {
            let report = self.restore_report(saved, tags, &resolve, &perceiver_of);
            report.unwrap_or(Report::Nothing)
        });
        let restored: Vec<Report> = restored.collect();
        for target in restored.iter().filter_map(Report::target) {
            self.registry.hold(target.key);
        }
        while let Some(report) = self.queue.pop() {
            self.release_report(&report);
        }
        let first = self.queue.head();
        restored.into_iter().for_each(|report| self.queue.push(report));
        (self.ticks, self.time) = (state.ticks, state.time);
        let head = self.queue.head();
        self.late_noises = true;
        self.seen_reports = first.saturating_add(state.seen).min(head);
        for (inbox, perceiver) in self.inboxes.iter_mut().zip(&mut self.perceivers) {
            inbox.next = head;
            perceiver.late_noises.clear();
        }
        for reader in &state.readers {
            let at = perceiver_of(reader.perceiver).and_then(|key| self.position(key));
            if let Some(at) = at {
                let (perceiver, inbox) = (&mut self.perceivers[at], &mut self.inboxes[at]);
                inbox.restore(reader, &perceiver.settings, (first, head));
                let late = reader.late.iter().map(|at| first.saturating_add(*at));
                perceiver.late_noises.extend(late.filter(|number| *number < head));
            }
        }
        (0..self.perceivers.len()).for_each(|at| self.refresh_flags(at));
        self.registry.drop_unused_strays();
        Ok(())
    }

    fn restore_report(
        &self,
        saved: &ReportState,
        tags: &mut TagTable,
        resolve: impl Fn(NodeId) -> Option<TargetRef>,
        perceiver_of: impl Fn(NodeId) -> Option<PerceiverKey>,
    ) -> Option<Report> {
        Some(match saved {
            ReportState::Noise { space, location, loudness, tag, lineage, source, identity } => {
                let ids = |tags: &mut TagTable, names: &[String]| -> Vec<TagId> {
                    names.iter().filter_map(|name| tags.intern(name).ok()).collect()
                };
                let own = ids(tags, tag.as_slice());
                let identity = ids(tags, identity);
                let space = self.spaces.get(usize::from(*space)).map(|_| SpaceId(*space))?;
                let (location, loudness, lineage) = (*location, *loudness, lineage.clone());
                let tag = TagSet::new(tags, own);
                Report::Noise {
                    noise: Noise { space, location, loudness, tag, lineage },
                    source: source.and_then(resolve),
                    identity: TagSet::new(tags, identity),
                }
            }
            ReportState::Damage { victim, attacker, hit, amount } => Report::Damage(Damage {
                victim: *victim,
                attacker: attacker.and_then(|(agent, place)| Some((resolve(agent)?, place))),
                hit: *hit,
                amount: *amount,
            }),
            ReportState::Stimulus { perceiver, target, location, sense, strength } => {
                Report::Stimulation(Stimulation {
                    perceiver: perceiver_of(*perceiver)?,
                    target: resolve(*target)?,
                    location: *location,
                    sense: tags.intern(sense).ok()?,
                    strength: *strength,
                })
            }
            ReportState::Nothing => return None,
        })
    }
}

impl PerceiverState {
    /// The agents that it names.
    pub fn agents(&self) -> impl Iterator<Item = NodeId> + '_ {
        let records = self.records.iter().chain(&self.dismissed).map(|record| record.target);
        let served = self.scan.iter().flat_map(|scan| scan.served.iter().copied());
        records.chain(self.detection.iter().map(|entry| entry.target)).chain(served)
    }
}

impl Perceiver {
    /// The targets that it holds, one for each time.
    fn named_targets(&self) -> Vec<TargetRef> {
        let records = self.records.iter().chain(self.ended.iter().map(|ended| &ended.record));
        let levels = self.detections.iter().map(|entry| entry.target);
        records.map(|record| record.target).chain(levels).collect()
    }

    /// Replaces what it knows. Of several records of one target the first counts.
    fn restore_records(&mut self, state: &PerceiverState, resolve: impl Fn(NodeId) -> Option<TargetRef>) {
        self.records.clear();
        self.ended.clear();
        self.detections.clear();
        for saved in &state.records {
            let Some(target) = resolve(saved.target) else { continue };
            if let Err(at) = self.find(target.id) {
                self.records.insert(at, Record::restore(saved, target, state.time));
            }
        }
        for saved in &state.dismissed {
            let Some(target) = resolve(saved.target) else { continue };
            let record = Record::restore(saved, target, state.time);
            self.ended.push(Ended { record, reason: LossReason::Dismissed });
        }
        for saved in &state.detection {
            let Some(target) = resolve(saved.target) else { continue };
            if let (Err(_), Err(at)) = (self.find(target.id), self.find_level(target.id)) {
                self.detections.insert(at, Detection::restore(saved, target));
            }
        }
    }
}

impl Inbox {
    fn restore(&mut self, reader: &ReaderState, settings: &PerceiverSettings, (first, head): (u64, u64)) {
        self.next = first.saturating_add(reader.next).min(head);
        self.hearing = Window::restore(reader.hearing, first, settings.hearing_enabled, head);
        self.damage = Window::restore(reader.damage, first, settings.damage_enabled, head);
    }
}

impl Window {
    /// Positions in the list of reports.
    fn save(&self, first: u64) -> (u64, Option<u64>) {
        let until = (!self.open()).then(|| self.until.saturating_sub(first));
        (self.from.saturating_sub(first), until)
    }

    /// Whether it is open is a setting and not part of the state.
    fn restore((from, until): (u64, Option<u64>), first: u64, on: bool, head: u64) -> Self {
        let number = |at: u64| first.saturating_add(at).min(head);
        let mut window = Self { from: number(from), until: until.map_or(u64::MAX, number) };
        window.switch(on, head);
        window
    }
}

impl Report {
    fn save(&self, tags: &TagTable, node_of: impl Fn(PerceiverKey) -> Option<NodeId>) -> ReportState {
        let name = |tag: &TagId| tags.name(*tag).to_owned();
        match self {
            Self::Noise { noise, source, identity } => ReportState::Noise {
                space: noise.space.0,
                location: noise.location,
                loudness: noise.loudness,
                tag: noise.tag_id().as_ref().map(name),
                lineage: noise.lineage.clone(),
                source: source.map(|target| target.agent),
                identity: identity.tags().iter().map(name).collect(),
            },
            Self::Damage(damage) => ReportState::Damage {
                victim: damage.victim,
                attacker: damage.attacker.map(|(target, place)| (target.agent, place)),
                hit: damage.hit,
                amount: damage.amount,
            },
            Self::Stimulation(it) => match node_of(it.perceiver) {
                Some(perceiver) => ReportState::Stimulus {
                    perceiver,
                    target: it.target.agent,
                    location: it.location,
                    sense: name(&it.sense),
                    strength: it.strength,
                },
                None => ReportState::Nothing,
            },
            Self::Nothing => ReportState::Nothing,
        }
    }
}

impl ReportQueue {
    /// Number of the oldest report, or of the next one.
    fn first(&self) -> u64 {
        self.head() - self.len() as u64
    }
}
