//! What the authority says to moves that the owner of an agent asks for, and how the others follow.

use std::sync::Arc;

use glam::DVec2;
use riposte_core::graph::parts::PartsWorld;
use riposte_core::graph::{
    Answer, Binding, Call, Effect, FiresOn, Graph, GraphPlan, Machine, Moment, MoveEnd, MoveTimes, NodePlan,
    PayloadPlan, Place, Press, Reply, Settings, Submission, ToldTimes, TransitionPlan, Window,
};
use riposte_core::rate::Bucket;
use riposte_core::tags::{TagId, TagSet, TagTable};

struct Peer {
    machine: Machine,
    graph: Arc<Graph>,
    tags: TagSet,
    light: TagId,
    dodge: TagId,
    /// Words of what was told.
    told: Vec<String>,
}

/// Root-LA→L1, Root-DG→DODGE, L1-LA→L2; L1 lasts 1 s with a window from 0.4 to 0.8 s.
fn peer(cancellable: bool) -> Peer {
    peer_with(cancellable, None)
}

/// The same, with another payload of L1.
fn peer_with(cancellable: bool, payload: Option<PayloadPlan>) -> Peer {
    let mut table = TagTable::new();
    let mut tag = |name: &str| table.intern(name).expect("a tag");
    let (light, dodge) = (tag("Input.Light"), tag("Input.Dodge"));
    let wire = |from: &str, to: &str, tag| {
        TransitionPlan::new(&format!("{from}__{to}"), to, FiresOn::Pressed, Some(tag))
    };
    let animation =
        PayloadPlan::Animation { variants: false, direction_dead_zone: 0.3, turn_to_input: false };
    let node = |id: &str, transitions: Vec<TransitionPlan>| NodePlan {
        payload: animation.clone(),
        transitions,
        ..NodePlan::new(id)
    };
    let mut first = node("L1", vec![wire("L1", "L2", light)]);
    first.can_be_cancelled = cancellable;
    let windows = payload.is_none();
    first.payload = payload.unwrap_or(first.payload);
    let mut root = NodePlan::new("root");
    root.transitions = vec![wire("root", "L1", light), wire("root", "DODGE", dodge)];
    let nodes = vec![root, first, node("L2", Vec::new()), node("DODGE", Vec::new())];
    let plan = GraphPlan { nodes, ..GraphPlan::default() };
    let graph = Graph::compile(plan).expect("a graph");
    let times = |id: &str| {
        let mut times = MoveTimes::of_length(if id == "DODGE" { 0.5 } else { 1.0 });
        if id == "L1" && windows {
            times.windows.push(Window::new("", 0.4, 0.8));
        }
        [Some(Arc::new(times)), None, None, None]
    };
    let binding = Binding::new(graph.nodes().iter().map(|node| times(&node.id)).collect());
    let mut machine = Machine::new(Settings::default());
    machine.learn(&table, light);
    machine.learn(&table, dodge);
    let mut made =
        Peer { machine, graph: graph.clone(), tags: TagSet::default(), light, dodge, told: Vec::new() };
    made.call(Call::SetGraph(Some(graph), Arc::new(binding)));
    made.told.clear();
    made
}

impl Peer {
    fn call(&mut self, call: Call) -> Reply {
        let receipt = self.machine.call(call);
        self.turn();
        self.machine.result(receipt)
    }

    fn turn(&mut self) {
        if !self.machine.begin_turn() {
            return;
        }
        let tags = self.tags.clone();
        let world = PartsWorld {
            tags: &tags,
            world_tags: &tags,
            vitals: &[],
            attributes: &[],
            facing: DVec2::NEG_Y,
            stick: DVec2::ZERO,
            move_direction: DVec2::ZERO,
            speed: 0.0,
            target: None,
        };
        while let Some(effect) = self.machine.next(&world) {
            let name = |node: u32| self.graph.node(node).id.to_string();
            match effect {
                Effect::Ask(ticket, _) => self.machine.answer(ticket, Answer::Bool(true)),
                Effect::Started { node, .. } => self.told.push(name(node)),
                Effect::Ended { node, reason, .. } => self.told.push(format!("-{} {reason:?}", name(node))),
                Effect::Submitted { from, to, .. } => self.told.push(format!("{}?{}", name(from), name(to))),
                Effect::MoveRejected { node } => self.told.push(format!("no {}", name(node))),
                Effect::GraphReset => self.told.push("root".to_owned()),
                _ => {}
            }
        }
    }

    fn pass(&mut self, seconds: f64) {
        assert!(self.machine.advance(seconds));
        self.turn();
    }

    fn press(&mut self, tag: TagId) -> Reply {
        self.call(Call::Input(Press::new(tag, Moment::Pressed)))
    }

    fn submit(&mut self, to: &str, tag: TagId, leeway: f64) -> bool {
        self.submit_told(to, tag, leeway, ToldTimes::default())
    }

    fn submit_told(&mut self, to: &str, tag: TagId, leeway: f64, told: ToldTimes) -> bool {
        let to = self.graph.find(to).expect("a node");
        let asked = Submission {
            to,
            tag,
            moment: Moment::Pressed,
            stick: DVec2::ZERO,
            direction: DVec2::ZERO,
            leeway,
            told,
        };
        self.call(Call::Submit(asked)) == Reply::Flag(true)
    }

    fn take_told(&mut self) -> Vec<String> {
        std::mem::take(&mut self.told)
    }
}

#[test]
fn ex_50_n1() {
    for (time, confirmed) in [(0.21, false), (0.22, true)] {
        let mut authority = peer(false);
        let light = authority.light;
        assert!(authority.submit("L1", light, 0.18));
        authority.pass(time);
        assert_eq!(authority.submit("L2", light, 0.1 + 0.08), confirmed, "at {time}");
        let wanted: &[&str] = if confirmed { &["L1", "-L1 Chained", "L2"] } else { &["L1"] };
        assert_eq!(authority.take_told(), wanted);
    }
}

