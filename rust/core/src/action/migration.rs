//! Older versions of the files of actions. Each step from one version to the next is one function.

/// An action in the compact form of version 0. `R` is a resource of the adapter.
#[derive(Clone, Debug, PartialEq)]
pub struct CompactAction<R> {
    /// The ability that runs.
    pub ability: Option<R>,
    /// Abilities that run, by tag.
    pub ability_tag: String,
    /// The action lasts as long as its ability.
    pub wait_for_end: bool,
    /// Behaviour trees that run.
    pub trees: Vec<R>,
    /// Seconds; 0 for none.
    pub timeout: f64,
    /// Score by distance.
    pub distance_range: Option<R>,
    /// Score by angle.
    pub angle_range: Option<R>,
    /// Score by health.
    pub health_range: Option<CompactRange<R>>,
    /// Score by speed.
    pub speed_range: Option<CompactRange<R>>,
    /// The stamina that it takes.
    pub stamina_cost: f64,
}

impl<R> Default for CompactAction<R> {
    fn default() -> Self {
        Self {
            ability: None,
            ability_tag: String::new(),
            wait_for_end: true,
            trees: Vec::new(),
            timeout: 0.0,
            distance_range: None,
            angle_range: None,
            health_range: None,
            speed_range: None,
            stamina_cost: 0.0,
        }
    }
}

/// A curve of the compact form.
#[derive(Clone, Debug, PartialEq)]
pub struct CompactRange<R> {
    /// The curve.
    pub range: R,
    /// It is 1 everywhere.
    pub always_one: bool,
}

/// What an action of version 0 runs in version 1.
#[derive(Clone, Debug, PartialEq)]
pub enum MigratedMethod<R> {
    /// An ability, to its end.
    Ability {
        /// Which.
        ability: R,
        /// Seconds; 0 for none.
        timeout: f64,
    },
    /// Abilities by tag, to the first end.
    ByTag {
        /// The tag.
        tag: String,
        /// Seconds; 0 for none.
        timeout: f64,
    },
    /// An ability that is started and left alone.
    FireAndForget {
        /// Which.
        ability: Option<R>,
        /// Used if there is no ability.
        tag: String,
    },
    /// Behaviour trees, one after the other.
    Trees {
        /// Which.
        trees: Vec<R>,
        /// Seconds for each; 0 for none.
        timeout: f64,
        /// The ability that they are given.
        payload: Option<R>,
    },
}

/// What a scorer of version 1 looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MigratedScorer {
    /// The distance to the target.
    Distance,
    /// The angle to the target.
    Angle,
    /// The agent's health.
    Health,
    /// The agent's speed.
    Speed,
}

/// An action of version 1, as far as version 0 says it in another way.
#[derive(Clone, Debug, PartialEq)]
pub struct MigratedAction<R> {
    /// How it runs; `None` if the compact form did not say.
    pub method: Option<MigratedMethod<R>>,
    /// Scorers with their curves, in order.
    pub scorers: Vec<(MigratedScorer, R)>,
    /// The stamina that a gate asks for.
    pub min_stamina: Option<f64>,
}

/// Version 0 to version 1: one key says what a method, a scorer or a gate says now.
pub fn from_version_0<R>(old: CompactAction<R>) -> MigratedAction<R> {
    let timeout = if old.timeout.is_finite() { old.timeout.max(0.0) } else { 0.0 };
    let method = if !old.trees.is_empty() {
        Some(MigratedMethod::Trees { trees: old.trees, timeout, payload: old.ability })
    } else if !old.wait_for_end && (old.ability.is_some() || !old.ability_tag.is_empty()) {
        let tag = if old.ability.is_some() { String::new() } else { old.ability_tag };
        Some(MigratedMethod::FireAndForget { ability: old.ability, tag })
    } else if let Some(ability) = old.ability {
        Some(MigratedMethod::Ability { ability, timeout })
    } else if !old.ability_tag.is_empty() {
        Some(MigratedMethod::ByTag { tag: old.ability_tag, timeout })
    } else {
        None
    };
    let used = |range: Option<CompactRange<R>>| range.filter(|one| !one.always_one).map(|one| one.range);
    let scorers = [
        (MigratedScorer::Distance, old.distance_range),
        (MigratedScorer::Angle, old.angle_range),
        (MigratedScorer::Health, used(old.health_range)),
        (MigratedScorer::Speed, used(old.speed_range)),
    ];
    let scorers = scorers.into_iter().filter_map(|(scorer, range)| Some((scorer, range?))).collect();
    MigratedAction { method, scorers, min_stamina: (old.stamina_cost > 0.0).then_some(old.stamina_cost) }
}
