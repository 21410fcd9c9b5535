class_name BlindListener
extends Mind
## It has no eyes, but it hears every step. Walls muffle what it hears (`hearing_occlusion`), so a loud step behind a
## wall may be as quiet as a soft one before it.

signal caught(who: Node)

enum Duty { SLEEP, FOLLOW, WAIT, GO_HOME }

const REPORTS: Dictionary[Duty, String] = {
	Duty.SLEEP: "sleeps", Duty.FOLLOW: "follows a noise", Duty.WAIT: "listens", Duty.GO_HOME: "goes home"}

@export_range(0.5, 8.0, 0.1, "suffix:m/s") var speed: float = 2.4
@export_range(0.5, 3.0, 0.1, "suffix:m") var reach: float = 1.2
@export_range(0.0, 10.0, 0.1, "suffix:s") var patience: float = 2.5

@onready var perception := find_perception()

var duty := Duty.SLEEP

var _noise := Vector2.ZERO
var _heard: Node
var _time_on_duty: float = 0.0
@onready var _home := place()


func _ready() -> void:
	perception.connect(&"noise_heard", _on_noise_heard)
	perception.connect(&"target_lost", func(_event: PerceptionEvent) -> void: _heard = null)


func _on_noise_heard(event: PerceptionEvent) -> void:
	show_sign("?", Color(0.75, 0.45, 1.0))
	_noise = Plan.of(event.stimulus_location if body is Node3D else event.stimulus_location_2d)
	_heard = event.target
	_begin(Duty.FOLLOW)


func _physics_process(delta: float) -> void:
	_time_on_duty += delta
	match duty:
		Duty.SLEEP:
			move(Vector2.ZERO, delta)
		Duty.FOLLOW:
			if walk_to(_noise, speed, 0.6, delta):
				_begin(Duty.WAIT)
			if is_instance_valid(_heard) and place().distance_to(Plan.place(_heard)) <= reach:
				caught.emit(_heard)
		Duty.WAIT:
			move(Vector2.ZERO, delta)
			look_around(delta, 2.0, 1.0)
			if _time_on_duty > patience:
				_begin(Duty.GO_HOME)
		Duty.GO_HOME:
			if walk_to(_home, speed * 0.5, 0.3, delta):
				_begin(Duty.SLEEP)


func get_report() -> String:
	return REPORTS[duty]


func _begin(next: Duty) -> void:
	duty = next
	_time_on_duty = 0.0
