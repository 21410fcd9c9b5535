use std::sync::Arc;

use godot::prelude::*;

use super::ActionSpec;
use super::compile::compile_set;
use super::compiled::CompiledSet;
use super::problems::{self, Problem};
use crate::base::family::{ArrayOf, ClassArray};
use crate::base::{defaults, messages};

/// Version of the file format that this library writes.
const FORMAT_VERSION: i64 = 1;

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
    /// The compiled set, until something changes.
    compiled: Option<Arc<CompiledSet>>,
    /// Counts the changes.
    revision: u64,
    base: Base<Resource>,
}

#[godot_api]
impl ActionSet {
    /// The action with this id; null if there is none.
    #[func]
    pub fn find_action(&self, id: StringName) -> Option<Gd<ActionSpec>> {
        self.actions.members().iter().find(|spec| !id.is_empty() && spec.bind().action_id == id).cloned()
    }

    /// The ids of the actions that count, in order.
    #[func]
    pub fn get_action_ids(&self) -> PackedStringArray {
        let mut ids: Vec<GString> = Vec::new();
        for spec in self.actions.members() {
            let id = GString::from(&spec.bind().action_id);
            if !id.is_empty() && !ids.contains(&id) {
                ids.push(id);
            }
        }
        ids.into_iter().collect()
    }

    /// What is wrong with the set: an array of dictionaries with `severity` (`"error"`: something is left out;
    /// `"warning"`: it is only suspicious), `message` and `action` (its id). Empty: all is well.
    #[func(gd_self)]
    pub fn validate(this: Gd<Self>) -> Array<VarDictionary> {
        let rows = Self::problems(&this);
        let row = |problem: &Problem| {
            vdict! {
                "severity" => if problem.is_error { "error" } else { "warning" },
                "message" => problem.message.as_str(),
                "action" => &problem.action,
            }
        };
        rows.iter().map(row).collect()
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
        // Another value than the one that is stored: the version stands in every file.
        if defaults::asking() { 0 } else { self.format_version }
    }

    #[func]
    fn set_fallback_action(&mut self, value: StringName) {
        self.fallback_action = value;
        self.revision += 1;
        self.compiled = None;
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_format_version(&mut self, value: i64) {
        if value > FORMAT_VERSION {
            let text = format!(
                "the file has format version {value}, this library reads {FORMAT_VERSION}. What it does not know is \
                 lost when you save: update the addon first."
            );
            messages::error(&self.to_gd(), "format_version", "newer", &text);
        }
    }

    /// An action, or something below it, was edited.
    #[func(rename = _part_changed)]
    fn part_changed(&mut self) {
        self.compiled = None;
        self.revision += 1;
        self.base_mut().emit_changed();
    }
}

impl ActionSet {
    /// Its actions, without nulls.
    pub(super) fn specs(&self) -> Vec<Gd<ActionSpec>> {
        self.actions.members().to_vec()
    }

    /// The compiled set: made once after a change, for all agents. Runs scripts: nothing may be bound or locked.
    pub(crate) fn compiled(this: &Gd<Self>) -> Arc<CompiledSet> {
        let (specs, fallback, revision) = {
            let own = this.bind();
            if let Some(compiled) = &own.compiled {
                return compiled.clone();
            }
            (own.actions.members().to_vec(), own.fallback_action.clone(), own.revision)
        };
        #[expect(clippy::arc_with_non_send_sync, reason = "made and read on the main thread, dropped on any")]
        let compiled = Arc::new(compile_set(&specs, &fallback));
        let mut this = this.clone();
        let mut own = this.bind_mut();
        // A script that was asked may have edited the set.
        if own.revision == revision {
            own.compiled = Some(compiled.clone());
        }
        compiled
    }

    /// What is wrong with the set. Runs scripts: nothing may be bound or locked.
    pub(crate) fn problems(this: &Gd<Self>) -> Vec<Problem> {
        let (specs, nulls, fallback) = {
            let own = this.bind();
            (own.actions.members().to_vec(), own.actions.null_count(), own.fallback_action.clone())
        };
        problems::find(&specs, nulls, &fallback)
    }
}
