@tool
extends EditorNode3DGizmoPlugin
## The shapes of Perception3D and StimulusSource3D in the 3D view, with handles that change the numbers behind them.

const Handles := preload("handles.gd")

## A handle is meant up to this far from the mouse, in pixels at editor scale 1.
const HOVER_DISTANCE := 12.0
const EYE_CROSS := 0.2
const POINT_CROSS := 0.1
const RIM_LINES := 8
const HANDLES := "handles"
## How strong lines of nodes are that are not selected.
const FAINT := 0.4

## Draws every node, not only those that are selected.
var show_all: bool = false

var _edits: RiposteEdits
var _materials: Dictionary[Color, StandardMaterial3D] = {}
var _drawn: Array[Node3D] = []

# The drag that is under way; _dragged is -1 without one.
var _dragged: int = -1
var _dragged_node: Node3D
var _before: Variant
var _cancelled: bool = false
var _own_drag: bool = false

# The handle that the mouse is over.
var _hovered: int = -1
var _hovered_node: Node3D
var _camera: Camera3D


func _init(edits: RiposteEdits = null) -> void:
	_edits = edits
	create_handle_material(HANDLES)


func _get_gizmo_name() -> String:
	return "Riposte perception"


func _has_gizmo(node: Node3D) -> bool:
	var kind := RiposteShapes.kind_of(node)
	return kind == RiposteShapes.Kind.PERCEPTION_3D or kind == RiposteShapes.Kind.SOURCE_3D


## Asks the 3D editor for the gizmos of the open scene. It gives them to nodes that enter the tree; these were there
## before the plugin was switched on.
func adopt_open_scene() -> void:
	for node in _nodes_of_scene():
		var has_one := node.get_gizmos().any(
			func(gizmo: Node3DGizmo) -> bool: return (gizmo as EditorNode3DGizmo).get_plugin() == self)
		if not has_one:
			node.get_tree().call_group(&"_spatial_editor_group", &"_request_gizmo_for_id", node.get_instance_id())


## Draws everything again whose look may have changed: what is selected, what was, and all if all are shown.
func redraw_all() -> void:
	var nodes := _drawn
	_drawn = []
	for node in EditorInterface.get_selection().get_selected_nodes():
		if node is Node3D and _has_gizmo(node as Node3D) and node not in nodes:
			nodes.append(node as Node3D)
	if show_all:
		nodes.append_array(_nodes_of_scene().filter(func(node: Node3D) -> bool: return node not in nodes))
	for node: Variant in nodes:
		if is_instance_valid(node) and (node as Node3D).is_inside_tree():
			(node as Node3D).update_gizmos()


func _nodes_of_scene() -> Array[Node3D]:
	var nodes: Array[Node3D] = []
	var root := EditorInterface.get_edited_scene_root()
	if root == null:
		return nodes
	for node: Node in [root] + root.find_children("*", "Node3D", true, false):
		if node is Node3D and _has_gizmo(node as Node3D):
			nodes.append(node as Node3D)
	return nodes

# ---------------------------------------------------------------------------------------------------------------------
# Drawing.


func _redraw(gizmo: EditorNode3DGizmo) -> void:
	gizmo.clear()
	var node := gizmo.get_node_3d()
	var selected := node in EditorInterface.get_selection().get_selected_nodes()
	# A node without size has no space to draw in.
	if not (selected or show_all) or is_zero_approx(node.global_basis.determinant()):
		return
	if node not in _drawn:
		_drawn.append(node)
	var strength := 1.0 if selected else FAINT
	var to_local := node.global_transform.affine_inverse() * Handles.unscaled(node)
	if RiposteShapes.kind_of(node) == RiposteShapes.Kind.SOURCE_3D:
		_draw_source(gizmo, node, to_local, strength)
	else:
		_draw_perception(gizmo, node, to_local, strength)
	if selected:
		_add_handles(gizmo, node, to_local)


