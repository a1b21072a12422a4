"""Names of function types (musaTypedefs.h): PFN_muMemAlloc_v3020."""
import re

import records


def versions(folder):
    return records.read_yaml(folder / "driver_versions.yml")["versions"]


def load(folder, functions):
    """[{name, current, function}]: `current` is the name without a version, of the form that musa.h declares."""
    known = versions(folder)
    by_name = {f["name"]: f for f in functions}
    stale = sorted(set(known) - set(by_name))
    if stale:
        raise KeyError(f"driver_versions.yml: no records of {', '.join(stale)}")
    result = []
    for name, version in known.items():
        base = re.sub(r"_v\d$", "", name)
        result.append({"name": f"{base}_v{version}", "current": f"PFN_{base}" if base == name else None,
                       "function": by_name[name]})
    return result
