class_name BlindListener2D
extends Walker2D
## It has no eyes, but it hears every step; walls muffle what it hears (`hearing_occlusion`).

signal caught(who: Node2D)

enum Duty { SLEEP, FOLLOW, WAIT, GO_HOME }

@export_range(10.0, 400.0, 1.0, "suffix:px/s") var speed: float = 110.0
@export_range(10.0, 100.0, 1.0, "suffix:px") var reach: float = 52.0
@export_range(0.0, 10.0, 0.1, "suffix:s") var patience: float = 2.5

@onready var perception: Perception2D = $Perception2D
@onready var meter: DetectionMeter = %Meter

var duty := Duty.SLEEP

var _place := Vector2.ZERO
var _heard: Node2D
var _time_on_duty: float = 0.0
@onready var _home := global_position


func _ready() -> void:
	perception.noise_heard.connect(_on_noise_heard)
	perception.target_lost.connect(func(_event: PerceptionEvent) -> void: _heard = null)


func _on_noise_heard(event: PerceptionEvent) -> void:
	_place = event.stimulus_location_2d
	_heard = event.target as Node2D
	_begin(Duty.FOLLOW)


func _physics_process(delta: float) -> void:
	_time_on_duty += delta
	meter.tell(0.0, Color(0.75, 0.45, 1.0), "" if duty == Duty.SLEEP else "?")
	match duty:
		Duty.SLEEP:
			move(Vector2.ZERO, delta)
		Duty.FOLLOW:
			if walk_to(_place, speed, 25.0, delta):
				_begin(Duty.WAIT)
			if is_instance_valid(_heard) and global_position.distance_to(_heard.global_position) <= reach:
				caught.emit(_heard)
		Duty.WAIT:
			move(Vector2.ZERO, delta)
			rotation += sin(_time_on_duty * 2.0) * delta
			if _time_on_duty > patience:
				_begin(Duty.GO_HOME)
		Duty.GO_HOME:
			if walk_to(_home, speed * 0.5, 12.0, delta):
				_begin(Duty.SLEEP)


func get_report() -> String:
	return ["sleeps", "follows a noise", "listens", "goes home"][duty]


func _begin(next: Duty) -> void:
	duty = next
	_time_on_duty = 0.0


func _draw() -> void:
	super()
	for side: float in [-1.0, 1.0]:
		draw_circle(Vector2(-size * 0.15, size * 1.02 * side), size * 0.34, color.darkened(0.35))
		draw_circle(Vector2(-size * 0.1, size * 1.02 * side), size * 0.22, Color(0.86, 0.66, 0.68))
	# A blindfold over the eyes.
	draw_rect(Rect2(size * 0.28, -size * 0.8, size * 0.45, size * 1.6), Color(0.92, 0.9, 0.86))