#[test]
fn ex_50_n2() {
    let mut authority = peer(false);
    let (light, dodge) = (authority.light, authority.dodge);
    assert!(authority.submit("L1", light, 0.18));
    authority.pass(0.15);
    assert!(!authority.submit("DODGE", dodge, 0.18), "L1 may not be cut");
    assert!(authority.machine.is_owner_locked());
    authority.pass(0.24);
    assert!(!authority.submit("L2", light, 0.18), "so nothing is taken until 0.4 s");
    authority.pass(0.01);
    assert!(!authority.machine.is_owner_locked());
    assert!(authority.submit("L2", light, 0.18));
}

#[test]
fn ex_50_n3() {
    let mut bucket = Bucket::default();
    let walked = (0..25).filter(|_| bucket.take(1.0, 20)).count();
    assert_eq!((walked, 25 - walked), (20, 5));
}

#[test]
fn a_cut_that_the_rules_allow_is_confirmed() {
    let mut authority = peer(true);
    let (light, dodge) = (authority.light, authority.dodge);
    assert!(authority.submit("L1", light, 0.0));
    authority.pass(0.05);
    assert!(!authority.submit("DODGE", dodge, 0.0), "before its time");
    let mut authority = peer(true);
    assert!(authority.submit("L1", light, 0.0));
    authority.pass(0.05);
    assert!(authority.submit("DODGE", dodge, 0.05), "by as much as it may come early");
    assert_eq!(authority.take_told(), ["L1", "-L1 Cancelled", "DODGE"]);
}

#[test]
fn what_nobody_reaches_is_refused() {
    let mut authority = peer(false);
    let (light, dodge) = (authority.light, authority.dodge);
    assert!(!authority.submit("L2", light, 9.0), "not from the root");
    assert!(!authority.submit("L1", dodge, 9.0), "not by this input");
    assert!(authority.submit("L1", light, 0.0));
    authority.pass(1.3);
    assert!(
        authority.submit("L2", light, 0.0),
        "a finished move counts for its grace and half a second more"
    );
    let mut authority = peer(false);
    assert!(authority.submit("L1", light, 0.0));
    authority.pass(1.8);
    assert!(!authority.submit("L2", light, 0.0), "and no longer");
}

#[test]
fn the_owner_tells_what_its_inputs_do_and_takes_a_refusal() {
    let mut owner = peer(false);
    owner.machine.set_submits(true);
    let light = owner.light;
    owner.press(light);
    assert_eq!(owner.take_told(), ["L1", "root?L1"]);
    owner.press(light);
    owner.pass(0.4);
    assert_eq!(owner.take_told(), ["-L1 Chained", "L2", "L1?L2"]);
    let node = owner.graph.find("L1").expect("L1");
    owner.call(Call::Correct(Place { node, node_time: 0.3, direction: DVec2::ZERO }, true));
    assert_eq!(owner.take_told(), ["no L2", "-L2 Rejected", "L1"], "nothing is asked for by that");
    assert_eq!(owner.machine.node_time(), 0.3);
    owner.press(light);
    owner.pass(0.1);
    assert_eq!(owner.take_told(), ["-L1 Chained", "L2", "L1?L2"], "it goes on from there");
    owner.call(Call::Correct(Place { node: 0, node_time: 0.0, direction: DVec2::ZERO }, false));
    assert_eq!(owner.take_told(), ["-L2 Cancelled", "root"]);
    owner.pass(2.0);
    assert_eq!(owner.take_told(), Vec::<String>::new());
}

#[test]
fn who_only_shows_a_move_does_nothing_by_itself() {
    let mut other = peer(false);
    let node = other.graph.find("L1").expect("L1");
    let place = Place { node, node_time: 0.9, direction: DVec2::ZERO };
    other.call(Call::Mirror(place, MoveEnd::Chained));
    other.pass(5.0);
    assert_eq!(other.take_told(), ["L1"], "it waits for the authority's word at its end");
    other.call(Call::Mirror(Place { node: 0, node_time: 0.0, ..place }, MoveEnd::Completed));
    assert_eq!(other.take_told(), ["-L1 Completed", "root"]);
}

#[test]
fn scripts_say_when_a_move_can_be_left() {
    let asked = || peer_with(false, Some(PayloadPlan::Asked { may_fail: false }));
    let told = ToldTimes { chain: Some(0.4), end: Some(0.6) };
    for (time, told, confirmed) in [
        (0.21, told, false),
        (0.22, told, true),
        (5.0, ToldTimes::default(), false),
        (0.41, ToldTimes { chain: None, ..told }, false),
        (0.42, ToldTimes { chain: None, ..told }, true),
    ] {
        let mut authority = asked();
        let light = authority.light;
        assert!(authority.submit("L1", light, 0.0));
        authority.pass(time);
        assert_eq!(authority.submit_told("L2", light, 0.18, told), confirmed, "at {time} of {told:?}");
    }
    let mut authority = asked();
    let (light, dodge) = (authority.light, authority.dodge);
    assert!(authority.submit("L1", light, 0.0));
    authority.pass(0.5);
    assert!(authority.submit_told("DODGE", dodge, 0.1, told), "at its end the root's moves follow");
    let mut authority = asked();
    assert!(authority.submit("L1", light, 0.0));
    authority.pass(0.3);
    assert!(!authority.submit_told("DODGE", dodge, 0.1, told), "before it that is a cut");
    assert!(authority.machine.is_owner_locked());
    authority.pass(0.1);
    assert!(!authority.machine.is_owner_locked(), "until others may follow");
}
