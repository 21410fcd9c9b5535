extends TestCase
## Values that scripts write without a second thought, and objects that are gone.


func test_freed_object_of_a_context() -> void:
	var thing: Node = Node.new()
	var context: ActionContext = ActionContext.create(thing, 1.0, thing)
	not_null(context.optional_object, "while it lives")
	thing.free()
	is_null(context.optional_object, "after it was freed")
	is_null(context.target, "the target too")


func test_freed_object_given_to_a_context() -> void:
	var thing: Node = Node.new()
	var context: ActionContext = ActionContext.create(null, 1.0, thing)
	var kept: Node = Node.new()
	context.optional_object = kept
	check(context.optional_object == kept, "written")
	thing.free()
	context.optional_object = thing
	is_null(context.optional_object, "a freed one counts as none")
	kept.free()


func test_refcounted_object_of_a_context_is_kept_alive() -> void:
	var context: ActionContext = ActionContext.new()
	context.optional_object = Resource.new()
	not_null(context.optional_object, "kept")
	context.optional_object = null
	is_null(context.optional_object, "let go")


func test_masks_made_with_not() -> void:
	var perception: Perception3D = Perception3D.new()
	perception.sight_blocking_mask = ~2
	eq(perception.sight_blocking_mask, 0xFFFFFFFD, "all layers but the second")
	perception.sight_blocking_mask = -1
	eq(perception.sight_blocking_mask, 0xFFFFFFFF, "all layers")
	perception.free()
