//! The state of an AgentAwareness as plain values, and back.

use godot::classes::{Engine, SceneTree};
use godot::prelude::*;
use riposte_core::awareness::{
    AttentionState, BeliefState, Lifecycle, MindState, Observation, Relationship, SampleState, ThreatLevel,
};
use riposte_core::perception::NodeId;

use super::awareness_sense::{id_of, sense_of};
use super::{AgentAwareness, freezing, queries, state, syncing};
use crate::base::messages;
use crate::base::state::{StateReader, refuse_structure, versioned};
use crate::perception::state as perception_state;

const VERSION: i64 = 1;

/// What `export_state()` returns; empty before the node was in the tree.
pub(super) fn export(node: InstanceId) -> VarDictionary {
    let saved = state::with_mind(node, |minds, key| minds.export(key, |sense| id_of(sense).to_string()));
    let Some(saved) = saved.flatten() else { return VarDictionary::new() };
    let mut all = versioned(VERSION);
    all.set("since_update", saved.since_update);
    all.set("wakes", saved.wakes);
    all.set("beliefs", &saved.beliefs.iter().filter_map(belief_out).collect::<VarArray>());
    all.set("attention", &attention_out(&saved.attention));
    all.set("overrides", &saved.overrides.iter().filter_map(override_out).collect::<VarArray>());
    all.set("observations", &saved.observations.iter().filter_map(observation_out).collect::<VarArray>());
    all
}

/// What `import_state()` does. Raises no signal.
pub(super) fn import(this: &Gd<AgentAwareness>, given: &VarDictionary) -> bool {
    let Some(reader) = StateReader::open(this, given, VERSION) else { return false };
    let mut missing = Vec::new();
    let Some(saved) = Import { missing: &mut missing }.read(&reader, given) else {
        return refuse_structure(this);
    };
    syncing::sync_changed();
    let node = this.instance_id();
    freezing::freeze_all(node);
    let skipped = perception_state::with(|state| {
        let mind = state.minds.mind(node)?;
        let now = mind.perceiver.map_or(0.0, |perceiver| state.world.time(perceiver));
        let perception = &state.world;
        let sense = |id: &str| sense_of(&StringName::from(id));
        state.minds.world.import(mind.key, &saved, now, |agent| perception.target_of(agent), sense).ok()
    });
    let Some(skipped) = skipped else { return refuse_structure(this) };
    missing.extend(skipped.into_iter().filter_map(path_of));
    for path in missing {
        let text = format!(
            "import_state(): \"{path}\" is not there or cannot be sensed, what was known of it is left out. Import after \
             the nodes are in the tree."
        );
        messages::warning(this, "import_state", &path, &text);
    }
    queries::protect(node);
    true
}

fn belief_out(saved: &BeliefState) -> Option<Variant> {
    let sample = |sample: &SampleState| {
        varray![sample.sense.as_str(), sample.value, sample.reading, sample.since_set].to_variant()
    };
    let belief = vdict! {
        "target" => path_of(saved.target)?.as_str(),
        "state" => saved.state.to_int(),
        "time_in_state" => saved.time_in_state,
        "confidence" => saved.confidence,
        "samples" => &saved.samples.iter().map(sample).collect::<VarArray>(),
        "inactive_time" => saved.inactive_time,
        "damage" => saved.damage,
        "damage_total" => saved.damage_total,
        "since_damage" => saved.since_damage,
        "contact" => saved.contact,
        "turned_hostile" => saved.turned_hostile,
        "level" => saved.level.to_int(),
    };
    Some(belief.to_variant())
}

fn attention_out(saved: &AttentionState) -> VarDictionary {
    let path = |agent: Option<NodeId>| agent.and_then(path_of).unwrap_or_default();
    vdict! {
        "target" => path(saved.target).as_str(),
        "time" => saved.time,
        "override" => saved.forced,
        "rival" => path(saved.rival).as_str(),
        "rival_time" => saved.rival_time,
    }
}

fn override_out((agent, relationship): &(NodeId, Relationship)) -> Option<Variant> {
    Some(varray![path_of(*agent)?.as_str(), relationship.to_int()].to_variant())
}

fn observation_out(seen: &Observation) -> Option<Variant> {
    let row = vdict! {
        "target" => path_of(seen.agent)?.as_str(),
        "standing" => seen.standing,
        "crouched" => seen.crouched,
        "prone" => seen.prone,
        "guessed" => seen.guessed,
        "since" => seen.since,
    };
    Some(row.to_variant())
}

/// Reads a state; `None` anywhere: it is built in another way.
struct Import<'a> {
    /// Paths that lead nowhere.
    missing: &'a mut Vec<String>,
}

