//! How an agent moves while an animation of it plays: windows of warping that are markers of the animation, the guard of
//! ledges, the lock of its rotation.

use std::cell::{Cell, RefCell};

use godot::classes::Animation;
use godot::prelude::*;
use riposte_core::motion::{WindowChange, WindowTrack, marked_windows};

use crate::motion::{Movement, Moving, Windows};

/// One run's part of it.
pub(super) struct AnimationMotion {
    movement: Movement,
    agent: Cell<Option<InstanceId>>,
    moving: RefCell<Option<Moving>>,
    track: RefCell<WindowTrack>,
}

impl AnimationMotion {
    pub(super) fn new(movement: Movement) -> Self {
        Self {
            movement,
            agent: Cell::new(None),
            moving: RefCell::new(None),
            track: RefCell::new(WindowTrack::default()),
        }
    }

    /// The animation plays now. Runs handlers of the game, as everything below.
    pub(super) fn begin(&self, agent: InstanceId, holder: InstanceId, target: Option<&Gd<Node>>) {
        self.agent.set(Some(agent));
        let moving = self.movement.begin(agent, holder, target);
        let before = self.moving.replace(Some(moving));
        if let Some(before) = before {
            before.release();
        }
    }

    /// Reads the windows of the animation that plays.
    pub(super) fn watch(&self, animation: &Gd<Animation>) {
        let Some(windows) = self.windows() else { return };
        let names = animation.get_marker_names();
        let markers: Vec<_> = names
            .as_slice()
            .iter()
            .map(|name| (name.to_string(), animation.get_marker_time(&StringName::from(name))))
            .collect();
        let found = marked_windows(&windows.prefix(), &markers, f64::from(animation.get_length()));
        self.track.replace(WindowTrack::new(found));
    }

    /// The animation is at this second of it, and plays at this speed.
    pub(super) fn moved(&self, position: f64, speed: f64) {
        if self.track.borrow().is_empty() {
            return;
        }
        let changes = self.track.borrow_mut().moved(position, speed);
        self.perform(changes);
    }

    /// It does not play any more.
    pub(super) fn stopped(&self) {
        let changes = self.track.borrow_mut().stopped();
        self.perform(changes);
    }

    pub(super) fn retarget(&self, target: Option<&Gd<Node>>) {
        if let (Some(agent), Some(moving)) = (self.agent.get(), self.moving.borrow_mut().as_mut()) {
            self.movement.retarget(moving, agent, target);
        }
    }

    /// The run is over.
    pub(super) fn release(&self) {
        self.stopped();
        let moving = self.moving.take();
        if let Some(moving) = moving {
            moving.release();
        }
    }

    fn windows(&self) -> Option<Windows> {
        self.agent.get().and_then(Windows::of)
    }

    fn perform(&self, changes: Vec<WindowChange>) {
        for change in changes {
            let Some(windows) = self.windows() else { return };
            match change {
                WindowChange::Open(name, seconds) => windows.open(&name, seconds),
                WindowChange::Close(name) => windows.close(&name),
            }
        }
    }
}
