@tool
extends RefCounted
## Puts the two tasks that start abilities into the project, for each tree addon that is there.
##
## They extend classes of these addons, so they would not compile without; that is why the folder they come from is hidden
## from the editor. A script that is there already is never touched: the project may have changed it.

const SOURCE := "res://addons/riposte/tree_tasks/"
const LIMBO_DIRS := "limbo_ai/behavior_tree/user_task_dirs"


## What was put into the project.
static func install() -> PackedStringArray:
	var made: PackedStringArray = []
	if has_class(&"BTAction"):
		made.append_array(copy("limboai", limbo_folder().path_join("riposte")))
	if has_class(&"ActionLeaf"):
		made.append_array(copy("beehave", "res://ai/leaves/riposte"))
	return made


## The folder where LimboAI looks for tasks; each folder in it is a category.
static func limbo_folder() -> String:
	var folders: PackedStringArray = ProjectSettings.get_setting(LIMBO_DIRS, PackedStringArray())
	return "res://ai/tasks" if folders.is_empty() else folders[0]


static func has_class(wanted: StringName) -> bool:
	if ClassDB.class_exists(wanted):
		return true
	return ProjectSettings.get_global_class_list().any(func(row: Dictionary) -> bool: return row["class"] == wanted)


## Copies the scripts of one addon that are not in `folder` yet.
static func copy(addon: String, folder: String) -> PackedStringArray:
	var made: PackedStringArray = []
	for file: String in DirAccess.get_files_at(SOURCE.path_join(addon)):
		var to: String = folder.path_join(file)
		if file.get_extension() != "gd" or FileAccess.file_exists(to):
			continue
		DirAccess.make_dir_recursive_absolute(folder)
		var script: FileAccess = FileAccess.open(to, FileAccess.WRITE)
		if script == null:
			push_error("Riposte: cannot write %s (%s)." % [to, error_string(FileAccess.get_open_error())])
			continue
		script.store_string(FileAccess.get_file_as_string(SOURCE.path_join(addon).path_join(file)))
		made.append(to)
	return made
