//! Plain values of exported states: what is written, and what is read back without trust.

use glam::DVec3;
use godot::prelude::*;

use crate::base::state;

/// Two numbers in 2D, three in 3D.
pub(super) fn point(at: DVec3, planar: bool) -> VarArray {
    if planar { varray![at.x, at.y] } else { varray![at.x, at.y, at.z] }
}

/// Two or three finite numbers.
pub(super) fn read_point(value: &Variant) -> Option<DVec3> {
    let list = value.try_to::<VarArray>().ok()?;
    let at = |index: usize| list.get(index).and_then(|value| state::number(&value));
    match list.len() {
        2 => Some(DVec3::new(at(0)?, at(1)?, 0.0)),
        3 => Some(DVec3::new(at(0)?, at(1)?, at(2)?)),
        _ => None,
    }
}

/// A dictionary that is read key by key; `None` where the structure is not as expected.
pub(super) struct Entry(VarDictionary);

impl Entry {
    pub(super) fn of(dictionary: &VarDictionary) -> Self {
        Self(dictionary.clone())
    }

    pub(super) fn read(value: &Variant) -> Option<Self> {
        value.try_to::<VarDictionary>().ok().map(Self)
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.0.get(key).is_some_and(|value| !value.is_nil())
    }

    pub(super) fn number(&self, key: &str) -> Option<f64> {
        state::number(&self.0.get(key)?)
    }

    /// A number that is an integer of 0 or more; in JSON it is a float.
    pub(super) fn count(&self, key: &str) -> Option<u64> {
        count(&self.0.get(key)?)
    }

    pub(super) fn flag(&self, key: &str) -> Option<bool> {
        self.0.get(key)?.try_to::<bool>().ok()
    }

    pub(super) fn text(&self, key: &str) -> Option<String> {
        text(&self.0.get(key)?)
    }

    pub(super) fn point(&self, key: &str) -> Option<DVec3> {
        read_point(&self.0.get(key)?)
    }

    pub(super) fn entry(&self, key: &str) -> Option<Self> {
        Self::read(&self.0.get(key)?)
    }

    pub(super) fn dictionary(&self, key: &str) -> Option<VarDictionary> {
        self.0.get(key)?.try_to::<VarDictionary>().ok()
    }

    /// A list, each element read by `read`.
    pub(super) fn list<R>(&self, key: &str, read: impl Fn(&Variant) -> Option<R>) -> Option<Vec<R>> {
        let list = self.0.get(key)?.try_to::<VarArray>().ok()?;
        list.iter_shared().map(|value| read(&value)).collect()
    }

    /// As [`Entry::list`]; empty if the key is not there.
    pub(super) fn list_or_none<R>(&self, key: &str, read: impl Fn(&Variant) -> Option<R>) -> Option<Vec<R>> {
        if self.has(key) { self.list(key, read) } else { Some(Vec::new()) }
    }
}

pub(super) fn text(value: &Variant) -> Option<String> {
    value.try_to_relaxed::<GString>().ok().map(|text| text.to_string())
}

pub(super) fn count(value: &Variant) -> Option<u64> {
    let number = state::number(value)?;
    (number >= 0.0 && number.fract() == 0.0).then_some(number as u64)
}

/// A list of values.
pub(super) fn list(values: impl IntoIterator<Item = Variant>) -> VarArray {
    let mut list = VarArray::new();
    values.into_iter().for_each(|value| list.push(&value));
    list
}
