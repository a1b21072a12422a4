"""The form of muBLAS's functions before there were handles, which follows from the records of those with one."""
import re

LETTERS = {"mublasOperation_t": "musashimLegacyOperation", "mublasFillMode_t": "musashimLegacyFill",
           "mublasSideMode_t": "musashimLegacySide", "mublasDiagType_t": "musashimLegacyDiagonal"}


def functions(records):
    """For the template: what each takes, hands on and returns."""
    return [function(f) for f in records if f["group"].startswith("level") and f.get("cuda_symbol", "").endswith("_v2")]


def function(record):
    in_place = re.fullmatch(r"mublas[SDCZ]trmm", record["name"])  # BLAS's own
    scalars = {"alpha", "beta"} | ({"c", "s"} if record["forward"] == "rot" else set())
    taken, handed, result = [], [], None
    for parameter in record["params"][1:]:
        name, kind = parameter["name"], parameter["type"]
        if name == "result":
            result = kind.removesuffix("*")
            handed.append("&result")
        elif in_place and name in ("C", "ldc"):
            handed.append({"C": "B", "ldc": "ldb"}[name])
        elif kind in LETTERS:
            taken.append(f"char {name}")
            handed.append(f"{LETTERS[kind]}({name})")
        elif name in scalars:
            taken.append(f"{kind.removeprefix('const ').removesuffix('*')} {name}")
            handed.append(f"&{name}")
        else:
            taken.append(f"{kind.removeprefix('const ') if in_place and name == 'B' else kind} {name}")
            handed.append(name)
    return {"name": record["name"], "legacy": "mublasLegacy" + record["name"].removeprefix("mublas"), "taken": taken,
            "handed": handed, "result": result}
