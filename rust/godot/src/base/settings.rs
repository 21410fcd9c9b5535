//! Project settings: each is registered here with its default, and read where it is used.
//!
//! A setting stands in this file only if something reads it.

use godot::builtin::{Color, StringName, VarDictionary, Variant, VariantType, vdict};
use godot::classes::ProjectSettings;
use godot::meta::ToGodot as _;
use godot::obj::{EngineEnum as _, Singleton as _};
use godot::register::info::PropertyHint;

/// A whole number in the project settings.
pub(crate) struct IntSetting {
    name: &'static str,
    default: i64,
    min: i64,
    max: i64,
}

/// A number in the project settings.
pub(crate) struct FloatSetting {
    name: &'static str,
    default: f64,
    min: f64,
    max: f64,
    suffix: &'static str,
}

/// A switch in the project settings.
pub(crate) struct BoolSetting {
    name: &'static str,
    default: bool,
}

/// A colour of the debug drawing of perception in the project settings.
pub(crate) struct ColorSetting {
    name: &'static str,
    default: Color,
}

const fn color(name: &'static str, r: f32, g: f32, b: f32, a: f32) -> ColorSetting {
    ColorSetting { name, default: Color::from_rgba(r, g, b, a) }
}

/// Evaluations that all evaluators together make in one step; those over it wait for the next. 0: as many as are due.
pub(crate) const MAX_EVALUATIONS: IntSetting =
    IntSetting { name: "riposte/evaluation/max_per_step", default: 256, min: 0, max: 1_000_000 };
/// Looks for a line of sight that all evaluators together take in one physics step. 0: as many as they ask for.
pub(crate) const MAX_LOOKS: IntSetting =
    IntSetting { name: "riposte/evaluation/max_los_per_step", default: 256, min: 0, max: 1_000_000 };
/// Seed of evaluators whose own `random_seed` is 0.
pub(crate) const RANDOM_SEED: IntSetting =
    IntSetting { name: "riposte/evaluation/random_seed", default: 0, min: i64::MIN, max: i64::MAX };
/// An action that has run this long is ended, whatever its method says.
pub(crate) const HARD_TIMEOUT: FloatSetting = FloatSetting {
    name: "riposte/execution/hard_timeout",
    default: 30.0,
    min: 0.1,
    max: 3600.0,
    suffix: "s",
};
/// Pixels of 2D that count as one metre where a resource gives metres.
pub(crate) const PIXELS_PER_METER: FloatSetting = FloatSetting {
    name: "riposte/2d/pixels_per_meter",
    default: 100.0,
    min: 0.001,
    max: 1_000_000.0,
    suffix: "px",
};
/// Edge of a cell of the 3D grid that sources are sorted into.
pub(crate) const GRID_CELL_SIZE_3D: FloatSetting = FloatSetting {
    name: "riposte/perception/grid_cell_size_3d",
    default: 10.0,
    min: 0.1,
    max: 10_000.0,
    suffix: "m",
};
/// Edge of a cell of the 2D grid that sources are sorted into.
pub(crate) const GRID_CELL_SIZE_2D: FloatSetting = FloatSetting {
    name: "riposte/perception/grid_cell_size_2d",
    default: 200.0,
    min: 1.0,
    max: 1_000_000.0,
    suffix: "px",
};
/// Rays that one tick of all perceivers may cast; what it does not cover waits for the next. 0: as many as it takes.
pub(crate) const MAX_RAYS_PER_TICK: IntSetting =
    IntSetting { name: "riposte/perception/max_rays_per_tick", default: 512, min: 0, max: 1_000_000 };
/// Threads for the maths of perception. -1: by the number of cores; 0: none, all on the main thread.
pub(crate) const WORKERS: IntSetting =
    IntSetting { name: "riposte/threading/workers", default: -1, min: -1, max: 64 };
/// Spread the scans of perceivers over the steps of their interval.
pub(crate) const STAGGER: BoolSetting = BoolSetting { name: "riposte/perception/stagger", default: true };
/// Reports of noises and damage that wait for the next tick; the oldest go first.
pub(crate) const MAX_QUEUED_REPORTS: IntSetting =
    IntSetting { name: "riposte/perception/max_queued_reports", default: 1024, min: 1, max: 1_000_000 };