func _draw_perception(gizmo: EditorNode3DGizmo, node: Node3D, to_local: Transform3D, strength: float) -> void:
	var frame := Handles.frame(node)
	var eye := Handles.eye(node)
	for shape in RiposteShapes.flat_shapes(node, Vector2(eye.dot(frame.x), eye.dot(frame.z))):
		var flat: PackedVector2Array = shape.points
		var line: PackedVector3Array = []
		for i in range(1, flat.size()):
			for point: Vector2 in [flat[i - 1], flat[i]]:
				line.append(frame.x * point.x + frame.z * point.y)
		_add_lines(gizmo, to_local * line, shape.color, strength)
	if RiposteShapes.shows(node, RiposteShapes.Handle.SIGHT):
		_add_lines(gizmo, to_local * _cone(node, frame, eye), RiposteShapes.SIGHT, strength * 0.6)
	_add_lines(gizmo, to_local * _cross(eye, EYE_CROSS), RiposteShapes.EYE, strength)


## The cone of sight: lines from the eye to its rim, and the rim.
func _cone(node: Node3D, frame: Basis, eye: Vector3) -> PackedVector3Array:
	var lines: PackedVector3Array = []
	var half := deg_to_rad(RiposteShapes.number(node, RiposteShapes.Handle.FOV)) * 0.5
	var radius := RiposteShapes.number(node, RiposteShapes.Handle.SIGHT)
	if half >= PI - 0.001:
		return lines
	for i in RIM_LINES:
		lines.append(eye)
		lines.append(RiposteShapes.rim_point(eye, frame, half, TAU * i / RIM_LINES, radius))
	var steps := RIM_LINES * 8
	for i in steps:
		for at: int in [i, i + 1]:
			lines.append(RiposteShapes.rim_point(eye, frame, half, TAU * at / steps, radius))
	return lines


func _draw_source(gizmo: EditorNode3DGizmo, node: Node3D, to_local: Transform3D, strength: float) -> void:
	var lines: PackedVector3Array = []
	for point in Handles.offset_points(node):
		lines.append_array(_cross(point, POINT_CROSS))
	for path: NodePath in node.get(&"aim_point_paths") if &"aim_point_paths" in node else []:
		var marker := node.get_node_or_null(path) as Node3D
		if marker != null and marker.is_inside_tree():
			var at := Handles.unscaled(node).affine_inverse() * marker.global_position
			lines.append_array(_cross(at, POINT_CROSS))
	_add_lines(gizmo, to_local * lines, RiposteShapes.AIM, strength)


func _add_handles(gizmo: EditorNode3DGizmo, node: Node3D, to_local: Transform3D) -> void:
	var points: PackedVector3Array = []
	var ids: PackedInt32Array = []
	for id in Handles.count(node):
		if _has_handle(node, id):
			points.append(to_local * Handles.at(node, id))
			ids.append(id)
	if not ids.is_empty():
		gizmo.add_handles(points, get_material(HANDLES, gizmo), ids)


## A mesh of its own, because the engine's lines are faint unless exactly one node is selected.
func _add_lines(gizmo: EditorNode3DGizmo, lines: PackedVector3Array, color: Color, strength: float) -> void:
	if lines.is_empty():
		return
	var arrays: Array = []
	arrays.resize(Mesh.ARRAY_MAX)
	arrays[Mesh.ARRAY_VERTEX] = lines
	var mesh := ArrayMesh.new()
	mesh.add_surface_from_arrays(Mesh.PRIMITIVE_LINES, arrays)
	gizmo.add_mesh(mesh, _material(Color(color, color.a * strength)))


func _material(color: Color) -> StandardMaterial3D:
	if not _materials.has(color):
		var material := StandardMaterial3D.new()
		material.shading_mode = BaseMaterial3D.SHADING_MODE_UNSHADED
		material.transparency = BaseMaterial3D.TRANSPARENCY_ALPHA
		material.no_depth_test = true  # rings lie on the floor and would flicker in it
		material.disable_fog = true
		material.albedo_color = color
		_materials[color] = material
	return _materials[color]


