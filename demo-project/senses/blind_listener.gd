class_name BlindListener
extends Walker
## It has no eyes, but it hears every step. Walls muffle what it hears (`hearing_occlusion`), so a loud step behind a
## wall may be as quiet as a soft one before it.

signal caught(who: Node3D)

enum Duty { SLEEP, FOLLOW, WAIT, GO_HOME }

@export_range(0.5, 8.0, 0.1, "suffix:m/s") var speed: float = 2.4
@export_range(0.5, 3.0, 0.1, "suffix:m") var reach: float = 1.2
@export_range(0.0, 10.0, 0.1, "suffix:s") var patience: float = 2.5

@onready var perception: Perception3D = $Perception3D

var duty := Duty.SLEEP

var _place := Vector3.ZERO
var _heard: Node3D
var _time_on_duty: float = 0.0
@onready var _home := global_position


func _ready() -> void:
	perception.noise_heard.connect(_on_noise_heard)
	perception.target_lost.connect(func(_event: PerceptionEvent) -> void: _heard = null)


func _on_noise_heard(event: PerceptionEvent) -> void:
	figure.show_sign("?", Color(0.75, 0.45, 1.0))
	_place = event.stimulus_location
	_heard = event.target as Node3D
	_begin(Duty.FOLLOW)


func _physics_process(delta: float) -> void:
	_time_on_duty += delta
	match duty:
		Duty.SLEEP:
			move(Vector3.ZERO, delta)
		Duty.FOLLOW:
			if walk_to(_place, speed, 0.6, delta):
				_begin(Duty.WAIT)
			if is_instance_valid(_heard) and global_position.distance_to(_heard.global_position) <= reach:
				caught.emit(_heard)
		Duty.WAIT:
			move(Vector3.ZERO, delta)
			rotate_y(sin(_time_on_duty * 2.0) * delta)
			if _time_on_duty > patience:
				_begin(Duty.GO_HOME)
		Duty.GO_HOME:
			if walk_to(_home, speed * 0.5, 0.3, delta):
				_begin(Duty.SLEEP)


func get_report() -> String:
	return ["sleeps", "follows a noise", "listens", "goes home"][duty]


func _begin(next: Duty) -> void:
	duty = next
	_time_on_duty = 0.0
