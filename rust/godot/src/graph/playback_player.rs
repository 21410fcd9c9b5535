//! A move that an `AnimationPlayer` plays.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use godot::classes::AnimationPlayer;
use godot::classes::animation_mixer::AnimationCallbackModeProcess as Callback;
use godot::prelude::*;
use riposte_core::graph::MoveTimes;

use super::playback::{OFF, Wanted};
use crate::base::engine_reads;

/// One run.
pub(super) struct PlayerPlay {
    player: Gd<AnimationPlayer>,
    animation: StringName,
    times: Arc<MoveTimes>,
    exact: bool,
    since: f64,
    /// The speed scale before, and the one that was set instead.
    before: f32,
    set: Cell<f32>,
    /// How the player was driven before, if it is ours now.
    callback: Option<Callback>,
    /// The time of the node that it was moved to.
    at: Cell<f64>,
}

impl PlayerPlay {
    /// Plays.
    pub(super) fn begin(mut player: Gd<AnimationPlayer>, wanted: &Wanted) -> Rc<Self> {
        let before = player.get_speed_scale();
        let callback = wanted.exact.then(|| player.get_callback_mode_process());
        let play = Rc::new(Self {
            player: player.clone(),
            animation: wanted.animation.clone(),
            times: wanted.times.clone(),
            exact: wanted.exact,
            since: wanted.since,
            before,
            set: Cell::new(before),
            callback,
            at: Cell::new(wanted.node_time),
        });
        let again = StringName::from(&player.get_assigned_animation()) == wanted.animation;
        if wanted.exact {
            player.set_callback_mode_process(Callback::MANUAL);
        }
        play.set_speed(if wanted.exact { 1.0 } else { wanted.speed });
        play.play(wanted.blend);
        // What is played again would go on from where it is.
        let late = wanted.node_time > wanted.since;
        if play.is_live() && (again || late) {
            let place = play.times.place_at(wanted.node_time - wanted.since);
            play.player.clone().seek_ex(place).update(late).done();
        }
        if play.exact && play.is_live() {
            play.player.clone().advance(0.0);
        }
        play
    }

    fn play(&self, blend: f64) {
        let (start, end) = self.times.section;
        let mut player = self.player.clone();
        let speed = self.times.rate as f32;
        let whole = player.get_animation(&self.animation).map_or(0.0, |found| f64::from(found.get_length()));
        if start <= 0.0 && end + 1e-6 >= whole {
            let play = player.play_ex().name(&self.animation).custom_blend(blend);
            play.custom_speed(speed).done();
        } else {
            let play = player.play_section_ex().name(&self.animation).start_time(start).end_time(end);
            play.custom_blend(blend).custom_speed(speed).done();
        }
    }

    /// Seconds of the crossfade that starts when this is played now.
    pub(super) fn blend_of(player: &Gd<AnimationPlayer>, wanted: &Wanted) -> f64 {
        if wanted.blend >= 0.0 {
            return wanted.blend;
        }
        let from = StringName::from(&player.get_assigned_animation());
        let pair = if from.is_empty() { 0.0 } else { player.get_blend_time(&from, &wanted.animation) };
        if pair > 0.0 { pair } else { player.get_default_blend_time() }
    }

    /// Seconds of a crossfade of which nothing else is known.
    pub(super) fn default_blend(&self) -> f64 {
        if self.is_live() { self.player.get_default_blend_time() } else { 0.0 }
    }

    /// True if it plays by this node.
    pub(super) fn is_of(&self, player: &Gd<AnimationPlayer>) -> bool {
        self.player.instance_id_unchecked() == player.instance_id()
    }

    /// One step.
    pub(super) fn follow(&self, node_time: f64, speed: f64, passed: f64) {
        if !self.is_live() {
            return;
        }
        if self.exact {
            self.move_to(node_time, passed);
            return;
        }
        self.set_speed(speed);
        if !self.player.is_playing() {
            return;
        }
        let place = self.times.place_at(node_time - self.since);
        // Something else may play meanwhile, which is none of our business.
        if self.off(place, self.player.get_current_animation_position()) > OFF && self.is_ours() {
            self.player.clone().seek(place);
        }
    }

    /// How far a place is from where it should be.
    fn off(&self, place: f64, at: f64) -> f64 {
        let off = (place - at).abs();
        let round = self.times.section.1 - self.times.section.0;
        if self.times.period > 0.0 { off.min((round - off).abs()) } else { off }
    }

    /// It is moved by exactly the time of the node.
    pub(super) fn is_exact(&self) -> bool {
        self.exact
    }

    /// A step needs to change nothing: [`Self::follow`] may be left out. Only engine getters are called.
    pub(super) fn is_right(&self, node_time: f64, speed: f64) -> bool {
        let place = || self.times.place_at(node_time - self.since);
        speed as f32 == self.set.get()
            && engine_reads::animation_place(&self.player).is_none_or(|at| self.off(place(), at) <= OFF)
    }

    fn move_to(&self, node_time: f64, passed: f64) {
        self.at.set(node_time);
        if passed > 0.0 && self.is_ours() {
            self.player.clone().advance(passed);
        }
    }

    /// The run is over: the node gets back what was changed of it.
    pub(super) fn leave(&self, node_time: f64) {
        if !self.is_live() {
            return;
        }
        if self.exact {
            self.move_to(node_time, node_time - self.at.get());
        }
        if !self.is_live() {
            return;
        }
        let mut player = self.player.clone();
        if player.get_speed_scale() == self.set.get() && self.set.get() != self.before {
            player.set_speed_scale(self.before);
        }
        if let Some(callback) = self.callback
            && callback != Callback::MANUAL
            && player.get_callback_mode_process() == Callback::MANUAL
        {
            player.set_callback_mode_process(callback);
        }
    }

    /// What still plays stands still, so that the next animation can blend from it.
    pub(super) fn hold(&self) {
        if self.is_live() && self.is_ours() {
            self.player.clone().pause();
        }
    }

    fn set_speed(&self, speed: f64) {
        let speed = speed as f32;
        if speed != self.set.get() {
            self.set.set(speed);
            self.player.clone().set_speed_scale(speed);
        }
    }

    fn is_live(&self) -> bool {
        self.player.is_instance_valid()
    }

    /// True while it plays our animation.
    fn is_ours(&self) -> bool {
        self.player.is_playing() && StringName::from(&self.player.get_current_animation()) == self.animation
    }
}
