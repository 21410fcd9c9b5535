//! The machine of a player: what the worked examples do not show.

#[path = "../counting/mod.rs"]
mod counting;
mod dropping;
mod rig;

use rig::{Rig, animation, press};
use riposte_core::graph::*;

fn allocations(mut act: impl FnMut()) -> u64 {
    let before = counting::own();
    act();
    counting::own() - before
}

/// A whole fight: enter, wait, chain, end, dodge, end.
fn fight(rig: &mut Rig) {
    rig.log.clear();
    assert_eq!(rig.press(rig.attack), InputResult::Entered);
    rig.advance(0.2);
    assert_eq!(rig.press(rig.attack), InputResult::Buffered);
    for _ in 0..60 {
        rig.advance(1.0 / 60.0);
    }
    assert_eq!(rig.node(), "light_2");
    rig.advance(0.1);
    assert_eq!(rig.press(rig.dodge), InputResult::Buffered);
    rig.advance(2.0);
    assert_eq!(rig.node(), ROOT);
}

#[test]
fn a_warm_machine_allocates_nothing() {
    let mut rig = Rig::new();
    for _ in 0..3 {
        fight(&mut rig);
    }
    assert_eq!(allocations(|| fight(&mut rig)), 0);
}

#[test]
fn an_idle_player_is_small() {
    let mut machine = None;
    let heap = allocations(|| machine = Some(Machine::default()));
    assert!(size_of::<Machine>() <= 2048, "{} bytes", size_of::<Machine>());
    assert!(heap <= 2, "{heap} allocations");
}

#[test]
fn quiet_ticks_are_ticks() {
    let (mut plain, mut quick) = (Rig::new(), Rig::new());
    for rig in [&mut plain, &mut quick] {
        rig.press(rig.attack);
        rig.advance(0.1);
        rig.press(rig.attack);
    }
    for _ in 0..200 {
        assert!(plain.machine.advance(0.013));
        plain.pump();
        quick.advance(0.013);
    }
    assert_eq!(plain.log, quick.log);
    assert!((plain.machine.elapsed() - quick.machine.elapsed()).abs() < 1e-9);
}

#[test]
fn a_child_of_the_tag_takes_the_transition() {
    let mut rig = Rig::with(|plan, table| {
        let any = table.intern("Input.Attack").expect("a tag");
        plan.nodes[0].transitions[0].input = Some(any);
    });
    assert_eq!(rig.press(rig.attack), InputResult::Entered);
    assert_eq!(rig.node(), "light_1");
}

#[test]
fn calls_from_inside_are_made_in_order_and_64_in_a_tick() {
    let mut rig = Rig::new();
    let dodge = rig.dodge;
    let receipt = rig.machine.call(Call::Input(Press::new(rig.attack, Moment::Pressed)));
    let mut inner = Vec::new();
    rig.pump_with(|machine, effect| {
        if matches!(effect, Effect::Started { .. }) {
            for _ in 0..70 {
                let receipt = machine.call(Call::Input(Press::new(dodge, Moment::Pressed)));
                inner.push(machine.result(receipt));
            }
        }
    });
    assert_eq!(rig.machine.result(receipt), Reply::Input(InputResult::Entered));
    assert!(inner.iter().all(|reply| *reply == Reply::Input(InputResult::Forwarded)));
    let buffered = |effect: &Effect| matches!(effect, Effect::InputBuffered { .. });
    assert_eq!(rig.count(buffered), 64);
    assert_eq!(rig.count(|effect| *effect == Effect::Overflow), 1);
    rig.machine.advance(0.01);
    rig.pump();
    assert_eq!(rig.count(buffered), 70);
    assert_eq!(rig.count(|effect| *effect == Effect::Overflow), 1);
}

