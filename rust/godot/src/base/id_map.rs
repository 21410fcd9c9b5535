//! A map from objects to what is known about them.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// By instance id. Several are asked in every step of every node, so it must be quick; it is never walked through in
/// an order that shows.
pub(crate) type IdMap<V> = HashMap<i64, V, BuildHasherDefault<IdHasher>>;

/// An empty map, for a static.
pub(crate) const fn id_map<V>() -> IdMap<V> {
    HashMap::with_hasher(BuildHasherDefault::new())
}

/// Instance ids are numbers that the engine gives out; nobody chooses them to collide.
#[derive(Default)]
pub(crate) struct IdHasher(u64);

impl Hasher for IdHasher {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, number: u64) {
        // The odd number spreads the low bits, where ids differ, over all bits.
        self.0 = (self.0 ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn write_i64(&mut self, number: i64) {
        self.write_u64(number.cast_unsigned());
    }

    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }
}
