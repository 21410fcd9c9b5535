//! One player of a graph with a small world around it: tags, vitals, answers of scripts, and a log.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::DVec2;
use riposte_core::graph::input::{
    DeviceEvent, InputPlan, InputPolicy, InputSpec, SourceId, Stay, Stick, Strength, Trigger,
};
use riposte_core::graph::parts::{ConditionKind, CostPlan, PartsWorld, VitalView};
use riposte_core::graph::{
    Answer, Call, Effect, Graph, InputResult, Machine, Moment, Press, Question, Receipt, Reply, RunningTag,
    Settings,
};
use riposte_core::tags::{TagCounts, TagId, TagSet, TagTable};

use super::building::{build, tag};
use super::fixture::{MapSpec, Policy, Row};
use super::trial::TAGS;

/// What the machine sees of the world.
pub struct Surroundings {
    pub tags: TagCounts,
    pub vitals: Vec<VitalView>,
    pub stick: DVec2,
    nothing: TagSet,
}

impl Surroundings {
    pub fn view(&self) -> PartsWorld<'_> {
        PartsWorld {
            tags: self.tags.set(),
            world_tags: &self.nothing,
            vitals: &self.vitals,
            attributes: &[],
            facing: DVec2::new(0.0, -1.0),
            stick: self.stick,
            move_direction: self.stick,
            speed: 0.0,
            target: None,
        }
    }

    fn vital(&mut self, tag: TagId) -> Option<&mut VitalView> {
        self.vitals.iter_mut().find(|vital| vital.tag == tag)
    }
}

/// What is called when an effect is performed.
pub type Reaction = Box<dyn FnMut(&mut Stage, &Effect)>;

/// A player.
pub struct Stage {
    pub table: TagTable,
    pub machine: Machine,
    pub world: Surroundings,
    pub running_tag: TagId,
    /// Everything that was told, in order; the graph it was told of.
    pub log: Vec<(Effect, Arc<Graph>)>,
    /// A second action of the game after each effect.
    pub reaction: Option<Reaction>,
    /// Whether nodes whose payload is asked can start: by name.
    pub can_start: fn(&str) -> bool,
    pub executes: fn(&str) -> bool,
    pub broken: Vec<String>,
    /// Questions so far.
    asked: u64,
}

impl Stage {
    /// A player of this row's graph, at its root.
    pub fn new(row: &Row) -> Self {
        let mut table = TagTable::new();
        let running_tag = tag(&mut table, "State.ActionRunning");
        let blocked = tag(&mut table, "State.ActionsBlocked");
        let (graph, binding) = build(&mut table, row);
        let settings = Settings {
            action_speed: row.speed.unwrap_or(1.0),
            global_block_tags: vec![blocked],
            ..Settings::default()
        };
        let mut machine = Machine::new(settings);
        let plan = Arc::new(input_plan(&mut table, &row.map));
        for name in TAGS.iter().copied().chain(["LA", "DG", "HV", "GD", "XX"]) {
            let tag = tag(&mut table, name);
            machine.learn(&table, tag);
        }
        machine.recorder_mut().set_plan(plan, 0.0);
        let vitals = row.vitals.iter().map(|(name, value)| VitalView {
            tag: tag(&mut table, name),
            value: *value,
            max: 100.0,
            row: true,
        });
        let vitals = vitals.collect();
        let (x, y) = row.stick.unwrap_or((0.0, 0.0));
        let mut tags = TagCounts::new();
        for name in &row.tags {
            let tag = tag(&mut table, name);
            tags.add(&table, tag, 1);
        }
        let nothing = TagSet::new(&table, []);
        let world = Surroundings { tags, vitals, stick: DVec2::new(x, y), nothing };
        let mut stage = Self {
            table,
            machine,
            world,
            running_tag,
            log: Vec::new(),
            reaction: None,
            can_start: |_| false,
            executes: |_| true,
            broken: Vec::new(),
            asked: 0,
        };
        stage.machine.recorder_mut().set_move_direction(DVec2::new(x, y));
        stage.call(Call::SetGraph(Some(graph), binding));
        stage.log.clear();
        stage
    }

    pub fn tag(&mut self, name: &str) -> TagId {
        tag(&mut self.table, name)
    }

    /// Calls the machine, and performs what follows unless that happens already.
    pub fn call(&mut self, call: Call) -> Reply {
        let receipt: Receipt = self.machine.call(call);
        self.pump();
        self.machine.result(receipt)
    }

    /// An input of a script.
    pub fn input(&mut self, name: &str, moment: Moment) -> InputResult {
        let tag = self.tag(name);
        self.machine.learn(&self.table, tag);
        match self.call(Call::Input(Press::new(tag, moment))) {
            Reply::Input(result) => result,
            other => panic!("{other:?} is no result of an input"),
        }
    }

    /// A key goes down or up. It is an input with the next tick.
    pub fn key(&mut self, action: usize, down: bool) {
        let strength = if down { 1.0 } else { 0.0 };
        let event = DeviceEvent {
            source: SourceId(action as u64 + 1),
            strengths: &[Strength { action, strength, raw: strength }],
            forward: DVec2::new(0.0, -1.0),
            looks_left: false,
        };
        self.machine.recorder_mut().record(&event);
    }

