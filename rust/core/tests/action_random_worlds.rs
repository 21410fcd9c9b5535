//! Random sets, worlds, hooks and calls: what holds in all of them.
//!
//! The numbers are drawn from a fixed seed, so that "every refusal occurs" can be asserted.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod action_support;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use action_support::*;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use riposte_core::action::*;

const IDS: [&str; 4] = ["A", "B", "C", "D"];
const TAGS: [&str; 3] = ["Team.Red", "State.Stunned", "World.Night"];
const BLOCK: &str = "State.ActionsBlocked";
/// What a script may return as a factor.
const FACTORS: [f64; 8] = [0.0, 0.3, 1.0, 1.7, -2.0, f64::NAN, f64::INFINITY, 1e300];

/// One action, in plain numbers.
#[derive(Clone, Debug)]
struct Traits {
    weight: f64,
    risk: f64,
    /// Enabled, method, sight, target, cooldown on end, ignores recovery, tokens, scripted gate, tags while it runs.
    flags: [bool; 9],
    /// Target mode, retarget policy, lost policy, interrupt class.
    policies: [i64; 4],
    scorers: Vec<usize>,
    /// Required tags, blocking tags, tags with a factor.
    tags: [Vec<&'static str>; 3],
    uses: i64,
    priority: i64,
    /// Cooldown, initial, randomization, refund, spawn chance, recovery, commitment, novelty weight.
    numbers: [f64; 8],
    link: Option<usize>,
}

fn traits() -> impl Strategy<Value = Traits> {
    // Most things are in order most of the time, or nothing would ever start.
    let chances = [0.9, 0.93, 0.15, 0.15, 0.3, 0.15, 0.25, 0.2, 0.5];
    let flags = prop::array::uniform9(0.0..1.0f64)
        .prop_map(move |drawn| std::array::from_fn(|n| drawn[n] < chances[n]));
    let tags = || prop_oneof![5 => Just(Vec::new()), 1 => subsequence(TAGS.to_vec(), 1)];
    let parts = (
        (0.0..3.0f64, 0.2..3.0f64, flags, (0..3i64, 0..3i64, 0..3i64, 0..4i64)),
        (subsequence(vec![0usize, 1, 2], 0..3), [tags(), tags(), tags()], -1..4i64, -2..3i64),
        prop::array::uniform8(0.0..1.0f64),
        proptest::option::of(0..IDS.len()),
    );
    parts.prop_map(|((weight, risk, flags, (a, b, c, d)), (scorers, tags, uses, priority), numbers, link)| {
        Traits { weight, risk, flags, policies: [a, b, c, d], scorers, tags, uses, priority, numbers, link }
    })
}

fn plan(rig: &mut Rig, id: &str, traits: &Traits) -> ActionPlan {
    let [enabled, has_method, sight, target, on_end, ignores, tokens, gated, tagged] = traits.flags;
    let [duration, initial, randomization, refund, spawn, recovery, commitment, novelty] = traits.numbers;
    let mut gates = Vec::new();
    if gated {
        gates.push(script_gate(1, "Gate"));
    }
    if tokens {
        let tag = rig.table.intern("Token.Attack").unwrap();
        gates.push(GatePlan { kind: GateKind::Tokens { tag, cost: 1 }, label: "Tokens".into() });
    }
    let multiplier = |rig: &mut Rig, name: &&'static str| TagMultiplier {
        tag: rig.table.intern(name).unwrap(),
        name: (*name).into(),
        multiplier: 0.5,
    };
    ActionPlan {
        enabled,
        has_method,
        risk_penalty: traits.risk,
        scorers: traits.scorers.iter().map(|n| [distance(), angle(), script_scorer(0)][*n].clone()).collect(),
        gates,
        requires_tags: rig.queries(&traits.tags[0]),
        block_tags: rig.queries(&traits.tags[1]),
        tag_multipliers: traits.tags[2].iter().map(|name| multiplier(rig, name)).collect(),
        require_line_of_sight: sight,
        require_target: target,
        novelty_weight: novelty,
        cooldown: CooldownPlan {
            duration: duration * 0.6,
            initial: initial * 0.2,
            randomization,
            interrupt_refund: refund,
            spawn_chance: spawn * 0.3,
            on_end,
        },
        max_consecutive_uses: traits.uses,
        chain_links: traits
            .link
            .iter()
            .map(|n| ChainPlan { action: ActionId::new(IDS[*n]), bonus: 1.5 })
            .collect(),
        recovery: (recovery < 0.3).then_some(recovery),
        ignore_recovery: ignores,
        add_tags: if tagged { rig.queries(&["State.MovementBlocked"]) } else { TagQueries::default() },
        target_mode: TargetMode::from_int(traits.policies[0]).unwrap(),
        retarget_policy: RetargetPolicy::from_int(traits.policies[1]).unwrap(),
        target_lost_policy: LostPolicy::from_int(traits.policies[2]).unwrap(),
        interrupt_class: InterruptClass::from_int(traits.policies[3]).unwrap(),
        priority: traits.priority,
        commitment_time: if commitment < 0.3 { -1.0 } else { commitment * 0.5 },
        ..weighted(id, traits.weight)
    }
}