#[test]
fn a_call_from_inside_of_a_tick_is_made_in_its_instant() {
    for tick in [0.013, 0.1, 3.0] {
        let mut rig = Rig::new();
        rig.press(rig.attack);
        rig.press(rig.attack);
        let (dodge, mut at) = (rig.dodge, Vec::new());
        for _ in 0..(3.0_f64 / tick) as usize {
            rig.machine.advance(tick);
            rig.pump_with(|machine, effect| match effect {
                Effect::Started { node: 3, .. } => {
                    machine.call(Call::Input(Press::new(dodge, Moment::Pressed)));
                }
                Effect::InputDropped { .. } => at.push(machine.elapsed()),
                _ => {}
            });
        }
        assert_eq!(at.len(), 1, "{tick}");
        assert!((at[0] - 0.75).abs() < 1e-6, "sent at 0.4, too old at 0.75: {at:?} with {tick}");
    }
}

#[test]
fn an_answer_that_comes_too_late_is_nothing() {
    let mut rig = Rig::with(|plan, _| plan.nodes[3].payload = PayloadPlan::Asked { may_fail: true });
    let mut late = None;
    let receipt = rig.machine.call(Call::Input(Press::new(rig.dodge, Moment::Pressed)));
    rig.pump_with(|_, effect| {
        if let Effect::Ask(ticket, _) = effect {
            late = Some(*ticket);
        }
    });
    assert_eq!(rig.machine.result(receipt), Reply::Input(InputResult::Dropped), "nobody said yes");
    rig.machine.answer(late.expect("a question"), Answer::Bool(true));
    rig.press(rig.attack);
    assert_eq!(rig.node(), "light_1");
}

#[test]
fn leaving_the_tree_inside_of_a_change_leaves_nothing_behind() {
    let names = ["Tags", "PayloadStart", "Started", "WindowOpened", "PayloadStop", "Ended"];
    for name in names {
        let mut rig = Rig::with(|plan, _| plan.nodes[1].when_no_window = NoWindow::FromEntry);
        rig.press(rig.attack);
        rig.machine.advance(0.5);
        let mut left = false;
        rig.pump_with(|machine, effect| {
            if !left && format!("{effect:?}").starts_with(name) {
                left = true;
                machine.leave_tree(true);
            }
        });
        rig.machine.leave_tree(true);
        while rig.machine.in_turn() {
            rig.machine.next(&world(&rig.tags));
        }
        assert_eq!(rig.node(), ROOT, "{name}");
        assert!(!rig.machine.wants_tick() || rig.machine.recorder().held().next().is_some());
    }
}

/// A press of the attack, and the tree left when the first effect of this name comes.
fn left_at(name: &str, quiet: bool, first: impl Fn(&mut Machine)) -> Rig {
    let mut rig = Rig::new();
    let mut left = false;
    rig.machine.call(Call::Input(Press::new(rig.attack, Moment::Pressed)));
    rig.pump_with(|machine, effect| {
        if !left && format!("{effect:?}").starts_with(name) {
            left = true;
            first(machine);
            machine.leave_tree(quiet);
        }
    });
    assert!(left, "{name}");
    rig
}

#[test]
fn a_move_that_was_not_told_to_start_is_not_told_to_end() {
    for (name, told) in [("Tags", 0), ("PayloadStart", 0), ("Started", 1)] {
        for quiet in [false, true] {
            let rig = left_at(name, quiet, |_| {});
            assert_eq!(rig.node(), ROOT);
            assert_eq!(rig.count(|effect| matches!(effect, Effect::Started { .. })), told, "{name}");
            assert_eq!(rig.count(|effect| matches!(effect, Effect::Ended { .. })), told, "{name}");
        }
    }
}

#[test]
fn a_graph_that_was_called_for_while_leaving_is_not_lost() {
    for name in ["Tags", "Started"] {
        for quiet in [false, true] {
            let rig = left_at(name, quiet, |machine| {
                machine.call(Call::SetGraph(None, Default::default()));
            });
            assert!(rig.machine.graph().is_none(), "{name}");
            let told = rig.count(|effect| *effect == Effect::GraphChanged);
            assert_eq!(told, usize::from(!quiet), "{name}");
        }
    }
}

#[test]
fn a_quiet_end_tells_the_end_of_the_move_only() {
    let mut rig = Rig::with(|plan, _| plan.nodes[1].when_no_window = NoWindow::FromEntry);
    rig.press(rig.attack);
    rig.machine.advance(0.5);
    rig.pump();
    rig.log.clear();
    rig.machine.leave_tree(true);
    while rig.machine.in_turn() {
        rig.log.extend(rig.machine.next(&world(&rig.tags)));
    }
    let plain = |effect: &Effect| {
        matches!(effect, Effect::PayloadStop { .. } | Effect::Ended { .. } | Effect::Tags { .. })
    };
    assert_eq!(rig.count(|effect| matches!(effect, Effect::Ended { .. })), 1);
    assert!(rig.log.iter().all(plain), "{:?}", rig.log);
}

