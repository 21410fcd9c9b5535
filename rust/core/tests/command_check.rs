//! Whether an order fits its definition: shape, targets, tags, range, and the choice of a form.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use riposte_core::command::{
    CheckDetail, CheckPlan, CheckWorld, Dimension, Failure, Given, Moment, RangeLimits, RangeRule, Reason,
    TargetType, VARIANT_AUTO, VariantChoice, Vector, best_of, check_shape, check_world, sound_score,
    variant_choice,
};
use riposte_core::tags::{TagId, TagSet, TagTable};

#[derive(Default)]
struct World {
    agent: TagSet,
    targets: Vec<TagSet>,
    own: Option<usize>,
    stray: Option<usize>,
    distance: Option<f64>,
}

impl CheckWorld for World {
    fn is_agent(&self, target: usize) -> bool {
        self.own == Some(target)
    }

    fn is_in_group(&self, target: usize) -> bool {
        self.stray != Some(target)
    }

    fn agent_tags(&self, read: &mut dyn FnMut(&TagSet)) {
        read(&self.agent);
    }

    fn target_tags(&self, target: usize, read: &mut dyn FnMut(&TagSet)) {
        read(&self.targets[target]);
    }

    fn distance(&self) -> Option<f64> {
        self.distance
    }
}

fn plan(target_type: TargetType) -> CheckPlan {
    CheckPlan { target_type, max_targets: 1, ..CheckPlan::default() }
}

fn reason(result: Result<(), Failure>) -> &'static str {
    match result {
        Ok(()) => "",
        Err(failure) => Reason::ALL.iter().find(|known| **known == failure.reason).unwrap().name(),
    }
}

fn detail(result: Result<(), Failure>, table: &TagTable) -> String {
    result.unwrap_err().detail.text(table)
}

fn space(x: f64, y: f64, z: f64) -> Option<Vector> {
    Some(Vector::Space([x, y, z]))
}

#[test]
fn ex_40_65() {
    let mut ranged = plan(TargetType::Location);
    ranged.range = RangeLimits { min: 2.0, max: 10.0 };
    ranged.range_rule = RangeRule::AtIssue;
    let at = |plan: &CheckPlan, distance| {
        let world = World { distance: Some(distance), ..World::default() };
        check_world(plan, 0, Moment::Acceptance, &world)
    };
    assert_eq!(reason(at(&ranged, 10.0)), "");
    assert_eq!(reason(at(&ranged, 10.01)), "too_far");
    assert_eq!(reason(at(&ranged, 2.0)), "");
    assert_eq!(reason(at(&ranged, 1.99)), "too_close");
    assert_eq!(detail(at(&ranged, 1.99), &TagTable::new()), "1.99");
    ranged.range_rule = RangeRule::Inform;
    assert_eq!(reason(at(&ranged, 1000.0)), "");
}

#[test]
fn the_range_counts_when_its_rule_says() {
    use Moment::{Acceptance, AcceptanceAndStart, Start};
    let tested = |rule: RangeRule| [Acceptance, AcceptanceAndStart, Start].map(|moment| rule.applies(moment));
    assert_eq!(tested(RangeRule::Inform), [false, false, false]);
    assert_eq!(tested(RangeRule::AtIssue), [true, true, false]);
    assert_eq!(tested(RangeRule::AtStart), [false, true, true]);

    let mut far = plan(TargetType::Node);
    far.range = RangeLimits { min: 3.0, max: 0.0 };
    far.range_rule = RangeRule::AtIssue;
    let world = |distance| World { targets: vec![TagSet::default()], distance, ..World::default() };
    let at = |plan: &CheckPlan, distance| reason(check_world(plan, 1, Acceptance, &world(distance)));
    assert_eq!(at(&far, Some(1e9)), "", "0 is unlimited");
    assert_eq!(at(&far, Some(1.0)), "too_close");
    assert_eq!(at(&far, None), "", "without a position nothing is measured");
    far.target_type = TargetType::Direction;
    assert_eq!(at(&far, Some(1.0)), "", "a direction has no distance");
}

#[test]
fn ex_40_66() {
    let direction = plan(TargetType::Direction);
    let shape = |plan: &CheckPlan, given: Given| reason(check_shape(plan, &given, Dimension::Space));
    let given = Given { direction: space(3.0, 0.0, 4.0), ..Given::default() };
    assert_eq!(shape(&direction, given), "");
    assert_eq!(given.direction.unwrap().normalized(), Vector::Space([0.6, 0.0, 0.8]));
    let zero = Given { direction: space(0.0, 0.0, 0.0), ..Given::default() };
    assert_eq!(shape(&direction, zero), "direction_zero");
    let flat = Given { direction: Some(Vector::Plane([3.0, 4.0])), ..Given::default() };
    assert_eq!(shape(&direction, flat), "wrong_dimension");
    let place = Given { location: space(1.0, 0.0, 0.0), ..Given::default() };
    assert_eq!(shape(&plan(TargetType::None), place), "location_unexpected");
    assert_eq!(shape(&plan(TargetType::Node), Given::default()), "target_missing");
}

