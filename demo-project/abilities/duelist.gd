class_name Duelist
extends Fighter
## A fighter whose every move is an ability: [member drive] is set by the one that runs.
##
## It keeps turning to its foe, unless an ability locks its rotation. Warping turns it all the same.

const ROTATION_LOCKED := &"State.RotationLocked"
const DODGING := &"State.Dodging"

@export var foe: Fighter

@onready var abilities: AbilitySystem = $AbilitySystem
@onready var tags: TagContainer = $TagContainer
@onready var warp: MotionWarp3D = $MotionWarp3D
@onready var guard: LedgeGuard3D = $LedgeGuard3D

## Where to, and how fast: set by the ability that is active.
var drive := Vector3.ZERO
## The same while no ability is active: set by whoever leads it.
var walk := Vector3.ZERO


func _physics_process(delta: float) -> void:
	if is_acting():
		velocity = Vector3(drive.x, velocity.y, drive.z)
		move(drive, delta)
	else:
		move(walk, delta)
	if foe and not tags.has_tag(ROTATION_LOCKED):
		turn_toward(foe.global_position - global_position, delta)


func is_acting() -> bool:
	return not abilities.get_active_handles().is_empty()


## Starts the abilities with this tag; false if none does.
func use(tag: StringName, target: Node = null) -> bool:
	return abilities.activate_by_tag(tag, ActionContext.create(target)) > 0


func _is_untouchable() -> bool:
	return tags.has_tag(DODGING)
