//! What the inspector warns of at an [`ActionEvaluator`].

use godot::prelude::*;

use super::ActionEvaluator;
use super::evaluator_running::EvaluatorNode;
use crate::base::lookup::{self, Part};

impl ActionEvaluator {
    /// What the inspector warns of. Runs scripts of the set that may run in the editor.
    pub(crate) fn warnings(this: &Gd<Self>) -> PackedStringArray {
        let mut warnings = {
            let own = this.bind();
            let mut warnings = lookup::warnings(&this.clone().upcast(), &own.agent_path, Part::Evaluator);
            warnings.extend(own.global_block_tags.warnings("global_block_tags"));
            warnings.extend(own.flicker_warning());
            warnings
        };
        warnings.extend(Self::set_warnings(this));
        warnings.iter().map(GString::from).collect()
    }

    /// Two equal actions can take turns if the dice alone make a difference as large as the margin.
    pub(super) fn flicker_warning(&self) -> Option<String> {
        let (jitter, margin) = (self.jitter_amount, self.switch_margin);
        let flickers = (1.0 + jitter) / (1.0 - jitter) > 1.0 + margin;
        flickers.then(|| {
            format!(
                "jitter_amount {jitter} alone can change a score by more than switch_margin {margin}, so running actions may \
                 replace each other without end. Lower it, or raise the margin."
            )
        })
    }
}
