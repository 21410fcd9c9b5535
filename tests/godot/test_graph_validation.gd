extends TestCase
## What is wrong with a moveset, in words that name the place.

const Parts := preload("res://support/graph_parts.gd")


func _codes(graph: ActionGraph, mixer: AnimationMixer = null) -> Array:
	var codes := graph.validate(mixer).map(func(row: Dictionary) -> String: return row.code)
	codes.sort()
	return codes


## Messages of one code, with tags declared so that W1 does not come in between.
func _messages(graph: ActionGraph, code: String, mixer: AnimationMixer = null) -> Array:
	var rows := graph.validate(mixer).filter(func(row: Dictionary) -> bool: return row.code == code)
	return rows.map(func(row: Dictionary) -> String: return row.message)


func _has(graph: ActionGraph, code: String, text: String, mixer: AnimationMixer = null) -> void:
	var found := _messages(graph, code, mixer)
	check(found.size() == 1 and (found[0] as String).contains(text), "%s: \"%s\" in %s" % [code, text, found])


func _lacks(graph: ActionGraph, code: String, what: String, mixer: AnimationMixer = null) -> void:
	eq(_messages(graph, code, mixer), [], code + " " + what)


func _refuses(graph: ActionGraph, text: String) -> void:
	expect_error(text)
	check(not graph.compile(), "does not compile: " + text)


func _wire(graph: ActionGraph, from: StringName, to: StringName, properties: Dictionary = {}) -> ActionGraphTransition:
	var wire := graph.add_transition(from, to, properties.get(&"tag", &"Input.LightAttack"), properties.get(&"fires_on", 0))
	for property: StringName in properties:
		if property != &"tag" and property != &"fires_on":
			wire.set(property, properties[property])
	return wire


func before_each_tags() -> void:
	ProjectSettings.set_setting("riposte/tags/declared", {"Input.LightAttack": "", "Input.Dodge": "", "Input.Heavy": "", "Weapon.Shield": ""})


func _ready() -> void:
	before_each_tags()


func test_a_sound_graph_is_clean() -> void:
	eq(Parts.sword().validate(), [], "nothing")


func test_rows_name_the_place() -> void:
	var graph := Parts.sword()
	graph.take_over_path("user://sword.tres")
	graph.get_node_by_id(&"light_1").transitions[0].to = &"light_22"
	var rows := graph.validate().filter(func(row: Dictionary) -> bool: return row.severity == "error")
	eq(rows, [{
		"severity": "error", "code": "E2", "node": &"light_1", "transition": &"light_1__light_2",
		"message": "sword.tres, node \"light_1\", transition \"light_1__light_2\": transition to unknown node \"light_22\"; closest: \"light_2\".",
	}], "one error")
	_refuses(graph, "ActionGraph (user://sword.tres): node \"light_1\", transition \"light_1__light_2\": transition to unknown node \"light_22\"; closest: \"light_2\".")
	check(not graph.compile(), "still not, and told once")
	graph.get_node_by_id(&"light_1").transitions[0].to = &"light_2"
	check(graph.compile(), "mended")


func test_e1_ids() -> void:
	var graph := ActionGraph.new()
	graph.nodes = {&"2nd": ActionGraphNode.new()}
	_has(graph, "E1", "id \"2nd\" is not an identifier.")
	_refuses(graph, "id \"2nd\" is not an identifier.")
	graph.nodes = {}
	graph.removed_nodes = ["root"]
	_has(graph, "E1", "\"root\" is reserved")


func test_e2_to_nowhere() -> void:
	var graph := Parts.sword()
	graph.get_node_by_id(&"root").transitions[0].to = &""
	_has(graph, "E2", "leads nowhere")


func test_e3_cycles_and_depth() -> void:
	var one := ActionGraph.new()
	var other := ActionGraph.new()
	one.take_over_path("user://one.tres")
	other.take_over_path("user://other.tres")
	one.base = other
	other.includes = [one]
	_has(one, "E3", "base cycle: one.tres → other.tres → one.tres.")
	_refuses(one, "base cycle")
	one.late_input_grace = 0.5
	one.base = null
	check(one.compile() and other.compile(), "the cycle is open")
	other.includes = []
	var graph := ActionGraph.new()
	for at in 8:
		var heir := ActionGraph.new()
		heir.base = graph
		graph = heir
	_lacks(graph, "E3", "8 levels")
	var ninth := ActionGraph.new()
	ninth.base = graph
	_has(ninth, "E3", "more than 8 levels")


