use godot::prelude::*;
use riposte_core::command::VARIANT_AUTO;

use super::CommandDefinition;
use super::aim::Aim;
use super::nodes::Nodes;
use super::request_data::RequestData;
use crate::base::convert::type_name;
use crate::base::family::describe;
use crate::base::messages;
use crate::optional::{Optional, OptionalId, node_id};

/// One order from one source: what to do, and to whom, where or in which direction.
///
/// Make one with a static method, and give it to a [CommandSystem]. The system takes a copy: the same request can be changed
/// and sent again, to one agent or to many.
///
/// ```gdscript
/// var request := CommandRequest.to_node(attack, enemy)
/// request.source = &"player"
/// orders.issue_command(request)
/// ```
#[derive(GodotClass)]
#[class(init, tool, base = RefCounted)]
pub struct CommandRequest {
    /// What is ordered. Without it the request is refused, with an error.
    #[var]
    pub definition: Option<Gd<CommandDefinition>>,
    /// The index of a form of the order; VARIANT_AUTO leaves the choice to the scores. Counts for nothing if the order has no
    /// variants. Default 0.
    #[var]
    pub variant: i64,
    /// The first of [member targets]; null without one and when it was freed. Setting it replaces them all.
    #[var(get = get_target, set = set_target)]
    target: PhantomVar<Option<Gd<Node>>>,
    /// Whom the order is aimed at, in order. Reading gives a read-only array without those that were freed; assign a new one to
    /// change it.
    #[var(get = get_targets, set = set_targets)]
    targets: PhantomVar<Nodes>,
    /// The place that the order is aimed at, in world units, a [Vector3] or [Vector2]; for an order on nodes a point on the
    /// first. Null, the default: none.
    #[var(get = get_location, set = set_location)]
    location: PhantomVar<Variant>,
    /// The direction that the order is aimed in, a [Vector3] or [Vector2] of any length but 0. Null, the default: none.
    #[var(get = get_direction, set = set_direction)]
    direction: PhantomVar<Variant>,
    /// Anything that the execution needs. The order gets a copy, down to the last value; objects in it are not copied.
    #[var]
    pub payload: VarDictionary,
    /// Who asks, for example [code]player[/code], [code]ai[/code] or [code]squad[/code]. See
    /// [member CommandSystem.insert_only_sources].
    #[var]
    pub source: StringName,
    ids: Vec<InstanceId>,
    at: Option<Aim>,
    along: Option<Aim>,
    base: Base<RefCounted>,
}

#[godot_api]
impl CommandRequest {
    /// The allowed form with the highest score, chosen when the order is accepted.
    #[constant]
    const VARIANT_AUTO: i64 = VARIANT_AUTO;

    /// An order that is aimed at nothing.
    #[func]
    pub fn simple(definition: Option<Gd<CommandDefinition>>) -> Gd<Self> {
        Self::with(definition, Vec::new())
    }

    /// An order on one node.
    #[func]
    pub fn to_node(definition: Option<Gd<CommandDefinition>>, target: OptionalId) -> Gd<Self> {
        Self::with(definition, target.0.into_iter().collect())
    }

    /// An order on several nodes.
    #[func]
    pub fn to_nodes(definition: Option<Gd<CommandDefinition>>, targets: AnyArray) -> Gd<Self> {
        let mut made = Self::with(definition, Vec::new());
        made.bind_mut().set_targets(Nodes(targets));
        made
    }

    /// An order on a place, a [Vector3] or [Vector2] in world units.
    #[func]
    pub fn to_location(definition: Option<Gd<CommandDefinition>>, location: Variant) -> Gd<Self> {
        let mut made = Self::with(definition, Vec::new());
        made.bind_mut().set_location(location);
        made
    }

    /// An order in a direction, a [Vector3] or [Vector2] of any length but 0.
    #[func]
    pub fn to_direction(definition: Option<Gd<CommandDefinition>>, direction: Variant) -> Gd<Self> {
        let mut made = Self::with(definition, Vec::new());
        made.bind_mut().set_direction(direction);
        made
    }

