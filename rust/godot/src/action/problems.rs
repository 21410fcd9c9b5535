//! What is wrong with an action set, for `validate()` and for the configuration warnings of nodes that use it.

use godot::prelude::*;

use super::spec_class::Spec;
use super::{ActionSpec, parts};

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
    for problem in spec.bind().plain_problems(ids) {
        say(false, problem);
    }
}

/// What needs no script.
pub(super) fn plain_problems(spec: &ActionSpec, ids: &[StringName]) -> Vec<String> {
    let mut found = Vec::new();
    let arrays = [
        ("scorers", spec.scorers.null_count()),
        ("gates", spec.gates.null_count()),
        ("chain_links", spec.chain_links.null_count()),
        ("bindings", spec.bindings.null_count()),
    ];
    for (member, _) in arrays.iter().filter(|(_, nulls)| *nulls > 0) {
        found.push(format!("{member}: an empty element is left out. Fill or remove it."));
    }
    for link in spec.chain_links.members() {
        let link = link.bind().plan().map(|link| link.action.name().to_owned()).unwrap_or_default();
        if !ids.iter().any(|id| id.to_string() == link) {
            found.push(format!(
                "chain_links: there is no action \"{link}\" in the set. Set another, or add it."
            ));
        }
    }
    for (index, binding) in spec.bindings.members().iter().enumerate() {
        let problem = binding.bind().warning();
        found.extend(problem.map(|problem| format!("bindings[{index}]: {problem}")));
    }
    if spec.max_consecutive_uses == 0 {
        found.push(
            "max_consecutive_uses is 0, so the action is never chosen. Set -1 for unlimited.".to_owned(),
        );
    }
    found.extend(spec.add_tags.warnings("add_tags"));
    found.extend(spec.requires_tags.warnings("requires_tags"));
    found.extend(spec.block_tags.warnings("block_tags"));
    found.extend(spec.tag_score_multipliers.warnings("tag_score_multipliers"));
    found
}
