//! Worked examples of gates, factors, seeds and the choice.

mod action_support;

use action_support::*;
use riposte_core::action::*;

/// Weight 1.5, risk 1.2, distance and angle, on a target at 3.75 m and 45 degrees.
fn a13() -> Rig {
    let plan = ActionPlan { risk_penalty: 1.2, scorers: vec![distance(), angle()], ..weighted("Jab", 1.5) };
    let mut rig = Rig::quiet([plan]);
    rig.aim(3.75, 45.0);
    rig
}

fn with_multipliers(rig: &mut Rig) {
    let mut plan =
        ActionPlan { risk_penalty: 1.2, scorers: vec![distance(), angle()], ..weighted("Jab", 1.5) };
    for (name, multiplier) in [("World.Boss.Active", 1.5), ("Team", 0.8)] {
        let tag = rig.queries(&[name]).ids()[0];
        plan.tag_multipliers.push(TagMultiplier { tag, name: name.into(), multiplier });
    }
    rig.list([plan]);
}

#[test]
fn ex_30_a11() {
    near(Rig::quiet([weighted("Jab", 2.0)]).score("Jab"), 2.0);
}

#[test]
fn ex_30_a12() {
    for (risk, want) in [(2.0, 0.5), (0.5, 2.0)] {
        let mut rig = Rig::quiet([ActionPlan { risk_penalty: risk, ..spec("Jab") }]);
        near(rig.score("Jab"), want);
    }
}

#[test]
fn ex_30_a13() {
    near(a13().score("Jab"), 0.46875);
}

#[test]
fn ex_30_a14() {
    let mut rig = a13();
    with_multipliers(&mut rig);
    rig.world_tags = rig.tags(&["World.Boss.Active"]);
    rig.target_tags = rig.tags(&["Team.Red"]);
    near(rig.score("Jab"), 0.5625);
}

#[test]
fn ex_30_a15() {
    let mut rig = a13();
    with_multipliers(&mut rig);
    rig.world_tags = rig.tags(&["World.Boss.Active.Phase2"]);
    near(rig.score("Jab"), 0.703125);
}

#[test]
fn ex_30_a16() {
    let mut rig = a13();
    rig.set(|settings| settings.global_multiplier = 0.5);
    let jab = rig.find("Jab");
    rig.core.set_multiplier(jab, Some(3.0));
    near(rig.score("Jab"), 0.703125);
}

#[test]
fn ex_30_a17() {
    let mut rig = Rig::quiet((0..12).map(|n| spec(&format!("A{n}"))));
    rig.set(|settings| settings.global_multiplier = 0.0);
    for _ in 0..10 {
        assert!(!rig.evaluate());
        rig.step(0.1);
    }
    let decision = rig.core.last_decision();
    assert_eq!(decision.rows.len(), 12);
    assert!(decision.rows.iter().all(|row| row.refusal == Refusal::ZeroScore));
    assert_eq!(rig.took(""), "none");
}

fn jittery(weights: [f64; 2]) -> Rig {
    let mut rig = Rig::quiet([weighted("Jab", weights[0]), weighted("Heavy", weights[1])]);
    rig.set(|settings| settings.jitter_amount = 0.05);
    rig
}

/// Lets one evaluation pass.
fn skip(rig: &mut Rig) {
    rig.evaluate();
    rig.abort(EndReason::Cancelled);
}

#[test]
fn ex_30_a18() {
    let mut rig = jittery([1.0, 1.0]);
    near(rig.factor("Jab", "jitter"), 1.014530);
    near(rig.factor("Heavy", "jitter"), 0.970582);
    assert_eq!(rig.pick(), "Jab");
}

#[test]
fn ex_30_a19() {
    let mut rig = jittery([1.0, 1.0]);
    skip(&mut rig);
    near(rig.factor("Jab", "jitter"), 0.958783);
    near(rig.factor("Heavy", "jitter"), 1.049123);
    assert_eq!(rig.pick(), "Heavy");
}

#[test]
fn ex_30_a20() {
    let mut rig = jittery([1.0, 0.9]);
    skip(&mut rig);
    near(rig.score("Heavy"), 0.944211);
    near(rig.score("Jab"), 0.958783);
    assert_eq!(rig.pick(), "Jab");
}

