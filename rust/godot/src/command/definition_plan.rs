//! What a definition compiles to: one set of settings for each form, and which virtuals its script has.

use std::rc::Rc;
use std::sync::{Arc, OnceLock};

use godot::classes::Texture2D;
use godot::obj::WithBaseField as _;
use godot::prelude::*;
use riposte_core::command::{
    CheckPlan, EndlessPolicy, FailurePolicy, InvalidPolicy, LostPolicy, OrderPlan, RangeLimits, RangeRule,
    SameRequest, TargetType,
};
use riposte_core::tags::TagId;

use super::command_variant::INHERIT;
use super::{CommandDefinition, CommandVariant};
use crate::action::script_calls::overrides;
use crate::base::messages;
use crate::base::tags::TagList;

/// Names of the virtuals, made once.
pub(super) struct Names {
    pub get_variant: StringName,
    pub validate_target: StringName,
    pub can_execute: StringName,
    pub can_accept: StringName,
    pub score: StringName,
    pub get_execution: StringName,
    pub find_new_target: StringName,
}

/// The names.
pub(super) fn names() -> &'static Names {
    static NAMES: OnceLock<Names> = OnceLock::new();
    NAMES.get_or_init(|| Names {
        get_variant: StringName::from("_get_variant"),
        validate_target: StringName::from("_validate_target"),
        can_execute: StringName::from("_can_execute"),
        can_accept: StringName::from("_can_accept"),
        score: StringName::from("_score"),
        get_execution: StringName::from("_get_execution"),
        find_new_target: StringName::from("_find_new_target"),
    })
}

/// Which virtuals a definition's script has.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Asks {
    pub get_variant: bool,
    pub validate_target: bool,
    pub can_execute: bool,
    pub score: bool,
    pub get_execution: bool,
    pub find_new_target: bool,
}

/// The settings of one form of an order: definition and variant merged.
#[derive(Clone)]
pub(crate) struct Merged {
    pub id: StringName,
    pub enabled: bool,
    pub display_name: GString,
    pub icon: Option<Gd<Texture2D>>,
    pub description: GString,
    pub cancelable: bool,
    /// The range is as in the resource, until [`Self::in_world`].
    pub check: CheckPlan,
    pub groups: PackedStringArray,
    pub base_score: f64,
    pub execution: Option<Gd<Resource>>,
}

/// A definition as agents use it.
pub(crate) struct CompiledCommand {
    /// The name of the order.
    pub id: StringName,
    /// How many variants it lists; 0 for a simple one.
    pub listed: usize,
    /// One for each variant, or one alone.
    pub forms: Vec<Arc<Merged>>,
    /// Its ranges are in world units already.
    pub in_pixels: bool,
    /// What its script has to be asked.
    pub asks: Asks,
    /// The life of its orders; `cancelable` is that of the definition.
    pub order: OrderPlan,
    /// On the agent while it runs, each once.
    pub granted: Rc<[TagId]>,
    /// Place among others.
    pub sort_order: i64,
}

impl CompiledCommand {
    /// Reads a definition.
    pub(super) fn of(definition: &Gd<CommandDefinition>) -> Self {
        let resource: Gd<Resource> = definition.clone().upcast();
        let names = names();
        let asks = Asks {
            get_variant: overrides(&resource, &names.get_variant),
            validate_target: overrides(&resource, &names.validate_target),
            can_execute: overrides(&resource, &names.can_execute),
            score: overrides(&resource, &names.score),
            get_execution: overrides(&resource, &names.get_execution),
            find_new_target: overrides(&resource, &names.find_new_target),
        };
        let own = definition.bind();
        let base = own.merged(&own.command_id());
        let variants = own.variants.members();
        let mut forms: Vec<Merged> =
            variants.iter().map(|variant| base.overlaid(&variant.bind(), false)).collect();
        if forms.is_empty() {
            forms.push(base);
        }
        for (index, form) in forms.iter_mut().enumerate() {
            form.mend_range(&resource, index);
        }
        let forms = forms.into_iter().map(Arc::new).collect();
        Self {
            id: own.command_id(),
            listed: variants.len(),
            forms,
            in_pixels: own.in_pixels,
            asks,
            order: own.order_plan(),
            granted: each_once(own.granted_tags.ids()).into(),
            sort_order: own.sort_order,
        }
    }
}

