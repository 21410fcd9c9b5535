//! Decisions from flat arrays are those of the walk through every action, bit for bit: recorded ones go that way, the
//! others this way, and a step without questions a third.

mod action_support;

use action_support::*;
use riposte_core::action::*;
use riposte_core::random::{mix, unit};

/// Reproducible numbers.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(1);
        unit(mix(self.0))
    }

    fn range(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.roll()
    }

    fn hit(&mut self, chance: f64) -> bool {
        self.roll() < chance
    }

    fn pick<T: Clone>(&mut self, all: &[T]) -> T {
        all[(self.roll() * all.len() as f64) as usize].clone()
    }
}

const TAGS: [&str; 5] = ["Team", "Team.Red", "State.Alert", "State.Low", "World.Boss"];
const IDS: [&str; 6] = ["A", "B", "C", "D", "E", "F"];

fn curve(dice: &mut Dice, limit: f64) -> RangeCurve {
    if dice.hit(0.15) {
        return RangeCurve::always_one();
    }
    let mut values = [0; 4].map(|_| dice.range(0.0, limit));
    if dice.hit(0.2) {
        values[1] = values[0];
    }
    let floor = if dice.hit(0.5) { 0.0 } else { 0.05 };
    RangeCurve::new(values, dice.pick(&[1.0, 1.0, 0.5, 1.5, 2.0, 3.0, 0.0, 0.7]), floor)
}

fn some_scorer(dice: &mut Dice, targeted: bool) -> ScorerPlan {
    let none = dice.hit(0.1);
    let range = |curve: RangeCurve| if none { None } else { Some(curve) };
    let source = if targeted { Source::Target } else { Source::Agent };
    scorer(match dice.pick(&[0, 1, 2]) {
        0 => ScorerKind::Distance { range: range(curve(dice, 9.0)), in_pixels: dice.hit(0.3) },
        1 => ScorerKind::Angle { range: range(curve(dice, 180.0)) },
        _ => ScorerKind::Health { range: range(curve(dice, 1.0)), source },
    })
}

fn some_queries(dice: &mut Dice, rig: &mut Rig, chance: f64) -> TagQueries {
    let names: Vec<&str> = TAGS.into_iter().filter(|_| dice.hit(chance)).collect();
    rig.queries(&names)
}

fn plan(dice: &mut Dice, rig: &mut Rig, id: &str) -> ActionPlan {
    let multipliers = some_queries(dice, rig, 0.1);
    let tag_multiplier = |at: usize| TagMultiplier {
        tag: multipliers.ids()[at],
        name: multipliers.name(at).clone(),
        multiplier: 0.5 + at as f64,
    };
    let linked: Vec<&str> = IDS.into_iter().filter(|_| dice.hit(0.15)).collect();
    let link = |id: &&str| ChainPlan { action: ActionId::new(id), bonus: 1.5 };
    ActionPlan {
        enabled: !dice.hit(0.05),
        has_method: !dice.hit(0.05),
        selection_weight: if dice.hit(0.1) { 0.0 } else { dice.range(0.2, 2.0) },
        risk_penalty: dice.range(0.5, 2.0),
        chain_links: linked.iter().map(link).collect(),
        scorers: (0..dice.pick(&[0, 1, 2, 3, 3]))
            .map(|_| {
                let targeted = dice.hit(0.2);
                some_scorer(dice, targeted)
            })
            .collect(),
        requires_tags: some_queries(dice, rig, 0.08),
        block_tags: some_queries(dice, rig, 0.05),
        tag_multipliers: (0..multipliers.ids().len()).map(tag_multiplier).collect(),
        target_mode: dice.pick(&[TargetMode::Focus, TargetMode::Focus, TargetMode::None]),
        require_target: dice.hit(0.2),
        novelty_weight: dice.pick(&[0.0, 1.0, 2.0]),
        max_consecutive_uses: dice.pick(&[-1, -1, 0, 1, 2]),
        ignore_recovery: dice.hit(0.3),
        cooldown: CooldownPlan { duration: dice.pick(&[0.0, 0.0, 0.7]), ..CooldownPlan::default() },
        ..weighted(id, 1.0)
    }
}

fn settings(seed: u64, rig: &mut Rig) -> Settings {
    let mut dice = Dice(seed);
    Settings {
        jitter_amount: dice.pick(&[0.0, 0.05]),
        novelty_penalty: dice.pick(&[0.0, 0.3]),
        action_recovery_time: dice.pick(&[0.0, 0.4]),
        evaluation_interval: 0.1,
        random_phase: false,
        global_multiplier: dice.pick(&[1.0, 1.0, 0.5, 0.0]),
        global_block_tags: rig.queries(if dice.hit(0.3) { &["State.Low"] } else { &[] }),
        ..Settings::default()
    }
}

