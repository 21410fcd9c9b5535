//! Properties that hold members of a class family, or an array of one class.
//!
//! The binding library cannot register one class as the base of another, so a family is a list of class names:
//! the scriptable class and the built-in ones. These property types show exactly the family in the inspector,
//! take plain and typed arrays from scripts, and refuse anything else in words that help.
//!
//! What is stored is read-only: an element appended behind our back would not be in the mirror.

use std::marker::PhantomData;

use godot::builtin::{AnyArray, Array, Callable, GString, VarArray, Variant, VariantType};
use godot::classes::{Object, Resource};
use godot::meta::conv::ByValue;
use godot::meta::error::ConvertError;
use godot::meta::shape::GodotShape;
use godot::meta::{FromGodot, GodotConvert, ToArg, ToGodot};
use godot::obj::{Bounds, EngineEnum as _, Gd, GodotClass, Inherits, bounds};
use godot::register::info::{ParamMetadata, PropertyHint, PropertyHintInfo, PropertyUsageFlags};
use godot::register::property::{Export, Var};

use super::convert::type_name;
use super::messages;

/// A family of resource classes.
pub(crate) trait Family: 'static {
    /// Names of the member classes in the order of the inspector's picker.
    const CLASSES: &'static [&'static str];
}

/// An exported array of members of a family.
pub(crate) struct FamilyArray<F: Family> {
    stored: VarArray,
    members: Vec<Gd<Resource>>,
    family: PhantomData<F>,
}

impl<F: Family> Default for FamilyArray<F> {
    fn default() -> Self {
        Self { stored: VarArray::new().into_read_only(), members: Vec::new(), family: PhantomData }
    }
}

impl<F: Family> FamilyArray<F> {
    /// What the setter of property `member` does. False, with an error and without effect, if an element is
    /// of another class. Emit `changed` after a true.
    pub(crate) fn assign<T: Inherits<Resource>>(
        &mut self,
        owner: &Gd<T>,
        member: &str,
        value: &AnyArray,
    ) -> bool {
        let owner = &owner.clone().upcast::<Resource>();
        let mut stored = VarArray::new();
        let mut members = Vec::new();
        for (index, element) in value.iter_shared().enumerate() {
            match admit::<F>(&element) {
                Ok(Some(resource)) => members.push(resource),
                Ok(None) => {}
                Err(found) => {
                    refuse(owner, member, Some(index), &found, &F::CLASSES.join(", "));
                    return false;
                }
            }
            stored.push(&element);
        }
        rewire(owner, &self.members, &members);
        self.stored = stored.into_read_only();
        self.members = members;
        true
    }

    /// What the getter returns.
    pub(crate) fn stored(&self) -> AnyArray {
        self.stored.clone().upcast_any_array()
    }

    /// The members, without nulls and without stand-ins for classes that are not there.
    pub(crate) fn members(&self) -> &[Gd<Resource>] {
        &self.members
    }

    /// How many elements are null, for a configuration warning.
    pub(crate) fn null_count(&self) -> usize {
        self.stored.iter_shared().filter(Variant::is_nil_object).count()
    }

    /// The places of stand-ins for classes that are not there.
    pub(crate) fn stand_ins(&self) -> Vec<usize> {
        let is_one = |one: &Variant| one.try_to::<Gd<Resource>>().is_ok_and(|one| is_stand_in(&one));
        self.stored.iter_shared().enumerate().filter(|(_, one)| is_one(one)).map(|(at, _)| at).collect()
    }
}

/// An exported property that holds one member of a family, or nothing.
pub(crate) struct FamilySlot<F: Family> {
    stored: Option<Gd<Resource>>,
    family: PhantomData<F>,
}

impl<F: Family> Default for FamilySlot<F> {
    fn default() -> Self {
        Self { stored: None, family: PhantomData }
    }
}

impl<F: Family> FamilySlot<F> {
    /// What the setter of property `member` does. False, with an error and without effect, if the resource is
    /// of another class. Emit `changed` after a true.
    pub(crate) fn assign<T: Inherits<Resource>>(
        &mut self,
        owner: &Gd<T>,
        member: &str,
        value: Option<Gd<Resource>>,
    ) -> bool {
        self.assign_watched(owner, member, value, "emit_changed")
    }

    /// The same, with the method of the owner that hears of edits of the member.
    pub(crate) fn assign_watched<T: Inherits<Resource>>(
        &mut self,
        owner: &Gd<T>,
        member: &str,
        value: Option<Gd<Resource>>,
        method: &str,
    ) -> bool {
        let owner = &owner.clone().upcast::<Resource>();
        if let Some(resource) = &value
            && let Err(found) = admit::<F>(&resource.to_variant())
        {
            refuse(owner, member, None, &found, &F::CLASSES.join(", "));
            return false;
        }
        rewire_to(owner, method, self.stored.as_slice(), value.as_slice());
        self.stored = value;
        true
    }

    /// Puts a member into a copy that tells nobody of edits.
    pub(crate) fn hold(&mut self, member: Option<Gd<Resource>>) {
        self.stored = member;
    }

