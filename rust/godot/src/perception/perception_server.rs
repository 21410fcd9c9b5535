use godot::classes::{Engine, ProjectSettings, SceneTree, World2D, World3D};
use godot::prelude::*;

use crate::base::callbacks::{self, on_node};
use crate::base::ticking::{self, PROCESS_IDLE, PROCESS_MANUAL, PROCESS_PHYSICS};
use crate::base::{messages, settings, singletons};
use crate::optional::Optional;

use super::arguments::{NodeArg, named_perceiver};
use super::dimension::{Axes as _, Placed};
use super::nodes::Nodes;
use super::perception_event::PerceptionEvent;
use super::reporting::GivenNoise;
use super::{
    debug_draw, line_of_sight, queries, registering, reporting, running, saving_server, state, stats,
};

/// Ticks all [Perception3D] and [Perception2D] nodes, takes reports of noises and damage, and answers for any perceiver.
///
/// Reached by its name: [code]PerceptionServer.report_noise(muzzle, 3.0, player)[/code]. A [param perceiver] is a Perception node or its agent,
/// a [param target] an agent, its source, or any node below the agent.
/// All perceivers are ticked together before each physics step, in the order in which they entered the tree first.
#[derive(GodotClass)]
#[class(init, singleton, base = Object)]
pub struct PerceptionServer {
    /// When perceivers that are not Manual themselves are ticked: before each physics step, or by [method advance].
    #[var(get = get_process_callback, set = set_process_callback)]
    #[allow(dead_code, reason = "the getter answers")]
    process_callback: PhantomVar<i64>,
    /// Draws all perceivers while the game runs: cone, radii, lines to targets, rays. Begins with the project setting
    /// [code]riposte/debug/draw_perception[/code]; the colours are beside it. In debug builds only.
    #[var(get = get_debug_draw_enabled, set = set_debug_draw_enabled)]
    #[allow(dead_code, reason = "the getter answers")]
    debug_draw_enabled: PhantomVar<bool>,
    pub(super) nodes: Nodes,
    base: Base<Object>,
}

#[godot_api]
impl PerceptionServer {
    /// Ticks before each physics step.
    #[constant]
    const PROCESS_PHYSICS: i64 = PROCESS_PHYSICS;
    /// Refused: rays need the physics step.
    #[constant]
    const PROCESS_IDLE: i64 = PROCESS_IDLE;
    /// Ticks when [method advance] is called.
    #[constant]
    const PROCESS_MANUAL: i64 = PROCESS_MANUAL;

    /// A target became known to any perceiver; comes after the signal of its node.
    #[signal]
    pub fn target_perceived(event: Gd<PerceptionEvent>);
    /// A target is not known any more to any perceiver; comes after the signal of its node.
    #[signal]
    pub fn target_lost(event: Gd<PerceptionEvent>);

    /// A noise. Everyone hears it whose hearing radius, times [param loudness], reaches [param location].
    /// [param instigator]: who made it, or a node below; heard only by those that care about it. Null: a noise of a place,
    /// heard without a target. [param tag]: the kind of noise. [param world]: null is the instigator's, else the main one.
    /// False if nobody can hear it: loudness 0, or a source that is off or does not register Hearing.
    #[func(gd_self)]
    fn report_noise(
        this: Gd<Self>,
        location: Vector3,
        #[opt(default = 1.0)] loudness: f64,
        #[opt(default = Optional::null())] instigator: Optional<Node>,
        #[opt(default = &StringName::default())] tag: StringName,
        #[opt(default = Optional::null())] world: Optional<World3D>,
    ) -> bool {
        let world = world.0.map(|world| world.instance_id());
        let (location, instigator, tag) = (location.widened(), instigator.0, &tag);
        let member = "report_noise";
        let given = GivenNoise { member, location, loudness, instigator, tag, world, planar: false };
        reporting::noise(&this, &given)
    }

