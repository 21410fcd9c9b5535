//! What the script of a payload starts on its run: an animation, or a delay. The node ends with it.

use std::sync::Arc;

use godot::prelude::*;
use riposte_core::graph::{MoveTimes, SectionNames};

use super::animation_part::mixer;
use super::animation_plan::known;
use super::playback::{self, Wanted};
use super::{ActionRun, binding, driver, nodes};
use crate::base::messages;

#[godot_api(secondary)]
impl ActionRun {
    /// Plays an animation of the agent from now on, with its windows; the node completes at its end. [param rate] is 0.01 to 10;
    /// [param section_start] and [param section_end] are markers. What was started before on the run is replaced. False, with a
    /// warning, if there is no such animation; false if the run is over.
    #[func(gd_self)]
    pub fn play_animation(
        this: Gd<Self>,
        name: StringName,
        #[opt(default = 1.0)] rate: f64,
        #[opt(default = "")] section_start: StringName,
        #[opt(default = "")] section_end: StringName,
    ) -> bool {
        let Some(data) = Self::to_play(&this, "play_animation") else { return false };
        if !rate.is_finite() || !(0.01..=10.0).contains(&rate) {
            let text = format!("play_animation() got the rate {rate}, nothing is played. Give 0.01 to 10.");
            messages::error(&this, "play_animation", "rate", &text);
            return false;
        }
        let player = data.player;
        let Some(mixer) = mixer(player) else {
            let text = "play_animation() found no AnimationPlayer. Add one to the agent, or set animation_player_path.";
            messages::warning(&this, "play_animation", "mixer", text);
            return false;
        };
        let (from, to) = (section_start.to_string(), section_end.to_string());
        let Some(times) = binding::times_of(&mixer, &name, SectionNames { start: &from, end: &to }, rate)
        else {
            let place = messages::node_place(&mixer.clone().upcast());
            let text =
                format!("play_animation(): there is no animation \"{name}\" in {place}. {}", known(&mixer));
            messages::warning(&this, "play_animation", &name.to_string(), &text);
            return false;
        };
        let times = Arc::new(times);
        if !driver::set_run_times(&data, times.clone()) {
            return false;
        }
        let now = driver::node_time_of(&data);
        let speed = driver::speed_of(player);
        let wanted = Wanted {
            animation: name,
            times,
            blend: -1.0,
            exact: false,
            tree: None,
            speed,
            node_time: now,
            since: now,
        };
        playback::start(player, data.run, &wanted, nodes::animation_player(player), None);
        true
    }

    /// The node completes in so many seconds, on its own clock. What was started before on the run is replaced. False if the run
    /// is over.
    #[func(gd_self)]
    pub fn play_delay(this: Gd<Self>, seconds: f64) -> bool {
        let Some(data) = Self::to_play(&this, "play_delay") else { return false };
        if !seconds.is_finite() || seconds < 0.0 {
            let text = format!("play_delay() got {seconds} s, nothing is done. Give 0 or more.");
            messages::error(&this, "play_delay", "seconds", &text);
            return false;
        }
        driver::set_run_times(&data, Arc::new(MoveTimes::of_length(seconds)))
    }
}
