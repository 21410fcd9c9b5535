//! Costs: the family, and what its members compile to.

use std::rc::Rc;
use std::sync::OnceLock;

use godot::prelude::*;
use riposte_core::graph::parts::{CostPlan, Needs, VitalView};
use riposte_core::tags::TagId;

use super::findings::Finding;
use super::run_parts::{CostPart, RunRef};
use super::script_names::names;
use super::{ActionCost, AttributeCost, VitalCost};
use crate::action::script_calls::{call, overrides, truth};
use crate::agent::attributes::Attribute;
use crate::agent::{self, health};
use crate::base::{messages, tags};

/// A built-in cost.
pub(super) trait BuiltInCost {
    /// What it takes; `None`: nothing.
    fn plan(&self, needs: &mut Needs) -> Option<CostPlan>;
    /// What is wrong with it.
    fn findings(&self) -> Vec<Finding>;
}

/// Reads a built-in cost; `None` for a scripted one.
fn with_built_in<R>(cost: &Gd<Resource>, mut f: impl FnMut(&dyn BuiltInCost) -> R) -> Option<R> {
    if let Ok(cost) = cost.clone().try_cast::<VitalCost>() {
        return Some(f(&*cost.bind()));
    }
    cost.clone().try_cast::<AttributeCost>().ok().map(|cost| f(&*cost.bind()))
}

/// Compiles a cost; an attribute gets its place. `None`: it takes nothing.
pub(crate) fn cost_plan(cost: &Gd<Resource>, needs: &mut Needs) -> Option<CostPlan> {
    let asks = || overrides(cost, &names().can_pay) || overrides(cost, &names().pay);
    with_built_in(cost, |part| part.plan(needs)).unwrap_or_else(|| asks().then_some(CostPlan::Script))
}

/// What answers for a cost at run time; none for one that the core decides.
pub(crate) fn cost_part(cost: &Gd<Resource>) -> Option<Rc<dyn CostPart>> {
    cost.clone().try_cast::<ActionCost>().ok()?;
    let [asks, pays] = [&names().can_pay, &names().pay].map(|name| overrides(cost, name));
    let part = ScriptedCost { cost: cost.clone(), asks, pays };
    (asks || pays).then(|| Rc::new(part) as Rc<dyn CostPart>)
}

/// What is wrong with a cost.
pub(crate) fn cost_findings(cost: &Gd<Resource>) -> Vec<Finding> {
    with_built_in(cost, |part| part.findings()).unwrap_or_else(|| {
        let idle = !cost.has_method(&names().can_pay) && !cost.has_method(&names().pay);
        let text = format!(
            "{} overrides neither _can_pay nor _pay, so it costs nothing. Override one, or remove the cost.",
            messages::class_label(cost)
        );
        idle.then(|| Finding::new("W21", text)).into_iter().collect()
    })
}

/// What an agent has of a vital of which it has no row.
const WITHOUT_ROW: f64 = 100.0;

/// The vitals that a graph looks at. Runs methods of the agent: nothing may be bound or locked.
pub(crate) fn read_vitals(agent: &Gd<Node>, needs: &Needs) -> Vec<VitalView> {
    needs.vitals.iter().filter_map(|tag| read_vital(agent, *tag)).collect()
}

fn read_vital(agent: &Gd<Node>, tag: TagId) -> Option<VitalView> {
    let row = agent::read_vital(agent.instance_id(), tag, |row| (row.value(), row.max()));
    if let Some((value, max)) = row {
        return Some(VitalView { tag, value, max, row: true });
    }
    let [health, stamina] = known_vitals();
    let share = if tag == health {
        health::fraction(agent).unwrap_or(1.0)
    } else if tag == stamina {
        1.0
    } else {
        return None;
    };
    Some(VitalView { tag, value: share * WITHOUT_ROW, max: WITHOUT_ROW, row: false })
}

fn known_vitals() -> [TagId; 2] {
    static TAGS: OnceLock<[TagId; 2]> = OnceLock::new();
    *TAGS.get_or_init(|| ["Vital.Health", "Vital.Stamina"].map(|name| tags::intern(name).expect("a tag")))
}

/// The numbers that costs look at, in their order. Runs getters of the game: nothing may be bound or locked.
pub(crate) fn read_attributes(agent: &Gd<Node>, needs: &Needs) -> Vec<Option<f64>> {
    needs.attributes.iter().map(|name| Attribute::of(name).read(agent)).collect()
}

/// Takes `amount` of an attribute of the agent. Runs setters of the game: nothing may be bound or locked.
pub(crate) fn pay_attribute(agent: &Gd<Node>, name: &str, amount: f64) {
    let attribute = Attribute::of(name);
    if let Some(value) = attribute.read(agent) {
        attribute.write(agent, value - amount);
    }
}

/// The error about an attribute that a node is paid from and nobody has. Runs getters of the game.
pub(crate) fn tell_missing(player: &Gd<Node>, agent: &Gd<Node>, costs: &[CostPlan], needs: &Needs) {
    for cost in costs {
        let CostPlan::Attribute { at, .. } = cost else { continue };
        let Some(name) = needs.attributes.get(*at) else { continue };
        if Attribute::of(name).read(agent).is_none() {
            let text = format!(
                "AttributeCost: {} has no attribute \"{name}\", so the node cannot start. Add the property, or correct \
                 the name.",
                messages::node_place(agent)
            );
            messages::error(player, "costs", name, &text);
        }
    }
}

struct ScriptedCost {
    cost: Gd<Resource>,
    asks: bool,
    pays: bool,
}

impl CostPart for ScriptedCost {
    fn can_pay(&self, run: &RunRef) -> bool {
        !self.asks || truth(&call(&self.cost, &names().can_pay, std::slice::from_ref(run.argument())))
    }

    fn pay(&self, run: &RunRef) {
        if self.pays {
            call(&self.cost, &names().pay, std::slice::from_ref(run.argument()));
        }
    }
}
