class_name BenchSightRules
extends RefCounted
## The numbers of sight that all contestants use: the defaults of Perception3D.

const ACQUIRE := 20.0 + 1e-4
const RETAIN := 25.0 + 1e-4
const INTERVAL := 0.1
const FORGET := 5.0
const TOLERANCE := 1e-6
const EYE := Vector3(0.0, 1.6, 0.0)
const AIM := Vector3(0.0, 1.0, 0.0)
## Half of 90 degrees, and a hundredth.
const HALF_CONE := deg_to_rad(45.01)
