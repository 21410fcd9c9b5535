class_name WhyRow
extends VBoxContainer
## One candidate of a decision: name, score, a bar, and the factors or the reason why not.

const CHOSEN := Color("f0b64a")
const FIT := Color("f4ede0")
const REFUSED := Color("8f98a5")
const REASONS: Dictionary[int, String] = {
	ActionEvaluator.REFUSAL_DISABLED: "switched off",
	ActionEvaluator.REFUSAL_BLOCKED: "all actions are blocked",
	ActionEvaluator.REFUSAL_NO_METHOD: "no usable method",
	ActionEvaluator.REFUSAL_COOLDOWN: "cooldown",
	ActionEvaluator.REFUSAL_REPEAT_LIMIT: "repeat limit",
	ActionEvaluator.REFUSAL_RECOVERY: "recovery",
	ActionEvaluator.REFUSAL_NO_TARGET: "no target",
	ActionEvaluator.REFUSAL_REQUIRED_TAGS: "required tags",
	ActionEvaluator.REFUSAL_BLOCK_TAGS: "block tags",
	ActionEvaluator.REFUSAL_NO_LINE_OF_SIGHT: "no line of sight",
	ActionEvaluator.REFUSAL_GATE: "gate",
	ActionEvaluator.REFUSAL_SCRIPT_VETO: "veto of the script",
	ActionEvaluator.REFUSAL_ZERO_SCORE: "zero score",
	ActionEvaluator.REFUSAL_RETARGET_POLICY: "keeps its target",
	ActionEvaluator.REFUSAL_COMMITMENT: "commitment",
	ActionEvaluator.REFUSAL_SWITCH_MARGIN: "switch margin",
	ActionEvaluator.REFUSAL_OUTSCORED: "outscored",
	ActionEvaluator.REFUSAL_BEGIN_FAILED: "did not begin",
	ActionEvaluator.REFUSAL_HOOK_VETO: "veto of a hook",
	ActionEvaluator.REFUSAL_NO_TOKEN: "no token was free",
	ActionEvaluator.REFUSAL_UNKNOWN_ACTION: "left the set",
	ActionEvaluator.REFUSAL_INTERRUPT_CLASS: "interrupt class",
}
## The details of the others say it all: "Cooldown (1.3s remaining)", "Missing tag X".
const NEEDS_ITS_NAME: Array[int] = [
	ActionEvaluator.REFUSAL_GATE, ActionEvaluator.REFUSAL_SWITCH_MARGIN, ActionEvaluator.REFUSAL_BEGIN_FAILED,
	ActionEvaluator.REFUSAL_HOOK_VETO,
]

@onready var _name: Label = %Name
@onready var _reason: Label = %Reason
@onready var _score: Label = %Score
@onready var _bar: ProgressBar = %Bar
@onready var _why: RichTextLabel = %Why


func tell(candidate: Dictionary, best: float, with_target: bool) -> void:
	# The row of what runs says what others have to beat.
	var worth: float = candidate.get("hold", candidate["score"])
	var won: bool = candidate["won"]
	var color := CHOSEN if won else FIT if worth > 0.0 else REFUSED
	var target: NodePath = candidate["target"]
	_name.text = String(candidate["action_id"])
	if with_target and not target.is_empty():
		_name.text += " > %s" % target.get_name(target.get_name_count() - 1)
	_name.modulate = color
	_reason.text = "" if won else _reason_of(candidate)
	_bar.visible = _reason.text.is_empty() or worth > 0.0
	# A long reason is cut rather than that the panel grows.
	_reason.clip_text = not _bar.visible
	_reason.size_flags_horizontal = SIZE_SHRINK_END if _bar.visible else SIZE_EXPAND_FILL
	_bar.value = worth / best if best > 0.0 else 0.0
	_bar.modulate = color
	_score.text = "%.3f" % worth if worth > 0.0 else ""
	_score.visible = worth > 0.0
	_score.modulate = color
	_why.text = _factors(candidate["factors"])
	_why.visible = not _why.text.is_empty()


func _reason_of(candidate: Dictionary) -> String:
	var reason: String = REASONS.get(candidate["refusal"], "")
	var detail: String = candidate["detail"]
	if detail.is_empty():
		return reason
	return "%s: %s" % [reason, detail] if candidate["refusal"] in NEEDS_ITS_NAME else detail


## The product, factor by factor; those that change nothing are left out.
func _factors(factors: Array) -> String:
	var parts: PackedStringArray = []
	for factor: Array in factors:
		var value: float = factor[1]
		if is_equal_approx(value, 1.0):
			continue
		var color := "e5907a" if value <= 0.0 else "c3c8cf"
		parts.append("[color=#%s]%s[/color] [color=#8f98a5]%s[/color]" % [color, "%.2f" % value, _short(factor[0])])
	if parts.is_empty() and not factors.is_empty():
		parts.append("[color=#8f98a5]all factors are 1[/color]")
	return " × ".join(parts)


## The name of a scorer without its numbers.
static func _short(name: String) -> String:
	return name.get_slice(" (", 0).trim_suffix("Scorer")
