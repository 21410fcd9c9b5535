//! Who asks for a guard, counted: it is on as long as one of them does.

/// Holds by handle, each of which belongs to an object, and by key.
#[derive(Clone, Debug, Default)]
pub struct Holds {
    last: i64,
    /// Handle and holder.
    handles: Vec<(i64, i64)>,
    keys: Vec<String>,
}

impl Holds {
    /// A hold for `holder`; its handle is above 0 and never comes again.
    pub fn acquire(&mut self, holder: i64) -> i64 {
        self.last += 1;
        self.handles.push((self.last, holder));
        self.last
    }

    /// False if there is no such hold (any more).
    pub fn release(&mut self, handle: i64) -> bool {
        let before = self.handles.len();
        self.handles.retain(|hold| hold.0 != handle);
        self.handles.len() < before
    }

    /// The hold of a key; there is one per key. False if it is there already.
    pub fn acquire_key(&mut self, key: &str) -> bool {
        let new = !self.keys.iter().any(|held| held == key);
        if new {
            self.keys.push(key.to_owned());
        }
        new
    }

    /// False if the key has no hold.
    pub fn release_key(&mut self, key: &str) -> bool {
        let before = self.keys.len();
        self.keys.retain(|held| held != key);
        self.keys.len() < before
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.handles.len() + self.keys.len()
    }

    /// The keys that are held, in the order in which they came.
    pub fn keys(&self) -> &[String] {
        &self.keys
    }

    /// The holders, each as often as it holds.
    pub fn holders(&self) -> impl Iterator<Item = i64> + '_ {
        self.handles.iter().map(|hold| hold.1)
    }

    /// Drops the holds of those who have gone.
    pub fn forget(&mut self, gone: &[i64]) {
        self.handles.retain(|hold| !gone.contains(&hold.1));
    }

    /// Replaces all keys; holds by handle stay.
    pub fn restore_keys(&mut self, keys: &[String]) {
        self.keys.clear();
        keys.iter().for_each(|key| {
            self.acquire_key(key);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two holders; the second one is freed.
    #[test]
    fn ex_35_e36() {
        let mut holds = Holds::default();
        let a = holds.acquire(11);
        holds.acquire(12);
        assert_eq!(holds.count(), 2);
        assert!(holds.release(a));
        assert_eq!(holds.count(), 1, "B still holds");
        holds.forget(&[12]);
        assert_eq!(holds.count(), 0, "B has gone");
    }

    #[test]
    fn a_handle_counts_once() {
        let mut holds = Holds::default();
        let first = holds.acquire(1);
        let second = holds.acquire(1);
        assert_ne!(first, second, "one object may hold twice");
        assert!(holds.release(first) && !holds.release(first) && !holds.release(99) && !holds.release(0));
        assert_eq!(holds.count(), 1);
    }

    #[test]
    fn a_key_holds_once() {
        let mut holds = Holds::default();
        assert!(holds.acquire_key("dodge") && !holds.acquire_key("dodge"));
        assert!(holds.release_key("dodge") && !holds.release_key("dodge"));
        assert_eq!(holds.count(), 0);
    }
}
