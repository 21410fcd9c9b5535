@tool
extends "editor_case.gd"
## The plugin has put its tasks for behavior trees into the project, once. The project has both tree addons, as doubles.

const PLUGIN := "riposte"
const LIMBO := "res://ai/tasks/riposte"
const BEEHAVE := "res://ai/leaves/riposte"
const FILES: PackedStringArray = ["activate_ability.gd", "activate_blackboard_ability.gd"]


## The scripts in a folder, sorted.
func scripts(folder: String) -> PackedStringArray:
	var found: PackedStringArray = []
	for file in DirAccess.get_files_at(folder):
		if file.get_extension() == "gd":
			found.append(file)
	found.sort()
	return found


func test_they_are_there_and_compile() -> void:
	for folder: String in [LIMBO, BEEHAVE]:
		eq(scripts(folder), FILES, folder)
		for file: String in FILES:
			var made := load(folder.path_join(file)) as GDScript
			check(made != null and made.can_instantiate(), "%s compiles" % folder.path_join(file))


func test_the_file_system_dock_knows_them() -> void:
	var files := EditorInterface.get_resource_filesystem()
	for wait in 600:
		if not files.is_scanning() and files.get_filesystem_path(LIMBO) != null:
			break
		await frames(1)
	for folder: String in [LIMBO, BEEHAVE]:
		var shown := files.get_filesystem_path(folder)
		check(shown != null and shown.get_file_count() == FILES.size(), "%s in the dock" % folder)


func test_what_the_project_changed_stays() -> void:
	var path := LIMBO.path_join(FILES[0])
	var before := FileAccess.get_file_as_string(path)
	var own := before + "\n# Of this project.\n"
	var file := FileAccess.open(path, FileAccess.WRITE)
	file.store_string(own)
	file.close()
	for again in 2:
		EditorInterface.set_plugin_enabled(PLUGIN, false)
		await frames()
		EditorInterface.set_plugin_enabled(PLUGIN, true)
		await frames(5)
	eq(FileAccess.get_file_as_string(path), own, "a changed task")
	eq(scripts(LIMBO), FILES, "and no other came")
	eq(scripts(BEEHAVE), FILES, "nor there")
	file = FileAccess.open(path, FileAccess.WRITE)
	file.store_string(before)
	file.close()
