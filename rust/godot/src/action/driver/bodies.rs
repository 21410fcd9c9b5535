//! Agents and their targets, each read once per step at the most, however many evaluators look at it.
//!
//! A reading counts until code of the game has run: that may have moved, freed or changed anybody.

#[cfg(debug_assertions)]
use std::sync::atomic::{AtomicU64, Ordering};

use godot::prelude::*;
use riposte_core::arena::Handle;

use super::places::Way;
use crate::agent::{self, facing, health};
use crate::base::engine_reads::{Live, Reader, Stand};
use crate::base::id_map::{IdMap, id_map};
use crate::base::lookup::{self, Part};
use crate::base::watch;

/// More than this are looked through for those that nobody reads any more.
const FEWEST: usize = 256;
/// Steps without being read after which a node is forgotten: more than lie between two decisions.
const PATIENCE: u64 = 1200;

/// A row of the table, remembered by who reads it; it may have become somebody else's.
pub(super) type Slot = u32;

/// What is known of an agent beyond its place, until its children, scripts or components change.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Known {
    /// When it was found out; see [`epoch`].
    at: Option<(u64, u64)>,
    /// Nobody but its own transform says where it looks.
    pub looks_ahead: bool,
    /// It has something that tells whom it attends to.
    pub attends: bool,
    /// Nobody is asked for its health but its vitals.
    pub plain_health: bool,
    /// Where those are kept.
    pub vitals: Option<Handle>,
}

/// One node.
#[derive(Clone, Copy)]
struct Body {
    reader: Reader,
    /// When it was read.
    moment: u64,
    /// In which step.
    step: u64,
    /// It was not freed.
    lives: bool,
    /// In the tree and about to stay there.
    live: bool,
    inside: bool,
    placed: bool,
    position: Vector3,
    forward: Vector3,
    known: Known,
    /// Where the engine keeps it: only for [`super::ahead`].
    address: usize,
}

/// All of them.
pub(super) struct Bodies {
    rows: Vec<Body>,
    by_id: IdMap<Slot>,
    moment: u64,
    step: u64,
    /// Readings in this moment and those before.
    read: u64,
    kept: usize,
}

/// What a step says of a node.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    /// It was not freed.
    pub lives: bool,
    /// In the tree and about to stay there.
    pub live: bool,
    pub inside: bool,
    /// It has a place.
    pub placed: bool,
    pub flat: bool,
    pub position: Vector3,
    /// Its own forward.
    pub forward: Vector3,
    /// Where the engine keeps it, for [`super::ahead`].
    pub address: usize,
}

/// Another value when anything changed that [`Known`] depends on.
pub(super) fn epoch() -> (u64, u64) {
    (watch::revision(), lookup::epoch())
}

impl Bodies {
    pub const fn new() -> Self {
        Self { rows: Vec::new(), by_id: id_map(), moment: 0, step: 0, read: 0, kept: FEWEST }
    }

    /// Code of the game has run, or a new step begins.
    pub fn next_moment(&mut self) {
        self.moment += 1;
    }

    /// Ends a step of all, and forgets nodes that nobody looks at any more.
    pub fn tidy(&mut self) {
        self.step += 1;
        if self.rows.len() > self.kept {
            let (step, rows) = (self.step, std::mem::take(&mut self.rows));
            self.rows.extend(rows.into_iter().filter(|body| step - body.step <= PATIENCE));
            let numbers = self.rows.iter().zip(0..);
            self.by_id = numbers.map(|(body, at)| (body.reader.id().to_i64(), at)).collect();
            self.kept = FEWEST.max(self.rows.len() * 2);
        }
    }

    /// How many nodes were read since the library was loaded, each once per moment.
    #[cfg(debug_assertions)]
    pub fn readings(&self) -> u64 {
        self.read
    }

    /// The row of a node; `None` if there is no such node. `slot` is where it was last time.
    fn row(&mut self, id: InstanceId, slot: &mut Slot) -> Option<&mut Body> {
        let known = self.rows.get(*slot as usize).is_some_and(|body| body.reader.id() == id);
        if !known {
            *slot = match self.by_id.get(&id.to_i64()) {
                Some(at) => *at,
                None => self.add(id)?,
            };
        }
        self.rows.get_mut(*slot as usize)
    }

