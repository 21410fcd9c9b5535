//! Reasons in words.

use godot::classes::TranslationServer;
use godot::obj::Singleton as _;
use godot::prelude::*;
use riposte_core::command::Reason;

/// What a reason means, in the language of the game; a name of the game's own as it is.
pub(crate) fn describe(reason: &StringName) -> GString {
    match Reason::named(&reason.to_string()).text() {
        Some(text) => GString::from(&TranslationServer::singleton().translate(text)),
        None => GString::from(reason),
    }
}