#[test]
fn each_shape_takes_what_it_asks_for() {
    let target = Given { targets: 1, ..Given::default() };
    let place = Given { location: space(1.0, 0.0, 0.0), ..Given::default() };
    let way = Given { direction: space(1.0, 0.0, 0.0), ..Given::default() };
    let on_target = Given { targets: 1, ..place };
    let all = Given { targets: 1, location: place.location, direction: way.direction };
    let nothing = Given::default();
    let of = |kind, given: Given| reason(check_shape(&plan(kind), &given, Dimension::Space));
    let rows = [
        (TargetType::None, ["", "target_unexpected", "location_unexpected", "direction_unexpected"]),
        (TargetType::Node, ["target_missing", "", "target_missing", "target_missing"]),
        (TargetType::Location, ["location_missing", "target_unexpected", "", "location_missing"]),
        (TargetType::Direction, ["direction_missing", "target_unexpected", "location_unexpected", ""]),
    ];
    for (kind, wanted) in rows {
        let found = [nothing, target, place, way].map(|given| of(kind, given));
        assert_eq!(found, wanted, "{kind:?}");
    }
    assert_eq!(of(TargetType::Node, on_target), "", "a point on the target");
    assert_eq!(of(TargetType::Node, all), "direction_unexpected");
    assert_eq!(of(TargetType::Location, all), "target_unexpected");
}

#[test]
fn the_first_fault_of_a_shape_is_told() {
    let mut node = plan(TargetType::Node);
    let many = Given { targets: 3, location: Some(Vector::Plane([f64::NAN, 0.0])), direction: None };
    let of = |plan: &CheckPlan, given: &Given, dimension| check_shape(plan, given, dimension);
    assert_eq!(reason(of(&node, &many, Dimension::Space)), "too_many_targets");
    assert_eq!(detail(of(&node, &many, Dimension::Space), &TagTable::new()), "3 of 1");
    node.max_targets = 3;
    assert_eq!(reason(of(&node, &many, Dimension::Space)), "wrong_dimension");
    assert_eq!(detail(of(&node, &many, Dimension::Space), &TagTable::new()), "location");
    assert_eq!(reason(of(&node, &many, Dimension::Plane)), "not_finite");
    assert_eq!(reason(of(&node, &many, Dimension::Either)), "not_finite");
    let way = Given { direction: space(f64::INFINITY, 0.0, 0.0), ..Given::default() };
    assert_eq!(reason(of(&plan(TargetType::Direction), &way, Dimension::Space)), "not_finite");
}

#[test]
fn tiny_and_huge_directions_have_a_length() {
    let direction = plan(TargetType::Direction);
    for scale in [1e-300, 1e-30, 1.0, 1e30, 1e300] {
        let given = Given { direction: space(3.0 * scale, 0.0, 4.0 * scale), ..Given::default() };
        assert_eq!(reason(check_shape(&direction, &given, Dimension::Either)), "", "{scale}");
        let Vector::Space([x, y, z]) = given.direction.unwrap().normalized() else { panic!() };
        assert!((x - 0.6).abs() < 1e-12 && y == 0.0 && (z - 0.8).abs() < 1e-12, "{scale}: {x} {z}");
    }
}

#[test]
fn ways_and_distances_need_one_dimension() {
    let (a, b) = (Vector::Plane([1.0, 1.0]), Vector::Plane([4.0, 5.0]));
    assert_eq!(a.to(b), Some(Vector::Plane([3.0, 4.0])));
    assert_eq!(a.distance(b), Some(5.0));
    assert_eq!(a.distance(Vector::Space([0.0; 3])), None);
}

#[test]
fn ex_40_67() {
    assert_eq!(variant_choice(3, VARIANT_AUTO), VariantChoice::Auto);
    assert_eq!(best_of([Some(0.4), Some(0.9), None]), Some(1));
    assert_eq!(best_of([Some(0.9), Some(0.9)]), Some(0));
    assert_eq!(best_of([None, None]), None);
    assert_eq!(variant_choice(0, 7), VariantChoice::Index(0));
    assert_eq!(variant_choice(3, 3), VariantChoice::Bad);
}

