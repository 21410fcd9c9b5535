//! A property that gives tags resources of one class: `Dictionary[StringName, Class]` in scripts and files.

use std::marker::PhantomData;

use godot::builtin::{AnyDictionary, Dictionary, GString, StringName, Variant};
use godot::classes::{Engine, Object, Resource};
use godot::meta::conv::ByValue;
use godot::meta::error::ConvertError;
use godot::meta::shape::GodotShape;
use godot::meta::{FromGodot, GodotConvert, ToArg, ToGodot};
use godot::obj::{Gd, Inherits, Singleton as _};
use godot::register::property::{Export, Var};
use riposte_core::tags::TagId;

use super::convert::type_name;
use super::family::{ElementClass, rewire};
use super::{messages, tags};

/// Resources by tag, in the order of the dictionary. What is stored is read-only: an entry that a script sets behind our
/// back would not be in the mirror. An entry without a resource stays in the inspector and counts for nothing.
pub(crate) struct TagResources<T: ElementClass> {
    stored: Dictionary<StringName, Option<Gd<T>>>,
    tags: Vec<TagId>,
    resources: Vec<Gd<T>>,
}

impl<T: ElementClass> Default for TagResources<T> {
    fn default() -> Self {
        Self { stored: Dictionary::new().into_read_only(), tags: Vec::new(), resources: Vec::new() }
    }
}

impl<T: ElementClass> TagResources<T> {
    /// What the setter of property `member` does. Any dictionary will do. A name that is no tag is left out with an error
    /// (in the editor it stays and is warned of). False, with an error and without effect, if a value is of another class.
    /// Emit `changed` after a true.
    pub(crate) fn assign<O: Inherits<Resource>>(
        &mut self,
        owner: &Gd<O>,
        member: &str,
        value: &ResourcesByTag<T>,
    ) -> bool {
        let owner = &owner.clone().upcast::<Resource>();
        let editing = Engine::singleton().is_editor_hint();
        let mut new = Self { stored: Dictionary::new(), tags: Vec::new(), resources: Vec::new() };
        for (key, entry) in value.0.iter_shared() {
            let Some((name, resource)) = name_of(&key).zip(entry.try_to::<Option<Gd<T>>>().ok()) else {
                refuse(owner, member, &key, &entry, &T::class_id().to_string());
                return false;
            };
            let tag =
                if editing { tags::intern(&name).ok() } else { tags::from_script(owner, member, &name) };
            if editing || tag.is_some() {
                new.stored.set(&StringName::from(&name), resource.as_ref());
            }
            if let Some((tag, resource)) = tag.zip(resource) {
                new.tags.push(tag);
                new.resources.push(resource);
            }
        }
        let parts = |all: &[Gd<T>]| all.iter().map(|one| one.clone().upcast()).collect::<Vec<Gd<Resource>>>();
        rewire(owner, &parts(&self.resources), &parts(&new.resources));
        new.stored = new.stored.into_read_only();
        *self = new;
        true
    }

    /// What the getter returns.
    pub(crate) fn stored(&self) -> ResourcesByTag<T> {
        ResourcesByTag(self.stored.clone().upcast_any_dictionary(), PhantomData)
    }

    /// The tags that have a resource, in order.
    pub(crate) fn tags(&self) -> &[TagId] {
        &self.tags
    }

    /// The resource of tag number `index`.
    pub(crate) fn resource(&self, index: usize) -> Option<&Gd<T>> {
        self.resources.get(index)
    }

    /// All resources, in order.
    pub(crate) fn resources(&self) -> &[Gd<T>] {
        &self.resources
    }

    /// Configuration warnings about names that are no tags or not declared, and about empty entries.
    pub(crate) fn warnings(&self, member: &str) -> Vec<String> {
        let mut found = Vec::new();
        for (name, resource) in self.stored.iter_shared() {
            found.extend(tags::warning(member, &name.to_string()));
            if resource.is_none() {
                found.push(format!("{member}[\"{name}\"] is empty and counts for nothing. Assign one."));
            }
        }
        found
    }
}

fn name_of(key: &Variant) -> Option<String> {
    key.try_to_relaxed::<GString>().ok().map(|name| name.to_string())
}

fn refuse<O: Inherits<Object>>(owner: &Gd<O>, member: &str, key: &Variant, entry: &Variant, class: &str) {
    let found = match entry.try_to::<Gd<Object>>() {
        Ok(object) => messages::class_label(&object),
        Err(_) => type_name(entry).to_owned(),
    };
    let text = format!("{member} has {key} : {found}; it stays as it was. Give tags and {class} resources.");
    messages::error(owner, member, "type", &text);
}

/// Resources by tag as accessors take and give them: typed in signatures, any dictionary from a script.
pub(crate) struct ResourcesByTag<T>(AnyDictionary, PhantomData<T>);

impl<T> std::fmt::Debug for ResourcesByTag<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl<T: ElementClass> GodotConvert for TagResources<T> {
    type Via = AnyDictionary;

    fn godot_shape() -> GodotShape {
        Dictionary::<StringName, Option<Gd<T>>>::godot_shape()
    }
}

impl<T: ElementClass> Var for TagResources<T> {
    type PubType = ResourcesByTag<T>;

    fn var_get(field: &Self) -> Self::Via {
        field.stored().0
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

impl<T: ElementClass> Export for TagResources<T> {}

impl<T: ElementClass> GodotConvert for ResourcesByTag<T> {
    type Via = AnyDictionary;

    fn godot_shape() -> GodotShape {
        Dictionary::<StringName, Option<Gd<T>>>::godot_shape()
    }
}

impl<T: ElementClass> ToGodot for ResourcesByTag<T> {
    type Pass = ByValue;

    fn to_godot(&self) -> ToArg<'_, Self::Via, Self::Pass> {
        self.0.clone()
    }
}

impl<T: ElementClass> FromGodot for ResourcesByTag<T> {
    fn try_from_godot(via: Self::Via) -> Result<Self, ConvertError> {
        Ok(Self(via, PhantomData))
    }
}
