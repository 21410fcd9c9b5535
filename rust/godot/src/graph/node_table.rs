//! The property `nodes`: moves by id, always in the order of the ids' text, so that a file changes where the graph changed.

use std::cell::Cell;

use godot::meta::conv::ByValue;
use godot::meta::error::ConvertError;
use godot::meta::shape::GodotShape;
use godot::meta::{FromGodot, GodotConvert, ToArg, ToGodot};
use godot::prelude::*;
use godot::register::info::{ParamMetadata, PropertyHint, PropertyHintInfo, PropertyUsageFlags};
use godot::register::property::{Export, Var};

use super::ActionGraphNode;
use crate::base::convert::type_name;
use crate::base::{defaults, family, messages};

/// The node that stands for the agent doing nothing.
pub(crate) const ROOT: &str = "root";

/// One id of the dictionary.
#[derive(Clone)]
pub(crate) struct Entry {
    pub id: String,
    /// None for an empty entry, and for a stand-in of a class that is not there.
    pub node: Option<Gd<ActionGraphNode>>,
    /// The class of such a stand-in.
    pub stranger: Option<String>,
}

/// Moves by id. What is stored is read-only: an entry that a script sets behind our back would not be in the mirror.
pub(crate) struct NodeTable {
    stored: VarDictionary,
    entries: Vec<Entry>,
    /// The first root is made under construction, where nothing can be connected. It can't be edited before somebody got it.
    wired: Cell<bool>,
}

impl NodeTable {
    /// A graph that has a root and nothing else.
    pub(crate) fn fresh() -> Self {
        let mut table = Self {
            stored: VarDictionary::new().into_read_only(),
            entries: Vec::new(),
            wired: Cell::new(false),
        };
        if !defaults::asking() {
            table.fill(vec![(ROOT.to_owned(), root().to_variant())]);
        }
        table
    }

    /// What the setter does. False, with an error and without effect, if a key is no name or a value no node. Emit `changed`
    /// after a true.
    pub(crate) fn assign(&mut self, owner: &Gd<Resource>, value: &AnyDictionary) -> bool {
        let mut given = Vec::new();
        for (key, entry) in value.iter_shared() {
            let Some(id) = name_of(&key).filter(|_| fits(&entry)) else {
                let text = format!(
                    "nodes has {key} : {}; nodes stays as it was. Give ids and ActionGraphNode resources.",
                    family::describe(&entry)
                );
                messages::error(owner, "nodes", "type", &text);
                return false;
            };
            given.push((id, entry));
        }
        self.put(owner, given);
        true
    }

    /// Takes these entries, in any order.
    pub(crate) fn put(&mut self, owner: &Gd<Resource>, mut given: Vec<(String, Variant)>) {
        if !given.iter().any(|(id, node)| id == ROOT && node.try_to::<Gd<Resource>>().is_ok()) {
            given.retain(|(id, _)| id != ROOT);
            let old = self.node(ROOT).cloned();
            given.push((ROOT.to_owned(), old.unwrap_or_else(root).to_variant()));
        }
        let old = self.resources();
        self.fill(given);
        family::rewire_to(owner, "_part_changed", &old, &self.resources());
        self.wired.set(true);
    }

    fn fill(&mut self, mut given: Vec<(String, Variant)>) {
        given.sort_by(|one, other| one.0.cmp(&other.0));
        let mut stored = VarDictionary::new();
        self.entries.clear();
        for (id, value) in given {
            stored.set(&StringName::from(&id), &value);
            let node = value.try_to::<Gd<ActionGraphNode>>().ok();
            let stranger = if node.is_none() { stranger(&value) } else { None };
            self.entries.push(Entry { id, node, stranger });
        }
        self.stored = stored.into_read_only();
    }

