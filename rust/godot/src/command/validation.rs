//! Whether an order is legal now: the checks in their order, with the world read and the scripts asked between them.
//!
//! What depends on the orders that an agent has already is the core's, and comes after all of this. Nothing may be bound or
//! locked here.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use godot::prelude::*;
use riposte_core::command::{
    CheckDetail, Failure, Moment, OrderPlan, Reason, VariantChoice, best_of, blocked, check_shape,
    check_world, variant_choice,
};
use riposte_core::tags::{TagId, TagSet};

use super::aim::Aim;
use super::definition_plan::{CompiledCommand, Merged, names};
use super::hooks::{self, Question};
use super::request_data::RequestData;
use super::world::{World, present};
use super::{CommandDefinition, aim, builtin, known, resolving};
use crate::agent::read_tags;
use crate::base::engine_reads::{is_inside_tree, is_there};
use crate::base::{messages, tags};

/// Checks inside of one another, through scripts that order from inside a question.
const DEEPEST: u32 = 8;

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// What the checks need to know of a system.
pub(crate) struct SystemView {
    /// The node: for messages and for its script.
    pub system: Gd<Node>,
    pub enabled: bool,
    /// None if it is not found.
    pub agent: Option<Gd<Node>>,
    pub is_authority: bool,
    /// Its turn had too many effects.
    pub is_flooded: bool,
    /// Orders are refused while the agent has one.
    pub block_tags: Rc<[TagId]>,
    /// It takes none but the orders that it knows.
    pub restricted: bool,
    /// For orders without one.
    pub default_execution: Option<Gd<Resource>>,
    /// Its script has `_can_accept`.
    pub asks_can_accept: bool,
}

/// When an order is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// It was given. `starts`: at once, or in the place of what runs.
    Accept { entry: i64, starts: bool },
    /// It waited, and its turn has come.
    Start { entry: i64 },
}

/// Why it is not legal.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub reason: Reason,
    /// The tag, the distance; empty if there is nothing to add.
    pub detail: String,
}

/// An order that may be taken, with all that its start needs.
#[derive(Clone)]
pub(crate) struct Accepted {
    /// Variant found, direction of length 1; from its start on without dead targets.
    pub request: RequestData,
    pub agent: InstanceId,
    /// The name of the order.
    pub name: StringName,
    /// Definition and variant merged, ranges in world units.
    pub settings: Arc<Merged>,
    pub execution: Option<Gd<Resource>>,
    pub granted_tags: Rc<[TagId]>,
    /// The life of the order.
    pub plan: OrderPlan,
}

impl Refusal {
    pub(crate) fn plain(reason: Reason) -> Self {
        Self { reason, detail: String::new() }
    }

    fn of(failure: Failure) -> Self {
        Self { reason: failure.reason, detail: tags::with_table(|table| failure.detail.text(table)) }
    }
}

impl Accepted {
    /// The same order with another target.
    pub(crate) fn with_target(&self, target: InstanceId) -> Self {
        let mut other = self.clone();
        other.request.targets = vec![target];
        other
    }

    /// Orders the same, whoever asked.
    pub(crate) fn same_request(&self, other: &Self) -> bool {
        self.request.equals(&other.request)
    }
}

/// Checks a request; what is accepted is its private copy.
pub(crate) fn validate(view: &SystemView, request: &RequestData, stage: Stage) -> Result<Accepted, Refusal> {
    let agent = check_system(view, stage)?;
    let _inside = Inside::enter(view)?;
    if !view.block_tags.is_empty() {
        let check = |tags: &TagSet| blocked(&view.block_tags, tags, Reason::AgentBlocked);
        read_tags(agent.instance_id(), |tags, _| check(tags)).map_err(Refusal::of)?;
    }
    let definition = &request.definition;
    let plan = CommandDefinition::compiled(definition);
    if view.restricted && !known::knows(view.system.instance_id_unchecked(), definition) {
        return Err(Refusal { reason: Reason::NotInPalette, detail: plan.id.to_string() });
    }
    let check = Check { view, agent: &agent, plan: &plan, stage };
    match variant_choice(plan.listed, request.variant) {
        VariantChoice::Index(index) => check.form(request, index).map(|found| found.accepted),
        VariantChoice::Auto => check.best_form(request),
        VariantChoice::Bad => {
            Err(Refusal { reason: Reason::BadVariant, detail: request.variant.to_string() })
        }
    }
}

/// The settings of an accepted order as they are now, for another start; none if its form is gone.
pub(crate) fn renew(view: &SystemView, known: &Accepted) -> Option<Accepted> {
    restored(view, known.request.clone())
}

/// A request that was accepted once, with its settings as they are now; none if its form is gone.
pub(crate) fn restored(view: &SystemView, request: RequestData) -> Option<Accepted> {
    let definition = &request.definition;
    let plan = CommandDefinition::compiled(definition);
    let index = usize::try_from(request.variant).ok()?;
    let settings = resolving::form(definition, &plan, view.agent.as_ref(), index)?;
    let agent = view.agent.clone()?;
    let check = Check { view, agent: &agent, plan: &plan, stage: Stage::Start { entry: 0 } };
    let question = plan.asks.get_execution.then(|| check.question(&request, &settings));
    let execution = check.execution(&settings, question.as_ref());
    Some(check.accepted(request.clone(), settings, execution))
}

