"""Compares what a case showed with what was recorded and what may differ."""

from dataclasses import dataclass, field

# Of one observation. Those in GOOD do not fail a case.
MATCH = "match"
DIFFERENT_AS_LISTED = "different as listed"
OTHER_VERSION = "as listed: recorded with another version"  # which has its own behaviour: does not apply to this one
UNSTABLE = "not compared (unstable on hardware)"
MISMATCH = "mismatch"
MISSING = "missing"
NOT_RECORDED = "not recorded"
STALE = "listed difference does not show"
GOOD = (MATCH, DIFFERENT_AS_LISTED, OTHER_VERSION, UNSTABLE)


@dataclass(frozen=True)
class ObservationResult:
    key: str
    status: str
    expected: str  # recorded on hardware; None when it was not
    listed: str  # what differences.yml expects; None when not listed
    seen: str  # None when the case did not observe it
    reason: str = ""

    @property
    def good(self):
        return self.status in GOOD


@dataclass(frozen=True)
class CaseResult:
    case: str
    status: str  # "passed", "failed", "unrecorded", "skipped", "crashed", "timed-out", ...
    detail: str = ""
    observations: tuple = ()
    seconds: float = 0.0
    log: str = ""
    machine: dict = field(default_factory=dict)
    functions: frozenset = frozenset()  # that it called, where calls were traced

    @property
    def good(self):
        return self.status in ("passed", "failed as listed", "skipped")

    def count(self, *statuses):
        return sum(1 for observation in self.observations if observation.status in statuses)


def _compareOne(key, expectation, difference, seen):
    recorded = expectation.observations.get(key)
    actual = seen.get(key)
    if difference is not None:
        differs = recorded != difference.value
        as_listed = OTHER_VERSION if difference.kind == "version" else DIFFERENT_AS_LISTED
        status = as_listed if actual == difference.value and differs else STALE
        if actual not in (difference.value, recorded):
            status = MISMATCH
        return ObservationResult(key, status, recorded, difference.value, actual, difference.reason)
    if key in expectation.unstable:
        return ObservationResult(key, UNSTABLE, recorded, None, actual)
    if recorded is None:
        return ObservationResult(key, NOT_RECORDED, None, None, actual)
    if actual is None:
        return ObservationResult(key, MISSING, recorded, None, None)
    return ObservationResult(key, MATCH if actual == recorded else MISMATCH, recorded, None, actual)


def compareObservations(expectation, differences, seen):
    """One result for each key that was recorded, seen or listed."""
    keys = list(expectation.observations)
    keys += [key for key in expectation.unstable if key not in keys]
    keys += [key for key in seen if key not in keys]
    keys += [key for key in differences.keysOf(expectation.case) if key not in keys]
    return tuple(
        _compareOne(key, expectation, differences.ofObservation(expectation.case, key), seen) for key in keys
    )
