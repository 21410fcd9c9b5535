class_name Dummy
extends Fighter
## A post that stands where it is put and gets its health back, for practice.

@export_range(0.5, 10.0, 0.1, "suffix:s") var mends_after: float = 2.0

@onready var tags: TagContainer = $TagContainer
@onready var _home := global_position

var _mends_in: float = 0.0


func _ready() -> void:
	super()
	was_hit.connect(func(_attacker: Node3D, _amount: float) -> void: _mends_in = mends_after)


func _physics_process(delta: float) -> void:
	var back := _home - global_position
	back.y = 0.0
	move(Vector3.ZERO if tags.has_tag(&"State.Paired") else back * 3.0, delta)
	_mends_in -= delta
	if _mends_in <= 0.0 and vitals.get_fraction(HEALTH) < 1.0:
		vitals.change(HEALTH, 1000.0)


func _on_vital_depleted(tag: StringName) -> void:
	if tag == HEALTH:
		fell.emit()
		create_tween().tween_property(figure, ^"rotation:x", 0.0, 0.5).from(0.5).set_trans(Tween.TRANS_ELASTIC)
