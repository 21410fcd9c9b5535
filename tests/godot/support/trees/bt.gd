class_name BT
extends Resource
## Stand-in for the base of LimboAI's classes: statuses.

enum Status { FRESH, RUNNING, FAILURE, SUCCESS }

const FRESH := Status.FRESH
const RUNNING := Status.RUNNING
const FAILURE := Status.FAILURE
const SUCCESS := Status.SUCCESS