/// All Perceptions are drawn.
pub(crate) const DRAW_PERCEPTION: BoolSetting =
    BoolSetting { name: "riposte/debug/draw_perception", default: false };
/// Sight cone and radius, in debug drawings.
pub(crate) const COLOR_SIGHT: ColorSetting = color("sight", 0.3, 0.65, 1.0, 1.0);
/// The radius up to which a seen target stays in sight.
pub(crate) const COLOR_LOSE_SIGHT: ColorSetting = color("lose_sight", 0.3, 0.65, 1.0, 0.35);
/// The hearing radius.
pub(crate) const COLOR_HEARING: ColorSetting = color("hearing", 0.75, 0.45, 1.0, 1.0);
/// The radius inside which a source counts as inside the cone.
pub(crate) const COLOR_AUTO_DETECT: ColorSetting = color("auto_detect", 1.0, 0.3, 0.3, 1.0);
/// Lines to targets that are sensed.
pub(crate) const COLOR_SENSED: ColorSetting = color("sensed", 0.2, 0.9, 0.3, 1.0);
/// Lines to targets that are remembered.
pub(crate) const COLOR_REMEMBERED: ColorSetting = color("remembered", 1.0, 0.75, 0.0, 1.0);
/// Lines to those that are being made out.
pub(crate) const COLOR_DETECTING: ColorSetting = color("detecting", 0.7, 0.7, 0.7, 1.0);
/// Rays that were blocked.
pub(crate) const COLOR_BLOCKED: ColorSetting = color("blocked", 0.9, 0.2, 0.2, 1.0);

const COLORS: [&ColorSetting; 8] = [
    &COLOR_SIGHT,
    &COLOR_LOSE_SIGHT,
    &COLOR_HEARING,
    &COLOR_AUTO_DETECT,
    &COLOR_SENSED,
    &COLOR_REMEMBERED,
    &COLOR_DETECTING,
    &COLOR_BLOCKED,
];
/// Log the decisions of all agents.
pub(crate) const LOG_DECISIONS: BoolSetting =
    BoolSetting { name: "riposte/debug/log_decisions", default: false };

/// Log the starts, ends and refusals of all agents.
pub(crate) const LOG_EXECUTION: BoolSetting =
    BoolSetting { name: "riposte/debug/log_execution", default: false };

/// Log what becomes of the inputs of all players of action graphs.
pub(crate) const LOG_ACTIONS: BoolSetting = BoolSetting { name: "riposte/debug/log_actions", default: false };

/// Show what all players of action graphs are at, above their agents.
pub(crate) const OVERLAY_ACTIONS: BoolSetting =
    BoolSetting { name: "riposte/debug/overlay_actions", default: false };

/// Slots per target of each kind of combat token that is not in [`TOKEN_POOLS`].
pub(crate) const DEFAULT_TOKENS: IntSetting =
    IntSetting { name: "riposte/combat_tokens/default_capacity", default: 2, min: 0, max: 1_000_000 };
/// Slots per target by kind of combat token.
pub(crate) const TOKEN_POOLS: &str = "riposte/combat_tokens/pools";

const DECLARED_TAGS: &str = "riposte/tags/declared";

/// Tags that the library itself uses, with what they mean.
const OWN_TAGS: &[(&str, &str)] = &[
    ("State.ActionsBlocked", "No action is chosen while the agent has it."),
    ("State.ReactionsBlocked", "No reaction starts while the agent has it."),
    ("State.CommandsBlocked", "No order starts while the agent has it."),
    ("State.MovementBlocked", "The game's movement code should hold the agent still."),
    ("State.RotationLocked", "The game's movement code should not turn the agent."),
    ("State.ActionRunning", "An action graph plays an action."),
    ("State.Paired", "The agent takes part in a paired action."),
    ("Vital.Health", "Row of AgentVitals that counts as health."),
    ("Vital.Stamina", "Row of AgentVitals that counts as stamina."),
    ("Token.Attack", "Permission slot for attacking one target."),
];