impl CommandDefinition {
    /// The name of the order: the id, else that of the file.
    pub(crate) fn command_id(&self) -> StringName {
        if !self.id.is_empty() {
            return self.id.clone();
        }
        let path = self.base().get_path().to_string();
        // Inside of another file: several may stand there, so not the name of that.
        if let Some((_, inner)) = path.rsplit_once("::") {
            let name = self.base().get_name();
            return if name.is_empty() { inner.into() } else { StringName::from(&name) };
        }
        StringName::from(&GString::from(&path).get_file().get_basename())
    }

    /// What players read.
    pub(super) fn shown_name(&self, id: &StringName) -> GString {
        if self.display_name.is_empty() { GString::from(id) } else { self.display_name.clone() }
    }

    fn merged(&self, id: &StringName) -> Merged {
        Merged {
            id: StringName::default(),
            enabled: true,
            display_name: self.shown_name(id),
            icon: self.icon.clone(),
            description: self.description.clone(),
            cancelable: self.cancellation_policy == Self::CANCELABLE,
            check: CheckPlan {
                target_type: TargetType::from_int(self.target_type).unwrap_or_default(),
                allow_self: self.allow_self,
                max_targets: usize::try_from(self.max_targets).unwrap_or(1),
                grouped: !self.target_groups.is_empty(),
                agent_required: each_once(self.agent_required_tags.ids()),
                agent_blocked: each_once(self.agent_blocked_tags.ids()),
                target_required: each_once(self.target_required_tags.ids()),
                target_blocked: each_once(self.target_blocked_tags.ids()),
                range: RangeLimits { min: self.range_min, max: self.range_max },
                range_rule: RangeRule::from_int(self.range_rule).unwrap_or_default(),
            },
            groups: self.target_groups.clone(),
            base_score: self.base_score,
            execution: self.execution.member().cloned(),
        }
    }

    fn order_plan(&self) -> OrderPlan {
        OrderPlan {
            time_limit: self.time_limit,
            cancel_timeout: self.cancel_timeout,
            retry_delay: self.retry_delay,
            retry_count: u32::try_from(self.retry_count).unwrap_or(0),
            cancelable: self.cancellation_policy == Self::CANCELABLE,
            cancelled_counts_as_success: self.cancelled_counts_as_success,
            endless: self.endless,
            tells_left: true,
            failure: FailurePolicy::from_code(self.failure_policy).unwrap_or_default(),
            endless_policy: EndlessPolicy::from_code(self.endless_policy).unwrap_or_default(),
            lost: LostPolicy::from_code(self.target_lost_policy).unwrap_or_default(),
            invalid: InvalidPolicy::from_code(self.invalid_policy).unwrap_or_default(),
            same: SameRequest::from_code(self.same_request).unwrap_or_default(),
        }
    }
}

