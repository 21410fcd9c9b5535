use godot::prelude::*;
use riposte_core::graph::direction::Way;
use riposte_core::graph::input::{SequenceSpec, Step};

use crate::action::resource_class::{SpecChecks, resource_class};
use crate::base::numbers::Checked;
use crate::base::tags;

resource_class! {
    /// A motion input: directions of the stick, and inputs, that together make another input.
    ///
    /// Put it into [member ActionInputMap.sequences]. The input it makes is pressed with its last step, before the input of that
    /// step itself, which is walked only if nothing came of the motion. It is released when the last step is: the button goes
    /// up, the stick leaves the direction.
    /// [codeblock]
    /// var fireball := ActionInputSequence.new()
    /// fireball.output_tag = &"Input.Fireball"
    /// fireball.steps = ["down", "down_forward", "forward", "Input.LightAttack"]
    /// [/codeblock]
    class ActionInputSequence;
    properties {
        /// The input that it makes. Without one the sequence does nothing.
        #[export]
        output_tag: StringName = (StringName::default()) => set_output_tag(tag);
        /// What has to come, in this order: [code]up[/code], [code]up_forward[/code], [code]forward[/code],
        /// [code]down_forward[/code], [code]down[/code], [code]down_back[/code], [code]back[/code], [code]up_back[/code],
        /// [code]neutral[/code]; one that is held, as [code]back*0.8[/code] for 0.8 s; or the tag of an input. Forward is to the
        /// right, see [member mirror].
        #[export]
        steps: PackedStringArray = (PackedStringArray::new()) => set_steps(any);
        /// The longest time from one step to the next, on the clock of the [ActionGraphPlayer]. Default 0.2 s.
        #[export(range = (0.01, 2.0, 0.01, or_greater, suffix = "s"))]
        max_step_gap: f64 = 0.2 => set_max_step_gap(not_negative);
        /// The longest time from the first step to the last; the time that a first step is held for is no part of it. 0: any.
        /// Default 0.6 s.
        #[export(range = (0.0, 5.0, 0.01, or_greater, suffix = "s"))]
        max_total: f64 = 0.6 => set_max_total(not_negative);
        /// Whether forward and back change sides, one of the `MIRROR_*` constants. Default MIRROR_NONE.
        #[export]
        mirror: i64 = (Self::MIRROR_NONE) => set_mirror(constant, 0, 1) choices "None:0,Facing X:1";
        /// On: no other direction may come between two steps. Off, the default: a stick may pass others on its way.
        #[export]
        strict: bool = false => set_strict(any);
    }
    items {
        /// Forward is to the right.
        #[constant]
        const MIRROR_NONE: i64 = 0;
        /// Forward is to the left while the agent looks to the left (its facing has a negative X).
        #[constant]
        const MIRROR_FACING_X: i64 = 1;
    }
}

impl ActionInputSequence {
    /// The tags among its steps.
    pub(super) fn step_names(&self) -> Vec<String> {
        self.steps.as_slice().iter().map(GString::to_string).collect()
    }

    /// What the core makes of it, or what is wrong with it.
    pub(super) fn spec(&self) -> Result<SequenceSpec, String> {
        let output = match self.output_tag.to_string() {
            name if name.is_empty() => Err("output_tag is empty. Name the input that it makes.".to_owned()),
            name => tags::intern(&name).map_err(|problem| format!("output_tag: {problem}.")),
        }?;
        let names = self.step_names();
        if names.is_empty() {
            return Err("steps is empty. Name directions and inputs.".to_owned());
        }
        let steps: Result<Vec<Step>, String> =
            names.iter().enumerate().map(|(at, name)| step(at, name)).collect();
        Ok(SequenceSpec {
            output,
            steps: steps?,
            max_step_gap: self.max_step_gap,
            max_total: self.max_total,
            mirrored: self.mirror == Self::MIRROR_FACING_X,
            strict: self.strict,
        })
    }
}

/// One step as it is written.
fn step(at: usize, name: &str) -> Result<Step, String> {
    let wrong = || {
        format!(
            "steps[{at}] = \"{name}\" is no step. Use a direction such as down_forward, a held one such as back*0.8, or the tag \
             of an input."
        )
    };
    if let Some(way) = Way::from_name(name) {
        return Ok(Step::Way(way));
    }
    if let Some((way, seconds)) = name.split_once('*') {
        let way = Way::from_name(way.trim()).ok_or_else(wrong)?;
        let seconds =
            seconds.trim().parse::<f64>().ok().filter(|seconds| seconds.is_finite() && *seconds >= 0.0);
        return seconds.map(|seconds| Step::Held(way, seconds)).ok_or_else(wrong);
    }
    tags::intern(name).map(Step::Tag).map_err(|_| wrong())
}
