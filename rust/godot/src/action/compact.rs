//! The compact form of an action, as files of format version 0 have it: keys that are no properties. What they mean is
//! put into the properties at once, so that nothing is lost whoever saves the resource.

use godot::classes::ClassDb;
use godot::obj::Singleton as _;
use godot::prelude::*;
use riposte_core::action::{
    CompactAction, CompactRange, MigratedAction, MigratedMethod, MigratedScorer, from_version_0,
};

use super::spec_class::{GateArray, MethodSlot, ScorerArray};
use super::{AngleScorer, DistanceScorer, HealthScorer, RangeCurve, SpeedScorer, StaminaGate};
use crate::base::convert::type_name;
use crate::base::messages;

/// Keys that had a meaning of their own once and have none now.
const DROPPED: &[&str] = &["end_tag", "scorer_name", "gate_name"];

/// The keys that an action was given, and what was made of them.
#[derive(Default)]
pub(crate) struct CompactForm(Option<Box<Given>>);

#[derive(Default)]
struct Given {
    keys: CompactAction<Gd<Resource>>,
    health: Option<Gd<Resource>>,
    speed: Option<Gd<Resource>>,
    made: Made,
    /// The action is in a set: what a script replaces from now on stays replaced.
    settled: bool,
}

#[derive(Default)]
struct Made {
    method: Option<Gd<Resource>>,
    scorers: Vec<Gd<Resource>>,
    gates: Vec<Gd<Resource>>,
}

/// The properties that the compact form fills.
pub(crate) struct Slots<'a> {
    pub owner: &'a Gd<Resource>,
    pub method: &'a mut MethodSlot,
    pub scorers: &'a mut ScorerArray,
    pub gates: &'a mut GateArray,
}

impl CompactForm {
    /// Takes a key. `None`: it is no key of the compact form. `Some(false)`: refused with an error, nothing changed.
    pub(crate) fn put(&mut self, slots: Slots, key: &str, value: &Variant) -> Option<bool> {
        if DROPPED.contains(&key) {
            self.0.get_or_insert_default();
            return Some(false);
        }
        if !KEYS.contains(&key) {
            return None;
        }
        let given = self.0.get_or_insert_default();
        if let Err(wanted) = given.take(key, value) {
            let text = format!("{key} is {}; it stays as it was. Allowed: {wanted}.", type_name(value));
            messages::error(slots.owner, key, &text, &text);
            return Some(false);
        }
        given.fill(slots);
        Some(true)
    }

    /// The action is taken into a set: a property that came after the compact keys in a file has not replaced what they
    /// say. True if it had compact keys.
    pub(crate) fn settle(&mut self, slots: Slots) -> bool {
        let Some(given) = &mut self.0 else { return false };
        if !std::mem::replace(&mut given.settled, true) {
            given.restore(slots);
        }
        true
    }
}

const KEYS: &[&str] = &[
    "ability",
    "ability_tag",
    "wait_for_end",
    "trees",
    "timeout",
    "distance_range",
    "angle_range",
    "health_range",
    "speed_range",
    "stamina_cost",
];

impl Given {
    /// What is allowed, if the value is not.
    fn take(&mut self, key: &str, value: &Variant) -> Result<(), &'static str> {
        let keys = &mut self.keys;
        match key {
            "ability" => keys.ability = resource_of("GameplayAbility", value)?,
            "ability_tag" => {
                keys.ability_tag = value.try_to_relaxed::<GString>().map_err(|_| "a tag")?.to_string();
            }
            "wait_for_end" => keys.wait_for_end = value.try_to_relaxed().map_err(|_| "true, false")?,
            "trees" => keys.trees = resources(value)?,
            "timeout" => keys.timeout = number(value)?,
            "stamina_cost" => keys.stamina_cost = number(value)?,
            "distance_range" => keys.distance_range = resource_of("RangeCurve", value)?,
            "angle_range" => keys.angle_range = resource_of("RangeCurve", value)?,
            "health_range" => self.health = resource_of("RangeCurve", value)?,
            _ => self.speed = resource_of("RangeCurve", value)?,
        }
        Ok(())
    }

    /// Puts what the keys mean in the place of what they meant before.
    fn fill(&mut self, slots: Slots) {
        let curve = |range: &Option<Gd<Resource>>| range.clone().map(compact_range);
        let keys = CompactAction {
            health_range: curve(&self.health),
            speed_range: curve(&self.speed),
            ..self.keys.clone()
        };
        let new = make(slots.owner, from_version_0(keys));
        let free = slots.method.stored().is_none_or(|method| Some(method) == self.made.method);
        if free && (new.method.is_some() || self.made.method.is_some()) {
            slots.method.assign(slots.owner, "execution_method", new.method.clone());
        }
        let scorers = replaced(&slots.scorers.stored(), &self.made.scorers, &new.scorers);
        slots.scorers.assign(slots.owner, "scorers", &scorers);
        let gates = replaced(&slots.gates.stored(), &self.made.gates, &new.gates);
        slots.gates.assign(slots.owner, "gates", &gates);
        self.made = new;
    }

    /// Puts back what was made and is not there any more.
    fn restore(&self, slots: Slots) {
        if slots.method.stored().is_none() && self.made.method.is_some() {
            slots.method.assign(slots.owner, "execution_method", self.made.method.clone());
        }
        let scorers = replaced(&slots.scorers.stored(), &self.made.scorers, &self.made.scorers);
        slots.scorers.assign(slots.owner, "scorers", &scorers);
        let gates = replaced(&slots.gates.stored(), &self.made.gates, &self.made.gates);
        slots.gates.assign(slots.owner, "gates", &gates);
    }
}