#[test]
fn ex_30_a21() {
    let mut rig = jittery([1.0, 1.0]);
    rig.aim(2.0, 0.0);
    for want in [0.958428, 1.035242, 1.027102] {
        near(rig.factor("Jab", "jitter"), want);
        skip(&mut rig);
    }
}

#[test]
fn ex_30_a22() {
    let plan = ActionPlan { scorers: vec![script_scorer(0)], ..spec("Jab") };
    let mut rig = Rig::quiet([plan]);
    let rolls = std::rc::Rc::new(std::cell::RefCell::new(Vec::new()));
    let seen = rolls.clone();
    rig.script("Jab", 0, move |call| {
        seen.borrow_mut().extend([0, 1].map(|salt| seeded_random(call.action_seed, salt)));
        1.0
    });
    rig.evaluate();
    near(rolls.borrow()[0], 0.840485);
    near(rolls.borrow()[1], 0.356457);
}

#[test]
fn ex_30_a25() {
    let plan = ActionPlan { scorers: vec![script_scorer(0)], ..spec("Jab") };
    for bad in [-1.0, f64::NAN, f64::INFINITY] {
        let mut rig = Rig::quiet([plan.clone()]);
        rig.script("Jab", 0, move |_| bad);
        for _ in 0..100 {
            assert_eq!(rig.score("Jab"), 0.0);
        }
        assert_eq!(rig.why("Jab"), Refusal::ZeroScore);
        assert_eq!(rig.warnings, 1, "after {bad}");
    }
}

#[test]
fn ex_30_a27() {
    let mut rig = Rig::quiet([weighted("Low", 0.5), spec("First"), spec("Second")]);
    assert_eq!(rig.pick(), "First");

    for targets in [[(5, 3.0), (4, 3.0)], [(4, 3.0), (5, 3.0)]] {
        let mut rig = Rig::quiet([ActionPlan { target_mode: TargetMode::Each, ..spec("Jab") }]);
        rig.each = targets.to_vec();
        rig.evaluate();
        assert_eq!(rig.core.running().unwrap().target(), Some(TargetKey(targets[0].0)));
    }
}

#[test]
fn ex_30_a28() {
    let mut rig = jittery([1.0, 1.0]);
    rig.set(|settings| settings.auto_evaluate = true);
    let previews: Vec<Decision> = (0..5).map(|_| rig.preview()).collect();
    rig.step(0.1);
    let made = rig.core.last_decision();
    assert_eq!(made.outcome, DecisionOutcome::Started);
    for preview in previews {
        assert_eq!(preview.outcome, DecisionOutcome::Preview);
        assert_eq!((&preview.action, preview.score, preview.seed), (&made.action, made.score, made.seed));
        assert_eq!(preview.evaluation_index, made.evaluation_index);
    }
}

/// Novelty of an action whose uses ended so many seconds ago, oldest first.
fn novelty(ages: &[f64], weight: f64) -> f64 {
    let mut rig = Rig::quiet([ActionPlan { novelty_weight: weight, ..spec("Jab") }]);
    rig.set(|settings| settings.novelty_penalty = 0.3);
    let oldest = ages.first().copied().unwrap_or(0.0);
    for age in ages {
        if oldest - age > rig.core.now() {
            rig.until(oldest - age);
        }
        rig.use_up("Jab", EndReason::Cancelled);
    }
    if oldest > rig.core.now() {
        rig.until(oldest);
    }
    rig.factor("Jab", "novelty")
}

#[test]
fn ex_30_a29() {
    for (age, want) in [(0.0, 0.7), (1.5, 0.775), (3.0, 0.85), (6.0, 1.0)] {
        near(novelty(&[age], 1.0), want);
    }
}

#[test]
fn ex_30_a30() {
    near(novelty(&[3.0, 0.0], 1.0), 0.595);
    near(novelty(&[0.0; 5], 1.0), 0.168070);
    near(novelty(&[0.0; 7], 1.0), 0.1);
}

