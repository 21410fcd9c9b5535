class_name BenchAction
extends Resource
## An action of the resource baseline.

@export var id: StringName
@export var weight := 1.0
@export var risk := 1.0
@export var cooldown := 0.0
@export var requires_tags: Array[StringName] = []
@export var block_tags: Array[StringName] = []
@export var scorers: Array[BenchScorer] = []


func is_allowed(context: BenchContext) -> bool:
	for tag in requires_tags:
		if not (context.agent.tags.has(tag) or context.target.tags.has(tag)):
			return false
	for tag in block_tags:
		if context.agent.tags.has(tag) or context.target.tags.has(tag):
			return false
	return true


func score(context: BenchContext) -> float:
	var s := weight / risk
	for scorer in scorers:
		s *= scorer.score(context)
		if s <= 0.0:
			return 0.0
	return s