func test_e4_ids_of_transitions() -> void:
	var graph := Parts.sword()
	graph.get_node_by_id(&"root").transitions[1].id = &"root__light_1"
	_has(graph, "E4", "\"root__light_1\"")
	_refuses(graph, "is used twice")


func test_e5_input_without_a_tag() -> void:
	var graph := Parts.sword()
	var wire := _wire(graph, &"light_2", &"dodge", {&"tag": &""})
	_has(graph, "E5", "input moment without Input Tag")
	_refuses(graph, "input moment without Input Tag")
	wire.fires_on = ActionGraphTransition.FIRES_ACTION_COMPLETED
	_lacks(graph, "E5", "a completion needs none")


func test_e6_root_has_transitions_only() -> void:
	var graph := Parts.sword()
	var root := graph.get_node_by_id(&"root")
	root.payload = HoldPayload.new()
	root.hooks = [DrainVitalHook.new()]
	root.costs = [VitalCost.new()]
	_has(graph, "E6", "root has payload, hooks, costs")
	_refuses(graph, "root has payload, hooks, costs")


func test_one_error_for_each_code() -> void:
	var graph := Parts.sword()
	for wire: ActionGraphTransition in graph.get_node_by_id(&"root").transitions:
		wire.to = &"nobody_here"
	graph.get_node_by_id(&"root").payload = HoldPayload.new()
	expect_error("1 more of E2")
	expect_error("root has payload")
	check(not graph.compile(), "two codes")


func test_w1_tags() -> void:
	var graph := Parts.sword()
	graph.get_node_by_id(&"root").transitions[0].input_tag = &"Input.LightAtack"
	_has(graph, "W1", "tag \"Input.LightAtack\" is not declared. Did you mean \"Input.LightAttack\"?")
	graph.get_node_by_id(&"root").transitions[0].input_tag = &"Input.LightAttack"
	graph.get_node_by_id(&"dodge").applied_tags = ["State.Odd"]
	_has(graph, "W1", "node \"dodge\": applied_tags: tag \"State.Odd\"")
	check(graph.compile(), "a warning stops nothing")


func test_w2_unreachable() -> void:
	var graph := Parts.sword()
	graph.add_node(&"island", Parts.delay(1.0))
	graph.add_node(&"behind", Parts.delay(1.0))
	_wire(graph, &"island", &"behind")
	eq(_messages(graph, "W2").size(), 2, "both")
	_wire(graph, &"light_2", &"island", {&"fires_on": 3})
	_lacks(graph, "W2", "a completion leads there")


func test_w3_completion_of_root() -> void:
	var graph := Parts.sword()
	_wire(graph, &"root", &"dodge", {&"fires_on": 3, &"tag": &""})
	_has(graph, "W3", "Completed transition on root never fires")


func test_w4_failures_that_never_come() -> void:
	var graph := Parts.sword()
	_wire(graph, &"light_1", &"dodge", {&"fires_on": 4, &"tag": &""})
	_has(graph, "W4", "Failed transition on a move that cannot fail")
	graph.get_node_by_id(&"light_1").costs = [VitalCost.new()]
	_lacks(graph, "W4", "it has a cost")
	graph.get_node_by_id(&"light_1").costs = []
	graph.get_node_by_id(&"light_1").cooldown = ActionCooldown.new()
	_lacks(graph, "W4", "it has a cooldown")


func test_w5_keys_of_cooldowns() -> void:
	var graph := Parts.sword()
	var condition := CooldownReadyCondition.new()
	condition.cooldown_key = &"lightt"
	graph.get_node_by_id(&"root").transitions[0].conditions = [condition]
	_has(graph, "W5", "Cooldown Ready for unknown key \"lightt\"")
	var cooldown := ActionCooldown.new()
	cooldown.key = &"light"
	graph.get_node_by_id(&"light_1").cooldown = cooldown
	_has(graph, "W5", "closest: \"light\"")
	condition.cooldown_key = &"light_1"
	_lacks(graph, "W5", "the id of a node with a cooldown")


