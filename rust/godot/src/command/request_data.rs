//! What a request says, copied when it is given: a script may change its request afterwards.

use godot::prelude::*;
use riposte_core::command::{Given, Reason};

use super::aim::Aim;
use super::validation::Refusal;
use super::{CommandDefinition, CommandRequest};
use crate::base::messages;

/// A request, on its own.
#[derive(Clone)]
pub(crate) struct RequestData {
    pub definition: Gd<CommandDefinition>,
    /// The form that is asked for; after the check the one that was found.
    pub variant: i64,
    /// In order; a freed one keeps its place until the order starts.
    pub targets: Vec<InstanceId>,
    pub location: Option<Aim>,
    /// Of length 1 after the check.
    pub direction: Option<Aim>,
    /// A copy down to the last value.
    pub payload: VarDictionary,
    pub source: StringName,
}

impl RequestData {
    /// Copies a request. Without one, or without a definition, an error on behalf of `member` of the system.
    pub(crate) fn read(
        system: &Gd<Node>,
        member: &str,
        request: Option<&Gd<CommandRequest>>,
    ) -> Result<Self, Refusal> {
        let missing = match request {
            None => "no request",
            Some(request) => match Self::of(request) {
                Some(data) => return Ok(data),
                None => "a request without a definition",
            },
        };
        let text = format!("{member}() got {missing}; it is refused. Make one with CommandRequest.simple().");
        messages::error(system, member, missing, &text);
        Err(Refusal::plain(Reason::InvalidRequest))
    }

    /// Copies a request; none without a definition.
    pub(crate) fn of(request: &Gd<CommandRequest>) -> Option<Self> {
        let own = request.bind();
        let definition = own.definition.clone()?;
        let payload = &own.payload;
        // Most have none, and a copy costs.
        let payload = if payload.is_empty() { VarDictionary::new() } else { payload.duplicate_deep() };
        Some(Self {
            definition,
            variant: own.variant,
            targets: own.target_ids().to_vec(),
            location: own.aimed_at(),
            direction: own.aimed_along(),
            payload,
            source: own.source.clone(),
        })
    }

    /// One for an order without aim.
    pub(super) fn simple(definition: &Gd<CommandDefinition>) -> Self {
        Self {
            definition: definition.clone(),
            variant: 0,
            targets: Vec::new(),
            location: None,
            direction: None,
            payload: VarDictionary::new(),
            source: StringName::default(),
        }
    }

    /// A request with this content, for scripts.
    pub(crate) fn to_request(&self) -> Gd<CommandRequest> {
        let mut made = CommandRequest::new_gd();
        let payload = self.payload.duplicate_deep();
        made.bind_mut().fill(self, payload);
        made
    }

    /// What it aims at, for the core.
    pub(super) fn given(&self) -> Given {
        Given {
            targets: self.targets.len(),
            location: self.location.map(Aim::vector),
            direction: self.direction.map(Aim::vector),
        }
    }

    /// Orders the same. Who asks does not count. The forms are those that were found.
    pub(crate) fn equals(&self, other: &Self) -> bool {
        let about = |a: Option<Aim>, b: Option<Aim>| match (a, b) {
            (Some(a), Some(b)) => a.is_about(b),
            (None, None) => true,
            _ => false,
        };
        self.definition == other.definition
            && self.variant == other.variant
            && self.targets == other.targets
            && about(self.location, other.location)
            && about(self.direction, other.direction)
            && self.payload == other.payload
    }
}
