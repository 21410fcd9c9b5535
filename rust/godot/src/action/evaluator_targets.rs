//! Whom an [`ActionEvaluator`] may choose among.

use godot::prelude::*;

use super::{ActionEvaluator, driver};

#[godot_api(secondary)]
impl ActionEvaluator {
    /// The targets that actions with [constant ActionSpec.TARGET_EACH] are scored on, in the order of your choice: asked
    /// once per evaluation instead of [method set_candidate_targets] and the Perception. Freed nodes, the agent itself and
    /// duplicates are left out; the focus target goes first, then the nearest.
    #[func(virtual, gd_self, rename = _get_candidate_targets)]
    pub fn chosen_candidates(_this: Gd<Self>) -> VarArray {
        VarArray::new()
    }

    /// The targets that actions with [constant ActionSpec.TARGET_EACH] are scored on, instead of what the agent's
    /// Perception perceives. An empty array: the Perception again. Elements that are no live nodes are left out.
    #[func(gd_self)]
    pub fn set_candidate_targets(this: Gd<Self>, targets: AnyArray) {
        let nodes = driver::nodes_in(&targets);
        driver::with(this.instance_id(), |state| state.candidates = nodes);
    }

    /// The targets that actions with [constant ActionSpec.TARGET_EACH] may choose among now: what the script says, what
    /// [method set_candidate_targets] has set, what the Perception perceives, or the focus target alone. Each is there
    /// once, the focus target first, then the nearest, and no more than [member max_candidate_targets]. Inside
    /// [method _get_candidate_targets] it tells what would be without that method.
    #[func(gd_self)]
    pub fn get_candidate_targets(this: Gd<Self>) -> Array<Gd<Node>> {
        let live = |target| Gd::<Node>::try_from_instance_id(target).ok();
        driver::ordered_candidates(this.instance_id()).into_iter().filter_map(live).collect()
    }
}
