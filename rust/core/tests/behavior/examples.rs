//! The worked examples of the stack.

use riposte_core::runner::RunnerStatus;

use super::play::Play;

const PATROL: i64 = 1;
const ORDER: i64 = 2;

#[test]
fn ex_40_73() {
    let mut play = Play::new();
    assert_eq!(play.set("Unit", PATROL), 1);
    assert_eq!(play.take(), "enter(1) entered(Unit,1) active(-→Unit)");
    assert_eq!(play.set("Command", ORDER), 2);
    assert_eq!(play.take(), "suspend(1) enter(2) suspended(Unit,1) entered(Command,2) active(Unit→Command)");
    play.ends.insert(ORDER, RunnerStatus::Succeeded);
    play.tick();
    assert_eq!(
        play.take(),
        "tick(2) exit(2,1) over(2,1) resume(1) exited(Command,2,1) resumed(Unit,1) active(Command→Unit)",
        "the patrol is not ticked in the tick in which it resumed"
    );
    play.tick();
    assert_eq!(play.take(), "tick(1)");
}

#[test]
fn ex_40_74() {
    let mut play = Play::new();
    for _ in 0..4 {
        play.set("Command", 9);
    }
    assert_eq!(play.set("Command", PATROL), 5);
    play.take();
    assert_eq!(play.set("Command", ORDER), 6);
    assert_eq!(play.take(), "exit(1,3) over(5,3) enter(2) exited(Command,5,3) entered(Command,6)");
    assert!(!play.core.remove(5));
    play.tick();
    assert_eq!(play.take(), "tick(2)", "6 runs on");
    let squad = play.set("Squad", 3);
    assert_eq!(play.take(), "", "it is installed, not entered");
    play.perform(&super::play::Act::Remove(squad));
    assert_eq!(play.take(), "over(7,4)", "neither entered nor exited");
    assert_eq!(play.active(), "Command");
}
