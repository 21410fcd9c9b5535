class_name BTAction
extends BTTask
## Stand-in for the base of LimboAI's tasks that do something.
