class_name BenchRecord
extends RefCounted
## What a watcher of the node baseline knows of one source.

var seen := false
var age := 0.0
var location := Vector3.ZERO
## Number of the scan that saw it last.
var scan := 0
