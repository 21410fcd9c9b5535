//! Conditions, costs, gates, hooks, paired actions and the approach, decided from plain numbers.

use std::sync::Arc;

use glam::DVec2;
use riposte_core::action::TagsOf;
use riposte_core::graph::Window;
use riposte_core::graph::parts::{
    Affordable, Approach, ApproachPlan, ConditionKind, ConditionPlan, CostPlan, DirectionSpace,
    DistanceComparison, DrainEnd, GraphGatePlan, HookCalls, HookPlan, MovementSource, Needs, PairedPlan,
    PartsWorld, PressView, TagLists, TagTest, TargetFacts, VitalComparison, VitalView, affordable, drained,
    locomotion, pay, stop_distance, turn_rate,
};
use riposte_core::tags::{TagId, TagSet, TagTable};

const FORWARD: u8 = 1;
const BACK: u8 = 2;
const LEFT: u8 = 4;
const RIGHT: u8 = 8;
const NEUTRAL: u8 = 16;

struct Stage {
    table: TagTable,
    own: TagSet,
    world: TagSet,
    foe: TagSet,
    vitals: Vec<VitalView>,
    attributes: Vec<Option<f64>>,
}

impl Stage {
    fn new() -> Self {
        Self {
            table: TagTable::new(),
            own: TagSet::default(),
            world: TagSet::default(),
            foe: TagSet::default(),
            vitals: Vec::new(),
            attributes: Vec::new(),
        }
    }

    fn tag(&mut self, name: &str) -> TagId {
        self.table.intern(name).expect("a tag")
    }

    fn set(&mut self, names: &[&str]) -> TagSet {
        let tags: Vec<TagId> = names.iter().map(|name| self.tag(name)).collect();
        TagSet::new(&self.table, tags)
    }

    fn world(&self) -> PartsWorld<'_> {
        PartsWorld {
            tags: &self.own,
            world_tags: &self.world,
            vitals: &self.vitals,
            attributes: &self.attributes,
            facing: DVec2::NEG_Y,
            stick: DVec2::ZERO,
            move_direction: DVec2::ZERO,
            speed: 0.0,
            target: None,
        }
    }

    fn target(&self, units: f64, direction: DVec2) -> TargetFacts<'_> {
        TargetFacts {
            tags: &self.foe,
            units,
            planar_units: units,
            units_per_meter: 1.0,
            direction,
            paired: false,
        }
    }
}

fn condition(kind: ConditionKind) -> ConditionPlan {
    ConditionPlan { kind, invert: false, label: Arc::from("") }
}

fn holds(kind: ConditionKind, world: &PartsWorld, press: &PressView) -> bool {
    condition(kind).holds(world, press, &|_| None).expect("no script")
}

fn direction(directions: u8, space: DirectionSpace) -> ConditionKind {
    ConditionKind::Direction { directions, space, dead_zone: 0.3 }
}

fn press(x: f64, y: f64) -> PressView {
    PressView { direction: DVec2::new(x, y), stick: DVec2::ZERO }
}

#[test]
fn directions_are_sectors_of_the_facing() {
    let stage = Stage::new();
    let world = stage.world();
    let is = |x: f64, y: f64, sector: u8| {
        for one in [FORWARD, BACK, LEFT, RIGHT, NEUTRAL] {
            let found = holds(direction(one, DirectionSpace::Facing), &world, &press(x, y));
            assert_eq!(found, one == sector, "({x}, {y}) and {one}");
        }
    };
    is(0.0, -1.0, FORWARD);
    is(0.0, 1.0, BACK);
    is(-1.0, 0.0, LEFT);
    is(1.0, 0.0, RIGHT);
    is(0.0, -0.29, NEUTRAL);
    is(0.707, -0.707, FORWARD);
    is(0.72, -0.69, RIGHT);
    is(0.707, 0.707, BACK);
    let both = direction(LEFT | NEUTRAL, DirectionSpace::Facing);
    assert!(holds(both.clone(), &world, &press(0.0, 0.0)) && holds(both, &world, &press(-1.0, 0.0)));
}

#[test]
fn a_direction_may_be_seen_from_the_stick_or_the_target() {
    let stage = Stage::new();
    let mut world = stage.world();
    let mut pressed = press(0.0, -1.0);
    pressed.stick = DVec2::new(1.0, 0.0);
    assert!(holds(direction(RIGHT, DirectionSpace::Stick), &world, &pressed));
    assert!(holds(direction(FORWARD, DirectionSpace::Target), &world, &pressed), "without a target: facing");
    world.target = Some(stage.target(4.0, DVec2::new(0.0, 4.0)));
    assert!(holds(direction(BACK, DirectionSpace::Target), &world, &pressed));
    assert!(holds(direction(FORWARD, DirectionSpace::Facing), &world, &pressed));
}

