//! Which set of actions (or reactions) an agent uses.

use std::sync::Arc;

use super::ActionPlan;
use crate::tags::{TagId, TagTable};

/// Where a set comes from. The integers are the `SET_*` constants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i64)]
pub enum SetSource {
    /// There is none.
    #[default]
    None = 0,
    /// The component's own.
    ComponentDefault = 1,
    /// The config's.
    ConfigDefault = 2,
    /// The config's for the role.
    ConfigRole = 3,
    /// Given by a script or by the weapon.
    Provided = 4,
    /// Put over all others.
    RuntimeOverride = 5,
}

impl SetSource {
    /// The integer of the `SET_*` constant.
    pub fn code(self) -> i64 {
        self as i64
    }
}

/// Everything that may name a set; the first that does counts, from top to bottom.
#[derive(Clone, Debug)]
pub struct SetChain<T> {
    /// Put over all others.
    pub runtime_override: Option<T>,
    /// Given by a script.
    pub provided: Option<T>,
    /// What the weapon answered for the role.
    pub weapon: Option<T>,
    /// What the config has for the role.
    pub config_role: Option<T>,
    /// What the config has for every role.
    pub config_default: Option<T>,
    /// The component's own.
    pub component: Option<T>,
}

impl<T> Default for SetChain<T> {
    fn default() -> Self {
        Self {
            runtime_override: None,
            provided: None,
            weapon: None,
            config_role: None,
            config_default: None,
            component: None,
        }
    }
}

impl<T> SetChain<T> {
    /// The set that counts, and where it comes from.
    pub fn resolve(self) -> (Option<T>, SetSource) {
        let steps = [
            (self.runtime_override, SetSource::RuntimeOverride),
            (self.provided, SetSource::Provided),
            (self.weapon, SetSource::Provided),
            (self.config_role, SetSource::ConfigRole),
            (self.config_default, SetSource::ConfigDefault),
            (self.component, SetSource::ComponentDefault),
        ];
        let found = steps.into_iter().find_map(|(set, source)| set.map(|set| (set, source)));
        found.map_or((None, SetSource::None), |(set, source)| (Some(set), source))
    }
}

/// The key that is the role or its closest ancestor; its place among the keys.
pub fn closest_role(table: &TagTable, role: TagId, keys: &[TagId]) -> Option<usize> {
    let deep = |key: TagId| table.name(key).split('.').count();
    let fitting = keys.iter().enumerate().filter(|(_, key)| table.matches(**key, role));
    fitting.max_by_key(|(_, key)| deep(**key)).map(|(at, _)| at)
}

/// Where an action of an effective list comes from: its place in the set, or among the granted ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listed {
    /// Of the set.
    Base(usize),
    /// Granted.
    Granted(usize),
}

/// The effective list: the actions of the set in order, then the granted ones in order. A granted action hides that of the
/// set with the same id.
pub fn effective(base: &[Arc<ActionPlan>], granted: &[Arc<ActionPlan>]) -> Vec<Listed> {
    let hidden = |plan: &ActionPlan| granted.iter().any(|other| other.id == plan.id);
    let base = base.iter().enumerate().filter(|(_, plan)| !hidden(plan)).map(|(at, _)| Listed::Base(at));
    base.chain((0..granted.len()).map(Listed::Granted)).collect()
}

/// What becomes of a running action when the list changes. The integers are the `CHANGE_*` constants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i64)]
pub enum ChangePolicy {
    /// It ends if it is not listed any more.
    #[default]
    EndIfMissing = 0,
    /// It runs on.
    LetFinish = 1,
    /// Another set ends it, whatever is in it.
    EndAlways = 2,
}

impl ChangePolicy {
    /// The policy with this integer.
    pub fn from_code(code: i64) -> Option<Self> {
        [Self::EndIfMissing, Self::LetFinish, Self::EndAlways].into_iter().find(|one| *one as i64 == code)
    }
}
