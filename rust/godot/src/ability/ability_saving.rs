//! The state of a system as a dictionary of plain values, and back.

use godot::classes::ResourceLoader;
use godot::prelude::*;
use riposte_core::action::EndReason;

use super::state::side;
use super::{AbilitySystem, GameplayAbility, driver, granting};
use crate::base::messages;
use crate::base::state::{StateReader, number, refuse_structure, versioned};

const VERSION: i64 = 1;

/// What is known of one granted ability.
struct Known {
    handle: i64,
    /// Its file; without one its place among the grants.
    name: String,
    has_file: bool,
    by_script: u32,
}

/// All that is granted, in grant order.
fn known(id: InstanceId) -> Vec<Known> {
    let rows: Vec<(i64, Gd<GameplayAbility>, u32)> = side(id, |side| {
        let by_script = |handle| side.by_script.get(handle).copied().unwrap_or(0);
        side.definitions
            .iter()
            .map(|(handle, known)| (*handle, known.resource.clone(), by_script(handle)))
            .collect()
    });
    let named = |(place, (handle, resource, by_script)): (usize, (i64, Gd<GameplayAbility>, u32))| {
        let path = resource.get_path().to_string();
        let has_file = !path.is_empty();
        let name = if has_file { path } else { format!("#{place}") };
        Known { handle, name, has_file, by_script }
    };
    rows.into_iter().enumerate().map(named).collect()
}

/// Cooldowns by name, and what scripts granted.
pub(super) fn export(this: &Gd<AbilitySystem>) -> VarDictionary {
    let id = this.instance_id();
    let (mut cooldowns, mut granted) = (VarArray::new(), VarArray::new());
    for known in known(id) {
        let name = GString::from(&known.name);
        let left = driver::with(id, |state| state.core.cooldown(known.handle)).unwrap_or(0.0);
        if left > 0.0 {
            cooldowns.push(&varray![&name, left].to_variant());
        }
        if known.has_file && known.by_script > 0 {
            granted.push(&varray![&name, i64::from(known.by_script)].to_variant());
        }
    }
    let mut out = versioned(VERSION);
    out.set("cooldowns", &cooldowns);
    out.set("granted", &granted);
    out
}

/// The reverse.
pub(super) fn import(this: &Gd<AbilitySystem>, state: &VarDictionary) -> bool {
    let id = this.instance_id();
    let Some(reader) = StateReader::open(this, state, VERSION) else { return false };
    let Some((cooldowns, granted)) = numbers(&reader, "cooldowns").zip(numbers(&reader, "granted")) else {
        return refuse_structure(this);
    };
    for activation in driver::with(id, |state| state.core.activations_with(&[])).unwrap_or_default() {
        driver::end(id, activation, EndReason::Cancelled);
    }
    restore_grants(this, &granted);
    let known = known(id);
    for one in &known {
        driver::with(id, |state| state.core.set_cooldown(one.handle, 0.0));
    }
    for (name, left) in &cooldowns {
        match known.iter().find(|known| known.name == *name) {
            Some(found) => {
                driver::with(id, |state| state.core.set_cooldown(found.handle, *left));
            }
            None => left_out(this, name, "Grant the ability first."),
        }
    }
    driver::update_ticking(id);
    true
}

/// Abilities with files that scripts granted: as many grants as then.
fn restore_grants(this: &Gd<AbilitySystem>, granted: &[(String, f64)]) {
    let id = this.instance_id();
    for known in known(id).into_iter().filter(|known| known.has_file && known.by_script > 0) {
        let wanted = granted.iter().find(|row| row.0 == known.name).map_or(0, |row| row.1 as u32);
        for _ in wanted..known.by_script {
            granting::revoke_quietly(id, known.handle);
        }
    }
    for (path, count) in granted {
        let there = known(id).into_iter().find(|known| known.name == *path);
        let missing = (*count as u32).saturating_sub(there.map_or(0, |known| known.by_script));
        let Some(ability) = (missing > 0).then(|| load(path)) else { continue };
        let Some(ability) = ability else {
            left_out(this, path, "The file is not there, or is no ability.");
            continue;
        };
        for _ in 0..missing {
            let (handle, _) = granting::grant_quietly(id, &ability);
            granting::count_by_script(id, handle, 1);
        }
    }
}

fn load(path: &str) -> Option<Gd<GameplayAbility>> {
    let mut loader = ResourceLoader::singleton();
    if !loader.exists(path) {
        return None;
    }
    loader.load(path)?.try_cast().ok()
}

fn numbers(reader: &StateReader, key: &str) -> Option<Vec<(String, f64)>> {
    let read = |(name, value): (String, Variant)| {
        number(&value).filter(|number| *number >= 0.0).map(|number| (name, number))
    };
    reader.pairs(key)?.into_iter().map(read).collect()
}

fn left_out(this: &Gd<AbilitySystem>, name: &str, hint: &str) {
    let text = format!("import_state() left out \"{name}\". {hint}");
    messages::warning(this, "import_state", name, &text);
}
