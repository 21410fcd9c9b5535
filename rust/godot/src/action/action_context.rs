use godot::prelude::*;

use super::driver;
use crate::optional::{Optional, node_id};

/// What an action is started with: the target, an object, a number and tags.
///
/// Make one with [method create] and pass it to [method ActionEvaluator.execute_action_with_context]; the evaluator
/// works on a copy and never writes into yours. Methods and scripts read the context of their run, where the
/// instigator, the id, the distance and the direction are filled in.
#[derive(GodotClass)]
#[class(init, base = RefCounted)]
pub struct ActionContext {
    /// The node that the action is aimed at. Null if there is none or it was freed. Left empty when a start is
    /// requested, the evaluator's focus target is used.
    #[var(get = get_target, set = set_target)]
    target: PhantomVar<Option<Gd<Node>>>,
    /// Anything the action needs: an item, a weapon. Null by default and when it was freed.
    #[var(get = get_optional_object, set = set_optional_object)]
    optional_object: PhantomVar<Option<Gd<Object>>>,
    /// A number for the action: charge, damage. Default 0.
    #[var]
    pub magnitude: f64,
    /// Tags for the action, for example the variant of an attack. See [method has_tag].
    #[var]
    pub context_tags: PackedStringArray,
    /// The agent that acts. Filled in at the start; null outside a run.
    #[var(get = get_instigator, no_set)]
    instigator: PhantomVar<Option<Gd<Node>>>,
    /// The action that runs. Filled in at the start; empty outside a run.
    #[var(no_set)]
    pub action_id: StringName,
    /// The event that a reaction answers. Filled in by [method ReactionEvaluator.react]; else empty.
    #[var(no_set)]
    pub event_tag: StringName,
    /// Distance from the agent to the target at the start, in world units; 0 without a target.
    #[var(no_set)]
    pub distance: f64,
    /// Unit vector from the agent to the target at the start (z is 0 in 2D); zero without a target.
    #[var(no_set)]
    pub direction: Vector3,
    target_id: Option<InstanceId>,
    instigator_id: Option<InstanceId>,
    /// The run was started with a context, or answers an event.
    given: bool,
    /// A Variant, because it keeps a RefCounted alive and outlives a freed Node without harm.
    object: Variant,
    base: Base<RefCounted>,
}

#[godot_api]
impl ActionContext {
    /// A new context in one line. All arguments are optional.
    #[func]
    pub fn create(
        #[opt(default = Optional::null())] target: Optional<Node>,
        #[opt(default = 0.0)] magnitude: f64,
        #[opt(default = Optional::null())] optional_object: Optional<Object>,
        #[opt(default = &PackedStringArray::new())] tags: PackedStringArray,
    ) -> Gd<Self> {
        let mut made = Self::new_gd();
        {
            let mut context = made.bind_mut();
            context.set_target(target.0);
            context.set_optional_object(optional_object.0);
            context.magnitude = magnitude;
            context.context_tags = tags;
        }
        made
    }

    /// True if one of [member context_tags] is this tag or one below it: [code]Attack[/code] finds
    /// [code]Attack.Heavy[/code].
    #[func]
    pub fn has_tag(&self, tag: StringName) -> bool {
        let query = tag.to_string();
        self.context_tags.as_slice().iter().any(|owned| tag_matches(&query, &owned.to_string()))
    }

    #[func]
    pub fn get_target(&self) -> Option<Gd<Node>> {
        self.target_id.and_then(|id| Gd::try_from_instance_id(id).ok())
    }

    #[func]
    pub fn set_target(&mut self, target: Option<Gd<Node>>) {
        self.target_id = target.map(|node| node.instance_id());
    }

    #[func]
    pub fn get_optional_object(&self) -> Option<Gd<Object>> {
        // A freed object panics in try_to and in object_id, so its life is asked by the bare id.
        let id = self.object.object_id_unchecked()?;
        Gd::<Object>::try_from_instance_id(id).ok()
    }

    #[func]
    pub fn set_optional_object(&mut self, object: Option<Gd<Object>>) {
        self.object = object.to_variant();
    }

    #[func]
    pub fn get_instigator(&self) -> Option<Gd<Node>> {
        self.instigator_id.and_then(|id| Gd::try_from_instance_id(id).ok())
    }
}

#[godot_api]
impl IRefCounted for ActionContext {
    /// A freed target or object is none; the setter alone would be an error.
    fn on_set(&mut self, property: StringName, value: Variant) -> bool {
        if property == "optional_object" && value.get_type() == VariantType::OBJECT {
            let alive = value.object_id_unchecked().is_some_and(InstanceId::lookup_validity);
            self.object = if alive { value } else { Variant::nil() };
            return true;
        }
        let target = (property == "target").then(|| node_id(&value)).flatten();
        target.map(|id| self.target_id = id).is_some()
    }
}

impl ActionContext {
    /// A context of its own with the same content.
    pub fn copy_of(given: &Gd<Self>) -> Gd<Self> {
        let mut made = Self::new_gd();
        {
            let (from, mut to) = (given.bind(), made.bind_mut());
            to.magnitude = from.magnitude;
            to.context_tags = from.context_tags.clone();
            to.target_id = from.target_id;
            to.object = from.object.clone();
        }
        made
    }

    /// The same, for a run that answers the event of the other one.
    pub fn copy_for_event(given: &Gd<Self>, answers: bool) -> Gd<Self> {
        let mut made = Self::copy_of(given);
        if answers {
            made.bind_mut().event_tag = given.bind().event_tag.clone();
        }
        made
    }

    /// Whom it names, by id.
    pub fn target_id(&self) -> Option<InstanceId> {
        self.target_id
    }

    /// Sets the target by id.
    pub fn set_target_id(&mut self, id: Option<InstanceId>) {
        self.target_id = id;
    }

    /// The same content and the run's data, aimed at whom it names, or at the agent's focus.
    pub(crate) fn for_ability(given: Option<&Gd<Self>>, agent: InstanceId) -> Gd<Self> {
        let mut made = given.map_or_else(Self::new_gd, Self::copy_of);
        let named = made.bind().target_id.filter(|target| driver::is_live(*target));
        let target = named.or_else(|| super::focus_of(agent));
        let (distance, direction) = driver::way_to(agent, target);
        {
            let mut context = made.bind_mut();
            context.target_id = target;
            context.instigator_id = Some(agent);
            context.distance = distance;
            context.direction = direction;
        }
        if let Some(given) = given {
            let (from, mut to) = (given.bind(), made.bind_mut());
            to.instigator_id = from.instigator_id.or(to.instigator_id);
            to.action_id = from.action_id.clone();
            to.event_tag = from.event_tag.clone();
        }
        made
    }

    /// True if the run was started with a context, or answers an event.
    pub fn is_given(&self) -> bool {
        self.given
    }

    /// Sets that.
    pub fn mark_given(&mut self, given: bool) {
        self.given = given;
    }

    /// Sets who acts.
    pub fn set_instigator_id(&mut self, id: Option<InstanceId>) {
        self.instigator_id = id;
    }
}

/// `owned` is the query or stands below it.
fn tag_matches(query: &str, owned: &str) -> bool {
    owned.strip_prefix(query).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
