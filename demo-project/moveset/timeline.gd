class_name Timeline
extends Control
## The last seconds of an [ActionGraphPlayer]: what it played, when its window was open, which press waited how long.
##
## It asks nothing but `get_action_state()` once per physics step and listens to three signals: copy it into your game.

const SECONDS := 4.0
const AHEAD := 1.2  # seconds to the right of now
const LANE := 24.0
const GAP := 5.0
const NAMES := 62.0  # px for the names of the lanes
const BACK := Color(0.08, 0.1, 0.14, 0.78)
const TEXT := Color(0.93, 0.91, 0.86)
const MOVE := [Color(0.3, 0.45, 0.66), Color(0.25, 0.38, 0.58)]
const LEFT := Color(0.3, 0.45, 0.66, 0.3)
const WINDOW := Color(0.42, 0.74, 0.42)
const KIND := Color(0.3, 0.72, 0.76)
const GRACE := Color(0.42, 0.74, 0.42, 0.35)
const WAITS := Color(0.93, 0.66, 0.26)
const DROPPED := Color(0.87, 0.33, 0.3)
const FROZEN := Color(1.0, 1.0, 1.0, 0.16)

@export var moves: ActionGraphPlayer

## Each stretch of time: lane, from, to, color, text. The last one of a lane may still grow.
var _bars: Array[Bar] = []
var _open: Dictionary[String, Bar] = {}
var _dots: Array[Dot] = []
var _now: float = 0.0
var _left: float = 0.0
var _count: int = 0


class Bar:
	var lane: int
	var from: float
	var to: float
	var color: Color
	var text: String


class Dot:
	var at: float
	var color: Color


func _ready() -> void:
	custom_minimum_size.y = 3.0 * (LANE + GAP) + GAP
	moves.input_buffered.connect(func(_tag: StringName, _moment: int) -> void: _add_dot(WAITS))
	moves.input_dropped.connect(func(_tag: StringName, _moment: int, _why: int) -> void: _add_dot(DROPPED))
	moves.action_started.connect(func(_node: StringName, run: ActionRun) -> void:
		if run.input_tag:
			_add_dot(WINDOW))


func _physics_process(delta: float) -> void:
	_now += delta
	var state := moves.get_action_state()
	var grown: Dictionary[String, bool] = {}
	if state:
		_read(state, grown)
	for key: String in _open.keys():
		if not grown.has(key):
			_open.erase(key)
	while _bars and _bars[0].to < _now - SECONDS:
		_bars.remove_at(0)
	while _dots and _dots[0].at < _now - SECONDS:
		_dots.remove_at(0)
	queue_redraw()


func _read(state: Dictionary, grown: Dictionary[String, bool]) -> void:
	_left = 0.0
	if state["node"] != &"root":
		_grow("run %s" % state["run_id"], 0, MOVE[int(state["run_id"]) % 2], state["display_name"], grown)
		_left = clampf(state["time_left"], 0.0, AHEAD)
	for kind: String in state["windows"]:
		_grow("window " + kind, 1, KIND if kind else WINDOW, kind, grown)
	if state["grace_left"] > 0.0:
		_grow("grace", 1, GRACE, "grace", grown)
	for waiting: Dictionary in state["waiting"]:
		_grow("waits %s %s" % [waiting["tag"], waiting["moment"]], 2, WAITS, String(waiting["tag"]).get_slice(".", 1), grown)
	if state["frozen_left"] > 0.0:
		_grow("frozen", 3, FROZEN, "", grown)


func _grow(key: String, lane: int, color: Color, text: String, grown: Dictionary[String, bool]) -> void:
	grown[key] = true
	if not _open.has(key):
		var bar := Bar.new()
		bar.lane = lane
		bar.from = _now
		bar.color = color
		bar.text = text
		_bars.append(bar)
		_open[key] = bar
	_open[key].to = _now + get_physics_process_delta_time()


func _add_dot(color: Color) -> void:
	var dot := Dot.new()
	dot.at = _now
	dot.color = color
	_dots.append(dot)


func _draw() -> void:
	draw_rect(Rect2(Vector2.ZERO, size), BACK)
	var font := get_theme_default_font()
	for lane: int in 3:
		var at := Vector2(10.0, _top(lane) + 17.0)
		draw_string(font, at, ["move", "window", "buffer"][lane], HORIZONTAL_ALIGNMENT_LEFT, -1, 13, TEXT)
	for bar: Bar in _bars:
		_draw_bar(bar, font)
	if _left > 0.0:
		draw_rect(Rect2(_x(_now), _top(0), _x(_now + _left) - _x(_now), LANE), LEFT)
	for dot: Dot in _dots:
		draw_circle(Vector2(_x(dot.at), _top(2) + LANE * 0.5), 5.0, dot.color)
	draw_line(Vector2(_x(_now), 0.0), Vector2(_x(_now), size.y), TEXT, 1.0)


func _draw_bar(bar: Bar, font: Font) -> void:
	var from := maxf(_x(bar.from), NAMES)
	var wide := _x(bar.to) - from
	if wide <= 0.0:
		return
	if bar.lane == 3:  # hit-stop: all lanes stand still
		draw_rect(Rect2(from, 0.0, wide, size.y), bar.color)
		return
	draw_rect(Rect2(from, _top(bar.lane), wide, LANE), bar.color)
	if wide > 20.0:
		draw_string(font, Vector2(from + 4.0, _top(bar.lane) + 17.0), bar.text, HORIZONTAL_ALIGNMENT_LEFT, wide - 6.0, 13, Color.WHITE)


func _top(lane: int) -> float:
	return GAP + lane * (LANE + GAP)


func _x(time: float) -> float:
	return NAMES + (time - _now + SECONDS) / (SECONDS + AHEAD) * (size.x - NAMES)
