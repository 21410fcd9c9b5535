class_name BenchContext
extends RefCounted
## What the scorers of the resource baseline look at. One per agent, filled anew for each decision.

var agent: BenchActor
var target: BenchActor
var distance := 0.0
var angle_deg := 0.0
var health := 1.0
