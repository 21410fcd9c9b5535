//! What holds whatever happens: one end per start, scores that are numbers, refusals that are named.

mod action_support;

use action_support::*;
use proptest::prelude::*;
use riposte_core::action::*;

const IDS: [&str; 4] = ["A", "B", "C", "D"];

#[derive(Clone, Debug)]
enum Op {
    Step(f64),
    Evaluate,
    Execute(usize, bool),
    Abort(bool),
    Preview,
    Stop,
    Start,
    Teardown,
    List(u8),
    Method(usize, Method),
    React(String, Act),
}

fn method() -> impl Strategy<Value = Method> {
    let timeout = prop_oneof![Just(0.0), 0.05..1.0f64, Just(f64::NAN), Just(-1.0)];
    let parts =
        (any::<bool>(), any::<bool>(), timeout, any::<bool>(), proptest::option::of(0..4u32), any::<bool>());
    parts.prop_map(|(can_begin, begins, timeout, instant, ticks, succeeds)| Method {
        can_begin,
        begins: begins || can_begin,
        timeout,
        instant,
        ticks,
        succeeds,
        ..Method::default()
    })
}

fn act() -> impl Strategy<Value = Act> {
    let id = || (0..IDS.len()).prop_map(|n| IDS[n]);
    prop_oneof![
        4 => id().prop_map(Act::Execute),
        3 => Just(Act::Abort(EndReason::Cancelled)),
        1 => Just(Act::Abort(EndReason::Interrupted)),
        2 => Just(Act::EvaluateNow),
        1 => Just(Act::Preview),
        2 => any::<bool>().prop_map(Act::Finish),
        1 => Just(Act::Stop),
        1 => Just(Act::Teardown),
        1 => (id(), 0.0..2.0f64).prop_map(|(id, factor)| Act::Multiply(id, factor)),
        1 => Just(Act::Unlist),
    ]
}

fn moment() -> impl Strategy<Value = String> {
    let words =
        ["can", "begin", "tick", "score", "gate", "tag", "untag", "start", "abort 1", "abort 2", "abort 3"];
    prop_oneof![
        6 => (proptest::sample::select(words.to_vec()), 0..IDS.len()).prop_map(|(word, n)| format!("{word} {}", IDS[n])),
        2 => (0..IDS.len(), 0..5).prop_map(|(n, reason)| format!("end {} {reason}", IDS[n])),
        1 => (0..IDS.len()).prop_map(|n| format!("cool {} 0.3000", IDS[n])),
        1 => (0..IDS.len()).prop_map(|n| format!("ready {}", IDS[n])),
        1 => Just("none".to_owned()),
        1 => Just("set".to_owned()),
    ]
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        6 => (0.01..0.4f64).prop_map(Op::Step),
        3 => Just(Op::Evaluate),
        4 => (0..IDS.len(), any::<bool>()).prop_map(|(n, gates)| Op::Execute(n, gates)),
        1 => any::<bool>().prop_map(Op::Abort),
        1 => Just(Op::Preview),
        1 => Just(Op::Stop),
        2 => Just(Op::Start),
        1 => Just(Op::Teardown),
        2 => any::<u8>().prop_map(Op::List),
        3 => ((0..IDS.len()), method()).prop_map(|(n, method)| Op::Method(n, method)),
        6 => (moment(), act()).prop_map(|(moment, act)| Op::React(moment, act)),
    ]
}

fn plans(rig: &mut Rig, mask: u8) -> Vec<ActionPlan> {
    let cooldown = CooldownPlan { duration: 0.3, randomization: 0.0, ..CooldownPlan::default() };
    let add_tags = rig.queries(&["State.MovementBlocked"]);
    let plan = |(n, id): (usize, &&str)| ActionPlan {
        cooldown,
        add_tags: add_tags.clone(),
        max_consecutive_uses: n as i64 - 1,
        scorers: if n % 2 == 0 { vec![script_scorer(0)] } else { Vec::new() },
        gates: if n == 2 { vec![script_gate(1, "Gate")] } else { Vec::new() },
        ..weighted(id, 1.0 + n as f64)
    };
    IDS.iter().enumerate().filter(|(n, _)| mask & (1 << n) != 0).map(plan).collect()
}

