//! A compiled input map: which actions make which input. Made once per map and shared by all players.

use crate::graph::direction::Way;
use crate::tags::TagId;

/// How many actions a chord may have.
pub const MAX_PARTS: usize = 32;

/// A threshold below it would never be left.
const WEAKEST: f64 = 1e-3;

/// When an input counts as pressed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Trigger {
    /// As soon as it goes down.
    Press,
    /// When it was down for these seconds.
    Hold(f64),
}

/// What becomes of an input while the player stands still.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stay {
    /// It waits and does not age.
    #[default]
    Keep,
    /// It waits and ages.
    Age,
    /// It is dropped.
    Drop,
}

/// What becomes of an input in hit-stop and pause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InputPolicy {
    /// While the player is frozen.
    pub in_freeze: Stay,
    /// While its node is paused. Nothing ages in a pause.
    pub in_pause: Stay,
}

/// One input of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct InputSpec {
    /// What the moveset knows it by.
    pub tag: TagId,
    /// The numbers of the actions that have to be down, at most [`MAX_PARTS`]. Without any it is only pushed by scripts.
    pub actions: Vec<usize>,
    /// When it counts as pressed.
    pub trigger: Trigger,
    /// An action is down from this strength on.
    pub press_threshold: f64,
    /// It is up again when all its sources are below this strength.
    pub release_threshold: f64,
    /// A chord: how long inputs of its parts are held back. 0: not at all.
    pub chord_seconds: f64,
    /// Hit-stop and pause.
    pub policy: InputPolicy,
}

impl InputSpec {
    /// All parts of it.
    pub(super) fn full(&self) -> u32 {
        ((1_u64 << self.actions.len().min(MAX_PARTS)) - 1) as u32
    }

    fn is_part_of(&self, chord: &Self) -> bool {
        !self.actions.is_empty()
            && self.actions.len() < chord.actions.len()
            && self.actions.iter().all(|action| chord.actions.contains(action))
    }
}

/// One step of a sequence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// The stick comes to this way.
    Way(Way),
    /// The stick was at this way for these seconds.
    Held(Way, f64),
    /// The input with this tag is pressed.
    Tag(TagId),
}

/// Inputs and directions that together make another input.
#[derive(Clone, Debug, PartialEq)]
pub struct SequenceSpec {
    /// The input that they make.
    pub output: TagId,
    /// What has to come, in this order.
    pub steps: Vec<Step>,
    /// The longest time between two steps.
    pub max_step_gap: f64,
    /// The longest time from the first step to the last. 0: any.
    pub max_total: f64,
    /// Forward is to the left while the character looks to the left.
    pub mirrored: bool,
    /// No other direction may come between.
    pub strict: bool,
}

/// The four actions of the stick, and its dead zone.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stick {
    /// The number of the action to the left.
    pub left: Option<usize>,
    /// To the right.
    pub right: Option<usize>,
    /// Up.
    pub up: Option<usize>,
    /// Down.
    pub down: Option<usize>,
    /// Below this length the stick is in its middle.
    pub dead_zone: f64,
}

/// A compiled input map.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InputPlan {
    pub(super) inputs: Vec<InputSpec>,
    pub(super) sequences: Vec<SequenceSpec>,
    pub(super) stick: Stick,
    pub(super) actions: usize,
    /// The inputs with the most parts first, then as in the map.
    pub(super) ranked: Vec<usize>,
    /// The sequences with the most steps first, then as in the map.
    pub(super) longest: Vec<usize>,
    /// By input: for how long it is held back for a chord.
    pub(super) held_back: Vec<f64>,
    /// By action: the inputs it is a part of, and which part.
    pub(super) parts: Vec<Vec<(usize, u32)>>,
}

impl InputPlan {
    /// A map of `actions` actions. Inputs may name the numbers below it.
    pub fn new(
        actions: usize,
        mut inputs: Vec<InputSpec>,
        sequences: Vec<SequenceSpec>,
        stick: Stick,
    ) -> Self {
        for input in &mut inputs {
            tidy(input, actions);
        }
        let mut ranked: Vec<usize> = (0..inputs.len()).collect();
        ranked.sort_by_key(|at| std::cmp::Reverse(inputs[*at].actions.len()));
        let mut longest: Vec<usize> = (0..sequences.len()).collect();
        longest.sort_by_key(|at| std::cmp::Reverse(sequences[*at].steps.len()));
        let held_back = inputs.iter().map(|input| longest_wait(input, &inputs)).collect();
        let mut parts = vec![Vec::new(); actions];
        for (at, input) in inputs.iter().enumerate() {
            for (part, action) in input.actions.iter().enumerate() {
                parts[*action].push((at, 1 << part));
            }
        }
        Self { inputs, sequences, stick, actions, ranked, longest, held_back, parts }
    }

    /// The inputs, as in the map.
    pub fn inputs(&self) -> &[InputSpec] {
        &self.inputs
    }

    /// The sequences, as in the map.
    pub fn sequences(&self) -> &[SequenceSpec] {
        &self.sequences
    }

    /// What becomes of an input in hit-stop and pause. One that the map does not have is kept.
    pub fn policy(&self, tag: TagId) -> InputPolicy {
        self.input_of(tag).map(|at| self.inputs[at].policy).unwrap_or_default()
    }

    /// The first input with this tag.
    pub(super) fn input_of(&self, tag: TagId) -> Option<usize> {
        self.inputs.iter().position(|input| input.tag == tag)
    }

    pub(super) fn is_part(&self, part: usize, chord: usize) -> bool {
        self.inputs[part].is_part_of(&self.inputs[chord])
    }
}

/// Actions that are there, each once; thresholds in order.
fn tidy(input: &mut InputSpec, actions: usize) {
    let mut seen = Vec::new();
    input.actions.retain(|action| {
        let fresh = *action < actions && !seen.contains(action) && seen.len() < MAX_PARTS;
        seen.push(*action);
        fresh
    });
    input.press_threshold = input.press_threshold.max(WEAKEST);
    input.release_threshold = input.release_threshold.min(input.press_threshold);
}

fn longest_wait(input: &InputSpec, all: &[InputSpec]) -> f64 {
    let chords = all.iter().filter(|chord| input.is_part_of(chord));
    chords.map(|chord| chord.chord_seconds).fold(0.0, f64::max)
}
