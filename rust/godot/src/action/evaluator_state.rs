//! The state of an evaluator as a dictionary of plain values, and back.

use godot::classes::ResourceLoader;
use godot::prelude::*;
use riposte_core::action::{CooldownState, EndReason, EvaluatorState, Origin, RunningState, TargetKey};

use super::evaluator_running::EvaluatorNode;
use super::evaluator_sources::{EvaluatorSources, SpecOf};
use super::{driver, sources, weapon};
use crate::base::state::{StateReader, number, refuse_structure, versioned};
use crate::base::{messages, tree_paths};

const VERSION: i64 = 1;

/// A state that was read, and the paths of targets that are not there.
pub(super) struct ReadState {
    core: EvaluatorState,
    global_multiplier: f64,
    role: String,
    granted: Vec<String>,
    missing: Vec<String>,
    /// What its method said of the run of the state.
    method: VarDictionary,
}

/// Everything by name.
pub(super) fn export<T: EvaluatorNode>(this: &Gd<T>) -> VarDictionary {
    let known = driver::with(this.instance_id(), |state| state.core.export()).unwrap_or_default();
    let mut out = versioned(VERSION);
    out.set("time", known.time);
    out.set("evaluation_index", known.evaluation_index as i64);
    out.set("seed", &GString::from(&known.seed.to_string()));
    let mut cooldowns = VarDictionary::new();
    for cooldown in &known.cooldowns {
        let row = varray![cooldown.remaining, cooldown.stamps as i64];
        cooldowns.set(&GString::from(&cooldown.action), &row);
    }
    out.set("cooldowns", &cooldowns);
    out.set("spawned", &known.spawned.iter().map(|id| GString::from(id).to_variant()).collect::<VarArray>());
    let repeat = known.repeat.as_ref();
    out.set(
        "repeat",
        &or_null(repeat.map(|(id, count, age)| varray![&GString::from(id), i64::from(*count), *age])),
    );
    let uses = known.uses.iter().map(|(id, age)| varray![&GString::from(id), *age].to_variant());
    out.set("uses", &uses.collect::<VarArray>());
    out.set("recovery_remaining", known.recovery_remaining);
    out.set("recovery_draws", known.recovery_draws as i64);
    let chain = |(id, age): &(String, f64)| vdict! { "from" => &GString::from(id), "age" => *age };
    out.set("chain", &or_null(known.chain.as_ref().map(chain)));
    let mut ordinals = VarDictionary::new();
    for (key, ordinal) in &known.target_ordinals {
        if let Some(path) = path_of(*key) {
            ordinals.set(&path, *ordinal as i64);
        }
    }
    out.set("target_ordinals", &ordinals);
    out.set("next_run_id", known.next_run_id);
    out.set("next_due", known.next_due);
    out.set("global_multiplier", T::global_multiplier(this));
    out.set("role", &GString::from(&this.bind().given().role));
    let granted = T::grants(this).into_iter().map(|row| row.1.get_path());
    let granted = granted.filter(|path| !path.is_empty()).map(|path| path.to_variant());
    out.set("granted", &granted.collect::<VarArray>());
    let mut overrides = VarDictionary::new();
    for (id, factor) in &known.overrides {
        overrides.set(&GString::from(id), *factor);
    }
    out.set("overrides", &overrides);
    let running = known.running.as_ref().map(|run| {
        let target = run.target.and_then(path_of).unwrap_or_default();
        let frozen: VarArray = run.frozen.iter().map(|factor| factor.to_variant()).collect();
        vdict! {
            "id" => &GString::from(&run.action),
            "elapsed" => run.elapsed,
            "target" => &target,
            "run" => run.run.unwrap_or_default(),
            "origin" => run.origin.code(),
            "frozen" => &frozen,
            "method" => &driver::resuming::export(this.instance_id()),
        }
    });
    out.set("running", &or_null(running));
    out
}

fn or_null<T: ToGodot>(value: Option<T>) -> Variant {
    value.map_or_else(Variant::nil, |value| value.to_variant())
}

fn path_of(key: TargetKey) -> Option<GString> {
    let node = driver::node_of(key)?;
    tree_paths::path_of(node.instance_id()).map(|path| GString::from(&path))
}

/// The state of a dictionary; `None`, with an error, if it is none.
pub(super) fn read<T: EvaluatorNode>(this: &Gd<T>, state: &VarDictionary) -> Option<ReadState> {
    let this = &this.clone().upcast::<Node>();
    let reader = StateReader::open(this, state, VERSION)?;
    let read = Fields { reader: &reader, state }.read().filter(|read| {
        read.core.is_sound() && read.global_multiplier.is_finite() && read.global_multiplier >= 0.0
    });
    if read.is_none() {
        refuse_structure(this);
    }
    read
}

