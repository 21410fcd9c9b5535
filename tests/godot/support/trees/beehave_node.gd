class_name BeehaveNode
extends Node
## Stand-in for a node of a Beehave tree.

enum { SUCCESS, FAILURE, RUNNING }


func tick(_actor: Node, _blackboard: Blackboard) -> int:
	return SUCCESS


func interrupt(_actor: Node, _blackboard: Blackboard) -> void:
	pass


func before_run(_actor: Node, _blackboard: Blackboard) -> void:
	pass


func after_run(_actor: Node, _blackboard: Blackboard) -> void:
	pass