#[test]
fn ex_30_a31() {
    for (weight, want) in [(2.0, 0.4), (0.0, 1.0), (5.0, 0.1)] {
        near(novelty(&[0.0], weight), want);
    }
}

fn chained(links: &[(&str, f64)]) -> Rig {
    let link = |(id, bonus): &(&str, f64)| ChainPlan { action: ActionId::new(id), bonus: *bonus };
    let jab = ActionPlan { chain_links: links.iter().map(link).collect(), ..spec("Jab") };
    let mut rig = Rig::quiet([jab, spec("Heavy"), spec("Kick")]);
    rig.until(10.0);
    rig
}

#[test]
fn ex_30_a32() {
    let mut rig = chained(&[("Heavy", 1.5)]);
    rig.use_up("Jab", EndReason::Completed);
    for (now, want) in [(10.5, 1.5), (11.9, 1.5), (12.0, 1.0)] {
        rig.until(now);
        near(rig.factor("Heavy", "chain"), want);
    }
    near(rig.factor("Kick", "chain"), 1.0);
}

#[test]
fn ex_30_a33() {
    let mut rig = chained(&[("Heavy", 1.5)]);
    rig.use_up("Jab", EndReason::Interrupted);
    rig.until(10.1);
    near(rig.factor("Heavy", "chain"), 1.0);
}

#[test]
fn ex_30_a34() {
    let mut rig = chained(&[("Heavy", 1.5)]);
    rig.use_up("Jab", EndReason::Completed);
    rig.until(10.2);
    near(rig.factor("Heavy", "chain"), 1.5);
    rig.execute("Kick");
    rig.until(10.3);
    near(rig.factor("Heavy", "chain"), 1.0);
}

#[test]
fn ex_30_a35() {
    let mut rig = chained(&[("Heavy", 1.5), ("Heavy", 2.0)]);
    rig.use_up("Jab", EndReason::Completed);
    near(rig.factor("Heavy", "chain"), 2.0);
}

#[test]
fn ex_30_a36() {
    let links = vec![ChainPlan { action: ActionId::new("Heavy"), bonus: 1.5 }];
    let jab = ActionPlan { chain_links: links, ..spec("Jab") };
    let mut rig = Rig::quiet([jab, ActionPlan { scorers: vec![distance()], ..spec("Heavy") }]);
    rig.aim(6.0, 0.0);
    rig.use_up("Jab", EndReason::Completed);
    assert_eq!(rig.why("Heavy"), Refusal::ZeroScore);
    rig.distance = 2.0;
    near(rig.score("Heavy"), 1.5);
}

/// Disabled beats cooldown, cooldown a missing tag, a missing tag the line of sight.
#[test]
fn ex_30_a56() {
    let mut rig = Rig::quiet([]);
    let needs = rig.queries(&["Stance.Low"]);
    let cooldown = CooldownPlan { initial: 5.0, ..CooldownPlan::default() };
    rig.list([
        ActionPlan { enabled: false, cooldown, ..spec("Off") },
        ActionPlan { requires_tags: needs.clone(), cooldown, ..spec("Cooling") },
        ActionPlan { requires_tags: needs, require_line_of_sight: true, ..spec("Untagged") },
    ]);
    (rig.target, rig.sight) = (Some(7), false);
    assert_eq!(rig.why("Off"), Refusal::Disabled);
    assert_eq!(rig.row("Cooling").detail, "Cooldown (5.0s remaining)");
    assert_eq!(rig.why("Cooling"), Refusal::Cooldown);
    assert_eq!(rig.row("Untagged").detail, "Missing tag Stance.Low");
    assert_eq!(rig.why("Untagged"), Refusal::RequiredTags);
    assert_eq!(rig.took("sight"), "", "nobody needed the line of sight");
}

#[test]
fn ex_30_a57() {
    let mut rig = Rig::quiet([]);
    rig.aim(1.0, 0.0);
    for (block, owned, want) in
        [("Team", "Team.Red", Refusal::BlockTags), ("Team.Red", "Team", Refusal::None)]
    {
        let block_tags = rig.queries(&[block]);
        rig.target_tags = rig.tags(&[owned]);
        rig.list([ActionPlan { block_tags, ..spec("Jab") }]);
        assert_eq!(rig.why("Jab"), want, "{block} against {owned}");
    }
}

