//! What the inspector warns of at a CommandSystem.

use godot::prelude::*;

use super::CommandSystem;
use super::problems::{self, CommandList};
use crate::base::lookup::{self, Part};

/// The warnings.
pub(super) fn of(this: &Gd<CommandSystem>) -> Vec<String> {
    let node = this.clone().upcast::<Node>();
    let (path, palette, own, nulls, block_tags) = {
        let this = this.bind();
        let own = (this.commands.members().to_vec(), this.commands.null_count());
        let block_tags = this.global_block_tags.warnings("global_block_tags");
        (this.agent_path.clone(), this.palette.clone(), own.0, own.1, block_tags)
    };
    let (shared, shared_nulls) = palette.map_or((Vec::new(), 0), |palette| {
        let palette = palette.bind();
        (palette.members().to_vec(), palette.commands.null_count())
    });
    let mut warnings = lookup::warnings(&node, &path, Part::Commands);
    warnings.extend(block_tags);
    let lists = [
        CommandList { member: "palette.commands", orders: &shared, nulls: shared_nulls },
        CommandList { member: "commands", orders: &own, nulls },
    ];
    warnings.extend(problems::of_commands(&lists, lookup::find_agent(&node, &path).as_ref()));
    warnings
}