    /// As [method report_noise], in 2D: [param location] is in pixels, and [Perception2D] nodes hear it.
    #[func(gd_self)]
    fn report_noise_2d(
        this: Gd<Self>,
        location: Vector2,
        #[opt(default = 1.0)] loudness: f64,
        #[opt(default = Optional::null())] instigator: Optional<Node>,
        #[opt(default = &StringName::default())] tag: StringName,
        #[opt(default = Optional::null())] world: Optional<World2D>,
    ) -> bool {
        let world = world.0.map(|world| world.instance_id());
        let (location, instigator, tag) = (location.widened(), instigator.0, &tag);
        let member = "report_noise_2d";
        let given = GivenNoise { member, location, loudness, instigator, tag, world, planar: true };
        reporting::noise(&this, &given)
    }

    /// Damage. The perceivers of [param victim], an agent or a node below it such as a hurt box, notice [param instigator] at any
    /// distance and whatever its tags; null is damage by nobody. An instigator without a source is the target itself.
    /// False if the victim has no Perception that feels damage, did it itself, or [param amount] is 0.
    #[func(gd_self)]
    fn report_damage(
        _this: Gd<Self>,
        victim: NodeArg,
        instigator: NodeArg,
        hit_location: Vector3,
        amount: f64,
    ) -> bool {
        reporting::damage("report_damage", &victim, &instigator, hit_location.widened(), amount)
    }

    /// As [method report_damage], in 2D.
    #[func(gd_self)]
    fn report_damage_2d(
        _this: Gd<Self>,
        victim: NodeArg,
        instigator: NodeArg,
        hit_location: Vector2,
        amount: f64,
    ) -> bool {
        reporting::damage("report_damage_2d", &victim, &instigator, hit_location.widened(), amount)
    }

    /// A sense of the game's own, such as smell or a radio call: a perceiver knows of [param target] at once, at any distance.
    /// [param sense_id]: which sense; the event's tag. [param strength]: above 0, up to 1. False if the perceiver is off, the
    /// target is its own agent, or the strength is 0.
    #[func(gd_self)]
    fn report_stimulus(
        _this: Gd<Self>,
        perceiver: NodeArg,
        target: NodeArg,
        sense_id: StringName,
        #[opt(default = 1.0)] strength: f64,
    ) -> bool {
        reporting::stimulus(&perceiver, &target, &sense_id, strength)
    }

    /// Makes an agent something that can be sensed: adds a [StimulusSource3D] or [StimulusSource2D] if it has none, sets its senses, adds one tag.
    /// Works in _ready and _enter_tree too, and counts at once. Gives the source; null, with an error, if [param agent] is neither
    /// Node3D nor Node2D.
    #[func(gd_self)]
    fn register_as_source(
        _this: Gd<Self>,
        agent: NodeArg,
        #[opt(default = &StringName::default())] tag: StringName,
        #[opt(default = 3)] senses: i64,
    ) -> Option<Gd<Node>> {
        registering::register_as_source(&agent, &tag, senses)
    }

    /// Removes a source that [method register_as_source] added; one that stood in the scene is disabled. False if there is none.
    #[func(gd_self)]
    fn unregister_source(_this: Gd<Self>, agent: NodeArg) -> bool {
        registering::unregister_source(&agent)
    }

    /// Adds a tag to the detectable tags of a perceiver, and a [Perception3D] or [Perception2D] first if the agent has none.
    /// Gives the Perception; null, with an error, if the tag is invalid or [param perceiver] is neither Node3D nor
    /// Node2D.
    #[func(gd_self)]
    fn add_detectable_tag(_this: Gd<Self>, perceiver: NodeArg, tag: StringName) -> Option<Gd<Node>> {
        registering::add_detectable_tag(&perceiver, &tag)
    }

    /// All targets that a perceiver knows, closest first. Empty, with an error, if the node is no perceiver.
    #[func(gd_self)]
    fn get_perceived_targets(_this: Gd<Self>, perceiver: NodeArg) -> Array<Gd<Node>> {
        let node = perceiver_node("get_perceived_targets", &perceiver);
        node.map(queries::known_targets).unwrap_or_default().into_iter().collect()
    }

