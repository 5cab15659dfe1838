"""Finding procedures: what leads up to what, counted over sessions.

The one rule: a chain is followed backwards from what it ends in. A step belongs to it where most
sessions that did the next one had just done this, more than chance would have it, and not as
often the other way round; a habit that precedes everything precedes nothing in particular.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import dropwhile, pairwise

from memgit.domain.skills.action import ASKS
from memgit.domain.skills.counting import SESSIONS, SHARE, Counts, Sessions
from memgit.domain.skills.deeds import Deed
from memgit.domain.skills.looks import OR, looked_before
from memgit.domain.skills.naming import name_of_steps
from memgit.domain.skills.procedure import Occurrence, Procedure
from memgit.domain.skills.vocabulary import words

MOST_STEPS = 7

NEAR, FAR = 2, 5
"""Deeds within which the next step follows: in a chain, and after a failure that is mended."""

RECOVERS = 0.75
"""Of the sessions in which a deed failed, those that went on in the same way."""

USUALLY = 1 / 4
"""Of the sessions that do something, those in which it fails and is mended by an edit."""

ENDS_THERE = 1 / 3
"""Of a procedure's sessions, those that end there, where a longer one begins with its steps."""

EDIT = "edit"
"""The step between a failure and what goes on from it."""

Steps = tuple[str, ...]


def procedures(sessions: Sessions) -> list[Procedure]:
    """The procedures of these sessions, those of most sessions first."""
    counts = Counts(sessions)
    mended = list(_recoveries(sessions, counts))
    begun = {one.records[0] for each in mended for one in each.occurrences}
    chains = [_chain(sessions, counts, goal) for goal in counts.enough]
    found = [_ended_well(one, begun) for one in chains if one]
    found += _mends(sessions, counts)
    kept = [one for one in _merged([*found, *mended]) if is_enough(one)]
    kept = [_built_on(sessions, counts, one, kept) for one in kept]
    return _told_apart(sorted(kept, key=lambda one: (-len(one.sessions), one.name, one.steps)))


def _told_apart(found: Iterable[Procedure]) -> list[Procedure]:
    """The same, where another has a name already with a number behind it."""
    named: dict[str, Procedure] = {}
    for one in found:
        number, name = 1, one.name
        while name in named:
            number += 1
            name = f"{one.name}-{number}"
        named[name] = replace(one, name=name)
    return list(named.values())


def is_enough(procedure: Procedure) -> bool:
    """Whether enough sessions did it, and it went well in most of them: a fault that somebody met
    thrice is no procedure."""
    well = {one.session for one in procedure.occurrences if one.ended_well}
    sessions = len(procedure.sessions)
    meant = [step for step in procedure.steps if step not in words("housekeeping")]
    return sessions >= SESSIONS and len(meant) > 1 and len(well) >= sessions / 2


def _ended_well(procedure: Procedure, mended: set[str]) -> Procedure:
    """The same, knowing which failures were mended: what came next tells that it went well."""
    told = (
        replace(one, ended_well=one.ended_well or one.records[-1] in mended)
        for one in procedure.occurrences
    )
    return replace(procedure, occurrences=tuple(told))


def _chain(sessions: Sessions, counts: Counts, goal: str) -> Procedure | None:
    """What ends in a deed: the steps that lead up to it, and the looks before the first of them."""
    steps = [goal]
    while len(steps) < MOST_STEPS and (before := counts.before(steps[0])) and before not in steps:
        steps.insert(0, before)
    while True:
        found = occurrences(sessions, tuple(steps), NEAR)
        if len({one.session for one, _ in found}) >= SESSIONS:
            break
        if len(steps) == 1:
            return None
        steps.pop(0)
    looks = looked_before(sessions, [(one.session, first) for one, first in found])
    if len(steps) == 1 and (not looks or counts.leads(goal)):
        return None
    names = {name for look in looks for name in look.split(OR)}
    kept = [(_with_looks(one, first, names), first) for one, first in found
            if not looks or any(look.name in names for look in first.looks)]  # fmt: skip
    told = _procedure((*looks, *steps), [one for one, _ in kept])
    return _with_edit(sessions, told, [first for _, first in kept])


