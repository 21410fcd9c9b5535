//! A slot arena addressed by generation-checked handles.
//!
//! A handle of something that was removed never finds what took its place.

/// Names one value of one [`Arena`]; stale after that value was removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Handle {
    index: u32,
    generation: u32,
}

impl Handle {
    /// The slot: small and dense, for tables that stand beside an arena.
    pub fn index(self) -> usize {
        self.index as usize
    }
}

/// Values that keep their handle until they are removed. Iteration is in slot order, never in hash order.
#[derive(Clone, Debug)]
pub struct Arena<T> {
    values: Vec<Option<T>>,
    /// Of each slot. Apart, so that checking a handle does not touch a line of memory for a number alone.
    generations: Vec<u32>,
    free: Vec<u32>,
    len: usize,
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Self { values: Vec::new(), generations: Vec::new(), free: Vec::new(), len: 0 }
    }
}

impl<T> Arena<T> {
    /// An empty arena.
    pub fn new() -> Self {
        Self::default()
    }

    /// Stores a value and names it.
    pub fn insert(&mut self, value: T) -> Handle {
        self.len += 1;
        if let Some(index) = self.free.pop() {
            self.values[index as usize] = Some(value);
            return Handle { index, generation: self.generations[index as usize] };
        }
        self.values.push(Some(value));
        self.generations.push(0);
        Handle { index: (self.values.len() - 1) as u32, generation: 0 }
    }

    /// Stores the value that `make` builds from its own handle.
    pub fn insert_with(&mut self, make: impl FnOnce(Handle) -> T) -> Handle {
        let (index, generation) = match self.free.last() {
            Some(index) => (*index, self.generations[*index as usize]),
            None => (self.values.len() as u32, 0),
        };
        self.insert(make(Handle { index, generation }))
    }

    /// Takes a value out; its handle is stale from now on.
    pub fn remove(&mut self, handle: Handle) -> Option<T> {
        let generation = self.generations.get_mut(handle.index as usize)?;
        if *generation != handle.generation {
            return None;
        }
        let value = self.values[handle.index as usize].take()?;
        *generation = generation.wrapping_add(1);
        self.free.push(handle.index);
        self.len -= 1;
        Some(value)
    }

    /// The value, unless the handle is stale.
    pub fn get(&self, handle: Handle) -> Option<&T> {
        let at = handle.index as usize;
        if *self.generations.get(at)? == handle.generation { self.values[at].as_ref() } else { None }
    }

    /// The value to change, unless the handle is stale.
    pub fn get_mut(&mut self, handle: Handle) -> Option<&mut T> {
        let at = handle.index as usize;
        if *self.generations.get(at)? == handle.generation { self.values[at].as_mut() } else { None }
    }

    /// How many values are stored.
    pub fn len(&self) -> usize {
        self.len
    }

    /// True when nothing is stored.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// All values with their handles, in slot order.
    pub fn iter(&self) -> impl Iterator<Item = (Handle, &T)> {
        self.values.iter().zip(&self.generations).enumerate().filter_map(|(index, (value, generation))| {
            let handle = Handle { index: index as u32, generation: *generation };
            value.as_ref().map(|value| (handle, value))
        })
    }

    /// All values to change, with their handles, in slot order.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Handle, &mut T)> {
        self.values.iter_mut().zip(&self.generations).enumerate().filter_map(
            |(index, (value, generation))| {
                let handle = Handle { index: index as u32, generation: *generation };
                value.as_mut().map(|value| (handle, value))
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stale_handle_finds_nothing_in_a_reused_slot() {
        let mut arena = Arena::new();
        let first = arena.insert("a");
        assert_eq!(arena.remove(first), Some("a"));
        let second = arena.insert("b");
        assert_eq!(arena.get(first), None);
        assert_eq!(arena.remove(first), None);
        assert_eq!(arena.get(second), Some(&"b"));
        assert_eq!(arena.len(), 1);
    }

    #[test]
    fn a_value_can_know_its_own_handle() {
        let mut arena = Arena::new();
        let first = arena.insert_with(|handle| handle);
        arena.remove(first);
        let second = arena.insert_with(|handle| handle);
        assert_eq!(arena.get(second), Some(&second));
        assert_ne!(first, second);
    }

    #[test]
    fn iteration_is_in_slot_order() {
        let mut arena = Arena::new();
        let handles: Vec<_> = (0..4).map(|n| arena.insert(n)).collect();
        arena.remove(handles[1]);
        assert_eq!(arena.iter().map(|(_, v)| *v).collect::<Vec<_>>(), vec![0, 2, 3]);
    }
}
