"""Libraries whose functions answer otherwise by the vendor's name than by CUDA's: muBLAS's statuses."""
import re

LIBRARIES = ("mublas", "mublasLt")
STATUS = "mublasStatus_t"
OPTIONS = ("mublasOperation_t", "mublasFillMode_t", "mublasSideMode_t", "mublasDiagType_t")
SIZES = re.compile(r"[mnk]|k[lu]|nrhs|batch(?:Count|Size)|group_count")
STEPS = re.compile(r"inc[xy]")
LEADING = re.compile(r"ld[abc]|AP")
FACTORS = re.compile(r"(?:alpha|beta)(?:_array)?")
# May be null, as documented: without pivots, without places for what became of each matrix.
OPTIONAL = ("P", "devIpiv", "devInfoArray")


def has_faces(function):
    return function["library"] in LIBRARIES and STATUS in (function["returns"], *(p["type"] for p in function["params"]))


def cuda_symbol(function):
    return function.get("cuda_symbol", function["cuda"] + function["symbol"][len(function["name"]):])


def is_pointer(parameter):
    return parameter["type"].endswith("*")


def checks(function):
    """Expressions for checkAsVendor() (shim/libs/mublas/api/vendor_checks.h)."""
    params = function["params"][1:]
    names = {p["name"] for p in params}
    options = [p["name"] for p in params if p["type"] in OPTIONS]
    # Vectors without elements, or with steps of 0, are nothing to do.
    is_level1 = not any(LEADING.fullmatch(name) for name in names)
    whole = [p["name"] for p in params if p["type"] in ("int", "int64_t") and not is_level1]
    sizes = [f"{name} >= 0" for name in whole if SIZES.fullmatch(name)] + [f"{name} != 0" for name in whole if STEPS.fullmatch(name)]
    pointers = [p for p in params if is_pointer(p) and p["name"] not in OPTIONAL]
    read = [p["name"] for p in pointers if p["type"].startswith("const") and not FACTORS.fullmatch(p["name"])]
    written = [p["name"] for p in pointers if not p["type"].startswith("const")]
    spared = (["k == 0"] if "k" in names else []) + (["isZeroFactor(self, alpha)"] if "alpha" in names else [])
    needed = [f"({' || '.join([*spared, grouped(read)])})"] if read and spared else read
    if read == ["A", "B"] and "k" not in names and "transb" in names:  # a sum: each matrix has a factor
        needed = ["(isZeroFactor(self, alpha) || A)", "(isZeroFactor(self, beta) || B)"]
    needed = both([*written, *needed])
    if is_level1 and "n" in names:
        needed = f"n <= 0 || ({needed})"
    return ", ".join((f"areOptions({', '.join(options)})", both(sizes), needed, both([p["name"] for p in pointers])))


def grouped(conditions):
    return f"({both(conditions)})" if len(conditions) > 1 else both(conditions)


def both(conditions):
    if len(conditions) > 1:
        return " && ".join(conditions)
    return f"{conditions[0]}{'' if any(c in conditions[0] for c in '=(') else ' != nullptr'}" if conditions else "true"
