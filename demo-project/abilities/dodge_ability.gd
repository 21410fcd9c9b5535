class_name DodgeAbility
extends GameplayAbility
## Rolls away from its target, or to where the agent walks. While it rolls nothing hits it.
##
## With *Prevent Ledge Fall* on, which is the default, it slides along an edge. Off, it rolls into the pit.

@export_range(0.1, 2.0, 0.05, "suffix:s") var seconds: float = 0.45
@export_range(1.0, 20.0, 0.5, "suffix:m/s") var speed: float = 7.5


func _activate(context: ActionContext) -> void:
	var acrobat := get_agent() as Duelist
	var away := acrobat.walk if acrobat.walk != Vector3.ZERO else -context.direction
	away.y = 0.0
	acrobat.drive = away.normalized() * speed
	acrobat.figure.strike(Figure.Blow.TUMBLE, seconds * 0.8, 0.15)


func _tick(_delta: float) -> void:
	if get_elapsed() >= seconds:
		end_ability()


func _end(_reason: int) -> void:
	var acrobat := get_agent() as Duelist
	acrobat.drive = Vector3.ZERO
	# The guard ends with the roll, so the roll must not go on by itself.
	acrobat.velocity = Vector3(0.0, acrobat.velocity.y, 0.0)
