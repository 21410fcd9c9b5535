use godot::prelude::*;

use super::layout_values::{self, Kind, LayoutValues};
use super::node_table::NodesById;
use crate::base::messages;

/// Where the cards of an [ActionGraph] lie on the canvas, and how they look. Nothing of it is read while the graph is played.
///
/// Entries are kept in the order of their names, so that moving a card changes one line of the file. Dictionaries are read-only:
/// assign a new one.
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct ActionGraphLayout {
    /// Places of cards: id of the node → [code][x, y][/code].
    #[export]
    #[var(get = get_positions, set = set_positions)]
    positions: LayoutValues,
    /// Colours of cards: id of the node → [code]"#rrggbb"[/code]. A card that is not in it has the usual colour.
    #[export]
    #[var(get = get_colors, set = set_colors)]
    colors: LayoutValues,
    /// Routers on the wires: name → [code]at[/code], a place, and [code]entries[/code], the ids of transitions in order.
    #[export]
    #[var(get = get_routers, set = set_routers)]
    routers: LayoutValues,
    /// Places of cards that stand for root where wires end: name → [code][x, y][/code].
    #[export]
    #[var(get = get_to_root, set = set_to_root)]
    to_root: LayoutValues,
    /// Comments: name → [code]title[/code], [code]rect[/code] as [code][x, y, width, height][/code], [code]color[/code] and
    /// [code]cards[/code], the ids in it.
    #[export]
    #[var(get = get_comments, set = set_comments)]
    comments: LayoutValues,
    /// The scene whose animations the canvas shows, for example the character that plays the graph.
    #[export(file = "*.tscn,*.scn")]
    #[var(set = set_preview_scene)]
    preview_scene: GString,
    base: Base<Resource>,
}

#[godot_api]
impl ActionGraphLayout {
    #[func]
    fn get_positions(&self) -> NodesById {
        self.positions.stored()
    }

    #[func]
    fn set_positions(&mut self, value: NodesById) {
        if let Some(value) = self.checked("positions", &value.0, Kind::Place) {
            self.positions = value;
            self.base_mut().emit_changed();
        }
    }

    #[func]
    fn get_colors(&self) -> NodesById {
        self.colors.stored()
    }

    #[func]
    fn set_colors(&mut self, value: NodesById) {
        if let Some(value) = self.checked("colors", &value.0, Kind::Color) {
            self.colors = value;
            self.base_mut().emit_changed();
        }
    }

    #[func]
    fn get_routers(&self) -> NodesById {
        self.routers.stored()
    }

    #[func]
    fn set_routers(&mut self, value: NodesById) {
        if let Some(value) = self.checked("routers", &value.0, Kind::Router) {
            self.routers = value;
            self.base_mut().emit_changed();
        }
    }

    #[func]
    fn get_to_root(&self) -> NodesById {
        self.to_root.stored()
    }

    #[func]
    fn set_to_root(&mut self, value: NodesById) {
        if let Some(value) = self.checked("to_root", &value.0, Kind::Place) {
            self.to_root = value;
            self.base_mut().emit_changed();
        }
    }

    #[func]
    fn get_comments(&self) -> NodesById {
        self.comments.stored()
    }

    #[func]
    fn set_comments(&mut self, value: NodesById) {
        if let Some(value) = self.checked("comments", &value.0, Kind::Comment) {
            self.comments = value;
            self.base_mut().emit_changed();
        }
    }

    #[func]
    fn set_preview_scene(&mut self, value: GString) {
        self.preview_scene = value;
        self.base_mut().emit_changed();
    }
}

impl ActionGraphLayout {
    fn checked(&self, member: &str, value: &AnyDictionary, kind: Kind) -> Option<LayoutValues> {
        match layout_values::sorted(value, kind) {
            Ok(value) => Some(value),
            Err(found) => {
                let text = format!("{member} has {found}; it stays as it was. Give {}.", kind.wanted());
                messages::error(&self.to_gd(), member, "type", &text);
                None
            }
        }
    }

    /// A node is gone. `changed` is not emitted.
    pub(super) fn forget(&mut self, id: &str) {
        for values in [&mut self.positions, &mut self.colors] {
            *values = layout_values::without(values, id);
        }
        self.comments = layout_values::cards_renamed(&self.comments, id, None);
    }

    /// A node has another id. `changed` is not emitted.
    pub(super) fn rename(&mut self, old: &str, new: &str) {
        for values in [&mut self.positions, &mut self.colors] {
            *values = layout_values::renamed(values, old, new);
        }
        self.comments = layout_values::cards_renamed(&self.comments, old, Some(new));
    }

    /// A transition is gone. `changed` is not emitted.
    pub(super) fn forget_wires(&mut self, ids: &[String]) {
        self.routers = layout_values::entries_without(&self.routers, ids);
    }
}