#[test]
fn a_vital_that_is_not_there_passes() {
    let mut stage = Stage::new();
    let stamina = stage.tag("Vital.Stamina");
    let ask = |comparison, value: f64, as_fraction| ConditionKind::Vital {
        tag: stamina,
        comparison,
        value,
        tolerance: 1.0,
        as_fraction,
    };
    let none = press(0.0, 0.0);
    assert!(holds(ask(VitalComparison::Above, 500.0, false), &stage.world(), &none));
    stage.vitals.push(VitalView { tag: stamina, value: 30.0, max: 60.0, row: true });
    let is =
        |comparison, value, as_fraction| holds(ask(comparison, value, as_fraction), &stage.world(), &none);
    assert!(is(VitalComparison::Above, 30.0, false) && !is(VitalComparison::Above, 30.1, false));
    assert!(is(VitalComparison::Below, 30.0, false) && !is(VitalComparison::Below, 29.9, false));
    assert!(is(VitalComparison::About, 31.0, false) && !is(VitalComparison::About, 31.1, false));
    assert!(is(VitalComparison::Above, 0.5, true) && !is(VitalComparison::Above, 0.51, true));
}

#[test]
fn conditions_on_the_target_do_not_pass_without_one() {
    let mut stage = Stage::new();
    let (stunned, boss) = (stage.tag("State.Stunned"), stage.tag("Role.Boss"));
    stage.foe = stage.set(&["State.Stunned.Hard"]);
    let state =
        ConditionKind::TargetState(Box::new(TagLists { required: vec![stunned], blocked: vec![boss] }));
    let far = |comparison, planar, in_pixels| ConditionKind::TargetDistance {
        comparison,
        distance: 2.0,
        tolerance: 0.5,
        planar,
        in_pixels,
    };
    let none = press(0.0, 0.0);
    let mut world = stage.world();
    assert!(!holds(state.clone(), &world, &none));
    assert!(!holds(far(DistanceComparison::Farther, true, false), &world, &none));
    let mut inverted = condition(state.clone());
    inverted.invert = true;
    assert_eq!(inverted.holds(&world, &none, &|_| None), Some(true));

    let mut target = stage.target(300.0, DVec2::X);
    (target.planar_units, target.units_per_meter) = (200.0, 100.0);
    world.target = Some(target);
    assert!(holds(state, &world, &none));
    assert!(holds(far(DistanceComparison::Closer, true, false), &world, &none), "2 m of 2 m");
    assert!(!holds(far(DistanceComparison::Closer, false, false), &world, &none), "3 m with the height");
    assert!(holds(far(DistanceComparison::Farther, true, true), &world, &none), "200 px of 2 px");
    assert!(holds(far(DistanceComparison::About, true, false), &world, &none));
    assert!(!holds(far(DistanceComparison::About, false, false), &world, &none));
    let blocked = ConditionKind::TargetState(Box::new(TagLists { required: vec![], blocked: vec![stunned] }));
    assert!(!holds(blocked, &world, &none));
}

#[test]
fn a_cooldown_that_nobody_knows_is_ready() {
    let stage = Stage::new();
    let plan = condition(ConditionKind::Cooldown { key: Arc::from("blink"), charges: 2 });
    let with = |charges| plan.holds(&stage.world(), &press(0.0, 0.0), &|_| charges);
    assert_eq!((with(Some(1)), with(Some(2)), with(None)), (Some(false), Some(true), Some(true)));
}

#[test]
fn a_script_is_asked_and_its_answer_inverted() {
    let stage = Stage::new();
    let mut plan = condition(ConditionKind::Script);
    assert_eq!(plan.holds(&stage.world(), &press(0.0, 0.0), &|_| None), None);
    assert!(plan.answered(true) && !plan.answered(false));
    plan.invert = true;
    assert!(!plan.answered(true) && plan.answered(false));
}

fn stamina_cost(tag: TagId, amount: f64) -> CostPlan {
    CostPlan::Vital { tag, amount, as_fraction: false, allow_partial: false }
}

#[test]
fn costs_on_one_vital_add_up() {
    let mut stage = Stage::new();
    let stamina = stage.tag("Vital.Stamina");
    let costs = [stamina_cost(stamina, 20.0), CostPlan::Script, stamina_cost(stamina, 15.0)];
    assert_eq!(affordable(&costs, &stage.world()), Affordable::Ask(vec![1]), "without the row");
    let mut row = VitalView { tag: stamina, value: 35.0, max: 100.0, row: true };
    stage.vitals = vec![row];
    assert_eq!(affordable(&costs, &stage.world()), Affordable::Ask(vec![1]));
    row.value = 34.9;
    stage.vitals = vec![row];
    assert_eq!(affordable(&costs, &stage.world()), Affordable::No(2));
    row.row = false;
    stage.vitals = vec![row];
    assert_eq!(affordable(&costs[..1], &stage.world()), Affordable::Yes, "nobody keeps it");
}

