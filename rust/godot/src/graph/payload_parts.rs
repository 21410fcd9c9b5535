//! The family of payloads: which classes it has, what they compile to, and what validation says of them.
//!
//! Everything here is called with nothing bound.

use std::rc::Rc;

use godot::classes::AnimationMixer;
use godot::prelude::*;
use riposte_core::graph::{AuthoredWindow, PayloadPlan, WindowProblem};

use super::animation_part::AnimationPart;
use super::animation_plan::known;
use super::binding::facts_in;
use super::findings::{self, Finding};
use super::run_parts::PayloadPart;
use super::scripted_payload::ScriptedPart;
use super::trigger_part::TriggerPart;
use super::{
    ActionPayload, DelayPayload, HoldPayload, PairedActionPayload, PlayAnimationPayload, TriggerPayload,
};
use crate::action::script_calls;
use crate::base::messages;

/// What validation and the inspector want to know of a payload.
#[derive(Default)]
pub(crate) struct PayloadFacts {
    /// What it plays, in a word.
    pub caption: String,
    /// It never ends by itself.
    pub endless: bool,
    /// It ends in the instant in which it starts.
    pub instant: bool,
    /// It may be unable to start.
    pub can_fail: bool,
    /// It may open a plain window by itself.
    pub opens_window: bool,
    /// It waits for something that an event may never bring.
    pub waits: bool,
    /// The kinds of its windows; `None`: not known.
    pub kinds: Option<Vec<String>>,
}

/// A payload of one of the classes.
enum Payload {
    Animation(Gd<PlayAnimationPayload>),
    Hold(Gd<HoldPayload>),
    Delay(Gd<DelayPayload>),
    Trigger(Gd<TriggerPayload>),
    Paired(Gd<PairedActionPayload>),
    Scripted(Gd<ActionPayload>),
}

impl Payload {
    fn of(resource: &Gd<Resource>) -> Option<Self> {
        let resource = || resource.clone();
        (resource().try_cast().map(Self::Animation).ok())
            .or_else(|| resource().try_cast().map(Self::Hold).ok())
            .or_else(|| resource().try_cast().map(Self::Delay).ok())
            .or_else(|| resource().try_cast().map(Self::Trigger).ok())
            .or_else(|| resource().try_cast().map(Self::Paired).ok())
            .or_else(|| resource().try_cast().map(Self::Scripted).ok())
    }
}

/// As the core takes it.
pub(crate) fn payload_plan(resource: &Gd<Resource>) -> PayloadPlan {
    match Payload::of(resource) {
        Some(Payload::Animation(payload)) => {
            let payload = payload.bind();
            PayloadPlan::Animation {
                variants: payload.has_variants(),
                direction_dead_zone: payload.direction_dead_zone,
                turn_to_input: payload.turn_to_input,
            }
        }
        Some(Payload::Hold(payload)) => {
            let payload = payload.bind();
            PayloadPlan::Hold { open_window: payload.open_action_window, max_seconds: payload.max_seconds }
        }
        Some(Payload::Delay(payload)) => {
            let payload = payload.bind();
            PayloadPlan::Delay { seconds: payload.delay_seconds, open_window: payload.open_action_window }
        }
        Some(Payload::Trigger(payload)) => PayloadPlan::Asked { may_fail: payload.bind().is_by_tag() },
        Some(Payload::Paired(_)) => PayloadPlan::Asked { may_fail: true },
        Some(Payload::Scripted(payload)) => {
            PayloadPlan::Asked { may_fail: ScriptedPart::new(&payload).may_fail }
        }
        None => PayloadPlan::None,
    }
}

/// What its runs do; `None`: the core needs no help with it.
pub(crate) fn payload_part(resource: &Gd<Resource>) -> Option<Rc<dyn PayloadPart>> {
    match Payload::of(resource)? {
        Payload::Animation(payload) => Some(Rc::new(AnimationPart(payload.bind().plan()))),
        Payload::Trigger(payload) => Some(Rc::new(TriggerPart::of(&payload.bind()))),
        Payload::Paired(payload) => Some(Rc::new(payload.bind().part())),
        Payload::Scripted(payload) => Some(Rc::new(ScriptedPart::new(&payload))),
        Payload::Hold(_) | Payload::Delay(_) => None,
    }
}

/// What is known of it, with the animations of an agent if there is one.
pub(crate) fn payload_facts(resource: &Gd<Resource>, mixer: Option<&Gd<AnimationMixer>>) -> PayloadFacts {
    match Payload::of(resource) {
        Some(Payload::Animation(payload)) => animation_facts(&payload.bind(), mixer),
        Some(Payload::Hold(payload)) => {
            let payload = payload.bind();
            PayloadFacts {
                caption: "Hold".to_owned(),
                endless: payload.max_seconds <= 0.0,
                opens_window: payload.open_action_window,
                kinds: Some(Vec::new()),
                ..PayloadFacts::default()
            }
        }
        Some(Payload::Delay(payload)) => {
            let payload = payload.bind();
            PayloadFacts {
                caption: format!("Delay {} s", payload.delay_seconds),
                instant: payload.delay_seconds <= 0.0,
                opens_window: payload.open_action_window,
                kinds: Some(Vec::new()),
                ..PayloadFacts::default()
            }
        }
        Some(Payload::Trigger(payload)) => trigger_facts(&payload.bind()),
        Some(Payload::Paired(_)) => PayloadFacts {
            caption: "Paired action".to_owned(),
            can_fail: true,
            kinds: Some(Vec::new()),
            ..PayloadFacts::default()
        },
        Some(Payload::Scripted(payload)) => {
            let part = ScriptedPart::new(&payload);
            PayloadFacts {
                caption: script_calls::display_name(resource),
                instant: !part.executes,
                can_fail: part.may_fail,
                opens_window: true,
                ..PayloadFacts::default()
            }
        }
        None => PayloadFacts { instant: true, ..PayloadFacts::default() },
    }
}

