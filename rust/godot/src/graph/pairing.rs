//! Who is in a paired action with whom, and what lies on both of them meanwhile.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::OnceLock;

use godot::classes::AnimationPlayer;
use godot::prelude::*;
use riposte_core::tags::TagId;

use super::pairing_places::Meeting;
use super::run_parts::{RunData, RunRef};
use super::state::with;
use super::{ActionGraphPlayer, driver, tagging};
use crate::agent;
use crate::base::{callbacks, tags};
use riposte_core::graph::Call;

/// Two that act together.
pub(super) struct Pairing {
    initiator: RunData,
    partner: InstanceId,
    partner_player: Option<InstanceId>,
    meeting: RefCell<Meeting>,
    /// The partner's tag container, for a partner without a player.
    tagged: Cell<Option<InstanceId>>,
    /// The partner's animation.
    played: RefCell<Option<Played>>,
}

#[derive(Clone)]
struct Played {
    player: InstanceId,
    animation: StringName,
    speed: f64,
}

thread_local! {
    /// Never dropped: at the end of the process the engine is gone before this thread's storage is.
    static PAIRS: &'static RefCell<Vec<Rc<Pairing>>> = Box::leak(Box::default());
}

fn paired_tag() -> TagId {
    static TAG: OnceLock<TagId> = OnceLock::new();
    *TAG.get_or_init(|| tags::intern("State.Paired").expect("a tag"))
}

impl Pairing {
    /// Two that are about to begin.
    pub(super) fn new(
        run: &RunRef,
        partner: InstanceId,
        partner_player: Option<InstanceId>,
        meeting: Meeting,
    ) -> Self {
        Self {
            initiator: run.data().clone(),
            partner,
            partner_player,
            meeting: RefCell::new(meeting),
            tagged: Cell::new(None),
            played: RefCell::default(),
        }
    }

    /// Both get nearer to their places. Code of the game may hear of it, so nothing is borrowed meanwhile.
    fn move_on(&self, seconds: f64) {
        let mut meeting = self.meeting.take();
        meeting.step(seconds);
        self.meeting.replace(meeting);
    }

    fn is_of(&self, run: &RunData) -> bool {
        (self.initiator.player, self.initiator.run) == (run.player, run.run)
    }
}

fn find(is: impl Fn(&Pairing) -> bool) -> Option<Rc<Pairing>> {
    PAIRS.with(|pairs| pairs.borrow().iter().find(|pair| is(pair)).cloned())
}

/// True while this agent is in a paired action, as either of the two.
pub(super) fn is_paired(agent: InstanceId) -> bool {
    find(|pair| pair.partner == agent || pair.initiator.agent == agent).is_some()
}

/// The tags that block the presses of a player: with the one of a partner while it is one.
pub(super) fn with_block(player: InstanceId, mut tags: Vec<TagId>) -> Vec<TagId> {
    let is_partner = find(|pair| pair.partner_player == Some(player)).is_some();
    if is_partner && !tags.contains(&paired_tag()) {
        tags.push(paired_tag());
    }
    tags
}

/// Both are paired from now on: what the partner does is cut, both get the tag, the partner's presses are blocked. Handlers of
/// the game run.
pub(super) fn begin(run: &RunRef, pair: Pairing) {
    let pair = Rc::new(pair);
    PAIRS.with(|pairs| pairs.borrow_mut().push(pair.clone()));
    if let Some(player) = pair.partner_player {
        driver::call(player, Call::Interrupt);
    }
    // A handler may have ended the run, or taken the partner away.
    let is_here = Gd::<Node>::try_from_instance_id(pair.partner)
        .is_ok_and(|partner| partner.is_inside_tree() && !partner.is_queued_for_deletion());
    if !is_here {
        release(run.data());
    }
    if find(|known| known.is_of(run.data())).is_none() {
        return;
    }
    watch(&pair);
    match pair.partner_player {
        Some(player) => {
            block(player);
            tagging::exchange(player, &[paired_tag()], &[]);
        }
        None => pair.tagged.set(agent::add_tags(pair.partner, &[paired_tag()])),
    }
    tagging::exchange(run.player(), &[paired_tag()], &[]);
    pair.move_on(0.0);
}

