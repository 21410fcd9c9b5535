//! From an input map to the core's plan, and what is wrong with a map.

use std::sync::Arc;

use godot::classes::{InputMap, ProjectSettings};
use godot::obj::Singleton as _;
use godot::prelude::*;
use riposte_core::graph::input::{InputPlan, MAX_PARTS, Step, Stick};
use riposte_core::tags::TagId;

use super::{ActionInput, ActionInputMap, ActionInputSequence};
use crate::base::{messages, tags};

/// An action that the map listens to.
pub(super) struct Action {
    pub name: StringName,
    /// Events of it are marked as handled.
    pub handled: bool,
}

/// A compiled map.
pub(super) struct CompiledInputs {
    pub plan: Arc<InputPlan>,
    /// By the number that the plan has for it.
    pub actions: Vec<Action>,
    /// All tags that it sends.
    pub tags: Vec<TagId>,
    /// Some sequence asks where the agent looks.
    pub mirrored: bool,
}

/// Compiles a map. What has no tag or no sound steps is left out, with an error for steps.
pub(super) fn compile(map: &Gd<ActionInputMap>) -> Arc<CompiledInputs> {
    let map = map.bind();
    let mut actions: Vec<Action> = Vec::new();
    let mut number = |name: StringName, handled: bool| {
        if let Some(at) = actions.iter().position(|action| action.name == name) {
            actions[at].handled |= handled;
            return at;
        }
        actions.push(Action { name, handled });
        actions.len() - 1
    };
    let mut inputs = Vec::new();
    for input in map.input_list() {
        let input = input.bind();
        let handled = input.handle_event;
        inputs.extend(input.spec(|name| number(name, handled)));
    }
    let mut sequences = Vec::new();
    for sequence in map.sequence_list() {
        match sequence.bind().spec() {
            Ok(spec) => sequences.push(spec),
            Err(problem) => {
                messages::error(sequence, "steps", &problem, &format!("{problem} The sequence is left out."));
            }
        }
    }
    let [left, right, up, down] = map
        .stick_actions()
        .map(|name| if name.is_empty() { None } else { Some(number(name.clone(), false)) });
    let stick = Stick { left, right, up, down, dead_zone: map.stick_deadzone };
    let tags = inputs.iter().map(|input| input.tag);
    let tags = tags.chain(sequences.iter().map(|sequence| sequence.output)).collect();
    let mirrored = sequences.iter().any(|sequence| sequence.mirrored);
    let plan = Arc::new(InputPlan::new(actions.len(), inputs, sequences, stick));
    Arc::new(CompiledInputs { plan, actions, tags, mirrored })
}

/// What is wrong with a map, for configuration warnings.
pub(super) fn problems(map: &Gd<ActionInputMap>) -> Vec<String> {
    let map = map.bind();
    let mut found = Vec::new();
    if map.null_count() > 0 {
        found.push(format!("input_map: {} elements are empty. They are skipped.", map.null_count()));
    }
    let mut actions: Vec<StringName> = map.stick_actions().into_iter().cloned().collect();
    let known: Vec<StringName> = map.input_list().iter().map(|input| input.bind().tag.clone()).collect();
    for (at, input) in map.input_list().iter().enumerate() {
        input_problems(at, &input.bind(), &mut found);
        actions.extend(input.bind().action_names());
    }
    for (at, sequence) in map.sequence_list().iter().enumerate() {
        sequence_problems(at, &sequence.bind(), &known, &mut found);
    }
    let mut told: Vec<StringName> = Vec::new();
    for action in actions.into_iter().filter(|name| !name.is_empty() && !is_known_action(name)) {
        if !told.contains(&action) {
            found.push(format!(
                "input_map: the action \"{action}\" is not in the Input Map. Add it in Project Settings, or name another."
            ));
            told.push(action);
        }
    }
    found
}

fn input_problems(at: usize, input: &ActionInput, found: &mut Vec<String>) {
    let place = format!("input_map, inputs[{at}]");
    if input.tag.is_empty() {
        found.push(format!("{place} has no tag. Name the input that it makes."));
    } else {
        found.extend(tags::warning(&format!("{place}.tag"), &input.tag.to_string()));
    }
    if input.action_names().count() > MAX_PARTS {
        found.push(format!("{place} has more than {MAX_PARTS} actions; the first {MAX_PARTS} count."));
    }
    if input.release_threshold > input.press_threshold {
        found.push(format!("{place}: release_threshold is above press_threshold, which counts instead."));
    }
}

fn sequence_problems(
    at: usize,
    sequence: &ActionInputSequence,
    known: &[StringName],
    found: &mut Vec<String>,
) {
    let place = format!("input_map, sequences[{at}]");
    let spec = match sequence.spec() {
        Ok(spec) => spec,
        Err(problem) => {
            found.push(format!("{place}: {problem}"));
            return;
        }
    };
    found.extend(tags::warning(&format!("{place}.output_tag"), &sequence.output_tag.to_string()));
    for step in &spec.steps {
        if let Step::Tag(tag) = step
            && !known.contains(&tags::name(*tag))
        {
            let name = tags::name(*tag);
            found.push(format!(
                "{place}: the step \"{name}\" is neither a direction nor the tag of an input of this map."
            ));
        }
    }
}

/// In the editor the actions of the project are in its settings only.
fn is_known_action(name: &StringName) -> bool {
    InputMap::singleton().has_action(name)
        || ProjectSettings::singleton().has_setting(&format!("input/{name}"))
}
