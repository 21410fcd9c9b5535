//! The worked examples that need more than their notation says.

use super::notation::{Order, Step};
use super::stage::{Stage, answer_of};

fn set_up(steps: &[&str]) -> Stage {
    let mut stage = Stage::new();
    for step in steps {
        stage.perform_step(&Step::read(step));
    }
    stage.words.clear();
    stage
}

fn play(stage: &mut Stage, step: &str) -> Vec<String> {
    stage.perform_step(&Step::read(step));
    std::mem::take(&mut stage.words)
}

fn with(words: &[String], beginning: &str) -> usize {
    words.iter().filter(|word| word.starts_with(beginning)).count()
}

#[test]
fn ex_40_60() {
    let mut stage = set_up(&["max 200", "issue A", "fill 100"]);
    let first = play(&mut stage, "S");
    assert_eq!(with(&first, "start("), 64);
    assert_eq!(stage.machine.queue_length(), 36);
    assert_eq!(with(&first, "idle"), 0);
    assert!(stage.machine.wants_tick());
    let rest = play(&mut stage, "tick 0.1");
    assert_eq!(with(&rest, "start("), 36);
    assert_eq!(with(&first, "end(Z") + with(&rest, "end(Z"), 100);
    assert_eq!(with(&rest, "idle"), 1);
}

#[test]
fn an_order_that_issues_itself_again() {
    let mut stage = set_up(&[]);
    for _ in 0..200 {
        stage.reactions.push(("end(Z)".to_owned(), Step::read("issue Z")));
        stage.reactions.extend((2..200).map(|n| (format!("end(Z{n})"), Step::read("issue Z"))));
    }
    let first = play(&mut stage, "issue Z=");
    assert_eq!(with(&first, "start("), 64);
    assert_eq!(with(&play(&mut stage, "tick 0.1"), "start("), 64);
    stage.reactions.clear();
    play(&mut stage, "tick 0.1");
    assert!(stage.machine.is_idle());
    assert_eq!(stage.deepest, 1);
}

#[test]
fn ex_40_61() {
    let mut stage = set_up(&["issue A(t)r", "enq Q", "free t"]);
    stage.new_target('u');
    stage.free_target('u');
    assert_eq!(
        play(&mut stage, "tick 0.1").join(" "),
        "end(Q,D,chain_failed) cancel(A) end(A,F,target_lost) cur(A→-) queue idle"
    );
    let mut stage = set_up(&["issue A(t)r", "free t"]);
    stage.new_target('u');
    stage.spare = Some('u');
    assert_eq!(play(&mut stage, "tick 0.1").join(" "), "cancel(A) start(A) retried(A,1)");
    let current = stage.machine.current().expect("a current order");
    assert_eq!(stage.machine.data(current).expect("it lives").target, Some(('u', 1)));
    assert_eq!(stage.machine.info(current).expect("it lives").attempt, 1);
}

#[test]
fn ex_40_69() {
    let ways: [&[&str]; 5] = [&["S"], &["F"], &["intr B", "C"], &["cancel", "tick 1.0"], &["leave"]];
    for way in ways {
        let mut stage = set_up(&["issue A~"]);
        let start = stage.last_execution;
        assert_eq!(stage.tags.len(), 1);
        for step in way {
            play(&mut stage, step);
        }
        assert!(!stage.tags.contains(&start), "after {way:?}");
    }
}

#[test]
fn ex_40_71() {
    let mut stage = set_up(&["issue A", "enq Q"]);
    let news: Vec<usize> = ["R", "N"].map(|name| stage.definition(&Order::read(&[name]))).to_vec();
    let answers: Vec<String> = stage.replace(&news).iter().map(answer_of).collect();
    assert_eq!(answers, ["STARTED", "QUEUED/in_queue"]);
    assert_eq!(
        stage.words.join(" "),
        "end(Q,D,replaced) cancel(A) end(A,C,replaced) start(R) cur(A→R) started(R) queue"
    );
    assert_eq!(stage.state(), "R[N]");
    // One that does not fit in.
    stage.perform_step(&Step::read("max 1"));
    stage.words.clear();
    let news: Vec<usize> = ["A", "B", "Q"].map(|name| stage.definition(&Order::read(&[name]))).to_vec();
    let answers: Vec<String> = stage.replace(&news).iter().map(answer_of).collect();
    assert!(answers.iter().all(|answer| answer.starts_with("REJECTED")), "{answers:?}");
    assert!(answers.contains(&"REJECTED/not_atomic".to_owned()), "{answers:?}");
    assert_eq!((stage.words.len(), stage.state().as_str()), (0, "R[N]"));
}