    /// Listens to the first root, before somebody gets it. `owner` is only borrowed: see [`Slot`](crate::action::resource_class::Slot).
    pub(crate) fn wire(&self, owner: &Gd<Resource>) {
        if !self.wired.replace(true) {
            family::rewire_to(owner, "_part_changed", &[], &self.resources());
        }
    }

    /// What the getter returns.
    pub(crate) fn stored(&self) -> NodesById {
        NodesById(self.stored.clone().upcast_any_dictionary())
    }

    /// All ids in the order of their text, empty entries with them.
    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The dictionary as a list, to be changed and [`put`](Self::put) back.
    pub(crate) fn listed(&self) -> Vec<(String, Variant)> {
        self.stored.iter_shared().map(|(key, value)| (key.to_string(), value)).collect()
    }

    /// The node of that id.
    pub(crate) fn node(&self, id: &str) -> Option<&Gd<ActionGraphNode>> {
        self.entries.iter().find(|entry| entry.id == id).and_then(|entry| entry.node.as_ref())
    }

    /// True if the id is taken, be it by an empty entry.
    pub(crate) fn has(&self, id: &str) -> bool {
        self.entries.iter().any(|entry| entry.id == id)
    }

    fn resources(&self) -> Vec<Gd<Resource>> {
        self.entries.iter().filter_map(|entry| entry.node.clone()).map(Gd::upcast).collect()
    }
}

/// A key, if it is text.
pub(crate) fn name_of(key: &Variant) -> Option<String> {
    let is_text = matches!(key.get_type(), VariantType::STRING | VariantType::STRING_NAME);
    is_text.then(|| key.to_string())
}

fn root() -> Gd<ActionGraphNode> {
    let mut root = ActionGraphNode::new_gd();
    root.set_scene_unique_id("node_root");
    root
}

/// A node, nothing, or a stand-in for a class that is not there, which must survive the next save.
fn fits(value: &Variant) -> bool {
    match value.try_to::<Option<Gd<Resource>>>() {
        Ok(None) => true,
        Ok(Some(resource)) => resource.is_class("ActionGraphNode") || resource.is_class("MissingResource"),
        Err(_) => false,
    }
}

fn stranger(value: &Variant) -> Option<String> {
    let resource = value.try_to::<Gd<Resource>>().ok()?;
    let class = resource.get("original_class");
    Some(if class.is_nil() { type_name(value).to_owned() } else { class.to_string() })
}

/// Moves by id as accessors take and give them.
pub(crate) struct NodesById(pub AnyDictionary);

impl std::fmt::Debug for NodesById {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl GodotConvert for NodesById {
    type Via = AnyDictionary;

    fn godot_shape() -> GodotShape {
        AnyDictionary::godot_shape()
    }
}

impl ToGodot for NodesById {
    type Pass = ByValue;

    fn to_godot(&self) -> ToArg<'_, Self::Via, Self::Pass> {
        self.0.clone()
    }
}

impl FromGodot for NodesById {
    fn try_from_godot(via: Self::Via) -> Result<Self, ConvertError> {
        Ok(Self(via))
    }
}

impl GodotConvert for NodeTable {
    type Via = AnyDictionary;

    fn godot_shape() -> GodotShape {
        // The key is typed in the inspector only: a typed dictionary would say so in every file.
        let types = format!(
            "{}:;{}/{}:ActionGraphNode",
            VariantType::STRING_NAME.ord(),
            VariantType::OBJECT.ord(),
            PropertyHint::RESOURCE_TYPE.ord()
        );
        GodotShape::Custom {
            variant_type: VariantType::DICTIONARY,
            var_hint: PropertyHintInfo::none(),
            export_hint: PropertyHintInfo {
                hint: PropertyHint::DICTIONARY_TYPE,
                hint_string: GString::from(&types),
            },
            class_name: None,
            usage_flags: PropertyUsageFlags::NONE,
            metadata: ParamMetadata::NONE,
        }
    }
}

impl Var for NodeTable {
    type PubType = NodesById;

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

impl Export for NodeTable {}
