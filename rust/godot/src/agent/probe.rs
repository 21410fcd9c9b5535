use godot::prelude::*;

use super::attributes::Attribute;
use super::health;
use crate::action::{ActionEvaluator, ReactionEvaluator};
use crate::awareness::{self, AgentAwareness, SourceStance};
use crate::base::lookup;
use crate::graph::ActionGraphPlayer;

/// Lets the tests of the debug build ask what other systems ask from Rust. Hidden, and not in the release build.
#[derive(GodotClass)]
#[class(init, internal, base = RefCounted)]
struct RiposteProbe {
    base: Base<RefCounted>,
}

#[godot_api]
impl RiposteProbe {
    /// The attribute of an agent; null if there is none.
    #[func]
    fn attribute(agent: Gd<Node>, name: GString) -> Variant {
        let number = Attribute::of(&name.to_string()).read(&agent);
        number.map(|number| number.to_variant()).unwrap_or_default()
    }

    /// The health of an agent, 0 to 1; null if nobody knows.
    #[func]
    fn health(agent: Gd<Node>) -> Variant {
        health::fraction(&agent).map(|number| number.to_variant()).unwrap_or_default()
    }

    /// The tags that other systems read for an agent.
    #[func]
    fn tags(agent: Gd<Node>) -> PackedStringArray {
        let owned = super::read_tags(agent.instance_id(), |set, _| set.tags().to_vec());
        crate::base::tags::names(&owned)
    }

    /// The agent that a node belongs to; null if none is above it.
    #[func]
    fn agent_above(node: Gd<Node>) -> Option<Gd<Node>> {
        lookup::agent_above(&node)
    }

    /// The posture of an agent whose source says this.
    #[func]
    fn posture(agent: Gd<Node>, stance: i64, auto_detect: bool) -> i64 {
        awareness::posture(&agent, Some(SourceStance { stance, auto_detect }.known())).to_int()
    }

    /// The vision stance of an agent whose source says this.
    #[func]
    fn vision_stance(agent: Gd<Node>, stance: i64, auto_detect: bool) -> i64 {
        awareness::vision_stance(&agent, SourceStance { stance, auto_detect })
    }

    /// How many methods and properties of the game were asked so far.
    #[func]
    fn adapter_calls() -> i64 {
        super::providers::calls().cast_signed()
    }

    /// How many nodes the steps of evaluators have read so far.
    #[func]
    fn step_readings() -> i64 {
        crate::action::step_readings().cast_signed()
    }

    /// How often steps of evaluators have looked through an agent for whom to ask.
    #[func]
    fn agents_found_out() -> i64 {
        crate::action::agents_found_out().cast_signed()
    }

    /// Configuration warnings of a Perception or a source, which scripts cannot ask for.
    #[func]
    fn perception_warnings(node: Gd<Node>) -> PackedStringArray {
        crate::perception::warnings(&node).iter().map(GString::from).collect()
    }

    /// Configuration warnings of an AgentAwareness, which scripts cannot ask for.
    #[func]
    fn awareness_warnings(node: Gd<AgentAwareness>) -> PackedStringArray {
        node.bind().get_configuration_warnings()
    }

    /// Configuration warnings of an evaluator, which scripts cannot ask for.
    #[func]
    fn evaluator_warnings(node: Gd<Node>) -> PackedStringArray {
        match node.try_cast::<ActionEvaluator>() {
            Ok(node) => ActionEvaluator::warnings(&node),
            Err(node) => ReactionEvaluator::warnings(&node.cast()),
        }
    }

    /// Configuration warnings of an ActionGraphPlayer, which scripts cannot ask for.
    #[func]
    fn moves_warnings(node: Gd<ActionGraphPlayer>) -> PackedStringArray {
        crate::graph::warnings(&node).iter().map(GString::from).collect()
    }

    /// True if the table of tags has this name.
    #[func]
    fn knows_tag(name: GString) -> bool {
        crate::base::tags::with_table(|table| table.find(&name.to_string()).is_some())
    }

    /// The help of all classes as the editor gets it, one XML text for each class; nothing in a library without it.
    #[func]
    fn help() -> PackedStringArray {
        #[cfg(feature = "editor-docs")]
        return godot::docs::__gather_xml_docs().map(|text| GString::from(&text)).collect();
        #[cfg(not(feature = "editor-docs"))]
        PackedStringArray::new()
    }
}
