"""Differences that are known and meant, from differences.yml.

An entry names one observation, or one whole case, says what is seen instead, and
why. An entry that does not show is an error: what no longer differs must go. `unless`
names what a machine may have; on one that has it, the entry does not hold.
"""

from dataclasses import dataclass
from pathlib import Path

import yaml

KINDS = ("musa", "choice", "hardware", "version")
OUTCOMES = ("port-failed", "build-failed", "crashed", "timed-out", "failed")
_ENTRY_KEYS = {"observation", "case", "value", "absent", "outcome", "kind", "arch", "reason", "unless"}


def _hasProtectionKeys():
    return " ospke" in Path("/proc/cpuinfo").read_text()


def _hasAvx512():
    return " avx512f" in Path("/proc/cpuinfo").read_text()


FEATURES = {"protection_keys": _hasProtectionKeys, "avx512": _hasAvx512}


class DifferenceError(Exception):
    """differences.yml breaks its own rules."""


@dataclass(frozen=True)
class Difference:
    case: str
    key: str  # empty: the whole case
    value: str  # what is seen; None when nothing is (absent)
    outcome: str  # how the whole case ends; empty for an observation
    kind: str
    reason: str
    arches: tuple  # empty: all
    unless: str = ""  # one of FEATURES

    @property
    def name(self):
        return f"{self.case}.{self.key}" if self.key else self.case


def _require(condition, entry, message):
    if not condition:
        raise DifferenceError(f"differences.yml: {message}: {entry}")


def _parseEntry(entry):
    _require(isinstance(entry, dict), entry, "each entry is a mapping")
    unknown = set(entry) - _ENTRY_KEYS
    _require(not unknown, entry, f"unknown keys {sorted(unknown)}")
    _require(entry.get("kind") in KINDS, entry, f"kind is one of {KINDS}")
    reason = entry.get("reason")
    _require(isinstance(reason, str) and reason.strip(), entry, "a reason is needed")
    arches = entry.get("arch", [])
    _require(isinstance(arches, list), entry, "arch is a list")
    unless = entry.get("unless", "")
    _require(unless == "" or unless in FEATURES, entry, f"unless is one of {tuple(FEATURES)}")
    if "case" in entry:
        _require("observation" not in entry, entry, "either case or observation")
        _require(entry.get("outcome") in OUTCOMES, entry, f"outcome is one of {OUTCOMES}")
        return Difference(entry["case"], "", None, entry["outcome"], entry["kind"], reason.strip(), tuple(arches), unless)
    name = entry.get("observation", "")
    _require(isinstance(name, str) and name.count(".") >= 2, entry, "observation is <group>.<case>.<key>")
    absent = entry.get("absent", False)
    _require(absent is True or isinstance(entry.get("value"), str), entry, "a value in quotes, or absent: true")
    group, stem, key = name.split(".", 2)
    value = None if absent else entry["value"]
    return Difference(f"{group}.{stem}", key, value, "", entry["kind"], reason.strip(), tuple(arches), unless)


class Differences:
    """The entries that hold on one architecture."""

    def __init__(self, entries, arch):
        self._byName = {}
        for entry in entries:
            if entry.arches and arch not in entry.arches:
                continue
            if entry.unless and FEATURES[entry.unless]():
                continue
            if entry.name in self._byName:
                raise DifferenceError(f"differences.yml: {entry.name} is listed twice for {arch}")
            self._byName[entry.name] = entry

    def ofObservation(self, caseName, key):
        return self._byName.get(f"{caseName}.{key}")

    def ofCase(self, caseName):
        return self._byName.get(caseName)

    def keysOf(self, caseName):
        return [entry.key for entry in self._byName.values() if entry.case == caseName and entry.key]

    def caseNames(self):
        return {entry.case for entry in self._byName.values()}


def parse(text):
    try:
        data = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise DifferenceError(f"differences.yml: {error}") from error
    if data is None:
        return []
    if not isinstance(data, list):
        raise DifferenceError("differences.yml: a list is needed")
    return [_parseEntry(entry) for entry in data]


def load(path, arch, more=None):
    """Of one file, or of two."""
    files = [Path(one) for one in (path, more) if one]
    return Differences([entry for file in files if file.exists() for entry in parse(file.read_text(encoding="utf-8"))], arch)
