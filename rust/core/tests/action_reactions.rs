//! Worked examples and rules of reactions.

mod action_support;

use action_support::*;
use riposte_core::action::*;

const HIT: &str = "Event.Attack";

/// One reaction, named Parry, changed by `change`.
fn parry(change: impl FnOnce(&mut ActionPlan)) -> Rig {
    Rig::reacting(|rig| {
        let mut plan = rig.reaction("Parry", HIT);
        change(&mut plan);
        vec![plan]
    })
}

fn rival(class: InterruptClass, priority: i64) -> Option<Rival> {
    Some(Rival { class, priority })
}

#[test]
fn ex_30_a23() {
    let mut rig = parry(|plan| plan.scorers = vec![script_scorer(0)]);
    for n in 0..3 {
        let seeds = std::rc::Rc::new(std::cell::Cell::new((1, 1)));
        let seen = seeds.clone();
        rig.script("Parry", 0, move |call| {
            seen.set((call.seed, call.action_seed));
            1.0
        });
        assert_eq!(rig.react(HIT), "Parry", "event {n}");
        assert_eq!(seeds.get(), (0, 0));
        near(seeded_random(seeds.get().1, 0), 0.652448);
        near(seeded_random(seeds.get().1, 1), 0.368190);
        rig.abort(EndReason::Cancelled);
    }
}

#[test]
fn ex_30_a79() {
    let mut rig = parry(|plan| reaction_of(plan).chance = 0.8);
    assert_eq!(rig.react(HIT), "Parry");
    let mut rig = parry(|plan| reaction_of(plan).chance = 0.7);
    assert_eq!(rig.react(HIT), "");
    assert_eq!(rig.reason("Parry"), Refusal::Chance);
    assert_eq!(rig.took(""), "ignored -1");
}

#[test]
fn ex_30_a80() {
    // The agent's actions rest in an evaluator of their own: nothing of it is asked here.
    let mut actions = Rig::quiet([spec("Jab")]);
    actions.call(|core| core.add_recovery(3.0));
    let mut rig = parry(|_| {});
    assert_eq!(rig.react(HIT), "Parry");
    assert_eq!(rig.took("start end rest"), "start Parry");
    near(actions.core.recovery_left(), 3.0);
    actions.step(1.0);
    near(actions.core.recovery_left(), 2.0);
}

#[test]
fn ex_30_a81() {
    let mut rig = parry(|_| {});
    rig.rival = rival(InterruptClass::ByPriority, 0);
    assert_eq!(rig.react(HIT), "Parry");
    assert_eq!(rig.took("can interrupt begin start"), "can Parry, interrupt Parry, begin Parry, start Parry");

    let mut rig = parry(|_| {});
    rig.rival = rival(InterruptClass::Never, 0);
    assert_eq!(rig.react(HIT), "");
    assert_eq!(rig.reason("Parry"), Refusal::Busy);
    assert_eq!(rig.took(""), "ignored -1");

    let mut rig = parry(|plan| reaction_of(plan).force_interrupt = true);
    rig.rival = rival(InterruptClass::Never, 0);
    assert_eq!(rig.react(HIT), "Parry");
    assert_eq!(rig.took("interrupt start"), "interrupt Parry, start Parry");
}

#[test]
fn which_running_actions_make_room() {
    let asked = |class, priority| {
        let mut rig = parry(|plan| plan.priority = 5);
        rig.rival = rival(class, priority);
        rig.react(HIT) == "Parry"
    };
    assert!(asked(InterruptClass::ByPriority, 4));
    assert!(!asked(InterruptClass::ByPriority, 5));
    assert!(asked(InterruptClass::ByMargin, 100));
    assert!(asked(InterruptClass::Any, 100));
    assert!(!asked(InterruptClass::Never, -100));
}

#[test]
fn a_reaction_beside_the_action_asks_nothing_of_it() {
    let mut rig = parry(|plan| reaction_of(plan).interrupts_action = false);
    rig.rival = rival(InterruptClass::Never, 100);
    assert_eq!(rig.react(HIT), "Parry");
    assert_eq!(rig.took("interrupt start"), "start Parry");
}

