//! Worked examples of sets, grants, changes of the list, and numbers that follow attributes.

mod action_support;

use std::sync::Arc;

use action_support::*;
use riposte_core::action::*;
use riposte_core::tags::{TagId, TagTable};

fn cooling(id: &str, duration: f64) -> ActionPlan {
    let cooldown = CooldownPlan { duration, randomization: 0.0, ..CooldownPlan::default() };
    ActionPlan { cooldown, ..spec(id) }
}

#[test]
fn ex_30_a70() {
    let mut chain = SetChain {
        runtime_override: Some("override"),
        provided: Some("provided"),
        weapon: Some("weapon"),
        config_role: Some("role"),
        config_default: Some("config"),
        component: Some("component"),
    };
    let mut seen = Vec::new();
    for removed in 0..7 {
        let (set, source) = chain.clone().resolve();
        seen.push((set, source.code()));
        match removed {
            0 => chain.runtime_override = None,
            1 => chain.provided = None,
            2 => chain.weapon = None,
            3 => chain.config_role = None,
            4 => chain.config_default = None,
            _ => chain.component = None,
        }
    }
    let want = [
        (Some("override"), 5),
        (Some("provided"), 4),
        (Some("weapon"), 4),
        (Some("role"), 3),
        (Some("config"), 2),
        (Some("component"), 1),
        (None, 0),
    ];
    assert_eq!(seen, want);
}

#[test]
fn ex_30_a71() {
    let chain = |weapon| SetChain { weapon, config_role: Some("config"), ..SetChain::default() };
    assert_eq!(chain(None).resolve(), (Some("config"), SetSource::ConfigRole));
    assert_eq!(chain(Some("weapon")).resolve(), (Some("weapon"), SetSource::Provided));
}

#[test]
fn the_closest_ancestor_of_a_role_counts() {
    let mut table = TagTable::new();
    let mut tag = |name: &str| table.intern(name).unwrap();
    let keys: Vec<TagId> = ["Role", "Role.Melee.Heavy", "Role.Melee", "Other"].map(&mut tag).to_vec();
    let roles = ["Role.Melee.Heavy.Lead", "Role.Melee", "Role.Melee.Light", "Role.Archer", "Boss"].map(tag);
    let found = roles.map(|role| closest_role(&table, role, &keys));
    assert_eq!(found, [Some(1), Some(2), Some(2), Some(0), None]);
}

/// What an evaluator lists with this set and these grants.
fn listed(base: &[ActionPlan], granted: &[ActionPlan]) -> Vec<ActionPlan> {
    let shared = |plans: &[ActionPlan]| plans.iter().cloned().map(Arc::new).collect::<Vec<_>>();
    let pick = |one| match one {
        Listed::Base(at) => base[at].clone(),
        Listed::Granted(at) => granted[at].clone(),
    };
    effective(&shared(base), &shared(granted)).into_iter().map(pick).collect()
}

fn names(rig: &Rig) -> Vec<&str> {
    rig.core.listed().map(|(action, _)| rig.core.name(action)).collect()
}

#[test]
fn ex_30_a72() {
    let grants = [cooling("Bomb", 5.0)];
    let mut rig = Rig::quiet(listed(&[spec("Jab"), spec("Heavy")], &grants));
    rig.use_up("Bomb", EndReason::Completed);
    rig.until(1.0);
    rig.list(listed(&[spec("Kick"), spec("Bomb"), spec("Jab")], &grants));
    assert_eq!(names(&rig), ["Kick", "Jab", "Bomb"], "it hides the set's own");
    near(rig.cooldown("Bomb"), 4.0);
    rig.list(listed(&[spec("Kick")], &[]));
    assert_eq!(names(&rig), ["Kick"]);
}

#[test]
fn ex_30_a73() {
    let mut rig = Rig::quiet([cooling("Jab", 5.0)]);
    rig.execute("Jab");
    rig.list([spec("Kick"), cooling("Jab", 5.0)]);
    assert_eq!(rig.running_name(), "Jab");
    rig.took("");
    rig.list([spec("Kick")]);
    assert_eq!(rig.took("end"), "end Jab 2");
    near(rig.cooldown("Jab"), 5.0);
}

#[test]
fn change_policies() {
    for (policy, kept, missing) in [
        (ChangePolicy::EndIfMissing, "Jab", ""),
        (ChangePolicy::LetFinish, "Jab", "Jab"),
        (ChangePolicy::EndAlways, "", ""),
    ] {
        for (plans, want) in [(vec![spec("Kick"), spec("Jab")], kept), (vec![spec("Kick")], missing)] {
            let mut rig = Rig::with(Settings { change_policy: policy, ..quiet() }, [spec("Jab")]);
            rig.execute("Jab");
            rig.list(plans);
            rig.step(0.1);
            assert_eq!(rig.running_name(), want, "{policy:?}");
        }
    }
}

#[test]
fn an_edit_of_the_same_set_is_no_change_of_the_set() {
    let mut rig = Rig::with(Settings { change_policy: ChangePolicy::EndAlways, ..quiet() }, [spec("Jab")]);
    rig.execute("Jab");
    let plans = [Arc::new(weighted("Jab", 2.0))];
    rig.call(|core| core.set_list(Some(&plans), false));
    assert_eq!(rig.running_name(), "Jab");
}

