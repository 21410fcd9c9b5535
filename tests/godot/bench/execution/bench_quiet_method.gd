class_name BenchQuietMethod
extends ExecutionMethod
## A method without a tick.