#[test]
fn which_running_reactions_make_room() {
    let asked = |class, old, new, force| {
        let mut rig = Rig::reacting(|rig| {
            let mut first = rig.reaction("First", "Event.A");
            (first.interrupt_class, first.priority) = (class, old);
            let mut second = rig.reaction("Second", "Event.B");
            second.priority = new;
            reaction_of(&mut second).force_interrupt = force;
            vec![first, second]
        });
        assert_eq!(rig.react("Event.A"), "First");
        rig.react("Event.B");
        rig.took("start end ignored")
    };
    let replaced = "start First, end First 1, start Second";
    let kept = "start First, ignored -2";
    assert_eq!(asked(InterruptClass::ByPriority, 5, 6, false), replaced);
    assert_eq!(asked(InterruptClass::ByPriority, 5, 5, false), kept);
    assert_eq!(asked(InterruptClass::Any, 5, 5, false), replaced);
    assert_eq!(asked(InterruptClass::ByMargin, 5, 5, false), replaced);
    assert_eq!(asked(InterruptClass::Any, 5, 4, false), kept);
    assert_eq!(asked(InterruptClass::Never, 5, 6, false), kept);
    assert_eq!(asked(InterruptClass::Never, 5, 6, true), replaced);
    assert_eq!(asked(InterruptClass::Never, 5, 5, true), kept);
}

#[test]
fn triggers_match_by_hierarchy_and_magnitudes_are_inclusive() {
    let mut rig = parry(|plan| {
        let reaction = reaction_of(plan);
        (reaction.min_magnitude, reaction.max_magnitude) = (2.0, 3.0);
    });
    let mut asked = |tag: &str, magnitude| {
        let answer = rig.react_to(tag, magnitude, TargetWish::Focus);
        let refusal = rig.reason("Parry");
        rig.abort(EndReason::Cancelled);
        (answer == "Parry", refusal)
    };
    assert_eq!(asked("Event.Attack.Heavy", 2.0), (true, Refusal::None));
    assert_eq!(asked("Event.Attack", 3.0), (true, Refusal::None));
    assert_eq!(asked("Event", 2.5), (false, Refusal::Trigger));
    assert_eq!(asked("Event.Attack", 1.999), (false, Refusal::Trigger));
    assert_eq!(asked("Event.Attack", 3.001), (false, Refusal::Trigger));
    assert_eq!(asked("Event.Attack", f64::NAN), (false, Refusal::Trigger));
}

#[test]
fn the_first_failure_in_the_order_of_the_rules_is_the_reason() {
    let mut rig = parry(|plan| {
        plan.enabled = false;
        plan.has_method = false;
        plan.max_consecutive_uses = 0;
        plan.require_target = true;
        plan.gates = vec![script_gate(0, "Gate")];
        plan.selection_weight = 0.0;
        reaction_of(plan).chance = 0.0;
    });
    let (blocked, missing, event) =
        (rig.queries(&["State.ReactionsBlocked"]), rig.queries(&["X"]), "Event.Other");
    rig.set(|settings| settings.global_block_tags = blocked);
    rig.agent_tags = rig.tags(&["State.ReactionsBlocked"]);
    rig.rival = rival(InterruptClass::Never, 0);
    rig.script("Parry", 0, |_| 0.0);
    let mut plan = (*rig.core.listed().next().unwrap().1).as_ref().clone();
    (plan.requires_tags, plan.block_tags) = (missing.clone(), missing);
    let why = |rig: &mut Rig, plan: &ActionPlan, event: &str| {
        rig.list([plan.clone()]);
        assert_eq!(rig.react(event), "");
        rig.reason("Parry")
    };
    assert_eq!(why(&mut rig, &plan, event), Refusal::Disabled);
    plan.enabled = true;
    assert_eq!(why(&mut rig, &plan, event), Refusal::Blocked);
    rig.agent_tags = rig.tags(&[]);
    assert_eq!(why(&mut rig, &plan, event), Refusal::Trigger);
    assert_eq!(why(&mut rig, &plan, HIT), Refusal::NoMethod);
    plan.has_method = true;
    let action = rig.find("Parry");
    rig.call(|core| core.set_cooldown(action, 5.0));
    assert_eq!(why(&mut rig, &plan, HIT), Refusal::Cooldown);
    rig.call(|core| core.reset_cooldown(action));
    assert_eq!(why(&mut rig, &plan, HIT), Refusal::RepeatLimit);
    plan.max_consecutive_uses = -1;
    assert_eq!(why(&mut rig, &plan, HIT), Refusal::Busy);
    rig.rival = None;
    assert_eq!(why(&mut rig, &plan, HIT), Refusal::NoTarget);
    rig.aim(1.0, 0.0);
    assert_eq!(why(&mut rig, &plan, HIT), Refusal::RequiredTags);
    rig.world_tags = rig.tags(&["X"]);
    assert_eq!(why(&mut rig, &plan, HIT), Refusal::BlockTags);
    plan.block_tags = TagQueries::default();
    assert_eq!(why(&mut rig, &plan, HIT), Refusal::Gate);
    rig.script("Parry", 0, |_| 1.0);
    assert_eq!(why(&mut rig, &plan, HIT), Refusal::ZeroScore);
    plan.selection_weight = 1.0;
    assert_eq!(why(&mut rig, &plan, HIT), Refusal::Chance);
    reaction_of(&mut plan).chance = 1.0;
    rig.list([plan]);
    assert_eq!(rig.react(HIT), "Parry");
}

