//! An evaluator on a peer that has no authority over it: it decides and runs nothing, and follows what the authority
//! publishes as `sync_state`.

use std::collections::BTreeMap;

use godot::classes::{Node, ResourceLoader};
use godot::prelude::*;
use riposte_core::action::{EndReason, Event, News, Published, Publisher, Run, RunId, TargetKey};

use super::{State, call, runs, sides, with};
use crate::action::{ActionEvaluator, ActionSet, ReactionEvaluator, ReactionSet};
use crate::base::callbacks::defer;
use crate::base::network;
use crate::base::state::number;
use crate::base::{messages, tree_paths};

/// Both sides of an evaluator in a multiplayer game.
#[derive(Default)]
pub(in crate::action) struct Following {
    /// `authority_only` is off: every peer decides for itself.
    pub everywhere: bool,
    /// It stands below a node that has a MultiplayerAPI of its own.
    pub own_api: bool,
    /// What the authority told; `None` on the authority.
    copy: Option<Box<Told>>,
    /// Changes that are to be told at the end of the frame.
    news: Vec<News>,
    /// What the authority itself has to remember.
    publisher: Publisher,
}

/// What the authority told last.
#[derive(Clone, Debug, Default)]
struct Told {
    state: Published,
    /// When the run was told of, on this peer's clock.
    since: f64,
}

impl Following {
    /// Nobody has to be asked who decides for the node, unless there is a connection to others.
    pub fn is_local(&self) -> bool {
        self.copy.is_none() && !self.own_api
    }
}

/// True if another peer decides for the node. Changes sides if that is another peer now; what runs then ends.
pub(in crate::action) fn follows(id: InstanceId) -> bool {
    let read = with(id, |state| {
        let own = &state.following;
        (own.everywhere, own.own_api, own.copy.is_some(), state.stepping)
    });
    let Some((everywhere, own_api, following, stepping)) = read else { return false };
    if !(following || own_api || network::is_networked_now()) || stepping {
        return following;
    }
    let node = Gd::<Node>::try_from_instance_id(id).ok().filter(|node| node.is_inside_tree());
    let Some(node) = node else { return following };
    let follow = !everywhere && !network::has_authority(&node);
    if follow != following {
        change_sides(id, follow);
    }
    follow
}

/// True while another peer decides for the node, as far as that was noticed.
pub(in crate::action) fn is_copy(id: InstanceId) -> bool {
    with(id, |state| state.following.copy.is_some()).unwrap_or(false)
}

/// The node entered the tree.
pub(in crate::action) fn entered(node: &Gd<Node>) {
    network::follow_tree();
    let own_api = network::has_own_api(node);
    with(node.instance_id(), |state| state.following.own_api = own_api);
    follows(node.instance_id());
}

fn change_sides(id: InstanceId, follow: bool) {
    if follow {
        call(id, |state| {
            state.following.copy = Some(Box::default());
            state.core.cancel_pending();
            state.core.abort(EndReason::Cancelled);
        });
        return;
    }
    let copy = with(id, |state| {
        let copy = state.following.copy.take()?;
        state.core.take_over(copy.state.run);
        Some(copy.state)
    });
    if let Some(copy) = copy.flatten().filter(|copy| !copy.running.is_empty()) {
        tell_one(id, News::Ended(copy.running, EndReason::Cancelled.code(), copy.run));
    }
}

/// What the authority has to remember of an event to publish it.
pub(super) fn note(id: InstanceId, event: Event) {
    with(id, |state| state.following.publisher.note(&state.core, event));
}

/// What the getter of `sync_state` gives: a new dictionary only if something is not as in `last`.
pub(in crate::action) fn published(id: InstanceId, last: &VarDictionary) -> VarDictionary {
    if is_copy(id) {
        return last.clone();
    }
    let current = sides::current_set(id);
    let set = current.resource;
    let path = set.as_ref().map(|set| set.get_path().to_string()).unwrap_or_default();
    let source = current.source.code();
    let Some((mut told, target)) = with(id, own_state) else { return last.clone() };
    (told.set, told.source) = (path, source);
    let target = runs::live_target(target).and_then(|node| tree_paths::path_of(node.instance_id()));
    told.target = target.unwrap_or_default();
    if read(last).is_some_and(|known| known.tells_all_of(&told)) && !last.is_empty() {
        return last.clone();
    }
    write(&told)
}

fn own_state(state: &mut State) -> (Published, Option<TargetKey>) {
    let told = state.following.publisher.publish(&state.core);
    (told, state.core.running().and_then(Run::target))
}

fn write(told: &Published) -> VarDictionary {
    let mut cooldowns = VarDictionary::new();
    for (id, (seconds, serial)) in &told.cooldowns {
        cooldowns.set(&GString::from(id), &varray![*seconds, *serial]);
    }
    vdict! {
        "running" => &GString::from(&told.running),
        "target" => &GString::from(&told.target),
        "run" => told.run,
        "reason" => told.reason,
        "set" => &GString::from(&told.set),
        "source" => told.source,
        "cooldowns" => &cooldowns,
    }
}