def _with_looks(one: Occurrence, first: Deed, names: Collection[str]) -> Occurrence:
    """The same, with what was typed to look before its first step."""
    texts = {look.name: look.text for look in first.looks if look.name in names}
    return replace(one, texts=(*texts.values(), *one.texts), looked=tuple(texts))


def _with_edit(sessions: Sessions, one: Procedure, firsts: Sequence[Deed]) -> Procedure:
    """The same, and the edit that follows, where the last step only asks and most then edit."""
    if one.steps[-1] not in ASKS:
        return one
    edited = []
    for told, first in zip(one.occurrences, firsts, strict=True):
        deeds = sessions[told.session]
        place = next(at for at, deed in enumerate(deeds) if deed is first)
        after = deeds[place : place + len(one.steps) + NEAR + 1]
        if any(deed.edits for deed in after[1:]):
            edited.append(told)
    held = {told.session for told in edited}
    if len(held) < max(SESSIONS, SHARE * len(one.sessions)):
        return one
    return _procedure((*one.steps, EDIT), edited)


def occurrences(
    sessions: Sessions, steps: Steps, reach: int, fails: bool = False
) -> list[tuple[Occurrence, Deed]]:
    """Each time that these steps follow each other within `reach` deeds, with its first deed;
    where `fails` is set, only where the first step failed for good.
    """
    found = []
    for session, deeds in sessions.items():
        after = -1
        for place, deed in enumerate(deeds):
            if place <= after or deed.name != steps[0] or (fails and deed.ended_well):
                continue
            if places := _followed(deeds, place, steps, reach):
                edits = sum(one.edits for one in deeds[place + 1 : places[-1] + 1])
                told = _occurrence(session, [deeds[at] for at in places], edits)
                found.append((told, deed))
                after = places[-1]
    return found


def _followed(deeds: Sequence[Deed], place: int, steps: Steps, reach: int) -> list[int]:
    """Where the steps are, from a place on; [] where they do not follow."""
    places = [place]
    for step in steps[1:]:
        here = places[-1] + 1
        near = range(here, min(here + reach, len(deeds)))
        at = next((one for one in near if deeds[one].name == step), None)
        if at is None:
            return []
        places.append(at)
    return places


def _occurrence(session: str, deeds: Sequence[Deed], edits: int) -> Occurrence:
    return Occurrence(
        session,
        tuple(deed.first.record for deed in deeds),
        tuple(deed.first.text for deed in deeds),
        any(deed.failed_first for deed in deeds),
        next((deed.why for deed in deeds if deed.why), ""),
        sum(len(deed.calls) - 1 + deed.mended for deed in deeds),
        deeds[-1].ended_well,
        edits,
        next((call.record for deed in deeds for call in deed.calls if call.failed), ""),
    )


def _recoveries(sessions: Sessions, counts: Counts) -> Iterator[Procedure]:
    """How a deed that failed is gone on from, where that is not by doing it again."""
    for name in counts.enough:
        failed = {
            session
            for session, deeds in sessions.items()
            if any(deed.name == name and not deed.ended_well for deed in deeds)
        }
        if len(failed) < SESSIONS:
            continue
        ends = [other for other in counts.enough if other != name]
        found = [
            (len(mended), steps, times)
            for end in ends
            for steps in [_leading(counts, name, end)]
            for times in [occurrences(sessions, steps, FAR, fails=True)]
            for mended in [{one.session for one, _ in times}]
            if len(mended) >= max(SESSIONS, RECOVERS * len(failed))
            and _is_rarer(sessions, counts, name, steps)
        ]
        if found:
            _, steps, times = max(found, key=lambda one: (len(one[1]), one[0], one[1]))
            told = [replace(one, failed=True) for one, _ in times]
            by_hand = sum(one.edits > 0 for one in told) * 2 >= len(told)
            yield _procedure((steps[0], EDIT, *steps[1:]) if by_hand else steps, told)


