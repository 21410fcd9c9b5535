//! Threads for the maths of scans.
//!
//! Plain data goes in and out by value, so nothing is borrowed across threads: while the scans are done, the world and
//! the tick are in the job that all threads read. Each part of the scans has a list of its own, and the lists are put
//! together in order, so who did which part leaves no trace. Nothing is allocated per tick.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};
use std::thread::JoinHandle;

use super::sight::Found;
use super::tick::Tick;
use super::world::PerceptionWorld;

/// With fewer due scans waking threads costs more than they save.
const FEWEST_SCANS: usize = 64;
/// More threads than this are idle most of the time.
const MOST_AUTOMATIC: usize = 4;
const MOST: usize = 64;
/// Parts per thread: some scans take longer than others.
const PARTS: usize = 4;

/// The threads, waiting for work.
#[derive(Debug)]
pub(super) struct Workers {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    job: RwLock<Job>,
    /// What the scans of each part found.
    found: Vec<Mutex<Found>>,
    /// The next part that nobody has begun. Taken only while the job is read.
    next: AtomicUsize,
    progress: Mutex<Progress>,
    begun: Condvar,
    over: Condvar,
}

#[derive(Debug, Default)]
struct Job {
    world: PerceptionWorld,
    tick: Tick,
}

#[derive(Debug, Default)]
struct Progress {
    job: u64,
    parts_done: usize,
    stop: bool,
}

/// Counts a part as done, whatever happens to it.
struct Part<'a>(&'a Shared);

impl Drop for Part<'_> {
    fn drop(&mut self) {
        let mut progress = lock(&self.0.progress);
        progress.parts_done += 1;
        if progress.parts_done >= self.0.found.len() {
            self.0.over.notify_all();
        }
    }
}

/// A thread that panicked leaves data that is thrown away, so its locks are as good as any.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Workers {
    /// Starts as many threads as the system lets it, `wanted` at the most.
    fn new(wanted: usize) -> Self {
        let found = (0..(wanted + 1) * PARTS).map(|_| Mutex::default()).collect();
        let shared = Arc::new(Shared { found, ..Shared::default() });
        let start = |number: usize| {
            let shared = Arc::clone(&shared);
            let thread = std::thread::Builder::new().name(format!("riposte {number}"));
            thread.spawn(move || shared.serve()).ok()
        };
        let threads = (0..wanted).map_while(start).collect();
        Self { shared, threads }
    }

    /// Does the due scans of a tick. False if a part is missing, because its thread panicked.
    fn scan(&self, world: &mut PerceptionWorld, tick: &mut Tick) -> bool {
        let shared = &self.shared;
        let due = tick.due.len();
        {
            let mut job = shared.job.write().unwrap_or_else(PoisonError::into_inner);
            std::mem::swap(&mut job.world, world);
            std::mem::swap(&mut job.tick, tick);
            shared.next.store(0, Ordering::Relaxed);
            let mut progress = lock(&shared.progress);
            progress.job += 1;
            progress.parts_done = 0;
        }
        // As many as there is work for; those that sleep on are not missed.
        for _ in 0..(due / FEWEST_SCANS).min(self.threads.len()) {
            shared.begun.notify_one();
        }
        shared.work();
        let mut progress = lock(&shared.progress);
        while progress.parts_done < shared.found.len() {
            progress = shared.over.wait(progress).unwrap_or_else(PoisonError::into_inner);
        }
        drop(progress);
        let mut job = shared.job.write().unwrap_or_else(PoisonError::into_inner);
        std::mem::swap(&mut job.world, world);
        std::mem::swap(&mut job.tick, tick);
        for part in &shared.found {
            tick.found.append(&mut lock(part));
        }
        tick.found.scans.len() == due
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        lock(&self.shared.progress).stop = true;
        self.shared.begun.notify_all();
        for thread in self.threads.drain(..) {
            // One that panicked is over all the same.
            let _ = thread.join();
        }
    }
}

impl Shared {
    /// The life of a thread.
    fn serve(&self) {
        let mut done = 0;
        loop {
            let mut progress = lock(&self.progress);
            while progress.job == done && !progress.stop {
                progress = self.begun.wait(progress).unwrap_or_else(PoisonError::into_inner);
            }
            if progress.stop {
                return;
            }
            done = progress.job;
            drop(progress);
            self.work();
        }
    }

    fn read(&self) -> RwLockReadGuard<'_, Job> {
        self.job.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does parts until all are taken.
    fn work(&self) {
        let job = self.read();
        let (parts, due) = (self.found.len(), job.tick.due.len());
        loop {
            let part = self.next.fetch_add(1, Ordering::Relaxed);
            if part >= parts {
                return;
            }
            let _done = Part(self);
            let mut found = lock(&self.found[part]);
            found.clear();
            job.world.scan_part(&job.tick, due * part / parts..due * (part + 1) / parts, &mut found);
        }
    }
}

/// How many threads a setting means.
fn wanted(workers: i32) -> usize {
    match usize::try_from(workers) {
        Ok(number) => number.min(MOST),
        Err(_) => {
            let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
            // One core ticks, one draws or steps the physics; a thread that has to wait for a core costs more than it saves.
            cores.saturating_sub(2).min(MOST_AUTOMATIC)
        }
    }
}

impl PerceptionWorld {
    /// Does the due scans with the help of other threads. False if they are few, or there are no threads.
    pub(super) fn scan_on_workers(&mut self, tick: &mut Tick) -> bool {
        if tick.due.len() < FEWEST_SCANS || self.settings.workers == 0 {
            return false;
        }
        let setting = self.settings.workers;
        let workers = self.workers.take().unwrap_or_else(|| Workers::new(wanted(setting)));
        let done = !workers.threads.is_empty() && workers.scan(self, tick);
        self.workers = Some(workers);
        if !done {
            tick.found.clear();
        }
        done
    }

    /// Ends the threads that help with scans. The next tick that wants some starts new ones.
    pub fn stop_workers(&mut self) {
        self.workers = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn none_automatic_and_a_number() {
        assert_eq!(wanted(0), 0);
        assert_eq!(wanted(3), 3);
        assert_eq!(wanted(i32::MAX), MOST);
        assert!(wanted(-1) <= MOST_AUTOMATIC);
    }

    #[test]
    fn threads_end_with_their_owner() {
        let workers = Workers::new(3);
        let shared = Arc::downgrade(&workers.shared);
        drop(workers);
        assert!(shared.upgrade().is_none());
    }
}
