//! Files that moves need, loaded in the background as soon as their graph is played.

use std::collections::BTreeSet;

use godot::classes::ResourceLoader;
use godot::prelude::*;

use super::run_parts::PayloadPart;
use crate::base::messages;

/// Asks for the files of these payloads. What is loaded already costs nothing. Runs scripts.
pub(crate) fn request<'a>(player: InstanceId, payloads: impl Iterator<Item = &'a dyn PayloadPart>) {
    let mut paths = BTreeSet::new();
    for payload in payloads {
        paths.extend(payload.preload_paths().iter().map(ToString::to_string));
    }
    let mut loader = ResourceLoader::singleton();
    for path in paths.iter().map(GString::from) {
        if loader.has_cached(&path) {
            continue;
        }
        if loader.exists(&path) {
            loader.load_threaded_request(&path);
        } else if let Ok(player) = Gd::<Node>::try_from_instance_id(player) {
            let text = format!(
                "there is no resource \"{path}\" to load for a move. Mend _get_preload_paths() of its payload."
            );
            messages::warning(&player, "_get_preload_paths", &path.to_string(), &text);
        }
    }
}