    fn add(&mut self, id: InstanceId) -> Option<Slot> {
        let reader = Reader::of(id)?;
        let at = self.rows.len() as Slot;
        self.rows.push(Body {
            reader,
            moment: u64::MAX,
            step: self.step,
            lives: false,
            live: false,
            inside: false,
            placed: false,
            position: Vector3::ZERO,
            forward: Vector3::ZERO,
            known: Known::default(),
            address: 0,
        });
        self.by_id.insert(id.to_i64(), at);
        Some(at)
    }

    /// The node as it is in this moment.
    pub fn see(&mut self, id: InstanceId, slot: &mut Slot) -> Option<Seen> {
        let (moment, step) = (self.moment, self.step);
        let body = self.row(id, slot)?;
        let fresh = body.moment == moment;
        if !fresh {
            body.look();
            (body.moment, body.step) = (moment, step);
        }
        let seen = body.seen();
        self.read += u64::from(!fresh);
        Some(seen)
    }

    /// What is known of an agent, and where the engine keeps it; `None` if that is out of date.
    pub fn known(&mut self, id: InstanceId, slot: &mut Slot, epoch: (u64, u64)) -> Option<(Known, usize)> {
        let Body { known, address, .. } = *self.row(id, slot)?;
        (known.at == Some(epoch)).then_some((known, address))
    }

    /// Takes over what was found out.
    pub fn learn(&mut self, id: InstanceId, slot: &mut Slot, known: Known) {
        if let Some(body) = self.row(id, slot) {
            body.known = known;
        }
    }
}

/// How often something was found out about an agent.
#[cfg(debug_assertions)]
static FOUND_OUT: AtomicU64 = AtomicU64::new(0);

/// How often something was found out about an agent so far.
#[cfg(debug_assertions)]
pub(in crate::action) fn found_out() -> u64 {
    FOUND_OUT.load(Ordering::Relaxed)
}

impl Known {
    /// Looks at the agent and its children. Nothing may be locked.
    pub fn find_out(agent_id: InstanceId) -> Self {
        #[cfg(debug_assertions)]
        FOUND_OUT.fetch_add(1, Ordering::Relaxed);
        let Ok(node) = Gd::<Node>::try_from_instance_id(agent_id) else { return Self::default() };
        // Whoever is asked here for the first time is watched from now on.
        let plain_health = health::is_kept_by_vitals(&node);
        let asked = facing::answers(&node);
        let has = |part| lookup::part_of(agent_id, part).is_some();
        let perceives = has(Part::Perception);
        Self {
            at: Some(epoch()),
            looks_ahead: !asked && !perceives,
            attends: perceives || has(Part::Awareness),
            plain_health,
            vitals: agent::vitals_of(agent_id),
        }
    }
}

impl Body {
    fn look(&mut self) {
        (self.live, self.inside, self.placed) = (false, false, false);
        let node = self.reader.live();
        self.lives = node.is_some();
        let Some(node) = node.filter(Live::is_inside_tree) else { return };
        self.address = node.address();
        self.inside = true;
        self.live = !node.is_queued_for_deletion();
        match node.stand() {
            Some(Stand::Space(transform)) => {
                self.placed = true;
                self.position = transform.origin;
                self.forward = -transform.basis.col_c();
            }
            Some(Stand::Plane(transform)) => {
                self.placed = true;
                self.position = Vector3::new(transform.origin.x, transform.origin.y, 0.0);
                self.forward = Vector3::new(transform.a.x, transform.a.y, 0.0);
            }
            None => {}
        }
    }

    fn seen(&self) -> Seen {
        let Self { lives, live, inside, placed, position, forward, address, .. } = *self;
        Seen { lives, live, inside, placed, flat: self.reader.is_flat(), position, forward, address }
    }
}

impl Seen {
    /// From here to there; nothing if one of the two has no place, or if they stand in different worlds.
    pub fn way_to(&self, to: &Self, units_per_meter: impl FnOnce(bool) -> f64) -> Way {
        if !self.placed || !to.placed || self.flat != to.flat {
            return Way::default();
        }
        Way::between(self.position, to.position, || units_per_meter(self.flat))
    }
}
