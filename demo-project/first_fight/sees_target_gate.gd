class_name SeesTargetGate
extends ActionGate
## Lets an action pass only while the agent has its target in sight. A target that is merely
## remembered is still the focus of the evaluator: nobody should throw stones at a memory.


func _passes_gate(context: DecisionContext) -> bool:
	var perception := context.agent.get_node_or_null(^"Perception3D") as Perception3D
	return perception != null and perception.can_sense(context.target, PerceptionEvent.SENSE_SIGHT)


func _get_display_name() -> String:
	return "Sees the target"