fn animation_facts(payload: &PlayAnimationPayload, mixer: Option<&Gd<AnimationMixer>>) -> PayloadFacts {
    let plan = payload.plan();
    let name = &payload.animation;
    let listed = (!plan.windows.is_empty()).then(|| kinds(&plan.windows));
    let times = facts_in(mixer, name).map(|facts| plan.read(&facts).times);
    let read =
        times.as_ref().map(|times| times.windows.iter().map(|window| window.kind.to_string()).collect());
    PayloadFacts {
        caption: if name.is_empty() { "no animation".to_owned() } else { name.to_string() },
        endless: times.is_some_and(|times| times.length.is_infinite()),
        instant: name.is_empty() && !payload.has_variants(),
        opens_window: true,
        kinds: read.or(listed),
        ..PayloadFacts::default()
    }
}

fn kinds(windows: &[AuthoredWindow]) -> Vec<String> {
    windows.iter().map(|window| window.kind.clone()).collect()
}

fn trigger_facts(payload: &TriggerPayload) -> PayloadFacts {
    let by_tag = payload.is_by_tag();
    let caption = if by_tag {
        let names = payload.ability_tags.typed();
        let names: Vec<String> = names.as_slice().iter().map(ToString::to_string).collect();
        format!("Activate {}", names.join(", "))
    } else {
        format!("Send {}", payload.event_tag)
    };
    PayloadFacts {
        caption: caption.trim_end().to_owned(),
        instant: payload.end_immediately,
        can_fail: by_tag,
        opens_window: true,
        waits: !by_tag && !payload.end_immediately,
        kinds: Some(Vec::new()),
        ..PayloadFacts::default()
    }
}

/// What is wrong with it, with the animations of an agent if there is one.
pub(crate) fn payload_findings(resource: &Gd<Resource>, mixer: Option<&Gd<AnimationMixer>>) -> Vec<Finding> {
    match Payload::of(resource) {
        Some(Payload::Animation(payload)) => animation_findings(&payload.bind(), mixer),
        Some(Payload::Trigger(payload)) => {
            let payload = payload.bind();
            if payload.is_by_tag() {
                findings::tag_list("ability_tags", &payload.ability_tags)
            } else {
                findings::tag("event_tag", &payload.event_tag.to_string()).into_iter().collect()
            }
        }
        Some(Payload::Paired(payload)) => payload.bind().findings(),
        Some(Payload::Scripted(payload)) if !ScriptedPart::new(&payload).executes => {
            let name = messages::class_label(&payload);
            let text = format!(
                "{name} has no _execute(), so the move ends at once. Write one in a script that extends ActionPayload."
            );
            vec![Finding::new("W21", text)]
        }
        _ => Vec::new(),
    }
}

fn animation_findings(payload: &PlayAnimationPayload, mixer: Option<&Gd<AnimationMixer>>) -> Vec<Finding> {
    let mut found = Vec::new();
    if payload.animation.is_empty() {
        found.push(Finding::new(
            "W11",
            "PlayAnimation has no animation, so the move ends at once. Set animation.",
        ));
    }
    for window in payload.windows.members().iter().map(|window| window.bind().authored()) {
        if window.end < window.start {
            let text =
                format!("{}: it ends before it starts. Set end to more than start.", named(&window.kind));
            found.push(Finding::new("W17", text));
        }
    }
    let Some(mixer) = mixer else { return found };
    let plan = payload.plan();
    for (at, name) in plan.names.iter().enumerate() {
        if !name.is_empty() && !plan.names[..at].contains(name) {
            found.extend(findings_of(name, &plan, mixer));
        }
    }
    found
}

/// What is wrong with one of the animations.
fn findings_of(
    name: &StringName,
    plan: &super::animation_plan::AnimationPlan,
    mixer: &Gd<AnimationMixer>,
) -> Vec<Finding> {
    let place = messages::node_place(&mixer.clone().upcast());
    let Some(facts) = facts_in(Some(mixer), name) else {
        let text = format!("there is no animation \"{name}\" in {place}. {}", known(mixer));
        return vec![Finding::new("W12", text)];
    };
    let loops = facts.loops.then(|| {
        let text =
            format!("animation \"{name}\" loops, so the move never completes. Switch its looping off.");
        Finding::new("W13", text)
    });
    let problem = |problem: &WindowProblem| match problem {
        WindowProblem::NoMarker(marker) => Some(Finding::new(
            "W12",
            format!(
                "animation \"{name}\" of {place} has no marker \"{marker}\". Add it, or set another one."
            ),
        )),
        WindowProblem::SectionReversed => Some(Finding::new(
            "W12",
            format!("section_end is not behind section_start in animation \"{name}\". Swap the two markers."),
        )),
        WindowProblem::Reversed(marker) if facts.markers.iter().any(|known| known.0 == *marker) => {
            let text =
                format!("marker \"{marker}\" of animation \"{name}\" stands behind its end. Swap the two.");
            Some(Finding::new("W17", text))
        }
        // One of the list, which was told already.
        WindowProblem::Reversed(_) => None,
        WindowProblem::NoPartner(marker) => {
            let text = format!(
                "\"{marker}\" in animation \"{name}\" closes a window that nothing opens. Add the start."
            );
            Some(Finding::new("W17", text))
        }
    };
    loops.into_iter().chain(plan.read(&facts).problems.iter().filter_map(problem)).collect()
}

fn named(kind: &str) -> String {
    if kind.is_empty() { "plain window".to_owned() } else { format!("window \"{kind}\"") }
}
