//! Combat tokens: permission slots per target and tag, so that not all attack at once.

use std::collections::BTreeMap;

use super::TargetKey;
use crate::tags::TagId;

/// What a run took, until it gives it back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TokenClaim(u64);

/// Slots came or went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenChange {
    /// Whose slots.
    pub target: TargetKey,
    /// Which ones.
    pub tag: TagId,
    /// Who has or had them.
    pub holder: TargetKey,
    /// How many.
    pub count: u32,
}

/// What a run wants.
#[derive(Clone, Copy, Debug)]
pub struct TokenWish<'a> {
    /// Who runs it.
    pub holder: TargetKey,
    /// On whom.
    pub target: TargetKey,
    /// Each tag once, with its cost.
    pub costs: &'a [(TagId, u32)],
    /// Claims of the runs that end for it: their slots count as free.
    pub replaced: &'a [TokenClaim],
}

#[derive(Clone, Copy, Debug)]
struct Slots {
    change: TokenChange,
    /// `None`: a script took them.
    claim: Option<TokenClaim>,
    /// Slots are given back in the order in which they were taken.
    taken: u64,
}

/// How many slots there are, and who holds them.
#[derive(Clone, Debug, Default)]
pub struct TokenPools {
    project: BTreeMap<TagId, u32>,
    default: u32,
    pools: BTreeMap<TagId, u32>,
    targets: BTreeMap<(TargetKey, TagId), u32>,
    held: BTreeMap<(TargetKey, TagId), Vec<Slots>>,
    count: u64,
}

impl TokenPools {
    /// Nobody holds anything, and there are no slots yet.
    pub const fn new() -> Self {
        Self {
            project: BTreeMap::new(),
            default: 0,
            pools: BTreeMap::new(),
            targets: BTreeMap::new(),
            held: BTreeMap::new(),
            count: 0,
        }
    }

    /// What the project says: slots by tag, and those of every other tag.
    pub fn set_project(&mut self, pools: BTreeMap<TagId, u32>, default: u32) {
        (self.project, self.default) = (pools, default);
    }

    /// Slots of a tag on every target; `None`: as the project says.
    pub fn set_pool_capacity(&mut self, tag: TagId, capacity: Option<u32>) {
        match capacity {
            Some(capacity) => self.pools.insert(tag, capacity),
            None => self.pools.remove(&tag),
        };
    }

    /// Slots of a tag on one target; `None`: as on all others.
    pub fn set_target_capacity(&mut self, target: TargetKey, tag: TagId, capacity: Option<u32>) {
        match capacity {
            Some(capacity) => self.targets.insert((target, tag), capacity),
            None => self.targets.remove(&(target, tag)),
        };
    }

    /// How many targets have numbers of their own.
    pub fn target_capacities(&self) -> usize {
        self.targets.len()
    }

    /// Forgets the numbers of targets that are gone.
    pub fn keep_targets(&mut self, keep: impl Fn(TargetKey) -> bool) {
        self.targets.retain(|(target, _), _| keep(*target));
    }

    /// How many slots there are.
    pub fn capacity(&self, target: TargetKey, tag: TagId) -> u32 {
        let own = self.targets.get(&(target, tag));
        let pool = own.or_else(|| self.pools.get(&tag)).or_else(|| self.project.get(&tag));
        pool.copied().unwrap_or(self.default)
    }

    /// How many slots nobody holds.
    pub fn free(&self, target: TargetKey, tag: TagId) -> u32 {
        self.capacity(target, tag).saturating_sub(self.used(target, tag, |_| true))
    }

    /// How many slots no other than this one holds.
    pub fn free_for(&self, holder: TargetKey, target: TargetKey, tag: TagId) -> u32 {
        let others = self.used(target, tag, |slots| slots.change.holder != holder);
        self.capacity(target, tag).saturating_sub(others)
    }

    /// Who holds slots, those that took theirs first in front, each once.
    pub fn holders(&self, target: TargetKey, tag: TagId) -> Vec<TargetKey> {
        let mut holders = Vec::new();
        for slots in self.slots(target, tag) {
            if !holders.contains(&slots.change.holder) {
                holders.push(slots.change.holder);
            }
        }
        holders
    }

