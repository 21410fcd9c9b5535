use std::sync::Arc;

use godot::prelude::*;

use super::ActionSpec;
use super::compile::compile_set;
use super::compiled::CompiledSet;
use super::problems::{self, Problem};
use super::set_parts::{self, Cache, FORMAT_VERSION};
use super::set_resource::SetResource;
use crate::base::family::{ArrayOf, ClassArray};

/// The actions of an agent, in order: of equal scores the first one wins.
///
/// The resource is read-only at run time and may be shared by any number of agents.
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct ActionSet {
    /// The actions. An action without an id, or with an id that came before, is left out. Read-only in scripts: assign a
    /// new array.
    #[export]
    #[var(get = get_actions, set = set_actions)]
    actions: ClassArray<ActionSpec>,
    /// The action that is started when nothing else can be chosen: it has to pass its gates, its score does not count. It is
    /// replaced by the first action that scores above 0. Empty, the default: none.
    #[export]
    #[var(set = set_fallback_action)]
    pub(crate) fallback_action: StringName,
    /// Version of the file format. Written into every file, so that later versions of the library can read it.
    #[export(storage)]
    #[var(get = get_format_version, set = set_format_version)]
    #[init(val = FORMAT_VERSION)]
    format_version: i64,
    cache: Cache,
    base: Base<Resource>,
}

#[godot_api]
impl ActionSet {
    /// The action with this id; null if there is none.
    #[func]
    pub fn find_action(&self, id: StringName) -> Option<Gd<ActionSpec>> {
        set_parts::find(self.actions.members(), &id)
    }

    /// The ids of the actions that count, in order.
    #[func]
    pub fn get_action_ids(&self) -> PackedStringArray {
        set_parts::ids(self.actions.members())
    }

    /// What is wrong with the set: an array of dictionaries with `severity` (`"error"`: something is left out;
    /// `"warning"`: it is only suspicious), `message` and `action` (its id). Empty: all is well.
    #[func(gd_self)]
    pub fn validate(this: Gd<Self>) -> Array<VarDictionary> {
        set_parts::rows(&Self::problems(&this), "action")
    }

    #[func]
    fn get_actions(&self) -> ArrayOf<ActionSpec> {
        self.actions.stored()
    }

    #[func]
    fn set_actions(&mut self, value: ArrayOf<ActionSpec>) {
        let this = self.to_gd();
        if self.actions.assign_watched(&this, "actions", &value, "_part_changed") {
            self.part_changed();
        }
    }

    #[func]
    fn get_format_version(&self) -> i64 {
        set_parts::stored_version(self.format_version)
    }

    #[func]
    fn set_fallback_action(&mut self, value: StringName) {
        self.fallback_action = value;
        self.cache.spoil();
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_format_version(&mut self, value: i64) {
        set_parts::check_version(&self.to_gd(), value);
    }

    /// An action, or something below it, was edited.
    #[func(rename = _part_changed)]
    fn part_changed(&mut self) {
        self.cache.spoil();
        self.base_mut().emit_changed();
    }
}

impl ActionSet {
    /// Its actions, without nulls.
    pub(super) fn specs(&self) -> Vec<Gd<ActionSpec>> {
        self.actions.members().to_vec()
    }
}

impl SetResource for ActionSet {
    /// The compiled set: made once after a change, for all agents. Runs scripts: nothing may be bound or locked.
    fn compiled(this: &Gd<Self>) -> Arc<CompiledSet> {
        let (specs, fallback, revision) = {
            let own = this.bind();
            if let Some(compiled) = &own.cache.compiled {
                return compiled.clone();
            }
            (own.actions.members().to_vec(), own.fallback_action.clone(), own.cache.revision)
        };
        #[expect(clippy::arc_with_non_send_sync, reason = "made and read on the main thread, dropped on any")]
        let compiled = Arc::new(compile_set(&specs, &fallback));
        this.clone().bind_mut().cache.keep(&compiled, revision);
        compiled
    }

    /// What is wrong with the set. Runs scripts: nothing may be bound or locked.
    fn problems(this: &Gd<Self>) -> Vec<Problem> {
        let (specs, nulls, fallback) = {
            let own = this.bind();
            (own.actions.members().to_vec(), own.actions.null_count(), own.fallback_action.clone())
        };
        problems::find(&specs, nulls, &fallback)
    }
}
