//! What validation finds.

use godot::prelude::*;

use crate::base::tags;

/// What is wrong with a part, without the place where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    /// `E1` to `E7` are errors, `W1` to `W22` warnings.
    pub code: &'static str,
    /// What, and how to mend it.
    pub text: String,
}

impl Finding {
    pub(crate) fn new(code: &'static str, text: impl Into<String>) -> Self {
        Self { code, text: text.into() }
    }
}

/// A finding and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Located {
    pub finding: Finding,
    /// The file, without its folder.
    pub file: String,
    /// Empty for the graph itself.
    pub node: String,
    /// Empty for the node itself.
    pub transition: String,
}

impl Located {
    /// True if it stops the compilation.
    pub(crate) fn is_error(&self) -> bool {
        self.finding.code.starts_with('E')
    }

    /// `node "heavy", transition "heavy__tired": what is wrong.`
    pub(crate) fn text(&self) -> String {
        let places = self.places();
        if places.is_empty() {
            return self.finding.text.clone();
        }
        format!("{}: {}", places.join(", "), self.finding.text)
    }

    /// `sword.tres, node "heavy", transition "heavy__tired": what is wrong.`
    pub(crate) fn message(&self) -> String {
        let mut places = vec![self.file.clone()];
        places.extend(self.places());
        format!("{}: {}", places.join(", "), self.finding.text)
    }

    fn places(&self) -> Vec<String> {
        let named = |kind: &str, name: &str| (!name.is_empty()).then(|| format!("{kind} \"{name}\""));
        named("node", &self.node).into_iter().chain(named("transition", &self.transition)).collect()
    }
}

/// Findings as `validate()` gives them.
pub(crate) fn rows(found: &[Located]) -> Array<VarDictionary> {
    let row = |one: &Located| {
        vdict! {
            "severity" => if one.is_error() { "error" } else { "warning" },
            "code" => one.finding.code,
            "message" => one.message().as_str(),
            "node" => &StringName::from(&one.node),
            "transition" => &StringName::from(&one.transition),
        }
    };
    found.iter().map(row).collect()
}

/// What is wrong with a tag in property `member`: that it is none, or that it is not declared. Nothing for an empty one.
pub(crate) fn tag(member: &str, name: &str) -> Option<Finding> {
    if name.is_empty() {
        return None;
    }
    tags::warning(member, name).map(|text| Finding::new("W1", text))
}

/// The same for a list.
pub(crate) fn tag_list(member: &str, list: &tags::TagList) -> Vec<Finding> {
    list.warnings(member).into_iter().map(|text| Finding::new("W1", text)).collect()
}
