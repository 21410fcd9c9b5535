extends "res://support/stages/sensing.gd"
## The same in 2D.
