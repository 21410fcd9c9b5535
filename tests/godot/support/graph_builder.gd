extends RefCounted
## Builds what a row of the worked examples of the action graph starts from: graph, animations, vitals, input map.

## Where the windows of moves are written: markers of the animation, `windows` of the payload, keys of a method track.
enum Authoring { MARKERS, LIST, KEYS }


## Starts only with a target.
class NeedsTarget:
	extends ActionPayload

	func _can_start(run: ActionRun) -> bool:
		return run.target != null

	func _execute(run: ActionRun) -> bool:
		return run.play_delay(0.5)


## Answers what it is told to answer.
class Answers:
	extends TransitionCondition
	@export var answer: bool = true

	func _evaluate(_run: ActionRun) -> bool:
		return answer


## Hands its run to the test.
class Handle:
	extends ActionGraphHook

	func _enter(run: ActionRun) -> void:
		run.player.set_meta(&"hook_run", run)


var row: Dictionary
var authoring: Authoring = Authoring.MARKERS
## Where the animations of the moves go.
var mixer: AnimationPlayer = AnimationPlayer.new()
## Node id -> payload that plays an animation.
var payloads: Dictionary[String, Resource] = {}


func _init(wanted: Dictionary, way: Authoring) -> void:
	row = wanted
	authoring = way
	mixer.name = "Animations"
	mixer.add_animation_library(&"", AnimationLibrary.new())


## The vitals of the row; null: it has none.
func make_vitals() -> AgentVitals:
	if not row.has("vitals"):
		return null
	var vitals: AgentVitals = AgentVitals.new()
	var made: Array[AgentVital] = []
	for tag: String in row["vitals"] as Dictionary:
		var vital: AgentVital = AgentVital.new()
		vital.tag = tag
		vital.max_value = 100.0
		vital.start_value = (row["vitals"] as Dictionary)[tag]
		made.append(vital)
	vitals.vitals = made
	return vitals


## The graph of the row; its animations go to the mixer.
func make_graph() -> ActionGraph:
	var made: ActionGraph = ActionGraph.new()
	if row.has("buffer"):
		made.default_input_buffer_mode = _buffer(row["buffer"] as Array)
	if row.has("grace"):
		made.late_input_grace = row["grace"]
	if row.has("restart_window"):
		made.held_input_restart_window = row["restart_window"]
	var nodes: Dictionary = row.get("nodes", {})
	for id: String in nodes:
		_fill(made.add_node(id), id, nodes[id] as Dictionary)
	for wire: Dictionary in row.get("wires", []) as Array:
		_wire(made, wire)
	return made


func _fill(node: ActionGraphNode, id: String, wanted: Dictionary) -> void:
	node.payload = _payload(id, wanted)
	node.hooks = _hooks(wanted)
	if wanted.has("cost"):
		var cost: VitalCost = VitalCost.new()
		cost.vital_tag = (wanted["cost"] as Array)[0]
		cost.amount = (wanted["cost"] as Array)[1]
		node.costs = [cost]
	if wanted.has("cooldown"):
		var cooldown: ActionCooldown = ActionCooldown.new()
		cooldown.seconds = (wanted["cooldown"] as Array)[0]
		cooldown.charges = roundi((wanted["cooldown"] as Array)[1] as float)
		node.cooldown = cooldown
	if wanted.get("from_entry", false):
		node.when_no_window = ActionGraphNode.NO_WINDOW_FROM_ENTRY
	if wanted.has("buffer"):
		node.buffer_override = _buffer(wanted["buffer"] as Array)
	node.late_input_grace = wanted.get("grace", -1.0)
	node.retrigger_from_root_on_failed_start = wanted.get("retrigger", false)
	node.mash_lock = wanted.get("mash_lock", false)
	node.can_be_cancelled = wanted.get("cancellable", false)
	node.cancellable_by_inputs = PackedStringArray(wanted.get("cancelled_by", []) as Array)
	node.ignored_cancel_inputs = PackedStringArray(wanted.get("ignored_cancels", []) as Array)
	node.cancel_needs_root_move = wanted.get("cancel_needs_root_move", true)


static func _buffer(word: Array) -> int:
	return {
		"AcceptLast": ActionGraph.BUFFER_ACCEPT_LAST,
		"AcceptFirst": ActionGraph.BUFFER_ACCEPT_FIRST,
		"Ignore": ActionGraph.BUFFER_IGNORE,
	}[word[0]]


func _hooks(wanted: Dictionary) -> Array:
	var made: Array = [Handle.new()]
	if wanted.has("drain"):
		var drain: DrainVitalHook = DrainVitalHook.new()
		drain.per_second = (wanted["drain"] as Array)[0]
		drain.end_behavior = ["Finish", "Cancel", "Nothing"].find(((wanted["drain"] as Array)[1] as Array)[0])
		made.append(drain)
	if wanted.get("cancel_on_movement", false):
		made.append(CancelOnMovementHook.new())
	return made


func _payload(id: String, wanted: Dictionary) -> Resource:
	var payload: Array = wanted.get("payload", ["Nothing"])
	match payload[0]:
		"Clip":
			return _animated(id, payload[1] as float, wanted, {})
		"Section":
			var section: Dictionary = payload[1]
			return _animated(id, section["length"] as float, wanted, section)
		"Hold":
			var hold: HoldPayload = HoldPayload.new()
			hold.open_action_window = payload[1]
			return hold
		"Delay":
			var delay: DelayPayload = DelayPayload.new()
			delay.delay_seconds = payload[1]
			return delay
		"NeedsTarget":
			return NeedsTarget.new()
	return null


