extends "res://support/stages/fighting.gd"
## The stage of the fighter whose jab takes a slot of its target, and a second fighter beside it that follows nobody.

const ATTACK := &"Token.Attack"

var other: ActionEvaluator
var slots: PackedStringArray = []


func _ready() -> void:
	super()
	CombatTokens.token_acquired.connect(_on_acquired)
	CombatTokens.token_released.connect(_on_released)
	brain.default_action_set.actions[0].gates = [CombatTokenGate.new()]
	other = ActionEvaluator.new()
	other.name = "Brain"
	other.process_callback = ActionEvaluator.PROCESS_MANUAL
	other.auto_evaluate = false
	other.authority_only = false
	other.default_action_set = brain.default_action_set
	other.target = foe
	var rogue: Node3D = Node3D.new()
	rogue.name = "Rogue"
	rogue.add_child(other)
	add_child(rogue)


func _exit_tree() -> void:
	CombatTokens.token_acquired.disconnect(_on_acquired)
	CombatTokens.token_released.disconnect(_on_released)


func _on_acquired(target: Node, _tag: StringName, holder: Node) -> void:
	slots.append("+ %s %s" % [target.name, holder.name])


func _on_released(target: Node, _tag: StringName, holder: Node) -> void:
	slots.append("- %s %s" % [target.name, holder.name])


func take_slots() -> PackedStringArray:
	var taken: PackedStringArray = slots
	slots = []
	return taken


func free_slots() -> int:
	return CombatTokens.get_free(foe, ATTACK)


func capacity() -> int:
	return CombatTokens.get_capacity(foe, ATTACK)


func holders() -> PackedStringArray:
	var names: PackedStringArray = []
	for node: Node in CombatTokens.get_holders(foe, ATTACK):
		names.append(node.name)
	return names


func acquire() -> bool:
	return CombatTokens.acquire(other.get_parent(), foe, ATTACK)


func give_all_back() -> Array:
	return [CombatTokens.release(other.get_parent(), foe, ATTACK), CombatTokens.release_all(other.get_parent())]


func set_capacities(count: int) -> void:
	CombatTokens.set_pool_capacity(ATTACK, count)
	CombatTokens.set_target_capacity(foe, ATTACK, count)


## What the second fighter, which decides on every peer, chooses.
func rogue_chooses() -> StringName:
	other.evaluate_now()
	return other.get_running_action()