def _mends(sessions: Sessions, counts: Counts) -> Iterator[Procedure]:
    """What is done, fails, and is done again after an edit until it goes well, as a usual thing.

    In one session that is a retry; where many sessions that do it do so, it is how it is done.
    """
    for name in counts.enough:
        found = [
            replace(
                _occurrence(session, [deed, deed], deed.mended),
                calls=len(deed.calls) - 1 + deed.mended,
            )
            for session, deeds in sessions.items()
            for deed in deeds
            if deed.name == name and deed.mended and deed.failed_first and deed.ended_well
        ]
        held = {one.session for one in found}
        if len(held) >= max(SESSIONS, USUALLY * len(counts.held[name])):
            yield _procedure((name, EDIT, name), found)


def _leading(counts: Counts, name: str, end: str) -> Steps:
    """The steps from a failure to an end, by what leads up to that."""
    steps = [end]
    while (before := counts.before(steps[0])) and before not in (*steps, name):
        steps.insert(0, before)
    return (name, *steps)


def _is_rarer(sessions: Sessions, counts: Counts, name: str, steps: Steps) -> bool:
    """Whether what follows the failure is not what follows everything."""
    others = [one for one in counts.enough if one != name and one not in steps]
    after = sum(len(occurrences(sessions, (one, *steps[1:]), FAR)) for one in others)
    times = sum(counts.times[one] for one in others)
    mine = len(occurrences(sessions, steps, FAR, fails=True)) / counts.times[name]
    return times == 0 or mine >= 2 * after / times


def _procedure(steps: Steps, occurrences: Iterable[Occurrence]) -> Procedure:
    return Procedure(name_of_steps(steps), steps, tuple(occurrences))


def _merged(found: Sequence[Procedure]) -> list[Procedure]:
    """Without those that are another one's form, or its beginning and hardly ever more than that"""
    kept: list[Procedure] = []
    for one in sorted(found, key=lambda each: (-len(each.sessions), each.steps)):
        same = next((other for other in kept if _plain(other) == _plain(one)), None)
        if same:
            kept[kept.index(same)] = _joined(same, one)
        else:
            kept.append(one)
    return [one for one in kept if not any(_goes_on(one, other) for other in kept)]


def _plain(procedure: Procedure) -> Steps:
    """The steps without what comes behind a colon: `test:ci` is a form of `test`."""
    return tuple(step.partition(":")[0] for step in procedure.steps)


def _joined(one: Procedure, other: Procedure) -> Procedure:
    variants = {**one.variants, other.steps: len(other.sessions)}
    more = [each for each in other.occurrences if each not in one.occurrences]
    return replace(one, occurrences=(*one.occurrences, *more), variants=variants)


def _goes_on(one: Procedure, other: Procedure) -> bool:
    """Whether `one` is a part of `other`, and hardly ever all that a session did."""
    short, long = one.steps, other.steps
    if len(short) >= len(long) or not _is_within(short, long):
        return False
    there = set(other.sessions)
    ends = [session for session in one.sessions if session not in there]
    return len(ends) < ENDS_THERE * len(one.sessions)


def _built_on(
    sessions: Sessions, counts: Counts, one: Procedure, others: Sequence[Procedure]
) -> Procedure:
    """The same without the steps that are a procedure of their own, but for the last of these."""
    pairs = {pair for other in others if len(other.sessions) > len(one.sessions)
             for pair in pairwise(other.steps)}  # fmt: skip
    steps = _behind(pairs, one.steps)
    if steps == one.steps:
        return one
    # Looks are no deeds, and cannot be counted again: the first that goes takes the others along.
    deeds = tuple(dropwhile(lambda step: step not in counts.times, steps))
    steps = _behind(pairs, deeds)
    told = [told for told, _ in occurrences(sessions, steps, NEAR)] if len(steps) > 1 else []
    again = _procedure(steps, told)
    return again if len(again.sessions) >= SESSIONS else one


def _behind(pairs: Collection[tuple[str, str]], steps: Steps) -> Steps:
    """What is left of steps where those go that lead into the next one elsewhere too; two stay."""
    while len(steps) > 2 and (steps[0], steps[1]) in pairs:
        steps = steps[1:]
    return steps


def _is_within(short: Steps, long: Steps) -> bool:
    rest = iter(long)
    return all(step in rest for step in short)