    /// Somebody holds something.
    pub fn is_held(&self) -> bool {
        !self.held.is_empty()
    }

    /// A script takes slots for a node; `None` if too few are free.
    pub fn acquire(
        &mut self,
        holder: TargetKey,
        target: TargetKey,
        tag: TagId,
        count: u32,
    ) -> Option<TokenChange> {
        if count > self.free(target, tag) {
            return None;
        }
        let change = TokenChange { target, tag, holder, count };
        self.take(change, None);
        Some(change)
    }

    /// A run takes all that it wants, or nothing. Slots that a script took for the holder count towards the costs, and
    /// stay when the run gives its own back.
    pub fn claim(&mut self, wish: &TokenWish) -> Option<(TokenClaim, Vec<TokenChange>)> {
        let TokenWish { holder, target, costs, .. } = *wish;
        let mut changes = Vec::new();
        for (tag, cost) in costs {
            let count = cost.saturating_sub(self.reserved(holder, target, *tag));
            let stays = |slots: &Slots| slots.claim.is_none_or(|claim| !wish.replaced.contains(&claim));
            let free = self.capacity(target, *tag).saturating_sub(self.used(target, *tag, stays));
            if count > free {
                return None;
            }
            if count > 0 {
                changes.push(TokenChange { target, tag: *tag, holder, count });
            }
        }
        self.count += 1;
        let claim = TokenClaim(self.count);
        changes.iter().for_each(|change| self.take(*change, Some(claim)));
        Some((claim, changes))
    }

    /// A run gives back what it took and still has.
    pub fn give_back(&mut self, claim: TokenClaim) -> Vec<TokenChange> {
        self.drop_where(|slots| slots.claim == Some(claim))
    }

    /// A holder gives back all slots of a tag on a target, whoever took them for it.
    pub fn release(&mut self, holder: TargetKey, target: TargetKey, tag: TagId) -> Vec<TokenChange> {
        self.drop_where(|slots| {
            let change = slots.change;
            (change.holder, change.target, change.tag) == (holder, target, tag)
        })
    }

    /// A holder gives back everything.
    pub fn release_holder(&mut self, holder: TargetKey) -> Vec<TokenChange> {
        self.drop_where(|slots| slots.change.holder == holder)
    }

    /// A node is gone: what it holds and what is held on it.
    pub fn release_node(&mut self, node: TargetKey) -> Vec<TokenChange> {
        self.drop_where(|slots| slots.change.holder == node || slots.change.target == node)
    }

    /// The same for all nodes that are not there any more.
    pub fn keep_nodes(&mut self, keep: impl Fn(TargetKey) -> bool) -> Vec<TokenChange> {
        self.drop_where(|slots| !keep(slots.change.holder) || !keep(slots.change.target))
    }

    fn slots(&self, target: TargetKey, tag: TagId) -> &[Slots] {
        self.held.get(&(target, tag)).map_or(&[], Vec::as_slice)
    }

    fn used(&self, target: TargetKey, tag: TagId, counts: impl Fn(&Slots) -> bool) -> u32 {
        let slots = self.slots(target, tag).iter().filter(|slots| counts(slots));
        slots.map(|slots| slots.change.count).fold(0, u32::saturating_add)
    }

    /// What a script took for the holder.
    fn reserved(&self, holder: TargetKey, target: TargetKey, tag: TagId) -> u32 {
        self.used(target, tag, |slots| slots.change.holder == holder && slots.claim.is_none())
    }

    fn take(&mut self, change: TokenChange, claim: Option<TokenClaim>) {
        self.count += 1;
        let slots = Slots { change, claim, taken: self.count };
        self.held.entry((change.target, change.tag)).or_default().push(slots);
    }

    fn drop_where(&mut self, gone: impl Fn(&Slots) -> bool) -> Vec<TokenChange> {
        let mut dropped: Vec<Slots> = Vec::new();
        self.held.retain(|_, held| {
            dropped.extend(held.iter().filter(|slots| gone(slots)));
            held.retain(|slots| !gone(slots));
            !held.is_empty()
        });
        dropped.sort_by_key(|slots| slots.taken);
        dropped.into_iter().map(|slots| slots.change).collect()
    }
}