#[test]
fn the_highest_score_wins_and_the_next_best_follows_a_refused_start() {
    let mut rig = Rig::reacting(|rig| {
        let mut dodge = rig.reaction("Dodge", HIT);
        dodge.selection_weight = 2.0;
        vec![rig.reaction("Parry", HIT), dodge]
    });
    assert_eq!(rig.react(HIT), "Dodge");
    rig.abort(EndReason::Cancelled);
    rig.method("Dodge").can_begin = false;
    assert_eq!(rig.react(HIT), "Parry");
    rig.abort(EndReason::Cancelled);
    rig.took("");
    rig.method("Parry").begins = false;
    assert_eq!(rig.react(HIT), "");
    assert_eq!(rig.took("refuse ignored start"), "ignored -3");
}

#[test]
fn seeds_are_fixed_unless_they_are_live() {
    let draws = |live| {
        let mut rig = parry(|plan| plan.scorers = vec![script_scorer(0)]);
        rig.core.set_live_seed(live);
        rig.set(|settings| settings.record = true);
        let seeds = std::rc::Rc::new(std::cell::RefCell::new(Vec::new()));
        let seen = seeds.clone();
        rig.script("Parry", 0, move |call| {
            seen.borrow_mut().push((call.seed, call.action_seed));
            1.0
        });
        let mut scores = Vec::new();
        for _ in 0..2 {
            assert_eq!(rig.react(HIT), "Parry");
            scores.push(rig.core.last_decision().score);
            rig.abort(EndReason::Cancelled);
        }
        (seeds.borrow().clone(), scores)
    };
    assert_eq!(draws(false), (vec![(0, 0), (0, 0)], vec![1.0, 1.0]));
    let (seeds, scores) = draws(true);
    // C = mix(S ^ mix(n)), A = mix(C ^ hash(id) ^ mix(0)).
    let mix = riposte_core::random::mix;
    let hash = riposte_core::random::hash("Parry");
    let want = [0, 1].map(|n| {
        let context = mix(12345 ^ mix(n));
        (context, mix(context ^ hash ^ mix(0)))
    });
    assert_eq!(seeds, want);
    assert!(scores[0] != scores[1] && scores.iter().all(|score| (score - 1.0).abs() <= 0.05));
}

#[test]
fn novelty_chains_and_recovery_leave_reactions_alone() {
    let mut rig = parry(|plan| plan.recovery = Some(2.0));
    rig.set(|settings| settings.action_recovery_time = 3.0);
    for _ in 0..3 {
        assert_eq!(rig.react(HIT), "Parry");
        near(rig.core.last_decision().score, 1.0);
        let run = rig.core.running().unwrap().id();
        rig.finish(run, EndReason::Completed);
    }
    assert_eq!(
        rig.took("rest add end").replace(", end Parry 0", ""),
        "end Parry 0, add 2.0000, add 2.0000, add 2.0000"
    );
    rig.react(HIT);
    rig.abort(EndReason::Interrupted);
    rig.use_up("Parry", EndReason::Failed);
    assert_eq!(rig.took("rest add"), "");
    near(rig.core.recovery_left(), 0.0);
}

