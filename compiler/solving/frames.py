"""Frames: the words of a record around candidate, fact and value. What doubts, denies or dates in them is refused."""

from __future__ import annotations

import re

from unco.compiler.solving.unreadable import Unreadable

_WORD = re.compile(r"[^\W\d_]+(?:['’]t)?")


def _listed(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TURNED = _listed(
    """
    not no never neither nor none without except instead rather untrue false wrong incorrect invalid void nothing hardly
    was were had once formerly previously earlier former previous until till since expired outdated obsolete superseded
    if unless whether provided assuming should would could may might must perhaps possibly probably presumably
    allegedly reportedly supposedly apparently seemingly likely unlikely unconfirmed disputed doubtful pending expected
    planned estimated approximately roughly nearly almost least most more less fewer than over above below beyond
    cancelled canceled revoked withdrawn denied denies deny doubts doubt claims claimed rejected corrected error mistake
    will shall soon tomorrow yesterday isn't aren't wasn't weren't hasn't doesn't don't won't cannot can't
    """
)
"""Words that turn a statement round, or leave it open."""
_ENDS = _listed(
    """
    a an the our this these its their us we all of in on at by as for from with per to and
    according record records recorded file files entry entries register registers case data information note notes log
    logs book books list lists sheet database system office desk document documents archive archives paperwork
    documentation there here kept held noted listed entered filed stated shown given regard respect reference
    """
)
"""What may follow a value: where it is written."""


def require_plain(frame: str, record: str) -> None:
    """Raise Unreadable where a word around the slots may turn the statement round."""
    found = next((word for word in _words(frame) if word in _TURNED), "")
    if found:
        raise Unreadable(f"`{found}` may turn the statement round", record)


def is_source(end: str) -> bool:
    """Whether what follows a value only says where it is written."""
    return all(word in _ENDS for word in _words(end))


def _words(text: str) -> list[str]:
    return [each.lower().replace("’", "'") for each in _WORD.findall(text)]
