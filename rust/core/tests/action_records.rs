//! Recorded decisions, saved state, and the same events whatever is recorded and on however many threads.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod action_support;

use action_support::*;
use riposte_core::action::*;

/// A busy set: jitter, novelty, chains, cooldowns that vary, spawn rolls, a script, actions that end by themselves.
fn busy(record: bool) -> Rig {
    let cooldown =
        CooldownPlan { duration: 1.5, randomization: 0.4, spawn_chance: 0.5, ..CooldownPlan::default() };
    let link = ChainPlan { action: ActionId::new("Heavy"), bonus: 1.5 };
    let plans = [
        ActionPlan {
            cooldown,
            scorers: vec![distance()],
            chain_links: vec![link],
            max_consecutive_uses: 2,
            ..spec("Jab")
        },
        ActionPlan { cooldown, scorers: vec![distance(), angle()], ..weighted("Heavy", 0.9) },
        ActionPlan { scorers: vec![script_scorer(0), distance()], ..weighted("Throw", 0.8) },
        ActionPlan { scorers: vec![angle()], ..weighted("Wait", 0.3) },
    ];
    let settings = Settings { record, history_size: 8, ..Settings::default() };
    let mut rig = Rig::with(settings, plans);
    rig.script("Throw", 0, |call| if call.action_seed % 4 == 0 { 0.0 } else { 1.0 });
    for (id, ticks) in [("Jab", 2), ("Heavy", 4), ("Throw", 3), ("Wait", 1)] {
        rig.method(id).ticks = Some(ticks);
    }
    rig.aim(2.0, 10.0);
    rig
}

/// What happened in each of so many steps, with a target that moves about.
fn events(rig: &mut Rig, steps: std::ops::Range<u32>) -> Vec<String> {
    let mut lines = Vec::new();
    for step in steps {
        (rig.distance, rig.angle) = (1.0 + f64::from(step % 37) / 10.0, f64::from(step % 80));
        rig.step(1.0 / 30.0);
        let told = rig.took("start end cool ready refuse none");
        let last = rig.core.last_decision();
        let won = (&last.action, last.score.to_bits(), last.seed, last.evaluation_index);
        lines.push(format!("{step}: {told}; {won:?}"));
    }
    lines
}

/// Rows of the last decision by action.
fn row(decision: &Decision, id: &str) -> DecisionRow {
    decision.rows.iter().find(|row| &*row.action == id).unwrap().clone()
}

#[test]
fn a_row_has_every_factor_by_name_in_the_order_of_the_product() {
    let mut rig = Rig::new(Settings { record: true, jitter_amount: 0.0, auto_evaluate: false, ..quiet() });
    let boss = rig.table.intern("World.Boss").unwrap();
    let team = rig.table.intern("Team").unwrap();
    let multiplier = |tag, name: &str, multiplier| TagMultiplier { tag, name: name.into(), multiplier };
    let plan = ActionPlan {
        selection_weight: 1.5,
        risk_penalty: 1.2,
        scorers: vec![distance(), angle()],
        tag_multipliers: vec![multiplier(boss, "World.Boss", 1.5), multiplier(team, "Team", 0.8)],
        ..spec("Slash")
    };
    rig.world_tags = rig.tags(&["World.Boss.Active"]);
    rig.list([plan, weighted("Poor", 0.1)]);
    rig.call(|core| core.start());
    rig.aim(3.75, 45.0);
    let slash = rig.find("Slash");
    rig.core.set_multiplier(slash, Some(3.0));
    rig.evaluate();
    let decision = rig.core.last_decision();
    let won = row(&decision, "Slash");
    let names: Vec<&str> = won.factors.iter().map(|factor| &*factor.0).collect();
    let order = [
        "weight/risk",
        "World.Boss",
        "novelty",
        "chain",
        "DistanceScorer",
        "AngleScorer",
        "runtime",
        "jitter",
    ];
    assert_eq!(names, order);
    let values: Vec<f64> = won.factors.iter().map(|factor| factor.1).collect();
    for (got, want) in values.iter().zip([1.25, 1.5, 1.0, 1.0, 0.5, 0.75, 3.0, 1.0]) {
        near(*got, want);
    }
    assert_eq!(values.iter().product::<f64>().to_bits(), won.score.to_bits());
    assert!(won.won && won.refusal == Refusal::None && won.detail.is_empty());
    let lost = row(&decision, "Poor");
    assert!(!lost.won && lost.refusal == Refusal::Outscored && lost.factors.len() == 5);
}

