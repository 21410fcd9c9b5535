//! Players of movesets, as a benchmark needs them.

use std::hint::black_box;
use std::sync::Arc;

use glam::DVec2;
use riposte_core::graph::parts::{
    ConditionKind, ConditionPlan, DirectionSpace, PartsWorld, VitalComparison, VitalView,
};
use riposte_core::graph::{
    Answer, Binding, BufferMode, Call, Effect, FiresOn, Graph, GraphPlan, InputResult, Machine, Moment,
    MoveTimes, NodePlan, PayloadPlan, Press, Reply, Settings, TransitionPlan, Window,
};
use riposte_core::tags::{TagId, TagSet, TagTable};

/// The world that all of them see.
pub struct Place {
    pub tags: TagTable,
    owned: TagSet,
    vitals: Vec<VitalView>,
}

impl Place {
    pub fn new() -> Self {
        let mut tags = TagTable::new();
        let stamina = tags.intern("Vital.Stamina").expect("a tag");
        let owned = tags.intern("Weapon.Sword").expect("a tag");
        let vitals = vec![VitalView { tag: stamina, value: 50.0, max: 100.0, row: true }];
        Self { owned: TagSet::new(&tags, [owned]), tags, vitals }
    }

    pub fn tag(&mut self, name: &str) -> TagId {
        self.tags.intern(name).expect("a tag")
    }

    pub fn world(&self) -> PartsWorld<'_> {
        PartsWorld {
            tags: &self.owned,
            world_tags: &self.owned,
            vitals: &self.vitals,
            attributes: &[],
            facing: DVec2::NEG_Y,
            stick: DVec2::ZERO,
            move_direction: DVec2::ZERO,
            speed: 0.0,
            target: None,
        }
    }

    /// One condition that passes and one that does not.
    pub fn conditions(&self) -> Vec<ConditionPlan> {
        let plan = |kind| ConditionPlan { kind, invert: false, label: Arc::from("") };
        let neutral =
            ConditionKind::Direction { directions: 16, space: DirectionSpace::Facing, dead_zone: 0.3 };
        let rested = ConditionKind::Vital {
            tag: self.vitals[0].tag,
            comparison: VitalComparison::Above,
            value: 60.0,
            tolerance: 0.0,
            as_fraction: false,
        };
        vec![plan(neutral), plan(rested)]
    }

    pub fn compile(&self, nodes: Vec<NodePlan>, buffer: BufferMode) -> Arc<Graph> {
        let plan = GraphPlan { buffer, nodes, ..GraphPlan::default() };
        Graph::compile(plan).expect("a graph")
    }
}

pub fn press(id: &str, to: &str, tag: TagId) -> TransitionPlan {
    TransitionPlan::new(id, to, FiresOn::Pressed, Some(tag))
}

/// A node that plays an animation.
pub fn animated(id: &str) -> NodePlan {
    let payload = PayloadPlan::Animation { variants: false, direction_dead_zone: 0.3, turn_to_input: false };
    NodePlan { payload, ..NodePlan::new(id) }
}

/// Every node lasts 1 s with a window from 0.4 to 0.8.
pub fn binding(nodes: usize) -> Arc<Binding> {
    let mut times = MoveTimes::of_length(1.0);
    times.windows.push(Window::new("", 0.4, 0.8));
    let times = Some(Arc::new(times));
    Arc::new(Binding::new(vec![[times.clone(), times.clone(), times.clone(), times]; nodes]))
}

/// Root to `one`, `one` and `two` to each other.
pub fn two_moves(place: &mut Place) -> Arc<Graph> {
    let tag = place.tag("Input.Light");
    let mut nodes = vec![NodePlan::new("root"), animated("one"), animated("two")];
    nodes[0].transitions.push(press("a", "one", tag));
    nodes[1].transitions.push(press("b", "two", tag));
    nodes[2].transitions.push(press("c", "one", tag));
    place.compile(nodes, BufferMode::AcceptLast)
}

/// Many players.
pub struct Crowd {
    pub players: Vec<Machine>,
    /// Effects that were performed.
    pub told: u64,
    /// Moves that started.
    pub started: u64,
}

impl Crowd {
    pub fn new(count: usize, graph: &Arc<Graph>, place: &Place) -> Self {
        let binding = binding(graph.nodes().len());
        let mut crowd = Self { players: Vec::with_capacity(count), told: 0, started: 0 };
        for _ in 0..count {
            let mut player = Machine::new(Settings::default());
            player.call(Call::SetGraph(Some(graph.clone()), binding.clone()));
            crowd.players.push(player);
            crowd.pump(crowd.players.len() - 1, place);
        }
        crowd
    }

    /// The same input for all.
    pub fn press(&mut self, tag: TagId, place: &Place) -> usize {
        (0..self.players.len()).filter(|at| self.press_one(*at, tag, place) == InputResult::Entered).count()
    }

    pub fn press_one(&mut self, at: usize, tag: TagId, place: &Place) -> InputResult {
        let receipt = self.players[at].call(Call::Input(Press::new(tag, Moment::Pressed)));
        self.pump(at, place);
        match self.players[at].result(receipt) {
            Reply::Input(result) => result,
            _ => InputResult::Dropped,
        }
    }

    /// All are cut.
    pub fn interrupt(&mut self, place: &Place) {
        for at in 0..self.players.len() {
            self.players[at].call(Call::Interrupt);
            self.pump(at, place);
        }
    }

    /// One tick, as a driver makes it.
    pub fn tick(&mut self, delta: f64, place: &Place) {
        for at in 0..self.players.len() {
            if !self.players[at].quiet(delta) {
                self.players[at].advance(delta);
                self.pump(at, place);
            }
        }
    }

    fn pump(&mut self, at: usize, place: &Place) {
        let player = &mut self.players[at];
        if !player.begin_turn() {
            return;
        }
        let world = place.world();
        while let Some(effect) = player.next(&world) {
            self.told += 1;
            self.started += u64::from(matches!(effect, Effect::Started { .. }));
            if let Effect::Ask(ticket, _) = &effect {
                player.answer(*ticket, Answer::Bool(true));
            }
            black_box(effect);
        }
    }
}