/// Makes all settings known to the engine. To be called once, when the scene classes are registered.
pub(crate) fn register() {
    for setting in [
        &RANDOM_SEED,
        &MAX_EVALUATIONS,
        &MAX_LOOKS,
        &MAX_QUEUED_REPORTS,
        &MAX_RAYS_PER_TICK,
        &WORKERS,
        &DEFAULT_TOKENS,
    ] {
        setting.register();
    }
    for setting in [&HARD_TIMEOUT, &PIXELS_PER_METER, &GRID_CELL_SIZE_3D, &GRID_CELL_SIZE_2D] {
        setting.register();
    }
    for setting in
        [&STAGGER, &DRAW_PERCEPTION, &LOG_DECISIONS, &LOG_EXECUTION, &LOG_ACTIONS, &OVERLAY_ACTIONS]
    {
        setting.register();
    }
    for setting in COLORS {
        setting.register();
    }

    let mut tags = VarDictionary::new();
    for (tag, description) in OWN_TAGS {
        tags.set(*tag, *description);
    }
    let strings = format!("{0}:;{0}:", VariantType::STRING.ord());
    add(DECLARED_TAGS, &tags.to_variant(), PropertyHint::TYPE_STRING, &strings);
    let numbers = format!("{}:;{}:", VariantType::STRING.ord(), VariantType::INT.ord());
    add(TOKEN_POOLS, &VarDictionary::new().to_variant(), PropertyHint::TYPE_STRING, &numbers);
}

/// [`TOKEN_POOLS`] as it stands; `None` if it is no dictionary.
pub(crate) fn token_pools() -> Option<VarDictionary> {
    read(TOKEN_POOLS).try_to::<VarDictionary>().ok()
}

/// The names in `riposte/tags/declared`, and those that the library itself uses.
pub(crate) fn declared_tags() -> Vec<String> {
    let mut names: Vec<String> = OWN_TAGS.iter().map(|(name, _)| (*name).to_owned()).collect();
    if let Ok(declared) = read(DECLARED_TAGS).try_to::<VarDictionary>() {
        let given = declared.keys_shared().map(|key| key.to_string());
        names.extend(given.filter(|name| !OWN_TAGS.iter().any(|(own, _)| own == name)));
    }
    names
}

impl IntSetting {
    /// The value now, within its range.
    pub(crate) fn read(&self) -> i64 {
        let value = read(self.name);
        value.try_to_relaxed::<i64>().unwrap_or(self.default).clamp(self.min, self.max)
    }

    fn register(&self) {
        let bounded = self.min != i64::MIN;
        let hint = if bounded { PropertyHint::RANGE } else { PropertyHint::NONE };
        let range = format!("{},{},1,or_greater", self.min, self.max);
        add(self.name, &self.default.to_variant(), hint, if bounded { &range } else { "" });
    }
}

impl FloatSetting {
    /// The value now, within its range.
    pub(crate) fn read(&self) -> f64 {
        let value = read(self.name).try_to_relaxed::<f64>().unwrap_or(self.default);
        if value.is_finite() { value.clamp(self.min, self.max) } else { self.default }
    }

    fn register(&self) {
        let range = format!("{},{},0.1,suffix:{}", self.min, self.max, self.suffix);
        add(self.name, &self.default.to_variant(), PropertyHint::RANGE, &range);
    }
}

impl BoolSetting {
    /// The value now.
    pub(crate) fn read(&self) -> bool {
        read(self.name).try_to_relaxed::<bool>().unwrap_or(self.default)
    }

    fn register(&self) {
        add(self.name, &self.default.to_variant(), PropertyHint::NONE, "");
    }
}

impl ColorSetting {
    /// The value now.
    pub(crate) fn read(&self) -> Color {
        read(&self.path()).try_to::<Color>().unwrap_or(self.default)
    }

    fn register(&self) {
        add(&self.path(), &self.default.to_variant(), PropertyHint::NONE, "");
    }

    fn path(&self) -> String {
        format!("riposte/debug/perception_color_{}", self.name)
    }
}

fn read(name: &str) -> Variant {
    ProjectSettings::singleton().get_setting_with_override(&StringName::from(name))
}

fn add(name: &str, default: &Variant, hint: PropertyHint, hint_string: &str) {
    let mut settings = ProjectSettings::singleton();
    if !settings.has_setting(name) {
        settings.set_setting(name, default);
    }
    settings.set_initial_value(name, default);
    settings.set_as_basic(name, true);
    let info = vdict! {
        "name" => name,
        "type" => default.get_type().ord(),
        "hint" => hint.ord(),
        "hint_string" => hint_string,
    };
    settings.add_property_info(&info);
}
