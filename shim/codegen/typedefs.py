"""Names of function types (musaTypedefs.h): PFN_muMemAlloc_v3020."""
import re

import yaml


def load(folder, functions):
    """[{name, current, function}]: `current` is the name without a version, of the form that musa.h declares."""
    versions = yaml.safe_load((folder / "driver_versions.yml").read_text())["versions"]
    by_name = {f["name"]: f for f in functions}
    stale = sorted(set(versions) - set(by_name))
    if stale:
        raise KeyError(f"driver_versions.yml: no records of {', '.join(stale)}")
    result = []
    for name, version in versions.items():
        base = re.sub(r"_v\d$", "", name)
        result.append({"name": f"{base}_v{version}", "current": f"PFN_{base}" if base == name else None,
                       "function": by_name[name]})
    return result
