//! The layers by name and place, and what each one holds.

use super::RouteId;

/// Names one layer, also after it was taken out of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LayerId(u32);

/// How far a behaviour that holds a layer has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Life {
    /// It never entered.
    Waiting,
    /// It entered and may be ticked.
    Inside,
    /// It entered, and a higher layer took over.
    Suspended,
    /// It ended by itself and is about to be told; it keeps its layer.
    Ending,
    /// It ended by itself and enters again in the next tick.
    Resting,
}

impl Life {
    /// It was told that it entered, and was not told that it left.
    pub(super) fn is_entered(self) -> bool {
        matches!(self, Self::Inside | Self::Suspended)
    }
}

/// A behaviour that holds a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Occupant {
    pub(super) route: RouteId,
    /// Whatever the caller knows the behaviour by.
    pub(super) behavior: i64,
    pub(super) life: Life,
}

/// One layer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub(super) layer: LayerId,
    pub(super) held: Option<Occupant>,
}

/// The layers of a stack, lowest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Layers {
    /// Every name that was ever used; a [`LayerId`] is a place in it.
    names: Vec<String>,
    pub(super) slots: Vec<Slot>,
}

impl Layers {
    /// Other layers; what was held by a layer that stays is held by it further on. The rest, lowest first.
    pub(super) fn replace(&mut self, names: &[String]) -> Vec<Slot> {
        let mut old = std::mem::take(&mut self.slots);
        for name in names {
            let layer = self.intern(name);
            if self.slots.iter().any(|slot| slot.layer == layer) {
                continue;
            }
            let kept = old.iter_mut().find(|slot| slot.layer == layer);
            self.slots.push(Slot { layer, held: kept.and_then(|slot| slot.held.take()) });
        }
        old.retain(|slot| slot.held.is_some());
        old
    }

    /// The layer with this name, if it is in the list.
    pub(super) fn find(&self, name: &str) -> Option<LayerId> {
        self.slots.iter().map(|slot| slot.layer).find(|layer| self.name(*layer) == name)
    }

    /// The name of a layer.
    pub(super) fn name(&self, layer: LayerId) -> &str {
        self.names.get(layer.0 as usize).map_or("", String::as_str)
    }

    pub(super) fn slot(&self, layer: LayerId) -> Option<&Slot> {
        self.slots.iter().find(|slot| slot.layer == layer)
    }

    pub(super) fn slot_mut(&mut self, layer: LayerId) -> Option<&mut Slot> {
        self.slots.iter_mut().find(|slot| slot.layer == layer)
    }

    /// The layer that holds a route, with what it holds.
    pub(super) fn holding(&self, route: RouteId) -> Option<(LayerId, Occupant)> {
        let found = self.slots.iter().find(|slot| slot.held.is_some_and(|held| held.route == route))?;
        found.held.map(|held| (found.layer, held))
    }

    pub(super) fn held_mut(&mut self, route: RouteId) -> Option<&mut Occupant> {
        self.slots.iter_mut().filter_map(|slot| slot.held.as_mut()).find(|held| held.route == route)
    }

    /// The highest layer that holds something.
    pub(super) fn highest(&self) -> Option<(LayerId, Occupant)> {
        self.slots.iter().rev().find_map(|slot| slot.held.map(|held| (slot.layer, held)))
    }

    fn intern(&mut self, name: &str) -> LayerId {
        let known = self.names.iter().position(|own| own == name);
        let at = known.unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        });
        LayerId(at as u32)
    }
}
