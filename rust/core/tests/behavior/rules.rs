//! Rules of layers, one by one.

use riposte_core::behavior::SetRefusal;
use riposte_core::runner::RunnerStatus::{Failed, Running, Succeeded};

use super::play::{Act, Play};

/// A patrol (1) on Unit and an order (2) on Command above it.
fn over_a_patrol() -> Play {
    let mut play = Play::new();
    play.set("Unit", 1);
    play.set("Command", 2);
    play.take();
    play
}

#[test]
fn unknown_layers_and_nodes_that_stand_elsewhere() {
    let mut play = over_a_patrol();
    assert_eq!(play.try_set("Air", 3), Err(SetRefusal::UnknownLayer));
    let unit = play.core.find_layer("Unit").unwrap();
    assert_eq!(play.try_set("Squad", 1), Err(SetRefusal::OnLayer(unit)));
    assert_eq!(play.take(), "");
    assert_eq!(play.set("Squad", 3), 3, "refused ones take no number");
}

#[test]
fn the_same_behaviour_takes_its_own_place() {
    let mut play = Play::new();
    play.set("Unit", 1);
    play.take();
    play.set("Unit", 1);
    assert_eq!(play.take(), "exit(1,3) over(1,3) enter(1) exited(Unit,1,3) entered(Unit,2)");
}

#[test]
fn nothing_enters_before_the_stack_is_ready() {
    let mut play = Play::default();
    play.core.set_layers(&["Unit".to_owned()]);
    assert_eq!(play.try_set("Unit", 1), Err(SetRefusal::Closed), "it is not in the tree");
    play.core.enter_tree();
    assert_eq!(play.set("Unit", 1), 1);
    assert_eq!((play.take().as_str(), play.active()), ("", ""));
    play.perform(&Act::Open);
    assert_eq!(play.take(), "enter(1) entered(Unit,1) active(-→Unit)");
}

#[test]
fn entered_outside_a_tick_it_is_ticked_in_the_next() {
    let mut play = Play::new();
    play.set("Unit", 1);
    play.take();
    play.tick();
    assert_eq!(play.take(), "tick(1)");
    play.ends.insert(1, Failed);
    play.tick();
    assert_eq!(play.take(), "tick(1) exit(1,2) over(1,2) exited(Unit,1,2) active(Unit→-)");
    play.tick();
    assert_eq!(play.take(), "");
    assert!(!play.core.wants_ticks());
}

#[test]
fn a_suspended_one_leaves_without_a_resume() {
    let mut play = over_a_patrol();
    play.perform(&Act::Remove(1));
    assert_eq!(play.take(), "exit(1,4) over(1,4) exited(Unit,1,4)");
    play.tick();
    assert_eq!(play.take(), "tick(2)");
}

#[test]
fn switching_off_suspends_and_switching_on_resumes() {
    let mut play = over_a_patrol();
    play.perform(&Act::Enable(false));
    assert_eq!(play.take(), "suspend(2) suspended(Command,2) active(Command→-)");
    play.tick();
    assert_eq!(play.take(), "");
    play.set("Squad", 3);
    play.perform(&Act::Remove(2));
    assert_eq!(play.take(), "exit(2,4) over(2,4) exited(Command,2,4)");
    play.perform(&Act::Enable(true));
    assert_eq!(play.take(), "enter(3) entered(Squad,3) active(-→Squad)");
}

#[test]
fn finishing_at_once() {
    let mut play = over_a_patrol();
    assert!(!play.core.ended(2, Running, false) && !play.core.ended(7, Succeeded, false));
    play.perform(&Act::Finish(2, Succeeded));
    assert_eq!(
        play.take(),
        "exit(2,1) over(2,1) resume(1) exited(Command,2,1) resumed(Unit,1) active(Command→Unit)"
    );
    play.set("Squad", 3);
    play.set("Unit", 4);
    play.take();
    assert!(!play.core.ended(5, Succeeded, false), "it never entered");
}

#[test]
fn a_suspended_one_may_finish() {
    let mut play = over_a_patrol();
    play.perform(&Act::Finish(1, Failed));
    assert_eq!(play.take(), "exit(1,2) over(1,2) exited(Unit,1,2)");
}

#[test]
fn finishing_in_a_hook_comes_after_the_signals_of_that_hook() {
    let mut play = Play::new();
    play.set("Unit", 1);
    play.take();
    play.on("enter(2)", Act::Finish(2, Succeeded));
    play.set("Command", 2);
    assert_eq!(
        play.take(),
        "suspend(1) enter(2) suspended(Unit,1) entered(Command,2) \
         exit(2,1) over(2,1) resume(1) exited(Command,2,1) resumed(Unit,1)",
        "the layer that is active at the end is the one before"
    );
}

#[test]
fn what_a_tick_says_after_it_finished_does_not_count() {
    let mut play = over_a_patrol();
    play.ends.insert(2, Failed);
    play.on("tick(2)", Act::Finish(2, Succeeded));
    play.tick();
    assert!(play.take().starts_with("tick(2) exit(2,1) over(2,1) resume(1)"));
}

#[test]
fn a_loop_keeps_its_layer() {
    let mut play = over_a_patrol();
    play.loops.push(2);
    play.ends.insert(2, Succeeded);
    play.tick();
    assert_eq!(play.take(), "tick(2) exit(2,1) exited(Command,2,1)");
    assert_eq!(play.active(), "Command");
    play.tick();
    assert_eq!(play.take(), "enter(2) entered(Command,2)", "the same route");
    play.tick();
    assert_eq!(play.take(), "tick(2) exit(2,1) exited(Command,2,1)");
    play.perform(&Act::Remove(2));
    assert_eq!(
        play.take(),
        "over(2,4) resume(1) resumed(Unit,1) active(Command→Unit)",
        "it had left already"
    );
}

