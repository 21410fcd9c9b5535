//! The times of a graph's moves with the animations of one agent, read once for all that share the graph and the animations.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use godot::classes::AnimationMixer;
use godot::prelude::*;
use riposte_core::graph::{AnimationFacts, Binding, MoveTimes, NodeTimes, SectionNames, read_move};

use super::animation_plan::AnimationPlan;
use super::facts::facts_of;
use super::playback;
use super::run_parts::PayloadPart;
use crate::base::callbacks::connect;

/// The times of the moves of one graph with some animations.
pub(crate) struct Bound {
    core: Arc<Binding>,
}

impl Bound {
    /// The times of a node in a direction; `None`: there is no such animation.
    pub(super) fn times(&self, node: u32, variant: u8) -> Option<Arc<MoveTimes>> {
        self.core.times(node, variant).cloned()
    }
}

/// The libraries of an agent: their names, and which state of which library.
type Libraries = Vec<(StringName, i64, u64)>;

struct Entry {
    /// Of the compiled graph.
    stamp: u64,
    libraries: Libraries,
    bound: Weak<Bound>,
}

/// Counts the changes of all libraries that were read.
static EPOCH: AtomicU64 = AtomicU64::new(1);

thread_local! {
    static CACHE: RefCell<Vec<Entry>> = const { RefCell::new(Vec::new()) };
    /// When a library changed, by its id.
    static CHANGED: RefCell<BTreeMap<i64, u64>> = const { RefCell::new(BTreeMap::new()) };
}

/// Another number whenever animations came, went or changed: what was bound may be wrong now.
pub(crate) fn epoch() -> u64 {
    EPOCH.load(Ordering::Relaxed)
}

/// Reads the times of a player's graph with the animations of its agent, unless another player has done it. `stamp`: of the
/// compiled graph, `payloads`: those of its nodes.
pub(crate) fn bind<'a>(
    player: InstanceId,
    stamp: u64,
    payloads: impl Iterator<Item = Option<&'a dyn PayloadPart>>,
    mixer: Option<&Gd<AnimationMixer>>,
) -> Arc<Binding> {
    let libraries = mixer.map(libraries_of).unwrap_or_default();
    let cached = CACHE.with_borrow(|cache| {
        let ours = |entry: &&Entry| entry.stamp == stamp && entry.libraries == libraries;
        cache.iter().find(ours).and_then(|entry| entry.bound.upgrade())
    });
    let bound = cached.unwrap_or_else(|| {
        let bound = Rc::new(Bound { core: Arc::new(read(payloads, mixer)) });
        let entry = Entry { stamp, libraries, bound: Rc::downgrade(&bound) };
        CACHE.with_borrow_mut(|cache| {
            cache.retain(|entry| entry.bound.strong_count() > 0);
            cache.push(entry);
        });
        bound
    });
    let core = bound.core.clone();
    playback::bind(player, bound);
    core
}

/// An animation was missing at its start: if it is there by now, players of animations came after their moveset, and everything is
/// bound again.
pub(super) fn look_again(mixer: Option<&Gd<AnimationMixer>>, name: &StringName) {
    if facts_in(mixer, name).is_some() {
        EPOCH.fetch_add(1, Ordering::Relaxed);
    }
}

/// The libraries of a mixer, whose changes are listened to from now on.
fn libraries_of(mixer: &Gd<AnimationMixer>) -> Libraries {
    let id = mixer.instance_id();
    connect(mixer, "animation_list_changed", id, "riposte_graph_binding", on_list_changed);
    let read = |name: StringName| {
        let library = mixer.get_animation_library(&name)?;
        let id = library.instance_id();
        connect(&library, "animation_changed", id, "riposte_graph_binding", on_animation_changed);
        let version = CHANGED.with_borrow(|changed| changed.get(&id.to_i64()).copied());
        Some((name, id.to_i64(), version.unwrap_or_default()))
    };
    mixer.get_animation_library_list().iter_shared().filter_map(read).collect()
}

/// Animations came or went in some library of a mixer: which one is not told.
fn on_list_changed(mixer: InstanceId) {
    let Ok(mixer) = Gd::<AnimationMixer>::try_from_instance_id(mixer) else { return };
    for name in mixer.get_animation_library_list().iter_shared() {
        if let Some(library) = mixer.get_animation_library(&name) {
            mark(library.instance_id());
        }
    }
    EPOCH.fetch_add(1, Ordering::Relaxed);
}

fn on_animation_changed(library: InstanceId) {
    mark(library);
    EPOCH.fetch_add(1, Ordering::Relaxed);
}

fn mark(library: InstanceId) {
    let now = epoch() + 1;
    CHANGED.with_borrow_mut(|changed| {
        if changed.len() >= 256 {
            changed.retain(|id, _| InstanceId::try_from_i64(*id).is_some_and(InstanceId::lookup_validity));
        }
        changed.insert(library.to_i64(), now);
    });
}

fn read<'a>(
    payloads: impl Iterator<Item = Option<&'a dyn PayloadPart>>,
    mixer: Option<&Gd<AnimationMixer>>,
) -> Binding {
    let mut facts: BTreeMap<String, Option<AnimationFacts>> = BTreeMap::new();
    let mut node_times = |plan: &AnimationPlan| -> NodeTimes {
        let mut times = |name: &StringName| {
            let facts = facts.entry(name.to_string()).or_insert_with(|| facts_in(mixer, name)).as_ref()?;
            Some(Arc::new(plan.read(facts).times))
        };
        let [forward, others @ ..] = &plan.names;
        let first = times(forward);
        let [back, left, right] =
            others.each_ref().map(|name| if name == forward { first.clone() } else { times(name) });
        [first, back, left, right]
    };
    let nodes = payloads.map(|part| part.and_then(|part| part.animation()).map(&mut node_times));
    Binding::new(nodes.map(Option::unwrap_or_default).collect())
}

/// What the animation of this name says; `None`: there is none.
pub(super) fn facts_in(mixer: Option<&Gd<AnimationMixer>>, name: &StringName) -> Option<AnimationFacts> {
    let mixer = mixer?;
    if name.is_empty() || !mixer.has_animation(name) {
        return None;
    }
    mixer.get_animation(name).map(|animation| facts_of(&animation))
}

/// The times of one animation, for a script that plays it by itself.
pub(super) fn times_of(
    mixer: &Gd<AnimationMixer>,
    name: &StringName,
    section: SectionNames,
    rate: f64,
) -> Option<MoveTimes> {
    Some(read_move(&facts_in(Some(mixer), name)?, &[], section, rate).times)
}
