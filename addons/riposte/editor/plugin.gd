@tool
extends EditorPlugin
## Adds to the editor what Riposte brings, and takes all of it away again.
##
## No script of this folder names a class of the library: they must load without it, so that this one can say that it
## is missing.

const ExportFilter := preload("export_filter.gd")
const PerceptionGizmo3D := preload("gizmo/perception_3d.gd")
const PerceptionOverlay2D := preload("gizmo/perception_2d.gd")
const TreeTasks := preload("tree_tasks.gd")

## A class of the library: if it is there, the library is.
const PROBE := &"PerceptionServer"
const MANIFEST := "res://addons/riposte/riposte.gdextension"

var _export_filter: ExportFilter
var _gizmo: PerceptionGizmo3D
var _overlay: PerceptionOverlay2D
var _show_all: Button


func _enter_tree() -> void:
	if not ClassDB.class_exists(PROBE):
		push_error(missing_library(MANIFEST))
		return
	_export_filter = ExportFilter.new()
	add_export_plugin(_export_filter)
	_overlay = PerceptionOverlay2D.new()
	_gizmo = PerceptionGizmo3D.new(RiposteEdits.new(get_undo_redo()))
	add_node_3d_gizmo_plugin(_gizmo)
	_gizmo.adopt_open_scene()
	_add_show_all()
	set_force_draw_over_forwarding_enabled()
	set_input_event_forwarding_always_enabled()
	EditorInterface.get_selection().selection_changed.connect(_redraw)
	EditorInterface.get_inspector().property_edited.connect(_on_property_edited)
	get_undo_redo().version_changed.connect(_redraw)
	_redraw()
	# Other addons are there only when all are loaded, and those in scripts when the files have been looked through.
	_install_tree_tasks.call_deferred()
	EditorInterface.get_resource_filesystem().script_classes_updated.connect(_install_tree_tasks)


func _exit_tree() -> void:
	if _gizmo == null:
		return  # nothing was added
	EditorInterface.get_selection().selection_changed.disconnect(_redraw)
	EditorInterface.get_inspector().property_edited.disconnect(_on_property_edited)
	get_undo_redo().version_changed.disconnect(_redraw)
	EditorInterface.get_resource_filesystem().script_classes_updated.disconnect(_install_tree_tasks)
	remove_control_from_container(CONTAINER_SPATIAL_EDITOR_MENU, _show_all)
	_show_all.queue_free()
	remove_node_3d_gizmo_plugin(_gizmo)
	remove_export_plugin(_export_filter)
	_show_all = null
	_gizmo = null
	_overlay = null
	_export_filter = null
	update_overlays()


func _get_plugin_name() -> String:
	return "Riposte"


## Says which file should have been there, and what to do.
static func missing_library(manifest: String) -> String:
	var system := "%s %s" % [OS.get_name(), Engine.get_architecture_name()]
	var file := library_file(manifest)
	if file.is_empty():
		return "Riposte: %s names no library for this system (%s). Use an addon that was built for it." % [
			manifest, system]
	var why := "could not be loaded" if FileAccess.file_exists(file) else "is not there"
	return (
		"Riposte: the library %s %s (%s), so the Riposte nodes do not exist. Copy the whole folder addons/riposte of a "
		+ "release, or build it (`cargo xtask build`), and start the editor again."
	) % [file, why, system]


## The library that the engine looks for on this system; empty if the addon has none for it.
static func library_file(manifest: String) -> String:
	var config := ConfigFile.new()
	if config.load(manifest) != OK or not config.has_section("libraries"):
		return ""
	for key in config.get_section_keys("libraries"):
		var fits := true
		for feature in key.split("."):
			fits = fits and OS.has_feature(feature)
		if fits:
			return manifest.get_base_dir().path_join(str(config.get_value("libraries", key)))
	return ""


func _install_tree_tasks() -> void:
	var made := TreeTasks.install()
	if made.is_empty():
		return
	var folders: PackedStringArray = []
	for file in made:
		if not folders.has(file.get_base_dir()):
			folders.append(file.get_base_dir())
	print("Riposte: tasks for your behavior trees are in %s." % " and ".join(folders))
	# Not from inside of its own signal.
	_show_new_files.call_deferred()


## Lets the dock look for new files, after what it looks for now: meanwhile it would not hear of it.
func _show_new_files() -> void:
	var files := EditorInterface.get_resource_filesystem()
	if files.is_scanning():
		files.filesystem_changed.connect(_show_new_files, CONNECT_ONE_SHOT | CONNECT_DEFERRED)
	else:
		files.scan()

# ---------------------------------------------------------------------------------------------------------------------
# Perception shapes.


func _forward_3d_gui_input(camera: Camera3D, event: InputEvent) -> int:
	if _gizmo == null:
		return AFTER_GUI_INPUT_PASS
	var motion := event as InputEventMouseMotion
	if motion != null:
		var taken := _gizmo.drag(camera, motion.position)
		if _gizmo.hover(camera, motion.position):
			update_overlays()
		return AFTER_GUI_INPUT_STOP if taken else AFTER_GUI_INPUT_PASS
	var button := event as InputEventMouseButton
	if button != null and button.button_index == MOUSE_BUTTON_LEFT:
		if _gizmo.click(camera, button.position, button.pressed):
			return AFTER_GUI_INPUT_STOP
	var key := event as InputEventKey
	if key != null and key.pressed and key.keycode == KEY_ESCAPE and _gizmo.cancel_drag():
		return AFTER_GUI_INPUT_STOP
	return AFTER_GUI_INPUT_PASS


func _forward_3d_force_draw_over_viewport(overlay: Control) -> void:
	if _gizmo != null:
		_gizmo.draw_over_view(overlay)


func _forward_canvas_force_draw_over_viewport(overlay: Control) -> void:
	if _overlay != null:
		_overlay.draw(overlay, EditorInterface.get_selection().get_selected_nodes())


func _add_show_all() -> void:
	_show_all = Button.new()
	_show_all.name = "RiposteShowAll"
	_show_all.toggle_mode = true
	_show_all.theme_type_variation = &"FlatButton"
	_show_all.icon = load("res://addons/riposte/icons/perception_3d.svg")
	_show_all.tooltip_text = "Riposte: show the senses of all agents, not only those of the selected ones."
	_show_all.button_pressed = EditorInterface.get_editor_settings().get_project_metadata("riposte", "show_all", false)
	_show_all.toggled.connect(_on_show_all_toggled)
	_gizmo.show_all = _show_all.button_pressed
	add_control_to_container(CONTAINER_SPATIAL_EDITOR_MENU, _show_all)


func _on_show_all_toggled(pressed: bool) -> void:
	EditorInterface.get_editor_settings().set_project_metadata("riposte", "show_all", pressed)
	_gizmo.show_all = pressed
	_redraw()


func _on_property_edited(_property: String) -> void:
	_redraw()


## The engine redraws a gizmo only when its node asks for it. It is asked for here instead, so that the nodes need not.
func _redraw() -> void:
	_gizmo.redraw_all()
	update_overlays()
