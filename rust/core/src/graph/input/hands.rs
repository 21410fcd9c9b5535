//! What the devices do at this moment: strengths by source, and which parts of inputs are down.

use glam::DVec2;

use super::plan::{InputPlan, InputSpec};

/// A key, button or axis of one device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceId(pub u64);

/// How strongly an event pushes an action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// The number of the action in the map.
    pub action: usize,
    /// 0 to 1, as the thresholds of inputs see it.
    pub strength: f64,
    /// 0 to 1 without any dead zone, for the stick.
    pub raw: f64,
}

#[derive(Clone, Copy, Debug)]
struct Push {
    source: SourceId,
    strength: f64,
    raw: f64,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Hands {
    /// By action: sources that push it.
    pushes: Vec<Vec<Push>>,
    /// By input: its parts that are down.
    masks: Vec<u32>,
}

impl Hands {
    pub fn new(plan: &InputPlan) -> Self {
        Self { pushes: vec![Vec::new(); plan.actions], masks: vec![0; plan.inputs.len()] }
    }

    pub fn mask(&self, input: usize) -> u32 {
        self.masks[input]
    }

    /// Takes a strength; calls `changed` with every input whose parts it changes, and what they are now.
    pub fn take(
        &mut self,
        plan: &InputPlan,
        source: SourceId,
        event: Strength,
        mut changed: impl FnMut(usize, u32),
    ) {
        let Some(pushes) = self.pushes.get_mut(event.action) else { return };
        pushes.retain(|push| push.source != source);
        if event.strength > 0.0 || event.raw > 0.0 {
            pushes.push(Push { source, strength: event.strength, raw: event.raw });
        }
        for (input, part) in &plan.parts[event.action] {
            let mask = with_part(&plan.inputs[*input], self.masks[*input], *part, pushes);
            if mask != self.masks[*input] {
                self.masks[*input] = mask;
                changed(*input, mask);
            }
        }
    }

    /// Takes what all devices do now in place of what was heard of them.
    pub fn replace(&mut self, plan: &InputPlan, now: &[(SourceId, Strength)]) {
        self.pushes.iter_mut().for_each(Vec::clear);
        for (source, event) in now {
            if let Some(pushes) = self.pushes.get_mut(event.action) {
                pushes.push(Push { source: *source, strength: event.strength, raw: event.raw });
            }
        }
        for (pushes, parts) in self.pushes.iter().zip(&plan.parts) {
            for (input, part) in parts {
                let mask = with_part(&plan.inputs[*input], self.masks[*input], *part, pushes);
                self.masks[*input] = mask;
            }
        }
    }

    /// All that is pushed.
    pub fn pushed(&self) -> Vec<(SourceId, Strength)> {
        let all = self.pushes.iter().enumerate().flat_map(|(action, pushes)| {
            let strength = move |push: &Push| Strength { action, strength: push.strength, raw: push.raw };
            pushes.iter().map(move |push| (push.source, strength(push)))
        });
        all.collect()
    }

    /// Nothing is pushed any more.
    pub fn clear(&mut self) {
        self.pushes.iter_mut().for_each(Vec::clear);
        self.masks.fill(0);
    }

    /// The stick: its middle is (0, 0), up is (0, -1), its length at most 1.
    pub fn stick(&self, plan: &InputPlan) -> DVec2 {
        let raw = |action: Option<usize>| {
            let pushes = action.and_then(|action| self.pushes.get(action));
            pushes.map_or(0.0, |pushes| pushes.iter().map(|push| push.raw).fold(0.0, f64::max))
        };
        let stick = &plan.stick;
        let at = DVec2::new(raw(stick.right) - raw(stick.left), raw(stick.down) - raw(stick.up));
        if at.length() < stick.dead_zone { DVec2::ZERO } else { at.clamp_length_max(1.0) }
    }
}

/// The parts of an input that are down after the strengths of one of them changed.
fn with_part(input: &InputSpec, mask: u32, part: u32, pushes: &[Push]) -> u32 {
    let strongest = pushes.iter().map(|push| push.strength).fold(0.0, f64::max);
    let down = mask & part != 0;
    let stays = if down { strongest >= input.release_threshold.max(f64::MIN_POSITIVE) } else { false };
    if stays || strongest >= input.press_threshold { mask | part } else { mask & !part }
}
