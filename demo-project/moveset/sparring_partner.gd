class_name SparringPartner
extends Node
## Presses the same buttons as a player, for the [Champion] above it: strikes by a combo, raises the guard when its foe
## strikes, comes nearer between.

@export var foe: Champion
@export var is_awake: bool = false:
	set(value):
		is_awake = value
		if not value and is_node_ready():
			_champion.moves.set_move_direction(Vector2.ZERO)
			_champion.moves.push_input(GUARD, false)
@export_range(0.0, 10.0, 0.1, "suffix:s") var pause: float = 1.2
@export_range(0.5, 5.0, 0.1, "suffix:m") var reach: float = 2.0

const LIGHT := &"Input.LightAttack"
const GUARD := &"Input.Guard"

@onready var _champion: Champion = get_parent()

var _rest: float = 0.0


func _ready() -> void:
	foe.moves.action_started.connect(_on_foe_started)
	foe.moves.graph_reset.connect(func() -> void: _champion.moves.push_input(GUARD, false))


func _physics_process(delta: float) -> void:
	if not is_awake or _champion.is_down() or foe.is_down():
		return
	var way := foe.global_position - _champion.global_position
	var planar := Vector2(way.x, way.z)
	_champion.moves.set_move_direction(planar.normalized() if planar.length() > reach else Vector2.ZERO)
	_rest -= delta
	if _rest <= 0.0 and planar.length() <= reach + 0.2 and not _champion.moves.is_action_running():
		_rest = pause
		_champion.moves.queue_input_sequence([LIGHT, LIGHT])


func _on_foe_started(node: StringName, _run: ActionRun) -> void:
	if is_awake and not node.begins_with("hop") and GUARD in _champion.moves.get_offered_inputs():
		_champion.moves.push_input(GUARD, true)
