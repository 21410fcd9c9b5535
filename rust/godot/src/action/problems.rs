//! What is wrong with an action set, for `validate()` and for the configuration warnings of nodes that use it.

use godot::prelude::*;

use super::spec_class::Spec;
use super::{hook_part, parts, token_pools};

/// One thing to mend.
pub(crate) struct Problem {
    /// Something is left out because of it. Else it is only suspicious.
    pub(crate) is_error: bool,
    /// The action; empty for the set.
    pub(crate) action: StringName,
    /// What and how to mend it.
    pub(crate) message: String,
}

/// Looks at the actions of a set. Runs scripts: nothing may be bound or locked.
pub(crate) fn find<S: Spec>(specs: &[Gd<S>], nulls: usize, fallback: &StringName) -> Vec<Problem> {
    let mut found = Vec::new();
    if nulls > 0 {
        let message = format!("{}: {nulls} empty elements are left out. Fill or remove them.", S::LIST);
        found.push(Problem { is_error: false, action: StringName::default(), message });
    }
    let ids: Vec<StringName> = specs.iter().map(|spec| spec.bind().id()).collect();
    if !fallback.is_empty() && !ids.contains(fallback) {
        let message = format!(
            "fallback_action names \"{fallback}\", which is not in the set, so nothing falls back. Add it, or clear the name."
        );
        found.push(Problem { is_error: false, action: fallback.clone(), message });
    }
    for (index, spec) in specs.iter().enumerate() {
        look_at(spec, index, &ids, &mut found);
    }
    found
}

fn look_at<S: Spec>(spec: &Gd<S>, index: usize, ids: &[StringName], found: &mut Vec<Problem>) {
    let (id, list, kind) = (&ids[index], S::LIST, S::KIND);
    let mut say =
        |is_error: bool, message: String| found.push(Problem { is_error, action: id.clone(), message });
    if id.is_empty() {
        say(true, format!("{list}[{index}] has no {kind}_id and is left out. Give it one."));
    } else if ids[..index].contains(id) {
        say(
            true,
            format!(
                "{list}[{index}]: the {kind}_id \"{id}\" is taken; the first one counts. Give it another."
            ),
        );
    }
    let method = spec.bind().method();
    match method.map(|method| parts::method_definition(&method)) {
        None => say(true, format!("There is no execution_method, so the {kind} is never chosen. Set one.")),
        Some(Err(problem)) => say(true, problem),
        Some(Ok(_)) => {}
    }
    let scorers = spec.bind().scorers();
    for (index, problem) in scorers.iter().map(parts::scorer_warning).enumerate() {
        if let Some(problem) = problem {
            say(false, format!("scorers[{index}]: {problem}"));
        }
    }
    let gates = spec.bind().gates();
    for (index, gate) in gates.iter().enumerate() {
        for problem in parts::gate_warnings(gate) {
            say(false, format!("gates[{index}]: {problem}"));
        }
    }
    for problem in token_pools::too_dear(gates.iter().filter_map(parts::gate_tokens)) {
        say(false, problem);
    }
    if let Some(problem) = hook_part::warning("hook", spec.bind().hook().as_ref()) {
        say(false, problem);
    }
    for problem in spec.bind().plain_problems(ids) {
        say(false, problem);
    }
}