/// How good an accepted order is.
pub(crate) fn score_of(known: &Accepted) -> f64 {
    let definition = &known.request.definition;
    let agent = Gd::<Node>::try_from_instance_id(known.agent);
    match agent {
        Ok(agent) if CommandDefinition::compiled(definition).asks.score => {
            let mut settings = known.settings.to_variant();
            settings.bind_mut().execution.hold(known.execution.clone());
            let (definition, request) = (definition.clone(), known.request.to_request());
            Question { definition, agent, request, settings }.score(&names().score)
        }
        _ => known.settings.base_score,
    }
}

/// Whom the script of an order names in the place of targets that are gone.
pub(crate) fn find_new_target(known: &Accepted, agent: &Gd<Node>) -> Option<InstanceId> {
    let definition = &known.request.definition;
    if !CommandDefinition::compiled(definition).asks.find_new_target {
        return None;
    }
    let request = known.request.to_request();
    let found = hooks::new_target(definition, &names().find_new_target, agent, &request);
    found.map(|node| node.instance_id())
}

/// What has nothing to do with the request.
fn check_system(view: &SystemView, stage: Stage) -> Result<Gd<Node>, Refusal> {
    let plain = |reason| Err(Refusal::plain(reason));
    let fresh = matches!(stage, Stage::Accept { .. });
    if fresh && !view.enabled {
        return plain(Reason::Disabled);
    }
    if fresh && !is_inside_tree(&view.system) {
        return plain(Reason::OutsideTree);
    }
    let agent = view.agent.clone().filter(is_there);
    let Some(agent) = agent else { return plain(Reason::AgentMissing) };
    if fresh && !view.is_authority {
        return plain(Reason::NotAuthority);
    }
    if fresh && view.is_flooded {
        return plain(Reason::RecursionLimit);
    }
    Ok(agent)
}

/// Counts checks inside of one another.
struct Inside;

impl Inside {
    fn enter(view: &SystemView) -> Result<Self, Refusal> {
        let depth = DEPTH.get();
        if depth >= DEEPEST {
            let text = format!(
                "orders were given from inside the checks of orders, {DEEPEST} deep; this one is refused. Don't order in \
                 _get_variant(), _validate_target(), _can_execute(), _score(), _get_execution(), _can_accept() or \
                 _is_available()."
            );
            messages::error(&view.system, "validate", "depth", &text);
            return Err(Refusal::plain(Reason::RecursionLimit));
        }
        DEPTH.set(depth + 1);
        Ok(Self)
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get() - 1);
    }
}

/// One check of one request.
struct Check<'a> {
    view: &'a SystemView,
    agent: &'a Gd<Node>,
    plan: &'a CompiledCommand,
    stage: Stage,
}

/// A form that is allowed, and how good it is.
pub(super) struct Found {
    pub accepted: Accepted,
    question: Option<Question>,
}