    /// As [method get_perceived_targets], into an array of yours, which is resized. Gives the number of targets.
    #[func(gd_self)]
    fn fill_perceived_targets(_this: Gd<Self>, perceiver: NodeArg, buffer: AnyArray) -> i64 {
        let node = perceiver_node("fill_perceived_targets", &perceiver);
        node.map_or(0, |node| queries::fill(node, buffer))
    }

    /// The closest target that a perceiver knows; null if it knows none.
    #[func(gd_self)]
    fn get_closest_perceived_target(_this: Gd<Self>, perceiver: NodeArg) -> Option<Gd<Node>> {
        let node = perceiver_node("get_closest_perceived_target", &perceiver)?;
        queries::closest_target(node)
    }

    /// True if one of these senses of the perceiver senses the target now. [param sense_mask]: SENSE_* flags of [PerceptionEvent].
    #[func(gd_self)]
    fn can_sense(
        _this: Gd<Self>,
        perceiver: NodeArg,
        target: NodeArg,
        #[opt(default = 15)] sense_mask: i64,
    ) -> bool {
        let node = perceiver_node("can_sense", &perceiver);
        node.is_some_and(|node| queries::can_sense(node, &target, sense_mask))
    }

    /// Where a perceiver last knew the target to be, as a Vector3, in 2D a Vector2; null for a target that it does not know.
    #[func(gd_self)]
    fn get_last_known_location(_this: Gd<Self>, perceiver: NodeArg, target: NodeArg) -> Variant {
        let node = perceiver_node("get_last_known_location", &perceiver);
        let found = node.and_then(|node| Some((queries::location(node, &target)?, Placed::by_id(node)?)));
        match found {
            Some((at, node)) if node.is_planar() => Vector2::narrowed(at).to_variant(),
            Some((at, _)) => Vector3::narrowed(at).to_variant(),
            None => Variant::nil(),
        }
    }

    /// The agents that sense a target now by one of these senses, SENSE_* flags of [PerceptionEvent]; all by default.
    /// 0: the agents that know it, sensed or remembered. Empty for a node that is no target.
    #[func(gd_self)]
    fn get_perceivers_of(
        _this: Gd<Self>,
        target: NodeArg,
        #[opt(default = 15)] sense_mask: i64,
    ) -> Array<Gd<Node>> {
        target.0.map(|target| queries::perceivers_of(&target, sense_mask)).unwrap_or_default()
    }

    /// True if a ray from one node to another is free now: from the eye of its Perception, else its origin; to the aim points
    /// of its source, else its origin. Radius, cone and tags do not matter.
    #[func(gd_self)]
    fn has_line_of_sight(_this: Gd<Self>, from: NodeArg, to: NodeArg) -> bool {
        from.0.is_some_and(|from| line_of_sight::between(&from, to))
    }

    /// One tick of some seconds for all perceivers that are not Manual themselves. With [member process_callback] on Manual only.
    #[func(gd_self)]
    fn advance(this: Gd<Self>, delta: f64) {
        let (manual, ticking) = state::with(|state| (state.manual, state.ticking));
        let (reason, text) = if !manual {
            (
                "callback",
                "advance() works with process_callback PROCESS_MANUAL only. Set it, or leave the ticks to the server.",
            )
        } else if ticking {
            ("ticking", "advance() was called from inside the server's own tick. Call it after the tick.")
        } else if !ticking::is_step(&this, delta) {
            return;
        } else {
            running::doom_queued_sources();
            return running::tick_all(delta);
        };
        messages::error(&this, "advance", reason, text);
    }

