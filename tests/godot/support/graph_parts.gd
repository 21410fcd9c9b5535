extends RefCounted
## Graphs of tests, built in code.


## A graph with these nodes: id → payload, or seconds of a delay without a window.
static func graph(nodes: Dictionary) -> ActionGraph:
	var made := ActionGraph.new()
	for id: StringName in nodes:
		var what: Variant = nodes[id]
		made.add_node(id, what if what is Resource else delay(what))
	return made


static func delay(seconds: float, opens: bool = false) -> DelayPayload:
	var payload := DelayPayload.new()
	payload.delay_seconds = seconds
	payload.open_action_window = opens
	return payload


## An animation with windows [[start, end, kind]].
static func animation(name: StringName, windows: Array = []) -> PlayAnimationPayload:
	var payload := PlayAnimationPayload.new()
	payload.animation = name
	var list: Array[ActionWindow] = []
	for given: Array in windows:
		var window := ActionWindow.new()
		window.start = given[0]
		window.end = given[1]
		if given.size() > 2:
			window.kind = given[2]
		list.append(window)
	payload.windows = list
	return payload


## A sound sword: light_1 leads to light_2, dodge from root.
static func sword() -> ActionGraph:
	var made := graph({&"light_1": 1.0, &"light_2": 1.0, &"dodge": 0.5})
	made.add_transition(&"root", &"light_1", &"Input.LightAttack")
	made.add_transition(&"root", &"dodge", &"Input.Dodge")
	made.add_transition(&"light_1", &"light_2", &"Input.LightAttack")
	return made
