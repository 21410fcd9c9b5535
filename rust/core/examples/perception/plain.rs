//! A plain loop over flat arrays that keeps the same records.

use std::collections::BTreeMap;

use glam::DVec3;

use super::field::{Field, STEP, Table};

/// What a plain loop keeps of a source.
pub struct Known {
    source: usize,
    seen: bool,
    age: f64,
}

/// The plain loop: every due perceiver looks at every source.
pub struct Plain {
    waits: Vec<f64>,
    known: Vec<Vec<Known>>,
    table: Table,
    limit: f64,
}

impl Plain {
    pub fn new(field: &Field, table: Table) -> Self {
        let phase = |number: usize| (number as f64 * 0.618_033_988_749_894_9).fract();
        Self {
            waits: (0..field.perceivers.len()).map(|number| phase(number) * 0.1).collect(),
            known: field.perceivers.iter().map(|_| Vec::new()).collect(),
            table,
            limit: 45.01_f64.to_radians().cos(),
        }
    }

    pub fn step(&mut self, field: &Field) {
        for number in 0..self.waits.len() {
            let scan = self.waits[number] <= 1e-6;
            if scan {
                self.waits[number] = (self.waits[number] + 0.1).max(0.0);
                self.look(number, field);
            }
            self.waits[number] -= STEP;
            let known = &mut self.known[number];
            known.iter_mut().filter(|known| !known.seen).for_each(|known| known.age += STEP);
            known.retain(|known| known.seen || known.age + 1e-6 < 5.0);
        }
    }

    pub fn look(&mut self, number: usize, field: &Field) {
        let frame = &field.perceivers[number];
        let eye = frame.origin + frame.basis * DVec3::new(0.0, 1.6, 0.0);
        let forward = frame.basis * DVec3::NEG_Z;
        let known = &mut self.known[number];
        for (source, at) in field.sources.iter().enumerate() {
            let squared = frame.origin.distance_squared(*at);
            if squared > 25.0001 * 25.0001 {
                continue;
            }
            let place = known.iter().position(|known| known.source == source);
            let retains = place.is_some_and(|place| known[place].seen);
            let to = *at + DVec3::Y - eye;
            let inside = squared <= 20.0001 * 20.0001 && forward.dot(to) >= self.limit * to.length();
            let seen = (retains || inside) && self.table.is_visible(number, source);
            match place {
                Some(place) if seen => known[place] = Known { source, seen, age: 0.0 },
                Some(place) => known[place].seen = false,
                None if seen => known.push(Known { source, seen, age: 0.0 }),
                None => {}
            }
        }
        for known in known.iter_mut().filter(|known| known.seen) {
            known.seen = frame.origin.distance_squared(field.sources[known.source]) <= 25.0001 * 25.0001;
        }
    }

    pub fn known(&self, perceiver: usize) -> BTreeMap<usize, bool> {
        self.known[perceiver].iter().map(|known| (known.source, known.seen)).collect()
    }
}
