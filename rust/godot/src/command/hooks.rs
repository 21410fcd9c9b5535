//! Questions to the scripts of definitions and systems. Nothing may be bound or locked.

use godot::prelude::*;
use riposte_core::command::{Reason, sound_score};

use super::builtin::Executions;
use super::resolving::wrong_answer;
use super::{CommandDefinition, CommandRequest, CommandVariant};
use crate::action::script_calls::call;
use crate::base::convert::type_name;
use crate::base::family::Family as _;
use crate::base::{messages, script_method};

/// Who is asked, about what. The request and the settings are private copies.
pub(super) struct Question {
    pub definition: Gd<CommandDefinition>,
    pub agent: Gd<Node>,
    pub request: Gd<CommandRequest>,
    pub settings: Gd<CommandVariant>,
}

impl Question {
    /// A virtual that answers with a reason.
    pub fn reason(&self, method: &StringName) -> Reason {
        let (resource, answer) = self.ask(method);
        read_reason(&answer).unwrap_or_else(|| {
            wrong_answer(&resource, &method.to_string(), &answer, "Return a StringName, &\"\" for yes.");
            Reason::None
        })
    }

    /// How good it is.
    pub fn score(&self, method: &StringName) -> f64 {
        let (resource, answer) = self.ask(method);
        let Ok(score) = answer.try_to_relaxed::<f64>() else {
            wrong_answer(&resource, &method.to_string(), &answer, "Return a number.");
            return self.settings.bind().base_score;
        };
        let sound = sound_score(score);
        if sound != score {
            let text = format!("{method}() returned {score}, which is read as 0. Return 0 or more.");
            messages::warning(&resource, &method.to_string(), "score", &text);
        }
        sound
    }

    /// What carries it out; none for null and for what is no execution.
    pub fn execution(&self, method: &StringName) -> Option<Gd<Resource>> {
        let (resource, answer) = self.ask(method);
        if answer.is_nil() {
            return None;
        }
        let found = answer.try_to::<Option<Gd<Resource>>>();
        if let Ok(Some(execution)) = &found
            && Executions::CLASSES.iter().any(|class| execution.is_class(*class))
        {
            return found.ok().flatten();
        }
        if !matches!(found, Ok(None)) {
            let fix = format!("Return one of {}.", Executions::CLASSES.join(", "));
            wrong_answer(&resource, &method.to_string(), &answer, &fix);
        }
        None
    }

    fn ask(&self, method: &StringName) -> (Gd<Resource>, Variant) {
        let resource: Gd<Resource> = self.definition.clone().upcast();
        let arguments = [self.agent.to_variant(), self.request.to_variant(), self.settings.to_variant()];
        let answer = call(&resource, method, &arguments);
        (resource, answer)
    }
}

/// What the script of a system says to a request.
pub(super) fn can_accept(
    system: &Gd<Node>,
    method: &StringName,
    request: &Gd<CommandRequest>,
    entry: i64,
) -> Reason {
    let answer = script_method::call(system, method, &[request.to_variant(), entry.to_variant()]);
    read_reason(&answer).unwrap_or_else(|| {
        if system.is_instance_valid() {
            let found = type_name(&answer);
            let text = format!(
                "{method}() returned {found}, which is left aside. Return a StringName, &\"\" for yes."
            );
            messages::error(system, &method.to_string(), found, &text);
        }
        Reason::None
    })
}

/// Another target; none for null and for what is no node.
pub(super) fn new_target(
    definition: &Gd<CommandDefinition>,
    method: &StringName,
    agent: &Gd<Node>,
    request: &Gd<CommandRequest>,
) -> Option<Gd<Node>> {
    let resource: Gd<Resource> = definition.clone().upcast();
    let answer = call(&resource, method, &[agent.to_variant(), request.to_variant()]);
    let found = crate::optional::node_id(&answer);
    if found.is_none() {
        wrong_answer(&resource, &method.to_string(), &answer, "Return a node or null.");
    }
    Gd::try_from_instance_id(found??).ok()
}

fn read_reason(answer: &Variant) -> Option<Reason> {
    match answer.get_type() {
        VariantType::STRING_NAME | VariantType::STRING => {
            answer.try_to_relaxed::<GString>().ok().map(|name| Reason::named(&name.to_string()))
        }
        _ => None,
    }
}
