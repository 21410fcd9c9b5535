class_name BenchFlat
extends RefCounted
## The flat baseline: one loop over packed arrays for all agents, no calls inside, tags as bits.

const SCORERS := 3
const NUMBERS := 6

var actors: Array[BenchActor] = []
## Of all agents: weight / risk, three curves of six numbers, required and blocking tag bits, per action.
var weights: PackedFloat64Array = []
var curves: PackedFloat64Array = []
var requires: PackedInt64Array = []
var blocks: PackedInt64Array = []
## Per agent and action.
var ready_at: PackedFloat64Array = []
## Tag bits per agent: its own and those of its target.
var tag_bits: PackedInt64Array = []

## Results per agent: index of the action (-1: none) and its score.
var best: PackedInt64Array = []
var best_scores: PackedFloat64Array = []


func decide_all(now: float) -> void:
	var count := weights.size()
	var inputs := PackedFloat64Array([0.0, 0.0, 0.0])
	for i in actors.size():
		var actor := actors[i]
		var to := actor.target.global_position - actor.global_position
		var forward := -actor.global_basis.z
		inputs[0] = to.length()
		inputs[1] = rad_to_deg(absf(Vector2(forward.x, forward.z).angle_to(Vector2(to.x, to.z))))
		inputs[2] = actor.health / actor.max_health
		var tags := tag_bits[i]
		var chosen := -1
		var highest := 0.0
		for a in count:
			if ready_at[i * count + a] > now or tags & blocks[a] != 0 or tags & requires[a] != requires[a]:
				continue
			var s := weights[a]
			var at := a * SCORERS * NUMBERS
			for k in SCORERS:
				var x := inputs[k]
				var optimal_min := curves[at + 1]
				var optimal_max := curves[at + 2]
				if x < optimal_min or x > optimal_max:
					var t := 0.0
					if x < optimal_min:
						var low := curves[at]
						if x >= low:
							t = (x - low) / (optimal_min - low)
					else:
						var high := curves[at + 3]
						if x <= high:
							t = (high - x) / (high - optimal_max)
					var exponent := curves[at + 4]
					if exponent == 2.0:
						t *= t
					elif exponent != 1.0:
						t = pow(t, exponent)
					var floor_value := curves[at + 5]
					s *= floor_value + (1.0 - floor_value) * t
				at += NUMBERS
			if s > highest:
				highest = s
				chosen = a
		best[i] = chosen
		best_scores[i] = highest
