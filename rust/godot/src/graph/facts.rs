//! What an animation says about the move that plays it.

use godot::classes::Animation;
use godot::classes::animation::{LoopMode, TrackType};
use godot::prelude::*;
use riposte_core::graph::{AnimationFacts, WindowKey};

/// The method of a player that opens a window.
const OPENS: &str = "open_action_window";
/// The method of a player that closes one.
const CLOSES: &str = "close_action_window";

/// Reads an animation.
pub(crate) fn facts_of(animation: &Gd<Animation>) -> AnimationFacts {
    let names = animation.get_marker_names();
    let marker =
        |name: &GString| (name.to_string(), tidy(animation.get_marker_time(&StringName::from(name))));
    AnimationFacts {
        length: tidy(f64::from(animation.get_length())),
        loops: animation.get_loop_mode() != LoopMode::NONE,
        markers: names.as_slice().iter().map(marker).collect(),
        keys: keys_of(animation),
    }
}

fn keys_of(animation: &Gd<Animation>) -> Vec<WindowKey> {
    let mut keys = Vec::new();
    for track in 0..animation.get_track_count() {
        if animation.track_get_type(track) != TrackType::METHOD || !animation.track_is_enabled(track) {
            continue;
        }
        for key in 0..animation.track_get_key_count(track) {
            let method = animation.method_track_get_name(track, key).to_string();
            if method != OPENS && method != CLOSES {
                continue;
            }
            let first = animation.method_track_get_params(track, key).get(0).unwrap_or_default();
            let name = if first.is_nil() { String::new() } else { first.stringify().to_string() };
            let time = tidy(animation.track_get_key_time(track, key));
            keys.push(WindowKey { time, opens: method == OPENS, name });
        }
    }
    keys
}

/// The engine keeps some times in single precision: 0.7 comes as 0.699999988. The shortest number that is the same there is what
/// the designer wrote.
fn tidy(seconds: f64) -> f64 {
    let single = seconds as f32;
    if f64::from(single) == seconds { single.to_string().parse().unwrap_or(seconds) } else { seconds }
}
