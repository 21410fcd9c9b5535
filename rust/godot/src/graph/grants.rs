//! Which grants are active on which player.

use godot::obj::InstanceId;
use parking_lot::Mutex;
use riposte_core::tags::TagId;

/// What a grant has given.
#[derive(Clone, Debug)]
pub(super) struct Given {
    pub grant: InstanceId,
    pub player: InstanceId,
    /// The key of the moveset at the player.
    pub key: String,
    pub tags: Vec<TagId>,
    pub stop_distance: f64,
}

/// Those that came last stand last.
static GIVEN: Mutex<Vec<Given>> = Mutex::new(Vec::new());

/// Notes what a grant has given.
pub(super) fn note(given: Given) {
    GIVEN.lock().push(given);
}

/// Takes out what a grant has given.
pub(super) fn take(grant: InstanceId) -> Option<Given> {
    let mut all = GIVEN.lock();
    let at = all.iter().position(|given| given.grant == grant)?;
    Some(all.remove(at))
}

/// Where a grant is active.
pub(super) fn player_of(grant: InstanceId) -> Option<InstanceId> {
    GIVEN.lock().iter().find(|given| given.grant == grant).map(|given| given.player)
}

/// The stop distance of a grant is another one.
pub(super) fn set_stop_distance(grant: InstanceId, meters: f64) {
    if let Some(given) = GIVEN.lock().iter_mut().find(|given| given.grant == grant) {
        given.stop_distance = meters;
    }
}

/// The stop distance of the last active grant that gives a player one, in metres; -1: none.
pub(super) fn stop_distance_of(player: InstanceId) -> f64 {
    let all = GIVEN.lock();
    let given = all.iter().rev().find(|given| given.player == player && given.stop_distance >= 0.0);
    given.map_or(-1.0, |given| given.stop_distance)
}
