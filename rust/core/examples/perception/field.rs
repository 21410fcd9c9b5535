//! Where everybody is, and what stands in between.

use glam::{DMat3, DVec3};
use riposte_core::perception::{Frame, LineOfSight, Question};
use riposte_core::random::mix;

use crate::bench::Random;

pub const STEP: f64 = 1.0 / 60.0;
/// Steps per round: every perceiver scans ten times.
pub const STEPS: usize = 60;
pub const SPEED: f64 = 2.0;
/// Agent ids of sources from here on.
pub const FIRST_SOURCE: i64 = 1_000_000;

/// Where everybody is.
pub struct Field {
    pub side: f64,
    pub perceivers: Vec<Frame>,
    pub sources: Vec<DVec3>,
    pub headings: Vec<DVec3>,
}

impl Field {
    pub fn new(perceivers: usize, sources: usize, side: f64) -> Self {
        let mut random = Random::new(1);
        let mut turned = |scale: f64| DMat3::from_rotation_y(random.range(-scale, scale));
        let turns: Vec<DMat3> = (0..perceivers + sources).map(|_| turned(std::f64::consts::PI)).collect();
        let mut place = || DVec3::new(random.range(0.0, side), 0.0, random.range(0.0, side));
        Self {
            side,
            perceivers: turns[..perceivers]
                .iter()
                .map(|basis| Frame { origin: place(), basis: *basis })
                .collect(),
            sources: (0..sources).map(|_| place()).collect(),
            headings: turns[perceivers..].iter().map(|basis| *basis * DVec3::NEG_Z * SPEED).collect(),
        }
    }

    pub fn walk(&mut self) {
        for (at, heading) in self.sources.iter_mut().zip(&mut self.headings) {
            *at += *heading * STEP;
            for axis in [0, 2] {
                if at[axis] < 0.0 || at[axis] > self.side {
                    heading[axis] = -heading[axis];
                }
            }
            *at = at.clamp(DVec3::ZERO, DVec3::splat(self.side));
        }
    }
}

/// Says for half of all pairs that there is a wall between them.
#[derive(Clone, Copy)]
pub struct Table {
    pub blocks: bool,
}

impl Table {
    pub fn is_visible(self, perceiver: usize, source: usize) -> bool {
        !self.blocks || mix((perceiver * 100_003 + source) as u64) & 1 == 0
    }
}

impl LineOfSight for Table {
    fn visible_points(&mut self, question: &Question<'_>) -> u16 {
        u16::from(self.is_visible(question.perceiver.index(), question.source.index()))
    }
}
