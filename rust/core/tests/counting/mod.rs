//! An allocator that counts.
#![allow(unsafe_code, reason = "only an allocator can count allocations")]
#![allow(dead_code, reason = "a test counts those of its thread or all")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

thread_local! {
    static OWN: Cell<u64> = const { Cell::new(0) };
    static HELD: Cell<i64> = const { Cell::new(0) };
}
static ALL: AtomicU64 = AtomicU64::new(0);

/// Allocations of this thread so far.
pub fn own() -> u64 {
    OWN.get()
}

/// Bytes that this thread has allocated and not freed.
pub fn held() -> i64 {
    HELD.get()
}

/// Allocations of all threads so far: for a file with one test, where nobody else counts.
pub fn all() -> u64 {
    ALL.load(Ordering::Relaxed)
}

fn count() {
    let _ = OWN.try_with(|count| count.set(count.get() + 1));
    ALL.fetch_add(1, Ordering::Relaxed);
}

fn hold(bytes: i64) {
    let _ = HELD.try_with(|held| held.set(held.get() + bytes));
}

struct Counting;

// SAFETY: everything is handed on to the system allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        hold(layout.size() as i64);
        // SAFETY: as above.
        unsafe { System.alloc(layout) }
    }
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        hold(size as i64 - layout.size() as i64);
        // SAFETY: as above.
        unsafe { System.realloc(block, layout, size) }
    }
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        hold(-(layout.size() as i64));
        // SAFETY: as above.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;