impl Check<'_> {
    /// Checks all forms, and takes the best that is allowed; if none is, what the first one lacks.
    fn best_form(&self, request: &RequestData) -> Result<Accepted, Refusal> {
        let mut first = None;
        let mut allowed = Vec::with_capacity(self.plan.listed);
        for index in 0..self.plan.listed {
            allowed.push(match self.form(request, index) {
                Ok(found) => Some((self.score(&found), found.accepted)),
                Err(refusal) => {
                    first.get_or_insert(refusal);
                    None
                }
            });
        }
        let best = best_of(allowed.iter().map(|one| one.as_ref().map(|(score, _)| *score)));
        match best.and_then(|index| allowed.swap_remove(index)) {
            Some((_, accepted)) => self.still(accepted),
            None => Err(first.unwrap_or_else(|| Refusal::plain(Reason::BadVariant))),
        }
    }

    fn score(&self, found: &Found) -> f64 {
        match &found.question {
            Some(question) if self.plan.asks.score => question.score(&names().score),
            _ => found.accepted.settings.base_score,
        }
    }

    /// Checks one form.
    fn form(&self, request: &RequestData, index: usize) -> Result<Found, Refusal> {
        let definition = &request.definition;
        let Some(settings) = resolving::form(definition, self.plan, Some(self.agent), index) else {
            return Err(Refusal { reason: Reason::BadVariant, detail: index.to_string() });
        };
        self.survivors()?;
        let mut own = RequestData { variant: index as i64, ..request.clone() };
        self.check_plain(&mut own, &settings)?;
        own.direction = own.direction.map(Aim::normalized);
        let question = self.asks_scripts().then(|| self.question(&own, &settings));
        if let Some(question) = &question {
            self.ask_scripts(question)?;
        }
        let execution = self.execution(&settings, question.as_ref());
        self.survivors()?;
        let Some(carried) = &execution else { return Err(Refusal::plain(Reason::NoExecution)) };
        let known = question.as_ref().map(|question| question.request.clone());
        let asked = || known.clone().unwrap_or_else(|| own.to_request());
        refused(builtin::availability(carried, self.agent, &asked))?;
        let accepted = self.still(self.accepted(own, settings, execution))?;
        Ok(Found { accepted, question })
    }

    /// Shape, targets, tags and range.
    fn check_plain(&self, request: &mut RequestData, settings: &Merged) -> Result<(), Refusal> {
        let dimension = aim::dimension_of(self.agent);
        check_shape(&settings.check, &request.given(), dimension).map_err(Refusal::of)?;
        let targets = self.take_targets(request)?;
        let groups = if settings.check.grouped {
            settings.groups.as_slice().iter().map(StringName::from).collect()
        } else {
            Vec::new()
        };
        let world = World { agent: self.agent, targets: &targets, location: request.location, groups };
        let moment = match self.stage {
            Stage::Accept { starts: false, .. } => Moment::Acceptance,
            Stage::Accept { starts: true, .. } => Moment::AcceptanceAndStart,
            Stage::Start { .. } => Moment::Start,
        };
        check_world(&settings.check, targets.len(), moment, &world).map_err(Refusal::of)
    }

    /// The targets as nodes. A lost one refuses what is new; what waited goes on with the others.
    fn take_targets(&self, request: &mut RequestData) -> Result<Vec<Gd<Node>>, Refusal> {
        let mut targets = Vec::with_capacity(request.targets.len());
        let mut lost = None;
        for (index, id) in request.targets.iter().enumerate() {
            match present(*id) {
                Some(node) => targets.push(node),
                None => lost = lost.or(Some(index)),
            }
        }
        let Some(first) = lost else { return Ok(targets) };
        if matches!(self.stage, Stage::Start { .. }) && !targets.is_empty() {
            request.targets = targets.iter().map(Gd::instance_id).collect();
            return Ok(targets);
        }
        Err(Refusal::of(Failure { reason: Reason::TargetLost, detail: CheckDetail::Target(first) }))
    }

    fn asks_scripts(&self) -> bool {
        let asks = self.plan.asks;
        asks.validate_target
            || asks.can_execute
            || asks.score
            || asks.get_execution
            || self.view.asks_can_accept
    }

    fn question(&self, request: &RequestData, settings: &Merged) -> Question {
        let mut variant = settings.to_variant();
        if settings.execution.is_none() {
            // A script that has nothing to say to it returns what counts without it.
            variant.bind_mut().execution.hold(self.view.default_execution.clone());
        }
        Question {
            definition: request.definition.clone(),
            agent: self.agent.clone(),
            request: request.to_request(),
            settings: variant,
        }
    }

    fn ask_scripts(&self, question: &Question) -> Result<(), Refusal> {
        let asks = self.plan.asks;
        for (asked, method) in
            [(asks.validate_target, &names().validate_target), (asks.can_execute, &names().can_execute)]
        {
            if asked {
                refused(question.reason(method))?;
                self.survivors()?;
            }
        }
        if self.view.asks_can_accept {
            let (Stage::Accept { entry, .. } | Stage::Start { entry }) = self.stage;
            let system = &self.view.system;
            refused(hooks::can_accept(system, &names().can_accept, &question.request, entry))?;
            self.survivors()?;
        }
        Ok(())
    }

    fn execution(&self, settings: &Merged, question: Option<&Question>) -> Option<Gd<Resource>> {
        match question {
            Some(question) if self.plan.asks.get_execution => question.execution(&names().get_execution),
            _ => settings.execution.clone().or_else(|| self.view.default_execution.clone()),
        }
    }

    /// A script may have freed those that it was asked about.
    fn survivors(&self) -> Result<(), Refusal> {
        // The agent first: who frees it mostly frees the system with it.
        if !is_there(self.agent) {
            return Err(Refusal::plain(Reason::AgentMissing));
        }
        if self.view.system.is_instance_valid() { Ok(()) } else { Err(Refusal::plain(Reason::OutsideTree)) }
    }

    /// The same for the targets.
    fn still(&self, mut accepted: Accepted) -> Result<Accepted, Refusal> {
        self.survivors()?;
        self.take_targets(&mut accepted.request)?;
        Ok(accepted)
    }

    fn accepted(
        &self,
        request: RequestData,
        settings: Arc<Merged>,
        execution: Option<Gd<Resource>>,
    ) -> Accepted {
        Accepted {
            agent: self.agent.instance_id(),
            name: self.plan.id.clone(),
            granted_tags: self.plan.granted.clone(),
            plan: OrderPlan { cancelable: settings.cancelable, ..self.plan.order },
            request,
            settings,
            execution,
        }
    }
}

fn refused(reason: Reason) -> Result<(), Refusal> {
    if reason.is_none() { Ok(()) } else { Err(Refusal::plain(reason)) }
}
