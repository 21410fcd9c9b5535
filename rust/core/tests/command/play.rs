//! Plays the lines of the notation on a stage.

use super::notation::{Line, Step};
use super::stage::{Stage, answer_of};

/// The differences between a line and what happened.
pub fn differences(line: &Line) -> Vec<String> {
    let mut stage = Stage::new();
    for step in &line.set_up {
        stage.perform_step(step);
    }
    stage.words.clear();
    let mut differences = Vec::new();
    for (number, step) in line.steps.iter().enumerate() {
        let answer = stage.perform_step(step);
        let words = std::mem::take(&mut stage.words).join(" ");
        let happened = format!("{answer} {words}").trim().to_owned();
        let happened = if happened.is_empty() { "-".to_owned() } else { happened };
        let wanted = line.results.get(number).map_or("", String::as_str);
        if happened != wanted {
            differences.push(format!(
                "{}\n  step {}: {happened}\n  wanted: {wanted}",
                line.label,
                number + 1
            ));
        }
    }
    if let Some(wanted) = &line.state {
        let state = stage.state();
        if state != *wanted {
            differences.push(format!("{}\n  state {state}, wanted {wanted}", line.label));
        }
    }
    if line.results.len() != line.steps.len() {
        differences.push(format!("{}: as many results as steps", line.label));
    }
    differences.append(&mut stage.broken);
    differences
}

/// Fails with all differences.
pub fn check(lines: &[Line]) {
    assert!(!lines.is_empty(), "no such lines");
    let all: Vec<String> = lines.iter().flat_map(differences).collect();
    assert!(all.is_empty(), "\n{}", all.join("\n"));
}

impl Stage {
    /// Makes a step; its answer, empty where it has none.
    pub fn perform_step(&mut self, step: &Step) -> String {
        match step {
            Step::Submit(entry, order) => {
                let definition = self.definition(order);
                answer_of(&self.submit(*entry, definition, &order.source))
            }
            Step::Report(report, execution) => {
                let execution = execution.unwrap_or(self.last_execution);
                self.report(execution, *report, "").to_string()
            }
            Step::Cancel(name) => {
                let unknown = u64::MAX;
                let id = name.as_ref().map_or(0, |name| self.id_of(name).unwrap_or(unknown));
                answer_of(&self.control(|machine| machine.cancel(id)))
            }
            Step::Skip => answer_of(&self.control(|machine| machine.skip())),
            Step::ClearQueue => answer_of(&self.control(|machine| machine.clear_queue(None))),
            Step::Clear => answer_of(&self.control(|machine| machine.clear())),
            Step::RemoveAt(index) => answer_of(&self.control(|machine| machine.remove_at(*index))),
            Step::RemoveRange(from, count) => {
                answer_of(&self.control(|machine| machine.remove_range(*from, *count)))
            }
            Step::Mark => self.set_cancelable(true).to_string(),
            quiet => {
                self.perform_quietly(quiet);
                String::new()
            }
        }
    }

    fn perform_quietly(&mut self, step: &Step) {
        match step {
            Step::Free(target) => self.free_target(*target),
            Step::Tick(seconds) => {
                self.tick(*seconds);
            }
            Step::Enable(enabled) => self.enable(*enabled),
            Step::Leave => self.leave(true),
            Step::Max(length) => {
                self.settings.max_queue_length = *length as u32;
                self.machine.set_settings(self.settings);
            }
            Step::Only(source) => self.machine.set_insert_only_sources(vec![source.clone()]),
            Step::Fill(count) => {
                for _ in 0..*count {
                    self.perform_step(&Step::read("enq Z="));
                }
            }
            Step::When(word, step) => self.reactions.push((word.clone(), (**step).clone())),
            other => unreachable!("{other:?} has an answer"),
        }
    }
}