/// The end waits until the sequence in progress is through; the data change at once.
#[test]
fn a_set_swapped_in_the_middle_of_a_sequence() {
    for when in ["begin Jab", "start Jab", "tick Jab"] {
        let mut rig = Rig::quiet([spec("Jab"), spec("Heavy")]);
        rig.once = true;
        rig.act(when, Act::List(vec![spec("Kick")]));
        rig.execute("Jab");
        rig.step(0.1);
        assert_eq!(names(&rig), ["Kick"]);
        assert_eq!(rig.took("start end"), "start Jab, end Jab 2", "{when}");
    }
}

#[test]
fn a_set_swapped_back_within_one_sequence_ends_nothing() {
    let mut rig = Rig::quiet([spec("Jab")]);
    rig.once = true;
    rig.act("tick Jab", Act::List(vec![spec("Kick")]));
    rig.act("set", Act::List(vec![spec("Jab")]));
    rig.execute("Jab");
    rig.step(0.1);
    assert_eq!(rig.took("start end"), "start Jab");
}

#[test]
fn ex_30_a83() {
    let mut rig = Rig::quiet([cooling("Jab", 10.0)]);
    rig.use_up("Jab", EndReason::Completed);
    rig.until(4.0);
    rig.list([cooling("Jab", 2.0)]);
    near(rig.cooldown("Jab"), 6.0);
    rig.use_up("Jab", EndReason::Completed);
    near(rig.cooldown("Jab"), 2.0);
}

fn bound(plan: ActionPlan, rows: &[(BoundNumber, BindMode, usize)]) -> ActionPlan {
    let bindings = rows.iter().map(|&(number, mode, slot)| BindingPlan { number, mode, slot });
    ActionPlan { bindings: bindings.collect(), ..plan }
}

#[test]
fn ex_30_a47() {
    let rows = [(BoundNumber::CooldownDuration, BindMode::Replace, 0)];
    let mut rig = Rig::quiet([bound(cooling("Jab", 10.0), &rows)]);
    rig.attributes.insert(0, 2.5);
    rig.use_up("Jab", EndReason::Completed);
    near(rig.cooldown("Jab"), 2.5);
    rig.attributes.clear();
    rig.use_up("Jab", EndReason::Completed);
    near(rig.cooldown("Jab"), 10.0);
}

#[test]
fn weight_and_risk_follow_at_each_evaluation() {
    let rows =
        [(BoundNumber::SelectionWeight, BindMode::Multiply, 0), (BoundNumber::RiskPenalty, BindMode::Add, 1)];
    let mut rig = Rig::quiet([bound(weighted("Jab", 2.0), &rows)]);
    near(rig.score("Jab"), 2.0);
    rig.attributes.insert(0, 3.0);
    near(rig.score("Jab"), 6.0);
    rig.attributes.insert(1, 1.0);
    near(rig.score("Jab"), 3.0);
    // Inside the range of the property.
    rig.attributes.insert(0, -5.0);
    near(rig.score("Jab"), 0.0);
    rig.attributes.insert(0, f64::NAN);
    rig.attributes.insert(1, 1e9);
    near(rig.score("Jab"), 0.02);
}

#[test]
fn several_bindings_of_one_number_apply_in_order() {
    let number = BoundNumber::SelectionWeight;
    let rows = [(number, BindMode::Replace, 0), (number, BindMode::Multiply, 1), (number, BindMode::Add, 2)];
    let plan = bound(weighted("Jab", 7.0), &rows);
    let all = [2.0, 3.0, 1.0];
    assert_eq!(bound_number(&plan, number, |slot| Some(all[slot])), Some(7.0));
    assert_eq!(bound_number(&plan, number, |slot| Some(all[slot]).filter(|_| slot > 0)), Some(22.0));
    assert_eq!(bound_number(&plan, BoundNumber::RiskPenalty, |_| Some(1.0)), None);
}

#[test]
fn recovery_and_commitment_follow() {
    let rows = [
        (BoundNumber::RecoveryTime, BindMode::Replace, 0),
        (BoundNumber::CommitmentTime, BindMode::Replace, 1),
    ];
    let jab = ActionPlan {
        recovery: Some(1.0),
        interrupt_class: InterruptClass::ByMargin,
        ..bound(spec("Jab"), &rows)
    };
    let mut rig = Rig::quiet([jab, weighted("Heavy", 10.0)]);
    rig.attributes.insert(0, 4.0);
    rig.attributes.insert(1, 2.0);
    let run = rig.execute("Jab");
    rig.until(1.9);
    rig.evaluate();
    assert_eq!(rig.running_name(), "Jab", "committed");
    rig.attributes.insert(1, 1.0);
    rig.evaluate();
    assert_eq!(rig.running_name(), "Heavy", "the commitment is read when it is checked");
    rig.abort(EndReason::Cancelled);
    let run = rig.execute("Jab").max(run);
    rig.finish(run, EndReason::Completed);
    near(rig.core.recovery_left(), 4.0);
}

#[test]
fn scales_of_one_agent() {
    let mut rig = Rig::with(
        Settings { cooldown_scale: 0.5, recovery_scale: 2.0, action_recovery_time: 1.0, ..quiet() },
        [cooling("Jab", 10.0)],
    );
    rig.use_up("Jab", EndReason::Completed);
    near(rig.cooldown("Jab"), 5.0);
    near(rig.core.recovery_left(), 2.0);
}
