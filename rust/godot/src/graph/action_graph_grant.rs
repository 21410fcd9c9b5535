use godot::classes::Engine;
use godot::obj::Singleton as _;
use godot::prelude::*;

use super::checks::GraphChecks;
use super::grants::{self, Given};
use super::{ActionGraph, ActionGraphPlayer, sources, tagging};
use crate::base::callbacks::{connect, disconnect};
use crate::base::lifecycle::{Hooked, Lifecycle};
use crate::base::lookup::{self, Part};
use crate::base::quitting;
use crate::base::setter::Owner;
use crate::base::tags::TagList;

/// Name of the connection to a player that is not ready yet.
const WAITS: &str = "riposte_grant";

/// Hands a moveset to the agent that it is below of, for weapon scenes.
///
/// While it is in the tree and [member active], the moveset takes the place of that of the first agent above that has an
/// [ActionGraphPlayer]: of several grants the last one counts, with none [member ActionGraphPlayer.default_graph]. The running move
/// ends when the moveset changes.
#[derive(GodotClass)]
#[class(init, tool, base = Node)]
pub struct ActionGraphGrant {
    /// The moveset. Null: only the tags and the distance are handed over, as of a shield beside a sword.
    #[export]
    #[var(get = get_graph, set = set_graph)]
    graph: Option<Gd<ActionGraph>>,
    /// Off: nothing is handed over. Default on.
    #[export]
    #[var(get = get_active, set = set_active)]
    #[init(val = true)]
    active: bool,
    /// Tags on the agent while the grant is active, so that, for example, wires that need a shield can require it.
    #[export]
    #[var(get = get_applied_tags, set = set_applied_tags)]
    applied_tags: TagList,
    /// How near an attack with this weapon closes in, in metres. -1, the default: as the agent's own. Of several
    /// active grants the last one that says something counts. The payload and the window of a move go before it.
    #[export(range = (-1.0, 10.0, 0.01, or_greater, suffix = "m"))]
    #[var(set = set_stop_distance)]
    #[init(val = -1.0)]
    stop_distance: f64,
    #[init(val = Hooked::new::<Self>(&base))]
    #[expect(dead_code, reason = "its construction connects the lifecycle")]
    hooked: Hooked,
    base: Base<Node>,
}

#[godot_api]
impl ActionGraphGrant {
    #[func]
    fn get_graph(&self) -> Option<Gd<ActionGraph>> {
        self.graph.clone()
    }

    #[func(gd_self)]
    fn set_graph(this: impl Owner<Self>, value: Option<Gd<ActionGraph>>) {
        Self::change(this.node(), |own| own.graph = value);
    }

    #[func]
    fn get_active(&self) -> bool {
        self.active
    }

    #[func(gd_self)]
    fn set_active(this: impl Owner<Self>, value: bool) {
        let this = this.node();
        if this.bind().active != value {
            Self::change(this, |own| own.active = value);
        }
    }

    #[func]
    fn get_applied_tags(&self) -> PackedStringArray {
        self.applied_tags.typed()
    }

    #[func(gd_self)]
    fn set_applied_tags(this: impl Owner<Self>, value: PackedStringArray) {
        let mut this = this.node();
        let about = this.clone();
        let (old, new) = {
            let mut own = this.bind_mut();
            let old = own.applied_tags.ids().to_vec();
            own.applied_tags.assign(&about, "applied_tags", value);
            (old, own.applied_tags.ids().to_vec())
        };
        if let Some(mut given) = grants::take(this.instance_id()) {
            let player = given.player;
            given.tags = new.clone();
            grants::note(given);
            tagging::exchange(player, &new, &old);
        }
        this.update_configuration_warnings();
    }

    #[func]
    fn set_stop_distance(&mut self, value: f64) {
        self.stop_distance = self.inherited("stop_distance", value, self.stop_distance);
        grants::set_stop_distance(self.to_gd().instance_id(), self.stop_distance);
    }
}

#[godot_api]
impl INode for ActionGraphGrant {
    #[func(gd_self)]
    fn get_configuration_warnings(this: Gd<Self>) -> PackedStringArray {
        Self::warnings(&this).iter().map(GString::from).collect()
    }
}

impl Lifecycle for ActionGraphGrant {
    fn entered(this: Gd<Self>) {
        let Some(player) = player_above(&this) else { return };
        if player.is_node_ready() {
            Self::give(&this, &player);
        } else if this.is_node_ready() {
            // It comes with an agent that is still being built, and will not get ready a second time.
            connect(&player, "ready", this.instance_id(), WAITS, player_readied);
        }
    }