static func _cross(at: Vector3, size: float) -> PackedVector3Array:
	var lines: PackedVector3Array = []
	for axis: Vector3 in [Vector3.RIGHT, Vector3.UP, Vector3.BACK]:
		lines.append(at - axis * size)
		lines.append(at + axis * size)
	return lines

# ---------------------------------------------------------------------------------------------------------------------
# Handles.


func _get_handle_name(gizmo: EditorNode3DGizmo, id: int, _secondary: bool) -> String:
	return Handles.name_of(gizmo.get_node_3d(), id)


## Text, not a number: the view shows it beside the name while the handle is dragged.
func _get_handle_value(gizmo: EditorNode3DGizmo, id: int, _secondary: bool) -> Variant:
	return Handles.text(gizmo.get_node_3d(), id)


func _begin_handle_action(gizmo: EditorNode3DGizmo, id: int, _secondary: bool) -> void:
	_begin(gizmo.get_node_3d(), id)


func _set_handle(gizmo: EditorNode3DGizmo, id: int, _secondary: bool, camera: Camera3D, point: Vector2) -> void:
	if gizmo.get_node_3d() == _dragged_node and id == _dragged:
		_pull(camera, point)


func _commit_handle(gizmo: EditorNode3DGizmo, id: int, _secondary: bool, _restore: Variant, cancel: bool) -> void:
	if gizmo.get_node_3d() == _dragged_node and id == _dragged:
		if cancel:
			cancel_drag()
		_end()


func _begin(node: Node3D, id: int) -> void:
	_dragged_node = node
	_dragged = id
	_cancelled = false
	_before = node.get(Handles.property(node, id))


func _pull(camera: Camera3D, point: Vector2) -> void:
	var node := _dragged_node
	if _cancelled or not is_instance_valid(node):
		return
	var to_frame := Handles.unscaled(node).affine_inverse()
	var from := to_frame * camera.project_ray_origin(point)
	var direction := (to_frame.basis * camera.project_ray_normal(point)).normalized()
	var coarse := Input.is_key_pressed(KEY_CTRL)
	var property := Handles.property(node, _dragged)
	if RiposteShapes.kind_of(node) == RiposteShapes.Kind.SOURCE_3D:
		var facing := (to_frame.basis * camera.global_basis.z).normalized()
		var start := Handles.at(node, _dragged)
		var place := RiposteShapes.pulled_point(start, from, direction, facing, coarse)
		node.set(property, Handles.with_point(node, _dragged, place))
	else:
		var limits := Handles.limits(node, property)
		var value := RiposteShapes.pulled(_dragged, from, direction, Handles.frame(node), Handles.eye(node), coarse, limits)
		if not is_nan(value):
			node.set(property, value)
	node.update_gizmos()


func _end() -> void:
	var node := _dragged_node
	var id := _dragged
	_dragged = -1
	_dragged_node = null
	if is_instance_valid(node):
		if not _cancelled:
			_edits.set_property(node, Handles.property(node, id), node.get(Handles.property(node, id)), _before)
		node.update_gizmos()


## Puts the value back that a handle had before its drag; what the mouse does until its button is released is ignored.
## False if nothing is dragged.
func cancel_drag() -> bool:
	if _dragged < 0 or _cancelled or not is_instance_valid(_dragged_node):
		return false
	_cancelled = true
	_dragged_node.set(Handles.property(_dragged_node, _dragged), _before)
	_dragged_node.update_gizmos()
	return true

# ---------------------------------------------------------------------------------------------------------------------
# With several nodes selected the engine offers no handles. Those of the last one are drawn and dragged here.


## A press or release of the mouse button; true if it was meant for a handle.
func click(camera: Camera3D, mouse: Vector2, pressed: bool) -> bool:
	if not pressed:
		var dragging := _own_drag
		_own_drag = false
		if dragging:
			_end()
		return dragging
	hover(camera, mouse)
	if _hovered < 0 or EditorInterface.get_selection().get_selected_nodes().size() < 2:
		return false
	_own_drag = true
	_begin(_hovered_node, _hovered)
	return true


