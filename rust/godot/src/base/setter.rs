//! Setters of properties that run code of the game.

use godot::obj::{Gd, GodotClass, WithBaseField};

/// The first parameter of such a setter: `#[func(gd_self)] fn set_enabled(this: impl Owner<Self>, value: bool)`.
///
/// The engine calls it with the `Gd`, so that nothing is bound while hooks run and the node may be freed in them: a node
/// that is freed while it is bound, be it for `base_mut`, takes the process with it. The binding's check of a property's
/// accessors wants it to take the class itself.
pub(crate) trait Owner<T: GodotClass> {
    /// The node.
    fn node(self) -> Gd<T>;
}

impl<T: GodotClass> Owner<T> for Gd<T> {
    fn node(self) -> Gd<T> {
        self
    }
}

impl<T: WithBaseField> Owner<T> for &mut T {
    fn node(self) -> Gd<T> {
        self.to_gd()
    }
}
