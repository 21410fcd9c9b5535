//! The table of all tags, and tags as scripts give them.

use godot::builtin::{GString, PackedStringArray, StringName};
use godot::classes::{Engine, Object};
use godot::meta::GodotConvert;
use godot::meta::shape::GodotShape;
use godot::obj::{Gd, Inherits, Singleton as _};
use godot::register::property::{Export, Var};
use parking_lot::RwLock;
use riposte_core::tags::{TagError, TagId, TagTable, closest_name};

use super::{messages, settings};

static TABLE: RwLock<TagTable> = RwLock::new(TagTable::new());

/// Reads the table. Inside `f` no function of this module may be called.
pub(crate) fn with_table<R>(f: impl FnOnce(&TagTable) -> R) -> R {
    f(&TABLE.read())
}

/// Changes the table. Inside `f` no function of this module may be called.
pub(crate) fn with_table_mut<R>(f: impl FnOnce(&mut TagTable) -> R) -> R {
    f(&mut TABLE.write())
}

/// The id of a name.
pub(crate) fn intern(name: &str) -> Result<TagId, TagError> {
    let known = TABLE.read().find(name);
    match known {
        Some(tag) => Ok(tag),
        None => TABLE.write().intern(name),
    }
}

/// The name of a tag.
pub(crate) fn name(tag: TagId) -> StringName {
    with_table(|table| StringName::from(table.name(tag)))
}

/// The name of a tag as plain text, for exported states.
pub(crate) fn text(tag: TagId) -> GString {
    with_table(|table| GString::from(table.name(tag)))
}

/// The names of tags.
pub(crate) fn names(tags: &[TagId]) -> PackedStringArray {
    with_table(|table| tags.iter().map(|tag| GString::from(table.name(*tag))).collect())
}

/// A tag that a script gave to `member`; an error and `None` if it is none.
pub(crate) fn from_script<T: Inherits<Object>>(about: &Gd<T>, member: &str, name: &str) -> Option<TagId> {
    match intern(name) {
        Ok(tag) => Some(tag),
        Err(problem) => {
            messages::error(about, member, name, &refusal(member, &problem));
            None
        }
    }
}

/// What the setter of a property that holds one tag stores: the name, or `old` with an error if it is none. Empty is no
/// tag and allowed. In the editor every name stays, since it is typed letter by letter; [`warning`] tells about it.
pub(crate) fn single<T: Inherits<Object>>(
    about: &Gd<T>,
    member: &str,
    name: StringName,
    old: &StringName,
) -> StringName {
    let sound = name.is_empty()
        || Engine::singleton().is_editor_hint()
        || from_script(about, member, &name.to_string()).is_some();
    if sound { name } else { old.clone() }
}

/// Tags that a script gave to `member`. Names that are no tags are left out with an error; the second value
/// tells that there was none.
pub(crate) fn from_script_array<T: Inherits<Object>>(
    about: &Gd<T>,
    member: &str,
    names: &PackedStringArray,
) -> (Vec<TagId>, bool) {
    let tags: Vec<TagId> =
        names.as_slice().iter().filter_map(|name| from_script(about, member, &name.to_string())).collect();
    let complete = tags.len() == names.len();
    (tags, complete)
}

/// A tag of an imported state; a warning and `None` if the name is none.
pub(crate) fn from_state<T: Inherits<Object>>(about: &Gd<T>, name: &str) -> Option<TagId> {
    let tag = intern(name);
    if let Err(problem) = &tag {
        messages::warning(about, "import_state", name, &refusal("import_state()", problem));
    }
    tag.ok()
}

fn refusal(member: &str, problem: &TagError) -> String {
    format!("{member}: {problem}. The name is ignored.")
}

/// A property that holds several tags: as typed, and interned.
#[derive(Clone, Default)]
pub(crate) struct TagList {
    typed: PackedStringArray,
    ids: Vec<TagId>,
}

impl TagList {
    /// The default value of a property.
    pub(crate) fn preset(names: &[&str]) -> Self {
        let typed = names.iter().map(|name| GString::from(*name)).collect();
        Self { typed, ids: names.iter().filter_map(|name| intern(name).ok()).collect() }
    }

    /// These tags.
    pub(crate) fn of(tags: &[TagId]) -> Self {
        Self { typed: names(tags), ids: tags.to_vec() }
    }

    /// What the setter of property `member` does.
    ///
    /// In the game a name that is no tag is refused with an error. In the editor it stays, since a name is
    /// typed letter by letter there; [`TagList::warnings`] tells about it.
    pub(crate) fn assign<T: Inherits<Object>>(
        &mut self,
        about: &Gd<T>,
        member: &str,
        value: PackedStringArray,
    ) {
        if Engine::singleton().is_editor_hint() {
            self.ids = value.as_slice().iter().filter_map(|name| intern(&name.to_string()).ok()).collect();
            self.typed = value;
            return;
        }
        let (ids, complete) = from_script_array(about, member, &value);
        self.typed = if complete { value } else { names(&ids) };
        self.ids = ids;
    }

    /// Adds a tag at the end. False if it is there already.
    pub(crate) fn add(&mut self, tag: TagId) -> bool {
        if self.ids.contains(&tag) {
            return false;
        }
        self.ids.push(tag);
        self.typed.push(&text(tag));
        true
    }

    /// Takes a tag out. False if it is not there.
    pub(crate) fn remove(&mut self, tag: TagId) -> bool {
        let Some(at) = self.ids.iter().position(|known| *known == tag) else { return false };
        self.ids.remove(at);
        let gone = text(tag);
        self.typed = self.typed.as_slice().iter().filter(|name| **name != gone).cloned().collect();
        true
    }

    /// As it is shown and stored.
    pub(crate) fn typed(&self) -> PackedStringArray {
        self.typed.clone()
    }

    /// The tags, in the order typed.
    pub(crate) fn ids(&self) -> &[TagId] {
        &self.ids
    }

    /// Configuration warnings about names that are no tags or not declared.
    pub(crate) fn warnings(&self, member: &str) -> Vec<String> {
        self.typed.as_slice().iter().filter_map(|name| warning(member, &name.to_string())).collect()
    }
}

/// The configuration warning about one name in property `member`, if there is one to give.
pub(crate) fn warning(member: &str, name: &str) -> Option<String> {
    if let Err(problem) = TagTable::validate(name) {
        return Some(refusal(member, &problem));
    }
    let declared = settings::declared_tags();
    let is_declared = |known: &String| {
        known.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    if declared.iter().any(is_declared) {
        return None;
    }
    let hint = match closest_name(name, declared.iter().map(String::as_str)) {
        Some(near) => format!("Did you mean \"{near}\"? Else declare it"),
        None => "Declare it".to_owned(),
    };
    Some(format!(
        "{member}: tag \"{name}\" is not declared. {hint} in Project Settings, riposte/tags/declared."
    ))
}

impl GodotConvert for TagList {
    type Via = PackedStringArray;

    fn godot_shape() -> GodotShape {
        PackedStringArray::godot_shape()
    }
}

impl Var for TagList {
    type PubType = PackedStringArray;

    fn var_get(field: &Self) -> Self::Via {
        field.typed()
    }

    fn var_set(field: &mut Self, value: Self::Via) {
        field.ids = value.as_slice().iter().filter_map(|name| intern(&name.to_string()).ok()).collect();
        field.typed = value;
    }

    fn var_pub_get(field: &Self) -> Self::PubType {
        field.typed()
    }

    fn var_pub_set(field: &mut Self, value: Self::PubType) {
        Self::var_set(field, value);
    }
}

impl Export for TagList {}