#[test]
fn a_delayed_reaction_waits_and_looks_at_its_gates_again() {
    let delayed = || {
        parry(|plan| {
            let reaction = reaction_of(plan);
            (reaction.delay, reaction.delay_randomization) = (0.25, 0.0);
            plan.require_target = true;
        })
    };
    let mut rig = delayed();
    rig.aim(1.0, 0.0);
    assert_eq!(rig.react(HIT), "Parry");
    assert_eq!(rig.core.pending(), Some(rig.find("Parry")));
    rig.steps(0.1, 2);
    assert_eq!(rig.took("wait start ignored"), "wait Parry 0.2500");
    rig.step(0.1);
    assert_eq!(rig.took("start ignored"), "start Parry");
    assert_eq!(rig.core.pending(), None);
    // Another event in the meantime: the target is gone when the delay ends.
    let mut rig = delayed();
    rig.aim(1.0, 0.0);
    rig.react(HIT);
    rig.target = None;
    rig.steps(0.1, 3);
    assert_eq!(rig.took("wait start ignored"), "wait Parry 0.2500, ignored -1");
    // It ends the action only when it starts, and only if that makes room then.
    let mut rig = delayed();
    rig.aim(1.0, 0.0);
    rig.react(HIT);
    rig.rival = rival(InterruptClass::Never, 0);
    rig.steps(0.1, 3);
    assert_eq!(rig.took("wait start ignored interrupt"), "wait Parry 0.2500, ignored -1");
}

#[test]
fn the_delay_is_drawn_by_the_number_of_the_event() {
    let mut rig = parry(|plan| reaction_of(plan).delay = 1.0);
    for n in 0..2_u64 {
        rig.react(HIT);
        let u = riposte_core::random::draw(12345, "delay", "Parry", n);
        assert!(rig.call(Evaluator::cancel_pending));
        let (delay, event) = (1.0 + 0.2 * (2.0 * u - 1.0), n + 1);
        assert_eq!(rig.took("wait ignored"), format!("wait Parry {delay:.4}, ignored -{event}"));
    }
    assert!(!rig.call(Evaluator::cancel_pending));
}

#[test]
fn one_waits_at_the_most() {
    let mut rig = Rig::reacting(|rig| {
        let mut slow = rig.reaction("Slow", "Event.A");
        let mut other = rig.reaction("Other", "Event.B");
        (other.priority, slow.interrupt_class) = (101, InterruptClass::ByPriority);
        let quick = ActionPlan { priority: 102, ..rig.reaction("Quick", "Event.C") };
        for plan in [&mut slow, &mut other] {
            (reaction_of(plan).delay, reaction_of(plan).delay_randomization) = (1.0, 0.0);
        }
        vec![slow, other, quick]
    });
    assert_eq!(rig.react("Event.A"), "Slow");
    assert_eq!(rig.react("Event.A"), "", "the same again has no higher priority");
    assert_eq!(rig.reason("Slow"), Refusal::Busy);
    assert_eq!(rig.react("Event.B"), "Other");
    assert_eq!(rig.react("Event.C"), "Quick");
    rig.steps(0.5, 4);
    let want = "wait Slow 1.0000, ignored -2, wait Other 1.0000, ignored -1, start Quick, ignored -3";
    assert_eq!(rig.took("wait start ignored"), want);
}

#[test]
fn an_event_inside_a_start_or_an_end_waits_and_the_last_one_wins() {
    let mut rig = Rig::reacting(|rig| {
        let mut any = rig.reaction("Parry", HIT);
        any.interrupt_class = InterruptClass::Any;
        vec![any]
    });
    rig.once = true;
    rig.act("begin Parry", Act::React("Event.Attack"));
    rig.act("start Parry", Act::React("Event.Attack"));
    assert_eq!(rig.react(HIT), "Parry");
    let want = "reacted later, start Parry, ignored -2, reacted later, end Parry 1, start Parry";
    assert_eq!(rig.took("start end reacted ignored"), want);
}

#[test]
fn leaving_the_tree_forgets_what_waits() {
    let mut rig = parry(|plan| reaction_of(plan).delay = 1.0);
    rig.react(HIT);
    rig.call(Evaluator::teardown);
    rig.core.enter();
    rig.steps(1.0, 3);
    assert_eq!(rig.took("start ignored"), "");
    assert_eq!(rig.react(HIT), "Parry");
}

#[test]
fn a_forced_reaction_skips_gates_and_ends_the_action() {
    let mut rig = parry(|plan| {
        plan.enabled = false;
        reaction_of(plan).chance = 0.0;
    });
    rig.rival = rival(InterruptClass::Never, 0);
    assert_eq!(rig.execute("Parry"), 1);
    assert_eq!(rig.took("interrupt start"), "interrupt Parry, start Parry");
    assert_eq!(rig.execute("Nobody"), 0);
}

#[test]
fn an_evaluator_that_did_not_start_answers_nothing() {
    let mut rig = Rig::new(Settings::default());
    rig.core = Evaluator::new_reacting(Settings::default());
    let plan = rig.reaction("Parry", HIT);
    rig.list([plan]);
    assert_eq!(rig.react(HIT), "");
    assert_eq!(rig.took(""), "ignored -1");
}