#[test]
fn while_recording_a_zero_does_not_end_the_product() {
    let plan = ActionPlan { scorers: vec![distance(), script_scorer(0), angle()], ..spec("Throw") };
    let mut rig = Rig::quiet([plan]);
    rig.aim(9.0, 0.0);
    assert_eq!(rig.score("Throw"), 0.0);
    assert_eq!(rig.took("score"), "", "nobody reads the rest of a product that is zero");
    rig.set(|settings| settings.record = true);
    rig.script("Throw", 0, |_| 0.5);
    rig.evaluate();
    let throw = row(&rig.core.last_decision(), "Throw");
    assert_eq!(throw.refusal, Refusal::ZeroScore);
    let values: Vec<f64> = throw.factors.iter().map(|factor| factor.1).collect();
    assert_eq!(values, [1.0, 1.0, 1.0, 0.0, 0.5, 1.0, 1.0, 1.0]);
}

#[test]
fn details_say_what_is_missing() {
    let mut rig = Rig::new(quiet());
    let (need, block) = (rig.queries(&["State.Armed"]), rig.queries(&["State.Wet"]));
    let cooldown = CooldownPlan { initial: 1.34, randomization: 0.0, ..CooldownPlan::default() };
    rig.agent_tags = rig.tags(&["State.Wet.Very"]);
    let no = ActionPlan { gates: vec![script_gate(0, "Only at night")], ..spec("Bite") };
    rig.script("Bite", 0, |_| 0.0);
    rig.list([
        ActionPlan { cooldown, ..spec("Cool") },
        ActionPlan { requires_tags: need, ..spec("Shoot") },
        ActionPlan { block_tags: block, ..spec("Burn") },
        no,
    ]);
    rig.call(|core| core.start());
    rig.evaluate();
    let decision = rig.core.last_decision();
    let text = |id| row(&decision, id).detail;
    assert_eq!(text("Cool"), "Cooldown (1.3s remaining)");
    assert_eq!(text("Shoot"), "Missing tag State.Armed");
    assert_eq!(text("Burn"), "Blocked by tag State.Wet");
    assert_eq!(text("Bite"), "Only at night");
    assert_eq!(decision.rows.len(), 4, "every candidate has one row");
}

#[test]
fn the_ring_keeps_the_last_decisions() {
    let mut rig = Rig::quiet([spec("Jab"), spec("Heavy")]);
    rig.use_up("Jab", EndReason::Cancelled);
    assert_eq!(rig.core.history().len(), 0, "nobody records");
    rig.set(|settings| (settings.record, settings.history_size) = (true, 3));
    for _ in 0..3 {
        rig.evaluate();
        rig.abort(EndReason::Cancelled);
    }
    rig.use_up("Heavy", EndReason::Cancelled);
    let kept: Vec<(u64, Origin)> =
        rig.core.history().map(|decision| (decision.evaluation_index, decision.origin)).collect();
    assert_eq!(kept.len(), 3);
    assert_eq!(kept[..2], [(1, Origin::Scored), (2, Origin::Scored)], "the oldest is gone");
    assert_eq!(kept[2].1, Origin::Forced, "forced runs included");
    let newest = rig.core.history().last().unwrap().clone();
    assert_eq!(*newest, rig.core.last_decision());
    rig.core.set_history_size(1);
    assert_eq!(rig.core.history().len(), 1);
    rig.core.set_history_size(0);
    rig.evaluate();
    assert_eq!(rig.core.history().len(), 0, "0 keeps none");
    rig.core.set_history_size(4);
    rig.abort(EndReason::Cancelled);
    rig.evaluate();
    rig.core.clear_history();
    assert_eq!(rig.core.history().len(), 0);
}

/// A state as it comes back: JSON keeps about 14 digits.
fn rounded(state: &EvaluatorState) -> EvaluatorState {
    let round = |value: &mut f64| *value = format!("{value:.14}").parse().unwrap();
    let mut state = state.clone();
    round(&mut state.time);
    round(&mut state.next_due);
    state.cooldowns.iter_mut().for_each(|cooldown| round(&mut cooldown.remaining));
    state.uses.iter_mut().for_each(|used| round(&mut used.1));
    state.repeat.iter_mut().for_each(|repeat| round(&mut repeat.2));
    state.chain.iter_mut().for_each(|chain| round(&mut chain.1));
    state
}

