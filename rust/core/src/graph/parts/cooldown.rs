//! Cooldowns of nodes: what they are made of.

use std::sync::Arc;

use super::condition::from_int;

/// How charges come back. The integers are the `RECHARGE_*` constants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Recharge {
    /// One after the other, each after the whole time.
    #[default]
    OneByOne = 0,
    /// All at once, the time after the first one was taken.
    AllAtOnce = 1,
}

/// When the time begins. The integers are the `ON_*` constants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum CooldownStart {
    /// When the node starts.
    #[default]
    OnStart = 0,
    /// When it ends.
    OnEnd = 1,
}

from_int! {
    Recharge: OneByOne, AllAtOnce;
    CooldownStart: OnStart, OnEnd;
}

/// A cooldown. Nodes with one key share it.
#[derive(Clone, Debug, PartialEq)]
pub struct CooldownPlan {
    /// Its name.
    pub key: Arc<str>,
    /// How long a charge takes to come back.
    pub seconds: f64,
    /// How many there are, 1 or more.
    pub charges: u32,
    /// How they come back.
    pub recharge: Recharge,
    /// When the time begins.
    pub starts: CooldownStart,
    /// The share of the time left that is given back when the run is cancelled, 0 to 1.
    pub interrupt_refund: f64,
}