impl Merged {
    /// These settings with a variant over them. `replaces`: its lists take the place of these instead of being added.
    pub(super) fn overlaid(&self, variant: &CommandVariant, replaces: bool) -> Self {
        let text = |own: &GString, base: &GString| if own.is_empty() { base } else { own }.clone();
        let number = |own: f64, base: f64| if own < 0.0 { base } else { own };
        let tags = |own: &TagList, base: &[TagId]| {
            let base = if replaces { &[] } else { base };
            each_once(&[base, own.ids()].concat())
        };
        let mut groups = if replaces { PackedStringArray::new() } else { self.groups.clone() };
        groups.extend_array(&variant.target_groups);
        let check = &self.check;
        let inherits = |own: i64| own == INHERIT;
        Self {
            id: variant.id.clone(),
            enabled: variant.enabled,
            display_name: text(&variant.display_name, &self.display_name),
            icon: variant.icon.clone().or_else(|| self.icon.clone()),
            description: text(&variant.description, &self.description),
            cancelable: match variant.cancellation_policy {
                own if inherits(own) => self.cancelable,
                own => own == CommandVariant::CANCELABLE,
            },
            check: CheckPlan {
                target_type: TargetType::from_int(variant.target_type).unwrap_or(check.target_type),
                allow_self: check.allow_self,
                max_targets: check.max_targets,
                grouped: !groups.is_empty(),
                agent_required: tags(&variant.agent_required_tags, &check.agent_required),
                agent_blocked: tags(&variant.agent_blocked_tags, &check.agent_blocked),
                target_required: tags(&variant.target_required_tags, &check.target_required),
                target_blocked: tags(&variant.target_blocked_tags, &check.target_blocked),
                range: RangeLimits {
                    min: number(variant.range_min, check.range.min),
                    max: number(variant.range_max, check.range.max),
                },
                range_rule: RangeRule::from_int(variant.range_rule).unwrap_or(check.range_rule),
            },
            groups,
            base_score: number(variant.base_score, self.base_score),
            execution: variant.execution.member().cloned().or_else(|| self.execution.clone()),
        }
    }

    /// A maximum under the minimum is read as the minimum.
    pub(super) fn mend_range(&mut self, about: &Gd<Resource>, index: usize) {
        let range = &mut self.check.range;
        if range.max > 0.0 && range.max < range.min {
            let text = format!(
                "variants[{index}] has range_max {} under range_min {}, which is read as {1}. Raise range_max, or set 0 for \
                 no limit.",
                range.max, range.min
            );
            messages::warning(about, "variants", &format!("range {index}"), &text);
            range.max = range.min;
        }
    }

    /// The settings with the range in world units.
    pub(super) fn in_world(self: &Arc<Self>, unit: f64) -> Arc<Self> {
        let range = self.check.range;
        if unit == 1.0 || (range.min == 0.0 && range.max == 0.0) {
            return self.clone();
        }
        let mut scaled = (**self).clone();
        scaled.check.range = RangeLimits { min: range.min * unit, max: range.max * unit };
        #[expect(clippy::arc_with_non_send_sync, reason = "the icons and executions in it are the engine's")]
        Arc::new(scaled)
    }

    /// A resource with these values, all filled in.
    pub(crate) fn to_variant(&self) -> Gd<CommandVariant> {
        let mut made = CommandVariant::new_gd();
        {
            let mut variant = made.bind_mut();
            let check = &self.check;
            variant.id = self.id.clone();
            variant.enabled = self.enabled;
            variant.display_name = self.display_name.clone();
            variant.icon = self.icon.clone();
            variant.description = self.description.clone();
            variant.target_type = check.target_type as i64;
            variant.target_groups = self.groups.clone();
            variant.agent_required_tags = TagList::of(&check.agent_required);
            variant.agent_blocked_tags = TagList::of(&check.agent_blocked);
            variant.target_required_tags = TagList::of(&check.target_required);
            variant.target_blocked_tags = TagList::of(&check.target_blocked);
            variant.execution.hold(self.execution.clone());
            variant.range_min = check.range.min;
            variant.range_max = check.range.max;
            variant.range_rule = check.range_rule as i64;
            variant.base_score = self.base_score;
            variant.cancellation_policy =
                if self.cancelable { CommandVariant::CANCELABLE } else { CommandVariant::NON_CANCELABLE };
        }
        made
    }
}

/// The tags in their order, without repetitions.
fn each_once(tags: &[TagId]) -> Vec<TagId> {
    let mut once: Vec<TagId> = Vec::with_capacity(tags.len());
    for tag in tags {
        if !once.contains(tag) {
            once.push(*tag);
        }
    }
    once
}
