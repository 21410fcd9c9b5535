//! A move begins: what is paid, who rides it, which windows are open.

use std::sync::Arc;

use glam::DVec2;

use super::change::{Change, Removal, Stage};
use super::open::OpenWindow;
use super::run::Run;
use super::state::Machine;
use crate::graph::direction::{Sector, sector};
use crate::graph::parts::{HookPlan, PartsWorld, locomotion};
use crate::graph::{Effect, Graph, MoveTimes, PayloadPlan, Question, ROOT_INDEX};

impl Machine {
    pub(super) fn new_run(&mut self, change: &Change, from: Option<u32>, world: &PartsWorld) {
        let Some(graph) = self.graph.clone() else { return };
        let node = graph.node(change.to);
        let pointed = change.entry.is_some() || change.place.is_some();
        let direction = if pointed { change.direction } else { world.move_direction };
        let variant = self.variant(&node.payload, direction, world);
        let times = self.times_of(&graph, change.to, variant);
        let from = from.or(change.wire.map(|wire| wire.0)).unwrap_or(ROOT_INDEX);
        let id = self.next_run;
        self.next_run += 1;
        self.clock.node = change.place.unwrap_or(0.0);
        self.run = Some(Run {
            id,
            node: change.to,
            deleted: false,
            first: (graph.clone(), change.to),
            from,
            tag: change.entry.map(|entry| entry.tag),
            moment: change.moment,
            stick: change.stick,
            direction,
            kind: change.kind.clone(),
            variant,
            since: self.clock.now,
            endless: node.is_asked() || change.shows,
            shown: change.shows,
            times,
            origin: 0.0,
            next_window: 0,
            next_marker: 0,
            hooks: 0,
            started: false,
            told: false,
            done: false,
            restored: false,
            graph,
        });
        if self.turn.entered == 0 {
            self.looped.clear();
        }
        self.turn.entered += 1;
        self.looped.push(change.to);
    }

    /// Forward, back, left or right.
    fn variant(&mut self, payload: &PayloadPlan, direction: DVec2, world: &PartsWorld) -> u8 {
        let PayloadPlan::Animation { variants: true, direction_dead_zone, turn_to_input } = *payload else {
            return 0;
        };
        if turn_to_input && self.settings.turns_to_input {
            return 0;
        }
        let said = self.desk.tape.read();
        let variant = said.unwrap_or_else(|| match sector(world.facing, direction, direction_dead_zone) {
            Sector::Forward | Sector::Neutral => 0,
            Sector::Back => 1,
            Sector::Left => 2,
            Sector::Right => 3,
        });
        self.desk.tape.write(variant);
        variant
    }

    /// The times of a node.
    pub(super) fn times_of(&self, graph: &Graph, node: u32, variant: u8) -> Arc<MoveTimes> {
        let bound = self.binding.times(node, variant).or_else(|| self.binding.times(node, 0));
        graph.node(node).own_times.as_ref().or(bound).unwrap_or(&graph.nothing).clone()
    }

    pub(super) fn enter(&mut self, change: &mut Change) -> (Option<Effect>, Stage) {
        let Some(run) = &mut self.run else { return (None, Stage::Locomotion) };
        let (id, node) = (run.id, run.node);
        let plan = run.graph.node(node);
        match change.stage {
            Stage::Pay if change.at < plan.costs.len() => {
                let cost = change.at as u32;
                change.at += 1;
                (Some(Effect::Pay { run: id, node, cost }), Stage::Pay)
            }
            Stage::Pay => (None, Stage::TakeGates),
            Stage::TakeGates => {
                let next = if change.removal == Removal::Import { Stage::Start } else { Stage::Charge };
                (plan.holds_gates.then_some(Effect::TakeGates { run: id, node }), next)
            }
            Stage::Charge => (self.take_charge(), Stage::Start),
            Stage::Start => self.start_payload(),
            Stage::Executed => {
                let answer = self.desk.answer.take().unwrap_or(false);
                let lives = self.desk.tape.read().map_or(answer, |said| said != 0);
                self.desk.tape.write(u8::from(lives));
                run.done = !lives;
                change.at = 0;
                (None, Stage::Enter)
            }
            _ => {
                while run.hooks < plan.hooks.len() && !run.shown {
                    let hook = run.hooks;
                    run.hooks += 1;
                    if matches!(plan.hooks[hook], HookPlan::Script(_)) {
                        let hook = hook as u32;
                        return (Some(Effect::HookEnter { run: id, node, hook }), Stage::Enter);
                    }
                }
                (None, Stage::Locomotion)
            }
        }
    }

    fn take_charge(&mut self) -> Option<Effect> {
        let cooldown = self.run.as_ref()?.plan().cooldown.as_ref()?;
        let duration = self.cooldowns.take(cooldown, self.clock.now)?;
        Some(Effect::CooldownStarted { key: cooldown.key.clone(), duration })
    }

    fn start_payload(&mut self) -> (Option<Effect>, Stage) {
        let Some(run) = &mut self.run else { return (None, Stage::Locomotion) };
        // What another peer's script does is not seen here.
        run.started = !(run.shown && run.plan().is_asked());
        let (id, node, variant) = (run.id, run.node, run.variant);
        match run.plan().payload {
            PayloadPlan::Asked { .. } if run.shown => (None, Stage::Locomotion),
            PayloadPlan::Asked { .. } => {
                let effect = self.ask(Question::Execute { run: id, node });
                (Some(effect), Stage::Executed)
            }
            PayloadPlan::Animation { .. } => (
                Some(Effect::PayloadStart { run: id, node, variant, node_time: self.clock.node }),
                Stage::Enter,
            ),
            _ => (None, Stage::Enter),
        }
    }

    pub(super) fn locomotion_change(&mut self) -> Option<Effect> {
        let scale = self.run.as_ref().map_or([1.0; 3], |run| locomotion(&run.first_plan().hooks));
        let changed = scale != self.locomotion;
        self.locomotion = scale;
        changed.then_some(Effect::LocomotionChanged(scale))
    }

    /// The move has started; windows that are open from there follow.
    pub(super) fn told_start(&mut self) -> Option<Effect> {
        let run = self.run.as_mut()?;
        let (id, node) = (run.id, run.node);
        run.told = true;
        run.done |= !run.endless && run.times.length <= crate::time::TIME_TOLERANCE;
        self.tell(Effect::Started { run: id, node });
        self.open_from_entry();
        None
    }

    /// Opens what is open at the start of a move.
    fn open_from_entry(&mut self) {
        if self.has_entry_window() {
            let window = OpenWindow { kind: Arc::default(), until: f64::INFINITY, scripted: false };
            self.open.add(window.clone());
            self.tell(Effect::WindowOpened(window.kind));
        }
        let time = self.clock.node;
        while let Some(window) = self.run.as_mut().and_then(|run| run.take_due_window(time)) {
            let kind = window.kind.clone();
            if self.open.add(window) {
                self.tell(Effect::WindowOpened(kind));
            }
        }
    }
}