    /// The same for a node, which listens to no member.
    pub(crate) fn fill<T: Inherits<Object>>(
        &mut self,
        owner: &Gd<T>,
        member: &str,
        value: Option<Gd<Resource>>,
    ) -> bool {
        if let Some(resource) = &value
            && let Err(found) = admit::<F>(&resource.to_variant())
        {
            refuse(owner, member, None, &found, &F::CLASSES.join(", "));
            return false;
        }
        self.stored = value;
        true
    }

    /// What the getter returns.
    pub(crate) fn stored(&self) -> Option<Gd<Resource>> {
        self.stored.clone()
    }

    /// The member; none if the slot is empty or holds a stand-in for a class that is not there.
    pub(crate) fn member(&self) -> Option<&Gd<Resource>> {
        self.stored.as_ref().filter(|resource| !is_stand_in(resource))
    }
}

/// An exported array of one class. Scripts read it as a typed `Array[Class]`.
pub(crate) struct ClassArray<T: GodotClass> {
    stored: Array<Option<Gd<T>>>,
    members: Vec<Gd<T>>,
}

impl<T: ElementClass> Default for ClassArray<T> {
    fn default() -> Self {
        Self { stored: Array::new().into_read_only(), members: Vec::new() }
    }
}

/// What may stand in a [`ClassArray`]: a resource class.
pub(crate) trait ElementClass:
    GodotClass + Inherits<Resource> + Bounds<Exportable = bounds::Yes>
{
}

impl<T> ElementClass for T where T: GodotClass + Inherits<Resource> + Bounds<Exportable = bounds::Yes> {}

impl<T: ElementClass> ClassArray<T> {
    /// What the setter of property `member` does, for a resource. False, with an error and without effect, if
    /// an element is of another class. Emit `changed` after a true.
    pub(crate) fn assign<O: Inherits<Resource>>(
        &mut self,
        owner: &Gd<O>,
        member: &str,
        value: &ArrayOf<T>,
    ) -> bool {
        self.assign_watched(owner, member, value, "emit_changed")
    }

    /// The same, with the method of the owner that hears of edits of an element.
    pub(crate) fn assign_watched<O: Inherits<Resource>>(
        &mut self,
        owner: &Gd<O>,
        member: &str,
        value: &ArrayOf<T>,
        method: &str,
    ) -> bool {
        let owner = &owner.clone().upcast::<Resource>();
        let old: Vec<Gd<Resource>> = self.members.iter().map(|one| one.clone().upcast()).collect();
        if !self.fill(owner, member, value) {
            return false;
        }
        let new: Vec<Gd<Resource>> = self.members.iter().map(|one| one.clone().upcast()).collect();
        rewire_to(owner, method, &old, &new);
        true
    }

    /// The same for a node, which listens to no element.
    pub(crate) fn fill<O: Inherits<Object>>(
        &mut self,
        owner: &Gd<O>,
        member: &str,
        value: &ArrayOf<T>,
    ) -> bool {
        let mut stored: Array<Option<Gd<T>>> = Array::new();
        let mut members = Vec::new();
        for (index, element) in value.0.iter_shared().enumerate() {
            let Ok(one) = element.try_to::<Option<Gd<T>>>() else {
                refuse(owner, member, Some(index), &describe(&element), &T::class_id().to_string());
                return false;
            };
            stored.push(one.as_ref());
            members.extend(one);
        }
        self.stored = stored.into_read_only();
        self.members = members;
        true
    }

    /// What the getter returns.
    pub(crate) fn stored(&self) -> ArrayOf<T> {
        ArrayOf(self.stored.clone().upcast_any_array(), PhantomData)
    }

    /// All elements in their places.
    pub(crate) fn entries(&self) -> Vec<Option<Gd<T>>> {
        self.stored.iter_shared().collect()
    }

    /// The elements without nulls.
    pub(crate) fn members(&self) -> &[Gd<T>] {
        &self.members
    }

    /// How many elements are null, for a configuration warning.
    pub(crate) fn null_count(&self) -> usize {
        self.stored.len() - self.members.len()
    }
}

/// An array of one class as accessors take and give it: typed in signatures, any array from a script.
pub(crate) struct ArrayOf<T>(AnyArray, PhantomData<T>);

impl<T> std::fmt::Debug for ArrayOf<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// Lets `emit_changed` of `owner` follow the `changed` of new elements, and of old ones no more.
/// A standard callable holds no reference and survives a reload of the library.
pub(crate) fn rewire(owner: &Gd<Resource>, old: &[Gd<Resource>], new: &[Gd<Resource>]) {
    rewire_to(owner, "emit_changed", old, new);
}

/// The same for another method of the owner.
pub(crate) fn rewire_to(owner: &Gd<Resource>, method: &str, old: &[Gd<Resource>], new: &[Gd<Resource>]) {
    let pass_on = Callable::from_object_method(owner, method);
    for signal in ["changed", "script_changed"] {
        for mut element in old.iter().cloned() {
            if !new.contains(&element) && element.is_connected(signal, &pass_on) {
                element.disconnect(signal, &pass_on);
            }
        }
        for mut element in new.iter().cloned() {
            if !element.is_connected(signal, &pass_on) {
                element.connect(signal, &pass_on);
            }
        }
    }
}

