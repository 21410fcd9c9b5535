//! What an `ActionPayload` does in a run: the virtuals of its script.

use godot::prelude::*;

use super::ActionPayload;
use super::playback;
use super::run_parts::{Begun, Follows, PayloadPart, RunRef, Start};
use crate::action::script_calls::{call, number, overrides};
use crate::base::messages;

/// Names of the virtuals, made once.
struct Names {
    execute: StringName,
    stop: StringName,
    can_start: StringName,
    earliest_chain: StringName,
    completion: StringName,
    preload_paths: StringName,
}

/// The payload of a node that is a script.
pub(super) struct ScriptedPart {
    resource: Gd<Resource>,
    names: Names,
    pub(super) executes: bool,
    pub(super) may_fail: bool,
    stops: bool,
    chains: bool,
    completes: bool,
    preloads: bool,
}

impl ScriptedPart {
    /// Looks at the script.
    pub(super) fn new(payload: &Gd<ActionPayload>) -> Self {
        let resource = payload.clone().upcast();
        let names = Names {
            execute: "_execute".into(),
            stop: "_stop".into(),
            can_start: "_can_start".into(),
            earliest_chain: "_get_earliest_chain_time".into(),
            completion: "_get_completion_time".into(),
            preload_paths: "_get_preload_paths".into(),
        };
        Self {
            executes: overrides(&resource, &names.execute),
            may_fail: overrides(&resource, &names.can_start),
            stops: overrides(&resource, &names.stop),
            chains: overrides(&resource, &names.earliest_chain),
            completes: overrides(&resource, &names.completion),
            preloads: overrides(&resource, &names.preload_paths),
            resource,
            names,
        }
    }

    fn yes(&self, method: &StringName, run: &RunRef) -> bool {
        let answer = call(&self.resource, method, std::slice::from_ref(run.argument()));
        answer.try_to_relaxed::<bool>().unwrap_or_else(|_| {
            let text =
                format!("{method}() returned neither true nor false, which is read as false. Return one.");
            messages::warning(&self.resource, method.to_string().as_str(), "type", &text);
            false
        })
    }

    /// Seconds; `None` for a negative or for no number.
    fn seconds(&self, asked: bool, method: &StringName, speed: f64) -> Option<f64> {
        if !asked {
            return None;
        }
        let seconds = number(&call(&self.resource, method, &[speed.to_variant()]));
        (seconds >= 0.0 && seconds.is_finite()).then_some(seconds)
    }
}

impl PayloadPart for ScriptedPart {
    fn can_start(&self, run: &RunRef) -> bool {
        !self.may_fail || self.yes(&self.names.can_start, run)
    }

    fn start(&self, run: &RunRef, _start: Start) -> Begun {
        if self.executes && self.yes(&self.names.execute, run) { Begun::Lives } else { Begun::Ends }
    }

    fn stop(&self, run: &RunRef, reason: i64, node_time: f64) {
        playback::stop(run.player(), run.data().run, node_time, reason == 0, -1.0);
        if self.stops {
            call(&self.resource, &self.names.stop, &[run.handle().to_variant(), reason.to_variant()]);
        }
    }

    fn follows(&self) -> Follows {
        Follows::Play
    }

    fn follow(&self, run: &RunRef, node_time: f64, speed: f64, passed: f64) {
        playback::follow(run.player(), run.data().run, node_time, speed, passed);
    }

    fn preload_paths(&self) -> Vec<GString> {
        if !self.preloads {
            return Vec::new();
        }
        let answer = call(&self.resource, &self.names.preload_paths, &[]);
        let paths = answer.try_to_relaxed::<PackedStringArray>().unwrap_or_else(|_| {
            let text = "_get_preload_paths() returned no array of paths, so nothing is loaded. Return a PackedStringArray.";
            messages::warning(&self.resource, "_get_preload_paths", "type", text);
            PackedStringArray::new()
        });
        paths.as_slice().to_vec()
    }

    fn earliest_chain(&self, speed: f64) -> Option<f64> {
        self.seconds(self.chains, &self.names.earliest_chain, speed)
    }

    fn completion(&self, speed: f64) -> Option<f64> {
        self.seconds(self.completes, &self.names.completion, speed)
    }
}