#[test]
fn a_loop_that_is_removed_while_it_ends_does_not_come_back() {
    for line in ["exit(2,1)", "exited(Command,2,1)"] {
        let mut play = over_a_patrol();
        play.loops.push(2);
        play.on("tick(2)", Act::Finish(2, Succeeded));
        play.on(line, Act::Remove(2));
        play.tick();
        let log = play.take();
        assert_eq!(log.matches("exit(2,").count(), 1, "{line}: {log}");
        assert_eq!(log.matches("over(2,").count(), 1, "{line}: {log}");
        assert!(log.contains("resumed(Unit,1)"), "{line}: {log}");
        play.tick();
        assert_eq!(play.take(), "tick(1)");
    }
}

#[test]
fn the_next_order_follows_without_a_resume_between() {
    let mut play = over_a_patrol();
    play.ends.insert(2, Succeeded);
    play.on("over(2,1)", Act::Set("Command", 3));
    play.tick();
    assert_eq!(play.take(), "tick(2) exit(2,1) over(2,1) enter(3) exited(Command,2,1) entered(Command,3)");
    assert_eq!(play.active(), "Command");
}

#[test]
fn what_loses_its_place_before_its_turn_never_enters() {
    let mut play = Play::new();
    play.set("Unit", 1);
    play.take();
    play.on("suspend(1)", Act::Remove(2));
    play.set("Command", 2);
    assert_eq!(play.take(), "suspend(1) suspended(Unit,1) over(2,4) resume(1) resumed(Unit,1)");
    play.on("suspend(1)", Act::Set("Command", 4));
    play.set("Command", 3);
    assert_eq!(
        play.take(),
        "suspend(1) enter(4) suspended(Unit,1) entered(Command,4) over(3,3) active(Unit→Command)"
    );
}

#[test]
fn everything_leaves_with_the_stack_the_active_one_first() {
    let mut play = over_a_patrol();
    play.set("Squad", 3);
    play.perform(&Act::Close);
    assert_eq!(
        play.take(),
        "exit(2,5) over(2,5) exited(Command,2,5) over(3,5) exit(1,5) over(1,5) exited(Unit,1,5) active(Command→-)"
    );
    assert_eq!(play.try_set("Unit", 1), Err(SetRefusal::Closed));
    play.core.enter_tree();
    assert_eq!(play.set("Unit", 1), 4);
    assert_eq!(play.take(), "", "its children may not be there yet");
    play.perform(&Act::Open);
    assert_eq!(play.take(), "enter(1) entered(Unit,4) active(-→Unit)");
}

#[test]
fn leaving_in_the_middle_of_every_line_leaves_once() {
    let lines = ["suspend(1)", "enter(2)", "suspended(Unit,1)", "entered(Command,2)", "active(Unit→Command)"];
    for line in lines {
        let mut play = Play::new();
        play.set("Unit", 1);
        play.take();
        play.on(line, Act::Close);
        play.set("Command", 2);
        let log = play.take();
        assert_eq!(log.matches("exit(1,5)").count(), 1, "{line}: {log}");
        let entered = log.matches("enter(2)").count();
        assert_eq!(log.matches("exit(2,5)").count(), entered, "{line}: {log}");
    }
}

#[test]
fn freed_ones_go_in_the_next_tick() {
    let mut play = over_a_patrol();
    play.gone.push(2);
    play.tick();
    assert_eq!(
        play.take(),
        "exit(2,6) over(2,6) resume(1) exited(Command,2,6) resumed(Unit,1) active(Command→Unit)"
    );
    play.set("Squad", 3);
    play.set("Unit", 4);
    play.take();
    play.gone.push(4);
    play.tick();
    assert_eq!(play.take(), "tick(3) over(4,6)", "who never entered does not exit");
}

#[test]
fn other_layers_keep_what_stays() {
    let mut play = over_a_patrol();
    play.perform(&Act::Layers(&["Command", "Air", "Unit"]));
    assert_eq!(play.take(), "suspend(2) resume(1) suspended(Command,2) resumed(Unit,1) active(Command→Unit)");
    play.perform(&Act::Layers(&["Command"]));
    assert_eq!(
        play.take(),
        "exit(1,4) over(1,4) resume(2) exited(Unit,1,4) resumed(Command,2) active(Unit→Command)"
    );
    assert_eq!(play.core.layer_names(), ["Command"]);
}

#[test]
fn turns_without_end_are_cut() {
    let mut play = Play::new();
    for _ in 0..6000 {
        play.acts.push(("over(x)".to_owned(), Act::Enable(true)));
        play.on("entered(Unit,1)", Act::Enable(false));
        play.on("suspended(Unit,1)", Act::Enable(true));
        play.on("resumed(Unit,1)", Act::Enable(false));
    }
    play.set("Unit", 1);
    let lines = play.lines.len();
    assert!((4096..20_000).contains(&lines), "{lines}");
    assert!(!play.core.is_in_turn());
    play.acts.clear();
    play.lines.clear();
    play.perform(&Act::Enable(true));
    play.tick();
    assert!(play.take().ends_with("tick(1)"), "it goes on");
}

#[test]
fn sets_without_end_are_refused() {
    let mut play = Play::new();
    for route in 1..6000 {
        play.on(&format!("entered(Unit,{route})"), Act::Set("Unit", route + 1));
    }
    play.set("Unit", 1);
    let lines = play.lines.len();
    assert!((4096..4200).contains(&lines), "{lines}");
    assert_ne!(play.set("Squad", 9999), 0, "the next turn is a new one");
}