impl Import<'_> {
    fn read(&mut self, reader: &StateReader<'_>, given: &VarDictionary) -> Option<MindState> {
        let mut saved = MindState {
            version: VERSION as u32,
            since_update: number(given, "since_update")?,
            wakes: given.get("wakes").map_or(Ok(false), |wakes| wakes.try_to::<bool>()).ok()?,
            ..MindState::default()
        };
        for belief in list(given, "beliefs")?.iter_shared() {
            let belief = self.belief(&belief.try_to::<VarDictionary>().ok()?)?;
            saved.beliefs.extend(belief);
        }
        saved.attention = self.attention(&reader.dictionary("attention")?)?;
        for row in list(given, "overrides")?.iter_shared() {
            let row = row.try_to::<VarArray>().ok()?;
            let relationship = Relationship::from_int(integer(&row.get(1)?)?)?;
            let agent = self.agent(&text(&row.get(0)?)?);
            saved.overrides.extend(agent.map(|agent| (agent, relationship)));
        }
        for row in list(given, "observations")?.iter_shared() {
            let row = row.try_to::<VarDictionary>().ok()?;
            let seen = self.observation(&row)?;
            saved.observations.extend(seen);
        }
        Some(saved)
    }

    /// The agent at a path; nobody, and a warning later, if there is none.
    fn agent(&mut self, path: &str) -> Option<NodeId> {
        let agent = node_at(path);
        if agent.is_none() && !path.is_empty() {
            self.missing.push(path.to_owned());
        }
        agent
    }

    fn belief(&mut self, row: &VarDictionary) -> Option<Option<BeliefState>> {
        let mut samples = Vec::new();
        for sample in list(row, "samples")?.iter_shared() {
            let sample = sample.try_to::<VarArray>().ok()?;
            let [value, reading, since_set] = [1, 2, 3].map(|at| sample.get(at).and_then(|it| real(&it)));
            samples.push(SampleState {
                sense: text(&sample.get(0)?)?,
                value: value?,
                reading: reading?,
                since_set: since_set?,
            });
        }
        let saved = BeliefState {
            target: 0,
            state: Lifecycle::from_int(integer(&row.get("state")?)?)?,
            time_in_state: number(row, "time_in_state")?,
            confidence: number(row, "confidence")?,
            samples,
            inactive_time: number(row, "inactive_time")?,
            damage: number(row, "damage")?,
            damage_total: number(row, "damage_total")?,
            since_damage: number(row, "since_damage")?,
            contact: number(row, "contact")?,
            turned_hostile: row.get("turned_hostile")?.try_to_relaxed::<bool>().ok()?,
            level: ThreatLevel::from_int(integer(&row.get("level")?)?)?,
        };
        let agent = self.agent(&text(&row.get("target")?)?);
        Some(agent.map(|target| BeliefState { target, ..saved }))
    }

    fn attention(&mut self, row: &VarDictionary) -> Option<AttentionState> {
        Some(AttentionState {
            target: self.agent(&text(&row.get("target")?)?),
            time: number(row, "time")?,
            forced: row.get("override")?.try_to_relaxed::<bool>().ok()?,
            rival: self.agent(&text(&row.get("rival")?)?),
            rival_time: number(row, "rival_time")?,
        })
    }

    fn observation(&mut self, row: &VarDictionary) -> Option<Option<Observation>> {
        let seen = Observation {
            agent: 0,
            standing: number(row, "standing")?,
            crouched: number(row, "crouched")?,
            prone: number(row, "prone")?,
            guessed: number(row, "guessed")?,
            since: number(row, "since")?,
        };
        let agent = self.agent(&text(&row.get("target")?)?);
        Some(agent.map(|agent| Observation { agent, ..seen }))
    }
}

fn list(row: &VarDictionary, key: &str) -> Option<VarArray> {
    row.get(key)?.try_to::<VarArray>().ok()
}

fn number(row: &VarDictionary, key: &str) -> Option<f64> {
    real(&row.get(key)?)
}

fn real(value: &Variant) -> Option<f64> {
    value.try_to_relaxed::<f64>().ok().filter(|number| number.is_finite())
}

/// Numbers of JSON are floats.
fn integer(value: &Variant) -> Option<i64> {
    real(value).filter(|number| number.fract() == 0.0).map(|number| number as i64)
}

fn text(value: &Variant) -> Option<String> {
    value.try_to_relaxed::<GString>().ok().map(|text| text.to_string())
}

fn path_of(agent: NodeId) -> Option<String> {
    let node = Gd::<Node>::try_from_instance_id(InstanceId::try_from_i64(agent)?).ok()?;
    node.is_inside_tree().then(|| node.get_path().to_string())
}

fn node_at(path: &str) -> Option<NodeId> {
    let tree = Engine::singleton().get_main_loop()?.try_cast::<SceneTree>().ok()?;
    let node = tree.get_root()?.get_node_or_null(path)?;
    Some(node.instance_id().to_i64())
}
