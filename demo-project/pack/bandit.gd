class_name Bandit
extends ActingFighter
## One of the pack. What it can do comes from its role; a coin above its head says that it holds a token.

@export var foe: Fighter

@onready var coin: Node3D = $Coin


func _ready() -> void:
	super()
	brain.target = foe
	coin.hide()


func _process(delta: float) -> void:
	coin.rotate_y(delta * 4.0)