    fn readied(this: Gd<Self>) {
        if grants::player_of(this.instance_id()).is_none()
            && let Some(player) = player_above(&this)
        {
            Self::give(&this, &player);
        }
    }

    fn exiting(this: Gd<Self>) {
        if let Some(player) = player_above(&this) {
            disconnect(&player, "ready", this.instance_id(), WAITS);
        }
        if quitting::is_quitting() {
            // The player ends its move by itself.
            grants::take(this.instance_id());
        } else {
            Self::take_back(this.instance_id());
        }
    }
}

impl ActionGraphGrant {
    /// Takes back what was given, changes something, and gives again.
    fn change(this: Gd<Self>, change: impl FnOnce(&mut Self)) {
        let mut this = this;
        let keeps = {
            let mut own = this.bind_mut();
            change(&mut own);
            own.active
        };
        let player = if this.is_inside_tree() { player_above(&this) } else { None };
        match player {
            // A new moveset under the same key: the one of before does not come back in between.
            Some(player) if keeps && player.is_node_ready() => Self::give(&this, &player),
            _ => Self::take_back(this.instance_id()),
        }
        if this.is_instance_valid() {
            this.update_configuration_warnings();
        }
    }

    fn give(this: &Gd<Self>, player: &Gd<ActionGraphPlayer>) {
        if Engine::singleton().is_editor_hint() {
            return;
        }
        let (graph, tags, stop_distance) = {
            let own = this.bind();
            if !own.active {
                return;
            }
            (own.graph.clone(), own.applied_tags.ids().to_vec(), own.stop_distance)
        };
        let (grant, id) = (this.instance_id(), player.instance_id());
        let known = grants::take(grant).filter(|given| given.player == id);
        let key = known.as_ref().map_or_else(|| this.get_path().to_string(), |given| given.key.clone());
        let old = known.map(|given| given.tags).unwrap_or_default();
        grants::note(Given { grant, player: id, key: key.clone(), tags: tags.clone(), stop_distance });
        tagging::exchange(id, &tags, &old);
        let key = StringName::from(&key);
        match graph {
            Some(graph) => sources::set(player, Some(graph), key),
            // A shield beside a sword has tags only.
            None => sources::clear(player, &key),
        };
    }

    fn take_back(grant: InstanceId) {
        let Some(given) = grants::take(grant) else { return };
        tagging::exchange(given.player, &[], &given.tags);
        if let Ok(player) = Gd::<ActionGraphPlayer>::try_from_instance_id(given.player) {
            sources::clear(&player, &StringName::from(&given.key));
        }
    }

    fn warnings(this: &Gd<Self>) -> Vec<String> {
        let (graph, gives_nothing, mut found) = {
            let own = this.bind();
            let gives_nothing =
                own.graph.is_none() && own.applied_tags.ids().is_empty() && own.stop_distance < 0.0;
            (own.graph.clone(), gives_nothing, own.applied_tags.warnings("applied_tags"))
        };
        if gives_nothing {
            found.push("There is nothing to hand over. Set graph, applied_tags or stop_distance.".to_owned());
        }
        if let Some(graph) = graph {
            found.extend(super::validation::errors(&graph).iter().map(|one| one.message()));
        }
        if this.is_inside_tree() && player_above(this).is_none() {
            found.push(
                "No agent above has an ActionGraphPlayer. Put the weapon below an agent that has one."
                    .to_owned(),
            );
        }
        found
    }
}

/// The player of the first agent above that has one.
fn player_above(grant: &Gd<ActionGraphGrant>) -> Option<Gd<ActionGraphPlayer>> {
    let mut at = grant.get_parent();
    while let Some(node) = at {
        if let Some(player) = lookup::part_of(node.instance_id(), Part::Moves) {
            return Gd::try_from_instance_id(player).ok();
        }
        at = node.get_parent();
    }
    None
}

fn player_readied(grant: InstanceId) {
    if let Ok(grant) = Gd::<ActionGraphGrant>::try_from_instance_id(grant)
        && grant.is_inside_tree()
        && let Some(player) = player_above(&grant)
    {
        disconnect(&player, "ready", grant.instance_id(), WAITS);
        ActionGraphGrant::give(&grant, &player);
    }
}