    /// Time passes.
    pub fn advance(&mut self, delta: f64) {
        if self.machine.advance(delta) {
            self.pump();
        }
    }

    /// Performs what is to be done, unless this is inside of that.
    pub fn pump(&mut self) {
        if !self.machine.begin_turn() {
            return;
        }
        let mut rounds = 0;
        while let Some(effect) = self.machine.next(&self.world.view()) {
            self.perform(&effect);
            rounds += 1;
            assert!(rounds < 100_000, "a turn that never ends");
        }
    }

    fn perform(&mut self, effect: &Effect) {
        let graph = self.machine.graph().cloned();
        if let Effect::Ask(ticket, question) = effect {
            self.react(effect);
            let (held, last) = graph.map_or((0, false), |graph| self.answer_row(&graph, question));
            self.machine.answer_row(*ticket, held, Answer::Bool(last));
            // Every other question is gone on from at once, as an adapter does it that has nothing to read anew.
            self.asked += 1;
            if self.asked.is_multiple_of(2)
                && let Some((ticket, question)) = self.machine.ask_on(&self.world.view())
            {
                self.perform(&Effect::Ask(ticket, question));
            }
            return;
        }
        match effect {
            Effect::Tags { add, remove, running } => {
                let (mut add, mut remove) = (add.to_vec(), remove.to_vec());
                match running {
                    RunningTag::Added => add.push(self.running_tag),
                    RunningTag::Removed => remove.push(self.running_tag),
                    RunningTag::Stays => {}
                }
                for tag in add {
                    self.world.tags.add(&self.table, tag, 1);
                }
                for tag in remove {
                    if self.world.tags.count(tag) == 0 {
                        self.broken.push(format!("{} is removed and was not there", self.table.name(tag)));
                    }
                    self.world.tags.remove(&self.table, tag, 1);
                }
            }
            Effect::Pay { node, cost, .. } => {
                let graph = graph.as_ref().expect("a graph");
                if let Some(CostPlan::Vital { tag, amount, .. }) = graph.node(*node).costs.get(*cost as usize)
                {
                    self.take(*tag, *amount);
                }
            }
            Effect::Drain { tag, amount } => self.take(*tag, *amount),
            _ => {}
        }
        if let Some(graph) = graph {
            self.log.push((effect.clone(), graph));
        }
        self.react(effect);
    }

    fn take(&mut self, tag: TagId, amount: f64) {
        if let Some(vital) = self.world.vital(tag) {
            vital.value = (vital.value - amount).max(0.0);
        }
    }

    fn react(&mut self, effect: &Effect) {
        if let Some(mut reaction) = self.reaction.take() {
            reaction(self, effect);
            if self.reaction.is_none() {
                self.reaction = Some(reaction);
            }
        }
    }

    /// How many conditions in a row hold, and what is said of the next. Two of three times only one is asked about.
    fn answer_row(&self, graph: &Graph, question: &Question) -> (u32, bool) {
        let last = self.answer(graph, question);
        let Question::Condition { from, transition, index, .. } = question else { return (0, last) };
        let conditions = &graph.node(*from).wires[*transition as usize].conditions[*index as usize..];
        if !self.asked.is_multiple_of(3) {
            return (0, last);
        }
        let scripted = conditions.iter().take_while(|one| matches!(one.kind, ConditionKind::Script));
        let answers: Vec<_> = scripted.map(|one| (&*one.label == "passes", one)).collect();
        let held = answers.iter().take_while(|(answer, one)| one.answered(*answer)).count();
        let at = held.min(answers.len() - 1);
        (at as u32, answers[at].0)
    }

    fn answer(&self, graph: &Graph, question: &Question) -> bool {
        match question {
            Question::Condition { from, transition, index, .. } => {
                let wire = &graph.node(*from).wires[*transition as usize];
                &*wire.conditions[*index as usize].label == "passes"
            }
            Question::CanStart(candidate) => (self.can_start)(&graph.node(candidate.node).id),
            Question::Execute { node, .. } => (self.executes)(&graph.node(*node).id),
            Question::Gate { .. } | Question::Cost { .. } => true,
        }
    }

    /// Vitals by name.
    pub fn vitals(&self) -> BTreeMap<String, f64> {
        let vitals = self.world.vitals.iter();
        vitals.map(|vital| (self.table.name(vital.tag).to_owned(), vital.value)).collect()
    }
}

/// How keys are read: the action of an input is its place in the map.
fn input_plan(table: &mut TagTable, map: &[MapSpec]) -> InputPlan {
    let inputs = map.iter().enumerate().map(|(at, spec)| InputSpec {
        tag: tag(table, &spec.tag),
        actions: vec![at],
        trigger: if spec.hold > 0.0 { Trigger::Hold(spec.hold) } else { Trigger::Press },
        press_threshold: 0.5,
        release_threshold: 0.3,
        chord_seconds: 0.0,
        policy: InputPolicy {
            in_freeze: match spec.in_freeze {
                Policy::Keep => Stay::Keep,
                Policy::Age => Stay::Age,
                Policy::Drop => Stay::Drop,
            },
            in_pause: Stay::Keep,
        },
    });
    let inputs: Vec<InputSpec> = inputs.collect();
    InputPlan::new(map.len(), inputs, Vec::new(), Stick::default())
}