func test_w6_empty_elements() -> void:
	var graph := Parts.sword()
	var node := graph.get_node_by_id(&"light_1")
	node.hooks = [null]
	node.transitions = node.transitions + [null]
	node.transitions[0].conditions = [null]
	var nodes := graph.nodes.duplicate()
	nodes[&"later"] = null
	graph.nodes = nodes
	eq(_messages(graph, "W6").size(), 4, "each list: %s" % [_messages(graph, "W6")])
	check(graph.compile(), "they are skipped")


func test_w10_circles_without_time() -> void:
	var graph := Parts.sword()
	for id: StringName in [&"a", &"b"]:
		graph.add_node(id, Parts.delay(0.0))
	_wire(graph, &"root", &"a", {&"tag": &"Input.Heavy"})
	_wire(graph, &"a", &"b", {&"fires_on": 3, &"tag": &""})
	_lacks(graph, "W10", "a row")
	_wire(graph, &"b", &"a", {&"fires_on": 3, &"tag": &""})
	_has(graph, "W10", "moves end instantly in a circle: a → b → a")
	(graph.get_node_by_id(&"b").payload as DelayPayload).delay_seconds = 0.1
	_lacks(graph, "W10", "one of them lasts")


func test_w11_to_w13_animations() -> void:
	var graph := Parts.sword()
	graph.get_node_by_id(&"dodge").payload = PlayAnimationPayload.new()
	_has(graph, "W11", "node \"dodge\": PlayAnimation has no animation")
	var player: AnimationPlayer = add(AnimationPlayer.new())
	var library := AnimationLibrary.new()
	var roll := Animation.new()
	roll.length = 1.0
	library.add_animation(&"roll", roll)
	player.add_animation_library(&"", library)
	var payload := Parts.animation(&"rol")
	graph.get_node_by_id(&"dodge").payload = payload
	_lacks(graph, "W12", "nobody knows without a character")
	_has(graph, "W12", "no animation \"rol\"", player)
	payload.animation = &"roll"
	_lacks(graph, "W12", "it is there", player)
	payload.section_start = &"from"
	_has(graph, "W12", "no marker \"from\"", player)
	payload.section_start = &""
	roll.loop_mode = Animation.LOOP_LINEAR
	_has(graph, "W13", "loops, so the move never completes", player)


func test_w14_ways_out() -> void:
	var graph := Parts.sword()
	graph.add_node(&"trap", HoldPayload.new())
	_wire(graph, &"root", &"trap", {&"tag": &"Input.Heavy"})
	_has(graph, "W14", "no way out of this move")
	graph.get_node_by_id(&"trap").can_be_cancelled = true
	_lacks(graph, "W14", "it can be cancelled")
	graph.get_node_by_id(&"trap").can_be_cancelled = false
	_wire(graph, &"trap", &"root", {&"fires_on": 3, &"tag": &""})
	_has(graph, "W14", "no way out of this move")
	var wire := _wire(graph, &"trap", &"root", {&"fires_on": 1})
	_lacks(graph, "W14", "a release leads out")
	graph.remove_transition(wire.id)
	graph.get_node_by_id(&"trap").hooks = [DrainVitalHook.new()]
	_lacks(graph, "W14", "a hook finishes it")
	graph.get_node_by_id(&"trap").hooks = []
	(graph.get_node_by_id(&"trap").payload as HoldPayload).max_seconds = 3.0
	_lacks(graph, "W14", "it ends by itself")