#[test]
fn a_state_is_looked_up_in_the_graph_that_counts_when_its_turn_comes() {
    let mut rig = Rig::new();
    rig.press(rig.dodge);
    let saved = rig.machine.export(&rig.table);
    rig.advance(1.0);
    let mut plan = rig::plan(rig.attack, rig.dodge);
    plan.nodes.push(NodePlan::new("another"));
    let graph = Graph::compile(plan).expect("a graph");
    let (binding, mut table) = (rig::binding(&graph), rig.table.clone());
    rig.machine.call(Call::Input(Press::new(rig.attack, Moment::Pressed)));
    let mut missing = Vec::new();
    rig.pump_with(|machine, effect| {
        if matches!(effect, Effect::Started { .. }) {
            machine.call(Call::SetGraph(Some(graph.clone()), binding.clone()));
            missing.extend(machine.import(&mut table, &saved).1);
        }
    });
    assert_eq!(rig.node(), "dodge");
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn a_replay_called_for_inside_begins_when_all_is_told() {
    let mut rig = Rig::new();
    assert!(rig.machine.start_recording(&rig.table));
    rig.press(rig.dodge);
    rig.advance(0.3);
    let replay = rig.machine.stop_recording(&rig.table).expect("a recording");
    rig.advance(1.0);
    let mut table = rig.table.clone();
    rig.machine.call(Call::Input(Press::new(rig.attack, Moment::Pressed)));
    rig.pump_with(|machine, effect| {
        if matches!(effect, Effect::Started { .. }) {
            assert!(machine.play_replay(&mut table, &replay, true));
        }
    });
    assert_eq!(rig.node(), ROOT, "the state of the recording");
    rig.machine.set_time_scale(0.5);
    rig.advance(9.0);
    assert_eq!(rig.node(), "dodge");
    assert_eq!(rig.machine.node_time(), 0.3, "at the recorded speed");
    assert_eq!(rig.machine.settings().time_scale, 0.5, "what was set meanwhile counts now");
}

#[test]
fn a_state_from_the_end_of_a_freeze_leaves_no_input_behind() {
    let mut rig = Rig::new();
    rig.call(Call::Freeze(0.5));
    for tag in [rig.attack, rig.dodge, rig.dodge] {
        assert_eq!(rig.press(tag), InputResult::Buffered);
    }
    let (table, mut saved) = (rig.table.clone(), None);
    rig.machine.call(Call::Unfreeze);
    rig.pump_with(|machine, effect| {
        if matches!(effect, Effect::Started { .. }) {
            saved = Some(machine.export(&table));
        }
    });
    let saved = saved.expect("a state");
    assert!(saved.freeze == 0.0 && saved.waiting.iter().any(|one| one.frozen), "{saved:?}");
    let mut fresh = Rig::new();
    let mut table = fresh.table.clone();
    fresh.machine.import(&mut table, &saved);
    fresh.pump();
    assert_eq!(fresh.node(), "light_1");
    assert!(fresh.machine.view().waiting.iter().all(|one| !one.frozen), "all of them were walked");
}

fn world(tags: &riposte_core::tags::TagSet) -> parts::PartsWorld<'_> {
    parts::PartsWorld {
        tags,
        world_tags: tags,
        vitals: &[],
        attributes: &[],
        facing: glam::DVec2::NEG_Y,
        stick: glam::DVec2::ZERO,
        move_direction: glam::DVec2::ZERO,
        speed: 0.0,
        target: None,
    }
}

