extends TestCase
## The movement group of GameplayAbility: lock of the rotation, guard, warp target; each taken at the start, given back at
## every end.

const Rig := preload("res://support/ability_rig.gd")
const LOCKED := &"State.RotationLocked"

var rig: Rig
var warp: MotionWarp3D
var guard: LedgeGuard3D
var foe: Node3D


func _stage() -> void:
	rig = Rig.new(self, CharacterBody3D.new())
	warp = MotionWarp3D.new()
	guard = LedgeGuard3D.new()
	add(warp, rig.agent)
	add(guard, rig.agent)
	foe = Node3D.new()
	foe.position = Vector3(0, 0, -5)
	add(foe)


## As a designer makes it: all on.
func _lunge(label: String = "Lunge") -> Rig.Ability:
	var made: Rig.Ability = rig.make(label)
	made.lock_rotation = true
	return made


func _start(ability: Rig.Ability, target: Node3D = foe) -> int:
	return rig.system.activate(rig.grant(ability), ActionContext.create(target))


## Locks, holds, and where the name is aimed at.
func _held(name: StringName = &"Target") -> Array:
	return [rig.tags.get_tag_count(LOCKED), guard.get_hold_count(), warp.get_warp_point(name)]


func test_defaults_take_all_three() -> void:
	_stage()
	var made: GameplayAbility = GameplayAbility.new()
	eq([made.lock_rotation, made.prevent_ledge_fall, made.warp_target_name, made.warp_offset, made.warp_skip_distance],
		[true, true, &"Target", 1.0, 0.0], "defaults")
	rig.system.activate(rig.system.grant_ability(made), ActionContext.create(foe))
	eq(_held(), [1, 1, Vector3(0, 0, -4)], "while it is active")
	rig.system.cancel_abilities()
	eq(_held(), [0, 0, Vector3.ZERO], "and not longer")


func test_lock_rotation() -> void:
	_stage()
	var made: Rig.Ability = _lunge()
	made.lock_rotation = false
	_start(made)
	eq(_held(), [0, 1, Vector3(0, 0, -4)], "off: no tag")


func test_prevent_ledge_fall() -> void:
	_stage()
	var made: Rig.Ability = _lunge()
	made.prevent_ledge_fall = false
	_start(made)
	check(not guard.is_guarding(), "off: no hold")
	eq(_held(), [1, 0, Vector3(0, 0, -4)], "the rest is there")


func test_warp_target_name() -> void:
	_stage()
	var made: Rig.Ability = _lunge()
	made.warp_target_name = &"Throat"
	_start(made)
	eq(_held(&"Throat"), [1, 1, Vector3(0, 0, -4)], "under that name")
	eq(warp.get_warp_point(&"Target"), Vector3.ZERO, "not under another")
	rig.system.cancel_abilities()
	made.warp_target_name = &""
	_start(made)
	eq([_held(), warp.get_warp_point(&"Throat"), warp.get_warp_point(&"")], [[1, 1, Vector3.ZERO], Vector3.ZERO, Vector3.ZERO], "empty: no warping")


func test_warp_offset() -> void:
	_stage()
	var made: Rig.Ability = _lunge()
	made.warp_offset = 2.5
	_start(made)
	near(warp.get_warp_point(&"Target"), Vector3(0, 0, -2.5), 0.001, "in front of the target")
	rig.system.cancel_abilities()
	made.warp_offset = 0.0
	_start(made)
	near(warp.get_warp_point(&"Target"), Vector3(0, 0, -5), 0.001, "on the target")


func test_warp_skip_distance() -> void:
	_stage()
	var made: Rig.Ability = _lunge()
	made.warp_skip_distance = 2.0
	foe.position.z = -1.5
	_start(made)
	eq(_held(), [1, 1, Vector3.ZERO], "nearer: no warp target")
	rig.system.cancel_abilities()
	foe.position.z = -2.5
	_start(made)
	near(warp.get_warp_point(&"Target"), Vector3(0, 0, -1.5), 0.001, "farther: one")
	rig.system.cancel_abilities()
	made.warp_skip_distance = 0.0
	foe.position.z = -0.5
	_start(made)
	ne(warp.get_warp_point(&"Target"), Vector3.ZERO, "0: every target")


