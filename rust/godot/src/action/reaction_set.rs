use std::sync::Arc;

use godot::prelude::*;

use super::ReactionSpec;
use super::compile::compile_set;
use super::compiled::CompiledSet;
use super::problems::{self, Problem};
use super::set_parts::{self, Cache, FORMAT_VERSION};
use super::set_resource::SetResource;
use crate::base::family::{ArrayOf, ClassArray};

/// The reactions of an agent, in order: of equal scores the first one wins.
///
/// The resource is read-only at run time and may be shared by any number of agents.
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct ReactionSet {
    /// The reactions. One without an id, or with an id that came before, is left out. Read-only in scripts: assign a new
    /// array.
    #[export]
    #[var(get = get_reactions, set = set_reactions)]
    reactions: ClassArray<ReactionSpec>,
    /// Version of the file format. Written into every file, so that later versions of the library can read it.
    #[export(storage)]
    #[var(get = get_format_version, set = set_format_version)]
    #[init(val = FORMAT_VERSION)]
    format_version: i64,
    cache: Cache,
    base: Base<Resource>,
}

#[godot_api]
impl ReactionSet {
    /// The reaction with this id; null if there is none.
    #[func]
    pub fn find_reaction(&self, id: StringName) -> Option<Gd<ReactionSpec>> {
        set_parts::find(self.reactions.members(), &id)
    }

    /// What is wrong with the set: an array of dictionaries with `severity` (`"error"`: something is left out;
    /// `"warning"`: it is only suspicious), `message` and `reaction` (its id). Empty: all is well.
    #[func(gd_self)]
    pub fn validate(this: Gd<Self>) -> Array<VarDictionary> {
        set_parts::rows(&Self::problems(&this), "reaction")
    }

    #[func]
    fn get_reactions(&self) -> ArrayOf<ReactionSpec> {
        self.reactions.stored()
    }

    #[func]
    fn set_reactions(&mut self, value: ArrayOf<ReactionSpec>) {
        let this = self.to_gd();
        if self.reactions.assign_watched(&this, "reactions", &value, "_part_changed") {
            self.part_changed();
        }
    }

    #[func]
    fn get_format_version(&self) -> i64 {
        set_parts::stored_version(self.format_version)
    }

    #[func]
    fn set_format_version(&mut self, value: i64) {
        set_parts::check_version(&self.to_gd(), value);
    }

    /// A reaction, or something below it, was edited.
    #[func(rename = _part_changed)]
    fn part_changed(&mut self) {
        self.cache.spoil();
        self.base_mut().emit_changed();
    }
}

impl SetResource for ReactionSet {
    fn compiled(this: &Gd<Self>) -> Arc<CompiledSet> {
        let (specs, revision) = {
            let own = this.bind();
            if let Some(compiled) = &own.cache.compiled {
                return compiled.clone();
            }
            (own.reactions.members().to_vec(), own.cache.revision)
        };
        #[expect(clippy::arc_with_non_send_sync, reason = "made and read on the main thread, dropped on any")]
        let compiled = Arc::new(compile_set(&specs, &StringName::default()));
        this.clone().bind_mut().cache.keep(&compiled, revision);
        compiled
    }

    fn problems(this: &Gd<Self>) -> Vec<Problem> {
        let (specs, nulls) = {
            let own = this.bind();
            (own.reactions.members().to_vec(), own.reactions.null_count())
        };
        problems::find(&specs, nulls, &StringName::default())
    }
}