#[test]
fn a_dry_run_tells_what_a_press_would_do() {
    let mut rig = Rig::new();
    let explain = |rig: &Rig, tag| {
        let mut dry = rig.machine.explain(tag, Moment::Pressed, glam::DVec2::ZERO, glam::DVec2::ZERO);
        assert_eq!(dry.poll(&rig.machine, &world(&rig.tags)), None);
        match dry.result() {
            Some(Explained::Input(report)) => *report,
            other => panic!("{other:?}"),
        }
    };
    let report = explain(&rig, rig.attack);
    assert_eq!((report.stop, report.result), (Stop::Chain, InputResult::Entered));
    rig.press(rig.attack);
    let report = explain(&rig, rig.dodge);
    assert_eq!((report.stop, report.result), (Stop::Wait, InputResult::Buffered));
    assert!(report.root_answers && !report.answered);
    rig.until(0.5, 0.1);
    let report = explain(&rig, rig.dodge);
    assert_eq!((report.stop, report.result), (Stop::Wait, InputResult::Dropped));
    assert!(report.window_open && rig.node() == "light_1");
}

#[test]
fn a_state_goes_out_and_in() {
    let mut rig = Rig::new();
    rig.press(rig.attack);
    rig.until(0.3, 0.1);
    rig.press(rig.attack);
    let saved = rig.machine.export(&rig.table);
    let mut other = Rig::new();
    let (_, missing) = other.machine.import(&mut other.table, &saved);
    other.pump();
    assert!(missing.is_empty());
    assert_eq!(other.count(|effect| matches!(effect, Effect::Started { .. } | Effect::Ended { .. })), 0);
    assert!(other.machine.run().is_some_and(|run| run.restored && (run.node_time - 0.3).abs() < 1e-9));
    assert_eq!(other.machine.export(&other.table), saved);
    for rig in [&mut rig, &mut other] {
        rig.log.clear();
        for _ in 0..20 {
            rig.advance(0.1);
        }
    }
    let named = |rig: &Rig| rig.log.iter().map(|effect| format!("{effect:?}")).count();
    assert_eq!(named(&rig), named(&other));
    assert_eq!(other.node(), ROOT);
}

#[test]
fn a_payload_that_does_not_live_on_after_an_import_is_over() {
    let mut rig = Rig::with(|plan, _| plan.nodes[3].payload = PayloadPlan::Asked { may_fail: false });
    rig.machine.call(Call::Input(Press::new(rig.dodge, Moment::Pressed)));
    let say = |machine: &mut Machine, effect: &Effect, answer: bool| {
        if let Effect::Ask(ticket, _) = effect {
            machine.answer(*ticket, Answer::Bool(answer));
        }
    };
    rig.pump_with(|machine, effect| say(machine, effect, true));
    rig.advance(0.1);
    assert_eq!(rig.node(), "dodge");
    let saved = rig.machine.export(&rig.table);
    rig.machine.import(&mut rig.table, &saved);
    rig.pump_with(|machine, effect| say(machine, effect, false));
    for _ in 0..3 {
        rig.advance(0.1);
    }
    assert_eq!(rig.node(), ROOT);
    let ends = |effect: &Effect| matches!(effect, Effect::Ended { reason: MoveEnd::Completed, .. });
    assert_eq!(rig.count(ends), 1);
}

#[test]
fn the_report_of_an_input_stays_when_its_move_is_over() {
    let mut rig = Rig::new();
    rig.press(rig.attack);
    let told = rig.machine.last_report().expect("an input").clone();
    assert_eq!(told.result, InputResult::Entered);
    for _ in 0..15 {
        rig.advance(0.1);
    }
    assert_eq!(rig.node(), ROOT);
    assert_eq!(rig.machine.last_report(), Some(&told));
}

#[test]
fn a_pause_whose_window_is_switched_off_can_be_open_from_its_start() {
    let mut rig = Rig::with(|plan, _| {
        plan.nodes[1].payload = PayloadPlan::Delay { seconds: 1.0, open_window: false };
        plan.nodes[1].when_no_window = NoWindow::FromEntry;
    });
    rig.press(rig.attack);
    rig.advance(0.1);
    assert_eq!((rig.press(rig.attack), rig.node()), (InputResult::Entered, "light_2"));
}

#[test]
fn an_unknown_node_is_the_root() {
    let mut rig = Rig::new();
    let saved = Saved { node: "gone".to_owned(), node_time: 1.0, ..Saved::default() };
    let (_, missing) = rig.machine.import(&mut rig.table, &saved);
    rig.pump();
    assert_eq!((rig.node(), missing), (ROOT, vec!["gone".to_owned()]));
}

