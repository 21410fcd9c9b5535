//! A property that scripts read as `Array[Node]` and may set to any array, also to one with freed nodes in it.

use godot::meta::conv::ByValue;
use godot::meta::shape::GodotShape;
use godot::meta::{FromGodot, GodotConvert, ToArg, ToGodot};
use godot::prelude::*;
use godot::register::property::Var;

/// Nodes as accessors take and give them.
pub(super) struct Nodes(pub AnyArray);

impl std::fmt::Debug for Nodes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl Nodes {
    /// Those that were not freed, for reading.
    pub fn living(ids: &[InstanceId]) -> Self {
        let living = ids.iter().filter_map(|id| Gd::<Node>::try_from_instance_id(*id).ok());
        Self(living.collect::<Array<Gd<Node>>>().into_read_only().upcast_any_array())
    }
}

impl GodotConvert for Nodes {
    type Via = AnyArray;

    fn godot_shape() -> GodotShape {
        Array::<Gd<Node>>::godot_shape()
    }
}

impl ToGodot for Nodes {
    type Pass = ByValue;

    fn to_godot(&self) -> ToArg<'_, Self::Via, Self::Pass> {
        self.0.clone()
    }
}

impl FromGodot for Nodes {
    fn try_from_godot(via: Self::Via) -> Result<Self, ConvertError> {
        Ok(Self(via))
    }
}

impl Var for Nodes {
    type PubType = Self;

    fn var_get(field: &Self) -> Self::Via {
        field.0.clone()
    }

    fn var_set(field: &mut Self, value: Self::Via) {
        field.0 = value;
    }

    fn var_pub_get(field: &Self) -> Self::PubType {
        Self(field.0.clone())
    }

    fn var_pub_set(field: &mut Self, value: Self::PubType) {
        field.0 = value.0;
    }
}