/// What a script makes of a candidate: always the same of the same.
fn opinion(call: &ScriptCall) -> f64 {
    [0.5, 1.0, 1.5, 0.0, f64::NAN][(call.action_seed % 5) as usize]
}

/// Scripts score some of the actions too, at the end.
fn add_scripts(dice: &mut Dice, rig: &mut Rig, plans: &mut [ActionPlan]) {
    for plan in plans {
        for slot in 0..dice.pick(&[0, 1, 1, 2]) {
            plan.scorers.push(script_scorer(slot));
            rig.scripts.insert((plan.id.name().to_owned(), slot), Box::new(opinion));
        }
    }
}

/// The same agent, set and seed for each contestant.
fn agent(seed: u64, record: bool, scripted: bool) -> Rig {
    let mut rig = Rig::new(Settings::default());
    let settings = Settings { record, ..settings(seed, &mut rig) };
    rig.core.set_settings(settings);
    let mut dice = Dice(mix(seed));
    let mut plans: Vec<ActionPlan> = IDS.iter().map(|id| plan(&mut dice, &mut rig, id)).collect();
    if scripted {
        add_scripts(&mut dice, &mut rig, &mut plans);
    }
    rig.list(plans);
    for id in IDS {
        let ticks = dice.pick(&[Some(0), Some(0), Some(3)]);
        *rig.method(id) = Method { ticks, begins: !dice.hit(0.1), ..Method::default() };
    }
    rig.call(Evaluator::start);
    rig
}

fn arrange(rig: &mut Rig, seed: u64, step: u64) {
    let mut dice = Dice(mix(seed ^ mix(step)));
    rig.target = dice.pick(&[None, Some(1), Some(1), Some(2)]);
    (rig.distance, rig.angle) = (dice.range(0.0, 9.0), dice.range(0.0, 180.0));
    (rig.health, rig.target_health) = (dice.roll(), dice.roll());
    let mut tags = |chance: f64| {
        let names: Vec<&str> = TAGS.into_iter().filter(|_| dice.hit(chance)).collect();
        rig.tags(&names)
    };
    let (own, other, world) = (tags(0.4), tags(0.4), tags(0.2));
    (rig.agent_tags, rig.target_tags, rig.world_tags) = (own, other, world);
    if step % 7 == 3 {
        let action = rig.core.find("B").expect("it is listed");
        rig.core.set_multiplier(action, Some(dice.range(0.0, 2.0)));
    }
}

/// A step as an adapter makes it that can answer everything by itself.
fn step_quietly(rig: &mut Rig, delta: f64, mark: u64, told: bool) -> bool {
    let known = rig.target;
    let lives = |target: TargetKey| known == Some(target.0);
    match rig.core.step_quietly(delta, lives, &mut SpareStack::default()) {
        Quiet::No => rig.step(delta),
        Quiet::Tick(ticket, run) => {
            rig.perform(ticket, Question::Tick(run, delta));
            rig.call(|_| ());
        }
        Quiet::Over => {}
        Quiet::Due if !rig.core.is_quiet() => rig.call(Evaluator::decide_due),
        Quiet::Due => {
            let target = rig.target.map(|target| QuietTarget {
                key: TargetKey(target),
                distance: rig.distance,
                meters: rig.distance,
                angle: rig.angle,
                health: rig.target_health,
            });
            let view = QuietView { health: rig.health, target, told };
            let tags = [&rig.agent_tags, &rig.target_tags, &rig.world_tags].map(Clone::clone);
            let whose = [TagsOf::Agent, TagsOf::Target, TagsOf::World];
            whose.into_iter().zip(&tags).for_each(|(whose, tags)| rig.core.read_tags(whose, (1, mark), tags));
            let scratch = &mut QuietScratch::default();
            return rig.call(|core| core.decide_quietly(&view, scratch));
        }
    }
    false
}

fn told(rig: &Rig) -> Decision {
    let mut decision = rig.core.last_decision();
    decision.rows.iter_mut().for_each(|row| row.factors.clear());
    decision
}