func _animated(id: String, length: float, wanted: Dictionary, section: Dictionary) -> PlayAnimationPayload:
	var animation: Animation = Animation.new()
	animation.length = length
	var made: PlayAnimationPayload = PlayAnimationPayload.new()
	made.animation = id.to_lower()
	if not section.is_empty():
		animation.add_marker(&"from_here", section["from"] as float)
		animation.add_marker(&"to_here", section["to"] as float)
		made.section_start = &"from_here"
		made.section_end = &"to_here"
		made.play_rate = section["rate"]
	write_windows(made, animation, wanted.get("windows", []) as Array)
	mixer.get_animation_library(&"").add_animation(id.to_lower(), animation)
	payloads[id] = made
	return made


## Writes windows (`[kind, start, end]`) in the way of this rig.
func write_windows(payload: PlayAnimationPayload, animation: Animation, windows: Array) -> void:
	match authoring:
		Authoring.LIST:
			var made: Array[ActionWindow] = []
			for window: Array in windows:
				var one: ActionWindow = ActionWindow.new()
				one.kind = window[0]
				one.start = window[1]
				one.end = window[2]
				made.append(one)
			payload.windows = made
		Authoring.MARKERS:
			for at: int in windows.size():
				var window: Array = windows[at]
				var kind: String = window[0]
				var name: String = (":" + kind if not kind.is_empty() else "") + "#%d" % at
				animation.add_marker("action_window" + name, window[1] as float)
				# An animation has one marker at a time.
				var end: float = window[2]
				for known: StringName in animation.get_marker_names():
					if is_equal_approx(animation.get_marker_time(known), end):
						end -= 0.0001
				animation.add_marker("action_window_end" + name, end)
		Authoring.KEYS:
			if windows.is_empty():
				return
			var track: int = animation.add_track(Animation.TYPE_METHOD)
			animation.track_set_path(track, ^"Moves")
			for at: int in windows.size():
				var window: Array = windows[at]
				var name: String = "%s#%d" % [window[0], at]
				var opens: Dictionary = {"method": &"open_action_window", "args": [name]}
				var closes: Dictionary = {"method": &"close_action_window", "args": [name]}
				# Two keys of one track cannot stand at the same time.
				animation.track_insert_key(track, window[1] as float, opens)
				if at + 1 < windows.size():
					track = animation.add_track(Animation.TYPE_METHOD)
					animation.track_set_path(track, ^"Moves")
				animation.track_insert_key(track, window[2] as float, closes)


func _wire(made: ActionGraph, wanted: Dictionary) -> void:
	var wire: String = wanted["wire"]
	var from: String = wire.get_slice("-", 0).replace("Root", "root")
	var on: String = wire.get_slice("-", 1).get_slice("→", 0)
	var to: String = wire.get_slice("→", 1).replace("Root", "root")
	var fires: int = ActionGraphTransition.FIRES_INPUT_PRESSED
	var tag: String = on.trim_suffix("↑").trim_suffix("↟")
	if on.ends_with("↑"):
		fires = ActionGraphTransition.FIRES_INPUT_RELEASED
	elif on.ends_with("↟"):
		fires = ActionGraphTransition.FIRES_INPUT_RELEASED_EARLY
	elif on == "Completed":
		fires = ActionGraphTransition.FIRES_ACTION_COMPLETED
	elif on == "Failed":
		fires = ActionGraphTransition.FIRES_ACTION_FAILED
	if fires >= ActionGraphTransition.FIRES_ACTION_COMPLETED:
		tag = ""
	var transition: ActionGraphTransition = made.add_transition(from, to, tag, fires)
	transition.priority = roundi(wanted.get("priority", 0.0) as float)
	if wanted.get("interrupts", false):
		transition.timing = ActionGraphTransition.TIMING_INTERRUPT
	transition.required_tags = PackedStringArray(wanted.get("required", []) as Array)
	transition.blocked_tags = PackedStringArray(wanted.get("blocked", []) as Array)
	transition.window_kinds = PackedStringArray(wanted.get("kinds", []) as Array)
	transition.accept_buffered = wanted.get("buffered", true)
	var conditions: Array = []
	for answer: bool in wanted.get("conditions", []) as Array:
		var condition: Answers = Answers.new()
		condition.answer = answer
		conditions.append(condition)
	transition.conditions = conditions


## The inputs that keys of the row go through; null: the row has none.
func make_input_map() -> ActionInputMap:
	if not row.has("map"):
		return null
	var inputs: Array[ActionInput] = []
	for wanted: Dictionary in row["map"] as Array:
		var tag: String = wanted["tag"]
		var action: String = "rows_" + tag.to_lower()
		if not InputMap.has_action(action):
			InputMap.add_action(action)
			var event: InputEventKey = InputEventKey.new()
			event.keycode = key_of(tag)
			InputMap.action_add_event(action, event)
		var input: ActionInput = ActionInput.new()
		input.tag = tag
		input.actions = [action]
		if (wanted.get("hold", 0.0) as float) > 0.0:
			input.trigger = ActionInput.TRIGGER_HOLD
			input.hold_seconds = wanted["hold"]
		input.in_freeze = ["Keep", "Age", "Drop"].find((wanted.get("in_freeze", ["Keep"]) as Array)[0])
		inputs.append(input)
	var map: ActionInputMap = ActionInputMap.new()
	map.inputs = inputs
	return map


## The key of a tag.
static func key_of(tag: String) -> Key:
	return {"GD": KEY_G, "HV": KEY_H, "DG": KEY_D, "LA": KEY_L}[tag]