fn resource_of(class: &'static str, value: &Variant) -> Result<Option<Gd<Resource>>, &'static str> {
    let resource = value.try_to::<Option<Gd<Resource>>>().map_err(|_| class)?;
    let fits = resource.as_ref().is_none_or(|resource| resource.is_class(class));
    if fits { Ok(resource) } else { Err(class) }
}

fn resources(value: &Variant) -> Result<Vec<Gd<Resource>>, &'static str> {
    const WANTED: &str = "an array of scenes or trees";
    let array = value.try_to::<AnyArray>().map_err(|_| WANTED)?;
    let mut found = Vec::new();
    for element in array.iter_shared() {
        found.extend(element.try_to::<Option<Gd<Resource>>>().map_err(|_| WANTED)?);
    }
    Ok(found)
}

fn number(value: &Variant) -> Result<f64, &'static str> {
    let number = value.try_to_relaxed::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0);
    number.ok_or("a number of 0 or more")
}

fn compact_range(range: Gd<Resource>) -> CompactRange<Gd<Resource>> {
    let always_one = range.clone().try_cast::<RangeCurve>().is_ok_and(|curve| curve.bind().is_always_one());
    CompactRange { range, always_one }
}

/// The array without the old elements, and with the new ones at its end.
fn replaced(stored: &AnyArray, old: &[Gd<Resource>], new: &[Gd<Resource>]) -> AnyArray {
    let is_old =
        |element: &Variant| element.try_to::<Gd<Resource>>().is_ok_and(|resource| old.contains(&resource));
    let mut made: VarArray = stored.iter_shared().filter(|element| !is_old(element)).collect();
    new.iter().for_each(|resource| made.push(&resource.to_variant()));
    made.upcast_any_array()
}

fn make(owner: &Gd<Resource>, action: MigratedAction<Gd<Resource>>) -> Made {
    let scorers = action.scorers.iter().map(|(scorer, range)| {
        let mut made = match scorer {
            MigratedScorer::Distance => DistanceScorer::new_gd().upcast::<Resource>(),
            MigratedScorer::Angle => AngleScorer::new_gd().upcast(),
            MigratedScorer::Health => HealthScorer::new_gd().upcast(),
            MigratedScorer::Speed => SpeedScorer::new_gd().upcast(),
        };
        made.set("range", &range.to_variant());
        made
    });
    let gates = action.min_stamina.map(|stamina| {
        let mut gate = StaminaGate::new_gd().upcast::<Resource>();
        gate.set("min_stamina", &stamina.to_variant());
        gate
    });
    Made {
        scorers: scorers.collect(),
        gates: gates.into_iter().collect(),
        method: action.method.and_then(|method| make_method(owner, method)),
    }
}

fn make_method(owner: &Gd<Resource>, method: MigratedMethod<Gd<Resource>>) -> Option<Gd<Resource>> {
    match method {
        MigratedMethod::Ability { ability, timeout } => instance(
            owner,
            "AbilityMethod",
            &[("ability", ability.to_variant()), ("ability_timeout", timeout.to_variant())],
        ),
        MigratedMethod::ByTag { tag, timeout } => instance(
            owner,
            "AbilityByTagMethod",
            &[("activation_tag", tag.to_variant()), ("ability_timeout", timeout.to_variant())],
        ),
        MigratedMethod::FireAndForget { ability, tag } => instance(
            owner,
            "FireAndForgetAbilityMethod",
            &[("ability", ability.to_variant()), ("activation_tag", tag.to_variant())],
        ),
        MigratedMethod::Trees { trees, timeout, payload } => {
            let trees: VarArray = trees.iter().map(ToGodot::to_variant).collect();
            let payload = payload
                .and_then(|ability| instance(owner, "AbilityPayload", &[("ability", ability.to_variant())]));
            instance(
                owner,
                "BehaviorTreeSequenceMethod",
                &[
                    ("trees", trees.to_variant()),
                    ("tree_timeout", timeout.to_variant()),
                    ("payload", payload.to_variant()),
                ],
            )
        }
    }
}

fn instance(owner: &Gd<Resource>, class: &str, values: &[(&str, Variant)]) -> Option<Gd<Resource>> {
    let mut made = ClassDb::singleton().instantiate(class).try_to::<Gd<Resource>>().ok();
    if made.is_none() {
        let text = format!("there is no class {class}, so the action has no method. Update the addon.");
        messages::error(owner, "execution_method", class, &text);
    }
    for (name, value) in values {
        if let Some(made) = &mut made {
            made.set(*name, value);
        }
    }
    made
}
