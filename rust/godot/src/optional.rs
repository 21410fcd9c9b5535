//! Object arguments that a script may leave out, and that may have been freed meanwhile.
#![allow(unsafe_code, reason = "the binding's marker for default values is an unsafe trait")]

use godot::meta::conv::ByValue;
use godot::meta::shape::GodotShape;
use godot::meta::{FromGodot, GodotConvert, GodotImmutable, ToGodot};
use godot::prelude::*;

/// An object argument with the default null: `#[opt(default = Optional::null())] target: Optional<Node>`.
///
/// The binding offers no default for `Option<Gd<T>>`.
///
/// To Godot it is a Variant. Typed GDScript hands a freed object to a parameter of an object class as a dangling
/// pointer, which the binding must not read; a Variant still carries the id, so that a freed object is read as none.
/// Use it for every node that a script may have kept too long.
pub struct Optional<T: GodotClass>(pub Option<Gd<T>>);

impl<T: GodotClass> Optional<T> {
    /// No object.
    pub fn null() -> Self {
        Self(None)
    }
}

impl<T: GodotClass> std::fmt::Debug for Optional<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl<T: GodotClass> Clone for Optional<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T: GodotClass> GodotConvert for Optional<T> {
    type Via = Variant;

    fn godot_shape() -> GodotShape {
        Variant::godot_shape()
    }
}

impl<T: GodotClass> FromGodot for Optional<T> {
    fn try_from_godot(via: Self::Via) -> Result<Self, ConvertError> {
        if !matches!(via.get_type(), VariantType::NIL | VariantType::OBJECT) {
            return Err(ConvertError::new("an object was expected"));
        }
        Ok(Self(via.object_id_unchecked().and_then(|id| Gd::try_from_instance_id(id).ok())))
    }
}

impl<T: GodotClass> ToGodot for Optional<T> {
    type Pass = ByValue;

    fn to_godot(&self) -> Self::Via {
        self.0.to_variant()
    }
}

// SAFETY: the trait asks that a default value cannot be changed by a caller and that its clones are independent.
// The only default made with this type is null.
unsafe impl<T: GodotClass> GodotImmutable for Optional<T> {}

/// A node argument that may be left out, where a freed node must not read as left out: only its id.
#[derive(Clone, Copy, Debug)]
pub struct OptionalId(pub Option<InstanceId>);

impl OptionalId {
    /// Left out.
    pub fn null() -> Self {
        Self(None)
    }

    /// The node, if it is there.
    pub fn node(self) -> Optional<Node> {
        Optional(self.0.and_then(|id| Gd::try_from_instance_id(id).ok()))
    }
}

impl GodotConvert for OptionalId {
    type Via = Variant;

    fn godot_shape() -> GodotShape {
        Variant::godot_shape()
    }
}

impl FromGodot for OptionalId {
    fn try_from_godot(via: Self::Via) -> Result<Self, ConvertError> {
        if !matches!(via.get_type(), VariantType::NIL | VariantType::OBJECT) {
            return Err(ConvertError::new("an object was expected"));
        }
        Ok(Self(via.object_id_unchecked()))
    }
}

impl ToGodot for OptionalId {
    type Pass = ByValue;

    fn to_godot(&self) -> Self::Via {
        Optional::<Object>(self.0.and_then(|id| Gd::try_from_instance_id(id).ok())).to_godot()
    }
}

// SAFETY: as above; the only default made with this type is null.
unsafe impl GodotImmutable for OptionalId {}

/// A dictionary that a script may leave out: `#[opt(default = Entries::none())] overrides: Entries`. To Godot it is a
/// Variant with the default null, as the binding keeps default values, which nobody may be able to change.
#[derive(Clone, Debug)]
pub struct Entries(pub VarDictionary);

impl Entries {
    /// Left out.
    pub fn none() -> Self {
        Self(VarDictionary::new())
    }
}

impl GodotConvert for Entries {
    type Via = Variant;

    fn godot_shape() -> GodotShape {
        Variant::godot_shape()
    }
}

impl FromGodot for Entries {
    fn try_from_godot(via: Self::Via) -> Result<Self, ConvertError> {
        if via.is_nil() {
            return Ok(Self::none());
        }
        let any = via.try_to::<AnyDictionary>()?;
        Ok(Self(any.iter_shared().collect()))
    }
}

impl ToGodot for Entries {
    type Pass = ByValue;

    fn to_godot(&self) -> Self::Via {
        Variant::nil()
    }
}

// SAFETY: as above; the only default made with this type is null.
unsafe impl GodotImmutable for Entries {}

/// Any value that a script may leave out: `#[opt(default = Anything::none())] target: Anything`.
#[derive(Clone, Debug)]
pub struct Anything(pub Variant);

impl Anything {
    /// Left out.
    pub fn none() -> Self {
        Self(Variant::nil())
    }

    /// Left out where 0 stands for that.
    pub fn zero() -> Self {
        Self(0.to_variant())
    }
}

impl GodotConvert for Anything {
    type Via = Variant;

    fn godot_shape() -> GodotShape {
        Variant::godot_shape()
    }
}

impl FromGodot for Anything {
    fn try_from_godot(via: Self::Via) -> Result<Self, ConvertError> {
        Ok(Self(via))
    }
}

impl ToGodot for Anything {
    type Pass = ByValue;

    fn to_godot(&self) -> Self::Via {
        self.0.clone()
    }
}

// SAFETY: as above; the only defaults made with this type are null and a number.
unsafe impl GodotImmutable for Anything {}

/// The id of the node in a Variant that was written to a property: `Some(None)` for null and for a freed one,
/// `None` for what is no node.
pub fn node_id(value: &Variant) -> Option<Option<InstanceId>> {
    match value.get_type() {
        VariantType::NIL => Some(None),
        VariantType::OBJECT => {
            let object =
                value.object_id_unchecked().and_then(|id| Gd::<Object>::try_from_instance_id(id).ok());
            match object {
                Some(object) => object.try_cast::<Node>().ok().map(|node| Some(node.instance_id())),
                None => Some(None),
            }
        }
        _ => None,
    }
}
