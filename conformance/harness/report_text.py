"""The table for people at a terminal."""

from collections import OrderedDict

from . import compare

_TOLD = {
    compare.MISMATCH: "recorded {expected}, seen {seen}",
    compare.MISSING: "recorded {expected}, not observed",
    compare.NOT_RECORDED: "seen {seen}, never recorded",
    compare.STALE: "listed as {listed}, recorded {expected}, seen {seen}: remove the entry",
}


def _shown(text, limit=160):
    if text is None:
        return "nothing"
    return text if len(text) <= limit else text[:limit] + "..."


def observationLine(result):
    told = _TOLD[result.status].format(
        expected=_shown(result.expected), seen=_shown(result.seen), listed=_shown(result.listed)
    )
    return f"    {result.key}: {told}"


def caseLines(result, verbose=False):
    """What is to say of one case: one line when all is well."""
    compared = len(result.observations)
    listed, other = result.count(compare.DIFFERENT_AS_LISTED), result.count(compare.OTHER_VERSION)
    line = f"{result.status:16} {result.case:32} {compared:4} observations"
    if listed:
        line += f", {listed} different as listed"
    if other:
        line += f", {other} recorded with another version"
    if result.detail:
        line += f"  ({result.detail.splitlines()[0]})"
    lines = [line]
    lines += [observationLine(observation) for observation in result.observations if not observation.good]
    if not result.good or verbose:
        lines += ["    | " + text for text in result.log.strip().splitlines()[-12:]]
    return lines


def summary(results):
    """The table by group, and the verdict."""
    groups = OrderedDict()
    for result in results:
        groups.setdefault(result.case.split(".", 1)[0], []).append(result)
    counted = any(result.functions for result in results)
    rows = [("group", "cases", "good", "observations", "match", "as listed", "version", "bad") + ("functions",) * counted]
    for name, members in list(groups.items()) + [("all", results)]:
        rows.append(
            (
                name,
                len(members),
                sum(1 for member in members if member.good),
                sum(len(member.observations) for member in members),
                sum(member.count(compare.MATCH) for member in members),
                sum(member.count(compare.DIFFERENT_AS_LISTED) for member in members),
                sum(member.count(compare.OTHER_VERSION) for member in members),
                sum(1 for member in members for observation in member.observations if not observation.good),
            )
            + (len(frozenset().union(*(member.functions for member in members))),) * counted
        )
    form = "{:<12}{:>7}{:>7}{:>14}{:>8}{:>11}{:>9}{:>6}" + "{:>11}" * counted
    lines = [form.format(*row) for row in rows]
    bad = [result for result in results if not result.good]
    lines.append("" if not bad else "not good: " + ", ".join(result.case for result in bad))
    return "\n".join(lines)
