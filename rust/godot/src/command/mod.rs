//! Orders: what they are, who may get them, and what carries them out.

#![allow(dead_code, unused_imports, reason = "CommandSystem uses it")]

mod aim;
mod builtin;
mod checks;
mod command_definition;
mod command_info;
mod command_option;
mod command_palette;
mod command_receipt;
mod command_request;
mod command_variant;
mod constants;
mod definition_plan;
mod hooks;
mod nodes;
mod options;
mod problems;
mod reasons;
mod request_data;
mod resolving;
mod validation;
mod world;

pub use command_definition::CommandDefinition;
pub use command_info::CommandInfo;
pub use command_option::CommandOption;
pub use command_palette::CommandPalette;
pub use command_receipt::CommandReceipt;
pub use command_request::CommandRequest;
pub use command_variant::CommandVariant;
