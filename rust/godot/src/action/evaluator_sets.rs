//! Which set an evaluator uses and what it is granted, for scripts: the same methods for actions and for reactions.

use godot::prelude::*;

use super::driver;
use super::evaluator_calls::EvaluatorCalls;
use super::evaluator_running::EvaluatorNode;
use super::evaluator_sources::EvaluatorSources;
use super::{ActionEvaluator, ActionSet, ActionSpec, ReactionEvaluator, ReactionSet, ReactionSpec};
use crate::optional::Optional;

/// Registers the methods. A word of the class stands in a line of help of its own.
macro_rules! set_methods {
    (
        $class:ident, $set_class:ident, $spec_class:ident, $kind:literal, $kinds:literal, $a_kind:literal, $id:ident, $set:ident;
        sets $provide:ident, $active:ident, $source:ident, $ids:ident;
        grants $grant:ident, $revoke:ident, $grant_set:ident, $revoke_set:ident, $clear:ident, $is_granted:ident;
        weapon { $weapon:literal } ends { $ends:literal }
    ) => {
        #[godot_api(secondary)]
        impl $class {
            /// Puts a set over all others, for a phase of a boss or to try one. Null takes it away again.
            #[func(gd_self)]
            pub fn set_runtime_override(this: Gd<Self>, $set: Option<Gd<$set_class>>) {
                driver::sources(this.instance_id(), |sources| {
                    sources.runtime_override = $set.map(Gd::upcast)
                });
                Self::resolve_set(&this);
            }

            /// Takes the set of [method set_runtime_override] away.
            #[func(gd_self)]
            pub fn clear_runtime_override(this: Gd<Self>) {
                Self::set_runtime_override(this, None);
            }

            /// Gives the agent a set, in place of those of its weapon, its role, its [AgentConfig] and its own. Null takes it
            /// away again.
            #[func(gd_self)]
            pub fn $provide(this: Gd<Self>, $set: Option<Gd<$set_class>>) {
                driver::sources(this.instance_id(), |sources| sources.provided = $set.map(Gd::upcast));
                Self::resolve_set(&this);
            }

            /// Hands the agent a weapon: any node with
            #[doc = $weapon]
            /// the first of these that it has is asked, now and when the role changes. Null from the first one leaves that role
            /// to the [AgentConfig]. A node that has none of them is an error, and false. Null takes the weapon away; a weapon
            /// that is freed is none in the next step.
            #[func(gd_self)]
            pub fn set_weapon(this: Gd<Self>, weapon: Optional<Node>) -> bool {
                Self::take_weapon(&this, weapon.0)
            }

            /// The weapon; null without one, and when it was freed.
            #[func(gd_self)]
            pub fn get_weapon(this: Gd<Self>) -> Option<Gd<Node>> {
                let weapon = driver::sources(this.instance_id(), |sources| sources.weapon);
                weapon.and_then(|weapon| Gd::try_from_instance_id(weapon).ok())
            }

            /// The set in use; null if there is none.
            #[func(gd_self)]
            pub fn $active(this: Gd<Self>) -> Option<Gd<$set_class>> {
                Self::active_set(&this).0.and_then(|set| set.try_cast().ok())
            }

            /// Where the set in use comes from, one of the [code]SET_*[/code] constants.
            #[func(gd_self)]
            pub fn $source(this: Gd<Self>) -> i64 {
                Self::active_set(&this).1
            }

            /// The ids of the
            #[doc = $kinds]
            /// that may be chosen, in order.
            #[func(gd_self)]
            pub fn $ids(this: Gd<Self>) -> PackedStringArray {
                Self::known_ids(&this).iter().map(GString::from).collect()
            }

            // Grants.

            /// Adds
            #[doc = $a_kind]
            /// to the list of the agent, after those of its set, whatever set that is or will be. It hides the one of the set
            /// with the same id; granting an id again replaces the one granted before. False for null and for one without an
            /// id.
            #[func(gd_self)]
            pub fn $grant(this: Gd<Self>, spec: Option<Gd<$spec_class>>) -> bool {
                let granted = Self::grant(&this, spec);
                if granted {
                    Self::resolve_set(&this);
                }
                granted
            }

            /// Takes a granted
            #[doc = $kind]
            /// away.
            #[doc = $ends]
            /// False if it was not granted.
            #[func(gd_self)]
            pub fn $revoke(this: Gd<Self>, $id: StringName) -> bool {
                Self::revoke(&this, |id| *id == $id) > 0
            }

            /// Grants all
            #[doc = $kinds]
            /// of a set; how many were granted.
            #[func(gd_self)]
            pub fn $grant_set(this: Gd<Self>, $set: Option<Gd<$set_class>>) -> i64 {
                Self::grant_set(&this, $set)
            }

            /// Takes all granted
            #[doc = $kinds]
            /// away whose ids are in a set; how many there were.
            #[func(gd_self)]
            pub fn $revoke_set(this: Gd<Self>, $set: Option<Gd<$set_class>>) -> i64 {
                Self::revoke_set(&this, $set)
            }

            /// Takes all granted
            #[doc = $kinds]
            /// away.
            #[func(gd_self)]
            pub fn $clear(this: Gd<Self>) {
                Self::revoke(&this, |_| true);
            }

            /// True if
            #[doc = $a_kind]
            /// of this id was granted.
            #[func(gd_self)]
            pub fn $is_granted(this: Gd<Self>, $id: StringName) -> bool {
                Self::grants(&this).iter().any(|row| row.0 == $id)
            }
        }
    };
}

set_methods! {
    ActionEvaluator, ActionSet, ActionSpec, "action", "actions", "an action", action_id, action_set;
    sets set_provided_action_set, get_active_action_set, get_action_set_source, get_action_ids;
    grants grant_action, revoke_action, grant_actions_from_set, revoke_actions_from_set, clear_granted_actions, is_action_granted;
    weapon {
        "a method [code]get_weapon_action_set_for_role(role)[/code], a method [code]get_weapon_action_set()[/code] or a property [code]weapon_action_set[/code];"
    }
    ends { "If it runs it ends as [member set_change_policy] says." }
}

set_methods! {
    ReactionEvaluator, ReactionSet, ReactionSpec, "reaction", "reactions", "a reaction", reaction_id, reaction_set;
    sets set_provided_reaction_set, get_active_reaction_set, get_reaction_set_source, get_reaction_ids;
    grants grant_reaction, revoke_reaction, grant_reactions_from_set, revoke_reactions_from_set, clear_granted_reactions, is_reaction_granted;
    weapon {
        "a method [code]get_weapon_reaction_set_for_role(role)[/code], a method [code]get_weapon_reaction_set()[/code] or a property [code]weapon_reaction_set[/code];"
    }
    ends { "If it runs it ends." }
}