/// Replaces what the evaluator knows; nothing runs. Tells no signal.
fn apply<T: EvaluatorNode>(this: &Gd<T>, read: &ReadState) {
    let id = this.instance_id();
    driver::with(id, |state| state.quiet = true);
    restore_sources(this, read);
    driver::with(id, |state| state.quiet = false);
    driver::forget_contexts(id);
    let unknown = driver::with(id, |state| {
        // Its start would draw another seed.
        state.restored = true;
        state.core.import(&read.core)
    });
    let node = &this.clone().upcast::<Node>();
    for name in unknown.unwrap_or_default().0 {
        let text =
            format!("import_state(): there is no {} \"{name}\", what is about it is left out.", T::KIND);
        messages::warning(node, "import_state", &name, &text);
    }
    for path in &read.missing {
        let text = format!("import_state(): there is no node at \"{path}\", what is about it is left out.");
        messages::warning(node, "import_state", path, &text);
    }
    if let Some(running) = read.core.running.as_ref().filter(|_| !driver::following::is_copy(id)) {
        driver::resuming::take_up(id, running, &read.method);
    }
}

/// Role and grants, which the rest of the state counts on.
fn restore_sources<T: EvaluatorNode>(this: &Gd<T>, read: &ReadState) {
    let id = this.instance_id();
    T::restore_multiplier(this, read.global_multiplier);
    let role = StringName::from(&read.role);
    this.clone().bind_mut().keep_role(&role);
    driver::sources(id, |sources| sources.role = role);
    weapon::ask(id);
    T::revoke(this, |_| true);
    for path in &read.granted {
        let spec = ResourceLoader::singleton().exists(path).then(|| ResourceLoader::singleton().load(path));
        let spec = spec.flatten().and_then(|spec| spec.try_cast::<SpecOf<T>>().ok());
        if spec.is_none() {
            let class = SpecOf::<T>::class_id();
            let text = format!("import_state(): there is no {class} at \"{path}\", it is not granted.");
            messages::warning(&this.clone().upcast::<Node>(), "import_state", path, &text);
            continue;
        }
        T::grant(this, spec);
    }
    T::resolve_set(this);
    sources::resolve_dependants(id);
}

struct Fields<'a> {
    reader: &'a StateReader<'a>,
    state: &'a VarDictionary,
}

impl Fields<'_> {
    fn read(&self) -> Option<ReadState> {
        let mut missing = Vec::new();
        let core = EvaluatorState {
            time: self.number("time")?,
            evaluation_index: self.count("evaluation_index")?,
            seed: self.state.get("seed")?.try_to_relaxed::<GString>().ok()?.to_string().parse().ok()?,
            cooldowns: self.rows("cooldowns", read_cooldown)?,
            spawned: self.list("spawned", |id| text(&id))?,
            repeat: self.optional("repeat", |value| {
                let row = value.try_to::<VarArray>().ok()?;
                let count = whole(&row.get(1)?)?;
                Some((text(&row.get(0)?)?, u32::try_from(count).ok()?, number(&row.get(2)?)?))
            })?,
            uses: self
                .reader
                .pairs("uses")?
                .into_iter()
                .map(|(id, age)| Some((id, number(&age)?)))
                .collect::<Option<_>>()?,
            chain: self.optional("chain", |value| {
                let chain = value.try_to::<VarDictionary>().ok()?;
                Some((text(&chain.get("from")?)?, number(&chain.get("age")?)?))
            })?,
            recovery_remaining: self.number("recovery_remaining")?,
            recovery_draws: self.count("recovery_draws")?,
            target_ordinals: self.ordinals(&mut missing)?,
            next_run_id: i64::try_from(self.count("next_run_id")?).ok()?,
            next_due: self.number("next_due")?,
            overrides: self.rows("overrides", |id, value| Some((id, number(&value)?)))?,
            running: None,
        };
        let running = self.optional("running", read_running)?;
        let role = text(&self.state.get("role")?)?;
        let granted = self.list("granted", |path| text(&path))?;
        let global_multiplier = self.number("global_multiplier")?;
        let mut read =
            ReadState { core, global_multiplier, role, granted, missing, method: VarDictionary::new() };
        if let Some(running) = running {
            read.take_running(running);
        }
        Some(read)
    }

    fn number(&self, key: &str) -> Option<f64> {
        number(&self.state.get(key)?)
    }

    fn count(&self, key: &str) -> Option<u64> {
        whole(&self.state.get(key)?)
    }

    fn rows<T>(&self, key: &str, read: impl Fn(String, Variant) -> Option<T>) -> Option<Vec<T>> {
        let rows = self.reader.dictionary(key)?;
        rows.iter_shared().map(|(id, value)| read(text(&id)?, value)).collect()
    }

    fn list<T>(&self, key: &str, read: impl Fn(Variant) -> Option<T>) -> Option<Vec<T>> {
        self.state.get(key)?.try_to::<VarArray>().ok()?.iter_shared().map(read).collect()
    }

    fn optional<T>(&self, key: &str, read: impl Fn(&Variant) -> Option<T>) -> Option<Option<T>> {
        let value = self.state.get(key)?;
        if value.is_nil() { Some(None) } else { read(&value).map(Some) }
    }

    fn ordinals(&self, missing: &mut Vec<String>) -> Option<Vec<(TargetKey, u64)>> {
        let rows = self.rows("target_ordinals", |path, value| Some((path, whole(&value)?)))?;
        let found = rows.into_iter().filter_map(|(path, ordinal)| {
            let node = tree_paths::node_at(&path);
            if node.is_none() {
                missing.push(path);
            }
            Some((driver::key_of(node?), ordinal))
        });
        Some(found.collect())
    }
}

