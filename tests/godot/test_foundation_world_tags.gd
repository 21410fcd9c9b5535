extends TestCase
## WorldTags: the engine singleton with the tags of the whole game.


func _stop() -> void:
	super()
	for tag in WorldTags.get_tags():
		WorldTags.remove_tag(tag)


func test_tags_stay_until_removed_and_are_not_counted() -> void:
	WorldTags.add_tag(&"World.Boss.Active")
	WorldTags.add_tag(&"World.Boss.Active")
	check(WorldTags.has_tag(&"World.Boss"), "by hierarchy")
	eq(WorldTags.get_tags(), ["World.Boss.Active"], "tags")
	WorldTags.remove_tag(&"World.Boss.Active")
	check(not WorldTags.has_tag(&"World.Boss"), "removed once is gone")
	WorldTags.remove_tag(&"World.Boss.Active")
	eq(WorldTags.get_tags(), [], "tags")


func test_each_call_that_changes_something_is_told() -> void:
	var changes := record(WorldTags.tags_changed)
	WorldTags.add_tag(&"World.A")
	WorldTags.add_tag(&"World.A")
	WorldTags.remove_tag(&"World.A")
	eq(changes.calls, [
		[PackedStringArray(["World.A"]), PackedStringArray()],
		[PackedStringArray(), PackedStringArray(["World.A"])],
	], "told")


func test_a_timer_counts_unpaused_physics_frames_and_restarts() -> void:
	var changes := record(WorldTags.tags_changed)
	WorldTags.add_tag_for(&"World.Casting", 0.1)
	await physics(4)
	WorldTags.add_tag_for(&"World.Casting", 0.1)
	get_tree().paused = true
	await get_tree().create_timer(0.5).timeout
	get_tree().paused = false
	await physics(4)
	check(WorldTags.has_tag(&"World.Casting"), "restarted, and the pause does not count")
	await physics(3)
	check(not WorldTags.has_tag(&"World.Casting"), "over")
	eq(changes.calls.back(), [PackedStringArray(), PackedStringArray(["World.Casting"])], "told")


func test_sentinels() -> void:
	WorldTags.add_tag_until(&"World.Boss.Active", ["Event.Boss.Down", "Event.Reset"])
	WorldTags.add_tag(&"Event.Other")
	check(WorldTags.has_tag(&"World.Boss.Active"), "still there")
	var changes := record(WorldTags.tags_changed)
	WorldTags.add_tag(&"Event.Reset.Hard")
	check(not WorldTags.has_tag(&"World.Boss.Active"), "a tag below a sentinel ends it")
	eq(changes.calls, [[PackedStringArray(["Event.Reset.Hard"]), PackedStringArray(["World.Boss.Active"])]], "one change")


func test_bad_input() -> void:
	expect_error("WorldTags: add_tag: tag \"A..B\" has an empty segment", 1)
	WorldTags.add_tag(&"A..B")
	expect_error("WorldTags: add_tag_for() got", 1)
	WorldTags.add_tag_for(&"A", -1.0)
	expect_error("WorldTags: add_tag_until() got no sentinel", 1)
	WorldTags.add_tag_until(&"A", [])
	eq(WorldTags.get_tags(), [], "nothing was added")


func test_handlers_may_change_tags() -> void:
	var seen: PackedStringArray = []
	var handler := func(added: PackedStringArray, _removed: PackedStringArray) -> void:
		seen.append_array(added)
		if added.has("World.A"):
			WorldTags.add_tag(&"World.B")
	WorldTags.tags_changed.connect(handler)
	WorldTags.add_tag(&"World.A")
	WorldTags.tags_changed.disconnect(handler)
	eq(seen, ["World.A", "World.B"], "told")


func test_state_survives_json() -> void:
	WorldTags.add_tag(&"World.A")
	WorldTags.add_tag_for(&"World.B", 0.1)
	WorldTags.add_tag_until(&"World.C", ["Event.End"])
	var state: Dictionary = JSON.parse_string(JSON.stringify(WorldTags.export_state()))
	for tag in WorldTags.get_tags():
		WorldTags.remove_tag(tag)
	WorldTags.add_tag(&"World.Old")
	var changes := record(WorldTags.tags_changed)
	check(WorldTags.import_state(state), "imported")
	eq(changes.count(), 0, "no signal")
	eq(WorldTags.get_tags(), ["World.A", "World.B", "World.C"], "tags")
	await physics(8)
	check(not WorldTags.has_tag(&"World.B"), "the timer runs on")
	WorldTags.add_tag(&"Event.End")
	check(not WorldTags.has_tag(&"World.C"), "the sentinel works")
	expect_error("WorldTags: import_state() got a state of version 9", 1)
	check(not WorldTags.import_state({"version": 9}), "version")