#[test]
fn a_recording_gives_the_same_moves_whatever_the_tick_and_the_world() {
    let mut rig = Rig::with(|plan, table| {
        let armed = table.intern("State.Armed").expect("a tag");
        plan.nodes[0].transitions[0].required_tags = vec![armed];
    });
    let armed = rig.table.find("State.Armed").expect("a tag");
    rig.tags.assign(&rig.table.clone(), [armed]);
    assert!(rig.machine.start_recording(&rig.table) && !rig.machine.start_recording(&rig.table));
    rig.press(rig.attack);
    rig.until(0.2, 0.05);
    rig.press(rig.attack);
    rig.until(0.7, 0.013);
    rig.call(Call::Freeze(0.2));
    rig.until(3.0, 0.1);
    let replay = rig.machine.stop_recording(&rig.table).expect("a recording");
    let moves = |rig: &Rig| {
        let wanted = |effect: &&Effect| matches!(effect, Effect::Started { .. } | Effect::Ended { .. });
        rig.log.iter().filter(wanted).count()
    };
    assert_eq!(moves(&rig), 4);
    let mut other = Rig::with(|plan, table| {
        let armed = table.intern("State.Armed").expect("a tag");
        plan.nodes[0].transitions[0].required_tags = vec![armed];
    });
    // Nothing is armed here.
    assert!(other.machine.play_replay(&mut other.table, &replay, true));
    other.pump();
    assert_eq!(other.press(other.dodge), InputResult::Dropped);
    let mut ticks = 0;
    while other.machine.is_replaying() {
        other.machine.advance(1.0);
        other.pump();
        ticks += 1;
    }
    assert_eq!(ticks, replay.ticks.len());
    assert_eq!(moves(&other), 4);
    assert_eq!(other.count(|effect| matches!(effect, Effect::ReplayDiverged { .. })), 0);
    assert_eq!(other.count(|effect| *effect == Effect::ReplayEnded), 1);
    other.log.clear();
    assert!(other.machine.play_replay(&mut other.table, &replay, false));
    other.pump();
    while other.machine.is_replaying() {
        other.machine.advance(1.0);
        other.pump();
    }
    assert_eq!(other.count(|effect| matches!(effect, Effect::ReplayDiverged { .. })), 1);
}

#[test]
fn an_edit_keeps_what_runs() {
    let mut rig = Rig::new();
    rig.press(rig.attack);
    rig.until(0.5, 0.1);
    let mut plan = rig::plan(rig.attack, rig.dodge);
    plan.nodes.push(NodePlan { payload: animation(), ..NodePlan::new("a_new_one") });
    plan.nodes[1].transitions.push(press("light_1__new", "a_new_one", rig.dodge));
    let graph = Graph::compile(plan).expect("a graph");
    let binding = rig::binding(&graph);
    rig.log.clear();
    rig.call(Call::Edit(graph, binding));
    assert_eq!(rig.log, [], "the window is open before and after");
    assert!(rig.machine.is_window_open(""));
    assert_eq!(rig.press(rig.dodge), InputResult::Entered);
    assert_eq!(rig.node(), "a_new_one");
}

#[test]
fn times_without_sense_do_nothing() {
    let mut rig = Rig::new();
    rig.press(rig.attack);
    for delta in [f64::NAN, -1.0, f64::INFINITY] {
        assert!(!rig.machine.quiet(f64::NAN));
        rig.machine.advance(delta);
        rig.pump();
        rig.call(Call::Freeze(delta));
    }
    assert_eq!((rig.machine.node_time(), rig.machine.is_frozen()), (0.0, false));
    rig.machine.set_time_scale(0.0);
    rig.advance(5.0);
    assert_eq!((rig.machine.node_time(), rig.machine.elapsed()), (0.0, 5.0));
    rig.machine.set_time_scale(1.0);
    rig.machine.set_action_speed(0.0);
    rig.advance(5.0);
    assert_eq!((rig.machine.node_time(), rig.machine.now()), (0.0, 5.0));
}
