//! The property `transitions`: the wires that leave a node, in the order that breaks ties.

use godot::meta::GodotConvert;
use godot::meta::shape::GodotShape;
use godot::prelude::*;
use godot::register::info::{ParamMetadata, PropertyHint, PropertyHintInfo, PropertyUsageFlags};
use godot::register::property::{Export, Var};

use super::ActionGraphTransition;
use crate::base::{family, messages};

/// The wires of a node. What is stored is a read-only `Array[Resource]`: one that is typed to the class could not hold the
/// stand-ins that the editor puts in place of what it does not know.
pub(crate) struct Wires {
    stored: Array<Option<Gd<Resource>>>,
    members: Vec<Gd<ActionGraphTransition>>,
}

impl Default for Wires {
    fn default() -> Self {
        Self { stored: Array::new().into_read_only(), members: Vec::new() }
    }
}

impl Wires {
    /// What the setter does. False, with an error and without effect, if an element is of another class.
    pub(crate) fn assign(&mut self, owner: &Gd<Resource>, value: &AnyArray) -> bool {
        let mut stored: Array<Option<Gd<Resource>>> = Array::new();
        let mut members = Vec::new();
        for (index, element) in value.iter_shared().enumerate() {
            let resource = element.try_to::<Option<Gd<Resource>>>().ok().filter(|resource| {
                resource.as_ref().is_none_or(|resource| {
                    resource.is_class("ActionGraphTransition") || resource.is_class("MissingResource")
                })
            });
            let Some(resource) = resource else {
                let found = family::describe(&element);
                let text = format!(
                    "transitions[{index}] is {found}; transitions stays as it was. Allowed: ActionGraphTransition."
                );
                messages::error(owner, "transitions", &format!("{index} {found}"), &text);
                return false;
            };
            stored.push(resource.as_ref());
            members.extend(resource.and_then(|resource| resource.try_cast().ok()));
        }
        let parts = |all: &[Gd<ActionGraphTransition>]| {
            all.iter().map(|one| one.clone().upcast()).collect::<Vec<Gd<Resource>>>()
        };
        family::rewire(owner, &parts(&self.members), &parts(&members));
        self.stored = stored.into_read_only();
        self.members = members;
        true
    }

    /// What the getter returns.
    pub(crate) fn stored(&self) -> AnyArray {
        self.stored.clone().upcast_any_array()
    }

    /// The wires, without nulls and stand-ins.
    pub(crate) fn members(&self) -> &[Gd<ActionGraphTransition>] {
        &self.members
    }

    /// How many elements are null.
    pub(crate) fn null_count(&self) -> usize {
        self.stored.iter_shared().filter(Option::is_none).count()
    }

    /// The places of stand-ins for classes that are not there.
    pub(crate) fn strangers(&self) -> Vec<usize> {
        let is_stranger =
            |one: &Option<Gd<Resource>>| one.as_ref().is_some_and(|one| one.is_class("MissingResource"));
        self.stored.iter_shared().enumerate().filter(|(_, one)| is_stranger(one)).map(|(at, _)| at).collect()
    }
}

impl GodotConvert for Wires {
    type Via = AnyArray;

    fn godot_shape() -> GodotShape {
        let hint = format!(
            "{}/{}:ActionGraphTransition",
            VariantType::OBJECT.ord(),
            PropertyHint::RESOURCE_TYPE.ord()
        );
        GodotShape::Custom {
            variant_type: VariantType::ARRAY,
            var_hint: PropertyHintInfo::none(),
            export_hint: PropertyHintInfo {
                hint: PropertyHint::TYPE_STRING,
                hint_string: GString::from(&hint),
            },
            class_name: None,
            usage_flags: PropertyUsageFlags::NONE,
            metadata: ParamMetadata::NONE,
        }
    }
}

impl Var for Wires {
    type PubType = AnyArray;

    fn var_get(field: &Self) -> Self::Via {
        field.stored()
    }

    fn var_set(_field: &mut Self, _value: Self::Via) {
        debug_assert!(false, "the property needs a setter that checks");
    }

    fn var_pub_get(field: &Self) -> Self::PubType {
        field.stored()
    }

    fn var_pub_set(_field: &mut Self, _value: Self::PubType) {
        debug_assert!(false, "the property needs a setter that checks");
    }
}

impl Export for Wires {}
