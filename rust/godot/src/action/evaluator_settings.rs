//! The settings of an [`ActionEvaluator`] on their way to the core.

use godot::prelude::*;
use riposte_core::action::{Settings, TagQueries};

use super::driver::frames::Lod;
use super::{ActionEvaluator, ActionSet, driver};
use crate::base::tags;

impl ActionEvaluator {
    pub(super) fn apply(&self, change: impl FnOnce(&mut Settings)) {
        driver::with(self.id, |state| state.core.change_settings(change));
    }

    pub(super) fn apply_lod(&self) {
        let (enabled, near, far) = (self.lod_enabled, self.lod_near, self.lod_far);
        let lod = Lod { enabled, near, far, longest: self.lod_max_scale };
        driver::with(self.id, |state| {
            state.lod = lod;
            if !enabled {
                state.core.set_interval_scale(1.0);
            }
        });
    }

    pub(super) fn push_block_tags(&self) {
        let ids = self.global_block_tags.ids().iter().copied();
        let queries = tags::with_table(|table| TagQueries::new(table, ids));
        self.apply(|settings| settings.global_block_tags = queries);
    }

    /// What is set in the inspector, without the sets that a running game adds.
    pub(super) fn given_sets(&self) -> Vec<Gd<ActionSet>> {
        let mut sets = self.config.as_ref().map(|config| config.bind().sets()).unwrap_or_default();
        sets.extend(self.default_action_set.clone());
        let mut seen: Vec<Gd<ActionSet>> = Vec::new();
        for set in sets {
            if !seen.contains(&set) {
                seen.push(set);
            }
        }
        seen
    }
}
