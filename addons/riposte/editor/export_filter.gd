@tool
extends EditorExportPlugin
## Keeps the editor part of the addon out of exported games.

const EDITOR_FOLDER := "res://addons/riposte/editor/"
const PLUGIN_FILE := "res://addons/riposte/plugin.cfg"


## Export plugins run in the order of their names, and the engine's own "GDScript" takes scripts away from those behind.
func _get_name() -> String:
	return "Addon: Riposte"


func _export_file(path: String, _type: String, _features: PackedStringArray) -> void:
	if path.begins_with(EDITOR_FOLDER) or path == PLUGIN_FILE:
		skip()
