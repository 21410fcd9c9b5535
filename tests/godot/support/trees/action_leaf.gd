class_name ActionLeaf
extends BeehaveNode
## Stand-in for a Beehave leaf that does something.