#[test]
fn flat_arrays_decide_as_the_walk_does() {
    let (silent, silent_records) = decide_alike(false);
    assert!(silent > 500, "{silent} silent");
    // A third of them is told, and so made with a sequence.
    assert!(
        silent_records > silent / 2 && silent_records < silent,
        "{silent_records} recorded without a word"
    );
}

#[test]
fn with_scripts_behind_them_too() {
    decide_alike(true);
}

/// How many decisions were made without a word, and how many of those that were recorded.
fn decide_alike(scripted: bool) -> (u32, u32) {
    let (mut silent, mut silent_records, mut chosen) = (0, 0, 0);
    for seed in 1..400 {
        let mut walked = agent(seed, true, scripted);
        let mut flat = agent(seed, false, scripted);
        let mut quiet = agent(seed, false, scripted);
        let mut recorded = agent(seed, true, scripted);
        for rig in [&mut walked, &mut recorded] {
            rig.core.set_history_size(9);
        }
        flat.in_rows = true;
        for step in 0..40 {
            for rig in [&mut walked, &mut flat, &mut quiet, &mut recorded] {
                arrange(rig, seed, step);
            }
            walked.step(0.07);
            flat.step(0.07);
            silent += u32::from(step_quietly(&mut quiet, 0.07, step, false));
            silent_records += u32::from(step_quietly(&mut recorded, 0.07, step, step % 3 == 0));
            assert_eq!(
                recorded.core.last_decision(),
                walked.core.last_decision(),
                "seed {seed}, step {step}"
            );
            assert_eq!(recorded.core.export(), walked.core.export(), "recorded, seed {seed}, step {step}");
            let wanted = told(&walked);
            chosen += u32::from(wanted.action.is_some());
            assert_eq!(told(&flat), wanted, "seed {seed}, step {step}");
            assert_eq!(told(&quiet), wanted, "quiet, seed {seed}, step {step}");
            assert_eq!(flat.core.export(), walked.core.export(), "seed {seed}, step {step}");
            assert_eq!(quiet.core.export(), walked.core.export(), "quiet, seed {seed}, step {step}");
        }
        // Where factors are recorded, scripts are asked about hopeless candidates too.
        let counts = |line: &&String| *line != "decided" && !line.starts_with("score ");
        let without_decisions = |rig: &Rig| rig.log.iter().filter(counts).cloned().collect::<Vec<_>>();
        assert_eq!(without_decisions(&flat), without_decisions(&walked), "seed {seed}");
        assert_eq!(without_decisions(&quiet), without_decisions(&walked), "quiet, seed {seed}");
        assert_eq!(without_decisions(&recorded), without_decisions(&walked), "recorded, seed {seed}");
        // They are read when the agent is blocked by nothing any more.
        for rig in [&mut walked, &mut recorded] {
            rig.set(|settings| (settings.global_block_tags, settings.global_multiplier) = Default::default());
        }
        let history = |rig: &Rig| rig.core.history().collect::<Vec<_>>();
        assert_eq!(history(&recorded), history(&walked), "history, seed {seed}");
        assert_eq!(recorded.core.history().len(), 9);
    }
    assert!(chosen > 500, "{chosen} chosen");
    (silent, silent_records)
}

/// Agents with the same set share its list, unless they have met other actions before: then the numbers are others.
#[test]
fn a_shared_list_is_only_used_where_the_numbers_are_the_same() {
    let set = |ids: &[&str]| SetPlan::new(ids.iter().map(|id| std::sync::Arc::new(weighted(id, 1.0))));
    let (first, second) = (set(&["A", "B"]), set(&["B", "C"]));
    let mut fresh = Evaluator::new(Settings::default());
    let mut moved = Evaluator::new(Settings::default());
    moved.set_plan(Some(&first), false);
    let listed =
        |core: &Evaluator| core.listed().map(|(action, plan)| (action, plan.id.clone())).collect::<Vec<_>>();
    for core in [&mut fresh, &mut moved] {
        core.set_plan(Some(&second), false);
        for (place, id) in ["B", "C"].into_iter().enumerate() {
            let action = core.find(id).expect("it is listed");
            assert_eq!(core.index(action), Some(place));
            assert_eq!(core.name(action), id);
            assert_eq!(listed(core)[place].0, action);
            assert_eq!(core.plan(action).map(|plan| plan.id.clone()), Some(ActionId::new(id)));
        }
    }
    let gone = moved.find("A").expect("it was met");
    assert_eq!((moved.index(gone), moved.plan(gone)), (None, None));
    assert_eq!((fresh.list_version(), moved.list_version()), (1, 2));
}
