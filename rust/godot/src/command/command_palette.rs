use godot::prelude::*;

use super::CommandDefinition;
use crate::action::resource_class::{Slot, resource_class};
use crate::base::family::{ArrayOf, ClassArray};

type CommandArray = ClassArray<CommandDefinition>;
type GivenCommands = ArrayOf<CommandDefinition>;

resource_class! {
    /// The orders that all agents of one type know.
    ///
    /// Share it between their [CommandSystem]s, see [member CommandSystem.palette].
    class CommandPalette;
    properties {
        /// The orders. Of several with one id the first counts. Assign a new array: the one that is read is read-only.
        #[export]
        commands: CommandArray = (CommandArray::default()) slot get_commands, set_commands(GivenCommands);
    }
    items {}
}

impl CommandPalette {
    /// The orders, without nulls.
    pub(crate) fn members(&self) -> &[Gd<CommandDefinition>] {
        self.commands.members()
    }
}
