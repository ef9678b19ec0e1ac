"""The codes of every diagnostic and rejection: stable names, one row each, with what they mean."""

from __future__ import annotations

from types import MappingProxyType

CODES = MappingProxyType(
    {
        # 1xx: reading the file
        "UNC101": "the file cannot be read",
        "UNC102": "the file is not valid UTF-8 text",
        "UNC103": "the YAML or JSON syntax is wrong",
        "UNC104": "a key is given twice",
        "UNC105": "anchors, aliases, tags and several documents are not part of the language",
        "UNC106": "the file, a text or a number is too large, or nested too deeply",
        "UNC107": "a field is not part of the language",
        "UNC108": "a required field is missing",
        "UNC109": "a field has a value of the wrong kind",
        "UNC110": "an expression does not parse",
        "UNC111": "an expression is too long or nested too deeply",
        "UNC112": "a text holds characters that cannot be shown",
        "UNC113": "a number is malformed",
        # 2xx: names, types and units
        "UNC201": "a name is not defined",
        "UNC202": "a function is not defined, or has the wrong number of arguments",
        "UNC203": "types do not fit",
        "UNC204": "units or currencies do not fit",
        "UNC205": "a unit is not known",
        "UNC206": "a category has no such value",
        "UNC207": "an attribute is not recorded in that context",
        "UNC208": "a domain is incomplete, empty or off its step",
        "UNC209": "a value lies outside its domain",
        "UNC210": "a name is used twice",
        "UNC211": "a group and its member attributes do not fit",
        "UNC212": "a rounding, mode or place is not one of those offered",
        # 3xx: structure
        "UNC301": "the number of roles is outside the limits",
        "UNC302": "the number of conditions is outside the limits",
        "UNC303": "the conditions are spread over too few roles",
        "UNC304": "the operands are spread over too few roles",
        "UNC305": "an attribute has no reachable owner",
        "UNC306": "a role owns no attribute",
        "UNC307": "the calculation does not have the form of its operation",
        "UNC308": "the calculation rounds before the end",
        "UNC309": "an attribute is used by no rule and is not marked as a distractor",
        "UNC310": "a name or label can be confused with another",
        "UNC311": "there are too few candidate names",
        "UNC312": "a perturbation cannot aim at that target",
        "UNC313": "a limit, weight or difficulty setting cannot be met",
        "UNC314": "the calculation is deeper than the difficulty allows",
        "UNC315": "a distractor is used by a rule",
        # 4xx: solver findings
        "UNC401": "no instance can satisfy the consistency rules",
        "UNC402": "a condition is impossible",
        "UNC403": "a condition is always true",
        "UNC404": "a condition is redundant: the others imply it",
        "UNC405": "a part of a condition is shadowed: it never decides",
        "UNC406": "an operand is idle: it never changes the result",
        "UNC407": "a divisor can be zero",
        "UNC408": "a table has a gap",
        "UNC409": "a table has an overlap",
        "UNC410": "no candidate can be eligible",
        "UNC411": "a branch is dead",
        "UNC412": "a check was not decided within its budget",
        "UNC413": "the plan cannot be met",
        # 5xx: proof
        "UNC501": "the instance is not legal",
        "UNC502": "the answer is not unique",
        "UNC503": "a role is not necessary",
        "UNC504": "one role alone determines the answer",
        "UNC505": "no valid Misaligned setting",
        "UNC506": "no valid Incomplete setting",
        "UNC507": "no valid Missed setting",
        "UNC508": "no valid Mixed setting: masked or closed",
        "UNC509": "a defect cannot be recovered",
        "UNC510": "a claim was not decided within its budget",
        # 6xx: rendering
        "UNC601": "a template failed",
        "UNC602": "a value cannot be written in the format of its kind",
        "UNC603": "the text lacks a fact or a rule",
        "UNC604": "the text alters a fact or a rule",
        "UNC605": "the text adds a fact or a rule",
        "UNC606": "the text leaks",
        # 7xx: input beside the specification
        "UNC701": "the pinned facts do not fit the specification",
        "UNC702": "a stored group does not read back",
        "UNC703": "the command cannot be carried out as given",
        # 9xx: the machine, and bugs of ours
        "UNC901": "the machine failed: disk, memory or a killed worker",
        "UNC999": "a bug in unco",
    }
)