    /// Numbers of the last tick by name: ticks, perceivers, sources, scans, distance_tests, rays, rays_deferred,
    /// oldest_scan_wait (s), events, signals_emitted, and how long its parts took: collect_usec, maths_usec, rays_usec, settle_usec.
    /// In debug builds the debugger shows them too, as [code]riposte/perception_rays[/code] and so on.
    #[func(gd_self)]
    fn get_stats(_this: Gd<Self>) -> VarDictionary {
        stats::dictionary()
    }

    /// What all perceivers know, and the reports that wait, as plain values for saving; nodes by their path.
    /// See [method import_state].
    #[func(gd_self)]
    fn export_state(_this: Gd<Self>) -> VarDictionary {
        saving_server::export()
    }

    /// Goes on from an exported state, without signals. False, with an error and without effect, if the version or the
    /// structure is another. Nodes that are not there are left out with a warning.
    #[func(gd_self)]
    fn import_state(_this: Gd<Self>, state: VarDictionary) -> bool {
        saving_server::import(&state)
    }

    #[func]
    fn get_debug_draw_enabled(&self) -> bool {
        self.nodes.drawings.everybody()
    }

    #[func]
    fn set_debug_draw_enabled(&mut self, value: bool) {
        self.nodes.drawings.set_everybody(value);
    }

    #[func]
    fn get_process_callback(&self) -> i64 {
        if state::with(|state| state.manual) { PROCESS_MANUAL } else { PROCESS_PHYSICS }
    }

    #[func]
    fn set_process_callback(&mut self, value: i64) {
        if value == PROCESS_PHYSICS || value == PROCESS_MANUAL {
            state::with(|state| state.manual = value == PROCESS_MANUAL);
            return;
        }
        let text = format!("process_callback = {value} is refused. Use PROCESS_PHYSICS or PROCESS_MANUAL.");
        messages::error(&self.to_gd(), "process_callback", "unknown", &text);
    }
}

impl PerceptionServer {
    /// To be called once per start, when the scene classes are registered.
    pub(crate) fn arm() {
        let server = Self::singleton();
        singletons::drop_connections_at_exit(&server);
        stats::arm_monitors(&server);
        server.clone().bind_mut().nodes.drawings.set_everybody(settings::DRAW_PERCEPTION.read());
        singletons::at_exit(&server, "riposte_drawings", |_| debug_draw::clear());
    }

    /// Ticks with the tree from now on. Without perceivers it stops by itself.
    pub(super) fn connect_to_tree(tree: &Gd<SceneTree>) {
        if Engine::singleton().is_editor_hint() {
            return;
        }
        let tick = on_node(Self::singleton().instance_id(), TICK, running::physics_frame);
        let mut tree = tree.clone();
        if !tree.is_connected("physics_frame", &tick) {
            state::read_project_settings();
            follow_settings();
            tree.connect("physics_frame", &tick);
        }
    }

    pub(super) fn disconnect_from(&self, tree: Option<Gd<SceneTree>>) {
        let tick = on_node(self.to_gd().instance_id(), TICK, running::physics_frame);
        if let Some(mut tree) = tree.filter(|tree| tree.is_connected("physics_frame", &tick)) {
            tree.disconnect("physics_frame", &tick);
        }
    }
}

/// Project settings that a game changes while it runs count from the next frame on.
fn follow_settings() {
    let server = PerceptionServer::singleton();
    let settings = ProjectSettings::singleton();
    callbacks::connect(&settings, CHANGED, server.instance_id(), SETTINGS, |_| {
        state::read_project_settings()
    });
    // The engine's settings outlive this library.
    singletons::at_exit(&server, SETTINGS, |id| {
        callbacks::disconnect(&ProjectSettings::singleton(), CHANGED, id, SETTINGS);
    });
}

const CHANGED: &str = "settings_changed";
const SETTINGS: &str = "riposte_settings";
const TICK: &str = "riposte_perception_tick";

fn perceiver_node(member: &str, perceiver: &NodeArg) -> Option<InstanceId> {
    let key = named_perceiver(member, perceiver)?;
    state::with(|state| state.perceiver_node(key))
}
