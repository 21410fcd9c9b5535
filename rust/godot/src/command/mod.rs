//! Orders: what they are, who may get them, and what carries them out.
//!
//! What follows from a request, a report or a step is decided in `riposte_core::command`; `driver` performs its effects one by
//! one with nothing held. Executions implement `BuiltinExecution`.

mod ability_execution;
mod action_execution;
mod aim;
pub(crate) mod builtin;
mod checks;
mod command_definition;
mod command_execution;
mod command_handle;
mod command_info;
mod command_option;
mod command_palette;
mod command_receipt;
mod command_request;
mod command_system;
mod command_variant;
mod constants;
mod definition_plan;
pub(crate) mod driver;
mod hooks;
mod known;
pub(crate) mod listener;
mod logging;
mod method_execution;
mod nodes;
mod options;
mod order;
mod order_context;
mod order_saving;
mod peers;
mod places;
mod plain_values;
mod problems;
mod reasons;
mod remote;
mod request_data;
mod requesting;
mod resolving;
mod saved_order;
mod starting;
mod state;
mod sync_state;
mod system_constants;
mod system_life;
mod system_network;
mod system_queries;
mod system_requests;
mod system_warnings;
mod telling;
mod validation;
mod world;

pub use ability_execution::AbilityExecution;
pub use action_execution::ActionExecution;
pub use command_definition::CommandDefinition;
pub use command_execution::CommandExecution;
pub use command_handle::CommandHandle;
pub use command_info::CommandInfo;
pub use command_option::CommandOption;
pub use command_palette::CommandPalette;
pub use command_receipt::CommandReceipt;
pub use command_request::CommandRequest;
pub use command_system::CommandSystem;
pub use command_variant::CommandVariant;
pub use method_execution::MethodExecution;
