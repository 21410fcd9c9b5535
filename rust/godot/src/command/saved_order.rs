//! What the engine's side knows of one order as plain values, and back.

use std::rc::Rc;

use godot::classes::ResourceLoader;
use godot::prelude::*;
use riposte_core::command::Entry;

use super::aim::Aim;
use super::order::{Life, Order};
use super::order_saving::{integer, text};
use super::plain_values::plain;
use super::request_data::RequestData;
use super::validation::{self, SystemView};
use super::{CommandDefinition, CommandSystem, known};
use crate::base::messages;
use crate::base::state::number;

/// The id of an object that never was: a target that is not there any more.
pub(super) const NOBODY: i64 = 0x7fff_ffff_ff00_0000;

/// A row of a state.
pub(super) struct SavedData {
    name: String,
    file: String,
    variant: i64,
    targets: Vec<String>,
    location: Option<Aim>,
    direction: Option<Aim>,
    payload: VarDictionary,
    source: String,
    entry: Entry,
    started: bool,
    resume: Variant,
    command: i64,
}

/// Writes a row.
pub(super) fn export(
    order: &Order,
    agent: Option<&Gd<Node>>,
    resume: &Variant,
    lost: &mut Vec<String>,
) -> VarDictionary {
    let known = &order.accepted;
    let request = &known.request;
    let path = |id: &InstanceId| {
        let target = Gd::<Node>::try_from_instance_id(*id).ok().filter(|target| target.is_inside_tree());
        let agent = agent.filter(|agent| agent.is_inside_tree());
        let path = agent.zip(target).map(|(agent, target)| agent.get_path_to(&target));
        path.map(|path| GString::from(&path)).unwrap_or_default().to_variant()
    };
    let aim = |aim: Option<Aim>| match aim {
        None => Variant::nil(),
        Some(Aim::Space(at)) => varray![at.x, at.y, at.z].to_variant(),
        Some(Aim::Plane(at)) => varray![at.x, at.y].to_variant(),
    };
    let name = &known.name;
    let payload = plain(&request.payload.to_variant(), &format!("the payload of \"{name}\""), lost);
    let resume = plain(resume, &format!("resume_data of \"{name}\""), lost);
    vdict! {
        "definition" => &GString::from(name),
        "file" => &request.definition.get_path(),
        "variant" => request.variant,
        "targets" => &request.targets.iter().map(path).collect::<VarArray>(),
        "location" => &aim(request.location),
        "direction" => &aim(request.direction),
        "payload" => &payload.unwrap_or_default(),
        "source" => &GString::from(&request.source),
        "entry_point" => order.life.entry.code(),
        "resume_data" => &resume.unwrap_or_default(),
    }
}

impl SavedData {
    /// Reads a row.
    pub fn read(row: &VarDictionary) -> Option<Self> {
        let targets = row.get("targets")?.try_to::<AnyArray>().ok()?;
        let targets = targets.iter_shared().map(|path| path.try_to_relaxed::<GString>().ok());
        Some(Self {
            name: text(row, "definition")?,
            file: text(row, "file")?,
            variant: integer(row, "variant")?,
            targets: targets.map(|path| path.map(|path| path.to_string())).collect::<Option<_>>()?,
            location: read_aim(&row.get("location")?)?,
            direction: read_aim(&row.get("direction")?)?,
            payload: row.get("payload")?.try_to::<VarDictionary>().ok()?.duplicate_deep(),
            source: text(row, "source")?,
            entry: Entry::from_code(integer(row, "entry_point")?)?,
            started: row.get("started")?.try_to::<bool>().ok()?,
            resume: row.get("resume_data")?,
            command: integer(row, "command_id")?,
        })
    }

    /// The order; `None`, with a warning, if its definition is not there.
    pub fn find(self, this: &Gd<CommandSystem>, view: &SystemView) -> Option<Rc<Order>> {
        let definition = self.definition(this);
        let agent = view.agent.as_ref();
        let target = |path: &String| {
            let node = agent
                .filter(|_| !path.is_empty())
                .and_then(|agent| agent.get_node_or_null(&NodePath::from(path)));
            node.map_or_else(|| InstanceId::from_i64(NOBODY), |node| node.instance_id())
        };
        let found = definition.and_then(|definition| {
            let request = RequestData {
                definition,
                variant: self.variant,
                targets: self.targets.iter().map(target).collect(),
                location: self.location,
                direction: self.direction,
                payload: self.payload.clone(),
                source: StringName::from(&self.source),
            };
            validation::restored(view, request)
        });
        let Some(accepted) = found else {
            let name = &self.name;
            let text = format!(
                "import_state() left out the order \"{name}\", which is not there, or not in this form. Put its definition into commands or \
                 palette, or save it in a file."
            );
            messages::warning(this, "import_state", name, &text);
            return None;
        };
        Some(Rc::new(Order { life: self.life(this, &accepted.request), accepted }))
    }

    /// An order that lives here too keeps its receipt.
    fn life(&self, this: &Gd<CommandSystem>, request: &RequestData) -> Rc<Life> {
        let known = super::telling::order_by_number(this.instance_id(), self.command);
        let same = known.filter(|order| order.accepted.request.definition == request.definition);
        let life = same.map_or_else(
            || Rc::new(Life { entry: self.entry, ..Life::default() }),
            |order| order.life.clone(),
        );
        life.started.set(self.started);
        life.resume.replace(self.resume.clone());
        life
    }

    fn definition(&self, this: &Gd<CommandSystem>) -> Option<Gd<CommandDefinition>> {
        let id = StringName::from(&self.name);
        known::find(this, &id).or_else(|| {
            let mut loader = ResourceLoader::singleton();
            let there = !self.file.is_empty() && loader.exists(&self.file);
            if there { loader.load(&self.file)?.try_cast().ok() } else { None }
        })
    }
}

/// A place or direction; `None` for what is none.
fn read_aim(value: &Variant) -> Option<Option<Aim>> {
    if value.is_nil() {
        return Some(None);
    }
    let numbers: Option<Vec<f64>> =
        value.try_to::<AnyArray>().ok()?.iter_shared().map(|one| number(&one)).collect();
    match numbers?.as_slice() {
        [x, y] => Some(Some(Aim::Plane(Vector2::new(*x as f32, *y as f32)))),
        [x, y, z] => Some(Some(Aim::Space(Vector3::new(*x as f32, *y as f32, *z as f32)))),
        _ => None,
    }
}