#[test]
fn ex_30_a62() {
    let health = scorer(ScorerKind::Health { range: Some(RangeCurve::always_one()), source: Source::Agent });
    for (scorer, want) in [(distance(), 0.0), (angle(), 0.0), (health, 1.0)] {
        let mut rig = Rig::quiet([ActionPlan { scorers: vec![scorer], ..spec("Jab") }]);
        assert_eq!(rig.score("Jab"), want);
    }
}

#[test]
fn a_scorer_without_a_range_or_on_an_absent_target_has_no_effect() {
    let kinds = [
        ScorerKind::Distance { range: None, in_pixels: false },
        ScorerKind::Angle { range: None },
        ScorerKind::Health { range: None, source: Source::Agent },
        ScorerKind::Health { range: Some(RangeCurve::low_health()), source: Source::Target },
    ];
    let scorers = kinds.into_iter().map(scorer).collect();
    assert_eq!(Rig::quiet([ActionPlan { scorers, ..spec("Jab") }]).score("Jab"), 1.0);
}

#[test]
fn health_of_agent_and_target() {
    let low = |source| scorer(ScorerKind::Health { range: Some(RangeCurve::low_health()), source });
    let own = ActionPlan { scorers: vec![low(Source::Agent)], ..spec("Own") };
    let theirs = ActionPlan { scorers: vec![low(Source::Target)], ..spec("Theirs") };
    let mut rig = Rig::quiet([own, theirs]);
    rig.aim(1.0, 0.0);
    (rig.health, rig.target_health) = (0.3, 0.4);
    near(rig.score("Own"), 0.8);
    near(rig.score("Theirs"), 0.4);
}

#[test]
fn gates_in_order_with_their_reasons() {
    let mut rig = Rig::quiet([]);
    let blocked = rig.queries(&["Curse"]);
    let repeats = ActionPlan { max_consecutive_uses: 0, ..spec("Never") };
    let gated =
        ActionPlan { gates: vec![script_gate(0, "Door is open"), script_gate(1, "Second")], ..spec("Gated") };
    let bare = ActionPlan { has_method: false, ..spec("Bare") };
    rig.list([repeats, gated, bare, ActionPlan { block_tags: blocked, ..spec("Cursed") }]);
    rig.script("Gated", 0, |_| 0.0);
    rig.agent_tags = rig.tags(&["Curse.Minor"]);
    assert_eq!((rig.why("Never"), &*rig.row("Never").detail), (Refusal::RepeatLimit, "Used 0 of 0 in a row"));
    rig.log.clear();
    assert_eq!((rig.why("Gated"), rig.took("gate")), (Refusal::Gate, "gate Gated".to_owned()));
    assert_eq!(rig.row("Gated").detail, "Door is open");
    assert_eq!((rig.why("Bare"), &*rig.row("Bare").detail), (Refusal::NoMethod, ""));
    assert_eq!((rig.why("Cursed"), &*rig.row("Cursed").detail), (Refusal::BlockTags, "Blocked by tag Curse"));
    let global = rig.queries(&["Curse"]);
    rig.set(|settings| settings.global_block_tags = global);
    for id in ["Never", "Gated", "Bare", "Cursed"] {
        assert_eq!((rig.why(id), &*rig.row(id).detail), (Refusal::Blocked, "Blocked by tag Curse"), "{id}");
    }
}

#[test]
fn a_built_in_zero_spares_the_scripts() {
    let plan = ActionPlan {
        gates: vec![script_gate(1, "Gate")],
        scorers: vec![script_scorer(0), distance(), script_scorer(2)],
        ..spec("Jab")
    };
    let mut rig = Rig::quiet([plan]);
    rig.aim(9.0, 0.0);
    assert_eq!(rig.score("Jab"), 0.0);
    assert_eq!(rig.took("gate score"), "gate Jab");
    rig.distance = 2.0;
    rig.script("Jab", 0, |_| 0.0);
    assert_eq!(rig.score("Jab"), 0.0);
    assert_eq!(rig.took("gate score"), "gate Jab, score Jab", "a zero from a script spares the rest");
    rig.set(|settings| settings.record = true);
    rig.score("Jab");
    assert_eq!(rig.took("gate score"), "gate Jab, score Jab, score Jab", "while recording all are asked");
}