#[test]
fn shares_and_partial_costs() {
    let mut stage = Stage::new();
    let stamina = stage.tag("Vital.Stamina");
    stage.vitals = vec![VitalView { tag: stamina, value: 20.0, max: 50.0, row: true }];
    let share = |amount| CostPlan::Vital { tag: stamina, amount, as_fraction: true, allow_partial: false };
    assert_eq!(affordable(&[share(0.4)], &stage.world()), Affordable::Yes);
    assert_eq!(affordable(&[share(0.41)], &stage.world()), Affordable::No(0));
    let partial = CostPlan::Vital { tag: stamina, amount: 30.0, as_fraction: false, allow_partial: true };
    assert_eq!(affordable(std::slice::from_ref(&partial), &stage.world()), Affordable::Yes);
    pay(&partial, &mut stage.vitals, &mut []);
    assert_eq!(stage.vitals[0].value, 0.0);
    assert_eq!(affordable(&[partial], &stage.world()), Affordable::No(0));
    assert_eq!(affordable(&[stamina_cost(stamina, 0.0)], &stage.world()), Affordable::Yes);
}

#[test]
fn an_attribute_that_is_missing_cannot_be_paid_from() {
    let mut stage = Stage::new();
    let mut needs = Needs::default();
    let (mana, ammo) = (needs.attribute("mana"), needs.attribute("Gun:ammo"));
    assert_eq!((mana, ammo, needs.attribute("mana")), (0, 1, 0));
    stage.attributes = vec![Some(12.0), None];
    let costs =
        [CostPlan::Attribute { at: mana, amount: 6.0 }, CostPlan::Attribute { at: mana, amount: 6.0 }];
    assert_eq!(affordable(&costs, &stage.world()), Affordable::Yes);
    pay(&costs[0], &mut [], &mut stage.attributes);
    assert_eq!(stage.attributes[0], Some(6.0));
    assert_eq!(affordable(&costs, &stage.world()), Affordable::No(1));
    let missing = [CostPlan::Attribute { at: ammo, amount: 0.0 }];
    assert_eq!(affordable(&missing, &stage.world()), Affordable::No(0));
}

#[test]
fn a_gate_of_tags_hides_what_leads_into_its_node() {
    let mut stage = Stage::new();
    let shield = stage.tag("Weapon.Shield");
    let test = |of| Some(TagTest { of, required: vec![shield], blocked: vec![] });
    let gate = |of, hides| GraphGatePlan { tags: test(of), hides, label: Arc::from("") };
    assert_eq!(gate(TagsOf::Agent, false).open(&stage.world()), Some(false));
    assert!(
        !gate(TagsOf::Agent, false).hides(&stage.world()) && gate(TagsOf::Agent, true).hides(&stage.world())
    );
    assert_eq!(gate(TagsOf::Target, true).open(&stage.world()), Some(true), "no target");
    stage.own = stage.set(&["Weapon.Shield.Tower"]);
    assert!(!gate(TagsOf::Agent, true).hides(&stage.world()));
    assert_eq!(gate(TagsOf::World, false).open(&stage.world()), Some(false));
    let asked = GraphGatePlan { tags: None, hides: true, label: Arc::from("") };
    assert!(asked.open(&stage.world()).is_none() && !asked.hides(&stage.world()));
}

#[test]
fn locomotion_scales_multiply() {
    let scale = |speed, turn| HookPlan::Locomotion { speed, acceleration: 1.0, turn };
    let hooks = [scale(0.5, 0.0), HookPlan::Script(HookCalls::default()), scale(0.5, 2.0)];
    assert_eq!(locomotion(&hooks), [0.25, 1.0, 0.0]);
    assert_eq!(locomotion(&[]), [1.0, 1.0, 1.0]);
}

#[test]
fn movement_cuts_above_the_threshold() {
    let stage = Stage::new();
    let cut = |detect| HookPlan::CancelOnMovement { detect, threshold: 0.2 };
    let mut world = stage.world();
    world.move_direction = DVec2::new(0.2, 0.0);
    assert!(!cut(MovementSource::Input).cuts(&world), "the threshold itself does not cut");
    world.move_direction = DVec2::new(0.2, 0.1);
    assert!(cut(MovementSource::Input).cuts(&world) && !cut(MovementSource::Velocity).cuts(&world));
    world.speed = 0.3;
    assert!(cut(MovementSource::Velocity).cuts(&world));
}

