extends RefCounted
## One agent of either dimension with a single action, to see what its scorers and gates make of the world.

const Rig := preload("res://support/action_rig.gd")

var case: Node
var agent: Node
var brain: ActionEvaluator = ActionEvaluator.new()
var jab: ActionSpec = Rig.spec(&"Jab")


func _init(owner: Node, body: Node, scorers: Array = [], gates: Array = []) -> void:
	case = owner
	agent = body
	agent.name = "Guard"
	brain.name = "Brain"
	brain.process_callback = ActionEvaluator.PROCESS_MANUAL
	brain.auto_start = false
	brain.auto_evaluate = false
	brain.jitter_amount = 0.0
	brain.novelty_penalty = 0.0
	jab.scorers = scorers
	jab.gates = gates
	var moves: ActionSet = ActionSet.new()
	moves.actions = [jab]
	brain.default_action_set = moves
	agent.add_child(brain)
	if not agent.is_inside_tree():
		case.add_child(agent)
	brain.start()


func aim_at(foe: Node) -> Node:
	if not foe.is_inside_tree():
		case.add_child(foe)
	brain.target = foe
	return foe


func score() -> float:
	return brain.score_action(&"Jab")


func passes() -> bool:
	return brain.score_action(&"Jab") > 0.0


func row() -> Dictionary:
	brain.record_decisions = true
	return brain.evaluate_best_action().get_candidates()[0]


## 0 at 0, 1 from 1 on.
static func ramp(exponent: float = 1.0) -> RangeCurve:
	return curve(0.0, 1.0, 1.0, 1.0, exponent)


static func curve(a: float, b: float, c: float, d: float, exponent: float = 1.0) -> RangeCurve:
	var made: RangeCurve = RangeCurve.new()
	made.min_value = a
	made.optimal_min = b
	made.optimal_max = c
	made.max_value = d
	made.exponent = exponent
	return made


static func vitals(rows: Dictionary) -> AgentVitals:
	var made: AgentVitals = AgentVitals.new()
	made.process_callback = AgentVitals.PROCESS_MANUAL
	var list: Array[AgentVital] = []
	for tag: StringName in rows:
		var vital: AgentVital = AgentVital.new()
		vital.tag = tag
		vital.max_value = rows[tag][1]
		vital.start_value = rows[tag][0]
		list.append(vital)
	made.vitals = list
	return made