func test_without_a_target_nothing_is_aimed_at() -> void:
	_stage()
	_start(_lunge(), null)
	eq(_held(), [1, 1, Vector3.ZERO], "lock and guard alone")


func test_everything_is_given_back_on_every_end() -> void:
	var ends: Dictionary[String, Callable] = {
		"ended": func(handle: int) -> void: rig.system.end_ability(handle),
		"failed": func(handle: int) -> void: rig.system.end_ability(handle, false),
		"cancelled": func(_handle: int) -> void: rig.system.cancel_abilities(),
		"revoked": func(handle: int) -> void: rig.system.revoke_ability(handle),
		"imported": func(_handle: int) -> void: rig.system.import_state(rig.system.export_state()),
		"taken out": func(_handle: int) -> void: rig.agent.remove_child(rig.system),
		"freed": func(_handle: int) -> void: rig.system.free(),
	}
	for end: String in ends:
		_stage()
		var handle: int = rig.grant(_lunge())
		rig.system.activate(handle, ActionContext.create(foe))
		eq(_held(), [1, 1, Vector3(0, 0, -4)], "taken: " + end)
		ends[end].call(handle)
		eq(_held(), [0, 0, Vector3.ZERO], "given back: " + end)
		if is_instance_valid(rig.system) and not rig.system.is_inside_tree():
			rig.system.free()
		rig.agent.free()
		foe.free()


func test_two_abilities_hold_it_twice() -> void:
	_stage()
	var first: int = rig.grant(_lunge("First"))
	rig.system.activate(first, ActionContext.create(foe))
	var other: Node3D = add(Node3D.new())
	other.position = Vector3(0, 0, -9)
	_start(_lunge("Second"), other)
	eq(_held(), [2, 2, Vector3(0, 0, -8)], "the last one aims")
	rig.system.end_ability(first)
	eq(_held(), [1, 1, Vector3(0, 0, -8)], "what the other holds stays")


func test_a_retrigger_takes_it_anew() -> void:
	_stage()
	var made: Rig.Ability = _lunge()
	made.retrigger = true
	var handle: int = rig.grant(made)
	rig.system.activate(handle, ActionContext.create(foe))
	foe.position.z = -7
	rig.system.activate(handle, ActionContext.create(foe))
	eq(_held(), [1, 1, Vector3(0, 0, -6)], "once")


func test_a_refusal_takes_nothing() -> void:
	_stage()
	var made: Rig.Ability = _lunge()
	made.accepts = false
	_start(made)
	eq(_held(), [0, 0, Vector3.ZERO], "refused")


func test_an_end_in_the_start_leaves_nothing() -> void:
	_stage()
	var made: Rig.Ability = _lunge()
	made.lasts = 0.0
	_start(made)
	eq(_held(), [0, 0, Vector3.ZERO], "over")


func test_without_the_nodes_and_when_they_go() -> void:
	_stage()
	for node: Node in [warp, guard]:
		node.free()
	rig.system.activate(rig.grant(_lunge()), ActionContext.create(foe))
	eq(rig.tags.get_tag_count(LOCKED), 1, "runs without them")
	rig.system.cancel_abilities()
	rig.agent.free()
	_stage()
	_start(_lunge())
	for node: Node in [warp, guard, rig.tags]:
		node.free()
	rig.system.cancel_abilities()
	eq(rig.diary.take("ended"), "ended Lunge 2", "and ends when they are gone")


func test_a_freed_target_keeps_its_place() -> void:
	_stage()
	_start(_lunge())
	foe.free()
	near(warp.get_warp_point(&"Target"), Vector3(0, 0, -4), 0.001, "where it was")
	rig.system.cancel_abilities()
	eq(_held(), [0, 0, Vector3.ZERO], "until the end")
