extends CharacterBody3D
## A body that walks with a plain velocity, or with what it is told to ask first.

var walk: Vector3 = Vector3.ZERO  ## Metres per second over the ground.
var gravity: float = 0.0
var warp: MotionWarp3D  ## Set: asked for the velocity.
var guard: LedgeGuard3D  ## Set: asked for the step.
var jump: float = 0.0  ## Upward speed of the next step.


func _physics_process(delta: float) -> void:
	velocity = Vector3(walk.x, velocity.y - gravity * delta, walk.z)
	if jump > 0.0:
		velocity.y = jump
		jump = 0.0
	if warp != null:
		velocity = warp.warp_velocity(velocity, delta)
	if guard != null:
		velocity = guard.constrain(velocity * delta) / delta
	move_and_slide()
