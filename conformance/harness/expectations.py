"""Expectations: what real GPUs showed, one JSON file a case.

A recording is one JSON file with everything a GPU machine showed; importing it
rewrites the files of the cases that it recorded, and only those.
"""

import json
from dataclasses import dataclass
from pathlib import Path

RECORDING_FORMAT = 1


class ExpectationError(Exception):
    """A recording or an expectation cannot be used."""


@dataclass(frozen=True)
class Expectation:
    case: str
    machine: dict  # gpu, gpu_count, driver, toolkit, nccl, date
    exit: str  # how the process ended: "exit 0"
    observations: dict
    unstable: tuple  # keys whose value changed from run to run: not compared


def fileOf(root, caseName):
    group, stem = caseName.split(".", 1)
    return Path(root) / group / f"{stem}.json"


def load(root, caseName):
    """The case's expectation, or None when it was never recorded."""
    path = fileOf(root, caseName)
    if not path.exists():
        return None
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return Expectation(
            case=data["case"],
            machine=data["recorded"],
            exit=data["exit"],
            observations=data["observations"],
            unstable=tuple(data["unstable"]),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise ExpectationError(f"{path}: {error!r}") from error


def importRecording(recordingPath, root):
    """Writes expectation files. Returns (imported, refused): case names, and {name: why}."""
    try:
        recording = json.loads(Path(recordingPath).read_text(encoding="utf-8"))
        machine, cases = recording["machine"], recording["cases"]
        version = recording["format"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ExpectationError(f"{recordingPath}: not a recording: {error!r}") from error
    if version != RECORDING_FORMAT:
        raise ExpectationError(f"{recordingPath}: format {version}, this is for {RECORDING_FORMAT}")
    imported, refused = [], {}
    for name, case in sorted(cases.items()):
        if case["status"] != "recorded":
            refused[name] = case["status"]
            continue
        path = fileOf(root, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        content = {
            "case": name,
            "recorded": machine,
            "exit": case["exit"],
            "unstable": case["unstable"],
            "observations": case["observations"],
        }
        path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        imported.append(name)
    return imported, refused