/// The resource, nothing for a null or a stand-in, or what was found instead.
fn admit<F: Family>(element: &Variant) -> Result<Option<Gd<Resource>>, String> {
    match element.try_to::<Option<Gd<Resource>>>() {
        Ok(None) => Ok(None),
        Ok(Some(resource)) if is_stand_in(&resource) => Ok(None),
        Ok(Some(resource)) if F::CLASSES.iter().any(|class| resource.is_class(*class)) => Ok(Some(resource)),
        _ => Err(describe(element)),
    }
}

/// The editor puts one in place of a class that it does not know; it must survive the next save.
fn is_stand_in(resource: &Gd<Resource>) -> bool {
    resource.is_class("MissingResource")
}

/// What an element is, for a message.
pub(crate) fn describe(element: &Variant) -> String {
    match element.try_to::<Gd<Object>>() {
        Ok(object) => messages::class_label(&object),
        Err(_) if element.get_type() == VariantType::OBJECT => "a freed object".to_owned(),
        Err(_) => type_name(element).to_owned(),
    }
}

fn refuse<T: Inherits<Object>>(
    owner: &Gd<T>,
    member: &str,
    index: Option<usize>,
    found: &str,
    allowed: &str,
) {
    let place = index.map_or_else(|| member.to_owned(), |index| format!("{member}[{index}]"));
    let text = format!("{place} is {found}; {member} stays as it was. Allowed: {allowed}.");
    messages::error(owner, member, &format!("{place} {found}"), &text);
}

trait NilObject {
    fn is_nil_object(&self) -> bool;
}

impl NilObject for Variant {
    fn is_nil_object(&self) -> bool {
        matches!(self.try_to::<Option<Gd<Object>>>(), Ok(None))
    }
}

impl<F: Family> GodotConvert for FamilyArray<F> {
    type Via = AnyArray;

    fn godot_shape() -> GodotShape {
        let classes = F::CLASSES.join(",");
        let hint = format!("{}/{}:{classes}", VariantType::OBJECT.ord(), PropertyHint::RESOURCE_TYPE.ord());
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

impl<F: Family> GodotConvert for FamilySlot<F> {
    type Via = Option<Gd<Resource>>;

    fn godot_shape() -> GodotShape {
        let classes = GString::from(&F::CLASSES.join(","));
        GodotShape::Custom {
            variant_type: VariantType::OBJECT,
            var_hint: PropertyHintInfo::none(),
            export_hint: PropertyHintInfo { hint: PropertyHint::RESOURCE_TYPE, hint_string: classes },
            class_name: Some("Resource".into()),
            usage_flags: PropertyUsageFlags::NONE,
            metadata: ParamMetadata::NONE,
        }
    }
}

impl<T: ElementClass> GodotConvert for ClassArray<T> {
    type Via = AnyArray;

    fn godot_shape() -> GodotShape {
        Array::<Option<Gd<T>>>::godot_shape()
    }
}

impl<T: ElementClass> GodotConvert for ArrayOf<T> {
    type Via = AnyArray;

    fn godot_shape() -> GodotShape {
        Array::<Option<Gd<T>>>::godot_shape()
    }
}

impl<T: ElementClass> ToGodot for ArrayOf<T> {
    type Pass = ByValue;

    fn to_godot(&self) -> ToArg<'_, Self::Via, Self::Pass> {
        self.0.clone()
    }
}

impl<T: ElementClass> FromGodot for ArrayOf<T> {
    fn try_from_godot(via: Self::Via) -> Result<Self, ConvertError> {
        Ok(Self(via, PhantomData))
    }
}

/// The accessors of these properties are always written by hand, so `Var` only names their types.
macro_rules! hand_written_accessors {
    ($([$($generics:tt)*] $type:ty => $public:ty;)*) => {$(
        impl<$($generics)*> Var for $type {
            type PubType = $public;

            fn var_get(field: &Self) -> Self::Via {
                field.stored().into_via()
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

        impl<$($generics)*> Export for $type {}
    )*};
}

hand_written_accessors! {
    [F: Family] FamilyArray<F> => AnyArray;
    [F: Family] FamilySlot<F> => Option<Gd<Resource>>;
    [T: ElementClass] ClassArray<T> => ArrayOf<T>;
}

trait IntoVia<V> {
    fn into_via(self) -> V;
}

impl IntoVia<AnyArray> for AnyArray {
    fn into_via(self) -> AnyArray {
        self
    }
}

impl IntoVia<Option<Gd<Resource>>> for Option<Gd<Resource>> {
    fn into_via(self) -> Option<Gd<Resource>> {
        self
    }
}

impl<T> IntoVia<AnyArray> for ArrayOf<T> {
    fn into_via(self) -> AnyArray {
        self.0
    }
}