func test_w15_never_chosen() -> void:
	var graph := Parts.sword()
	var wire := _wire(graph, &"root", &"light_2")
	_has(graph, "W15", "never chosen: same input, priority and conditions as the transition \"root__light_1\" above it")
	wire.priority = 1
	_lacks(graph, "W15", "a priority of its own")
	wire.priority = 0
	wire.conditions = [DirectionCondition.new()]
	_lacks(graph, "W15", "a condition of its own")
	graph.get_node_by_id(&"root").transitions[0].conditions = [DirectionCondition.new()]
	_has(graph, "W15", "never chosen")
	(wire.conditions[0] as DirectionCondition).dead_zone = 0.5
	_lacks(graph, "W15", "another condition")
	wire.conditions = []
	graph.get_node_by_id(&"root").transitions[0].conditions = []
	graph.get_node_by_id(&"root").transitions[0].required_tags = ["Weapon.Shield"]
	_lacks(graph, "W15", "the first one needs a tag")
	graph.get_node_by_id(&"root").transitions[0].required_tags = []
	wire.input_tag = &"Input.LightAttack.Low"
	has_element(_codes(graph), "W15", "a tag below counts as the same input")


func test_w15_knows_gates_that_hide() -> void:
	var graph := Parts.sword()
	_wire(graph, &"root", &"light_2")
	var gate := TagGate.new()
	gate.required_tags = ["Weapon.Shield"]
	graph.get_node_by_id(&"light_1").gates = [gate]
	_has(graph, "W15", "never chosen")
	gate.hides_transition = true
	_lacks(graph, "W15", "the first one is hidden while the gate is closed")


func test_w16_and_w19_cancelling() -> void:
	var graph := Parts.sword()
	var node := graph.get_node_by_id(&"light_1")
	node.hooks = [CancelOnMovementHook.new()]
	node.ignored_cancel_inputs = ["Input.Dodge"]
	_has(graph, "W16", "CancelOnMovement on a move that cannot be cancelled")
	_has(graph, "W19", "ignored_cancel_inputs is set, and can_be_cancelled is off")
	node.can_be_cancelled = true
	_lacks(graph, "W16", "it can be cancelled")
	_lacks(graph, "W19", "it can be cancelled")


func test_w17_and_w18_windows() -> void:
	var graph := Parts.sword()
	var node := graph.get_node_by_id(&"light_1")
	node.payload = Parts.animation(&"cut", [[0.4, 0.2, &"perfect"]])
	_has(graph, "W17", "it ends before it starts")
	node.payload = Parts.animation(&"cut", [[0.2, 0.4, &"perfect"]])
	var wire: ActionGraphTransition = node.transitions[0]
	wire.window_kinds = ["perfekt"]
	_has(graph, "W18", "kind \"perfekt\" is not authored on this move; closest: \"perfect\"")
	wire.window_kinds = ["perfect"]
	_lacks(graph, "W18", "it is authored")
	wire.window_kinds = []
	wire.accept_buffered = false
	_has(graph, "W18", "accept_buffered off without kinds")


func test_w20_and_w22_waiting_for_ever() -> void:
	var graph := Parts.sword()
	var hold := HoldPayload.new()
	hold.open_action_window = false
	graph.add_node(&"stance", hold)
	_wire(graph, &"root", &"stance", {&"tag": &"Input.Heavy"})
	_wire(graph, &"stance", &"dodge", {&"tag": &"Input.Dodge"})
	_has(graph, "W20", "Hold without window and without a hook")
	hold.open_action_window = true
	_lacks(graph, "W20", "it has a window")
	var trigger := TriggerPayload.new()
	trigger.event_tag = &"Input.Dodge"
	trigger.end_immediately = false
	graph.get_node_by_id(&"light_2").payload = trigger
	_has(graph, "W22", "event mode that waits, but no transition and no cancel")
	_wire(graph, &"light_2", &"dodge", {&"tag": &"Input.Dodge"})
	_lacks(graph, "W22", "it has a transition")


func test_w21_scripts_without_their_virtual() -> void:
	var graph := Parts.sword()
	graph.get_node_by_id(&"light_1").payload = script("extends ActionPayload\n").new()
	graph.get_node_by_id(&"light_1").hooks = [script("extends ActionGraphHook\n").new()]
	graph.get_node_by_id(&"light_1").transitions[0].conditions = [script("extends TransitionCondition\n").new()]
	var found := _messages(graph, "W21")
	eq(found.size(), 3, "each: %s" % [found])