/// What ends it from the partner's side.
fn watch(pair: &Pairing) {
    let id = pair.partner;
    if let Ok(partner) = Gd::<Node>::try_from_instance_id(id) {
        callbacks::connect(&partner, "tree_exiting", id, "riposte_paired", break_up);
    }
    let player = pair.partner_player.and_then(|id| Gd::<Node>::try_from_instance_id(id).ok());
    if let Some(player) = player {
        callbacks::connect(&player, "graph_changed", id, "riposte_paired", break_up);
        callbacks::connect(&player, "tree_exiting", id, "riposte_paired", break_up);
    }
}

fn unwatch(pair: &Pairing) {
    let id = pair.partner;
    if let Ok(partner) = Gd::<Node>::try_from_instance_id(id) {
        callbacks::disconnect(&partner, "tree_exiting", id, "riposte_paired");
    }
    let player = pair.partner_player.and_then(|id| Gd::<Node>::try_from_instance_id(id).ok());
    if let Some(player) = player {
        callbacks::disconnect(&player, "graph_changed", id, "riposte_paired");
        callbacks::disconnect(&player, "tree_exiting", id, "riposte_paired");
    }
}

/// The partner is gone, or plays another moveset: the initiator's run is cut.
fn break_up(partner: InstanceId) {
    let Some(pair) = find(|pair| pair.partner == partner) else { return };
    let run = pair.initiator.clone();
    // At once, also where the run ends only when the current change is through.
    release(&run);
    if driver::is_current(&run) {
        driver::call(run.player, Call::Interrupt);
    }
}

/// The partner's animation begins.
pub(super) fn play(run: &RunRef, player: Option<Gd<AnimationPlayer>>, animation: &StringName, speed: f64) {
    let pair = find(|pair| pair.is_of(run.data()));
    let Some((pair, mut player)) = pair.zip(player) else { return };
    if animation.is_empty() || !player.has_animation(animation) {
        return;
    }
    let played = Played { player: player.instance_id(), animation: animation.clone(), speed };
    *pair.played.borrow_mut() = Some(played);
    player.stop();
    player.play_ex().name(animation).custom_speed(speed as f32).done();
}

/// One step of both: the partner gets to its place, and its animation keeps pace.
pub(super) fn follow(run: &RunRef, speed: f64, passed: f64) {
    let Some(pair) = find(|pair| pair.is_of(run.data())) else { return };
    let action_speed = with(run.player(), |state| state.core.settings().action_speed).unwrap_or(0.0);
    if passed > 0.0 && action_speed > 0.0 {
        pair.move_on(passed / action_speed);
    }
    let changed = {
        let mut played = pair.played.borrow_mut();
        played.as_mut().filter(|played| played.speed != speed).map(|played| {
            played.speed = speed;
            played.clone()
        })
    };
    if let Some(played) = changed
        && let Some(mut player) = playing(&played)
    {
        player.play_ex().name(&played.animation).custom_speed(speed as f32).done();
    }
}

fn playing(played: &Played) -> Option<Gd<AnimationPlayer>> {
    let player = Gd::<AnimationPlayer>::try_from_instance_id(played.player).ok()?;
    (StringName::from(&player.get_current_animation()) == played.animation).then_some(player)
}

/// The run is over: both are free.
pub(super) fn end(run: &RunRef) {
    release(run.data());
}

fn release(run: &RunData) {
    let taken = PAIRS.with(|pairs| {
        let mut pairs = pairs.borrow_mut();
        let at = pairs.iter().position(|pair| pair.is_of(run))?;
        Some(pairs.remove(at))
    });
    let Some(pair) = taken else { return };
    unwatch(&pair);
    tagging::exchange(run.player, &[], &[paired_tag()]);
    if let Some(player) = pair.partner_player {
        block(player);
        tagging::exchange(player, &[], &[paired_tag()]);
    }
    if let Some(container) = pair.tagged.take() {
        agent::remove_tags(container, &[paired_tag()]);
    }
    let played = pair.played.borrow_mut().take();
    if let Some(mut player) = played.as_ref().and_then(playing) {
        player.stop_ex().keep_state(true).done();
    }
}

/// Tells a player which tags block its presses.
fn block(player: InstanceId) {
    if let Ok(player) = Gd::<ActionGraphPlayer>::try_from_instance_id(player) {
        player.bind().push();
    }
}