## The mouse moved; true if it drags a handle.
func drag(camera: Camera3D, mouse: Vector2) -> bool:
	if _own_drag:
		_pull(camera, mouse)
	return _own_drag


## The selected node whose handles can be dragged: the one that was selected last.
func _handle_owner() -> Node3D:
	var nodes := EditorInterface.get_selection().get_selected_nodes()
	nodes.reverse()
	for node in nodes:
		if node is Node3D and node.is_inside_tree() and _has_gizmo(node as Node3D):
			return node as Node3D
	return null

# ---------------------------------------------------------------------------------------------------------------------
# The label beside the handle under the mouse. The engine shows a name only while a handle is dragged.


## Notes which handle the mouse is over; true if the label has to be drawn again.
func hover(camera: Camera3D, mouse: Vector2) -> bool:
	_camera = camera
	if _dragged >= 0:
		return true
	var before := _hovered
	_hovered = -1
	_hovered_node = _handle_owner()
	if _hovered_node == null:
		return before >= 0
	var nearest := HOVER_DISTANCE * EditorInterface.get_editor_scale()
	for id in Handles.count(_hovered_node):
		var at := Handles.unscaled(_hovered_node) * Handles.at(_hovered_node, id)
		if not _has_handle(_hovered_node, id) or camera.is_position_behind(at):
			continue
		var distance := camera.unproject_position(at).distance_to(mouse)
		if distance < nearest:
			nearest = distance
			_hovered = id
	return before >= 0 or _hovered >= 0


func draw_over_view(overlay: Control) -> void:
	if not is_instance_valid(_camera):
		return
	var node := _handle_owner()
	if node != null and EditorInterface.get_selection().get_selected_nodes().size() > 1:
		for id in Handles.count(node):
			if _has_handle(node, id):
				_draw_dot(overlay, Handles.unscaled(node) * Handles.at(node, id))
	var id := _dragged if _dragged >= 0 else _hovered
	var labelled: Variant = _dragged_node if _dragged >= 0 else _hovered_node
	if id >= 0 and is_instance_valid(labelled) and id < Handles.count(labelled as Node3D):
		_draw_label(overlay, labelled as Node3D, id)


func _draw_label(overlay: Control, node: Node3D, id: int) -> void:
	var at := Handles.unscaled(node) * Handles.at(node, id)
	if _camera.is_position_behind(at):
		return
	var scale := EditorInterface.get_editor_scale()
	var font := overlay.get_theme_default_font()
	var size := overlay.get_theme_default_font_size()
	var text := "%s  %s" % [Handles.name_of(node, id), Handles.text(node, id)]
	# To the right of the handle, or as far as the view goes.
	var place := _camera.unproject_position(at) + Vector2(14, -10) * scale
	var width := font.get_string_size(text, HORIZONTAL_ALIGNMENT_LEFT, -1, size).x
	place.x = minf(place.x, overlay.size.x - width - 8.0 * scale)
	var outline := roundi(5 * scale)
	overlay.draw_string_outline(
		font, place, text, HORIZONTAL_ALIGNMENT_LEFT, -1, size, outline, Color(0, 0, 0, 0.8))
	overlay.draw_string(font, place, text, HORIZONTAL_ALIGNMENT_LEFT, -1, size, Color.WHITE)


func _draw_dot(overlay: Control, at: Vector3) -> void:
	if not _camera.is_position_behind(at):
		var scale := EditorInterface.get_editor_scale()
		var place := _camera.unproject_position(at)
		overlay.draw_circle(place, 6.0 * scale, Color.WHITE, true, -1.0, true)
		overlay.draw_circle(place, 4.5 * scale, Color(1.0, 0.37, 0.37), true, -1.0, true)


func _has_handle(node: Node3D, id: int) -> bool:
	if RiposteShapes.kind_of(node) == RiposteShapes.Kind.SOURCE_3D:
		return true
	# Pulled to "off", a handle stays until it is let go.
	return RiposteShapes.shows(node, id) or (id == _dragged and node == _dragged_node)