#[test]
fn a_drain_ends_at_nothing() {
    assert_eq!(drained(30.0, 20.0, 0.5), (10.0, false));
    assert_eq!(drained(10.0, 20.0, 0.5), (10.0, true));
    assert_eq!(drained(3.0, 20.0, 0.5), (3.0, true));
    let mut left = 30.0;
    let mut ticks = 0;
    loop {
        let (spent, empty) = drained(left, 20.0, 0.1);
        (left, ticks) = (left - spent, ticks + 1);
        if empty {
            break;
        }
    }
    assert_eq!((ticks, left), (15, 0.0));
    let finish =
        HookPlan::Drain { tag: TagTable::new().intern("A").unwrap(), per_second: 1.0, end: DrainEnd::Finish };
    assert!(finish.may_finish() && finish.ticks());
}

#[test]
fn a_paired_action_wants_its_partner_near_in_front_and_free() {
    let mut stage = Stage::new();
    let down = stage.tag("State.Down");
    let plan = PairedPlan { max_distance: 2.0, max_angle: 60.0, required: vec![down], blocked: vec![] };
    let ahead = DVec2::NEG_Y;
    let available = |stage: &Stage, units: f64, direction: DVec2, paired: bool| {
        let mut world = stage.world();
        world.target = Some(TargetFacts { paired, ..stage.target(units, direction) });
        plan.is_available(&world)
    };
    assert!(!plan.is_available(&stage.world()) && !available(&stage, 1.0, ahead, false));
    stage.foe = stage.set(&["State.Down"]);
    assert!(available(&stage, 2.0, ahead, false) && !available(&stage, 2.01, ahead, false));
    assert!(!available(&stage, 1.0, ahead, true));
    assert!(available(&stage, 1.0, DVec2::from_angle(-30f64.to_radians()), false), "60° to the side");
    assert!(!available(&stage, 1.0, DVec2::from_angle(-29f64.to_radians()), false));
}

const PLAN: ApproachPlan = ApproachPlan { stop: 1.5, make_room: 0.25, speed: 4.0, most: 3.0 };

#[test]
fn an_approach_stops_where_it_should() {
    let mut approach = Approach::default();
    assert_eq!(approach.step(&PLAN, 3.0, 0.1), 4.0);
    assert!((approach.step(&PLAN, 1.7, 0.1) - 2.0).abs() < 1e-9);
    assert_eq!(approach.step(&PLAN, 1.5, 0.1), 0.0);
    assert_eq!(approach.step(&PLAN, 3.0, 0.0), 0.0);
}

#[test]
fn an_approach_goes_no_farther_than_it_may() {
    let mut approach = Approach::default();
    let way: f64 = (0..100).map(|_| approach.step(&PLAN, 20.0, 0.1) * 0.1).sum();
    assert!((way - 3.0).abs() < 1e-9, "{way}");
}

#[test]
fn room_is_made_for_its_seconds_and_not_beyond_the_stop() {
    let mut approach = Approach::default();
    assert_eq!(approach.step(&PLAN, 0.5, 0.1), -4.0);
    assert_eq!(approach.step(&PLAN, 0.9, 0.1), -4.0);
    let half: f64 = approach.step(&PLAN, 1.0, 0.1);
    assert!((half + 2.0).abs() < 1e-9, "half of the step is left: {half}");
    assert_eq!(approach.step(&PLAN, 1.0, 0.1), 0.0);
    assert!((Approach::default().step(&PLAN, 1.4, 0.1) + 1.0).abs() < 1e-9, "up to the stop only");
    let stays = ApproachPlan { make_room: 0.0, ..PLAN };
    assert_eq!(Approach::default().step(&stays, 0.5, 0.1), 0.0);
}

#[test]
fn who_says_where_to_stop() {
    let window =
        |start: f64, end: f64, stop_distance: f64| Window { start, end, kind: Arc::from(""), stop_distance };
    let windows = [window(0.4, 0.6, 0.8), window(0.7, 0.9, -1.0), window(1.0, 1.2, 0.3)];
    assert_eq!(stop_distance(0.25, &windows, 0.0, 2.0, 1.5), 0.25);
    assert_eq!(stop_distance(-1.0, &windows, 0.0, 2.0, 1.5), 0.8);
    assert_eq!(stop_distance(-1.0, &windows, 0.6, 2.0, 1.5), 0.3);
    assert_eq!(stop_distance(-1.0, &windows, 1.2, 2.0, 1.5), 2.0);
    assert_eq!(stop_distance(-1.0, &[], 0.0, -1.0, 1.5), 1.5);
    assert_eq!(stop_distance(0.0, &windows, 0.0, 2.0, 1.5), 0.0);
}

#[test]
fn turning_does_not_overshoot() {
    assert_eq!(turn_rate(90.0, 720.0, 0.1), 720.0);
    assert_eq!(turn_rate(-36.0, 720.0, 0.1), -360.0);
    assert_eq!(turn_rate(90.0, 720.0, 0.0), 0.0);
}
