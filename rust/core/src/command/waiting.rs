//! The waiting orders, and whether they are still the ones that were told.

use std::collections::VecDeque;

use super::order::NOBODY;

/// A fingerprint of a row of numbers that changes at both ends in a constant number of steps: the sum of
/// `mix(number) * FACTOR^place`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Print {
    sum: u64,
    /// `FACTOR` to the power of the length.
    power: u64,
}

const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
/// `FACTOR * INVERSE` is 1.
const INVERSE: u64 = inverse(FACTOR);

/// The inverse of an odd number modulo 2^64; each round doubles the bits that are right.
const fn inverse(odd: u64) -> u64 {
    let mut guess = odd;
    let mut round = 0;
    while round < 6 {
        guess = guess.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(guess)));
        round += 1;
    }
    guess
}

fn mix(id: u64) -> u64 {
    let mut x = id.wrapping_add(FACTOR);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

impl Default for Print {
    fn default() -> Self {
        Self { sum: 0, power: 1 }
    }
}

impl Print {
    fn push_front(&mut self, id: u64) {
        self.sum = self.sum.wrapping_mul(FACTOR).wrapping_add(mix(id));
        self.power = self.power.wrapping_mul(FACTOR);
    }

    fn push_back(&mut self, id: u64) {
        self.sum = self.sum.wrapping_add(mix(id).wrapping_mul(self.power));
        self.power = self.power.wrapping_mul(FACTOR);
    }

    fn pop_front(&mut self, id: u64) {
        self.sum = self.sum.wrapping_sub(mix(id)).wrapping_mul(INVERSE);
        self.power = self.power.wrapping_mul(INVERSE);
    }
}

/// An order that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub id: u64,
    pub slot: u32,
    pub suspended: bool,
    /// Known here too, because who enqueues behind it asks, and the order itself comes from far.
    pub endless: bool,
}

/// The waiting orders, the next one first.
#[derive(Clone, Debug, Default)]
pub(super) struct Waiting {
    places: VecDeque<Place>,
    suspended: u32,
    /// The slot of the first one, as long as there is one: known without a look into the row.
    first: u32,
    print: Print,
    told: Print,
}

impl Waiting {
    pub fn len(&self) -> usize {
        self.places.len()
    }

    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Orders that were not suspended.
    pub fn plain_len(&self) -> usize {
        self.places.len() - self.suspended as usize
    }

    pub fn suspended(&self) -> u32 {
        self.suspended
    }

    pub fn front(&self) -> Option<Place> {
        self.places.front().copied()
    }

    /// The slot of the first one, or of none.
    pub fn first_slot(&self) -> u32 {
        if self.places.is_empty() { NOBODY } else { self.first }
    }

    pub fn back(&self) -> Option<Place> {
        self.places.back().copied()
    }

    pub fn iter(&self) -> impl Iterator<Item = Place> + '_ {
        self.places.iter().copied()
    }

    pub fn index_of(&self, id: u64) -> Option<usize> {
        self.places.iter().position(|place| place.id == id)
    }

    pub fn push_back(&mut self, place: Place) {
        self.suspended += u32::from(place.suspended);
        self.print.push_back(place.id);
        if self.places.is_empty() {
            self.first = place.slot;
        }
        self.places.push_back(place);
    }

    pub fn push_front(&mut self, place: Place) {
        self.suspended += u32::from(place.suspended);
        self.print.push_front(place.id);
        self.first = place.slot;
        self.places.push_front(place);
    }

    pub fn pop_front(&mut self) -> Option<Place> {
        let place = self.places.pop_front()?;
        self.suspended -= u32::from(place.suspended);
        self.print.pop_front(place.id);
        if let Some(next) = self.places.front() {
            self.first = next.slot;
        }
        Some(place)
    }

    pub fn insert(&mut self, index: usize, place: Place) {
        if index == 0 {
            return self.push_front(place);
        }
        // Behind the order that interrupted it; however many wait behind that.
        if index == 1
            && let Some(first) = self.pop_front()
        {
            self.push_front(place);
            return self.push_front(first);
        }
        self.suspended += u32::from(place.suspended);
        self.places.insert(index.min(self.places.len()), place);
        self.print_again();
    }

    pub fn remove(&mut self, index: usize) -> Option<Place> {
        if index == 0 {
            return self.pop_front();
        }
        let place = self.places.remove(index)?;
        self.suspended -= u32::from(place.suspended);
        self.print_again();
        Some(place)
    }

    /// An order that waits has other rules.
    pub fn set_endless(&mut self, slot: u32, endless: bool) {
        if let Some(place) = self.places.iter_mut().find(|place| place.slot == slot) {
            place.endless = endless;
        }
    }

    /// True once after each difference to what was told last.
    pub fn tell(&mut self) -> bool {
        let differs = self.print != self.told;
        self.told = self.print;
        differs
    }

    /// Nobody waits, and that was not told yet.
    pub fn clear(&mut self) {
        *self = Self { told: self.told, ..Self::default() };
    }

    fn print_again(&mut self) {
        self.print = Print::default();
        for place in &self.places {
            self.print.push_back(place.id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(id: u64) -> Place {
        Place { id, slot: id as u32, suspended: false, endless: false }
    }

    #[test]
    fn the_same_row_is_not_told_again() {
        let mut row = Waiting::default();
        row.push_back(place(1));
        row.push_back(place(2));
        assert!(row.tell() && !row.tell());
        assert_eq!(row.first_slot(), 1);
        row.push_front(place(3));
        row.push_back(place(4));
        assert_eq!(row.remove(3), Some(place(4)));
        assert_eq!((row.first_slot(), row.pop_front()), (3, Some(place(3))));
        assert_eq!(row.first_slot(), 1);
        assert!(!row.tell());
        assert_eq!(row.pop_front(), Some(place(1)));
        row.push_back(place(1));
        assert!(row.tell(), "the order of the row counts");
        row.insert(1, Place { suspended: true, ..place(5) });
        assert_eq!(
            (row.first_slot(), row.iter().nth(1).map(|place| place.id), row.suspended()),
            (2, Some(5), 1)
        );
        assert!(row.tell() && row.remove(1).is_some() && row.tell());
        row.insert(1, place(5));
        row.remove(1);
        assert!(!row.tell(), "as it was");
        row.pop_front();
        row.pop_front();
        assert!(row.tell());
        assert_eq!(row.first_slot(), NOBODY);
    }
}
