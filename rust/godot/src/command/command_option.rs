use godot::classes::Texture2D;
use godot::prelude::*;
use riposte_core::command::VARIANT_AUTO;

use super::request_data::RequestData;
use super::{CommandDefinition, CommandRequest};

/// An order that an agent knows, for a menu: what it is called, whether it can be given now, why not, and how good it is.
///
/// Read-only. Get the list from [method CommandSystem.get_options].
#[derive(GodotClass)]
#[class(init, tool, base = RefCounted)]
pub struct CommandOption {
    /// The order.
    #[var(no_set)]
    definition: Option<Gd<CommandDefinition>>,
    /// The index of the form; VARIANT_AUTO if the order has several and they were not listed one by one.
    #[var(no_set)]
    variant: i64,
    /// True if [method CommandSystem.issue_command] would accept it.
    #[var(no_set)]
    allowed: bool,
    /// Why not; empty if it is allowed. [method CommandSystem.describe_reason] says it in words.
    #[var(no_set)]
    reason: StringName,
    /// What the reason is about: the tag, the distance in world units. Empty if there is nothing to add.
    #[var(no_set)]
    detail: GString,
    /// How good it is, 0 or more; 0 if it is not allowed.
    #[var(no_set)]
    score: f64,
    /// What players read.
    #[var(no_set)]
    display_name: GString,
    /// What players see.
    #[var(no_set)]
    icon: Option<Gd<Texture2D>>,
    /// A longer text for players.
    #[var(no_set)]
    description: GString,
    request: Option<RequestData>,
    base: Base<RefCounted>,
}

#[godot_api]
impl CommandOption {
    /// The allowed form with the highest score, chosen when the order is accepted.
    #[constant]
    const VARIANT_AUTO: i64 = VARIANT_AUTO;

    /// A new request for this order on what the options were asked for. Set its [member CommandRequest.source] and the like,
    /// and give it to the [CommandSystem].
    #[func]
    pub fn make_request(&self) -> Gd<CommandRequest> {
        self.request.as_ref().map_or_else(CommandRequest::new_gd, RequestData::to_request)
    }
}

/// What an option tells.
pub(super) struct OptionData {
    /// What is ordered, and in which form.
    pub request: RequestData,
    /// The reason and its detail if it is not allowed.
    pub refused: Option<(StringName, String)>,
    pub score: f64,
    pub display_name: GString,
    pub icon: Option<Gd<Texture2D>>,
    pub description: GString,
}

impl CommandOption {
    pub(super) fn allowed(&self) -> bool {
        self.allowed
    }

    pub(super) fn score(&self) -> f64 {
        self.score
    }

    /// An option.
    pub(super) fn make(data: OptionData) -> Gd<Self> {
        let allowed = data.refused.is_none();
        let (reason, detail) = data.refused.unwrap_or_default();
        Gd::from_init_fn(|base| Self {
            definition: Some(data.request.definition.clone()),
            variant: data.request.variant,
            allowed,
            reason,
            detail: GString::from(&detail),
            score: data.score,
            display_name: data.display_name,
            icon: data.icon,
            description: data.description,
            request: Some(data.request),
            base,
        })
    }
}
