use godot::prelude::*;
use riposte_core::action::{ScorerKind, Share, Source};

use super::RangeCurve;
use super::parts::ScorerPart;
use super::range_slot::RangeSlot;
use super::readings::{self, Kind};
use crate::base::numbers::Checked;
use crate::base::tags;

/// Scores an action by a vital of the agent or of the target: mana, poise, heat.
///
/// An agent without [AgentVitals], or without that row in it, has no effect on the score. For health wherever the game
/// keeps it, see [HealthScorer].
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct VitalScorer {
    /// The row of [AgentVitals], a tag, for example [code]Vital.Stamina[/code]. Default empty: no effect.
    #[export]
    #[var(set = set_vital_tag)]
    vital_tag: StringName,
    /// On, the default: the share of the maximum counts, 0 to 1. Off: the value itself.
    #[export]
    #[var(set = set_use_fraction)]
    #[init(val = true)]
    use_fraction: bool,
    /// The score by that number. Default [method RangeCurve.always_one_curve]. Empty: no effect.
    #[export]
    #[var(get = get_range, set = set_range)]
    #[init(val = RangeSlot::preset(RangeCurve::always_one_curve))]
    range: RangeSlot,
    /// Whose vital: the agent's, or the target's. With the target and without one, the scorer has no effect. Default
    /// [constant SOURCE_AGENT].
    #[export(enum = (Agent = 0, Target = 1))]
    #[var(set = set_source)]
    source: i64,
    base: Base<Resource>,
}

#[godot_api]
impl VitalScorer {
    /// Of the agent.
    #[constant]
    const SOURCE_AGENT: i64 = Source::Agent as i64;
    /// Of the target.
    #[constant]
    const SOURCE_TARGET: i64 = Source::Target as i64;

    #[func]
    fn get_range(&self) -> Option<Gd<RangeCurve>> {
        self.range.get(&self.base())
    }

    #[func]
    fn set_range(&mut self, value: Option<Gd<RangeCurve>>) {
        let this = self.to_gd();
        self.range.assign(&this, value);
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_vital_tag(&mut self, value: StringName) {
        self.vital_tag = tags::single(&self.to_gd(), "vital_tag", value, &self.vital_tag);
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_use_fraction(&mut self, value: bool) {
        self.use_fraction = value;
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_source(&mut self, value: i64) {
        self.source = self.constant("source", value, self.source, Self::SOURCE_AGENT, Self::SOURCE_TARGET);
        self.base_mut().emit_changed();
    }
}

impl ScorerPart for VitalScorer {
    fn kind(&self) -> ScorerKind {
        let tag = tags::intern(&self.vital_tag.to_string()).ok();
        let share = tag.map(|tag| Share {
            of: Source::from_int(self.source).unwrap_or_default(),
            id: Kind::Vital { tag, fraction: self.use_fraction }.id(),
            divisor: None,
        });
        ScorerKind::Reading { range: self.range.curve(), share }
    }

    fn label(&self) -> String {
        let name = readings::label("VitalScorer", self.source, &self.vital_tag.to_string());
        self.range.label(&name, "")
    }

    fn warning(&self) -> Option<String> {
        if self.vital_tag.is_empty() {
            let text = "vital_tag is empty, so the scorer has no effect. Set a tag, or remove the scorer.";
            return Some(text.to_owned());
        }
        tags::warning("vital_tag", &self.vital_tag.to_string()).or_else(|| self.range.warning())
    }
}