/// The published state of a dictionary; `None` if it is none.
fn read(state: &VarDictionary) -> Option<Published> {
    if state.is_empty() {
        return Some(Published::default());
    }
    let text = |key: &str| state.get(key)?.try_to_relaxed::<GString>().ok().map(|text| text.to_string());
    let int = |key: &str| state.get(key)?.try_to_relaxed::<i64>().ok();
    let mut cooldowns = BTreeMap::new();
    for (id, row) in state.get("cooldowns")?.try_to::<VarDictionary>().ok()?.iter_shared() {
        let row = row.try_to::<VarArray>().ok()?;
        let seconds = number(&row.get(0)?).filter(|seconds| *seconds >= 0.0)?;
        cooldowns.insert(id.to_string(), (seconds, row.get(1)?.try_to_relaxed::<i64>().ok()?));
    }
    Some(Published {
        running: text("running")?,
        target: text("target")?,
        run: int("run")?,
        reason: int("reason")?,
        set: text("set")?,
        source: int("source")?,
        cooldowns,
    })
}

/// Takes over what the authority published; what became different is told at the end of the frame, because nothing may
/// call a handler while a property is written. False without effect: it is no published state, or this is the authority.
pub(in crate::action) fn receive(node: &Gd<Node>, state: &VarDictionary) -> bool {
    let id = node.instance_id();
    let Some(told) = read(state) else {
        let text = "sync_state was given something else than another peer's sync_state. Leave it to a MultiplayerSynchronizer.";
        messages::error(node, "sync_state", "structure", text);
        return false;
    };
    if !follows(id) {
        return false;
    }
    let news = with(id, |state| {
        let before = state.following.copy.as_deref().cloned().unwrap_or_default();
        let now = state.core.now();
        let since = if told.is_run_of(&before.state) { before.since } else { now };
        let news = state.core.follow(&before.state, &told);
        state.following.copy = Some(Box::new(Told { state: told, since }));
        let tell = !news.is_empty();
        state.following.news.extend(news);
        tell
    });
    if news == Some(true) {
        defer(id, "riposte_following", tell);
    }
    true
}

fn tell(id: InstanceId) {
    let news = with(id, |state| std::mem::take(&mut state.following.news)).unwrap_or_default();
    for news in news {
        tell_one(id, news);
    }
}

fn tell_one(id: InstanceId, news: News) {
    let Ok(node) = Gd::<Node>::try_from_instance_id(id) else { return };
    match node.try_cast::<ActionEvaluator>() {
        Ok(node) => tell_action(&node, news),
        Err(node) => tell_reaction(node, news),
    }
}

fn tell_reaction(node: Gd<Node>, news: News) {
    let Ok(node) = node.try_cast::<ReactionEvaluator>() else { return };
    let mut signals = node.signals();
    match news {
        News::Set(path, source) => {
            let set = set_at(&path).and_then(|set| set.try_cast::<ReactionSet>().ok());
            signals.reaction_set_changed().emit(set.as_ref(), source);
        }
        News::Ended(reaction, reason, run) => {
            signals.reaction_ended().emit(&StringName::from(&reaction), reason, run);
        }
        News::Started(reaction, target, run) => {
            signals.reaction_started().emit(&StringName::from(&reaction), node_at(&target).as_ref(), run);
        }
        News::Cooldown(reaction, seconds) => {
            signals.cooldown_started().emit(&StringName::from(&reaction), seconds);
        }
    }
}

fn tell_action(node: &Gd<ActionEvaluator>, news: News) {
    let mut signals = node.signals();
    match news {
        News::Set(path, source) => {
            let set = set_at(&path).and_then(|set| set.try_cast::<ActionSet>().ok());
            signals.action_set_changed().emit(set.as_ref(), source);
        }
        News::Ended(action, reason, run) => {
            signals.action_ended().emit(&StringName::from(&action), reason, run);
        }
        News::Started(action, target, run) => {
            signals.action_started().emit(&StringName::from(&action), node_at(&target).as_ref(), run);
        }
        News::Cooldown(action, seconds) => {
            signals.cooldown_started().emit(&StringName::from(&action), seconds);
        }
    }
}

fn node_at(path: &str) -> Option<Gd<Node>> {
    Gd::try_from_instance_id(tree_paths::node_at(path)?).ok()
}

/// A set of the game's own files.
fn set_at(path: &str) -> Option<Gd<Resource>> {
    let mut loader = ResourceLoader::singleton();
    if !path.starts_with("res://") || !loader.exists(path) {
        return None;
    }
    loader.load(path)
}

/// What runs on the authority.
pub(in crate::action) struct FollowedRun {
    /// Empty when idle.
    pub action: StringName,
    /// Null without one, and if it is not there on this peer.
    pub target: Option<Gd<Node>>,
    /// Its number.
    pub run: RunId,
    /// Seconds since this peer was told.
    pub elapsed: f64,
}

/// What runs on the authority; `None` if this is the authority.
pub(in crate::action) fn run(id: InstanceId) -> Option<FollowedRun> {
    let (copy, now) = with(id, |state| (state.following.copy.as_deref().cloned(), state.core.now()))?;
    let copy = copy?;
    if copy.state.running.is_empty() {
        return Some(FollowedRun { action: StringName::default(), target: None, run: 0, elapsed: 0.0 });
    }
    let target = node_at(&copy.state.target);
    Some(FollowedRun {
        action: StringName::from(&copy.state.running),
        target,
        run: copy.state.run,
        elapsed: now - copy.since,
    })
}

/// The set that the authority uses, and its source; `None` if this is the authority.
pub(in crate::action) fn set(id: InstanceId) -> Option<(Option<Gd<Resource>>, i64)> {
    let copy = with(id, |state| state.following.copy.as_deref().cloned()).flatten()?;
    Some((set_at(&copy.state.set), copy.state.source))
}