/// Something changes around the agent.
#[derive(Clone, Debug)]
enum World {
    Focus(Option<u64>, f64, f64),
    Each(Vec<(u64, f64)>),
    AgentTags(Vec<&'static str>, bool),
    TargetTags(Vec<&'static str>),
    Sight(bool),
    Tokens(u64, bool),
    Retargets(bool),
    RulesOut(Option<usize>),
    Vetoes(Vec<(bool, usize)>),
    Requests(f64),
    Factor(usize, usize, usize),
}

#[derive(Clone, Debug)]
enum Op {
    Step(f64),
    Evaluate,
    Execute(usize, bool),
    Abort(bool),
    Cancel(i64),
    Preview,
    Stop,
    Start,
    Teardown,
    List(u8),
    Method(usize, Method),
    Hold(bool),
    Reset,
    Record(bool),
    Multiply(f64),
    World(World),
    React(String, Act),
}

fn method() -> impl Strategy<Value = Method> {
    let timeout = prop_oneof![Just(0.0), 0.05..1.0f64, Just(f64::NAN), Just(-1.0)];
    let chance = || prop::bool::weighted(0.85);
    let parts =
        (chance(), chance(), timeout, prop::bool::weighted(0.2), proptest::option::of(0..4u32), chance());
    parts.prop_map(|(can_begin, begins, timeout, instant, ticks, succeeds)| Method {
        can_begin,
        begins,
        timeout,
        instant,
        ticks,
        succeeds,
        ..Method::default()
    })
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        4 => select(IDS.to_vec()).prop_map(Act::Execute),
        3 => Just(Act::Abort(EndReason::Cancelled)),
        2 => Just(Act::Abort(EndReason::Interrupted)),
        2 => Just(Act::EvaluateNow),
        1 => Just(Act::Preview),
        2 => any::<bool>().prop_map(Act::Finish),
        1 => Just(Act::Stop),
        1 => Just(Act::Teardown),
        1 => (select(IDS.to_vec()), 0.0..2.0f64).prop_map(|(id, factor)| Act::Multiply(id, factor)),
        1 => Just(Act::Unlist),
    ]
}

/// A line of the log at which user code does something.
fn moment() -> impl Strategy<Value = String> {
    let words = [
        "can", "begin", "tick", "score", "gate", "may", "modify", "tag", "untag", "take", "give", "start",
        "pre G", "pre A", "hook G", "hook A", "abort 1", "abort 2", "abort 3",
    ];
    let ends = ["end", "post G", "post A"];
    let id = || select(IDS.to_vec());
    prop_oneof![
        8 => (select(words.to_vec()), id()).prop_map(|(word, id)| format!("{word} {id}")),
        3 => (select(ends.to_vec()), id(), 0..5).prop_map(|(word, id, reason)| format!("{word} {id} {reason}")),
        1 => id().prop_map(|id| format!("ready {id}")),
        1 => select(vec!["none", "set", "rested"]).prop_map(str::to_owned),
    ]
}

fn world() -> impl Strategy<Value = World> {
    let tags = || subsequence(TAGS.to_vec(), 0..3);
    let each = proptest::collection::vec((20..24u64, 0.0..7.0f64), 0..4).prop_map(|mut rows| {
        rows.sort_by_key(|row| row.0);
        rows.dedup_by_key(|row| row.0);
        rows
    });
    prop_oneof![
        3 => (proptest::option::weighted(0.8, 7..9u64), 0.0..6.0f64, 0.0..120.0f64)
            .prop_map(|(key, distance, angle)| World::Focus(key, distance, angle)),
        3 => each.prop_map(World::Each),
        2 => (tags(), prop::bool::weighted(0.2)).prop_map(|(tags, blocked)| World::AgentTags(tags, blocked)),
        1 => tags().prop_map(World::TargetTags),
        1 => any::<bool>().prop_map(World::Sight),
        2 => (0..3u64, prop::bool::weighted(0.7)).prop_map(|(free, takes)| World::Tokens(free, takes)),
        1 => any::<bool>().prop_map(World::Retargets),
        1 => proptest::option::of(0..IDS.len()).prop_map(World::RulesOut),
        2 => proptest::collection::vec((any::<bool>(), 0..IDS.len()), 0..3).prop_map(World::Vetoes),
        1 => (0.0..0.5f64).prop_map(World::Requests),
        2 => (0..IDS.len(), 0..2usize, 0..FACTORS.len()).prop_map(|(id, slot, n)| World::Factor(id, slot, n)),
    ]
}

fn op() -> impl Strategy<Value = Op> {
    let n = || 0..IDS.len();
    prop_oneof![
        9 => (0.01..0.4f64).prop_map(Op::Step),
        5 => Just(Op::Evaluate),
        4 => (n(), any::<bool>()).prop_map(|(n, gates)| Op::Execute(n, gates)),
        2 => any::<bool>().prop_map(Op::Abort),
        1 => (1..20i64).prop_map(Op::Cancel),
        1 => Just(Op::Preview),
        1 => Just(Op::Stop),
        6 => Just(Op::Start),
        1 => Just(Op::Teardown),
        1 => any::<u8>().prop_map(Op::List),
        2 => (n(), method()).prop_map(|(n, method)| Op::Method(n, method)),
        1 => prop::bool::weighted(0.2).prop_map(Op::Hold),
        1 => Just(Op::Reset),
        1 => any::<bool>().prop_map(Op::Record),
        1 => select(vec![0.0, 1.0, 1.0, 2.5]).prop_map(Op::Multiply),
        8 => world().prop_map(Op::World),
        8 => (moment(), act()).prop_map(|(moment, act)| Op::React(moment, act)),
    ]
}

/// One life of an agent.
struct Life {
    rig: Rig,
    actions: Vec<Traits>,
}

impl Life {
    fn new(actions: Vec<Traits>, hooks: RunHooks) -> Self {
        let settings = Settings { action_recovery_time: 0.2, min_commitment: 0.1, ..Settings::default() };
        let mut rig = Rig::new(settings);
        (rig.once, rig.hooks) = (true, hooks);
        let block = rig.queries(&[BLOCK]);
        rig.set(|settings| (settings.global_block_tags, settings.record) = (block, true));
        rig.core.set_virtuals(Virtuals { may_execute: true, modify: true, builds: false });
        rig.aim(1.5, 0.0);
        let mut life = Self { rig, actions };
        life.list(0xFF);
        life.rig.call(Evaluator::start);
        life
    }

