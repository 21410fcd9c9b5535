//! Values of a layout: plain, checked, and in the order of their names.

use godot::meta::GodotConvert;
use godot::meta::shape::GodotShape;
use godot::prelude::*;
use godot::register::property::{Export, Var};

use super::node_table::{NodesById, name_of};
use crate::base::convert::type_name;

/// What the values of a dictionary are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `[x, y]`.
    Place,
    /// `"#rrggbb"`.
    Color,
    /// `{at, entries}`.
    Router,
    /// `{title, rect, color, cards}`.
    Comment,
}

impl Kind {
    pub(crate) fn wanted(self) -> &'static str {
        match self {
            Self::Place => "names and places as [x, y]",
            Self::Color => "ids and colors as \"#rrggbb\"",
            Self::Router => "names and dictionaries of \"at\", a place, and \"entries\", ids of transitions",
            Self::Comment => "names and dictionaries of \"title\", \"rect\", \"color\" and \"cards\"",
        }
    }
}

/// Values by name, read-only. Any dictionary from a script.
pub(crate) struct LayoutValues(VarDictionary);

impl Default for LayoutValues {
    fn default() -> Self {
        Self(VarDictionary::new().into_read_only())
    }
}

impl LayoutValues {
    /// What the getter returns.
    pub(crate) fn stored(&self) -> NodesById {
        NodesById(self.0.clone().upcast_any_dictionary())
    }
}

impl GodotConvert for LayoutValues {
    type Via = AnyDictionary;

    fn godot_shape() -> GodotShape {
        AnyDictionary::godot_shape()
    }
}

impl Var for LayoutValues {
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

impl Export for LayoutValues {}

/// The dictionary in order of its names, with its values in the form that is stored; or what is wrong with it.
pub(crate) fn sorted(given: &AnyDictionary, kind: Kind) -> Result<LayoutValues, String> {
    let mut entries = Vec::new();
    for (key, value) in given.iter_shared() {
        let name = name_of(&key);
        let stored = stored(&value, kind);
        let Some((name, stored)) = name.zip(stored) else {
            return Err(format!("{key} : {}", type_name(&value)));
        };
        entries.push((name, stored));
    }
    Ok(of(entries))
}

fn of(mut entries: Vec<(String, Variant)>) -> LayoutValues {
    entries.sort_by(|one, other| one.0.cmp(&other.0));
    let mut made = VarDictionary::new();
    for (name, value) in entries {
        made.set(&StringName::from(&name), &value);
    }
    LayoutValues(made.into_read_only())
}

fn listed(values: &LayoutValues) -> Vec<(String, Variant)> {
    values.0.iter_shared().map(|(name, value)| (name.to_string(), value)).collect()
}

/// Without the value of that name.
pub(crate) fn without(values: &LayoutValues, name: &str) -> LayoutValues {
    of(listed(values).into_iter().filter(|(known, _)| known != name).collect())
}

/// With the value of that name under another name.
pub(crate) fn renamed(values: &LayoutValues, old: &str, new: &str) -> LayoutValues {
    let named = |name: String| if name == old { new.to_owned() } else { name };
    of(listed(values).into_iter().map(|(name, value)| (named(name), value)).collect())
}

/// Comments with a card under another id, or without it.
pub(crate) fn cards_renamed(comments: &LayoutValues, old: &str, new: Option<&str>) -> LayoutValues {
    let edit = |list: PackedStringArray| {
        let new = |card: &GString| match (*card == old, new) {
            (true, new) => new.map(GString::from),
            (false, _) => Some(card.clone()),
        };
        list.as_slice().iter().filter_map(new).collect()
    };
    with_list(comments, "cards", edit)
}

/// Routers without these transitions.
pub(crate) fn entries_without(routers: &LayoutValues, ids: &[String]) -> LayoutValues {
    let kept = |list: PackedStringArray| {
        list.as_slice().iter().filter(|id| !ids.contains(&id.to_string())).cloned().collect()
    };
    with_list(routers, "entries", kept)
}

fn with_list(
    values: &LayoutValues,
    key: &str,
    edit: impl Fn(PackedStringArray) -> PackedStringArray,
) -> LayoutValues {
    let edited = |value: Variant| {
        let mut one = value.to::<VarDictionary>().duplicate_shallow();
        if let Some(list) = one.get(key) {
            one.set(key, &edit(list.to::<PackedStringArray>()));
        }
        one.to_variant()
    };
    of(listed(values).into_iter().map(|(name, value)| (name, edited(value))).collect())
}

fn stored(value: &Variant, kind: Kind) -> Option<Variant> {
    match kind {
        Kind::Place => place(value),
        Kind::Color => color(value),
        Kind::Router => {
            let given = value.try_to::<AnyDictionary>().ok()?;
            let at = place(&given.get("at")?)?;
            let entries = names(&given.get("entries")?)?;
            Some(vdict! { "at" => &at, "entries" => &entries }.to_variant())
        }
        Kind::Comment => comment(&value.try_to::<AnyDictionary>().ok()?),
    }
}

fn comment(given: &AnyDictionary) -> Option<Variant> {
    let title = given.get("title").unwrap_or_else(|| GString::new().to_variant());
    let title = title.try_to_relaxed::<GString>().ok()?;
    let rect = numbers(&given.get("rect")?, 4)?;
    let mut made = vdict! { "title" => &title, "rect" => &rect };
    if let Some(given) = given.get("color") {
        made.set("color", &color(&given)?);
    }
    let cards = given.get("cards").unwrap_or_else(|| VarArray::new().to_variant());
    made.set("cards", &names(&cards)?);
    Some(made.to_variant())
}

fn place(value: &Variant) -> Option<Variant> {
    if let Ok(point) = value.try_to_relaxed::<Vector2>() {
        let sound = point.is_finite();
        return sound.then(|| varray![f64::from(point.x), f64::from(point.y)].to_variant());
    }
    numbers(value, 2)
}

fn numbers(value: &Variant, count: usize) -> Option<Variant> {
    if let Ok(rect) = value.try_to::<Rect2>()
        && count == 4
    {
        let (at, size) = (rect.position, rect.size);
        let all = [at.x, at.y, size.x, size.y].map(|one| f64::from(one).to_variant());
        return Some(all.into_iter().collect::<VarArray>().to_variant());
    }
    let given = value.try_to::<AnyArray>().ok().filter(|given| given.len() == count)?;
    let sound = |one: &Variant| one.try_to_relaxed::<f64>().is_ok_and(f64::is_finite);
    let all: VarArray = given.iter_shared().filter(sound).collect();
    (all.len() == count).then(|| all.to_variant())
}

fn color(value: &Variant) -> Option<Variant> {
    if let Ok(color) = value.try_to::<Color>() {
        return Some(GString::from(&format!("#{}", color.to_html_without_alpha())).to_variant());
    }
    let text = value.try_to_relaxed::<GString>().ok()?;
    Color::from_html(&text).map(|_| text.to_variant())
}

fn names(value: &Variant) -> Option<PackedStringArray> {
    if let Ok(names) = value.try_to::<PackedStringArray>() {
        return Some(names);
    }
    let given = value.try_to::<AnyArray>().ok()?;
    given.iter_shared().map(|one| one.try_to_relaxed::<GString>().ok()).collect()
}