fn perform(rig: &mut Rig, op: &Op) {
    match op {
        Op::Step(delta) => rig.step(*delta),
        Op::Evaluate => {
            rig.evaluate();
        }
        Op::Execute(n, gates) => {
            if rig.core.find(IDS[*n]).is_some() {
                rig.execute_with(IDS[*n], *gates);
            }
        }
        Op::Abort(interrupt) => {
            rig.abort(if *interrupt { EndReason::Interrupted } else { EndReason::Cancelled });
        }
        Op::Preview => {
            rig.preview();
        }
        Op::Stop => rig.call(Evaluator::stop),
        Op::Start => {
            rig.call(Evaluator::start);
        }
        Op::Teardown => {
            rig.call(Evaluator::teardown);
            prop_is_idle(rig);
            rig.core.enter();
        }
        Op::List(mask) => {
            let plans = plans(rig, *mask);
            rig.list(plans);
        }
        Op::Method(n, method) => {
            rig.methods.insert(IDS[*n].to_owned(), method.clone());
        }
        Op::React(moment, act) => rig.act(moment, act.clone()),
    }
}

fn prop_is_idle(rig: &Rig) {
    assert!(rig.core.running().is_none(), "something runs outside of the tree");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn exactly_one_end_per_start(ops in proptest::collection::vec(op(), 1..60)) {
        let mut rig = Rig::with(Settings { auto_evaluate: true, evaluate_on_end: true, ..quiet() }, []);
        rig.once = true;
        let all = plans(&mut rig, 0xFF);
        rig.list(all);
        for op in &ops {
            perform(&mut rig, op);
            prop_assert_eq!(rig.core.depth(), 0, "something is still going on after {:?}", op);
            // At most one run at a time, each started before it ends and ended once.
            let open = rig.core.running().map(Run::id);
            let mut alive: Option<RunId> = None;
            for (run, started) in &rig.lives {
                if *started {
                    prop_assert_eq!(alive, None, "run {} began in another", run);
                    alive = Some(*run);
                } else {
                    prop_assert_eq!(alive, Some(*run), "run {} ended", run);
                    alive = None;
                }
            }
            prop_assert_eq!(alive, open, "after {:?}", op);
        }
        rig.call(Evaluator::teardown);
        let starts = rig.lives.iter().filter(|life| life.1).count();
        prop_assert_eq!(rig.lives.len(), 2 * starts);
        let tags = rig.log.iter().filter(|line| line.starts_with("tag")).count();
        prop_assert_eq!(tags, rig.log.iter().filter(|line| line.starts_with("untag")).count());
    }

    #[test]
    fn scores_are_numbers_and_every_row_has_a_reason(
        factors in proptest::collection::vec(any::<f64>(), 4),
        weight in any::<f64>(),
        risk in any::<f64>(),
        link in any::<f64>(),
        runtime in any::<f64>(),
        jitter in any::<f64>(),
        distance_to in any::<f64>(),
    ) {
        let plan = ActionPlan {
            risk_penalty: risk,
            scorers: vec![script_scorer(0), distance(), angle(), script_scorer(1)],
            chain_links: vec![ChainPlan { action: ActionId::new("A"), bonus: link }],
            ..weighted("A", weight)
        };
        let mut rig = Rig::quiet([plan.clone(), ActionPlan { scorers: vec![], ..plan }, weighted("B", weight)]);
        let (first, second) = (factors[0], factors[1]);
        rig.script("A", 0, move |_| first);
        rig.script("A", 1, move |_| second);
        rig.aim(distance_to, factors[2]);
        rig.use_up("A", EndReason::Completed);
        rig.set(|s| {
            (s.global_multiplier, s.jitter_amount, s.record) = (runtime, jitter, true);
            (s.novelty_penalty, s.novelty_floor) = (factors[3], factors[2]);
        });
        for row in rig.preview().rows {
            prop_assert!(row.score.is_finite() && row.score >= 0.0, "{:?}", row);
            prop_assert_eq!(row.refusal == Refusal::None, row.won);
            prop_assert!(!row.won || row.score > 0.0);
            for (name, value) in row.factors {
                prop_assert!((0.0..=1e6).contains(&value), "{} is {}", name, value);
            }
        }
    }

    #[test]
    fn a_curve_stays_between_its_floor_and_one(
        values in proptest::array::uniform4(any::<f64>()),
        exponent in any::<f64>(),
        floor in 0.0..1.0f64,
        x in any::<f64>(),
    ) {
        let s = RangeCurve::new(values, exponent, floor).sample(x);
        prop_assert!((0.0..=1.0).contains(&s));
        prop_assert!(x.is_nan() || s >= floor);
    }
}
