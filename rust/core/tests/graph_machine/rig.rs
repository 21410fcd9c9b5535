//! A small graph and a world for one player.

use std::sync::Arc;

use glam::DVec2;
use riposte_core::graph::parts::{PartsWorld, VitalView};
use riposte_core::graph::*;
use riposte_core::tags::{TagId, TagSet, TagTable};

pub struct Rig {
    pub table: TagTable,
    pub machine: Machine,
    pub attack: TagId,
    pub dodge: TagId,
    pub tags: TagSet,
    pub nothing: TagSet,
    pub vitals: Vec<VitalView>,
    pub log: Vec<Effect>,
}

pub fn animation() -> PayloadPlan {
    PayloadPlan::Animation { variants: false, direction_dead_zone: 0.3, turn_to_input: false }
}

pub fn press(id: &str, to: &str, input: TagId) -> TransitionPlan {
    TransitionPlan::new(id, to, FiresOn::Pressed, Some(input))
}

/// Root-attack→light_1-attack→light_2, Root-dodge→dodge; light_1 1 s with the window [0.4, 0.8), light_2 1 s, dodge 0.5 s.
pub fn plan(attack: TagId, dodge: TagId) -> GraphPlan {
    let mut root = NodePlan::new(ROOT);
    root.transitions = vec![press("root__light_1", "light_1", attack), press("root__dodge", "dodge", dodge)];
    let mut first = NodePlan { payload: animation(), ..NodePlan::new("light_1") };
    first.transitions = vec![press("light_1__light_2", "light_2", attack)];
    let second = NodePlan { payload: animation(), ..NodePlan::new("light_2") };
    let roll = NodePlan { payload: animation(), ..NodePlan::new("dodge") };
    GraphPlan { nodes: vec![root, first, second, roll], ..GraphPlan::default() }
}

pub fn binding(graph: &Graph) -> Arc<Binding> {
    let times = |node: &Node| {
        let mut times = MoveTimes::of_length(if &*node.id == "dodge" { 0.5 } else { 1.0 });
        if &*node.id == "light_1" {
            times.windows.push(Window::new("", 0.4, 0.8));
        }
        [Some(Arc::new(times)), None, None, None]
    };
    Arc::new(Binding::new(graph.nodes().iter().map(times).collect()))
}

impl Rig {
    pub fn new() -> Self {
        Self::with(|_, _| {})
    }

    pub fn with(change: impl Fn(&mut GraphPlan, &mut TagTable)) -> Self {
        let mut table = TagTable::new();
        let attack = table.intern("Input.Attack.Light").expect("a tag");
        let dodge = table.intern("Input.Dodge").expect("a tag");
        let mut plan = plan(attack, dodge);
        change(&mut plan, &mut table);
        let graph = Graph::compile(plan).expect("a graph");
        let mut machine = Machine::default();
        machine.learn(&table, attack);
        machine.learn(&table, dodge);
        let mut rig = Self {
            machine,
            attack,
            dodge,
            tags: TagSet::default(),
            nothing: TagSet::default(),
            vitals: Vec::new(),
            log: Vec::new(),
            table,
        };
        let binding = binding(&graph);
        rig.call(Call::SetGraph(Some(graph), binding));
        rig.log.clear();
        rig
    }

    pub fn world(&self) -> PartsWorld<'_> {
        PartsWorld {
            tags: &self.tags,
            world_tags: &self.nothing,
            vitals: &self.vitals,
            attributes: &[],
            facing: DVec2::NEG_Y,
            stick: DVec2::ZERO,
            move_direction: DVec2::ZERO,
            speed: 0.0,
            target: None,
        }
    }

    pub fn pump_with(&mut self, mut act: impl FnMut(&mut Machine, &Effect)) {
        if !self.machine.begin_turn() {
            return;
        }
        loop {
            let world = PartsWorld {
                tags: &self.tags,
                world_tags: &self.nothing,
                vitals: &self.vitals,
                attributes: &[],
                facing: DVec2::NEG_Y,
                stick: DVec2::ZERO,
                move_direction: DVec2::ZERO,
                speed: 0.0,
                target: None,
            };
            let Some(effect) = self.machine.next(&world) else { break };
            act(&mut self.machine, &effect);
            self.log.push(effect);
        }
    }

    pub fn pump(&mut self) {
        self.pump_with(|_, _| {});
    }

    pub fn call(&mut self, call: Call) -> Reply {
        let receipt = self.machine.call(call);
        self.pump();
        self.machine.result(receipt)
    }

    pub fn press(&mut self, tag: TagId) -> InputResult {
        match self.call(Call::Input(Press::new(tag, Moment::Pressed))) {
            Reply::Input(result) => result,
            other => panic!("{other:?}"),
        }
    }

    pub fn advance(&mut self, delta: f64) {
        if !self.machine.quiet(delta) {
            assert!(self.machine.advance(delta));
            self.pump();
        }
    }

    pub fn until(&mut self, time: f64, tick: f64) {
        while self.machine.elapsed() < time - 1e-9 {
            self.advance(tick.min(time - self.machine.elapsed()));
        }
    }

    pub fn node(&self) -> &str {
        self.machine.node_name()
    }

    pub fn count(&self, wanted: impl Fn(&Effect) -> bool) -> usize {
        self.log.iter().filter(|effect| wanted(effect)).count()
    }
}
