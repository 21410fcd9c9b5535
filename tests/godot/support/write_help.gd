extends SceneTree
## Writes the help of all classes as the library hands it to the editor, a file for each, to the folder after [code]--[/code].


func _init() -> void:
	var folder := OS.get_cmdline_user_args()[0]
	var probe: Object = ClassDB.instantiate(&"RiposteProbe")
	var texts: PackedStringArray = probe.call(&"help")
	for n in texts.size():
		FileAccess.open(folder.path_join("%d.xml" % n), FileAccess.WRITE).store_string(texts[n])
	quit()
