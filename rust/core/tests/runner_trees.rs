//! Worked examples of trees that an action runs through, with the executor around them.

mod action_support;

use action_support::*;
use riposte_core::runner::TreeSequence;

/// One action that runs these trees, begun; steps are counted from here.
fn running(trees: &[(Option<u32>, bool)], timeout: f64, goes_on: bool) -> Rig {
    let sequence = TreeSequence::new(trees.len(), timeout, goes_on);
    let method = Method {
        timeout: sequence.total_timeout(),
        trees: trees.to_vec(),
        sequence: Some((sequence, 0)),
        ..Method::default()
    };
    let mut rig = Rig::quiet([spec("Patrol")]);
    rig.methods.insert("Patrol".to_owned(), method);
    rig.execute("Patrol");
    rig.log.clear();
    rig
}

/// What a step of 0.1 s does with the trees and the run.
fn step(rig: &mut Rig) -> String {
    rig.step(0.1);
    rig.took("tree enter late abort end")
}

#[test]
fn ex_35_e17() {
    let mut rig = running(&[(Some(3), true), (Some(2), true)], 0.0, false);
    assert_eq!([(); 2].map(|()| step(&mut rig)), ["tree 0"; 2]);
    assert_eq!(step(&mut rig), "tree 0, enter 1");
    assert_eq!(step(&mut rig), "tree 1");
    assert_eq!(step(&mut rig), "tree 1");
    assert!(!rig.core.running().unwrap().goes_on(), "it has its result");
    assert_eq!(step(&mut rig), "end Patrol 0");
}

#[test]
fn ex_35_e18() {
    let mut rig = running(&[(Some(2), false), (Some(2), true)], 0.0, false);
    assert_eq!([(); 2].map(|()| step(&mut rig)), ["tree 0"; 2]);
    assert_eq!(step(&mut rig), "end Patrol 4");
    let mut rig = running(&[(Some(2), false), (Some(2), true)], 0.0, true);
    assert_eq!(step(&mut rig), "tree 0");
    assert_eq!(step(&mut rig), "tree 0, enter 1");
    assert_eq!([(); 3].map(|()| step(&mut rig)), ["tree 1", "tree 1", "end Patrol 0"]);
}

#[test]
fn ex_35_e19() {
    let mut rig = running(&[(None, true)], 0.4, false);
    assert_eq!([(); 3].map(|()| step(&mut rig)), ["tree 0"; 3]);
    assert_eq!(step(&mut rig), "abort 3 Patrol, end Patrol 3");
}

/// The time of the tree is over before that of the action: the run ends in the step in which it was asked.
#[test]
fn a_tree_out_of_time_ends_the_run_in_that_step() {
    let mut rig = running(&[(Some(1), true), (None, true)], 0.4, false);
    assert_eq!(step(&mut rig), "tree 0, enter 1");
    assert_eq!([(); 3].map(|()| step(&mut rig)), ["tree 1"; 3]);
    assert_eq!(step(&mut rig), "late 1, abort 3 Patrol, end Patrol 3");
    assert!(!rig.core.time_out(1), "it is over");
}
