//! A steady tick allocates nothing.
#![allow(missing_docs, reason = "tests")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![allow(unsafe_code, reason = "a counting allocator needs it")]

#[path = "perception/scene.rs"]
#[allow(dead_code, unused_imports, reason = "shared with the other tests")]
mod scene;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use riposte_core::perception::{LineOfSight, PerceiverSettings, Question, Scope};
use riposte_core::random::draw;
use scene::*;

thread_local!(static COUNT: Cell<u64> = const { Cell::new(0) });

struct Counting;

fn count() {
    let _ = COUNT.try_with(|count| count.set(count.get() + 1));
}

// SAFETY: everything is handed on to the system allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: as above.
        unsafe { System.alloc(layout) }
    }
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: as above.
        unsafe { System.realloc(block, layout, size) }
    }
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

struct Half;

impl LineOfSight for Half {
    fn visible_points(&mut self, question: &Question<'_>) -> u16 {
        u16::from((question.perceiver.index() + question.source.index()).is_multiple_of(2))
    }
}

#[test]
fn the_counter_counts() {
    let before = COUNT.get();
    drop(std::hint::black_box(Box::new(1)));
    assert_eq!(COUNT.get(), before + 1);
}

#[test]
fn a_steady_tick_allocates_nothing() {
    let mut scene = Scene::new();
    let place = |what: &str, n: u64| v(draw(1, what, "x", n) * 80.0, 0.0, draw(1, what, "z", n) * 80.0);
    for n in 0..100 {
        let at = place("perceiver", n);
        scene.watcher(at, PerceiverSettings { manual: false, ..PerceiverSettings::default() });
    }
    for n in 0..60 {
        scene.thing(place("source", n));
    }
    let (mut events, mut scans, mut asked) = (0, 0, 0);
    let mut run = |scene: &mut Scene, ticks: std::ops::Range<u32>| {
        for n in ticks {
            // Slow circles, so that targets come and go.
            let drift = v(libm::cos(f64::from(n) * 0.01), 0.0, libm::sin(f64::from(n) * 0.01)) * 15.0;
            let mut tick = scene.world.begin(Scope::Common, 1.0 / 60.0);
            let frames = &scene.frames;
            let moved = |index: usize| {
                let mut frame = frames.sources[&index];
                frame.origin += drift;
                frame
            };
            tick.read(|key| frames.perceivers[&key.index()], |key| moved(key.index()));
            scene.world.look(&mut tick);
            tick.ask(&mut Half);
            let told = scene.world.finish(tick);
            events += told.len();
            scene.world.recycle(told);
            scans += scene.world.last_stats().scans;
            asked += scene.world.last_stats().questions;
        }
    };
    run(&mut scene, 0..2000);
    let before = COUNT.get();
    run(&mut scene, 2000..3000);
    assert_eq!(COUNT.get() - before, 0, "allocations in 1000 ticks");
    assert!(
        events > 100 && scans > 10_000 && asked > 10_000,
        "{events} events, {scans} scans, {asked} asked"
    );
}
