//! A property that holds paths of nodes: `Array[NodePath]` in scripts and files.

use std::marker::PhantomData;

use godot::builtin::{AnyArray, Array, GString, NodePath, VariantType};
use godot::classes::{Node, Object};
use godot::meta::conv::ByValue;
use godot::meta::error::ConvertError;
use godot::meta::shape::GodotShape;
use godot::meta::{FromGodot, GodotConvert, ToArg, ToGodot};
use godot::obj::{EngineEnum as _, Gd, GodotClass, Inherits};
use godot::register::info::{ParamMetadata, PropertyHint, PropertyHintInfo, PropertyUsageFlags};
use godot::register::property::{Export, Var};

use super::convert::type_name;
use super::messages;

/// Paths to nodes of class `T`, which the inspector lets choose. What is stored is read-only: a path appended behind our
/// back would not be in the mirror.
pub(crate) struct PathList<T: GodotClass> {
    stored: Array<NodePath>,
    paths: Vec<NodePath>,
    class: PhantomData<T>,
}

impl<T: GodotClass> Default for PathList<T> {
    fn default() -> Self {
        Self { stored: Array::new().into_read_only(), paths: Vec::new(), class: PhantomData }
    }
}

impl<T: GodotClass> PathList<T> {
    /// What the setter of property `member` does. Any array will do. False, with an error and without effect, if an element
    /// is no path.
    pub(crate) fn assign<O: Inherits<Object>>(&mut self, owner: &Gd<O>, member: &str, value: &Paths) -> bool {
        let mut paths = Vec::new();
        for (index, element) in value.0.iter_shared().enumerate() {
            // A text is a path as a script writes it.
            let text = || element.try_to_relaxed::<GString>().ok().map(|text| NodePath::from(&text));
            let Some(path) = element.try_to::<NodePath>().ok().or_else(text) else {
                let found = type_name(&element);
                let text =
                    format!("{member}[{index}] is {found}; {member} stays as it was. Give node paths.");
                messages::error(owner, member, &format!("{index} {found}"), &text);
                return false;
            };
            paths.push(path);
        }
        let mut stored = Array::new();
        paths.iter().for_each(|path| stored.push(path));
        self.stored = stored.into_read_only();
        self.paths = paths;
        true
    }

    /// What the getter returns.
    pub(crate) fn stored(&self) -> Paths {
        Paths(self.stored.clone().upcast_any_array())
    }

    /// The paths that are not empty, in order.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &NodePath> {
        self.paths.iter().filter(|path| !path.is_empty())
    }

    /// Configuration warnings about paths that lead to nothing, or to a node of another class.
    pub(crate) fn warnings(&self, owner: &Gd<Node>, member: &str) -> Vec<String>
    where
        T: Inherits<Node>,
    {
        let class = T::class_id();
        let mut warnings = Vec::new();
        for (index, path) in self.paths.iter().enumerate() {
            let reachable = owner.is_inside_tree() || !path.to_string().starts_with('/');
            let node = if path.is_empty() || !reachable { None } else { owner.get_node_or_null(path) };
            match node {
                Some(node) if node.is_class(&class.to_gstring()) => {}
                Some(_) => {
                    warnings.push(format!("{member}[{index}]: \"{path}\" is no {class}. Choose a {class}."))
                }
                None if path.is_empty() => {
                    warnings.push(format!("{member}[{index}] is empty. Choose a node, or remove it."))
                }
                None => warnings.push(format!(
                    "{member}[{index}]: there is no node at \"{path}\". Set it, or remove it."
                )),
            }
        }
        warnings
    }
}

/// Paths as accessors take and give them: typed in signatures, any array from a script.
#[derive(Debug)]
pub(crate) struct Paths(AnyArray);

impl<T: GodotClass> GodotConvert for PathList<T> {
    type Via = AnyArray;

    fn godot_shape() -> GodotShape {
        let (element, hint) = (VariantType::NODE_PATH.ord(), PropertyHint::NODE_PATH_VALID_TYPES.ord());
        let export = format!("{element}/{hint}:{}", T::class_id());
        GodotShape::Custom {
            variant_type: VariantType::ARRAY,
            var_hint: PropertyHintInfo { hint: PropertyHint::ARRAY_TYPE, hint_string: "NodePath".into() },
            export_hint: PropertyHintInfo {
                hint: PropertyHint::TYPE_STRING,
                hint_string: GString::from(&export),
            },
            class_name: None,
            usage_flags: PropertyUsageFlags::NONE,
            metadata: ParamMetadata::NONE,
        }
    }
}

impl<T: GodotClass> Var for PathList<T> {
    type PubType = Paths;

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

impl<T: GodotClass> Export for PathList<T> {}

impl GodotConvert for Paths {
    type Via = AnyArray;

    fn godot_shape() -> GodotShape {
        Array::<NodePath>::godot_shape()
    }
}

impl ToGodot for Paths {
    type Pass = ByValue;

    fn to_godot(&self) -> ToArg<'_, Self::Via, Self::Pass> {
        self.0.clone()
    }
}

impl FromGodot for Paths {
    fn try_from_godot(via: Self::Via) -> Result<Self, ConvertError> {
        Ok(Self(via))
    }
}
