//! What a `PairedActionPayload` does in a run.

use godot::classes::AnimationPlayer;
use godot::prelude::*;
use riposte_core::graph::parts::PairedPlan;

use super::pairing::{self, Pairing};
use super::pairing_places::Meeting;
use super::run_parts::{Begun, Follows, PayloadPart, RunRef, Start};
use super::{ActionRun, PairedAction, driver, nodes, playback, worlds};
use crate::base::lookup::{self, Part};

/// One action, as plain values.
pub(super) struct Paired {
    pub plan: PairedPlan,
    pub initiator_animation: StringName,
    pub partner_animation: StringName,
    pub partner_offset: Vector3,
    /// Degrees.
    pub partner_yaw: f64,
    pub align_seconds: f64,
}

/// The payload of a node that plays paired actions.
pub(super) struct PairedPart(Vec<Paired>);

impl PairedPart {
    /// Copies the values of actions.
    pub(super) fn of(actions: &[Gd<PairedAction>]) -> Self {
        Self(actions.iter().map(|action| action.bind().values()).collect())
    }

    /// The first that could start now.
    fn available(&self, run: &RunRef) -> Option<&Paired> {
        let fits = worlds::with_target(run.player(), |world| {
            self.0.iter().position(|action| action.plan.is_available(world))
        });
        self.0.get(fits.flatten()?)
    }
}

impl PayloadPart for PairedPart {
    fn can_start(&self, run: &RunRef) -> bool {
        self.available(run).is_some()
    }

    fn start(&self, run: &RunRef, start: Start) -> Begun {
        if start.node_time > 0.0 {
            // A saved state knows of no partner.
            return Begun::Ends;
        }
        let found = self.available(run).zip(run.target());
        match found {
            Some((action, partner)) => begin(run, action, &partner, start.speed),
            None => Begun::Ends,
        }
    }

    fn stop(&self, run: &RunRef, reason: i64, node_time: f64) {
        playback::stop(run.player(), run.data().run, node_time, reason == 0, -1.0);
        pairing::end(run);
    }

    fn follows(&self) -> Follows {
        Follows::Steps
    }

    fn follow(&self, run: &RunRef, node_time: f64, speed: f64, passed: f64) {
        playback::follow(run.player(), run.data().run, node_time, speed, passed);
        pairing::follow(run, speed, passed);
    }
}

/// Starts an action. Handlers of the game run in between, so everything is looked at again.
fn begin(run: &RunRef, action: &Paired, partner: &Gd<Node>, speed: f64) -> Begun {
    let agent = run.data().agent;
    let partner_id = partner.instance_id();
    let partner_player = lookup::part_of(partner_id, Part::Moves);
    let meeting = Meeting::plan(run.player(), agent, (partner_id, partner_player), action);
    let pair = Pairing::new(run, partner_id, partner_player, meeting);
    pairing::begin(run, pair);
    if !driver::is_current(run.data()) || !pairing::is_paired(partner_id) {
        pairing::end(run);
        return Begun::Ends;
    }
    // Both in one step: nothing of the game runs in between.
    pairing::play(run, animations_of(partner_id, partner_player), &action.partner_animation, speed);
    let (name, whole) = (action.initiator_animation.clone(), StringName::default());
    if ActionRun::play_animation(run.handle(), name, 1.0, whole.clone(), whole) {
        return Begun::Lives;
    }
    pairing::end(run);
    Begun::Ends
}

/// What plays the animations of a partner: that of its player, else the first one below it.
fn animations_of(partner: InstanceId, player: Option<InstanceId>) -> Option<Gd<AnimationPlayer>> {
    if let Some(player) = player {
        return nodes::animation_player(player);
    }
    let partner = Gd::<Node>::try_from_instance_id(partner).ok()?;
    let all = partner.find_children_ex("*").type_("AnimationPlayer").owned(false).done();
    all.iter_shared().find_map(|node| node.try_cast().ok())
}