    /// An order in the direction from an agent to a point. Without a direction, and with an error, if the agent is gone, has no
    /// place, or the point is of another dimension.
    #[func]
    pub fn toward(
        definition: Option<Gd<CommandDefinition>>,
        agent: Optional<Node>,
        point: Variant,
    ) -> Gd<Self> {
        let mut made = Self::with(definition, Vec::new());
        let to = Aim::read(&point).flatten();
        let from = agent.0.as_ref().and_then(Aim::at);
        let way = from.zip(to).and_then(|(from, to)| from.to(to));
        if way.is_none() {
            let what = match (&agent.0, to) {
                (None, _) => "an agent that is not there".to_owned(),
                (_, None) => format!("{} as the point", type_name(&point)),
                _ => "an agent without a place, or a point of another dimension".to_owned(),
            };
            let text = format!(
                "toward() got {what}; the request has no direction. Give a Vector3 to an agent in 3D, a Vector2 to one in 2D."
            );
            messages::error(&made, "toward", &what, &text);
        }
        made.bind_mut().along = way;
        made
    }

    #[func]
    fn get_target(&self) -> Option<Gd<Node>> {
        self.ids.iter().find_map(|id| Gd::try_from_instance_id(*id).ok())
    }

    #[func]
    fn set_target(&mut self, target: Option<Gd<Node>>) {
        self.ids = target.iter().map(Gd::instance_id).collect();
    }

    #[func]
    fn get_targets(&self) -> Nodes {
        Nodes::living(&self.ids)
    }

    #[func]
    fn set_targets(&mut self, targets: Nodes) {
        let mut ids = Vec::with_capacity(targets.0.len());
        for (index, element) in targets.0.iter_shared().enumerate() {
            let Some(id) = target_id(&element) else {
                let text = format!(
                    "targets[{index}] is {}; targets stays as it was. Give nodes.",
                    describe(&element)
                );
                messages::error(&self.to_gd(), "targets", &format!("{index}"), &text);
                return;
            };
            ids.push(id);
        }
        self.ids = ids;
    }

    #[func]
    fn get_location(&self) -> Variant {
        self.at.map_or_else(Variant::nil, Aim::to_script)
    }

    #[func]
    fn set_location(&mut self, value: Variant) {
        if let Some(aim) = self.aim("location", &value) {
            self.at = aim;
        }
    }

    #[func]
    fn get_direction(&self) -> Variant {
        self.along.map_or_else(Variant::nil, Aim::to_script)
    }

    #[func]
    fn set_direction(&mut self, value: Variant) {
        if let Some(aim) = self.aim("direction", &value) {
            self.along = aim;
        }
    }
}

#[godot_api]
impl IRefCounted for CommandRequest {
    /// A freed target is one that is lost, not an error of the setter.
    fn on_set(&mut self, property: StringName, value: Variant) -> bool {
        if property != "target" || value.get_type() != VariantType::OBJECT {
            return false;
        }
        match (node_id(&value), value.object_id_unchecked()) {
            (Some(None), Some(freed)) => {
                self.ids = vec![freed];
                true
            }
            _ => false,
        }
    }
}

impl CommandRequest {
    fn with(definition: Option<Gd<CommandDefinition>>, ids: Vec<InstanceId>) -> Gd<Self> {
        let mut made = Self::new_gd();
        {
            let mut request = made.bind_mut();
            request.definition = definition;
            request.ids = ids;
        }
        made
    }

    /// Takes over the content of a copy.
    pub(super) fn fill(&mut self, data: &RequestData, payload: VarDictionary) {
        self.definition = Some(data.definition.clone());
        self.variant = data.variant;
        self.ids = data.targets.clone();
        self.at = data.location;
        self.along = data.direction;
        self.payload = payload;
        self.source = data.source.clone();
    }

    /// Its targets, those that were freed too.
    pub(super) fn target_ids(&self) -> &[InstanceId] {
        &self.ids
    }

    /// Its place.
    pub(super) fn aimed_at(&self) -> Option<Aim> {
        self.at
    }

    /// Its direction.
    pub(super) fn aimed_along(&self) -> Option<Aim> {
        self.along
    }

    /// What a setter was given; none, with an error, for what is no vector.
    fn aim(&self, member: &str, value: &Variant) -> Option<Option<Aim>> {
        let aim = Aim::read(value);
        if aim.is_none() {
            let found = type_name(value);
            let text = format!(
                "{member} = {found} is refused, it stays as it was. Give a Vector3, a Vector2 or null."
            );
            messages::error(&self.to_gd(), member, found, &text);
        }
        aim
    }
}

/// The id of a node in an array, also of one that was freed; none for what is no node.
fn target_id(element: &Variant) -> Option<InstanceId> {
    match node_id(element)? {
        Some(id) => Some(id),
        None => element.object_id_unchecked(),
    }
}