    fn list(&mut self, mask: u8) {
        let chosen = IDS.iter().enumerate().filter(|(n, _)| mask & (1 << n) != 0);
        let plans: Vec<_> = chosen.map(|(n, id)| plan(&mut self.rig, id, &self.actions[n])).collect();
        self.rig.list(plans);
    }

    fn perform(&mut self, op: &Op) {
        let rig = &mut self.rig;
        match op {
            Op::Step(delta) => rig.step(*delta),
            Op::Evaluate => drop(rig.evaluate()),
            Op::Execute(n, gates) => drop(rig.execute_with(IDS[*n], *gates)),
            Op::Abort(true) => drop(rig.abort(EndReason::Interrupted)),
            Op::Abort(false) => drop(rig.abort(EndReason::Cancelled)),
            Op::Cancel(run) => drop(rig.call(|core| core.cancel(*run))),
            Op::Preview => drop(rig.preview()),
            Op::Stop => rig.call(Evaluator::stop),
            Op::Start => drop(rig.call(Evaluator::start)),
            Op::Teardown => {
                rig.call(Evaluator::teardown);
                rig.core.enter();
            }
            Op::List(mask) => self.list(*mask),
            Op::Method(n, method) => drop(rig.methods.insert(IDS[*n].to_owned(), method.clone())),
            Op::Hold(held) => rig.core.hold_selection(*held),
            Op::Reset => rig.call(Evaluator::reset_state),
            Op::Record(record) => rig.set(|settings| settings.record = *record),
            Op::Multiply(factor) => rig.set(|settings| settings.global_multiplier = *factor),
            Op::World(world) => change(rig, world),
            Op::React(moment, act) => rig.act(moment, act.clone()),
        }
    }
}

fn change(rig: &mut Rig, world: &World) {
    match world {
        World::Focus(key, distance, angle) => {
            (rig.target, rig.distance, rig.angle) = (*key, *distance, *angle)
        }
        World::Each(rows) => rig.each.clone_from(rows),
        World::AgentTags(tags, blocked) => {
            let tags: Vec<&str> = tags.iter().copied().chain(blocked.then_some(BLOCK)).collect();
            rig.agent_tags = rig.tags(&tags);
        }
        World::TargetTags(tags) => rig.target_tags = rig.tags(tags),
        World::Sight(sees) => rig.sight = *sees,
        World::Tokens(free, takes) => {
            rig.tokens = vec![(rig.table.intern("Token.Attack").unwrap(), *free)];
            rig.takes = *takes;
        }
        World::Retargets(turns) => rig.retargets = *turns,
        World::RulesOut(n) => rig.ruled_out = n.iter().map(|n| IDS[*n].to_owned()).collect(),
        World::Vetoes(rows) => {
            let line =
                |(global, n): &(bool, usize)| format!("pre {} {}", if *global { "G" } else { "A" }, IDS[*n]);
            rig.vetoes = rows.iter().map(line).collect();
        }
        World::Requests(seconds) => rig.requests = *seconds,
        World::Factor(n, slot, factor) => {
            let value = FACTORS[*factor];
            rig.script(IDS[*n], *slot, move |_| value);
        }
    }
}

/// What was counted of one life.
#[derive(Default)]
struct Books {
    refusals: BTreeSet<Refusal>,
    starts: usize,
    vetoes: usize,
}

fn check_rows(rows: &[DecisionRow], seen: &mut BTreeSet<Refusal>) -> Result<(), TestCaseError> {
    prop_assert!(rows.iter().filter(|row| row.won).count() <= 1, "two winners: {rows:?}");
    for row in rows {
        prop_assert!(row.score.is_finite() && row.score >= 0.0, "{row:?}");
        // A reason for each that was not chosen, and none for the one that was.
        prop_assert_eq!(row.won, row.refusal == Refusal::None, "{:?}", row);
        let hold = row.hold.unwrap_or(0.0);
        prop_assert!(hold.is_finite() && hold >= 0.0, "{row:?}");
        for (name, value) in &row.factors {
            prop_assert!((0.0..=1e6).contains(value), "{name} is {value}");
        }
        seen.insert(row.refusal);
    }
    Ok(())
}

/// At most one run at a time, started before it ends, ended once; with all that goes on and off with it.
fn check_runs(rig: &Rig) -> Result<(), TestCaseError> {
    let mut alive = None;
    for (run, started) in &rig.lives {
        prop_assert_eq!(alive, (!started).then_some(*run), "run {}, started {}", run, started);
        alive = started.then_some(*run);
    }
    let open = rig.core.running().map(Run::id);
    prop_assert_eq!(alive, open);
    let started: BTreeSet<RunId> = rig.lives.iter().filter(|life| life.1).map(|life| life.0).collect();
    let ended: BTreeSet<RunId> = rig.lives.iter().filter(|life| !life.1).map(|life| life.0).collect();
    let refused: BTreeSet<RunId> = rig.refused.iter().map(|row| row.0).collect();
    prop_assert_eq!(refused.len(), rig.refused.len(), "a refusal was told twice");
    prop_assert!(refused.is_disjoint(&started), "refused and started");
    prop_assert!(rig.refused.iter().all(|row| row.1 != Refusal::None), "refused for no reason");
    // Tokens and tags of what runs, and of nothing else.
    prop_assert!(rig.held_tokens.iter().all(|run| Some(*run) == open), "tokens of {:?}", rig.held_tokens);
    prop_assert!(rig.held_tags.iter().all(|run| Some(*run) == open), "tags of {:?}", rig.held_tags);
    // Each hook once at each end, and once before each start.
    let mut calls: BTreeMap<(RunId, usize, &str), usize> = BTreeMap::new();
    for (run, slot, word) in &rig.hook_calls {
        *calls.entry((*run, *slot, word)).or_default() += 1;
    }
    for (slot, hook) in rig.hooks.iter().enumerate() {
        for run in &started {
            prop_assert_eq!(calls.get(&(*run, slot, "pre")).copied().unwrap_or(0), usize::from(hook.before));
        }
        for run in &ended {
            prop_assert_eq!(calls.get(&(*run, slot, "post")).copied().unwrap_or(0), usize::from(hook.after));
        }
    }
    prop_assert!(calls.iter().all(|(call, count)| call.2 == "hook" || *count == 1), "{calls:?}");
    Ok(())
}

fn live(actions: Vec<Traits>, hooks: RunHooks, ops: &[Op]) -> Result<Books, TestCaseError> {
    let mut life = Life::new(actions, hooks);
    let mut books = Books::default();
    for op in ops {
        life.perform(op);
        let rig = &mut life.rig;
        prop_assert_eq!(rig.core.depth(), 0, "something goes on after {:?}", op);
        check_rows(&rig.core.last_decision().rows, &mut books.refusals)?;
        for preview in std::mem::take(&mut rig.previews) {
            check_rows(&preview.rows, &mut books.refusals)?;
        }
        check_runs(rig)?;
        let memory = [rig.core.recovery_left(), rig.core.now()];
        prop_assert!(memory.iter().all(|number| number.is_finite() && *number >= 0.0), "{:?}", memory);
        prop_assert!(rig.core.cooldowns().iter().all(|row| row.1.is_finite() && row.1 > 0.0));
    }
    life.rig.call(Evaluator::teardown);
    check_runs(&life.rig)?;
    prop_assert!(life.rig.held_tokens.is_empty() && life.rig.held_tags.is_empty());
    books.refusals.extend(life.rig.refused.iter().map(|row| row.1));
    books.starts = life.rig.lives.len() / 2;
    books.vetoes = life.rig.refused.iter().filter(|row| row.1 == Refusal::HookVeto).count();
    Ok(books)
}

#[test]
fn the_books_balance_in_every_world() {
    let config = ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let hook =
        || any::<(bool, bool, bool)>().prop_map(|(before, tick, after)| HookCalls { before, tick, after });
    let hooks = prop_oneof![2 => Just(all_hooks()), 1 => [hook(), hook()]];
    let input =
        (proptest::collection::vec(traits(), IDS.len()), hooks, proptest::collection::vec(op(), 20..100));
    let total = RefCell::new(Books::default());
    let outcome = runner.run(&input, |(actions, hooks, ops)| {
        let books = live(actions, hooks, &ops)?;
        let mut total = total.borrow_mut();
        total.refusals.extend(books.refusals);
        (total.starts, total.vetoes) = (total.starts + books.starts, total.vetoes + books.vetoes);
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
    let total = total.into_inner();
    assert!(total.starts > 1000, "{} starts", total.starts);
    assert!(total.vetoes > 20, "{} vetoes", total.vetoes);
    // Every reason there is for an action occurred; these three are of reactions, and of names that nobody knows.
    let others = [Refusal::Trigger, Refusal::Chance, Refusal::UnknownAction];
    let missing: Vec<_> = Refusal::ALL
        .iter()
        .filter(|(refusal, _)| !others.contains(refusal) && !total.refusals.contains(refusal))
        .collect();
    assert!(missing.is_empty(), "never seen: {missing:?}");
}