#[test]
fn forms_are_counted_from_zero() {
    assert_eq!(variant_choice(0, VARIANT_AUTO), VariantChoice::Index(0));
    assert_eq!(variant_choice(0, i64::MIN), VariantChoice::Index(0));
    assert_eq!(variant_choice(3, 2), VariantChoice::Index(2));
    for bad in [-2, i64::MIN, 3, i64::MAX] {
        assert_eq!(variant_choice(3, bad), VariantChoice::Bad, "{bad}");
    }
    assert_eq!(best_of([None, Some(0.0)]), Some(1), "a score of 0 is allowed");
    assert_eq!([1.5, 0.0, -1.0, f64::NAN, f64::INFINITY].map(sound_score), [1.5, 0.0, 0.0, 0.0, 0.0]);
}

fn tag_world(table: &TagTable, agent: &[TagId], targets: &[&[TagId]]) -> World {
    let set = |tags: &[TagId]| TagSet::new(table, tags.iter().copied());
    World { agent: set(agent), targets: targets.iter().map(|tags| set(tags)).collect(), ..World::default() }
}

#[test]
fn ex_40_68() {
    let mut table = TagTable::new();
    let [weapon, bow, sword] =
        ["Weapon", "Weapon.Bow", "Weapon.Sword"].map(|name| table.intern(name).unwrap());
    let mut merged = plan(TargetType::None);
    merged.agent_required = vec![weapon, bow];
    let with = |tag| check_world(&merged, 0, Moment::Acceptance, &tag_world(&table, &[tag], &[]));
    assert_eq!(reason(with(sword)), "agent_missing_tag");
    assert_eq!(detail(with(sword), &table), "Weapon.Bow");
    assert_eq!(reason(with(bow)), "");
}

#[test]
fn tags_of_agent_and_targets_are_asked_in_order() {
    let mut table = TagTable::new();
    let [team, red, dead, stunned] =
        ["Team", "Team.Red", "State.Dead", "State.Stunned"].map(|name| table.intern(name).unwrap());
    let mut attack = plan(TargetType::Node);
    attack.agent_blocked = vec![stunned];
    attack.target_required = vec![team];
    attack.target_blocked = vec![dead];
    let of = |agent: &[TagId], targets: &[&[TagId]]| {
        let world = tag_world(&table, agent, targets);
        check_world(&attack, targets.len(), Moment::Acceptance, &world)
    };
    assert_eq!(reason(of(&[stunned], &[&[]])), "agent_blocked_tag");
    assert_eq!(detail(of(&[stunned], &[&[]]), &table), "State.Stunned");
    assert_eq!(reason(of(&[], &[&[red, dead], &[]])), "target_missing_tag");
    assert_eq!(reason(of(&[], &[&[red], &[red, dead]])), "target_blocked_tag");
    assert_eq!(detail(of(&[], &[&[red], &[red, dead]]), &table), "State.Dead");
    assert_eq!(reason(of(&[], &[&[red], &[red]])), "");
}

#[test]
fn targets_come_before_tags_and_tags_before_the_range() {
    let mut table = TagTable::new();
    let red = table.intern("Team.Red").unwrap();
    let mut attack = plan(TargetType::Node);
    attack.grouped = true;
    attack.target_required = vec![red];
    attack.range = RangeLimits { min: 0.0, max: 1.0 };
    attack.range_rule = RangeRule::AtIssue;
    let mut world = tag_world(&table, &[], &[&[], &[]]);
    world.own = Some(1);
    world.stray = Some(0);
    world.distance = Some(5.0);
    let at = |world: &World| check_world(&attack, 2, Moment::Acceptance, world).unwrap_err();
    assert_eq!(at(&world), Failure { reason: Reason::TargetIsSelf, detail: CheckDetail::Target(1) });
    world.own = None;
    assert_eq!(at(&world), Failure { reason: Reason::TargetNotInGroup, detail: CheckDetail::Target(0) });
    world.stray = None;
    assert_eq!(at(&world), Failure { reason: Reason::TargetMissingTag, detail: CheckDetail::Tag(red) });
    world.targets = vec![TagSet::new(&table, [red]), TagSet::new(&table, [red])];
    assert_eq!(at(&world), Failure { reason: Reason::TooFar, detail: CheckDetail::Distance(5.0) });
    attack.allow_self = true;
    attack.grouped = false;
    world.own = Some(0);
    world.stray = Some(0);
    world.distance = Some(1.0);
    assert_eq!(check_world(&attack, 2, Moment::Acceptance, &world), Ok(()));
}

#[test]
fn distances_are_told_in_hundredths() {
    let text = |distance| CheckDetail::Distance(distance).text(&TagTable::new());
    assert_eq!([text(10.01), text(7.0), text(0.5), text(0.0)], ["10.01", "7", "0.5", "0"]);
}