#[test]
fn ex_30_a84() {
    let mut rig = busy(false);
    events(&mut rig, 0..200);
    rig.set(|settings| settings.auto_evaluate = false);
    events(&mut rig, 200..220);
    rig.set(|settings| settings.auto_evaluate = true);
    let step = 220;
    let state = rig.core.export();
    assert_eq!(state.running, None, "idle");
    assert!(state.is_sound() && !state.uses.is_empty());
    assert_eq!(rig.core.export(), state, "a pure read");
    let mut other = busy(false);
    other.core.set_seed(99);
    assert_eq!(other.core.import(&rounded(&state)), Unknown::default());
    other.took("");
    let (a, b) = (events(&mut rig, step..step + 300), events(&mut other, step..step + 300));
    // Scores may differ in their last bits, as far as ages went through text.
    let without_scores = |lines: &[String]| {
        lines.iter().map(|line| line.split("; (").next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(without_scores(&a), without_scores(&b));
    let told = |lines: &[String]| lines.iter().filter(|line| line.contains("start")).count();
    assert!(told(&a) > 20, "it was busy");
    near(rig.core.now(), other.core.now());
    assert_eq!(rig.core.next_run_id(), other.core.next_run_id());
}

#[test]
fn an_imported_state_leaves_out_what_nobody_knows() {
    let mut rig = Rig::quiet([spec("Jab")]);
    rig.use_up("Jab", EndReason::Completed);
    let mut state = rig.core.export();
    state.overrides.push(("Gone".to_owned(), 2.0));
    state.chain = Some(("Gone".to_owned(), 0.1));
    let cooldown = |action: &str| CooldownState { action: action.to_owned(), remaining: 2.0, stamps: 3 };
    state.cooldowns = vec![cooldown("Lost"), cooldown("Jab")];
    assert_eq!(rig.core.import(&state), Unknown(vec!["Lost".into(), "Gone".into()]));
    near(rig.cooldown("Jab"), 2.0);
    assert_eq!(rig.took("cool ready"), "", "nothing is told");
    let again = rig.core.export();
    assert_eq!((again.overrides, again.chain), (vec![], None));
    assert_eq!(again.cooldowns, [cooldown("Jab")]);
}

#[test]
fn a_state_with_senseless_numbers_is_not_sound() {
    let rig = Rig::quiet([spec("Jab")]);
    let sound = rig.core.export();
    assert!(sound.is_sound());
    for bad in [f64::NAN, f64::INFINITY, -1.0] {
        assert!(!EvaluatorState { time: bad, ..sound.clone() }.is_sound());
        assert!(!EvaluatorState { uses: vec![("Jab".into(), bad)], ..sound.clone() }.is_sound());
        assert!(!EvaluatorState { overrides: vec![("Jab".into(), bad)], ..sound.clone() }.is_sound());
    }
    assert!(!EvaluatorState { next_run_id: 0, ..sound.clone() }.is_sound());
    assert!(!EvaluatorState { next_due: f64::NAN, ..sound }.is_sound());
}

#[test]
fn targets_met_after_an_import_get_numbers_of_their_own() {
    let mut rig = Rig::quiet([spec("Jab")]);
    let mut state = rig.core.export();
    state.target_ordinals = vec![(TargetKey(50), 1), (TargetKey(51), 4)];
    rig.core.import(&state);
    rig.aim(1.0, 0.0);
    rig.evaluate();
    let mut ordinals = rig.core.export().target_ordinals;
    ordinals.sort_unstable();
    assert_eq!(ordinals, [(TargetKey(7), 5), (TargetKey(50), 1), (TargetKey(51), 4)]);
}

#[test]
fn ex_30_a85() {
    let alone = |record| events(&mut busy(record), 0..600);
    let quiet = alone(false);
    assert!(quiet.iter().filter(|line| line.contains("start")).count() > 50, "it was busy");
    assert_eq!(quiet, alone(true), "recording changes nothing");
    let crowd = |threads: usize| {
        let lanes: Vec<Vec<String>> = std::thread::scope(|scope| {
            let work = (0..threads).map(|_| scope.spawn(|| alone(false))).collect::<Vec<_>>();
            work.into_iter().map(|lane| lane.join().unwrap()).collect()
        });
        lanes
    };
    for lane in crowd(1).into_iter().chain(crowd(4)) {
        assert_eq!(lane, quiet, "nor does a thread");
    }
}