/// A run as it is saved: itself, the path of its target, and what its method said.
type SavedRun = (RunningState, String, VarDictionary);

fn read_running(value: &Variant) -> Option<SavedRun> {
    let row = value.try_to::<VarDictionary>().ok()?;
    // Only the first three are always there.
    let or = |key: &str, default: Variant| row.get(key).unwrap_or(default);
    let origin = whole(&or("origin", 0.to_variant()))?;
    let frozen: Vec<f64> = match row.get("frozen") {
        Some(factors) => {
            factors.try_to::<VarArray>().ok()?.iter_shared().map(|f| number(&f)).collect::<Option<_>>()?
        }
        None => vec![1.0; 3],
    };
    let run = match row.get("run") {
        Some(run) => Some(i64::try_from(whole(&run)?).ok().filter(|run| *run > 0)?),
        None => None,
    };
    let running = RunningState {
        action: text(&row.get("id")?)?,
        elapsed: number(&row.get("elapsed")?)?,
        target: None,
        run,
        origin: Origin::from_code(i64::try_from(origin).ok()?)?,
        frozen: frozen.try_into().ok()?,
    };
    let method = or("method", VarDictionary::new().to_variant()).try_to::<VarDictionary>().ok()?;
    running.is_sound().then_some((running, text(&row.get("target")?)?, method))
}

impl ReadState {
    /// The run of the state can be taken up, if its method said how, and its target is there.
    fn take_running(&mut self, (mut running, path, method): SavedRun) {
        if method.is_empty() {
            return;
        }
        if !path.is_empty() {
            let Some(node) = tree_paths::node_at(&path) else { return self.missing.push(path) };
            running.target = Some(driver::key_of(node));
        }
        (self.core.running, self.method) = (Some(running), method);
    }
}

fn read_cooldown(id: String, value: Variant) -> Option<CooldownState> {
    let row = value.try_to::<VarArray>().ok()?;
    Some(CooldownState { action: id, remaining: number(&row.get(0)?)?, stamps: whole(&row.get(1)?)? })
}

fn text(value: &Variant) -> Option<String> {
    value.try_to_relaxed::<GString>().ok().map(|text| text.to_string())
}

/// A whole number from 0; JSON gives it as a float.
fn whole(value: &Variant) -> Option<u64> {
    let number = number(value).filter(|number| *number >= 0.0 && *number <= 9_007_199_254_740_992.0)?;
    (number.fract() == 0.0).then_some(number as u64)
}

/// How many runs are ended before the import gives up.
const MOST_ENDS: usize = 8;

/// Ends what runs and takes a state back; an error if that can't be.
pub(super) fn import<T: EvaluatorNode>(this: &Gd<T>, state: &VarDictionary) -> bool {
    let id = this.instance_id();
    let Some(read) = read(this, state) else { return false };
    // A handler of the end may start the next action at once.
    for _attempt in 0..MOST_ENDS {
        if !this.is_instance_valid() {
            return false;
        }
        let (free, running) = driver::with(id, |state| {
            (state.core.can_import() && !state.stepping, state.core.running().is_some())
        })
        .unwrap_or_default();
        if !free {
            let text = "import_state() was called while the evaluator steps, decides, or starts or ends something. Call it \
                        deferred.";
            messages::error(&this.clone().upcast::<Node>(), "import_state", "busy", text);
            return false;
        }
        if !running {
            apply(this, &read);
            return true;
        }
        driver::call(id, |state| state.core.abort(EndReason::Cancelled));
    }
    let text = "import_state() can't end what runs: something else starts at each end. Do not start it in the signal of the end \
                meanwhile.";
    messages::error(&this.clone().upcast::<Node>(), "import_state", "restarts", text);
    false
}