#[test]
fn factors_are_clamped_and_multiplied_in_order() {
    let plan =
        ActionPlan { scorers: vec![script_scorer(0), distance(), script_scorer(1)], ..weighted("Jab", 2.0) };
    let mut rig = Rig::quiet([plan]);
    rig.aim(3.75, 0.0);
    rig.script("Jab", 0, |_| 5e6);
    rig.script("Jab", 1, |_| 0.25);
    near(rig.score("Jab"), 2.0 * 1e6 * 0.5 * 0.25);
    rig.set(|settings| settings.record = true);
    let names: Vec<String> = rig.row("Jab").factors.iter().map(|(name, _)| name.to_string()).collect();
    let want = [
        "weight/risk",
        "novelty",
        "chain",
        "ActionScorer",
        "DistanceScorer",
        "ActionScorer",
        "runtime",
        "jitter",
    ];
    assert_eq!(names, want);
}

#[test]
fn recording_changes_no_decision() {
    let run = |record: bool| {
        let plans =
            ["Jab", "Heavy", "Kick"].map(|id| ActionPlan { scorers: vec![script_scorer(0)], ..spec(id) });
        let mut rig = Rig::quiet(plans);
        for id in ["Jab", "Heavy", "Kick"] {
            rig.script(id, 0, |call| seeded_random(call.action_seed, 3));
        }
        rig.set(|settings| (settings.record, settings.jitter_amount) = (record, 0.3));
        let picks: Vec<String> = (0..20)
            .map(|_| {
                let pick = rig.pick();
                rig.abort(EndReason::Cancelled);
                format!("{pick} {}", rig.core.last_decision().score)
            })
            .collect();
        picks
    };
    assert_eq!(run(true), run(false));
}

#[test]
fn a_decision_says_why() {
    let plans = [
        ActionPlan { scorers: vec![distance()], ..weighted("Jab", 0.8) },
        ActionPlan { cooldown: CooldownPlan { initial: 1.25, ..CooldownPlan::default() }, ..spec("Heavy") },
        weighted("Idle", 0.1),
    ];
    let mut rig = Rig::with(Settings { record: true, ..quiet() }, plans);
    rig.aim(3.75, 0.0);
    rig.evaluate();
    let text = rig.core.last_decision().to_text(&|_| "Player".to_owned());
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "#0 at 0.00 s: started Jab -> Player, score 0.4000");
    assert!(lines[1].starts_with(" * Jab -> Player: 0.4000 = weight/risk 0.8000 x"), "{}", lines[1]);
    assert!(lines[1].contains("DistanceScorer 0.5000"), "{}", lines[1]);
    assert_eq!(lines[2], "   Heavy -> Player: COOLDOWN (Cooldown (1.2s remaining))");
    assert!(lines[3].starts_with("   Idle -> Player: 0.1000"), "{}", lines[3]);
}

#[test]
fn a_winner_that_a_script_took_away_is_not_started() {
    let plan = ActionPlan { gates: vec![script_gate(0, "Gate")], ..weighted("Jab", 2.0) };
    let mut rig = Rig::quiet([plan, spec("Kick")]);
    rig.act("gate Jab", Act::Unlist);
    assert!(!rig.evaluate());
    assert_eq!(rig.took("start refuse none"), "none");
    assert_eq!(rig.core.last_decision().rows.len(), 2, "it went on with what it saw");
}

#[test]
fn an_override_set_inside_a_script_counts_from_the_next_evaluation() {
    let plan = ActionPlan { gates: vec![script_gate(0, "Gate")], ..spec("Jab") };
    let mut rig = Rig::quiet([plan]);
    rig.act("gate Jab", Act::Multiply("Jab", 0.25));
    near(rig.score("Jab"), 1.0);
    rig.acts.clear();
    near(rig.score("Jab"), 0.25);
}
